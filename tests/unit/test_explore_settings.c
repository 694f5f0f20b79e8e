/* SPDX-License-Identifier: Apache-2.0 */
/* What an explorer is set to, how it is undone and written as a command, what `start` tells of it;
 * and what other settings would show. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "explore_explorer.h"
#include "explore_land.h"
#include "workspace_workspace.h"

static void assert_setting(const char *name, const char *value) {
    reply r = ask("picture", "");
    assert_string_equal(text(json_object_get(r.json, "settings"), name), value);
    drop(&r);
}

/* ---- all or nothing ---- */

/* A cover of balls is refused while another system's rule for intervals is set, which may end
 * before it or behind it. */
static void a_setting_may_wait_for_another(void **state) {
    (void)state;
    static const char *const orders[] = {"cover=balls:radius=6&min-size=2&compat=gain",
                                         "compat=gain&min-size=2&cover=balls:radius=6"};
    for (int64_t i = 0; i < COUNT(orders); i++) {
        reply r = ask("picture", "cover=uniform&min-size=1&compat=kepler");
        drop(&r);
        r = ask("picture", orders[i]);
        const json_t *settings = json_object_get(r.json, "settings");
        assert_string_equal(text(settings, "cover"), "balls:radius=6");
        assert_string_equal(text(settings, "compat"), "gain");
        assert_string_equal(text(settings, "min-size"), "2");
        drop(&r);
    }
    dgm_answer bytes;
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "picture", "compat=kepler&min-size=3", &bytes),
                     DGM_ERROR_USAGE);
    assert_setting("compat", "gain");
    assert_setting("min-size", "2");
}

static void what_is_named_twice_is_put_back_once(void **state) {
    (void)state;
    dgm_answer bytes;
    reply r = ask("picture", "intervals=6&overlap=0.3");
    drop(&r);
    ASSERT_FAILS(
        dgm_explorer_ask(ctx, explorer, "picture", "intervals=9&intervals=8&overlap=7", &bytes),
        DGM_ERROR_USAGE, "overlap takes a number from 0 to 1, not '7'");
    assert_setting("intervals", "6");
    assert_setting("overlap", "0.3");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "picture", "min-size=4&overlap=7&eps=0.5", &bytes),
                 DGM_ERROR_USAGE, "overlap takes a number from 0 to 1, not '7'");
    assert_string_equal(dgm_context_error_parts(ctx).option, "overlap");
    assert_int_equal(dgm_context_error_parts(ctx).status, DGM_ERROR_USAGE);
    assert_setting("min-size", "1");
    assert_setting("eps", "0");
    assert_int_equal(dgm_explorer_workspace(explorer)->mapper_options.min_size, 1);
}

/* What was never set has no text to go back to: it stays, here and in the workspace. */
static void what_was_never_set_stays(void **state) {
    (void)state;
    dgm_answer bytes;
    assert_int_equal(
        dgm_explorer_ask(ctx, explorer, "picture", "colormap=cividis&overlap=7", &bytes),
        DGM_ERROR_USAGE);
    assert_setting("colormap", "cividis");
    assert_string_equal(dgm_explorer_workspace(explorer)->figure_options.colormap, "cividis");
    assert_int_equal(
        dgm_explorer_ask(ctx, explorer, "picture", "colormap=viridis&overlap=7", &bytes),
        DGM_ERROR_USAGE);
    assert_setting("colormap", "cividis");
    assert_string_equal(dgm_explorer_workspace(explorer)->figure_options.colormap, "cividis");
}

static void cold_is_no_setting_and_has_two_values(void **state) {
    (void)state;
    dgm_answer bytes;
    reply r = ask("picture", "cold=0");
    assert_null(json_object_get(json_object_get(r.json, "settings"), "cold"));
    drop(&r);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "picture", "cold=2", &bytes), DGM_ERROR_USAGE,
                 "cold is from 0 to 1, not 2");
}

/* ---- start ---- */

/* A page begins with what was set when the first picture was asked for. */
static void start_keeps_the_first_settings(void **state) {
    (void)state;
    assert_int_equal(dgm_explorer_set(ctx, explorer, "intervals", "5"), DGM_OK);
    reply r = ask("picture", "overlap=0.4");
    drop(&r);
    r = ask("picture", "intervals=7");
    assert_string_equal(text(json_object_get(r.json, "settings"), "intervals"), "7");
    drop(&r);
    r = ask("start", "");
    assert_string_equal(text(json_object_get(r.json, "settings"), "intervals"), "5");
    assert_string_equal(text(json_object_get(r.json, "settings"), "overlap"), "0.2");
    drop(&r);
    dgmi_explore_settings_renew(explorer);
    r = ask("start", "");
    assert_string_equal(text(json_object_get(r.json, "settings"), "intervals"), "7");
    drop(&r);
}

static void start_describes_every_option(void **state) {
    (void)state;
    static const char *const kinds[] = {"flag", "integer",  "real", "choice",
                                        "text", "integers", "reals"};
    reply r = ask("start", "");
    const json_t *options = json_object_get(r.json, "options");
    const dgm_option_table *table;
    size_t at = 0;
    for (size_t t = 0; (table = dgm_workspace_options_at(t)); t++)
        for (size_t k = 0; k < table->count; k++) {
            const dgm_option *option = &table->options[k];
            const json_t *is = json_array_get(options, at++);
            const json_t *choices = json_object_get(is, "choices");
            size_t count = 0;
            bool number = option->kind == DGM_OPTION_INTEGER || option->kind == DGM_OPTION_REAL ||
                          option->kind == DGM_OPTION_INTEGERS || option->kind == DGM_OPTION_REALS;
            assert_string_equal(text(is, "group"), table->title);
            assert_string_equal(text(is, "name"), option->name);
            assert_string_equal(text(is, "kind"), kinds[option->kind]);
            assert_string_equal(text(is, "help"), option->help);
            assert_int_equal(json_is_null(json_object_get(is, "default")), !option->default_text);
            if (option->default_text)
                assert_string_equal(text(is, "default"), option->default_text);
            assert_int_equal(json_is_true(json_object_get(is, "open_maximum")),
                             option->open_maximum);
            assert_int_equal(json_is_number(json_object_get(is, "minimum")), number);
            if (number) {
                assert_near(real_of(is, "minimum"), option->minimum, 0);
                if (isfinite(option->maximum))
                    assert_near(real_of(is, "maximum"), option->maximum, 0);
            }
            assert_int_equal(json_is_null(choices), !option->choices);
            for (; option->choices && option->choices[count]; count++)
                assert_string_equal(json_string_value(json_array_get(choices, count)),
                                    option->choices[count]);
            assert_int_equal(json_array_size(choices), count);
            assert_string_equal(text(json_object_get(r.json, "settings"), option->name),
                                option->default_text              ? option->default_text
                                : option->kind == DGM_OPTION_FLAG ? "false"
                                                                  : "");
        }
    assert_int_equal(json_array_size(options), at);
    drop(&r);
}

static void start_describes_the_graph(void **state) {
    (void)state;
    static const char *const colours[] = {"auto",    "lens",    "labels",   "prediction", "error",
                                          "entropy", "outward", "attr:age", "attr:kind"};
    reply r = ask("start", "");
    assert_string_equal(text(r.json, "title"), "land");
    assert_string_equal(text(r.json, "version"), dgm_version());
    assert_int_equal(number(&r, "nodes"), LAND);
    assert_int_equal(number(&r, "edges"), RING + PATH - 1 + PAIRS);
    const json_t *attributes = json_object_get(r.json, "attributes");
    assert_int_equal(json_array_size(attributes), 2);
    assert_string_equal(text(json_array_get(attributes, 0), "name"), "age");
    assert_string_equal(text(json_array_get(attributes, 0), "kind"), "number");
    assert_string_equal(text(json_array_get(attributes, 1), "kind"), "text");
    const json_t *classes = json_object_get(r.json, "classes");
    assert_int_equal(json_array_size(classes), 3);
    for (size_t c = 0; c < 3; c++)
        assert_string_equal(json_string_value(json_array_get(classes, c)), class_names[c]);
    const json_t *list = json_object_get(r.json, "colours");
    assert_int_equal(json_array_size(list), COUNT(colours));
    for (size_t i = 0; i < COUNT(colours); i++)
        assert_string_equal(text(json_array_get(list, i), "value"), colours[i]);
    const json_t *axes = json_object_get(json_object_get(r.json, "lens"), "axes");
    assert_int_equal(json_array_size(axes), 2);
    assert_string_equal(text(json_array_get(axes, 0), "transform"), "none");
    assert_string_equal(text(json_array_get(axes, 1), "transform"), "rank");
    for (size_t a = 0; a < 2; a++) {
        double low = INFINITY, high = -INFINITY;
        for (int u = 0; u < LAND; u++) {
            low = fmin(low, value_of(u, (int)a));
            high = fmax(high, value_of(u, (int)a));
        }
        assert_near(real_of(json_array_get(axes, a), "low"), low, 1e-12);
        assert_near(real_of(json_array_get(axes, a), "high"), high, 1e-12);
    }
    drop(&r);
    give_plane(explorer, NULL); /* no predictions, no mistakes */
    r = ask("start", "");
    assert_int_equal(json_array_size(json_object_get(r.json, "colours")), 7);
    assert_true(json_is_false(json_object_get(r.json, "predictions")));
    drop(&r);
}

/* A colouring that would be cut off is none. */
static void long_names_of_attributes_are_no_colours(void **state) {
    (void)state;
    for (size_t length = 250; length <= 251; length++) {
        char name[256] = "";
        double values[2] = {1, 2};
        static const uint32_t ends[] = {0, 1};
        dgm_graph *bare = build_graph(NULL, 2, 1, ends, NULL), *more;
        dgm_explorer *own;
        memset(name, 'x', length);
        const dgm_attribute added = {name, DGM_ATTRIBUTE_NUMBER, values, NULL};
        assert_int_equal(dgm_graph_with_attribute(ctx, bare, &added, &more), DGM_OK);
        assert_int_equal(dgm_explorer_create(ctx, more, &own), DGM_OK);
        reply r = ask_of(own, "start", "");
        assert_int_equal(json_array_size(json_object_get(r.json, "colours")),
                         length == 250 ? 4 : 3);
        drop(&r);
        dgm_explorer_free(own);
        dgm_graph_free(more);
        dgm_graph_free(bare);
    }
}

/* ---- the command ---- */

static void words_are_quoted_where_a_shell_needs_it(void **state) {
    (void)state;
    static const char *const wanted[][2] = {
        {"plain-1.5:a,b/c@d%e+f=g_H", "plain-1.5:a,b/c@d%e+f=g_H"},
        {"", "''"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"$x", "'$x'"}};
    for (int64_t i = 0; i < COUNT(wanted); i++) {
        dgmi_text words;
        dgmi_text_init(&words, ctx);
        dgmi_explore_append_word(&words, wanted[i][0]);
        assert_string_equal(words.data, wanted[i][1]);
        dgmi_text_free(&words);
    }
}

static void a_command_has_what_differs(void **state) {
    (void)state;
    reply r = ask("picture", "attach=true&min-size=2&transform=rank&dust=drop&colour=attr%3Aage");
    assert_string_equal(text(r.json, "command"),
                        "dgm map land --cover uniform --intervals 10 --overlap 0.2 --min-size 2 "
                        "--attach --colour attr:age --dust drop");
    const dgm_provenance *told = &dgm_explorer_workspace(explorer)->provenance;
    assert_string_equal(told->command, text(r.json, "command"));
    assert_string_equal(told->lens, "plane");
    drop(&r);
    r = ask("picture", "attach=false&min-size=1&transform=none&dust=auto&colour=lens");
    assert_string_equal(text(r.json, "command"),
                        "dgm map land --cover uniform --intervals 10 --overlap 0.2 --colour lens");
    drop(&r);
}

/* ---- other settings ---- */

static void assert_same_array(const reply *a, const reply *b, const char *name, const char *type) {
    int64_t count, other;
    const void *p = array(a, name, type, &count), *q = array(b, name, type, &other);
    assert_int_equal(count, other);
    assert_memory_equal(p, q, (size_t)(count * (type[1] - '0')));
}

/* All that is set holds for a thumbnail, but for what it is given. */
static void a_thumbnail_takes_over_what_is_set(void **state) {
    (void)state;
    reply r = ask("picture", "intervals=4,3&overlap=0.35&attach=true&min-size=3&colour=error&"
                             "dust=fold&dust-size=6&layout=circular&cold=1");
    reply small = ask("thumbnail", "overlap=0.35&serial=1");
    static const char *const same[][2] = {{"size", "u4"},  {"cluster", "u4"}, {"fill", "u1"},
                                          {"shape", "u1"}, {"pile", "u1"},    {"source", "u4"},
                                          {"target", "u4"}};
    static const char *const objects[] = {"coverage", "topology", "dust"};
    for (int64_t i = 0; i < COUNT(same); i++)
        assert_same_array(&r, &small, same[i][0], same[i][1]);
    for (int64_t i = 0; i < COUNT(objects); i++)
        assert_true(json_equal(json_object_get(r.json, objects[i]),
                               json_object_get(small.json, objects[i])));
    const json_t *arrays = json_object_get(small.json, "arrays");
    assert_null(json_object_get(arrays, "shared"));
    assert_null(json_object_get(arrays, "weight"));
    const json_t *given = json_object_get(small.json, "settings");
    assert_int_equal(json_object_size(given), 2);
    assert_string_equal(text(given, "overlap"), "0.35");
    drop(&small);
    drop(&r);
}

/* ---- what persists ---- */

static void persistence_is_the_tower_of_its_summaries(void **state) {
    (void)state;
    static const int64_t intervals[] = {8, 4, 2, 1};
    dgm_summary *summaries[COUNT(intervals)];
    dgm_tower *tower;
    int64_t count;
    reply r = ask("picture", "overlap=0.1&edges=nerve&min-size=2");
    drop(&r);
    for (int64_t i = 0; i < COUNT(intervals); i++) {
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = intervals[i];
        options.overlap[0] = 0.25;
        options.min_size = 2;
        assert_int_equal(dgm_mapper_run(ctx, land, plane, &options, &summaries[i]), DGM_OK);
    }
    assert_int_equal(
        dgm_tower_create(ctx, (const dgm_summary *const *)summaries, COUNT(intervals), &tower),
        DGM_OK);
    const dgm_tower_run *runs = dgm_tower_runs(tower, &count);
    r = ask("persistence", "intervals=8,4,2,1&overlap=0.25");
    assert_int_equal(number(&r, "serial"), 1);
    for (size_t i = 0; i < COUNT(intervals); i++) {
        const json_t *step = json_array_get(json_object_get(r.json, "steps"), i);
        const dgm_summary_topology is = dgm_summary_get_topology(summaries[i]);
        assert_int_equal(integer_of(step, "intervals"), intervals[i]);
        assert_int_equal(integer_of(step, "clusters"),
                         dgm_summary_get_clusters(summaries[i]).count);
        assert_int_equal(integer_of(step, "b0"), is.b0);
        assert_int_equal(integer_of(step, "b1"), is.b1);
    }
    assert_int_equal(json_array_size(json_object_get(r.json, "runs")), count);
    assert_true(count > 0);
    int64_t repeated = 0;
    for (int64_t k = 0; k < count; k++) {
        const json_t *run = json_array_get(json_object_get(r.json, "runs"), (size_t)k), *bar;
        size_t i;
        int64_t at = 0;
        assert_int_equal(integer_of(run, "first"), runs[k].first);
        assert_int_equal(integer_of(run, "last"), runs[k].last);
        assert_int_equal(json_is_true(json_object_get(run, "loops_known")), runs[k].loops_known);
        json_array_foreach(json_object_get(run, "bars"), i, bar) {
            int64_t many = integer_of(bar, "count");
            repeated += many > 1;
            for (int64_t j = 0; j < many; j++, at++) {
                assert_true(at < runs[k].bar_count);
                assert_int_equal(integer_of(bar, "dimension"), runs[k].bars[at].dimension);
                assert_int_equal(integer_of(bar, "birth"), runs[k].bars[at].birth);
                if (runs[k].bars[at].death < 0)
                    assert_true(json_is_null(json_object_get(bar, "death")));
                else
                    assert_int_equal(integer_of(bar, "death"), runs[k].bars[at].death);
            }
            if (at < runs[k].bar_count) /* the next bar is of another kind */
                assert_true(runs[k].bars[at].dimension != runs[k].bars[at - 1].dimension ||
                            runs[k].bars[at].birth != runs[k].bars[at - 1].birth ||
                            runs[k].bars[at].death != runs[k].bars[at - 1].death);
        }
        assert_int_equal(at, runs[k].bar_count);
    }
    assert_true(repeated > 0);
    drop(&r);
    dgm_tower_free(tower);
    for (int64_t i = 0; i < COUNT(intervals); i++)
        dgm_summary_free(summaries[i]);
}

static void sixteen_steps_persist_and_no_more(void **state) {
    (void)state;
    dgm_answer bytes;
    reply r = ask("persistence", "intervals=4,4,4,4,4,4,4,4,2,2,2,2,2,2,2,1");
    assert_int_equal(json_array_size(json_object_get(r.json, "steps")), 16);
    drop(&r);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "persistence", "intervals=2,0", &bytes),
                 DGM_ERROR_USAGE, "intervals is a list of at most 16 numbers such as 20,10,5");
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "persistence", "intervals=2,", &bytes),
                     DGM_ERROR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LAND(a_setting_may_wait_for_another),
        WITH_LAND(what_is_named_twice_is_put_back_once),
        WITH_LAND(what_was_never_set_stays),
        WITH_LAND(cold_is_no_setting_and_has_two_values),
        WITH_LAND(start_keeps_the_first_settings),
        WITH_LAND(start_describes_every_option),
        WITH_LAND(start_describes_the_graph),
        cmocka_unit_test(long_names_of_attributes_are_no_colours),
        cmocka_unit_test(words_are_quoted_where_a_shell_needs_it),
        WITH_LAND(a_command_has_what_differs),
        WITH_LAND(a_thumbnail_takes_over_what_is_set),
        WITH_LAND(persistence_is_the_tower_of_its_summaries),
        WITH_LAND(sixteen_steps_persist_and_no_more),
    };
    return RUN_WITH_CONTEXT(tests);
}
