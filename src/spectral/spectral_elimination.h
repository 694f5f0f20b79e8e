/* SPDX-License-Identifier: Apache-2.0 */
/* An approximate inverse of the Laplacian of a graph, by random elimination of its nodes
 * (spectral_elimination.c names the papers). */
#ifndef SPECTRAL_ELIMINATION_H
#define SPECTRAL_ELIMINATION_H

#include "spectral_laplacian.h"

/* The nodes in the order in which they were eliminated. The node of step p had the weight
 * W = 1 / pivots[p]. Its neighbours were eliminated at the later steps neighbours[e], and edge e of
 * weight w has the share shares[e] = w / W. */
typedef struct dgmi_spectral_elimination {
    dgm_allocator allocator;
    int64_t rows, entries;
    double shift;         /* this is about the inverse of L - shift B */
    uint32_t *order;      /* the node of each step */
    double *pivots;       /* the inverse weight of each step; 0 for the last node */
    int64_t *offsets;     /* rows + 1 positions in the next two arrays */
    uint32_t *neighbours; /* the steps of the neighbours */
    float *shares;        /* their shares */
} dgmi_spectral_elimination;

/* Eliminates the nodes of a graph in O(entries log rows) time. If the graph has more than `ends`
 * ends of edges, only nodes with few neighbours are eliminated, which have at most that many ends
 * together. The result has at most about `most` entries. The nodes that are left stay diagonal.
 *
 * With a `shift` above 0 it is an inverse of L - shift B, which separates eigenvalues of B^-1 L
 * that are a little above the shift well from others. If an eigenvalue below the shift is found,
 * the shift is lowered. */
dgm_status dgmi_spectral_elimination_create(dgm_context *ctx,
                                            const dgmi_spectral_laplacian *laplacian, double shift,
                                            uint64_t seed, int64_t ends, int64_t most,
                                            dgmi_spectral_elimination *out);
/* Returns the number of ends of edges at the nodes that would be eliminated. */
int64_t dgmi_spectral_elimination_listed(const dgmi_spectral_adjacency *graph, int64_t ends);
/* Returns about how many bytes the elimination takes while it is made, with that many ends. */
double dgmi_spectral_elimination_bytes(const dgmi_spectral_adjacency *graph, int64_t ends);
void dgmi_spectral_elimination_free(
    dgmi_spectral_elimination *elimination); /* a struct of zeros is fine */
/* Computes x = M x, where M is symmetric and about the (pseudo-)inverse. Without a shift the result
 * is right up to a multiple of the vector of ones. `space` holds one vector. */
void dgmi_spectral_elimination_solve(const dgmi_spectral_elimination *elimination, double *x,
                                     double *space);

#endif
