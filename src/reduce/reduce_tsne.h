/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of t-SNE: affinities, repulsion by all pairs, by a tree or by a grid, the descent. */
#ifndef REDUCE_TSNE_H
#define REDUCE_TSNE_H

#include "dgm/reduce.h"
#include "kernels_embed.h"

/* ---- affinities ---- */

/* The joint probabilities p_ij, symmetric, sum 1, sparse. */
typedef struct dgmi_reduce_affinities {
    int64_t rows;
    int64_t *offsets;
    uint32_t *columns;
    float *values;
    float *copies;  /* of each row, itself among them; NULL: no two are equal */
    double entropy; /* sum of p log p */
    double recall;  /* of the neighbours: 1 where they are exact */
} dgmi_reduce_affinities;

/* p_j = exp(-beta d_j^2) / sum, beta so that the entropy of p is `entropy` (as near as duplicates
 * let it come), in `p`, which holds k. */
void dgmi_reduce_affinity_row(int64_t k, const float *distances, double entropy, double *p);
/* How many neighbours a perplexity asks for, among n points. */
int64_t dgmi_reduce_affinity_neighbours(double perplexity, int64_t n);
dgm_status dgmi_reduce_affinities_make(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, double perplexity,
                                       dgmi_reduce_affinities *out);
void dgmi_reduce_affinities_free(dgm_context *ctx, dgmi_reduce_affinities *affinities);

/* ---- repulsion ---- */

/* force[i] = sum_j w_ij^2 (y_i - y_j), w_ij = 1 / (1 + |y_i - y_j|^2); sums[i] = sum_j w_ij, j = i
 * among them. */
typedef struct dgmi_reduce_repulsion {
    dgm_context *ctx;
    const dgmi_kernels_embedding *y; /* padded */
    const dgmi_kernels_embed_table *kernels;
    const float *copies; /* as in dgmi_reduce_affinities; a grid asks for it */
    float *force[DGMI_KERNELS_EMBED_MOST];
    float *sums;
    struct dgmi_reduce_tree *tree; /* what its method needs, or NULL */
    struct dgmi_reduce_grid *grid;
} dgmi_reduce_repulsion;

/* AUTO becomes what is quickest for so many points. */
int dgmi_reduce_repulsion_choose(int method, int dim, int64_t count);
dgm_status dgmi_reduce_repulsion_open(dgm_context *ctx, int method, const dgmi_kernels_embedding *y,
                                      dgmi_reduce_repulsion *out);
dgm_status dgmi_reduce_repulsion_run(dgmi_reduce_repulsion *job);
void dgmi_reduce_repulsion_close(dgmi_reduce_repulsion *job); /* a struct of zeros is fine */

/* The ways to compute it. Their memory is scratch, except for what grows with the map: a grid must
 * be closed. */
dgm_status dgmi_reduce_tree_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_tree **out);
dgm_status dgmi_reduce_tree_run(struct dgmi_reduce_tree *tree);
dgm_status dgmi_reduce_grid_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_grid **out);
dgm_status dgmi_reduce_grid_run(struct dgmi_reduce_grid *grid);
void dgmi_reduce_grid_close(struct dgmi_reduce_grid *grid);

/* ---- how far a map reaches ---- */

#define DGMI_REDUCE_TSNE_SPREAD 1e-4 /* deviation of the first axis at the start */

/* Along its principal directions, widest first. */
typedef struct dgmi_reduce_spread {
    double middle[DGMI_KERNELS_EMBED_MOST];
    double deviations[DGMI_KERNELS_EMBED_MOST];
    double directions[DGMI_KERNELS_EMBED_MOST * DGMI_KERNELS_EMBED_MOST]; /* a unit vector each */
    double narrowest; /* deviation; of a map out of bounds infinite */
} dgmi_reduce_spread;
dgm_status dgmi_reduce_spread_find(dgm_context *ctx, const dgmi_kernels_embedding *y,
                                   dgmi_reduce_spread *out);
/* Directions whose deviation is less than `least` are stretched to it, and the middle becomes 0. */
void dgmi_reduce_spread_widen(const dgmi_reduce_spread *spread, double least, uint64_t seed,
                              dgmi_kernels_embedding *y);
/* A normal number. */
double dgmi_reduce_draw_normal(uint64_t seed, uint64_t stream, uint64_t i);

/* ---- descent ---- */

typedef struct dgmi_reduce_descent {
    const dgm_tsne_options *options;
    int64_t iterations, early; /* early: of these, with exaggeration */
    int64_t before, whole;     /* iterations of other descents, and of all: how far it has come */
    bool wild;                 /* few points take steps ten times as long, and land elsewhere */
    int64_t done;              /* iterations */
    double divergence;         /* sum of p log(p / q) */
    double gradient;           /* its norm */
    const char *stop;          /* why it ended before its time, or NULL */
} dgmi_reduce_descent;

/* Moves y, whose axes are padded, downhill; links change their order on the way. */
dgm_status dgmi_reduce_descent_run(dgm_context *ctx, dgmi_reduce_affinities *affinities,
                                   dgmi_kernels_embedding *y, dgmi_reduce_descent *descent);

/* ---- embeddings ---- */

/* The error where steps were too long and points left the range of numbers. */
dgm_status dgmi_reduce_tsne_fail_bounds(dgm_context *ctx);

/* The perplexity that so many points allow; a note where it is less than what was asked for. */
double dgmi_reduce_perplexity_fit(dgm_context *ctx, double perplexity, int64_t rows);

/* Scratch memory, padded with points far away. */
dgm_status dgmi_reduce_embedding_make(dgm_context *ctx, int dim, int64_t count,
                                      dgmi_kernels_embedding *out);
void dgmi_reduce_embedding_read(const dgm_matrix *start, dgmi_kernels_embedding *y);
void dgmi_reduce_embedding_write(const dgmi_kernels_embedding *y, dgm_matrix *out);
/* Where the descent begins. */
dgm_status dgmi_reduce_embedding_start(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, dgmi_kernels_embedding *y);

#endif
