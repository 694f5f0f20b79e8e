/* SPDX-License-Identifier: Apache-2.0 */
/* A graph whose nodes are put into an order that suits distances from many sources. The place of a
 * node is its number in this order. Components are contiguous, and inside a component every `patch`
 * consecutive places are near each other.
 */
#ifndef GRAPH_PATCHES_H
#define GRAPH_PATCHES_H

#include "dgm/graph.h"

/* Sparse rows of arcs, either copied or borrowed. Copied rows are in the order of places, and their
 * targets are places. Borrowed rows are those of the graph itself: the row of place p is that of
 * node[p], and place[v] is the place of a target v. */
typedef struct dgmi_graph_arcs {
    const int64_t *offsets;
    const uint32_t *targets;
    const double *lengths; /* the length of each arc; NULL: all are 1 */
    const uint32_t *node;  /* the node of each place; NULL: the rows are copied */
    const uint32_t *place; /* the place of each node; NULL: the rows are copied */
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
    const uint32_t *node;      /* the node of each place */
    int64_t components;        /* the number of components, which ignore directions */
    const int64_t *starts;     /* the first place of each component, and the end of the last */
    const uint32_t *component; /* the component of each place */
    dgmi_graph_arcs out;       /* the arcs in the direction in which walks go */
    dgmi_graph_arcs in;        /* the same arcs by their ends; the same as `out` if undirected */
    int exponent;              /* lengths are 2^-exponent times the weights of the graph */
} dgmi_graph_patches;

/* How walks go in a directed graph. */
typedef enum dgmi_graph_walk {
    DGMI_GRAPH_WALK_ALONG,
    DGMI_GRAPH_WALK_AGAINST,
    DGMI_GRAPH_WALK_BOTH
} dgmi_graph_walk;

/* Orders the nodes of a graph, in scratch memory and O(n + m) time. Walks go along the arcs of a
 * directed graph, against them, or both ways; in the last case two arcs between the same nodes stay
 * two. With `weighted`, lengths are the weights of the graph; it is DGM_ERROR_DATA if one of them
 * is not positive. */
dgm_status dgmi_graph_patches_make(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                   dgmi_graph_walk walk, bool weighted,
                                   dgmi_graph_patches *patches);
/* Does the same, but borrows the rows of a graph with more than `most` entries instead of copying
 * them, unless arcs of a directed graph are walked both ways. dgmi_graph_patches_make calls it with
 * DGMI_GRAPH_PATCHES_MOVED: a copy is faster to walk, but a larger one would take more memory than
 * everything else that is kept for each node. */
dgm_status dgmi_graph_patches_make_within(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                          dgmi_graph_walk walk, bool weighted, int64_t most,
                                          dgmi_graph_patches *patches);
enum { DGMI_GRAPH_PATCHES_MOVED = 1 << 26 };
/* Returns about how many bytes of scratch memory it takes. */
double dgmi_graph_patches_bytes(dgm_graph_rows rows, dgmi_graph_walk walk, bool weighted,
                                int64_t most);

#endif
