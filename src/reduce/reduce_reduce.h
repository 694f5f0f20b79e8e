/* SPDX-License-Identifier: Apache-2.0 */
/* What the list of reductions needs of each reduction, and what all reductions share. */
#ifndef REDUCE_REDUCE_H
#define REDUCE_REDUCE_H

#include "dgm/reduce.h"

extern const dgm_option_table dgmi_reduce_pca_table;
extern const dgm_option_table dgmi_reduce_prob_table;
extern const dgm_option_table dgmi_reduce_tsne_table;
extern const dgm_option_table dgmi_reduce_umap_table;
extern const dgm_option_table dgmi_reduce_isomap_table;

typedef union dgmi_reduce_options {
    dgm_pca_options pca;
    dgm_prob_options prob;
    dgm_tsne_options tsne;
    dgm_umap_options umap;
    dgm_isomap_options isomap;
} dgmi_reduce_options;

/* The specification of a reduction taken apart, in scratch memory, and run: what dgm_reduce_run does
 * in one call. */
typedef struct dgmi_reduce_request dgmi_reduce_request;
dgm_status dgmi_reduce_parse(dgm_context *ctx, const char *specification, int64_t dim, int64_t seed,
                             const dgmi_reduce_request **out);
dgm_status dgmi_reduce_run_parsed(dgm_context *ctx, const dgm_points *points,
                                  const dgmi_reduce_request *request, dgm_reduce_report *report,
                                  dgm_matrix **out);

/* ---- points ---- */

/* At least one row and one column, and finite numbers only: DGM_ERROR_DATA with row and column. */
dgm_status dgmi_reduce_points_check(dgm_context *ctx, const dgm_points *points);
/* Row-major values in scratch memory, or borrowed where they are there already. */
dgm_status dgmi_reduce_points_doubles(dgm_context *ctx, const dgm_points *points,
                                      const double **values);
dgm_status dgmi_reduce_points_floats(dgm_context *ctx, const dgm_points *points,
                                     const float **values);
/* One row into a buffer. */
void dgmi_reduce_points_row(const dgm_points *points, int64_t row, double *values);

/* Sends a note if all rows are equal, so that no map of them means anything. */
dgm_status dgmi_reduce_points_note_equal(dgm_context *ctx, const char *method,
                                         const dgm_points *points);

/* ---- where points lie ---- */

/* How points are moved and scaled before they are rounded to single precision: x becomes
 * (x - middle) / 2^power. */
typedef struct dgmi_reduce_rescaling {
    double *middle; /* of each column, scratch */
    bool moves;     /* a middle is not 0 */
    int power;
} dgmi_reduce_rescaling;
/* `moves`: a shift may be made, which distances do not notice but angles do. Features, which are
 * floats, stay as they are. */
dgm_status dgmi_reduce_rescaling_find(dgm_context *ctx, const dgm_points *points, bool moves,
                                      dgmi_reduce_rescaling *rescaling);
/* Gives the points rescaled: the points themselves if nothing changes, or the rows of *made, which
 * the caller frees (NULL is fine). */
dgm_status dgmi_reduce_rescaling_apply(dgm_context *ctx, const dgmi_reduce_rescaling *rescaling,
                                       const dgm_points *points, dgm_points *out,
                                       dgm_matrix **made);

/* ---- results ---- */

/* rows x dim zeros, columns named `name`1, `name`2, ... */
dgm_status dgmi_reduce_axes(dgm_context *ctx, const char *name, int64_t rows, int64_t dim,
                            dgm_matrix **out);
/* Begins the report of a method; report may be NULL, here and below. */
void dgmi_reduce_report_begin(dgm_reduce_report *report, const char *method,
                              const dgm_points *points, int64_t dim);
void dgmi_reduce_report_number(dgm_reduce_report *report, const char *name, double value);
void dgmi_reduce_report_list(dgm_reduce_report *report, const char *name, int64_t count,
                             const double *values);

/* The reduction that keeps every column as it is. */
dgm_status dgmi_reduce_none(dgm_context *ctx, const dgm_points *points, dgm_reduce_report *report,
                            dgm_matrix **out);

#endif
