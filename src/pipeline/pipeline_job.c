/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: graph -> lens -> mapper -> files. */
#include "dgm/pipeline.h"

#include <string.h>
#include <sys/stat.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

void dgm_job_init(dgm_job *job) {
    *job = (dgm_job){
        .graph_options = DGM_GRAPH_OPTIONS_INIT, .mapper = DGM_MAPPER_OPTIONS_INIT, .seed = 1};
}

/* ---- the graph ---- */

static dgm_status fail_missing(dgm_context *ctx, const char *name) {
    static const char *const built_in[] = {"spam", "karate", NULL};
    const char *near = dgm_name_nearest(name, built_in);
    if (near)
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                            "no such file or folder; did you mean the built-in graph '%s'?", near);
    return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                        "no such file or folder, nor a built-in graph (spam, karate)");
}

dgm_status dgm_graph_open(dgm_context *ctx, const char *name, dgm_format format,
                          const dgm_graph_options *options, const char *nodes_table, int64_t seed,
                          dgm_graph **out) {
    *out = NULL;
    struct stat status;
    if (strcmp(name, "-") == 0 || stat(name, &status) == 0)
        return dgm_graph_read(ctx, name, format, options, nodes_table, out);
    dgm_generate_options generate = DGM_GENERATE_OPTIONS_INIT;
    generate.seed = seed;
    if (strcmp(name, "spam") == 0)
        generate.kind = DGM_GENERATE_SPAM;
    else if (strcmp(name, "karate") == 0)
        generate.kind = DGM_GENERATE_KARATE;
    else
        return fail_missing(ctx, name);
    return dgm_graph_generate(ctx, &generate, options, out);
}

/* ---- the lens ---- */

typedef struct {
    dgm_matrix *parts[DGM_MAX_LENSES + 1];
    int count;
    dgmi_text name; /* "pagerank+degree" */
} lens_parts;

static dgm_status add_lens(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                           lens_parts *parts) {
    dgm_status status = dgm_lens_run(ctx, graph, specification, &parts->parts[parts->count]);
    if (status != DGM_OK)
        return status;
    size_t length = strncmp(specification, "attr:", 5) == 0 ? strlen(specification)
                                                            : strcspn(specification, ":");
    if (parts->count++)
        dgmi_text_string(&parts->name, "+");
    dgmi_text_append(&parts->name, specification, length);
    return DGM_OK;
}

static dgm_status collect_lenses(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                                 lens_parts *parts) {
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < job->lens_count; i++)
        status = add_lens(ctx, graph, job->lenses[i], parts);
    if (status == DGM_OK && job->lens_file) {
        status = dgm_matrix_read(ctx, job->lens_file, graph, &parts->parts[parts->count]);
        if (status == DGM_OK) {
            dgmi_text_string(&parts->name, parts->count ? "+file" : "file");
            parts->count++;
        }
    }
    if (status == DGM_OK && parts->count == 0)
        status = add_lens(ctx, graph, "pagerank", parts);
    return status == DGM_OK ? parts->name.status : status;
}

/* All lenses side by side, and their name. */
static dgm_status make_lens(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                            dgm_matrix **lens, char **name) {
    lens_parts parts = {.count = 0};
    dgmi_text_init(&parts.name, ctx);
    *lens = NULL;
    *name = NULL;
    dgm_status status = collect_lenses(ctx, job, graph, &parts);
    if (status == DGM_OK && parts.count == 1) {
        *lens = parts.parts[0];
        parts.count = 0;
    } else if (status == DGM_OK) {
        status = dgm_matrix_join(ctx, (const dgm_matrix *const *)parts.parts, parts.count, lens);
    }
    for (int i = 0; i < parts.count; i++)
        dgm_matrix_free(parts.parts[i]);
    if (status == DGM_OK)
        *name = parts.name.data;
    else
        dgmi_text_free(&parts.name);
    return status;
}

/* A cover of many axes is mostly dust, so more than three must be asked for. */
static dgm_status check_axes(dgm_context *ctx, const dgm_job *job, const dgm_matrix *lens) {
    int64_t columns = dgm_matrix_columns(lens);
    if (columns <= 3 || job->keep_axes || job->mapper.cover == DGM_COVER_SIMPLEX)
        return DGM_OK;
    return dgmi_fail(
        ctx, DGM_ERROR_USAGE,
        "the lens has %lld columns and this version cannot reduce them; pass --reduce none "
        "to map all of them, or give fewer",
        (long long)columns);
}

/* ---- the job ---- */

/* Everything that can be checked before the first file is read. */
static dgm_status check_job(dgm_context *ctx, const dgm_job *job) {
    if (!job->graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "no graph was given");
    if (job->lens_count < 0 || job->lens_count > DGM_MAX_LENSES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d lenses stand side by side",
                         DGM_MAX_LENSES);
    dgm_status status = dgm_mapper_check(ctx, &job->mapper);
    for (int i = 0; status == DGM_OK && i < job->lens_count; i++)
        status = dgm_lens_check(ctx, job->lenses[i]);
    for (int i = 0; status == DGM_OK && i < job->output_count; i++) {
        dgm_export_format format;
        if (strcmp(job->outputs[i], "-") != 0)
            status = dgm_export_format_find(ctx, job->outputs[i], &format);
    }
    return status;
}

static dgm_status map_graph(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                            dgm_summary **summary) {
    dgm_matrix *lens = NULL;
    char *lens_name = NULL;
    dgm_mapper_options mapper = job->mapper;
    mapper.seed = job->seed;
    dgm_status status = make_lens(ctx, job, graph, &lens, &lens_name);
    if (status == DGM_OK)
        status = check_axes(ctx, job, lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, graph, lens, &mapper, summary);
    dgm_matrix_free(lens);
    const dgm_provenance provenance = {lens_name, job->command, job->seed};
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "writing", 0);
    if (status == DGM_OK && job->output_count)
        status =
            dgm_export_write(ctx, *summary, graph, &provenance, job->outputs, job->output_count);
    dgmi_free(ctx, lens_name);
    return status;
}

dgm_status dgm_job_run(dgm_context *ctx, const dgm_job *job, dgm_graph **graph,
                       dgm_summary **summary) {
    dgm_graph *own_graph = NULL;
    dgm_summary *own_summary = NULL;
    if (graph)
        *graph = NULL;
    if (summary)
        *summary = NULL;
    dgm_status status = check_job(ctx, job);
    if (status == DGM_OK)
        status = dgm_graph_open(ctx, job->graph, job->format, &job->graph_options, job->nodes_table,
                                job->seed, &own_graph);
    if (status == DGM_OK)
        status = map_graph(ctx, job, own_graph, &own_summary);
    if (status == DGM_OK && summary) {
        *summary = own_summary;
        own_summary = NULL;
    }
    if (status == DGM_OK && graph) {
        *graph = own_graph;
        own_graph = NULL;
    }
    dgm_summary_free(own_summary);
    dgm_graph_free(own_graph);
    return status;
}
