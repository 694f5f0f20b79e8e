/* SPDX-License-Identifier: Apache-2.0 */
/* Graph neural networks as lenses: a GCN that classifies nodes (or predicts a number), and Deep
 * Graph Infomax, which needs no labels.
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

/* What a node without features is told apart by. */
typedef enum dgm_feature_kind {
    DGM_FEATURES_AUTO,    /* the graph's, else one-hot */
    DGM_FEATURES_ONE_HOT, /* its number */
    DGM_FEATURES_DEGREE,  /* log(1 + degree) */
} dgm_feature_kind;

typedef enum dgm_gcn_preset {
    DGM_GCN_KIPF,      /* 2 convolutions, 16 hidden, dropout on inputs: Kipf and Welling, 2017 */
    DGM_GCN_REFERENCE, /* convolutions 32-64-128-128, then a linear layer: the paper's authors */
} dgm_gcn_preset;

typedef enum dgm_dgi_preset {
    DGM_DGI_DGI,       /* one convolution of 512, PReLU: Velickovic and others, 2019 */
    DGM_DGI_REFERENCE, /* convolutions 32-64-512, ELU between them: the paper's authors */
} dgm_dgi_preset;

/* Negative numbers and NULL texts mean: as the preset has it. */
typedef struct dgm_gcn_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    int preset;         /* dgm_gcn_preset */
    const char *hidden; /* "16"; reference "32-64-128-128" */
    double dropout;     /* 0.5 */
    double rate;        /* of Adam: 0.01; reference 1e-3 */
    double decay;       /* L2: 5e-4, on the first layer; reference 0 */
    int64_t epochs;     /* 200; reference 81 */
    int64_t patience;   /* stop after so many epochs without a better validation loss and keep
                           the best weights; 0: never */
    const char *class_weights; /* "none", "balanced", or "1,2,0.5" */
    const char *target;        /* a numeric attribute to predict instead of classes */
    int features;              /* dgm_feature_kind */
    const char *split;         /* "0.8,0.1": train and validation; NULL: the graph's */
    int64_t seed;              /* 1 */
} dgm_gcn_options;
#define DGM_GCN_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(dgm_gcn_options), DGM_GCN_KIPF, NULL, -1, -1, -1, -1, -1, NULL, NULL,               \
            DGM_FEATURES_AUTO, NULL, 1                                                             \
    }
DGM_API void dgm_gcn_options_init(dgm_gcn_options *options);
DGM_API const dgm_option_table *dgm_gcn_option_table(void);

typedef struct dgm_dgi_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    int preset;         /* dgm_dgi_preset */
    const char *hidden; /* "512"; reference "32-64-512" */
    double rate;        /* of Adam: 1e-3 */
    int64_t epochs;     /* at most: 1000; reference 201 */
    int64_t patience;  /* stop after so many epochs without a better loss and keep the best weights:
                          20; reference 0, never */
    int features;      /* dgm_feature_kind */
    bool probe;        /* report a logistic regression on the embedding */
    const char *split; /* of the probe; NULL: the graph's */
    int64_t seed;      /* 1 */
} dgm_dgi_options;
#define DGM_DGI_OPTIONS_INIT                                                                       \
    { sizeof(dgm_dgi_options), DGM_DGI_DGI, NULL, -1, -1, -1, DGM_FEATURES_AUTO, false, NULL, 1 }
DGM_API void dgm_dgi_options_init(dgm_dgi_options *options);
DGM_API const dgm_option_table *dgm_dgi_option_table(void);

/* Where a long training leaves its state, so that it can go on after an interruption. */
typedef struct dgm_checkpoint_options {
    size_t size;       /* of the struct, filled in by its initialiser */
    const char *path;  /* NULL: none. If the file is there, the run goes on from it, and the same
                          bytes come out as of a run that was never interrupted. Of the options of
                          the network only epochs and rate may differ then, and those of the probe
                          of Deep Graph Infomax, which is trained anew. */
    const char *every; /* "100": epochs; "30s": seconds; NULL: 60s */
} dgm_checkpoint_options;
#define DGM_CHECKPOINT_OPTIONS_INIT                                                                \
    { sizeof(dgm_checkpoint_options), NULL, NULL }
DGM_API void dgm_checkpoint_options_init(dgm_checkpoint_options *options);
DGM_API const dgm_option_table *dgm_checkpoint_option_table(void);

/* What came of it. Accuracies are NaN where no node was in that part; of a regression they are R^2.
 */
typedef struct dgm_training_report {
    double loss; /* of the last epoch, on the training nodes */
    double train_accuracy, val_accuracy, test_accuracy;
    double macro_f1, calibration_error; /* on the test nodes */
    int32_t classes;
    int64_t *confusion; /* classes x classes, of the test nodes, true class first; NULL: none */
    uint8_t *splits;    /* one dgm_split for each node: which nodes a GCN was trained on, validated
                           and tested with, DGM_SPLIT_NONE without a label or target; NULL: none */
    int64_t epochs;     /* run, those before a resume included */
    double seconds;
    int64_t bytes; /* of tensors at the peak */
    dgm_allocator allocator;
} dgm_training_report;
/* Frees its confusion and splits. */
DGM_API void dgm_training_report_free(dgm_training_report *report);

/* options and checkpoint may be NULL: defaults, none. report may be NULL. Where `answer` is not
 * NULL it gets what dgm_model_run would say of the same graph, without the features and the
 * propagation being prepared a second time. */
DGM_API dgm_status dgm_gcn_train(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_gcn_options *options,
                                 const dgm_checkpoint_options *checkpoint, dgm_model **out,
                                 dgm_training_report *report, dgm_matrix **answer);
DGM_API dgm_status dgm_dgi_train(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_dgi_options *options,
                                 const dgm_checkpoint_options *checkpoint, dgm_model **out,
                                 dgm_training_report *report, dgm_matrix **answer);

DGM_API void dgm_model_free(dgm_model *model); /* NULL is fine */
/* Safetensors; names as PyTorch Geometric's (conv1.lin.weight, conv1.bias, ...). */
DGM_API dgm_status dgm_model_write(dgm_context *ctx, const dgm_model *model, const char *path);
DGM_API dgm_status dgm_model_read(dgm_context *ctx, const char *path, dgm_model **out);
typedef enum dgm_model_kind { DGM_MODEL_GCN, DGM_MODEL_DGI } dgm_model_kind;
/* "gcn", "dgi": NULL-terminated, in the order of the enum. */
DGM_API const char *const *dgm_model_names(void);
DGM_API dgm_model_kind dgm_model_get_kind(const dgm_model *model);
/* Columns of what it returns: classes, 1 for a regression, or the size of the embedding. */
DGM_API int64_t dgm_model_width(const dgm_model *model);
/* Whether the columns are scores of classes. */
DGM_API bool dgm_model_classifies(const dgm_model *model);

/* The network's answer for every node: logits (columns logit0, ...), the prediction (column
 * prediction) or the embedding (columns dgi1, ...). dgm_predictions_from_logits says what a
 * classifier's logits mean. */
DGM_API dgm_status dgm_model_run(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                                 dgm_matrix **out);

#endif
