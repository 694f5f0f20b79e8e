/* SPDX-License-Identifier: Apache-2.0 */
/* Mapper from end to end: cover, pull-back, clusters, meetings, filters, ledger, topology.
 *
 * Order of work: clusters; drop those under min_size; edges; weight = strength / largest strength;
 * drop structural edges under eps; drop components of what is left that are under min_component.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"
#include "mapper_stages.h"
#include "mapper_summary.h"

enum { GRAIN = 1 << 13 }; /* meetings a chunk */

typedef struct {
    dgm_context *ctx;
    dgm_graph_rows rows;
    int64_t graph_edges; /* loops aside */
    const dgm_matrix *lens;
    const dgm_mapper_options *options;
    dgmi_pullback pullback;
    dgmi_clusters clusters;
    dgmi_classes classes;
    dgmi_crossings crossings;
    dgmi_meeting *meetings;
    int64_t meeting_count;
    int64_t most;     /* the largest strength of a meeting */
    int64_t *tally;   /* by chunk of meetings: its largest strength; then its edges */
    bool *joined;     /* by meeting: it is an edge of the summary */
    bool *kept;       /* by cluster */
    uint32_t *number; /* by cluster: its number in the summary */
} mapper_run;

static dgm_status check_lens(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens) {
    int64_t rows = dgm_matrix_rows(lens), columns = dgm_matrix_columns(lens);
    if (rows != dgm_graph_nodes(graph))
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the lens has %lld rows and the graph %lld nodes",
                         (long long)rows, (long long)dgm_graph_nodes(graph));
    if (columns < 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the lens has no columns");
    const double *values = dgm_matrix_values(lens);
    for (int64_t i = 0; i < rows * columns; i++)
        if (!isfinite(values[i])) {
            char name[64];
            dgm_graph_name(graph, i / columns, name, sizeof name);
            return dgmi_fail(ctx, DGM_ERROR_DATA, "the lens is %s at node '%s' (column %lld)",
                             isnan(values[i]) ? "not a number" : "infinite", name,
                             (long long)(i % columns) + 1);
        }
    return DGM_OK;
}

/* Clusters under min_size go before anything is counted. */
static void drop_small_clusters(mapper_run *run) {
    const dgmi_clusters *clusters = &run->clusters;
    for (int64_t c = 0; c < clusters->count; c++)
        run->kept[c] = clusters->size[c] >= run->options->min_size;
    if (run->options->min_size <= 1)
        return;
    for (int64_t s = 0; s < run->pullback.slots; s++)
        if (!run->kept[clusters->of_slot[s]])
            clusters->of_slot[s] = DGMI_NO_CLUSTER;
}

static int64_t strength_of(const dgm_mapper_options *options, const dgmi_meeting *meeting) {
    if (options->edges == DGM_EDGES_NERVE)
        return meeting->shared;
    if (options->rule == DGM_RULE_DGM) /* the paper authors' own count, whatever was asked for */
        return meeting->links + meeting->inner;
    bool sas = options->strength == DGM_STRENGTH_SAS;
    return meeting->links + (sas ? meeting->shared + meeting->inner : 0);
}

static void weigh_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const mapper_run *run = argument;
    int64_t begin, end, most = 0;
    dgmi_chunk(run->meeting_count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t strength = strength_of(run->options, &run->meetings[i]);
        most = strength > most ? strength : most;
    }
    run->tally[chunk] = most;
}

static double weight_of(const mapper_run *run, const dgmi_meeting *meeting) {
    return (double)strength_of(run->options, meeting) / (double)run->most;
}

static void join_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const mapper_run *run = argument;
    bool filter = run->options->edges == DGM_EDGES_STRUCTURAL && run->options->eps > 0;
    int64_t begin, end;
    dgmi_chunk(run->meeting_count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_meeting *meeting = &run->meetings[i];
        run->joined[i] = strength_of(run->options, meeting) > 0 &&
                         !(filter && weight_of(run, meeting) < run->options->eps);
    }
}

/* Meetings that are edges of the summary. */
static dgm_status join_clusters(mapper_run *run) {
    int64_t chunks = dgmi_chunks(run->meeting_count, GRAIN);
    run->joined = dgmi_scratch(run->ctx, run->meeting_count, sizeof *run->joined);
    run->tally = dgmi_scratch(run->ctx, chunks + 1, sizeof *run->tally);
    if (!run->joined || !run->tally)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(run->ctx, chunks, weigh_chunk, run);
    for (int64_t c = 0; c < chunks; c++)
        run->most = run->tally[c] > run->most ? run->tally[c] : run->most;
    dgmi_parallel(run->ctx, chunks, join_chunk, run);
    return DGM_OK;
}

/* Drops components of the summary whose cluster sizes add up to less than min_component. */
static dgm_status drop_small_components(mapper_run *run) {
    if (run->options->min_component <= 0)
        return DGM_OK;
    int64_t count = run->clusters.count;
    uint32_t *parent = dgmi_scratch(run->ctx, count, sizeof *parent);
    int64_t *total = dgmi_scratch_zero(run->ctx, count, sizeof *total);
    if (!parent || !total)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++)
        parent[c] = (uint32_t)c;
    for (int64_t i = 0; i < run->meeting_count; i++)
        if (run->joined[i])
            dgmi_union_link(parent, run->meetings[i].low, run->meetings[i].high);
    for (int64_t c = 0; c < count; c++)
        if (run->kept[c])
            total[dgmi_union_find(parent, (uint32_t)c)] += run->clusters.size[c];
    int64_t largest = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t size = total[dgmi_union_find(parent, (uint32_t)c)];
        largest = size > largest ? size : largest;
        if (size < run->options->min_component)
            run->kept[c] = false;
    }
    if (largest > 0 && largest < run->options->min_component)
        dgmi_note(
            run->ctx,
            "--min-component %lld leaves nothing: the largest component of the summary has %lld "
            "members",
            (long long)run->options->min_component, (long long)largest);
    return DGM_OK;
}

/* ---- writing the summary ---- */

static dgm_status copy_options(mapper_run *run, dgm_summary *summary) {
    dgm_context *ctx = run->ctx;
    summary->options = *run->options;
    summary->options.given = NULL;
    if (run->options->cover != DGM_COVER_INTERVALS) {
        summary->options.given_count = 0;
        return DGM_OK;
    }
    int64_t count = run->options->given_count;
    summary->given = dgmi_alloc(ctx, count, sizeof *summary->given);
    if (!summary->given)
        return DGM_ERROR_MEMORY;
    memcpy(summary->given, run->options->given, (size_t)count * sizeof *summary->given);
    summary->options.given = summary->given;
    return DGM_OK;
}

static dgm_status describe_lens(mapper_run *run, dgm_summary *summary) {
    dgm_context *ctx = run->ctx;
    int64_t rows = dgm_matrix_rows(run->lens), columns = dgm_matrix_columns(run->lens);
    const double *values = dgm_matrix_values(run->lens);
    summary->dimension = columns;
    summary->low = dgmi_alloc_zero(ctx, columns, sizeof *summary->low);
    summary->high = dgmi_alloc_zero(ctx, columns, sizeof *summary->high);
    summary->axis_names = dgmi_alloc_zero(ctx, columns, sizeof *summary->axis_names);
    summary->transforms = dgmi_alloc_zero(ctx, columns, sizeof *summary->transforms);
    summary->errors = dgmi_alloc_zero(ctx, columns, sizeof *summary->errors);
    if (!summary->low || !summary->high || !summary->axis_names || !summary->transforms ||
        !summary->errors)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < columns; k++) {
        double low = rows ? values[k] : 0, high = low;
        for (int64_t i = 0; i < rows; i++) {
            double value = values[i * columns + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        summary->low[k] = low;
        summary->high[k] = high;
        summary->errors[k] = dgm_matrix_column_error(run->lens, k);
        summary->axis_names[k] = dgmi_strdup(ctx, dgm_matrix_column_name(run->lens, k));
        summary->transforms[k] = dgmi_strdup(ctx, dgm_matrix_column_transform(run->lens, k));
        if (!summary->axis_names[k] || !summary->transforms[k])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

/* Numbers, cells and room for the clusters that are kept. */
static dgm_status place_clusters(mapper_run *run, dgm_summary *summary) {
    const dgmi_clusters *clusters = &run->clusters;
    int64_t axes = run->pullback.axes, members = 0, kept = 0;
    for (int64_t c = 0; c < clusters->count; c++) {
        run->number[c] = run->kept[c] ? (uint32_t)kept++ : DGMI_NO_CLUSTER;
        members += run->kept[c] ? clusters->size[c] : 0;
    }
    summary->clusters = kept;
    summary->axes = axes;
    summary->cells = dgmi_alloc(run->ctx, kept * axes, sizeof *summary->cells);
    summary->offsets = dgmi_alloc_zero(run->ctx, kept + 1, sizeof *summary->offsets);
    summary->members = dgmi_alloc(run->ctx, members, sizeof *summary->members);
    summary->lens = dgmi_alloc_zero(run->ctx, kept * summary->dimension, sizeof *summary->lens);
    if (!summary->cells || !summary->offsets || !summary->members || !summary->lens)
        return DGM_ERROR_MEMORY;
    if (summary->dimension == 1) {
        summary->peaks = dgmi_alloc(run->ctx, kept * DGM_SUMMARY_PEAKS, sizeof *summary->peaks);
        if (!summary->peaks)
            return DGM_ERROR_MEMORY;
        memset(summary->peaks, 0xFF, (size_t)(kept * DGM_SUMMARY_PEAKS) * sizeof *summary->peaks);
    }
    for (int64_t c = 0; c < clusters->count; c++) {
        if (!run->kept[c])
            continue;
        uint32_t k = run->number[c];
        summary->offsets[k + 1] = summary->offsets[k] + clusters->size[c];
        memcpy(summary->cells + k * axes, run->pullback.coordinates + clusters->cell[c] * axes,
               (size_t)axes * sizeof *summary->cells);
    }
    return DGM_OK;
}

typedef struct {
    const mapper_run *run;
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

/* A cell's clusters are its own, and its slots come in node order: so do members and sums. */
static void fill_cell(void *argument, int64_t cell, int thread) {
    (void)thread;
    const member_job *job = argument;
    const mapper_run *run = job->run;
    const dgmi_pullback *pullback = &run->pullback;
    const double *values = dgm_matrix_values(run->lens);
    int64_t columns = job->summary->dimension;
    for (uint32_t i = pullback->cell_start[cell]; i < pullback->cell_start[cell + 1]; i++) {
        uint32_t slot = pullback->by_cell[i], cluster = run->clusters.of_slot[slot];
        if (cluster == DGMI_NO_CLUSTER || run->number[cluster] == DGMI_NO_CLUSTER)
            continue;
        int64_t k = run->number[cluster], u = pullback->node[slot];
        job->summary->members[job->cursor[k]++] = (uint32_t)u;
        for (int64_t j = 0; j < columns; j++)
            job->summary->lens[k * columns + j] += values[u * columns + j] * job->scale[j];
        if (job->summary->peaks)
            keep_peak(job->summary->peaks + k * DGM_SUMMARY_PEAKS, values, (uint32_t)u);
    }
}

/* Members in node order, and the mean of their lens. */
static dgm_status fill_clusters(mapper_run *run, dgm_summary *summary) {
    int64_t columns = summary->dimension;
    member_job job = {run, summary, NULL, NULL};
    job.cursor = dgmi_scratch(run->ctx, summary->clusters, sizeof *job.cursor);
    job.scale = dgmi_scratch(run->ctx, columns, sizeof *job.scale);
    if (!job.cursor || !job.scale)
        return DGM_ERROR_MEMORY;
    for (int64_t j = 0; j < columns; j++) /* sums of huge values must not overflow */
        job.scale[j] = fmax(fabs(summary->low[j]), fabs(summary->high[j])) > 1e290 ? 0x1p-40 : 1;
    memcpy(job.cursor, summary->offsets, (size_t)summary->clusters * sizeof *job.cursor);
    dgmi_parallel(run->ctx, run->pullback.cells, fill_cell, &job);
    for (int64_t k = 0; k < summary->clusters; k++)
        for (int64_t j = 0; j < columns; j++)
            summary->lens[k * columns + j] /=
                (double)(summary->offsets[k + 1] - summary->offsets[k]) * job.scale[j];
    return DGM_OK;
}

typedef struct {
    mapper_run *run;
    dgm_summary *summary;
    uint32_t *parent; /* of the summary's components */
} edge_job;

/* Edges between clusters that are kept. */
static void count_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const mapper_run *run = ((const edge_job *)argument)->run;
    int64_t begin, end, count = 0;
    dgmi_chunk(run->meeting_count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_meeting *meeting = &run->meetings[i];
        run->joined[i] &= run->kept[meeting->low] && run->kept[meeting->high];
        count += run->joined[i];
    }
    run->tally[chunk + 1] = count;
}

static void fill_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const edge_job *job = argument;
    const mapper_run *run = job->run;
    dgm_summary_edge *edge = job->summary->edges + run->tally[chunk];
    int64_t begin, end;
    dgmi_chunk(run->meeting_count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_meeting *meeting = &run->meetings[i];
        if (!run->joined[i])
            continue;
        *edge = (dgm_summary_edge){run->number[meeting->low],
                                   run->number[meeting->high],
                                   meeting->shared,
                                   meeting->links,
                                   meeting->inner,
                                   weight_of(run, meeting)};
        dgmi_union_link(job->parent, edge->source, edge->target);
        edge++;
    }
}

/* Edges, and how many independent loops they form. */
static dgm_status fill_edges(mapper_run *run, dgm_summary *summary) {
    int64_t chunks = dgmi_chunks(run->meeting_count, GRAIN), components = 0;
    edge_job job = {run, summary, NULL};
    run->tally[0] = 0;
    dgmi_parallel(run->ctx, chunks, count_chunk, &job);
    for (int64_t c = 0; c < chunks; c++)
        run->tally[c + 1] += run->tally[c];
    summary->edge_count = run->tally[chunks];
    summary->edges = dgmi_alloc(run->ctx, summary->edge_count, sizeof *summary->edges);
    job.parent = dgmi_scratch(run->ctx, summary->clusters, sizeof *job.parent);
    if (!summary->edges || !job.parent)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < summary->clusters; c++)
        job.parent[c] = (uint32_t)c;
    dgmi_parallel(run->ctx, chunks, fill_chunk, &job);
    for (int64_t c = 0; c < summary->clusters; c++)
        components += job.parent[c] == c;
    summary->topology.cycle_rank = summary->edge_count - summary->clusters + components;
    return DGM_OK;
}

static bool any_kept(const mapper_run *run, int64_t class) {
    uint32_t one;
    const uint32_t *list;
    int64_t count = dgmi_class_list(&run->classes, (uint32_t) class, &one, &list);
    for (int64_t i = 0; i < count; i++)
        if (run->kept[list[i]])
            return true;
    return false;
}

/* Every node is covered, or some rule took its last cluster. */
static void count_nodes(const mapper_run *run, dgm_summary_coverage *coverage) {
    const dgmi_classes *classes = &run->classes;
    const uint32_t *offsets = run->pullback.offsets;
    for (int64_t c = 0; c < classes->count; c++)
        *(any_kept(run, c) ? &coverage->covered : &coverage->filtered_min_component) +=
            classes->members[c];
    for (int64_t u = 0; u < run->pullback.nodes; u++)
        coverage->filtered_cover += offsets[u] == offsets[u + 1];
    coverage->filtered_min_size = classes->members[classes->count] - coverage->filtered_cover;
}

static dgm_status close_ledger(const mapper_run *run, dgm_summary_coverage *coverage) {
    count_nodes(run, coverage);
    coverage->nodes = run->rows.nodes;
    coverage->edges = run->graph_edges;
    coverage->filtered =
        coverage->filtered_cover + coverage->filtered_min_size + coverage->filtered_min_component;
    coverage->lost = coverage->nodes - coverage->covered - coverage->filtered;
    return dgmi_edges_inside(run->ctx, &run->classes, &run->crossings, run->kept,
                             &coverage->edges_inside);
}

static dgm_status write_summary(mapper_run *run, dgm_summary *summary) {
    summary->allocator = run->ctx->allocator;
    summary->nodes = run->rows.nodes;
    dgm_status status = copy_options(run, summary);
    if (status == DGM_OK)
        status = describe_lens(run, summary);
    if (status == DGM_OK)
        status = place_clusters(run, summary);
    if (status == DGM_OK)
        status = fill_clusters(run, summary);
    if (status == DGM_OK)
        status = fill_edges(run, summary);
    if (status == DGM_OK)
        status = dgmi_topology_make(run->ctx, &run->classes, run->kept, run->meetings,
                                    run->meeting_count, &summary->topology);
    if (status == DGM_OK)
        status = close_ledger(run, &summary->coverage);
    return status;
}

/* ---- the stages in order ---- */

static dgm_status find_clusters(mapper_run *run) {
    dgmi_cover cover;
    dgm_status status = dgmi_cover_make(run->ctx, run->lens, run->options, &cover);
    if (status == DGM_OK)
        status = dgmi_progress(run->ctx, "assigning cells", 0);
    if (status == DGM_OK)
        status = dgmi_pullback_make(run->ctx, &cover, &run->pullback);
    if (status == DGM_OK)
        status = dgmi_progress(run->ctx, "finding clusters", 0);
    if (status == DGM_OK)
        status =
            dgmi_clusters_make(run->ctx, run->rows, &run->pullback, run->options, &run->clusters);
    if (status != DGM_OK)
        return status;
    run->kept = dgmi_scratch(run->ctx, run->clusters.count, sizeof *run->kept);
    run->number = dgmi_scratch(run->ctx, run->clusters.count, sizeof *run->number);
    if (!run->kept || !run->number)
        return DGM_ERROR_MEMORY;
    drop_small_clusters(run);
    return DGM_OK;
}

static dgm_status find_meetings(mapper_run *run) {
    dgm_status status = dgmi_classes_make(run->ctx, &run->pullback, run->clusters.of_slot,
                                          run->clusters.count, &run->classes);
    if (status == DGM_OK)
        status = dgmi_progress(run->ctx, "joining clusters", 0);
    if (status == DGM_OK)
        status = dgmi_crossings_make(run->ctx, run->rows, &run->classes,
                                     run->options->edges == DGM_EDGES_NERVE, &run->crossings);
    if (status == DGM_OK)
        status = dgmi_progress(run->ctx, "joining clusters", 0.8);
    if (status == DGM_OK)
        status = dgmi_meetings_make(run->ctx, &run->classes, &run->crossings, &run->meetings,
                                    &run->meeting_count);
    return status;
}

static dgm_status run_stages(mapper_run *run, dgm_summary **out) {
    dgm_status status = find_clusters(run);
    if (status == DGM_OK)
        status = find_meetings(run);
    if (status == DGM_OK)
        status = join_clusters(run);
    if (status == DGM_OK)
        status = drop_small_components(run);
    if (status == DGM_OK)
        status = dgmi_progress(run->ctx, "writing the summary", 0);
    if (status != DGM_OK)
        return status;
    dgm_summary *summary = dgmi_alloc_zero(run->ctx, 1, sizeof *summary);
    if (!summary)
        return DGM_ERROR_MEMORY;
    status = write_summary(run, summary);
    if (status == DGM_OK)
        *out = summary;
    else
        dgm_summary_free(summary);
    return status;
}

dgm_status dgm_mapper_run(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                          const dgm_mapper_options *options, dgm_summary **out) {
    *out = NULL;
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    if (options)
        use = *options;
    dgm_status status = dgm_mapper_check(ctx, &use);
    if (status == DGM_OK)
        status = check_lens(ctx, graph, lens);
    if (status != DGM_OK)
        return status;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    mapper_run run = {.ctx = ctx,
                      .rows = dgm_graph_get_rows(graph),
                      .graph_edges =
                          dgm_graph_edges(graph) - dgm_graph_get_counts(graph).loops_kept,
                      .lens = lens,
                      .options = &use};
    status = run_stages(&run, out);
    dgmi_crossings_free(&run.crossings);
    dgmi_arena_release(ctx, mark);
    return status;
}
