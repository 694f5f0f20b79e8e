/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the system and of the libraries that pack, which fail on demand: they are found here before
 * the libraries'. Included once, after cmocka.h. */
#ifndef IO_REFUSED_H
#define IO_REFUSED_H

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "base_memory.h"
#include "io_check.h"

static const char *refused = ""; /* the call that fails */
static int spared;               /* calls of it that still go well */
static int times;                /* that it fails then; -1: always */
static int refusal;              /* errno */

static bool refuses(const char *call) {
    if (strcmp(call, refused) != 0 || spared-- > 0 || times == 0)
        return false;
    times -= times > 0;
    errno = refusal;
    return true;
}

static void refuse(const char *call, int sparing, int failures, int error) {
    refused = call;
    spared = sparing;
    times = failures;
    refusal = error;
}

static void refuse_nothing(void) {
    refuse("", 0, 0, 0);
}

/* ---- the system's calls ---- */

ssize_t write(int fd, const void *data, size_t size) {
    if (refuses("write"))
        return refusal ? -1 : 0;
    return (ssize_t)syscall(SYS_write, fd, data, size);
}

ssize_t read(int fd, void *data, size_t size) {
    return refuses("read") ? -1 : (ssize_t)syscall(SYS_read, fd, data, size);
}

int close(int fd) {
    int result = (int)syscall(SYS_close, fd);
    return refuses("close") ? -1 : result;
}

int fsync(int fd) {
    return refuses("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int access(const char *path, int mode) {
    return refuses("access") ? -1 : faccessat(AT_FDCWD, path, mode, 0);
}

off_t lseek(int fd, off_t offset, int whence) {
    return refuses("lseek") ? -1 : (off_t)syscall(SYS_lseek, fd, offset, whence);
}

int fstat(int fd, struct stat *facts) {
    return refuses("fstat") ? -1 : fstatat(fd, "", facts, AT_EMPTY_PATH);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return refuses("open") ? -1 : openat(AT_FDCWD, path, flags, mode);
}

void *mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset) {
    if (refuses("mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, protection, flags, fd, offset);
}

/* ---- calls that are found by name ---- */

#define CALL(type, name, parameters, arguments, failure)                                           \
    type name parameters {                                                                         \
        static type(*real) parameters;                                                             \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        memcpy(&real, &found, sizeof real);                                                        \
        return refuses(#name) ? (failure) : real arguments;                                        \
    }

CALL(DIR *, opendir, (const char *path), (path), NULL)
CALL(struct archive *, archive_write_new, (void), (), NULL)
CALL(struct archive_entry *, archive_entry_new, (void), (), NULL)
CALL(int, archive_write_set_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_write_add_filter_gzip, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_write_set_bytes_per_block, (struct archive * a, int n), (a, n), ARCHIVE_FATAL)
CALL(int, archive_write_open,
     (struct archive * a, void *user, archive_open_callback *opens, archive_write_callback *writes,
      archive_close_callback *closes),
     (a, user, opens, writes, closes), ARCHIVE_FATAL)
CALL(int, archive_write_header, (struct archive * a, struct archive_entry *e), (a, e),
     ARCHIVE_FATAL)
CALL(la_ssize_t, archive_write_data, (struct archive * a, const void *data, size_t size),
     (a, data, size), (archive_set_error(a, EIO, "the packer is at a loss"), -1))
CALL(struct archive *, archive_read_new, (void), (), NULL)
CALL(int, archive_read_support_filter_xz, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_empty, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_zip_seekable, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_set_callback_data, (struct archive * a, void *user), (a, user),
     ARCHIVE_FATAL)
CALL(int, archive_read_set_read_callback, (struct archive * a, archive_read_callback *reads),
     (a, reads), ARCHIVE_FATAL)
CALL(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback *seeks),
     (a, seeks), ARCHIVE_FATAL)
CALL(int, archive_read_set_skip_callback, (struct archive * a, archive_skip_callback *skips),
     (a, skips), ARCHIVE_FATAL)
CALL(int, archive_read_open1, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_next_header, (struct archive * a, struct archive_entry **e), (a, e),
     ARCHIVE_FATAL)
CALL(int, archive_filter_count, (struct archive * a), (a), 1)
CALL(const char *, archive_entry_pathname, (struct archive_entry * e), (e), NULL)
CALL(int, inflate, (z_streamp z, int flush), (z, flush), Z_STREAM_ERROR)
CALL(int, inflateReset, (z_streamp z), (z), Z_STREAM_ERROR)
CALL(int, compress2, (Bytef * to, uLongf *made, const Bytef *from, uLong size, int level),
     (to, made, from, size, level), Z_MEM_ERROR)

/* It does its work all the same, and says otherwise. */
int archive_write_close(struct archive *a) {
    static int (*real)(struct archive * a);
    void *found = dlsym(RTLD_NEXT, "archive_write_close");
    memcpy(&real, &found, sizeof real);
    int result = real(a);
    return refuses("archive_write_close") ? ARCHIVE_FATAL : result;
}

/* Bytes that cannot be packed; freed by the caller. */
static inline char *make_noise(size_t size) {
    char *noise = malloc(size);
    uint32_t bits = 1;
    for (size_t i = 0; i < size; i++) {
        bits = bits * 1664525u + 1013904223u;
        noise[i] = (char)(bits >> 24);
    }
    return noise;
}

#endif
