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
    size_t size;      /* of the struct, filled in by its initialiser */
    double tolerance; /* stop when the residual of every axis is below this share of the largest
                         variance: 1e-9 */
    int64_t passes;   /* over the data, at most; then what was reached is said: 300 */
    int64_t seed;     /* of the starting vectors: 1 */
} dgm_pca_options;
#define DGM_PCA_OPTIONS_INIT                                                                       \
    { sizeof(dgm_pca_options), 1e-9, 300, 1 }
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
    size_t size;         /* of the struct, filled in by its initialiser */
    int64_t class_index; /* 0-based; -1: the last */
} dgm_prob_options;
#define DGM_PROB_OPTIONS_INIT                                                                      \
    { sizeof(dgm_prob_options), -1 }
DGM_API void dgm_prob_options_init(dgm_prob_options *options);
DGM_API const dgm_option_table *dgm_prob_option_table(void);
/* Columns are logits: the probability of one class by softmax, one axis. A single column is the
 * logit of the positive class. */
DGM_API dgm_status dgm_reduce_prob(dgm_context *ctx, const dgm_points *points,
                                   const dgm_prob_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);

typedef enum dgm_tsne_init {
    DGM_TSNE_PCA,    /* principal components */
    DGM_TSNE_RANDOM, /* anywhere */
} dgm_tsne_init;
typedef enum dgm_tsne_repulsion {
    DGM_TSNE_AUTO,  /* the quickest for so many points */
    DGM_TSNE_EXACT, /* all pairs */
    DGM_TSNE_TREE,  /* Barnes and Hut's tree, opening angle 0.5 */
    DGM_TSNE_FFT,   /* a grid and Fourier transforms; 1 or 2 axes */
} dgm_tsne_repulsion;
typedef struct dgm_tsne_options {
    size_t size;             /* of the struct, filled in by its initialiser */
    double perplexity;       /* 30; lowered, and noted, where rows < 3 x perplexity + 1 */
    int64_t iterations;      /* steps, at most: 1000 */
    double exaggeration;     /* of the attraction in the early steps: 12 */
    int64_t early;           /* steps; -1: 250, or 0 where `start` is given */
    double rate;             /* of learning; 0: max(rows / exaggeration, min(200, 2 x rows)) */
    int init;                /* dgm_tsne_init: PCA, its first axis of deviation 1e-4 */
    int neighbours;          /* dgm_knn_method: AUTO */
    int repulsion;           /* dgm_tsne_repulsion: AUTO */
    int64_t seed;            /* 1 */
    const dgm_matrix *start; /* rows x dim: go on from here; NULL: see `init` */
    bool keep;               /* cancelled after its early steps, a run ends there, with the map so
                                far, and the context goes on; otherwise it fails as any does */
} dgm_tsne_options;
#define DGM_TSNE_OPTIONS_INIT                                                                      \
    {                                                                                              \
        sizeof(dgm_tsne_options), 30, 1000, 12, -1, 0, DGM_TSNE_PCA, 0, DGM_TSNE_AUTO, 1, NULL,    \
            false                                                                                  \
    }
DGM_API void dgm_tsne_options_init(dgm_tsne_options *options);
DGM_API const dgm_option_table *dgm_tsne_option_table(void);
/* t-SNE: a map in 1, 2 or 3 axes in which near points stay near. The gradient is that of van der
 * Maaten and Hinton without its factor 4, so rates are four times those of scikit-learn. Reports
 * "divergence" (Kullback and Leibler's), "iterations", "perplexity" and "recall" of the neighbours.
 */
DGM_API dgm_status dgm_reduce_tsne(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                   const dgm_tsne_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);
/* Points added to a map: each of `added` at the mean of its neighbours among `points`, weighed by
 * their affinities, and from there some steps downhill while `map`, the rows of `points` in 1 to 3
 * axes, and the other new points are left out of it. So what becomes of a point does not depend on
 * the others that come with it. Of the options perplexity counts. Reports "divergence", the mean
 * over the new points. */
DGM_API dgm_status dgm_tsne_place(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                                  const dgm_points *added, const dgm_tsne_options *options,
                                  dgm_reduce_report *report, dgm_matrix **out);

typedef enum dgm_umap_init {
    DGM_UMAP_SPECTRAL, /* eigenvectors of the graph; PCA where it falls into components, noted */
    DGM_UMAP_PCA,      /* principal components */
    DGM_UMAP_RANDOM,   /* anywhere */
} dgm_umap_init;
typedef struct dgm_umap_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    int64_t neighbours; /* of a point, itself among them: 15; lowered, and noted, to the rows */
    double min_dist;    /* how near points may come in the map: 0.1 */
    double spread;      /* how far clumps reach, at least min_dist: 1 */
    int64_t epochs;     /* 0: 500 below 10,000 rows, otherwise 200 */
    int64_t negatives;  /* points drawn for each edge, which push: 5 */
    int init;           /* dgm_umap_init: SPECTRAL */
    int metric;         /* dgm_metric: L2 */
    int64_t seed;       /* 1 */
} dgm_umap_options;
#define DGM_UMAP_OPTIONS_INIT                                                                      \
    { sizeof(dgm_umap_options), 15, 0.1, 1, 0, 5, DGM_UMAP_SPECTRAL, 0, 1 }
DGM_API void dgm_umap_options_init(dgm_umap_options *options);
DGM_API const dgm_option_table *dgm_umap_option_table(void);
/* UMAP: the graph of neighbours drawn in 1 to DGM_REDUCE_MOST axes, centred. The same seed gives
 * the same bytes for any number of threads. Reports "neighbours", "edges" of the graph, "epochs",
 * "a" and "b" of the curve 1 / (1 + a d^2b), and "recall" of the neighbours. */
DGM_API dgm_status dgm_reduce_umap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                   const dgm_umap_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);

typedef struct dgm_isomap_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    int64_t neighbours; /* that a point is joined with: 5; lowered, and noted, where there are fewer
                           others */
    int64_t landmarks;  /* 0: all up to 5,000 rows; beyond, 1,000 drawn among them, noted */
    int metric;         /* dgm_metric: L2 */
    int64_t seed;       /* of the draw: 1 */
} dgm_isomap_options;
#define DGM_ISOMAP_OPTIONS_INIT                                                                    \
    { sizeof(dgm_isomap_options), 5, 0, 0, 1 }
DGM_API void dgm_isomap_options_init(dgm_isomap_options *options);
DGM_API const dgm_option_table *dgm_isomap_option_table(void);
/* Isomap: lengths of shortest paths along the graph of neighbours, laid out as straight distances.
 * Components are joined by the nearest two points of each pair of them, and that is noted. Memory:
 * 4 bytes a landmark and row. Reports "residual_variance", 1 - the squared correlation of lengths
 * of paths and distances in the map, "reconstruction_error" as scikit-learn has it (of the
 * landmarks), "neighbours", "landmarks", "components" and "recall" of the neighbours. */
DGM_API dgm_status dgm_reduce_isomap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                     const dgm_isomap_options *options, dgm_reduce_report *report,
                                     dgm_matrix **out);

/* A reduction by its specification, "NAME" or "NAME:key=value,...". dim 0: 2, or what the reduction
 * itself says (prob has one axis, none as many as there are columns). `seed` is the default of
 * those that draw random numbers. Values that are not finite are DGM_ERROR_DATA with row and
 * column. `report` may be NULL. */
DGM_API dgm_status dgm_reduce_run(dgm_context *ctx, const dgm_points *points,
                                  const char *specification, int64_t dim, int64_t seed,
                                  dgm_reduce_report *report, dgm_matrix **out);
/* The same, going on from `start`, rows x dim, where the reduction is found step by step (tsne);
 * for others a start is DGM_ERROR_USAGE. start NULL: dgm_reduce_run. */
DGM_API dgm_status dgm_reduce_run_from(dgm_context *ctx, const dgm_points *points,
                                       const char *specification, int64_t dim, int64_t seed,
                                       const dgm_matrix *start, dgm_reduce_report *report,
                                       dgm_matrix **out);
/* Points added to a map that stays as it is: dgm_tsne_place, with its options as a specification.
 */
DGM_API dgm_status dgm_reduce_place(dgm_context *ctx, const dgm_points *points,
                                    const dgm_matrix *map, const dgm_points *added,
                                    const char *specification, int64_t seed,
                                    dgm_reduce_report *report, dgm_matrix **out);
/* Checks name, keys, values and dim without points. */
DGM_API dgm_status dgm_reduce_check(dgm_context *ctx, const char *specification, int64_t dim);

/* What is special about a reduction. */
enum {
    DGM_REDUCE_KEEPS = 1 << 0,  /* every column stays as it is: no reduction at all */
    DGM_REDUCE_STEPS = 1 << 1,  /* found step by step: it can go on from a map or add to one */
    DGM_REDUCE_VARIES = 1 << 2, /* its last digits depend on the processor */
};

/* A known reduction. */
typedef struct dgm_reduce_kind {
    const char *name;
    const char *help;                /* one line */
    const dgm_option_table *options; /* keys, or NULL */
    unsigned flags;                  /* DGM_REDUCE_... */
    int64_t axes;                    /* that it always has; 0: as many as asked for */
} dgm_reduce_kind;
/* The reductions in the order of help, from 0; NULL after the last. */
DGM_API const dgm_reduce_kind *dgm_reduce_kind_at(size_t index);
/* The reduction of a specification, whatever its keys; NULL: there is none of that name. */
DGM_API const dgm_reduce_kind *dgm_reduce_find(const char *specification);

#endif
