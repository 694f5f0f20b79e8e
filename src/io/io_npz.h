/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the reader of .npz files; io_npz.c says what such a file holds. */
#ifndef IO_NPZ_H
#define IO_NPZ_H

#include "dgm/graph.h"

#include "bytes_npz.h"
#include "graph_builder.h"

/* ---- a sparse matrix as SciPy saves it (io_npz_matrix.c) ---- */

typedef struct dgmi_io_npz_matrix {
    char format[8];      /* "csr", "csc" or "coo" */
    int64_t shape[2];    /* rows and columns; -1: not read yet */
    int64_t *starts;     /* where each row of csr, or column of csc, begins; owned */
    int64_t start_count; /* how many there are; -1: not read yet */

    int64_t entries;      /* the number of entries, as their places say; -1: not read yet */
    int64_t row;          /* the row, or column of csc, of the entry that passes by */
    int64_t column_count; /* the number of columns of coo; -1: not read yet */
    int64_t value_count;  /* the number of values; -1: not read yet */
    int64_t ones;         /* how many values were passed over so far, all of which are true */
    dgmi_graph_record_cursor columns, values; /* where the builder takes them */
} dgmi_io_npz_matrix;

/* The builder that takes the edges, and what messages need. */
typedef struct dgmi_io_npz_target {
    dgm_context *ctx;
    const char *file;
    dgm_graph_builder *builder;
    bool directed;
} dgmi_io_npz_target;

/* The passes over the members of the file: each looks for what the ones after it need to know. */
enum {
    DGMI_IO_NPZ_NAMES,
    DGMI_IO_NPZ_FACTS,
    DGMI_IO_NPZ_ENDS,
    DGMI_IO_NPZ_REST,
    DGMI_IO_NPZ_PASSES
};

void dgmi_io_npz_matrix_init(dgmi_io_npz_matrix *matrix);
void dgmi_io_npz_matrix_free(dgm_context *ctx, dgmi_io_npz_matrix *matrix);
/* Takes the member if it belongs to the matrix and to this pass. *known says whether it belongs to
 * the matrix at all. */
dgm_status dgmi_io_npz_matrix_take(dgmi_io_npz_matrix *matrix, const dgmi_io_npz_target *target,
                                   int pass, const dgmi_bytes_npz_member *member, bool *known);
/* Fails if a member of the matrix is missing or does not fit the others. */
dgm_status dgmi_io_npz_matrix_check(const dgmi_io_npz_matrix *matrix,
                                    const dgmi_io_npz_target *target);

#endif
