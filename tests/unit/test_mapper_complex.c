/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of complexes that are known, and the triangles that span their boundaries. */
#include "unit_fixture.h"

#include "base_memory.h"
#include "base_random.h"
#include "mapper_cycles.h"
#include "unit_faults.h"
#include "unit_progress.h"

enum { MOST_LISTS = 5000, MOST_ENTRIES = 1 << 16 };

static int64_t starts[MOST_LISTS + 1];
static uint32_t lists[MOST_ENTRIES];
static dgmi_mapper_bundles bundles;

static void begin(int64_t vertices) {
    bundles = (dgmi_mapper_bundles){
        .clusters = vertices, .count = vertices, .list_start = starts, .lists = lists};
    starts[0] = 0;
}

/* One more simplex: ascending, distinct vertices of those given. */
static void add(const uint32_t *vertices, int64_t count) {
    int64_t k = bundles.count++ - bundles.clusters, begin = starts[k], end = begin;
    assert_true(k < MOST_LISTS && end + count <= MOST_ENTRIES);
    for (int64_t i = 0; i < count; i++) {
        int64_t at = end;
        while (at > begin && lists[at - 1] > vertices[i])
            at--;
        if (at > begin && lists[at - 1] == vertices[i])
            continue;
        memmove(lists + at + 1, lists + at, (size_t)(end - at) * sizeof *lists);
        lists[at] = vertices[i];
        end++;
    }
    starts[k + 1] = end;
}

/* Letters are vertices. */
static void add_word(const char *word) {
    uint32_t vertices[26];
    int64_t count = 0;
    for (; *word; word++)
        vertices[count++] = (uint32_t)(*word - 'a');
    add(vertices, count);
}

/* The squares of a torus are vertices; around each corner those in a window make a simplex. */
static void add_torus(int side, int window) {
    begin((int64_t)side * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            uint32_t around[16];
            int64_t count = 0;
            for (int dy = 0; dy < window; dy++)
                for (int dx = 0; dx < window; dx++)
                    around[count++] = (uint32_t)((y + dy) % side * side + (x + dx) % side);
            add(around, count);
        }
}

/* The small squares on the faces of a cube; a simplex around each of their corners. */
static void add_cube(int side) {
    begin(6 * (int64_t)side * side);
    for (int x = 0; x <= side; x++)
        for (int y = 0; y <= side; y++)
            for (int z = 0; z <= side; z++) {
                const int at[3] = {x, y, z};
                uint32_t around[12];
                int64_t count = 0;
                for (int axis = 0; axis < 3; axis++) {
                    if (at[axis] != 0 && at[axis] != side)
                        continue;
                    int face = 2 * axis + (at[axis] != 0);
                    for (int corner = 0; corner < 4; corner++) {
                        int u = at[(axis + 1) % 3] - corner % 2,
                            v = at[(axis + 2) % 3] - corner / 2;
                        if (u >= 0 && u < side && v >= 0 && v < side)
                            around[count++] = (uint32_t)((face * side + u) * side + v);
                    }
                }
                if (count)
                    add(around, count);
            }
}

static int64_t living_vertices(const dgmi_mapper_complex *complex) {
    int64_t living = 0;
    for (int64_t v = 0; v < complex->vertices; v++)
        living += complex->vertex_start[v + 1] > complex->vertex_start[v];
    return living;
}

/* Vertices of the core. */
static int64_t core_size(void) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_complex complex;
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(dgmi_mapper_complex_collapse(ctx, &complex), DGM_OK);
    int64_t size = living_vertices(&complex);
    dgmi_arena_release(ctx, hold);
    return size;
}

static dgm_status find_loops(dgm_context *own, bool collapse, int64_t *loops) {
    dgmi_hold hold = dgmi_arena_hold(own);
    dgmi_mapper_complex complex;
    dgmi_mapper_skeleton skeleton;
    dgmi_mapper_cycles cycles;
    dgm_status status = dgmi_mapper_complex_make(own, &bundles, NULL, &complex);
    if (status == DGM_OK && collapse)
        status = dgmi_mapper_complex_collapse(own, &complex);
    if (status == DGM_OK)
        status = dgmi_mapper_skeleton_make(own, &complex, false, &skeleton);
    if (status == DGM_OK) {
        status = dgmi_mapper_cycles_open(own, &skeleton, &cycles);
        *loops = cycles.open;
        dgmi_mapper_cycles_close(&cycles);
    }
    dgmi_arena_release(own, hold);
    return status;
}

static void assert_loops(int64_t expected) {
    for (int collapse = 0; collapse < 2; collapse++) {
        int64_t loops;
        assert_int_equal(find_loops(ctx, collapse, &loops), DGM_OK);
        assert_int_equal(loops, expected);
    }
}

static void simplices_inside_others_are_left_out(void **state) {
    (void)state;
    const char *const words[] = {"ab", "abc", "bc", "bcd", "bd", "e", "de", "cd", "d"};
    begin(5);
    for (int64_t i = 0; i < COUNT(words); i++)
        add_word(words[i]);
    dgmi_mapper_complex complex;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(complex.simplices, 7); /* single vertices are none */
    assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
    assert_int_equal(complex.simplices, 3);
    assert_int_equal(complex.largest, 3);
    assert_int_equal(living_vertices(&complex), 5);
    const bool kept[] = {true, true, false, true, true};
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, kept, &complex), DGM_OK);
    assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
    assert_int_equal(complex.simplices, 3); /* ab, bd, de */
    assert_int_equal(complex.largest, 2);
    dgmi_arena_release(ctx, hold);
}

/* Points of noise lie in any of a few balls, each in others, and one of them in all. */
static void add_noise(int64_t vertices, int64_t simplices, int64_t largest) {
    begin(vertices);
    for (int64_t s = 0; s < simplices; s++) {
        uint32_t drawn[64];
        int64_t count = 3 + s % (largest - 2);
        for (int64_t i = 0; i < count; i++)
            drawn[i] =
                (uint32_t)dgmi_random_below(1, 7, (uint64_t)(64 * s + i), (uint64_t)vertices);
        add(drawn, count);
    }
}

/* A simplex is compared with larger ones alone, and with none that lies inside another. */
static void a_simplex_that_holds_all_others_is_found_at_once(void **state) {
    (void)state;
    dgmi_mapper_complex complex;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t all[19];
    add_noise(19, 4000, 18);
    for (uint32_t v = 0; v < 19; v++)
        all[v] = v;
    add(all, 19);
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(complex.looks, 0);
    assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
    assert_int_equal(complex.simplices, 1);
    assert_in_range(complex.looks, 4000, 2 * 4000);
    assert_int_equal(dgmi_mapper_complex_collapse(ctx, &complex), DGM_OK);
    assert_int_equal(living_vertices(&complex), 1);
    assert_in_range(complex.looks, 4000, 2 * 4000 + 19 * 19);
    dgmi_arena_release(ctx, hold);
}

/* Whether one simplex lies in another is a question that is not asked of simplices of one size. */
static void simplices_of_one_size_are_not_compared(void **state) {
    (void)state;
    dgmi_mapper_complex complex;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    add_torus(30, 3);
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
    assert_int_equal(complex.simplices, 900);
    assert_in_range(complex.looks, 0, 900);
    dgmi_arena_release(ctx, hold);
}

/* What is left when the work is broken off has the same loops. */
static void work_that_is_broken_off_leaves_the_loops_as_they_are(void **state) {
    (void)state;
    for (int64_t most = 0; most < 4000; most += 371) {
        dgmi_mapper_complex complex;
        dgmi_mapper_skeleton skeleton;
        dgmi_mapper_cycles cycles;
        dgmi_hold hold = dgmi_arena_hold(ctx);
        add_torus(12, 3);
        assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
        complex.most_looks = most;
        assert_int_equal(dgmi_mapper_complex_collapse(ctx, &complex), DGM_OK);
        assert_in_range(complex.looks, 0, most + 200);
        assert_int_equal(dgmi_mapper_skeleton_make(ctx, &complex, false, &skeleton), DGM_OK);
        assert_int_equal(dgmi_mapper_cycles_open(ctx, &skeleton, &cycles), DGM_OK);
        assert_int_equal(cycles.open, 2);
        dgmi_mapper_cycles_close(&cycles);
        dgmi_arena_release(ctx, hold);
    }
}

/* Each side of the triangle lies inside it, which one look tells. Sides are looked at until there
 * were more looks than allowed. */
static void simplices_are_looked_at_up_to_the_limit_and_once_more(void **state) {
    (void)state;
    for (int64_t most = 0; most < 5; most++) {
        dgmi_mapper_complex complex;
        dgmi_hold hold = dgmi_arena_hold(ctx);
        begin(3);
        add_word("abc");
        add_word("ab");
        add_word("bc");
        add_word("ca");
        assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
        complex.most_looks = most;
        assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
        assert_int_equal(complex.looks, most < 3 ? most + 1 : 3);
        assert_int_equal(complex.simplices, 4 - complex.looks);
        dgmi_arena_release(ctx, hold);
    }
}

static void trees_and_solids_collapse_to_a_point(void **state) {
    (void)state;
    begin(6);
    add_word("ab");
    add_word("bc");
    add_word("bd");
    add_word("de");
    add_word("df");
    assert_int_equal(core_size(), 1);
    begin(7);
    add_word("abcdefg");
    assert_int_equal(core_size(), 1);
}

static void circles_keep_four_vertices_or_three(void **state) {
    (void)state;
    begin(4);
    add_word("ab");
    add_word("bc");
    add_word("cd");
    add_word("da");
    assert_int_equal(core_size(), 4);
    begin(6); /* a band around a triangle */
    add_word("abde");
    add_word("bcef");
    add_word("cafd");
    assert_int_equal(core_size(), 3);
    assert_loops(1);
}

static void a_disc_of_squares_collapses_to_a_point(void **state) {
    (void)state;
    enum { SIDE = 30 };
    begin(SIDE * SIDE);
    for (uint32_t y = 0; y + 2 < SIDE; y++)
        for (uint32_t x = 0; x + 2 < SIDE; x++) {
            uint32_t around[9];
            for (uint32_t i = 0; i < 9; i++)
                around[i] = (y + i / 3) * SIDE + x + i % 3;
            add(around, 9);
        }
    assert_int_equal(core_size(), 1);
    assert_loops(0);
}

static void a_torus_of_squares_has_two_loops(void **state) {
    (void)state;
    for (int window = 2; window <= 3; window++)
        for (int side = 3 * window - 2; side <= 24; side += 5) {
            add_torus(side, window);
            assert_loops(2);
        }
}

static void a_cube_of_squares_has_none(void **state) {
    (void)state;
    for (int side = 1; side <= 12; side += 3) {
        add_cube(side);
        assert_loops(0);
    }
}

static void triangles_are_counted_once(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_complex complex;
    dgmi_mapper_skeleton skeleton;
    begin(7);
    add_word("abcd");
    add_word("bcde");
    add_word("abef");
    add_word("fg");
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(dgmi_mapper_skeleton_make(ctx, &complex, true, &skeleton), DGM_OK);
    assert_int_equal(skeleton.triangles, 4 + 4 - 1 + 4); /* bcd twice */
    assert_int_equal(skeleton.edges, 6 + 3 + 4 + 1);
    for (int64_t e = 0; e < skeleton.edges; e++) {
        uint64_t key = skeleton.keys[e];
        assert_true(e == 0 || skeleton.keys[e - 1] < key);
        assert_int_equal(dgmi_mapper_skeleton_edge(&skeleton, (uint32_t)key, (uint32_t)(key >> 32)),
                         e);
    }
    dgmi_arena_release(ctx, hold);
}

/* Lists are looked at 4096 at a time, and so are vertices; triangles 1024 at a time. */
static void long_work_is_told_now_and_then(void **state) {
    (void)state;
    dgmi_mapper_complex complex;
    dgmi_mapper_skeleton skeleton;
    dgmi_mapper_cycles cycles;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    add_torus(70, 2); /* 4900 squares */
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    hear_progress();
    assert_int_equal(dgmi_mapper_complex_prune(ctx, &complex), DGM_OK);
    assert_int_equal(heard_count, 2);
    assert_int_equal(reports_of("collapsing the nerve"), 2);
    assert_true(heard_reports[0].fraction == 0 && heard_reports[1].fraction == 0);
    hear_progress();
    assert_int_equal(dgmi_mapper_skeleton_make(ctx, &complex, false, &skeleton), DGM_OK);
    assert_int_equal(reports_of("listing triangles"), 2);
    assert_near(heard_reports[1].fraction, 4096 / 4900.0, 1e-15);
    hear_progress(); /* every vertex waits in the queue, and none of them goes */
    assert_int_equal(dgmi_mapper_complex_collapse(ctx, &complex), DGM_OK);
    assert_int_equal(reports_of("collapsing the nerve"), 2);
    add_noise(40, 3000, 3); /* so many triangles that they fill every loop but one */
    bundles.clusters += 3;
    bundles.count += 3;
    for (uint32_t v = 0; v < 3; v++)
        add((const uint32_t[]){40 + v, 40 + (v + 1) % 3}, 2);
    assert_int_equal(dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex), DGM_OK);
    assert_int_equal(dgmi_mapper_skeleton_make(ctx, &complex, false, &skeleton), DGM_OK);
    hear_progress();
    assert_int_equal(dgmi_mapper_cycles_open(ctx, &skeleton, &cycles), DGM_OK);
    hear_no_more();
    assert_true(cycles.open == 1 && skeleton.more_count > 1024);
    assert_int_equal(reports_of("counting loops"), (skeleton.more_count + 1023) / 1024);
    for (int64_t i = 0; i < heard_count; i++)
        assert_near(heard_reports[i].fraction, (double)(1024 * i) / (double)skeleton.more_count,
                    1e-15);
    dgmi_mapper_cycles_close(&cycles);
    dgmi_arena_release(ctx, hold);
}

static dgm_status find_loops_twice(dgm_context *own, void *argument) {
    int64_t *loops = argument;
    dgm_status status = find_loops(own, false, loops);
    return status == DGM_OK ? find_loops(own, true, loops) : status;
}

static void every_failed_allocation_is_reported(void **state) {
    (void)state;
    int64_t loops = 0;
    add_torus(9, 3);
    fail_each_allocation(find_loops_twice, &loops);
    assert_int_equal(loops, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simplices_inside_others_are_left_out),
        cmocka_unit_test(a_simplex_that_holds_all_others_is_found_at_once),
        cmocka_unit_test(simplices_of_one_size_are_not_compared),
        cmocka_unit_test(work_that_is_broken_off_leaves_the_loops_as_they_are),
        cmocka_unit_test(simplices_are_looked_at_up_to_the_limit_and_once_more),
        cmocka_unit_test(trees_and_solids_collapse_to_a_point),
        cmocka_unit_test(circles_keep_four_vertices_or_three),
        cmocka_unit_test(a_disc_of_squares_collapses_to_a_point),
        cmocka_unit_test(a_torus_of_squares_has_two_loops),
        cmocka_unit_test(a_cube_of_squares_has_none),
        cmocka_unit_test(triangles_are_counted_once),
        cmocka_unit_test(long_work_is_told_now_and_then),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };
    return RUN_WITH_CONTEXT(tests);
}
