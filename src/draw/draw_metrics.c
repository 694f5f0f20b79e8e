/* SPDX-License-Identifier: Apache-2.0 */
/* Widths of text without asking for a font, so that a figure is laid out the same everywhere.
 * Advance widths in thousandths of the type size, as in Adobe's metrics of Helvetica, which Arial
 * and Liberation Sans share. */
#include "draw_list.h"

#include <stdio.h>
#include <string.h>

#include "base_utf8.h"

enum { ELLIPSIS = 0x2026, JOINER = 0x200D, GUESS = 650 };

/* U+0020 .. U+007E and U+00A0 .. U+00FF; regular, then bold. */
static const uint16_t ascii_widths[2][95] = {
    {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
     556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
     1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
     667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
     333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
     556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584},
    {278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
     556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
     611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
     667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
     278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584},
};
static const uint16_t latin_widths[2][96] = {
    {278, 333, 556, 556, 556, 556, 260,  556, 333, 737, 370, 556, 584, 0,   737, 333,
     400, 584, 333, 333, 333, 556, 537,  278, 333, 333, 365, 556, 834, 834, 834, 611,
     667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
     722, 722, 778, 778, 778, 778, 778,  584, 778, 722, 722, 722, 722, 667, 667, 611,
     556, 556, 556, 556, 556, 556, 889,  500, 556, 556, 556, 556, 278, 278, 278, 278,
     556, 556, 556, 556, 556, 556, 556,  584, 611, 556, 556, 556, 556, 500, 556, 500},
    {278, 333, 556, 556, 556, 556, 280,  556, 333, 737, 370, 556, 584, 0,   737, 333,
     400, 584, 333, 333, 333, 611, 556,  278, 333, 333, 365, 556, 834, 834, 834, 611,
     722, 722, 722, 722, 722, 722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
     722, 722, 778, 778, 778, 778, 778,  584, 778, 722, 722, 722, 722, 667, 667, 611,
     556, 556, 556, 556, 556, 556, 889,  556, 556, 556, 556, 556, 278, 278, 278, 278,
     611, 611, 611, 611, 611, 611, 611,  584, 611, 611, 611, 611, 611, 556, 611, 556},
};

/* The rest, in order: marks that stand on the character before them take no room, wide characters
 * and emoji one em; alphabets get the mean of what common fonts have. */
static const struct {
    uint32_t first, last;
    uint16_t width;
} ranges[] = {
    {0x00100, 0x0024F, 600},  /* Latin, extended */
    {0x00250, 0x002FF, 550},  /* phonetic letters */
    {0x00300, 0x0036F, 0},    /* combining marks */
    {0x00370, 0x003FF, 620},  /* Greek */
    {0x00400, 0x00482, 640},  /* Cyrillic */
    {0x00483, 0x00489, 0},    /* its marks */
    {0x0048A, 0x0052F, 640},  /* Cyrillic */
    {0x00591, 0x005BD, 0},    /* Hebrew points */
    {0x005BE, 0x005FF, 580},  /* Hebrew */
    {0x00610, 0x0061A, 0},    /* Arabic marks */
    {0x0061B, 0x0064A, 600},  /* Arabic */
    {0x0064B, 0x0065F, 0},    /* Arabic vowels */
    {0x00660, 0x0066F, 560},  /* Arabic digits */
    {0x00670, 0x00670, 0},    /* alef above */
    {0x00671, 0x006D5, 600},  /* Arabic */
    {0x006D6, 0x006DC, 0},    /* Arabic marks */
    {0x0093C, 0x0093C, 0},    /* Devanagari nukta */
    {0x00941, 0x00948, 0},    /* Devanagari vowels above and below */
    {0x0094D, 0x0094D, 0},    /* virama */
    {0x00E31, 0x00E31, 0},    /* Thai vowels above and below */
    {0x00E34, 0x00E3A, 0},    /* likewise */
    {0x00E47, 0x00E4E, 0},    /* Thai tones */
    {0x01100, 0x0115F, 1000}, /* Hangul initials */
    {0x01160, 0x011FF, 0},    /* which the others join */
    {0x01AB0, 0x01AFF, 0},    /* combining marks */
    {0x01DC0, 0x01DFF, 0},    /* combining marks */
    {0x02009, 0x0200A, 200},  /* thin spaces */
    {0x0200B, 0x0200F, 0},    /* joiners, directions */
    {0x02010, 0x02011, 333},  /* hyphens */
    {0x02012, 0x02013, 556},  /* en dash */
    {0x02014, 0x02015, 1000}, /* em dash */
    {0x02018, 0x0201B, 278},  /* single quotes */
    {0x0201C, 0x0201F, 500},  /* double quotes */
    {0x02020, 0x02021, 556},  /* daggers */
    {0x02022, 0x02022, 350},  /* bullet */
    {0x02026, 0x02026, 1000}, /* ellipsis */
    {0x0202A, 0x0202E, 0},    /* directions */
    {0x02060, 0x0206F, 0},    /* joiners, directions */
    {0x02070, 0x0209F, 333},  /* digits above and below */
    {0x020D0, 0x020FF, 0},    /* combining marks */
    {0x02122, 0x02122, 1000}, /* trade mark */
    {0x02190, 0x021FF, 1000}, /* arrows */
    {0x02200, 0x022FF, 600},  /* mathematics */
    {0x02300, 0x023FF, 1000}, /* watches and keys */
    {0x025A0, 0x027BF, 1000}, /* shapes, symbols, dingbats */
    {0x02B00, 0x02BFF, 1000}, /* more arrows and stars */
    {0x02E80, 0x0303E, 1000}, /* radicals, CJK punctuation */
    {0x03041, 0x0A4CF, 1000}, /* kana, Han, Yi */
    {0x0A960, 0x0A97F, 1000}, /* Hangul */
    {0x0AC00, 0x0D7A3, 1000}, /* Hangul */
    {0x0F900, 0x0FAFF, 1000}, /* Han, compatibility */
    {0x0FE00, 0x0FE0F, 0},    /* variants */
    {0x0FE20, 0x0FE2F, 0},    /* combining halves */
    {0x0FE30, 0x0FE6F, 1000}, /* vertical and small forms */
    {0x0FEFF, 0x0FEFF, 0},    /* byte order mark */
    {0x0FF01, 0x0FF60, 1000}, /* full width */
    {0x0FF61, 0x0FFDC, 500},  /* half width */
    {0x0FFE0, 0x0FFE6, 1000}, /* full width */
    {0x0FFFD, 0x0FFFD, 1000}, /* replacement character */
    {0x1F000, 0x1F1E5, 1000}, /* emoji */
    {0x1F1E6, 0x1F1FF, 500},  /* half a flag each */
    {0x1F200, 0x1F3FA, 1000}, /* emoji */
    {0x1F3FB, 0x1F3FF, 0},    /* skin tones */
    {0x1F400, 0x1FAFF, 1000}, /* emoji */
    {0x20000, 0x3FFFD, 1000}, /* Han */
    {0xE0000, 0xE01EF, 0},    /* tags, variants */
};

/* No UTF-8, or a control character: most of them XML cannot hold by any escape. */
static bool is_forbidden(int32_t code) {
    return code < 0 || (code < ' ' && code != '\t' && code != '\n' && code != '\r') ||
           (code >= 0x7F && code <= 0x9F) || code == 0xFFFE || code == 0xFFFF;
}

uint32_t dgmi_draw_text_next(const char **text) {
    size_t size; /* no character runs past the terminator: that continues none */
    int32_t code = dgmi_utf8_next(*text, 4, &size);
    *text += size;
    return is_forbidden(code) ? 0xFFFD : (uint32_t)code;
}

/* In thousandths of the type size. */
static unsigned advance(uint32_t code, bool bold) {
    if (code < ' ')
        return ascii_widths[bold][0]; /* line ends and tabs are shown as blanks */
    if (code < 0x7F)
        return ascii_widths[bold][code - ' '];
    if (code >= 0xA0 && code <= 0xFF)
        return latin_widths[bold][code - 0xA0];
    for (size_t low = 0, high = sizeof ranges / sizeof *ranges; low < high;) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return ranges[middle].width;
    }
    return GUESS;
}

double dgmi_draw_text_width(const char *text, double points, bool bold) {
    int64_t sum = 0;
    while (*text)
        sum += advance(dgmi_draw_text_next(&text), bold);
    return (double)sum * points * DGMI_DRAW_POINT / 1000;
}

const char *dgmi_draw_text_fit(const char *text, double points, bool bold, double width,
                               char *buffer, size_t size) {
    static const char ellipsis[] = "\xE2\x80\xA6";
    double room = width / (points * DGMI_DRAW_POINT) * 1000, sum = 0;
    double dots = advance(ELLIPSIS, bold);
    size_t kept = 0; /* bytes in front of an ellipsis, should it need one */
    uint32_t before = 0;
    const char *at = text;
    while (*at && sum <= room && (size_t)(at - text) < size) {
        size_t start = (size_t)(at - text);
        uint32_t code = dgmi_draw_text_next(&at);
        unsigned step = advance(code, bold);
        /* Marks stay with the character before them, and what is joined stays together. */
        if (step > 0 && before != JOINER && sum + dots <= room && start + sizeof ellipsis <= size)
            kept = start;
        sum += step;
        before = code;
    }
    if (!*at && sum <= room && (size_t)(at - text) < size)
        return memcpy(buffer, text, (size_t)(at - text) + 1);
    while (kept > 0 && text[kept - 1] == ' ')
        kept--;
    memcpy(buffer, text, kept);
    bool fits = dots <= room && kept + sizeof ellipsis <= size;
    snprintf(buffer + kept, size - kept, "%s", fits ? ellipsis : "");
    return buffer;
}
