/* SPDX-License-Identifier: Apache-2.0 */
/* A graph as its Laplacian sees it, cut into connected components. */
#ifndef LENS_EIGEN_PARTS_H
#define LENS_EIGEN_PARTS_H

#include "dgm/graph.h"

#include "spectral_laplacian.h"

/* Everything is borrowed from the graph or in scratch memory. */
typedef struct dgmi_lens_eigen_parts {
    dgmi_spectral_adjacency rows; /* every edge both ways, positive weights, no loops */
    const double *degree;         /* sums of weights, a loop counted once */
    int exponent;                 /* weights are 2^-exponent times the graph's */
    int64_t count;                /* components, numbered by smallest member */
    int64_t largest;              /* the first of the most nodes */
    int64_t *offsets;             /* count + 1 */
    uint32_t *members; /* of component c: members[offsets[c] .. offsets[c + 1]), ascending */
    uint32_t *place;   /* of a node among the members of its component */
} dgmi_lens_eigen_parts;

/* An edge of weight 0 is none; a negative weight is an error. The two arcs of a directed graph's
 * pair of nodes are one edge of the larger weight. */
dgm_status dgmi_lens_eigen_parts_make(dgm_context *ctx, const dgm_graph *graph, bool weighted,
                                      dgmi_lens_eigen_parts *out);
/* The rows of one component. Up to `most` entries are copied into scratch memory, with the
 * component's own numbers; more, and those of a component that is the whole graph, are borrowed. */
dgm_status dgmi_lens_eigen_parts_rows(dgm_context *ctx, const dgmi_lens_eigen_parts *parts,
                                      int64_t component, int64_t most,
                                      dgmi_spectral_adjacency *out);

#endif
