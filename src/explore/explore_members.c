/* SPDX-License-Identifier: Apache-2.0 */
/* The questions `members`, `edge` and `search`: who is in a cluster, in two of them, and where a name
 * is. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "draw_view.h"
#include "explore_explorer.h"
#include "mapper_profile.h"

enum { MOST_ROWS = 10000, MOST_EDGES = 50, MOST_FOUND = 100 };

/* ---- sets of nodes ---- */

typedef struct {
    const uint32_t *nodes; /* ascending */
    int64_t count;
} node_set;

static node_set members_of(const dgmi_explore_shown *shown, int64_t cluster) {
    const int64_t *offsets = shown->clusters.offsets;
    return (node_set){shown->clusters.members + offsets[cluster],
                      offsets[cluster + 1] - offsets[cluster]};
}

/* The nodes of `a` that are in `b` too, or, with `not`, those that are not. Scratch memory. */
static dgm_status meet(dgm_context *ctx, node_set a, node_set b, bool not, node_set *out) {
    uint32_t *nodes = dgmi_scratch(ctx, a.count, sizeof *nodes);
    int64_t count = 0, j = 0;
    if (!nodes)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < a.count; i++) {
        while (j < b.count && b.nodes[j] < a.nodes[i])
            j++;
        bool both = j < b.count && b.nodes[j] == a.nodes[i];
        if (both != not )
            nodes[count++] = a.nodes[i];
    }
    *out = (node_set){nodes, count};
    return DGM_OK;
}

/* The set that a query is about: a cluster, or what two of them share. */
static dgm_status find_set(dgm_context *ctx, const dgmi_explore_shown *shown,
                           const dgmi_explore_query *query, node_set *out) {
    int64_t a, b;
    if (!dgmi_explore_query_find(query, "a")) {
        dgm_status status = dgmi_explore_cluster_of(ctx, shown, query, "cluster", &a);
        if (status == DGM_OK)
            *out = members_of(shown, a);
        return status;
    }
    dgm_status status = dgmi_explore_cluster_of(ctx, shown, query, "a", &a);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, shown, query, "b", &b);
    return status == DGM_OK ? meet(ctx, members_of(shown, a), members_of(shown, b), false, out)
                            : status;
}

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
static dgm_status rank_members(dgm_context *ctx, const dgm_explorer *explorer, node_set set,
                               const char *text, bool wrong, ranked **out, int64_t *count) {
    *count = 0;
    *out = dgmi_scratch(ctx, set.count, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < set.count; i++)
        if ((!text || matches(explorer->graph, set.nodes[i], text)) &&
            (!wrong || is_wrong(explorer, set.nodes[i])))
            (*out)[(*count)++] =
                (ranked){set.nodes[i], dgmi_graph_simple_degree(&explorer->rows, set.nodes[i])};
    qsort(*out, (size_t)*count, sizeof **out, compare_ranks);
    return DGM_OK;
}

dgm_status dgmi_explore_members(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    node_set set;
    ranked *rows = NULL;
    int64_t from, most, wrong, count = 0;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = find_set(ctx, &shown, query, &set);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "from", 0, INT64_MAX, 0, &from);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "count", 0, MOST_ROWS, 100, &most);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "wrong", 0, 1, 0, &wrong);
    if (status == DGM_OK)
        status = rank_members(ctx, explorer, set, dgmi_explore_query_find(query, "text"), wrong,
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

/* Appends edges of the graph from the nodes of one set to those of another, up to a number of them,
 * and returns how many there are in all. */
static int64_t say_links(const dgm_explorer *explorer, node_set a, const uint8_t *in_b,
                         dgmi_explore_answer *answer) {
    const dgmi_graph_simple_rows *rows = &explorer->rows;
    int64_t count = 0;
    dgmi_explore_open(answer, "links", '[');
    for (int64_t i = 0; i < a.count; i++)
        for (int64_t e = rows->offsets[a.nodes[i]]; e < rows->offsets[a.nodes[i] + 1]; e++) {
            if (!in_b[rows->targets[e]] || count++ >= MOST_EDGES)
                continue;
            dgmi_explore_open(answer, NULL, '[');
            dgmi_explore_say_node(answer, NULL, explorer->graph, a.nodes[i]);
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
    node_set both, only_a, only_b;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, &shown, query, "a", &a);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, &shown, query, "b", &b);
    if (status != DGM_OK)
        return status;
    const node_set in_a = members_of(&shown, a), in_b = members_of(&shown, b);
    uint8_t *marked = dgmi_scratch_zero(ctx, dgm_graph_nodes(explorer->graph), sizeof *marked);
    status = marked ? meet(ctx, in_a, in_b, false, &both) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = meet(ctx, in_a, in_b, true, &only_a);
    if (status == DGM_OK)
        status = meet(ctx, in_b, in_a, true, &only_b);
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < only_b.count; i++)
        marked[only_b.nodes[i]] = 1;
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
        node_set set = members_of(shown, c);
        int64_t low = 0, high = set.count;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (set.nodes[middle] < node)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < set.count && set.nodes[low] == node)
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

/* How many members of each mark match; a pile has those of all its clusters. */
static void put_hits(const dgmi_explore_shown *shown, const uint8_t *found, uint32_t *hits,
                     dgmi_explore_answer *answer) {
    const dgm_view *view = shown->view;
    int64_t marks = 0;
    for (int64_t c = 0; c < shown->clusters.count; c++) {
        bool plain = dgmi_draw_view_is_plain(view, c);
        int64_t at = plain ? c : view->dust->piles[view->dust->pile[c]].first;
        node_set set = members_of(shown, c);
        for (int64_t i = 0; i < set.count; i++)
            hits[at] += found[set.nodes[i]];
    }
    for (int64_t c = 0; c < shown->clusters.count; c++) /* marks are not before their clusters */
        if (dgmi_draw_view_is_drawn(view, c))
            hits[marks++] = hits[c];
    dgmi_explore_numbers(answer, "hits", hits, marks);
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
    uint32_t *hits = dgmi_scratch_zero(ctx, shown.clusters.count, sizeof *hits);
    if (!found || !hits)
        return DGM_ERROR_MEMORY;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "total", mark_matches(explorer->graph, text, found));
    put_hits(&shown, found, hits, answer);
    say_found(explorer, &shown, found, answer);
    return DGM_OK;
}
