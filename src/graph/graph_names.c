/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the names of nodes and finds nodes by name, with a keyed hash. */
#include "graph_names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "base_text.h"

/* Keys that nobody who wrote a file could know. They decide where a name stands in the table and
 * nothing else: nodes are numbered as they are met. */
static void draw_keys(dgmi_graph_names *names) {
    if (getentropy(names->keys, sizeof names->keys) == 0)
        return;
    uint64_t seed = (uint64_t)dgmi_nanoseconds() ^ (uint64_t)(uintptr_t)names;
    names->keys[0] = dgmi_random_bits(seed, 0, 0);
    names->keys[1] = dgmi_random_bits(seed, 0, 1);
}

/* Both halves of the product of 64 bits and 64 bits, folded into one. */
static uint64_t multiply_and_fold(uint64_t a, uint64_t b) {
    dgmi_wide product = (dgmi_wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Sixteen bytes per step, each half under a key. */
static uint64_t hash_text(const uint64_t keys[2], const char *text, size_t length) {
    uint64_t hash = keys[1] ^ length;
    for (;;) {
        uint64_t low = 0, high = 0;
        memcpy(&low, text, length < 8 ? length : 8);
        if (length > 8)
            memcpy(&high, text + 8, length < 16 ? length - 8 : 8);
        hash = multiply_and_fold(low ^ keys[0], high ^ hash);
        if (length <= 16)
            break;
        text += 16;
        length -= 16;
    }
    return multiply_and_fold(hash ^ keys[0], keys[1] | 1);
}

const char *dgmi_graph_names_get(const dgmi_graph_names *names, int64_t node, size_t *length) {
    assert(node >= 0 && node < names->count);
    assert(names->starts[node] < names->starts[node + 1]);
    if (length)
        *length = (size_t)(names->starts[node + 1] - names->starts[node] - 1);
    return names->pool + names->starts[node];
}

/* Where the name stands in the table, or the empty place where it would. */
static int64_t find_place(const dgmi_graph_names *names, const char *text, size_t length) {
    int64_t mask = names->table_size - 1;
    assert(names->table_size > names->count); /* there is an empty place, so the search ends */
    assert((names->table_size & mask) == 0);  /* a power of two */
    int64_t place = (int64_t)(hash_text(names->keys, text, length) & (uint64_t)mask);
    for (; names->table[place]; place = (place + 1) & mask) {
        size_t other_length;
        const char *other = dgmi_graph_names_get(names, names->table[place] - 1, &other_length);
        if (other_length == length && memcmp(other, text, length) == 0)
            break;
    }
    return place;
}

int64_t dgmi_graph_names_find(const dgmi_graph_names *names, const char *text, size_t length) {
    if (names->table_size == 0)
        return -1;
    return (int64_t)names->table[find_place(names, text, length)] - 1;
}

static dgm_status rebuild_table(dgm_context *ctx, dgmi_graph_names *names, int64_t size) {
    uint32_t *table = dgmi_alloc_zero(ctx, size, sizeof *table);
    if (!table)
        return DGM_ERROR_MEMORY;
    if (!names->keys[0] && !names->keys[1])
        draw_keys(names);
    dgmi_free(ctx, names->table);
    names->table = table;
    names->table_size = size;
    for (int64_t node = 0; node < names->count; node++) {
        size_t length;
        const char *text = dgmi_graph_names_get(names, node, &length);
        table[find_place(names, text, length)] = (uint32_t)node + 1;
    }
    return DGM_OK;
}

dgm_status dgmi_graph_names_index(dgm_context *ctx, dgmi_graph_names *names) {
    int64_t size = 64;
    while (size < 2 * names->count)
        size *= 2;
    return rebuild_table(ctx, names, size);
}

static dgm_status append_name(dgm_context *ctx, dgmi_graph_names *names, const char *text,
                              size_t length) {
    void *pool = names->pool, *starts = names->starts;
    dgm_status status =
        dgmi_reserve(ctx, &pool, &names->pool_capacity, names->pool_used + (int64_t)length + 1, 1);
    names->pool = pool;
    if (status == DGM_OK)
        status = dgmi_reserve(ctx, &starts, &names->starts_capacity, names->count + 2,
                              sizeof *names->starts);
    names->starts = starts;
    if (status != DGM_OK)
        return status;
    names->starts[names->count] = names->pool_used;
    memcpy(names->pool + names->pool_used, text, length);
    names->pool[names->pool_used + (int64_t)length] = '\0';
    names->pool_used += (int64_t)length + 1;
    names->starts[++names->count] = names->pool_used;
    assert(names->pool_used <= names->pool_capacity && names->count < names->starts_capacity);
    return DGM_OK;
}

dgm_status dgmi_graph_names_intern(dgm_context *ctx, dgmi_graph_names *names, const char *text,
                                   size_t length, uint32_t *node) {
    if (3 * (names->count + 1) > 2 * names->table_size) {
        int64_t size = names->table_size ? 2 * names->table_size : 64;
        dgm_status status = rebuild_table(ctx, names, size);
        if (status != DGM_OK)
            return status;
    }
    int64_t place = find_place(names, text, length);
    if (!names->table[place]) {
        dgm_status status = append_name(ctx, names, text, length);
        if (status != DGM_OK)
            return status;
        names->table[place] = (uint32_t)names->count;
    }
    *node = names->table[place] - 1;
    assert(*node < names->count);
    return DGM_OK;
}

typedef struct numbered {
    int64_t number;
    uint32_t node;
} numbered;

static int compare_numbered(const void *left, const void *right) {
    const numbered *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static void rank_names(const dgmi_graph_names *names, numbered *numbers, uint32_t *rank) {
    int64_t count = 0, next;
    for (int64_t node = 0; node < names->count; node++) {
        size_t length;
        const char *text = dgmi_graph_names_get(names, node, &length);
        bool is_number = dgmi_parse_integer(text, length, &numbers[count].number);
        numbers[count].node = (uint32_t)node;
        count += is_number;
        rank[node] = is_number ? 0 : UINT32_MAX;
    }
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbered);
    next = count;
    for (int64_t node = 0; node < names->count; node++)
        if (rank[node] == UINT32_MAX)
            rank[node] = (uint32_t)next++;
    for (int64_t i = 0; i < count; i++)
        rank[numbers[i].node] = (uint32_t)i;
}

/* Moves name `node` to place rank[node]. */
static dgm_status permute_names(dgm_context *ctx, dgmi_graph_names *names, const uint32_t *rank) {
    dgmi_graph_names moved = {.pool_capacity = names->pool_used,
                              .starts_capacity = names->count + 1,
                              .pool_used = names->pool_used,
                              .count = names->count};
    moved.pool = dgmi_alloc(ctx, moved.pool_capacity, 1);
    moved.starts = dgmi_alloc_zero(ctx, moved.starts_capacity, sizeof *moved.starts);
    if (!moved.pool || !moved.starts) {
        dgmi_graph_names_free(&ctx->allocator, &moved);
        return DGM_ERROR_MEMORY;
    }
    for (int64_t node = 0; node < names->count; node++)
        moved.starts[rank[node] + 1] = names->starts[node + 1] - names->starts[node];
    for (int64_t node = 0; node < names->count; node++)
        moved.starts[node + 1] += moved.starts[node];
    for (int64_t node = 0; node < names->count; node++)
        memcpy(moved.pool + moved.starts[rank[node]], names->pool + names->starts[node],
               (size_t)(names->starts[node + 1] - names->starts[node]));
    dgmi_graph_names_free(&ctx->allocator, names);
    *names = moved;
    return dgmi_graph_names_index(ctx, names);
}

dgm_status dgmi_graph_names_sort(dgm_context *ctx, dgmi_graph_names *names, uint32_t *rank) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    numbered *numbers = dgmi_scratch(ctx, names->count + 1, sizeof *numbers);
    dgm_status status = DGM_ERROR_MEMORY;
    if (numbers) {
        rank_names(names, numbers, rank);
        status = permute_names(ctx, names, rank);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

void dgmi_graph_names_freeze(const dgm_allocator *allocator, dgmi_graph_names *names) {
    dgmi_allocator_free(allocator, names->table);
    names->table = NULL;
    names->table_size = 0;
}

void dgmi_graph_names_free(const dgm_allocator *allocator, dgmi_graph_names *names) {
    dgmi_graph_names_freeze(allocator, names);
    dgmi_allocator_free(allocator, names->pool);
    dgmi_allocator_free(allocator, names->starts);
    *names = (dgmi_graph_names){0};
}
