/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the paper: how much of a summary is the data, and how much is a cover or a seed.
 *
 * From principal components t-SNE does not depend on its seed, so it starts from random places
 * here. And a grid is not invariant under rotations, whereas nothing in t-SNE distinguishes its
 * axes: so its plane is turned, too. */
#include <math.h>
#include <stdio.h>

#include "dgm/io.h"

#include "base_random.h"
#include "pool_statistics.h"
#include "reproduce_control.h"
#include "reproduce_parts.h"

enum { TRIALS = 5, COVERS = 3 };

/* What is drawn anew in each of five trials. */
enum { NETWORKS, STARTS, TURNS, SOURCES };
static const char *const sources[SOURCES] = {"seed of the network", "start of t-SNE",
                                             "rotation of the plane"};
static const char *const source_names[SOURCES] = {"network", "tsne", "turn"};

/* The first cover, and one with more intervals, and one with more overlap. */
typedef struct cover {
    int intervals;
    const char *overlap;
} cover;
static const cover covers[COVERS] = {{8, "0.2"}, {16, "0.2"}, {8, "0.4"}};

typedef struct study {
    dgmi_reproduce_look looks[SOURCES][COVERS][TRIALS];
    dgmi_reproduce_look random[COVERS]; /* beside the first network */
} study;

/* ---- lenses ---- */

/* The first three networks are those of other parts. */
static dgm_status train(dgmi_reproduce_making *making, int trial, char plane[64]) {
    char table[48], mark[16] = "", seed[48] = "";
    if (trial > 0) {
        snprintf(mark, sizeof mark, "-%d", trial + 1);
        snprintf(seed, sizeof seed, ":seed=%lld", (long long)making->options->seed + trial);
    }
    snprintf(table, sizeof table, "tables/cora-dgi%s.npy", mark);
    snprintf(plane, 64, "tables/cora-dgi%s-tsne.npy", mark);
    dgm_status status =
        dgmi_reproduce_need(making, table, "lens data/cora --lens dgi%s -o %s", seed, table);
    return status == DGM_OK
               ? dgmi_reproduce_need(making, plane, "reduce %s --method tsne --dim 2 -o %s", table,
                                     plane)
               : status;
}

static dgm_status start_anew(dgmi_reproduce_making *making, int trial, char plane[64]) {
    snprintf(plane, 64, "sensitivity/start-%d.npy", trial + 1);
    return dgmi_reproduce_need(
        making, plane,
        "reduce tables/cora-dgi.npy --method tsne:init=random,seed=%lld --dim 2 -o %s",
        (long long)making->options->seed + trial, plane);
}

static double find_angle(const dgmi_reproduce_making *making, int trial) {
    return 2 * M_PI * dgmi_random_unit((uint64_t)making->options->seed, 0, (uint64_t)trial);
}

/* Turns the plane of the first network by a random angle and writes it to a file. */
static dgm_status turn(dgmi_reproduce_making *making, int trial, char plane[64]) {
    dgm_matrix *from = NULL, *to = NULL;
    double along = cos(find_angle(making, trial)), across = sin(find_angle(making, trial));
    snprintf(plane, 64, "sensitivity/turn-%d.npy", trial + 1);
    dgm_status status = dgm_matrix_read(making->ctx, "tables/cora-dgi-tsne.npy", NULL, &from);
    if (status == DGM_OK)
        status = dgm_matrix_create(making->ctx, dgm_matrix_rows(from), 2, &to);
    for (int64_t i = 0; status == DGM_OK && i < dgm_matrix_rows(from); i++) {
        const double *at = dgm_matrix_values(from) + 2 * i;
        double *put = dgm_matrix_values_mutable(to) + 2 * i;
        put[0] = along * at[0] - across * at[1];
        put[1] = across * at[0] + along * at[1];
    }
    if (status == DGM_OK)
        status = dgm_matrix_write(making->ctx, to, NULL, plane);
    dgm_matrix_free(from);
    dgm_matrix_free(to);
    return status;
}

static void say_angles(dgmi_reproduce_making *making) {
    double degrees[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        degrees[i] = 180 / M_PI * find_angle(making, i);
    dgmi_reproduce_say(making,
                       "The files sensitivity/turn-1.npy to turn-5.npy are "
                       "tables/cora-dgi-tsne.npy, turned by %.1f, %.1f, %.1f, %.1f and %.1f "
                       "degrees.",
                       degrees[0], degrees[1], degrees[2], degrees[3], degrees[4]);
}

static dgm_status make_lens(dgmi_reproduce_making *making, int source, int trial, char plane[64]) {
    return source == NETWORKS ? train(making, trial, plane)
           : source == STARTS ? start_anew(making, trial, plane)
                              : turn(making, trial, plane);
}

/* ---- measures ---- */

static dgm_status look_through(dgmi_reproduce_making *making, int source, int trial,
                               const dgm_graph *graph, study *out) {
    char plane[64], file[80];
    dgm_status status = make_lens(making, source, trial, plane);
    for (int i = 0; status == DGM_OK && i < COVERS; i++) {
        snprintf(file, sizeof file, "sensitivity/%s-%d-%d.json", source_names[source], trial + 1,
                 i + 1);
        status = dgmi_reproduce_do(making,
                                   "map data/cora --lens-file %s --intervals %d --overlap %s -o %s",
                                   plane, covers[i].intervals, covers[i].overlap, file);
        if (status == DGM_OK)
            status = dgmi_reproduce_look_at(making, file, graph, &out->looks[source][i][trial]);
    }
    return status;
}

static dgm_status look_at_random(dgmi_reproduce_making *making, const dgm_graph *graph,
                                 study *out) {
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < COVERS; i++) {
        char table[64], options[32], file[64];
        snprintf(options, sizeof options, "--overlap %s", covers[i].overlap);
        snprintf(table, sizeof table, "sensitivity/random-%s.json", covers[i].overlap);
        snprintf(file, sizeof file, "sensitivity/random-%d.json", i + 1);
        dgmi_reproduce_random random = {"data/cora", table, options, ""};
        status = dgmi_reproduce_look_randomly(making, &random, file, graph,
                                              out->looks[NETWORKS][i][0].clusters, &out->random[i]);
    }
    return status;
}

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

static void tabulate(dgmi_reproduce_making *making, const study *is) {
    dgmi_reproduce_head(making, "intervals\toverlap\twhat is drawn anew\tclusters\tpurity above "
                                "chance\tstandard deviation\tb1\tstandard deviation");
    for (int i = 0; i < COVERS; i++) {
        for (int source = 0; source < SOURCES; source++) {
            const dgmi_reproduce_look *looks = is->looks[source][i];
            dgmi_pool_interval clusters = find_interval(looks, clusters_of);
            dgmi_pool_interval purity = find_interval(looks, purity_of);
            dgmi_pool_interval loops = find_interval(looks, loops_of);
            dgmi_reproduce_row(making,
                               "%d\t%s\t%s\t%.0f ± %.0f\t%.3f ± %.3f\t%.3f\t%.1f ± %.1f\t%.1f",
                               covers[i].intervals, covers[i].overlap, sources[source],
                               clusters.mean, clusters.ci95, purity.mean, purity.ci95,
                               purity.deviation, loops.mean, loops.ci95, loops.deviation);
        }
        dgmi_reproduce_row(making, "%d\t%s\tnothing: a random lens\t%lld\t%.3f\t\t%lld\t",
                           covers[i].intervals, covers[i].overlap,
                           (long long)is->random[i].clusters, is->random[i].classes.purity.above,
                           (long long)is->random[i].topology.b1);
    }
}

/* ---- checks ---- */

/* The largest standard deviation that one source of chance gives a measure, over all covers. */
static double find_deviation(const study *is, measure_fn of, int *source, int *at) {
    double most = -1;
    for (int s = 0; s < SOURCES; s++)
        for (int i = 0; i < COVERS; i++) {
            double deviation = find_interval(is->looks[s][i], of).deviation;
            if (deviation > most) {
                most = deviation;
                *source = s;
                *at = i;
            }
        }
    return most;
}

/* How far apart the means of two covers are, over the networks. */
static double find_step(const study *is, measure_fn of, int one, int other) {
    return find_interval(is->looks[NETWORKS][other], of).mean -
           find_interval(is->looks[NETWORKS][one], of).mean;
}

static void check_lead(dgmi_reproduce_making *making, const study *is) {
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

static void check_steadiness(dgmi_reproduce_making *making, const study *is) {
    int source = 0, at = 0;
    double deviation = find_deviation(is, purity_of, &source, &at);
    double by_n = find_step(is, purity_of, 0, 1), by_g = find_step(is, purity_of, 0, 2);
    dgmi_reproduce_judge(making, fabs(by_n) > 2 * deviation,
                         "Twice as many intervals move the purity by more than two standard "
                         "deviations of any seed.",
                         "by %.3f; the largest deviation is %.3f (%s).", by_n, deviation,
                         sources[source]);
    dgmi_reproduce_judge(making, fabs(by_g) > 2 * deviation,
                         "Twice the overlap moves the purity by more than two standard deviations "
                         "of any seed.",
                         "by %.3f.", by_g);
    deviation = find_deviation(is, loops_of, &source, &at);
    double mean = find_interval(is->looks[source][at], loops_of).mean;
    dgmi_reproduce_judge(making, deviation < 0.25 * mean,
                         "The number of loops hardly depends on chance: no seed gives it a "
                         "standard deviation of a quarter of its mean.",
                         "with %d intervals and an overlap of %s it is %.1f on average with a "
                         "deviation of %.1f (%s).",
                         covers[at].intervals, covers[at].overlap, mean, deviation,
                         sources[source]);
}

dgm_status dgmi_reproduce_sensitivity(dgmi_reproduce_making *making) {
    study is;
    dgm_graph *graph;
    dgmi_reproduce_say(
        making,
        "Cora through DGI and t-SNE, with %d covers and %d trials of each kind: other first "
        "weights of the network, other random starts of t-SNE, and other rotations of its plane. "
        "After ± stands half of the 95%% interval of the mean, by Student's t. Purity above chance "
        "is that of figure 7.",
        COVERS, TRIALS);
    dgm_status status = dgmi_reproduce_open(making, "data/cora", &graph);
    for (int k = 0; status == DGM_OK && k < SOURCES * TRIALS; k++)
        status = look_through(making, k / TRIALS, k % TRIALS, graph, &is);
    if (status == DGM_OK)
        status = look_at_random(making, graph, &is);
    dgm_graph_free(graph);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(
            making, "draw --compare sensitivity/network-1-3.json,sensitivity/turn-1-3.json "
                    "--colour labels --style paper --width 170mm -o sensitivity/turned.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "sensitivity/turned.svg",
                        "The same plane with 8 intervals an axis and an overlap of 0.4, as t-SNE "
                        "gives it and turned.");
    say_angles(making);
    tabulate(making, &is);
    check_lead(making, &is);
    check_steadiness(making, &is);
    return DGM_OK;
}
