/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a legend. draw_legend.c puts them beside and under each other, draw_legend_colour.c
 * tells what colours mean, and draw_legend_size.c what sizes and widths mean. */
#ifndef DRAW_LEGEND_H
#define DRAW_LEGEND_H

#include "draw_figure.h"

/* Draws a block at (x, y) and returns its height. */
typedef double dgmi_draw_legend_block(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x,
                                      double y, double width);

/* ---- what colours mean ---- */

/* A colour bar, a square of two axes, and a list of classes. */
dgmi_draw_legend_block dgmi_draw_legend_ramp, dgmi_draw_legend_square, dgmi_draw_legend_classes;
/* Returns the width of the list of classes in one column, or, if blocks stand side by side, in as
 * many columns as it would like. It is 0 if there is no list. */
double dgmi_draw_legend_classes_width(const dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                      bool across);

/* ---- what sizes and widths mean ---- */

/* The sizes of clusters, a sentence where all are alike, the widths of links, the ring around
 * clusters that are disputed, what a pile of dust looks like, and what a dot is. */
dgmi_draw_legend_block dgmi_draw_legend_sizes, dgmi_draw_legend_one_size, dgmi_draw_legend_widths,
    dgmi_draw_legend_ring, dgmi_draw_legend_dust, dgmi_draw_legend_nodes;
/* Returns the width that the sizes take. */
double dgmi_draw_legend_sizes_width(const dgmi_draw_page *page);
/* Tells whether all marks are as small as can be, so that areas would say nothing. */
bool dgmi_draw_legend_sizes_alike(const dgmi_draw_page *page);
/* Tells whether widths of links mean the same in both plots, which show summaries with links. */
bool dgmi_draw_legend_widths_alike(const dgmi_draw_plot *a, const dgmi_draw_plot *b);

/* ---- what all blocks share ---- */

/* Draws the heading of a block and returns its height. */
double dgmi_draw_legend_heading(dgmi_draw_page *page, double x, double y, double width,
                                const char *text);
/* Draws a line of text whose middle is at y. */
void dgmi_draw_legend_text(dgmi_draw_page *page, double x, double y, dgmi_draw_anchor anchor,
                           dgmi_draw_colour ink, const char *text);

#endif
