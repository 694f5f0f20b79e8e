/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "bytes_gzip.h"

enum { RAW_BLOCK = DGMI_BUFFER(1 << 18), LISTED_MEMBERS = 5 };

typedef enum compression { PLAIN, GZIP, XZ, ZSTD, ZIP } compression;

struct dgmi_bytes_stream {
    dgm_context *ctx;
    char *name;  /* for messages */
    char *inner; /* inside all compression, lower case */

    int fd;             /* -1: memory */
    const char *memory; /* borrowed */
    bool standard;      /* standard input, not to be closed */
    bool seekable;
    int64_t consumed, total; /* raw bytes; total -1: unknown */
    dgm_status raw_status;   /* why the source itself failed, if it did */

    char *block; /* raw bytes read and not handed on: block[block_next .. block_end) */
    int64_t block_next, block_end; /* block holds RAW_BLOCK bytes; it is not there for memory */

    compression kind;
    struct archive *archive; /* XZ, ZSTD, ZIP */
    dgmi_bytes_gzip *gzip;   /* GZIP: libarchive leaves the checksums unread */
    bool ended;
    int64_t unpacked; /* bytes that came out so far */

    char *peeked; /* unpacked bytes that were looked at and not consumed */
    int64_t peeked_next, peeked_end;
};

/* ---- names ---- */

bool dgmi_bytes_ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length >= end && strcasecmp(name + length - end, ending) == 0;
}

char *dgmi_bytes_inner_name(dgm_context *ctx, const char *path) {
    static const char *const endings[] = {".gz", ".xz", ".zst", ".zip"};
    const char *slash = strrchr(path, '/');
    char *name = dgmi_strdup(ctx, slash ? slash + 1 : path);
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (dgmi_bytes_ends_with(name, endings[i]) && strlen(name) > strlen(endings[i])) {
            name[strlen(name) - strlen(endings[i])] = '\0';
            break;
        }
    for (char *c = name; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    return name;
}

const char *dgmi_bytes_stream_name(const dgmi_bytes_stream *stream) {
    return stream->name;
}

const char *dgmi_bytes_stream_inner_name(const dgmi_bytes_stream *stream) {
    return stream->inner;
}

void dgmi_bytes_stream_position(const dgmi_bytes_stream *stream, int64_t *done, int64_t *total) {
    *done = stream->consumed;
    *total = stream->total;
}

bool dgmi_bytes_stream_is_packed(const dgmi_bytes_stream *stream) {
    return stream->kind != PLAIN;
}

double dgmi_bytes_stream_fraction(const dgmi_bytes_stream *stream) {
    if (stream->total <= 0)
        return -1;
    return stream->consumed < stream->total ? (double)stream->consumed / (double)stream->total : 1;
}

/* ---- raw bytes ---- */

static dgm_status fail_raw(dgmi_bytes_stream *stream, int error) {
    stream->raw_status = dgmi_fail_in(stream->ctx, DGM_ERROR_FILE, stream->name,
                                      "cannot be read: %s", strerror(error));
    return stream->raw_status;
}

/* Fills the buffer from the descriptor; *got < size only at the end. */
static dgm_status read_descriptor(dgmi_bytes_stream *stream, char *buffer, int64_t size,
                                  int64_t *got) {
    assert(stream->fd >= 0 && size >= 0);
    *got = 0;
    while (*got < size) {
        ssize_t count = read(stream->fd, buffer + *got, (size_t)(size - *got));
        if (count == 0)
            break;
        if (count < 0 && errno != EINTR)
            return fail_raw(stream, errno);
        if (count < 0) {
            stream->raw_status = dgmi_progress(stream->ctx, "reading", -1);
            if (stream->raw_status != DGM_OK)
                return stream->raw_status;
            continue;
        }
        *got += count;
    }
    stream->consumed += *got;
    return DGM_OK;
}

/* The next raw block without copying, empty at the end. */
static dgm_status next_block(dgmi_bytes_stream *stream, const char **data, int64_t *size) {
    assert(stream->block_next <= stream->block_end);
    assert(stream->fd >= 0 || stream->consumed <= stream->total);
    if (stream->fd < 0) {
        *data = stream->memory + stream->consumed;
        *size = stream->total - stream->consumed;
        stream->consumed = stream->total;
        return DGM_OK;
    }
    if (stream->block_next == stream->block_end) {
        stream->block_next = 0;
        dgm_status status = read_descriptor(stream, stream->block, RAW_BLOCK, &stream->block_end);
        if (status != DGM_OK)
            return status;
    }
    *data = stream->block + stream->block_next;
    *size = stream->block_end - stream->block_next;
    stream->block_next = stream->block_end;
    return DGM_OK;
}

static dgm_status read_plain(dgmi_bytes_stream *stream, char *buffer, int64_t size, int64_t *got) {
    bool memory = stream->fd < 0;
    int64_t ready =
        memory ? stream->total - stream->consumed : stream->block_end - stream->block_next;
    int64_t take = ready < size ? ready : size;
    if (take > 0)
        memcpy(buffer,
               memory ? stream->memory + stream->consumed : stream->block + stream->block_next,
               (size_t)take);
    *got = take;
    if (memory) {
        stream->consumed += take;
        return DGM_OK;
    }
    stream->block_next += take;
    if (take == size)
        return DGM_OK;
    int64_t more;
    dgm_status status = read_descriptor(stream, buffer + take, size - take, &more);
    *got += more;
    return status;
}

/* ---- archives ---- */

dgm_status dgmi_bytes_check_unpacked(dgm_context *ctx, const char *name, int64_t packed,
                                     int64_t unpacked) {
    int64_t times = ctx->unpack_limit;
    if (times == 0 || unpacked <= DGMI_BYTES_UNPACKED_FREELY || unpacked / times < packed)
        return DGM_OK;
    return dgmi_fail_in(
        ctx, DGM_ERROR_DATA, name,
        "%.3g MB of packed data unfold to more than %.3g MB, over %lld times as "
        "much; if that is meant, raise " DGMI_NAMED("unpack-limit") " (0: no limit)",
        (double)packed / 1e6, (double)unpacked / 1e6, (long long)times);
}

static const char *compression_name(compression kind) {
    static const char *const names[] = {"plain", "gzip", "xz", "zstd", "zip"};
    return names[kind];
}

static compression find_compression(const char *data, int64_t size) {
    static const struct {
        compression kind;
        size_t length;
        const char *magic;
    } known[] = {{GZIP, 2, "\x1f\x8b"},
                 {XZ, 6,
                  "\xfd"
                  "7zXZ\0"},
                 {ZSTD, 4, "\x28\xb5\x2f\xfd"},
                 {ZIP, 4, "PK\3\4"},
                 {ZIP, 4, "PK\5\6"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (size >= (int64_t)known[i].length && memcmp(data, known[i].magic, known[i].length) == 0)
            return known[i].kind;
    return PLAIN;
}

static dgm_status fail_archive(dgmi_bytes_stream *stream) {
    if (stream->raw_status != DGM_OK)
        return stream->raw_status;
    const char *why = archive_error_string(stream->archive);
    return dgmi_fail_in(stream->ctx, DGM_ERROR_FORMAT, stream->name,
                        "damaged or truncated %s data%s%s%s; fetch or pack the file again",
                        compression_name(stream->kind), why ? " (" : "", why ? why : "",
                        why ? ")" : "");
}

static la_ssize_t feed_archive(struct archive *archive, void *user, const void **data) {
    (void)archive;
    dgmi_bytes_stream *stream = user;
    const char *block = NULL;
    int64_t size = 0;
    if (next_block(stream, &block, &size) != DGM_OK)
        return ARCHIVE_FATAL;
    *data = block;
    return (la_ssize_t)size;
}

static la_int64_t seek_archive(struct archive *archive, void *user, la_int64_t offset, int whence) {
    (void)archive;
    dgmi_bytes_stream *stream = user;
    int64_t origin = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? stream->consumed : stream->total;
    int64_t place = origin + offset;
    if (place < 0 || place > stream->total)
        return ARCHIVE_FATAL;
    if (stream->fd >= 0 && lseek(stream->fd, (off_t)place, SEEK_SET) < 0) {
        fail_raw(stream, errno);
        return ARCHIVE_FATAL;
    }
    stream->block_next = stream->block_end = 0;
    stream->consumed = place;
    return place;
}

/* gzip is not for libarchive: bytes_gzip.c reads it. */
static bool support_kind(struct archive *archive, compression kind, bool seekable) {
    if (kind == ZIP)
        return (seekable ? archive_read_support_format_zip_seekable(archive)
                         : archive_read_support_format_zip_streamable(archive)) == ARCHIVE_OK;
    int result = kind == XZ ? archive_read_support_filter_xz(archive)
                            : archive_read_support_filter_zstd(archive);
    /* An empty text packed is still a file: the raw format alone would refuse it. */
    return result == ARCHIVE_OK && archive_read_support_format_raw(archive) == ARCHIVE_OK &&
           archive_read_support_format_empty(archive) == ARCHIVE_OK;
}

/* xz takes some 100 MB to pack, zstd up to 128 MB to unpack. */
enum { PACKER_BYTES = 1 << 28 };

dgm_status dgmi_bytes_check_room(dgm_context *ctx) {
    return dgmi_room_for(PACKER_BYTES) ? DGM_OK : dgmi_fail_memory(ctx, PACKER_BYTES, 1);
}

/* Opens the archive at the source's beginning. */
static dgm_status start_archive(dgmi_bytes_stream *stream) {
    dgm_status status = dgmi_bytes_check_room(stream->ctx);
    if (status != DGM_OK)
        return status;
    if (stream->archive)
        archive_read_free(stream->archive);
    stream->archive = archive_read_new();
    if (!stream->archive)
        return dgmi_fail_memory(stream->ctx, RAW_BLOCK, 1);
    struct archive *archive = stream->archive;
    bool seek = stream->seekable && stream->kind == ZIP;
    if (seek && seek_archive(archive, stream, 0, SEEK_SET) < 0)
        return fail_archive(stream);
    if (!support_kind(archive, stream->kind, seek))
        return dgmi_fail_in(stream->ctx, DGM_ERROR_FILE, stream->name,
                            "libarchive was built without %s: unpack the file first",
                            compression_name(stream->kind));
    if (archive_read_set_callback_data(archive, stream) != ARCHIVE_OK ||
        archive_read_set_read_callback(archive, feed_archive) != ARCHIVE_OK ||
        (seek && archive_read_set_seek_callback(archive, seek_archive) != ARCHIVE_OK))
        return fail_archive(stream);
    /* libarchive takes a source whose first bytes are no whole header for plain data. */
    if (archive_read_open1(archive) != ARCHIVE_OK ||
        (stream->kind != ZIP && archive_filter_count(archive) < 2))
        return fail_archive(stream);
    return DGM_OK;
}

/* A member that people mean: a file, and not one that macOS adds for its own use. */
static bool is_member(struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    return archive_entry_filetype(entry) == AE_IFREG && name && strncmp(name, "__MACOSX/", 9) != 0;
}

/* Goes to the next such member; *entry is NULL at the end. */
static dgm_status next_member(dgmi_bytes_stream *stream, struct archive_entry **entry) {
    int result;
    do {
        *entry = NULL;
        result = archive_read_next_header(stream->archive, entry);
        if (result == ARCHIVE_EOF) {
            *entry = NULL;
            return DGM_OK;
        }
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
            return fail_archive(stream);
    } while (!is_member(*entry));
    return DGM_OK;
}

static dgm_status fail_members(dgmi_bytes_stream *stream, const char *list, int64_t count) {
    return dgmi_fail_in(stream->ctx, DGM_ERROR_FORMAT, stream->name,
                        "the zip holds %lld files (%s%s); unpack it and name the one to read",
                        (long long)count, list, count > LISTED_MEMBERS ? ", ..." : "");
}

/* Refuses a .zip of several files before any of them is read. */
static dgm_status check_members(dgmi_bytes_stream *stream) {
    char list[512] = "";
    int64_t count = 0;
    struct archive_entry *entry;
    dgm_status status = next_member(stream, &entry);
    for (; status == DGM_OK && entry; status = next_member(stream, &entry)) {
        size_t used = strlen(list);
        if (count++ < LISTED_MEMBERS)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                     archive_entry_pathname(entry));
    }
    if (status == DGM_OK && count > 1)
        status = fail_members(stream, list, count);
    return status == DGM_OK ? start_archive(stream) : status;
}

static dgm_status open_zip(dgmi_bytes_stream *stream) {
    struct archive_entry *entry;
    dgm_status status = stream->seekable ? check_members(stream) : DGM_OK;
    if (status == DGM_OK)
        status = next_member(stream, &entry);
    if (status != DGM_OK)
        return status;
    if (!entry)
        return dgmi_fail_in(stream->ctx, DGM_ERROR_FORMAT, stream->name, "the zip holds no file");
    dgmi_free(stream->ctx, stream->inner);
    stream->inner = dgmi_bytes_inner_name(stream->ctx, archive_entry_pathname(entry));
    return stream->inner ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status feed_gzip(void *stream, const char **data, int64_t *size) {
    return next_block(stream, data, size);
}

static dgm_status open_archive(dgmi_bytes_stream *stream) {
    if (stream->kind == GZIP)
        return dgmi_bytes_gzip_open(stream->ctx, stream->name, feed_gzip, stream, &stream->gzip);
    dgm_status status = start_archive(stream);
    if (status != DGM_OK)
        return status;
    if (stream->kind == ZIP)
        return open_zip(stream);
    struct archive_entry *entry;
    int result = archive_read_next_header(stream->archive, &entry);
    stream->ended = result == ARCHIVE_EOF;
    return result == ARCHIVE_OK || stream->ended ? DGM_OK : fail_archive(stream);
}

/* Nothing may follow: no second file in a zip that could not be listed beforehand. */
static dgm_status end_archive(dgmi_bytes_stream *stream) {
    stream->ended = true;
    if (stream->kind != ZIP || stream->seekable)
        return DGM_OK;
    struct archive_entry *entry;
    dgm_status status = next_member(stream, &entry);
    if (status != DGM_OK || !entry)
        return status;
    char list[512];
    snprintf(list, sizeof list, "%s, %s", stream->inner, archive_entry_pathname(entry));
    return fail_members(stream, list, 2);
}

static dgm_status read_archive(dgmi_bytes_stream *stream, char *buffer, int64_t size,
                               int64_t *got) {
    *got = 0;
    while (*got < size && !stream->ended) {
        la_ssize_t count = archive_read_data(stream->archive, buffer + *got, (size_t)(size - *got));
        if (count < 0)
            return fail_archive(stream);
        if (count == 0)
            return end_archive(stream);
        *got += count;
    }
    return DGM_OK;
}

/* ---- reading ---- */

static dgm_status read_packed(dgmi_bytes_stream *stream, char *buffer, int64_t size, int64_t *got) {
    int64_t before = stream->unpacked;
    dgm_status status = stream->gzip ? dgmi_bytes_gzip_read(stream->gzip, buffer, size, got)
                                     : read_archive(stream, buffer, size, got);
    stream->unpacked = before + *got;
    if (status == DGM_OK)
        status = dgmi_bytes_check_unpacked(stream->ctx, stream->name, stream->consumed,
                                           stream->unpacked);
    return status;
}

static dgm_status read_source(dgmi_bytes_stream *stream, char *buffer, int64_t size, int64_t *got) {
    return stream->kind != PLAIN ? read_packed(stream, buffer, size, got)
                                 : read_plain(stream, buffer, size, got);
}

dgm_status dgmi_bytes_stream_read(dgmi_bytes_stream *stream, void *buffer, int64_t size,
                                  int64_t *got) {
    int64_t ready = stream->peeked_end - stream->peeked_next, more = 0;
    int64_t take = ready < size ? ready : size;
    *got = 0;
    if (take > 0)
        memcpy(buffer, stream->peeked + stream->peeked_next, (size_t)take);
    stream->peeked_next += take;
    dgm_status status = DGM_OK;
    if (take < size)
        status = read_source(stream, (char *)buffer + take, size - take, &more);
    if (status == DGM_OK)
        *got = take + more;
    return status;
}

dgm_status dgmi_bytes_stream_peek(dgmi_bytes_stream *stream, const char **data, int64_t *size) {
    *data = "";
    *size = 0;
    if (!stream->peeked) {
        stream->peeked = dgmi_alloc(stream->ctx, DGMI_BYTES_PEEK, 1);
        if (!stream->peeked)
            return DGM_ERROR_MEMORY;
    }
    int64_t ready = stream->peeked_end - stream->peeked_next, more;
    memmove(stream->peeked, stream->peeked + stream->peeked_next, (size_t)ready);
    stream->peeked_next = 0;
    stream->peeked_end = ready;
    dgm_status status = read_source(stream, stream->peeked + ready, DGMI_BYTES_PEEK - ready, &more);
    if (status != DGM_OK)
        return status;
    stream->peeked_end += more;
    *data = stream->peeked;
    *size = stream->peeked_end;
    return DGM_OK;
}

dgm_status dgmi_bytes_stream_read_all(dgmi_bytes_stream *stream, char **data, int64_t *size) {
    dgm_context *ctx = stream->ctx;
    void *buffer = NULL;
    int64_t capacity = 0, used = 0, got = 0;
    /* A plain file's length is a fact, not a promise: one allocation is enough. */
    int64_t step = stream->kind == PLAIN && stream->total > 0 ? stream->total + 1 : 1 << 16;
    *data = NULL;
    *size = 0;
    dgm_status status;
    do {
        status = dgmi_reserve(ctx, &buffer, &capacity, used + step, 1);
        if (status == DGM_OK)
            status =
                dgmi_bytes_stream_read(stream, (char *)buffer + used, capacity - 1 - used, &got);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, "reading", dgmi_bytes_stream_fraction(stream));
        used += got;
        step = 1 << 16;
    } while (status == DGM_OK && used == capacity - 1);
    if (status != DGM_OK) {
        dgmi_free(ctx, buffer);
        return status;
    }
    *data = buffer;
    (*data)[used] = '\0';
    *size = used;
    return DGM_OK;
}

bool dgmi_bytes_stream_is_seekable(const dgmi_bytes_stream *stream) {
    return stream->seekable && stream->kind == PLAIN;
}

dgm_status dgmi_bytes_stream_seek(dgmi_bytes_stream *stream, int64_t place) {
    stream->peeked_next = stream->peeked_end = 0;
    if (seek_archive(NULL, stream, place, SEEK_SET) == place)
        return DGM_OK;
    return stream->raw_status != DGM_OK ? stream->raw_status : fail_raw(stream, EINVAL);
}

/* ---- opening and closing ---- */

static dgm_status create_stream(dgm_context *ctx, const char *name, dgmi_bytes_stream **out) {
    dgmi_bytes_stream *stream = dgmi_alloc_zero(ctx, 1, sizeof *stream);
    *out = stream;
    if (!stream)
        return DGM_ERROR_MEMORY;
    stream->ctx = ctx;
    stream->fd = -1;
    stream->total = -1;
    stream->name = dgmi_strdup(ctx, strcmp(name, "-") == 0 ? "standard input" : name);
    stream->inner = dgmi_bytes_inner_name(ctx, name);
    return stream->name && stream->inner ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status open_descriptor(dgmi_bytes_stream *stream, const char *path) {
    struct stat facts;
    stream->standard = strcmp(path, "-") == 0;
    stream->fd = stream->standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (stream->fd < 0 || fstat(stream->fd, &facts) != 0)
        return dgmi_fail_in(stream->ctx, DGM_ERROR_FILE, stream->name, "%s",
                            errno == ENOENT ? "no such file" : strerror(errno));
    if (S_ISDIR(facts.st_mode))
        return dgmi_fail_in(stream->ctx, DGM_ERROR_FILE, stream->name,
                            "this is a folder, and a file is needed here");
    /* Standard input may stand in the middle of its file; files of /proc say that they are empty.
     */
    stream->seekable = S_ISREG(facts.st_mode) && facts.st_size > 0 && !stream->standard;
    if (stream->seekable)
        stream->total = facts.st_size;
    stream->block = dgmi_alloc(stream->ctx, RAW_BLOCK, 1);
    if (!stream->block)
        return DGM_ERROR_MEMORY;
    return read_descriptor(stream, stream->block, RAW_BLOCK, &stream->block_end);
}

static dgm_status finish_opening(dgmi_bytes_stream *stream, dgm_status status, bool raw,
                                 dgmi_bytes_stream **out) {
    if (status == DGM_OK && !raw) {
        stream->kind = stream->fd < 0 ? find_compression(stream->memory, stream->total)
                                      : find_compression(stream->block, stream->block_end);
        if (stream->kind != PLAIN)
            status = open_archive(stream);
    }
    if (status == DGM_OK) {
        *out = stream;
        return DGM_OK;
    }
    dgmi_bytes_stream_close(stream);
    return status;
}

static dgm_status open_path(dgm_context *ctx, const char *path, bool raw, dgmi_bytes_stream **out) {
    dgmi_bytes_stream *stream;
    *out = NULL;
    dgm_status status = create_stream(ctx, path, &stream);
    if (status == DGM_OK)
        status = open_descriptor(stream, path);
    return finish_opening(stream, status, raw, out);
}

static dgm_status open_memory(dgm_context *ctx, const void *data, size_t size, const char *name,
                              bool raw, dgmi_bytes_stream **out) {
    dgmi_bytes_stream *stream;
    *out = NULL;
    dgm_status status = create_stream(ctx, name, &stream);
    if (status == DGM_OK) {
        stream->memory = size ? data : "";
        stream->total = (int64_t)size;
        stream->seekable = true;
    }
    return finish_opening(stream, status, raw, out);
}

dgm_status dgmi_bytes_stream_open(dgm_context *ctx, const char *path, dgmi_bytes_stream **out) {
    return open_path(ctx, path, false, out);
}

dgm_status dgmi_bytes_stream_open_raw(dgm_context *ctx, const char *path, dgmi_bytes_stream **out) {
    return open_path(ctx, path, true, out);
}

dgm_status dgmi_bytes_stream_open_memory(dgm_context *ctx, const void *data, size_t size,
                                         const char *name, dgmi_bytes_stream **out) {
    return open_memory(ctx, data, size, name, false, out);
}

dgm_status dgmi_bytes_stream_open_memory_raw(dgm_context *ctx, const void *data, size_t size,
                                             const char *name, dgmi_bytes_stream **out) {
    return open_memory(ctx, data, size, name, true, out);
}

void dgmi_bytes_stream_close(dgmi_bytes_stream *stream) {
    if (!stream)
        return;
    if (stream->archive)
        archive_read_free(stream->archive);
    dgmi_bytes_gzip_close(stream->gzip);
    if (stream->fd >= 0 && !stream->standard)
        close(stream->fd);
    void *blocks[] = {stream->name, stream->inner, stream->block, stream->peeked, stream};
    dgm_context *ctx = stream->ctx;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_free(ctx, blocks[i]);
}
