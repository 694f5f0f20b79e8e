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
extern const dgm_option_table dgmi_reduce_centres_table;

/* The options of any reduction. */
typedef union dgmi_reduce_options {
    dgm_pca_options pca;
    dgm_prob_options prob;
    dgm_tsne_options tsne;
    dgm_umap_options umap;
    dgm_isomap_options isomap;
    dgm_centres_options centres;
} dgmi_reduce_options;

/* The two halves of dgm_reduce_run. The first reads the specification of a reduction into scratch
 * memory, and the second runs it. */
typedef struct dgmi_reduce_request dgmi_reduce_request;
dgm_status dgmi_reduce_parse(dgm_context *ctx, const char *specification, int64_t dim, int64_t seed,
                             const dgmi_reduce_request **out);
dgm_status dgmi_reduce_run_parsed(dgm_context *ctx, const dgm_points *points,
                                  const dgmi_reduce_request *request, dgm_reduce_report *report,
                                  dgm_matrix **out);

/* ---- points ---- */

/* Fails with DGM_ERROR_DATA unless there is a row and a column and all numbers are finite. The
 * message names the row and column of the first that is not. */
dgm_status dgmi_reduce_points_check(dgm_context *ctx, const dgm_points *points);
/* Both give the values row after row: those of the points if they have the right type, or a copy in
 * scratch memory. */
dgm_status dgmi_reduce_points_doubles(dgm_context *ctx, const dgm_points *points,
                                      const double **values);
dgm_status dgmi_reduce_points_floats(dgm_context *ctx, const dgm_points *points,
                                     const float **values);
/* Copies one row to a buffer. */
void dgmi_reduce_points_row(const dgm_points *points, int64_t row, double *values);

/* Sends a note if all rows are equal, so that no map of them means anything. */
dgm_status dgmi_reduce_points_note_equal(dgm_context *ctx, const char *method,
                                         const dgm_points *points);

/* ---- where points lie ---- */

/* How points are moved and scaled before they are rounded to single precision: x becomes
 * (x - middle) / 2^power. */
typedef struct dgmi_reduce_rescaling {
    double *middle; /* the middle of each column, in scratch memory */
    bool moves;     /* some middle is not 0 */
    int power;      /* the power of two */
} dgmi_reduce_rescaling;
/* Finds the rescaling that suits the points. If `moves` is set, they may be shifted, which changes
 * no distances but changes angles. Features, which are floats, stay as they are. */
dgm_status dgmi_reduce_rescaling_find(dgm_context *ctx, const dgm_points *points, bool moves,
                                      dgmi_reduce_rescaling *rescaling);
/* Gives the points rescaled: the points themselves if nothing changes, or the rows of *made, which
 * the caller frees (NULL is fine). */
dgm_status dgmi_reduce_rescaling_apply(dgm_context *ctx, const dgmi_reduce_rescaling *rescaling,
                                       const dgm_points *points, dgm_points *out,
                                       dgm_matrix **made);

/* ---- results ---- */

/* Makes a table of rows x dim zeros whose columns are called `name`1, `name`2, and so on. */
dgm_status dgmi_reduce_axes(dgm_context *ctx, const char *name, int64_t rows, int64_t dim,
                            dgm_matrix **out);
/* Begins the report of a method. `report` may be NULL in these three calls, which then do nothing.
 */
void dgmi_reduce_report_begin(dgm_reduce_report *report, const char *method,
                              const dgm_points *points, int64_t dim);
void dgmi_reduce_report_number(dgm_reduce_report *report, const char *name, double value);
void dgmi_reduce_report_list(dgm_reduce_report *report, const char *name, int64_t count,
                             const double *values);

/* The reduction that keeps every column as it is. */
dgm_status dgmi_reduce_none(dgm_context *ctx, const dgm_points *points, dgm_reduce_report *report,
                            dgm_matrix **out);

#endif
