/* SPDX-License-Identifier: Apache-2.0 */
/* Stages that run when they are asked for: the same bytes as from the start, and nothing twice. */
#include "unit_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "unit_faults.h"
#include "workspace_ring.h"

static char *text_of(dgm_workspace *of, dgm_export_format format) {
    char *text;
    if (dgm_workspace_text(ctx, of, format, 0, &text, NULL) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return text;
}

/* The option set at once in a workspace of its own gives the same text. */
static void assert_as_from_the_start(const dgm_matrix *lens, const char *const (*options)[2],
                                     dgm_export_format format) {
    dgm_workspace *fresh;
    assert_int_equal(dgm_workspace_create(ctx, graph, &fresh), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, fresh, lens), DGM_OK);
    for (; (*options)[0]; options++)
        assert_int_equal(dgm_workspace_set(ctx, fresh, (*options)[0], (*options)[1]), DGM_OK);
    char *expected = text_of(fresh, format), *text = text_of(workspace, format);
    assert_string_equal(text, expected);
    dgm_export_text_free(ctx, expected);
    dgm_export_text_free(ctx, text);
    dgm_workspace_free(fresh);
}

static void options_one_after_the_other_give_the_bytes_of_all_at_once(void **state) {
    (void)state;
    static const char *const options[][2] = {{"intervals", "6"},
                                             {"overlap", "0.3"},
                                             {"edges", "structural"},
                                             {"eps", "0.1"},
                                             {"min-size", "2"},
                                             {"colour", "labels"},
                                             {"layout", "circular"},
                                             {"seed", "7"},
                                             {"cover", "quantile"},
                                             {"theme", "dark"},
                                             {"cluster", "none"},
                                             {"width", "89mm"},
                                             {"min-component", "4"},
                                             {"transform", "rank"},
                                             {"attach", NULL},
                                             {"dust-size", "3"},
                                             {"dust", "drop"},
                                             {"dust", "show"},
                                             {NULL, NULL}};
    static const char *so_far[sizeof options / sizeof *options][2];
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    for (int i = 0; options[i][0]; i++) {
        assert_int_equal(dgm_workspace_set(ctx, workspace, options[i][0], options[i][1]), DGM_OK);
        so_far[i][0] = options[i][0];
        so_far[i][1] = options[i][1];
        assert_as_from_the_start(axes, (const char *const(*)[2])so_far,
                                 i % 2 ? DGM_EXPORT_SVG : DGM_EXPORT_JSON);
    }
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, others), DGM_OK);
    assert_as_from_the_start(others, options, DGM_EXPORT_JSON);
}

/* One seed for all that is drawn at random, and files say it. */
static void a_seed_is_that_of_mapper_layout_and_file(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "seed", "77"), DGM_OK);
    const dgm_view *view;
    assert_int_equal(dgm_workspace_view(ctx, workspace, &view), DGM_OK);
    assert_int_equal(dgm_view_get_places(view).seed, 77);
    char *text = text_of(workspace, DGM_EXPORT_JSON);
    assert_non_null(strstr(strstr(text, "\"provenance\""), "\"seed\": 77"));
    assert_null(strstr(text, "\"seed\": 1,"));
    dgm_export_text_free(ctx, text);
}

static char *text_of_ranks(void) {
    dgm_workspace *fresh;
    dgm_matrix *ranks;
    const int kind = DGM_TRANSFORM_RANK;
    const dgm_matrix *const parts[] = {axes};
    assert_int_equal(dgm_matrix_join(ctx, parts, 1, &ranks), DGM_OK);
    assert_int_equal(dgm_transform_axes(ctx, graph, ranks, &kind, 1), DGM_OK);
    assert_int_equal(dgm_workspace_create(ctx, graph, &fresh), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, fresh, ranks), DGM_OK);
    char *text = text_of(fresh, DGM_EXPORT_JSON);
    dgm_workspace_free(fresh);
    dgm_matrix_free(ranks);
    return text;
}

static void transformed_axes_are_mapped_and_those_that_were_set_stay(void **state) {
    (void)state;
    static const int ranks[] = {DGM_TRANSFORM_RANK};
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    char *plain = text_of(workspace, DGM_EXPORT_JSON), *expected = text_of_ranks();
    assert_int_equal(dgm_workspace_set_transforms(ctx, workspace, ranks, 1), DGM_OK);
    char *text = text_of(workspace, DGM_EXPORT_JSON);
    assert_string_equal(text, expected);
    assert_string_not_equal(text, plain);
    assert_true(dgm_matrix_values(axes)[29] == 29);
    assert_string_equal(dgm_matrix_column_transform(axes, 0), "none");
    dgm_export_text_free(ctx, text);
    assert_int_equal(dgm_workspace_set_transforms(ctx, workspace, NULL, 0), DGM_OK);
    text = text_of(workspace, DGM_EXPORT_JSON);
    assert_string_equal(text, plain);
    dgm_export_text_free(ctx, text);
    dgm_export_text_free(ctx, plain);
    dgm_export_text_free(ctx, expected);
}

static void a_transform_that_the_axes_do_not_take_fails_until_another_is_set(void **state) {
    (void)state;
    const dgm_summary *summary;
    dgm_matrix_values_mutable(axes)[3] = -1;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "transform", "log"), DGM_OK);
    for (int i = 0; i < 2; i++) {
        ASSERT_FAILS(
            dgm_workspace_summary(ctx, workspace, &summary), DGM_ERROR_DATA,
            "the transform log needs values of at least 0, and the lens 'axis1' is -1 at node "
            "'3'; the transform rank takes any");
        assert_null(summary);
    }
    assert_int_equal(dgm_workspace_set(ctx, workspace, "transform", "log,rank"), DGM_OK);
    ASSERT_FAILS(dgm_workspace_summary(ctx, workspace, &summary), DGM_ERROR_USAGE,
                 "2 transforms were given, and the lens has 1 axis");
    assert_int_equal(dgm_workspace_set(ctx, workspace, "transform", "none"), DGM_OK);
    assert_int_equal(dgm_workspace_summary(ctx, workspace, &summary), DGM_OK);
    assert_non_null(summary);
}

/* ---- what stays ---- */

static char stages[256]; /* that were reported, each once */

static bool hear(void *user, const char *stage, double fraction) {
    (void)user;
    (void)fraction;
    if (!strstr(stages, stage)) {
        strncat(stages, stage, sizeof stages - strlen(stages) - 2);
        strcat(stages, ";");
    }
    return true;
}

static void set_and_hear(const char *name, const char *value) {
    assert_int_equal(dgm_workspace_set(ctx, workspace, name, value), DGM_OK);
    stages[0] = '\0';
    dgm_context_set_progress(ctx, hear, NULL);
    ask();
    dgm_context_set_progress(ctx, NULL, NULL);
}

static void a_stage_stays_until_something_before_it_changes(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    products first = ask(), again = ask();
    assert_memory_equal(&first, &again, sizeof first);
    set_and_hear("colour", "labels");
    again = ask();
    assert_memory_equal(&first, &again, sizeof first);
    assert_string_equal(stages, "");
    set_and_hear("layout", "grid");
    again = ask();
    assert_ptr_equal(again.summary, first.summary);
    assert_ptr_equal(again.profile, first.profile);
    assert_null(strstr(stages, "clusters"));
    set_and_hear("eps", "0.2");
    assert_null(strstr(stages, "assigning cells"));
    assert_null(strstr(stages, "finding clusters"));
    assert_non_null(strstr(stages, "writing the summary"));
    set_and_hear("min-size", "2");
    assert_null(strstr(stages, "finding clusters"));
    assert_non_null(strstr(stages, "joining clusters"));
    set_and_hear("intervals", "4");
    assert_non_null(strstr(stages, "assigning cells"));
}

/* The ring falls into two clusters of a few nodes in each cell, and one at either end. */
static void dust_is_folded_in_the_view_and_counted_in_the_ledger(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "cover", "intervals:0..20,19..22,21..30.5"),
                     DGM_OK);
    products first = ask();
    dgm_summary_coverage coverage = dgm_summary_get_coverage(first.summary);
    assert_int_equal(coverage.dust_clusters, 0); /* small clusters are bridges here */
    assert_int_equal(dgm_workspace_set(ctx, workspace, "cover", "intervals:0..20,19..20.5"),
                     DGM_OK);
    coverage = dgm_summary_get_coverage(ask().summary);
    assert_true(coverage.dust_size == 5 && coverage.dust_clusters == 2);
    assert_int_equal(coverage.dust_nodes, 2); /* two lie in the large cluster, too */
    assert_int_equal(dgm_view_get_dust(ask().view).marks, 1);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "dust", "show"), DGM_OK);
    assert_int_equal(dgm_view_get_dust(ask().view).size, 0);
    assert_int_equal(dgm_summary_get_coverage(ask().summary).dust_clusters, 2);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "dust-size", "2"), DGM_OK);
    assert_int_equal(dgm_summary_get_coverage(ask().summary).dust_clusters, 0);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "dust", "fold"), DGM_OK);
    assert_int_equal(dgm_view_get_dust(ask().view).size, 0);
}

static void predictions_change_the_profile_and_not_the_summary(void **state) {
    (void)state;
    int32_t classes[60] = {0};
    dgm_predictions *predictions;
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, classes, NULL, &predictions), DGM_OK);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    products first = ask();
    assert_false(dgm_profile_get_mistakes(first.profile).known);
    assert_int_equal(dgm_workspace_set_predictions(ctx, workspace, predictions), DGM_OK);
    products again = ask();
    assert_ptr_equal(again.summary, first.summary);
    assert_int_equal(dgm_judged_sum(dgm_profile_get_mistakes(again.profile).covered).mistakes, 40);
    assert_int_equal(dgm_workspace_set_predictions(ctx, workspace, NULL), DGM_OK);
    assert_false(dgm_profile_get_mistakes(ask().profile).known);
    dgm_predictions_free(predictions);
}

static void without_its_axes_a_summary_stays_and_no_other_is_made(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    products first = ask();
    dgm_workspace_forget_axes(workspace);
    products again = ask();
    assert_memory_equal(&first, &again, sizeof first);
    const dgm_summary *summary;
    assert_int_equal(dgm_workspace_set(ctx, workspace, "intervals", "3"), DGM_OK);
    ASSERT_FAILS(dgm_workspace_summary(ctx, workspace, &summary), DGM_ERROR_USAGE,
                 "the workspace has neither axes nor a summary");
    assert_null(summary);
}

static void what_is_taken_outlives_the_workspace(void **state) {
    (void)state;
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_view *view;
    dgm_workspace_take(workspace, &summary, &profile, &view);
    assert_true(!summary && !profile && !view);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    products made = ask();
    dgm_workspace_take(workspace, &summary, &profile, &view);
    assert_ptr_equal(summary, made.summary);
    assert_ptr_equal(profile, made.profile);
    assert_ptr_equal(view, made.view);
    assert_int_equal(dgm_workspace_summary(ctx, workspace, &made.summary), DGM_OK);
    assert_ptr_not_equal(summary, made.summary);
    dgm_workspace_free(workspace);
    workspace = NULL;
    assert_int_equal(dgm_view_marks(view), dgm_summary_get_clusters(summary).count);
    dgm_view_free(view);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
}

/* ---- options ---- */

static void bad_options_are_refused_and_change_nothing(void **state) {
    (void)state;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    products first = ask();
    ASSERT_FAILS(dgm_workspace_set(ctx, workspace, "cover", NULL), DGM_ERROR_USAGE,
                 "cover needs a value");
    ASSERT_FAILS(dgm_workspace_set(ctx, workspace, "transform", "zcore"), DGM_ERROR_USAGE,
                 "transform does not know 'zcore'; did you mean 'zscore'? (one of none, log, rank, "
                 "zscore)");
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, &(int){9}, 1), DGM_ERROR_USAGE,
                 "9 is no transform");
    ASSERT_FAILS(dgm_workspace_set_transforms(ctx, workspace, NULL, 17), DGM_ERROR_USAGE,
                 "at most 16 axes can be transformed");
    ASSERT_FAILS(dgm_workspace_set(ctx, workspace, "colours", "labels"), DGM_ERROR_USAGE,
                 "a workspace has no option 'colours'; did you mean 'colour'?");
    assert_int_equal(dgm_workspace_set(ctx, workspace, "intervals", "0"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "overlap", "1.5"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "cover", "circles"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "layout", "heap"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "width", "wide"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "seed", "-1"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_workspace_set_mapper(ctx, workspace, &(dgm_mapper_options){0}),
                     DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_mapper_options was not initialised");
    assert_int_equal(dgm_workspace_set_layout(ctx, workspace, &(dgm_layout_options){0}),
                     DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_layout_options was not initialised");
    assert_int_equal(dgm_workspace_set_figure(ctx, workspace, &(dgm_figure_options){0}),
                     DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_figure_options was not initialised");
    ASSERT_FAILS(dgm_workspace_set(ctx, workspace, "qqqqqqqqqqqq", "1"), DGM_ERROR_USAGE,
                 "a workspace has no option 'qqqqqqqqqqqq'");
    products again = ask();
    assert_memory_equal(&first, &again, sizeof first);
}

static void every_option_is_listed_once(void **state) {
    (void)state;
    static const char *const names[] = {"transform", "cover",  "intervals", "min-component",
                                        "colour",    "layout", "seed"};
    const dgm_option_table *table;
    for (int64_t i = 0; i < COUNT(names); i++) {
        int found = 0;
        for (size_t k = 0; (table = dgm_workspace_options_at(k)); k++) {
            const dgm_option *option = dgm_option_find(table, names[i]);
            found += option && option->help;
        }
        assert_int_equal(found, 1);
    }
}

static void given_intervals_and_texts_are_copied(void **state) {
    (void)state;
    char cover[] = "intervals:-inf..12,10..inf", colour[] = "labels";
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "cover", cover), DGM_OK);
    assert_int_equal(dgm_workspace_set(ctx, workspace, "colour", colour), DGM_OK);
    memset(cover, 'x', sizeof cover - 1);
    memset(colour, 'x', sizeof colour - 1);
    assert_int_equal(dgm_summary_options(ask().summary)->given_count, 2);
    char *svg = text_of(workspace, DGM_EXPORT_SVG);
    assert_non_null(strstr(svg, "labels"));
    dgm_export_text_free(ctx, svg);
}

/* A profile that came with a summary is shown as it is. */
static void a_profile_that_is_given_is_not_made(void **state) {
    (void)state;
    dgm_summary *summary;
    dgm_profile *profile;
    const dgm_profile *shown;
    assert_int_equal(dgm_mapper_run(ctx, graph, axes, NULL, &summary), DGM_OK);
    assert_int_equal(dgm_profile_create(ctx, summary, graph, NULL, &profile), DGM_OK);
    assert_int_equal(dgm_workspace_set_summary(ctx, workspace, summary, profile, NULL), DGM_OK);
    assert_int_equal(dgm_workspace_profile(ctx, workspace, &shown), DGM_OK);
    assert_ptr_equal(shown, profile);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
}

static void provenance_goes_into_the_files(void **state) {
    (void)state;
    char lens[] = "height", command[] = "dgm map ring --lens-file height.npy";
    const dgm_provenance provenance = {.lens = lens, .command = command, .seed = 5};
    assert_int_equal(dgm_workspace_set_provenance(ctx, workspace, &provenance), DGM_OK);
    memset(lens, 'x', sizeof lens - 1);
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_string_equal(dgm_summary_get_provenance(ask().summary).lens, "height");
    const dgm_provenance other = {.lens = "depth", .seed = 6};
    assert_int_equal(dgm_workspace_set_provenance(ctx, workspace, &other), DGM_OK);
    assert_string_equal(dgm_summary_get_provenance(ask().summary).lens, "depth");
    assert_int_equal(dgm_summary_get_provenance(ask().summary).seed, 6);
}

/* ---- memory ---- */

typedef struct {
    const char *cover;
    dgm_export_format format;
    const char *expected; /* its text where nothing fails */
} session;

/* Everything that a caller sets, then a text. */
static dgm_status work_through(dgm_context *own, dgm_workspace *of, const session *wanted,
                               char **text) {
    const char *const options[][2] = {{"cover", wanted->cover}, {"seed", "3"},
                                      {"edges", "structural"},  {"layout", "circular"},
                                      {"colour", "labels"},     {"width", "89mm"}};
    const dgm_provenance provenance = {.lens = "height", .command = "a test", .seed = 3};
    *text = NULL;
    dgm_status status = dgm_workspace_set_axes(own, of, axes);
    for (int64_t i = 0; status == DGM_OK && i < COUNT(options); i++)
        status = dgm_workspace_set(own, of, options[i][0], options[i][1]);
    if (status == DGM_OK)
        status = dgm_workspace_set_provenance(own, of, &provenance);
    return status == DGM_OK ? dgm_workspace_text(own, of, wanted->format, 0, text, NULL) : status;
}

/* Where it fails it is tried once more on the same workspace, now that there is memory. */
static dgm_status try_twice(dgm_context *own, void *argument) {
    const session *wanted = argument;
    dgm_workspace *of;
    char *text;
    dgm_status status = dgm_workspace_create(own, graph, &of);
    if (status != DGM_OK)
        return status;
    status = work_through(own, of, wanted, &text);
    assert_int_equal(status == DGM_OK, text != NULL);
    if (status == DGM_ERROR_MEMORY)
        assert_int_equal(work_through(own, of, wanted, &text), DGM_OK);
    if (text)
        assert_string_equal(text, wanted->expected);
    dgm_export_text_free(own, text);
    dgm_workspace_free(of);
    return status;
}

static void after_an_allocation_that_failed_a_workspace_goes_on(void **state) {
    (void)state;
    session sessions[] = {{"uniform", DGM_EXPORT_JSON, NULL},
                          {"intervals:-inf..12,10..inf", DGM_EXPORT_SVG, NULL},
                          {"quantile", DGM_EXPORT_CSV, NULL}};
    for (int64_t i = 0; i < COUNT(sessions); i++) {
        char *text;
        assert_int_equal(work_through(ctx, workspace, &sessions[i], &text), DGM_OK);
        sessions[i].expected = text;
        fail_each_allocation(try_twice, &sessions[i]);
        dgm_export_text_free(ctx, text);
    }
}

/* The summary of a view that failed is there or can be made. */
static dgm_status ask_for_each(dgm_context *own, void *argument) {
    (void)argument;
    dgm_workspace *of;
    const dgm_profile *profile;
    const dgm_view *view;
    dgm_status status = dgm_workspace_create(own, graph, &of);
    if (status != DGM_OK)
        return status;
    assert_int_equal(dgm_workspace_set_axes(own, of, axes), DGM_OK);
    status = dgm_workspace_view(own, of, &view);
    assert_int_equal(status == DGM_OK, view != NULL);
    if (status != DGM_OK)
        assert_int_equal(dgm_workspace_profile(own, of, &profile), DGM_OK);
    dgm_workspace_free(of);
    return status;
}

static void a_view_that_was_not_made_is_none(void **state) {
    (void)state;
    fail_each_allocation(ask_for_each, NULL);
}

static void a_picture_tells_of_a_change_of_its_origin(void **state) {
    (void)state;
    const dgm_provenance first = {.lens = "first", .command = "one", .seed = 1};
    const dgm_provenance second = {.lens = "second", .command = "two", .seed = 2};
    const dgm_view *view;
    assert_int_equal(dgm_workspace_set_axes(ctx, workspace, axes), DGM_OK);
    assert_int_equal(dgm_workspace_set_provenance(ctx, workspace, &first), DGM_OK);
    assert_int_equal(dgm_workspace_view(ctx, workspace, &view), DGM_OK);
    assert_int_equal(dgm_workspace_set_provenance(ctx, workspace, &second), DGM_OK);
    char *text = text_of(workspace, DGM_EXPORT_SVG);
    ASSERT_HAS(text, "second");
    ASSERT_HAS(text, "seed 2");
    assert_null(strstr(text, "first"));
    dgm_export_text_free(ctx, text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_seed_is_that_of_mapper_layout_and_file),
        CASE(options_one_after_the_other_give_the_bytes_of_all_at_once),
        CASE(transformed_axes_are_mapped_and_those_that_were_set_stay),
        CASE(a_transform_that_the_axes_do_not_take_fails_until_another_is_set),
        CASE(a_stage_stays_until_something_before_it_changes),
        CASE(dust_is_folded_in_the_view_and_counted_in_the_ledger),
        CASE(predictions_change_the_profile_and_not_the_summary),
        CASE(without_its_axes_a_summary_stays_and_no_other_is_made),
        CASE(what_is_taken_outlives_the_workspace),
        CASE(bad_options_are_refused_and_change_nothing),
        CASE(every_option_is_listed_once),
        CASE(a_picture_tells_of_a_change_of_its_origin),
        CASE(given_intervals_and_texts_are_copied),
        CASE(a_profile_that_is_given_is_not_made),
        CASE(provenance_goes_into_the_files),
        CASE(after_an_allocation_that_failed_a_workspace_goes_on),
        CASE(a_view_that_was_not_made_is_none),
    };
    return RUN_WITH_CONTEXT(tests);
}
