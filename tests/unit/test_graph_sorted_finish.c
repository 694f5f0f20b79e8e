/* SPDX-License-Identifier: Apache-2.0 */
/* Where rows need no work they are taken as they are, and where they need some, they are not: the
 * short cut is taken exactly where its rule says. How weights are brought to an ordinary size. */
#include "unit_fixture.h"

#include <math.h>

#include "base_memory.h"
#include "base_random.h"
#include "graph_graph.h"
#include "graph_scale.h"
#include "graph_sorted.h"

enum { NODES = 7, MOST = NODES * NODES };

typedef struct {
    int64_t count;
    uint32_t sources[MOST], targets[MOST];
    double weights[MOST];
} list;

/* Whether the entries, in the order of their sources, are rows that ascend without repeats, and
 * mirror each other unless the graph is directed. */
static bool are_plain(const list *l, bool directed, bool weighted) {
    for (int64_t i = 0; i < l->count; i++) {
        bool mirrored = directed;
        if (i > 0 && l->sources[i] == l->sources[i - 1] && l->targets[i] <= l->targets[i - 1])
            return false;
        for (int64_t j = 0; j < l->count; j++)
            mirrored =
                mirrored || (l->sources[j] == l->targets[i] && l->targets[j] == l->sources[i] &&
                             (!weighted || l->weights[j] == l->weights[i]));
        if (!mirrored)
            return false;
    }
    return true;
}

static void add(list *l, uint32_t u, uint32_t v, double weight) {
    l->sources[l->count] = u;
    l->targets[l->count] = v;
    l->weights[l->count++] = weight;
}

/* A symmetric matrix, with one thing that is wrong or none. */
static list draw_list(dgmi_random *random) {
    double cells[NODES][NODES] = {{0}};
    list l = {.count = 0};
    for (int u = 0; u < NODES; u++)
        for (int v = u; v < NODES; v++)
            if (dgmi_random_next_below(random, 3) == 0)
                cells[u][v] = cells[v][u] = 1 + (double)dgmi_random_next_below(random, 2);
    uint64_t u = dgmi_random_next_below(random, NODES), v = dgmi_random_next_below(random, NODES);
    uint64_t wrong = dgmi_random_next_below(random, 4);
    if (wrong == 1)
        cells[u][v] = 0;
    if (wrong == 2)
        cells[u][v] = 3;
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 0; j < NODES; j++)
            if (cells[i][j] > 0)
                add(&l, i, j, cells[i][j]);
    if (wrong == 3 && l.count > 1) {
        int64_t at = 1 + (int64_t)dgmi_random_next_below(random, (uint64_t)l.count - 1);
        uint32_t target = l.targets[at];
        l.targets[at] = l.targets[at - 1];
        l.targets[at - 1] = target;
    }
    return l;
}

static void the_short_cut_is_taken_where_rows_are_plain(void **state) {
    (void)state;
    int taken_count = 0, left_count = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        dgmi_random random = {11, k, 0};
        const bool directed = k % 2, weighted = k / 2 % 2, keep_loops = k / 4 % 2;
        list l = draw_list(&random);
        dgmi_graph_sorted sorted = {.on = true};
        int64_t taken, loops = 0;
        bool done;
        dgm_graph *graph = dgmi_alloc_zero(ctx, 1, sizeof *graph);
        graph->allocator = (dgm_allocator){0};
        graph->nodes = NODES;
        graph->directed = directed;
        assert_int_equal(dgmi_graph_sorted_add(ctx, &sorted, l.count, l.sources, &taken), DGM_OK);
        assert_int_equal(taken, l.count);
        assert_int_equal(dgmi_graph_sorted_fill_targets(ctx, &sorted, l.count, l.targets), DGM_OK);
        if (weighted)
            assert_int_equal(dgmi_graph_sorted_fill_weights(ctx, &sorted, l.count, l.weights),
                             DGM_OK);
        assert_int_equal(dgmi_graph_sorted_finish(ctx, &sorted, graph, keep_loops, &done), DGM_OK);
        assert_int_equal(done, l.count > 0 && are_plain(&l, directed, weighted));
        for (int64_t i = 0; i < l.count; i++)
            loops += l.sources[i] == l.targets[i];
        if (done) {
            int64_t kept = l.count - (keep_loops ? 0 : loops);
            assert_int_equal(graph->entries, kept);
            assert_int_equal(graph->counts.loops_dropped, keep_loops ? 0 : loops);
            assert_int_equal(graph->counts.loops_kept, keep_loops ? loops : 0);
            assert_int_equal(graph->counts.edges, directed     ? kept
                                                  : keep_loops ? (kept - loops) / 2 + loops
                                                               : kept / 2);
        }
        taken_count += done;
        left_count += !done;
        dgmi_graph_sorted_free(ctx, &sorted);
        dgmi_free(ctx, graph->offsets);
        dgmi_free(ctx, graph->targets);
        dgmi_free(ctx, graph->weights);
        dgmi_free(ctx, graph);
    }
    assert_true(taken_count > 500 && left_count > 500);
}

/* Without all of its targets, or with weights for some of them, nothing is taken. */
static void entries_without_targets_are_left(void **state) {
    (void)state;
    static const uint32_t sources[] = {0, 1}, targets[] = {1, 0};
    static const double weights[] = {2, 2};
    for (int64_t filled = 0; filled <= 2; filled++)
        for (int64_t weighed = 0; weighed <= 2; weighed++) {
            dgmi_graph_sorted sorted = {.on = true};
            dgm_graph graph = {.nodes = 2};
            int64_t taken;
            bool done;
            assert_int_equal(dgmi_graph_sorted_add(ctx, &sorted, 2, sources, &taken), DGM_OK);
            if (filled)
                assert_int_equal(dgmi_graph_sorted_fill_targets(ctx, &sorted, filled, targets),
                                 DGM_OK);
            if (weighed)
                assert_int_equal(dgmi_graph_sorted_fill_weights(ctx, &sorted, weighed, weights),
                                 DGM_OK);
            assert_int_equal(dgmi_graph_sorted_finish(ctx, &sorted, &graph, false, &done), DGM_OK);
            assert_int_equal(done, filled == 2 && weighed != 1);
            dgmi_graph_sorted_free(ctx, &sorted);
            dgmi_free(ctx, graph.offsets);
            dgmi_free(ctx, graph.targets);
            dgmi_free(ctx, graph.weights);
        }
}

/* Sources are taken while they do not fall. */
static void sources_are_taken_while_they_do_not_fall(void **state) {
    (void)state;
    static const uint32_t sources[] = {0, 0, 2, 2, 2, 1, 3};
    dgmi_graph_sorted sorted = {.on = true};
    int64_t taken;
    assert_int_equal(dgmi_graph_sorted_add(ctx, &sorted, COUNT(sources), sources, &taken), DGM_OK);
    assert_int_equal(taken, 5);
    assert_int_equal(sorted.run_count, 2);
    assert_int_equal(sorted.runs[0].end, 2);
    assert_int_equal(sorted.runs[1].end, 5);
    assert_int_equal(dgmi_graph_sorted_add(ctx, &sorted, 1, &(uint32_t){2}, &taken), DGM_OK);
    assert_int_equal(taken, 1); /* one more of the last */
    assert_int_equal(sorted.run_count, 2);
    assert_int_equal(sorted.runs[1].end, 6);
    assert_int_equal(sorted.entries, 6);
    dgmi_graph_sorted_free(ctx, &sorted);
}

/* ---- the size of weights ---- */

/* Weights up to 2^20 and down to 2^-21 are ordinary; others are brought to below 1. */
static void weights_of_another_size_are_brought_to_an_ordinary_one(void **state) {
    (void)state;
    static const struct {
        double largest;
        int exponent;
    } wanted[] = {{0, 0},       {1, 0},           {1048575, 0},  {1048576, 21},
                  {0x1p-21, 0}, {0x1.8p-22, -21}, {0x1p300, 301}};
    static const int64_t offsets[] = {0, 1, 3};
    static const uint32_t targets[] = {1, 0, 1};
    for (int64_t k = 0; k < COUNT(wanted); k++)
        for (int place = 0; place < 3; place++) {
            double weights[3] = {0.25 * wanted[k].largest, 0, 0.5 * wanted[k].largest};
            weights[place] = place == 1 ? -wanted[k].largest : wanted[k].largest;
            dgm_graph_rows rows = {2, 3, offsets, targets, weights, true};
            int exponent;
            dgmi_hold hold = dgmi_arena_hold(ctx);
            assert_int_equal(dgmi_graph_weights_exponent(rows), wanted[k].exponent);
            assert_int_equal(dgmi_graph_weights_scale(ctx, &rows, &exponent), DGM_OK);
            assert_int_equal(exponent, wanted[k].exponent);
            for (int e = 0; e < 3; e++)
                assert_near(rows.weights[e], ldexp(weights[e], -exponent), 0);
            dgmi_arena_release(ctx, hold);
        }
    assert_int_equal(
        dgmi_graph_weights_exponent((dgm_graph_rows){2, 3, offsets, targets, NULL, true}), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_cut_is_taken_where_rows_are_plain),
        cmocka_unit_test(entries_without_targets_are_left),
        cmocka_unit_test(sources_are_taken_while_they_do_not_fall),
        cmocka_unit_test(weights_of_another_size_are_brought_to_an_ordinary_one),
    };
    return RUN_WITH_CONTEXT(tests);
}
