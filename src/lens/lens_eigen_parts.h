/* SPDX-License-Identifier: Apache-2.0 */
/* The adjacency that a Laplacian is made of, cut into connected components. */
#ifndef LENS_EIGEN_PARTS_H
#define LENS_EIGEN_PARTS_H

#include "dgm/graph.h"

#include "spectral_laplacian.h"

/* All arrays belong to the graph or lie in scratch memory. */
typedef struct dgmi_lens_eigen_parts {
    dgmi_spectral_adjacency rows; /* every edge in both rows, with positive weights and no loops */
    const double *degree;         /* the sum of a node's weights, in which a loop counts once */
    int exponent;                 /* the weights are 2^-exponent times those of the graph */
    int64_t count;                /* the number of components, in the order of smallest members */
    int64_t largest;              /* the component with the most nodes, the first of several */
    int64_t *offsets;             /* count + 1 places: where the members of each component begin */
    uint32_t *members; /* the nodes of component c, ascending, from offsets[c] to offsets[c + 1] */
    uint32_t *place;   /* the place of a node among the members of its component */
} dgmi_lens_eigen_parts;

/* Finds the components. An edge of weight 0 does not count, and a negative weight is an error. Two
 * opposite arcs of a directed graph are one edge, which has the larger weight. */
dgm_status dgmi_lens_eigen_parts_make(dgm_context *ctx, const dgm_graph *graph, bool weighted,
                                      dgmi_lens_eigen_parts *out);
/* Gives the rows of one component. If they have at most `most` entries, they are copied to scratch
 * memory with the component's own numbers. Otherwise, and if the component is the whole graph, they
 * are those of `parts`. */
dgm_status dgmi_lens_eigen_parts_rows(dgm_context *ctx, const dgmi_lens_eigen_parts *parts,
                                      int64_t component, int64_t most,
                                      dgmi_spectral_adjacency *out);

#endif
