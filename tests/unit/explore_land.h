/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer of a graph on a plane that has everything: several pieces, two axes, classes and
 * predictions of which some are unknown, attributes and features. Included after unit_fixture.h. */
#ifndef EXPLORE_LAND_H
#define EXPLORE_LAND_H

#include <math.h>
#include <stdio.h>

#include "explore_reply.h"

enum { RING = 40, PATH = 24, PAIRS = 13, LAND = RING + PATH + 2 * PAIRS, WIDTH = 20 };

static dgm_graph *land;
static dgm_matrix *plane;
static dgm_predictions *said;
static dgm_explorer *explorer;
static int32_t labels[LAND], guesses[LAND];
static double ages[LAND];

static const char *const class_names[] = {"red", "green", "blue"};

/* A ring is red, a path above it green, and pairs all over the place are blue. */
static inline void place_node(int u, double *x, double *y) {
    const double angle = 2 * 3.14159265358979 * u / RING;
    if (u < RING)
        *x = 10 * cos(angle), *y = 10 * sin(angle);
    else if (u < RING + PATH)
        *x = u - 52, *y = 20;
    else
        *x = u * 37 % 41 - 20, *y = u * 23 % 31 - 10;
}

static inline void describe_nodes(void) {
    for (int u = 0; u < LAND; u++) {
        int32_t class_index = u < RING ? 0 : u < RING + PATH ? 1 : 2;
        labels[u] = u % 11 == 5 ? -1 : class_index;
        guesses[u] = u % 13 == 6 ? -1 : u % 7 == 3 ? (class_index + 1) % 3 : class_index;
        ages[u] = u % 10 == 0 ? NAN : u * 0.75;
    }
}

static inline dgm_graph *build_land(void) {
    uint32_t ends[2 * LAND], *at = ends, columns[3 * LAND];
    int64_t offsets[LAND + 1] = {0};
    const char *kinds[LAND];
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (uint32_t u = 0; u < RING; u++)
        *at++ = u, *at++ = (u + 1) % RING;
    for (uint32_t u = RING; u + 1 < RING + PATH; u++)
        *at++ = u, *at++ = u + 1;
    for (uint32_t u = RING + PATH; u < LAND; u += 2)
        *at++ = u, *at++ = u + 1;
    for (uint32_t u = 0; u < LAND; u++) {
        kinds[u] = u % 6 == 4 ? NULL : u % 4 == 1 ? "odd" : "even";
        columns[3 * u] = u % 5;
        columns[3 * u + 1] = 5 + u % 6;
        columns[3 * u + 2] = 11 + u / 10;
        offsets[u + 1] = 3 * (int64_t)(u + 1);
    }
    const dgm_graph_features features = {WIDTH, offsets, columns, NULL};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, (at - ends) / 2, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "land"), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, LAND, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 3, class_names), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", LAND, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "kind", LAND, kinds), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, LAND, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static inline void give_plane(dgm_explorer *to, const dgm_predictions *with) {
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = plane;
    lens.predictions = with;
    lens.name = "plane";
    lens.command = "dgm map land";
    assert_int_equal(dgm_explorer_set_lens(ctx, to, &lens), DGM_OK);
}

static inline int open_land(void **state) {
    (void)state;
    describe_nodes();
    land = build_land();
    plane = build_matrix(LAND, 2, NULL);
    double *values = dgm_matrix_values_mutable(plane);
    for (int u = 0; u < LAND; u++)
        place_node(u, &values[2 * u], &values[2 * u + 1]);
    assert_int_equal(dgm_matrix_set_column_name(ctx, plane, 0, "east"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_name(ctx, plane, 1, "north"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_transform(ctx, plane, 1, "rank"), DGM_OK);
    assert_int_equal(dgm_predictions_from_classes(ctx, land, guesses, NULL, &said), DGM_OK);
    assert_int_equal(dgm_explorer_create(ctx, land, &explorer), DGM_OK);
    give_plane(explorer, said);
    return 0;
}

static inline int close_land(void **state) {
    (void)state;
    dgm_explorer_free(explorer);
    dgm_predictions_free(said);
    dgm_matrix_free(plane);
    dgm_graph_free(land);
    return 0;
}

static inline reply ask(const char *question, const char *settings) {
    return ask_of(explorer, question, settings);
}

/* What is shown, as the library has it. */
static inline const dgm_summary *summary_of(dgm_explorer *of) {
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_summary(ctx, dgm_explorer_workspace(of), &summary), DGM_OK);
    return summary;
}

static inline dgm_summary_clusters clusters_of(dgm_explorer *of) {
    return dgm_summary_get_clusters(summary_of(of));
}

static inline const dgm_view *view_of(dgm_explorer *of) {
    const dgm_view *view;
    assert_int_equal(dgm_workspace_view(ctx, dgm_explorer_workspace(of), &view), DGM_OK);
    return view;
}

static inline bool is_in(const dgm_summary_clusters *is, int64_t cluster, uint32_t node) {
    for (int64_t i = is->offsets[cluster]; i < is->offsets[cluster + 1]; i++)
        if (is->members[i] == node)
            return true;
    return false;
}

static inline double value_of(int64_t node, int axis) {
    return dgm_matrix_values(plane)[2 * node + axis];
}

static inline double real_of(const json_t *object, const char *key) {
    const json_t *at = json_object_get(object, key);
    return json_is_number(at) ? json_number_value(at) : NAN;
}

static inline int64_t integer_of(const json_t *object, const char *key) {
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}

#define WITH_LAND(test) cmocka_unit_test_setup_teardown(test, open_land, close_land)

#endif
