/* SPDX-License-Identifier: Apache-2.0 */
/* A picture in numbers: marks, links, pieces, mistakes, origins, the legend and the ledger, each
 * held against the summary or a plain loop. */
#include "unit_fixture.h"

#include "base_clock.h"
#include "base_context.h"
#include "draw_view.h"
#include "explore_land.h"
#include "mapper_name.h"
#include "workspace_workspace.h"

/* ---- marks and links ---- */

/* Dust as it is, folded and left out. */
static const char *const dusty[] = {
    "intervals=4,4&overlap=0.3&dust=show&edges=nerve&cold=1",
    "intervals=4,4&overlap=0.3&dust=fold&dust-size=3&edges=nerve&cold=1",
    "intervals=4,4&overlap=0.3&dust=drop&dust-size=3&edges=nerve&cold=1"};

static int64_t nodes_of_pile(const dgm_view *view, const dgm_summary_clusters *is, int64_t first) {
    int64_t nodes = 0;
    for (uint32_t u = 0; u < LAND; u++) {
        bool in = false;
        for (int64_t c = 0; c < is->count; c++)
            in = in || (view->dust->pile[c] == view->dust->pile[first] && is_in(is, c, u));
        nodes += in;
    }
    return nodes;
}

static void marks_stand_for_the_clusters_that_are_drawn(void **state) {
    (void)state;
    for (int64_t k = 0; k < COUNT(dusty); k++) {
        reply r = ask("picture", dusty[k]);
        const dgm_view *view = view_of(explorer);
        const dgm_summary_clusters is = clusters_of(explorer);
        int64_t marks, count, piles = 0, at = 0;
        const uint32_t *cluster = array(&r, "cluster", "u4", &marks);
        const uint32_t *size = array(&r, "size", "u4", &count);
        const uint8_t *pile = array(&r, "pile", "u1", &count);
        const float *radius = array(&r, "radius", "f4", &count);
        for (int64_t c = 0; c < is.count; c++) {
            if (!dgmi_draw_view_is_drawn(view, c))
                continue;
            bool is_pile = dgmi_draw_view_pile(view, c) != NULL;
            assert_true(at < marks);
            assert_int_equal(cluster[at], c);
            assert_int_equal(pile[at], is_pile);
            assert_int_equal(size[at], is_pile ? nodes_of_pile(view, &is, c)
                                               : is.offsets[c + 1] - is.offsets[c]);
            assert_near(radius[at], view->radius[c], 1e-5);
            piles += is_pile;
            at++;
        }
        assert_int_equal(marks, at);
        assert_int_equal(json_array_size(json_object_get(r.json, "names")), marks);
        assert_int_equal(piles > 0, k == 1);
        assert_int_equal(marks<is.count, k> 0);
        drop(&r);
    }
}

static void links_join_the_marks_that_are_drawn(void **state) {
    (void)state;
    for (int64_t k = 0; k < COUNT(dusty); k++) {
        reply r = ask("picture", dusty[k]);
        const dgm_view *view = view_of(explorer);
        int64_t count, marks, at = 0;
        const uint32_t *cluster = array(&r, "cluster", "u4", &marks);
        const uint32_t *source = array(&r, "source", "u4", &count);
        const uint32_t *target = array(&r, "target", "u4", &count);
        const uint32_t *shared = array(&r, "shared", "u4", &count);
        const uint32_t *crossing = array(&r, "crossing", "u4", &count);
        const float *weight = array(&r, "weight", "f4", &count);
        for (int64_t l = 0; l < view->link_count; l++) {
            const dgm_summary_edge *link = &view->links[l];
            if (!dgmi_draw_view_is_drawn(view, link->source) ||
                !dgmi_draw_view_is_drawn(view, link->target))
                continue;
            assert_true(at < count && source[at] < marks && target[at] < marks);
            assert_int_equal(cluster[source[at]], link->source);
            assert_int_equal(cluster[target[at]], link->target);
            assert_int_equal(shared[at], link->shared < 0 ? 0 : link->shared);
            assert_int_equal(crossing[at], link->links < 0 ? 0 : link->links);
            assert_near(weight[at], link->weight, 1e-6);
            at++;
        }
        assert_int_equal(count, at);
        assert_true(count > 3);
        drop(&r);
    }
}

/* A piece is named by the place of its first cluster among those of all pieces. */
static void pieces_are_numbered_by_their_first_clusters(void **state) {
    (void)state;
    reply r = ask("picture", dusty[0]);
    const dgm_view *view = view_of(explorer);
    int64_t count, pieces = 0;
    int64_t first[LAND], number_of[LAND];
    const uint32_t *piece = array(&r, "piece", "u4", &count);
    assert_true(count <= LAND);
    for (int64_t c = 0; c < count; c++)
        first[c] = c;
    for (int64_t round = 0; round < count; round++)
        for (int64_t l = 0; l < view->link_count; l++) {
            int64_t *a = &first[view->links[l].source], *b = &first[view->links[l].target];
            *a = *b = *a < *b ? *a : *b;
        }
    for (int64_t c = 0; c < count; c++) {
        number_of[c] = first[c] == c ? pieces++ : number_of[first[c]];
        assert_int_equal(piece[c], number_of[c]);
        char settings[32];
        snprintf(settings, sizeof settings, "cluster=%d", (int)c);
        reply one = ask("cluster", settings);
        assert_int_equal(number(&one, "piece"), number_of[c]);
        drop(&one);
    }
    assert_int_equal(pieces, integer_of(json_object_get(r.json, "topology"), "b0"));
    assert_true(pieces > 2);
    drop(&r);
}

static void errors_are_shares_of_those_that_were_judged(void **state) {
    (void)state;
    reply r = ask("picture", dusty[0]);
    const dgm_summary_clusters is = clusters_of(explorer);
    int64_t count, unknown = 0, wrong = 0;
    const float *error = array(&r, "error", "f4", &count);
    for (int64_t c = 0; c < count; c++) {
        int64_t judged = 0, mistakes = 0;
        for (int64_t i = is.offsets[c]; i < is.offsets[c + 1]; i++) {
            uint32_t u = is.members[i];
            judged += labels[u] >= 0 && guesses[u] >= 0;
            mistakes += labels[u] >= 0 && guesses[u] >= 0 && labels[u] != guesses[u];
        }
        if (judged)
            assert_near(error[c], (double)mistakes / (double)judged, 1e-6);
        else
            assert_true(isnan(error[c]));
        unknown += judged == 0;
        wrong += mistakes > 0 && mistakes < judged;
    }
    assert_true(unknown > 0 && wrong > 0);
    drop(&r);
    r = ask("picture", dusty[1]); /* a pile has no share of its own */
    const uint8_t *pile = array(&r, "pile", "u1", &count);
    error = array(&r, "error", "f4", &count);
    for (int64_t i = 0; i < count; i++)
        if (pile[i])
            assert_true(isnan(error[i]));
    drop(&r);
    give_plane(explorer, NULL);
    r = ask("picture", dusty[0]);
    error = array(&r, "error", "f4", &count);
    for (int64_t i = 0; i < count; i++)
        assert_true(isnan(error[i]));
    drop(&r);
}

/* A mark comes from the one of the last picture that has the most of its members; every node was in
 * one mark there, the last of those that it is in. */
static void marks_come_from_where_most_of_their_members_were(void **state) {
    (void)state;
    uint32_t before[LAND];
    int64_t marks = 0, count, nowhere = 0;
    for (int64_t k = 0; k < 4; k++) {
        reply r = ask("picture", k == 3 ? "dust=show" : dusty[k]);
        const dgm_view *view = view_of(explorer);
        const dgm_summary_clusters is = clusters_of(explorer);
        const uint32_t *origin = array(&r, "origin", "u4", &count);
        const uint32_t *cluster = array(&r, "cluster", "u4", &count);
        for (int64_t i = 0; i < count; i++) {
            int64_t shared[LAND] = {0}, most = 0;
            for (int64_t j = is.offsets[cluster[i]]; k && j < is.offsets[cluster[i] + 1]; j++)
                if (before[is.members[j]] != UINT32_MAX)
                    shared[before[is.members[j]]]++;
            for (int64_t j = 0; j < marks; j++)
                most = shared[j] > most ? shared[j] : most;
            if (most)
                assert_int_equal(origin[i] < marks ? shared[origin[i]] : -1, most);
            else
                assert_int_equal(origin[i], UINT32_MAX);
            nowhere += k > 0 && most == 0;
        }
        for (int u = 0; u < LAND; u++)
            before[u] = UINT32_MAX;
        for (int64_t c = 0; c < is.count; c++) {
            int64_t by = c;
            if (!dgmi_draw_view_is_plain(view, c))
                by = view->dust->piles[view->dust->pile[c]].first;
            for (int64_t i = 0; i < count; i++)
                for (int64_t j = is.offsets[c]; cluster[i] == by && j < is.offsets[c + 1]; j++)
                    before[is.members[j]] = (uint32_t)i;
        }
        marks = count;
        drop(&r);
    }
    assert_true(nowhere > 0); /* dust that was left out came from nowhere */
}

/* ---- names ---- */

static void marks_are_called_by_their_clusters_or_their_dust(void **state) {
    (void)state;
    reply r = ask("picture", dusty[1]);
    const dgm_view *view = view_of(explorer);
    const dgmi_mapper_name_source from = {
        .summary = view->summary, .graph = land, .profile = view->profile};
    dgmi_mapper_names called;
    int64_t count, piles = 0;
    const uint32_t *cluster = array(&r, "cluster", "u4", &count);
    const json_t *names = json_object_get(r.json, "names");
    assert_int_equal(dgmi_mapper_names_make(ctx, &from, &called), DGM_OK);
    for (int64_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(names, (size_t)i));
        const dgmi_mapper_pile *pile = dgmi_draw_view_pile(view, cluster[i]);
        dgmi_text words;
        dgmi_text_init(&words, ctx);
        if (pile) {
            dgmi_draw_dust_say(pile, &words);
            assert_string_equal(name, words.data);
            piles++;
        } else
            assert_string_equal(name, dgmi_mapper_names_get(&called, cluster[i]));
        dgmi_text_free(&words);
    }
    assert_true(piles > 1);
    dgmi_mapper_names_free(&called);
    drop(&r);
}

/* Another picture has clusters of its own, and what they are called is not kept from the last one. */
static void names_are_those_of_the_picture(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9};
    static const int32_t classes[] = {2, 2, 2, 2, 2, 1, 1, 1, 1, 1};
    static const char *const asked[] = {"intervals=2&overlap=0", "intervals=1&overlap=0"};
    static const char *const called[] = {"blue", "node 1"};
    dgm_graph *bare = build_graph(NULL, 10, 9, ends, NULL), *labelled;
    dgm_matrix *line = build_matrix(10, 1, (const double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    dgm_explorer *small;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = line;
    assert_int_equal(dgm_graph_with_labels(ctx, bare, classes, 3, class_names, &labelled), DGM_OK);
    assert_int_equal(dgm_explorer_create(ctx, labelled, &small), DGM_OK);
    assert_int_equal(dgm_explorer_set_lens(ctx, small, &lens), DGM_OK);
    for (int i = 0; i < 2; i++) {
        reply r = ask_of(small, "picture", asked[i]), one = ask_of(small, "cluster", "cluster=0");
        assert_string_equal(json_string_value(json_array_get(json_object_get(r.json, "names"), 0)),
                            called[i]);
        assert_string_equal(json_string_value(json_object_get(one.json, "name")), called[i]);
        drop(&one);
        drop(&r);
    }
    dgm_explorer_free(small);
    dgm_matrix_free(line);
    dgm_graph_free(labelled);
    dgm_graph_free(bare);
}

/* ---- the ledger ---- */

static void the_ledger_is_that_of_the_summary(void **state) {
    (void)state;
    static const char *const settings[] = {
        "intervals=4,4&overlap=0.3&dust=fold&dust-size=3&min-size=2",
        "intervals=3,3&overlap=0.5&edges=nerve&min-size=1&min-component=4"};
    for (int64_t k = 0; k < COUNT(settings); k++) {
        reply r = ask("picture", settings[k]);
        const dgm_summary_coverage c = dgm_summary_get_coverage(summary_of(explorer));
        const dgm_summary_topology t = dgm_summary_get_topology(summary_of(explorer));
        const dgm_view_dust d = dgm_view_get_dust(view_of(explorer));
        const dgm_bits bits = dgm_summary_get_bits(summary_of(explorer));
        const struct {
            const char *of, *key;
            int64_t value;
        } wanted[] = {{"coverage", "nodes", LAND},
                      {"coverage", "covered", c.covered},
                      {"coverage", "filtered", c.filtered},
                      {"coverage", "filtered_cover", c.filtered_cover},
                      {"coverage", "filtered_min_size", c.filtered_min_size},
                      {"coverage", "filtered_min_component", c.filtered_min_component},
                      {"coverage", "lost", c.lost},
                      {"coverage", "edges", dgm_graph_edges(land)},
                      {"coverage", "edges_inside", bits.inside},
                      {"topology", "b0", t.b0},
                      {"topology", "b1", t.b1},
                      {"topology", "triangles", t.triangles},
                      {"topology", "skeleton_loops", t.skeleton_loops},
                      {"topology", "cycle_rank", t.cycle_rank},
                      {"dust", "size", d.size},
                      {"dust", "clusters", d.clusters},
                      {"dust", "nodes", d.nodes},
                      {"dust", "marks", d.marks}};
        for (int64_t i = 0; i < COUNT(wanted); i++)
            assert_int_equal(integer_of(json_object_get(r.json, wanted[i].of), wanted[i].key),
                             wanted[i].value);
        drop(&r);
    }
}

/* ---- time and notes ---- */

static void seconds_are_those_that_went_by(void **state) {
    (void)state;
    static const char *const parts[] = {"map", "layout", "paint"};
    double begin = dgmi_seconds(), sum = 0;
    reply r = ask("picture", dusty[0]);
    double passed = dgmi_seconds() - begin;
    for (int64_t i = 0; i < COUNT(parts); i++) {
        double seconds = real_of(json_object_get(r.json, "seconds"), parts[i]);
        assert_true(seconds > 0);
        sum += seconds;
    }
    assert_true(sum <= passed);
    drop(&r);
}

static int heard;
static void hear(void *user, const char *note) {
    (void)user, (void)note;
    heard++;
}

/* Says something in the middle of the work, as often as it is told to. */
static int left_to_say;
static bool speak(void *user, const char *stage, double fraction) {
    (void)user, (void)stage, (void)fraction;
    for (; left_to_say > 0; left_to_say--)
        dgmi_note(ctx, "note %d", left_to_say);
    return true;
}

static void a_picture_has_the_notes_of_its_making(void **state) {
    (void)state;
    for (int many = 8; many <= 9; many++) {
        heard = 0;
        left_to_say = many;
        dgm_context_set_notes(ctx, hear, NULL);
        dgm_context_set_progress(ctx, speak, NULL);
        reply r = ask("picture", many == 8 ? dusty[0] : "intervals=7,7");
        dgm_context_set_progress(ctx, NULL, NULL);
        const json_t *notes = json_object_get(r.json, "notes");
        assert_int_equal(left_to_say, 0);
        assert_int_equal(json_array_size(notes), 8); /* no more than these */
        for (int i = 0; i < 8; i++) {
            char wanted[16];
            snprintf(wanted, sizeof wanted, "note %d", many - i);
            assert_string_equal(json_string_value(json_array_get(notes, (size_t)i)), wanted);
        }
        assert_int_equal(heard, 0);
        dgmi_note(ctx, "afterwards");
        assert_int_equal(heard, 1); /* notes go where they went before */
        dgm_context_set_notes(ctx, NULL, NULL);
        drop(&r);
    }
}

/* ---- where layouts start ---- */

static void no_layout_keeps_where_it_started(void **state) {
    (void)state;
    for (int64_t k = 0; k < 2; k++) {
        reply r = ask("picture", k ? "intervals=5,3" : dusty[0]);
        const dgm_layout_options *layout = &dgm_explorer_workspace(explorer)->layout_options;
        assert_null(layout->start);
        assert_near(layout->anchor, 0, 0);
        drop(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_LAND(marks_stand_for_the_clusters_that_are_drawn),
        WITH_LAND(links_join_the_marks_that_are_drawn),
        WITH_LAND(pieces_are_numbered_by_their_first_clusters),
        WITH_LAND(errors_are_shares_of_those_that_were_judged),
        WITH_LAND(marks_come_from_where_most_of_their_members_were),
        WITH_LAND(marks_are_called_by_their_clusters_or_their_dust),
        cmocka_unit_test(names_are_those_of_the_picture),
        WITH_LAND(the_ledger_is_that_of_the_summary),
        WITH_LAND(seconds_are_those_that_went_by),
        WITH_LAND(a_picture_has_the_notes_of_its_making),
        WITH_LAND(no_layout_keeps_where_it_started),
    };
    return RUN_WITH_CONTEXT(tests);
}
