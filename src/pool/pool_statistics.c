/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_statistics.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), by the
 * method of Lentz (1976): it converges quickly for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x) {
    enum { MOST_TERMS = 500 };
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m <= MOST_TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        value *= d * c;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        value *= d * c;
        if (fabs(d * c - 1) < 4 * DBL_EPSILON)
            break;
    }
    return value;
}

/* The regularised incomplete beta function at x, with y = 1 - x, which the caller knows better than
 * a subtraction would. */
static double incomplete_beta(double a, double b, double x, double y) {
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double dgmi_pool_student_p(double t, double freedom) {
    assert(freedom > 0);
    double square = t * t, all = freedom + square;
    return isinf(all) ? 0 : incomplete_beta(freedom / 2, 0.5, freedom / all, square / all);
}

/* By halving: p falls as t grows. */
double dgmi_pool_student_quantile(double p, double freedom) {
    assert(p > 0 && p < 1);
    double low = 0, high = 1;
    while (dgmi_pool_student_p(high, freedom) > p)
        high *= 2;
    for (int i = 0; i < 200 && high - low > high * DBL_EPSILON; i++) {
        double middle = (low + high) / 2;
        if (dgmi_pool_student_p(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

dgmi_pool_interval dgmi_pool_interval_of(const double *values, int64_t count, int64_t folds) {
    dgmi_pool_interval out = {NAN, NAN, NAN, NAN, NAN};
    double n = (double)count, sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    if (count > 0)
        out.mean = sum / n;
    if (count < 2)
        return out;
    for (int64_t i = 0; i < count; i++)
        squares += (values[i] - out.mean) * (values[i] - out.mean);
    double variance = squares / (n - 1), t = dgmi_pool_student_quantile(0.05, n - 1);
    double overlap = folds > 1 ? 1 / (double)(folds - 1) : 0;
    double error = sqrt(variance * (1 / n + overlap));
    out.deviation = sqrt(variance);
    out.ci95 = t * sqrt(variance / n);
    out.ci95_corrected = t * error;
    out.t_corrected = error > 0 ? out.mean / error : out.mean == 0 ? 0 : INFINITY * out.mean;
    return out;
}
