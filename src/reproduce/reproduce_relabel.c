/* SPDX-License-Identifier: Apache-2.0 */
/* Checks proposition 4.3 by pooling graphs whose nodes were renumbered at random. */
#include "reproduce_relabel.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

/* ---- features ---- */

static void fill_sparse(dgm_graph_features from, int64_t nodes, double *x) {
    for (int64_t u = 0; u < nodes; u++)
        for (int64_t i = from.offsets[u]; i < from.offsets[u + 1]; i++)
            x[u * from.width + from.columns[i]] = from.values ? from.values[i] : 1;
}

static void fill_dense(dgm_graph_features from, int64_t nodes, double *x) {
    for (int64_t i = 0; i < nodes * from.width; i++)
        x[i] = from.values[i];
}

static void fill_labels(const dgm_graph *graph, int64_t nodes, double *x) {
    const int32_t *labels = dgm_graph_labels(graph);
    int64_t classes = dgm_graph_classes(graph);
    for (int64_t u = 0; u < nodes; u++)
        if (labels[u] >= 0)
            x[u * classes + labels[u]] = 1;
}

static void fill_degrees(const dgm_graph *graph, int64_t nodes, double *x) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t u = 0; u < nodes; u++)
        x[u] = (double)(rows.offsets[u + 1] - rows.offsets[u]);
}

static dgm_status make_features(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgm_graph_features given = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    bool labels = given.width == 0 && dgm_graph_labels(graph);
    int64_t width = given.width ? given.width : labels ? dgm_graph_classes(graph) : 1;
    dgm_status status = dgm_matrix_create(ctx, nodes, width, out);
    if (status != DGM_OK)
        return status;
    double *x = dgm_matrix_values_mutable(*out);
    if (given.width && given.offsets)
        fill_sparse(given, nodes, x);
    else if (given.width)
        fill_dense(given, nodes, x);
    else if (labels)
        fill_labels(graph, nodes, x);
    else
        fill_degrees(graph, nodes, x);
    return DGM_OK;
}

static dgm_status pool_graph(dgm_context *ctx, const dgm_graph *graph, const char *pool,
                             dgm_pooling **out) {
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_matrix *features;
    dgm_status status = make_features(ctx, graph, &features);
    if (status != DGM_OK)
        return status;
    options.pool = pool;
    options.features = features;
    options.steps = 1;
    status = dgm_pool_run(ctx, graph, &options, out);
    dgm_matrix_free(features);
    return status;
}

/* ---- comparisons ---- */

/* The largest difference as a share of the largest entry; 0 if there is nothing but zeros. */
static double compare_values(const double *a, const double *b, int64_t count) {
    double difference = 0, largest = 0;
    for (int64_t i = 0; i < count; i++) {
        difference = fmax(difference, fabs(a[i] - b[i]));
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
    }
    return largest > 0 ? difference / largest : 0;
}

static bool same_rows(dgm_graph_rows a, dgm_graph_rows b) {
    if (a.nodes != b.nodes || a.entries != b.entries || !a.weights != !b.weights)
        return false;
    for (int64_t u = 0; u < a.nodes; u++)
        if (a.offsets[u + 1] != b.offsets[u + 1])
            return false;
    for (int64_t e = 0; e < a.entries; e++)
        if (a.targets[e] != b.targets[e])
            return false;
    return true;
}

/* The entry of S for a node and a cluster. */
static double entry_of(dgm_membership_rows s, int64_t node, uint32_t cluster) {
    for (int64_t i = s.offsets[node]; i < s.offsets[node + 1]; i++)
        if (s.columns[i] == cluster)
            return s.values[i];
    return 0;
}

/* Node i of b is node order[i] of a. An entry that only one of them has counts in full. */
static double compare_assignments(dgm_membership_rows a, dgm_membership_rows b,
                                  const uint32_t *order) {
    double difference = 0;
    for (int64_t i = 0; i < b.nodes; i++) {
        int64_t u = order[i];
        for (int64_t k = b.offsets[i]; k < b.offsets[i + 1]; k++)
            difference = fmax(difference, fabs(b.values[k] - entry_of(a, u, b.columns[k])));
        for (int64_t k = a.offsets[u]; k < a.offsets[u + 1]; k++)
            difference = fmax(difference, fabs(a.values[k] - entry_of(b, i, a.columns[k])));
    }
    return difference;
}

static void compare_poolings(const dgm_pooling *one, const dgm_pooling *other,
                             const uint32_t *order, dgmi_reproduce_relabel *sum) {
    dgm_pool_step a = dgm_pooling_get_step(one, 0), b = dgm_pooling_get_step(other, 0);
    dgm_graph_rows p = dgm_graph_get_rows(a.graph), q = dgm_graph_get_rows(b.graph);
    if (!same_rows(p, q)) {
        sum->other_clusters++;
        return;
    }
    sum->assignment =
        fmax(sum->assignment, compare_assignments(dgm_membership_get_rows(a.assignment),
                                                  dgm_membership_get_rows(b.assignment), order));
    sum->features = fmax(sum->features, compare_values(dgm_matrix_values(a.features),
                                                       dgm_matrix_values(b.features),
                                                       p.nodes * dgm_matrix_columns(a.features)));
    if (p.weights)
        sum->adjacency = fmax(sum->adjacency, compare_values(p.weights, q.weights, p.entries));
}

/* ---- relabellings ---- */

/* A random order of the nodes, by Fisher and Yates; returns how many changed places. */
static int64_t shuffle(dgmi_random *random, int64_t nodes, uint32_t *order) {
    int64_t moved = 0;
    for (int64_t i = 0; i < nodes; i++)
        order[i] = (uint32_t)i;
    for (int64_t i = nodes - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(random, (uint64_t)i + 1);
        uint32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int64_t i = 0; i < nodes; i++)
        moved += order[i] != i;
    return moved;
}

static dgm_status relabel_once(dgm_context *ctx, const dgm_graph *graph, const char *pool,
                               const dgm_pooling *given, const uint32_t *order,
                               dgmi_reproduce_relabel *sum) {
    dgm_graph *relabelled;
    dgm_pooling *pooling;
    dgm_status status = dgm_graph_induced(ctx, graph, order, dgm_graph_nodes(graph), &relabelled);
    if (status != DGM_OK)
        return status;
    status = pool_graph(ctx, relabelled, pool, &pooling);
    if (status == DGM_OK) {
        compare_poolings(given, pooling, order, sum);
        sum->relabellings++;
        dgm_pooling_free(pooling);
    }
    dgm_graph_free(relabelled);
    return status;
}

dgm_status dgmi_reproduce_relabel_graph(dgm_context *ctx, const dgm_graph *graph, const char *pool,
                                        int64_t times, int64_t seed, dgmi_reproduce_relabel *sum) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_random random = {.seed = (uint64_t)seed, .stream = (uint64_t)sum->graphs};
    dgm_pooling *given;
    dgm_status status = pool_graph(ctx, graph, pool, &given);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *order = dgmi_scratch(ctx, nodes, sizeof *order);
    status = order ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t t = 0; t < times && status == DGM_OK; t++) {
        sum->moved += shuffle(&random, nodes, order);
        status = relabel_once(ctx, graph, pool, given, order, sum);
    }
    sum->graphs++;
    sum->nodes += nodes;
    sum->clusters += dgm_graph_nodes(dgm_pooling_get_step(given, 0).graph);
    dgmi_arena_release(ctx, hold);
    dgm_pooling_free(given);
    return status;
}

dgm_status dgmi_reproduce_relabel_set(dgm_context *ctx, const dgm_graph_set *set, const char *pool,
                                      int64_t most, int64_t seed, dgmi_reproduce_relabel *sum) {
    const int64_t *offsets = dgm_graph_set_offsets(set);
    dgm_status status = DGM_OK;
    for (int64_t k = 0; k < dgm_graph_set_count(set) && sum->graphs < most && status == DGM_OK;
         k++) {
        dgm_graph *graph;
        if (offsets[k + 1] == offsets[k])
            continue;
        status = dgm_graph_set_get(ctx, set, k, &graph);
        if (status != DGM_OK)
            break;
        status = dgmi_reproduce_relabel_graph(ctx, graph, pool, 1, seed, sum);
        dgm_graph_free(graph);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, "relabelling", (double)sum->graphs / (double)most);
    }
    return status;
}
