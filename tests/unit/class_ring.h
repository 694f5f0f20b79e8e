/* SPDX-License-Identifier: Apache-2.0 */
/* A ring in two classes, and a network that is wrong about some of its nodes. Included after
 * unit_fixture.h. */
#ifndef CLASS_RING_H
#define CLASS_RING_H

enum { MOST_ON_RING = 64 };

/* The first `right` nodes are of the class "right" and the others of the class "left"; the network calls
 * only the first `said_right` nodes right. */
static inline void make_class_ring(uint32_t nodes, uint32_t right, uint32_t said_right,
                                   dgm_graph **ring, dgm_predictions **said) {
    static const char *const classes[] = {"left", "right"};
    uint32_t ends[2 * MOST_ON_RING];
    int32_t labels[MOST_ON_RING], answers[MOST_ON_RING];
    assert_true(nodes <= MOST_ON_RING);
    for (uint32_t i = 0; i < nodes; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % nodes;
        labels[i] = i < right;
        answers[i] = i < said_right;
    }
    dgm_graph *bare = build_graph(NULL, 0, nodes, ends, NULL);
    assert_int_equal(dgm_graph_with_labels(ctx, bare, labels, 2, classes, ring), DGM_OK);
    dgm_graph_free(bare);
    assert_int_equal(dgm_predictions_from_classes(ctx, *ring, answers, NULL, said), DGM_OK);
}

#endif
