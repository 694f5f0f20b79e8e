/* SPDX-License-Identifier: Apache-2.0 */
/* A lens of two axes and what is asked about it: cells, bins, boxes, columns, colours and
 * portraits, each held against a plain loop over the nodes. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "draw_colour.h"
#include "draw_view.h"
#include "explore_columns.h"
#include "explore_land.h"

static const char settled[] = "intervals=4,3&overlap=0.3&dust=show&edges=nerve&cold=1";

/* ---- bins ---- */

static void bins_hold_both_ends_of_their_range(void **state) {
    (void)state;
    assert_int_equal(dgmi_explore_bin(2, 2, 6, 8), 0);
    assert_int_equal(dgmi_explore_bin(2.49, 2, 6, 8), 0);
    assert_int_equal(dgmi_explore_bin(2.5, 2, 6, 8), 1);
    assert_int_equal(dgmi_explore_bin(5.5, 2, 6, 8), 7);
    assert_int_equal(dgmi_explore_bin(5.49, 2, 6, 8), 6);
    assert_int_equal(dgmi_explore_bin(6, 2, 6, 8), 7);
    assert_int_equal(dgmi_explore_bin(7, 2, 6, 8), 7);
    assert_int_equal(dgmi_explore_bin(1, 2, 6, 8), 0);
    assert_int_equal(dgmi_explore_bin(3, 3, 3, 8), 0);
}

/* The bin of a node on one axis, by its definition. */
static int bin_of(int64_t node, int axis, int bins) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t u = 0; u < LAND; u++) {
        low = fmin(low, value_of(u, axis));
        high = fmax(high, value_of(u, axis));
    }
    int bin = (int)floor((value_of(node, axis) - low) / (high - low) * bins);
    return bin < bins ? bin : bins - 1;
}

static void a_plane_is_counted_in_squares(void **state) {
    (void)state;
    reply picture = ask("picture", settled), r = ask("lens_view", "");
    uint32_t wanted[64 * 64] = {0};
    int64_t count;
    const uint32_t *density = array(&r, "density", "u4", &count);
    assert_int_equal(number(&r, "bins"), 64);
    assert_int_equal(number(&r, "stride"), 1);
    for (int64_t u = 0; u < LAND; u++)
        wanted[bin_of(u, 1, 64) * 64 + bin_of(u, 0, 64)]++;
    assert_int_equal(count, COUNT(wanted));
    assert_memory_equal(density, wanted, sizeof wanted);
    const float *x = array(&r, "px", "f4", &count), *y = array(&r, "py", "f4", &count);
    assert_int_equal(count, LAND);
    for (int64_t u = 0; u < LAND; u++) {
        assert_near(x[u], value_of(u, 0), 1e-5);
        assert_near(y[u], value_of(u, 1), 1e-5);
    }
    drop(&r);
    r = ask("lens_view", "axes=1"); /* one of them */
    const uint32_t *all = array(&r, "all", "u4", &count);
    memset(wanted, 0, sizeof wanted);
    for (int64_t u = 0; u < LAND; u++)
        wanted[bin_of(u, 1, 64)]++;
    assert_int_equal(count, 64);
    assert_memory_equal(all, wanted, 64 * sizeof *wanted);
    drop(&r);
    r = ask("lens_view", "axes=1,0"); /* and both the other way round */
    x = array(&r, "px", "f4", &count);
    for (int64_t u = 0; u < LAND; u++)
        assert_near(x[u], value_of(u, 1), 1e-5);
    const json_t *axis = json_array_get(json_object_get(r.json, "axes"), 1);
    assert_int_equal(integer_of(axis, "number"), 0);
    assert_string_equal(text(axis, "name"), "east");
    assert_near(real_of(axis, "low"), -20, 0);
    assert_near(real_of(axis, "high"), 20, 0);
    drop(&r);
    drop(&picture);
}

/* ---- cells ---- */

/* Cells in their order, by the first axis and then by the second, reach as far as their members. */
static void assert_cells(const char *settings, const int shown[2], int axes) {
    const dgm_summary_clusters is = clusters_of(explorer);
    reply r = ask("lens_view", settings);
    int64_t count, cells = 0;
    const uint32_t *cell_of = array(&r, "mark_cell", "u4", &count);
    const float *low = array(&r, "low", "f4", &count), *high = array(&r, "high", "f4", &count);
    for (int x = 0; x < 200; x++)
        for (int y = 0; y < 8; y++) {
            double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
            bool found = false;
            for (int64_t c = 0; c < is.count; c++) {
                const int32_t *cell = is.cells + c * is.axes;
                bool product = is.axes == 2;
                if (cell[product ? shown[0] : 0] != x ||
                    (product && axes == 2 ? cell[shown[1]] : 0) != y)
                    continue;
                found = true;
                assert_int_equal(cell_of[c], cells);
                for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++)
                    for (int a = 0; a < axes; a++) {
                        least[a] = fmin(least[a], value_of(is.members[i], shown[a]));
                        most[a] = fmax(most[a], value_of(is.members[i], shown[a]));
                    }
            }
            for (int a = 0; found && a < axes; a++) {
                assert_near(low[cells * axes + a], least[a], 1e-5);
                assert_near(high[cells * axes + a], most[a], 1e-5);
            }
            cells += found;
        }
    assert_int_equal(number(&r, "cells"), cells);
    assert_int_equal(count, cells * axes);
    drop(&r);
}

static void cells_reach_as_far_as_their_members(void **state) {
    (void)state;
    static const int both[] = {0, 1}, swapped[] = {1, 0};
    reply picture = ask("picture", settled);
    assert_cells("", both, 2);
    assert_cells("axes=1,0", swapped, 2);
    assert_cells("axes=0", both, 1);
    assert_cells("axes=1", swapped, 1);
    drop(&picture);
    picture = ask("picture", "cover=balls:radius=5"); /* cells with a number alone */
    assert_int_equal(clusters_of(explorer).axes, 1);
    assert_cells("", both, 2);
    assert_cells("axes=1", swapped, 1);
    drop(&picture);
}

static void dust_has_no_cell(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4,4&overlap=0.3&dust=fold&dust-size=3&edges=nerve");
    reply r = ask("lens_view", "");
    int64_t marks, count;
    const uint8_t *pile = array(&picture, "pile", "u1", &marks);
    const uint32_t *cell = array(&r, "mark_cell", "u4", &count);
    assert_int_equal(count, marks);
    for (int64_t i = 0; i < marks; i++)
        assert_int_equal(cell[i] == UINT32_MAX, pile[i]);
    drop(&r);
    drop(&picture);
}

/* ---- colours ---- */

static int hex_of(const json_t *colour, int part) {
    char two[3] = {0};
    memcpy(two, json_string_value(colour) + 1 + 2 * part, 2);
    return (int)strtol(two, NULL, 16);
}

/* The colour of every mark lies between the two colours of the legend beside its value. */
static void assert_ramp(const reply *picture, const double *values) {
    const json_t *legend = json_object_get(picture->json, "legend");
    const json_t *colours = json_object_get(legend, "colours");
    const double low = real_of(legend, "low"), high = real_of(legend, "high");
    int64_t count;
    const uint8_t *fill = array(picture, "fill", "u1", &count);
    assert_string_equal(text(legend, "kind"), "ramp");
    assert_int_equal(json_array_size(colours), 32);
    for (int64_t m = 0; m < count / 3; m++) {
        double at = (values[m] - low) / (high - low) * 31;
        if (isnan(at))
            continue;
        const json_t *a = json_array_get(colours, (size_t)floor(at));
        const json_t *b = json_array_get(colours, (size_t)ceil(at));
        for (int part = 0; part < 3; part++) {
            int p = hex_of(a, part), q = hex_of(b, part), is = fill[3 * m + part];
            assert_true(is >= (p < q ? p : q) - 1 && is <= (p < q ? q : p) + 1);
        }
    }
}

static void a_ramp_shows_the_colours_of_its_marks(void **state) {
    (void)state;
    dgm_matrix *line = build_matrix(LAND, 1, NULL);
    dgm_explorer_lens lens;
    double values[LAND];
    int64_t unknown = 0;
    for (int u = 0; u < LAND; u++)
        dgm_matrix_values_mutable(line)[u] = value_of(u, 0);
    dgm_explorer_lens_init(&lens);
    lens.axes = line;
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    reply r = ask("picture", "intervals=7&overlap=0.2&colour=lens&dust=show");
    const dgm_summary_clusters is = clusters_of(explorer);
    assert_true(is.count <= LAND);
    for (int64_t c = 0; c < is.count; c++)
        values[c] = is.lens[c];
    assert_ramp(&r, values);
    assert_true(json_is_null(json_object_get(json_object_get(r.json, "legend"), "middle")));
    drop(&r);
    r = ask("picture", "colour=attr:age");
    for (int64_t c = 0; c < is.count; c++) {
        double sum = 0, known = 0;
        for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++)
            if (!isnan(ages[is.members[i]]))
                sum += ages[is.members[i]], known++;
        values[c] = known > 0 ? sum / known : NAN;
        unknown += known == 0;
    }
    assert_ramp(&r, values);
    assert_int_equal(integer_of(json_object_get(r.json, "legend"), "unknown"), unknown);
    drop(&r);
    dgm_explorer_free(explorer);
    explorer = NULL;
    dgm_matrix_free(line);
}

static void an_axis_reaches_from_its_least_to_its_largest_value(void **state) {
    (void)state;
    dgm_matrix *far = build_matrix(LAND, 2, NULL);
    dgm_explorer_lens lens;
    for (int u = 0; u < LAND; u++) {
        dgm_matrix_values_mutable(far)[2 * u] = 5 + u % 7;
        dgm_matrix_values_mutable(far)[2 * u + 1] = -5 - u % 9;
    }
    dgm_explorer_lens_init(&lens);
    lens.axes = far;
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    reply picture = ask("picture", settled), r = ask("lens_view", "");
    const json_t *axes = json_object_get(r.json, "axes");
    assert_near(real_of(json_array_get(axes, 0), "low"), 5, 0);
    assert_near(real_of(json_array_get(axes, 0), "high"), 11, 0);
    assert_near(real_of(json_array_get(axes, 1), "low"), -13, 0);
    assert_near(real_of(json_array_get(axes, 1), "high"), -5, 0);
    drop(&r);
    drop(&picture);
    dgm_explorer_free(explorer);
    explorer = NULL;
    dgm_matrix_free(far);
}

static void a_scale_of_mistakes_has_its_middle_at_none(void **state) {
    (void)state;
    give_plane(explorer, said);
    reply r = ask("picture", "intervals=4,3&colour=error");
    const json_t *legend = json_object_get(r.json, "legend");
    assert_near(real_of(legend, "middle"), 0, 0);
    assert_near(real_of(legend, "low"), 0, 0);
    assert_true(real_of(legend, "high") > 0);
    drop(&r);
}

static void a_square_has_eight_colours_a_side(void **state) {
    (void)state;
    reply r = ask("picture", "intervals=4,3&overlap=0.3&colour=lens&style=default");
    const json_t *legend = json_object_get(r.json, "legend");
    const json_t *colours = json_object_get(legend, "colours");
    assert_string_equal(json_string_value(json_array_get(json_object_get(legend, "axes"), 0)),
                        "east");
    assert_int_equal(json_array_size(json_object_get(legend, "axes")), 2);
    assert_int_equal(json_array_size(colours), 8);
    for (size_t y = 0; y < 8; y++) {
        assert_int_equal(json_array_size(json_array_get(colours, y)), 8);
        for (size_t x = 0; x < 8; x++) {
            dgmi_draw_colour is =
                dgmi_draw_square_at(DGM_STYLE_DEFAULT, (double)x / 7, (double)y / 7);
            const json_t *said_so = json_array_get(json_array_get(colours, y), x);
            assert_int_equal(hex_of(said_so, 0), is.red);
            assert_int_equal(hex_of(said_so, 1), is.green);
            assert_int_equal(hex_of(said_so, 2), is.blue);
        }
    }
    drop(&r);
}

static void a_list_of_classes_has_colours_shapes_and_members(void **state) {
    (void)state;
    reply r = ask("picture", "intervals=4,3&overlap=0.3&colour=labels&dust=show");
    const dgm_summary_clusters is = clusters_of(explorer);
    const json_t *legend = json_object_get(r.json, "legend"), *entry;
    int64_t count;
    size_t i;
    const uint8_t *fill = array(&r, "fill", "u1", &count);
    const uint8_t *shape = array(&r, "shape", "u1", &count);
    const json_t *names = json_object_get(r.json, "names");
    assert_string_equal(text(legend, "kind"), "classes");
    int found = 0;
    json_array_foreach(json_object_get(legend, "entries"), i, entry) {
        int64_t members = 0, class_index = -1;
        for (int c = 0; c < 3; c++)
            if (strcmp(text(entry, "name"), class_names[c]) == 0)
                class_index = c;
        if (class_index < 0)
            continue;
        found++;
        for (int64_t k = 0; k < is.offsets[is.count]; k++)
            members += labels[is.members[k]] == class_index;
        assert_int_equal(integer_of(entry, "members"), members);
        for (int64_t m = 0; m < count; m++) {
            bool most = false;
            for (int64_t k = is.offsets[m]; k < is.offsets[m + 1]; k++)
                most = most || labels[is.members[k]] >= 0;
            if (!most || strcmp(json_string_value(json_array_get(names, (size_t)m)),
                                class_names[class_index]) != 0)
                continue;
            for (int part = 0; part < 3; part++)
                assert_int_equal(fill[3 * m + part],
                                 hex_of(json_object_get(entry, "colour"), part));
            assert_int_equal(shape[m], integer_of(entry, "shape"));
        }
    }
    assert_int_equal(found, 3);
    drop(&r);
}

/* ---- which nodes ---- */

static void assert_selected(const char *settings, const bool wanted[LAND]) {
    char all[128];
    snprintf(all, sizeof all, "%s&count=1000", settings);
    reply r = ask("members", all);
    const json_t *rows = json_object_get(r.json, "rows"), *row;
    size_t i;
    int64_t total = 0;
    for (int u = 0; u < LAND; u++)
        total += wanted[u];
    assert_int_equal(number(&r, "total"), total);
    assert_true(total > 0);
    json_array_foreach(rows, i, row) {
        int64_t node = integer_of(row, "node");
        assert_true(wanted[node]);
        for (int a = 0; a < 2; a++)
            assert_near(item(row, "lens", (size_t)a), value_of(node, a), 0);
    }
    drop(&r);
}

static void boxes_and_columns_know_both_axes(void **state) {
    (void)state;
    bool box[LAND], turned[LAND], north[LAND];
    reply picture = ask("picture", settled);
    for (int u = 0; u < LAND; u++) {
        double x = value_of(u, 0), y = value_of(u, 1);
        box[u] = x >= -5 && x <= 10 && y >= 3 && y <= 20;
        turned[u] = y >= -5 && y <= 10 && x >= 3 && x <= 20;
        north[u] = y >= 3 && y <= 20;
    }
    assert_selected("box=-5,10,3,20", box);
    assert_selected("box=-5,10,3,20&axes=1,0", turned);
    assert_selected("box=3,20&axes=1", north);
    assert_selected("where=2:3:20", north); /* degree, east, north */
    drop(&picture);
}

static void wrong_axes_and_columns_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"box=1,2,3,4,5",    "box=1,2,3",      "box=1,2&axes=2",
                                        "box=1,2,3&axes=0", "where=7:0:1",    "where=7=0",
                                        "where=3:0:1",      "where=1=0",      "where=1",
                                        "where=1-0:1",      "where=1:0:1:2x", "where=1:a:2"};
    dgm_answer bytes;
    reply picture = ask("picture", settled);
    for (int64_t i = 0; i < COUNT(wrong); i++)
        if (dgm_explorer_ask(ctx, explorer, "select", wrong[i], &bytes) != DGM_ERROR_USAGE)
            fail_msg("'%s' was not refused", wrong[i]);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "lens_view", "axes=0,2", &bytes), DGM_ERROR_USAGE,
                 "axes is one number or two, from 0 to 1, not '0,2'");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "select", "where=9:0:1", &bytes), DGM_ERROR_USAGE,
                 "where is a list such as 3:0.5:1.5;4=2, not '9:0:1'");
    drop(&picture);
}

/* A pile stands for all clusters in it, and there is no mark behind the last. */
static void a_mark_means_all_clusters_of_its_pile(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4,4&overlap=0.3&dust=fold&dust-size=3&edges=nerve");
    const dgm_view *view = view_of(explorer);
    const dgm_summary_clusters is = clusters_of(explorer);
    int64_t marks;
    const uint32_t *cluster = array(&picture, "cluster", "u4", &marks);
    char settings[32];
    for (int64_t m = 0; m < marks; m++) {
        bool wanted[LAND] = {false};
        for (int64_t c = 0; c < is.count; c++)
            for (uint32_t u = 0; u < LAND; u++)
                if (c == cluster[m] || (!dgmi_draw_view_is_plain(view, cluster[m]) &&
                                        view->dust->pile[c] == view->dust->pile[cluster[m]]))
                    wanted[u] = wanted[u] || is_in(&is, c, u);
        snprintf(settings, sizeof settings, "mark=%d", (int)m);
        assert_selected(settings, wanted);
        reply r = ask("select", settings); /* every membership is a hit of the mark that shows it */
        int64_t count;
        const uint32_t *hits = array(&r, "hits", "u4", &count);
        assert_int_equal(count, marks);
        for (int64_t k = 0; k < marks; k++) {
            uint32_t hit = 0;
            for (int64_t c = 0; c < is.count; c++)
                for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++)
                    hit += wanted[is.members[i]] &&
                           (c == cluster[k] ||
                            (!dgmi_draw_view_is_plain(view, c) &&
                             view->dust->piles[view->dust->pile[c]].first == cluster[k]));
            assert_int_equal(hits[k], hit);
        }
        drop(&r);
    }
    dgm_answer bytes;
    snprintf(settings, sizeof settings, "mark=%d", (int)marks);
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "select", settings, &bytes), DGM_ERROR_USAGE);
    drop(&picture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bins_hold_both_ends_of_their_range),
        WITH_LAND(a_plane_is_counted_in_squares),
        WITH_LAND(cells_reach_as_far_as_their_members),
        WITH_LAND(dust_has_no_cell),
        WITH_LAND(a_ramp_shows_the_colours_of_its_marks),
        WITH_LAND(an_axis_reaches_from_its_least_to_its_largest_value),
        WITH_LAND(a_scale_of_mistakes_has_its_middle_at_none),
        WITH_LAND(a_square_has_eight_colours_a_side),
        WITH_LAND(a_list_of_classes_has_colours_shapes_and_members),
        WITH_LAND(boxes_and_columns_know_both_axes),
        WITH_LAND(wrong_axes_and_columns_are_refused),
        WITH_LAND(a_mark_means_all_clusters_of_its_pile),
    };
    return RUN_WITH_CONTEXT(tests);
}
