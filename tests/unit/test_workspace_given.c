/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries that a workspace is given, and sinks that it gives its bytes to. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "workspace_ring.h"

typedef struct {
    char *bytes;
    size_t length, pieces, most;
} memory_sink;

static dgm_status keep_bytes(void *user, const void *bytes, size_t length) {
    memory_sink *sink = user;
    if (++sink->pieces > sink->most)
        return DGM_ERROR_FILE;
    sink->bytes = realloc(sink->bytes, sink->length + length + 1);
    memcpy(sink->bytes + sink->length, bytes, length);
    sink->length += length;
    sink->bytes[sink->length] = '\0';
    return DGM_OK;
}

/* ---- a summary from elsewhere ---- */

static void a_summary_that_is_there_is_shown_with_its_places(void **state) {
    (void)state;
    dgm_summary *summary;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    assert_int_equal(dgm_mapper_run(ctx, graph, axes, &options, &summary), DGM_OK);
    int64_t count = dgm_summary_get_clusters(summary).count;
    double x[16], y[16], radius[16];
    assert_true(count > 2 && count < 16);
    for (int i = 0; i < 16; i++) {
        x[i] = i * 4;
        y[i] = radius[i] = 1;
    }
    const dgm_places places = {.x = x, .y = y, .radius = radius, .layout = DGM_LAYOUT_GRID};
    assert_int_equal(dgm_workspace_set_summary(ctx, workspace, summary, NULL, &places), DGM_OK);
    products made = ask();
    assert_ptr_equal(made.summary, summary);
    assert_true(dgm_view_get_places(made.view).x[2] == 8);
    assert_int_equal(dgm_profile_classes(made.profile), 2);
    dgm_export_subject subject; /* tables have places that are there anyway */
    assert_int_equal(dgm_workspace_subject(ctx, workspace, DGM_PLACING_NONE, &subject), DGM_OK);
    assert_non_null(subject.view);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "layout", "circular"), DGM_OK);
    assert_true(dgm_view_get_places(ask().view).x[2] != 8);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_ptr_not_equal(ask().summary, summary);
    dgm_summary_free(summary);
}

/* The workspace showed its own summary before, of another size. */
static void a_summary_that_is_given_takes_the_place_of_what_was_shown(void **state) {
    (void)state;
    dgm_summary *summary;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    assert_int_equal(dgm_mapper_run(ctx, graph, axes, &options, &summary), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "transform", "rank"), DGM_OK);
    int64_t count = dgm_summary_get_clusters(summary).count;
    products own = ask();
    assert_true(dgm_summary_get_clusters(own.summary).count > count);
    assert_int_equal(dgm_workspace_set_summary(ctx, workspace, summary, NULL, NULL), DGM_OK);
    products made = ask();
    assert_ptr_equal(made.summary, summary);
    assert_int_equal(dgm_profile_clusters(made.profile), count);
    assert_int_equal(dgm_view_marks(made.view), count);
    dgm_summary_free(summary);
}

static void without_a_graph_only_a_summary_can_be_shown(void **state) {
    (void)state;
    dgm_workspace *bare;
    dgm_summary *summary;
    const dgm_profile *profile;
    const dgm_view *view;
    assert_int_equal(dgm_workspace_create(ctx, NULL, &bare), DGM_OK);
    const dgm_sink nowhere = {keep_bytes, &(memory_sink){NULL, 0, 0, 0}};
    ASSERT_FAILS(dgm_workspace_write(ctx, bare, DGM_EXPORT_JSON, 0, &nowhere), DGM_ERROR_USAGE,
                 "the workspace has neither axes nor a summary");
    ASSERT_FAILS(dgm_workspace_set_axes(ctx, bare, axes), DGM_ERROR_USAGE,
                 "axes need a graph, and the workspace was made without one");
    ASSERT_FAILS(dgm_workspace_set_summary(ctx, bare, NULL, NULL, NULL), DGM_ERROR_USAGE,
                 "no summary was given");
    dgm_predictions *predictions;
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, (int32_t[60]){0}, NULL, &predictions),
                     DGM_OK);
    ASSERT_FAILS(dgm_workspace_set_predictions(ctx, bare, predictions), DGM_ERROR_USAGE,
                 "predictions need a graph, and the workspace was made without one");
    assert_int_equal(dgm_workspace_set_predictions(ctx, bare, NULL), DGM_OK);
    dgm_predictions_free(predictions);
    assert_int_equal(dgm_mapper_run(ctx, graph, axes, NULL, &summary), DGM_OK);
    assert_int_equal(dgm_workspace_set_summary(ctx, bare, summary, NULL, NULL), DGM_OK);
    assert_int_equal(dgm_workspace_profile(ctx, bare, &profile), DGM_OK);
    assert_null(profile);
    assert_int_equal(dgm_workspace_view(ctx, bare, &view), DGM_OK);
    assert_int_equal(dgm_view_marks(view), dgm_summary_get_clusters(summary).count);
    dgm_workspace_free(bare);
    dgm_summary_free(summary);
}

/* ---- bytes ---- */

static void a_sink_takes_the_bytes_of_the_text(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    static const dgm_export_format formats[] = {DGM_EXPORT_JSON, DGM_EXPORT_CSV, DGM_EXPORT_SVG,
                                                DGM_EXPORT_GEXF};
    for (int64_t i = 0; i < COUNT(formats); i++) {
        memory_sink kept = {NULL, 0, 0, SIZE_MAX};
        const dgm_sink sink = {keep_bytes, &kept};
        assert_int_equal(dgm_workspace_write(ctx, workspace, formats[i], 0, &sink), DGM_OK);
        char *text;
        size_t length;
        assert_int_equal(dgm_workspace_text(ctx, workspace, formats[i], 0, &text, &length), DGM_OK);
        assert_int_equal(length, kept.length);
        assert_string_equal(kept.bytes, text);
        dgm_export_text_free(ctx, text);
        free(kept.bytes);
    }
    memory_sink full = {NULL, 0, 0, 0};
    const dgm_sink sink = {keep_bytes, &full};
    assert_int_equal(dgm_workspace_write(ctx, workspace, DGM_EXPORT_JSON, 0, &sink),
                     DGM_ERROR_FILE);
    assert_int_equal(dgm_workspace_write(ctx, workspace, DGM_EXPORT_JSON, 1, &sink),
                     DGM_ERROR_USAGE);
}

static void tables_wait_for_no_layout(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    dgm_export_subject subject;
    assert_int_equal(
        dgm_workspace_subject(ctx, workspace, dgm_export_placing(DGM_EXPORT_CSV), &subject),
        DGM_OK);
    assert_null(subject.view);
    assert_int_equal(
        dgm_workspace_subject(ctx, workspace, dgm_export_placing(DGM_EXPORT_JSON), &subject),
        DGM_OK);
    assert_non_null(dgm_view_get_places(subject.view).x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_summary_that_is_there_is_shown_with_its_places),
        CASE(a_summary_that_is_given_takes_the_place_of_what_was_shown),
        CASE(without_a_graph_only_a_summary_can_be_shown),
        CASE(a_sink_takes_the_bytes_of_the_text),
        CASE(tables_wait_for_no_layout),
    };
    return RUN_WITH_CONTEXT(tests);
}
