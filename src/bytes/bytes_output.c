/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_output.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "bytes_stream.h"

enum {
    BUFFER = DGMI_BUFFER(1 << 18),
    DRAIN = DGMI_BUFFER(1 << 16),
    ATTEMPTS = 100,
};

typedef enum place {
    BESIDE,   /* a temporary file that is renamed */
    IN_PLACE, /* a device or a pipe */
    STANDARD, /* collected for standard output */
    MEMORY,   /* collected for the caller */
} place;

struct dgmi_bytes_output {
    dgm_context *ctx;
    char *name;      /* as the user gave it */
    char *inner;     /* less its folder and compression */
    char *target;    /* the file that takes the data; links are followed */
    char *temporary; /* BESIDE: the file being written, NULL once it is gone */
    place where;
    int mode;                /* BESIDE: of the file that is replaced; -1: there is none */
    bool durable;            /* BESIDE: on the disk before it takes its name */
    int fd;                  /* -1: closed, or STANDARD */
    struct archive *archive; /* compresses into the descriptor, or NULL */
    char *buffer;            /* BUFFER bytes; STANDARD: all of it */
    int64_t used, capacity;
    dgm_status status; /* of the first failure, repeated by all later calls */
};

const char *dgmi_bytes_output_name(const dgmi_bytes_output *output) {
    return output->where == STANDARD ? "standard output" : output->name;
}

const char *dgmi_bytes_output_inner_name(const dgmi_bytes_output *output) {
    return output->inner;
}

static dgm_status fail_output(dgmi_bytes_output *output, const char *what, int error) {
    if (output->status == DGM_OK)
        output->status = dgmi_fail_in(output->ctx, DGM_ERROR_FILE, dgmi_bytes_output_name(output),
                                      "%s: %s", what, strerror(error));
    return output->status;
}

/* ---- the descriptor ---- */

static dgm_status write_descriptor(dgmi_bytes_output *output, int fd, const char *data,
                                   int64_t size) {
    while (size > 0 && output->status == DGM_OK) {
        ssize_t count = write(fd, data, (size_t)size);
        if (count < 0 && errno == EINTR) {
            output->status = dgmi_progress(output->ctx, "writing", -1);
            continue;
        }
        if (count <= 0)
            return fail_output(output, "cannot be written", count < 0 ? errno : EIO);
        data += count;
        size -= count;
    }
    return output->status;
}

static dgm_status flush_buffer(dgmi_bytes_output *output) {
    int64_t used = output->used;
    output->used = 0;
    return write_descriptor(output, output->fd, output->buffer, used);
}

/* Small pieces gather in the buffer, large ones pass it by. */
static dgm_status write_buffered(dgmi_bytes_output *output, const char *data, int64_t size) {
    if (output->used + size > BUFFER && flush_buffer(output) != DGM_OK)
        return output->status;
    if (size >= BUFFER)
        return write_descriptor(output, output->fd, data, size);
    memcpy(output->buffer + output->used, data, (size_t)size);
    output->used += size;
    return DGM_OK;
}

/* ---- compression ---- */

/* Takes everything, also once the output has failed: libarchive frees a compressor only when its
 * close goes well. */
static la_ssize_t take_packed(struct archive *archive, void *user, const void *data, size_t size) {
    (void)archive;
    dgmi_bytes_output *output = user;
    if (output->status == DGM_OK)
        write_buffered(output, data, (int64_t)size);
    return (la_ssize_t)size;
}

static dgm_status fail_packing(dgmi_bytes_output *output) {
    const char *why = output->archive ? archive_error_string(output->archive) : NULL;
    if (output->status == DGM_OK)
        output->status = dgmi_fail_in(output->ctx, DGM_ERROR_FILE, output->name,
                                      "cannot be compressed: %s", why ? why : "out of memory");
    return output->status;
}

static int add_filter(struct archive *archive, const char *name) {
    if (dgmi_bytes_ends_with(name, ".gz")) {
        int result = archive_write_add_filter_gzip(archive);
        /* The same data gives the same bytes, whenever it is written. */
        return result == ARCHIVE_OK
                   ? archive_write_set_filter_option(archive, "gzip", "timestamp", NULL)
                   : result;
    }
    return dgmi_bytes_ends_with(name, ".xz") ? archive_write_add_filter_xz(archive)
                                             : archive_write_add_filter_zstd(archive);
}

static bool is_compressed(const char *name) {
    return dgmi_bytes_ends_with(name, ".gz") || dgmi_bytes_ends_with(name, ".xz") ||
           dgmi_bytes_ends_with(name, ".zst");
}

static dgm_status open_packing(dgmi_bytes_output *output) {
    struct archive *archive = output->archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    bool good = archive && entry && archive_write_set_format_raw(archive) == ARCHIVE_OK &&
                add_filter(archive, output->name) == ARCHIVE_OK &&
                archive_write_set_bytes_per_block(archive, 0) == ARCHIVE_OK;
    if (good) {
        archive_entry_set_filetype(entry, AE_IFREG);
        good = archive_write_open(archive, output, NULL, take_packed, NULL) == ARCHIVE_OK &&
               archive_write_header(archive, entry) == ARCHIVE_OK;
    }
    dgm_status status = good ? DGM_OK : fail_packing(output);
    if (entry)
        archive_entry_free(entry);
    return status;
}

static dgm_status close_packing(dgmi_bytes_output *output) {
    if (!output->archive)
        return output->status;
    if (archive_write_close(output->archive) != ARCHIVE_OK)
        fail_packing(output);
    archive_write_free(output->archive);
    output->archive = NULL;
    return output->status;
}

/* ---- opening ---- */

/* A new file in the target's folder; its mode is that of the file it replaces, or as the umask
 * says. */
static dgm_status open_temporary(dgmi_bytes_output *output) {
    const char *slash = strrchr(output->target, '/');
    int folder = slash ? (int)(slash - output->target) + 1 : 0;
    size_t space = (size_t)folder + 40;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    output->temporary = dgmi_alloc(output->ctx, (int64_t)space, 1);
    if (!output->temporary)
        return DGM_ERROR_MEMORY;
    for (uint64_t attempt = 0; attempt < ATTEMPTS && output->fd < 0; attempt++) {
        uint64_t bits = dgmi_random_bits((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
                                         (uint64_t)getpid(), attempt);
        snprintf(output->temporary, space, "%.*s.dgm-%016llx.part", folder, output->target,
                 (unsigned long long)bits);
        output->fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (output->fd < 0 && errno != EEXIST)
            break;
    }
    if (output->fd >= 0) {
        if (output->mode >= 0) /* where a file system has no modes there is none to keep */
            (void)fchmod(output->fd, (mode_t)output->mode);
        return DGM_OK;
    }
    int error = errno;
    dgmi_free(output->ctx, output->temporary);
    output->temporary = NULL;
    if (error == ENOENT || error == ENOTDIR)
        return dgmi_fail_in(output->ctx, DGM_ERROR_FILE, output->name,
                            "there is no such folder to write into; make it first");
    return fail_output(output, "cannot be written", error);
}

static dgm_status follow_links(dgmi_bytes_output *output) {
    char *real = realpath(output->name, NULL);
    output->target = dgmi_strdup(output->ctx, real ? real : output->name);
    free(real);
    return output->target ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status open_target(dgmi_bytes_output *output) {
    struct stat facts;
    bool exists = stat(output->name, &facts) == 0;
    size_t length = strlen(output->name);
    if (length == 0 || output->name[length - 1] == '/' || (exists && S_ISDIR(facts.st_mode)))
        return dgmi_fail_in(output->ctx, DGM_ERROR_FILE, output->name,
                            "this is a folder, and a file is needed here");
    if (exists && !S_ISREG(facts.st_mode)) {
        output->where = IN_PLACE;
        output->fd = open(output->name, O_WRONLY | O_CLOEXEC);
        return output->fd >= 0 ? DGM_OK : fail_output(output, "cannot be written", errno);
    }
    if (exists && access(output->name, W_OK) != 0)
        return fail_output(output, "cannot be written", errno);
    output->where = BESIDE;
    output->mode = exists ? (int)(facts.st_mode & 0777) : -1;
    dgm_status status = follow_links(output);
    return status == DGM_OK ? open_temporary(output) : status;
}

static dgm_status open_output(dgmi_bytes_output *output) {
    if (strcmp(output->name, "-") == 0) {
        output->where = STANDARD;
        return DGM_OK;
    }
    output->buffer = dgmi_alloc(output->ctx, BUFFER, 1);
    if (!output->buffer)
        return DGM_ERROR_MEMORY;
    /* The packer first: should libarchive end the process, no file is there yet. */
    bool packed = is_compressed(output->name);
    dgm_status status = packed ? dgmi_bytes_check_room(output->ctx) : DGM_OK;
    if (status == DGM_OK && packed)
        status = open_packing(output);
    return status == DGM_OK ? open_target(output) : status;
}

static dgm_status create_output(dgm_context *ctx, const char *path, bool memory,
                                dgmi_bytes_output **out) {
    *out = NULL;
    dgmi_bytes_output *output = dgmi_alloc_zero(ctx, 1, sizeof *output);
    if (!output)
        return DGM_ERROR_MEMORY;
    output->ctx = ctx;
    output->fd = -1;
    output->name = dgmi_strdup(ctx, path);
    output->inner = dgmi_bytes_inner_name(ctx, path);
    dgm_status status = output->name && output->inner ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && memory)
        output->where = MEMORY;
    else if (status == DGM_OK)
        status = open_output(output);
    if (status == DGM_OK)
        *out = output;
    else
        dgmi_bytes_output_discard(output);
    return status;
}

dgm_status dgmi_bytes_output_open(dgm_context *ctx, const char *path, dgmi_bytes_output **out) {
    return create_output(ctx, path, false, out);
}

dgm_status dgmi_bytes_output_open_memory(dgm_context *ctx, const char *name,
                                         dgmi_bytes_output **out) {
    return create_output(ctx, name, true, out);
}

/* ---- writing ---- */

static dgm_status collect(dgmi_bytes_output *output, const char *data, int64_t size) {
    void *buffer = output->buffer;
    dgm_status status =
        dgmi_reserve(output->ctx, &buffer, &output->capacity, output->used + size, 1);
    output->buffer = buffer;
    if (status != DGM_OK)
        return output->status = status;
    memcpy(output->buffer + output->used, data, (size_t)size);
    output->used += size;
    return DGM_OK;
}

dgm_status dgmi_bytes_output_write(dgmi_bytes_output *output, const void *data, size_t size) {
    if (output->status != DGM_OK || size == 0)
        return output->status;
    if (output->where == STANDARD || output->where == MEMORY)
        return collect(output, data, (int64_t)size);
    if (!output->archive)
        return write_buffered(output, data, (int64_t)size);
    const char *bytes = data;
    while (size > 0) {
        la_ssize_t count = archive_write_data(output->archive, bytes, size);
        if (count <= 0)
            return fail_packing(output);
        bytes += count;
        size -= (size_t)count;
    }
    return output->status;
}

dgm_status dgmi_bytes_output_drain(dgmi_bytes_output *output, dgmi_text *text, bool last) {
    if (text->status != DGM_OK)
        return text->status;
    if (text->length < DRAIN && !last)
        return DGM_OK;
    dgm_status status = dgmi_bytes_output_write(output, text->data, (size_t)text->length);
    text->length = 0;
    return status;
}

void dgmi_bytes_output_make_durable(dgmi_bytes_output *output) {
    output->durable = true;
}

static void sync_file(dgmi_bytes_output *output) {
    int result;
    do
        result = fsync(output->fd);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        fail_output(output, "cannot be written", errno);
}

/* The new name too: what the folder says of it. The file is whole either way. */
static void sync_folder(const dgmi_bytes_output *output) {
    char folder[4096];
    const char *slash = strrchr(output->target, '/');
    size_t length = slash ? (size_t)(slash - output->target) + 1 : 0;
    if (length + sizeof "." > sizeof folder)
        return;
    memcpy(folder, output->target, length);
    memcpy(folder + length, ".", sizeof ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

dgm_status dgmi_bytes_output_close(dgmi_bytes_output *output) {
    if (output->fd < 0)
        return output->status;
    if (close_packing(output) == DGM_OK && flush_buffer(output) == DGM_OK && output->durable &&
        output->where == BESIDE)
        sync_file(output);
    int fd = output->fd;
    output->fd = -1;
    if (close(fd) != 0)
        fail_output(output, "cannot be written", errno);
    return output->status;
}

/* ---- the end ---- */

static void free_output(dgmi_bytes_output *output) {
    dgm_context *ctx = output->ctx;
    void *blocks[] = {output->name,      output->inner,  output->target,
                      output->temporary, output->buffer, output};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_free(ctx, blocks[i]);
}

void dgmi_bytes_output_discard(dgmi_bytes_output *output) {
    if (!output)
        return;
    if (output->status == DGM_OK)
        output->status = DGM_ERROR_CANCELLED; /* nothing more is packed or flushed */
    close_packing(output);
    if (output->fd >= 0)
        close(output->fd);
    if (output->temporary)
        unlink(output->temporary);
    free_output(output);
}

dgm_status dgmi_bytes_output_publish(dgmi_bytes_output *output) {
    dgm_status status = dgmi_bytes_output_close(output);
    if (status == DGM_OK && output->where == STANDARD)
        status = write_descriptor(output, STDOUT_FILENO, output->buffer, output->used);
    if (status == DGM_OK && output->where == BESIDE) {
        if (rename(output->temporary, output->target) != 0) {
            status = fail_output(output, "cannot be written", errno);
        } else {
            dgmi_free(output->ctx, output->temporary);
            output->temporary = NULL;
            if (output->durable)
                sync_folder(output);
        }
    }
    dgmi_bytes_output_discard(output);
    return status;
}

dgm_status dgmi_bytes_output_take(dgmi_bytes_output *output, char **data, size_t *size) {
    dgm_status status = output->status;
    *data = NULL;
    *size = 0;
    if (status == DGM_OK) {
        *data = output->buffer;
        *size = (size_t)output->used;
        output->buffer = NULL;
    }
    dgmi_bytes_output_discard(output);
    return status;
}

dgm_status dgmi_bytes_output_save(dgm_context *ctx, const char *path, const void *data,
                                  size_t size) {
    dgmi_bytes_output *output;
    dgm_status status = dgmi_bytes_output_open(ctx, path, &output);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_output_write(output, data, size);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}
