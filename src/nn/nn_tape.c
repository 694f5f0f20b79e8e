/* SPDX-License-Identifier: Apache-2.0 */
/* The tape of reverse-mode differentiation (nn_tape.h): its nodes, memory and backward pass. */
#include "nn_tape.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

/* In builds for tests every tensor has a block of its own, as scratch arrays have (base_memory.c):
 * memory can end at each of them, and a sanitizer sees what runs over its end. */
#ifdef DGMI_SCRATCH_ALONE
enum { USUAL_BLOCK = 0 };
#else
enum { USUAL_BLOCK = 1 << 18 };
#endif
enum { LINE = 64 };

/* Memory that is kept: a list of blocks, filled in order and again after a rewind. */
typedef struct block {
    struct block *next;
    size_t size, used;
    char *bytes;
} block;

struct dgmi_nn_tape {
    dgm_context *ctx;
    const dgmi_kernels *kernels;
    dgm_status status;
    dgmi_nn_node *last; /* node written */
    dgmi_nn_node *last_weight;
    block *first, *current;
    size_t next_block; /* the least size of the next block; 0: the usual one */
    int64_t held;      /* the size of all blocks */
    int64_t bytes;     /* the most that it ever was */
};

dgm_status dgmi_nn_tape_create(dgm_context *ctx, dgmi_nn_tape **out) {
    assert(ctx && out);
    *out = NULL;
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status != DGM_OK)
        return status;
    *out = dgmi_alloc_zero(ctx, 1, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    (*out)->ctx = ctx;
    (*out)->kernels = dgmi_kernels_find(NULL);
    return DGM_OK;
}

static void free_blocks(dgmi_nn_tape *tape) {
    for (block *at = tape->first, *next; at; at = next) {
        next = at->next;
        dgmi_free(tape->ctx, at);
    }
    tape->first = tape->current = NULL;
    tape->held = 0;
}

void dgmi_nn_tape_free(dgmi_nn_tape *tape) {
    if (!tape)
        return;
    free_blocks(tape);
    dgmi_free(tape->ctx, tape);
}

void dgmi_nn_tape_rewind(dgmi_nn_tape *tape) {
    for (block *at = tape->first; at; at = at->next)
        at->used = 0;
    tape->current = tape->first;
    tape->last = tape->last_weight = NULL;
    tape->status = DGM_OK;
}

void dgmi_nn_tape_rewind_whole(dgmi_nn_tape *tape) {
    size_t used = 0;
    for (const block *at = tape->first; at; at = at->next)
        used += at->used;
    if (tape->first && tape->first->next) {
        free_blocks(tape);
        tape->next_block = used + used / 4;
    }
    dgmi_nn_tape_rewind(tape);
}

dgm_status dgmi_nn_tape_status(const dgmi_nn_tape *tape) {
    return tape->status;
}

dgm_context *dgmi_nn_tape_context(const dgmi_nn_tape *tape) {
    return tape->ctx;
}

const dgmi_kernels *dgmi_nn_tape_kernels(const dgmi_nn_tape *tape) {
    return tape->kernels;
}

void dgmi_nn_tape_set_kernels(dgmi_nn_tape *tape, const dgmi_kernels *kernels) {
    assert(kernels);
    tape->kernels = kernels;
}

int64_t dgmi_nn_tape_bytes(const dgmi_nn_tape *tape) {
    return tape->bytes;
}

/* ---- memory ---- */

/* A new block after `current`; big tensors get one of their own. */
static dgm_status add_block(dgmi_nn_tape *tape, size_t need) {
    size_t size = need > USUAL_BLOCK / 2 ? need : USUAL_BLOCK;
    size = size < tape->next_block ? tape->next_block : size;
    tape->next_block = 0;
    block *made = dgmi_alloc(tape->ctx, (int64_t)(sizeof(block) + LINE + size), 1);
    if (!made)
        return tape->status = DGM_ERROR_MEMORY;
    uintptr_t start = (uintptr_t)(made + 1);
    *made = (block){.size = size, .bytes = (char *)(made + 1) + (LINE - start % LINE) % LINE};
    block **link = tape->current ? &tape->current->next : &tape->first;
    made->next = *link;
    *link = made;
    tape->current = made;
    assert((uintptr_t)made->bytes % LINE == 0);
    tape->held += (int64_t)size;
    tape->bytes = tape->held > tape->bytes ? tape->held : tape->bytes;
    return DGM_OK;
}

void *dgmi_nn_tape_memory(dgmi_nn_tape *tape, int64_t count, size_t size) {
    size_t need;
    if (tape->status != DGM_OK)
        return NULL;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &need) || need > SIZE_MAX / 2) {
        tape->status = dgmi_fail_memory(tape->ctx, count, size);
        return NULL;
    }
    need = (need + LINE - 1) / LINE * LINE;
    while (tape->current && tape->current->used + need > tape->current->size && tape->current->next)
        tape->current = tape->current->next;
    if (!tape->current || tape->current->used + need > tape->current->size)
        if (add_block(tape, need) != DGM_OK)
            return NULL;
    void *memory = tape->current->bytes + tape->current->used;
    assert((uintptr_t)memory % LINE == 0 && tape->current->used + need <= tape->current->size);
    tape->current->used += need;
    return memory;
}

/* ---- nodes ---- */

dgm_status dgmi_nn_tape_fail(dgmi_nn_tape *tape, const char *format, ...) {
    char message[512];
    va_list arguments;
    if (tape->status != DGM_OK)
        return tape->status;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tape->status = dgmi_fail(tape->ctx, DGM_ERROR_DATA, "%s", message);
}

static dgmi_nn_node *write_node(dgmi_nn_tape *tape, dgmi_nn_node node) {
    assert(node.value.rows >= 0 && node.value.columns >= 0);
    dgmi_nn_node *written = dgmi_nn_tape_memory(tape, 1, sizeof *written);
    if (!written)
        return NULL;
    node.gradient.rows = node.value.rows;
    node.gradient.columns = node.value.columns;
    node.before = tape->last;
    *written = node;
    return tape->last = written;
}

dgmi_nn_node *dgmi_nn_tape_constant(dgmi_nn_tape *tape, int64_t rows, int64_t columns,
                                    const float *values) {
    float *sight; /* never written through: it wants no gradient */
    memcpy(&sight, &values, sizeof sight);
    return write_node(tape, (dgmi_nn_node){.value = {rows, columns, sight}});
}

dgmi_nn_node *dgmi_nn_tape_weight(dgmi_nn_tape *tape, int64_t rows, int64_t columns, float *values,
                                  float *gradient) {
    for (dgmi_nn_node *known = tape->last_weight; known; known = known->weight_before)
        if (known->value.values == values && tape->status == DGM_OK)
            return known;
    dgmi_nn_node *node = write_node(
        tape, (dgmi_nn_node){.value = {rows, columns, values}, .wants_gradient = gradient != NULL});
    if (!node)
        return NULL;
    node->gradient.values = gradient;
    node->weight_before = tape->last_weight;
    return tape->last_weight = node;
}

dgmi_nn_node *dgmi_nn_tape_node(dgmi_nn_tape *tape, const dgmi_nn_op *op, int64_t rows,
                                int64_t columns, int count, dgmi_nn_node *const *inputs) {
    dgmi_nn_node node = {.op = op, .value = {rows, columns, NULL}};
    assert(op && op->backward && count >= 0 && count <= DGMI_NN_MOST_INPUTS);
    for (int k = 0; k < count; k++) {
        if (!inputs[k])
            return NULL;
        node.inputs[k] = inputs[k];
        node.wants_gradient |= inputs[k]->wants_gradient;
    }
    int64_t cells;
    if (__builtin_mul_overflow(rows, columns, &cells)) {
        dgmi_nn_tape_fail(tape, "%s: a tensor of %lld x %lld numbers is too large", op->name,
                          (long long)rows, (long long)columns);
        return NULL;
    }
    node.value.values = dgmi_nn_tape_memory(tape, cells, sizeof(float));
    return node.value.values ? write_node(tape, node) : NULL;
}

dgmi_nn_node *dgmi_nn_tape_node_over(dgmi_nn_tape *tape, const dgmi_nn_op *op, int count,
                                     dgmi_nn_node *const *inputs) {
    dgmi_nn_node node = {.op = op};
    assert(op && op->backward && count > 0 && count <= DGMI_NN_MOST_INPUTS);
    for (int k = 0; k < count; k++) {
        if (!inputs[k])
            return NULL;
        node.inputs[k] = inputs[k];
        node.wants_gradient |= inputs[k]->wants_gradient;
    }
    node.value = inputs[0]->value;
    return write_node(tape, node);
}

dgmi_table_tensor *dgmi_nn_node_gradient(dgmi_nn_tape *tape, dgmi_nn_node *node, int k, bool *add) {
    assert(k >= 0 && k < DGMI_NN_MOST_INPUTS);
    dgmi_nn_node *input = node->inputs[k];
    if (!input || !input->wants_gradient || tape->status != DGM_OK)
        return NULL;
    if (!input->gradient.values)
        input->gradient.values =
            dgmi_nn_tape_memory(tape, dgmi_table_tensor_count(&input->value), sizeof(float));
    if (!input->gradient.values)
        return NULL;
    *add = input->touched;
    assert(input->gradient.rows == input->value.rows &&
           input->gradient.columns == input->value.columns);
    input->touched = true;
    return &input->gradient;
}

dgmi_table_tensor *dgmi_nn_node_gradient_over(dgmi_nn_tape *tape, dgmi_nn_node *node, int k,
                                              bool *add) {
    dgmi_nn_node *input = node->inputs[k];
    assert(!input ||
           dgmi_table_tensor_count(&input->value) == dgmi_table_tensor_count(&node->value));
    if (input && input->wants_gradient && !input->gradient.values)
        input->gradient.values = node->gradient.values;
    return dgmi_nn_node_gradient(tape, node, k, add);
}

/* ---- backwards ---- */

/* Weights that the loss does not depend on. */
static void clear_untouched(dgmi_nn_tape *tape) {
    for (dgmi_nn_node *node = tape->last_weight; node; node = node->weight_before)
        if (node->wants_gradient && !node->touched)
            memset(node->gradient.values, 0,
                   (size_t)dgmi_table_tensor_count(&node->value) * sizeof(float));
}

/* What an earlier backward pass left, where nodes may share memory. */
static void forget_gradients(dgmi_nn_tape *tape) {
    for (dgmi_nn_node *node = tape->last; node; node = node->before) {
        node->touched = false;
        if (node->op)
            node->gradient.values = NULL;
    }
}

dgm_status dgmi_nn_tape_backward(dgmi_nn_tape *tape, dgmi_nn_node *loss) {
    if (tape->status != DGM_OK)
        return tape->status;
    if (!loss)
        return dgmi_nn_tape_fail(tape, "there is nothing to differentiate");
    if (loss->value.rows != 1 || loss->value.columns != 1)
        return dgmi_nn_tape_fail(tape, "only a single number can be differentiated");
    forget_gradients(tape);
    if (!loss->gradient.values) /* a weight has its own */
        loss->gradient.values = dgmi_nn_tape_memory(tape, 1, sizeof(float));
    if (!loss->gradient.values)
        return tape->status;
    loss->gradient.values[0] = 1;
    loss->touched = true;
    for (dgmi_nn_node *node = loss; node && tape->status == DGM_OK; node = node->before)
        if (node->op && node->touched)
            node->op->backward(tape, node);
    clear_untouched(tape);
    return tape->status;
}
