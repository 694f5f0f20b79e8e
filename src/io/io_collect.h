/* SPDX-License-Identifier: Apache-2.0 */
/* Collects a graph from a format that declares its nodes: GraphML, GEXF, GML, JSON. Such a file has
 * ids, edges between ids in any order, and attributes of nodes. These rules hold for all four
 * formats:
 *
 * - Ids that are all whole numbers (and --ids is not "name") put the nodes in ascending order; if
 * they are 0 .. n - 1 or 1 .. n, nodes are named by number. Other ids are names, in the order in
 * which they first appear.
 * - Every end of an edge must be declared as a node, and only once.
 * - An attribute whose values are all numbers is a column of numbers, any other one of texts.
 * - Labels are the first of the attributes "label", "y" (unless there is an "x" too: a place in the
 * plane) and "class" whose values are all whole numbers in -1 .. 999,999; a node without one is
 * unlabelled (-1). It stays an attribute.
 * - Directions count only if the caller asked for them. A note says if the file calls its edges
 * directed.
 */
#ifndef IO_COLLECT_H
#define IO_COLLECT_H

#include "dgm/graph.h"

#include "base_text.h"
#include "graph_names.h"

typedef enum dgmi_io_direction {
    DGMI_IO_EDGE_UNDIRECTED,
    DGMI_IO_EDGE_DIRECTED,
    DGMI_IO_EDGE_MUTUAL, /* it counts as two arcs, one each way */
} dgmi_io_direction;

/* The value that a node has in a column. */
typedef struct dgmi_io_entry {
    uint32_t node; /* the number of the node's id, in the order of the file */
    bool is_text;
    union {
        double number;
        int64_t text; /* where the text begins in the pool */
    };
} dgmi_io_entry;

typedef struct dgmi_io_entries {
    dgmi_io_entry *entries; /* the values in the order of the file */
    int64_t count, capacity;
    bool declared_text;  /* the file declares texts, which decides for a column without values */
    bool has_default;    /* `value` is used for nodes that have none */
    dgmi_io_entry value; /* the default */
} dgmi_io_entries;

/* Where an id was met first. */
typedef struct dgmi_io_mention {
    int64_t line;  /* the line, counted from 1; 0: unknown */
    bool declared; /* the file declares it as a node, and not only as an end of an edge */
} dgmi_io_mention;

typedef struct dgmi_io_collector {
    dgm_context *ctx;
    const char *file;
    const dgm_graph_options *options;
    dgm_graph_builder *builder;

    dgmi_graph_names ids;      /* all ids, in the order in which they were met */
    dgmi_io_mention *mentions; /* one per id */
    int64_t mention_capacity;

    uint32_t *ends;  /* the numbers of two ids per edge */
    double *weights; /* one per edge; NULL: no edge has one */
    int64_t edges, end_capacity, weight_capacity;

    dgmi_graph_names column_names;
    dgmi_io_entries *columns; /* one per column name */
    int64_t column_capacity;
    dgmi_text pool; /* the texts of all columns, each with a zero byte behind it */

    int64_t name_column; /* the column whose texts, and not the ids, name the nodes; -1: none */
    /* "label" belongs to the format, and is no attribute if it repeats every name. */
    bool label_may_be_name;
    bool label_is_name;      /* the texts of "label" name the nodes, if no two of them are alike */
    bool spelled_infinity;   /* "inf" and "-inf" are numbers in a column of numbers */
    int64_t arcs, links;     /* how many edges the file calls directed, and undirected */
    bool booleans;           /* some values were true or false */
    int64_t rounded;         /* how many whole numbers a double does not hold */
    int64_t repeated;        /* how many values were given again for a node; the last one counts */
    char edge_attribute[64]; /* the name of an attribute of edges that was left out, or "" */
    char nested_attribute[64]; /* the name of a list or record that was left out, or "" */
} dgmi_io_collector;

void dgmi_io_collect_open(dgmi_io_collector *collector, dgm_context *ctx, const char *file,
                          const dgm_graph_options *options, dgm_graph_builder *builder);
void dgmi_io_collect_free(dgmi_io_collector *collector);

/* Declares a node. To declare it twice is an error. A line of 0 is unknown. */
dgm_status dgmi_io_collect_node(dgmi_io_collector *collector, const char *id, size_t length,
                                int64_t line, uint32_t *node);
/* Adds an edge. If the file gives no weight, `weight` is NULL and counts 1. It must be finite. */
dgm_status dgmi_io_collect_edge(dgmi_io_collector *collector, const char *source,
                                const char *target, int64_t line, dgmi_io_direction direction,
                                const double *weight);
/* Finds the column of that name, or makes it if it is new. */
dgm_status dgmi_io_collect_column(dgmi_io_collector *collector, const char *name, size_t length,
                                  uint32_t *column);
/* Both give a node a value in a column. */
dgm_status dgmi_io_collect_number(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                  double value);
dgm_status dgmi_io_collect_text(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                const char *text, size_t length);
/* Both give a column the value of nodes that have none. The first default that is given counts. */
dgm_status dgmi_io_collect_default_number(dgmi_io_collector *collector, uint32_t column,
                                          double value);
dgm_status dgmi_io_collect_default_text(dgmi_io_collector *collector, uint32_t column,
                                        const char *text, size_t length);
/* Both remember an attribute that cannot be kept, for the note at the end. */
void dgmi_io_collect_leave_edge_attribute(dgmi_io_collector *collector, const char *name,
                                          size_t length);
void dgmi_io_collect_leave_nested(dgmi_io_collector *collector, const char *name, size_t length);

/* Reads a number, which may have blanks around it, and counts whole numbers that must be rounded.
 * Returns false if the text is no number. */
bool dgmi_io_collect_parse(dgmi_io_collector *collector, const char *text, size_t length,
                           double *value);
/* Reads "true" and "false", in upper or lower case, and "1" and "0". They are kept as 1 and 0, and
 * a note says so. Returns false for other texts. */
bool dgmi_io_collect_parse_boolean(dgmi_io_collector *collector, const char *text, size_t length,
                                   double *value);

/* Returns how well an attribute of that name serves as the labels: from 3, the best, to 1, and 0
 * for not at all. It depends on whether there is also an attribute "x". The best one whose values
 * may be labels is taken. */
int dgmi_io_label_rank(const char *name, bool beside_x);
/* Tells whether the values may be labels. */
bool dgmi_io_are_labels(const double *values, int64_t count);

/* Checks everything, puts the nodes in order, and hands all to the builder. */
dgm_status dgmi_io_collect_finish(dgmi_io_collector *collector);

#endif
