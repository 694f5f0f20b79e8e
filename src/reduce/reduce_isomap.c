/* SPDX-License-Identifier: Apache-2.0 */
/* Isomap: Tenenbaum, de Silva and Langford, "A global geometric framework for nonlinear
 * dimensionality reduction" (2000): distances along the graph of neighbours, laid out as if they
 * were straight. Beyond 5,000 points paths start at landmarks only (de Silva and Tenenbaum, "Sparse
 * multidimensional scaling using landmark points", 2004).
 */
#include "reduce_isomap.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_random.h"
#include "reduce_reduce.h"

enum { ALL = 5000, LANDMARKS = 1000, LANDMARK_STREAM = 0x6c616e64 };

static const char *const metric_names[] = {"l2", "cosine", NULL}; /* dgm_metric */

static const dgm_option isomap_options[] = {
    {.name = "neighbours",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_isomap_options, neighbours),
     .minimum = 1,
     .maximum = 4096,
     .default_text = "5",
     .argument = "K",
     .help = "that a point is joined with"},
    {.name = "landmarks",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_isomap_options, landmarks),
     .minimum = 0,
     .maximum = 20000,
     .default_text = "0",
     .argument = "N",
     .help = "points whose distances are scaled; 0: all up to 5,000 points, 1,000 beyond"},
    {.name = "metric",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_isomap_options, metric),
     .choices = metric_names,
     .default_text = "l2",
     .help = "which points are near, and how far: by distance, or by angle"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_isomap_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of the choice of landmarks"},
};
const dgm_option_table dgmi_reduce_isomap_table = {"isomap", isomap_options,
                                                   sizeof isomap_options / sizeof *isomap_options};

const dgm_option_table *dgm_isomap_option_table(void) {
    return &dgmi_reduce_isomap_table;
}

typedef struct {
    dgm_context *ctx;
    const dgm_points *points;
    dgm_isomap_options options; /* neighbours and landmarks as they are used */
    dgmi_reduce_isomap_graph graph;
    dgmi_reduce_scaling scaling;
    double recall;
} isomap_job;

static dgm_status make_graph(isomap_job *job) {
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *neighbours = NULL;
    const float *values;
    options.k = job->options.neighbours;
    options.metric = job->options.metric;
    options.seed = job->options.seed;
    dgm_status status = dgmi_reduce_points_floats(job->ctx, job->points, &values);
    if (status == DGM_OK)
        status = dgm_knn(job->ctx, values, job->points->rows, job->points->columns, &options,
                         &neighbours);
    if (status == DGM_OK) {
        job->recall = dgm_neighbours_recall(neighbours);
        status = dgmi_reduce_isomap_graph_make(job->ctx, values, job->points->columns,
                                               job->options.metric, neighbours, &job->graph);
    }
    dgm_neighbours_free(neighbours);
    if (status == DGM_OK && job->graph.components > 1)
        dgmi_note(job->ctx,
                  "isomap: the graph of neighbours falls into %lld components; the nearest two "
                  "points of each pair of them were joined (isomap:neighbours=... for more)",
                  (long long)job->graph.components);
    return status;
}

/* All points, or some drawn at random, ascending. Selection sampling (Knuth 3.4.2 S): each is taken
 * with the chance that the rest of the places has among the rest of the points. */
static dgm_status choose_landmarks(isomap_job *job) {
    int64_t rows = job->points->rows, count = job->options.landmarks, taken = 0;
    uint32_t *sources = dgmi_scratch(job->ctx, count, sizeof *sources);
    if (!sources)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; taken < count; i++) {
        uint64_t draw = dgmi_random_below((uint64_t)job->options.seed, LANDMARK_STREAM, (uint64_t)i,
                                          (uint64_t)(rows - i));
        if (draw < (uint64_t)(count - taken))
            sources[taken++] = (uint32_t)i;
    }
    job->scaling.sources = sources;
    job->scaling.count = count;
    return DGM_OK;
}

static dgm_status reduce(isomap_job *job) {
    int64_t rows = job->points->rows;
    double *values = dgmi_scratch_zero(job->ctx, job->scaling.dim, sizeof *values);
    float *lengths = dgmi_scratch(job->ctx, rows * job->options.landmarks, sizeof *lengths);
    dgm_status status = values && lengths ? make_graph(job) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = choose_landmarks(job);
    if (status == DGM_OK)
        status = dgmi_reduce_isomap_paths(job->ctx, &job->graph, job->scaling.sources,
                                          job->scaling.count, lengths);
    job->scaling.rows = rows;
    job->scaling.lengths = lengths;
    job->scaling.values = values;
    if (status == DGM_OK)
        status = dgmi_reduce_scaling_run(job->ctx, (uint64_t)job->options.seed, &job->scaling);
    return status;
}

static dgm_status check(dgm_context *ctx, const dgm_points *points, int64_t dim,
                        const dgm_isomap_options *options) {
    dgm_status status = dgm_options_check(ctx, &dgmi_reduce_isomap_table, options);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status == DGM_OK && (dim < 1 || dim > DGM_REDUCE_MOST))
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "isomap gives 1 to %d axes, not %lld",
                           DGM_REDUCE_MOST, (long long)dim);
    return status;
}

static void settle_options(isomap_job *job) {
    int64_t rows = job->points->rows, asked = job->options.landmarks;
    if (job->options.neighbours >= rows && rows > 1) {
        dgmi_note(job->ctx, "isomap: %lld points: %lld neighbour%s instead of %lld",
                  (long long)rows, (long long)rows - 1, rows == 2 ? "" : "s",
                  (long long)job->options.neighbours);
        job->options.neighbours = rows - 1;
    }
    if (asked == 0)
        job->options.landmarks = rows <= ALL ? rows : LANDMARKS;
    if (job->options.landmarks > rows)
        job->options.landmarks = rows;
    if (asked == 0 && rows > ALL)
        dgmi_note(job->ctx,
                  "isomap: %lld points: paths start at %d landmarks drawn among them "
                  "(isomap:landmarks=...)",
                  (long long)rows, LANDMARKS);
}

/* Undoes the rescaling: from its unit to that of the points. */
static void scale_back(isomap_job *job, int power) {
    for (int64_t i = 0; power != 0 && i < job->points->rows * job->scaling.dim; i++)
        job->scaling.axes[i] = ldexp(job->scaling.axes[i], power);
    job->scaling.error = fmin(ldexp(job->scaling.error, 2 * power), DBL_MAX); /* of squares */
}

static void say(const isomap_job *job, dgm_reduce_report *report) {
    dgmi_reduce_report_begin(report, "isomap", job->points, job->scaling.dim);
    dgmi_reduce_report_number(report, "residual_variance", job->scaling.variance);
    dgmi_reduce_report_number(report, "reconstruction_error", job->scaling.error);
    dgmi_reduce_report_number(report, "neighbours", (double)job->options.neighbours);
    dgmi_reduce_report_number(report, "landmarks", (double)job->options.landmarks);
    dgmi_reduce_report_number(report, "components", (double)job->graph.components);
    dgmi_reduce_report_number(report, "recall", job->recall);
    dgmi_note(job->ctx, "isomap: residual variance %.4f", job->scaling.variance);
}

dgm_status dgm_reduce_isomap(dgm_context *ctx, const dgm_points *points, int64_t dim,
                             const dgm_isomap_options *options, dgm_reduce_report *report,
                             dgm_matrix **out) {
    isomap_job job = {.ctx = ctx,
                      .points = points,
                      .options = DGM_ISOMAP_OPTIONS_INIT,
                      .graph = {.components = 1},
                      .scaling = {.dim = dim},
                      .recall = 1};
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_isomap_options, seed, options, &job.options);
    if (status == DGM_OK)
        status = check(ctx, points, dim, &job.options);
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "isomap", points->rows, dim, out);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    settle_options(&job);
    job.scaling.axes = dgm_matrix_values_mutable(*out);
    dgm_points rescaled = *points;
    dgm_matrix *made = NULL;
    dgmi_reduce_rescaling rescaling;
    status =
        dgmi_reduce_rescaling_find(ctx, points, job.options.metric == DGM_METRIC_L2, &rescaling);
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_apply(ctx, &rescaling, points, &rescaled, &made);
    job.points = &rescaled;
    if (status == DGM_OK && points->rows > 1)
        status = reduce(&job);
    dgm_matrix_free(made);
    if (status == DGM_OK && job.options.metric == DGM_METRIC_L2)
        scale_back(&job, rescaling.power);
    if (status == DGM_OK) {
        say(&job, report);
    } else {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
