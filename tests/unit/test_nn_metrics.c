/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy, confusion, F1 and calibration against cases worked by hand and against recomputation
 * from probabilities. */
#include "nn_sample.h"

#include <math.h>

static uint64_t seed;

/* Predictions 0, 1, 2, 1, 0 (the first of two equal), 0; labels 0, 1, 1, 2, 1, 0. */
static float scores[] = {5, 1, 1, -1, 2, 1, 0, 1, 7, 0, 3, 1, 2, 2, 1, 9, 0, 0};
static const int32_t labels[] = {0, 1, 1, 2, 1, 0};
static const dgmi_table_tensor tensor = {6, 3, scores};
static const uint32_t all[] = {0, 1, 2, 3, 4, 5};

static void accuracy_counts_the_first_largest_score(void **state) {
    (void)state;
    assert_near(dgmi_nn_accuracy(&tensor, labels, all, 6), 3.0 / 6, 1e-15);
    assert_near(dgmi_nn_accuracy(&tensor, labels, all + 3, 2), 0, 0);
    assert_near(dgmi_nn_accuracy(&tensor, labels, (const uint32_t[]){5, 1}, 2), 1, 0);
    assert_true(isnan(dgmi_nn_accuracy(&tensor, labels, all, 0)));
}

static void confusion_has_a_row_for_each_true_class(void **state) {
    (void)state;
    int64_t confusion[9] = {100};
    const int64_t expected[] = {102, 0, 0, 1, 1, 1, 0, 1, 0};
    dgmi_nn_confusion(&tensor, labels, all, 6, confusion); /* added to what is there */
    assert_memory_equal(confusion, expected, sizeof expected);
    const int32_t outside[] = {-1, 3, 0, 0, 0, 0};
    dgmi_nn_confusion(&tensor, outside, all, 2, confusion);
    assert_memory_equal(confusion, expected, sizeof expected);
}

/* Class 0: 2 right, 1 too many: 4 / 5. Class 1: 1 right, 2 missed, 1 too many: 2 / 5. Class 2: none
 * right, 1 missed, 1 too many: 0. */
static void macro_f1_is_the_mean_over_classes(void **state) {
    (void)state;
    int64_t confusion[9] = {0};
    dgmi_nn_confusion(&tensor, labels, all, 6, confusion);
    assert_near(dgmi_nn_macro_f1(confusion, 3), (0.8 + 0.4 + 0) / 3, 1e-15);
}

static void classes_that_never_occur_do_not_count(void **state) {
    (void)state;
    const int64_t perfect[] = {3, 0, 0, 0, 0, 0, 0, 0, 4};   /* 1 is neither label nor answer */
    const int64_t predicted[] = {3, 1, 0, 0, 0, 0, 0, 0, 4}; /* 1 is an answer: its F1 is 0 */
    const int64_t empty[9] = {0};
    assert_near(dgmi_nn_macro_f1(perfect, 3), 1, 1e-15);
    assert_near(dgmi_nn_macro_f1(predicted, 3), (6.0 / 7 + 0 + 1) / 3, 1e-15);
    assert_true(isnan(dgmi_nn_macro_f1(empty, 3)));
}

/* Two classes: confidences 0.9, 0.9 (one right of two), 0.75 (right) and 0.5 (the first of equals,
 * wrong). Bins: |1 - 1.8| + |1 - 0.75| + |0 - 0.5| over 4. */
static void calibration_error_is_worked_by_hand(void **state) {
    (void)state;
    const float nine = (float)log(9), three = (float)log(3);
    float logits[] = {nine, 0, 1, 1 + nine, three, 0, 2, 2};
    const dgmi_table_tensor t = {4, 2, logits};
    const int32_t truth[] = {0, 0, 0, 1};
    assert_near(dgmi_nn_calibration_error(&t, truth, all, 4), (0.8 + 0.25 + 0.5) / 4, 1e-7);
    assert_near(dgmi_nn_calibration_error(&t, truth, all, 1), 0.1, 1e-7);
    assert_true(isnan(dgmi_nn_calibration_error(&t, truth, all, 0)));
    /* Sure and right; sure and wrong. */
    float sure[] = {1000, -1000, 1000, -1000};
    assert_near(dgmi_nn_calibration_error(&(dgmi_table_tensor){2, 2, sure}, truth, all, 2), 0, 0);
    assert_near(dgmi_nn_calibration_error(&(dgmi_table_tensor){2, 2, sure}, (const int32_t[]){1, 1},
                                          all, 2),
                1, 0);
}

/* A confidence of 1/5 is the upper end of the third bin, (2/15, 3/15]; a little more is the next
 * bin's. */
static void bins_hold_their_upper_end(void **state) {
    (void)state;
    float logits[] = {0, 0, 0, 0, 0, -60, -60, -60, -60, -60};
    const dgmi_table_tensor t = {1, 10, logits}; /* 1 / 5 = 3 / 15 exactly */
    float pair[20];
    memcpy(pair, logits, sizeof logits);
    memcpy(pair + 10, logits, sizeof logits);
    pair[10] = 1e-4F; /* a little more than 3 / 15: the next bin */
    const int32_t truth[] = {0, 9};
    double alone = dgmi_nn_calibration_error(&t, truth, all, 1);
    assert_near(alone, 0.8, 1e-6);
    /* In two bins the gaps 0.8 and 0.2 add; in one they would be 0.6. */
    assert_near(dgmi_nn_calibration_error(&(dgmi_table_tensor){2, 10, pair}, truth, all, 2), 0.5,
                1e-3);
}

static void scores_that_are_not_numbers_give_no_calibration(void **state) {
    (void)state;
    float logits[] = {NAN, 1, 0, 1};
    const dgmi_table_tensor t = {2, 2, logits};
    assert_true(isnan(dgmi_nn_calibration_error(&t, labels, all, 2)));
    assert_near(dgmi_nn_accuracy(&t, labels, all, 2), 1, 0); /* no crash: NaN is never larger */
}

/* By way of all probabilities and a list of bins, as the definition has it. */
static double naive_calibration(const dgmi_table_tensor *t, const int32_t *truth,
                                const uint32_t *rows, int64_t count) {
    double error = 0;
    for (int bin = 0; bin < 15; bin++) {
        double sure = 0, right = 0, members = 0;
        for (int64_t i = 0; i < count; i++) {
            const float *row = t->values + rows[i] * t->columns;
            double sum = 0, best;
            int64_t answer = t->columns - 1;
            for (int64_t c = answer; c >= 0; c--)
                answer = row[c] >= row[answer] ? c : answer;
            for (int64_t c = 0; c < t->columns; c++)
                sum += exp((double)row[c] - (double)row[answer]);
            best = 1 / sum;
            if (best > bin / 15.0 && best <= (bin + 1) / 15.0) {
                members++;
                sure += best;
                right += answer == truth[rows[i]];
            }
        }
        if (members > 0)
            error += members / (double)count * fabs(right / members - sure / members);
    }
    return error;
}

static void random_scores_agree_with_the_definitions(void **state) {
    (void)state;
    enum { ROWS = 200, MOST = 6 };
    for (int i = 0; i < 50; i++) {
        check_random random = check_random_case(seed, 1, i);
        int classes = check_random_between(&random, 2, MOST);
        float values[ROWS * MOST];
        int32_t truth[ROWS];
        uint32_t rows[ROWS];
        int64_t count = 0, right = 0, confusion[MOST * MOST] = {0}, diagonal = 0, total = 0;
        for (int r = 0; r < ROWS; r++) {
            truth[r] = check_random_below(&random, classes);
            for (int c = 0; c < classes; c++) /* eighths: ties occur */
                values[r * classes + c] = (float)check_random_between(&random, -16, 16) / 8;
            if (check_random_chance(&random, 0.7))
                rows[count++] = (uint32_t)r;
        }
        const dgmi_table_tensor t = {ROWS, classes, values};
        for (int64_t k = 0; k < count; k++) {
            const float *row = values + rows[k] * (unsigned)classes;
            bool beaten = false;
            for (int c = 0; c < classes; c++)
                beaten |= c < truth[rows[k]] ? row[c] >= row[truth[rows[k]]]
                                             : row[c] > row[truth[rows[k]]];
            right += !beaten;
        }
        dgmi_nn_confusion(&t, truth, rows, count, confusion);
        for (int c = 0; c < classes * classes; c++) {
            total += confusion[c];
            diagonal += c % (classes + 1) == 0 ? confusion[c] : 0;
        }
        assert_int_equal(total, count);
        assert_int_equal(diagonal, right);
        assert_near(dgmi_nn_accuracy(&t, truth, rows, count), (double)right / (double)count, 1e-15);
        assert_near(dgmi_nn_calibration_error(&t, truth, rows, count),
                    naive_calibration(&t, truth, rows, count), 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accuracy_counts_the_first_largest_score),
        cmocka_unit_test(confusion_has_a_row_for_each_true_class),
        cmocka_unit_test(macro_f1_is_the_mean_over_classes),
        cmocka_unit_test(classes_that_never_occur_do_not_count),
        cmocka_unit_test(calibration_error_is_worked_by_hand),
        cmocka_unit_test(bins_hold_their_upper_end),
        cmocka_unit_test(scores_that_are_not_numbers_give_no_calibration),
        cmocka_unit_test(random_scores_agree_with_the_definitions),
    };
    seed = check_random_seed();
    return RUN_WITH_CONTEXT(tests);
}
