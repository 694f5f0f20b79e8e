/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a graph with everything that their nodes have, single nodes in their colours, pins that
 * hold what has most of their members, and lenses of so many nodes that only some are told. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "draw_view.h"
#include "explore_explorer.h"
#include "explore_land.h"

static const char settled[] = "intervals=4,3&overlap=0.3&dust=show&edges=nerve&cold=1";

/* ---- a part ---- */

/* The path with its two axes, their names, its classes, predictions, attributes and features. */
static void a_part_has_what_its_nodes_have(void **state) {
    (void)state;
    reply r = ask("picture", settled);
    drop(&r);
    r = ask("focus", "where=2:20:20"); /* the path lies at 20, and two of the pairs */
    const dgm_graph *part = dgm_explorer_graph(explorer);
    const json_t *start_axes = json_object_get(json_object_get(r.json, "lens"), "axes");
    const json_t *levels = json_object_get(r.json, "levels");
    const dgm_graph_features all = dgm_graph_get_features(land);
    const dgm_graph_features own = dgm_graph_get_features(part);
    uint32_t at = 0;
    assert_string_equal(text(json_array_get(start_axes, 1), "name"), "north");
    assert_string_equal(text(json_array_get(start_axes, 1), "transform"), "rank");
    assert_string_equal(text(json_array_get(start_axes, 0), "transform"), "none");
    assert_near(real_of(json_array_get(start_axes, 1), "low"), 20, 0);
    assert_int_equal(own.width, WIDTH);
    for (uint32_t u = 0; u < LAND; u++) {
        if (value_of(u, 1) != 20)
            continue;
        assert_int_equal(dgm_graph_labels(part)[at] >= 0, labels[u] >= 0);
        assert_int_equal(own.offsets[at + 1] - own.offsets[at], 3);
        for (int k = 0; k < 3; k++)
            assert_int_equal(own.columns[own.offsets[at] + k], all.columns[all.offsets[u] + k]);
        const double age = dgm_graph_attribute(part, 0).numbers[at];
        assert_true(isnan(ages[u]) ? isnan(age) : age == ages[u]);
        at++;
    }
    assert_int_equal(dgm_graph_nodes(part), at);
    assert_string_equal(text(json_array_get(levels, 0), "title"), "land");
    assert_int_equal(integer_of(json_array_get(levels, 0), "nodes"), LAND);
    assert_int_equal(integer_of(json_array_get(levels, 0), "edges"), dgm_graph_edges(land));
    assert_int_equal(integer_of(json_array_get(levels, 1), "nodes"), at);
    assert_int_equal(integer_of(json_array_get(levels, 1), "edges"), dgm_graph_edges(part));
    drop(&r);
    r = ask("picture", "colour=prediction");
    reply rows = ask("members", "where=0:0:9&count=1000");
    const json_t *row;
    size_t i;
    json_array_foreach(json_object_get(rows.json, "rows"), i, row) {
        int64_t node = strtol(text(row, "name"), NULL, 10);
        const char *guess = text(row, "prediction"), *label = text(row, "label");
        assert_near(item(row, "lens", 0), value_of(node, 0), 0);
        assert_near(item(row, "lens", 1), 20, 0);
        assert_int_equal(guess != NULL, guesses[node] >= 0);
        assert_int_equal(label != NULL, labels[node] >= 0);
        if (guess)
            assert_string_equal(guess, class_names[guesses[node]]);
    }
    drop(&rows);
    drop(&r);
}

/* What is dust goes by the number of nodes, and is not taken into a part; other settings are. */
static void a_part_has_its_own_dust(void **state) {
    (void)state;
    reply r = ask("picture", "intervals=4,3&dust=fold&dust-size=9&attach=true&min-size=2");
    drop(&r);
    r = ask("focus", "nodes=0,1,2,3");
    const json_t *settings = json_object_get(r.json, "settings");
    assert_string_equal(text(settings, "dust-size"), "5");
    assert_string_equal(text(settings, "dust"), "fold");
    assert_string_equal(text(settings, "attach"), "true");
    assert_string_equal(text(settings, "min-size"), "2");
    drop(&r);
}

/* No two pictures have one number, whichever way one goes. */
static void pictures_inside_and_outside_have_different_numbers(void **state) {
    (void)state;
    dgm_answer bytes;
    int64_t last = 0;
    for (int round = 0; round < 3; round++) {
        reply r = ask("picture", settled);
        assert_true(number(&r, "serial") > last);
        last = number(&r, "serial");
        drop(&r);
        r = ask("focus", "nodes=0,1,2,3,4,5");
        drop(&r);
        r = ask("picture", "");
        assert_true(number(&r, "serial") > last);
        last = number(&r, "serial");
        drop(&r);
        r = ask("back", "level=0");
        drop(&r);
        char old[64];
        snprintf(old, sizeof old, "cluster=0&serial=%d", (int)last);
        assert_int_equal(dgm_explorer_ask(ctx, explorer, "cluster", old, &bytes),
                         DGM_ERROR_CANCELLED);
    }
}

static void parts_of_parts_come_to_an_end(void **state) {
    (void)state;
    dgm_answer bytes;
    for (int level = 0; level < 15; level++) {
        reply r = ask("picture", "");
        drop(&r);
        r = ask("focus", "nodes=0,1,2");
        assert_int_equal(json_array_size(json_object_get(r.json, "levels")), level + 2);
        drop(&r);
    }
    reply r = ask("picture", "");
    drop(&r);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "focus", "nodes=0", &bytes), DGM_ERROR_USAGE,
                 "this is the 15th part of a part: go back first");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "back", "level=16", &bytes), DGM_ERROR_USAGE,
                 "level is from 0 to 15, not 16");
    r = ask("back", "level=15"); /* where one is */
    assert_int_equal(dgm_explorer_level(explorer), 15);
    drop(&r);
    r = ask("back", "level=14");
    assert_int_equal(dgm_explorer_level(explorer), 14);
    drop(&r);
}

/* ---- single nodes ---- */

/* A node has the colour that marks of its class have. */
static void single_nodes_have_the_colours_of_the_picture(void **state) {
    (void)state;
    reply picture =
        ask("picture", "intervals=4,3&overlap=0.3&dust=show&edges=nerve&colour=labels&cold=1");
    reply r = ask("subgraph", "where=0:0:9"), points = ask("lens_view", "");
    int64_t count, marks;
    const uint8_t *fill = array(&r, "fill", "u1", &count);
    const uint8_t *pfill = array(&points, "pfill", "u1", &count);
    const uint8_t *of_mark = array(&picture, "fill", "u1", &marks);
    const json_t *names = json_object_get(picture.json, "names");
    const uint32_t *size = array(&r, "size", "u4", &count);
    assert_int_equal(count, LAND);
    for (int64_t u = 0; u < LAND; u++) {
        assert_int_equal(size[u], 1);
        if (labels[u] < 0)
            continue;
        assert_memory_equal(fill + 3 * u, pfill + 3 * u, 3);
        const dgm_summary_clusters is = clusters_of(explorer);
        for (int64_t m = 0; m < marks / 3; m++) {
            int64_t known = 0;
            for (int64_t i = is.offsets[m]; i < is.offsets[m + 1]; i++)
                known += labels[is.members[i]] >= 0;
            if (known && strcmp(json_string_value(json_array_get(names, (size_t)m)),
                                class_names[labels[u]]) == 0)
                assert_memory_equal(fill + 3 * u, of_mark + 3 * m, 3);
        }
    }
    drop(&points);
    drop(&r);
    r = ask("subgraph", "where=0:0:9&colour=attr:age"); /* a colour of its own */
    assert_string_equal(text(json_object_get(r.json, "legend"), "kind"), "ramp");
    drop(&r);
    drop(&picture);
}

/* Single nodes are laid out by stress, however the picture is. */
static void single_nodes_have_a_layout_of_their_own(void **state) {
    (void)state;
    static const char *const layouts[] = {"layout=stress&cold=1", "layout=circular&cold=1"};
    reply r[2];
    int64_t count;
    for (int k = 0; k < 2; k++) {
        reply picture = ask("picture", layouts[k]);
        r[k] = ask("subgraph", "where=0:0:9");
        drop(&picture);
    }
    for (int axis = 0; axis < 2; axis++)
        assert_memory_equal(array(&r[0], axis ? "y" : "x", "f4", &count),
                            array(&r[1], axis ? "y" : "x", "f4", &count), LAND * sizeof(float));
    drop(&r[0]);
    drop(&r[1]);
}

/* Single nodes have no mixture: they take the colour of their marks, and grey where they have
 * none. */
static void nodes_without_a_value_take_the_colour_of_their_mark(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4,4&overlap=0.3&dust=drop&dust-size=3&edges=nerve&"
                                   "colour=entropy&cold=1");
    reply r = ask("lens_view", "");
    int64_t count, nowhere = 0;
    const uint8_t *fill = array(&r, "pfill", "u1", &count);
    const uint32_t *mark = array(&r, "pmark", "u4", &count);
    const uint8_t *of_mark = array(&picture, "fill", "u1", &count);
    static const uint8_t grey[] = {128, 128, 128};
    for (int64_t u = 0; u < LAND; u++) {
        assert_memory_equal(fill + 3 * u,
                            mark[u] == UINT32_MAX ? grey : of_mark + 3 * (int64_t)mark[u], 3);
        nowhere += mark[u] == UINT32_MAX;
    }
    assert_true(nowhere > 0);
    drop(&r);
    drop(&picture);
}

/* 20,000 nodes are points, of more every second, third and so on. */
static void of_many_nodes_some_are_points(void **state) {
    (void)state;
    for (int64_t nodes = 20000; nodes <= 20001; nodes++) {
        static const uint32_t ends[] = {0, 1};
        dgm_graph *many = build_graph(NULL, nodes, 1, ends, NULL);
        dgm_matrix *line = build_matrix(nodes, 1, NULL);
        dgm_explorer *wide;
        dgm_explorer_lens lens;
        int64_t count, stride = nodes - 19999;
        for (int64_t u = 0; u < nodes; u++)
            dgm_matrix_values_mutable(line)[u] = (double)u;
        assert_int_equal(dgm_explorer_create(ctx, many, &wide), DGM_OK);
        dgm_explorer_lens_init(&lens);
        lens.axes = line;
        assert_int_equal(dgm_explorer_set_lens(ctx, wide, &lens), DGM_OK);
        reply r = ask_of(wide, "picture", "cluster=none&intervals=2&overlap=0");
        drop(&r);
        r = ask_of(wide, "lens_view", "");
        const uint32_t *node = array(&r, "pnode", "u4", &count);
        const float *x = array(&r, "px", "f4", &count);
        const uint32_t *mark = array(&r, "pmark", "u4", &count);
        assert_int_equal(number(&r, "stride"), stride);
        assert_int_equal(count, stride == 1 ? 20000 : 10001);
        for (int64_t i = 0; i < count; i++) {
            assert_int_equal(node[i], i * stride);
            assert_near(x[i], (double)(i * stride), 0);
            assert_int_equal(mark[i], 2 * i * stride >= nodes - 1);
        }
        array(&r, "pfill", "u1", &count);
        assert_int_equal(count, 3 * (stride == 1 ? 20000 : 10001));
        drop(&r);
        dgm_explorer_free(wide);
        dgm_matrix_free(line);
        dgm_graph_free(many);
    }
}

/* ---- pins ---- */

static void pin(int64_t cluster, double x, double y) {
    char settings[64];
    snprintf(settings, sizeof settings, "cluster=%d&x=%g&y=%g", (int)cluster, x, y);
    reply r = ask("pin", settings);
    drop(&r);
}

static bool is_pinned_at(int64_t cluster, double x, double y) {
    reply r = ask("picture", "");
    int64_t count;
    const uint8_t *pinned = array(&r, "pinned", "u1", &count);
    const float *px = array(&r, "x", "f4", &count), *py = array(&r, "y", "f4", &count);
    bool is = pinned[cluster] && px[cluster] == (float)x && py[cluster] == (float)y;
    drop(&r);
    return is;
}

/* Of three pins each in turn is taken out, and the two others stay. */
static void a_pin_that_goes_leaves_the_others(void **state) {
    (void)state;
    reply r = ask("picture", settled);
    drop(&r);
    for (int64_t gone = 0; gone < 3; gone++) {
        char settings[32];
        for (int64_t c = 0; c < 3; c++)
            pin(c, (double)c + 0.5, -(double)c - 0.25);
        snprintf(settings, sizeof settings, "cluster=%d&off=1", (int)gone);
        r = ask("pin", settings);
        assert_int_equal(number(&r, "pins"), 2);
        drop(&r);
        for (int64_t c = 0; c < 3; c++)
            assert_int_equal(is_pinned_at(c, (double)c + 0.5, -(double)c - 0.25), c != gone);
        r = ask("pin", "off=1");
        drop(&r);
    }
}

/* Nodes of a mark that was pinned stand where it stands, for the next picture to start from. */
static void nodes_go_with_their_pin(void **state) {
    (void)state;
    reply r = ask("picture", settled);
    drop(&r);
    const dgm_summary_clusters is = clusters_of(explorer);
    pin(0, 77, -33);
    for (uint32_t u = 0; u < LAND; u++) {
        bool alone = is_in(&is, 0, u);
        for (int64_t c = 1; c < is.count; c++)
            alone = alone && !is_in(&is, c, u);
        if (alone) {
            assert_near(explorer->node[2 * u], 77, 1e-9);
            assert_near(explorer->node[2 * u + 1], -33, 1e-9);
        }
    }
    r = ask("picture", "");
    drop(&r);
}

static void places_on_the_map_have_an_end(void **state) {
    (void)state;
    dgm_answer bytes;
    reply r = ask("picture", settled);
    drop(&r);
    pin(0, 999999, -999999);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "pin", "cluster=0&x=1e6&y=0", &bytes),
                 DGM_ERROR_USAGE, "the question needs x, a place on the map");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "pin", "cluster=0&x=0&y=-1e6", &bytes),
                 DGM_ERROR_USAGE, "the question needs y, a place on the map");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "pin", "cluster=0&off=2", &bytes), DGM_ERROR_USAGE,
                 "off is from 0 to 1, not 2");
}

/* ---- pins on a graph of eight nodes ---- */

typedef struct eight {
    dgm_graph *graph;
    dgm_matrix *line;
    dgm_explorer *explorer;
} eight;

static const double halves[] = {0, 0, 0, 0, 1, 1, 1, 1};

static eight open_eight(int64_t edges, const uint32_t *ends) {
    eight of = {build_graph(NULL, 8, edges, ends, NULL), build_matrix(8, 1, NULL), NULL};
    assert_int_equal(dgm_explorer_create(ctx, of.graph, &of.explorer), DGM_OK);
    return of;
}

static eight open_path(void) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7};
    return open_eight(7, ends);
}

static void close_eight(eight *of) {
    dgm_explorer_free(of->explorer);
    dgm_matrix_free(of->line);
    dgm_graph_free(of->graph);
}

/* By these values, into intervals that do not overlap. */
static void cut_eight(eight *of, int intervals, const double *values) {
    char settings[64];
    dgm_explorer_lens lens;
    memcpy(dgm_matrix_values_mutable(of->line), values, 8 * sizeof *values);
    dgm_explorer_lens_init(&lens);
    lens.axes = of->line;
    assert_int_equal(dgm_explorer_set_lens(ctx, of->explorer, &lens), DGM_OK);
    snprintf(settings, sizeof settings, "intervals=%d&overlap=0&dust=show", intervals);
    reply r = ask_of(of->explorer, "picture", settings);
    drop(&r);
}

static int64_t which_is_pinned(dgm_explorer *path, int64_t *many) {
    reply r = ask_of(path, "picture", "");
    int64_t count, which = -1;
    const uint8_t *pinned = array(&r, "pinned", "u1", &count);
    *many = 0;
    for (int64_t i = 0; i < count; i++)
        if (pinned[i])
            which = i, ++*many;
    drop(&r);
    return which;
}

/* A pin holds a cluster that has more than half of the pin's nodes, or of whose nodes more than
 * half are the pin's; half is not enough. */
static void a_pin_holds_what_has_most_of_its_nodes(void **state) {
    (void)state;
    static const struct {
        double values[8];
        int64_t holds;
    } cuts[] = {
        {{0, 0, 0, 0, 0, 0, 1, 1}, 0}, /* all four of the pin among six */
        {{0, 0, 0, 1, 1, 1, 1, 1}, 0}, /* three of four, and nobody else */
        {{0, 0, 1, 1, 1, 1, 1, 1}, 0}, /* two alone, against two among six */
        {{0, 0, 2, 2, 2, 2, 2, 1}, 0}, /* likewise, of three clusters */
        {{0, 1, 1, 1, 2, 2, 2, 2}, 1}, /* three of four, against one */
        {{1, 1, 2, 2, 2, 2, 0, 0}, 1}, /* two alone; two among four are half of both */
        {{0, 0, 1, 1, 2, 2, 2, 2}, 0}, /* two alone, twice: the first has it */
    };
    for (int64_t k = 0; k < COUNT(cuts); k++) {
        eight path = open_path();
        int64_t many;
        cut_eight(&path, 2, halves);
        reply r = ask_of(path.explorer, "pin", "cluster=0&x=1&y=2");
        drop(&r);
        cut_eight(&path, k < 3 ? 2 : 3, cuts[k].values);
        assert_int_equal(which_is_pinned(path.explorer, &many), cuts[k].holds);
        assert_int_equal(many, 1);
        close_eight(&path);
    }
}

/* Two pins with as many nodes each: where both are in one cluster, the pin that was put first has
 * it, wherever its nodes stand. */
static void of_equal_pins_the_first_holds(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        eight path = open_path();
        int64_t count;
        cut_eight(&path, 2, halves);
        for (int k = 0; k < 2; k++) {
            reply r =
                ask_of(path.explorer, "pin",
                       (k == 0) == (first == 0) ? "cluster=0&x=10&y=11" : "cluster=1&x=20&y=21");
            assert_int_equal(number(&r, "pins"), k + 1);
            drop(&r);
        }
        cut_eight(&path, 1, halves);
        reply r = ask_of(path.explorer, "picture", "");
        const uint8_t *pinned = array(&r, "pinned", "u1", &count);
        assert_int_equal(count, 1);
        assert_int_equal(pinned[0], 1);
        assert_near(*(const float *)array(&r, "x", "f4", &count), first ? 20 : 10, 0);
        assert_near(*(const float *)array(&r, "y", "f4", &count), first ? 21 : 11, 0);
        drop(&r);
        close_eight(&path);
    }
}

/* Two pins that share nodes: these count for the pin that was put first. */
static void shared_nodes_are_those_of_the_first_pin(void **state) {
    (void)state;
    static const double values[] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int first = 0; first < 2; first++) {
        eight path = open_path();
        int64_t count;
        cut_eight(&path, 1, values);
        reply r = ask_of(path.explorer, "picture", "intervals=2&overlap=0.6");
        assert_int_equal(number(&r, "clusters"), 2);
        drop(&r);
        for (int k = 0; k < 2; k++) {
            r = ask_of(path.explorer, "pin",
                       k == first ? "cluster=0&x=10&y=11" : "cluster=1&x=20&y=21");
            drop(&r);
        }
        r = ask_of(path.explorer, "picture", "intervals=1&overlap=0");
        assert_near(*(const float *)array(&r, "x", "f4", &count), first ? 20 : 10, 0);
        drop(&r);
        close_eight(&path);
    }
}

/* Every second node of two halves is in a cluster with as many others: no pin has most of it. */
static void a_pin_of_half_holds_nothing(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 4, 4, 5, 2, 3, 3, 6, 6, 7, 0, 2, 4, 6};
    static const double mixed[] = {0, 0, 1, 1, 0, 0, 1, 1};
    eight net = open_eight(8, ends);
    int64_t many;
    cut_eight(&net, 2, halves);
    reply r = ask_of(net.explorer, "pin", "cluster=0&x=1&y=2");
    drop(&r);
    cut_eight(&net, 2, mixed);
    assert_int_equal(which_is_pinned(net.explorer, &many), -1);
    cut_eight(&net, 2, halves); /* and holds it again when it is back */
    assert_int_equal(which_is_pinned(net.explorer, &many), 0);
    close_eight(&net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LAND(a_part_has_what_its_nodes_have),
        WITH_LAND(a_part_has_its_own_dust),
        WITH_LAND(pictures_inside_and_outside_have_different_numbers),
        WITH_LAND(parts_of_parts_come_to_an_end),
        WITH_LAND(single_nodes_have_the_colours_of_the_picture),
        WITH_LAND(single_nodes_have_a_layout_of_their_own),
        WITH_LAND(nodes_without_a_value_take_the_colour_of_their_mark),
        cmocka_unit_test(of_many_nodes_some_are_points),
        WITH_LAND(a_pin_that_goes_leaves_the_others),
        WITH_LAND(nodes_go_with_their_pin),
        WITH_LAND(places_on_the_map_have_an_end),
        cmocka_unit_test(a_pin_holds_what_has_most_of_its_nodes),
        cmocka_unit_test(of_equal_pins_the_first_holds),
        cmocka_unit_test(shared_nodes_are_those_of_the_first_pin),
        cmocka_unit_test(a_pin_of_half_holds_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
