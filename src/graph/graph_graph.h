/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a graph. Only the room graph, which builds graphs, should include this. */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "dgm/graph.h"

#include "graph_names.h"

typedef struct dgmi_graph_column {
    char *name;
    dgm_attribute_kind kind;
    int64_t count;   /* the number of values that were given */
    double *numbers; /* the values of kind NUMBER */
    char **texts;    /* the values of kind TEXT; each points into text_pool or is NULL */
    char *text_pool;
} dgmi_graph_column;

struct dgm_graph {
    dgm_allocator allocator;

    int64_t nodes, entries;
    int64_t *offsets;  /* nodes + 1 positions in `targets` */
    uint32_t *targets; /* the neighbours of each node */
    double *weights;   /* the weight of each entry; NULL: all are 1 */
    bool directed;
    dgm_graph_counts counts;

    dgmi_graph_names names; /* empty: nodes are named by their numbers */
    int64_t name_base;      /* the name of node 0 if names are numbers */
    char *source;           /* where the graph came from */

    int32_t *labels;
    int64_t label_count;
    int32_t classes;        /* the number of classes that occur among the labels */
    int32_t *class_numbers; /* their numbers in the data, ascending; NULL: class c has number c */
    char **class_names;     /* names of numbers of the data, by number */
    int32_t class_name_count;
    int32_t *class_name_numbers; /* whose names they are, ascending; NULL: the first is of number 0,
                                  * and there are no gaps */

    uint8_t *splits;
    int64_t split_count;

    int64_t feature_rows, feature_width;
    int64_t *feature_offsets;
    uint32_t *feature_columns;
    float *feature_values;

    dgmi_graph_column *columns;
    int64_t column_count, column_capacity;
};

/* As dgm_graph_induced, without features. */
dgm_status dgmi_graph_induced_bare(dgm_context *ctx, const dgm_graph *graph, const uint32_t *nodes,
                                   int64_t count, dgm_graph **out);

#endif
