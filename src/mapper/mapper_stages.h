/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of Mapper and what passes between them, in order:
 *
 *   dgmi_mapper_cover      where cells lie           (mapper_cover.c)
 *   dgmi_mapper_pullback   which cells hold a node   (mapper_pullback.c)     slot = one (node, cell) pair
 *   dgmi_mapper_clusters   which cluster a slot is   (mapper_cluster.c, mapper_community.c)
 *   dgmi_mapper_bundles    nodes with the same clusters (mapper_bundle.c)
 *   dgmi_mapper_crossings  edges between bundles        (mapper_crossing.c)
 *   dgmi_mapper_meeting    what clusters have in common (mapper_nerve.c)
 *   dgmi_mapper_draft      edges and filters            (mapper_join.c)
 *   dgm_summary     what a caller keeps          (mapper_write.c, mapper_topology.c)
 *
 * Each stage takes scratch memory. The mapper (mapper_mapper.c) keeps that of a stage until its
 * options change.
 */
#ifndef MAPPER_STAGES_H
#define MAPPER_STAGES_H

#include "dgm/mapper.h"

#include <assert.h>

#define DGMI_MAPPER_NO_CLUSTER UINT32_MAX

/* GUDHI's ends of cells, rounded as it rounds them (mapper_gudhi.c). */
typedef struct dgmi_mapper_gudhi {
    bool used;   /* the cells of this axis are found by them */
    bool closed; /* some axis has a gain of at least 1/2: cells own both ends */
    double low, top, step, reach;
} dgmi_mapper_gudhi;

/* One axis of a product of intervals. In units of steps, cell k is [k - start, k - start + length]
 * with the ends that the rule owns, and a lens value x stands at (x - low) / range * scale. */
typedef struct dgmi_mapper_axis {
    double low, range,
        shrink; /* shrink: 1, or a power of two that keeps range * scale a normal number */
    double scale, start, length;
    bool owns_low, owns_high;
    bool whole; /* every cell holds everything (KeplerMapper's overlap of 1) */
    dgmi_mapper_gudhi gudhi;
    int64_t cells;
} dgmi_mapper_axis;

typedef struct dgmi_mapper_cover {
    int kind;             /* dgm_cover */
    int64_t nodes, axes;  /* axes of a cell: columns of the lens, or 1 */
    int64_t columns;      /* of `values` */
    const double *values; /* nodes * columns: the lens, or its mid-ranks */
    dgmi_mapper_axis *axis;
    const dgm_interval *given;
    int64_t given_count;
    double given_top; /* the highest end of the given intervals, which is owned */
} dgmi_mapper_cover;

/* Notes which axes of the lens have overlapping cells but no node where they overlap: clusters
 * along such an axis are never joined. */
dgm_status dgmi_mapper_cover_note_apart(dgm_context *ctx, const dgm_matrix *lens,
                                        const dgm_mapper_options *options);

/* Slots of node u are offsets[u] .. offsets[u + 1]; their cells ascend. Cells that are hit are
 * numbered in lexicographic order of their coordinates. */
typedef struct dgmi_mapper_pullback {
    int64_t nodes, slots, cells, axes;
    const uint32_t *offsets;    /* nodes + 1 */
    const uint32_t *cell;       /* slots */
    const uint32_t *node;       /* slots */
    const int32_t *coordinates; /* cells * axes */
    const uint32_t *by_cell;    /* slots, grouped by cell, in node order inside a cell */
    const uint32_t *cell_start; /* cells + 1, into by_cell */
} dgmi_mapper_pullback;

/* Clusters are numbered by cell, then by smallest member. */
typedef struct dgmi_mapper_clusters {
    int64_t count;
    uint32_t *of_slot; /* the slot's cluster */
    uint32_t *cell;    /* the cluster's cell */
    int64_t *size;
} dgmi_mapper_clusters;

/* Nodes that lie in the same clusters form a bundle: 0 .. clusters - 1 are "in this cluster alone",
 * the rest are lists. */
typedef struct dgmi_mapper_bundles {
    int64_t clusters, count;
    uint32_t *of_node;   /* `count` for a node in no cluster */
    int64_t *list_start; /* count - clusters + 1 */
    uint32_t *lists;     /* ascending clusters */
    int64_t *members;    /* count + 1: nodes of the bundle, and of none */
} dgmi_mapper_bundles;

/* The bundle's clusters; `single` is room for one. */
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

/* Two clusters in one word, ordered. */
static inline uint64_t dgmi_mapper_pair(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Graph edges between two bundles. */
typedef struct dgmi_mapper_crossing {
    uint32_t low, high;
    int64_t edges;
} dgmi_mapper_crossing;

typedef struct dgmi_mapper_crossing_block {
    struct dgmi_mapper_crossing_block *older;
    int64_t count;
    dgmi_mapper_crossing items[];
} dgmi_mapper_crossing_block;

/* Graph edges by the bundles of their ends; a pair of bundles may come up several times. The blocks
 * are owned, because threads grow them. */
typedef struct dgmi_mapper_crossings {
    dgm_allocator allocator;
    int64_t *same;                       /* by bundle: edges with both ends in it */
    dgmi_mapper_crossing_block **blocks; /* all of them */
    int64_t block_count;
    dgmi_mapper_crossing_block **chains; /* by thread: its newest block */
    bool *failed;                        /* by thread: memory ran out */
    int threads;
} dgmi_mapper_crossings;

/* Two clusters that have a node or an edge in common. */
typedef struct dgmi_mapper_meeting {
    uint32_t low, high;
    int64_t shared, links, inner;
} dgmi_mapper_meeting;

/* All that a summary is made from, in the order in which it is made. */
typedef struct dgmi_mapper_stages {
    dgmi_mapper_pullback pullback;
    dgmi_mapper_clusters clusters;
    bool *large; /* by cluster: it has min_size members */
    uint32_t *
        of_slot; /* as clusters.of_slot, but DGMI_MAPPER_NO_CLUSTER where the cluster is not large */
    dgmi_mapper_bundles bundles;
    dgmi_mapper_crossings crossings;
    dgmi_mapper_meeting *meetings;
    int64_t meeting_count;
} dgmi_mapper_stages;

/* dgm_mapper_summarise with options that dgm_mapper_check has passed. */
dgm_status dgmi_mapper_summarise_checked(dgm_context *ctx, dgm_mapper *mapper,
                                         const dgm_mapper_options *options, dgm_summary **out);

/* The value for axis k of a list per axis. */
int64_t dgmi_mapper_axis_intervals(const dgm_mapper_options *options, int64_t axis);
double dgmi_mapper_axis_overlap(const dgm_mapper_options *options, int64_t axis);

dgm_status dgmi_mapper_cover_make(dgm_context *ctx, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgmi_mapper_cover *cover);
/* First and last cell of a value; first <= last always. */
void dgmi_mapper_axis_locate(const dgmi_mapper_axis *axis, double value, int64_t *first,
                             int64_t *last);

/* The ends of cells as GUDHI computes them. `low` and `high` are the range of the lens. Where they
 * are not used, all fields are 0. */
dgmi_mapper_gudhi dgmi_mapper_gudhi_make(double low, double high, int64_t cells, double gain);
void dgmi_mapper_gudhi_locate(const dgmi_mapper_gudhi *gudhi, int64_t cells, double value,
                              int64_t *first, int64_t *last);

dgm_status dgmi_mapper_pullback_make(dgm_context *ctx, const dgmi_mapper_cover *cover,
                                     dgmi_mapper_pullback *pullback);

dgm_status dgmi_mapper_clusters_make(dgm_context *ctx, dgm_graph_rows rows,
                                     const dgmi_mapper_pullback *pullback,
                                     const dgm_mapper_options *options,
                                     dgmi_mapper_clusters *clusters);
/* Labels slots by community inside each cell. All slots of a community get the same label, which is
 * one of these slots. */
dgm_status dgmi_mapper_communities(dgm_context *ctx, dgm_graph_rows rows,
                                   const dgmi_mapper_pullback *pullback,
                                   const dgm_mapper_options *options, uint32_t *label);

/* of_slot: the cluster (or cell) of every slot, below `count`, ascending inside a node; or
 * DGMI_MAPPER_NO_CLUSTER. */
dgm_status dgmi_mapper_bundles_make(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                                    const uint32_t *of_slot, int64_t count,
                                    dgmi_mapper_bundles *bundles);

/* The most pairs of clusters that are gone through, each as often as bundles of nodes lie in
 * both. */
#define DGMI_MAPPER_MOST_MEETINGS (INT64_C(1) << 32) /* 64 GB of them */
/* Fails where there would be more of them than that, or than there is memory for. */
dgm_status dgmi_mapper_meetings_check(dgm_context *ctx, int64_t clusters, double meetings);

/* nerve_only: edges between clusters that share no node may be left out. */
dgm_status dgmi_mapper_crossings_make(dgm_context *ctx, dgm_graph_rows rows,
                                      const dgmi_mapper_bundles *bundles, bool nerve_only,
                                      dgmi_mapper_crossings *crossings);
void dgmi_mapper_crossings_free(dgmi_mapper_crossings *crossings);
/* All pairs of clusters that meet, sorted by (low, high), in scratch memory. */
dgm_status dgmi_mapper_meetings_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const dgmi_mapper_crossings *crossings,
                                     dgmi_mapper_meeting **meetings, int64_t *count);
/* Edges with both ends in one cluster that is kept. */
dgm_status dgmi_mapper_edges_inside(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const dgmi_mapper_crossings *crossings, const bool *kept,
                                    int64_t *inside);

/* b0, b1, triangles and skeleton_loops of the nerve over the kept clusters. */
dgm_status dgmi_mapper_topology_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const bool *kept, const dgmi_mapper_meeting *meetings,
                                     int64_t meeting_count, dgm_summary_topology *topology);

#endif
