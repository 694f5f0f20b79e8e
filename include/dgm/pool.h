/* SPDX-License-Identifier: Apache-2.0 */
/* Pooling: a graph is made smaller inside a network that classifies graphs.
 *
 * Mapper is one way to do it (MPR, for Mapper-based pooling with PageRank): the cells of a cover of
 * a lens are the nodes of the pooled graph. Its rivals stand beside it, and so do the controls that
 * tell what a method is worth: a sum over all nodes, their mean, and Mapper with a random lens.
 *
 * An operator is named by a specification, as lenses are: "mpr:clusters=8-2,overlap=0.25",
 * "mincut:ratio=0.1", "sum". dgm_pool_run pools one graph, dgm_classify trains and judges whole
 * networks by cross-validation, and dgm_coarsening is a pooling inside a network of the caller's.
 */
#ifndef DGM_POOL_H
#define DGM_POOL_H

#include "dgm/mapper.h"
#include "dgm/matrix.h"
#include "dgm/neural.h"
#include "dgm/set.h"

typedef enum dgm_pool_method {
    DGM_POOL_MPR,      /* cells of a lens (Bodnar and others, 2020) */
    DGM_POOL_TOPK,     /* the nodes of highest score, gated (Gao and Ji, 2019) */
    DGM_POOL_SAGPOOL,  /* the same, with scores by a convolution (Lee and others, 2019) */
    DGM_POOL_MINCUT,   /* a learned partition that cuts few edges (Bianchi and others, 2020) */
    DGM_POOL_DIFFPOOL, /* a learned partition by a network of its own (Ying and others, 2018) */
    DGM_POOL_GRACLUS,  /* pairs of nodes that are matched along heavy edges (Dhillon, 2007) */
    DGM_POOL_SUM,      /* one node per graph: the sum of all nodes */
    DGM_POOL_MEAN,     /* one node per graph: their mean */
    DGM_POOL_MAX,      /* one node per graph: their maximum, column by column */
    DGM_POOL_NONE,     /* the graph stays as it is */
} dgm_pool_method;

/* The three versions of MPR that its authors wrote. */
typedef enum dgm_mpr_variant {
    DGM_MPR_PAPER,   /* S_ij = 1 / the number of cells of node i; pooled: S'X and S'AS */
    DGM_MPR_FEB2020, /* S_ij = 1; the pooled graph has weights in the last level alone */
    DGM_MPR_NEWEST,  /* S is the softmax of 0 and 1 over all cells; the pooled graph is complete */
} dgm_mpr_variant;

/* What the lens "learned" of MPR learns; the rest keeps the values that it starts with. */
typedef enum dgm_mpr_learn {
    DGM_MPR_LEARN_BOTH,
    DGM_MPR_LEARN_LENS,
    DGM_MPR_LEARN_COVER,
    DGM_MPR_LEARN_NOTHING,
} dgm_mpr_learn;

/* What a ratio is a share of. */
typedef enum dgm_ratio_base {
    DGM_RATIO_MEAN,    /* the mean number of nodes of the graphs of a set */
    DGM_RATIO_LARGEST, /* the number of nodes of the largest graph of a set */
} dgm_ratio_base;

typedef enum dgm_topk_gate { DGM_GATE_SIGMOID, DGM_GATE_TANH } dgm_topk_gate;

/* The options of all operators. An operator reads those of its own option table. */
typedef struct dgm_pool_options {
    size_t size;          /* the size of this struct, filled in by the initialiser */
    int method;           /* a dgm_pool_method */
    int variant;          /* a dgm_mpr_variant */
    const char *lens;     /* MPR: the specification of a lens, or "learned"; keys are separated by
                             ';': "density:delta=2;cutoff=5" */
    const char *clusters; /* the number of clusters of each level: "8-2" */
    double overlap;       /* MPR: what neighbouring cells share of their length */
    int cover;            /* MPR: a dgm_cover, UNIFORM or QUANTILE */
    int learn;            /* MPR with the lens "learned": a dgm_mpr_learn */
    int64_t axes;         /* MPR with the lens "learned": 1 or 2 */
    double ratio;         /* the share of nodes that are left, where no clusters are given */
    int base;             /* what it is a share of: a dgm_ratio_base */
    int gate;             /* topk and sagpool: a dgm_topk_gate */
} dgm_pool_options;
#define DGM_POOL_OPTIONS_INIT                                                                      \
    {                                                                                              \
        sizeof(dgm_pool_options), DGM_POOL_MPR, DGM_MPR_PAPER, "pagerank", NULL, 0.25,             \
            DGM_COVER_UNIFORM, DGM_MPR_LEARN_BOTH, 1, 0.25, DGM_RATIO_MEAN, DGM_GATE_SIGMOID       \
    }
static inline void dgm_pool_options_init(dgm_pool_options *options) {
    const dgm_pool_options defaults = DGM_POOL_OPTIONS_INIT;
    *options = defaults;
}

/* A method that a specification can name. */
typedef struct dgm_pool_kind {
    const char *name;
    const char *help;                /* one line of help */
    const dgm_option_table *options; /* its keys; NULL: none */
    bool learns;                     /* it has weights of its own */
} dgm_pool_kind;
/* Returns the method at `index`, counted from 0 in the order of the enum, or NULL after the last.
 */
DGM_API const dgm_pool_kind *dgm_pool_kind_at(size_t index);
/* Checks the name, keys and values of a specification. */
DGM_API dgm_status dgm_pool_check(dgm_context *ctx, const char *specification);

/* A trained network that classifies graphs; see below. */
typedef struct dgm_classifier dgm_classifier;

/* ---- pooling one graph ---- */

typedef struct dgm_pool_run_options {
    size_t size;      /* the size of this struct, filled in by the initialiser */
    const char *pool; /* the specification of the operator; NULL: that of the model, or "mpr" */
    int64_t steps;    /* how often the graph is pooled; 0: as often as the model does, or once */
    const dgm_classifier
        *model;                 /* a network whose weights the operator has; NULL: they are drawn by
                                    the seed, and a note says that they are not trained */
    const dgm_matrix *features; /* X, a row per node, of which S'X is made; NULL: none */
    int64_t index; /* the number of the graph in its set, by which a random lens draws: 0 */
    int64_t seed;  /* the seed of a random lens and of weights, if there is no model: 1 */
} dgm_pool_run_options;
#define DGM_POOL_RUN_OPTIONS_INIT                                                                  \
    { sizeof(dgm_pool_run_options), NULL, 0, NULL, NULL, 0, 1 }
static inline void dgm_pool_run_options_init(dgm_pool_run_options *options) {
    const dgm_pool_run_options defaults = DGM_POOL_RUN_OPTIONS_INIT;
    *options = defaults;
}

/* What an operator has made of a graph, in one or several steps. It does not need the graph or the
 * model any longer, and it never changes. */
typedef struct dgm_pooling dgm_pooling;

/* Pools a graph. Operators that the graph alone decides (mpr, graclus, sum, mean, max, none) need
 * nothing else. Those that learn take their weights from the model, and the states of nodes that
 * they look at come from its layers; without a model the layers are two convolutions of width 128
 * over one-hot labels or degrees. A ratio is a share of the nodes of this graph. If `options` is
 * NULL, they have their defaults. The caller frees the result.
 * DGM_ERROR_USAGE: the specification is wrong or not that of the model. DGM_ERROR_DATA: the nodes
 * have not the features that the model takes, or an operator that learns meets a directed graph or
 * a negative weight. */
DGM_API dgm_status dgm_pool_run(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_pool_run_options *options, dgm_pooling **out);
DGM_API void dgm_pooling_free(dgm_pooling *pooling); /* NULL is fine */

/* ---- looking at a pooling: everything that is returned belongs to it ---- */

/* The most losses that an operator adds in one step. */
enum { DGM_POOL_LOSSES = 2 };

/* One step, from a graph to the next smaller one. */
typedef struct dgm_pool_step {
    /* S: a row per node of the graph before, a column per node of the pooled graph. A learned
     * partition has every entry above 0. The nodes that topk and sagpool keep have the entry 1. */
    const dgm_membership *assignment;
    const dgm_graph *graph;     /* the pooled graph, with weights and self-loops */
    const dgm_matrix *features; /* S'X of the features before, which topk and sagpool multiply by
                                   their gates, and of which max takes maxima; NULL: none given */
    const dgm_matrix *lens;     /* what decided: the lens of mpr, or the scores of topk and sagpool,
                                   a row per node of the graph before; NULL: there is none */
    double losses[DGM_POOL_LOSSES];          /* the operator's own losses of this graph */
    const char *loss_names[DGM_POOL_LOSSES]; /* "cut", "orthogonality"; NULL: no such loss */
} dgm_pool_step;
DGM_API int64_t dgm_pooling_steps(const dgm_pooling *pooling);
DGM_API dgm_pool_step dgm_pooling_get_step(const dgm_pooling *pooling, int64_t step);
/* Returns the whole specification of the operator. */
DGM_API const char *dgm_pooling_specification(const dgm_pooling *pooling);
/* Returns whether weights of a trained network decided. */
DGM_API bool dgm_pooling_trained(const dgm_pooling *pooling);
/* Returns the scores that the model gives to its classes, one row; NULL: there was no model. */
DGM_API const dgm_matrix *dgm_pooling_scores(const dgm_pooling *pooling);

/* Makes the assignment of the nodes of the graph itself to the clusters of a step: the product of
 * all S up to it. The caller frees it. */
DGM_API dgm_status dgm_pooling_assignment(dgm_context *ctx, const dgm_pooling *pooling,
                                          int64_t step, dgm_membership **out);
/* Makes a summary of the graph by a step, for files and figures. Its clusters are the nodes of the
 * pooled graph; their cells are the columns of S. A node is a member wherever its entry of the
 * product of all S is not 0, or, if every entry is above 0, where it is largest. Clusters without a
 * member are left out. Its edges are those of the pooled graph, without self-loops. `graph` must be
 * the graph that was pooled. The caller frees the summary. */
DGM_API dgm_status dgm_pooling_summary(dgm_context *ctx, const dgm_pooling *pooling,
                                       const dgm_graph *graph, int64_t step, dgm_summary **out);

/* ---- pooling inside a network of the caller's ---- */

/* These are for layers of networks that live elsewhere, such as a module of PyTorch: which nodes of a
 * batch go where, and what this does to features and weights, forwards and backwards, in double
 * precision. */

/* Pools every graph of a set once, by a method that the graph alone decides, and makes the
 * assignments of all of them as one, which the caller frees: a row per node of the union, a column
 * per node of the pooled graphs. Those of graph k are the columns starts[k] up to, and without,
 * starts[k + 1]; `starts` has room for one more than there are graphs. A graph is pooled as
 * dgm_pool_run pools it alone, with the same seed and its number as index, in whatever set it is.
 * DGM_ERROR_USAGE: the specification is wrong, or names a method that learns. */
DGM_API dgm_status dgm_pool_run_set(dgm_context *ctx, const dgm_graph_set *set, const char *pool,
                                    int64_t seed, dgm_membership **out, int64_t *starts);

/* Makes a column with the place of each node of the union on a learned lens before it has learned
 * anything, logit((r + 1/2) / n): r is the mid-rank of its PageRank among the n nodes of its graph.
 * The caller frees it. */
DGM_API dgm_status dgm_pool_ranks(dgm_context *ctx, const dgm_graph_set *set, dgm_matrix **out);

/* What an assignment S does to the features X and the adjacency matrix A of a graph: Y = S'X and
 * W = S'AS. It knows where the entries of S and the edges are, and not their values; it never
 * changes, and many threads may use it, each with a context of its own. */
typedef struct dgm_coarsening dgm_coarsening;
/* Edge e leads from node ends[2e] to node ends[2e + 1]; an undirected one is given in both
 * directions, and several between the same nodes add up. The values of the assignment are not looked
 * at and may be NULL. Everything is copied; the caller frees the result.
 * DGM_ERROR_DATA: an entry names a cluster, or an edge a node, that there is not. */
DGM_API dgm_status dgm_coarsening_create(dgm_context *ctx, const dgm_membership_rows *assignment,
                                         int64_t edges, const uint32_t *ends, dgm_coarsening **out);
DGM_API void dgm_coarsening_free(dgm_coarsening *coarsening); /* NULL is fine */
/* Returns the ends of the pooled edges in pairs, by source and then by target, self-loops included;
 * they belong to the coarsening. *count becomes their number. There is one wherever an edge leads
 * from a member of the one cluster to a member of the other. */
DGM_API const uint32_t *dgm_coarsening_edges(const dgm_coarsening *coarsening, int64_t *count);

typedef struct dgm_coarsening_input {
    const double *assignment; /* the values of S, in the order of its rows */
    const double *features;   /* X, a row per node; NULL: none */
    const double *weights;    /* one per edge; NULL: all 1 */
    int64_t width;            /* the number of columns of X */
} dgm_coarsening_input;

/* What is pooled, or the derivatives of a loss by it. */
typedef struct dgm_coarsening_output {
    double *features; /* Y, a row per cluster */
    double *weights;  /* the values of W, one per pooled edge */
} dgm_coarsening_output;

/* The derivatives of a loss by the input, which has their shapes. */
typedef struct dgm_coarsening_gradient {
    double *assignment, *features, *weights;
} dgm_coarsening_gradient;

/* Fills the arrays of `output` that are not NULL. */
DGM_API dgm_status dgm_coarsening_forward(dgm_context *ctx, const dgm_coarsening *coarsening,
                                          const dgm_coarsening_input *input,
                                          const dgm_coarsening_output *output);
/* Fills the arrays of `gradient` that are not NULL, from the derivatives by the output, of which one
 * that is NULL is 0. */
DGM_API dgm_status dgm_coarsening_backward(dgm_context *ctx, const dgm_coarsening *coarsening,
                                           const dgm_coarsening_input *input,
                                           const dgm_coarsening_output *by,
                                           const dgm_coarsening_gradient *gradient);

/* ---- classifying graphs ---- */

/* The layers between poolings. */
typedef enum dgm_pool_net {
    DGM_NET_GCN, /* graph convolutions (Kipf and Welling, 2017) */
    DGM_NET_GIN, /* graph isomorphism layers (Xu and others, 2019), which sum up neighbours; weights
                    of edges count only after a learned assignment, where all nodes are joined */
    DGM_NET_MLP, /* the edges are not looked at: a baseline without structure */
} dgm_pool_net;

/* The features of nodes. */
typedef enum dgm_pool_features {
    DGM_POOL_FEATURES_AUTO,       /* LABELS, or DEGREE if nodes have no labels */
    DGM_POOL_FEATURES_LABELS,     /* one-hot labels of nodes */
    DGM_POOL_FEATURES_DEGREE,     /* one-hot degrees, of which those above `clamp` are equal */
    DGM_POOL_FEATURES_ATTRIBUTES, /* the attributes of nodes as they are */
    DGM_POOL_FEATURES_ALL,        /* labels and attributes side by side */
} dgm_pool_features;

/* Where hyper-parameters come from that are not given. */
typedef enum dgm_classify_preset {
    DGM_CLASSIFY_PAPER, /* appendix C of the paper, for the operator and for sets that it names */
    DGM_CLASSIFY_EQUAL, /* the network of MPR for every operator */
} dgm_classify_preset;

/* A negative number and a NULL text mean the value of the preset; the comments give that of PAPER
 * for MPR. */
typedef struct dgm_classify_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    const char *pool;   /* the specification of the operator; by default "mpr" */
    int preset;         /* a dgm_classify_preset */
    int net;            /* a dgm_pool_net */
    int64_t width;      /* the width of hidden layers: 128 */
    int64_t layers;     /* the number of layers before each pooling and after the last: 2 */
    int64_t steps;      /* how often the network pools: 2 */
    double dropout;     /* the share of hidden states that are dropped before the mean: 0.5 */
    double rate;        /* the learning rate of Adam: 5e-4 */
    double decay;       /* the L2 penalty: 0 */
    int64_t epochs;     /* the number of epochs: 30 */
    int64_t batch;      /* the number of graphs of a batch: 32, and 128 on PROTEINS */
    int features;       /* a dgm_pool_features */
    int64_t clamp;      /* the largest degree that has a feature of its own: 64 */
    const char *folds;  /* the number of folds, 3 or more: "10"; or "files": those of the data */
    int64_t first;      /* how many of the folds are run; 0: all */
    int64_t seeds;      /* how many seeds are run, each with folds of its own: 1 */
    int64_t seed;       /* the first seed, of folds, weights and all other draws: 1 */
    const char *search; /* a grid of options such as "rate=1e-3;5e-4 width=64;128", of which each
                           training takes the best by its validation fold; NULL: no search */
    const char *checkpoint; /* a file in which finished folds are kept, so that an interrupted call
                               goes on, also with more folds or seeds; NULL: none */
    bool keep_model;        /* keep the network of the best fold: dgm_classify_report_model */
    const char *against;    /* a file of another result to compare with, which must be of the same
                            folds: dgm_classify_report_compare; NULL: none */
} dgm_classify_options;
#define DGM_CLASSIFY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        sizeof(dgm_classify_options), NULL, DGM_CLASSIFY_PAPER, DGM_NET_GCN, -1, -1, -1, -1, -1,   \
            -1, -1, -1, DGM_POOL_FEATURES_AUTO, -1, NULL, 0, 1, 1, NULL, NULL, false, NULL         \
    }
static inline void dgm_classify_options_init(dgm_classify_options *options) {
    const dgm_classify_options defaults = DGM_CLASSIFY_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_classify_option_table(void);

/* The outcome of one training: a seed and a fold. */
typedef struct dgm_fold_result {
    int64_t seed, fold; /* the fold is counted from 0 */
    double accuracy;    /* on the test fold, of the weights of the best epoch */
    double validation;  /* on the validation fold, of the same weights */
    double train;       /* on the training folds, of the same weights */
    double loss;        /* the mean loss of the last epoch */
    int64_t epoch;      /* the best epoch, counted from 1 */
    int64_t tested;     /* the number of test graphs */
    double seconds;     /* the time that the training took */
    int64_t bytes;      /* the most memory that its tensors took */
    int64_t setting;    /* which setting of a search was taken, counted from 0 */
    int64_t parameters; /* the number of trained weights */
} dgm_fold_result;

/* The outcome of a cross-validation. */
typedef struct dgm_classify_report dgm_classify_report;
DGM_API void dgm_classify_report_free(dgm_classify_report *report); /* NULL is fine */
/* The folds, seed after seed; *count becomes their number. */
DGM_API const dgm_fold_result *dgm_classify_report_folds(const dgm_classify_report *report,
                                                         int64_t *count);
/* classes x classes counts of test graphs over all folds: rows are classes, columns predictions. */
DGM_API const int64_t *dgm_classify_report_confusion(const dgm_classify_report *report,
                                                     int32_t *classes);

typedef struct dgm_classify_summary {
    double mean;           /* the mean accuracy over folds */
    double deviation;      /* its standard deviation */
    double ci95;           /* half the width of the 95% interval by Student's t, as if folds were
                              independent */
    double ci95_corrected; /* the same with the variance s^2 (1 / (k r) + 1 / (k - 1)) of Nadeau and
                              Bengio (2003), for k folds and r seeds: training sets overlap */
    int64_t parameters;    /* the number of trained weights, of the largest network of a search */
    double seconds;        /* the time of the whole, interrupted calls included */
    int64_t bytes;         /* the most memory that the tensors of one training took */
} dgm_classify_summary;
DGM_API dgm_status dgm_classify_report_summary(dgm_context *ctx, const dgm_classify_report *report,
                                               dgm_classify_summary *out);

/* Trains and judges a classifier by cross-validation: fold k is the test, fold k + 1 validates, and
 * the others train. The epoch of highest validation accuracy counts, the first of equals. Trainings
 * run side by side on the threads of the context; the report, which the caller frees, is the same
 * for any number of threads, times aside. */
DGM_API dgm_status dgm_classify(dgm_context *ctx, const dgm_graph_set *set,
                                const dgm_classify_options *options, dgm_classify_report **out);
/* Makes the report as JSON text, which is freed with dgm_export_text_free. */
DGM_API dgm_status dgm_classify_report_json(dgm_context *ctx, const dgm_classify_report *report,
                                            char **out);

/* Writes the same into a file, whole or not at all. */
DGM_API dgm_status dgm_classify_report_write(dgm_context *ctx, const dgm_classify_report *report,
                                             const char *path);

/* ---- trained networks ---- */

/* Returns the network of the training with the highest validation accuracy, the first of equals, if
 * `keep_model` was set; it belongs to the report. NULL: none was kept. */
DGM_API const dgm_classifier *dgm_classify_report_model(const dgm_classify_report *report);

/* Writes a network as safetensors, with all that is needed to build it again among the metadata.
 * The file appears whole or not at all. */
DGM_API dgm_status dgm_classifier_write(dgm_context *ctx, const dgm_classifier *model,
                                        const char *path);
/* Reads such a file; the caller frees the network. DGM_ERROR_DATA: it is another kind of file, or it
 * is damaged, which its checksum tells. */
DGM_API dgm_status dgm_classifier_read(dgm_context *ctx, const char *path, dgm_classifier **out);
DGM_API void dgm_classifier_free(dgm_classifier *model); /* NULL is fine */

/* The specification of its pooling, how often it pools, and the name of the set that it learned
 * from. The texts belong to the network. */
DGM_API const char *dgm_classifier_pool(const dgm_classifier *model);
DGM_API int64_t dgm_classifier_steps(const dgm_classifier *model);
DGM_API const char *dgm_classifier_set(const dgm_classifier *model);
/* The number of its classes, and the number that the data gave to each. */
DGM_API int32_t dgm_classifier_classes(const dgm_classifier *model);
DGM_API int32_t dgm_classifier_class_number(const dgm_classifier *model, int32_t class_index);

/* Makes a table of scores, which the caller frees: a row per graph of the set, a column per class.
 * The highest score is the class that the network takes; a softmax makes probabilities of them.
 * DGM_ERROR_DATA: the nodes of the set have not the features that the network takes. */
DGM_API dgm_status dgm_classifier_run(dgm_context *ctx, const dgm_classifier *model,
                                      const dgm_graph_set *set, dgm_matrix **out);

/* The comparison of two operators on the same folds. */
typedef struct dgm_paired_test {
    double difference; /* the mean of the differences of accuracies */
    double ci95;       /* half the width of its 95% interval, with the corrected variance */
    double t, p;       /* Student's t and the chance of one as large if there is no difference */
    int64_t folds;     /* the number of pairs */
} dgm_paired_test;
/* Compares a report with one that was written as JSON before. It is DGM_ERROR_DATA if that one has
 * other folds or is of another data set. */
DGM_API dgm_status dgm_classify_report_compare(dgm_context *ctx, const dgm_classify_report *report,
                                               const char *path, dgm_paired_test *out);
/* Returns the comparison that the option `against` asked for, or NULL if it did not. */
DGM_API const dgm_paired_test *dgm_classify_report_paired(const dgm_classify_report *report);

#endif
