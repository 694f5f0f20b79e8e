/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the state of a training to a safetensors file, and reads it back. */
#include "nn_checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_context.h"
#include "bytes_checksum.h"
#include "bytes_safetensors.h"

/* Numbers of the state, one tensor of doubles; epochs are exact in them. */
enum { EPOCH, BEST, SINCE_BEST, LOSS, FIRST_LOSS, STEPS, NUMBERS };

/* More numbers, in a tensor of their own, if the training has a schedule. */
enum { ROUND, SLOWDOWN, CHAMPION_SCORE, CHAMPION_BEST, SCHEDULE };

#define CHECKPOINT_VERSION "3"

/* Of everything that the run goes on from: one wrong bit of a weight would ruin the model without a
 * word. `best_weights` and `champion_weights` may be NULL. */
static uint32_t state_checksum(const double *numbers, const double *schedule,
                               const dgmi_nn_run_state *state) {
    const float *blocks[] = {state->weights->values, state->optimiser->first,
                             state->optimiser->second, state->best_weights,
                             state->champion_weights};
    const int64_t bytes = state->weights->total * (int64_t)sizeof(float);
    uint32_t sum = dgmi_bytes_crc32(0, numbers, NUMBERS * (int64_t)sizeof *numbers);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i])
            sum = dgmi_bytes_crc32(sum, blocks[i], bytes);
    return state->scheduled ? dgmi_bytes_crc32(sum, schedule, SCHEDULE * (int64_t)sizeof *schedule)
                            : sum;
}

dgm_status dgmi_nn_checkpoint_write(dgm_context *ctx, const char *path, const char *what,
                                    uint64_t fingerprint, const dgmi_nn_run_state *state) {
    double numbers[NUMBERS] = {
        [EPOCH] = (double)state->epoch,           [BEST] = state->best,
        [SINCE_BEST] = (double)state->since_best, [LOSS] = state->loss,
        [FIRST_LOSS] = state->first_loss,         [STEPS] = (double)state->optimiser->steps,
    };
    double schedule[SCHEDULE] = {
        [ROUND] = (double)state->round,
        [SLOWDOWN] = state->slowdown,
        [CHAMPION_SCORE] = state->champion_score,
        [CHAMPION_BEST] = state->champion_best,
    };
    int64_t total = state->weights->total;
    const dgmi_bytes_named_tensor tensors[] = {
        {"numbers", DGMI_BYTES_F64, 1, {NUMBERS}, numbers},
        {"weights", DGMI_BYTES_F32, 1, {total}, state->weights->values},
        {"first_moment", DGMI_BYTES_F32, 1, {total}, state->optimiser->first},
        {"second_moment", DGMI_BYTES_F32, 1, {total}, state->optimiser->second},
        {"best_weights", DGMI_BYTES_F32, 1, {total}, state->best_weights},
        {"schedule", DGMI_BYTES_F64, 1, {SCHEDULE}, schedule},
        {"champion_weights", DGMI_BYTES_F32, 1, {total}, state->champion_weights},
    };
    int count = !state->best_weights ? 4 : !state->scheduled ? 5 : !state->champion_weights ? 6 : 7;
    char mark[24], sum[16];
    snprintf(mark, sizeof mark, "%016" PRIx64, fingerprint);
    snprintf(sum, sizeof sum, "%08" PRIx32, state_checksum(numbers, schedule, state));
    const char *const metadata[] = {
        "format", "dgm-checkpoint", "version", CHECKPOINT_VERSION, "model",
        what,     "fingerprint",    mark,      "checksum",         sum,
        NULL};
    return dgmi_bytes_safetensors_write(ctx, path, tensors, count, metadata);
}

/* Whether the file is a checkpoint of this very run. */
static dgm_status check_origin(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                               const char *path, const char *what, uint64_t fingerprint) {
    const char *format = dgmi_bytes_safetensors_metadata(file, "format");
    const char *model = dgmi_bytes_safetensors_metadata(file, "model");
    const char *mark = dgmi_bytes_safetensors_metadata(file, "fingerprint");
    const char *version = dgmi_bytes_safetensors_metadata(file, "version");
    if (!format || strcmp(format, "dgm-checkpoint") != 0 || !model || !mark)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "not a checkpoint of a training run; remove it or name another file");
    if (!version || strcmp(version, CHECKPOINT_VERSION) != 0)
        return dgmi_fail_at(
            ctx, DGM_ERROR_DATA, path, 0, -1,
            "a checkpoint of version %s, and this program reads version " CHECKPOINT_VERSION
            "; remove it or name another file",
            version ? version : "none");
    if (strcmp(model, what) != 0)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "a checkpoint of the model '%s', not of '%s'; remove it or name "
                            "another file",
                            model, what);
    if (strtoull(mark, NULL, 16) != fingerprint)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "a checkpoint of another graph, or of other options or another seed; "
                            "remove it or name another file");
    return DGM_OK;
}

/* Whole numbers from 0 on, as far as a double counts; a step an epoch, of its round if there is a
 * schedule. */
static bool numbers_are_sound(const double *numbers, bool scheduled) {
    static const int counts[] = {EPOCH, SINCE_BEST, STEPS};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double value = numbers[counts[i]];
        if (!(value >= 0 && value <= 0x1p53 && value == floor(value)))
            return false;
    }
    return !isnan(numbers[BEST]) && isfinite(numbers[LOSS]) && isfinite(numbers[FIRST_LOSS]) &&
           (numbers[STEPS] == numbers[EPOCH] || (scheduled && numbers[STEPS] < numbers[EPOCH])) &&
           numbers[SINCE_BEST] <= numbers[EPOCH];
}

static bool schedule_is_sound(const double *schedule) {
    return schedule[ROUND] >= 0 && schedule[ROUND] <= 0x1p10 &&
           schedule[ROUND] == floor(schedule[ROUND]) && schedule[SLOWDOWN] > 0 &&
           schedule[SLOWDOWN] <= 1 && !isnan(schedule[CHAMPION_SCORE]) &&
           !isnan(schedule[CHAMPION_BEST]);
}

static dgm_status read_state(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                             dgmi_nn_run_state *state) {
    double numbers[NUMBERS], schedule[SCHEDULE] = {0};
    const int64_t total = state->weights->total, count = NUMBERS, more = SCHEDULE;
    const struct {
        const char *name;
        float *values;
    } blocks[] = {{"weights", state->weights->values},
                  {"first_moment", state->optimiser->first},
                  {"second_moment", state->optimiser->second},
                  {"best_weights", state->best_weights},
                  {"champion_weights", state->champion_weights}};
    dgm_status status =
        dgmi_bytes_safetensors_copy(ctx, file, "numbers", DGMI_BYTES_F64, 1, &count, numbers);
    if (status == DGM_OK && state->scheduled)
        status =
            dgmi_bytes_safetensors_copy(ctx, file, "schedule", DGMI_BYTES_F64, 1, &more, schedule);
    for (size_t i = 0; status == DGM_OK && i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i].values)
            status = dgmi_bytes_safetensors_copy(ctx, file, blocks[i].name, DGMI_BYTES_F32, 1,
                                                 &total, blocks[i].values);
    const char *sum = dgmi_bytes_safetensors_metadata(file, "checksum");
    if (status == DGM_OK &&
        (!sum || strtoull(sum, NULL, 16) != state_checksum(numbers, schedule, state)))
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file), 0, -1,
                              "a damaged checkpoint: its checksum differs; remove it");
    if (status == DGM_OK && (!numbers_are_sound(numbers, state->scheduled) ||
                             (state->scheduled && !schedule_is_sound(schedule))))
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file), 0, -1,
                              "a damaged checkpoint: its numbers make no sense; remove it");
    if (status != DGM_OK)
        return status;
    state->epoch = (int64_t)numbers[EPOCH];
    state->best = numbers[BEST];
    state->since_best = (int64_t)numbers[SINCE_BEST];
    state->loss = numbers[LOSS];
    state->first_loss = numbers[FIRST_LOSS];
    state->optimiser->steps = (int64_t)numbers[STEPS];
    if (state->scheduled) {
        state->round = (int64_t)schedule[ROUND];
        state->slowdown = schedule[SLOWDOWN];
        state->champion_score = schedule[CHAMPION_SCORE];
        state->champion_best = schedule[CHAMPION_BEST];
    }
    return DGM_OK;
}

dgm_status dgmi_nn_checkpoint_read(dgm_context *ctx, const char *path, const char *what,
                                   uint64_t fingerprint, dgmi_nn_run_state *state, bool *found) {
    dgmi_bytes_safetensors *file = NULL;
    *found = false;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return DGM_OK;
    dgm_status status = dgmi_bytes_safetensors_open(ctx, path, &file);
    if (status == DGM_OK)
        status = check_origin(ctx, file, path, what, fingerprint);
    if (status == DGM_OK)
        status = read_state(ctx, file, state);
    *found = status == DGM_OK;
    dgmi_bytes_safetensors_free(file);
    return status;
}
