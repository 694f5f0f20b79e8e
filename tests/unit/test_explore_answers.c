/* SPDX-License-Identifier: Apache-2.0 */
/* What answers say of single clusters, links and nodes, held against plain loops over the summary and
 * the graph; and how long their lists get. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explore_map.h"

/* ---- a cluster ---- */

/* How many members come before this one: they have more neighbours, or as many and a smaller number. */
static int64_t rank_of(const map *m, int64_t cluster, uint32_t node) {
    int64_t before = 0;
    for (uint32_t v = 0; v < dgm_graph_nodes(m->graph); v++) {
        int64_t more = degree_of(m, v) - degree_of(m, node);
        before += is_member(m, cluster, v) && (more > 0 || (more == 0 && v < node));
    }
    return before;
}

static void check_hubs(const map *m, int64_t cluster, const json_t *hubs) {
    int64_t wanted = size_of(m, cluster);
    wanted = wanted < DGM_PROFILE_TOPS ? wanted : DGM_PROFILE_TOPS;
    assert_int_equal(json_array_size(hubs), wanted);
    for (uint32_t u = 0; u < dgm_graph_nodes(m->graph) && u < 40; u++) { /* the club has 34 */
        char name[32];
        int64_t rank = is_member(m, cluster, u) ? rank_of(m, cluster, u) : wanted;
        if (rank >= wanted)
            continue;
        name_of(m, u, name);
        assert_string_equal(json_string_value(json_array_get(hubs, (size_t)rank)), name);
    }
}

static void check_lens(const map *m, int64_t cluster, const json_t *lens) {
    const int64_t begin = m->clusters.offsets[cluster], size = size_of(m, cluster);
    double sum = 0;
    for (int64_t i = begin; i < begin + size; i++) /* members are in order, and so is the lens */
        sum += m->clusters.members[i];
    assert_near(json_number_value(json_object_get(lens, "low")), m->clusters.members[begin], 0);
    assert_near(json_number_value(json_object_get(lens, "high")),
                m->clusters.members[begin + size - 1], 0);
    assert_near(json_number_value(json_object_get(lens, "mean")), sum / (double)size, 1e-12);
}

/* Clusters that share nodes, the most first. */
static void check_neighbours(const map *m, int64_t cluster, const json_t *neighbours) {
    const json_t *row;
    size_t i;
    int64_t before = INT64_MAX, wanted = 0;
    for (int64_t other = 0; other < m->clusters.count; other++) {
        int64_t shared = 0;
        for (uint32_t u = 0; u < dgm_graph_nodes(m->graph); u++)
            shared += is_member(m, cluster, u) && is_member(m, other, u);
        wanted += other != cluster && shared > 0;
    }
    assert_int_equal(json_array_size(neighbours), wanted);
    json_array_foreach(neighbours, i, row) {
        int64_t other = json_integer_value(json_object_get(row, "cluster")), shared = 0;
        for (uint32_t u = 0; u < dgm_graph_nodes(m->graph); u++)
            shared += is_member(m, cluster, u) && is_member(m, other, u);
        assert_int_not_equal(other, cluster);
        assert_int_equal(json_integer_value(json_object_get(row, "shared")), shared);
        assert_int_equal(json_integer_value(json_object_get(row, "size")), size_of(m, other));
        assert_true(shared <= before);
        before = shared;
    }
}

static void a_cluster_has_its_hubs_its_range_and_its_neighbours(void **state) {
    (void)state;
    map m = open_karate();
    assert_true(m.clusters.count > 3);
    for (int64_t c = 0; c < m.clusters.count; c++) {
        char cell[16];
        reply r = ask(&m, "cluster", "cluster=%d", (int)c, 0);
        check_hubs(&m, c, json_object_get(r.json, "hubs"));
        check_lens(&m, c, json_array_get(json_object_get(r.json, "lens"), 0));
        check_neighbours(&m, c, json_object_get(r.json, "neighbours"));
        snprintf(cell, sizeof cell, "%d", m.clusters.cells[c]);
        assert_string_equal(text(r.json, "cell"), cell);
        assert_in_range(json_array_size(json_object_get(r.json, "differences")), 0, 12);
        drop(&r);
    }
    close_map(&m);
}

static void members_come_by_the_number_of_their_neighbours(void **state) {
    (void)state;
    map m = open_karate();
    for (int64_t c = 0; c < m.clusters.count; c++) {
        reply r = ask(&m, "members", "cluster=%d", (int)c, 0);
        const json_t *rows = json_object_get(r.json, "rows"), *row;
        size_t i;
        assert_int_equal(json_array_size(rows), size_of(&m, c));
        json_array_foreach(rows, i, row) {
            uint32_t node = (uint32_t)json_integer_value(json_object_get(row, "node"));
            int64_t clusters = 0;
            for (int64_t k = 0; k < m.clusters.count; k++)
                clusters += is_member(&m, k, node);
            assert_int_equal(rank_of(&m, c, node), i);
            assert_int_equal(json_integer_value(json_object_get(row, "degree")),
                             degree_of(&m, node));
            assert_int_equal(json_integer_value(json_object_get(row, "clusters")), clusters);
            assert_near(json_number_value(json_array_get(json_object_get(row, "lens"), 0)), node,
                        0);
        }
        drop(&r);
    }
    close_map(&m);
}

/* ---- two clusters ---- */

/* Edges of the graph from nodes that are only in one to nodes that are only in the other. */
static void an_edge_names_the_ends_of_its_links(void **state) {
    (void)state;
    map m = open_karate();
    int64_t seen = 0;
    for (int64_t a = 0; a < m.clusters.count; a++)
        for (int64_t b = 0; b < m.clusters.count; b++) {
            reply r = ask(&m, "edge", "a=%d&b=%d", (int)a, (int)b);
            const json_t *links = json_object_get(r.json, "links");
            size_t at = 0;
            for (uint32_t u = 0; u < dgm_graph_nodes(m.graph); u++)
                for (uint32_t v = 0; v < dgm_graph_nodes(m.graph); v++) {
                    if (!is_member(&m, a, u) || is_member(&m, b, u) || !is_member(&m, b, v) ||
                        is_member(&m, a, v) || !is_edge(&m, u, v))
                        continue;
                    char from[32], to[32];
                    const json_t *link = json_array_get(links, at++);
                    name_of(&m, u, from);
                    name_of(&m, v, to);
                    assert_string_equal(json_string_value(json_array_get(link, 0)), from);
                    assert_string_equal(json_string_value(json_array_get(link, 1)), to);
                }
            assert_int_equal(json_array_size(links), at);
            assert_int_equal(number(&r, "crossing"), at);
            seen += (int64_t)at;
            drop(&r);
        }
    assert_true(seen > 0);
    close_map(&m);
}

/* ---- names ---- */

static void a_search_names_the_clusters_of_every_match(void **state) {
    (void)state;
    map m = open_karate();
    reply r = ask_of(m.explorer, "search", "text=1");
    const json_t *rows = json_object_get(r.json, "rows"), *row;
    int64_t last = -1, total = 0;
    size_t i;
    for (int64_t u = 0; u < dgm_graph_nodes(m.graph); u++) {
        char name[32];
        name_of(&m, u, name);
        total += strchr(name, '1') != NULL;
    }
    assert_int_equal(number(&r, "total"), total);
    assert_int_equal(json_array_size(rows), total);
    json_array_foreach(rows, i, row) {
        int64_t node = json_integer_value(json_object_get(row, "node"));
        const json_t *clusters = json_object_get(row, "clusters");
        char name[32];
        size_t at = 0;
        name_of(&m, node, name);
        assert_string_equal(text(row, "name"), name);
        assert_true(strchr(name, '1') && node > last);
        for (int64_t c = 0; c < m.clusters.count; c++)
            if (is_member(&m, c, (uint32_t)node))
                assert_int_equal(json_integer_value(json_array_get(clusters, at++)), c);
        assert_int_equal(json_array_size(clusters), at);
        last = node;
    }
    drop(&r);
    close_map(&m);
}

/* A name holds a text at its end, at its beginning and as a whole, in either case of letters. */
static void names_hold_texts_in_any_case(void **state) {
    (void)state;
    static const char *const names[] = {"Anna", "HANNA", "Ann", "nan"};
    static const double values[] = {0, 1, 2, 3};
    static const struct {
        const char *settings;
        int total;
    } wanted[] = {{"text=anna", 2}, {"text=ANN", 3}, {"text=nna", 2},   {"text=nan", 1},
                  {"text=a", 4},    {"text=h", 1},   {"text=hannah", 0}};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 0; u < COUNT(names); u++) {
        uint32_t node;
        assert_int_equal(dgm_graph_builder_node(builder, names[u], strlen(names[u]), &node),
                         DGM_OK);
        const uint32_t ends[] = {node, node ? node - 1 : 0};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    map m = open_map(graph, values, "intervals=1&overlap=0");
    for (int64_t i = 0; i < COUNT(wanted); i++) {
        reply r = ask_of(m.explorer, "search", wanted[i].settings);
        assert_int_equal(number(&r, "total"), wanted[i].total);
        drop(&r);
    }
    close_map(&m);
}

/* ---- how long lists get ---- */

/* A path of 300 nodes in two cells, most of which is in both. */
static map open_path(void) {
    enum { NODES = 300 };
    uint32_t ends[2 * (NODES - 1)];
    double values[NODES];
    for (uint32_t u = 0; u < NODES; u++) {
        values[u] = u;
        if (u + 1 < NODES) {
            ends[2 * u] = u;
            ends[2 * u + 1] = u + 1;
        }
    }
    return open_map(build_graph(NULL, NODES, NODES - 1, ends, NULL), values,
                    "intervals=2&overlap=0.9");
}

/* All nodes of the path but its ends have two neighbours. */
static void of_equal_hubs_the_smaller_number_comes_first(void **state) {
    (void)state;
    map m = open_path();
    reply r = ask_of(m.explorer, "cluster", "cluster=0");
    check_hubs(&m, 0, json_object_get(r.json, "hubs"));
    assert_string_equal(json_string_value(json_array_get(json_object_get(r.json, "hubs"), 0)), "1");
    drop(&r);
    close_map(&m);
}

static void lists_have_an_end_and_say_how_much_there_is(void **state) {
    (void)state;
    map m = open_path();
    assert_int_equal(m.clusters.count, 2);
    assert_true(m.clusters.offsets[2] - 300 > 100 && size_of(&m, 0) > 100);
    reply r =
        ask_of(m.explorer, "search", "text=0"); /* 0, 10, 20 to 290, and 100 to 109, 200 to 209 */
    assert_int_equal(number(&r, "total"), 30 + 2 * 9);
    drop(&r);
    r = ask_of(m.explorer, "search", "text=1"); /* 100 to 199, and of the other 200 each 19 */
    assert_int_equal(number(&r, "total"), 100 + 2 * 19);
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), 100);
    drop(&r);
    r = ask_of(m.explorer, "members", "cluster=0");
    assert_int_equal(number(&r, "total"), size_of(&m, 0));
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), 100);
    drop(&r);
    r = ask_of(m.explorer, "members", "cluster=0&count=10000");
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), size_of(&m, 0));
    drop(&r);
    dgm_answer bytes;
    assert_int_equal(dgm_explorer_ask(ctx, m.explorer, "members", "cluster=0&count=10001", &bytes),
                     DGM_ERROR_USAGE);
    r = ask_of(m.explorer, "bridges", "");
    assert_int_equal(number(&r, "total"),
                     m.clusters.offsets[2] - 300); /* no edge leaves a cluster */
    assert_int_equal(json_array_size(json_object_get(r.json, "nodes")), 100);
    drop(&r);
    close_map(&m);
}

/* 101 nodes here and 101 there, each joined with one of the other side: 202 bridges. */
static void of_many_bridges_a_hundred_are_told(void **state) {
    (void)state;
    enum { SIDE = 101, EDGES = 3 * SIDE - 2 };
    uint32_t ends[2 * EDGES], *at = ends;
    double values[2 * SIDE];
    for (uint32_t u = 0; u < SIDE; u++) {
        values[u] = 0;
        values[SIDE + u] = 1;
        *at++ = u, *at++ = SIDE + u;
        if (u + 1 < SIDE) {
            *at++ = u, *at++ = u + 1;
            *at++ = SIDE + u, *at++ = SIDE + u + 1;
        }
    }
    map m =
        open_map(build_graph(NULL, 2 * SIDE, EDGES, ends, NULL), values, "intervals=2&overlap=0");
    reply r = ask_of(m.explorer, "bridges", "");
    assert_int_equal(number(&r, "total"), 2 * SIDE);
    assert_int_equal(json_array_size(json_object_get(r.json, "nodes")), 100);
    drop(&r);
    close_map(&m);
}

/* Eight nodes and eight others, each in a row by themselves, and all joined with all across: 64 edges
 * between two clusters, of which 50 are named. */
static void of_many_links_fifty_are_named(void **state) {
    (void)state;
    enum { SIDE = 8, EDGES = SIDE * SIDE + 2 * (SIDE - 1) };
    uint32_t ends[2 * EDGES], *at = ends;
    double values[2 * SIDE];
    for (uint32_t u = 0; u < SIDE; u++) {
        values[u] = 0;
        values[SIDE + u] = 1;
        for (uint32_t v = 0; v < SIDE; v++)
            *at++ = u, *at++ = SIDE + v;
        if (u + 1 < SIDE) {
            *at++ = u, *at++ = u + 1;
            *at++ = SIDE + u, *at++ = SIDE + u + 1;
        }
    }
    assert_int_equal(at - ends, 2 * EDGES);
    map m =
        open_map(build_graph(NULL, 2 * SIDE, EDGES, ends, NULL), values, "intervals=2&overlap=0");
    assert_int_equal(m.clusters.count, 2);
    reply r = ask_of(m.explorer, "edge", "a=0&b=1");
    assert_int_equal(number(&r, "shared"), 0);
    assert_int_equal(number(&r, "crossing"), SIDE * SIDE);
    assert_int_equal(json_array_size(json_object_get(r.json, "links")), 50);
    drop(&r);
    close_map(&m);
}

/* A bridge is said with its name, its neighbours, and the clusters that it joins, of which the first is
 * one of its own and the other has neighbours of it. */
static void bridges_are_named(void **state) {
    (void)state;
    map m = open_karate();
    reply r = ask_of(m.explorer, "bridges", "");
    const json_t *rows = json_object_get(r.json, "nodes"), *row;
    dgm_graph_rows edges = dgm_graph_get_rows(m.graph);
    double before = INFINITY;
    size_t i;
    assert_true(json_array_size(rows) > 0);
    assert_int_equal(number(&r, "total"), json_array_size(rows));
    json_array_foreach(rows, i, row) {
        int64_t node = json_integer_value(json_object_get(row, "node"));
        double score = json_number_value(json_object_get(row, "score"));
        const json_t *clusters = json_object_get(row, "clusters");
        char name[32];
        name_of(&m, node, name);
        assert_string_equal(text(row, "name"), name);
        assert_int_equal(json_integer_value(json_object_get(row, "degree")), degree_of(&m, node));
        int64_t home = json_integer_value(json_array_get(clusters, 0)), met = 0;
        int64_t other = json_integer_value(json_array_get(clusters, 1));
        int64_t across = json_integer_value(json_object_get(row, "across"));
        assert_int_equal(json_array_size(clusters), 2);
        assert_true(is_member(&m, home, (uint32_t)node) && home != other);
        for (int64_t k = edges.offsets[node]; k < edges.offsets[node + 1]; k++)
            met += is_member(&m, other, edges.targets[k]);
        assert_true(met > 0 && across > 0 && across <= degree_of(&m, node));
        assert_true(score <= before);
        before = score;
    }
    drop(&r);
    close_map(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_has_its_hubs_its_range_and_its_neighbours),
        cmocka_unit_test(members_come_by_the_number_of_their_neighbours),
        cmocka_unit_test(an_edge_names_the_ends_of_its_links),
        cmocka_unit_test(a_search_names_the_clusters_of_every_match),
        cmocka_unit_test(names_hold_texts_in_any_case),
        cmocka_unit_test(of_equal_hubs_the_smaller_number_comes_first),
        cmocka_unit_test(lists_have_an_end_and_say_how_much_there_is),
        cmocka_unit_test(of_many_links_fifty_are_named),
        cmocka_unit_test(bridges_are_named),
        cmocka_unit_test(of_many_bridges_a_hundred_are_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
