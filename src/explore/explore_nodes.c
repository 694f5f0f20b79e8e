/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_nodes.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "draw_view.h"
#include "explore_columns.h"
#include "explore_marks.h"

enum { MOST_HOPS = 6, MOST_BOUNDS = 4 };

/* Who is meant so far: every criterion takes nodes away. All of it is scratch memory. */
typedef struct {
    dgm_context *ctx;
    dgm_explorer *explorer;
    const dgmi_explore_shown *shown;
    const dgmi_explore_query *query;
    int64_t nodes;
    uint8_t *in;    /* 1: the node satisfies all criteria that were looked at */
    uint8_t *fresh; /* the same for one criterion alone */
} choice;

static dgm_status refuse(const choice *c, const char *name, const char *what) {
    return dgmi_fail(c->ctx, DGM_ERROR_USAGE, DGMI_NAMED("%s") " is %s, not '%.100s'", name, what,
                     dgmi_explore_query_find(c->query, name));
}

dgmi_explore_nodes dgmi_explore_nodes_of(const dgmi_explore_shown *shown, int64_t cluster) {
    const int64_t *offsets = shown->clusters.offsets;
    return (dgmi_explore_nodes){shown->clusters.members + offsets[cluster],
                                offsets[cluster + 1] - offsets[cluster], NULL};
}

/* ---- lists in texts ---- */

/* Takes the next item of a list and moves on; false after the last. */
static bool next_item(const char **at, char separator, const char **item, size_t *length) {
    if (!*at)
        return false;
    const char *end = strchr(*at, separator);
    *item = *at;
    *length = end ? (size_t)(end - *at) : strlen(*at);
    *at = end ? end + 1 : NULL;
    return true;
}

/* Takes a whole number out of a list; false after the last, and *wrong if there is none. */
static bool next_number(const char **at, int64_t limit, int64_t *number, bool *wrong) {
    const char *item;
    size_t length;
    if (!next_item(at, ',', &item, &length))
        return false;
    *wrong = !dgmi_parse_integer(item, length, number) || *number < 0 || *number >= limit;
    return !*wrong;
}

/* ---- clusters ---- */

static void mark_members(const choice *c, int64_t cluster) {
    dgmi_explore_nodes of = dgmi_explore_nodes_of(c->shown, cluster);
    for (int64_t i = 0; i < of.count; i++)
        c->fresh[of.list[i]] = 1;
}

static void meet(const choice *c) {
    for (int64_t u = 0; u < c->nodes; u++)
        c->in[u] &= c->fresh[u];
    memset(c->fresh, 0, (size_t)c->nodes);
}

static dgm_status choose_cluster(choice *c, const char *name) {
    int64_t cluster;
    dgm_status status = dgmi_explore_cluster_of(c->ctx, c->shown, c->query, name, &cluster);
    if (status != DGM_OK)
        return status;
    mark_members(c, cluster);
    meet(c);
    return DGM_OK;
}

static dgm_status choose_clusters(choice *c, const char *name) {
    const char *how = dgmi_explore_query_find(c->query, "combine");
    const char *at = dgmi_explore_query_find(c->query, name);
    bool all = how && strcmp(how, "all") == 0, wrong = false;
    int64_t cluster;
    if (how && !all && strcmp(how, "any") != 0)
        return refuse(c, "combine", "any or all");
    while (next_number(&at, c->shown->clusters.count, &cluster, &wrong)) {
        mark_members(c, cluster);
        if (all)
            meet(c);
    }
    if (wrong)
        return refuse(c, name, "a list of clusters");
    if (!all)
        meet(c);
    return DGM_OK;
}

/* All clusters that one mark stands for. */
static dgm_status choose_mark(choice *c, const char *name) {
    int64_t wanted, mark = -1, cluster = -1;
    dgm_status status = dgmi_explore_query_integer(c->ctx, c->query, name, 0,
                                                   c->explorer->last_marks - 1, -1, &wanted);
    if (status != DGM_OK)
        return status;
    while (mark < wanted)
        mark += dgmi_draw_view_is_drawn(c->shown->view, ++cluster);
    for (int64_t k = cluster; k < c->shown->clusters.count; k++)
        if (dgmi_explore_shown_by(c->shown->view, k) == cluster)
            mark_members(c, k);
    meet(c);
    return DGM_OK;
}

/* ---- mistakes ---- */

static dgm_status choose_field(choice *c, const char *name) {
    const dgm_predictions *predictions = c->explorer->lens.predictions;
    const int32_t *labels = dgm_graph_labels(c->explorer->graph);
    const char *at = dgmi_explore_query_find(c->query, name);
    int64_t label, said;
    bool wrong = false;
    if (!predictions || !labels)
        return dgmi_fail(c->ctx, DGM_ERROR_USAGE, "there are no classes and predictions");
    if (!next_number(&at, INT32_MAX, &label, &wrong) ||
        !next_number(&at, INT32_MAX, &said, &wrong) || at)
        return refuse(c, name, "two numbers of classes");
    for (int64_t u = 0; u < c->nodes; u++)
        c->in[u] &= labels[u] == label && dgm_predictions_classes(predictions)[u] == said;
    return DGM_OK;
}

/* ---- the lens ---- */

dgm_status dgmi_explore_axes_find(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_query *query, int64_t axes[2], int *count) {
    int64_t columns = dgm_matrix_columns(explorer->lens.axes);
    const char *text = dgmi_explore_query_find(query, "axes"), *at = text;
    bool wrong = false;
    axes[0] = 0;
    axes[1] = columns > 1 ? 1 : 0;
    *count = columns > 1 ? 2 : 1;
    if (!text)
        return DGM_OK;
    for (*count = 0; *count < 2 && next_number(&at, columns, &axes[*count], &wrong);)
        ++*count;
    if (wrong || at || *count == 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("axes") " is one number or two, from 0 to %lld, not '%.100s'",
                         (long long)columns - 1, text);
    return DGM_OK;
}

static dgm_status choose_box(choice *c, const char *name) {
    const dgm_matrix *lens = c->explorer->lens.axes;
    const int64_t columns = dgm_matrix_columns(lens);
    const char *at = dgmi_explore_query_find(c->query, name), *item;
    double bounds[MOST_BOUNDS];
    int64_t axes[2];
    int axis_count, found = 0;
    size_t length;
    dgm_status status = dgmi_explore_axes_find(c->ctx, c->explorer, c->query, axes, &axis_count);
    if (status != DGM_OK)
        return status;
    while (next_item(&at, ',', &item, &length))
        if (found == 2 * axis_count || !dgmi_parse_real(item, length, &bounds[found++]))
            return refuse(c, name, "a low and a high value for each axis");
    if (found != 2 * axis_count)
        return refuse(c, name, "a low and a high value for each axis");
    for (int a = 0; a < axis_count; a++)
        for (int64_t u = 0; u < c->nodes; u++) {
            double value = dgm_matrix_values(lens)[u * columns + axes[a]];
            c->in[u] &= value >= bounds[2 * a] && value <= bounds[2 * a + 1];
        }
    return DGM_OK;
}

/* ---- columns ---- */

/* "4=2": the category 2 of column 4. */
static bool keep_category(const choice *c, const dgmi_explore_column *column, const char *text,
                          size_t length) {
    int64_t category;
    if (!column->category || !dgmi_parse_integer(text, length, &category) || category < 0 ||
        category >= column->name_count)
        return false;
    for (int64_t u = 0; u < c->nodes; u++)
        c->in[u] &= column->category[u] == category;
    return true;
}

/* "3:0.5:1.5": column 3 lies between these. */
static bool keep_range(const choice *c, const dgmi_explore_column *column, const char *text,
                       size_t length) {
    const char *colon = memchr(text, ':', length);
    double low, high;
    if (column->category || !colon || !dgmi_parse_real(text, (size_t)(colon - text), &low) ||
        !dgmi_parse_real(colon + 1, length - (size_t)(colon + 1 - text), &high))
        return false;
    for (int64_t u = 0; u < c->nodes; u++) {
        double value = column->numbers[u * column->stride];
        c->in[u] &= value >= low && value <= high;
    }
    return true;
}

static bool keep_where(const choice *c, const dgmi_explore_columns *columns, const char *text,
                       size_t length) {
    size_t digits = strspn(text, "0123456789");
    int64_t number;
    if (digits >= length || !dgmi_parse_integer(text, digits, &number) || number >= columns->count)
        return false;
    const dgmi_explore_column *column = &columns->list[number];
    const char *rest = text + digits + 1;
    size_t left = length - digits - 1;
    return text[digits] == '='   ? keep_category(c, column, rest, left)
           : text[digits] == ':' ? keep_range(c, column, rest, left)
                                 : false;
}

static dgm_status choose_where(choice *c, const char *name) {
    const dgmi_explore_columns *columns;
    const char *at = dgmi_explore_query_find(c->query, name), *item;
    size_t length;
    dgm_status status = dgmi_explore_columns_find(c->ctx, c->explorer, &columns);
    if (status != DGM_OK)
        return status;
    while (next_item(&at, ';', &item, &length))
        if (!keep_where(c, columns, item, length))
            return refuse(c, name, "a list such as 3:0.5:1.5;4=2");
    return DGM_OK;
}

/* ---- single nodes ---- */

static dgm_status choose_nodes(choice *c, const char *name) {
    const char *at = dgmi_explore_query_find(c->query, name);
    bool wrong = false;
    int64_t node;
    while (next_number(&at, c->nodes, &node, &wrong))
        c->fresh[node] = 1;
    if (wrong)
        return refuse(c, name, "a list of nodes");
    meet(c);
    return DGM_OK;
}

/* ---- all criteria ---- */

static const struct {
    const char *name;
    dgm_status (*choose)(choice *c, const char *name);
} criteria[] = {
    {"cluster", choose_cluster}, {"clusters", choose_clusters}, {"mark", choose_mark},
    {"a", choose_cluster},       {"b", choose_cluster},         {"field", choose_field},
    {"box", choose_box},         {"where", choose_where},       {"nodes", choose_nodes},
};
enum { CRITERIA = sizeof criteria / sizeof *criteria };

bool dgmi_explore_nodes_are_named(const dgmi_explore_query *query) {
    for (int i = 0; i < CRITERIA; i++)
        if (dgmi_explore_query_find(query, criteria[i].name))
            return true;
    return false;
}

/* Adds the neighbours of all that are marked, so many times. */
static dgm_status spread(const choice *c, int64_t hops, uint8_t *near) {
    const dgmi_graph_simple_rows *rows = &c->explorer->rows;
    uint32_t *queue = dgmi_scratch(c->ctx, c->nodes, sizeof *queue);
    int64_t first = 0, last = 0;
    if (!queue)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < c->nodes; u++)
        if (near[u])
            queue[last++] = (uint32_t)u;
    for (int64_t hop = 0; hop < hops; hop++)
        for (int64_t end = last; first < end; first++)
            for (int64_t e = rows->offsets[queue[first]]; e < rows->offsets[queue[first] + 1]; e++)
                if (!near[rows->targets[e]]) {
                    near[rows->targets[e]] = 1;
                    queue[last++] = rows->targets[e];
                }
    return DGM_OK;
}

static dgm_status list_nodes(const choice *c, const uint8_t *near, dgmi_explore_nodes *out) {
    int64_t count = 0;
    for (int64_t u = 0; u < c->nodes; u++)
        count += near[u];
    uint32_t *list = dgmi_scratch(c->ctx, count, sizeof *list);
    if (!list)
        return DGM_ERROR_MEMORY;
    *out = (dgmi_explore_nodes){list, count, c->in};
    for (int64_t u = 0, i = 0; u < c->nodes; u++)
        if (near[u])
            list[i++] = (uint32_t)u;
    return DGM_OK;
}

dgm_status dgmi_explore_nodes_find(dgm_context *ctx, dgm_explorer *explorer,
                                   const dgmi_explore_shown *shown, const dgmi_explore_query *query,
                                   dgmi_explore_nodes *out) {
    choice c = {ctx, explorer, shown, query, dgm_graph_nodes(explorer->graph), NULL, NULL};
    int64_t hops;
    if (!dgmi_explore_nodes_are_named(query))
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the question does not say which nodes it is about");
    dgm_status status = dgmi_explore_query_integer(ctx, query, "hops", 0, MOST_HOPS, 0, &hops);
    uint8_t *near = dgmi_scratch(ctx, c.nodes, 1);
    c.in = dgmi_scratch(ctx, c.nodes, 1);
    c.fresh = dgmi_scratch_zero(ctx, c.nodes, 1);
    if (!c.in || !c.fresh || !near)
        return DGM_ERROR_MEMORY;
    memset(c.in, 1, (size_t)c.nodes);
    for (int i = 0; status == DGM_OK && i < CRITERIA; i++)
        if (dgmi_explore_query_find(query, criteria[i].name))
            status = criteria[i].choose(&c, criteria[i].name);
    if (status != DGM_OK)
        return status;
    memcpy(near, c.in, (size_t)c.nodes);
    if (hops > 0)
        status = spread(&c, hops, near);
    return status == DGM_OK ? list_nodes(&c, near, out) : status;
}

/* ---- where they are ---- */

dgm_status dgmi_explore_put_hits(dgm_context *ctx, const dgmi_explore_shown *shown,
                                 const uint8_t *found, dgmi_explore_answer *answer) {
    const dgm_view *view = shown->view;
    uint32_t *hits = dgmi_scratch_zero(ctx, shown->clusters.count, sizeof *hits);
    int64_t marks = 0;
    if (!hits)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < shown->clusters.count; c++) {
        dgmi_explore_nodes of = dgmi_explore_nodes_of(shown, c);
        for (int64_t i = 0; i < of.count; i++)
            hits[dgmi_explore_shown_by(view, c)] += found[of.list[i]];
    }
    for (int64_t c = 0; c < shown->clusters.count; c++) /* marks are not before their clusters */
        if (dgmi_draw_view_is_drawn(view, c))
            hits[marks++] = hits[c];
    dgmi_explore_numbers(answer, "hits", hits, marks);
    return DGM_OK;
}

dgm_status dgmi_explore_select(dgm_context *ctx, dgm_explorer *explorer,
                               const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    dgmi_explore_nodes nodes;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &nodes);
    uint8_t *found =
        status == DGM_OK ? dgmi_scratch_zero(ctx, dgm_graph_nodes(explorer->graph), 1) : NULL;
    if (!found)
        return status == DGM_OK ? DGM_ERROR_MEMORY : status;
    for (int64_t i = 0; i < nodes.count; i++)
        found[nodes.list[i]] = 1;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "total", nodes.count);
    return dgmi_explore_put_hits(ctx, &shown, found, answer);
}
