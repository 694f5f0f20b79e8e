/* SPDX-License-Identifier: Apache-2.0 */
/* A sparse matrix as scipy.sparse.save_npz writes it: the adjacency matrix of a graph.
 *
 *   format   "csr", "csc" or "coo" (bsr and dia are refused)
 *   shape    (nodes, nodes)
 *   indices, indptr   of csr and csc;  row, col   of coo
 *   data     the weights; booleans that are all true are none
 *   _is_array   whether it was an array or a matrix, which does not matter
 *
 * Entry (i, j) is an edge from i to j, a stored zero too, as in a Matrix Market file.
 */
#include "io_npz.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { PAIRS = 1 << 12 };

void dgmi_io_npz_matrix_init(dgmi_io_npz_matrix *matrix) {
    *matrix = (dgmi_io_npz_matrix){
        .shape = {-1, -1}, .start_count = -1, .entries = -1, .column_count = -1, .value_count = -1};
}

void dgmi_io_npz_matrix_free(dgm_context *ctx, dgmi_io_npz_matrix *matrix) {
    dgmi_free(ctx, matrix->starts);
    matrix->starts = NULL;
}

/* What a take function works on. */
typedef struct {
    dgmi_io_npz_matrix *matrix;
    const dgmi_io_npz_target *target;
    dgmi_bytes_npy *npy;
    uint32_t *pairs; /* room for PAIRS edges */
} matrix_job;

#define fail_matrix(target, ...)                                                                   \
    dgmi_fail_in((target)->ctx, DGM_ERROR_FORMAT, (target)->file, __VA_ARGS__)

static bool is_coo(const dgmi_io_npz_matrix *matrix) {
    return strcmp(matrix->format, "coo") == 0;
}

/* ---- facts ---- */

static dgm_status take_format(dgmi_io_npz_matrix *matrix, const dgmi_io_npz_target *target,
                              const dgmi_bytes_npz_member *member) {
    dgm_status status =
        dgmi_bytes_npy_read_word(target->ctx, target->file, "format", member->read, member->source,
                                 matrix->format, sizeof matrix->format);
    if (status != DGM_OK || is_coo(matrix) || strcmp(matrix->format, "csr") == 0 ||
        strcmp(matrix->format, "csc") == 0)
        return status;
    return fail_matrix(target,
                       "a sparse matrix in the format \"%s\"; save it as csr, csc or coo "
                       "(matrix.tocsr())",
                       matrix->format);
}

static dgm_status take_shape(matrix_job *job) {
    void *values = NULL;
    dgmi_io_npz_matrix *matrix = job->matrix;
    if (job->npy->count != 2)
        return dgmi_bytes_npy_fail(job->npy, DGM_ERROR_FORMAT,
                                   "two numbers are needed, (rows, columns)");
    dgm_status status = dgmi_bytes_npy_read(job->npy, DGMI_BYTES_NPY_COUNT, &values);
    if (status == DGM_OK)
        memcpy(matrix->shape, values, sizeof matrix->shape);
    dgmi_free(job->target->ctx, values);
    if (status == DGM_OK && matrix->shape[0] != matrix->shape[1])
        status = fail_matrix(job->target,
                             "a matrix of %lld x %lld; a graph is a square matrix, one row and one "
                             "column a node",
                             (long long)matrix->shape[0], (long long)matrix->shape[1]);
    return status;
}

static dgm_status take_starts(matrix_job *job) {
    void *values = NULL;
    dgmi_io_npz_matrix *matrix = job->matrix;
    dgm_status status = dgmi_bytes_npy_read(job->npy, DGMI_BYTES_NPY_PLACE, &values);
    dgmi_free(job->target->ctx, matrix->starts);
    matrix->starts = values;
    matrix->start_count = status == DGM_OK ? job->npy->count : -1;
    if (status == DGM_OK && (matrix->start_count == 0 || matrix->starts[0] != 0))
        status = dgmi_bytes_npy_fail(job->npy, DGM_ERROR_DATA, "the first row must begin at 0");
    for (int64_t i = 1; status == DGM_OK && i < matrix->start_count; i++)
        if (matrix->starts[i] < matrix->starts[i - 1])
            status = dgmi_bytes_npy_fail(job->npy, DGM_ERROR_DATA, "row %lld ends before it begins",
                                         (long long)i - 1);
    return status;
}

static dgm_status check_facts(const dgmi_io_npz_matrix *matrix, const dgmi_io_npz_target *target) {
    if (matrix->shape[0] < 0)
        return fail_matrix(target, "a sparse matrix needs format and shape; save it with "
                                   "scipy.sparse.save_npz");
    if (!is_coo(matrix) && matrix->start_count != matrix->shape[0] + 1)
        return fail_matrix(target, "indptr has %lld numbers; a matrix of %lld rows needs one more",
                           (long long)(matrix->start_count < 0 ? 0 : matrix->start_count),
                           (long long)matrix->shape[0]);
    return DGM_OK;
}

/* ---- entries ---- */

static dgm_status refuse_outside(const matrix_job *job, uint32_t index) {
    return dgmi_bytes_npy_fail(job->npy, DGM_ERROR_DATA,
                               "the number %u lies outside a matrix of %lld x %lld", index,
                               (long long)job->matrix->shape[0], (long long)job->matrix->shape[1]);
}

static dgm_status check_inside(const matrix_job *job, const uint32_t *indices, int64_t count) {
    uint32_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = indices[i] > most ? indices[i] : most;
    return most >= job->matrix->shape[0] ? refuse_outside(job, most) : DGM_OK;
}

/* The row (of csc: the column) of every entry, known before the entries are. */
static dgm_status add_starts(matrix_job *job) {
    const dgmi_io_npz_matrix *matrix = job->matrix;
    dgm_status status = DGM_OK;
    for (int64_t row = 0, i = 0; status == DGM_OK && i < matrix->entries;) {
        int64_t count = 0;
        for (; i < matrix->entries && count < PAIRS; i++, count++) {
            while (matrix->starts[row + 1] <= i)
                row++;
            job->pairs[count] = (uint32_t)row;
        }
        status = dgmi_graph_builder_add_sources(job->target->builder, count, job->pairs);
    }
    return status;
}

/* Of csr, or of csc where directions do not count: the other end of edges whose rows are known. */
static dgm_status take_indices(void *user, int64_t first, int64_t count, const void *values) {
    (void)first;
    matrix_job *job = user;
    dgm_status status = check_inside(job, values, count);
    return status == DGM_OK ? dgmi_graph_builder_fill_targets(job->target->builder,
                                                              &job->matrix->columns, count, values)
                            : status;
}

/* Of csc where directions count: entry i leads from its index to its column. */
static dgm_status take_arcs(void *user, int64_t first, int64_t count, const void *values) {
    matrix_job *job = user;
    dgmi_io_npz_matrix *matrix = job->matrix;
    const uint32_t *indices = values;
    dgm_status status = check_inside(job, indices, count);
    for (int64_t i = 0; status == DGM_OK && i < count;) {
        int64_t pairs = 0;
        for (; i < count && pairs < PAIRS; i++, pairs++) {
            while (matrix->starts[matrix->row + 1] <= first + i)
                matrix->row++;
            job->pairs[2 * pairs] = indices[i];
            job->pairs[2 * pairs + 1] = (uint32_t)matrix->row;
        }
        status = dgm_graph_builder_add(job->target->builder, pairs, job->pairs, NULL);
    }
    return status;
}

static dgm_status take_rows(void *user, int64_t first, int64_t count, const void *values) {
    (void)first;
    matrix_job *job = user;
    dgm_status status = check_inside(job, values, count);
    return status == DGM_OK ? dgmi_graph_builder_add_sources(job->target->builder, count, values)
                            : status;
}

static dgm_status take_columns(void *user, int64_t first, int64_t count, const void *values) {
    (void)first;
    matrix_job *job = user;
    dgm_status status = check_inside(job, values, count);
    return status == DGM_OK ? dgmi_graph_builder_fill_targets(job->target->builder,
                                                              &job->matrix->columns, count, values)
                            : status;
}

static dgm_status take_ends(matrix_job *job) {
    dgmi_io_npz_matrix *matrix = job->matrix;
    dgm_status status = check_facts(matrix, job->target);
    if (status != DGM_OK)
        return status;
    if (matrix->entries >= 0)
        return dgmi_bytes_npy_fail(job->npy, DGM_ERROR_FORMAT, "stands twice in the file");
    matrix->entries = job->npy->count;
    if (is_coo(matrix))
        return dgmi_bytes_npy_each(job->npy, DGMI_BYTES_NPY_NODE, take_rows, job);
    if (matrix->entries != matrix->starts[matrix->start_count - 1])
        return dgmi_bytes_npy_fail(job->npy, DGM_ERROR_DATA, "%lld entries, but indptr counts %lld",
                                   (long long)matrix->entries,
                                   (long long)matrix->starts[matrix->start_count - 1]);
    if (strcmp(matrix->format, "csc") == 0 && job->target->directed)
        return dgmi_bytes_npy_each(job->npy, DGMI_BYTES_NPY_NODE, take_arcs, job);
    status = add_starts(job);
    return status == DGM_OK ? dgmi_bytes_npy_each(job->npy, DGMI_BYTES_NPY_NODE, take_indices, job)
                            : status;
}

/* ---- values ---- */

/* Edges that were passed over weigh 1. */
static dgm_status fill_ones(matrix_job *job) {
    double ones[PAIRS];
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < PAIRS; i++)
        ones[i] = 1;
    while (status == DGM_OK && job->matrix->ones > 0) {
        int64_t count = job->matrix->ones < PAIRS ? job->matrix->ones : PAIRS;
        status = dgmi_graph_builder_fill_weights(job->target->builder, &job->matrix->values, count,
                                                 ones);
        job->matrix->ones -= count;
    }
    return status;
}

static bool all_ones(const double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (values[i] != 1)
            return false;
    return true;
}

static dgm_status take_values(void *user, int64_t first, int64_t count, const void *values) {
    matrix_job *job = user;
    dgmi_io_npz_matrix *matrix = job->matrix;
    bool pattern = job->npy->kind == 'b' && matrix->ones == first;
    if (pattern && all_ones(values, count)) {
        matrix->ones += count;
        return DGM_OK;
    }
    dgm_status status = fill_ones(job);
    return status == DGM_OK ? dgmi_graph_builder_fill_weights(job->target->builder, &matrix->values,
                                                              count, values)
                            : status;
}

/* Columns of coo and values: one for every entry, which are all there by now. */
static dgm_status take_beside(matrix_job *job, int64_t *met, dgmi_bytes_npy_type type,
                              dgmi_bytes_npy_take_fn take) {
    if (*met >= 0)
        return dgmi_bytes_npy_fail(job->npy, DGM_ERROR_FORMAT, "stands twice in the file");
    *met = job->npy->count;
    if (*met != job->matrix->entries)
        return dgmi_bytes_npy_fail(
            job->npy, DGM_ERROR_DATA, "%lld numbers for %lld entries", (long long)*met,
            (long long)(job->matrix->entries < 0 ? 0 : job->matrix->entries));
    return dgmi_bytes_npy_each(job->npy, type, take, job);
}

/* ---- members ---- */

typedef enum { FORMAT, SHAPE, STARTS, INDICES, ROWS, COLUMNS, VALUES, IS_ARRAY, PARTS } part;

static const struct {
    const char *name;
    int pass;
} parts[PARTS] = {
    [FORMAT] = {"format", DGMI_IO_NPZ_FACTS}, [SHAPE] = {"shape", DGMI_IO_NPZ_FACTS},
    [STARTS] = {"indptr", DGMI_IO_NPZ_FACTS}, [INDICES] = {"indices", DGMI_IO_NPZ_ENDS},
    [ROWS] = {"row", DGMI_IO_NPZ_ENDS},       [COLUMNS] = {"col", DGMI_IO_NPZ_REST},
    [VALUES] = {"data", DGMI_IO_NPZ_REST},    [IS_ARRAY] = {"_is_array", -1},
};

static dgm_status take_part(matrix_job *job, part which) {
    switch (which) {
    case SHAPE:
        return take_shape(job);
    case STARTS:
        return take_starts(job);
    case INDICES:
    case ROWS:
        return (which == ROWS) == is_coo(job->matrix) ? take_ends(job) : DGM_OK;
    case COLUMNS:
        return is_coo(job->matrix)
                   ? take_beside(job, &job->matrix->column_count, DGMI_BYTES_NPY_NODE, take_columns)
                   : DGM_OK;
    default:
        return take_beside(job, &job->matrix->value_count, DGMI_BYTES_NPY_REAL, take_values);
    }
}

dgm_status dgmi_io_npz_matrix_take(dgmi_io_npz_matrix *matrix, const dgmi_io_npz_target *target,
                                   int pass, const dgmi_bytes_npz_member *member, bool *known) {
    int which = 0;
    while (which < PARTS && strcmp(member->name, parts[which].name) != 0)
        which++;
    *known = which < PARTS;
    if (which == PARTS || parts[which].pass != pass)
        return DGM_OK;
    if (which == FORMAT)
        return take_format(matrix, target, member);
    dgmi_bytes_npy npy;
    dgmi_hold hold = dgmi_arena_hold(target->ctx);
    matrix_job job = {matrix, target, &npy, dgmi_scratch(target->ctx, 2 * PAIRS, sizeof(uint32_t))};
    dgm_status status = job.pairs
                            ? dgmi_bytes_npy_open(target->ctx, target->file, parts[which].name,
                                                  member->read, member->source, &npy)
                            : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = take_part(&job, (part)which);
    dgmi_arena_release(target->ctx, hold);
    return status;
}

dgm_status dgmi_io_npz_matrix_check(const dgmi_io_npz_matrix *matrix,
                                    const dgmi_io_npz_target *target) {
    dgm_status status = check_facts(matrix, target);
    if (status == DGM_OK && (matrix->entries < 0 || (is_coo(matrix) && matrix->column_count < 0)))
        status = fail_matrix(target, "a sparse matrix in the format %s needs %s", matrix->format,
                             is_coo(matrix) ? "row and col" : "indices and indptr");
    return status;
}
