/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the display list as SVG 1.1. User units are millimetres, and text stays text. A group has
 * the attributes that most of its items share, so that a file with half a million lines stays
 * small. */
#include "draw_list.h"

#include <math.h>
#include <string.h>

#include "base_utf8.h"

/* ---- what is inherited ---- */

enum { NONE = -1, MAX_DEPTH = 32 };

/* Everything as whole numbers, so that what looks the same is the same. */
typedef enum look_part {
    LOOK_FILL,   /* 0xRRGGBB or NONE */
    LOOK_STROKE, /* likewise */
    LOOK_WIDTH,  /* micrometres */
    LOOK_FILL_OPACITY,
    LOOK_STROKE_OPACITY, /* thousandths */
    LOOK_SIZE,           /* of text, micrometres */
    LOOK_ANCHOR,
    LOOK_BOLD,
    LOOK_PARTS,
} look_part;

typedef struct item_look {
    int64_t value[LOOK_PARTS];
    bool matters[LOOK_PARTS]; /* to this item */
} item_look;

typedef struct svg_writer {
    const dgmi_draw_list *list;
    dgmi_text *out;
    int64_t inherited[MAX_DEPTH][LOOK_PARTS]; /* of each open group, the document first */
    int depth;                                /* open groups */
} svg_writer;

static int64_t colour_code(dgmi_draw_colour colour) {
    return (int64_t)colour.red << 16 | colour.green << 8 | colour.blue;
}

static int64_t thousandths(double value) {
    return isfinite(value) ? llround(fmin(fmax(value, -1e9), 1e9) * 1000) : 0;
}

/* An item that is both filled and stroked fades as a whole, by an attribute of its own. */
static bool fades_whole(const dgmi_draw_item *item) {
    return item->filled && item->stroked && item->opacity < 1;
}

static item_look look_of(const dgmi_draw_item *item) {
    item_look look = {{0}, {false}};
    bool line = item->kind == DGMI_DRAW_ITEM_LINE, text = item->kind == DGMI_DRAW_ITEM_TEXT;
    int64_t opacity = fades_whole(item) ? 1000 : thousandths(item->opacity);
    const int64_t value[LOOK_PARTS] = {
        [LOOK_FILL] = item->filled ? colour_code(item->fill) : NONE,
        [LOOK_STROKE] = item->stroked ? colour_code(item->stroke) : NONE,
        [LOOK_WIDTH] = thousandths(item->width),
        [LOOK_FILL_OPACITY] = opacity,
        [LOOK_STROKE_OPACITY] = opacity,
        [LOOK_SIZE] = thousandths(item->a * DGMI_DRAW_POINT),
        [LOOK_ANCHOR] = item->anchor,
        [LOOK_BOLD] = item->bold,
    };
    const bool matters[LOOK_PARTS] = {
        [LOOK_FILL] = !line,
        [LOOK_STROKE] = true,
        [LOOK_WIDTH] = item->stroked,
        [LOOK_FILL_OPACITY] = !line && item->filled,
        [LOOK_STROKE_OPACITY] = item->stroked,
        [LOOK_SIZE] = text,
        [LOOK_ANCHOR] = text,
        [LOOK_BOLD] = text,
    };
    memcpy(look.value, value, sizeof value);
    memcpy(look.matters, matters, sizeof matters);
    return look;
}

/* ---- pieces ---- */

/* A number of `unit` thousandths without trailing zeros. */
static void put_number(dgmi_text *out, int64_t number) {
    char digits[DGMI_NUMBER_SPACE];
    int64_t size = number < 0 ? -number : number;
    if (number < 0)
        dgmi_text_append(out, "-", 1);
    dgmi_text_integer(out, size / 1000);
    if (size % 1000 == 0)
        return;
    digits[0] = '.';
    digits[1] = (char)('0' + size % 1000 / 100);
    digits[2] = (char)('0' + size % 100 / 10);
    digits[3] = (char)('0' + size % 10);
    size_t length = 4;
    while (digits[length - 1] == '0')
        length--;
    dgmi_text_append(out, digits, length);
}

/* Places are rounded to a hundredth of a millimetre, tiny things to a thousandth. */
static int64_t rounded(double value, bool tiny) {
    return tiny ? thousandths(value) : thousandths(value / 10) * 10;
}

static void put_real(dgmi_text *out, double value, bool tiny) {
    put_number(out, rounded(value, tiny));
}

static void put_attribute(dgmi_text *out, const char *name, double value, bool tiny) {
    dgmi_text_string(out, " ");
    dgmi_text_string(out, name);
    dgmi_text_string(out, "=\"");
    put_real(out, value, tiny);
    dgmi_text_string(out, "\"");
}

/* #rgb where that says it all. */
static void put_colour(dgmi_text *out, int64_t code) {
    static const char hex[] = "0123456789abcdef";
    char text[8] = {'#'};
    bool is_short = (code >> 4 & 0x0F0F0F) == (code & 0x0F0F0F);
    int length = 1;
    for (int shift = 20; shift >= 0; shift -= is_short ? 8 : 4)
        text[length++] = hex[code >> shift & 15];
    if (code == NONE)
        dgmi_text_string(out, "none");
    else
        dgmi_text_append(out, text, (size_t)length);
}

static const char *entity(uint32_t code) {
    switch (code) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

/* blank: what stands for line ends and tabs, or 0 for themselves. */
static void put_escaped(dgmi_text *out, const char *text, char blank) {
    while (*text) {
        const char *start = text;
        while ((unsigned char)*text >= ' ' && (unsigned char)*text < 0x7F &&
               !entity((unsigned char)*text))
            text++;
        dgmi_text_append(out, start, (size_t)(text - start));
        if (!*text)
            break;
        uint32_t code = dgmi_draw_text_next(&text);
        if (blank && code <= ' ')
            code = (unsigned char)blank;
        char bytes[4];
        if (entity(code))
            dgmi_text_string(out, entity(code));
        else
            dgmi_text_append(out, bytes, dgmi_utf8_encode(code, bytes));
    }
}

static void put_quoted(dgmi_text *out, const char *name, const char *text, char blank) {
    dgmi_text_string(out, " ");
    dgmi_text_string(out, name);
    dgmi_text_string(out, "=\"");
    put_escaped(out, text, blank);
    dgmi_text_string(out, "\"");
}

static void put_title(svg_writer *writer, const char *title) {
    dgmi_text_string(writer->out, "<title>");
    put_escaped(writer->out, title, 0);
    dgmi_text_string(writer->out, "</title>");
}

static void put_look_part(dgmi_text *out, look_part part, int64_t value) {
    static const char *const names[LOOK_PARTS] = {"fill",         "stroke",         "stroke-width",
                                                  "fill-opacity", "stroke-opacity", "font-size",
                                                  "text-anchor",  "font-weight"};
    static const char *const anchors[] = {"start", "middle", "end"};
    dgmi_text_string(out, " ");
    dgmi_text_string(out, names[part]);
    dgmi_text_string(out, "=\"");
    if (part == LOOK_FILL || part == LOOK_STROKE)
        put_colour(out, value);
    else if (part == LOOK_ANCHOR)
        dgmi_text_string(out, anchors[value]);
    else if (part == LOOK_BOLD)
        dgmi_text_string(out, value ? "bold" : "normal");
    else
        put_number(out, value);
    dgmi_text_string(out, "\"");
}

/* ---- shapes ---- */

static void put_point(dgmi_text *out, double x, double y, bool tiny) {
    put_real(out, x, tiny);
    dgmi_text_string(out, " ");
    put_real(out, y, tiny);
}

static void put_line(dgmi_text *out, const dgmi_draw_item *item) {
    dgmi_text_string(out, "<path d=\"M");
    put_point(out, item->x, item->y, false);
    dgmi_text_string(out, "L");
    put_point(out, item->a, item->b, false);
    dgmi_text_string(out, "\"");
}

static void put_disc(dgmi_text *out, const dgmi_draw_item *item) {
    dgmi_text_string(out, "<circle");
    put_attribute(out, "cx", item->x, false);
    put_attribute(out, "cy", item->y, false);
    put_attribute(out, "r", item->a, item->a < 1);
}

/* A turn is cut into arcs of at most a third: where the ends of an arc nearly meet, rounding them
 * would turn it about. */
static void put_wedge(dgmi_text *out, const dgmi_draw_item *item) {
    double turn = item->c - item->b, radius = item->a;
    bool tiny = radius < 1;
    int arcs = (int)ceil(turn * 3);
    if (turn > 0.9999) {
        put_disc(out, item);
        return;
    }
    dgmi_text_string(out, "<path d=\"M");
    put_point(out, item->x, item->y, tiny);
    for (int i = 0; i <= arcs; i++) {
        double angle = 2 * M_PI * (item->b + turn * i / arcs);
        dgmi_text_string(out, i == 0 ? "L" : "A");
        if (i > 0) {
            put_point(out, radius, radius, tiny);
            dgmi_text_string(out, " 0 0 1 ");
        }
        put_point(out, item->x + radius * sin(angle), item->y - radius * cos(angle), tiny);
    }
    dgmi_text_string(out, "Z\"");
}

static void put_rect(dgmi_text *out, const dgmi_draw_item *item) {
    dgmi_text_string(out, "<rect");
    put_attribute(out, "x", item->x, false);
    put_attribute(out, "y", item->y, false);
    put_attribute(out, "width", item->a, item->a < 1);
    put_attribute(out, "height", item->b, item->b < 1);
}

static void put_four(dgmi_text *out, const dgmi_draw_item *item) {
    double corners[4][2];
    dgmi_draw_item_corners(item, corners);
    for (int i = 0; i < 4; i++) {
        dgmi_text_string(out, i ? "L" : "<path d=\"M");
        put_point(out, corners[i][0], corners[i][1], item->a < 1);
    }
    dgmi_text_string(out, "Z\"");
}

/* Arcs are cut as those of a wedge are. */
static void put_hull(svg_writer *writer, const dgmi_draw_item *item) {
    dgmi_text *out = writer->out;
    bool tiny = item->a < 1;
    for (int64_t i = 0; i < item->corners; i++) {
        dgmi_draw_arc arc = dgmi_draw_item_arc(writer->list, item, i);
        int pieces = (int)ceil(arc.turn * 3 / (2 * M_PI));
        for (int p = 0; p <= pieces; p++) {
            double angle = pieces ? arc.from + arc.turn * p / pieces : arc.from;
            dgmi_text_string(out, p ? "A" : i ? "L" : "<path d=\"M");
            if (p) {
                put_point(out, item->a, item->a, tiny);
                dgmi_text_string(out, " 0 0 1 ");
            }
            put_point(out, arc.x + item->a * cos(angle), arc.y + item->a * sin(angle), tiny);
        }
    }
    dgmi_text_string(out, "Z\"");
}

/* Hebrew, Arabic and their kin: the first letter decides where a line begins. */
static bool runs_leftwards(const char *text) {
    while (*text) {
        uint32_t code = dgmi_draw_text_next(&text);
        if ((code >= 0x590 && code <= 0x8FF) || (code >= 0xFB1D && code <= 0xFDFF) ||
            (code >= 0xFE70 && code <= 0xFEFC) || (code >= 0x10800 && code <= 0x10FFF) ||
            (code >= 0x1E800 && code <= 0x1EFFF) || code == 0x200F)
            return true;
        if ((code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
            (code >= 0xC0 && code < 0x2000) || code >= 0x2E80)
            return false;
    }
    return false;
}

static void put_text(svg_writer *writer, const dgmi_draw_item *item) {
    dgmi_text *out = writer->out;
    dgmi_text_string(out, "<text");
    put_attribute(out, "x", item->x, false);
    put_attribute(out, "y", item->y, false);
    if (item->b != 0) {
        dgmi_text_string(out, " transform=\"rotate(");
        put_real(out, item->b, false);
        dgmi_text_string(out, " ");
        put_point(out, item->x, item->y, false);
        dgmi_text_string(out, ")\"");
    }
    if (item->stroked)
        dgmi_text_string(out, " paint-order=\"stroke\"");
    if (runs_leftwards(dgmi_draw_list_string(writer->list, item->text)))
        dgmi_text_string(out, " unicode-bidi=\"plaintext\"");
}

/* ---- items ---- */

static const char *const tag_names[] = {
    [DGMI_DRAW_ITEM_LINE] = "path",  [DGMI_DRAW_ITEM_DISC] = "circle",
    [DGMI_DRAW_ITEM_WEDGE] = "path", [DGMI_DRAW_ITEM_RECT] = "rect",
    [DGMI_DRAW_ITEM_FOUR] = "path",  [DGMI_DRAW_ITEM_HULL] = "path",
    [DGMI_DRAW_ITEM_TEXT] = "text",
};

static bool is_drawn(const dgmi_draw_item *item) {
    if (item->kind == DGMI_DRAW_ITEM_OPEN || item->kind == DGMI_DRAW_ITEM_CLOSE)
        return false;
    return (item->kind != DGMI_DRAW_ITEM_TEXT || item->text >= 0) &&
           (item->kind != DGMI_DRAW_ITEM_WEDGE || item->c > item->b);
}

/* id, what differs from what is inherited, and the opacity of the whole. */
static void put_attributes(svg_writer *writer, const dgmi_draw_item *item) {
    const int64_t *inherited = writer->inherited[writer->depth];
    item_look look = look_of(item);
    if (item->id >= 0)
        put_quoted(writer->out, "id", dgmi_draw_list_string(writer->list, item->id), '-');
    for (int part = 0; part < LOOK_PARTS; part++)
        if (look.matters[part] && look.value[part] != inherited[part])
            put_look_part(writer->out, (look_part)part, look.value[part]);
    if (fades_whole(item))
        put_attribute(writer->out, "opacity", item->opacity, true);
}

static void put_item(svg_writer *writer, const dgmi_draw_item *item) {
    static void (*const shapes[])(dgmi_text *, const dgmi_draw_item *) = {
        [DGMI_DRAW_ITEM_LINE] = put_line,   [DGMI_DRAW_ITEM_DISC] = put_disc,
        [DGMI_DRAW_ITEM_WEDGE] = put_wedge, [DGMI_DRAW_ITEM_RECT] = put_rect,
        [DGMI_DRAW_ITEM_FOUR] = put_four,
    };
    dgmi_text *out = writer->out;
    bool text = item->kind == DGMI_DRAW_ITEM_TEXT, whole = !text && item->title < 0;
    const char *name = tag_names[item->kind];
    if (text)
        put_text(writer, item);
    else if (item->kind == DGMI_DRAW_ITEM_HULL)
        put_hull(writer, item);
    else
        shapes[item->kind](out, item);
    if (item->kind == DGMI_DRAW_ITEM_WEDGE && item->c - item->b > 0.9999)
        name = "circle";
    put_attributes(writer, item);
    dgmi_text_string(out, whole ? "/>\n" : ">");
    if (whole)
        return;
    if (item->title >= 0)
        put_title(writer, dgmi_draw_list_string(writer->list, item->title));
    if (text)
        put_escaped(out, dgmi_draw_list_string(writer->list, item->text), ' ');
    dgmi_text_string(out, "</");
    dgmi_text_string(out, name);
    dgmi_text_string(out, ">\n");
}

/* ---- groups ---- */

/* What most of a group's own items have, by Boyer and Moore's vote (1991); where none has a
 * majority any value will do, for items say what differs. Groups inside have looks of their own. */
static void share_looks(const svg_writer *writer, int64_t from, int64_t value[LOOK_PARTS]) {
    int64_t votes[LOOK_PARTS] = {0}, depth = 0, candidate[LOOK_PARTS] = {0};
    for (int64_t i = from; i < writer->list->count && depth >= 0; i++) {
        const dgmi_draw_item *item = &writer->list->items[i];
        depth += (item->kind == DGMI_DRAW_ITEM_OPEN) - (item->kind == DGMI_DRAW_ITEM_CLOSE);
        if (depth != 0 || !is_drawn(item))
            continue;
        item_look look = look_of(item);
        for (int part = 0; part < LOOK_PARTS; part++) {
            if (!look.matters[part])
                continue;
            if (votes[part] == 0)
                candidate[part] = look.value[part];
            votes[part] += look.value[part] == candidate[part] ? 1 : -1;
        }
    }
    for (int part = 0; part < LOOK_PARTS; part++)
        if (votes[part] > 1)
            value[part] = candidate[part];
}

static void open_group(svg_writer *writer, int64_t at) {
    const dgmi_draw_item *item = &writer->list->items[at];
    const char *id = dgmi_draw_list_string(writer->list, item->text);
    dgmi_text *out = writer->out;
    const int64_t *outer = writer->inherited[writer->depth];
    int64_t *inner = writer->inherited[writer->depth + 1];
    memcpy(inner, outer, sizeof writer->inherited[0]);
    share_looks(writer, at + 1, inner);
    writer->depth++;
    dgmi_text_string(out, "<g");
    if (id)
        put_quoted(out, "id", id, '-');
    for (int part = 0; part < LOOK_PARTS; part++)
        if (inner[part] != outer[part])
            put_look_part(out, (look_part)part, inner[part]);
    if (item->opacity < 1)
        put_attribute(out, "opacity", item->opacity, true);
    dgmi_text_string(out, ">");
    if (item->title >= 0)
        put_title(writer, dgmi_draw_list_string(writer->list, item->title));
    dgmi_text_string(out, "\n");
}

static void close_group(svg_writer *writer) {
    writer->depth--;
    dgmi_text_string(writer->out, "</g>\n");
}

/* Groups deeper than any figure has are as if they were not there. */
static void put_items(svg_writer *writer) {
    int64_t beyond = 0;
    for (int64_t i = 0; i < writer->list->count && writer->out->status == DGM_OK; i++) {
        const dgmi_draw_item *item = &writer->list->items[i];
        if (item->kind == DGMI_DRAW_ITEM_OPEN && writer->depth + 1 == MAX_DEPTH)
            beyond++;
        else if (item->kind == DGMI_DRAW_ITEM_OPEN)
            open_group(writer, i);
        else if (item->kind == DGMI_DRAW_ITEM_CLOSE && beyond > 0)
            beyond--;
        else if (item->kind == DGMI_DRAW_ITEM_CLOSE && writer->depth > 0)
            close_group(writer);
        else if (is_drawn(item))
            put_item(writer, item);
    }
    while (writer->depth > 0)
        close_group(writer);
}

void dgmi_draw_svg_write(const dgmi_draw_list *list, dgmi_text *text) {
    svg_writer writer = {.list = list, .out = text};
    const int64_t initial[LOOK_PARTS] = {
        [LOOK_FILL] = 0,
        [LOOK_STROKE] = NONE,
        [LOOK_WIDTH] = 1000,
        [LOOK_FILL_OPACITY] = 1000,
        [LOOK_STROKE_OPACITY] = 1000,
        [LOOK_SIZE] = NONE, /* unlike any */
        [LOOK_ANCHOR] = DGMI_DRAW_ANCHOR_START,
        [LOOK_BOLD] = false,
    };
    memcpy(writer.inherited[0], initial, sizeof initial);
    if (list->status != DGM_OK && text->status == DGM_OK)
        text->status = list->status;
    dgmi_text_string(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    put_real(text, list->width, false);
    dgmi_text_string(text, "mm\" height=\"");
    put_real(text, list->height, false);
    dgmi_text_string(text, "mm\" viewBox=\"0 0 ");
    put_point(text, list->width, list->height, false);
    dgmi_text_string(text, "\" font-family=\"" DGMI_DRAW_FONT "\" stroke-linecap=\"round\""
                           " stroke-linejoin=\"round\">\n");
    if (list->title) {
        put_title(&writer, list->title);
        dgmi_text_string(text, "\n");
    }
    if (list->paper) {
        dgmi_text_string(text, "<rect width=\"100%\" height=\"100%\" fill=\"");
        put_colour(text, colour_code(list->ground));
        dgmi_text_string(text, "\"/>\n");
    }
    put_items(&writer);
    dgmi_text_string(text, "</svg>\n");
}
