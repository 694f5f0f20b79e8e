/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction that does not reduce: every column stays as it is. */
#include "reduce_reduce.h"

dgm_status dgmi_reduce_none(dgm_context *ctx, const dgm_points *points, dgm_reduce_report *report,
                            dgm_matrix **out) {
    *out = NULL;
    dgm_status status = dgmi_reduce_points_check(ctx, points);
    if (status != DGM_OK)
        return status;
    dgmi_reduce_report_begin(report, "none", points, points->columns);
    if (points->matrix)
        return dgm_matrix_join(ctx, &points->matrix, 1, out);
    status = dgm_matrix_create(ctx, points->rows, points->columns, out);
    for (int64_t row = 0; status == DGM_OK && row < points->rows; row++)
        dgmi_reduce_points_row(points, row,
                               dgm_matrix_values_mutable(*out) + row * points->columns);
    return status;
}
