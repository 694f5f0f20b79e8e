/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses of distances from a sample, value by value: the same sources, distances by plain waves,
 * the formulas of the lenses, and the error by their derivatives. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdio.h>

#include "base_memory.h"
#include "base_random.h"
#include "graph_bfs.h"

enum { MOST = 120, STREAM = 0x67656f };

static int distance[MOST][MOST]; /* from, to; -1: out of reach */
static bool drawn[MOST];
static int component[MOST], size[MOST]; /* by node; by component */

static void measure(const dgm_graph *graph) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t s = 0; s < rows.nodes; s++) {
        bool more = true;
        for (int64_t u = 0; u < rows.nodes; u++)
            distance[s][u] = u == s ? 0 : -1;
        for (int level = 0; more; level++) {
            more = false;
            for (int64_t u = 0; u < rows.nodes; u++)
                for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                    if (distance[s][u] == level && distance[s][rows.targets[e]] < 0) {
                        distance[s][rows.targets[e]] = level + 1;
                        more = true;
                    }
        }
    }
}

/* Floyd's way: each new end of the range is drawn, or stands for what was there already. */
static void draw(const dgm_graph *graph, int64_t samples, int64_t seed) {
    dgmi_graph_patches patches;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_random random = {(uint64_t)seed, STREAM, 0};
    assert_int_equal(dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH,
                                             DGMI_GRAPH_WALK_ALONG, false, &patches),
                     DGM_OK);
    for (int64_t c = 0; c < patches.components; c++) {
        int64_t begin = patches.starts[c], end = patches.starts[c + 1];
        size[c] = (int)(end - begin);
        for (int64_t p = begin; p < end; p++) {
            component[patches.node[p]] = (int)c;
            drawn[patches.node[p]] = end - begin <= samples;
        }
        for (int64_t last = end - samples; size[c] > samples && last < end; last++) {
            int64_t p =
                begin + (int64_t)dgmi_random_next_below(&random, (uint64_t)(last - begin + 1));
            drawn[patches.node[drawn[patches.node[p]] ? last : p]] = true;
        }
    }
    dgmi_arena_release(ctx, hold);
}

typedef struct {
    const char *name;
    bool to_node; /* distances to the node, not from it */
    double (*value)(double reach, double sum, double nodes); /* NULL: the sum itself, plus `more` */
    double (*kernel)(double d);
    double more;
} lens_kind;

static double agd(double reach, double sum, double nodes) {
    return sum / reach * ((nodes - 1) / reach);
}
static double closeness(double reach, double sum, double nodes) {
    return reach / sum * (reach / (nodes - 1));
}
static double itself(double d) {
    return d;
}
static double reciprocal(double d) {
    return 1 / d;
}
static double fading(double d) {
    return exp(-d / 2);
}

static const lens_kind kinds[] = {{"agd", false, agd, itself, 0},
                                  {"closeness", true, closeness, itself, 0},
                                  {"harmonic", true, NULL, reciprocal, 0},
                                  {"density:delta=2", false, NULL, fading, 1}};

/* The value of a node, NAN where nothing is in reach, and its standard error: that of a total of
 * z = f_R [reached] + f_D d over the draws, by central differences of f. */
static double estimate(const lens_kind *kind, int64_t nodes, int64_t v, double *error) {
    const double others = size[component[v]] - 1;
    double draws = 0, reached = 0, sum = 0, total = 0, squares = 0, by_reach = 0, by_sum = 1;
    for (int64_t s = 0; s < nodes; s++)
        if (s != v && drawn[s] && component[s] == component[v]) {
            int d = kind->to_node ? distance[s][v] : distance[v][s];
            draws++;
            reached += d >= 0;
            sum += d >= 0 ? kind->kernel(d) : 0;
        }
    const double scale = draws > 0 ? others / draws : 1, r = scale * reached, t = scale * sum;
    *error = 0;
    if (kind->value && reached == 0)
        return NAN;
    if (kind->value) {
        const double step = 1e-4;
        by_reach =
            (kind->value(r + step, t, (double)nodes) - kind->value(r - step, t, (double)nodes)) /
            (2 * step);
        by_sum =
            (kind->value(r, t + step, (double)nodes) - kind->value(r, t - step, (double)nodes)) /
            (2 * step);
    }
    for (int64_t s = 0; s < nodes; s++)
        if (s != v && drawn[s] && component[s] == component[v]) {
            int d = kind->to_node ? distance[s][v] : distance[v][s];
            double z = d >= 0 ? by_reach + by_sum * kind->kernel(d) : 0;
            total += z;
            squares += z * z;
        }
    if (draws < others)
        *error = others * sqrt((1 - draws / others) * fmax(squares - total * total / draws, 0) /
                               (draws - 1) / draws);
    return kind->value ? kind->value(r, t, (double)nodes) : kind->more + t;
}

static void assert_estimates(const dgm_graph *graph, int64_t samples, int64_t seed) {
    const int64_t nodes = dgm_graph_nodes(graph);
    measure(graph);
    draw(graph, samples, seed);
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        char name[64];
        dgm_matrix *lens;
        double worst = 0, largest = 0;
        snprintf(name, sizeof name, "%s%ssamples=%d", kinds[k].name,
                 strchr(kinds[k].name, ':') ? "," : ":", (int)samples);
        assert_int_equal(lens_axes(ctx, graph, name, seed, &lens), DGM_OK);
        for (int64_t v = 0; v < nodes; v++) {
            double error, value = estimate(&kinds[k], nodes, v, &error);
            worst = fmax(worst, error);
            largest = fmax(largest, value);
        }
        for (int64_t v = 0; v < nodes; v++) {
            double error, value = estimate(&kinds[k], nodes, v, &error);
            if (isnan(value))
                value = kinds[k].to_node ? 0 : largest;
            assert_near(dgm_matrix_values(lens)[v], value, 1e-9 * fabs(value));
        }
        if (dgm_matrix_column_error(lens, 0) > 0 || worst > 0)
            assert_near(dgm_matrix_column_error(lens, 0), worst, 1e-5 * worst);
        dgm_matrix_free(lens);
    }
}

/* A large component and, with `apart`, a small one and a node by itself. */
static dgm_graph *build_sample(bool directed, bool apart, uint64_t seed) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgmi_random random = {seed, 1, 0};
    uint32_t ends[2 * 2 * MOST];
    int64_t count = 0;
    const uint32_t large = 80;
    options.directed = directed;
    for (uint32_t u = 1; u < large; u++) {
        ends[2 * count] = u;
        ends[2 * count++ + 1] = (uint32_t)dgmi_random_next_below(&random, u);
    }
    for (int i = 0; i < 60; i++) {
        ends[2 * count] = (uint32_t)dgmi_random_next_below(&random, large);
        ends[2 * count++ + 1] = (uint32_t)dgmi_random_next_below(&random, large);
    }
    for (uint32_t u = 0; apart && u < 11; u++) {
        ends[2 * count] = large + u;
        ends[2 * count++ + 1] = large + (u + 1) % 12;
    }
    return build_graph(&options, apart ? large + 13 : large, count, ends, NULL);
}

static void estimates_are_those_of_their_draws(void **state) {
    (void)state;
    for (uint64_t k = 0; k < 8; k++) {
        dgm_graph *graph = build_sample(k & 1, k & 2, k);
        assert_estimates(graph, 20, 3 + (int64_t)k);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_those_of_their_draws),
    };
    return RUN_WITH_CONTEXT(tests);
}
