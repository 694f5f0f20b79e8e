/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings by name and keys. */
#include "unit_fixture.h"

#include "pool_settings.h"

static dgmi_pool_request parse(const char *specification) {
    dgmi_pool_request request;
    if (dgmi_pool_parse(ctx, specification, &request) != DGM_OK)
        fail_msg("%s: %s", specification, dgm_context_error(ctx));
    return request;
}

static void every_kind_can_be_named(void **state) {
    (void)state;
    size_t count = 0;
    for (const dgm_pool_kind *kind; (kind = dgm_pool_kind_at(count)); count++) {
        assert_int_equal(dgm_pool_check(ctx, kind->name), DGM_OK);
        dgmi_pool_request request = parse(kind->name);
        assert_int_equal(request.options.method, count);
        assert_string_equal(dgmi_pool_name(&request), kind->name);
        assert_true(kind->help && *kind->help);
    }
    assert_int_equal(count, DGM_POOL_NONE + 1);
}

/* What a graph alone decides is not learned. */
static void partitions_and_selections_learn(void **state) {
    (void)state;
    static const int learning[] = {DGM_POOL_TOPK, DGM_POOL_SAGPOOL, DGM_POOL_MINCUT,
                                   DGM_POOL_DIFFPOOL};
    for (int method = 0; method <= DGM_POOL_NONE; method++) {
        bool learns = false;
        for (int64_t i = 0; i < COUNT(learning); i++)
            learns = learns || learning[i] == method;
        assert_true(dgm_pool_kind_at((size_t)method)->learns == learns);
    }
}

/* A lens is kept in full, with the keys that PageRank has here before those of the caller. */
static void a_lens_has_room_for_so_many_characters(void **state) {
    (void)state;
    static const char before[] = "pagerank:weighted=true,tolerance=1e-13,";
    for (int more = 0; more < 2; more++) {
        char given[DGMI_SPEC_LONGEST + 64] = "mpr:lens=pagerank:alpha=0.5";
        size_t longest = DGMI_SPEC_LONGEST - 1 - strlen(before) + (size_t)more;
        size_t used = strlen("alpha=0.5"), length = strlen(given);
        memset(given + length, '0', longest - used);
        given[length + longest - used] = '\0';
        assert_int_equal(dgm_pool_check(ctx, given), DGM_ERROR_USAGE); /* it is no number */
        assert_true((strcmp(dgm_context_error(ctx), "a lens is given in at most 4095 characters") ==
                     0) == (more == 1));
    }
}

static void bounds_of_keys_may_be_met(void **state) {
    (void)state;
    assert_int_equal(parse("mpr:clusters=100000").clusters[0], 100000);
    assert_int_equal(parse("mpr:clusters=1-1-1-1-1-1-1-1").given, 8);
    assert_true(parse("mpr:overlap=0").options.overlap == 0);
    assert_int_equal(parse("mpr:axes=2").options.axes, 2);
    assert_true(parse("topk:ratio=1").options.ratio == 1);
    assert_true(parse("topk:ratio=0.001").options.ratio == 0.001);
}

static void methods_have_values_of_their_own(void **state) {
    (void)state;
    assert_true(parse("topk").options.ratio == 0.5);
    assert_true(parse("mincut").options.ratio == 0.25);
    assert_true(parse("diffpool").options.ratio == 0.1);
    assert_int_equal(parse("topk").options.gate, DGM_GATE_SIGMOID);
    assert_int_equal(parse("sagpool").options.gate, DGM_GATE_TANH);
    assert_int_equal(parse("mpr").clusters[0], 20);
    assert_int_equal(parse("mpr").clusters[1], 5);
}

static void clusters_are_given_level_by_level(void **state) {
    (void)state;
    dgmi_pool_request request = parse("mpr:clusters=8-3-2");
    for (int level = 0; level < 5; level++)
        assert_int_equal(dgmi_pool_clusters(&request, level, 1000), level == 0   ? 8
                                                                    : level == 1 ? 3
                                                                                 : 2);
    request = parse("mincut:clusters=7");
    assert_int_equal(dgmi_pool_clusters(&request, 1, 1000), 7);
    request = parse("mincut:ratio=0.5");
    assert_int_equal(dgmi_pool_clusters(&request, 1, 21), 6);
}

static void pagerank_and_degree_follow_weights(void **state) {
    (void)state;
    assert_string_equal(parse("mpr").lens, "pagerank:weighted=true,tolerance=1e-13");
    assert_string_equal(parse("mpr:lens=pagerank:alpha=0.5").lens,
                        "pagerank:weighted=true,tolerance=1e-13,alpha=0.5");
    assert_string_equal(parse("mpr:lens=degree").lens, "strength");
    assert_string_equal(parse("mpr:lens=density:delta=2;cutoff=5").lens,
                        "density:delta=2,cutoff=5");
    dgmi_pool_request learned = parse("mpr:lens=learned");
    assert_true(dgmi_pool_learns_lens(&learned));
    assert_int_equal(learned.family, DGMI_POOL_DENSE);
}

static void mistakes_are_told(void **state) {
    (void)state;
    static const struct {
        const char *specification, *part;
    } bad[] = {
        {"mincot", "did you mean 'mincut'?"},
        {"sum:ratio=2", "takes no keys"},
        {"mpr:cluster=3", "did you mean 'clusters'?"},
        {"mpr:clusters=", "clusters"},
        {"mpr:clusters=3-", "clusters '3-'"},
        {"mpr:clusters=-3", "clusters '-3'"},
        {"mpr:clusters=3--2", "clusters '3--2'"},
        {"mpr:clusters=0", "whole numbers from 1 to 100000"},
        {"mpr:clusters=100001", "whole numbers from 1 to 100000"},
        {"mpr:clusters=2.5", "whole numbers from 1 to 100000"},
        {"mpr:clusters=1-1-1-1-1-1-1-1-1", "at most 8 levels"},
        {"mpr:overlap=1", "overlap takes a number from 0 to below 1, not '1'"},
        {"mpr:overlap=-0.1", "overlap takes a number from 0 to below 1, not '-0.1'"},
        {"mpr:lens=pagerang", "pagerang"},
        {"mpr:lens=learned,variant=newest", "variant=paper"},
        {"mpr:axes=3", "axes takes a whole number from 1 to 2, not '3'"},
        {"mpr:axes=0", "axes takes a whole number from 1 to 2, not '0'"},
        {"topk:ratio=0", "ratio"},
        {"topk:gate=relu", "gate"},
    };
    for (int64_t i = 0; i < COUNT(bad); i++) {
        if (dgm_pool_check(ctx, bad[i].specification) != DGM_ERROR_USAGE)
            fail_msg("%s is taken", bad[i].specification);
        if (!strstr(dgm_context_error(ctx), bad[i].part))
            fail_msg("%s: %s", bad[i].specification, dgm_context_error(ctx));
    }
}

static void options_of_a_caller_are_checked_alike(void **state) {
    (void)state;
    dgm_pool_options options = DGM_POOL_OPTIONS_INIT;
    dgmi_pool_request request;
    assert_int_equal(dgmi_pool_take(ctx, &options, &request), DGM_OK);
    assert_int_equal(request.clusters[0], 20);
    options.clusters = "4-x";
    assert_int_equal(dgmi_pool_take(ctx, &options, &request), DGM_ERROR_USAGE);
    options = (dgm_pool_options)DGM_POOL_OPTIONS_INIT;
    options.method = DGM_POOL_NONE + 1;
    ASSERT_FAILS(dgmi_pool_take(ctx, &options, &request), DGM_ERROR_USAGE,
                 "there is no pooling with number 10");
    options = (dgm_pool_options)DGM_POOL_OPTIONS_INIT;
    options.overlap = 1;
    assert_int_equal(dgmi_pool_take(ctx, &options, &request), DGM_ERROR_USAGE);
}

/* The keys of a preset stand before those that were given, which win. */
static void presets_give_way(void **state) {
    (void)state;
    static const struct {
        const char *given;
        int64_t clusters; /* of the first level, in graphs of 100 nodes */
        double overlap;
    } cases[] = {{"mpr", 20, 0.25},
                 {"mpr:overlap=0.5", 20, 0.5},
                 {"mpr:clusters=3", 3, 0.25},
                 {"mincut", 25, 0.25},
                 {"mincut:clusters=3", 3, 0.25},
                 {"mincut:ratio=0.5", 50, 0.25},
                 {"diffpool:clusters=3", 3, 0.25}};
    const int64_t starts[] = {0, 1, 2};
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_set_create(ctx, build_graph(NULL, 2, 0, NULL, NULL), 2, starts,
                                          (const int32_t[]){0, 1}, &set),
                     DGM_OK);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
        static dgmi_pool_settings settings;
        options.pool = cases[i].given;
        if (dgmi_pool_settings_make(ctx, set, &options, &settings) != DGM_OK)
            fail_msg("%s: %s", cases[i].given, dgm_context_error(ctx));
        assert_int_equal(dgmi_pool_clusters(&settings.request, 0, 100), cases[i].clusters);
        assert_true(settings.request.options.overlap == cases[i].overlap);
    }
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_can_be_named),
        cmocka_unit_test(partitions_and_selections_learn),
        cmocka_unit_test(a_lens_has_room_for_so_many_characters),
        cmocka_unit_test(bounds_of_keys_may_be_met),
        cmocka_unit_test(methods_have_values_of_their_own),
        cmocka_unit_test(clusters_are_given_level_by_level),
        cmocka_unit_test(pagerank_and_degree_follow_weights),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(presets_give_way),
        cmocka_unit_test(options_of_a_caller_are_checked_alike),
    };
    return RUN_WITH_CONTEXT(tests);
}
