/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of every type under awkward names, written into a scratch file and opened again. */
#ifndef SAFETENSORS_SAMPLE_H
#define SAFETENSORS_SAMPLE_H

#include "bytes_safetensors.h"
#include "io_scratch.h"

#define ONE_FLOAT "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"

static const float weights[6] = {0, 0.25F, 0.5F, 0.75F, 1, 1.25F};
static const float bias[3] = {-1.5F, 2, 1e30F};
static const double moments[2] = {1.0 / 3, -2};
static const int64_t steps[2] = {INT64_MIN, 7};
static const uint64_t seeds[1] = {UINT64_MAX};
static const uint8_t state_bytes[5] = {0, 1, 254, 255, 9};
static const uint16_t halves[2] = {0x3C00, 0xC000};

/* In no good order for alignment: the writer has to find one. */
static const dgmi_bytes_named_tensor sample[] = {
    {"state", DGMI_BYTES_U8, 1, {5}, state_bytes},
    {"conv1.lin.weight", DGMI_BYTES_F32, 2, {2, 3}, weights},
    {"half", DGMI_BYTES_F16, 1, {2}, halves},
    {"na\xC3\xAFve \"name\" \\ /", DGMI_BYTES_U64, 1, {1}, seeds},
    {"conv1.bias", DGMI_BYTES_F32, 1, {3}, bias},
    {"moments", DGMI_BYTES_F64, 2, {2, 1}, moments},
    {"nothing", DGMI_BYTES_F32, 2, {0, 4}, NULL},
    {"steps", DGMI_BYTES_I64, 1, {2}, steps},
    {"scalar", DGMI_BYTES_F32, 0, {0}, &bias[1]},
};
enum { SAMPLES = sizeof sample / sizeof *sample };
static const char *const notes[] = {"format", "pt", "says", "\"quoted\" \\ \n \x01", "", "", NULL};

static inline dgmi_bytes_safetensors *open_good(const char *path) {
    dgmi_bytes_safetensors *file;
    if (dgmi_bytes_safetensors_open(ctx, path, &file) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return file;
}

static const char *write_sample(const char *name) {
    const char *path = scratch_path(name);
    if (dgmi_bytes_safetensors_write(ctx, path, sample, SAMPLES, notes) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return path;
}

#endif
