/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of an .npz file, which is a zip of .npy files. */
#ifndef BYTES_NPZ_H
#define BYTES_NPZ_H

#include "bytes_npy.h"
#include "bytes_stream.h"

/* A member of the archive while it passes by. */
typedef struct dgmi_bytes_npz_member {
    const char *name;            /* its name without ".npy" */
    dgmi_bytes_npy_read_fn read; /* reads its bytes from `source` */
    void *source;
} dgmi_bytes_npz_member;

typedef dgm_status (*dgmi_bytes_npz_take_fn)(void *user, int pass,
                                             const dgmi_bytes_npz_member *member);
/* Hands over every member, and does so `passes` times. Members whose bytes nobody reads are jumped
 * over. The file is held in memory only if it cannot be read from any place, as a pipe or a packed
 * file. */
dgm_status dgmi_bytes_npz_each(dgm_context *ctx, dgmi_bytes_stream *stream, int passes,
                               dgmi_bytes_npz_take_fn take, void *user);

#endif
