/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base_memory.h"
#include "bytes_path.h"
#include "io_scratch.h"
#include "numpy_arrays.h"

/* A new folder with a path of `edges` in it; its files are named by `file`. */
static int folders;
static const char *new_folder(const char *edges) {
    char name[64];
    snprintf(name, sizeof name, "d%d/edges.tsv", ++folders);
    scratch_text(name, edges);
    snprintf(name, sizeof name, "d%d", folders);
    return scratch_path(name);
}

static void file(const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "d%d/%s", folders, name);
    scratch_text(path, text);
}

static const char four[] = "0\t1\n1\t2\n2\t3\n";

static void edges_alone_are_a_dataset(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(new_folder(four));
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_int_equal(dgm_graph_edges(graph), 3);
    assert_null(dgm_graph_labels(graph));
    assert_null(dgm_graph_splits(graph));
    assert_string_equal(scratch_notes, "");
    dgm_graph_free(graph);
}

static void labels_splits_classes_and_features_are_read(void **state) {
    (void)state;
    const char *path = new_folder(four);
    file("labels.txt", "1\n0\n-1\n1\n");
    file("train.txt", "0\n");
    file("val.txt", "1 2\n");
    file("test.txt", "");
    file("meta.json", "{\"class_names\": [\"a\", \"b\"], \"nodes\": 4, \"directed\": false}");
    file("features.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 3 2\n1 1\n4 3\n");
    dgm_graph *graph = scratch_read(path);
    const int32_t labels[] = {1, 0, -1, 1};
    const uint8_t splits[] = {1, 2, 2, 0};
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    assert_memory_equal(dgm_graph_splits(graph), splits, sizeof splits);
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 1), "b");
    assert_int_equal(dgm_graph_get_features(graph).width, 3);
    assert_int_equal(dgm_graph_get_features(graph).offsets[4], 2);
    dgm_graph_free(graph);
}

static void features_may_be_an_array(void **state) {
    (void)state;
    const char *path = new_folder("0\t2\n");
    char name[64];
    snprintf(name, sizeof name, "d%d/features.npy", folders);
    scratch_bytes(name, grid_fortran, sizeof grid_fortran);
    dgm_graph *graph = scratch_read(path);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_int_equal(features.width, 2);
    for (int i = 0; i < 6; i++)
        assert_true(features.values[i] == (float)(i + 1));
    dgm_graph_free(graph);
}

static void there_are_as_many_nodes_as_any_file_says(void **state) {
    (void)state;
    const char *path = new_folder(four);
    file("meta.json", "{\"nodes\": 9}");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 9);
    dgm_graph_free(graph);
    path = new_folder(four);
    file("labels.txt", "0\n0\n0\n0\n0\n0\n");
    graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 6);
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 11};
    graph = scratch_read_with(new_folder(four), &options, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 11);
    dgm_graph_free(graph);
}

static void an_empty_file_of_edges_is_a_graph_without_edges(void **state) {
    (void)state;
    const char *path = new_folder("");
    file("labels.txt", "0\n0\n0\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
    graph = scratch_read(new_folder(""));
    assert_int_equal(dgm_graph_nodes(graph), 0);
    dgm_graph_free(graph);
}

static void a_third_column_that_is_no_weight_is_left_out(void **state) {
    (void)state;
    const char *path = new_folder("0\t1\t100\n0\t1\t200\n1\t2\t300\n");
    dgm_graph *graph = scratch_read(path);
    assert_true(dgm_graph_get_rows(graph).weights[0] == 300);
    dgm_graph_free(graph);
    file("meta.json", "{\"columns\": [\"u\", \"v\", \"weight\"]}");
    graph = scratch_read(path);
    assert_non_null(dgm_graph_get_rows(graph).weights);
    dgm_graph_free(graph);
    file("meta.json", "{\"columns\": [\"u\", \"v\", \"t\"], \"directed\": true}");
    graph = scratch_read(path);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    assert_non_null(strstr(scratch_notes, "the third column of the edges, \"t\""));
    assert_non_null(strstr(scratch_notes, "it is read as undirected"));
    dgm_graph_free(graph);
}

static void a_table_of_nodes_gives_columns_and_the_order_of_names(void **state) {
    (void)state;
    const char *path = new_folder("cy\tbob\n");
    file("nodes.csv", "id,age,town\nana,31,\"Bonn, old\"\nbob,,\ncy,9,Köln\n");
    file("labels.txt", "0\n1\n2\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "ana");
    assert_string_equal(dgm_graph_name_text(graph, 2, NULL), "cy");
    assert_true(dgm_graph_attribute(graph, 0).numbers[2] == 9);
    assert_string_equal(dgm_graph_attribute(graph, 1).texts[0], "Bonn, old");
    assert_null(dgm_graph_attribute(graph, 1).texts[1]);
    dgm_graph_free(graph);
    path = new_folder(four);
    file("nodes.csv", "id,x\n3,30\n1,10\n");
    graph = scratch_read(path);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_true(dgm_graph_attribute(graph, 0).numbers[3] == 30);
    assert_true(dgm_graph_attribute(graph, 0).numbers[1] == 10);
    dgm_graph_free(graph);
}

static void other_formats_of_edges_are_found(void **state) {
    (void)state;
    static const char *const formats[][2] = {
        {"edges.csv", "0,1\n1,2\n2,3\n"},
        {"edges.txt", "# c\n0 1\n1 2\n2 3\n"},
        {"edges.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n3 4\n"},
        {"edges.json",
         "{\"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": 2}, {\"id\": 3}], \"links\": "
         "[{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}, "
         "{\"source\": 2, \"target\": 3}]}"},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char name[64];
        snprintf(name, sizeof name, "d%d/%s", ++folders, formats[i][0]);
        scratch_text(name, formats[i][1]);
        file("labels.txt", "0\n1\n2\n3\n");
        *strchr(name, '/') = '\0';
        dgm_graph *graph = scratch_read(scratch_path(name));
        assert_int_equal(dgm_graph_nodes(graph), 4);
        assert_int_equal(dgm_graph_edges(graph), 3);
        dgm_graph_free(graph);
    }
    char name[64];
    snprintf(name, sizeof name, "d%d/edges.npz", ++folders);
    scratch_bytes(name, graph_down, sizeof graph_down);
    *strchr(name, '/') = '\0';
    dgm_graph *graph = scratch_read(scratch_path(name));
    assert_int_equal(dgm_graph_edges(graph), 3);
    dgm_graph_free(graph);
}

/* A folder of four nodes with one more file, which is wrong. */
static void refuses(const char *name, const char *text, dgm_status status, const char *words) {
    const char *path = new_folder(four);
    file(name, text);
    scratch_refuses(path, status, words);
}

static void labels_of_the_wrong_count_are_refused(void **state) {
    (void)state;
    refuses("labels.txt", "0\n1\n", DGM_ERROR_DATA,
            "/labels.txt: 2 labels for 4 nodes, which is what edges.tsv names");
    refuses("labels.txt", "", DGM_ERROR_DATA, "/labels.txt: 0 labels for 4 nodes");
    refuses("labels.txt", "0\n1 0\n0\n1\n", DGM_ERROR_DATA,
            "/labels.txt:2: 2 values on a line; one is needed, a class");
    const char *path = new_folder(four);
    file("labels.txt", "0\n1\n0\n1\n");
    file("meta.json", "{\"nodes\": 5}");
    scratch_refuses(path, DGM_ERROR_DATA, "4 labels for 5 nodes, which is what meta.json says");
    path = new_folder(four);
    file("labels.txt", "0\n1\n0\n1\n");
    file("features.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 1 1\n1 1\n");
    scratch_refuses(path, DGM_ERROR_DATA,
                    "4 labels for 5 nodes, which is what features.mtx has rows for");
    path = new_folder(four);
    file("labels.txt", "0\n1\n0\n1\n0\n");
    file("features.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 1 1\n1 1\n");
    scratch_refuses(path, DGM_ERROR_DATA,
                    "features.mtx: 4 rows for 5 nodes, which is what labels.txt has rows for");
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 6};
    path = new_folder(four);
    file("labels.txt", "0\n1\n0\n1\n");
    scratch_refuses_with(path, &options, NULL, DGM_ERROR_DATA, "which is what nodes asks for");
}

static void labels_that_are_no_classes_are_refused_by_line(void **state) {
    (void)state;
    refuses("labels.txt", "0\n1\nx\n1\n", DGM_ERROR_DATA, "/labels.txt:3: \"x\" is not a class");
    refuses("labels.txt", "0\n-2\n0\n1\n", DGM_ERROR_DATA, "/labels.txt:2: \"-2\" is not a class");
    refuses("labels.txt", "0\n1.5\n0\n1\n", DGM_ERROR_DATA, "/labels.txt:2: \"1.5\"");
    refuses("labels.txt", "0\n2147483647\n0\n1\n", DGM_ERROR_DATA, "/labels.txt:2:");
}

static void splits_out_of_range_or_overlapping_are_refused_by_line(void **state) {
    (void)state;
    refuses("train.txt", "0\n4\n", DGM_ERROR_DATA, "/train.txt:2: \"4\" is not one of the 4 nodes");
    refuses("val.txt", "-1\n", DGM_ERROR_DATA, "/val.txt:1: \"-1\"");
    refuses("test.txt", "a\n", DGM_ERROR_DATA, "/test.txt:1: \"a\"");
    refuses("train.txt", "2\n2\n", DGM_ERROR_DATA,
            "/train.txt:2: node 2 stands in train.txt already");
    const char *path = new_folder(four);
    file("train.txt", "0\n1\n");
    file("test.txt", "3\n1\n");
    scratch_refuses(path, DGM_ERROR_DATA, "/test.txt:2: node 1 stands in train.txt already");
}

static void a_damaged_meta_file_is_refused(void **state) {
    (void)state;
    refuses("meta.json", "{\n\"nodes\": \n}", DGM_ERROR_FORMAT, "/meta.json:3: not JSON");
    refuses("meta.json", "[1]", DGM_ERROR_FORMAT, "/meta.json: an object");
    refuses("meta.json", "", DGM_ERROR_FORMAT, "/meta.json");
    refuses("meta.json", "{\"nodes\": -1}", DGM_ERROR_DATA, "\"nodes\" must be a whole number");
    refuses("meta.json", "{\"nodes\": 99999999999}", DGM_ERROR_DATA, "\"nodes\" must be");
    refuses("meta.json", "{\"nodes\": 2000000000}", DGM_ERROR_FORMAT,
            "2000000000 nodes are promised");
    refuses("meta.json", "{\"nodes\": \"x\"}", DGM_ERROR_DATA, "\"nodes\" must be");
    refuses("meta.json", "{\"class_names\": [\"a\", 2]}", DGM_ERROR_DATA,
            "class 1 is not a string");
}

static void a_folder_without_edges_says_what_was_looked_for(void **state) {
    (void)state;
    char name[64];
    snprintf(name, sizeof name, "d%d/labels.txt", ++folders);
    scratch_text(name, "0\n");
    *strchr(name, '/') = '\0';
    scratch_refuses(scratch_path(name), DGM_ERROR_FILE,
                    "edges with the endings .tsv .csv .txt .mtx");
}

static void bad_edges_are_named_by_file_and_line(void **state) {
    (void)state;
    scratch_refuses(new_folder("0\t1\n1\t-2\n"), DGM_ERROR_FORMAT, "edges.tsv:2:");
    scratch_refuses(new_folder("0\t1\n1\n"), DGM_ERROR_FORMAT, "edges.tsv:2:");
    refuses("features.mtx",
            "%%MatrixMarket matrix coordinate pattern general\n4 3 1000000000000000000\n",
            DGM_ERROR_FORMAT, "features.mtx");
    refuses("features.npy", "nonsense that is no array", DGM_ERROR_FORMAT,
            "features.npy: not a NumPy array");
    const char *path = new_folder(four);
    char name[64];
    snprintf(name, sizeof name, "d%d/features.npy", folders);
    scratch_bytes(name, grid_i1, sizeof grid_i1);
    scratch_refuses(path, DGM_ERROR_DATA, "features.npy: 3 rows for 4 nodes");
}

/* ---- writing ---- */

static void expect_same(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows left = dgm_graph_get_rows(a), right = dgm_graph_get_rows(b);
    char names[2][64];
    assert_int_equal(left.nodes, right.nodes);
    assert_int_equal(left.entries, right.entries);
    assert_memory_equal(left.targets, right.targets, (size_t)left.entries * sizeof *left.targets);
    assert_int_equal(left.weights != NULL, right.weights != NULL);
    for (int64_t i = 0; left.weights && i < left.entries; i++)
        assert_true(left.weights[i] == right.weights[i]);
    for (int64_t i = 0; i < left.nodes; i++) {
        dgm_graph_name(a, i, names[0], sizeof names[0]);
        dgm_graph_name(b, i, names[1], sizeof names[1]);
        assert_string_equal(names[0], names[1]);
        if (dgm_graph_labels(a))
            assert_int_equal(dgm_graph_labels(a)[i], dgm_graph_labels(b)[i]);
        if (dgm_graph_splits(a))
            assert_int_equal(dgm_graph_splits(a)[i], dgm_graph_splits(b)[i]);
    }
    dgm_graph_features x = dgm_graph_get_features(a), y = dgm_graph_get_features(b);
    assert_int_equal(x.width, y.width);
    int64_t values = x.offsets ? x.offsets[left.nodes] : left.nodes * x.width;
    if (x.columns)
        assert_memory_equal(x.columns, y.columns, (size_t)values * sizeof *x.columns);
    for (int64_t i = 0; x.values && i < values; i++)
        assert_true(x.values[i] == y.values[i]);
    assert_int_equal(dgm_graph_attributes(a), dgm_graph_attributes(b));
    for (int64_t k = 0; k < dgm_graph_attributes(a); k++) {
        dgm_attribute p = dgm_graph_attribute(a, k), q = dgm_graph_attribute(b, k);
        assert_string_equal(p.name, q.name);
        assert_int_equal(p.kind, q.kind);
        for (int64_t i = 0; i < left.nodes; i++)
            if (p.kind == DGM_ATTRIBUTE_NUMBER)
                assert_true(p.numbers[i] == q.numbers[i] || p.numbers[i] != p.numbers[i]);
            else
                assert_true(p.texts[i] ? strcmp(p.texts[i], q.texts[i]) == 0 : !q.texts[i]);
    }
    for (int32_t c = 0; dgm_graph_class_name(a, c); c++)
        assert_string_equal(dgm_graph_class_name(a, c), dgm_graph_class_name(b, c));
}

static void expect_round_trip(const dgm_graph *graph) {
    char name[64];
    snprintf(name, sizeof name, "w%d/", ++folders);
    const char *path = scratch_path(name);
    rmdir(path);
    scratch_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    assert_string_equal(scratch_notes, "");
    dgm_graph *back = scratch_read(path);
    expect_same(graph, back);
    dgm_graph_free(back);
}

static void what_is_written_is_read_back(void **state) {
    (void)state;
    const char *path = new_folder("b c\t\"a\"\"\"\t2.5\n\"a\"\"\"\t7\t0.1\n# dgm node lone\n");
    file("labels.txt", "1\n0\n-1\n1\n");
    file("train.txt", "0\n3\n");
    file("test.txt", "1\n");
    file("meta.json", "{\"class_names\": [\"x y\", \"z\\\"\"]}");
    file("features.mtx",
         "%%MatrixMarket matrix coordinate real general\n4 3 3\n1 1 0.1\n4 3 -2\n2 2 1\n");
    file("nodes.csv", "id,v,t\n7,1.5,a\n\"b c\",,\"b,\nc\"\nlone,2,\n");
    dgm_graph *graph = scratch_read(path);
    expect_round_trip(graph);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_bytes("g.npz", graph_stored, sizeof graph_stored));
    expect_round_trip(graph);
    dgm_graph_free(graph);
    graph = scratch_read(
        scratch_text("one.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 1\n1 2\n"));
    assert_int_equal(dgm_graph_name_base(graph), 1);
    expect_round_trip(graph);
    dgm_graph_free(graph);
    const dgm_generator kinds[] = {DGM_GENERATE_SPAM, DGM_GENERATE_KARATE, DGM_GENERATE_GRID};
    for (size_t i = 0; i < 3; i++) {
        dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
        options.kind = kinds[i];
        options.nodes = 60;
        assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
        expect_round_trip(graph);
        dgm_graph_free(graph);
    }
}

static void a_folder_that_is_there_is_not_overwritten(void **state) {
    (void)state;
    const char *path = new_folder(four);
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER), DGM_ERROR_FILE);
    scratch_check_error("name a folder that is not there yet");
    char parent[600];
    snprintf(parent, sizeof parent, "%s/none/w", scratch_root);
    assert_int_equal(dgm_graph_write(ctx, graph, parent, DGM_FORMAT_FOLDER), DGM_ERROR_FILE);
    dgm_graph_free(graph);
    char command[600];
    snprintf(command, sizeof command, "ls -d %s/*.part >/dev/null 2>&1", scratch_root);
    assert_int_not_equal(system(command), 0);
}

static dgm_status write_folder(void *graph) {
    const char *path = scratch_path("failing");
    dgm_status status = dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER);
    if (status == DGM_OK)
        assert_int_equal(nftw(path, scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
    assert_int_equal(access(path, F_OK), -1);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, new_folder("b\ta\t2.5\na\tc\t0.1\n"));
    file("labels.txt", "1\n0\n-1\n");
    file("train.txt", "0\n2\n");
    file("meta.json", "{\"class_names\": [\"x\", \"z\"]}");
    file("features.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 0.1\n");
    file("nodes.csv", "id,v,t\na,1.5,a\nb,,c\n");
    scratch_fail_each(scratch_read_and_free, path);
    dgm_graph *graph = scratch_read(path);
    scratch_fail_each(write_folder, graph);
    dgm_graph_free(graph);
}

static void directions_are_kept_in_silence_where_they_are_asked_for(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    const char *path = new_folder(four);
    file("meta.json", "{\"directed\": true, \"classes\": 3}");
    dgm_graph *graph = scratch_read_with(path, &directed, NULL);
    assert_string_equal(scratch_notes, "");
    assert_int_equal(dgm_graph_get_rows(graph).entries, 3);
    dgm_graph_free(graph);
    graph = scratch_read(path);
    assert_non_null(strstr(scratch_notes, "calls the graph directed; it is read as undirected"));
    dgm_graph_free(graph);
}

static void features_are_rows_of_columns(void **state) {
    (void)state;
    static const char npy[] = "\x93NUMPY\1\0\x3e\0{'descr': '|u1', 'fortran_order': False, "
                              "'shape': (4, 1, 1), }\0\1\2\3";
    char name[64];
    const char *path = new_folder(four);
    snprintf(name, sizeof name, "d%d/features.npy", folders);
    scratch_bytes(name, npy, sizeof npy - 1);
    scratch_refuses(path, DGM_ERROR_FORMAT, "features of shape (4, 1, 1); (nodes, columns)");
}

static void sparse_features_come_back_with_their_values_or_without(void **state) {
    (void)state;
    static const char *const files[] = {
        "%%MatrixMarket matrix coordinate pattern general\n4 3 2\n1 1\n4 3\n",
        "%%MatrixMarket matrix coordinate real general\n4 3 2\n1 1 0.5\n4 3 2\n"};
    for (int k = 0; k < 2; k++) {
        char target[64];
        const char *path = new_folder(four);
        file("features.mtx", files[k]);
        dgm_graph *graph = scratch_read(path);
        snprintf(target, sizeof target, "features%d", k);
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path(target), DGM_FORMAT_FOLDER),
                         DGM_OK);
        dgm_graph_free(graph);
        graph = scratch_read(scratch_path(target));
        dgm_graph_features features = dgm_graph_get_features(graph);
        assert_int_equal(features.offsets[4], 2);
        assert_int_equal(features.columns[1], 2);
        assert_int_equal(features.values != NULL, k);
        assert_true(!k || (features.values[0] == 0.5F && features.values[1] == 2));
        dgm_graph_free(graph);
    }
}

static void an_attribute_called_id_is_left_out_of_the_table(void **state) {
    (void)state;
    size_t size;
    dgm_graph *graph = scratch_read(scratch_text(
        "ids.json", "{\"nodes\": [{\"id\": 0, \"ID\": 7, \"age\": 3}], \"links\": []}"));
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("ids"), DGM_FORMAT_FOLDER), DGM_OK);
    assert_non_null(strstr(scratch_notes, "the attribute \"ID\" is left out"));
    char *table = scratch_content(scratch_path("ids/nodes.csv"), &size);
    assert_string_equal(table, "id,age\n0,3\n");
    free(table);
    dgm_graph_free(graph);
}

static void names_of_classes_are_in_the_meta_file_where_there_are_any(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *path = new_folder(four);
        file("labels.txt", "1\n0\n1\n1\n");
        if (k)
            file("meta.json", "{\"class_names\": [\"a\", \"b\"]}");
        dgm_graph *graph = scratch_read(path);
        const char *target = scratch_path(k ? "named" : "numbered");
        assert_int_equal(dgm_graph_write(ctx, graph, target, DGM_FORMAT_FOLDER), DGM_OK);
        dgm_graph_free(graph);
        char *meta =
            scratch_content(scratch_path(k ? "named/meta.json" : "numbered/meta.json"), NULL);
        assert_int_equal(strstr(meta, "class_names") != NULL, k);
        free(meta);
    }
}

static void a_folder_takes_a_name_that_is_free(void **state) {
    (void)state;
    char here[1024], beside[64];
    dgm_graph *graph = scratch_read(new_folder(four));
    scratch_text("taken.txt", "x");
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("taken.txt"), DGM_FORMAT_FOLDER),
                     DGM_ERROR_FILE);
    scratch_check_error("name a folder that is not there yet");
    snprintf(beside, sizeof beside, "fresh.%ld.part", (long)getpid());
    assert_int_equal(mkdir(scratch_path(beside), 0777), 0);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("fresh"), DGM_FORMAT_FOLDER),
                     DGM_ERROR_FILE);
    scratch_check_error("cannot be made: File exists; name a folder that is not there yet");
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("new//"), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph_free(scratch_read(scratch_path("new")));
    /* A name of one letter, in the folder where we are. */
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(scratch_root), 0);
    assert_int_equal(dgm_graph_write(ctx, graph, "g", DGM_FORMAT_FOLDER), DGM_OK);
    assert_int_equal(chdir(here), 0);
    dgm_graph_free(scratch_read(scratch_path("g")));
    dgm_graph_free(graph);
}

static void paths_are_joined_by_one_slash(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"a", "a/n"}, {"a/", "a/n"}, {"a//", "a/n"},
                                           {"/", "/n"},  {"//", "/n"},  {"", "n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = dgmi_bytes_path_join(ctx, cases[k][0], "n");
        assert_string_equal(path, cases[k][1]);
        dgmi_free(ctx, path);
    }
    assert_false(dgmi_bytes_path_is_file(scratch_root));
    assert_false(dgmi_bytes_path_is_file(scratch_path("nothing")));
    assert_true(dgmi_bytes_path_is_file(scratch_text("something", "")));
}

static void only_files_that_hold_something_are_written(void **state) {
    (void)state;
    static const char *const others[] = {"nodes.csv", "features.mtx", "features.npy", "labels.txt",
                                         "train.txt", "val.txt",      "test.txt"};
    dgm_graph *graph = scratch_read(new_folder(four));
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("bare"), DGM_FORMAT_FOLDER), DGM_OK);
    dgm_graph_free(graph);
    assert_int_equal(access(scratch_path("bare/edges.tsv"), F_OK), 0);
    assert_int_equal(access(scratch_path("bare/meta.json"), F_OK), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char name[64];
        snprintf(name, sizeof name, "bare/%s", others[i]);
        assert_int_not_equal(access(scratch_path(name), F_OK), 0);
    }
}

static void the_name_of_a_single_class_comes_back(void **state) {
    (void)state;
    const char *path = new_folder(four);
    file("labels.txt", "0\n0\n-1\n0\n");
    file("meta.json", "{\"class_names\": [\"only\"]}");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("single"), DGM_FORMAT_FOLDER),
                     DGM_OK);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("single"));
    assert_int_equal(dgm_graph_classes(graph), 1);
    assert_string_equal(dgm_graph_class_name(graph, 0), "only");
    dgm_graph_free(graph);
}

static void labels_go_up_to_the_highest_class(void **state) {
    (void)state;
    const char *path = new_folder("0\t1\n");
    file("labels.txt", "16777215\n-1\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_class_number(graph, dgm_graph_labels(graph)[0]), 16777215);
    dgm_graph_free(graph);
    refuses("labels.txt", "16777216\n-1\n", DGM_ERROR_DATA, "labels.txt:1: \"16777216\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_alone_are_a_dataset),
        cmocka_unit_test(labels_splits_classes_and_features_are_read),
        cmocka_unit_test(features_may_be_an_array),
        cmocka_unit_test(there_are_as_many_nodes_as_any_file_says),
        cmocka_unit_test(an_empty_file_of_edges_is_a_graph_without_edges),
        cmocka_unit_test(a_third_column_that_is_no_weight_is_left_out),
        cmocka_unit_test(a_table_of_nodes_gives_columns_and_the_order_of_names),
        cmocka_unit_test(other_formats_of_edges_are_found),
        cmocka_unit_test(labels_of_the_wrong_count_are_refused),
        cmocka_unit_test(labels_that_are_no_classes_are_refused_by_line),
        cmocka_unit_test(splits_out_of_range_or_overlapping_are_refused_by_line),
        cmocka_unit_test(a_damaged_meta_file_is_refused),
        cmocka_unit_test(a_folder_without_edges_says_what_was_looked_for),
        cmocka_unit_test(bad_edges_are_named_by_file_and_line),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_folder_that_is_there_is_not_overwritten),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(directions_are_kept_in_silence_where_they_are_asked_for),
        cmocka_unit_test(features_are_rows_of_columns),
        cmocka_unit_test(sparse_features_come_back_with_their_values_or_without),
        cmocka_unit_test(an_attribute_called_id_is_left_out_of_the_table),
        cmocka_unit_test(names_of_classes_are_in_the_meta_file_where_there_are_any),
        cmocka_unit_test(a_folder_takes_a_name_that_is_free),
        cmocka_unit_test(paths_are_joined_by_one_slash),
        cmocka_unit_test(only_files_that_hold_something_are_written),
        cmocka_unit_test(the_name_of_a_single_class_comes_back),
        cmocka_unit_test(labels_go_up_to_the_highest_class),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
