/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees summaries, and answers the public calls about them (dgm/mapper.h). */
#include "mapper_summary.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"

static void free_texts(const dgm_allocator *allocator, char **texts, int64_t count) {
    for (int64_t i = 0; texts && i < count; i++)
        dgmi_allocator_free(allocator, texts[i]);
    dgmi_allocator_free(allocator, texts);
}

void dgm_summary_free(dgm_summary *summary) {
    if (!summary)
        return;
    dgm_allocator allocator = summary->allocator;
    free_texts(&allocator, summary->axis_names, summary->dimension);
    free_texts(&allocator, summary->transforms, summary->dimension);
    void *const blocks[] = {
        summary->given,   summary->source,    summary->cells,   summary->offsets,
        summary->members, summary->name_text, summary->lens,    summary->name_starts,
        summary->peaks,   summary->edges,     summary->low,     summary->high,
        summary->errors,  summary->lens_name, summary->command, summary->kernels,
        summary->blas,    summary->version,   summary->pooled,  summary->pooling,
        summary->weights, summary->taken,     summary};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

dgm_status dgmi_mapper_summary_set_text(dgm_context *ctx, const dgm_summary *summary, char **text,
                                        const char *with) {
    char *copy = with ? dgmi_strdup(ctx, with) : NULL;
    if (with && !copy)
        return DGM_ERROR_MEMORY;
    dgmi_allocator_free(&summary->allocator, *text);
    *text = copy;
    return DGM_OK;
}

dgm_status dgmi_mapper_summary_create(dgm_context *ctx, dgm_summary **out) {
    *out = NULL;
    dgm_summary *summary = dgmi_alloc_zero(ctx, 1, sizeof *summary);
    if (!summary)
        return DGM_ERROR_MEMORY;
    summary->allocator = ctx->allocator;
    dgm_mapper_options_init(&summary->options);
    char **const texts[] = {&summary->source, &summary->lens_name, &summary->command};
    dgm_status status = DGM_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == DGM_OK; i++)
        status = dgmi_mapper_summary_set_text(ctx, summary, texts[i], "");
    if (status == DGM_OK)
        *out = summary;
    else
        dgm_summary_free(summary);
    return status;
}

dgm_status dgmi_mapper_summary_open_axes(dgm_context *ctx, dgm_summary *summary,
                                         int64_t dimension) {
    summary->dimension = dimension;
    summary->low = dgmi_alloc(ctx, dimension, sizeof *summary->low);
    summary->high = dgmi_alloc(ctx, dimension, sizeof *summary->high);
    summary->errors = dgmi_alloc(ctx, dimension, sizeof *summary->errors);
    summary->axis_names = dgmi_alloc_zero(ctx, dimension, sizeof *summary->axis_names);
    summary->transforms = dgmi_alloc_zero(ctx, dimension, sizeof *summary->transforms);
    if (!summary->low || !summary->high || !summary->errors || !summary->axis_names ||
        !summary->transforms)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < dimension; k++)
        summary->low[k] = summary->high[k] = summary->errors[k] = NAN;
    return DGM_OK;
}

dgm_status dgm_summary_set_provenance(dgm_context *ctx, dgm_summary *summary,
                                      const dgm_provenance *provenance) {
    const struct {
        char **text;
        const char *with;
    } texts[] = {{&summary->lens_name, provenance->lens ? provenance->lens : ""},
                 {&summary->command, provenance->command ? provenance->command : ""},
                 {&summary->kernels, provenance->kernels},
                 {&summary->blas, provenance->blas},
                 {&summary->version, provenance->version}};
    dgm_status status = DGM_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == DGM_OK; i++)
        status = dgmi_mapper_summary_set_text(ctx, summary, texts[i].text, texts[i].with);
    if (status == DGM_OK)
        summary->seed = provenance->seed;
    return status;
}

dgm_status dgmi_mapper_summary_set_pooling(dgm_context *ctx, dgm_summary *summary,
                                           const char *pooled, const char *pooling) {
    dgm_status status = dgmi_mapper_summary_set_text(ctx, summary, &summary->pooled, pooled);
    if (status == DGM_OK)
        status = dgmi_mapper_summary_set_text(ctx, summary, &summary->pooling, pooling);
    if (status != DGM_OK)
        return status;
    summary->options.intervals[0] = 0;
    summary->options.overlap[0] = DGM_SAME;
    summary->options.cluster = DGM_CLUSTER_NONE;
    summary->options.edges = DGM_EDGES_STRUCTURAL;
    summary->options.strength = DGM_STRENGTH_SAS;
    return DGM_OK;
}

const char *dgm_summary_pooling(const dgm_summary *summary) {
    return summary->pooling;
}

dgm_status dgmi_mapper_summary_check_members(dgm_context *ctx, const dgm_summary *summary) {
    if (summary->members || summary->clusters == 0)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "the summary knows no node numbers: read it together with its graph");
}

dgm_status dgmi_mapper_summary_check_graph(dgm_context *ctx, const dgm_summary *summary,
                                           const dgm_graph *graph) {
    int64_t nodes = dgm_graph_nodes(graph);
    if (summary->nodes != nodes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the summary is of a graph of %lld nodes, and this one has %lld",
                         (long long)summary->nodes, (long long)nodes);
    return dgmi_mapper_summary_check_members(ctx, summary);
}

void dgmi_mapper_summary_note_apart(dgm_context *ctx, const dgm_summary *summary) {
    const dgm_mapper_options *options = &summary->options;
    bool listed = options->cover >= DGM_COVER_ADAPTIVE;
    bool several =
        summary->clusters > 1 && summary->cells[0] != summary->cells[summary->clusters - 1];
    if (listed && several && options->edges == DGM_EDGES_NERVE && options->overlap[0] > 0 &&
        summary->edge_count == 0)
        dgmi_note(ctx, "no node lies in two clusters, so that none are joined; " DGMI_NAMED(
                           "edges=structural") " joins them by edges of the graph, or try larger "
                                               "cells or more " DGMI_NAMED("overlap"));
}

/* ---- asking ---- */

dgm_summary_clusters dgm_summary_get_clusters(const dgm_summary *summary) {
    return (dgm_summary_clusters){summary->clusters, summary->axes,    summary->cells,
                                  summary->offsets,  summary->members, summary->dimension,
                                  summary->lens};
}

const double *dgm_summary_weights(const dgm_summary *summary) {
    return summary->weights;
}

const char *dgm_summary_member_name(const dgm_summary *summary, int64_t index, size_t *length) {
    if (!summary->name_starts || index < 0 || index >= summary->offsets[summary->clusters])
        return NULL;
    *length = (size_t)(summary->name_starts[index + 1] - summary->name_starts[index]);
    return summary->name_text + summary->name_starts[index];
}

dgm_summary_graph dgm_summary_get_graph(const dgm_summary *summary) {
    return (dgm_summary_graph){summary->source, summary->nodes, summary->graph_edges};
}

dgm_provenance dgm_summary_get_provenance(const dgm_summary *summary) {
    return (dgm_provenance){.lens = summary->lens_name,
                            .command = summary->command,
                            .seed = summary->seed,
                            .kernels = summary->kernels,
                            .blas = summary->blas,
                            .version = summary->version};
}

const dgm_summary_edge *dgm_summary_edges(const dgm_summary *summary, int64_t *count) {
    *count = summary->edge_count;
    return summary->edges;
}

dgm_summary_coverage dgm_summary_get_coverage(const dgm_summary *summary) {
    return summary->coverage;
}

dgm_summary_topology dgm_summary_get_topology(const dgm_summary *summary) {
    return summary->topology;
}

const dgm_mapper_options *dgm_summary_options(const dgm_summary *summary) {
    return &summary->options;
}

void dgm_summary_lens_range(const dgm_summary *summary, int64_t column, double *low, double *high) {
    *low = summary->low[column];
    *high = summary->high[column];
}

const char *dgm_summary_axis_name(const dgm_summary *summary, int64_t column) {
    return summary->axis_names[column];
}

const uint32_t *dgm_summary_get_peaks(const dgm_summary *summary) {
    return summary->peaks;
}

const char *dgm_summary_axis_transform(const dgm_summary *summary, int64_t column) {
    return summary->transforms[column];
}

double dgm_summary_axis_error(const dgm_summary *summary, int64_t column) {
    return summary->errors[column];
}
