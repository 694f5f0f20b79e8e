/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: what is shown (a view), where it stands (a layout), how it looks (a figure).
 *
 * A view is what a picture shows: a summary with its profile and a place for each cluster. A whole
 * graph and a cloud of points are views, too, so that all are drawn by the same code.
 */
#ifndef DGM_DRAW_H
#define DGM_DRAW_H

#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"
#include "dgm/profile.h"

/* ---- places ---- */

/* Where the marks of a view stand. A file of a summary keeps them. */
typedef struct dgm_places {
    /* Centres and radii in one unit, y upwards, one for each mark; NULL: there are none. */
    const double *x, *y, *radius;
    int layout;   /* dgm_layout that gave them; -1: they came from elsewhere */
    int64_t seed; /* of that layout */
    /* Where there are none because a layout would cost more than the summary did: how many
     * operations it would take, and how many were allowed. 0: they were not counted. */
    double operations, budget;
} dgm_places;

/* ---- what is shown ---- */

typedef struct dgm_view dgm_view;

/* Marks are clusters, links the summary's edges. The summary and the profile are borrowed until the
 * view is freed. profile NULL: nothing is known of the members; places NULL: none yet. */
DGM_API dgm_status dgm_view_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                         const dgm_profile *profile, const dgm_places *places,
                                         dgm_view **out);
/* Marks are nodes, links the graph's edges: the hairball. Nothing is borrowed. predictions NULL:
 * nothing was predicted. */
DGM_API dgm_status dgm_view_from_graph(dgm_context *ctx, const dgm_graph *graph,
                                       const dgm_predictions *predictions, dgm_view **out);
/* Marks are the rows of a table of at least one column, which is lens and place; no links. Nothing
 * is borrowed. graph gives labels and names to the rows, or is NULL; predictions NULL: nothing was
 * predicted of its nodes. */
DGM_API dgm_status dgm_view_from_points(dgm_context *ctx, const dgm_matrix *points,
                                        const dgm_graph *graph, const dgm_predictions *predictions,
                                        dgm_view **out);
DGM_API void dgm_view_free(dgm_view *view); /* NULL is fine */

typedef enum dgm_view_kind { DGM_VIEW_SUMMARY, DGM_VIEW_GRAPH, DGM_VIEW_POINTS } dgm_view_kind;
DGM_API dgm_view_kind dgm_view_get_kind(const dgm_view *view);
DGM_API int64_t dgm_view_marks(const dgm_view *view);
DGM_API int64_t dgm_view_links(const dgm_view *view);
/* What is known of the members of each mark: the profile of the summary, or that of single nodes.
 * Borrowed. */
DGM_API const dgm_profile *dgm_view_profile(const dgm_view *view);
/* Borrowed; x is NULL until the view was laid out. */
DGM_API dgm_places dgm_view_get_places(const dgm_view *view);
/* Places from elsewhere, one each a mark, all finite. radius NULL: from the members. Copied. */
DGM_API dgm_status dgm_view_set_places(dgm_context *ctx, dgm_view *view, const double *x,
                                       const double *y, const double *radius);

/* ---- where it stands ---- */

typedef enum dgm_layout {
    DGM_LAYOUT_STRESS,   /* distances on paper as distances in the summary */
    DGM_LAYOUT_LENS,     /* the first two axes of the lens; of one axis, x alone */
    DGM_LAYOUT_CIRCULAR, /* on a circle, in the order of the marks */
    DGM_LAYOUT_GRID,     /* row by row */
} dgm_layout;

typedef struct dgm_layout_options {
    size_t size;         /* of the struct, filled in by its initialiser */
    int layout;          /* dgm_layout */
    int64_t seed;        /* of everything random */
    int64_t exact;       /* marks up to which every pair counts; above, pivots stand for the rest */
    const double *start; /* x y of each mark, NaN where unknown; NULL: from the lens. Borrowed */
    double anchor;       /* how strongly marks hold on to their start, 0: not at all */
} dgm_layout_options;
#define DGM_LAYOUT_OPTIONS_INIT                                                                    \
    { sizeof(dgm_layout_options), DGM_LAYOUT_STRESS, 1, 3000, NULL, 0.0 }
DGM_API void dgm_layout_options_init(dgm_layout_options *options);
DGM_API const dgm_option_table *dgm_layout_option_table(void);

/* Gives every mark its place and radius. Pieces that hang together are packed side by side, largest
 * first; with an anchor they stay near where they started. Marks do not overlap (stress, circular,
 * grid). The same bytes on every machine and for every number of threads. options NULL: defaults.
 */
DGM_API dgm_status dgm_view_lay_out(dgm_context *ctx, dgm_view *view,
                                    const dgm_layout_options *options);

/* ---- how it looks ---- */

typedef enum dgm_style {
    DGM_STYLE_DEFAULT,
    DGM_STYLE_PAPER, /* the paper's figures: Dark2, coolwarm, cool+coolwarm, area as sqrt(members)
                      */
} dgm_style;
typedef enum dgm_theme { DGM_THEME_LIGHT, DGM_THEME_DARK } dgm_theme;
typedef enum dgm_mixture {
    DGM_MIXTURE_MAJORITY, /* a cluster has the colour of its most frequent class */
    DGM_MIXTURE_PIE,      /* and all its classes as a pie */
} dgm_mixture;

typedef struct dgm_figure_options {
    size_t size;          /* of the struct, filled in by its initialiser */
    const char *colour;   /* "lens" "labels" "prediction" "error" "entropy" "attr:NAME"; NULL: lens,
                             of a graph and of points labels where there are any */
    const char *colormap; /* "viridis" "cividis" "coolwarm" "diverging"; NULL: the colour's own */
    double threshold;     /* the middle of a diverging map, of fractions and probabilities */
    int mixture;          /* dgm_mixture */
    int style;            /* dgm_style */
    int theme;            /* dgm_theme */
    bool transparent;     /* no background */
    const char *width;    /* of the figure: "89mm", "3.5in", "12cm", "250pt"; NULL: 120mm */
    const char *height;   /* likewise; NULL: what the content takes */
    int64_t dpi;          /* of PNG */
    const char *names;    /* what names marks, the largest first: "10" so many by class or number of
                             members, "numbers" by their own, "members" by a member; a most behind
                             a colon, as in "numbers:30"; NULL: "10" */
} dgm_figure_options;
#define DGM_FIGURE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(dgm_figure_options), NULL, NULL, 0.5, DGM_MIXTURE_MAJORITY, DGM_STYLE_DEFAULT,      \
            DGM_THEME_LIGHT, false, NULL, NULL, 300, NULL                                          \
    }
DGM_API void dgm_figure_options_init(dgm_figure_options *options);
DGM_API const dgm_option_table *dgm_figure_option_table(void);
/* Checks what needs no view. */
DGM_API dgm_status dgm_figure_check(dgm_context *ctx, const dgm_figure_options *options);
/* "89mm", "3.5in", "12cm", "250pt", or a bare number of millimetres. DGM_ERROR_USAGE otherwise. */
DGM_API dgm_status dgm_length_parse(dgm_context *ctx, const char *text, double *millimetres);

typedef enum dgm_figure_format { DGM_FIGURE_SVG, DGM_FIGURE_PDF, DGM_FIGURE_PNG } dgm_figure_format;
/* DGM_ERROR_USAGE where this build cannot write it: PDF and PNG need Cairo. */
DGM_API dgm_status dgm_figure_format_check(dgm_context *ctx, dgm_figure_format format);

/* One or several panels, a legend and a line of parameters. Views are borrowed until the figure is
 * freed; the rest is copied. */
typedef struct dgm_figure dgm_figure;
DGM_API dgm_status dgm_figure_create(dgm_context *ctx, const dgm_figure_options *options,
                                     dgm_figure **out);
DGM_API void dgm_figure_free(dgm_figure *figure); /* NULL is fine */
/* Panels stand in rows of this many; 0: as square as can be. */
DGM_API void dgm_figure_set_columns(dgm_figure *figure, int64_t columns);
/* A view that was laid out. colour NULL: the figure's own; title NULL: none. `ringed`: marks to
 * draw a ring around, or NULL. Panels of the same colour share its scale and one legend. */
DGM_API dgm_status dgm_figure_add_view(dgm_figure *figure, const dgm_view *view, const char *colour,
                                       const char *title, const uint32_t *ringed,
                                       int64_t ringed_count);
/* Bars of persistence: [birth, death) in steps of a tower, death < 0: never. dimension 0 pieces, 1
 * loops; a tick a step. */
typedef struct dgm_figure_bar {
    int dimension;
    int64_t birth, death;
} dgm_figure_bar;
DGM_API dgm_status dgm_figure_add_barcode(dgm_figure *figure, const char *title, int64_t steps,
                                          const char *const *step_names, int64_t bars,
                                          const dgm_figure_bar *bar);
/* A table of numbers as a panel of lines over the steps, one line a row (classes joined, say). */
DGM_API dgm_status dgm_figure_add_lines(dgm_figure *figure, const char *title, int64_t steps,
                                        const char *const *step_names, int64_t rows,
                                        const char *const *row_names, const double *values);
/* A line under the figure, before the parameters that are always there. */
DGM_API dgm_status dgm_figure_add_note(dgm_figure *figure, const char *note);
/* The bytes of a file; freed with dgm_figure_bytes_free. DGM_ERROR_USAGE where this build has no
 * Cairo and PDF or PNG is asked for. */
DGM_API dgm_status dgm_figure_render(dgm_context *ctx, const dgm_figure *figure,
                                     dgm_figure_format format, char **bytes, size_t *length);
DGM_API void dgm_figure_bytes_free(dgm_context *ctx, char *bytes);

#endif
