/* SPDX-License-Identifier: Apache-2.0 */
/* Graph neural networks, whose answers are lenses. A graph convolutional network (GCN) learns the
 * classes of nodes, or a number of each node. Deep Graph Infomax (DGI) learns an embedding and
 * needs no labels. This is how a GCN is trained and its predictions are made:
 *
 *     dgm_model *model = NULL;
 *     dgm_matrix *logits = NULL;
 *     dgm_training_report report;
 *     if (dgm_gcn_train(ctx, graph, NULL, NULL, &model, &report, &logits) == DGM_OK)
 *         dgm_predictions_from_logits(ctx, graph, logits, report.splits, &predictions);
 */
#ifndef DGM_NEURAL_H
#define DGM_NEURAL_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"

typedef struct dgm_model dgm_model;

/* Graphs of more nodes than this are too large for a row of weights per node. */
#define DGM_STRUCTURE_NODES 50000

/* The input of the network. */
typedef enum dgm_feature_kind {
    DGM_FEATURES_AUTO,    /* the features of the graph, or ONE_HOT if it has none; the presets AUTO
                             take STRUCTURE above DGM_STRUCTURE_NODES nodes */
    DGM_FEATURES_ONE_HOT, /* one column per node, which is 1 for the node and 0 for others */
    DGM_FEATURES_DEGREE,  /* one column: log(1 + degree) */
    DGM_FEATURES_STRUCTURE, /* what the edges say of a node: its degree, core and clustering, and
                               where random walks from it lead */
} dgm_feature_kind;

/* The layers and the training of a GCN, unless other options change them. */
typedef enum dgm_gcn_preset {
    DGM_GCN_KIPF,      /* Kipf and Welling (2017): 2 convolutions, 16 hidden units, dropout */
    DGM_GCN_REFERENCE, /* the paper's authors: convolutions 32-64-128-128 and a linear layer */
    DGM_GCN_AUTO,      /* Kipf and Welling's network, with width, rate, decay and the scaling of
                          features chosen by what the graph is like; the validation loss decides
                          when the rate falls and when it is enough */
} dgm_gcn_preset;

/* The same for DGI. */
typedef enum dgm_dgi_preset {
    DGM_DGI_DGI,       /* Velickovic and others (2019): one convolution of 512 units, PReLU */
    DGM_DGI_REFERENCE, /* the paper's authors: convolutions 32-64-512 with ELU between them */
    DGM_DGI_AUTO,      /* Velickovic's network, with width and the scaling of features chosen by
                          what the graph is like; the loss decides when it is enough */
} dgm_dgi_preset;

/* How features are scaled before a network sees them. */
typedef enum dgm_normalise {
    DGM_NORMALISE_AUTO,    /* as the preset does: ROWS. The presets AUTO take ROWS for counts (whole
                              numbers from 0, most of them 0), NONE for other tables of mostly zeros
                              without a negative number, and COLUMNS for all else */
    DGM_NORMALISE_NONE,    /* as the graph has them */
    DGM_NORMALISE_ROWS,    /* rows are divided by their sum; a table of one column, or with a
                              negative number, is left as it is */
    DGM_NORMALISE_COLUMNS, /* columns have mean 0 and deviation 1. Those of a sparse table keep
                              their zeros, and have a mean square of 1 */
} dgm_normalise;

/* In the options of both networks, a negative number and a NULL text mean the value of the preset.
 * The comments give the value of the first preset, and that of REFERENCE if it is another. What AUTO
 * chooses is in docs/networks.md. AUTO is the preset of a lens that is named by a text and of `dgm
 * train`; options in C begin with the first preset. */
typedef struct dgm_gcn_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    int preset;         /* a dgm_gcn_preset */
    const char *hidden; /* the widths of the hidden layers: "16"; REFERENCE "32-64-128-128" */
    double dropout;     /* the share of inputs that are dropped in training: 0.5; REFERENCE drops
                           inputs of the last layer alone */
    double rate;        /* the learning rate of Adam: 0.01; REFERENCE 1e-3 */
    double decay;       /* the L2 penalty: 5e-4, on the first layer alone; REFERENCE 0, on all */
    int64_t epochs;     /* the largest number of epochs: 200; REFERENCE 81 */
    int64_t patience;   /* it stops after this many epochs without a better validation loss and
                           keeps the best weights: 0, which means never */
    const char *class_weights; /* "none", "balanced", or a weight per class: "1,2,0.5" */
    const char *target;        /* a numeric attribute that is predicted instead of the classes */
    int features;              /* a dgm_feature_kind */
    const char *split;         /* the shares of nodes for training and validation, such as
                                  "0.8,0.1"; NULL: the split of the graph */
    int64_t seed;              /* the seed of all random draws: 1 */
    int normalise;             /* a dgm_normalise */
} dgm_gcn_options;
#define DGM_GCN_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(dgm_gcn_options), DGM_GCN_KIPF, NULL, -1, -1, -1, -1, -1, NULL, NULL,               \
            DGM_FEATURES_AUTO, NULL, 1, DGM_NORMALISE_AUTO                                         \
    }
static inline void dgm_gcn_options_init(dgm_gcn_options *options) {
    const dgm_gcn_options defaults = DGM_GCN_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_gcn_option_table(void);

typedef struct dgm_dgi_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    int preset;         /* a dgm_dgi_preset */
    const char *hidden; /* the widths of the layers: "512"; REFERENCE "32-64-512" */
    double rate;        /* the learning rate of Adam: 1e-3 */
    int64_t epochs;     /* the largest number of epochs: 1000; REFERENCE 201 */
    int64_t patience;   /* it stops after this many epochs without a better loss and keeps the best
                           weights: 20; REFERENCE 0, which means never */
    int features;       /* a dgm_feature_kind */
    bool probe;         /* afterwards a logistic regression learns the classes from the embedding,
                           and the report has its accuracies */
    const char *split;  /* the split for that regression; NULL: the split of the graph */
    int64_t seed;       /* the seed of all random draws: 1 */
    int normalise;      /* a dgm_normalise */
} dgm_dgi_options;
#define DGM_DGI_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(dgm_dgi_options), DGM_DGI_DGI, NULL, -1, -1, -1, DGM_FEATURES_AUTO, false, NULL, 1, \
            DGM_NORMALISE_AUTO                                                                     \
    }
static inline void dgm_dgi_options_init(dgm_dgi_options *options) {
    const dgm_dgi_options defaults = DGM_DGI_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_dgi_option_table(void);

/* A checkpoint is a file in which a long training saves its state, so that it can go on after an
 * interruption. The result has the same bytes as that of a training without interruption. */
typedef struct dgm_checkpoint_options {
    size_t size; /* the size of this struct, filled in by the initialiser */
    /* The file; NULL: no state is saved. If the file exists, the training goes on from it. The
     * options of the network must then be the same as before, except epochs, rate, and those of
     * DGI's logistic regression, which is always trained from its start. */
    const char *path;
    const char *every; /* how often it is saved: "100" epochs or "30s" (seconds); NULL: 60s */
} dgm_checkpoint_options;
#define DGM_CHECKPOINT_OPTIONS_INIT                                                                \
    { sizeof(dgm_checkpoint_options), NULL, NULL }
static inline void dgm_checkpoint_options_init(dgm_checkpoint_options *options) {
    const dgm_checkpoint_options defaults = DGM_CHECKPOINT_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_checkpoint_option_table(void);

/* How a training went. A network that predicts a number has R^2 in place of accuracies. An accuracy
 * is NaN if no node was in that part of the split. */
typedef struct dgm_training_report {
    double loss; /* the loss of the last epoch, on the training nodes */
    double train_accuracy, val_accuracy, test_accuracy;
    double macro_f1, calibration_error; /* measured on the test nodes */
    int32_t classes;                    /* the number of classes */
    int64_t *confusion; /* classes x classes counts of test nodes: the rows are true classes, the
                           columns predicted ones; NULL: there are none */
    uint8_t *splits;    /* one dgm_split per node: which nodes a GCN was trained on, validated and
                           tested with, and DGM_SPLIT_NONE for nodes without a label or target;
                           NULL: there are none */
    int64_t epochs;     /* the epochs that were run, with those before an interruption */
    double seconds;     /* the time that the training took */
    int64_t bytes;      /* the most memory that tensors took */
    dgm_allocator allocator; /* that of the context, for dgm_training_report_free */
} dgm_training_report;
/* Frees the confusion and the splits, not the struct itself. */
DGM_API void dgm_training_report_free(dgm_training_report *report);

/* Train a network on a graph; the caller frees the model. If `options` is NULL, they have their
 * defaults; `checkpoint` and `report` may be NULL. If `answer` is not NULL, it becomes the table
 * that dgm_model_run makes of this graph, and the caller frees it. This is cheaper than the other
 * call, since the input of the network is ready. */
DGM_API dgm_status dgm_gcn_train(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_gcn_options *options,
                                 const dgm_checkpoint_options *checkpoint, dgm_model **out,
                                 dgm_training_report *report, dgm_matrix **answer);
DGM_API dgm_status dgm_dgi_train(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_dgi_options *options,
                                 const dgm_checkpoint_options *checkpoint, dgm_model **out,
                                 dgm_training_report *report, dgm_matrix **answer);

DGM_API void dgm_model_free(dgm_model *model); /* NULL is fine */

/* One epoch of a training, which knows no more than it needs: what is not known is NaN. */
typedef struct dgm_training_epoch {
    int64_t epoch;       /* counted from 1, through all rounds and interruptions */
    double loss;         /* on the training nodes */
    double accuracy;     /* on them as well, as the pass of the training has them, with dropout */
    double val_loss;     /* on the validation nodes after the epoch, wherever the training looked */
    double val_accuracy; /* at them */
} dgm_training_epoch;
/* Returns the epochs of the call that trained the model, or NULL if it was read from a file; they
 * belong to the model. *count becomes their number. */
DGM_API const dgm_training_epoch *dgm_model_history(const dgm_model *model, int64_t *count);

/* A weight of a model, which belongs to it. */
typedef struct dgm_model_weight {
    const char *name; /* as files have it, and PyTorch Geometric: "conv1.lin.weight" */
    int64_t rows, columns;
    bool vector;         /* it is one row, and files have it as a tensor of rank 1 */
    bool transpose;      /* files have it as columns x rows */
    const float *values; /* row by row */
} dgm_model_weight;
/* Gives the weight at `index`, counted from 0; false after the last. */
DGM_API bool dgm_model_weight_at(const dgm_model *model, int64_t index, dgm_model_weight *out);

/* Write a model to a file and read it back. The file is a safetensors file, with names such as
 * PyTorch Geometric's: conv1.lin.weight, conv1.bias, and so on. */
DGM_API dgm_status dgm_model_write(dgm_context *ctx, const dgm_model *model, const char *path);
DGM_API dgm_status dgm_model_read(dgm_context *ctx, const char *path, dgm_model **out);
typedef enum dgm_model_kind { DGM_MODEL_GCN, DGM_MODEL_DGI } dgm_model_kind;
/* Returns "gcn", "dgi", NULL: the names in the order of the enum. */
DGM_API const char *const *dgm_model_names(void);
DGM_API dgm_model_kind dgm_model_get_kind(const dgm_model *model);
/* Returns the number of columns of the network's answer: the number of classes, 1 if it predicts a
 * number, or the width of the embedding. */
DGM_API int64_t dgm_model_width(const dgm_model *model);
/* Returns whether these columns are scores of classes. */
DGM_API bool dgm_model_classifies(const dgm_model *model);

/* Computes the network's answer for every node, which the caller frees: logits (columns logit0,
 * logit1, ...), the predicted number (column prediction) or the embedding (columns dgi1, dgi2,
 * ...). dgm_predictions_from_logits makes predictions of logits. */
DGM_API dgm_status dgm_model_run(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                                 dgm_matrix **out);

#endif
