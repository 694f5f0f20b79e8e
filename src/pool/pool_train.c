/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_train.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { ANSWER_BATCH = 64 };

typedef struct run {
    dgm_context *ctx;
    const dgmi_pool_training *training;
    dgmi_pool_network *network;
    dgmi_nn_tape *tape;
    dgmi_nn_optimiser optimiser;
    int64_t *order; /* the training graphs, shuffled */
    float *scores;  /* room for the answers to any part of the split */
    float *best;    /* the best weights so far */
    double best_validation;
    int64_t best_epoch;
    uint64_t steps; /* batches so far */
} run;

/* ---- answers ---- */

static dgm_status answer(dgm_context *ctx, dgmi_nn_tape *tape, const dgmi_pool_bank *bank,
                         const dgmi_pool_network *network, const int64_t *graphs, int64_t count,
                         float *scores) {
    int64_t classes = network->design.classes;
    dgm_status status = DGM_OK;
    for (int64_t begin = 0; status == DGM_OK && begin < count; begin += ANSWER_BATCH) {
        int64_t size = count - begin < ANSWER_BATCH ? count - begin : ANSWER_BATCH;
        dgmi_pool_pass pass = {.tape = tape, .network = network};
        dgmi_pool_batch batch;
        dgmi_nn_tape_rewind_whole(tape);
        dgmi_nn_node *answers = dgmi_pool_batch_make(tape, bank, graphs + begin, size, &batch)
                                    ? dgmi_pool_network_run(&pass, &batch)
                                    : NULL;
        status = dgmi_nn_tape_status(tape);
        assert(answers || status != DGM_OK);
        if (status == DGM_OK)
            memcpy(scores + begin * classes, answers->value.values,
                   (size_t)(size * classes) * sizeof *scores);
        if (status == DGM_OK && dgmi_cancelled(ctx))
            status = dgmi_progress(ctx, "classifying", 0);
    }
    return status;
}

dgm_status dgmi_pool_answer(dgm_context *ctx, const dgmi_pool_bank *bank,
                            const dgmi_pool_network *network, const int64_t *graphs, int64_t count,
                            float *scores) {
    dgmi_nn_tape *tape;
    dgm_status status = dgmi_nn_tape_create(ctx, &tape);
    if (status == DGM_OK)
        status = answer(ctx, tape, bank, network, graphs, count, scores);
    dgmi_nn_tape_free(tape);
    return status;
}

/* The class of highest score, the first of equals. */
static int32_t decide(const float *scores, int64_t classes) {
    int64_t best = 0;
    for (int64_t c = 1; c < classes; c++)
        if (scores[c] > scores[best])
            best = c;
    return (int32_t)best;
}

static bool are_numbers(const float *scores, int64_t classes) {
    for (int64_t c = 0; c < classes; c++)
        if (!isfinite(scores[c]))
            return false;
    return true;
}

static dgm_status fail_diverged(run *r) {
    return dgmi_fail(r->ctx, DGM_ERROR_DATA,
                     "the loss is no longer a number with the learning rate %g; try a smaller "
                     "one, as " DGMI_NAMED("rate=%g"),
                     r->training->rate, r->training->rate / 10);
}

/* The share of graphs that are classified right; NaN if there are none. */
static dgm_status judge(run *r, const int64_t *graphs, int64_t count, double *accuracy,
                        int64_t *confusion) {
    const dgmi_pool_training *training = r->training;
    int64_t classes = training->design.classes, right = 0;
    dgm_status status =
        answer(r->ctx, r->tape, training->bank, r->network, graphs, count, r->scores);
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        int32_t truth = training->classes[graphs[i]];
        int32_t said = decide(r->scores + i * classes, classes);
        if (!are_numbers(r->scores + i * classes, classes))
            return fail_diverged(r);
        right += said == truth;
        if (confusion)
            confusion[truth * classes + said]++;
    }
    *accuracy = count ? (double)right / (double)count : NAN;
    return status;
}

/* ---- training ---- */

static void shuffle(run *r, int64_t epoch) {
    int64_t count = r->training->split->train_count;
    dgmi_random random = {(uint64_t)r->training->design.seed,
                          UINT64_C(0xba7c) << 32 | (uint64_t)epoch, 0};
    memcpy(r->order, r->training->split->train, (size_t)count * sizeof *r->order);
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(&random, (uint64_t)i + 1);
        int64_t other = r->order[i];
        r->order[i] = r->order[j];
        r->order[j] = other;
    }
}

/* The mean cross-entropy of the batch and the losses of the poolings. */
static dgmi_nn_node *build_loss(run *r, const int64_t *graphs, int64_t count) {
    dgmi_pool_pass pass = {.tape = r->tape,
                           .network = r->network,
                           .optimiser = &r->optimiser,
                           .stream = UINT64_C(0xd209) << 48 | r->steps};
    dgmi_pool_batch batch;
    uint32_t *rows = dgmi_nn_tape_memory(r->tape, count, sizeof *rows);
    int32_t *classes = dgmi_nn_tape_memory(r->tape, count, sizeof *classes);
    if (!rows || !classes ||
        !dgmi_pool_batch_make(r->tape, r->training->bank, graphs, count, &batch))
        return NULL;
    for (int64_t i = 0; i < count; i++) {
        rows[i] = (uint32_t)i;
        classes[i] = r->training->classes[graphs[i]];
    }
    const dgmi_nn_targets targets = {count, rows, classes, NULL};
    dgmi_nn_node *scores = dgmi_pool_network_run(&pass, &batch);
    dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(r->tape, scores, &targets);
    return pass.extra ? dgmi_nn_op_algebra(r->tape, DGMI_NN_ADD, loss, pass.extra) : loss;
}

static dgm_status run_batch(run *r, const int64_t *graphs, int64_t count, double *loss) {
    dgmi_nn_tape_rewind_whole(r->tape);
    dgmi_nn_node *node = build_loss(r, graphs, count);
    dgm_status status = dgmi_nn_tape_status(r->tape);
    if (status == DGM_OK && !isfinite(node->value.values[0]))
        return fail_diverged(r);
    if (status == DGM_OK)
        status = dgmi_nn_tape_backward(r->tape, node);
    if (status != DGM_OK)
        return status;
    dgmi_nn_optimiser_step(r->ctx, &r->optimiser, &r->network->weights);
    *loss += (double)node->value.values[0] * (double)count;
    r->steps++;
    return DGM_OK;
}

static dgm_status run_epoch(run *r, int64_t epoch, double *loss) {
    const dgmi_pool_training *training = r->training;
    int64_t count = training->split->train_count;
    dgm_status status = DGM_OK;
    double sum = 0;
    shuffle(r, epoch);
    for (int64_t begin = 0; status == DGM_OK && begin < count; begin += training->batch) {
        int64_t size = count - begin < training->batch ? count - begin : training->batch;
        status = run_batch(r, r->order + begin, size, &sum);
        if (status == DGM_OK)
            status = dgmi_progress(r->ctx, "training",
                                   ((double)epoch + (double)begin / (double)count) /
                                       (double)training->epochs);
    }
    *loss = sum / (double)count;
    return status;
}

/* Keeps the weights if they are better on the validation graphs than any before. Without such
 * graphs the last weights are kept. */
static dgm_status keep_better(run *r, int64_t epoch) {
    const dgmi_pool_split *split = r->training->split;
    double accuracy;
    dgm_status status = judge(r, split->validation, split->validation_count, &accuracy, NULL);
    if (status != DGM_OK || accuracy <= r->best_validation)
        return status;
    r->best_validation = accuracy;
    r->best_epoch = epoch + 1;
    memcpy(r->best, r->network->weights.values,
           (size_t)r->network->weights.total * sizeof *r->best);
    return DGM_OK;
}

static dgm_status prepare(run *r) {
    const dgmi_pool_training *training = r->training;
    const dgmi_pool_split *split = training->split;
    const dgmi_nn_optimiser_options options = {
        .descent = DGMI_NN_ADAM, .rate = training->rate, .decay = training->decay};
    int64_t most = split->train_count + split->validation_count + split->test_count;
    r->best_validation = -1;
    r->order = dgmi_alloc(r->ctx, split->train_count, sizeof *r->order);
    r->scores = dgmi_alloc(r->ctx, most * training->design.classes, sizeof *r->scores);
    r->best = dgmi_alloc(r->ctx, r->network->weights.total, sizeof *r->best);
    if (!r->order || !r->scores || !r->best)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_nn_tape_create(r->ctx, &r->tape);
    return status == DGM_OK
               ? dgmi_nn_optimiser_make(r->ctx, &r->network->weights, &options, &r->optimiser)
               : status;
}

/* With the best weights put back. */
static dgm_status report(run *r, dgmi_pool_trained *out) {
    const dgmi_pool_split *split = r->training->split;
    memcpy(r->network->weights.values, r->best,
           (size_t)r->network->weights.total * sizeof *r->best);
    out->validation = r->best_validation;
    out->epoch = r->best_epoch;
    dgm_status status = judge(r, split->train, split->train_count, &out->train, NULL);
    if (status == DGM_OK)
        status = judge(r, split->test, split->test_count, &out->test, out->confusion);
    out->bytes = dgmi_nn_tape_bytes(r->tape);
    for (int i = 0; i < r->network->weights.count; i++)
        out->parameters += r->network->weights.list[i].rows * r->network->weights.list[i].columns;
    return status;
}

dgm_status dgmi_pool_train(dgm_context *ctx, const dgmi_pool_training *training,
                           dgmi_pool_trained *out) {
    run r = {.ctx = ctx, .training = training, .network = &out->network};
    dgm_status status = dgmi_pool_network_make(ctx, &training->design, &out->network);
    if (status == DGM_OK)
        status = prepare(&r);
    for (int64_t epoch = 0; status == DGM_OK && epoch < training->epochs; epoch++) {
        status = run_epoch(&r, epoch, &out->loss);
        if (status == DGM_OK)
            status = keep_better(&r, epoch);
    }
    if (status == DGM_OK)
        status = report(&r, out);
    dgmi_nn_optimiser_free(ctx, &r.optimiser);
    dgmi_nn_tape_free(r.tape);
    dgmi_free(ctx, r.order);
    dgmi_free(ctx, r.scores);
    dgmi_free(ctx, r.best);
    if (status != DGM_OK)
        dgmi_pool_network_free(&out->network);
    return status;
}
