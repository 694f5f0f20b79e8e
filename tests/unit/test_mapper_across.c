/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of one component that are joined by taking nodes across edges. */
#include "mapper_sample.h"

#include "base_memory.h"
#include "mapper_stages.h"
#include "unit_faults.h"

#include "../check_random.h"

static dgm_mapper_options joining(int64_t intervals, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    options.pieces = DGM_PIECES_JOINED;
    return options;
}

static int64_t count_components(const dgm_graph *graph) {
    int64_t count;
    uint32_t *component = calloc((size_t)dgm_graph_nodes(graph) + 1, sizeof *component);
    assert_int_equal(dgm_graph_components(ctx, graph, component, &count), DGM_OK);
    free(component);
    return count;
}

/* Two triangles, joined by the edge 2-3, far apart in the lens. */
static void the_far_end_of_an_edge_is_taken_into_a_cell(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 0, 2, 1, 2, 2, 3, 3, 4, 3, 5, 4, 5};
    const double lens[] = {0, 0, 0, 1, 1, 1};
    dgm_graph *graph = build_graph(NULL, 6, 7, ends, NULL);
    dgm_mapper_options options = joining(2, 0);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1 2 3|3 4 5");
    assert_edges(summary, "0-1 1/3/0 1");
    assert_int_equal(dgm_summary_get_coverage(summary).taken, 1);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 7);
    assert_int_equal(dgm_summary_get_topology(summary).b0, 1);
    dgm_summary_free(summary);
    options.pieces = DGM_PIECES_APART;
    summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1 2|3 4 5");
    assert_int_equal(dgm_summary_get_coverage(summary).taken, 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* The smaller piece's end moves: node 4 alone goes to the triangle, and not the triangle to it. */
static void the_end_in_the_smaller_piece_moves(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 0, 2, 1, 2, 2, 4, 3, 0};
    const double lens[] = {0, 0, 0, 0, 1};
    dgm_graph *graph = build_graph(NULL, 5, 5, ends, NULL);
    dgm_mapper_options options = joining(2, 0);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1 2 3 4|4");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* The centre of a star lies in one cell and its leaves in another: it goes there once, where else
 * each leaf would come to it. */
static void the_centre_of_a_star_goes_to_its_leaves(void **state) {
    (void)state;
    uint32_t ends[20];
    double lens[11] = {0};
    for (uint32_t i = 0; i < 10; i++) {
        ends[2 * i] = 0;
        ends[2 * i + 1] = i + 1;
        lens[i + 1] = 1;
    }
    dgm_graph *graph = build_graph(NULL, 11, 10, ends, NULL);
    dgm_mapper_options options = joining(2, 0);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0|0 1 2 3 4 5 6 7 8 9 10");
    assert_int_equal(dgm_summary_get_coverage(summary).taken, 1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void nodes_outside_the_cover_stay_there(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    const double lens[] = {0, 0, 5, 1};
    static const dgm_interval given[] = {{-1, 0.5}, {0.5, 2}};
    dgm_graph *graph = build_graph(NULL, 4, 3, ends, NULL);
    dgm_mapper_options options = joining(2, 0);
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1|3");
    assert_int_equal(dgm_summary_get_coverage(summary).filtered_cover, 1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

enum { MOST = 300 };

/* A tree, or with more edges a graph of several components. */
static dgm_graph *draw_graph(check_random *random, int nodes, bool tree, bool directed) {
    static uint32_t ends[4 * MOST];
    int64_t edges = 0;
    for (int i = 1; i < nodes; i++)
        if (tree || check_random_chance(random, 0.9)) {
            ends[2 * edges] = (uint32_t)i;
            ends[2 * edges++ + 1] = (uint32_t)check_random_below(random, i);
        }
    for (int i = 0; !tree && i < nodes / 2; i++) {
        ends[2 * edges] = (uint32_t)check_random_below(random, nodes);
        ends[2 * edges++ + 1] = (uint32_t)check_random_below(random, nodes);
    }
    dgm_graph_options reading = DGM_GRAPH_OPTIONS_INIT;
    reading.directed = directed;
    return build_graph(&reading, nodes, edges, ends, NULL);
}

/* What was there before is there still, and no member twice. */
static void assert_extends(const dgm_summary *joined, const dgm_summary *apart) {
    dgm_summary_clusters a = dgm_summary_get_clusters(joined), b = dgm_summary_get_clusters(apart);
    for (int64_t c = 0; c < a.count; c++)
        for (int64_t i = a.offsets[c] + 1; i < a.offsets[c + 1]; i++)
            assert_true(a.members[i - 1] < a.members[i]);
    int64_t more = a.offsets[a.count] - b.offsets[b.count];
    assert_int_equal(more, dgm_summary_get_coverage(joined).taken);
}

static void a_graph_has_as_many_pieces_as_components_whatever_its_lens(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 1, number);
        int nodes = check_random_between(&random, 1, MOST);
        bool tree = number % 2;
        dgm_graph *graph = draw_graph(&random, nodes, tree, number % 3 == 0);
        double lens[MOST];
        for (int u = 0; u < nodes; u++)
            lens[u] = check_random_unit(&random);
        dgm_mapper_options options =
            joining(check_random_between(&random, 1, 40), 0.6 * check_random_unit(&random));
        dgm_summary *summary = map_graph(graph, 1, lens, &options);
        options.pieces = DGM_PIECES_APART;
        dgm_summary *apart = map_graph(graph, 1, lens, &options);
        assert_int_equal(dgm_summary_get_topology(summary).b0, count_components(graph));
        assert_extends(summary, apart);
        if (tree) {
            int64_t cut = dgm_summary_get_topology(apart).b0 - 1;
            assert_int_equal(dgm_summary_get_topology(summary).b1, 0);
            assert_true(dgm_summary_get_coverage(summary).taken <= cut);
            assert_true((dgm_summary_get_coverage(summary).taken > 0) == (cut > 0));
        }
        dgm_summary_free(apart);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

/* ---- the same by the plainest means ---- */

enum { NODES = 40, CELLS = 9 };

/* Which cells nodes lie in, before and after; and the pieces, as the smallest node of each. */
typedef struct {
    int nodes;
    const dgm_graph_rows *rows;
    bool was[NODES][CELLS], is[NODES][CELLS];
    int piece[NODES];
} plain;

static bool has_cell(const plain *p, int u) {
    for (int c = 0; c < CELLS; c++)
        if (p->was[u][c])
            return true;
    return false;
}

static bool meet(const plain *p, int u, int v) {
    for (int c = 0; c < CELLS; c++)
        if (p->is[u][c] && p->is[v][c])
            return true;
    return false;
}

static int piece_size(const plain *p, int u) {
    int size = 0;
    for (int v = 0; v < p->nodes; v++)
        size += p->piece[v] == p->piece[u];
    return size;
}

static void unite(plain *p, int u, int v) {
    int from = p->piece[u], to = p->piece[v];
    for (int w = 0; w < p->nodes; w++)
        p->piece[w] = p->piece[w] == from ? to : p->piece[w];
}

/* The cell with the most neighbours, the first of equals. */
static int home_of(const plain *p, int u) {
    int best = -1, most = -1;
    for (int c = 0; c < CELLS; c++) {
        int here = 0;
        for (int64_t e = p->rows->offsets[u]; e < p->rows->offsets[u + 1]; e++)
            here += p->was[p->rows->targets[e]][c];
        if (p->was[u][c] && here > most) {
            most = here;
            best = c;
        }
    }
    return best;
}

static bool joins_many(const plain *p, int u, int cell) {
    int there = 0, known = 0;
    for (int64_t e = p->rows->offsets[u]; e < p->rows->offsets[u + 1]; e++) {
        uint32_t v = p->rows->targets[e];
        there += p->is[v][cell];
        known += p->is[v][cell] && p->piece[v] == p->piece[u];
    }
    return there >= DGM_DUST_SIZE && known == 0;
}

static void join_plainly(plain *p, int u, int v) {
    if (p->piece[u] == p->piece[v] || !has_cell(p, u) || !has_cell(p, v))
        return;
    if (!meet(p, u, v)) {
        int small = piece_size(p, u) < piece_size(p, v) ? u : v, large = u + v - small;
        if (joins_many(p, large, home_of(p, small)))
            p->is[large][home_of(p, small)] = true;
        else
            p->is[small][home_of(p, large)] = true;
    }
    unite(p, u, v);
}

static void go_across_plainly(plain *p) {
    const dgm_graph_rows *rows = p->rows;
    memcpy(p->is, p->was, sizeof p->is);
    for (int u = 0; u < p->nodes; u++)
        p->piece[u] = u;
    for (int u = 0; u < p->nodes; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            if (meet(p, u, (int)rows->targets[e]))
                unite(p, u, (int)rows->targets[e]);
    for (int u = 0; u < p->nodes; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            join_plainly(p, u, (int)rows->targets[e]);
}

/* The slots of the cells that nodes lie in; `offsets` and the others have room for all. */
static dgmi_mapper_pullback pull_back(const plain *p, uint32_t *offsets, uint32_t *cell,
                                      uint32_t *node) {
    uint32_t used = 0;
    for (int u = 0; u < p->nodes; u++) {
        offsets[u] = used;
        for (uint32_t c = 0; c < CELLS; c++)
            if (p->was[u][c]) {
                cell[used] = c;
                node[used++] = (uint32_t)u;
            }
    }
    offsets[p->nodes] = used;
    return (dgmi_mapper_pullback){.nodes = p->nodes,
                                  .slots = used,
                                  .cells = CELLS,
                                  .axes = 1,
                                  .offsets = offsets,
                                  .cell = cell,
                                  .node = node};
}

static void assert_slots(const plain *p, const dgmi_mapper_pullback *found) {
    int64_t s = 0, taken = 0;
    for (int u = 0; u < p->nodes; u++) {
        assert_int_equal(found->offsets[u], s);
        for (uint32_t c = 0; c < CELLS; c++) {
            if (!p->is[u][c])
                continue;
            assert_true(s < found->slots);
            assert_int_equal(found->cell[s], c);
            assert_int_equal(found->node[s], u);
            if (!p->was[u][c]) {
                assert_true(taken < found->taken_count);
                assert_int_equal(found->taken[taken++], s);
            }
            s++;
        }
    }
    assert_int_equal(found->offsets[p->nodes], s);
    assert_int_equal(found->slots, s);
    assert_int_equal(found->taken_count, taken);
    for (uint32_t c = 0; taken && c < CELLS; c++)
        for (int64_t i = found->cell_start[c]; i < found->cell_start[c + 1]; i++) {
            assert_int_equal(found->cell[found->by_cell[i]], c);
            assert_true(i == found->cell_start[c] || found->by_cell[i - 1] < found->by_cell[i]);
        }
}

static void nodes_go_where_the_plainest_way_takes_them(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    static plain p;
    for (int number = 0; number < 600; number++) {
        check_random random = check_random_case(seed, 4, number);
        p.nodes = check_random_between(&random, 1, NODES);
        bool star = number % 3 == 0; /* where centres go to their leaves */
        dgm_graph *graph = draw_graph(&random, p.nodes, number % 2, number % 5 == 0);
        if (star) {
            static uint32_t ends[2 * NODES];
            for (int i = 1; i < p.nodes; i++) {
                ends[2 * i - 2] = (uint32_t)i;
                ends[2 * i - 1] = (uint32_t)(i < 4 ? 0 : check_random_below(&random, 4));
            }
            dgm_graph_free(graph);
            graph = build_graph(NULL, p.nodes, p.nodes - 1, ends, NULL);
        }
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        double more = 0.3 * check_random_unit(&random);
        int cells = check_random_between(&random, 2, CELLS);
        p.rows = &rows;
        memset(p.was, 0, sizeof p.was);
        for (int u = 0; u < p.nodes; u++) {
            p.was[u][check_random_below(&random, cells)] = !check_random_chance(&random, 0.05);
            for (int c = 0; c < cells; c++)
                p.was[u][c] |= check_random_chance(&random, more);
        }
        uint32_t offsets[NODES + 1], cell[NODES * CELLS], node[NODES * CELLS];
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_mapper_pullback pullback = pull_back(&p, offsets, cell, node);
        assert_int_equal(dgmi_mapper_across(ctx, rows, &pullback), DGM_OK);
        go_across_plainly(&p);
        assert_slots(&p, &pullback);
        dgmi_arena_release(ctx, hold);
        dgm_graph_free(graph);
    }
}

/* A hub, some leaves that have a cell each, and ten more that share one. To see whether the hub
 * should move costs as much as it has neighbours, so it is tried 64 times. */
static int64_t taken_by_a_hub(uint32_t alone) {
    uint32_t ends[2 * 80], nodes = alone + 11;
    double lens[81] = {0};
    for (uint32_t i = 1; i < nodes; i++) {
        ends[2 * i - 2] = 0;
        ends[2 * i - 1] = i;
        lens[i] = i <= alone ? i : alone + 1;
    }
    dgm_graph *graph = build_graph(NULL, nodes, nodes - 1, ends, NULL);
    dgm_mapper_options options = joining(alone + 2, 0);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    int64_t taken = dgm_summary_get_coverage(summary).taken;
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return taken;
}

static void a_hub_is_tried_64_times(void **state) {
    (void)state;
    assert_int_equal(taken_by_a_hub(10), 10 + 1);
    assert_int_equal(taken_by_a_hub(63), 63 + 1);
    assert_int_equal(taken_by_a_hub(64), 64 + 10);
}

/* The stages that a mapper keeps are made anew where this changes. */
static void a_mapper_that_is_told_later_gives_the_same(void **state) {
    (void)state;
    check_random random = check_random_case(1, 2, 3);
    dgm_graph *graph = draw_graph(&random, 100, true, false);
    double values[100];
    for (int u = 0; u < 100; u++)
        values[u] = check_random_unit(&random);
    dgm_matrix *lens = build_matrix(100, 1, values);
    dgm_mapper *mapper;
    dgm_mapper_options options = joining(5, 0.2);
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    for (int turn = 0; turn < 4; turn++) {
        dgm_summary *kept;
        options.pieces = turn % 2 ? DGM_PIECES_JOINED : DGM_PIECES_APART;
        assert_int_equal(dgm_mapper_summarise(ctx, mapper, &options, &kept), DGM_OK);
        assert_true((dgm_summary_get_topology(kept).b0 == 1) == (turn % 2 == 1));
        dgm_summary_free(kept);
    }
    dgm_mapper_free(mapper);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static dgm_status map_poorly(dgm_context *own, void *graph) {
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_mapper_options options = joining(6, 0.1);
    dgm_status status = dgm_matrix_create(own, dgm_graph_nodes(graph), 1, &lens);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(lens)[u] = (double)(u * u % 17);
    if (status == DGM_OK)
        status = dgm_mapper_run(own, graph, lens, &options, &summary);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void failing_allocations_leave_nothing(void **state) {
    (void)state;
    check_random random = check_random_case(1, 3, 1);
    dgm_graph *graph = draw_graph(&random, 30, true, false);
    fail_each_allocation(map_poorly, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_far_end_of_an_edge_is_taken_into_a_cell),
        cmocka_unit_test(the_end_in_the_smaller_piece_moves),
        cmocka_unit_test(the_centre_of_a_star_goes_to_its_leaves),
        cmocka_unit_test(nodes_outside_the_cover_stay_there),
        cmocka_unit_test(a_graph_has_as_many_pieces_as_components_whatever_its_lens),
        cmocka_unit_test(nodes_go_where_the_plainest_way_takes_them),
        cmocka_unit_test(a_hub_is_tried_64_times),
        cmocka_unit_test(a_mapper_that_is_told_later_gives_the_same),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
