/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses by name. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdio.h>

#include "lens_lens.h"

static void good_specifications_are_taken(void **state) {
    (void)state;
    static const char *const good[] = {"pagerank",
                                       "pagerank:",
                                       "pagerank:alpha=0.5",
                                       "pagerank:alpha=0,tolerance=1e-3,iterations=5",
                                       "pagerank:weighted",
                                       "pagerank:weighted=false,alpha=0.9",
                                       "degree",
                                       "labels",
                                       "attr:height",
                                       "attr:a name, with=commas: and more"};
    for (int64_t i = 0; i < COUNT(good); i++)
        if (dgm_lens_check(ctx, good[i]) != DGM_OK)
            fail_msg("%s: %s", good[i], dgm_context_error(ctx));
}

static void bad_specifications_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      ":alpha=0.5",
                                      "PageRank",
                                      "pagerank ",
                                      "pagerank:alpha",
                                      "pagerank:alpha=",
                                      "pagerank:alpha=x",
                                      "pagerank:alpha=1",
                                      "pagerank:alpha=-0.1",
                                      "pagerank:iterations=0",
                                      "pagerank:iterations=2.5",
                                      "pagerank:weighted=maybe",
                                      "pagerank:beta=1",
                                      "pagerank:alpha=0.5,,weighted",
                                      "degree:alpha=0.5",
                                      "labels:x",
                                      "attr",
                                      "attr:"};
    for (int64_t i = 0; i < COUNT(bad); i++)
        if (dgm_lens_check(ctx, bad[i]) != DGM_ERROR_USAGE)
            fail_msg("'%s' is taken for a lens", bad[i]);
}

static void the_words_say_what_would_be_right(void **state) {
    (void)state;
    assert_int_equal(dgm_lens_check(ctx, "pagernak"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx),
               "there is no lens 'pagernak'; did you mean 'pagerank'? (known: pagerank, degree, ");
    ASSERT_HAS(dgm_context_error(ctx), "attr:NAME)");
    assert_int_equal(dgm_lens_check(ctx, "hexagonality"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx),
               "there is no lens 'hexagonality'; known lenses: pagerank, degree, ");
    assert_int_equal(dgm_lens_check(ctx, "pagerank:alhpa=0.5"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "the lens 'pagerank' has no key 'alhpa' (it takes alpha, ");
    ASSERT_HAS(dgm_context_error(ctx), "; did you mean 'alpha'?");
    assert_int_equal(dgm_lens_check(ctx, "pagerank:q=1"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "the lens 'pagerank' has no key 'q' (it takes alpha, ");
    assert_null(strstr(dgm_context_error(ctx), "did you mean"));
    ASSERT_FAILS(dgm_lens_check(ctx, "degree:k=1"), DGM_ERROR_USAGE,
                 "the lens 'degree' takes no keys, not 'k'");
    ASSERT_FAILS(dgm_lens_check(ctx, "attr"), DGM_ERROR_USAGE,
                 "the lens 'attr' needs the attribute's name: attr:NAME");
    assert_int_equal(dgm_lens_check(ctx, "pagerank:alpha=1"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "alpha takes a number from 0 to below 1, not '1'");
}

static void a_specification_without_end_is_refused(void **state) {
    (void)state;
    static char text[100000];
    memset(text, 'a', sizeof text - 1);
    memcpy(text, "attr:", 5);
    assert_int_equal(dgm_lens_check(ctx, text), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "a lens is given in at most ");
    text[300] = '\0';
    assert_int_equal(dgm_lens_check(ctx, text), DGM_OK);
}

/* With alpha 0 every rank is 1 / n; with the default the middle of a path is 18/37. */
static void keys_reach_the_lens(void **state) {
    (void)state;
    dgm_graph *graph =
        build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, (const double[]){3, 1});
    dgm_matrix *lens;
    assert_int_equal(lens_axes(ctx, graph, "pagerank:alpha=0", 1, &lens), DGM_OK);
    assert_near(dgm_matrix_values(lens)[1], 1.0 / 3, 1e-15);
    dgm_matrix_free(lens);
    assert_int_equal(lens_axes(ctx, graph, "pagerank", 1, &lens), DGM_OK);
    assert_near(dgm_matrix_values(lens)[1], 18.0 / 37, 1e-10);
    assert_near(dgm_matrix_values(lens)[0], dgm_matrix_values(lens)[2], 0);
    dgm_matrix_free(lens);
    assert_int_equal(lens_axes(ctx, graph, "pagerank:weighted", 1, &lens), DGM_OK);
    assert_true(dgm_matrix_values(lens)[0] > dgm_matrix_values(lens)[2] + 0.1);
    dgm_matrix_free(lens);
    assert_int_equal(lens_axes(ctx, graph, "degree", 1, &lens), DGM_OK);
    assert_near(dgm_matrix_values(lens)[1], 2, 0);
    dgm_matrix_free(lens);
    assert_int_equal(lens_axes(ctx, graph, "nothing", 1, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    assert_int_equal(lens_axes(ctx, graph, "attr:x", 1, &lens), DGM_ERROR_DATA);
    assert_null(lens);
    dgm_graph_free(graph);
}

static void every_lens_is_listed_with_its_help(void **state) {
    (void)state;
    const dgm_lens_kind *kind;
    size_t count = 0;
    for (; (kind = dgm_lens_kind_at(count)); count++) {
        char specification[128]; /* each is taken, with a name where it needs one */
        snprintf(specification, sizeof specification, "%s%s", kind->name,
                 kind->flags & DGM_LENS_NEEDS_NAME ? ":x" : "");
        assert_int_equal(dgm_lens_check(ctx, specification), DGM_OK);
        assert_true(strlen(kind->help) > 0);
        assert_ptr_equal(dgm_lens_find(specification), kind);
    }
    assert_true(count >= 4);
    assert_string_equal(dgm_lens_kind_at(0)->name, "pagerank");
    assert_ptr_equal(dgm_lens_kind_at(0)->options, dgm_pagerank_option_table());
}

static void a_lens_says_what_is_special_about_it(void **state) {
    (void)state;
    const dgm_lens_kind *gcn = dgm_lens_find("gcn:epochs=5"), *dgi = dgm_lens_find("dgi");
    assert_int_equal(gcn->flags, DGM_LENS_NETWORK | DGM_LENS_CLASSIFIES | DGM_LENS_NEEDS_LABELS |
                                     DGM_LENS_VARIES);
    assert_int_equal(gcn->model, DGM_MODEL_GCN);
    assert_int_equal(dgi->flags, DGM_LENS_NETWORK | DGM_LENS_VARIES);
    assert_int_equal(dgi->model, DGM_MODEL_DGI);
    assert_int_equal(dgm_lens_find("attr:x")->flags, DGM_LENS_NEEDS_NAME);
    assert_int_equal(dgm_lens_find("pagerank")->flags, 0);
    assert_null(dgm_lens_find("gc"));
    assert_null(dgm_lens_find("gcnn"));
    assert_null(dgm_lens_find(""));
    for (int k = 0; dgm_model_names()[k]; k++) /* a model is a lens of the same name */
        assert_int_equal(dgm_lens_find(dgm_model_names()[k])->model, k);
}

static void what_is_no_finite_number_is_named_by_lens_and_node(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *words;
    } cases[] = {{NAN, "the lens 'height' is no number at node '1': weights or features are too "
                       "large or too small for it; scale them"},
                 {INFINITY,
                  "the lens 'height' is infinite at node '1': weights or features are too "
                  "large or too small for it; scale them"}};
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_matrix *lens = build_matrix(2, 2, (const double[]){0, 1, 2, cases[i].value});
        assert_int_equal(dgm_matrix_set_column_name(ctx, lens, 1, "height"), DGM_OK);
        ASSERT_FAILS(dgmi_lens_check_finite(ctx, graph, lens), DGM_ERROR_DATA, cases[i].words);
        dgm_matrix_free(lens);
    }
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_specifications_are_taken),
        cmocka_unit_test(bad_specifications_are_refused),
        cmocka_unit_test(the_words_say_what_would_be_right),
        cmocka_unit_test(a_specification_without_end_is_refused),
        cmocka_unit_test(keys_reach_the_lens),
        cmocka_unit_test(every_lens_is_listed_with_its_help),
        cmocka_unit_test(a_lens_says_what_is_special_about_it),
        cmocka_unit_test(what_is_no_finite_number_is_named_by_lens_and_node),
    };
    return RUN_WITH_CONTEXT(tests);
}
