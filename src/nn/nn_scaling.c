/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a table of features and scales it: rows, columns, and all numbers alike. */
#include "nn_scaling.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum {
    GRAIN = 1 << 12,
    GRAIN_VALUES = 1 << 16,
    NAME_SPACE = 128,
    MOST_POWER = 60,   /* of two, for the factor */
    COLUMNS_OWNED = 1, /* places in dgmi_nn_features.owned: 0 is the caller's */
    VALUES_OWNED = COLUMNS_OWNED + 1
};

/* ---- looking at the numbers ---- */

typedef enum flaw_kind { SOUND, NOT_FINITE, UNORDERED } flaw_kind;

/* What a chunk of rows is like; the first flaw in it. */
typedef struct row_scan {
    flaw_kind flaw;
    int64_t node, column;
    double value;
    bool negative, fractional;
    int64_t others; /* numbers that are not 0 */
} row_scan;

typedef struct feature_job {
    dgm_graph_features from;
    int64_t rows, grain;        /* rows per chunk */
    row_scan *scans;            /* by chunk */
    float *to;                  /* scaled values */
    const float *shift, *scale; /* of columns */
    double *sums;               /* by chunk, of squares */
    float factor;
} feature_job;

static inline int64_t row_begin(const dgm_graph_features *from, int64_t row) {
    assert(row >= 0);
    return from->columns ? from->offsets[row] : row * from->width;
}

/* A caller of the library may have given columns in any order: products and transposes need those
 * that ascend. That they exist was seen to by the builder. */
static flaw_kind scan_column(const dgm_graph_features *from, int64_t begin, int64_t e) {
    assert(from->columns[e] < from->width);
    return e > begin && from->columns[e - 1] >= from->columns[e] ? UNORDERED : SOUND;
}

static void scan_row(const feature_job *job, int64_t row, row_scan *scan) {
    const dgm_graph_features *from = &job->from;
    int64_t begin = row_begin(from, row), end = row_begin(from, row + 1);
    scan->node = row;
    assert(0 <= begin && begin <= end && end <= row_begin(from, job->rows));
    for (int64_t e = begin; e < end && scan->flaw == SOUND; e++) {
        if (from->columns)
            scan->flaw = scan_column(from, begin, e);
        if (from->values && !isfinite(from->values[e]))
            scan->flaw = NOT_FINITE;
        if (scan->flaw != SOUND) {
            scan->column = from->columns ? (int64_t)from->columns[e] : e - begin;
            scan->value = from->values ? (double)from->values[e] : 1;
        }
        float value = from->values ? from->values[e] : 1;
        scan->negative |= value < 0;
        scan->fractional |= value != floorf(value);
        scan->others += value != 0;
    }
}

static void scan_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    row_scan scan = {0};
    for (int64_t row = begin; row < end && scan.flaw == SOUND; row++)
        scan_row(job, row, &scan);
    job->scans[chunk] = scan;
}

static dgm_status fail_scan(dgm_context *ctx, const dgm_graph *graph, const row_scan *scan) {
    char name[NAME_SPACE];
    dgm_graph_name(graph, scan->node, name, sizeof name);
    if (scan->flaw == NOT_FINITE)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "node %s has %s in column %lld (from 0) of its features: they must be "
                         "finite numbers",
                         name, isnan(scan->value) ? "nan" : "an infinity", (long long)scan->column);
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "the features of node %s are not in ascending order of their columns, each "
                     "once",
                     name);
}

/* Whether all is well, and what the numbers are like. */
static dgm_status scan_features(dgm_context *ctx, const dgm_graph *graph, feature_job *job,
                                row_scan *all) {
    int64_t chunks = dgmi_chunks(job->rows, job->grain);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    *all = (row_scan){0};
    job->scans = dgmi_scratch(ctx, chunks, sizeof *job->scans);
    if (!job->scans)
        goto done;
    dgmi_parallel(ctx, chunks, scan_chunk, job);
    status = DGM_OK;
    for (int64_t c = 0; c < chunks && status == DGM_OK; c++) {
        all->negative |= job->scans[c].negative;
        all->fractional |= job->scans[c].fractional;
        all->others += job->scans[c].others;
        if (job->scans[c].flaw != SOUND)
            status = fail_scan(ctx, graph, &job->scans[c]);
    }
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Counts are whole numbers from 0 on, and most are 0: how often words occur in a text, whose length
 * says nothing. Other tables of mostly zeros, without a negative number, hold weights of words that
 * are of one scale already (tf-idf). Whatever else there is comes in units of its own. */
static int scaling_by_kind(const feature_job *job, const row_scan *all) {
    double cells = (double)job->rows * (double)job->from.width;
    bool words = !all->negative && job->from.width > 1 && (double)all->others <= cells / 2;
    if (!words)
        return DGMI_NN_SCALE_COLUMNS;
    return all->fractional ? DGMI_NN_SCALE_NONE : DGMI_NN_SCALE_ROWS;
}

/* A single column is not divided by its sum: it would be 1 everywhere, and the spam graph's one
 * feature would say nothing. A row with numbers of both signs has no sum to speak of. */
static int resolve_scaling(const feature_job *job, const row_scan *all, int scaling) {
    if (scaling == DGMI_NN_SCALE_BY_KIND)
        return scaling_by_kind(job, all);
    if (scaling == DGMI_NN_SCALE_ROWS && (job->from.width <= 1 || all->negative))
        return DGMI_NN_SCALE_NONE;
    return scaling;
}

/* ---- rows ---- */

static double row_sum(const dgm_graph_features *from, int64_t begin, int64_t end) {
    if (!from->values)
        return (double)(end - begin);
    double sum = 0;
    for (int64_t e = begin; e < end; e++)
        sum += (double)from->values[e];
    return sum;
}

/* A row of zeros stays one. */
static void normalise_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    const dgm_graph_features *from = &job->from;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) {
        int64_t first = row_begin(from, row), last = row_begin(from, row + 1);
        double sum = row_sum(from, first, last);
        if (sum == 0)
            sum = 1;
        for (int64_t e = first; e < last; e++)
            job->to[e] = (float)((from->values ? (double)from->values[e] : 1) / sum);
    }
}

static void copy_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t e = row_begin(&job->from, begin); e < row_begin(&job->from, end); e++)
        job->to[e] = job->from.values ? job->from.values[e] : 1;
}

/* ---- columns ---- */

static inline int64_t column_of(const dgm_graph_features *from, int64_t row_start, int64_t e) {
    return from->columns ? (int64_t)from->columns[e] : e - row_start;
}

/* Adds the numbers of each column, or the squares of their differences from `means`. */
static void add_columns(const feature_job *job, const double *means, double *sums) {
    const dgm_graph_features *from = &job->from;
    for (int64_t row = 0; row < job->rows; row++) {
        int64_t start = row_begin(from, row), end = row_begin(from, row + 1);
        for (int64_t e = start; e < end; e++) {
            int64_t column = column_of(from, start, e);
            double value = from->values ? (double)from->values[e] : 1;
            double off = means ? value - means[column] : value;
            sums[column] += means ? off * off : off;
        }
    }
}

/* A column without deviation says nothing, and becomes 0 everywhere. */
static dgm_status measure_columns(dgm_context *ctx, feature_job *job, float *shift, float *scale) {
    int64_t width = job->from.width;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *means = dgmi_scratch_zero(ctx, width, sizeof *means);
    double *squares = dgmi_scratch_zero(ctx, width, sizeof *squares);
    dgm_status status = means && squares ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && !job->from.columns)
        add_columns(job, NULL, means);
    for (int64_t j = 0; status == DGM_OK && j < width; j++)
        means[j] /= (double)job->rows;
    if (status == DGM_OK)
        add_columns(job, means, squares);
    for (int64_t j = 0; status == DGM_OK && j < width; j++) {
        double deviation = sqrt(squares[j] / (double)job->rows);
        bool varies = deviation > 1e-6 * fabs(means[j]);
        shift[j] = (float)means[j];
        scale[j] = varies && deviation > FLT_MIN ? (float)(1 / deviation) : 0;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static void columns_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    const dgm_graph_features *from = &job->from;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++) {
        int64_t start = row_begin(from, row), stop = row_begin(from, row + 1);
        for (int64_t e = start; e < stop; e++) {
            int64_t column = column_of(from, start, e);
            float value = from->values ? from->values[e] : 1;
            job->to[e] = (value - job->shift[column]) * job->scale[column];
        }
    }
}

/* Shift and scale of the columns, in memory of `out`: those that a trained network knows, or the
 * table's own. */
static dgm_status find_columns(dgm_context *ctx, feature_job *job, const dgmi_nn_reading *reading,
                               dgmi_nn_features *out) {
    int64_t width = job->from.width;
    float *shift = out->owned[COLUMNS_OWNED] = dgmi_alloc(ctx, 2 * width, sizeof *shift);
    if (!shift)
        return DGM_ERROR_MEMORY;
    out->shift = job->shift = shift;
    out->scale = job->scale = shift + width;
    if (reading->columns != width) /* a network of another width is refused after this */
        return measure_columns(ctx, job, shift, shift + width);
    memcpy(shift, reading->shift, (size_t)width * sizeof *shift);
    memcpy(shift + width, reading->scale, (size_t)width * sizeof *shift);
    return DGM_OK;
}

/* ---- all numbers alike ---- */

static void squares_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    int64_t begin, end;
    double sum = 0;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t e = row_begin(&job->from, begin); e < row_begin(&job->from, end); e++)
        sum += (double)job->to[e] * job->to[e];
    job->sums[chunk] = sum;
}

static void multiply_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const feature_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t e = row_begin(&job->from, begin); e < row_begin(&job->from, end); e++)
        job->to[e] *= job->factor;
}

/* Weights are drawn for inputs of length 1, and a step of Adam is as long whatever they are:
 * features that are far shorter are learnt too slowly, and longer ones too wildly. A power of two
 * changes no rounding, so that it can be moved into the first weights afterwards. */
static dgm_status scale_to_unit(dgm_context *ctx, feature_job *job, dgmi_nn_features *out) {
    int64_t chunks = dgmi_chunks(job->rows, job->grain);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double sum = 0;
    job->sums = dgmi_scratch(ctx, chunks, sizeof *job->sums);
    if (job->sums) {
        dgmi_parallel(ctx, chunks, squares_chunk, job);
        for (int64_t c = 0; c < chunks; c++)
            sum += job->sums[c];
        double power = sum > 0 ? round(log2((double)job->rows / sum) / 2) : 0;
        out->factor = job->factor = (float)exp2(fmin(fmax(power, -MOST_POWER), MOST_POWER));
        dgmi_parallel(ctx, chunks, multiply_chunk, job);
    }
    dgmi_arena_release(ctx, hold);
    return job->sums ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- a table ---- */

static void note_blank(dgm_context *ctx) {
    char advice[DGMI_ADVICE_SPACE];
    dgmi_note(ctx, "all features are 0, which tells no nodes apart; %s tells them apart by number",
              dgmi_advice(ctx, "features", "one-hot", advice));
}

/* The factor is told by the scale of columns where there is one. */
static void join_factor(const feature_job *job, dgmi_nn_features *out) {
    float *scale = (float *)out->owned[COLUMNS_OWNED] + job->from.width;
    for (int64_t j = 0; j < job->from.width; j++)
        scale[j] *= out->factor;
    out->factor = 1;
}

/* In memory of their own where anything changes, or where the graph leaves the ones of a pattern
 * out (dropout needs them). */
static dgm_status take_values(dgm_context *ctx, feature_job *job, const dgmi_nn_reading *reading,
                              dgmi_nn_features *out, const float **values) {
    static void (*const fill[])(void *, int64_t, int) = {[DGMI_NN_SCALE_NONE] = copy_chunk,
                                                         [DGMI_NN_SCALE_ROWS] = normalise_chunk,
                                                         [DGMI_NN_SCALE_COLUMNS] = columns_chunk};
    dgm_status status = DGM_OK;
    *values = job->from.values;
    if (*values && out->scaling == DGMI_NN_SCALE_NONE && !reading->unit)
        return DGM_OK;
    if (out->scaling == DGMI_NN_SCALE_COLUMNS)
        status = find_columns(ctx, job, reading, out);
    if (status != DGM_OK)
        return status;
    job->to = dgmi_alloc(ctx, row_begin(&job->from, job->rows), sizeof *job->to);
    out->owned[VALUES_OWNED] = job->to;
    if (!job->to)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(job->rows, job->grain), fill[out->scaling], job);
    *values = job->to;
    if (reading->unit)
        status = scale_to_unit(ctx, job, out);
    if (status == DGM_OK && out->scale)
        join_factor(job, out);
    return status;
}

dgm_status dgmi_nn_scale(dgm_context *ctx, const dgm_graph *graph, const dgm_graph_features *from,
                         const dgmi_nn_reading *reading, dgmi_nn_features *out,
                         const float **values) {
    feature_job job = {.from = *from, .rows = dgm_graph_nodes(graph), .grain = GRAIN};
    row_scan all;
    if (!job.from.columns && !job.from.values)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph's features are dense, but have no values");
    if (!job.from.columns)
        job.grain = job.from.width < GRAIN_VALUES ? GRAIN_VALUES / job.from.width : 1;
    dgm_status status = scan_features(ctx, graph, &job, &all);
    if (status != DGM_OK)
        return status;
    if (all.others == 0 && job.rows > 0 && reading->kind == DGM_FEATURES_AUTO)
        note_blank(ctx);
    out->scaling = resolve_scaling(&job, &all, reading->scaling);
    return take_values(ctx, &job, reading, out, values);
}
