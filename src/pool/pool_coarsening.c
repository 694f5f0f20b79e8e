/* SPDX-License-Identifier: Apache-2.0 */
/* Pooling inside a network of the caller's: Y = S'X and W = S'AS, forwards and backwards.
 *
 * W is two sparse products, T = A S and W = S'T. Where their entries are depends on where those of S
 * and A are, and not on their values, so the patterns are found once. */
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "dgm/pool.h"

/* Where the entries of a sparse matrix are, by rows. */
typedef struct pattern {
    int64_t rows, columns;
    int64_t *offsets;
    uint32_t *indices;
    uint32_t *positions; /* where the value of each entry is; NULL: they are in the same order */
} pattern;

struct dgm_coarsening {
    dgm_allocator allocator;
    pattern s, turned;      /* S and S' */
    pattern a;              /* A: the targets of edges by their sources */
    pattern spread, pooled; /* T and W */
    uint32_t *ends;         /* of the entries of W, in pairs */
};

/* ---- patterns ---- */

static dgm_status alloc_pattern(dgm_context *ctx, int64_t rows, int64_t columns, int64_t entries,
                                bool moved, pattern *out) {
    *out = (pattern){.rows = rows, .columns = columns};
    out->offsets = dgmi_alloc_zero(ctx, rows + 1, sizeof *out->offsets);
    out->indices = dgmi_alloc(ctx, entries, sizeof *out->indices);
    out->positions = moved ? dgmi_alloc(ctx, entries, sizeof *out->positions) : NULL;
    return out->offsets && out->indices && (out->positions || !moved) ? DGM_OK : DGM_ERROR_MEMORY;
}

static void free_pattern(const dgm_allocator *allocator, pattern *is) {
    dgmi_allocator_free(allocator, is->offsets);
    dgmi_allocator_free(allocator, is->indices);
    dgmi_allocator_free(allocator, is->positions);
}

static int64_t entries_of(const pattern *is) {
    return is->offsets[is->rows];
}

/* Entries in any order become rows, by counting: entry e is in row rows[stride e] and in column
 * columns[stride e]. */
static void sort_entries(int64_t entries, int stride, const uint32_t *rows, const uint32_t *columns,
                         pattern *out) {
    int64_t *offsets = out->offsets;
    for (int64_t e = 0; e < entries; e++)
        offsets[rows[stride * e] + 1]++;
    for (int64_t i = 0; i < out->rows; i++)
        offsets[i + 1] += offsets[i];
    for (int64_t e = 0; e < entries; e++) {
        int64_t at = offsets[rows[stride * e]]++;
        out->indices[at] = columns[stride * e];
        out->positions[at] = (uint32_t)e;
    }
    memmove(offsets + 1, offsets, (size_t)out->rows * sizeof *offsets);
    offsets[0] = 0;
}

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* Lists the columns of row i of a b, each once; `seen` holds which row has seen a column last. NULL
 * for `to` only counts them. */
static int64_t list_row(const pattern *a, const pattern *b, int64_t i, int64_t *seen,
                        uint32_t *to) {
    int64_t count = 0;
    for (int64_t e = a->offsets[i]; e < a->offsets[i + 1]; e++)
        for (int64_t f = b->offsets[a->indices[e]]; f < b->offsets[a->indices[e] + 1]; f++) {
            uint32_t column = b->indices[f];
            if (seen[column] == i)
                continue;
            seen[column] = i;
            if (to)
                to[count] = column;
            count++;
        }
    return count;
}

/* Makes the pattern of a b. */
static dgm_status match_product(dgm_context *ctx, const pattern *a, const pattern *b,
                                pattern *out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *seen = dgmi_scratch(ctx, b->columns, sizeof *seen), entries = 0;
    dgm_status status = seen ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t j = 0; seen && j < b->columns; j++)
        seen[j] = -1;
    for (int64_t i = 0; seen && i < a->rows; i++)
        entries += list_row(a, b, i, seen, NULL);
    if (status == DGM_OK)
        status = alloc_pattern(ctx, a->rows, b->columns, entries, false, out);
    for (int64_t j = 0; status == DGM_OK && j < b->columns; j++)
        seen[j] = -1;
    for (int64_t i = 0; status == DGM_OK && i < a->rows; i++) {
        uint32_t *row = out->indices + out->offsets[i];
        int64_t count = list_row(a, b, i, seen, row);
        qsort(row, (size_t)count, sizeof *row, by_number);
        out->offsets[i + 1] = out->offsets[i] + count;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- making one ---- */

static dgm_status copy_assignment(dgm_context *ctx, const dgm_membership_rows *from,
                                  dgm_coarsening *to) {
    int64_t entries = from->offsets[from->nodes];
    dgm_status status = alloc_pattern(ctx, from->nodes, from->clusters, entries, false, &to->s);
    if (status == DGM_OK)
        status = alloc_pattern(ctx, from->clusters, from->nodes, entries, true, &to->turned);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *rows = dgmi_scratch(ctx, entries, sizeof *rows);
    for (int64_t u = 0; rows && u < from->nodes; u++) {
        to->s.offsets[u + 1] = from->offsets[u + 1];
        for (int64_t i = from->offsets[u]; i < from->offsets[u + 1]; i++) {
            to->s.indices[i] = from->columns[i];
            rows[i] = (uint32_t)u;
        }
    }
    if (rows)
        sort_entries(entries, 1, to->s.indices, rows, &to->turned);
    dgmi_arena_release(ctx, hold);
    return rows ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status list_ends(dgm_context *ctx, dgm_coarsening *to) {
    const pattern *w = &to->pooled;
    to->ends = dgmi_alloc(ctx, 2 * entries_of(w), sizeof *to->ends);
    for (int64_t i = 0; to->ends && i < w->rows; i++)
        for (int64_t e = w->offsets[i]; e < w->offsets[i + 1]; e++) {
            to->ends[2 * e] = (uint32_t)i;
            to->ends[2 * e + 1] = w->indices[e];
        }
    return to->ends ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status fill(dgm_context *ctx, const dgm_membership_rows *assignment, int64_t edges,
                       const uint32_t *ends, dgm_coarsening *to) {
    dgm_status status = copy_assignment(ctx, assignment, to);
    if (status == DGM_OK)
        status = alloc_pattern(ctx, assignment->nodes, assignment->nodes, edges, true, &to->a);
    if (status == DGM_OK) {
        sort_entries(edges, 2, ends, ends + 1, &to->a);
        status = match_product(ctx, &to->a, &to->s, &to->spread);
    }
    if (status == DGM_OK)
        status = match_product(ctx, &to->turned, &to->spread, &to->pooled);
    return status == DGM_OK ? list_ends(ctx, to) : status;
}

static dgm_status check(dgm_context *ctx, const dgm_membership_rows *rows, int64_t edges,
                        const uint32_t *ends) {
    int64_t entries = rows->offsets[rows->nodes];
    if (rows->nodes > DGM_MAX_NODES || rows->clusters > DGM_MAX_NODES || entries > UINT32_MAX ||
        edges > UINT32_MAX)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph is too large to be pooled in one piece");
    for (int64_t i = 0; i < entries; i++)
        if (rows->columns[i] >= rows->clusters)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the assignment names cluster %u of %lld clusters", rows->columns[i],
                             (long long)rows->clusters);
    for (int64_t e = 0; e < 2 * edges; e++)
        if (ends[e] >= rows->nodes)
            return dgmi_fail(ctx, DGM_ERROR_DATA, "edge %lld has node %u, and there are %lld nodes",
                             (long long)(e / 2), ends[e], (long long)rows->nodes);
    return DGM_OK;
}

dgm_status dgm_coarsening_create(dgm_context *ctx, const dgm_membership_rows *assignment,
                                 int64_t edges, const uint32_t *ends, dgm_coarsening **out) {
    *out = NULL;
    dgm_status status = check(ctx, assignment, edges, ends);
    dgm_coarsening *made = status == DGM_OK ? dgmi_alloc_zero(ctx, 1, sizeof *made) : NULL;
    if (!made)
        return status == DGM_OK ? DGM_ERROR_MEMORY : status;
    made->allocator = ctx->allocator;
    status = fill(ctx, assignment, edges, ends, made);
    if (status == DGM_OK)
        *out = made;
    else
        dgm_coarsening_free(made);
    return status;
}

void dgm_coarsening_free(dgm_coarsening *coarsening) {
    if (!coarsening)
        return;
    const dgm_allocator allocator = coarsening->allocator;
    free_pattern(&allocator, &coarsening->s);
    free_pattern(&allocator, &coarsening->turned);
    free_pattern(&allocator, &coarsening->a);
    free_pattern(&allocator, &coarsening->spread);
    free_pattern(&allocator, &coarsening->pooled);
    dgmi_allocator_free(&allocator, coarsening->ends);
    dgmi_allocator_free(&allocator, coarsening);
}

const uint32_t *dgm_coarsening_edges(const dgm_coarsening *coarsening, int64_t *count) {
    *count = entries_of(&coarsening->pooled);
    return coarsening->ends;
}

/* ---- features ---- */

enum { GRAIN = 64 }; /* rows of a chunk */

typedef struct feature_job {
    const pattern *by;      /* S' on the way there, S on the way back */
    const double *s, *from; /* the values of S, and the rows that are gathered */
    double *to;
    int64_t width;
} feature_job;

/* Row i of `to` is the sum of the rows of `from` that row i of the pattern names. */
static void gather_chunk(void *argument, int64_t chunk, int thread) {
    const feature_job *job = argument;
    const pattern *by = job->by;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(by->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double *to = job->to + i * job->width;
        memset(to, 0, (size_t)job->width * sizeof *to);
        for (int64_t e = by->offsets[i]; e < by->offsets[i + 1]; e++) {
            const double *from = job->from + by->indices[e] * job->width;
            double s = job->s[by->positions ? by->positions[e] : (uint32_t)e];
            for (int64_t j = 0; j < job->width; j++)
                to[j] += s * from[j];
        }
    }
}

static void gather(dgm_context *ctx, feature_job job) {
    dgmi_parallel(ctx, dgmi_chunks(job.by->rows, GRAIN), gather_chunk, &job);
}

/* dS_ip = x_i dY_p */
static void gather_backward(const pattern *s, int64_t width, const double *x, const double *dy,
                            double *ds) {
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t e = s->offsets[i]; e < s->offsets[i + 1]; e++)
            for (int64_t j = 0; j < width; j++)
                ds[e] += x[i * width + j] * dy[s->indices[e] * width + j];
}

/* ---- sparse products ---- */

/* A sparse matrix, and the derivative of the loss by its values. */
typedef struct factor {
    const pattern *at;
    const double *values; /* NULL: all 1 */
    double *gradient;     /* NULL: not wanted */
} factor;

static int64_t position_of(const pattern *at, int64_t entry) {
    return at->positions ? at->positions[entry] : entry;
}

static double value_of(const factor *is, int64_t entry) {
    return is->values ? is->values[position_of(is->at, entry)] : 1;
}

static void mark_row(const pattern *c, int64_t row, int64_t *place) {
    for (int64_t e = c->offsets[row]; e < c->offsets[row + 1]; e++)
        place[c->indices[e]] = e;
}

/* C = A B, of which the pattern is known. `place` says where the columns of a row are. */
static void multiply(const factor *a, const factor *b, const pattern *c, double *values,
                     int64_t *place) {
    memset(values, 0, (size_t)entries_of(c) * sizeof *values);
    for (int64_t i = 0; i < c->rows; i++) {
        mark_row(c, i, place);
        for (int64_t e = a->at->offsets[i]; e < a->at->offsets[i + 1]; e++) {
            int64_t k = a->at->indices[e];
            for (int64_t f = b->at->offsets[k]; f < b->at->offsets[k + 1]; f++)
                values[place[b->at->indices[f]]] += value_of(a, e) * value_of(b, f);
        }
    }
}

/* dA_ik += sum over j of dC_ij B_kj, and dB_kj += sum over i of A_ik dC_ij. */
static void multiply_backward(const factor *a, const factor *b, const pattern *c,
                              const double *gradient, int64_t *place) {
    for (int64_t i = 0; i < c->rows; i++) {
        mark_row(c, i, place);
        for (int64_t e = a->at->offsets[i]; e < a->at->offsets[i + 1]; e++) {
            int64_t k = a->at->indices[e];
            for (int64_t f = b->at->offsets[k]; f < b->at->offsets[k + 1]; f++) {
                double by = gradient[place[b->at->indices[f]]];
                if (a->gradient)
                    a->gradient[position_of(a->at, e)] += by * value_of(b, f);
                if (b->gradient)
                    b->gradient[position_of(b->at, f)] += by * value_of(a, e);
            }
        }
    }
}

/* ---- forwards and backwards ---- */

dgm_status dgm_coarsening_forward(dgm_context *ctx, const dgm_coarsening *coarsening,
                                  const dgm_coarsening_input *input,
                                  const dgm_coarsening_output *output) {
    const factor s = {.at = &coarsening->s, .values = input->assignment};
    const factor turned = {.at = &coarsening->turned, .values = input->assignment};
    const factor a = {.at = &coarsening->a, .values = input->weights};
    if (output->features)
        gather(ctx,
               (feature_job){turned.at, s.values, input->features, output->features, input->width});
    if (!output->weights)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *place = dgmi_scratch(ctx, s.at->columns, sizeof *place);
    double *spread = dgmi_scratch(ctx, entries_of(&coarsening->spread), sizeof *spread);
    if (place && spread) {
        const factor t = {.at = &coarsening->spread, .values = spread};
        multiply(&a, &s, t.at, spread, place);
        multiply(&turned, &t, &coarsening->pooled, output->weights, place);
    }
    dgmi_arena_release(ctx, hold);
    return place && spread ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Back through W = S'T and T = A S. */
static dgm_status weights_backward(dgm_context *ctx, const dgm_coarsening *coarsening,
                                   const dgm_coarsening_input *input, const double *by,
                                   const dgm_coarsening_gradient *gradient) {
    const factor s = {&coarsening->s, input->assignment, gradient->assignment};
    const factor turned = {&coarsening->turned, input->assignment, gradient->assignment};
    const factor a = {&coarsening->a, input->weights, gradient->weights};
    int64_t entries = entries_of(&coarsening->spread);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *place = dgmi_scratch(ctx, s.at->columns, sizeof *place);
    double *spread = dgmi_scratch(ctx, entries, sizeof *spread);
    double *to_spread = dgmi_scratch_zero(ctx, entries, sizeof *to_spread);
    if (place && spread && to_spread) {
        const factor t = {&coarsening->spread, spread, to_spread};
        multiply(&a, &s, t.at, spread, place);
        multiply_backward(&turned, &t, &coarsening->pooled, by, place);
        multiply_backward(&a, &s, t.at, to_spread, place);
    }
    dgmi_arena_release(ctx, hold);
    return place && spread && to_spread ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgm_coarsening_backward(dgm_context *ctx, const dgm_coarsening *coarsening,
                                   const dgm_coarsening_input *input,
                                   const dgm_coarsening_output *by,
                                   const dgm_coarsening_gradient *gradient) {
    const pattern *s = &coarsening->s;
    if (gradient->assignment)
        memset(gradient->assignment, 0, (size_t)entries_of(s) * sizeof(double));
    if (gradient->weights)
        memset(gradient->weights, 0, (size_t)entries_of(&coarsening->a) * sizeof(double));
    if (gradient->features && by->features)
        gather(ctx,
               (feature_job){s, input->assignment, by->features, gradient->features, input->width});
    else if (gradient->features)
        memset(gradient->features, 0, (size_t)(s->rows * input->width) * sizeof(double));
    if (gradient->assignment && by->features)
        gather_backward(s, input->width, input->features, by->features, gradient->assignment);
    return by->weights && (gradient->assignment || gradient->weights)
               ? weights_backward(ctx, coarsening, input, by->weights, gradient)
               : DGM_OK;
}
