/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of nodes that lie in exactly the same clusters. Edges are then counted between classes,
 * one look-up per edge, and only the few distinct pairs of classes are unfolded into pairs of
 * clusters.
 */
#include "mapper_stages.h"

#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"

typedef struct {
    dgm_context *ctx;
    dgmi_classes *classes;
    uint32_t *table; /* open addressing: list number + 1; 0 is empty */
    int64_t table_size, lists, lists_used;
} class_table;

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
static uint32_t intern_list(class_table *table, const uint32_t *list, int64_t count) {
    dgmi_classes *classes = table->classes;
    int64_t mask = table->table_size - 1;
    assert((table->table_size & mask) == 0 && table->lists < table->table_size && count > 1);
    DGMI_ASSERT_WALK(dgmi_ascends(list, count));
    int64_t place = (int64_t)(hash_list(list, count) & (uint64_t)mask);
    for (; table->table[place]; place = (place + 1) & mask) {
        int64_t k = table->table[place] - 1, start = classes->list_start[k];
        if (classes->list_start[k + 1] - start == count &&
            memcmp(classes->lists + start, list, (size_t)count * sizeof *list) == 0)
            return (uint32_t)k;
    }
    memcpy(classes->lists + table->lists_used, list, (size_t)count * sizeof *list);
    table->lists_used += count;
    classes->list_start[++table->lists] = table->lists_used;
    table->table[place] = (uint32_t)table->lists;
    return (uint32_t)(table->lists - 1);
}

/* Kept clusters of the node, ascending, because its cells ascend and clusters are numbered by cell.
 */
static int64_t node_list(const dgmi_pullback *pullback, const uint32_t *of_slot, int64_t u,
                         uint32_t *list) {
    int64_t count = 0;
    for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++)
        if (of_slot[s] != DGMI_NO_CLUSTER)
            list[count++] = of_slot[s];
    return count;
}

/* How much room lists need at most: nodes in several cells, their slots, and the longest list. */
static void measure(const dgmi_pullback *pullback, int64_t *nodes, int64_t *slots,
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

dgm_status dgmi_classes_make(dgm_context *ctx, const dgmi_pullback *pullback,
                             const uint32_t *of_slot, int64_t count, dgmi_classes *classes) {
    int64_t nodes, slots, longest;
    measure(pullback, &nodes, &slots, &longest);
    *classes = (dgmi_classes){.clusters = count};
    class_table table = {.ctx = ctx, .classes = classes, .table_size = 64};
    while (table.table_size < 2 * nodes)
        table.table_size *= 2;
    classes->of_node = dgmi_scratch(ctx, pullback->nodes, sizeof *classes->of_node);
    classes->list_start = dgmi_scratch_zero(ctx, nodes + 1, sizeof *classes->list_start);
    classes->lists = dgmi_scratch(ctx, slots, sizeof *classes->lists);
    table.table = dgmi_scratch_zero(ctx, table.table_size, sizeof *table.table);
    uint32_t *list = dgmi_scratch(ctx, longest, sizeof *list);
    if (!classes->of_node || !classes->list_start || !classes->lists || !table.table || !list)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        int64_t length = node_list(pullback, of_slot, u, list);
        classes->of_node[u] = length == 0   ? DGMI_NO_CLUSTER
                              : length == 1 ? list[0]
                                            : (uint32_t)count + intern_list(&table, list, length);
    }
    classes->count = count + table.lists;
    assert(table.lists <= nodes && table.lists_used <= slots);
    DGMI_ASSERT_WALK(dgmi_rises(classes->list_start, table.lists));
    classes->members = dgmi_scratch_zero(ctx, classes->count + 1, sizeof *classes->members);
    if (!classes->members)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        if (classes->of_node[u] == DGMI_NO_CLUSTER)
            classes->of_node[u] = (uint32_t)classes->count;
        classes->members[classes->of_node[u]]++;
    }
    return DGM_OK;
}
