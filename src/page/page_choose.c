/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that are chosen for the graph that a page shows, and for a file that it opens. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "page_page.h"

enum { MOST_CHOSEN = 16 };

/* The settings of the best candidate, as a query has them. */
typedef struct {
    dgmi_explore_query query;
    char values[MOST_CHOSEN][DGM_STUDY_VALUE];
} chosen;

static void list_chosen(const dgm_study *study, chosen *out) {
    int64_t count;
    const dgm_study_candidate *best = dgm_study_candidates(study, &count);
    out->query.count = 0;
    for (int i = 0;
         i < MOST_CHOSEN && dgm_study_setting(best, i, &out->query.names[i], out->values[i]); i++) {
        out->query.values[i] = out->values[i];
        out->query.count++;
    }
}

/* ---- the graph that is shown ---- */

dgm_status dgmi_page_choose(dgm_context *ctx, const dgmi_page *page, dgmi_page_lens *out) {
    dgm_job job;
    *out = (dgmi_page_lens){NULL, NULL};
    dgm_job_init(&job);
    return dgm_study_create(ctx, dgm_explorer_graph(page->explorer), &job, NULL, &out->study);
}

/* Those of the lens go to the lens, the others to the picture. */
static void split(const chosen *all, dgmi_explore_query *lens, dgmi_explore_query *picture) {
    lens->count = picture->count = 0;
    for (int i = 0; i < all->query.count; i++) {
        bool of_lens = dgm_option_find(dgm_job_lens_option_table(), all->query.names[i]);
        dgmi_explore_query *to = of_lens ? lens : picture;
        to->names[to->count] = all->query.names[i];
        to->values[to->count++] = all->query.values[i];
    }
}

static const char *default_of(const char *name) {
    const dgm_option_table *table;
    const dgm_option *option = NULL;
    for (size_t i = 0; !option && (table = dgm_workspace_options_at(i)); i++)
        option = dgm_option_find(table, name);
    return option ? option->default_text : NULL;
}

/* What a study may choose and has not chosen is as it is without a choice. */
static void add_defaults(dgmi_explore_query *picture) {
    static const char *const open[] = {"cover", "intervals", "overlap",
                                       "edges", "dust-size", "pieces"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        const char *usual = default_of(open[i]);
        if (!usual || dgmi_explore_query_find(picture, open[i]))
            continue;
        picture->names[picture->count] = open[i];
        picture->values[picture->count++] = usual;
    }
}

dgm_status dgmi_page_adopt(dgm_context *ctx, dgmi_page *page, const dgmi_page_lens *made) {
    static const char *const none[] = {NULL};
    dgm_explorer *explorer = dgmi_explore_innermost(page->explorer);
    chosen all;
    dgmi_explore_query lens, picture;
    dgmi_explore_change change;
    list_chosen(made->study, &all);
    split(&all, &lens, &picture);
    add_defaults(&picture);
    dgm_status status = dgmi_page_explain(ctx, page, made->study);
    if (status == DGM_OK)
        status = dgmi_explore_settings_apply(ctx, explorer, &picture, none, &change);
    if (status != DGM_OK)
        return status;
    status = dgmi_page_show(ctx, page, &lens, made);
    dgmi_explore_settings_end(ctx, explorer, &change, status == DGM_OK);
    if (status == DGM_OK)
        dgmi_explore_settings_renew(explorer);
    return status;
}

/* ---- a file ---- */

/* What belongs to an opened file: all that the input of its page borrows. */
struct dgmi_page_visit {
    dgm_allocator allocator;
    dgm_graph *graph;
    dgm_study *study;
    chosen settings;
    const char *pairs[MOST_CHOSEN][2];
};

void dgmi_page_visit_free(struct dgmi_page_visit *visit) {
    if (!visit)
        return;
    dgm_study_free(visit->study);
    dgm_graph_free(visit->graph);
    dgmi_allocator_free(&visit->allocator, visit);
}

/* Reads the file and chooses. */
static dgm_status prepare(dgm_context *ctx, const char *path, struct dgmi_page_visit *visit) {
    dgm_job job;
    dgm_job_init(&job);
    dgm_status status =
        dgm_graph_open(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, job.seed, &visit->graph);
    if (status == DGM_OK && dgm_graph_nodes(visit->graph) == 0)
        status = dgmi_fail(ctx, DGM_ERROR_DATA, "the file has no nodes");
    if (status == DGM_OK)
        status = dgm_study_create(ctx, visit->graph, &job, NULL, &visit->study);
    if (status != DGM_OK)
        return status;
    list_chosen(visit->study, &visit->settings);
    for (int i = 0; i < visit->settings.query.count; i++) {
        visit->pairs[i][0] = visit->settings.query.names[i];
        visit->pairs[i][1] = visit->settings.query.values[i];
    }
    return DGM_OK;
}

dgm_status dgmi_page_visit_file(dgm_context *ctx, const char *path, dgmi_page *page) {
    struct dgmi_page_visit *visit = dgmi_alloc_zero(ctx, 1, sizeof *visit);
    dgm_page_input input;
    *page = (dgmi_page){.explorer = NULL};
    if (!visit)
        return DGM_ERROR_MEMORY;
    visit->allocator = ctx->allocator;
    dgm_page_input_init(&input);
    dgm_status status = prepare(ctx, path, visit);
    if (status == DGM_OK) {
        input.graph = visit->graph;
        input.study = visit->study;
        input.lens = dgm_study_lens(visit->study);
        input.settings = (const char *const(*)[2])visit->pairs;
        input.setting_count = visit->settings.query.count;
        status = dgmi_page_open(ctx, &input, true, page);
    }
    page->visit = visit;
    return status == DGM_OK ? dgmi_page_introduce(ctx, page) : status;
}
