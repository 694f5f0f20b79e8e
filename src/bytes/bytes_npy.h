/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy arrays, versions 1 to 3, of booleans, integers and reals.
 *
 *   "\x93NUMPY"           6 bytes
 *   major, minor          1 byte each
 *   length of the header  2 bytes, from version 2 on 4; little-endian
 *   header                a Python literal,
 *                         {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }
 *   data
 *
 * An array is read from a source of bytes, block by block, so that nothing is allocated because a
 * header says so. Pickled objects, records and strings are refused; nothing in a file is ever
 * executed.
 */
#ifndef BYTES_NPY_H
#define BYTES_NPY_H

#include <stdbool.h>
#include <stdint.h>

#include "base_text.h"
#include "dgm/context.h"

#include "bytes_stream.h"

/* Where bytes come from: like dgmi_bytes_stream_read, *got < size only at the end. */
typedef dgm_status (*dgmi_bytes_npy_read_fn)(void *user, void *buffer, int64_t size, int64_t *got);

enum { DGMI_BYTES_NPY_DIMENSIONS = 8 };

typedef struct dgmi_bytes_npy {
    char kind;    /* b: boolean, i: integer, u: unsigned, f: real; S and U are texts, which only
                     dgmi_bytes_npy_read_word reads */
    int width;    /* the number of bytes of an element */
    bool swapped; /* the bytes of an element are in the order of other machines */
    bool fortran; /* elements are stored column after column */
    int dimensions;
    int64_t shape[DGMI_BYTES_NPY_DIMENSIONS];
    int64_t count; /* the product of the shape */

    /* the rest is the reader's own */
    dgm_context *ctx;
    const char *file; /* for messages; borrowed */
    const char *what; /* the member of an archive, or NULL; borrowed */
    dgmi_bytes_npy_read_fn read;
    void *user;
} dgmi_bytes_npy;

/* Reads the header. */
dgm_status dgmi_bytes_npy_open(dgm_context *ctx, const char *file, const char *what,
                               dgmi_bytes_npy_read_fn read, void *user, dgmi_bytes_npy *out);
/* The same of a whole stream. */
dgm_status dgmi_bytes_npy_open_stream(dgm_context *ctx, dgmi_bytes_stream *stream,
                                      dgmi_bytes_npy *out);

/* What elements are turned into. The first three refuse what is not finite, in range or whole, by
 * row and column. */
typedef enum dgmi_bytes_npy_type {
    DGMI_BYTES_NPY_REAL,  /* double */
    DGMI_BYTES_NPY_FLOAT, /* float */
    DGMI_BYTES_NPY_NODE,  /* uint32_t, 0 .. DGM_MAX_NODES - 1 */
    DGMI_BYTES_NPY_LABEL, /* int32_t, -1 .. DGMI_BYTES_MAX_CLASSES - 1 */
    DGMI_BYTES_NPY_FLAG,  /* uint8_t, 0 or 1 */
    DGMI_BYTES_NPY_COUNT, /* int64_t, 0 .. DGM_MAX_NODES */
    DGMI_BYTES_NPY_PLACE, /* int64_t, from 0: where something begins in another array */
} dgmi_bytes_npy_type;
enum { DGMI_BYTES_MAX_CLASSES = 1 << 24 };

/* Takes elements first .. first + count, which lie at `values`. */
typedef dgm_status (*dgmi_bytes_npy_take_fn)(void *user, int64_t first, int64_t count,
                                             const void *values);
/* All elements in the order of the file, block by block; blocks hold an even number of elements,
 * but for the last. Data that end early or go on are an error. */
dgm_status dgmi_bytes_npy_each(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type,
                               dgmi_bytes_npy_take_fn take, void *user);
/* The same in one piece, owned by the caller. */
dgm_status dgmi_bytes_npy_read(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values);
/* The same of a matrix or a vector, row by row whatever the order of the file. */
dgm_status dgmi_bytes_npy_read_rows(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values);

/* A single short text, header and all: numpy.array(b"csr"), numpy.array("csr"). */
dgm_status dgmi_bytes_npy_read_word(dgm_context *ctx, const char *file, const char *what,
                                    dgmi_bytes_npy_read_fn read, void *user, char *word,
                                    size_t size);

/* Rows and columns of a matrix; a vector is one column. False for other shapes. */
bool dgmi_bytes_npy_matrix(const dgmi_bytes_npy *npy, int64_t *rows, int64_t *columns);
/* "(3, 2)" */
const char *dgmi_bytes_npy_shape_text(const dgmi_bytes_npy *npy, char buffer[128]);

/* Records an error about the array and returns `status`. */
dgm_status dgmi_bytes_npy_fail(const dgmi_bytes_npy *npy, dgm_status status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* The header of a version 1 array in C order, data to follow at a multiple of 64 bytes. descr:
 * "<f8"; columns < 0: a vector of `rows` elements; rows < 0: a scalar. */
void dgmi_bytes_npy_header(dgmi_text *text, const char *descr, int64_t rows, int64_t columns);

#endif
