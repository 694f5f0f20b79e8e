/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks the nodes that join clusters, and those that join clusters of two classes (borders). They are
 * found by the edges of the graph (mapper_report_across.c). Where there is no graph, or clusters overlap
 * so far that no edge leaves one, they are found by the clusters that they lie in
 * (mapper_report_shared.c).
 */
#include "mapper_report.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"

enum { MERGED_AT = 1 << 16 }; /* parts, from which on those of one node are added up meanwhile */

dgm_status dgmi_mapper_bridges_add(const dgmi_mapper_reporter *r, dgmi_mapper_bridges *bridges,
                                   dgmi_mapper_bridge bridge) {
    dgm_status status = dgmi_reserve(r->ctx, (void **)&bridges->all, &bridges->capacity,
                                     bridges->count + 1, sizeof *bridges->all);
    if (status == DGM_OK)
        bridges->all[bridges->count++] = bridge;
    return status;
}

/* ---- parts: what a node joins of two classes ---- */

static int compare_pairs(const dgmi_mapper_bridge *p, const dgmi_mapper_bridge *q) {
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return (p->high > q->high) - (p->high < q->high);
}

static bool same_part(const dgmi_mapper_bridge *p, const dgmi_mapper_bridge *q) {
    return compare_pairs(p, q) == 0 && p->node == q->node;
}

/* By classes and node; then by score, so that sums do not depend on how qsort treats equals, with
 * the cluster first to which most crosses. */
static int compare_parts(const void *a, const void *b) {
    const dgmi_mapper_bridge *p = a, *q = b;
    int order = compare_pairs(p, q);
    if (order == 0)
        order = (p->node > q->node) - (p->node < q->node);
    if (order == 0)
        order = (p->score < q->score) - (p->score > q->score);
    return order ? order : (p->other > q->other) - (p->other < q->other);
}

/* Adds up what a node joins between the same two classes. */
static void merge_parts(dgmi_mapper_bridges *bridges) {
    dgmi_mapper_bridge *parts = bridges->parts;
    int64_t kept = 0;
    if (bridges->part_count > 1)
        qsort(parts, (size_t)bridges->part_count, sizeof *parts, compare_parts);
    for (int64_t i = 0; i < bridges->part_count; i++)
        if (kept && same_part(&parts[kept - 1], &parts[i])) {
            parts[kept - 1].score += parts[i].score;
            parts[kept - 1].across += parts[i].across < 0 ? 0 : parts[i].across;
        } else
            parts[kept++] = parts[i];
    bridges->part_count = kept;
}

dgm_status dgmi_mapper_bridges_add_part(const dgmi_mapper_reporter *r, dgmi_mapper_bridges *bridges,
                                        uint32_t a, uint32_t b, dgmi_mapper_bridge part) {
    int32_t x = r->main_class[a], y = r->main_class[b];
    if (x < 0 || y < 0 || x == y)
        return DGM_OK;
    part.low = x < y ? x : y;
    part.high = x < y ? y : x;
    if (bridges->part_count >= 2 * bridges->merged + MERGED_AT) {
        merge_parts(bridges);
        bridges->merged = bridges->part_count;
    }
    dgm_status status = dgmi_reserve(r->ctx, (void **)&bridges->parts, &bridges->part_capacity,
                                     bridges->part_count + 1, sizeof *bridges->parts);
    if (status == DGM_OK)
        bridges->parts[bridges->part_count++] = part;
    return status;
}

/* ---- the best ---- */

static bool is_better(const dgmi_mapper_reporter *r, const dgmi_mapper_bridge *a,
                      const dgmi_mapper_bridge *b) {
    return a->score != b->score ? a->score > b->score
                                : dgmi_mapper_report_before(r, a->node, b->node);
}

/* Puts a bridge into the list of the best so far. */
static void enter(const dgmi_mapper_reporter *r, dgmi_mapper_bridge *best, int64_t *count,
                  int64_t most, const dgmi_mapper_bridge *new) {
    int64_t at = *count;
    while (at > 0 && is_better(r, new, &best[at - 1]))
        at--;
    if (at == most)
        return;
    *count += *count < most;
    memmove(best + at + 1, best + at, (size_t)(*count - 1 - at) * sizeof *best);
    best[at] = *new;
}

static dgm_status write_bridge(const dgmi_mapper_reporter *r, const dgmi_mapper_bridge *from,
                               dgm_report_bridge *out) {
    int64_t begin = r->in_start[from->node], count = r->in_start[from->node + 1] - begin;
    uint32_t *kept = dgmi_mapper_report_keep(r, count, sizeof *kept);
    if (!kept)
        return DGM_ERROR_MEMORY;
    memcpy(kept, r->in + begin, (size_t)count * sizeof *kept);
    *out = (dgm_report_bridge){.clusters = kept,
                               .score = from->score,
                               .alone = from->alone,
                               .home = from->home,
                               .other = from->other,
                               .across = from->across};
    return dgmi_mapper_report_name(r, from->node, &out->member);
}

/* Tells the best of some bridges, at most `most`; returns through *told how many these are. */
static dgm_status tell(const dgmi_mapper_reporter *r, const dgmi_mapper_bridge *bridges,
                       int64_t count, int64_t most, dgm_report_bridge **out, int64_t *told) {
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    most = most < count ? most : count;
    dgmi_mapper_bridge *best = dgmi_scratch(r->ctx, most + 1, sizeof *best);
    *out = dgmi_mapper_report_keep(r, most, sizeof **out);
    dgm_status status = best && *out ? DGM_OK : DGM_ERROR_MEMORY;
    *told = 0;
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        enter(r, best, told, most, &bridges[i]);
    for (int64_t i = 0; i < *told && status == DGM_OK; i++)
        status = write_bridge(r, &best[i], &(*out)[i]);
    dgmi_arena_release(r->ctx, hold);
    return status;
}

/* ---- borders between classes ---- */

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

/* The border of some parts, which are all of the same two classes. */
static dgm_status write_border(const dgmi_mapper_reporter *r, const dgmi_mapper_bridge *parts,
                               int64_t count, dgm_report_border *out) {
    dgm_report_bridge *bridges;
    *out = (dgm_report_border){.low = parts->low,
                               .high = parts->high,
                               .low_name = r->out->class_names[parts->low],
                               .high_name = r->out->class_names[parts->high],
                               .edges = r->graph ? 0 : -1,
                               .total = count};
    dgm_status status = tell(r, parts, count, r->options.members, &bridges, &out->count);
    out->bridges = bridges;
    return status;
}

static dgm_status find_borders(dgmi_mapper_reporter *r, dgmi_mapper_bridges *bridges) {
    dgm_report *report = r->out;
    const dgmi_mapper_bridge *parts = bridges->parts;
    int64_t count = 0;
    dgm_status status = DGM_OK;
    merge_parts(bridges);
    for (int64_t i = 0; i < bridges->part_count; i++)
        count += i == 0 || compare_pairs(&parts[i - 1], &parts[i]) != 0;
    report->borders = dgmi_mapper_report_keep(r, count, sizeof *report->borders);
    if (!report->borders)
        return DGM_ERROR_MEMORY;
    for (int64_t begin = 0, end, b = 0; begin < bridges->part_count && status == DGM_OK;
         begin = end) {
        for (end = begin + 1;
             end < bridges->part_count && compare_pairs(&parts[begin], &parts[end]) == 0;)
            end++;
        status = write_border(r, parts + begin, end - begin, &report->borders[b++]);
    }
    if (status == DGM_OK && r->graph && count)
        count_edges(r->graph, report->borders, count);
    if (status == DGM_OK && count > 1)
        qsort(report->borders, (size_t)count, sizeof *report->borders, compare_borders);
    report->totals.borders = status == DGM_OK ? count : 0;
    return status;
}

dgm_status dgmi_mapper_report_bridges(dgmi_mapper_reporter *r) {
    dgm_report_totals *totals = &r->out->totals;
    dgmi_mapper_bridges found = {0};
    totals->bridges = r->cast ? 0 : -1;
    if (!r->cast)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    dgm_status status = r->graph ? dgmi_mapper_bridges_across(r, &found) : DGM_OK;
    totals->bridges_shared = found.count == 0;
    if (status == DGM_OK && totals->bridges_shared)
        status = dgmi_mapper_bridges_shared(r, &found);
    if (status == DGM_OK)
        status = tell(r, found.all, found.count, r->options.bridges, &r->out->bridges,
                      &totals->bridges_told);
    totals->bridges = status == DGM_OK ? found.count : 0;
    if (status == DGM_OK)
        status = find_borders(r, &found);
    dgmi_free(r->ctx, found.all);
    dgmi_free(r->ctx, found.parts);
    dgmi_arena_release(r->ctx, hold);
    return status;
}
