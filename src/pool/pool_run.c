/* SPDX-License-Identifier: Apache-2.0 */
/* Pools one graph. What the graph alone decides is computed as the bank computes it, without a
 * network. Otherwise a network runs over a set that holds the one graph, and the values that its
 * poolings have left on the tape are copied from there. */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "graph_labels.h"
#include "kernels_kernels.h"
#include "mapper_membership.h"
#include "pool_assign.h"
#include "pool_model.h"
#include "pool_pooling.h"
#include "pool_train.h"

/* The network of a pooling that learns, if there is no model. */
enum { UNTRAINED_WIDTH = 128, UNTRAINED_LAYERS = 2, UNTRAINED_CLAMP = 64 };

typedef struct pool_job {
    dgm_context *ctx;
    const dgm_graph *graph;
    dgm_pool_run_options options;
    dgmi_pool_request *request; /* that of the model, if there is one */
    dgm_pooling *pooling;
} pool_job;

/* ---- S'X ---- */

/* Adds, or takes the maximum of, the row of a node to the rows of its clusters. */
static void pool_row(const dgm_membership *s, int64_t u, const double *from, int64_t columns,
                     bool maximum, double *to) {
    for (int64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++)
        for (int64_t j = 0; j < columns; j++) {
            double *value = &to[s->columns[i] * columns + j];
            double x = from[u * columns + j];
            *value = maximum ? fmax(*value, x) : *value + s->values[i] * x;
        }
}

/* The gate of a node that stays, by its score. */
static double open_gate(const dgmi_pool_request *request, double score) {
    return request->options.gate == DGM_GATE_TANH ? tanh(score) : 1 / (1 + exp(-score));
}

static void close_gates(const pool_job *job, const dgmi_pool_part *part) {
    int64_t columns = dgm_matrix_columns(part->features);
    double *values = dgm_matrix_values_mutable(part->features);
    for (int64_t u = 0; u < part->assignment->nodes; u++)
        for (int64_t i = part->assignment->offsets[u]; i < part->assignment->offsets[u + 1]; i++)
            for (int64_t j = 0; j < columns; j++)
                values[part->assignment->columns[i] * columns + j] *=
                    open_gate(job->request, dgm_matrix_values(part->lens)[u]);
}

static dgm_status pool_features(const pool_job *job, int64_t step) {
    dgmi_pool_part *part = &job->pooling->parts[step];
    const dgm_matrix *from = step ? job->pooling->parts[step - 1].features : job->options.features;
    bool maximum = job->request->options.method == DGM_POOL_MAX;
    if (!from)
        return DGM_OK;
    int64_t columns = dgm_matrix_columns(from), clusters = part->assignment->clusters;
    dgm_status status = dgm_matrix_create(job->ctx, clusters, columns, &part->features);
    if (status != DGM_OK)
        return status;
    double *to = dgm_matrix_values_mutable(part->features);
    for (int64_t i = 0; maximum && i < clusters * columns; i++)
        to[i] = -INFINITY;
    for (int64_t u = 0; u < part->assignment->nodes; u++)
        pool_row(part->assignment, u, dgm_matrix_values(from), columns, maximum, to);
    if (job->request->family == DGMI_POOL_SELECT)
        close_gates(job, part);
    return DGM_OK;
}

/* ---- what the graph alone decides ---- */

static dgm_status run_fixed(const pool_job *job) {
    const dgm_graph *graph = job->graph;
    const dgm_classifier *model = job->options.model;
    dgm_status status = DGM_OK;
    for (int64_t l = 0; status == DGM_OK && l < job->pooling->steps; l++) {
        dgmi_pool_part *part = &job->pooling->parts[l];
        const dgmi_pool_subject subject = {
            graph,
            job->options.index,
            (int)l,
            dgmi_pool_clusters(job->request, (int)l, (double)dgm_graph_nodes(job->graph)),
            model ? model->seed : job->options.seed,
            &part->lens};
        status = dgmi_pool_assign(job->ctx, job->request, &subject, &part->assignment);
        if (status == DGM_OK)
            status =
                dgmi_pool_coarsen(job->ctx, job->request, graph, part->assignment, &part->graph);
        if (status == DGM_OK)
            status = pool_features(job, l);
        graph = part->graph;
    }
    return status;
}

/* ---- what a network has left on its tape ---- */

static dgm_status copy_lens(const pool_job *job, const dgmi_pool_pass *pass, int64_t step) {
    static const char *const names[2] = {"lens", "lens2"};
    dgmi_nn_node *const *axes = pass->lens[step];
    bool scores = job->request->family == DGMI_POOL_SELECT;
    int64_t columns = !axes[0] ? 0 : axes[1] ? 2 : 1;
    dgm_matrix **out = &job->pooling->parts[step].lens;
    if (columns == 0)
        return DGM_OK;
    int64_t rows = axes[0]->value.rows;
    dgm_status status = dgm_matrix_create(job->ctx, rows, columns, out);
    for (int64_t c = 0; status == DGM_OK && c < columns; c++) {
        for (int64_t i = 0; i < rows; i++)
            dgm_matrix_values_mutable(*out)[i * columns + c] = (double)axes[c]->value.values[i];
        status = dgm_matrix_set_column_name(job->ctx, *out, c, scores ? "score" : names[c]);
    }
    return status;
}

/* S as the network has it, with all of its entries. Entries that a float rounds to 0 have the least
 * value that is not 0. */
static dgm_status copy_dense(const pool_job *job, const dgmi_table_tensor *s,
                             dgm_membership **out) {
    dgm_status status =
        dgmi_mapper_membership_alloc(job->ctx, s->rows, s->columns, s->rows * s->columns, out);
    for (int64_t i = 0; status == DGM_OK && i < s->rows * s->columns; i++) {
        (*out)->columns[i] = (uint32_t)(i % s->columns);
        (*out)->values[i] = s->values[i] > 0 ? (double)s->values[i] : 0x1p-149;
    }
    for (int64_t u = 0; status == DGM_OK && u < s->rows; u++)
        (*out)->offsets[u + 1] = (u + 1) * s->columns;
    return status;
}

/* A column with one entry for each node that stays. */
static dgm_status copy_kept(const pool_job *job, const uint32_t *kept, int64_t count, int64_t nodes,
                            dgm_membership **out) {
    dgm_status status = dgmi_mapper_membership_alloc(job->ctx, nodes, count, count, out);
    int64_t at = 0;
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        if (at < count && kept[at] == u) {
            (*out)->columns[at] = (uint32_t)at;
            (*out)->values[at++] = 1;
        }
        (*out)->offsets[u + 1] = at;
    }
    return status;
}

/* The weight of an edge of a dense pooled graph. */
static double dense_weight(const dgmi_pool_state *state, int64_t i, int64_t j) {
    double weight = (double)state->matrix->value.values[i * state->side + j];
    if (state->scale)
        weight *= (double)state->scale->value.values[i] * (double)state->scale->value.values[j];
    return weight;
}

static dgm_status add_edge(dgm_graph_builder *builder, int64_t i, int64_t j, double weight) {
    const uint32_t ends[] = {(uint32_t)i, (uint32_t)j};
    return weight > 0 ? dgm_graph_builder_add(builder, 1, ends, &weight) : DGM_OK;
}

static dgm_status add_edges(dgm_graph_builder *builder, const dgmi_pool_state *state) {
    dgm_status status = DGM_OK;
    if (state->matrix) {
        for (int64_t i = 0; i < state->side; i++)
            for (int64_t j = i; status == DGM_OK && j < state->side; j++)
                status = add_edge(builder, i, j, dense_weight(state, i, j));
        return status;
    }
    const dgmi_table_csr *a = &state->adjacency->matrix;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t e = a->offsets[i]; status == DGM_OK && e < a->offsets[i + 1]; e++)
            if (a->indices[e] >= i)
                status = add_edge(builder, i, a->indices[e], a->values ? (double)a->values[e] : 1);
    return status;
}

static dgm_status copy_graph(const pool_job *job, const dgmi_pool_state *state, dgm_graph **out) {
    const dgm_graph_options options = {
        .size = sizeof options, .keep_loops = true, .nodes = state->starts[1]};
    dgm_graph_builder *builder = NULL;
    dgm_status status = dgm_graph_builder_create(job->ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    status = add_edges(builder, state);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

static dgm_status copy_step(const pool_job *job, const dgmi_pool_pass *pass, int64_t step) {
    dgmi_pool_part *part = &job->pooling->parts[step];
    const dgmi_pool_state *state = &pass->after[step];
    int64_t nodes = step ? pass->after[step - 1].starts[1] : dgm_graph_nodes(job->graph);
    dgm_status status = copy_lens(job, pass, step);
    if (status == DGM_OK)
        status = pass->assignment[step]
                     ? copy_dense(job, &pass->assignment[step]->value, &part->assignment)
                     : copy_kept(job, pass->kept[step], state->starts[1], nodes, &part->assignment);
    if (status == DGM_OK)
        status = copy_graph(job, state, &part->graph);
    for (int i = 0; status == DGM_OK && pass->loss_count && i < DGM_POOL_LOSSES; i++)
        part->losses[i] = /* never -0 */
            (double)pass->losses[step * DGM_POOL_LOSSES + i]->value.values[0] + 0.0;
    return status == DGM_OK ? pool_features(job, step) : status;
}

/* ---- running a network ---- */

static dgm_status run_network(const pool_job *job, const dgmi_pool_bank *bank,
                              const dgmi_pool_network *network) {
    static const int64_t only[] = {0};
    dgmi_nn_tape *tape = NULL;
    dgmi_pool_batch batch;
    dgm_status status = dgmi_nn_tape_create(job->ctx, &tape);
    if (status != DGM_OK)
        return status;
    dgmi_pool_pass pass = {.tape = tape, .network = network};
    dgmi_nn_node *scores = dgmi_pool_batch_make(tape, bank, only, 1, &batch)
                               ? dgmi_pool_network_run(&pass, &batch)
                               : NULL;
    status = dgmi_nn_tape_status(tape);
    bool learns = job->request->family != DGMI_POOL_FIXED;
    for (int64_t l = 0; status == DGM_OK && learns && l < job->pooling->steps; l++)
        status = copy_step(job, &pass, l);
    if (status == DGM_OK && job->options.model)
        status = dgmi_pool_model_table(job->ctx, job->options.model, 1, scores->value.values,
                                       &job->pooling->scores);
    dgmi_nn_tape_free(tape);
    return status;
}

static dgm_status run_drawn(const pool_job *job, const dgm_graph_set *set) {
    const dgmi_pool_plan plan = {.set = set,
                                 .request = job->request,
                                 .net = DGM_NET_GCN,
                                 .features = DGM_POOL_FEATURES_AUTO,
                                 .clamp = UNTRAINED_CLAMP,
                                 .steps = (int)job->pooling->steps,
                                 .seed = job->options.seed};
    dgmi_pool_design design = {.request = job->request,
                               .net = DGM_NET_GCN,
                               .steps = (int)job->pooling->steps,
                               .layers = UNTRAINED_LAYERS,
                               .width = UNTRAINED_WIDTH,
                               .classes = 1,
                               .seed = job->options.seed};
    dgmi_pool_bank bank;
    dgmi_pool_network network;
    dgm_status status = dgmi_pool_bank_make(job->ctx, &plan, &bank);
    if (status != DGM_OK)
        return status;
    design.features = bank.width;
    for (int l = 0; l < design.steps; l++)
        design.clusters[l] =
            dgmi_pool_clusters(job->request, l, (double)dgm_graph_nodes(job->graph));
    status = dgmi_pool_network_make(job->ctx, &design, &network);
    if (status == DGM_OK) {
        dgmi_note(job->ctx,
                  "the weights of '%s' are not trained but drawn by seed %lld; a model of 'dgm "
                  "classify' has trained ones",
                  dgmi_pool_name(job->request), (long long)job->options.seed);
        status = run_network(job, &bank, &network);
        dgmi_pool_network_free(&network);
    }
    dgmi_pool_bank_free(&bank);
    return status;
}

static dgm_status run_trained(const pool_job *job, const dgm_graph_set *set) {
    const dgm_classifier *model = job->options.model;
    dgmi_pool_bank bank;
    dgm_status status = dgmi_pool_model_bank(job->ctx, model, set, job->options.index, &bank);
    if (status == DGM_OK) {
        status = run_network(job, &bank, &model->network);
        dgmi_pool_bank_free(&bank);
    }
    return status;
}

/* The graph as a set of its own. */
static dgm_status run_alone(const pool_job *job) {
    const int64_t offsets[] = {0, dgm_graph_nodes(job->graph)};
    dgm_graph *copy = NULL;
    dgm_graph_set *set = NULL;
    dgm_status status = dgmi_kernels_blas_open(job->ctx);
    if (status == DGM_OK)
        status = dgmi_graph_copy(job->ctx, job->graph, &copy);
    if (status == DGM_OK)
        status = dgm_graph_set_create(job->ctx, copy, 1, offsets, NULL, &set);
    if (status == DGM_OK)
        status = job->options.model ? run_trained(job, set) : run_drawn(job, set);
    dgm_graph_set_free(set);
    return status;
}

/* A graph without nodes stays one. */
static dgm_status run_empty(const pool_job *job) {
    const dgm_graph_rows none = {.offsets = (const int64_t[]){0}};
    dgm_status status = DGM_OK;
    for (int64_t l = 0; status == DGM_OK && l < job->pooling->steps; l++) {
        dgmi_pool_part *part = &job->pooling->parts[l];
        status = dgmi_mapper_membership_alloc(job->ctx, 0, 0, 0, &part->assignment);
        if (status == DGM_OK)
            status = dgm_graph_from_rows(job->ctx, &none, NULL, &part->graph);
        if (status == DGM_OK)
            status = pool_features(job, l);
    }
    return status;
}

/* ---- the whole ---- */

static dgm_status check_model(const pool_job *job, const dgmi_pool_request *given) {
    const dgm_classifier *model = job->options.model;
    if (given && (given->options.method != model->request.options.method ||
                  dgmi_pool_learns_lens(given) != dgmi_pool_learns_lens(&model->request)))
        return dgmi_fail(job->ctx, DGM_ERROR_USAGE, "the model pools by '%s', not by '%s'",
                         model->pool, job->options.pool);
    if (model->network.design.steps == 0)
        return dgmi_fail(job->ctx, DGM_ERROR_DATA, "the model does not pool: it has no steps");
    if (job->options.steps > model->network.design.steps)
        return dgmi_fail(job->ctx, DGM_ERROR_USAGE, "the model pools %d times, not %lld times",
                         model->network.design.steps, (long long)job->options.steps);
    return DGM_OK;
}

static dgm_status check_graph(const pool_job *job) {
    dgm_graph_rows rows = dgm_graph_get_rows(job->graph);
    const dgm_matrix *features = job->options.features;
    if (features && dgm_matrix_rows(features) != rows.nodes)
        return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                         "features of %lld nodes for a graph of %lld nodes",
                         (long long)dgm_matrix_rows(features), (long long)rows.nodes);
    if (job->request->family == DGMI_POOL_FIXED && !job->options.model)
        return DGM_OK;
    if (rows.directed)
        return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                         "a network pools undirected graphs, and this one is directed");
    for (int64_t e = 0; rows.weights && e < rows.entries; e++)
        if (rows.weights[e] < 0)
            return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                             "a network pools graphs without negative weights, and this one has "
                             "the weight %g",
                             rows.weights[e]);
    return DGM_OK;
}

static dgm_status open_pooling(pool_job *job, const char *pool) {
    const dgm_classifier *model = job->options.model;
    dgm_pooling *pooling = job->pooling = dgmi_alloc_zero(job->ctx, 1, sizeof *pooling);
    if (!pooling)
        return DGM_ERROR_MEMORY;
    pooling->allocator = job->ctx->allocator;
    memcpy(pooling->pool, pool, strlen(pool) + 1); /* it was parsed, so it fits */
    pooling->method = job->request->options.method;
    pooling->soft =
        job->request->family == DGMI_POOL_DENSE ||
        (pooling->method == DGM_POOL_MPR && job->request->options.variant == DGM_MPR_NEWEST);
    pooling->trained = model != NULL;
    pooling->nodes = dgm_graph_nodes(job->graph);
    pooling->seed = model ? model->seed : job->options.seed;
    pooling->steps = job->options.steps ? job->options.steps
                     : model            ? model->network.design.steps
                                        : 1;
    return DGM_OK;
}

static dgm_status run_job(pool_job *job) {
    bool fixed = job->request->family == DGMI_POOL_FIXED;
    dgm_status status = check_graph(job);
    if (status == DGM_OK && dgm_graph_nodes(job->graph) == 0)
        return run_empty(job);
    if (status == DGM_OK && fixed)
        status = run_fixed(job);
    if (status == DGM_OK && (!fixed || job->options.model))
        status = run_alone(job);
    return status;
}

/* Which operator is meant: that of the specification, or that of the model. */
static dgm_status choose(pool_job *job, dgmi_pool_request *given) {
    const dgm_classifier *model = job->options.model;
    const char *pool = job->options.pool ? job->options.pool : model ? model->pool : "mpr";
    dgm_status status = dgmi_pool_parse(job->ctx, pool, given);
    if (status == DGM_OK && (job->options.steps < 0 || job->options.steps > DGMI_POOL_MOST_STEPS))
        status = dgmi_fail(job->ctx, DGM_ERROR_USAGE, DGMI_NAMED("steps") " must be from 1 to %d",
                           DGMI_POOL_MOST_STEPS);
    if (status == DGM_OK && model) {
        status = check_model(job, given);
        *given = model->request;
        pool = model->pool;
    }
    return status == DGM_OK ? open_pooling(job, pool) : status;
}

dgm_status dgm_pool_run(dgm_context *ctx, const dgm_graph *graph,
                        const dgm_pool_run_options *options, dgm_pooling **out) {
    pool_job job = {.ctx = ctx, .graph = graph, .options = DGM_POOL_RUN_OPTIONS_INIT};
    *out = NULL;
    job.request = dgmi_alloc(ctx, 1, sizeof *job.request);
    if (!job.request)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    if (options)
        status = DGMI_OPTIONS_TAKE(ctx, dgm_pool_run_options, seed, options, &job.options);
    if (status == DGM_OK)
        status = choose(&job, job.request);
    if (status == DGM_OK)
        status = run_job(&job);
    if (status == DGM_OK)
        *out = job.pooling;
    else
        dgm_pooling_free(job.pooling);
    dgmi_free(ctx, job.request);
    return status;
}
