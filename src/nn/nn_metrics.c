/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how good the scores of classes are: accuracy, F1, confusion and calibration. Of equal
 * scores the first counts as the largest. */
#include "nn_data.h"

#include <assert.h>
#include <math.h>

static int32_t largest(const dgmi_table_tensor *scores, uint32_t row) {
    assert(row < scores->rows && scores->columns > 0);
    const float *score = scores->values + (int64_t)row * scores->columns;
    int64_t best = 0;
    for (int64_t c = 1; c < scores->columns; c++)
        if (score[c] > score[best])
            best = c;
    return (int32_t)best;
}

double dgmi_nn_accuracy(const dgmi_table_tensor *scores, const int32_t *labels,
                        const uint32_t *rows, int64_t count) {
    int64_t right = 0;
    for (int64_t i = 0; i < count; i++)
        right += largest(scores, rows[i]) == labels[rows[i]];
    return count > 0 ? (double)right / (double)count : NAN;
}

void dgmi_nn_confusion(const dgmi_table_tensor *scores, const int32_t *labels, const uint32_t *rows,
                       int64_t count, int64_t *confusion) {
    for (int64_t i = 0; i < count; i++) {
        int64_t label = labels[rows[i]];
        if (label >= 0 && label < scores->columns)
            confusion[label * scores->columns + largest(scores, rows[i])]++;
    }
}

/* F1 = 2 TP / (2 TP + FP + FN), and 2 TP + FP + FN is how often the class is a label plus how often
 * it is predicted. */
double dgmi_nn_macro_f1(const int64_t *confusion, int32_t classes) {
    assert(classes >= 0);
    double sum = 0;
    int64_t occurring = 0;
    for (int64_t c = 0; c < classes; c++) {
        int64_t labelled = 0, predicted = 0;
        for (int64_t other = 0; other < classes; other++) {
            labelled += confusion[c * classes + other];
            predicted += confusion[other * classes + c];
        }
        if (labelled + predicted == 0)
            continue;
        sum += 2 * (double)confusion[c * classes + c] / (double)(labelled + predicted);
        occurring++;
    }
    return occurring > 0 ? sum / (double)occurring : NAN;
}

/* The largest of softmax(scores[row]): 1 / sum of exp(score - largest score). */
static double confidence(const dgmi_table_tensor *scores, uint32_t row, int32_t best) {
    const float *score = scores->values + (int64_t)row * scores->columns;
    double sum = 0;
    for (int64_t c = 0; c < scores->columns; c++)
        sum += exp((double)score[c] - (double)score[best]);
    return 1 / sum;
}

/* Sum over bins of |right answers - sum of confidences|, by the number of answers: a bin's share
 * times the distance of its accuracy from its mean confidence. Bin b holds (b / 15, (b + 1) / 15].
 */
double dgmi_nn_calibration_error(const dgmi_table_tensor *scores, const int32_t *labels,
                                 const uint32_t *rows, int64_t count) {
    enum { BINS = 15 };
    double gap[BINS] = {0}, error = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t best = largest(scores, rows[i]);
        double sure = confidence(scores, rows[i], best);
        if (!isfinite(sure))
            return NAN;
        int bin = (int)ceil(sure * BINS) - 1;
        bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
        gap[bin] += (best == labels[rows[i]] ? 1 : 0) - sure;
    }
    for (int b = 0; b < BINS; b++)
        error += fabs(gap[b]);
    return count > 0 ? error / (double)count : NAN;
}
