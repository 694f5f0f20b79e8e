/* SPDX-License-Identifier: Apache-2.0 */
/* A simplicial complex as the union of simplices, and what can be left out of it. */
#ifndef MAPPER_COMPLEX_H
#define MAPPER_COMPLEX_H

#include "mapper_stages.h"

/* Simplices by their corners and corners by their simplices, both ascending; scratch memory. */
typedef struct dgmi_mapper_complex {
    int64_t vertices, simplices;
    int64_t *simplex_start; /* simplices + 1 */
    uint32_t *corners;
    int64_t *vertex_start; /* vertices + 1 */
    uint32_t *around;      /* simplices of a vertex */
    int64_t largest;       /* corners of a simplex */
} dgmi_mapper_complex;

/* Makes the nerve over the kept clusters (`kept` NULL: all are), with one simplex per bundle.
 * Vertices are clusters; those that meet no other cluster are in no simplex. */
dgm_status dgmi_mapper_complex_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const bool *kept, dgmi_mapper_complex *complex);
/* Leaves out simplices that lie inside others. The complex stays the same. */
dgm_status dgmi_mapper_complex_prune(dgm_context *ctx, dgmi_mapper_complex *complex);
/* Leaves out dominated vertices too, until there is none: the homotopy type is the same. Vertices
 * keep their numbers. */
dgm_status dgmi_mapper_complex_collapse(dgm_context *ctx, dgmi_mapper_complex *complex);

#endif
