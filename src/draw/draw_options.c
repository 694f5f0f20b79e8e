/* SPDX-License-Identifier: Apache-2.0 */
/* The options of layouts and figures, each written once. */
#include "dgm/draw.h"

#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const layouts[] = {"stress", "lens", "circular", "grid", NULL};
static const char *const styles[] = {"default", "paper", NULL};
static const char *const themes[] = {"light", "dark", NULL};
static const char *const mixtures[] = {"majority", "pie", "auto", NULL};

static const char *const dusts[] = {"auto", "fold", "show", "drop", NULL};

static const dgm_option layout_options[] = {
    {.name = "layout",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_layout_options, layout),
     .choices = layouts,
     .default_text = "stress",
     .help =
         "where clusters stand: distances as in the summary, the lens itself, a circle, a grid"},
    {.name = "dust",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_layout_options, dust),
     .choices = dusts,
     .default_text = "auto",
     .help =
         "small clusters that hang on a larger one, and small pieces: fold them into marks that "
         "say how many they are, show each, or drop them from the figure; auto folds, but not "
         "in poolings"},
    {.name = "dust-size",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_layout_options, dust_size),
     .minimum = 1,
     .maximum = 1e9,
     .default_text = "5",
     .argument = "K",
     .help = "clusters and pieces of fewer than K nodes are small"},
};

/* "auto" is no colouring: what is known of the nodes decides. */
static dgm_status set_colour(dgm_context *ctx, const dgm_option *option, const char *value,
                             void *target) {
    const char *colour = strcmp(value, "auto") == 0 ? NULL : value;
    (void)ctx;
    memcpy((char *)target + option->offset, &colour, sizeof colour);
    return DGM_OK;
}

static const dgm_option figure_options[] = {
    {.name = "colour",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_figure_options, colour),
     .set = set_colour,
     .default_text = "auto",
     .argument = "WHAT",
     .help = "what colours say: lens, labels, prediction, error, entropy, outward, attr:NAME or "
             "none; auto: what is known of the nodes"},
    {.name = "colormap",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_figure_options, colormap),
     .argument = "MAP",
     .help = "viridis, cividis, coolwarm or diverging, for what is a number"},
    {.name = "threshold",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_figure_options, threshold),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.5",
     .argument = "P",
     .help = "the middle of the colours of fractions and probabilities"},
    {.name = "mixture",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_figure_options, mixture),
     .choices = mixtures,
     .default_text = "auto",
     .help = "clusters of several classes: the most frequent one's colour, or a pie; auto: a pie "
             "unless a colouring is given"},
    {.name = "style",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_figure_options, style),
     .choices = styles,
     .default_text = "default",
     .help = "paper: the colours and sizes of the paper's figures"},
    {.name = "theme",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_figure_options, theme),
     .choices = themes,
     .default_text = "light",
     .help = "a light or a dark ground"},
    {.name = "transparent",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_figure_options, transparent),
     .help = "no background"},
    {.name = "width",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_figure_options, width),
     .default_text = "120mm",
     .argument = "LENGTH",
     .help = "of the figure: 89mm, 3.5in, 12cm, 250pt"},
    {.name = "height",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_figure_options, height),
     .argument = "LENGTH",
     .help = "likewise; as much as the content takes where it is not given"},
    {.name = "dpi",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_figure_options, dpi),
     .minimum = 36,
     .maximum = 2400,
     .default_text = "300",
     .argument = "N",
     .help = "dots an inch of PNG"},
    {.name = "names",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_figure_options, names),
     .default_text = "10",
     .argument = "WHAT",
     .help = "names of clusters, the largest first: N of them, by what they are and their size; "
             "numbers or members: all that have room, by their own number or by a member (at most "
             "30: numbers:30)"},
};

const dgm_option_table *dgm_layout_option_table(void) {
    static const dgm_option_table table = {"Figures", layout_options, COUNT(layout_options)};
    return &table;
}

const dgm_option_table *dgm_figure_option_table(void) {
    static const dgm_option_table table = {"Figures", figure_options, COUNT(figure_options)};
    return &table;
}

/* ---- lengths ---- */

static const struct {
    const char *name;
    double millimetres;
} units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}, {"", 1}};

dgm_status dgm_length_parse(dgm_context *ctx, const char *text, double *millimetres) {
    size_t digits = strspn(text, "0123456789.+-eE");
    double value;
    for (size_t u = 0; u < COUNT(units); u++) {
        if (strcmp(text + digits, units[u].name) != 0)
            continue;
        if (!dgmi_parse_real(text, digits, &value) || !(value * units[u].millimetres >= 20) ||
            !(value * units[u].millimetres <= 2000))
            break;
        *millimetres = value * units[u].millimetres;
        return DGM_OK;
    }
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "'%s' is no length from 20mm to 2000mm; write 89mm, 3.5in, 12cm or 250pt",
                     text);
}
