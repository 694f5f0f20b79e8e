/* SPDX-License-Identifier: Apache-2.0 */
/* Answers the calls about a pooling, and multiplies the assignments of its steps. */
#include "pool_pooling.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "mapper_membership.h"

void dgm_pooling_free(dgm_pooling *pooling) {
    if (!pooling)
        return;
    dgm_allocator allocator = pooling->allocator;
    for (int l = 0; l < DGMI_POOL_MOST_STEPS; l++) {
        dgm_membership_free(pooling->parts[l].assignment);
        dgm_graph_free(pooling->parts[l].graph);
        dgm_matrix_free(pooling->parts[l].features);
        dgm_matrix_free(pooling->parts[l].lens);
    }
    dgm_matrix_free(pooling->scores);
    dgmi_allocator_free(&allocator, pooling);
}

int64_t dgm_pooling_steps(const dgm_pooling *pooling) {
    return pooling->steps;
}

const char *dgm_pooling_specification(const dgm_pooling *pooling) {
    return pooling->pool;
}

bool dgm_pooling_trained(const dgm_pooling *pooling) {
    return pooling->trained;
}

const dgm_matrix *dgm_pooling_scores(const dgm_pooling *pooling) {
    return pooling->scores;
}

dgm_pool_step dgm_pooling_get_step(const dgm_pooling *pooling, int64_t step) {
    const dgmi_pool_part *part = &pooling->parts[step];
    dgm_pool_step out = {part->assignment,
                         part->graph,
                         part->features,
                         part->lens,
                         {part->losses[0], part->losses[1]},
                         {NULL, NULL}};
    if (pooling->method == DGM_POOL_MINCUT) {
        out.loss_names[0] = "cut";
        out.loss_names[1] = "orthogonality";
    } else if (pooling->method == DGM_POOL_DIFFPOOL) {
        out.loss_names[0] = "link";
        out.loss_names[1] = "entropy";
    }
    return out;
}

/* ---- the product of two assignments ---- */

typedef struct product {
    const dgm_membership *left, *right;
    double *row; /* by column of the right one */
    bool *seen;
    dgm_membership *out; /* NULL: entries are only counted */
} product;

static void add_row(const product *p, int64_t u) {
    for (int64_t i = p->left->offsets[u]; i < p->left->offsets[u + 1]; i++) {
        int64_t k = p->left->columns[i];
        for (int64_t j = p->right->offsets[k]; j < p->right->offsets[k + 1]; j++) {
            p->row[p->right->columns[j]] += p->left->values[i] * p->right->values[j];
            p->seen[p->right->columns[j]] = true;
        }
    }
}

/* Takes what a row has, and returns where the next one begins. */
static int64_t take_row(const product *p, int64_t at) {
    for (int64_t c = 0; c < p->right->clusters; c++) {
        if (!p->seen[c])
            continue;
        if (p->out) {
            p->out->columns[at] = (uint32_t)c;
            p->out->values[at] = p->row[c];
        }
        at++;
        p->row[c] = 0;
        p->seen[c] = false;
    }
    return at;
}

static int64_t multiply_rows(const product *p) {
    int64_t at = 0;
    for (int64_t u = 0; u < p->left->nodes; u++) {
        add_row(p, u);
        at = take_row(p, at);
        if (p->out)
            p->out->offsets[u + 1] = at;
    }
    return at;
}

static dgm_status multiply(dgm_context *ctx, const dgm_membership *left,
                           const dgm_membership *right, dgm_membership **out) {
    assert(left && right);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    product p = {left, right, dgmi_scratch_zero(ctx, right->clusters, sizeof *p.row),
                 dgmi_scratch_zero(ctx, right->clusters, sizeof *p.seen), NULL};
    dgm_status status = p.row && p.seen ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status =
            dgmi_mapper_membership_alloc(ctx, left->nodes, right->clusters, multiply_rows(&p), out);
    p.out = *out;
    if (status == DGM_OK)
        multiply_rows(&p);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status fail_step(dgm_context *ctx, const dgm_pooling *pooling, int64_t step) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no step %lld: the graph was pooled %lld times",
                     (long long)step, (long long)pooling->steps);
}

dgm_status dgm_pooling_assignment(dgm_context *ctx, const dgm_pooling *pooling, int64_t step,
                                  dgm_membership **out) {
    *out = NULL;
    if (step < 0 || step >= pooling->steps)
        return fail_step(ctx, pooling, step);
    dgm_membership_rows first = dgm_membership_get_rows(pooling->parts[0].assignment);
    dgm_status status = dgm_membership_create(ctx, &first, out);
    for (int64_t l = 1; status == DGM_OK && l <= step; l++) {
        dgm_membership *before = *out;
        *out = NULL;
        status = multiply(ctx, before, pooling->parts[l].assignment, out);
        dgm_membership_free(before);
    }
    return status;
}
