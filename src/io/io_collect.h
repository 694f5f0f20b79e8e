/* SPDX-License-Identifier: Apache-2.0 */
/* Collects a graph from a format that declares its nodes (GraphML, GEXF, GML, JSON): ids, edges
 * between ids in any order, and attributes node by node. These rules hold for all four formats:
 *
 * - Ids that are all whole numbers (and --ids is not "name") put the nodes in ascending order; if
 * they are 0 .. n - 1 or 1 .. n, nodes are named by number. Other ids are names, in the order in
 * which they first appear.
 * - Every end of an edge must be declared as a node, and only once.
 * - An attribute whose values are all numbers is a column of numbers, any other one of texts.
 * - Labels are the first of the attributes "label", "y" (unless there is an "x" too: a place in the
 * plane) and "class" whose values are all whole numbers in -1 .. 999,999; a node without one is
 * unlabelled (-1). It stays an attribute.
 * - Directions count only if the caller asked for them; the file's wish is said in a note.
 */
#ifndef IO_COLLECT_H
#define IO_COLLECT_H

#include "dgm/graph.h"

#include "base_text.h"
#include "graph_names.h"

typedef enum dgmi_io_direction {
    DGMI_IO_EDGE_UNDIRECTED,
    DGMI_IO_EDGE_DIRECTED,
    DGMI_IO_EDGE_MUTUAL, /* two arcs */
} dgmi_io_direction;

/* One value. */
typedef struct dgmi_io_entry {
    uint32_t node;
    bool is_text;
    union {
        double number;
        int64_t text; /* where it begins in the pool */
    };
} dgmi_io_entry;

typedef struct dgmi_io_entries {
    dgmi_io_entry *entries; /* those of one node stand together */
    int64_t count, capacity;
    bool declared_text; /* the kind of a column without any value */
    bool has_default;
    dgmi_io_entry value; /* the default */
} dgmi_io_entries;

/* Where an id was met. */
typedef struct dgmi_io_mention {
    int64_t line;
    bool declared; /* as a node, not only by an edge */
} dgmi_io_mention;

typedef struct dgmi_io_collector {
    dgm_context *ctx;
    const char *file;
    const dgm_graph_options *options;
    dgm_graph_builder *builder;

    dgmi_graph_names ids;
    dgmi_io_mention *mentions; /* one an id */
    int64_t mention_capacity;

    uint32_t *ends;  /* ids, two per edge */
    double *weights; /* one per edge, or NULL: no edge has one */
    int64_t edges, end_capacity, weight_capacity;

    dgmi_graph_names column_names;
    dgmi_io_entries *columns; /* one per name */
    int64_t column_capacity;
    dgmi_text pool; /* texts, each terminated */

    int64_t name_column;    /* its texts, not the ids, are the nodes' names; -1: none */
    bool label_may_be_name; /* "label" is the format's own: no attribute where it repeats every name
                             */
    bool label_is_name;     /* and its texts are the nodes' names, where no two are alike */
    bool spelled_infinity;  /* "inf" and "-inf" among numbers are numbers */
    int64_t arcs, links;    /* edges that the file calls directed, undirected */
    bool booleans;          /* some values were true or false */
    int64_t rounded;        /* whole numbers that a double does not hold */
    int64_t repeated;       /* values given again for the same node: the last counts */
    char edge_attribute[64];   /* one that was left out, or "" */
    char nested_attribute[64]; /* a list or record that was left out, or "" */
} dgmi_io_collector;

void dgmi_io_collect_open(dgmi_io_collector *collector, dgm_context *ctx, const char *file,
                          const dgm_graph_options *options, dgm_graph_builder *builder);
void dgmi_io_collect_free(dgmi_io_collector *collector);

/* Declares a node; twice is an error. line 0: unknown. */
dgm_status dgmi_io_collect_node(dgmi_io_collector *collector, const char *id, size_t length,
                                int64_t line, uint32_t *node);
/* weight NULL: the file gives none, which counts 1. It must be finite. */
dgm_status dgmi_io_collect_edge(dgmi_io_collector *collector, const char *source,
                                const char *target, int64_t line, dgmi_io_direction direction,
                                const double *weight);
/* The column of that name, made if it is new. */
dgm_status dgmi_io_collect_column(dgmi_io_collector *collector, const char *name, size_t length,
                                  uint32_t *column);
dgm_status dgmi_io_collect_number(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                  double value);
dgm_status dgmi_io_collect_text(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                const char *text, size_t length);
/* For nodes that say nothing; the first one given counts. */
dgm_status dgmi_io_collect_default_number(dgmi_io_collector *collector, uint32_t column,
                                          double value);
dgm_status dgmi_io_collect_default_text(dgmi_io_collector *collector, uint32_t column,
                                        const char *text, size_t length);
/* Remember one that cannot be kept, for the closing note. */
void dgmi_io_collect_leave_edge_attribute(dgmi_io_collector *collector, const char *name,
                                          size_t length);
void dgmi_io_collect_leave_nested(dgmi_io_collector *collector, const char *name, size_t length);

/* A number as text, blanks around it allowed; counts whole numbers that must be rounded. */
bool dgmi_io_collect_parse(dgmi_io_collector *collector, const char *text, size_t length,
                           double *value);
/* "true", "false" in any case, "1", "0": kept as 1 and 0, which is said in a note. */
bool dgmi_io_collect_parse_boolean(dgmi_io_collector *collector, const char *text, size_t length,
                                   double *value);

/* How well an attribute of that name stands for the labels, beside one called "x" or not: 3 to 1, 0
 * not at all. The best whose values may be labels is taken. */
int dgmi_io_label_rank(const char *name, bool beside_x);
bool dgmi_io_are_labels(const double *values, int64_t count);

/* Checks, orders, and hands everything to the builder. */
dgm_status dgmi_io_collect_finish(dgmi_io_collector *collector);

#endif
