/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs for the tests of what networks eat: random ones of every kind, with tables; notes that are
 * kept; and calls whose every allocation fails in turn. */
#ifndef NN_SAMPLE_H
#define NN_SAMPLE_H

#include "unit_fixture.h"

#include <stdlib.h>

#include "../check_memory.h"
#include "../check_random.h"
#include "nn_data.h"

/* ---- graphs ---- */

typedef struct sample {
    dgm_graph_options options;
    bool weighted;
    int64_t nodes, edges;
    uint32_t *ends;
    double *weights;
    const dgm_graph_features *features;
    const int32_t *labels;
    const uint8_t *splits;
} sample;

static inline dgm_graph *build_sample(const sample *s) {
    dgm_graph_options options = s->options;
    options.size = sizeof options;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, s->nodes), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add(builder, s->edges, s->ends, s->weighted ? s->weights : NULL), DGM_OK);
    if (s->features)
        assert_int_equal(dgm_graph_builder_set_features(builder, s->nodes, s->features), DGM_OK);
    if (s->labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, s->nodes, s->labels), DGM_OK);
    if (s->splits)
        assert_int_equal(dgm_graph_builder_set_splits(builder, s->nodes, s->splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

/* Weighted or not, directed or not, with loops or without; weights of 0 occur, and nodes without
 * edges. */
static inline sample draw_sample(check_random *random, int64_t nodes, int64_t edges) {
    sample s = {.nodes = nodes, .edges = edges};
    s.options.directed = check_random_chance(random, 0.5);
    s.options.keep_loops = check_random_chance(random, 0.5);
    s.weighted = check_random_chance(random, 0.5);
    s.ends = malloc(2 * (size_t)edges * sizeof *s.ends + 1);
    s.weights = malloc((size_t)edges * sizeof *s.weights + 1);
    int used = (int)nodes - (int)nodes / 8;
    for (int64_t i = 0; i < edges; i++) {
        s.ends[2 * i] = (uint32_t)check_random_below(random, used);
        s.ends[2 * i + 1] = check_random_chance(random, 0.1)
                                ? s.ends[2 * i]
                                : (uint32_t)check_random_below(random, used);
        s.weights[i] = check_random_chance(random, 0.05) ? 0 : 3 * check_random_unit(random);
    }
    return s;
}

static inline void free_sample(sample *s) {
    free(s->ends);
    free(s->weights);
}

/* ---- notes ---- */

static char last_note[1024];
static int note_count;

static inline void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
    note_count++;
}

static inline void listen_to_notes(void) {
    last_note[0] = '\0';
    note_count = 0;
    dgm_context_set_notes(ctx, keep_note, NULL);
}

/* ---- faults ---- */

/* Makes and frees something of the graph. */
typedef dgm_status (*sample_call)(dgm_context *context, const dgm_graph *graph);

/* The call with its k-th allocation failing, for every k until none fails: it says so, and nothing
 * is left. Returns how many failed. */
static inline int fail_every_allocation(sample_call call, const dgm_graph *graph) {
    for (int k = 1;; k++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *context;
        assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
        dgm_context_set_threads(context, 1);
        memory.fail_at = memory.calls + k;
        dgm_status status = call(context, graph);
        bool failed = memory.calls >= memory.fail_at;
        assert_int_equal(status, failed ? DGM_ERROR_MEMORY : DGM_OK);
        dgm_context_free(context);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            return k - 1;
    }
}

/* ---- matrices ---- */

/* Rows that ascend, columns that exist. */
static inline void check_csr(const dgmi_table_csr *matrix) {
    assert_int_equal(matrix->offsets[0], 0);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++) {
            assert_true(matrix->indices[e] < matrix->columns);
            if (e > matrix->offsets[i])
                assert_true(matrix->indices[e - 1] < matrix->indices[e]);
        }
}

/* The value at a place, 0 where there is no entry. */
static inline float csr_at(const dgmi_table_csr *matrix, int64_t row, int64_t column) {
    for (int64_t e = matrix->offsets[row]; e < matrix->offsets[row + 1]; e++)
        if (matrix->indices[e] == column)
            return matrix->values[e];
    return 0;
}

/* The transpose has every entry of the matrix in the place that `positions` says. */
static inline void check_transpose(const dgmi_nn_sparse *sparse) {
    const dgmi_table_csr *matrix = &sparse->matrix, *transpose = &sparse->transpose;
    check_csr(matrix);
    check_csr(transpose);
    assert_int_equal(transpose->rows, matrix->columns);
    assert_int_equal(transpose->columns, matrix->rows);
    assert_int_equal(dgmi_table_csr_entries(transpose), dgmi_table_csr_entries(matrix));
    for (int64_t j = 0; j < transpose->rows; j++)
        for (int64_t e = transpose->offsets[j]; e < transpose->offsets[j + 1]; e++) {
            int64_t at = sparse->positions[e], i = transpose->indices[e];
            assert_true(at >= matrix->offsets[i] && at < matrix->offsets[i + 1]);
            assert_int_equal(matrix->indices[at], j);
            assert_true(matrix->values[at] == transpose->values[e]);
        }
}

#endif
