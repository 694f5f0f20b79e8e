/* SPDX-License-Identifier: Apache-2.0 */
/* Mapper: from a graph and a lens to a summary.
 *
 * A cover cuts the values of the lens into cells that overlap. The nodes whose values lie in a cell
 * are its preimage. Each preimage is split into clusters, which are the nodes of the summary. Two
 * clusters are joined if they share nodes (the nerve), or if edges of the graph lead from one to
 * the other (structural edges). Since cells overlap, a node may lie in several clusters.
 *
 * Singh, Memoli and Carlsson (2007). Bodnar, Cangea and Lio: Deep Graph Mapper (2020), section 3
 * and appendices A and B.
 */
#ifndef DGM_MAPPER_H
#define DGM_MAPPER_H

#include "dgm/graph.h"
#include "dgm/knn.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"

typedef enum dgm_cover {
    DGM_COVER_UNIFORM,   /* intervals of equal length on every axis */
    DGM_COVER_QUANTILE,  /* intervals with equal numbers of nodes: UNIFORM on the mid-ranks of the
                            values, so that equal values stay together */
    DGM_COVER_INTERVALS, /* intervals that the caller gives, for a lens with one column */
    DGM_COVER_SIMPLEX,   /* one cell per column: a node lies in cell k if its column k is positive
                          */
    DGM_COVER_ADAPTIVE,  /* boxes that are cut in the middle of their longest side while they hold
                            more than `cell_size` nodes, and widened so that neighbours share the
                            given overlap of their mean length; any number of columns */
    DGM_COVER_BALLS,     /* balls of `radius` around nodes that are farther than that apart and
                            that together hold every node; any number of columns */
    DGM_COVER_LANDMARKS, /* a cell for each of `landmarks` nodes that are far apart: the nodes that
                            it is the nearest of, and those near the border to other cells, so that
                            about the given overlap of its nodes is shared; any number of columns */
    DGM_COVER_GMEANS,    /* intervals that are split while their values are not normal, for a lens
                            with one column: Alvarado et al., G-Mapper (2023) */
    DGM_COVER_CMO,       /* equal intervals, as many as the differences of the lens along edges
                            allow, for a lens with one column: Carriere, Michel and Oudot,
                            Statistical Analysis and Parameter Selection for Mapper (2018) */
    DGM_COVER_PARTS,     /* a cell for each part of a partition, for a lens of one column that has
                            the number of each node's part: the nodes that have at least `share` of
                            their neighbours, themselves among them, in that part, and those that
                            have so many in none and more there than elsewhere */
} dgm_cover;

/* How the intervals of an axis overlap, and which of their ends belong to them. */
typedef enum dgm_rule {
    DGM_RULE_GAIN,   /* the overlap of neighbours is the given share of an interval's length. The
                        intervals fill the range of the lens, [low, high) each; the last one has
                        its upper end too. */
    DGM_RULE_DGM,    /* the rule of the code that came with the paper */
    DGM_RULE_KEPLER, /* the rule of KeplerMapper */
    DGM_RULE_GIOTTO, /* the rule of giotto-tda */
    DGM_RULE_GUDHI,  /* the rule of GUDHI */
    DGM_RULE_MOG,    /* the rule of Mapper on Graphs */
} dgm_rule;

/* How a preimage is split into clusters. */
typedef enum dgm_clustering {
    DGM_CLUSTER_COMPONENTS, /* the connected components of its subgraph */
    DGM_CLUSTER_NONE,       /* one cluster: the whole preimage */
    DGM_CLUSTER_LABELPROP,  /* communities of its subgraph by label propagation */
    DGM_CLUSTER_LOUVAIN,    /* communities of its subgraph by modularity (Louvain) */
    /* These look at distances between points in place of edges of the graph. */
    DGM_CLUSTER_SINGLE, /* single linkage, cut at the first gap in a histogram of the lengths at
                           which clusters merge: Singh, Memoli and Carlsson (2007) */
    DGM_CLUSTER_DBSCAN, /* points with many neighbours, and what lies near them: Ester, Kriegel,
                           Sander and Xu (1996). Each other point, noise, is a cluster alone; a
                           min_size of 2 drops it. */
    DGM_CLUSTER_GIVEN,  /* the caller's own function splits it: `clusterer` in the options */
} dgm_clustering;

/* Splits the nodes of a cell into clusters, for DGM_CLUSTER_GIVEN. `nodes` has the `count` nodes of
 * the cell, ascending, at least one. labels[i] is to become the cluster of nodes[i]: any number
 * from 0 on, the same for nodes of one cluster, or a negative number for noise, which is left out of
 * the cell. The cells come one after the other, in the thread that asked for the summary. False ends
 * the work with DGM_ERROR_CANCELLED. The same nodes must always be split in the same way. */
typedef bool dgm_clusterer(void *user, int64_t count, const uint32_t *nodes, int64_t *labels);

/* Where the points are that SINGLE and DBSCAN cluster. */
typedef enum dgm_space {
    DGM_SPACE_LENS,     /* the rows of the lens */
    DGM_SPACE_FEATURES, /* the features of the nodes */
} dgm_space;

/* Which nodes DGM_COVER_CMO takes for neighbours. */
typedef enum dgm_near {
    DGM_NEAR_EDGES,    /* those that an edge of the graph joins */
    DGM_NEAR_FEATURES, /* those whose features are points within the mean distance of Hausdorff
                          between all of them and subsamples of n / (log n)^(1 + beta) */
} dgm_near;

/* How much a node belongs to a cluster, by its distance d in the lens from the cluster's mean, each
 * axis in units of its range. The weights of a node add up to 1. */
typedef enum dgm_weights {
    DGM_WEIGHTS_NONE,     /* there are no weights */
    DGM_WEIGHTS_GAUSSIAN, /* exp(-d^2 / 2 s^2), where s^2 is the mean of d^2 over the cluster */
    DGM_WEIGHTS_BUMP,     /* exp(1 - 1 / (1 - (d/r)^2)), where r is a little more than the largest d
                             of the cluster */
} dgm_weights;

/* Which clusters are joined by an edge of the summary. */
typedef enum dgm_edges {
    DGM_EDGES_NERVE,      /* clusters that share a node */
    DGM_EDGES_STRUCTURAL, /* clusters with edges of the graph between them (SDGM in the paper) */
} dgm_edges;

/* What becomes of a component of the graph whose nodes the cells cut into pieces, because an edge
 * leaps over more than they overlap. */
typedef enum dgm_pieces {
    DGM_PIECES_APART,  /* they are pieces of the summary */
    DGM_PIECES_JOINED, /* one end of an edge between two pieces is taken into a cell of the other
                          end, until the component is one piece; the fewest nodes that do are taken.
                          If clusters are COMPONENTS, and none is dropped, the summary has then as
                          many pieces as the graph has components. */
} dgm_pieces;

/* How strong a structural edge is. Its weight is its strength over the largest one. */
typedef enum dgm_strength {
    DGM_STRENGTH_LINKS, /* the number of edges of the graph between the clusters, each once */
    DGM_STRENGTH_SAS,   /* the entry of S'AS, where A has a self-loop on each node and S_uc is 1 if
                           node u lies in cluster c, else 0 */
} dgm_strength;

/* A value x lies in the interval if low <= x < high; in the highest interval x = high does as well.
 * Both ends may be infinite. */
typedef struct dgm_interval {
    double low, high;
} dgm_interval;

typedef struct dgm_mapper_options {
    size_t size;               /* the size of this struct, filled in by the initialiser */
    int cover;                 /* a dgm_cover; by default UNIFORM */
    const dgm_interval *given; /* the cells of DGM_COVER_INTERVALS, which stay the caller's */
    int64_t given_count;       /* the number of these cells */
    /* The number of intervals and the overlap of each axis; by default 10 and 0.2. DGM_SAME means
     * that of the axis before; a number of 0 means the same. */
    int64_t intervals[DGM_MAX_AXES];
    double overlap[DGM_MAX_AXES];
    int rule;              /* a dgm_rule; by default GAIN */
    int cluster;           /* a dgm_clustering; by default COMPONENTS */
    int edges;             /* a dgm_edges; by default NERVE */
    int strength;          /* a dgm_strength; by default LINKS */
    double eps;            /* structural edges of a smaller weight are dropped; by default 0 */
    int64_t min_size;      /* clusters of fewer members are dropped; by default 1 */
    int64_t min_component; /* connected components of the summary that have fewer members in all
                              are dropped; by default 0 */
    int64_t seed;          /* the seed of LABELPROP and LOUVAIN; by default 1 */
    bool attach;           /* clusters of fewer than min_size members are given to the neighbouring
                              cluster with the most links instead of being dropped; by default
                              false */
    int64_t cell_size;     /* ADAPTIVE: cells that hold more nodes than this, with their overlap,
                              are split. Nodes whose values agree stay together, however many they
                              are. By default 0: ADAPTIVE is refused without it. */
    double radius;         /* BALLS: their radius, a distance of `metric`. By default 0: BALLS is
                              refused without it. */
    int64_t landmarks;     /* LANDMARKS: how many there are. By default 0: LANDMARKS is refused
                              without it. If nodes have fewer different values, there are fewer. */
    int metric;            /* a dgm_metric: the distance of BALLS and LANDMARKS, and of clusters by
                              SINGLE and DBSCAN; by default L2. All zero vectors are one point. */
    double critical;       /* GMEANS: an interval is split if the statistic of Anderson and Darling
                              for its values is larger; by default 10 */
    int64_t most;          /* GMEANS: the largest number of intervals; by default 20 */
    double gain;           /* CMO: its overlap, above 1/3 and below 1/2; by default 0.4 */
    int64_t gap_bins;      /* SINGLE: the number of bins of the histogram; by default 10 */
    double reach;          /* DBSCAN: points within this distance are neighbours. By default 0:
                              DBSCAN is refused without it. */
    int64_t min_points;    /* DBSCAN: the number of neighbours, with itself, that makes a point the
                              core of a cluster; by default 5 */
    int space;             /* a dgm_space, for SINGLE and DBSCAN; by default LENS */
    int weights;           /* a dgm_weights; by default NONE */
    int pieces;            /* a dgm_pieces; by default APART */
    int near;              /* CMO: a dgm_near; by default EDGES */
    double beta; /* CMO of FEATURES: it makes subsamples smaller; above 0, by default 0.001 */
    int64_t subsamples;       /* CMO of FEATURES: how many are drawn, by `seed`; by default 100 */
    dgm_clusterer *clusterer; /* the function of DGM_CLUSTER_GIVEN, which is refused without one; by
                                 default NULL. A summary does not keep it. */
    void *clusterer_user;     /* its first argument, which stays the caller's */
    double share; /* PARTS: the share of a node's neighbours, above 0 and at most 1; by default 0.3
                   */
} dgm_mapper_options;

#define DGM_MAPPER_SAME_15 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1
#define DGM_MAPPER_OPTIONS_INIT                                                                    \
    {                                                                                              \
        sizeof(dgm_mapper_options), DGM_COVER_UNIFORM, NULL, 0, {10, DGM_MAPPER_SAME_15},          \
            {0.2, DGM_MAPPER_SAME_15}, DGM_RULE_GAIN, DGM_CLUSTER_COMPONENTS, DGM_EDGES_NERVE,     \
            DGM_STRENGTH_LINKS, 0.0, 1, 0, 1, false, 0, 0.0, 0, DGM_METRIC_L2, 10.0, 20, 0.4, 10,  \
            0.0, 5, DGM_SPACE_LENS, DGM_WEIGHTS_NONE, DGM_PIECES_APART, DGM_NEAR_EDGES, 0.001,     \
            100, NULL, NULL, 0.3                                                                   \
    }
static inline void dgm_mapper_options_init(dgm_mapper_options *options) {
    const dgm_mapper_options defaults = DGM_MAPPER_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_mapper_option_table(void);
/* Reads "uniform", "quantile", "simplex", "intervals:a..b,c..d", "adaptive:size=K",
 * "balls:radius=R", "landmarks:k=K", "gmeans:critical=A,most=K",
 * "cmo:gain=G,of=features,beta=B,subsamples=N" or "parts:share=S" and sets the cover in `options`;
 * keys of the last three may be left out. The intervals are written to `given`, which
 * has room for `capacity` of them and must live as long as the options. It is DGM_ERROR_USAGE if
 * there are more, or if the text is wrong. */
DGM_API dgm_status dgm_cover_parse(dgm_context *ctx, const char *text, dgm_mapper_options *options,
                                   dgm_interval *given, int64_t capacity);
/* Checks everything that can be checked without a graph: the bounds of the options, the overlaps
 * that the rule allows, and the given intervals. The error is DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_mapper_check(dgm_context *ctx, const dgm_mapper_options *options);

typedef struct dgm_summary dgm_summary;

/* How a summary was made, besides the options of Mapper. */
typedef struct dgm_provenance {
    const char *lens;    /* the names of the lenses: "pagerank", "degree+file" */
    const char *command; /* the command without --threads, --quiet and -o; NULL: "" */
    int64_t seed;        /* the seed of the whole job */
    /* The instruction set and the OpenBLAS kernel that networks, eigenvectors and reductions used;
     * their last digits depend on these. NULL: no stage used them, so the summary is the same on
     * every machine. */
    const char *kernels, *blas;
    const char *version; /* the version of dgm that made the summary; NULL: this one */
} dgm_provenance;

/* A mapper makes summaries of one graph through one lens. The lens has one row per node and any
 * number of columns. Graph and lens stay the caller's; they must outlive the mapper and must not
 * change. The mapper keeps the results of its stages: the cells of the nodes, their clusters, and
 * where clusters meet. A summary with other options starts at the first stage that these options
 * change. It is the same to the byte as one that is made from the beginning. It is DGM_ERROR_DATA
 * if the lens has another number of rows or a value that is not finite. */
typedef struct dgm_mapper dgm_mapper;
DGM_API dgm_status dgm_mapper_create(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_matrix *lens, dgm_mapper **out);
DGM_API void dgm_mapper_free(dgm_mapper *mapper); /* NULL is fine */
/* Makes a summary, which the caller frees and which may outlive the mapper. If `options` is NULL,
 * they have their defaults. */
DGM_API dgm_status dgm_mapper_summarise(dgm_context *ctx, dgm_mapper *mapper,
                                        const dgm_mapper_options *options, dgm_summary **out);
/* Does all of it in one call, for one summary. */
DGM_API dgm_status dgm_mapper_run(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgm_summary **out);
DGM_API void dgm_summary_free(dgm_summary *summary); /* NULL is fine */
/* Records how the summary was made, for files and figures. Without this call the lens and the
 * command are "", and the seed is that of the mapper's options. The texts are copied. */
DGM_API dgm_status dgm_summary_set_provenance(dgm_context *ctx, dgm_summary *summary,
                                              const dgm_provenance *provenance);

/* ---- looking at a summary: everything that is returned belongs to the summary ----
 *
 * A summary comes from a mapper or from a file (dgm_summary_read in export.h), and answers the same
 * calls either way. A file does not hold the peaks, which are then NULL, and the inner edges of an
 * intersection, which are then -1. A file has the members by name. Their node numbers are known if
 * the reader was given the graph; otherwise `members` is NULL and dgm_summary_member_name returns
 * the names. A file that another program wrote may leave out more: counts are then -1, numbers are
 * NaN, and the cells have no axes.
 */

typedef struct dgm_summary_clusters {
    int64_t count;           /* the number of clusters */
    int64_t axes;            /* the number of coordinates of a cell: one per column of the lens if
                                the cover is UNIFORM or QUANTILE; otherwise 1, its number */
    const int32_t *cells;    /* the cell of each cluster: `axes` coordinates, counted from 0 */
    const int64_t *offsets;  /* count + 1 positions in `members`: cluster c has those from
                                offsets[c] up to, and without, offsets[c + 1] */
    const uint32_t *members; /* nodes, ascending inside a cluster; NULL: not known */
    int64_t dimension;       /* the number of columns of the lens */
    const double *lens;      /* the mean of the members' values, `dimension` numbers per cluster;
                                NaN: not known */
} dgm_summary_clusters;

typedef struct dgm_summary_edge {
    uint32_t source, target; /* the clusters, with source < target */
    int64_t shared;          /* the number of nodes that lie in both */
    int64_t links;           /* the number of edges of the graph between them, each once */
    int64_t inner;           /* the number of edges of the graph inside their intersection */
    double weight;           /* the strength of the edge over the largest strength. If members have
                                weights, a shared node counts in it as much as the lesser of its
                                two (dgm_weights) */
} dgm_summary_edge;

/* Clusters of fewer nodes may be dust, unless another number is given. */
enum { DGM_DUST_SIZE = 5 };

/* What became of every node and edge of the graph. */
typedef struct dgm_summary_coverage {
    int64_t nodes;                  /* nodes of the graph */
    int64_t covered;                /* nodes in a cluster of the summary */
    int64_t filtered;               /* nodes in none, each for one of the next three reasons, or
                                       as noise */
    int64_t filtered_cover;         /* nodes in no cell of the cover */
    int64_t filtered_min_size;      /* nodes whose clusters were all smaller than min_size */
    int64_t filtered_min_component; /* nodes whose last cluster was dropped by min_component */
    int64_t lost;                   /* nodes that no reason explains; it is always 0 */
    int64_t edges;                  /* edges of the graph without self-loops */
    int64_t edges_inside;           /* edges with both ends in one cluster of the summary */
    int64_t attached_clusters;      /* clusters below min_size that were given to others */
    int64_t attached_nodes;         /* nodes of these clusters, each once */
    /* Dust, which figures fold (dgm_dust in draw.h). The clusters are in the summary, and their
     * nodes are covered. */
    int64_t dust_size;     /* clusters of fewer nodes may be dust; 0: there is none */
    int64_t dust_clusters; /* clusters that are dust */
    int64_t dust_nodes;    /* nodes of these clusters that lie in no other one, each once */
    int64_t taken;         /* how often a node was taken across an edge into a cell of its neighbour
                              (DGM_PIECES_JOINED) */
    int64_t filtered_noise; /* nodes that were noise in all of their cells (DGM_CLUSTER_GIVEN) */
} dgm_summary_coverage;

/* The shape of the summary. The nerve has a triangle for each three clusters that share a node. */
typedef struct dgm_summary_topology {
    int64_t b0, b1;         /* the Betti numbers mod 2 of the nerve with its triangles: the number
                               of its pieces, and of its loops that no triangles fill */
    int64_t triangles;      /* the number of triangles; -1: more than 20 million, not counted */
    int64_t skeleton_loops; /* the number of independent loops of the nerve without triangles */
    int64_t cycle_rank;     /* the number of independent loops of the summary's own edges */
} dgm_summary_topology;

/* The graph that was summarised. */
typedef struct dgm_summary_graph {
    const char *source;   /* what it was called (dgm_graph_source) */
    int64_t nodes, edges; /* the number of its nodes and edges */
} dgm_summary_graph;

DGM_API dgm_summary_clusters dgm_summary_get_clusters(const dgm_summary *summary);
/* Returns the weight of each member, in the order of `members`: how much the node belongs to the
 * cluster. NULL: the summary has no weights (option `weights`). */
DGM_API const double *dgm_summary_weights(const dgm_summary *summary);
/* Returns the name of the member at `index` of all members, if the summary was read without its
 * graph. NULL means that the graph has the names, or that they are not known. */
DGM_API const char *dgm_summary_member_name(const dgm_summary *summary, int64_t index,
                                            size_t *length);
DGM_API dgm_summary_graph dgm_summary_get_graph(const dgm_summary *summary);
/* Returns how the summary was made. `lens` and `command` are never NULL. */
DGM_API dgm_provenance dgm_summary_get_provenance(const dgm_summary *summary);
DGM_API const dgm_summary_edge *dgm_summary_edges(const dgm_summary *summary, int64_t *count);
DGM_API dgm_summary_coverage dgm_summary_get_coverage(const dgm_summary *summary);
DGM_API dgm_summary_topology dgm_summary_get_topology(const dgm_summary *summary);
/* Returns how a pooling made the summary (dgm_pooling_summary in pool.h), as a JSON object with the
 * operator and the assignment of each node; NULL: Mapper made it. */
DGM_API const char *dgm_summary_pooling(const dgm_summary *summary);
/* Returns the options that the summary was made with; the given intervals belong to the summary. Of
 * covers that find their cells themselves, intervals[0] is the number of cells that were found; of
 * GMEANS they are the given intervals, and of CMO overlap[0] is its gain. If the summary came from
 * a file that does not have them, intervals[0] is 0 and overlap[0] is DGM_SAME. */
DGM_API const dgm_mapper_options *dgm_summary_options(const dgm_summary *summary);
/* These return the smallest and the largest value of a column of the lens, and its name. */
DGM_API void dgm_summary_lens_range(const dgm_summary *summary, int64_t column, double *low,
                                    double *high);
DGM_API const char *dgm_summary_axis_name(const dgm_summary *summary, int64_t column);
/* Returns the peaks of each cluster: the members with the highest values of a lens that has one
 * column. Those of cluster c begin at [c * DGM_SUMMARY_PEAKS], the highest first and the smaller
 * node first if values are equal. A cluster with fewer members has DGM_NO_PEAK in the other places.
 * NULL: the lens has more columns, or the summary came from a file. */
DGM_API const uint32_t *dgm_summary_get_peaks(const dgm_summary *summary);
enum { DGM_SUMMARY_PEAKS = 3 };
#define DGM_NO_PEAK UINT32_MAX
/* These return how a column was transformed ("none": it was not) and its standard error (NaN: it is
 * exact). They repeat dgm_matrix_column_transform and dgm_matrix_column_error of the lens. */
DGM_API const char *dgm_summary_axis_transform(const dgm_summary *summary, int64_t column);
DGM_API double dgm_summary_axis_error(const dgm_summary *summary, int64_t column);

/* ---- what a summary explains ---- */

/* How many bits of the graph a summary explains. A figure shows marks: clusters, and piles of
 * clusters that are dust. Each node belongs to the mark of its largest cluster. Who knows the marks
 * of all nodes, and how many edges join which marks, needs fewer bits to write an edge down than
 * who knows the degrees of the nodes alone: those are gained. To write down the marks and these
 * numbers costs bits as well. What is left is saved, which can be compared between lenses, settings
 * and graphs. It is below 0 where the marks have nothing to do with the edges. */
typedef struct dgm_bits {
    bool known;         /* false: all else is 0 */
    int64_t blocks;     /* the number of marks that nodes belong to */
    int64_t edges;      /* pairs of nodes with an edge between them */
    int64_t inside;     /* those of them with both ends in one cluster, each node in its largest */
    double whole;       /* the bits of an edge, if the degrees of all nodes are known */
    double gained;      /* how many of these the marks explain */
    double cost;        /* the bits for each edge that it takes to write the marks down */
    double told;        /* the part of this cost that says which mark each node belongs to */
    int64_t runs;       /* how many graphs with the same degrees and edges at random were mapped
                           with the same settings; 0: none, and the rest is 0 */
    double chance;      /* what was saved there, in the mean */
    double chance_most; /* the most that was saved there */
    double spread;      /* the standard deviation of what was saved there */
    /* The same three of what is saved without the cost that is `told`: gained - cost + told. */
    double bare, bare_most, bare_spread;
    /* The share of the variance of the nodes' features that lies between marks, and what it is with
     * the same settings if features are dealt out to the nodes at random; -1: not known. */
    double features, features_chance;
} dgm_bits;
/* Measures the bits. Clusters of fewer than `dust_size` nodes may be dust. It is DGM_ERROR_USAGE if
 * the summary is of another graph or does not know its members by number. */
DGM_API dgm_status dgm_summary_measure_bits(dgm_context *ctx, const dgm_summary *summary,
                                            const dgm_graph *graph, int64_t dust_size,
                                            dgm_bits *out);
/* The bits that a summary carries into files and figures. A workspace and a job set them. */
DGM_API dgm_bits dgm_summary_get_bits(const dgm_summary *summary);
DGM_API void dgm_summary_set_bits(dgm_summary *summary, const dgm_bits *bits);

/* What a summary says against chance. */
typedef enum dgm_finding {
    DGM_FINDING_UNKNOWN, /* nothing was compared */
    DGM_FINDING_NONE,    /* graphs rewired at random save as much: the summary shows no structure */
    DGM_FINDING_WEAK,    /* it saves more than they do, and still costs more than it gains */
    DGM_FINDING_FOUND,   /* it saves bits, and more than they do */
} dgm_finding;
DGM_API dgm_finding dgm_bits_finding(const dgm_bits *bits);
/* Returns "unknown", "none", "weak", "found", NULL. */
DGM_API const char *const *dgm_finding_names(void);
/* Says in one sentence without a final dot what was found: "this summary explains 1.91 of 8.70 bits
 * for each edge; the same settings on the graph rewired at random explain 0.05". It is cut to `size`
 * bytes; DGM_BITS_WORDS are enough. */
enum { DGM_BITS_WORDS = 512 };
DGM_API const char *dgm_bits_words(const dgm_bits *bits, char *buffer, size_t size);

/* ---- mistakes of a classifier ---- */

/* Counts of nodes. */
typedef struct dgm_judged {
    int64_t judged;   /* nodes that have a label and a prediction */
    int64_t mistakes; /* those of them whose label and prediction differ */
} dgm_judged;

/* How many mistakes a summary shows and how many it leaves out. Each node counts once, in the part
 * of the split that it belongs to (dgm_split). If there is no split, all nodes count as
 * DGM_SPLIT_NONE. */
typedef struct dgm_summary_mistakes {
    bool known;                      /* there are labels and predictions; otherwise all is 0 */
    bool split;                      /* it is known which nodes the classifier was trained on */
    dgm_judged covered[DGM_SPLITS];  /* nodes in a cluster of the summary */
    dgm_judged left_out[DGM_SPLITS]; /* nodes in no cluster */
} dgm_summary_mistakes;

/* Counts the mistakes. `predictions` may be NULL if there are none. */
DGM_API dgm_status dgm_summary_count_mistakes(dgm_context *ctx, const dgm_summary *summary,
                                              const dgm_graph *graph,
                                              const dgm_predictions *predictions,
                                              dgm_summary_mistakes *out);
/* Returns the sum over all parts of the split. */
DGM_API dgm_judged dgm_judged_sum(const dgm_judged by_split[DGM_SPLITS]);
/* Returns the names of the parts in files, in the order of dgm_split: "rest", "train", "val",
 * "test", NULL. */
DGM_API const char *const *dgm_split_names(void);

/* ---- towers: summaries of one graph through one lens, from fine to coarse ---- */

/* A tower says how pieces and loops of a summary appear and disappear as its cover gets coarser:
 * Dey, Memoli and Wang, Multiscale Mapper (2016).
 *
 * If a fine cover has k times the intervals of a coarse one, and no larger overlap, then fine cell
 * j of an axis lies in coarse cell floor(j / k), under every rule of overlap. Connected pieces of
 * fine cells then lie inside connected pieces of coarse cells, and the step from fine to coarse
 * clusters is a simplicial map of nerves. The same holds for ADAPTIVE covers with a smaller and a
 * larger `cell_size` and the same overlap. */
typedef enum dgm_step_kind {
    DGM_STEP_REFINEMENT, /* every fine cluster lies inside its parent; cells and members were both
                            checked (of ADAPTIVE covers the members) */
    DGM_STEP_MATCHING,   /* the parent is only the coarse cluster with most of the members */
} dgm_step_kind;

#define DGM_NO_PARENT UINT32_MAX

/* A step from a summary to the next coarser one. Its arrays belong to the tower. */
typedef struct dgm_step {
    dgm_step_kind kind;
    int64_t fine, coarse;     /* the number of clusters of each summary */
    const uint32_t *parent;   /* the coarse cluster of each fine one, the first of those with the
                                 most members; DGM_NO_PARENT: no coarse cluster has a member */
    const double *share;      /* the share of each fine cluster's members that the parent has */
    const int64_t *offsets;   /* coarse + 1 positions in `children`: those of coarse cluster c
                                 begin at offsets[c] */
    const uint32_t *children; /* fine clusters, ascending inside a parent */
} dgm_step;

/* A piece or a loop of the nerve with its triangles, mod 2, and how long it lasts. */
typedef struct dgm_bar {
    int dimension;        /* 0: a piece; 1: a loop */
    int64_t birth, death; /* the first summary that has it, and the first that has it no longer; a
                             death of -1 means that the last summary still has it */
} dgm_bar;

/* A longest series of refinements without a gap. Bars are known inside such a series only. */
typedef struct dgm_tower_run {
    int64_t first, last; /* the first and the last summary */
    bool loops_known;    /* bars of loops are there too; false: it was too large for them, with more
                            than 20 million triangles, or loops of more than 100 million edges in
                            all */
    int64_t bar_count;
    const dgm_bar *bars; /* sorted by dimension, birth and death; a death of -1 comes last */
} dgm_tower_run;

typedef struct dgm_tower dgm_tower;
/* Makes a tower of summaries, given from fine to coarse and not kept. The caller frees it. It
 * always uses the nerve, whatever edges the summaries have. It is DGM_ERROR_USAGE if they are not
 * of the same graph and lens. */
DGM_API dgm_status dgm_tower_create(dgm_context *ctx, const dgm_summary *const *summaries,
                                    int64_t count, dgm_tower **out);
DGM_API void dgm_tower_free(dgm_tower *tower);           /* NULL is fine */
DGM_API int64_t dgm_tower_steps(const dgm_tower *tower); /* summaries - 1, or 0 */
DGM_API dgm_step dgm_tower_get_step(const dgm_tower *tower, int64_t step);
/* Returns the series of refinements that have two or more summaries, in their order. */
DGM_API const dgm_tower_run *dgm_tower_runs(const dgm_tower *tower, int64_t *count);

/* ---- memberships: a sparse matrix S with a row per node and a column per cluster ---- */

typedef struct dgm_membership dgm_membership;
typedef enum dgm_membership_kind {
    DGM_MEMBERSHIP_ONES,    /* the value of every member is 1 */
    DGM_MEMBERSHIP_SPLIT,   /* it is 1 / the number of clusters that the node lies in */
    DGM_MEMBERSHIP_WEIGHTS, /* it is the weight that the summary has (dgm_summary_weights);
                               DGM_ERROR_USAGE if it has none, or if there is no summary */
} dgm_membership_kind;

/* The clusters of node u are columns[offsets[u]] up to, and without, columns[offsets[u + 1]]. */
typedef struct dgm_membership_rows {
    int64_t nodes, clusters; /* the number of rows and of columns */
    const int64_t *offsets;  /* nodes + 1 positions in `columns` */
    const uint32_t *columns; /* clusters, ascending inside a row */
    const double *values;    /* the membership of the node in each of them */
} dgm_membership_rows;

/* These make a membership, which the caller frees. */

/* Its columns are the clusters of a summary. */
DGM_API dgm_status dgm_membership_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                               dgm_membership_kind kind, dgm_membership **out);
/* Its columns are the cells of a cover that hold a node, however many components the nodes of a cell
 * have: this is how Mapper pools graphs. If `options` is NULL, they have their defaults. */
DGM_API dgm_status dgm_membership_from_lens(dgm_context *ctx, const dgm_matrix *lens,
                                            const dgm_mapper_options *options,
                                            dgm_membership_kind kind, dgm_membership **out);
/* The rows are copied. Columns must ascend inside a row, and all values must be positive and
 * finite. */
DGM_API dgm_status dgm_membership_create(dgm_context *ctx, const dgm_membership_rows *rows,
                                         dgm_membership **out);
DGM_API void dgm_membership_free(dgm_membership *membership); /* NULL is fine */
DGM_API dgm_membership_rows dgm_membership_get_rows(const dgm_membership *membership);

/* Makes the undirected graph over the clusters whose adjacency matrix is S'AS. Its edges have the
 * entries as weights, and the diagonal gives its self-loops. A is the adjacency matrix of the graph.
 * With `loops`, every node has one self-loop of weight 1 in it, whatever the graph has; without, the
 * graph's own self-loops count. An edge of a directed graph counts in both directions. */
DGM_API dgm_status dgm_membership_adjacency(dgm_context *ctx, const dgm_graph *graph,
                                            const dgm_membership *membership, bool loops,
                                            dgm_graph **out);

/* ---- the expansions of the paper's appendix A ---- */

/* Makes the expanded graph. It has as many copies of a node as the node has edges to other nodes,
 * or two if it has none. The copies of a node are all joined with each other, each edge of the
 * graph joins two copies that no other edge uses, and each copy has a self-loop. *origin has one
 * entry per copy: the node that it stands for. It is freed with dgm_expansion_origin_free. */
DGM_API dgm_status dgm_graph_expand(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out,
                                    uint32_t **origin);
DGM_API void dgm_expansion_origin_free(dgm_context *ctx, uint32_t *origin);
/* Makes the membership of the copies, the expanded soft assignment s* of the paper: row c is row
 * origin[c] of `membership`. */
DGM_API dgm_status dgm_membership_copy_rows(dgm_context *ctx, const dgm_membership *membership,
                                            int64_t count, const uint32_t *origin,
                                            dgm_membership **out);
/* Makes the 1-hop expansion of a membership: the rows of (A + I) S, each divided by its sum.
 * Self-loops of the graph do not count. Which entries are there is decided without arithmetic, so
 * that no membership is lost because its value is too small. */
DGM_API dgm_status dgm_membership_expand(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_membership *membership, dgm_membership **out);

#endif
