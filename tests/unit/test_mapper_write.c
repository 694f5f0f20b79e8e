/* SPDX-License-Identifier: Apache-2.0 */
/* What a summary keeps of its clusters and its lens, by the plainest means: peaks, means, ranges,
 * nodes that were taken across edges, and weights. */
#include "mapper_sample.h"

#include <math.h>

#include "mapper_summary.h"

#include "../check_random.h"

enum { NODES = 60 };

/* ---- peaks and means ---- */

/* How many members of a cluster come before one of them, by value and then by number. */
static int rank_of(const dgm_summary_clusters *clusters, int64_t c, const double *lens,
                   int64_t at) {
    int before = 0;
    uint32_t mine = clusters->members[at];
    for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
        uint32_t other = clusters->members[i];
        before += lens[other] > lens[mine] || (lens[other] == lens[mine] && other < mine);
    }
    return before;
}

static void assert_peaks(const dgm_summary *summary, const double *lens) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    const uint32_t *peaks = dgm_summary_get_peaks(summary);
    for (int64_t c = 0; c < clusters.count; c++) {
        int64_t size = clusters.offsets[c + 1] - clusters.offsets[c];
        double sum = 0;
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            int rank = rank_of(&clusters, c, lens, i);
            if (rank < DGM_SUMMARY_PEAKS)
                assert_int_equal(peaks[c * DGM_SUMMARY_PEAKS + rank], clusters.members[i]);
            sum += lens[clusters.members[i]];
        }
        for (int64_t k = size; k < DGM_SUMMARY_PEAKS; k++)
            assert_int_equal(peaks[c * DGM_SUMMARY_PEAKS + k], DGM_NO_PEAK);
        assert_near(clusters.lens[c], sum / (double)size, 1e-12);
    }
}

/* A tree with values that often agree. */
static dgm_graph *draw(check_random *random, double *lens) {
    uint32_t ends[NODES][2];
    for (uint32_t u = 0; u < NODES; u++) {
        ends[u][0] = u;
        ends[u][1] = u ? (uint32_t)check_random_below(random, (int)u) : 0;
        lens[u] = check_random_below(random, 20);
    }
    return build_graph(NULL, NODES, NODES - 1, ends[1], NULL);
}

static void peaks_are_the_highest_members_and_of_equals_the_first(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 40; number++) {
        check_random random = check_random_case(seed, 1, number);
        double lens[NODES];
        dgm_graph *graph = draw(&random, lens);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = check_random_between(&random, 1, 8);
        options.overlap[0] = 0.4;
        options.min_size = number % 2 ? 3 : 1;
        options.attach = number % 4 == 3;
        dgm_summary *summary = map_graph(graph, 1, lens, &options);
        assert_peaks(summary, lens);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

/* Sums would be infinite, means are not. */
static void means_of_huge_values_are_means(void **state) {
    (void)state;
    static const double huge[] = {1e308, 1.5e308, 0.5e308, -1e308};
    dgm_graph *graph = build_graph(NULL, 4, 0, NULL, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_summary *summary = map_graph(graph, 1, huge, &options);
    assert_near(dgm_summary_get_clusters(summary).lens[0] / 1e308, 0.5, 1e-12);
    assert_true(dgm_summary_get_peaks(summary)[0] == 1 && dgm_summary_get_peaks(summary)[1] == 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- the lens ---- */

static void a_summary_keeps_what_is_known_of_its_axes(void **state) {
    (void)state;
    static const double values[] = {9, 2, 1, -5, 3, 4, 0.5, 7};
    dgm_graph *graph = build_graph(NULL, 4, 0, NULL, NULL),
              *none = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_matrix *lens = build_matrix(4, 2, values), *empty = build_matrix(0, 1, NULL);
    dgm_summary *summary;
    double low, high;
    dgm_matrix_set_column_error(lens, 1, 0.125);
    assert_int_equal(dgm_matrix_set_column_transform(ctx, lens, 0, "rank"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_name(ctx, lens, 1, "height"), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_OK);
    dgm_summary_lens_range(summary, 0, &low, &high);
    assert_true(low == 0.5 && high == 9); /* in the last row and in the first */
    dgm_summary_lens_range(summary, 1, &low, &high);
    assert_true(low == -5 && high == 7);
    assert_true(isnan(dgm_summary_axis_error(summary, 0)));
    assert_true(dgm_summary_axis_error(summary, 1) == 0.125);
    assert_string_equal(dgm_summary_axis_transform(summary, 0), "rank");
    assert_string_equal(dgm_summary_axis_transform(summary, 1), "none");
    assert_string_equal(dgm_summary_axis_name(summary, 0), "axis1");
    assert_string_equal(dgm_summary_axis_name(summary, 1), "height");
    assert_null(dgm_summary_get_peaks(summary)); /* of two axes nothing is the highest */
    dgm_summary_free(summary);
    assert_int_equal(dgm_mapper_run(ctx, none, empty, NULL, &summary), DGM_OK);
    dgm_summary_lens_range(summary, 0, &low, &high);
    assert_true(low == 0 && high == 0);
    dgm_summary_free(summary);
    dgm_matrix_free(empty);
    dgm_matrix_free(lens);
    dgm_graph_free(none);
    dgm_graph_free(graph);
}

/* ---- nodes that were taken across edges ---- */

/* Whether a node lies in a cell by its own value. */
static bool lies_in(const dgm_summary *apart, uint32_t node, int32_t cell) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(apart);
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            if (clusters.members[i] == node && clusters.cells[c] == cell)
                return true;
    return false;
}

static void members_that_were_taken_are_marked(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    int64_t marked = 0;
    for (int number = 0; number < 40; number++) {
        check_random random = check_random_case(seed, 2, number);
        double lens[NODES];
        dgm_graph *graph = draw(&random, lens);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = 6;
        options.overlap[0] = 0.1;
        dgm_summary *apart = map_graph(graph, 1, lens, &options);
        options.pieces = DGM_PIECES_JOINED;
        options.min_size = number % 2 ? 3 : 1;
        dgm_summary *joined = map_graph(graph, 1, lens, &options);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(joined);
        int64_t expected = 0;
        for (int64_t c = 0; c < clusters.count; c++)
            for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
                bool taken = false;
                for (int64_t k = 0; k < joined->taken_count; k++)
                    taken = taken || joined->taken[k] == i;
                assert_true(taken != lies_in(apart, clusters.members[i], clusters.cells[c]));
                expected += taken;
            }
        assert_int_equal(joined->taken_count, expected);
        if (options.min_size == 1)
            assert_int_equal(dgm_summary_get_coverage(joined).taken, expected);
        marked += expected;
        dgm_summary_free(apart);
        dgm_summary_free(joined);
        dgm_graph_free(graph);
    }
    assert_true(marked > 100);
}

/* ---- weights ---- */

/* d^2 of a member, each axis in units of its range; an axis that tells nothing apart is left
 * out. */
static double square_of(const double *lens, int columns, const double *range, const double *mean,
                        uint32_t node) {
    double sum = 0;
    for (int k = 0; k < columns; k++) {
        double away =
            range[k] > 0 ? (lens[node * (uint32_t)columns + (uint32_t)k] - mean[k]) / range[k] : 0;
        sum += away * away;
    }
    return sum;
}

static void weights_follow_their_formulas_on_every_axis(void **state) {
    (void)state;
    enum { COLUMNS = 3 };
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 20; number++) {
        check_random random = check_random_case(seed, 3, number);
        double lens[NODES * COLUMNS], range[COLUMNS] = {100, 0.01, 0}, raw[4096], sums[NODES] = {0};
        for (int u = 0; u < NODES; u++) {
            lens[COLUMNS * u] = u < 2 ? 100 * u : 100 * check_random_unit(&random);
            lens[COLUMNS * u + 1] = u < 2 ? 0.01 * u : 0.01 * check_random_unit(&random);
            lens[COLUMNS * u + 2] = 5;
        }
        dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.cluster = DGM_CLUSTER_NONE;
        options.intervals[0] = 3;
        options.overlap[0] = 0.5;
        options.weights = number % 2 ? DGM_WEIGHTS_GAUSSIAN : DGM_WEIGHTS_BUMP;
        dgm_summary *summary = map_graph(graph, COLUMNS, lens, &options);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        assert_true(clusters.offsets[clusters.count] <= 4096);
        for (int64_t c = 0; c < clusters.count; c++) {
            double all = 0, most = 0;
            int64_t begin = clusters.offsets[c], end = clusters.offsets[c + 1];
            for (int64_t i = begin; i < end; i++) {
                raw[i] = square_of(lens, COLUMNS, range, clusters.lens + c * COLUMNS,
                                   clusters.members[i]);
                all += raw[i];
                most = fmax(most, raw[i]);
            }
            for (int64_t i = begin; i < end; i++) {
                if (most > 0)
                    raw[i] = options.weights == DGM_WEIGHTS_GAUSSIAN
                                 ? exp(-raw[i] * (double)(end - begin) / (2 * all))
                                 : exp(1 - 1 / (1 - raw[i] / (1.1 * most)));
                else
                    raw[i] = 1;
                sums[clusters.members[i]] += raw[i];
            }
        }
        for (int64_t i = 0; i < clusters.offsets[clusters.count]; i++)
            assert_near(dgm_summary_weights(summary)[i], raw[i] / sums[clusters.members[i]], 1e-9);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_are_the_highest_members_and_of_equals_the_first),
        cmocka_unit_test(means_of_huge_values_are_means),
        cmocka_unit_test(a_summary_keeps_what_is_known_of_its_axes),
        cmocka_unit_test(members_that_were_taken_are_marked),
        cmocka_unit_test(weights_follow_their_formulas_on_every_axis),
    };
    return RUN_WITH_CONTEXT(tests);
}
