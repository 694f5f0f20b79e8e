/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions turn the many columns of a table (logits, embeddings, features) into the few axes that
 * Mapper can use as a lens.
 *
 * Each of the functions dgm_reduce_... makes a table with one row per point, which the caller
 * frees, and fills in `report`, which may be NULL. Options that are NULL have their defaults. A
 * value that is not finite is DGM_ERROR_DATA, and the message names its row and column.
 */
#ifndef DGM_REDUCE_H
#define DGM_REDUCE_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/option.h"

#define DGM_REDUCE_MOST    64 /* the largest number of axes */
#define DGM_REDUCE_FIGURES 8  /* the largest number of figures in a report */

/* A number, or a list of numbers, that says how well a reduction went: "explained_variance" has one
 * share per axis, for example. */
typedef struct dgm_reduce_figure {
    const char *name; /* its key in JSON; it need not be freed */
    int64_t count;    /* how many values there are */
    bool list;        /* it is a list even if there is only one value */
    double values[DGM_REDUCE_MOST];
} dgm_reduce_figure;
typedef struct dgm_reduce_report {
    const char *method;         /* the name of the reduction, such as "pca" */
    int64_t rows, columns, dim; /* the size of the reduced table, and the number of axes */
    int figure_count;           /* how many figures there are */
    dgm_reduce_figure figures[DGM_REDUCE_FIGURES];
} dgm_reduce_report;

/* The points that are reduced, one per row, dense or sparse. The struct borrows the matrix or the
 * features of the graph. */
typedef struct dgm_points {
    int64_t rows, columns;
    const dgm_matrix *matrix;    /* the points as a table; NULL: they are `features` */
    dgm_graph_features features; /* the points as features of nodes, dense or sparse */
} dgm_points;
DGM_API dgm_points dgm_points_of_matrix(const dgm_matrix *matrix);
/* If the graph has no features, the points have 0 columns. */
DGM_API dgm_points dgm_points_of_features(const dgm_graph *graph);

/* ---- principal components ---- */

typedef struct dgm_pca_options {
    size_t size;      /* the size of this struct, filled in by the initialiser */
    double tolerance; /* it stops if the residual of every axis is below this share of the largest
                         variance; by default 1e-9 */
    int64_t passes;   /* the largest number of passes over the data; if they are not enough, a note
                         tells how far it came; by default 300 */
    int64_t seed;     /* the seed of the starting vectors; by default 1 */
} dgm_pca_options;
#define DGM_PCA_OPTIONS_INIT                                                                       \
    { sizeof(dgm_pca_options), 1e-9, 300, 1 }
static inline void dgm_pca_options_init(dgm_pca_options *options) {
    const dgm_pca_options defaults = DGM_PCA_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_pca_option_table(void);
/* Principal components: the coordinates along the `dim` directions of largest variance. The entry
 * of largest magnitude of each direction is positive. Sparse points are not made dense. It reports
 * "explained_variance", a share of the whole for each axis, and "residual", which is the largest
 * |C v - variance v| / largest variance with C the covariance matrix, or 0 if all eigenvectors were
 * computed at once. */
DGM_API dgm_status dgm_reduce_pca(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                  const dgm_pca_options *options, dgm_reduce_report *report,
                                  dgm_matrix **out);

/* ---- the probability of a class ---- */

typedef struct dgm_prob_options {
    size_t size;         /* the size of this struct, filled in by the initialiser */
    int64_t class_index; /* the column of the class, counted from 0; -1, the default: the last */
} dgm_prob_options;
#define DGM_PROB_OPTIONS_INIT                                                                      \
    { sizeof(dgm_prob_options), -1 }
static inline void dgm_prob_options_init(dgm_prob_options *options) {
    const dgm_prob_options defaults = DGM_PROB_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_prob_option_table(void);
/* The columns are logits, and the one axis is the probability of one class by softmax. A single
 * column is the logit of the positive class. */
DGM_API dgm_status dgm_reduce_prob(dgm_context *ctx, const dgm_points *points,
                                   const dgm_prob_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);

/* ---- centres ---- */

typedef struct dgm_centres_options {
    size_t size;  /* the size of this struct, filled in by the initialiser */
    int64_t k;    /* the number of centres; by default 16 */
    int64_t seed; /* the seed of the first centres; by default 1 */
} dgm_centres_options;
#define DGM_CENTRES_OPTIONS_INIT                                                                   \
    { sizeof(dgm_centres_options), 16, 1 }
static inline void dgm_centres_options_init(dgm_centres_options *options) {
    const dgm_centres_options defaults = DGM_CENTRES_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_centres_option_table(void);
/* The one axis is the number of the centre that is nearest to a point, by k-means: a partition, for
 * DGM_COVER_PARTS. Centres are numbered by how many points they have, the most first. It reports
 * "centres", how many have points. */
DGM_API dgm_status dgm_reduce_centres(dgm_context *ctx, const dgm_points *points,
                                      const dgm_centres_options *options, dgm_reduce_report *report,
                                      dgm_matrix **out);

/* ---- t-SNE ---- */

/* Where the points start. */
typedef enum dgm_tsne_init {
    DGM_TSNE_PCA,    /* principal components, scaled so that the first axis has deviation 1e-4 */
    DGM_TSNE_RANDOM, /* random places */
} dgm_tsne_init;
/* How the repulsion between the points is computed. */
typedef enum dgm_tsne_repulsion {
    DGM_TSNE_AUTO,  /* the method that is the quickest for the number of points */
    DGM_TSNE_EXACT, /* from all pairs of points */
    DGM_TSNE_TREE,  /* by the tree of Barnes and Hut with the opening angle 0.5 */
    DGM_TSNE_FFT,   /* on a grid by Fourier transforms, for 1 or 2 axes */
} dgm_tsne_repulsion;
typedef struct dgm_tsne_options {
    size_t size;             /* the size of this struct, filled in by the initialiser */
    double perplexity;       /* about how many neighbours a point has; by default 30. If there are
                                fewer than 3 * perplexity + 1 rows, it is lowered and a note says
                                so. */
    int64_t iterations;      /* the largest number of steps; by default 1000 */
    double exaggeration;     /* the factor of the attraction in the early steps; by default 12 */
    int64_t early;           /* the number of early steps; -1, the default: 250, or 0 if `start` is
                                given */
    double rate;             /* the learning rate; 0, the default:
                                max(rows / exaggeration, min(200, 2 * rows)) */
    int init;                /* a dgm_tsne_init; by default PCA */
    int neighbours;          /* a dgm_knn_method; by default AUTO */
    int repulsion;           /* a dgm_tsne_repulsion; by default AUTO */
    int64_t seed;            /* the seed of all random draws; by default 1 */
    const dgm_matrix *start; /* rows x dim places to go on from; NULL: `init` says where to start */
    bool keep;               /* if the run is cancelled after the early steps, it returns DGM_OK and
                                the map that it has, and the request to cancel is taken back */
} dgm_tsne_options;
#define DGM_TSNE_OPTIONS_INIT                                                                      \
    {                                                                                              \
        sizeof(dgm_tsne_options), 30, 1000, 12, -1, 0, DGM_TSNE_PCA, 0, DGM_TSNE_AUTO, 1, NULL,    \
            false                                                                                  \
    }
static inline void dgm_tsne_options_init(dgm_tsne_options *options) {
    const dgm_tsne_options defaults = DGM_TSNE_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_tsne_option_table(void);
/* t-SNE: places in 1, 2 or 3 dimensions in which near points stay near. The gradient is that of van
 * der Maaten and Hinton without its factor 4, so rates are four times those of scikit-learn. It
 * reports "divergence" (Kullback and Leibler's), "iterations", "perplexity" and "recall", that of
 * the search for neighbours. */
DGM_API dgm_status dgm_reduce_tsne(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                   const dgm_tsne_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);
/* Finds places for the points `added` in a map that stays as it is; `map` has the places of
 * `points` in 1 to 3 axes. Each new point starts at the mean of the places of its neighbours among
 * `points`, weighted by their affinities, and makes some steps downhill from there. The other new
 * points have no influence on it. Of the options, only the perplexity is used. It reports
 * "divergence", the mean over the new points. */
DGM_API dgm_status dgm_tsne_place(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                                  const dgm_points *added, const dgm_tsne_options *options,
                                  dgm_reduce_report *report, dgm_matrix **out);

/* ---- UMAP ---- */

/* Where the points start. */
typedef enum dgm_umap_init {
    DGM_UMAP_SPECTRAL, /* eigenvectors of the graph of neighbours; if it is not connected, PCA takes
                          their place and a note says so */
    DGM_UMAP_PCA,      /* principal components */
    DGM_UMAP_RANDOM,   /* random places */
} dgm_umap_init;
typedef struct dgm_umap_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    int64_t neighbours; /* the number of neighbours of a point, which counts as one of them; by
                           default 15. If there are fewer rows, it is lowered and a note says so. */
    double min_dist;    /* how close to each other points may be placed; by default 0.1 */
    double spread;      /* how far groups of points extend, at least min_dist; by default 1 */
    int64_t epochs;     /* the number of epochs; 0, the default: 500 up to 10,000 rows, 200
                           beyond */
    int64_t negatives;  /* the number of points that are drawn for each edge and push its ends away;
                           by default 5 */
    int init;           /* a dgm_umap_init; by default SPECTRAL */
    int metric;         /* a dgm_metric; by default L2 */
    int64_t seed;       /* the seed of all random draws; by default 1 */
} dgm_umap_options;
#define DGM_UMAP_OPTIONS_INIT                                                                      \
    { sizeof(dgm_umap_options), 15, 0.1, 1, 0, 5, DGM_UMAP_SPECTRAL, 0, 1 }
static inline void dgm_umap_options_init(dgm_umap_options *options) {
    const dgm_umap_options defaults = DGM_UMAP_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_umap_option_table(void);
/* UMAP: the graph of neighbours is laid out in 1 to DGM_REDUCE_MOST axes, centred at 0. It reports
 * "neighbours", "edges" (of the graph), "epochs", "a" and "b" of the curve 1 / (1 + a d^2b), and
 * "recall", that of the search for neighbours. */
DGM_API dgm_status dgm_reduce_umap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                   const dgm_umap_options *options, dgm_reduce_report *report,
                                   dgm_matrix **out);

/* ---- Isomap ---- */

typedef struct dgm_isomap_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    int64_t neighbours; /* the number of other points that a point is joined with; by default 5. If
                           there are fewer, it is lowered and a note says so. */
    int64_t landmarks;  /* the number of points from which paths are measured; 0, the default: all
                           up to 5,000 rows, else 1,000 that are drawn, and a note says so */
    int metric;         /* a dgm_metric; by default L2 */
    int64_t seed;       /* the seed of that draw; by default 1 */
} dgm_isomap_options;
#define DGM_ISOMAP_OPTIONS_INIT                                                                    \
    { sizeof(dgm_isomap_options), 5, 0, 0, 1 }
static inline void dgm_isomap_options_init(dgm_isomap_options *options) {
    const dgm_isomap_options defaults = DGM_ISOMAP_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_isomap_option_table(void);
/* Isomap: places whose distances are close to the lengths of the shortest paths along the graph of
 * neighbours. If the graph is not connected, the two nearest points of each pair of components are
 * joined, and a note says so. It takes 4 bytes of memory per landmark and row. It reports
 * "residual_variance" (1 minus the squared correlation between lengths of paths and distances of
 * places), "reconstruction_error" as scikit-learn defines it (of the landmarks), "neighbours",
 * "landmarks", "components" and "recall", that of the search for neighbours. */
DGM_API dgm_status dgm_reduce_isomap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                                     const dgm_isomap_options *options, dgm_reduce_report *report,
                                     dgm_matrix **out);

/* ---- reductions by name ---- */

/* Runs the reduction that a specification names: "NAME" or "NAME:key=value,...". `dim` is the
 * number of axes; 0 means 2, but 1 for prob and as many as there are columns for none. `seed` is
 * used if the specification has no other. An unknown name or key is DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_reduce_run(dgm_context *ctx, const dgm_points *points,
                                  const char *specification, int64_t dim, int64_t seed,
                                  dgm_reduce_report *report, dgm_matrix **out);
/* Does the same, but goes on from `start`, a table of rows x dim places. Only a reduction that is
 * found step by step (tsne) can do so; for others it is DGM_ERROR_USAGE. `start` may be NULL. */
DGM_API dgm_status dgm_reduce_run_from(dgm_context *ctx, const dgm_points *points,
                                       const char *specification, int64_t dim, int64_t seed,
                                       const dgm_matrix *start, dgm_reduce_report *report,
                                       dgm_matrix **out);
/* Finds places for new points in a map that stays as it is. This is dgm_tsne_place with its options
 * in a specification. */
DGM_API dgm_status dgm_reduce_place(dgm_context *ctx, const dgm_points *points,
                                    const dgm_matrix *map, const dgm_points *added,
                                    const char *specification, int64_t seed,
                                    dgm_reduce_report *report, dgm_matrix **out);
/* Checks the name, keys and values of a specification, and `dim`, without points. */
DGM_API dgm_status dgm_reduce_check(dgm_context *ctx, const char *specification, int64_t dim);

/* Properties of a reduction. */
enum {
    DGM_REDUCE_KEEPS = 1 << 0,  /* every column stays as it is, so that nothing is reduced */
    DGM_REDUCE_STEPS = 1 << 1,  /* it goes step by step, so it can go on from a map or add to one */
    DGM_REDUCE_VARIES = 1 << 2, /* its last digits depend on the processor */
    DGM_REDUCE_PARTS = 1 << 3,  /* its one axis is the number of a part: DGM_COVER_PARTS */
};

/* A reduction that dgm_reduce_run knows. */
typedef struct dgm_reduce_kind {
    const char *name;                /* the name in a specification */
    const char *help;                /* one line of help */
    const dgm_option_table *options; /* the keys that it takes; NULL: none */
    unsigned flags;                  /* the sum of its DGM_REDUCE_... */
    int64_t axes;                    /* the number of axes that it always has; 0: as asked for */
} dgm_reduce_kind;
/* Returns the reduction at `index`, counted from 0 in the order of help, or NULL after the last. */
DGM_API const dgm_reduce_kind *dgm_reduce_kind_at(size_t index);
/* Returns the reduction that a specification names, whatever its keys are, or NULL if there is
 * none. */
DGM_API const dgm_reduce_kind *dgm_reduce_find(const char *specification);

#endif
