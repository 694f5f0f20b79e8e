/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of UMAP: the fuzzy graph of neighbours, where points start, the descent. */
#ifndef REDUCE_UMAP_H
#define REDUCE_UMAP_H

#include "dgm/knn.h"
#include "dgm/reduce.h"
#include "spectral_laplacian.h"

/* 1 / (1 + a d^2b) is the least-squares fit to 1 up to min_dist and exp(-(d - min_dist) / spread)
 * beyond, at 300 distances from 0 to 3 spread. */
typedef struct dgmi_reduce_umap_curve {
    double a, b;
} dgmi_reduce_umap_curve;
dgmi_reduce_umap_curve dgmi_reduce_umap_fit(double min_dist, double spread);

/* The nearest positive distance rho of one point, and sigma so that the sum of
 * exp(-(d - rho) / sigma) is log2(k + 1), the point itself counting among its neighbours. `mean` is
 * that of all points' distances; sigma is at least a thousandth of it, or of the point's own. */
void dgmi_reduce_umap_smooth(int64_t k, const float *distances, double mean, double *rho,
                             double *sigma);

/* Memberships w + w' - w w' of the symmetric graph, rows sorted; scratch memory. */
dgm_status dgmi_reduce_umap_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                                  dgmi_spectral_adjacency *out);

/* Where the descent begins: rows x dim, every axis from 0 to 10. */
dgm_status dgmi_reduce_umap_start(dgm_context *ctx, const dgm_points *points,
                                  const dgmi_spectral_adjacency *graph,
                                  const dgm_umap_options *options, int64_t dim, float *y);

/* Moves y along the edges and away from points drawn at random. */
dgm_status dgmi_reduce_umap_descend(dgm_context *ctx, const dgmi_spectral_adjacency *graph,
                                    dgmi_reduce_umap_curve curve, const dgm_umap_options *options,
                                    int64_t epochs, int64_t dim, float *y);

#endif
