/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_set.h"

enum { MOST_CLASSES = 12 }; /* that people are shown by name */

/* ---- sizes of graphs ---- */

typedef struct spread {
    int64_t least, most;
    double mean; /* NaN where there is no graph */
} spread;

typedef struct sizes {
    int64_t empty; /* graphs without nodes */
    spread nodes, edges;
} sizes;

static void widen(spread *s, int64_t size, bool first) {
    s->least = first || size < s->least ? size : s->least;
    s->most = first || size > s->most ? size : s->most;
}

/* Of the nodes begin to end. An undirected edge stands in the rows of both its ends and is counted
 * in that of the lower one. */
static int64_t count_edges(const dgm_graph_rows *rows, int64_t begin, int64_t end) {
    if (rows->directed)
        return rows->offsets[end] - rows->offsets[begin];
    int64_t count = 0;
    for (int64_t u = begin; u < end; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            count += rows->targets[e] >= u;
    return count;
}

static sizes measure(const dgm_graph_set *set) {
    const int64_t *offsets = dgm_graph_set_offsets(set);
    int64_t count = dgm_graph_set_count(set);
    const dgm_graph *united = dgm_graph_set_union(set);
    dgm_graph_rows rows = dgm_graph_get_rows(united);
    sizes found = {.empty = 0};
    for (int64_t k = 0; k < count; k++) {
        found.empty += offsets[k] == offsets[k + 1];
        widen(&found.nodes, offsets[k + 1] - offsets[k], k == 0);
        widen(&found.edges, count_edges(&rows, offsets[k], offsets[k + 1]), k == 0);
    }
    found.nodes.mean = (double)rows.nodes / (double)count;
    found.edges.mean = (double)dgm_graph_edges(united) / (double)count;
    return found;
}

/* How many of the graphs have that number; groups NULL: none. */
static int64_t count_members(const dgm_graph_set *set, const int32_t *groups, int32_t number) {
    int64_t count = 0;
    for (int64_t k = 0; groups && k < dgm_graph_set_count(set); k++)
        count += groups[k] == number;
    return count;
}

/* ---- for people ---- */

static void print_spread(const char *heading, const spread *s, const char *noun) {
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE];
    printf("%-12s %s to %s, mean %.2f\n", heading, cli_count(s->least, a),
           cli_count_of(s->most, noun, b), s->mean);
}

static void print_classes(const dgm_graph_set *set) {
    char a[CLI_NOUN_SPACE];
    int32_t count;
    const int32_t *classes = dgm_graph_set_classes(set, &count);
    if (!classes) {
        puts("classes      none");
        return;
    }
    printf("classes      ");
    for (int32_t c = 0; c < count && c < MOST_CLASSES; c++)
        printf("%s%d (%s)", c ? ", " : "", (int)dgm_graph_set_class_number(set, c),
               cli_count_of(count_members(set, classes, c), "graph", a));
    if (count > MOST_CLASSES)
        printf(" and %s more", cli_count(count - MOST_CLASSES, a));
    puts("");
}

static void print_folds(const dgm_graph_set *set) {
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE];
    int32_t count;
    const int32_t *folds = dgm_graph_set_folds(set, &count);
    spread tested = {0};
    if (!folds) {
        puts("folds        none");
        return;
    }
    for (int32_t f = 0; f < count; f++)
        widen(&tested, count_members(set, folds, f), f == 0);
    printf("folds        %s, of ", cli_count(count, a));
    if (tested.least < tested.most)
        printf("%s to ", cli_count(tested.least, a));
    printf("%s", cli_count_of(tested.most, "graph", b));
    int64_t left = count_members(set, folds, -1);
    if (left)
        printf("; %s in none", cli_count_of(left, "graph", b));
    puts("");
}

void cli_set_print(const dgm_graph_set *set) {
    char a[CLI_COUNT_SPACE], b[CLI_COUNT_SPACE];
    sizes found = measure(set);
    printf("graphs       %s", cli_count(dgm_graph_set_count(set), a));
    if (found.empty)
        printf(", %s without nodes", cli_count(found.empty, b));
    puts("");
    print_spread("per graph", &found.nodes, "node");
    print_spread("", &found.edges, "edge");
    print_classes(set);
    print_folds(set);
}

/* ---- for programs ---- */

static void print_json_spread(cli_json *json, const char *key, const spread *s) {
    cli_json_open(json, key, '{');
    cli_json_integer(json, "min", s->least);
    cli_json_real(json, "mean", s->mean);
    cli_json_integer(json, "max", s->most);
    cli_json_close(json, '}');
}

static void print_json_classes(cli_json *json, const dgm_graph_set *set) {
    int32_t count;
    const int32_t *classes = dgm_graph_set_classes(set, &count);
    cli_json_open(json, "graph_classes", '[');
    for (int32_t c = 0; c < count; c++) {
        cli_json_open(json, NULL, '{');
        cli_json_integer(json, "number", dgm_graph_set_class_number(set, c));
        cli_json_integer(json, "graphs", count_members(set, classes, c));
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void print_json_folds(cli_json *json, const dgm_graph_set *set) {
    int32_t count;
    const int32_t *folds = dgm_graph_set_folds(set, &count);
    cli_json_open(json, "folds", '[');
    for (int32_t f = 0; f < count; f++)
        cli_json_integer(json, NULL, count_members(set, folds, f));
    cli_json_close(json, ']');
    cli_json_integer(json, "graphs_in_no_fold", count_members(set, folds, -1));
}

void cli_set_print_json(cli_json *json, const dgm_graph_set *set) {
    sizes found = measure(set);
    cli_json_integer(json, "graphs", dgm_graph_set_count(set));
    cli_json_integer(json, "graphs_without_nodes", found.empty);
    print_json_spread(json, "graph_nodes", &found.nodes);
    print_json_spread(json, "graph_edges", &found.edges);
    print_json_classes(json, set);
    print_json_folds(json, set);
}
