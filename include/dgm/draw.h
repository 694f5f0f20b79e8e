/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: a view is what a picture shows, a layout gives it places, and a figure draws it.
 *
 * A view has marks (discs) and links (lines between them). The marks of a summary's view are its
 * clusters. A whole graph and a cloud of points can be views too, so that the same code draws all
 * three.
 */
#ifndef DGM_DRAW_H
#define DGM_DRAW_H

#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"
#include "dgm/profile.h"

/* ---- places ---- */

/* The places of the marks of a view. The JSON file of a summary holds them, too. */
typedef struct dgm_places {
    /* The centre and the radius of each mark, all in one unit, with y upwards. NULL: no places. */
    const double *x, *y, *radius;
    int layout;   /* the dgm_layout that found them; -1: they came from elsewhere */
    int64_t seed; /* the seed of that layout */
    /* A layout is left out where it would cost more than the summary did. These are then the number
     * of operations that it would take and the number that was allowed; otherwise 0. */
    double operations, budget;
    /* Clusters of fewer nodes were folded as dust when the places were found: those of one mark
     * have one place. 0: none were. */
    int64_t dust;
} dgm_places;

/* ---- what is shown ---- */

typedef struct dgm_view dgm_view;

/* Makes a view of a summary: the marks are its clusters, the links its edges. The summary and the
 * profile must outlive the view; the places are copied. `profile` may be NULL if nothing is known
 * about the members, and `places` may be NULL if there are none yet. */
DGM_API dgm_status dgm_view_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                         const dgm_profile *profile, const dgm_places *places,
                                         dgm_view **out);
/* Tells a view the graph of its summary, which must outlive it, or that it is not known (NULL). Figures
 * then call clusters by what sets them apart from the rest of the graph. DGM_ERROR_USAGE: the view is
 * not one of a summary, or the summary is not one of this graph. */
DGM_API dgm_status dgm_view_set_graph(dgm_context *ctx, dgm_view *view, const dgm_graph *graph);
/* Makes a view of a whole graph: the marks are its nodes, the links its edges. Everything is
 * copied. `predictions` may be NULL. */
DGM_API dgm_status dgm_view_from_graph(dgm_context *ctx, const dgm_graph *graph,
                                       const dgm_predictions *predictions, dgm_view **out);
/* Makes a view of points: the marks are the rows of a table with at least one column, and there are
 * no links. The columns are the lens and give the places. Everything is copied. `graph`, which may
 * be NULL, gives names and labels to the rows; `predictions` may be NULL. */
DGM_API dgm_status dgm_view_from_points(dgm_context *ctx, const dgm_matrix *points,
                                        const dgm_graph *graph, const dgm_predictions *predictions,
                                        dgm_view **out);
DGM_API void dgm_view_free(dgm_view *view); /* NULL is fine */

typedef enum dgm_view_kind { DGM_VIEW_SUMMARY, DGM_VIEW_GRAPH, DGM_VIEW_POINTS } dgm_view_kind;
DGM_API dgm_view_kind dgm_view_get_kind(const dgm_view *view);
/* These return the numbers of clusters and edges, or of nodes, whether dust is folded or not. */
DGM_API int64_t dgm_view_marks(const dgm_view *view);
DGM_API int64_t dgm_view_links(const dgm_view *view);
/* Returns the profile of the summary, or one in which each mark is a single node. It must not be
 * freed. */
DGM_API const dgm_profile *dgm_view_profile(const dgm_view *view);
/* Returns the places, whose arrays belong to the view. x is NULL if the view has none yet. */
DGM_API dgm_places dgm_view_get_places(const dgm_view *view);
/* Gives the view places that were found elsewhere: one finite number per mark in each array, which
 * are copied. If `radius` is NULL, the radii follow from the numbers of members. */
DGM_API dgm_status dgm_view_set_places(dgm_context *ctx, dgm_view *view, const double *x,
                                       const double *y, const double *radius);

/* ---- where it stands ---- */

typedef enum dgm_layout {
    DGM_LAYOUT_STRESS,   /* distances of marks are close to the lengths of paths along links */
    DGM_LAYOUT_LENS,     /* x and y are the first two columns of the lens; one column gives x */
    DGM_LAYOUT_CIRCULAR, /* on a circle in the order of the marks */
    DGM_LAYOUT_GRID,     /* on a grid, row by row */
} dgm_layout;

/* What becomes of dust: clusters of few nodes that hang on one larger cluster or on several that
 * hang together, small branches of such clusters, and small pieces. */
typedef enum dgm_dust {
    DGM_DUST_AUTO, /* FOLD in the summaries that Mapper makes; SHOW in those of a pooling, where places
                      came from elsewhere, and in a job that writes no figure */
    DGM_DUST_FOLD, /* the dust of a cluster is one mark that is joined with it, and small pieces
                      are one */
    DGM_DUST_SHOW, /* every cluster has its mark */
    DGM_DUST_DROP, /* dust is not drawn */
} dgm_dust;

typedef struct dgm_layout_options {
    size_t size;         /* the size of this struct, filled in by the initialiser */
    int layout;          /* a dgm_layout; by default STRESS */
    int64_t seed;        /* the seed of all random draws; by default 1 */
    int64_t exact;       /* the number of marks up to which every pair counts; by default 3000. In a
                            larger view some marks, the pivots, stand for the others. */
    const double *start; /* x and y of each mark at the start, NaN if unknown, which stay the
                            caller's; NULL: the lens gives the start */
    double anchor;       /* how strongly marks keep to their start; 0, the default: not at all */
    int dust;            /* a dgm_dust; by default AUTO */
    int64_t dust_size;   /* clusters and pieces of fewer nodes may be dust; by default 5 */
} dgm_layout_options;
#define DGM_LAYOUT_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(dgm_layout_options), DGM_LAYOUT_STRESS, 1, 3000, NULL, 0.0, DGM_DUST_AUTO,          \
            DGM_DUST_SIZE                                                                          \
    }
static inline void dgm_layout_options_init(dgm_layout_options *options) {
    const dgm_layout_options defaults = DGM_LAYOUT_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_layout_option_table(void);

/* Folds the dust of a view of a summary, or shows it again, as `dust` and `dust_size` of the options
 * say. Marks are still as many as clusters; those of one pile of dust have the place of its mark.
 * Places that were found for other marks are forgotten: the view must be laid out again. If
 * `options` is NULL, they have their defaults. */
DGM_API dgm_status dgm_view_fold_dust(dgm_context *ctx, dgm_view *view,
                                      const dgm_layout_options *options);
/* How much of a view is folded or not drawn. */
typedef struct dgm_view_dust {
    int64_t size;            /* clusters of fewer nodes may be dust; 0: nothing is folded */
    int64_t clusters, nodes; /* of the dust; a node counts once */
    int64_t marks;           /* the number of marks that show it */
    bool dropped;            /* it has no marks */
} dgm_view_dust;
DGM_API dgm_view_dust dgm_view_get_dust(const dgm_view *view);

/* Gives every mark a place and a radius, after dgm_view_fold_dust with the same options. The connected pieces of a view are packed side by side,
 * the largest first; with an anchor they stay near their start. Marks do not overlap, except in
 * DGM_LAYOUT_LENS. The places are the same to the byte on every machine and for any number of
 * threads. If `options` is NULL, they have their defaults. */
DGM_API dgm_status dgm_view_lay_out(dgm_context *ctx, dgm_view *view,
                                    const dgm_layout_options *options);

/* ---- how it looks ---- */

typedef enum dgm_style {
    DGM_STYLE_DEFAULT,
    DGM_STYLE_PAPER, /* as in the paper's figures: the colours are Dark2, coolwarm and
                        cool+coolwarm, and the area of a mark goes with sqrt(members) */
} dgm_style;
typedef enum dgm_theme { DGM_THEME_LIGHT, DGM_THEME_DARK } dgm_theme;
/* How a cluster with several classes is coloured. */
typedef enum dgm_mixture {
    DGM_MIXTURE_MAJORITY, /* by its most frequent class */
    DGM_MIXTURE_PIE,      /* as a pie of all its classes */
    DGM_MIXTURE_AUTO,     /* a pie, unless `colour` is given */
} dgm_mixture;

typedef struct dgm_figure_options {
    size_t size;          /* the size of this struct, filled in by the initialiser */
    const char *colour;   /* what colours show: "lens", "labels", "prediction", "error", "entropy",
                             "outward" or "attr:NAME"; NULL: what is known of the nodes (labels,
                             predictions, an attribute of a few texts), otherwise of a partition the
                             outward, and else the lens */
    const char *colormap; /* "viridis", "cividis", "coolwarm" or "diverging"; NULL: the one that
                             suits `colour` */
    double threshold;     /* the middle of a diverging colormap for fractions and probabilities; by
                             default 0.5 */
    int mixture;          /* a dgm_mixture; by default AUTO */
    int style;            /* a dgm_style */
    int theme;            /* a dgm_theme; by default LIGHT */
    bool transparent;     /* the figure has no background */
    const char *width;    /* the width: "89mm", "3.5in", "12cm", "250pt"; NULL: 120mm */
    const char *height;   /* the height; NULL: as much as the content takes */
    int64_t dpi;          /* the resolution of PNG; by default 300 */
    const char *names;    /* which marks have a text, the largest first. "10": ten, by their class
                             or number of members; "numbers": by their own number; "members": by
                             a member. "numbers:30" limits them to 30. NULL: "10" */
} dgm_figure_options;
#define DGM_FIGURE_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(dgm_figure_options), NULL, NULL, 0.5, DGM_MIXTURE_AUTO, DGM_STYLE_DEFAULT,          \
            DGM_THEME_LIGHT, false, NULL, NULL, 300, NULL                                          \
    }
static inline void dgm_figure_options_init(dgm_figure_options *options) {
    const dgm_figure_options defaults = DGM_FIGURE_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_figure_option_table(void);
/* Checks everything that can be checked without a view. The error is DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_figure_check(dgm_context *ctx, const dgm_figure_options *options);
/* Reads a length: "89mm", "3.5in", "12cm", "250pt", or a number alone, which is in millimetres.
 * Everything else is DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_length_parse(dgm_context *ctx, const char *text, double *millimetres);

typedef enum dgm_figure_format { DGM_FIGURE_SVG, DGM_FIGURE_PDF, DGM_FIGURE_PNG } dgm_figure_format;
/* Returns DGM_ERROR_USAGE if this build cannot write the format: PDF and PNG need Cairo. */
DGM_API dgm_status dgm_figure_format_check(dgm_context *ctx, dgm_figure_format format);

/* A figure has one or several panels, a legend, and a line with parameters at the bottom. It keeps
 * the context. Views must outlive it; everything else is copied. */
typedef struct dgm_figure dgm_figure;
DGM_API dgm_status dgm_figure_create(dgm_context *ctx, const dgm_figure_options *options,
                                     dgm_figure **out);
DGM_API void dgm_figure_free(dgm_figure *figure); /* NULL is fine */
/* Sets how many panels stand in a row; 0 makes the figure as square as possible. */
DGM_API void dgm_figure_set_columns(dgm_figure *figure, int64_t columns);
/* Adds a panel with a view, which must have places. If `colour` is NULL, the panel has that of the
 * figure's options. `title` may be NULL. A ring is drawn around the marks in `ringed`, which may be
 * NULL. Panels of the same colour share one scale and one legend. */
DGM_API dgm_status dgm_figure_add_view(dgm_figure *figure, const dgm_view *view, const char *colour,
                                       const char *title, const uint32_t *ringed,
                                       int64_t ringed_count);
/* Draws a line around a panel, counted from 0 in the order in which panels were added, and around
 * its title. */
DGM_API void dgm_figure_frame_panel(dgm_figure *figure, int64_t panel);
/* Draws all views of the figure in one plane, at one scale: what has the same place in two views is
 * at the same spot of their panels. Otherwise each view fills its panel. */
DGM_API void dgm_figure_align_panels(dgm_figure *figure);
/* Draws a region around some marks of a panel's view: a translucent filling and an outline around
 * all of their discs, behind links and marks. The outline is convex, that of one mark a circle. Its
 * colour is that of class `colour`, which is 0 or more; colours start again after the twelfth.
 * Regions may overlap. `name` is written beside the region where there is room for it, and may be
 * NULL. Marks are copied; dust that is folded has the region around its pile.
 * DGM_ERROR_USAGE: there is no such panel, it shows no view, there is no mark, the view has no such
 * mark, or the colour is below 0. */
DGM_API dgm_status dgm_figure_add_region(dgm_figure *figure, int64_t panel, const uint32_t *marks,
                                         int64_t count, int64_t colour, const char *name);
/* Draws a band across a panel: a translucent strip behind all marks whose y lies between `low` and
 * `high`, in the units of the view's places, and a bar of the same height at its right end with the
 * name beside it, which may be NULL. What lies outside the panel is cut off, and both ends may be
 * infinite. Bands may overlap; bars of those that do stand side by side. The colour is as above.
 * DGM_ERROR_USAGE: there is no such panel, it shows no view, `low` is not below `high`, or the
 * colour is below 0. */
DGM_API dgm_status dgm_figure_add_band(dgm_figure *figure, int64_t panel, double low, double high,
                                       int64_t colour, const char *name);
/* Sets what the legend says of the rings: "they disagree most" unless this is called. The text is
 * copied. */
DGM_API dgm_status dgm_figure_set_ring(dgm_figure *figure, const char *words);
/* A bar of persistence, such as dgm_bar has it. */
typedef struct dgm_figure_bar {
    int dimension;        /* 0: a piece; 1: a loop */
    int64_t birth, death; /* the first step that has it, and the first that has it no longer; a
                             negative death means that it never ends */
} dgm_figure_bar;
/* Adds a panel with bars over `steps` steps; step_names are the texts at the axis, one per step. */
DGM_API dgm_status dgm_figure_add_barcode(dgm_figure *figure, const char *title, int64_t steps,
                                          const char *const *step_names, int64_t bars,
                                          const dgm_figure_bar *bar);
/* Adds a panel with one line per row of a table: `values` has `rows` rows of `steps` numbers. */
DGM_API dgm_status dgm_figure_add_lines(dgm_figure *figure, const char *title, int64_t steps,
                                        const char *const *step_names, int64_t rows,
                                        const char *const *row_names, const double *values);
/* Adds a line of text under the figure, above the parameters that are always there. */
DGM_API dgm_status dgm_figure_add_note(dgm_figure *figure, const char *note);
/* Draws the figure and returns the bytes of a file, which are freed with dgm_figure_bytes_free. It
 * is DGM_ERROR_USAGE to ask for PDF or PNG in a build without Cairo. */
DGM_API dgm_status dgm_figure_render(dgm_context *ctx, const dgm_figure *figure,
                                     dgm_figure_format format, char **bytes, size_t *length);
DGM_API void dgm_figure_bytes_free(dgm_context *ctx, char *bytes);

#endif
