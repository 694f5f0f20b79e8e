/* SPDX-License-Identifier: Apache-2.0 */
/* Networks from files, what they answer, and the graph that PyTorch Geometric answered about
 * (tests/data/oracle/nn_pyg.txt). */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "nn_golden.h"
#include "nn_training.h"

static inline int enter_golden(void **state) {
    int status = enter_folder(state);
    read_golden("nn_pyg.txt");
    return status;
}

static inline dgm_graph *golden_graph(bool directed) {
    const golden_table *edges = find_golden("edges", -1), *table = find_golden("features", -1);
    static uint32_t ends[256];
    static double weights[128];
    static float values[24 * 9];
    for (int64_t e = 0; e < edges->rows; e++) {
        ends[2 * e] = (uint32_t)edges->values[3 * e];
        ends[2 * e + 1] = (uint32_t)edges->values[3 * e + 1];
        weights[e] = edges->values[3 * e + 2];
    }
    for (int64_t i = 0; i < 24 * 9; i++)
        values[i] = (float)table->values[i];
    const dgm_graph_features features = {.width = 9, .values = values};
    const sample s = {.options = {.size = sizeof(dgm_graph_options), .directed = directed},
                      .weighted = true,
                      .nodes = 24,
                      .edges = edges->rows,
                      .ends = ends,
                      .weights = weights,
                      .features = &features};
    return build_sample(&s);
}

/* What a model says of a graph; freed by the caller. */
static inline dgm_matrix *run_model(const dgm_model *model, const dgm_graph *graph) {
    dgm_matrix *answer;
    if (dgm_model_run(ctx, model, graph, &answer) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return answer;
}

static inline dgm_model *read_model(const char *path) {
    dgm_model *model;
    if (dgm_model_read(ctx, path, &model) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return model;
}

#endif
