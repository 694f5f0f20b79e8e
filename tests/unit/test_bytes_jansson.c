/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_progress.h"

#include <stdlib.h>

#include "bytes_jansson.h"
#include "bytes_safetensors.h"

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

static long countdown; /* of Jansson's allocations: the one that finds 0 fails */

static void *take_scarce(size_t size) {
    return countdown-- == 0 ? NULL : malloc(size);
}

static dgm_status load_and_forget(void) {
    static const char text[] = "{\"nodes\": [{\"id\": 1}, {\"id\": \"a\"}, 2.5, true, null]}";
    json_t *root;
    dgm_status status = load(text, sizeof text - 1, &root);
    assert_true((root != NULL) == (status == DGM_OK));
    json_decref(root);
    return status;
}

static dgm_status load_tensors(void) {
    static const char text[] =
        "\x38\0\0\0\0\0\0\0"
        "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}  \0\0\x80\x3f";
    dgmi_bytes_stream *stream;
    dgmi_bytes_safetensors *file;
    assert_int_equal(
        dgmi_bytes_stream_open_memory_raw(ctx, text, sizeof text - 1, "t.safetensors", &stream),
        DGM_OK);
    dgm_status status = dgmi_bytes_safetensors_read(ctx, stream, &file);
    assert_true((file != NULL) == (status == DGM_OK));
    dgmi_bytes_stream_close(stream);
    dgmi_bytes_safetensors_free(file);
    return status;
}

/* A string that finds no memory is a bad token to Jansson, which says no more of it. */
static void assert_lack_is_said(dgm_status status) {
    const char *words = dgm_context_error(ctx);
    if (status == DGM_ERROR_FORMAT)
        assert_true(strstr(words, "invalid token near '\"") ||
                    strstr(words, "string or '}' expected near '\""));
    else
        ASSERT_FAILS(status, DGM_ERROR_MEMORY, "out of memory while reading JSON");
}

/* Jansson has memory of its own. */
static void every_allocation_of_jansson_may_fail(void **state) {
    (void)state;
    dgm_status (*const works[])(void) = {load_and_forget, load_tensors};
    json_malloc_t own_malloc;
    json_free_t own_free;
    json_get_alloc_funcs(&own_malloc, &own_free);
    json_set_alloc_funcs(take_scarce, free);
    for (int64_t i = 0; i < COUNT(works); i++) {
        bool reached = true;
        for (long k = 0; reached; k++) {
            countdown = k;
            dgm_status status = works[i]();
            reached = countdown < 0;
            if (reached)
                assert_lack_is_said(status);
            else
                assert_int_equal(status, DGM_OK);
        }
    }
    json_set_alloc_funcs(own_malloc, own_free);
}

/* Escapes are pieces of the text by themselves. */
static void a_value_is_written_whole_or_not_at_all(void **state) {
    (void)state;
    static const char whole[] = "{\"a\":[1,2.5,true,null,\"x\\n\\\"y\\u0001z\"],\"b\":{}}";
    json_t *value = json_loads(whole, 0, NULL);
    json_malloc_t own_malloc;
    json_free_t own_free;
    bool reached = true;
    assert_non_null(value);
    json_get_alloc_funcs(&own_malloc, &own_free);
    for (long k = 0; reached; k++) {
        dgmi_text text;
        dgmi_text_init(&text, ctx);
        dgmi_text_string(&text, "v = ");
        json_set_alloc_funcs(take_scarce, free);
        countdown = k;
        dgm_status status = dgmi_bytes_json_write(value, JSON_COMPACT, "it", &text);
        reached = countdown < 0;
        json_set_alloc_funcs(own_malloc, own_free);
        if (status == DGM_OK)
            assert_int_equal(strcmp(text.data + 4, whole), 0);
        else
            ASSERT_FAILS(status, DGM_ERROR_MEMORY, "out of memory while writing it");
        assert_true(reached || status == DGM_OK);
        dgmi_text_free(&text);
    }
    json_decref(value);
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    ASSERT_FAILS(dgmi_bytes_json_write(NULL, 0, "it", &text), DGM_ERROR_MEMORY,
                 "out of memory while writing it");
    dgmi_text_free(&text);
}

static void jansson_lacks_memory_where_it_says_so_or_nothing(void **state) {
    (void)state;
    json_error_t error = {.text = ""};
    assert_true(dgmi_bytes_json_lacks_memory(&error));
    strcpy(error.text, "no room");
    assert_false(dgmi_bytes_json_lacks_memory(&error));
    error.text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory; /* where Jansson keeps it */
    assert_true(dgmi_bytes_json_lacks_memory(&error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_order_mark_is_passed_over),
        cmocka_unit_test(what_is_no_json_is_refused_at_its_place),
        cmocka_unit_test(progress_is_told_once_a_mebibyte),
        cmocka_unit_test(a_caller_may_stop_the_reading),
        cmocka_unit_test(every_allocation_of_jansson_may_fail),
        cmocka_unit_test(a_value_is_written_whole_or_not_at_all),
        cmocka_unit_test(jansson_lacks_memory_where_it_says_so_or_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
