/* SPDX-License-Identifier: Apache-2.0 */
/* Deep Graph Infomax (Velickovic and others, 2019), which needs no labels. An encoder makes an
 * embedding H of the graph and an embedding H' of the same graph with shuffled features. A
 * discriminator sigmoid(h W s + b), with s = sigmoid(mean of H), learns to tell rows h of H from
 * rows of H', and the encoder learns to make that possible.
 */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "nn_infomax.h"
#include "nn_options.h"
#include "nn_probe.h"
#include "nn_report.h"
#include "nn_train.h"

typedef struct dgi_task {
    dgm_dgi_options options; /* resolved */
    bool automatic;          /* the preset looks at the graph */
    dgmi_nn_sight sight;
    dgm_model *model;
    uint32_t *shuffle, *inverse; /* of the nodes, new in every epoch */
    float *targets;              /* 1 for the graph's nodes, 0 for the shuffled ones */
    float *shares;               /* of a row in the mean, where rows come in pairs */
} dgi_task;

enum { SHUFFLE_STREAM = 0x53 };

/* `reference`: ELU between the convolutions, none after the last, as in the paper's authors' own
 * code (dgm/models.py in their repository). */
static dgmi_nn_activation activation_of(const dgi_task *task, int layer, int count) {
    if (task->options.preset != DGM_DGI_REFERENCE)
        return DGMI_NN_ACTIVATION_PRELU;
    return layer + 1 < count ? DGMI_NN_ACTIVATION_ELU : DGMI_NN_ACTIVATION_NONE;
}

static dgm_status build_model(dgm_context *ctx, dgi_task *task) {
    int64_t sizes[DGMI_NN_MOST_LAYERS], in = task->sight.features.width;
    int count;
    dgm_status status = dgmi_nn_model_sizes(ctx, task->options.hidden, sizes, &count);
    for (int l = 0; status == DGM_OK && l < count; l++) {
        const dgmi_nn_layer layer = {.convolution = true,
                                     .in = in,
                                     .out = sizes[l],
                                     .activation = activation_of(task, l, count)};
        status = dgmi_nn_model_add_layer(ctx, task->model, layer, true);
        in = sizes[l];
    }
    if (status == DGM_OK)
        status = dgmi_nn_model_add_discriminator(ctx, task->model);
    if (status == DGM_OK && task->model->normalise == DGMI_NN_SCALE_COLUMNS)
        status = dgmi_nn_model_add_columns(ctx, task->model);
    if (status == DGM_OK)
        status = dgmi_nn_model_finish(ctx, task->model, task->options.seed);
    if (status == DGM_OK)
        dgmi_nn_model_remember(task->model, &task->sight.features);
    return status;
}

/* Then both graphs run at once, in pairs of rows, and the last layer is not computed at all. */
static bool ends_linear(const dgi_task *task) {
    int count = task->model->layer_count;
    return count > 1 && task->model->layers[count - 1].activation == DGMI_NN_ACTIVATION_NONE;
}

/* An epoch costs as many numbers as the graph has nodes, for each column of the embedding. */
static const char *width_by_size(int64_t nodes) {
    return nodes <= 32768 ? "512" : nodes <= 131072 ? "256" : "128";
}

static dgm_status prepare(dgm_context *ctx, const dgm_graph *graph, dgi_task *task) {
    int64_t nodes = dgm_graph_nodes(graph);
    if (nodes == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph has no nodes to learn from");
    const dgmi_nn_reading reading = {
        .kind = task->options.features,
        .scaling = dgmi_nn_scaling_of(task->options.normalise, task->automatic),
        .unit = task->automatic,
        .structure = task->automatic};
    dgm_status status = dgmi_nn_model_create(ctx, DGM_MODEL_DGI, &task->model);
    if (status == DGM_OK)
        status = dgmi_nn_sight_read(ctx, graph, &reading, &task->sight);
    if (status != DGM_OK)
        return status;
    if (!task->options.hidden)
        task->options.hidden = width_by_size(nodes);
    dgmi_nn_model_reads(task->model, &reading, &task->sight.features);
    status = build_model(ctx, task);
    if (status != DGM_OK)
        return status;
    task->shuffle = dgmi_alloc(ctx, 2 * nodes, sizeof *task->shuffle);
    task->targets = dgmi_alloc_zero(ctx, 4 * nodes, sizeof *task->targets);
    if (!task->shuffle || !task->targets)
        return DGM_ERROR_MEMORY;
    task->inverse = task->shuffle + nodes;
    task->shares = task->targets + 2 * nodes;
    bool pairs = ends_linear(task);
    for (int64_t i = 0; i < nodes; i++) {
        task->targets[pairs ? 2 * i : i] = 1;
        task->shares[2 * i] = 1 / (float)nodes;
    }
    return DGM_OK;
}

/* ---- training ---- */

/* Fisher and Yates, drawn from seed and epoch. */
static void shuffle_nodes(dgi_task *task, uint64_t epoch) {
    int64_t nodes = task->sight.features.rows;
    uint64_t seed = (uint64_t)task->options.seed, stream = (uint64_t)SHUFFLE_STREAM << 48 | epoch;
    for (int64_t i = 0; i < nodes; i++)
        task->shuffle[i] = (uint32_t)i;
    for (int64_t i = nodes - 1; i > 0; i--) {
        uint64_t k = dgmi_random_below(seed, stream, (uint64_t)i, (uint64_t)i + 1);
        uint32_t swap = task->shuffle[i];
        task->shuffle[i] = task->shuffle[k];
        task->shuffle[k] = swap;
    }
    for (int64_t i = 0; i < nodes; i++)
        task->inverse[task->shuffle[i]] = (uint32_t)i;
}

/* h W s for every node of the graph, then of the shuffled one */
static dgmi_nn_node *discriminate(const dgmi_nn_pass *pass, dgmi_nn_node *embedding,
                                  dgmi_nn_node *shuffled) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_nn_weights *weights = &pass->model->weights;
    dgmi_nn_node *weight =
        dgmi_nn_weight_node(tape, weights, pass->model->discriminator, pass->optimiser);
    dgmi_nn_node *bias =
        dgmi_nn_weight_node(tape, weights, pass->model->discriminator_bias, pass->optimiser);
    dgmi_nn_node *mean = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, embedding, NULL, 1);
    dgmi_nn_node *summary = dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, mean);
    dgmi_nn_node *direction = dgmi_nn_op_product(tape, weight, false, summary, true);
    dgmi_nn_node *const scores[] = {dgmi_nn_op_product(tape, embedding, false, direction, false),
                                    dgmi_nn_op_product(tape, shuffled, false, direction, false)};
    return dgmi_nn_op_bias_over(tape, dgmi_nn_op_join_rows(tape, 2, scores), bias);
}

/* One convolution of sparse features has an op of its own. */
static bool is_fused(const dgi_task *task) {
    const dgmi_nn_layer *layer = &task->model->layers[0];
    return task->model->layer_count == 1 && layer->activation == DGMI_NN_ACTIVATION_PRELU &&
           !task->sight.features.dense && !task->sight.features.one_hot;
}

static dgmi_nn_node *fused_loss(const dgi_task *task, const dgmi_nn_pass *pass) {
    const dgmi_nn_weights *weights = &pass->model->weights;
    const dgmi_nn_layer *layer = &pass->model->layers[0];
    const dgmi_nn_infomax infomax = {
        .features = &task->sight.features.sparse,
        .propagation = &task->sight.propagation,
        .shuffle = task->shuffle,
        .inverse = task->inverse,
        .weight = dgmi_nn_weight_node(pass->tape, weights, layer->weight, pass->optimiser),
        .bias = dgmi_nn_weight_node(pass->tape, weights, layer->bias, pass->optimiser),
        .slope = dgmi_nn_weight_node(pass->tape, weights, layer->slope, pass->optimiser),
        .discriminator =
            dgmi_nn_weight_node(pass->tape, weights, pass->model->discriminator, pass->optimiser),
        .discriminator_bias = dgmi_nn_weight_node(pass->tape, weights,
                                                  pass->model->discriminator_bias, pass->optimiser),
    };
    return dgmi_nn_op_infomax(pass->tape, &infomax);
}

static dgmi_nn_node *linear_loss(const dgi_task *task, const dgmi_nn_pass *pass,
                                 dgmi_nn_node *product) {
    const dgmi_nn_weights *weights = &pass->model->weights;
    const dgmi_nn_layer *last = &pass->model->layers[pass->model->layer_count - 1];
    dgmi_nn_node *pairs = dgmi_nn_op_pair(pass->tape, product, task->shuffle, task->inverse);
    const dgmi_nn_infomax_linear infomax = {
        .input = dgmi_nn_pass_pairs(pass, pairs),
        .weight = dgmi_nn_weight_node(pass->tape, weights, last->weight, pass->optimiser),
        .bias = dgmi_nn_weight_node(pass->tape, weights, last->bias, pass->optimiser),
        .discriminator =
            dgmi_nn_weight_node(pass->tape, weights, pass->model->discriminator, pass->optimiser),
        .discriminator_bias = dgmi_nn_weight_node(pass->tape, weights,
                                                  pass->model->discriminator_bias, pass->optimiser),
        .targets = task->targets,
        .shares = task->shares,
    };
    return dgmi_nn_infomax_linear_loss(pass->tape, &infomax);
}

/* (shuffled X) W is X W shuffled, so both embeddings share one product. */
static dgmi_nn_node *training_loss(void *argument, const dgmi_nn_pass *pass) {
    dgi_task *task = argument;
    shuffle_nodes(task, pass->epoch);
    if (is_fused(task))
        return fused_loss(task, pass);
    dgmi_nn_node *product = dgmi_nn_pass_first(pass);
    if (ends_linear(task))
        return linear_loss(task, pass, product);
    dgmi_nn_node *moved = dgmi_nn_op_permute(pass->tape, product, task->shuffle, task->inverse);
    dgmi_nn_node *embedding = dgmi_nn_pass_rest(pass, product);
    dgmi_nn_node *shuffled = dgmi_nn_pass_rest(pass, moved);
    return dgmi_nn_op_binary_cross_entropy(pass->tape, discriminate(pass, embedding, shuffled),
                                           task->targets);
}

/* Without epochs and learning rate, which may change when a run goes on. */
static uint64_t fingerprint(const dgm_graph *graph, const dgm_dgi_options *options) {
    const double numbers[] = {(double)options->preset, (double)options->patience,
                              (double)options->features, (double)options->seed};
    uint64_t hash = dgmi_nn_fingerprint(dgmi_nn_fingerprint_graph(graph), numbers, sizeof numbers);
    if (options->normalise != DGM_NORMALISE_AUTO)
        hash = dgmi_nn_fingerprint(hash, &options->normalise, sizeof options->normalise);
    return dgmi_nn_fingerprint(hash, options->hidden, strlen(options->hidden));
}

static dgm_status train(dgm_context *ctx, const dgm_graph *graph, dgi_task *task,
                        const dgm_checkpoint_options *checkpoint, dgmi_nn_trained *trained) {
    /* The loss is drawn anew with every shuffle, so that a hundredth less of it is no gain. */
    const dgmi_nn_schedule schedule = {.every = 1, .plateau = 15, .gain = 0.01, .rounds = 1};
    dgmi_nn_training training = {
        .model = task->model,
        .optimiser = {.descent = DGMI_NN_ADAM, .rate = task->options.rate},
        .epochs = task->options.epochs,
        .patience = task->options.patience,
        .seed = task->options.seed,
        .fingerprint = fingerprint(graph, &task->options),
        .what = "dgi",
        .checkpoint = checkpoint,
        .loss = training_loss,
        .task = task,
        .sight = &task->sight,
    };
    if (task->automatic) {
        training.schedule = &schedule;
        training.patience = training.patience > 0 ? training.patience : training.epochs + 1;
    }
    return dgmi_nn_train(ctx, &training, trained);
}

/* One pass over the graph as it was prepared for the training, for the probe and the answer. */
static dgm_status evaluate(dgm_context *ctx, const dgm_graph *graph, const dgi_task *task,
                           dgm_training_report *report, dgm_matrix **answer) {
    dgmi_nn_tape *tape = NULL;
    bool probes = report && task->options.probe;
    if (!probes && !answer)
        return DGM_OK;
    dgm_status status = dgmi_nn_tape_create(ctx, &tape);
    if (status != DGM_OK)
        return status;
    const dgmi_nn_pass pass = {.tape = tape, .model = task->model, .sight = &task->sight};
    dgmi_nn_node *embedding = dgmi_nn_pass_run(&pass);
    status = dgmi_nn_tape_status(tape);
    if (status == DGM_OK && probes)
        status = dgmi_nn_probe(ctx, graph, &embedding->value, task->options.split,
                               task->options.seed, report);
    if (status == DGM_OK && answer)
        status = dgmi_nn_model_table(ctx, task->model, graph, &embedding->value, answer);
    dgmi_nn_tape_free(tape);
    return status;
}

dgm_status dgm_dgi_train(dgm_context *ctx, const dgm_graph *graph, const dgm_dgi_options *options,
                         const dgm_checkpoint_options *checkpoint, dgm_model **out,
                         dgm_training_report *report, dgm_matrix **answer) {
    dgi_task task = {0};
    dgmi_nn_trained trained = {0};
    dgm_checkpoint_options saving;
    double start = dgmi_nn_report_start(ctx, report);
    *out = NULL;
    if (answer)
        *answer = NULL;
    dgm_status status = dgmi_nn_dgi_resolve(ctx, options, &task.options);
    if (status == DGM_OK)
        status = dgmi_nn_checkpoint_resolve(ctx, checkpoint, &saving);
    task.automatic = task.options.preset == DGM_DGI_AUTO;
    if (status == DGM_OK)
        status = prepare(ctx, graph, &task);
    if (status == DGM_OK)
        status = train(ctx, graph, &task, &saving, &trained);
    if (status == DGM_OK) {
        dgmi_nn_report_finish(report, start, &trained);
        status = evaluate(ctx, graph, &task, report, answer);
    }
    if (status == DGM_OK) {
        dgmi_nn_model_settle(task.model, &task.sight.features);
        *out = task.model;
        task.model = NULL;
    }
    dgm_model_free(task.model);
    dgmi_free(ctx, task.shuffle);
    dgmi_free(ctx, task.targets);
    dgmi_nn_sight_free(ctx, &task.sight);
    return status;
}
