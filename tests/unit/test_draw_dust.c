/* SPDX-License-Identifier: Apache-2.0 */
/* Folding of dust in views and figures. */
#include "dust_sample.h"

#include <math.h>

#include "draw_view.h"
#include "unit_faults.h"

/* Three large clusters in a row, 0 - 1 - 2. On 0 hang three single nodes (3, 4, 5), on 2 a chain of
 * two clusters (6, 7). 8 is a bridge of two clusters (8, 9) from 0 to 10, a large one that nothing
 * else joins. 11 and 12 are single nodes apart, 13 is a small piece. */
static dgm_summary *dusty_summary(void) {
    dust_draft draft = {0};
    for (int c = 0; c < 3; c++)
        dust_cluster(&draft, 10 * c, 9 - c);
    for (int c = 3; c < 6; c++)
        dust_cluster(&draft, 40 + c, 1);
    dust_cluster(&draft, 50, 2);
    dust_cluster(&draft, 51, 2);
    dust_cluster(&draft, 60, 2);
    dust_cluster(&draft, 61, 2);
    dust_cluster(&draft, 70, 6);
    dust_cluster(&draft, 80, 1);
    dust_cluster(&draft, 81, 1);
    dust_cluster(&draft, 90, 3);
    const int ends[][2] = {{0, 1}, {1, 2}, {0, 3}, {0, 4}, {0, 5},
                           {2, 6}, {6, 7}, {0, 8}, {8, 9}, {9, 10}};
    for (int64_t e = 0; e < COUNT(ends); e++)
        dust_join(&draft, ends[e][0], ends[e][1], 1);
    return dust_summary(&draft);
}

static dgm_view *dusty_view(const dgm_summary *summary, int dust, int layout) {
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    dgm_view *view;
    options.dust = dust;
    options.layout = layout;
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, NULL, &view), DGM_OK);
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    return view;
}

static bool same_place(const dgm_view *view, int64_t a, int64_t b) {
    return view->x[a] == view->x[b] && view->y[a] == view->y[b] &&
           view->radius[a] == view->radius[b];
}

static bool has_link(const dgm_view *view, uint32_t a, uint32_t b) {
    for (int64_t l = 0; l < view->link_count; l++)
        if (view->links[l].source == a && view->links[l].target == b)
            return true;
    return false;
}

static void clusters_of_a_pile_have_one_mark_that_is_joined_where_they_were(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *view = dusty_view(summary, DGM_DUST_AUTO, DGM_LAYOUT_STRESS);
    const bool drawn[] = {1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1};
    assert_int_equal(dgm_view_marks(view), 14);
    assert_int_equal(dgm_view_links(view), 10);
    for (int64_t m = 0; m < 14; m++)
        assert_int_equal(dgmi_draw_view_is_drawn(view, m), drawn[m]);
    assert_true(same_place(view, 3, 4) && same_place(view, 3, 5) && same_place(view, 6, 7));
    assert_true(same_place(view, 8, 9) && same_place(view, 11, 12) && !same_place(view, 3, 6));
    assert_int_equal(view->link_count, 6);
    assert_int_equal(view->dust_links, 4);
    assert_true(has_link(view, 0, 1) && has_link(view, 1, 2) && has_link(view, 0, 3));
    assert_true(has_link(view, 2, 6) && has_link(view, 0, 8) && has_link(view, 8, 10));
    dgm_view_dust dust = dgm_view_get_dust(view);
    assert_true(dust.size == 5 && dust.clusters == 10 && dust.marks == 5 && !dust.dropped);
    assert_int_equal(dust.nodes, 3 + 3 + 3 + 2 + 3);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

/* No two marks that are drawn overlap, and the pile of a cluster is nearer to it than others are. */
static void piles_stand_close_to_their_clusters(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *view = dusty_view(summary, DGM_DUST_FOLD, DGM_LAYOUT_STRESS);
    for (int64_t a = 0; a < 14; a++)
        for (int64_t b = 0; b < a; b++)
            if (dgmi_draw_view_is_drawn(view, a) && dgmi_draw_view_is_drawn(view, b))
                assert_true(hypot(view->x[a] - view->x[b], view->y[a] - view->y[b]) >
                            view->radius[a] + view->radius[b] - 1e-6);
    double pile = hypot(view->x[3] - view->x[0], view->y[3] - view->y[0]);
    double cluster = hypot(view->x[1] - view->x[0], view->y[1] - view->y[0]);
    assert_true(pile - view->radius[3] < cluster - view->radius[1]);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

/* Below everything else, the single nodes on the left and the pieces to their right. */
static void piles_that_are_joined_with_nothing_have_a_row_of_their_own(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    const int layouts[] = {DGM_LAYOUT_STRESS, DGM_LAYOUT_CIRCULAR, DGM_LAYOUT_GRID};
    for (int64_t k = 0; k < COUNT(layouts); k++) {
        dgm_view *view = dusty_view(summary, DGM_DUST_FOLD, layouts[k]);
        assert_true(view->y[11] == view->y[13] && view->x[11] < view->x[13]);
        for (int64_t m = 0; m <= 10; m++)
            assert_true(view->y[m] - view->radius[m] > view->y[11] + view->radius[11] &&
                        view->y[m] - view->radius[m] > view->y[13] + view->radius[13]);
        dgm_view_free(view);
    }
    dgm_summary_free(summary);
}

/* One cluster is no wider than a pile, and its row has two of them that are as large. */
static void piles_below_a_narrow_figure_do_not_overlap(void **state) {
    (void)state;
    dust_draft draft = {0};
    dust_cluster(&draft, 0, 5);
    for (int c = 0; c < 9; c++)
        dust_cluster(&draft, 10 + c, 1);
    for (int c = 0; c < 3; c++)
        dust_cluster(&draft, 30 + 4 * c, 3);
    dgm_summary *summary = dust_summary(&draft);
    dgm_view *view = dusty_view(summary, DGM_DUST_FOLD, DGM_LAYOUT_STRESS);
    assert_int_equal(dgm_view_get_dust(view).marks, 2);
    assert_true(view->y[1] == view->y[10] && view->y[1] < view->y[0]);
    assert_true(fabs(view->x[1] - view->x[10]) > 1.2 * (view->radius[1] + view->radius[10]));
    assert_true(fabs(view->x[1] + view->x[10] - 2 * view->x[0]) < 1e-6);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

static void every_layout_places_the_clusters_of_a_pile_together(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    const int layouts[] = {DGM_LAYOUT_STRESS, DGM_LAYOUT_CIRCULAR, DGM_LAYOUT_GRID};
    for (int64_t k = 0; k < COUNT(layouts); k++) {
        dgm_view *view = dusty_view(summary, DGM_DUST_FOLD, layouts[k]);
        assert_true(same_place(view, 3, 5) && same_place(view, 8, 9) && !same_place(view, 3, 8));
        assert_int_equal(dgm_view_get_places(view).dust, 5);
        dgm_view_free(view);
    }
    dgm_summary_free(summary);
}

static void dust_is_shown_where_it_is_asked_for_and_in_poolings(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *view = dusty_view(summary, DGM_DUST_SHOW, DGM_LAYOUT_STRESS);
    assert_int_equal(dgm_view_get_dust(view).size, 0);
    assert_int_equal(dgm_view_get_places(view).dust, 0);
    assert_false(same_place(view, 3, 4));
    assert_int_equal(view->link_count, 10);
    dgm_view_free(view);
    assert_int_equal(dgmi_mapper_summary_set_pooling(ctx, summary, "pooled", "{}"), DGM_OK);
    view = dusty_view(summary, DGM_DUST_AUTO, DGM_LAYOUT_STRESS);
    assert_int_equal(dgm_view_get_dust(view).size, 0);
    dgm_view_free(view);
    view = dusty_view(summary, DGM_DUST_FOLD, DGM_LAYOUT_STRESS);
    assert_int_equal(dgm_view_get_dust(view).clusters, 10);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

static void what_is_dropped_leaves_the_others_where_they_were(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *folded = dusty_view(summary, DGM_DUST_FOLD, DGM_LAYOUT_STRESS);
    dgm_view *dropped = dusty_view(summary, DGM_DUST_DROP, DGM_LAYOUT_STRESS);
    assert_memory_equal(folded->x, dropped->x, 14 * sizeof *folded->x);
    assert_true(dgm_view_get_dust(dropped).dropped && dgm_view_get_dust(dropped).marks == 0);
    for (int64_t m = 0; m < 14; m++)
        assert_int_equal(dgmi_draw_view_is_drawn(dropped, m), m < 3 || m == 10);
    dgm_view_free(folded);
    dgm_view_free(dropped);
    dgm_summary_free(summary);
}

/* ---- places ---- */

static void places_serve_as_long_as_the_marks_are_those_that_they_were_found_for(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    dgm_view *view = dusty_view(summary, DGM_DUST_AUTO, DGM_LAYOUT_STRESS), *again;
    dgm_places places = dgm_view_get_places(view);
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, &places, &again), DGM_OK);
    assert_int_equal(dgm_view_get_dust(again).clusters, 10);
    assert_int_equal(dgm_view_fold_dust(ctx, again, &options), DGM_OK);
    assert_memory_equal(again->y, view->y, 14 * sizeof *view->y);
    options.dust = DGM_DUST_DROP;
    assert_int_equal(dgm_view_fold_dust(ctx, again, &options), DGM_OK);
    assert_non_null(dgm_view_get_places(again).x);
    options.dust = DGM_DUST_SHOW;
    assert_int_equal(dgm_view_fold_dust(ctx, again, &options), DGM_OK);
    assert_null(dgm_view_get_places(again).x);
    assert_int_equal(again->link_count, 10);
    dgm_view_free(again);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

static void places_from_elsewhere_are_folded_only_where_it_is_asked_for(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    double x[14], y[14];
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    dgm_view *view;
    for (int m = 0; m < 14; m++)
        x[m] = y[m] = m;
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, NULL, &view), DGM_OK);
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, NULL), DGM_OK);
    assert_int_equal(dgm_view_fold_dust(ctx, view, NULL), DGM_OK);
    assert_true(dgm_view_get_dust(view).size == 0 && dgm_view_get_places(view).x[4] == 4);
    options.dust = DGM_DUST_FOLD;
    assert_int_equal(dgm_view_fold_dust(ctx, view, &options), DGM_OK);
    assert_true(dgm_view_get_dust(view).size == 5 && !dgm_view_get_places(view).x);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

static void options_that_make_no_sense_are_refused(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, NULL, &view), DGM_OK);
    options.dust = 4;
    assert_int_equal(dgm_view_fold_dust(ctx, view, &options), DGM_ERROR_USAGE);
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_USAGE);
    options.dust = DGM_DUST_FOLD;
    options.dust_size = 0;
    ASSERT_FAILS(dgm_view_fold_dust(ctx, view, &options), DGM_ERROR_USAGE,
                 "dust-size is 0; it must be 1 or more");
    dgm_view_free(view);
    dgm_summary_free(summary);
}

/* ---- words and figures ---- */

static void assert_pile(dgmi_mapper_pile pile, const char *expected) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_draw_dust_say(&pile, &text);
    assert_string_equal(text.data, expected);
    dgmi_text_free(&text);
}

static void a_pile_says_what_it_is(void **state) {
    (void)state;
    assert_pile((dgmi_mapper_pile){.kind = DGMI_MAPPER_PILE_NODES, .nodes = 37, .singles = true},
                "37 single nodes");
    assert_pile((dgmi_mapper_pile){.kind = DGMI_MAPPER_PILE_HANGING, .nodes = 1, .singles = true},
                "1 single node");
    assert_pile(
        (dgmi_mapper_pile){
            .kind = DGMI_MAPPER_PILE_PIECES, .clusters = 48, .crumbs = 12, .nodes = 31},
        "12 small pieces, 31 nodes");
    assert_pile(
        (dgmi_mapper_pile){
            .kind = DGMI_MAPPER_PILE_HANGING, .clusters = 1200, .crumbs = 12, .nodes = 31},
        "1,200 small clusters, 31 nodes");
    assert_pile((dgmi_mapper_pile){.kind = DGMI_MAPPER_PILE_CRUMB, .clusters = 1, .nodes = 2},
                "1 small cluster, 2 nodes");
}

static char *draw_views(dgm_view *const *views, int count, int style) {
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *bytes;
    size_t length;
    options.style = style;
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    for (int i = 0; i < count; i++)
        assert_int_equal(dgm_figure_add_view(figure, views[i], NULL, NULL, NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &bytes, &length), DGM_OK);
    dgm_figure_free(figure);
    return bytes;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static void figures_say_how_much_is_folded(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *view = dusty_view(summary, DGM_DUST_AUTO, DGM_LAYOUT_STRESS);
    for (int style = DGM_STYLE_DEFAULT; style <= DGM_STYLE_PAPER; style++) {
        char *svg = draw_views(&view, 1, style);
        assert_int_equal(count_of(svg, "<title>cluster "), 4);
        assert_int_equal(count_of(svg, "<title>dust: "), 5);
        ASSERT_HAS(svg, "<title>dust: 3 single nodes<");
        ASSERT_HAS(svg, "<title>dust: 2 small clusters, 3 nodes<");
        ASSERT_HAS(svg, "<title>dust: 1 small piece, 3 nodes<");
        ASSERT_HAS(svg, ">dust: clusters of fewer<");
        ASSERT_HAS(svg, "dust folded: 10");
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(view);
    dgm_summary_free(summary);
}

static void what_is_not_drawn_is_said(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    dgm_view *views[] = {dusty_view(summary, DGM_DUST_DROP, DGM_LAYOUT_STRESS),
                         dusty_view(summary, DGM_DUST_DROP, DGM_LAYOUT_GRID)};
    char *svg = draw_views(views, 1, DGM_STYLE_DEFAULT);
    assert_int_equal(count_of(svg, "<title>cluster "), 4);
    assert_int_equal(count_of(svg, "<title>dust"), 0);
    assert_null(strstr(svg, ">dust: clusters"));
    ASSERT_HAS(svg, "dust not drawn: 10");
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_views(views, 2, DGM_STYLE_DEFAULT);
    ASSERT_HAS(svg, "dust not drawn in 2");
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(views[0]);
    dgm_view_free(views[1]);
    dgm_summary_free(summary);
}

/* The largest cluster has nine nodes, and twelve single nodes are no larger. */
static void no_pile_is_drawn_larger_than_the_largest_cluster(void **state) {
    (void)state;
    dust_draft draft = {0};
    dust_cluster(&draft, 0, 9);
    for (int c = 0; c < 12; c++)
        dust_cluster(&draft, 20 + c, 1);
    dgm_summary *summary = dust_summary(&draft);
    dgm_view *view = dusty_view(summary, DGM_DUST_FOLD, DGM_LAYOUT_STRESS);
    assert_near(view->radius[1], view->radius[0], 1e-6);
    char *svg = draw_views(&view, 1, DGM_STYLE_DEFAULT);
    ASSERT_HAS(svg, "up to the");
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
    dgm_summary_free(summary);
}

/* ---- memory ---- */

static dgm_status fold_and_draw(dgm_context *own, void *summary) {
    dgm_view *view = NULL;
    dgm_figure *figure = NULL;
    char *bytes = NULL;
    size_t length;
    dgm_status status = dgm_view_from_summary(own, summary, NULL, NULL, &view);
    if (status == DGM_OK)
        status = dgm_view_lay_out(own, view, NULL);
    if (status == DGM_OK)
        status = dgm_figure_create(own, NULL, &figure);
    if (status == DGM_OK)
        status = dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0);
    if (status == DGM_OK)
        status = dgm_figure_render(own, figure, DGM_FIGURE_SVG, &bytes, &length);
    dgm_figure_bytes_free(own, bytes);
    dgm_figure_free(figure);
    dgm_view_free(view);
    return status;
}

static void failing_allocations_leave_nothing(void **state) {
    (void)state;
    dgm_summary *summary = dusty_summary();
    fail_each_allocation(fold_and_draw, summary);
    dgm_summary_free(summary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_of_a_pile_have_one_mark_that_is_joined_where_they_were),
        cmocka_unit_test(piles_stand_close_to_their_clusters),
        cmocka_unit_test(piles_that_are_joined_with_nothing_have_a_row_of_their_own),
        cmocka_unit_test(piles_below_a_narrow_figure_do_not_overlap),
        cmocka_unit_test(every_layout_places_the_clusters_of_a_pile_together),
        cmocka_unit_test(dust_is_shown_where_it_is_asked_for_and_in_poolings),
        cmocka_unit_test(what_is_dropped_leaves_the_others_where_they_were),
        cmocka_unit_test(places_serve_as_long_as_the_marks_are_those_that_they_were_found_for),
        cmocka_unit_test(places_from_elsewhere_are_folded_only_where_it_is_asked_for),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(a_pile_says_what_it_is),
        cmocka_unit_test(figures_say_how_much_is_folded),
        cmocka_unit_test(what_is_not_drawn_is_said),
        cmocka_unit_test(no_pile_is_drawn_larger_than_the_largest_cluster),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
