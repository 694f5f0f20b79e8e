/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_kernels.h"

#include <math.h>
#include <stddef.h>

/* `sum`, added to what is there or in its place. */
static void put(float *to, double sum, bool add) {
    *to = (float)(add ? (double)*to + sum : sum);
}

/* ---- products ---- */

static double entry(const dgmi_table_tensor *x, bool transposed, int64_t i, int64_t j) {
    return (double)(transposed ? x->values[j * x->columns + i] : x->values[i * x->columns + j]);
}

/* C = op(A) op(B) */
static void product(dgm_context *ctx, const dgmi_kernels_product *p) {
    (void)ctx;
    int64_t depth = p->transpose_a ? p->a->rows : p->a->columns;
    for (int64_t i = 0; i < p->c->rows; i++)
        for (int64_t j = 0; j < p->c->columns; j++) {
            double sum = 0;
            for (int64_t k = 0; k < depth; k++)
                sum += entry(p->a, p->transpose_a, i, k) * entry(p->b, p->transpose_b, k, j);
            put(&p->c->values[i * p->c->columns + j], sum, p->add);
        }
}

/* Row i of Y is the sum of the rows of X that row i of A names, each times its value. */
static void csr_rows(const dgmi_table_csr *a, int64_t begin, int64_t end, const float *x,
                     int64_t x_stride, int64_t columns, bool add, float *y, int64_t y_stride) {
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t e = a->offsets[i]; e < a->offsets[i + 1]; e++) {
                double value = a->values ? (double)a->values[e] : 1;
                sum += value * (double)x[a->indices[e] * x_stride + j];
            }
            put(&y[i * y_stride + j], sum, add);
        }
}

static void csr_product(dgm_context *ctx, const dgmi_table_csr *a, const dgmi_table_tensor *x,
                        bool add, dgmi_table_tensor *y) {
    (void)ctx;
    csr_rows(a, 0, a->rows, x->values, x->columns, x->columns, add, y->values, y->columns);
}

static void tile_product(const dgmi_kernels_tile *t) {
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t j = 0; j < t->columns; j++) {
            double sum = 0;
            for (int64_t k = 0; k < t->depth; k++)
                sum +=
                    (double)t->a[i * t->a_row + k * t->a_step] * (double)t->b[k * t->b_stride + j];
            put(&t->c[i * t->c_stride + j], sum, t->add);
        }
}

/* ---- sums ---- */

static void column_sums(dgm_context *ctx, const dgmi_table_tensor *x, bool add, float *sums) {
    (void)ctx;
    for (int64_t j = 0; j < x->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < x->rows; i++)
            sum += (double)x->values[i * x->columns + j];
        put(&sums[j], sum, add);
    }
}

static double dot(dgm_context *ctx, int64_t count, const float *x, const float *y) {
    (void)ctx;
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* ---- number by number ---- */

double naive_function(dgmi_kernels_function f, double x) {
    switch (f) {
    case DGMI_KERNELS_RELU:
        return x > 0 ? x : 0;
    case DGMI_KERNELS_ELU:
        return x > 0 ? x : expm1(x);
    case DGMI_KERNELS_SIGMOID:
        return 1 / (1 + exp(-x));
    case DGMI_KERNELS_TANH:
        return tanh(x);
    case DGMI_KERNELS_EXP:
        return exp(x);
    }
    return NAN;
}

double naive_slope(dgmi_kernels_function f, double y) {
    switch (f) {
    case DGMI_KERNELS_RELU:
        return y > 0 ? 1 : 0;
    case DGMI_KERNELS_ELU:
        return y > 0 ? 1 : 1 + y;
    case DGMI_KERNELS_SIGMOID:
        return y * (1 - y);
    case DGMI_KERNELS_TANH:
        return 1 - y * y;
    case DGMI_KERNELS_EXP:
        return y;
    }
    return NAN;
}

static void apply(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *x,
                  float *y) {
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        y[i] = (float)naive_function(f, (double)x[i]);
}

static void apply_backward(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *y,
                           const float *dy, bool add, float *dx) {
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        put(&dx[i], (double)dy[i] * naive_slope(f, (double)y[i]), add);
}

static double prelu_of(double slope, double x) {
    return x > 0 ? x : slope * x;
}

static void prelu(dgm_context *ctx, float slope, int64_t count, const float *x, float *y) {
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        y[i] = (float)prelu_of((double)slope, (double)x[i]);
}

static double prelu_backward(dgm_context *ctx, float slope, int64_t count, const float *x,
                             const float *dy, bool add, float *dx) {
    (void)ctx;
    double slope_gradient = 0;
    for (int64_t i = 0; i < count; i++) {
        slope_gradient += x[i] > 0 ? 0 : (double)x[i] * (double)dy[i];
        if (dx)
            put(&dx[i], x[i] > 0 ? (double)dy[i] : (double)slope * (double)dy[i], add);
    }
    return slope_gradient;
}

static void add_bias(dgm_context *ctx, const float *bias, dgmi_table_tensor *x) {
    (void)ctx;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++)
            x->values[i * x->columns + j] += bias[j];
}

static void axpy(dgm_context *ctx, float scale, int64_t count, const float *x, bool add, float *y) {
    (void)ctx;
    for (int64_t i = 0; i < count; i++)
        put(&y[i], (double)scale * (double)x[i], add);
}

/* Algorithm 1 of Kingma and Ba (2015), with the decay of the weights. */
static void adam(dgm_context *ctx, const dgmi_kernels_adam_step *s, int64_t count,
                 const float *gradient, float *weights, float *first, float *second) {
    (void)ctx;
    for (int64_t i = 0; i < count; i++) {
        double weight = (double)weights[i] * (1 - (double)s->rate * (double)s->shrink);
        double g = (double)gradient[i] + (double)s->decay * weight;
        double m = (double)s->beta1 * (double)first[i] + (1 - (double)s->beta1) * g;
        double v = (double)s->beta2 * (double)second[i] + (1 - (double)s->beta2) * g * g;
        double m_hat = m / (double)s->correction1, v_hat = v / (double)s->correction2;
        first[i] = (float)m;
        second[i] = (float)v;
        weights[i] = (float)(weight - (double)s->rate * m_hat / (sqrt(v_hat) + (double)s->epsilon));
    }
}

/* ---- parts of fused ops ---- */

static double slab_value(const dgmi_kernels_slab *slab, int64_t i, int64_t j) {
    return prelu_of((double)slab->slope, (double)slab->z[i * slab->columns + j]);
}

static void slab_scores(const dgmi_kernels_slab *slab, const float *direction, float *scores) {
    for (int64_t i = 0; i < slab->rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < slab->columns; j++)
            sum += slab_value(slab, i, j) * (double)direction[j];
        scores[i] = (float)sum;
    }
}

static void slab_sums(const dgmi_kernels_slab *slab, const float *weights, bool add, float *sums) {
    for (int64_t j = 0; j < slab->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < slab->rows; i++)
            sum += (weights ? (double)weights[i] : 1) * slab_value(slab, i, j);
        put(&sums[j], sum, add);
    }
}

static double slab_backward(const dgmi_kernels_slab *slab, const float *weights,
                            const float *direction, const float *everywhere, float *sums) {
    double slope_gradient = 0;
    for (int64_t j = 0; j < slab->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < slab->rows; i++) {
            float *z = &slab->z[i * slab->columns + j];
            double dy = (double)weights[i] * (double)direction[j];
            dy += everywhere ? (double)everywhere[j] : 0;
            double dz = *z > 0 ? dy : (double)slab->slope * dy;
            slope_gradient += *z > 0 ? 0 : (double)*z * dy;
            sum += dz;
            *z = (float)dz;
        }
        put(&sums[j], sum, true);
    }
    return slope_gradient;
}

static void block_elu(int64_t rows, const float *bias, float *y) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < DGMI_KERNELS_BLOCK_SLAB; j++) {
            float *at = &y[i * DGMI_KERNELS_BLOCK_SLAB + j];
            *at = (float)naive_function(DGMI_KERNELS_ELU, (double)*at + (double)bias[j]);
        }
}

static void block_elu_backward(int64_t rows, const float *y, float *slopes, float *sums) {
    for (int64_t j = 0; j < DGMI_KERNELS_BLOCK_SLAB; j++) {
        double sum = 0;
        for (int64_t i = 0; i < rows; i++) {
            int64_t at = i * DGMI_KERNELS_BLOCK_SLAB + j;
            double dz = (double)slopes[at] * naive_slope(DGMI_KERNELS_ELU, (double)y[at]);
            slopes[at] = (float)dz;
            sum += dz;
        }
        put(&sums[j], sum, true);
    }
}

/* ---- maps of points ---- */

static double square_between(const dgmi_kernels_embedding *p, int64_t i,
                             const dgmi_kernels_embedding *q, int64_t j) {
    double square = 0;
    for (int a = 0; a < p->dim; a++) {
        double d = (double)p->axis[a][i] - (double)q->axis[a][j];
        square += d * d;
    }
    return square;
}

static void repel(const dgmi_kernels_embedding *sources, const dgmi_kernels_embedding *queries,
                  int64_t begin, int64_t end, float *const *force, float *sums) {
    for (int64_t i = begin; i < end; i++) {
        double sum = 0, total[DGMI_KERNELS_EMBED_MOST] = {0};
        for (int64_t j = 0; j < sources->count; j++) {
            double w = 1 / (1 + square_between(queries, i, sources, j));
            sum += w;
            for (int a = 0; a < queries->dim; a++)
                total[a] += w * w * ((double)queries->axis[a][i] - (double)sources->axis[a][j]);
        }
        sums[i] = (float)sum;
        for (int a = 0; a < queries->dim; a++)
            force[a][i] = (float)total[a];
    }
}

static void attract(const dgmi_kernels_embedding *targets, const dgmi_kernels_embedding *queries,
                    const dgmi_kernels_embed_links *links, int64_t begin, int64_t end,
                    float *const *force, float *logs) {
    for (int64_t i = begin; i < end; i++) {
        double log_sum = 0, total[DGMI_KERNELS_EMBED_MOST] = {0};
        for (int64_t e = links->offsets[i]; e < links->offsets[i + 1]; e++) {
            int64_t j = links->columns[e];
            double p = (double)links->values[e];
            double w = 1 / (1 + square_between(queries, i, targets, j));
            log_sum -= p * log(w);
            for (int a = 0; a < queries->dim; a++)
                total[a] += p * w * ((double)queries->axis[a][i] - (double)targets->axis[a][j]);
        }
        if (logs)
            logs[i] = (float)log_sum;
        for (int a = 0; a < queries->dim; a++)
            force[a][i] = (float)total[a];
    }
}

/* ---- distances ---- */

/* Blocks of DGMI_KERNELS_GAP_COLUMNS points; within one, coordinate after coordinate. */
static int64_t slab_place(int64_t dim, int64_t column, int64_t k) {
    int64_t block = column / DGMI_KERNELS_GAP_COLUMNS, within = column % DGMI_KERNELS_GAP_COLUMNS;
    return (block * dim + k) * DGMI_KERNELS_GAP_COLUMNS + within;
}

static void lay(int64_t dim, const float *const *column, int64_t columns, float *slab) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < dim; k++)
            slab[slab_place(dim, j, k)] = column[j][k];
}

static void gaps(const dgmi_kernels_gaps *job) {
    int64_t blocks = job->columns / DGMI_KERNELS_GAP_COLUMNS;
    for (int64_t i = 0; i < job->rows * blocks; i++)
        job->below[i] = 0;
    for (int64_t i = 0; i < job->rows; i++)
        for (int64_t j = 0; j < job->columns; j++) {
            double square = 0;
            for (int64_t k = 0; k < job->dim; k++) {
                double d = (double)job->row[i][k] - (double)job->slab[slab_place(job->dim, j, k)];
                square += d * d;
            }
            job->squares[i * job->columns + j] = (float)square;
            if ((float)square < fmaxf(job->row_limits[i], job->limits[j]))
                job->below[i * blocks + j / DGMI_KERNELS_GAP_COLUMNS] |=
                    (uint16_t)(1U << j % DGMI_KERNELS_GAP_COLUMNS);
        }
}

static const dgmi_kernels_embed_table naive_embed = {repel, attract};
static const dgmi_kernels_gap_table naive_gaps = {gaps, lay};

const dgmi_kernels naive_kernels = {
    .name = "naive",
    .embed = &naive_embed,
    .gap = &naive_gaps,
    .product = product,
    .csr_product = csr_product,
    .column_sums = column_sums,
    .add_bias = add_bias,
    .apply = apply,
    .apply_backward = apply_backward,
    .prelu = prelu,
    .prelu_backward = prelu_backward,
    .axpy = axpy,
    .dot = dot,
    .adam = adam,
    .csr_rows = csr_rows,
    .slab_scores = slab_scores,
    .slab_sums = slab_sums,
    .slab_backward = slab_backward,
    .tile_product = tile_product,
    .block_elu = block_elu,
    .block_elu_backward = block_elu_backward,
};
