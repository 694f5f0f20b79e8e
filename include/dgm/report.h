/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: a summary in words. Who lies in which cluster and piece, what sets a cluster apart from
 * the rest of the graph, who joins clusters, and who lies on loops and branches.
 *
 * A report is data. dgm_report_text in export.h writes it as text or Markdown.
 *
 * All statistics describe. Clusters were found in the same graph that they are compared with, so a
 * small q says that a difference is large for the number of nodes, and not that an experiment would
 * find it again.
 */
#ifndef DGM_REPORT_H
#define DGM_REPORT_H

#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/profile.h"

/* ---- a set of nodes against all others ---- */

typedef enum dgm_column_kind {
    DGM_COLUMN_CLASS,   /* the nodes of one class, among those that have a label */
    DGM_COLUMN_TEXT,    /* the nodes with one text, among those that have the attribute */
    DGM_COLUMN_FEATURE, /* the nodes at which a column of sparse features is not zero */
    DGM_COLUMN_NUMBER,  /* a numeric attribute */
    DGM_COLUMN_MEASURE, /* a column of dense features */
} dgm_column_kind;

/* How the nodes of a set differ from all others in one column. A column of the first three kinds is
 * a question that a node answers with yes or no. */
typedef struct dgm_difference {
    int kind;          /* a dgm_column_kind */
    const char *name;  /* the attribute; NULL: classes and features */
    const char *value; /* the class or the text; NULL: features and numbers */
    int64_t column;    /* the number of the class, attribute or feature */
    bool seen;         /* the lens was computed from this column, so they cannot but differ */
    int64_t inside;    /* nodes of the set for which the column is known */
    int64_t outside;   /* other nodes for which it is known */
    int64_t yes;       /* questions: nodes of the set that answer yes */
    int64_t yes_outside;
    /* The means of numbers, and the shares of nodes that answer yes. */
    double mean, mean_outside;
    /* Cliff's delta: the chance that a node of the set has the larger value, less the chance that it
     * has the smaller one, against a node outside, from -1 to 1. It is the rank-biserial
     * correlation of Mann and Whitney's U. Of questions it is the difference of the two shares, so
     * that numbers and questions are ranked on one scale. Unlike a difference of means over a
     * standard deviation it needs no normal distribution, is not moved by a few large values, and
     * stays the same if the column is transformed. */
    double delta;
    /* Questions: the logarithm of the odds ratio, with 1/2 added to each of the four counts so that
     * it is finite (Haldane 1956). Numbers: NaN. */
    double log_odds;
    double lift; /* questions: the share of yes in the set over that of all nodes; numbers: NaN */
    /* How often a random set of as many nodes differs at least as much, in either direction.
     * Questions: twice the smaller tail of the hypergeometric distribution, at most 1. Numbers: U's
     * normal approximation with ties and continuity corrected. NaN: not known. */
    double p;
    /* The smallest rate of false discoveries at which this difference is called one, over all
     * comparisons that were made together (Benjamini and Yekutieli 2001, which holds whatever the
     * comparisons have to do with each other: clusters overlap). */
    double q;
} dgm_difference;

/* A comparison prepares the columns of a graph once, in O(n log n) each. It is then asked about any
 * number of sets, in time proportional to what is known of their nodes. Left out are columns in
 * which all nodes are equal, texts and features that fewer than two nodes have, and dense features
 * of more than DGM_COMPARISON_MOST values in all. The graph must outlive it. Many threads may use
 * one comparison, each with a context of its own. */
typedef struct dgm_comparison dgm_comparison;
#define DGM_COMPARISON_MOST (INT64_C(1) << 23)
/* Makes a comparison, which the caller frees. `lens` is what dgm_provenance calls the lens, by which
 * the columns are found that it has seen: attributes ("attr:NAME"), classes ("labels", "gcn") and
 * features ("gcn", "dgi"); NULL: none. */
DGM_API dgm_status dgm_comparison_create(dgm_context *ctx, const dgm_graph *graph, const char *lens,
                                         dgm_comparison **out);
DGM_API void dgm_comparison_free(dgm_comparison *comparison); /* NULL is fine */
/* Returns how many columns are compared. */
DGM_API int64_t dgm_comparison_columns(const dgm_comparison *comparison);
/* Returns how many columns of dense features are left out because they are too many. */
DGM_API int64_t dgm_comparison_left_out(const dgm_comparison *comparison);

typedef struct dgm_differences dgm_differences;
/* Compares a set of nodes with all others in every column. The nodes may come in any order. It is
 * DGM_ERROR_USAGE if a node does not exist or is named twice. If one of the two sides is empty,
 * there are no differences. The caller frees the result before the comparison. */
DGM_API dgm_status dgm_comparison_run(dgm_context *ctx, const dgm_comparison *comparison,
                                      const uint32_t *nodes, int64_t count, dgm_differences **out);
/* Returns the differences, the largest |delta| first; if they are equal, the smaller p, then the
 * order of kinds and columns. */
DGM_API const dgm_difference *dgm_differences_list(const dgm_differences *differences,
                                                   int64_t *count);
DGM_API void dgm_differences_free(dgm_differences *differences); /* NULL is fine */

/* ---- the report ---- */

typedef struct dgm_report_options {
    size_t size;         /* the size of this struct, filled in by the initialiser */
    int64_t members;     /* how many members are named of a cluster or a piece; by default 6 */
    int64_t differences; /* how many differences are told of a cluster; by default 6 */
    int64_t bridges;     /* how many bridges of each kind are told; by default 20 */
    int64_t loops;       /* how many loops and how many branches are told; by default 20 */
    double level;        /* differences with a larger q are not told; by default 0.05 */
} dgm_report_options;
#define DGM_REPORT_OPTIONS_INIT                                                                    \
    { sizeof(dgm_report_options), 6, 6, 20, 20, 0.05 }
static inline void dgm_report_options_init(dgm_report_options *options) {
    const dgm_report_options defaults = DGM_REPORT_OPTIONS_INIT;
    *options = defaults;
}

typedef struct dgm_report_member {
    const char *name;
    size_t length;      /* of the name, which may be any bytes */
    int64_t node;       /* its number in the graph; -1: the summary was read without its graph */
    int64_t neighbours; /* how many nodes its edges lead to in the graph; -1: not known */
    int64_t clusters;   /* how many clusters of the summary it lies in; -1: not known */
} dgm_report_member;

/* Members that stand for many: those with the most neighbours, the smaller number first if they have
 * equally many. If the summary has weights, the members of a cluster with the most weight in it come
 * first. All members, in their order, if these are few. */
typedef struct dgm_report_members {
    int64_t total; /* how many there are, each once */
    int64_t count; /* how many of them are named */
    const dgm_report_member *items;
} dgm_report_members;

typedef struct dgm_report_differences {
    int64_t total; /* how many there are with a q of at most the level */
    int64_t count; /* how many of them are told */
    const dgm_difference *items;
} dgm_report_differences;

typedef struct dgm_report_cluster {
    uint32_t cluster; /* its number in the summary */
    int64_t piece;    /* its place in the list of pieces */
    dgm_report_members members;
    int32_t class_index; /* the most frequent class, the smallest if several are; -1: not known */
    /* That class, against all others. q is NaN unless the class is told below; p is NaN if the
     * cluster has fewer than 3 members. */
    dgm_difference main_class;
    /* Classes that are more frequent than chance, those with the most members first. If the summary
     * was read without its graph, chance is the share of the class among all memberships, and p and
     * q are NaN. */
    dgm_report_differences classes;
    dgm_report_differences differences; /* attributes and features, the largest |delta| first */
} dgm_report_cluster;

/* A connected component of the summary's own edges. */
typedef struct dgm_report_piece {
    int64_t cluster_count;
    const uint32_t *clusters; /* ascending */
    int64_t cycle_rank;       /* the number of independent loops of its edges, also of those that
                                 triangles fill */
    int64_t loops; /* the number of loops of dgm_report_loops that begin in it; -1: not known */
    dgm_report_members members;
    dgm_report_differences classes; /* as those of a cluster; chance is that of all nodes */
} dgm_report_piece;

#define DGM_REPORT_NO_CLUSTER UINT32_MAX
/* A node that joins clusters. Its home is that one of its clusters in which it has the most neighbours;
 * of equals the larger one, then the one with the smaller number. */
typedef struct dgm_report_bridge {
    dgm_report_member member;
    const uint32_t *clusters; /* its clusters, ascending; there are member.clusters of them */
    /* By this bridges are ranked: the number of neighbours of the node, times the sum over the other
     * clusters of how many of its edges cross to nodes at home there times sqrt(n m / e), where n and m
     * nodes are at home in the two clusters and e edges cross from the first to the second. It is
     * large where much hangs on few. In a border it is the sum alone, over the clusters of the other
     * class. An edge crosses if its other end does not lie in the home of the node.
     *
     * Of a summary that was read without its graph the edges are not known, and where clusters overlap
     * far none may cross. There a bridge is a node in several clusters, and the score is the sum, over
     * all pairs of these, of the nodes of the smaller one that are not in the other, divided by the
     * number of nodes in both.
     *
     * If two are equal, the one with more neighbours comes first, then the smaller number. */
    double score;
    int64_t alone;  /* if no edge crosses: how many pairs of its clusters, of which none lies inside
                       the other, share no other node; otherwise 0 */
    uint32_t home;  /* the home of the node; DGM_REPORT_NO_CLUSTER: no edge crosses */
    uint32_t other; /* the cluster that adds most to the score, the smallest of equals */
    int64_t
        across; /* how many of its edges cross, in a border to clusters of the other class; -1: no
                       edge does */
} dgm_report_bridge;

/* Nodes that join a cluster mostly of one class with a cluster mostly of another: their home is of one
 * of the classes, and edges cross to clusters of the other. If no edge of the graph crosses, they lie
 * in clusters of both. */
typedef struct dgm_report_border {
    int32_t low, high; /* the classes */
    const char *low_name, *high_name;
    int64_t edges; /* edges of the graph between nodes of the two classes; -1: not known */
    int64_t total; /* how many such nodes there are */
    int64_t count; /* how many of them are told */
    const dgm_report_bridge *bridges; /* ranked by the scores */
} dgm_report_border;

/* Edges of the graph between two pieces of the summary: no piece holds both of their ends. */
typedef struct dgm_report_crossing {
    int64_t low, high; /* places in the list of pieces */
    int64_t edges;     /* how many edges lead from one to the other */
    /* By this crossings are ranked: the number of members of the smaller piece over the number of
     * edges, which is large where few edges hold much. If two are equal, the earlier pieces come
     * first. */
    double score;
    int64_t count; /* how many edges are told: those whose ends have the most neighbours together */
    const dgm_report_member (*ends)[2]; /* the first end lies in `low` */
} dgm_report_crossing;

/* A loop of the nerve that no triangles fill. */
typedef struct dgm_report_loop {
    int64_t cluster_count;
    const uint32_t *clusters; /* in order around the loop, from the smallest to its smaller side */
    dgm_report_members members;
} dgm_report_loop;

/* A part of the summary that hangs on the rest by one cluster and has no loop, not even a triangle:
 * a tree that hangs on the loops of its piece; or, in a piece without loops, a path from an end up to
 * the first fork. If all its nodes lie in the root as well, it is no branch. */
typedef struct dgm_report_branch {
    uint32_t root;         /* the cluster where it hangs, which is not part of it;
                              DGM_REPORT_NO_CLUSTER: it is a whole piece, a path without a fork */
    int64_t cluster_count; /* ascending by distance from the root */
    const uint32_t *clusters;
    int64_t end_count; /* clusters with one neighbour */
    const uint32_t *ends;
    dgm_report_members members;
} dgm_report_branch;

/* A part of the report, and how much of it there is. */
typedef struct dgm_report_totals {
    int64_t clusters, pieces;
    int64_t bridges;      /* nodes with edges that cross; -1: not known */
    bool bridges_shared;  /* no edge is known to cross: bridges are nodes in several clusters */
    int64_t bridges_told; /* how many of them the report has */
    int64_t borders;      /* pairs of classes with such nodes between them */
    int64_t crossings;    /* pairs of pieces with edges between them; -1: not known */
    int64_t crossings_told;
    int64_t crossing_edges; /* edges of the graph between pieces */
    int64_t loops;          /* -1: the members are not known */
    int64_t loops_told;
    bool loops_short; /* the loops are as short as a search from every cluster finds them */
    int64_t branches;
    int64_t branches_told;
    int64_t tests;    /* comparisons of clusters with the rest in attributes and features */
    int64_t columns;  /* attributes, texts and features that were compared */
    int64_t left_out; /* columns of dense features that were not, because they are too many */
} dgm_report_totals;

typedef struct dgm_report dgm_report;
/* Makes a report, which the caller frees. It needs none of these afterwards. `graph` may be NULL if
 * the summary was read without it: then the report tells what the summary and its profile know.
 * `profile` may be NULL; it is then made, if there is a graph. `options` NULL: defaults. It is
 * DGM_ERROR_USAGE if graph or profile are not those of the summary. */
DGM_API dgm_status dgm_report_create(dgm_context *ctx, const dgm_summary *summary,
                                     const dgm_graph *graph, const dgm_profile *profile,
                                     const dgm_report_options *options, dgm_report **out);
DGM_API void dgm_report_free(dgm_report *report); /* NULL is fine */

/* Everything that is returned belongs to the report. Lists have as many entries as the totals say. */
DGM_API dgm_report_totals dgm_report_get_totals(const dgm_report *report);
/* All clusters, the largest first; the smaller number first if they are equally large. */
DGM_API const dgm_report_cluster *dgm_report_clusters(const dgm_report *report);
/* All pieces, the one with the most members first, then the one with the smallest cluster. */
DGM_API const dgm_report_piece *dgm_report_pieces(const dgm_report *report);
DGM_API const dgm_report_bridge *dgm_report_bridges(const dgm_report *report);
/* The border with the most nodes first, then the smaller classes. */
DGM_API const dgm_report_border *dgm_report_borders(const dgm_report *report);
DGM_API const dgm_report_crossing *dgm_report_crossings(const dgm_report *report);
/* The loop with the most clusters first, then the one with the smaller clusters. If they are too many
 * to be followed, there are loops of which none is told. */
DGM_API const dgm_report_loop *dgm_report_loops(const dgm_report *report);
/* The branch with the most members first, then the smaller root. */
DGM_API const dgm_report_branch *dgm_report_branches(const dgm_report *report);
/* Returns the number and the names of the classes, as dgm_profile_class_name does. */
DGM_API int32_t dgm_report_classes(const dgm_report *report);
DGM_API const char *dgm_report_class_name(const dgm_report *report, int32_t class_index);

#endif
