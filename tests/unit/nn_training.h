/* SPDX-License-Identifier: Apache-2.0 */
/* For tests that train: small graphs that can be learned, a folder for checkpoints and models, and
 * weights to compare. Included once a program. */
#ifndef NN_TRAINING_H
#define NN_TRAINING_H

#include <ftw.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nn_network.h"
#include "nn_sample.h"

/* ---- a folder ---- */

static char training_folder[64];

static inline int enter_folder(void **state) {
    strcpy(training_folder, "/tmp/dgm-test-XXXXXX");
    if (make_context(state) != 0 || !mkdtemp(training_folder) || chdir(training_folder) != 0)
        return 1;
    listen_to_notes();
    return 0;
}

static inline int remove_entry(const char *path, const struct stat *facts, int kind,
                               struct FTW *place) {
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline int leave_folder(void **state) {
    int status = chdir("/");
    status |= nftw(training_folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return free_context(state) | status;
}

static inline void *file_bytes(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ---- graphs ---- */

typedef enum toy_features { TOY_NONE, TOY_SPARSE, TOY_DENSE } toy_features;
enum { TOY_NODES = 48, TOY_CLASSES = 3, TOY_WIDTH = 12 };

/* What the builder is given; a test may change it before build_toy. */
typedef struct toy {
    sample s;
    uint32_t ends[2 * 4 * TOY_NODES];
    double weights[4 * TOY_NODES];
    int32_t labels[TOY_NODES];
    uint8_t splits[TOY_NODES];
    int64_t offsets[TOY_NODES + 1];
    uint32_t columns[TOY_NODES * TOY_WIDTH];
    float values[TOY_NODES * TOY_WIDTH];
    dgm_graph_features features;
} toy;

/* Classes that are seen in edges and features both; a third of the nodes in each part. */
static inline void draw_toy(toy *t, toy_features kind, uint64_t seed) {
    check_random random = check_random_case(seed, 17, 0);
    *t = (toy){.s = {.nodes = TOY_NODES, .edges = 4 * TOY_NODES, .weighted = true}};
    int64_t entries = 0;
    for (int i = 0; i < TOY_NODES; i++) {
        t->labels[i] = i % TOY_CLASSES;
        t->splits[i] = (uint8_t)(DGM_SPLIT_TRAIN + i / TOY_CLASSES % 3);
        t->offsets[i] = entries;
        for (uint32_t j = 0; j < TOY_WIDTH; j++) {
            bool likely = (int)j % TOY_CLASSES == i % TOY_CLASSES;
            if (kind == TOY_SPARSE && !check_random_chance(&random, likely ? 0.5 : 0.15))
                continue;
            t->columns[entries] = j;
            t->values[entries++] = (float)(check_random_unit(&random) + 0.1 + likely);
        }
    }
    t->offsets[TOY_NODES] = entries;
    for (int64_t e = 0; e < t->s.edges; e++) {
        int u = check_random_below(&random, TOY_NODES), v = check_random_below(&random, TOY_NODES);
        if (check_random_chance(&random, 0.8))
            v -= (v - u) % TOY_CLASSES;
        t->ends[2 * e] = (uint32_t)u;
        t->ends[2 * e + 1] = (uint32_t)(v < 0 ? v + TOY_CLASSES : v) % TOY_NODES;
        t->weights[e] = 0.5 + check_random_unit(&random);
    }
    t->s.ends = t->ends;
    t->s.weights = t->weights;
    t->s.labels = t->labels;
    t->s.splits = t->splits;
    t->features = (dgm_graph_features){TOY_WIDTH, t->offsets, t->columns, t->values};
    if (kind == TOY_DENSE)
        t->features.offsets = NULL, t->features.columns = NULL;
    if (kind != TOY_NONE)
        t->s.features = &t->features;
}

static inline dgm_graph *make_toy(toy_features kind, uint64_t seed) {
    static toy t;
    draw_toy(&t, kind, seed);
    return build_sample(&t.s);
}

static inline dgm_graph *generate(dgm_generate_options options) {
    dgm_graph *graph;
    if (dgm_graph_generate(ctx, &options, NULL, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* ---- models ---- */

static inline dgm_model *train_gcn(const dgm_graph *graph, const dgm_gcn_options *options,
                                   const dgm_checkpoint_options *checkpoint,
                                   dgm_training_report *report) {
    dgm_model *model;
    if (dgm_gcn_train(ctx, graph, options, checkpoint, &model, report, NULL) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return model;
}

static inline dgm_model *train_dgi(const dgm_graph *graph, const dgm_dgi_options *options,
                                   const dgm_checkpoint_options *checkpoint,
                                   dgm_training_report *report) {
    dgm_model *model;
    if (dgm_dgi_train(ctx, graph, options, checkpoint, &model, report, NULL) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return model;
}

/* The same bytes of weights; both are freed. */
static inline void assert_same_weights(dgm_model *model, dgm_model *expected) {
    assert_int_equal(model->weights.total, expected->weights.total);
    assert_memory_equal(model->weights.values, expected->weights.values,
                        (size_t)model->weights.total * sizeof(float));
    dgm_model_free(model);
    dgm_model_free(expected);
}

static inline bool are_same_weights(const dgm_model *a, const dgm_model *b) {
    return a->weights.total == b->weights.total &&
           memcmp(a->weights.values, b->weights.values, (size_t)a->weights.total * sizeof(float)) ==
               0;
}

/* ---- options ---- */

static inline dgm_gcn_options gcn_options(int preset, int64_t epochs) {
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.preset = preset;
    options.epochs = epochs;
    return options;
}

static inline dgm_dgi_options dgi_options(int preset, const char *hidden, int64_t epochs) {
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.preset = preset;
    options.hidden = hidden;
    options.epochs = epochs;
    return options;
}

#endif
