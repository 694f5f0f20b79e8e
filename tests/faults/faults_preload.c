/* SPDX-License-Identifier: Apache-2.0 */
/* A library to be preloaded (LD_PRELOAD): one call of one kind goes wrong, or all from one on,
 * whoever makes it, the program or a library. Calls count from main to exit, in the main thread:
 * OpenBLAS and sanitizers have threads of their own.
 *
 *   DGM_FAULT_COUNTS=FILE   a file of KINDS longs, in which calls are counted
 *   DGM_FAULT=KIND:K:ERROR:LASTING
 *                           the K-th call of that kind (a number, see below) fails with ERROR, a
 *                           number of errno.h; with ERROR 0 it goes well for one byte alone. With
 *                           LASTING 1 all that follow fail as well
 *   DGM_FAULT_SPARED=NAMES  memory is always there for libraries of these names, with colons
 *                           between
 *   DGM_FAULT_OWN=NAMES     memory that the program or libraries of these names ask for also counts
 *                           as a kind of its own
 *   DGM_FAULT_EVERYWHERE=1  calls count in all threads, and K is the long behind the counts in FILE,
 *                           which may change while the program runs
 *
 * What fails is not done, but for close: Linux has let go of the descriptor whatever it returns.
 */
#undef _FILE_OFFSET_BITS /* both names of a function are defined below */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum { MALLOC, OPEN, READ, WRITE, RENAME, CLOSE, FSYNC, OWN, TEXT, KINDS } call_kind;

static struct {
    bool armed, everywhere;
    int kind, error, lasting;
    const char *spared, *own;
    _Atomic long numbers[KINDS + 1];
    _Atomic long *count; /* numbers, or in the file; the last is K */
} fault = {.kind = -1};

/* The function of that name that would have been called. */
static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

#define REAL(type, name, ...)                                                                      \
    static type (*next)(__VA_ARGS__);                                                              \
    if (!next)                                                                                     \
    *(void **)&next = real(#name)

static _Thread_local bool in_main;

/* Whether this call goes wrong; errno is set. */
static bool goes_wrong(call_kind kind) {
    if (!fault.armed || !(in_main || fault.everywhere))
        return false;
    long now = atomic_fetch_add(&fault.count[kind], 1) + 1, at = fault.count[KINDS];
    if ((int)kind != fault.kind || at == 0 || now < at || (now > at && !fault.lasting))
        return false;
    errno = fault.error;
    return true;
}

/* ---- the beginning ---- */

static void arm(void) {
    const char *counts = getenv("DGM_FAULT_COUNTS"), *wish = getenv("DGM_FAULT");
    long at = 0;
    fault.count = fault.numbers;
    if (counts) {
        int file = open(counts, O_RDWR | O_CLOEXEC);
        void *map = mmap(NULL, sizeof fault.numbers, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (file < 0 || map == MAP_FAILED)
            _exit(99);
        close(file);
        fault.count = map;
    }
    if (wish && sscanf(wish, "%d:%ld:%d:%d", &fault.kind, &at, &fault.error, &fault.lasting) != 4)
        _exit(99);
    fault.count[KINDS] = at;
    fault.spared = getenv("DGM_FAULT_SPARED");
    fault.own = getenv("DGM_FAULT_OWN");
    fault.everywhere = getenv("DGM_FAULT_EVERYWHERE");
    in_main = true;
    fault.armed = true;
}

typedef int main_fn(int, char **, char **);
static main_fn *program;

static void disarm(void) {
    fault.armed = false;
}

/* What comes after the program's own end, such as the counters of coverage, goes well. */
static int armed_main(int argc, char **argv, char **environment) {
    atexit(disarm);
    arm();
    return program(argc, argv, environment);
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    REAL(int, __libc_start_main, main_fn *, int, char **, void (*)(void), void (*)(void),
         void (*)(void), void *);
    program = main;
    return next(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- memory ---- */

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void (*free)(void *);
    bool ready;
} memory;

/* Memory for those who ask before the functions above are known, which are found late: to look for
 * them while a sanitizer begins is too early for it. Never given back. */
static _Alignas(16) char early[1 << 20];
static atomic_size_t early_used; /* OpenBLAS starts threads before anybody is ready */

static void *take_early(size_t alignment, size_t size) {
    size_t room = (16 + alignment + size + 15) & ~(size_t)15;
    size_t at = atomic_fetch_add(&early_used, room);
    size_t start = ((size_t)early + at + 16 + alignment - 1) / alignment * alignment;
    if (at + room > sizeof early)
        _exit(99);
    ((size_t *)start)[-2] = size; /* for realloc */
    return (void *)start;
}

static bool is_early(const void *block) {
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

__attribute__((constructor)) static void find_memory(void) {
    *(void **)&memory.malloc = real("malloc");
    *(void **)&memory.calloc = real("calloc");
    *(void **)&memory.realloc = real("realloc");
    *(void **)&memory.posix_memalign = real("posix_memalign");
    *(void **)&memory.free = real("free");
    memory.ready = true;
}

/* Whether the code at that place belongs to one of the libraries of these names. */
static bool is_among(void *place, const char *names) {
    Dl_info where;
    if (!fault.armed || !names || !dladdr(place, &where) || !where.dli_fname)
        return false;
    const char *slash = strrchr(where.dli_fname, '/'), *name = slash ? slash + 1 : where.dli_fname;
    size_t length = strcspn(name, ".");
    for (;; names++) {
        size_t size = strcspn(names, ":");
        if (size == length && strncmp(names, name, length) == 0)
            return true;
        names += size;
        if (!*names)
            return false;
    }
}

static bool memory_ends(void *place) {
    if (is_among(place, fault.spared))
        return false;
    bool ends = is_among(place, fault.own) && goes_wrong(OWN);
    return goes_wrong(MALLOC) || ends;
}

#define MEMORY_ENDS memory_ends(__builtin_return_address(0))

void *malloc(size_t size) {
    if (!memory.ready)
        return take_early(16, size);
    return MEMORY_ENDS ? NULL : memory.malloc(size);
}

void *calloc(size_t count, size_t size) {
    if (!memory.ready)
        return take_early(16, count * size); /* never used before, so it is zero */
    return MEMORY_ENDS ? NULL : memory.calloc(count, size);
}

void *realloc(void *block, size_t size) {
    if (memory.ready && !is_early(block))
        return size > 0 && MEMORY_ENDS ? NULL : memory.realloc(block, size);
    void *larger = malloc(size);
    if (larger && block) {
        size_t old = ((size_t *)block)[-2];
        memcpy(larger, block, old < size ? old : size);
    }
    return larger;
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (!memory.ready) {
        *block = take_early(alignment < 16 ? 16 : alignment, size);
        return 0;
    }
    return MEMORY_ENDS ? ENOMEM : memory.posix_memalign(block, alignment, size);
}

void free(void *block) {
    if (memory.ready && !is_early(block))
        memory.free(block);
}

/* A text in memory that grows as it is written, which takes memory of the C library's. */
FILE *open_memstream(char **text, size_t *length) {
    REAL(FILE *, open_memstream, char **, size_t *);
    return goes_wrong(TEXT) ? NULL : next(text, length);
}

/* ---- the locale ---- */

void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

/* glibc loses a name of the locale where its memory ends. The leak sanitizer is not to hear of it:
 * glibc's functions have names to tell it by only where its debugging symbols are installed. */
char *setlocale(int category, const char *locale) {
    REAL(char *, setlocale, int, const char *);
    if (__lsan_disable)
        __lsan_disable();
    char *now = next(category, locale);
    if (__lsan_enable)
        __lsan_enable();
    return now;
}

/* ---- files ---- */

static int open_mode(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
}

#define OPEN_AS(name)                                                                              \
    int name(const char *path, int flags, ...) {                                                   \
        REAL(int, name, const char *, int, ...);                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        int mode = open_mode(flags, rest);                                                         \
        va_end(rest);                                                                              \
        return goes_wrong(OPEN) ? -1 : next(path, flags, mode);                                    \
    }
OPEN_AS(open)
OPEN_AS(open64)

#define FOPEN_AS(name)                                                                             \
    FILE *name(const char *path, const char *mode) {                                               \
        REAL(FILE *, name, const char *, const char *);                                            \
        return goes_wrong(OPEN) ? NULL : next(path, mode);                                         \
    }
FOPEN_AS(fopen)
FOPEN_AS(fopen64)

/* How many bytes are asked for, or -1 to fail. */
static ssize_t allow(call_kind kind, size_t size) {
    if (!goes_wrong(kind))
        return (ssize_t)size;
    return fault.error ? -1 : size > 0;
}

ssize_t read(int file, void *data, size_t size) {
    REAL(ssize_t, read, int, void *, size_t);
    ssize_t some = allow(READ, size);
    return some < 0 ? -1 : next(file, data, (size_t)some);
}

#define PREAD_AS(name)                                                                             \
    ssize_t name(int file, void *data, size_t size, off_t place) {                                 \
        REAL(ssize_t, name, int, void *, size_t, off_t);                                           \
        ssize_t some = allow(READ, size);                                                          \
        return some < 0 ? -1 : next(file, data, (size_t)some, place);                              \
    }
PREAD_AS(pread)
PREAD_AS(pread64)

ssize_t write(int file, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    ssize_t some = allow(WRITE, size);
    return some < 0 ? -1 : next(file, data, (size_t)some);
}

#define PWRITE_AS(name)                                                                            \
    ssize_t name(int file, const void *data, size_t size, off_t place) {                           \
        REAL(ssize_t, name, int, const void *, size_t, off_t);                                     \
        ssize_t some = allow(WRITE, size);                                                         \
        return some < 0 ? -1 : next(file, data, (size_t)some, place);                              \
    }
PWRITE_AS(pwrite)
PWRITE_AS(pwrite64)

ssize_t writev(int file, const struct iovec *pieces, int count) {
    REAL(ssize_t, writev, int, const struct iovec *, int);
    if (!goes_wrong(WRITE))
        return next(file, pieces, count);
    return fault.error || count == 0 ? -1 : next(file, pieces, 1);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    return goes_wrong(RENAME) ? -1 : next(from, to);
}

int close(int file) {
    REAL(int, close, int);
    if (!goes_wrong(CLOSE))
        return next(file);
    next(file);
    errno = fault.error;
    return -1;
}

int fsync(int file) {
    REAL(int, fsync, int);
    return goes_wrong(FSYNC) ? -1 : next(file);
}
