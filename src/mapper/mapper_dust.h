/* SPDX-License-Identifier: Apache-2.0 */
/* Dust: the small clusters of a summary that a figure does not show one by one.
 *
 * A cluster is small if it has fewer than `least` nodes. Small clusters that hang together form a
 * crumb. What becomes of a crumb depends on how many different nodes it has and on the larger
 * clusters that it is joined with:
 *
 *   fewer than `least` nodes, joined with no larger cluster      it lies in the pile of single
 *                                                                nodes or in that of small pieces
 *   fewer than `least` nodes, joined with one larger cluster or  it lies in the pile of one of
 *   with several that hang together without it                   these: that with the most weight
 *   fewer than 2 * `least` nodes and several clusters otherwise  it is a pile by itself, joined
 *                                                                with all larger ones: a bridge
 *                                                                or a small branch
 *   everything else                                              it is no dust: all its clusters
 *                                                                are shown
 *
 * So folding takes no connection away. Where nothing would be left beside piles there is no dust,
 * unless there are more than 1,000 clusters.
 */
#ifndef MAPPER_DUST_H
#define MAPPER_DUST_H

#include "mapper_summary.h"

typedef enum dgmi_mapper_pile_kind {
    DGMI_MAPPER_PILE_NODES,   /* pieces of the summary that are single nodes */
    DGMI_MAPPER_PILE_PIECES,  /* other small pieces of the summary */
    DGMI_MAPPER_PILE_HANGING, /* the crumbs of one larger cluster */
    DGMI_MAPPER_PILE_CRUMB,   /* one crumb */
} dgmi_mapper_pile_kind;

/* Dust that one mark of a figure shows. */
typedef struct dgmi_mapper_pile {
    dgmi_mapper_pile_kind kind;
    uint32_t first;   /* its first cluster, which stands for all of them */
    uint32_t host;    /* HANGING: the larger cluster */
    int64_t clusters; /* the number of clusters */
    int64_t crumbs;   /* the number of crumbs */
    int64_t nodes;    /* the number of different nodes; where members are not known, the sum of the
                         clusters' sizes */
    bool singles;     /* each crumb is one node */
} dgmi_mapper_pile;

#define DGMI_MAPPER_NO_PILE UINT32_MAX

typedef struct dgmi_mapper_dust {
    dgm_allocator allocator;
    int64_t least;           /* clusters of fewer nodes are small */
    uint32_t *pile;          /* the pile of each cluster, or DGMI_MAPPER_NO_PILE */
    dgmi_mapper_pile *piles; /* in the order of their first clusters */
    int64_t pile_count;
    int64_t clusters, nodes; /* those of all piles; a node counts once, and only if it lies in no
                                cluster that has a mark of its own */
} dgmi_mapper_dust;

/* Finds the dust of a summary, which the caller frees. It costs as much time as there are clusters,
 * edges, and members of small clusters; names of members are sorted. *out is NULL if there is
 * none. */
dgm_status dgmi_mapper_dust_find(dgm_context *ctx, const dgm_summary *summary, int64_t least,
                                 dgmi_mapper_dust **out);
/* Writes into the ledger of a summary how much dust of fewer than `least` nodes it has, unless the
 * ledger says so already. */
dgm_status dgmi_mapper_dust_count(dgm_context *ctx, dgm_summary *summary, int64_t least);
void dgmi_mapper_dust_free(dgmi_mapper_dust *dust); /* NULL is fine */

#endif
