/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check_random.h"
#include "base_memory.h"
#include "mapper_chance.h"
#include "mapper_comparison.h"
#include "unit_faults.h"
#include "unit_progress.h"

enum { NODES = 60, WIDTH = 9, KINDS = 4 };

/* A graph of which much is known, and what is known of it. */
typedef struct {
    dgm_graph *graph;
    int32_t labels[NODES];
    double ages[NODES];
    const char *towns[NODES];
    float values[NODES * WIDTH];
    int64_t offsets[NODES + 1];
    uint32_t columns[NODES * WIDTH];
    bool dense;
} known;

static void fill(known *k, uint64_t seed) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    check_random random = {seed};
    int64_t used = 0;
    for (int64_t u = 0; u < NODES; u++) {
        k->labels[u] = (int32_t)check_random_below(&random, 4) - 1;
        k->ages[u] = check_random_below(&random, 8) ? (double)check_random_below(&random, 12) : NAN;
        k->towns[u] = check_random_below(&random, 6) ? names[check_random_below(&random, 5)] : NULL;
        k->offsets[u] = used;
        for (uint32_t f = 0; f < WIDTH; f++) {
            k->values[u * WIDTH + f] = (float)check_random_below(&random, (int)f + 1);
            if (!k->dense && check_random_below(&random, (int)f + 2) == 0) {
                k->columns[used] = f;
                k->values[used++] = f == 3 ? (float)check_random_below(&random, 2) : 1;
            }
        }
    }
    k->offsets[NODES] = used;
}

static void build(dgm_context *with, known *k, uint64_t seed) {
    dgm_graph_builder *builder;
    fill(k, seed);
    dgm_graph_features features = {.width = WIDTH, .values = k->values};
    if (!k->dense) {
        features.offsets = k->offsets;
        features.columns = k->columns;
    }
    assert_int_equal(dgm_graph_builder_create(with, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, k->labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", NODES, k->ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", NODES, k->towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &k->graph), DGM_OK);
}

/* The value of a column at a node, NaN where it is not known, as its definition says. */
static double value_of(const known *k, const dgm_difference *d, int64_t u) {
    switch (d->kind) {
    case DGM_COLUMN_CLASS:
        return k->labels[u] < 0 ? NAN : dgm_graph_labels(k->graph)[u] == d->column;
    case DGM_COLUMN_TEXT:
        return !k->towns[u] ? NAN : strcmp(k->towns[u], d->value) == 0;
    case DGM_COLUMN_NUMBER:
        return k->ages[u];
    case DGM_COLUMN_MEASURE:
        return k->values[u * WIDTH + d->column];
    default:
        for (int64_t i = k->offsets[u]; i < k->offsets[u + 1]; i++)
            if (k->columns[i] == d->column)
                return k->values[i] != 0;
        return 0;
    }
}

/* Every pair of a node inside and one outside. */
static void check_difference(const known *k, const dgm_difference *d, const bool *in) {
    int64_t inside = 0, outside = 0, yes = 0, yes_outside = 0;
    double more = 0, sum = 0, sum_outside = 0;
    for (int64_t u = 0; u < NODES; u++) {
        double x = value_of(k, d, u);
        if (isnan(x))
            continue;
        inside += in[u];
        outside += !in[u];
        *(in[u] ? &sum : &sum_outside) += x;
        *(in[u] ? &yes : &yes_outside) += x == 1;
        for (int64_t v = 0; in[u] && v < NODES; v++) {
            double y = value_of(k, d, v);
            if (!in[v] && !isnan(y))
                more += (x > y) - (x < y);
        }
    }
    assert_int_equal(d->inside, inside);
    assert_int_equal(d->outside, outside);
    assert_near(d->delta, more / (double)(inside * outside), 1e-12);
    assert_near(d->mean, sum / (double)inside, 1e-12);
    assert_near(d->mean_outside, sum_outside / (double)outside, 1e-12);
    assert_true(d->q >= d->p && d->q <= 1);
    if (d->kind == DGM_COLUMN_NUMBER || d->kind == DGM_COLUMN_MEASURE) {
        assert_true(isnan(d->log_odds) && isnan(d->lift));
        return;
    }
    assert_int_equal(d->yes, yes);
    assert_int_equal(d->yes_outside, yes_outside);
    assert_near(d->lift, d->mean / ((double)(yes + yes_outside) / (double)(inside + outside)),
                1e-12);
    double odds = ((double)yes + 0.5) * ((double)(outside - yes_outside) + 0.5) /
                  (((double)yes_outside + 0.5) * ((double)(inside - yes) + 0.5));
    assert_near(d->log_odds, log(odds), 1e-12);
}

/* Whether a column tells anything: nodes differ in it, and two at least answer yes. */
static bool tells(const known *k, dgm_difference column) {
    bool question = column.kind != DGM_COLUMN_NUMBER && column.kind != DGM_COLUMN_MEASURE;
    int64_t yes = 0, others = 0;
    double first = NAN;
    for (int64_t u = 0; u < NODES; u++) {
        double x = value_of(k, &column, u);
        if (isnan(x))
            continue;
        first = isnan(first) ? x : first;
        yes += x == 1;
        others += x != first;
    }
    return others && (!question || yes > 1);
}

static int64_t count_columns(const known *k) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    int64_t count = tells(k, (dgm_difference){.kind = DGM_COLUMN_NUMBER});
    for (int c = 0; c < 3; c++)
        count += tells(k, (dgm_difference){.kind = DGM_COLUMN_CLASS, .column = c});
    for (int i = 0; i < 5; i++)
        count += tells(k, (dgm_difference){.kind = DGM_COLUMN_TEXT, .value = names[i]});
    for (int f = 0; f < WIDTH; f++)
        count +=
            tells(k, (dgm_difference){.kind = k->dense ? DGM_COLUMN_MEASURE : DGM_COLUMN_FEATURE,
                                      .column = f});
    return count;
}

/* The chance of a difference, from its counts or from the ranks of its values. */
static double chance_of(const known *k, const dgm_difference *d, const bool *in) {
    if (d->kind != DGM_COLUMN_NUMBER && d->kind != DGM_COLUMN_MEASURE) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        const double *logs = dgmi_mapper_log_factorials(ctx, NODES);
        double p = dgmi_mapper_chance_of_count(logs, d->inside + d->outside,
                                               d->yes + d->yes_outside, d->inside, d->yes);
        dgmi_arena_release(ctx, hold);
        return p;
    }
    double sum = 0, ties = 0;
    for (int64_t u = 0; u < NODES; u++) {
        double x = value_of(k, d, u), below = 0, equal = 0;
        for (int64_t v = 0; v < NODES && !isnan(x); v++) {
            below += value_of(k, d, v) < x;
            equal += value_of(k, d, v) == x;
        }
        sum += in[u] && !isnan(x) ? below + (equal + 1) / 2 : 0;
        ties += isnan(x) ? 0 : equal * equal - 1;
    }
    return dgmi_mapper_chance_of_ranks(d->inside + d->outside, d->inside, sum, ties);
}

/* Benjamini and Yekutieli: the least p m H(m) / rank among those that are no less likely. */
static double rate_of(const dgm_difference *list, int64_t count, double p) {
    double harmonic = 0, least = 1;
    for (int64_t i = 1; i <= count; i++)
        harmonic += 1 / (double)i;
    for (int64_t i = 0; i < count; i++) {
        double rank = 0;
        for (int64_t j = 0; j < count; j++)
            rank += list[j].p <= list[i].p;
        if (list[i].p >= p)
            least = fmin(least, list[i].p * (double)count * harmonic / rank);
    }
    return least;
}

static void check_set(const known *k, const dgm_comparison *comparison, uint64_t seed) {
    check_random random = {seed};
    uint32_t nodes[NODES];
    bool in[NODES] = {false};
    int64_t count = 0, found;
    dgm_differences *differences;
    for (uint32_t u = NODES; u-- > 0;)
        if (check_random_below(&random, 3) == 0) {
            in[u] = true;
            nodes[count++] = u;
        }
    assert_int_equal(dgm_comparison_run(ctx, comparison, nodes, count, &differences), DGM_OK);
    const dgm_difference *list = dgm_differences_list(differences, &found);
    assert_int_equal(found, count_columns(k));
    assert_int_equal(dgm_comparison_columns(comparison), found);
    for (int64_t i = 0; i < found; i++) {
        check_difference(k, &list[i], in);
        assert_near(list[i].p, chance_of(k, &list[i], in), 1e-12);
        assert_near(list[i].q, rate_of(list, found, list[i].p), 1e-12);
        if (i && fabs(list[i].delta) == fabs(list[i - 1].delta))
            assert_true(list[i].p >= list[i - 1].p);
        if (i)
            assert_true(fabs(list[i].delta) <= fabs(list[i - 1].delta));
    }
    dgm_differences_free(differences);
}

static void differences_are_those_of_all_pairs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        known k = {.dense = seed % 2};
        dgm_comparison *comparison;
        build(ctx, &k, seed);
        assert_int_equal(dgm_comparison_create(ctx, k.graph, NULL, &comparison), DGM_OK);
        for (uint64_t set = 1; set <= 4; set++)
            check_set(&k, comparison, 100 * seed + set);
        dgm_comparison_free(comparison);
        dgm_graph_free(k.graph);
    }
    dgm_comparison_free(NULL);
    dgm_differences_free(NULL);
}

/* A survey that keeps only what is likely to matter finds the same as one that keeps all. */
static void a_survey_leaves_out_only_what_it_need_not_keep(void **state) {
    (void)state;
    known k = {0};
    build(ctx, &k, 3);
    dgm_comparison *comparison;
    assert_int_equal(dgm_comparison_create(ctx, k.graph, NULL, &comparison), DGM_OK);
    uint32_t nodes[NODES];
    int64_t offsets[] = {0, 3, 25, 55, NODES}, kept = 0;
    for (uint32_t u = 0; u < NODES; u++)
        nodes[u] = (u * 7) % NODES;
    dgmi_mapper_survey all = {.comparison = comparison,
                              .sets = {4, offsets, nodes},
                              .columns = DGMI_MAPPER_ALL,
                              .least = 1,
                              .level = 1},
                       few = all;
    few.level = 0.2;
    assert_int_equal(dgmi_mapper_survey_run(ctx, &all), DGM_OK);
    assert_int_equal(dgmi_mapper_survey_run(ctx, &few), DGM_OK);
    assert_int_equal(all.tests, all.count);
    assert_int_equal(few.tests, all.tests);
    for (int64_t i = 0; i < all.count; i++) {
        if (all.found[i].p > 0.2)
            continue;
        assert_true(few.found[kept].set == all.found[i].set &&
                    few.found[kept].delta == all.found[i].delta &&
                    few.found[kept].p == all.found[i].p);
        kept++;
    }
    assert_true(kept > 0 && kept == few.count);
    dgmi_free(ctx, all.found);
    dgmi_free(ctx, few.found);
    dgm_comparison_free(comparison);
    dgm_graph_free(k.graph);
}

/* 130 sets in three reports, and one of each column of numbers. */
static void surveys_are_told_every_64_sets(void **state) {
    (void)state;
    enum { SETS = 130 };
    known k = {.dense = true};
    uint32_t nodes[SETS];
    int64_t offsets[SETS + 1];
    dgm_comparison *comparison;
    build(ctx, &k, 4);
    for (int i = 0; i <= SETS; i++) {
        offsets[i] = i;
        nodes[i % SETS] = (uint32_t)(i % NODES);
    }
    hear_progress();
    assert_int_equal(dgm_comparison_create(ctx, k.graph, NULL, &comparison), DGM_OK);
    assert_int_equal(reports_of("ranking attributes"), 1 + WIDTH);
    assert_true(heard_reports[0].fraction == -1);
    dgmi_mapper_survey survey = {.comparison = comparison,
                                 .sets = {SETS, offsets, nodes},
                                 .columns = DGMI_MAPPER_ALL,
                                 .least = 1,
                                 .level = 1};
    hear_progress();
    assert_int_equal(dgmi_mapper_survey_run(ctx, &survey), DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("comparing clusters"), 3);
    for (int i = 0; i < 3; i++)
        assert_near(heard_reports[i].fraction, i * 64.0 / SETS, 1e-15);
    dgmi_free(ctx, survey.found);
    dgm_comparison_free(comparison);
    dgm_graph_free(k.graph);
}

static bool is_seen(const known *k, const char *lens, int kind) {
    dgm_comparison *comparison;
    dgm_differences *differences;
    const uint32_t nodes[] = {0, 1, 2, 3, 4};
    int64_t count;
    bool seen = false;
    assert_int_equal(dgm_comparison_create(ctx, k->graph, lens, &comparison), DGM_OK);
    assert_int_equal(dgm_comparison_run(ctx, comparison, nodes, 5, &differences), DGM_OK);
    const dgm_difference *list = dgm_differences_list(differences, &count);
    for (int64_t i = 0; i < count; i++)
        seen = seen || (list[i].kind == kind && list[i].seen);
    dgm_differences_free(differences);
    dgm_comparison_free(comparison);
    return seen;
}

static void columns_that_the_lens_has_seen_are_marked(void **state) {
    (void)state;
    known k = {0};
    build(ctx, &k, 5);
    assert_true(is_seen(&k, "attr:age", DGM_COLUMN_NUMBER));
    assert_true(is_seen(&k, "degree+attr:age+tsne", DGM_COLUMN_NUMBER));
    assert_false(is_seen(&k, "attr:age", DGM_COLUMN_TEXT));
    assert_false(is_seen(&k, "attr:ages", DGM_COLUMN_NUMBER));
    assert_false(is_seen(&k, "xattr:age", DGM_COLUMN_NUMBER));
    assert_true(is_seen(&k, "dgi+tsne", DGM_COLUMN_FEATURE));
    assert_false(is_seen(&k, "dgi+tsne", DGM_COLUMN_CLASS));
    assert_true(is_seen(&k, "pagerank+gcn", DGM_COLUMN_CLASS));
    assert_true(is_seen(&k, "pagerank+gcn", DGM_COLUMN_FEATURE));
    assert_true(is_seen(&k, "labels", DGM_COLUMN_CLASS));
    assert_false(is_seen(&k, "labels", DGM_COLUMN_FEATURE));
    assert_false(is_seen(&k, "", DGM_COLUMN_CLASS));
    dgm_graph_free(k.graph);
}

static void a_set_must_be_one_of_the_graph(void **state) {
    (void)state;
    known k = {0};
    dgm_comparison *comparison;
    dgm_differences *differences;
    const uint32_t twice[] = {1, 2, 1}, far[] = {1, NODES};
    uint32_t all[NODES];
    int64_t count;
    build(ctx, &k, 6);
    assert_int_equal(dgm_comparison_create(ctx, k.graph, NULL, &comparison), DGM_OK);
    ASSERT_FAILS(dgm_comparison_run(ctx, comparison, twice, 3, &differences), DGM_ERROR_USAGE,
                 "node 1 is named twice in the set");
    ASSERT_FAILS(dgm_comparison_run(ctx, comparison, far, 2, &differences), DGM_ERROR_USAGE,
                 "node 60 is none of the graph, which has 60");
    assert_null(differences);
    for (uint32_t u = 0; u < NODES; u++)
        all[u] = u;
    for (int whole = 0; whole < 2; whole++) {
        assert_int_equal(dgm_comparison_run(ctx, comparison, all, whole ? NODES : 0, &differences),
                         DGM_OK);
        dgm_differences_list(differences, &count);
        assert_int_equal(count, 0); /* there is nobody on the other side */
        dgm_differences_free(differences);
    }
    dgm_comparison_free(comparison);
    dgm_graph_free(k.graph);
}

/* Columns in which all nodes are equal, and texts of one node, are no columns. */
static void columns_that_tell_nothing_are_left_out(void **state) {
    (void)state;
    const double same[] = {2, 2, 2, 2}, missing[] = {NAN, 7, NAN, INFINITY};
    const char *const towns[] = {"x", "x", "y", "z"};
    const int32_t one[] = {4, 4, 4, -1};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_comparison *comparison;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 4), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 4, one), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "same", 4, same), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "missing", 4, missing), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", 4, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_comparison_create(ctx, graph, "", &comparison), DGM_OK);
    assert_int_equal(dgm_comparison_columns(comparison), 1); /* town = x */
    assert_int_equal(dgm_comparison_left_out(comparison), 0);
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
}

static void dense_features_are_left_out_if_they_are_too_many(void **state) {
    (void)state;
    enum { WIDE = 1 << 12, ROWS = (1 << 11) + 1 };
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_comparison *comparison;
    float *values = calloc((size_t)WIDE * ROWS, sizeof *values);
    assert_non_null(values);
    const dgm_graph_features features = {.width = WIDE, .values = values};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, ROWS), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, ROWS, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_comparison_create(ctx, graph, NULL, &comparison), DGM_OK);
    assert_int_equal(dgm_comparison_left_out(comparison), WIDE);
    assert_int_equal(dgm_comparison_columns(comparison), 0);
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
    free(values);
}

static dgm_status compare_once(dgm_context *own, void *argument) {
    const known *k = argument;
    const uint32_t nodes[] = {3, 9, 27, 50};
    dgm_comparison *comparison = NULL;
    dgm_differences *differences = NULL;
    dgm_status status = dgm_comparison_create(own, k->graph, "attr:age", &comparison);
    if (status == DGM_OK)
        status = dgm_comparison_run(own, comparison, nodes, 4, &differences);
    dgm_differences_free(differences);
    dgm_comparison_free(comparison);
    return status;
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    known k = {.dense = true};
    build(ctx, &k, 7);
    fail_each_allocation(compare_once, &k);
    dgm_graph_free(k.graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_those_of_all_pairs),
        cmocka_unit_test(a_survey_leaves_out_only_what_it_need_not_keep),
        cmocka_unit_test(surveys_are_told_every_64_sets),
        cmocka_unit_test(columns_that_the_lens_has_seen_are_marked),
        cmocka_unit_test(a_set_must_be_one_of_the_graph),
        cmocka_unit_test(columns_that_tell_nothing_are_left_out),
        cmocka_unit_test(dense_features_are_left_out_if_they_are_too_many),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
