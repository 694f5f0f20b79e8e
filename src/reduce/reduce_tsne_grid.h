/* SPDX-License-Identifier: Apache-2.0 */
/* Fourier transforms of a grid of real numbers, rows x columns, the second half of which is zero in
 * either direction: what a convolution with a kernel that reaches across the whole grid needs.
 */
#ifndef REDUCE_TSNE_GRID_H
#define REDUCE_TSNE_GRID_H

#include <kiss_fftr.h>

#include "dgm/context.h"

typedef struct dgmi_reduce_convolution {
    dgm_context *ctx;
    int64_t nodes[2]; /* rows and columns that are used; one row: a line */
    int size[2];      /* of the transforms, at least twice as many; 1 for a line */
    int64_t width;    /* size[1] / 2 + 1 */
    int threads;
    float *values;        /* nodes[0] x nodes[1]: what is convolved, and then the result */
    kiss_fft_cpx *half;   /* rows transformed */
    float *spectrum;      /* width x size[0]: that of the kernel, which is even */
    kiss_fft_cpx *buffer; /* of each thread */
    int64_t buffer_size;
    kiss_fftr_cfg *forward, *backward; /* of rows, one per thread: they hold a buffer */
    kiss_fft_cfg down, up;             /* of columns */
} dgmi_reduce_convolution;

/* The smallest even size of at least so many that KissFFT is quick with. */
int dgmi_reduce_convolution_size(int64_t least);
/* Room for so many nodes; what was there is given back. Keeps everything where sizes stay. */
dgm_status dgmi_reduce_convolution_resize(dgmi_reduce_convolution *grid, const int64_t nodes[2],
                                          const int size[2]);
void dgmi_reduce_convolution_free(dgmi_reduce_convolution *grid);

/* At a rows and b columns 1 / (1 + s^2 (a^2 + b^2)) - 1 / (1 + s^2 zero), s the spacing, computed
 * without cancellation; acting between points that are spread by cubic B-splines and read by them.
 */
typedef struct dgmi_reduce_kernel {
    float spacing;
    double zero; /* square of the distance, in spacings, at which it is 0 */
} dgmi_reduce_kernel;
void dgmi_reduce_convolution_kernel(dgmi_reduce_convolution *grid,
                                    const dgmi_reduce_kernel *kernel);
void dgmi_reduce_convolution_run(dgmi_reduce_convolution *grid);

#endif
