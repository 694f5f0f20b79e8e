/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a lens file (FUZZ_FILE gives the format), with and without a graph whose nodes its
 * rows are matched to: a matrix of finite numbers comes out or an error, and written and read again
 * it is the same.
 */
#include "fuzz_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *check_matrix(const dgm_matrix *matrix) {
    int64_t count = dgm_matrix_rows(matrix) * dgm_matrix_columns(matrix);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(dgm_matrix_values(matrix)[i]))
            return "a value is not finite";
    for (int64_t c = 0; c < dgm_matrix_columns(matrix); c++)
        if (!dgm_matrix_column_name(matrix, c))
            return "a column has no name";
    return NULL;
}

static const char *check_same(const dgm_matrix *a, const dgm_matrix *b) {
    int64_t rows = dgm_matrix_rows(a), columns = dgm_matrix_columns(a);
    if (rows != dgm_matrix_rows(b) || columns != dgm_matrix_columns(b))
        return "the sizes differ";
    for (int64_t i = 0; i < rows * columns; i++)
        if (dgm_matrix_values(a)[i] != dgm_matrix_values(b)[i])
            return "a value differs";
    return NULL;
}

/* Four nodes with names, as lens files may call them. */
static dgm_graph *make_graph(dgm_context *ctx) {
    static const char *const names[] = {"a", "b", "New York", "7"};
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    dgm_graph_builder *builder;
    dgm_graph *graph = NULL;
    uint32_t node;
    if (dgm_graph_builder_create(ctx, NULL, &builder) != DGM_OK)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dgm_graph_builder_node(builder, names[i], strlen(names[i]), &node) != DGM_OK)
            fuzz_refuse("graph", "cannot be made");
    if (dgm_graph_builder_add(builder, 3, ends, NULL) != DGM_OK ||
        dgm_graph_builder_finish(builder, &graph) != DGM_OK)
        fuzz_refuse("graph", "cannot be made");
    return graph;
}

static dgm_graph *named_graph;

static void free_graph(void) {
    dgm_graph_free(named_graph);
}

static void check_round_trip(dgm_context *ctx, const dgm_matrix *matrix, const dgm_graph *of) {
    dgm_matrix *back = NULL;
    const char *path = fuzz_save("back-" FUZZ_FILE, "", 0);
    dgm_status status = dgm_matrix_write(ctx, matrix, of, path);
    if (status == DGM_ERROR_MEMORY)
        return;
    fuzz_refuse("write", status == DGM_OK ? NULL : "a matrix that was read cannot be written");
    status = dgm_matrix_read(ctx, path, of, &back);
    fuzz_refuse("read again", status == DGM_OK ? NULL : "what was written cannot be read");
    fuzz_refuse("round trip", check_same(matrix, back));
    dgm_matrix_free(back);
}

static void try_matrix(dgm_context *ctx, const uint8_t *data, size_t size, const dgm_graph *of) {
    dgm_matrix *matrix = NULL;
    const char *path = fuzz_save(FUZZ_FILE, data, size);
    dgm_status status = dgm_matrix_read(ctx, path, of, &matrix);
    fuzz_check_failure(status, matrix);
    if (status != DGM_OK)
        return;
    fuzz_refuse("matrix", check_matrix(matrix));
    if (of && dgm_matrix_rows(matrix) != dgm_graph_nodes(of))
        fuzz_refuse("matrix", "rows are not nodes");
    if (dgm_matrix_rows(matrix) > 0 && dgm_matrix_columns(matrix) > 0)
        check_round_trip(ctx, matrix, of);
    dgm_matrix_free(matrix);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    bool named = fuzz_bits(data, size) & 1;
    if (!named_graph) {
        named_graph = make_graph(ctx);
        atexit(free_graph);
    }
    if (fuzz_whole || !named)
        try_matrix(ctx, data, size, NULL);
    if (fuzz_whole || named)
        try_matrix(ctx, data, size, named_graph);
    return 0;
}
