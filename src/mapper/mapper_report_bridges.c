/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that lie in several clusters, ranked by how much hangs on each of them.
 *
 * The nodes in both of two clusters hold them together, each as much as the others. What they hold is
 * counted by the smaller side: score(u) is the sum, over the pairs {A, B} of u's clusters, of
 * min(|A - B|, |B - A|) / |A and B|. A cluster that lies inside another adds nothing.
 *
 * All nodes of a bundle have the same score, so it is computed by bundle: cluster A adds up how many
 * nodes it shares with each B > A, once, and then hands the shares to the bundles in both.
 */
#include "mapper_report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"

/* What hangs on each node of a bundle between clusters of two classes. */
typedef struct {
    int32_t low, high; /* the classes */
    uint32_t list;     /* the bundle, counted from the first with several clusters */
    double score;
} part;

typedef struct {
    dgmi_mapper_reporter *r;
    int64_t lists;         /* the number of bundles with several clusters */
    int64_t *around_start; /* clusters + 1 positions in `around` */
    uint32_t *around;      /* the bundles of each cluster */
    int64_t *shared; /* nodes that the cluster at work shares with each other; zeros between */
    double *score;   /* of each bundle */
    int64_t *alone;  /* of each bundle */
    part *parts;     /* owned */
    int64_t part_count, part_capacity;
    int64_t *node_start; /* lists + 1 positions in `nodes` */
    uint32_t *nodes;     /* the nodes of each bundle, ascending */
} joining;

static const uint32_t *clusters_of(const joining *j, int64_t list, int64_t *count) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    *count = bundles->list_start[list + 1] - bundles->list_start[list];
    return bundles->lists + bundles->list_start[list];
}

static int64_t nodes_of(const joining *j, int64_t list) {
    return j->r->bundles.members[j->r->bundles.clusters + list];
}

/* ---- lists by cluster, nodes by list ---- */

static bool open_joining(joining *j) {
    dgm_context *ctx = j->r->ctx;
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    j->lists = bundles->count - bundles->clusters;
    int64_t entries = bundles->list_start[j->lists], nodes = 0;
    for (int64_t k = 0; k < j->lists; k++)
        nodes += nodes_of(j, k);
    j->around_start = dgmi_scratch_zero(ctx, bundles->clusters + 2, sizeof *j->around_start);
    j->around = dgmi_scratch(ctx, entries, sizeof *j->around);
    j->shared = dgmi_scratch_zero(ctx, bundles->clusters, sizeof *j->shared);
    j->score = dgmi_scratch_zero(ctx, j->lists, sizeof *j->score);
    j->alone = dgmi_scratch_zero(ctx, j->lists, sizeof *j->alone);
    j->node_start = dgmi_scratch_zero(ctx, j->lists + 2, sizeof *j->node_start);
    j->nodes = dgmi_scratch(ctx, nodes, sizeof *j->nodes);
    return j->around_start && j->around && j->shared && j->score && j->alone && j->node_start &&
           j->nodes;
}

static void list_around(joining *j) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    int64_t *start = j->around_start, count;
    for (int64_t i = 0; i < bundles->list_start[j->lists]; i++)
        start[bundles->lists[i] + 2]++;
    for (int64_t c = 0; c < bundles->clusters; c++)
        start[c + 2] += start[c + 1];
    for (int64_t k = 0; k < j->lists; k++) {
        const uint32_t *clusters = clusters_of(j, k, &count);
        for (int64_t i = 0; i < count; i++)
            j->around[start[clusters[i] + 1]++] = (uint32_t)k;
    }
}

static void list_nodes(joining *j) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    for (int64_t k = 0; k < j->lists; k++)
        j->node_start[k + 2] = j->node_start[k + 1] + nodes_of(j, k);
    for (int64_t u = 0; u < j->r->nodes; u++) {
        uint32_t id = bundles->of_node[u];
        if (id >= bundles->clusters && id < bundles->count)
            j->nodes[j->node_start[id - bundles->clusters + 1]++] = (uint32_t)u;
    }
}

/* ---- scores ---- */

static dgm_status add_part(joining *j, uint32_t a, uint32_t b, uint32_t list, double share) {
    int32_t x = j->r->main_class[a], y = j->r->main_class[b];
    if (x < 0 || y < 0 || x == y)
        return DGM_OK;
    dgm_status status = dgmi_reserve(j->r->ctx, (void **)&j->parts, &j->part_capacity,
                                     j->part_count + 1, sizeof *j->parts);
    if (status == DGM_OK)
        j->parts[j->part_count++] = (part){x < y ? x : y, x < y ? y : x, list, share};
    return status;
}

/* What hangs on each node in both a and b, which j->shared counts. */
static double share_of(const joining *j, uint32_t a, uint32_t b) {
    const int64_t *offsets = j->r->clusters.offsets;
    int64_t x = offsets[a + 1] - offsets[a], y = offsets[b + 1] - offsets[b];
    return (double)((x < y ? x : y) - j->shared[b]) / (double)j->shared[b];
}

/* All pairs of cluster a with a later one. */
static dgm_status join_cluster(joining *j, uint32_t a) {
    const uint32_t *around = j->around + j->around_start[a];
    int64_t lists = j->around_start[a + 1] - j->around_start[a], count;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < lists; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a; k--)
            j->shared[clusters[k]] += nodes_of(j, around[i]);
    }
    for (int64_t i = 0; i < lists && status == DGM_OK; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a && status == DGM_OK; k--) {
            double share = share_of(j, a, clusters[k]);
            j->score[around[i]] += share;
            j->alone[around[i]] += j->shared[clusters[k]] == 1 && share > 0;
            status = add_part(j, a, clusters[k], around[i], share);
        }
    }
    for (int64_t i = 0; i < lists; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a; k--)
            j->shared[clusters[k]] = 0;
    }
    return status;
}

static dgm_status join_clusters(joining *j) {
    int64_t clusters = j->r->clusters.count;
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < clusters && status == DGM_OK; c++) {
        if (c % 1024 == 0)
            status = dgmi_progress(j->r->ctx, "finding bridges", (double)c / (double)clusters);
        if (status == DGM_OK)
            status = join_cluster(j, (uint32_t)c);
    }
    return status;
}

/* ---- the best ---- */

typedef struct {
    uint32_t node, list;
    double score;
} candidate;

static bool is_better(const joining *j, candidate a, candidate b) {
    return a.score != b.score ? a.score > b.score : dgmi_mapper_report_before(j->r, a.node, b.node);
}

/* Puts a candidate into the list of the best so far. */
static void enter(const joining *j, candidate *best, int64_t *count, int64_t most, candidate new) {
    int64_t at = *count;
    while (at > 0 && is_better(j, new, best[at - 1]))
        at--;
    if (at == most)
        return;
    *count += *count < most;
    memmove(best + at + 1, best + at, (size_t)(*count - 1 - at) * sizeof *best);
    best[at] = new;
}

static dgm_status write_bridge(const joining *j, candidate from, dgm_report_bridge *out) {
    int64_t count;
    const uint32_t *clusters = clusters_of(j, from.list, &count);
    uint32_t *kept = dgmi_mapper_report_keep(j->r, count, sizeof *kept);
    if (!kept)
        return DGM_ERROR_MEMORY;
    memcpy(kept, clusters, (size_t)count * sizeof *kept);
    *out = (dgm_report_bridge){.clusters = kept, .score = from.score, .alone = j->alone[from.list]};
    return dgmi_mapper_report_name(j->r, from.node, &out->member);
}

static dgm_status write_bridges(const joining *j, const candidate *best, int64_t count,
                                dgm_report_bridge **out) {
    *out = dgmi_mapper_report_keep(j->r, count, sizeof **out);
    dgm_status status = *out ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count && status == DGM_OK; i++)
        status = write_bridge(j, best[i], &(*out)[i]);
    return status;
}

static dgm_status rank_bridges(joining *j) {
    dgm_report_totals *totals = &j->r->out->totals;
    int64_t all = j->node_start[j->lists], count = 0;
    int64_t most = j->r->options.bridges < all ? j->r->options.bridges : all;
    dgmi_hold hold = dgmi_arena_hold(j->r->ctx);
    candidate *best = dgmi_scratch(j->r->ctx, most + 1, sizeof *best);
    dgm_status status = DGM_ERROR_MEMORY;
    for (int64_t k = 0; best && k < j->lists; k++)
        for (int64_t i = j->node_start[k]; i < j->node_start[k + 1]; i++)
            enter(j, best, &count, most, (candidate){j->nodes[i], (uint32_t)k, j->score[k]});
    if (best)
        status = write_bridges(j, best, count, &j->r->out->bridges);
    dgmi_arena_release(j->r->ctx, hold);
    totals->bridges = all;
    totals->bridges_told = count;
    return status;
}

/* ---- borders between classes ---- */

static int compare_pairs(const part *p, const part *q) {
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

static bool same_part(const part *p, const part *q) {
    return compare_pairs(p, q) == 0 && p->list == q->list;
}

/* By classes and bundle; then by score, so that sums do not depend on how qsort treats equals. */
static int compare_parts(const void *a, const void *b) {
    const part *p = a, *q = b;
    int order = compare_pairs(p, q);
    if (order == 0)
        order = (p->list > q->list) - (p->list < q->list);
    return order ? order : (p->score > q->score) - (p->score < q->score);
}

/* Adds up the scores of a bundle between the same two classes. */
static void merge_parts(joining *j) {
    int64_t kept = 0;
    if (j->part_count > 1)
        qsort(j->parts, (size_t)j->part_count, sizeof *j->parts, compare_parts);
    for (int64_t i = 0; i < j->part_count; i++)
        if (kept && same_part(&j->parts[kept - 1], &j->parts[i]))
            j->parts[kept - 1].score += j->parts[i].score;
        else
            j->parts[kept++] = j->parts[i];
    j->part_count = kept;
}

/* The border that the parts from `begin` up to `end` belong to. */
static dgm_status write_border(joining *j, int64_t begin, int64_t end, dgm_report_border *out) {
    const part *first = &j->parts[begin];
    int64_t most = j->r->options.members;
    dgmi_hold hold = dgmi_arena_hold(j->r->ctx);
    candidate *best = dgmi_scratch(j->r->ctx, most + 1, sizeof *best);
    dgm_report_bridge *bridges = NULL;
    dgm_status status = DGM_ERROR_MEMORY;
    *out = (dgm_report_border){.low = first->low,
                               .high = first->high,
                               .low_name = j->r->out->class_names[first->low],
                               .high_name = j->r->out->class_names[first->high],
                               .edges = j->r->graph ? 0 : -1};
    for (int64_t p = begin; best && p < end; p++) {
        uint32_t list = j->parts[p].list;
        out->total += nodes_of(j, list);
        for (int64_t i = j->node_start[list]; i < j->node_start[list + 1]; i++)
            enter(j, best, &out->count, most, (candidate){j->nodes[i], list, j->parts[p].score});
    }
    if (best)
        status = write_bridges(j, best, out->count, &bridges);
    out->bridges = bridges;
    dgmi_arena_release(j->r->ctx, hold);
    return status;
}

static int compare_classes(const void *a, const void *b) {
    const dgm_report_border *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

static int compare_borders(const void *a, const void *b) {
    const dgm_report_border *p = a, *q = b;
    if (p->total != q->total)
        return p->total > q->total ? -1 : 1;
    return compare_classes(a, b);
}

/* Edges of the graph between classes; borders are sorted by class. */
static void count_edges(const dgm_graph *graph, dgm_report_border *borders, int64_t count) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const int32_t *labels = dgm_graph_labels(graph);
    for (int64_t u = 0; labels && u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            int32_t x = labels[u], y = labels[rows.targets[i]];
            if (x < 0 || y < 0 || x == y || (!rows.directed && rows.targets[i] < u))
                continue;
            const dgm_report_border key = {.low = x < y ? x : y, .high = x < y ? y : x};
            dgm_report_border *at =
                bsearch(&key, borders, (size_t)count, sizeof *borders, compare_classes);
            if (at)
                at->edges++;
        }
}

static dgm_status find_borders(joining *j) {
    dgm_report *report = j->r->out;
    int64_t count = 0;
    dgm_status status = DGM_OK;
    merge_parts(j);
    for (int64_t i = 0; i < j->part_count; i++)
        count += i == 0 || compare_pairs(&j->parts[i - 1], &j->parts[i]) != 0;
    report->borders = dgmi_mapper_report_keep(j->r, count, sizeof *report->borders);
    if (!report->borders)
        return DGM_ERROR_MEMORY;
    for (int64_t begin = 0, end, b = 0; begin < j->part_count && status == DGM_OK; begin = end) {
        for (end = begin + 1;
             end < j->part_count && compare_pairs(&j->parts[begin], &j->parts[end]) == 0;)
            end++;
        status = write_border(j, begin, end, &report->borders[b++]);
    }
    if (status == DGM_OK && j->r->graph && count)
        count_edges(j->r->graph, report->borders, count);
    if (status == DGM_OK && count > 1)
        qsort(report->borders, (size_t)count, sizeof *report->borders, compare_borders);
    report->totals.borders = status == DGM_OK ? count : 0;
    return status;
}

dgm_status dgmi_mapper_report_bridges(dgmi_mapper_reporter *r) {
    joining j = {.r = r};
    r->out->totals.bridges = r->cast ? 0 : -1;
    if (!r->cast)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    dgm_status status = open_joining(&j) ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        list_around(&j);
        list_nodes(&j);
        status = join_clusters(&j);
    }
    if (status == DGM_OK)
        status = rank_bridges(&j);
    if (status == DGM_OK)
        status = find_borders(&j);
    dgmi_free(r->ctx, j.parts);
    dgmi_arena_release(r->ctx, hold);
    return status;
}
