/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and frees views, and answers the public calls about them (dgm/draw.h). */
#include "draw_view.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "layout_layout.h"

void *dgmi_draw_view_alloc(dgm_context *ctx, const dgm_view *view, int64_t count, size_t size) {
    void *block = dgmi_allocator_resize(&view->allocator, NULL, count, size);
    if (!block) {
        dgmi_fail_memory(ctx, count, size);
        return NULL;
    }
    memset(block, 0, (size_t)count * size);
    return block;
}

char *dgmi_draw_view_strdup(dgm_context *ctx, const dgm_view *view, const char *text) {
    size_t length = strlen(text);
    char *copy = dgmi_draw_view_alloc(ctx, view, (int64_t)length + 1, 1);
    if (copy)
        memcpy(copy, text, length + 1);
    return copy;
}

dgm_status dgmi_draw_view_set_text(dgm_context *ctx, const dgm_view *view, char **text,
                                   const char *with) {
    char *copy = dgmi_draw_view_strdup(ctx, view, with ? with : "");
    if (!copy)
        return DGM_ERROR_MEMORY;
    dgmi_allocator_free(&view->allocator, *text);
    *text = copy;
    return DGM_OK;
}

dgm_status dgmi_draw_view_create(dgm_context *ctx, dgm_view_kind kind, int64_t marks,
                                 dgm_view **out) {
    *out = NULL;
    dgm_view *view = dgmi_alloc_zero(ctx, 1, sizeof *view);
    if (!view)
        return DGM_ERROR_MEMORY;
    view->allocator = ctx->allocator;
    view->kind = kind;
    view->marks = marks;
    view->layout = -1;
    view->source = view->lens_name = "";
    view->size = dgmi_draw_view_alloc(ctx, view, marks, sizeof *view->size);
    view->parameters = view->size ? dgmi_draw_view_strdup(ctx, view, "") : NULL;
    if (!view->parameters) {
        dgm_view_free(view);
        return DGM_ERROR_MEMORY;
    }
    *out = view;
    return DGM_OK;
}

/* ---- owning ---- */

dgm_status dgmi_draw_view_own_profile(dgm_context *ctx, dgm_view *view) {
    dgm_status status = dgmi_mapper_profile_open(ctx, view->marks, &view->own.profile);
    view->profile = view->own.profile;
    return status;
}

dgm_status dgmi_draw_view_own_links(dgm_context *ctx, dgm_view *view, int64_t links) {
    view->own.links = dgmi_draw_view_alloc(ctx, view, links, sizeof *view->own.links);
    view->links = view->own.links;
    view->link_count = view->links ? links : 0;
    return view->links ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_draw_view_own_lens(dgm_context *ctx, dgm_view *view, int64_t dimension) {
    view->own.lens =
        dgmi_draw_view_alloc(ctx, view, view->marks * dimension, sizeof *view->own.lens);
    view->own.axes = dgmi_draw_view_alloc(ctx, view, dimension, sizeof *view->own.axes);
    if (!view->own.lens || !view->own.axes)
        return DGM_ERROR_MEMORY;
    view->lens = view->own.lens;
    view->axes = view->own.axes;
    view->dimension = dimension;
    return DGM_OK;
}

dgm_status dgmi_draw_view_own_source(dgm_context *ctx, dgm_view *view, const char *source) {
    view->own.source = dgmi_draw_view_strdup(ctx, view, source);
    if (!view->own.source)
        return DGM_ERROR_MEMORY;
    view->source = view->own.source;
    return DGM_OK;
}

/* ---- freeing ---- */

static void free_texts(const dgm_allocator *allocator, char **texts, int64_t count) {
    for (int64_t i = 0; texts && i < count; i++)
        dgmi_allocator_free(allocator, texts[i]);
    dgmi_allocator_free(allocator, texts);
}

void dgm_view_free(dgm_view *view) {
    if (!view)
        return;
    dgm_allocator allocator = view->allocator;
    dgm_profile_free(view->own.profile);
    dgmi_mapper_dust_free(view->dust);
    free_texts(&allocator, view->names, view->marks);
    free_texts(&allocator, view->own.axes, view->dimension);
    void *const blocks[] = {
        view->size,     view->weighed,   view->pile_weight, view->x,          view->y, view->radius,
        view->own.lens, view->own.links, view->own.source,  view->parameters, view};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

/* ---- asking ---- */

dgm_view_kind dgm_view_get_kind(const dgm_view *view) {
    return view->kind;
}

const dgm_profile *dgm_view_profile(const dgm_view *view) {
    return view->profile;
}

int64_t dgm_view_marks(const dgm_view *view) {
    return view->marks;
}

int64_t dgm_view_links(const dgm_view *view) {
    return view->summary ? view->summary->edge_count : view->link_count;
}

dgm_places dgm_view_get_places(const dgm_view *view) {
    return (dgm_places){.x = view->x,
                        .y = view->y,
                        .radius = view->radius,
                        .layout = view->layout,
                        .seed = view->layout_seed,
                        .operations = view->layout_operations,
                        .budget = view->layout_budget,
                        .dust = view->placed_dust};
}

/* ---- places from elsewhere ---- */

static dgm_status check_places(dgm_context *ctx, int64_t marks, const double *x, const double *y,
                               const double *radius) {
    for (int64_t m = 0; m < marks; m++)
        if (!isfinite(x[m]) || !isfinite(y[m]) ||
            (radius && !(isfinite(radius[m]) && radius[m] >= 0)))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the place of mark %lld is not finite, or its radius is below 0",
                             (long long)m);
    return DGM_OK;
}

dgm_status dgmi_draw_view_areas(dgm_context *ctx, const dgm_view *view, const int64_t **out) {
    int64_t *areas = NULL;
    *out = view->size;
    if (!view->weighed)
        return DGM_OK;
    *out = areas = dgmi_scratch(ctx, view->marks, sizeof *areas);
    for (int64_t m = 0; areas && m < view->marks; m++)
        areas[m] = dgmi_draw_view_cluster_area(view, m);
    return areas ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status find_radii(dgm_context *ctx, const dgm_view *view, double *radius) {
    const int64_t *areas;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_draw_view_areas(ctx, view, &areas);
    if (status == DGM_OK)
        dgmi_layout_radii(view->marks, areas, 1, radius);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_view_set_places(dgm_context *ctx, dgm_view *view, const double *x, const double *y,
                               const double *radius) {
    const double *const from[] = {x, y, radius};
    double **const into[] = {&view->x, &view->y, &view->radius};
    double *copies[3] = {NULL};
    dgm_status status = check_places(ctx, view->marks, x, y, radius);
    for (int i = 0; i < 3 && status == DGM_OK; i++) {
        copies[i] = dgmi_draw_view_alloc(ctx, view, view->marks, sizeof *copies[i]);
        if (!copies[i])
            status = DGM_ERROR_MEMORY;
        else if (from[i] && view->marks)
            memcpy(copies[i], from[i], (size_t)view->marks * sizeof *copies[i]);
    }
    if (status == DGM_OK && !radius)
        status = find_radii(ctx, view, copies[2]);
    for (int i = 0; i < 3; i++) {
        dgmi_allocator_free(&view->allocator, status == DGM_OK ? *into[i] : copies[i]);
        if (status == DGM_OK)
            *into[i] = copies[i];
    }
    if (status == DGM_OK) {
        view->layout = -1;
        view->placed_dust = view->dust ? view->dust->least : 0;
    }
    return status;
}
