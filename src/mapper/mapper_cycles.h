/* SPDX-License-Identifier: Apache-2.0 */
/* The 1-cycles of a complex, modulo boundaries, with coefficients mod 2. */
#ifndef MAPPER_CYCLES_H
#define MAPPER_CYCLES_H

#include "mapper_skeleton.h"

#define DGMI_MAPPER_NO_PLACE UINT32_MAX

/* Scratch memory but for vectors that were reduced. */
typedef struct dgmi_mapper_cycles {
    dgm_context *ctx;
    const dgmi_mapper_skeleton *skeleton;
    uint32_t *place;   /* by edge: in vectors; DGMI_MAPPER_NO_PLACE: it is of the forest */
    uint32_t *edge_at; /* by place */
    int64_t places;
    int64_t open;     /* places that lead no vector: loops that are no sum of what is known */
    uint32_t **leads; /* by place: the vector whose highest one it is; owned */
    int64_t *lengths; /* of the leads */
    uint64_t *bits;   /* the vector at work */
    int64_t top;      /* no one in bits above it */
    int64_t ones;     /* in bits */
    uint32_t *up;     /* forest: the vertex above, itself at a root */
    uint32_t *depth;
} dgmi_mapper_cycles;

/* After this, all boundaries are known. The caller holds the arena, and closes the cycles
 * whatever this returns. */
dgm_status dgmi_mapper_cycles_open(dgm_context *ctx, const dgmi_mapper_skeleton *skeleton,
                                   dgmi_mapper_cycles *cycles);
void dgmi_mapper_cycles_close(dgmi_mapper_cycles *cycles);

/* Whether the edge's place leads no vector. */
bool dgmi_mapper_cycles_is_open(const dgmi_mapper_cycles *cycles, int64_t place);
/* Adds an edge to the vector at work. */
void dgmi_mapper_cycles_add(dgmi_mapper_cycles *cycles, int64_t edge);
/* Reduces the vector at work by the vectors that are known. If something is left, it is known from
 * now on and *fresh is true. The vector at work is zero afterwards. */
dgm_status dgmi_mapper_cycles_settle(dgmi_mapper_cycles *cycles, bool *fresh);

#endif
