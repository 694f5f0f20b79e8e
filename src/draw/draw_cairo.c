/* SPDX-License-Identifier: Apache-2.0 */
/* The display list as PDF and PNG: shapes by Cairo, text by Pango. Every call has a surface and a
 * font map of its own, so contexts on different threads do not meet, and nothing in the bytes
 * depends on the time or on chance. */
#include "draw_list.h"

#include <math.h>
#include <string.h>

#include <cairo-pdf.h>
#include <cairo.h>
#include <pango/pangocairo.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_utf8.h"
#include "draw_pixels.h"

/* Helvetica's widths first: dgmi_draw_text_width counts on them. */
#define FAMILIES "Liberation Sans,Arial,Helvetica,DejaVu Sans,sans-serif"

enum { MAX_PIXELS = 32767, PROGRESS_STEP = 4096, MAX_GROUPS = 32, TEXT_MEMORY = 1 << 29 };

typedef struct page_painter {
    dgm_context *ctx;
    const dgmi_draw_list *list;
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoFontMap *fonts;
    PangoLayout *layout;      /* NULL where the machine has no fonts */
    dgmi_text shown;          /* the text at hand, as UTF-8 for certain */
    double faded[MAX_GROUPS]; /* opacity of each open group */
    int depth;
    int fading;              /* of them not opaque */
    double scale;            /* units of the surface in a millimetre */
    dgmi_draw_pixels pixels; /* of an image while lines are put into it; or no data */
    bool speechless;         /* there was text, and no font for it */
} page_painter;

/* The bytes as they come. A PNG's get the resolution behind the header. */
typedef struct byte_sink {
    dgmi_text bytes;
    int64_t dpi; /* to be written, or 0 */
} byte_sink;

/* ---- PNG's own ---- */

/* Behind the signature (8 bytes) and IHDR (12 + 13) come the chunks before the pixels. */
enum { PNG_HEADER = 8 + 12 + 13 };

/* CRC-32 as in PNG's annex D. */
static uint32_t checksum(const unsigned char *bytes, size_t length) {
    uint32_t rest = 0xFFFFFFFF;
    for (size_t i = 0; i < length; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? 0xEDB88320 : 0);
    }
    return ~rest;
}

static void put_big_endian(unsigned char *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* pHYs: pixels a metre, both ways. */
static void append_resolution(byte_sink *sink) {
    unsigned char chunk[4 + 4 + 9 + 4] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    uint32_t density = (uint32_t)lround((double)sink->dpi / 0.0254);
    put_big_endian(chunk + 8, density);
    put_big_endian(chunk + 12, density);
    chunk[16] = 1; /* the unit is the metre */
    put_big_endian(chunk + 17, checksum(chunk + 4, 13));
    dgmi_text_append(&sink->bytes, (const char *)chunk, sizeof chunk);
    sink->dpi = 0;
}

static cairo_status_t take(void *closure, const unsigned char *data, unsigned length) {
    byte_sink *sink = closure;
    if (sink->dpi > 0 && sink->bytes.length + length >= PNG_HEADER) {
        unsigned head = PNG_HEADER - (unsigned)sink->bytes.length;
        dgmi_text_append(&sink->bytes, (const char *)data, head);
        append_resolution(sink);
        data += head;
        length -= head;
    }
    dgmi_text_append(&sink->bytes, (const char *)data, length);
    return sink->bytes.status == DGM_OK ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* ---- shapes ---- */

static void use_colour(cairo_t *cairo, dgmi_draw_colour colour, double opacity) {
    double red = colour.red / 255.0, green = colour.green / 255.0, blue = colour.blue / 255.0;
    if (opacity < 1)
        cairo_set_source_rgba(cairo, red, green, blue, opacity);
    else
        cairo_set_source_rgb(cairo, red, green, blue);
}

/* Cairo draws the lines from arc to arc by itself. */
static void trace_hull(cairo_t *cairo, const dgmi_draw_list *list, const dgmi_draw_item *item) {
    for (int64_t i = 0; i < item->corners; i++) {
        dgmi_draw_arc arc = dgmi_draw_item_arc(list, item, i);
        cairo_arc(cairo, arc.x, arc.y, item->a, arc.from, arc.from + arc.turn);
    }
    cairo_close_path(cairo);
}

/* Cairo's angles start on the right; those of wedges at the top. */
static void trace(cairo_t *cairo, const dgmi_draw_list *list, const dgmi_draw_item *item) {
    bool round = item->kind == DGMI_DRAW_ITEM_WEDGE && item->c - item->b > 0.9999;
    cairo_new_path(cairo);
    if (item->kind == DGMI_DRAW_ITEM_LINE) {
        cairo_move_to(cairo, item->x, item->y);
        cairo_line_to(cairo, item->a, item->b);
    } else if (item->kind == DGMI_DRAW_ITEM_RECT) {
        cairo_rectangle(cairo, item->x, item->y, item->a, item->b);
    } else if (item->kind == DGMI_DRAW_ITEM_FOUR) {
        double corners[4][2];
        dgmi_draw_item_corners(item, corners);
        for (int i = 0; i < 4; i++)
            cairo_line_to(cairo, corners[i][0], corners[i][1]);
        cairo_close_path(cairo);
    } else if (item->kind == DGMI_DRAW_ITEM_HULL) {
        trace_hull(cairo, list, item);
    } else if (item->kind == DGMI_DRAW_ITEM_DISC || round) {
        cairo_arc(cairo, item->x, item->y, item->a, 0, 2 * M_PI);
        cairo_close_path(cairo);
    } else if (item->kind == DGMI_DRAW_ITEM_WEDGE && item->c > item->b) {
        cairo_move_to(cairo, item->x, item->y);
        cairo_arc(cairo, item->x, item->y, item->a, (item->b - 0.25) * 2 * M_PI,
                  (item->c - 0.25) * 2 * M_PI);
        cairo_close_path(cairo);
    }
}

/* What is both filled and stroked fades as a whole. */
static void paint_shape(const page_painter *painter, const dgmi_draw_item *item) {
    cairo_t *cairo = painter->cairo;
    bool whole = item->filled && item->stroked && item->opacity < 1;
    double opacity = whole ? 1 : item->opacity;
    if (whole)
        cairo_push_group(cairo);
    trace(cairo, painter->list, item);
    if (item->filled && item->kind != DGMI_DRAW_ITEM_LINE) {
        use_colour(cairo, item->fill, opacity);
        cairo_fill_preserve(cairo);
    }
    if (item->stroked) {
        use_colour(cairo, item->stroke, opacity);
        cairo_set_line_width(cairo, item->width);
        cairo_stroke(cairo);
    }
    cairo_new_path(cairo);
    if (whole) {
        cairo_pop_group_to_source(cairo);
        cairo_paint_with_alpha(cairo, item->opacity);
    }
}

/* Into the image itself: Cairo is told before the first of several lines, and after the last. */
static void enter_pixels(page_painter *painter) {
    cairo_surface_t *image = painter->surface;
    if (painter->pixels.data)
        return;
    cairo_surface_flush(image);
    painter->pixels = (dgmi_draw_pixels){
        .data = (uint32_t *)(void *)cairo_image_surface_get_data(image),
        .width = cairo_image_surface_get_width(image),
        .height = cairo_image_surface_get_height(image),
        .stride = (size_t)cairo_image_surface_get_stride(image) / sizeof(uint32_t),
    };
}

static void leave_pixels(page_painter *painter) {
    if (painter->pixels.data)
        cairo_surface_mark_dirty(painter->surface);
    painter->pixels.data = NULL;
}

static bool goes_into_pixels(const page_painter *painter, const dgmi_draw_item *item) {
    return item->kind == DGMI_DRAW_ITEM_LINE && painter->fading == 0 &&
           cairo_surface_get_type(painter->surface) == CAIRO_SURFACE_TYPE_IMAGE;
}

static void put_line(page_painter *painter, const dgmi_draw_item *item) {
    double scale = painter->scale;
    enter_pixels(painter);
    if (painter->pixels.data)
        dgmi_draw_pixels_line(&painter->pixels, item->x * scale, item->y * scale, item->a * scale,
                              item->b * scale, item->width * scale, item->stroke, item->opacity);
}

/* ---- text ---- */

/* Valid UTF-8, on one line. */
static void show_as_text(dgmi_text *shown, const char *text) {
    char bytes[4];
    shown->length = 0;
    dgmi_text_append(shown, "", 0);
    while (*text) {
        uint32_t code = dgmi_draw_text_next(&text);
        dgmi_text_append(shown, bytes, dgmi_utf8_encode(code < ' ' ? ' ' : code, bytes));
    }
}

/* Pango ends the process where memory ends (GLib has it so), Cairo does not. So each time before
 * Pango is called there is more memory than it takes for fonts and a line of text, or it is not. It
 * looks for fonts on threads of its own, each of which has a stack and a heap. */
static bool has_memory(page_painter *painter) {
    if (dgmi_room_for(TEXT_MEMORY))
        return true;
    painter->shown.status = dgmi_fail_memory(painter->ctx, TEXT_MEMORY, 1);
    return false;
}

static bool has_font(PangoFontMap *fonts, PangoContext *context) {
    PangoFontDescription *any = pango_font_description_from_string(FAMILIES " 8");
    PangoFont *font = pango_font_map_load_font(fonts, context, any);
    pango_font_description_free(any);
    if (font)
        g_object_unref(font);
    return font != NULL;
}

/* Glyphs are placed as on paper, whatever the resolution. */
static void prepare_text(page_painter *painter) {
    if (!has_memory(painter))
        return;
    painter->fonts = pango_cairo_font_map_new();
    PangoContext *context = pango_font_map_create_context(painter->fonts);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    pango_context_set_round_glyph_positions(context, FALSE);
    pango_context_set_language(context, pango_language_from_string("en"));
    if (has_font(painter->fonts, context)) {
        painter->layout = pango_layout_new(context);
        pango_layout_set_single_paragraph_mode(painter->layout, TRUE);
    }
    cairo_font_options_destroy(options);
    g_object_unref(context);
}

static void set_text(page_painter *painter, const dgmi_draw_item *item) {
    PangoFontDescription *font = pango_font_description_from_string(FAMILIES);
    pango_font_description_set_absolute_size(font, item->a * PANGO_SCALE);
    if (item->bold)
        pango_font_description_set_weight(font, PANGO_WEIGHT_BOLD);
    pango_layout_set_font_description(painter->layout, font);
    pango_layout_set_text(painter->layout, painter->shown.data, (int)painter->shown.length);
    pango_font_description_free(font);
}

/* In points, the baseline's anchor at the origin. */
static void paint_text(page_painter *painter, const dgmi_draw_item *item) {
    static const double shares[] = {0, 0.5, 1};
    cairo_t *cairo = painter->cairo;
    show_as_text(&painter->shown, dgmi_draw_list_string(painter->list, item->text));
    painter->speechless |= !painter->layout;
    if (!painter->layout || painter->shown.status != DGM_OK || !has_memory(painter))
        return;
    cairo_save(cairo);
    cairo_translate(cairo, item->x, item->y);
    cairo_rotate(cairo, item->b * M_PI / 180);
    cairo_scale(cairo, DGMI_DRAW_POINT, DGMI_DRAW_POINT);
    set_text(painter, item);
    pango_cairo_update_layout(cairo, painter->layout);
    PangoRectangle box;
    pango_layout_get_extents(painter->layout, NULL, &box);
    cairo_move_to(cairo, -((double)box.width * shares[item->anchor] + box.x) / PANGO_SCALE,
                  -(double)pango_layout_get_baseline(painter->layout) / PANGO_SCALE);
    if (item->stroked) {
        double x, y;
        cairo_get_current_point(cairo, &x, &y);
        pango_cairo_layout_path(cairo, painter->layout);
        use_colour(cairo, item->stroke, item->opacity);
        cairo_set_line_width(cairo, item->width / DGMI_DRAW_POINT);
        cairo_stroke(cairo);
        cairo_move_to(cairo, x, y);
    }
    use_colour(cairo, item->fill, item->opacity);
    pango_cairo_show_layout(cairo, painter->layout);
    cairo_restore(cairo);
    cairo_new_path(cairo);
}

/* ---- the page ---- */

static void open_group(page_painter *painter, const dgmi_draw_item *item) {
    bool fades = painter->depth < MAX_GROUPS && item->opacity < 1;
    if (painter->depth < MAX_GROUPS)
        painter->faded[painter->depth] = item->opacity;
    if (fades)
        cairo_push_group(painter->cairo);
    painter->fading += fades;
    painter->depth++;
}

static void close_group(page_painter *painter) {
    if (painter->depth == 0)
        return;
    painter->depth--;
    if (painter->depth >= MAX_GROUPS || painter->faded[painter->depth] >= 1)
        return;
    painter->fading--;
    cairo_pop_group_to_source(painter->cairo);
    cairo_paint_with_alpha(painter->cairo, painter->faded[painter->depth]);
}

static void paint_item(page_painter *painter, const dgmi_draw_item *item) {
    if (goes_into_pixels(painter, item)) {
        put_line(painter, item);
        return;
    }
    leave_pixels(painter);
    if (item->kind == DGMI_DRAW_ITEM_OPEN)
        open_group(painter, item);
    else if (item->kind == DGMI_DRAW_ITEM_CLOSE)
        close_group(painter);
    else if (item->kind != DGMI_DRAW_ITEM_TEXT)
        paint_shape(painter, item);
    else if (item->text >= 0)
        paint_text(painter, item);
}

static dgm_status paint_page(page_painter *painter, double scale) {
    const dgmi_draw_list *list = painter->list;
    cairo_t *cairo = painter->cairo = cairo_create(painter->surface);
    dgm_status status = DGM_OK;
    if (list->paper) {
        use_colour(cairo, list->ground, 1);
        cairo_paint(cairo);
    }
    painter->scale = scale;
    cairo_scale(cairo, scale, scale);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (int64_t i = 0; i < list->count && status == DGM_OK; i++) {
        paint_item(painter, &list->items[i]);
        if (i % PROGRESS_STEP == PROGRESS_STEP - 1)
            status = dgmi_progress(painter->ctx, "figure", (double)i / (double)list->count);
    }
    leave_pixels(painter);
    while (painter->depth > 0)
        close_group(painter);
    if (painter->speechless)
        dgmi_note(painter->ctx, "this machine has no fonts, so the figure has no text; install one "
                                "(fonts-liberation, say) or write .svg");
    return status == DGM_OK ? painter->shown.status : status;
}

static dgm_status check_cairo(dgm_context *ctx, const page_painter *painter, const byte_sink *sink,
                              cairo_status_t cairo) {
    if (sink->bytes.status != DGM_OK)
        return sink->bytes.status;
    if (cairo == CAIRO_STATUS_SUCCESS && painter->cairo)
        cairo = cairo_status(painter->cairo);
    if (cairo == CAIRO_STATUS_SUCCESS)
        cairo = cairo_surface_status(painter->surface);
    if (cairo == CAIRO_STATUS_SUCCESS)
        return DGM_OK;
    if (cairo == CAIRO_STATUS_NO_MEMORY || cairo == CAIRO_STATUS_INVALID_SIZE)
        return dgmi_fail(ctx, DGM_ERROR_MEMORY,
                         "out of memory for a figure of %.0f by %.0f mm; lower " DGMI_NAMED(
                             "dpi") " or " DGMI_NAMED("width"),
                         painter->list->width, painter->list->height);
    return dgmi_fail(ctx, DGM_ERROR_DATA, "Cairo could not draw the figure: %s",
                     cairo_status_to_string(cairo));
}

/* ---- the two formats ---- */

static dgm_status paint_png(page_painter *painter, byte_sink *sink, int64_t dpi) {
    const dgmi_draw_list *list = painter->list;
    double scale = (double)dpi / 25.4, longest = fmax(list->width, list->height);
    double width = fmax(round(list->width * scale), 1),
           height = fmax(round(list->height * scale), 1);
    if (!(fmax(width, height) <= MAX_PIXELS))
        return dgmi_fail(
            painter->ctx, DGM_ERROR_USAGE,
            "a PNG of %.0f by %.0f pixels is too large, %d a side is the most; lower " DGMI_NAMED(
                "dpi") " to %.0f, or " DGMI_NAMED("width"),
            width, height, MAX_PIXELS, floor(MAX_PIXELS * 25.4 / longest));
    painter->surface = cairo_image_surface_create(
        list->paper ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, (int)width, (int)height);
    dgm_status status = check_cairo(painter->ctx, painter, sink, CAIRO_STATUS_SUCCESS);
    if (status == DGM_OK)
        status = paint_page(painter, scale);
    if (status != DGM_OK)
        return status;
    sink->dpi = dpi;
    return check_cairo(painter->ctx, painter, sink,
                       cairo_surface_write_to_png_stream(painter->surface, take, sink));
}

/* No date at all, rather than one that is not so. */
static void describe(page_painter *painter, cairo_surface_t *pdf) {
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_CREATOR, "dgm " DGM_VERSION);
    if (!painter->list->title)
        return;
    show_as_text(&painter->shown, painter->list->title);
    if (painter->shown.status == DGM_OK)
        cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, painter->shown.data);
}

static dgm_status paint_pdf(page_painter *painter, byte_sink *sink) {
    double scale = 1 / DGMI_DRAW_POINT;
    painter->surface = cairo_pdf_surface_create_for_stream(take, sink, painter->list->width * scale,
                                                           painter->list->height * scale);
    dgm_status status = check_cairo(painter->ctx, painter, sink, CAIRO_STATUS_SUCCESS);
    if (status == DGM_OK) {
        describe(painter, painter->surface);
        status = paint_page(painter, scale);
    }
    if (status != DGM_OK)
        return status;
    cairo_show_page(painter->cairo);
    status = check_cairo(painter->ctx, painter, sink, CAIRO_STATUS_SUCCESS);
    cairo_surface_finish(painter->surface);
    return status == DGM_OK
               ? check_cairo(painter->ctx, painter, sink, cairo_surface_status(painter->surface))
               : status;
}

static void free_painter(page_painter *painter) {
    if (painter->layout)
        g_object_unref(painter->layout);
    if (painter->fonts)
        g_object_unref(painter->fonts);
    if (painter->cairo)
        cairo_destroy(painter->cairo);
    if (painter->surface)
        cairo_surface_destroy(painter->surface);
    dgmi_text_free(&painter->shown);
}

dgm_status dgmi_draw_cairo_check(dgm_context *ctx) {
    (void)ctx;
    return DGM_OK;
}

dgm_status dgmi_draw_cairo_write(dgm_context *ctx, const dgmi_draw_list *list,
                                 dgm_figure_format format, int64_t dpi, char **bytes,
                                 size_t *length) {
    page_painter painter = {.ctx = ctx, .list = list};
    byte_sink sink = {.dpi = 0};
    *bytes = NULL;
    *length = 0;
    if (list->status != DGM_OK)
        return list->status;
    dgmi_text_init(&painter.shown, ctx);
    dgmi_text_init(&sink.bytes, ctx);
    prepare_text(&painter);
    dgm_status status = painter.shown.status;
    if (status == DGM_OK)
        status =
            format == DGM_FIGURE_PNG ? paint_png(&painter, &sink, dpi) : paint_pdf(&painter, &sink);
    free_painter(&painter);
    if (status == DGM_OK) {
        *bytes = sink.bytes.data;
        *length = (size_t)sink.bytes.length;
    } else {
        dgmi_text_free(&sink.bytes);
    }
    return status;
}
