/* SPDX-License-Identifier: Apache-2.0 */
/* Generators of graphs that are too long for graph_generate.c. */
#ifndef GRAPH_GENERATE_H
#define GRAPH_GENERATE_H

#include "dgm/graph.h"

/* Adds citations between papers of six fields, with features, labels, years and a split. */
dgm_status dgmi_graph_generate_papers(dgm_context *ctx, const dgm_generate_options *options,
                                      dgm_graph_builder *builder);

#endif
