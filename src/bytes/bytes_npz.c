/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an .npz, in several passes.
 *
 * Arrays stand in a zip in any order, and some can only be used once others are known. Going
 * through the zip again costs little, because members that are not wanted are jumped over, and so
 * nothing has to be held that the graph itself does not need.
 */
#include "bytes_npz.h"

#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { BLOCK = DGMI_BUFFER(1 << 18) };

typedef struct {
    dgm_context *ctx;
    const char *file;
    dgmi_bytes_stream *stream; /* of a place that may be chosen; otherwise */
    const char *data;          /* the whole file, */
    int64_t size, place;       /* its length, and where the next byte stands */
    char *block;
    dgm_status status; /* why the source failed, if it did */
    struct archive *zip;
    int64_t unpacked; /* bytes that came out in this pass */
} zip_reader;

static dgm_status fail_zip(zip_reader *reader) {
    if (reader->status != DGM_OK)
        return reader->status;
    const char *why = archive_error_string(reader->zip);
    return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file,
                        "not a whole .npz (a zip of arrays)%s%s; save it with numpy.savez",
                        why ? ": " : "", why ? why : "");
}

static la_ssize_t feed(struct archive *zip, void *user, const void **data) {
    (void)zip;
    zip_reader *reader = user;
    int64_t got = 0;
    if (reader->data) {
        *data = reader->data + reader->place;
        got = reader->size - reader->place < BLOCK ? reader->size - reader->place : BLOCK;
    } else {
        *data = reader->block;
        if (reader->status == DGM_OK) /* it does not stand where it should after a failed jump */
            reader->status = dgmi_bytes_stream_read(reader->stream, reader->block, BLOCK, &got);
    }
    reader->place += got;
    return reader->status == DGM_OK ? (la_ssize_t)got : ARCHIVE_FATAL;
}

static la_int64_t seek(struct archive *zip, void *user, la_int64_t offset, int whence) {
    (void)zip;
    zip_reader *reader = user;
    int64_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? reader->place : reader->size;
    int64_t place = origin + offset;
    if (place < 0 || place > reader->size)
        return ARCHIVE_FATAL;
    if (!reader->data)
        reader->status = dgmi_bytes_stream_seek(reader->stream, place);
    reader->place = place;
    return reader->status == DGM_OK ? place : ARCHIVE_FATAL;
}

/* libarchive jumps over members by asking for it; what it cannot jump over it reads. It takes any
 * number but 0 for a distance, errors too, and would ask for ever; reading fails at once. */
static la_int64_t skip(struct archive *zip, void *user, la_int64_t request) {
    zip_reader *reader = user;
    int64_t left = reader->size - reader->place, step = request < left ? request : left;
    assert(left >= 0);
    return seek(zip, user, step, SEEK_CUR) < 0 ? 0 : step;
}

static dgm_status open_zip(zip_reader *reader) {
    dgm_status status = dgmi_bytes_check_room(reader->ctx);
    if (status != DGM_OK)
        return status;
    reader->place = reader->unpacked = 0;
    reader->zip = archive_read_new();
    if (!reader->zip)
        return dgmi_fail_memory(reader->ctx, 1, BLOCK);
    if (seek(NULL, reader, 0, SEEK_SET) < 0)
        return fail_zip(reader);
    /* By its directory alone: read as a stream, a zip whose end is missing would only look smaller.
     */
    bool open = archive_read_set_callback_data(reader->zip, reader) == ARCHIVE_OK &&
                archive_read_set_read_callback(reader->zip, feed) == ARCHIVE_OK &&
                archive_read_set_seek_callback(reader->zip, seek) == ARCHIVE_OK &&
                archive_read_set_skip_callback(reader->zip, skip) == ARCHIVE_OK &&
                archive_read_support_format_zip_seekable(reader->zip) == ARCHIVE_OK &&
                archive_read_open1(reader->zip) == ARCHIVE_OK;
    return open ? DGM_OK : fail_zip(reader);
}

static dgm_status read_member(void *user, void *buffer, int64_t size, int64_t *got) {
    zip_reader *reader = user;
    for (*got = 0; *got < size;) {
        la_ssize_t count =
            archive_read_data(reader->zip, (char *)buffer + *got, (size_t)(size - *got));
        if (count < 0)
            return fail_zip(reader);
        if (count == 0)
            break;
        *got += count;
    }
    reader->unpacked += *got;
    return dgmi_bytes_check_unpacked(reader->ctx, reader->file, reader->size, reader->unpacked);
}

static dgm_status take_members(zip_reader *reader, int pass, dgmi_bytes_npz_take_fn take,
                               void *user) {
    struct archive_entry *entry;
    int result;
    while ((result = archive_read_next_header(reader->zip, &entry)) == ARCHIVE_OK ||
           result == ARCHIVE_WARN) {
        char name[64];
        const char *path = archive_entry_pathname(entry);
        if (!path)
            path = "?";
        size_t length = dgmi_bytes_ends_with(path, ".npy") ? strlen(path) - 4 : strlen(path);
        snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), path);
        const dgmi_bytes_npz_member member = {name, read_member, reader};
        dgm_status status = take(user, pass, &member);
        if (status != DGM_OK)
            return status;
    }
    return result == ARCHIVE_EOF ? DGM_OK : fail_zip(reader);
}

dgm_status dgmi_bytes_npz_each(dgm_context *ctx, dgmi_bytes_stream *stream, int passes,
                               dgmi_bytes_npz_take_fn take, void *user) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    zip_reader reader = {.ctx = ctx, .file = dgmi_bytes_stream_name(stream), .stream = stream};
    char *data = NULL;
    int64_t consumed;
    dgm_status status = DGM_OK;
    if (dgmi_bytes_stream_is_seekable(stream)) {
        dgmi_bytes_stream_position(stream, &consumed, &reader.size);
        reader.block = dgmi_scratch(ctx, BLOCK, 1);
        status = reader.block ? DGM_OK : DGM_ERROR_MEMORY;
    } else {
        status = dgmi_bytes_stream_read_all(stream, &data, &reader.size);
        reader.data = data;
    }
    for (int pass = 0; status == DGM_OK && pass < passes; pass++) {
        status = open_zip(&reader);
        if (status == DGM_OK)
            status = take_members(&reader, pass, take, user);
        archive_read_free(reader.zip);
        reader.zip = NULL;
    }
    dgmi_free(ctx, data);
    dgmi_arena_release(ctx, hold);
    return status;
}
