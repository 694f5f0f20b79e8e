/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the bank: the graphs of a set as a network sees them, at all levels. */
#include "pool_bank.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "pool_assign.h"
#include "pool_features.h"
#include "pool_set.h"

/* ---- propagation ---- */

/* 1 / sqrt of the row sums of A + I. */
static void scale_rows(const dgm_graph_rows *rows, double *scale) {
    for (int64_t u = 0; u < rows->nodes; u++) {
        double sum = 1;
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            sum += rows->weights ? rows->weights[e] : 1;
        scale[u] = 1 / sqrt(sum);
    }
}

typedef struct propagation {
    dgm_graph_rows rows;
    const double *scale; /* NULL: GIN, which sums up neighbours whatever their weights are */
    int64_t first;       /* the number of node 0 in the level */
    dgmi_pool_stack *out;
    int64_t at;
} propagation;

static void put_entry(propagation *p, int64_t u, int64_t v, double weight) {
    p->out->indices[p->at] = (uint32_t)(p->first + v);
    p->out->values[p->at++] = (float)(p->scale ? weight * p->scale[u] * p->scale[v] : 1);
}

/* A row of A + I: the 1 goes to its place among the neighbours, or adds to a self-loop. */
static void put_row(propagation *p, int64_t u) {
    const dgm_graph_rows *rows = &p->rows;
    bool placed = false;
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        int64_t v = rows->targets[e];
        double weight = rows->weights ? rows->weights[e] : 1;
        if (v > u && !placed)
            put_entry(p, u, u, 1);
        placed = placed || v >= u;
        put_entry(p, u, v, v == u ? weight + 1 : weight);
    }
    if (!placed)
        put_entry(p, u, u, 1);
}

/* Appends the propagation of one graph, whose first node is `first` of the level, to a stack with
 * enough room. */
static dgm_status append_propagation(dgm_context *ctx, const dgm_graph *graph, int net,
                                     int64_t first, dgmi_pool_stack *out) {
    propagation p = {
        .rows = dgm_graph_get_rows(graph), .first = first, .out = out, .at = out->offsets[first]};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *scale = dgmi_scratch(ctx, p.rows.nodes, sizeof *scale);
    if (scale)
        scale_rows(&p.rows, scale);
    p.scale = net == DGM_NET_GCN ? scale : NULL;
    for (int64_t u = 0; scale && u < p.rows.nodes; u++) {
        put_row(&p, u);
        out->offsets[first + u + 1] = p.at;
    }
    dgmi_arena_release(ctx, hold);
    return scale ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- level 0 ---- */

/* Adds `factor` times row u of X to a dense row. */
static void add_features(const dgmi_pool_stack *features, int64_t u, float factor, float *row,
                         bool *seen) {
    for (int64_t i = features->offsets[u]; i < features->offsets[u + 1]; i++) {
        row[features->indices[i]] += factor * features->values[i];
        seen[features->indices[i]] = true;
    }
}

/* The columns of a row that are there, into the stack or only counted. */
static int64_t take_row(int64_t width, float *row, bool *seen, dgmi_pool_stack *out, int64_t at) {
    for (int64_t j = 0; j < width; j++) {
        if (!seen[j])
            continue;
        if (out) {
            out->indices[at] = (uint32_t)j;
            out->values[at] = row[j];
        }
        at++;
        row[j] = 0;
        seen[j] = false;
    }
    return at;
}

/* P X. Its rows are first counted and then written. */
static dgm_status gather_features(dgm_context *ctx, dgmi_pool_bank *bank, int64_t nodes) {
    const dgmi_pool_stack *p = &bank->level[0].propagation, *x = &bank->features;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *row = dgmi_scratch_zero(ctx, bank->width, sizeof *row);
    bool *seen = dgmi_scratch_zero(ctx, bank->width, sizeof *seen);
    dgm_status status = row && seen ? DGM_OK : DGM_ERROR_MEMORY;
    for (int pass = 0; status == DGM_OK && pass < 2; pass++) {
        int64_t at = 0;
        for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
            for (int64_t e = p->offsets[u]; e < p->offsets[u + 1]; e++)
                add_features(x, p->indices[e], p->values[e], row, seen);
            at = take_row(bank->width, row, seen, pass ? &bank->gathered : NULL, at);
            if (pass)
                bank->gathered.offsets[u + 1] = at;
            if (u % (1 << 14) == 0)
                status = dgmi_progress(ctx, "gathering features",
                                       (pass + (double)u / (double)nodes) / 2);
        }
        if (status == DGM_OK && pass == 0)
            status = dgmi_pool_stack_alloc(ctx, nodes, at, false, &bank->gathered);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status make_first_level(dgm_context *ctx, const dgmi_pool_plan *plan,
                                   dgmi_pool_bank *bank) {
    dgm_graph_rows rows = dgm_graph_get_rows(bank->united);
    dgmi_pool_level *level = &bank->level[0];
    level->starts = dgmi_alloc(ctx, bank->graphs + 1, sizeof *level->starts);
    if (!level->starts)
        return DGM_ERROR_MEMORY;
    memcpy(level->starts, dgm_graph_set_offsets(plan->set),
           (size_t)(bank->graphs + 1) * sizeof *level->starts);
    for (int64_t g = 0; g < bank->graphs; g++)
        bank->most_nodes =
            fmax(bank->most_nodes, (double)(level->starts[g + 1] - level->starts[g]));
    bank->mean_nodes = bank->graphs ? (double)rows.nodes / (double)bank->graphs : 0;
    dgm_status status = dgmi_pool_features_make(ctx, plan, &bank->features, &bank->width);
    if (status != DGM_OK || plan->net == DGM_NET_MLP)
        return status;
    status = dgmi_pool_stack_alloc(ctx, rows.nodes, rows.entries + rows.nodes, false,
                                   &level->propagation);
    if (status == DGM_OK)
        status = append_propagation(ctx, bank->united, plan->net, 0, &level->propagation);
    return status == DGM_OK ? gather_features(ctx, bank, rows.nodes) : status;
}

/* A of level 0: the rows of the union, whose weights become floats. */
static dgm_status borrow_adjacency(dgm_context *ctx, dgmi_pool_bank *bank) {
    dgm_graph_rows rows = dgm_graph_get_rows(bank->united);
    if (rows.weights) {
        bank->weights = dgmi_alloc(ctx, rows.entries, sizeof *bank->weights);
        if (!bank->weights)
            return DGM_ERROR_MEMORY;
        for (int64_t e = 0; e < rows.entries; e++)
            bank->weights[e] = (float)rows.weights[e];
    }
    bank->adjacency = (dgmi_pool_rows){rows.offsets, rows.targets, bank->weights};
    return DGM_OK;
}

/* ---- pooled levels ---- */

/* What pooling makes of one graph. */
typedef struct piece {
    dgm_membership *membership[DGMI_POOL_MOST_STEPS];
    dgm_graph *graph[DGMI_POOL_MOST_STEPS]; /* after the first pooling, the second, ... */
} piece;

typedef struct piece_job {
    const dgmi_pool_plan *plan;
    const dgmi_pool_bank *bank;
    piece *pieces;
} piece_job;

/* Pools a graph as often as the network does. */
static dgm_status pool_piece(dgm_context *ctx, void *argument, int64_t index) {
    const piece_job *job = argument;
    const dgmi_pool_plan *plan = job->plan;
    piece *made = &job->pieces[index];
    dgm_graph *first = NULL;
    dgm_note_fn note = ctx->note;
    ctx->note = NULL; /* what a lens says of one graph among thousands helps nobody */
    const int64_t *starts = job->bank->level[0].starts;
    dgm_status status =
        dgmi_pool_cut(ctx, job->bank->united, starts[index], starts[index + 1], &first);
    const dgm_graph *graph = first;
    for (int l = 0; status == DGM_OK && l < plan->steps; l++) {
        const dgmi_pool_subject subject = {
            graph,
            plan->first + index,
            l,
            dgmi_pool_clusters(plan->request, l, dgmi_pool_bank_base(job->bank, plan->request)),
            plan->seed,
            NULL};
        status = dgmi_pool_assign(ctx, plan->request, &subject, &made->membership[l]);
        if (status == DGM_OK)
            status =
                dgmi_pool_coarsen(ctx, plan->request, graph, made->membership[l], &made->graph[l]);
        graph = made->graph[l];
    }
    dgm_graph_free(first);
    ctx->note = note;
    return status;
}

/* S' of one graph from S, by counting. */
static void append_down(const dgm_membership_rows *s, int64_t node, int64_t cluster,
                        dgmi_pool_stack *down) {
    int64_t *offsets = down->offsets + cluster, base = offsets[0];
    for (int64_t c = 0; c < s->clusters; c++)
        offsets[c + 1] = 0;
    for (int64_t i = 0; i < s->offsets[s->nodes]; i++)
        offsets[s->columns[i] + 1]++;
    for (int64_t c = 0; c < s->clusters; c++)
        offsets[c + 1] += offsets[c];
    for (int64_t u = 0; u < s->nodes; u++)
        for (int64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
            int64_t at = offsets[s->columns[i]]++;
            down->indices[at] = (uint32_t)(node + u);
            down->values[at] = (float)s->values[i];
        }
    memmove(offsets + 1, offsets, (size_t)s->clusters * sizeof *offsets);
    offsets[0] = base;
}

static void append_up(const dgm_membership_rows *s, int64_t node, int64_t cluster,
                      dgmi_pool_stack *up) {
    int64_t base = up->offsets[node];
    for (int64_t u = 0; u < s->nodes; u++)
        up->offsets[node + u + 1] = base + s->offsets[u + 1];
    for (int64_t i = 0; i < s->offsets[s->nodes]; i++) {
        up->indices[base + i] = (uint32_t)(cluster + s->columns[i]);
        up->values[base + i] = (float)s->values[i];
    }
}

/* In the variant of February 2020 only the last level has weights. */
static dgm_status append_pooled(dgm_context *ctx, const dgmi_pool_plan *plan, const piece *from,
                                int step, int64_t first, dgmi_pool_stack *out) {
    bool plain = plan->request->options.method == DGM_POOL_MPR &&
                 plan->request->options.variant == DGM_MPR_FEB2020 && step + 1 < plan->steps;
    if (!plain)
        return append_propagation(ctx, from->graph[step], plan->net, first, out);
    dgm_graph *unweighted = NULL;
    dgm_status status = dgmi_pool_unweighted(ctx, from->graph[step], &unweighted);
    if (status == DGM_OK)
        status = append_propagation(ctx, unweighted, plan->net, first, out);
    dgm_graph_free(unweighted);
    return status;
}

static dgm_status make_room(dgm_context *ctx, dgmi_pool_bank *bank, const piece *pieces, int step,
                            bool propagates) {
    dgmi_pool_level *from = &bank->level[step], *to = &bank->level[step + 1];
    int64_t members = 0, entries = 0;
    to->starts = dgmi_alloc_zero(ctx, bank->graphs + 1, sizeof *to->starts);
    if (!to->starts)
        return DGM_ERROR_MEMORY;
    for (int64_t g = 0; g < bank->graphs; g++) {
        dgm_graph_rows rows = dgm_graph_get_rows(pieces[g].graph[step]);
        dgm_membership_rows s = dgm_membership_get_rows(pieces[g].membership[step]);
        to->starts[g + 1] = to->starts[g] + rows.nodes;
        members += s.offsets[s.nodes];
        entries += rows.entries + rows.nodes;
    }
    int64_t nodes = from->starts[bank->graphs], pooled = to->starts[bank->graphs];
    if (pooled > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the pooled graphs have more than %lld nodes",
                         (long long)DGM_MAX_NODES);
    dgm_status status = dgmi_pool_stack_alloc(ctx, nodes, members, false, &from->up);
    if (status == DGM_OK)
        status = dgmi_pool_stack_alloc(ctx, pooled, members, false, &from->down);
    if (status == DGM_OK && propagates)
        status = dgmi_pool_stack_alloc(ctx, pooled, entries, false, &to->propagation);
    return status;
}

static dgm_status join_pieces(dgm_context *ctx, const dgmi_pool_plan *plan, dgmi_pool_bank *bank,
                              const piece *pieces, int step) {
    bool propagates = plan->net != DGM_NET_MLP;
    dgm_status status = make_room(ctx, bank, pieces, step, propagates);
    dgmi_pool_level *from = &bank->level[step], *to = &bank->level[step + 1];
    for (int64_t g = 0; status == DGM_OK && g < bank->graphs; g++) {
        dgm_membership_rows s = dgm_membership_get_rows(pieces[g].membership[step]);
        append_up(&s, from->starts[g], to->starts[g], &from->up);
        append_down(&s, from->starts[g], to->starts[g], &from->down);
        if (propagates)
            status = append_pooled(ctx, plan, &pieces[g], step, to->starts[g], &to->propagation);
    }
    return status;
}

static void free_pieces(piece *pieces, int64_t count) {
    for (int64_t g = 0; pieces && g < count; g++)
        for (int l = 0; l < DGMI_POOL_MOST_STEPS; l++) {
            dgm_membership_free(pieces[g].membership[l]);
            dgm_graph_free(pieces[g].graph[l]);
        }
}

static dgm_status make_pooled_levels(dgm_context *ctx, const dgmi_pool_plan *plan,
                                     dgmi_pool_bank *bank) {
    piece *pieces = dgmi_alloc_zero(ctx, bank->graphs, sizeof *pieces);
    piece_job job = {plan, bank, pieces};
    dgm_status status = pieces ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_each(ctx, "pooling", bank->graphs, pool_piece, &job);
    for (int l = 0; status == DGM_OK && l < plan->steps; l++)
        status = join_pieces(ctx, plan, bank, pieces, l);
    free_pieces(pieces, bank->graphs);
    dgmi_free(ctx, pieces);
    bank->levels = plan->steps + 1;
    return status;
}

/* ---- the whole ---- */

/* Propagation matrices are taken for symmetric, and scaled by roots of sums of weights. */
static dgm_status check_union(dgm_context *ctx, const dgm_graph *united) {
    dgm_graph_rows rows = dgm_graph_get_rows(united);
    if (rows.directed)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graphs of this set are directed; pooling takes undirected ones");
    for (int64_t u = 0; rows.weights && u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (!(rows.weights[e] >= 0)) {
                char name[64];
                dgm_graph_name(united, u, name, sizeof name);
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "an edge of node %s weighs %g; pooling takes no weights below 0",
                                 name, rows.weights[e]);
            }
    return DGM_OK;
}

dgm_status dgmi_pool_bank_make(dgm_context *ctx, const dgmi_pool_plan *plan, dgmi_pool_bank *bank) {
    assert(plan->steps <= DGMI_POOL_MOST_STEPS);
    *bank = (dgmi_pool_bank){.allocator = ctx->allocator,
                             .graphs = dgm_graph_set_count(plan->set),
                             .levels = 1,
                             .united = dgm_graph_set_union(plan->set)};
    dgm_status status = check_union(ctx, bank->united);
    if (status == DGM_OK)
        status = make_first_level(ctx, plan, bank);
    if (status == DGM_OK)
        status = borrow_adjacency(ctx, bank);
    if (status == DGM_OK && dgmi_pool_learns_lens(plan->request))
        status = dgmi_pool_place(ctx, plan->set, &bank->positions);
    if (status == DGM_OK && plan->request->family == DGMI_POOL_FIXED &&
        plan->request->options.method != DGM_POOL_NONE)
        status = make_pooled_levels(ctx, plan, bank);
    if (status != DGM_OK)
        dgmi_pool_bank_free(bank);
    return status;
}

void dgmi_pool_bank_free(dgmi_pool_bank *bank) {
    for (int l = 0; l <= DGMI_POOL_MOST_STEPS; l++) {
        dgmi_pool_level *level = &bank->level[l];
        dgmi_allocator_free(&bank->allocator, level->starts);
        dgmi_pool_stack_free(&bank->allocator, &level->propagation);
        dgmi_pool_stack_free(&bank->allocator, &level->down);
        dgmi_pool_stack_free(&bank->allocator, &level->up);
        *level = (dgmi_pool_level){0};
    }
    dgmi_pool_stack_free(&bank->allocator, &bank->features);
    dgmi_pool_stack_free(&bank->allocator, &bank->gathered);
    dgmi_allocator_free(&bank->allocator, bank->weights);
    dgmi_allocator_free(&bank->allocator, bank->positions);
    bank->weights = NULL;
    bank->adjacency = (dgmi_pool_rows){0};
    bank->positions = NULL;
}

double dgmi_pool_bank_base(const dgmi_pool_bank *bank, const dgmi_pool_request *request) {
    return request->options.base == DGM_RATIO_LARGEST ? bank->most_nodes : bank->mean_nodes;
}
