/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints written by hand, whose checksums fit: a state that a run can reach is read, and any
 * other is refused. */
#include "nn_training.h"

#include <inttypes.h>
#include <math.h>

#include "bytes_checksum.h"
#include "bytes_safetensors.h"
#include "nn_checkpoint.h"

/* As they lie in the file: what every run has, and what one with a schedule has as well. */
enum { EPOCH, BEST, SINCE_BEST, LOSS, FIRST_LOSS, STEPS, NUMBERS };
enum { ROUND = NUMBERS, SLOWDOWN, CHAMPION_SCORE, CHAMPION_BEST, ALL };

static const char path[] = "state.ckpt";
static const double sound[ALL] = {4, 0.5, 1, 0.4, 0.9, 4, 2, 0.25, 0.75, 0.5};

/* Weights, their moments, the best ones and the champion's: one each. */
static float blocks[5] = {1, 2, 3, 4, 5};

static void write_state(const double *values, bool scheduled) {
    const int64_t more = ALL - NUMBERS;
    const dgmi_bytes_named_tensor tensors[] = {
        {"numbers", DGMI_BYTES_F64, 1, {NUMBERS}, values},
        {"weights", DGMI_BYTES_F32, 1, {1}, &blocks[0]},
        {"first_moment", DGMI_BYTES_F32, 1, {1}, &blocks[1]},
        {"second_moment", DGMI_BYTES_F32, 1, {1}, &blocks[2]},
        {"best_weights", DGMI_BYTES_F32, 1, {1}, &blocks[3]},
        {"champion_weights", DGMI_BYTES_F32, 1, {1}, &blocks[4]},
        {"schedule", DGMI_BYTES_F64, 1, {more}, values + NUMBERS},
    };
    uint32_t sum = dgmi_bytes_crc32(0, values, NUMBERS * (int64_t)sizeof *values);
    sum = dgmi_bytes_crc32(sum, blocks, sizeof blocks);
    if (scheduled)
        sum = dgmi_bytes_crc32(sum, values + NUMBERS, more * (int64_t)sizeof *values);
    char text[16];
    snprintf(text, sizeof text, "%08" PRIx32, sum);
    const char *const metadata[] = {
        "format",      "dgm-checkpoint",   "version",  "3",  "model", "gcn",
        "fingerprint", "0000000000000007", "checksum", text, NULL};
    assert_int_equal(dgmi_bytes_safetensors_write(ctx, path, tensors, COUNT(tensors), metadata),
                     DGM_OK);
}

/* Reads what the file says into `values`. */
static dgm_status read_state(const char *from, bool scheduled, double *values) {
    float room[5];
    dgmi_nn_weights weights = {.total = 1, .values = &room[0]};
    dgmi_nn_optimiser optimiser = {.first = &room[1], .second = &room[2]};
    dgmi_nn_run_state state = {.weights = &weights,
                               .optimiser = &optimiser,
                               .best_weights = &room[3],
                               .scheduled = scheduled,
                               .champion_weights = &room[4]};
    bool found;
    dgm_status status = dgmi_nn_checkpoint_read(ctx, from, "gcn", 7, &state, &found);
    assert_int_equal(found, status == DGM_OK);
    if (status == DGM_OK)
        assert_memory_equal(room, blocks, sizeof blocks);
    const double read[ALL] = {(double)state.epoch, state.best,       (double)state.since_best,
                              state.loss,          state.first_loss, (double)optimiser.steps,
                              (double)state.round, state.slowdown,   state.champion_score,
                              state.champion_best};
    memcpy(values, read, sizeof read);
    return status;
}

/* Which number of a sound state is another one, and which. */
typedef struct {
    int which;
    double value;
} changed_number;

static dgm_status read_changed(changed_number change, bool scheduled, double *values) {
    double changed[ALL];
    memcpy(changed, sound, sizeof sound);
    changed[change.which] = change.value;
    write_state(changed, scheduled);
    return read_state(path, scheduled, values);
}

static void states_that_a_run_can_reach_are_read(void **state) {
    (void)state;
    static const changed_number cases[] = {{EPOCH, 4},
                                           {BEST, INFINITY},
                                           {BEST, -INFINITY},
                                           {SINCE_BEST, 4},
                                           {SINCE_BEST, 0},
                                           {LOSS, -1e300},
                                           {STEPS, 3},
                                           {STEPS, 0},
                                           {ROUND, 0},
                                           {ROUND, 1024},
                                           {SLOWDOWN, 1},
                                           {SLOWDOWN, 1e-300},
                                           {CHAMPION_SCORE, INFINITY},
                                           {CHAMPION_BEST, -INFINITY}};
    double values[ALL];
    for (int i = 0; i < COUNT(cases); i++) {
        if (read_changed(cases[i], true, values) != DGM_OK)
            fail_msg("case %d: %s", i, dgm_context_error(ctx));
        for (int k = 0; k < ALL; k++)
            assert_true(values[k] == (k == cases[i].which ? cases[i].value : sound[k]));
    }
    assert_int_equal(read_changed(cases[0], false, values), DGM_OK);
    assert_memory_equal(values, sound, NUMBERS * sizeof *sound);
    assert_int_equal(remove(path), 0);
}

static void assert_refused(changed_number change, bool scheduled) {
    double values[ALL];
    if (read_changed(change, scheduled, values) != DGM_ERROR_DATA)
        fail_msg("number %d may be %g", change.which, change.value);
    assert_string_equal(dgm_context_error(ctx),
                        "state.ckpt: a damaged checkpoint: its numbers make no sense; remove it");
}

static void states_that_no_run_can_reach_are_refused(void **state) {
    (void)state;
    static const changed_number cases[] = {{EPOCH, -1},
                                           {EPOCH, 4.5},
                                           {EPOCH, 0x1p54},
                                           {EPOCH, NAN},
                                           {BEST, NAN},
                                           {SINCE_BEST, -1},
                                           {SINCE_BEST, 5},
                                           {SINCE_BEST, 0.5},
                                           {SINCE_BEST, NAN},
                                           {LOSS, NAN},
                                           {LOSS, INFINITY},
                                           {FIRST_LOSS, NAN},
                                           {FIRST_LOSS, -INFINITY},
                                           {STEPS, 5},
                                           {STEPS, 3.5},
                                           {STEPS, -1},
                                           {STEPS, NAN}};
    static const changed_number of_a_schedule[] = {
        {ROUND, -1},     {ROUND, 1025},   {ROUND, 0.5},          {ROUND, NAN},        {SLOWDOWN, 0},
        {SLOWDOWN, 1.5}, {SLOWDOWN, NAN}, {CHAMPION_SCORE, NAN}, {CHAMPION_BEST, NAN}};
    for (int i = 0; i < COUNT(cases); i++)
        for (int scheduled = 0; scheduled < 2; scheduled++)
            assert_refused(cases[i], scheduled);
    for (int i = 0; i < COUNT(of_a_schedule); i++)
        assert_refused(of_a_schedule[i], true);
    /* Without a schedule there are no rounds, one of which could have had fewer steps. */
    assert_refused((changed_number){STEPS, 3}, false);
    assert_int_equal(remove(path), 0);
}

/* No file is there, and none can be written there. */
static void a_checkpoint_below_a_file_is_refused(void **state) {
    (void)state;
    double values[ALL];
    write_state(sound, true);
    assert_int_equal(read_state("state.ckpt/below", true, values), DGM_ERROR_FILE);
    assert_string_equal(dgm_context_error(ctx), "state.ckpt/below: Not a directory");
    assert_int_equal(remove(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_that_a_run_can_reach_are_read),
        cmocka_unit_test(states_that_no_run_can_reach_are_refused),
        cmocka_unit_test(a_checkpoint_below_a_file_is_refused),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
