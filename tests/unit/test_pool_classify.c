/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_progress.h"

#include <jansson.h>
#include <math.h>

#include "graph_set.h"
#include "pool_rings.h"
#include "pool_runs.h"
#include "unit_faults.h"

static const char *const pools[] = {"mpr:clusters=3-2",
                                    "mpr:lens=random,clusters=3-2",
                                    "mpr:lens=learned,clusters=3-2",
                                    "topk",
                                    "sagpool",
                                    "mincut",
                                    "diffpool",
                                    "graclus",
                                    "sum",
                                    "mean",
                                    "max",
                                    "none"};

/* ---- threads ---- */

static void compare_threads(const dgm_graph_set *set, const char *what) {
    static const int threads[] = {2, 5};
    dgm_context_set_threads(ctx, 1);
    char *alone = run_json(set);
    for (int64_t t = 0; t < COUNT(threads); t++) {
        dgm_context_set_threads(ctx, threads[t]);
        char *together = run_json(set);
        if (strcmp(alone, together) != 0)
            fail_msg("%s with %d threads:\n%s\nis not\n%s", what, threads[t], together, alone);
        free(together);
    }
    dgm_context_set_threads(ctx, 0);
    free(alone);
}

static void results_are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    for (int64_t i = 0; i < COUNT(pools); i++) {
        ask(pools[i]);
        compare_threads(set, pools[i]);
    }
    dgm_graph_set_free(set);
}

/* One fold has all threads for itself, and networks of a search differ in size. */
static void searches_seeds_and_single_folds_do_not_depend_on_threads_either(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    ask("sum");
    asked.search = "width=4;16;8 rate=1e-2;1e-3";
    asked.seeds = 2;
    compare_threads(set, "a search");
    ask("mpr:lens=random,clusters=3-2");
    asked.first = 1;
    compare_threads(set, "one fold");
    ask("mean");
    asked.net = DGM_NET_MLP;
    compare_threads(set, "mlp");
    ask("none");
    asked.net = DGM_NET_GIN;
    compare_threads(set, "gin");
    dgm_graph_set_free(set);
}

/* ---- what is in a report ---- */

static double number_at(const json_t *root, const char *key) {
    const json_t *value = json_object_get(root, key);
    if (!json_is_number(value))
        fail_msg("%s is no number", key);
    return json_number_value(value);
}

static void a_report_and_its_json_say_the_same(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    ask("sum");
    asked.seeds = 2;
    dgm_classify_report *report = classify(set);
    dgm_classify_summary summary;
    assert_int_equal(dgm_classify_report_summary(ctx, report, &summary), DGM_OK);
    int64_t runs;
    int32_t classes;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &runs);
    const int64_t *confusion = dgm_classify_report_confusion(report, &classes);
    assert_int_equal(runs, 8);
    assert_int_equal(classes, 2);
    char *text;
    assert_int_equal(dgm_classify_report_json(ctx, report, &text), DGM_OK);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    dgm_export_text_free(ctx, text);
    double sum = 0;
    int64_t tested = 0;
    for (int64_t i = 0; i < runs; i++) {
        assert_int_equal(folds[i].seed, 1 + i / 4);
        assert_int_equal(folds[i].fold, i % 4);
        assert_int_equal(folds[i].tested, 4);
        assert_true(folds[i].seconds >= 0);
        sum += folds[i].accuracy;
        tested += folds[i].tested;
        const json_t *entry = json_array_get(json_object_get(root, "folds"), (size_t)i);
        assert_true(json_number_value(entry) == folds[i].accuracy);
    }
    assert_near(summary.mean, sum / 8, 1e-15);
    assert_true(number_at(root, "mean") == summary.mean);
    assert_true(number_at(root, "ci95") == summary.ci95);
    assert_true(number_at(root, "ci95_corrected") == summary.ci95_corrected);
    assert_true(number_at(root, "seconds") == summary.seconds);
    assert_int_equal((int64_t)number_at(root, "parameters"), summary.parameters);
    assert_int_equal(summary.parameters, (9 + 1) * 8 + 5 * (8 + 1) * 8 + (8 + 1) * 2);
    assert_int_equal((int64_t)number_at(root, "tensor_bytes"), summary.bytes);
    assert_int_equal((int64_t)number_at(root, "width"), 8);
    assert_int_equal((int64_t)number_at(root, "epochs"), 3);
    assert_true(number_at(root, "rate") == 0.01);
    assert_int_equal((int64_t)number_at(root, "seed"), 1);
    assert_int_equal((int64_t)number_at(root, "fold_count"), 4);
    assert_string_equal(json_string_value(json_object_get(root, "pool")), "sum");
    assert_string_equal(json_string_value(json_object_get(root, "net")), "gcn");
    int64_t all = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        all += confusion[i];
        right += i % 3 == 0 ? confusion[i] : 0;
        const json_t *row = json_array_get(json_object_get(root, "confusion"), (size_t)i / 2);
        assert_int_equal(json_integer_value(json_array_get(row, (size_t)i % 2)), confusion[i]);
    }
    assert_int_equal(all, tested);
    assert_near((double)right / (double)all, summary.mean, 1e-12);
    assert_null(json_object_get(root, "search"));
    assert_null(json_object_get(root, "against"));
    json_decref(root);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

static void the_first_folds_alone_are_those_of_all(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    ask("mean");
    dgm_classify_report *all = classify(set);
    asked.first = 2;
    dgm_classify_report *some = classify(set);
    int64_t count;
    const dgm_fold_result *a = dgm_classify_report_folds(all, &count);
    assert_int_equal(count, 4);
    const dgm_fold_result *b = dgm_classify_report_folds(some, &count);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(a[i].accuracy == b[i].accuracy && a[i].loss == b[i].loss);
    dgm_classify_report_free(all);
    dgm_classify_report_free(some);
    dgm_graph_set_free(set);
}

/* Folds and first weights depend on the seed, and a second seed is the first of another run. */
static void seeds_are_runs_of_their_own(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    for (int random = 0; random < 2; random++) {
        static const char *const lenses[] = {"mpr:clusters=3-2", "mpr:lens=random,clusters=3-2"};
        ask(lenses[random]);
        asked.seeds = 2;
        dgm_classify_report *both = classify(set);
        asked.seeds = 1;
        asked.seed = 2;
        dgm_classify_report *second = classify(set);
        int64_t count;
        const dgm_fold_result *a = dgm_classify_report_folds(both, &count);
        const dgm_fold_result *b = dgm_classify_report_folds(second, &count);
        for (int i = 0; i < 4; i++) {
            assert_true(a[4 + i].accuracy == b[i].accuracy && a[4 + i].loss == b[i].loss);
            assert_true(a[i].loss != b[i].loss);
        }
        dgm_classify_report_free(both);
        dgm_classify_report_free(second);
    }
    dgm_graph_set_free(set);
}

static void all_methods_have_the_same_folds(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    char *first = NULL;
    for (int64_t i = 0; i < COUNT(pools); i++) {
        ask(pools[i]);
        asked.epochs = 1;
        asked.first = 1;
        char *json = run_json(set), *hashes = strstr(json, "\"fold_hashes\"");
        assert_non_null(hashes);
        hashes[strcspn(hashes, "\n")] = '\0';
        if (first)
            assert_string_equal(hashes, first);
        else
            first = strdup(hashes);
        free(json);
    }
    free(first);
    dgm_graph_set_free(set);
}

/* ---- searching ---- */

static const int32_t given_folds[] = {0, 1, 2, 2, 0, 1, 2, 2, 0, 1, 2, 2, 0, 1, 2, 2};

/* Shapes are mixed so that some settings do badly on the test fold; with `turned`, its graphs have
 * the other class each. */
static dgm_graph_set *make_turned(bool turned) {
    int32_t shapes[16], labels[16];
    for (int g = 0; g < 16; g++) {
        shapes[g] = g * 5 / 3 % 2;
        labels[g] = given_folds[g] == 0 && turned ? 1 - shapes[g] : shapes[g];
    }
    dgm_graph_set *set = make_shapes(16, shapes, labels);
    assert_int_equal(dgmi_graph_set_give_folds(ctx, set, 3, given_folds), DGM_OK);
    return set;
}

/* What is right becomes wrong on the test fold, and everything but the test's own result stays. If
 * the search looked at the test fold, it would take another setting. */
static void a_search_never_looks_at_the_test_fold(void **state) {
    (void)state;
    dgm_graph_set *plain = make_turned(false), *turned = make_turned(true);
    for (int64_t seed = 1; seed <= 4; seed++) {
        ask("sum");
        asked.folds = "files";
        asked.first = 1;
        asked.seed = seed;
        asked.search = "rate=1e-9;1e-2;5e-2 width=2;8";
        dgm_classify_report *a = classify(plain), *b = classify(turned);
        int64_t count;
        const dgm_fold_result *one = dgm_classify_report_folds(a, &count);
        const dgm_fold_result *other = dgm_classify_report_folds(b, &count);
        assert_near(one->accuracy, 1 - other->accuracy, 1e-12);
        assert_int_equal(one->setting, other->setting);
        assert_int_equal(one->epoch, other->epoch);
        assert_true(one->validation == other->validation && one->train == other->train);
        assert_true(one->loss == other->loss);
        dgm_classify_report_free(a);
        dgm_classify_report_free(b);
    }
    dgm_graph_set_free(plain);
    dgm_graph_set_free(turned);
}

/* Each setting by itself, and the best of them by validation, the first of equals. */
static void a_search_takes_the_first_best_setting_by_validation(void **state) {
    (void)state;
    static const double rates[] = {1e-9, 1e-3, 2e-2, 5e-2};
    dgm_graph_set *set = make_rings(16);
    double validation[4], accuracy[4];
    int64_t count, best = 0;
    for (int i = 0; i < 4; i++) {
        ask("sum");
        asked.first = 1;
        asked.epochs = 10;
        asked.rate = rates[i];
        dgm_classify_report *report = classify(set);
        validation[i] = dgm_classify_report_folds(report, &count)->validation;
        accuracy[i] = dgm_classify_report_folds(report, &count)->accuracy;
        best = validation[i] > validation[best] ? i : best;
        dgm_classify_report_free(report);
    }
    asked.search = "rate=1e-9;1e-3;2e-2;5e-2";
    dgm_classify_report *report = classify(set);
    const dgm_fold_result *found = dgm_classify_report_folds(report, &count);
    assert_true(best > 0); /* otherwise any search would do */
    assert_int_equal(found->setting, best);
    assert_true(found->validation == validation[best] && found->accuracy == accuracy[best]);
    char *json = json_of(report);
    ASSERT_HAS(json,
               "\"settings\": [\n    {\"width\": 8, \"layers\": 2, \"batch\": 4, \"dropout\": "
               "0.5, \"rate\": 1e-09, \"decay\": 0},");
    free(json);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

static void progress_adds_up_over_folds_and_settings(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    ask("sum");
    asked.search = "rate=1e-2;1e-3";
    dgm_context_set_threads(ctx, 1);
    hear_progress();
    dgm_classify_report_free(classify(set));
    hear_no_more();
    dgm_context_set_threads(ctx, 0);
    double before = 0;
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "training") == 0) {
            assert_true(heard_reports[i].fraction >= before);
            assert_true(heard_reports[i].fraction - before < 0.1);
            before = heard_reports[i].fraction;
        }
    assert_near(before, 1, 1e-12);
    dgm_graph_set_free(set);
}

/* ---- graphs that are nothing much ---- */

/* Graph 1 has no nodes, graph 4 no edges, graph 7 one node. */
static dgm_graph_set *make_poor(void) {
    const int64_t offsets[] = {0, 3, 3, 6, 9, 12, 15, 18, 19, 22};
    const uint32_t ends[] = {0,  1,  1,  2,  3,  4,  4,  5,  6,  7,  7,  8,  12,
                             13, 13, 14, 14, 12, 15, 16, 19, 20, 20, 21, 21, 19};
    const int32_t labels[] = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    dgm_graph *united = build_graph(NULL, 22, 13, ends, NULL);
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_set_create(ctx, united, 9, offsets, labels, &set), DGM_OK);
    return set;
}

static void graphs_without_nodes_or_edges_are_pooled_by_every_method(void **state) {
    (void)state;
    static const int nets[] = {DGM_NET_GCN, DGM_NET_GIN, DGM_NET_MLP};
    dgm_graph_set *set = make_poor();
    for (int64_t i = 0; i < COUNT(pools); i++)
        for (int64_t n = 0; n < COUNT(nets); n++) {
            ask(pools[i]);
            asked.folds = "3";
            asked.net = nets[n];
            asked.batch = 1; /* so that a graph without nodes is a batch, too */
            dgm_classify_report *report = classify(set);
            int64_t count;
            const dgm_fold_result *folds = dgm_classify_report_folds(report, &count);
            for (int64_t f = 0; f < count; f++) {
                assert_int_equal(folds[f].tested, 3);
                assert_true(isfinite(folds[f].loss));
            }
            dgm_classify_report_free(report);
        }
    dgm_graph_set_free(set);
}

static void more_clusters_than_nodes_are_no_harm(void **state) {
    (void)state;
    static const char *const many[] = {"mpr:clusters=100-50", "mpr:lens=learned,clusters=40-30",
                                       "mincut:clusters=40-30", "diffpool:clusters=40-30"};
    dgm_graph_set *set = make_poor();
    for (int64_t i = 0; i < COUNT(many); i++) {
        ask(many[i]);
        asked.folds = "3";
        dgm_classify_report_free(classify(set));
    }
    dgm_graph_set_free(set);
}

/* ---- refusals ---- */

static void refuses(const dgm_graph_set *set, dgm_status status, const char *words) {
    dgm_classify_report *report;
    ASSERT_FAILS(dgm_classify(ctx, set, &asked, &report), status, words);
    assert_null(report);
}

static void what_cannot_be_done_is_said(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(16);
    ask("sum");
    asked.features = DGM_POOL_FEATURES_ATTRIBUTES;
    refuses(set, DGM_ERROR_DATA,
            "the nodes of this set have no attributes; features=auto takes what there is");
    asked.features = DGM_POOL_FEATURES_LABELS;
    refuses(set, DGM_ERROR_DATA,
            "the nodes of this set have no labels; features=auto takes what there is");
    ask("sum");
    asked.folds = "17";
    refuses(set, DGM_ERROR_DATA, "17 folds for 16 graphs; ask for fewer, as folds=16");
    ask("sum");
    asked.net = 3;
    refuses(set, DGM_ERROR_USAGE, "net: 3 is none of its 3 choices");
    ask("sum");
    asked.search = "rat=1";
    refuses(set, DGM_ERROR_USAGE,
            "search: there is no key 'rat' (it takes width, layers, dropout, rate, decay, batch); "
            "did you mean 'rate'?");
    ask("mpr:lens=nosuch");
    dgm_classify_report *report;
    assert_int_equal(dgm_classify(ctx, set, &asked, &report), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "nosuch");
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(searches_seeds_and_single_folds_do_not_depend_on_threads_either),
        cmocka_unit_test(a_report_and_its_json_say_the_same),
        cmocka_unit_test(the_first_folds_alone_are_those_of_all),
        cmocka_unit_test(seeds_are_runs_of_their_own),
        cmocka_unit_test(all_methods_have_the_same_folds),
        cmocka_unit_test(a_search_never_looks_at_the_test_fold),
        cmocka_unit_test(a_search_takes_the_first_best_setting_by_validation),
        cmocka_unit_test(progress_adds_up_over_folds_and_settings),
        cmocka_unit_test(graphs_without_nodes_or_edges_are_pooled_by_every_method),
        cmocka_unit_test(more_clusters_than_nodes_are_no_harm),
        cmocka_unit_test(what_cannot_be_done_is_said),
    };
    return RUN_WITH_CONTEXT(tests);
}
