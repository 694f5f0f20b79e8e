/* SPDX-License-Identifier: Apache-2.0 */
/* What covers and seeds do to Cora: the judgement over numbers that are given by hand, and the part
 * as a whole over summaries that are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "base_random.h"
#include "reproduce_trials.h"

enum { TRIALS = DGMI_REPRODUCE_TRIALS, COVERS = DGMI_REPRODUCE_COVERS };
enum { SOURCES = DGMI_REPRODUCE_SOURCES };

static void assert_near(double actual, double expected, double tolerance) {
    if (!(fabs(actual - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", actual, tolerance, expected);
}

/* ---- the judgement ---- */

static dgmi_reproduce_trials are;

static void set_purities(int source, int cover, double mean, double step) {
    for (int i = 0; i < TRIALS; i++)
        are.looks[source][cover][i].classes.purity.above = mean + step * (i - 2);
}

static void set_loops(int source, int cover, int64_t mean, int64_t step) {
    for (int i = 0; i < TRIALS; i++)
        are.looks[source][cover][i].topology.b1 = mean + step * (i - 2);
}

static void set_clusters(int source, int cover, int64_t mean, int64_t step) {
    for (int i = 0; i < TRIALS; i++)
        are.looks[source][cover][i].clusters = mean + step * (i - 2);
}

/* Purities of 0.5, 0.4 and 0.45 with the three covers, and hardly any chance. */
static void set_all(void) {
    static const double purities[COVERS] = {0.5, 0.4, 0.45};
    memset(&are, 0, sizeof are);
    for (int source = 0; source < SOURCES; source++)
        for (int i = 0; i < COVERS; i++) {
            set_purities(source, i, purities[i], 0);
            set_loops(source, i, 20, 0);
            set_clusters(source, i, 100, 0);
        }
    for (int i = 0; i < COVERS; i++) {
        are.random[i].clusters = 90 + i;
        are.random[i].topology.b1 = i;
        are.random[i].classes.purity.above = 0.1;
    }
}

static void tell(void) {
    stage_set("sensitivity", NULL);
    dgmi_reproduce_trials_tell(&stage, &are);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 4);
}

#define LEAD  "With every cover and every seed, DGI is purer"
#define BY_N  "Twice as many intervals move the purity"
#define BY_G  "Twice the overlap moves the purity"
#define LOOPS "The number of loops hardly depends on chance"

/* Steps of one deviate by sqrt(10 / 4) = 1.5811, and half of the 95% interval of a mean of five is
 * 2.7764 * 1.5811 / sqrt(5) = 1.9632. */
static void means_have_intervals(void **state) {
    (void)state;
    set_all();
    set_purities(0, 0, 0.5, 0.01);
    set_loops(0, 0, 20, 1);
    set_clusters(0, 0, 100, 10);
    tell();
    stage_has_row("8\t0.2\tseed of the network\t100 ± 20\t0.500 ± 0.020\t0.016\t20.0 ± 2.0\t1.6");
    stage_has_row("8\t0.2\tstart of t-SNE\t100 ± 0\t0.500 ± 0.000\t0.000\t20.0 ± 0.0\t0.0");
    stage_has_row("16\t0.2\trotation of the plane\t100 ± 0\t0.400 ± 0.000\t0.000\t20.0 ± 0.0\t0.0");
    stage_has_row("8\t0.2\tnothing: a random lens\t90\t0.100\t\t0\t");
    stage_has_row("16\t0.2\tnothing: a random lens\t91\t0.100\t\t1\t");
    stage_has_row("8\t0.4\tnothing: a random lens\t92\t0.100\t\t2\t");
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), COVERS * (SOURCES + 1));
}

static void steady_numbers_hold(void **state) {
    (void)state;
    set_all();
    set_purities(1, 2, 0.45, 0.01); /* a deviation of 0.0158 */
    tell();
    stage_claims(LEAD, true, "45 of 45 summaries, by 0.300 at least.");
    stage_claims(BY_N, true, "by -0.100; the largest deviation is 0.016 (start of t-SNE).");
    stage_claims(BY_G, true, "by -0.050.");
    stage_claims(LOOPS, true,
                 "with 8 intervals and an overlap of 0.2 it is 20.0 on average with a deviation of "
                 "0.0 (seed of the network).");
}

/* Two deviations are 0.0316. */
static void a_step_must_be_longer_than_two_deviations(void **state) {
    (void)state;
    set_all();
    set_purities(2, 1, 0.4, 0.01);
    for (int source = 0; source < SOURCES; source++) {
        set_purities(source, 0, 0.431, source == 2 ? 0.001 : 0);
        set_purities(source, 2, 0.463, 0);
    }
    tell();
    stage_claims(BY_N, false, "by -0.031; the largest deviation is 0.016 (rotation of the plane).");
    stage_claims(BY_G, true, "by 0.032.");
    set_purities(0, 2, 0.462, 0);
    set_purities(0, 1, 0.399, 0);
    tell();
    stage_claims(BY_N, true, "by -0.032; the largest deviation is 0.016 (rotation of the plane).");
    stage_claims(BY_G, false, "by 0.031.");
}

/* Where nothing moves, nothing moves by more than nothing. */
static void a_step_of_nothing_is_no_step(void **state) {
    (void)state;
    set_all();
    for (int k = 0; k < SOURCES * COVERS; k++)
        set_purities(k / COVERS, k % COVERS, 0.5, 0);
    tell();
    stage_claims(BY_N, false, "by 0.000; the largest deviation is 0.000 (seed of the network).");
    stage_claims(BY_G, false, "by 0.000.");
}

/* Steps between covers are those of the networks, whatever the other sources do. */
static void steps_are_those_of_the_networks(void **state) {
    (void)state;
    set_all();
    set_purities(1, 0, 0.9, 0);
    set_purities(2, 1, 0.9, 0);
    tell();
    stage_claims(BY_N, true, "by -0.100; the largest deviation is 0.000 (seed of the network).");
}

static void one_summary_behind_is_one_too_many(void **state) {
    (void)state;
    set_all();
    are.looks[1][2][3].classes.purity.above = 0.08;
    tell();
    stage_claims(LEAD, false, "44 of 45 summaries, by -0.020 at least.");
    set_all();
    are.random[1].classes.purity.above = 0.4; /* as pure as all 15 with this cover */
    tell();
    stage_claims(LEAD, false, "30 of 45 summaries, by 0.000 at least.");
    set_all();
    are.looks[0][0][0].classes.purity.above = NAN; /* no cluster counts */
    tell();
    stage_claims(LEAD, false, "44 of 45 summaries, by 0.300 at least.");
}

/* 100 loops that deviate by 15.8 are steadier than 4 that deviate by 1.6: it is the share of the mean
 * that counts. */
static void loops_deviate_by_a_share_of_their_mean(void **state) {
    (void)state;
    set_all();
    set_loops(1, 2, 100, 10);
    set_loops(2, 0, 4, 1);
    tell();
    stage_claims(LOOPS, false,
                 "with 8 intervals and an overlap of 0.2 it is 4.0 on average with a deviation of "
                 "1.6 (rotation of the plane).");
    set_loops(2, 0, 20, 0);
    tell();
    stage_claims(
        LOOPS, true,
        "with 8 intervals and an overlap of 0.4 it is 100.0 on average with a deviation of "
        "15.8 (start of t-SNE).");
    set_loops(0, 1, 6, 1); /* 1.58 of 6 is more than a quarter */
    tell();
    stage_claims(LOOPS, false,
                 "with 16 intervals and an overlap of 0.2 it is 6.0 on average with a deviation of "
                 "1.6 (seed of the network).");
    set_loops(0, 1, 7, 1); /* and of 7 less */
    tell();
    stage_claims(LOOPS, true,
                 "with 16 intervals and an overlap of 0.2 it is 7.0 on average with a deviation of "
                 "1.6 (seed of the network).");
}

static void no_loops_at_all_do_not_depend_on_chance(void **state) {
    (void)state;
    set_all();
    for (int k = 0; k < SOURCES * COVERS; k++)
        set_loops(k / COVERS, k % COVERS, 0, 0);
    tell();
    assert_true(stage_find(DGMI_REPRODUCE_CLAIM, LOOPS)->holds);
}

/* ---- the part ---- */

/* Two classes of four nodes; clusters of one node do not count. */
#define LABELS "0\n0\n0\n0\n1\n1\n1\n1\n"

static void write_points(const char *file) {
    dgm_matrix *table;
    assert_int_equal(dgm_matrix_create(ctx, 8, 2, &table), DGM_OK);
    for (int i = 0; i < 8; i++) {
        dgm_matrix_values_mutable(table)[2 * i] = i;
        dgm_matrix_values_mutable(table)[2 * i + 1] = 10 - i;
    }
    assert_int_equal(dgm_matrix_write(ctx, table, NULL, file), DGM_OK);
    dgm_matrix_free(table);
}

static char random_intervals[4][8]; /* of the three random lenses */

/* A summary that keeps the classes apart, and `singles` clusters of one node. */
static void write_apart(const char *file, int singles, bool pure) {
    char clusters[256];
    snprintf(clusters, sizeof clusters, "%s", pure ? "0 1 2 3,4 5 6 7" : "0 1 4 5,2 3 6 7");
    for (int i = 0; i < singles; i++)
        snprintf(clusters + strlen(clusters), sizeof clusters - strlen(clusters), ",%d", i % 8);
    stage_sketch("data/cora", file, &(sketch){.clusters = clusters, .b1 = singles});
}

/* Files tell what drew them, in which trial and with which cover: network-2-3.json. */
static void map(int count, const char *const *words) {
    static const char *const names[SOURCES] = {"network", "tsne", "turn"};
    const char *file = output_of(count, words);
    int trial, cover;
    char source[16];
    if (sscanf(file, "sensitivity/random-%d.json", &cover) == 1) {
        assert_string_equal(word_after(count, words, "--lens"), "random");
        snprintf(random_intervals[cover], sizeof random_intervals[cover], "%s",
                 word_after(count, words, "--intervals"));
        write_apart(file, 1 + cover, false);
        return;
    }
    assert_int_equal(sscanf(file, "sensitivity/%15[a-z]-%d-%d.json", source, &trial, &cover), 3);
    assert_int_equal(access(word_after(count, words, "--lens-file"), R_OK), 0);
    for (int s = 0; s < SOURCES; s++)
        if (strcmp(source, names[s]) == 0)
            write_apart(file, 9 * s + 3 * cover + trial, true);
}

/* Intervals of k give 2 k clusters. */
static void sweep(const char *file) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"panels\": [");
    for (int k = 1; k <= 16; k++)
        fprintf(out,
                "%s{\"intervals\": %d, \"overlap\": 0.2, \"clusters\": %d, \"edges\": 0, \"b0\": "
                "0, \"b1\": 0, \"cycle_rank\": 0}",
                k > 1 ? ", " : "", k, 2 * k);
    fprintf(out, "]}\n");
    assert_int_equal(fclose(out), 0);
}

static dgm_status run_command(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    if (strcmp(words[0], "map") == 0)
        map(count, words);
    else if (strcmp(words[0], "sweep") == 0)
        sweep(file);
    else if (strcmp(words[0], "reduce") == 0)
        write_points(file);
    else
        stage_write(file, words[0]);
    return DGM_OK;
}

/* Numbers of clusters tell whether each summary is where it belongs: 2 + 9 s + 3 c + the trial, which
 * is 3 on average. */
static void every_summary_is_in_its_place(void **state) {
    (void)state;
    stage_data("cora", 8, LABELS);
    stage_needs_every_command("sensitivity", run_command);
    stage_makes("sensitivity", run_command);
    for (int k = 0; k < SOURCES * COVERS; k++) {
        static const char *const covers[COVERS] = {"8\t0.2", "16\t0.2", "8\t0.4"};
        static const char *const names[SOURCES] = {"seed of the network", "start of t-SNE",
                                                   "rotation of the plane"};
        int source = k / COVERS, cover = k % COVERS;
        char row[128];
        snprintf(row, sizeof row, "%s\t%s\t%d ± 2\t", covers[cover], names[source],
                 2 + 9 * source + 3 * (cover + 1) + 3);
        stage_has_row_of(row);
    }
    stage_has_row_of("8\t0.2\tnothing: a random lens\t4\t");
    stage_has_row_of("16\t0.2\tnothing: a random lens\t5\t");
    stage_has_row_of("8\t0.4\tnothing: a random lens\t6\t");
    assert_true(stage_find(DGMI_REPRODUCE_CLAIM, LEAD)->holds);
    stage_shows("The same plane with 8 intervals", "sensitivity/turned.svg");
    stage_says("with 3 covers and 5 trials of each kind");
}

/* The first network has 2 + 3 c + 1 clusters with cover c, and k intervals give 2 k. */
static void random_lenses_stand_beside_the_first_network(void **state) {
    (void)state;
    stage_makes("sensitivity", run_command);
    assert_string_equal(random_intervals[1], "3");
    assert_string_equal(random_intervals[2], "4"); /* 8 and 10 are equally near to 9 */
    assert_string_equal(random_intervals[3], "6");
    stage_ran("dgm map data/cora --lens random --intervals 4 --overlap 0.2 -o "
              "sensitivity/random-2.json");
    stage_ran("dgm map data/cora --lens random --intervals 6 --overlap 0.4 -o "
              "sensitivity/random-3.json");
    stage_ran("dgm lens data/cora --lens dgi -o tables/cora-dgi.npy");
    stage_ran("dgm lens data/cora --lens dgi:seed=5 -o tables/cora-dgi-5.npy");
    stage_ran("dgm reduce tables/cora-dgi-5.npy --method tsne --dim 2 -o "
              "tables/cora-dgi-5-tsne.npy");
    stage_ran("dgm reduce tables/cora-dgi.npy --method tsne:init=random,seed=5 --dim 2 -o "
              "sensitivity/start-5.npy");
    stage_ran(
        "dgm map data/cora --lens-file sensitivity/turn-2.npy --intervals 16 --overlap 0.2 -o "
        "sensitivity/turn-2-2.json");
}

/* Turned by the angle that the report says: lengths stay, and the angle is the same for all. */
static void planes_are_turned_by_the_angles_that_are_said(void **state) {
    double said[TRIALS];
    (void)state;
    stage_makes("sensitivity", run_command);
    const dgmi_reproduce_item *item =
        stage_find(DGMI_REPRODUCE_SAYS, "The files sensitivity/turn-1.npy");
    const char *at = strstr(item->text, "turned by");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "turned by %lf, %lf, %lf, %lf and %lf degrees.", &said[0], &said[1],
                            &said[2], &said[3], &said[4]),
                     TRIALS);
    for (int k = 0; k < TRIALS; k++) {
        char file[64];
        dgm_matrix *plane;
        snprintf(file, sizeof file, "sensitivity/turn-%d.npy", k + 1);
        assert_int_equal(dgm_matrix_read(ctx, file, NULL, &plane), DGM_OK);
        for (int i = 0; i < 8; i++) {
            const double *p = dgm_matrix_values(plane) + 2 * i;
            double angle = said[k] * M_PI / 180;
            assert_near(p[0], cos(angle) * i - sin(angle) * (10 - i), 0.02);
            assert_near(p[1], sin(angle) * i + cos(angle) * (10 - i), 0.02);
            assert_near(hypot(p[0], p[1]), hypot(i, 10 - i), 1e-9);
        }
        dgm_matrix_free(plane);
        assert_near(said[k], 360 * dgmi_random_unit(1, 0, (uint64_t)k), 0.06); /* a full turn */
    }
}

static dgm_status write_bad_plane(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "reduce") != 0)
        return run_command(user, count, words);
    stage_write(output_of(count, words), "no table at all");
    return DGM_OK;
}

static dgm_status sweep_badly(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "sweep") != 0)
        return run_command(user, count, words);
    stage_write(output_of(count, words), "{\"panels\": []}");
    return DGM_OK;
}

static dgm_status refuse_to_draw(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "draw") != 0)
        return run_command(user, count, words);
    return dgmi_fail(ctx, DGM_ERROR_DATA, "nobody draws");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    stage_fails("sensitivity", write_bad_plane, "tables/cora-dgi-tsne.npy");
    stage_fails("sensitivity", sweep_badly,
                "sensitivity/random-0.2.json: it has 0 panels, and at least 1 are needed");
    stage_fails("sensitivity", refuse_to_draw, "nobody draws");
    unlink("data/cora/labels.txt");
    stage_fails("sensitivity", run_command, "label");
    unlink("data/cora/edges.tsv");
    stage_fails("sensitivity", run_command, "data/cora");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_have_intervals),
        cmocka_unit_test(steady_numbers_hold),
        cmocka_unit_test(a_step_must_be_longer_than_two_deviations),
        cmocka_unit_test(a_step_of_nothing_is_no_step),
        cmocka_unit_test(steps_are_those_of_the_networks),
        cmocka_unit_test(one_summary_behind_is_one_too_many),
        cmocka_unit_test(loops_deviate_by_a_share_of_their_mean),
        cmocka_unit_test(no_loops_at_all_do_not_depend_on_chance),
        cmocka_unit_test(every_summary_is_in_its_place),
        cmocka_unit_test(random_lenses_stand_beside_the_first_network),
        cmocka_unit_test(planes_are_turned_by_the_angles_that_are_said),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
