/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of a complex that are not filled by triangles: its 1-cycles modulo boundaries, with
 * coefficients mod 2. A cycle is a vector of bits, one for each edge outside a spanning forest. */
#ifndef MAPPER_CYCLES_H
#define MAPPER_CYCLES_H

#include "mapper_skeleton.h"

#define DGMI_MAPPER_NO_PLACE UINT32_MAX

/* All of it is scratch memory, except for the vectors in `leads`. */
typedef struct dgmi_mapper_cycles {
    dgm_context *ctx;
    const dgmi_mapper_skeleton *skeleton;
    uint32_t *place;   /* the bit of each edge; DGMI_MAPPER_NO_PLACE: the edge is in the forest */
    uint32_t *edge_at; /* the edge of each bit */
    int64_t places;    /* the number of bits */
    int64_t open;      /* how many bits are the highest of no known vector: these are loops that are
                          not sums of known vectors */
    uint32_t **leads;  /* for each bit, the known vector whose highest bit it is; owned */
    int64_t *lengths;  /* the lengths of these vectors */
    uint64_t *bits;    /* the vector that is being reduced */
    int64_t top;       /* no bit of it above this one is set */
    int64_t ones;      /* how many of its bits are set */
    uint32_t *up;      /* the parent of each vertex in the forest; a root is its own */
    uint32_t *depth;   /* the depth of each vertex in the forest */
} dgmi_mapper_cycles;

/* Makes the forest and adds all boundaries to the known vectors. The caller holds the arena, and
 * closes the cycles whatever this returns. */
dgm_status dgmi_mapper_cycles_open(dgm_context *ctx, const dgmi_mapper_skeleton *skeleton,
                                   dgmi_mapper_cycles *cycles);
void dgmi_mapper_cycles_close(dgmi_mapper_cycles *cycles);

/* Returns whether the bit is the highest of no known vector. */
bool dgmi_mapper_cycles_is_open(const dgmi_mapper_cycles *cycles, int64_t place);
/* Adds an edge to the vector that is being reduced. */
void dgmi_mapper_cycles_add(dgmi_mapper_cycles *cycles, int64_t edge);
/* Reduces that vector by the known vectors. If something is left, it becomes a known vector and
 * *fresh is true. The vector is zero afterwards. */
dgm_status dgmi_mapper_cycles_settle(dgmi_mapper_cycles *cycles, bool *fresh);

#endif
