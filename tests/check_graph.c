/* SPDX-License-Identifier: Apache-2.0 */
#include "check_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one graph ---- */

static int64_t find_target(const dgm_graph_rows *rows, int64_t u, uint32_t v) {
    int64_t low = rows->offsets[u], high = rows->offsets[u + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->offsets[u + 1] && rows->targets[low] == v ? low : -1;
}

static const char *check_entry(const dgm_graph_rows *rows, int64_t u, int64_t i) {
    uint32_t v = rows->targets[i];
    if (v >= rows->nodes)
        return "a target is no node";
    if (i > rows->offsets[u] && rows->targets[i - 1] >= v)
        return "a row is not sorted or repeats a target";
    if (rows->weights && !isfinite(rows->weights[i]))
        return "a weight is not finite";
    if (rows->directed || v == u)
        return NULL;
    int64_t back = find_target(rows, v, (uint32_t)u);
    if (back < 0)
        return "an undirected edge stands in one row only";
    return rows->weights && rows->weights[back] != rows->weights[i]
               ? "the two weights of an edge differ"
               : NULL;
}

static const char *check_counts(const dgm_graph *graph, int64_t loops,
                                const dgm_graph_options *options) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_counts counts = dgm_graph_get_counts(graph);
    int64_t edges = rows.directed ? rows.entries : (rows.entries - loops) / 2 + loops;
    if (rows.directed != options->directed)
        return "directed is not what was asked for";
    if (loops && !options->keep_loops)
        return "a loop was kept";
    if (counts.edges != edges || dgm_graph_edges(graph) != edges)
        return "the number of edges is not that of the rows";
    if (counts.records != counts.edges + counts.loops_dropped + counts.repeats_merged)
        return "records are not edges, loops and repeats";
    if (counts.loops_dropped < 0 || counts.repeats_merged < 0 || counts.uneven_weights < 0)
        return "a count is negative";
    return rows.nodes < options->nodes ? "fewer nodes than asked for" : NULL;
}

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static const char *check_names(const dgm_graph *graph) {
    int64_t nodes = dgm_graph_nodes(graph);
    if (dgm_graph_name_base(graph) >= 0 || nodes == 0)
        return NULL;
    const char *wrong = NULL;
    const char **names = malloc((size_t)nodes * sizeof *names);
    for (int64_t u = 0; u < nodes && !wrong; u++) {
        size_t length;
        names[u] = dgm_graph_name_text(graph, u, &length);
        if (strlen(names[u]) != length)
            wrong = "a name holds a zero byte";
    }
    if (!wrong)
        qsort(names, (size_t)nodes, sizeof *names, compare_names);
    for (int64_t u = 1; u < nodes && !wrong; u++)
        if (strcmp(names[u - 1], names[u]) == 0)
            wrong = "two nodes have the same name";
    free(names);
    return wrong;
}

/* Every class occurs, and their numbers ascend. */
static const char *check_classes(const dgm_graph *graph) {
    int32_t classes = dgm_graph_classes(graph);
    const int32_t *labels = dgm_graph_labels(graph);
    bool *met = calloc((size_t)classes + 1, sizeof *met);
    const char *wrong = NULL;
    for (int64_t u = 0; labels && u < dgm_graph_nodes(graph); u++)
        if (labels[u] >= 0)
            met[labels[u]] = true;
    for (int32_t c = 0; c < classes && !wrong; c++) {
        if (!met[c])
            wrong = "a class does not occur";
        if (dgm_graph_class_number(graph, c) <= (c ? dgm_graph_class_number(graph, c - 1) : -1))
            wrong = "the numbers of classes do not ascend";
    }
    free(met);
    return wrong;
}

static const char *check_tables(const dgm_graph *graph) {
    int64_t nodes = dgm_graph_nodes(graph);
    const int32_t *labels = dgm_graph_labels(graph);
    const uint8_t *splits = dgm_graph_splits(graph);
    dgm_graph_features features = dgm_graph_get_features(graph);
    for (int64_t u = 0; u < nodes; u++) {
        if (labels && (labels[u] < -1 || labels[u] >= dgm_graph_classes(graph)))
            return "a label is out of range";
        if (splits && splits[u] > DGM_SPLIT_TEST)
            return "a split is out of range";
        if (features.width > 0 && !features.columns && !features.values)
            return "dense features without values";
        for (int64_t i = features.columns ? features.offsets[u] : 0;
             features.columns && i < features.offsets[u + 1]; i++)
            if (features.columns[i] >= features.width)
                return "a feature is out of range";
    }
    return check_classes(graph);
}

const char *check_graph(const dgm_graph *graph, const dgm_graph_options *options) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t loops = 0;
    if (rows.nodes != dgm_graph_nodes(graph) || rows.nodes < 0 || rows.nodes > DGM_MAX_NODES)
        return "the number of nodes is wrong";
    if (rows.offsets[0] != 0 || rows.offsets[rows.nodes] != rows.entries)
        return "the rows' ends are wrong";
    for (int64_t u = 0; u < rows.nodes; u++)
        if (rows.offsets[u] > rows.offsets[u + 1])
            return "a row ends before it begins";
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            const char *wrong = check_entry(&rows, u, i);
            if (wrong)
                return wrong;
            loops += rows.targets[i] == u;
        }
    const char *wrong = check_counts(graph, loops, options);
    if (!wrong)
        wrong = check_names(graph);
    return wrong ? wrong : check_tables(graph);
}

/* ---- two graphs ---- */

static const char *same_rows(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    if (x.nodes != y.nodes)
        return "the numbers of nodes differ";
    if (x.entries != y.entries || x.directed != y.directed)
        return "the numbers of edges differ";
    if (memcmp(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets) != 0)
        return "the degrees differ";
    for (int64_t i = 0; i < x.entries; i++) {
        if (x.targets[i] != y.targets[i])
            return "the edges differ";
        if ((x.weights ? x.weights[i] : 1) != (y.weights ? y.weights[i] : 1))
            return "the weights differ";
    }
    return NULL;
}

static const char *same_names(const dgm_graph *a, const dgm_graph *b) {
    if (dgm_graph_name_base(a) != dgm_graph_name_base(b))
        return "one graph has names, or the numbers begin elsewhere";
    for (int64_t u = 0; dgm_graph_name_base(a) < 0 && u < dgm_graph_nodes(a); u++)
        if (strcmp(dgm_graph_name_text(a, u, NULL), dgm_graph_name_text(b, u, NULL)) != 0)
            return "a name differs";
    return NULL;
}

static bool same_number(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const char *same_attributes(const dgm_graph *a, const dgm_graph *b) {
    if (dgm_graph_attributes(a) != dgm_graph_attributes(b))
        return "the numbers of attributes differ";
    for (int64_t k = 0; k < dgm_graph_attributes(a); k++) {
        dgm_attribute x = dgm_graph_attribute(a, k);
        int64_t other = dgm_graph_attribute_find(b, x.name);
        if (other < 0)
            return "an attribute is gone";
        dgm_attribute y = dgm_graph_attribute(b, other);
        if (x.kind != y.kind)
            return "an attribute's kind differs";
        for (int64_t u = 0; u < dgm_graph_nodes(a); u++)
            if (x.kind == DGM_ATTRIBUTE_NUMBER ? !same_number(x.numbers[u], y.numbers[u])
                                               : !same_text(x.texts[u], y.texts[u]))
                return "an attribute's value differs";
    }
    return NULL;
}

static const char *same_labels(const dgm_graph *a, const dgm_graph *b) {
    const int32_t *x = dgm_graph_labels(a), *y = dgm_graph_labels(b);
    if (!x != !y)
        return "only one of them has labels";
    for (int64_t u = 0; x && u < dgm_graph_nodes(a); u++)
        if (dgm_graph_class_number(a, x[u]) != dgm_graph_class_number(b, y[u]))
            return "the labels differ";
    return NULL;
}

static const char *same_splits(const dgm_graph *a, const dgm_graph *b) {
    const uint8_t *x = dgm_graph_splits(a), *y = dgm_graph_splits(b);
    size_t nodes = (size_t)dgm_graph_nodes(a);
    return !x != !y || (x && memcmp(x, y, nodes) != 0) ? "the splits differ" : NULL;
}

/* The feature of one node in one column; a row of a sparse table is searched from its start. */
static float feature(const dgm_graph_features *features, int64_t node, int64_t column) {
    if (!features->offsets)
        return features->values[node * features->width + column];
    for (int64_t i = features->offsets[node]; i < features->offsets[node + 1]; i++)
        if (features->columns[i] == column)
            return features->values ? features->values[i] : 1;
    return 0;
}

static bool same_feature(float a, float b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Equal values count as the same, whether a table is dense or sparse. Of wide tables only the first
 * columns are compared: the tables of the tests are narrow. */
static const char *same_features(const dgm_graph *a, const dgm_graph *b) {
    enum { COMPARED = 64 };
    dgm_graph_features x = dgm_graph_get_features(a), y = dgm_graph_get_features(b);
    if (x.width != y.width)
        return "the features differ in number";
    int64_t width = x.width < COMPARED ? x.width : COMPARED;
    for (int64_t u = 0; u < dgm_graph_nodes(a); u++)
        for (int64_t c = 0; c < width; c++)
            if (!same_feature(feature(&x, u, c), feature(&y, u, c)))
                return "a feature differs";
    return NULL;
}

const char *check_same_graph(const dgm_graph *a, const dgm_graph *b, int parts) {
    static const struct {
        int part;
        const char *(*same)(const dgm_graph *, const dgm_graph *);
    } checks[] = {
        {CHECK_NAMES, same_names},           {CHECK_LABELS, same_labels},
        {CHECK_SPLITS, same_splits},         {CHECK_FEATURES, same_features},
        {CHECK_ATTRIBUTES, same_attributes},
    };
    const char *wrong = same_rows(a, b);
    for (size_t i = 0; !wrong && dgm_graph_nodes(a) > 0 && i < sizeof checks / sizeof *checks; i++)
        if (parts & checks[i].part)
            wrong = checks[i].same(a, b);
    return wrong;
}
