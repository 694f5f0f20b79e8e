/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy arrays in memory: read as a type, or refused. Included once a program, after cmocka.h. */
#ifndef NPY_SAMPLE_H
#define NPY_SAMPLE_H

#include "base_memory.h"
#include "bytes_npy.h"
#include "io_scratch.h"

static inline dgm_status read_as(const void *data, size_t size, dgmi_bytes_npy_type type,
                                 dgmi_bytes_npy *npy, void **values) {
    dgmi_bytes_stream *stream;
    *values = NULL;
    dgm_status status = dgmi_bytes_stream_open_memory(ctx, data, size, "a.npy", &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_npy_open_stream(ctx, stream, npy);
    if (status == DGM_OK)
        status = dgmi_bytes_npy_read_rows(npy, type, values);
    dgmi_bytes_stream_close(stream);
    return status;
}

static inline void expect_refusal(const void *data, size_t size, dgmi_bytes_npy_type type,
                                  dgm_status status, const char *words) {
    dgmi_bytes_npy npy;
    void *values;
    assert_int_equal(read_as(data, size, type, &npy, &values), status);
    assert_null(values);
    scratch_check_error("a.npy: ");
    scratch_check_error(words);
}

/* An array with the header given and `size` bytes of data. */
static inline size_t make(unsigned char *out, const char *header, const void *data, size_t size) {
    size_t length = strlen(header);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (unsigned char)length;
    out[9] = (unsigned char)(length >> 8);
    memcpy(out + 10, header, length);
    if (size)
        memcpy(out + 10 + length, data, size);
    return 10 + length + size;
}

static inline void expect_header(const char *header, const char *words) {
    unsigned char file[512];
    expect_refusal(file, make(file, header, "0123456789abcdef", 16), DGMI_BYTES_NPY_REAL,
                   DGM_ERROR_FORMAT, words);
}

#endif
