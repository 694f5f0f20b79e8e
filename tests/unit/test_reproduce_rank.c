/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about PageRank as parts of a report, on graphs whose first and last cells are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "reproduce_outcome.h"

/* What the program does for "lens GRAPH --lens LENS -o FILE". */
static dgm_status write_lens(const char *data, const char *name, const char *file) {
    dgm_graph *graph = NULL;
    dgm_lens_result *lens = NULL;
    dgm_status status = dgm_graph_open(ctx, data, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
    if (status == DGM_OK)
        status = dgm_lens_run(ctx, graph, &name, 1, NULL, &lens);
    if (status == DGM_OK)
        status = dgm_matrix_write(ctx, dgm_lens_result_axes(lens), NULL, file);
    dgm_lens_result_free(lens);
    dgm_graph_free(graph);
    return status;
}

static dgm_status run_command(void *user, int count, const char *const *words) {
    (void)user;
    (void)count;
    if (strcmp(words[0], "lens") == 0) {
        assert_string_equal(words[4], "-o");
        return write_lens(words[1], words[3], words[5]);
    }
    assert_string_equal(words[0], "pool"); /* its picture is not looked at */
    return DGM_OK;
}

static dgm_verdict make(const char *part) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgm_reproduce_counts counts;
    options.only = part;
    options.fresh = true;
    options.quick = true;
    options.command = run_command;
    options.outcome = hear;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    return last.verdict;
}

static int begin(void **state) {
    return scratch_begin(state) || chdir(scratch_root) != 0 || mkdir("data", 0777) != 0 ||
           mkdir("data/cora", 0777) != 0 || mkdir("data/PROTEINS", 0777) != 0;
}

/* Files of a set are written graph by graph, with nodes counted from 1. */
static FILE *edges, *owners;
static int nodes, graphs;

static void begin_set(void) {
    edges = fopen("data/PROTEINS/PROTEINS_A.txt", "w");
    owners = fopen("data/PROTEINS/PROTEINS_graph_indicator.txt", "w");
    assert_true(edges && owners);
    nodes = graphs = 0;
    unlink("tables/PROTEINS-pagerank.npy.made");
}

static void add_nodes(int count) {
    graphs++;
    nodes += count;
    for (int i = 0; i < count; i++)
        fprintf(owners, "%d\n", graphs);
}

static void add_star(int leaves) {
    for (int i = 1; i <= leaves; i++)
        fprintf(edges, "%d, %d\n%d, %d\n", nodes + 1, nodes + 1 + i, nodes + 1 + i, nodes + 1);
    add_nodes(leaves + 1);
}

static void add_path(int length) {
    for (int i = 1; i < length; i++)
        fprintf(edges, "%d, %d\n%d, %d\n", nodes + i, nodes + i + 1, nodes + i + 1, nodes + i);
    add_nodes(length);
}

/* All nodes but the last are joined with each other, and the last one hangs on the first. Its rank is
 * the lowest by far, so that it is alone in the first cell, and the first node is alone in the last. */
static void add_clique(int size) {
    for (int i = 1; i < size; i++)
        for (int j = 1; j < size; j++)
            if (i != j)
                fprintf(edges, "%d, %d\n", nodes + i, nodes + j);
    fprintf(edges, "%d, %d\n%d, %d\n", nodes + 1, nodes + size, nodes + size, nodes + 1);
    add_nodes(size);
}

static void end_set(void) {
    assert_int_equal(fclose(edges), 0);
    assert_int_equal(fclose(owners), 0);
}

static void write_cora(int leaves) {
    FILE *out = fopen("data/cora/edges.tsv", "w");
    assert_non_null(out);
    for (int i = 1; i <= leaves; i++)
        fprintf(out, "0\t%d\n", i);
    assert_int_equal(fclose(out), 0);
    unlink("tables/cora-pagerank.npy.made");
}

static void stars_have_one_hub_and_many_dangling_nodes(void **state) {
    (void)state;
    write_cora(30);
    begin_set();
    for (int i = 0; i < 5; i++) {
        add_star(9 + i);
        if (i == 2)
            add_nodes(0); /* a graph without nodes is not counted */
    }
    end_set();
    assert_int_equal(make("claim-hubs"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 8);
    /* 30 of 31 nodes in the first cell, and the hub in the last */
    assert_true(
        report_has("| Cora | 20 | 0.1 | 1 | 0 | 96.8% | 3.2% | 1.00 | 30.00 | 96.8% | 100% |"));
    /* means over stars of 9 to 13 leaves */
    assert_true(
        report_has("| Proteins | 8 | 0.25 | 5 | 0 | 91.5% | 8.5% | 1.00 | 11.00 | 91.7% | 100% |"));
}

/* In a path of five nodes the ends have the lowest rank, and the three others are in the last cell. A
 * pair of nodes has one rank. */
static void paths_have_more_nodes_at_the_top_than_ends(void **state) {
    (void)state;
    write_cora(30);
    begin_set();
    add_path(5);
    add_path(5);
    add_path(2);
    end_set();
    assert_int_equal(make("claim-hubs"), DGM_VERDICT_PARTLY);
    assert_int_equal(last.holding, 7);
    assert_true(
        report_has("| Proteins | 8 | 0.25 | 3 | 1 | 40.0% | 60.0% | 1.00 | 2.00 | 40.0% | 100% |"));
    assert_true(report_has("in 0 of 2."));
}

/* Of four graphs two are stars of nine leaves, and two have one node of ten in the first cell, which
 * is less than one in eight. 18 leaves and 2 others of 40 nodes are dangling. */
static void half_of_the_graphs_are_not_most(void **state) {
    (void)state;
    write_cora(30);
    begin_set();
    for (int i = 0; i < 2; i++) {
        add_star(9);
        add_clique(10);
    }
    end_set();
    assert_int_equal(make("claim-hubs"), DGM_VERDICT_PARTLY);
    assert_int_equal(last.holding, 6);
    assert_true(
        report_has("| Proteins | 8 | 0.25 | 4 | 0 | 50.0% | 10.0% | 1.00 | 9.00 | 50.0% | 100% |"));
    assert_true(report_has("**It is not so:** Proteins: the last cell, with the highest ranks"));
    assert_true(report_has("in 2 of 4."));
    assert_true(report_has("**It is not so:** Proteins: the first cell has many nodes"));
    assert_true(report_has("20 of 20; 50.0% of all nodes are dangling."));
    assert_true(report_has("30 of 30; 96.8% of all nodes are dangling."));
    assert_true(report_has("their mean degree is larger in 4 of 4."));
}

static void a_set_that_is_not_there_is_named(void **state) {
    (void)state;
    assert_int_equal(unlink("data/PROTEINS/PROTEINS_A.txt"), 0);
    assert_int_equal(make("claim-hubs"), DGM_VERDICT_NOT_MADE);
    assert_non_null(strstr(why, "data/PROTEINS"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_have_one_hub_and_many_dangling_nodes),
        cmocka_unit_test(paths_have_more_nodes_at_the_top_than_ends),
        cmocka_unit_test(half_of_the_graphs_are_not_most),
        cmocka_unit_test(a_set_that_is_not_there_is_named),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
