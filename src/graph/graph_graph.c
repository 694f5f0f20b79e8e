/* SPDX-License-Identifier: Apache-2.0 */
/* Frees graphs, and answers the public calls about them (dgm/graph.h). */
#include "graph_graph.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

static const char *const id_choices[] = {"number", "name", NULL};
static const dgm_option graph_options[] = {
    {.name = "directed",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_graph_options, directed),
     .help = "keep the direction of edges (components are weak, PageRank follows directions)"},
    {.name = "keep-loops",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_graph_options, keep_loops),
     .help = "keep self-loops instead of dropping and counting them"},
    {.name = "nodes",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_graph_options, nodes),
     .minimum = 0,
     .maximum = DGM_MAX_NODES,
     .argument = "N",
     .help = "at least N nodes, for isolated nodes that no edge names"},
    {.name = "ids",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_graph_options, ids),
     .choices = id_choices,
     .default_text = "number",
     .help = "what a numeric id is: a node number, or a name (only nodes that occur exist)"},
    {.name = "graph",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_graph_options, graph),
     .default_text = "all, as one graph",
     .argument = "K",
     .help = "of a set of graphs (a TU folder), graph K alone, counted from 0"},
};
static const dgm_option_table graph_table = {"Reading the graph", graph_options,
                                             sizeof graph_options / sizeof *graph_options};

const dgm_option_table *dgm_graph_option_table(void) {
    return &graph_table;
}

static void free_column(const dgm_allocator *allocator, dgmi_graph_column *column) {
    dgmi_allocator_free(allocator, column->name);
    dgmi_allocator_free(allocator, column->numbers);
    dgmi_allocator_free(allocator, column->texts);
    dgmi_allocator_free(allocator, column->text_pool);
}

void dgm_graph_free(dgm_graph *graph) {
    if (!graph)
        return;
    dgm_allocator allocator = graph->allocator;
    dgmi_graph_names_free(&allocator, &graph->names);
    for (int32_t c = 0; c < graph->class_name_count; c++)
        dgmi_allocator_free(&allocator, graph->class_names[c]);
    for (int64_t k = 0; k < graph->column_count; k++)
        free_column(&allocator, &graph->columns[k]);
    void *blocks[] = {graph->offsets,
                      graph->targets,
                      graph->weights,
                      graph->source,
                      graph->labels,
                      graph->class_numbers,
                      graph->class_names,
                      graph->splits,
                      graph->columns,
                      graph->feature_offsets,
                      graph->feature_columns,
                      graph->feature_values,
                      graph->class_name_numbers,
                      graph};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

int64_t dgm_graph_nodes(const dgm_graph *graph) {
    return graph->nodes;
}

int64_t dgm_graph_edges(const dgm_graph *graph) {
    return graph->counts.edges;
}

dgm_graph_rows dgm_graph_get_rows(const dgm_graph *graph) {
    return (dgm_graph_rows){graph->nodes,   graph->entries, graph->offsets,
                            graph->targets, graph->weights, graph->directed};
}

dgm_graph_counts dgm_graph_get_counts(const dgm_graph *graph) {
    return graph->counts;
}

const char *dgm_graph_name_text(const dgm_graph *graph, int64_t node, size_t *length) {
    return graph->names.count ? dgmi_graph_names_get(&graph->names, node, length) : NULL;
}

int64_t dgm_graph_name_base(const dgm_graph *graph) {
    return graph->names.count ? -1 : graph->name_base;
}

size_t dgm_graph_name(const dgm_graph *graph, int64_t node, char *buffer, size_t size) {
    const char *text = dgm_graph_name_text(graph, node, NULL);
    int length = text ? snprintf(buffer, size, "%s", text)
                      : snprintf(buffer, size, "%lld", (long long)(node + graph->name_base));
    return (size_t)length;
}

const char *dgm_graph_source(const dgm_graph *graph) {
    return graph->source ? graph->source : "";
}

const uint8_t *dgm_graph_splits(const dgm_graph *graph) {
    return graph->splits;
}

dgm_graph_features dgm_graph_get_features(const dgm_graph *graph) {
    return (dgm_graph_features){graph->feature_width, graph->feature_offsets,
                                graph->feature_columns, graph->feature_values};
}

int64_t dgm_graph_attributes(const dgm_graph *graph) {
    return graph->column_count;
}

dgm_attribute dgm_graph_attribute(const dgm_graph *graph, int64_t index) {
    const dgmi_graph_column *column = &graph->columns[index];
    return (dgm_attribute){column->name, column->kind, column->numbers,
                           (const char *const *)column->texts};
}

int64_t dgm_graph_attribute_find(const dgm_graph *graph, const char *name) {
    for (int64_t k = 0; k < graph->column_count; k++)
        if (strcmp(graph->columns[k].name, name) == 0)
            return k;
    return -1;
}

/* A name index: a hash table over the graph's own pool, or nothing where names are numbers. */
struct dgm_graph_index {
    dgm_allocator allocator;
    const dgm_graph *graph;
    dgmi_graph_names names; /* pool and starts are borrowed from the graph */
};

dgm_status dgm_graph_index_create(dgm_context *ctx, const dgm_graph *graph, dgm_graph_index **out) {
    *out = NULL;
    dgm_graph_index *index = dgmi_alloc_zero(ctx, 1, sizeof *index);
    if (!index)
        return DGM_ERROR_MEMORY;
    index->allocator = ctx->allocator;
    index->graph = graph;
    index->names = graph->names;
    index->names.table = NULL;
    index->names.table_size = 0;
    if (graph->names.count && dgmi_graph_names_index(ctx, &index->names) != DGM_OK) {
        dgm_graph_index_free(index);
        return DGM_ERROR_MEMORY;
    }
    *out = index;
    return DGM_OK;
}

int64_t dgm_graph_index_find(const dgm_graph_index *index, const char *name, size_t length) {
    if (index->names.count)
        return dgmi_graph_names_find(&index->names, name, length);
    int64_t number;
    if (!dgmi_parse_integer(name, length, &number) ||
        __builtin_sub_overflow(number, index->graph->name_base, &number))
        return -1;
    return number >= 0 && number < index->graph->nodes ? number : -1;
}

void dgm_graph_index_free(dgm_graph_index *index) {
    if (!index)
        return;
    dgm_allocator allocator = index->allocator;
    dgmi_allocator_free(&allocator, index->names.table);
    dgmi_allocator_free(&allocator, index);
}
