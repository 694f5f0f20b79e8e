/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that work cell by cell: sums, differences, products and quotients of operands that are
 * repeated to one shape; multiples, squares, roots and logarithms. */
#include <math.h>
#include <string.h>

#include "nn_ops.h"
#include "nn_ops_loop.h"

/* ---- two operands ---- */

enum { BLOCK = 256 }; /* columns at once */

/* An operand as it is read: a step of 0 repeats its one row or its one column. */
typedef struct operand {
    const float *values;
    int64_t row_step, column_step;
} operand;

typedef struct algebra_task {
    dgmi_nn_algebra kind;
    const dgmi_table_tensor *y; /* the result, or its gradient */
    operand a, b;
    int side;              /* backward: 0 for a, 1 for b */
    bool add;              /* to dx */
    dgmi_table_tensor *dx; /* backward: as large as the operand */
    double *partials;      /* of an operand whose row is repeated: dx->columns a chunk */
} algebra_task;

static operand operand_of(const dgmi_table_tensor *x, const dgmi_table_tensor *y) {
    return (operand){x->values, x->rows == y->rows ? x->columns : 0, x->columns == y->columns};
}

static inline __attribute__((always_inline)) float combine(dgmi_nn_algebra kind, float a, float b) {
    switch (kind) {
    case DGMI_NN_ADD:
        return a + b;
    case DGMI_NN_SUBTRACT:
        return a - b;
    case DGMI_NN_MULTIPLY:
        return a * b;
    case DGMI_NN_DIVIDE:
        return a / b;
    }
    return 0;
}

static inline __attribute__((always_inline)) void combine_row(dgmi_nn_algebra kind, int64_t count,
                                                              const float *a, int64_t a_step,
                                                              const float *b, int64_t b_step,
                                                              float *restrict y) {
    for (int64_t j = 0; j < count; j++)
        y[j] = combine(kind, a[j * a_step], b[j * b_step]);
}

/* One loop a kind and step, so that none chooses inside. */
static inline __attribute__((always_inline)) void combine_steps(dgmi_nn_algebra kind, int64_t count,
                                                                const float *a, int64_t a_step,
                                                                const float *b, int64_t b_step,
                                                                float *y) {
    if (a_step && b_step)
        combine_row(kind, count, a, 1, b, 1, y);
    else if (a_step)
        combine_row(kind, count, a, 1, b, 0, y);
    else if (b_step)
        combine_row(kind, count, a, 0, b, 1, y);
    else
        combine_row(kind, count, a, 0, b, 0, y);
}

static void combine_cells(dgmi_nn_algebra kind, int64_t count, const float *a, int64_t a_step,
                          const float *b, int64_t b_step, float *y) {
    switch (kind) {
    case DGMI_NN_ADD:
        combine_steps(DGMI_NN_ADD, count, a, a_step, b, b_step, y);
        break;
    case DGMI_NN_SUBTRACT:
        combine_steps(DGMI_NN_SUBTRACT, count, a, a_step, b, b_step, y);
        break;
    case DGMI_NN_MULTIPLY:
        combine_steps(DGMI_NN_MULTIPLY, count, a, a_step, b, b_step, y);
        break;
    case DGMI_NN_DIVIDE:
        combine_steps(DGMI_NN_DIVIDE, count, a, a_step, b, b_step, y);
        break;
    }
}

static void combine_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const algebra_task *task = argument;
    const operand *a = &task->a, *b = &task->b;
    int64_t columns = task->y->columns, begin, end;
    dgmi_nn_row_chunk(task->y, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        combine_cells(task->kind, columns, a->values + i * a->row_step, a->column_step,
                      b->values + i * b->row_step, b->column_step, task->y->values + i * columns);
}

/* terms[j] = dy[i][first + j] times the slope by a or by b there, j < count <= BLOCK:
 * 1 and 1; 1 and -1; b and a; 1 / b and -a / b^2. */
static void find_terms(const algebra_task *task, int64_t i, int64_t first, int64_t count,
                       float *restrict terms) {
    int64_t a_step = task->a.column_step, b_step = task->b.column_step;
    const float *a = task->a.values + i * task->a.row_step + first * a_step;
    const float *b = task->b.values + i * task->b.row_step + first * b_step;
    const float *dy = task->y->values + i * task->y->columns + first;
    if (task->kind == DGMI_NN_MULTIPLY)
        combine_cells(DGMI_NN_MULTIPLY, count, dy, 1, task->side ? a : b,
                      task->side ? a_step : b_step, terms);
    else if (task->kind == DGMI_NN_DIVIDE)
        combine_cells(DGMI_NN_DIVIDE, count, dy, 1, b, b_step, terms);
    else
        memcpy(terms, dy, (size_t)count * sizeof *terms);
    if (task->kind == DGMI_NN_DIVIDE && task->side)
        for (int64_t j = 0; j < count; j++)
            terms[j] *= -(a[j * a_step] / b[j * b_step]);
    if (task->kind == DGMI_NN_SUBTRACT && task->side)
        for (int64_t j = 0; j < count; j++)
            terms[j] = -terms[j];
}

/* A row's terms go where its operand has one number for them: into cells, into one number per row,
 * or into the chunk's partial sums. */
static double place_terms(const algebra_task *task, int64_t i, int64_t first, int64_t count,
                          const float *terms, double *partials) {
    bool one_column = task->dx->columns != task->y->columns;
    double sum = 0;
    if (one_column)
        for (int64_t j = 0; j < count; j++)
            sum += terms[j];
    else if (partials)
        for (int64_t j = 0; j < count; j++)
            partials[first + j] += terms[j];
    else {
        float *to = task->dx->values + i * task->dx->columns + first;
        for (int64_t j = 0; j < count; j++)
            to[j] = task->add ? to[j] + terms[j] : terms[j];
    }
    return sum;
}

static void slope_row(const algebra_task *task, int64_t i, double *partials) {
    int64_t columns = task->y->columns;
    double sum = 0;
    float terms[BLOCK];
    for (int64_t first = 0; first < columns; first += BLOCK) {
        int64_t count = columns - first < BLOCK ? columns - first : BLOCK;
        find_terms(task, i, first, count, terms);
        sum += place_terms(task, i, first, count, terms, partials);
    }
    if (task->dx->columns == columns)
        return;
    if (partials)
        partials[0] += sum;
    else
        task->dx->values[i] = (float)(task->add ? task->dx->values[i] + sum : sum);
}

static void slope_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const algebra_task *task = argument;
    int64_t width = task->dx->columns, begin, end;
    double *partials = task->partials ? task->partials + chunk * width : NULL;
    if (partials)
        memset(partials, 0, (size_t)width * sizeof *partials);
    dgmi_nn_row_chunk(task->y, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        slope_row(task, i, partials);
}

/* The chunks' partial sums, one after the other. */
static void gather_partials(const algebra_task *task) {
    int64_t width = task->dx->columns, chunks = dgmi_nn_row_chunks(task->y);
    for (int64_t j = 0; j < width; j++) {
        double sum = task->add ? task->dx->values[j] : 0;
        for (int64_t chunk = 0; chunk < chunks; chunk++)
            sum += task->partials[chunk * width + j];
        task->dx->values[j] = (float)sum;
    }
}

static void algebra_backward_side(dgmi_nn_tape *tape, dgmi_nn_node *node, int side) {
    const dgmi_table_tensor *a = &node->inputs[0]->value, *b = &node->inputs[1]->value;
    algebra_task task = {.kind = *(const dgmi_nn_algebra *)node->state,
                         .y = &node->gradient,
                         .a = operand_of(a, &node->value),
                         .b = operand_of(b, &node->value),
                         .side = side};
    task.dx = dgmi_nn_node_gradient(tape, node, side, &task.add);
    if (!task.dx)
        return;
    bool repeated = task.dx->rows != node->value.rows;
    if (repeated) {
        int64_t count = dgmi_nn_row_chunks(task.y) * task.dx->columns;
        task.partials = dgmi_nn_tape_memory(tape, count, sizeof *task.partials);
        if (!task.partials)
            return;
    }
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.y, slope_chunk, &task);
    if (repeated)
        gather_partials(&task);
}

static void algebra_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    algebra_backward_side(tape, node, 0);
    algebra_backward_side(tape, node, 1);
}

static const dgmi_nn_op algebra_ops[] = {
    [DGMI_NN_ADD] = {"add", algebra_backward},
    [DGMI_NN_SUBTRACT] = {"subtract", algebra_backward},
    [DGMI_NN_MULTIPLY] = {"multiply", algebra_backward},
    [DGMI_NN_DIVIDE] = {"divide", algebra_backward},
};

/* The size that both have, or are repeated to; -1 if there is none. */
static int64_t common_size(int64_t a, int64_t b) {
    if (a == b || b == 1)
        return a;
    return a == 1 ? b : -1;
}

dgmi_nn_node *dgmi_nn_op_algebra(dgmi_nn_tape *tape, dgmi_nn_algebra kind, dgmi_nn_node *a,
                                 dgmi_nn_node *b) {
    if (!a || !b)
        return NULL;
    int64_t rows = common_size(a->value.rows, b->value.rows);
    int64_t columns = common_size(a->value.columns, b->value.columns);
    if (rows < 0 || columns < 0) {
        dgmi_nn_tape_fail(tape, "%s: %lld x %lld numbers meet %lld x %lld", algebra_ops[kind].name,
                          (long long)a->value.rows, (long long)a->value.columns,
                          (long long)b->value.rows, (long long)b->value.columns);
        return NULL;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &algebra_ops[kind], rows, columns, 2,
                                           (dgmi_nn_node *const[]){a, b});
    dgmi_nn_algebra *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = kind;
    node->state = state;
    algebra_task task = {.kind = kind,
                         .y = &node->value,
                         .a = operand_of(&a->value, &node->value),
                         .b = operand_of(&b->value, &node->value)};
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.y, combine_chunk, &task);
    return node;
}

/* ---- a multiple ---- */

static void scale_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (dx)
        dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), *(const float *)node->state,
                                         dgmi_table_tensor_count(dx), node->gradient.values, add,
                                         dx->values);
}

static const dgmi_nn_op scale_op = {"scale", scale_backward};

dgmi_nn_node *dgmi_nn_op_scale(dgmi_nn_tape *tape, float factor, dgmi_nn_node *x) {
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &scale_op, x->value.rows, x->value.columns, 1, &x) : NULL;
    float *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = factor;
    node->state = state;
    dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), factor,
                                     dgmi_table_tensor_count(&x->value), x->value.values, false,
                                     node->value.values);
    return node;
}

/* ---- curves whose slope needs the argument ---- */

typedef enum curve { SQUARE, ROOT, LOGARITHM } curve;

typedef struct curve_task {
    curve f;
    const dgmi_table_tensor *x;
    const float *y, *dy;
    float *to; /* y or dx */
    bool add;
} curve_task;

static void curve_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const curve_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    const float *x = task->x->values;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; i < end * columns; i++)
        task->to[i] = task->f == SQUARE ? x[i] * x[i] : task->f == ROOT ? sqrtf(x[i]) : logf(x[i]);
}

/* 2 x, 1 / (2 y) or 0 where y is 0, 1 / x */
static float curve_slope(curve f, float x, float y) {
    if (f == SQUARE)
        return 2 * x;
    if (f == ROOT)
        return y > 0 ? 0.5F / y : 0;
    return 1 / x;
}

static void curve_slope_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const curve_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; i < end * columns; i++) {
        float slope = task->dy[i] * curve_slope(task->f, task->x->values[i], task->y[i]);
        task->to[i] = task->add ? task->to[i] + slope : slope;
    }
}

static void curve_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    curve_task task = {.f = *(const curve *)node->state,
                       .x = &node->inputs[0]->value,
                       .y = node->value.values,
                       .dy = node->gradient.values};
    dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (!dx)
        return;
    task.to = dx->values;
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, curve_slope_chunk, &task);
}

static const dgmi_nn_op curve_ops[] = {
    [SQUARE] = {"square", curve_backward},
    [ROOT] = {"root", curve_backward},
    [LOGARITHM] = {"log", curve_backward},
};

static dgmi_nn_node *draw_curve(dgmi_nn_tape *tape, curve f, dgmi_nn_node *x) {
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &curve_ops[f], x->value.rows, x->value.columns, 1, &x) : NULL;
    curve *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = f;
    node->state = state;
    curve_task task = {.f = f, .x = &x->value, .to = node->value.values};
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, curve_chunk, &task);
    return node;
}

dgmi_nn_node *dgmi_nn_op_square(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    return draw_curve(tape, SQUARE, x);
}

dgmi_nn_node *dgmi_nn_op_root(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    return draw_curve(tape, ROOT, x);
}

dgmi_nn_node *dgmi_nn_op_log(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    return draw_curve(tape, LOGARITHM, x);
}
