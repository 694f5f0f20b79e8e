/* SPDX-License-Identifier: Apache-2.0 */
/* Named tensors in one file, as PyTorch and others exchange weights: safetensors.
 *
 * A file has the length of the header (8 bytes, little-endian), the header, and the data. The
 * header is JSON:
 *
 *   {"__metadata__": {"key": "text", ...},
 *    "conv1.weight": {"dtype": "F32", "shape": [16, 1433], "data_offsets": [begin, end]}, ...}
 *
 * Offsets count from the end of the header. The tensors cover the data without overlaps or gaps.
 * Numbers are little-endian, and rows lie one behind the other (C order). Nothing that a file says
 * is believed before it was checked against the length of the file.
 */
#ifndef BYTES_SAFETENSORS_H
#define BYTES_SAFETENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

#include "bytes_stream.h"

/* The types of elements. All can be written and read; dgm itself makes the first five. */
typedef enum dgmi_bytes_dtype {
    DGMI_BYTES_F32,
    DGMI_BYTES_F64,
    DGMI_BYTES_I64,
    DGMI_BYTES_U8,
    DGMI_BYTES_U64,
    DGMI_BYTES_F16,
    DGMI_BYTES_BF16,
    DGMI_BYTES_I8,
    DGMI_BYTES_I16,
    DGMI_BYTES_I32,
    DGMI_BYTES_U16,
    DGMI_BYTES_U32,
    DGMI_BYTES_BOOL,
    DGMI_BYTES_F8_E4M3,
    DGMI_BYTES_F8_E5M2,
    DGMI_BYTES_C64,
    DGMI_BYTES_DTYPES
} dgmi_bytes_dtype;

/* Returns the name of the type: "F32". */
const char *dgmi_bytes_dtype_name(dgmi_bytes_dtype dtype);
/* Returns the number of bytes of an element. */
int dgmi_bytes_dtype_width(dgmi_bytes_dtype dtype);
/* Finds the type of that name. Returns false if there is none. */
bool dgmi_bytes_dtype_find(const char *name, dgmi_bytes_dtype *out);

enum { DGMI_BYTES_TENSOR_RANK = 8 };

typedef struct dgmi_bytes_named_tensor {
    const char *name;                      /* its name: UTF-8 without control characters */
    dgmi_bytes_dtype dtype;                /* the type of its elements */
    int rank;                              /* the number of dimensions; 0: it is a single number */
    int64_t shape[DGMI_BYTES_TENSOR_RANK]; /* the first `rank` are used; a 0 means no elements */
    const void *data; /* the elements. Those of a file may not be aligned, so copy them. */
} dgmi_bytes_named_tensor;

/* ---- writing ---- */

/* Writes the whole file or nothing: if it fails, a file that was there before stays. The same
 * tensors give the same bytes. `metadata` is a list key, value, ..., NULL, or NULL itself. Tensors
 * with wide elements come first in the file, and otherwise they keep their order, so that each
 * begins at a multiple of its element's width; the first of all begins at a multiple of 8. */
dgm_status dgmi_bytes_safetensors_write(dgm_context *ctx, const char *path,
                                        const dgmi_bytes_named_tensor *tensors, int64_t count,
                                        const char *const *metadata);

/* ---- reading ---- */

typedef struct dgmi_bytes_safetensors dgmi_bytes_safetensors;

/* Reads all of a file and checks it. The result may outlive the context, and threads may share it.
 */
dgm_status dgmi_bytes_safetensors_open(dgm_context *ctx, const char *path,
                                       dgmi_bytes_safetensors **out);
/* Reads a file from a stream that was opened raw. */
dgm_status dgmi_bytes_safetensors_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                                       dgmi_bytes_safetensors **out);
void dgmi_bytes_safetensors_free(dgmi_bytes_safetensors *file); /* NULL is fine */

/* What these return belongs to the file. Tensors are in the order of the header. Find looks at one
 * after the other, and returns NULL if there is none of that name. */
int64_t dgmi_bytes_safetensors_count(const dgmi_bytes_safetensors *file);
const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_get(const dgmi_bytes_safetensors *file,
                                                          int64_t index);
const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_find(const dgmi_bytes_safetensors *file,
                                                           const char *name);
/* The first returns the value of a key in the metadata, or NULL if there is none. The second
 * returns all metadata as key, value, ..., NULL. */
const char *dgmi_bytes_safetensors_metadata(const dgmi_bytes_safetensors *file, const char *key);
const char *const *dgmi_bytes_safetensors_metadata_list(const dgmi_bytes_safetensors *file);
/* Returns the name of the file as the user gave it, for messages. */
const char *dgmi_bytes_safetensors_name(const dgmi_bytes_safetensors *file);

/* Both copy the elements of a tensor to `out`, if it is there and has exactly that shape. If not,
 * it is DGM_ERROR_DATA, and the message says what was expected and what is there. The first takes
 * F16, BF16, F32 and F64, and what is finite there must be finite as a float. The second takes only
 * the type that it is asked for. */
dgm_status dgmi_bytes_safetensors_floats(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                         const char *name, int rank, const int64_t *shape,
                                         float *out);
dgm_status dgmi_bytes_safetensors_copy(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                       const char *name, dgmi_bytes_dtype dtype, int rank,
                                       const int64_t *shape, void *out);

/* ---- shared by reading and writing ---- */

enum {
    DGMI_BYTES_SAFETENSORS_HEADER = 100000000, /* the largest header in bytes, by the format */
    DGMI_BYTES_SAFETENSORS_VALUES = 1 << 20,   /* the most JSON values in a header, which bounds
                                                  the memory that parsing takes */
    DGMI_BYTES_SHOWN_NAME = 96,                /* room for a name in a message */
    DGMI_BYTES_SHAPE_SPACE = 192,              /* room for a shape in a message */
};

/* Returns the number of bytes of a tensor of that shape, or -1 if it does not fit into an int64_t.
 * Zeros in the shape count as ones for that check, so that no product of a part of the shape
 * overflows. */
int64_t dgmi_bytes_tensor_bytes(const dgmi_bytes_named_tensor *tensor);
/* Tells whether a name is UTF-8 without control characters. */
bool dgmi_bytes_tensor_name_is_clean(const char *name);
/* Returns the name for messages, shortened if it is long. */
const char *dgmi_bytes_tensor_shown(const char *name, char buffer[DGMI_BYTES_SHOWN_NAME]);
/* Writes a shape for messages: "(16, 1433)". */
const char *dgmi_bytes_shape_text(int rank, const int64_t *shape,
                                  char buffer[DGMI_BYTES_SHAPE_SPACE]);

#endif
