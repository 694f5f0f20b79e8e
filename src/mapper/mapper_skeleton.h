/* SPDX-License-Identifier: Apache-2.0 */
/* The 1-skeleton of a complex and triangles that span all boundaries. */
#ifndef MAPPER_SKELETON_H
#define MAPPER_SKELETON_H

#include "mapper_complex.h"

#define DGMI_MAPPER_NO_APEX UINT32_MAX

typedef struct dgmi_mapper_triangle {
    uint32_t v[3]; /* ascending vertices */
} dgmi_mapper_triangle;

/* Edges are numbered by their smaller, then by their larger end. Scratch memory. */
typedef struct dgmi_mapper_skeleton {
    int64_t vertices, edges;
    int64_t *row;   /* vertices + 1: first edge with this smaller end */
    uint64_t *keys; /* dgmi_mapper_pair */
    /* By edge {a, b}: the smallest w such that {w, a, b} is a triangle and w < a < b, if any. */
    uint32_t *apex;
    int64_t apexes;
    /* With those triangles, these span the boundaries of all. */
    dgmi_mapper_triangle *more;
    int64_t more_count;
    int64_t triangles; /* all of them; only where they were to be counted */
} dgmi_mapper_skeleton;

dgm_status dgmi_mapper_skeleton_make(dgm_context *ctx, const dgmi_mapper_complex *complex,
                                     bool count_triangles, dgmi_mapper_skeleton *skeleton);
/* The number of an edge, which must exist. */
int64_t dgmi_mapper_skeleton_edge(const dgmi_mapper_skeleton *skeleton, uint32_t a, uint32_t b);

#endif
