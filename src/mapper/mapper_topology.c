/* SPDX-License-Identifier: Apache-2.0 */
/* Betti numbers of the nerve, mod 2, from its 2-skeleton: b1 = edges - vertices + b0 - rank of the
 * triangles' boundaries.
 *
 * The nerve is the union of one simplex a class. The rank is found in two steps: edges that lie on
 * one triangle alone are removed together with it (an elementary collapse keeps the homotopy type,
 * and each counts one for the rank) until none is left; what remains is reduced by columns, the
 * pivot being a column's highest edge.
 */
#include "mapper_stages.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

/* Beyond this many triples only the triangles at each simplex's first vertex are listed. They span
 * the same boundaries: any triangle of a simplex is the sum of three of them, up to a boundary. */
#define MOST_TRIPLES INT64_C(20000000)

typedef struct {
    uint32_t v[3]; /* three clusters at first, then its three edges; ascending */
} triangle;

typedef struct {
    triangle *list;
    int64_t count;
} triangles;

static int64_t kept_list(const dgmi_classes *classes, int64_t id, const bool *kept,
                         uint32_t *list) {
    uint32_t one;
    const uint32_t *all;
    int64_t count = dgmi_class_list(classes, (uint32_t)id, &one, &all), used = 0;
    for (int64_t i = 0; i < count; i++)
        if (kept[all[i]])
            list[used++] = all[i];
    return used;
}

static int compare_triangles(const void *x, const void *y) {
    const triangle *p = x, *q = y;
    for (int i = 0; i < 3; i++)
        if (p->v[i] != q->v[i])
            return p->v[i] < q->v[i] ? -1 : 1;
    return 0;
}

static void sort_distinct(triangles *found) {
    qsort(found->list, (size_t)found->count, sizeof *found->list, compare_triangles);
    int64_t kept = 0;
    for (int64_t i = 0; i < found->count; i++)
        if (kept == 0 || compare_triangles(&found->list[kept - 1], &found->list[i]) != 0)
            found->list[kept++] = found->list[i];
    found->count = kept;
}

/* How many triples, or triples with the first vertex, the classes have in all. */
static int64_t count_triples(const dgmi_classes *classes, const bool *kept, uint32_t *list,
                             bool first_only) {
    double sum = 0;
    for (int64_t c = classes->clusters; c < classes->count; c++) {
        double k = (double)kept_list(classes, c, kept, list);
        if (k >= 3)
            sum += first_only ? (k - 1) * (k - 2) / 2 : k * (k - 1) * (k - 2) / 6;
    }
    return sum < 1e15 ? (int64_t)sum : INT64_C(1000000000000000);
}

static void list_triples(const dgmi_classes *classes, const bool *kept, uint32_t *list,
                         bool first_only, triangles *found) {
    for (int64_t id = classes->clusters; id < classes->count; id++) {
        int64_t k = kept_list(classes, id, kept, list);
        for (int64_t a = 0; a < (first_only && k ? 1 : k); a++)
            for (int64_t b = a + 1; b < k; b++)
                for (int64_t c = b + 1; c < k; c++)
                    found->list[found->count++] = (triangle){{list[a], list[b], list[c]}};
    }
}

/* ---- the rank of the boundary ---- */

/* Edges of the nerve, sorted by (low, high). */
typedef struct {
    const uint64_t *keys;
    int64_t count;
} edge_list;

static uint32_t edge_of(const edge_list *edges, uint32_t a, uint32_t b) {
    uint64_t key = dgmi_pair(a, b);
    int64_t low = 0, high = edges->count;
    while (low + 1 < high) {
        int64_t middle = (low + high) / 2;
        if (edges->keys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void name_edges(const edge_list *edges, triangles *found) {
    for (int64_t i = 0; i < found->count; i++) {
        triangle t = found->list[i];
        found->list[i] = (triangle){{edge_of(edges, t.v[0], t.v[1]), edge_of(edges, t.v[0], t.v[2]),
                                     edge_of(edges, t.v[1], t.v[2])}};
    }
}

/* Removes free edges with their triangles; returns how many went. Removed triangles are moved out
 * of the list. */
static dgm_status collapse(dgm_context *ctx, int64_t edges, triangles *found, int64_t *removed) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    uint32_t *on = dgmi_scratch_zero(ctx, edges, sizeof *on); /* triangles on the edge */
    int64_t *which =
        dgmi_scratch_zero(ctx, edges, sizeof *which); /* exclusive or of their numbers */
    bool *gone = dgmi_scratch_zero(ctx, found->count, sizeof *gone);
    uint32_t *queue = dgmi_scratch(ctx, 3 * found->count + edges, sizeof *queue);
    if (!on || !which || !gone || !queue) {
        dgmi_arena_release(ctx, mark);
        return DGM_ERROR_MEMORY;
    }
    int64_t head = 0, tail = 0;
    for (int64_t i = 0; i < found->count; i++)
        for (int corner = 0; corner < 3; corner++) {
            uint32_t edge = found->list[i].v[corner];
            on[edge]++;
            which[edge] ^= i;
        }
    for (int64_t e = 0; e < edges; e++)
        if (on[e] == 1)
            queue[tail++] = (uint32_t)e;
    *removed = 0;
    while (head < tail) {
        uint32_t edge = queue[head++];
        if (on[edge] != 1)
            continue;
        int64_t last = which[edge];
        gone[last] = true;
        ++*removed;
        for (int corner = 0; corner < 3; corner++) {
            uint32_t side = found->list[last].v[corner];
            which[side] ^= last;
            if (--on[side] == 1)
                queue[tail++] = side;
        }
    }
    int64_t left = 0;
    for (int64_t i = 0; i < found->count; i++)
        if (!gone[i])
            found->list[left++] = found->list[i];
    found->count = left;
    dgmi_arena_release(ctx, mark);
    return DGM_OK;
}

/* A column of the boundary matrix: edges, ascending. */
typedef struct {
    uint32_t *edges;
    int64_t count, capacity;
} column;

/* target += other, mod 2; both ascend. */
static dgm_status add_column(dgm_context *ctx, column *target, const column *other, column *space) {
    void *room = space->edges;
    dgm_status status = dgmi_reserve(ctx, &room, &space->capacity, target->count + other->count,
                                     sizeof *space->edges);
    space->edges = room;
    if (status != DGM_OK)
        return status;
    int64_t i = 0, j = 0;
    space->count = 0;
    while (i < target->count || j < other->count) {
        bool first =
            j == other->count || (i < target->count && target->edges[i] <= other->edges[j]);
        bool second =
            i == target->count || (j < other->count && other->edges[j] <= target->edges[i]);
        if (first != second)
            space->edges[space->count++] = first ? target->edges[i] : other->edges[j];
        i += first;
        j += second;
    }
    column swap = *target;
    *target = *space;
    *space = swap;
    return DGM_OK;
}

/* Gaussian elimination by columns; owner[e] is the column whose highest edge is e. */
static dgm_status reduce(dgm_context *ctx, const triangles *found, column *columns, int64_t *owner,
                         int64_t *rank) {
    column work = {0}, space = {0};
    dgm_status status = DGM_OK;
    *rank = 0;
    for (int64_t i = 0; status == DGM_OK && i < found->count; i++) {
        void *room = work.edges;
        status = dgmi_reserve(ctx, &room, &work.capacity, 3, sizeof *work.edges);
        work.edges = room;
        if (status != DGM_OK)
            break;
        memcpy(work.edges, found->list[i].v, sizeof found->list[i].v);
        work.count = 3;
        while (status == DGM_OK && work.count && owner[work.edges[work.count - 1]] >= 0)
            status = add_column(ctx, &work, &columns[owner[work.edges[work.count - 1]]], &space);
        if (status == DGM_OK && work.count) {
            owner[work.edges[work.count - 1]] = *rank;
            columns[(*rank)++] = work;
            work = (column){0};
        }
        if (status == DGM_OK && i % 4096 == 0)
            status = dgmi_progress(ctx, "counting loops", (double)i / (double)found->count);
    }
    dgmi_free(ctx, work.edges);
    dgmi_free(ctx, space.edges);
    return status;
}

static dgm_status boundary_rank(dgm_context *ctx, const edge_list *edges, triangles *found,
                                int64_t *rank) {
    int64_t collapsed = 0, reduced = 0;
    name_edges(edges, found);
    dgm_status status = collapse(ctx, edges->count, found, &collapsed);
    column *columns = dgmi_scratch_zero(ctx, found->count, sizeof *columns);
    int64_t *owner = dgmi_scratch(ctx, edges->count, sizeof *owner);
    if (!columns || !owner)
        status = DGM_ERROR_MEMORY;
    for (int64_t e = 0; status == DGM_OK && e < edges->count; e++)
        owner[e] = -1;
    if (status == DGM_OK)
        status = reduce(ctx, found, columns, owner, &reduced);
    for (int64_t i = 0; columns && i < found->count; i++)
        dgmi_free(ctx, columns[i].edges);
    *rank = collapsed + reduced;
    return status;
}

/* ---- the whole ---- */

/* Connected components of the kept clusters under the given edges. */
static dgm_status count_components(dgm_context *ctx, int64_t clusters, const bool *kept,
                                   const edge_list *edges, int64_t *count) {
    uint32_t *parent = dgmi_scratch(ctx, clusters, sizeof *parent);
    if (!parent)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters; c++)
        parent[c] = (uint32_t)c;
    for (int64_t e = 0; e < edges->count; e++)
        dgmi_union_link(parent, (uint32_t)(edges->keys[e] >> 32), (uint32_t)edges->keys[e]);
    *count = 0;
    for (int64_t c = 0; c < clusters; c++)
        *count += kept[c] && parent[c] == c;
    return DGM_OK;
}

dgm_status dgmi_topology_make(dgm_context *ctx, const dgmi_classes *classes, const bool *kept,
                              const dgmi_meeting *meetings, int64_t meeting_count,
                              dgm_summary_topology *topology) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t vertices = 0, rank = 0, lists = classes->count - classes->clusters;
    uint64_t *keys = dgmi_scratch(ctx, meeting_count, sizeof *keys);
    uint32_t *list = dgmi_scratch(ctx, classes->list_start[lists] + 1, sizeof *list);
    if (!keys || !list)
        goto done;
    edge_list edges = {keys, 0};
    for (int64_t i = 0; i < meeting_count; i++)
        if (meetings[i].shared > 0 && kept[meetings[i].low] && kept[meetings[i].high])
            keys[edges.count++] = dgmi_pair(meetings[i].low, meetings[i].high);
    for (int64_t c = 0; c < classes->clusters; c++)
        vertices += kept[c];

    bool first_only = count_triples(classes, kept, list, false) > MOST_TRIPLES;
    triangles found = {0};
    found.list =
        dgmi_scratch(ctx, count_triples(classes, kept, list, first_only), sizeof *found.list);
    if (!found.list)
        goto done;
    list_triples(classes, kept, list, first_only, &found);
    sort_distinct(&found);
    topology->triangles = first_only ? -1 : found.count;
    status = count_components(ctx, classes->clusters, kept, &edges, &topology->b0);
    if (status == DGM_OK)
        status = boundary_rank(ctx, &edges, &found, &rank);
    topology->skeleton_loops = edges.count - vertices + topology->b0;
    topology->b1 = topology->skeleton_loops - rank;
done:
    dgmi_arena_release(ctx, mark);
    return status;
}
