/* SPDX-License-Identifier: Apache-2.0 */
/* A summary of a graph by a pooling, so that whatever writes and draws summaries serves it as well.
 *
 * Its JSON has the key "pooling":
 *   "method"      the whole specification
 *   "step" "steps" which pooling of how many is shown, counted from 1
 *   "clusters"    the number of columns of S, those without members included
 *   "soft"        every entry of S is above 0, and members are where entries are largest
 *   "trained"     the weights are those of a trained network
 *   "losses"      the operator's own losses: {"cut": -0.9, "orthogonality": 0.4}
 *   "scores"      what the network says of the classes of graphs: {"1": 0.25, "2": -0.1}
 *   "assignment"  for each node the columns and values of its row of S, or of the product of all S
 *                 up to this step: [{"node": "7", "clusters": [0, 1], "values": [0.5, 0.5]}, ...]
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "base_text.h"
#include "mapper_membership.h"
#include "mapper_summary.h"
#include "mapper_words.h"
#include "pool_pooling.h"

typedef struct summary_job {
    dgm_context *ctx;
    const dgm_pooling *pooling;
    const dgm_graph *graph;
    int64_t step;
    dgm_membership *whole; /* nodes of the graph by clusters of the step */
    bool *member;          /* of each entry of it: whether the node counts as a member */
    uint32_t *number;      /* the cluster of the summary of each column; NO_CLUSTER: no members */
    dgm_summary *summary;
} summary_job;

#define NO_CLUSTER UINT32_MAX

/* ---- members ---- */

/* Where every entry is above 0, the largest count; others that differ by rounding alone are as
 * large. */
static void choose_members(summary_job *job) {
    const dgm_membership *whole = job->whole;
    for (int64_t u = 0; u < whole->nodes; u++) {
        double largest = 0;
        for (int64_t i = whole->offsets[u]; i < whole->offsets[u + 1]; i++)
            largest = fmax(largest, whole->values[i]);
        for (int64_t i = whole->offsets[u]; i < whole->offsets[u + 1]; i++)
            job->member[i] = !job->pooling->soft || whole->values[i] >= largest * (1 - 1e-12);
    }
}

/* Numbers the columns that have a member, and returns how many there are. */
static int64_t number_clusters(summary_job *job) {
    const dgm_membership *whole = job->whole;
    int64_t count = 0;
    for (int64_t c = 0; c < whole->clusters; c++)
        job->number[c] = NO_CLUSTER;
    for (int64_t i = 0; i < whole->offsets[whole->nodes]; i++)
        if (job->member[i])
            job->number[whole->columns[i]] = 0;
    for (int64_t c = 0; c < whole->clusters; c++)
        if (job->number[c] != NO_CLUSTER)
            job->number[c] = (uint32_t)count++;
    return count;
}

/* Members by counting: nodes come in ascending order. */
static void fill_members(summary_job *job) {
    const dgm_membership *whole = job->whole;
    dgm_summary *summary = job->summary;
    int64_t *offsets = summary->offsets, count = summary->clusters;
    for (int64_t i = 0; i < whole->offsets[whole->nodes]; i++)
        if (job->member[i])
            offsets[job->number[whole->columns[i]] + 1]++;
    for (int64_t c = 0; c < count; c++)
        offsets[c + 1] += offsets[c];
    for (int64_t u = 0; u < whole->nodes; u++)
        for (int64_t i = whole->offsets[u]; i < whole->offsets[u + 1]; i++)
            if (job->member[i])
                summary->members[offsets[job->number[whole->columns[i]]]++] = (uint32_t)u;
    memmove(offsets + 1, offsets, (size_t)count * sizeof *offsets);
    offsets[0] = 0;
}

static dgm_status make_clusters(summary_job *job) {
    dgm_summary *summary = job->summary;
    const dgm_membership *whole = job->whole;
    int64_t entries = whole->offsets[whole->nodes], members = 0;
    for (int64_t i = 0; i < entries; i++)
        members += job->member[i];
    summary->clusters = number_clusters(job);
    summary->axes = 1;
    summary->cells = dgmi_alloc(job->ctx, summary->clusters, sizeof *summary->cells);
    summary->offsets = dgmi_alloc_zero(job->ctx, summary->clusters + 1, sizeof *summary->offsets);
    summary->members = dgmi_alloc(job->ctx, members, sizeof *summary->members);
    if (!summary->cells || !summary->offsets || !summary->members)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < whole->clusters; c++)
        if (job->number[c] != NO_CLUSTER)
            summary->cells[job->number[c]] = (int32_t)c;
    fill_members(job);
    return DGM_OK;
}

/* ---- the lens of the nodes, which is that of the first step ---- */

static dgm_status open_lens(summary_job *job, const dgm_matrix *lens) {
    dgm_summary *summary = job->summary;
    int64_t rows = dgm_matrix_rows(lens);
    for (int64_t k = 0; k < summary->dimension; k++) {
        summary->axis_names[k] = dgmi_strdup(job->ctx, dgm_matrix_column_name(lens, k));
        summary->transforms[k] = dgmi_strdup(job->ctx, dgm_matrix_column_transform(lens, k));
        if (!summary->axis_names[k] || !summary->transforms[k])
            return DGM_ERROR_MEMORY;
        summary->low[k] = rows ? INFINITY : 0;
        summary->high[k] = rows ? -INFINITY : 0;
        for (int64_t u = 0; u < rows; u++) {
            double value = dgm_matrix_values(lens)[u * summary->dimension + k];
            summary->low[k] = fmin(summary->low[k], value);
            summary->high[k] = fmax(summary->high[k], value);
        }
    }
    return DGM_OK;
}

static dgm_status fill_lens(summary_job *job) {
    dgm_summary *summary = job->summary;
    const dgm_matrix *lens = job->pooling->parts[0].lens;
    int64_t columns = lens ? dgm_matrix_columns(lens) : 0;
    dgm_status status = dgmi_mapper_summary_open_axes(job->ctx, summary, columns);
    summary->lens = dgmi_alloc_zero(job->ctx, summary->clusters * columns, sizeof(double));
    if (status == DGM_OK && !summary->lens)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK && lens)
        status = open_lens(job, lens);
    for (int64_t c = 0; status == DGM_OK && c < summary->clusters; c++) {
        int64_t begin = summary->offsets[c], end = summary->offsets[c + 1];
        for (int64_t k = 0; k < columns; k++) {
            double sum = 0;
            for (int64_t i = begin; i < end; i++)
                sum += dgm_matrix_values(lens)[summary->members[i] * columns + k];
            summary->lens[c * columns + k] = sum / (double)(end - begin);
        }
    }
    return status;
}

/* ---- edges ---- */

/* The edge of an entry of the pooled graph, if both of its ends have members. */
static bool take_edge(const summary_job *job, const dgm_graph_rows *rows, int64_t i, int64_t e,
                      dgm_summary_edge *edge) {
    int64_t j = rows->targets[e];
    if (j <= i || job->number[i] == NO_CLUSTER || job->number[j] == NO_CLUSTER)
        return false;
    *edge = (dgm_summary_edge){.source = job->number[i],
                               .target = job->number[j],
                               .shared = -1,
                               .links = -1,
                               .inner = -1,
                               .weight = rows->weights ? rows->weights[e] : 1};
    return true;
}

static dgm_status fill_edges(summary_job *job) {
    dgm_summary *summary = job->summary;
    dgm_graph_rows rows = dgm_graph_get_rows(job->pooling->parts[job->step].graph);
    dgm_summary_edge edge;
    double heaviest = 0;
    summary->edges = dgmi_alloc(job->ctx, rows.entries / 2 + 1, sizeof *summary->edges);
    if (!summary->edges)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < rows.nodes; i++)
        for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++)
            if (take_edge(job, &rows, i, e, &edge)) {
                heaviest = fmax(heaviest, edge.weight);
                summary->edges[summary->edge_count++] = edge;
            }
    for (int64_t e = 0; e < summary->edge_count; e++)
        summary->edges[e].weight = heaviest > 0 ? summary->edges[e].weight / heaviest : 0;
    return DGM_OK;
}

/* ---- the ledger ---- */

/* Whether two nodes are members of one cluster. */
static bool meet(const summary_job *job, int64_t u, int64_t v) {
    const dgm_membership *s = job->whole;
    int64_t i = s->offsets[u], j = s->offsets[v];
    while (i < s->offsets[u + 1] && j < s->offsets[v + 1]) {
        if (s->columns[i] == s->columns[j] && job->member[i] && job->member[j])
            return true;
        if (s->columns[i] < s->columns[j])
            i++;
        else if (s->columns[i] > s->columns[j])
            j++;
        else
            i++, j++;
    }
    return false;
}

/* Nodes that a selection has dropped are in no cell of it. */
static void fill_ledger(summary_job *job) {
    dgm_graph_rows rows = dgm_graph_get_rows(job->graph);
    dgm_summary_coverage *coverage = &job->summary->coverage;
    coverage->nodes = rows.nodes;
    for (int64_t u = 0; u < rows.nodes; u++) {
        coverage->covered += job->whole->offsets[u] < job->whole->offsets[u + 1];
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.directed ? rows.targets[e] != u : rows.targets[e] > u) {
                coverage->edges++;
                coverage->edges_inside += meet(job, u, rows.targets[e]);
            }
    }
    coverage->filtered = coverage->filtered_cover = rows.nodes - coverage->covered;
    job->summary->topology = (dgm_summary_topology){-1, -1, -1, -1, -1};
}

/* ---- words ---- */

/* A float in the fewest digits that give it back, any other number exactly. */
static void put_real(dgmi_text *text, double value) {
    char digits[40];
    int precision = 6;
    if ((double)(float)value != value) {
        dgmi_text_real(text, value);
        return;
    }
    do
        snprintf(digits, sizeof digits, "%.*g", precision, value);
    while (strtof(digits, NULL) != (float)value && precision++ < 9);
    dgmi_text_real(text, strtod(digits, NULL));
}

static void put_name(const summary_job *job, dgmi_text *text, int64_t node) {
    size_t length;
    char number[24];
    const char *name = dgm_graph_name_text(job->graph, node, &length);
    if (!name)
        length = dgm_graph_name(job->graph, node, number, sizeof number);
    dgmi_text_string(text, "\"");
    dgmi_escape_json(text, name ? name : number, length);
    dgmi_text_string(text, "\"");
}

static void put_row(const summary_job *job, dgmi_text *text, int64_t u) {
    const dgm_membership *s = job->whole;
    dgmi_text_string(text, u ? ",\n  {\"node\": " : "\n  {\"node\": ");
    put_name(job, text, u);
    dgmi_text_string(text, ", \"clusters\": [");
    for (int64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++)
        dgmi_text_format(text, "%s%u", i > s->offsets[u] ? ", " : "", (unsigned)s->columns[i]);
    dgmi_text_string(text, "], \"values\": [");
    for (int64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
        dgmi_text_string(text, i > s->offsets[u] ? ", " : "");
        put_real(text, s->values[i]);
    }
    dgmi_text_string(text, "]}");
}

static void put_losses(const summary_job *job, dgmi_text *text) {
    dgm_pool_step step = dgm_pooling_get_step(job->pooling, job->step);
    if (!step.loss_names[0])
        return;
    for (int i = 0; i < DGM_POOL_LOSSES; i++) {
        dgmi_text_format(text, "%s\"%s\": ", i ? ", " : ", \"losses\": {", step.loss_names[i]);
        put_real(text, step.losses[i]);
    }
    dgmi_text_string(text, "}");
}

static void put_scores(const summary_job *job, dgmi_text *text) {
    const dgm_matrix *scores = job->pooling->scores;
    if (!scores)
        return;
    for (int64_t c = 0; c < dgm_matrix_columns(scores); c++) {
        dgmi_text_format(text, "%s\"%s\": ", c ? ", " : ", \"scores\": {",
                         dgm_matrix_column_name(scores, c));
        put_real(text, dgm_matrix_values(scores)[c]);
    }
    dgmi_text_string(text, "}");
}

static void put_pooling(const summary_job *job, dgmi_text *text) {
    const dgm_pooling *pooling = job->pooling;
    dgmi_text_string(text, "{\"method\": \"");
    dgmi_escape_json(text, pooling->pool, strlen(pooling->pool));
    dgmi_text_format(text, "\", \"step\": %lld, \"steps\": %lld, \"clusters\": %lld",
                     (long long)job->step + 1, (long long)pooling->steps,
                     (long long)job->whole->clusters);
    dgmi_text_format(text, ", \"soft\": %s, \"trained\": %s", pooling->soft ? "true" : "false",
                     pooling->trained ? "true" : "false");
    put_losses(job, text);
    put_scores(job, text);
    dgmi_text_string(text, ", \"assignment\": [");
    for (int64_t u = 0; text->status == DGM_OK && u < job->whole->nodes; u++)
        put_row(job, text, u);
    dgmi_text_string(text, "]}");
}

static dgm_status describe(summary_job *job) {
    dgmi_text text;
    char words[DGMI_SPEC_LONGEST + 64];
    const dgm_pooling *pooling = job->pooling;
    const dgm_provenance provenance = {.lens = pooling->pool, .seed = pooling->seed};
    dgmi_text_init(&text, job->ctx);
    put_pooling(job, &text);
    dgmi_mapper_pooled_words(pooling->pool, job->step + 1, pooling->steps, pooling->trained, words,
                             sizeof words);
    dgm_status status = text.status;
    if (status == DGM_OK)
        status = dgmi_mapper_summary_set_pooling(job->ctx, job->summary, words, text.data);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(job->ctx, job->summary, &provenance);
    dgmi_text_free(&text);
    return status;
}

/* ---- the whole ---- */

static dgm_status name_graph(summary_job *job) {
    job->summary->nodes = dgm_graph_nodes(job->graph);
    job->summary->graph_edges = dgm_graph_edges(job->graph);
    return dgmi_mapper_summary_set_text(job->ctx, job->summary, &job->summary->source,
                                        dgm_graph_source(job->graph));
}

static dgm_status fill(summary_job *job) {
    dgm_status status = dgm_pooling_assignment(job->ctx, job->pooling, job->step, &job->whole);
    if (status != DGM_OK)
        return status;
    job->member = dgmi_scratch(job->ctx, job->whole->offsets[job->whole->nodes], sizeof(bool));
    job->number = dgmi_scratch(job->ctx, job->whole->clusters, sizeof *job->number);
    if (!job->member || !job->number)
        return DGM_ERROR_MEMORY;
    choose_members(job);
    status = name_graph(job);
    if (status == DGM_OK)
        status = make_clusters(job);
    if (status == DGM_OK)
        status = fill_lens(job);
    if (status == DGM_OK)
        status = fill_edges(job);
    if (status == DGM_OK)
        fill_ledger(job);
    return status == DGM_OK ? describe(job) : status;
}

dgm_status dgm_pooling_summary(dgm_context *ctx, const dgm_pooling *pooling, const dgm_graph *graph,
                               int64_t step, dgm_summary **out) {
    summary_job job = {.ctx = ctx, .pooling = pooling, .graph = graph, .step = step};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    *out = NULL;
    if (dgm_graph_nodes(graph) != pooling->nodes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the pooling is of a graph of %lld nodes, and this one has %lld",
                         (long long)pooling->nodes, (long long)dgm_graph_nodes(graph));
    dgm_status status = dgmi_mapper_summary_create(ctx, &job.summary);
    if (status == DGM_OK)
        status = fill(&job);
    dgm_membership_free(job.whole);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        *out = job.summary;
    else
        dgm_summary_free(job.summary);
    return status;
}
