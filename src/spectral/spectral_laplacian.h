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
    const int64_t *offsets;  /* positions in the next two arrays, one more than there are rows */
    const uint32_t *columns; /* the columns of the entries */
    const double *values;    /* the values of the entries; NULL: all are 1 */
    const uint32_t *members; /* the rows of a block, ascending; NULL: this is the whole matrix */
    const uint32_t *place;   /* of a block: place[members[i]] = i; other places are not read */
    int64_t numbers;         /* of a block: the number of rows of the larger matrix */
    int64_t entries;         /* of a block: the number of its entries */
} dgmi_spectral_adjacency;

/* Returns the row of the arrays that holds row i. */
static inline int64_t dgmi_spectral_adjacency_row(const dgmi_spectral_adjacency *graph, int64_t i) {
    assert(i >= 0 && i < graph->rows);
    return graph->members ? graph->members[i] : i;
}
/* Returns the column of entry e, as a number of this matrix. */
static inline int64_t dgmi_spectral_adjacency_column(const dgmi_spectral_adjacency *graph,
                                                     int64_t e) {
    return graph->place ? graph->place[graph->columns[e]] : graph->columns[e];
}
static inline int64_t dgmi_spectral_adjacency_entries(const dgmi_spectral_adjacency *graph) {
    return graph->members ? graph->entries : graph->offsets[graph->rows];
}
/* Returns the length of a vector that has an entry for every number in `columns`. */
static inline int64_t dgmi_spectral_adjacency_numbers(const dgmi_spectral_adjacency *graph) {
    return graph->members ? graph->numbers : graph->rows;
}

/* N = B^-1/2 L B^-1/2 with L the Laplacian of a connected graph and B a diagonal: 1 gives the plain
 * Laplacian, the degrees the normalised one. Its null space is spanned by B^1/2 1. */
typedef struct dgmi_spectral_laplacian {
    dgmi_spectral_adjacency graph;
    const double *root; /* the diagonal of B^1/2; NULL: ones */
} dgmi_spectral_laplacian;

/* Computes to = N from. `scaled` is room for dgmi_spectral_adjacency_numbers values. The sums run
 * over differences, (Ly)_i = sum over j of w_ij (y_i - y_j), so that small eigenvalues of smooth
 * vectors are not lost to rounding. */
void dgmi_spectral_laplacian_product(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                     const double *from, double *to, double *scaled);
/* Computes the diagonal of N, and returns a bound of its largest eigenvalue: twice the largest
 * entry. */
double dgmi_spectral_laplacian_diagonal(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                        double *diagonal);

typedef struct dgmi_spectral_eigen_request {
    int64_t count;     /* how many eigenpairs are wanted after that of 0; less than the rows */
    double tolerance;  /* |Nx - lambda x| <= tolerance * lambda for |x| = 1, as far as rounding
                          allows */
    int64_t steps;     /* the most extensions of the search space */
    uint64_t seed;     /* the seed of the starting vectors */
    int64_t core_from; /* a matrix with more entries has a core, of which no inverse is made; 0
                          means 2^24 */
} dgmi_spectral_eigen_request;

typedef struct dgmi_spectral_eigen_report {
    bool converged;
    int64_t steps;    /* the number of steps that were taken */
    int64_t products; /* the number of products of N with a vector */
    int64_t solves;   /* how often the approximate inverse was applied; 0: it was not needed */
    int64_t fill;     /* the number of entries of the approximate inverse */
    int64_t filters;  /* how often a polynomial was applied; its products are counted above */
    int64_t shifted_at, inverted_at; /* the steps at which an inverse with a shift, and one without,
                                        was made; -1: none was */
} dgmi_spectral_eigen_report;

/* Finds the eigenpairs of the 2nd to the (count + 1)th smallest eigenvalue of N. The vector of
 * values[i] begins at vectors[i * rows]; vectors have unit length and are orthogonal to each other
 * and to B^1/2 1. residuals[i] is |Nx - lambda x|. If the steps were not enough, it returns DGM_OK,
 * report->converged is false, and the vectors are the best so far. */
dgm_status dgmi_spectral_laplacian_eigen(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                         const dgmi_spectral_eigen_request *request,
                                         double *vectors, double *values, double *residuals,
                                         dgmi_spectral_eigen_report *report);
/* Estimates the bytes of scratch memory that this takes for `count` eigenpairs: at least, if
 * convergence is quick, and at most, if an inverse is made. */
void dgmi_spectral_laplacian_eigen_bytes(const dgmi_spectral_adjacency *graph, int64_t count,
                                         double *least, double *most);
/* Finds the same eigenpairs from the dense matrix, for a graph of few rows (spectral_few.c). */
dgm_status dgmi_spectral_laplacian_eigen_few(dgm_context *ctx,
                                             const dgmi_spectral_laplacian *laplacian,
                                             int64_t count, double *vectors, double *values,
                                             double *residuals);

#endif
