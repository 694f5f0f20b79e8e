/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows of graphs with known spectra. */
#ifndef SPECTRAL_GRAPHS_H
#define SPECTRAL_GRAPHS_H

#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "spectral_laplacian.h"

typedef struct {
    dgm_graph *graph;
    dgmi_spectral_laplacian laplacian;
    double *root;
} known_graph;

static inline known_graph take_graph(dgm_graph *graph, bool normalised) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    known_graph known = {.graph = graph};
    known.laplacian.graph = (dgmi_spectral_adjacency){.rows = rows.nodes,
                                                      .offsets = rows.offsets,
                                                      .columns = rows.targets,
                                                      .values = rows.weights};
    if (!normalised)
        return known;
    known.root = calloc((size_t)rows.nodes, sizeof *known.root);
    for (int64_t u = 0; u < rows.nodes; u++) {
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            known.root[u] += rows.weights ? rows.weights[e] : 1;
        known.root[u] = sqrt(known.root[u]);
    }
    known.laplacian.root = known.root;
    return known;
}

static inline void free_graph(known_graph *known) {
    dgm_graph_free(known->graph);
    free(known->root);
}

static inline known_graph known_path(int64_t nodes, bool closed, bool normalised) {
    uint32_t *ends = malloc((size_t)nodes * 2 * sizeof *ends);
    for (int64_t i = 0; i < nodes; i++) {
        ends[2 * i] = (uint32_t)i;
        ends[2 * i + 1] = (uint32_t)((i + 1) % nodes);
    }
    dgm_graph *graph = build_graph(NULL, nodes, closed ? nodes : nodes - 1, ends, NULL);
    free(ends);
    return take_graph(graph, normalised);
}

static inline known_graph known_star(int64_t leaves, bool normalised) {
    uint32_t *ends = calloc((size_t)leaves * 2, sizeof *ends);
    for (int64_t i = 0; i < leaves; i++)
        ends[2 * i + 1] = (uint32_t)i + 1;
    dgm_graph *graph = build_graph(NULL, 0, leaves, ends, NULL);
    free(ends);
    return take_graph(graph, normalised);
}

static inline known_graph known_complete(int64_t nodes, bool normalised) {
    uint32_t *ends = malloc((size_t)(nodes * nodes) * sizeof *ends);
    int64_t count = 0;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = 0; v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
    dgm_graph *graph = build_graph(NULL, 0, count, ends, NULL);
    free(ends);
    return take_graph(graph, normalised);
}

/* A complete core, at every node of which `tails` paths of `length` nodes hang, and behind the
 * first of all `more` nodes more. */
static inline known_graph known_tails(int64_t core, int64_t tails, int64_t length, int64_t more,
                                      bool normalised) {
    int64_t nodes = core * (1 + tails * length) + more, count = 0;
    uint32_t *ends = malloc((size_t)(core * core + 2 * nodes) * sizeof *ends);
    uint32_t next = (uint32_t)core;
    for (uint32_t u = 0; u < core; u++)
        for (uint32_t v = 0; v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
    for (int64_t tail = 0; tail < core * tails; tail++)
        for (int64_t i = 0; i < length + (tail == 0 ? more : 0); i++, count++, next++) {
            ends[2 * count] = i == 0 ? (uint32_t)(tail % core) : next - 1;
            ends[2 * count + 1] = next;
        }
    dgm_graph *graph = build_graph(NULL, 0, count, ends, NULL);
    free(ends);
    return take_graph(graph, normalised);
}

static inline known_graph known_generated(dgm_generator kind, int64_t nodes, bool normalised) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = (int)kind;
    options.nodes = nodes;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return take_graph(graph, normalised);
}

#endif
