/* SPDX-License-Identifier: Apache-2.0 */
/* What a workspace copies, borrows and says: each option in its place, texts that may go, and stages
 * that are not made twice. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit_faults.h"
#include "workspace_workspace.h"

enum { NODES = 60 };

static dgm_graph *graph;
static dgm_matrix *axes;
static dgm_workspace *workspace;

/* A ring, and how far along it a node is. */
static int open_workspace(void **state) {
    (void)state;
    uint32_t edges[2 * NODES];
    axes = build_matrix(NODES, 1, NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        edges[2 * i] = i;
        edges[2 * i + 1] = (i + 1) % NODES;
        dgm_matrix_values_mutable(axes)[i] = i;
    }
    graph = build_graph(NULL, 0, NODES, edges, NULL);
    return dgm_workspace_create(ctx, graph, &workspace) == DGM_OK ? 0 : -1;
}

static int close_workspace(void **state) {
    (void)state;
    dgm_workspace_free(workspace);
    dgm_matrix_free(axes);
    dgm_graph_free(graph);
    return 0;
}

static void set(const char *name, const char *value) {
    if (dgm_workspace_set(ctx, workspace, name, value) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

static char said[2048];
static void listen(void *user, const char *note) {
    (void)user;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", note);
}

/* What is said while a summary is made. */
static const dgm_summary *summarise(void) {
    const dgm_summary *summary;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    assert_int_equal(dgm_workspace_summary(ctx, workspace, &summary), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    return summary;
}

/* ---- texts ---- */

static void every_text_of_a_figure_is_copied_to_its_place(void **state) {
    (void)state;
    char texts[][12] = {"labels", "cividis", "89mm", "60mm", "numbers:3"};
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    const dgm_figure_options *is = &workspace->figure_options;
    options.colour = texts[0];
    options.colormap = texts[1];
    options.width = texts[2];
    options.height = texts[3];
    options.names = texts[4];
    options.dpi = 123;
    assert_int_equal(dgm_workspace_set_figure(ctx, workspace, &options), DGM_OK);
    memset(texts, 'x', sizeof texts);
    for (int turn = 0; turn < 2; turn++) {
        assert_string_equal(is->colour, "labels");
        assert_string_equal(is->colormap, "cividis");
        assert_string_equal(is->width, "89mm");
        assert_string_equal(is->height, "60mm");
        assert_string_equal(is->names, "numbers:3");
        assert_int_equal(is->dpi, 123);
        set("theme", "dark"); /* which changes nothing else */
    }
    set("height", "70mm");
    assert_string_equal(is->height, "70mm");
    assert_string_equal(is->width, "89mm");
    dgm_figure_options_init(&options);
    assert_int_equal(dgm_workspace_set_figure(ctx, workspace, &options), DGM_OK);
    assert_true(!is->colour && !is->colormap && !is->width && !is->height && !is->names);
}

static void every_text_of_an_origin_is_copied_to_its_place(void **state) {
    (void)state;
    char texts[][8] = {"lens", "command", "kernels", "blas", "version"};
    const dgm_provenance provenance = {.lens = texts[0],
                                       .command = texts[1],
                                       .seed = 12,
                                       .kernels = texts[2],
                                       .blas = texts[3],
                                       .version = texts[4]};
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    for (int turn = 0; turn < 2; turn++) { /* before there is a summary, and after */
        assert_int_equal(dgm_workspace_set_provenance(ctx, workspace, &provenance), DGM_OK);
        if (turn == 1)
            memset(texts, 'x', sizeof texts);
        dgm_provenance is = dgm_summary_get_provenance(summarise());
        assert_string_equal(is.lens, "lens");
        assert_string_equal(is.command, "command");
        assert_string_equal(is.kernels, "kernels");
        assert_string_equal(is.blas, "blas");
        assert_string_equal(is.version, "version");
        assert_int_equal(is.seed, 12);
    }
}

static void a_new_workspace_has_the_usual_seed(void **state) {
    (void)state;
    dgm_mapper_options usual = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_summary_get_provenance(summarise()).seed, usual.seed);
    set("seed", "9");
    assert_int_equal(dgm_summary_get_provenance(summarise()).seed, 9);
    assert_int_equal(workspace->layout_options.seed, 9);
    assert_int_equal(workspace->mapper_options.seed, 9);
}

static void intervals_are_copied_and_go_with_their_cover(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[3] = {{-1, 20}, {15, 40}, {35, 70}};
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 3;
    assert_int_equal(dgm_workspace_set_mapper(ctx, workspace, &options), DGM_OK);
    const dgm_interval *is = workspace->mapper_options.given;
    assert_ptr_not_equal(is, given);
    assert_memory_equal(is, given, sizeof given);
    assert_ptr_equal(is, workspace->intervals);
    set("cover", "intervals:1..2");
    assert_int_equal(workspace->mapper_options.given_count, 1);
    assert_true(workspace->intervals[0].low == 1 && workspace->intervals[0].high == 2);
    set("cover", "uniform");
    assert_null(workspace->mapper_options.given);
    assert_null(workspace->intervals);
}

/* ---- bounds ---- */

static void transforms_have_bounds(void **state) {
    (void)state;
    int kinds[DGM_MAX_AXES + 1];
    for (int i = 0; i <= DGM_MAX_AXES; i++)
        kinds[i] = i % (DGM_TRANSFORM_ZSCORE + 1);
    assert_int_equal(dgm_workspace_set_transforms(ctx, workspace, kinds, DGM_MAX_AXES), DGM_OK);
    assert_int_equal(workspace->transform_count, DGM_MAX_AXES);
    assert_memory_equal(workspace->transforms, kinds, sizeof workspace->transforms);
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, kinds, DGM_MAX_AXES + 1),
                 DGM_ERROR_USAGE, "at most 16 axes can be transformed");
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, kinds, -1), DGM_ERROR_USAGE,
                 "at most 16 axes can be transformed");
    const int low[] = {DGM_TRANSFORM_RANK, DGM_TRANSFORM_NONE - 1},
              high[] = {DGM_TRANSFORM_RANK, DGM_TRANSFORM_ZSCORE + 1};
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, low, 2), DGM_ERROR_USAGE,
                 "-1 is no transform");
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, high, 2), DGM_ERROR_USAGE,
                 "4 is no transform");
    assert_int_equal(workspace->transform_count, DGM_MAX_AXES); /* nothing has changed */
    assert_memory_equal(workspace->transforms, kinds, sizeof workspace->transforms);
    set("transform", "log,rank");
    assert_int_equal(workspace->transform_count, 2);
    assert_int_equal(workspace->transforms[0], DGM_TRANSFORM_LOG);
    assert_int_equal(workspace->transforms[1], DGM_TRANSFORM_RANK);
}

static void tables_are_those_of_the_stages(void **state) {
    (void)state;
    static const struct {
        const char *title, *first;
        size_t count; /* 0: many */
    } expected[] = {{"Lens", "transform", 1}, {"Mapper", "cover", 1}, {NULL, "intervals", 0},
                    {NULL, "colour", 0},      {NULL, "layout", 0},    {"General", "seed", 1}};
    for (size_t i = 0; i < COUNT(expected); i++) {
        const dgm_option_table *table = dgm_workspace_options_at(i);
        assert_non_null(table);
        assert_string_equal(table->options[0].name, expected[i].first);
        if (expected[i].title)
            assert_string_equal(table->title, expected[i].title);
        if (expected[i].count)
            assert_int_equal(table->count, expected[i].count);
    }
    assert_null(dgm_workspace_options_at(COUNT(expected)));
    assert_null(dgm_workspace_options_at(COUNT(expected) + 1));
}

/* A letter too many is seen in every name, and a value is missed in all but flags. */
static void every_name_is_known_and_advised(void **state) {
    (void)state;
    const dgm_option_table *table;
    for (size_t i = 0; (table = dgm_workspace_options_at(i)); i++)
        for (size_t k = 0; k < table->count; k++) {
            const char *name = table->options[k].name;
            char wrong[64], words[256];
            snprintf(wrong, sizeof wrong, "%sq", name);
            snprintf(words, sizeof words, "a workspace has no option '%s'; did you mean '%s'?",
                     wrong, name);
            ASSERT_FAILS(dgm_workspace_set(ctx, workspace, wrong, "1"), DGM_ERROR_USAGE, words);
            snprintf(words, sizeof words, "%s needs a value", name);
            if (table->options[k].kind == DGM_OPTION_FLAG)
                set(name, "false");
            else
                ASSERT_FAILS(dgm_workspace_set(ctx, workspace, name, NULL), DGM_ERROR_USAGE, words);
        }
}

/* Figures must have places, tables need none, and other data has them if they cost little. */
static void formats_ask_for_places_as_they_need_them(void **state) {
    (void)state;
    static const struct {
        dgm_export_format format;
        dgm_placing placing;
    } cases[] = {{DGM_EXPORT_SVG, DGM_PLACING_ALWAYS}, {DGM_EXPORT_PDF, DGM_PLACING_ALWAYS},
                 {DGM_EXPORT_PNG, DGM_PLACING_ALWAYS}, {DGM_EXPORT_CSV, DGM_PLACING_NONE},
                 {DGM_EXPORT_DOT, DGM_PLACING_NONE},   {DGM_EXPORT_MD, DGM_PLACING_NONE},
                 {DGM_EXPORT_JSON, DGM_PLACING_CHEAP}, {DGM_EXPORT_GRAPHML, DGM_PLACING_CHEAP},
                 {DGM_EXPORT_GEXF, DGM_PLACING_CHEAP}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(dgm_export_placing(cases[i].format), cases[i].placing);
}

/* ---- nothing twice ---- */

static void axes_are_transformed_once_and_only_if_they_must_be(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    summarise();
    assert_null(workspace->transformed);
    const dgm_mapper *mapper = workspace->mapper;
    set("intervals", "4");
    summarise();
    assert_ptr_equal(workspace->mapper, mapper);
    set("transform", "rank");
    assert_null(workspace->mapper);
    summarise();
    const dgm_matrix *ranks = workspace->transformed;
    mapper = workspace->mapper;
    assert_non_null(ranks);
    set("intervals", "5");
    summarise();
    assert_ptr_equal(workspace->transformed, ranks);
    assert_ptr_equal(workspace->mapper, mapper);
    dgm_workspace_forget_axes(workspace);
    assert_true(!workspace->transformed && !workspace->mapper && !workspace->axes);
    assert_non_null(workspace->summary);
}

/* What came with a summary goes with it. */
static void axes_take_the_place_of_a_summary_and_a_summary_that_of_axes(void **state) {
    (void)state;
    dgm_summary *summary;
    dgm_profile *profile;
    const dgm_profile *shown;
    const dgm_places places = {
        .x = (double[64]){0}, .y = (double[64]){0}, .radius = (double[64]){0}};
    assert_int_equal(dgm_mapper_run(ctx, graph, axes, NULL, &summary), DGM_OK);
    assert_int_equal(dgm_profile_create(ctx, summary, graph, NULL, &profile), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    summarise();
    assert_int_equal(dgm_workspace_set_summary(ctx, workspace, summary, profile, &places), DGM_OK);
    assert_true(!workspace->axes && !workspace->mapper && !workspace->summary);
    assert_ptr_equal(summarise(), summary);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_ptr_not_equal(summarise(), summary);
    assert_int_equal(dgm_workspace_profile(ctx, workspace, &shown), DGM_OK);
    assert_ptr_not_equal(shown, profile);
    assert_null(workspace->given_places);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
}

/* ---- what is said ---- */

/* Cells of whole numbers overlap where no number is; those of balls do not reach each other. */
static void clusters_that_nothing_joins_are_noted(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    set("intervals", "5");
    set("overlap", "0.4");
    summarise();
    assert_string_equal(said, "");
    set("intervals", "60");
    set("overlap", "0.001");
    summarise();
    ASSERT_HAS(said, "no node lies where cells of 'axis1' overlap");
    set("cover", "adaptive:size=10");
    summarise();
    assert_string_equal(said, "no node lies in two clusters, so that none are joined; "
                              "edges=structural joins them by edges of the graph, or try larger "
                              "cells or more overlap\n");
    set("edges", "structural");
    summarise();
    assert_string_equal(said, "");
}

static void a_text_that_cannot_be_made_is_none(void **state) {
    (void)state;
    char *text = (char *)"something";
    size_t length = 9;
    assert_int_equal(dgm_workspace_text(ctx, workspace, DGM_EXPORT_JSON, 0, &text, &length),
                     DGM_ERROR_USAGE);
    assert_null(text);
    assert_int_equal(length, 0);
    text = (char *)"something";
    assert_int_equal(dgm_workspace_text(ctx, workspace, DGM_EXPORT_JSON, 0, &text, NULL),
                     DGM_ERROR_USAGE);
    assert_null(text);
}

/* Single nodes, each with its neighbours: a layout of all pairs costs more than to make them did. */
static void a_layout_that_costs_too_much_is_left_out_and_noted(void **state) {
    (void)state;
    enum { MANY = 4000 };
    uint32_t *ends = malloc(2 * MANY * sizeof *ends);
    assert_non_null(ends);
    for (uint32_t i = 0; i < MANY; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % MANY;
    }
    dgm_graph *ring = build_graph(NULL, MANY, MANY, ends, NULL);
    dgm_matrix *along = build_matrix(MANY, 1, NULL);
    dgm_export_subject subject;
    dgm_workspace *large;
    free(ends);
    for (int64_t i = 0; i < MANY; i++)
        dgm_matrix_values_mutable(along)[i] = (double)(i * 1607 % MANY);
    assert_int_equal(dgm_workspace_create(ctx, ring, &large), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, large, along), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, large, "edges", "structural"), DGM_OK);
    dgm_layout_options exact = DGM_LAYOUT_OPTIONS_INIT;
    exact.dust = DGM_DUST_SHOW;
    exact.exact = 2 * MANY;
    assert_int_equal(dgm_workspace_set_layout(ctx, large, &exact), DGM_OK);
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    assert_int_equal(dgm_workspace_subject(ctx, large, DGM_PLACING_CHEAP, &subject), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_string_equal(said, "the clusters have no places: a layout would take longer than the "
                              "summary did; 'dgm draw' makes one\n");
    assert_non_null(subject.view);
    assert_null(dgm_view_get_places(subject.view).x);
    assert_ptr_equal(subject.graph, ring);
    assert_ptr_equal(subject.figure, &large->figure_options);
    dgm_workspace_free(large);
    dgm_matrix_free(along);
    dgm_graph_free(ring);
}

/* ---- memory ---- */

/* A view is there when its origin changes. */
static dgm_status retell(dgm_context *own, void *argument) {
    const dgm_provenance provenance = {.lens = "height", .command = "a test", .seed = 3};
    const dgm_view *view;
    dgm_workspace *of;
    (void)argument;
    dgm_status status = dgm_workspace_create(own, graph, &of);
    if (status != DGM_OK)
        return status;
    assert_int_equal(dgm_workspace_set_axes(own, of, axes), DGM_OK);
    status = dgm_workspace_view(own, of, &view);
    if (status == DGM_OK)
        status = dgm_workspace_set_provenance(own, of, &provenance);
    dgm_workspace_free(of);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(retell, NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_workspace, close_workspace)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(every_text_of_a_figure_is_copied_to_its_place),
        CASE(every_text_of_an_origin_is_copied_to_its_place),
        CASE(a_new_workspace_has_the_usual_seed),
        CASE(intervals_are_copied_and_go_with_their_cover),
        CASE(transforms_have_bounds),
        CASE(tables_are_those_of_the_stages),
        CASE(every_name_is_known_and_advised),
        CASE(formats_ask_for_places_as_they_need_them),
        CASE(axes_are_transformed_once_and_only_if_they_must_be),
        CASE(axes_take_the_place_of_a_summary_and_a_summary_that_of_axes),
        CASE(clusters_that_nothing_joins_are_noted),
        CASE(a_text_that_cannot_be_made_is_none),
        CASE(a_layout_that_costs_too_much_is_left_out_and_noted),
        CASE(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
