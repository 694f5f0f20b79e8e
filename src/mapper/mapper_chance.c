/* SPDX-License-Identifier: Apache-2.0 */
/* Tails of the hypergeometric distribution, Mann and Whitney's U, and rates of false discoveries.
 *
 * A tail is summed from its largest term outwards, each term from the one before by the quotient of
 * binomial coefficients, until terms no longer count. Only the tail that leads away from the mean is
 * summed, where terms fall. */
#include "mapper_chance.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "base_memory.h"

double *dgmi_mapper_log_factorials(dgm_context *ctx, int64_t most) {
    double *logs = dgmi_scratch(ctx, most + 1, sizeof *logs);
    int sign; /* lgamma would write it into a variable of the whole process */
    for (int64_t n = 0; logs && n <= most; n++)
        logs[n] = lgamma_r((double)n + 1, &sign);
    return logs;
}

static double log_choose(const double *logs, int64_t n, int64_t k) {
    assert(0 <= k && k <= n);
    return logs[n] - logs[k] - logs[n - k];
}

/* P(found + 1) / P(found) */
static double quotient(int64_t all, int64_t willing, int64_t drawn, int64_t found) {
    return (double)(willing - found) * (double)(drawn - found) /
           ((double)(found + 1) * (double)(all - willing - drawn + found + 1));
}

double dgmi_mapper_chance_of_count(const double *logs, int64_t all, int64_t willing, int64_t drawn,
                                   int64_t found) {
    const double enough = 1e-17;
    int64_t least = willing + drawn > all ? willing + drawn - all : 0,
            most = willing < drawn ? willing : drawn;
    assert(least <= found && found <= most);
    bool upper = (double)found * (double)all >= (double)willing * (double)drawn;
    double term =
        exp(log_choose(logs, willing, found) + log_choose(logs, all - willing, drawn - found) -
            log_choose(logs, all, drawn));
    double first = term, sum = term;
    for (int64_t k = found; (upper ? k < most : k > least) && term > enough * sum;) {
        term *= upper ? quotient(all, willing, drawn, k) : 1 / quotient(all, willing, drawn, k - 1);
        k += upper ? 1 : -1;
        sum += term;
    }
    return fmin(1,
                2 * fmin(sum, 1 - sum + first)); /* near the mean the other tail may be smaller */
}

/* Mann and Whitney (1947); the variance with ties after Hollander and Wolfe, Nonparametric
 * Statistical Methods, section 4.1. */
double dgmi_mapper_chance_of_ranks(int64_t all, int64_t inside, double rank_sum, double ties) {
    double n = (double)all, a = (double)inside, b = n - a;
    double u = rank_sum - a * (a + 1) / 2;
    double variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
    if (!(variance > 0))
        return 1;
    double far = fmax(0, fabs(u - a * b / 2) - 0.5);
    return erfc(far / sqrt(variance) / sqrt(2));
}

double dgmi_mapper_harmonic(int64_t n) {
    enum { SHORT = 1 << 16 };
    const double euler = 0.57721566490153286; /* the Euler-Mascheroni constant */
    double sum = 0, x = (double)n;
    if (n > SHORT)
        return log(x) + euler + 1 / (2 * x) - 1 / (12 * x * x);
    for (int64_t k = n; k > 0; k--)
        sum += 1 / (double)k;
    return sum;
}

void dgmi_mapper_false_discoveries(const double *p, int64_t count, int64_t tests, double *q) {
    double scale = (double)tests * dgmi_mapper_harmonic(tests), least = 1;
    assert(count <= tests);
    for (int64_t i = count - 1; i >= 0; i--) {
        assert(i == 0 || p[i - 1] <= p[i]);
        least = fmin(least, p[i] * scale / (double)(i + 1));
        q[i] = least;
    }
}
