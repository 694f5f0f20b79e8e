/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_times.h"

#include <math.h>
#include <stdio.h>

#include "dgm/io.h"

#include "base_context.h"

enum {
    READING = DGMI_REPRODUCE_READING,
    PAGERANK = DGMI_REPRODUCE_PAGERANK,
    DENSITY = DGMI_REPRODUCE_EXACT_DENSITY,
    AGD = DGMI_REPRODUCE_EXACT_AGD,
    EIGEN = DGMI_REPRODUCE_EIGEN,
    NETWORK = DGMI_REPRODUCE_NETWORK,
};

/* What is called difficult here: what takes longer than a minute. */
static const double minute = 60;

/* ---- sampled values ---- */

static double find_distance(const dgm_matrix *right, const dgm_matrix *near) {
    const double *exact = dgm_matrix_values(right), *sampled = dgm_matrix_values(near);
    double low = INFINITY, high = -INFINITY, away = 0;
    for (int64_t i = 0; i < dgm_matrix_rows(right); i++) {
        low = fmin(low, exact[i]);
        high = fmax(high, exact[i]);
        away = fmax(away, fabs(exact[i] - sampled[i]));
    }
    return away > 0 ? away / (high - low) : 0;
}

static bool is_alike(const dgm_matrix *one, const dgm_matrix *other) {
    return dgm_matrix_rows(one) == dgm_matrix_rows(other) && dgm_matrix_columns(one) == 1 &&
           dgm_matrix_columns(other) == 1;
}

dgm_status dgmi_reproduce_times_compare(dgm_context *ctx, const char *exact, const char *sampled,
                                        double *out) {
    dgm_matrix *right = NULL, *near = NULL;
    *out = NAN;
    dgm_status status = dgm_matrix_read(ctx, exact, NULL, &right);
    if (status == DGM_OK)
        status = dgm_matrix_read(ctx, sampled, NULL, &near);
    if (status == DGM_OK && !is_alike(right, near))
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, sampled, 0, -1,
                              "its values are not those of the same nodes as in %s", exact);
    if (status == DGM_OK)
        *out = find_distance(right, near);
    dgm_matrix_free(right);
    dgm_matrix_free(near);
    return status;
}

/* ---- tables ---- */

static const char *write_seconds(double seconds, char text[16]) {
    if (isnan(seconds))
        return "";
    snprintf(text, 16, "%.2f s", seconds);
    return text;
}

static void tabulate(dgmi_reproduce_making *making, const dgmi_reproduce_times *are, int count) {
    dgmi_reproduce_head(making,
                        "set\tnodes\tedges\treading and degrees\tPageRank\tdensity\taverage "
                        "distance\tFiedler vector\tGCN");
    for (int i = 0; i < count; i++) {
        char text[NETWORK + 1][16];
        const double *seconds = are[i].seconds;
        dgmi_reproduce_row(
            making, "%s\t%lld\t%lld\t%s\t%s\t%s\t%s\t%s\t%s", are[i].set, (long long)are[i].nodes,
            (long long)are[i].edges, write_seconds(seconds[READING], text[READING]),
            write_seconds(seconds[PAGERANK], text[PAGERANK]),
            write_seconds(seconds[DENSITY], text[DENSITY]), write_seconds(seconds[AGD], text[AGD]),
            write_seconds(seconds[EIGEN], text[EIGEN]),
            write_seconds(seconds[NETWORK], text[NETWORK]));
    }
}

/* With which power of the number of nodes the time grows, from one graph to another. */
static double find_growth(const dgmi_reproduce_times *small, const dgmi_reproduce_times *large,
                          int function) {
    return log(large->seconds[function] / small->seconds[function]) /
           log((double)large->nodes / (double)small->nodes);
}

static void say_growth(dgmi_reproduce_making *making, const dgmi_reproduce_times *small,
                       const dgmi_reproduce_times *large) {
    dgmi_reproduce_say(making,
                       "From %s to %s the time grows with a power of the number of nodes: %.1f for "
                       "PageRank, %.1f for the density function, %.1f for the average distance and "
                       "%.1f for the Fiedler vector.",
                       small->set, large->set, find_growth(small, large, PAGERANK),
                       find_growth(small, large, DENSITY), find_growth(small, large, AGD),
                       find_growth(small, large, EIGEN));
}

static void say_sampled(dgmi_reproduce_making *making, const dgmi_reproduce_times *largest,
                        double density, double distance) {
    dgmi_reproduce_say(making,
                       "Beyond 200,000 nodes the program samples distances unless it is told not "
                       "to. On %s that takes %.2f s for the density function and %.2f s for the "
                       "average distance, and no value is farther from the exact one than %.1f%% "
                       "and %.1f%% of their range.",
                       largest->set, largest->seconds[DGMI_REPRODUCE_SAMPLED_DENSITY],
                       largest->seconds[DGMI_REPRODUCE_SAMPLED_AGD], 100 * density, 100 * distance);
}

/* ---- checks ---- */

static void check_minute(dgmi_reproduce_making *making, const dgmi_reproduce_times *are, int count,
                         int function, const char *called) {
    const dgmi_reproduce_times *worst = &are[0];
    char claim[160];
    for (int i = 1; i < count; i++)
        if (are[i].seconds[function] > worst->seconds[function])
            worst = &are[i];
    snprintf(claim, sizeof claim,
             "%s is difficult to compute: on some of these graphs it takes more than a minute.",
             called);
    dgmi_reproduce_judge(making, worst->seconds[function] > minute, claim,
                         "at most %.1f seconds, on %s with %lld nodes.", worst->seconds[function],
                         worst->set, (long long)worst->nodes);
}

static void check_eigen(dgmi_reproduce_making *making, const dgmi_reproduce_times *are, int count) {
    int64_t most = 0;
    for (int i = 0; i < count; i++)
        if (are[i].seconds[EIGEN] <= minute && are[i].nodes > most)
            most = are[i].nodes;
    dgmi_reproduce_judge(
        making, most < 10000,
        "Eigenfunctions do not scale beyond a few thousand nodes: within a minute, "
        "no graph of ten thousand nodes has one.",
        "the largest graph that has one has %lld nodes.", (long long)most);
}

static bool is_fastest(const double *seconds, int function) {
    return seconds[function] < seconds[DENSITY] && seconds[function] < seconds[AGD] &&
           seconds[function] < seconds[EIGEN];
}

static void check_order(dgmi_reproduce_making *making, const dgmi_reproduce_times *are, int count) {
    int fastest = 0, faster = 0, learned = 0;
    for (int i = 0; i < count; i++) {
        fastest += is_fastest(are[i].seconds, PAGERANK);
        learned += are[i].labels;
        faster += are[i].labels && is_fastest(are[i].seconds, NETWORK);
    }
    dgmi_reproduce_judge(making, fastest == count,
                         "PageRank is the fastest of them, on all graphs.", "on %d of %d.", fastest,
                         count);
    dgmi_reproduce_judge(
        making, faster == learned,
        "A GCN takes less time than each of the others, where there are classes to "
        "learn.",
        "on %d of %d.", faster, learned);
}

void dgmi_reproduce_times_tell(dgmi_reproduce_making *making, const dgmi_reproduce_times *are,
                               int count, double density, double distance) {
    tabulate(making, are, count);
    say_growth(making, &are[count - 2], &are[count - 1]);
    say_sampled(making, &are[count - 1], density, distance);
    check_minute(making, are, count, DENSITY, "The density function");
    check_minute(making, are, count, AGD, "The average distance");
    check_minute(making, are, count, EIGEN, "The Fiedler vector");
    check_eigen(making, are, count);
    check_order(making, are, count);
}
