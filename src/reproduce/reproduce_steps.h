/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 2 of the paper: the steps of Mapper on a small graph through its height. The graph is made
 * here, from places in the plane; cells, clusters and nerve are computed by the library. */
#ifndef REPRODUCE_STEPS_H
#define REPRODUCE_STEPS_H

#include "dgm/draw.h"

/* What the steps have made, as numbers. */
typedef struct dgmi_reproduce_steps_facts {
    int64_t nodes, edges, components; /* of the graph */
    int64_t graph_loops;              /* its independent loops */
    int64_t graph_holes;              /* those of them that its triangles do not fill, mod 2 */
    int64_t intervals;                /* of the cover */
    double overlap;                   /* of neighbouring intervals, as a share of their length */
    int64_t cells;                    /* that hold a node: the sets of the pull-back cover */
    int64_t clusters, shared;         /* the sets of the refined one; nodes in several of them */
    int64_t nerve_edges, nerve_pieces, nerve_loops;
    int64_t nerve_ends; /* clusters that are joined with one other: the ends of branches */
} dgmi_reproduce_steps_facts;

/* The figure has six panels: graph, height, cover, pull-back, refined pull-back, nerve. It borrows the
 * views, which borrow the rest. */
typedef struct dgmi_reproduce_steps {
    dgm_graph *graph; /* with the attributes x and height */
    dgm_matrix *lens;
    dgm_summary *cells;   /* the pull-back cover: a cluster for each cell */
    dgm_summary *summary; /* the refined one, with the nerve */
    dgm_profile *profile;
    dgm_view *graph_view, *nerve_view;
    dgm_figure *figure;
    dgmi_reproduce_steps_facts facts;
} dgmi_reproduce_steps;

/* Makes all of it. Options that are NULL have their defaults, but for a width of 170 mm. On failure
 * nothing is left. */
dgm_status dgmi_reproduce_steps_make(dgm_context *ctx, const dgm_figure_options *options,
                                     dgmi_reproduce_steps *out);
void dgmi_reproduce_steps_free(dgmi_reproduce_steps *steps);

/* The interval of a cell by the gain rule: n intervals of one length fill the range from `low` to
 * `high`, and neighbours share a part of it. */
dgm_interval dgmi_reproduce_steps_interval(double low, double high, int64_t intervals,
                                           double overlap, int64_t cell);

#endif
