/* SPDX-License-Identifier: Apache-2.0 */
/* Random small problems for the property tests: graphs of every shape, lenses with and without
 * ties, all options. */
#ifndef PROPERTY_DRAW_H
#define PROPERTY_DRAW_H

#include "../check_mapper.h"
#include "../check_random.h"

enum { PROPERTY_MAX_EDGES = CHECK_MAX_NODES * CHECK_MAX_NODES, PROPERTY_MAX_GIVEN = 8 };

typedef struct property_graph {
    int nodes;
    bool directed, keep_loops;
    int count; /* distinct edges or arcs; loops only if they are kept */
    uint32_t edges[PROPERTY_MAX_EDGES][2];
    uint8_t linked[CHECK_MAX_NODES][CHECK_MAX_NODES]; /* both ways unless directed */
} property_graph;

typedef struct property_case {
    property_graph graph;
    int columns;
    double lens[CHECK_MAX_NODES * CHECK_MAX_AXES];
    dgm_mapper_options options;
    dgm_interval given[PROPERTY_MAX_GIVEN];
} property_case;

/* Trees, cliques, dust, dense, loops, repeats, no edges, no nodes. */
void property_draw_graph(check_random *random, int max_nodes, bool directed, property_graph *graph);
/* Everything; the options are always ones that the rule allows. */
void property_draw(check_random *random, property_case *problem);
/* A lens of the case's nodes alone: ties on purpose, by an integer grid that meets the cover's
 * ends, or none. */
void property_draw_column(check_random *random, property_case *problem, int column);

check_problem property_problem(const property_case *problem);

/* Into the library. They fail the running test if the library does. */
dgm_graph *property_build_graph(dgm_context *ctx, const property_graph *graph);
dgm_matrix *property_build_matrix(dgm_context *ctx, int rows, int columns, const double *values);
dgm_summary *property_run(dgm_context *ctx, const property_case *problem);

/* The case on stderr, for whoever has to find out. */
void property_print(const property_case *problem);

#endif
