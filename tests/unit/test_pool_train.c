/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_progress.h"

#include <math.h>

#include "pool_rings.h"
#include "pool_train.h"
#include "unit_faults.h"

enum { GRAPHS = 20, FOLDS = 5 };

/* Everything that a training needs, of 20 rings and stars. */
typedef struct bench {
    dgm_graph_set *set;
    dgmi_pool_request request;
    dgmi_pool_bank bank;
    dgmi_pool_folds folds;
    dgmi_pool_split split;
    dgmi_pool_training training;
    int64_t confusion[4];
} bench;

static void set_up(bench *b, const char *pool) {
    *b = (bench){.set = make_rings(GRAPHS)};
    assert_int_equal(dgmi_pool_parse(ctx, pool, &b->request), DGM_OK);
    const dgmi_pool_plan plan = {.set = b->set,
                                 .request = &b->request,
                                 .net = DGM_NET_GCN,
                                 .clamp = 8,
                                 .steps = 1,
                                 .seed = 1};
    assert_int_equal(dgmi_pool_bank_make(ctx, &plan, &b->bank), DGM_OK);
    assert_int_equal(dgmi_pool_folds_draw(ctx, b->set, FOLDS, 1, &b->folds), DGM_OK);
    assert_int_equal(dgmi_pool_split_make(ctx, &b->folds, 0, &b->split), DGM_OK);
    b->training = (dgmi_pool_training){.bank = &b->bank,
                                       .classes = dgm_graph_set_classes(b->set, NULL),
                                       .split = &b->split,
                                       .design = {.request = &b->request,
                                                  .net = DGM_NET_GCN,
                                                  .steps = 1,
                                                  .layers = 1,
                                                  .features = b->bank.width,
                                                  .width = 8,
                                                  .classes = 2,
                                                  .clusters = {3},
                                                  .seed = 1},
                                       .rate = 0.02,
                                       .epochs = 40,
                                       .batch = 4};
}

static void tear_down(bench *b) {
    dgmi_pool_split_free(ctx, &b->split);
    dgmi_pool_folds_free(ctx, &b->folds);
    dgmi_pool_bank_free(&b->bank);
    dgm_graph_set_free(b->set);
}

static dgmi_pool_trained train(bench *b) {
    memset(b->confusion, 0, sizeof b->confusion);
    dgmi_pool_trained trained = {.confusion = b->confusion};
    dgm_status status = dgmi_pool_train(ctx, &b->training, &trained);
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return trained;
}

static void rings_and_stars_are_told_apart(void **state) {
    (void)state;
    bench b;
    set_up(&b, "sum");
    dgmi_pool_trained trained = train(&b);
    double tested = (double)b.split.test_count;
    assert_true(trained.validation == 1);
    assert_true(trained.loss < 0.3);
    assert_int_equal(b.confusion[0] + b.confusion[1], 2); /* two of each class are tested */
    assert_int_equal(b.confusion[2] + b.confusion[3], 2);
    assert_near(trained.test, (double)(b.confusion[0] + b.confusion[3]) / tested, 1e-12);
    /* weights and biases of two layers and of the last linear map */
    assert_int_equal(trained.parameters, (9 + 1) * 8 + (8 + 1) * 8 + (8 + 1) * 2);
    assert_true(trained.bytes > 0);
    dgmi_pool_network_free(&trained.network);
    tear_down(&b);
}

/* Weights that hardly move give the same accuracy in every epoch: the first of them counts. */
static void the_best_epoch_is_the_first_of_equals(void **state) {
    (void)state;
    bench b;
    set_up(&b, "sum");
    b.training.rate = 1e-9;
    b.training.epochs = 5;
    dgmi_pool_trained trained = train(&b);
    assert_int_equal(trained.epoch, 1);
    dgmi_pool_network_free(&trained.network);
    tear_down(&b);
}

/* The validation accuracy after each number of epochs, by trainings that end there. The draws of an
 * epoch do not depend on how many follow. */
static void the_best_epoch_is_the_best_of_all_and_its_weights_are_kept(void **state) {
    (void)state;
    enum { EPOCHS = 12 };
    bench b;
    set_up(&b, "sum");
    double best = -1, test_of_best = -1;
    int64_t best_epoch = 0;
    b.training.rate = 0.01;
    for (int64_t epochs = 1; epochs <= EPOCHS; epochs++) {
        b.training.epochs = epochs;
        dgmi_pool_trained trained = train(&b);
        if (trained.validation > best) {
            best = trained.validation;
            best_epoch = epochs;
            test_of_best = trained.test;
        }
        assert_int_equal(trained.epoch, best_epoch);
        assert_true(trained.validation == best && trained.test == test_of_best);
        float scores[2 * GRAPHS];
        int64_t right = 0;
        assert_int_equal(dgmi_pool_answer(ctx, &b.bank, &trained.network, b.split.validation,
                                          b.split.validation_count, scores),
                         DGM_OK);
        for (int64_t i = 0; i < b.split.validation_count; i++)
            right +=
                (scores[2 * i + 1] > scores[2 * i]) == b.training.classes[b.split.validation[i]];
        assert_near((double)right / (double)b.split.validation_count, best, 1e-12);
        dgmi_pool_network_free(&trained.network);
    }
    assert_true(best_epoch > 1); /* otherwise nothing is compared here */
    tear_down(&b);
}

static void without_validation_the_last_weights_are_kept(void **state) {
    (void)state;
    bench b;
    set_up(&b, "mean");
    b.split.validation_count = 0;
    b.training.epochs = 3;
    dgmi_pool_trained trained = train(&b);
    assert_int_equal(trained.epoch, 3);
    assert_true(isnan(trained.validation));
    dgmi_pool_network_free(&trained.network);
    tear_down(&b);
}

static void a_rate_that_diverges_is_an_error_that_advises_another(void **state) {
    (void)state;
    bench b;
    set_up(&b, "sum");
    b.training.rate = 1e6;
    dgmi_pool_trained trained = {.confusion = b.confusion};
    b.training.design.layers = 4;
    b.training.epochs = 200;
    ASSERT_FAILS(dgmi_pool_train(ctx, &b.training, &trained), DGM_ERROR_DATA,
                 "the loss is no longer a number with the learning rate 1e+06; try a smaller one, "
                 "as rate=100000");
    tear_down(&b);
}

/* One step from good weights to scores that are none: no loss comes after it. */
static void scores_that_are_no_numbers_are_an_error_after_the_last_step_too(void **state) {
    (void)state;
    bench b;
    set_up(&b, "sum");
    b.training.rate = 1e6;
    b.training.design.layers = 4;
    b.training.epochs = 1;
    b.training.batch = GRAPHS;
    dgmi_pool_trained trained = {.confusion = b.confusion};
    assert_int_equal(dgmi_pool_train(ctx, &b.training, &trained), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "try a smaller one, as rate=100000");
    tear_down(&b);
}

static void progress_is_a_share_of_the_epochs(void **state) {
    (void)state;
    bench b;
    set_up(&b, "sum");
    b.training.epochs = 3;
    hear_progress();
    dgmi_pool_trained trained = train(&b);
    hear_no_more();
    assert_stages_rise();
    assert_int_equal(heard_count, 3 * ((b.split.train_count + 3) / 4));
    assert_near(heard_reports[heard_count / 3].fraction, 1.0 / 3, 1e-12);
    dgmi_pool_network_free(&trained.network);
    tear_down(&b);
}

static dgm_status train_once(dgm_context *own, void *argument) {
    const bench *b = argument;
    int64_t confusion[4] = {0};
    dgmi_pool_trained trained = {.confusion = confusion};
    dgm_status status = dgmi_pool_train(own, &b->training, &trained);
    if (status == DGM_OK)
        dgmi_pool_network_free(&trained.network);
    return status;
}

static void memory_that_ends_is_a_clean_error(void **state) {
    (void)state;
    bench b;
    set_up(&b, "topk");
    b.training.epochs = 1;
    b.training.batch = GRAPHS;
    fail_each_allocation(train_once, &b);
    tear_down(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_and_stars_are_told_apart),
        cmocka_unit_test(the_best_epoch_is_the_first_of_equals),
        cmocka_unit_test(the_best_epoch_is_the_best_of_all_and_its_weights_are_kept),
        cmocka_unit_test(without_validation_the_last_weights_are_kept),
        cmocka_unit_test(a_rate_that_diverges_is_an_error_that_advises_another),
        cmocka_unit_test(scores_that_are_no_numbers_are_an_error_after_the_last_step_too),
        cmocka_unit_test(progress_is_a_share_of_the_epochs),
        cmocka_unit_test(memory_that_ends_is_a_clean_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
