/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the graphs of a batch out of the bank. A copy costs a few bytes per entry, and the products
 * that follow cost hundreds. */
#include "pool_batch.h"

#include <assert.h>
#include <string.h>

bool dgmi_pool_batch_make(dgmi_nn_tape *tape, const dgmi_pool_bank *bank, const int64_t *list,
                          int64_t graphs, dgmi_pool_batch *out) {
    *out = (dgmi_pool_batch){.bank = bank, .tape = tape, .graphs = graphs, .list = list};
    for (int l = 0; l < bank->levels; l++) {
        int64_t *starts = dgmi_nn_tape_memory(tape, graphs + 1, sizeof *starts);
        if (!starts)
            return false;
        starts[0] = 0;
        for (int64_t i = 0; i < graphs; i++) {
            const int64_t *from = bank->level[l].starts + list[i];
            starts[i + 1] = starts[i] + from[1] - from[0];
        }
        out->starts[l] = starts;
    }
    return true;
}

/* Which rows of a stack are copied, and by how much columns are shifted. */
typedef struct copy {
    const dgmi_pool_batch *batch;
    dgmi_pool_rows stack;
    int rows, columns; /* the levels that these are nodes of; columns -1: they are features */
    int64_t width;     /* the number of columns of the result */
} copy;

static int64_t count_entries(const copy *c) {
    const int64_t *starts = c->batch->bank->level[c->rows].starts;
    int64_t entries = 0;
    for (int64_t i = 0; i < c->batch->graphs; i++) {
        int64_t graph = c->batch->list[i];
        entries += c->stack.offsets[starts[graph + 1]] - c->stack.offsets[starts[graph]];
    }
    return entries;
}

static void copy_graph(const copy *c, int64_t i, dgmi_pool_stack *to) {
    const dgmi_pool_batch *batch = c->batch;
    const dgmi_pool_level *levels = batch->bank->level;
    int64_t graph = batch->list[i];
    int64_t begin = levels[c->rows].starts[graph], end = levels[c->rows].starts[graph + 1];
    int64_t row = batch->starts[c->rows][i];
    int64_t first = c->stack.offsets[begin], count = c->stack.offsets[end] - first;
    int64_t at = to->offsets[row];
    for (int64_t u = begin; u < end; u++)
        to->offsets[row + u - begin + 1] = at + c->stack.offsets[u + 1] - first;
    uint32_t shift = 0; /* modulo 2^32 */
    if (c->columns >= 0)
        shift = (uint32_t)(batch->starts[c->columns][i] - levels[c->columns].starts[graph]);
    for (int64_t e = 0; e < count; e++)
        to->indices[at + e] = c->stack.indices[first + e] + shift;
    if (to->values && count)
        memcpy(to->values + at, c->stack.values + first, (size_t)count * sizeof *to->values);
}

static bool copy_rows(const copy *c, dgmi_table_csr *out) {
    dgmi_nn_tape *tape = c->batch->tape;
    int64_t rows = c->batch->starts[c->rows][c->batch->graphs], entries = count_entries(c);
    dgmi_pool_stack to = {.offsets = dgmi_nn_tape_memory(tape, rows + 1, sizeof *to.offsets),
                          .indices = dgmi_nn_tape_memory(tape, entries, sizeof *to.indices)};
    if (c->stack.values)
        to.values = dgmi_nn_tape_memory(tape, entries, sizeof *to.values);
    if (!to.offsets || !to.indices || (c->stack.values && !to.values))
        return false;
    to.offsets[0] = 0;
    for (int64_t i = 0; i < c->batch->graphs; i++)
        copy_graph(c, i, &to);
    *out = (dgmi_table_csr){rows, c->width, to.offsets, to.indices, to.values};
    return true;
}

static int64_t count_nodes(const dgmi_pool_batch *batch, int level) {
    return batch->starts[level][batch->graphs];
}

static const dgmi_nn_sparse *copy_symmetric(const dgmi_pool_batch *batch, dgmi_pool_rows stack,
                                            int level) {
    dgmi_nn_sparse *sparse = dgmi_nn_tape_memory(batch->tape, 1, sizeof *sparse);
    const copy c = {batch, stack, level, level, count_nodes(batch, level)};
    if (!sparse)
        return NULL;
    *sparse = (dgmi_nn_sparse){0};
    if (!copy_rows(&c, &sparse->matrix))
        return NULL;
    sparse->transpose = sparse->matrix;
    return sparse;
}

const dgmi_nn_sparse *dgmi_pool_batch_propagation(const dgmi_pool_batch *batch, int level) {
    return copy_symmetric(batch, dgmi_pool_stack_rows(&batch->bank->level[level].propagation),
                          level);
}

const dgmi_nn_sparse *dgmi_pool_batch_adjacency(const dgmi_pool_batch *batch) {
    return copy_symmetric(batch, batch->bank->adjacency, 0);
}

const dgmi_nn_sparse *dgmi_pool_batch_down(const dgmi_pool_batch *batch, int level) {
    const dgmi_pool_level *from = &batch->bank->level[level];
    dgmi_nn_sparse *sparse = dgmi_nn_tape_memory(batch->tape, 1, sizeof *sparse);
    const copy down = {batch, dgmi_pool_stack_rows(&from->down), level + 1, level,
                       count_nodes(batch, level)};
    const copy up = {batch, dgmi_pool_stack_rows(&from->up), level, level + 1,
                     count_nodes(batch, level + 1)};
    if (!sparse)
        return NULL;
    *sparse = (dgmi_nn_sparse){0};
    return copy_rows(&down, &sparse->matrix) && copy_rows(&up, &sparse->transpose) ? sparse : NULL;
}

/* The transpose by counting, for the gradient of the first layer's weights. */
static bool turn(dgmi_nn_tape *tape, const dgmi_table_csr *from, dgmi_table_csr *out) {
    int64_t entries = dgmi_table_csr_entries(from), columns = from->columns;
    assert(from->values);
    int64_t *offsets = dgmi_nn_tape_memory(tape, columns + 2, sizeof *offsets);
    uint32_t *indices = dgmi_nn_tape_memory(tape, entries, sizeof *indices);
    float *values = dgmi_nn_tape_memory(tape, entries, sizeof *values);
    if (!offsets || !indices || !values)
        return false;
    memset(offsets, 0, (size_t)(columns + 2) * sizeof *offsets);
    for (int64_t e = 0; e < entries; e++)
        offsets[from->indices[e] + 2]++;
    for (int64_t j = 0; j < columns; j++)
        offsets[j + 2] += offsets[j + 1];
    for (int64_t i = 0; i < from->rows; i++)
        for (int64_t e = from->offsets[i]; e < from->offsets[i + 1]; e++) {
            int64_t at = offsets[from->indices[e] + 1]++;
            indices[at] = (uint32_t)i;
            values[at] = from->values[e];
        }
    *out = (dgmi_table_csr){columns, from->rows, offsets, indices, values};
    return true;
}

const dgmi_nn_sparse *dgmi_pool_batch_features(const dgmi_pool_batch *batch,
                                               const dgmi_pool_stack *stack) {
    dgmi_nn_sparse *sparse = dgmi_nn_tape_memory(batch->tape, 1, sizeof *sparse);
    const copy c = {batch, dgmi_pool_stack_rows(stack), 0, -1, batch->bank->width};
    if (!sparse)
        return NULL;
    *sparse = (dgmi_nn_sparse){0};
    if (!copy_rows(&c, &sparse->matrix))
        return NULL;
    return turn(batch->tape, &sparse->matrix, &sparse->transpose) ? sparse : NULL;
}

dgmi_nn_node *dgmi_pool_constant(dgmi_nn_tape *tape, int64_t rows, int64_t columns, float value) {
    float *values = dgmi_nn_tape_memory(tape, rows * columns, sizeof *values);
    for (int64_t i = 0; values && i < rows * columns; i++)
        values[i] = value;
    return values ? dgmi_nn_tape_constant(tape, rows, columns, values) : NULL;
}
