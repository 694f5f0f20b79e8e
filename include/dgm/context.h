/* SPDX-License-Identifier: Apache-2.0 */
/* The context holds what the library needs to work: the allocator, the last error, the threads,
 * the callbacks for progress and notes, the request to cancel, and scratch memory.
 *
 * Every call that works or can fail takes a context as its first argument, except where an object
 * keeps the context that it was made with (dgm_graph_builder, dgm_figure). One context serves one
 * thread at a time, and contexts are independent of each other. The library never prints, and it
 * never exits or aborts because of bad data.
 */
#ifndef DGM_CONTEXT_H
#define DGM_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/status.h"

typedef struct dgm_context dgm_context;

/* Memory from the caller. resize(user, NULL, n) allocates, resize(user, p, n) reallocates, and
 * resize(user, p, 0) frees and returns NULL. The library may call it from several threads at once.
 */
typedef struct dgm_allocator {
    void *(*resize)(void *user, void *block, size_t size);
    void *user;
} dgm_allocator;

/* The last error, in parts. The texts are valid until the next call with the same context. */
typedef struct dgm_error {
    dgm_status status;
    const char *message; /* one line, without the name of the file */
    const char *option;  /* the first option that the message names; NULL if it names none */
    const char *file;    /* the file that is to blame; NULL if there is none */
    int64_t line;        /* the line in that file, counted from 1; 0 if it is not known */
    int64_t byte;        /* the offset in the decompressed file; -1 if it is not known */
} dgm_error;

/* The library calls this from time to time, on the thread that called the library. `fraction` is
 * the part of the stage that is done, in [0, 1], or negative if the end is not known. If the
 * function returns false, the running call stops and returns DGM_ERROR_CANCELLED. */
typedef bool (*dgm_progress_fn)(void *user, const char *stage, double fraction);

/* The library calls this with something that the user should know but that is not an error ("12
 * self-loops dropped"). A note is one line without a newline. */
typedef void (*dgm_note_fn)(void *user, const char *note);

/* Writes an option into `words` in the way in which the users of the caller write it: a program
 * writes "--reduce pca", another language may write reduce="pca". Messages and notes then use it.
 * `value` is NULL if the message names the option without a value. The function writes at most
 * `size` bytes, the final 0 included. */
typedef void (*dgm_option_words_fn)(void *user, const char *name, const char *value, char *words,
                                    size_t size);

/* Makes a context, which the caller frees. If `allocator` is NULL, malloc is used. The only error
 * is DGM_ERROR_MEMORY; *out is then NULL. */
DGM_API dgm_status dgm_context_create(const dgm_allocator *allocator, dgm_context **out);
DGM_API void dgm_context_free(dgm_context *ctx); /* NULL is fine */

/* Returns the last error as one line, "file:line: message" or "message", or "" if there was none.
 * The text belongs to the context. */
DGM_API const char *dgm_context_error(const dgm_context *ctx);
/* Returns the same error in parts. */
DGM_API dgm_error dgm_context_error_parts(const dgm_context *ctx);

/* Sets the number of threads; 0, the default, means as many as there are cores. Results are the
 * same to the byte for any number. */
DGM_API void dgm_context_set_threads(dgm_context *ctx, int threads);
DGM_API int dgm_context_threads(const dgm_context *ctx);

/* Sets how far a compressed file (.gz .xz .zst .zip) may grow when it is unpacked. A file that
 * grows to more than 256 MB, and to more than `times` its own size, is refused with DGM_ERROR_DATA.
 * 0 means that there is no limit. */
DGM_API void dgm_context_set_unpack_limit(dgm_context *ctx, int64_t times);
enum { DGM_UNPACK_LIMIT = 250 }; /* the value of `times` before it is set */

/* Both set a callback, which gets `user` back; NULL means that nobody wants to know. */
DGM_API void dgm_context_set_progress(dgm_context *ctx, dgm_progress_fn progress, void *user);
DGM_API void dgm_context_set_notes(dgm_context *ctx, dgm_note_fn note, void *user);

/* Sets how messages write options. NULL, the default, writes "reduce=pca", or "reduce" if there is
 * no value. */
DGM_API void dgm_context_set_option_words(dgm_context *ctx, dgm_option_words_fn words, void *user);

/* Asks the running call to stop soon; it then returns DGM_ERROR_CANCELLED. This may be called from
 * any thread and from a signal handler. Later calls stop as well, until dgm_context_resume takes
 * the request back. */
DGM_API void dgm_context_cancel(dgm_context *ctx);
DGM_API void dgm_context_resume(dgm_context *ctx);

#endif
