/* SPDX-License-Identifier: Apache-2.0 */
/* Covers full of ties, against what GUDHI found: tests/data/oracle/mapper_gudhi.txt, made by
 * tools/oracle/mapper_gudhi.py. */
#include "unit_fixture.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"
#include "mapper_stages.h"

enum { AXES = 2, NODES = 64 };

typedef struct {
    int axes, nodes;
    dgm_mapper_options options;
    double values[NODES * AXES];
    long first[NODES * AXES], last[NODES * AXES];
} golden;

static bool read_golden(FILE *file, golden *out) {
    char word[16];
    if (fscanf(file, "%15s %d %d", word, &out->axes, &out->nodes) != 3)
        return false;
    assert_string_equal(word, "cover");
    assert_true(out->axes <= AXES && out->nodes <= NODES);
    dgm_mapper_options_init(&out->options);
    out->options.rule = DGM_RULE_GUDHI;
    for (int a = 0; a < out->axes; a++) {
        long intervals;
        assert_int_equal(fscanf(file, "%ld %lf", &intervals, &out->options.overlap[a]), 2);
        out->options.intervals[a] = intervals;
    }
    for (int i = 0; i < out->axes * out->nodes; i++)
        assert_int_equal(
            fscanf(file, "%lf %ld %ld", &out->values[i], &out->first[i], &out->last[i]), 3);
    return true;
}

static void check(const golden *expected) {
    dgm_matrix *lens = build_matrix(expected->nodes, expected->axes, expected->values);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_cover cover;
    assert_int_equal(dgmi_mapper_cover_make(ctx, lens, &expected->options, &cover), DGM_OK);
    for (int i = 0; i < expected->axes * expected->nodes; i++) {
        int a = i % expected->axes;
        int64_t first, last;
        dgmi_mapper_axis_locate(&cover.axis[a], expected->values[i], &first, &last);
        if (first != expected->first[i] || last != expected->last[i])
            fail_msg("%.17g of %lld cells, gain %g: in %lld to %lld, and GUDHI says %ld to %ld",
                     expected->values[i], (long long)expected->options.intervals[a],
                     expected->options.overlap[a], (long long)first, (long long)last,
                     expected->first[i], expected->last[i]);
    }
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

static FILE *open_goldens(void) {
    char path[1024], line[256];
    snprintf(path, sizeof path, "%s/oracle/mapper_gudhi.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* versions */
    assert_memory_equal(line, "gudhi ", 6);
    return file;
}

static void ties_fall_where_gudhi_puts_them(void **state) {
    (void)state;
    FILE *file = open_goldens();
    golden expected;
    int below = 0, above = 0;
    while (read_golden(file, &expected)) {
        check(&expected);
        *(fmax(expected.options.overlap[0], expected.options.overlap[1]) < 0.5 ? &below : &above) +=
            1;
    }
    fclose(file);
    assert_true(below >= 100 && above >= 100);
}

static void every_value_has_a_cell_at_any_gain(void **state) {
    (void)state;
    static const double gains[] = {0, 0.1, 0.49999999, 0.5, 0.9, 0.999999};
    static const double ranges[][2] = {
        {0, 1},      {-1e300, 1e300}, {-1.7e308, 1.7e308}, {1e15, 1e15 + 1e7},
        {0, 5e-324}, {-3e-310, 0},    {0, DBL_MAX},        {-8e307, 9e307}};
    static const int64_t cells[] = {2, 1000};
    for (size_t i = 0; i < COUNT(cells) * COUNT(gains); i++)
        for (size_t r = 0; r < COUNT(ranges); r++) {
            size_t g = i % COUNT(gains);
            dgm_matrix *lens = build_matrix(2, 1, ranges[r]);
            dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
            dgmi_hold hold = dgmi_arena_hold(ctx);
            dgmi_mapper_cover cover;
            options.rule = DGM_RULE_GUDHI;
            options.intervals[0] = cells[i / COUNT(gains)];
            options.overlap[0] = gains[g];
            assert_int_equal(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_OK);
            int64_t before = 0;
            for (int part = 0; part <= 100; part++) {
                int64_t first, last;
                double value = ranges[r][0] / 100 * (100 - part) + ranges[r][1] / 100 * part;
                value = fmin(fmax(value, ranges[r][0]), ranges[r][1]);
                dgmi_mapper_axis_locate(&cover.axis[0], value, &first, &last);
                assert_true(0 <= first && first <= last && last < cover.axis[0].cells);
                assert_true(last >= before);
                before = last;
            }
            dgmi_arena_release(ctx, hold);
            dgm_matrix_free(lens);
        }
}

/* The wide gain of one axis closes the intervals of both. Without a gain of its own the other axis
 * still has four pieces, and what stands inside a piece is in that one alone. */
static void an_axis_without_gain_is_closed_by_its_neighbour(void **state) {
    (void)state;
    static const double values[] = {0, 0, 0.2, 1, 1.9, 2, 3.3, 3, 4, 4};
    static const int64_t first[] = {0, 0, 1, 3, 3};
    dgm_matrix *lens = build_matrix(5, 2, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_cover cover;
    options.rule = DGM_RULE_GUDHI;
    options.intervals[0] = options.intervals[1] = 4;
    options.overlap[0] = 0;
    options.overlap[1] = 0.6;
    assert_int_equal(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_OK);
    for (int i = 0; i < 5; i++) {
        int64_t from, to;
        dgmi_mapper_axis_locate(&cover.axis[0], values[2 * i], &from, &to);
        assert_int_equal(from, first[i]);
        assert_int_equal(to, first[i]);
    }
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_fall_where_gudhi_puts_them),
        cmocka_unit_test(every_value_has_a_cell_at_any_gain),
        cmocka_unit_test(an_axis_without_gain_is_closed_by_its_neighbour),
    };
    return RUN_WITH_CONTEXT(tests);
}
