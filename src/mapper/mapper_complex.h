/* SPDX-License-Identifier: Apache-2.0 */
/* A simplicial complex, given as the union of its largest simplices, and two ways to make it
 * smaller without changing its loops. */
#ifndef MAPPER_COMPLEX_H
#define MAPPER_COMPLEX_H

#include "mapper_stages.h"

/* The corners of each simplex and the simplices of each vertex, both ascending. The largest
 * simplices come first. It is all scratch memory. */
typedef struct dgmi_mapper_complex {
    int64_t vertices, simplices;
    int64_t *simplex_start; /* simplices + 1 positions in `corners` */
    uint32_t *corners;      /* the vertices of each simplex */
    int64_t *vertex_start;  /* vertices + 1 positions in `around` */
    uint32_t *around;       /* the simplices of each vertex */
    int64_t largest;        /* the number of corners of the largest simplex */
    bool repeats;           /* a simplex may occur twice */
    bool pruned;            /* no simplex lies inside another */
    /* How often a simplex or a vertex was compared with another one to make the complex smaller.
     * After about `most_looks` of them it stays as it is. */
    int64_t looks, most_looks;
} dgmi_mapper_complex;

/* Makes the nerve over the kept clusters (`kept` NULL: all are), with one simplex per bundle.
 * Vertices are clusters; those that meet no other cluster are in no simplex. */
dgm_status dgmi_mapper_complex_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const bool *kept, dgmi_mapper_complex *complex);
/* Leaves out simplices that lie inside others. The complex stays the same. */
dgm_status dgmi_mapper_complex_prune(dgm_context *ctx, dgmi_mapper_complex *complex);
/* Leaves out dominated vertices too, until none is left (mapper_complex.c says what that means).
 * The homotopy type stays the same, and vertices keep their numbers. */
dgm_status dgmi_mapper_complex_collapse(dgm_context *ctx, dgmi_mapper_complex *complex);

#endif
