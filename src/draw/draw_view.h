/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture needs to know: marks with members, places and values, and the links between them.
 *
 * Made from a summary, a graph, a table of points, or a saved summary (export_read.c). All arrays
 * are owned by the view and may be NULL where they say so.
 */
#ifndef DRAW_VIEW_H
#define DRAW_VIEW_H

#include "dgm/draw.h"

#include "base_memory.h"
#include "base_text.h"

/* How often values occur among the members of each mark: those of mark m are at
 * [offsets[m] .. offsets[m + 1]), ascending by value. offsets NULL: not known. */
typedef struct dgmi_counts {
    int64_t *offsets;
    int32_t *values; /* classes, or indices into an attribute's texts */
    int64_t *counts;
} dgmi_counts;

/* Members that stand out, by their names: those of mark m are at [offsets[m] .. offsets[m + 1]).
 * offsets NULL: not known. */
enum { DGMI_VIEW_TOPS = 3 };
typedef struct dgmi_tops {
    int64_t *offsets;
    char **names; /* room for DGMI_VIEW_TOPS of every mark */
} dgmi_tops;

/* Members of one class that were taken for another. */
typedef struct dgmi_mixup {
    int32_t label, prediction;
    int64_t count;
} dgmi_mixup;

typedef struct dgmi_view_link {
    uint32_t source, target; /* source < target */
    double weight;           /* in 0 .. 1 */
    int64_t shared, links;   /* of a summary; -1: not known */
} dgmi_view_link;

/* A node attribute seen over the members: the mean of a number, the counts of texts. */
typedef struct dgmi_view_attribute {
    char *name;
    dgm_attribute_kind kind;
    double *means;      /* NUMBER: of the members that have one; NaN: none has */
    dgmi_counts counts; /* TEXT */
    char **texts;       /* TEXT: the different values */
    int64_t text_count;
} dgmi_view_attribute;

struct dgm_view {
    dgm_allocator allocator;
    dgm_view_kind kind;

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

    int64_t dimension; /* of the lens; 0: there is none (graphs) */
    double *lens;      /* marks * dimension: means of the members */
    char **axes;       /* names of its columns */
    char **transforms; /* what was done to each since its lens made it: "none", "rank", "log, rank";
                          NULL: nothing */

    int32_t classes;    /* of labels and predictions; 0: none */
    char **class_names; /* one a class, never NULL inside (numbers where there are no names) */
    dgmi_counts labels, predictions;
    int64_t *judged;   /* members with a label and a prediction; NULL: no predictions */
    int64_t *mistakes; /* of those, the ones that differ; NULL likewise */
    double *entropy;   /* mean entropy of the members' predicted probabilities, or of the labels of
                          the mark where there are none, over log(classes): 0 .. 1; NULL: neither */
    bool entropy_of_labels;
    int64_t *mixup_offsets; /* marks + 1; NULL: not known */
    dgmi_mixup *mixups;     /* the most frequent of each mark, at most DGMI_VIEW_TOPS */

    /* Of a summary. A mark of no more than DGMI_VIEW_TOPS members has all of them in `hubs`. */
    dgmi_tops hubs;              /* members with the most neighbours, of equals the first */
    dgmi_tops peaks;             /* members where a lens of one axis is highest */
    dgm_summary_mistakes ledger; /* mistakes of its nodes and of those left out */

    int64_t attribute_count;
    dgmi_view_attribute *attributes;

    int64_t link_count;
    dgmi_view_link *links;
    bool structural; /* links are graph edges between clusters, not shared members */

    /* For legend and parameter line; no NULL among the texts. */
    char *source;     /* "cora" */
    char *lens_name;  /* "dgi+tsne" */
    char *parameters; /* "dgi+tsne lens · n = 20, 20 · g = 0.2 · structural, eps 0.05 · ..." */
    char *command;
    int64_t nodes, edges; /* of the graph */
    int64_t covered;      /* nodes in some mark */
    int64_t seed;
};

/* An empty view of that many marks and links with `size` and `links` allocated; filled by the
 * caller. */
dgm_status dgmi_view_create(dgm_context *ctx, dgm_view_kind kind, int64_t marks, int64_t links,
                            dgm_view **out);
/* Owned by the view; NULL with the error recorded. The memory is zeroed. */
void *dgmi_view_alloc(dgm_context *ctx, const dgm_view *view, int64_t count, size_t size);
char *dgmi_view_strdup(dgm_context *ctx, const dgm_view *view, const char *text);
/* Puts a copy in the place of an owned text; NULL is "". */
dgm_status dgmi_view_set_text(dgm_context *ctx, const dgm_view *view, char **text,
                              const char *with);

/* The members of each mark: those of mark m are at [offsets[m] .. offsets[m + 1]). offsets NULL:
 * mark m is node m alone. */
typedef struct dgmi_view_members {
    const int64_t *offsets;
    const uint32_t *nodes;
} dgmi_view_members;
/* Everything that the graph and the predictions (or NULL) say about the members: classes, mistakes,
 * entropy, attributes. */
dgm_status dgmi_view_look(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                          const dgm_predictions *predictions, dgmi_view_members members);
/* Which classes were taken for which, and the members that stand out (draw_view_tops.c). Labels and
 * predictions are as the view numbers them, one a node, -1: none. */
dgm_status dgmi_view_mix_up(dgm_context *ctx, dgm_view *view, dgmi_view_members members,
                            const int32_t *labels, const int32_t *predictions);
dgm_status dgmi_view_stand_out(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                               dgmi_view_members members, const uint32_t *peaks);
/* Room for the names, none of which is there yet; offsets are zeros. */
dgm_status dgmi_tops_open(dgm_context *ctx, const dgm_view *view, dgmi_tops *tops);
/* Entropy of the labels of a summary's marks, where nothing better is known. */
dgm_status dgmi_view_entropy_of_labels(dgm_context *ctx, dgm_view *view);
/* Names of nodes, where they have any. */
dgm_status dgmi_view_name_marks(dgm_context *ctx, dgm_view *view, const dgm_graph *graph);

/* How a summary was made, in words, as JSON and the parameter line have them. */
typedef struct dgmi_view_words {
    const char *cover, *rule, *cluster, *edges, *strength;
    double eps;
    int64_t min_size, min_component;
    int64_t axes; /* entries of `intervals`, at most DGM_MAX_AXES */
    int64_t intervals[DGM_MAX_AXES];
    int64_t overlaps; /* entries of `overlap` */
    double overlap[DGM_MAX_AXES];
} dgmi_view_words;
/* dimension: columns of the lens. */
void dgmi_view_words_of(const dgm_mapper_options *options, int64_t dimension, dgmi_view_words *out);
/* The axis as its values are, whatever was done to them: "pagerank", "rank of pagerank", "rank of
 * log pagerank". The name itself or scratch memory; NULL with the error recorded. */
const char *dgmi_view_axis(dgm_context *ctx, const dgm_view *view, int64_t axis);
bool dgmi_view_transformed(const dgm_view *view, int64_t axis);
/* 2,708 */
const char *dgmi_view_count(int64_t count, char buffer[DGMI_NUMBER_SPACE]);
/* Sets view->parameters; lens_name, transforms, nodes, covered and seed are set before. */
dgm_status dgmi_view_describe(dgm_context *ctx, dgm_view *view, const dgmi_view_words *words);

/* "Mistakes: 74 of 920 nodes in clusters (8.0%), 60 of 80 left out (75%). Test nodes: ...", or
 * nothing where they are not known. */
void dgmi_view_say_mistakes(const dgm_view *view, dgmi_text *text);

/* Whether a layout costs no more operations than the summary of the view's graph did (2e8 are
 * always allowed). Where it does, the view says so. */
dgm_status dgmi_view_weigh_layout(dgm_context *ctx, dgm_view *view,
                                  const dgm_layout_options *options, bool *worth);

/* Total of each class over all marks (a member of several marks counts in each); `totals` holds
 * view->classes entries. */
void dgmi_counts_totals(const dgmi_counts *counts, int64_t marks, int64_t classes, int64_t *totals);
/* The most frequent value of a mark (the smallest of equals), or -1; *share: its part of the
 * counted members. */
int32_t dgmi_counts_majority(const dgmi_counts *counts, int64_t mark, double *share);

#endif
