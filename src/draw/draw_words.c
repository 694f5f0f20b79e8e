/* SPDX-License-Identifier: Apache-2.0 */
/* Writes numbers for people to read, finds round numbers for axes, and breaks text into lines. */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *dgmi_draw_words_number(double value, char buffer[DGMI_DRAW_WORDS_SPACE]) {
    if (value == 0 || !isfinite(value)) {
        snprintf(buffer, DGMI_DRAW_WORDS_SPACE, "%s", value == 0 ? "0" : "none");
        return buffer;
    }
    /* Three digits, then the shortest form of what is left. */
    snprintf(buffer, DGMI_DRAW_WORDS_SPACE, "%.2e", value);
    double rounded = value;
    dgmi_parse_real(buffer, strlen(buffer), &rounded);
    if (fabs(rounded) >= 1e4 && fabs(rounded) < 1e15) {
        char count[DGMI_DRAW_WORDS_SPACE];
        snprintf(buffer, DGMI_DRAW_WORDS_SPACE, "%s",
                 dgmi_draw_view_count((int64_t)rounded, count));
        return buffer;
    }
    dgmi_format_real(rounded, buffer);
    return buffer;
}

const char *dgmi_draw_words_size(const dgm_view *view, int64_t mark,
                                 char buffer[DGMI_DRAW_WORDS_SPACE]) {
    return view->weighed ? dgmi_draw_words_number(view->weighed[mark], buffer)
                         : dgmi_draw_view_count(view->size[mark], buffer);
}

/* 1, 2 or 5 times a power of ten, not under `least`. */
static double round_step(double least) {
    double power = pow(10, floor(log10(least)));
    static const double steps[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (steps[i] * power >= least * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

static int put_ticks(double low, double high, double step, int most, double *ticks) {
    int count = 0;
    double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    for (double k = first; k <= last && count < most; k++)
        ticks[count++] = k * step;
    return count;
}

int dgmi_draw_words_ticks(double low, double high, int most, double *ticks) {
    if (!(high > low)) {
        ticks[0] = low;
        return 1;
    }
    double step = round_step((high - low) / (most - 1));
    if (!(step > 0) || !isfinite(step))
        return 0;
    int count = put_ticks(low, high, step, most, ticks);
    if (count < 2) /* a range such as 0.001 .. 0.999; half of the step fits twice at least */
        count = put_ticks(low, high, round_step(0.3 * step), most, ticks);
    return count;
}

/* Whether the blank at `end` may not be a line's end: the signs in "n = 5" and "a · b" hold on to
 * what is before them, and the first to what is after them too. */
static bool is_held(const char *text, size_t end) {
    return text[end] == ' ' &&
           (text[end + 1] == '=' || strncmp(text + end + 1, "\xc2\xb7", 2) == 0 ||
            (end > 1 && text[end - 1] == '=' && text[end - 2] == ' '));
}

static size_t word_end(const char *text, size_t at) {
    size_t end = at + strcspn(text + at, " ");
    while (is_held(text, end))
        end += 1 + strcspn(text + end + 1, " ");
    return end;
}

/* Length of the longest run of whole words of `text` that fits; of one word if none does. */
static size_t line_length(const char *text, double points, bool bold, double width) {
    char line[512];
    size_t fits = 0;
    for (size_t at = 0;;) {
        size_t end = word_end(text, at);
        if (end >= sizeof line)
            return fits ? fits : end;
        memcpy(line, text, end);
        line[end] = '\0';
        if (fits && dgmi_draw_text_width(line, points, bold) > width)
            return fits;
        fits = end;
        if (!text[end])
            return end;
        at = end + 1;
    }
}

double dgmi_draw_words_wrap(dgmi_draw_list *list, double x, double y, double width, double points,
                            bool bold, dgmi_draw_colour ink, const char *text) {
    double step = points * DGMI_DRAW_POINT * 1.25, height = 0;
    char line[2048], fitted[2048];
    while (*text) {
        size_t length = line_length(text, points, bold, width);
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1),
                 text);
        dgmi_draw_item *item = dgmi_draw_list_text(
            list, x, y + height + points * DGMI_DRAW_POINT * 0.8, points, DGMI_DRAW_ANCHOR_START,
            ink, dgmi_draw_text_fit(line, points, bold, width, fitted, sizeof fitted));
        item->bold = bold;
        height += step;
        text += length;
        text += strspn(text, " ");
    }
    return height;
}
