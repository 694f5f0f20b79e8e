/* SPDX-License-Identifier: Apache-2.0 */
/* The library against the slow checker, on random problems of every kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "property_draw.h"

static dgm_context *ctx;
static uint64_t seed;

static int make_context(void **state) {
    (void)state;
    seed = check_random_seed();
    return dgm_context_create(NULL, &ctx);
}

static int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

/* What the cases of a run had in them, so that a test cannot pass on nothing. */
typedef struct tally {
    int cases, skipped, edges, holes, filtered, topologies, attached;
} tally;

static void compare_case(const property_case *drawn, int number, tally *count) {
    check_problem problem = property_problem(drawn);
    check_summary *expected = check_mapper(&problem);
    if (expected->doubtful || expected->too_large) {
        count->skipped++;
        check_summary_free(expected);
        return;
    }
    char why[200] = "";
    dgm_context_set_threads(
        ctx, number % 8 ? 1 : 3); /* small cases: threads cost more than they bring */
    dgm_summary *actual = property_run(ctx, drawn);
    bool equal = check_summary_equal(&problem, expected, actual, why);
    count->cases++;
    count->edges += expected->edge_count > 0;
    count->holes += expected->has_b1 && expected->topology.b1 > 0;
    count->topologies += expected->has_b1;
    count->filtered += expected->coverage.filtered > 0;
    count->attached += expected->coverage.attached_clusters > 0;
    dgm_summary_free(actual);
    check_summary_free(expected);
    if (!equal) {
        property_print(drawn);
        fail_msg("seed %llu, case %d: %s", (unsigned long long)seed, number, why);
    }
}

static void mapper_equals_the_slow_checker(void **state) {
    (void)state;
    static property_case drawn;
    tally count = {0};
    for (int number = 0; number < 2500; number++) {
        check_random random = check_random_case(seed, 1, number);
        property_draw(&random, &drawn);
        compare_case(&drawn, number, &count);
    }
    print_message("# %d cases, %d skipped, %d with edges, %d with b1, %d with holes, %d with "
                  "filtered nodes\n",
                  count.cases, count.skipped, count.edges, count.topologies, count.holes,
                  count.filtered);
    assert_true(count.cases > 1500);
    assert_true(count.edges > 500);
    assert_true(count.topologies > 1500);
    assert_true(count.holes > 20);
    assert_true(count.filtered > 200);
}

/* Small clusters that are given to their neighbours, in graphs that are sparse enough to have chains
 * of them. */
static void small_clusters_are_attached_as_the_slow_checker_does_it(void **state) {
    (void)state;
    static property_case drawn;
    tally count = {0};
    for (int number = 0; number < 1500; number++) {
        check_random random = check_random_case(seed, 5, number);
        property_draw(&random, &drawn);
        drawn.options.min_size = check_random_between(&random, 2, 6);
        drawn.options.attach = true;
        compare_case(&drawn, number, &count);
    }
    print_message("# %d cases, %d with attached clusters\n", count.cases, count.attached);
    assert_true(count.cases > 900);
    assert_true(count.attached > 300);
}

/* The extremes of the range, ends that fall on lens values, and constant lenses, for each rule on
 * its own. */
static void every_rule_agrees_on_ties(void **state) {
    (void)state;
    static property_case drawn;
    for (int rule = DGM_RULE_GAIN; rule <= DGM_RULE_MOG; rule++) {
        tally count = {0};
        for (int number = 0; number < 250; number++) {
            check_random random = check_random_case(seed, 10 + rule, number);
            property_draw(&random, &drawn);
            drawn.options.cover = number % 4 ? DGM_COVER_UNIFORM : DGM_COVER_QUANTILE;
            drawn.options.rule = rule;
            drawn.options.strength = DGM_STRENGTH_LINKS;
            drawn.columns = 1;
            for (int k = 1; k < DGM_MAX_AXES; k++)
                drawn.options.overlap[k] = DGM_SAME;
            drawn.options.intervals[0] = check_random_between(&random, 1, 24);
            drawn.options.overlap[0] = check_random_between(&random, 1, 18) / 20.0;
            property_draw_column(&random, &drawn, 0);
            compare_case(&drawn, number, &count);
        }
        assert_true(count.cases > 150);
    }
}

static void plain_case(check_random *random, int nodes, property_case *drawn) {
    property_draw(random, drawn);
    property_draw_graph(random, nodes, false, &drawn->graph);
    dgm_mapper_options_init(&drawn->options);
    drawn->columns = 1;
}

/* As many intervals as are allowed. Ends fall on integers (gain 0) or halves of steps (gain 1/2),
 * so that a tie is a tie however it is computed. */
static void many_intervals_agree(void **state) {
    (void)state;
    static const int64_t counts[] = {1000, 4096, 20000, 99991, 1000000};
    static property_case drawn;
    tally count = {0};
    for (int number = 0; number < 25; number++) {
        check_random random = check_random_case(seed, 20, number);
        int64_t n = counts[number % 5];
        plain_case(&random, 5, &drawn);
        drawn.options.intervals[0] = n;
        drawn.options.overlap[0] = number % 2 ? 0.5 : 0;
        int range = (int)(number % 2 ? n + 1 : n);
        for (int u = 0; u < drawn.graph.nodes; u++)
            drawn.lens[u] = u < 2 ? u * range : check_random_between(&random, 0, range);
        if (drawn.graph.nodes > 4) /* neighbours of an end, as near as a tenth of a step */
            drawn.lens[3] = drawn.lens[2] + (number % 4 < 2 ? 0.125 : -0.125);
        drawn.lens[3] = drawn.lens[3] < 0 ? 0 : drawn.lens[3];
        compare_case(&drawn, number, &count);
    }
    assert_true(count.cases > 20);
}

/* Lenses whose range is larger than the largest double, or made of the smallest ones. */
static void extreme_ranges_agree(void **state) {
    (void)state;
    static const int exponents[] = {-1074, -1060, -1022, -500, 60, 500, 1000, 1017};
    static property_case drawn;
    tally count = {0};
    for (int number = 0; number < 240; number++) {
        check_random random = check_random_case(seed, 21, number);
        plain_case(&random, 20, &drawn);
        drawn.options.rule = number % 6;
        drawn.options.intervals[0] = check_random_between(&random, 1, 12);
        drawn.options.overlap[0] = number % 3 ? 0.5 : 0.25;
        for (int u = 0; u < drawn.graph.nodes; u++) /* up to +-63 * 2^1018 */
            drawn.lens[u] = ldexp(check_random_between(&random, -63, 63),
                                  exponents[number / 6 % 8] + number % 2);
        compare_case(&drawn, number, &count);
    }
    assert_true(count.cases > 200);
}

/* A range of at most 1e-9 max|f| is constant. */
static void a_nearly_constant_lens_is_one_cell(void **state) {
    (void)state;
    static property_case drawn;
    tally count = {0};
    for (int number = 0; number < 60; number++) {
        check_random random = check_random_case(seed, 22, number);
        plain_case(&random, 20, &drawn);
        drawn.options.rule = number % 6;
        double tiny = number / 6 % 2 ? 0x1p-29 : 0x1p-31; /* 1.9e-9 and 0.5e-9 */
        for (int u = 0; u < drawn.graph.nodes; u++)
            drawn.lens[u] = -1 - tiny * check_random_between(&random, 0, 16) / 16;
        compare_case(&drawn, number, &count);
    }
    assert_true(count.cases > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapper_equals_the_slow_checker),
        cmocka_unit_test(small_clusters_are_attached_as_the_slow_checker_does_it),
        cmocka_unit_test(every_rule_agrees_on_ties),
        cmocka_unit_test(many_intervals_agree),
        cmocka_unit_test(extreme_ranges_agree),
        cmocka_unit_test(a_nearly_constant_lens_is_one_cell),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
