/* SPDX-License-Identifier: Apache-2.0 */
/* What is given to be written: options that nobody made, and things that are half known. */
#include "unit_fixture.h"

#include "export_sample.h"

static void options_that_nobody_initialised_are_refused(void **state) {
    (void)state;
    const dgm_figure_options options = {.size = 0};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_export_subject subject = sample_subject(&made);
    char *text;
    subject.figure = &options;
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &text, NULL),
                     DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_figure_options was not initialised");
    assert_null(text);
    sample_free(&made);
}

/* Without members there are no names that the graph would have to tell. */
static void a_summary_without_clusters_is_written_without_its_graph(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_size = 100;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 5}, &options);
    dgm_export_subject subject = sample_subject(&made);
    char *text;
    subject.graph = NULL;
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &text, NULL), DGM_OK);
    ASSERT_HAS(text, "\"nodes\": [],");
    dgm_export_text_free(ctx, text);
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_MD, 0, &text, NULL), DGM_OK);
    ASSERT_HAS(text, "The summary has no clusters.\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* The last digits depend on both, so that one of them alone says nothing. */
static void a_machine_is_told_where_all_of_it_is_known(void **state) {
    (void)state;
    static const struct {
        const char *kernels, *blas, *words; /* words NULL: it is not told */
    } cases[] = {
        {"avx2", "Zen", "\"machine\": {\"kernels\": \"avx2\", \"blas\": \"Zen\"}}"},
        {"avx2", NULL, NULL},
        {NULL, "Zen", NULL},
    };
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_provenance provenance = sample_provenance;
        provenance.kernels = cases[i].kernels;
        provenance.blas = cases[i].blas;
        assert_int_equal(dgm_summary_set_provenance(ctx, made.summary, &provenance), DGM_OK);
        char *text = sample_text(ctx, &made, DGM_EXPORT_JSON, 0);
        if (cases[i].words)
            ASSERT_HAS(text, cases[i].words);
        else
            assert_null(strstr(text, "\"machine\""));
        dgm_export_text_free(ctx, text);
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_nobody_initialised_are_refused),
        cmocka_unit_test(a_summary_without_clusters_is_written_without_its_graph),
        cmocka_unit_test(a_machine_is_told_where_all_of_it_is_known),
    };
    return RUN_WITH_CONTEXT(tests);
}
