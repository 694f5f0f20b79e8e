/* SPDX-License-Identifier: Apache-2.0 */
/* The Laplacian of a connected graph and its smallest eigenpairs. */
#ifndef SPECTRAL_LAPLACIAN_H
#define SPECTRAL_LAPLACIAN_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

/* A symmetric matrix in sparse rows, without diagonal; values are positive.
 *
 * It may be a block of a larger matrix, whose arrays it borrows: then row i is the larger one's row
 * members[i], columns are numbers of the larger one, and nothing leads out of the block. */
typedef struct dgmi_spectral_adjacency {
    int64_t rows;
    const int64_t *offsets;  /* rows + 1 */
    const uint32_t *columns; /* offsets[rows] */
    const double *values;    /* offsets[rows], or NULL: ones */
    const uint32_t *members; /* ascending, or NULL: this is the whole matrix */
    const uint32_t *place;   /* with members: place[members[i]] = i; others are not looked at */
    int64_t numbers;         /* with members: rows of the larger matrix */
    int64_t entries;         /* with members: those of the block */
} dgmi_spectral_adjacency;

/* The row of `offsets` that has row i. */
static inline int64_t dgmi_spectral_adjacency_row(const dgmi_spectral_adjacency *graph, int64_t i) {
    assert(i >= 0 && i < graph->rows);
    return graph->members ? graph->members[i] : i;
}
/* The column of entry e, as a number of this matrix. */
static inline int64_t dgmi_spectral_adjacency_column(const dgmi_spectral_adjacency *graph,
                                                     int64_t e) {
    return graph->place ? graph->place[graph->columns[e]] : graph->columns[e];
}
static inline int64_t dgmi_spectral_adjacency_entries(const dgmi_spectral_adjacency *graph) {
    return graph->members ? graph->entries : graph->offsets[graph->rows];
}
/* The length of a vector that `columns` point into. */
static inline int64_t dgmi_spectral_adjacency_numbers(const dgmi_spectral_adjacency *graph) {
    return graph->members ? graph->numbers : graph->rows;
}

/* N = B^-1/2 L B^-1/2 with L the Laplacian of a connected graph and B a diagonal: 1 gives the plain
 * Laplacian, the degrees the normalised one. Its null space is spanned by B^1/2 1. */
typedef struct dgmi_spectral_laplacian {
    dgmi_spectral_adjacency graph;
    const double *root; /* B^1/2, or NULL: ones */
} dgmi_spectral_laplacian;

/* to = N from. `scaled` is space for dgmi_spectral_adjacency_numbers values. Sums run over differences,
 * (Ly)_i = sum over j of w_ij (y_i - y_j), which keeps the small eigenvalues of smooth vectors. */
void dgmi_spectral_laplacian_product(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                     const double *from, double *to, double *scaled);
/* The diagonal of N, and a bound of its largest eigenvalue: twice the largest entry. */
double dgmi_spectral_laplacian_diagonal(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                        double *diagonal);

typedef struct dgmi_spectral_eigen_request {
    int64_t count; /* eigenpairs wanted after the one of 0, below the number of rows */
    double
        tolerance; /* |Nx - lambda x| <= tolerance * lambda, |x| = 1, as far as rounding allows */
    int64_t steps; /* at most this many extensions of the search space */
    uint64_t seed; /* of the starting vectors */
    int64_t
        core_from; /* a matrix of more entries has a core, which no inverse is made of; 0: 2^24 */
} dgmi_spectral_eigen_request;

typedef struct dgmi_spectral_eigen_report {
    bool converged;
    int64_t steps;    /* taken */
    int64_t products; /* N times a vector */
    int64_t solves;   /* applications of the approximate inverse; 0: it was not needed */
    int64_t fill;     /* entries of the approximate inverse */
    int64_t filters;  /* applications of a polynomial, whose products are among those above */
    int64_t shifted_at, inverted_at; /* the steps at which an inverse with a shift, and one without,
                                        was made; -1: none was */
} dgmi_spectral_eigen_report;

/* The eigenpairs 2 .. count + 1 of N, eigenvalues ascending: vectors[i * rows ..] of unit length,
 * orthogonal to each other and to B^1/2 1, values[i] and residuals[i] = |Nx - lambda x|. DGM_OK
 * with report->converged false where the steps did not suffice: vectors are then the best so far.
 */
dgm_status dgmi_spectral_laplacian_eigen(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                         const dgmi_spectral_eigen_request *request,
                                         double *vectors, double *values, double *residuals,
                                         dgmi_spectral_eigen_report *report);
/* About the bytes of scratch memory that this takes for `count` eigenpairs, at least (convergence
 * is quick) and at most (an inverse is made). */
void dgmi_spectral_laplacian_eigen_bytes(const dgmi_spectral_adjacency *graph, int64_t count,
                                         double *least, double *most);

#endif
