/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the graph between pieces of the summary. Clusters of different pieces share no node, but
 * the graph may still lead from one to the other: the cover has cut these edges.
 *
 * An edge counts for the first pieces of its ends, and only if no piece holds both ends; with
 * structural edges a node may lie in several pieces.
 */
#include "mapper_report.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_sort.h"

enum { EXAMPLES = 3 }; /* edges that are told of two pieces */
#define NO_PIECE (-1)

typedef struct {
    dgmi_mapper_reporter *r;
    dgm_graph_rows rows;
    uint64_t *keys;  /* the pieces of each crossing edge, the earlier in the upper half */
    uint32_t *order; /* crossing edges */
    uint32_t (*ends)[2];
    int64_t count;
} search;

static int64_t first_piece(const dgmi_mapper_reporter *r, int64_t node) {
    return r->in_start[node] < r->in_start[node + 1] ? r->piece_of[r->in[r->in_start[node]]]
                                                     : NO_PIECE;
}

static bool lies_in(const dgmi_mapper_reporter *r, int64_t node, int64_t piece) {
    for (int64_t i = r->in_start[node]; i < r->in_start[node + 1]; i++)
        if (r->piece_of[r->in[i]] == piece)
            return true;
    return false;
}

/* Whether an edge leads from one piece to another. */
static bool crosses(const dgmi_mapper_reporter *r, int64_t u, int64_t v) {
    int64_t p = first_piece(r, u), q = first_piece(r, v);
    if (p == q || p == NO_PIECE || q == NO_PIECE)
        return false;
    for (int64_t i = r->in_start[u]; i < r->in_start[u + 1]; i++)
        if (lies_in(r, v, r->piece_of[r->in[i]]))
            return false;
    return true;
}

static void write_edge(search *s, int64_t u, int64_t v) {
    int64_t p = first_piece(s->r, u), q = first_piece(s->r, v);
    s->keys[s->count] = (uint64_t)(p < q ? p : q) << 32 | (uint64_t)(p < q ? q : p);
    s->order[s->count] = (uint32_t)s->count;
    s->ends[s->count][0] = (uint32_t)(p < q ? u : v);
    s->ends[s->count][1] = (uint32_t)(p < q ? v : u);
}

/* Counts the crossing edges, and writes them down once there is room. */
static dgm_status walk(search *s) {
    dgm_status status = DGM_OK;
    s->count = 0;
    for (int64_t u = 0; u < s->rows.nodes && status == DGM_OK; u++) {
        for (int64_t i = s->rows.offsets[u]; i < s->rows.offsets[u + 1]; i++) {
            int64_t v = s->rows.targets[i];
            if ((!s->rows.directed && v < u) || !crosses(s->r, u, v))
                continue;
            if (s->keys)
                write_edge(s, u, v);
            s->count++;
        }
        if (u % (1 << 16) == 0)
            status = dgmi_progress(s->r->ctx, "finding edges between pieces", -1);
    }
    return status;
}

static dgm_status find_edges(search *s) {
    dgm_status status = walk(s);
    if (status != DGM_OK)
        return status;
    if (s->count > (int64_t)UINT32_MAX)
        return dgmi_fail(s->r->ctx, DGM_ERROR_DATA,
                         "%lld edges of the graph lead between pieces, too many for a report",
                         (long long)s->count);
    s->order = dgmi_scratch(s->r->ctx, s->count, sizeof *s->order);
    s->ends = dgmi_scratch(s->r->ctx, s->count, sizeof *s->ends);
    s->keys = dgmi_scratch(s->r->ctx, s->count, sizeof *s->keys);
    if (!s->order || !s->ends || !s->keys)
        return DGM_ERROR_MEMORY;
    status = walk(s);
    return status == DGM_OK ? dgmi_sort_pairs(s->r->ctx, s->keys, s->order, s->count) : status;
}

/* ---- pairs of pieces ---- */

typedef struct {
    int64_t begin, end; /* its edges in the order */
    double score;
} pair;

static int64_t size_of(const dgmi_mapper_reporter *r, uint64_t piece) {
    return r->out->pieces[piece].members.total;
}

static pair make_pair(const search *s, int64_t begin) {
    uint64_t key = s->keys[begin];
    int64_t low = size_of(s->r, key >> 32), high = size_of(s->r, (uint32_t)key), end = begin + 1;
    while (end < s->count && s->keys[end] == key)
        end++;
    return (pair){begin, end, (double)(low < high ? low : high) / (double)(end - begin)};
}

/* Those of equal score stay in the order of their pieces, which is that of `begin`. */
static int compare_scores(const void *a, const void *b) {
    const pair *p = a, *q = b;
    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return (p->begin > q->begin) - (p->begin < q->begin);
}

/* Whether edge a is told before edge b: its ends have more neighbours together. */
static bool is_before(const search *s, uint32_t a, uint32_t b) {
    const int64_t *standing = s->r->standing;
    int64_t x = standing[s->ends[a][0]] + standing[s->ends[a][1]];
    int64_t y = standing[s->ends[b][0]] + standing[s->ends[b][1]];
    if (x != y)
        return x > y;
    if (s->ends[a][0] != s->ends[b][0])
        return s->ends[a][0] < s->ends[b][0];
    return s->ends[a][1] < s->ends[b][1];
}

static int64_t choose_edges(const search *s, const pair *p, uint32_t best[EXAMPLES]) {
    int64_t count = 0;
    for (int64_t i = p->begin; i < p->end; i++) {
        int64_t at = count;
        while (at > 0 && is_before(s, s->order[i], best[at - 1]))
            at--;
        if (at == EXAMPLES)
            continue;
        count += count < EXAMPLES;
        memmove(best + at + 1, best + at, (size_t)(count - 1 - at) * sizeof *best);
        best[at] = s->order[i];
    }
    return count;
}

static dgm_status write_crossing(const search *s, const pair *p, dgm_report_crossing *out) {
    uint32_t best[EXAMPLES];
    uint64_t key = s->keys[p->begin];
    *out = (dgm_report_crossing){.low = (int64_t)(key >> 32),
                                 .high = (uint32_t)key,
                                 .edges = p->end - p->begin,
                                 .score = p->score,
                                 .count = choose_edges(s, p, best)};
    dgm_report_member(*ends)[2] = dgmi_mapper_report_keep(s->r, out->count, sizeof *ends);
    dgm_status status = ends ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < 2 * out->count && status == DGM_OK; i++)
        status = dgmi_mapper_report_name(s->r, s->ends[best[i / 2]][i % 2], &ends[i / 2][i % 2]);
    out->ends = (const dgm_report_member(*)[2])ends;
    return status;
}

static dgm_status rank_pairs(search *s) {
    dgm_report *report = s->r->out;
    int64_t count = 0, told;
    for (int64_t i = 0; i < s->count; i++)
        count += i == 0 || s->keys[i] != s->keys[i - 1];
    pair *pairs = dgmi_scratch(s->r->ctx, count, sizeof *pairs);
    told = count < s->r->options.bridges ? count : s->r->options.bridges;
    report->crossings = dgmi_mapper_report_keep(s->r, told, sizeof *report->crossings);
    dgm_status status = pairs && report->crossings ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0, k = 0; status == DGM_OK && i < s->count; i = pairs[k++].end)
        pairs[k] = make_pair(s, i);
    if (status == DGM_OK && count > 1)
        qsort(pairs, (size_t)count, sizeof *pairs, compare_scores);
    for (int64_t k = 0; k < told && status == DGM_OK; k++)
        status = write_crossing(s, &pairs[k], &report->crossings[k]);
    report->totals.crossings = count;
    report->totals.crossings_told = told;
    report->totals.crossing_edges = s->count;
    return status;
}

dgm_status dgmi_mapper_report_crossings(dgmi_mapper_reporter *r) {
    r->out->totals.crossings = r->graph ? 0 : -1;
    if (!r->graph)
        return DGM_OK;
    search s = {.r = r, .rows = dgm_graph_get_rows(r->graph)};
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    dgm_status status = find_edges(&s);
    if (status == DGM_OK)
        status = rank_pairs(&s);
    dgmi_arena_release(r->ctx, hold);
    return status;
}
