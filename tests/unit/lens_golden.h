/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses against what other programs computed: the files of tests/data/oracle, made by
 * tools/oracle.
 *
 *   graph NAME NODES EDGES DIRECTED WEIGHTED
 *   U V WEIGHT                 one line an edge
 *   lens SPECIFICATION
 *   VALUE VALUE ...            one per node
 */
#ifndef LENS_GOLDEN_H
#define LENS_GOLDEN_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_fixture.h"

#include "../check_lens.h"

enum { GOLDEN_EDGES = 4096 };

static inline dgm_graph *read_golden_graph(FILE *file) {
    char name[64];
    long nodes, edges;
    int directed, weighted;
    uint32_t ends[2 * GOLDEN_EDGES];
    double weights[GOLDEN_EDGES];
    assert_int_equal(fscanf(file, "%63s %ld %ld %d %d", name, &nodes, &edges, &directed, &weighted),
                     5);
    assert_true(edges <= GOLDEN_EDGES);
    for (long e = 0; e < edges; e++)
        assert_int_equal(fscanf(file, "%u %u %lf", &ends[2 * e], &ends[2 * e + 1], &weights[e]), 3);
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
    return build_graph(&options, nodes, edges, ends, weighted ? weights : NULL);
}

/* The values that follow; compared where the lens is wanted. */
static inline void check_golden_lens(FILE *file, const dgm_graph *graph, const char *lens,
                                     bool wanted) {
    dgm_matrix *found = NULL;
    if (wanted && lens_axes(ctx, graph, lens, 1, &found) != DGM_OK)
        fail_msg("%s: %s", lens, dgm_context_error(ctx));
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++) {
        double value;
        assert_int_equal(fscanf(file, "%lf", &value), 1);
        if (wanted)
            assert_near(dgm_matrix_values(found)[u], value, 1e-6 * fabs(value) + 1e-12);
    }
    dgm_matrix_free(found);
}

/* Compares every lens of that name, whatever its keys, to 1e-6 of the value; how many there were.
 */
static inline int check_golden(const char *file_name, const char *lens) {
    char path[1024], word[64], specification[128];
    dgm_graph *graph = NULL;
    int checked = 0;
    snprintf(path, sizeof path, "%s/oracle/%s", getenv("DGM_TEST_DATA"), file_name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fscanf(file, "%63s", word) == 1) {
        if (strcmp(word, "graph") == 0) {
            dgm_graph_free(graph);
            graph = read_golden_graph(file);
        } else if (strcmp(word, "lens") == 0) {
            assert_int_equal(fscanf(file, "%127s", specification), 1);
            size_t length = strcspn(specification, ":");
            bool wanted = strlen(lens) == length && strncmp(specification, lens, length) == 0;
            check_golden_lens(file, graph, specification, wanted);
            checked += wanted;
        }
    }
    fclose(file);
    dgm_graph_free(graph);
    return checked;
}

#endif
