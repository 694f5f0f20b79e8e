/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture shows: a summary with its profile and a place for each cluster; or a whole graph,
 * or points, whose marks are single nodes.
 *
 * A view of a summary borrows clusters, edges and classes. A view of a graph or of points owns what
 * stands in their place; `own` says so.
 */
#ifndef DRAW_VIEW_H
#define DRAW_VIEW_H

#include "dgm/draw.h"

#include "base_memory.h"
#include "base_text.h"
#include "mapper_profile.h"
#include "mapper_words.h"

struct dgm_view {
    dgm_allocator allocator;
    dgm_view_kind kind;

    const dgm_summary *summary; /* of a summary; NULL of graphs and points */
    const dgm_profile *profile; /* never NULL; of single nodes where these are shown */

    int64_t marks;
    int64_t *size; /* members; 1 for nodes and points */
    char **names;  /* of nodes and points; NULL: numbers from name_base, and in summaries none */
    int64_t name_base;

    double *x, *y, *radius; /* NULL: not laid out */
    int layout;             /* dgm_layout that gave the places; -1: they came from elsewhere */
    int64_t layout_seed;    /* likewise */
    /* where the layout was left out because it costs too much: its operations, and how many were
     * allowed; 0: it was not */
    double layout_operations, layout_budget;

    int64_t dimension;       /* of the lens; 0: there is none (graphs) */
    const double *lens;      /* marks * dimension: means of the members */
    char *const *axes;       /* names of its columns */
    char *const *transforms; /* what was done to each since its lens made it: "none", "rank", "log,
                                rank"; NULL: nothing */

    int64_t link_count;
    const dgm_summary_edge *links; /* of a graph weights are in 0 .. 1, and counts are -1 */
    bool structural;               /* links are graph edges between clusters, not shared members */

    /* For legend and parameter line; no NULL among the texts. */
    const char *source;    /* "cora" */
    const char *lens_name; /* "dgi+tsne" */
    char *parameters;      /* "dgi+tsne lens · n = 20, 20 · g = 0.2 · structural, ..." */
    int64_t nodes, edges;  /* of the graph */
    int64_t covered;       /* nodes in some mark */
    int64_t seed;

    /* What is owned of the above, where it is not borrowed from a summary. */
    struct {
        dgm_profile *profile;
        double *lens;
        char **axes;
        dgm_summary_edge *links;
        char *source;
    } own;
};

/* A view of so many marks of which nothing is known but `size`, which the caller fills. */
dgm_status dgmi_draw_view_create(dgm_context *ctx, dgm_view_kind kind, int64_t marks,
                                 dgm_view **out);
/* Gives the view what it owns: a profile that knows nothing yet, links, a lens of so many axes
 * without names, the name of the graph. Each is called once at most. */
dgm_status dgmi_draw_view_own_profile(dgm_context *ctx, dgm_view *view);
dgm_status dgmi_draw_view_own_links(dgm_context *ctx, dgm_view *view, int64_t links);
dgm_status dgmi_draw_view_own_lens(dgm_context *ctx, dgm_view *view, int64_t dimension);
dgm_status dgmi_draw_view_own_source(dgm_context *ctx, dgm_view *view, const char *source);
/* Owned by the view; NULL with the error recorded. The memory is zeroed. */
void *dgmi_draw_view_alloc(dgm_context *ctx, const dgm_view *view, int64_t count, size_t size);
char *dgmi_draw_view_strdup(dgm_context *ctx, const dgm_view *view, const char *text);
/* Puts a copy in the place of an owned text; NULL is "". */
dgm_status dgmi_draw_view_set_text(dgm_context *ctx, const dgm_view *view, char **text,
                                   const char *with);

/* The axis as its values are, whatever was done to them: "pagerank", "rank of pagerank", "rank of
 * log pagerank". The name itself or scratch memory; NULL with the error recorded. */
const char *dgmi_draw_view_axis(dgm_context *ctx, const dgm_view *view, int64_t axis);
bool dgmi_draw_view_transformed(const dgm_view *view, int64_t axis);
/* 2,708 */
const char *dgmi_draw_view_count(int64_t count, char buffer[DGMI_NUMBER_SPACE]);
/* Sets view->parameters; lens_name, transforms, nodes, covered and seed are set before. */
dgm_status dgmi_draw_view_describe(dgm_context *ctx, dgm_view *view,
                                   const dgm_mapper_options *options);

/* "Mistakes: 74 of 920 nodes in clusters (8.0%), 60 of 80 left out (75%). Test nodes: ...", or
 * nothing where they are not known. */
void dgmi_draw_view_say_mistakes(const dgm_view *view, dgmi_text *text);

/* The pieces that the view's links make; scratch memory. */
struct dgmi_layout_parts;
dgm_status dgmi_draw_view_take_apart(dgm_context *ctx, const dgm_view *view,
                                     struct dgmi_layout_parts *out);
/* Whether a layout costs no more operations than the summary of the view's graph did (2e8 are
 * always allowed). Where it does, the view says so. */
dgm_status dgmi_draw_view_weigh_layout(dgm_context *ctx, dgm_view *view,
                                       const dgm_layout_options *options, bool *worth);

#endif
