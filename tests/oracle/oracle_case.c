/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle_case.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding the cases ---- */

static int is_case(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

char **oracle_list(void) {
    const char *shared = getenv("DGM_SHARED"), *root = getenv("DGM_SOURCE_ROOT");
    char folder[4096];
    struct dirent **entries;
    snprintf(folder, sizeof folder, "%s%s/oracle",
             shared ? shared
             : root ? root
                    : ".",
             shared ? "" : "/../shared");
    int count = scandir(folder, &entries, is_case, alphasort);
    if (count <= 0)
        return NULL;
    char **paths = calloc((size_t)count + 1, sizeof *paths);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(folder) + strlen(entries[i]->d_name) + 2;
        paths[i] = malloc(length);
        snprintf(paths[i], length, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return paths;
}

void oracle_list_free(char **paths) {
    for (char **p = paths; p && *p; p++)
        free(*p);
    free(paths);
}

/* ---- results ---- */

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Room for one more of `count`, doubling at powers of two. */
static void *grow(void *block, int64_t count, size_t size) {
    if (count & (count - 1))
        return block;
    return realloc(block, (count ? 2 * (size_t)count : 1) * size);
}

void oracle_result_add(oracle_result *result, int64_t size, const uint32_t *members) {
    size_t bytes = sizeof *members * (size_t)size;
    uint32_t *list = malloc(bytes + 1);
    memcpy(list, members, bytes);
    qsort(list, (size_t)size, sizeof *list, by_number);
    result->sizes = grow(result->sizes, result->count, sizeof *result->sizes);
    result->members = grow(result->members, result->count, sizeof *result->members);
    result->sizes[result->count] = size;
    result->members[result->count++] = list;
}

void oracle_result_join(oracle_result *result, int64_t source, int64_t target, double weight) {
    result->edges = grow(result->edges, result->edge_count, sizeof *result->edges);
    result->edges[result->edge_count++] = (oracle_edge){source, target, weight};
}

void oracle_result_free(oracle_result *result) {
    for (int64_t i = 0; i < result->count; i++)
        free(result->members[i]);
    free(result->members);
    free(result->sizes);
    free(result->edges);
    *result = (oracle_result){0};
}

/* ---- loading ---- */

static void load_edges(json_t *edges, oracle_case *c) {
    size_t i;
    json_t *pair;
    c->edge_count = (int64_t)json_array_size(edges);
    c->edges = malloc(sizeof *c->edges * 2 * (size_t)(c->edge_count + 1));
    json_array_foreach(edges, i, pair) {
        c->edges[2 * i] = (uint32_t)json_integer_value(json_array_get(pair, 0));
        c->edges[2 * i + 1] = (uint32_t)json_integer_value(json_array_get(pair, 1));
    }
}

static bool load_lens(json_t *lens, oracle_case *c) {
    size_t u, k;
    json_t *row, *value;
    if ((int64_t)json_array_size(lens) != c->nodes)
        return false;
    c->columns = (int64_t)json_array_size(json_array_get(lens, 0));
    c->lens = malloc(sizeof *c->lens * (size_t)(c->nodes * c->columns + 1));
    json_array_foreach(lens, u, row) json_array_foreach(row, k, value)
        c->lens[u * (size_t)c->columns + k] = json_number_value(value);
    return c->columns > 0;
}

static void load_expected(json_t *expected, oracle_case *c) {
    size_t i, m;
    json_t *item, *node;
    uint32_t *members = malloc(sizeof *members * (size_t)(c->nodes + 1));
    json_array_foreach(json_object_get(expected, "nodes"), i, item) {
        json_array_foreach(item, m, node) members[m] = (uint32_t)json_integer_value(node);
        oracle_result_add(&c->expected, (int64_t)json_array_size(item), members);
    }
    json_array_foreach(json_object_get(expected, "edges"), i, item) oracle_result_join(
        &c->expected, json_integer_value(json_array_get(item, 0)),
        json_integer_value(json_array_get(item, 1)), json_number_value(json_array_get(item, 2)));
    free(members);
}

bool oracle_load(const char *path, oracle_case *out) {
    json_t *root = json_load_file(path, 0, NULL);
    *out =
        (oracle_case){.nodes = json_integer_value(json_object_get(root, "nodes")),
                      .intervals = json_integer_value(json_object_get(root, "intervals")),
                      .min_component = json_integer_value(json_object_get(root, "min_component")),
                      .overlap = json_number_value(json_object_get(root, "overlap")),
                      .eps = json_number_value(json_object_get(root, "eps")),
                      .structural = json_is_true(json_object_get(root, "structural"))};
    const char *name = json_string_value(json_object_get(root, "name"));
    bool good = name && out->nodes > 0;
    snprintf(out->name, sizeof out->name, "%s", name ? name : "");
    load_edges(json_object_get(root, "edges"), out);
    good = good && load_lens(json_object_get(root, "lens"), out);
    if (good)
        load_expected(json_object_get(root, "expected"), out);
    json_decref(root);
    return good;
}

void oracle_free(oracle_case *c) {
    free(c->edges);
    free(c->lens);
    oracle_result_free(&c->expected);
}

/* ---- comparing ---- */

typedef struct named_list {
    const uint32_t *members;
    int64_t size;
    int64_t *name; /* where the number of the list's class goes */
} named_list;

static int by_members(const void *left, const void *right) {
    const named_list *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (int64_t i = 0; i < a->size; i++)
        if (a->members[i] != b->members[i])
            return a->members[i] < b->members[i] ? -1 : 1;
    return 0;
}

/* Equal member lists get equal numbers, in both results. */
static void name_lists(const oracle_result *a, const oracle_result *b, int64_t *names_a,
                       int64_t *names_b) {
    int64_t count = a->count + b->count, number = 0;
    named_list *lists = malloc(sizeof *lists * (size_t)(count + 1));
    for (int64_t i = 0; i < a->count; i++)
        lists[i] = (named_list){a->members[i], a->sizes[i], &names_a[i]};
    for (int64_t i = 0; i < b->count; i++)
        lists[a->count + i] = (named_list){b->members[i], b->sizes[i], &names_b[i]};
    qsort(lists, (size_t)count, sizeof *lists, by_members);
    for (int64_t i = 0; i < count; i++) {
        if (i && by_members(&lists[i - 1], &lists[i]))
            number++;
        *lists[i].name = number;
    }
    free(lists);
}

static int by_int64(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int by_pair_and_weight(const void *left, const void *right) {
    const oracle_edge *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

/* The edges between classes of lists instead of clusters, sorted. */
static oracle_edge *name_edges(const oracle_result *result, const int64_t *names) {
    oracle_edge *edges = malloc(sizeof *edges * (size_t)(result->edge_count + 1));
    for (int64_t e = 0; e < result->edge_count; e++) {
        int64_t a = names[result->edges[e].source], b = names[result->edges[e].target];
        edges[e] = (oracle_edge){a < b ? a : b, a < b ? b : a, result->edges[e].weight};
    }
    qsort(edges, (size_t)result->edge_count, sizeof *edges, by_pair_and_weight);
    return edges;
}

static bool equal_edges(const oracle_result *a, const oracle_result *b, const int64_t *names_a,
                        const int64_t *names_b, char why[200]) {
    oracle_edge *x = name_edges(a, names_a), *y = name_edges(b, names_b);
    bool equal = true;
    for (int64_t e = 0; equal && e < a->edge_count; e++) {
        equal = x[e].source == y[e].source && x[e].target == y[e].target &&
                fabs(x[e].weight - y[e].weight) <= 1e-5;
        if (!equal)
            snprintf(why, 200, "edge %lld: lists %lld and %lld, %g; lists %lld and %lld, %g",
                     (long long)e, (long long)x[e].source, (long long)x[e].target, x[e].weight,
                     (long long)y[e].source, (long long)y[e].target, y[e].weight);
    }
    free(x);
    free(y);
    return equal;
}

bool oracle_result_equal(const oracle_result *a, const oracle_result *b, char why[200]) {
    if (a->count != b->count || a->edge_count != b->edge_count) {
        snprintf(why, 200, "%lld clusters, %lld edges; %lld clusters, %lld edges",
                 (long long)a->count, (long long)a->edge_count, (long long)b->count,
                 (long long)b->edge_count);
        return false;
    }
    size_t bytes = sizeof(int64_t) * (size_t)(a->count + 1);
    int64_t *names_a = malloc(bytes), *names_b = malloc(bytes);
    name_lists(a, b, names_a, names_b);
    bool equal = equal_edges(a, b, names_a, names_b, why);
    qsort(names_a, (size_t)a->count, sizeof *names_a, by_int64);
    qsort(names_b, (size_t)b->count, sizeof *names_b, by_int64);
    for (int64_t i = 0; equal && i < a->count; i++) {
        equal = names_a[i] == names_b[i];
        if (!equal)
            snprintf(why, 200, "the member lists differ");
    }
    free(names_a);
    free(names_b);
    return equal;
}
