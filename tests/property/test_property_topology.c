/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes whose Betti numbers everybody knows: a fine enough cover's nerve has them too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

static int make_context(void **state) {
    (void)state;
    return dgm_context_create(NULL, &ctx);
}

static int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

/* A lattice of width x height with its diagonals, closed up along either side or not. */
typedef struct lattice {
    int width, height;
    bool closed_x, closed_y;
    bool mirrored; /* the seam along x turns y over: a Moebius band */
    int columns;   /* of the lens */
} lattice;

static uint32_t node_at(const lattice *l, int x, int y) {
    if (x == l->width && l->mirrored)
        y = l->height - 1 - y;
    return (uint32_t)((y % l->height) * l->width + x % l->width);
}

static void add(dgm_graph_builder *builder, uint32_t a, uint32_t b) {
    const uint32_t ends[] = {a, b};
    if (a != b)
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
}

static dgm_graph *build(const lattice *l) {
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, (int64_t)l->width * l->height),
                     DGM_OK);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            bool right = x + 1 < l->width || l->closed_x, up = y + 1 < l->height || l->closed_y;
            if (right)
                add(builder, node_at(l, x, y), node_at(l, x + 1, y));
            if (up)
                add(builder, node_at(l, x, y), node_at(l, x, y + 1));
            if (right && up)
                add(builder, node_at(l, x, y), node_at(l, x + 1, y + 1));
        }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

/* A closed direction is a circle in two columns, an open one a column of its own. The band: in
 * space. */
static dgm_matrix *embed(const lattice *l) {
    const double turn = 2 * acos(-1);
    dgm_matrix *lens = NULL;
    assert_int_equal(dgm_matrix_create(ctx, (int64_t)l->width * l->height, l->columns, &lens),
                     DGM_OK);
    double *value = dgm_matrix_values_mutable(lens);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            double a = turn * (x + 0.3) / l->width, b = turn * (y + 0.3) / l->height;
            double t = (y - (l->height - 1) / 2.0) / l->height;
            double row[4] = {0};
            int k = 0;
            if (l->mirrored) {
                row[0] = (1 + t * cos(a / 2)) * cos(a);
                row[1] = (1 + t * cos(a / 2)) * sin(a);
                row[2] = t * sin(a / 2);
            } else {
                row[k++] = l->closed_x ? cos(a) : x;
                if (l->closed_x)
                    row[k++] = sin(a);
                row[k++] = l->closed_y ? cos(b) : y;
                if (l->closed_y)
                    row[k] = sin(b);
            }
            for (int c = 0; c < l->columns; c++)
                *value++ = row[c];
        }
    return lens;
}

static void expect(const lattice *l, int64_t intervals, double overlap, int64_t b0, int64_t b1) {
    dgm_graph *graph = build(l);
    dgm_matrix *lens = embed(l);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary = NULL;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    if (topology.b0 != b0 || topology.b1 != b1)
        fail_msg("%d x %d, %lld intervals, overlap %g: b0 %lld and b1 %lld, not %lld and %lld",
                 l->width, l->height, (long long)intervals, overlap, (long long)topology.b0,
                 (long long)topology.b1, (long long)b0, (long long)b1);
    assert_true(topology.skeleton_loops >= topology.b1);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void a_circle_has_one_loop(void **state) {
    (void)state;
    for (int n = 30; n <= 200; n += 17)
        for (int columns = 1; columns <= 2; columns++)
            expect(&(lattice){n, 1, true, false, false, columns}, 4, 0.3, 1, 1);
}

static void a_disc_has_no_loop(void **state) {
    (void)state;
    for (int n = 2; n <= 6; n++)
        expect(&(lattice){40, 40, false, false, false, 2}, n, 0.3, 1, 0);
}

static void a_cylinder_has_one_loop(void **state) {
    (void)state;
    expect(&(lattice){60, 20, true, false, false, 3}, 4, 0.3, 1, 1);
    expect(&(lattice){60, 20, true, false, false, 2}, 4, 0.3, 1, 1); /* seen from the end */
}

static void a_torus_has_two_loops(void **state) {
    (void)state;
    for (int n = 3; n <= 4; n++)
        expect(&(lattice){48, 48, true, true, false, 4}, n, 0.3, 1, 2);
}

static void a_moebius_band_has_one_loop(void **state) {
    (void)state;
    expect(&(lattice){90, 21, true, false, true, 3}, 4, 0.3, 1, 1);
}

static void gain_zero_tears_everything_apart(void **state) {
    (void)state;
    expect(&(lattice){64, 1, false, false, false, 1}, 8, 0, 8, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_has_one_loop),
        cmocka_unit_test(a_disc_has_no_loop),
        cmocka_unit_test(a_cylinder_has_one_loop),
        cmocka_unit_test(a_torus_has_two_loops),
        cmocka_unit_test(a_moebius_band_has_one_loop),
        cmocka_unit_test(gain_zero_tears_everything_apart),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
