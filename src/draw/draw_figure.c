/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls that put a figure together (dgm/draw.h): they check options and keep copies of
 * panels and notes. */
#include "draw_figure.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_text.h"

#define DEFAULT_WIDTH 120.0 /* mm */
#define DEFAULT_NAMES "10"
enum { MOST_NAMES = 1000 };

/* ---- checks ---- */

static dgm_status check_colormap(dgm_context *ctx, const char *name) {
    const char *const *names = dgmi_draw_colormap_names();
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return DGM_OK;
    const char *near = dgm_name_nearest(name, names);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "unknown colormap '%s'; did you mean '%s'?", name,
                         near);
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "unknown colormap '%s'; use viridis, cividis, coolwarm or diverging", name);
}

/* "10", "numbers", "members:30". */
static dgm_status parse_names(dgm_context *ctx, const char *text, dgmi_draw_naming *naming,
                              int64_t *most) {
    static const char *const words[] = {"", "numbers", "members", NULL};
    size_t length = strcspn(text, ":");
    *naming = DGMI_DRAW_NAMING_AUTO;
    *most = MOST_NAMES;
    for (int w = 1; words[w]; w++)
        if (strlen(words[w]) == length && memcmp(words[w], text, length) == 0)
            *naming = (dgmi_draw_naming)w;
    const char *number = *naming == DGMI_DRAW_NAMING_AUTO ? text
                         : text[length]                   ? text + length + 1
                                                          : NULL;
    if (!number ||
        (dgmi_parse_integer(number, strlen(number), most) && *most >= 0 && *most <= MOST_NAMES))
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "names '%.100s' are none; write a number from 0 to %d, numbers or members, or "
                     "both as in numbers:30",
                     text, MOST_NAMES);
}

dgm_status dgm_figure_format_check(dgm_context *ctx, dgm_figure_format format) {
    return format == DGM_FIGURE_SVG ? DGM_OK : dgmi_draw_cairo_check(ctx);
}

static dgm_status check_options(dgm_context *ctx, const dgm_figure_options *options) {
    double length;
    dgmi_draw_naming naming;
    int64_t most;
    dgm_status status = dgm_options_check(ctx, dgm_figure_option_table(), options);
    if (status == DGM_OK && options->colour)
        status = dgmi_draw_paint_check(ctx, options->colour);
    if (status == DGM_OK && options->colormap)
        status = check_colormap(ctx, options->colormap);
    if (status == DGM_OK && options->width)
        status = dgm_length_parse(ctx, options->width, &length);
    if (status == DGM_OK && options->height)
        status = dgm_length_parse(ctx, options->height, &length);
    if (status == DGM_OK && options->names)
        status = parse_names(ctx, options->names, &naming, &most);
    return status;
}

dgm_status dgm_figure_check(dgm_context *ctx, const dgm_figure_options *options) {
    dgm_figure_options use = DGM_FIGURE_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_figure_options, names, options, &use);
    return status == DGM_OK ? check_options(ctx, &use) : status;
}

/* ---- the figure ---- */

dgm_status dgm_figure_create(dgm_context *ctx, const dgm_figure_options *given, dgm_figure **out) {
    dgm_figure_options use = DGM_FIGURE_OPTIONS_INIT;
    const dgm_figure_options *options = &use;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_figure_options, names, given, &use);
    if (status == DGM_OK)
        status = check_options(ctx, options);
    if (status != DGM_OK)
        return status;
    dgm_figure *figure = dgmi_alloc_zero(ctx, 1, sizeof *figure);
    if (!figure)
        return DGM_ERROR_MEMORY;
    *figure = (dgm_figure){.ctx = ctx, .options = *options, .width = DEFAULT_WIDTH};
    figure->options.width = figure->options.height = figure->options.names = NULL;
    parse_names(ctx, options->names ? options->names : DEFAULT_NAMES, &figure->naming,
                &figure->names);
    if (options->width)
        dgm_length_parse(ctx, options->width, &figure->width);
    if (options->height)
        dgm_length_parse(ctx, options->height, &figure->height);
    if ((options->colour && !(figure->colour = dgmi_strdup(ctx, options->colour))) ||
        (options->colormap && !(figure->colormap = dgmi_strdup(ctx, options->colormap)))) {
        dgm_figure_free(figure);
        return DGM_ERROR_MEMORY;
    }
    figure->options.colour = figure->colour;
    figure->options.colormap = figure->colormap;
    *out = figure;
    return DGM_OK;
}

static void free_names(dgm_context *ctx, char **names, int64_t count) {
    for (int64_t i = 0; names && i < count; i++)
        dgmi_free(ctx, names[i]);
    dgmi_free(ctx, names);
}

static void free_panel(dgm_context *ctx, dgmi_draw_panel *panel) {
    dgmi_free(ctx, panel->title);
    dgmi_free(ctx, panel->colour);
    dgmi_free(ctx, panel->ringed);
    for (int64_t i = 0; i < panel->region_count; i++) {
        dgmi_free(ctx, panel->regions[i].marks);
        dgmi_free(ctx, panel->regions[i].name);
    }
    dgmi_free(ctx, panel->regions);
    for (int64_t i = 0; i < panel->band_count; i++)
        dgmi_free(ctx, panel->bands[i].name);
    dgmi_free(ctx, panel->bands);
    free_names(ctx, panel->step_names, panel->steps);
    free_names(ctx, panel->row_names, panel->rows);
    dgmi_free(ctx, panel->bars);
    dgmi_free(ctx, panel->values);
}

void dgm_figure_free(dgm_figure *figure) {
    if (!figure)
        return;
    for (int64_t i = 0; i < figure->count; i++)
        free_panel(figure->ctx, &figure->panels[i]);
    dgmi_free(figure->ctx, figure->panels);
    free_names(figure->ctx, figure->notes, figure->note_count);
    dgmi_free(figure->ctx, figure->colour);
    dgmi_free(figure->ctx, figure->colormap);
    dgmi_free(figure->ctx, figure->ring);
    dgmi_free(figure->ctx, figure);
}

void dgm_figure_set_columns(dgm_figure *figure, int64_t columns) {
    figure->columns = columns > 0 ? columns : 0;
}

void dgm_figure_frame_panel(dgm_figure *figure, int64_t panel) {
    if (panel >= 0 && panel < figure->count)
        figure->panels[panel].framed = true;
}

void dgm_figure_align_panels(dgm_figure *figure) {
    figure->aligned = true;
}

dgm_status dgm_figure_set_ring(dgm_figure *figure, const char *words) {
    char *copy = dgmi_strdup(figure->ctx, words);
    if (!copy)
        return DGM_ERROR_MEMORY;
    dgmi_free(figure->ctx, figure->ring);
    figure->ring = copy;
    return DGM_OK;
}

/* ---- panels ---- */

/* A new panel at the end, empty but for its title; NULL without memory. */
static dgmi_draw_panel *add_panel(dgm_figure *figure, dgmi_draw_panel_kind kind,
                                  const char *title) {
    void *panels = figure->panels;
    if (dgmi_reserve(figure->ctx, &panels, &figure->capacity, figure->count + 1,
                     sizeof *figure->panels) != DGM_OK)
        return NULL;
    figure->panels = panels;
    dgmi_draw_panel *panel = &figure->panels[figure->count];
    *panel = (dgmi_draw_panel){.kind = kind};
    if (title && !(panel->title = dgmi_strdup(figure->ctx, title)))
        return NULL;
    figure->count++;
    return panel;
}

static dgm_status drop_panel(dgm_figure *figure) {
    free_panel(figure->ctx, &figure->panels[--figure->count]);
    return DGM_ERROR_MEMORY;
}

/* Whether the colours speak of what a classifier says. */
static bool shows_predictions(const char *colour) {
    return colour && (strcmp(colour, "error") == 0 || strcmp(colour, "prediction") == 0);
}

static bool has_note(const dgm_figure *figure, const char *note) {
    for (int64_t i = 0; i < figure->note_count; i++)
        if (strcmp(figure->notes[i], note) == 0)
            return true;
    return false;
}

/* Colours show the mistakes in clusters alone; a note says how many there are beside them. Panels
 * of several summaries have titles that tell them apart; of many panels the first few speak. */
static dgm_status note_mistakes(dgm_figure *figure, const dgm_view *view, const char *colour,
                                const char *title) {
    enum { MOST_NOTES = 4 };
    bool own = colour != NULL;
    dgmi_text text;
    if (!view->profile->ledger.known || !shows_predictions(own ? colour : figure->options.colour) ||
        figure->note_count >= MOST_NOTES)
        return DGM_OK;
    dgmi_text_init(&text, figure->ctx);
    if (!own && title)
        dgmi_text_format(&text, "%.200s: ", title);
    dgmi_draw_view_say_mistakes(view, &text);
    dgm_status status = text.status;
    if (status == DGM_OK && !has_note(figure, text.data))
        status = dgm_figure_add_note(figure, text.data);
    dgmi_text_free(&text);
    return status;
}

dgm_status dgm_figure_add_view(dgm_figure *figure, const dgm_view *view, const char *colour,
                               const char *title, const uint32_t *ringed, int64_t ringed_count) {
    dgm_context *ctx = figure->ctx;
    if (!view->x && view->marks)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the view was not laid out: call dgm_view_lay_out first");
    dgm_status status = colour ? dgmi_draw_paint_check(ctx, colour) : DGM_OK;
    if (status != DGM_OK)
        return status;
    dgmi_draw_panel *panel = add_panel(figure, DGMI_DRAW_PANEL_VIEW, title);
    if (!panel)
        return DGM_ERROR_MEMORY;
    panel->view = view;
    if (colour && !(panel->colour = dgmi_strdup(ctx, colour)))
        return drop_panel(figure);
    status = note_mistakes(figure, view, colour, title);
    if (status != DGM_OK) {
        drop_panel(figure);
        return status;
    }
    if (ringed_count == 0)
        return DGM_OK;
    panel->ringed = dgmi_alloc(ctx, ringed_count, sizeof *ringed);
    if (!panel->ringed)
        return drop_panel(figure);
    for (int64_t i = 0; i < ringed_count; i++)
        if (ringed[i] < view->marks)
            panel->ringed[panel->ringed_count++] = ringed[i];
    return DGM_OK;
}

/* ---- what lies behind the marks of a panel ---- */

static dgm_status check_back(dgm_figure *figure, int64_t panel, int64_t colour) {
    if (panel < 0 || panel >= figure->count || figure->panels[panel].kind != DGMI_DRAW_PANEL_VIEW)
        return dgmi_fail(figure->ctx, DGM_ERROR_USAGE, "panel %lld of %lld shows no view",
                         (long long)panel, (long long)figure->count);
    if (colour < 0)
        return dgmi_fail(figure->ctx, DGM_ERROR_USAGE, "colour %lld is none: the first is 0",
                         (long long)colour);
    return DGM_OK;
}

static dgm_status check_marks(dgm_figure *figure, const dgm_view *view, const uint32_t *marks,
                              int64_t count) {
    if (count < 1)
        return dgmi_fail(figure->ctx, DGM_ERROR_USAGE, "a region goes around at least one mark");
    for (int64_t i = 0; i < count; i++)
        if (marks[i] >= view->marks)
            return dgmi_fail(figure->ctx, DGM_ERROR_USAGE,
                             "a region goes around mark %u of a view of %lld", marks[i],
                             (long long)view->marks);
    return DGM_OK;
}

dgm_status dgm_figure_add_region(dgm_figure *figure, int64_t panel, const uint32_t *marks,
                                 int64_t count, int64_t colour, const char *name) {
    dgm_context *ctx = figure->ctx;
    dgm_status status = check_back(figure, panel, colour);
    if (status == DGM_OK)
        status = check_marks(figure, figure->panels[panel].view, marks, count);
    if (status != DGM_OK)
        return status;
    dgmi_draw_panel *own = &figure->panels[panel];
    void *regions = own->regions;
    if (dgmi_reserve(ctx, &regions, &own->region_capacity, own->region_count + 1,
                     sizeof *own->regions) != DGM_OK)
        return DGM_ERROR_MEMORY;
    own->regions = regions;
    dgmi_draw_region region = {.count = count, .colour = colour};
    region.marks = dgmi_alloc(ctx, count, sizeof *marks);
    region.name = name ? dgmi_strdup(ctx, name) : NULL;
    if (!region.marks || (name && !region.name)) {
        dgmi_free(ctx, region.marks);
        dgmi_free(ctx, region.name);
        return DGM_ERROR_MEMORY;
    }
    memcpy(region.marks, marks, (size_t)count * sizeof *marks);
    own->regions[own->region_count++] = region;
    return DGM_OK;
}

/* The first column in which no bar of the panel so far would be touched. */
static int64_t find_column(const dgmi_draw_panel *panel, double low, double high) {
    int64_t column = 0;
    for (int64_t i = 0; i < panel->band_count; i++)
        if (panel->bands[i].column == column && panel->bands[i].low < high &&
            low < panel->bands[i].high) {
            column++;
            i = -1;
        }
    return column;
}

dgm_status dgm_figure_add_band(dgm_figure *figure, int64_t panel, double low, double high,
                               int64_t colour, const char *name) {
    dgm_status status = check_back(figure, panel, colour);
    if (status != DGM_OK)
        return status;
    if (!(low < high))
        return dgmi_fail(figure->ctx, DGM_ERROR_USAGE, "a band from %g to %g has no height", low,
                         high);
    dgmi_draw_panel *own = &figure->panels[panel];
    void *bands = own->bands;
    if (dgmi_reserve(figure->ctx, &bands, &own->band_capacity, own->band_count + 1,
                     sizeof *own->bands) != DGM_OK)
        return DGM_ERROR_MEMORY;
    own->bands = bands;
    dgmi_draw_band band = {low, high, colour, find_column(own, low, high),
                           name ? dgmi_strdup(figure->ctx, name) : NULL};
    if (name && !band.name)
        return DGM_ERROR_MEMORY;
    own->bands[own->band_count++] = band;
    return DGM_OK;
}

/* ---- charts ---- */

static char **copy_names(dgm_context *ctx, const char *const *names, int64_t count) {
    char **copy = dgmi_alloc_zero(ctx, count + 1, sizeof *copy);
    for (int64_t i = 0; copy && i < count; i++)
        if (!(copy[i] = dgmi_strdup(ctx, names[i]))) {
            free_names(ctx, copy, count);
            return NULL;
        }
    return copy;
}

dgm_status dgm_figure_add_barcode(dgm_figure *figure, const char *title, int64_t steps,
                                  const char *const *step_names, int64_t bars,
                                  const dgm_figure_bar *bar) {
    for (int64_t b = 0; b < bars; b++)
        if (bar[b].birth < 0 || bar[b].birth >= steps || bar[b].death >= steps)
            return dgmi_fail(figure->ctx, DGM_ERROR_USAGE,
                             "bar %lld does not lie in the tower's %lld steps", (long long)b,
                             (long long)steps);
    dgmi_draw_panel *panel = add_panel(figure, DGMI_DRAW_PANEL_BARCODE, title);
    if (!panel)
        return DGM_ERROR_MEMORY;
    panel->step_names = copy_names(figure->ctx, step_names, steps);
    panel->steps = panel->step_names ? steps : 0;
    panel->bars = dgmi_alloc(figure->ctx, bars + 1, sizeof *bar);
    if (!panel->step_names || !panel->bars)
        return drop_panel(figure);
    panel->rows = bars;
    if (bars)
        memcpy(panel->bars, bar, (size_t)bars * sizeof *bar);
    return DGM_OK;
}

dgm_status dgm_figure_add_lines(dgm_figure *figure, const char *title, int64_t steps,
                                const char *const *step_names, int64_t rows,
                                const char *const *row_names, const double *values) {
    dgmi_draw_panel *panel = add_panel(figure, DGMI_DRAW_PANEL_LINES, title);
    if (!panel)
        return DGM_ERROR_MEMORY;
    panel->step_names = copy_names(figure->ctx, step_names, steps);
    panel->steps = panel->step_names ? steps : 0;
    panel->row_names = copy_names(figure->ctx, row_names, rows);
    panel->rows = panel->row_names ? rows : 0;
    panel->values = dgmi_alloc(figure->ctx, rows * steps + 1, sizeof *values);
    if (!panel->step_names || !panel->row_names || !panel->values)
        return drop_panel(figure);
    if (rows > 0 && steps > 0)
        memcpy(panel->values, values, (size_t)(rows * steps) * sizeof *values);
    return DGM_OK;
}

dgm_status dgm_figure_add_note(dgm_figure *figure, const char *note) {
    void *notes = figure->notes;
    if (dgmi_reserve(figure->ctx, &notes, &figure->note_capacity, figure->note_count + 1,
                     sizeof *figure->notes) != DGM_OK)
        return DGM_ERROR_MEMORY;
    figure->notes = notes;
    if (!(figure->notes[figure->note_count] = dgmi_strdup(figure->ctx, note)))
        return DGM_ERROR_MEMORY;
    figure->note_count++;
    return DGM_OK;
}

void dgm_figure_bytes_free(dgm_context *ctx, char *bytes) {
    dgmi_free(ctx, bytes);
}
