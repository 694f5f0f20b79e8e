/* SPDX-License-Identifier: Apache-2.0 */
/* The elimination step by step against a plain list of edges: who goes, which shares its neighbours
 * get, whom each of them joins, and what stays diagonal. */
#include "spectral_graphs.h"

#include "base_random.h"
#include "spectral_elimination.h"
#include "unit_progress.h"

enum { ALL = 1 << 30, NODES = 150, CORE = 30, EDGES = 1200, THIN = 4 };

/* ---- a graph ---- */

/* A core of many edges, and tails and bushes around it; weights differ. */
static known_graph bushes(bool normalised) {
    static bool joined[NODES][NODES];
    uint32_t ends[2 * EDGES];
    double weights[EDGES];
    int64_t count = 0;
    memset(joined, 0, sizeof joined);
    for (uint32_t u = 1; u < NODES; u++) {
        int64_t links = u < CORE ? 20 : 1 + u % 5;
        for (int64_t l = 0; l < links; l++) {
            uint64_t draw = (uint64_t)(u * 100 + l);
            uint32_t v = l == 0 ? u - 1 : (uint32_t)dgmi_random_below(3, 1, draw, u);
            if (joined[u][v])
                continue;
            joined[u][v] = true;
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
            weights[count++] = 0.5 + dgmi_random_unit(3, 2, draw);
        }
    }
    return take_graph(build_graph(NULL, NODES, count, ends, weights), normalised);
}

/* ---- the twin ---- */

typedef struct {
    uint32_t u, v;
    double weight; /* 0: gone */
} edge;

typedef struct {
    double weight;
    uint32_t node;
} ray;

typedef struct {
    int64_t count;
    edge edges[4 * EDGES];
    bool core[NODES], gone[NODES];
    double inner[NODES]; /* of a core's node: the weights of its edges within the core */
    double excess[NODES];
    int64_t step_of[NODES];
    int64_t entries, listed;
    bool below;
} twin;

static int64_t degree_at(const dgmi_spectral_adjacency *graph, int64_t u) {
    return graph->offsets[u + 1] - graph->offsets[u];
}

/* Nodes of the fewest neighbours lie outside the core, as long as they have `ends` ends together or
 * no more than four neighbours each. */
static void find_core(twin *t, const dgmi_spectral_adjacency *graph, int64_t ends) {
    bool outside = true;
    t->listed = 0;
    for (int64_t degree = 0; degree < NODES; degree++) {
        int64_t sum = 0;
        for (int64_t u = 0; u < graph->rows; u++)
            sum += degree_at(graph, u) == degree ? degree : 0;
        outside = outside && (degree <= THIN || t->listed + sum <= ends);
        t->listed += outside ? sum : 0;
        for (int64_t u = 0; u < graph->rows; u++)
            if (degree_at(graph, u) == degree)
                t->core[u] = !outside;
    }
}

static void open_twin(twin *t, const dgmi_spectral_laplacian *laplacian, int64_t ends,
                      double shift) {
    const dgmi_spectral_adjacency *graph = &laplacian->graph;
    memset(t, 0, sizeof *t);
    find_core(t, graph, ends);
    for (uint32_t u = 0; u < graph->rows; u++) {
        double root = laplacian->root ? laplacian->root[u] : 1;
        t->excess[u] = -shift * root * root;
        for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            uint32_t v = graph->columns[e];
            if (t->core[u] && t->core[v])
                t->inner[u] += graph->values[e];
            else if (v < u)
                t->edges[t->count++] = (edge){u, v, graph->values[e]};
        }
    }
}

static int64_t ends_at(const twin *t, uint32_t node) {
    int64_t ends = 0;
    for (int64_t e = 0; e < t->count; e++)
        ends += t->edges[e].weight > 0 && (t->edges[e].u == node || t->edges[e].v == node);
    return ends;
}

/* No node that is left has fewer ends of edges. */
static void assert_lowest(const twin *t, uint32_t node, int64_t rows) {
    int64_t own = ends_at(t, node);
    assert_false(t->gone[node] || t->core[node]);
    for (uint32_t u = 0; u < rows; u++)
        assert_true(t->gone[u] || t->core[u] || ends_at(t, u) >= own);
}

static int compare_rays(const void *a, const void *b) {
    const ray *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Takes the edges of a node away; several to one neighbour are one ray. */
static int64_t take_rays(twin *t, uint32_t node, ray *rays) {
    double weights[NODES] = {0};
    int64_t count = 0;
    for (int64_t e = 0; e < t->count; e++) {
        edge *at = &t->edges[e];
        if (at->u != node && at->v != node)
            continue;
        weights[at->u == node ? at->v : at->u] += at->weight;
        at->weight = 0;
    }
    for (uint32_t u = 0; u < NODES; u++)
        if (weights[u] > 0)
            rays[count++] = (ray){weights[u], u};
    qsort(rays, (size_t)count, sizeof *rays, compare_rays);
    return count;
}

static double pivot_of(twin *t, uint32_t node, double sum) {
    t->below = t->below || sum + t->excess[node] < 0.05 * sum;
    return sum + t->excess[node];
}

/* Each ray joins one of the heavier ones, drawn in proportion to its weight. */
static void join(twin *t, const ray *rays, int64_t count, uint64_t seed, int64_t step,
                 double pivot) {
    for (int64_t i = 0; i + 1 < count; i++) {
        double heavier = 0, passed = 0;
        for (int64_t j = i + 1; j < count; j++)
            heavier += rays[j].weight;
        double at = dgmi_random_unit(seed, (uint64_t)step, (uint64_t)i) * heavier;
        int64_t j = i + 1;
        for (; j + 1 < count && passed + rays[j].weight <= at; j++)
            passed += rays[j].weight;
        assert_true(t->count < COUNT(t->edges));
        t->edges[t->count++] = (edge){rays[i].node, rays[j].node, rays[i].weight * heavier / pivot};
    }
}

static void assert_pivot(const dgmi_spectral_elimination *out, int64_t step, double pivot) {
    double expected = pivot > 0 ? 1 / pivot : 0;
    assert_near(out->pivots[step], expected, 1e-9 * expected);
}

static void eliminate(twin *t, const dgmi_spectral_elimination *out, int64_t step, uint64_t seed) {
    ray rays[NODES];
    uint32_t node = out->order[step];
    int64_t count = take_rays(t, node, rays);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += rays[i].weight;
    double pivot = pivot_of(t, node, sum);
    assert_int_equal(out->offsets[step + 1] - out->offsets[step], count);
    assert_pivot(out, step, pivot);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(out->neighbours[t->entries + i], t->step_of[rays[i].node]);
        double share = rays[i].weight / pivot;
        assert_near(out->shares[t->entries + i], share, 1e-6 * share);
        t->excess[rays[i].node] += rays[i].weight * t->excess[node] / pivot;
    }
    t->entries += count;
    join(t, rays, count, seed, step, pivot);
}

static void keep(twin *t, const dgmi_spectral_elimination *out, int64_t step) {
    uint32_t node = out->order[step];
    double sum = t->inner[node];
    for (int64_t e = 0; e < t->count; e++)
        if (t->edges[e].u == node || t->edges[e].v == node)
            sum += t->edges[e].weight;
    assert_int_equal(out->offsets[step + 1], t->entries);
    assert_pivot(out, step, pivot_of(t, node, sum));
}

/* Whether the library did the same with that shift, as far as pivots are positive: false where one
 * is not. */
static bool follow(const dgmi_spectral_laplacian *laplacian, double shift, uint64_t seed,
                   int64_t ends, int64_t most, const dgmi_spectral_elimination *out) {
    static twin t;
    int64_t rows = laplacian->graph.rows, core = 0;
    open_twin(&t, laplacian, ends, shift);
    assert_int_equal(dgmi_spectral_elimination_listed(&laplacian->graph, ends), t.listed);
    for (int64_t step = 0; step < rows; step++)
        t.step_of[out->order[step]] = step;
    assert_int_equal(out->offsets[0], 0);
    for (int64_t u = 0; u < rows; u++)
        core += t.core[u];
    for (int64_t step = 0; step < rows; step++) {
        uint32_t node = out->order[step];
        if (step < rows - core)
            assert_lowest(&t, node, rows);
        else
            assert_true(t.core[node] && (step == rows - core || node > out->order[step - 1]));
        if (step < rows - core && t.entries < most)
            eliminate(&t, out, step, seed);
        else
            keep(&t, out, step);
        t.gone[node] = true;
        if (t.below)
            return false;
    }
    assert_int_equal(out->entries, t.entries);
    return true;
}

static void each_step_eliminates_one_node(void **state) {
    (void)state;
    static const struct {
        int64_t ends, most;
        uint64_t seed;
    } cases[] = {{ALL, ALL, 1}, {ALL, ALL, 7}, {ALL, 150, 1}, {150, ALL, 1},
                 {0, ALL, 1},   {0, 60, 1},    {0, 0, 1}};
    known_graph known = bushes(false);
    for (int64_t c = 0; c < COUNT(cases); c++) {
        dgmi_spectral_elimination out;
        assert_int_equal(dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, cases[c].seed,
                                                          cases[c].ends, cases[c].most, &out),
                         DGM_OK);
        assert_true(follow(&known.laplacian, 0, cases[c].seed, cases[c].ends, cases[c].most, &out));
        assert_true(out.shift == 0);
        dgmi_spectral_elimination_free(&out);
    }
    free_graph(&known);
}

/* A shift is halved twice where a pivot is not positive; the third is none. */
static void each_step_passes_its_excess_on(void **state) {
    (void)state;
    int64_t tries[4] = {0};
    for (int normalised = 0; normalised < 2; normalised++) {
        known_graph known = bushes(normalised);
        for (double shift = 0.002; shift < 4; shift *= 1.5) {
            dgmi_spectral_elimination out;
            assert_int_equal(
                dgmi_spectral_elimination_create(ctx, &known.laplacian, shift, 5, 0, ALL, &out),
                DGM_OK);
            int halved = out.shift == 0 ? 3 : (int)round(log2(shift / out.shift));
            assert_true(out.shift == (halved == 3 ? 0 : shift / (1 << halved)));
            assert_true(follow(&known.laplacian, out.shift, 5, 0, ALL, &out));
            tries[halved]++;
            dgmi_spectral_elimination_free(&out);
        }
        free_graph(&known);
    }
    for (int i = 0; i < 4; i++)
        assert_true(tries[i] > 0);
}

/* A path has two nodes of one end and others of two: those of at most four are always listed. */
static void ends_of_edges_are_counted(void **state) {
    (void)state;
    known_graph path = known_path(10, false, false), star = known_star(6, false);
    const dgmi_spectral_adjacency *two = &path.laplacian.graph, *six = &star.laplacian.graph;
    assert_int_equal(dgmi_spectral_elimination_listed(two, 0), 18);
    assert_int_equal(dgmi_spectral_elimination_listed(six, 12), 12);
    assert_int_equal(dgmi_spectral_elimination_listed(six, 11), 6);
    assert_near(dgmi_spectral_elimination_bytes(two, 0), 68 * 10 + 40 * 18, 0);
    assert_near(dgmi_spectral_elimination_bytes(six, 11), 68 * 7 + 40 * 6, 0);
    free_graph(&path);
    free_graph(&star);
}

/* Hubs of 512 ends and more wait in one queue for each doubling, behind all others. */
static void hubs_go_last(void **state) {
    (void)state;
    enum { HUBS = 3, LEAVES = 3000 };
    static const uint32_t share[HUBS] = {700, 2100, LEAVES}; /* leaves before these are a hub's */
    uint32_t ends[2 * (LEAVES + HUBS)];
    int64_t count = 0;
    for (uint32_t hub = 0; hub < HUBS; hub++)
        for (uint32_t leaf = hub ? share[hub - 1] : 0; leaf < share[hub]; leaf++, count++) {
            ends[2 * count] = hub;
            ends[2 * count + 1] = HUBS + leaf;
        }
    for (uint32_t hub = 0; hub < HUBS; hub++, count++) {
        ends[2 * count] = hub;
        ends[2 * count + 1] = (hub + 1) % HUBS;
    }
    known_graph known = take_graph(build_graph(NULL, 0, count, ends, NULL), false);
    const dgmi_spectral_adjacency *graph = &known.laplacian.graph;
    int64_t sizes[HUBS];
    for (int64_t hub = 0; hub < HUBS; hub++)
        sizes[hub] = graph->offsets[hub + 1] - graph->offsets[hub];
    assert_int_equal(sizes[0], 702);
    assert_int_equal(sizes[1], 1402);
    assert_int_equal(sizes[2], 902);
    /* 702 and 902 lie in one doubling: both are listed, or neither is */
    assert_int_equal(dgmi_spectral_elimination_listed(graph, LEAVES + 702 + 902), LEAVES + 1604);
    assert_int_equal(dgmi_spectral_elimination_listed(graph, LEAVES + 702 + 901), LEAVES);
    assert_int_equal(dgmi_spectral_elimination_listed(graph, 2 * count), 2 * count);
    dgmi_spectral_elimination out;
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, ALL, ALL, &out),
                     DGM_OK);
    assert_int_equal(out.entries, LEAVES + 2 + 1); /* of the hubs, the second has one edge left */
    for (int64_t step = LEAVES; step < LEAVES + HUBS; step++)
        assert_in_range(out.order[step], 0, HUBS - 1);
    dgmi_spectral_elimination_free(&out);
    free_graph(&known);
}

static void every_sixteen_thousandth_step_is_reported(void **state) {
    (void)state;
    known_graph path = known_path(20000, false, false);
    dgmi_spectral_elimination out;
    hear_progress();
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &path.laplacian, 0, 1, ALL, ALL, &out),
                     DGM_OK);
    hear_no_more();
    assert_int_equal(heard_count, 2);
    assert_int_equal(reports_of("approximating the inverse"), 2);
    assert_true(heard_reports[0].fraction == 0);
    assert_true(heard_reports[1].fraction == 16384.0 / 20000);
    dgmi_spectral_elimination_free(&out);
    free_graph(&path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_step_eliminates_one_node),
        cmocka_unit_test(each_step_passes_its_excess_on),
        cmocka_unit_test(ends_of_edges_are_counted),
        cmocka_unit_test(hubs_go_last),
        cmocka_unit_test(every_sixteen_thousandth_step_is_reported),
    };
    return RUN_WITH_CONTEXT(tests);
}
