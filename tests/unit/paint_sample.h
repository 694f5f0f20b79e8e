/* SPDX-License-Identifier: Apache-2.0 */
/* Small views to be painted, and what tests of paints share. Include after unit_fixture.h. */
#ifndef PAINT_SAMPLE_H
#define PAINT_SAMPLE_H

#include <math.h>
#include <stdio.h>

#include "draw_paint.h"

/* ---- a summary of four clusters ---- */

/* Classes (0 ham, 1 spam) and members: 3 + 1 of 4, 0 + 2 of 2, none known of 3, 1 + 1 of 5. */
static int64_t sizes[] = {4, 2, 3, 5};
static int64_t offsets[] = {0, 2, 3, 3, 5};
static int32_t values[] = {0, 1, 1, 0, 1};
static int64_t counts[] = {3, 1, 2, 1, 1};
static char *two_names[] = {"ham", "spam"};
static char *two_axes[] = {"height", "width"};
static double heights[] = {0, 0.25, 1, NAN};
static double places[] = {0, 0, 1, 0, 0, 1, 1, 1};
static int64_t judged[] = {4, 2, 0, 2};
static int64_t mistakes[] = {0, 1, 0, 1};
static double entropies[] = {0.5, 0, NAN, 1};
static double years[] = {1999, 2001, NAN, 2003};
static char *texts[] = {"x", "y"};

static dgmi_mapper_profile_attribute attributes[] = {
    {.name = "year", .kind = DGM_ATTRIBUTE_NUMBER, .means = years},
    {.name = "side",
     .subject = "attr:side",
     .kind = DGM_ATTRIBUTE_TEXT,
     .counts = {offsets, values, counts},
     .texts = texts,
     .text_count = 2},
};

/* A profile for each of the views that a test has at a time. */
static inline dgm_profile *next_profile(void) {
    static dgm_profile profiles[64];
    static size_t used;
    return &profiles[used++ % (sizeof profiles / sizeof *profiles)];
}

static inline dgm_view summary(void) {
    dgm_profile *profile = next_profile();
    *profile = (dgm_profile){.clusters = 4,
                             .classes = 2,
                             .class_names = two_names,
                             .labels = {offsets, values, counts},
                             .predictions = {offsets, values, counts},
                             .judged = judged,
                             .mistakes = mistakes,
                             .entropy = entropies,
                             .attribute_count = 2,
                             .attributes = attributes};
    return (dgm_view){.kind = DGM_VIEW_SUMMARY,
                      .profile = profile,
                      .own = {.profile = profile},
                      .marks = 4,
                      .size = sizes,
                      .dimension = 1,
                      .lens = heights,
                      .axes = two_axes,
                      .source = "s",
                      .lens_name = "height",
                      .parameters = ""};
}

static inline dgm_view summary_of_two_axes(void) {
    dgm_view view = summary();
    view.dimension = 2;
    view.lens = places;
    return view;
}

/* As many classes as there are marks, one each; class c has c + 1 members. */
enum { MANY = 40 };
static int64_t many_sizes[MANY], many_offsets[MANY + 1], many_counts[MANY];
static int32_t many_values[MANY];
static char many_words[MANY][16];
static char *many_names[MANY];

static inline dgm_view summary_of_classes(int classes) {
    dgm_view view = summary();
    for (int c = 0; c < classes; c++) {
        snprintf(many_words[c], sizeof many_words[c], "c%d", c);
        many_names[c] = many_words[c];
        many_offsets[c + 1] = c + 1;
        many_values[c] = c;
        many_sizes[c] = many_counts[c] = c + 1;
    }
    view.marks = view.own.profile->classes = classes;
    view.size = many_sizes;
    view.own.profile->class_names = many_names;
    view.own.profile->labels = view.own.profile->predictions =
        (dgmi_mapper_counts){many_offsets, many_values, many_counts};
    return view;
}

static dgm_figure_options options;

static dgmi_hold before_painting;

static inline int begin_painting(void **state) {
    (void)state;
    before_painting = dgmi_arena_hold(ctx);
    dgm_figure_options_init(&options);
    return 0;
}

/* What is painted lies in scratch memory, which whoever asked for it releases. */
static inline int end_painting(void **state) {
    (void)state;
    dgmi_arena_release(ctx, before_painting);
    return 0;
}

/* As a figure paints that is asked for this colouring. */
static inline dgmi_draw_paint painted(const dgm_view *view, const char *colour) {
    dgmi_draw_paint paint;
    options.colour = colour;
    if (dgmi_draw_paint_make(ctx, view, colour, &options, NULL, &paint) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return paint;
}

static inline bool same(dgmi_draw_colour a, dgmi_draw_colour b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static inline void assert_same(dgmi_draw_colour a, dgmi_draw_colour b) {
    if (!same(a, b))
        fail_msg("#%02x%02x%02x is not #%02x%02x%02x", (unsigned)a.red, (unsigned)a.green,
                 (unsigned)a.blue, (unsigned)b.red, (unsigned)b.green, (unsigned)b.blue);
}

static char last_note[256];
static int notes;

static inline void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
    notes++;
}

/* A test that begins with the default options. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_painting, end_painting)

#endif
