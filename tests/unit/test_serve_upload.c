/* SPDX-License-Identifier: Apache-2.0 */
/* A file on its way: its name, where it lies, and that nothing of it stays. */
#include "unit_fixture.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve_visitor.h"

/* The name that a file has on disk. */
static const char *name_of(const char *name) {
    static char kept[256];
    struct dgmi_serve_upload *upload = dgmi_serve_upload_begin(server, name);
    assert_non_null(upload);
    assert_true(dgmi_serve_upload_take(upload, "a b\n", 4));
    const char *path = dgmi_serve_upload_end(upload);
    assert_non_null(path);
    assert_int_equal(access(path, R_OK), 0);
    snprintf(kept, sizeof kept, "%s", strrchr(path, '/') + 1);
    dgmi_serve_upload_free(upload);
    return kept;
}

static void names_keep_their_end_and_nothing_that_means_something(void **state) {
    (void)state;
    char name[110], kept[101];
    start(roomy);
    assert_string_equal(name_of("ring.txt"), "ring.txt");
    assert_string_equal(name_of("a/b/ring.txt"), "ring.txt");
    assert_string_equal(name_of("A-z_0.9"), "A-z_0.9");
    assert_string_equal(name_of("x y\"$.gml"), "x_y__.gml");
    assert_string_equal(name_of("\xc3\xa4.txt"), "__.txt");
    assert_string_equal(name_of(".txt"), "_txt");
    assert_string_equal(name_of("-x"), "_x");
    assert_string_equal(name_of("x-"), "x-");
    assert_string_equal(name_of(".."), "_.");
    assert_string_equal(name_of(""), "graph.txt");
    assert_string_equal(name_of("folder/"), "graph.txt");
    assert_string_equal(name_of(NULL), "graph.txt");
    for (size_t length = 99; length < 103; length++) {
        memset(name, 'a', sizeof name);
        name[0] = 'b';
        memcpy(name + length - 4, ".txt", 5);
        snprintf(kept, sizeof kept, "%s", name + (length > 100 ? length - 100 : 0));
        assert_string_equal(name_of(name), kept);
    }
}

static void one_file_comes_at_a_time_and_none_stays(void **state) {
    (void)state;
    char path[1024], folder[1024], read[16] = "";
    start(roomy);
    struct dgmi_serve_upload *upload = dgmi_serve_upload_begin(server, "x.txt");
    assert_non_null(upload);
    assert_null(dgmi_serve_upload_begin(server, "y.txt"));
    assert_null(dgmi_serve_upload_begin(server, "y.txt"));
    assert_true(dgmi_serve_upload_take(upload, "a b\n", 4));
    assert_true(dgmi_serve_upload_take(upload, "b c\n", 4));
    snprintf(path, sizeof path, "%s", dgmi_serve_upload_end(upload));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read, file), 8);
    fclose(file);
    assert_memory_equal(read, "a b\nb c\n", 8);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    assert_int_equal(access(folder, F_OK), 0);
    dgmi_serve_upload_free(upload);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(folder, F_OK), 0);
    upload = dgmi_serve_upload_begin(server, "x.txt"); /* the next one; this has no bytes */
    assert_non_null(upload);
    assert_null(dgmi_serve_upload_end(upload));
    dgmi_serve_upload_free(upload);
    upload = dgmi_serve_upload_begin(server, "x.txt"); /* and this one never ends */
    assert_non_null(upload);
    dgmi_serve_upload_free(upload);
    dgmi_serve_upload_free(NULL);
    assert_string_equal(name_of("z"), "z");
}

static void a_file_has_its_limit(void **state) {
    (void)state;
    dgmi_serve_limits narrow = roomy;
    narrow.file = 6;
    start(narrow);
    struct dgmi_serve_upload *upload = dgmi_serve_upload_begin(server, "x.txt");
    assert_true(dgmi_serve_upload_take(upload, "abc", 3));
    assert_true(dgmi_serve_upload_take(upload, "def", 3));
    assert_false(dgmi_serve_upload_take(upload, "g", 1));
    dgmi_serve_upload_free(upload);
}

/* Makes a folder whose path has so many bytes, in steps that a file system takes. */
static void make_long(char *path, size_t length) {
    while (strlen(path) < length) {
        size_t used = strlen(path), more = length - used - 1;
        more = more > 200 ? 150 : more;
        path[used] = '/';
        memset(path + used + 1, 'd', more);
        path[used + 1 + more] = '\0';
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_int_equal(strlen(path), length);
}

/* Folders up to 480 bytes are taken; others, and none, are not. */
static void files_lie_where_temporary_files_do(void **state) {
    (void)state;
    static const struct {
        size_t length;
        bool taken;
    } cases[] = {{100, true}, {480, true}, {481, false}, {540, false}};
    const char *usual = getenv("TMPDIR");
    char *before = usual ? strdup(usual) : NULL;
    start(roomy);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        char place[1024] = "/tmp/dgm-upload-XXXXXX", top[sizeof place];
        assert_non_null(mkdtemp(place));
        snprintf(top, sizeof top, "%s", place);
        make_long(place, cases[i].length);
        assert_int_equal(setenv("TMPDIR", place, 1), 0);
        struct dgmi_serve_upload *upload = dgmi_serve_upload_begin(server, "x.txt");
        assert_non_null(upload);
        assert_true(dgmi_serve_upload_take(upload, "a b\n", 4));
        const char *path = dgmi_serve_upload_end(upload);
        const char *folder = cases[i].taken ? place : "/tmp";
        assert_non_null(path);
        assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
        assert_int_equal(strncmp(path + strlen(folder), "/dgm-open-", 10), 0);
        assert_string_equal(strrchr(path, '/'), "/x.txt");
        dgmi_serve_upload_free(upload);
        while (strcmp(place, top) != 0) {
            assert_int_equal(rmdir(place), 0);
            *strrchr(place, '/') = '\0';
        }
        rmdir(top);
    }
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_null(dgmi_serve_upload_begin(server, "x.txt"));
    setenv("TMPDIR", "", 1);
    assert_string_equal(name_of("x"), "x"); /* nobody's turn was lost */
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, open_graph, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_GRAPH(names_keep_their_end_and_nothing_that_means_something),
        WITH_GRAPH(one_file_comes_at_a_time_and_none_stays),
        WITH_GRAPH(a_file_has_its_limit),
        WITH_GRAPH(files_lie_where_temporary_files_do),
    };
    return RUN_WITH_CONTEXT(tests);
}
