/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a summary hard to read. Each complaint is a number that the reader can check, its cause
 * as far as it can be told, and an option that mends it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dgm/study.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_words.h"
#include "study_measure.h"

/* Smaller graphs are looked at whole. */
enum { LEAST_NODES = 20, DUST_SIZE = 5 };
/* Shares that are worth a word: of the nodes in one cluster, of clusters that are single nodes, of
 * neighbouring cells that do not meet. */
/* Dust is no harm while so many of the nodes are in clusters that can be seen as well. */
#define HELD        0.9
#define GIANT       0.5
#define DUST        0.5
#define APART       0.25
#define BETTER_LENS DGMI_NAMED("lens=eigen:k=2,laplacian=rw,outside=large")

typedef struct patient {
    dgm_context *ctx;
    const dgm_summary *summary;
    dgm_summary_clusters clusters;
    const dgm_mapper_options *options;
    dgm_study_measures is;
    double fullest; /* the share of the nodes in the fullest cell */
    dgm_diagnosis *out;
} patient;

static __attribute__((format(printf, 2, 3))) void complain(const patient *p, const char *format,
                                                           ...) {
    char marked[DGM_DIAGNOSIS_TEXT];
    va_list arguments;
    if (p->out->count == DGM_DIAGNOSIS_MOST)
        return;
    va_start(arguments, format);
    vsnprintf(marked, sizeof marked, format, arguments);
    va_end(arguments);
    dgmi_words_render(p->ctx, marked, p->out->lines[p->out->count++], DGM_DIAGNOSIS_TEXT, NULL);
}

/* ---- what can be told of the lens ---- */

static bool is_constant(const patient *p) {
    for (int64_t k = 0; k < p->clusters.dimension; k++) {
        double low, high;
        dgm_summary_lens_range(p->summary, k, &low, &high);
        if (high > low)
            return false;
    }
    return true;
}

/* A grid of intervals on axes that nobody has transformed. */
static bool is_plain(const patient *p) {
    return p->options->cover == DGM_COVER_UNIFORM &&
           strcmp(dgm_summary_axis_transform(p->summary, 0), "none") == 0;
}

static bool is_grid(const patient *p) {
    return p->options->cover == DGM_COVER_UNIFORM || p->options->cover == DGM_COVER_QUANTILE;
}

/* Clusters come in the order of their cells. */
static bool same_cell(const patient *p, int64_t a, int64_t b) {
    int64_t axes = p->clusters.axes;
    return memcmp(p->clusters.cells + a * axes, p->clusters.cells + b * axes,
                  (size_t)axes * sizeof *p->clusters.cells) == 0;
}

static double find_fullest(const patient *p, int64_t nodes) {
    int64_t fullest = 0;
    for (int64_t c = 0, first = 0; c < p->clusters.count; c++) {
        if (!same_cell(p, first, c))
            first = c;
        int64_t held = p->clusters.offsets[c + 1] - p->clusters.offsets[first];
        fullest = held > fullest ? held : fullest;
    }
    return (double)fullest / (double)nodes;
}

/* ---- complaints ---- */

static int percent(double share) {
    return (int)(100 * share + 0.5);
}

static void look_for_giant(const patient *p) {
    if (p->is.largest <= GIANT)
        return;
    int share = percent(p->is.largest);
    if (is_constant(p))
        complain(p,
                 "one cluster holds %d%% of the nodes: the lens is the same for all of them; try "
                 "another, " BETTER_LENS,
                 share);
    else if (is_plain(p))
        complain(p,
                 "one cluster holds %d%% of the nodes: the lens has a heavy tail, and %d%% of its "
                 "values lie in one cell; try " DGMI_NAMED("transform=rank"),
                 share, percent(p->fullest));
    else if (is_grid(p))
        complain(p, "one cluster holds %d%% of the nodes; try " DGMI_NAMED("intervals=%lld"), share,
                 (long long)(2 * p->options->intervals[0]));
}

static void look_for_dust(const patient *p) {
    if ((double)p->is.singles <= DUST * (double)p->is.clusters || p->is.singles < DUST_SIZE ||
        p->is.held > HELD)
        return;
    bool eigen = strncmp(dgm_summary_axis_name(p->summary, 0), "eigen", 5) == 0;
    if (eigen)
        complain(p,
                 "%lld of %lld clusters are single nodes, which hang on a node of another cell; "
                 "try fewer cells, " DGMI_NAMED("intervals=%lld"),
                 (long long)p->is.singles, (long long)p->is.clusters,
                 (long long)fmax(2, floor((double)p->options->intervals[0] / 2)));
    else
        complain(p,
                 "%lld of %lld clusters are single nodes: neighbours in the graph have different "
                 "values of this lens; try " BETTER_LENS " " DGMI_NAMED("transform=rank"),
                 (long long)p->is.singles, (long long)p->is.clusters);
}

/* Whether two cells of one axis that follow each other share a node; `seen` has, by node, the end of
 * the last first cell that it was in. */
static bool cells_meet(const patient *p, int64_t a, int64_t b, int64_t end, int64_t *seen) {
    bool meet = false;
    for (int64_t i = p->clusters.offsets[a]; i < p->clusters.offsets[b]; i++)
        seen[p->clusters.members[i]] = b;
    for (int64_t i = p->clusters.offsets[b]; !meet && i < p->clusters.offsets[end]; i++)
        meet = seen[p->clusters.members[i]] == b;
    return meet;
}

/* The first cluster of another cell behind `c`. */
static int64_t next_cell(const patient *p, int64_t c) {
    int64_t next = c;
    while (next < p->clusters.count && same_cell(p, c, next))
        next++;
    return next;
}

/* Neighbouring cells of one axis without a common node, where overlap was asked for: the values are
 * few, and none lies where the intervals overlap. */
static dgm_status look_for_gaps(const patient *p, int64_t nodes) {
    int64_t pairs = 0, apart = 0, first = -1, count = p->clusters.count;
    if (!is_grid(p) || p->clusters.axes != 1 || p->options->overlap[0] <= 0 ||
        p->options->edges != DGM_EDGES_NERVE)
        return DGM_OK;
    int64_t *seen = dgmi_scratch_zero(p->ctx, nodes, sizeof *seen);
    if (!seen)
        return DGM_ERROR_MEMORY;
    for (int64_t a = 0, b = next_cell(p, a); b < count; a = b, b = next_cell(p, b)) {
        bool meet = p->clusters.cells[b] != p->clusters.cells[a] + 1 ||
                    cells_meet(p, a, b, next_cell(p, b), seen);
        pairs++;
        apart += !meet;
        first = !meet && first < 0 ? p->clusters.cells[a] : first;
    }
    if ((double)apart > APART * (double)pairs)
        complain(p,
                 "cells %lld and %lld%s share no node: the lens has few different values, and none "
                 "lies where cells overlap; try " DGMI_NAMED("edges=structural"),
                 (long long)first, (long long)first + 1, apart > 1 ? ", and others," : "");
    return DGM_OK;
}

dgm_status dgm_summary_diagnose(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_summary *summary, dgm_diagnosis *out) {
    patient p = {.ctx = ctx,
                 .summary = summary,
                 .clusters = dgm_summary_get_clusters(summary),
                 .options = dgm_summary_options(summary),
                 .out = out};
    int64_t nodes = dgm_graph_nodes(graph);
    *out = (dgm_diagnosis){0};
    if (nodes < LEAST_NODES || p.clusters.count == 0)
        return DGM_OK;
    dgm_status status = dgm_study_measure(ctx, graph, summary, DUST_SIZE, &p.is);
    if (status != DGM_OK)
        return status;
    p.fullest = find_fullest(&p, nodes);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    look_for_giant(&p);
    look_for_dust(&p);
    status = look_for_gaps(&p, nodes);
    dgmi_arena_release(ctx, hold);
    return status;
}
