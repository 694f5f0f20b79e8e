/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 8 of the paper: the proof of proposition 4.2 on a graph of eight nodes, in four panels: the
 * graph with its clusters, the expanded graph with the copied clusters, their 1-hop expansion, and
 * its nerve. Clusters, expansions and nerve are computed by the library. */
#ifndef REPRODUCE_PROOF_H
#define REPRODUCE_PROOF_H

#include "dgm/draw.h"

#include "reproduce_expand.h"

/* The figure borrows the views, which borrow the rest. */
typedef struct dgmi_reproduce_proof {
    dgm_context *ctx;
    dgm_graph *graph;
    dgm_summary *clusters; /* of the graph; one of its nodes lies in two */
    dgm_membership *assignment;
    dgm_graph *expanded;
    uint32_t *origin;       /* the node that each copy stands for */
    dgm_membership *copied; /* the assignment of the copies */
    dgm_membership *grown;  /* its 1-hop expansion */
    dgm_summary *nerve;     /* Mapper through `grown`, a cell for each cluster */
    dgm_view *graph_view, *expanded_view, *nerve_view;
    dgm_figure *figure;
    dgmi_reproduce_expansion facts;
} dgmi_reproduce_proof;

/* Makes all of it. Options that are NULL have their defaults, but for a width of 170 mm. On failure
 * nothing is left. */
dgm_status dgmi_reproduce_proof_make(dgm_context *ctx, const dgm_figure_options *options,
                                     dgmi_reproduce_proof *out);
void dgmi_reproduce_proof_free(dgmi_reproduce_proof *proof);

#endif
