/* SPDX-License-Identifier: Apache-2.0 */
/* Approximate elimination for Laplacians, after Kyng and Sachdeva, "Approximate Gaussian
 * elimination for Laplacians: fast, sparse, and simple" (2016), and Gao, Kyng and Spielman, "Robust
 * and practical solution of Laplacian equations by approximate elimination" (2023).
 *
 * Eliminating a node of weights w_1 <= ... <= w_d, W = sum of w, joins its neighbours by a clique
 * of weights w_i w_j / W. Here each i < d joins one j > i, drawn in proportion to w_j, with weight
 * w_i (w_(i+1) + ... + w_d) / W: the clique on average, exact for d <= 2, and never more edges than
 * there were. So an edge record lives on: the one to the eliminated node becomes the new one. Nodes
 * of few neighbours go first.
 *
 * A large graph has a dense core, in which walks mix at once: eliminating it costs most of the time
 * and memory and gains little, and what makes eigenvalues small hangs on it in long chains of nodes
 * of few neighbours. So only some ends of edges are listed, those of the nodes with the fewest; the
 * core, which keeps the edges between its own nodes, is never eliminated and stays diagonal.
 *
 * With a shift the matrix is L - shift B. A node then has an excess s beside its weights, at first
 * -shift B, and a pivot a = W + s. Eliminating it joins its neighbours by w_i w_j / a, and its
 * excess goes to them in the same shares, w_i s / a each: the matrix that is left has the same
 * form. Without eigenvalues below the shift all pivots are positive (Sylvester's law of inertia).
 * One that is not says that the shift is too high, and the elimination begins again with a lower
 * one.
 */
#include "spectral_elimination.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

/* Nodes wait in queues by number of neighbours, above FINE one queue for each doubling. */
enum {
    FINE = 512,
    QUEUES = FINE + 64,
    THIN = 4,  /* nodes of at most so many neighbours are never in the core */
    TRIES = 3, /* shifts that are tried before none is, each half of the one before */
};
#define NONE UINT32_MAX /* no constant of an enum, which is an int */

/* A pivot that is a smaller share of its weights than this is not clearly positive. */
static const double FLOOR = 0.05;

/* Edge e has two ends, 2e and 2e + 1: each is in the list of the node that it leaves. */
typedef struct {
    uint32_t *first;          /* by node */
    uint32_t *next;           /* by end */
    uint32_t *target;         /* by end: the node across */
    double *weight;           /* by edge; 0: gone */
    int64_t *degree;          /* by node: live ends in its list */
    uint32_t *before, *after; /* by node: its queue */
    uint32_t queue[QUEUES];
    int lowest;
    int64_t queued; /* nodes outside the core */
    uint64_t *core; /* a bit for each node: whether it lies in the core; NULL: there is none */
    double *inner;  /* with a core, by its nodes: the weights of their edges within it */
} edge_lists;

typedef struct {
    double weight;
    uint32_t node, end;
} star_ray;

typedef struct {
    dgm_context *ctx;
    edge_lists lists;
    star_ray *rays;
    double *sums;
    int64_t *seen; /* by node: its ray in the present star, if rays[seen].node is it */
    int64_t count, room, sum_room;
    uint64_t seed;
    double *excess; /* by node; NULL: no shift */
    bool below;     /* a pivot was not positive: an eigenvalue lies below the shift */
    dgmi_spectral_elimination *out;
    int64_t neighbour_room, share_room;
} elimination_job;

static int queue_of(int64_t degree) {
    assert(degree >= 0);
    return degree < FINE ? (int)degree : FINE + 63 - __builtin_clzll((uint64_t)degree);
}

static void enqueue(edge_lists *lists, uint32_t node) {
    int queue = queue_of(lists->degree[node]);
    assert(queue < QUEUES);
    uint32_t head = lists->queue[queue];
    lists->before[node] = NONE;
    lists->after[node] = head;
    if (head != NONE)
        lists->before[head] = node;
    lists->queue[queue] = node;
    if (queue < lists->lowest)
        lists->lowest = queue;
}

static void dequeue(edge_lists *lists, uint32_t node) {
    uint32_t before = lists->before[node], after = lists->after[node];
    assert(before == NONE || lists->after[before] == node);
    assert(after == NONE || lists->before[after] == node);
    if (before != NONE)
        lists->after[before] = after;
    else
        lists->queue[queue_of(lists->degree[node])] = after;
    if (after != NONE)
        lists->before[after] = before;
}

static bool is_core(const edge_lists *lists, uint32_t node) {
    return lists->core && (lists->core[node / 64] >> node % 64 & 1);
}

static void change_degree(edge_lists *lists, uint32_t node, int64_t change) {
    if (is_core(lists, node) ||
        queue_of(lists->degree[node]) == queue_of(lists->degree[node] + change)) {
        lists->degree[node] += change;
        return;
    }
    dequeue(lists, node);
    lists->degree[node] += change;
    enqueue(lists, node);
}

static uint32_t take_lowest(edge_lists *lists) {
    while (lists->queue[lists->lowest] == NONE)
        lists->lowest++;
    assert(lists->lowest < QUEUES);
    uint32_t node = lists->queue[lists->lowest];
    dequeue(lists, node);
    return node;
}

static int64_t degree_of(const dgmi_spectral_adjacency *graph, int64_t node) {
    int64_t row = dgmi_spectral_adjacency_row(graph, node);
    return graph->offsets[row + 1] - graph->offsets[row];
}

/* The first queue of the core: the nodes of those before have at most `ends` ends of edges, or at
 * most THIN neighbours. QUEUES: there is no core. */
static int find_core(const dgmi_spectral_adjacency *graph, int64_t ends, int64_t *listed) {
    int64_t sums[QUEUES] = {0};
    int queue = 0;
    for (int64_t u = 0; u < graph->rows; u++)
        sums[queue_of(degree_of(graph, u))] += degree_of(graph, u);
    *listed = 0;
    for (; queue < QUEUES && (queue <= THIN || *listed + sums[queue] <= ends); queue++)
        *listed += sums[queue];
    return queue;
}

int64_t dgmi_spectral_elimination_listed(const dgmi_spectral_adjacency *graph, int64_t ends) {
    int64_t listed;
    find_core(graph, ends, &listed);
    return listed;
}

/* For each row what is kept, the lists' heads, queues and weights, and its excess; for each listed
 * end its share of an edge's record, the edge's other end, and two entries. */
double dgmi_spectral_elimination_bytes(const dgmi_spectral_adjacency *graph, int64_t ends) {
    enum { ROW = 20 + 48, END = 24 + 16 };
    return (double)ROW * (double)graph->rows +
           (double)END * (double)dgmi_spectral_elimination_listed(graph, ends);
}

static double weight_of(const dgmi_spectral_adjacency *graph, int64_t entry) {
    return graph->values ? graph->values[entry] : 1;
}

static double sum_of_row(const dgmi_spectral_adjacency *graph, int64_t node) {
    int64_t row = dgmi_spectral_adjacency_row(graph, node);
    double sum = 0;
    if (!graph->values)
        return (double)degree_of(graph, node);
    for (int64_t e = graph->offsets[row]; e < graph->offsets[row + 1]; e++)
        sum += graph->values[e];
    return sum;
}

/* Sets the core; returns the edges to list, those that do not lie within it. */
static int64_t part_core(const dgmi_spectral_adjacency *graph, int core, edge_lists *lists) {
    int64_t once = 0, twice = 0;
    lists->queued = 0;
    for (int64_t u = 0; u < graph->rows; u++) {
        bool inside = queue_of(degree_of(graph, u)) >= core;
        lists->core[u / 64] |= (uint64_t)inside << u % 64;
        lists->inner[u] = inside ? sum_of_row(graph, u) : 0;
        lists->queued += !inside;
    }
    for (int64_t u = 0; u < graph->rows; u++) {
        int64_t begin = graph->offsets[dgmi_spectral_adjacency_row(graph, u)];
        int64_t end = is_core(lists, (uint32_t)u) ? begin : begin + degree_of(graph, u);
        for (int64_t e = begin; e < end; e++) {
            uint32_t v = (uint32_t)dgmi_spectral_adjacency_column(graph, e);
            bool inside = is_core(lists, v);
            once += inside;
            twice += !inside;
            if (inside)
                lists->inner[v] -= weight_of(graph, e);
        }
    }
    return once + twice / 2;
}

/* Every edge outside the core, which is most of a large graph and is not looked at. */
static void list_edges(const dgmi_spectral_adjacency *graph, edge_lists *lists) {
    uint32_t end = 0;
    for (uint32_t u = 0; u < graph->rows; u++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, u);
        for (int64_t e = graph->offsets[row]; !is_core(lists, u) && e < graph->offsets[row + 1];
             e++) {
            uint32_t v = (uint32_t)dgmi_spectral_adjacency_column(graph, e);
            if (v < u && !is_core(lists, v))
                continue;
            lists->weight[end / 2] = weight_of(graph, e);
            lists->target[end] = v;
            lists->next[end] = lists->first[u];
            lists->first[u] = end++;
            lists->target[end] = u;
            lists->next[end] = lists->first[v];
            lists->first[v] = end++;
        }
    }
}

static dgm_status take_lists(dgm_context *ctx, const dgmi_spectral_adjacency *graph, int64_t ends,
                             edge_lists *lists) {
    int64_t n = graph->rows, edges = dgmi_spectral_adjacency_entries(graph) / 2, listed;
    int core = find_core(graph, ends, &listed);
    lists->queued = n;
    if (core < QUEUES) {
        lists->core = dgmi_scratch_zero(ctx, n / 64 + 1, sizeof *lists->core);
        lists->inner = dgmi_scratch(ctx, n, sizeof *lists->inner);
        if (!lists->core || !lists->inner)
            return DGM_ERROR_MEMORY;
        edges = part_core(graph, core, lists);
    }
    if (2 * edges >= NONE)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "eigenvectors of a graph that converges slowly need "
                         "fewer than 2147483647 edges; raise tolerance");
    lists->first = dgmi_scratch(ctx, n, sizeof *lists->first);
    lists->next = dgmi_scratch(ctx, 2 * edges, sizeof *lists->next);
    lists->target = dgmi_scratch(ctx, 2 * edges, sizeof *lists->target);
    lists->weight = dgmi_scratch(ctx, edges, sizeof *lists->weight);
    lists->degree = dgmi_scratch(ctx, n, sizeof *lists->degree);
    lists->before = dgmi_scratch(ctx, n, sizeof *lists->before);
    lists->after = dgmi_scratch(ctx, n, sizeof *lists->after);
    if (!lists->first || !lists->next || !lists->target || !lists->weight || !lists->degree ||
        !lists->before || !lists->after)
        return DGM_ERROR_MEMORY;
    return DGM_OK;
}

static void fill_lists(const dgmi_spectral_adjacency *graph, edge_lists *lists) {
    memset(lists->first, 0xff, (size_t)graph->rows * sizeof *lists->first);
    memset(lists->queue, 0xff, sizeof lists->queue);
    lists->lowest = QUEUES - 1;
    list_edges(graph, lists);
    for (int64_t u = graph->rows - 1; u >= 0; u--) {
        lists->degree[u] = degree_of(graph, u);
        if (!is_core(lists, (uint32_t)u))
            enqueue(lists, (uint32_t)u);
    }
}

/* The neighbours of a node, several edges to one of them summed into the first. */
static dgm_status gather_star(elimination_job *job, uint32_t node) {
    edge_lists *lists = &job->lists;
    job->count = 0;
    if (dgmi_reserve(job->ctx, (void **)&job->rays, &job->room, lists->degree[node] + 1,
                     sizeof *job->rays) != DGM_OK)
        return DGM_ERROR_MEMORY;
    for (uint32_t end = lists->first[node]; end != NONE; end = lists->next[end]) {
        double weight = lists->weight[end / 2];
        if (weight == 0)
            continue;
        uint32_t across = lists->target[end];
        int64_t ray = job->seen[across];
        if (ray < job->count && job->rays[ray].node == across) {
            job->rays[ray].weight += weight;
            lists->weight[end / 2] = 0;
            change_degree(lists, across, -1);
            continue;
        }
        job->seen[across] = job->count;
        job->rays[job->count++] = (star_ray){weight, across, end};
    }
    return DGM_OK;
}

static int lighter(const void *a, const void *b) {
    const star_ray *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void sort_star(star_ray *rays, int64_t count) {
    if (count > 16) {
        qsort(rays, (size_t)count, sizeof *rays, lighter);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        star_ray ray = rays[i];
        int64_t j = i;
        for (; j > 0 && lighter(&ray, &rays[j - 1]) < 0; j--)
            rays[j] = rays[j - 1];
        rays[j] = ray;
    }
}

/* The first ray above `i` at which the sums of weights pass the draw. */
static int64_t draw_ray(const elimination_job *job, int64_t i, double unit) {
    const double *sums = job->sums; /* sums[j]: of the weights before ray j */
    double at = sums[i + 1] + unit * (sums[job->count] - sums[i + 1]);
    int64_t low = i + 1, high = job->count - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sums[middle + 1] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The node's pivot; `sum` is that of its weights. */
static double pivot_of(elimination_job *job, uint32_t node, double sum) {
    double pivot = job->excess ? sum + job->excess[node] : sum;
    job->below = job->below || pivot < FLOOR * sum;
    return pivot;
}

/* The edge of ray i, to the eliminated node, becomes one between the nodes of rays i and j. */
static void move_edge(edge_lists *lists, const star_ray *i, const star_ray *j, double weight) {
    uint32_t end = i->end;
    lists->target[end ^ 1] = j->node; /* in the list of i's node already */
    lists->target[end] = i->node;
    lists->next[end] = lists->first[j->node];
    lists->first[j->node] = end;
    lists->weight[end / 2] = weight;
    change_degree(lists, j->node, 1);
}

static void pass_on_excess(elimination_job *job, double pivot) {
    double share = 1 - job->sums[job->count] / pivot;
    for (int64_t i = 0; job->excess && i < job->count; i++)
        job->excess[job->rays[i].node] += job->rays[i].weight * share;
}

static void join_neighbours(elimination_job *job, int64_t step, double pivot) {
    edge_lists *lists = &job->lists;
    for (int64_t i = 0; i + 1 < job->count; i++) {
        double weight = job->rays[i].weight * (job->sums[job->count] - job->sums[i + 1]) / pivot;
        double unit =
            i + 2 == job->count ? 0 : dgmi_random_unit(job->seed, (uint64_t)step, (uint64_t)i);
        move_edge(lists, &job->rays[i], &job->rays[draw_ray(job, i, unit)], weight);
    }
    if (job->count > 0) {
        const star_ray *last = &job->rays[job->count - 1];
        lists->weight[last->end / 2] = 0;
        change_degree(lists, last->node, -1);
    }
}

static dgm_status record_star(elimination_job *job, int64_t step, double pivot) {
    dgmi_spectral_elimination *out = job->out;
    int64_t need = out->entries + job->count;
    if (dgmi_reserve(job->ctx, (void **)&out->neighbours, &job->neighbour_room, need,
                     sizeof *out->neighbours) != DGM_OK ||
        dgmi_reserve(job->ctx, (void **)&out->shares, &job->share_room, need,
                     sizeof *out->shares) != DGM_OK)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < job->count; i++) {
        out->neighbours[out->entries + i] = job->rays[i].node;
        out->shares[out->entries + i] = (float)(job->rays[i].weight / pivot);
    }
    out->entries = need;
    out->offsets[step + 1] = need;
    out->pivots[step] = pivot > 0 ? 1 / pivot : 0;
    return DGM_OK;
}

static dgm_status eliminate(elimination_job *job, int64_t step, uint32_t node) {
    dgm_status status = gather_star(job, node);
    if (status != DGM_OK)
        return status;
    sort_star(job->rays, job->count);
    status = dgmi_reserve(job->ctx, (void **)&job->sums, &job->sum_room, job->count + 1,
                          sizeof *job->sums);
    if (status != DGM_OK)
        return status;
    double *sums = job->sums;
    sums[0] = 0;
    for (int64_t i = 0; i < job->count; i++)
        sums[i + 1] = sums[i] + job->rays[i].weight;
    double pivot = pivot_of(job, node, sums[job->count]);
    status = record_star(job, step, pivot);
    if (status != DGM_OK)
        return status;
    pass_on_excess(job, pivot);
    join_neighbours(job, step, pivot);
    return DGM_OK;
}

/* What is left once the entries are used up, and the core: diagonals of the remaining Laplacian. */
static void keep_diagonal(elimination_job *job, int64_t step, uint32_t node) {
    double total = is_core(&job->lists, node) ? fmax(job->lists.inner[node], 0) : 0;
    for (uint32_t end = job->lists.first[node]; end != NONE; end = job->lists.next[end])
        total += job->lists.weight[end / 2];
    total = pivot_of(job, node, total);
    job->out->offsets[step + 1] = job->out->entries;
    job->out->pivots[step] = total > 0 ? 1 / total : 0;
}

/* As far as pivots are positive. */
static dgm_status eliminate_all(elimination_job *job, int64_t most) {
    dgmi_spectral_elimination *out = job->out;
    uint32_t core = 0;
    out->entries = out->offsets[0] = 0;
    job->below = false;
    for (int64_t step = 0; step < out->rows && !job->below; step++) {
        bool outside = step < job->lists.queued;
        while (!outside && !is_core(&job->lists, core))
            core++;
        uint32_t node = outside ? take_lowest(&job->lists) : core++;
        dgm_status status = DGM_OK;
        out->order[step] = node;
        if (outside && out->entries < most)
            status = eliminate(job, step, node);
        else
            keep_diagonal(job, step, node);
        if (status == DGM_OK && step % (1 << 14) == 0)
            status = dgmi_progress(job->ctx, "approximating the inverse",
                                   (double)step / (double)out->rows);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* Steps instead of nodes, so that a solution walks through memory in order. */
static dgm_status number_by_step(dgm_context *ctx, dgmi_spectral_elimination *out) {
    uint32_t *step = dgmi_scratch(ctx, out->rows, sizeof *step);
    if (!step)
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < out->rows; p++)
        step[out->order[p]] = (uint32_t)p;
    for (int64_t e = 0; e < out->entries; e++)
        out->neighbours[e] = step[out->neighbours[e]];
    return DGM_OK;
}

/* Lowers the shift until no eigenvalue lies below it. */
static dgm_status eliminate_shifted(elimination_job *job, const dgmi_spectral_laplacian *laplacian,
                                    double shift, int64_t most) {
    const double *root = laplacian->root;
    int64_t rows = laplacian->graph.rows;
    double *excess = shift > 0 ? dgmi_scratch(job->ctx, rows, sizeof *excess) : NULL;
    dgm_status status = shift > 0 && !excess ? DGM_ERROR_MEMORY : DGM_OK;
    for (int tries = 0; status == DGM_OK; tries++) {
        double tried = tries < TRIES ? ldexp(shift, -tries) : 0;
        assert(excess || !(tried > 0));
        for (int64_t i = 0; excess && tried > 0 && i < rows; i++)
            excess[i] = root ? -tried * root[i] * root[i] : -tried;
        job->excess = tried > 0 ? excess : NULL;
        job->out->shift = tried;
        fill_lists(&laplacian->graph, &job->lists);
        status = eliminate_all(job, most);
        if (!job->below)
            break;
    }
    return status;
}

dgm_status dgmi_spectral_elimination_create(dgm_context *ctx,
                                            const dgmi_spectral_laplacian *laplacian, double shift,
                                            uint64_t seed, int64_t ends, int64_t most,
                                            dgmi_spectral_elimination *out) {
    const dgmi_spectral_adjacency *graph = &laplacian->graph;
    *out = (dgmi_spectral_elimination){.allocator = ctx->allocator, .rows = graph->rows};
    elimination_job job = {.ctx = ctx, .seed = seed, .out = out};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = take_lists(ctx, graph, ends, &job.lists);
    out->order = dgmi_alloc(ctx, graph->rows, sizeof *out->order);
    out->pivots = dgmi_alloc(ctx, graph->rows, sizeof *out->pivots);
    out->offsets = dgmi_alloc(ctx, graph->rows + 1, sizeof *out->offsets);
    job.seen = dgmi_scratch_zero(ctx, graph->rows, sizeof *job.seen);
    if (!out->order || !out->pivots || !out->offsets || !job.seen)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = eliminate_shifted(&job, laplacian, shift, most);
    if (status == DGM_OK)
        status = number_by_step(ctx, out);
    dgmi_free(ctx, job.rays);
    dgmi_free(ctx, job.sums);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK)
        dgmi_spectral_elimination_free(out);
    return status;
}

void dgmi_spectral_elimination_free(dgmi_spectral_elimination *elimination) {
    if (!elimination->allocator.resize)
        return;
    dgm_allocator allocator = elimination->allocator;
    dgmi_allocator_free(&allocator, elimination->order);
    dgmi_allocator_free(&allocator, elimination->pivots);
    dgmi_allocator_free(&allocator, elimination->offsets);
    dgmi_allocator_free(&allocator, elimination->neighbours);
    dgmi_allocator_free(&allocator, elimination->shares);
    *elimination = (dgmi_spectral_elimination){0};
}

/* Down: each node hands b on to its neighbours in shares. Up: x_p = b_p / W + sum of shares x. */
void dgmi_spectral_elimination_solve(const dgmi_spectral_elimination *elimination, double *x,
                                     double *space) {
    assert(elimination->rows >= 0 && x != space);
    const dgmi_spectral_elimination *m = elimination;
    for (int64_t p = 0; p < m->rows; p++)
        space[p] = x[m->order[p]];
    for (int64_t p = 0; p < m->rows; p++) {
        double b = space[p];
        for (int64_t e = m->offsets[p]; e < m->offsets[p + 1]; e++)
            space[m->neighbours[e]] += m->shares[e] * b;
        space[p] = b * m->pivots[p];
    }
    for (int64_t p = m->rows - 1; p >= 0; p--) {
        double sum = space[p];
        for (int64_t e = m->offsets[p]; e < m->offsets[p + 1]; e++)
            sum += m->shares[e] * space[m->neighbours[e]];
        space[p] = sum;
    }
    for (int64_t p = 0; p < m->rows; p++)
        x[m->order[p]] = space[p];
}
