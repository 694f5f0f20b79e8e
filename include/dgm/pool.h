/* SPDX-License-Identifier: Apache-2.0 */
/* Pooling: a graph is made smaller inside a network that classifies graphs.
 *
 * Mapper is one way to do it (MPR, for Mapper-based pooling with PageRank): the cells of a cover of
 * a lens are the nodes of the pooled graph. Its rivals stand beside it, and so do the controls that
 * tell what a method is worth: a sum over all nodes, their mean, and Mapper with a random lens.
 *
 * An operator is named by a specification, as lenses are: "mpr:clusters=8-2,overlap=0.25",
 * "mincut:ratio=0.1", "sum". dgm_pool_run pools one graph, and dgm_classify trains and judges whole
 * networks by cross-validation.
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
DGM_API void dgm_pool_options_init(dgm_pool_options *options);

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

/* ---- classifying graphs ---- */

/* The layers between poolings. */
typedef enum dgm_pool_net {
    DGM_NET_GCN, /* graph convolutions (Kipf and Welling, 2017) */
    DGM_NET_GIN, /* graph isomorphism layers (Xu and others, 2019) */
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
    size_t size;      /* the size of this struct, filled in by the initialiser */
    const char *pool; /* the specification of the operator; by default "mpr" */
    int preset;       /* a dgm_classify_preset */
    int net;          /* a dgm_pool_net */
    int64_t width;    /* the width of hidden layers: 128 */
    int64_t layers;   /* the number of layers before each pooling and after the last: 2 */
    int64_t steps;    /* how often the network pools: 2 */
    double dropout;   /* the share of hidden states that are dropped before the mean: 0.5 */
    double rate;      /* the learning rate of Adam: 5e-4 */
    double decay;     /* the L2 penalty: 0 */
    int64_t epochs;   /* the number of epochs: 30 */
    int64_t batch;    /* the number of graphs of a batch: 32, and 128 on PROTEINS */
    int features;     /* a dgm_pool_features */
    int64_t clamp;    /* the largest degree that has a feature of its own: 64 */
    const char *folds; /* the number of folds, "10", or "files": those of the data set */
    int64_t first;     /* how many of the folds are run; 0: all */
    int64_t seeds;     /* how many seeds are run, each with folds of its own: 1 */
    int64_t seed;      /* the first seed, of folds, weights and all other draws: 1 */
    const char *search; /* a grid of options such as "rate=1e-3;5e-4 width=64;128", of which each
                           training takes the best by its validation fold; NULL: no search */
    const char *checkpoint; /* a file in which finished folds are kept; NULL: none */
    bool keep_model;        /* keep the weights of the best fold */
} dgm_classify_options;
#define DGM_CLASSIFY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        sizeof(dgm_classify_options), NULL, DGM_CLASSIFY_PAPER, DGM_NET_GCN, -1, -1, -1, -1, -1,   \
            -1, -1, -1, DGM_POOL_FEATURES_AUTO, -1, NULL, 0, 1, 1, NULL, NULL, false               \
    }
DGM_API void dgm_classify_options_init(dgm_classify_options *options);
DGM_API const dgm_option_table *dgm_classify_option_table(void);

/* The outcome of one training: a seed and a fold. */
typedef struct dgm_fold_result {
    int64_t seed, fold;      /* the fold is counted from 0 */
    double accuracy;         /* on the test fold, of the weights of the best epoch */
    double validation;       /* on the validation fold, of the same weights */
    double train;            /* on the training folds, of the same weights */
    double loss;             /* the mean loss of the last epoch */
    int64_t epoch;           /* the best epoch, counted from 1 */
    int64_t tested;          /* the number of test graphs */
    double seconds;          /* the time that the training took */
    int64_t bytes;           /* the most memory that its tensors took */
    int64_t setting;         /* which setting of a search was taken, counted from 0 */
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
    int64_t parameters;    /* the number of trained weights */
    double seconds;        /* the time of the whole */
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

#endif
