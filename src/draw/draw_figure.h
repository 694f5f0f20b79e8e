/* SPDX-License-Identifier: Apache-2.0 */
/* A figure under way: panels, and the parts that lay them onto the page. */
#ifndef DRAW_FIGURE_H
#define DRAW_FIGURE_H

#include "draw_list.h"
#include "draw_paint.h"

typedef struct dgmi_box {
    double x, y, width, height; /* mm */
} dgmi_box;

typedef enum dgmi_panel_kind {
    DGMI_PANEL_VIEW,
    DGMI_PANEL_BARCODE,
    DGMI_PANEL_LINES
} dgmi_panel_kind;

typedef struct dgmi_panel {
    dgmi_panel_kind kind;
    char *title; /* or NULL */
    /* VIEW */
    const dgm_view *view;
    char *colour;
    uint32_t *ringed;
    int64_t ringed_count;
    /* BARCODE, LINES */
    int64_t steps, rows;
    char **step_names, **row_names;
    dgm_figure_bar *bars; /* rows of them */
    double *values;       /* rows * steps */
} dgmi_panel;

struct dgm_figure {
    dgm_context *ctx;
    dgm_figure_options options;
    char *colour, *colormap; /* owned copies of the options' */
    double width, height;    /* mm; height 0: what the content takes */
    int64_t columns;
    dgmi_panel *panels;
    int64_t count, capacity;
    char **notes;
    int64_t note_count, note_capacity;
};

#endif
