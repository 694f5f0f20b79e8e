/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of t-SNE: affinities, repulsion by all pairs, by a tree or by a grid, and the descent.
 */
#ifndef REDUCE_TSNE_H
#define REDUCE_TSNE_H

#include "dgm/reduce.h"
#include "kernels_embed.h"

/* ---- affinities ---- */

/* The joint probabilities p_ij in sparse rows. They are symmetric, and their sum is 1. */
typedef struct dgmi_reduce_affinities {
    int64_t rows;
    int64_t *offsets;
    uint32_t *columns;
    float *values;
    float *copies;  /* the number of rows equal to each row, itself included; NULL: all are 1 */
    double entropy; /* the sum of p log p */
    double recall;  /* the recall of the neighbours, which is 1 if they are exact */
} dgmi_reduce_affinities;

/* Sets the k numbers p_j = exp(-beta d_j^2) / sum. beta is the number for which the entropy of p is
 * `entropy`, or as near to it as equal points allow. */
void dgmi_reduce_affinity_row(int64_t k, const float *distances, double entropy, double *p);
/* Returns how many neighbours a perplexity asks for among n points. */
int64_t dgmi_reduce_affinity_neighbours(double perplexity, int64_t n);
dgm_status dgmi_reduce_affinities_make(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, double perplexity,
                                       dgmi_reduce_affinities *out);
void dgmi_reduce_affinities_free(dgm_context *ctx, dgmi_reduce_affinities *affinities);

/* ---- repulsion ---- */

/* With w_ij = 1 / (1 + |y_i - y_j|^2), force[i] = sum_j w_ij^2 (y_i - y_j) and
 * sums[i] = sum_j w_ij, where j = i is included. */
typedef struct dgmi_reduce_repulsion {
    dgm_context *ctx;
    const dgmi_kernels_embedding *y; /* the points, which are padded */
    const dgmi_kernels_embed_table *kernels;
    const float *copies; /* those of dgmi_reduce_affinities, which a grid needs */
    float *force[DGMI_KERNELS_EMBED_MOST];
    float *sums;
    struct dgmi_reduce_tree *tree; /* the tree, if that is the method; otherwise NULL */
    struct dgmi_reduce_grid *grid; /* the grid, if that is the method; otherwise NULL */
} dgmi_reduce_repulsion;

/* Returns the method. For AUTO it is the one that is quickest for this many points. */
int dgmi_reduce_repulsion_choose(int method, int dim, int64_t count);
dgm_status dgmi_reduce_repulsion_open(dgm_context *ctx, int method, const dgmi_kernels_embedding *y,
                                      dgmi_reduce_repulsion *out);
dgm_status dgmi_reduce_repulsion_run(dgmi_reduce_repulsion *job);
/* Frees it. A struct of zeros is fine. */
void dgmi_reduce_repulsion_close(dgmi_reduce_repulsion *job);

/* The two ways to compute it that need memory. It is scratch memory, except for what grows with the
 * map, so that a grid must be closed. */
dgm_status dgmi_reduce_tree_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_tree **out);
dgm_status dgmi_reduce_tree_run(struct dgmi_reduce_tree *tree);
dgm_status dgmi_reduce_grid_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_grid **out);
dgm_status dgmi_reduce_grid_run(struct dgmi_reduce_grid *grid);
void dgmi_reduce_grid_close(struct dgmi_reduce_grid *grid);

/* ---- how far a map reaches ---- */

/* The standard deviation of the first axis at the start. */
#define DGMI_REDUCE_TSNE_SPREAD 1e-4

/* How far a map reaches along its principal directions, of which the widest comes first. */
typedef struct dgmi_reduce_spread {
    double middle[DGMI_KERNELS_EMBED_MOST];     /* the mean of the points */
    double deviations[DGMI_KERNELS_EMBED_MOST]; /* the standard deviation along each direction */
    /* The directions, each of which is a unit vector. */
    double directions[DGMI_KERNELS_EMBED_MOST * DGMI_KERNELS_EMBED_MOST];
    double narrowest; /* the smallest deviation; infinite if the map is out of bounds */
} dgmi_reduce_spread;
dgm_status dgmi_reduce_spread_find(dgm_context *ctx, const dgmi_kernels_embedding *y,
                                   dgmi_reduce_spread *out);
/* Stretches directions whose deviation is less than `least` until it is, and moves the middle to 0.
 */
void dgmi_reduce_spread_widen(const dgmi_reduce_spread *spread, double least, uint64_t seed,
                              dgmi_kernels_embedding *y);
/* Returns a random number with the normal distribution, which follows from its arguments. */
double dgmi_reduce_draw_normal(uint64_t seed, uint64_t stream, uint64_t i);

/* ---- descent ---- */

typedef struct dgmi_reduce_descent {
    const dgm_tsne_options *options;
    int64_t iterations; /* the number of iterations */
    int64_t early;      /* how many of them, at the beginning, have exaggeration */
    int64_t before;     /* the iterations of descents before this one, for progress */
    int64_t whole;      /* the iterations of all descents, for progress */
    bool wild;          /* the steps of few points are ten times as long, so that they land
                           elsewhere */
    int64_t done;       /* the result: the number of iterations that were made */
    double divergence;  /* the result: the sum of p log(p / q) */
    double gradient;    /* the result: the norm of its gradient */
    const char *stop;   /* the result: why it ended early, or NULL if it did not */
} dgmi_reduce_descent;

/* Moves the points y, whose axes are padded, downhill. The links of a row change their order. */
dgm_status dgmi_reduce_descent_run(dgm_context *ctx, dgmi_reduce_affinities *affinities,
                                   dgmi_kernels_embedding *y, dgmi_reduce_descent *descent);

/* ---- embeddings ---- */

/* Records the error for steps that were so long that points left the range of numbers. */
dgm_status dgmi_reduce_tsne_fail_bounds(dgm_context *ctx);

/* Returns the perplexity that this many points allow. A note says so if it is less than what was
 * asked for. */
double dgmi_reduce_perplexity_fit(dgm_context *ctx, double perplexity, int64_t rows);

/* Makes an embedding in scratch memory, padded with points far away. */
dgm_status dgmi_reduce_embedding_make(dgm_context *ctx, int dim, int64_t count,
                                      dgmi_kernels_embedding *out);
/* Both copy an embedding, from a table and to one. */
void dgmi_reduce_embedding_read(const dgm_matrix *start, dgmi_kernels_embedding *y);
void dgmi_reduce_embedding_write(const dgmi_kernels_embedding *y, dgm_matrix *out);
/* Sets the places where the descent begins. */
dgm_status dgmi_reduce_embedding_start(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, dgmi_kernels_embedding *y);

#endif
