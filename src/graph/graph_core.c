/* SPDX-License-Identifier: Apache-2.0 */
/* Core numbers: the k-core is the largest part of the graph in which every node has at least k
 * neighbours; a node's number is the largest k whose core holds it.
 *
 * Batagelj and Zaversnik, "An O(m) algorithm for cores decomposition of networks" (2003): take away
 * a node of least degree, again and again; its degree at that moment is its number. Nodes lie
 * ordered by degree in bins, and a neighbour that loses a degree swaps with the first of its bin.
 */
#include "graph_simple.h"

#include <assert.h>

#include "base_context.h"
#include "base_memory.h"

typedef struct {
    int64_t *degree; /* by node, of what is left */
    int64_t *bin;    /* by degree: where its nodes begin in `order` */
    uint32_t *order; /* nodes, degree ascending */
    int64_t *place;  /* of each node in `order` */
} peeling;

static dgm_status start(dgm_context *ctx, const dgmi_graph_simple_rows *rows, peeling *p) {
    int64_t n = rows->nodes, most = 0;
    p->degree = dgmi_scratch(ctx, n, sizeof *p->degree);
    p->order = dgmi_scratch(ctx, n, sizeof *p->order);
    p->place = dgmi_scratch(ctx, n, sizeof *p->place);
    if (!p->degree || !p->order || !p->place)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < n; u++) {
        p->degree[u] = dgmi_graph_simple_degree(rows, u);
        most = p->degree[u] > most ? p->degree[u] : most;
    }
    p->bin = dgmi_scratch_zero(ctx, most + 2, sizeof *p->bin);
    if (!p->bin)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < n; u++)
        p->bin[p->degree[u] + 1]++;
    for (int64_t d = 0; d <= most; d++)
        p->bin[d + 1] += p->bin[d];
    for (int64_t u = 0; u < n; u++) {
        p->place[u] = p->bin[p->degree[u]]++;
        p->order[p->place[u]] = (uint32_t)u;
    }
    for (int64_t d = most; d > 0; d--) /* filling moved each bin to the start of the next */
        p->bin[d] = p->bin[d - 1];
    p->bin[0] = 0;
    return DGM_OK;
}

/* Moves a node one bin down: it changes places with the first of its bin, which then begins behind
 * it. */
static void lower(peeling *p, uint32_t node) {
    assert(p->degree[node] > 0 && p->order[p->place[node]] == node);
    int64_t first = p->bin[p->degree[node]]++, here = p->place[node];
    uint32_t other = p->order[first];
    assert(first <= here && p->degree[other] == p->degree[node]);
    p->order[first] = node;
    p->place[node] = first;
    p->order[here] = other;
    p->place[other] = here;
    p->degree[node]--;
}

static dgm_status peel(dgm_context *ctx, const dgmi_graph_simple_rows *rows, peeling *p,
                       double *core) {
    enum { BETWEEN_REPORTS = 1 << 18 };
    for (int64_t i = 0; i < rows->nodes; i++) {
        uint32_t u = p->order[i];
        if (i % BETWEEN_REPORTS == 0) {
            dgm_status status =
                dgmi_progress(ctx, "computing core numbers", (double)i / (double)rows->nodes);
            if (status != DGM_OK)
                return status;
        }
        core[u] = (double)p->degree[u];
        assert(p->place[u] == i); /* nodes before it have gone, and it goes now */
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            if (p->degree[rows->targets[e]] > p->degree[u])
                lower(p, rows->targets[e]);
    }
    return DGM_OK;
}

dgm_status dgmi_graph_cores(dgm_context *ctx, const dgmi_graph_simple_rows *rows, double *cores) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    peeling p;
    dgm_status status = start(ctx, rows, &p);
    if (status == DGM_OK)
        status = peel(ctx, rows, &p, cores);
    dgmi_arena_release(ctx, hold);
    return status;
}
