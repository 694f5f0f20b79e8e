/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a workspace's stages: checked, copied, and set by name. */
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "draw_view.h"
#include "mapper_options.h"
#include "mapper_transform.h"
#include "workspace_workspace.h"

/* ---- copies ---- */

dgm_status dgmi_workspace_take_mapper(dgm_context *ctx, dgm_workspace *workspace,
                                      const dgm_mapper_options *options) {
    dgm_interval *intervals = NULL;
    if (options->cover == DGM_COVER_INTERVALS) {
        intervals = dgmi_alloc(ctx, options->given_count, sizeof *intervals);
        if (!intervals)
            return DGM_ERROR_MEMORY;
        memcpy(intervals, options->given, (size_t)options->given_count * sizeof *intervals);
    }
    dgmi_workspace_drop_summary(workspace);
    dgmi_allocator_free(&workspace->allocator, workspace->intervals);
    workspace->mapper_options = *options;
    workspace->mapper_options.given = workspace->intervals = intervals;
    return DGM_OK;
}

/* NULL stays NULL. On failure there are no copies. */
static dgm_status copy_texts(dgm_context *ctx, const char *const *texts, char **copies) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < DGMI_WORKSPACE_TEXTS; i++) {
        copies[i] = status == DGM_OK && texts[i] ? dgmi_strdup(ctx, texts[i]) : NULL;
        if (texts[i] && !copies[i])
            status = DGM_ERROR_MEMORY;
    }
    for (int i = 0; status != DGM_OK && i < DGMI_WORKSPACE_TEXTS; i++)
        dgmi_free(ctx, copies[i]);
    return status;
}

static void replace_texts(dgm_workspace *workspace, char **texts, char *const *copies) {
    for (int i = 0; i < DGMI_WORKSPACE_TEXTS; i++) {
        dgmi_allocator_free(&workspace->allocator, texts[i]);
        texts[i] = copies ? copies[i] : NULL;
    }
}

/* Pictures are not kept, so nothing is out of date. */
dgm_status dgmi_workspace_take_figure(dgm_context *ctx, dgm_workspace *workspace,
                                      const dgm_figure_options *options) {
    const char *const texts[DGMI_WORKSPACE_TEXTS] = {
        options->colour, options->colormap, options->width, options->height, options->names};
    char *copies[DGMI_WORKSPACE_TEXTS];
    dgm_status status = copy_texts(ctx, texts, copies);
    if (status != DGM_OK)
        return status;
    dgm_figure_options use = *options;
    use.colour = copies[0];
    use.colormap = copies[1];
    use.width = copies[2];
    use.height = copies[3];
    use.names = copies[4];
    replace_texts(workspace, workspace->texts, copies);
    workspace->figure_options = use;
    return DGM_OK;
}

/* A summary that is there says it from now on, and so does its view, which borrows texts of it. */
static dgm_status retell(dgm_context *ctx, dgm_workspace *workspace) {
    if (!workspace->summary)
        return DGM_OK;
    dgm_status status = dgm_summary_set_provenance(ctx, workspace->summary, &workspace->provenance);
    dgm_status told = workspace->view ? dgmi_draw_view_retell(ctx, workspace->view) : DGM_OK;
    return status != DGM_OK ? status : told;
}

dgm_status dgm_workspace_set_provenance(dgm_context *ctx, dgm_workspace *workspace,
                                        const dgm_provenance *provenance) {
    const char *const texts[DGMI_WORKSPACE_TEXTS] = {provenance->lens, provenance->command,
                                                     provenance->kernels, provenance->blas,
                                                     provenance->version};
    char *copies[DGMI_WORKSPACE_TEXTS];
    dgm_status status = copy_texts(ctx, texts, copies);
    if (status != DGM_OK)
        return status;
    replace_texts(workspace, workspace->origin, copies);
    workspace->provenance = (dgm_provenance){.lens = copies[0],
                                             .command = copies[1],
                                             .seed = provenance->seed,
                                             .kernels = copies[2],
                                             .blas = copies[3],
                                             .version = copies[4]};
    return retell(ctx, workspace);
}

void dgmi_workspace_free_options(dgm_workspace *workspace) {
    dgmi_allocator_free(&workspace->allocator, workspace->intervals);
    replace_texts(workspace, workspace->texts, NULL);
    replace_texts(workspace, workspace->origin, NULL);
}

/* ---- by stage ---- */

dgm_status dgm_workspace_set_transforms(dgm_context *ctx, dgm_workspace *workspace,
                                        const int *kinds, int count) {
    if (count < 0 || count > DGM_MAX_AXES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d axes can be transformed", DGM_MAX_AXES);
    for (int i = 0; i < count; i++)
        if (kinds[i] < DGM_TRANSFORM_NONE || kinds[i] > DGM_TRANSFORM_ZSCORE)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d is no transform", kinds[i]);
    dgmi_workspace_drop_mapper(workspace);
    for (int i = 0; i < count; i++)
        workspace->transforms[i] = kinds[i];
    workspace->transform_count = count;
    return DGM_OK;
}

dgm_status dgm_workspace_set_mapper(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_mapper_options *options) {
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_mapper_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_mapper_check(ctx, &use);
    return status == DGM_OK ? dgmi_workspace_take_mapper(ctx, workspace, &use) : status;
}

dgm_status dgm_workspace_set_layout(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_layout_options *options) {
    dgm_layout_options use = DGM_LAYOUT_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_layout_options, anchor, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, dgm_layout_option_table(), &use);
    if (status != DGM_OK)
        return status;
    dgmi_workspace_drop_view(workspace);
    workspace->given_places = NULL;
    workspace->layout_options = use;
    status = dgmi_workspace_count_dust(ctx, workspace);
    return status == DGM_OK ? dgmi_workspace_count_bits(ctx, workspace) : status;
}

dgm_status dgm_workspace_set_figure(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_figure_options *options) {
    dgm_figure_options use = DGM_FIGURE_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_figure_options, names, options, &use);
    if (status == DGM_OK)
        status = dgm_figure_check(ctx, &use);
    return status == DGM_OK ? dgmi_workspace_take_figure(ctx, workspace, &use) : status;
}

/* ---- by name ---- */

static dgm_status set_transform(dgm_context *ctx, dgm_workspace *workspace,
                                const dgm_option *option, const char *value) {
    int kinds[DGM_MAX_AXES], count = 0;
    (void)option;
    dgm_status status = dgm_transform_parse(ctx, value, kinds, &count);
    return status == DGM_OK ? dgm_workspace_set_transforms(ctx, workspace, kinds, count) : status;
}

static dgm_status set_cover(dgm_context *ctx, dgm_workspace *workspace, const dgm_option *option,
                            const char *value) {
    (void)option;
    dgm_mapper_options use = workspace->mapper_options;
    int64_t most = 1;
    for (const char *c = value; *c; c++)
        most += *c == ',';
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_interval *given = dgmi_scratch(ctx, most, sizeof *given);
    dgm_status status = given ? dgm_cover_parse(ctx, value, &use, given, most) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgm_workspace_set_mapper(ctx, workspace, &use);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status set_seed(dgm_context *ctx, dgm_workspace *workspace, const dgm_option *option,
                           const char *value) {
    dgm_mapper_options mapper = workspace->mapper_options;
    dgm_status status = dgm_option_set(ctx, option, value, &mapper.seed);
    if (status == DGM_OK)
        status = dgm_workspace_set_mapper(ctx, workspace, &mapper);
    if (status == DGM_OK)
        workspace->layout_options.seed = workspace->provenance.seed = mapper.seed;
    return status;
}

static dgm_status set_mapper_option(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_option *option, const char *value) {
    dgm_mapper_options use = workspace->mapper_options;
    dgm_status status = dgm_option_set(ctx, option, value, &use);
    return status == DGM_OK ? dgm_workspace_set_mapper(ctx, workspace, &use) : status;
}

static dgm_status set_layout_option(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_option *option, const char *value) {
    dgm_layout_options use = workspace->layout_options;
    dgm_status status = dgm_option_set(ctx, option, value, &use);
    return status == DGM_OK ? dgm_workspace_set_layout(ctx, workspace, &use) : status;
}

static dgm_status set_figure_option(dgm_context *ctx, dgm_workspace *workspace,
                                    const dgm_option *option, const char *value) {
    dgm_figure_options use = workspace->figure_options;
    dgm_status status = dgm_option_set(ctx, option, value, &use);
    return status == DGM_OK ? dgm_workspace_set_figure(ctx, workspace, &use) : status;
}

static const dgm_option transform_options[] = {DGMI_MAPPER_TRANSFORM_OPTION(0, NULL)};
static const dgm_option cover_options[] = {DGMI_MAPPER_COVER_OPTION(0)};
static const dgm_option seed_options[] = {DGMI_SEED_OPTION(0)};

static const dgm_option_table *transform_table(void) {
    static const dgm_option_table table = {"Lens", transform_options, 1};
    return &table;
}

static const dgm_option_table *cover_table(void) {
    static const dgm_option_table table = {"Mapper", cover_options, 1};
    return &table;
}

static const dgm_option_table *seed_table(void) {
    static const dgm_option_table table = {"General", seed_options, 1};
    return &table;
}

typedef struct {
    const dgm_option_table *(*table)(void);
    dgm_status (*set)(dgm_context *ctx, dgm_workspace *workspace, const dgm_option *option,
                      const char *value);
} option_stage;

static const option_stage stages[] = {{transform_table, set_transform},
                                      {cover_table, set_cover},
                                      {dgm_mapper_option_table, set_mapper_option},
                                      {dgm_figure_option_table, set_figure_option},
                                      {dgm_layout_option_table, set_layout_option},
                                      {seed_table, set_seed}};
enum { OPTION_STAGES = sizeof stages / sizeof *stages };

const dgm_option_table *dgm_workspace_options_at(size_t index) {
    return index < OPTION_STAGES ? stages[index].table() : NULL;
}

static dgm_status fail_name(dgm_context *ctx, const char *name) {
    enum { MOST_NAMES = 64 };
    const char *names[MOST_NAMES + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < OPTION_STAGES; i++)
        for (size_t k = 0; k < stages[i].table()->count && count < MOST_NAMES; k++)
            names[count++] = stages[i].table()->options[k].name;
    const char *near = dgm_name_nearest(name, names);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "a workspace has no option '%.100s'%s%s%s", name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

dgm_status dgm_workspace_set(dgm_context *ctx, dgm_workspace *workspace, const char *name,
                             const char *value) {
    for (size_t i = 0; i < OPTION_STAGES; i++) {
        const dgm_option *option = dgm_option_find(stages[i].table(), name);
        if (option && !value && option->kind != DGM_OPTION_FLAG)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("%s") " needs a value", name);
        if (option)
            return stages[i].set(ctx, workspace, option, value);
    }
    return fail_name(ctx, name);
}
