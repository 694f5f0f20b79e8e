/* SPDX-License-Identifier: Apache-2.0 */
/* Finds bridges where no edges tell them: nodes that lie in several clusters, with a score that says how
 * much hangs on each of them.
 *
 * The nodes in both of two clusters hold them together, each as much as the others. What they hold is
 * counted by the smaller side: score(u) is the sum, over the pairs {A, B} of u's clusters, of
 * min(|A - B|, |B - A|) / |A and B|. A cluster that lies inside another adds nothing.
 *
 * All nodes of a bundle have the same score, so it is computed by bundle: cluster A adds up how many
 * nodes it shares with each B > A, once, and then hands the shares to the bundles in both.
 */
#include "mapper_report.h"

#include "base_context.h"

typedef struct {
    dgmi_mapper_reporter *r;
    int64_t lists;         /* the number of bundles with several clusters */
    int64_t *around_start; /* clusters + 1 positions in `around` */
    uint32_t *around;      /* the bundles of each cluster */
    int64_t *shared; /* nodes that the cluster at work shares with each other; zeros between */
    double *score;   /* of each bundle */
    int64_t *alone;  /* of each bundle */
    dgmi_mapper_bridges *out;
    int64_t *node_start; /* lists + 1 positions in `nodes` */
    uint32_t *nodes;     /* the nodes of each bundle, ascending */
} joining;

static const uint32_t *clusters_of(const joining *j, int64_t list, int64_t *count) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    *count = bundles->list_start[list + 1] - bundles->list_start[list];
    return bundles->lists + bundles->list_start[list];
}

static int64_t nodes_of(const joining *j, int64_t list) {
    return j->r->bundles.members[j->r->bundles.clusters + list];
}

/* ---- lists by cluster, nodes by list ---- */

static bool open_joining(joining *j) {
    dgm_context *ctx = j->r->ctx;
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    j->lists = bundles->count - bundles->clusters;
    int64_t entries = bundles->list_start[j->lists], nodes = 0;
    for (int64_t k = 0; k < j->lists; k++)
        nodes += nodes_of(j, k);
    j->around_start = dgmi_scratch_zero(ctx, bundles->clusters + 2, sizeof *j->around_start);
    j->around = dgmi_scratch(ctx, entries, sizeof *j->around);
    j->shared = dgmi_scratch_zero(ctx, bundles->clusters, sizeof *j->shared);
    j->score = dgmi_scratch_zero(ctx, j->lists, sizeof *j->score);
    j->alone = dgmi_scratch_zero(ctx, j->lists, sizeof *j->alone);
    j->node_start = dgmi_scratch_zero(ctx, j->lists + 2, sizeof *j->node_start);
    j->nodes = dgmi_scratch(ctx, nodes, sizeof *j->nodes);
    return j->around_start && j->around && j->shared && j->score && j->alone && j->node_start &&
           j->nodes;
}

static void list_around(joining *j) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    int64_t *start = j->around_start, count;
    for (int64_t i = 0; i < bundles->list_start[j->lists]; i++)
        start[bundles->lists[i] + 2]++;
    for (int64_t c = 0; c < bundles->clusters; c++)
        start[c + 2] += start[c + 1];
    for (int64_t k = 0; k < j->lists; k++) {
        const uint32_t *clusters = clusters_of(j, k, &count);
        for (int64_t i = 0; i < count; i++)
            j->around[start[clusters[i] + 1]++] = (uint32_t)k;
    }
}

static void list_nodes(joining *j) {
    const dgmi_mapper_bundles *bundles = &j->r->bundles;
    for (int64_t k = 0; k < j->lists; k++)
        j->node_start[k + 2] = j->node_start[k + 1] + nodes_of(j, k);
    for (int64_t u = 0; u < j->r->nodes; u++) {
        uint32_t id = bundles->of_node[u];
        if (id >= bundles->clusters && id < bundles->count)
            j->nodes[j->node_start[id - bundles->clusters + 1]++] = (uint32_t)u;
    }
}

/* ---- scores ---- */

/* The nodes of a bundle lie in both a and b, where `share` hangs on each of them. */
static dgm_status add_parts(const joining *j, uint32_t a, uint32_t b, int64_t list, double share) {
    dgm_status status = DGM_OK;
    for (int64_t i = j->node_start[list]; i < j->node_start[list + 1] && status == DGM_OK; i++)
        status = dgmi_mapper_bridges_add_part(
            j->r, j->out, a, b,
            (dgmi_mapper_bridge){.node = j->nodes[i], .across = -1, .score = share});
    return status;
}

/* What hangs on each node in both a and b, which j->shared counts. */
static double share_of(const joining *j, uint32_t a, uint32_t b) {
    const int64_t *offsets = j->r->clusters.offsets;
    int64_t x = offsets[a + 1] - offsets[a], y = offsets[b + 1] - offsets[b];
    return (double)((x < y ? x : y) - j->shared[b]) / (double)j->shared[b];
}

/* All pairs of cluster a with a later one. */
static dgm_status join_cluster(joining *j, uint32_t a) {
    const uint32_t *around = j->around + j->around_start[a];
    int64_t lists = j->around_start[a + 1] - j->around_start[a], count;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < lists; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a; k--)
            j->shared[clusters[k]] += nodes_of(j, around[i]);
    }
    for (int64_t i = 0; i < lists && status == DGM_OK; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a && status == DGM_OK; k--) {
            double share = share_of(j, a, clusters[k]);
            j->score[around[i]] += share;
            j->alone[around[i]] += j->shared[clusters[k]] == 1 && share > 0;
            status = add_parts(j, a, clusters[k], around[i], share);
        }
    }
    for (int64_t i = 0; i < lists; i++) {
        const uint32_t *clusters = clusters_of(j, around[i], &count);
        for (int64_t k = count - 1; clusters[k] > a; k--)
            j->shared[clusters[k]] = 0;
    }
    return status;
}

static dgm_status join_clusters(joining *j) {
    int64_t clusters = j->r->clusters.count;
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < clusters && status == DGM_OK; c++) {
        if (c % 1024 == 0)
            status = dgmi_progress(j->r->ctx, "finding bridges", (double)c / (double)clusters);
        if (status == DGM_OK)
            status = join_cluster(j, (uint32_t)c);
    }
    return status;
}

static dgm_status tell_nodes(const joining *j) {
    dgm_status status = DGM_OK;
    for (int64_t k = 0; k < j->lists; k++)
        for (int64_t i = j->node_start[k]; i < j->node_start[k + 1] && status == DGM_OK; i++)
            status = dgmi_mapper_bridges_add(j->r, j->out,
                                             (dgmi_mapper_bridge){.node = j->nodes[i],
                                                                  .home = DGM_REPORT_NO_CLUSTER,
                                                                  .other = DGM_REPORT_NO_CLUSTER,
                                                                  .across = -1,
                                                                  .alone = j->alone[k],
                                                                  .score = j->score[k]});
    return status;
}

dgm_status dgmi_mapper_bridges_shared(dgmi_mapper_reporter *r, dgmi_mapper_bridges *out) {
    joining j = {.r = r, .out = out};
    if (!open_joining(&j))
        return DGM_ERROR_MEMORY;
    list_around(&j);
    list_nodes(&j);
    dgm_status status = join_clusters(&j);
    return status == DGM_OK ? tell_nodes(&j) : status;
}
