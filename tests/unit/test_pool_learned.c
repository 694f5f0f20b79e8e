/* SPDX-License-Identifier: Apache-2.0 */
/* The lens that learns: where it starts, what moves. */
#include "unit_fixture.h"

#include "../check_pool.h"
#include "pool_learned.h"

static pool_draft draft;
static pool_net net;

/* ---- positions ---- */

static void expect_positions(int64_t nodes, const double *pagerank, const double *ranks) {
    dgmi_pool_ranked room[8];
    float found[8];
    dgmi_pool_positions(nodes, pagerank, DGMI_POOL_ALIKE, room, found);
    for (int64_t i = 0; i < nodes; i++)
        assert_near((double)found[i], log(ranks[i] / (1 - ranks[i])), 1e-6);
}

/* Ranks 0 and 1 are shared: (1/2 + 1/2) / 4. */
static void equal_values_share_their_rank(void **state) {
    (void)state;
    expect_positions(4, (const double[]){0.1, 0.3, 0.1, 0.5},
                     (const double[]){0.25, 0.625, 0.25, 0.875});
    expect_positions(3, (const double[]){0.2, 0.2, 0.2}, (const double[]){0.5, 0.5, 0.5});
    expect_positions(1, (const double[]){1}, (const double[]){0.5});
    expect_positions(0, (const double[]){0}, NULL);
}

static void values_that_rounding_parts_are_equal(void **state) {
    (void)state;
    expect_positions(3, (const double[]){0.2 * (1 + 1e-13), 0.2, 0.2 * (1 - 1e-13)},
                     (const double[]){0.5, 0.5, 0.5});
    expect_positions(2, (const double[]){0.2 * (1 + 1e-6), 0.2}, (const double[]){0.75, 0.25});
}

/* ---- the start ---- */

/* A path of 3 and a star of 4: PageRank ranks are 1/3, 5/6, 1/3 and 7/8, 3/8, 3/8, 3/8. */
static void draft_two(void) {
    memset(&draft, 0, sizeof draft);
    pool_draft_graph(&draft, 3);
    pool_draft_edge(&draft, 0, 1, 1);
    pool_draft_edge(&draft, 1, 2, 1);
    pool_draft_graph(&draft, 4);
    for (int leaf = 1; leaf < 4; leaf++)
        pool_draft_edge(&draft, 0, leaf, 1);
}

/* Cells of equal distances whose spread is half of it, around f = r. */
static void training_begins_at_the_rank_of_pagerank(void **state) {
    (void)state;
    enum { CELLS = 4 };
    const int64_t list[] = {0, 1};
    const double ranks[] = {1 / 3.0, 5 / 6.0, 1 / 3.0, 7 / 8.0, 3 / 8.0, 3 / 8.0, 3 / 8.0};
    static const char *const poolings[] = {"mpr:lens=learned,clusters=4",
                                           "mpr:lens=learned,clusters=4,axes=2",
                                           "mpr:lens=learned,clusters=4,learn=nothing"};
    draft_two();
    for (int64_t k = 0; k < COUNT(poolings); k++) {
        dgmi_pool_pass pass;
        pool_net_make(&draft, &(pool_shape){poolings[k], DGM_NET_GCN, false, 2, 1, 3, 1}, &net);
        pool_net_run(&net, list, 2, false, &pass);
        const dgmi_table_tensor *s = &pass.assignment[0]->value;
        assert_int_equal(s->rows, 7);
        assert_int_equal(s->columns, CELLS);
        for (int u = 0; u < 7; u++) {
            double near[CELLS], sum = 0;
            for (int c = 0; c < CELLS; c++) {
                double off = (ranks[u] - (c + 0.5) / CELLS) / (0.5 / CELLS);
                sum += near[c] = exp(-off * off / 2);
            }
            for (int c = 0; c < CELLS; c++)
                assert_near((double)s->values[u * CELLS + c], near[c] / sum, 2e-6);
        }
        pool_net_free(&net);
    }
}

/* On a ring all nodes have the rank 1/2, and the cells left and right of it pool alike. Their entries
 * of S'AS differ by rounding at most, which must not decide on ranks. */
static void cells_that_are_alike_share_their_rank(void **state) {
    (void)state;
    enum { CELLS = 6 };
    const int64_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
    memset(&draft, 0, sizeof draft);
    for (int nodes = 3; nodes <= 10; nodes++) {
        pool_draft_graph(&draft, nodes);
        for (int u = 0; u < nodes; u++)
            pool_draft_edge(&draft, u, (u + 1) % nodes, 1);
    }
    dgmi_pool_pass pass;
    const pool_shape shape = {"mpr:lens=learned,clusters=6-3", DGM_NET_GCN, false, 2, 1, 3, 1};
    pool_net_make(&draft, &shape, &net);
    pool_net_run(&net, list, 8, false, &pass);
    const dgmi_table_tensor *s = &pass.assignment[1]->value;
    for (int i = 0; i < 8 * CELLS; i++) {
        int mirrored = i / CELLS * CELLS + CELLS - 1 - i % CELLS;
        for (int c = 0; c < 3; c++)
            assert_near((double)s->values[3 * i + c], (double)s->values[3 * mirrored + c], 1e-5);
    }
    pool_net_free(&net);
}

/* PageRank of a dense graph, by many steps from its definition. */
static void rank_slowly(int n, const float *a, double *x) {
    double next[8];
    for (int i = 0; i < n; i++)
        x[i] = 1.0 / n;
    for (int step = 0; step < 500; step++) {
        for (int j = 0; j < n; j++)
            next[j] = 0.15 / n;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += (double)a[i * n + j];
            for (int j = 0; j < n; j++)
                next[j] += 0.85 * x[i] * (sum > 0 ? (double)a[i * n + j] / sum : 1.0 / n);
        }
        memcpy(x, next, (size_t)n * sizeof *x);
    }
}

/* The second lens begins at the ranks of the pooled nodes: of a path, of a star, and of nodes
 * without an edge, which are all alike. */
static void the_second_lens_begins_at_the_ranks_of_the_pooled_nodes(void **state) {
    (void)state;
    enum { CELLS = 5, GRAPHS = 3 };
    const int64_t list[] = {0, 1, 2};
    dgmi_pool_pass pass;
    draft_two();
    pool_draft_graph(&draft, 3);
    const pool_shape shape = {"mpr:lens=learned,clusters=5-2", DGM_NET_GCN, false, 2, 1, 3, 1};
    pool_net_make(&draft, &shape, &net);
    pool_net_run(&net, list, GRAPHS, false, &pass);
    const float *found = pass.lens[1][0]->value.values;
    for (int g = 0; g < GRAPHS; g++) {
        double rank[CELLS];
        rank_slowly(CELLS, pass.after[0].matrix->value.values + g * CELLS * CELLS, rank);
        for (int i = 0; i < CELLS; i++) {
            double below = 0, alike = 0;
            for (int j = 0; j < CELLS; j++) {
                below += rank[j] < rank[i] - 1e-7;
                alike += fabs(rank[j] - rank[i]) <= 1e-7;
            }
            assert_near((double)found[g * CELLS + i], (below + alike / 2) / CELLS, 1e-5);
        }
    }
    pool_net_free(&net);
}

/* ---- what moves ---- */

static bool is_of(const char *name, const char *part) {
    return strncmp(name, "pool", 4) == 0 && strstr(name, part);
}

/* Trains a few steps, with decay, and tells what has moved. */
static void train(const char *pool, bool *lens, bool *cover) {
    static float before[1 << 12];
    const int64_t list[] = {0, 1};
    dgmi_pool_pass pass;
    pool_net_make(&draft, &(pool_shape){pool, DGM_NET_GCN, false, 2, 1, 3, 1}, &net);
    const dgmi_nn_weights *weights = &net.network.weights;
    assert_true(weights->total <= COUNT(before) && net.optimiser.options.decay > 0);
    memcpy(before, weights->values, (size_t)weights->total * sizeof *before);
    for (int step = 0; step < 3; step++) {
        dgmi_nn_node *scores = pool_net_run(&net, list, 2, true, &pass);
        assert_int_equal(dgmi_nn_tape_backward(net.tape, pool_net_loss(&net, scores, &pass)),
                         DGM_OK);
        dgmi_nn_optimiser_step(ctx, &net.optimiser, &net.network.weights);
    }
    *lens = *cover = false;
    for (int i = 0; i < weights->count; i++) {
        const dgmi_nn_weight *weight = &weights->list[i];
        bool moved = memcmp(before + weight->at, dgmi_nn_weights_at(weights, i),
                            (size_t)(weight->rows * weight->columns) * sizeof(float)) != 0;
        *lens = *lens || (moved && is_of(weight->name, "lens"));
        *cover = *cover || (moved && is_of(weight->name, "cover"));
        assert_true(moved || strncmp(weight->name, "pool", 4) == 0); /* the rest always learns */
    }
    pool_net_free(&net);
}

static void only_what_shall_learn_moves(void **state) {
    (void)state;
    static const struct {
        const char *pool;
        bool lens, cover;
    } cases[] = {
        {"mpr:lens=learned,clusters=4,axes=2,learn=both", true, true},
        {"mpr:lens=learned,clusters=4,axes=2,learn=lens", true, false},
        {"mpr:lens=learned,clusters=4,axes=2,learn=cover", false, true},
        {"mpr:lens=learned,clusters=4,axes=2,learn=nothing", false, false},
    };
    draft_two();
    for (int64_t k = 0; k < COUNT(cases); k++) {
        bool lens, cover;
        train(cases[k].pool, &lens, &cover);
        if (lens != cases[k].lens || cover != cases[k].cover)
            fail_msg("%s: the lens %s, the cover %s", cases[k].pool, lens ? "moves" : "stays",
                     cover ? "moves" : "stays");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_share_their_rank),
        cmocka_unit_test(values_that_rounding_parts_are_equal),
        cmocka_unit_test(training_begins_at_the_rank_of_pagerank),
        cmocka_unit_test(cells_that_are_alike_share_their_rank),
        cmocka_unit_test(the_second_lens_begins_at_the_ranks_of_the_pooled_nodes),
        cmocka_unit_test(only_what_shall_learn_moves),
    };
    return RUN_WITH_CONTEXT(tests);
}
