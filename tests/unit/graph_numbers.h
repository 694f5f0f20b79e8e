/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as the data numbers them. */
#ifndef GRAPH_NUMBERS_H
#define GRAPH_NUMBERS_H

#include "dgm/graph.h"

/* The number of the node's class; -1: it has none. */
static inline int32_t label_number(const dgm_graph *graph, int64_t node) {
    return dgm_graph_class_number(graph, dgm_graph_labels(graph)[node]);
}

#define ASSERT_LABEL_NUMBERS(graph, expected)                                                      \
    do {                                                                                           \
        assert_non_null(dgm_graph_labels(graph));                                                  \
        for (size_t node = 0; node < sizeof(expected) / sizeof *(expected); node++)                \
            assert_int_equal(label_number(graph, (int64_t)node), (expected)[node]);                \
    } while (0)

#endif
