/* SPDX-License-Identifier: Apache-2.0 */
/* Student's t distribution, and intervals of cross-validated means. */
#ifndef POOL_STATISTICS_H
#define POOL_STATISTICS_H

#include <stdint.h>

/* The chance that |t| is at least as large with `freedom` degrees of freedom. */
double dgmi_pool_student_p(double t, double freedom);
/* The t whose |t| is exceeded with the chance p, 0 < p < 1. */
double dgmi_pool_student_quantile(double p, double freedom);

/* A mean over `count` trainings of `folds` folds each. */
typedef struct dgmi_pool_interval {
    double mean, deviation;
    double ci95;           /* half the width, by the variance s^2 / count */
    double ci95_corrected; /* by s^2 (1 / count + 1 / (folds - 1)) (Nadeau and Bengio, 2003) */
    double t_corrected;    /* the mean divided by its corrected standard error */
} dgmi_pool_interval;
/* Intervals of a single value are NaN. */
dgmi_pool_interval dgmi_pool_interval_of(const double *values, int64_t count, int64_t folds);

#endif
