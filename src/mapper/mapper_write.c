/* SPDX-License-Identifier: Apache-2.0 */
/* From the stages of Mapper to the summary that a caller keeps. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"
#include "mapper_draft.h"
#include "mapper_dust.h"
#include "mapper_summary.h"

static dgm_status name_graph(const dgmi_mapper_draft *draft, dgm_summary *summary) {
    summary->nodes = draft->nodes;
    summary->graph_edges = dgm_graph_edges(draft->graph);
    return dgmi_mapper_summary_set_text(draft->ctx, summary, &summary->source,
                                        dgm_graph_source(draft->graph));
}

/* A cover that finds its cells itself says how many there are. */
static void tell_found(dgm_summary *summary, const dgmi_mapper_found *found) {
    summary->options.intervals[0] = found->cells;
    if (found->overlap > 0)
        summary->options.overlap[0] = found->overlap;
    for (int k = 1; k < DGM_MAX_AXES; k++) {
        summary->options.intervals[k] = DGM_SAME;
        summary->options.overlap[k] = found->overlap > 0 ? DGM_SAME : summary->options.overlap[k];
    }
}

static dgm_status copy_given(dgm_context *ctx, dgm_summary *summary, const dgm_interval *given,
                             int64_t count) {
    summary->given = dgmi_alloc(ctx, count, sizeof *summary->given);
    if (!summary->given)
        return DGM_ERROR_MEMORY;
    if (count)
        memcpy(summary->given, given, (size_t)count * sizeof *summary->given);
    summary->options.given = summary->given;
    summary->options.given_count = count;
    return DGM_OK;
}

static dgm_status copy_options(dgmi_mapper_draft *draft, dgm_summary *summary) {
    const dgmi_mapper_found *found = &draft->stages->found;
    const dgm_mapper_options *options = draft->options;
    summary->options = *options;
    summary->seed = options->seed;
    summary->options.given = NULL;
    summary->options.given_count = 0;
    summary->options.clusterer = NULL;
    summary->options.clusterer_user = NULL;
    if (found->cells)
        tell_found(summary, found);
    if (found->intervals)
        return copy_given(draft->ctx, summary, found->intervals, found->cells);
    return options->cover == DGM_COVER_INTERVALS
               ? copy_given(draft->ctx, summary, options->given, options->given_count)
               : DGM_OK;
}

static dgm_status describe_lens(dgmi_mapper_draft *draft, dgm_summary *summary) {
    dgm_context *ctx = draft->ctx;
    int64_t rows = dgm_matrix_rows(draft->lens), columns = dgm_matrix_columns(draft->lens);
    const double *values = dgm_matrix_values(draft->lens);
    dgm_status status = dgmi_mapper_summary_open_axes(ctx, summary, columns);
    if (status != DGM_OK)
        return status;
    for (int64_t k = 0; k < columns; k++) {
        double low = rows ? values[k] : 0, high = low;
        for (int64_t i = 0; i < rows; i++) {
            double value = values[i * columns + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        summary->low[k] = low;
        summary->high[k] = high;
        summary->errors[k] = dgm_matrix_column_error(draft->lens, k);
        summary->axis_names[k] = dgmi_strdup(ctx, dgm_matrix_column_name(draft->lens, k));
        summary->transforms[k] = dgmi_strdup(ctx, dgm_matrix_column_transform(draft->lens, k));
        if (!summary->axis_names[k] || !summary->transforms[k])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

/* Numbers, cells and room for the clusters that are kept. */
static dgm_status place_clusters(dgmi_mapper_draft *draft, dgm_summary *summary) {
    const dgmi_mapper_clusters *clusters = &draft->stages->clusters;
    int64_t axes = draft->stages->pullback.axes, members = 0, kept = 0;
    for (int64_t c = 0; c < clusters->count; c++) {
        draft->number[c] = draft->kept[c] ? (uint32_t)kept++ : DGMI_MAPPER_NO_CLUSTER;
        members += draft->kept[c] ? draft->stages->size[c] : 0;
    }
    summary->clusters = kept;
    summary->axes = axes;
    summary->cells = dgmi_alloc(draft->ctx, kept * axes, sizeof *summary->cells);
    summary->offsets = dgmi_alloc_zero(draft->ctx, kept + 1, sizeof *summary->offsets);
    summary->members = dgmi_alloc(draft->ctx, members, sizeof *summary->members);
    summary->lens = dgmi_alloc_zero(draft->ctx, kept * summary->dimension, sizeof *summary->lens);
    if (!summary->cells || !summary->offsets || !summary->members || !summary->lens)
        return DGM_ERROR_MEMORY;
    if (summary->dimension == 1) {
        summary->peaks = dgmi_alloc(draft->ctx, kept * DGM_SUMMARY_PEAKS, sizeof *summary->peaks);
        if (!summary->peaks)
            return DGM_ERROR_MEMORY;
        memset(summary->peaks, 0xFF, (size_t)(kept * DGM_SUMMARY_PEAKS) * sizeof *summary->peaks);
    }
    for (int64_t c = 0; c < clusters->count; c++) {
        if (!draft->kept[c])
            continue;
        uint32_t k = draft->number[c];
        summary->offsets[k + 1] = summary->offsets[k] + draft->stages->size[c];
        memcpy(summary->cells + k * axes,
               draft->stages->pullback.coordinates + clusters->cell[c] * axes,
               (size_t)axes * sizeof *summary->cells);
    }
    return DGM_OK;
}

typedef struct {
    const dgmi_mapper_draft *draft;
    dgm_summary *summary;
    int64_t *cursor; /* by cluster of the summary: where its next member goes */
    double *scale;   /* by column */
} member_job;

static_assert(DGM_NO_PEAK == 0xFFFFFFFF, "bytes of 0xFF are no peak");

/* Of equals the first that came stays before. */
static void keep_peak(uint32_t *peaks, const double *values, uint32_t node) {
    int at = DGM_SUMMARY_PEAKS;
    while (at > 0 && (peaks[at - 1] == DGM_NO_PEAK || values[node] > values[peaks[at - 1]]))
        at--;
    for (int i = DGM_SUMMARY_PEAKS - 1; i > at; i--)
        peaks[i] = peaks[i - 1];
    if (at < DGM_SUMMARY_PEAKS)
        peaks[at] = node;
}

static void add_slot(const member_job *job, uint32_t slot) {
    const dgmi_mapper_draft *draft = job->draft;
    const double *values = dgm_matrix_values(draft->lens);
    uint32_t cluster = draft->stages->of_slot[slot];
    if (cluster == DGMI_MAPPER_NO_CLUSTER || draft->number[cluster] == DGMI_MAPPER_NO_CLUSTER)
        return;
    int64_t k = draft->number[cluster], u = draft->stages->pullback.node[slot];
    int64_t columns = job->summary->dimension;
    job->summary->members[job->cursor[k]++] = (uint32_t)u;
    for (int64_t j = 0; j < columns; j++)
        job->summary->lens[k * columns + j] += values[u * columns + j] * job->scale[j];
    if (job->summary->peaks)
        keep_peak(job->summary->peaks + k * DGM_SUMMARY_PEAKS, values, (uint32_t)u);
}

/* A cell's clusters are its own, and its slots come in node order: so do members and sums. */
static void fill_cell(void *argument, int64_t cell, int thread) {
    (void)thread;
    const member_job *job = argument;
    const dgmi_mapper_pullback *pullback = &job->draft->stages->pullback;
    for (uint32_t i = pullback->cell_start[cell]; i < pullback->cell_start[cell + 1]; i++)
        add_slot(job, pullback->by_cell[i]);
}

/* Where clusters may have nodes of other cells, all slots come in node order. */
static void fill_all(const member_job *job) {
    for (int64_t slot = 0; slot < job->draft->stages->pullback.slots; slot++)
        add_slot(job, (uint32_t)slot);
}

/* Means beyond the largest number are unknown. */
static double finite_or_unknown(double mean) {
    return isfinite(mean) ? mean : NAN;
}

/* Members in node order, and the mean of their lens. */
static dgm_status fill_clusters(dgmi_mapper_draft *draft, dgm_summary *summary) {
    int64_t columns = summary->dimension;
    member_job job = {draft, summary, NULL, NULL};
    job.cursor = dgmi_scratch(draft->ctx, summary->clusters, sizeof *job.cursor);
    job.scale = dgmi_scratch(draft->ctx, columns, sizeof *job.scale);
    if (!job.cursor || !job.scale)
        return DGM_ERROR_MEMORY;
    for (int64_t j = 0; j < columns; j++) /* sums of huge values must not overflow */
        job.scale[j] = fmax(fabs(summary->low[j]), fabs(summary->high[j])) > 1e290 ? 0x1p-40 : 1;
    memcpy(job.cursor, summary->offsets, (size_t)summary->clusters * sizeof *job.cursor);
    if (draft->options->attach && draft->options->min_size > 1)
        fill_all(&job);
    else
        dgmi_parallel(draft->ctx, draft->stages->pullback.cells, fill_cell, &job);
    for (int64_t k = 0; k < summary->clusters; k++)
        for (int64_t j = 0; j < columns; j++)
            summary->lens[k * columns + j] = finite_or_unknown(
                summary->lens[k * columns + j] /
                ((double)(summary->offsets[k + 1] - summary->offsets[k]) * job.scale[j]));
    return DGM_OK;
}

/* Where a node stands among the members of a cluster. */
static int64_t find_member(const dgm_summary *summary, int64_t cluster, uint32_t node) {
    int64_t low = summary->offsets[cluster], high = summary->offsets[cluster + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (summary->members[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_places(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Small clusters that are given away take their nodes with them, from slot to slot. */
static dgm_status find_taken(const dgmi_mapper_draft *draft, dgm_summary *summary) {
    const dgmi_mapper_pullback *pullback = &draft->stages->pullback;
    if (pullback->taken_count == 0 || draft->stages->attached_clusters > 0)
        return DGM_OK;
    summary->taken = dgmi_alloc(draft->ctx, pullback->taken_count, sizeof *summary->taken);
    if (!summary->taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < pullback->taken_count; i++) {
        uint32_t slot = pullback->taken[i], cluster = draft->stages->of_slot[slot];
        if (cluster != DGMI_MAPPER_NO_CLUSTER && draft->kept[cluster])
            summary->taken[summary->taken_count++] =
                find_member(summary, draft->number[cluster], pullback->node[slot]);
    }
    qsort(summary->taken, (size_t)summary->taken_count, sizeof *summary->taken, compare_places);
    return DGM_OK;
}

typedef struct {
    dgmi_mapper_draft *draft;
    dgm_summary *summary;
    uint32_t *parent; /* of the summary's components */
} edge_job;

/* Edges between clusters that are kept. */
static void count_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const dgmi_mapper_draft *draft = ((const edge_job *)argument)->draft;
    int64_t begin, end, count = 0;
    dgmi_chunk(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_mapper_meeting *meeting = &draft->stages->meetings[i];
        draft->joined[i] &= draft->kept[meeting->low] && draft->kept[meeting->high];
        count += draft->joined[i];
    }
    draft->tally[chunk + 1] = count;
}

static void fill_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const edge_job *job = argument;
    const dgmi_mapper_draft *draft = job->draft;
    dgm_summary_edge *edge = job->summary->edges + draft->tally[chunk];
    int64_t begin, end;
    dgmi_chunk(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_mapper_meeting *meeting = &draft->stages->meetings[i];
        if (!draft->joined[i])
            continue;
        *edge = (dgm_summary_edge){draft->number[meeting->low],
                                   draft->number[meeting->high],
                                   meeting->shared,
                                   meeting->links,
                                   meeting->inner,
                                   dgmi_mapper_draft_weight(draft, meeting)};
        dgmi_graph_union_link(job->parent, edge->source, edge->target);
        edge++;
    }
}

/* Edges, and how many independent loops they form. */
static dgm_status fill_edges(dgmi_mapper_draft *draft, dgm_summary *summary) {
    int64_t chunks = dgmi_chunks(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN),
            components = 0;
    edge_job job = {draft, summary, NULL};
    draft->tally[0] = 0;
    dgmi_parallel(draft->ctx, chunks, count_chunk, &job);
    for (int64_t c = 0; c < chunks; c++)
        draft->tally[c + 1] += draft->tally[c];
    summary->edge_count = draft->tally[chunks];
    summary->edges = dgmi_alloc(draft->ctx, summary->edge_count, sizeof *summary->edges);
    job.parent = dgmi_scratch(draft->ctx, summary->clusters, sizeof *job.parent);
    if (!summary->edges || !job.parent)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters; c++)
        job.parent[c] = (uint32_t)c;
    dgmi_parallel(draft->ctx, chunks, fill_chunk, &job);
    for (int64_t c = 0; c < summary->clusters; c++)
        components += job.parent[c] == c;
    summary->topology.cycle_rank = summary->edge_count - summary->clusters + components;
    return DGM_OK;
}

static bool any_kept(const dgmi_mapper_draft *draft, int64_t bundle) {
    uint32_t one;
    const uint32_t *list;
    int64_t count = dgmi_mapper_bundle_list(&draft->stages->bundles, (uint32_t)bundle, &one, &list);
    for (int64_t i = 0; i < count; i++)
        if (draft->kept[list[i]])
            return true;
    return false;
}

/* Whether a node lies in cells, and is noise in all of them. */
static bool is_noise(const dgmi_mapper_stages *stages, int64_t u) {
    const uint32_t *offsets = stages->pullback.offsets;
    for (uint32_t s = offsets[u]; s < offsets[u + 1]; s++)
        if (stages->clusters.of_slot[s] != DGMI_MAPPER_NO_CLUSTER)
            return false;
    return offsets[u] < offsets[u + 1];
}

/* Every node is covered, or some rule took its last cluster. */
static void count_nodes(const dgmi_mapper_draft *draft, dgm_summary_coverage *coverage) {
    const dgmi_mapper_bundles *bundles = &draft->stages->bundles;
    const uint32_t *offsets = draft->stages->pullback.offsets;
    for (int64_t c = 0; c < bundles->count; c++)
        *(any_kept(draft, c) ? &coverage->covered : &coverage->filtered_min_component) +=
            bundles->members[c];
    bool has_noise = draft->options->cluster == DGM_CLUSTER_GIVEN;
    for (int64_t u = 0; u < draft->stages->pullback.nodes; u++) {
        coverage->filtered_cover += offsets[u] == offsets[u + 1];
        coverage->filtered_noise += has_noise && is_noise(draft->stages, u);
    }
    coverage->filtered_min_size =
        bundles->members[bundles->count] - coverage->filtered_cover - coverage->filtered_noise;
}

static dgm_status close_ledger(const dgmi_mapper_draft *draft, dgm_summary_coverage *coverage) {
    count_nodes(draft, coverage);
    coverage->nodes = draft->nodes;
    coverage->edges = draft->graph_edges;
    coverage->attached_clusters = draft->stages->attached_clusters;
    coverage->attached_nodes = draft->stages->attached_nodes;
    coverage->taken = draft->stages->pullback.taken_count;
    coverage->filtered = coverage->filtered_cover + coverage->filtered_noise +
                         coverage->filtered_min_size + coverage->filtered_min_component;
    coverage->lost = coverage->nodes - coverage->covered - coverage->filtered;
    return dgmi_mapper_edges_inside(draft->ctx, &draft->stages->bundles, &draft->stages->crossings,
                                    draft->kept, &coverage->edges_inside);
}

static dgm_status fill_summary(dgmi_mapper_draft *draft, dgm_summary *summary) {
    dgm_status status = name_graph(draft, summary);
    if (status == DGM_OK)
        status = copy_options(draft, summary);
    if (status == DGM_OK)
        status = describe_lens(draft, summary);
    if (status == DGM_OK)
        status = place_clusters(draft, summary);
    if (status == DGM_OK)
        status = fill_clusters(draft, summary);
    if (status == DGM_OK)
        status = find_taken(draft, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_draft_weigh(draft, summary);
    if (status == DGM_OK)
        status = fill_edges(draft, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_draft_weigh_edges(draft, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_topology_make(draft->ctx, &draft->stages->bundles, draft->kept,
                                           draft->stages->meetings, draft->stages->meeting_count,
                                           &summary->topology);
    if (status == DGM_OK)
        status = close_ledger(draft, &summary->coverage);
    if (status == DGM_OK)
        status = dgmi_mapper_dust_count(draft->ctx, summary, DGM_DUST_SIZE);
    return status;
}

dgm_status dgmi_mapper_draft_write(dgmi_mapper_draft *draft, dgm_summary **out) {
    dgm_summary *summary;
    dgm_status status = dgmi_mapper_summary_create(draft->ctx, &summary);
    if (status != DGM_OK)
        return status;
    status = fill_summary(draft, summary);
    if (status == DGM_OK)
        *out = summary;
    else
        dgm_summary_free(summary);
    return status;
}
