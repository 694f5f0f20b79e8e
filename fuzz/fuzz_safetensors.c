/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a safetensors file: tensors come out that lie side by side in the data and have the
 * bytes that their shapes ask for, or an error; written and read again they are the same.
 */
#include "fuzz_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_safetensors.h"

static const char *check_tensors(const dgmi_bytes_safetensors *file, size_t size) {
    int64_t sum = 0;
    for (int64_t i = 0; i < dgmi_bytes_safetensors_count(file); i++) {
        const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_get(file, i);
        int64_t bytes = dgmi_bytes_tensor_bytes(tensor);
        if (bytes < 0 || (sum += bytes) > (int64_t)size)
            return "a tensor is larger than the file";
        if (dgmi_bytes_safetensors_find(file, tensor->name) != tensor)
            return "a name is there twice";
    }
    return NULL;
}

/* Reads every element of every tensor, so that ASan sees all of them. */
static void convert_tensors(dgm_context *ctx, const dgmi_bytes_safetensors *file) {
    for (int64_t i = 0; i < dgmi_bytes_safetensors_count(file); i++) {
        const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_get(file, i);
        int64_t count = dgmi_bytes_tensor_bytes(tensor) / dgmi_bytes_dtype_width(tensor->dtype);
        float *out = malloc((size_t)count * sizeof *out + 1);
        if (!out)
            abort();
        dgm_status status = dgmi_bytes_safetensors_floats(ctx, file, tensor->name, tensor->rank,
                                                          tensor->shape, out);
        fuzz_check_failure(status, NULL);
        free(out);
    }
}

static const char *check_same(const dgmi_bytes_safetensors *a, const dgmi_bytes_safetensors *b) {
    const char *const *left = dgmi_bytes_safetensors_metadata_list(a);
    const char *const *right = dgmi_bytes_safetensors_metadata_list(b);
    if (dgmi_bytes_safetensors_count(a) != dgmi_bytes_safetensors_count(b))
        return "the number of tensors differs";
    for (int64_t i = 0; i < dgmi_bytes_safetensors_count(a); i++) {
        const dgmi_bytes_named_tensor *one = dgmi_bytes_safetensors_get(a, i);
        const dgmi_bytes_named_tensor *two = dgmi_bytes_safetensors_find(b, one->name);
        if (!two || one->dtype != two->dtype || one->rank != two->rank ||
            memcmp(one->shape, two->shape, sizeof one->shape) != 0 ||
            memcmp(one->data, two->data, (size_t)dgmi_bytes_tensor_bytes(one)) != 0)
            return "a tensor differs";
    }
    for (; *left && *right; left++, right++)
        if (strcmp(*left, *right) != 0)
            return "the metadata differ";
    return *left || *right ? "the metadata differ" : NULL;
}

static void check_round_trip(dgm_context *ctx, const dgmi_bytes_safetensors *file) {
    dgmi_bytes_safetensors *back = NULL;
    int64_t count = dgmi_bytes_safetensors_count(file);
    const char *path = fuzz_save("back-" FUZZ_FILE, "", 0);
    dgm_status status =
        dgmi_bytes_safetensors_write(ctx, path, count ? dgmi_bytes_safetensors_get(file, 0) : NULL,
                                     count, dgmi_bytes_safetensors_metadata_list(file));
    if (status == DGM_ERROR_MEMORY)
        return;
    fuzz_refuse("write", status == DGM_OK ? NULL : "a file that was read cannot be written");
    status = dgmi_bytes_safetensors_open(ctx, path, &back);
    fuzz_refuse("read again", status == DGM_OK ? NULL : "what was written cannot be read");
    fuzz_refuse("round trip", check_same(file, back));
    dgmi_bytes_safetensors_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    dgmi_bytes_stream *stream;
    dgmi_bytes_safetensors *file = NULL;
    if (dgmi_bytes_stream_open_memory_raw(ctx, data, size, FUZZ_FILE, &stream) != DGM_OK)
        fuzz_refuse("stream", "cannot be opened");
    dgm_status status = dgmi_bytes_safetensors_read(ctx, stream, &file);
    dgmi_bytes_stream_close(stream);
    fuzz_check_failure(status, file);
    if (status != DGM_OK)
        return 0;
    fuzz_refuse("tensors", check_tensors(file, size));
    convert_tensors(ctx, file);
    check_round_trip(ctx, file);
    dgmi_bytes_safetensors_free(file);
    return 0;
}
