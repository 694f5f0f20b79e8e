/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.1: Mapper through the Fiedler vector l of a connected graph, with the two half-lines
 * (-inf, eps) and (-eps, inf) as its cover, cuts the graph in two by the signs of l, if eps is less
 * than the least |l(v)|. */
#ifndef REPRODUCE_CUT_H
#define REPRODUCE_CUT_H

#include "dgm/graph.h"
#include "dgm/lens.h"

typedef struct dgmi_reproduce_cut {
    int64_t nodes, edges; /* of the largest component, which is what is cut */
    double eigenvalue;    /* that of l, the second lowest */
    double next;          /* the third lowest */
    double residual;      /* |L l - eigenvalue l|, where |l| = 1 */
    /* How far l may be from the eigenvector at most: sqrt(2) residual / (next - eigenvalue), by
     * Davis and Kahan. A sign is certain where |l(v)| is more. */
    double error;
    double least;               /* the least |l(v)| */
    bool certain;               /* all signs are: `least` is above `error` */
    double eps;                 /* half of `least` */
    int64_t negative, positive; /* nodes by their signs */
    int64_t crossing;           /* edges between the two sides */
    /* Whether the pull-back cover has two sets, the nodes of each sign. False if `least` is 0, for
     * there is no such eps then. */
    bool bipartition;
    /* Of the refined cover, by connected components. If l is the Fiedler vector, both sides are
     * connected (Fiedler, 1975), so that there are two clusters and no edge. */
    int64_t clusters, joined;
} dgmi_reproduce_cut;

/* Checks it for a dgm_laplacian_kind: PLAIN is that of the proposition. DGM_ERROR_DATA: the largest
 * component has fewer than four nodes. */
dgm_status dgmi_reproduce_cut_check(dgm_context *ctx, const dgm_graph *graph, int laplacian,
                                    dgmi_reproduce_cut *out);
/* The same for a connected graph and a vector that the caller has, with an entry per node; the
 * eigenvalue is its Rayleigh quotient, and `next` is taken as given. */
dgm_status dgmi_reproduce_cut_judge(dgm_context *ctx, const dgm_graph *graph, int laplacian,
                                    const double *vector, double next, dgmi_reproduce_cut *out);

#endif
