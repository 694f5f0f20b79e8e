/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the members of clusters: their names, or their node numbers if the graph is given. */
#include "archive_read.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

static const json_t *members_of(const dgmi_archive_saved *saved, int64_t cluster) {
    return json_object_get(saved->clusters[cluster], "members");
}

/* All clusters list their members or none does, as many as their size says; *text: how long their
 * names are in all. */
static dgm_status check_members(const dgmi_archive_saved *saved, int64_t *text) {
    *text = 0;
    for (int64_t c = 0; c < saved->summary->clusters; c++) {
        const json_t *list = members_of(saved, c);
        if ((int64_t)json_array_size(list) != dgmi_archive_saved_size(saved, c))
            return dgmi_archive_saved_fail(saved, "nodes", c,
                                           "has no \"members\", as many as \"size\" says");
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *name = json_array_get(list, i);
            if (!json_is_string(name))
                return dgmi_archive_saved_fail(saved, "nodes", c, "has a member that is no text");
            *text += (int64_t)json_string_length(name);
        }
    }
    return DGM_OK;
}

static bool lists_members(const dgmi_archive_saved *saved) {
    for (int64_t c = 0; c < saved->summary->clusters; c++)
        if (members_of(saved, c))
            return true;
    return false;
}

/* ---- by name ---- */

static dgm_status copy_names(const dgmi_archive_saved *saved, int64_t text) {
    dgm_summary *summary = saved->summary;
    int64_t members = summary->offsets[summary->clusters], at = 0, used = 0;
    summary->name_text = dgmi_alloc(saved->ctx, text, 1);
    summary->name_starts = dgmi_alloc(saved->ctx, members + 1, sizeof *summary->name_starts);
    if (!summary->name_text || !summary->name_starts)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters; c++) {
        const json_t *list = members_of(saved, c);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *name = json_array_get(list, i);
            summary->name_starts[at++] = used;
            memcpy(summary->name_text + used, json_string_value(name), json_string_length(name));
            used += (int64_t)json_string_length(name);
        }
    }
    summary->name_starts[at] = used;
    return DGM_OK;
}

/* ---- weights ---- */

/* The weights of all members in the order of the file, if the first cluster has them. */
static dgm_status read_weights(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    if (summary->clusters == 0 || !json_object_get(saved->clusters[0], "weights"))
        return DGM_OK;
    summary->weights =
        dgmi_alloc(saved->ctx, summary->offsets[summary->clusters], sizeof *summary->weights);
    if (!summary->weights)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters; c++) {
        const json_t *list = json_object_get(saved->clusters[c], "weights");
        if ((int64_t)json_array_size(list) != dgmi_archive_saved_size(saved, c))
            return dgmi_archive_saved_fail(saved, "nodes", c,
                                           "has no \"weights\", as many as \"size\" says");
        for (size_t i = 0; i < json_array_size(list); i++) {
            double weight = json_number_value(json_array_get(list, i));
            if (!(weight > 0 && weight <= 1))
                return dgmi_archive_saved_fail(saved, "nodes", c,
                                               "has a weight that is no number from 0 to 1");
            summary->weights[summary->offsets[c] + (int64_t)i] = weight;
        }
    }
    return DGM_OK;
}

/* ---- members that were taken across an edge ---- */

/* The place of a name among the members of a cluster in the file, at or behind *from; -1: it is none
 * of them. */
static int64_t place_of_name(const dgmi_archive_saved *saved, int64_t cluster, const json_t *name,
                             size_t *from) {
    const json_t *list = members_of(saved, cluster);
    for (size_t i = *from; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), name)) {
            *from = i + 1;
            return saved->summary->offsets[cluster] + (int64_t)i;
        }
    return -1;
}

/* The place of a node among the members of a cluster, which ascend. */
static int64_t place_of_node(const dgm_summary *summary, int64_t cluster, int64_t node) {
    int64_t low = summary->offsets[cluster], high = summary->offsets[cluster + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (summary->members[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < summary->offsets[cluster + 1] && summary->members[low] == node ? low : -1;
}

static const json_t *taken_of(const dgmi_archive_saved *saved, int64_t cluster) {
    return json_object_get(saved->clusters[cluster], "taken");
}

/* Their places ascend, and no member is taken twice. Without an index members are known by name. */
static dgm_status read_taken(const dgmi_archive_saved *saved, const dgm_graph_index *index) {
    dgm_summary *summary = saved->summary;
    int64_t all = 0;
    for (int64_t c = 0; c < summary->clusters; c++)
        all += (int64_t)json_array_size(taken_of(saved, c));
    if (all == 0)
        return DGM_OK;
    summary->taken = dgmi_alloc(saved->ctx, all, sizeof *summary->taken);
    if (!summary->taken)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters; c++) {
        const json_t *list = taken_of(saved, c);
        size_t from = 0;
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *name = json_array_get(list, i);
            int64_t place = -1, last = summary->taken_count;
            if (json_is_string(name) && index)
                place = place_of_node(
                    summary, c,
                    dgm_graph_index_find(index, json_string_value(name), json_string_length(name)));
            else if (json_is_string(name))
                place = place_of_name(saved, c, name, &from);
            if (place < 0 || (last > 0 && summary->taken[last - 1] >= place))
                return dgmi_archive_saved_fail(
                    saved, "nodes", c, "has a \"taken\" that is no member, or not in their order");
            summary->taken[summary->taken_count++] = place;
        }
    }
    return DGM_OK;
}

/* ---- by number ---- */

/* A member and its weight, if there are weights. */
typedef struct {
    uint32_t node;
    double weight;
} weighed;

static int compare_nodes(const void *a, const void *b) {
    uint32_t x = ((const weighed *)a)->node, y = ((const weighed *)b)->node;
    return (x > y) - (x < y);
}

/* Sorts the members of a cluster together with their weights. */
static dgm_status sort_members(const dgmi_archive_saved *saved, int64_t cluster) {
    const dgm_summary *summary = saved->summary;
    int64_t begin = summary->offsets[cluster], count = summary->offsets[cluster + 1] - begin;
    dgmi_hold hold = dgmi_arena_hold(saved->ctx);
    weighed *pairs = dgmi_scratch(saved->ctx, count, sizeof *pairs);
    if (!pairs)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (weighed){summary->members[begin + i],
                             summary->weights ? summary->weights[begin + i] : 0};
    qsort(pairs, (size_t)count, sizeof *pairs, compare_nodes);
    for (int64_t i = 0; i < count; i++) {
        summary->members[begin + i] = pairs[i].node;
        if (summary->weights)
            summary->weights[begin + i] = pairs[i].weight;
    }
    dgmi_arena_release(saved->ctx, hold);
    return DGM_OK;
}

/* The nodes of one cluster, ascending. */
static dgm_status find_nodes(const dgmi_archive_saved *saved, const dgm_graph_index *index,
                             int64_t cluster) {
    const json_t *list = members_of(saved, cluster);
    uint32_t *nodes = saved->summary->members + saved->summary->offsets[cluster];
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        const json_t *name = json_array_get(list, i);
        int64_t node =
            dgm_graph_index_find(index, json_string_value(name), json_string_length(name));
        if (node < 0)
            return dgmi_fail_at(saved->ctx, DGM_ERROR_DATA, saved->file, 0, -1,
                                "nodes[%lld] has the member '%.60s', which is no node of the graph",
                                (long long)cluster, json_string_value(name));
        nodes[i] = (uint32_t)node;
    }
    if (sort_members(saved, cluster) != DGM_OK)
        return DGM_ERROR_MEMORY;
    for (size_t i = 1; i < count; i++)
        if (nodes[i] == nodes[i - 1])
            return dgmi_archive_saved_fail(saved, "nodes", cluster, "has a member twice");
    return DGM_OK;
}

static dgm_status number_members(const dgmi_archive_saved *saved, const dgm_graph *graph) {
    dgm_summary *summary = saved->summary;
    dgm_graph_index *index = NULL;
    if (dgm_graph_nodes(graph) != summary->nodes)
        return dgmi_fail_at(saved->ctx, DGM_ERROR_DATA, saved->file, 0, -1,
                            "the summary is of a graph of %lld nodes, and this one has %lld",
                            (long long)summary->nodes, (long long)dgm_graph_nodes(graph));
    summary->members =
        dgmi_alloc(saved->ctx, summary->offsets[summary->clusters], sizeof *summary->members);
    dgm_status status =
        summary->members ? dgm_graph_index_create(saved->ctx, graph, &index) : DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters && status == DGM_OK; c++)
        status = find_nodes(saved, index, c);
    if (status == DGM_OK)
        status = read_taken(saved, index);
    dgm_graph_index_free(index);
    return status;
}

dgm_status dgmi_archive_saved_members(const dgmi_archive_saved *saved, const dgm_graph *graph) {
    int64_t text;
    if (!graph && !lists_members(saved))
        return DGM_OK;
    dgm_status status = check_members(saved, &text);
    if (status == DGM_OK)
        status = read_weights(saved);
    if (status != DGM_OK)
        return status;
    if (graph)
        return number_members(saved, graph);
    status = copy_names(saved, text);
    return status == DGM_OK ? read_taken(saved, NULL) : status;
}
