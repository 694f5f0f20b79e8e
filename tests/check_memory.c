/* SPDX-License-Identifier: Apache-2.0 */
#include "check_memory.h"

#include <stdlib.h>
#include <string.h>

/* Every block is preceded by its size, in a header as large as the strictest alignment. */
enum { HEADER = 64 };

static bool refused(check_memory *memory) {
    long long call = atomic_fetch_add(&memory->calls, 1) + 1;
    return memory->fail_at &&
           (call == memory->fail_at || (memory->fail_on && call > memory->fail_at));
}

static void count(check_memory *memory, long long blocks, long long bytes) {
    atomic_fetch_add(&memory->blocks, blocks);
    long long now = atomic_fetch_add(&memory->bytes, bytes) + bytes;
    long long peak = atomic_load(&memory->peak);
    while (now > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, now))
        ;
}

static size_t size_of(const char *base) {
    size_t size;
    memcpy(&size, base, sizeof size);
    return size;
}

static void *resize(void *user, void *block, size_t size) {
    check_memory *memory = user;
    char *base = block ? (char *)block - HEADER : NULL;
    size_t old = base ? size_of(base) : 0;
    if (size == 0) {
        if (base)
            count(memory, -1, -(long long)old);
        free(base);
        return NULL;
    }
    if (refused(memory) || size > SIZE_MAX - HEADER)
        return NULL;
    /* Never in place, so that a pointer kept across a growth is caught. */
    char *fresh = malloc(HEADER + size);
    if (!fresh)
        return NULL;
    memcpy(fresh, &size, sizeof size);
    if (base)
        memcpy(fresh + HEADER, base + HEADER, old < size ? old : size);
    free(base);
    count(memory, base ? 0 : 1, (long long)size - (long long)old);
    return fresh + HEADER;
}

dgm_allocator check_memory_allocator(check_memory *memory) {
    return (dgm_allocator){resize, memory};
}

void check_memory_reset_peak(check_memory *memory) {
    atomic_store(&memory->peak, atomic_load(&memory->bytes));
}
