/* SPDX-License-Identifier: Apache-2.0 */
/* How far a map reaches along its principal directions. While a map is small all w_ij are 1, and a
 * step with exaggeration a multiplies a mode of the affinities (an eigenvector of the Laplacian of
 * n p_ij, value v) by 1 - c (a v - 1): modes with v > 1 / a shrink. Points in clusters have smaller
 * values; a cloud without clusters may have none, and then every early step makes the whole map
 * smaller, until single precision cannot tell points apart.
 */
#include <math.h>

#include "reduce_tsne.h"
#include "spectral_symmetric.h"

static void find_middle(const dgmi_kernels_embedding *y, double *middle) {
    for (int axis = 0; axis < y->dim; axis++) {
        double sum = 0;
        for (int64_t i = 0; i < y->count; i++)
            sum += (double)y->axis[axis][i];
        middle[axis] = sum / (double)y->count;
    }
}

static double covariance(const dgmi_kernels_embedding *y, const double *middle, int a, int b) {
    double sum = 0;
    for (int64_t i = 0; i < y->count; i++)
        sum += ((double)y->axis[a][i] - middle[a]) * ((double)y->axis[b][i] - middle[b]);
    return sum / (double)y->count;
}

dgm_status dgmi_reduce_spread_find(dgm_context *ctx, const dgmi_kernels_embedding *y,
                                   dgmi_reduce_spread *out) {
    int dim = y->dim;
    double matrix[DGMI_KERNELS_EMBED_MOST * DGMI_KERNELS_EMBED_MOST];
    *out = (dgmi_reduce_spread){.narrowest = INFINITY};
    find_middle(y, out->middle);
    for (int a = 0; a < dim; a++)
        for (int b = a; b < dim; b++) {
            matrix[a * dim + b] = covariance(y, out->middle, a, b);
            if (!isfinite(matrix[a * dim + b])) /* it ran away, which others notice */
                return DGM_OK;
        }
    dgm_status status =
        dgmi_spectral_symmetric_top(ctx, dim, matrix, dim, out->deviations, out->directions);
    for (int d = 0; status == DGM_OK && d < dim; d++)
        out->deviations[d] = sqrt(fmax(out->deviations[d], 0));
    int spanned = y->count <= dim ? (int)y->count - 1 : dim; /* two points lie on a line */
    if (status == DGM_OK && spanned > 0)
        out->narrowest = out->deviations[spanned - 1];
    return status;
}

/* Along one direction, by a factor, or where there is nothing to stretch by numbers drawn. */
static void stretch(dgmi_kernels_embedding *y, const dgmi_reduce_spread *spread, int d,
                    double least, uint64_t seed) {
    const double *direction = spread->directions + d * y->dim;
    double own = spread->deviations[d];
    for (int64_t i = 0; i < y->count; i++) {
        double along = 0, move;
        for (int axis = 0; axis < y->dim; axis++)
            along += direction[axis] * ((double)y->axis[axis][i] - spread->middle[axis]);
        if (own > 0)
            move = (least / own - 1) * along;
        else
            move = least * dgmi_reduce_draw_normal(seed, (uint64_t)(DGMI_KERNELS_EMBED_MOST + d),
                                                   (uint64_t)i);
        for (int axis = 0; axis < y->dim; axis++)
            y->axis[axis][i] += (float)(move * direction[axis]);
    }
}

void dgmi_reduce_spread_widen(const dgmi_reduce_spread *spread, double least, uint64_t seed,
                              dgmi_kernels_embedding *y) {
    for (int axis = 0; axis < y->dim; axis++)
        for (int64_t i = 0; i < y->count; i++)
            y->axis[axis][i] = (float)((double)y->axis[axis][i] - spread->middle[axis]);
    dgmi_reduce_spread centred = *spread;
    for (int axis = 0; axis < y->dim; axis++)
        centred.middle[axis] = 0;
    for (int d = 0; d < y->dim && d < y->count - 1; d++)
        if (spread->deviations[d] < least)
            stretch(y, &centred, d, least, seed);
}
