/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a graph, for the room that builds it. */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "dgm/graph.h"

#include "graph_names.h"

typedef struct dgmi_graph_column {
    char *name;
    dgm_attribute_kind kind;
    int64_t count;   /* rows given */
    double *numbers; /* NUMBER */
    char **texts;    /* TEXT; each points into text_pool or is NULL */
    char *text_pool;
} dgmi_graph_column;

struct dgm_graph {
    dgm_allocator allocator;

    int64_t nodes, entries;
    int64_t *offsets;  /* nodes + 1 */
    uint32_t *targets; /* entries */
    double *weights;   /* entries, or NULL */
    bool directed;
    dgm_graph_counts counts;

    dgmi_graph_names names; /* empty: nodes are named by their numbers */
    int64_t name_base;      /* of numeric names */
    char *source;

    int32_t *labels;
    int64_t label_count;
    int32_t classes;        /* that occur among the labels */
    int32_t *class_numbers; /* the data's, ascending; NULL: class c has the number c */
    char **class_names;     /* by the data's number */
    int32_t class_name_count;

    uint8_t *splits;
    int64_t split_count;

    int64_t feature_rows, feature_width;
    int64_t *feature_offsets;
    uint32_t *feature_columns;
    float *feature_values;

    dgmi_graph_column *columns;
    int64_t column_count, column_capacity;
};

#endif
