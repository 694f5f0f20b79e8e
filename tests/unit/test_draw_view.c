/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "../check_memory.h"
#include "draw_view.h"
#include "mapper_summary.h"
#include "rich_sample.h"

static void check_words(const char *words) {
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("'%s' is not in '%s'", words, dgm_context_error(ctx));
}

/* Figures call clusters by what the graph knows, or without it by what the profile knows: the member
 * with the most neighbours of the six on a path. */
static void clusters_are_called_by_what_is_known(void **state) {
    (void)state;
    static const int32_t kinds[] = {0, 0, 0, 0, 0, 0};
    static const char *const words[] = {"low", NULL};
    sample made =
        sample_make(ctx, &(sample_parts){6, NULL, kinds, words, "path", 1, NULL, NULL}, NULL);
    dgm_graph *other = build_graph(NULL, 7, 0, NULL, NULL);
    dgm_view *view = sample_view(ctx, &made, true), *whole;
    assert_int_equal(dgm_view_set_graph(ctx, view, other), DGM_ERROR_USAGE);
    assert_int_equal(dgm_view_from_graph(ctx, made.graph, NULL, &whole), DGM_OK);
    ASSERT_FAILS(dgm_view_set_graph(ctx, whole, made.graph), DGM_ERROR_USAGE,
                 "only the view of a summary is told its graph");
    for (int known = 0; known < 2; known++) {
        dgm_figure *figure;
        char *svg;
        size_t length;
        assert_int_equal(dgm_view_set_graph(ctx, view, known ? made.graph : NULL), DGM_OK);
        assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
        assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
        assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
        assert_non_null(strstr(svg, ">node 1 \xc2\xb7 4<"));
        /* 1 and 2 are the hubs of the first, 2, 3 and 4 those of the second; 4 is in it alone */
        assert_non_null(strstr(svg, known ? ">node 4 \xc2\xb7 4<" : ">node 2 \xc2\xb7 4<"));
        dgm_figure_bytes_free(ctx, svg);
        dgm_figure_free(figure);
    }
    dgm_view_free(whole);
    dgm_view_free(view);
    dgm_graph_free(other);
    sample_free(&made);
}

/* A view of a summary has no copy of it. */
static void a_summary_is_seen_as_it_is(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(made.summary);
    int64_t edges;
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, made.profile, NULL, &view), DGM_OK);
    assert_int_equal(dgm_view_get_kind(view), DGM_VIEW_SUMMARY);
    assert_int_equal(dgm_view_marks(view), 2);
    assert_int_equal(dgm_view_links(view), 1);
    assert_int_equal(view->size[0], 4);
    assert_ptr_equal(view->lens, clusters.lens);
    assert_ptr_equal(view->links, dgm_summary_edges(made.summary, &edges));
    assert_ptr_equal(dgm_view_profile(view), made.profile);
    assert_null(dgm_view_get_places(view).x);
    assert_string_equal(view->source, "path");
    assert_string_equal(
        view->parameters,
        "height \xc2\xb7 n = 2 \xc2\xb7 g = 0.5 \xc2\xb7 nerve \xc2\xb7 seed 1 \xc2\xb7 "
        "largest cluster 67% of nodes");
    dgm_view_free(view);
    sample_free(&made);
}

static void a_summary_is_seen_with_the_places_that_are_given(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    const double x[] = {1, 2}, y[] = {3, 4}, radius[] = {0.5, 0.25};
    dgm_places given = {.x = x, .y = y, .radius = radius, .layout = DGM_LAYOUT_GRID, .seed = 7};
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, NULL, &given, &view), DGM_OK);
    dgm_places found = dgm_view_get_places(view);
    assert_true(found.x != x && found.x[1] == 2 && found.y[0] == 3 && found.radius[1] == 0.25);
    assert_int_equal(found.layout, DGM_LAYOUT_GRID);
    assert_int_equal(found.seed, 7);
    assert_int_equal(dgm_profile_classes(dgm_view_profile(view)), 0); /* none was given */
    dgm_view_free(view);
    given = (dgm_places){.layout = -1, .operations = 5e8, .budget = 2e8};
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, NULL, &given, &view), DGM_OK);
    found = dgm_view_get_places(view);
    assert_true(!found.x && found.layout == -1 && found.operations == 5e8 && found.budget == 2e8);
    dgm_view_free(view);
    const double nowhere[] = {NAN, 0};
    given = (dgm_places){.x = nowhere, .y = y, .radius = radius};
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, NULL, &given, &view), DGM_ERROR_DATA);
    assert_null(view);
    sample_free(&made);
}

static void a_summary_is_seen_with_its_own_profile_alone(void **state) {
    (void)state;
    sample six = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    sample one = sample_make(ctx, &(sample_parts){.nodes = 1}, NULL);
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, six.summary, one.profile, NULL, &view),
                     DGM_ERROR_USAGE);
    check_words("a profile of 1 clusters is not one of a summary that has 2");
    assert_null(view);
    sample_free(&one);
    sample_free(&six);
}

static void the_line_of_parameters_says_what_was_set(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 20;
    options.edges = DGM_EDGES_STRUCTURAL;
    options.strength = DGM_STRENGTH_SAS;
    options.eps = 0.05;
    options.min_size = 2;
    options.min_component = 3000;
    options.rule = DGM_RULE_KEPLER;
    options.cluster = DGM_CLUSTER_LOUVAIN;
    options.cover = DGM_COVER_QUANTILE;
    options.overlap[1] = 0.3;
    dgm_view *view;
    assert_int_equal(dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, 0, &view), DGM_OK);
    view->dimension = 2;
    view->nodes = 2708;
    view->covered = 2690;
    view->seed = 7;
    assert_int_equal(dgmi_draw_view_describe(ctx, view, &options), DGM_OK);
    assert_string_equal(
        view->parameters,
        "lens \xc2\xb7 quantile \xc2\xb7 n = 20, 20 \xc2\xb7 g = 0.2, 0.3 \xc2\xb7 rule "
        "kepler \xc2\xb7 cluster louvain \xc2\xb7 structural (S\xe2\x80\xb2"
        "AS) \xc2\xb7 \xce\xb5 = 0.05 \xc2\xb7 min-size 2 \xc2\xb7 "
        "min-component 3,000 \xc2\xb7 seed 7 \xc2\xb7 2,690 of 2,708 nodes covered");
    dgm_mapper_options_init(&options);
    options.cover = DGM_COVER_ADAPTIVE;
    options.cell_size = 1500;
    view->covered = 2708;
    assert_int_equal(dgmi_draw_view_describe(ctx, view, &options), DGM_OK);
    assert_string_equal(view->parameters,
                        "lens \xc2\xb7 adaptive \xc2\xb7 n = 10 \xc2\xb7 size \xe2\x89\xa4 "
                        "1,500 \xc2\xb7 g = 0.2 \xc2\xb7 nerve \xc2\xb7 seed 7");
    options.cover = DGM_COVER_BALLS;
    options.radius = 0.5;
    options.metric = DGM_METRIC_COSINE;
    assert_int_equal(dgmi_draw_view_describe(ctx, view, &options), DGM_OK);
    assert_string_equal(view->parameters,
                        "lens \xc2\xb7 balls \xc2\xb7 n = 10 \xc2\xb7 radius 0.5 \xc2\xb7 "
                        "cosine \xc2\xb7 nerve \xc2\xb7 seed 7");
    dgm_view_free(view);
}

/* What the settings came to is read off the summary, so that a summary from a file says the same. */
#define DOT " \xc2\xb7 "
static void the_line_of_parameters_says_what_came_of_the_settings(void **state) {
    (void)state;
    static const struct {
        int64_t nodes, largest, edges, inside;
        const char *said; /* after the seed */
    } cases[] = {
        {2708, 325, 5278, 4908,
         DOT "largest cluster 12% of nodes" DOT
             "93% of edges inside a cluster, each node in its largest"},
        {1000, 4, 1000, 996,
         DOT "largest cluster under 1% of nodes" DOT
             "over 99% of edges inside a cluster, each node in its largest"},
        {1000, 1000, 10, 0,
         DOT "largest cluster all nodes" DOT "no edge inside a cluster, each node in its largest"},
        {8, 1, 0, 0, DOT "largest cluster 13% of nodes"},
        {0, 3, 0, 0, ""},
        {9, 0, 5, 0, ""},
    };
    sample made = rich_sample(ctx);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, NULL, NULL, &view), DGM_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        view->nodes = view->covered = cases[i].nodes;
        view->size[0] = cases[i].largest;
        view->size[1] = 0;
        made.summary->bits =
            (dgm_bits){.known = true, .edges = cases[i].edges, .inside = cases[i].inside};
        assert_int_equal(dgmi_draw_view_describe(ctx, view, &options), DGM_OK);
        assert_string_equal(strstr(view->parameters, "seed 1") + strlen("seed 1"), cases[i].said);
    }
    dgm_view_free(view);
    sample_free(&made);
}

static void arcs_in_both_directions_are_one_link(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 2, 1, 2, 2};
    const double weights[] = {1, 4, 2, 9};
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_view *view;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 4, ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &view), DGM_OK);
    assert_int_equal(view->link_count, 2);
    assert_true(view->links[0].source == 0 && view->links[0].target == 1);
    assert_true(view->links[0].weight == 4 / 9.0);
    assert_true(view->links[1].source == 1 && view->links[1].target == 2);
    assert_string_equal(view->parameters, "every node and edge");
    dgm_view_free(view);
    dgm_graph_free(graph);
}

static void points_stand_where_their_columns_say(void **state) {
    (void)state;
    dgm_graph *graph = rich_graph(ctx);
    dgm_matrix *points;
    dgm_view *view;
    assert_int_equal(dgm_matrix_create(ctx, 6, 2, &points), DGM_OK);
    for (int i = 0; i < 12; i++)
        dgm_matrix_values_mutable(points)[i] = i * i;
    assert_int_equal(dgm_view_from_points(ctx, points, graph, NULL, &view), DGM_OK);
    dgm_places places = dgm_view_get_places(view);
    assert_true(places.x[2] == 16 && places.y[2] == 25 && places.radius[0] > 0);
    assert_int_equal(view->profile->labels.offsets[6], 5);
    assert_int_equal(view->link_count, 0);
    dgm_view_free(view);
    dgm_matrix_values_mutable(points)[3] = INFINITY;
    assert_int_equal(dgm_view_from_points(ctx, points, graph, NULL, &view), DGM_ERROR_DATA);
    check_words("row 2");
    assert_null(view);
    dgm_matrix_free(points);
    assert_int_equal(dgm_matrix_create(ctx, 5, 2, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(ctx, points, graph, NULL, &view), DGM_ERROR_DATA);
    check_words("one row per node");
    dgm_matrix_free(points);
    dgm_graph_free(graph);
}

static void places_must_be_finite_and_failure_keeps_the_old(void **state) {
    (void)state;
    dgm_view *view;
    double x[] = {1, 2}, y[] = {3, 4}, radius[] = {1, 0};
    assert_int_equal(dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, 2, &view), DGM_OK);
    view->size[0] = view->size[1] = 1;
    assert_null(dgm_view_get_places(view).x);
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, NULL), DGM_OK);
    assert_true(dgm_view_get_places(view).radius[0] > 0);
    x[1] = NAN;
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_ERROR_DATA);
    x[1] = 2;
    radius[1] = -1;
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_ERROR_DATA);
    radius[1] = INFINITY;
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_ERROR_DATA);
    y[0] = INFINITY;
    radius[1] = 0;
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_ERROR_DATA);
    assert_true(dgm_view_get_places(view).x[1] == 2);
    dgm_view_free(view);
}

/* Each pair of nodes is one link, whose weight is that of the heavier arc over the heaviest of all;
 * counted pair by pair. */
static void every_pair_of_a_directed_graph_is_one_link(void **state) {
    (void)state;
    enum { NODES = 13 };
    double weight[NODES][NODES] = {{0}};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_view *view;
    int64_t expected = 0, seen = 0;
    assert_int_equal(dgm_graph_builder_create(
                         ctx,
                         &(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true},
                         &builder),
                     DGM_OK);
    for (uint32_t u = 0; u < NODES; u++)
        for (uint32_t v = 0; v < NODES; v++) {
            uint32_t ends[] = {u, v}, draw = (7 * u * u + 5 * v + 3 * u * v) % 11;
            if (u == v || draw > 4)
                continue;
            weight[u][v] = (draw % 2 ? 1 : -1) * (1.0 + draw);
            assert_int_equal(dgm_graph_builder_add(builder, 1, ends, &weight[u][v]), DGM_OK);
        }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &view), DGM_OK);
    for (int u = 0; u < NODES; u++)
        for (int v = u + 1; v < NODES; v++)
            expected += weight[u][v] != 0 || weight[v][u] != 0;
    for (int64_t l = 0; l < view->link_count; l++) {
        const dgm_summary_edge *link = &view->links[l];
        double there = fabs(weight[link->source][link->target]);
        double back = fabs(weight[link->target][link->source]);
        assert_true(link->source < link->target && (there > 0 || back > 0));
        assert_true(link->weight == fmax(there, back) / 5);
        seen++;
        weight[link->source][link->target] = weight[link->target][link->source] = 0;
    }
    assert_int_equal(seen, expected);
    dgm_view_free(view);
    dgm_graph_free(graph);
}

static dgm_view *view_of_points(int64_t rows, int64_t columns, const double *values) {
    dgm_matrix *points;
    dgm_view *view;
    assert_int_equal(dgm_matrix_create(ctx, rows, columns, &points), DGM_OK);
    memcpy(dgm_matrix_values_mutable(points), values, (size_t)(rows * columns) * sizeof *values);
    assert_int_equal(dgm_view_from_points(ctx, points, NULL, NULL, &view), DGM_OK);
    dgm_matrix_free(points);
    return view;
}

/* The first point bounds the field as the others do. A field that is nearly a line counts as a
 * sixteenth as wide as it is long. */
static void points_cover_a_tenth_of_their_field(void **state) {
    (void)state;
    static const struct {
        double points[8], field;
    } cases[] = {
        {{10, 0, 0, 4, 2, 1, 3, 2}, 10 * 4}, {{0, 4, 10, 0, 2, 1, 3, 2}, 10 * 4},
        {{-5, 9, 1, 1, 0, 0, -1, 2}, 6 * 9}, {{32, 0, 0, 0, 5, 0, 7, 0}, 32 * 2},
        {{1, 1, 1, 33, 1, 5, 1, 7}, 32 * 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_view *view = view_of_points(4, 2, cases[i].points);
        double covered = 4 * 3.141592653589793 * view->radius[0] * view->radius[0];
        assert_float_equal(covered, 0.1 * cases[i].field, 1e-9);
        for (int m = 1; m < 4; m++)
            assert_true(view->radius[m] == view->radius[0]);
        dgm_view_free(view);
    }
}

/* All points in one place, and points as far apart as numbers go. */
static void points_without_a_field_are_discs_of_radius_1(void **state) {
    (void)state;
    static const double cases[][4] = {{3, 7, 3, 7}, {-1.7e308, -1.7e308, 1.7e308, 1.7e308}};
    for (int i = 0; i < 2; i++) {
        dgm_view *view = view_of_points(2, 2, cases[i]);
        assert_true(view->radius[0] == 1 && view->radius[1] == 1);
        dgm_view_free(view);
    }
}

static void points_need_a_column(void **state) {
    (void)state;
    dgm_matrix *points;
    dgm_view *view;
    assert_int_equal(dgm_matrix_create(ctx, 3, 0, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(ctx, points, NULL, NULL, &view), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx), "points to draw need at least one column");
    assert_null(view);
    dgm_matrix_free(points);
}

static void axes_that_overlap_alike_are_said_once(void **state) {
    (void)state;
    static const struct {
        double overlap[3];
        const char *said;
    } cases[] = {
        {{0.3, 0.3, 0.3}, "n = 10, 10, 10 \xc2\xb7 g = 0.3 \xc2\xb7 nerve"},
        {{0.2, 0.3, 0.3}, "n = 10, 10, 10 \xc2\xb7 g = 0.2, 0.3 \xc2\xb7 nerve"},
        {{0.3, 0.3, 0.2}, "n = 10, 10, 10 \xc2\xb7 g = 0.3, 0.3, 0.2 \xc2\xb7 nerve"},
    };
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_view *view;
    assert_int_equal(dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, 0, &view), DGM_OK);
    view->dimension = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int a = 0; a < 3; a++)
            options.overlap[a] = cases[i].overlap[a];
        assert_int_equal(dgmi_draw_view_describe(ctx, view, &options), DGM_OK);
        if (!strstr(view->parameters, cases[i].said))
            fail_msg("'%s' is not in '%s'", cases[i].said, view->parameters);
    }
    dgm_view_free(view);
}

static void numbers_have_commas_between_thousands(void **state) {
    (void)state;
    static const struct {
        int64_t count;
        const char *said;
    } cases[] = {{0, "0"},          {7, "7"},
                 {999, "999"},      {1000, "1,000"},
                 {12345, "12,345"}, {2708000, "2,708,000"},
                 {-5, "-5"},        {-123, "-123"},
                 {-1234, "-1,234"}, {-123456, "-123,456"}};
    char buffer[DGMI_NUMBER_SPACE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(dgmi_draw_view_count(cases[i].count, buffer), cases[i].said);
}

static void mistakes_are_said_of_all_nodes_and_of_each_part(void **state) {
    (void)state;
    dgm_view *view;
    dgmi_text text;
    assert_int_equal(dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, 0, &view), DGM_OK);
    assert_int_equal(dgmi_draw_view_own_profile(ctx, view), DGM_OK);
    dgm_summary_mistakes *ledger = &view->own.profile->ledger;
    dgmi_text_init(&text, ctx);
    dgmi_draw_view_say_mistakes(view, &text);
    assert_int_equal(text.length, 0); /* nothing is known */
    ledger->known = true;
    ledger->covered[DGM_SPLIT_TEST] = (dgm_judged){.judged = 1000, .mistakes = 80};
    ledger->left_out[DGM_SPLIT_TEST] = (dgm_judged){.judged = 4, .mistakes = 3};
    dgmi_draw_view_say_mistakes(view, &text);
    assert_string_equal(text.data,
                        "Mistakes: 80 of 1,000 nodes in clusters (8.0%), 3 of 4 left out (75%).");
    ledger->split = true;
    text.length = 0;
    dgmi_draw_view_say_mistakes(view, &text);
    assert_string_equal(text.data,
                        "Mistakes: 80 of 1,000 nodes in clusters (8.0%), 3 of 4 left out (75%). "
                        "Test nodes: 80 of 1,000 (8.0%), 3 of 4 left out (75%).");
    dgmi_text_free(&text);
    dgm_view_free(view);
}

/* ---- memory ---- */

static void every_failing_allocation_is_an_error(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    for (int kind = 0; kind < 3; kind++) {
        dgm_status status = DGM_ERROR_MEMORY;
        for (int64_t failing = 1; status != DGM_OK; failing++) {
            check_memory memory = {0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_context *poor;
            dgm_view *view = NULL;
            assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
            memory.fail_at = memory.calls + failing;
            status = kind == 0   ? dgm_view_from_summary(poor, made.summary, NULL, NULL, &view)
                     : kind == 1 ? dgm_view_from_graph(poor, made.graph, made.predictions, &view)
                                 : dgm_view_from_points(poor, made.lens, made.graph,
                                                        made.predictions, &view);
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_int_equal(status == DGM_OK, view != NULL);
            dgm_view_free(view);
            dgm_context_free(poor);
            assert_int_equal(memory.blocks, 0);
        }
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_seen_as_it_is),
        cmocka_unit_test(clusters_are_called_by_what_is_known),
        cmocka_unit_test(a_summary_is_seen_with_the_places_that_are_given),
        cmocka_unit_test(a_summary_is_seen_with_its_own_profile_alone),
        cmocka_unit_test(the_line_of_parameters_says_what_was_set),
        cmocka_unit_test(the_line_of_parameters_says_what_came_of_the_settings),
        cmocka_unit_test(arcs_in_both_directions_are_one_link),
        cmocka_unit_test(points_stand_where_their_columns_say),
        cmocka_unit_test(places_must_be_finite_and_failure_keeps_the_old),
        cmocka_unit_test(every_pair_of_a_directed_graph_is_one_link),
        cmocka_unit_test(points_cover_a_tenth_of_their_field),
        cmocka_unit_test(points_without_a_field_are_discs_of_radius_1),
        cmocka_unit_test(points_need_a_column),
        cmocka_unit_test(axes_that_overlap_alike_are_said_once),
        cmocka_unit_test(numbers_have_commas_between_thousands),
        cmocka_unit_test(mistakes_are_said_of_all_nodes_and_of_each_part),
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
