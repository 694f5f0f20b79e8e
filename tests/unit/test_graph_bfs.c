/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over many sources against one plain search a source. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "graph_bfs.h"
#include "graph_search.h"

enum { MOST_SOURCES = 1100 };

typedef struct {
    int64_t nodes;
    double *sums, *squares, *farthest;
    int64_t *reached;
} found;

static double kernel(const void *argument, double distance) {
    return exp(-distance / *(const double *)argument);
}
static const double scale = 2.5;

static found make_found(int64_t nodes) {
    size_t room = (size_t)nodes + 1;
    return (found){nodes, calloc(room, sizeof(double)), calloc(room, sizeof(double)),
                   calloc(room, sizeof(double)), calloc(room, sizeof(int64_t))};
}

static void free_found(found f) {
    free(f.sums);
    free(f.squares);
    free(f.farthest);
    free(f.reached);
}

static dgmi_graph_sweep sweep_into(const found *f, const uint32_t *sources, int64_t count,
                                   double cutoff) {
    return (dgmi_graph_sweep){sources, count,      cutoff,     kernel,      &scale,
                              f->sums, f->squares, f->reached, f->farthest, "here"};
}

/* Shortens the distances across the arcs of one place; whether any became shorter. */
static bool relax(const dgmi_graph_patches *patches, int64_t p, double *distance) {
    bool changed = false;
    for (int64_t e = patches->out.offsets[p]; e < patches->out.offsets[p + 1]; e++) {
        double length = patches->out.lengths ? patches->out.lengths[e] : 1;
        double *there = &distance[patches->out.targets[e]];
        if (distance[p] + length < *there) {
            *there = distance[p] + length;
            changed = true;
        }
    }
    return changed;
}

/* Distances from one source by waves over all arcs (Bellman and Ford), until nothing changes. Waves
 * go up and down in turn, so that a long path takes a few of them whichever way it is numbered. */
static void slow_distances(const dgmi_graph_patches *patches, uint32_t source, double *distance) {
    int64_t nodes = patches->nodes;
    for (int64_t p = 0; p < nodes; p++)
        distance[p] = p == source ? 0 : INFINITY;
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t p = 0; p < nodes; p++)
            changed |= relax(patches, p, distance);
        for (int64_t p = nodes - 1; changed && p >= 0; p--)
            relax(patches, p, distance);
    }
}

static void slow_sweep(const dgmi_graph_patches *patches, const dgmi_graph_sweep *sweep) {
    double *distance = calloc((size_t)patches->nodes + 1, sizeof *distance);
    for (int64_t i = 0; i < sweep->count; i++) {
        slow_distances(patches, sweep->sources[i], distance);
        for (int64_t p = 0; p < patches->nodes; p++) {
            double d = distance[p];
            if (p == sweep->sources[i] || isinf(d) || d > sweep->cutoff)
                continue;
            sweep->sums[p] += kernel(&scale, d);
            sweep->squares[p] += kernel(&scale, d) * kernel(&scale, d);
            sweep->reached[p]++;
            sweep->farthest[p] = fmax(sweep->farthest[p], d);
        }
    }
    free(distance);
}

static void assert_same(const found *a, const found *b) {
    for (int64_t p = 0; p < a->nodes; p++) {
        assert_int_equal(a->reached[p], b->reached[p]);
        assert_near(a->farthest[p], b->farthest[p], 1e-12 * b->farthest[p]);
        assert_near(a->sums[p], b->sums[p], 1e-12 * b->sums[p]);
        assert_near(a->squares[p], b->squares[p], 1e-12 * b->squares[p]);
    }
}

static void assert_same_bytes(const found *a, const found *b) {
    size_t size = (size_t)a->nodes * sizeof(double);
    assert_memory_equal(a->sums, b->sums, size);
    assert_memory_equal(a->squares, b->squares, size);
    assert_memory_equal(a->farthest, b->farthest, size);
    assert_memory_equal(a->reached, b->reached, size);
}

/* Every `step`-th place from `first` on. */
static int64_t choose(const dgmi_graph_patches *patches, int64_t first, int64_t step,
                      uint32_t *sources) {
    int64_t count = 0;
    for (int64_t p = first; p < patches->nodes && count < MOST_SOURCES; p += step)
        sources[count++] = (uint32_t)p;
    return count;
}

static void compare_with_slow(const dgm_graph *graph, dgmi_graph_walk walk, bool weighted,
                              int64_t step, double cutoff) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches patches;
    assert_int_equal(
        dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH, walk, weighted, &patches),
        DGM_OK);
    uint32_t sources[MOST_SOURCES];
    int64_t count = choose(&patches, 0, step, sources);
    found fast = make_found(patches.nodes), slow = make_found(patches.nodes);
    found other = make_found(patches.nodes), single = make_found(patches.nodes);
    dgmi_graph_sweep sweep = sweep_into(&slow, sources, count, cutoff);
    slow_sweep(&patches, &sweep);
    if (!weighted) {
        sweep = sweep_into(&fast, sources, count, cutoff);
        assert_int_equal(dgmi_graph_bfs_sweep(ctx, &patches, &sweep), DGM_OK);
        assert_same(&fast, &slow);
        sweep = sweep_into(&single, sources, count, cutoff);
        assert_int_equal(dgmi_graph_search_sweep(ctx, &patches, &sweep), DGM_OK);
        assert_same(&single, &slow);
    }
    sweep = sweep_into(&other, sources, count, cutoff);
    assert_int_equal(dgmi_graph_dijkstra_sweep(ctx, &patches, &sweep), DGM_OK);
    assert_same(&other, &slow);
    free_found(fast);
    free_found(slow);
    free_found(other);
    free_found(single);
    dgmi_arena_release(ctx, hold);
}

static dgm_graph *generate(dgm_generator kind, int64_t nodes, int64_t edges, bool directed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph_options reading = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    reading.directed = directed;
    assert_int_equal(dgm_graph_generate(ctx, &options, &reading, &graph), DGM_OK);
    return graph;
}

static void sweeps_are_those_of_plain_searches(void **state) {
    (void)state;
    static const dgm_generator kinds[] = {DGM_GENERATE_SBM, DGM_GENERATE_RMAT, DGM_GENERATE_BA,
                                          DGM_GENERATE_WS, DGM_GENERATE_GRID};
    for (int64_t i = 0; i < COUNT(kinds); i++)
        for (int64_t edges = 150; edges <= 1500; edges *= 10) {
            dgm_graph *graph = generate(kinds[i], 300, edges, false);
            compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 1, INFINITY);
            compare_with_slow(graph, DGMI_GRAPH_WALK_AGAINST, false, 3, INFINITY);
            compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 2, 2);
            dgm_graph_free(graph);
        }
}

static void sweeps_go_along_or_against_directions(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 512, 1500, true);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 1, INFINITY);
    compare_with_slow(graph, DGMI_GRAPH_WALK_AGAINST, false, 1, INFINITY);
    compare_with_slow(graph, DGMI_GRAPH_WALK_AGAINST, false, 5, 3);
    dgm_graph_free(graph);
    graph = build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true},
                        0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    for (int reversed = 0; reversed < 2; reversed++) {
        dgmi_graph_patches patches;
        assert_int_equal(
            dgmi_graph_patches_make(ctx, graph, 8,
                                    reversed ? DGMI_GRAPH_WALK_AGAINST : DGMI_GRAPH_WALK_ALONG,
                                    false, &patches),
            DGM_OK);
        found f = make_found(3);
        dgmi_graph_sweep sweep = sweep_into(&f, (const uint32_t[]){0, 1, 2}, 3, INFINITY);
        assert_int_equal(dgmi_graph_bfs_sweep(ctx, &patches, &sweep), DGM_OK);
        for (int64_t p = 0; p < 3; p++)
            assert_int_equal(f.reached[p], reversed ? 2 - patches.node[p] : patches.node[p]);
        free_found(f);
    }
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

/* Both ways, a directed graph is as its undirected twin. */
static void sweeps_may_forget_directions(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 512, 1500, true);
    dgm_graph *twin = generate(DGM_GENERATE_RMAT, 512, 1500, false);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches both, plain;
    assert_int_equal(dgmi_graph_patches_make(ctx, graph, 64, DGMI_GRAPH_WALK_BOTH, false, &both),
                     DGM_OK);
    assert_int_equal(dgmi_graph_patches_make(ctx, twin, 64, DGMI_GRAPH_WALK_ALONG, false, &plain),
                     DGM_OK);
    uint32_t sources[512];
    for (uint32_t p = 0; p < 512; p++)
        sources[p] = p;
    found one = make_found(512), other = make_found(512);
    dgmi_graph_sweep sweep = sweep_into(&one, sources, 512, INFINITY);
    assert_int_equal(dgmi_graph_bfs_sweep(ctx, &both, &sweep), DGM_OK);
    sweep = sweep_into(&other, sources, 512, INFINITY);
    assert_int_equal(dgmi_graph_bfs_sweep(ctx, &plain, &sweep), DGM_OK);
    int64_t at[512];
    for (int64_t p = 0; p < 512; p++)
        at[plain.node[p]] = p;
    for (int64_t p = 0; p < 512; p++) {
        int64_t q = at[both.node[p]];
        assert_int_equal(one.reached[p], other.reached[q]);
        assert_near(one.farthest[p], other.farthest[q], 0);
        assert_near(one.sums[p], other.sums[q], 1e-12 * other.sums[q]);
    }
    compare_with_slow(graph, DGMI_GRAPH_WALK_BOTH, false, 1, INFINITY);
    free_found(one);
    free_found(other);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
    dgm_graph_free(twin);
}

/* Hundreds of levels: sources that lie apart are searched one by one. */
static void long_graphs_agree_too(void **state) {
    (void)state;
    uint32_t ends[2 * 2999];
    for (uint32_t u = 0; u < 2999; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = u % 1000 == 999 ? u : u + 1; /* three paths */
    }
    dgm_graph *graph = build_graph(NULL, 0, 2999, ends, NULL);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 37, INFINITY);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 7, 300);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 7, 4);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 500, INFINITY); /* few */
    dgm_graph_free(graph);
}

static void several_batches_and_many_arcs_agree_too(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_BA, 7000, 42000, false);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 12, INFINITY);
    dgm_graph_free(graph);
    graph = generate(DGM_GENERATE_WS, 1400, 2800, false);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 1, INFINITY);
    dgm_graph_free(graph);
}

static void lengths_are_followed(void **state) {
    (void)state;
    uint32_t ends[1000];
    double weights[500];
    uint64_t bits = 1;
    for (int i = 0; i < 500; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        ends[2 * i] = (uint32_t)(bits >> 33) % 200;
        ends[2 * i + 1] = (uint32_t)(bits >> 43) % 200;
        weights[i] = 0.1 + (double)(bits >> 50) / 1000;
    }
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = directed};
        dgm_graph *graph = build_graph(&options, 210, 500, ends, weights);
        compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, true, 1, INFINITY);
        compare_with_slow(graph, DGMI_GRAPH_WALK_AGAINST, true, 3, 12);
        dgm_graph_free(graph);
    }
}

/* The same sweep with any number of threads and any instruction set. */
static void bytes_do_not_depend_on_threads_or_instructions(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_BA, 9000, 60000, false);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches patches;
    uint32_t sources[MOST_SOURCES];
    assert_int_equal(dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH,
                                             DGMI_GRAPH_WALK_ALONG, false, &patches),
                     DGM_OK);
    int64_t count = choose(&patches, 1, 8, sources);
    found first = make_found(patches.nodes);
    dgmi_graph_sweep sweep = sweep_into(&first, sources, count, INFINITY);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_graph_bfs_sweep_by(ctx, &patches, &sweep, DGMI_GRAPH_BFS_PLAIN), DGM_OK);
    for (int code = DGMI_GRAPH_BFS_PLAIN; code <= DGMI_GRAPH_BFS_AVX512; code++)
        for (int threads = 1; threads <= 5 && dgmi_graph_bfs_runs(code); threads += 2) {
            found f = make_found(patches.nodes);
            sweep = sweep_into(&f, sources, count, INFINITY);
            dgm_context_set_threads(ctx, threads);
            assert_int_equal(dgmi_graph_bfs_sweep_by(ctx, &patches, &sweep, code), DGM_OK);
            assert_same_bytes(&f, &first);
            free_found(f);
        }
    dgm_context_set_threads(ctx, 0);
    free_found(first);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

typedef dgm_status (*sweeper)(dgm_context *, const dgmi_graph_patches *, const dgmi_graph_sweep *);

static void compare_borrowed(const dgm_graph *graph, dgmi_graph_walk walk, bool weighted,
                             sweeper sweep) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches moved, borrowed;
    assert_int_equal(
        dgmi_graph_patches_make_within(ctx, graph, 64, walk, weighted, INT64_MAX, &moved), DGM_OK);
    assert_int_equal(dgmi_graph_patches_make_within(ctx, graph, 64, walk, weighted, 0, &borrowed),
                     DGM_OK);
    assert_null(moved.out.place);
    assert_non_null(borrowed.out.place);
    uint32_t sources[MOST_SOURCES];
    int64_t count = choose(&moved, 1, 3, sources);
    found one = make_found(moved.nodes), other = make_found(moved.nodes);
    dgmi_graph_sweep into = sweep_into(&one, sources, count, INFINITY);
    assert_int_equal(sweep(ctx, &moved, &into), DGM_OK);
    into = sweep_into(&other, sources, count, INFINITY);
    assert_int_equal(sweep(ctx, &borrowed, &into), DGM_OK);
    assert_same_bytes(&one, &other);
    free_found(one);
    free_found(other);
    dgmi_arena_release(ctx, hold);
}

/* Arcs that stay where the graph has them lead to the same bytes. */
static void borrowed_arcs_are_walked_alike(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++)
        for (dgmi_graph_walk walk = DGMI_GRAPH_WALK_ALONG; walk <= DGMI_GRAPH_WALK_AGAINST;
             walk++) {
            dgm_graph *graph = generate(DGM_GENERATE_RMAT, 1024, 6000, directed);
            compare_borrowed(graph, walk, false, dgmi_graph_bfs_sweep);
            compare_borrowed(graph, walk, false, dgmi_graph_search_sweep);
            compare_borrowed(graph, walk, false, dgmi_graph_dijkstra_sweep);
            dgm_graph_free(graph);
        }
    uint32_t ends[1200];
    double weights[600];
    for (uint32_t i = 0; i < 600; i++) {
        ends[2 * i] = i * 7919 % 211;
        ends[2 * i + 1] = i * 104729 % 199;
        weights[i] = 0.5 + i % 13;
    }
    dgm_graph *graph =
        build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true}, 0,
                    600, ends, weights);
    compare_borrowed(graph, DGMI_GRAPH_WALK_AGAINST, true, dgmi_graph_dijkstra_sweep);
    dgm_graph_free(graph);
}

static void places_are_a_renumbering_by_components(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = generate(DGM_GENERATE_RMAT, 1024, 900, directed);
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_graph_patches patches;
        assert_int_equal(
            dgmi_graph_patches_make(ctx, graph, 64, DGMI_GRAPH_WALK_ALONG, false, &patches),
            DGM_OK);
        int64_t n = patches.nodes, components;
        uint32_t *component = calloc((size_t)n, sizeof *component);
        int64_t *place = calloc((size_t)n, sizeof *place);
        assert_int_equal(dgm_graph_components(ctx, graph, component, &components), DGM_OK);
        assert_int_equal(patches.components, components);
        for (int64_t p = 0; p < n; p++)
            place[patches.node[p]] += p + 1;
        for (int64_t p = 0; p < n; p++) {
            assert_int_equal(place[patches.node[p]], p + 1);
            assert_int_equal(patches.component[p], component[patches.node[p]]);
            assert_in_range(p, patches.starts[patches.component[p]],
                            patches.starts[patches.component[p] + 1] - 1);
        }
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        for (int64_t p = 0; p < n; p++) {
            int64_t u = patches.node[p], at = rows.offsets[u];
            for (int64_t e = patches.out.offsets[p]; e < patches.out.offsets[p + 1]; e++)
                assert_int_equal(patches.node[patches.out.targets[e]], rows.targets[at++]);
            assert_int_equal(at, rows.offsets[u + 1]);
        }
        free(component);
        free(place);
        dgmi_arena_release(ctx, hold);
        dgm_graph_free(graph);
    }
}

/* What the work on a lattice rests on: no node of a patch is farther from another than its size. */
static void patches_of_a_lattice_are_compact(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_GRID, 6400, 0, false);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches patches;
    assert_int_equal(
        dgmi_graph_patches_make(ctx, graph, 64, DGMI_GRAPH_WALK_ALONG, false, &patches), DGM_OK);
    int64_t wide = 0;
    for (int64_t p = 0; p + 64 <= 6400; p += 64)
        for (int64_t i = 1; i < 64; i++) {
            int64_t a = patches.node[p], b = patches.node[p + i];
            wide += llabs(a % 80 - b % 80) + llabs(a / 80 - b / 80) > 24;
        }
    assert_in_range(wide, 0, 640);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

static void no_nodes_and_no_sources_are_fine(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    compare_with_slow(graph, DGMI_GRAPH_WALK_ALONG, false, 1, INFINITY);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 3, 0, NULL, NULL);
    compare_with_slow(graph, DGMI_GRAPH_WALK_AGAINST, false, 1, INFINITY);
    dgm_graph_free(graph);
}

typedef struct {
    int calls, stop_at;
    double last;
} reports;

static bool report(void *user, const char *stage, double fraction) {
    reports *r = user;
    assert_string_equal(stage, "here");
    assert_true(fraction >= r->last && fraction <= 1);
    r->last = fraction;
    return ++r->calls != r->stop_at;
}

static void sweeps_report_and_stop(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 1100, 3000, false);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_patches patches;
    uint32_t sources[MOST_SOURCES];
    assert_int_equal(dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH,
                                             DGMI_GRAPH_WALK_ALONG, false, &patches),
                     DGM_OK);
    int64_t count = choose(&patches, 0, 1, sources);
    found f = make_found(patches.nodes);
    dgmi_graph_sweep sweep = sweep_into(&f, sources, count, INFINITY);
    reports r = {0, 0, 0};
    dgm_context_set_progress(ctx, report, &r);
    assert_int_equal(dgmi_graph_bfs_sweep(ctx, &patches, &sweep), DGM_OK);
    assert_int_equal(r.calls, 3);
    r = (reports){0, 2, 0};
    assert_int_equal(dgmi_graph_bfs_sweep(ctx, &patches, &sweep), DGM_ERROR_CANCELLED);
    assert_int_equal(r.calls, 2);
    dgm_context_resume(ctx);
    r = (reports){0, 5, 0};
    assert_int_equal(dgmi_graph_dijkstra_sweep(ctx, &patches, &sweep), DGM_ERROR_CANCELLED);
    assert_int_equal(r.calls, 5);
    dgm_context_resume(ctx);
    dgm_context_set_progress(ctx, NULL, NULL);
    free_found(f);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

static void lengths_must_be_above_zero(void **state) {
    (void)state;
    dgmi_graph_patches patches;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const double bad[] = {0, -2};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        const double weights[] = {1, bad[i]};
        dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, weights);
        assert_int_equal(
            dgmi_graph_patches_make(ctx, graph, 64, DGMI_GRAPH_WALK_ALONG, true, &patches),
            DGM_ERROR_DATA);
        ASSERT_HAS(dgm_context_error(ctx), "weights as lengths must be above 0; the edge from 1 to "
                                           "2 weighs ");
        assert_int_equal(
            dgmi_graph_patches_make(ctx, graph, 64, DGMI_GRAPH_WALK_ALONG, false, &patches),
            DGM_OK);
        dgm_graph_free(graph);
    }
    dgmi_arena_release(ctx, hold);
}

/* Places, nodes and components take 20 bytes for each node; a copy of arcs 8 for each node and 4
 * for each arc, or 12 with lengths. What is larger than `most` is borrowed. */
static void the_bytes_of_patches_follow_what_is_copied(void **state) {
    (void)state;
    static const struct {
        bool directed, weighted;
        dgmi_graph_walk walk;
        int64_t most;
        double copies;
    } cases[] = {
        {false, false, DGMI_GRAPH_WALK_ALONG, 100, 1}, {false, false, DGMI_GRAPH_WALK_ALONG, 99, 0},
        {false, true, DGMI_GRAPH_WALK_ALONG, 100, 1},  {true, false, DGMI_GRAPH_WALK_ALONG, 100, 3},
        {true, false, DGMI_GRAPH_WALK_AGAINST, 99, 1}, {true, true, DGMI_GRAPH_WALK_BOTH, 99, 3}};
    static const double weights[1];
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgm_graph_rows rows = {
            .nodes = 10, .entries = 100, .weights = weights, .directed = cases[i].directed};
        assert_near(dgmi_graph_patches_bytes(rows, cases[i].walk, cases[i].weighted, cases[i].most),
                    200 + cases[i].copies * (80 + (cases[i].weighted ? 1200 : 400)), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_those_of_plain_searches),
        cmocka_unit_test(sweeps_go_along_or_against_directions),
        cmocka_unit_test(sweeps_may_forget_directions),
        cmocka_unit_test(long_graphs_agree_too),
        cmocka_unit_test(several_batches_and_many_arcs_agree_too),
        cmocka_unit_test(lengths_are_followed),
        cmocka_unit_test(bytes_do_not_depend_on_threads_or_instructions),
        cmocka_unit_test(borrowed_arcs_are_walked_alike),
        cmocka_unit_test(places_are_a_renumbering_by_components),
        cmocka_unit_test(patches_of_a_lattice_are_compact),
        cmocka_unit_test(no_nodes_and_no_sources_are_fine),
        cmocka_unit_test(sweeps_report_and_stop),
        cmocka_unit_test(lengths_must_be_above_zero),
        cmocka_unit_test(the_bytes_of_patches_follow_what_is_copied),
    };
    return RUN_WITH_CONTEXT(tests);
}
