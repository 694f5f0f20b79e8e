/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the headings of legends, and the values of marks in words. */
#include "draw_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- headings ---- */

static const char *joined(dgm_context *ctx, const char *first, const char *second,
                          const char *third) {
    size_t length = strlen(first) + strlen(second) + strlen(third) + 1;
    char *text = dgmi_scratch(ctx, (int64_t)length, 1);
    if (text)
        snprintf(text, length, "%s%s%s", first, second, third);
    return text;
}

/* Classes without names have numbers: "share of class 1". */
static const char *class_before(const char *name) {
    return *name && strspn(name, "0123456789") == strlen(name) ? "class " : "";
}

static const char *noun_of(const dgmi_draw_source *source) {
    return source->attribute                                 ? source->attribute->name
           : source->subject == DGMI_DRAW_SUBJECT_PREDICTION ? "prediction"
                                                             : "label";
}

static const char *title_of_classes(dgm_context *ctx, const dgmi_draw_source *source, bool pies) {
    const char *noun = noun_of(source);
    if (source->kind == DGMI_DRAW_PAINT_RAMP)
        return joined(ctx,
                      source->subject == DGMI_DRAW_SUBJECT_PREDICTION ? "share predicted as "
                                                                      : "share of ",
                      class_before(source->names[1]), source->names[1]);
    if (pies)
        return joined(ctx, noun, source->attribute ? "" : "s", "");
    return joined(ctx, dgmi_draw_source_grouped(source) ? "most frequent " : "", noun, "");
}

/* "mean pagerank", "mean rank of pagerank", "mean probability". */
static const char *title_of_axis(dgm_context *ctx, const dgmi_draw_source *source,
                                 const char *mean) {
    const char *axis = dgmi_draw_source_probability(source)
                           ? "probability"
                           : dgmi_draw_view_axis(ctx, source->view, 0);
    return axis ? joined(ctx, mean, axis, "") : NULL;
}

const char *dgmi_draw_paint_title(dgm_context *ctx, const dgmi_draw_source *source, bool pies) {
    const dgm_view *view = source->view;
    const char *mean = dgmi_draw_source_grouped(source) ? "mean " : "";
    if (source->counts)
        return title_of_classes(ctx, source, pies);
    switch (source->subject) {
    case DGMI_DRAW_SUBJECT_ERROR:
        return dgmi_draw_source_grouped(source) ? "share of mistakes" : "mistakes";
    case DGMI_DRAW_SUBJECT_ENTROPY:
        return view->profile->entropy_of_labels ? "entropy of labels" : "entropy of predictions";
    case DGMI_DRAW_SUBJECT_OUTWARD:
        return "share of edges that leave the group";
    case DGMI_DRAW_SUBJECT_ATTRIBUTE:
        return joined(ctx, mean, source->attribute->name, "");
    case DGMI_DRAW_SUBJECT_LENS:
        if (source->kind == DGMI_DRAW_PAINT_SQUARE)
            return dgmi_draw_source_grouped(source) ? "mean lens" : "lens";
        return title_of_axis(ctx, source, mean);
    default:
        return "";
    }
}

/* ---- marks ---- */

static void append_number(const char *name, double value, dgmi_text *text) {
    char digits[DGMI_NUMBER_SPACE];
    double rounded = value;
    int length = snprintf(digits, sizeof digits, "%.3e", value);
    dgmi_parse_real(digits, (size_t)length, &rounded); /* another locale's stays as it is */
    dgmi_text_string(text, name);
    dgmi_text_string(text, " ");
    if (isfinite(value))
        dgmi_text_real(text, rounded);
    else
        dgmi_text_string(text, "unknown");
}

/* The entry of the next class in falling order of counts (of equals in order of classes) after
 * `last`, or -1. */
static int64_t next_entry(const dgmi_mapper_counts *counts, int64_t mark, int64_t last) {
    int64_t best = -1;
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++) {
        bool after = last < 0 || counts->counts[i] < counts->counts[last] ||
                     (counts->counts[i] == counts->counts[last] && i > last);
        if (after && (best < 0 || counts->counts[i] > counts->counts[best]))
            best = i;
    }
    return best;
}

/* "Theory 31 of 40, Neural 9": the first few. Single nodes have just a name. */
static void append_classes(const dgmi_draw_source *source, int64_t mark, dgmi_text *text) {
    enum { MOST = 5 };
    const dgmi_mapper_counts *counts = source->counts;
    int64_t entries = counts->offsets[mark + 1] - counts->offsets[mark], last = -1;
    if (source->attribute || source->subject == DGMI_DRAW_SUBJECT_PREDICTION || !entries) {
        dgmi_text_string(text, noun_of(source));
        dgmi_text_string(text, entries ? " " : " unknown");
    }
    for (int64_t i = 0; i < entries && i < MOST; i++) {
        last = next_entry(counts, mark, last);
        const char *name = source->names[counts->values[last]];
        dgmi_text_string(text, i ? ", " : "");
        dgmi_text_string(text, source->attribute ? "" : class_before(name));
        dgmi_text_string(text, name);
        if (!dgmi_draw_source_grouped(source))
            continue;
        dgmi_text_format(text, " %lld", (long long)counts->counts[last]);
        if (i == 0)
            dgmi_text_format(text, " of %lld", (long long)source->view->size[mark]);
    }
    if (entries > MOST)
        dgmi_text_format(text, " and %lld more", (long long)(entries - MOST));
}

/* "8 of 8 wrong: Theory taken for Neural 5, ..." */
static void append_mixups(const dgm_view *view, int64_t mark, dgmi_text *text) {
    dgmi_text_format(text, "%lld of %lld wrong", (long long)view->profile->mistakes[mark],
                     (long long)view->profile->judged[mark]);
    for (int64_t i = view->profile->mixup_offsets ? view->profile->mixup_offsets[mark] : 0;
         view->profile->mixup_offsets && i < view->profile->mixup_offsets[mark + 1]; i++) {
        const char *label = view->profile->class_names[view->profile->mixups[i].label];
        const char *prediction = view->profile->class_names[view->profile->mixups[i].prediction];
        dgmi_text_string(text, i == view->profile->mixup_offsets[mark] ? ": " : ", ");
        dgmi_text_string(text, class_before(label));
        dgmi_text_string(text, label);
        dgmi_text_string(text, " taken for ");
        dgmi_text_string(text, class_before(prediction));
        dgmi_text_string(text, prediction);
        dgmi_text_format(text, " %lld", (long long)view->profile->mixups[i].count);
    }
}

static void append_mistakes(const dgmi_draw_source *source, int64_t mark, dgmi_text *text) {
    const dgm_view *view = source->view;
    if (view->profile->judged[mark] == 0)
        dgmi_text_string(text, "mistakes unknown");
    else if (!dgmi_draw_source_grouped(source))
        dgmi_text_string(text, view->profile->mistakes[mark] ? "wrong" : "right");
    else
        append_mixups(view, mark, text);
}

static void append_lens(const dgmi_draw_source *source, int64_t mark, dgmi_text *text) {
    const dgm_view *view = source->view;
    enum { MOST = 3 };
    dgmi_hold before = dgmi_arena_hold(text->ctx);
    for (int64_t axis = 0; axis < view->dimension && axis < MOST; axis++) {
        const char *name = dgmi_draw_view_axis(text->ctx, view, axis);
        dgmi_text_string(text, axis ? ", " : "");
        if (name)
            append_number(name, view->lens[mark * view->dimension + axis], text);
        else
            text->status = DGM_ERROR_MEMORY;
    }
    dgmi_arena_release(text->ctx, before);
}

void dgmi_draw_paint_describe(const dgm_view *view, const char *colour, int64_t mark,
                              dgmi_text *text) {
    dgmi_draw_source source;
    if (dgmi_draw_source_find(NULL, view, colour, &source) != DGM_OK)
        return;
    if (source.counts)
        append_classes(&source, mark, text);
    else if (source.subject == DGMI_DRAW_SUBJECT_ERROR)
        append_mistakes(&source, mark, text);
    else if (source.subject == DGMI_DRAW_SUBJECT_LENS)
        append_lens(&source, mark, text);
    else if (source.subject == DGMI_DRAW_SUBJECT_ENTROPY)
        append_number(dgmi_draw_paint_title(text->ctx, &source, false),
                      view->profile->entropy[mark], text);
    else if (source.subject == DGMI_DRAW_SUBJECT_OUTWARD)
        append_number(dgmi_draw_paint_title(text->ctx, &source, false),
                      view->profile->outward[mark], text);
    else if (source.subject == DGMI_DRAW_SUBJECT_ATTRIBUTE)
        append_number(source.attribute->name, source.attribute->means[mark], text);
}
