/* SPDX-License-Identifier: Apache-2.0 */
/* Many covers of one lens on one graph, the maps between them and what persists along these. */
#include "pipeline_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_text.h"
#include "mapper_dust.h"
#include "pipeline_lens.h"

void dgm_sweep_free(dgm_sweep *sweep) {
    if (!sweep)
        return;
    dgm_allocator allocator = sweep->allocator;
    for (int64_t i = 0; i < sweep->panel_count; i++) {
        dgm_view_free(sweep->views ? sweep->views[i] : NULL);
        dgm_profile_free(sweep->profiles ? sweep->profiles[i] : NULL);
        dgm_summary_free(sweep->summaries ? sweep->summaries[i] : NULL);
    }
    for (int64_t i = 0; sweep->chains && i < sweep->chain_count; i++) {
        dgmi_allocator_free(&allocator, sweep->chains[i].panels);
        dgm_tower_free(sweep->chains[i].tower);
    }
    dgm_graph_free(sweep->graph);
    dgm_predictions_free(sweep->predictions);
    void *blocks[] = {
        sweep->lens_name, sweep->command,    sweep->panels, sweep->summaries, sweep->profiles,
        sweep->views,     sweep->chains,     sweep->steps,  sweep->towers,    sweep->bars,
        sweep->pairs,     sweep->pair_edges, sweep};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

const dgm_graph *dgm_sweep_graph(const dgm_sweep *sweep) {
    return sweep->graph;
}

const dgm_predictions *dgm_sweep_predictions(const dgm_sweep *sweep) {
    return sweep->predictions;
}

const dgm_sweep_panel *dgm_sweep_panels(const dgm_sweep *sweep, int64_t *count) {
    *count = sweep->panel_count;
    return sweep->panels;
}

const dgm_sweep_step *dgm_sweep_steps(const dgm_sweep *sweep, int64_t *count) {
    *count = sweep->step_count;
    return sweep->steps;
}

const dgm_sweep_tower *dgm_sweep_towers(const dgm_sweep *sweep, int64_t *count) {
    *count = sweep->tower_count;
    return sweep->towers;
}

const dgm_sweep_pair *dgm_sweep_pairs(const dgm_sweep *sweep, int64_t *count) {
    *count = sweep->pair_count;
    return sweep->pairs;
}

/* ---- checks ---- */

static dgm_mapper_options panel_options(const dgm_job *job, int64_t intervals, double overlap) {
    dgm_mapper_options options = job->mapper;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    for (int k = 1; k < DGM_MAX_AXES; k++) {
        options.intervals[k] = DGM_SAME;
        options.overlap[k] = DGM_SAME;
    }
    return options;
}

static dgm_status check_outputs(dgm_context *ctx, const dgm_job *job) {
    static const char *const known[] = {"svg", "pdf", "png", "json", NULL};
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < job->output_count; i++) {
        dgm_export_format format;
        status = dgm_export_format_among(ctx, job->outputs[i], "sweeps", known, &format);
    }
    return status;
}

static dgm_status check_grid(dgm_context *ctx, const dgm_job *job, const dgm_sweep_grid *grid) {
    int64_t columns = grid->interval_count, rows = grid->overlap_count;
    if (columns < 1 || rows < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a sweep needs intervals and overlaps");
    if (columns > DGM_SWEEP_MOST || rows > DGM_SWEEP_MOST || columns * rows > DGM_SWEEP_MOST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a grid of %lld by %lld is too large: at most %d panels",
                         (long long)columns, (long long)rows, DGM_SWEEP_MOST);
    for (int64_t i = 0; i < columns; i++)
        for (int64_t k = 0; k < i; k++)
            if (grid->intervals[i] == grid->intervals[k])
                return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("intervals") " has %lld twice",
                                 (long long)grid->intervals[i]);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < i; k++)
            if (grid->overlaps[i] == grid->overlaps[k])
                return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("overlap") " has %g twice",
                                 grid->overlaps[i]);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < columns * rows; i++) {
        dgm_mapper_options options =
            panel_options(job, grid->intervals[i % columns], grid->overlaps[i / columns]);
        status = dgm_mapper_check(ctx, &options);
    }
    return status;
}

static dgm_status check_sweep(dgm_context *ctx, dgmi_pipeline_plan *plan,
                              const dgm_sweep_grid *grid) {
    const dgm_job *job = &plan->job;
    if (job->mapper.cover != DGM_COVER_UNIFORM && job->mapper.cover != DGM_COVER_QUANTILE)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a sweep changes the intervals of each axis, which this cover does not "
                         "have: use " DGMI_NAMED("cover=uniform") " or quantile");
    dgm_status status = check_grid(ctx, job, grid);
    /* A sweep does not read the job's own intervals and overlap. */
    plan->job.mapper = panel_options(job, 10, 0.2);
    if (status == DGM_OK)
        status = check_outputs(ctx, job);
    return status == DGM_OK ? dgmi_pipeline_plan_check(ctx, plan) : status;
}

dgm_status dgm_sweep_check(dgm_context *ctx, const dgm_job *job, const dgm_sweep_grid *grid) {
    dgmi_pipeline_plan plan;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_plan_take(ctx, job, NULL, &plan);
    if (status == DGM_OK)
        status = check_sweep(ctx, &plan, grid);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- panels ---- */

static int compare_integers(const void *x, const void *y) {
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static int compare_reals(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static dgm_status place_panels(dgm_context *ctx, const dgm_sweep_grid *grid, dgm_sweep *sweep) {
    int64_t intervals[DGM_SWEEP_MOST], count = grid->interval_count * grid->overlap_count;
    double overlaps[DGM_SWEEP_MOST];
    memcpy(intervals, grid->intervals, (size_t)grid->interval_count * sizeof *intervals);
    memcpy(overlaps, grid->overlaps, (size_t)grid->overlap_count * sizeof *overlaps);
    qsort(intervals, (size_t)grid->interval_count, sizeof *intervals, compare_integers);
    qsort(overlaps, (size_t)grid->overlap_count, sizeof *overlaps, compare_reals);
    sweep->panel_count = count;
    sweep->columns = grid->interval_count;
    sweep->rows = grid->overlap_count;
    sweep->panels = dgmi_alloc_zero(ctx, count, sizeof *sweep->panels);
    sweep->summaries = dgmi_alloc_zero(ctx, count, sizeof *sweep->summaries);
    sweep->profiles = dgmi_alloc_zero(ctx, count, sizeof *sweep->profiles);
    sweep->views = dgmi_alloc_zero(ctx, count, sizeof *sweep->views);
    if (!sweep->panels || !sweep->summaries || !sweep->profiles || !sweep->views)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        sweep->panels[i] =
            (dgm_sweep_panel){intervals[i % sweep->columns], overlaps[i / sweep->columns], NULL};
    return DGM_OK;
}

static dgm_status map_panels(dgm_context *ctx, const dgm_job *job, const dgm_matrix *lens,
                             dgm_sweep *sweep) {
    const dgm_provenance provenance = {
        .lens = sweep->lens_name, .command = sweep->command, .seed = sweep->seed};
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < sweep->panel_count; i++) {
        dgm_sweep_panel *panel = &sweep->panels[i];
        dgm_mapper_options options = panel_options(job, panel->intervals, panel->overlap);
        status = dgm_mapper_run(ctx, sweep->graph, lens, &options, &sweep->summaries[i]);
        if (status == DGM_OK)
            status = dgmi_mapper_dust_count(ctx, sweep->summaries[i], job->layout.dust_size);
        if (status == DGM_OK)
            status = dgm_summary_set_provenance(ctx, sweep->summaries[i], &provenance);
        panel->summary = sweep->summaries[i];
    }
    return status;
}

/* ---- chains ---- */

/* A row from many to few intervals, or a column from small to large overlap. */
static dgm_status make_chain(dgm_context *ctx, dgm_sweep *sweep, int64_t index) {
    dgmi_pipeline_chain *chain = &sweep->chains[index];
    bool row = index < sweep->rows;
    int64_t count = row ? sweep->columns : sweep->rows;
    const dgm_summary *summaries[DGM_SWEEP_MOST];
    chain->panels = dgmi_alloc(ctx, count, sizeof *chain->panels);
    if (!chain->panels)
        return DGM_ERROR_MEMORY;
    chain->count = count;
    for (int64_t i = 0; i < count; i++) {
        chain->panels[i] =
            row ? index * sweep->columns + count - 1 - i : i * sweep->columns + index - sweep->rows;
        summaries[i] = sweep->summaries[chain->panels[i]];
    }
    return dgm_tower_create(ctx, summaries, count, &chain->tower);
}

static void count_chains(const dgm_sweep *sweep, int64_t *steps, int64_t *towers, int64_t *bars) {
    *steps = *towers = *bars = 0;
    for (int64_t i = 0; i < sweep->chain_count; i++) {
        int64_t count;
        const dgm_tower_run *runs = dgm_tower_runs(sweep->chains[i].tower, &count);
        *steps += dgm_tower_steps(sweep->chains[i].tower);
        *towers += count;
        for (int64_t r = 0; r < count; r++)
            *bars += runs[r].bar_count;
    }
}

static void list_towers(dgm_sweep *sweep, const dgmi_pipeline_chain *chain, dgm_bar **bar) {
    int64_t count;
    const dgm_tower_run *runs = dgm_tower_runs(chain->tower, &count);
    for (int64_t r = 0; r < count; r++) {
        const dgm_tower_run *run = &runs[r];
        sweep->towers[sweep->tower_count++] =
            (dgm_sweep_tower){run->last - run->first + 1, chain->panels + run->first,
                              run->loops_known, run->bar_count, *bar};
        for (int64_t b = 0; b < run->bar_count; b++, ++*bar) {
            **bar = run->bars[b];
            (*bar)->birth -= run->first;
            (*bar)->death -= (*bar)->death < 0 ? 0 : run->first;
        }
    }
}

static dgm_status make_chains(dgm_context *ctx, dgm_sweep *sweep) {
    dgm_status status = DGM_OK;
    int64_t steps, towers, bars;
    sweep->chain_count = sweep->rows + sweep->columns;
    sweep->chains = dgmi_alloc_zero(ctx, sweep->chain_count, sizeof *sweep->chains);
    if (!sweep->chains)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < sweep->chain_count; i++)
        status = make_chain(ctx, sweep, i);
    if (status != DGM_OK)
        return status;
    count_chains(sweep, &steps, &towers, &bars);
    sweep->steps = dgmi_alloc(ctx, steps, sizeof *sweep->steps);
    sweep->towers = dgmi_alloc(ctx, towers, sizeof *sweep->towers);
    sweep->bars = dgmi_alloc(ctx, bars, sizeof *sweep->bars);
    if (!sweep->steps || !sweep->towers || !sweep->bars)
        return DGM_ERROR_MEMORY;
    dgm_bar *bar = sweep->bars;
    for (int64_t i = 0; i < sweep->chain_count; i++) {
        const dgmi_pipeline_chain *chain = &sweep->chains[i];
        for (int64_t s = 0; s < dgm_tower_steps(chain->tower); s++)
            sweep->steps[sweep->step_count++] = (dgm_sweep_step){
                chain->panels[s], chain->panels[s + 1], dgm_tower_get_step(chain->tower, s)};
        list_towers(sweep, chain, &bar);
    }
    return DGM_OK;
}

/* ---- the whole ---- */

static dgm_status open_graph(dgm_context *ctx, const dgm_job *job, dgm_sweep *sweep) {
    sweep->seed = job->seed;
    sweep->command = dgmi_strdup(ctx, job->command ? job->command : "");
    if (!sweep->command)
        return DGM_ERROR_MEMORY;
    return dgmi_pipeline_open_graph(ctx, job, &sweep->graph);
}

static dgm_status map_graph(dgm_context *ctx, const dgmi_pipeline_plan *plan, dgm_sweep *sweep) {
    dgm_lens_result *lens = NULL;
    dgm_status status =
        dgmi_pipeline_open_predictions(ctx, &plan->job, sweep->graph, &sweep->predictions);
    if (status == DGM_OK)
        status = dgmi_pipeline_job_lens(ctx, plan, sweep->graph, &lens);
    if (status == DGM_OK)
        sweep->lens_name = dgmi_strdup(ctx, lens->name);
    if (status == DGM_OK && !sweep->lens_name)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = map_panels(ctx, &plan->job, lens->axes, sweep);
    if (status == DGM_OK && !sweep->predictions)
        sweep->predictions = dgm_lens_result_take_predictions(lens);
    dgm_lens_result_free(lens);
    return status;
}

static dgm_status write_outputs(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                                dgm_sweep *sweep) {
    const dgm_job *job = &plan->job;
    bool drawn = false, written = false;
    dgm_figure *figure = NULL;
    char *json = NULL;
    size_t length = 0;
    dgm_status status = DGM_OK;
    for (int i = 0; i < job->output_count; i++) {
        drawn = drawn || dgm_export_is_figure(plan->formats[i]);
        written = written || !dgm_export_is_figure(plan->formats[i]);
    }
    if (status == DGM_OK && drawn)
        status = dgmi_pipeline_sweep_lay_out(ctx, job, sweep);
    if (status == DGM_OK && drawn)
        status = dgmi_pipeline_sweep_draw(ctx, job, sweep, &figure);
    if (status == DGM_OK && written)
        status = dgm_sweep_json(ctx, sweep, &json, &length);
    if (status == DGM_OK && job->output_count)
        status = dgm_figure_write(ctx, figure, json, length, job->outputs, job->output_count);
    dgm_export_text_free(ctx, json);
    dgm_figure_free(figure);
    return status;
}

static dgm_status run_sweep(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                            const dgm_sweep_grid *grid, dgm_sweep **out) {
    dgm_sweep *sweep = dgmi_alloc_zero(ctx, 1, sizeof *sweep);
    if (!sweep)
        return DGM_ERROR_MEMORY;
    sweep->allocator = ctx->allocator;
    dgm_status status = open_graph(ctx, &plan->job, sweep);
    if (status == DGM_OK)
        status = place_panels(ctx, grid, sweep);
    if (status == DGM_OK)
        status = map_graph(ctx, plan, sweep);
    if (status == DGM_OK)
        status = make_chains(ctx, sweep);
    if (status == DGM_OK)
        status = dgmi_pipeline_sweep_pair(ctx, sweep);
    if (status == DGM_OK)
        status = write_outputs(ctx, plan, sweep);
    if (status != DGM_OK) {
        dgm_sweep_free(sweep);
        return status;
    }
    *out = sweep;
    return DGM_OK;
}

dgm_status dgm_sweep_run(dgm_context *ctx, const dgm_job *job, const dgm_sweep_grid *grid,
                         dgm_sweep **out) {
    *out = NULL;
    dgmi_pipeline_plan plan;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_plan_take(ctx, job, NULL, &plan);
    if (status == DGM_OK)
        status = check_sweep(ctx, &plan, grid);
    if (status == DGM_OK)
        status = run_sweep(ctx, &plan, grid, out);
    dgmi_arena_release(ctx, hold);
    return status;
}
