/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

static dgm_status check_overlap(int rule, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.rule = rule;
    options.overlap[0] = overlap;
    return dgm_mapper_check(ctx, &options);
}

static void the_bounds_of_the_overlap_belong_to_the_rule(void **state) {
    (void)state;
    static const struct {
        int rule;
        bool takes_zero, takes_one;
    } rules[] = {{DGM_RULE_GAIN, true, false},  {DGM_RULE_DGM, true, true},
                 {DGM_RULE_KEPLER, true, true}, {DGM_RULE_GIOTTO, false, false},
                 {DGM_RULE_GUDHI, true, false}, {DGM_RULE_MOG, true, true}};
    for (int64_t i = 0; i < COUNT(rules); i++) {
        assert_int_equal(check_overlap(rules[i].rule, 0.3), DGM_OK);
        assert_int_equal(check_overlap(rules[i].rule, 0) == DGM_OK, rules[i].takes_zero);
        assert_int_equal(check_overlap(rules[i].rule, 1) == DGM_OK, rules[i].takes_one);
        assert_int_equal(check_overlap(rules[i].rule, -0.1), DGM_ERROR_USAGE);
        assert_int_equal(check_overlap(rules[i].rule, 1.01), DGM_ERROR_USAGE);
        assert_int_equal(check_overlap(rules[i].rule, NAN), DGM_ERROR_USAGE);
    }
}

static void the_words_name_the_bounds_and_the_rule(void **state) {
    (void)state;
    ASSERT_FAILS(check_overlap(DGM_RULE_GAIN, 1), DGM_ERROR_USAGE,
                 "overlap takes a number from 0 to below 1, not 1");
    ASSERT_FAILS(check_overlap(DGM_RULE_GIOTTO, 0), DGM_ERROR_USAGE,
                 "overlap takes a number above 0 to below 1 under compat=giotto, not 0");
    ASSERT_FAILS(check_overlap(DGM_RULE_KEPLER, 1.5), DGM_ERROR_USAGE,
                 "overlap takes a number from 0 to 1, not '1.5'");
}

static void later_axes_are_checked_too(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.overlap[5] = 1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.intervals[3] = 1000001;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void numbers_out_of_bounds_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    options.intervals[0] = 0;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "intervals takes a whole number from 1 to 1000000, not '0'");
    dgm_mapper_options_init(&options);
    options.intervals[0] = 1000000000;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.eps = 1.5;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.min_size = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.min_component = -1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void choices_out_of_their_enums_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_PARTS + 1;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover 10 is none of the known ones");
    dgm_mapper_options_init(&options);
    options.rule = 6;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.cluster = -1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.edges = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.strength = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void given_intervals_are_checked(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "a cover of given intervals needs at least one");
    const dgm_interval given[] = {{0, 1}, {1, 1}};
    options.given = given;
    options.given_count = 2;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "interval 2 of the cover does not start below its end");
    options.given_count = 1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    const dgm_interval nan[] = {{NAN, 1}};
    options.given = nan;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

/* Names of choices stand in the order of their enums. */
static void options_are_set_by_name(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    const dgm_option_table *table = dgm_mapper_option_table();
    static const char *const pairs[][2] = {
        {"compat", "mog"},   {"cluster", "louvain"}, {"edges", "structural"},
        {"strength", "sas"}, {"intervals", "20,5"},  {"overlap", "0.1,0.3"},
        {"eps", "0.25"},     {"min-size", "3"},      {"min-component", "9"}};
    for (int64_t i = 0; i < COUNT(pairs); i++)
        assert_int_equal(
            dgm_option_set(ctx, dgm_option_find(table, pairs[i][0]), pairs[i][1], &options),
            DGM_OK);
    assert_int_equal(options.rule, DGM_RULE_MOG);
    assert_int_equal(options.cluster, DGM_CLUSTER_LOUVAIN);
    assert_int_equal(options.edges, DGM_EDGES_STRUCTURAL);
    assert_int_equal(options.strength, DGM_STRENGTH_SAS);
    assert_int_equal(options.intervals[1], 5);
    assert_true(options.overlap[1] == 0.3);
    assert_true(options.eps == 0.25);
    assert_int_equal(options.min_size, 3);
    assert_int_equal(options.min_component, 9);
}

/* ---- bounds, met exactly ---- */

static dgm_status set_text(const char *name, const char *value) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    return dgm_option_set(ctx, dgm_option_find(dgm_mapper_option_table(), name), value, &options);
}

static void texts_are_taken_up_to_their_bounds(void **state) {
    (void)state;
    static const struct {
        const char *name, *good[2], *bad[2];
    } bounds[] = {
        {"intervals", {"1", "1000000"}, {"0", "1000001"}},
        {"overlap", {"0", "1"}, {"-0.001", "1.001"}},
        {"eps", {"0", "1"}, {"-0.001", "1.001"}},
        {"min-size", {"1", "9007199254740992"}, {"0", "9007199254740994"}},
        {"min-component", {"0", "9007199254740992"}, {"-1", "9007199254740994"}},
        {"cluster", {"single:gap=1", "single:gap=1000000"}, {"single:gap=0", "single:gap=1000001"}},
        {"cluster",
         {"dbscan:eps=1,min=1", "dbscan:eps=1e300,min=1000000"},
         {"dbscan:eps=1,min=0", "dbscan:eps=1,min=1000001"}},
        {"cluster", {"dbscan:eps=0", "single:gap"}, {"dbscan:eps=-0.1", "louvain:gap=3"}},
        {"metric", {"l2", "cosine"}, {"l1", ""}},
        {"pieces", {"apart", "joined"}, {"join", ""}},
        {"weights", {"gaussian", "bump"}, {"cone", ""}},
    };
    for (int64_t i = 0; i < COUNT(bounds); i++)
        for (int k = 0; k < 2; k++) {
            if (set_text(bounds[i].name, bounds[i].good[k]) != DGM_OK)
                fail_msg("%s", dgm_context_error(ctx));
            if (set_text(bounds[i].name, bounds[i].bad[k]) != DGM_ERROR_USAGE)
                fail_msg("%s takes %s", bounds[i].name, bounds[i].bad[k]);
        }
    ASSERT_FAILS(set_text("cluster", "single:gap=0"), DGM_ERROR_USAGE,
                 "the clustering 'single': gap takes a whole number from 1 to 1000000, not '0'");
}

static void keys_of_clusterings_set_their_options(void **state) {
    (void)state;
    const dgm_option *cluster = dgm_option_find(dgm_mapper_option_table(), "cluster");
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_option_set(ctx, cluster, "single:gap=25,of=features", &options), DGM_OK);
    assert_true(options.cluster == DGM_CLUSTER_SINGLE && options.gap_bins == 25 &&
                options.space == DGM_SPACE_FEATURES);
    assert_int_equal(dgm_option_set(ctx, cluster, "single:gap,of=lens", &options), DGM_OK);
    assert_true(options.gap_bins == 25 && options.space == DGM_SPACE_LENS);
    assert_int_equal(dgm_option_set(ctx, cluster, "dbscan:eps=0.5,min=3", &options), DGM_OK);
    assert_true(options.cluster == DGM_CLUSTER_DBSCAN && options.reach == 0.5 &&
                options.min_points == 3);
    /* An error leaves everything as it was. */
    assert_int_equal(dgm_option_set(ctx, cluster, "single:gap=7,of=nothing", &options),
                     DGM_ERROR_USAGE);
    assert_true(options.cluster == DGM_CLUSTER_DBSCAN && options.gap_bins == 25);
}

/* What lies behind the struct of an older caller is not written. */
static void a_shorter_struct_is_written_to_its_end_alone(void **state) {
    (void)state;
    const dgm_option *cluster = dgm_option_find(dgm_mapper_option_table(), "cluster");
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.size = offsetof(dgm_mapper_options, gap_bins);
    options.gap_bins = 77;
    options.gain = 0.375;
    assert_int_equal(dgm_option_set(ctx, cluster, "single:gap=25", &options), DGM_OK);
    assert_int_equal(options.cluster, DGM_CLUSTER_SINGLE);
    assert_true(options.gap_bins == 77 && options.gain == 0.375);
    options.size = sizeof options + 64; /* of a newer caller */
    struct {
        dgm_mapper_options options;
        char more[64];
    } newer = {.options = options};
    memset(newer.more, 5, sizeof newer.more);
    assert_int_equal(dgm_option_set(ctx, cluster, "single:gap=26", &newer.options), DGM_OK);
    assert_int_equal(newer.options.gap_bins, 26);
    for (size_t i = 0; i < sizeof newer.more; i++)
        assert_int_equal(newer.more[i], 5);
}

static void texts_of_covers_are_taken_up_to_their_bounds(void **state) {
    (void)state;
    static const char *const good[] = {"adaptive:size=1",
                                       "adaptive:size=9007199254740992",
                                       "balls:radius=0",
                                       "landmarks:k=1",
                                       "landmarks:k=100000",
                                       "gmeans:critical=0,most=1",
                                       "gmeans:most=10000",
                                       "cmo:gain=0,beta=0,subsamples=1",
                                       "cmo:gain=1,beta=100,of=edges",
                                       "gmeans",
                                       "cmo:of=features,subsamples=100000"};
    static const char *const bad[] = {"adaptive:size=0",
                                      "adaptive:size=9007199254740994",
                                      "balls:radius=-0.001",
                                      "landmarks:k=0",
                                      "landmarks:k=100001",
                                      "gmeans:critical=-0.001",
                                      "gmeans:most=0",
                                      "gmeans:most=10001",
                                      "cmo:gain=-0.001",
                                      "cmo:gain=1.001",
                                      "cmo:beta=-0.001",
                                      "cmo:beta=100.001",
                                      "cmo:subsamples=0",
                                      "cmo:subsamples=100001",
                                      "cmo:of=nodes",
                                      "quantile:critical=3",
                                      "intervals"};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    for (int64_t i = 0; i < COUNT(good); i++)
        if (dgm_cover_parse(ctx, good[i], &options, NULL, 0) != DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
    assert_true(options.near == DGM_NEAR_FEATURES && options.subsamples == 100000);
    assert_true(options.gain == 1 && options.beta == 100 && options.most == 10000);
    for (int64_t i = 0; i < COUNT(bad); i++)
        if (dgm_cover_parse(ctx, bad[i], &options, NULL, 0) != DGM_ERROR_USAGE)
            fail_msg("the cover %s is taken", bad[i]);
    assert_int_equal(options.cover, DGM_COVER_CMO); /* the last that was good */
}

static void covers_that_nobody_knows_are_answered_with_all(void **state) {
    (void)state;
    static const char *const all =
        "(it takes uniform, quantile, simplex, intervals:a..b,c..d, adaptive:size=K, "
        "balls:radius=R, landmarks:k=K, gmeans, cmo or parts)";
    static const char *const cases[][2] = {{"unifrom", "; did you mean 'uniform'?"},
                                           {"intervals", ""}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        char words[400];
        snprintf(words, sizeof words, "cover does not know '%s' %s%s", cases[i][0], all,
                 cases[i][1]);
        ASSERT_FAILS(dgm_cover_parse(ctx, cases[i][0], &options, NULL, 0), DGM_ERROR_USAGE, words);
    }
}

/* What is wrong is quoted up to 200 letters. */
static void a_list_of_intervals_is_quoted_where_it_is_wrong(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[2];
    ASSERT_FAILS(dgm_cover_parse(ctx, "intervals:0..1,2..2", &options, given, 2), DGM_ERROR_USAGE,
                 "cover=intervals:a..b,c..d takes numbers (or -inf, inf) with a < b, not '2..2'");
    for (int length = 199; length <= 202; length++) {
        char text[300] = "intervals:", words[400];
        memset(text + 10, 'x', (size_t)length);
        snprintf(words, sizeof words,
                 "cover=intervals:a..b,c..d takes numbers (or -inf, inf) with a < b, not '%.200s'",
                 text + 10);
        ASSERT_FAILS(dgm_cover_parse(ctx, text, &options, given, 2), DGM_ERROR_USAGE, words);
    }
    ASSERT_FAILS(dgm_cover_parse(ctx, "intervals:0..1,1..2,2..3", &options, given, 2),
                 DGM_ERROR_USAGE, "cover=intervals: takes at most 2 intervals");
}

/* The options `good` are fine, and refused with these words where a member is another. */
#define ASSERT_EDGE(member, value, words)                                                          \
    do {                                                                                           \
        dgm_mapper_options bad = good;                                                             \
        bad.member = value;                                                                        \
        assert_int_equal(dgm_mapper_check(ctx, &good), DGM_OK);                                    \
        ASSERT_FAILS(dgm_mapper_check(ctx, &bad), DGM_ERROR_USAGE, words);                         \
    } while (0)

static void covers_that_find_their_cells_are_told_enough(void **state) {
    (void)state;
    dgm_mapper_options good = DGM_MAPPER_OPTIONS_INIT;
    const char *words = "cover=adaptive:size=K needs the number of nodes above which a cell is "
                        "split";
    good.cover = DGM_COVER_ADAPTIVE;
    good.cell_size = 1;
    ASSERT_EDGE(cell_size, 0, words);
    good.cover = DGM_COVER_BALLS; /* without a size */
    good.cell_size = 0;
    good.radius = 1e-300;
    ASSERT_EDGE(radius, 0, "cover=balls:radius=R needs a radius above 0");
    ASSERT_EDGE(radius, NAN, "cover=balls:radius=R needs a radius above 0");
    good.cover = DGM_COVER_LANDMARKS;
    good.radius = 0;
    good.landmarks = 1;
    ASSERT_EDGE(landmarks, 0, "cover=landmarks:k=K needs the number of landmarks");
    ASSERT_EDGE(rule, DGM_RULE_MOG,
                "compat=mog is a rule for equal intervals, which this cover does not have");
}

static void learned_intervals_have_bounds(void **state) {
    (void)state;
    dgm_mapper_options good = DGM_MAPPER_OPTIONS_INIT;
    const char *words = "cover=gmeans:critical=A,most=K takes a critical value above 0 and 1 to "
                        "10000 intervals";
    good.cover = DGM_COVER_GMEANS;
    good.critical = 1e-300;
    good.most = 1;
    ASSERT_EDGE(critical, 0, words);
    ASSERT_EDGE(most, 0, words);
    good.most = 10000;
    ASSERT_EDGE(most, 10001, words);
}

static void intervals_along_edges_have_bounds(void **state) {
    (void)state;
    dgm_mapper_options good = DGM_MAPPER_OPTIONS_INIT;
    const char *gain = "cover=cmo:gain=G takes a gain above 1/3 and below 1/2";
    const char *points = "cover=cmo:of=features,beta=B,subsamples=N takes B from 0 to 100 and 1 to "
                         "100000 subsamples";
    good.cover = DGM_COVER_CMO;
    good.gain = 0.3334;
    ASSERT_EDGE(gain, 1 / 3.0, gain);
    good.gain = 0.4999;
    ASSERT_EDGE(gain, 0.5, gain);
    good.beta = 0;
    good.subsamples = 1;
    ASSERT_EDGE(beta, -1e-9, points);
    ASSERT_EDGE(subsamples, 0, points);
    ASSERT_EDGE(near, -1, points);
    good.beta = 100;
    good.subsamples = 100000;
    good.near = DGM_NEAR_FEATURES;
    ASSERT_EDGE(beta, 100.001, points);
    ASSERT_EDGE(subsamples, 100001, points);
    ASSERT_EDGE(near, 2, points);
    good.cover = DGM_COVER_UNIFORM; /* nobody asks */
    good.near = 2;
    assert_int_equal(dgm_mapper_check(ctx, &good), DGM_OK);
}

static void clusterings_of_points_have_bounds(void **state) {
    (void)state;
    dgm_mapper_options good = DGM_MAPPER_OPTIONS_INIT;
    good.cluster = DGM_CLUSTER_DBSCAN;
    good.reach = 1e-300;
    good.min_points = 1;
    ASSERT_EDGE(reach, 0, "cluster=dbscan:eps=E needs a distance above 0");
    ASSERT_EDGE(reach, INFINITY, "cluster=dbscan:eps=E needs a distance above 0");
    ASSERT_EDGE(min_points, 0, "cluster=dbscan:min=K takes at least 1");
    good.cluster = DGM_CLUSTER_SINGLE;
    good.reach = good.min_points = 0; /* nobody asks */
    good.gap_bins = 1;
    ASSERT_EDGE(gap_bins, 0, "cluster=single:gap=BINS takes 1 to 1000000 bins");
    good.gap_bins = 1000000;
    ASSERT_EDGE(gap_bins, 1000001, "cluster=single:gap=BINS takes 1 to 1000000 bins");
    good.space = DGM_SPACE_FEATURES;
    ASSERT_EDGE(space, 2, "space 2 is none of the known ones");
    ASSERT_EDGE(cover, -1, "cover -1 is none of the known ones");
}

/* The last of the sixteen, and the first. */
static void the_overlap_of_every_axis_is_checked(void **state) {
    (void)state;
    dgm_mapper_options good = DGM_MAPPER_OPTIONS_INIT;
    ASSERT_EDGE(overlap[DGM_MAX_AXES - 1], 1, "overlap takes a number from 0 to below 1, not 1");
    good.overlap[1] = 0.2; /* so that the first stands alone */
    ASSERT_EDGE(overlap[0], 1, "overlap takes a number from 0 to below 1, not 1");
    dgm_interval given[] = {{0, 1}};
    good.cover = DGM_COVER_INTERVALS;
    good.given = given;
    good.given_count = 1;
    ASSERT_EDGE(given_count, 0, "a cover of given intervals needs at least one");
    ASSERT_EDGE(given, NULL, "a cover of given intervals needs at least one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_of_the_overlap_belong_to_the_rule),
        cmocka_unit_test(the_words_name_the_bounds_and_the_rule),
        cmocka_unit_test(later_axes_are_checked_too),
        cmocka_unit_test(numbers_out_of_bounds_are_refused),
        cmocka_unit_test(choices_out_of_their_enums_are_refused),
        cmocka_unit_test(given_intervals_are_checked),
        cmocka_unit_test(options_are_set_by_name),
        cmocka_unit_test(texts_are_taken_up_to_their_bounds),
        cmocka_unit_test(texts_of_covers_are_taken_up_to_their_bounds),
        cmocka_unit_test(covers_that_nobody_knows_are_answered_with_all),
        cmocka_unit_test(a_list_of_intervals_is_quoted_where_it_is_wrong),
        cmocka_unit_test(keys_of_clusterings_set_their_options),
        cmocka_unit_test(a_shorter_struct_is_written_to_its_end_alone),
        cmocka_unit_test(covers_that_find_their_cells_are_told_enough),
        cmocka_unit_test(learned_intervals_have_bounds),
        cmocka_unit_test(intervals_along_edges_have_bounds),
        cmocka_unit_test(clusterings_of_points_have_bounds),
        cmocka_unit_test(the_overlap_of_every_axis_is_checked),
    };
    return RUN_WITH_CONTEXT(tests);
}
