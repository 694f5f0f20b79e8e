/* SPDX-License-Identifier: Apache-2.0 */
/* Mapper from end to end: cover, pull-back, clusters, meetings, filters, coverage, topology.
 *
 * The filters are applied in this order. First clusters smaller than min_size are dropped, or given
 * to their neighbours. Then the
 * edges are found and weighted (strength / largest strength), and structural edges below eps are
 * dropped. Last, components of what is left that have fewer than min_component members are dropped.
 *
 * The stages up to the meetings of clusters are kept in arenas of their own, so that a summary with
 * other options begins with the first stage that these options change.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "mapper_cover.h"
#include "mapper_draft.h"

typedef enum { CELLS, CLUSTERS, MEETINGS, STAGES } stage;

struct dgm_mapper {
    dgm_allocator allocator;
    const dgm_graph *graph; /* both are the caller's */
    const dgm_matrix *lens;
    dgm_mapper_options options; /* that the kept stages were made with; `given` is `own_given` */
    dgm_interval *own_given;
    stage kept; /* the stages before this one fit the options */
    dgmi_arena arenas[STAGES];
    dgmi_mapper_stages stages;
};

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

/* ---- which stages other options change ---- */

static bool same_given(const dgm_mapper_options *a, const dgm_mapper_options *b) {
    if (a->cover != DGM_COVER_INTERVALS)
        return true;
    bool same = a->given_count == b->given_count;
    for (int64_t i = 0; same && i < a->given_count; i++)
        same = a->given[i].low == b->given[i].low && a->given[i].high == b->given[i].high;
    return same;
}

static bool same_cells(const dgm_mapper_options *a, const dgm_mapper_options *b, int64_t axes) {
    bool same = a->cover == b->cover && a->rule == b->rule && same_given(a, b);
    same = same && a->cell_size == b->cell_size && a->radius == b->radius &&
           a->landmarks == b->landmarks && a->metric == b->metric && a->critical == b->critical &&
           a->most == b->most && a->gain == b->gain && a->pieces == b->pieces &&
           a->near == b->near && a->share == b->share && a->beta == b->beta &&
           a->subsamples == b->subsamples && (a->near == DGM_NEAR_EDGES || a->seed == b->seed);
    for (int64_t k = 0; same && k < axes; k++)
        same = dgmi_mapper_axis_intervals(a, k) == dgmi_mapper_axis_intervals(b, k) &&
               dgmi_mapper_axis_overlap(a, k) == dgmi_mapper_axis_overlap(b, k);
    return same;
}

static bool same_clusters(const dgm_mapper_options *a, const dgm_mapper_options *b) {
    return a->cluster == b->cluster && a->seed == b->seed && a->gap_bins == b->gap_bins &&
           a->reach == b->reach && a->min_points == b->min_points && a->space == b->space &&
           a->clusterer == b->clusterer && a->clusterer_user == b->clusterer_user;
}

static bool same_meetings(const dgm_mapper_options *a, const dgm_mapper_options *b) {
    return a->min_size == b->min_size && a->attach == b->attach && a->edges == b->edges;
}

static stage first_changed(const dgm_mapper *mapper, const dgm_mapper_options *options) {
    const dgm_mapper_options *made = &mapper->options;
    if (!same_cells(made, options, dgm_matrix_columns(mapper->lens)))
        return CELLS;
    if (!same_clusters(made, options))
        return CLUSTERS;
    return same_meetings(made, options) ? STAGES : MEETINGS;
}

static void drop_stages(dgm_mapper *mapper, stage first) {
    if (first <= MEETINGS) /* its blocks are listed in the stage's arena */
        dgmi_mapper_crossings_free(&mapper->stages.crossings);
    for (stage s = first; s < STAGES; s++)
        dgmi_arena_drop(&mapper->allocator, &mapper->arenas[s]);
    mapper->kept = mapper->kept < first ? mapper->kept : first;
}

/* Stages that do not fit the options go, and the options become those of the mapper. */
static dgm_status take_options(dgm_context *ctx, dgm_mapper *mapper,
                               const dgm_mapper_options *options) {
    dgm_interval *given = NULL;
    if (options->cover == DGM_COVER_INTERVALS) {
        given = dgmi_alloc(ctx, options->given_count, sizeof *given);
        if (!given)
            return DGM_ERROR_MEMORY;
        memcpy(given, options->given, (size_t)options->given_count * sizeof *given);
    }
    drop_stages(mapper, mapper->kept ? first_changed(mapper, options) : CELLS);
    dgmi_allocator_free(&mapper->allocator, mapper->own_given);
    mapper->options = *options;
    mapper->options.given = mapper->own_given = given;
    return DGM_OK;
}

/* ---- the stages in order ---- */

/* What the summary says of a cover that found its cells itself. */
static dgmi_mapper_found tell_found(const dgm_mapper_options *asked, const dgm_mapper_options *used,
                                    const dgmi_mapper_cover *cover) {
    if (asked->cover == DGM_COVER_CMO)
        return (dgmi_mapper_found){.cells = used->intervals[0], .overlap = used->overlap[0]};
    if (cover->lists.offsets)
        return (dgmi_mapper_found){.cells = cover->lists.cells};
    return cover->found;
}

static dgm_status find_cells(dgm_context *ctx, dgm_mapper *mapper) {
    dgmi_mapper_cover cover;
    dgm_mapper_options use = mapper->options;
    dgm_status status = DGM_OK;
    if (use.cover == DGM_COVER_CMO)
        status = dgmi_mapper_cmo_resolve(ctx, mapper->graph, mapper->lens, &use);
    if (status == DGM_OK)
        status = use.cover == DGM_COVER_PARTS
                     ? dgmi_mapper_parts_make(ctx, mapper->graph, mapper->lens, &use, &cover)
                     : dgmi_mapper_cover_make(ctx, mapper->lens, &use, &cover);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "assigning cells", 0);
    if (status == DGM_OK)
        status = dgmi_mapper_pullback_make(ctx, &cover, &mapper->stages.pullback);
    if (status == DGM_OK && use.pieces == DGM_PIECES_JOINED)
        status =
            dgmi_mapper_across(ctx, dgm_graph_get_rows(mapper->graph), &mapper->stages.pullback);
    if (status == DGM_OK)
        mapper->stages.found = tell_found(&mapper->options, &use, &cover);
    return status;
}

static dgm_status find_clusters(dgm_context *ctx, dgm_mapper *mapper) {
    dgmi_mapper_stages *stages = &mapper->stages;
    dgm_status status = dgmi_progress(ctx, "finding clusters", 0);
    if (status == DGM_OK)
        status = dgmi_mapper_clusters_make(ctx, mapper->graph, mapper->lens, &stages->pullback,
                                           &mapper->options, &stages->clusters);
    return status;
}

/* Clusters under min_size go before anything is counted, or are given to others. */
static dgm_status drop_small_clusters(dgm_context *ctx, dgm_mapper *mapper) {
    dgmi_mapper_stages *stages = &mapper->stages;
    const dgmi_mapper_clusters *clusters = &stages->clusters;
    int64_t slots = stages->pullback.slots;
    stages->large = dgmi_scratch(ctx, clusters->count, sizeof *stages->large);
    stages->of_slot = clusters->of_slot;
    stages->size = clusters->size;
    stages->attached_clusters = stages->attached_nodes = 0;
    if (!stages->large)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters->count; c++)
        stages->large[c] = clusters->size[c] >= mapper->options.min_size;
    if (mapper->options.min_size <= 1)
        return DGM_OK;
    if (mapper->options.attach)
        return dgmi_mapper_attach(ctx, dgm_graph_get_rows(mapper->graph), stages);
    stages->of_slot = dgmi_scratch(ctx, slots, sizeof *stages->of_slot);
    if (!stages->of_slot)
        return DGM_ERROR_MEMORY;
    for (int64_t s = 0; s < slots; s++) {
        uint32_t c = clusters->of_slot[s];
        bool is_large = c != DGMI_MAPPER_NO_CLUSTER && stages->large[c];
        stages->of_slot[s] = is_large ? c : DGMI_MAPPER_NO_CLUSTER;
    }
    return DGM_OK;
}

static dgm_status find_meetings(dgm_context *ctx, dgm_mapper *mapper) {
    dgmi_mapper_stages *stages = &mapper->stages;
    dgm_status status = drop_small_clusters(ctx, mapper);
    if (status == DGM_OK)
        status = dgmi_mapper_bundles_make(ctx, &stages->pullback, stages->of_slot,
                                          stages->clusters.count, &stages->bundles);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "joining clusters", 0);
    if (status == DGM_OK)
        status = dgmi_mapper_crossings_make(
            ctx, dgm_graph_get_rows(mapper->graph), &stages->bundles,
            mapper->options.edges == DGM_EDGES_NERVE, &stages->crossings);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "joining clusters", 0.8);
    if (status == DGM_OK)
        status = dgmi_mapper_meetings_make(ctx, &stages->bundles, &stages->crossings,
                                           &stages->meetings, &stages->meeting_count);
    return status;
}

static dgm_status run_stages(dgm_context *ctx, dgm_mapper *mapper) {
    static dgm_status (*const run[STAGES])(dgm_context *, dgm_mapper *) = {
        [CELLS] = find_cells, [CLUSTERS] = find_clusters, [MEETINGS] = find_meetings};
    dgm_status status = DGM_OK;
    for (; status == DGM_OK && mapper->kept < STAGES; mapper->kept += status == DGM_OK) {
        stage next = mapper->kept;
        dgmi_arena_swap(ctx, &mapper->arenas[next]);
        status = run[next](ctx, mapper);
        dgmi_arena_swap(ctx, &mapper->arenas[next]);
    }
    if (status != DGM_OK)
        drop_stages(mapper, mapper->kept);
    return status;
}

/* ---- the summary ---- */

static dgm_status open_draft(dgmi_mapper_draft *draft) {
    int64_t clusters = draft->stages->clusters.count;
    draft->kept = dgmi_scratch(draft->ctx, clusters, sizeof *draft->kept);
    draft->number = dgmi_scratch(draft->ctx, clusters, sizeof *draft->number);
    if (!draft->kept || !draft->number)
        return DGM_ERROR_MEMORY;
    if (clusters)
        memcpy(draft->kept, draft->stages->large, (size_t)clusters * sizeof *draft->kept);
    return DGM_OK;
}

static dgm_status write_summary(dgmi_mapper_draft *draft, dgm_summary **out) {
    dgm_status status = open_draft(draft);
    if (status == DGM_OK)
        status = dgmi_mapper_draft_join(draft);
    if (status == DGM_OK)
        status = dgmi_mapper_draft_drop_components(draft);
    if (status == DGM_OK)
        status = dgmi_progress(draft->ctx, "writing the summary", 0);
    return status == DGM_OK ? dgmi_mapper_draft_write(draft, out) : status;
}

dgm_status dgm_mapper_create(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                             dgm_mapper **out) {
    *out = NULL;
    dgm_status status = check_lens(ctx, graph, lens);
    if (status != DGM_OK)
        return status;
    dgm_mapper *mapper = dgmi_alloc_zero(ctx, 1, sizeof *mapper);
    if (!mapper)
        return DGM_ERROR_MEMORY;
    mapper->allocator = ctx->allocator;
    mapper->graph = graph;
    mapper->lens = lens;
    *out = mapper;
    return DGM_OK;
}

void dgm_mapper_free(dgm_mapper *mapper) {
    if (!mapper)
        return;
    drop_stages(mapper, CELLS);
    dgmi_allocator_free(&mapper->allocator, mapper->own_given);
    dgmi_allocator_free(&mapper->allocator, mapper);
}

dgm_status dgmi_mapper_summarise_checked(dgm_context *ctx, dgm_mapper *mapper,
                                         const dgm_mapper_options *options, dgm_summary **out) {
    *out = NULL;
    dgm_status status = take_options(ctx, mapper, options);
    if (status == DGM_OK)
        status = run_stages(ctx, mapper);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_draft draft = {.ctx = ctx,
                               .graph = mapper->graph,
                               .lens = mapper->lens,
                               .options = &mapper->options,
                               .stages = &mapper->stages,
                               .nodes = dgm_graph_nodes(mapper->graph),
                               .graph_edges = dgm_graph_edges(mapper->graph) -
                                              dgm_graph_get_counts(mapper->graph).loops_kept};
    status = write_summary(&draft, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_mapper_summarise(dgm_context *ctx, dgm_mapper *mapper,
                                const dgm_mapper_options *options, dgm_summary **out) {
    *out = NULL;
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_mapper_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_mapper_check(ctx, &use);
    return status == DGM_OK ? dgmi_mapper_summarise_checked(ctx, mapper, &use, out) : status;
}

dgm_status dgm_mapper_run(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                          const dgm_mapper_options *options, dgm_summary **out) {
    *out = NULL;
    dgm_mapper *mapper;
    dgm_status status = dgm_mapper_create(ctx, graph, lens, &mapper);
    if (status != DGM_OK)
        return status;
    status = dgm_mapper_summarise(ctx, mapper, options, out);
    dgm_mapper_free(mapper);
    return status;
}
