/* SPDX-License-Identifier: Apache-2.0 */
/* UMAP: McInnes, Healy and Melville, "UMAP: uniform manifold approximation and projection for
 * dimension reduction" (2018). Neighbours become a fuzzy graph, whose edges are then drawn by
 * pulling their ends together and pushing other points apart.
 */
#include "reduce_umap.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "reduce_reduce.h"

enum { FEW = 10000, EPOCHS_FEW = 500, EPOCHS_MANY = 200, CURVE_POINTS = 300, CURVE_STEPS = 200 };

static const char *const init_names[] = {"spectral", "pca", "random", NULL};
static const char *const metric_names[] = {"l2", "cosine", NULL}; /* dgm_metric */

static const dgm_option umap_options[] = {
    {.name = "neighbours",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_umap_options, neighbours),
     .minimum = 2,
     .maximum = 4096,
     .default_text = "15",
     .argument = "K",
     .help = "of a point, itself among them: few show detail, many the whole"},
    {.name = "min-dist",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_umap_options, min_dist),
     .minimum = 0,
     .maximum = 1e3,
     .default_text = "0.1",
     .argument = "D",
     .help = "how near points may come to each other in the map"},
    {.name = "spread",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_umap_options, spread),
     .minimum = 1e-3,
     .maximum = 1e3,
     .default_text = "1",
     .argument = "S",
     .help = "how far clumps reach; at least min-dist"},
    {.name = "epochs",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_umap_options, epochs),
     .minimum = 0,
     .maximum = 1e6,
     .default_text = "0",
     .argument = "N",
     .help = "of the descent; 0: 500 up to 10,000 points, 200 beyond"},
    {.name = "negatives",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_umap_options, negatives),
     .minimum = 0,
     .maximum = 1000,
     .default_text = "5",
     .argument = "N",
     .help = "points drawn at random for each edge, which push"},
    {.name = "init",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_umap_options, init),
     .choices = init_names,
     .default_text = "spectral",
     .help = "start from eigenvectors of the graph, principal components, or anywhere"},
    {.name = "metric",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_umap_options, metric),
     .choices = metric_names,
     .default_text = "l2",
     .help = "which points are near: by distance, or by angle"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_umap_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of the points drawn"},
};
const dgm_option_table dgmi_reduce_umap_table = {"umap", umap_options,
                                                 sizeof umap_options / sizeof *umap_options};

const dgm_option_table *dgm_umap_option_table(void) {
    return &dgmi_reduce_umap_table;
}

/* ---- the curve ---- */

/* What the least squares need at (a, b): J'J, J'r and |r|^2. */
typedef struct {
    double aa, ab, bb, ra, rb, error;
} curve_sums;

static curve_sums sum_curve(double a, double b, double min_dist, double spread) {
    curve_sums sums = {0};
    for (int i = 0; i < CURVE_POINTS; i++) {
        double x = 3 * spread * i / (CURVE_POINTS - 1);
        double wanted = x < min_dist ? 1 : exp(-(x - min_dist) / spread);
        double power = pow(x, 2 * b), f = 1 / (1 + a * power), r = wanted - f;
        double by_a = -power * f * f, by_b = x > 0 ? -2 * a * power * log(x) * f * f : 0;
        sums.aa += by_a * by_a;
        sums.ab += by_a * by_b;
        sums.bb += by_b * by_b;
        sums.ra += by_a * r;
        sums.rb += by_b * r;
        sums.error += r * r;
    }
    return sums;
}

/* Levenberg and Marquardt from (1, 1). */
dgmi_reduce_umap_curve dgmi_reduce_umap_fit(double min_dist, double spread) {
    dgmi_reduce_umap_curve curve = {1, 1};
    curve_sums sums = sum_curve(1, 1, min_dist, spread);
    double damping = 1e-3;
    for (int i = 0; i < CURVE_STEPS && damping < 1e12; i++) {
        double aa = sums.aa * (1 + damping), bb = sums.bb * (1 + damping);
        double determinant = aa * bb - sums.ab * sums.ab;
        double a = curve.a + (bb * sums.ra - sums.ab * sums.rb) / determinant;
        double b = curve.b + (aa * sums.rb - sums.ab * sums.ra) / determinant;
        curve_sums there = sum_curve(a, b, min_dist, spread);
        if (a > 0 && b > 0 && there.error < sums.error) {
            curve = (dgmi_reduce_umap_curve){a, b};
            sums = there;
            damping /= 10;
        } else {
            damping *= 10;
        }
    }
    return curve;
}

/* ---- the reduction ---- */

typedef struct {
    dgm_context *ctx;
    const dgm_points *points;
    dgm_umap_options options; /* epochs and neighbours as they are used */
    int64_t dim;
    dgmi_reduce_umap_curve curve;
    int64_t edges;
    double recall;
    float *y; /* rows x dim */
} umap_job;

static dgm_status find_neighbours(umap_job *job, dgm_neighbours **out) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    const float *values;
    options.k = job->options.neighbours - 1;
    options.metric = job->options.metric;
    options.seed = job->options.seed;
    options.scatter = true; /* see the affinities of t-SNE */
    *out = NULL;
    dgm_status status = dgmi_reduce_points_floats(job->ctx, job->points, &values);
    if (status == DGM_OK)
        status = dgm_knn(job->ctx, values, job->points->rows, job->points->columns, &options, out);
    if (status == DGM_OK)
        job->recall = dgm_neighbours_recall(*out);
    dgmi_arena_release(job->ctx, hold);
    return status;
}

static dgm_status reduce(umap_job *job) {
    dgm_neighbours *neighbours;
    dgmi_spectral_adjacency graph;
    dgm_status status = find_neighbours(job, &neighbours);
    if (status == DGM_OK)
        status = dgmi_reduce_umap_graph(job->ctx, neighbours, &graph);
    dgm_neighbours_free(neighbours);
    if (status == DGM_OK)
        status =
            dgmi_reduce_umap_start(job->ctx, job->points, &graph, &job->options, job->dim, job->y);
    if (status != DGM_OK)
        return status;
    job->edges = graph.offsets[graph.rows] / 2;
    return dgmi_reduce_umap_descend(job->ctx, &graph, job->curve, &job->options,
                                    job->options.epochs, job->dim, job->y);
}

/* Around 0. */
static void centre(const umap_job *job, double *values) {
    for (int64_t c = 0; c < job->dim; c++) {
        double sum = 0;
        for (int64_t i = 0; i < job->points->rows; i++)
            sum += job->y[i * job->dim + c];
        for (int64_t i = 0; i < job->points->rows; i++)
            values[i * job->dim + c] = job->y[i * job->dim + c] - sum / (double)job->points->rows;
    }
}

static void say(const umap_job *job, dgm_reduce_report *report) {
    dgmi_reduce_report_begin(report, "umap", job->points, job->dim);
    dgmi_reduce_report_number(report, "neighbours", (double)job->options.neighbours);
    dgmi_reduce_report_number(report, "edges", (double)job->edges);
    dgmi_reduce_report_number(report, "epochs", (double)job->options.epochs);
    dgmi_reduce_report_number(report, "a", job->curve.a);
    dgmi_reduce_report_number(report, "b", job->curve.b);
    dgmi_reduce_report_number(report, "recall", job->recall);
    if (job->recall < 1)
        dgmi_note(job->ctx, "umap: %.1f%% of the true neighbours were found, measured on a sample",
                  100 * job->recall);
}

static dgm_status check(dgm_context *ctx, const dgm_points *points, int64_t dim,
                        const dgm_umap_options *options) {
    dgm_status status = dgm_options_check(ctx, &dgmi_reduce_umap_table, options);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status != DGM_OK)
        return status;
    if (dim < 1 || dim > DGM_REDUCE_MOST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "umap gives 1 to %d axes, not %lld", DGM_REDUCE_MOST,
                         (long long)dim);
    if (options->min_dist > options->spread)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "umap: min-dist is at most spread, and %g is more than %g",
                         options->min_dist, options->spread);
    return DGM_OK;
}

static void settle_options(umap_job *job) {
    int64_t rows = job->points->rows;
    if (job->options.epochs == 0)
        job->options.epochs = rows <= FEW ? EPOCHS_FEW : EPOCHS_MANY;
    if (job->options.neighbours <= rows)
        return;
    dgmi_note(job->ctx, "umap: %lld point%s: %lld neighbours instead of %lld", (long long)rows,
              rows == 1 ? "" : "s", (long long)rows, (long long)job->options.neighbours);
    job->options.neighbours = rows;
}

dgm_status dgm_reduce_umap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                           const dgm_umap_options *options, dgm_reduce_report *report,
                           dgm_matrix **out) {
    umap_job job = {
        .ctx = ctx, .points = points, .dim = dim, .options = DGM_UMAP_OPTIONS_INIT, .recall = 1};
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_umap_options, seed, options, &job.options);
    if (status == DGM_OK)
        status = check(ctx, points, dim, &job.options);
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "umap", points->rows, dim, out);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    job.curve = dgmi_reduce_umap_fit(job.options.min_dist, job.options.spread);
    settle_options(&job);
    job.y = dgmi_scratch_zero(ctx, points->rows * dim, sizeof *job.y);
    status = job.y ? DGM_OK : DGM_ERROR_MEMORY;
    dgm_points rescaled = *points;
    dgm_matrix *made = NULL;
    dgmi_reduce_rescaling rescaling;
    if (status == DGM_OK)
        status = dgmi_reduce_points_note_equal(ctx, "umap", points);
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_find(ctx, points, job.options.metric == DGM_METRIC_L2,
                                            &rescaling);
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_apply(ctx, &rescaling, points, &rescaled, &made);
    job.points = &rescaled;
    if (status == DGM_OK && points->rows > 1)
        status = reduce(&job);
    dgm_matrix_free(made);
    if (status == DGM_OK) {
        centre(&job, dgm_matrix_values_mutable(*out));
        say(&job, report);
    } else {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
