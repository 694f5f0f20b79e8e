/* SPDX-License-Identifier: Apache-2.0 */
/* An approximate inverse of a graph's Laplacian by random elimination. */
#ifndef SPECTRAL_ELIMINATION_H
#define SPECTRAL_ELIMINATION_H

#include "spectral_laplacian.h"

/* Nodes in the order in which they went. Step p, of weight W = 1 / pivots[p], gave its neighbours
 * at later steps neighbours[e] the shares shares[e] = w / W. */
typedef struct dgmi_spectral_elimination {
    dgm_allocator allocator;
    int64_t rows, entries;
    double shift;         /* of L - shift B, of which this is about the inverse */
    uint32_t *order;      /* the node of step p */
    double *pivots;       /* 0: the last node */
    int64_t *offsets;     /* rows + 1 */
    uint32_t *neighbours; /* entries */
    float *shares;        /* entries */
} dgmi_spectral_elimination;

/* O(entries log rows) time. Where the graph has more than `ends` ends of edges, only nodes of few
 * neighbours, which have at most that many, are eliminated. At most about `most` entries. What is
 * left stays diagonal.
 *
 * `shift`, at least 0, makes it an inverse of L - shift B, which tells eigenvalues of B^-1 L that
 * are little above the shift well from others. It is lowered where one is found below it. */
dgm_status dgmi_spectral_elimination_create(dgm_context *ctx,
                                            const dgmi_spectral_laplacian *laplacian, double shift,
                                            uint64_t seed, int64_t ends, int64_t most,
                                            dgmi_spectral_elimination *out);
/* The ends of edges at nodes that would be eliminated. */
int64_t dgmi_spectral_elimination_listed(const dgmi_spectral_adjacency *graph, int64_t ends);
/* About the bytes that it takes, while it is made, if that many ends are listed. */
double dgmi_spectral_elimination_bytes(const dgmi_spectral_adjacency *graph, int64_t ends);
void dgmi_spectral_elimination_free(
    dgmi_spectral_elimination *elimination); /* a struct of zeros is fine */
/* x = M x, M symmetric and about the (pseudo-)inverse, without a shift up to a multiple of 1.
 * `space` holds one vector. */
void dgmi_spectral_elimination_solve(const dgmi_spectral_elimination *elimination, double *x,
                                     double *space);

#endif
