/* SPDX-License-Identifier: Apache-2.0 */
/* Principal components: the eigenvectors v of the covariance X'X / (n - 1) of the centred table X,
 * largest variance first, and the coordinates X v.
 *
 * Tables with a short side are solved whole: the covariance, or XX' where there are fewer rows than
 * columns, by LAPACK. Others by block Krylov spaces, which read X about ten times where variances
 * fall off; where they do not, and the short side allows it, whole again.
 */
#include "reduce_reduce.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "kernels_blas.h"
#include "reduce_pca_parts.h"
#include "spectral_symmetric.h"

/* Two entries that differ by less than this share are equally large when a sign is chosen. */
#define TIE 1e-6

/* Where whole and Krylov meet, in ms of CPU time (variances that fall like 1 / c, and equal ones):
 *   3,000 x 160    whole 4.5, 4.5     Krylov 4.3, 17
 *   20,000 x 256   whole 67, 70       Krylov 55, 182
 *   2,708 x 512    whole 37, 37       Krylov 12, 91
 * and how long to wait: Cora's and Pubmed's sparse features converge after 11 to 14 products, which
 * take 22 and 83 ms, where the whole tables take 290 and 170. */
enum {
    SHORT = 256,          /* short sides up to this are solved whole at once */
    SOLVABLE = 2048,      /* and up to this where Krylov spaces are slow */
    PATIENCE = 14,        /* products before that is tried, */
    LONG_PATIENCE = 100,  /* and of sparse tables, whose products cost little */
    EXTRA = 8,            /* vectors of a block beyond those wanted */
    MOST_BLOCKS = 20,     /* of a Krylov space */
    MOST_WHOLE = 1 << 26, /* entries of a table that is solved whole */
};

static const dgm_option pca_options[] = {
    {.name = "tolerance",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_pca_options, tolerance),
     .minimum = 1e-14,
     .maximum = 0.1,
     .default_text = "1e-09",
     .argument = "T",
     .help = "stop at residuals below this share of the largest variance"},
    {.name = "passes",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_pca_options, passes),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "300",
     .argument = "N",
     .help = "read the table at most this often"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_pca_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of the starting vectors"},
};
const dgm_option_table dgmi_reduce_pca_table = {"pca", pca_options,
                                                sizeof pca_options / sizeof *pca_options};

const dgm_option_table *dgm_pca_option_table(void) {
    return &dgmi_reduce_pca_table;
}

typedef struct {
    dgm_context *ctx;
    dgm_pca_options options;
    dgmi_reduce_pca_data data;
    int64_t dim;     /* axes wanted */
    int64_t found;   /* axes that the table can have: at most its shorter side */
    double *values;  /* variances of the axes found */
    double *vectors; /* found x columns */
    double residual;
} pca_job;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* ---- whole ---- */

/* From u with XX'u = s^2 u to v = X'u, of unit length; where the variance is rounding, v is 0 and
 * so are the coordinates. */
static void turn_vectors(pca_job *job, const double *left) {
    int rows = (int)job->data.rows, columns = (int)job->data.columns, found = (int)job->found;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, found, columns, rows, 1, left, rows,
                job->data.centred, columns, 0, job->vectors, columns);
    for (int64_t i = 0; i < job->found; i++) {
        double *v = job->vectors + i * columns, length = cblas_dnrm2(columns, v, 1);
        bool real = job->values[i] > 1e-14 * job->values[0] && length > 0;
        cblas_dscal(columns, real ? 1 / length : 0, v, 1);
    }
}

static dgm_status solve_whole(pca_job *job) {
    bool by_rows = job->data.rows < job->data.columns;
    int64_t size = by_rows ? job->data.rows : job->data.columns;
    dgm_status status = dgmi_reduce_pca_fill(&job->data); /* outlives the hold */
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    double *gram = dgmi_scratch(job->ctx, size * size, sizeof *gram);
    double *left = by_rows ? dgmi_scratch(job->ctx, job->found * size, sizeof *left) : job->vectors;
    if (status == DGM_OK && (!gram || !left))
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        dgmi_reduce_pca_gram(&job->data, by_rows, gram);
        status = dgmi_spectral_symmetric_top(job->ctx, size, gram, job->found, job->values, left);
    }
    if (status == DGM_OK && by_rows)
        turn_vectors(job, left);
    job->residual = 0;
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* ---- by products ---- */

static dgm_status multiply(void *user, int64_t count, const double *x, double *y) {
    pca_job *job = user;
    dgm_status status = dgmi_progress(job->ctx, "principal components", -1);
    return status == DGM_OK ? dgmi_reduce_pca_product(&job->data, count, x, y) : status;
}

static dgm_status iterate(pca_job *job, int64_t products, bool *converged) {
    int64_t width = job->found + EXTRA;
    dgmi_spectral_krylov_request request = {.count = job->found,
                                            .tolerance = job->options.tolerance,
                                            .products = products,
                                            .width = width,
                                            .most = width * MOST_BLOCKS,
                                            .seed = (uint64_t)job->options.seed};
    dgmi_spectral_krylov_report report;
    dgm_status status = dgmi_spectral_krylov_top(job->ctx, job->data.columns, multiply, job,
                                                 &request, job->values, job->vectors, &report);
    job->residual = report.residual;
    *converged = report.converged;
    return status;
}

static dgm_status solve(pca_job *job) {
    int64_t side = smaller(job->data.rows, job->data.columns), passes = job->options.passes;
    bool sparse = !job->data.points->matrix && job->data.points->features.columns;
    int64_t patience = sparse ? LONG_PATIENCE : PATIENCE;
    bool converged, fits = job->data.rows <= MOST_WHOLE / job->data.columns;
    if (side <= SHORT && fits)
        return solve_whole(job);
    fits = fits && side <= SOLVABLE;
    dgm_status status = iterate(job, fits ? smaller(patience, passes) : passes, &converged);
    if (status != DGM_OK || converged)
        return status;
    if (fits && passes > patience)
        return solve_whole(job);
    dgmi_note(job->ctx,
              "pca: axes are exact to a residual of %.2g of the largest variance, not %.2g, after "
              "%lld passes over the data (pca:passes=..., pca:tolerance=...)",
              job->residual, job->options.tolerance, (long long)passes);
    return DGM_OK;
}

/* ---- axes ---- */

/* The entry of largest size, the first of several, is made positive. */
static void fix_sign(double *x, int64_t size) {
    double largest = 0;
    int64_t i = 0;
    for (int64_t c = 0; c < size; c++)
        largest = fmax(largest, fabs(x[c]));
    while (fabs(x[i]) < (1 - TIE) * largest)
        i++;
    if (x[i] < 0)
        cblas_dscal((int)size, -1, x, 1);
}

static void say_shares(pca_job *job, dgm_reduce_report *report) {
    double shares[DGM_REDUCE_MOST] = {0}, sum = 0;
    char list[128] = "";
    int used = 0;
    for (int64_t i = 0; i < job->dim; i++) {
        double value = i < job->found ? fmax(job->values[i], 0) : 0;
        shares[i] = job->data.variance > 0 ? value / job->data.variance : 0;
        sum += shares[i];
        if (i < 8)
            used += snprintf(list + used, sizeof list - (size_t)used, "%s%.1f", i ? ", " : "",
                             100 * shares[i]);
    }
    dgmi_reduce_report_begin(report, "pca", job->data.points, job->dim);
    dgmi_reduce_report_list(report, "explained_variance", job->dim, shares);
    dgmi_reduce_report_number(report, "residual", job->residual);
    dgmi_note(job->ctx, "pca: %lld %s explain%s %.1f%% of the variance%s%s%s", (long long)job->dim,
              job->dim == 1 ? "axis" : "axes", job->dim == 1 ? "s" : "", 100 * sum,
              job->dim > 1 ? " (" : "", job->dim > 1 ? list : "",
              job->dim > 8   ? ", ...)"
              : job->dim > 1 ? ")"
                             : "");
}

static dgm_status reduce(pca_job *job, const dgm_points *points, dgm_matrix *axes) {
    job->found = smaller(job->dim, smaller(points->rows, points->columns));
    job->values = dgmi_scratch_zero(job->ctx, job->found, sizeof(double));
    job->vectors = dgmi_scratch(job->ctx, job->found * points->columns, sizeof(double));
    if (!job->values || !job->vectors)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_reduce_pca_open(job->ctx, points, &job->data);
    if (status == DGM_OK)
        status = solve(job);
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < job->found; i++)
        fix_sign(job->vectors + i * points->columns, points->columns);
    return dgmi_reduce_pca_project(&job->data, job->found, job->vectors,
                                   dgm_matrix_values_mutable(axes), job->dim);
}

static dgm_status check(dgm_context *ctx, const dgm_points *points, int64_t dim,
                        const dgm_pca_options *options) {
    dgm_status status = dgm_options_check(ctx, &dgmi_reduce_pca_table, options);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status != DGM_OK)
        return status;
    if (dim < 1 || dim > DGM_REDUCE_MOST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "pca gives 1 to %d axes, not %lld", DGM_REDUCE_MOST,
                         (long long)dim);
    if (dim > points->columns && points->columns == 1)
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            "1 column cannot be reduced to %lld axes: it is an axis already, and needs "
            "no reduction",
            (long long)dim);
    if (dim > points->columns)
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            "%lld columns cannot be reduced to %lld axes; " DGMI_NAMED("dim") " takes at most %lld "
                                                                              "here",
            (long long)points->columns, (long long)dim, (long long)points->columns);
    if (points->columns > INT32_MAX)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "pca takes at most %d columns, not %lld", INT32_MAX,
                         (long long)points->columns);
    return DGM_OK;
}

dgm_status dgm_reduce_pca(dgm_context *ctx, const dgm_points *points, int64_t dim,
                          const dgm_pca_options *options, dgm_reduce_report *report,
                          dgm_matrix **out) {
    pca_job job = {.ctx = ctx, .dim = dim, .options = DGM_PCA_OPTIONS_INIT};
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_pca_options, seed, options, &job.options);
    if (status == DGM_OK)
        status = check(ctx, points, dim, &job.options);
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "pca", points->rows, dim, out);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = reduce(&job, points, *out);
    if (status == DGM_OK) {
        say_shares(&job, report);
    } else {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
