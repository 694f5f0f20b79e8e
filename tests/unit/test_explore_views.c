/* SPDX-License-Identifier: Apache-2.0 */
/* Other views of the same graph: the lens with its cells, single nodes, other settings. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "explore_fixture.h"
#include "unit_faults.h"

static dgm_summary_clusters clusters(void) {
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(explorer), &summary),
                     DGM_OK);
    return dgm_summary_get_clusters(summary);
}

/* ---- the lens ---- */

static void the_lens_is_counted_and_its_cells_hold_their_clusters(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=5&overlap=0.3&colour=labels");
    reply r = ask("lens_view", "");
    const dgm_summary_clusters is = clusters();
    int64_t count, total = 0;
    const uint32_t *all = array(&r, "all", "u4", &count);
    assert_int_equal(count, number(&r, "bins"));
    for (int64_t i = 0; i < count; i++)
        total += all[i];
    assert_int_equal(total, NODES);
    assert_int_equal(all[0], 1); /* node 0 alone has the value 0 */
    assert_int_equal(number(&r, "cells"), 5);
    const float *low = array(&r, "low", "f4", &count), *high = array(&r, "high", "f4", &count);
    const uint32_t *cell = array(&r, "mark_cell", "u4", &count);
    assert_int_equal(count, is.count);
    for (int64_t c = 0; c < is.count; c++) {
        assert_int_equal(cell[c], is.cells[c]);
        for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++) {
            double value = dgm_matrix_values(axes)[is.members[i]];
            assert_true(value >= low[cell[c]] && value <= high[cell[c]]);
        }
    }
    for (int k = 0; k + 1 < 5; k++)
        assert_true(low[k] < low[k + 1] && low[k + 1] <= high[k]); /* neighbours overlap */
    const float *px = array(&r, "px", "f4", &count);
    const uint32_t *node = array(&r, "pnode", "u4", &count);
    assert_int_equal(count, NODES);
    const uint32_t *mark = array(&r, "pmark", "u4", &count);
    const uint8_t *fill = array(&r, "pfill", "u1", &count);
    assert_int_equal(count, 3 * NODES);
    for (int u = 0; u < NODES; u++) {
        bool found = false;
        assert_int_equal(node[u], u);
        assert_near(px[u], dgm_matrix_values(axes)[u], 1e-6);
        for (int64_t i = is.offsets[mark[u]]; i < is.offsets[mark[u] + 1]; i++)
            found = found || is.members[i] == (uint32_t)u;
        assert_true(found);
    }
    assert_memory_equal(fill, fill + 3 * 39, 3); /* both of one class */
    assert_true(memcmp(fill, fill + 3 * 40, 3) != 0);
    drop(&r);
    drop(&picture);
}

/* The ends of the legend are the least and the greatest mean of a cluster along each axis. */
static void assert_legend_spans_means(const json_t *legend, const dgm_matrix *plane) {
    const dgm_summary_clusters is = clusters();
    assert_string_equal(text(legend, "kind"), "square");
    for (size_t axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t c = 0; c < is.count; c++) {
            double sum = 0;
            for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++)
                sum += dgm_matrix_values(plane)[2 * is.members[i] + axis];
            low = fmin(low, sum / (double)(is.offsets[c + 1] - is.offsets[c]));
            high = fmax(high, sum / (double)(is.offsets[c + 1] - is.offsets[c]));
        }
        assert_true(low < high);
        assert_near(item(legend, "low", axis), low, 1e-9);
        assert_near(item(legend, "high", axis), high, 1e-9);
    }
}

/* A second axis: the position on the ring seen from above. */
static void two_axes_make_a_square(void **state) {
    (void)state;
    dgm_matrix *plane = build_matrix(NODES, 2, NULL);
    dgm_explorer_lens lens;
    for (int i = 0; i < NODES; i++) {
        dgm_matrix_values_mutable(plane)[2 * i] = dgm_matrix_values(axes)[i];
        dgm_matrix_values_mutable(plane)[2 * i + 1] = i % 30;
    }
    dgm_explorer_lens_init(&lens);
    lens.axes = plane;
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    reply picture = ask("picture", "intervals=3&overlap=0.2&colour=lens"), r = ask("lens_view", "");
    assert_legend_spans_means(json_object_get(picture.json, "legend"), plane);
    int64_t count, total = 0, bins = number(&r, "bins");
    const uint32_t *density = array(&r, "density", "u4", &count);
    assert_int_equal(count, bins * bins);
    for (int64_t i = 0; i < count; i++)
        total += density[i];
    assert_int_equal(total, NODES);
    const float *low = array(&r, "low", "f4", &count);
    assert_int_equal(count, 2 * number(&r, "cells"));
    assert_true(low[0] <= low[2]);
    drop(&r);
    r = ask("lens_view", "axes=1");
    assert_int_equal(number(&r, "cells"), 3); /* three intervals on one axis */
    const json_t *axis = json_array_get(json_object_get(r.json, "axes"), 0);
    assert_int_equal(json_integer_value(json_object_get(axis, "number")), 1);
    assert_near(json_number_value(json_object_get(axis, "high")), 29, 0);
    drop(&r);
    drop(&picture);
    dgm_explorer_free(explorer);
    explorer = NULL;
    dgm_matrix_free(plane);
}

/* ---- other settings ---- */

static void a_thumbnail_is_the_picture_of_its_settings(void **state) {
    (void)state;
    static const char *const same[] = {"x", "y", "radius"};
    reply before = ask("picture", "intervals=4&overlap=0.2");
    reply small = ask("thumbnail", "intervals=7&overlap=0.35");
    reply still = ask("cluster", "cluster=0"); /* what is shown stays */
    assert_int_equal(number(&still, "serial"), number(&before, "serial"));
    reply after = ask("picture", "intervals=7&overlap=0.35");
    int64_t count, other;
    assert_int_equal(number(&small, "clusters"), number(&after, "clusters"));
    assert_int_equal(number(&small, "links"), number(&after, "links"));
    assert_true(json_equal(json_object_get(small.json, "topology"),
                           json_object_get(after.json, "topology")));
    for (int64_t k = 0; k < COUNT(same); k++) { /* both start where the nodes stood */
        const float *a = array(&small, same[k], "f4", &count);
        const float *b = array(&after, same[k], "f4", &other);
        assert_int_equal(count, other);
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
    }
    drop(&small);
    dgm_answer bytes;
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "thumbnail", "overlap=7", &bytes),
                     DGM_ERROR_USAGE);
    drop(&before);
    drop(&still);
    drop(&after);
}

static void what_persists_is_told(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4&overlap=0.3&pieces=joined");
    reply r = ask("persistence", "intervals=16,8,4,3");
    const json_t *steps = json_object_get(r.json, "steps");
    assert_int_equal(json_array_size(steps), 4);
    assert_true(json_is_true(json_object_get(json_array_get(steps, 0), "refines")));
    assert_true(json_is_true(json_object_get(json_array_get(steps, 1), "refines")));
    assert_true(json_is_false(json_object_get(json_array_get(steps, 2), "refines")));
    assert_true(json_is_null(json_object_get(json_array_get(steps, 3), "refines")));
    assert_int_equal(json_integer_value(json_object_get(json_array_get(steps, 2), "clusters")),
                     number(&picture, "clusters"));
    const json_t *run = json_array_get(json_object_get(r.json, "runs"), 0);
    assert_int_equal(json_integer_value(json_object_get(run, "first")), 0);
    assert_int_equal(json_integer_value(json_object_get(run, "last")), 2);
    const json_t *bars = json_object_get(run, "bars"), *bar;
    int64_t pieces = 0, loops = 0;
    size_t i;
    json_array_foreach(bars, i, bar) {
        bool lasts = json_is_null(json_object_get(bar, "death"));
        int64_t many = json_integer_value(json_object_get(bar, "count"));
        pieces += lasts && json_integer_value(json_object_get(bar, "dimension")) == 0 ? many : 0;
        loops += lasts && json_integer_value(json_object_get(bar, "dimension")) == 1 ? many : 0;
    }
    assert_int_equal(pieces, 1); /* the ring is one piece with one loop */
    assert_int_equal(loops, 1);
    drop(&r);
    drop(&picture);
    static const char *const wrong[] = {"",
                                        "intervals=",
                                        "intervals=4,x",
                                        "intervals=0",
                                        "intervals=4&overlap=7",
                                        "intervals=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"};
    for (int64_t k = 0; k < COUNT(wrong); k++) {
        dgm_answer bytes;
        assert_int_equal(dgm_explorer_ask(ctx, explorer, "persistence", wrong[k], &bytes),
                         DGM_ERROR_USAGE);
    }
}

/* ---- single nodes ---- */

/* 100,000 nodes are drawn at most. The last 300 of these nodes have a neighbour each and stay, and of
 * the others, which have none, the first ones. */
static void a_large_subgraph_keeps_the_nodes_with_the_most_neighbours(void **state) {
    (void)state;
    enum { ALL = 100300, MOST = 100000, JOINED = 300 };
    uint32_t ends[JOINED];
    int64_t count, links;
    dgm_explorer *large;
    dgm_explorer_lens lens;
    for (uint32_t i = 0; i < JOINED; i++)
        ends[i] = ALL - 1 - i;
    dgm_graph *scattered = build_graph(NULL, ALL, JOINED / 2, ends, NULL);
    dgm_matrix *flat = build_matrix(ALL, 1, NULL);
    memset(dgm_matrix_values_mutable(flat), 0, ALL * sizeof(double));
    dgm_explorer_lens_init(&lens);
    lens.axes = flat;
    assert_int_equal(dgm_explorer_create(ctx, scattered, &large), DGM_OK);
    assert_int_equal(dgm_explorer_set_lens(ctx, large, &lens), DGM_OK);
    reply r = ask_of(large, "picture", "cluster=none&intervals=1");
    drop(&r);
    r = ask_of(large, "subgraph", "clusters=0");
    assert_int_equal(number(&r, "nodes"), ALL);
    assert_int_equal(number(&r, "edges"), JOINED / 2);
    assert_int_equal(number(&r, "shown_nodes"), MOST);
    assert_int_equal(number(&r, "shown_edges"), JOINED / 2);
    const uint32_t *node = array(&r, "node", "u4", &count);
    assert_int_equal(count, MOST);
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(node[i], i < MOST - JOINED ? i : i + ALL - MOST);
    array(&r, "source", "u4", &links);
    assert_int_equal(links, JOINED / 2);
    drop(&r);
    dgm_explorer_free(large);
    dgm_matrix_free(flat);
    dgm_graph_free(scattered);
}

static void a_subgraph_has_its_nodes_and_edges(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4&overlap=0.2&colour=labels");
    reply r = ask("subgraph", "nodes=10,11,12,20&hops=1");
    /* 9 to 13 and 19 to 21: two paths */
    static const uint32_t wanted[] = {9, 10, 11, 12, 13, 19, 20, 21};
    static const uint8_t meant[] = {0, 1, 1, 1, 0, 0, 1, 0};
    int64_t count;
    assert_int_equal(number(&r, "nodes"), COUNT(wanted));
    assert_int_equal(number(&r, "edges"), 6);
    assert_int_equal(number(&r, "shown_nodes"), COUNT(wanted));
    assert_int_equal(number(&r, "shown_edges"), 6);
    const uint32_t *node = array(&r, "node", "u4", &count);
    assert_int_equal(count, COUNT(wanted));
    const uint8_t *core = array(&r, "core", "u1", &count);
    const uint32_t *degree = array(&r, "degree", "u4", &count);
    const uint32_t *mark = array(&r, "mark", "u4", &count);
    const json_t *names = json_object_get(r.json, "names");
    for (int64_t i = 0; i < COUNT(wanted); i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", wanted[i]);
        assert_int_equal(node[i], wanted[i]);
        assert_int_equal(core[i], meant[i]);
        assert_int_equal(degree[i], 2);
        assert_true(mark[i] < (uint32_t)number(&picture, "clusters"));
        assert_string_equal(json_string_value(json_array_get(names, (size_t)i)), name);
    }
    const float *x = array(&r, "x", "f4", &count), *y = array(&r, "y", "f4", &count);
    const uint32_t *source = array(&r, "source", "u4", &count);
    const uint32_t *target = array(&r, "target", "u4", &count);
    assert_int_equal(count, 6);
    for (int64_t e = 0; e < count; e++) {
        assert_int_equal(abs((int)node[source[e]] - (int)node[target[e]]), 1);
        assert_true(hypot(x[source[e]] - x[target[e]], y[source[e]] - y[target[e]]) > 0);
    }
    drop(&r);
    r = ask("subgraph", "clusters=0,1&colour=prediction");
    assert_non_null(json_object_get(r.json, "legend"));
    drop(&r);
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "subgraph", "cluster=0&nodes=30", &bytes),
                 DGM_ERROR_USAGE, "there is no such node");
    drop(&picture);
}

static dgm_status ask_everything(dgm_context *own, void *argument) {
    static const char *const questions[][2] = {{"picture", "intervals=5&colour=labels"},
                                               {"lens_view", ""},
                                               {"thumbnail", "intervals=6"},
                                               {"persistence", "intervals=6,3"},
                                               {"subgraph", "cluster=1&hops=1"}};
    (void)argument;
    return ask_in_turn(own, questions, COUNT(questions), predictions);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(ask_everything, NULL);
}

#define WITH_RING(test) cmocka_unit_test_setup_teardown(test, open_explorer, close_explorer)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_RING(the_lens_is_counted_and_its_cells_hold_their_clusters),
        WITH_RING(two_axes_make_a_square),
        WITH_RING(a_thumbnail_is_the_picture_of_its_settings),
        WITH_RING(what_persists_is_told),
        WITH_RING(a_large_subgraph_keeps_the_nodes_with_the_most_neighbours),
        WITH_RING(a_subgraph_has_its_nodes_and_edges),
        WITH_RING(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
