/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs written as .npz and .npy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "npz_sample.h"

static void what_is_written_is_read_back(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(scratch_bytes("g.npz", graph_stored, sizeof graph_stored));
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npz"), DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npz.gz"), DGM_FORMAT_AUTO),
                     DGM_OK);
    scratch_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npy"), DGM_FORMAT_AUTO), DGM_OK);
    assert_non_null(strstr(scratch_notes, "an edge_index alone holds no weights"));
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npz"));
    expect_all(graph);
    assert_string_equal(scratch_notes, "");
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npz.gz"));
    expect_all(graph);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npy"));
    expect_path(graph, 4);
    dgm_graph_free(graph);
}

enum { NODES = 4, WIDTH = 5 };
static const int64_t feature_offsets[] = {0, 2, 2, 5, 6};
static const uint32_t feature_columns[] = {1, 4, 0, 2, 3, 4};
static const float feature_values[] = {0.5F, -2, 3, 1e-30F, 7, 8.25F};

/* A path with rows of two, none, three and one entry in columns 0 to 4, or with ones there. */
static dgm_graph *with_sparse_features(bool ones) {
    const dgm_graph_features sparse_rows = {WIDTH, feature_offsets, feature_columns,
                                            ones ? NULL : feature_values};
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &sparse_rows), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_non_null(dgm_graph_get_features(graph).columns);
    return graph;
}

static void sparse_features_come_back_cell_by_cell(void **state) {
    (void)state;
    for (int ones = 0; ones < 2; ones++) {
        float expected[NODES * WIDTH] = {0};
        for (int u = 0; u < NODES; u++)
            for (int64_t i = feature_offsets[u]; i < feature_offsets[u + 1]; i++)
                expected[u * WIDTH + (int)feature_columns[i]] = ones ? 1 : feature_values[i];
        dgm_graph *graph = with_sparse_features(ones);
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("x.npz"), DGM_FORMAT_AUTO),
                         DGM_OK);
        dgm_graph_free(graph);
        graph = scratch_read(scratch_path("x.npz"));
        dgm_graph_features back = dgm_graph_get_features(graph);
        float cells[NODES * WIDTH] = {0};
        assert_int_equal(back.width, WIDTH);
        for (int u = 0; u < NODES && back.columns; u++)
            for (int64_t i = back.offsets[u]; i < back.offsets[u + 1]; i++)
                cells[u * WIDTH + (int)back.columns[i]] = back.values ? back.values[i] : 1;
        if (!back.columns)
            memcpy(cells, back.values, sizeof cells);
        assert_memory_equal(cells, expected, sizeof cells);
        dgm_graph_free(graph);
    }
}

/* A ring of so many nodes. */
static dgm_graph *ring(uint32_t nodes) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 0; u < nodes; u++)
        assert_int_equal(dgm_graph_builder_add(builder, 1, (uint32_t[]){u, (u + 1) % nodes}, NULL),
                         DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

/* A header of 128 bytes and 8176 numbers are one block; a node more is four numbers more. */
static void arrays_that_end_with_a_block_and_behind_it_come_back(void **state) {
    (void)state;
    enum { BLOCK = 1 << 16 };
    for (uint32_t nodes = 2043; nodes < 2046; nodes++) {
        dgm_graph *graph = ring(nodes);
        size_t size;
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("r.npy"), DGM_FORMAT_AUTO),
                         DGM_OK);
        free(scratch_content(scratch_path("r.npy"), &size));
        assert_int_equal(size, BLOCK + 32 * ((int)nodes - 2044));
        dgm_graph *back = scratch_read(scratch_path("r.npy"));
        dgm_graph_rows a = dgm_graph_get_rows(graph), b = dgm_graph_get_rows(back);
        assert_int_equal(b.entries, 2 * nodes);
        assert_memory_equal(a.targets, b.targets, 2 * nodes * sizeof *a.targets);
        dgm_graph_free(graph);
        dgm_graph_free(back);
    }
}

static void directions_and_loops_are_kept(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 2, 2, 3, 0};
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("d.npz"), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph *back = scratch_read_with(scratch_path("d.npz"), &options, NULL);
    dgm_graph_rows a = dgm_graph_get_rows(graph), b = dgm_graph_get_rows(back);
    assert_int_equal(b.entries, 3);
    assert_memory_equal(a.offsets, b.offsets, 5 * sizeof *a.offsets);
    assert_memory_equal(a.targets, b.targets, 3 * sizeof *a.targets);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

static void the_same_graph_gives_the_same_bytes(void **state) {
    (void)state;
    size_t sizes[2];
    char *bytes[2];
    for (int i = 0; i < 2; i++) {
        dgm_graph *graph =
            scratch_read(scratch_bytes("g.npz", graph_deflated, sizeof graph_deflated));
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("s.npz"), DGM_FORMAT_AUTO),
                         DGM_OK);
        bytes[i] = scratch_content(scratch_path("s.npz"), &sizes[i]);
        dgm_graph_free(graph);
        setenv("TZ", i ? "UTC" : "Asia/Tokyo", 1);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* What an .npy of a graph cannot hold is said. */
static void an_array_of_edges_says_what_it_leaves_out(void **state) {
    (void)state;
    static const struct {
        const char *json, *words;
    } cases[] = {
        {"{\"nodes\":[{\"id\":0},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1}]}", ""},
        {"{\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2}],\"links\":[{\"source\":0,\"target\":1}]}",
         "nor nodes without edges"},
        {"{\"nodes\":[{\"id\":0},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1,\"weight\":2}]}",
         "holds no weights"},
        {"{\"nodes\":[{\"id\":0,\"age\":3},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1}]}",
         "hold no node attributes: 1 are left out"},
        {"{\"nodes\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"links\":[{\"source\":\"a\",\"target\":"
         "\"b\"}]}",
         "names are not kept"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dgm_graph *graph = scratch_read(scratch_text("g.json", cases[k].json));
        scratch_notes[0] = '\0';
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO),
                         DGM_OK);
        if (cases[k].words[0] ? !strstr(scratch_notes, cases[k].words) : scratch_notes[0])
            fail_msg("case %zu: %s", k, scratch_notes);
        dgm_graph_free(graph);
    }
    const int64_t labels[] = {1, 0, 1};
    const uint8_t mask[] = {1, 0, 0};
    static const char *const members[] = {"x", "y", "train_mask"};
    for (int k = 0; k < 3; k++) {
        arrays zip = with_path();
        add(&zip, members[k], k < 2 ? "<i8" : "|b1", "(3,)", k < 2 ? (const void *)labels : mask,
            k < 2 ? 24 : 3);
        dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO),
                         DGM_OK);
        assert_non_null(strstr(scratch_notes, "an edge_index alone holds no weights, features"));
        dgm_graph_free(graph);
    }
}

/* The last node has arcs out, and none in: it is in the array. */
static void an_array_of_arcs_holds_nodes_with_arcs_out_alone(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = scratch_read_with(scratch_text("g.txt", "3 0\n1 0\n2 1\n"), &directed, NULL);
    scratch_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO), DGM_OK);
    assert_string_equal(scratch_notes, "");
    dgm_graph_free(graph);
    graph = scratch_read_with(scratch_path("g.npy"), &directed, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    dgm_graph_free(graph);
}

/* The end of a zip says how many members it has; readers that start there rely on it. */
static void the_end_of_the_zip_counts_its_members(void **state) {
    (void)state;
    arrays zip = with_path();
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    const char *path = scratch_path("w.npz");
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    static unsigned char bytes[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file), entries = 0, end = 0;
    fclose(file);
    for (size_t i = 0; i + 4 <= size; i++) {
        entries += memcmp(bytes + i, "PK\1\2", 4) == 0;
        end = memcmp(bytes + i, "PK\6\6", 4) == 0 ? i : end; /* the one of 64 bits */
    }
    assert_true(entries > 0 && end > 0);
    for (int which = 0; which < 2; which++) { /* on this disk, and in all */
        uint64_t said = 0;
        for (int k = 7; k >= 0; k--)
            said = said << 8 | bytes[end + 24 + 8 * (size_t)which + (size_t)k];
        assert_int_equal(said, entries);
    }
    dgm_graph_free(graph);
}

static dgm_status write_all(void *graph) {
    return dgm_graph_write(ctx, graph, scratch_path("f.npz"), DGM_FORMAT_AUTO);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(scratch_bytes("f.npz", graph_deflated, sizeof graph_deflated));
    scratch_fail_each(write_all, graph);
    dgm_graph_free(graph);
    graph = with_sparse_features(false);
    scratch_fail_each(write_all, graph);
    dgm_graph_free(graph);
    graph = ring(3000);
    scratch_fail_each(write_all, graph);
    dgm_graph_free(graph);
}

static void cancelling_stops_the_writer(void **state) {
    (void)state;
    arrays zip = with_path();
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    const char *path = scratch_path("cancelled.npz");
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_ERROR_CANCELLED);
    dgm_context_resume(ctx);
    scratch_check_error("interrupted while writing");
    assert_int_not_equal(access(path, F_OK), 0);
    dgm_graph_free(graph);
}

/* ---- every field of the zip, as APPNOTE.TXT of PKWARE has it ---- */

static const unsigned char *zip_at;

/* The next little-endian number of so many bytes. */
static uint64_t next_field(int bytes) {
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)*zip_at++ << (8 * k);
    return value;
}

static void expect_fields(int count, const uint64_t fields[][2]) {
    for (int i = 0; i < count; i++)
        assert_int_equal(next_field((int)fields[i][1]), fields[i][0]);
}

typedef struct {
    uint64_t crc, size, place;
} zip_member;

/* From the version that is needed to the length of the extra field (4.3.7 and 4.3.12). */
static void expect_common(const char *name, zip_member *member, uint64_t extra) {
    expect_fields(5, (const uint64_t[][2]){{45, 2}, {0, 2}, {0, 2}, {0, 2}, {33, 2}});
    member->crc = next_field(4);
    expect_fields(
        4, (const uint64_t[][2]){{UINT32_MAX, 4}, {UINT32_MAX, 4}, {strlen(name), 2}, {extra, 2}});
}

static void expect_name(const char *name) {
    assert_memory_equal(zip_at, name, strlen(name));
    zip_at += strlen(name);
}

/* The field of 64 bits (4.5.3). */
static void expect_sizes(zip_member *member, uint64_t bytes) {
    expect_fields(2, (const uint64_t[][2]){{1, 2}, {bytes, 2}});
    member->size = next_field(8);
    assert_int_equal(next_field(8), member->size);
}

static void every_field_of_the_zip_is_that_of_the_standard(void **state) {
    (void)state;
    static const char *const names[] = {"edge_index.npy", "num_nodes.npy"};
    zip_member members[2], again;
    arrays zip = with_path();
    size_t size;
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npz"), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph_free(graph);
    char *bytes = scratch_content(scratch_path("w.npz"), &size);
    const unsigned char *start = (const unsigned char *)bytes;
    zip_at = start;
    for (int i = 0; i < 2; i++) {
        members[i].place = (uint64_t)(zip_at - start);
        assert_int_equal(next_field(4), 0x04034b50);
        expect_common(names[i], &members[i], 20);
        expect_name(names[i]);
        expect_sizes(&members[i], 16);
        assert_int_equal(crc_of(zip_at, members[i].size), members[i].crc);
        zip_at += members[i].size;
    }
    uint64_t directory = (uint64_t)(zip_at - start);
    for (int i = 0; i < 2; i++) {
        expect_fields(2, (const uint64_t[][2]){{0x02014b50, 4}, {45, 2}});
        expect_common(names[i], &again, 28);
        expect_fields(3, (const uint64_t[][2]){{0, 6}, {0, 4}, {UINT32_MAX, 4}});
        expect_name(names[i]);
        expect_sizes(&again, 24);
        assert_int_equal(again.crc, members[i].crc);
        assert_int_equal(again.size, members[i].size);
        assert_int_equal(next_field(8), members[i].place);
    }
    uint64_t end = (uint64_t)(zip_at - start);
    expect_fields(9, (const uint64_t[][2]){{0x06064b50, 4}, /* 4.3.14 */
                                           {44, 8},
                                           {45, 2},
                                           {45, 2},
                                           {0, 8},
                                           {2, 8},
                                           {2, 8},
                                           {end - directory, 8},
                                           {directory, 8}});
    expect_fields(4, (const uint64_t[][2]){{0x07064b50, 4}, {0, 4}, {end, 8}, {1, 4}}); /* 4.3.15 */
    expect_fields(7, (const uint64_t[][2]){{0x06054b50, 4},                             /* 4.3.16 */
                                           {0, 4},
                                           {0xFFFF, 2},
                                           {0xFFFF, 2},
                                           {UINT32_MAX, 4},
                                           {UINT32_MAX, 4},
                                           {0, 2}});
    assert_int_equal(zip_at - start, size);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(sparse_features_come_back_cell_by_cell),
        cmocka_unit_test(arrays_that_end_with_a_block_and_behind_it_come_back),
        cmocka_unit_test(directions_and_loops_are_kept),
        cmocka_unit_test(the_same_graph_gives_the_same_bytes),
        cmocka_unit_test(an_array_of_edges_says_what_it_leaves_out),
        cmocka_unit_test(an_array_of_arcs_holds_nodes_with_arcs_out_alone),
        cmocka_unit_test(the_end_of_the_zip_counts_its_members),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(cancelling_stops_the_writer),
        cmocka_unit_test(every_field_of_the_zip_is_that_of_the_standard),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
