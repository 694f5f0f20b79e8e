/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 2 and 8 and the propositions as parts of a report: verdicts follow from the data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "reproduce_outcome.h"

#include "base_random.h"

static int commands;

/* What the program does for "map GRAPH --lens LENS --transform rank --intervals N --overlap G -o FILE". */
static dgm_status map(void *user, int count, const char *const *words) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph *graph = NULL;
    dgm_lens_result *lens = NULL;
    dgm_summary *summary = NULL;
    (void)user;
    commands++;
    assert_true(count > 12);
    assert_string_equal(words[0], "map");
    assert_string_equal(words[10], "-o");
    options.cover = DGM_COVER_QUANTILE;
    options.intervals[0] = atoi(words[7]);
    options.overlap[0] = atof(words[9]);
    dgm_status status = dgm_graph_open(ctx, words[1], DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
    if (status == DGM_OK)
        status = dgm_lens_run(ctx, graph, &words[3], 1, NULL, &lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, graph, dgm_lens_result_axes(lens), &options, &summary);
    if (status == DGM_OK)
        status = dgm_export_write(ctx, &(dgm_export_subject){.summary = summary, .graph = graph},
                                  &words[11], 1);
    dgm_summary_free(summary);
    dgm_lens_result_free(lens);
    dgm_graph_free(graph);
    return status;
}

static int64_t seed = 1;
static dgm_reproduce_command_fn command = map;

/* Makes one part anew. */
static dgm_verdict make(const char *part) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgm_reproduce_counts counts;
    options.only = part;
    options.fresh = true;
    options.seed = seed;
    options.command = command;
    options.outcome = hear;
    commands = 0;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_string_equal(last.part->name, part);
    return last.verdict;
}

static int begin(void **state) {
    return scratch_begin(state) || chdir(scratch_root) != 0 || mkdir("data", 0777) != 0 ||
           mkdir("data/cora", 0777) != 0 || mkdir("data/citeseer", 0777) != 0;
}

static void write_path(const char *file, int nodes) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    for (int u = 1; u < nodes; u++)
        fprintf(out, "%d\t%d\n", u - 1, u);
    assert_int_equal(fclose(out), 0);
}

static void write_random(const char *file, int nodes, int edges, uint64_t drawn_from) {
    dgmi_random random = {.seed = drawn_from};
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    for (int e = 0; e < edges; e++)
        fprintf(out, "%d\t%d\n", (int)dgmi_random_next_below(&random, (uint64_t)nodes),
                (int)dgmi_random_next_below(&random, (uint64_t)nodes));
    assert_int_equal(fclose(out), 0);
}

static void figures_2_and_8_need_no_data(void **state) {
    (void)state;
    assert_int_equal(make("fig2"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 2);
    assert_int_equal(access("fig2/steps.svg", R_OK), 0);
    assert_int_equal(make("fig8"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 2);
    assert_int_equal(access("fig8/proof.svg", R_OK), 0);
    assert_int_equal(commands, 0);
    assert_true(report_has("dgm reproduce --only fig8 -o again"));
    assert_true(report_has("| figure | 8 | 4 | 18 | 2 | 0 | 1 | 1 |"));
    assert_true(report_has("Found: 0 of 2 pairs differ."));
    assert_true(
        report_has("A graph of 34 nodes and 55 edges, made for this figure; the lens is the "
                   "height of a node, with 5 intervals that overlap by 35%."));
}

/* In the middle of a path of five nodes the Fiedler vector is 0. */
static void proposition_1_holds_where_signs_are_certain(void **state) {
    (void)state;
    write_path("data/cora/edges.tsv", 8);
    write_path("data/citeseer/edges.tsv", 6);
    assert_int_equal(make("prop41"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 2);
    assert_true(report_has("dgm reproduce --data data --only prop41 -o again"));
    assert_false(report_has("not all signs are certain"));
    seed = 12;
    assert_int_equal(make("prop41"), DGM_VERDICT_HOLDS);
    assert_true(report_has("dgm reproduce --data data --only prop41 --seed 12 -o again"));
    seed = 1;
    write_path("data/citeseer/edges.tsv", 5);
    assert_int_equal(make("prop41"), DGM_VERDICT_PARTLY);
    assert_true(report_has(", so that not all signs are certain."));
    assert_true(report_has("**It is not so:** CiteSeer: the two half-lines"));
    write_path("data/citeseer/edges.tsv", 3);
    assert_int_equal(make("prop41"), DGM_VERDICT_NOT_MADE);
    assert_string_equal(why, "the largest component has 3 nodes, too few to be cut in two");
}

static void proposition_2_holds_and_its_controls_do_not(void **state) {
    (void)state;
    write_random("data/cora/edges.tsv", 60, 120, 1);
    write_random("data/citeseer/edges.tsv", 50, 90, 2);
    assert_int_equal(make("prop42"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 4);
    assert_int_equal(commands, 2);
    /* On a path of four nodes the expansion joins nothing too much without copies. */
    write_path("data/cora/edges.tsv", 4);
    assert_int_equal(make("prop42"), DGM_VERDICT_PARTLY);
    assert_true(report_has("**It is not so:** Cora: both steps are needed."));
}

/* Two clusters that share a node are all of the pairs that there are. */
static dgm_status map_all(void *user, int count, const char *const *words) {
    (void)user;
    assert_string_equal(words[count - 5], "-o");
    FILE *out = fopen(words[count - 4], "w");
    assert_non_null(out);
    fprintf(out, "{\"format\": \"dgm-summary\", \"version\": 1, \"graph\": {\"nodes\": 3}, "
                 "\"lens\": {\"axes\": [\"x\"], \"min\": [0], \"max\": [1]}, \"nodes\": ["
                 "{\"id\": 0, \"cell\": [0], \"lens\": [0], \"members\": [\"0\", \"1\"], "
                 "\"size\": 2}, {\"id\": 1, \"cell\": [1], \"lens\": [1], \"members\": "
                 "[\"1\", \"2\"], \"size\": 2}], \"edges\": [{\"source\": 0, \"target\": 1, "
                 "\"shared\": 1, \"links\": 1}], \"coverage\": {}, \"topology\": {\"b0\": 1, "
                 "\"b1\": 0, \"triangles\": 0, \"cycle_rank\": 0}}");
    return fclose(out) == 0 ? DGM_OK : DGM_ERROR_FILE;
}

static void where_all_clusters_are_joined_nothing_is_shown(void **state) {
    (void)state;
    write_path("data/cora/edges.tsv", 3);
    write_path("data/citeseer/edges.tsv", 3);
    command = map_all;
    assert_int_equal(make("prop42"), DGM_VERDICT_FAILS);
    command = map;
    assert_true(report_has("Found: 0 of 1 pairs differ, but all pairs are joined, so that nothing "
                           "is shown."));
}

/* Three random graphs as a set of the collection that PROTEINS is of. */
static void write_set(void) {
    const int64_t offsets[] = {0, 30, 60, 90};
    dgmi_random random = {.seed = 3};
    uint32_t ends[2 * 150];
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    for (int e = 0; e < 150; e++)
        for (int end = 0; end < 2; end++)
            ends[2 * e + end] =
                (uint32_t)(e % 3 * 30) + (uint32_t)dgmi_random_next_below(&random, 30);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 90), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 150, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, 3, offsets, NULL, &set), DGM_OK);
    assert_int_equal(dgm_graph_set_write(ctx, set, "data/PROTEINS"), DGM_OK);
    dgm_graph_set_free(set);
}

static void proposition_3_holds_for_pagerank_alone(void **state) {
    (void)state;
    write_random("data/cora/edges.tsv", 60, 120, 1);
    write_set();
    assert_int_equal(make("prop43"), DGM_VERDICT_HOLDS);
    assert_int_equal(last.checks, 4);
    assert_true(report_has("3 relabellings of 3 graphs"));
    assert_true(report_has("5 relabellings of 1 graphs"));
    assert_true(report_has("dgm reproduce --data data --only prop43 -o again"));
    assert_int_equal(commands, 0);
}

/* 201 pairs of nodes, of which the first 200 are looked at. */
static void of_many_graphs_the_first_are_relabelled(void **state) {
    enum { MANY = 201 };
    int64_t offsets[MANY + 1] = {0};
    uint32_t ends[2 * MANY];
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    (void)state;
    for (uint32_t i = 0; i < 2 * MANY; i++)
        ends[i] = i;
    for (int i = 0; i < MANY; i++)
        offsets[i + 1] = 2 * (i + 1);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, MANY, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, MANY, offsets, NULL, &set), DGM_OK);
    nftw("data/PROTEINS", scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(dgm_graph_set_write(ctx, set, "data/PROTEINS"), DGM_OK);
    dgm_graph_set_free(set);
    write_path("data/cora/edges.tsv", 6);
    make("prop43");
    assert_true(report_has("200 relabellings of 200 graphs"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_2_and_8_need_no_data),
        cmocka_unit_test(proposition_1_holds_where_signs_are_certain),
        cmocka_unit_test(proposition_2_holds_and_its_controls_do_not),
        cmocka_unit_test(where_all_clusters_are_joined_nothing_is_shown),
        cmocka_unit_test(proposition_3_holds_for_pagerank_alone),
        cmocka_unit_test(of_many_graphs_the_first_are_relabelled),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
