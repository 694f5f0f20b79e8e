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
    int64_t shape[2];    /* {-1, -1}: not read yet */
    int64_t *starts;     /* of the rows of csr, of the columns of csc; owned */
    int64_t start_count; /* -1: not read yet */

    int64_t entries;                   /* -1: no places of entries yet */
    int64_t row;                       /* at hand, while the entries of csr and csc pass by */
    int64_t column_count, value_count; /* columns of coo, values; -1: none yet */
    int64_t ones;                      /* values passed over so far, all of them true */
    dgmi_graph_record_cursor columns, values;
} dgmi_io_npz_matrix;

/* Where arrays of edges go, whatever they are called. */
typedef struct dgmi_io_npz_target {
    dgm_context *ctx;
    const char *file;
    dgm_graph_builder *builder;
    bool directed;
} dgmi_io_npz_target;

enum {
    DGMI_IO_NPZ_NAMES,
    DGMI_IO_NPZ_FACTS,
    DGMI_IO_NPZ_ENDS,
    DGMI_IO_NPZ_REST,
    DGMI_IO_NPZ_PASSES
};

void dgmi_io_npz_matrix_init(dgmi_io_npz_matrix *matrix);
void dgmi_io_npz_matrix_free(dgm_context *ctx, dgmi_io_npz_matrix *matrix);
/* Takes the member if it belongs to the matrix and to this pass; *known says whether it belongs at
 * all. */
dgm_status dgmi_io_npz_matrix_take(dgmi_io_npz_matrix *matrix, const dgmi_io_npz_target *target,
                                   int pass, const dgmi_bytes_npz_member *member, bool *known);
/* Whether everything came, and fits. */
dgm_status dgmi_io_npz_matrix_check(const dgmi_io_npz_matrix *matrix,
                                    const dgmi_io_npz_target *target);

#endif
