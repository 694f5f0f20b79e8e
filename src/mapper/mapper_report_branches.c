/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of the summary: what hangs on the rest by one cluster and has no loop.
 *
 * Clusters with one neighbour are peeled off again and again, until every cluster that is left has
 * two neighbours among those left: the core, where the loops are. Whatever was peeled off hangs on
 * the core in trees. A piece without loops has no core; its branches are the paths from each end up
 * to the first fork. O(clusters + edges).
 */
#include "mapper_report.h"

#include <stdlib.h>

#include "base_context.h"

enum { LEAST_PATH = 3 }; /* a shorter path that is a whole piece is no branch */

typedef struct {
    dgmi_mapper_reporter *r;
    int64_t *start;   /* clusters + 1 positions in `beside` */
    uint32_t *beside; /* the neighbours of each cluster */
    int64_t *left;    /* how many neighbours were not peeled off */
    bool *peeled;
    uint32_t *clusters; /* of all branches, one after the other; kept */
    uint32_t *ends;     /* likewise */
    int64_t used, ends_used;
    dgm_report_branch *branches;
    int64_t count;
    uint32_t *room; /* for the members of one branch */
} growth;

static int64_t degree(const growth *g, uint32_t cluster) {
    return g->start[cluster + 1] - g->start[cluster];
}

static bool open_growth(growth *g) {
    dgm_context *ctx = g->r->ctx;
    int64_t n = g->r->clusters.count;
    g->start = dgmi_scratch_zero(ctx, n + 2, sizeof *g->start);
    g->beside = dgmi_scratch(ctx, 2 * g->r->edge_count, sizeof *g->beside);
    g->left = dgmi_scratch(ctx, n, sizeof *g->left);
    g->peeled = dgmi_scratch_zero(ctx, n, sizeof *g->peeled);
    g->room = dgmi_scratch(ctx, g->r->memberships, sizeof *g->room);
    g->branches = dgmi_scratch(ctx, n, sizeof *g->branches);
    /* A path that is a whole piece is written a second time, from its other end, before it is
     * dropped. */
    g->clusters = dgmi_mapper_report_keep(g->r, 2 * n, sizeof *g->clusters);
    g->ends = dgmi_mapper_report_keep(g->r, 2 * n, sizeof *g->ends);
    return g->start && g->beside && g->left && g->peeled && g->room && g->branches && g->clusters &&
           g->ends;
}

static void list_neighbours(growth *g) {
    const dgm_summary_edge *edges = g->r->edges;
    int64_t n = g->r->clusters.count;
    for (int64_t e = 0; e < g->r->edge_count; e++) {
        g->start[edges[e].source + 2]++;
        g->start[edges[e].target + 2]++;
    }
    for (int64_t c = 0; c < n; c++)
        g->start[c + 2] += g->start[c + 1];
    for (int64_t e = 0; e < g->r->edge_count; e++) {
        g->beside[g->start[edges[e].source + 1]++] = edges[e].target;
        g->beside[g->start[edges[e].target + 1]++] = edges[e].source;
    }
    for (int64_t c = 0; c < n; c++)
        g->left[c] = degree(g, (uint32_t)c);
}

/* Peels from one end on, as long as the next cluster has one neighbour left. */
static void peel(growth *g) {
    for (int64_t c = 0; c < g->r->clusters.count; c++)
        for (uint32_t v = (uint32_t)c; g->left[v] == 1 && !g->peeled[v];) {
            uint32_t next = v;
            g->peeled[v] = true;
            for (int64_t i = g->start[v]; i < g->start[v + 1]; i++)
                if (!g->peeled[g->beside[i]])
                    next = g->beside[i];
            g->left[v] = 0;
            g->left[next] -= next != v;
            v = next;
        }
}

/* ---- branches ---- */

static dgm_report_branch *begin(growth *g, uint32_t root) {
    dgm_report_branch *branch = &g->branches[g->count++];
    *branch = (dgm_report_branch){
        .root = root, .clusters = g->clusters + g->used, .ends = g->ends + g->ends_used};
    return branch;
}

static void add(growth *g, dgm_report_branch *branch, uint32_t cluster) {
    g->clusters[g->used++] = cluster;
    branch->cluster_count++;
    if (degree(g, cluster) == 1) {
        g->ends[g->ends_used++] = cluster;
        branch->end_count++;
    }
}

/* All that hangs on the root behind `first`, the nearest first. */
static void grow_tree(growth *g, uint32_t root, uint32_t first) {
    dgm_report_branch *branch = begin(g, root);
    int64_t head = g->used;
    add(g, branch, first);
    g->peeled[first] = false; /* it is taken */
    for (; head < g->used; head++) {
        uint32_t v = g->clusters[head];
        for (int64_t i = g->start[v]; i < g->start[v + 1]; i++) {
            uint32_t w = g->beside[i];
            if (!g->peeled[w])
                continue;
            g->peeled[w] = false;
            add(g, branch, w);
        }
    }
}

/* From an end of a piece without loops up to a fork; turned round, so that it leads away from it. */
static void grow_path(growth *g, uint32_t end) {
    uint32_t before = end, v = end;
    dgm_report_branch *branch = begin(g, DGM_REPORT_NO_CLUSTER);
    int64_t first = g->used;
    for (; degree(g, v) <= 2;) {
        uint32_t next = v;
        for (int64_t i = g->start[v]; i < g->start[v + 1]; i++)
            if (g->beside[i] != before)
                next = g->beside[i];
        add(g, branch, v);
        if (next == v)
            return; /* the other end: there is no fork */
        before = v;
        v = next;
    }
    branch->root = v;
    for (int64_t i = first, k = g->used - 1; i < k; i++, k--) {
        uint32_t swapped = g->clusters[i];
        g->clusters[i] = g->clusters[k];
        g->clusters[k] = swapped;
    }
}

/* A path that is a whole piece is found from both ends, and counts from its smaller one. */
static void drop_if_idle(growth *g, uint32_t end) {
    dgm_report_branch *last = &g->branches[g->count - 1];
    if (last->root != DGM_REPORT_NO_CLUSTER)
        return;
    uint32_t other = last->clusters[last->cluster_count - 1];
    if (last->cluster_count >= LEAST_PATH && end < other)
        return;
    g->used -= last->cluster_count;
    g->ends_used -= last->end_count;
    g->count--;
}

static void grow(growth *g) {
    const dgmi_mapper_reporter *r = g->r;
    for (uint32_t c = 0; c < r->clusters.count; c++) {
        bool loops = r->out->pieces[r->piece_of[c]].cycle_rank > 0;
        if (!loops && degree(g, c) == 1) {
            grow_path(g, c);
            drop_if_idle(g, c);
        }
        for (int64_t i = g->start[c]; loops && g->left[c] >= 2 && i < g->start[c + 1]; i++)
            if (g->peeled[g->beside[i]])
                grow_tree(g, c, g->beside[i]);
    }
}

/* ---- the largest ---- */

static int compare_branches(const void *a, const void *b) {
    const dgm_report_branch *p = a, *q = b;
    if (p->members.total != q->members.total)
        return p->members.total > q->members.total ? -1 : 1;
    if (p->root != q->root)
        return p->root < q->root ? -1 : 1;
    return (p->clusters[0] > q->clusters[0]) - (p->clusters[0] < q->clusters[0]);
}

static void measure(growth *g, dgm_report_branch *branch) {
    const int64_t *offsets = g->r->clusters.offsets;
    if (g->r->cast)
        branch->members.total =
            dgmi_mapper_report_union(g->r, branch->clusters, branch->cluster_count, g->room);
    for (int64_t k = 0; !g->r->cast && k < branch->cluster_count; k++)
        branch->members.total += offsets[branch->clusters[k] + 1] - offsets[branch->clusters[k]];
}

/* Whether a branch that was measured has a node that its root has not. */
static bool leads_on(const growth *g, const dgm_report_branch *branch) {
    int64_t count, shared = 0;
    if (!g->r->cast || branch->root == DGM_REPORT_NO_CLUSTER)
        return true;
    const uint32_t *nodes = dgmi_mapper_report_set(g->r, branch->root, &count);
    for (int64_t i = 0; i < count; i++)
        shared += g->r->mark[nodes[i]] == g->r->last_mark;
    return shared < branch->members.total;
}

/* Measures all branches, and leaves out those that lead nowhere. */
static void measure_all(growth *g) {
    int64_t kept = 0;
    for (int64_t i = 0; i < g->count; i++) {
        measure(g, &g->branches[i]);
        if (leads_on(g, &g->branches[i]))
            g->branches[kept++] = g->branches[i];
    }
    g->count = kept;
}

static dgm_status write_branches(growth *g) {
    dgmi_mapper_reporter *r = g->r;
    measure_all(g);
    int64_t told = g->count < r->options.loops ? g->count : r->options.loops;
    dgm_report_branch *out = dgmi_mapper_report_keep(r, told, sizeof *out);
    dgm_status status = out ? DGM_OK : DGM_ERROR_MEMORY;
    if (g->count > 1)
        qsort(g->branches, (size_t)g->count, sizeof *g->branches, compare_branches);
    for (int64_t i = 0; i < told && status == DGM_OK; i++) {
        int64_t total = g->branches[i].members.total;
        out[i] = g->branches[i];
        if (r->cast)
            status = dgmi_mapper_report_gather(r, out[i].clusters, out[i].cluster_count,
                                               &out[i].members);
        out[i].members.total = total;
    }
    r->out->branches = out;
    r->out->totals.branches = g->count;
    r->out->totals.branches_told = told;
    return status;
}

dgm_status dgmi_mapper_report_branches(dgmi_mapper_reporter *r) {
    growth g = {.r = r};
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    if (open_growth(&g)) {
        list_neighbours(&g);
        peel(&g);
        grow(&g);
        status = write_branches(&g);
    }
    dgmi_arena_release(r->ctx, hold);
    return status;
}
