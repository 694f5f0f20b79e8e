/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: graph -> lens -> reduce -> mapper -> files. */
#include "dgm/pipeline.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_text.h"
#include "draw_view.h"
#include "io_formats.h"
#include "kernels_machine.h"
#include "mapper_stages.h"
#include "pipeline_lens.h"

void dgm_job_init(dgm_job *job) {
    *job = (dgm_job){.size = sizeof *job,
                     .graph_options = DGM_GRAPH_OPTIONS_INIT,
                     .mapper = DGM_MAPPER_OPTIONS_INIT,
                     .layout = DGM_LAYOUT_OPTIONS_INIT,
                     .figure = DGM_FIGURE_OPTIONS_INIT,
                     .seed = 1};
}

/* ---- the graph ---- */

static const char *const built_in[] = {"spam", "karate", "papers", NULL};

const char *const *dgm_built_in_graphs(void) {
    return built_in;
}

static int find_name(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Data sets that people expect to be there, and that have to be had first. */
static bool is_data_set(const char *name) {
    static const char *const known[] = {"cora", "citeseer", "pubmed"};
    size_t length = strcspn(name, "/");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncasecmp(name, known[i], length) == 0)
            return true;
    return false;
}

static dgm_status fail_missing(dgm_context *ctx, const char *name) {
    if (is_data_set(name))
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                            "no such file or folder: the data set does not come with dgm, and "
                            "docs/formats.md says how to get it; 'papers' is a built-in graph like "
                            "it");
    const char *near = dgm_name_nearest(name, built_in);
    if (near)
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                            "no such file or folder; did you mean the built-in graph '%s'?", near);
    return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                        "no such file or folder, nor a built-in graph (spam, karate, papers)");
}

dgm_status dgm_graph_open(dgm_context *ctx, const char *name, dgm_format format,
                          const dgm_graph_options *options, const dgm_graph_tables *tables,
                          int64_t seed, dgm_graph **out) {
    *out = NULL;
    struct stat status;
    if (strcmp(name, "-") == 0 || stat(name, &status) == 0)
        return dgm_graph_read(ctx, name, format, options, tables, out);
    dgm_generate_options generate = DGM_GENERATE_OPTIONS_INIT;
    generate.seed = seed;
    if (find_name(built_in, name) < 0)
        return fail_missing(ctx, name);
    generate.kind = find_name(dgm_generator_names(), name);
    if ((tables && tables->nodes) || format != DGM_FORMAT_AUTO)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the built-in graph '%s' takes neither a table of nodes nor a format",
                         name);
    dgm_status made = dgm_graph_generate(ctx, &generate, options, out);
    return made == DGM_OK && tables && tables->labels
               ? dgmi_io_graph_label(ctx, tables->labels, out)
               : made;
}

/* ---- the job ---- */

/* The cover's text becomes part of the mapper's options; given intervals are in scratch memory. */
static dgm_status parse_cover(dgm_context *ctx, dgm_job *job) {
    int64_t most = 1;
    for (const char *c = job->cover; *c; c++)
        most += *c == ',';
    dgm_interval *given = dgmi_scratch(ctx, most, sizeof *given);
    return given ? dgm_cover_parse(ctx, job->cover, &job->mapper, given, most) : DGM_ERROR_MEMORY;
}

dgm_status dgmi_pipeline_job_take(dgm_context *ctx, const dgm_job *job, dgm_job *out) {
    dgm_job_init(out);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_job, seed, job, out);
    if (status == DGM_OK && out->cover)
        status = parse_cover(ctx, out);
    if (out->lens_count == 0 && !out->lens_file)
        out->lenses[out->lens_count++] = "pagerank";
    return status;
}

dgm_status dgmi_pipeline_job_check(dgm_context *ctx, const dgm_job *job) {
    if (!job->graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "no graph was given");
    if (job->lens_count < 0 || job->lens_count > DGM_MAX_LENSES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d lenses stand side by side",
                         DGM_MAX_LENSES);
    if (job->output_count < 0 || job->output_count > DGM_MAX_OUTPUTS)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d outputs are written", DGM_MAX_OUTPUTS);
    if (job->transform_count < 0 || job->transform_count > DGM_MAX_AXES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d axes can be transformed", DGM_MAX_AXES);
    dgm_status status = dgm_mapper_check(ctx, &job->mapper);
    for (int i = 0; status == DGM_OK && i < job->lens_count; i++)
        status = dgm_lens_check(ctx, job->lenses[i]);
    if (status == DGM_OK)
        status = dgm_lens_check_model(ctx, job->lenses, job->lens_count, job->model);
    if (status == DGM_OK && job->reduce)
        status = dgm_reduce_check(ctx, job->reduce, job->dim);
    else if (status == DGM_OK && job->dim != 0)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE,
                           DGMI_NAMED("dim") " needs a reduction: " DGMI_NAMED("reduce=pca"));
    if (status == DGM_OK)
        status = dgm_figure_check(ctx, &job->figure);
    for (int i = 0; status == DGM_OK && i < job->output_count; i++) {
        dgm_export_format format;
        status = dgm_export_format_find(ctx, job->outputs[i], &format);
    }
    return status;
}

dgm_status dgm_job_check(dgm_context *ctx, const dgm_job *job) {
    dgm_job use;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_job_take(ctx, job, &use);
    if (status == DGM_OK)
        status = dgmi_pipeline_job_check(ctx, &use);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Pictures need places for the clusters. Files of data keep them for later pictures, but do not
 * wait for a layout that costs more than the summary did: 'dgm draw' makes it when it is wanted.
 * Tables have places only if a layout was made for another file, and Graphviz places by itself. */
typedef enum { LAYOUT_UNWANTED, LAYOUT_IF_CHEAP, LAYOUT_NEEDED } layout_need;

static layout_need need_of(dgm_context *ctx, const dgm_job *job) {
    layout_need need = LAYOUT_UNWANTED;
    for (int i = 0; i < job->output_count; i++) {
        dgm_export_format format;
        if (dgm_export_format_find(ctx, job->outputs[i], &format) != DGM_OK)
            continue;
        if (dgm_export_is_figure(format))
            return LAYOUT_NEEDED;
        if (format != DGM_EXPORT_DOT && format != DGM_EXPORT_CSV)
            need = LAYOUT_IF_CHEAP;
    }
    return need;
}

static dgm_status lay_out_view(dgm_context *ctx, const dgm_job *job, layout_need need,
                               dgm_view *view) {
    bool worth = true;
    dgm_layout_options layout = job->layout;
    layout.seed = job->seed;
    dgm_status status = DGM_OK;
    if (need == LAYOUT_IF_CHEAP)
        status = dgmi_draw_view_weigh_layout(ctx, view, &layout, &worth);
    if (status != DGM_OK)
        return status;
    if (worth)
        return dgm_view_lay_out(ctx, view, &layout);
    dgmi_note(ctx, "the clusters have no places: a layout would take longer than the summary did; "
                   "'dgm draw' makes one");
    return DGM_OK;
}

static dgm_status write_outputs(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                                const dgm_predictions *predictions, const dgm_summary *summary) {
    dgm_profile *profile = NULL;
    dgm_view *view = NULL;
    dgm_places places = {.layout = -1};
    layout_need need = need_of(ctx, job);
    dgm_status status = dgm_profile_create(ctx, summary, graph, predictions, &profile);
    if (status == DGM_OK && need != LAYOUT_UNWANTED)
        status = dgm_view_from_summary(ctx, summary, profile, NULL, &view);
    if (status == DGM_OK && view)
        status = lay_out_view(ctx, job, need, view);
    if (status == DGM_OK && view)
        places = dgm_view_get_places(view);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "writing", 0);
    const dgm_export_subject subject = {summary, graph, profile, &places, &job->figure};
    if (status == DGM_OK)
        status = dgm_export_write(ctx, &subject, job->outputs, job->output_count);
    dgm_view_free(view);
    dgm_profile_free(profile);
    return status;
}

/* What the caller does not want goes before the files are written. */
static dgm_status map_graph(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                            bool keep_axes, dgm_lens_result **lens, dgm_summary **summary) {
    dgmi_text name;
    dgm_mapper_options mapper = job->mapper;
    mapper.seed = job->seed;
    bool machine = false;
    char blas[DGMI_KERNELS_MACHINE_SPACE];
    dgmi_text_init(&name, ctx);
    dgm_status status = dgmi_pipeline_job_lens(ctx, job, graph, &name, &machine, lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, graph, (*lens)->axes, &mapper, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_cover_note_apart(ctx, (*lens)->axes, &mapper);
    if (status == DGM_OK && !keep_axes)
        dgmi_lens_result_set_axes(*lens, NULL);
    const dgm_provenance provenance = {.lens = name.data,
                                       .command = job->command,
                                       .seed = job->seed,
                                       .kernels = machine ? dgmi_kernels_machine_name() : NULL,
                                       .blas = machine ? dgmi_kernels_machine_blas(blas) : NULL};
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(ctx, *summary, &provenance);
    if (status == DGM_OK && job->output_count)
        status = write_outputs(ctx, job, graph, (*lens)->predictions, *summary);
    dgmi_text_free(&name);
    return status;
}

/* What a job made, before it is given away or freed. */
typedef struct {
    dgm_graph *graph;
    dgm_lens_result *lens;
    dgm_summary *summary;
} products;

static dgm_status run_stages(dgm_context *ctx, const dgm_job *job, bool keep_axes, products *made) {
    const dgm_graph_tables tables = {job->nodes_table, job->labels};
    dgm_status status = dgmi_pipeline_job_check(ctx, job);
    if (status == DGM_OK)
        status = dgm_graph_open(ctx, job->graph, (dgm_format)job->format, &job->graph_options,
                                &tables, job->seed, &made->graph);
    if (status == DGM_OK)
        status = map_graph(ctx, job, made->graph, keep_axes, &made->lens, &made->summary);
    return status;
}

dgm_status dgm_job_run(dgm_context *ctx, const dgm_job *job, dgm_graph **graph,
                       dgm_lens_result **lens, dgm_summary **summary) {
    products made = {NULL, NULL, NULL};
    dgm_job use;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_job_take(ctx, job, &use);
    if (status == DGM_OK)
        status = run_stages(ctx, &use, lens != NULL, &made);
    bool whole = status == DGM_OK;
    if (graph)
        *graph = whole ? made.graph : NULL;
    if (lens)
        *lens = whole ? made.lens : NULL;
    if (summary)
        *summary = whole ? made.summary : NULL;
    dgm_graph_free(whole && graph ? NULL : made.graph);
    dgm_lens_result_free(whole && lens ? NULL : made.lens);
    dgm_summary_free(whole && summary ? NULL : made.summary);
    dgmi_arena_release(ctx, hold);
    return status;
}
