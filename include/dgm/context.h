/* SPDX-License-Identifier: Apache-2.0 */
/* The context: allocator, last error, threads, progress, cancel, scratch memory.
 *
 * One context serves one thread at a time; several contexts are independent of each other. Every
 * other call of the library takes one as its first argument. The library never prints, exits or
 * aborts on data.
 */
#ifndef DGM_CONTEXT_H
#define DGM_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/status.h"

typedef struct dgm_context dgm_context;

/* resize(user, NULL, n) allocates, resize(user, p, n) reallocates, resize(user, p, 0) frees and
 * returns NULL. It may be called from several threads at once. */
typedef struct dgm_allocator {
    void *(*resize)(void *user, void *block, size_t size);
    void *user;
} dgm_allocator;

/* What the last failed call left behind. Pointers are valid until the next call with the same
 * context. */
typedef struct dgm_error {
    dgm_status status;
    const char *message; /* one line, no file name in it */
    const char *option; /* name of the first option that the message names; NULL if it names none */
    const char *file;   /* NULL if no file is to blame */
    int64_t line;       /* 1-based; 0 if unknown */
    int64_t byte;       /* offset in the (decompressed) file; -1 if unknown */
} dgm_error;

/* Called now and then on the thread that called the library. `fraction` is in [0, 1], or negative
 * where the end is not known. Returning false cancels the call, which then returns
 * DGM_ERROR_CANCELLED. */
typedef bool (*dgm_progress_fn)(void *user, const char *stage, double fraction);

/* Something the user should know and that is no error ("12 self-loops dropped"). One line, no
 * newline. */
typedef void (*dgm_note_fn)(void *user, const char *note);

/* How the caller's users write an option, for messages and notes: a program writes "--reduce pca",
 * Python reduce="pca". `value` is NULL where the message names the option alone. At most `size`
 * bytes with the final 0 are written to `words`. */
typedef void (*dgm_option_words_fn)(void *user, const char *name, const char *value, char *words,
                                    size_t size);

/* allocator NULL: malloc. *out is NULL on failure (only memory can fail). */
DGM_API dgm_status dgm_context_create(const dgm_allocator *allocator, dgm_context **out);
DGM_API void dgm_context_free(dgm_context *ctx); /* NULL is fine */

/* The last error as one line, "file:line: message" or "message"; "" if there was none. Borrowed. */
DGM_API const char *dgm_context_error(const dgm_context *ctx);
/* The same in parts. */
DGM_API dgm_error dgm_context_error_parts(const dgm_context *ctx);

/* 0 (the default) means all cores. Results do not depend on it, to the byte. */
DGM_API void dgm_context_set_threads(dgm_context *ctx, int threads);
DGM_API int dgm_context_threads(const dgm_context *ctx);

/* A packed file (.gz .xz .zst .zip) that unfolds to more than 256 MB and to more than `times` its
 * size is refused: DGM_ERROR_DATA. 0: no limit. */
enum { DGM_UNPACK_LIMIT = 250 }; /* unless set */
DGM_API void dgm_context_set_unpack_limit(dgm_context *ctx, int64_t times);

DGM_API void dgm_context_set_progress(dgm_context *ctx, dgm_progress_fn progress, void *user);
DGM_API void dgm_context_set_notes(dgm_context *ctx, dgm_note_fn note, void *user);

/* NULL, the default, writes "reduce=pca", and "reduce" where there is no value. */
DGM_API void dgm_context_set_option_words(dgm_context *ctx, dgm_option_words_fn words, void *user);

/* Asks the running call to stop soon. Safe from any thread and from a signal handler. The request
 * stays until dgm_context_resume. */
DGM_API void dgm_context_cancel(dgm_context *ctx);
DGM_API void dgm_context_resume(dgm_context *ctx);

#endif
