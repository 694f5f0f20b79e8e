/* SPDX-License-Identifier: Apache-2.0 */
/* From what was collected to the builder: order and names of nodes, edges, columns, labels, notes.
 */
#include "io_collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_npy.h"

/* Labels above this are numbers of something else: whoever counts by class allocates by the
 * highest. */
enum { HIGHEST_LABEL = DGMI_BYTES_MAX_CLASSES - 1 };

/* Columns are dense. A file may ask for this many entries freely, and beyond it for SPARSE times
 * those it fills. */
#define FREE_CELLS (INT64_C(1) << 27)
enum { SPARSE = 256 };

typedef struct {
    int64_t number;
    uint32_t node;
} numbered;

/* Where the collected nodes go. */
typedef struct {
    uint32_t *place;   /* of node u in the graph */
    uint32_t *node_at; /* the nodes in the order in which the graph gets them */
    int64_t base;      /* first of the numeric names; -1: nodes have names */
} order;

static dgm_status check_declared(const dgmi_io_collector *collector) {
    for (int64_t u = 0; u < collector->ids.count; u++)
        if (!collector->mentions[u].declared)
            return dgmi_fail_at(collector->ctx, DGM_ERROR_FORMAT, collector->file,
                                collector->mentions[u].line, -1,
                                "an edge names the node '%s', which the file does not declare",
                                dgmi_graph_names_get(&collector->ids, u, NULL));
    return DGM_OK;
}

/* ---- order ---- */

/* A whole number as a program would print it: "7", "-1", not "+7" or "07". */
static bool plain_integer(const char *text, size_t length, int64_t *number) {
    size_t sign = length && *text == '-';
    if (length == 0 || *text == '+' || (text[sign] == '0' && length > 1))
        return false;
    return dgmi_parse_integer(text, length, number);
}

static bool all_numbers(const dgmi_io_collector *collector, numbered *numbers) {
    for (int64_t u = 0; u < collector->ids.count; u++) {
        size_t length;
        const char *id = dgmi_graph_names_get(&collector->ids, u, &length);
        numbers[u] = (numbered){0, (uint32_t)u};
        if (!plain_integer(id, length, &numbers[u].number))
            return false;
    }
    return true;
}

static int by_number(const void *a, const void *b) {
    int64_t x = ((const numbered *)a)->number, y = ((const numbered *)b)->number;
    return (x > y) - (x < y);
}

/* Arrays of *result are scratch memory. */
static dgm_status find_order(const dgmi_io_collector *collector, order *result) {
    dgm_context *ctx = collector->ctx;
    int64_t nodes = collector->ids.count;
    result->place = dgmi_scratch(ctx, nodes, sizeof *result->place);
    result->node_at = dgmi_scratch(ctx, nodes, sizeof *result->node_at);
    numbered *numbers = dgmi_scratch(ctx, nodes, sizeof *numbers);
    if (!result->place || !result->node_at || !numbers)
        return DGM_ERROR_MEMORY;
    bool numeric = collector->options->ids == DGM_IDS_NUMBER && all_numbers(collector, numbers);
    if (numeric && nodes)
        qsort(numbers, (size_t)nodes, sizeof *numbers, by_number);
    for (int64_t i = 0; i < nodes; i++) {
        result->node_at[i] = numeric ? numbers[i].node : (uint32_t)i;
        result->place[result->node_at[i]] = (uint32_t)i;
    }
    int64_t first = nodes ? numbers[0].number : 0;
    /* Distinct and sorted: the ends tell whether there is a gap. */
    bool dense = numeric && (first == 0 || first == 1) &&
                 (nodes == 0 || numbers[nodes - 1].number == first + nodes - 1);
    result->base = dense && collector->name_column < 0 ? first : -1;
    return DGM_OK;
}

/* ---- names ---- */

/* Whether every node has a text in the column, no two are alike, and they are not the ids again. */
static dgm_status check_names(const dgmi_io_collector *collector, int64_t column, bool *all,
                              bool *alike, bool *ids) {
    const dgmi_io_entries *entries = &collector->columns[column];
    dgmi_graph_names met = {0};
    dgm_status status = DGM_OK;
    *all = entries->count == collector->ids.count;
    *alike = false;
    *ids = true;
    for (int64_t i = 0; status == DGM_OK && *all && i < entries->count; i++) {
        const dgmi_io_entry *entry = &entries->entries[i];
        const char *text = entry->is_text ? collector->pool.data + entry->text : "";
        uint32_t place = 0;
        *all = *text != '\0';
        *ids &= strcmp(text, dgmi_graph_names_get(&collector->ids, entry->node, NULL)) == 0;
        status = dgmi_graph_names_intern(collector->ctx, &met, text, strlen(text), &place);
        *alike |= place != i;
    }
    dgmi_graph_names_free(&collector->ctx->allocator, &met);
    return status;
}

/* Formats whose ids are mere numbers give the name in `label`. */
static dgm_status choose_names(dgmi_io_collector *collector) {
    int64_t column = dgmi_graph_names_find(&collector->column_names, "label", 5);
    bool all, alike, ids;
    if (!collector->label_is_name || collector->name_column >= 0 || column < 0)
        return DGM_OK;
    dgm_status status = check_names(collector, column, &all, &alike, &ids);
    if (status != DGM_OK || !all || ids)
        return status;
    if (alike)
        dgmi_note(collector->ctx,
                  "%s: labels of nodes repeat, so the ids are the nodes' names, not the labels",
                  collector->file);
    else
        collector->name_column = column;
    return DGM_OK;
}

/* Names that stand in a column of texts: one per node, no two alike. */
static dgm_status add_column_names(dgmi_io_collector *collector, const order *nodes) {
    dgm_context *ctx = collector->ctx;
    const dgmi_io_entries *entries = &collector->columns[collector->name_column];
    int64_t count = collector->ids.count;
    int64_t *text_of = dgmi_scratch(ctx, count, sizeof *text_of);
    bool *given = dgmi_scratch_zero(ctx, dgm_graph_builder_nodes(collector->builder) + count, 1);
    if (!text_of || !given)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < count; u++)
        text_of[u] = -1;
    for (int64_t i = 0; i < entries->count; i++)
        if (entries->entries[i].is_text)
            text_of[entries->entries[i].node] = entries->entries[i].text;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        uint32_t node = nodes->node_at[i], *place = &nodes->place[node];
        int64_t line = collector->mentions[node].line;
        if (text_of[node] < 0)
            return dgmi_fail_at(ctx, DGM_ERROR_FORMAT, collector->file, line, -1,
                                "node '%s' has no name",
                                dgmi_graph_names_get(&collector->ids, node, NULL));
        const char *name = collector->pool.data + text_of[node];
        status = dgm_graph_builder_node(collector->builder, name, strlen(name), place);
        if (status == DGM_OK && given[*place])
            status = dgmi_fail_at(ctx, DGM_ERROR_FORMAT, collector->file, line, -1,
                                  "two nodes are named '%s'", name);
        else if (status == DGM_OK)
            given[*place] = true;
    }
    return status;
}

/* A builder that has names already, those of a table, keeps their places. */
static dgm_status add_names(dgmi_io_collector *collector, const order *nodes) {
    int64_t count = collector->ids.count;
    if (nodes->base >= 0) {
        dgm_graph_builder_set_name_base(collector->builder, nodes->base);
        return dgm_graph_builder_reserve_nodes(collector->builder, count);
    }
    if (collector->options->nodes > count)
        return dgmi_fail_in(collector->ctx, DGM_ERROR_USAGE, collector->file,
                            "nodes: the file names its %lld nodes, so %lld cannot be asked for",
                            (long long)count, (long long)collector->options->nodes);
    if (collector->name_column >= 0)
        return add_column_names(collector, nodes);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        uint32_t node = nodes->node_at[i];
        size_t length;
        const char *name = dgmi_graph_names_get(&collector->ids, node, &length);
        status = dgm_graph_builder_node(collector->builder, name, length, &nodes->place[node]);
    }
    return status;
}

static dgm_status add_edges(dgmi_io_collector *collector, const order *nodes) {
    for (int64_t i = 0; i < 2 * collector->edges; i++)
        collector->ends[i] = nodes->place[collector->ends[i]];
    return dgm_graph_builder_add(collector->builder, collector->edges, collector->ends,
                                 collector->weights);
}

/* ---- columns ---- */

static bool spells_infinity(const char *text, double *value) {
    *value = *text == '-' ? -INFINITY : INFINITY;
    return strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
}

/* The value as a number, if it is one. */
static bool entry_number(const dgmi_io_collector *collector, const dgmi_io_entry *entry,
                         double *value) {
    if (entry->is_text)
        return collector->spelled_infinity &&
               spells_infinity(collector->pool.data + entry->text, value);
    *value = entry->number;
    return true;
}

static bool is_number_column(const dgmi_io_collector *collector, const dgmi_io_entries *entries) {
    double value;
    int64_t numbers = 0;
    if (entries->count == 0 && !entries->has_default)
        return !entries->declared_text;
    if (entries->has_default) {
        if (!entry_number(collector, &entries->value, &value))
            return false;
        numbers += !entries->value.is_text;
    }
    for (int64_t i = 0; i < entries->count; i++) {
        if (!entry_number(collector, &entries->entries[i], &value))
            return false;
        numbers += !entries->entries[i].is_text;
    }
    return numbers > 0;
}

static dgm_status add_numbers(dgmi_io_collector *collector, const order *nodes, const char *name,
                              const dgmi_io_entries *entries, double *values, int64_t count) {
    double value = NAN;
    if (entries->has_default)
        entry_number(collector, &entries->value, &value);
    for (int64_t i = 0; i < count; i++)
        values[i] = NAN;
    for (int64_t u = 0; u < collector->ids.count; u++)
        values[nodes->place[u]] = value;
    for (int64_t i = 0; i < entries->count; i++) {
        entry_number(collector, &entries->entries[i], &value);
        values[nodes->place[entries->entries[i].node]] = value;
    }
    return dgm_graph_builder_add_numbers(collector->builder, name, count, values);
}

/* A number in a column of texts. */
static dgm_status spell_number(dgmi_io_collector *collector, dgmi_io_entry *entry) {
    if (entry->is_text)
        return DGM_OK;
    double value = entry->number;
    entry->is_text = true;
    entry->text = collector->pool.length;
    dgmi_text_real(&collector->pool, value);
    dgmi_text_append(&collector->pool, "", 1);
    return collector->pool.status;
}

/* The label that GEXF and GML give every node says nothing where it is the node's name. */
static bool repeats_names(const dgmi_io_collector *collector, const order *nodes,
                          const char *column, const char **values) {
    if (!collector->label_may_be_name || collector->name_column >= 0 ||
        strcmp(column, "label") != 0)
        return false;
    for (int64_t u = 0; u < collector->ids.count; u++) {
        const char *value = values[nodes->place[u]];
        if (!value || strcmp(value, dgmi_graph_names_get(&collector->ids, u, NULL)) != 0)
            return false;
    }
    return collector->ids.count > 0;
}

static dgm_status add_texts(dgmi_io_collector *collector, const order *nodes, const char *name,
                            dgmi_io_entries *entries, const char **values, int64_t count) {
    dgm_status status = entries->has_default ? spell_number(collector, &entries->value) : DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < entries->count; i++)
        status = spell_number(collector, &entries->entries[i]);
    if (status != DGM_OK)
        return status;
    const char *pool = collector->pool.data;
    for (int64_t i = 0; i < count; i++)
        values[i] = NULL;
    for (int64_t u = 0; entries->has_default && u < collector->ids.count; u++)
        values[nodes->place[u]] = pool + entries->value.text;
    for (int64_t i = 0; i < entries->count; i++)
        values[nodes->place[entries->entries[i].node]] = pool + entries->entries[i].text;
    if (repeats_names(collector, nodes, name, values))
        return DGM_OK;
    return dgm_graph_builder_add_texts(collector->builder, name, count, values);
}

/* ---- labels ---- */

bool dgmi_io_are_labels(const double *values, int64_t count) {
    bool any = false;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            continue;
        if (values[i] < -1 || values[i] > HIGHEST_LABEL || values[i] != floor(values[i]))
            return false;
        any = true;
    }
    return any;
}

int dgmi_io_label_rank(const char *name, bool beside_x) {
    if (strcmp(name, "label") == 0)
        return 3;
    if (strcmp(name, "y") == 0)
        return beside_x ? 0 : 2;
    return strcmp(name, "class") == 0;
}

static dgm_status set_labels(dgmi_io_collector *collector, const double *values, int64_t count) {
    dgm_context *ctx = collector->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int32_t *labels = dgmi_scratch(ctx, count, sizeof *labels);
    if (labels) {
        for (int64_t i = 0; i < count; i++)
            labels[i] = isnan(values[i]) ? -1 : (int32_t)values[i];
        status = dgm_graph_builder_set_labels(collector->builder, count, labels);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status check_density(const dgmi_io_collector *collector, int64_t count) {
    int64_t columns = collector->column_names.count, filled = 0;
    for (int64_t k = 0; k < columns; k++)
        filled += collector->columns[k].count;
    if (columns <= FREE_CELLS / (count + 1) || columns / SPARSE <= filled / (count + 1))
        return DGM_OK;
    return dgmi_fail_in(collector->ctx, DGM_ERROR_FORMAT, collector->file,
                        "%lld attributes of %lld nodes are nearly all missing: too many columns",
                        (long long)columns, (long long)count);
}

/* Column k of *collector into the builder; labels too, if it names classes better than `*best`. */
static dgm_status add_column(dgmi_io_collector *collector, const order *nodes, int64_t k,
                             int64_t count, int *best) {
    const char *name = dgmi_graph_names_get(&collector->column_names, k, NULL);
    dgmi_io_entries *entries = &collector->columns[k];
    bool numeric = is_number_column(collector, entries);
    void *values = dgmi_scratch(collector->ctx, count, numeric ? sizeof(double) : sizeof(char *));
    if (!values)
        return DGM_ERROR_MEMORY;
    if (!numeric)
        return add_texts(collector, nodes, name, entries, values, count);
    dgm_status status = add_numbers(collector, nodes, name, entries, values, count);
    int rank =
        dgmi_io_label_rank(name, dgmi_graph_names_find(&collector->column_names, "x", 1) >= 0);
    if (status != DGM_OK || rank <= *best || !dgmi_io_are_labels(values, count))
        return status;
    *best = rank;
    return set_labels(collector, values, count);
}

static dgm_status add_columns(dgmi_io_collector *collector, const order *nodes) {
    dgm_context *ctx = collector->ctx;
    int64_t count = dgm_graph_builder_nodes(collector->builder);
    int best = 0;
    dgm_status status = check_density(collector, count);
    for (int64_t k = 0; status == DGM_OK && k < collector->column_names.count; k++) {
        if (k == collector->name_column)
            continue;
        dgmi_hold hold = dgmi_arena_hold(ctx);
        status = add_column(collector, nodes, k, count, &best);
        dgmi_arena_release(ctx, hold);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, "reading the graph", 1);
    }
    return status;
}

/* ---- notes ---- */

static void say_notes(const dgmi_io_collector *collector) {
    dgm_context *ctx = collector->ctx;
    const char *file = collector->file;
    if (collector->arcs && !collector->options->directed)
        dgmi_note(ctx,
                  "%s: %lld edges are directed in the file and read as undirected "
                  "(" DGMI_NAMED("directed") " keeps directions)",
                  file, (long long)collector->arcs);
    if (collector->links && collector->options->directed)
        dgmi_note(ctx,
                  "%s: %lld edges are undirected in the file and kept as one arc each, from "
                  "source to target",
                  file, (long long)collector->links);
    if (collector->booleans)
        dgmi_note(ctx, "%s: attributes that are true or false are kept as 1 and 0", file);
    if (collector->rounded)
        dgmi_note(ctx, "%s: %lld whole numbers beyond 2^53 were rounded", file,
                  (long long)collector->rounded);
    if (collector->repeated)
        dgmi_note(ctx, "%s: %lld attributes are given again for the same node: the last counts",
                  file, (long long)collector->repeated);
    if (collector->edge_attribute[0])
        dgmi_note(ctx, "%s: attributes of edges other than the weight are left out ('%s')", file,
                  collector->edge_attribute);
    if (collector->nested_attribute[0])
        dgmi_note(ctx, "%s: attributes that are lists or records are left out ('%s')", file,
                  collector->nested_attribute);
}

dgm_status dgmi_io_collect_finish(dgmi_io_collector *collector) {
    dgmi_hold hold = dgmi_arena_hold(collector->ctx);
    order nodes;
    dgm_status status = check_declared(collector);
    if (status == DGM_OK)
        status = choose_names(collector);
    if (status == DGM_OK)
        status = find_order(collector, &nodes);
    if (status == DGM_OK)
        status = add_names(collector, &nodes);
    if (status == DGM_OK)
        status = add_edges(collector, &nodes);
    if (status == DGM_OK)
        status = add_columns(collector, &nodes);
    if (status == DGM_OK)
        say_notes(collector);
    dgmi_arena_release(collector->ctx, hold);
    return status;
}
