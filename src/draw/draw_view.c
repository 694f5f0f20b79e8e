/* SPDX-License-Identifier: Apache-2.0 */
/* Views: made, freed, asked. */
#include "draw_view.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "layout_layout.h"

void *dgmi_view_alloc(dgm_context *ctx, const dgm_view *view, int64_t count, size_t size) {
    void *block = dgmi_allocator_resize(&view->allocator, NULL, count, size);
    if (!block) {
        dgmi_fail_memory(ctx, count, size);
        return NULL;
    }
    memset(block, 0, (size_t)count * size);
    return block;
}

char *dgmi_view_strdup(dgm_context *ctx, const dgm_view *view, const char *text) {
    size_t length = strlen(text);
    char *copy = dgmi_view_alloc(ctx, view, (int64_t)length + 1, 1);
    if (copy)
        memcpy(copy, text, length + 1);
    return copy;
}

dgm_status dgmi_view_set_text(dgm_context *ctx, const dgm_view *view, char **text,
                              const char *with) {
    char *copy = dgmi_view_strdup(ctx, view, with ? with : "");
    if (!copy)
        return DGM_ERROR_MEMORY;
    dgmi_allocator_free(&view->allocator, *text);
    *text = copy;
    return DGM_OK;
}

dgm_status dgmi_view_create(dgm_context *ctx, dgm_view_kind kind, int64_t marks, int64_t links,
                            dgm_view **out) {
    *out = NULL;
    dgm_view *view = dgmi_alloc_zero(ctx, 1, sizeof *view);
    if (!view)
        return DGM_ERROR_MEMORY;
    view->allocator = ctx->allocator;
    view->kind = kind;
    view->marks = marks;
    view->link_count = links;
    view->layout = -1;
    view->size = dgmi_view_alloc(ctx, view, marks, sizeof *view->size);
    view->links = view->size ? dgmi_view_alloc(ctx, view, links, sizeof *view->links) : NULL;
    char **texts[] = {&view->source, &view->lens_name, &view->parameters, &view->command};
    bool whole = view->links != NULL;
    for (size_t i = 0; whole && i < sizeof texts / sizeof *texts; i++)
        whole = (*texts[i] = dgmi_view_strdup(ctx, view, "")) != NULL;
    if (!whole) {
        dgm_view_free(view);
        return DGM_ERROR_MEMORY;
    }
    *out = view;
    return DGM_OK;
}

/* ---- freeing ---- */

static void free_texts(const dgm_allocator *allocator, char **texts, int64_t count) {
    for (int64_t i = 0; texts && i < count; i++)
        dgmi_allocator_free(allocator, texts[i]);
    dgmi_allocator_free(allocator, texts);
}

static void free_counts(const dgm_allocator *allocator, dgmi_counts *counts) {
    dgmi_allocator_free(allocator, counts->offsets);
    dgmi_allocator_free(allocator, counts->values);
    dgmi_allocator_free(allocator, counts->counts);
}

static void free_tops(const dgm_allocator *allocator, dgmi_tops *tops, int64_t marks) {
    free_texts(allocator, tops->names, marks * DGMI_VIEW_TOPS);
    dgmi_allocator_free(allocator, tops->offsets);
}

static void free_attributes(dgm_view *view) {
    for (int64_t a = 0; view->attributes && a < view->attribute_count; a++) {
        dgmi_view_attribute *attribute = &view->attributes[a];
        dgmi_allocator_free(&view->allocator, attribute->name);
        dgmi_allocator_free(&view->allocator, attribute->means);
        free_counts(&view->allocator, &attribute->counts);
        free_texts(&view->allocator, attribute->texts, attribute->text_count);
    }
    dgmi_allocator_free(&view->allocator, view->attributes);
}

void dgm_view_free(dgm_view *view) {
    if (!view)
        return;
    dgm_allocator allocator = view->allocator;
    free_texts(&allocator, view->names, view->marks);
    free_texts(&allocator, view->axes, view->dimension);
    free_texts(&allocator, view->transforms, view->dimension);
    free_texts(&allocator, view->class_names, view->classes);
    free_counts(&allocator, &view->labels);
    free_counts(&allocator, &view->predictions);
    free_attributes(view);
    free_tops(&allocator, &view->hubs, view->marks);
    free_tops(&allocator, &view->peaks, view->marks);
    dgmi_allocator_free(&allocator, view->mixup_offsets);
    dgmi_allocator_free(&allocator, view->mixups);
    void *const blocks[] = {view->size,   view->x,      view->y,         view->radius,
                            view->lens,   view->judged, view->mistakes,  view->entropy,
                            view->links,  view->source, view->lens_name, view->parameters,
                            view->command};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
    dgmi_allocator_free(&allocator, view);
}

/* ---- asking ---- */

dgm_view_kind dgm_view_get_kind(const dgm_view *view) {
    return view->kind;
}

dgm_summary_mistakes dgm_view_mistakes(const dgm_view *view) {
    return view->ledger;
}

int64_t dgm_view_marks(const dgm_view *view) {
    return view->marks;
}

int64_t dgm_view_links(const dgm_view *view) {
    return view->link_count;
}

dgm_view_places dgm_view_get_places(const dgm_view *view) {
    return (dgm_view_places){view->x, view->y, view->radius};
}

void dgmi_counts_totals(const dgmi_counts *counts, int64_t marks, int64_t classes,
                        int64_t *totals) {
    memset(totals, 0, (size_t)classes * sizeof *totals);
    for (int64_t i = 0; counts->offsets && i < counts->offsets[marks]; i++)
        totals[counts->values[i]] += counts->counts[i];
}

int32_t dgmi_counts_majority(const dgmi_counts *counts, int64_t mark, double *share) {
    int32_t most = -1;
    int64_t highest = 0, sum = 0;
    if (share)
        *share = 0;
    if (!counts->offsets)
        return -1;
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++) {
        sum += counts->counts[i];
        if (counts->counts[i] > highest) {
            highest = counts->counts[i];
            most = counts->values[i];
        }
    }
    if (share && sum)
        *share = (double)highest / (double)sum;
    return most;
}

/* ---- where labels and predictions differ ---- */

/* The lower end of the 95 % interval of Wilson (1927) for the share of mistakes: 89 of 94 says more
 * than 1 of 1. */
static double sure_share(const dgm_view_dispute *dispute) {
    const double z = 1.96;
    double count = (double)dispute->judged, share = (double)dispute->mistakes / count;
    double spread = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count));
    return (share + z * z / (2 * count) - spread) / (1 + z * z / count);
}

static bool worse(const dgm_view_dispute *a, const dgm_view_dispute *b) {
    double left = sure_share(a), right = sure_share(b);
    return left != right ? left > right : a->mistakes > b->mistakes;
}

static dgm_view_dispute dispute_of(const dgm_view *view, int64_t mark) {
    dgm_view_dispute dispute = {.mark = (uint32_t)mark,
                                .size = view->size[mark],
                                .judged = view->judged[mark],
                                .mistakes = view->mistakes[mark]};
    if (view->mixup_offsets && view->mixup_offsets[mark] < view->mixup_offsets[mark + 1]) {
        const dgmi_mixup *most = &view->mixups[view->mixup_offsets[mark]];
        dispute.label = view->class_names[most->label];
        dispute.prediction = view->class_names[most->prediction];
        dispute.confused = most->count;
    }
    return dispute;
}

int64_t dgm_view_disputes(const dgm_view *view, int64_t most, dgm_view_dispute *out) {
    int64_t count = 0;
    for (int64_t m = 0; view->mistakes && m < view->marks && most > 0; m++) {
        dgm_view_dispute here = dispute_of(view, m);
        if (here.mistakes == 0 || (count == most && !worse(&here, &out[count - 1])))
            continue;
        int64_t at = count < most ? count++ : count - 1;
        for (; at > 0 && worse(&here, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = here;
    }
    return count;
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

dgm_status dgm_view_set_places(dgm_context *ctx, dgm_view *view, const double *x, const double *y,
                               const double *radius) {
    const double *const from[] = {x, y, radius};
    double **const into[] = {&view->x, &view->y, &view->radius};
    double *copies[3] = {NULL};
    dgm_status status = check_places(ctx, view->marks, x, y, radius);
    for (int i = 0; i < 3 && status == DGM_OK; i++) {
        copies[i] = dgmi_view_alloc(ctx, view, view->marks, sizeof *copies[i]);
        if (!copies[i])
            status = DGM_ERROR_MEMORY;
        else if (from[i] && view->marks)
            memcpy(copies[i], from[i], (size_t)view->marks * sizeof *copies[i]);
    }
    if (status == DGM_OK && !radius)
        dgmi_layout_radii(view->marks, view->size, 1, copies[2]);
    for (int i = 0; i < 3; i++) {
        dgmi_allocator_free(&view->allocator, status == DGM_OK ? *into[i] : copies[i]);
        if (status == DGM_OK)
            *into[i] = copies[i];
    }
    if (status == DGM_OK)
        view->layout = -1;
    return status;
}
