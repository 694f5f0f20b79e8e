/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the two matrices of a convolution from a graph: the features X and the propagation matrix
 * P. */
#include "nn_data.h"

#include <assert.h>
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "nn_scaling.h"
#include "nn_structure.h"

enum { GRAIN = 1 << 12, RANGES = 4, SMALLEST_RANGE = 1 << 14, NAME_SPACE = 128 };

/* ---- features ---- */

/* The network sees the table `from`, scaled. */
static dgm_status take_table(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_graph_features *from, const dgmi_nn_reading *reading,
                             dgmi_nn_features *out) {
    const float *values;
    out->width = from->width;
    dgm_status status = dgmi_nn_scale(ctx, graph, from, reading, out, &values);
    if (status != DGM_OK)
        return status;
    if (!from->columns) {
        out->dense = values;
        return DGM_OK;
    }
    const dgmi_table_csr matrix = {out->rows, from->width, from->offsets, from->columns, values};
    return dgmi_nn_sparse_make(ctx, &matrix, false, &out->sparse);
}

typedef struct identity_job {
    int64_t rows;
    int64_t *offsets;
    uint32_t *indices;
    float *values;
} identity_job;

static void identity_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const identity_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        job->offsets[u + 1] = u + 1;
        job->indices[u] = (uint32_t)u;
        job->values[u] = 1;
    }
}

/* The identity, n entries. Its transpose has the same entries in the same order, so an op that
 * replaces the values (dropout) need not reorder them for the transpose. */
static dgm_status one_hot(dgm_context *ctx, const dgm_graph *graph, dgmi_nn_features *out) {
    identity_job job = {.rows = dgm_graph_nodes(graph)};
    out->owned[0] = job.offsets = dgmi_alloc(ctx, job.rows + 1, sizeof *job.offsets);
    out->owned[1] = job.indices = dgmi_alloc(ctx, job.rows, sizeof *job.indices);
    out->owned[2] = job.values = dgmi_alloc(ctx, job.rows, sizeof *job.values);
    if (!job.offsets || !job.indices || !job.values)
        return DGM_ERROR_MEMORY;
    job.offsets[0] = 0;
    dgmi_parallel(ctx, dgmi_chunks(job.rows, GRAIN), identity_chunk, &job);
    out->width = job.rows;
    out->one_hot = true;
    out->sparse.matrix = out->sparse.transpose =
        (dgmi_table_csr){job.rows, job.rows, job.offsets, job.indices, job.values};
    out->sparse.positions = job.indices;
    return DGM_OK;
}

/* log(1 + degree), the degree as the lens of that name has it: arcs in and out, a loop twice. */
static dgm_status degrees(dgm_context *ctx, const dgm_graph *graph, const dgmi_nn_reading *reading,
                          dgmi_nn_features *out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t *count = dgmi_scratch_zero(ctx, rows.nodes, sizeof *count);
    float *values = dgmi_alloc(ctx, rows.nodes, sizeof *values);
    out->owned[0] = values;
    if (!count || !values)
        goto done;
    for (int64_t u = 0; u < rows.nodes; u++) {
        count[u] += rows.offsets[u + 1] - rows.offsets[u];
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            count[rows.targets[e]] += rows.directed || rows.targets[e] == u;
    }
    for (int64_t u = 0; u < rows.nodes; u++)
        values[u] = (float)log1p((double)count[u]);
    status =
        take_table(ctx, graph, &(dgm_graph_features){.width = 1, .values = values}, reading, out);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status structure(dgm_context *ctx, const dgm_graph *graph,
                            const dgmi_nn_reading *reading, dgmi_nn_features *out) {
    float *values;
    dgm_status status = dgmi_nn_structure_make(ctx, graph, &values);
    out->owned[0] = values;
    const dgm_graph_features table = {.width = DGMI_NN_STRUCTURE, .values = values};
    return status == DGM_OK ? take_table(ctx, graph, &table, reading, out) : status;
}

static void note_bare(dgm_context *ctx, const dgm_graph *graph, int kind) {
    char advice[DGMI_ADVICE_SPACE];
    if (kind == DGM_FEATURES_STRUCTURE)
        dgmi_note(ctx,
                  "the graph has no features, and %lld nodes are many: degree, core, clustering "
                  "and random walks stand for them; %s tells nodes apart by number",
                  (long long)dgm_graph_nodes(graph),
                  dgmi_advice(ctx, "features", "one-hot", advice));
    else
        dgmi_note(ctx,
                  "the graph has no features: nodes are told apart by their number (one-hot); "
                  "%s uses degrees",
                  dgmi_advice(ctx, "features", "degree", advice));
}

static void note_aside(dgm_context *ctx, int kind) {
    char advice[DGMI_ADVICE_SPACE];
    if (kind == DGM_FEATURES_ONE_HOT)
        dgmi_note(ctx, "the graph's own features are left aside: nodes are told apart by their "
                       "number");
    else
        dgmi_note(ctx, "the graph's own features are left aside: %s uses %s",
                  dgmi_advice(ctx, "features", kind == DGM_FEATURES_DEGREE ? "degree" : "structure",
                              advice),
                  kind == DGM_FEATURES_DEGREE ? "degrees" : "the edges");
}

static int kind_of(const dgm_graph *graph, const dgmi_nn_reading *reading) {
    bool many = reading->structure && dgm_graph_nodes(graph) > DGM_STRUCTURE_NODES;
    if (reading->kind != DGM_FEATURES_AUTO || dgm_graph_get_features(graph).width > 0)
        return reading->kind;
    return many ? DGM_FEATURES_STRUCTURE : DGM_FEATURES_ONE_HOT;
}

static dgm_status make_features(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_nn_reading *reading, dgmi_nn_features *out) {
    const dgm_graph_features own = dgm_graph_get_features(graph);
    out->kind = kind_of(graph, reading);
    if (reading->kind != out->kind)
        note_bare(ctx, graph, out->kind);
    else if (own.width > 0 && out->kind > DGM_FEATURES_AUTO && out->kind <= DGM_FEATURES_STRUCTURE)
        note_aside(ctx, out->kind);
    switch (out->kind) {
    case DGM_FEATURES_AUTO:
        return take_table(ctx, graph, &own, reading, out);
    case DGM_FEATURES_ONE_HOT:
        return one_hot(ctx, graph, out);
    case DGM_FEATURES_DEGREE:
        return degrees(ctx, graph, reading, out);
    case DGM_FEATURES_STRUCTURE:
        return structure(ctx, graph, reading, out);
    default:
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d is no kind of features", out->kind);
    }
}

dgm_status dgmi_nn_features_read(dgm_context *ctx, const dgm_graph *graph,
                                 const dgmi_nn_reading *reading, dgmi_nn_features *out) {
    *out = (dgmi_nn_features){.rows = dgm_graph_nodes(graph), .factor = 1};
    dgm_status status = make_features(ctx, graph, reading, out);
    if (status != DGM_OK)
        dgmi_nn_features_free(ctx, out);
    return status;
}

dgm_status dgmi_nn_features_make(dgm_context *ctx, const dgm_graph *graph, int kind, bool normalise,
                                 dgmi_nn_features *out) {
    const dgmi_nn_reading reading = {
        .kind = kind, .scaling = normalise ? DGMI_NN_SCALE_ROWS : DGMI_NN_SCALE_NONE};
    return dgmi_nn_features_read(ctx, graph, &reading, out);
}

void dgmi_nn_features_free(dgm_context *ctx, dgmi_nn_features *features) {
    dgmi_nn_sparse_free(ctx, &features->sparse);
    for (size_t i = 0; i < sizeof features->owned / sizeof *features->owned; i++)
        dgmi_free(ctx, features->owned[i]);
    *features = (dgmi_nn_features){0};
}

/* ---- propagation ---- */

/* Of a directed graph row v of the matrix has those who point at v, but the graph's rows have those
 * whom v points at: the transpose is made first, row by row like the matrix of an undirected graph,
 * and turned. */
typedef struct propagation_job {
    dgm_graph_rows rows;
    double *roots;   /* 1 / sqrt(degree), the 1 of the identity included */
    int64_t *flawed; /* by chunk: its first node with a weight that will not do, or -1 */
    int64_t *offsets;
    uint32_t *indices;
    float *values;
    /* directed: */
    int64_t range;     /* columns a chunk: few chunks, each of which reads all entries */
    int64_t *cursors;  /* where the next entry of a column goes */
    int64_t *turned;   /* offsets of the matrix */
    uint32_t *sources; /* its indices */
    float *shares;     /* its values */
    uint32_t *positions;
} propagation_job;

static inline double weight_of(const dgm_graph_rows *rows, int64_t e) {
    return rows->weights ? rows->weights[e] : 1;
}

/* How many entries row v will have, and unless the graph is directed its degree. */
static bool measure_row(const propagation_job *job, int64_t v) {
    const dgm_graph_rows *rows = &job->rows;
    double degree = 1;
    bool loop = false, sound = true;
    for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        double weight = weight_of(rows, e);
        degree += weight;
        sound &= weight >= 0;
        loop |= rows->targets[e] == v;
    }
    job->offsets[v + 1] = rows->offsets[v + 1] - rows->offsets[v] + !loop;
    if (!rows->directed)
        job->roots[v] = 1 / sqrt(degree);
    return sound && isfinite(degree);
}

static void measure_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const propagation_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    job->flawed[chunk] = -1;
    for (int64_t v = begin; v < end; v++)
        if (!measure_row(job, v) && job->flawed[chunk] < 0)
            job->flawed[chunk] = v;
}

static dgm_status fail_row(dgm_context *ctx, const dgm_graph *graph, int64_t v) {
    char name[NAME_SPACE], other[NAME_SPACE];
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_name(graph, v, name, sizeof name);
    for (int64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; e++)
        if (weight_of(&rows, e) < 0) {
            dgm_graph_name(graph, rows.targets[e], other, sizeof other);
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the edge from %s to %s weighs %g: a graph convolution needs weights "
                             "of 0 or more",
                             name, other, weight_of(&rows, e));
        }
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "the edge weights of node %s add up to more than a number holds; scale them",
                     name);
}

static dgm_status measure(dgm_context *ctx, const dgm_graph *graph, propagation_job *job) {
    int64_t n = job->rows.nodes, chunks = dgmi_chunks(n, GRAIN);
    job->roots = dgmi_scratch(ctx, n, sizeof *job->roots);
    job->flawed = dgmi_scratch(ctx, chunks, sizeof *job->flawed);
    job->offsets = dgmi_alloc(ctx, n + 1, sizeof *job->offsets);
    if (!job->roots || !job->flawed || !job->offsets)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, measure_chunk, job);
    for (int64_t c = 0; c < chunks; c++)
        if (job->flawed[c] >= 0)
            return fail_row(ctx, graph, job->flawed[c]);
    job->offsets[0] = 0;
    for (int64_t v = 0; v < n; v++)
        job->offsets[v + 1] += job->offsets[v];
    return DGM_OK;
}

/* w / sqrt(d_v d_u): the same number from both ends, so a symmetric matrix is so to the last bit.
 */
static inline void put(const propagation_job *job, int64_t at, int64_t v, int64_t u,
                       double weight) {
    job->indices[at] = (uint32_t)u;
    job->values[at] = (float)(weight * (job->roots[v] * job->roots[u]));
}

/* The row of A + I, ascending: the identity's 1 stands in its place, on top of a loop if the graph
 * has one. */
static void fill_row(const propagation_job *job, int64_t v) {
    const dgm_graph_rows *rows = &job->rows;
    int64_t at = job->offsets[v];
    bool placed = false;
    for (int64_t e = rows->offsets[v]; e < rows->offsets[v + 1]; e++) {
        int64_t u = rows->targets[e];
        if (!placed && u > v)
            put(job, at++, v, v, 1);
        placed |= u >= v;
        put(job, at++, v, u, weight_of(rows, e) + (u == v ? 1 : 0));
    }
    if (!placed)
        put(job, at, v, v, 1);
}

static void fill_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const propagation_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t v = begin; v < end; v++)
        fill_row(job, v);
}

static dgm_status fill(dgm_context *ctx, propagation_job *job) {
    int64_t entries = job->offsets[job->rows.nodes];
    job->indices = dgmi_alloc(ctx, entries, sizeof *job->indices);
    job->values = dgmi_alloc(ctx, entries, sizeof *job->values);
    if (!job->indices || !job->values)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(job->rows.nodes, GRAIN), fill_chunk, job);
    return DGM_OK;
}

/* ---- directed ---- */

/* The degrees of a range of nodes, by what points at them, and the sizes of their rows. */
static void arrivals_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const propagation_job *job = argument;
    const dgm_graph_rows *rows = &job->rows;
    int64_t begin, end;
    dgmi_chunk(rows->nodes, job->range, chunk, &begin, &end);
    for (int64_t v = begin; v < end; v++) {
        job->roots[v] = 1;
        job->turned[v + 1] = 1;
    }
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            int64_t v = rows->targets[e];
            if (v >= end)
                break;
            if (v < begin)
                continue;
            job->roots[v] += weight_of(rows, e);
            job->turned[v + 1] += v != u;
        }
}

static dgm_status measure_arrivals(dgm_context *ctx, const dgm_graph *graph, propagation_job *job) {
    int64_t n = job->rows.nodes;
    job->turned = dgmi_alloc(ctx, n + 1, sizeof *job->turned);
    job->cursors = dgmi_scratch(ctx, n, sizeof *job->cursors);
    if (!job->turned || !job->cursors)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(n, job->range), arrivals_chunk, job);
    job->turned[0] = 0;
    for (int64_t v = 0; v < n; v++) {
        if (!isfinite(job->roots[v]))
            return fail_row(ctx, graph, v);
        job->roots[v] = 1 / sqrt(job->roots[v]);
        job->cursors[v] = job->turned[v];
        job->turned[v + 1] += job->turned[v];
    }
    return DGM_OK;
}

/* The rows of a range of nodes, each filled in the order of those who point at it. */
static void turn_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const propagation_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, job->range, chunk, &begin, &end);
    for (int64_t u = 0; u < job->rows.nodes; u++)
        for (int64_t e = job->offsets[u]; e < job->offsets[u + 1]; e++) {
            int64_t v = job->indices[e];
            if (v >= end)
                break;
            if (v < begin)
                continue;
            int64_t at = job->cursors[v]++;
            job->sources[at] = (uint32_t)u;
            job->shares[at] = job->values[e];
            job->positions[e] = (uint32_t)at;
        }
}

static dgm_status turn(dgm_context *ctx, propagation_job *job) {
    int64_t entries = job->offsets[job->rows.nodes];
    if (entries > UINT32_MAX)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "%lld arcs are more than a network takes; leave directions out",
                         (long long)entries);
    job->sources = dgmi_alloc(ctx, entries, sizeof *job->sources);
    job->shares = dgmi_alloc(ctx, entries, sizeof *job->shares);
    job->positions = dgmi_alloc(ctx, entries, sizeof *job->positions);
    if (!job->sources || !job->shares || !job->positions)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(job->rows.nodes, job->range), turn_chunk, job);
    return DGM_OK;
}

/* ---- either ---- */

dgm_status dgmi_nn_propagation_make(dgm_context *ctx, const dgm_graph *graph, dgmi_nn_sparse *out) {
    propagation_job job = {.rows = dgm_graph_get_rows(graph)};
    int64_t n = job.rows.nodes;
    bool directed = job.rows.directed;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    job.range = n / RANGES > SMALLEST_RANGE ? dgmi_chunks(n, RANGES) : SMALLEST_RANGE;
    dgm_status status = measure(ctx, graph, &job);
    if (status == DGM_OK && directed)
        status = measure_arrivals(ctx, graph, &job);
    if (status == DGM_OK)
        status = fill(ctx, &job);
    if (status == DGM_OK && directed)
        status = turn(ctx, &job);
    dgmi_arena_release(ctx, hold);
    const dgmi_table_csr as_filled = {n, n, job.offsets, job.indices, job.values};
    const dgmi_table_csr as_turned = {n, n, job.turned, job.sources, job.shares};
    *out = (dgmi_nn_sparse){directed ? as_turned : as_filled, as_filled, job.positions, NULL};
    if (status != DGM_OK)
        dgmi_nn_propagation_free(ctx, out);
    return status;
}

static void free_csr(dgm_context *ctx, const dgmi_table_csr *matrix) {
    dgmi_free(ctx, (void *)matrix->offsets);
    dgmi_free(ctx, (void *)matrix->indices);
    dgmi_free(ctx, (void *)matrix->values);
}

void dgmi_nn_propagation_free(dgm_context *ctx, dgmi_nn_sparse *propagation) {
    if (propagation->matrix.offsets != propagation->transpose.offsets)
        free_csr(ctx, &propagation->matrix);
    free_csr(ctx, &propagation->transpose);
    dgmi_free(ctx, (void *)propagation->positions);
    *propagation = (dgmi_nn_sparse){0};
}
