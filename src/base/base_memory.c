/* SPDX-License-Identifier: Apache-2.0 */
#include "base_memory.h"

#include <assert.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "base_context.h"

/* In builds for tests every scratch array has a block of its own: memory can end at each of them, and
 * a sanitizer sees what runs over its end. */
#ifdef DGMI_SCRATCH_ALONE
enum { SMALL_BLOCK = 0 };
#else
enum { SMALL_BLOCK = 1 << 16 };
#endif
enum { ALIGNMENT = 64 };

struct dgmi_arena_block {
    struct dgmi_arena_block *older;
    size_t used, size; /* of the bytes behind the header */
};

/* count * size in *bytes, at least 1; false if it does not fit. */
static bool multiply(int64_t count, size_t size, size_t *bytes) {
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, bytes) ||
        *bytes > PTRDIFF_MAX - (size_t)4096)
        return false;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

dgm_status dgmi_fail_memory(dgm_context *ctx, int64_t count, size_t size) {
    double megabytes = (double)count * (double)size / 1e6;
    return dgmi_fail(ctx, DGM_ERROR_MEMORY, "out of memory (asked for %.3g MB)", megabytes);
}

/* Large blocks are read at random all over: with large pages that costs fewer look-ups of
 * addresses, and fewer faults at first. A hint, and no more: where it is not heard nothing changes.
 */
static void ask_for_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { LARGE_PAGE = 1 << 21 };
    if (!block || bytes < 2 * LARGE_PAGE)
        return;
    size_t skip = (LARGE_PAGE - (uintptr_t)block % LARGE_PAGE) % LARGE_PAGE;
    size_t whole = (bytes - skip) / LARGE_PAGE * LARGE_PAGE;
    (void)madvise((char *)block + skip, whole, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

void *dgmi_allocator_resize(const dgm_allocator *allocator, void *block, int64_t count,
                            size_t size) {
    size_t bytes;
    if (!multiply(count, size, &bytes))
        return NULL;
    void *result = allocator->resize(allocator->user, block, bytes);
    ask_for_large_pages(result, bytes);
    return result;
}

void dgmi_allocator_free(const dgm_allocator *allocator, void *block) {
    if (!block) /* an object that was never filled has no allocator either */
        return;
    assert(allocator->resize);
    allocator->resize(allocator->user, block, 0);
}

void *dgmi_realloc(dgm_context *ctx, void *block, int64_t count, size_t size) {
    void *result = dgmi_allocator_resize(&ctx->allocator, block, count, size);
    if (!result)
        dgmi_fail_memory(ctx, count, size);
    return result;
}

void *dgmi_alloc(dgm_context *ctx, int64_t count, size_t size) {
    return dgmi_realloc(ctx, NULL, count, size);
}

void *dgmi_alloc_zero(dgm_context *ctx, int64_t count, size_t size) {
    void *block = dgmi_alloc(ctx, count, size);
    if (block)
        memset(block, 0, (size_t)count * size);
    return block;
}

void dgmi_free(dgm_context *ctx, void *block) {
    dgmi_allocator_free(&ctx->allocator, block);
}

char *dgmi_strndup(dgm_context *ctx, const char *text, size_t length) {
    char *copy = dgmi_alloc(ctx, (int64_t)length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *dgmi_strdup(dgm_context *ctx, const char *text) {
    return dgmi_strndup(ctx, text, strlen(text));
}

dgm_status dgmi_reserve(dgm_context *ctx, void **block, int64_t *capacity, int64_t need,
                        size_t size) {
    assert(*capacity >= 0 && need >= 0 && size > 0);
    assert(*block || *capacity == 0);
    if (need <= *capacity)
        return DGM_OK;
    int64_t grown = *capacity + *capacity / 2 + 16;
    if (grown < need)
        grown = need;
    void *larger = dgmi_realloc(ctx, *block, grown, size);
    if (!larger)
        return DGM_ERROR_MEMORY;
    *block = larger;
    *capacity = grown;
    assert(*capacity >= need);
    return DGM_OK;
}

dgmi_hold dgmi_arena_hold(const dgm_context *ctx) {
    return (dgmi_hold){ctx->arena, ctx->arena ? ctx->arena->used : 0};
}

void dgmi_arena_release(dgm_context *ctx, dgmi_hold hold) {
    while (ctx->arena != hold.block) {
        assert(ctx->arena); /* a mark of another context, or one that was released before */
        struct dgmi_arena_block *block = ctx->arena;
        ctx->arena = block->older;
        dgmi_free(ctx, block);
    }
    assert(!ctx->arena || hold.used <= ctx->arena->used);
    if (ctx->arena)
        ctx->arena->used = hold.used;
}

void dgmi_arena_swap(dgm_context *ctx, dgmi_arena *apart) {
    struct dgmi_arena_block *blocks = ctx->arena;
    ctx->arena = apart->blocks;
    apart->blocks = blocks;
}

void dgmi_arena_drop(const dgm_allocator *allocator, dgmi_arena *apart) {
    while (apart->blocks) {
        struct dgmi_arena_block *block = apart->blocks;
        apart->blocks = block->older;
        dgmi_allocator_free(allocator, block);
    }
}

/* The first aligned byte at or after offset `from` of the block's space. */
static size_t aligned_offset(const struct dgmi_arena_block *block, size_t from) {
    uintptr_t start = (uintptr_t)(block + 1);
    return (start + from + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - start;
}

/* Tells AddressSanitizer, where it is there, that nobody may touch these bytes before they are
 * freed. */
static void forbid(const void *bytes, size_t count) {
#ifdef __SANITIZE_ADDRESS__
    ASAN_POISON_MEMORY_REGION(bytes, count);
#else
    (void)bytes;
    (void)count;
#endif
}

static void repeat_unwritten(char *data, size_t bytes) {
    static const uint16_t unwritten = 0x7ff8;
    size_t done = bytes < sizeof unwritten ? bytes : sizeof unwritten;
    memcpy(data, &unwritten, done);
    for (size_t more; done < bytes; done += more) { /* twice as much each time */
        more = bytes - done < done ? bytes - done : done;
        memcpy(data + done, data, more);
    }
}

/* What nobody wrote is NaN as a number, single or double, and as an integer far from any index; it
 * is no sign for "none" (-1) that somebody may have forgotten to write. Of a large array both ends
 * are filled: blocks for bytes of files have pages that nobody else would touch. */
static void fill_unwritten(char *data, size_t bytes) {
    enum { END = 1 << 15 };
    if (bytes <= 2 * END) {
        repeat_unwritten(data, bytes);
    } else {
        repeat_unwritten(data, END);
        repeat_unwritten(data + bytes - END, END);
    }
}

void *dgmi_scratch(dgm_context *ctx, int64_t count, size_t size) {
    size_t bytes;
    if (!multiply(count, size, &bytes)) {
        dgmi_fail_memory(ctx, count, size);
        return NULL;
    }
    struct dgmi_arena_block *block = ctx->arena;
    if (!block || aligned_offset(block, block->used) + bytes > block->size) {
        size_t space = bytes + ALIGNMENT > SMALL_BLOCK ? bytes + ALIGNMENT : SMALL_BLOCK;
        block = dgmi_alloc(ctx, (int64_t)(space + sizeof *block), 1);
        if (!block)
            return NULL;
        *block = (struct dgmi_arena_block){ctx->arena, 0, space};
        ctx->arena = block;
    }
    size_t offset = aligned_offset(block, block->used);
    assert(offset + bytes <= block->size && block->used <= offset);
    block->used = offset + bytes;
    if (SMALL_BLOCK == 0) {
        block->used = block->size; /* nothing else fits */
        forbid((char *)(block + 1) + offset + bytes, block->size - offset - bytes);
        fill_unwritten((char *)(block + 1) + offset, bytes);
    }
    return (char *)(block + 1) + offset;
}

void *dgmi_scratch_zero(dgm_context *ctx, int64_t count, size_t size) {
    void *block = dgmi_scratch(ctx, count, size);
    if (block)
        memset(block, 0, (size_t)count * size);
    return block;
}
