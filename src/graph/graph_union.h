/* SPDX-License-Identifier: Apache-2.0 */
/* Union-find that many threads may use at once.
 *
 * Links point from larger to smaller indices, so the root of a finished set is its smallest member,
 * whatever the order of the unions: results do not depend on threads. Hooking by compare-and-swap
 * after Jayanti and Tarjan (2016); path halving on the way.
 */
#ifndef GRAPH_UNION_H
#define GRAPH_UNION_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

static inline uint32_t dgmi_graph_union_load(const uint32_t *parent, uint32_t x) {
    return __atomic_load_n(&parent[x], __ATOMIC_RELAXED);
}

static inline uint32_t dgmi_graph_union_find(uint32_t *parent, uint32_t x) {
    uint32_t up = dgmi_graph_union_load(parent, x);
    while (up != x) {
        uint32_t over = dgmi_graph_union_load(parent, up);
        assert(over <= up && up < x);
        if (over == up)
            return up;
        /* A plain store: x is no root any more, and whatever another thread wrote meanwhile, `over`
         * stays above it. */
        __atomic_store_n(&parent[x], over, __ATOMIC_RELAXED);
        x = over;
        up = dgmi_graph_union_load(parent, x);
    }
    return x;
}

static inline void dgmi_graph_union_link(uint32_t *parent, uint32_t a, uint32_t b) {
    if (dgmi_graph_union_load(parent, a) == dgmi_graph_union_load(parent, b))
        return;
    for (;;) {
        a = dgmi_graph_union_find(parent, a);
        b = dgmi_graph_union_find(parent, b);
        if (a == b)
            return;
        uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t root = high;
        assert(low < high); /* links point towards smaller numbers, so there are no rings */
        if (__atomic_compare_exchange_n(&parent[high], &root, low, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return;
    }
}

#endif
