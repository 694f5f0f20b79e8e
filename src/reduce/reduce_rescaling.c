/* SPDX-License-Identifier: Apache-2.0 */
/* Moves and scales points so that single precision is enough for them.
 *
 * Reductions by distances search in single precision, which has 24 bits from about 1e-38 to 3e38. A
 * shift does not change distances, and a scale changes only their unit. So columns that vary little
 * far from 0 are moved to 0, and numbers that are too large or too small are scaled by a power of
 * two, both in double precision. Points that single precision holds well stay the same to the bit.
 */
#include <math.h>

#include "base_memory.h"
#include "reduce_reduce.h"

enum { LARGEST = 60 };          /* a power of two: larger ones are scaled */
static const double FAR = 1024; /* times its range: a column loses 10 of 24 bits */

/* Low and high of every column. */
static void find_bounds(const dgm_points *points, double *low, double *high) {
    const double *values = dgm_matrix_values(points->matrix);
    for (int64_t c = 0; c < points->columns; c++)
        low[c] = high[c] = values[c];
    for (int64_t i = 0; i < points->rows; i++)
        for (int64_t c = 0; c < points->columns; c++) {
            double value = values[i * points->columns + c];
            low[c] = value < low[c] ? value : low[c];
            high[c] = value > high[c] ? value : high[c];
        }
}

/* Halves, which cannot overflow. */
static bool is_far(double low, double high) {
    return fmax(fabs(low), fabs(high)) / 2 > FAR * (high / 2 - low / 2);
}

/* Numbers too large stay where others would vanish beside them: that is refused later, by name. */
static int find_power(double largest, double least) {
    int power = 0;
    if (largest > 0)
        frexp(largest, &power);
    if (power < -LARGEST || (power > LARGEST && least >= ldexp(largest, -LARGEST)))
        return power;
    return 0;
}

dgm_status dgmi_reduce_rescaling_find(dgm_context *ctx, const dgm_points *points, bool moves,
                                      dgmi_reduce_rescaling *rescaling) {
    int64_t width = points->columns;
    double largest = 0, least = INFINITY; /* reach of a column that varies */
    *rescaling = (dgmi_reduce_rescaling){0};
    if (!points->matrix)
        return DGM_OK;
    double *low = dgmi_scratch(ctx, width, sizeof *low);
    double *high = dgmi_scratch(ctx, width, sizeof *high);
    if (!low || !high)
        return DGM_ERROR_MEMORY;
    find_bounds(points, low, high);
    for (int64_t c = 0; c < width; c++)
        rescaling->moves =
            rescaling->moves || (moves && high[c] > low[c] && is_far(low[c], high[c]));
    for (int64_t c = 0; c < width; c++) { /* the bounds become middle and reach */
        double middle = rescaling->moves && is_far(low[c], high[c]) ? low[c] / 2 + high[c] / 2 : 0;
        double reach = fmax(fabs(high[c] - middle), fabs(low[c] - middle));
        largest = fmax(largest, reach);
        least = high[c] > low[c] ? fmin(least, reach) : least;
        low[c] = middle;
    }
    rescaling->middle = low;
    rescaling->power = find_power(largest, least);
    return DGM_OK;
}

dgm_status dgmi_reduce_rescaling_apply(dgm_context *ctx, const dgmi_reduce_rescaling *rescaling,
                                       const dgm_points *points, dgm_points *out,
                                       dgm_matrix **made) {
    *out = *points;
    *made = NULL;
    if (!points->matrix || (!rescaling->moves && rescaling->power == 0))
        return DGM_OK;
    dgm_status status = dgm_matrix_create(ctx, points->rows, points->columns, made);
    if (status != DGM_OK)
        return status;
    const double *from = dgm_matrix_values(points->matrix);
    double *to = dgm_matrix_values_mutable(*made);
    for (int64_t i = 0; i < points->rows; i++)
        for (int64_t c = 0; c < points->columns; c++)
            to[i * points->columns + c] =
                ldexp(from[i * points->columns + c] - rescaling->middle[c], -rescaling->power);
    out->matrix = *made;
    return DGM_OK;
}
