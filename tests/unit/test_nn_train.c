/* SPDX-License-Identifier: Apache-2.0 */
/* How a training goes: stopping early, going wrong, being stopped and going on; optimisers step by step. */
#include "nn_training.h"

#include "nn_train.h"
#include "unit_progress.h"

/* ---- patience ---- */

/* A stand-in for a network: one weight, whose loss is its square, and a measure by script. */
typedef struct scripted {
    dgm_model *model;
    const double *measures; /* after each epoch */
    float seen[16];         /* the weight after each epoch */
    int64_t cancel_at;      /* epoch; 0: never */
} scripted;

static dgmi_nn_node *scripted_loss(void *task, const dgmi_nn_pass *pass) {
    scripted *s = task;
    if (s->cancel_at && (int64_t)pass->epoch + 1 == s->cancel_at)
        dgm_context_cancel(ctx);
    return dgmi_nn_op_square(
        pass->tape, dgmi_nn_weight_node(pass->tape, &s->model->weights, 0, pass->optimiser));
}

static double scripted_measure(void *task, const dgmi_nn_pass *pass) {
    scripted *s = task;
    s->seen[pass->epoch] = s->model->weights.values[0];
    return s->measures[pass->epoch - 1];
}

static dgm_model *one_weight(float value) {
    dgm_model *model;
    assert_int_equal(dgmi_nn_model_create(ctx, DGM_MODEL_GCN, &model), DGM_OK);
    const dgmi_nn_weight weight = {.name = "w", .rows = 1, .columns = 1, .decays = true};
    assert_int_equal(dgmi_nn_weights_add(ctx, &model->weights, weight), DGM_OK);
    assert_int_equal(dgmi_nn_weights_finish(ctx, &model->weights), DGM_OK);
    dgmi_nn_weights_fill(&model->weights, 0, value);
    return model;
}

static dgmi_nn_training training_of(scripted *s, int64_t epochs, int64_t patience) {
    return (dgmi_nn_training){.model = s->model,
                              .optimiser = {.descent = DGMI_NN_SGD, .rate = 0.1},
                              .epochs = epochs,
                              .patience = patience,
                              .what = "script",
                              .loss = scripted_loss,
                              .measure = scripted_measure,
                              .task = s};
}

static void patience_stops_and_keeps_the_best_weights(void **state) {
    (void)state;
    static const double measures[] = {5, 4, 4, 3, 3.5, 3, 9, 1, 1, 1};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 10, 3);
    dgmi_nn_trained trained;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 7); /* three epochs without a better one after the fourth */
    assert_true(s.model->weights.values[0] == s.seen[4]);
    assert_near((double)s.seen[4], 0.8 * 0.8 * 0.8 * 0.8, 1e-6);
    dgm_model_free(s.model);
}

static void without_patience_the_last_weights_stay(void **state) {
    (void)state;
    static const double measures[10] = {0};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 3, 0);
    dgmi_nn_trained trained;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 3);
    assert_near((double)s.model->weights.values[0], 0.8 * 0.8 * 0.8, 1e-6);
    assert_near(trained.loss, 0.64 * 0.64, 1e-6); /* of the last epoch, before its step */
    dgm_model_free(s.model);
}

/* Without a measure the loss decides, and it is of the weights before the step. */
static void the_loss_judges_the_weights_it_was_taken_of(void **state) {
    (void)state;
    scripted s = {.model = one_weight(1)};
    dgmi_nn_training training = training_of(&s, 100, 4);
    training.measure = NULL;
    training.optimiser.rate = 1.1; /* w gives way to -1.2 w: the loss grows from the start */
    dgmi_nn_trained trained;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 5);
    assert_true(s.model->weights.values[0] == 1);
    dgm_model_free(s.model);
}

static void describe_by_script(void *task, const dgmi_nn_pass *pass, char *text, size_t size) {
    (void)task;
    snprintf(text, size, ", after %d", (int)pass->epoch);
}

/* The first epoch is reported at once, whatever the clock says. */
static void a_report_has_epoch_loss_and_quality(void **state) {
    (void)state;
    scripted s = {.model = one_weight(0.5F)};
    dgmi_nn_training training = training_of(&s, 4, 0);
    dgmi_nn_trained trained;
    training.measure = NULL;
    training.describe = describe_by_script;
    hear_progress();
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    hear_no_more();
    assert_true(heard_count > 0);
    assert_string_equal(heard_reports[0].stage,
                        "training script, epoch 1 of 4, loss 0.2500, after 1");
    assert_true(heard_reports[0].fraction == 0.25);
    dgm_model_free(s.model);
}

/* ---- rounds ---- */

enum { MUCH = 1 << 20 };

static double measure_that_takes_much(void *task, const dgmi_nn_pass *pass) {
    assert_non_null(dgmi_nn_tape_memory(pass->tape, MUCH, sizeof(float)));
    return scripted_measure(task, pass);
}

static double score_that_takes_much(void *task, const dgmi_nn_pass *pass) {
    (void)task;
    assert_non_null(dgmi_nn_tape_memory(pass->tape, MUCH, sizeof(float)));
    return 0;
}

/* What measured the last epoch of a round is over when the round is judged. */
static void judging_a_round_takes_no_more_memory_than_measuring(void **state) {
    (void)state;
    static const double measures[] = {5, 4, 3, 2};
    const dgmi_nn_schedule schedule = {
        .every = 1, .plateau = 10, .rounds = 2, .score = score_that_takes_much};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 4, 3);
    dgmi_nn_trained trained;
    training.measure = measure_that_takes_much;
    training.schedule = &schedule;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 4);
    assert_true(trained.bytes >= MUCH * (int64_t)sizeof(float));
    assert_true(trained.bytes < 2 * MUCH * (int64_t)sizeof(float));
    dgm_model_free(s.model);
}

/* Only a tenth less is better. Steps of rate 0.1 leave 0.8 of the weight, and steps of half of
 * it 0.9: after two epochs that are no better, and after two more. */
static void a_schedule_halves_steps_on_a_plateau(void **state) {
    (void)state;
    static const double measures[] = {10, 9, 9.5, 8.9, 8.8, 8.7, 8.6, 8.5, 1, 1};
    static const double factors[] = {0.8, 0.8, 0.8, 0.9, 0.9, 0.9, 0.95, 0.95};
    const dgmi_nn_schedule schedule = {.every = 1, .plateau = 2, .rounds = 1, .gain = 0.1};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 10, 4);
    dgmi_nn_trained trained;
    double weight = 1;
    training.schedule = &schedule;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 8); /* four epochs after the fourth */
    for (int i = 0; i < COUNT(factors); i++) {
        weight *= factors[i];
        assert_near((double)s.seen[i + 1], weight, 1e-6);
    }
    assert_true(s.model->weights.values[0] == s.seen[4]);
    dgm_model_free(s.model);
}

/* Looked at after every second epoch, which then counts for two. */
static void a_schedule_looks_every_so_many_epochs(void **state) {
    (void)state;
    static const double measures[] = {9, 5, 9, 6, 9, 6, 9, 1, 9, 1};
    const dgmi_nn_schedule schedule = {.every = 2, .plateau = 100, .rounds = 1};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 10, 4);
    dgmi_nn_trained trained;
    training.schedule = &schedule;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(trained.epochs, 6);
    assert_true(s.seen[1] == 0 && s.seen[3] == 0 && s.seen[2] > 0);
    assert_true(s.model->weights.values[0] == s.seen[2]);
    dgm_model_free(s.model);
}

static const double *round_scores;

static double score_by_script(void *task, const dgmi_nn_pass *pass) {
    (void)task;
    (void)pass;
    return *round_scores++;
}

/* Two rounds of three epochs: the first epoch is the best of each. Without decay it leaves 0.8
 * of the weight, with a decay of 0.5 it leaves 0.75. */
static void the_better_round_is_kept(void **state) {
    (void)state;
    static const struct {
        double scores[2], best[2], weight;
    } cases[] = {
        {{0.5, 0.75}, {5, 5}, 0.75}, /* the second by its score, */
        {{0.5, 0.75}, {5, 9}, 0.75}, /* whatever it measures, */
        {{0.75, 0.5}, {5, 1}, 0.8},  /* or the first; */
        {{0.5, 0.5}, {5, 4}, 0.75},  /* of equal scores the one that measures less, */
        {{0.5, 0.5}, {5, 5}, 0.8},   /* of equal measures the first */
        {{0.5, 0.5}, {5, 6}, 0.8},
    };
    const dgmi_nn_schedule schedule = {
        .every = 1, .plateau = 100, .rounds = 2, .decays = {0, 0.5}, .score = score_by_script};
    for (int i = 0; i < COUNT(cases); i++) {
        const double first = cases[i].best[0], second = cases[i].best[1];
        const double measures[] = {first, 20, 20, second, 20, 20, 1, 1};
        scripted s = {.model = one_weight(1), .measures = measures};
        dgmi_nn_training training = training_of(&s, 8, 2);
        dgmi_nn_trained trained;
        round_scores = cases[i].scores;
        training.schedule = &schedule;
        assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
        assert_int_equal(trained.epochs, 6);
        assert_near((double)s.seen[4], 0.75, 1e-6); /* each round begins with the first weights */
        assert_near((double)s.model->weights.values[0], cases[i].weight, 1e-6);
        dgm_model_free(s.model);
    }
}

static void patience_of_a_gcn_needs_validation_nodes(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_model *model;
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 10);
    options.split = "0.5";
    options.patience = 3;
    ASSERT_FAILS(dgm_gcn_train(ctx, graph, &options, NULL, &model, NULL, NULL), DGM_ERROR_USAGE,
                 "patience needs validation nodes, and the split has none");
    assert_null(model);
    dgm_graph_free(graph);
}

/* ---- going wrong, being stopped ---- */

static void divergence_names_epoch_and_a_smaller_rate_and_keeps_the_checkpoint(void **state) {
    (void)state;
    scripted s = {.model = one_weight(1)};
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "diverging.ckpt",
                                               "1"};
    dgmi_nn_training training = training_of(&s, 100, 0);
    training.measure = NULL;
    training.optimiser.rate = 1e12; /* w gives way to -2e12 w */
    dgmi_nn_trained trained;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx), "the loss is no longer a number at epoch 3 with "
                                                "the learning rate 1e+12; try rate=1e+11");
    dgm_model_free(s.model);
    s.model = training.model = one_weight(1);
    training.checkpoint = &checkpoint;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "; the last good state is in diverging.ckpt");
    assert_int_equal(access("diverging.ckpt", F_OK), 0);
    dgm_model_free(s.model);
}

/* Also where the first epoch was that of another process. */
static void a_loss_that_rose_is_noted_and_one_that_fell_is_not(void **state) {
    (void)state;
    scripted s = {.model = one_weight(1)};
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "rising.ckpt", "1"};
    dgmi_nn_training training = training_of(&s, 5, 0);
    training.measure = NULL;
    dgmi_nn_trained trained;
    listen_to_notes();
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
    assert_int_equal(note_count, 0);
    training.optimiser.rate = 1.1; /* w gives way to -1.2 w, and the loss is its square */
    training.checkpoint = &checkpoint;
    for (int64_t epochs = 2; epochs <= 3; epochs++) {
        s.model->weights.values[0] = 1;
        training.epochs = epochs;
        assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
        assert_string_equal(last_note, epochs == 2
                                           ? "the loss rose from 1 to 1.44 in 2 epochs with the "
                                             "learning rate 1.1; try rate=0.11"
                                           : "the loss rose from 1 to 2.074 in 3 epochs with the "
                                             "learning rate 1.1; try rate=0.11");
    }
    assert_int_equal(remove("rising.ckpt"), 0);
    dgm_model_free(s.model);
}

/* The step after the last finite loss leaves weights that nobody can go on from. */
static void weights_that_are_no_numbers_are_not_saved(void **state) {
    (void)state;
    scripted s = {.model = one_weight(1e15F)};
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "infinite.ckpt",
                                               "1"};
    dgmi_nn_training training = training_of(&s, 100, 0);
    training.measure = NULL;
    training.optimiser.rate = 1e30;
    training.checkpoint = &checkpoint;
    dgmi_nn_trained trained;
    assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_ERROR_DATA);
    assert_int_not_equal(access("infinite.ckpt", F_OK), 0);
    assert_null(strstr(dgm_context_error(ctx), "infinite.ckpt"));
    dgm_model_free(s.model);
}

static void a_rate_far_too_large_is_said_of_a_gcn(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_DENSE, 1);
    dgm_model *model;
    dgm_gcn_options options = gcn_options(DGM_GCN_REFERENCE, 50);
    options.rate = 1e6;
    options.hidden = "64-64-64-64-64-64";
    assert_int_equal(dgm_gcn_train(ctx, graph, &options, NULL, &model, NULL, NULL), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "the loss is no longer a number at epoch ");
    ASSERT_HAS(dgm_context_error(ctx), "try rate=100000");
    assert_null(model);
    dgm_graph_free(graph);
}

static void a_run_cancelled_at_any_epoch_goes_on_to_the_same_weights(void **state) {
    (void)state;
    static const double measures[] = {5, 4, 6, 3, 7, 8, 9, 9, 9, 9};
    scripted s = {.model = one_weight(1), .measures = measures};
    dgmi_nn_training training = training_of(&s, 10, 3);
    training.optimiser.momentum = 0.5;
    dgmi_nn_trained trained, expected;
    assert_int_equal(dgmi_nn_train(ctx, &training, &expected), DGM_OK);
    dgm_model *whole = s.model;
    for (s.cancel_at = 1; s.cancel_at < expected.epochs; s.cancel_at++) {
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "cancelled.ckpt",
                                                   "1000"};
        training.checkpoint = &checkpoint;
        s.model = training.model = one_weight(1);
        assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_ERROR_CANCELLED);
        assert_string_equal(dgm_context_error(ctx), "interrupted while training");
        assert_int_equal(trained.epochs, s.cancel_at);
        dgm_model_free(s.model);
        dgm_context_resume(ctx);
        int64_t kept = s.cancel_at;
        s.cancel_at = 0;
        s.model = training.model = one_weight(1);
        assert_int_equal(dgmi_nn_train(ctx, &training, &trained), DGM_OK);
        assert_int_equal(trained.epochs, expected.epochs);
        assert_true(trained.loss == expected.loss);
        assert_true(are_same_weights(s.model, whole));
        dgm_model_free(s.model);
        assert_int_equal(remove("cancelled.ckpt"), 0);
        s.cancel_at = kept;
    }
    dgm_model_free(whole);
}

typedef struct stopper {
    int calls, stop_at;
} stopper;

/* Reports come ten times a second at most: each call takes so long that every epoch reports. */
static bool stop_at_call(void *user, const char *stage, double fraction) {
    stopper *s = user;
    assert_true(fraction <= 1);
    if (strncmp(stage, "training ", 9) != 0)
        return true;
    usleep(100000);
    return ++s->calls != s->stop_at;
}

static bool go_on(void *user, const char *stage, double fraction) {
    int64_t *reports = user;
    *reports += strstr(stage, "epoch") != NULL && fraction >= 0;
    return true;
}

/* What a report says of a network is asked of it on the memory that an epoch has done with. */
static void reports_take_no_memory_of_their_own(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 3);
    options.hidden = "2000";
    dgm_training_report silent, heard;
    int64_t reports = 0;
    dgm_model_free(train_gcn(graph, &options, NULL, &silent));
    dgm_context_set_progress(ctx, go_on, &reports);
    dgm_model_free(train_gcn(graph, &options, NULL, &heard));
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_true(reports > 0);
    assert_int_equal(heard.bytes, silent.bytes);
    dgm_training_report_free(&silent);
    dgm_training_report_free(&heard);
    dgm_graph_free(graph);
}

static void the_progress_callback_stops_a_gcn_that_goes_on_later(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 20);
    dgm_model *expected = train_gcn(graph, &options, NULL, NULL), *model;
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "stopped.ckpt",
                                               NULL};
    for (int stop = 1; stop <= 2; stop++) {
        stopper s = {.stop_at = stop};
        dgm_context_set_progress(ctx, stop_at_call, &s);
        assert_int_equal(dgm_gcn_train(ctx, graph, &options, &checkpoint, &model, NULL, NULL),
                         DGM_ERROR_CANCELLED);
        ASSERT_HAS(dgm_context_error(ctx), "interrupted while training gcn, epoch ");
        assert_null(model);
        dgm_context_set_progress(ctx, NULL, NULL);
    }
    dgm_training_report report;
    model = train_gcn(graph, &options, &checkpoint, &report);
    ASSERT_HAS(last_note, "going on from stopped.ckpt after epoch 3");
    assert_int_equal(report.epochs, 20);
    dgm_training_report_free(&report);
    assert_same_weights(model, expected);
    dgm_graph_free(graph);
}

/* ---- optimisers ---- */

static void step_with(dgmi_nn_optimiser_options options, const double *gradients, int steps,
                      double *weight) {
    dgm_model *model = one_weight((float)*weight);
    dgmi_nn_optimiser optimiser;
    assert_int_equal(dgmi_nn_optimiser_make(ctx, &model->weights, &options, &optimiser), DGM_OK);
    for (int i = 0; i < steps; i++) {
        optimiser.gradient[0] = (float)gradients[i];
        dgmi_nn_optimiser_step(ctx, &optimiser, &model->weights);
    }
    *weight = (double)model->weights.values[0];
    dgmi_nn_optimiser_free(ctx, &optimiser);
    dgm_model_free(model);
}

static const double slopes[] = {0.5, -1, 2, 0.25, 3};

static void sgd_with_momentum_takes_the_steps_of_its_definition(void **state) {
    (void)state;
    for (int decoupled = 0; decoupled < 2; decoupled++) {
        const dgmi_nn_optimiser_options options = {DGMI_NN_SGD, 0.1, 0.05, decoupled == 1, 0.9};
        double found = 2, w = 2, velocity = 0;
        for (int i = 0; i < COUNT(slopes); i++) {
            velocity = 0.9 * velocity + slopes[i] + (decoupled ? 0 : 0.05 * w);
            w -= 0.1 * (velocity + (decoupled ? 0.05 * w : 0));
        }
        step_with(options, slopes, COUNT(slopes), &found);
        assert_near(found, w, 1e-6);
    }
}

/* Kingma and Ba, 2015; L2 goes through the moments, decoupled decay does not. */
static void adam_takes_the_steps_of_its_definition(void **state) {
    (void)state;
    for (int decoupled = 0; decoupled < 2; decoupled++) {
        const dgmi_nn_optimiser_options options = {DGMI_NN_ADAM, 0.1, 0.3, decoupled == 1, 0};
        double found = 2, w = 2, m = 0, v = 0;
        for (int i = 0; i < COUNT(slopes); i++) {
            double g = slopes[i] + (decoupled ? 0 : 0.3 * w);
            m = 0.9 * m + 0.1 * g;
            v = 0.999 * v + 0.001 * g * g;
            w -= decoupled ? 0.1 * 0.3 * w : 0;
            w -= 0.1 * (m / (1 - pow(0.9, i + 1))) / (sqrt(v / (1 - pow(0.999, i + 1))) + 1e-8);
        }
        step_with(options, slopes, COUNT(slopes), &found);
        assert_near(found, w, 1e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patience_stops_and_keeps_the_best_weights),
        cmocka_unit_test(without_patience_the_last_weights_stay),
        cmocka_unit_test(the_loss_judges_the_weights_it_was_taken_of),
        cmocka_unit_test(judging_a_round_takes_no_more_memory_than_measuring),
        cmocka_unit_test(a_schedule_halves_steps_on_a_plateau),
        cmocka_unit_test(a_schedule_looks_every_so_many_epochs),
        cmocka_unit_test(the_better_round_is_kept),
        cmocka_unit_test(a_report_has_epoch_loss_and_quality),
        cmocka_unit_test(patience_of_a_gcn_needs_validation_nodes),
        cmocka_unit_test(divergence_names_epoch_and_a_smaller_rate_and_keeps_the_checkpoint),
        cmocka_unit_test(a_loss_that_rose_is_noted_and_one_that_fell_is_not),
        cmocka_unit_test(weights_that_are_no_numbers_are_not_saved),
        cmocka_unit_test(a_rate_far_too_large_is_said_of_a_gcn),
        cmocka_unit_test(a_run_cancelled_at_any_epoch_goes_on_to_the_same_weights),
        cmocka_unit_test(reports_take_no_memory_of_their_own),
        cmocka_unit_test(the_progress_callback_stops_a_gcn_that_goes_on_later),
        cmocka_unit_test(sgd_with_momentum_takes_the_steps_of_its_definition),
        cmocka_unit_test(adam_takes_the_steps_of_its_definition),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
