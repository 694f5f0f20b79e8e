/* SPDX-License-Identifier: Apache-2.0 */
/* The claims about t-SNE and about axes: the judgement over numbers that are given by hand, and both
 * parts as a whole over summaries that are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_starts.h"

enum { STARTS = DGMI_REPRODUCE_STARTS };

/* ---- the judgement ---- */

static void set_purity(dgmi_reproduce_look looks[STARTS], double a, double b, double c) {
    const double above[STARTS] = {a, b, c};
    for (int i = 0; i < STARTS; i++) {
        looks[i] = (dgmi_reproduce_look){.clusters = 10 + i};
        looks[i].classes.nodes = 100 + i;
        looks[i].classes.purity =
            (dgmi_reproduce_chance){.found = above[i] + 0.25, .expected = 0.25, .above = above[i]};
        looks[i].classes.assortativity =
            (dgmi_reproduce_chance){.found = 0.5, .expected = NAN, .above = NAN};
    }
}

/* Student's t for 95% with two degrees of freedom is 4.3027. Differences of 0.2, 0.25 and 0.3 deviate
 * by 0.05, so that half of their interval is 4.3027 * 0.05 / sqrt(3) = 0.124; those of 0.1, 0.2 and
 * 0.3 deviate by 0.1, so that it is 0.248. */
static void a_difference_must_leave_its_interval(void **state) {
    static const char *const names[] = {"one", "two", "three", "four", "five", "six"};
    dgmi_reproduce_look looks[6][STARTS];
    (void)state;
    set_purity(looks[0], 0.5, 0.6, 0.7);
    set_purity(looks[1], 0.3, 0.35, 0.4);
    set_purity(looks[2], 0.4, 0.4, 0.4);
    set_purity(looks[3], 0.5, 0.6, 0.7);
    set_purity(looks[4], 0.7, 0.85, 1.0);
    set_purity(looks[5], NAN, 0.1, 0.1);
    stage_set("claim-tsne", NULL);
    dgmi_reproduce_starts_tell(&stage, "Graph", names, 6, looks, "the first is");
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 5);
    stage_claims("Graph: the first is purer above chance than two, beyond the 95% interval of the "
                 "difference.",
                 true, "0.600 against 0.350 on average, a difference of 0.250 ± 0.124.");
    stage_claims("Graph: the first is purer above chance than three,", false,
                 "0.600 against 0.400 on average, a difference of 0.200 ± 0.248.");
    stage_claims("Graph: the first is purer above chance than four,", false,
                 "0.600 against 0.600 on average, a difference of 0.000 ± 0.000.");
    stage_claims("Graph: the first is purer above chance than five,", false,
                 "0.600 against 0.850 on average, a difference of -0.250 ± 0.124.");
    assert_false(
        stage_find(DGMI_REPRODUCE_CLAIM, "Graph: the first is purer above chance than six")->holds);
}

static void every_start_has_its_row(void **state) {
    static const char *const names[] = {"one", "two"};
    dgmi_reproduce_look looks[2][STARTS];
    (void)state;
    set_purity(looks[0], 0.5, 0.6, 0.7);
    set_purity(looks[1], 0.1, 0.2, 0.3);
    stage_set("claim-tsne", NULL);
    dgmi_reproduce_starts_tell(&stage, "Graph", names, 2, looks, "the first is");
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2 * STARTS);
    stage_has_row("Graph\tone, start 1\t10\t100\t0.750\t0.250\t0.500\t0.500\tnone\tnone");
    stage_has_row("Graph\tone, start 3\t12\t102\t0.950\t0.250\t0.700\t0.500\tnone\tnone");
    stage_has_row("Graph\ttwo, start 2\t11\t101\t0.450\t0.250\t0.200\t0.500\tnone\tnone");
}

/* ---- the parts ---- */

/* Two classes of four nodes. The first sketch keeps them apart, the second mixes them evenly. Clusters
 * of one node do not count, and tell the files apart. */
static const char *const apart[] = {"0 1 2 3,4 5 6 7", "0 1 2 3,4 5 6 7,0", "0 1 2 3,4 5 6 7,0,1"};
static const char *const mixed[] = {"0 1 4 5,2 3 6 7", "0 1 4 5,2 3 6 7,0", "0 1 4 5,2 3 6 7,0,1"};

static int lenses; /* commands that train a network */

/* Which of two ways is the pure one: files that hold this word. */
static const char *pure;

static dgm_status run_command(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    if (strcmp(words[0], "map") != 0) {
        stage_write(file, words[0]);
        lenses += strcmp(words[0], "lens") == 0;
        return DGM_OK;
    }
    const char *dash = strrchr(file, '-');
    assert_non_null(dash);
    int start = atoi(dash + 1) - 1;
    assert_true(start >= 0 && start < STARTS);
    assert_int_equal(access(word_after(count, words, "--lens-file"), R_OK), 0);
    stage_sketch(words[1], file,
                 &(sketch){.clusters = strstr(file, pure) ? apart[start] : mixed[start]});
    return DGM_OK;
}

static int begin(void **state) {
    if (stage_begin(state) != 0)
        return -1;
    stage_data("cora", 8, "0\n0\n0\n0\n1\n1\n1\n1\n");
    stage_data("citeseer", 8, "0\n0\n0\n0\n1\n1\n1\n1\n");
    return 0;
}

/* What is found, as the files that were written say: all starts are alike. */
static void check_difference(const char *claim, bool holds, const char *one, const char *other) {
    dgmi_reproduce_look ours, theirs;
    dgm_graph *graph;
    char found[128];
    assert_int_equal(dgmi_reproduce_open(&stage, "data/cora", &graph), DGM_OK);
    assert_int_equal(dgmi_reproduce_look_at(&stage, one, graph, &ours), DGM_OK);
    assert_int_equal(dgmi_reproduce_look_at(&stage, other, graph, &theirs), DGM_OK);
    dgm_graph_free(graph);
    double first = ours.classes.purity.above, second = theirs.classes.purity.above;
    assert_true(holds ? first > second + 0.4 : first <= second);
    snprintf(found, sizeof found, "%.3f against %.3f on average, a difference of %.3f ± 0.000.",
             first, second, first - second);
    stage_claims(claim, holds, found);
}

static void wide_embeddings_are_compared_with_three_narrow_ones(void **state) {
    (void)state;
    pure = "-wide-";
    stage_needs_every_command("claim-tsne", run_command);
    stage_makes("claim-tsne", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2 * 3);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2 * 4 * STARTS);
    check_difference("Cora: t-SNE of 512 columns is purer above chance than 2 columns, beyond",
                     true, "claim-tsne/cora-wide-1.json", "claim-tsne/cora-narrow-1.json");
    check_difference("CiteSeer: t-SNE of 512 columns is purer above chance than 2 columns, the",
                     true, "claim-tsne/citeseer-wide-2.json", "claim-tsne/citeseer-authors-3.json");
    stage_has_row_of("Cora\t512 columns, then t-SNE, start 1\t2\t8\t1.000\t");
    stage_has_row_of("CiteSeer\t512 columns, then t-SNE, start 3\t4\t8\t1.000\t");
    stage_has_row_of("Cora\t2 columns, start 2\t3\t8\t0.500\t");
    stage_has_row_of("Cora\t2 columns, on ranks, start 3\t4\t8\t0.500\t");
    stage_shows("Cora: 512 columns, then t-SNE, from the first start.", "claim-tsne/cora-wide.svg");
    stage_shows("Cora: 2 columns, from the first start.", "claim-tsne/cora-narrow.svg");
    assert_int_equal(stage_count(DGMI_REPRODUCE_PICTURE), 2);
}

static void each_narrow_way_is_its_own(void **state) {
    (void)state;
    pure = "-ranks-";
    stage_makes("claim-tsne", run_command);
    check_difference("Cora: t-SNE of 512 columns is purer above chance than 2 columns, on ranks",
                     false, "claim-tsne/cora-wide-1.json", "claim-tsne/cora-ranks-1.json");
    stage_has_row_of("Cora\t2 columns, on ranks, start 1\t2\t8\t1.000\t");
    stage_has_row_of("Cora\t2 columns, the authors' layers (32-64-2), start 1\t2\t8\t0.500\t");
}

/* The first start has the seed of the run, and is shared with other parts. */
static void starts_have_seeds_of_their_own(void **state) {
    (void)state;
    pure = "-wide-";
    stage_options.seed = 1;
    stage_makes("claim-tsne", run_command);
    stage_ran("dgm lens data/cora --lens dgi -o tables/cora-dgi.npy");
    stage_ran("dgm reduce tables/cora-dgi.npy --method tsne --dim 2 -o tables/cora-dgi-tsne.npy");
    stage_ran("dgm lens data/cora --lens dgi:seed=3 -o tables/cora-dgi-3.npy");
    stage_ran(
        "dgm reduce tables/cora-dgi-3.npy --method tsne --dim 2 -o tables/cora-dgi-3-tsne.npy");
    stage_ran("dgm lens data/cora --lens dgi:hidden=2,rate=0.01,patience=0 -o "
              "claim-tsne/cora-narrow-1.npy");
    stage_ran("dgm lens data/cora --lens dgi:hidden=2,rate=0.01,patience=0,seed=2 -o "
              "claim-tsne/cora-narrow-2.npy");
    stage_ran("dgm lens data/citeseer --lens dgi:preset=reference,hidden=32-64-2,seed=3 -o "
              "claim-tsne/citeseer-authors-3.npy");
    stage_ran(
        "dgm map data/cora --lens-file tables/cora-dgi-3-tsne.npy --intervals 8 --overlap 0.2 "
        "-o claim-tsne/cora-wide-3.json");
    stage_ran("dgm map data/cora --lens-file claim-tsne/cora-narrow-2.npy --transform rank "
              "--intervals 8 --overlap 0.2 -o claim-tsne/cora-ranks-2.json");
}

static void a_quick_run_has_one_graph(void **state) {
    (void)state;
    pure = "-wide-";
    stage_options.quick = true;
    stage_makes("claim-tsne", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 3);
    stage_options.quick = true;
    pure = "-2-9-";
    stage_needs_every_command("claim-axes", run_command);
    stage_makes("claim-axes", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2);
    stage_options.quick = false;
}

static int count_lenses(bool fresh) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgm_reproduce_counts counts;
    options.only = "claim-tsne";
    options.quick = true;
    options.fresh = fresh;
    options.command = run_command;
    lenses = 0;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.made + counts.kept, 1);
    return lenses;
}

/* Three networks from three starts. What a part keeps in its own folder is made again as well. */
static void a_fresh_run_trains_all_networks_again(void **state) {
    (void)state;
    pure = "-wide-";
    stage_clear("tables");
    stage_clear("claim-tsne");
    assert_int_equal(count_lenses(false), 3 * STARTS);
    assert_int_equal(count_lenses(false), 0);
    assert_int_equal(unlink("claim-tsne/record.json"), 0);
    assert_int_equal(count_lenses(false),
                     0); /* the part is made, from the networks that are there */
    assert_int_equal(count_lenses(true), 3 * STARTS);
}

static void two_axes_are_compared_with_a_short_and_a_long_one(void **state) {
    (void)state;
    pure = "-2-9-";
    stage_makes("claim-axes", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2 * 2);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2 * 3 * STARTS);
    check_difference("Cora: two axes are purer above chance than one axis, 9 intervals,", true,
                     "claim-axes/cora-2-9-1.json", "claim-axes/cora-1-9-1.json");
    check_difference("CiteSeer: two axes are purer above chance than one axis, 81 intervals,", true,
                     "claim-axes/citeseer-2-9-1.json", "claim-axes/citeseer-1-81-1.json");
    stage_has_row_of("Cora\ttwo axes, 9 × 9 intervals, start 2\t3\t8\t1.000\t");
    stage_has_row_of("Cora\tone axis, 81 intervals, start 3\t4\t8\t0.500\t");
    stage_says("and the other 2 are random");
    stage_ran("dgm lens data/cora --lens gcn:preset=reference -o tables/cora-gcn.npy");
    stage_ran("dgm reduce tables/cora-gcn.npy --method tsne --dim 2 -o tables/cora-gcn-tsne2.npy");
    stage_ran("dgm reduce tables/cora-gcn.npy --method tsne:init=random,seed=3 --dim 1 -o "
              "tables/cora-gcn-tsne1-3.npy");
    stage_ran("dgm map data/cora --lens-file tables/cora-gcn-tsne1-3.npy --intervals 81 --overlap "
              "0.1 -o claim-axes/cora-1-81-3.json");
}

static void one_axis_may_be_as_good(void **state) {
    (void)state;
    pure = "-1-81-";
    stage_makes("claim-axes", run_command);
    check_difference("Cora: two axes are purer above chance than one axis, 81 intervals,", false,
                     "claim-axes/cora-2-9-1.json", "claim-axes/cora-1-81-1.json");
    check_difference("Cora: two axes are purer above chance than one axis, 9 intervals,", false,
                     "claim-axes/cora-2-9-1.json", "claim-axes/cora-1-9-1.json");
}

static dgm_status map_badly(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "map") != 0)
        return run_command(user, count, words);
    stage_write(output_of(count, words), "[]");
    return DGM_OK;
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    stage_fails("claim-tsne", map_badly, "claim-tsne/cora-wide-1.json");
    stage_fails("claim-axes", map_badly, "claim-axes/cora-2-9-1.json");
    unlink("data/citeseer/labels.txt");
    pure = "-wide-";
    stage_fails("claim-tsne", run_command, "label");
    unlink("data/cora/edges.tsv");
    stage_fails("claim-axes", run_command, "data/cora");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_must_leave_its_interval),
        cmocka_unit_test(every_start_has_its_row),
        cmocka_unit_test(wide_embeddings_are_compared_with_three_narrow_ones),
        cmocka_unit_test(each_narrow_way_is_its_own),
        cmocka_unit_test(starts_have_seeds_of_their_own),
        cmocka_unit_test(a_quick_run_has_one_graph),
        cmocka_unit_test(a_fresh_run_trains_all_networks_again),
        cmocka_unit_test(two_axes_are_compared_with_a_short_and_a_long_one),
        cmocka_unit_test(one_axis_may_be_as_good),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, begin, stage_end);
}
