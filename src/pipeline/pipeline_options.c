/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a job in tables, and by name. */
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "io_formats.h"
#include "mapper_options.h"
#include "mapper_transform.h"
#include "pipeline_job.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- lists that grow ---- */

static dgm_status append(dgm_context *ctx, const dgm_option *option, const char *value,
                         const char **list, int *count, int most) {
    if (*count >= most)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("%s") " may be given at most %d times",
                         option->name, most);
    list[(*count)++] = value;
    return DGM_OK;
}

static dgm_status add_lens(dgm_context *ctx, const dgm_option *option, const char *value,
                           void *target) {
    dgm_job *job = target;
    return append(ctx, option, value, job->lenses, &job->lens_count, DGM_MAX_LENSES);
}

static dgm_status add_output(dgm_context *ctx, const dgm_option *option, const char *value,
                             void *target) {
    dgm_job *job = target;
    return append(ctx, option, value, job->outputs, &job->output_count, DGM_MAX_OUTPUTS);
}

static dgm_status add_transforms(dgm_context *ctx, const dgm_option *option, const char *value,
                                 void *target) {
    dgm_job *job = target;
    (void)option;
    return dgm_transform_parse(ctx, value, job->transforms, &job->transform_count);
}

/* ---- tables ---- */

const dgm_option_table *dgm_job_lens_option_table(void) {
    static const dgm_option options[] = {
        {.name = "lens",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, lenses),
         .set = add_lens,
         .default_text = "pagerank",
         .argument = "NAME[:KEY=VALUE,...]",
         .help =
             "what to look at the graph through, see Lenses below; a number after a comma "
             "continues the value before it (gcn:split=0.8,0.1); may be repeated, the axes then "
             "stand side by side"},
        DGMI_MAPPER_TRANSFORM_OPTION(offsetof(dgm_job, transforms), add_transforms),
        {.name = "model",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, model),
         .argument = "FILE",
         .help = "a trained network (.safetensors) for the lens gcn or dgi, which otherwise trains "
                 "one"},
        {.name = "predictions",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, predictions),
         .argument = "FILE",
         .help = "what a network trained anywhere says of the nodes, text or .npy: a class per "
                 "node, or its probabilities or logits, in node order or matched by an id column"},
        {.name = "lens-file",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, lens_file),
         .argument = "FILE",
         .help = "a lens of your own, text or .npy: one row per node, in node order or matched by "
                 "an id "
                 "column; its axes come last"},
        {.name = "reduce",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, reduce),
         .argument = "METHOD[:KEY=VALUE,...]",
         .help =
             "reduce the columns of the lens to a few axes, see Reductions below; more than 3 are "
             "reduced by tsne unless this says none"},
        {.name = "dim",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(dgm_job, dim),
         .minimum = 1,
         .maximum = DGM_REDUCE_MOST,
         .default_text = "2",
         .argument = "D",
         .help = "axes after the reduction"},
    };
    static const dgm_option_table table = {"Lens", options, COUNT(options)};
    return &table;
}

const dgm_option_table *dgm_job_cover_option_table(void) {
    static const dgm_option options[] = {
        DGMI_MAPPER_COVER_OPTION(offsetof(dgm_job, cover)),
    };
    static const dgm_option_table table = {"Mapper", options, COUNT(options)};
    return &table;
}

const dgm_option_table *dgm_job_reading_option_table(void) {
    static const dgm_option options[] = {
        {.name = "format",
         .kind = DGM_OPTION_CHOICE,
         .offset = offsetof(dgm_job, format),
         .choices = dgmi_io_format_names,
         .default_text = "auto",
         .argument = "FORMAT",
         .help = "how to read the file, where extension and content do not tell"},
        {.name = "nodes-table",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, nodes_table),
         .argument = "FILE",
         .help = "CSV of node attributes, matched to the nodes by its id column"},
        {.name = "labels",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, labels),
         .argument = "FILE",
         .help = "classes of the nodes, numbers or words, text or .npy: one per row in node order, "
                 "or with a header id,label"},
    };
    static const dgm_option_table table = {"Reading the graph", options, COUNT(options)};
    return &table;
}

const dgm_option_table *dgm_job_output_option_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_job, outputs),
         .set = add_output,
         .default_text = "JSON on stdout",
         .argument = "FILE",
         .help = "write the summary to FILE, in the format of its extension: .json .svg .pdf .png "
                 ".csv .graphml .gexf .dot, or .md, a report in words; may be repeated"},
    };
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    return &table;
}

const dgm_option_table *dgm_job_seed_option_table(void) {
    static const dgm_option options[] = {
        DGMI_SEED_OPTION(offsetof(dgm_job, seed)),
    };
    static const dgm_option_table table = {"General", options, COUNT(options)};
    return &table;
}

dgm_job_stage dgm_job_stage_at(size_t index) {
    const dgm_job_stage stages[] = {
        {dgm_job_lens_option_table(), 0},
        {dgm_job_cover_option_table(), 0},
        {dgm_mapper_option_table(), offsetof(dgm_job, mapper)},
        {dgm_figure_option_table(), offsetof(dgm_job, figure)},
        {dgm_layout_option_table(), offsetof(dgm_job, layout)},
        {dgm_graph_option_table(), offsetof(dgm_job, graph_options)},
        {dgm_job_reading_option_table(), 0},
        {dgm_job_output_option_table(), 0},
        {dgm_job_seed_option_table(), 0},
    };
    return index < COUNT(stages) ? stages[index] : (dgm_job_stage){NULL, 0};
}

/* ---- by name ---- */

static dgm_status fail_name(dgm_context *ctx, const char *name) {
    enum { MOST_NAMES = 128 };
    const char *names[MOST_NAMES + 1] = {NULL};
    size_t count = 0;
    dgm_job_stage stage;
    for (size_t i = 0; (stage = dgm_job_stage_at(i)).table; i++)
        for (size_t k = 0; k < stage.table->count && count < MOST_NAMES; k++)
            names[count++] = stage.table->options[k].name;
    const char *near = dgm_name_nearest(name, names);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "a job has no option '%.100s'%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

dgm_status dgm_job_set(dgm_context *ctx, dgm_job *job, const char *name, const char *value) {
    dgm_job_stage stage;
    for (size_t i = 0; (stage = dgm_job_stage_at(i)).table; i++) {
        const dgm_option *option = dgm_option_find(stage.table, name);
        if (!option)
            continue;
        if (stage.offset + option->offset >= job->size)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "the job has %zu bytes, and its option '%s' lies behind them: it was "
                             "not initialised, or its caller is of an older version",
                             job->size, name);
        dgm_status status = dgmi_pipeline_job_complete(ctx, job);
        return status == DGM_OK ? dgm_option_set(ctx, option, value, (char *)job + stage.offset)
                                : status;
    }
    return fail_name(ctx, name);
}
