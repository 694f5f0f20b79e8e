/* SPDX-License-Identifier: Apache-2.0 */
/* Colours marks by classes: each by its most frequent class, or as a pie of all its classes. */
#include "draw_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "mapper_summary.h"

/* ---- which classes have a colour ---- */

/* The order of labels and predictions is one, so that both give a class the same colour: by its
 * number, or where there are too many classes by how often it is a label. */
static const dgmi_mapper_counts *order_counts(const dgmi_draw_source *source) {
    const dgm_view *view = source->view;
    return !source->attribute && view->profile->labels.offsets ? &view->profile->labels
                                                               : source->counts;
}

/* The most frequent class that is not shown yet, the smallest of equals. */
static int32_t next_class(const dgmi_draw_paint_scale *scale, const int64_t *totals,
                          int64_t classes) {
    int32_t best = -1;
    for (int64_t c = 0; c < classes; c++) {
        bool taken = false;
        for (int64_t s = 0; s < scale->shown; s++)
            taken = taken || scale->classes[s] == c;
        if (!taken && (best < 0 || totals[c] > totals[best]))
            best = (int32_t)c;
    }
    return best;
}

/* As many as there are colours keep their order. Of more, the most frequent have the plain looks.
 * Slices of a pie have no shape. */
dgm_status dgmi_draw_classes_scale(dgm_context *ctx, const dgmi_draw_source *source,
                                   const dgm_figure_options *options,
                                   dgmi_draw_paint_scale *scale) {
    bool pies = dgmi_draw_paint_pies(options) && dgmi_draw_source_grouped(source);
    scale->most = pies ? DGMI_DRAW_CLASS_COLOURS : DGMI_DRAW_CLASS_LOOKS;
    if (source->classes <= DGMI_DRAW_CLASS_COLOURS) {
        for (; scale->shown < source->classes; scale->shown++)
            scale->classes[scale->shown] = (int32_t)scale->shown;
        return DGM_OK;
    }
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *totals = dgmi_scratch(ctx, source->classes, sizeof *totals);
    if (totals) {
        scale->other = source->classes > scale->most;
        int64_t shown = scale->other ? scale->most - 1 : source->classes;
        dgmi_mapper_counts_totals(order_counts(source), source->view->marks, source->classes,
                                  totals);
        for (; scale->shown < shown; scale->shown++)
            scale->classes[scale->shown] = next_class(scale, totals, source->classes);
    }
    dgmi_arena_release(ctx, hold);
    return totals ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- marks ---- */

/* Classes on their way to colours. Slots 0 .. shown - 1 are those of the scale, then "other", then
 * members without a class. */
enum { OTHER = DGMI_DRAW_SLOT_OTHER, NOTHING = DGMI_DRAW_SLOT_NOTHING, SLOTS = DGMI_DRAW_SLOTS };
typedef struct class_palette {
    const dgmi_draw_source *source;
    unsigned char *slot; /* one a class */
    dgmi_draw_colour colours[SLOTS];
} class_palette;

static dgm_status make_palette(dgm_context *ctx, const dgmi_draw_source *source,
                               const dgm_figure_options *options,
                               const dgmi_draw_paint_scale *scale, class_palette *out) {
    out->source = source;
    out->slot = dgmi_scratch(ctx, source->classes, sizeof *out->slot);
    if (!out->slot)
        return DGM_ERROR_MEMORY;
    memset(out->slot, OTHER, (size_t)source->classes);
    for (int i = 0; i < DGMI_DRAW_CLASS_LOOKS; i++)
        out->colours[i] = dgmi_draw_class_colour(options->style, options->theme, i);
    for (int i = 0; i < scale->shown; i++)
        if (scale->classes[i] < source->classes)
            out->slot[scale->classes[i]] = (unsigned char)i;
    out->colours[OTHER] = dgmi_draw_other_colour(options->theme);
    out->colours[NOTHING] = dgmi_draw_unknown_colour(options->theme);
    return DGM_OK;
}

static dgm_status paint_majorities(dgm_context *ctx, const class_palette *palette,
                                   dgmi_draw_paint *paint) {
    const dgmi_draw_source *source = palette->source;
    paint->slot = dgmi_scratch(ctx, source->view->marks, sizeof *paint->slot);
    if (!paint->slot)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < source->view->marks; m++) {
        int32_t most = dgmi_mapper_counts_majority(source->counts, m, NULL);
        paint->slot[m] = most < 0 ? NOTHING : palette->slot[most];
        paint->fill[m] = palette->colours[paint->slot[m]];
        paint->unknown += most < 0;
    }
    return DGM_OK;
}

/* Members of one mark by slot; how many there are. */
static int64_t members_by_slot(const class_palette *palette, int64_t mark, int64_t members[SLOTS]) {
    const dgmi_mapper_counts *counts = palette->source->counts;
    int64_t counted = 0, size = palette->source->view->size[mark];
    memset(members, 0, SLOTS * sizeof *members);
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++) {
        members[palette->slot[counts->values[i]]] += counts->counts[i];
        counted += counts->counts[i];
    }
    if (counted >= size)
        return counted;
    members[NOTHING] = size - counted;
    return size;
}

static dgm_status make_pies(dgm_context *ctx, const class_palette *palette,
                            dgmi_draw_paint *paint) {
    const dgm_view *view = palette->source->view;
    int64_t most = palette->source->counts->offsets[view->marks] + view->marks, count = 0;
    paint->slice_offsets = dgmi_scratch(ctx, view->marks + 1, sizeof *paint->slice_offsets);
    paint->slices = dgmi_scratch(ctx, most, sizeof *paint->slices);
    if (!paint->slice_offsets || !paint->slices)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++) {
        int64_t members[SLOTS], all = members_by_slot(palette, m, members);
        paint->slice_offsets[m] = count;
        for (int s = 0; s < SLOTS; s++)
            if (members[s] > 0)
                paint->slices[count++] =
                    (dgmi_draw_slice){palette->colours[s], (double)members[s] / (double)all};
    }
    paint->slice_offsets[view->marks] = count;
    return DGM_OK;
}

/* ---- the legend ---- */

/* "other (12 classes)": those of them that occur. */
static const char *other_name(dgm_context *ctx, const class_palette *palette,
                              const int64_t *totals) {
    enum { SPACE = 64 };
    int64_t classes = 0;
    for (int64_t c = 0; c < palette->source->classes; c++)
        classes += palette->slot[c] == OTHER && totals[c] > 0;
    char *name = dgmi_scratch(ctx, SPACE, 1);
    if (name)
        snprintf(name, SPACE, "other (%lld %s)", (long long)classes,
                 palette->source->attribute ? classes == 1 ? "value" : "values"
                 : classes == 1             ? "class"
                                            : "classes");
    return name;
}

static const char *nothing_name(const dgmi_draw_source *source) {
    return source->attribute                                 ? "no value"
           : source->subject == DGMI_DRAW_SUBJECT_PREDICTION ? "no prediction"
                                                             : "unlabelled";
}

static void add_entry(dgmi_draw_paint *paint, const class_palette *palette, const char *name,
                      int slot, int64_t members) {
    dgmi_draw_shape shape =
        slot < paint->scale.shown ? dgmi_draw_class_shape(slot) : DGMI_DRAW_SHAPE_DISC;
    if (members > 0)
        paint->entries[paint->entry_count++] =
            (dgmi_draw_class_entry){name, slot, palette->colours[slot], shape, members};
}

static dgm_status make_entries(dgm_context *ctx, const class_palette *palette,
                               dgmi_draw_paint *paint) {
    const dgmi_draw_source *source = palette->source;
    int64_t others = 0, nothing = 0;
    int64_t *totals = dgmi_scratch(ctx, source->classes, sizeof *totals);
    paint->entries = dgmi_scratch(ctx, SLOTS, sizeof *paint->entries);
    if (!totals || !paint->entries)
        return DGM_ERROR_MEMORY;
    dgmi_mapper_counts_totals(source->counts, source->view->marks, source->classes, totals);
    for (int64_t c = 0; c < source->classes; c++)
        others += palette->slot[c] == OTHER ? totals[c] : 0;
    for (int64_t m = 0; m < source->view->marks; m++) {
        int64_t members[SLOTS];
        members_by_slot(palette, m, members);
        nothing += members[NOTHING];
    }
    const char *other = other_name(ctx, palette, totals);
    if (!other)
        return DGM_ERROR_MEMORY;
    for (int i = 0; i < paint->scale.shown; i++) {
        int32_t class = paint->scale.classes[i];
        if (class < source->classes)
            add_entry(paint, palette, source->names[class], i, totals[class]);
    }
    add_entry(paint, palette, other, OTHER, others);
    add_entry(paint, palette, nothing_name(source), NOTHING, nothing);
    return DGM_OK;
}

/* Says so where two entries of the legend look alike to a deuteranope or a protanope. */
static void check_apart(dgm_context *ctx, const dgmi_draw_paint *paint) {
    double least = INFINITY;
    int64_t first = 0, second = 0;
    for (int64_t i = 0; i < paint->entry_count; i++)
        for (int64_t j = 0; j < i; j++) {
            dgmi_draw_colour pair[] = {paint->entries[j].colour, paint->entries[i].colour};
            double apart = dgmi_draw_classes_apart(pair, 2);
            if (apart >= least || paint->entries[i].shape != paint->entries[j].shape)
                continue;
            least = apart;
            first = j;
            second = i;
        }
    if (least < DGMI_DRAW_APART)
        dgmi_note(ctx,
                  "the colours of '%.80s' and '%.80s' look alike to the colour-blind; " DGMI_NAMED(
                      "style=default") " "
                                       "has twelve that do not",
                  paint->entries[first].name, paint->entries[second].name);
}

dgm_status dgmi_draw_classes_paint(dgm_context *ctx, const dgmi_draw_source *source,
                                   const dgm_figure_options *options, dgmi_draw_paint *paint) {
    class_palette palette;
    if (!source->counts) { /* "none"; what chance draws as well is grey */
        const dgm_summary *summary = source->view->summary;
        bool nothing = summary && dgm_bits_finding(&summary->bits) == DGM_FINDING_NONE;
        for (int64_t m = 0; m < source->view->marks; m++)
            paint->fill[m] = nothing ? dgmi_draw_unknown_colour(options->theme)
                                     : dgmi_draw_class_colour(options->style, options->theme, 0);
        return DGM_OK;
    }
    dgm_status status = make_palette(ctx, source, options, &paint->scale, &palette);
    if (status != DGM_OK)
        return status;
    status = paint_majorities(ctx, &palette, paint);
    if (status == DGM_OK && dgmi_draw_paint_pies(options) && dgmi_draw_source_grouped(source))
        status = make_pies(ctx, &palette, paint);
    if (status == DGM_OK)
        status = make_entries(ctx, &palette, paint);
    if (status == DGM_OK)
        check_apart(ctx, paint);
    return status;
}
