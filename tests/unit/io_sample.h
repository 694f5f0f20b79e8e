/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of graph formats share. Included once a program, after cmocka.h. */
#ifndef IO_SAMPLE_H
#define IO_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

#include "unit_balance.h"
static char notes[4096]; /* all notes since the last read, each followed by a newline */

static inline void take_note(void *user, const char *note) {
    (void)user;
    size_t used = strlen(notes);
    snprintf(notes + used, sizeof notes - used, "%s\n", note);
}

static inline int make_context(void **state) {
    (void)state;
    int failed = dgm_context_create(NULL, &ctx);
    if (!failed)
        dgm_context_set_notes(ctx, take_note, NULL);
    return failed;
}

static inline int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

static inline dgm_status try_text(const char *name, const char *text, size_t size,
                                  const dgm_graph_options *options, dgm_graph **graph) {
    notes[0] = '\0';
    return dgm_graph_read_memory(ctx, text, size, name, DGM_FORMAT_AUTO, options, graph);
}

static inline dgm_graph *read_text(const char *name, const char *text,
                                   const dgm_graph_options *options) {
    dgm_graph *graph;
    if (try_text(name, text, strlen(text), options, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* The last error tells no byte of the file, unless a library for XML or JSON counted them. */
static inline void assert_no_byte(const char *name) {
    if (!strstr(name, ".graphml") && !strstr(name, ".gexf") && !strstr(name, ".json"))
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
}

/* The text is refused with exactly this sentence. */
static inline void refuse_text(const char *name, const char *text, const char *sentence) {
    dgm_graph *graph;
    dgm_status status = try_text(name, text, strlen(text), NULL, &graph);
    assert_string_equal(dgm_context_error(ctx), sentence);
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_null(graph);
    assert_no_byte(name);
}

/* The bytes are refused, and the sentence has these words in it. */
static inline void refuse_bytes(const char *name, const char *bytes, size_t size,
                                const char *words) {
    dgm_graph *graph;
    dgm_status status = try_text(name, bytes, size, NULL, &graph);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("'%s' is not in '%s'", words, dgm_context_error(ctx));
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_null(graph);
    assert_no_byte(name);
}

static inline dgm_graph *read_data(const char *name, const dgm_graph_options *options) {
    char path[1024];
    dgm_graph *graph;
    const char *root = getenv("DGM_TEST_DATA");
    notes[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", root ? root : "tests/data", name);
    if (dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options, NULL, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* A file of that name in a new folder; clean_up removes both. */
static char temporary[256];
static inline const char *temporary_file(const char *name) {
    const char *root = getenv("TMPDIR");
    char folder[128];
    snprintf(folder, sizeof folder, "%s/dgm-test-XXXXXX", root ? root : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(temporary, sizeof temporary, "%s/%s", folder, name);
    return temporary;
}

static inline void clean_up(void) {
    unlink(temporary);
    *strrchr(temporary, '/') = '\0';
    assert_int_equal(rmdir(temporary), 0);
}

static inline dgm_graph *write_and_read(const dgm_graph *graph, const char *name,
                                        const dgm_graph_options *options) {
    dgm_graph *back;
    const char *path = temporary_file(name);
    notes[0] = '\0';
    if (dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    if (dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options, NULL, &back) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    clean_up();
    return back;
}

/* What the file holds, to be freed. */
static inline char *written(const dgm_graph *graph, const char *name) {
    const char *path = temporary_file(name);
    notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    clean_up();
    return text;
}

static inline void assert_name(const dgm_graph *graph, int64_t node, const char *name) {
    char buffer[256];
    dgm_graph_name(graph, node, buffer, sizeof buffer);
    assert_string_equal(buffer, name);
}

static inline dgm_attribute find_attribute(const dgm_graph *graph, const char *name) {
    int64_t index = dgm_graph_attribute_find(graph, name);
    if (index < 0)
        fail_msg("no attribute '%s'", name);
    return dgm_graph_attribute(graph, index);
}

/* NaN: missing. */
static inline void assert_number(const dgm_graph *graph, const char *name, int64_t node,
                                 double value) {
    dgm_attribute attribute = find_attribute(graph, name);
    assert_int_equal(attribute.kind, DGM_ATTRIBUTE_NUMBER);
    double found = attribute.numbers[node];
    if (isnan(value) ? !isnan(found) : found != value)
        fail_msg("%s[%d] is %.17g, not %.17g", name, (int)node, found, value);
}

/* Whole numbers up to 2^53 are read as they are. Beyond it, those that a double does not hold are
 * rounded, and a note says so. The number, attribute "a" of node 0, stands between both texts. */
static inline void check_large_numbers(const char *name, const char *before, const char *after) {
    static const struct {
        const char *number;
        bool rounded;
    } cases[] = {{"9007199254740992", false},
                 {"9007199254740993", true},
                 {"9223372036854775807", true},
                 {"-9223372036854775808", false},
                 {"1e30", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128], note[128] = "";
        snprintf(text, sizeof text, "%s%s%s", before, cases[k].number, after);
        if (cases[k].rounded)
            snprintf(note, sizeof note, "%s: 1 whole numbers beyond 2^53 were rounded\n", name);
        dgm_graph *graph = read_text(name, text, NULL);
        assert_number(graph, "a", 0, strtod(cases[k].number, NULL));
        assert_string_equal(notes, note);
        dgm_graph_free(graph);
    }
}

/* NULL: missing. */
static inline void assert_text(const dgm_graph *graph, const char *name, int64_t node,
                               const char *value) {
    dgm_attribute attribute = find_attribute(graph, name);
    assert_int_equal(attribute.kind, DGM_ATTRIBUTE_TEXT);
    if (value && attribute.texts[node])
        assert_string_equal(attribute.texts[node], value);
    else
        assert_ptr_equal(attribute.texts[node], value);
}

/* The weight of the arc, or -1 if there is none. */
static inline double weight_of(const dgm_graph *graph, uint32_t from, uint32_t to) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t e = rows.offsets[from]; e < rows.offsets[from + 1]; e++)
        if (rows.targets[e] == to)
            return rows.weights ? rows.weights[e] : 1;
    return -1;
}

static inline void assert_same_attribute(dgm_attribute a, const dgm_graph *other, int64_t nodes) {
    for (int64_t i = 0; i < nodes; i++)
        if (a.kind == DGM_ATTRIBUTE_NUMBER)
            assert_number(other, a.name, i, a.numbers[i]);
        else
            assert_text(other, a.name, i, a.texts[i]);
}

/* Rows, weights, names, labels and attributes. */
static inline void assert_same_graph(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    assert_int_equal(x.nodes, y.nodes);
    assert_int_equal(x.entries, y.entries);
    assert_int_equal(x.directed, y.directed);
    assert_memory_equal(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets);
    if (x.entries)
        assert_memory_equal(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets);
    assert_int_equal(x.weights != NULL, y.weights != NULL);
    if (x.weights)
        assert_memory_equal(x.weights, y.weights, (size_t)x.entries * sizeof *x.weights);
    assert_int_equal(dgm_graph_name_base(a), dgm_graph_name_base(b));
    for (int64_t u = 0; u < x.nodes; u++) {
        char name[256];
        dgm_graph_name(a, u, name, sizeof name);
        assert_name(b, u, name);
    }
    const int32_t *labels = dgm_graph_labels(a);
    assert_int_equal(labels != NULL, dgm_graph_labels(b) != NULL);
    if (labels)
        assert_memory_equal(labels, dgm_graph_labels(b), (size_t)x.nodes * sizeof *labels);
    assert_int_equal(dgm_graph_attributes(a), dgm_graph_attributes(b));
    for (int64_t k = 0; k < dgm_graph_attributes(a); k++)
        assert_same_attribute(dgm_graph_attribute(a, k), b, x.nodes);
}

#endif
