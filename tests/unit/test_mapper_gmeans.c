/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals that are split while their values are not normal, on quantiles of known mixtures. */
#include "mapper_sample.h"

#include <math.h>

#include "../check_random.h"
#include "unit_progress.h"

static dgm_mapper_options gmeans(double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_GMEANS;
    options.cluster = DGM_CLUSTER_NONE;
    options.overlap[0] = overlap;
    return options;
}

/* The value below which a share of the standard normal distribution lies. */
static double quantile(double share) {
    double low = -9, high = 9;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < share)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Writes values that lie as the quantiles of a normal distribution do. */
static void put_normal(double *values, int count, double mean, double deviation) {
    for (int i = 0; i < count; i++)
        values[i] = mean + deviation * quantile((i + 0.5) / count);
}

static dgm_summary *map_values(int64_t nodes, int64_t columns, const double *values,
                               const dgm_mapper_options *options) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, columns, values, options);
    dgm_graph_free(graph);
    return summary;
}

static void normal_values_stay_together(void **state) {
    (void)state;
    double values[400];
    put_normal(values, 400, 3, 0.5);
    dgm_mapper_options options = gmeans(0.2);
    options.critical = 0.5;
    dgm_summary *summary = map_values(400, 1, values, &options);
    assert_int_equal(dgm_summary_options(summary)->intervals[0], 1);
    assert_int_equal(dgm_summary_get_clusters(summary).count, 1);
    dgm_summary_free(summary);
}

/* Means 0 and 10 with one deviation: the halves end at 10 (1 + g) / 2 and begin at 10 (1 - g) / 2. */
static void two_clusters_are_parted_between_their_means(void **state) {
    (void)state;
    double values[600];
    put_normal(values, 300, 0, 1);
    put_normal(values + 300, 300, 10, 1);
    dgm_mapper_options options = gmeans(0.2);
    dgm_summary *summary = map_values(600, 1, values, &options);
    const dgm_mapper_options *found = dgm_summary_options(summary);
    assert_true(found->cover == DGM_COVER_GMEANS && found->given_count == 2);
    assert_true(found->given[0].low == values[0] && found->given[1].high == values[599]);
    assert_near(found->given[0].high, 6, 1e-3);
    assert_near(found->given[1].low, 4, 1e-3);
    dgm_summary_free(summary);
}

/* With deviations 1 and 3 the border is a quarter of the way from the narrow one. */
static void the_border_is_equally_many_deviations_away(void **state) {
    (void)state;
    double values[2000];
    put_normal(values, 1000, 0, 1);
    put_normal(values + 1000, 1000, 40, 3);
    dgm_mapper_options options = gmeans(0);
    dgm_summary *summary = map_values(2000, 1, values, &options);
    const dgm_mapper_options *found = dgm_summary_options(summary);
    assert_int_equal(found->given_count, 2);
    assert_near(found->given[0].high, 10, 0.1);
    assert_true(found->given[0].high == found->given[1].low);
    dgm_summary_free(summary);
}

static void several_clusters_are_found_and_limits_are_kept(void **state) {
    (void)state;
    double values[900];
    for (int k = 0; k < 3; k++)
        put_normal(values + 300 * k, 300, 20 * k + 30 * (k == 2), 1);
    dgm_mapper_options options = gmeans(0);
    const struct {
        int64_t most, expected;
        double critical;
    } cases[] = {{20, 3, 10}, {2, 2, 10}, {1, 1, 10}, {20, 1, 1e6}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        options.most = cases[i].most;
        options.critical = cases[i].critical;
        dgm_summary *summary = map_values(900, 1, values, &options);
        assert_int_equal(dgm_summary_options(summary)->intervals[0], cases[i].expected);
        assert_int_equal(dgm_summary_get_clusters(summary).count, cases[i].expected);
        dgm_summary_free(summary);
    }
}

static void every_node_is_covered(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 60; number++) {
        check_random random = check_random_case(seed, 1, number);
        double values[500];
        int nodes = check_random_between(&random, 1, 500);
        for (int u = 0; u < nodes; u++)
            values[u] = number % 3 ? pow(check_random_unit(&random), 5) * 1e3
                                   : check_random_below(&random, 6);
        dgm_mapper_options options = gmeans(number % 2 ? 0 : 0.3);
        options.critical = 0.8;
        dgm_summary *summary = map_values(nodes, 1, values, &options);
        assert_int_equal(dgm_summary_get_coverage(summary).covered, nodes);
        const dgm_mapper_options *found = dgm_summary_options(summary);
        for (int64_t i = 1; i < found->given_count; i++)
            assert_true(found->given[i - 1].low <= found->given[i].low);
        dgm_summary_free(summary);
    }
}

static void few_nodes_and_extreme_values_are_no_trouble(void **state) {
    (void)state;
    static const double same[] = {2, 2, 2}, huge[] = {-1.7e308, 0, 1.7e308};
    const dgm_mapper_options options = gmeans(0.2);
    const struct {
        int nodes;
        const double *values;
        const char *expected;
    } cases[] = {{0, same, ""}, {1, same, "0"}, {3, same, "0 1 2"}, {3, huge, "0 1 2"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_summary *summary = map_values(cases[i].nodes, 1, cases[i].values, &options);
        assert_clusters(summary, cases[i].expected);
        dgm_summary_free(summary);
    }
}

static void other_lenses_and_keys_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    dgm_matrix *lens = build_matrix(2, 2, (const double[]){1, 2, 3, 4});
    dgm_mapper_options options = gmeans(0.2);
    dgm_summary *summary;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_USAGE,
                 "the cover gmeans is for one axis, and this lens has 2");
    options.critical = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options = gmeans(0.2);
    options.most = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    assert_int_equal(dgm_cover_parse(ctx, "gmeans:critical=4,most=7", &options, NULL, 0), DGM_OK);
    assert_true(options.cover == DGM_COVER_GMEANS && options.critical == 4 && options.most == 7);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* Anderson and Darling's statistic of values that ascend, with the factor for a mean and a
 * deviation that are estimated (D'Agostino 1986, as G-means has it). */
static double statistic(const double *values, int n) {
    double mean = 0, squares = 0, sum = 0;
    for (int i = 0; i < n; i++)
        mean += values[i] / n;
    for (int i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double deviation = sqrt(squares / (n - 1));
    for (int i = 1; i <= n; i++) {
        double below = erfc(-(values[i - 1] - mean) / deviation / M_SQRT2) / 2;
        double above = erfc((values[n - i] - mean) / deviation / M_SQRT2) / 2;
        sum += (2 * i - 1) * (log(below) + log(above));
    }
    return (-n - sum / n) * (1 + 4.0 / n - 25.0 / n / n);
}

static void the_statistic_decides_at_its_value(void **state) {
    (void)state;
    static const double values[] = {0, 0.5, 0.75, 1, 1.25, 2, 9, 9.5, 9.75, 10, 11, 12};
    for (int n = 8; n <= 12; n++) {
        const double *some = values + (12 - n) / 2; /* of both groups */
        for (int above = 0; above < 2; above++) {
            dgm_mapper_options options = gmeans(0);
            options.most = 2;
            options.critical = statistic(some, n) * (above ? 1 + 1e-9 : 1 - 1e-9);
            dgm_summary *summary = map_values(n, 1, some, &options);
            assert_int_equal(dgm_summary_options(summary)->intervals[0], above ? 1 : 2);
            dgm_summary_free(summary);
        }
    }
}

/* Of seven values nobody can say, of eight anybody. */
static void fewer_than_eight_values_stay_together(void **state) {
    (void)state;
    static const double values[] = {0, 0.5, 0.75, 1, 9, 9.5, 9.75, 10};
    dgm_mapper_options options = gmeans(0);
    options.critical = 1e-6;
    options.most = 2;
    for (int n = 7; n <= 8; n++) {
        hear_progress();
        dgm_summary *summary = map_values(n, 1, values, &options);
        hear_no_more();
        assert_int_equal(dgm_summary_options(summary)->intervals[0], n - 6);
        assert_int_equal(reports_of("splitting intervals"), n - 7);
        dgm_summary_free(summary);
    }
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "splitting intervals") == 0)
            assert_true(heard_reports[i].fraction == 1); /* two of two */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_values_stay_together),
        cmocka_unit_test(the_statistic_decides_at_its_value),
        cmocka_unit_test(fewer_than_eight_values_stay_together),
        cmocka_unit_test(two_clusters_are_parted_between_their_means),
        cmocka_unit_test(the_border_is_equally_many_deviations_away),
        cmocka_unit_test(several_clusters_are_found_and_limits_are_kept),
        cmocka_unit_test(every_node_is_covered),
        cmocka_unit_test(few_nodes_and_extreme_values_are_no_trouble),
        cmocka_unit_test(other_lenses_and_keys_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
