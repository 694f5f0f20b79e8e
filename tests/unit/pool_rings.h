/* SPDX-License-Identifier: Apache-2.0 */
/* A set of small graphs that a network can tell apart: rings of class 0 and stars of class 1, of
 * three nodes and more. Included after the fixture. */
#ifndef POOL_RINGS_H
#define POOL_RINGS_H

enum { RINGS_MOST = 64, RINGS_MOST_NODES = RINGS_MOST * 10 };

/* Where the next set is said to come from; NULL: nowhere. */
static const char *rings_source;

static inline int64_t ring_size(int64_t graph) {
    return 3 + graph % 5;
}

/* Adds a ring or a star with the given first node. */
static inline int64_t add_ring(uint32_t *ends, int64_t edges, int64_t first, int64_t size,
                               bool star) {
    for (int64_t i = 0; i < size; i++) {
        if (star && i == 0)
            continue;
        ends[2 * edges] = (uint32_t)(first + (star ? 0 : i));
        ends[2 * edges + 1] = (uint32_t)(first + (star ? i : (i + 1) % size));
        edges++;
    }
    return edges;
}

/* Graph g is a star if shapes[g] is odd; its class is labels[g] (NULL: there are no classes). */
static inline dgm_graph_set *make_shapes(int64_t graphs, const int32_t *shapes,
                                         const int32_t *labels) {
    static uint32_t ends[4 * RINGS_MOST_NODES];
    int64_t offsets[RINGS_MOST + 1] = {0}, edges = 0;
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    assert_true(graphs <= RINGS_MOST);
    for (int64_t g = 0; g < graphs; g++) {
        edges = add_ring(ends, edges, offsets[g], ring_size(g), shapes[g] % 2);
        offsets[g + 1] = offsets[g] + ring_size(g);
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, offsets[graphs]), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, edges, ends, NULL), DGM_OK);
    if (rings_source)
        assert_int_equal(dgm_graph_builder_set_source(builder, rings_source), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, graphs, offsets, labels, &set), DGM_OK);
    return set;
}

/* The classes are what the graphs look like, one after the other. */
static inline dgm_graph_set *make_rings(int64_t graphs) {
    int32_t labels[RINGS_MOST];
    for (int64_t g = 0; g < graphs; g++)
        labels[g] = (int32_t)(g / 2 % 2);
    return make_shapes(graphs, labels, labels);
}

#endif
