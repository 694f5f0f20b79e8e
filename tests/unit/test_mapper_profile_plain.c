/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a profile by themselves, against what they are by definition. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "base_memory.h"
#include "export_sample.h"
#include "mapper_profile.h"
#include "unit_progress.h"

/* ---- disputes ---- */

/* A profile that knows nothing but how many members were judged, and how many were mistakes. */
static dgm_profile *judged_profile(int64_t clusters, const int64_t *judged,
                                   const int64_t *mistakes) {
    dgm_profile *profile;
    assert_int_equal(dgmi_mapper_profile_open(ctx, clusters, &profile), DGM_OK);
    profile->judged = dgmi_alloc(ctx, clusters, sizeof *judged);
    profile->mistakes = dgmi_alloc(ctx, clusters, sizeof *mistakes);
    memcpy(profile->judged, judged, (size_t)clusters * sizeof *judged);
    memcpy(profile->mistakes, mistakes, (size_t)clusters * sizeof *mistakes);
    return profile;
}

/* The least share p of which the share of mistakes is no more than 1.96 deviations away, those of
 * as many draws with chance p. */
static double least_share(const dgm_profile_dispute *d) {
    double n = (double)d->judged, share = (double)d->mistakes / n, low = 0, high = share;
    for (int i = 0; i < 60; i++) {
        double p = (low + high) / 2;
        if (share - p > 1.96 * sqrt(p * (1 - p) / n))
            low = p;
        else
            high = p;
    }
    return low;
}

static void disputes_descend_by_what_is_sure(void **state) {
    (void)state;
    enum { MOST = 14, CLUSTERS = MOST * (MOST + 1) / 2 };
    int64_t judged[CLUSTERS], mistakes[CLUSTERS], count = 0;
    static dgm_profile_dispute found[CLUSTERS];
    for (int n = 1; n <= MOST; n++)
        for (int m = 1; m <= n; m++, count++) {
            judged[count] = n;
            mistakes[count] = m;
        }
    dgm_profile *profile = judged_profile(CLUSTERS, judged, mistakes);
    assert_int_equal(dgm_profile_disputes(profile, CLUSTERS, found), CLUSTERS);
    for (int i = 0; i < CLUSTERS; i++) {
        assert_int_equal(found[i].judged, judged[found[i].cluster]);
        assert_int_equal(found[i].mistakes, mistakes[found[i].cluster]);
        if (i)
            assert_true(least_share(&found[i - 1]) >= least_share(&found[i]) - 1e-12);
    }
    dgm_profile_free(profile);
}

/* Clusters 1, 3 and 4 are alike, and 2 is the worst. */
static void of_equal_disputes_the_first_are_told(void **state) {
    (void)state;
    static const int64_t judged[] = {9, 6, 6, 6, 6}, mistakes[] = {1, 3, 5, 3, 3};
    static const uint32_t expected[] = {2, 1, 3, 4, 0};
    dgm_profile *profile = judged_profile(5, judged, mistakes);
    for (int64_t most = 1; most <= 6; most++) {
        dgm_profile_dispute room[8] = {{.judged = 1000, .mistakes = 1}}, *found = room + 1;
        int64_t told = most < 5 ? most : 5;
        assert_int_equal(dgm_profile_disputes(profile, most, found), told);
        for (int64_t i = 0; i < told; i++)
            assert_int_equal(found[i].cluster, expected[i]);
        assert_int_equal(room[0].judged, 1000); /* what lies around the list is left alone */
        assert_int_equal(found[told].judged, 0);
    }
    dgm_profile_free(profile);
}

/* ---- counts ---- */

/* 4,097 clusters of one node each, in two reports. */
static void counting_is_told_every_4096_clusters(void **state) {
    (void)state;
    enum { NODES = 4097 };
    static int32_t codes[NODES];
    dgmi_mapper_counts counts = {0};
    hear_progress();
    assert_int_equal(
        dgmi_mapper_counts_make(ctx, (dgmi_mapper_members){.clusters = NODES}, codes, 1, &counts),
        DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("looking at the members"), 2);
    assert_true(heard_reports[0].fraction == -1);
    assert_int_equal(counts.offsets[NODES], NODES);
    dgmi_free(ctx, counts.offsets);
    dgmi_free(ctx, counts.values);
    dgmi_free(ctx, counts.counts);
}

static void every_count_is_found_and_totals_are_over_all_clusters(void **state) {
    (void)state;
    int64_t offsets[] = {0, 5, 5, 7}, counts[] = {4, 1, 6, 6, 2, 3, 5}, totals[10];
    int32_t values[] = {0, 2, 3, 5, 9, 2, 9};
    static const int64_t expected[][10] = {{4, 0, 1, 6, 0, 6, 0, 0, 0, 2}, {0}, {0, 0, 3, [9] = 5}};
    const dgmi_mapper_counts some = {offsets, values, counts};
    dgmi_mapper_counts_totals(&some, 3, 10, totals);
    for (int32_t v = 0; v < 10; v++) {
        int64_t sum = 0;
        for (int64_t c = 0; c < 3; c++) {
            assert_int_equal(dgmi_mapper_counts_find(&some, c, v), expected[c][v]);
            sum += expected[c][v];
        }
        assert_int_equal(totals[v], sum);
    }
    double share;
    assert_int_equal(dgmi_mapper_counts_majority(&some, 0, &share), 3); /* of 3 and 5 the first */
    assert_near(share, 6.0 / 19, 1e-15);
}

/* ---- members that stand out ---- */

static dgm_profile *profile_of_one(const uint32_t (*ends)[2], int64_t edges, const double *heights,
                                   int64_t nodes, sample *made) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    options.cluster = DGM_CLUSTER_NONE;
    made->graph = build_graph(NULL, nodes, edges, ends[0], NULL);
    made->lens = build_matrix(nodes, 1, heights);
    sample_map(ctx, made, &options);
    assert_int_equal(dgm_profile_clusters(made->profile), 1);
    return made->profile;
}

/* The nodes 0 to 6 have 0, 1, 2, 3, 4, 4 and 2 neighbours. */
static void the_hubs_have_the_most_neighbours_and_the_peaks_the_highest_values(void **state) {
    (void)state;
    static const uint32_t ends[][2] = {{4, 5}, {3, 4}, {3, 5}, {2, 4},
                                       {2, 5}, {1, 4}, {5, 6}, {3, 6}};
    static const double heights[] = {5, 1, 9, 7, 2, 7, 0};
    sample made = {0};
    const dgm_profile *profile = profile_of_one(ends, 8, heights, 7, &made);
    static const char *const hubs[] = {"4", "5", "3", NULL}, *const peaks[] = {"2", "3", "5", NULL};
    for (int64_t i = 0; i < 4; i++) {
        const char *hub = dgm_profile_hub(profile, 0, i), *peak = dgm_profile_peak(profile, 0, i);
        assert_int_equal(hub == NULL, hubs[i] == NULL);
        assert_int_equal(peak == NULL, peaks[i] == NULL);
        if (i < 3) {
            assert_string_equal(hub, hubs[i]);
            assert_string_equal(peak, peaks[i]);
        }
    }
    sample_free(&made);
}

/* Three members are all named, in their order, and have no peaks; of four some stand out. */
static void few_members_are_all_named(void **state) {
    (void)state;
    static const uint32_t ends[][2] = {{1, 2}, {2, 3}};
    static const double heights[] = {1, 2, 3, 4};
    for (int64_t nodes = 3; nodes <= 4; nodes++) {
        sample made = {0};
        const dgm_profile *profile = profile_of_one(ends, nodes - 2, heights, nodes, &made);
        assert_string_equal(dgm_profile_hub(profile, 0, 0), nodes == 3 ? "0" : "2");
        assert_string_equal(dgm_profile_hub(profile, 0, 1), "1");
        assert_string_equal(dgm_profile_hub(profile, 0, 2), nodes == 3 ? "2" : "3");
        assert_int_equal(dgm_profile_peak(profile, 0, 0) == NULL, nodes == 3);
        sample_free(&made);
    }
}

/* ---- texts ---- */

/* Texts are listed in ascending order however they come; one that nobody has is none. */
static void texts_are_listed_in_order_with_their_counts(void **state) {
    (void)state;
    enum { NODES = 65, KINDS = 64 };
    static char texts[KINDS][16];
    const char *values[NODES], *nothing[NODES] = {NULL};
    for (int u = 0; u < KINDS; u++)
        snprintf(texts[u], sizeof texts[u], "t%02d", u);
    for (int u = 0; u < NODES; u++)
        values[u] = texts[u * 37 % KINDS];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph_builder *builder;
    sample made = {0};
    options.intervals[0] = 1;
    options.cluster = DGM_CLUSTER_NONE;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "none", NODES, nothing), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "kind", NODES, values), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    made.lens = build_matrix(NODES, 1, NULL);
    sample_map(ctx, &made, &options);
    assert_int_equal(dgm_profile_attributes(made.profile), 1);
    dgm_profile_attribute kind = dgm_profile_get_attribute(made.profile, 0);
    assert_int_equal(kind.text_count, KINDS);
    for (int t = 0; t < KINDS; t++) {
        assert_string_equal(kind.texts[t], texts[t]);
        assert_int_equal(kind.counts.values[t], t);
        assert_int_equal(kind.counts.counts[t], t == 0 ? 2 : 1);
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disputes_descend_by_what_is_sure),
        cmocka_unit_test(of_equal_disputes_the_first_are_told),
        cmocka_unit_test(counting_is_told_every_4096_clusters),
        cmocka_unit_test(every_count_is_found_and_totals_are_over_all_clusters),
        cmocka_unit_test(the_hubs_have_the_most_neighbours_and_the_peaks_the_highest_values),
        cmocka_unit_test(few_members_are_all_named),
        cmocka_unit_test(texts_are_listed_in_order_with_their_counts),
    };
    return RUN_WITH_CONTEXT(tests);
}
