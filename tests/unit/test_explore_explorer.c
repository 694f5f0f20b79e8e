/* SPDX-License-Identifier: Apache-2.0 */
/* Questions and their answers: the same as the summary that the library makes, and nothing moves that
 * need not. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "explore_fixture.h"
#include "unit_faults.h"

/* ---- tests ---- */

static void start_tells_what_there_is(void **state) {
    (void)state;
    assert_int_equal(dgm_explorer_set_start(ctx, explorer, "\"live\": true"), DGM_OK);
    reply r = ask("start", "");
    assert_int_equal(number(&r, "nodes"), NODES);
    assert_int_equal(number(&r, "edges"), NODES);
    assert_true(json_is_true(json_object_get(r.json, "live")));
    assert_true(json_is_true(json_object_get(r.json, "predictions")));
    assert_string_equal(json_string_value(json_array_get(json_object_get(r.json, "classes"), 1)),
                        "right");
    const json_t *lens = json_object_get(r.json, "lens");
    assert_string_equal(text(lens, "name"), "round");
    assert_string_equal(text(json_object_get(lens, "settings"), "lens"), "round");
    const json_t *axis = json_array_get(json_object_get(lens, "axes"), 0);
    assert_near(json_number_value(json_object_get(axis, "low")), 0, 0);
    assert_near(json_number_value(json_object_get(axis, "high")), 30, 0);
    assert_string_equal(text(json_object_get(r.json, "settings"), "intervals"), "10");
    assert_int_equal(json_array_size(json_object_get(r.json, "options")),
                     json_object_size(json_object_get(r.json, "settings")));
    assert_int_equal(json_array_size(json_object_get(r.json, "colours")), 7);
    drop(&r);
}

/* All texts of a lens may go once it is set; its name and command are those of summaries. */
static void texts_of_a_lens_are_copied(void **state) {
    (void)state;
    char texts[][12] = {"height", "dgm map x", "{\"a\":1}", "kernels", "blas", "version"};
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.name = texts[0];
    lens.command = texts[1];
    lens.words = texts[2];
    lens.provenance =
        (dgm_provenance){.kernels = texts[3], .blas = texts[4], .version = texts[5], .seed = 8};
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
    memset(texts, 'x', sizeof texts);
    reply r = ask("start", "");
    assert_string_equal(text(json_object_get(r.json, "lens"), "name"), "height");
    assert_int_equal(json_object_size(json_object_get(json_object_get(r.json, "lens"), "settings")),
                     1);
    drop(&r);
    r = ask("picture", "");
    assert_int_equal(strncmp(text(r.json, "command"), "dgm map x --", 12), 0);
    drop(&r);
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(explorer), &summary),
                     DGM_OK);
    dgm_provenance is = dgm_summary_get_provenance(summary);
    assert_string_equal(is.lens, "height");
    assert_string_equal(is.kernels, "kernels");
    assert_string_equal(is.blas, "blas");
    assert_string_equal(is.version, "version");
    assert_int_equal(is.seed, 8);
}

/* What a workspace makes of the same settings. */
static dgm_workspace *open_workspace(const char *const (*settings)[2]) {
    dgm_workspace *workspace;
    assert_int_equal(dgm_workspace_create(ctx, graph, &workspace), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set_predictions(ctx, workspace, predictions), DGM_OK);
    for (; (*settings)[0]; settings++)
        assert_int_equal(dgm_workspace_set(ctx, workspace, (*settings)[0], (*settings)[1]), DGM_OK);
    return workspace;
}

static void a_picture_is_the_summary_of_its_settings(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"intervals", "7"}, {"overlap", "0.35"}, {"colour", "labels"}, {NULL, NULL}};
    dgm_workspace *workspace = open_workspace(settings);
    const dgm_summary *summary;
    const dgm_view *view;
    int64_t edges, count;
    assert_int_equal(dgm_workspace_summary(ctx, workspace, &summary), DGM_OK);
    assert_int_equal(dgm_workspace_view(ctx, workspace, &view), DGM_OK);
    const dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    const dgm_places places = dgm_view_get_places(view);

    reply r = ask("picture", "intervals=7&overlap=0.35&colour=labels&cold=1");
    assert_int_equal(number(&r, "clusters"), clusters.count);
    assert_int_equal(number(&r, "links"), edges);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(r.json, "topology"), "b1")),
                     1);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(r.json, "coverage"), "covered")), NODES);
    const uint32_t *size = array(&r, "size", "u4", &count);
    assert_int_equal(count, clusters.count);
    const uint32_t *cluster = array(&r, "cluster", "u4", &count);
    const float *x = array(&r, "x", "f4", &count), *y = array(&r, "y", "f4", &count);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(cluster[i], i);
        assert_int_equal(size[i], clusters.offsets[i + 1] - clusters.offsets[i]);
        assert_near(x[i], places.x[i], 1e-5);
        assert_near(y[i], places.y[i], 1e-5);
    }
    const uint32_t *source = array(&r, "source", "u4", &count);
    const uint32_t *target = array(&r, "target", "u4", &count);
    const uint32_t *shared = array(&r, "shared", "u4", &count);
    assert_int_equal(count, edges);
    for (int64_t l = 0; l < edges; l++) {
        assert_int_equal(source[l], edge[l].source);
        assert_int_equal(target[l], edge[l].target);
        assert_int_equal(shared[l], edge[l].shared);
    }
    const uint32_t *piece = array(&r, "piece", "u4", &count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(piece[i], 0);
    const json_t *legend = json_object_get(r.json, "legend");
    assert_string_equal(text(legend, "kind"),
                        "ramp"); /* of two classes the share of one is shown */
    assert_int_equal(json_array_size(json_object_get(legend, "colours")), 32);
    assert_string_equal(text(r.json, "command"),
                        "dgm map ring --auto off --lens round --cover uniform --intervals 7 "
                        "--overlap 0.35 --colour labels");
    drop(&r);
    dgm_workspace_free(workspace);
}

/* The mean distance of marks from where their nodes stood. */
static double distance_moved(const char *before, const char *settings) {
    reply first = ask("picture", before), second = ask("picture", settings);
    int64_t count;
    const float *x = array(&first, "x", "f4", &count), *y = array(&first, "y", "f4", &count);
    const float *u = array(&second, "x", "f4", &count), *v = array(&second, "y", "f4", &count);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += hypot(x[i] - u[i], y[i] - v[i]);
    drop(&first);
    drop(&second);
    return sum / (double)count;
}

static void a_picture_stays_where_it_was(void **state) {
    (void)state;
    static const char first[] = "intervals=8&overlap=0.3&cold=1&layout=stress";
    static const char circle[] = "intervals=8&overlap=0.3&cold=1&layout=circular";
    assert_near(distance_moved(first, "colour=labels"), 0, 0); /* a colour moves nothing */
    assert_near(distance_moved(first, "overlap=0.31"), 0, 0.5);
    assert_true(distance_moved(circle, "layout=stress") <
                0.8 * distance_moved(circle, "layout=stress&cold=1"));
}

static void wrong_settings_change_nothing(void **state) {
    (void)state;
    reply before = ask("picture", "intervals=6&overlap=0.3&colour=labels");
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "picture", "intervals=9&overlap=7", &bytes),
                 DGM_ERROR_USAGE, "overlap takes a number from 0 to 1, not '7'");
    assert_string_equal(dgm_context_error_parts(ctx).option, "overlap");
    assert_null(bytes.bytes);
    assert_int_equal(
        dgm_explorer_ask(ctx, explorer, "picture", "intervals=9&colour=attr:none", &bytes),
        DGM_ERROR_USAGE);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "picture", "interval=9", &bytes), DGM_ERROR_USAGE,
                 "a workspace has no option 'interval'; did you mean 'intervals'?");
    reply now = ask("cluster", "cluster=0");
    assert_int_equal(number(&now, "serial"), number(&before, "serial"));
    drop(&now);
    now = ask("picture", "");
    assert_string_equal(text(now.json, "command"), text(before.json, "command"));
    assert_int_equal(number(&now, "clusters"), number(&before, "clusters"));
    drop(&before);
    drop(&now);
}

static void questions_about_old_pictures_are_not_answered(void **state) {
    (void)state;
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "cluster", "cluster=0", &bytes), DGM_ERROR_USAGE,
                 "there is no picture yet: ask for one first");
    reply first = ask("picture", ""), second = ask("picture", "intervals=5");
    assert_int_equal(number(&second, "serial"), number(&first, "serial") + 1);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "members", "cluster=0&serial=1", &bytes),
                 DGM_ERROR_CANCELLED, "another picture has been made since");
    reply members = ask("members", "cluster=0&serial=2");
    drop(&members);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "nothing", "", &bytes), DGM_ERROR_USAGE,
                 "there is no question 'nothing'");
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "cluster", "cluster=99", &bytes), DGM_ERROR_USAGE,
                 "cluster is from 0 to 7, not 99");
    drop(&first);
    drop(&second);
}

static void a_cluster_is_described(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4&overlap=0.2");
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(explorer), &summary),
                     DGM_OK);
    const dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    for (int64_t c = 0; c < clusters.count; c++) {
        char settings[32];
        int64_t left = 0, mistakes = 0, size = clusters.offsets[c + 1] - clusters.offsets[c];
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            left += clusters.members[i] >= 40;
            mistakes += clusters.members[i] >= 35 && clusters.members[i] < 40;
        }
        snprintf(settings, sizeof settings, "cluster=%d", (int)c);
        reply r = ask("cluster", settings);
        assert_int_equal(number(&r, "size"), size);
        assert_int_equal(number(&r, "judged"), size);
        assert_int_equal(number(&r, "mistakes"), mistakes);
        const json_t *labels = json_object_get(r.json, "labels"), *row;
        size_t i;
        json_array_foreach(labels, i, row) {
            bool is_left = strcmp(text(row, "name"), "left") == 0;
            assert_int_equal(json_integer_value(json_object_get(row, "count")),
                             is_left ? left : size - left);
            assert_int_equal(json_integer_value(json_object_get(row, "all")), is_left ? 20 : 40);
        }
        const json_t *axis = json_array_get(json_object_get(r.json, "lens"), 0);
        int64_t inside = 0, all = 0;
        for (size_t b = 0; b < 32; b++) {
            inside += json_integer_value(json_array_get(json_object_get(axis, "inside"), b));
            all += json_integer_value(json_array_get(json_object_get(axis, "all"), b));
        }
        assert_int_equal(inside, size);
        assert_int_equal(all, NODES);
        assert_true(json_array_size(json_object_get(r.json, "neighbours")) >= 1);
        drop(&r);
    }
    drop(&picture);
}

static void members_are_found_by_name_and_in_pages(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=1&overlap=0"),
          r = ask("members", "cluster=0&count=5");
    assert_int_equal(number(&r, "total"), NODES);
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), 5);
    drop(&r);
    r = ask("members", "cluster=0&from=58&count=5");
    assert_int_equal(json_array_size(json_object_get(r.json, "rows")), 2);
    const json_t *row = json_array_get(json_object_get(r.json, "rows"), 1);
    assert_string_equal(text(row, "name"), "59");
    assert_string_equal(text(row, "label"), "left");
    assert_string_equal(text(row, "prediction"), "left");
    assert_int_equal(json_integer_value(json_object_get(row, "degree")), 2);
    drop(&r);
    r = ask("members", "cluster=0&text=5");
    assert_int_equal(number(&r, "total"), 15); /* 5, 15, 25, 35, 45 and 50 to 59 */
    drop(&r);
    drop(&picture);
}

static void an_edge_has_its_nodes_and_links(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=4&overlap=0.2");
    int64_t count;
    const uint32_t *source = array(&picture, "source", "u4", &count);
    const uint32_t *target = array(&picture, "target", "u4", &count);
    const uint32_t *shared = array(&picture, "shared", "u4", &count);
    const uint32_t *cluster = array(&picture, "cluster", "u4", &count);
    for (int64_t l = 0; l < number(&picture, "links"); l++) {
        char settings[64];
        snprintf(settings, sizeof settings, "a=%u&b=%u", cluster[source[l]], cluster[target[l]]);
        reply edge = ask("edge", settings), members = ask("members", settings);
        assert_int_equal(number(&edge, "shared"), shared[l]);
        assert_int_equal(number(&members, "total"), shared[l]);
        assert_int_equal(number(&edge, "crossing"),
                         json_array_size(json_object_get(edge.json, "links")));
        drop(&edge);
        drop(&members);
    }
    drop(&picture);
}

static void a_search_lights_every_cluster_with_a_match(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=6&overlap=0.3"), r = ask("search", "text=59");
    int64_t count, lit = 0;
    const uint32_t *hits = array(&r, "hits", "u4", &count);
    assert_int_equal(number(&r, "total"), 1);
    for (int64_t i = 0; i < count; i++)
        lit += hits[i];
    const json_t *row = json_array_get(json_object_get(r.json, "rows"), 0);
    assert_int_equal(lit, json_array_size(json_object_get(row, "clusters")));
    assert_true(lit > 0);
    drop(&r);
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "search", "text=", &bytes), DGM_ERROR_USAGE,
                 "the question needs text");
    drop(&picture);
}

static void bridges_are_nodes_of_several_clusters(void **state) {
    (void)state;
    reply picture = ask("picture", "intervals=6&overlap=0.3"), r = ask("bridges", "");
    const json_t *nodes = json_object_get(r.json, "nodes"), *row;
    size_t i;
    assert_true(json_array_size(nodes) > 0);
    json_array_foreach(nodes, i, row)
        assert_true(json_array_size(json_object_get(row, "clusters")) > 1);
    drop(&r);
    drop(&picture);
}

/* Three classes in a row, taken for each other in several ways. */
static void mistakes_are_listed_by_their_kind(void **state) {
    (void)state;
    int32_t labels[NODES], said[NODES];
    static const char *const names[] = {"red", "green", "blue"};
    dgm_graph *coloured;
    dgm_predictions *guesses;
    dgm_explorer *other;
    dgm_answer bytes;
    for (int i = 0; i < NODES; i++) {
        labels[i] = i % 3;
        said[i] = i < 6 ? 2 - labels[i] : i == 7 ? 0 : i == 8 ? 1 : labels[i];
    }
    labels[59] = -1;
    assert_int_equal(dgm_graph_with_labels(ctx, graph, labels, 3, names, &coloured), DGM_OK);
    assert_int_equal(dgm_predictions_from_classes(ctx, coloured, said, NULL, &guesses), DGM_OK);
    assert_int_equal(dgm_explorer_create(ctx, coloured, &other), DGM_OK);
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.predictions = guesses;
    assert_int_equal(dgm_explorer_set_lens(ctx, other, &lens), DGM_OK);
    dgm_explorer *kept = explorer;
    explorer = other;
    reply picture = ask("picture", "intervals=1&overlap=0"), r = ask("cluster", "cluster=0");
    /* Nodes 0, 3: red for blue; 2, 5: blue for red; 7: green for red; 8: blue for green. */
    static const struct {
        const char *label, *said;
        int count;
    } wanted[] = {
        {"red", "blue", 2}, {"blue", "red", 2}, {"green", "red", 1}, {"blue", "green", 1}};
    const json_t *mixups = json_object_get(r.json, "mixups");
    assert_int_equal(json_array_size(mixups), COUNT(wanted));
    for (int64_t i = 0; i < COUNT(wanted); i++) {
        const json_t *row = json_array_get(mixups, (size_t)i);
        assert_string_equal(text(row, "label"), wanted[i].label);
        assert_string_equal(text(row, "prediction"), wanted[i].said);
        assert_int_equal(json_integer_value(json_object_get(row, "count")), wanted[i].count);
    }
    assert_int_equal(number(&r, "judged"), NODES - 1);
    assert_int_equal(number(&r, "mistakes"), 6);
    drop(&r);
    r = ask("members", "cluster=0&wrong=1");
    assert_int_equal(number(&r, "total"), 6);
    drop(&r);
    r = ask("members", "cluster=0&wrong=1&text=8");
    assert_int_equal(number(&r, "total"), 1);
    drop(&r);
    r = ask("members", "nodes=59");
    assert_true(
        json_is_null(json_object_get(json_array_get(json_object_get(r.json, "rows"), 0), "label")));
    drop(&r);
    drop(&picture);
    explorer = kept;
    dgm_explorer_free(other);
    dgm_predictions_free(guesses);
    dgm_graph_free(coloured);
    ASSERT_FAILS(dgm_explorer_ask(ctx, explorer, "mistakes", "serial=9", &bytes), DGM_ERROR_USAGE,
                 "there is no picture yet: ask for one first");
}

static void an_explorer_says_what_it_lacks(void **state) {
    (void)state;
    dgm_explorer *bare, *blind;
    dgm_explorer_lens lens;
    dgm_answer bytes;
    ASSERT_FAILS(dgm_explorer_create(ctx, NULL, &bare), DGM_ERROR_USAGE,
                 "an explorer needs a graph");
    assert_int_equal(dgm_explorer_create(ctx, graph, &bare), DGM_OK);
    dgm_explorer_lens_init(&lens);
    ASSERT_FAILS(dgm_explorer_set_lens(ctx, bare, &lens), DGM_ERROR_USAGE, "the lens has no axes");
    static const char *const questions[][2] = {
        {"thumbnail", ""}, {"persistence", "intervals=2"}, {"picture", ""}};
    for (int64_t i = 0; i < COUNT(questions); i++)
        assert_int_equal(dgm_explorer_ask(ctx, bare, questions[i][0], questions[i][1], &bytes),
                         DGM_ERROR_USAGE);
    assert_int_equal(dgm_explorer_ask(ctx, bare, "start", "", &bytes), DGM_OK);
    dgm_answer_free(ctx, &bytes);
    dgm_explorer_free(bare);
    assert_int_equal(dgm_explorer_create(ctx, graph, &blind), DGM_OK); /* no predictions */
    lens.axes = axes;
    assert_int_equal(dgm_explorer_set_lens(ctx, blind, &lens), DGM_OK);
    assert_int_equal(dgm_explorer_ask(ctx, blind, "thumbnail", "serial=3", &bytes), DGM_OK);
    dgm_answer_free(ctx, &bytes);
    assert_int_equal(dgm_explorer_ask(ctx, blind, "picture", "", &bytes), DGM_OK);
    dgm_answer_free(ctx, &bytes);
    ASSERT_FAILS(dgm_explorer_ask(ctx, blind, "mistakes", "", &bytes), DGM_ERROR_USAGE,
                 "there are no classes and predictions");
    ASSERT_FAILS(dgm_explorer_ask(ctx, blind, "select", "field=0,1", &bytes), DGM_ERROR_USAGE,
                 "there are no classes and predictions");
    assert_int_equal(dgm_explorer_ask(ctx, blind, "members", "cluster=0&wrong=1", &bytes), DGM_OK);
    dgm_answer_free(ctx, &bytes);
    dgm_explorer_free(blind);
}

/* Questions about another picture are not answered, whatever they ask. */
static void every_question_knows_its_picture(void **state) {
    (void)state;
    static const char *const questions[][2] = {
        {"cluster", "cluster=0"}, {"members", "cluster=0"}, {"edge", "a=0&b=1"},
        {"search", "text=1"},     {"bridges", ""},          {"select", "nodes=1"},
        {"columns", ""},          {"mistakes", ""},         {"lens_view", ""},
        {"subgraph", "nodes=1"},  {"focus", "nodes=1"},     {"pin", "off=1"}};
    reply picture = ask("picture", "intervals=4");
    for (int64_t i = 0; i < COUNT(questions); i++) {
        char settings[64];
        dgm_answer bytes;
        snprintf(settings, sizeof settings, "serial=77&%s", questions[i][1]);
        if (dgm_explorer_ask(ctx, explorer, questions[i][0], settings, &bytes) !=
            DGM_ERROR_CANCELLED)
            fail_msg("%s", questions[i][0]);
    }
    drop(&picture);
}

/* Dust that is not drawn has no mark, and nothing points to one. */
static void dust_may_have_no_marks(void **state) {
    (void)state;
    for (int i = 0; i < NODES;
         i++) /* neighbours on one half of the ring, and scattered on the other */
        dgm_matrix_values_mutable(axes)[i] = i < NODES / 2 ? i : i * 37 % NODES;
    give_lens(ctx, explorer);
    reply picture = ask("picture", "intervals=4&overlap=0.2&dust=drop&dust-size=4");
    int64_t marks, links;
    const uint32_t *cluster = array(&picture, "cluster", "u4", &marks);
    const uint32_t *source = array(&picture, "source", "u4", &links);
    (void)cluster;
    assert_true(marks < number(&picture, "clusters"));
    for (int64_t l = 0; l < links; l++)
        assert_true(source[l] < marks);
    reply r = ask("select", "box=0,30"), t = ask("thumbnail", "colour=labels");
    int64_t hits;
    array(&r, "hits", "u4", &hits);
    assert_int_equal(hits, marks);
    drop(&r);
    drop(&t);
    r = ask("lens_view", "");
    const uint32_t *mark = array(&r, "pmark", "u4", &hits);
    for (int64_t i = 0; i < hits; i++)
        assert_true(mark[i] < marks || mark[i] == UINT32_MAX);
    drop(&r);
    drop(&picture);
}

static dgm_status ask_everything(dgm_context *own, void *argument) {
    static const char *const questions[][2] = {{"picture", "intervals=5"},
                                               {"start", ""},
                                               {"picture", "intervals=6&colour=labels"},
                                               {"cluster", "cluster=1"},
                                               {"members", "cluster=1"},
                                               {"edge", "a=0&b=1"},
                                               {"search", "text=1"},
                                               {"bridges", ""},
                                               {"select", "box=3,8&hops=2"},
                                               {"columns", "where=0:1:2"},
                                               {"lens_view", ""}};
    (void)argument;
    return ask_in_turn(own, questions, COUNT(questions), NULL);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(ask_everything, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(start_tells_what_there_is, open_explorer, close_explorer),
        cmocka_unit_test_setup_teardown(texts_of_a_lens_are_copied, open_explorer, close_explorer),
        cmocka_unit_test_setup_teardown(a_picture_is_the_summary_of_its_settings, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(a_picture_stays_where_it_was, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(wrong_settings_change_nothing, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(questions_about_old_pictures_are_not_answered,
                                        open_explorer, close_explorer),
        cmocka_unit_test_setup_teardown(a_cluster_is_described, open_explorer, close_explorer),
        cmocka_unit_test_setup_teardown(members_are_found_by_name_and_in_pages, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(an_edge_has_its_nodes_and_links, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(a_search_lights_every_cluster_with_a_match, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(bridges_are_nodes_of_several_clusters, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(mistakes_are_listed_by_their_kind, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(an_explorer_says_what_it_lacks, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(every_question_knows_its_picture, open_explorer,
                                        close_explorer),
        cmocka_unit_test_setup_teardown(dust_may_have_no_marks, open_explorer, close_explorer),
        cmocka_unit_test_setup_teardown(every_failed_allocation_is_told, open_explorer,
                                        close_explorer),
    };
    return RUN_WITH_CONTEXT(tests);
}
