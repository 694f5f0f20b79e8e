/* SPDX-License-Identifier: Apache-2.0 */
/* Which classes the edges of summaries join, panel by panel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "pipeline_sweep.h"

const char *dgmi_pipeline_sweep_class(const dgm_sweep *sweep, int32_t label, char buffer[32]) {
    return dgm_graph_class_text(sweep->graph, label, buffer, 32);
}

/* An edge of a panel between clusters of two classes. */
typedef struct {
    int32_t low, high;
    int32_t panel;
} crossing;

static int compare_crossings(const void *x, const void *y) {
    const crossing *p = x, *q = y;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->panel < q->panel ? -1 : p->panel > q->panel;
}

typedef struct {
    dgm_context *ctx;
    dgm_sweep *sweep;
    const int32_t *labels;
    int64_t *count; /* by class, zeros */
    crossing *list; /* owned */
    int64_t used, capacity;
} crossings;

/* The most frequent class of a cluster, the smallest of equals; -1: no member has one. */
static int32_t majority(crossings *c, const dgm_summary_clusters *clusters, int64_t cluster) {
    int32_t best = -1;
    int64_t begin = clusters->offsets[cluster], end = clusters->offsets[cluster + 1];
    for (int64_t i = begin; i < end; i++) {
        int32_t label = c->labels[clusters->members[i]];
        if (label < 0)
            continue;
        c->count[label]++;
        if (best < 0 || c->count[label] > c->count[best] ||
            (c->count[label] == c->count[best] && label < best))
            best = label;
    }
    for (int64_t i = begin; i < end; i++)
        if (c->labels[clusters->members[i]] >= 0)
            c->count[c->labels[clusters->members[i]]] = 0;
    return best;
}

static dgm_status cross_panel(crossings *c, int64_t panel) {
    const dgm_summary *summary = c->sweep->summaries[panel];
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t edges;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    dgmi_hold hold = dgmi_arena_hold(c->ctx);
    int32_t *class_of = dgmi_scratch(c->ctx, clusters.count, sizeof *class_of);
    void *room = c->list;
    dgm_status status = dgmi_reserve(c->ctx, &room, &c->capacity, c->used + edges, sizeof *c->list);
    c->list = room;
    if (!class_of)
        status = DGM_ERROR_MEMORY;
    for (int64_t k = 0; status == DGM_OK && k < clusters.count; k++)
        class_of[k] = majority(c, &clusters, k);
    for (int64_t e = 0; status == DGM_OK && e < edges; e++) {
        int32_t a = class_of[edge[e].source], b = class_of[edge[e].target];
        if (a >= 0 && b >= 0 && a != b)
            c->list[c->used++] = (crossing){a < b ? a : b, a < b ? b : a, (int32_t)panel};
    }
    dgmi_arena_release(c->ctx, hold);
    return status;
}

/* Joined in most panels first. */
static int compare_pairs(const void *x, const void *y) {
    const dgm_sweep_pair *p = x, *q = y;
    if (p->joined != q->joined)
        return p->joined > q->joined ? -1 : 1;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return p->high < q->high ? -1 : p->high > q->high;
}

static dgm_status gather(crossings *c) {
    dgm_sweep *sweep = c->sweep;
    int64_t pairs = 0, panels = sweep->panel_count, at = -1;
    for (int64_t i = 0; i < c->used; i++)
        pairs += i == 0 || c->list[i].low != c->list[i - 1].low ||
                 c->list[i].high != c->list[i - 1].high;
    sweep->pairs = dgmi_alloc_zero(c->ctx, pairs, sizeof *sweep->pairs);
    sweep->pair_edges = dgmi_alloc_zero(c->ctx, pairs * panels, sizeof *sweep->pair_edges);
    if (!sweep->pairs || !sweep->pair_edges)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < c->used; i++) {
        const crossing *one = &c->list[i];
        if (at < 0 || sweep->pairs[at].low != one->low || sweep->pairs[at].high != one->high) {
            at++;
            sweep->pairs[at] =
                (dgm_sweep_pair){one->low, one->high, sweep->pair_edges + at * panels, 0};
        }
        sweep->pairs[at].joined += sweep->pair_edges[at * panels + one->panel]++ == 0;
    }
    sweep->pair_count = pairs;
    if (pairs)
        qsort(sweep->pairs, (size_t)pairs, sizeof *sweep->pairs, compare_pairs);
    return DGM_OK;
}

dgm_status dgmi_pipeline_sweep_pair(dgm_context *ctx, dgm_sweep *sweep) {
    crossings c = {.ctx = ctx, .sweep = sweep, .labels = dgm_graph_labels(sweep->graph)};
    if (!c.labels)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    c.count = dgmi_scratch_zero(ctx, dgm_graph_classes(sweep->graph), sizeof *c.count);
    dgm_status status = c.count ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < sweep->panel_count; i++)
        status = cross_panel(&c, i);
    if (status == DGM_OK && c.used)
        qsort(c.list, (size_t)c.used, sizeof *c.list, compare_crossings);
    if (status == DGM_OK)
        status = gather(&c);
    dgmi_free(ctx, c.list);
    dgmi_arena_release(ctx, hold);
    return status;
}
