/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of a report: a basis, and the shortest that there is. */
#include "unit_fixture.h"

#include "../check_memory.h"
#include "../check_random.h"
#include "base_context.h"
#include "mapper_report.h"
#include "report_sample.h"

/* A ladder with five rungs: its four loops each have four clusters, however a tree runs in it. */
static void loops_are_short(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8},
                                  {8, 9}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};
    sample made = nerve_sample(10, 0, COUNT(ends), ends);
    dgm_report *report = report_of(&made, NULL);
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.loops == 4 && totals.loops_told == 4 && totals.loops_short);
    static const char *const expected[] = {"0 1 6 5", "1 2 7 6", "2 3 8 7", "3 4 9 8"};
    for (int i = 0; i < 4; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        assert_clusters(loop->clusters, loop->cluster_count, expected[i]);
        assert_int_equal(loop->members.total, i == 0 || i == 3 ? 6 : 8);
    }
    dgm_report_free(report);
    sample_free(&made);
}

/* Three clusters that share a node make no loop, three that meet in pairs do. */
static void triangles_fill_loops(void **state) {
    (void)state;
    static const char filled[] = "xxx"
                                 "xx."
                                 ".xx"
                                 "x.x",
                      open[] = "xx."
                               ".xx"
                               "x.x";
    for (int i = 0; i < 2; i++) {
        sample made = cast_sample(i ? 3 : 4, 3, i ? open : filled, 0, NULL, NULL, DGM_EDGES_NERVE);
        dgm_report *report = report_of(&made, NULL);
        assert_int_equal(dgm_report_get_totals(report).loops, i);
        assert_int_equal(dgm_report_pieces(report)->loops, i);
        assert_int_equal(dgm_report_pieces(report)->cycle_rank, 1);
        if (i)
            assert_clusters(dgm_report_loops(report)->clusters, 3, "0 1 2");
        dgm_report_free(report);
        sample_free(&made);
    }
}

/* A triangle, a square and another triangle, none of them filled. */
static void the_longest_loop_comes_first_and_then_the_smaller_clusters(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5},
                                  {5, 6}, {6, 3}, {7, 8}, {8, 9}, {9, 7}};
    static const char *const expected[] = {"3 4 5 6", "0 1 2", "7 8 9"};
    sample made = nerve_sample(10, 0, COUNT(ends), ends);
    for (int most = 0; most <= 4; most++) {
        dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
        options.loops = most;
        dgm_report *report = report_of(&made, &options);
        dgm_report_totals totals = dgm_report_get_totals(report);
        assert_int_equal(totals.loops, 3);
        assert_int_equal(totals.loops_told, most < 3 ? most : 3);
        for (int i = 0; i < 3; i++)
            assert_int_equal(dgm_report_pieces(report)[i].loops, 1);
        for (int64_t i = 0; i < totals.loops_told; i++) {
            const dgm_report_loop *loop = &dgm_report_loops(report)[i];
            assert_clusters(loop->clusters, loop->cluster_count, expected[i]);
            assert_int_equal(loop->members.total, loop->cluster_count);
        }
        dgm_report_free(report);
    }
    sample_free(&made);
}

/* Two squares at cluster 0. The second is closed by the earlier edge, 3-4, and is found first. */
static void loops_of_one_length_come_in_the_order_of_their_clusters(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 6}, {6, 5}, {5, 0}, {0, 2}, {2, 4}, {4, 3}, {3, 0}};
    sample made = nerve_sample(7, 0, COUNT(ends), ends);
    dgm_report *report = report_of(&made, NULL);
    assert_int_equal(dgm_report_get_totals(report).loops, 2);
    assert_clusters(dgm_report_loops(report)[0].clusters, 4, "0 1 6 5");
    assert_clusters(dgm_report_loops(report)[1].clusters, 4, "0 2 4 3");
    dgm_report_free(report);
    sample_free(&made);
    static const int bow[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}};
    made = nerve_sample(5, 0, COUNT(bow), bow); /* and two triangles, found in their order */
    report = report_of(&made, NULL);
    assert_clusters(dgm_report_loops(report)[0].clusters, 3, "0 1 2");
    assert_clusters(dgm_report_loops(report)[1].clusters, 3, "0 3 4");
    dgm_report_free(report);
    sample_free(&made);
}

/* More loops than a word has bits: 130 triangles, none of them filled. */
static void many_loops_are_told_apart(void **state) {
    (void)state;
    enum { LOOPS = 130 };
    static int ends[3 * LOOPS][2];
    for (int i = 0; i < 3 * LOOPS; i++) {
        ends[i][0] = i;
        ends[i][1] = i % 3 == 2 ? i - 2 : i + 1;
    }
    sample made = nerve_sample(3 * LOOPS, 0, 3 * LOOPS, (const int(*)[2])ends);
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    options.loops = LOOPS;
    dgm_report *report = report_of(&made, &options);
    assert_int_equal(dgm_report_get_totals(report).loops, LOOPS);
    for (int i = 0; i < LOOPS; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        assert_int_equal(loop->cluster_count, 3);
        for (int k = 0; k < 3; k++)
            assert_int_equal(loop->clusters[k], 3 * i + k);
    }
    dgm_report_free(report);
    sample_free(&made);
}

enum { MOST_CLUSTERS = 10, MOST_EDGES = 64 };

/* Adds a vector of edges mod 2 to a basis; returns whether it was independent. */
static bool add_vector(uint64_t basis[64], uint64_t vector) {
    for (int bit = 63; bit >= 0; bit--) {
        if (!(vector >> bit & 1))
            continue;
        if (!basis[bit]) {
            basis[bit] = vector;
            return true;
        }
        vector ^= basis[bit];
    }
    return false;
}

static uint64_t edge_bit(uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return UINT64_C(1) << (high * (high - 1) / 2 + low);
}

/* Seventy open triangles, and a torus of five times five clusters, of which four share a node at
 * each corner. A loop around the torus has five clusters; shorter ways are filled. */
static void filled_ways_count_beside_many_loops(void **state) {
    (void)state;
    enum { OPEN = 70, SIDE = 5, CLUSTERS = 3 * OPEN + SIDE * SIDE };
    static char has[CLUSTERS * CLUSTERS + 1];
    for (int u = 0; u < 3 * OPEN; u++)
        has[u * CLUSTERS + u] = has[u * CLUSTERS + (u % 3 == 2 ? u - 2 : u + 1)] = 'x';
    for (int u = 0; u < SIDE * SIDE; u++)
        for (int k = 0; k < 4; k++) {
            int square = (u / SIDE + k / 2) % SIDE * SIDE + (u % SIDE + k % 2) % SIDE;
            has[(3 * OPEN + u) * CLUSTERS + 3 * OPEN + square] = 'x';
        }
    sample made = cast_sample(CLUSTERS, CLUSTERS, has, 0, NULL, NULL, DGM_EDGES_NERVE);
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    options.loops = OPEN + 2;
    dgm_report *report = report_of(&made, &options);
    assert_int_equal(dgm_report_get_totals(report).loops, OPEN + 2);
    for (int i = 0; i < OPEN + 2; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        uint32_t first = i < 2 ? 3 * OPEN : 3 * (uint32_t)(i - 2);
        assert_int_equal(loop->cluster_count, i < 2 ? SIDE : 3);
        assert_true(i < 2 ? loop->clusters[0] >= first : loop->clusters[0] == first);
    }
    dgm_report_free(report);
    sample_free(&made);
}

/* Clusters that follow each other on a loop meet, and no loop is a sum of triangles and of
 * others. */
static void check_loops(const dgm_report *report, const char *has, int64_t nodes, int clusters) {
    uint64_t basis[64] = {0};
    for (int64_t u = 0; u < nodes; u++)
        for (uint32_t a = 0; a < (uint32_t)clusters; a++)
            for (uint32_t b = 0; b < a; b++)
                for (uint32_t c = 0; c < b; c++)
                    if (has[u * clusters + a] == 'x' && has[u * clusters + b] == 'x' &&
                        has[u * clusters + c] == 'x')
                        add_vector(basis, edge_bit(a, b) | edge_bit(a, c) | edge_bit(b, c));
    for (int64_t i = 0; i < dgm_report_get_totals(report).loops; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        uint64_t vector = 0;
        for (int64_t k = 0; k < loop->cluster_count; k++) {
            uint32_t a = loop->clusters[k], b = loop->clusters[(k + 1) % loop->cluster_count];
            bool meet = false;
            for (int64_t u = 0; u < nodes; u++)
                meet = meet || (has[u * clusters + a] == 'x' && has[u * clusters + b] == 'x');
            assert_true(meet && a != b);
            vector ^= edge_bit(a, b);
        }
        assert_true(add_vector(basis, vector));
    }
}

/* All simple cycles through `first`, its smallest cluster, by extending a path. */
typedef struct {
    uint64_t cycles[1 << 16];
    int lengths[1 << 16], count;
    bool meets[MOST_CLUSTERS][MOST_CLUSTERS];
} all_cycles;

static void extend(all_cycles *all, uint32_t first, uint32_t last, uint64_t path, uint32_t on,
                   int length) {
    for (uint32_t next = first; next < MOST_CLUSTERS; next++) {
        if (!all->meets[last][next])
            continue;
        if (next == first && length >= 2 && all->count < 1 << 16) {
            all->cycles[all->count] = path ^ edge_bit(last, first);
            all->lengths[all->count++] = length + 1;
        }
        if (!(on >> next & 1))
            extend(all, first, next, path ^ edge_bit(last, next), on | 1u << next, length + 1);
    }
}

/* The least length of a basis: the shortest cycles that are independent, of all that there are. */
static int64_t least_length(const char *has, int64_t nodes) {
    static all_cycles all;
    uint64_t basis[64] = {0};
    int64_t sum = 0;
    memset(&all, 0, sizeof all);
    for (int64_t u = 0; u < nodes; u++)
        for (uint32_t a = 0; a < MOST_CLUSTERS; a++)
            for (uint32_t b = 0; b < a; b++) {
                if (has[u * MOST_CLUSTERS + a] != 'x' || has[u * MOST_CLUSTERS + b] != 'x')
                    continue;
                all.meets[a][b] = all.meets[b][a] = true;
                for (uint32_t c = 0; c < b; c++)
                    if (has[u * MOST_CLUSTERS + c] == 'x')
                        add_vector(basis, edge_bit(a, b) | edge_bit(a, c) | edge_bit(b, c));
            }
    for (uint32_t first = 0; first < MOST_CLUSTERS; first++)
        extend(&all, first, first, 0, 1u << first, 0);
    assert_true(all.count < 1 << 16);
    for (int length = 3; length <= MOST_CLUSTERS; length++)
        for (int i = 0; i < all.count; i++)
            if (all.lengths[i] == length && add_vector(basis, all.cycles[i]))
                sum += length;
    return sum;
}

static void loops_are_independent_and_all_and_as_short_as_can_be(void **state) {
    (void)state;
    check_random random = {23};
    int64_t seen = 0;
    for (int round = 0; round < 60; round++) {
        int64_t nodes = 6 + check_random_below(&random, 9);
        char has[20 * MOST_CLUSTERS + 1] = "";
        for (int64_t i = 0; i < nodes * MOST_CLUSTERS; i++)
            has[i] = '.';
        for (int64_t u = 0; u < nodes; u++)
            for (int k = 0; k < 2 + (u % 4 == 0); k++)
                has[u * MOST_CLUSTERS + check_random_below(&random, MOST_CLUSTERS)] = 'x';
        for (int64_t c = 0; c < MOST_CLUSTERS; c++)
            has[c % nodes * MOST_CLUSTERS + c] = 'x'; /* no cluster is empty */
        sample made = cast_sample(nodes, MOST_CLUSTERS, has, 0, NULL, NULL, DGM_EDGES_NERVE);
        dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
        options.loops = 1000;
        dgm_report *report = report_of(&made, &options);
        assert_int_equal(dgm_report_get_totals(report).loops,
                         dgm_summary_get_topology(made.summary).b1);
        check_loops(report, has, nodes, MOST_CLUSTERS);
        int64_t length = 0;
        for (int64_t i = 0; i < dgm_report_get_totals(report).loops; i++)
            length += dgm_report_loops(report)[i].cluster_count;
        assert_int_equal(length, least_length(has, nodes));
        seen += dgm_report_get_totals(report).loops;
        dgm_report_free(report);
        sample_free(&made);
    }
    assert_true(seen > 60);
}

/* The loops of a summary, found in this many steps. */
static dgm_report *hurried_loops(const sample *made, double most_steps) {
    dgmi_mapper_reporter r = {.ctx = ctx,
                              .summary = made->summary,
                              .graph = made->graph,
                              .profile = made->profile,
                              .options = DGM_REPORT_OPTIONS_INIT,
                              .most_steps = most_steps,
                              .clusters = dgm_summary_get_clusters(made->summary)};
    r.edges = dgm_summary_edges(made->summary, &r.edge_count);
    r.out = dgmi_alloc_zero(ctx, 1, sizeof *r.out);
    assert_non_null(r.out);
    r.out->allocator = ctx->allocator;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_mapper_report_cast(&r), DGM_OK);
    assert_int_equal(dgmi_mapper_report_pieces(&r), DGM_OK);
    assert_int_equal(dgmi_mapper_report_loops(&r), DGM_OK);
    dgmi_arena_release(ctx, hold);
    return r.out;
}

/* Where there is no time for searches, loops may be longer; they are a basis all the same. */
static void loops_are_found_in_a_hurry(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8},
                                  {8, 9}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};
    enum { EDGES = sizeof ends / sizeof *ends };
    char has[EDGES * MOST_CLUSTERS] = "";
    for (int e = 0; e < EDGES; e++)
        has[e * MOST_CLUSTERS + ends[e][0]] = has[e * MOST_CLUSTERS + ends[e][1]] = 'x';
    sample made = nerve_sample(MOST_CLUSTERS, 0, EDGES, ends);
    static const double steps[] = {0, 8 * 23, 10 * 23}; /* none, at ends of open edges, at all */
    for (int i = 0; i < 3; i++) {
        dgm_report *report = hurried_loops(&made, steps[i]);
        assert_int_equal(dgm_report_get_totals(report).loops, 4);
        assert_int_equal(dgm_report_get_totals(report).loops_short, i == 2);
        check_loops(report, has, EDGES, MOST_CLUSTERS);
        dgm_report_free(report);
    }
    sample_free(&made);
}

static dgm_status report_loops(dgm_context *own, const sample *made) {
    dgm_report *report = NULL;
    dgm_status status =
        dgm_report_create(own, made->summary, made->graph, made->profile, NULL, &report);
    dgm_report_free(report);
    return status;
}

/* Twenty clusters of which every two meet have 1,140 loops of three: their signatures take more
 * than one block of memory. */
static void loops_without_memory_are_an_error(void **state) {
    (void)state;
    enum { CLUSTERS = 20, EDGES = CLUSTERS * (CLUSTERS - 1) / 2 };
    int ends[EDGES][2], e = 0;
    for (int a = 0; a < CLUSTERS; a++)
        for (int b = a + 1; b < CLUSTERS; b++, e++) {
            ends[e][0] = a;
            ends[e][1] = b;
        }
    sample made = nerve_sample(CLUSTERS, 0, EDGES, (const int(*)[2])ends);
    bool reached = true;
    for (long long k = 1; reached; k++) {
        check_memory memory = {.fail_at = 0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *own;
        assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        dgm_status status = report_loops(own, &made);
        reached = atomic_load(&memory.calls) >= memory.fail_at;
        assert_int_equal(status, reached ? DGM_ERROR_MEMORY : DGM_OK);
        dgm_context_free(own);
        assert_int_equal(atomic_load(&memory.blocks), 0);
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_short),
        cmocka_unit_test(triangles_fill_loops),
        cmocka_unit_test(the_longest_loop_comes_first_and_then_the_smaller_clusters),
        cmocka_unit_test(many_loops_are_told_apart),
        cmocka_unit_test(filled_ways_count_beside_many_loops),
        cmocka_unit_test(loops_of_one_length_come_in_the_order_of_their_clusters),
        cmocka_unit_test(loops_are_independent_and_all_and_as_short_as_can_be),
        cmocka_unit_test(loops_are_found_in_a_hurry),
        cmocka_unit_test(loops_without_memory_are_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
