/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "../check_memory.h"
#include "../check_random.h"
#include "base_memory.h"
#include "mapper_profile.h"
#include "rich_sample.h"

/* ---- one summary, all that is known of it ---- */

static void check_classes(const dgm_profile *profile) {
    assert_int_equal(dgm_profile_classes(profile), 2);
    assert_string_equal(dgm_profile_class_name(profile, 1), "high");
    assert_null(dgm_profile_class_name(profile, 2));
    assert_null(dgm_profile_class_name(profile, -1));
    /* cluster 0: nodes 0 to 3, two low, one high, one without a label */
    dgm_profile_counts counts = dgm_profile_labels(profile);
    assert_int_equal(counts.offsets[1], 2);
    assert_true(counts.values[0] == 0 && counts.counts[0] == 2 && counts.counts[1] == 1);
    assert_int_equal(dgm_profile_predictions(profile).offsets[2], 4);
    assert_int_equal(dgm_profile_judged(profile)[0], 3);
    assert_int_equal(dgm_profile_mistakes(profile)[0], 2); /* node 1 is called high, node 2 low */
    assert_int_equal(dgm_profile_mistakes(profile)[1], 2); /* node 2 and node 5 */
    int64_t count;
    const dgm_profile_mixup *mixups = dgm_profile_mixups(profile, 0, &count);
    assert_int_equal(count, 2);
    assert_true(mixups[0].label == 0 && mixups[0].prediction == 1);
    mixups = dgm_profile_mixups(profile, 1, &count);
    assert_int_equal(count, 1);
    assert_int_equal(mixups[0].count, 2); /* both are called low */
    dgm_summary_mistakes ledger = dgm_profile_get_mistakes(profile);
    assert_true(ledger.known && !ledger.split);
    assert_int_equal(dgm_judged_sum(ledger.covered).mistakes, 3);
}

static void check_the_rest(const dgm_profile *profile) {
    /* of a path the inner nodes have the most neighbours, and the lens counts on from its start */
    static const char *const hubs[] = {"1", "2", "3", "2", "3", "4"};
    static const char *const peaks[] = {"3", "2", "1", "5", "4", "3"};
    for (int64_t i = 0; i < 6; i++) {
        assert_string_equal(dgm_profile_hub(profile, i / 3, i % 3), hubs[i]);
        assert_string_equal(dgm_profile_peak(profile, i / 3, i % 3), peaks[i]);
    }
    assert_null(dgm_profile_hub(profile, 0, 3));
    assert_null(dgm_profile_peak(profile, 1, -1));
    bool of_labels = true;
    double third = (0.25 * log(4) + 0.75 * log(4 / 3.0)) / log(2);
    assert_float_equal(dgm_profile_entropy(profile, &of_labels)[0], (0 + third + 1 + 0) / 4, 1e-12);
    assert_false(of_labels);
    assert_int_equal(dgm_profile_attributes(profile), 2);
    dgm_profile_attribute age = dgm_profile_get_attribute(profile, 0);
    assert_true(age.kind == DGM_ATTRIBUTE_NUMBER && age.means[0] == 20 &&
                age.means[1] == 140 / 3.0);
    dgm_profile_attribute town = dgm_profile_get_attribute(profile, 1);
    assert_string_equal(town.name, "town");
    assert_int_equal(town.text_count, 3);
    assert_string_equal(town.texts[0], "a");
    assert_int_equal(town.counts.counts[0], 2); /* a a b */
}

static void a_profile_knows_all_that_is_known_of_the_members(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    assert_int_equal(dgm_profile_clusters(made.profile), 2);
    check_classes(made.profile);
    check_the_rest(made.profile);
    dgm_profile_dispute dispute;
    assert_int_equal(dgm_profile_disputes(made.profile, 1, &dispute), 1);
    assert_string_equal(dispute.prediction, dispute.cluster ? "low" : "high");
    assert_string_equal(dispute.label, dispute.cluster ? "high" : "low");
    assert_int_equal(dispute.confused, dispute.cluster ? 2 : 1);
    sample_free(&made);
    dgm_profile_free(NULL);
}

/* The graph, the summary and the predictions may be gone. */
static void a_profile_stands_alone(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_profile *profile = made.profile;
    made.profile = NULL;
    sample_free(&made);
    check_classes(profile);
    check_the_rest(profile);
    dgm_profile_free(profile);
}

static void labels_alone_have_an_entropy(void **state) {
    (void)state;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 6, .labels = labels, .classes = classes}, NULL);
    bool of_labels = false;
    const double *entropy = dgm_profile_entropy(made.profile, &of_labels);
    assert_true(of_labels);
    assert_null(dgm_profile_mistakes(made.profile));
    assert_false(dgm_profile_get_mistakes(made.profile).known);
    assert_float_equal(entropy[0], (log(3) / 3 + 2 * log(1.5) / 3) / log(2), 1e-12);
    assert_true(entropy[1] == 0);
    sample_free(&made);
}

/* Who says classes and no probabilities is as sure of each. */
static void classes_that_were_predicted_have_no_probabilities(void **state) {
    (void)state;
    static const int32_t said[] = {0, 1, 1, 0, -1, 1};
    sample made = {.graph = rich_graph(ctx)};
    made.lens = sample_lens(ctx, &(sample_parts){.nodes = 6});
    assert_int_equal(dgm_predictions_from_classes(ctx, made.graph, said, NULL, &made.predictions),
                     DGM_OK);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    sample_map(ctx, &made, &options);
    bool of_labels = false;
    assert_non_null(dgm_profile_entropy(made.profile, &of_labels));
    assert_true(of_labels);
    assert_int_equal(dgm_profile_judged(made.profile)[0], 4); /* node 3 has no label, 4 no word */
    assert_int_equal(dgm_profile_mistakes(made.profile)[0], 1);
    assert_int_equal(dgm_judged_sum(dgm_profile_get_mistakes(made.profile).covered).judged, 4);
    sample_free(&made);
}

static void labels_far_apart_are_classes_that_occur(void **state) {
    (void)state;
    const int32_t far[] = {2000000000, 7, 7, -1};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 4, .labels = far}, NULL);
    assert_int_equal(dgm_profile_classes(made.profile), 2);
    assert_string_equal(dgm_profile_class_name(made.profile, 0), "7");
    assert_string_equal(dgm_profile_class_name(made.profile, 1), "2000000000");
    sample_free(&made);
}

static void disputes_are_told_the_surest_first(void **state) {
    (void)state;
    const int64_t judged[] = {1, 94, 10, 10, 0}, mistakes[] = {1, 89, 5, 0, 0};
    dgm_profile *profile;
    dgm_profile_dispute found[5];
    assert_int_equal(dgmi_mapper_profile_open(ctx, 5, &profile), DGM_OK);
    assert_int_equal(dgm_profile_disputes(profile, 5, found), 0);
    profile->judged = dgmi_alloc(ctx, 5, sizeof *profile->judged);
    profile->mistakes = dgmi_alloc(ctx, 5, sizeof *profile->mistakes);
    memcpy(profile->judged, judged, sizeof judged);
    memcpy(profile->mistakes, mistakes, sizeof mistakes);
    assert_int_equal(dgm_profile_disputes(profile, 5, found), 3);
    assert_int_equal(found[0].cluster, 1);
    assert_int_equal(found[1].cluster, 2);
    assert_int_equal(found[2].cluster, 0);
    assert_int_equal(dgm_profile_disputes(profile, 1, found), 1);
    assert_int_equal(found[0].cluster, 1);
    assert_int_equal(dgm_profile_disputes(profile, 0, NULL), 0);
    dgm_profile_free(profile);
}

/* ---- odd members ---- */

typedef struct {
    int64_t nodes;
    const int32_t *labels;
    int32_t classes;
    const double *says; /* or NULL */
    const char *attribute;
    const double *numbers;
    const char *const *texts;
} seen_parts;

/* A star, all of it in one cluster. */
static sample see(const seen_parts *parts) {
    dgm_graph_builder *builder;
    sample made = {0};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 1; u < parts->nodes; u++) {
        uint32_t ends[] = {0, u};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
    if (parts->labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, parts->nodes, parts->labels),
                         DGM_OK);
    if (parts->numbers)
        assert_int_equal(
            dgm_graph_builder_add_numbers(builder, parts->attribute, parts->nodes, parts->numbers),
            DGM_OK);
    if (parts->texts)
        assert_int_equal(
            dgm_graph_builder_add_texts(builder, parts->attribute, parts->nodes, parts->texts),
            DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    if (parts->says)
        assert_int_equal(dgm_predictions_from_probabilities(
                             ctx, made.graph, parts->says, parts->classes, NULL, &made.predictions),
                         DGM_OK);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    made.lens = sample_lens(ctx, &(sample_parts){.nodes = parts->nodes});
    sample_map(ctx, &made, &options);
    assert_int_equal(dgm_profile_clusters(made.profile), 1);
    return made;
}

/* Probabilities are rounded: three thirds are a little more than 1, and so is a sure thing. */
static void an_entropy_lies_between_0_and_1(void **state) {
    (void)state;
    static const double third = 1.0 / 3;
    const double cases[][6] = {{third, third, third, third, third, third},
                               {1.0000001, 0, 0, 0, 1.0000001, 0}};
    for (int i = 0; i < 2; i++) {
        sample made = see(&(seen_parts){.nodes = 2, .classes = 3, .says = cases[i]});
        assert_true(dgm_profile_entropy(made.profile, NULL)[0] == (i == 0 ? 1 : 0));
        sample_free(&made);
    }
}

static void the_most_frequent_mistake_comes_first(void **state) {
    (void)state;
    /* 0 is taken for 1 once, 1 for 2 three times, 2 for 0 twice, 2 for 1 twice */
    static const int32_t were[] = {2, 1, 0, 2, 1, 2, 1, 2, -1},
                         said[] = {1, 2, 1, 0, 2, 1, 2, 0, 0};
    double says[27] = {0};
    int64_t count;
    for (int u = 0; u < 9; u++)
        says[3 * u + said[u]] = 1;
    sample made = see(&(seen_parts){.nodes = 9, .labels = were, .classes = 3, .says = says});
    static const dgm_profile_mixup expected[] = {{1, 2, 3}, {2, 0, 2}, {2, 1, 2}};
    const dgm_profile_mixup *mixups = dgm_profile_mixups(made.profile, 0, &count);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mixups[i].label, expected[i].label);
        assert_int_equal(mixups[i].prediction, expected[i].prediction);
        assert_int_equal(mixups[i].count, expected[i].count);
    }
    assert_int_equal(dgm_profile_judged(made.profile)[0], 8);
    sample_free(&made);
    static const int32_t two[] = {0, 1, 1}; /* 0 is taken for 1 once, and 1 for 0 twice */
    static const double wrong[] = {0, 1, 1, 0, 1, 0};
    made = see(&(seen_parts){.nodes = 3, .labels = two, .classes = 2, .says = wrong});
    mixups = dgm_profile_mixups(made.profile, 0, &count);
    assert_int_equal(count, 2);
    assert_true(mixups[0].label == 1 && mixups[0].count == 2 && mixups[1].count == 1);
    sample_free(&made);
}

/* The labels are 1 and 2, and the classifier knows 0 as well: class 1 is the first of the graph,
 * and the second of the profile. */
static void a_class_that_only_the_classifier_knows_has_its_place(void **state) {
    (void)state;
    static const int32_t were[] = {1, 1, 2, -1};
    static const double says[] = {1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};
    sample made = see(&(seen_parts){.nodes = 4, .labels = were, .classes = 3, .says = says});
    const dgm_profile *profile = made.profile;
    assert_int_equal(dgm_profile_classes(profile), 3);
    for (int32_t c = 0; c < 3; c++)
        assert_string_equal(dgm_profile_class_name(profile, c),
                            ((const char *[]){"0", "1", "2"})[c]);
    dgm_profile_counts counts = dgm_profile_labels(profile);
    assert_int_equal(counts.offsets[1], 2);
    assert_true(counts.values[0] == 1 && counts.counts[0] == 2);
    assert_true(counts.values[1] == 2 && counts.counts[1] == 1);
    counts = dgm_profile_predictions(profile);
    assert_int_equal(counts.offsets[1], 3);
    assert_true(counts.values[0] == 0 && counts.counts[0] == 1);
    assert_true(counts.values[1] == 1 && counts.counts[1] == 2);
    assert_int_equal(dgm_profile_judged(profile)[0], 3);
    assert_int_equal(dgm_profile_mistakes(profile)[0], 2);
    sample_free(&made);
}

static void a_mean_that_no_number_can_hold_is_unknown(void **state) {
    (void)state;
    static const double cases[][3] = {
        {NAN, NAN, NAN}, {1.7e308, 1.7e308, 1.7e308}, {1, NAN, 4}, {1, INFINITY, 4}};
    static const double means[] = {NAN, NAN, 2.5, 2.5};
    for (int i = 0; i < 4; i++) {
        sample made = see(&(seen_parts){.nodes = 3, .attribute = "a", .numbers = cases[i]});
        assert_int_equal(dgm_profile_attributes(made.profile), 1);
        double mean = dgm_profile_get_attribute(made.profile, 0).means[0];
        assert_true(isnan(means[i]) ? isnan(mean) : mean == means[i]);
        sample_free(&made);
    }
}

/* Attributes become keys and values of JSON. */
static void attributes_that_are_no_text_are_left_out(void **state) {
    (void)state;
    static const char *const good[] = {"x", "y", "x"}, *const bad[] = {"x", "\xFF", "x"};
    static const struct {
        const char *name;
        const char *const *texts;
        int64_t kept;
    } cases[] = {{"a", good, 1}, {"a", bad, 0}, {"\xC3", good, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample made =
            see(&(seen_parts){.nodes = 3, .attribute = cases[i].name, .texts = cases[i].texts});
        assert_int_equal(dgm_profile_attributes(made.profile), cases[i].kept);
        sample_free(&made);
    }
}

static void texts_of_too_many_kinds_are_left_out(void **state) {
    (void)state;
    enum { NODES = 65 };
    static char texts[NODES][16];
    const char *values[NODES];
    for (int kinds = NODES - 1; kinds <= NODES; kinds++) {
        for (int u = 0; u < NODES; u++) {
            snprintf(texts[u], sizeof texts[u], "t%d", u % kinds);
            values[u] = texts[u];
        }
        sample made = see(&(seen_parts){.nodes = NODES, .attribute = "t", .texts = values});
        assert_int_equal(dgm_profile_attributes(made.profile), kinds == NODES ? 0 : 1);
        sample_free(&made);
    }
}

/* A node in no cluster may be the only one of its town. */
static void texts_outside_of_all_clusters_are_not_counted(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 3, 4};
    static const char *const towns[] = {"a", "a", "b", "m", "z"};
    static const double heights[] = {0, 0, 0, 0, 0};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph_builder *builder;
    sample made = {0};
    options.intervals[0] = 1;
    options.min_size = 3;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", 5, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    made.lens = sample_lens(ctx, &(sample_parts){.nodes = 5, .lens = heights});
    sample_map(ctx, &made, &options);
    assert_int_equal(dgm_profile_clusters(made.profile), 1);
    dgm_profile_attribute town = dgm_profile_get_attribute(made.profile, 0);
    assert_int_equal(town.text_count, 2);
    assert_int_equal(town.counts.offsets[1], 2);
    assert_true(town.counts.counts[0] == 2 && town.counts.counts[1] == 1);
    sample_free(&made);
}

static void counts_that_are_not_known_are_zeros(void **state) {
    (void)state;
    int64_t totals[2] = {7, 7}, offsets[] = {0, 0, 2}, numbers[] = {1, 3};
    int32_t values[] = {0, 1};
    double share = 7;
    const dgmi_mapper_counts none = {0}, some = {offsets, values, numbers};
    dgmi_mapper_counts_totals(&none, 2, 2, totals);
    assert_true(totals[0] == 0 && totals[1] == 0);
    assert_int_equal(dgmi_mapper_counts_majority(&none, 0, &share), -1);
    assert_true(share == 0);
    assert_int_equal(dgmi_mapper_counts_majority(&some, 0, &share),
                     -1); /* a cluster without labels */
    assert_true(share == 0);
    assert_int_equal(dgmi_mapper_counts_majority(&some, 1, &share), 1);
    assert_true(share == 0.75);
    assert_int_equal(dgmi_mapper_counts_majority(&some, 1, NULL), 1);
    assert_int_equal(dgmi_mapper_counts_find(&some, 0, 1), 0);
    assert_int_equal(dgmi_mapper_counts_find(&some, 1, 1), 3);
    assert_int_equal(dgmi_mapper_counts_find(&some, 1, 2), 0);
}

/* ---- against counting member by member ---- */

enum { MANY = 120, KINDS = 5 };

typedef struct {
    int32_t labels[MANY], said[MANY];
    double says[MANY * KINDS], ages[MANY];
    const char *towns[MANY];
} facts;

static facts draw_facts(check_random *random) {
    static const char *const names[] = {"u", "v", "w", NULL};
    facts drawn = {.says = {0}};
    for (int u = 0; u < MANY; u++) {
        int said = check_random_below(random, KINDS);
        drawn.labels[u] = u < KINDS ? u : check_random_between(random, -1, KINDS - 1);
        drawn.said[u] = said;
        drawn.ages[u] = check_random_below(random, 4) ? u : NAN;
        drawn.towns[u] = names[check_random_below(random, 4)];
        drawn.says[u * KINDS + said] = 0.75;
        drawn.says[u * KINDS + (said + 1) % KINDS] = 0.25;
    }
    return drawn;
}

static sample map_facts(const facts *drawn, check_random *random) {
    dgm_graph_builder *builder;
    sample made = {0};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, MANY), DGM_OK);
    for (int e = 0; e < 3 * MANY; e++) {
        uint32_t ends[] = {(uint32_t)check_random_below(random, MANY),
                           (uint32_t)check_random_below(random, MANY)};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_set_labels(builder, MANY, drawn->labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", MANY, drawn->ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", MANY, drawn->towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    assert_int_equal(dgm_predictions_from_probabilities(ctx, made.graph, drawn->says, KINDS, NULL,
                                                        &made.predictions),
                     DGM_OK);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = check_random_between(random, 1, 12);
    options.overlap[0] = 0.4;
    options.min_size = check_random_between(random, 1, 3);
    made.lens = sample_lens(ctx, &(sample_parts){.nodes = MANY});
    sample_map(ctx, &made, &options);
    return made;
}

static int64_t counted(dgm_profile_counts counts, int64_t cluster, int32_t value) {
    for (int64_t i = counts.offsets[cluster]; i < counts.offsets[cluster + 1]; i++)
        if (counts.values[i] == value)
            return counts.counts[i];
    return 0;
}

static void check_cluster(const sample *made, const facts *drawn, int64_t cluster) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(made->summary);
    int64_t labelled[KINDS] = {0}, said[KINDS] = {0}, judged = 0, wrong = 0, aged = 0, in_v = 0;
    int64_t begin = clusters.offsets[cluster], end = clusters.offsets[cluster + 1], best = -1;
    double entropy = 0, ages = 0;
    dgm_graph_rows rows = dgm_graph_get_rows(made->graph);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = clusters.members[i];
        if (drawn->labels[u] >= 0)
            labelled[drawn->labels[u]]++;
        said[drawn->said[u]]++;
        judged += drawn->labels[u] >= 0;
        wrong += drawn->labels[u] >= 0 && drawn->labels[u] != drawn->said[u];
        for (int c = 0; c < KINDS; c++) {
            double p = (float)drawn->says[u * KINDS + (uint32_t)c];
            entropy -= p > 0 ? p * log(p) : 0;
        }
        ages += isnan(drawn->ages[u]) ? 0 : drawn->ages[u];
        aged += !isnan(drawn->ages[u]);
        in_v += drawn->towns[u] && strcmp(drawn->towns[u], "v") == 0;
        if (best < 0 ||
            rows.offsets[u + 1] - rows.offsets[u] > rows.offsets[best + 1] - rows.offsets[best])
            best = u;
    }
    for (int32_t c = 0; c < KINDS; c++) {
        assert_int_equal(counted(dgm_profile_labels(made->profile), cluster, c), labelled[c]);
        assert_int_equal(counted(dgm_profile_predictions(made->profile), cluster, c), said[c]);
    }
    assert_int_equal(dgm_profile_judged(made->profile)[cluster], judged);
    assert_int_equal(dgm_profile_mistakes(made->profile)[cluster], wrong);
    assert_float_equal(dgm_profile_entropy(made->profile, NULL)[cluster],
                       entropy / (double)(end - begin) / log(KINDS), 1e-9);
    double mean = dgm_profile_get_attribute(made->profile, 0).means[cluster];
    assert_true(aged ? fabs(mean - ages / (double)aged) < 1e-9 : isnan(mean));
    dgm_profile_attribute town = dgm_profile_get_attribute(made->profile, 1);
    for (int32_t t = 0; t < town.text_count; t++)
        if (strcmp(town.texts[t], "v") == 0)
            assert_int_equal(counted(town.counts, cluster, t), in_v);
    char name[16];
    dgm_graph_name(made->graph, end - begin > 3 ? best : clusters.members[begin], name,
                   sizeof name);
    assert_string_equal(dgm_profile_hub(made->profile, cluster, 0), name);
}

static void a_profile_is_what_counting_by_hand_gives(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        check_random random = {seed};
        facts drawn = draw_facts(&random);
        sample made = map_facts(&drawn, &random);
        for (int64_t c = 0; c < dgm_profile_clusters(made.profile); c++)
            check_cluster(&made, &drawn, c);
        sample_free(&made);
    }
}

/* ---- failures ---- */

static void a_profile_needs_its_own_graph_and_predictions(void **state) {
    (void)state;
    sample six = rich_sample(ctx);
    dgm_graph *five = sample_graph(ctx, &(sample_parts){.nodes = 5});
    dgm_predictions *few;
    dgm_profile *profile = six.profile;
    assert_int_equal(
        dgm_predictions_from_classes(ctx, five, (int32_t[]){0, 0, 0, 0, 0}, NULL, &few), DGM_OK);
    assert_int_equal(dgm_profile_create(ctx, six.summary, five, NULL, &profile), DGM_ERROR_USAGE);
    assert_string_equal(dgm_context_error(ctx),
                        "the summary is of a graph of 6 nodes, and this one has 5");
    assert_null(profile);
    assert_int_equal(dgm_profile_create(ctx, six.summary, six.graph, few, &profile),
                     DGM_ERROR_USAGE);
    assert_null(profile);
    dgm_predictions_free(few);
    dgm_graph_free(five);
    sample_free(&six);
}

static void every_failing_allocation_is_an_error(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    for (int64_t failing = 1; status != DGM_OK; failing++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *poor;
        dgm_profile *profile = NULL;
        assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
        memory.fail_at = memory.calls + failing;
        status = dgm_profile_create(poor, made.summary, made.graph, made.predictions, &profile);
        assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
        assert_int_equal(status == DGM_OK, profile != NULL);
        dgm_profile_free(profile);
        dgm_context_free(poor);
        assert_int_equal(memory.blocks, 0);
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_knows_all_that_is_known_of_the_members),
        cmocka_unit_test(a_profile_stands_alone),
        cmocka_unit_test(labels_alone_have_an_entropy),
        cmocka_unit_test(classes_that_were_predicted_have_no_probabilities),
        cmocka_unit_test(labels_far_apart_are_classes_that_occur),
        cmocka_unit_test(disputes_are_told_the_surest_first),
        cmocka_unit_test(an_entropy_lies_between_0_and_1),
        cmocka_unit_test(the_most_frequent_mistake_comes_first),
        cmocka_unit_test(a_class_that_only_the_classifier_knows_has_its_place),
        cmocka_unit_test(a_mean_that_no_number_can_hold_is_unknown),
        cmocka_unit_test(attributes_that_are_no_text_are_left_out),
        cmocka_unit_test(texts_of_too_many_kinds_are_left_out),
        cmocka_unit_test(texts_outside_of_all_clusters_are_not_counted),
        cmocka_unit_test(counts_that_are_not_known_are_zeros),
        cmocka_unit_test(a_profile_is_what_counting_by_hand_gives),
        cmocka_unit_test(a_profile_needs_its_own_graph_and_predictions),
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
