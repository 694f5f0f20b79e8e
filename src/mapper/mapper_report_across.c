/* SPDX-License-Identifier: Apache-2.0 */
/* Finds bridges by the edges of the graph: nodes with neighbours outside of their own cluster.
 *
 * The home of a node is that one of its clusters in which it has the most neighbours, so that every
 * node counts once. An edge of u crosses if its other end does not lie in the home of u. For a node u
 * with home a, k(u) neighbours and k(u, b) crossing edges to nodes at home in b,
 *
 *     score(u) = k(u) * sum over b != a of k(u, b) * sqrt(n(a) n(b) / e(a, b))
 *
 * where n counts the nodes at home in a cluster, and e(a, b) is the sum of k(v, b) over all nodes v at
 * home in a. An edge counts for more where few edges join two large clusters, and the k(u) neighbours
 * are those that reach the other side through u. Between two classes nodes are ranked by the edges
 * that cross alone, without k(u).
 *
 * This ranking agrees with betweenness better than the number of neighbours does; docs/reports.md has
 * the figures. Edges beyond those that the degrees explain, k(u, b) - k(u) vol(b) / 2m, and the
 * participation coefficient agree far worse, since they put nodes of few neighbours first.
 *
 * O(n + m), and a step for each cluster of a neighbour of a node that lies in several.
 */
#include "mapper_report.h"

#include <math.h>

#include "base_context.h"
#include "graph_transpose.h"

typedef struct {
    dgmi_mapper_reporter *r;
    dgmi_mapper_bridges *out;
    dgm_graph_rows rows[2]; /* the edges from each node, and those of a directed graph to it */
    int ways;
    uint32_t *home;              /* of each node, or DGM_REPORT_NO_CLUSTER */
    int64_t *home_start;         /* clusters + 2 positions in `at_home` */
    uint32_t *at_home;           /* the nodes at home in each cluster, ascending */
    int64_t *edges;              /* from the cluster at work to each other; zeros between */
    int64_t *own;                /* from the node at work to each other cluster; zeros between */
    uint32_t *touched, *reached; /* clusters to which `edges` and `own` have edges */
    uint32_t *inside;            /* of each node: the last cluster at work that it lies in, + 1 */
} survey;

static bool open_survey(survey *s) {
    dgm_context *ctx = s->r->ctx;
    int64_t clusters = s->r->clusters.count, nodes = s->r->nodes;
    s->home = dgmi_scratch(ctx, nodes, sizeof *s->home);
    s->home_start = dgmi_scratch_zero(ctx, clusters + 2, sizeof *s->home_start);
    s->at_home = dgmi_scratch(ctx, nodes, sizeof *s->at_home);
    s->edges = dgmi_scratch_zero(ctx, clusters, sizeof *s->edges);
    s->own = dgmi_scratch_zero(ctx, clusters, sizeof *s->own);
    s->touched = dgmi_scratch(ctx, clusters, sizeof *s->touched);
    s->reached = dgmi_scratch(ctx, clusters, sizeof *s->reached);
    s->inside = dgmi_scratch_zero(ctx, nodes, sizeof *s->inside);
    return s->inside && s->home && s->home_start && s->at_home && s->edges && s->own &&
           s->touched && s->reached;
}

/* ---- homes ---- */

/* Counts the neighbours of u in each cluster, or clears the counts. */
static void count_memberships(const survey *s, int64_t u, bool clear) {
    for (int way = 0; way < s->ways; way++)
        for (int64_t i = s->rows[way].offsets[u]; i < s->rows[way].offsets[u + 1]; i++) {
            uint32_t v = s->rows[way].targets[i];
            for (int64_t k = s->r->in_start[v]; k < s->r->in_start[v + 1]; k++)
                s->own[s->r->in[k]] = clear ? 0 : s->own[s->r->in[k]] + 1;
        }
}

/* Of two clusters with as many neighbours the larger is the home, then the smaller number. */
static uint32_t find_home(const survey *s, int64_t u) {
    const int64_t *start = s->r->in_start, *offsets = s->r->clusters.offsets;
    if (start[u + 1] - start[u] == 0)
        return DGM_REPORT_NO_CLUSTER;
    uint32_t best = s->r->in[start[u]];
    if (start[u + 1] - start[u] == 1)
        return best;
    count_memberships(s, u, false);
    for (int64_t k = start[u] + 1; k < start[u + 1]; k++) {
        uint32_t c = s->r->in[k];
        int64_t size = offsets[c + 1] - offsets[c],
                size_of_best = offsets[best + 1] - offsets[best];
        if (s->own[c] > s->own[best] || (s->own[c] == s->own[best] && size > size_of_best))
            best = c;
    }
    count_memberships(s, u, true);
    return best;
}

static void settle(survey *s) {
    int64_t *start = s->home_start;
    for (int64_t u = 0; u < s->r->nodes; u++) {
        s->home[u] = find_home(s, u);
        if (s->home[u] != DGM_REPORT_NO_CLUSTER)
            start[s->home[u] + 2]++;
    }
    for (int64_t c = 0; c < s->r->clusters.count; c++)
        start[c + 2] += start[c + 1];
    for (int64_t u = 0; u < s->r->nodes; u++)
        if (s->home[u] != DGM_REPORT_NO_CLUSTER)
            s->at_home[start[s->home[u] + 1]++] = (uint32_t)u;
}

/* ---- scores ---- */

/* Counts the edges of u that leave the cluster at work, its home, and lists the clusters to which there
 * were none before. */
static void count_across(const survey *s, int64_t u, int64_t *edges, uint32_t *list,
                         int64_t *listed) {
    for (int way = 0; way < s->ways; way++)
        for (int64_t i = s->rows[way].offsets[u]; i < s->rows[way].offsets[u + 1]; i++) {
            uint32_t v = s->rows[way].targets[i], b = s->home[v];
            bool crosses = b != DGM_REPORT_NO_CLUSTER && s->inside[v] != s->home[u] + 1;
            if (crosses && edges[b]++ == 0)
                list[(*listed)++] = b;
        }
}

static int64_t count_neighbours(const survey *s, int64_t u) {
    int64_t found = 0;
    for (int way = 0; way < s->ways; way++)
        found += s->rows[way].offsets[u + 1] - s->rows[way].offsets[u];
    return found;
}

static double term_of(const survey *s, uint32_t a, uint32_t b) {
    double here = (double)(s->home_start[a + 1] - s->home_start[a]);
    double there = (double)(s->home_start[b + 1] - s->home_start[b]);
    return (double)s->own[b] * sqrt(here * there / (double)s->edges[b]);
}

static dgm_status score_node(survey *s, uint32_t u) {
    uint32_t a = s->home[u];
    int64_t reached = 0;
    double k = (double)count_neighbours(s, u), best = 0;
    dgmi_mapper_bridge found = {.node = u, .home = a, .other = DGM_REPORT_NO_CLUSTER};
    dgm_status status = DGM_OK;
    count_across(s, u, s->own, s->reached, &reached);
    for (int64_t i = 0; i < reached && status == DGM_OK; i++) {
        uint32_t b = s->reached[i];
        dgmi_mapper_bridge part = {.node = u, .home = a, .other = b, .across = s->own[b]};
        part.score = term_of(s, a, b);
        found.across += part.across;
        found.score += k * part.score;
        if (part.score > best || (part.score == best && b < found.other)) {
            best = part.score;
            found.other = b;
        }
        status = dgmi_mapper_bridges_add_part(s->r, s->out, a, b, part);
    }
    for (int64_t i = 0; i < reached; i++)
        s->own[s->reached[i]] = 0;
    return reached && status == DGM_OK ? dgmi_mapper_bridges_add(s->r, s->out, found) : status;
}

static dgm_status score_cluster(survey *s, int64_t cluster) {
    int64_t begin = s->home_start[cluster], end = s->home_start[cluster + 1], touched = 0, count;
    const uint32_t *members = dgmi_mapper_report_set(s->r, cluster, &count);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < count; i++)
        s->inside[members[i]] = (uint32_t)cluster + 1;
    for (int64_t i = begin; i < end; i++)
        count_across(s, s->at_home[i], s->edges, s->touched, &touched);
    for (int64_t i = begin; i < end && status == DGM_OK; i++)
        status = score_node(s, s->at_home[i]);
    for (int64_t i = 0; i < touched; i++)
        s->edges[s->touched[i]] = 0;
    return status;
}

dgm_status dgmi_mapper_bridges_across(dgmi_mapper_reporter *r, dgmi_mapper_bridges *out) {
    survey s = {.r = r, .out = out, .rows = {dgm_graph_get_rows(r->graph)}, .ways = 1};
    dgm_status status = open_survey(&s) ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && s.rows[0].directed) {
        status = dgmi_graph_rows_transpose(r->ctx, s.rows[0], &s.rows[1]);
        s.ways = 2;
    }
    if (status == DGM_OK)
        settle(&s);
    for (int64_t c = 0; c < r->clusters.count && status == DGM_OK; c++) {
        if (c % 1024 == 0)
            status =
                dgmi_progress(r->ctx, "finding bridges", (double)c / (double)r->clusters.count);
        if (status == DGM_OK)
            status = score_cluster(&s, c);
    }
    return status;
}
