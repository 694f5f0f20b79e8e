/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles of nodes that lie in exactly the same clusters. Edges are then counted between bundles,
 * one look-up per edge, and only the few distinct pairs of bundles are unfolded into pairs of
 * clusters.
 */
#include "mapper_stages.h"

#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"

typedef struct {
    dgm_context *ctx;
    dgmi_mapper_bundles *bundles;
    uint32_t *table; /* open addressing: list number + 1; 0 is empty */
    int64_t table_size, lists, lists_used;
} bundle_table;

static uint64_t hash_list(const uint32_t *list, int64_t count) {
    uint64_t hash = (uint64_t)count * 0x9E3779B97F4A7C15u;
    for (int64_t i = 0; i < count; i++) {
        hash = (hash ^ list[i]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The number of a list of at least two clusters, added if it is new. Room for all lists was made
 * before. */
static uint32_t intern_list(bundle_table *table, const uint32_t *list, int64_t count) {
    dgmi_mapper_bundles *bundles = table->bundles;
    int64_t mask = table->table_size - 1;
    assert((table->table_size & mask) == 0 && table->lists < table->table_size && count > 1);
    DGMI_ASSERT_WALK(dgmi_ascends(list, count));
    int64_t place = (int64_t)(hash_list(list, count) & (uint64_t)mask);
    for (; table->table[place]; place = (place + 1) & mask) {
        int64_t k = table->table[place] - 1, start = bundles->list_start[k];
        if (bundles->list_start[k + 1] - start == count &&
            memcmp(bundles->lists + start, list, (size_t)count * sizeof *list) == 0)
            return (uint32_t)k;
    }
    memcpy(bundles->lists + table->lists_used, list, (size_t)count * sizeof *list);
    table->lists_used += count;
    bundles->list_start[++table->lists] = table->lists_used;
    table->table[place] = (uint32_t)table->lists;
    return (uint32_t)(table->lists - 1);
}

/* Kept clusters of the node, ascending, because its cells ascend and clusters are numbered by cell.
 */
static int64_t node_list(const dgmi_mapper_pullback *pullback, const uint32_t *of_slot, int64_t u,
                         uint32_t *list) {
    int64_t count = 0;
    for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++)
        if (of_slot[s] != DGMI_MAPPER_NO_CLUSTER)
            list[count++] = of_slot[s];
    return count;
}

/* How much room lists need at most: nodes in several cells, their slots, and the longest list. */
static void measure(const dgmi_mapper_pullback *pullback, int64_t *nodes, int64_t *slots,
                    int64_t *longest) {
    *nodes = *slots = 0;
    *longest = 1;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        int64_t count = pullback->offsets[u + 1] - pullback->offsets[u];
        *nodes += count > 1;
        *slots += count > 1 ? count : 0;
        *longest = count > *longest ? count : *longest;
    }
}

dgm_status dgmi_mapper_bundles_make(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                                    const uint32_t *of_slot, int64_t count,
                                    dgmi_mapper_bundles *bundles) {
    int64_t nodes, slots, longest;
    measure(pullback, &nodes, &slots, &longest);
    *bundles = (dgmi_mapper_bundles){.clusters = count};
    bundle_table table = {.ctx = ctx, .bundles = bundles, .table_size = 64};
    while (table.table_size < 2 * nodes)
        table.table_size *= 2;
    bundles->of_node = dgmi_scratch(ctx, pullback->nodes, sizeof *bundles->of_node);
    bundles->list_start = dgmi_scratch_zero(ctx, nodes + 1, sizeof *bundles->list_start);
    bundles->lists = dgmi_scratch(ctx, slots, sizeof *bundles->lists);
    table.table = dgmi_scratch_zero(ctx, table.table_size, sizeof *table.table);
    uint32_t *list = dgmi_scratch(ctx, longest, sizeof *list);
    if (!bundles->of_node || !bundles->list_start || !bundles->lists || !table.table || !list)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        int64_t length = node_list(pullback, of_slot, u, list);
        bundles->of_node[u] = length == 0   ? DGMI_MAPPER_NO_CLUSTER
                              : length == 1 ? list[0]
                                            : (uint32_t)count + intern_list(&table, list, length);
    }
    bundles->count = count + table.lists;
    assert(table.lists <= nodes && table.lists_used <= slots);
    DGMI_ASSERT_WALK(dgmi_rises(bundles->list_start, table.lists));
    bundles->members = dgmi_scratch_zero(ctx, bundles->count + 1, sizeof *bundles->members);
    if (!bundles->members)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        if (bundles->of_node[u] == DGMI_MAPPER_NO_CLUSTER)
            bundles->of_node[u] = (uint32_t)bundles->count;
        bundles->members[bundles->of_node[u]]++;
    }
    return DGM_OK;
}
