/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals that are split while their values are not normal: DGM_COVER_GMEANS.
 *
 * Alvarado, Belton, Fischer, Lee, Palande, Percival and Purvine, G-Mapper: Learning a Cover in the
 * Mapper Construction (arXiv 2309.06634). Begin with one interval from the smallest to the largest
 * value. Of the intervals whose statistic of Anderson and Darling is above the critical value,
 * split the one with the largest: fit a mixture of two normal distributions to its values, with
 * means m1 < m2 and deviations s1 and s2. With D = m2 - m1 and the overlap g, the halves end at
 *
 *     min(m1 + (1 + g) s1 / (s1 + s2) D, m2)   and begin at   max(m2 - (1 + g) s2 / (s1 + s2) D, m1)
 *
 * so that they share g D around the point that is equally many deviations away from both means. It
 * ends when no interval is above the critical value, or there are as many as allowed.
 *
 * The statistic of n sorted values, with z_i their distances from the mean in deviations and P the
 * normal distribution, is
 *
 *     A^2 = -n - 1/n sum_i (2i - 1) (log P(z_i) + log(1 - P(z_{n+1-i})))
 *
 * times 1 + 4/n - 25/n^2 for a mean and a deviation that were estimated (Hamerly and Elkan,
 * Learning the k in k-means, 2003). The mixture is fitted by expectation and maximisation, to every
 * k-th value where there are many. Values are shares of the range throughout.
 */
#include <math.h>
#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "mapper_cover.h"

enum { FEWEST = 8, MOST_FITTED = 1 << 14, MOST_ROUNDS = 200 };
#define STEEPEST  37.0 /* deviations; the normal distribution beyond them is no normal number */
#define NARROWEST 1e-6 /* the smallest variance of a component, over that of all values */
#define CONVERGED 1e-7 /* the change of the mean logarithm of the likelihood at which it ends */

typedef struct {
    double low, high;
    int64_t begin, end; /* its values */
    double statistic;   /* 0: it is not to be split */
} interval;

typedef struct {
    double weight, mean, variance;
} component;

/* The largest number of intervals is small, so that they may be searched one after the other. */
typedef struct {
    const double *values; /* sorted, from 0 to 1 */
    int64_t count;
    double overlap, critical;
    interval *intervals;
    int64_t interval_count;
} splitting;

/* ---- the test ---- */

static void find_moments(const double *values, int64_t count, double *mean, double *variance) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    *mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++)
        squares += (values[i] - *mean) * (values[i] - *mean);
    *variance = count > 1 ? squares / (double)(count - 1) : 0;
}

/* The logarithm of the normal distribution. */
static double log_normal(double z) {
    z = z < -STEEPEST ? -STEEPEST : z;
    return log(0.5 * erfc(-z * M_SQRT1_2));
}

static double measure(const double *values, int64_t count) {
    double mean, variance, sum = 0, n = (double)count;
    if (count < FEWEST)
        return 0;
    find_moments(values, count, &mean, &variance);
    if (!(variance > 0))
        return 0;
    double deviation = sqrt(variance);
    for (int64_t i = 0; i < count; i++) {
        double low = (values[i] - mean) / deviation;
        double high = (values[count - 1 - i] - mean) / deviation;
        sum += (double)(2 * i + 1) * (log_normal(low) + log_normal(-high));
    }
    return (-n - sum / n) * (1 + 4 / n - 25 / (n * n));
}

/* ---- the mixture ---- */

static double density(const component *c, double value) {
    double away = value - c->mean;
    return c->weight * exp(-away * away / (2 * c->variance)) / sqrt(c->variance);
}

/* Sums over the values: how much of them belongs to a component, and their moments. */
typedef struct {
    double share, first, second;
} sums;

static void add_value(sums *s, double share, double value) {
    s->share += share;
    s->first += share * value;
    s->second += share * value * value;
}

static bool update(component *c, const sums *s, double total, double least) {
    if (!(s->share > 0))
        return false;
    c->weight = s->share / total;
    c->mean = s->first / s->share;
    c->variance = s->second / s->share - c->mean * c->mean;
    c->variance = c->variance > least ? c->variance : least;
    return true;
}

/* One round over every k-th value. Returns the mean logarithm of the likelihood before it, or NaN
 * if a component has lost everything. */
static double fit_round(const double *values, int64_t count, int64_t step, double least,
                        component pair[2]) {
    sums low = {0, 0, 0}, high = {0, 0, 0};
    double likelihood = 0, total = 0;
    for (int64_t i = 0; i < count; i += step) {
        double a = density(&pair[0], values[i]), b = density(&pair[1], values[i]), both = a + b;
        double share = both > 0 ? a / both : values[i] < (pair[0].mean + pair[1].mean) / 2;
        add_value(&low, share, values[i]);
        add_value(&high, 1 - share, values[i]);
        likelihood += log(both > 0x1p-1022 ? both : 0x1p-1022);
        total++;
    }
    bool good = update(&pair[0], &low, total, least) && update(&pair[1], &high, total, least);
    return good ? likelihood / total : NAN;
}

/* Fits two normal distributions, the one of the smaller mean first. It begins with the halves of
 * one: their means are sqrt(2 / pi) deviations away from the middle. */
static bool fit(const double *values, int64_t count, component pair[2]) {
    double mean, variance, before = -INFINITY;
    int64_t step = (count + MOST_FITTED - 1) / MOST_FITTED;
    find_moments(values, count, &mean, &variance);
    double away = sqrt(variance * M_2_PI);
    pair[0] = (component){0.5, mean - away, variance * (1 - M_2_PI)};
    pair[1] = (component){0.5, mean + away, variance * (1 - M_2_PI)};
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double now = fit_round(values, count, step, NARROWEST * variance, pair);
        if (isnan(now))
            return false;
        if (now - before < CONVERGED)
            break;
        before = now;
    }
    if (pair[0].mean > pair[1].mean) {
        component first = pair[0];
        pair[0] = pair[1];
        pair[1] = first;
    }
    return pair[0].mean < pair[1].mean;
}

/* ---- splits ---- */

/* The first value that is not below the place. */
static int64_t find_place(const splitting *job, double place) {
    int64_t low = 0, high = job->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (job->values[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static interval make_interval(const splitting *job, double low, double high) {
    interval new = {.low = low, .high = high, .begin = find_place(job, low)};
    new.end = high >= 1 ? job->count : find_place(job, high);
    new.statistic = measure(job->values + new.begin, new.end - new.begin);
    return new;
}

/* Where the halves of an interval end and begin; false if it cannot be split. */
static bool find_ends(const splitting *job, const interval *whole, double *end, double *begin) {
    component pair[2];
    if (!fit(job->values + whole->begin, whole->end - whole->begin, pair))
        return false;
    double s1 = sqrt(pair[0].variance), s2 = sqrt(pair[1].variance);
    double apart = (1 + job->overlap) * (pair[1].mean - pair[0].mean);
    *end = fmin(pair[0].mean + s1 / (s1 + s2) * apart, pair[1].mean);
    *begin = fmax(pair[1].mean - s2 / (s1 + s2) * apart, pair[0].mean);
    *begin = fmin(*begin, *end); /* rounding leaves no gap */
    return whole->low < *begin && *end < whole->high;
}

/* Splits an interval whose halves each have fewer values and some. */
static void split(splitting *job, interval *whole) {
    double end, begin;
    whole->statistic = 0;
    if (!find_ends(job, whole, &end, &begin))
        return;
    interval low = make_interval(job, whole->low, end);
    interval high = make_interval(job, begin, whole->high);
    int64_t all = whole->end - whole->begin;
    bool low_fits = low.begin < low.end && low.end - low.begin < all;
    bool high_fits = high.begin < high.end && high.end - high.begin < all;
    if (!low_fits || !high_fits)
        return;
    *whole = low;
    job->intervals[job->interval_count++] = high;
}

static interval *find_worst(const splitting *job) {
    interval *worst = NULL;
    for (int64_t i = 0; i < job->interval_count; i++)
        if (job->intervals[i].statistic > (worst ? worst->statistic : job->critical))
            worst = &job->intervals[i];
    return worst;
}

static int compare_intervals(const void *x, const void *y) {
    const interval *a = x, *b = y;
    return a->low < b->low ? -1 : a->low > b->low;
}

static int compare_values(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* ---- the cover ---- */

/* The values as shares of the range, ascending. */
static double *sort_values(dgm_context *ctx, const dgmi_mapper_cover *cover,
                           const dgmi_mapper_span *span) {
    double *sorted = dgmi_scratch(ctx, cover->nodes, sizeof *sorted);
    if (!sorted)
        return NULL;
    for (int64_t u = 0; u < cover->nodes; u++)
        sorted[u] = dgmi_mapper_span_position(span, cover->values[u]);
    qsort(sorted, (size_t)cover->nodes, sizeof *sorted, compare_values);
    return sorted;
}

/* The intervals in units of the lens. The outermost ends are the extreme values themselves. */
static dgm_status give_intervals(dgm_context *ctx, splitting *job, const dgmi_mapper_span *span,
                                 dgmi_mapper_cover *cover) {
    dgm_interval *given = dgmi_scratch(ctx, job->interval_count, sizeof *given);
    double low = span->low / span->shrink, high = (span->low + span->range) / span->shrink;
    if (!given)
        return DGM_ERROR_MEMORY;
    qsort(job->intervals, (size_t)job->interval_count, sizeof *job->intervals, compare_intervals);
    for (int64_t u = 0; u < cover->nodes; u++) {
        low = fmin(low, cover->values[u]);
        high = fmax(high, cover->values[u]);
    }
    for (int64_t i = 0; i < job->interval_count; i++) {
        const interval *from = &job->intervals[i];
        given[i].low = from->low <= 0 ? low : (span->low + from->low * span->range) / span->shrink;
        given[i].high =
            from->high >= 1 ? high : (span->low + from->high * span->range) / span->shrink;
    }
    cover->given = given;
    cover->given_count = job->interval_count;
    cover->given_top = high;
    cover->kind = DGM_COVER_INTERVALS;
    cover->found = (dgmi_mapper_found){.cells = job->interval_count, .intervals = given};
    return DGM_OK;
}

dgm_status dgmi_mapper_gmeans_make(dgm_context *ctx, const dgm_mapper_options *options,
                                   dgmi_mapper_cover *cover) {
    if (cover->columns != 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the cover gmeans is for one axis, and this lens has %lld",
                         (long long)cover->columns);
    dgmi_mapper_span span = dgmi_mapper_span_make(cover->values, cover->nodes, 1);
    splitting job = {.count = cover->nodes,
                     .overlap = dgmi_mapper_axis_overlap(options, 0),
                     .critical = options->critical};
    job.values = sort_values(ctx, cover, &span);
    job.intervals = dgmi_scratch(ctx, options->most + 1, sizeof *job.intervals);
    if (!job.values || !job.intervals)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    if (cover->nodes)
        job.intervals[job.interval_count++] = make_interval(&job, 0, 1);
    interval *worst;
    while (status == DGM_OK && job.interval_count < options->most && (worst = find_worst(&job))) {
        split(&job, worst);
        status = dgmi_progress(ctx, "splitting intervals",
                               (double)job.interval_count / (double)options->most);
    }
    return status == DGM_OK ? give_intervals(ctx, &job, &span, cover) : status;
}
