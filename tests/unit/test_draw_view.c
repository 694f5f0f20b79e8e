/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_memory.h"
#include "draw_view.h"
#include "export_sample.h"

static dgm_context *ctx;

static int open_context(void **state) {
    (void)state;
    return dgm_context_create(NULL, &ctx);
}

static int close_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

static void check_words(const char *words) {
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("'%s' is not in '%s'", words, dgm_context_error(ctx));
}

/* Six nodes on a path, with labels, predictions and attributes, in two clusters of four. */
static const int32_t labels[] = {0, 0, 1, -1, 1, 1};
static const char *const classes[] = {"low", "high", NULL};

static dgm_graph *rich_graph(dgm_context *with) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    static const double ages[] = {10, 20, 30, NAN, 50, 60};
    static const char *const towns[] = {"b", "a", NULL, "a", "c", "c"};
    static const char *const names[] = {"low", "high"};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(with, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 5, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 6, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 2, names), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", 6, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", 6, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "path"), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static sample rich_sample(dgm_context *with) {
    static const double says[] = {1, 0, 0.25, 0.75, 0.5, 0.5, 0, 1, 0, 1, 1, 0};
    sample made = {.graph = rich_graph(with)};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    assert_int_equal(
        dgm_predictions_from_probabilities(with, made.graph, says, 2, NULL, &made.predictions),
        DGM_OK);
    made.lens = sample_lens(with, &(sample_parts){.nodes = 6});
    assert_int_equal(dgm_mapper_run(with, made.graph, made.lens, &options, &made.summary), DGM_OK);
    return made;
}

static void a_summary_is_seen_with_all_that_its_members_say(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, made.graph, made.predictions,
                                           &sample_provenance, &view),
                     DGM_OK);
    assert_int_equal(dgm_view_get_kind(view), DGM_VIEW_SUMMARY);
    assert_int_equal(dgm_view_marks(view), 2);
    assert_int_equal(dgm_view_links(view), 1);
    assert_int_equal(view->size[0], 4);
    assert_true(view->lens[0] == 1.5 && view->lens[1] == 3.5);
    assert_int_equal(view->links[0].shared, 2);
    assert_int_equal(view->classes, 2);
    assert_string_equal(view->class_names[1], "high");
    /* cluster 0: nodes 0 to 3, two low, one high, one without a label */
    assert_int_equal(view->labels.offsets[1], 2);
    assert_int_equal(view->labels.counts[0], 2);
    assert_int_equal(view->labels.counts[1], 1);
    assert_int_equal(view->judged[0], 3);
    assert_int_equal(view->mistakes[0], 2); /* node 1 is called high, node 2 low */
    assert_int_equal(view->mistakes[1], 2); /* node 2 and node 5 */
    assert_int_equal(view->mixup_offsets[1], 2);
    assert_int_equal(view->mixups[0].label, 0);
    assert_int_equal(view->mixups[0].prediction, 1);
    assert_int_equal(view->mixups[2].count, 2); /* both are called low */
    assert_int_equal(view->mixup_offsets[2], 3);
    /* of a path the inner nodes have the most neighbours, and the lens counts on from its start */
    static const char *const hubs[] = {"1", "2", "3", "2", "3", "4"};
    static const char *const peaks[] = {"3", "2", "1", "5", "4", "3"};
    for (int64_t i = 0; i < 6; i++) {
        assert_string_equal(view->hubs.names[i], hubs[i]);
        assert_string_equal(view->peaks.names[i], peaks[i]);
    }
    dgm_view_dispute dispute;
    assert_int_equal(dgm_view_disputes(view, 1, &dispute), 1);
    assert_string_equal(dispute.prediction, dispute.mark ? "low" : "high");
    double third = (0.25 * log(4) + 0.75 * log(4 / 3.0)) / log(2);
    assert_float_equal(view->entropy[0], (0 + third + 1 + 0) / 4, 1e-12);
    assert_false(view->entropy_of_labels);
    assert_int_equal(view->attribute_count, 2);
    assert_true(view->attributes[0].means[0] == 20 && view->attributes[0].means[1] == 140 / 3.0);
    assert_int_equal(view->attributes[1].text_count, 3);
    assert_string_equal(view->attributes[1].texts[0], "a");
    assert_int_equal(view->attributes[1].counts.counts[0], 2); /* a a b */
    assert_string_equal(view->parameters,
                        "height \xc2\xb7 n = 2 \xc2\xb7 g = 0.5 \xc2\xb7 nerve \xc2\xb7 seed 1");
    dgm_view_free(view);
    sample_free(&made);
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
    dgmi_view_words words;
    assert_int_equal(dgmi_view_create(ctx, DGM_VIEW_SUMMARY, 0, 0, &view), DGM_OK);
    view->nodes = 2708;
    view->covered = 2690;
    view->seed = 7;
    dgmi_view_words_of(&options, 2, &words);
    assert_int_equal(dgmi_view_describe(ctx, view, &words), DGM_OK);
    assert_string_equal(
        view->parameters,
        "lens \xc2\xb7 quantile \xc2\xb7 n = 20, 20 \xc2\xb7 g = 0.2, 0.3 \xc2\xb7 rule "
        "kepler \xc2\xb7 cluster louvain \xc2\xb7 structural (S\xe2\x80\xb2"
        "AS) \xc2\xb7 \xce\xb5 = 0.05 \xc2\xb7 min-size 2 \xc2\xb7 "
        "min-component 3,000 \xc2\xb7 seed 7 \xc2\xb7 2,690 of 2,708 nodes covered");
    dgm_view_free(view);
}

static void labels_alone_have_an_entropy(void **state) {
    (void)state;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 6, .labels = labels, .classes = classes}, NULL);
    dgm_view *view;
    assert_int_equal(
        dgm_view_from_summary(ctx, made.summary, made.graph, made.predictions, NULL, &view),
        DGM_OK);
    assert_true(view->entropy_of_labels);
    assert_null(view->mistakes);
    assert_float_equal(view->entropy[0], (log(3) / 3 + 2 * log(1.5) / 3) / log(2), 1e-12);
    assert_true(view->entropy[1] == 0);
    dgm_view_free(view);
    sample_free(&made);
}

static void labels_far_apart_are_classes_that_occur(void **state) {
    (void)state;
    const int32_t far[] = {2000000000, 7, 7, -1};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 4, .labels = far}, NULL);
    dgm_view *view;
    assert_int_equal(
        dgm_view_from_summary(ctx, made.summary, made.graph, made.predictions, NULL, &view),
        DGM_OK);
    assert_int_equal(view->classes, 2);
    assert_string_equal(view->class_names[0], "7");
    assert_string_equal(view->class_names[1], "2000000000");
    dgm_view_free(view);
    sample_free(&made);
}

static void texts_of_too_many_kinds_are_left_out(void **state) {
    (void)state;
    enum { NODES = 65 };
    static char texts[NODES][8];
    const char *values[NODES];
    for (int kinds = NODES - 1; kinds <= NODES; kinds++) {
        dgm_graph_builder *builder;
        dgm_graph *graph;
        dgm_view *view;
        for (int u = 0; u < NODES; u++) {
            snprintf(texts[u], sizeof texts[u], "t%d", u % kinds);
            values[u] = texts[u];
        }
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
        assert_int_equal(dgm_graph_builder_add_texts(builder, "t", NODES, values), DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &view), DGM_OK);
        assert_int_equal(view->attribute_count, kinds == NODES ? 0 : 1);
        dgm_view_free(view);
        dgm_graph_free(graph);
    }
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
    dgm_view_places places = dgm_view_get_places(view);
    assert_true(places.x[2] == 16 && places.y[2] == 25 && places.radius[0] > 0);
    assert_int_equal(view->labels.offsets[6], 5);
    assert_int_equal(view->link_count, 0);
    dgm_view_free(view);
    dgm_matrix_values_mutable(points)[3] = INFINITY;
    assert_int_equal(dgm_view_from_points(ctx, points, graph, NULL, &view), DGM_ERROR_DATA);
    check_words("row 2");
    assert_null(view);
    dgm_matrix_free(points);
    assert_int_equal(dgm_matrix_create(ctx, 5, 2, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(ctx, points, graph, NULL, &view), DGM_ERROR_DATA);
    check_words("one row a node");
    dgm_matrix_free(points);
    dgm_graph_free(graph);
}

static void places_must_be_finite_and_failure_keeps_the_old(void **state) {
    (void)state;
    dgm_view *view;
    double x[] = {1, 2}, y[] = {3, 4}, radius[] = {1, 0};
    assert_int_equal(dgmi_view_create(ctx, DGM_VIEW_SUMMARY, 2, 0, &view), DGM_OK);
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

static void disputes_are_told_the_surest_first(void **state) {
    (void)state;
    const int64_t judged[] = {1, 94, 10, 10, 0}, mistakes[] = {1, 89, 5, 0, 0};
    dgm_view *view;
    dgm_view_dispute found[5];
    assert_int_equal(dgmi_view_create(ctx, DGM_VIEW_SUMMARY, 5, 0, &view), DGM_OK);
    assert_int_equal(dgm_view_disputes(view, 5, found), 0);
    view->judged = dgmi_view_alloc(ctx, view, 5, sizeof *view->judged);
    view->mistakes = dgmi_view_alloc(ctx, view, 5, sizeof *view->mistakes);
    memcpy(view->judged, judged, sizeof judged);
    memcpy(view->mistakes, mistakes, sizeof mistakes);
    assert_int_equal(dgm_view_disputes(view, 5, found), 3);
    assert_int_equal(found[0].mark, 1);
    assert_int_equal(found[1].mark, 2);
    assert_int_equal(found[2].mark, 0);
    assert_int_equal(dgm_view_disputes(view, 1, found), 1);
    assert_int_equal(found[0].mark, 1);
    assert_int_equal(dgm_view_disputes(view, 0, NULL), 0);
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
        const dgmi_view_link *link = &view->links[l];
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
    dgmi_view_words words;
    assert_int_equal(dgmi_view_create(ctx, DGM_VIEW_SUMMARY, 0, 0, &view), DGM_OK);
    dgmi_view_words_of(&options, 3, &words);
    words.axes = words.overlaps = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int a = 0; a < 3; a++) {
            words.intervals[a] = 10;
            words.overlap[a] = cases[i].overlap[a];
        }
        assert_int_equal(dgmi_view_describe(ctx, view, &words), DGM_OK);
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
        assert_string_equal(dgmi_view_count(cases[i].count, buffer), cases[i].said);
}

static void mistakes_are_said_of_all_nodes_and_of_each_part(void **state) {
    (void)state;
    dgm_view *view;
    dgmi_text text;
    assert_int_equal(dgmi_view_create(ctx, DGM_VIEW_SUMMARY, 0, 0, &view), DGM_OK);
    dgmi_text_init(&text, ctx);
    dgmi_view_say_mistakes(view, &text);
    assert_int_equal(text.length, 0); /* nothing is known */
    view->ledger.known = true;
    view->ledger.covered[DGM_SPLIT_TEST] = (dgm_judged){.judged = 1000, .mistakes = 80};
    view->ledger.left_out[DGM_SPLIT_TEST] = (dgm_judged){.judged = 4, .mistakes = 3};
    dgmi_view_say_mistakes(view, &text);
    assert_string_equal(text.data,
                        "Mistakes: 80 of 1,000 nodes in clusters (8.0%), 3 of 4 left out (75%).");
    view->ledger.split = true;
    text.length = 0;
    dgmi_view_say_mistakes(view, &text);
    assert_string_equal(text.data,
                        "Mistakes: 80 of 1,000 nodes in clusters (8.0%), 3 of 4 left out (75%). "
                        "Test nodes: 80 of 1,000 (8.0%), 3 of 4 left out (75%).");
    dgmi_text_free(&text);
    dgm_view_free(view);
}

/* ---- members ---- */

typedef struct {
    int64_t nodes;
    const int32_t *labels;
    int32_t classes;
    const double *says; /* or NULL */
    const char *attribute;
    const double *numbers;
    const char *const *texts;
} seen_parts;

/* Nodes without edges, all in one cluster but those whose lens is far away. */
static dgm_view *see(const seen_parts *parts, bool as_summary, sample *made) {
    dgm_graph_builder *builder;
    dgm_view *view;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 1; u < parts->nodes; u++) {
        uint32_t ends[] = {0, u};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
    if (parts->labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, parts->nodes, parts->labels),
                         DGM_OK);
    if (parts->numbers)
        assert_int_equal(
            dgm_graph_builder_add_numbers(builder, parts->attribute, parts->nodes, parts->numbers),
            DGM_OK);
    if (parts->texts)
        assert_int_equal(
            dgm_graph_builder_add_texts(builder, parts->attribute, parts->nodes, parts->texts),
            DGM_OK);
    *made = (sample){0};
    assert_int_equal(dgm_graph_builder_finish(builder, &made->graph), DGM_OK);
    if (parts->says)
        assert_int_equal(dgm_predictions_from_probabilities(ctx, made->graph, parts->says,
                                                            parts->classes, NULL,
                                                            &made->predictions),
                         DGM_OK);
    if (!as_summary) {
        assert_int_equal(dgm_view_from_graph(ctx, made->graph, made->predictions, &view), DGM_OK);
        return view;
    }
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    made->lens = sample_lens(ctx, &(sample_parts){.nodes = parts->nodes});
    assert_int_equal(dgm_mapper_run(ctx, made->graph, made->lens, &options, &made->summary),
                     DGM_OK);
    assert_int_equal(
        dgm_view_from_summary(ctx, made->summary, made->graph, made->predictions, NULL, &view),
        DGM_OK);
    assert_int_equal(view->marks, 1);
    return view;
}

/* Probabilities are rounded: three thirds are a little more than 1, and so is a sure thing. */
static void an_entropy_lies_between_0_and_1(void **state) {
    (void)state;
    static const double third = 1.0 / 3, says[] = {third, third, third, 1.0000001, 0, 0};
    sample made;
    dgm_view *view = see(&(seen_parts){.nodes = 2, .classes = 3, .says = says}, false, &made);
    assert_true(view->entropy[0] == 1);
    assert_true(view->entropy[1] == 0);
    dgm_view_free(view);
    sample_free(&made);
}

static void the_most_frequent_mistake_comes_first(void **state) {
    (void)state;
    /* 0 is taken for 1 once, 1 for 2 three times, 2 for 0 twice, 2 for 1 twice */
    static const int32_t were[] = {0, 1, 1, 1, 2, 2, 2, 2, -1},
                         said[] = {1, 2, 2, 2, 1, 1, 0, 0, 0};
    double says[27] = {0};
    sample made;
    for (int u = 0; u < 9; u++)
        says[3 * u + said[u]] = 1;
    dgm_view *view =
        see(&(seen_parts){.nodes = 9, .labels = were, .classes = 3, .says = says}, true, &made);
    static const dgmi_mixup expected[] = {{1, 2, 3}, {2, 0, 2}, {2, 1, 2}};
    assert_int_equal(view->mixup_offsets[1], 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(view->mixups[i].label, expected[i].label);
        assert_int_equal(view->mixups[i].prediction, expected[i].prediction);
        assert_int_equal(view->mixups[i].count, expected[i].count);
    }
    assert_int_equal(view->judged[0], 8);
    dgm_view_free(view);
    sample_free(&made);
}

static void a_mean_that_no_number_can_hold_is_unknown(void **state) {
    (void)state;
    static const double cases[][3] = {{NAN, NAN, NAN}, {1.7e308, 1.7e308, 1.7e308}, {1, NAN, 4}};
    static const double means[] = {NAN, NAN, 2.5};
    for (int i = 0; i < 3; i++) {
        sample made;
        dgm_view *view =
            see(&(seen_parts){.nodes = 3, .attribute = "a", .numbers = cases[i]}, true, &made);
        assert_int_equal(view->attribute_count, 1);
        assert_true(isnan(means[i]) ? isnan(view->attributes[0].means[0])
                                    : view->attributes[0].means[0] == means[i]);
        dgm_view_free(view);
        sample_free(&made);
    }
}

/* Attributes become keys and values of JSON. */
static void attributes_that_are_no_text_are_left_out(void **state) {
    (void)state;
    static const char *const good[] = {"x", "y", "x"}, *const bad[] = {"x", "\xFF", "x"};
    static const struct {
        const char *name;
        const char *const *texts;
        int64_t kept;
    } cases[] = {{"a", good, 1}, {"a", bad, 0}, {"\xC3", good, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample made;
        dgm_view *view =
            see(&(seen_parts){.nodes = 3, .attribute = cases[i].name, .texts = cases[i].texts},
                true, &made);
        assert_int_equal(view->attribute_count, cases[i].kept);
        dgm_view_free(view);
        sample_free(&made);
    }
}

/* A node in no cluster may be the only one of its town. */
static void texts_outside_of_all_clusters_are_not_counted(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 3, 4};
    static const char *const towns[] = {"a", "a", "b", "m", "z"};
    static const double heights[] = {0, 0, 0, 0, 0};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_view *view;
    sample made = {0};
    options.intervals[0] = 1;
    options.min_size = 3;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", 5, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    made.lens = sample_lens(ctx, &(sample_parts){.nodes = 5, .lens = heights});
    assert_int_equal(dgm_mapper_run(ctx, made.graph, made.lens, &options, &made.summary), DGM_OK);
    assert_int_equal(
        dgm_view_from_summary(ctx, made.summary, made.graph, made.predictions, NULL, &view),
        DGM_OK);
    assert_int_equal(view->marks, 1);
    assert_int_equal(view->attributes[0].text_count, 2);
    assert_int_equal(view->attributes[0].counts.offsets[1], 2);
    assert_int_equal(view->attributes[0].counts.counts[0], 2);
    assert_int_equal(view->attributes[0].counts.counts[1], 1);
    dgm_view_free(view);
    sample_free(&made);
}

static void a_summary_is_seen_with_its_own_graph_alone(void **state) {
    (void)state;
    sample six = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_graph *five = sample_graph(ctx, &(sample_parts){.nodes = 5});
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, six.summary, five, six.predictions, NULL, &view),
                     DGM_ERROR_USAGE);
    assert_string_equal(dgm_context_error(ctx),
                        "the summary is of a graph of 6 nodes, and this one has 5");
    assert_null(view);
    dgm_graph_free(five);
    sample_free(&six);
}

static void counts_that_are_not_known_are_zeros(void **state) {
    (void)state;
    int64_t totals[2] = {7, 7}, offsets[] = {0, 0, 2}, numbers[] = {1, 3};
    int32_t values[] = {0, 1};
    double share = 7;
    const dgmi_counts none = {0}, some = {offsets, values, numbers};
    dgmi_counts_totals(&none, 2, 2, totals);
    assert_true(totals[0] == 0 && totals[1] == 0);
    assert_int_equal(dgmi_counts_majority(&none, 0, &share), -1);
    assert_true(share == 0);
    assert_int_equal(dgmi_counts_majority(&some, 0, &share), -1); /* a mark of unlabelled nodes */
    assert_true(share == 0);
    assert_int_equal(dgmi_counts_majority(&some, 1, &share), 1);
    assert_true(share == 0.75);
    assert_int_equal(dgmi_counts_majority(&some, 1, NULL), 1);
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
            status = kind == 0   ? dgm_view_from_summary(poor, made.summary, made.graph,
                                                         made.predictions, &sample_provenance, &view)
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
        cmocka_unit_test(a_summary_is_seen_with_all_that_its_members_say),
        cmocka_unit_test(the_line_of_parameters_says_what_was_set),
        cmocka_unit_test(labels_alone_have_an_entropy),
        cmocka_unit_test(labels_far_apart_are_classes_that_occur),
        cmocka_unit_test(texts_of_too_many_kinds_are_left_out),
        cmocka_unit_test(arcs_in_both_directions_are_one_link),
        cmocka_unit_test(points_stand_where_their_columns_say),
        cmocka_unit_test(places_must_be_finite_and_failure_keeps_the_old),
        cmocka_unit_test(disputes_are_told_the_surest_first),
        cmocka_unit_test(every_pair_of_a_directed_graph_is_one_link),
        cmocka_unit_test(points_cover_a_tenth_of_their_field),
        cmocka_unit_test(points_without_a_field_are_discs_of_radius_1),
        cmocka_unit_test(points_need_a_column),
        cmocka_unit_test(axes_that_overlap_alike_are_said_once),
        cmocka_unit_test(numbers_have_commas_between_thousands),
        cmocka_unit_test(mistakes_are_said_of_all_nodes_and_of_each_part),
        cmocka_unit_test(an_entropy_lies_between_0_and_1),
        cmocka_unit_test(the_most_frequent_mistake_comes_first),
        cmocka_unit_test(a_mean_that_no_number_can_hold_is_unknown),
        cmocka_unit_test(attributes_that_are_no_text_are_left_out),
        cmocka_unit_test(texts_outside_of_all_clusters_are_not_counted),
        cmocka_unit_test(a_summary_is_seen_with_its_own_graph_alone),
        cmocka_unit_test(counts_that_are_not_known_are_zeros),
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
