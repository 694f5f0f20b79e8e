/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes drawn one by one would have hardly an edge among them, and all clusters would be dust.
 * Neighbourhoods keep their edges; several of them see more than one part of the graph. */
#include "study_sample.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { CENTRES = 8, STREAM = 0x5a3e };
#define OUTSIDE UINT32_MAX

typedef struct search {
    dgm_graph_rows rows;
    uint32_t *number; /* by node: its number in the sample, or OUTSIDE */
    uint32_t *queue;  /* the nodes that were reached, in their order */
    int64_t reached;
    int64_t entries; /* the length of their rows in all */
} search;

static void reach(search *s, uint32_t node) {
    if (s->number[node] != OUTSIDE)
        return;
    s->number[node] = 0;
    s->queue[s->reached++] = node;
    s->entries += s->rows.offsets[node + 1] - s->rows.offsets[node];
}

/* Goes on from `centre` until the rows have `most` entries or nothing more is in reach. */
static void search_around(search *s, uint32_t centre, int64_t most) {
    int64_t next = s->reached;
    reach(s, centre);
    for (; next < s->reached && s->entries < most; next++) {
        uint32_t u = s->queue[next];
        for (int64_t e = s->rows.offsets[u]; e < s->rows.offsets[u + 1] && s->entries < most; e++)
            reach(s, s->rows.targets[e]);
    }
}

static void search_graph(search *s, int64_t most, int64_t seed) {
    uint64_t draw = 0;
    for (int64_t c = 1; s->entries < most && s->reached < s->rows.nodes; c++) {
        uint64_t node = dgmi_random_below((uint64_t)seed, STREAM, draw++, (uint64_t)s->rows.nodes);
        search_around(s, (uint32_t)node, c < CENTRES ? most * c / CENTRES : most);
    }
}

/* Numbers the nodes that were reached in their own order. */
static void number_nodes(search *s, uint32_t *nodes) {
    int64_t count = 0;
    for (int64_t u = 0; u < s->rows.nodes; u++)
        if (s->number[u] != OUTSIDE) {
            s->number[u] = (uint32_t)count;
            nodes[count++] = (uint32_t)u;
        }
}

static dgm_status copy_rows(dgm_context *ctx, const search *s, const uint32_t *nodes,
                            dgm_graph **out) {
    int64_t *offsets = dgmi_scratch(ctx, s->reached + 1, sizeof *offsets);
    uint32_t *targets = dgmi_scratch(ctx, s->entries, sizeof *targets);
    int64_t place = 0;
    if (!offsets || !targets)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < s->reached; i++) {
        offsets[i] = place;
        for (int64_t e = s->rows.offsets[nodes[i]]; e < s->rows.offsets[nodes[i] + 1]; e++)
            if (s->number[s->rows.targets[e]] != OUTSIDE)
                targets[place++] = s->number[s->rows.targets[e]];
    }
    offsets[s->reached] = place;
    const dgm_graph_rows rows = {.nodes = s->reached,
                                 .entries = place,
                                 .offsets = offsets,
                                 .targets = targets,
                                 .directed = s->rows.directed};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = s->rows.directed;
    return dgm_graph_from_rows(ctx, &rows, &options, out);
}

dgm_status dgmi_study_sample_draw(dgm_context *ctx, const dgm_graph *graph, int64_t edges,
                                  int64_t seed, dgmi_study_sample *out) {
    search s = {.rows = dgm_graph_get_rows(graph)};
    int64_t nodes = s.rows.nodes, most = s.rows.directed ? edges : 2 * edges;
    *out = (dgmi_study_sample){NULL, NULL};
    s.number = dgmi_scratch(ctx, nodes, sizeof *s.number);
    s.queue = dgmi_scratch(ctx, nodes, sizeof *s.queue);
    if (!s.number || !s.queue)
        return DGM_ERROR_MEMORY;
    memset(s.number, 0xff, (size_t)nodes * sizeof *s.number);
    search_graph(&s, most, seed);
    out->nodes = s.queue;
    number_nodes(&s, out->nodes);
    return copy_rows(ctx, &s, out->nodes, &out->graph);
}

dgm_status dgmi_study_sample_rows(dgm_context *ctx, const dgmi_study_sample *sample,
                                  const dgm_matrix *table, dgm_matrix **out) {
    int64_t rows = dgm_graph_nodes(sample->graph), columns = dgm_matrix_columns(table);
    dgm_status status = dgm_matrix_create(ctx, rows, columns, out);
    if (status != DGM_OK)
        return status;
    const double *from = dgm_matrix_values(table);
    double *to = dgm_matrix_values_mutable(*out);
    for (int64_t i = 0; i < rows; i++)
        memcpy(to + i * columns, from + sample->nodes[i] * columns, (size_t)columns * sizeof *to);
    return DGM_OK;
}
