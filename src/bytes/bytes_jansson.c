/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_jansson.h"

#include <string.h>

#include "base_context.h"
#include "base_need.h"

/* A step of the text becomes less than so much of a tree: "{}," takes some 300 bytes. */
enum { STEP = 1 << 20, STEP_BYTES = 1 << 27 };

typedef struct {
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    const char *stage;
    dgm_status status; /* of the stream, while parsing */
    int64_t taken;     /* bytes */
} json_feed;

/* Jansson may end the process where memory ends, so that there is some for the next step. */
static dgm_status check_step(const json_feed *from) {
    if (!dgmi_room_for(STEP_BYTES))
        return dgmi_fail(from->ctx, DGM_ERROR_MEMORY, "out of memory while reading JSON");
    return dgmi_progress(from->ctx, from->stage, dgmi_bytes_stream_fraction(from->stream));
}

static size_t feed(void *buffer, size_t size, void *user) {
    json_feed *from = user;
    int64_t got = 0, before = from->taken;
    from->status = dgmi_bytes_stream_read(from->stream, buffer, (int64_t)size, &got);
    from->taken += got;
    if (from->status == DGM_OK && (before == 0 || before / STEP != from->taken / STEP))
        from->status = check_step(from);
    return from->status == DGM_OK ? (size_t)got : (size_t)-1;
}

/* Jansson takes the mark for a character. */
static dgm_status skip_byte_order_mark(dgmi_bytes_stream *stream) {
    const char *data;
    int64_t size, got;
    char mark[3];
    dgm_status status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status == DGM_OK && size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        status = dgmi_bytes_stream_read(stream, mark, 3, &got);
    return status;
}

bool dgmi_bytes_json_lacks_memory(const json_error_t *error) {
    return json_error_code(error) == json_error_out_of_memory || !*error->text;
}

dgm_status dgmi_bytes_json_load(dgm_context *ctx, dgmi_bytes_stream *stream, const char *stage,
                                json_t **root) {
    json_error_t error;
    json_feed from = {.ctx = ctx, .stream = stream, .stage = stage};
    *root = NULL;
    dgm_status status = skip_byte_order_mark(stream);
    if (status != DGM_OK)
        return status;
    *root = json_load_callback(feed, &from, JSON_REJECT_DUPLICATES, &error);
    if (*root)
        return DGM_OK;
    if (from.status != DGM_OK)
        return from.status;
    if (dgmi_bytes_json_lacks_memory(&error))
        return dgmi_fail(ctx, DGM_ERROR_MEMORY, "out of memory while reading JSON");
    return dgmi_fail_at(ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name(stream), error.line,
                        error.position, "not JSON: %s", error.text);
}

static int take_text(const char *data, size_t size, void *text) {
    dgmi_text_append(text, data, size);
    return 0;
}

dgm_status dgmi_bytes_json_write(const json_t *value, size_t flags, const char *what,
                                 dgmi_text *text) {
    if (json_dump_callback(value, take_text, text, flags) != 0)
        return dgmi_fail(text->ctx, DGM_ERROR_MEMORY, "out of memory while writing %s", what);
    return text->status;
}
