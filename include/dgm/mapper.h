/* SPDX-License-Identifier: Apache-2.0 */
/* Mapper: lens, cover, pull-back, clusters, nerve.
 *
 *   Singh, Memoli, Carlsson (2007); Bodnar, Cangea, Lio: Deep Graph Mapper (2020), section 3 and
 * appendices A, B.
 *
 * The cover's cells are pulled back along the lens; each preimage splits into clusters; clusters
 * that share nodes (nerve) or graph edges (structural) are joined. Nodes appear in as many clusters
 * as cells contain them.
 */
#ifndef DGM_MAPPER_H
#define DGM_MAPPER_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"

typedef enum dgm_cover {
    DGM_COVER_UNIFORM,   /* equal intervals on every axis */
    DGM_COVER_QUANTILE,  /* the uniform rule on mid-ranks: equal counts, ties together */
    DGM_COVER_INTERVALS, /* given by the user, 1-D */
    DGM_COVER_SIMPLEX,   /* column k of the lens is cell k: {x : x_k > 0} */
} dgm_cover;

/* How intervals overlap and which ends they own. */
typedef enum dgm_rule {
    DGM_RULE_GAIN,   /* overlap / length, inside the range, half-open, the last closed */
    DGM_RULE_DGM,    /* the paper's own code */
    DGM_RULE_KEPLER, /* KeplerMapper */
    DGM_RULE_GIOTTO, /* giotto-tda */
    DGM_RULE_GUDHI,  /* GUDHI */
    DGM_RULE_MOG,    /* Mapper on Graphs */
} dgm_rule;

typedef enum dgm_clustering {
    DGM_CLUSTER_COMPONENTS, /* connected components of the induced subgraph */
    DGM_CLUSTER_NONE,       /* the whole preimage */
    DGM_CLUSTER_LABELPROP,  /* label propagation inside the preimage */
    DGM_CLUSTER_LOUVAIN,    /* modularity inside the preimage */
} dgm_clustering;

typedef enum dgm_edges {
    DGM_EDGES_NERVE,      /* clusters that share a node */
    DGM_EDGES_STRUCTURAL, /* clusters with graph edges between them (SDGM) */
} dgm_edges;

typedef enum dgm_strength {
    DGM_STRENGTH_LINKS, /* graph edges between A and B, each once */
    DGM_STRENGTH_SAS,   /* entry of S'AS with self-loops, S of zeros and ones */
} dgm_strength;

typedef struct dgm_interval {
    double low,
        high; /* [low, high); the highest interval owns its upper end; infinities are fine */
} dgm_interval;

typedef struct dgm_mapper_options {
    size_t size;               /* of the struct, filled in by its initialiser */
    int cover;                 /* dgm_cover */
    const dgm_interval *given; /* COVER_INTERVALS: the cells, borrowed during the call */
    int64_t given_count;
    int64_t
        intervals[DGM_MAX_AXES]; /* per axis; DGM_SAME (or 0) after the first: as the axis before */
    double overlap[DGM_MAX_AXES]; /* per axis; DGM_SAME after the first: as the axis before */
    int rule;                     /* dgm_rule */
    int cluster;                  /* dgm_clustering */
    int edges;                    /* dgm_edges */
    int strength;                 /* dgm_strength */
    double eps;                   /* drop structural edges of weight < eps */
    int64_t min_size;             /* drop clusters of fewer members */
    int64_t min_component;        /* drop components of the summary of fewer members in all */
    int64_t seed;                 /* labelprop, louvain */
} dgm_mapper_options;

#define DGM_MAPPER_SAME_15 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
#define DGM_MAPPER_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(dgm_mapper_options), DGM_COVER_UNIFORM, NULL, 0, {10, DGM_MAPPER_SAME_15},          \
            {0.2, DGM_MAPPER_SAME_15}, DGM_RULE_GAIN, DGM_CLUSTER_COMPONENTS, DGM_EDGES_NERVE,     \
            DGM_STRENGTH_LINKS, 0.0, 1, 0, 1                                                       \
    }
DGM_API void dgm_mapper_options_init(dgm_mapper_options *options);
DGM_API const dgm_option_table *dgm_mapper_option_table(void);
/* Reads "uniform", "quantile", "simplex" or "intervals:a..b,c..d" into options. The interval list
 * is written to `given`, which holds up to `capacity` of them; DGM_ERROR_USAGE if there are more or
 * the text is wrong. */
DGM_API dgm_status dgm_cover_parse(dgm_context *ctx, const char *text, dgm_mapper_options *options,
                                   dgm_interval *given, int64_t capacity);
/* Checks everything that needs no graph: bounds, the rule's own bounds of the overlap, given
 * intervals. */
DGM_API dgm_status dgm_mapper_check(dgm_context *ctx, const dgm_mapper_options *options);

typedef struct dgm_summary dgm_summary;

/* How a summary came about, beyond the options of Mapper. */
typedef struct dgm_provenance {
    const char *lens;    /* "pagerank", "degree+file" */
    const char *command; /* without --threads, --quiet and -o; NULL: "" */
    int64_t seed;
    /* Instruction set and OpenBLAS kernel, which the last digits of networks, eigenvectors and
     * reductions depend on; NULL where no stage used them: then the bytes are the same anywhere. */
    const char *kernels, *blas;
    const char *version; /* of the program that made the summary; NULL: this one */
} dgm_provenance;

/* Mapper of one graph through one lens, which has a row for every node and any number of columns.
 * Both are borrowed and must not change. The mapper keeps its stages: the cells of the nodes, their
 * clusters, where clusters meet. A summary with other options begins with the first stage that
 * these change, and is the same to the byte as one that was made from the start. */
typedef struct dgm_mapper dgm_mapper;
DGM_API dgm_status dgm_mapper_create(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_matrix *lens, dgm_mapper **out);
DGM_API void dgm_mapper_free(dgm_mapper *mapper); /* NULL is fine */
/* options NULL: defaults. The summary is the caller's and outlives the mapper. */
DGM_API dgm_status dgm_mapper_summarise(dgm_context *ctx, dgm_mapper *mapper,
                                        const dgm_mapper_options *options, dgm_summary **out);
/* All of it in one call, for one summary. */
DGM_API dgm_status dgm_mapper_run(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgm_summary **out);
DGM_API void dgm_summary_free(dgm_summary *summary); /* NULL is fine */
/* Says how the summary came about; files and figures repeat it. Without it the lens and the command
 * have no name, and the seed is Mapper's. The texts are copied. */
DGM_API dgm_status dgm_summary_set_provenance(dgm_context *ctx, dgm_summary *summary,
                                              const dgm_provenance *provenance);

/* ---- looking at a summary: everything returned is borrowed ----
 *
 * A summary comes from dgm_mapper_run, or from a file (dgm_summary_read in export.h), and answers
 * the same calls either way. A file does not hold the peaks (NULL) and the inner edges of an
 * intersection (-1). It has the members by name: their node numbers are known if the graph was
 * given to the reader, otherwise `members` is NULL and dgm_summary_member_name has the names. What
 * else a file of another hand leaves out is unknown: counts are -1, numbers are NaN, and the cells
 * have no axes.
 */

typedef struct dgm_summary_clusters {
    int64_t count;
    int64_t
        axes; /* coordinates of a cell: columns of the lens, or 1 for given and simplex covers */
    const int32_t *cells;    /* count * axes: 0-based cell coordinates */
    const int64_t *offsets;  /* count + 1, into members */
    const uint32_t *members; /* node ids, ascending inside a cluster; NULL: not known */
    int64_t dimension;       /* columns of the lens */
    const double *lens;      /* count * dimension: mean of the members; NaN: not known */
} dgm_summary_clusters;

typedef struct dgm_summary_edge {
    uint32_t source, target; /* source < target */
    int64_t shared;          /* nodes in both */
    int64_t links;           /* graph edges between them, each once */
    int64_t inner;           /* graph edges inside the intersection */
    double weight;           /* strength / largest strength */
} dgm_summary_edge;

typedef struct dgm_summary_coverage {
    int64_t nodes;                  /* of the graph */
    int64_t covered;                /* in a kept cluster */
    int64_t filtered;               /* in none, each for one of the reasons below */
    int64_t filtered_cover;         /* in no cell of the cover */
    int64_t filtered_min_size;      /* all its clusters were under min_size */
    int64_t filtered_min_component; /* its last cluster went with a small component */
    int64_t lost;                   /* explained by nothing: always 0 */
    int64_t edges;                  /* of the graph, self-loops aside */
    int64_t edges_inside;           /* with both ends in one kept cluster */
} dgm_summary_coverage;

typedef struct dgm_summary_topology {
    int64_t b0, b1;    /* Betti numbers of the nerve's 2-skeleton over the kept clusters, mod 2 */
    int64_t triangles; /* triples of clusters that share a node; -1: over 20 million, not counted */
    int64_t skeleton_loops; /* independent loops of the nerve's 1-skeleton */
    int64_t cycle_rank;     /* independent loops of the summary's own edges */
} dgm_summary_topology;

/* The graph that was summarised. */
typedef struct dgm_summary_graph {
    const char *source; /* what it was called */
    int64_t nodes, edges;
} dgm_summary_graph;

DGM_API dgm_summary_clusters dgm_summary_get_clusters(const dgm_summary *summary);
/* The name of the member that stands at `index` of a summary that was read without its graph. NULL:
 * the graph has the names, or they are not known. */
DGM_API const char *dgm_summary_member_name(const dgm_summary *summary, int64_t index,
                                            size_t *length);
DGM_API dgm_summary_graph dgm_summary_get_graph(const dgm_summary *summary);
/* Neither lens nor command is NULL. */
DGM_API dgm_provenance dgm_summary_get_provenance(const dgm_summary *summary);
DGM_API const dgm_summary_edge *dgm_summary_edges(const dgm_summary *summary, int64_t *count);
DGM_API dgm_summary_coverage dgm_summary_get_coverage(const dgm_summary *summary);
DGM_API dgm_summary_topology dgm_summary_get_topology(const dgm_summary *summary);
/* The options it was made with (given intervals point into the summary). A file that does not say
 * how many intervals there were leaves intervals[0] at 0, and overlap[0] at DGM_SAME. */
DGM_API const dgm_mapper_options *dgm_summary_options(const dgm_summary *summary);
/* Smallest and largest lens value of a column, and the column's name. */
DGM_API void dgm_summary_lens_range(const dgm_summary *summary, int64_t column, double *low,
                                    double *high);
DGM_API const char *dgm_summary_axis_name(const dgm_summary *summary, int64_t column);
/* The members where a lens of one axis is highest, at most DGM_SUMMARY_PEAKS of each cluster: those
 * of cluster c begin at [c * DGM_SUMMARY_PEAKS], the highest first, of equals the first node, and
 * DGM_NO_PEAK is behind the last. NULL: the lens has more axes, or the summary was read. Borrowed.
 */
enum { DGM_SUMMARY_PEAKS = 3 };
#define DGM_NO_PEAK UINT32_MAX
DGM_API const uint32_t *dgm_summary_get_peaks(const dgm_summary *summary);
/* How the column was transformed ("none": not at all), and its standard error (NaN: exact), as the
 * lens said them: dgm_matrix_column_transform, dgm_matrix_column_error. */
DGM_API const char *dgm_summary_axis_transform(const dgm_summary *summary, int64_t column);
DGM_API double dgm_summary_axis_error(const dgm_summary *summary, int64_t column);

/* ---- mistakes of a classifier ---- */

/* Nodes with a label and a prediction, and those of them where the two differ. */
typedef struct dgm_judged {
    int64_t judged, mistakes;
} dgm_judged;

/* What a summary shows of the mistakes, and what it leaves out: every node counts once, by the part
 * of the split that it was in (dgm_split; all in DGM_SPLIT_NONE where there is no split). */
typedef struct dgm_summary_mistakes {
    bool known;                      /* there are labels and predictions; all 0 otherwise */
    bool split;                      /* it is known which nodes trained what predicts */
    dgm_judged covered[DGM_SPLITS];  /* nodes in some kept cluster */
    dgm_judged left_out[DGM_SPLITS]; /* nodes in none */
} dgm_summary_mistakes;

/* predictions NULL: they are not known. */
DGM_API dgm_status dgm_summary_count_mistakes(dgm_context *ctx, const dgm_summary *summary,
                                              const dgm_graph *graph,
                                              const dgm_predictions *predictions,
                                              dgm_summary_mistakes *out);
/* All parts of the split together. */
DGM_API dgm_judged dgm_judged_sum(const dgm_judged by_split[DGM_SPLITS]);
/* What files call the parts, in the order of dgm_split: "rest", "train", "val", "test"; then NULL.
 */
DGM_API const char *const *dgm_split_names(void);

/* ---- towers: summaries of one graph through one lens, from fine to coarse ---- */

/* Dey, Memoli, Wang: Multiscale Mapper (2016). Under every rule of overlap fine cell j of an axis
 * lies in coarse cell floor(j / k) when the fine cover has k times the intervals of the coarse one
 * and no larger overlap. Then connected pieces of fine cells lie inside those of coarse cells, and
 * the map of clusters is a simplicial map of nerves. */
typedef enum dgm_step_kind {
    DGM_STEP_REFINEMENT, /* every fine cluster lies inside its parent, by the cells and by the
                            members, which were looked at */
    DGM_STEP_MATCHING,   /* the parent is only the one with most of the members */
} dgm_step_kind;

#define DGM_NO_PARENT UINT32_MAX

/* The map from a summary to the next coarser one. Borrowed. */
typedef struct dgm_step {
    dgm_step_kind kind;
    int64_t fine, coarse;     /* clusters of each */
    const uint32_t *parent;   /* by fine cluster; DGM_NO_PARENT: no member is in any. Of equals
                                 the smaller number */
    const double *share;      /* by fine cluster: the part of its members that the parent has */
    const int64_t *offsets;   /* coarse + 1, into children */
    const uint32_t *children; /* fine clusters, ascending inside a parent */
} dgm_step;

/* A piece (dimension 0) or a loop (1) of the nerve's 2-skeleton, mod 2: there from summary `birth`
 * on, gone in summary `death`; -1: never gone. */
typedef struct dgm_bar {
    int dimension;
    int64_t birth, death;
} dgm_bar;

/* As many refinements in a row as there are: persistence is of these. */
typedef struct dgm_tower_run {
    int64_t first, last; /* summaries */
    bool loops_known;    /* false: too large (more than 20 million triangles, or loops of more than
                            100 million edges in all), the bars are pieces alone */
    int64_t bar_count;
    const dgm_bar *bars; /* by dimension, birth, death, the endless last */
} dgm_tower_run;

typedef struct dgm_tower dgm_tower;
/* Summaries from fine to coarse; not kept. DGM_ERROR_USAGE if they are not of one graph and lens.
 * The nerve counts, whatever edges the summaries have. */
DGM_API dgm_status dgm_tower_create(dgm_context *ctx, const dgm_summary *const *summaries,
                                    int64_t count, dgm_tower **out);
DGM_API void dgm_tower_free(dgm_tower *tower);           /* NULL is fine */
DGM_API int64_t dgm_tower_steps(const dgm_tower *tower); /* count - 1, or 0 */
DGM_API dgm_step dgm_tower_get_step(const dgm_tower *tower, int64_t step);
/* Runs of two or more summaries, in their order. */
DGM_API const dgm_tower_run *dgm_tower_runs(const dgm_tower *tower, int64_t *count);

/* ---- memberships as a sparse real matrix S, nodes x clusters ---- */

typedef struct dgm_membership dgm_membership;
typedef enum dgm_membership_kind {
    DGM_MEMBERSHIP_ONES,  /* 1 for every member */
    DGM_MEMBERSHIP_SPLIT, /* 1 / number of clusters that hold the node */
} dgm_membership_kind;

/* Row u: clusters[offsets[u] .. offsets[u + 1]) ascending, with their values. */
typedef struct dgm_membership_rows {
    int64_t nodes, clusters;
    const int64_t *offsets;
    const uint32_t *columns;
    const double *values;
} dgm_membership_rows;

DGM_API dgm_status dgm_membership_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                               dgm_membership_kind kind, dgm_membership **out);
/* Columns ascending inside a row, all values positive and finite. Copied. */
DGM_API dgm_status dgm_membership_create(dgm_context *ctx, const dgm_membership_rows *rows,
                                         dgm_membership **out);
DGM_API void dgm_membership_free(dgm_membership *membership); /* NULL is fine */
DGM_API dgm_membership_rows dgm_membership_get_rows(const dgm_membership *membership);

/* S'AS as an undirected graph over the clusters, A = the graph's adjacency with one self-loop on
 * every node. Entries A'_xy with x != y are its edges, weighted; A'_xx its self-loops. */
DGM_API dgm_status dgm_membership_adjacency(dgm_context *ctx, const dgm_graph *graph,
                                            const dgm_membership *membership, dgm_graph **out);

/* ---- appendix A ---- */

/* The expanded graph: max(1, external degree) copies of each node (two if isolated), all copies of
 * a node joined, each external edge joins one unused copy of each end, and a self-loop on every
 * copy. origin[c] is the node that copy c stands for; *origin has one entry a node of *out and is
 * freed with dgm_expansion_origin_free. */
DGM_API dgm_status dgm_graph_expand(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out,
                                    uint32_t **origin);
DGM_API void dgm_expansion_origin_free(dgm_context *ctx, uint32_t *origin);
/* Row c of the result is row origin[c]: the expanded soft assignment s*. */
DGM_API dgm_status dgm_membership_copy_rows(dgm_context *ctx, const dgm_membership *membership,
                                            int64_t count, const uint32_t *origin,
                                            dgm_membership **out);
/* The 1-hop expansion: rows of (A + I) S divided by their sums; patterns by booleans, so nothing
 * underflows to no membership. Self-loops of the graph are not needed. */
DGM_API dgm_status dgm_membership_expand(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_membership *membership, dgm_membership **out);

#endif
