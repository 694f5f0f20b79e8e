/* SPDX-License-Identifier: Apache-2.0 */
/* How long functions take on large graphs: the judgement over times that are given by hand, and the
 * part as a whole on graphs that are not large at all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_times.h"

enum {
    PAGERANK = DGMI_REPRODUCE_PAGERANK,
    DENSITY = DGMI_REPRODUCE_EXACT_DENSITY,
    AGD = DGMI_REPRODUCE_EXACT_AGD,
    EIGEN = DGMI_REPRODUCE_EIGEN,
    NETWORK = DGMI_REPRODUCE_NETWORK
};

/* ---- the judgement ---- */

enum { GRAPHS = 3 };
static dgmi_reproduce_times are[GRAPHS];

/* All that the paper says is so: graph k takes 10^k times as long as the first. */
static void set_all(void) {
    static const dgmi_reproduce_times usual[GRAPHS] = {
        {"small", true, 5000, 70, {0.5, 1, 10, 20, 30, 5, NAN, NAN}},
        {"middle", false, 20000, 800, {0.5, 10, 100, 200, 300, NAN, NAN, NAN}},
        {"large", true, 80000, 9000, {0.5, 40, 1600, 1600, 300, 50, 7.125, 8.25}}};
    memcpy(are, usual, sizeof usual);
}

static void tell(void) {
    stage_set("large", NULL);
    dgmi_reproduce_times_tell(&stage, are, GRAPHS, 0.0125, 0.25);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 6);
}

#define DIFFICULT " is difficult to compute: on some of these graphs it takes more than a minute."
#define SCALE     "Eigenfunctions do not scale beyond a few thousand nodes"
#define FASTEST   "PageRank is the fastest of them, on all graphs."
#define GCN       "A GCN takes less time than each of the others"

static void slow_functions_are_difficult(void **state) {
    (void)state;
    set_all();
    tell();
    stage_claims("The density function" DIFFICULT, true,
                 "at most 1600.0 seconds, on large with 80000 nodes.");
    stage_claims("The average distance" DIFFICULT, true,
                 "at most 1600.0 seconds, on large with 80000 nodes.");
    stage_claims("The Fiedler vector" DIFFICULT, true, /* the first of two that take as long */
                 "at most 300.0 seconds, on middle with 20000 nodes.");
    stage_claims(SCALE, true, "the largest graph that has one has 5000 nodes.");
    stage_claims(FASTEST, true, "on 3 of 3.");
    stage_claims(GCN, true, "on 2 of 2.");
}

/* Nodes are four times as many: times of four times as long grow with power 1, of sixteen with 2. */
static void growth_is_a_power_of_the_nodes(void **state) {
    (void)state;
    set_all();
    are[2].seconds[AGD] = 400; /* twice as long: half a power */
    tell();
    stage_says("From middle to large the time grows with a power of the number of nodes: 1.0 for "
               "PageRank, 2.0 for the density function, 0.5 for the average distance and 0.0 for "
               "the Fiedler vector.");
    stage_says("On large that takes 7.12 s for the density function and 8.25 s for the average "
               "distance, and no value is farther from the exact one than 1.2% and 25.0% of their "
               "range.");
    stage_has_row("small\t5000\t70\t0.50 s\t1.00 s\t10.00 s\t20.00 s\t30.00 s\t5.00 s");
    stage_has_row("middle\t20000\t800\t0.50 s\t10.00 s\t100.00 s\t200.00 s\t300.00 s\t");
}

static void a_minute_is_not_more_than_a_minute(void **state) {
    (void)state;
    set_all();
    are[1].seconds[DENSITY] = 60;
    are[2].seconds[DENSITY] = 59;
    are[0].seconds[AGD] = 60.1;
    are[1].seconds[AGD] = are[2].seconds[AGD] = 41;
    are[1].seconds[EIGEN] = are[2].seconds[EIGEN] = 60;
    tell();
    stage_claims("The density function" DIFFICULT, false,
                 "at most 60.0 seconds, on middle with 20000 nodes.");
    stage_claims("The average distance" DIFFICULT, true,
                 "at most 60.1 seconds, on small with 5000 nodes.");
    stage_claims("The Fiedler vector" DIFFICULT, false,
                 "at most 60.0 seconds, on middle with 20000 nodes.");
    stage_claims(SCALE, false, "the largest graph that has one has 80000 nodes.");
}

static void ten_thousand_nodes_are_too_many(void **state) {
    (void)state;
    set_all();
    are[0].nodes = 10000;
    tell();
    stage_claims(SCALE, false, "the largest graph that has one has 10000 nodes.");
    are[0].nodes = 9999;
    tell();
    stage_claims(SCALE, true, "the largest graph that has one has 9999 nodes.");
    are[0].seconds[EIGEN] = 61;
    tell();
    stage_claims(SCALE, true, "the largest graph that has one has 0 nodes.");
}

/* Whoever takes as long as another is not faster than it. */
static void the_fastest_is_faster_than_each(void **state) {
    static const int others[] = {DENSITY, AGD, EIGEN};
    (void)state;
    for (int k = 0; k < 3; k++) {
        set_all();
        are[0].seconds[others[k]] = 1;
        tell();
        stage_claims(FASTEST, false, "on 2 of 3.");
        stage_claims(GCN, false, "on 1 of 2.");
        set_all();
        are[0].seconds[others[k]] = 5;
        tell();
        stage_claims(FASTEST, true, "on 3 of 3.");
        stage_claims(GCN, false, "on 1 of 2.");
    }
    set_all();
    are[1].seconds[NETWORK] = 1000; /* where there are no classes, nobody asks */
    tell();
    stage_claims(GCN, true, "on 2 of 2.");
}

/* ---- sampled values ---- */

static void write_values(const char *file, int64_t rows, int64_t columns, const double *values) {
    dgm_matrix *table;
    assert_int_equal(dgm_matrix_create(ctx, rows, columns, &table), DGM_OK);
    memcpy(dgm_matrix_values_mutable(table), values, (size_t)(rows * columns) * sizeof(double));
    assert_int_equal(dgm_matrix_write(ctx, table, NULL, file), DGM_OK);
    dgm_matrix_free(table);
}

/* The range is 8, and the farthest value is 2 off. */
static void distances_are_shares_of_the_range(void **state) {
    double away;
    (void)state;
    write_values("exact.npy", 4, 1, (const double[]){-3, 1, 5, 2});
    write_values("near.npy", 4, 1, (const double[]){-2.5, 1, 3, 3});
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "exact.npy", "near.npy", &away), DGM_OK);
    assert_true(away == 0.25);
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "exact.npy", "exact.npy", &away), DGM_OK);
    assert_true(away == 0);
    write_values("one.npy", 2, 1, (const double[]){7, 7});
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "one.npy", "one.npy", &away), DGM_OK);
    assert_true(away == 0);
}

static void values_of_other_nodes_are_refused(void **state) {
    static const double values[] = {1, 2, 3, 4};
    double away;
    (void)state;
    write_values("exact.npy", 4, 1, values);
    write_values("few.npy", 3, 1, values);
    write_values("wide.npy", 4, 2, (const double[]){1, 2, 3, 4, 5, 6, 7, 8});
    stage_write("broken.npy", "nothing");
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "exact.npy", "few.npy", &away),
                     DGM_ERROR_DATA);
    scratch_check_error("few.npy: its values are not those of the same nodes as in exact.npy");
    assert_true(isnan(away));
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "few.npy", "exact.npy", &away),
                     DGM_ERROR_DATA);
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "wide.npy", "exact.npy", &away),
                     DGM_ERROR_DATA);
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "exact.npy", "wide.npy", &away),
                     DGM_ERROR_DATA);
    assert_int_not_equal(dgmi_reproduce_times_compare(ctx, "exact.npy", "broken.npy", &away),
                         DGM_OK);
    scratch_check_error("broken.npy");
    assert_int_equal(dgmi_reproduce_times_compare(ctx, "no.npy", "exact.npy", &away),
                     DGM_ERROR_FILE);
}

/* ---- the part ---- */

static int rows;       /* of what a lens writes */
static double reading; /* seconds that degrees of the first graph take */

/* Works for a while, which the time of the processor shows. */
static void work(double seconds) {
    clock_t began = clock();
    while ((double)(clock() - began) < seconds * CLOCKS_PER_SEC)
        ;
}

/* Exact values are 0 to 4; of the sampled ones one is off: by 1 of the density, by 3 of the mean. */
static dgm_status run_lens(void *user, int count, const char *const *words) {
    const char *lens = word_after(count, words, "--lens");
    double values[5] = {0, 1, 2, 3, 4};
    (void)user;
    assert_string_equal(words[0], "lens");
    if (strcmp(lens, "degree") == 0)
        work(strcmp(words[1], "data/lastfm-asia") == 0 ? reading : 0);
    values[2] += strcmp(lens, "density") == 0 ? 1 : strcmp(lens, "agd") == 0 ? -3 : 0;
    write_values(output_of(count, words), rows, 1, values);
    if (strcmp(lens, "density") == 0)
        rows -= 5 - rows; /* see the last case */
    return DGM_OK;
}

static const char *const sets[] = {"lastfm-asia", "pubmed", "facebook-pages", "soc-epinions1",
                                   "web-notredame"};

static void every_function_is_timed(void **state) {
    (void)state;
    rows = 5;
    for (int i = 0; i < 5; i++)
        stage_data(sets[i], 5 + i, NULL);
    stage_needs_every_command("large", run_lens);
    stage_makes("large", run_lens);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 5);
    assert_int_equal(stage_count(DGMI_REPRODUCE_COMMAND), 5 * 5 + 3 + 2);
    stage_ran("dgm lens data/lastfm-asia --lens degree -o large/lastfm-asia-0.npy");
    stage_ran("dgm lens data/facebook-pages --lens gcn:preset=reference,split=0.6,0.2 -o "
              "large/facebook-pages-5.npy");
    stage_ran("dgm lens data/soc-epinions1 --lens density:budget=10000000 -o "
              "large/soc-epinions1-2.npy");
    stage_ran("dgm lens data/web-notredame --lens agd -o large/web-notredame-7.npy");
    stage_says("than 25.0% and 75.0% of their range");
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 6);
}

/* Where nothing was run there is no time, and what did not work took none. */
static void times_are_those_of_the_command(void **state) {
    (void)state;
    rows = 5;
    reading = 0.7;
    stage_makes("large", run_lens);
    reading = 0;
    for (int i = 0; i < 5; i++) {
        char row[64];
        double degrees, pagerank;
        snprintf(row, sizeof row, "%s\t%d\t%d\t", sets[i], 5 + i, 4 + i);
        const char *text = stage_find(DGMI_REPRODUCE_ROW, row)->text;
        assert_int_equal(sscanf(text + strlen(row), "%lf s\t%lf s", &degrees, &pagerank), 2);
        assert_true(i == 0 ? degrees >= 0.7 : degrees < 0.5);
        assert_true(pagerank < 0.5);
        assert_int_equal(text[strlen(text) - 1] == '\t', i >= 3); /* no network */
    }
}

static dgm_status refuse(void *user, int count, const char *const *words) {
    if (strcmp(word_after(count, words, "--lens"), "eigen") != 0)
        return run_lens(user, count, words);
    return dgmi_fail(ctx, DGM_ERROR_DATA, "no vector");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    rows = 5;
    stage_fails("large", refuse, "no vector");
    rows = 4; /* the sampled average distance has 3 values */
    stage_fails("large", run_lens,
                "large/web-notredame-7.npy: its values are not those of the same nodes");
    unlink("data/pubmed/edges.tsv");
    rows = 5;
    stage_fails("large", run_lens, "data/pubmed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_functions_are_difficult),
        cmocka_unit_test(growth_is_a_power_of_the_nodes),
        cmocka_unit_test(a_minute_is_not_more_than_a_minute),
        cmocka_unit_test(ten_thousand_nodes_are_too_many),
        cmocka_unit_test(the_fastest_is_faster_than_each),
        cmocka_unit_test(distances_are_shares_of_the_range),
        cmocka_unit_test(values_of_other_nodes_are_refused),
        cmocka_unit_test(every_function_is_timed),
        cmocka_unit_test(times_are_those_of_the_command),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
