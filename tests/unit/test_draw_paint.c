/* SPDX-License-Identifier: Apache-2.0 */
/* What all colourings share: scales, nothing to show, errors, memory. */
#include "unit_fixture.h"

#include "unit_faults.h"

#include "mapper_summary.h"
#include "paint_sample.h"

/* ---- shared scales ---- */

static dgmi_draw_paint_scale scale_of(const dgm_view *view, const char *colour) {
    dgmi_draw_paint_scale scale;
    assert_int_equal(dgmi_draw_paint_scale_of(ctx, view, colour, &options, &scale), DGM_OK);
    return scale;
}

static void panels_share_a_range(void **state) {
    (void)state;
    dgm_view view = summary(), wider = summary(), empty = summary();
    double more[] = {-1, 3, 0, 0}, none[] = {NAN, NAN, NAN, NAN};
    wider.lens = more;
    empty.lens = none;
    dgmi_draw_paint_scale scale = scale_of(&view, "lens"), other = scale_of(&wider, "lens");
    dgmi_draw_paint_scale nothing = scale_of(&empty, "lens");
    dgmi_draw_paint_scale_join(&scale, &nothing);
    assert_true(scale.low[0] == 0 && scale.high[0] == 1);
    dgmi_draw_paint_scale_join(&scale, &other);
    dgmi_draw_paint paint;
    assert_int_equal(dgmi_draw_paint_make(ctx, &view, "lens", &options, &scale, &paint), DGM_OK);
    assert_true(paint.scale.low[0] == -1 && paint.scale.high[0] == 3);
    assert_same(paint.fill[2], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.5));
    paint = painted(&empty, "lens");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_int_equal(paint.unknown, 4);
}

static void panels_share_classes(void **state) {
    (void)state;
    dgmi_draw_paint_scale a = {
        .kind = DGMI_DRAW_PAINT_CLASSES, .most = 8, .shown = 3, .classes = {4, 2, 0}};
    dgmi_draw_paint_scale b = {.kind = DGMI_DRAW_PAINT_CLASSES, .shown = 3, .classes = {2, 7, 1}};
    dgmi_draw_paint_scale_join(&a, &b);
    assert_int_equal(a.shown, 5);
    assert_false(a.other);
    static const int32_t both[] = {4, 2, 0, 7, 1};
    assert_memory_equal(a.classes, both, sizeof both);
    dgmi_draw_paint_scale eight = {.kind = DGMI_DRAW_PAINT_CLASSES,
                                   .most = 8,
                                   .shown = 8,
                                   .classes = {10, 11, 12, 13, 14, 15, 16, 17}};
    dgmi_draw_paint_scale_join(&a, &eight);
    assert_true(a.other);
    assert_int_equal(a.shown, 7);
    assert_int_equal(a.classes[6], 11);
    dgmi_draw_paint_scale_join(&eight, &b);
    assert_true(eight.other);
    assert_int_equal(eight.shown, 7);
    dgmi_draw_paint_scale ramp = {.kind = DGMI_DRAW_PAINT_RAMP};
    dgmi_draw_paint_scale_join(&ramp, &eight);
    assert_int_equal(ramp.shown, 0);
    dgmi_draw_paint_scale all = {.kind = DGMI_DRAW_PAINT_CLASSES, .shown = 1, .classes = {3}};
    dgmi_draw_paint_scale_join(&all, &b); /* as many as there are looks */
    assert_int_equal(all.shown, 4);
    assert_false(all.other);
    b.other = true; /* what one panel gathers, both have */
    dgmi_draw_paint_scale_join(&all, &b);
    assert_true(all.other);
    assert_int_equal(all.shown, 4);
}

static void a_scale_of_other_classes_or_another_kind_does_no_harm(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(3);
    dgmi_draw_paint_scale foreign = {
        .kind = DGMI_DRAW_PAINT_CLASSES, .shown = 2, .classes = {2, 90}};
    dgmi_draw_paint paint;
    assert_int_equal(dgmi_draw_paint_make(ctx, &view, "labels", &options, &foreign, &paint),
                     DGM_OK);
    assert_same(paint.fill[2], dgmi_draw_class_colour(0, 0, 0));
    assert_same(paint.fill[0], dgmi_draw_other_colour(0));
    assert_string_equal(paint.entries[1].name, "other (2 classes)");
    foreign.kind = DGMI_DRAW_PAINT_RAMP;
    assert_int_equal(dgmi_draw_paint_make(ctx, &view, "labels", &options, &foreign, &paint),
                     DGM_OK);
    assert_int_equal(paint.entry_count, 3);
}

/* ---- nothing to show ---- */

static void a_bare_graph_has_one_colour(void **state) {
    (void)state;
    static const dgm_profile unknown;
    dgm_view view = {.kind = DGM_VIEW_GRAPH, .profile = &unknown, .marks = 4, .size = sizes};
    assert_string_equal(dgmi_draw_paint_default(&view), "none");
    dgmi_draw_paint paint = painted(&view, NULL);
    assert_string_equal(paint.title, "");
    assert_int_equal(paint.entry_count, 0);
    assert_int_equal(paint.unknown, 0);
    assert_same(paint.fill[3], paint.fill[0]);
}

static void no_clusters_at_all_are_fine(void **state) {
    (void)state;
    static const char *const all[] = {"lens",    "labels",    "prediction", "error",
                                      "entropy", "attr:year", "attr:side",  "none"};
    dgm_view view = summary();
    int64_t nothing[] = {0};
    view.marks = 0;
    view.own.profile->labels.offsets = view.own.profile->predictions.offsets = nothing;
    for (int64_t i = 0; i < COUNT(all); i++) {
        dgmi_draw_paint paint = painted(&view, all[i]);
        assert_int_equal(paint.entry_count, 0);
        assert_true(paint.scale.low[0] <= paint.scale.high[0]);
    }
}

/* ---- errors ---- */

static dgm_status try(const dgm_view *view, const char *colour) {
    dgmi_draw_paint_scale scale;
    dgmi_draw_paint paint;
    dgm_status status = dgmi_draw_paint_scale_of(ctx, view, colour, &options, &scale);
    assert_int_equal(dgmi_draw_paint_make(ctx, view, colour, &options, NULL, &paint), status);
    return status;
}

static void what_is_not_there_is_an_error_with_a_way_out(void **state) {
    (void)state;
    dgm_view view = summary();
    view.own.profile->labels.offsets = view.own.profile->predictions.offsets = NULL;
    view.own.profile->judged = view.own.profile->mistakes = NULL;
    view.own.profile->entropy = NULL;
    ASSERT_FAILS(try(&view, "labels"), DGM_ERROR_USAGE,
                 "the summary has no labels: give classes by labels=FILE with the graph, or "
                 "colour by lens");
    ASSERT_FAILS(try(&view, "prediction"), DGM_ERROR_USAGE,
                 "the summary has no predictions: map it with lens=gcn");
    ASSERT_FAILS(try(&view, "error"), DGM_ERROR_USAGE,
                 "the summary has no predictions to be wrong: map it with lens=gcn");
    ASSERT_FAILS(try(&view, "entropy"), DGM_ERROR_USAGE,
                 "the summary has neither predictions nor labels to take the entropy of: map it "
                 "with lens=gcn");
    view.own.profile->predictions.offsets = offsets;
    ASSERT_FAILS(try(&view, "error"), DGM_ERROR_USAGE,
                 "the summary has no labels to judge its predictions by: colour by prediction");
    view.kind = DGM_VIEW_GRAPH;
    view.dimension = 0;
    ASSERT_FAILS(try(&view, "lens"), DGM_ERROR_USAGE,
                 "the graph has no lens: colour by labels, prediction, attr:NAME or none");
    view.own.profile->classes = 0; /* counts of no classes are none */
    ASSERT_FAILS(try(&view, "prediction"), DGM_ERROR_USAGE,
                 "the graph has no predictions: map it with lens=gcn");
    view.own.profile->labels.offsets = offsets;
    ASSERT_FAILS(try(&view, "labels"), DGM_ERROR_USAGE,
                 "the graph has no labels: give classes by labels=FILE with the graph, or "
                 "colour by lens");
    ASSERT_FAILS(try(&view, "error"), DGM_ERROR_USAGE,
                 "the graph has no predictions to be wrong: map it with lens=gcn");
    ASSERT_FAILS(try(&view, "outward"), DGM_ERROR_USAGE,
                 "the graph does not say how many edges leave its groups");
    assert_string_equal(dgmi_draw_paint_default(&view), "none");
}

/* A tooltip leaves out what is not there, and no error stays behind. */
static void descriptions_of_what_is_not_there_are_empty(void **state) {
    (void)state;
    static const char *const colours[] = {"labels", "prediction", "error",     "entropy",
                                          "lens",   "attr:year",  "attr:side", "no colouring"};
    dgm_view view = summary();
    view.own.profile->labels.offsets = view.own.profile->predictions.offsets = NULL;
    view.own.profile->judged = view.own.profile->mistakes = NULL;
    view.own.profile->entropy = NULL;
    view.dimension = 0;
    view.own.profile->attribute_count = 0;
    for (int predicted = 0; predicted < 2; predicted++) {
        view.own.profile->predictions.offsets = predicted ? offsets : NULL;
        for (int64_t i = predicted ? 2 : 0; i < (predicted ? 3 : COUNT(colours)); i++) {
            dgmi_text text;
            dgmi_text_init(&text, ctx);
            dgmi_draw_paint_describe(&view, colours[i], 0, &text);
            assert_int_equal(text.length, 0);
            dgmi_text_free(&text);
        }
    }
    dgmi_draw_colormap map;
    assert_int_equal(dgmi_draw_colormap_find(NULL, "virids", &map), DGM_ERROR_USAGE);
    assert_int_equal(dgmi_draw_colormap_find(NULL, "cividis", &map), DGM_OK);
    assert_int_equal(map, DGMI_DRAW_COLORMAP_CIVIDIS);
}

static void unknown_attributes_are_named(void **state) {
    (void)state;
    dgm_view view = summary();
    ASSERT_FAILS(try(&view, "attr:yaer"), DGM_ERROR_USAGE,
                 "the summary has no attribute 'yaer'; did you mean 'year'? (it has year, side)");
    ASSERT_FAILS(try(&view, "attr:temperature"), DGM_ERROR_USAGE,
                 "the summary has no attribute 'temperature' (it has year, side)");
    view.own.profile->attribute_count = 0;
    view.kind = DGM_VIEW_POINTS;
    ASSERT_FAILS(try(&view, "attr:year"), DGM_ERROR_USAGE,
                 "the table of points has no attributes, so none called 'year'");
}

static void names_of_many_long_attributes_stay_one_line(void **state) {
    (void)state;
    enum { ATTRIBUTES = 40 };
    static char long_name[4000];
    memset(long_name, 'n', sizeof long_name - 1);
    dgmi_mapper_profile_attribute many[ATTRIBUTES];
    for (int i = 0; i < ATTRIBUTES; i++)
        many[i] = (dgmi_mapper_profile_attribute){.name = long_name, .means = years};
    dgm_view view = summary();
    view.own.profile->attributes = many;
    view.own.profile->attribute_count = ATTRIBUTES;
    assert_int_equal(try(&view, "attr:year"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), ", ...)");
}

static void unknown_colourings_and_maps_have_suggestions(void **state) {
    (void)state;
    dgm_view view = summary();
    assert_int_equal(dgmi_draw_paint_check(ctx, "attr:anything"), DGM_OK);
    assert_int_equal(dgmi_draw_paint_check(ctx, "entropy"), DGM_OK);
    ASSERT_FAILS(dgmi_draw_paint_check(ctx, "label"), DGM_ERROR_USAGE,
                 "there is no colouring 'label'; did you mean 'labels'? (one of lens, labels, "
                 "prediction, error, entropy, outward, attr:NAME, none)");
    ASSERT_FAILS(try(&view, "quux"), DGM_ERROR_USAGE,
                 "there is no colouring 'quux'; write lens, labels, prediction, error, entropy, "
                 "outward, attr:NAME or none");
    assert_int_equal(dgmi_draw_paint_check(ctx, "attr:"), DGM_ERROR_USAGE);
    options.colormap = "virdis";
    ASSERT_FAILS(try(&view, "lens"), DGM_ERROR_USAGE,
                 "there is no colormap 'virdis'; did you mean 'viridis'? (one of viridis, cividis, "
                 "coolwarm, diverging, cool)");
    options.colormap = "jet!";
    ASSERT_FAILS(
        try(&view, "labels"), DGM_ERROR_USAGE,
        "there is no colormap 'jet!' (one of viridis, cividis, coolwarm, diverging, cool)");
}

/* ---- memory ---- */

static dgm_status paint_all(dgm_context *own, void *argument) {
    static const char *const all[] = {"lens", "labels", "prediction", "attr:year", "attr:side"};
    dgm_view view = summary_of_classes(MANY);
    dgmi_hold hold = dgmi_arena_hold(own);
    dgm_status status = DGM_OK;
    (void)argument;
    view.marks = 4;
    options.mixture = DGM_MIXTURE_PIE;
    for (int64_t i = 0; i < COUNT(all) && status == DGM_OK; i++) {
        dgmi_draw_paint paint;
        dgmi_text text;
        dgmi_text_init(&text, own);
        status = dgmi_draw_paint_make(own, &view, all[i], &options, NULL, &paint);
        dgmi_draw_paint_describe(&view, all[i], 0, &text);
        if (status == DGM_OK)
            status = text.status;
        dgmi_text_free(&text);
    }
    dgmi_arena_release(own, hold);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation(paint_all, NULL);
}

/* Large enough that each array has a block of its own. */
static dgm_status paint_large(dgm_context *own, void *argument) {
    enum { MARKS = 200000 };
    dgm_view view = summary();
    dgmi_hold hold = dgmi_arena_hold(own);
    dgmi_draw_paint paint;
    int64_t *large = argument;
    view.marks = MARKS;
    view.size = large + MARKS + 1;
    view.own.profile->labels = (dgmi_mapper_counts){large, values, counts};
    options.mixture = DGM_MIXTURE_PIE;
    dgm_status status = dgmi_draw_paint_make(own, &view, "labels", &options, NULL, &paint);
    if (status == DGM_OK)
        assert_int_equal(paint.unknown, MARKS);
    dgmi_arena_release(own, hold);
    return status;
}

static void every_large_allocation_may_fail(void **state) {
    (void)state;
    static int64_t zeros[400001];
    fail_each_allocation(paint_large, zeros);
}

/* ---- defaults ---- */

/* Labels, then predictions, then an attribute of a few texts, and otherwise the lens. */
static void what_is_known_of_the_nodes_is_the_default(void **state) {
    (void)state;
    dgmi_mapper_profile_attribute own[2];
    dgm_view view = summary();
    memcpy(own, attributes, sizeof own);
    view.own.profile->attributes = own;
    assert_string_equal(dgmi_draw_paint_default(&view), "labels");
    view.own.profile->labels.offsets = NULL;
    assert_string_equal(dgmi_draw_paint_default(&view), "prediction");
    view.own.profile->predictions.offsets = NULL;
    assert_string_equal(dgmi_draw_paint_default(&view), "attr:side");
    own[1].text_count = 20;
    assert_string_equal(dgmi_draw_paint_default(&view), "attr:side");
    own[1].text_count = 21; /* these are names rather than groups */
    assert_string_equal(dgmi_draw_paint_default(&view), "lens");
    own[1].text_count = 1;
    assert_string_equal(dgmi_draw_paint_default(&view), "lens");
    view.own.profile->classes = 0;
    view.own.profile->labels.offsets = offsets; /* counts of no classes are none */
    assert_string_equal(dgmi_draw_paint_default(&view), "lens");
    view.dimension = 0;
    assert_string_equal(dgmi_draw_paint_default(&view), "none");
}

/* Their numbers mean nothing. */
static void partitions_are_coloured_by_what_leaves_them(void **state) {
    (void)state;
    double shares[] = {0.2, 0.2, 0.2, 0.3};
    dgm_summary mapped = {.options = DGM_MAPPER_OPTIONS_INIT};
    dgm_view view = summary();
    view.own.profile->classes = view.own.profile->attribute_count = 0;
    view.own.profile->outward = shares;
    view.summary = &mapped;
    assert_string_equal(dgmi_draw_paint_default(&view), "lens");
    mapped.options.cover = DGM_COVER_PARTS;
    assert_string_equal(dgmi_draw_paint_default(&view), "outward");
    shares[3] = 0.2; /* all are alike, as in a ring */
    assert_string_equal(dgmi_draw_paint_default(&view), "none");
    view.own.profile->outward = NULL; /* a file of another program */
    assert_string_equal(dgmi_draw_paint_default(&view), "lens");
    view.own.profile->outward = shares;
    shares[0] = 0.5;
    mapped.options.cover = DGM_COVER_UNIFORM;
    view.dimension = 0;
    assert_string_equal(dgmi_draw_paint_default(&view), "outward");
}

/* Colours would tell of what is not there: all marks are grey, whatever is known. */
static void what_chance_draws_as_well_has_no_colours(void **state) {
    (void)state;
    dgm_summary mapped = {.options = DGM_MAPPER_OPTIONS_INIT,
                          .bits = {.known = true,
                                   .gained = 1,
                                   .runs = 20,
                                   .chance = 1,
                                   .chance_most = 2,
                                   .bare = 1,
                                   .bare_most = 2}};
    dgm_view view = summary();
    view.summary = &mapped;
    assert_string_equal(dgmi_draw_paint_default(&view), "none");
    dgmi_draw_paint paint = painted(&view, NULL);
    for (int64_t m = 0; m < 4; m++)
        assert_same(paint.fill[m], dgmi_draw_unknown_colour(DGM_THEME_LIGHT));
    assert_string_equal(painted(&view, "labels").title, "share of spam"); /* who asks gets them */
    mapped.bits.chance = mapped.bits.chance_most = 0;
    assert_string_equal(dgmi_draw_paint_default(&view), "labels");
    mapped.bits.runs = 0;
    assert_string_equal(dgmi_draw_paint_default(&view), "labels");
    paint = painted(&view, "none"); /* and none is no grey then */
    assert_same(paint.fill[0], dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, 0));
}

/* Clusters of several classes are pies, unless somebody asks for a colouring and not for pies. */
static void mixed_clusters_are_pies_by_default(void **state) {
    (void)state;
    static const struct {
        const char *colour;
        int mixture;
        bool pies;
    } cases[] = {{NULL, DGM_MIXTURE_AUTO, true},      {"attr:side", DGM_MIXTURE_AUTO, false},
                 {NULL, DGM_MIXTURE_PIE, true},       {"attr:side", DGM_MIXTURE_PIE, true},
                 {NULL, DGM_MIXTURE_MAJORITY, false}, {"attr:side", DGM_MIXTURE_MAJORITY, false}};
    dgm_view view = summary();
    view.own.profile->classes = 0;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        options.mixture = cases[i].mixture;
        dgmi_draw_paint paint = painted(&view, cases[i].colour);
        assert_int_equal(paint.slices != NULL, cases[i].pies);
        assert_string_equal(paint.title, cases[i].pies ? "side" : "most frequent side");
    }
}

/* A graph whose nodes are all of one class is coloured by it, too. */
static void a_single_class_is_shown(void **state) {
    (void)state;
    int64_t ends[] = {0, 1, 2, 3, 4}, ones[] = {1, 1, 1, 1};
    int32_t same[] = {0, 0, 0, 0};
    const dgm_profile profile = {.clusters = 4, .classes = 1, .labels = {ends, same, ones}};
    dgm_view view = {.kind = DGM_VIEW_GRAPH, .profile = &profile, .marks = 4, .size = sizes};
    assert_string_equal(dgmi_draw_paint_default(&view), "labels");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(panels_share_a_range),
        TEST(panels_share_classes),
        TEST(a_scale_of_other_classes_or_another_kind_does_no_harm),
        TEST(a_bare_graph_has_one_colour),
        TEST(no_clusters_at_all_are_fine),
        TEST(what_is_not_there_is_an_error_with_a_way_out),
        TEST(descriptions_of_what_is_not_there_are_empty),
        TEST(unknown_attributes_are_named),
        TEST(names_of_many_long_attributes_stay_one_line),
        TEST(unknown_colourings_and_maps_have_suggestions),
        TEST(every_allocation_may_fail),
        TEST(every_large_allocation_may_fail),
        TEST(what_is_known_of_the_nodes_is_the_default),
        TEST(partitions_are_coloured_by_what_leaves_them),
        TEST(what_chance_draws_as_well_has_no_colours),
        TEST(mixed_clusters_are_pies_by_default),
        TEST(a_single_class_is_shown),
    };
    return RUN_WITH_CONTEXT(tests);
}
