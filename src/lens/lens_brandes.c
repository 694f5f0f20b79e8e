/* SPDX-License-Identifier: Apache-2.0 */
/* Two ways to the same numbers. Without weights, a breadth-first search counts paths forward, and
 * the way back adds up, level by level,
 *
 *   delta(v) = paths(v) * sum over w behind v of (1 + delta(w)) / paths(w).
 *
 * Only the level below holds non-zero terms at any moment, so the sum runs over all neighbours and
 * asks nothing of them. Numbers of paths grow like 4^d on a grid and leave the range of a double
 * after some five hundred steps; such a source, and every source of a weighted graph, takes the
 * careful way, which keeps the power of two apart.
 */
#include "lens_brandes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_memory.h"

/* Beyond this the reciprocals would lose bits. */
#define MOST_PATHS 0x1p960
#define UNSEEN     UINT32_MAX

dgm_status dgmi_lens_brandes_space_make(dgm_context *ctx, int64_t nodes, bool weighted,
                                        dgmi_lens_brandes_space *space) {
    *space = (dgmi_lens_brandes_space){0};
    space->queue = dgmi_scratch(ctx, nodes + 1, sizeof *space->queue);
    space->paths = dgmi_scratch_zero(ctx, nodes, sizeof *space->paths);
    space->pull = dgmi_scratch_zero(ctx, nodes, sizeof *space->pull);
    space->level = dgmi_scratch(ctx, nodes, sizeof *space->level);
    space->power = dgmi_scratch(ctx, nodes, sizeof *space->power);
    if (!space->queue || !space->paths || !space->pull || !space->level || !space->power)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        space->level[u] = UNSEEN;
    if (!weighted)
        return DGM_OK;
    space->distance = dgmi_scratch(ctx, nodes, sizeof *space->distance);
    space->heap = dgmi_scratch(ctx, nodes, sizeof *space->heap);
    space->place = dgmi_scratch(ctx, nodes, sizeof *space->place);
    if (!space->distance || !space->heap || !space->place)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        space->distance[u] = INFINITY;
    return DGM_OK;
}

int64_t dgmi_lens_brandes_space_bytes(bool weighted) {
    const dgmi_lens_brandes_space *s = NULL;
    int64_t plain =
        sizeof *s->queue + sizeof *s->paths + sizeof *s->pull + sizeof *s->level + sizeof *s->power;
    int64_t more = sizeof *s->distance + sizeof *s->heap + sizeof *s->place;
    return weighted ? plain + more : plain;
}

/* ---- breadth first, plain numbers ---- */

/* `value`, or 0 unless `wanted`; no branch, so that nothing has to be predicted. */
static inline double value_if(bool wanted, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= -(uint64_t)wanted;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Fills queue, level and paths; the nodes reached. *plain: the numbers of paths stayed small. What
 * a neighbour is (new, of the next level, or neither) cannot be guessed, so the loop does not
 * branch on it: measured 1.4 times as fast. */
static int64_t search(const dgm_graph_rows *rows, uint32_t source, dgmi_lens_brandes_space *space,
                      bool *plain) {
    assert(source < rows->nodes && space->level[source] == UNSEEN);
    const int64_t *offsets = rows->offsets;
    const uint32_t *targets = rows->targets;
    uint32_t *queue = space->queue, *level = space->level;
    double *paths = space->paths;
    int64_t tail = 1;
    *plain = true;
    queue[0] = source;
    level[source] = 0;
    paths[source] = 1;
    for (int64_t head = 0; head < tail; head++) {
        uint32_t v = queue[head], below = level[v] + 1;
        assert(head == 0 || level[queue[head - 1]] <= level[v]); /* breadth first */
        double count = paths[v];
        if (count > MOST_PATHS)
            *plain = false;
        for (int64_t e = offsets[v]; e < offsets[v + 1]; e++) {
            uint32_t w = targets[e], seen = level[w];
            queue[tail] = w;
            tail += seen == UNSEEN;
            level[w] = seen < below ? seen : below;
            paths[w] += value_if(seen >= below, count);
        }
    }
    return tail;
}

/* One level, queue[begin .. end): each node's delta, and in paths what it gives to the level above.
 */
static void gather_level(const dgm_graph_rows *rows, dgmi_lens_brandes_space *space, int64_t begin,
                         int64_t end, double *sums, double *squares) {
    assert(0 < begin && begin < end && end <= rows->nodes);
    for (int64_t i = begin; i < end; i++) {
        uint32_t v = space->queue[i];
        double sum = 0;
        for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            sum += space->pull[rows->targets[e]];
        double delta = sum * space->paths[v];
        sums[v] += delta;
        if (squares)
            squares[v] += delta * delta;
        space->paths[v] = (1 + delta) / space->paths[v];
    }
}

/* From the last level up to the first; the source itself, queue[0], has no delta. */
static void gather(const dgm_graph_rows *rows, dgmi_lens_brandes_space *space, int64_t reached,
                   double *sums, double *squares) {
    int64_t end = reached, done = reached;
    while (end > 1) {
        int64_t begin = end - 1;
        while (space->level[space->queue[begin - 1]] == space->level[space->queue[begin]])
            begin--;
        gather_level(rows, space, begin, end, sums, squares);
        for (int64_t i = end; i < done; i++)
            space->pull[space->queue[i]] = 0;
        for (int64_t i = begin; i < end; i++)
            space->pull[space->queue[i]] = space->paths[space->queue[i]];
        done = end;
        end = begin;
    }
    for (int64_t i = 1; i < done; i++)
        space->pull[space->queue[i]] = 0;
}

/* ---- by distance (Dijkstra 1959), a binary heap that knows where each node is ---- */

static void heap_put(dgmi_lens_brandes_space *space, int64_t at, uint32_t node) {
    assert(at >= 0);
    space->heap[at] = node;
    space->place[node] = (uint32_t)at;
}

static void heap_rise(dgmi_lens_brandes_space *space, uint32_t node) {
    int64_t at = space->place[node];
    while (at > 0) {
        uint32_t above = space->heap[(at - 1) / 2];
        if (space->distance[above] <= space->distance[node])
            break;
        heap_put(space, at, above);
        at = (at - 1) / 2;
    }
    heap_put(space, at, node);
}

static uint32_t heap_pop(dgmi_lens_brandes_space *space, int64_t *count) {
    uint32_t nearest = space->heap[0], last = space->heap[--*count];
    int64_t at = 0;
    while (2 * at + 1 < *count) {
        int64_t below = 2 * at + 1;
        if (below + 1 < *count &&
            space->distance[space->heap[below + 1]] < space->distance[space->heap[below]])
            below++;
        if (space->distance[last] <= space->distance[space->heap[below]])
            break;
        heap_put(space, at, space->heap[below]);
        at = below;
    }
    heap_put(space, at, last);
    return nearest;
}

/* Fills queue, distance and place; the nodes reached. */
static int64_t search_weighted(const dgm_graph_rows *rows, uint32_t source,
                               dgmi_lens_brandes_space *space) {
    int64_t waiting = 1, reached = 0;
    space->distance[source] = 0;
    heap_put(space, 0, source);
    while (waiting > 0) {
        uint32_t v = heap_pop(space, &waiting);
        space->place[v] = (uint32_t)reached;
        space->queue[reached++] = v;
        for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            uint32_t w = rows->targets[e];
            double through = space->distance[v] + rows->weights[e];
            if (!(through < space->distance[w])) /* settled nodes are never farther */
                continue;
            if (isinf(space->distance[w]))
                space->place[w] = (uint32_t)waiting++;
            space->distance[w] = through;
            heap_rise(space, w);
        }
    }
    return reached;
}

/* ---- the careful way: paths = mantissa * 2^power ---- */

/* Whether the edge e from v is the last of a shortest path. Lengths that vanish in rounding could
 * make both directions one; the order of the queue decides. */
static bool leads_on(const dgm_graph_rows *rows, bool weighted,
                     const dgmi_lens_brandes_space *space, uint32_t v, int64_t e) {
    uint32_t w = rows->targets[e];
    if (!weighted)
        return space->level[w] == space->level[v] + 1;
    return space->distance[w] == space->distance[v] + rows->weights[e] &&
           space->place[w] > space->place[v];
}

static void add_paths(dgmi_lens_brandes_space *space, uint32_t w, double mantissa, int32_t power) {
    double *sum = &space->paths[w];
    int32_t *sum_power = &space->power[w];
    if (*sum == 0 || power > *sum_power) {
        *sum = ldexp(*sum, *sum == 0 ? 0 : *sum_power - power) + mantissa;
        *sum_power = power;
    } else {
        *sum += ldexp(mantissa, power - *sum_power);
    }
    if (*sum >= 1) {
        *sum *= 0.5;
        ++*sum_power;
    }
}

static void add_carefully(const dgm_graph_rows *rows, bool weighted, dgmi_lens_brandes_space *space,
                          int64_t reached, double *sums, double *squares) {
    for (int64_t i = 0; i < reached; i++)
        space->paths[space->queue[i]] = 0;
    space->paths[space->queue[0]] = 0.5;
    space->power[space->queue[0]] = 1;
    for (int64_t i = 0; i < reached; i++) {
        uint32_t v = space->queue[i];
        for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++)
            if (leads_on(rows, weighted, space, v, e))
                add_paths(space, rows->targets[e], space->paths[v], space->power[v]);
    }
    double *delta = space->pull;
    for (int64_t i = reached - 1; i > 0; i--) {
        uint32_t v = space->queue[i];
        double sum = 0;
        for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
            uint32_t w = rows->targets[e];
            if (leads_on(rows, weighted, space, v, e))
                sum += (1 + delta[w]) *
                       ldexp(space->paths[v] / space->paths[w], space->power[v] - space->power[w]);
        }
        delta[v] = sum;
        sums[v] += sum;
        if (squares)
            squares[v] += sum * sum;
    }
    for (int64_t i = 0; i < reached; i++)
        delta[space->queue[i]] = 0;
}

void dgmi_lens_brandes_add(const dgm_graph_rows *rows, bool weighted, uint32_t source,
                           dgmi_lens_brandes_space *space, double *sums, double *squares) {
    bool plain = false;
    int64_t reached =
        weighted ? search_weighted(rows, source, space) : search(rows, source, space, &plain);
    if (plain)
        gather(rows, space, reached, sums, squares);
    else
        add_carefully(rows, weighted, space, reached, sums, squares);
    for (int64_t i = 0; i < reached; i++) {
        uint32_t v = space->queue[i];
        space->paths[v] = 0;
        space->level[v] = UNSEEN;
        if (weighted)
            space->distance[v] = INFINITY;
    }
}
