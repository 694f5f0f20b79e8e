/* SPDX-License-Identifier: Apache-2.0 */
/* The only ways to allocate memory: owned blocks from the context's allocator, and scratch memory
 * from an arena for temporaries.
 *
 * A function that needs temporaries takes a hold, calls dgmi_scratch, and releases the hold at its
 * one exit. Large blocks go back to the allocator when the hold is released, so the arena keeps
 * little memory between calls.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

/* How much a buffer between a file and its reader or writer holds, or a block of a long list. In
 * builds for fuzzers it is little: short inputs then meet the ends of buffers, and no time goes
 * into pages that stay empty. */
#ifdef DGMI_SMALL_BUFFERS
#define DGMI_BUFFER(usual) ((usual) < 1024 ? (usual) : 1024)
#else
#define DGMI_BUFFER(usual) (usual)
#endif

/* These return count * size bytes, which the caller frees. On failure they return NULL and record
 * DGM_ERROR_MEMORY. The product is checked for overflow. */
void *dgmi_alloc(dgm_context *ctx, int64_t count, size_t size);
void *dgmi_alloc_zero(dgm_context *ctx, int64_t count, size_t size);
/* On failure NULL, and the old block is still there. */
void *dgmi_realloc(dgm_context *ctx, void *block, int64_t count, size_t size);
void dgmi_free(dgm_context *ctx, void *block); /* NULL is fine */
char *dgmi_strdup(dgm_context *ctx, const char *text);
char *dgmi_strndup(dgm_context *ctx, const char *text, size_t length);

/* Makes *block hold at least `need` elements, growing by half; *capacity is kept. */
dgm_status dgmi_reserve(dgm_context *ctx, void **block, int64_t *capacity, int64_t need,
                        size_t size);

/* For objects that outlive the context: they keep a copy of its allocator. */
void dgmi_allocator_free(const dgm_allocator *allocator, void *block);
/* For parallel loops: no error recorded (report it after the loop with dgmi_fail_memory). */
void *dgmi_allocator_resize(const dgm_allocator *allocator, void *block, int64_t count,
                            size_t size);
dgm_status dgmi_fail_memory(dgm_context *ctx, int64_t count, size_t size);

/* The scratch arena; not for parallel loops. */
typedef struct dgmi_hold {
    struct dgmi_arena_block *block;
    size_t used;
} dgmi_hold;
dgmi_hold dgmi_arena_hold(const dgm_context *ctx);
void dgmi_arena_release(dgm_context *ctx, dgmi_hold hold);
/* An arena apart from the context's, empty as { NULL }. Between two calls of dgmi_arena_swap the
 * context's scratch memory comes from it; what was taken then stays until it is dropped. */
typedef struct dgmi_arena {
    struct dgmi_arena_block *blocks; /* newest first */
} dgmi_arena;
void dgmi_arena_swap(dgm_context *ctx, dgmi_arena *apart);
void dgmi_arena_drop(const dgm_allocator *allocator, dgmi_arena *apart);
/* 64-byte aligned; NULL with the error recorded. */
void *dgmi_scratch(dgm_context *ctx, int64_t count, size_t size);
void *dgmi_scratch_zero(dgm_context *ctx, int64_t count, size_t size);

#endif
