/* SPDX-License-Identifier: Apache-2.0 */
/* A graph with a lens, mapped and shown, and plain loops over its clusters. Included after
 * unit_fixture.h. */
#ifndef EXPLORE_MAP_H
#define EXPLORE_MAP_H

#include <stdio.h>

#include "explore_reply.h"

typedef struct {
    dgm_graph *graph;
    dgm_matrix *axes;
    dgm_explorer *explorer;
    reply picture;
    dgm_summary_clusters clusters;
} map;

/* Maps a graph, which belongs to the map then. */
static inline map open_map(dgm_graph *graph, const double *values, const char *settings) {
    map m = {.graph = graph, .axes = build_matrix(dgm_graph_nodes(graph), 1, values)};
    const dgm_summary *summary;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = m.axes;
    lens.name = "given";
    assert_int_equal(dgm_explorer_create(ctx, graph, &m.explorer), DGM_OK);
    assert_int_equal(dgm_explorer_set_lens(ctx, m.explorer, &lens), DGM_OK);
    m.picture = ask_of(m.explorer, "picture", settings);
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(m.explorer), &summary),
                     DGM_OK);
    m.clusters = dgm_summary_get_clusters(summary);
    return m;
}

static inline void close_map(map *m) {
    drop(&m->picture);
    dgm_explorer_free(m->explorer);
    dgm_matrix_free(m->axes);
    dgm_graph_free(m->graph);
}

static inline reply ask(const map *m, const char *question, const char *format, int a, int b) {
    char settings[64];
    snprintf(settings, sizeof settings, format, a, b);
    return ask_of(m->explorer, question, settings);
}

/* Zachary's club, by the numbers of its members. */
static inline map open_karate(void) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    double values[64];
    dgm_graph *graph;
    options.kind = DGM_GENERATE_KARATE;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        values[u] = (double)u;
    return open_map(graph, values, "intervals=3&overlap=0.4&dust=show");
}

static inline bool is_member(const map *m, int64_t cluster, uint32_t node) {
    for (int64_t i = m->clusters.offsets[cluster]; i < m->clusters.offsets[cluster + 1]; i++)
        if (m->clusters.members[i] == node)
            return true;
    return false;
}

static inline int64_t size_of(const map *m, int64_t cluster) {
    return m->clusters.offsets[cluster + 1] - m->clusters.offsets[cluster];
}

static inline bool is_edge(const map *m, int64_t u, int64_t v) {
    const dgm_graph_rows rows = dgm_graph_get_rows(m->graph);
    for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
        if (rows.targets[e] == v)
            return true;
    return false;
}

static inline int64_t degree_of(const map *m, int64_t u) {
    int64_t degree = 0;
    for (int64_t v = 0; v < dgm_graph_nodes(m->graph); v++)
        degree += is_edge(m, u, v);
    return degree;
}

static inline void name_of(const map *m, int64_t node, char name[32]) {
    size_t length = dgm_graph_name(m->graph, node, name, 32);
    assert_true(length < 32);
}

#endif
