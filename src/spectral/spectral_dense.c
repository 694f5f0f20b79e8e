/* SPDX-License-Identifier: Apache-2.0 */
/* Solves the dense symmetric eigenproblem: Householder reflections give a tridiagonal matrix, and
 * QL with implicit shifts its eigenvalues (Wilkinson; Golub and Van Loan, Matrix Computations,
 * section 8.3). It serves the small matrices inside iterative methods, up to some hundred rows.
 */
#include "spectral_dense.h"

#include <assert.h>
#include <float.h>
#include <math.h>

enum { MOST_SWEEPS = 60 };

/* One reflection H = I - 2 v v' / v'v with H x = (alpha, 0, ..., 0); v replaces x. Returns alpha
 * and *scale = 2 / v'v, 0 where x is a multiple of the first axis already. */
static double reflect(int64_t size, double *x, double *scale) {
    double rest = 0, largest = 0;
    for (int64_t i = 1; i < size; i++)
        largest = fmax(largest, fabs(x[i]));
    *scale = 0;
    if (largest == 0)
        return size > 0 ? x[0] : 0;
    largest = fmax(largest, fabs(x[0]));
    for (int64_t i = 0; i < size; i++)
        rest += (x[i] / largest) * (x[i] / largest);
    double alpha = largest * sqrt(rest);
    if (x[0] > 0)
        alpha = -alpha;
    /* v = x - alpha e1 has no cancellation; v'v / 2 = alpha (alpha - x0). Scaled to v0 = 1. */
    double first = x[0] - alpha;
    for (int64_t i = 1; i < size; i++)
        x[i] /= first;
    x[0] = 1;
    *scale = -first / alpha;
    return alpha;
}

/* A <- H A H on the trailing block, A symmetric with both triangles kept, H = I - s v v'. */
static void reflect_both_sides(int64_t count, int64_t stride, double *a, const double *v, double s,
                               double *p) {
    double half = 0;
    for (int64_t i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t j = 0; j < count; j++)
            sum += a[i * stride + j] * v[j];
        p[i] = s * sum;
        half += p[i] * v[i];
    }
    half *= s / 2;
    for (int64_t i = 0; i < count; i++)
        p[i] -= half * v[i];
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++)
            a[i * stride + j] -= v[i] * p[j] + p[i] * v[j];
}

/* `a` holds the matrix and becomes the transformation, rows being the basis vectors; diagonal and
 * beside[i] = T(i, i + 1) describe the tridiagonal T. */
static void make_tridiagonal(int64_t size, double *a, double *diagonal, double *beside) {
    /* beside doubles as work space of the reflection; its entries up to `column` are final. */
    for (int64_t column = 0; column + 1 < size; column++) {
        int64_t trailing = size - column - 1;
        double *v = a + column * size + column + 1, scale; /* the row is the column: symmetric */
        double off = reflect(trailing, v, &scale);
        if (scale != 0)
            reflect_both_sides(trailing, size, a + (column + 1) * size + column + 1, v, scale,
                               beside + column + 1);
        a[(column + 1) * size + column] = scale; /* kept for the way back */
        beside[column] = off;
    }
    beside[size - 1] = 0;
    for (int64_t i = 0; i < size; i++)
        diagonal[i] = a[i * size + i];
    /* Rows of Q' = H_last ... H_first, built from the last reflection back; block by block the
     * matrix gives way to it. Row c of A holds v_c from c + 1 on. */
    for (int64_t column = size - 1; column >= 0; column--) {
        double *row = a + column * size;
        int64_t left = size - column - 1;
        if (left > 0) {
            const double *v = row + column + 1;
            double scale = a[(column + 1) * size + column];
            /* The block from column + 1 on holds Q'_inner; times H on the right. */
            for (int64_t i = column + 1; scale != 0 && i < size; i++) {
                double *inner = a + i * size + column + 1, sum = 0;
                for (int64_t j = 0; j < left; j++)
                    sum += inner[j] * v[j];
                for (int64_t j = 0; j < left; j++)
                    inner[j] -= scale * sum * v[j];
            }
        }
        for (int64_t i = column + 1; i < size; i++)
            a[i * size + column] = row[i] = 0;
        row[column] = 1;
    }
}

static void rotate(int64_t size, double *upper, double *lower, double c, double s) {
    for (int64_t k = 0; k < size; k++) {
        double low = lower[k];
        lower[k] = s * upper[k] + c * low;
        upper[k] = c * upper[k] - s * low;
    }
}

/* One implicit QL step on rows first .. last of the tridiagonal, shifted by the eigenvalue of its
 * leading 2 x 2 block that is nearer to d[first]. */
static void ql_step(int64_t size, int64_t first, int64_t last, double *d, double *e, double *q) {
    double g = (d[first + 1] - d[first]) / (2 * e[first]);
    double r = hypot(g, 1);
    g = d[last] - d[first] + e[first] / (g + copysign(r, g));
    double s = 1, c = 1, p = 0;
    int64_t i;
    for (i = last - 1; i >= first; i--) {
        double f = s * e[i], b = c * e[i];
        e[i + 1] = r = hypot(f, g);
        if (r == 0) { /* the block splits here */
            d[i + 1] -= p;
            break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        d[i + 1] = g + (p = s * r);
        g = c * r - b;
        rotate(size, q + i * size, q + (i + 1) * size, c, s);
    }
    if (i < first) {
        d[first] -= p;
        e[first] = g;
    }
    e[last] = 0;
}

static bool ql(int64_t size, double *d, double *e, double *q) {
    for (int64_t first = 0; first < size; first++)
        for (int sweep = 0;; sweep++) {
            int64_t last = first;
            while (last + 1 < size &&
                   fabs(e[last]) > DBL_EPSILON * fabs(d[last]) + DBL_EPSILON * fabs(d[last + 1]))
                last++;
            if (last == first)
                break;
            if (sweep == MOST_SWEEPS)
                return false;
            ql_step(size, first, last, d, e, q);
        }
    return true;
}

/* Ascending by selection: few swaps of whole vectors. */
static void sort_pairs(int64_t size, double *values, double *vectors) {
    for (int64_t i = 0; i + 1 < size; i++) {
        int64_t least = i;
        for (int64_t j = i + 1; j < size; j++)
            if (values[j] < values[least])
                least = j;
        if (least == i)
            continue;
        double value = values[i];
        values[i] = values[least];
        values[least] = value;
        for (int64_t k = 0; k < size; k++) {
            double entry = vectors[i * size + k];
            vectors[i * size + k] = vectors[least * size + k];
            vectors[least * size + k] = entry;
        }
    }
}

static bool all_finite(int64_t count, const double *x) {
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

bool dgmi_spectral_dense_eigen(int64_t size, const double *matrix, double *values, double *vectors,
                               double *space) {
    assert(size >= 0 && matrix != vectors);
    if (size == 0)
        return true;
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j <= i; j++)
            vectors[i * size + j] = vectors[j * size + i] = matrix[i * size + j];
    if (!all_finite(size * size, vectors))
        return false;
    make_tridiagonal(size, vectors, values, space);
    if (!ql(size, values, space, vectors) || !all_finite(size, values))
        return false;
    sort_pairs(size, values, vectors);
    return true;
}
