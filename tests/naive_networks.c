/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_networks.h"

#include <math.h>
#include <stdlib.h>

static double *make_zeros(int64_t count) {
    double *zeros = calloc((size_t)count + 1, sizeof *zeros);
    if (!zeros)
        abort();
    return zeros;
}

static double at(const dgmi_table_tensor *x, int64_t i, int64_t j) {
    return (double)x->values[i * x->columns + j];
}

static double value_of(const dgmi_table_csr *a, int64_t entry) {
    return a->values ? (double)a->values[entry] : 1;
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* The binary cross-entropy of sigmoid(score) and a target of 0 or 1. */
static double cross_entropy(double score, double target) {
    return -target * log(sigmoid(score)) - (1 - target) * log(sigmoid(-score));
}

/* The loss of hidden rows: h of the graph, other of the shuffled graph, nodes x width each.
 *
 *   s = sigmoid(mean h),   score = row D s + d,   loss = mean cross-entropy of all scores */
static double discriminate(int64_t nodes, int64_t width, const double *h, const double *other,
                           const dgmi_table_tensor *discriminator, double bias) {
    double *summary = make_zeros(width), *direction = make_zeros(width), loss = 0;
    for (int64_t j = 0; j < width; j++) {
        for (int64_t i = 0; i < nodes; i++)
            summary[j] += h[i * width + j] / (double)nodes;
        summary[j] = sigmoid(summary[j]);
    }
    for (int64_t i = 0; i < width; i++)
        for (int64_t j = 0; j < width; j++)
            direction[i] += at(discriminator, i, j) * summary[j];
    for (int64_t i = 0; i < nodes; i++) {
        double score = bias, other_score = bias;
        for (int64_t j = 0; j < width; j++) {
            score += h[i * width + j] * direction[j];
            other_score += other[i * width + j] * direction[j];
        }
        loss += cross_entropy(score, 1) + cross_entropy(other_score, 0);
    }
    free(summary);
    free(direction);
    return loss / (double)(2 * nodes);
}

/* PReLU(P (X W) + b), where node i has the features of order[i] (NULL: its own). */
static double *convolve(const naive_infomax *infomax, const uint32_t *order) {
    const dgmi_table_csr *x = infomax->features, *p = infomax->propagation;
    int64_t nodes = p->rows, width = infomax->weight->columns;
    double *mixed = make_zeros(nodes * width), *h = make_zeros(nodes * width);
    for (int64_t i = 0; i < nodes; i++) {
        int64_t row = order ? order[i] : i;
        for (int64_t e = x->offsets[row]; e < x->offsets[row + 1]; e++)
            for (int64_t j = 0; j < width; j++)
                mixed[i * width + j] += value_of(x, e) * at(infomax->weight, x->indices[e], j);
    }
    for (int64_t i = 0; i < nodes; i++)
        for (int64_t j = 0; j < width; j++) {
            double z = at(infomax->bias, 0, j);
            for (int64_t e = p->offsets[i]; e < p->offsets[i + 1]; e++)
                z += value_of(p, e) * mixed[p->indices[e] * width + j];
            h[i * width + j] = z > 0 ? z : at(infomax->slope, 0, 0) * z;
        }
    free(mixed);
    return h;
}

double naive_infomax_loss(const naive_infomax *infomax) {
    double *h = convolve(infomax, NULL), *other = convolve(infomax, infomax->shuffle);
    double loss = discriminate(infomax->propagation->rows, infomax->weight->columns, h, other,
                               infomax->discriminator, at(infomax->discriminator_bias, 0, 0));
    free(h);
    free(other);
    return loss;
}

double naive_infomax_linear_loss(const dgmi_table_tensor *input, const dgmi_table_tensor *weight,
                                 const dgmi_table_tensor *bias,
                                 const dgmi_table_tensor *discriminator,
                                 const dgmi_table_tensor *discriminator_bias) {
    int64_t nodes = input->rows / 2, width = weight->columns;
    double *h[2] = {make_zeros(nodes * width), make_zeros(nodes * width)};
    for (int64_t i = 0; i < input->rows; i++)
        for (int64_t j = 0; j < width; j++) {
            double z = at(bias, 0, j);
            for (int64_t k = 0; k < weight->rows; k++)
                z += at(input, i, k) * at(weight, k, j);
            h[i % 2][i / 2 * width + j] = z;
        }
    double loss =
        discriminate(nodes, width, h[0], h[1], discriminator, at(discriminator_bias, 0, 0));
    free(h[0]);
    free(h[1]);
    return loss;
}

void naive_pairs(const dgmi_table_csr *propagation, const dgmi_table_tensor *x,
                 const dgmi_table_tensor *weight, const dgmi_table_tensor *bias, double *y) {
    int64_t in = x->columns, out = weight ? weight->columns : in;
    double *gathered = make_zeros(in);
    for (int64_t row = 0; row < x->rows; row++) {
        int64_t i = row / 2, graph = row % 2;
        for (int64_t k = 0; k < in; k++) {
            gathered[k] = 0;
            for (int64_t e = propagation->offsets[i]; e < propagation->offsets[i + 1]; e++)
                gathered[k] +=
                    value_of(propagation, e) * at(x, 2 * propagation->indices[e] + graph, k);
        }
        for (int64_t j = 0; j < out; j++) {
            double z = at(bias, 0, j);
            for (int64_t k = 0; k < in; k++)
                z += gathered[k] * (weight ? at(weight, k, j) : k == j ? 1 : 0);
            y[row * out + j] = z > 0 ? z : expm1(z);
        }
    }
    free(gathered);
}
