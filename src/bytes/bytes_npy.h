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

/* Reads bytes from a source. As in dgmi_bytes_stream_read, *got is less than `size` only at the
 * end.
 */
typedef dgm_status (*dgmi_bytes_npy_read_fn)(void *user, void *buffer, int64_t size, int64_t *got);

enum { DGMI_BYTES_NPY_DIMENSIONS = 8 };

typedef struct dgmi_bytes_npy {
    char kind;      /* b: boolean, i: integer, u: unsigned, f: real; S and U are texts, which only
                     dgmi_bytes_npy_read_word reads */
    int width;      /* the number of bytes of an element */
    bool swapped;   /* the bytes of an element are in the order of other machines */
    bool fortran;   /* elements are stored column after column */
    int dimensions; /* the number of dimensions */
    int64_t shape[DGMI_BYTES_NPY_DIMENSIONS];
    int64_t count; /* the number of elements: the product of the shape */

    /* What follows is the reader's own. */
    dgm_context *ctx;
    const char *file; /* the file's name for messages, which is the caller's */
    const char *what; /* the name of the member of an archive, which is the caller's, or NULL */
    dgmi_bytes_npy_read_fn read;
    void *user;
} dgmi_bytes_npy;

/* Reads the header of an array. */
dgm_status dgmi_bytes_npy_open(dgm_context *ctx, const char *file, const char *what,
                               dgmi_bytes_npy_read_fn read, void *user, dgmi_bytes_npy *out);
/* Reads the header of the array that a whole stream holds. */
dgm_status dgmi_bytes_npy_open_stream(dgm_context *ctx, dgmi_bytes_stream *stream,
                                      dgmi_bytes_npy *out);

/* What elements are turned into. An element that is not finite, not in range or not whole where it
 * must be is refused, and the message names its row and column. */
typedef enum dgmi_bytes_npy_type {
    DGMI_BYTES_NPY_REAL,  /* double */
    DGMI_BYTES_NPY_FLOAT, /* float */
    DGMI_BYTES_NPY_NODE,  /* uint32_t from 0 to DGM_MAX_NODES - 1 */
    DGMI_BYTES_NPY_LABEL, /* int32_t from -1 to DGMI_BYTES_MAX_CLASSES - 1 */
    DGMI_BYTES_NPY_FLAG,  /* uint8_t, which is 0 or 1 */
    DGMI_BYTES_NPY_COUNT, /* int64_t from 0 to DGM_MAX_NODES */
    DGMI_BYTES_NPY_PLACE, /* int64_t of at least 0: where something begins in another array */
} dgmi_bytes_npy_type;
enum { DGMI_BYTES_MAX_CLASSES = 1 << 24 };

/* Takes `count` elements, which lie at `values`; `first` is the number of the first of them. */
typedef dgm_status (*dgmi_bytes_npy_take_fn)(void *user, int64_t first, int64_t count,
                                             const void *values);
/* Hands over all elements in the order of the file, block by block. All blocks but the last hold an
 * even number of elements. Data that end early, or that go on behind the last element, are an
 * error.
 */
dgm_status dgmi_bytes_npy_each(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type,
                               dgmi_bytes_npy_take_fn take, void *user);
/* Reads all elements into one array, which the caller owns. */
dgm_status dgmi_bytes_npy_read(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values);
/* Reads a matrix or a vector in the same way, but row by row whatever the order of the file is. */
dgm_status dgmi_bytes_npy_read_rows(dgmi_bytes_npy *npy, dgmi_bytes_npy_type type, void **values);

/* Reads the header and the one short text of an array such as numpy.array(b"csr") or
 * numpy.array("csr"). */
dgm_status dgmi_bytes_npy_read_word(dgm_context *ctx, const char *file, const char *what,
                                    dgmi_bytes_npy_read_fn read, void *user, char *word,
                                    size_t size);

/* Gives the rows and columns of a matrix; a vector is one column. Returns false for other shapes.
 */
bool dgmi_bytes_npy_matrix(const dgmi_bytes_npy *npy, int64_t *rows, int64_t *columns);
/* Writes the shape for messages: "(3, 2)". */
const char *dgmi_bytes_npy_shape_text(const dgmi_bytes_npy *npy, char buffer[128]);

/* Records an error about the array and returns `status`. */
dgm_status dgmi_bytes_npy_fail(const dgmi_bytes_npy *npy, dgm_status status, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* Appends the header of an array of version 1 in C order. The data that follow it lie at a multiple
 * of 64 bytes. `descr` is NumPy's name of the type, such as "<f8". Negative columns make a vector
 * of `rows` elements, and negative rows make a single number. */
void dgmi_bytes_npy_header(dgmi_text *text, const char *descr, int64_t rows, int64_t columns);

#endif
