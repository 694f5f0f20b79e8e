/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"
#include "io_foreign.h"

#define PATTERN "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"

static void every_format_has_its_name(void **state) {
    (void)state;
    const char *const *names = dgm_format_names();
    assert_string_equal(names[DGM_FORMAT_AUTO], "auto");
    assert_string_equal(names[DGM_FORMAT_EDGES], "edges");
    assert_string_equal(names[DGM_FORMAT_NPY], "npy");
    assert_string_equal(names[DGM_FORMAT_TU], "tu");
    assert_null(names[DGM_FORMAT_TU + 1]);
}

static void content_decides_where_the_name_does_not(void **state) {
    (void)state;
    const struct {
        const char *text, *name;
        int64_t nodes;
    } cases[] = {
        {PATTERN, "x.txt", 3},
        {PATTERN, "x", 3},
        {"0 1\n", "x.dat", 2},
        {" {\"nodes\": [{\"id\": 1}], \"links\": []}", "x", 1},
        {"<?xml version=\"1.0\"?><graphml><graph edgedefault=\"undirected\"><node "
         "id=\"a\"/></graph></graphml>",
         "x.xml", 1},
        {"<gexf><graph><nodes><node id=\"a\"/></nodes></graph></gexf>", "x.xml", 1},
        {"Creator \"x\"\ngraph [ node [ id 1 ] ]\n", "x.txt", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_graph *graph = io_read(cases[i].text, cases[i].name, NULL);
        assert_int_equal(dgm_graph_nodes(graph), cases[i].nodes);
        dgm_graph_free(graph);
    }
}

static void a_given_format_wins_over_the_name(void **state) {
    (void)state;
    dgm_graph *graph;
    assert_int_equal(
        dgm_graph_read_memory(ctx, PATTERN, strlen(PATTERN), "x.csv", DGM_FORMAT_MTX, NULL, &graph),
        DGM_OK);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    dgm_graph_free(graph);
    assert_int_equal(dgm_graph_read_memory(ctx, "x", 1, "x", (dgm_format)99, NULL, &graph),
                     DGM_ERROR_USAGE);
    assert_null(graph);
}

static void a_number_that_is_no_format_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL), *none;
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("none.tsv"), (dgm_format)99),
                     DGM_ERROR_USAGE);
    assert_int_equal(access(io_path("none.tsv"), F_OK), -1);
    assert_int_equal(dgm_graph_read(ctx, io_path("none.tsv"), (dgm_format)-1, NULL, NULL, &none),
                     DGM_ERROR_USAGE);
    assert_string_equal(dgm_context_error(ctx), "-1 is no graph format");
    assert_null(none);
    dgm_graph_free(graph);
}

static void the_source_is_the_last_part_of_the_path(void **state) {
    (void)state;
    dgm_graph *graph;
    const char *path = io_save("my graph.tsv", "0 1\n", 4);
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph), DGM_OK);
    assert_string_equal(dgm_graph_source(graph), "my graph.tsv");
    dgm_graph_free(graph);
}

static void files_and_folders_are_not_taken_for_each_other(void **state) {
    (void)state;
    dgm_graph *graph;
    const char *file = io_save("f.tsv", "0 1\n", 4);
    assert_int_equal(dgm_graph_read(ctx, file, DGM_FORMAT_FOLDER, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_int_equal(dgm_graph_read(ctx, io_folder, DGM_FORMAT_MTX, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_int_equal(dgm_graph_read(ctx, io_path("none"), DGM_FORMAT_AUTO, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_null(graph);
}

static void a_matrix_market_banner_counts_under_any_name(void **state) {
    (void)state;
    dgm_graph *graph = io_read(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "x.edges", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_edges(graph), 2);
    dgm_graph_free(graph);
}

static void an_empty_file_is_an_error_packed_or_not(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_graph *source = io_read("# none\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_write(ctx, source, io_path("none.tsv.gz"), DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(
        dgm_graph_read(ctx, io_path("none.tsv.gz"), DGM_FORMAT_AUTO, NULL, NULL, &graph), DGM_OK);
    dgm_graph_free(graph);
    dgm_graph_free(source);
    assert_int_equal(
        dgm_graph_read(ctx, io_save("e.tsv", "", 0), DGM_FORMAT_AUTO, NULL, NULL, &graph),
        DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "empty"));
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1); /* there is none to point to */
}

static void an_error_of_the_whole_graph_names_the_file(void **state) {
    (void)state;
    dgm_graph *graph;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 10};
    assert_int_equal(
        dgm_graph_read_memory(ctx, "a b\n", 4, "x.txt", DGM_FORMAT_AUTO, &options, &graph),
        DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error_parts(ctx).file, "x.txt");
}

static void an_unknown_ending_lists_the_known_ones(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    const char *const names[] = {"x", "x.xyz", "x.tsv.zip"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dgm_graph_write(ctx, graph, io_path(names[i]), DGM_FORMAT_AUTO),
                         DGM_ERROR_USAGE);
        assert_non_null(strstr(dgm_context_error(ctx), ".graphml"));
        assert_int_not_equal(access(io_path(names[i]), F_OK), 0);
    }
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("x"), DGM_FORMAT_TU), DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

static void a_device_takes_an_edge_list(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_write(ctx, graph, "/dev/null", DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, "/dev/full", DGM_FORMAT_AUTO), DGM_ERROR_FILE);
    dgm_graph_free(graph);
}

/* A graph with everything that all formats can hold comes back from each, packed in each way. */
static void a_graph_comes_back_from_every_format(void **state) {
    (void)state;
    const char *const names[] = {"r.tsv",     "r.csv.gz",  "r.mtx.xz",  "r.graph.zst",
                                 "r.graphml", "r.gexf.gz", "r.gml.zst", "r.json.xz",
                                 "r.npz",     "r.npy",     "r.npz.gz"};
    dgm_graph *graph = io_read("0 3\n3 1\n1 0\n4 0\n# dgm nodes 6\n", "x.txt", NULL), *back;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options),
                                           .nodes = strcmp(names[i], "r.npy") == 0 ? 6 : 0};
        if (dgm_graph_write(ctx, graph, io_path(names[i]), DGM_FORMAT_AUTO) != DGM_OK ||
            dgm_graph_read(ctx, io_path(names[i]), DGM_FORMAT_AUTO, &options, NULL, &back) !=
                DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
        const char *wrong = check_same_graph(graph, back, 0);
        if (wrong)
            fail_msg("%s: %s", names[i], wrong);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void cancelling_stops_the_reader(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_graph_read_memory(ctx, "0 1\n", 4, "x.txt", DGM_FORMAT_AUTO, NULL, &graph),
                     DGM_ERROR_CANCELLED);
    assert_null(graph);
    dgm_context_resume(ctx);
}

/* ---- the k-th allocation fails, for every k ---- */

static long long calls, fail_at, alive;

static void *failing_resize(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        alive -= block != NULL;
        free(block);
        return NULL;
    }
    if (++calls == fail_at)
        return NULL;
    void *result = realloc(block, size);
    alive += !block && result;
    return result;
}

static dgm_status read_and_write(const char *text, const char *name, const char *target) {
    const dgm_allocator allocator = {failing_resize, NULL};
    dgm_context *weak;
    dgm_graph *graph = NULL;
    dgm_status status = dgm_context_create(&allocator, &weak);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_read_memory(weak, text, strlen(text), name, DGM_FORMAT_AUTO, NULL, &graph);
    if (status == DGM_OK)
        status = dgm_graph_write(weak, graph, target, DGM_FORMAT_AUTO);
    if (status != DGM_OK)
        assert_string_not_equal(dgm_context_error(weak), "");
    dgm_graph_free(graph);
    dgm_context_free(weak);
    return status;
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    char many[1024] = ""; /* lines that are read several at a time */
    for (int i = 0; i < 100; i++)
        strcat(many, "0 1 2\n");
    char names[1024] = "# a\n"; /* neighbours that are named on line after line */
    for (int i = 0; i < 100; i++)
        snprintf(names + strlen(names), 16, "n%d 1\n", i);
    const char *const cases[][3] = {{"0 1 2\n1 2 3\n", "x.txt", "a.tsv.gz"},
                                    {many, "x.txt", "a.tsv"},
                                    {"# a\n\"b\" 1\n", "x.lgl", "a.tsv"},
                                    {names, "x.lgl", "a.tsv"},
                                    {"*Vertices 1\n1 \"a\"\n", "x.net", "a.tsv"},
                                    {"0 1\n1 x\n", "x.txt", "a.csv"},
                                    {"\"a\",b\n# dgm node c\n", "x.csv", "a.tsv"},
                                    {PATTERN, "x.mtx", "a.mtx.zst"},
                                    {"2 1 111 2\n5 7 7 2 9\n6 8 8 1 9\n", "x.graph", "a.graph"}};
    io_remove_files();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dgm_status status;
        fail_at = 0;
        do {
            fail_at++;
            calls = 0;
            status = read_and_write(cases[c][0], cases[c][1], io_path(cases[c][2]));
            assert_int_equal(alive, 0);
            if (calls >= fail_at && status != DGM_OK) {
                assert_int_equal(status, DGM_ERROR_MEMORY);
                assert_int_equal(io_count_files(), 0);
            }
            io_remove_files();
        } while (calls >= fail_at);
        assert_int_equal(status, DGM_OK);
        assert_true(fail_at > 10);
    }
}

static void content_is_known_by_its_first_words(void **state) {
    (void)state;
    static const char *const texts[] = {
        "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
        "Creator \"x\"\ngraph\n[ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
        "graph\r\n[ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
        "<gexf><graph><nodes><node id=\"0\"/><node id=\"1\"/></nodes>"
        "<edges><edge source=\"0\" target=\"1\"/></edges></graph></gexf>",
        "\n <graphml><graph><node id=\"0\"/><node id=\"1\"/>"
        "<edge source=\"0\" target=\"1\"/></graph></graphml>",
        "{\"nodes\": [{\"id\": 0}, {\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1}]}",
        "*Vertices 2\n*Edges\n1 2\n",
        "graph b\n",
        "<a b\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        dgm_graph *graph = io_read(texts[k], "x.txt", NULL);
        assert_int_equal(dgm_graph_nodes(graph), 2);
        assert_int_equal(dgm_graph_edges(graph), 1);
        dgm_graph_free(graph);
    }
    static const char npy[] =
        "\x93NUMPY\1\0\x3b\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1), }\0\1";
    dgm_graph *graph;
    assert_int_equal(
        dgm_graph_read_memory(ctx, npy, sizeof npy - 1, "x.dat", DGM_FORMAT_AUTO, NULL, &graph),
        DGM_OK);
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
}

static void an_ending_decides_and_what_is_there_does_not(void **state) {
    (void)state;
    size_t size;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    io_save("there.xyz", "old", 3);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("there.xyz"), DGM_FORMAT_AUTO),
                     DGM_ERROR_USAGE);
    char *data = io_load(io_path("there.xyz"), &size);
    assert_string_equal(data, "old");
    free(data);
    assert_int_equal(dgm_graph_write(ctx, graph, io_folder, DGM_FORMAT_AUTO), DGM_ERROR_USAGE);
    assert_int_equal(dgm_graph_write(ctx, graph, "", DGM_FORMAT_AUTO), DGM_ERROR_USAGE);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("x.net"), DGM_FORMAT_AUTO),
                     DGM_ERROR_USAGE);
    assert_non_null(strstr(dgm_context_error(ctx), "are read, not written"));
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("x.xyz"), DGM_FORMAT_LGL),
                     DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

static void standard_output_takes_an_edge_list_or_the_format_asked_for(void **state) {
    (void)state;
    static const char *const expected[] = {"0\t1\n", "graph ["};
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    for (int k = 0; k < 2; k++) {
        size_t size;
        fflush(stdout);
        int kept = dup(STDOUT_FILENO);
        assert_non_null(freopen(io_path("out"), "w", stdout));
        dgm_status status = dgm_graph_write(ctx, graph, "-", k ? DGM_FORMAT_GML : DGM_FORMAT_AUTO);
        fflush(stdout);
        dup2(kept, STDOUT_FILENO);
        close(kept);
        assert_int_equal(status, DGM_OK);
        char *data = io_load(io_path("out"), &size);
        assert_memory_equal(data, expected[k], strlen(expected[k]));
        free(data);
    }
    dgm_graph_free(graph);
}

static void what_a_format_does_not_keep_is_said(void **state) {
    (void)state;
    static const struct {
        const char *attributes, *note;
    } cases[] = {{"", NULL},
                 {", \"town\": \"Oslo\"", "does not keep attributes"},
                 {", \"age\": 3.5", "does not keep attributes"},
                 {", \"town\": \"Oslo\", \"age\": 3.5", "does not keep attributes"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128];
        snprintf(text, sizeof text, "{\"nodes\": [{\"id\": 1%s}], \"links\": []}",
                 cases[k].attributes);
        dgm_graph *graph = io_read(text, "x.json", NULL);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("x.mtx"), DGM_FORMAT_AUTO), DGM_OK);
        if (cases[k].note ? !strstr(io_notes, cases[k].note) : io_notes[0])
            fail_msg("case %zu: %s", k, io_notes);
        dgm_graph_free(graph);
    }
}

static void an_archive_of_arrays_may_be_packed_once_more(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n1 2\n", "x.txt", NULL), *back;
    static const char *const names[] = {"a.npz", "a.npz.gz", "a.npz.xz", "a.npz.zst"};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(dgm_graph_write(ctx, graph, io_path(names[k]), DGM_FORMAT_NPZ), DGM_OK);
        assert_int_equal(dgm_graph_read(ctx, io_path(names[k]), DGM_FORMAT_NPZ, NULL, NULL, &back),
                         DGM_OK);
        assert_null(check_same_graph(graph, back, CHECK_NAMES));
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

/* What a file begins with, under that name, says what it is. */
static void files_of_other_kinds_are_named(void **state) {
    (void)state;
    static const struct {
        const char *name, *bytes;
        size_t size;
        dgmi_io_wanted wanted;
        const char *words; /* NULL: nothing is said */
    } cases[] = {
        {"f.xlsx", "PK\3\4 ....", 9, DGMI_IO_WANTED_GRAPH, "this is a workbook, not a graph; save"},
        {"f.ods", "PK\3\4 ....", 9, DGMI_IO_WANTED_TABLE, "this is a workbook, not a table"},
        {"f.pt", "PK\3\4 ....", 9, DGMI_IO_WANTED_GRAPH, "a file of torch.save"},
        {"f.npz", "PK\3\4 ....", 9, DGMI_IO_WANTED_TABLE, "an archive of several arrays"},
        {"f.npz", "PK\3\4 ....", 9, DGMI_IO_WANTED_GRAPH, NULL},
        {"f.zip", "PK\3\4 ....", 9, DGMI_IO_WANTED_TABLE, NULL},
        {"f", "\x80\4abc", 5, DGMI_IO_WANTED_GRAPH, "a pickle, which is never opened here"},
        {"f", "\x80\1abc", 5, DGMI_IO_WANTED_GRAPH, NULL},
        {"f", "\x80\6abc", 5, DGMI_IO_WANTED_GRAPH, NULL},
        {"f", "\x80", 1, DGMI_IO_WANTED_GRAPH, NULL},
        {"f", "a\4abc", 5, DGMI_IO_WANTED_GRAPH, NULL},
        {"f", "{\"format\": \"dgm-summary\"}", 25, DGMI_IO_WANTED_GRAPH, NULL},
        {"f", "{\"format\": \"dgm-summary\"}", 25, DGMI_IO_WANTED_LABELS, "'dgm draw' shows it"},
        {"f", "\2\0\0\0\0\0\0\0{}", 10, DGMI_IO_WANTED_GRAPH, "lens=gcn model=FILE"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = io_save(cases[k].name, cases[k].bytes, cases[k].size);
        dgm_status status = dgmi_io_foreign_check(ctx, path, cases[k].wanted);
        assert_int_equal(status, cases[k].words ? DGM_ERROR_FORMAT : DGM_OK);
        if (cases[k].words && !strstr(dgm_context_error(ctx), cases[k].words))
            fail_msg("case %zu: %s", k, dgm_context_error(ctx));
    }
    assert_int_equal(dgmi_io_foreign_check(ctx, io_folder, DGMI_IO_WANTED_GRAPH), DGM_OK);
    assert_int_equal(dgmi_io_foreign_check(ctx, io_path("nothing"), DGMI_IO_WANTED_GRAPH), DGM_OK);
}

/* Each sign is looked for in whole, and where texts may begin like it a zero must be there, too. */
static void signs_of_other_files_are_met_exactly(void **state) {
    (void)state;
    static const struct {
        const char *sign, *what;
        bool letters;
    } signs[] = {{"\x89PNG", "a picture", false},
                 {"\xff\xd8\xff", "a picture", false},
                 {"GIF8", "a picture", true},
                 {"%PDF", "a PDF", false},
                 {"\x89HDF", "an HDF5 file", false},
                 {"PAR1", "a Parquet file", true},
                 {"SQLite format 3", "a database", true},
                 {"MATLAB ", "a MATLAB file", true},
                 {"{\"format\": \"dgm-summary\"", "a summary that dgm wrote", false}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        char bytes[64] = {0}, words[64];
        size_t length = strlen(signs[i].sign);
        snprintf(words, sizeof words, "f: this is %s, not a file of classes", signs[i].what);
        memcpy(bytes, signs[i].sign, length);
        assert_int_equal(
            dgmi_io_foreign_check(ctx, io_save("f", bytes, length + 1), DGMI_IO_WANTED_LABELS),
            DGM_ERROR_FORMAT);
        assert_non_null(strstr(dgm_context_error(ctx), words));
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
        bytes[length] = 'x'; /* no zero any more */
        assert_int_equal(
            dgmi_io_foreign_check(ctx, io_save("f", bytes, length + 1), DGMI_IO_WANTED_LABELS),
            signs[i].letters ? DGM_OK : DGM_ERROR_FORMAT);
        assert_int_equal(
            dgmi_io_foreign_check(ctx, io_save("f", bytes, length), DGMI_IO_WANTED_LABELS),
            signs[i].letters ? DGM_OK : DGM_ERROR_FORMAT);
        bytes[length - 1] ^= 1;
        bytes[length] = '\0';
        assert_int_equal(
            dgmi_io_foreign_check(ctx, io_save("f", bytes, length + 1), DGMI_IO_WANTED_LABELS),
            DGM_OK);
    }
}

static void pickles_and_weights_have_their_first_bytes(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *words; /* NULL: nothing is said */
    } cases[] = {{"\x80\2", 2, "a pickle"},
                 {"\x80\5", 2, "a pickle"},
                 {"PK\3\4", 4, "an archive of several arrays"},
                 {"PK\3", 3, NULL},
                 {"\2\0\0\0\0\0\0\0{}", 10, "a file of weights (safetensors)"},
                 {"\2\0\0\0\0\0\0\0{", 9, NULL},
                 {"\2\0\0\0\0\0\1\0{}", 10, NULL},
                 {"\2\0\0\0\0\0\0\1{}", 10, NULL},
                 {"\2\0\0\0\0\1\0\0{}", 10, "a file of weights"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = io_save("f.npz", cases[k].bytes, cases[k].size);
        dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_TABLE);
        assert_int_equal(status, cases[k].words ? DGM_ERROR_FORMAT : DGM_OK);
        if (cases[k].words && !strstr(dgm_context_error(ctx), cases[k].words))
            fail_msg("case %zu: %s", k, dgm_context_error(ctx));
    }
}

/* Of `nodes` numbers up to the last, two have the one edge. */
static void numbers_that_do_not_occur_are_noted_or_refused(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    for (int k = 0; k < 2; k++) {
        const dgm_graph_options *options = k ? &directed : NULL;
        dgm_graph_free(io_read("0 3\n", "x.txt", options)); /* half of four */
        assert_string_equal(io_notes, "");
        dgm_graph_free(io_read("0 4\n", "x.txt", options));
        assert_string_equal(io_notes,
                            "x.txt: node ids go up to 4, but only 2 of 5 numbers occur; the others "
                            "are nodes without edges (ids=name leaves them out)\n");
        dgm_graph_free(io_read("0 4\n3 3\n", "x.txt", options)); /* a loop is one, too */
        assert_null(strstr(io_notes, "numbers occur"));
        dgm_graph *graph = io_read("0 199\n", "x.txt", options);
        assert_int_equal(dgm_graph_nodes(graph), 200);
        assert_non_null(strstr(io_notes, "only 2 of 200 numbers occur"));
        dgm_graph_free(graph);
    }
    io_refuse("0 200\n", "x.txt", 0,
              "node ids go up to 200, but only 2 numbers occur; with ids=name only those are "
              "nodes, and nodes=201 makes all 201");
}

static void edges_with_two_weights_are_counted(void **state) {
    (void)state;
    dgm_graph_free(io_read("0 1 2\n1 0 3\n", "x.txt", NULL));
    assert_non_null(strstr(io_notes,
                           "x.txt: 1 edge is given in both directions with different weights: the "
                           "larger counts (directed keeps both)\n"));
    dgm_graph_free(io_read("0 1 2\n1 0 3\n1 2 4\n2 1 5\n", "x.txt", NULL));
    assert_non_null(strstr(io_notes, "x.txt: 2 edges are given in both directions"));
    dgm_graph_free(io_read("0 1 2\n1 0 2\n", "x.txt", NULL));
    assert_null(strstr(io_notes, "both directions"));
}

/* The shortest text that is still taken for each format. */
static void a_format_is_known_by_its_shortest_sign(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *words; /* NULL: an edge list, and a good one */
    } cases[] = {{"\x93NUMPY", "not a NumPy array"},
                 {"%%MatrixMarket", "of a Matrix Market file"},
                 {"%%matrixmarke", NULL},
                 {"*vertices", "*Vertices is followed by"},
                 {"*vertice 1", NULL},
                 {"\xef\xbb\xbf{", "not JSON"},
                 {"\xef\xbb\xbf \r\n\t{", "not JSON"},
                 {"{", "not JSON"},
                 {"a b\ngraph [", "follows the key"},
                 {"a b\ngraph x", NULL},
                 {"\xef\xbb\xbf"
                  "0 1",
                  NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dgm_graph *graph;
        dgm_status status = dgm_graph_read_memory(ctx, cases[k].bytes, strlen(cases[k].bytes),
                                                  "data", DGM_FORMAT_AUTO, NULL, &graph);
        dgm_graph_free(graph);
        if (cases[k].words ? status == DGM_OK || !strstr(dgm_context_error(ctx), cases[k].words)
                           : status != DGM_OK)
            fail_msg("case %zu: %s", k, dgm_context_error(ctx));
    }
}

static void formats_that_are_not_there_are_refused(void **state) {
    (void)state;
    dgm_graph *graph;
    static const int formats[] = {-1, DGM_FORMAT_TU + 1};
    for (int k = 0; k < 2; k++) {
        char words[64];
        snprintf(words, sizeof words, "%d is no graph format", formats[k]);
        assert_int_equal(
            dgm_graph_read_memory(ctx, "0 1", 3, "x", (dgm_format)formats[k], NULL, &graph),
            DGM_ERROR_USAGE);
        assert_string_equal(dgm_context_error(ctx), words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_has_its_name),
        cmocka_unit_test(content_decides_where_the_name_does_not),
        cmocka_unit_test(a_given_format_wins_over_the_name),
        cmocka_unit_test(a_number_that_is_no_format_is_refused),
        cmocka_unit_test(the_source_is_the_last_part_of_the_path),
        cmocka_unit_test(files_and_folders_are_not_taken_for_each_other),
        cmocka_unit_test(a_matrix_market_banner_counts_under_any_name),
        cmocka_unit_test(an_empty_file_is_an_error_packed_or_not),
        cmocka_unit_test(an_error_of_the_whole_graph_names_the_file),
        cmocka_unit_test(an_unknown_ending_lists_the_known_ones),
        cmocka_unit_test(a_device_takes_an_edge_list),
        cmocka_unit_test(a_graph_comes_back_from_every_format),
        cmocka_unit_test(cancelling_stops_the_reader),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(content_is_known_by_its_first_words),
        cmocka_unit_test(an_ending_decides_and_what_is_there_does_not),
        cmocka_unit_test(standard_output_takes_an_edge_list_or_the_format_asked_for),
        cmocka_unit_test(what_a_format_does_not_keep_is_said),
        cmocka_unit_test(an_archive_of_arrays_may_be_packed_once_more),
        cmocka_unit_test(files_of_other_kinds_are_named),
        cmocka_unit_test(signs_of_other_files_are_met_exactly),
        cmocka_unit_test(pickles_and_weights_have_their_first_bytes),
        cmocka_unit_test(numbers_that_do_not_occur_are_noted_or_refused),
        cmocka_unit_test(edges_with_two_weights_are_counted),
        cmocka_unit_test(a_format_is_known_by_its_shortest_sign),
        cmocka_unit_test(formats_that_are_not_there_are_refused),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
