/* SPDX-License-Identifier: Apache-2.0 */
/* The edges of a complex (its 1-skeleton), and as few of its triangles as are needed to span the
 * boundaries of all. */
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
    int64_t *row;   /* vertices + 1 numbers: the first edge with this smaller end */
    uint64_t *keys; /* the ends of each edge, as dgmi_mapper_pair puts them into a word */
    /* The apex of each edge {a, b}, a < b: the smallest w < a such that {w, a, b} is a triangle, or
     * DGMI_MAPPER_NO_APEX. */
    uint32_t *apex;
    int64_t apexes; /* how many edges have an apex */
    /* Further triangles. Together with those of the apexes they span the boundaries of all. */
    dgmi_mapper_triangle *more;
    int64_t more_count;
    int64_t triangles; /* the number of all triangles, if they were to be counted */
} dgmi_mapper_skeleton;

dgm_status dgmi_mapper_skeleton_make(dgm_context *ctx, const dgmi_mapper_complex *complex,
                                     bool count_triangles, dgmi_mapper_skeleton *skeleton);
/* Returns the number of an edge, which must exist. */
int64_t dgmi_mapper_skeleton_edge(const dgmi_mapper_skeleton *skeleton, uint32_t a, uint32_t b);

#endif
