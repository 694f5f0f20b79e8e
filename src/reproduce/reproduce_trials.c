/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_trials.h"

#include <math.h>

#include "pool_statistics.h"

enum { TRIALS = DGMI_REPRODUCE_TRIALS, COVERS = DGMI_REPRODUCE_COVERS };
enum { NETWORKS = DGMI_REPRODUCE_NETWORKS, SOURCES = DGMI_REPRODUCE_SOURCES };
static const char *const sources[SOURCES] = {"seed of the network", "start of t-SNE",
                                             "rotation of the plane"};

const dgmi_reproduce_cover dgmi_reproduce_covers[COVERS] = {{8, "0.2"}, {16, "0.2"}, {8, "0.4"}};

/* The mean of a measure over the trials, with its 95% interval. */
typedef double (*measure_fn)(const dgmi_reproduce_look *look);
static double purity_of(const dgmi_reproduce_look *look) {
    return look->classes.purity.above;
}
static double loops_of(const dgmi_reproduce_look *look) {
    return (double)look->topology.b1;
}
static double clusters_of(const dgmi_reproduce_look *look) {
    return (double)look->clusters;
}

static dgmi_pool_interval find_interval(const dgmi_reproduce_look looks[TRIALS], measure_fn of) {
    double values[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        values[i] = of(&looks[i]);
    return dgmi_pool_interval_of(values, TRIALS, TRIALS);
}

static void tabulate(dgmi_reproduce_making *making, const dgmi_reproduce_trials *is) {
    dgmi_reproduce_head(making, "intervals\toverlap\twhat is drawn anew\tclusters\tpurity above "
                                "chance\tstandard deviation\tb1\tstandard deviation");
    for (int i = 0; i < COVERS; i++) {
        for (int source = 0; source < SOURCES; source++) {
            const dgmi_reproduce_look *looks = is->looks[source][i];
            dgmi_pool_interval clusters = find_interval(looks, clusters_of);
            dgmi_pool_interval purity = find_interval(looks, purity_of);
            dgmi_pool_interval loops = find_interval(looks, loops_of);
            dgmi_reproduce_row(
                making, "%d\t%s\t%s\t%.0f ± %.0f\t%.3f ± %.3f\t%.3f\t%.1f ± %.1f\t%.1f",
                dgmi_reproduce_covers[i].intervals, dgmi_reproduce_covers[i].overlap,
                sources[source], clusters.mean, clusters.ci95, purity.mean, purity.ci95,
                purity.deviation, loops.mean, loops.ci95, loops.deviation);
        }
        dgmi_reproduce_row(making, "%d\t%s\tnothing: a random lens\t%lld\t%.3f\t\t%lld\t",
                           dgmi_reproduce_covers[i].intervals, dgmi_reproduce_covers[i].overlap,
                           (long long)is->random[i].clusters, is->random[i].classes.purity.above,
                           (long long)is->random[i].topology.b1);
    }
}

/* ---- checks ---- */

/* The largest standard deviation that one source of chance gives the purity, over all covers. */
static double find_deviation(const dgmi_reproduce_trials *is, int *source) {
    double most = -1;
    for (int s = 0; s < SOURCES; s++)
        for (int i = 0; i < COVERS; i++) {
            double deviation = find_interval(is->looks[s][i], purity_of).deviation;
            if (deviation > most) {
                most = deviation;
                *source = s;
            }
        }
    return most;
}

/* How far the mean purity moves from the first cover to another one, over the networks. */
static double find_step(const dgmi_reproduce_trials *is, int other) {
    return find_interval(is->looks[NETWORKS][other], purity_of).mean -
           find_interval(is->looks[NETWORKS][0], purity_of).mean;
}

static void check_lead(dgmi_reproduce_making *making, const dgmi_reproduce_trials *is) {
    int64_t ahead = 0;
    double least = INFINITY;
    for (int k = 0; k < SOURCES * COVERS * TRIALS; k++) {
        int cover_index = k / TRIALS % COVERS;
        double lead = purity_of(&is->looks[k / TRIALS / COVERS][cover_index][k % TRIALS]) -
                      purity_of(&is->random[cover_index]);
        ahead += lead > 0;
        least = fmin(least, lead);
    }
    dgmi_reproduce_judge(making, ahead == (int64_t)SOURCES * COVERS * TRIALS,
                         "With every cover and every seed, DGI is purer above chance than a random "
                         "lens.",
                         "%lld of %d summaries, by %.3f at least.", (long long)ahead,
                         SOURCES * COVERS * TRIALS, least);
}

static void check_purity(dgmi_reproduce_making *making, const dgmi_reproduce_trials *is) {
    int source = 0;
    double deviation = find_deviation(is, &source);
    double by_n = find_step(is, 1), by_g = find_step(is, 2);
    dgmi_reproduce_judge(making, fabs(by_n) > 2 * deviation,
                         "Twice as many intervals move the purity by more than two standard "
                         "deviations of any seed.",
                         "by %.3f; the largest deviation is %.3f (%s).", by_n, deviation,
                         sources[source]);
    dgmi_reproduce_judge(making, fabs(by_g) > 2 * deviation,
                         "Twice the overlap moves the purity by more than two standard deviations "
                         "of any seed.",
                         "by %.3f.", by_g);
}

/* The largest standard deviation as a share of its mean is what counts: a small number of loops may
 * depend on chance where a large one does not. */
static void check_loops(dgmi_reproduce_making *making, const dgmi_reproduce_trials *is) {
    int source = 0, at = 0;
    double most = -1;
    for (int s = 0; s < SOURCES; s++)
        for (int i = 0; i < COVERS; i++) {
            dgmi_pool_interval loops = find_interval(is->looks[s][i], loops_of);
            double share = loops.deviation > 0 ? loops.deviation / loops.mean : 0;
            if (share > most) {
                most = share;
                source = s;
                at = i;
            }
        }
    dgmi_pool_interval loops = find_interval(is->looks[source][at], loops_of);
    dgmi_reproduce_judge(making, most < 0.25,
                         "The number of loops hardly depends on chance: no seed gives it a "
                         "standard deviation of a quarter of its mean.",
                         "with %d intervals and an overlap of %s it is %.1f on average with a "
                         "deviation of %.1f (%s).",
                         dgmi_reproduce_covers[at].intervals, dgmi_reproduce_covers[at].overlap,
                         loops.mean, loops.deviation, sources[source]);
}

void dgmi_reproduce_trials_tell(dgmi_reproduce_making *making, const dgmi_reproduce_trials *are) {
    tabulate(making, are);
    check_lead(making, are);
    check_purity(making, are);
    check_loops(making, are);
}
