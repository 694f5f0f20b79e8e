/* SPDX-License-Identifier: Apache-2.0 */
/* Which files appear, and that a failed call leaves none. */
#include <fcntl.h>
#include <sys/stat.h>

#include "../check_memory.h"
#include "folder_sample.h"

static void check_file(const char *path, const char *expected) {
    size_t length;
    char *data = read_whole(path, &length);
    assert_string_equal(data, expected);
    free(data);
    assert_int_equal(unlink(path), 0);
}

static dgm_status write_paths(dgm_context *with, int count, const char *const *paths) {
    const dgm_export_subject subject = sample_subject(&made);
    return dgm_export_write(with, &subject, paths, count);
}

/* The call fails like this, and leaves nothing. */
static void check_failure(dgm_status status, const char *words, int count,
                          const char *const *paths) {
    int before = files_in_folder();
    assert_int_equal(write_paths(ctx, count, paths), status);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("'%s' is not in '%s'", words, dgm_context_error(ctx));
    assert_int_equal(files_in_folder(), before);
}

/* ---- names ---- */

static void formats_are_found_by_extension(void **state) {
    (void)state;
    static const struct {
        const char *path;
        dgm_export_format format;
    } known[] = {{"-", DGM_EXPORT_JSON},          {"a.json", DGM_EXPORT_JSON},
                 {"x/y.z/a.CSV", DGM_EXPORT_CSV}, {"a.b.graphml.gz", DGM_EXPORT_GRAPHML},
                 {"a.gexf.zst", DGM_EXPORT_GEXF}, {"./a.dot.xz", DGM_EXPORT_DOT},
                 {"a.md", DGM_EXPORT_MD}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        dgm_export_format format;
        assert_int_equal(dgm_export_format_find(ctx, known[i].path, &format), DGM_OK);
        assert_int_equal(format, known[i].format);
    }
    assert_string_equal(dgm_export_extensions()[DGM_EXPORT_MD], "md");
    assert_null(dgm_export_extensions()[DGM_EXPORT_MD + 1]);
}

static void tables_beside_a_table_have_names_of_their_own(void **state) {
    (void)state;
    static const struct {
        const char *path;
        int part;
        const char *expected; /* NULL: there is none */
    } known[] = {{"a.csv", 0, "a.csv"},
                 {"a.csv", 1, "a.clusters.csv"},
                 {"x.y/a.b.CSV.gz", 2, "x.y/a.b.edges.CSV.gz"},
                 {"a.csv", 3, NULL},
                 {"a.json", 0, "a.json"},
                 {"a.json", 1, NULL},
                 {"-", 0, "-"},
                 {"a.parquet", 0, NULL}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[40] = "";
        size_t length = dgm_export_part_path(known[i].path, known[i].part, path, sizeof path);
        assert_int_equal(length, known[i].expected ? strlen(known[i].expected) : 0);
        assert_string_equal(path, known[i].expected ? known[i].expected : "");
    }
}

static void unknown_extensions_are_wrong_usage_and_name_the_known(void **state) {
    (void)state;
    static const struct {
        const char *path, *words;
    } wrong[] = {
        {"a.jsn", "a.jsn: summaries are not written as .jsn; did you mean .json? (one of .json "
                  ".svg .pdf .png .csv .graphml .gexf .dot .md)"},
        {"a.parquet", "use one of .json .svg .pdf .png .csv .graphml .gexf .dot .md"},
        {"a", "give it one of .json"},
        {"", "give it one of .json"},
        {"json", "give it one of .json"},
        {"dir.json/file", "give it one of .json"},
        {"a.gz", "give it one of .json"},
        {"a.", "give it one of .json"},
        {"a.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
         "use one of .json"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_failure(DGM_ERROR_USAGE, wrong[i].words, 1, &wrong[i].path);
}

static void one_output_asked_for_twice_is_wrong_usage(void **state) {
    (void)state;
    const char *const pairs[][2] = {{inside("a.json"), inside("a.json")},
                                    {inside("a.json"), inside(".//./a.json")},
                                    {inside("k.csv"), inside("k.clusters.csv")},
                                    {inside("k.edges.csv"), inside("k.csv")},
                                    {"-", "-"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        check_failure(DGM_ERROR_USAGE, "asked for twice", 2, pairs[i]);
}

/* ---- files ---- */

static void every_format_is_written_at_once(void **state) {
    (void)state;
    static const dgm_export_format formats[] = {DGM_EXPORT_JSON, DGM_EXPORT_CSV, DGM_EXPORT_GRAPHML,
                                                DGM_EXPORT_GEXF, DGM_EXPORT_DOT};
    const char *const paths[] = {inside("k.json"), inside("k.csv"), inside("k.graphml"),
                                 inside("k.gexf"), inside("k.dot")};
    assert_int_equal(write_paths(ctx, 5, paths), DGM_OK);
    assert_int_equal(files_in_folder(), 7);
    for (int f = 0; f < 5; f++) {
        char *text = sample_text(ctx, &made, formats[f], 0);
        check_file(paths[f], text);
        dgm_export_text_free(ctx, text);
    }
    for (int part = 1; part < 3; part++) {
        char *text = sample_text(ctx, &made, DGM_EXPORT_CSV, part);
        check_file(inside(part == 1 ? "k.clusters.csv" : "k.edges.csv"), text);
        dgm_export_text_free(ctx, text);
    }
}

static void pictures_stand_beside_the_rest(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.json"), inside("k.svg")};
    dgm_view *view = sample_view(ctx, &made, true);
    const dgm_places places = dgm_view_get_places(view);
    dgm_export_subject subject = sample_subject(&made);
    subject.places = &places;
    dgm_view_free(sample_view(ctx, &made, false)); /* other views do not matter */
    assert_int_equal(dgm_export_write(ctx, &subject, paths, 2), DGM_OK);
    for (int f = 0; f < 2; f++) {
        char *text;
        size_t length;
        assert_int_equal(
            dgm_export_text(ctx, &subject, f ? DGM_EXPORT_SVG : DGM_EXPORT_JSON, 0, &text, &length),
            DGM_OK);
        assert_non_null(strstr(text, f ? "<svg" : "\"layout\": {\"kind\": \"stress\""));
        check_file(paths[f], text);
        dgm_export_text_free(ctx, text);
    }
    dgm_view_free(view);
}

static void a_picture_without_places_is_wrong_usage(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.json"), inside("k.svg")};
    check_failure(DGM_ERROR_USAGE, "lay out the view first", 2, paths);
}

static void a_profile_of_something_else_is_wrong_usage(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.json")};
    sample other = sample_make(ctx, &(sample_parts){.nodes = 1}, NULL);
    dgm_export_subject subject = sample_subject(&made);
    subject.profile = other.profile;
    assert_int_equal(dgm_export_write(ctx, &subject, paths, 1), DGM_ERROR_USAGE);
    assert_string_equal(dgm_context_error(ctx), "the profile is not one of this summary");
    assert_int_equal(files_in_folder(), 0);
    sample_free(&other);
}

/* Without its graph a summary that was mapped has no names, without a profile no classes. */
static void what_is_not_given_is_not_written(void **state) {
    (void)state;
    dgm_export_subject subject = {.summary = made.summary};
    static const struct {
        dgm_export_format format;
        int part;
        const char *words; /* of the error; NULL: it is written */
    } cases[] = {{DGM_EXPORT_JSON, 0, "the names of the members are those of the graph"},
                 {DGM_EXPORT_CSV, 0, "the names of the nodes are those of the graph"},
                 {DGM_EXPORT_CSV, 1, NULL},
                 {DGM_EXPORT_GRAPHML, 0, NULL},
                 {DGM_EXPORT_GEXF, 0, NULL},
                 {DGM_EXPORT_DOT, 0, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        dgm_status status =
            dgm_export_text(ctx, &subject, cases[i].format, cases[i].part, &text, NULL);
        assert_int_equal(status, cases[i].words ? DGM_ERROR_USAGE : DGM_OK);
        if (cases[i].words)
            assert_non_null(strstr(dgm_context_error(ctx), cases[i].words));
        dgm_export_text_free(ctx, text);
    }
    char *bare, *whole = sample_text(ctx, &made, DGM_EXPORT_JSON, 0);
    subject.graph = made.graph;
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &bare, NULL), DGM_OK);
    assert_non_null(strstr(whole, "\"top\""));
    assert_null(strstr(bare, "\"top\""));
    assert_non_null(strstr(bare, "\"members\""));
    dgm_export_text_free(ctx, bare);
    dgm_export_text_free(ctx, whole);
}

static void the_table_of_clusters_keeps_the_compression(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.csv.gz"), inside("k.json.zst")};
    assert_int_equal(write_paths(ctx, 2, paths), DGM_OK);
    assert_int_equal(files_in_folder(), 4);
    size_t length;
    unsigned char *data = (unsigned char *)read_whole(inside("k.clusters.csv.gz"), &length);
    assert_true(length > 18 && data[0] == 0x1F && data[1] == 0x8B);
    free(data);
    assert_int_equal(unlink(inside("k.clusters.csv.gz")), 0);
    assert_int_equal(unlink(inside("k.edges.csv.gz")), 0);
    assert_int_equal(unlink(paths[0]), 0);
    assert_int_equal(unlink(paths[1]), 0);
}

static void a_dash_is_json_on_standard_output(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.dot"), "-"};
    fflush(stdout);
    int old = dup(STDOUT_FILENO);
    int file = open(inside("stdout"), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(file, STDOUT_FILENO);
    dgm_status status = write_paths(ctx, 2, paths);
    dup2(old, STDOUT_FILENO);
    close(old);
    close(file);
    assert_int_equal(status, DGM_OK);
    char *text = sample_text(ctx, &made, DGM_EXPORT_JSON, 0);
    check_file(inside("stdout"), text);
    dgm_export_text_free(ctx, text);
    assert_int_equal(unlink(paths[0]), 0);
}

static void no_outputs_are_no_error(void **state) {
    (void)state;
    assert_int_equal(write_paths(ctx, 0, NULL), DGM_OK);
}

/* Long enough that the text leaves in several pieces. */
static void a_large_summary_is_the_same_in_a_file_and_in_memory(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 5;
    sample large = sample_make(ctx, &(sample_parts){.nodes = 200000}, &options);
    const char *const paths[] = {inside("large.json"), inside("large.csv")};
    const dgm_export_subject subject = sample_subject(&large);
    assert_int_equal(dgm_export_write(ctx, &subject, paths, 2), DGM_OK);
    for (int f = 0; f < 2; f++) {
        size_t length, text_length;
        char *text, *data = read_whole(paths[f], &length);
        assert_int_equal(dgm_export_text(ctx, &subject, f ? DGM_EXPORT_CSV : DGM_EXPORT_JSON, 0,
                                         &text, &text_length),
                         DGM_OK);
        assert_true(length > 3 << 19);
        assert_int_equal(length, text_length);
        assert_memory_equal(data, text, length);
        dgm_export_text_free(ctx, text);
        free(data);
        assert_int_equal(unlink(paths[f]), 0);
    }
    assert_int_equal(unlink(inside("large.clusters.csv")), 0);
    assert_int_equal(unlink(inside("large.edges.csv")), 0);
    sample_free(&large);
}

/* ---- failures ---- */

static void a_missing_folder_leaves_nothing(void **state) {
    (void)state;
    const char *const paths[] = {inside("a.json"), inside("none/b.csv"), inside("c.dot")};
    check_failure(DGM_ERROR_FILE, "none/b.csv", 3, paths);
    const char *const taken[] = {inside("a.json"), inside("d.dot")};
    assert_int_equal(mkdir(taken[1], 0700), 0);
    check_failure(DGM_ERROR_FILE, "d.dot", 2, taken);
    assert_int_equal(rmdir(taken[1]), 0);
}

static void a_full_disk_leaves_nothing(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    static const char *const names[] = {"full.json", "full.json.gz"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(symlink("/dev/full", inside(names[i])), 0);
        const char *const paths[] = {inside("a.json"), inside(names[i]), inside("b.csv")};
        check_failure(DGM_ERROR_FILE, names[i], 3, paths);
        assert_int_equal(unlink(inside(names[i])), 0);
    }
}

static void a_full_standard_output_leaves_nothing(void **state) {
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    if (full < 0)
        skip();
    const char *const paths[] = {inside("a.json"), "-"};
    fflush(stdout);
    int old = dup(STDOUT_FILENO);
    dup2(full, STDOUT_FILENO);
    dgm_status status = write_paths(ctx, 2, paths);
    dup2(old, STDOUT_FILENO);
    close(old);
    close(full);
    assert_int_equal(status, DGM_ERROR_FILE);
    assert_int_equal(files_in_folder(), 0);
}

/* Root writes anywhere, so root becomes someone else for the moment. */
static void a_folder_without_permission_leaves_nothing(void **state) {
    (void)state;
    enum { NOBODY = 65534 };
    uid_t user = geteuid();
    assert_int_equal(mkdir(inside("closed"), 0500), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    const char *const paths[] = {inside("a.json"), inside("closed/b.json")};
    if (user == 0)
        assert_int_equal(seteuid(NOBODY), 0);
    dgm_status status = write_paths(ctx, 2, paths);
    if (user == 0)
        assert_int_equal(seteuid(user), 0);
    assert_int_equal(status, DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "closed/b.json"));
    assert_int_equal(rmdir(inside("closed")), 0);
    assert_int_equal(files_in_folder(), 0);
}

static void an_older_file_survives_a_failure(void **state) {
    (void)state;
    const char *const paths[] = {inside("a.json"), inside("none/b.json")};
    FILE *file = fopen(paths[0], "w");
    assert_non_null(file);
    fputs("older", file);
    fclose(file);
    check_failure(DGM_ERROR_FILE, "none/b.json", 2, paths);
    check_file(paths[0], "older");
}

static void another_graph_or_part_is_wrong_usage(void **state) {
    (void)state;
    sample other = sample_make(ctx, &(sample_parts){.nodes = 5}, NULL);
    char *text = folder;
    size_t length = 1;
    dgm_export_subject subject = sample_subject(&made);
    subject.graph = other.graph;
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &text, &length),
                     DGM_ERROR_USAGE);
    subject.graph = made.graph;
    assert_null(text);
    assert_int_equal(length, 0);
    const int wrong[][2] = {
        {DGM_EXPORT_JSON, 1}, {DGM_EXPORT_CSV, 3}, {DGM_EXPORT_CSV, -1}, {DGM_EXPORT_MD + 1, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(dgm_export_text(ctx, &subject, (dgm_export_format)wrong[i][0], wrong[i][1],
                                         &text, &length),
                         DGM_ERROR_USAGE);
    sample_free(&other);
}

/* Paths that lead to one file in other words. */
static void the_same_file_in_other_words_is_asked_for_twice(void **state) {
    (void)state;
    static const char *const same[][2] = {{"a.json", "./a.json"},
                                          {"./a.json", "././a.json"},
                                          {"b/a.json", "b//a.json"},
                                          {"b/a.json", "b/./a.json"},
                                          {"/b/a.json", "//b/a.json"}};
    static const char *const other[][2] = {{"/a.json", "a.json"}, {".a.json", "a.json"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        check_failure(DGM_ERROR_USAGE, "asked for twice", 2, same[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        /* the third is a file that cannot be: nothing is written */
        const char *const paths[] = {other[i][0], other[i][1], "/nowhere/at/all.json"};
        int before = files_in_folder();
        assert_int_not_equal(write_paths(ctx, 3, paths), DGM_OK);
        assert_null(strstr(dgm_context_error(ctx), "asked for twice"));
        assert_int_equal(files_in_folder(), before);
    }
}

/* Who wants no length need not ask for one. */
static void a_text_comes_without_its_length(void **state) {
    (void)state;
    char *text;
    const dgm_export_subject subject = sample_subject(&made);
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_CSV, 0, &text, NULL), DGM_OK);
    assert_true(strlen(text) > 0);
    dgm_export_text_free(ctx, text);
}

static void a_wish_to_stop_leaves_nothing(void **state) {
    (void)state;
    const char *const paths[] = {inside("a.json"), inside("b.csv")};
    dgm_context_cancel(ctx);
    check_failure(DGM_ERROR_CANCELLED, "interrupted", 2, paths);
    dgm_context_resume(ctx);
}

/* ---- memory ---- */

static void every_failing_allocation_is_an_error_that_leaves_nothing(void **state) {
    (void)state;
    const char *const paths[] = {inside("k.json"), inside("k.csv"), inside("k.graphml.gz"),
                                 inside("k.gexf"), inside("k.dot")};
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t failing = 0;
    while (status != DGM_OK) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *poor;
        assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
        memory.fail_at = memory.calls + ++failing;
        status = write_paths(poor, 5, paths);
        if (status != DGM_OK) {
            assert_int_equal(status, DGM_ERROR_MEMORY);
            assert_int_equal(files_in_folder(), 0);
        }
        dgm_context_free(poor);
        assert_int_equal(memory.blocks, 0);
    }
    assert_true(failing > 10);
    for (int i = 0; i < 5; i++)
        assert_int_equal(unlink(paths[i]), 0);
    assert_int_equal(unlink(inside("k.clusters.csv")), 0);
    assert_int_equal(unlink(inside("k.edges.csv")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_found_by_extension),
        cmocka_unit_test(tables_beside_a_table_have_names_of_their_own),
        cmocka_unit_test(unknown_extensions_are_wrong_usage_and_name_the_known),
        cmocka_unit_test(one_output_asked_for_twice_is_wrong_usage),
        cmocka_unit_test(every_format_is_written_at_once),
        cmocka_unit_test(pictures_stand_beside_the_rest),
        cmocka_unit_test(a_picture_without_places_is_wrong_usage),
        cmocka_unit_test(a_profile_of_something_else_is_wrong_usage),
        cmocka_unit_test(the_table_of_clusters_keeps_the_compression),
        cmocka_unit_test(a_dash_is_json_on_standard_output),
        cmocka_unit_test(no_outputs_are_no_error),
        cmocka_unit_test(a_large_summary_is_the_same_in_a_file_and_in_memory),
        cmocka_unit_test(a_missing_folder_leaves_nothing),
        cmocka_unit_test(a_full_disk_leaves_nothing),
        cmocka_unit_test(a_full_standard_output_leaves_nothing),
        cmocka_unit_test(a_folder_without_permission_leaves_nothing),
        cmocka_unit_test(an_older_file_survives_a_failure),
        cmocka_unit_test(another_graph_or_part_is_wrong_usage),
        cmocka_unit_test(the_same_file_in_other_words_is_asked_for_twice),
        cmocka_unit_test(what_is_not_given_is_not_written),
        cmocka_unit_test(a_text_comes_without_its_length),
        cmocka_unit_test(a_wish_to_stop_leaves_nothing),
        cmocka_unit_test(every_failing_allocation_is_an_error_that_leaves_nothing),
    };
    return RUN_GROUP(tests, make_all, free_all);
}
