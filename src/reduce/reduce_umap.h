/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of UMAP: the fuzzy graph of neighbours, the start of the points, and the descent. */
#ifndef REDUCE_UMAP_H
#define REDUCE_UMAP_H

#include "dgm/knn.h"
#include "dgm/reduce.h"
#include "spectral_laplacian.h"

/* The curve 1 / (1 + a d^2b). It is the least-squares fit, at 300 distances d from 0 to 3 spread,
 * to a curve that is 1 up to min_dist and exp(-(d - min_dist) / spread) beyond. */
typedef struct dgmi_reduce_umap_curve {
    double a, b;
} dgmi_reduce_umap_curve;
dgmi_reduce_umap_curve dgmi_reduce_umap_fit(double min_dist, double spread);

/* Finds rho, the smallest positive distance of one point, and the sigma for which the sum of
 * exp(-(d - rho) / sigma) is log2(k + 1), where the point itself counts among its neighbours.
 * `mean` is the mean of all distances of all points. sigma is at least a thousandth of it, or of
 * the mean of this point. */
void dgmi_reduce_umap_smooth(int64_t k, const float *distances, double mean, double *rho,
                             double *sigma);

/* Makes the symmetric graph of the memberships w + w' - w w', with sorted rows, in scratch memory.
 */
dgm_status dgmi_reduce_umap_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                                  dgmi_spectral_adjacency *out);

/* Sets the places where the descent begins: rows x dim numbers, from 0 to 10 on every axis. */
dgm_status dgmi_reduce_umap_start(dgm_context *ctx, const dgm_points *points,
                                  const dgmi_spectral_adjacency *graph,
                                  const dgm_umap_options *options, int64_t dim, float *y);

/* Moves y along the edges and away from points drawn at random. */
dgm_status dgmi_reduce_umap_descend(dgm_context *ctx, const dgmi_spectral_adjacency *graph,
                                    dgmi_reduce_umap_curve curve, const dgm_umap_options *options,
                                    int64_t epochs, int64_t dim, float *y);

#endif
