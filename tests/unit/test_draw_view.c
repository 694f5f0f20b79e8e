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
    static const float says[] = {1, 0, 0.25F, 0.75F, 0.5F, 0.5F, 0, 1, 0, 1, 1, 0};
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
    assert_int_equal(dgm_graph_set_probabilities(with, graph, 2, says), DGM_OK);
    return graph;
}

static sample rich_sample(dgm_context *with) {
    sample made = {rich_graph(with), NULL, NULL};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    made.lens = sample_lens(with, &(sample_parts){.nodes = 6});
    assert_int_equal(dgm_mapper_run(with, made.graph, made.lens, &options, &made.summary), DGM_OK);
    return made;
}

static void a_summary_is_seen_with_all_that_its_members_say(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_view *view;
    assert_int_equal(
        dgm_view_from_summary(ctx, made.summary, made.graph, &sample_provenance, &view), DGM_OK);
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
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, made.graph, NULL, &view), DGM_OK);
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
    assert_int_equal(dgm_view_from_summary(ctx, made.summary, made.graph, NULL, &view), DGM_OK);
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
        assert_int_equal(dgm_view_from_graph(ctx, graph, &view), DGM_OK);
        assert_int_equal(view->attribute_count, kinds == NODES ? 0 : 1);
        dgm_view_free(view);
        dgm_graph_free(graph);
    }
}

static void arcs_in_both_directions_are_one_link(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 2, 1, 2, 2};
    const double weights[] = {1, 4, 2, 9};
    const dgm_graph_options options = {.directed = true, .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_view *view;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 4, ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_view_from_graph(ctx, graph, &view), DGM_OK);
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
    assert_int_equal(dgm_view_from_points(ctx, points, graph, &view), DGM_OK);
    dgm_view_places places = dgm_view_get_places(view);
    assert_true(places.x[2] == 16 && places.y[2] == 25 && places.radius[0] > 0);
    assert_int_equal(view->labels.offsets[6], 5);
    assert_int_equal(view->link_count, 0);
    dgm_view_free(view);
    dgm_matrix_values_mutable(points)[3] = INFINITY;
    assert_int_equal(dgm_view_from_points(ctx, points, graph, &view), DGM_ERROR_DATA);
    check_words("row 2");
    assert_null(view);
    dgm_matrix_free(points);
    assert_int_equal(dgm_matrix_create(ctx, 5, 2, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(ctx, points, graph, &view), DGM_ERROR_DATA);
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
            status = kind == 0   ? dgm_view_from_summary(poor, made.summary, made.graph,
                                                         &sample_provenance, &view)
                     : kind == 1 ? dgm_view_from_graph(poor, made.graph, &view)
                                 : dgm_view_from_points(poor, made.lens, made.graph, &view);
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
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
