/* SPDX-License-Identifier: Apache-2.0 */
/* One connected piece while its stress is lowered: distances, start, descent, orientation. */
#ifndef LAYOUT_PIECE_H
#define LAYOUT_PIECE_H

#include "layout_layout.h"

enum {
    DGMI_LAYOUT_PIECE_BLOCK = 256
}; /* marks moved together; arrays of a piece are padded to it */

typedef struct dgmi_layout_piece {
    dgmi_layout_graph graph;  /* its own numbers */
    const uint32_t *member;   /* the mark of each */
    int64_t padded;           /* marks, up to a multiple of the block */
    float *x, *y;             /* where they are */
    float *start_x, *start_y; /* where they were, around 0, of extent about 1 */
    uint8_t *known;           /* the start was finite; no mark's was where all coincided */
    float scale;              /* from start to links */
    uint64_t seed, stream;    /* of what is random in this piece */
    float anchor;
} dgmi_layout_piece;

/* Hops between all pairs, in rounds: round r has the pairs a < b with a + b = r modulo marks, so
 * that no mark is in two pairs of a round. First a = 0, 1, .. with b = r - a, then a = r + 1, ..
 * with b = marks + r - a. */
typedef struct dgmi_layout_rounds {
    int64_t marks, stride; /* of a round in `hops` */
    const uint16_t *hops;
    uint16_t farthest;
} dgmi_layout_rounds;
static inline int64_t dgmi_layout_round_low(int64_t round) {
    return (round + 1) / 2;
}
static inline int64_t dgmi_layout_round_high(int64_t marks, int64_t round) {
    return (marks - 1 - round) / 2;
}

/* Hops from some marks that lie far from each other (Gonzalez' k-center: the next is farthest from
 * those that are there). */
typedef struct dgmi_layout_pivot_set {
    int64_t count, stride;
    uint32_t *mark;
    float *hops;       /* count * stride; 0 in the padding */
    uint32_t *nearest; /* of each mark, the first of equals */
    float farthest;    /* of all hops */
} dgmi_layout_pivot_set;

enum {
    DGMI_LAYOUT_MOST_EXACT = 30000, /* hops fit into 16 bits */
    DGMI_LAYOUT_SWEEPS = 30         /* of a descent, over all pairs or all pivots */
};
/* How many pivots a piece of that many marks has. */
static inline int64_t dgmi_layout_pivot_count(int64_t marks) {
    return marks > 50000 ? 100 : 200;
}

/* Scratch memory. */
dgm_status dgmi_layout_piece_rounds(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    dgmi_layout_rounds *out);
dgm_status dgmi_layout_piece_pivots(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    int64_t wanted, dgmi_layout_pivot_set *out);
/* Hops from a mark, -1 where there is no way; `queue` holds a mark each. The last reached. */
uint32_t dgmi_layout_piece_hops(const dgmi_layout_graph *graph, uint32_t from, float *hops,
                                uint32_t *queue);

/* Places from the start, in units of links: unknown ones beside their neighbours, all of them from
 * pivots where none is known. Either `rounds` or `pivots` is given. */
dgm_status dgmi_layout_piece_start(dgm_context *ctx, dgmi_layout_piece *piece,
                                   const dgmi_layout_rounds *rounds,
                                   const dgmi_layout_pivot_set *pivots);

/* Stretches places to the scale of least stress, over some of the pairs. */
void dgmi_layout_piece_scale(dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds,
                             const dgmi_layout_pivot_set *pivots);

/* Lowers the stress. */
dgm_status dgmi_layout_piece_descend_exact(dgm_context *ctx, dgmi_layout_piece *piece,
                                           const dgmi_layout_rounds *rounds);
dgm_status dgmi_layout_piece_descend_sparse(dgm_context *ctx, dgmi_layout_piece *piece,
                                            const dgmi_layout_pivot_set *pivots);

/* The leaves of hubs that have many, evenly around them: for pieces laid out by pivots. */
void dgmi_layout_piece_open_fans(dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots);

/* Turns and mirrors the piece so that it lies as its start did, one without a start on its long
 * side, its middle (that of its known marks) at 0. */
void dgmi_layout_piece_align(dgmi_layout_piece *piece);

#endif
