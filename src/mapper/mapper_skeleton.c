/* SPDX-License-Identifier: Apache-2.0 */
/* The nerve is the union of one simplex a class of nodes: its triangles are the triples of those.
 */
#include "mapper_skeleton.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

/* Beyond this many triples only the triangles at each simplex's first vertex are listed. They span
 * the same boundaries: any triangle of a simplex is the sum of three of them, up to a boundary. */
#define MOST_TRIPLES INT64_C(20000000)

/* ---- triangles ---- */

static int64_t kept_list(const dgmi_classes *classes, int64_t id, const bool *kept,
                         uint32_t *list) {
    uint32_t one;
    const uint32_t *all;
    int64_t count = dgmi_class_list(classes, (uint32_t)id, &one, &all), used = 0;
    for (int64_t i = 0; i < count; i++)
        if (!kept || kept[all[i]])
            list[used++] = all[i];
    return used;
}

static int compare_triangles(const void *x, const void *y) {
    const dgmi_triangle *p = x, *q = y;
    for (int i = 0; i < 3; i++)
        if (p->v[i] != q->v[i])
            return p->v[i] < q->v[i] ? -1 : 1;
    return 0;
}

static void sort_distinct(dgmi_triangles *found) {
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
                         bool first_only, dgmi_triangles *found) {
    for (int64_t id = classes->clusters; id < classes->count; id++) {
        int64_t k = kept_list(classes, id, kept, list);
        for (int64_t a = 0; a < (first_only && k ? 1 : k); a++)
            for (int64_t b = a + 1; b < k; b++)
                for (int64_t c = b + 1; c < k; c++)
                    found->list[found->count++] = (dgmi_triangle){{list[a], list[b], list[c]}};
    }
}

dgm_status dgmi_triangles_make(dgm_context *ctx, const dgmi_classes *classes, const bool *kept,
                               dgmi_triangles *found, bool *all) {
    int64_t lists = classes->count - classes->clusters;
    uint32_t *list = dgmi_scratch(ctx, classes->list_start[lists] + 1, sizeof *list);
    if (!list)
        return DGM_ERROR_MEMORY;
    *found = (dgmi_triangles){0};
    *all = count_triples(classes, kept, list, false) <= MOST_TRIPLES;
    found->list = dgmi_scratch(ctx, count_triples(classes, kept, list, !*all), sizeof *found->list);
    if (!found->list)
        return DGM_ERROR_MEMORY;
    list_triples(classes, kept, list, !*all, found);
    sort_distinct(found);
    return DGM_OK;
}

uint32_t dgmi_edge_of(const dgmi_edge_list *edges, uint32_t a, uint32_t b) {
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

void dgmi_triangles_name_edges(const dgmi_edge_list *edges, dgmi_triangles *found) {
    for (int64_t i = 0; i < found->count; i++) {
        dgmi_triangle t = found->list[i];
        found->list[i] = (dgmi_triangle){{dgmi_edge_of(edges, t.v[0], t.v[1]),
                                          dgmi_edge_of(edges, t.v[0], t.v[2]),
                                          dgmi_edge_of(edges, t.v[1], t.v[2])}};
    }
}

/* ---- collapses ---- */

typedef struct {
    uint32_t *on;   /* by edge: triangles on it that are left */
    int64_t *which; /* by edge: exclusive or of their numbers */
    bool *gone;     /* by triangle */
    uint32_t *queue;
    int64_t head, tail;
    dgmi_triangle *order; /* removed triangles, one after another */
} collapse;

static void count_sides(collapse *c, int64_t edges, const dgmi_triangles *found) {
    for (int64_t i = 0; i < found->count; i++)
        for (int corner = 0; corner < 3; corner++) {
            uint32_t edge = found->list[i].v[corner];
            c->on[edge]++;
            c->which[edge] ^= i;
        }
    for (int64_t e = 0; e < edges; e++)
        if (c->on[e] == 1)
            c->queue[c->tail++] = (uint32_t)e;
}

static void remove_triangle(collapse *c, const dgmi_triangle *triangle, int64_t number) {
    c->gone[number] = true;
    for (int corner = 0; corner < 3; corner++) {
        uint32_t side = triangle->v[corner];
        c->which[side] ^= number;
        if (--c->on[side] == 1)
            c->queue[c->tail++] = side;
    }
}

dgm_status dgmi_triangles_collapse(dgm_context *ctx, int64_t edges, dgmi_triangles *found,
                                   uint32_t *free_edges, int64_t *removed) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t count = found->count, left = 0;
    collapse c = {.on = dgmi_scratch_zero(ctx, edges, sizeof *c.on),
                  .which = dgmi_scratch_zero(ctx, edges, sizeof *c.which),
                  .gone = dgmi_scratch_zero(ctx, count, sizeof *c.gone),
                  .queue = dgmi_scratch(ctx, 3 * count + edges, sizeof *c.queue),
                  .order = dgmi_scratch(ctx, count, sizeof *c.order)};
    *removed = 0;
    if (!c.on || !c.which || !c.gone || !c.queue || !c.order)
        goto done;
    status = DGM_OK;
    count_sides(&c, edges, found);
    while (c.head < c.tail) {
        uint32_t edge = c.queue[c.head++];
        if (c.on[edge] != 1)
            continue;
        int64_t last = c.which[edge];
        if (free_edges)
            free_edges[*removed] = edge;
        c.order[(*removed)++] = found->list[last];
        remove_triangle(&c, &found->list[last], last);
    }
    for (int64_t i = 0; i < count; i++)
        if (!c.gone[i])
            found->list[left++] = found->list[i];
    found->count = left;
    if (*removed)
        memcpy(found->list + left, c.order, (size_t)*removed * sizeof *c.order);
done:
    dgmi_arena_release(ctx, mark);
    return status;
}

/* ---- columns ---- */

dgm_status dgmi_column_reserve(dgm_context *ctx, dgmi_column *column, int64_t count) {
    void *room = column->ones;
    dgm_status status = dgmi_reserve(ctx, &room, &column->capacity, count, sizeof *column->ones);
    column->ones = room;
    return status;
}

dgm_status dgmi_column_add(dgm_context *ctx, dgmi_column *target, const dgmi_column *other,
                           dgmi_column *space) {
    dgm_status status = dgmi_column_reserve(ctx, space, target->count + other->count);
    if (status != DGM_OK)
        return status;
    int64_t i = 0, j = 0;
    space->count = 0;
    while (i < target->count || j < other->count) {
        bool first = j == other->count || (i < target->count && target->ones[i] <= other->ones[j]);
        bool second = i == target->count || (j < other->count && other->ones[j] <= target->ones[i]);
        if (first != second)
            space->ones[space->count++] = first ? target->ones[i] : other->ones[j];
        i += first;
        j += second;
    }
    dgmi_column swap = *target;
    *target = *space;
    *space = swap;
    return DGM_OK;
}
