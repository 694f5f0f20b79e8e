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
#include "reproduce_parts.h"
#include "reproduce_trials.h"

enum { TRIALS = DGMI_REPRODUCE_TRIALS, COVERS = DGMI_REPRODUCE_COVERS };
enum { NETWORKS = DGMI_REPRODUCE_NETWORKS, STARTS, SOURCES = DGMI_REPRODUCE_SOURCES };
static const char *const source_names[SOURCES] = {"network", "tsne", "turn"};

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
                               const dgm_graph *graph, dgmi_reproduce_trials *out) {
    char plane[64], file[80];
    dgm_status status = make_lens(making, source, trial, plane);
    for (int i = 0; status == DGM_OK && i < COVERS; i++) {
        snprintf(file, sizeof file, "sensitivity/%s-%d-%d.json", source_names[source], trial + 1,
                 i + 1);
        status = dgmi_reproduce_do(
            making, "map data/cora --lens-file %s --intervals %d --overlap %s -o %s", plane,
            dgmi_reproduce_covers[i].intervals, dgmi_reproduce_covers[i].overlap, file);
        if (status == DGM_OK)
            status = dgmi_reproduce_look_at(making, file, graph, &out->looks[source][i][trial]);
    }
    return status;
}

static dgm_status look_at_random(dgmi_reproduce_making *making, const dgm_graph *graph,
                                 dgmi_reproduce_trials *out) {
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < COVERS; i++) {
        char table[64], options[32], file[64];
        snprintf(options, sizeof options, "--overlap %s", dgmi_reproduce_covers[i].overlap);
        snprintf(table, sizeof table, "sensitivity/random-%s.json",
                 dgmi_reproduce_covers[i].overlap);
        snprintf(file, sizeof file, "sensitivity/random-%d.json", i + 1);
        dgmi_reproduce_random random = {"data/cora", table, options, ""};
        status = dgmi_reproduce_look_randomly(making, &random, file, graph,
                                              out->looks[NETWORKS][i][0].clusters, &out->random[i]);
    }
    return status;
}

dgm_status dgmi_reproduce_sensitivity(dgmi_reproduce_making *making) {
    dgmi_reproduce_trials is;
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
    dgmi_reproduce_trials_tell(making, &is);
    return DGM_OK;
}
