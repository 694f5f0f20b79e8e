/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of edge lists share. */
#ifndef EDGES_SAMPLE_H
#define EDGES_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "graph_builder.h"
#include "io_check.h"
#include "io_edges.h"
#include "io_formats.h"

static const dgm_graph_options by_name = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};

static inline void assert_shape(const char *text, int64_t nodes, int64_t edges) {
    dgm_graph *graph = io_read(text, "x.txt", NULL);
    assert_int_equal(dgm_graph_nodes(graph), nodes);
    assert_int_equal(dgm_graph_edges(graph), edges);
    dgm_graph_free(graph);
}

/* The names of all nodes in order, each followed by a blank. */
static inline void assert_names(const char *text, const dgm_graph_options *options,
                                const char *names) {
    char all[512] = "";
    dgm_graph *graph = io_read(text, "x.txt", options);
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s ", io_name(graph, u));
    }
    assert_string_equal(all, names);
    dgm_graph_free(graph);
}

/* `lines` times the same form, with i and i + 1 as ids; to be freed. */
static inline char *many_lines(const char *head, const char *form, int lines) {
    size_t capacity = (size_t)lines * 48 + 64, used = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    used += (size_t)snprintf(text, capacity, "%s", head);
    for (int i = 0; i < lines; i++)
        used += (size_t)snprintf(text + used, capacity - used, form, i, i + 1);
    return text;
}

#endif
