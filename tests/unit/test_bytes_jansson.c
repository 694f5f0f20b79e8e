/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_progress.h"

#include <stdlib.h>

#include "bytes_jansson.h"

static dgm_status load(const char *text, size_t size, json_t **root) {
    dgmi_bytes_stream *stream;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, size, "t.json", &stream), DGM_OK);
    dgm_status status = dgmi_bytes_json_load(ctx, stream, "reading it", root);
    dgmi_bytes_stream_close(stream);
    return status;
}

static void a_byte_order_mark_is_passed_over(void **state) {
    (void)state;
    json_t *root;
    assert_int_equal(load("\xEF\xBB\xBF[1]", 6, &root), DGM_OK);
    assert_int_equal(json_integer_value(json_array_get(root, 0)), 1);
    json_decref(root);
    assert_int_equal(load("\xEF\xBB\xBF", 3, &root), DGM_ERROR_FORMAT);
    ASSERT_HAS(dgm_context_error(ctx), "'[' or '{' expected near end of file");
    assert_null(root);
    assert_int_equal(load("\xEF\xBB", 2, &root), DGM_ERROR_FORMAT);
}

static void what_is_no_json_is_refused_at_its_place(void **state) {
    (void)state;
    json_t *root;
    ASSERT_FAILS(load("{\"a\": 1,\n \"a\": 2}", 17, &root), DGM_ERROR_FORMAT,
                 "t.json:2: not JSON: duplicate object key near '\"a\"'");
    assert_int_equal(dgm_context_error_parts(ctx).byte, 13);
}

/* A report at the beginning, and one for each mebibyte. */
static void progress_is_told_once_a_mebibyte(void **state) {
    (void)state;
    enum { LENGTH = 5 << 19 };
    char *text = malloc(LENGTH);
    json_t *root;
    memset(text, ' ', LENGTH);
    text[0] = '[';
    text[LENGTH - 1] = ']';
    hear_progress();
    assert_int_equal(load(text, LENGTH, &root), DGM_OK);
    hear_no_more();
    json_decref(root);
    free(text);
    assert_int_equal(heard_count, 3);
    assert_int_equal(reports_of("reading it"), 3);
    assert_true(heard_reports[0].fraction > 0 && heard_reports[0].fraction < 0.01);
    assert_near(heard_reports[1].fraction, 0.4, 0.01);
    assert_near(heard_reports[2].fraction, 0.8, 0.01);
}

static bool refuse(void *user, const char *stage, double fraction) {
    (void)user, (void)stage, (void)fraction;
    return false;
}

static void a_caller_may_stop_the_reading(void **state) {
    (void)state;
    json_t *root;
    dgm_context_set_progress(ctx, refuse, NULL);
    dgm_status status = load("[1]", 3, &root);
    dgm_context_set_progress(ctx, NULL, NULL);
    ASSERT_FAILS(status, DGM_ERROR_CANCELLED, "interrupted while reading it");
    assert_null(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(what_is_no_json_is_refused_at_its_place),
        cmocka_unit_test(progress_is_told_once_a_mebibyte),
        cmocka_unit_test(a_caller_may_stop_the_reading),
    };
    return RUN_WITH_CONTEXT(tests);
}
