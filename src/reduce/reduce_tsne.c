/* SPDX-License-Identifier: Apache-2.0 */
/* t-SNE (van der Maaten and Hinton, 2008): a map in which near points stay near. This file has the
 * options, the start of the descent and the public call; the parts are in reduce_tsne_*.c.
 */
#include "reduce_tsne.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_random.h"
#include "reduce_reduce.h"

enum {
    EARLY = 250, /* iterations */
    TASTE = 300, /* iterations after the early ones: then the best of several descents shows */
    FEW = 1000,  /* points: fewer are laid out several times, in about the time that these take */
    LINKS = 250, /* a row: their cost, in other points */
    TRIALS = 8,  /* at most */
};

static const char *const init_names[] = {"pca", "random", NULL};
static const char *const search_names[] = {"auto", "exact", "approximate", NULL};
static const char *const repulsion_names[] = {"auto", "exact", "tree", "fft", NULL};

static const dgm_option tsne_options[] = {
    {.name = "perplexity",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_tsne_options, perplexity),
     .minimum = 1,
     .maximum = 3000,
     .default_text = "30",
     .argument = "P",
     .help = "how many neighbours a point has, roughly; lowered where there are few points"},
    {.name = "iterations",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_tsne_options, iterations),
     .minimum = 0,
     .maximum = 1e6,
     .default_text = "1000",
     .argument = "N",
     .help = "steps of the descent, at most"},
    {.name = "exaggeration",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_tsne_options, exaggeration),
     .minimum = 1,
     .maximum = 1000,
     .default_text = "12",
     .argument = "A",
     .help = "factor of the attraction in the early steps"},
    {.name = "early",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_tsne_options, early),
     .minimum = -1,
     .maximum = 1e6,
     .default_text = "250, or 0 from a given start",
     .argument = "N",
     .help = "how many of the steps are early"},
    {.name = "keep",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_tsne_options, keep),
     .help = "interrupted after its early steps, end there with the map so far"},
    {.name = "rate",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_tsne_options, rate),
     .minimum = 0,
     .maximum = 1e9,
     .default_text = "rows / exaggeration, or 200",
     .argument = "R",
     .help = "learning rate; 0: the default, which is rows / 5 where rows are few"},
    {.name = "init",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_tsne_options, init),
     .choices = init_names,
     .default_text = "pca",
     .help = "where points begin: principal components, or anywhere"},
    {.name = "neighbours",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_tsne_options, neighbours),
     .choices = search_names,
     .default_text = "auto",
     .help = "how neighbours are found; auto: exactly up to 100,000 points"},
    {.name = "repulsion",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_tsne_options, repulsion),
     .choices = repulsion_names,
     .default_text = "auto",
     .help = "all pairs, a tree or a grid; auto: the quickest"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_tsne_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of what is drawn"},
};
const dgm_option_table dgmi_reduce_tsne_table = {"tsne", tsne_options,
                                                 sizeof tsne_options / sizeof *tsne_options};

const dgm_option_table *dgm_tsne_option_table(void) {
    return &dgmi_reduce_tsne_table;
}

/* ---- where points begin ---- */

dgm_status dgmi_reduce_embedding_make(dgm_context *ctx, int dim, int64_t count,
                                      dgmi_kernels_embedding *out) {
    int64_t padded = dgmi_kernels_embed_padded(count);
    *out = (dgmi_kernels_embedding){.dim = dim, .count = count};
    for (int axis = 0; axis < dim; axis++) {
        float *y = out->axis[axis] = dgmi_scratch(ctx, padded, sizeof *y);
        if (!y)
            return DGM_ERROR_MEMORY;
        for (int64_t i = count; i < padded; i++)
            y[i] = DGMI_KERNELS_EMBED_FAR;
    }
    return DGM_OK;
}

/* Normal by the polar method of Box and Muller. */
double dgmi_reduce_draw_normal(uint64_t seed, uint64_t stream, uint64_t i) {
    double u = 1 - dgmi_random_unit(seed, stream, 2 * i);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * dgmi_random_unit(seed, stream, 2 * i + 1));
}

static void start_anywhere(const dgm_tsne_options *options, dgmi_kernels_embedding *y, int axis) {
    for (int64_t i = 0; i < y->count; i++)
        y->axis[axis][i] =
            (float)(DGMI_REDUCE_TSNE_SPREAD *
                    dgmi_reduce_draw_normal((uint64_t)options->seed, (uint64_t)axis, (uint64_t)i));
}

static double deviation(const double *values, int64_t rows, int64_t stride) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < rows; i++)
        sum += values[i * stride];
    for (int64_t i = 0; i < rows; i++)
        squares +=
            (values[i * stride] - sum / (double)rows) * (values[i * stride] - sum / (double)rows);
    return sqrt(squares / (double)rows);
}

/* Principal components, scaled so that the first has deviation DGMI_REDUCE_TSNE_SPREAD. An axis
 * without variance would keep its points on a line for ever, so they begin anywhere on it. */
static void start_at_axes(const dgm_matrix *axes, const dgm_tsne_options *options,
                          dgmi_kernels_embedding *y) {
    int64_t found = dgm_matrix_columns(axes);
    const double *values = dgm_matrix_values(axes);
    double first = deviation(values, y->count, found);
    for (int axis = 0; axis < y->dim; axis++) {
        double own = axis < found ? deviation(values + axis, y->count, found) : 0;
        if (own <= 1e-6 * first) {
            start_anywhere(options, y, axis);
            continue;
        }
        for (int64_t i = 0; i < y->count; i++)
            y->axis[axis][i] = (float)(DGMI_REDUCE_TSNE_SPREAD / first * values[i * found + axis]);
    }
}

static dgm_status start_at_components(dgm_context *ctx, const dgm_points *points,
                                      const dgm_tsne_options *options, dgmi_kernels_embedding *y) {
    dgm_pca_options pca = {
        .size = sizeof(dgm_pca_options), .tolerance = 1e-4, .passes = 30, .seed = options->seed};
    int64_t dim = y->dim < points->columns ? y->dim : points->columns;
    dgm_matrix *axes;
    dgm_note_fn note = ctx->note;
    ctx->note = NULL; /* a start has nothing to say */
    dgm_status status = dgm_reduce_pca(ctx, points, dim, &pca, NULL, &axes);
    ctx->note = note;
    if (status == DGM_OK)
        start_at_axes(axes, options, y);
    dgm_matrix_free(axes);
    return status;
}

void dgmi_reduce_embedding_read(const dgm_matrix *start, dgmi_kernels_embedding *y) {
    const double *values = dgm_matrix_values(start);
    for (int64_t i = 0; i < y->count; i++)
        for (int axis = 0; axis < y->dim; axis++)
            y->axis[axis][i] = (float)values[i * y->dim + axis];
}

dgm_status dgmi_reduce_embedding_start(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, dgmi_kernels_embedding *y) {
    if (options->start)
        dgmi_reduce_embedding_read(options->start, y);
    else if (options->init == DGM_TSNE_PCA)
        return start_at_components(ctx, points, options, y);
    else
        for (int axis = 0; axis < y->dim; axis++)
            start_anywhere(options, y, axis);
    return DGM_OK;
}

/* ---- the call ---- */

dgm_status dgmi_reduce_tsne_fail_bounds(dgm_context *ctx) {
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "tsne: the map ran out of bounds; lower the rate (tsne:rate=...)");
}

static dgm_status check_start(dgm_context *ctx, const dgm_points *points, int64_t dim,
                              const dgm_matrix *start) {
    if (!start)
        return DGM_OK;
    int64_t rows = dgm_matrix_rows(start), columns = dgm_matrix_columns(start);
    if (rows != points->rows || columns != dim)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the start has %lld rows of %lld columns; %lld points in %lld axes need "
                         "as many",
                         (long long)rows, (long long)columns, (long long)points->rows,
                         (long long)dim);
    dgm_points where = dgm_points_of_matrix(start);
    return dgmi_reduce_points_check(ctx, &where);
}

static dgm_status check(dgm_context *ctx, const dgm_points *points, int64_t dim,
                        const dgm_tsne_options *options) {
    dgm_status status = dgm_options_check(ctx, &dgmi_reduce_tsne_table, options);
    if (status != DGM_OK)
        return status;
    if (dim < 1 || dim > DGMI_KERNELS_EMBED_MOST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "tsne gives 1, 2 or 3 axes, not %lld (pca gives "
                         "more)",
                         (long long)dim);
    if (options->repulsion == DGM_TSNE_FFT && dim == 3)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "repulsion=fft is for 1 or 2 axes; 3 take repulsion=tree or exact");
    status = dgmi_reduce_points_check(ctx, points);
    if (status == DGM_OK && points->rows > DGM_MAX_NODES)
        status = dgmi_fail(ctx, DGM_ERROR_DATA, "tsne takes at most %lld rows, not %lld",
                           (long long)DGM_MAX_NODES, (long long)points->rows);
    return status == DGM_OK ? check_start(ctx, points, dim, options->start) : status;
}

/* A point has n - 1 others, of which a third is what a perplexity means. A point alone is not
 * asked. */
double dgmi_reduce_perplexity_fit(dgm_context *ctx, double perplexity, int64_t rows) {
    double most = fmax((double)(rows - 1) / 3, 1);
    if (perplexity <= most)
        return perplexity;
    dgmi_note(ctx, "tsne: %lld points: perplexity %.4g instead of %.4g", (long long)rows, most,
              perplexity);
    return most;
}

void dgmi_reduce_embedding_write(const dgmi_kernels_embedding *y, dgm_matrix *out) {
    double *values = dgm_matrix_values_mutable(out);
    for (int64_t i = 0; i < y->count; i++)
        for (int axis = 0; axis < y->dim; axis++)
            values[i * y->dim + axis] = (double)y->axis[axis][i];
}

static void say(dgm_context *ctx, const dgm_points *points, int dim, double perplexity,
                double recall, const dgmi_reduce_descent *descent, dgm_reduce_report *report) {
    dgmi_reduce_report_begin(report, "tsne", points, dim);
    dgmi_reduce_report_number(report, "divergence", descent->divergence);
    dgmi_reduce_report_number(report, "iterations", (double)descent->done);
    dgmi_reduce_report_number(report, "perplexity", perplexity);
    dgmi_reduce_report_number(report, "recall", recall);
    dgmi_note(ctx, "tsne: divergence %.4f after %lld iterations%s%s", descent->divergence,
              (long long)descent->done, descent->stop ? ": " : "",
              descent->stop ? descent->stop : "");
}

/* ---- several descents ---- */

typedef struct {
    dgm_context *ctx;
    const dgm_points *points;
    const dgm_tsne_options *options;
    dgmi_reduce_affinities affinities;
    dgmi_kernels_embedding start, y, kept; /* where descents begin, one of them, the best so far */
    int64_t early;
    dgmi_reduce_descent best; /* that of `kept` */
} tsne_job;

/* Few points have many maps that no small step makes better, and which of them a descent ends in is
 * chance: a sphere of 200 points is cut open here or there, at divergences 10% apart. */
static int64_t count_trials(const tsne_job *job) {
    double rows = (double)job->points->rows, all = FEW * (FEW + (double)LINKS);
    if (job->options->start || job->options->keep || job->options->iterations <= job->early + TASTE)
        return 1;
    return (int64_t)fmax(1, fmin(TRIALS, all / (rows * (rows + LINKS))));
}

static void copy_map(const dgmi_kernels_embedding *from, dgmi_kernels_embedding *to) {
    for (int axis = 0; axis < from->dim; axis++)
        for (int64_t i = 0; i < from->count; i++)
            to->axis[axis][i] = from->axis[axis][i];
}

/* The first trial begins at the start, the others around it. */
static void begin_trial(tsne_job *job, int64_t trial) {
    uint64_t seed = (uint64_t)job->options->seed,
             stream = (uint64_t)(trial + 1) * 2 * DGMI_KERNELS_EMBED_MOST;
    copy_map(&job->start, &job->y);
    for (int axis = 0; trial && axis < job->y.dim; axis++)
        for (int64_t i = 0; i < job->y.count; i++)
            job->y.axis[axis][i] +=
                (float)(DGMI_REDUCE_TSNE_SPREAD *
                        dgmi_reduce_draw_normal(seed, stream + (uint64_t)axis, (uint64_t)i));
}

/* From `before` iterations on, of `whole` in all descents. */
static dgm_status run_descent(tsne_job *job, int64_t before, int64_t whole,
                              dgmi_reduce_descent *descent) {
    descent->options = job->options;
    descent->before = before;
    descent->whole = whole;
    return dgmi_reduce_descent_run(job->ctx, &job->affinities, &job->y, descent);
}

/* Several descents are begun, and the best of them goes on to the end. */
static dgm_status descend(tsne_job *job) {
    int64_t trials = count_trials(job), all = job->options->iterations;
    int64_t taste = trials > 1 ? job->early + TASTE : all, whole = trials * taste + all - taste;
    dgm_status status = DGM_OK;
    job->best.divergence = INFINITY;
    for (int64_t trial = 0; status == DGM_OK && trial < trials; trial++) {
        dgmi_reduce_descent descent = {
            .iterations = taste, .early = job->early, .wild = trial % 2 == 1};
        begin_trial(job, trial);
        status = run_descent(job, trial * taste, whole, &descent);
        if (status == DGM_OK && descent.divergence < job->best.divergence) {
            job->best = descent;
            copy_map(&job->y, &job->kept);
        }
    }
    if (status != DGM_OK || job->best.stop || taste == all)
        return status;
    dgmi_reduce_descent rest = {.iterations = all - taste, .wild = job->best.wild};
    copy_map(&job->kept, &job->y);
    status = run_descent(job, trials * taste, whole, &rest);
    rest.done += job->best.done;
    job->best = rest;
    copy_map(&job->y, &job->kept);
    return status;
}

static dgm_status embed(dgm_context *ctx, const dgm_points *points, int dim,
                        const dgm_tsne_options *options, dgm_reduce_report *report,
                        dgm_matrix *out) {
    tsne_job job = {.ctx = ctx, .points = points, .options = options, .early = options->early};
    if (job.early < 0)
        job.early = options->start ? 0 : EARLY;
    double perplexity = dgmi_reduce_perplexity_fit(ctx, options->perplexity, points->rows);
    dgm_status status = dgmi_reduce_embedding_make(ctx, dim, points->rows, &job.start);
    if (status == DGM_OK)
        status = dgmi_reduce_embedding_make(ctx, dim, points->rows, &job.y);
    if (status == DGM_OK)
        status = dgmi_reduce_embedding_make(ctx, dim, points->rows, &job.kept);
    if (status == DGM_OK)
        status = dgmi_reduce_embedding_start(ctx, points, options, &job.start);
    if (status == DGM_OK)
        status = dgmi_reduce_affinities_make(ctx, points, options, perplexity, &job.affinities);
    if (status == DGM_OK)
        status = descend(&job);
    if (status == DGM_OK) {
        dgmi_reduce_embedding_write(&job.kept, out);
        say(ctx, points, dim, perplexity, job.affinities.recall, &job.best, report);
    }
    dgmi_reduce_affinities_free(ctx, &job.affinities);
    return status;
}

dgm_status dgm_reduce_tsne(dgm_context *ctx, const dgm_points *points, int64_t dim,
                           const dgm_tsne_options *options, dgm_reduce_report *report,
                           dgm_matrix **out) {
    dgm_tsne_options own = DGM_TSNE_OPTIONS_INIT;
    const dgm_tsne_options *use = &own;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_tsne_options, keep, options, &own);
    if (status == DGM_OK)
        status = check(ctx, points, dim, use);
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "tsne", points->rows, dim, out);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    if (points->rows == 1) { /* in the middle, where nothing moves it */
        dgmi_reduce_descent still = {0};
        say(ctx, points, (int)dim, 1, 1, &still, report);
    } else {
        dgm_points rescaled = *points;
        dgm_matrix *made = NULL;
        dgmi_reduce_rescaling rescaling;
        status = dgmi_reduce_points_note_equal(ctx, "tsne", points);
        if (status == DGM_OK)
            status = dgmi_reduce_rescaling_find(ctx, points, true, &rescaling);
        if (status == DGM_OK)
            status = dgmi_reduce_rescaling_apply(ctx, &rescaling, points, &rescaled, &made);
        if (status == DGM_OK)
            status = embed(ctx, &rescaled, (int)dim, use, report, *out);
        dgm_matrix_free(made);
    }
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}
