/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of a ring of 40 nodes in two classes, of which a network takes five for the other class. Included
 * after unit_fixture.h. */
#ifndef PAGE_RING_H
#define PAGE_RING_H

#include "class_ring.h"
#include "page_sample.h"

enum { NODES = 40 };

static dgm_graph *graph;
static dgm_predictions *predictions;

static int open_graph(void **state) {
    (void)state;
    make_class_ring(NODES, 25, 20, &graph, &predictions);
    return 0;
}

static int close_graph(void **state) {
    (void)state;
    dgm_predictions_free(predictions);
    dgm_graph_free(graph);
    return 0;
}

static dgm_page_input input_of(const char *const (*settings)[2], int count) {
    return page_input(graph, "ring", settings, count);
}

#endif
