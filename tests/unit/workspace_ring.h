/* SPDX-License-Identifier: Apache-2.0 */
/* A workspace of a ring of 60 nodes in two classes, and two lenses of it. Included after unit_fixture.h. */
#ifndef WORKSPACE_RING_H
#define WORKSPACE_RING_H

static dgm_graph *graph;
static dgm_matrix *axes, *others;
static dgm_workspace *workspace;

static inline int open_workspace(void **state) {
    (void)state;
    uint32_t edges[120];
    int32_t labels[60];
    for (uint32_t i = 0; i < 60; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = (i + 1) % 60;
        labels[i] = i < 40;
    }
    dgm_graph *bare = build_graph(NULL, 0, 60, edges, NULL);
    if (dgm_graph_with_labels(ctx, bare, labels, 0, NULL, &graph) != DGM_OK)
        return -1;
    dgm_graph_free(bare);
    axes = build_matrix(60, 1, NULL);
    others = build_matrix(60, 1, NULL);
    for (int i = 0; i < 60; i++) {
        dgm_matrix_values_mutable(axes)[i] = i < 30 ? i : 60 - i;
        dgm_matrix_values_mutable(others)[i] = i;
    }
    return dgm_workspace_create(ctx, graph, &workspace) == DGM_OK ? 0 : -1;
}

static inline int close_workspace(void **state) {
    (void)state;
    dgm_workspace_free(workspace);
    dgm_matrix_free(axes);
    dgm_matrix_free(others);
    dgm_graph_free(graph);
    return 0;
}

typedef struct {
    const dgm_summary *summary;
    const dgm_profile *profile;
    const dgm_view *view;
} products;

static inline products ask(void) {
    products made;
    assert_int_equal(dgm_workspace_summary(ctx, workspace, &made.summary), DGM_OK);
    assert_int_equal(dgm_workspace_profile(ctx, workspace, &made.profile), DGM_OK);
    assert_int_equal(dgm_workspace_view(ctx, workspace, &made.view), DGM_OK);
    return made;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_workspace, close_workspace)

#endif
