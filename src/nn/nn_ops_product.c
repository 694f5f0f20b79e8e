/* SPDX-License-Identifier: Apache-2.0 */
/* Ops for dense and sparse products, and for the bias that follows them. */
#include <string.h>

#include "base_assert.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "nn_ops.h"

/* ---- dense ---- */

typedef struct product_state {
    bool transpose_a, transpose_b;
} product_state;

/* c (+)= op(a) op(b) */
static void multiply(dgmi_nn_tape *tape, const dgmi_table_tensor *a, bool transpose_a,
                     const dgmi_table_tensor *b, bool transpose_b, bool add, dgmi_table_tensor *c) {
    const dgmi_kernels_product product = {transpose_a, transpose_b, add, a, b, c};
    dgmi_nn_tape_kernels(tape)->product(dgmi_nn_tape_context(tape), &product);
}

/* With C = op(A) op(B): d op(A) = dC op(B)^T and d op(B) = op(A)^T dC, transposed again where op
 * transposes. */
static void product_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const product_state *state = node->state;
    const dgmi_table_tensor *a = &node->inputs[0]->value, *b = &node->inputs[1]->value;
    const dgmi_table_tensor *dc = &node->gradient;
    bool ta = state->transpose_a, tb = state->transpose_b, add;
    dgmi_table_tensor *da = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (da && !ta)
        multiply(tape, dc, false, b, !tb, add, da);
    else if (da)
        multiply(tape, b, tb, dc, true, add, da);
    dgmi_table_tensor *db = dgmi_nn_node_gradient(tape, node, 1, &add);
    if (db && !tb)
        multiply(tape, a, !ta, dc, false, add, db);
    else if (db)
        multiply(tape, dc, true, a, ta, add, db);
}

static const dgmi_nn_op product_op = {"product", product_backward};

dgmi_nn_node *dgmi_nn_op_product(dgmi_nn_tape *tape, dgmi_nn_node *a, bool transpose_a,
                                 dgmi_nn_node *b, bool transpose_b) {
    if (!a || !b)
        return NULL;
    int64_t rows = transpose_a ? a->value.columns : a->value.rows;
    int64_t inner = transpose_a ? a->value.rows : a->value.columns;
    int64_t columns = transpose_b ? b->value.rows : b->value.columns;
    if (inner != (transpose_b ? b->value.columns : b->value.rows)) {
        dgmi_nn_tape_fail(tape, "product: %lld columns meet %lld rows", (long long)inner,
                          (long long)(transpose_b ? b->value.columns : b->value.rows));
        return NULL;
    }
    dgmi_nn_node *node =
        dgmi_nn_tape_node(tape, &product_op, rows, columns, 2, (dgmi_nn_node *const[]){a, b});
    product_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (product_state){transpose_a, transpose_b};
    node->state = state;
    multiply(tape, &a->value, transpose_a, &b->value, transpose_b, false, &node->value);
    return node;
}

/* ---- sparse ---- */

/* By counting: entries of the transpose in order of their column, then row. */
static void transpose_entries(const dgmi_table_csr *matrix, int64_t *offsets, uint32_t *indices,
                              float *values, uint32_t *positions) {
    memset(offsets, 0, (size_t)(matrix->columns + 1) * sizeof *offsets);
    for (int64_t e = 0; e < dgmi_table_csr_entries(matrix); e++)
        offsets[matrix->indices[e] + 1]++;
    for (int64_t j = 0; j < matrix->columns; j++)
        offsets[j + 1] += offsets[j];
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
            int64_t at = offsets[matrix->indices[e]]++;
            indices[at] = (uint32_t)i;
            positions[at] = (uint32_t)e;
            if (values)
                values[at] = matrix->values[e];
        }
    memmove(offsets + 1, offsets, (size_t)matrix->columns * sizeof *offsets);
    offsets[0] = 0;
    assert(offsets[matrix->columns] == dgmi_table_csr_entries(matrix));
    DGMI_ASSERT_WALK(dgmi_rows_fit(offsets, indices, matrix->columns, matrix->rows));
}

dgm_status dgmi_nn_sparse_make(dgm_context *ctx, const dgmi_table_csr *matrix, bool symmetric,
                               dgmi_nn_sparse *out) {
    *out = (dgmi_nn_sparse){.matrix = *matrix, .transpose = *matrix};
    assert(!symmetric || matrix->rows == matrix->columns);
    DGMI_ASSERT_WALK(
        dgmi_rows_fit(matrix->offsets, matrix->indices, matrix->rows, matrix->columns));
    if (symmetric)
        return DGM_OK;
    int64_t entries = dgmi_table_csr_entries(matrix);
    size_t each = sizeof(uint32_t) * 2 + (matrix->values ? sizeof(float) : 0);
    char *memory = dgmi_alloc(
        ctx, (matrix->columns + 1) * (int64_t)sizeof(int64_t) + entries * (int64_t)each, 1);
    if (!memory)
        return DGM_ERROR_MEMORY;
    int64_t *offsets = (int64_t *)memory;
    uint32_t *indices = (uint32_t *)(offsets + matrix->columns + 1);
    uint32_t *positions = indices + entries;
    float *values = matrix->values ? (float *)(positions + entries) : NULL;
    transpose_entries(matrix, offsets, indices, values, positions);
    out->transpose = (dgmi_table_csr){matrix->columns, matrix->rows, offsets, indices, values};
    out->positions = positions;
    out->owned = memory;
    return DGM_OK;
}

void dgmi_nn_sparse_free(dgm_context *ctx, dgmi_nn_sparse *sparse) {
    dgmi_free(ctx, sparse->owned);
    *sparse = (dgmi_nn_sparse){0};
}

enum { GRAIN = 16384 };

typedef struct entry_task {
    const dgmi_nn_sparse *sparse;
    const dgmi_table_tensor *x, *dy;
    const float *from;
    float *to;
    bool add;
} entry_task;

static void reorder_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    entry_task *task = argument;
    int64_t begin, end;
    dgmi_chunk(dgmi_table_csr_entries(&task->sparse->matrix), GRAIN, chunk, &begin, &end);
    for (int64_t e = begin; e < end; e++)
        task->to[e] = task->from[task->sparse->positions[e]];
}

/* Values that are the matrix's own, dropped out, are drawn again in the other order, which costs
 * less than to gather them. */
static bool drops_own_values(const dgmi_nn_sparse *sparse, const dgmi_nn_node *values) {
    return values->op == &dgmi_nn_dropout_op && sparse->matrix.values &&
           values->inputs[0]->value.values == sparse->matrix.values;
}

/* The transpose with `values` in its own order of entries. */
static dgmi_table_csr transpose_with(dgmi_nn_tape *tape, const dgmi_nn_sparse *sparse,
                                     const dgmi_nn_node *values) {
    dgmi_table_csr transpose = sparse->transpose;
    dgm_context *ctx = dgmi_nn_tape_context(tape);
    int64_t entries = dgmi_table_csr_entries(&sparse->matrix);
    entry_task task = {.sparse = sparse, .from = values->value.values};
    task.to = dgmi_nn_tape_memory(tape, entries, sizeof *task.to);
    if (task.to && drops_own_values(sparse, values)) {
        const dgmi_nn_dropout_state *drop = values->state;
        dgmi_nn_tape_kernels(tape)->dropout_at(ctx, drop->p, drop->seed, drop->stream, entries,
                                               sparse->positions, transpose.values, task.to);
    } else if (task.to) {
        dgmi_parallel(ctx, dgmi_chunks(entries, GRAIN), reorder_chunk, &task);
    }
    transpose.values = task.to;
    return transpose;
}

/* d values[e] = dy[row(e)] . x[column(e)] */
static void value_gradient_row(void *argument, int64_t row, int thread) {
    (void)thread;
    entry_task *task = argument;
    const dgmi_table_csr *matrix = &task->sparse->matrix;
    int64_t columns = task->x->columns;
    const float *dy = task->dy->values + row * columns;
    for (int64_t e = matrix->offsets[row]; e < matrix->offsets[row + 1]; e++) {
        const float *x = task->x->values + matrix->indices[e] * columns;
        float sum = task->add ? task->to[e] : 0;
        for (int64_t j = 0; j < columns; j++)
            sum += dy[j] * x[j];
        task->to[e] = sum;
    }
}

static void sparse_product_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_nn_sparse *sparse = node->state;
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(tape);
    dgm_context *ctx = dgmi_nn_tape_context(tape);
    dgmi_nn_node *x = node->inputs[0], *values = node->inputs[1];
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (dx) {
        dgmi_table_csr transpose =
            values ? transpose_with(tape, sparse, values) : sparse->transpose;
        if (dgmi_nn_tape_status(tape) == DGM_OK)
            kernels->csr_product(ctx, &transpose, &node->gradient, add, dx);
    }
    dgmi_table_tensor *dvalues = dgmi_nn_node_gradient(tape, node, 1, &add);
    if (dvalues) {
        entry_task task = {sparse, &x->value, &node->gradient, NULL, dvalues->values, add};
        dgmi_parallel(ctx, sparse->matrix.rows, value_gradient_row, &task);
    }
}

static const dgmi_nn_op sparse_product_op = {"sparse product", sparse_product_backward};

dgmi_nn_node *dgmi_nn_op_sparse_product(dgmi_nn_tape *tape, const dgmi_nn_sparse *a,
                                        dgmi_nn_node *values, dgmi_nn_node *x) {
    dgmi_table_csr matrix = a->matrix;
    if (x && x->value.rows != matrix.columns) {
        dgmi_nn_tape_fail(tape, "sparse product: %lld columns meet %lld rows",
                          (long long)matrix.columns, (long long)x->value.rows);
        return NULL;
    }
    if (values && !a->positions) {
        dgmi_nn_tape_fail(tape, "sparse product: a symmetric matrix keeps its own values");
        return NULL;
    }
    if (values &&
        (values->value.rows != dgmi_table_csr_entries(&matrix) || values->value.columns != 1)) {
        dgmi_nn_tape_fail(tape, "sparse product: %lld x %lld values for %lld entries",
                          (long long)values->value.rows, (long long)values->value.columns,
                          (long long)dgmi_table_csr_entries(&matrix));
        return NULL;
    }
    if (values)
        matrix.values = values->value.values;
    dgmi_nn_node *node =
        dgmi_nn_tape_node(tape, &sparse_product_op, matrix.rows, x ? x->value.columns : 0,
                          values ? 2 : 1, (dgmi_nn_node *const[]){x, values});
    if (!node)
        return NULL;
    node->state = a;
    dgmi_nn_tape_kernels(tape)->csr_product(dgmi_nn_tape_context(tape), &matrix, &x->value, false,
                                            &node->value);
    return node;
}

/* ---- bias ---- */

static void bias_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(tape);
    dgm_context *ctx = dgmi_nn_tape_context(tape);
    bool add;
    dgmi_table_tensor *db = dgmi_nn_node_gradient(tape, node, 1, &add);
    if (db)
        kernels->column_sums(ctx, &node->gradient, add, db->values);
    dgmi_table_tensor *dx = dgmi_nn_node_gradient_over(tape, node, 0, &add);
    if (dx && dx->values != node->gradient.values)
        kernels->axpy(ctx, 1, dgmi_table_tensor_count(dx), node->gradient.values, add, dx->values);
}

static const dgmi_nn_op bias_op = {"bias", bias_backward};

static bool bias_fits(dgmi_nn_tape *tape, const dgmi_nn_node *x, const dgmi_nn_node *bias) {
    if (!x || !bias)
        return false;
    if (bias->value.rows == 1 && bias->value.columns == x->value.columns)
        return true;
    dgmi_nn_tape_fail(tape, "bias: %lld x %lld numbers for %lld columns",
                      (long long)bias->value.rows, (long long)bias->value.columns,
                      (long long)x->value.columns);
    return false;
}

dgmi_nn_node *dgmi_nn_op_bias_over(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *bias) {
    if (!bias_fits(tape, x, bias))
        return NULL;
    dgmi_nn_node *node =
        dgmi_nn_tape_node_over(tape, &bias_op, 2, (dgmi_nn_node *const[]){x, bias});
    if (node)
        dgmi_nn_tape_kernels(tape)->add_bias(dgmi_nn_tape_context(tape), bias->value.values,
                                             &node->value);
    return node;
}

dgmi_nn_node *dgmi_nn_op_bias(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *bias) {
    if (!bias_fits(tape, x, bias))
        return NULL;
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &bias_op, x->value.rows, x->value.columns, 2,
                                           (dgmi_nn_node *const[]){x, bias});
    if (!node)
        return NULL;
    size_t bytes = (size_t)dgmi_table_tensor_count(&x->value) * sizeof(float);
    memcpy(node->value.values, x->value.values, bytes);
    dgmi_nn_tape_kernels(tape)->add_bias(dgmi_nn_tape_context(tape), bias->value.values,
                                         &node->value);
    return node;
}
