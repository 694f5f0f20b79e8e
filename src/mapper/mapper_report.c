/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees reports, and answers the public calls about them (dgm/report.h). */
#include "mapper_report.h"

#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "mapper_summary.h"

void *dgmi_mapper_report_keep(const dgmi_mapper_reporter *r, int64_t count, size_t size) {
    dgmi_arena_swap(r->ctx, &r->out->arena);
    void *kept = dgmi_scratch(r->ctx, count, size);
    dgmi_arena_swap(r->ctx, &r->out->arena);
    return kept;
}

/* Texts are many and short: they stand side by side in larger blocks. */
const char *dgmi_mapper_report_keep_text(const dgmi_mapper_reporter *r, const char *text,
                                         size_t length) {
    enum { BLOCK = 1 << 14 };
    dgm_report *out = r->out;
    int64_t need = (int64_t)length + 1;
    if (need > out->text_left) {
        int64_t size = need > BLOCK ? need : BLOCK;
        out->text = dgmi_mapper_report_keep(r, size, 1);
        out->text_left = out->text ? size : 0;
    }
    if (!out->text)
        return NULL;
    char *copy = out->text;
    memcpy(copy, text, length);
    copy[length] = '\0';
    out->text += need;
    out->text_left -= need;
    return copy;
}

/* ---- making ---- */

static dgm_status check_options(dgm_context *ctx, const dgm_report_options *options) {
    if (options->members < 1 || options->differences < 0 || options->bridges < 0 ||
        options->loops < 0 || !(options->level > 0 && options->level <= 1))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a report names at least one member, tells no negative number of "
                         "anything, and has a level above 0 and up to 1");
    return DGM_OK;
}

static dgm_status check_source(const dgmi_mapper_reporter *r) {
    dgm_status status =
        r->graph ? dgmi_mapper_summary_check_graph(r->ctx, r->summary, r->graph) : DGM_OK;
    if (status == DGM_OK && r->profile && dgm_profile_clusters(r->profile) != r->clusters.count)
        status = dgmi_fail(r->ctx, DGM_ERROR_USAGE, "the profile is not one of this summary");
    return status;
}

static dgm_status copy_classes(const dgmi_mapper_reporter *r) {
    int32_t classes = r->profile ? dgm_profile_classes(r->profile) : 0;
    r->out->classes = classes;
    r->out->class_names = dgmi_mapper_report_keep(r, classes, sizeof *r->out->class_names);
    if (!r->out->class_names)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < classes; c++) {
        const char *name = dgm_profile_class_name(r->profile, c);
        r->out->class_names[c] = dgmi_mapper_report_keep_text(r, name, strlen(name));
        if (!r->out->class_names[c])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status take_steps(dgmi_mapper_reporter *r) {
    static dgm_status (*const steps[])(dgmi_mapper_reporter *) = {
        dgmi_mapper_report_cast,    dgmi_mapper_report_pieces,    dgmi_mapper_report_clusters,
        dgmi_mapper_report_bridges, dgmi_mapper_report_crossings, dgmi_mapper_report_loops,
        dgmi_mapper_report_branches};
    dgm_status status = copy_classes(r);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == DGM_OK; i++) {
        status = dgmi_progress(r->ctx, "writing the report", -1);
        if (status == DGM_OK)
            status = steps[i](r);
    }
    return status;
}

static dgm_status make_report(dgmi_mapper_reporter *r) {
    dgm_profile *own = NULL;
    dgm_status status = check_source(r);
    if (status == DGM_OK && r->graph && !r->profile)
        status = dgm_profile_create(r->ctx, r->summary, r->graph, NULL, &own);
    if (own)
        r->profile = own;
    if (status == DGM_OK)
        status = take_steps(r);
    dgm_profile_free(own);
    return status;
}

dgm_status dgm_report_create(dgm_context *ctx, const dgm_summary *summary, const dgm_graph *graph,
                             const dgm_profile *profile, const dgm_report_options *options,
                             dgm_report **out) {
    dgmi_mapper_reporter r = {.ctx = ctx,
                              .summary = summary,
                              .graph = graph,
                              .profile = profile,
                              .options = DGM_REPORT_OPTIONS_INIT,
                              .most_steps = DGMI_MAPPER_MOST_STEPS,
                              .clusters = dgm_summary_get_clusters(summary)};
    r.edges = dgm_summary_edges(summary, &r.edge_count);
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_report_options, level, options, &r.options);
    if (status == DGM_OK)
        status = check_options(ctx, &r.options);
    if (status != DGM_OK)
        return status;
    r.out = dgmi_alloc_zero(ctx, 1, sizeof *r.out);
    if (!r.out)
        return DGM_ERROR_MEMORY;
    r.out->allocator = ctx->allocator;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = make_report(&r);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        *out = r.out;
    else
        dgm_report_free(r.out);
    return status;
}

void dgm_report_free(dgm_report *report) {
    if (!report)
        return;
    dgm_allocator allocator = report->allocator;
    dgmi_arena_drop(&allocator, &report->arena);
    dgmi_allocator_free(&allocator, report);
}

/* ---- asking ---- */

dgm_report_totals dgm_report_get_totals(const dgm_report *report) {
    return report->totals;
}

const dgm_report_cluster *dgm_report_clusters(const dgm_report *report) {
    return report->clusters;
}

const dgm_report_piece *dgm_report_pieces(const dgm_report *report) {
    return report->pieces;
}

const dgm_report_bridge *dgm_report_bridges(const dgm_report *report) {
    return report->bridges;
}

const dgm_report_border *dgm_report_borders(const dgm_report *report) {
    return report->borders;
}

const dgm_report_crossing *dgm_report_crossings(const dgm_report *report) {
    return report->crossings;
}

const dgm_report_loop *dgm_report_loops(const dgm_report *report) {
    return report->loops;
}

const dgm_report_branch *dgm_report_branches(const dgm_report *report) {
    return report->branches;
}

int32_t dgm_report_classes(const dgm_report *report) {
    return report->classes;
}

const char *dgm_report_class_name(const dgm_report *report, int32_t class_index) {
    return class_index >= 0 && class_index < report->classes ? report->class_names[class_index]
                                                             : NULL;
}
