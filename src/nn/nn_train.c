/* SPDX-License-Identifier: Apache-2.0 */
/* The training loop: epochs, early stopping, checkpoints and progress. */
#include "nn_train.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "nn_checkpoint.h"
#include "nn_options.h"

enum { REPORTS_A_SECOND = 10 };

typedef struct run {
    dgm_context *ctx;
    const dgmi_nn_training *training;
    dgmi_nn_tape *tape;
    dgmi_nn_optimiser optimiser;
    dgmi_nn_run_state state;
    float *first_weights;   /* where each round begins; NULL: there is one */
    double reported, saved; /* when, in seconds */
    bool saved_once;
    int64_t save_epochs; /* between checkpoints; 0: by time */
    double save_seconds;
} run;

static dgmi_nn_pass make_pass(run *r, bool training) {
    return (dgmi_nn_pass){.tape = r->tape,
                          .model = r->training->model,
                          .sight = r->training->sight,
                          .optimiser = training ? &r->optimiser : NULL,
                          .reach = training ? r->training->reach : NULL,
                          .seed = (uint64_t)r->training->seed,
                          .epoch = (uint64_t)r->state.epoch};
}

/* A tenth of the rate that was too much, as it is given. */
static const char *advise_rate(const run *r, char advice[DGMI_ADVICE_SPACE]) {
    char rate[32];
    snprintf(rate, sizeof rate, "%g", r->training->optimiser.rate / 10);
    return dgmi_advice(r->ctx, "rate", rate, advice);
}

static dgm_status fail_diverged(run *r) {
    char advice[DGMI_ADVICE_SPACE];
    const char *path = r->saved_once ? r->training->checkpoint->path : NULL;
    return dgmi_fail(r->ctx, DGM_ERROR_DATA,
                     "the loss is no longer a number at epoch %lld with the learning rate %g; try "
                     "%s%s%s",
                     (long long)(r->state.epoch + 1), r->optimiser.options.rate,
                     advise_rate(r, advice), path ? "; the last good state is in " : "",
                     path ? path : "");
}

/* Steps that are too long may throw the weights far out and never reach what is no number. A
 * schedule shortens them, and keeps no such weights. */
static void note_rise(const run *r) {
    char advice[DGMI_ADVICE_SPACE];
    if (!r->training->schedule && r->state.loss > r->state.first_loss)
        dgmi_note(r->ctx,
                  "the loss rose from %.4g to %.4g in %lld epochs with the learning rate %g; try "
                  "%s",
                  r->state.first_loss, r->state.loss, (long long)r->state.epoch,
                  r->training->optimiser.rate, advise_rate(r, advice));
}

/* ---- the history, which the model keeps ---- */

static dgm_status remember_loss(run *r) {
    const dgmi_nn_training *training = r->training;
    dgm_model *model = training->model;
    dgm_status status = dgmi_reserve(r->ctx, (void **)&model->history, &model->history_room,
                                     model->history_count + 1, sizeof *model->history);
    if (status == DGM_OK)
        model->history[model->history_count++] = (dgm_training_epoch){
            .epoch = r->state.epoch + 1,
            .loss = r->state.loss,
            .accuracy = training->accuracies ? training->accuracies->training : NAN,
            .val_loss = NAN,
            .val_accuracy = NAN};
    return status;
}

static void remember_measure(run *r, double value) {
    const dgmi_nn_training *training = r->training;
    dgm_training_epoch *last = &training->model->history[training->model->history_count - 1];
    last->val_loss = value;
    last->val_accuracy = training->accuracies ? training->accuracies->validation : NAN;
}

/* ---- epochs ---- */

/* One epoch: loss, gradients, new weights. */
static dgm_status run_epoch(run *r) {
    dgmi_nn_tape_rewind(r->tape);
    r->optimiser.options.rate = r->training->optimiser.rate * r->state.slowdown;
    dgmi_nn_pass pass = make_pass(r, true);
    dgmi_nn_node *loss = r->training->loss(r->training->task, &pass);
    dgm_status status = dgmi_nn_tape_status(r->tape);
    if (status == DGM_OK && !isfinite(loss->value.values[0]))
        return fail_diverged(r);
    if (status == DGM_OK)
        status = dgmi_nn_tape_backward(r->tape, loss);
    if (status != DGM_OK)
        return status;
    r->state.loss = loss->value.values[0];
    if (r->state.epoch == 0)
        r->state.first_loss = r->state.loss;
    return remember_loss(r);
}

static void copy_weights(const run *r, const float *from, float *to) {
    memcpy(to, from, (size_t)r->training->model->weights.total * sizeof(float));
}

static void keep_best(run *r) {
    copy_weights(r, r->training->model->weights.values, r->state.best_weights);
}

static bool is_better(const run *r, double value) {
    const dgmi_nn_schedule *schedule = r->training->schedule;
    double best = r->state.best;
    return schedule && isfinite(best) ? value < best - schedule->gain * fabs(best) : value < best;
}

/* The loss judges the weights before this epoch's step, a measure those after it. */
static dgm_status judge(run *r, double value) {
    const dgmi_nn_schedule *schedule = r->training->schedule;
    if (!isfinite(value))
        return fail_diverged(r);
    if (is_better(r, value)) {
        r->state.best = value;
        r->state.since_best = 0;
        keep_best(r);
        return DGM_OK;
    }
    int64_t before = r->state.since_best;
    r->state.since_best += schedule ? schedule->every : 1;
    if (schedule && before / schedule->plateau < r->state.since_best / schedule->plateau)
        r->state.slowdown /= 2;
    return DGM_OK;
}

/* Whether the weights are judged after this epoch. */
static bool look_is_due(const run *r) {
    const dgmi_nn_schedule *schedule = r->training->schedule;
    return r->training->patience > 0 && (!schedule || r->state.epoch % schedule->every == 0);
}

/* Nobody is asked meanwhile whether to go on: a run that is being stopped saves, too. */
static dgm_status write_undisturbed(run *r) {
    const dgmi_nn_training *training = r->training;
    dgm_progress_fn progress = r->ctx->progress;
    bool cancelled = dgmi_cancelled(r->ctx);
    r->ctx->progress = NULL;
    dgm_context_resume(r->ctx);
    dgm_status status = dgmi_nn_checkpoint_write(r->ctx, training->checkpoint->path, training->what,
                                                 training->fingerprint, &r->state);
    r->ctx->progress = progress;
    if (cancelled)
        dgm_context_cancel(r->ctx);
    return status;
}

/* Weights that are no longer numbers take no good state's place. */
static bool is_good(const run *r) {
    const dgmi_nn_weights *weights = &r->training->model->weights;
    for (int64_t i = 0; i < weights->total; i++)
        if (!isfinite(weights->values[i]))
            return false;
    return true;
}

/* A checkpoint that cannot be written is no reason to lose the training. */
static void save(run *r, const char *then) {
    r->saved = dgmi_seconds();
    if (!is_good(r))
        return;
    if (write_undisturbed(r) == DGM_OK)
        r->saved_once = true;
    else
        dgmi_note(r->ctx, "no checkpoint at epoch %lld: %s%s", (long long)r->state.epoch,
                  dgm_context_error(r->ctx), then);
}

/* The error stays that of the interruption. */
static void save_interrupted(run *r) {
    char words[256];
    snprintf(words, sizeof words, "%s", dgm_context_error(r->ctx));
    save(r, "");
    dgmi_fail(r->ctx, DGM_ERROR_CANCELLED, "%s", words);
}

static bool checkpointed(const dgmi_nn_training *training) {
    return training->checkpoint && training->checkpoint->path;
}

static bool save_is_due(const run *r) {
    if (!checkpointed(r->training))
        return false;
    if (r->save_epochs > 0)
        return r->state.epoch % r->save_epochs == 0;
    return dgmi_seconds() - r->saved >= r->save_seconds;
}

/* Says where it is, now and then, and whether to go on. */
static dgm_status report(run *r) {
    double now = dgmi_seconds();
    if (!r->ctx->progress || now - r->reported < 1.0 / REPORTS_A_SECOND)
        return dgmi_cancelled(r->ctx) ? dgmi_progress(r->ctx, "training", -1) : DGM_OK;
    r->reported = now;
    char text[160], quality[80] = "";
    if (r->training->describe) {
        dgmi_nn_tape_rewind(r->tape);
        dgmi_nn_pass pass = make_pass(r, false);
        r->training->describe(r->training->task, &pass, quality, sizeof quality);
    }
    snprintf(text, sizeof text, "training %s, epoch %lld of %lld, loss %.4f%s", r->training->what,
             (long long)r->state.epoch, (long long)r->training->epochs, r->state.loss, quality);
    return dgmi_progress(r->ctx, text, (double)r->state.epoch / (double)r->training->epochs);
}

/* What comes after the gradients: judging, the step, saving, reporting. */
static dgm_status finish_epoch(run *r) {
    const dgmi_nn_training *training = r->training;
    dgm_status status = DGM_OK;
    if (!training->measure && look_is_due(r))
        status = judge(r, r->state.loss);
    if (status == DGM_OK)
        dgmi_nn_optimiser_step(r->ctx, &r->optimiser, &training->model->weights);
    r->state.epoch++;
    if (status == DGM_OK && training->measure && look_is_due(r)) {
        dgmi_nn_tape_rewind(r->tape);
        dgmi_nn_pass pass = make_pass(r, false);
        double value = training->measure(training->task, &pass);
        remember_measure(r, value);
        status = dgmi_nn_tape_status(r->tape);
        if (status == DGM_OK)
            status = judge(r, value);
    }
    if (status == DGM_OK && save_is_due(r))
        save(r, "; training goes on");
    return status == DGM_OK ? report(r) : status;
}

/* ---- rounds ---- */

static int64_t round_count(const run *r) {
    return r->training->schedule ? r->training->schedule->rounds : 1;
}

/* Rounds share the epochs, first come, first served. So a run of few epochs is the beginning of a
 * run of many, and can go on. */
static bool round_is_over(const run *r) {
    return (r->training->patience > 0 && r->state.since_best >= r->training->patience) ||
           r->state.epoch >= r->training->epochs;
}

static void begin_round(run *r) {
    copy_weights(r, r->first_weights, r->training->model->weights.values);
    dgmi_nn_optimiser_reset(&r->optimiser);
    r->optimiser.options.decay = r->training->schedule->decays[r->state.round];
    r->state.best = INFINITY;
    r->state.since_best = 0;
    r->state.slowdown = 1;
    keep_best(r);
}

/* The weights of the round that has ended, against the best of those before. */
static dgm_status compare_round(run *r) {
    dgmi_nn_tape_rewind(r->tape);
    dgmi_nn_pass pass = make_pass(r, false);
    double score = r->training->schedule->score(r->training->task, &pass);
    dgm_status status = dgmi_nn_tape_status(r->tape);
    if (status != DGM_OK)
        return status;
    if (r->state.round == 0 || score > r->state.champion_score ||
        (score == r->state.champion_score && r->state.best < r->state.champion_best)) {
        r->state.champion_score = score;
        r->state.champion_best = r->state.best;
        copy_weights(r, r->state.best_weights, r->state.champion_weights);
    }
    return DGM_OK;
}

/* With a patience the best weights count, not the last. */
static dgm_status end_round(run *r) {
    float *weights = r->training->model->weights.values;
    dgm_status status = DGM_OK;
    if (r->training->patience > 0)
        copy_weights(r, r->state.best_weights, weights);
    if (r->state.champion_weights)
        status = compare_round(r);
    r->state.round = r->state.epoch < r->training->epochs ? r->state.round + 1 : round_count(r);
    if (status == DGM_OK && r->state.round < round_count(r))
        begin_round(r);
    else if (status == DGM_OK && r->state.champion_weights)
        copy_weights(r, r->state.champion_weights, weights);
    return status;
}

/* ---- the whole ---- */

static dgm_status resume(run *r) {
    const dgm_checkpoint_options *options = r->training->checkpoint;
    dgm_status status =
        dgmi_nn_checkpoint_every(r->ctx, options->every, &r->save_epochs, &r->save_seconds);
    if (status == DGM_OK)
        status = dgmi_nn_checkpoint_read(r->ctx, options->path, r->training->what,
                                         r->training->fingerprint, &r->state, &r->saved_once);
    if (status == DGM_OK && r->state.round >= round_count(r))
        return dgmi_fail_at(r->ctx, DGM_ERROR_DATA, options->path, 0, -1,
                            "a damaged checkpoint: its numbers make no sense; remove it");
    if (status == DGM_OK && r->state.epoch > r->training->epochs)
        return dgmi_fail_at(r->ctx, DGM_ERROR_DATA, options->path, 0, -1,
                            "a checkpoint after epoch %lld of a run of %lld: remove it, name "
                            "another file, or train for more epochs",
                            (long long)r->state.epoch, (long long)r->training->epochs);
    if (status == DGM_OK && r->saved_once)
        dgmi_note(r->ctx, "going on from %s after epoch %lld", options->path,
                  (long long)r->state.epoch);
    return status;
}

static dgm_status allocate(run *r) {
    const dgmi_nn_training *training = r->training;
    const dgmi_nn_weights *weights = &training->model->weights;
    if (training->patience > 0) {
        r->state.best_weights = dgmi_alloc(r->ctx, weights->total, sizeof(float));
        if (!r->state.best_weights)
            return DGM_ERROR_MEMORY;
    }
    if (round_count(r) > 1) {
        r->state.champion_weights = dgmi_alloc_zero(r->ctx, weights->total, sizeof(float));
        r->first_weights = dgmi_alloc(r->ctx, weights->total, sizeof(float));
        if (!r->state.champion_weights || !r->first_weights)
            return DGM_ERROR_MEMORY;
        copy_weights(r, weights->values, r->first_weights);
    }
    return DGM_OK;
}

static dgm_status prepare(run *r) {
    const dgmi_nn_training *training = r->training;
    dgmi_nn_weights *weights = &training->model->weights;
    dgm_status status = dgmi_nn_tape_create(r->ctx, &r->tape);
    assert(!training->schedule || training->patience > 0);
    if (status == DGM_OK)
        status = dgmi_nn_optimiser_make(r->ctx, weights, &training->optimiser, &r->optimiser);
    if (status == DGM_OK)
        status = allocate(r);
    if (status != DGM_OK)
        return status;
    r->state.best = INFINITY;
    r->state.slowdown = 1;
    r->state.scheduled = training->schedule != NULL;
    r->state.weights = weights;
    r->state.optimiser = &r->optimiser;
    if (training->patience > 0)
        keep_best(r);
    if (checkpointed(training))
        status = resume(r);
    if (status == DGM_OK && training->schedule)
        r->optimiser.options.decay = training->schedule->decays[r->state.round];
    return status;
}

static void free_run(dgm_context *ctx, run *r) {
    dgmi_free(ctx, r->state.best_weights);
    dgmi_free(ctx, r->state.champion_weights);
    dgmi_free(ctx, r->first_weights);
    dgmi_nn_optimiser_free(ctx, &r->optimiser);
    dgmi_nn_tape_free(r->tape);
}

dgm_status dgmi_nn_train(dgm_context *ctx, const dgmi_nn_training *training, dgmi_nn_trained *out) {
    run r = {.ctx = ctx, .training = training, .saved = dgmi_seconds()};
    dgm_status status = prepare(&r);
    while (status == DGM_OK && r.state.round < round_count(&r)) {
        if (round_is_over(&r)) {
            status = end_round(&r);
            continue;
        }
        status = run_epoch(&r);
        if (status == DGM_OK)
            status = finish_epoch(&r);
    }
    if (status == DGM_ERROR_CANCELLED && r.state.epoch > 0 && checkpointed(training))
        save_interrupted(&r);
    if (status == DGM_OK)
        note_rise(&r);
    if (r.tape)
        *out = (dgmi_nn_trained){r.state.loss, r.state.epoch,
                                 dgmi_nn_tape_bytes(r.tape) +
                                     training->model->weights.total * 4 * (int64_t)sizeof(float)};
    free_run(ctx, &r);
    return status;
}

/* ---- fingerprints ---- */

/* Eight bytes at a time through a multiplication and a fold; not for adversaries. */
uint64_t dgmi_nn_fingerprint(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, at + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash + size;
}

static uint64_t add_array(uint64_t hash, const void *values, int64_t count, size_t size) {
    return values ? dgmi_nn_fingerprint(hash, values, (size_t)count * size)
                  : dgmi_nn_fingerprint(hash, "none", 4);
}

uint64_t dgmi_nn_fingerprint_graph(const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t cells = features.offsets ? features.offsets[rows.nodes] : rows.nodes * features.width;
    uint64_t hash = dgmi_nn_fingerprint(1, &rows.directed, sizeof rows.directed);
    hash = add_array(hash, rows.offsets, rows.nodes + 1, sizeof *rows.offsets);
    hash = add_array(hash, rows.targets, rows.entries, sizeof *rows.targets);
    hash = add_array(hash, rows.weights, rows.entries, sizeof *rows.weights);
    hash = add_array(hash, features.offsets, rows.nodes + 1, sizeof *features.offsets);
    hash = add_array(hash, features.columns, cells, sizeof *features.columns);
    hash = add_array(hash, features.values, cells, sizeof *features.values);
    hash = add_array(hash, dgm_graph_labels(graph), rows.nodes, sizeof(int32_t));
    return add_array(hash, dgm_graph_splits(graph), rows.nodes, sizeof(uint8_t));
}
