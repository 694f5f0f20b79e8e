/* SPDX-License-Identifier: Apache-2.0 */
/* The questions `members`, `edge` and `search`: who is in a cluster, in two of them, and where a name
 * is. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_nodes.h"
#include "mapper_profile.h"

enum { MOST_ROWS = 10000, MOST_EDGES = 50, MOST_FOUND = 100 };

/* ---- names that match ---- */

/* Whether the name holds the text, in any case of ASCII letters. */
static bool holds(const char *name, size_t length, const char *text, size_t text_length) {
    for (size_t i = 0; i + text_length <= length; i++)
        if (strncasecmp(name + i, text, text_length) == 0)
            return true;
    return false;
}

static bool matches(const dgm_graph *graph, int64_t node, const char *text) {
    char buffer[DGMI_EXPLORE_NAME];
    size_t length;
    const char *name = dgmi_explore_node_name(graph, node, buffer, &length);
    return holds(name, length, text, strlen(text));
}

/* ---- members ---- */

typedef struct {
    uint32_t node;
    int64_t degree;
} ranked;

static int compare_ranks(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->degree != q->degree)
        return p->degree < q->degree ? 1 : -1;
    return (p->node > q->node) - (p->node < q->node);
}

/* Counts the clusters of each node, in scratch memory. */
static uint32_t *count_clusters(dgm_context *ctx, const dgm_explorer *explorer,
                                const dgmi_explore_shown *shown) {
    uint32_t *count = dgmi_scratch_zero(ctx, dgm_graph_nodes(explorer->graph), sizeof *count);
    int64_t entries = shown->clusters.offsets[shown->clusters.count];
    for (int64_t i = 0; count && i < entries; i++)
        count[shown->clusters.members[i]]++;
    return count;
}

static void say_class(const dgm_explorer *explorer, dgmi_explore_answer *answer, const char *key,
                      const int32_t *classes, int64_t node) {
    char buffer[16];
    const dgm_predictions *predictions = explorer->lens.predictions;
    int32_t value = classes ? classes[node] : -1;
    const char *text = NULL;
    if (value >= 0)
        text = predictions ? dgm_predictions_class_text(predictions, explorer->graph, value, buffer,
                                                        sizeof buffer)
                           : dgm_graph_class_text(explorer->graph, value, buffer, sizeof buffer);
    dgmi_explore_text(answer, key, text);
}

static void say_row(const dgm_explorer *explorer, const ranked *row, const uint32_t *clusters,
                    dgmi_explore_answer *answer) {
    const dgm_predictions *predictions = explorer->lens.predictions;
    const dgm_matrix *axes = explorer->lens.axes;
    int64_t columns = dgm_matrix_columns(axes);
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_integer(answer, "node", row->node);
    dgmi_explore_say_node(answer, "name", explorer->graph, row->node);
    dgmi_explore_integer(answer, "degree", row->degree);
    say_class(explorer, answer, "label", dgm_graph_labels(explorer->graph), row->node);
    say_class(explorer, answer, "prediction",
              predictions ? dgm_predictions_classes(predictions) : NULL, row->node);
    dgmi_explore_integer(answer, "clusters", clusters[row->node]);
    dgmi_explore_open(answer, "lens", '[');
    for (int64_t c = 0; c < columns && c < DGM_MAX_AXES; c++)
        dgmi_explore_real(answer, NULL, dgm_matrix_values(axes)[row->node * columns + c]);
    dgmi_explore_close(answer, '[');
    dgmi_explore_close(answer, '{');
}

/* Whether a classifier is wrong about a node. */
static bool is_wrong(const dgm_explorer *explorer, int64_t node) {
    const dgm_predictions *predictions = explorer->lens.predictions;
    const int32_t *labels = dgm_graph_labels(explorer->graph);
    return predictions && labels &&
           dgmi_mapper_is_mistake(labels[node], dgm_predictions_classes(predictions)[node]);
}

/* The members that match, those with the most neighbours first. Scratch memory. */
static dgm_status rank_members(dgm_context *ctx, const dgm_explorer *explorer,
                               const dgmi_explore_nodes *nodes, const char *text, bool wrong,
                               ranked **out, int64_t *count) {
    *count = 0;
    *out = dgmi_scratch(ctx, nodes->count, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < nodes->count; i++) {
        uint32_t node = nodes->list[i];
        if ((!text || matches(explorer->graph, node, text)) && (!wrong || is_wrong(explorer, node)))
            (*out)[(*count)++] = (ranked){node, dgmi_graph_simple_degree(&explorer->rows, node)};
    }
    qsort(*out, (size_t)*count, sizeof **out, compare_ranks);
    return DGM_OK;
}

dgm_status dgmi_explore_members(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    dgmi_explore_nodes nodes;
    ranked *rows = NULL;
    int64_t from, most, wrong, count = 0;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &nodes);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "from", 0, INT64_MAX, 0, &from);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "count", 0, MOST_ROWS, 100, &most);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "wrong", 0, 1, 0, &wrong);
    if (status == DGM_OK)
        status = rank_members(ctx, explorer, &nodes, dgmi_explore_query_find(query, "text"), wrong,
                              &rows, &count);
    uint32_t *clusters = status == DGM_OK ? count_clusters(ctx, explorer, &shown) : NULL;
    if (status == DGM_OK && !clusters)
        status = DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "total", count);
    dgmi_explore_open(answer, "rows", '[');
    for (int64_t i = from; i < count && i - from < most; i++)
        say_row(explorer, &rows[i], clusters, answer);
    dgmi_explore_close(answer, '[');
    return DGM_OK;
}

/* ---- edge ---- */

/* The nodes of `a` that are in `b` too, or, with `not`, those that are not. Scratch memory. */
static dgm_status meet(dgm_context *ctx, dgmi_explore_nodes a, dgmi_explore_nodes b, bool not,
                       dgmi_explore_nodes *out) {
    uint32_t *list = dgmi_scratch(ctx, a.count, sizeof *list);
    int64_t count = 0, j = 0;
    if (!list)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < a.count; i++) {
        while (j < b.count && b.list[j] < a.list[i])
            j++;
        bool both = j < b.count && b.list[j] == a.list[i];
        if (both != not )
            list[count++] = a.list[i];
    }
    *out = (dgmi_explore_nodes){list, count, NULL};
    return DGM_OK;
}

/* Appends edges of the graph from the nodes of one set to those of another, up to a number of them,
 * and returns how many there are in all. */
static int64_t say_links(const dgm_explorer *explorer, dgmi_explore_nodes a, const uint8_t *in_b,
                         dgmi_explore_answer *answer) {
    const dgmi_graph_simple_rows *rows = &explorer->rows;
    int64_t count = 0;
    dgmi_explore_open(answer, "links", '[');
    for (int64_t i = 0; i < a.count; i++)
        for (int64_t e = rows->offsets[a.list[i]]; e < rows->offsets[a.list[i] + 1]; e++) {
            if (!in_b[rows->targets[e]] || count++ >= MOST_EDGES)
                continue;
            dgmi_explore_open(answer, NULL, '[');
            dgmi_explore_say_node(answer, NULL, explorer->graph, a.list[i]);
            dgmi_explore_say_node(answer, NULL, explorer->graph, rows->targets[e]);
            dgmi_explore_close(answer, '[');
        }
    dgmi_explore_close(answer, '[');
    return count;
}

dgm_status dgmi_explore_edge(dgm_context *ctx, dgm_explorer *explorer,
                             const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    int64_t a, b;
    dgmi_explore_nodes both, only_a, only_b;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, &shown, query, "a", &a);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, &shown, query, "b", &b);
    if (status != DGM_OK)
        return status;
    const dgmi_explore_nodes in_a = dgmi_explore_nodes_of(&shown, a),
                             in_b = dgmi_explore_nodes_of(&shown, b);
    uint8_t *marked = dgmi_scratch_zero(ctx, dgm_graph_nodes(explorer->graph), sizeof *marked);
    status = marked ? meet(ctx, in_a, in_b, false, &both) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = meet(ctx, in_a, in_b, true, &only_a);
    if (status == DGM_OK)
        status = meet(ctx, in_b, in_a, true, &only_b);
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < only_b.count; i++)
        marked[only_b.list[i]] = 1;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "shared", both.count);
    dgmi_explore_integer(answer, "crossing", say_links(explorer, only_a, marked, answer));
    return DGM_OK;
}

/* ---- search ---- */

/* Marks the nodes whose name holds the text, and returns how many there are. */
static int64_t mark_matches(const dgm_graph *graph, const char *text, uint8_t *found) {
    int64_t total = 0;
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++) {
        found[u] = matches(graph, u, text);
        total += found[u];
    }
    return total;
}

static void say_clusters_of(const dgmi_explore_shown *shown, uint32_t node,
                            dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "clusters", '[');
    for (int64_t c = 0; c < shown->clusters.count; c++) {
        dgmi_explore_nodes set = dgmi_explore_nodes_of(shown, c);
        int64_t low = 0, high = set.count;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (set.list[middle] < node)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < set.count && set.list[low] == node)
            dgmi_explore_integer(answer, NULL, c);
    }
    dgmi_explore_close(answer, '[');
}

static void say_found(const dgm_explorer *explorer, const dgmi_explore_shown *shown,
                      const uint8_t *found, dgmi_explore_answer *answer) {
    int64_t told = 0;
    dgmi_explore_open(answer, "rows", '[');
    for (int64_t u = 0; u < dgm_graph_nodes(explorer->graph) && told < MOST_FOUND; u++) {
        if (!found[u])
            continue;
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_integer(answer, "node", u);
        dgmi_explore_say_node(answer, "name", explorer->graph, u);
        say_clusters_of(shown, (uint32_t)u, answer);
        dgmi_explore_close(answer, '{');
        told++;
    }
    dgmi_explore_close(answer, '[');
}

dgm_status dgmi_explore_search(dgm_context *ctx, dgm_explorer *explorer,
                               const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    const char *text = dgmi_explore_query_find(query, "text");
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status != DGM_OK)
        return status;
    if (!text || !*text)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the question needs " DGMI_NAMED("text"));
    uint8_t *found = dgmi_scratch(ctx, dgm_graph_nodes(explorer->graph), sizeof *found);
    if (!found)
        return DGM_ERROR_MEMORY;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "total", mark_matches(explorer->graph, text, found));
    say_found(explorer, &shown, found, answer);
    return dgmi_explore_put_hits(ctx, &shown, found, answer);
}
