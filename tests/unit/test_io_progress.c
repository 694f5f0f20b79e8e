/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller hears while a graph is read or written. */
#include "unit_progress.h"

#include <stdlib.h>
#include <unistd.h>

enum { STEP = 1 << 16 }; /* as many rows from one report to the next */

static char folder[] = "/tmp/dgm-test-progress-XXXXXX";

static const char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int begin(void **state) {
    return make_context(state) != 0 || !mkdtemp(folder);
}

static int end(void **state) {
    return free_context(state) | rmdir(folder);
}

static void hear_reading(const char *text, size_t size, const char *name) {
    dgm_graph *graph;
    hear_progress();
    dgm_status status = dgm_graph_read_memory(ctx, text, size, name, DGM_FORMAT_AUTO, NULL, &graph);
    hear_no_more();
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_graph_free(graph);
}

/* What the report of that number of the stage says. */
static double told(const char *stage, int64_t index) {
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, stage) == 0 && index-- == 0)
            return heard_reports[i].fraction;
    fail_msg("%s is not told so often", stage);
    return -2;
}

static void texts_are_written_with_a_report_in_65536_nodes(void **state) {
    (void)state;
    static const char *const names[] = {"x.tsv", "x.mtx", "x.graph"};
    static const int64_t nodes[] = {STEP, STEP + 1, STEP + 2};
    for (int64_t i = 0; i < COUNT(names); i++)
        for (int64_t k = 0; k < COUNT(nodes); k++) {
            dgm_graph *graph = build_graph(NULL, nodes[k], 1, (const uint32_t[]){0, 1}, NULL);
            hear_progress();
            assert_int_equal(dgm_graph_write(ctx, graph, path_of(names[i]), DGM_FORMAT_AUTO),
                             DGM_OK);
            hear_no_more();
            dgm_graph_free(graph);
            assert_int_equal(remove(path_of(names[i])), 0);
            assert_int_equal(heard_count, nodes[k] > STEP ? 2 : 1);
            assert_int_equal(reports_of("writing edges"), heard_count);
            assert_near(heard_reports[0].fraction, 0, 0);
            if (heard_count > 1)
                assert_near(heard_reports[1].fraction, (double)STEP / (double)nodes[k], 1e-12);
        }
}

static void an_edge_list_is_read_with_a_report_at_its_end(void **state) {
    (void)state;
    hear_reading("0 1\n1 2\n", 8, "x.txt");
    assert_int_equal(reports_of("reading edges"), 1);
    assert_near(heard_reports[0].fraction, 1, 0);
}

/* So many pairs of a key and a number, which nobody needs, before the graph. */
static void gml_is_read_with_a_report_in_65536_pairs(void **state) {
    (void)state;
    enum { PAIRS = 2 * STEP };
    static const char graph[] = "graph [ node [ id 0 ] ]";
    char *text = malloc(4 * PAIRS + sizeof graph);
    for (int pairs = STEP / 2; pairs <= PAIRS; pairs *= 2) {
        for (int i = 0; i < pairs; i++)
            memcpy(text + 4 * (size_t)i, "a 1\n", 4);
        memcpy(text + 4 * (size_t)pairs, graph, sizeof graph);
        size_t size = 4 * (size_t)pairs + sizeof graph - 1;
        hear_reading(text, size, "x.gml");
        int64_t reports = pairs / STEP;
        assert_int_equal(reports_of("reading the graph"), reports);
        for (int64_t i = 0; i < reports; i++) /* as far as the last number */
            assert_near(told("reading the graph", i),
                        (double)(4 * STEP * (i + 1) - 1) / (double)size, 2.0 / (double)size);
    }
    free(text);
}

static bool stop_in_the_graph(void *user, const char *stage, double fraction) {
    (void)user, (void)fraction;
    return strcmp(stage, "reading the graph") != 0;
}

static void a_large_file_of_gml_is_left_when_it_is_asked_to(void **state) {
    (void)state;
    dgm_graph *graph;
    char *text = malloc(4 * STEP);
    for (int i = 0; i < STEP; i++)
        memcpy(text + 4 * (size_t)i, "a 1\n", 4);
    dgm_context_set_progress(ctx, stop_in_the_graph, NULL);
    dgm_status status =
        dgm_graph_read_memory(ctx, text, 4 * STEP, "x.gml", DGM_FORMAT_AUTO, NULL, &graph);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_int_equal(status, DGM_ERROR_CANCELLED);
    assert_null(graph);
    free(text);
}

static void json_is_read_with_a_report_in_65536_nodes(void **state) {
    (void)state;
    static const int nodes[] = {1, STEP, STEP + 1};
    char *text = malloc(16 * (STEP + 4));
    for (int64_t k = 0; k < COUNT(nodes); k++) {
        size_t used = (size_t)sprintf(text, "{\"nodes\": [");
        for (int i = 0; i < nodes[k]; i++)
            used += (size_t)sprintf(text + used, "%s{\"id\":%d}", i ? "," : "", i);
        used += (size_t)sprintf(text + used, "], \"links\": []}");
        hear_reading(text, used, "x.json");
        int64_t unknown = 0;
        for (int64_t i = 0; i < heard_count; i++)
            unknown += heard_reports[i].fraction == -1 &&
                       strcmp(heard_reports[i].stage, "reading the graph") == 0;
        assert_int_equal(unknown, nodes[k] > STEP ? 2 : 1);
    }
    free(text);
}

static void attributes_are_read_with_a_report_each(void **state) {
    (void)state;
    static const char text[] = "graph [ node [ id 0 a 1 b 2 c \"x\" ] node [ id 1 ] ]";
    hear_reading(text, sizeof text - 1, "x.gml");
    assert_int_equal(reports_of("reading the graph"), 3);
    for (int64_t i = 0; i < 3; i++)
        assert_near(told("reading the graph", i), 1, 0);
}

static void a_table_of_nodes_is_read_with_a_report_a_column(void **state) {
    (void)state;
    char edges[128], table[128];
    dgm_graph *graph;
    snprintf(edges, sizeof edges, "%s", path_of("e.txt"));
    snprintf(table, sizeof table, "%s", path_of("t.csv"));
    FILE *file = fopen(edges, "w");
    fputs("0 1\n", file);
    fclose(file);
    file = fopen(table, "w");
    fputs("id,a,b,c\n0,1,2,x\n1,3,4,y\n", file);
    fclose(file);
    hear_progress();
    assert_int_equal(dgm_graph_read(ctx, edges, DGM_FORMAT_AUTO, NULL,
                                    &(dgm_graph_tables){.nodes = table}, &graph),
                     DGM_OK);
    hear_no_more();
    dgm_graph_free(graph);
    remove(edges);
    remove(table);
    assert_int_equal(reports_of("reading"), 4);
    for (int i = 0; i < 4; i++)
        assert_near(told("reading", i), i / 4.0, 0);
}

static void other_formats_are_written_with_a_report_a_piece(void **state) {
    (void)state;
    static const char *const names[] = {"x.gml", "x.graphml", "x.gexf", "x.json"};
    for (int64_t i = 0; i < COUNT(names); i++) {
        dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
        hear_progress();
        assert_int_equal(dgm_graph_write(ctx, graph, path_of(names[i]), DGM_FORMAT_AUTO), DGM_OK);
        hear_no_more();
        dgm_graph_free(graph);
        assert_int_equal(remove(path_of(names[i])), 0);
        assert_int_equal(heard_count, 1);
        assert_string_equal(heard_reports[0].stage, "writing the graph");
        assert_near(heard_reports[0].fraction, -1, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_written_with_a_report_in_65536_nodes),
        cmocka_unit_test(an_edge_list_is_read_with_a_report_at_its_end),
        cmocka_unit_test(gml_is_read_with_a_report_in_65536_pairs),
        cmocka_unit_test(a_large_file_of_gml_is_left_when_it_is_asked_to),
        cmocka_unit_test(json_is_read_with_a_report_in_65536_nodes),
        cmocka_unit_test(attributes_are_read_with_a_report_each),
        cmocka_unit_test(a_table_of_nodes_is_read_with_a_report_a_column),
        cmocka_unit_test(other_formats_are_written_with_a_report_a_piece),
    };
    return RUN_GROUP(tests, begin, end);
}
