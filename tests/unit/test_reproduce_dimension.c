/* SPDX-License-Identifier: Apache-2.0 */
/* The claim about cells as a part of a report, on five nodes that stand on a diagonal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_outcome.h"

enum { NODES = 5 };

/* Every axis is the number of the node, divided by this and rounded down. */
static int64_t crowd;

static dgm_status write_axes(int64_t axes, const char *file) {
    dgm_matrix *table;
    dgm_status status = dgm_matrix_create(ctx, NODES, axes, &table);
    for (int64_t i = 0; status == DGM_OK && i < NODES * axes; i++)
        dgm_matrix_values_mutable(table)[i] = (double)(i / axes / crowd);
    if (status == DGM_OK)
        status = dgm_matrix_write(ctx, table, NULL, file);
    dgm_matrix_free(table);
    return status;
}

/* "map GRAPH --lens-file TABLE --intervals N --overlap G -o FILE" */
static dgm_status map(const char *const *words) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    options.intervals[0] = atoi(words[5]);
    options.overlap[0] = atof(words[7]);
    dgm_status status = dgm_graph_open(ctx, words[1], DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
    if (status == DGM_OK)
        status = dgm_matrix_read(ctx, words[3], graph, &lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, graph, lens, &options, &summary);
    if (status == DGM_OK)
        status = dgm_export_write(ctx, &(dgm_export_subject){.summary = summary, .graph = graph},
                                  &words[9], 1);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return status;
}

static dgm_status run_command(void *user, int count, const char *const *words) {
    (void)user;
    (void)count;
    if (strcmp(words[0], "lens") == 0)
        return write_axes(7, words[5]);
    if (strcmp(words[0], "reduce") == 0)
        return write_axes(atoi(words[5]), words[7]);
    assert_string_equal(words[0], "map");
    return map(words);
}

static dgm_verdict make(void) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgm_reproduce_counts counts;
    options.only = "claim-cells";
    options.fresh = true;
    options.quick = true;
    options.command = run_command;
    options.outcome = hear;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.made, 1);
    return last.verdict;
}

static int begin(void **state) {
    FILE *out;
    if (scratch_begin(state) || chdir(scratch_root) != 0 || mkdir("data", 0777) != 0 ||
        mkdir("data/cora", 0777) != 0 || mkdir("data/citeseer", 0777) != 0 ||
        !(out = fopen("data/cora/edges.tsv", "w")))
        return -1;
    fprintf(out, "0\t1\n1\t2\n2\t3\n3\t4\n");
    return fclose(out);
}

/* Each node has a cell of its own, so cells empty, and those that are left hold as many nodes. With
 * an even number of intervals the node in the middle lies in two along each axis. */
static void on_a_diagonal_cells_empty_and_hold_no_fewer_nodes(void **state) {
    (void)state;
    crowd = 1;
    assert_int_equal(make(), DGM_VERDICT_PARTLY);
    assert_int_equal(last.checks, 4);
    assert_int_equal(last.holding, 2);
    assert_true(report_has("| Cora | 5 | 1 | 5 | 5 | 1.0 | 1.0 | 100% |"));
    assert_true(report_has("| Cora | 5 | 2 | 25 | 5 | 1.0 | 1.0 | 100% |"));
    assert_true(report_has("| Cora | 10 | 3 | 1000 | 12 | 1.0 | 1.0 | 100% |"));
}

/* Two cells of two nodes, which an edge joins, and one of the last node: a third of the clusters. The
 * pair in the middle lies in four of 100 cells. */
static void nodes_of_one_cell_are_counted_together(void **state) {
    (void)state;
    crowd = 2;
    assert_int_equal(unlink("tables/cora-gcn-tsne1.npy.made"), 0);
    assert_int_equal(unlink("tables/cora-gcn-tsne2.npy.made"), 0);
    assert_int_equal(unlink("tables/cora-gcn-tsne3.npy.made"), 0);
    assert_int_equal(make(), DGM_VERDICT_PARTLY);
    assert_true(report_has("| Cora | 5 | 1 | 5 | 3 | 1.7 | 2.0 | 33% |"));
    assert_true(report_has("| Cora | 10 | 2 | 100 | 6 | 1.8 | 2.0 | 17% |"));
}

static dgm_status map_nothing(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "map") != 0)
        return run_command(user, count, words);
    stage_sketch(words[1], output_of(count, words), &(sketch){.clusters = ""});
    return DGM_OK;
}

static dgm_status map_badly(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "map") != 0)
        return run_command(user, count, words);
    stage_write(output_of(count, words), "{");
    return DGM_OK;
}

/* A summary without clusters fills no cell, and nothing falls from three axes to one. */
static void no_clusters_fill_no_cells(void **state) {
    (void)state;
    stage.ctx = ctx;
    dgmi_reproduce_record_init(&stage_record, ctx);
    stage_options.quick = true;
    stage_makes("claim-cells", map_nothing);
    stage_has_row("Cora\t5\t1\t5\t0\t0.0\t0.0\t0%");
    stage_claims("Cora, 5 intervals an axis: the more axes, the smaller the share", false,
                 "0%, 0% and 0% of the cells.");
    stage_claims("Cora, 10 intervals an axis: the more axes, the fewer nodes", false,
                 "0.0, 0.0 and 0.0 nodes on average.");
    stage_fails("claim-cells", map_badly, "claim-cells/cora-1-5.json");
    dgmi_reproduce_record_free(&stage_record);
}

/* The clusters through one, two and three axes, and their cells. Every file has them for its axes,
 * whatever its intervals. */
static sketch through[3];

static dgm_status map_sketch(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    int axes, intervals;
    if (strcmp(words[0], "map") != 0)
        return run_command(user, count, words);
    assert_int_equal(sscanf(file, "claim-cells/cora-%d-%d.json", &axes, &intervals), 2);
    stage_sketch(words[1], file, &through[axes - 1]);
    return DGM_OK;
}

static void make_cells(void) {
    stage.ctx = ctx;
    dgmi_reproduce_record_init(&stage_record, ctx);
    stage_options.quick = true;
    stage_needs_every_command("claim-cells", map_sketch);
    stage_makes("claim-cells", map_sketch);
}

#define SHARE "Cora, 5 intervals an axis: the more axes, the smaller the share"
#define FEWER "Cora, 5 intervals an axis: the more axes, the fewer nodes"

/* Four cells of 1, 2, 4 and 5 nodes, the last of them two clusters; two of 1 and 3; three of 1. */
static void set_cells(void) {
    through[0] = (sketch){.clusters = "0,1 2,0 1 2 3,0 1,2 3 4", .cells = "01233"};
    through[1] = (sketch){.clusters = "0,1 2 3", .cells = "02"};
    through[2] = (sketch){.clusters = "0,1,2", .cells = "012"};
}

static void clusters_of_one_cell_are_one_filling(void **state) {
    (void)state;
    set_cells();
    make_cells();
    stage_has_row("Cora\t5\t1\t5\t4\t3.0\t3.0\t20%");
    stage_has_row("Cora\t5\t2\t25\t2\t2.0\t2.0\t50%");
    stage_has_row("Cora\t5\t3\t125\t3\t1.0\t1.0\t100%");
    stage_claims(SHARE, true, "80%, 8% and 2% of the cells.");
    stage_claims(FEWER, true, "3.0, 2.0 and 1.0 nodes on average.");
    dgmi_reproduce_record_free(&stage_record);
}

/* The median of cells of 1, 2, 4, 5 and 5 nodes is 4, that of 1, 1, 2, 4, 5 and 5 is 3. */
static void the_median_is_that_of_the_cells(void **state) {
    (void)state;
    set_cells();
    through[0] = (sketch){.clusters = "0,1 2,0 1 2 3,0 1 2 3 4,0 1,2 3 4", .cells = "012344"};
    through[1] = (sketch){.clusters = "0,1,1 2,0 1 2 3,0 1 2 3 4,0 1 2 3 4", .cells = "012345"};
    make_cells();
    stage_has_row("Cora\t5\t1\t5\t5\t3.4\t4.0\t17%");
    stage_has_row("Cora\t5\t2\t25\t6\t3.0\t3.0\t33%");
    dgmi_reproduce_record_free(&stage_record);
}

/* Each step from one number of axes to the next counts. With 5, 25 and 125 cells the shares are
 * even where 1, 5 and 25 of them are filled. */
static void every_axis_must_empty_cells(void **state) {
    (void)state;
    set_cells();
    through[0] = (sketch){.clusters = "0 1 2 3 4", .cells = "0"};
    through[1] = (sketch){.clusters = "0 1,1,2,3,4", .cells = "01234"};
    make_cells();
    stage_claims(SHARE, false, "20%, 20% and 2% of the cells.");
    stage_claims(FEWER, true, "5.0, 1.2 and 1.0 nodes on average.");
    dgmi_reproduce_record_free(&stage_record);
    through[0] = (sketch){.clusters = "0 1,2 3 4", .cells = "01"};
    through[1] = (sketch){.clusters = "0 1 2 3", .cells = "0"};
    through[2] = (sketch){.clusters = "0,1,2,3,4", .cells = "01234"};
    make_cells();
    stage_claims(SHARE, false, "40%, 4% and 4% of the cells.");
    stage_claims(FEWER, false, "2.5, 4.0 and 1.0 nodes on average.");
    dgmi_reproduce_record_free(&stage_record);
    through[1] = (sketch){.clusters = "0 1", .cells = "0"};
    through[2] = (sketch){.clusters = "0 1 2,3", .cells = "01"};
    make_cells();
    stage_claims(SHARE, true, "40%, 4% and 2% of the cells.");
    stage_claims(FEWER, false, "2.5, 2.0 and 2.0 nodes on average.");
    dgmi_reproduce_record_free(&stage_record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_diagonal_cells_empty_and_hold_no_fewer_nodes),
        cmocka_unit_test(nodes_of_one_cell_are_counted_together),
        cmocka_unit_test(no_clusters_fill_no_cells),
        cmocka_unit_test(clusters_of_one_cell_are_one_filling),
        cmocka_unit_test(the_median_is_that_of_the_cells),
        cmocka_unit_test(every_axis_must_empty_cells),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
