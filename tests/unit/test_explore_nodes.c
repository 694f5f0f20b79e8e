/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes a question is about: every criterion against its definition, node by node. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "explore_fixture.h"
#include "unit_faults.h"

static const char *const towns[] = {"Ulm", "Bonn", "Köln"};

/* The ring with an attribute of numbers, which some nodes have not, one of texts, and one of a
 * different text for each node. */
static int open_rich(void **state) {
    double ages[NODES];
    const char *live[NODES], *own[NODES];
    static char words[NODES][16];
    open_explorer(state);
    dgm_explorer_free(explorer);
    for (int i = 0; i < NODES; i++) {
        ages[i] = i % 7 == 0 ? NAN : i * 0.5;
        live[i] = i % 5 == 0 ? NULL : towns[i % 3];
        snprintf(words[i], sizeof words[i], "w%02d", i);
        own[i] = words[i];
    }
    const dgm_attribute added[] = {{"age", DGM_ATTRIBUTE_NUMBER, ages, NULL},
                                   {"town", DGM_ATTRIBUTE_TEXT, NULL, live},
                                   {"word", DGM_ATTRIBUTE_TEXT, NULL, own}};
    for (int64_t k = 0; k < COUNT(added); k++) {
        dgm_graph *more;
        assert_int_equal(dgm_graph_with_attribute(ctx, graph, &added[k], &more), DGM_OK);
        dgm_graph_free(graph);
        graph = more;
    }
    assert_int_equal(dgm_explorer_create(ctx, graph, &explorer), DGM_OK);
    give_lens(ctx, explorer);
    reply picture = ask("picture", "intervals=5&overlap=0.3");
    drop(&picture);
    return 0;
}

static dgm_summary_clusters clusters(void) {
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(explorer), &summary),
                     DGM_OK);
    return dgm_summary_get_clusters(summary);
}

static bool is_in(int64_t cluster, uint32_t node) {
    const dgm_summary_clusters is = clusters();
    for (int64_t i = is.offsets[cluster]; i < is.offsets[cluster + 1]; i++)
        if (is.members[i] == node)
            return true;
    return false;
}

/* The question finds these nodes and no others, and says how many of them each mark has. */
static void assert_selects(const char *settings, const bool wanted[NODES]) {
    char all[256];
    int64_t total = 0, count;
    snprintf(all, sizeof all, "%s&count=1000", settings);
    reply r = ask("select", settings), members = ask("members", all);
    const uint32_t *hits = array(&r, "hits", "u4", &count);
    assert_int_equal(count, clusters().count);
    for (int64_t c = 0; c < count; c++) {
        uint32_t hit = 0;
        for (uint32_t u = 0; u < NODES; u++)
            hit += wanted[u] && is_in(c, u);
        assert_int_equal(hits[c], hit);
    }
    for (int u = 0; u < NODES; u++)
        total += wanted[u];
    assert_int_equal(number(&r, "total"), total);
    const json_t *rows = json_object_get(members.json, "rows"), *row;
    size_t i;
    assert_int_equal(json_array_size(rows), total);
    json_array_foreach(rows, i, row)
        assert_true(wanted[json_integer_value(json_object_get(row, "node"))]);
    drop(&r);
    drop(&members);
}

static void clusters_are_joined_and_met(void **state) {
    (void)state;
    bool one[NODES], any[NODES], all[NODES], none[NODES] = {false};
    for (uint32_t u = 0; u < NODES; u++) {
        one[u] = is_in(3, u);
        any[u] = is_in(0, u) || is_in(1, u) || is_in(4, u);
        all[u] = is_in(0, u) && is_in(1, u);
    }
    assert_selects("cluster=3", one);
    assert_selects("clusters=0,1,4", any);
    assert_selects("clusters=0,1,4&combine=any", any);
    assert_selects("clusters=0,1&combine=all", all);
    assert_selects("a=0&b=1", all);
    assert_selects("cluster=0&nodes=29,30,31", none);
    assert_selects("mark=3", one);
}

static void fields_of_mistakes_are_found(void **state) {
    (void)state;
    bool wrong[NODES], right[NODES];
    for (int u = 0; u < NODES; u++) {
        wrong[u] = u >= 35 && u < 40;
        right[u] = u >= 40;
    }
    assert_selects("field=1,0", wrong);
    assert_selects("field=0,0", right);
    reply r = ask("mistakes", "");
    int64_t count;
    const uint32_t *matrix = array(&r, "matrix", "u4", &count);
    assert_int_equal(count, 4);
    assert_int_equal(matrix[0], 20);
    assert_int_equal(matrix[1], 0);
    assert_int_equal(matrix[2], 5);
    assert_int_equal(matrix[3], 35);
    assert_int_equal(number(&r, "wrong"), 5);
    assert_int_equal(number(&r, "judged"), NODES);
    drop(&r);
}

static void a_box_takes_its_ends(void **state) {
    (void)state;
    bool wanted[NODES], half[NODES];
    for (int u = 0; u < NODES; u++) {
        double value = dgm_matrix_values(axes)[u];
        wanted[u] = value >= 4 && value <= 9;
        half[u] = wanted[u] && u < 30;
    }
    assert_selects("box=4,9", wanted);
    assert_selects("box=4,9&axes=0", wanted);
    assert_selects("box=4,9&where=2=0", half); /* the larger class are the first 40 nodes */
}

static void columns_are_filtered(void **state) {
    (void)state;
    bool aged[NODES], both[NODES], rare[NODES];
    reply r = ask("columns", "where=4:3:10");
    const json_t *columns = json_object_get(r.json, "columns");
    static const char *const names[] = {"degree", "lens", "class", "prediction",
                                        "age",    "town", "word"};
    int64_t count;
    assert_int_equal(json_array_size(columns), COUNT(names));
    for (int64_t i = 0; i < COUNT(names); i++)
        if (i != 1)
            assert_string_equal(text(json_array_get(columns, (size_t)i), "name"), names[i]);
    const json_t *town = json_array_get(columns, 5), *word = json_array_get(columns, 6);
    assert_string_equal(text(town, "kind"), "category");
    assert_int_equal(json_array_size(json_object_get(town, "names")), 3);
    assert_int_equal(json_array_size(json_object_get(word, "names")), 32);
    assert_string_equal(json_string_value(json_array_get(json_object_get(word, "names"), 31)),
                        "29 others");
    int64_t category = -1;
    for (size_t i = 0; i < 3; i++)
        if (strcmp(json_string_value(json_array_get(json_object_get(town, "names"), i)), "Köln") ==
            0)
            category = (int64_t)i;
    const uint32_t *all = array(&r, "all", "u4", &count);
    assert_int_equal(count, 32 * COUNT(names));
    const uint32_t *inside = array(&r, "inside", "u4", &count);
    int64_t aged_all = 0, aged_inside = 0, koeln = 0, aged_koeln = 0;
    for (int u = 0; u < NODES; u++) {
        aged[u] = u % 7 != 0 && u * 0.5 >= 3 && u * 0.5 <= 10;
        both[u] = aged[u] && u % 5 != 0 && u % 3 == 2;
        rare[u] = u >= 31;
        koeln += u % 5 != 0 && u % 3 == 2;
        aged_koeln += both[u];
    }
    for (int b = 0; b < 32; b++) {
        aged_all += all[4 * 32 + b];
        aged_inside += inside[4 * 32 + b];
    }
    assert_int_equal(aged_all, NODES - 9); /* those without an age are in no bin */
    assert_int_equal(aged_inside, 13);
    assert_int_equal(all[5 * 32 + category], koeln);
    assert_int_equal(inside[5 * 32 + category], aged_koeln);
    drop(&r);
    assert_selects("where=4:3:10", aged);
    char settings[64];
    snprintf(settings, sizeof settings, "where=4:3:10;5=%d", (int)category);
    assert_selects(settings, both);
    assert_selects("where=6=31", rare); /* texts that occur once, in their order */
    r = ask("columns", "");
    assert_null(json_object_get(json_object_get(r.json, "arrays"), "inside"));
    drop(&r);
}

static void hops_reach_along_the_ring(void **state) {
    (void)state;
    for (int hops = 0; hops <= 6; hops++) {
        bool wanted[NODES];
        char settings[64];
        for (int u = 0; u < NODES; u++) {
            int from_0 = u < NODES - u ? u : NODES - u, from_30 = abs(u - 30);
            wanted[u] = from_0 <= hops || from_30 <= hops;
        }
        snprintf(settings, sizeof settings, "nodes=30,0&hops=%d", hops);
        assert_selects(settings, wanted);
    }
}

static void a_set_is_described_as_a_cluster_is(void **state) {
    (void)state;
    reply one = ask("cluster", "cluster=2"), same = ask("cluster", "clusters=2");
    static const char *const keys[] = {"size",   "hubs",     "labels", "predictions", "judged",
                                       "mixups", "mistakes", "lens",   "differences"};
    for (int64_t i = 0; i < COUNT(keys); i++)
        assert_true(
            json_equal(json_object_get(one.json, keys[i]), json_object_get(same.json, keys[i])));
    assert_int_equal(number(&one, "cluster"), 2);
    assert_true(json_is_null(json_object_get(same.json, "cluster")));
    assert_int_equal(json_array_size(json_object_get(same.json, "neighbours")), 0);
    assert_string_equal(text(one.json, "cell"), "1");
    assert_int_equal(number(&one, "piece"), 0);
    drop(&one);
    drop(&same);
    one = ask("cluster", "nodes=36,37,1&hops=0");
    const json_t *mixup = json_array_get(json_object_get(one.json, "mixups"), 0);
    assert_string_equal(text(mixup, "label"), "right");
    assert_string_equal(text(mixup, "prediction"), "left");
    assert_int_equal(json_integer_value(json_object_get(mixup, "count")), 2);
    drop(&one);
    one = ask("cluster", "cluster=0&nodes=30"); /* nobody is described, too */
    assert_int_equal(number(&one, "size"), 0);
    drop(&one);
}

static void wrong_nodes_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",          "cluster=99", "clusters=1,x",   "clusters=",      "clusters=1&combine=some",
        "mark=99",   "field=1",    "field=0,1,1",    "field=a,b",      "box=1",
        "box=1,2,3", "box=1,x",    "box=1,2&axes=1", "box=1,2&axes=",  "where=99:1:2",
        "where=0",   "where=0=1",  "where=5:1:2",    "where=4:1",      "where=4:1:2;",
        "nodes=60",  "nodes=-1",   "nodes=1,,2",     "nodes=1&hops=7", "box=1,2&axes=0,0,0",
        "where=2=2", "where=2=-1", "where=2=255"}; /* 255 stands for none inside */
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        dgm_answer bytes;
        if (dgm_explorer_ask(ctx, explorer, "select", wrong[i], &bytes) != DGM_ERROR_USAGE)
            fail_msg("'%s' was not refused", wrong[i]);
        assert_null(bytes.bytes);
    }
}

static dgm_status ask_about_nodes(dgm_context *own, void *argument) {
    static const char *const questions[][2] = {{"picture", "intervals=5"},
                                               {"select", "box=3,8&hops=2"},
                                               {"columns", "where=5=1"},
                                               {"mistakes", ""},
                                               {"cluster", "clusters=0,1&combine=all"}};
    (void)argument;
    return ask_in_turn(own, questions, COUNT(questions), predictions);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(ask_about_nodes, NULL);
}

#define WITH_RING(test) cmocka_unit_test_setup_teardown(test, open_rich, close_explorer)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_RING(clusters_are_joined_and_met), WITH_RING(fields_of_mistakes_are_found),
        WITH_RING(a_box_takes_its_ends),        WITH_RING(columns_are_filtered),
        WITH_RING(hops_reach_along_the_ring),   WITH_RING(a_set_is_described_as_a_cluster_is),
        WITH_RING(wrong_nodes_are_refused),     WITH_RING(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
