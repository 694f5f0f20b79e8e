/* SPDX-License-Identifier: Apache-2.0 */
/* What every graph must be, whatever file it came from, and when two are the same. */
#ifndef CHECK_GRAPH_H
#define CHECK_GRAPH_H

#include "dgm/graph.h"

/* NULL if all is well, otherwise what is wrong: rows sorted without repeats, targets in range,
 * symmetric with equal weights unless directed, loops only where kept, counts that add up, distinct
 * names, tables of the right length. */
const char *check_graph(const dgm_graph *graph, const dgm_graph_options *options);

enum {
    CHECK_NAMES = 1,
    CHECK_LABELS = 2,
    CHECK_SPLITS = 4,
    CHECK_FEATURES = 8,
    CHECK_ATTRIBUTES = 16,
    CHECK_TABLES = CHECK_LABELS | CHECK_SPLITS | CHECK_FEATURES | CHECK_ATTRIBUTES
};
/* NULL if both have the same rows and weights, and what `parts` asks for; otherwise what differs.
 */
const char *check_same_graph(const dgm_graph *a, const dgm_graph *b, int parts);

#endif
