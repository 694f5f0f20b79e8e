/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the values that a colouring shows by its name, and calls the code for numbers or for
 * classes. */
#include "draw_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "mapper_summary.h"

static const char *const subjects[] = {"none",    "lens",    "labels",    "prediction", "error",
                                       "entropy", "outward", "attr:NAME", NULL};
static const char attribute_prefix[] = "attr:";
enum { PREFIX = sizeof attribute_prefix - 1 };

/* Without a context nothing is recorded: descriptions leave out what is not there. */
#define FAIL(ctx, ...) ((ctx) ? dgmi_fail(ctx, DGM_ERROR_USAGE, __VA_ARGS__) : DGM_ERROR_USAGE)

/* ---- what is meant ---- */

static bool find_subject(const char *colour, dgmi_draw_subject *out) {
    bool attribute = strncmp(colour, attribute_prefix, PREFIX) == 0 && colour[PREFIX];
    for (int s = 0; !attribute && s < DGMI_DRAW_SUBJECT_ATTRIBUTE; s++)
        if (strcmp(colour, subjects[s]) == 0) {
            *out = (dgmi_draw_subject)s;
            return true;
        }
    *out = DGMI_DRAW_SUBJECT_ATTRIBUTE;
    return attribute;
}

dgm_status dgmi_draw_paint_check(dgm_context *ctx, const char *colour) {
    dgmi_draw_subject subject;
    if (find_subject(colour, &subject))
        return DGM_OK;
    const char *near = dgm_name_nearest(colour, subjects);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no colouring '%.200s'; did you mean '%s'? (one of lens, labels, "
                         "prediction, error, entropy, outward, attr:NAME, none)",
                         colour, near);
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "there is no colouring '%.200s'; write lens, labels, prediction, error, "
                     "entropy, outward, attr:NAME or none",
                     colour);
}

dgm_status dgmi_draw_colormap_find(dgm_context *ctx, const char *name, dgmi_draw_colormap *out) {
    const char *const *names = dgmi_draw_colormap_names();
    for (int map = 0; map < DGMI_DRAW_COLORMAPS; map++)
        if (strcmp(name, names[map]) == 0) {
            *out = (dgmi_draw_colormap)map;
            return DGM_OK;
        }
    const char *near = dgm_name_nearest(name, names);
    return FAIL(ctx,
                "there is no colormap '%.200s'%s%s%s (one of viridis, cividis, coolwarm, "
                "diverging, cool)",
                name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool has_counts(const dgmi_mapper_counts *counts) {
    return counts->offsets != NULL;
}

/* The first text that few enough different ones describe, as communities do; or -1. */
static int64_t find_groups(const dgm_profile *profile) {
    enum { LEAST = 2, MOST = 20 };
    for (int64_t a = 0; a < profile->attribute_count; a++) {
        const dgmi_mapper_profile_attribute *attribute = &profile->attributes[a];
        if (attribute->kind == DGM_ATTRIBUTE_TEXT && attribute->text_count >= LEAST &&
            attribute->text_count <= MOST)
            return a;
    }
    return -1;
}

static bool outward_differs(const dgm_profile *profile) {
    for (int64_t c = 1; c < profile->clusters; c++)
        if (profile->outward[c] != profile->outward[0])
            return true;
    return false;
}

/* Classes say more than where a cluster lies, which its place says. Parts have numbers that mean
 * nothing. Where chance draws the same, colours would tell of what is not there. */
static const char *default_of_summary(const dgm_view *view) {
    const dgm_profile *profile = view->profile;
    int64_t groups = find_groups(profile);
    if (view->summary && dgm_bits_finding(&view->summary->bits) == DGM_FINDING_NONE)
        return "none";
    if (profile->classes > 0 && has_counts(&profile->labels))
        return "labels";
    if (profile->classes > 0 && has_counts(&profile->predictions))
        return "prediction";
    if (groups >= 0)
        return profile->attributes[groups].subject;
    bool parts = view->summary && view->summary->options.cover == DGM_COVER_PARTS;
    if (profile->outward && (parts || view->dimension == 0))
        return outward_differs(profile) ? "outward" : "none";
    return view->dimension > 0 ? "lens" : "none";
}

const char *dgmi_draw_paint_default(const dgm_view *view) {
    bool labels = view->profile->classes > 0 && has_counts(&view->profile->labels);
    if (view->kind == DGM_VIEW_SUMMARY)
        return default_of_summary(view);
    return labels ? "labels" : view->dimension > 0 ? "lens" : "none";
}

bool dgmi_draw_paint_pies(const dgm_figure_options *options) {
    return options->mixture == DGM_MIXTURE_PIE ||
           (options->mixture == DGM_MIXTURE_AUTO && !options->colour);
}

/* ---- what the view has of it ---- */

static const char *kind_word(const dgm_view *view) {
    return view->kind == DGM_VIEW_SUMMARY ? "the summary"
           : view->kind == DGM_VIEW_GRAPH ? "the graph"
                                          : "the table of points";
}

static dgm_status find_classes(dgmi_draw_source *source, const dgmi_mapper_counts *counts,
                               const char *const *names, int64_t classes) {
    source->kind = DGMI_DRAW_PAINT_CLASSES;
    source->counts = counts;
    source->names = names;
    source->classes = classes;
    return DGM_OK;
}

static dgm_status find_labels(dgm_context *ctx, dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    if (view->profile->classes == 0 || !has_counts(&view->profile->labels))
        return FAIL(ctx,
                    "%s has no labels: give classes by " DGMI_NAMED(
                        "labels=FILE") " with the graph, or colour by "
                                       "lens",
                    kind_word(view));
    return find_classes(source, &view->profile->labels,
                        (const char *const *)view->profile->class_names, view->profile->classes);
}

static dgm_status find_predictions(dgm_context *ctx, dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    if (view->profile->classes == 0 || !has_counts(&view->profile->predictions))
        return FAIL(ctx, "%s has no predictions: map it with " DGMI_NAMED("lens=gcn"),
                    kind_word(view));
    return find_classes(source, &view->profile->predictions,
                        (const char *const *)view->profile->class_names, view->profile->classes);
}

static dgm_status find_mistakes(dgm_context *ctx, dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    source->kind = DGMI_DRAW_PAINT_RAMP;
    if (view->profile->judged && view->profile->mistakes)
        return DGM_OK;
    if (view->profile->classes > 0 && has_counts(&view->profile->predictions))
        return FAIL(ctx, "%s has no labels to judge its predictions by: colour by prediction",
                    kind_word(view));
    return FAIL(ctx, "%s has no predictions to be wrong: map it with " DGMI_NAMED("lens=gcn"),
                kind_word(view));
}

static dgm_status find_entropy(dgm_context *ctx, dgmi_draw_source *source) {
    source->kind = DGMI_DRAW_PAINT_RAMP;
    if (source->view->profile->entropy)
        return DGM_OK;
    return FAIL(
        ctx,
        "%s has neither predictions nor labels to take the entropy of: map it with " DGMI_NAMED(
            "lens=gcn"),
        kind_word(source->view));
}

static dgm_status find_outward(dgm_context *ctx, dgmi_draw_source *source) {
    source->kind = DGMI_DRAW_PAINT_RAMP;
    return source->view->profile->outward
               ? DGM_OK
               : FAIL(ctx, "%s does not say how many edges leave its groups",
                      kind_word(source->view));
}

static dgm_status find_lens(dgm_context *ctx, dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    if (view->dimension == 0)
        return FAIL(ctx, "%s has no lens: colour by labels, prediction, attr:NAME or none",
                    kind_word(view));
    if (view->dimension > 2 && find_labels(NULL, source) == DGM_OK)
        return DGM_OK;
    source->kind = view->dimension == 2 ? DGMI_DRAW_PAINT_SQUARE : DGMI_DRAW_PAINT_RAMP;
    return DGM_OK;
}

/* "; did you mean 'year'? (it has year, title)" */
static dgm_status fail_attribute(dgm_context *ctx, const dgm_view *view, const char *name) {
    enum { MOST = 12 };
    const char *names[MOST + 1];
    char list[512] = "";
    int64_t count = view->profile->attribute_count < MOST ? view->profile->attribute_count : MOST;
    if (count == 0)
        return FAIL(ctx, "%s has no attributes, so none called '%.200s'", kind_word(view), name);
    for (int64_t i = 0; i < count; i++) {
        size_t used = strlen(list);
        names[i] = view->profile->attributes[i].name;
        snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : "", names[i]);
    }
    names[count] = NULL;
    const char *near = dgm_name_nearest(name, names);
    return FAIL(ctx, "%s has no attribute '%.200s'%s%.64s%s (it has %s%s)", kind_word(view), name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", list,
                view->profile->attribute_count > MOST ? ", ..." : "");
}

static dgm_status find_attribute(dgm_context *ctx, dgmi_draw_source *source, const char *name) {
    const dgm_view *view = source->view;
    for (int64_t i = 0; i < view->profile->attribute_count; i++) {
        const dgmi_mapper_profile_attribute *attribute = &view->profile->attributes[i];
        if (strcmp(attribute->name, name) != 0)
            continue;
        source->attribute = attribute;
        source->kind = DGMI_DRAW_PAINT_RAMP;
        return attribute->kind == DGM_ATTRIBUTE_NUMBER
                   ? DGM_OK
                   : find_classes(source, &attribute->counts, (const char *const *)attribute->texts,
                                  attribute->text_count);
    }
    return fail_attribute(ctx, view, name);
}

dgm_status dgmi_draw_source_find(dgm_context *ctx, const dgm_view *view, const char *colour,
                                 dgmi_draw_source *out) {
    *out = (dgmi_draw_source){.view = view, .kind = DGMI_DRAW_PAINT_CLASSES};
    if (!colour)
        colour = dgmi_draw_paint_default(view);
    if (!find_subject(colour, &out->subject))
        return ctx ? dgmi_draw_paint_check(ctx, colour) : DGM_ERROR_USAGE;
    switch (out->subject) {
    case DGMI_DRAW_SUBJECT_LENS:
        return find_lens(ctx, out);
    case DGMI_DRAW_SUBJECT_LABELS:
        return find_labels(ctx, out);
    case DGMI_DRAW_SUBJECT_PREDICTION:
        return find_predictions(ctx, out);
    case DGMI_DRAW_SUBJECT_ERROR:
        return find_mistakes(ctx, out);
    case DGMI_DRAW_SUBJECT_ENTROPY:
        return find_entropy(ctx, out);
    case DGMI_DRAW_SUBJECT_OUTWARD:
        return find_outward(ctx, out);
    case DGMI_DRAW_SUBJECT_ATTRIBUTE:
        return find_attribute(ctx, out, colour + PREFIX);
    default:
        return DGM_OK;
    }
}

/* dgm_reduce_prob names its one axis "prob1"; a lens chained to it ends in "+prob". */
bool dgmi_draw_source_probability(const dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    if (source->subject != DGMI_DRAW_SUBJECT_LENS || view->dimension != 1 ||
        dgmi_draw_view_transformed(view, 0))
        return false;
    return strcmp(view->axes[0], "prob") == 0 || strcmp(view->axes[0], "prob1") == 0 ||
           strstr(view->lens_name, "+prob") != NULL;
}

/* Two classes in a cluster are one number, unless a pie shows them. */
static dgm_status find_shown(dgm_context *ctx, const dgm_view *view, const char *colour,
                             const dgm_figure_options *options, dgmi_draw_source *source) {
    dgm_status status = dgmi_draw_source_find(ctx, view, colour, source);
    bool of_classes = source->counts && !source->attribute;
    if (status == DGM_OK && of_classes && source->classes == 2 &&
        dgmi_draw_source_grouped(source) && !dgmi_draw_paint_pies(options))
        source->kind = DGMI_DRAW_PAINT_RAMP;
    return status;
}

/* ---- scales ---- */

static void note_lens(dgm_context *ctx, const dgmi_draw_source *source) {
    if (source->subject == DGMI_DRAW_SUBJECT_LENS && source->view->dimension > 2)
        dgmi_note(ctx, "the lens has %lld axes, too many for colours: they show %s%s",
                  (long long)source->view->dimension,
                  source->counts ? "the labels" : "its first axis, ",
                  source->counts ? "" : source->view->axes[0]);
}

static dgm_status scale_of(dgm_context *ctx, const dgmi_draw_source *source,
                           const dgm_figure_options *options, dgmi_draw_paint_scale *out) {
    dgmi_draw_colormap map;
    *out = (dgmi_draw_paint_scale){.kind = source->kind};
    note_lens(ctx, source);
    if (options->colormap && dgmi_draw_colormap_find(ctx, options->colormap, &map) != DGM_OK)
        return DGM_ERROR_USAGE;
    if (source->kind == DGMI_DRAW_PAINT_CLASSES)
        return dgmi_draw_classes_scale(ctx, source, options, out);
    dgmi_draw_values_scale(source, options, out);
    return DGM_OK;
}

dgm_status dgmi_draw_paint_scale_of(dgm_context *ctx, const dgm_view *view, const char *colour,
                                    const dgm_figure_options *options, dgmi_draw_paint_scale *out) {
    dgmi_draw_source source;
    dgm_status status = find_shown(ctx, view, colour, options, &source);
    return status == DGM_OK ? scale_of(ctx, &source, options, out) : status;
}

/* Classes of the first keep their colours, those of the second follow as long as there are any. */
static void join_classes(dgmi_draw_paint_scale *scale, const dgmi_draw_paint_scale *other) {
    int64_t more = 0;
    int32_t added[DGMI_DRAW_CLASS_LOOKS];
    int64_t most = scale->most ? scale->most : DGMI_DRAW_CLASS_LOOKS;
    for (int64_t i = 0; i < other->shown; i++) {
        int64_t j = 0;
        while (j < scale->shown && scale->classes[j] != other->classes[i])
            j++;
        if (j == scale->shown)
            added[more++] = other->classes[i];
    }
    scale->other = scale->other || other->other || scale->shown + more > most;
    int64_t room = most - scale->other;
    if (scale->shown > room)
        scale->shown = room;
    for (int64_t i = 0; i < more && scale->shown < room; i++)
        scale->classes[scale->shown++] = added[i];
}

void dgmi_draw_paint_scale_join(dgmi_draw_paint_scale *scale, const dgmi_draw_paint_scale *other) {
    if (scale->kind != other->kind)
        return;
    for (int axis = 0; axis < 2; axis++) {
        scale->low[axis] = fmin(scale->low[axis], other->low[axis]);
        scale->high[axis] = fmax(scale->high[axis], other->high[axis]);
    }
    if (scale->kind == DGMI_DRAW_PAINT_CLASSES)
        join_classes(scale, other);
}

/* A range of no values is 0 .. 1: there is nothing to show on it. Neither is there on one of no
 * mistakes. */
static void settle(const dgmi_draw_source *source, dgmi_draw_paint_scale *scale) {
    if (source->subject == DGMI_DRAW_SUBJECT_ERROR && scale->high[0] == 0)
        scale->high[0] = 1;
    for (int axis = 0; axis < 2; axis++)
        if (!(scale->low[axis] <= scale->high[axis])) {
            scale->low[axis] = 0;
            scale->high[axis] = 1;
        }
}

dgmi_draw_shape dgmi_draw_paint_shape(const dgmi_draw_paint *paint, int64_t mark) {
    return paint->slot && paint->slot[mark] < paint->scale.shown && !paint->slice_offsets
               ? dgmi_draw_class_shape(paint->slot[mark])
               : DGMI_DRAW_SHAPE_DISC;
}

dgm_status dgmi_draw_paint_make(dgm_context *ctx, const dgm_view *view, const char *colour,
                                const dgm_figure_options *options,
                                const dgmi_draw_paint_scale *scale, dgmi_draw_paint *out) {
    dgmi_draw_source source;
    *out = (dgmi_draw_paint){.title = NULL};
    dgm_status status = find_shown(ctx, view, colour, options, &source);
    if (status == DGM_OK && scale && scale->kind == source.kind)
        out->scale = *scale;
    else if (status == DGM_OK)
        status = scale_of(ctx, &source, options, &out->scale);
    if (status != DGM_OK)
        return status;
    settle(&source, &out->scale);
    bool pies = source.kind == DGMI_DRAW_PAINT_CLASSES && dgmi_draw_paint_pies(options) &&
                dgmi_draw_source_grouped(&source);
    out->title = dgmi_draw_paint_title(ctx, &source, pies);
    out->fill = dgmi_scratch(ctx, view->marks, sizeof *out->fill);
    if (!out->title || !out->fill)
        return DGM_ERROR_MEMORY;
    return source.kind == DGMI_DRAW_PAINT_CLASSES
               ? dgmi_draw_classes_paint(ctx, &source, options, out)
               : dgmi_draw_values_paint(ctx, &source, options, out);
}
