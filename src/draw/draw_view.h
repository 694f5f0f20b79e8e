/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a view: what a picture shows. It is a summary with its profile and a place for each
 * cluster, or a whole graph, or points; the marks of the last two are single nodes.
 *
 * A view of a summary borrows the clusters, edges and classes of the summary. A view of a graph or
 * of points has its own, and `own` holds the pointers that it frees.
 */
#ifndef DRAW_VIEW_H
#define DRAW_VIEW_H

#include "dgm/draw.h"

#include "base_memory.h"
#include "base_text.h"
#include "mapper_dust.h"
#include "mapper_profile.h"
#include "mapper_words.h"

struct dgm_view {
    dgm_allocator allocator;
    dgm_view_kind kind;

    const dgm_summary *summary; /* the summary that is shown; NULL: a graph or points */
    const dgm_profile *profile; /* never NULL; for a graph or points that of single nodes */
    const dgm_graph *graph;     /* of the summary, for the names of clusters; NULL: not known */

    int64_t marks;
    int64_t *size;   /* the number of members of each mark; 1 for nodes and points */
    double *weighed; /* the sum of the weights of the members of each mark; NULL: they have none */
    char **names;    /* the names of nodes and points; NULL: numbers, or it is a summary */
    int64_t name_base; /* the first of these numbers */

    double *x, *y, *radius; /* the places; NULL: there are none yet */
    int layout;             /* the dgm_layout that found them; -1: they came from elsewhere */
    int64_t layout_seed;    /* the seed of that layout */
    /* If the layout was left out because it costs too much, the number of its operations and the
     * number that was allowed; otherwise 0. */
    double layout_operations, layout_budget;

    /* Of the clusters of a pile of dust the first alone has a mark, which stands for all of them
     * (mapper_dust.h). NULL: every cluster has a mark of its own. */
    dgmi_mapper_dust *dust;
    int64_t dust_asked;  /* dust of fewer nodes was looked for, and perhaps none found */
    bool dust_dropped;   /* piles have no marks either */
    int64_t largest;     /* with dust: the area of the largest cluster */
    double *pile_weight; /* the sum of the weights of each pile; NULL: members have none */
    int64_t dust_links;  /* the number of links of piles, which come last and have no weight */
    int64_t placed_dust; /* the `least` of the dust that was folded when places were found; 0: none
                            was */

    int64_t dimension;       /* the number of columns of the lens; 0: there is none (graphs) */
    const double *lens;      /* the means of the members, `dimension` numbers for each mark */
    char *const *axes;       /* the names of the columns */
    char *const *transforms; /* how each column was transformed: "none", "rank", "log, rank"; NULL:
                                none was */

    int64_t link_count;
    const dgm_summary_edge *links; /* in a graph, weights are in 0 .. 1 and counts are -1 */
    bool structural;               /* links are graph edges between clusters, not shared members */

    /* For the legend and the line of parameters; no text is NULL. */
    const char *source;    /* the name of the graph: "cora" */
    const char *lens_name; /* "dgi+tsne" */
    char *parameters;      /* "dgi+tsne lens · n = 20, 20 · g = 0.2 · structural, ..." */
    int64_t nodes, edges;  /* the size of the graph */
    int64_t covered;       /* the number of nodes that are in a mark */
    int64_t seed;

    /* Those of the pointers above that the view owns. */
    struct {
        dgm_profile *profile;
        double *lens;
        char **axes;
        dgm_summary_edge *links;
        char *source;
    } own;
};

/* Makes a view with that many marks. The caller fills in `size` and the rest. */
dgm_status dgmi_draw_view_create(dgm_context *ctx, dgm_view_kind kind, int64_t marks,
                                 dgm_view **out);
/* These give a view what it owns: an empty profile, links, a lens with columns that have no names
 * yet, and the name of the graph. Each may be called once. */
dgm_status dgmi_draw_view_own_profile(dgm_context *ctx, dgm_view *view);
dgm_status dgmi_draw_view_own_links(dgm_context *ctx, dgm_view *view, int64_t links);
dgm_status dgmi_draw_view_own_lens(dgm_context *ctx, dgm_view *view, int64_t dimension);
dgm_status dgmi_draw_view_own_source(dgm_context *ctx, dgm_view *view, const char *source);
/* These return memory that is freed with the view, or NULL after an error. The first is zeroed. */
void *dgmi_draw_view_alloc(dgm_context *ctx, const dgm_view *view, int64_t count, size_t size);
char *dgmi_draw_view_strdup(dgm_context *ctx, const dgm_view *view, const char *text);
/* Replaces a text that the view owns by a copy of `with`; NULL gives "". */
dgm_status dgmi_draw_view_set_text(dgm_context *ctx, const dgm_view *view, char **text,
                                   const char *with);

/* Returns the name of a column with its transforms: "pagerank", "rank of pagerank", "rank of log
 * pagerank". It belongs to the view or is scratch memory; NULL after an error. */
const char *dgmi_draw_view_axis(dgm_context *ctx, const dgm_view *view, int64_t axis);
bool dgmi_draw_view_transformed(const dgm_view *view, int64_t axis);
/* Writes a count with commas, "2,708", and returns `buffer`. */
const char *dgmi_draw_view_count(int64_t count, char buffer[DGMI_NUMBER_SPACE]);
/* Sets view->parameters. lens_name, transforms, nodes, covered and seed must be set before. */
dgm_status dgmi_draw_view_describe(dgm_context *ctx, dgm_view *view,
                                   const dgm_mapper_options *options);

/* Takes anew what a view of a summary tells of where that comes from, after this was changed. */
dgm_status dgmi_draw_view_retell(dgm_context *ctx, dgm_view *view);

/* Appends what a view of a summary shows in plain words: what was found in the graph, and what discs
 * and lines are. */
void dgmi_draw_view_say_plainly(const dgm_view *view, dgmi_text *text);
/* Appends a sentence such as "Mistakes: 74 of 920 nodes in clusters (8.0%), 60 of 80 left out
 * (75%). Test nodes: ...", or nothing if mistakes are not known. */
void dgmi_draw_view_say_mistakes(const dgm_view *view, dgmi_text *text);

/* ---- draw_dust.c ---- */

/* Returns whether the mark shows its own cluster alone, as every mark does without dust. */
static inline bool dgmi_draw_view_is_plain(const dgm_view *view, int64_t mark) {
    return !view->dust || view->dust->pile[mark] == DGMI_MAPPER_NO_PILE;
}
/* Returns the pile that the mark stands for, or NULL. */
static inline const dgmi_mapper_pile *dgmi_draw_view_pile(const dgm_view *view, int64_t mark) {
    const dgmi_mapper_pile *pile =
        dgmi_draw_view_is_plain(view, mark) ? NULL : &view->dust->piles[view->dust->pile[mark]];
    return pile && pile->first == mark ? pile : NULL;
}
/* Returns whether the mark is drawn. */
static inline bool dgmi_draw_view_is_drawn(const dgm_view *view, int64_t mark) {
    return dgmi_draw_view_is_plain(view, mark) ||
           (!view->dust_dropped && dgmi_draw_view_pile(view, mark));
}
/* Areas are numbers of nodes, or where nodes have weights so many parts of one. */
static inline int64_t dgmi_draw_view_parts(const dgm_view *view) {
    return view->weighed ? 4096 : 1;
}
/* Returns the area of a cluster. */
static inline int64_t dgmi_draw_view_cluster_area(const dgm_view *view, int64_t mark) {
    return view->weighed ? (int64_t)(view->weighed[mark] * 4096 + 0.5) : view->size[mark];
}
/* Finds the areas of all clusters: those of the view, or scratch memory. */
dgm_status dgmi_draw_view_areas(dgm_context *ctx, const dgm_view *view, const int64_t **out);
/* Returns the area that a pile would have if it were a cluster. */
static inline int64_t dgmi_draw_view_pile_area(const dgm_view *view, const dgmi_mapper_pile *pile) {
    return view->pile_weight ? (int64_t)(view->pile_weight[pile - view->dust->piles] * 4096 + 0.5)
                             : pile->nodes;
}
/* Returns the area of the mark. A pile is never drawn larger than the largest cluster, for it is not
 * what the figure is about. */
static inline int64_t dgmi_draw_view_area(const dgm_view *view, int64_t mark) {
    const dgmi_mapper_pile *pile = dgmi_draw_view_pile(view, mark);
    int64_t area =
        pile ? dgmi_draw_view_pile_area(view, pile) : dgmi_draw_view_cluster_area(view, mark);
    return pile && area > view->largest ? view->largest : area;
}
/* Returns whether a pile is joined with no cluster. */
static inline bool dgmi_draw_dust_is_apart(const dgmi_mapper_pile *pile) {
    return pile->kind == DGMI_MAPPER_PILE_NODES || pile->kind == DGMI_MAPPER_PILE_PIECES;
}
/* Appends what a pile is: "37 single nodes", "12 small pieces, 31 nodes". */
void dgmi_draw_dust_say(const dgmi_mapper_pile *pile, dgmi_text *text);
/* Appends how much dust is folded or not drawn, for the line under a figure. */
void dgmi_draw_dust_say_all(const dgm_view *view, dgmi_text *text);
/* The same of several views, of which these have the least and the most dust. */
void dgmi_draw_dust_say_range(const dgm_view *least, const dgm_view *most, int64_t views,
                              dgmi_text *text);
/* Folds clusters of fewer than `least` nodes that are dust; 0: none. Places that were found for
 * other marks are forgotten. */
dgm_status dgmi_draw_dust_fold(dgm_context *ctx, dgm_view *view, int64_t least);
/* Folds dust as options say that were taken. `stays`: the places will be kept if they can. */
dgm_status dgmi_draw_dust_obey(dgm_context *ctx, dgm_view *view, const dgm_layout_options *options,
                               bool stays);

/* The marks of a view with folded dust, one after another: what a layout sees. Scratch memory.
 * Clusters come first, then the piles that hang on one of them, whose links come last, too, and
 * then those that stand apart, which the layout does not see. */
typedef struct dgmi_draw_shell {
    dgm_view view;      /* its marks, sizes, lens and links; it is not freed */
    int64_t marks;      /* the number of marks, with those that stand apart */
    int64_t core;       /* the number of marks before the piles that hang on one of them */
    int64_t core_links; /* the number of links between these */
    double *start;      /* x and y of each mark; NULL: none were given */
    uint32_t *mark_of;  /* the mark in the shell of each cluster */
    uint32_t *host;     /* for each mark from `core` to view.marks, the mark that it hangs on */
} dgmi_draw_shell;
dgm_status dgmi_draw_dust_shell(dgm_context *ctx, const dgm_view *view, const double *start,
                                dgmi_draw_shell *out);

/* Finds the connected pieces of the view, in scratch memory. */
struct dgmi_layout_parts;
dgm_status dgmi_draw_view_take_apart(dgm_context *ctx, const dgm_view *view,
                                     struct dgmi_layout_parts *out);
/* Finds whether a layout costs no more operations than the summary of the graph did; 2e8 are always
 * allowed. If it costs more, the view keeps both numbers. */
dgm_status dgmi_draw_view_weigh_layout(dgm_context *ctx, dgm_view *view,
                                       const dgm_layout_options *options, bool *worth);

#endif
