/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of Mapper, and the structs that pass from one to the next:
 *
 *   dgmi_mapper_cover      where the cells lie              mapper_cover.c, mapper_adaptive.c,
 *                                                           mapper_balls.c, mapper_gmeans.c,
 *                                                           mapper_cmo.c, mapper_cmo_points.c
 *   dgmi_mapper_pullback   which cells a node lies in       mapper_pullback.c, mapper_across.c
 *   dgmi_mapper_clusters   how cells split into clusters    mapper_cluster.c, mapper_community.c,
 *                                                           mapper_point_clusters.c
 *   dgmi_mapper_stages     small clusters given away        mapper_attach.c
 *   dgmi_mapper_bundles    nodes with the same clusters     mapper_bundle.c
 *   dgmi_mapper_crossings  graph edges between bundles      mapper_crossing.c
 *   dgmi_mapper_meeting    what two clusters share          mapper_nerve.c
 *   dgmi_mapper_draft      edges and filters                mapper_join.c
 *   dgm_summary            what the caller keeps            mapper_write.c, mapper_topology.c
 *
 * A slot is a pair of a node and a cell that it lies in. Each stage takes scratch memory. The
 * mapper (mapper_mapper.c) keeps the memory of a stage until the options of that stage change.
 */
#ifndef MAPPER_STAGES_H
#define MAPPER_STAGES_H

#include "dgm/mapper.h"

#include <assert.h>

#define DGMI_MAPPER_NO_CLUSTER UINT32_MAX

/* The ends of cells under DGM_RULE_GUDHI, rounded as GUDHI rounds them (mapper_gudhi.c). */
typedef struct dgmi_mapper_gudhi {
    bool used;   /* the cells of this axis are found in this way */
    bool closed; /* cells contain both of their ends, since some axis has a gain of at least 1/2 */
    double low, top, step, reach;
} dgmi_mapper_gudhi;

/* One axis of a cover. Positions are counted in steps: cell k reaches from k - start to
 * k - start + length, and a value x of the lens has the position (x - low) / range * scale. */
typedef struct dgmi_mapper_axis {
    double low, range,
        shrink; /* shrink: 1, or a power of two that keeps range * scale a normal number */
    double scale, start, length;
    bool owns_low, owns_high; /* whether a cell contains its lower and its upper end */
    bool whole;               /* every cell holds all values (KeplerMapper with an overlap of 1) */
    dgmi_mapper_gudhi gudhi;
    int64_t cells; /* the number of cells along this axis */
} dgmi_mapper_axis;

/* The cells of each node, for covers whose cells are no product of intervals. */
typedef struct dgmi_mapper_lists {
    int64_t cells;           /* the number of cells; each of them holds a node */
    const uint32_t *offsets; /* nodes + 1 positions in `cell`; NULL: this cover has no lists */
    const uint32_t *cell;    /* ascending inside a node */
} dgmi_mapper_lists;

/* What a cover found that finds its cells itself. */
typedef struct dgmi_mapper_found {
    int64_t cells;                 /* the number of cells; 0: it was told where they are */
    double overlap;                /* the overlap that it chose; 0: it chose none */
    const dgm_interval *intervals; /* the cells, if they are intervals; or NULL */
} dgmi_mapper_found;

typedef struct dgmi_mapper_cover {
    int kind;             /* a dgm_cover */
    int64_t nodes;        /* the number of rows of `values` */
    int64_t axes;         /* the number of coordinates of a cell: the columns of the lens, or 1 */
    int64_t columns;      /* the number of columns of `values` */
    const double *values; /* the lens, or its mid-ranks */
    dgmi_mapper_axis *axis;
    const dgm_interval *given;
    int64_t given_count;
    double given_top; /* the highest end of the given intervals, which belongs to the highest */
    dgmi_mapper_lists lists;
    dgmi_mapper_found found;
} dgmi_mapper_cover;

/* Sends a note about axes of the lens whose cells overlap, but without any node where they do.
 * Clusters along such an axis are never joined. */
dgm_status dgmi_mapper_cover_note_apart(dgm_context *ctx, const dgm_matrix *lens,
                                        const dgm_mapper_options *options);

/* The slots of node u are offsets[u] up to, and without, offsets[u + 1]; their cells ascend. Only
 * cells that hold a node have numbers, in lexicographic order of their coordinates. */
typedef struct dgmi_mapper_pullback {
    int64_t nodes, slots, cells, axes;
    const uint32_t *offsets;    /* nodes + 1 slots */
    const uint32_t *cell;       /* the cell of each slot */
    const uint32_t *node;       /* the node of each slot */
    const int32_t *coordinates; /* `axes` coordinates for each cell */
    const uint32_t *by_cell;    /* the slots, cell after cell; those of a cell by ascending node */
    const uint32_t *cell_start; /* cells + 1 positions in `by_cell` */
    const uint32_t *taken;      /* the slots of nodes that were taken across an edge, ascending */
    int64_t taken_count;
} dgmi_mapper_pullback;

/* Clusters are numbered in the order of their cells, then of their smallest members. */
typedef struct dgmi_mapper_clusters {
    int64_t count;     /* the number of clusters */
    uint32_t *of_slot; /* the cluster of each slot; DGMI_MAPPER_NO_CLUSTER for noise */
    uint32_t *cell;    /* the cell of each cluster */
    int64_t *size;     /* the number of members of each cluster */
} dgmi_mapper_clusters;

/* Nodes that lie in exactly the same clusters form a bundle. Bundle c below `clusters` has the
 * nodes that lie in cluster c alone; the others have lists of clusters. */
typedef struct dgmi_mapper_bundles {
    int64_t clusters, count; /* the number of clusters and of bundles */
    uint32_t *of_node;       /* the bundle of each node; `count` if it lies in no cluster */
    int64_t *list_start;     /* count - clusters + 1 positions in `lists` */
    uint32_t *lists;         /* the clusters of each bundle, ascending */
    int64_t *members;        /* the number of nodes of each bundle, and last of those in none */
} dgmi_mapper_bundles;

/* Finds the clusters of a bundle and returns how many there are. `single` is room for one. */
static inline int64_t dgmi_mapper_bundle_list(const dgmi_mapper_bundles *bundles, uint32_t id,
                                              uint32_t *single, const uint32_t **list) {
    if (id < bundles->clusters) {
        *single = id;
        *list = single;
        return 1;
    }
    int64_t k = id - bundles->clusters;
    assert(id < bundles->count && bundles->list_start[k] < bundles->list_start[k + 1]);
    *list = bundles->lists + bundles->list_start[k];
    return bundles->list_start[k + 1] - bundles->list_start[k];
}

/* Returns two clusters in one word, the smaller in the upper half. */
static inline uint64_t dgmi_mapper_pair(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* The number of edges of the graph between two bundles. */
typedef struct dgmi_mapper_crossing {
    uint32_t low, high; /* the bundles */
    int64_t edges;
} dgmi_mapper_crossing;

typedef struct dgmi_mapper_crossing_block {
    struct dgmi_mapper_crossing_block *older;
    int64_t count;
    dgmi_mapper_crossing items[];
} dgmi_mapper_crossing_block;

/* The edges of the graph, counted by the bundles of their ends. A pair of bundles may occur several
 * times. The blocks are not scratch memory, because threads make them. */
typedef struct dgmi_mapper_crossings {
    dgm_allocator allocator;
    int64_t *same;                       /* for each bundle, the edges with both ends in it */
    dgmi_mapper_crossing_block **blocks; /* all blocks */
    int64_t block_count;
    dgmi_mapper_crossing_block **chains; /* the newest block of each thread */
    bool *failed;                        /* for each thread, whether memory ran out */
    int threads;
} dgmi_mapper_crossings;

/* Two clusters that have a node or an edge in common. The counts are those of dgm_summary_edge. */
typedef struct dgmi_mapper_meeting {
    uint32_t low, high; /* the clusters */
    int64_t shared, links, inner;
} dgmi_mapper_meeting;

/* The results of all stages, in the order in which they are made. */
typedef struct dgmi_mapper_stages {
    dgmi_mapper_found found;
    dgmi_mapper_pullback pullback;
    dgmi_mapper_clusters clusters;
    bool *large;         /* for each cluster, whether it has at least min_size members */
    uint32_t *of_slot;   /* the cluster of each slot; DGMI_MAPPER_NO_CLUSTER if it is not large */
    const int64_t *size; /* the number of members of each large cluster */
    /* With `attach`, a slot may have a large cluster of another cell in place of its own small one,
     * and slots of a node are in the order of these clusters. */
    int64_t attached_clusters, attached_nodes;
    dgmi_mapper_bundles bundles;
    dgmi_mapper_crossings crossings;
    dgmi_mapper_meeting *meetings;
    int64_t meeting_count;
} dgmi_mapper_stages;

/* dgm_mapper_summarise with options that dgm_mapper_check has passed. */
dgm_status dgmi_mapper_summarise_checked(dgm_context *ctx, dgm_mapper *mapper,
                                         const dgm_mapper_options *options, dgm_summary **out);

/* These return the options of an axis, with DGM_SAME replaced by the value of the axis before. */
int64_t dgmi_mapper_axis_intervals(const dgm_mapper_options *options, int64_t axis);
double dgmi_mapper_axis_overlap(const dgm_mapper_options *options, int64_t axis);

dgm_status dgmi_mapper_cover_make(dgm_context *ctx, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgmi_mapper_cover *cover);
/* Replaces DGM_COVER_CMO by equal intervals: sets cover, intervals and overlap. */
dgm_status dgmi_mapper_cmo_resolve(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                   dgm_mapper_options *options);
/* Finds the largest difference of `values` between nodes whose features are near each other, and
 * the distance within which they are. */
dgm_status dgmi_mapper_cmo_points(dgm_context *ctx, const dgm_graph *graph, const double *values,
                                  const dgm_mapper_options *options, double *longest,
                                  double *delta);
/* Finds the first and the last cell that hold a value; first <= last always. */
void dgmi_mapper_axis_locate(const dgmi_mapper_axis *axis, double value, int64_t *first,
                             int64_t *last);

/* Computes the ends of cells as GUDHI does. `low` and `high` are the range of the lens. If they
 * cannot be used, all fields of the result are 0. */
dgmi_mapper_gudhi dgmi_mapper_gudhi_make(double low, double high, int64_t cells, double gain);
void dgmi_mapper_gudhi_locate(const dgmi_mapper_gudhi *gudhi, int64_t cells, double value,
                              int64_t *first, int64_t *last);

dgm_status dgmi_mapper_pullback_make(dgm_context *ctx, const dgmi_mapper_cover *cover,
                                     dgmi_mapper_pullback *pullback);
/* Groups the slots by cell: fills in `by_cell` and `cell_start`. */
dgm_status dgmi_mapper_pullback_group(dgm_context *ctx, dgmi_mapper_pullback *pullback);
/* Takes nodes into more cells, so that no component of the graph is cut. */
dgm_status dgmi_mapper_across(dgm_context *ctx, dgm_graph_rows rows,
                              dgmi_mapper_pullback *pullback);

dgm_status dgmi_mapper_clusters_make(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_matrix *lens, const dgmi_mapper_pullback *pullback,
                                     const dgm_mapper_options *options,
                                     dgmi_mapper_clusters *clusters);
/* Labels slots by community inside each cell. All slots of a community get the same label, which is
 * one of these slots. */
dgm_status dgmi_mapper_communities(dgm_context *ctx, dgm_graph_rows rows,
                                   const dgmi_mapper_pullback *pullback,
                                   const dgm_mapper_options *options, uint32_t *label);

/* The same by the distances of points inside each cell. */
dgm_status dgmi_mapper_point_clusters(dgm_context *ctx, const dgm_graph *graph,
                                      const dgm_matrix *lens, const dgmi_mapper_pullback *pullback,
                                      const dgm_mapper_options *options, uint32_t *label);

/* Gives small clusters to large ones: finds of_slot, size and the counts of attached clusters and
 * nodes. */
dgm_status dgmi_mapper_attach(dgm_context *ctx, dgm_graph_rows rows, dgmi_mapper_stages *stages);

/* Makes the bundles. `of_slot` has the cluster (or cell) of every slot, below `count` and ascending
 * inside a node, or DGMI_MAPPER_NO_CLUSTER. */
dgm_status dgmi_mapper_bundles_make(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                                    const uint32_t *of_slot, int64_t count,
                                    dgmi_mapper_bundles *bundles);

/* The largest number of pairs of clusters that are gone through. A pair counts once for each bundle
 * that lies in both. They take 64 GB. */
#define DGMI_MAPPER_MOST_MEETINGS (INT64_C(1) << 32)
/* Fails if there would be more of them, or more than there is memory for. */
dgm_status dgmi_mapper_meetings_check(dgm_context *ctx, int64_t clusters, double meetings);

/* Counts the edges between bundles. With `nerve_only`, edges between clusters that share no node
 * may be left out. */
dgm_status dgmi_mapper_crossings_make(dgm_context *ctx, dgm_graph_rows rows,
                                      const dgmi_mapper_bundles *bundles, bool nerve_only,
                                      dgmi_mapper_crossings *crossings);
void dgmi_mapper_crossings_free(dgmi_mapper_crossings *crossings);
/* Finds all pairs of clusters that meet, sorted by (low, high), in scratch memory. */
dgm_status dgmi_mapper_meetings_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const dgmi_mapper_crossings *crossings,
                                     dgmi_mapper_meeting **meetings, int64_t *count);
/* Counts the edges whose ends lie together in a cluster that is kept. */
dgm_status dgmi_mapper_edges_inside(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const dgmi_mapper_crossings *crossings, const bool *kept,
                                    int64_t *inside);

/* Finds b0, b1, triangles and skeleton_loops of the nerve over the kept clusters. */
dgm_status dgmi_mapper_topology_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const bool *kept, const dgmi_mapper_meeting *meetings,
                                     int64_t meeting_count, dgm_summary_topology *topology);

#endif
