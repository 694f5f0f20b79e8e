/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the graph as its own graph, and the way back; marks that stay where they were put. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "explore_fixture.h"
#include "unit_faults.h"

/* ---- levels ---- */

static void a_part_is_a_graph_of_its_own(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=6&overlap=0.3&colour=labels");
    reply r = ask("focus", "box=0,12");
    const json_t *levels = json_object_get(r.json, "levels");
    assert_int_equal(json_array_size(levels), 2);
    assert_string_equal(text(json_array_get(levels, 1), "title"), "25 nodes");
    assert_int_equal(number(&r, "nodes"), 25); /* 0 to 12 and 48 to 59 */
    assert_int_equal(number(&r, "edges"), 24); /* the ring is cut open */
    assert_int_equal(dgm_explorer_level(explorer), 1);
    assert_int_equal(dgm_graph_nodes(dgm_explorer_graph(explorer)), 25);
    assert_true(json_is_true(json_object_get(r.json, "predictions")));
    assert_true(json_is_null(json_object_get(r.json, "reason")));
    assert_string_equal(text(json_object_get(r.json, "settings"), "intervals"), "6");
    drop(&r);

    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "cluster", "cluster=0", &bytes), DGM_ERROR_USAGE,
                 "there is no picture yet: ask for one first");
    reply inner = ask("picture", "");
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(inner.json, "topology"), "b1")), 0);
    assert_true(number(&inner, "serial") > number(&picture, "serial"));
    assert_true(json_is_null(json_object_get(inner.json, "command"))); /* no command makes it */
    r = ask("members", "nodes=24,12");
    const json_t *row = json_array_get(json_object_get(r.json, "rows"), 0);
    assert_string_equal(text(row, "name"), "59"); /* it has two neighbours, and keeps its name */
    assert_string_equal(text(row, "label"), "left");
    row = json_array_get(json_object_get(r.json, "rows"), 1);
    assert_string_equal(text(row, "name"), "12");
    drop(&r);

    r = ask("focus", "box=0,3"); /* a part of the part */
    assert_int_equal(json_array_size(json_object_get(r.json, "levels")), 3);
    assert_int_equal(number(&r, "nodes"), 7);
    drop(&r);
    r = ask("back", "level=0");
    assert_int_equal(number(&r, "nodes"), NODES);
    assert_int_equal(dgm_explorer_level(explorer), 0);
    drop(&r);
    char old[64];
    snprintf(old, sizeof old, "cluster=0&serial=%d", (int)number(&inner, "serial"));
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "cluster", old, &bytes), DGM_ERROR_CANCELLED);
    reply again = ask("picture", "");
    assert_int_equal(number(&again, "clusters"), number(&picture, "clusters"));
    assert_string_equal(text(again.json, "command"), text(picture.json, "command"));
    drop(&again);
    drop(&inner);
    drop(&picture);
}

static void wrong_ways_are_refused(void **state) {
    (void)state;
    dgm_answer bytes;
    reply picture = ask("picture", "");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "focus", "cluster=0&nodes=30", &bytes),
                 DGM_ERROR_USAGE, "there is no such node");
    assert_int_equal(dgm_explorer_level(explorer), 0);
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "focus", "", &bytes), DGM_ERROR_USAGE);
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "back", "level=1", &bytes), DGM_ERROR_USAGE);
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "back", "", &bytes), DGM_ERROR_USAGE);
    reply r = ask("back", "level=0"); /* nothing happens */
    drop(&r);
    r = ask("cluster", "cluster=0");
    assert_int_equal(number(&r, "serial"), number(&picture, "serial"));
    drop(&r);
    drop(&picture);
    for (int level = 1; level < 16; level++) { /* as deep as it goes */
        r = ask("focus", "nodes=0,1,2");
        drop(&r);
        r = ask("picture", "");
        drop(&r);
    }
    assert_int_equal(dgm_explorer_level(explorer), 15);
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "focus", "nodes=0", &bytes), DGM_ERROR_USAGE);
    r = ask("back", "level=3");
    assert_int_equal(dgm_explorer_level(explorer), 3);
    drop(&r);
}

/* A lens that is given now is that of the part, and so is the reason for it. */
static void a_part_may_have_a_lens_of_its_own(void **state) {
    (void)state;
    reply r = ask("picture", "intervals=4");
    drop(&r);
    assert_int_equal(dgm_explorer_set_choice(ctx, explorer, "\"reason\":\"whole\""), DGM_OK);
    r = ask("focus", "nodes=0,1,2,3");
    assert_true(json_is_null(json_object_get(r.json, "reason")));
    drop(&r);
    dgm_matrix *few = build_matrix(4, 1, NULL);
    dgm_explorer_lens lens;
    for (int i = 0; i < 4; i++)
        dgm_matrix_values_mutable(few)[i] = i;
    dgm_explorer_lens_init(&lens);
    lens.axes = few;
    lens.name = "few";
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    assert_int_equal(dgm_explorer_set_choice(ctx, explorer, "\"reason\":\"part\""), DGM_OK);
    r = ask("start", "");
    assert_string_equal(text(r.json, "reason"), "part");
    assert_string_equal(text(json_object_get(r.json, "lens"), "name"), "few");
    drop(&r);
    r = ask("back", "level=0");
    assert_string_equal(text(r.json, "reason"), "whole");
    assert_string_equal(text(json_object_get(r.json, "lens"), "name"), "round");
    drop(&r);
    dgm_matrix_free(few);
}

/* ---- pins ---- */

static int64_t count_pinned(const reply *picture, int64_t *which) {
    int64_t count, pinned = 0;
    const uint8_t *is = array(picture, "pinned", "u1", &count);
    for (int64_t i = 0; i < count; i++)
        if (is[i]) {
            *which = i;
            pinned++;
        }
    return pinned;
}

static void a_pinned_mark_stays(void **state) {
    (void)state;
    int64_t count, mark = -1;
    reply r = ask("picture", "intervals=6&overlap=0.3");
    assert_int_equal(count_pinned(&r, &mark), 0);
    drop(&r);
    r = ask("pin", "cluster=3&x=5.5&y=-7.25");
    assert_int_equal(number(&r, "pins"), 1);
    drop(&r);
    static const char *const later[] = {"colour=labels", "overlap=0.31", "overlap=0.35",
                                        "cold=1&min-size=2"};
    for (int64_t k = 0; k < COUNT(later); k++) {
        r = ask("picture", later[k]);
        assert_int_equal(count_pinned(&r, &mark), 1);
        assert_int_equal(mark, 3);
        const float *x = array(&r, "x", "f4", &count), *y = array(&r, "y", "f4", &count);
        assert_near(x[3], 5.5, 0);
        assert_near(y[3], -7.25, 0);
        drop(&r);
    }
    r = ask("pin", "cluster=3&x=1&y=2"); /* moved, not pinned twice */
    assert_int_equal(number(&r, "pins"), 1);
    drop(&r);
    r = ask("pin", "cluster=0&x=0&y=0");
    assert_int_equal(number(&r, "pins"), 2);
    drop(&r);
    r = ask("pin", "cluster=3&off=1");
    assert_int_equal(number(&r, "pins"), 1);
    drop(&r);
    r = ask("picture", "");
    assert_int_equal(count_pinned(&r, &mark), 1);
    assert_int_equal(mark, 0);
    drop(&r);
    r = ask("pin", "off=1");
    assert_int_equal(number(&r, "pins"), 0);
    drop(&r);
    r = ask("picture", "");
    assert_int_equal(count_pinned(&r, &mark), 0);
    drop(&r);
}

/* A pin whose cluster is no longer there holds nothing, and holds it again when it is back. */
static void a_pin_waits_for_its_cluster(void **state) {
    (void)state;
    int64_t mark = -1;
    reply r = ask("picture", "intervals=6&overlap=0.3&dust=show");
    int64_t clusters = number(&r, "clusters");
    drop(&r);
    for (int64_t c = 0; c < clusters; c++) {
        char settings[64];
        snprintf(settings, sizeof settings, "cluster=%d&x=%d&y=0", (int)c, (int)c);
        r = ask("pin", settings);
        assert_int_equal(number(&r, "pins"), c + 1);
        drop(&r);
    }
    r = ask("picture", "min-size=60");
    assert_int_equal(count_pinned(&r, &mark), 0);
    drop(&r);
    r = ask("picture", "min-size=1");
    assert_int_equal(count_pinned(&r, &mark), clusters);
    drop(&r);
    r = ask("picture", "intervals=1&overlap=0"); /* one cluster of all: the first pin has it */
    assert_true(count_pinned(&r, &mark) <= 1);
    drop(&r);
}

static void pins_come_to_an_end(void **state) {
    (void)state;
    dgm_answer bytes;
    reply r = ask("picture", "cover=balls:radius=0.1&dust=show"); /* a cell for each value */
    int64_t clusters = number(&r, "clusters");
    drop(&r);
    assert_true(clusters > 30);
    for (int round = 0; round < 12; round++) { /* other pictures, other clusters, more pins */
        char settings[64];
        for (int64_t c = 0; c < clusters; c++) {
            snprintf(settings, sizeof settings, "cluster=%d&x=%d&y=%d", (int)c, (int)c, round);
            if (dgm_explorer_ask(ctx, explorer, "pin", settings, &bytes) != DGM_OK) {
                assert_string_equal(dgm_context_error(ctx),
                                    "256 marks are pinned: let some of them go");
                return;
            }
            dgm_answer_free(ctx, &bytes);
        }
        snprintf(settings, sizeof settings, "cover=uniform&intervals=%d&overlap=0.45",
                 5 + 5 * round);
        r = ask("picture", settings);
        clusters = number(&r, "clusters");
        drop(&r);
    }
    fail_msg("pins did not come to an end");
}

static void dust_is_not_pinned(void **state) {
    (void)state;
    dgm_answer bytes;
    int64_t count, piles = 0;
    for (int i = 0; i < NODES; i++) /* scattered on one half of the ring */
        dgm_matrix_values_mutable(axes)[i] = i < NODES / 2 ? i : i * 37 % NODES;
    give_lens(ctx, explorer);
    reply r = ask("picture", "intervals=4&overlap=0.2&dust=fold&dust-size=4");
    const uint8_t *pile = array(&r, "pile", "u1", &count);
    const uint32_t *cluster = array(&r, "cluster", "u4", &count);
    for (int64_t i = 0; i < count; i++)
        if (pile[i]) {
            char settings[64];
            snprintf(settings, sizeof settings, "cluster=%u&x=0&y=0", cluster[i]);
            ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "pin", settings, &bytes), DGM_ERROR_USAGE,
                         "a mark of dust stays with its cluster");
            piles++;
        }
    assert_true(piles > 0);
    drop(&r);
}

static void wrong_pins_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "cluster=99&x=0&y=0",
                                        "cluster=0",
                                        "x=1&y=2",
                                        "cluster=0&x=a&y=1",
                                        "cluster=0&x=1e30&y=1",
                                        "cluster=0&x=nan&y=1"};
    reply picture = ask("picture", "");
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        dgm_answer bytes;
        if (dgm_explorer_ask(ctx, explorer, "pin", wrong[i], &bytes) != DGM_ERROR_USAGE)
            fail_msg("'%s' was not refused", wrong[i]);
    }
    drop(&picture);
}

static dgm_status go_in_and_out(dgm_context *own, void *argument) {
    static const char *const questions[][2] = {
        {"picture", "intervals=5"},    {"pin", "cluster=1&x=1&y=2"}, {"picture", "overlap=0.4"},
        {"focus", "clusters=0,1"},     {"picture", "intervals=3"},   {"pin", "cluster=0&x=0&y=0"},
        {"focus", "cluster=0&hops=1"}, {"back", "level=1"},          {"picture", ""}};
    (void)argument;
    return ask_in_turn(own, questions, COUNT(questions), predictions);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(go_in_and_out, NULL);
}

#define WITH_RING(test) cmocka_unit_test_setup_teardown(test, open_explorer, close_explorer)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_RING(a_part_is_a_graph_of_its_own),
        WITH_RING(wrong_ways_are_refused),
        WITH_RING(a_part_may_have_a_lens_of_its_own),
        WITH_RING(a_pinned_mark_stays),
        WITH_RING(a_pin_waits_for_its_cluster),
        WITH_RING(pins_come_to_an_end),
        WITH_RING(dust_is_not_pinned),
        WITH_RING(wrong_pins_are_refused),
        WITH_RING(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
