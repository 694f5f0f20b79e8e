/* SPDX-License-Identifier: Apache-2.0 */
/* One connected piece while it is laid out by stress: distances are found, then places to start
 * from, the stress is lowered, and the piece is turned. */
#ifndef LAYOUT_PIECE_H
#define LAYOUT_PIECE_H

#include "layout_layout.h"

/* Marks are moved in blocks of this many, and the arrays of a piece are padded to a multiple. */
enum { DGMI_LAYOUT_PIECE_BLOCK = 256 };

typedef struct dgmi_layout_piece {
    dgmi_layout_graph graph;  /* its links; the marks of the piece are numbered from 0 */
    const uint32_t *member;   /* the mark of the whole layout that each of them is */
    int64_t padded;           /* the number of marks, rounded up to a multiple of the block */
    float *x, *y;             /* the places of the marks */
    float *start_x, *start_y; /* their places at the start, around 0 and of extent about 1 */
    uint8_t *known;           /* whether a mark has a start; none has if all starts coincide */
    float scale;              /* the factor from the units of the start to links */
    uint64_t seed, stream;    /* the seed and the stream of random numbers of this piece */
    float anchor;             /* as in dgm_layout_options */
} dgmi_layout_piece;

/* The number of hops between all pairs of marks, in rounds. Round r has the pairs a < b with
 * a + b = r modulo the number of marks, so that no mark is in two pairs of a round. First come
 * a = 0, 1, .. with b = r - a, then a = r + 1, .. with b = marks + r - a. */
typedef struct dgmi_layout_rounds {
    int64_t marks, stride; /* the number of marks, and of entries that a round has in `hops` */
    const uint16_t *hops;
    uint16_t farthest; /* the largest number of hops */
} dgmi_layout_rounds;
static inline int64_t dgmi_layout_round_low(int64_t round) {
    return (round + 1) / 2;
}
static inline int64_t dgmi_layout_round_high(int64_t marks, int64_t round) {
    return (marks - 1 - round) / 2;
}

/* Pivots are some marks that lie far from each other, and the number of hops from each of them to
 * all marks. They are found by Gonzalez' k-center: the next pivot is the mark that is farthest from
 * the pivots so far. */
typedef struct dgmi_layout_pivot_set {
    int64_t count, stride; /* the number of pivots, and of entries that each has in `hops` */
    uint32_t *mark;        /* the mark of each pivot */
    float *hops;           /* from each pivot to all marks; 0 in the padding */
    uint32_t *nearest;     /* the nearest pivot of each mark, the first of equal ones */
    float farthest;        /* the largest number of hops */
} dgmi_layout_pivot_set;

enum {
    DGMI_LAYOUT_MOST_EXACT = 30000, /* the most marks whose hops fit into 16 bits */
    DGMI_LAYOUT_SWEEPS = 30         /* the number of sweeps of a descent over all pairs or pivots */
};
/* Returns how many pivots a piece of that many marks has. */
static inline int64_t dgmi_layout_pivot_count(int64_t marks) {
    return marks > 50000 ? 100 : 200;
}

/* Both take scratch memory. */
dgm_status dgmi_layout_piece_rounds(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    dgmi_layout_rounds *out);
dgm_status dgmi_layout_piece_pivots(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    int64_t wanted, dgmi_layout_pivot_set *out);
/* Finds the number of hops from a mark to all marks, -1 if there is no way, and returns the mark
 * that was reached last. `queue` has room for all marks. */
uint32_t dgmi_layout_piece_hops(const dgmi_layout_graph *graph, uint32_t from, float *hops,
                                uint32_t *queue);

/* Finds the places from which the descent starts, in units of links: the start of the piece, and
 * for marks without one a place beside their neighbours. If no mark has a start, all places come
 * from pivots. Either `rounds` or `pivots` is given. */
dgm_status dgmi_layout_piece_start(dgm_context *ctx, dgmi_layout_piece *piece,
                                   const dgmi_layout_rounds *rounds,
                                   const dgmi_layout_pivot_set *pivots);

/* Multiplies all places by the factor that has the least stress, measured on some of the pairs. */
void dgmi_layout_piece_scale(dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds,
                             const dgmi_layout_pivot_set *pivots);

/* Lower the stress, the first over all pairs, the second over links and pivots. */
dgm_status dgmi_layout_piece_descend_exact(dgm_context *ctx, dgmi_layout_piece *piece,
                                           const dgmi_layout_rounds *rounds);
dgm_status dgmi_layout_piece_descend_sparse(dgm_context *ctx, dgmi_layout_piece *piece,
                                            const dgmi_layout_pivot_set *pivots);

/* Spreads the leaves of hubs that have many of them evenly around the hub. Pieces that are laid out
 * by pivots need this (layout_fans.c). */
void dgmi_layout_piece_open_fans(dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots);

/* Turns and mirrors the piece so that it lies as its start did, or on its long side if it has no
 * start, and moves its middle (that of its marks with a start) to 0. */
void dgmi_layout_piece_align(dgmi_layout_piece *piece);

#endif
