/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of a cluster, of columns, of mistakes and of bridges, each held against a plain
 * loop or what the library says of the same nodes. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "explore_columns.h"
#include "explore_explorer.h"
#include "explore_land.h"

static const char settled[] = "intervals=4,3&overlap=0.3&dust=show&edges=nerve&cold=1";

/* ---- a cluster ---- */

static void assert_classes(const json_t *rows, const int32_t *classes,
                           const dgm_summary_clusters *is, int64_t cluster) {
    size_t at = 0;
    for (int c = 0; c < 3; c++) {
        int64_t inside = 0, all = 0;
        for (uint32_t u = 0; u < LAND; u++) {
            all += classes[u] == c;
            inside += classes[u] == c && is_in(is, cluster, u);
        }
        if (inside == 0)
            continue;
        const json_t *row = json_array_get(rows, at++);
        assert_string_equal(text(row, "name"), class_names[c]);
        assert_int_equal(integer_of(row, "count"), inside);
        assert_int_equal(integer_of(row, "all"), all);
    }
    assert_int_equal(json_array_size(rows), at);
}

static void assert_axes(const json_t *lens, const dgm_summary_clusters *is, int64_t cluster) {
    assert_int_equal(json_array_size(lens), 2);
    for (int a = 0; a < 2; a++) {
        const json_t *axis = json_array_get(lens, (size_t)a);
        double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY, sum = 0;
        int64_t inside[32] = {0}, all[32] = {0}, size = 0;
        for (int64_t u = 0; u < LAND; u++) {
            low = fmin(low, value_of(u, a));
            high = fmax(high, value_of(u, a));
        }
        for (uint32_t u = 0; u < LAND; u++) {
            int bin = dgmi_explore_bin(value_of(u, a), low, high, 32);
            all[bin]++;
            if (!is_in(is, cluster, u))
                continue;
            inside[bin]++;
            least = fmin(least, value_of(u, a));
            most = fmax(most, value_of(u, a));
            sum += value_of(u, a);
            size++;
        }
        assert_string_equal(text(axis, "name"), a ? "north" : "east");
        assert_near(real_of(axis, "low"), least, 1e-12);
        assert_near(real_of(axis, "high"), most, 1e-12);
        assert_near(real_of(axis, "mean"), sum / (double)size, 1e-12);
        assert_int_equal(json_array_size(json_object_get(axis, "inside")), 32);
        for (size_t b = 0; b < 32; b++) {
            assert_near(item(axis, "inside", b), (double)inside[b], 0);
            assert_near(item(axis, "all", b), (double)all[b], 0);
        }
    }
}

static void a_portrait_counts_classes_and_both_axes(void **state) {
    (void)state;
    reply picture = ask("picture", settled);
    const dgm_summary_clusters is = clusters_of(explorer);
    for (int64_t c = 0; c < is.count; c++) {
        char settings[32], cell[32];
        int64_t judged = 0;
        snprintf(settings, sizeof settings, "serial=1&cluster=%d", (int)c);
        snprintf(cell, sizeof cell, "%d, %d", is.cells[2 * c], is.cells[2 * c + 1]);
        reply r = ask("cluster", settings);
        assert_int_equal(integer_of(r.json, "cluster"), c);
        assert_int_equal(integer_of(r.json, "serial"), 1);
        assert_string_equal(text(r.json, "cell"), cell);
        assert_string_equal(
            text(r.json, "name"),
            json_string_value(json_array_get(json_object_get(picture.json, "names"), (size_t)c)));
        assert_classes(json_object_get(r.json, "labels"), labels, &is, c);
        assert_classes(json_object_get(r.json, "predictions"), guesses, &is, c);
        assert_axes(json_object_get(r.json, "lens"), &is, c);
        for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++)
            judged += labels[is.members[i]] >= 0 && guesses[is.members[i]] >= 0;
        assert_near(real_of(r.json, "judged"), (double)judged, 0);
        drop(&r);
    }
    drop(&picture);
}

/* The heaviest first, and of equal ones those in the order of the summary. */
static void neighbours_are_told_in_the_order_of_their_weight(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4,3&overlap=0.4&dust=show&edges=nerve");
    const dgm_summary_clusters is = clusters_of(explorer);
    int64_t edges, ties = 0;
    const dgm_summary_edge *edge = dgm_summary_edges(summary_of(explorer), &edges);
    for (int64_t c = 0; c < is.count; c++) {
        char settings[32];
        snprintf(settings, sizeof settings, "cluster=%d", (int)c);
        reply r = ask("cluster", settings);
        const json_t *rows = json_object_get(r.json, "neighbours");
        size_t wanted = 0;
        for (int64_t e = 0; e < edges; e++) {
            size_t rank = 0;
            if (edge[e].source != c && edge[e].target != c)
                continue;
            for (int64_t f = 0; f < edges; f++) {
                bool near = edge[f].source == c || edge[f].target == c;
                rank += near && (edge[f].weight > edge[e].weight ||
                                 (edge[f].weight == edge[e].weight && f < e));
                ties += near && f < e && edge[f].weight == edge[e].weight;
            }
            const json_t *row = json_array_get(rows, rank);
            int64_t other = edge[e].source == c ? edge[e].target : edge[e].source;
            assert_int_equal(integer_of(row, "cluster"), other);
            assert_int_equal(integer_of(row, "shared"), edge[e].shared);
            assert_int_equal(integer_of(row, "crossing"), edge[e].links);
            assert_string_equal(text(row, "name"),
                                json_string_value(json_array_get(
                                    json_object_get(picture.json, "names"), (size_t)other)));
            wanted++;
        }
        assert_int_equal(json_array_size(rows), wanted);
        drop(&r);
    }
    assert_true(ties > 0);
    drop(&picture);
}

/* Twelve differences at most, those of the library. */
static void differences_are_those_of_a_comparison(void **state) {
    (void)state;
    static const char *const kinds[] = {"class", "text", "feature", "number", "measure"};
    dgm_comparison *comparison;
    int64_t cut = 0;
    reply picture = ask("picture", settled);
    const dgm_summary_clusters is = clusters_of(explorer);
    assert_int_equal(dgm_comparison_create(ctx, land, "plane", &comparison), DGM_OK);
    for (int64_t c = 0; c < is.count; c++) {
        char settings[32];
        dgm_differences *found;
        int64_t count;
        assert_int_equal(dgm_comparison_run(ctx, comparison, is.members + is.offsets[c],
                                            is.offsets[c + 1] - is.offsets[c], &found),
                         DGM_OK);
        const dgm_difference *list = dgm_differences_list(found, &count);
        snprintf(settings, sizeof settings, "cluster=%d", (int)c);
        reply r = ask("cluster", settings);
        const json_t *rows = json_object_get(r.json, "differences");
        assert_int_equal(json_array_size(rows), count < 12 ? count : 12);
        cut += count > 12;
        for (int64_t i = 0; i < count && i < 12; i++) {
            const json_t *row = json_array_get(rows, (size_t)i);
            assert_string_equal(text(row, "kind"), kinds[list[i].kind]);
            assert_int_equal(integer_of(row, "number"), list[i].column);
            assert_near(real_of(row, "inside"), list[i].mean, 1e-12);
            assert_near(real_of(row, "outside"), list[i].mean_outside, 1e-12);
            assert_near(real_of(row, "delta"), list[i].delta, 1e-12);
            assert_near(real_of(row, "q"), list[i].q, 1e-12);
            if (isfinite(list[i].log_odds))
                assert_near(real_of(row, "log_odds"), list[i].log_odds, 1e-12);
            assert_int_equal(json_is_true(json_object_get(row, "lens")), list[i].seen);
            assert_int_equal(json_is_null(json_object_get(row, "column")), !list[i].name);
            assert_int_equal(json_is_null(json_object_get(row, "text")), !list[i].value);
            if (list[i].value)
                assert_string_equal(text(row, "text"), list[i].value);
        }
        drop(&r);
        dgm_differences_free(found);
    }
    assert_true(cut > 0);
    dgm_comparison_free(comparison);
    drop(&picture);
}

/* A set of nodes is no cluster and has no place; nobody has no mean; without predictions nobody is
 * judged. */
static void what_is_not_known_is_null(void **state) {
    (void)state;
    static const char *const places[] = {"cluster", "name", "cell", "piece"};
    reply picture = ask("picture", settled), r = ask("cluster", "nodes=1,2");
    for (int64_t i = 0; i < COUNT(places); i++)
        assert_true(json_is_null(json_object_get(r.json, places[i])));
    drop(&r);
    r = ask("cluster", "nodes=1&where=0:9:9"); /* nobody has nine neighbours */
    assert_int_equal(integer_of(r.json, "size"), 0);
    const json_t *axis = json_array_get(json_object_get(r.json, "lens"), 0);
    assert_true(json_is_null(json_object_get(axis, "mean")));
    assert_true(json_is_null(json_object_get(axis, "low")));
    assert_near(real_of(r.json, "judged"), 0, 0);
    drop(&r);
    drop(&picture);
    give_plane(explorer, NULL);
    picture = ask("picture", "");
    r = ask("cluster", "cluster=0");
    assert_true(json_is_null(json_object_get(r.json, "judged")));
    assert_true(json_is_null(json_object_get(r.json, "mistakes")));
    assert_int_equal(json_array_size(json_object_get(r.json, "predictions")), 0);
    assert_true(json_array_size(json_object_get(r.json, "labels")) > 0);
    drop(&r);
    drop(&picture);
}

/* ---- mistakes ---- */

static void the_table_of_mistakes_counts_who_was_judged(void **state) {
    (void)state;
    uint32_t wanted[9] = {0};
    int64_t judged = 0, wrong = 0, count;
    reply picture = ask("picture", settled), r = ask("mistakes", "");
    for (int u = 0; u < LAND; u++)
        if (labels[u] >= 0 && guesses[u] >= 0) {
            wanted[3 * labels[u] + guesses[u]]++;
            judged++;
            wrong += labels[u] != guesses[u];
        }
    const uint32_t *matrix = array(&r, "matrix", "u4", &count);
    assert_int_equal(count, 9);
    assert_memory_equal(matrix, wanted, sizeof wanted);
    assert_int_equal(number(&r, "judged"), judged);
    assert_int_equal(number(&r, "wrong"), wrong);
    assert_int_equal(json_array_size(json_object_get(r.json, "classes")), 3);
    assert_string_equal(json_string_value(json_array_get(json_object_get(r.json, "classes"), 2)),
                        "blue");
    drop(&r);
    r = ask("members", "where=0:0:9&wrong=1&count=1000");
    assert_int_equal(number(&r, "total"), wrong);
    drop(&r);
    r = ask("members", "where=0:0:9&wrong=0&count=0");
    assert_int_equal(number(&r, "total"), LAND);
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), 0);
    drop(&r);
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "members", "cluster=0&wrong=2", &bytes),
                 DGM_ERROR_USAGE, "wrong is from 0 to 1, not 2");
    drop(&picture);
}

/* A thousand classes make a table, and one more does not. */
static void a_table_has_at_most_a_thousand_classes(void **state) {
    (void)state;
    for (int32_t classes = 1000; classes <= 1001; classes++) {
        enum { MOST = 1001 };
        static int32_t own[MOST];
        static const uint32_t ends[] = {0, 1};
        dgm_graph *bare = build_graph(NULL, classes, 1, ends, NULL), *many;
        dgm_matrix *flat = build_matrix(classes, 1, NULL);
        dgm_predictions *right;
        dgm_explorer *wide;
        dgm_explorer_lens lens;
        dgm_answer bytes;
        for (int32_t u = 0; u < classes; u++) {
            own[u] = u;
            dgm_matrix_values_mutable(flat)[u] = u;
        }
        assert_int_equal(dgm_graph_with_labels(ctx, bare, own, 0, NULL, &many), DGM_OK);
        assert_int_equal(dgm_predictions_from_classes(ctx, many, own, NULL, &right), DGM_OK);
        assert_int_equal(dgm_explorer_create(ctx, many, &wide), DGM_OK);
        dgm_explorer_lens_init(&lens);
        lens.axes = flat;
        lens.predictions = right;
        assert_int_equal(dgm_explorer_set_lens(ctx, wide, &lens), DGM_OK);
        reply r = ask_of(wide, "picture", "cluster=none&intervals=2");
        drop(&r);
        if (classes == 1000) {
            assert_int_equal(dgm_explorer_ask(ctx, wide, "mistakes", "", &bytes), DGM_OK);
            dgm_answer_free(ctx, &bytes);
        } else {
            ASSERT_FAILS(dgm_explorer_ask(ctx, wide, "mistakes", "", &bytes), DGM_ERROR_USAGE,
                         "a table of 1001 classes cannot be shown");
        }
        dgm_explorer_free(wide);
        dgm_predictions_free(right);
        dgm_matrix_free(flat);
        dgm_graph_free(many);
        dgm_graph_free(bare);
    }
}

/* ---- columns ---- */

static void assert_numbers(const reply *r, size_t column, double (*number_of)(int64_t node)) {
    const json_t *is = json_array_get(json_object_get(r->json, "columns"), column);
    double low = INFINITY, high = -INFINITY;
    int64_t count;
    const uint32_t *all = array(r, "all", "u4", &count);
    uint32_t wanted[32] = {0};
    for (int64_t u = 0; u < LAND; u++)
        if (!isnan(number_of(u))) {
            low = fmin(low, number_of(u));
            high = fmax(high, number_of(u));
        }
    for (int64_t u = 0; u < LAND; u++)
        if (!isnan(number_of(u)))
            wanted[dgmi_explore_bin(number_of(u), low, high, 32)]++;
    assert_string_equal(text(is, "kind"), "number");
    assert_near(real_of(is, "low"), low, 1e-12);
    assert_near(real_of(is, "high"), high, 1e-12);
    assert_memory_equal(all + 32 * column, wanted, sizeof wanted);
}

static double degree_of(int64_t u) {
    return u < RING || (u > RING && u < RING + PATH - 1) ? 2 : 1;
}
static double east_of(int64_t u) {
    return value_of(u, 0);
}
static double north_of(int64_t u) {
    return value_of(u, 1);
}
static double age_of(int64_t u) {
    return ages[u];
}

static void columns_are_counted_in_bins(void **state) {
    (void)state;
    reply picture = ask("picture", settled), r = ask("columns", "");
    const json_t *columns = json_object_get(r.json, "columns");
    assert_int_equal(json_array_size(columns), 7);
    assert_int_equal(number(&r, "serial"), 1);
    assert_numbers(&r, 0, degree_of);
    assert_numbers(&r, 1, east_of);
    assert_numbers(&r, 2, north_of);
    assert_numbers(&r, 5, age_of);
    int64_t count;
    const uint32_t *all = array(&r, "all", "u4", &count);
    for (size_t column = 3; column <= 4; column++) { /* classes, the most frequent first */
        const int32_t *classes = column == 3 ? labels : guesses;
        const json_t *names = json_object_get(json_array_get(columns, column), "names");
        uint32_t before = UINT32_MAX;
        assert_int_equal(json_array_size(names), 3);
        for (size_t k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                uint32_t many = 0;
                if (strcmp(class_names[c], json_string_value(json_array_get(names, k))) != 0)
                    continue;
                for (int u = 0; u < LAND; u++)
                    many += classes[u] == c;
                assert_int_equal(all[32 * column + k], many);
                assert_true(many <= before);
                before = many;
            }
    }
    const json_t *kinds = json_object_get(json_array_get(columns, 6), "names");
    assert_string_equal(json_string_value(json_array_get(kinds, 0)), "even");
    assert_string_equal(json_string_value(json_array_get(kinds, 1)), "odd");
    drop(&r);
    drop(&picture);
}

/* Thirty-two texts have names of their own; of more the last name stands for the rare ones. Texts
 * that are equally frequent come in the order of the alphabet. At most 40 columns are told. */
static void many_texts_and_columns_come_to_an_end(void **state) {
    (void)state;
    const char *own[LAND];
    static char words[LAND][8];
    dgm_graph *graph = build_land();
    for (int k = 0; k < 40; k++) {
        dgm_graph *more;
        char name[16];
        const int many = k == 0 ? 32 : 33;
        for (int u = 0; u < LAND; u++) {
            snprintf(words[u], sizeof words[u], "w%02d", u % many);
            own[u] = words[u];
        }
        snprintf(name, sizeof name, "a%d", k);
        const dgm_attribute numbers = {name, DGM_ATTRIBUTE_NUMBER, ages, NULL};
        const dgm_attribute texts = {name, DGM_ATTRIBUTE_TEXT, NULL, own};
        assert_int_equal(
            dgm_graph_with_attribute(ctx, graph, k < 3 || k % 2 ? &texts : &numbers, &more),
            DGM_OK);
        dgm_graph_free(graph);
        graph = more;
    }
    dgm_explorer *wide;
    assert_int_equal(dgm_explorer_create(ctx, graph, &wide), DGM_OK);
    give_plane(wide, NULL);
    reply r = ask_of(wide, "picture", settled);
    drop(&r);
    r = ask_of(wide, "columns", "");
    const json_t *columns = json_object_get(r.json, "columns");
    int64_t count;
    const uint32_t *all = array(&r, "all", "u4", &count);
    assert_int_equal(json_array_size(columns), 40);
    assert_int_equal(count, 40 * 32);
    const json_t *few = json_object_get(json_array_get(columns, 6), "names");
    const json_t *more = json_object_get(json_array_get(columns, 7), "names");
    assert_string_equal(text(json_array_get(columns, 6), "name"), "a0");
    assert_int_equal(json_array_size(few), 32);
    assert_string_equal(json_string_value(json_array_get(few, 31)), "w31");
    assert_string_equal(json_string_value(json_array_get(few, 26)), "w26");
    assert_int_equal(json_array_size(more), 32);
    assert_string_equal(json_string_value(json_array_get(more, 31)), "2 others");
    assert_string_equal(json_string_value(json_array_get(more, 30)), "w30");
    assert_int_equal(all[6 * 32 + 0], 3); /* 90 nodes: w00 to w25 three times, the others twice */
    assert_int_equal(all[6 * 32 + 31], 2);
    assert_int_equal(all[7 * 32 + 30], 2);
    assert_int_equal(all[7 * 32 + 31], 4);
    drop(&r);
    dgm_explorer_free(wide);
    dgm_graph_free(graph);
}

/* Another lens has other columns and another comparison. */
static void columns_follow_the_lens(void **state) {
    (void)state;
    reply r = ask("picture", settled);
    drop(&r);
    r = ask("columns", "");
    drop(&r);
    r = ask("cluster", "cluster=0");
    drop(&r);
    dgm_matrix *line = build_matrix(LAND, 1, NULL);
    dgm_explorer_lens lens;
    for (int u = 0; u < LAND; u++)
        dgm_matrix_values_mutable(line)[u] = u;
    dgm_explorer_lens_init(&lens);
    lens.axes = line;
    lens.name = "attr:age";
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    r = ask("picture", "intervals=4");
    drop(&r);
    r = ask("columns", "");
    assert_int_equal(json_array_size(json_object_get(r.json, "columns")), 5);
    assert_near(real_of(json_array_get(json_object_get(r.json, "columns"), 1), "high"), LAND - 1,
                0);
    drop(&r);
    r = ask("cluster", "cluster=0");
    const json_t *row;
    size_t i;
    int64_t seen = 0;
    json_array_foreach(json_object_get(r.json, "differences"), i, row) seen +=
        json_is_true(json_object_get(row, "lens"));
    assert_int_equal(seen, 1);
    drop(&r);
    dgm_explorer_free(explorer);
    explorer = NULL;
    dgm_matrix_free(line);
}

/* ---- bridges ---- */

static void bridges_and_crossings_are_those_of_the_report(void **state) {
    (void)state;
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    const dgm_profile *profile;
    dgm_report *report;
    reply picture = ask("picture", "intervals=7,7&overlap=0.05&dust=show");
    assert_int_equal(dgm_workspace_profile(ctx, dgm_explorer_workspace(explorer), &profile),
                     DGM_OK);
    options.bridges = 100;
    assert_int_equal(dgm_report_create(ctx, summary_of(explorer), land, profile, &options, &report),
                     DGM_OK);
    const dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.bridges_told > 1 && totals.crossings_told > 1);
    reply r = ask("bridges", "");
    const json_t *nodes = json_object_get(r.json, "nodes");
    const json_t *pieces = json_object_get(r.json, "pieces");
    assert_int_equal(number(&r, "total"), totals.bridges);
    assert_int_equal(json_array_size(nodes), totals.bridges_told);
    for (int64_t i = 0; i < totals.bridges_told; i++) {
        const dgm_report_bridge *bridge = &dgm_report_bridges(report)[i];
        const json_t *is = json_array_get(nodes, (size_t)i);
        assert_int_equal(integer_of(is, "node"), bridge->member.node);
        assert_int_equal(integer_of(is, "degree"), bridge->member.neighbours);
        assert_near(real_of(is, "score"), bridge->score, 1e-12);
        assert_int_equal(integer_of(is, "across"), bridge->across);
        assert_int_equal(json_array_size(json_object_get(is, "clusters")), 2);
        assert_near(item(is, "clusters", 0), bridge->home, 0);
        assert_near(item(is, "clusters", 1), bridge->other, 0);
    }
    assert_int_equal(json_array_size(pieces), totals.crossings_told);
    for (int64_t i = 0; i < totals.crossings_told; i++) {
        const dgm_report_crossing *crossing = &dgm_report_crossings(report)[i];
        const json_t *is = json_array_get(pieces, (size_t)i);
        const json_t *ends = json_object_get(is, "ends");
        assert_int_equal(integer_of(is, "a"), dgm_report_pieces(report)[crossing->low].clusters[0]);
        assert_int_equal(integer_of(is, "b"),
                         dgm_report_pieces(report)[crossing->high].clusters[0]);
        assert_int_equal(integer_of(is, "edges"), crossing->edges);
        assert_int_equal(json_array_size(ends), crossing->count);
        assert_true(crossing->count > 0);
        for (int64_t k = 0; k < crossing->count; k++)
            for (size_t end = 0; end < 2; end++) {
                char name[32] = "";
                memcpy(name, crossing->ends[k][end].name, crossing->ends[k][end].length);
                assert_string_equal(
                    json_string_value(json_array_get(json_array_get(ends, (size_t)k), end)), name);
            }
    }
    drop(&r);
    dgm_report_free(report);
    drop(&picture);
}

/* ---- serial ---- */

static void every_answer_says_which_picture_it_is_about(void **state) {
    (void)state;
    static const char *const questions[][2] = {
        {"cluster", "cluster=0"}, {"members", "cluster=0"}, {"edge", "a=0&b=1"},
        {"search", "text=1"},     {"bridges", ""},          {"select", "nodes=1"},
        {"columns", ""},          {"mistakes", ""},         {"lens_view", ""},
        {"subgraph", "nodes=1"},  {"pin", "off=1"},         {"persistence", "intervals=2"}};
    for (int round = 1; round <= 2; round++) {
        reply picture = ask("picture", settled);
        assert_int_equal(integer_of(picture.json, "serial"), round);
        for (int64_t i = 0; i < COUNT(questions); i++) {
            reply r = ask(questions[i][0], questions[i][1]);
            assert_int_equal(integer_of(r.json, "serial"), round);
            drop(&r);
        }
        drop(&picture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LAND(a_portrait_counts_classes_and_both_axes),
        WITH_LAND(neighbours_are_told_in_the_order_of_their_weight),
        WITH_LAND(differences_are_those_of_a_comparison),
        WITH_LAND(what_is_not_known_is_null),
        WITH_LAND(the_table_of_mistakes_counts_who_was_judged),
        cmocka_unit_test(a_table_has_at_most_a_thousand_classes),
        WITH_LAND(columns_are_counted_in_bins),
        WITH_LAND(many_texts_and_columns_come_to_an_end),
        WITH_LAND(columns_follow_the_lens),
        WITH_LAND(bridges_and_crossings_are_those_of_the_report),
        WITH_LAND(every_answer_says_which_picture_it_is_about),
    };
    return RUN_WITH_CONTEXT(tests);
}
