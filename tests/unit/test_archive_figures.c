/* SPDX-License-Identifier: Apache-2.0 */
/* Figures that are written to files, by themselves and beside a summary. */
#include "folder_sample.h"
#include "unit_faults.h"

static dgm_figure *make_barcode(void) {
    static const char *const steps[] = {"first step", "b"};
    static const dgm_figure_bar bar = {0, 0, -1};
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_barcode(figure, NULL, 2, steps, 1, &bar), DGM_OK);
    return figure;
}

/* Figures are no tables, and JSON only where the caller has some. */
static void figures_are_written_as_pictures_alone(void **state) {
    (void)state;
    static const struct {
        const char *name, *json, *words; /* words NULL: fine */
    } cases[] = {
        {"f.svg", NULL, NULL},
        {"f.svg", "{}", NULL},
        {"f.json", "{}", NULL},
        {"f.json", "", NULL},
        {"f.json", NULL, "figures are not written as .json; use one of .svg .pdf .png"},
        {"f.csv", NULL, "figures are not written as .csv; use one of .svg .pdf .png"},
        {"f.csv", "{}", "figures are not written as .csv; use one of .svg .pdf .png .json"},
        {"f.dot", "{}", "figures are not written as .dot; use one of .svg .pdf .png .json"},
        {"f.xyz", NULL, ".xyz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_figure *figure = make_barcode();
        const char *path = inside(cases[i].name);
        size_t length;
        assert_int_equal(dgm_figure_write(ctx, figure, cases[i].json,
                                          cases[i].json ? strlen(cases[i].json) : 0, &path, 1),
                         cases[i].words ? DGM_ERROR_USAGE : DGM_OK);
        dgm_figure_free(figure);
        if (cases[i].words) {
            if (!strstr(dgm_context_error(ctx), cases[i].words))
                fail_msg("'%s' is not in '%s'", cases[i].words, dgm_context_error(ctx));
            assert_int_equal(files_in_folder(), 0);
            continue;
        }
        char *text = read_whole(path, &length);
        if (strcmp(cases[i].name, "f.json") == 0)
            assert_string_equal(text, cases[i].json);
        else
            assert_non_null(strstr(text, "<svg"));
        free(text);
        assert_int_equal(unlink(path), 0);
    }
}

/* Pictures are the figure that was given, and the report is that of the summary; all or none. */
static void a_figure_is_written_with_the_summary_that_it_shows(void **state) {
    (void)state;
    const char *const paths[] = {inside("f.svg"), inside("f.md")};
    const char *const wrong[] = {inside("f.svg"), inside("none/f.md")};
    const dgm_export_subject subject = sample_subject(&made);
    dgm_figure *figure = make_barcode();
    size_t length;
    assert_int_equal(dgm_figure_write_with(ctx, figure, &subject, wrong, 2), DGM_ERROR_FILE);
    assert_int_equal(files_in_folder(), 0);
    assert_int_equal(dgm_figure_write_with(ctx, figure, &subject, paths, 2), DGM_OK);
    dgm_figure_free(figure);
    char *picture = read_whole(paths[0], &length), *report = read_whole(paths[1], &length);
    assert_non_null(strstr(picture, "first step"));
    assert_non_null(strstr(report, "## Clusters"));
    free(picture);
    free(report);
    assert_int_equal(unlink(paths[0]), 0);
    assert_int_equal(unlink(paths[1]), 0);
}

static dgm_status write_figure(dgm_context *own, void *figure) {
    const char *const paths[] = {inside("m.svg"), inside("m.json")};
    dgm_status status = dgm_figure_write(own, figure, "{}", 2, paths, 2);
    assert_int_equal(files_in_folder(), status == DGM_OK ? 2 : 0);
    for (int i = 0; i < 2 && status == DGM_OK; i++)
        assert_int_equal(unlink(paths[i]), 0);
    return status;
}

static void memory_that_ends_leaves_no_file(void **state) {
    (void)state;
    dgm_figure *figure = make_barcode();
    fail_each_allocation(write_figure, figure);
    dgm_figure_free(figure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_written_as_pictures_alone),
        cmocka_unit_test(a_figure_is_written_with_the_summary_that_it_shows),
        cmocka_unit_test(memory_that_ends_leaves_no_file),
    };
    return RUN_GROUP(tests, make_all, free_all);
}
