/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the context, and the calls by which the library records errors, sends notes,
 * reports progress, and asks whether it should stop. */
#ifndef BASE_CONTEXT_H
#define BASE_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "dgm/context.h"

struct dgmi_arena_block;
struct dgmi_crew;

struct dgm_context {
    dgm_allocator allocator;
    dgm_status status;   /* the status of the last failure */
    char message[1024];  /* its message, one line without the file */
    char file[1024];     /* "" if no file is to blame */
    int64_t line, byte;  /* 0 and -1 if unknown */
    char sentence[2200]; /* file, line and message together */
    char option[64];     /* the first option that the message names; "" if none */
    dgm_option_words_fn option_words;
    void *option_words_user;
    int threads; /* 0: all cores */
    dgm_progress_fn progress;
    void *progress_user;
    dgm_note_fn note;
    void *note_user;
    atomic_bool cancelled;
    struct dgmi_arena_block *arena; /* newest block first */
    struct dgmi_crew *crew;         /* made by the first parallel loop */
    int cores;                      /* the number of cores, which is asked for once */
    int blas_threads;               /* how many threads OpenBLAS is known to have memory for */
    double memory;                  /* the bytes that are available; 0: the system is asked */
    int64_t unpack_limit;           /* as in dgm_context_set_unpack_limit */
    const char *lens;               /* the lens whose keys are being checked: "gcn"; NULL: none */
};

/* Marks an option in a message or a note: DGMI_NAMED("dim"), DGMI_NAMED("reduce=pca"),
 * DGMI_NAMED("nodes=%lld"). What is behind the first '=' is the value. The caller of the library
 * decides how the option is written (base_words.h), so no message has dashes of its own. */
#define DGMI_NAMED(name_and_value) "\x0e" name_and_value "\x0f"
enum {
    DGMI_OPTION_BEGIN = 0x0e, /* the two marks; data that holds them is no harm */
    DGMI_OPTION_END = 0x0f,
    DGMI_OPTION_SPACE = sizeof((dgm_context *)NULL)->option,
};

/* All record the error and return `status`, so that a caller can `return dgmi_fail(...)`. Control
 * characters in the message become '?', so that one error is one line whatever the data was. */
dgm_status dgmi_fail(dgm_context *ctx, dgm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The file as a whole is to blame. */
dgm_status dgmi_fail_in(dgm_context *ctx, dgm_status status, const char *file, const char *format,
                        ...) __attribute__((format(printf, 4, 5)));
/* line 0 and byte -1: unknown. */
dgm_status dgmi_fail_at(dgm_context *ctx, dgm_status status, const char *file, int64_t line,
                        int64_t byte, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#ifdef __clang_analyzer__ /* which cannot see that all return `status` */
#define dgmi_fail(ctx, status, ...)    ((dgmi_fail)(ctx, status, __VA_ARGS__), (status))
#define dgmi_fail_in(ctx, status, ...) ((dgmi_fail_in)(ctx, status, __VA_ARGS__), (status))
#define dgmi_fail_at(ctx, status, ...) ((dgmi_fail_at)(ctx, status, __VA_ARGS__), (status))
#endif

/* An option of the stage at work, marked, for messages that advise one: split=0.8,0.1, or in a lens
 * lens=gcn:split=0.8,0.1. Returns `buffer`. */
enum { DGMI_ADVICE_SPACE = 128 };
const char *dgmi_advice(const dgm_context *ctx, const char *option, const char *value,
                        char buffer[DGMI_ADVICE_SPACE]);

void dgmi_note(dgm_context *ctx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports progress (fraction < 0: unknown) and returns DGM_ERROR_CANCELLED, recorded, if the caller
 * wants to stop. Call it on the thread that called the library, outside parallel loops. */
dgm_status dgmi_progress(dgm_context *ctx, const char *stage, double fraction);
/* Whether a stop was asked for; may be called from any thread. */
bool dgmi_cancelled(const dgm_context *ctx);

#endif
