/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of a grid of real numbers with a kernel that reaches across the whole grid. They are
 * computed by Fourier transforms of a grid that is twice as large in each direction, the second
 * half of which is zero.
 */
#ifndef REDUCE_TSNE_GRID_H
#define REDUCE_TSNE_GRID_H

#include <kiss_fftr.h>

#include "dgm/context.h"

typedef struct dgmi_reduce_convolution {
    dgm_context *ctx;
    int64_t nodes[2];   /* the number of rows and of columns; one row makes a line */
    int size[2];        /* the sizes of the transforms: at least twice as many, but 1 for a line */
    int64_t width;      /* the columns of a transformed row: size[1] / 2 + 1 */
    int threads;        /* the number of threads */
    float *values;      /* nodes[0] x nodes[1]: what is convolved, and then the result */
    kiss_fft_cpx *half; /* the rows, transformed */
    float *spectrum;    /* width x size[0]: the transform of the kernel, which is real */
    kiss_fft_cpx *buffer;              /* a buffer for each thread */
    int64_t buffer_size;               /* the length of such a buffer */
    kiss_fftr_cfg *forward, *backward; /* transforms of rows; each thread has its own, since they
                                          hold a buffer */
    kiss_fft_cfg down, up;             /* transforms of columns, there and back */
} dgmi_reduce_convolution;

/* Returns the smallest even size of at least `least` for which KissFFT is quick. */
int dgmi_reduce_convolution_size(int64_t least);
/* Makes room for this many nodes, and frees the room that was there. If the sizes stay the same,
 * nothing changes. */
dgm_status dgmi_reduce_convolution_resize(dgmi_reduce_convolution *grid, const int64_t nodes[2],
                                          const int size[2]);
void dgmi_reduce_convolution_free(dgmi_reduce_convolution *grid);

/* At a distance of a rows and b columns the kernel is
 *
 *     1 / (1 + s^2 (a^2 + b^2)) - 1 / (1 + s^2 zero)
 *
 * where s is the spacing. It is computed without cancellation, and acts between points that are
 * spread over nodes, and read from nodes, by cubic B-splines. */
typedef struct dgmi_reduce_kernel {
    float spacing;
    double zero; /* the square of the distance, in spacings, at which the kernel is 0 */
} dgmi_reduce_kernel;
void dgmi_reduce_convolution_kernel(dgmi_reduce_convolution *grid,
                                    const dgmi_reduce_kernel *kernel);
/* Convolves the values with the kernel, in place. */
void dgmi_reduce_convolution_run(dgmi_reduce_convolution *grid);

#endif
