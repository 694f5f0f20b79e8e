/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a report, and the steps by which it is made:
 *
 *   who lies in which clusters, by number or by name    mapper_report_cast.c
 *   pieces and clusters, their members and differences  mapper_report_parts.c
 *   nodes that join clusters                            mapper_report_bridges.c
 *     by edges of the graph                             mapper_report_across.c
 *     without a graph, by clusters that share them      mapper_report_shared.c
 *   edges of the graph between pieces                   mapper_report_crossings.c
 *   loops                                               mapper_report_loops.c
 *   branches                                            mapper_report_branches.c
 */
#ifndef MAPPER_REPORT_H
#define MAPPER_REPORT_H

#include "dgm/report.h"

#include "base_memory.h"
#include "mapper_comparison.h"
#include "mapper_stages.h"

/* All lists lie in `arena`. */
struct dgm_report {
    dgm_allocator allocator;
    dgmi_arena arena;
    dgm_report_totals totals;
    dgm_report_cluster *clusters;
    dgm_report_piece *pieces;
    dgm_report_bridge *bridges;
    dgm_report_border *borders;
    dgm_report_crossing *crossings;
    dgm_report_loop *loops;
    dgm_report_branch *branches;
    int32_t classes;
    const char **class_names;
    char *text; /* room for texts, and how much of it is left */
    int64_t text_left;
};

/* What the steps share. Everything that is not borrowed is scratch memory. */
typedef struct dgmi_mapper_reporter {
    dgm_context *ctx;
    dgm_report *out;
    const dgm_summary *summary;
    const dgm_graph *graph;     /* or NULL */
    const dgm_profile *profile; /* or NULL */
    dgm_report_options options;
    double most_steps; /* DGMI_MAPPER_MOST_STEPS, or what a test allows */
    dgm_summary_clusters clusters;
    const dgm_summary_edge *edges;
    int64_t edge_count;

    /* The cast. Without a graph, each name that differs is a node of its own, numbered as it is met.
     */
    int64_t nodes;
    const uint32_t *members; /* as in dgm_summary_clusters, never NULL if `cast` is true */
    bool cast;               /* the members are known; otherwise nodes is 0 */
    int64_t memberships;     /* the length of `members`; 0: they are not known */
    int64_t *in_start;       /* nodes + 1 positions in `in` */
    uint32_t *in;            /* the clusters of each node, ascending */
    int64_t *name_at;        /* without a graph: the place among all members where the name is */
    int64_t *standing; /* how much each node stands out: its neighbours, or its rank as a hub */
    uint32_t *mark;    /* for dgmi_mapper_report_union: the last union that had the node */
    uint32_t last_mark;

    int32_t *main_class;               /* of each cluster, or -1 */
    int64_t *piece_of;                 /* the place of each cluster's piece in the list of pieces */
    dgmi_mapper_members piece_members; /* the members of each piece, each once */
    dgmi_mapper_bundles bundles;       /* if the cast is known */
} dgmi_mapper_reporter;

/* By default the search for short loops touches at most this many words, which takes about a second.
 */
#define DGMI_MAPPER_MOST_STEPS 4e8

/* Memory that lives as long as the report; NULL with the error recorded. */
void *dgmi_mapper_report_keep(const dgmi_mapper_reporter *r, int64_t count, size_t size);
const char *dgmi_mapper_report_keep_text(const dgmi_mapper_reporter *r, const char *text,
                                         size_t length);

/* ---- mapper_report_cast.c ---- */

dgm_status dgmi_mapper_report_cast(dgmi_mapper_reporter *r);
/* Returns the members of a cluster; *count is how many there are. */
const uint32_t *dgmi_mapper_report_set(const dgmi_mapper_reporter *r, int64_t cluster,
                                       int64_t *count);
/* Writes the members of some clusters to `out`, each once, and returns how many there are. */
int64_t dgmi_mapper_report_union(dgmi_mapper_reporter *r, const uint32_t *clusters, int64_t count,
                                 uint32_t *out);
/* Whether node u stands out more than v: by its neighbours, then by the smaller number. */
static inline bool dgmi_mapper_report_before(const dgmi_mapper_reporter *r, uint32_t u,
                                             uint32_t v) {
    return r->standing[u] != r->standing[v] ? r->standing[u] > r->standing[v] : u < v;
}
/* Tells all of a node. Its name is kept in the report. */
dgm_status dgmi_mapper_report_name(const dgmi_mapper_reporter *r, uint32_t node,
                                   dgm_report_member *out);
/* Chooses the members of a set that are named: by their weights, if there are any, and among equals
 * by how they stand out. */
dgm_status dgmi_mapper_report_choose(const dgmi_mapper_reporter *r, const uint32_t *nodes,
                                     const double *weights, int64_t count, dgm_report_members *out);
/* The members of some clusters, each once, and those of them that are named. */
dgm_status dgmi_mapper_report_gather(dgmi_mapper_reporter *r, const uint32_t *clusters,
                                     int64_t count, dgm_report_members *out);

/* ---- mapper_report_bridges.c, mapper_report_across.c, mapper_report_shared.c ---- */

/* A node that joins clusters, before it is known how it compares with others. */
typedef struct dgmi_mapper_bridge {
    uint32_t node, home, other; /* as in dgm_report_bridge */
    int32_t low, high;          /* of a part: the classes of the clusters that it joins */
    int64_t across, alone;
    double score;
} dgmi_mapper_bridge;

/* All nodes that join clusters, each once; and of each, what it joins of any two classes, where a
 * node may occur several times. Owned by dgmi_mapper_report_bridges, which frees both lists. */
typedef struct dgmi_mapper_bridges {
    dgmi_mapper_bridge *all, *parts;
    int64_t count, capacity;
    int64_t part_count, part_capacity;
    int64_t merged; /* how many parts there were when they were last added up */
} dgmi_mapper_bridges;

/* The second adds nothing unless clusters a and b are mostly of two different classes. */
dgm_status dgmi_mapper_bridges_add(const dgmi_mapper_reporter *r, dgmi_mapper_bridges *bridges,
                                   dgmi_mapper_bridge bridge);
dgm_status dgmi_mapper_bridges_add_part(const dgmi_mapper_reporter *r, dgmi_mapper_bridges *bridges,
                                        uint32_t a, uint32_t b, dgmi_mapper_bridge part);
/* These find the bridges of a summary with its graph, and without. They take scratch memory. */
dgm_status dgmi_mapper_bridges_across(dgmi_mapper_reporter *r, dgmi_mapper_bridges *out);
dgm_status dgmi_mapper_bridges_shared(dgmi_mapper_reporter *r, dgmi_mapper_bridges *out);

/* ---- the other steps, in this order ---- */

dgm_status dgmi_mapper_report_pieces(dgmi_mapper_reporter *r);
dgm_status dgmi_mapper_report_clusters(dgmi_mapper_reporter *r);
dgm_status dgmi_mapper_report_bridges(dgmi_mapper_reporter *r);
dgm_status dgmi_mapper_report_crossings(dgmi_mapper_reporter *r);
dgm_status dgmi_mapper_report_loops(dgmi_mapper_reporter *r);
dgm_status dgmi_mapper_report_branches(dgmi_mapper_reporter *r);

#endif
