/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: many columns (logits, embeddings, features) into the few axes of a lens. */
#ifndef DGM_REDUCE_H
#define DGM_REDUCE_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/option.h"

#define DGM_REDUCE_MOST    64 /* axes */
#define DGM_REDUCE_FIGURES 8

/* What a reduction has to say of itself: "explained_variance", a share an axis; and the like. */
typedef struct dgm_reduce_figure {
    const char *name; /* a word of JSON, static */
    int64_t count;    /* 1: a number; more: a list */
    bool list;        /* a list even where it holds one */
    double values[DGM_REDUCE_MOST];
} dgm_reduce_figure;
typedef struct dgm_reduce_report {
    const char *method; /* "pca" */
    int64_t rows, columns, dim;
    int figure_count;
    dgm_reduce_figure figures[DGM_REDUCE_FIGURES];
} dgm_reduce_report;

/* A row a point, whether dense or sparse: what every reduction starts from. */
typedef struct dgm_points {
    int64_t rows, columns;
    const dgm_matrix *matrix;    /* NULL: see `features` */
    dgm_graph_features features; /* dense or sparse */
} dgm_points;
DGM_API dgm_points dgm_points_of_matrix(const dgm_matrix *matrix);
DGM_API dgm_points dgm_points_of_features(const dgm_graph *graph); /* columns 0: none */

typedef struct dgm_pca_options {
    double tolerance; /* stop when the residual of every axis is below this share of the largest
                         variance: 1e-9 */
    int64_t passes;   /* over the data, at most; then what was reached is said: 300 */
    int64_t seed;     /* of the starting vectors: 1 */
} dgm_pca_options;
#define DGM_PCA_OPTIONS_INIT                                                                       \
    { 1e-9, 300, 1 }
DGM_API void dgm_pca_options_init(dgm_pca_options *options);
DGM_API const dgm_option_table *dgm_pca_option_table(void);
/* Principal components: coordinates along the `dim` directions of largest variance, each
 * direction's entry of largest size positive. Sparse points are not made dense. Reports
 * "explained_variance", shares of the whole, and "residual", the largest |C v - variance v| /
 * largest variance (0: all eigenvectors were computed at once). `report` may be NULL. */
DGM_API dgm_status dgm_reduce_pca(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                  const dgm_pca_options *options, dgm_reduce_report *report,
                                  dgm_matrix **out);

typedef struct dgm_prob_options {
    int64_t class_index; /* 0-based; -1: the last */
} dgm_prob_options;
#define DGM_PROB_OPTIONS_INIT                                                                      \
    { -1 }
DGM_API void dgm_prob_options_init(dgm_prob_options *options);
DGM_API const dgm_option_table *dgm_prob_option_table(void);
/* Columns are logits: the probability of one class by softmax, one axis. A single column is the
 * logit of the positive class. */
DGM_API dgm_status dgm_reduce_prob(dgm_context *ctx, const dgm_points *points,
                                   const dgm_prob_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);

/* A reduction by its specification, "NAME" or "NAME:key=value,...". dim 0: 2, or what the reduction
 * itself says (prob has one axis, none as many as there are columns). `seed` is the default of
 * those that draw random numbers. Values that are not finite are DGM_ERROR_DATA with row and
 * column. `report` may be NULL. */
DGM_API dgm_status dgm_reduce_run(dgm_context *ctx, const dgm_points *points,
                                  const char *specification, int64_t dim, int64_t seed,
                                  dgm_reduce_report *report, dgm_matrix **out);
/* Checks name, keys, values and dim without points. */
DGM_API dgm_status dgm_reduce_check(dgm_context *ctx, const char *specification, int64_t dim);

/* The known reductions, for help and completion. */
typedef struct dgm_reduce_kind {
    const char *name;
    const char *help;                /* one line */
    const dgm_option_table *options; /* keys, or NULL */
} dgm_reduce_kind;
DGM_API const dgm_reduce_kind *dgm_reduce_kinds(size_t *count);

#endif
