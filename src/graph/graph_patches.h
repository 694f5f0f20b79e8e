/* SPDX-License-Identifier: Apache-2.0 */
/* The graph laid out for distances from many sources: nodes get places, so that components are
 * contiguous and, within one, every `patch` consecutive places are near each other.
 */
#ifndef GRAPH_PATCHES_H
#define GRAPH_PATCHES_H

#include "dgm/graph.h"

/* Row p is targets[offsets[p] .. offsets[p + 1]), all of them places. Borrowed arcs are the graph's
 * own: the row of place p is that of node[p], and place[] says where its targets are. */
typedef struct dgmi_graph_arcs {
    const int64_t *offsets;
    const uint32_t *targets;
    const double *lengths; /* NULL: ones */
    const uint32_t *node;  /* by place; NULL: not borrowed */
    const uint32_t *place; /* by node; NULL: not borrowed */
} dgmi_graph_arcs;

static inline int64_t dgmi_graph_arcs_row(const dgmi_graph_arcs *arcs, int64_t p) {
    return arcs->node ? arcs->node[p] : p;
}
static inline int64_t dgmi_graph_arcs_degree(const dgmi_graph_arcs *arcs, int64_t p) {
    int64_t row = dgmi_graph_arcs_row(arcs, p);
    return arcs->offsets[row + 1] - arcs->offsets[row];
}
static inline uint32_t dgmi_graph_arcs_target(const dgmi_graph_arcs *arcs, int64_t e) {
    return arcs->place ? arcs->place[arcs->targets[e]] : arcs->targets[e];
}

typedef struct dgmi_graph_patches {
    int64_t nodes;
    const uint32_t *node;      /* by place: the node of the graph */
    int64_t components;        /* weak ones of a directed graph */
    const int64_t *starts;     /* components + 1: first place of each */
    const uint32_t *component; /* by place */
    dgmi_graph_arcs out;       /* the arcs as a walk follows them */
    dgmi_graph_arcs in;        /* the same, from their ends; == out unless directed */
    int exponent;              /* lengths are 2^-exponent times the graph's weights */
} dgmi_graph_patches;

/* How walks go in a directed graph. */
typedef enum dgmi_graph_walk {
    DGMI_GRAPH_WALK_ALONG,
    DGMI_GRAPH_WALK_AGAINST,
    DGMI_GRAPH_WALK_BOTH
} dgmi_graph_walk;

/* Everything lies in scratch memory. `walk`: along the arcs of a directed graph, against them, or
 * both ways, where two arcs between the same nodes stay two. `weighted`: lengths are the graph's
 * weights, which must be above 0 (DGM_ERROR_DATA). O(n + m). */
dgm_status dgmi_graph_patches_make(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                   dgmi_graph_walk walk, bool weighted,
                                   dgmi_graph_patches *patches);
/* The same, where more than `most` entries are borrowed rather than moved to their places, unless
 * arcs of a directed graph are walked both ways. dgmi_graph_patches_make takes DGMI_GRAPH_PATCHES_MOVED: a copy
 * is faster to walk, but one that large takes more than all that is kept for each node. */
dgm_status dgmi_graph_patches_make_within(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                          dgmi_graph_walk walk, bool weighted, int64_t most,
                                          dgmi_graph_patches *patches);
enum { DGMI_GRAPH_PATCHES_MOVED = 1 << 26 };
/* About the bytes of scratch memory that it takes. */
double dgmi_graph_patches_bytes(dgm_graph_rows rows, dgmi_graph_walk walk, bool weighted,
                                int64_t most);

#endif
