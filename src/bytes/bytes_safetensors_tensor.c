/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors: their types, shapes and names, and their elements as a caller wants them. */
#include "bytes_safetensors.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_utf8.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are copied as they lie");

/* ---- types, shapes, names ---- */

static const struct {
    char name[12];
    int width;
} dtypes[] = {
    [DGMI_BYTES_F32] = {"F32", 4},         [DGMI_BYTES_F64] = {"F64", 8},
    [DGMI_BYTES_I64] = {"I64", 8},         [DGMI_BYTES_U8] = {"U8", 1},
    [DGMI_BYTES_U64] = {"U64", 8},         [DGMI_BYTES_F16] = {"F16", 2},
    [DGMI_BYTES_BF16] = {"BF16", 2},       [DGMI_BYTES_I8] = {"I8", 1},
    [DGMI_BYTES_I16] = {"I16", 2},         [DGMI_BYTES_I32] = {"I32", 4},
    [DGMI_BYTES_U16] = {"U16", 2},         [DGMI_BYTES_U32] = {"U32", 4},
    [DGMI_BYTES_BOOL] = {"BOOL", 1},       [DGMI_BYTES_F8_E4M3] = {"F8_E4M3", 1},
    [DGMI_BYTES_F8_E5M2] = {"F8_E5M2", 1}, [DGMI_BYTES_C64] = {"C64", 8},
};
_Static_assert(sizeof dtypes / sizeof *dtypes == DGMI_BYTES_DTYPES, "each type has its row");

const char *dgmi_bytes_dtype_name(dgmi_bytes_dtype dtype) {
    assert(dtype < DGMI_BYTES_DTYPES);
    return dtypes[dtype].name;
}

bool dgmi_bytes_dtype_find(const char *name, dgmi_bytes_dtype *out) {
    for (int i = 0; i < DGMI_BYTES_DTYPES; i++)
        if (strcmp(name, dtypes[i].name) == 0) {
            *out = (dgmi_bytes_dtype)i;
            return true;
        }
    return false;
}

int dgmi_bytes_dtype_width(dgmi_bytes_dtype dtype) {
    assert(dtype < DGMI_BYTES_DTYPES);
    return dtypes[dtype].width;
}

int64_t dgmi_bytes_tensor_bytes(const dgmi_bytes_named_tensor *tensor) {
    assert(tensor->dtype < DGMI_BYTES_DTYPES && tensor->rank <= DGMI_BYTES_TENSOR_RANK);
    int64_t span = dtypes[tensor->dtype].width;
    bool empty = false;
    for (int i = 0; i < tensor->rank; i++) {
        int64_t length = tensor->shape[i];
        if (length < 0 || __builtin_mul_overflow(span, length ? length : 1, &span))
            return -1;
        empty |= length == 0;
    }
    return empty ? 0 : span;
}

bool dgmi_bytes_tensor_name_is_clean(const char *name) {
    size_t size;
    for (size_t left = strlen(name); left > 0; left -= size, name += size) {
        int32_t code = dgmi_utf8_next(name, left, &size);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            return false;
    }
    return true;
}

const char *dgmi_bytes_tensor_shown(const char *name, char buffer[DGMI_BYTES_SHOWN_NAME]) {
    size_t length = strlen(name), keep = DGMI_BYTES_SHOWN_NAME - 4;
    if (length < DGMI_BYTES_SHOWN_NAME)
        return name;
    while (keep > 0 && ((unsigned char)name[keep] & 0xC0) == 0x80) /* not inside a character */
        keep--;
    snprintf(buffer, DGMI_BYTES_SHOWN_NAME, "%.*s...", (int)keep, name);
    return buffer;
}

const char *dgmi_bytes_shape_text(int rank, const int64_t *shape,
                                  char buffer[DGMI_BYTES_SHAPE_SPACE]) {
    int used = snprintf(buffer, DGMI_BYTES_SHAPE_SPACE, "(");
    for (int i = 0; i < rank && i < DGMI_BYTES_TENSOR_RANK; i++)
        used += snprintf(buffer + used, (size_t)(DGMI_BYTES_SHAPE_SPACE - used), "%s%lld",
                         i ? ", " : "", (long long)shape[i]);
    snprintf(buffer + used, (size_t)(DGMI_BYTES_SHAPE_SPACE - used), ")");
    return buffer;
}

/* ---- elements ---- */

/* Says which tensors there are: most often a name is spelled otherwise. */
static dgm_status fail_missing(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                               const char *name, const char *expected) {
    char list[512] = "no tensor", shown[DGMI_BYTES_SHOWN_NAME];
    size_t used = 0;
    int64_t i = 0;
    for (;
         i < dgmi_bytes_safetensors_count(file) && used < sizeof list - DGMI_BYTES_SHOWN_NAME - 16;
         i++)
        used += (size_t)snprintf(
            list + used, sizeof list - used, "%s%s", i ? ", " : "",
            dgmi_bytes_tensor_shown(dgmi_bytes_safetensors_get(file, i)->name, shown));
    if (i < dgmi_bytes_safetensors_count(file))
        snprintf(list + used, sizeof list - used, ", ...");
    return dgmi_fail_in(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file),
                        "no tensor '%s' of shape %s in it; the file holds %s",
                        dgmi_bytes_tensor_shown(name, shown), expected, list);
}

static dgm_status find_shaped(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                              const char *name, int rank, const int64_t *shape,
                              const dgmi_bytes_named_tensor **out) {
    char expected[DGMI_BYTES_SHAPE_SPACE], there[DGMI_BYTES_SHAPE_SPACE],
        shown[DGMI_BYTES_SHOWN_NAME];
    const dgmi_bytes_named_tensor *tensor = *out = dgmi_bytes_safetensors_find(file, name);
    dgmi_bytes_shape_text(rank, shape, expected);
    if (!tensor)
        return fail_missing(ctx, file, name, expected);
    bool same = tensor->rank == rank;
    for (int i = 0; same && i < rank; i++)
        same = tensor->shape[i] == shape[i];
    if (same)
        return DGM_OK;
    return dgmi_fail_in(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file),
                        "tensor '%s' has the shape %s, and %s is expected",
                        dgmi_bytes_tensor_shown(name, shown),
                        dgmi_bytes_shape_text(tensor->rank, tensor->shape, there), expected);
}

static dgm_status fail_dtype(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                             const dgmi_bytes_named_tensor *tensor, const char *expected) {
    char shown[DGMI_BYTES_SHOWN_NAME];
    return dgmi_fail_in(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file),
                        "tensor '%s' holds numbers of type %s, and %s is expected",
                        dgmi_bytes_tensor_shown(tensor->name, shown), dtypes[tensor->dtype].name,
                        expected);
}

/* IEEE half precision: sign, 5 bits of exponent, 10 of fraction. */
static float float_of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent     ? ldexpf((float)(1024 + fraction), exponent - 25)
                                 : ldexpf((float)fraction, -24);
    return bits >> 15 ? -value : value;
}

/* The upper half of a float. */
static float float_of_brain(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static void widen(const char *data, int64_t count, float (*convert)(uint16_t), float *out) {
    for (int64_t i = 0; i < count; i++) {
        uint16_t bits;
        memcpy(&bits, data + (size_t)i * sizeof bits, sizeof bits);
        out[i] = convert(bits);
    }
}

static dgm_status narrow(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                         const dgmi_bytes_named_tensor *tensor, int64_t count, float *out) {
    const char *data = tensor->data;
    char shown[DGMI_BYTES_SHOWN_NAME];
    for (int64_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, data + (size_t)i * sizeof value, sizeof value);
        if (isfinite(value) && fabs(value) > (double)FLT_MAX)
            return dgmi_fail_in(ctx, DGM_ERROR_DATA, dgmi_bytes_safetensors_name(file),
                                "tensor '%s' holds %.3g (element %lld, counted from 0), which is "
                                "too large for 32 bits",
                                dgmi_bytes_tensor_shown(tensor->name, shown), value, (long long)i);
        out[i] = (float)value;
    }
    return DGM_OK;
}

dgm_status dgmi_bytes_safetensors_floats(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                         const char *name, int rank, const int64_t *shape,
                                         float *out) {
    const dgmi_bytes_named_tensor *tensor;
    dgm_status status = find_shaped(ctx, file, name, rank, shape, &tensor);
    if (status != DGM_OK)
        return status;
    int64_t bytes = dgmi_bytes_tensor_bytes(tensor), count = bytes / dtypes[tensor->dtype].width;
    switch (tensor->dtype) {
    case DGMI_BYTES_F32:
        if (bytes > 0)
            memcpy(out, tensor->data, (size_t)bytes);
        return DGM_OK;
    case DGMI_BYTES_F64:
        return narrow(ctx, file, tensor, count, out);
    case DGMI_BYTES_F16:
        widen(tensor->data, count, float_of_half, out);
        return DGM_OK;
    case DGMI_BYTES_BF16:
        widen(tensor->data, count, float_of_brain, out);
        return DGM_OK;
    default:
        return fail_dtype(ctx, file, tensor, "F32, F64, F16 or BF16");
    }
}

dgm_status dgmi_bytes_safetensors_copy(dgm_context *ctx, const dgmi_bytes_safetensors *file,
                                       const char *name, dgmi_bytes_dtype dtype, int rank,
                                       const int64_t *shape, void *out) {
    const dgmi_bytes_named_tensor *tensor;
    dgm_status status = find_shaped(ctx, file, name, rank, shape, &tensor);
    if (status != DGM_OK)
        return status;
    if (tensor->dtype != dtype)
        return fail_dtype(ctx, file, tensor, dtypes[dtype].name);
    int64_t bytes = dgmi_bytes_tensor_bytes(tensor);
    if (bytes > 0)
        memcpy(out, tensor->data, (size_t)bytes);
    return DGM_OK;
}
