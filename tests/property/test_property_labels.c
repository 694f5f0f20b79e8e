/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that leave numbers out come back from every format that holds labels, with the numbers
 * that they had. */
#include "property_fixture.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "../check_graph.h"

enum { NODES = 30, ROUNDS = 8 };

static char root[64];

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Up to five classes with numbers up to `span`, and nodes without any. */
static dgm_graph *draw_graph(check_random *random, int span) {
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    int32_t numbers[5], labels[NODES];
    uint32_t ends[2 * NODES];
    for (int c = 0; c < 5; c++)
        numbers[c] = check_random_below(random, span);
    for (int u = 0; u < NODES; u++) {
        labels[u] =
            u && check_random_chance(random, 0.1) ? -1 : numbers[check_random_below(random, 5)];
        ends[2 * u] = (uint32_t)u;
        ends[2 * u + 1] = (uint32_t)check_random_below(random, NODES);
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, NODES, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    for (int u = 0; u < NODES; u++)
        assert_int_equal(dgm_graph_class_number(graph, dgm_graph_labels(graph)[u]), labels[u]);
    return graph;
}

static dgm_graph *write_and_read(const dgm_graph *graph, const char *path) {
    dgm_graph *back = NULL;
    if (dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO) != DGM_OK ||
        dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &back) != DGM_OK)
        fail_msg("%s: %s", path, dgm_context_error(ctx));
    const dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    const char *wrong = check_graph(back, &options);
    if (wrong)
        fail_msg("%s: %s", path, wrong);
    return back;
}

static void compare_labels(const dgm_graph *a, const dgm_graph *b, const char *path) {
    if (!dgm_graph_labels(b) || dgm_graph_classes(a) != dgm_graph_classes(b))
        fail_msg("%s: the classes differ", path);
    for (int u = 0; u < NODES; u++) {
        int32_t expected = dgm_graph_class_number(a, dgm_graph_labels(a)[u]);
        int32_t found = dgm_graph_class_number(b, dgm_graph_labels(b)[u]);
        if (found != expected)
            fail_msg("%s: the label of node %d is %d, not %d (seed %llu)", path, u, found, expected,
                     (unsigned long long)seed);
    }
}

static void labels_come_back_from_every_format(void **state) {
    (void)state;
    static const char *const names[] = {"folder/", "a.npz",  "a.graphml", "a.gexf",
                                        "a.gml",   "a.json", "b.npz.gz"};
    static const int spans[] = {5, 9, 1000, 1 << 24};
    check_random random = {seed};
    for (int round = 0; round < ROUNDS; round++) {
        dgm_graph *graph = draw_graph(&random, spans[round % 4]);
        for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
            char path[128];
            snprintf(path, sizeof path, "%s/%d-%s", root, round, names[f]);
            dgm_graph *back = write_and_read(graph, path);
            compare_labels(graph, back, path);
            /* What has been read is written in the next format, from whatever it was read. */
            dgm_graph_free(graph);
            graph = back;
        }
        dgm_graph_free(graph);
    }
}

static int make_folder(void **state) {
    strcpy(root, "/tmp/dgm-property-XXXXXX");
    return mkdtemp(root) ? make_context(state) : -1;
}

static int free_folder(void **state) {
    free_context(state);
    return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_come_back_from_every_format)};
    return cmocka_run_group_tests(tests, make_folder, free_folder);
}
