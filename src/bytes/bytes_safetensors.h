/* SPDX-License-Identifier: Apache-2.0 */
/* Named tensors in one file, as PyTorch and others exchange weights: safetensors.
 *
 *   length of the header (8 bytes, little-endian), header, data. The header is JSON:
 *   {"__metadata__": {"key": "text", ...},
 *    "conv1.weight": {"dtype": "F32", "shape": [16, 1433], "data_offsets": [begin, end]}, ...}
 *
 * Offsets count from the end of the header; the tensors cover the data without overlap or hole.
 * Numbers are little-endian, rows one behind the other (C order). Nothing in a file is believed
 * before it was checked against the file's length.
 */
#ifndef BYTES_SAFETENSORS_H
#define BYTES_SAFETENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

#include "bytes_stream.h"

/* All can be written and read; the first five are what dgm itself makes. */
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

const char *dgmi_bytes_dtype_name(dgmi_bytes_dtype dtype); /* "F32" */
int dgmi_bytes_dtype_width(dgmi_bytes_dtype dtype);        /* the bytes of an element */
bool dgmi_bytes_dtype_find(const char *name,
                           dgmi_bytes_dtype *out); /* false: there is no such type */

enum { DGMI_BYTES_TENSOR_RANK = 8 };

typedef struct dgmi_bytes_named_tensor {
    const char *name; /* UTF-8 without control characters */
    dgmi_bytes_dtype dtype;
    int rank;                              /* 0: a single number */
    int64_t shape[DGMI_BYTES_TENSOR_RANK]; /* shape[0 .. rank), a 0 in it means no elements */
    const void *data;                      /* of a file: not aligned for sure, so copy from it */
} dgmi_bytes_named_tensor;

/* ---- writing ---- */

/* The whole file or none: what stood there before stays where anything fails. The same tensors
 * give the same bytes. `metadata` is key, value, ..., NULL, or NULL itself. In the file wide
 * elements come first, otherwise in the order given, so that each tensor begins at a multiple of
 * its element's width; the first of all begins at a multiple of 8. */
dgm_status dgmi_bytes_safetensors_write(dgm_context *ctx, const char *path,
                                        const dgmi_bytes_named_tensor *tensors, int64_t count,
                                        const char *const *metadata);

/* ---- reading ---- */

typedef struct dgmi_bytes_safetensors dgmi_bytes_safetensors;

/* All of the file, checked. It may outlive the context, and threads may share it. */
dgm_status dgmi_bytes_safetensors_open(dgm_context *ctx, const char *path,
                                       dgmi_bytes_safetensors **out);
/* The same of a raw stream. */
dgm_status dgmi_bytes_safetensors_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                                       dgmi_bytes_safetensors **out);
void dgmi_bytes_safetensors_free(dgmi_bytes_safetensors *file); /* NULL is fine */

/* What is returned is borrowed from the file. Tensors are in the order of the header; find looks
 * at one after the other and returns NULL where there is none. */
int64_t dgmi_bytes_safetensors_count(const dgmi_bytes_safetensors *file);
const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_get(const dgmi_bytes_safetensors *file,
                                                          int64_t index);
const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_find(const dgmi_bytes_safetensors *file,
                                                           const char *name);
/* The metadata's value, or NULL; and all of it as key, value, ..., NULL. */
const char *dgmi_bytes_safetensors_metadata(const dgmi_bytes_safetensors *file, const char *key);
const char *const *dgmi_bytes_safetensors_metadata_list(const dgmi_bytes_safetensors *file);
/* The file's name as the user gave it, for messages. */
const char *dgmi_bytes_safetensors_name(const dgmi_bytes_safetensors *file);

/* The tensor's elements into `out`, if it is there and has exactly that shape; otherwise
 * DGM_ERROR_DATA that says what was expected and what is there. Floats takes F16, BF16, F32 and
 * F64 (what is finite there has to be finite as a float), copy the one type asked for. */
dgm_status dgmi_bytes_safetensors_floats(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                         const char *name, int rank, const int64_t *shape,
                                         float *out);
dgm_status dgmi_bytes_safetensors_copy(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                       const char *name, dgmi_bytes_dtype dtype, int rank,
                                       const int64_t *shape, void *out);

/* ---- shared by reading and writing ---- */

enum {
    DGMI_BYTES_SAFETENSORS_HEADER = 100000000, /* bytes, the format's own limit */
    DGMI_BYTES_SAFETENSORS_VALUES = 1 << 20,   /* in a header: bounds what parsing it takes */
    DGMI_BYTES_SHOWN_NAME = 96,
    DGMI_BYTES_SHAPE_SPACE = 192,
};

/* The bytes of a tensor of that shape, -1 where they do not fit. Zeros count as ones for that, so
 * that no product of a part of the shape overflows. */
int64_t dgmi_bytes_tensor_bytes(const dgmi_bytes_named_tensor *tensor);
/* Whether a name is UTF-8 without control characters. */
bool dgmi_bytes_tensor_name_is_clean(const char *name);
/* The name for messages, shortened where it is long. */
const char *dgmi_bytes_tensor_shown(const char *name, char buffer[DGMI_BYTES_SHOWN_NAME]);
/* "(16, 1433)" */
const char *dgmi_bytes_shape_text(int rank, const int64_t *shape,
                                  char buffer[DGMI_BYTES_SHAPE_SPACE]);

#endif
