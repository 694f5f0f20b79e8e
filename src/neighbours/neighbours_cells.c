/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate search. Points are divided into about sqrt(n) cells around centres, which a few
 * rounds of Lloyd's algorithm find on a sample. The points of a cell are compared with those of the
 * nearest cells, tile by tile as in the exact search. The number of these cells is found on a
 * sample of points whose true neighbours are known: it is doubled until the recall is reached.
 *
 * Points without clusters would have to be compared with a large part of all. If this is more than
 * meetings_worth() allows, they are compared with few cells, and neighbours_descent.c improves the
 * lists. The order of work depends on the seed and the points alone.
 */
#include "neighbours_descent.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"

enum {
    ROUNDS = 5,          /* of Lloyd's algorithm */
    SAMPLE_OF_CELL = 64, /* points a centre is moved by */
    SAMPLE_TILES = 32,   /* of points whose recall is measured */
    SAMPLE_QUERIES = 32, /* of each */
    TILES_AT_ONCE = 64,  /* between two reports of progress */
    FIRST_CELLS = 4,     /* tried first */
    START_CELLS = 8,     /* met before the descent */
};

typedef struct {
    int64_t cell, begin, end; /* positions */
} query_tile;

typedef struct {
    dgm_context *ctx;
    const float *points;
    int64_t count, dim, cells;
    const dgm_knn_options *options;
    float *centres;         /* cells x dim */
    dgm_neighbours *nearby; /* of each centre, the others */
    uint32_t *ids;          /* position -> point, cell by cell */
    int64_t *offsets;       /* of each cell; cells + 1 */
    query_tile *tiles;
    int64_t tile_count, first_tile;
    int64_t probes; /* cells that a tile meets beside its own */
    dgmi_neighbours_points set;
    dgmi_neighbours_search search;
    dgmi_neighbours_space *spaces;
    float *reached; /* of each sampled query: the true k-th distance */
    int64_t *hits;  /* of each sampled tile */
    bool descends;  /* too many cells would have to be met */
    dgm_neighbours *out, *found;
} cell_job;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* ---- cells ---- */

/* `wanted` points, one of each stretch of the list. */
static void sample_points(const cell_job *job, int64_t wanted, uint64_t stream, float *to) {
    for (int64_t i = 0; i < wanted; i++) {
        int64_t begin = i * job->count / wanted, end = (i + 1) * job->count / wanted;
        int64_t pick = begin + (int64_t)dgmi_random_below((uint64_t)job->options->seed, stream,
                                                          (uint64_t)i, (uint64_t)(end - begin));
        memcpy(to + i * job->dim, job->points + pick * job->dim, (size_t)job->dim * sizeof *to);
    }
}

/* The nearest centre of each of `count` points. */
static dgm_status assign(const cell_job *job, const float *points, int64_t count,
                         dgm_neighbours **out) {
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    options.k = 1;
    options.metric = job->options->metric;
    return dgm_knn_query(job->ctx, job->centres, job->cells, points, count, job->dim, &options,
                         out);
}

/* Each centre moves to the mean of its points; one without any stays. */
static void move_centres(cell_job *job, const float *sample, int64_t count, const uint32_t *cell,
                         double *sums, int64_t *sizes) {
    int64_t dim = job->dim;
    memset(sums, 0, (size_t)(job->cells * dim) * sizeof *sums);
    memset(sizes, 0, (size_t)job->cells * sizeof *sizes);
    for (int64_t i = 0; i < count; i++) {
        sizes[cell[i]]++;
        for (int64_t c = 0; c < dim; c++)
            sums[cell[i] * dim + c] += sample[i * dim + c];
    }
    for (int64_t i = 0; i < job->cells * dim; i++) {
        int64_t size = sizes[i / dim];
        if (size > 0)
            job->centres[i] = (float)(sums[i] / (double)size);
    }
}

static dgm_status find_centres(cell_job *job) {
    int64_t count = smaller(job->count, job->cells * SAMPLE_OF_CELL);
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    float *sample = dgmi_scratch(job->ctx, count * job->dim, sizeof *sample);
    double *sums = dgmi_scratch(job->ctx, job->cells * job->dim, sizeof *sums);
    int64_t *sizes = dgmi_scratch(job->ctx, job->cells, sizeof *sizes);
    dgm_status status = sample && sums && sizes ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        sample_points(job, job->cells, 1, job->centres);
        sample_points(job, count, 2, sample);
    }
    for (int round = 0; status == DGM_OK && round < ROUNDS; round++) {
        dgm_neighbours *nearest = NULL;
        status = assign(job, sample, count, &nearest);
        if (status == DGM_OK)
            move_centres(job, sample, count, dgm_neighbours_indices(nearest), sums, sizes);
        dgm_neighbours_free(nearest);
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* Points in order of their cells, and tiles of them. */
static dgm_status fill_cells(cell_job *job) {
    dgm_neighbours *nearest = NULL;
    dgm_status status = assign(job, job->points, job->count, &nearest);
    if (status != DGM_OK)
        return status;
    const uint32_t *cell = dgm_neighbours_indices(nearest);
    for (int64_t i = 0; i < job->count; i++)
        job->offsets[cell[i] + 1]++;
    for (int64_t c = 0; c < job->cells; c++)
        job->offsets[c + 1] += job->offsets[c];
    for (int64_t i = job->count; i-- > 0;) /* from behind: the ends move to the beginnings */
        job->ids[--job->offsets[cell[i] + 1]] = (uint32_t)i;
    memmove(job->offsets, job->offsets + 1, (size_t)job->cells * sizeof *job->offsets);
    job->offsets[job->cells] = job->count;
    dgm_neighbours_free(nearest);
    for (int64_t c = 0; c < job->cells; c++)
        for (int64_t begin = job->offsets[c]; begin < job->offsets[c + 1];
             begin += DGMI_NEIGHBOURS_QUERIES)
            job->tiles[job->tile_count++] = (query_tile){
                c, begin, smaller(begin + DGMI_NEIGHBOURS_QUERIES, job->offsets[c + 1])};
    return DGM_OK;
}

/* ---- the search ---- */

static void meet_cell(cell_job *job, dgmi_neighbours_space *space, const query_tile *tile,
                      int64_t cell) {
    dgmi_neighbours_meet(&job->search, space, tile->begin, tile->end, job->offsets[cell],
                         job->offsets[cell + 1]);
}

/* The tile meets its own cell and those nearest to it. */
static void probe(cell_job *job, dgmi_neighbours_space *space, const query_tile *tile) {
    int64_t known = dgm_neighbours_k(job->nearby);
    const uint32_t *order = dgm_neighbours_indices(job->nearby) + tile->cell * known;
    dgmi_neighbours_begin(&job->search, space, tile->begin, tile->end);
    meet_cell(job, space, tile, tile->cell);
    for (int64_t i = 0; i < smaller(job->probes, known); i++)
        meet_cell(job, space, tile, order[i]);
}

static void search_tile(void *argument, int64_t chunk, int thread) {
    cell_job *job = argument;
    const query_tile *tile = &job->tiles[job->first_tile + chunk];
    dgmi_neighbours_space *space = &job->spaces[thread];
    int64_t k = job->search.k;
    if (dgmi_cancelled(job->ctx))
        return;
    probe(job, space, tile);
    for (int64_t i = tile->begin; i < tile->end; i++) {
        int64_t row = job->ids[i];
        dgmi_neighbours_finish(&job->search, space, i - tile->begin, job->found->indices + row * k,
                               job->found->distances + row * k);
    }
}

/* The sampled queries, spread over all tiles. */
static query_tile sampled_tile(const cell_job *job, int64_t i) {
    int64_t sampled = smaller(SAMPLE_TILES, job->tile_count);
    query_tile tile = job->tiles[i * job->tile_count / sampled];
    tile.end = smaller(tile.end, tile.begin + SAMPLE_QUERIES);
    return tile;
}

/* A list that is found short (cells of few points) counts what it lacks as missed. Returns hits, or
 * with `exact` notes how far the true neighbours reach. */
static void measure_tile(void *argument, int64_t chunk, int thread) {
    cell_job *job = argument;
    query_tile tile = sampled_tile(job, chunk);
    dgmi_neighbours_space *space = &job->spaces[thread];
    int64_t k = job->search.k;
    bool exact = job->probes < 0;
    if (exact) {
        dgmi_neighbours_begin(&job->search, space, tile.begin, tile.end);
        dgmi_neighbours_meet(&job->search, space, tile.begin, tile.end, 0, job->count);
    } else {
        probe(job, space, &tile);
    }
    job->hits[chunk] = 0;
    for (int64_t i = 0; i < tile.end - tile.begin; i++) {
        float *reached = &job->reached[chunk * SAMPLE_QUERIES + i];
        int64_t row = job->ids[tile.begin + i];
        uint32_t *indices = job->out->indices + row * k; /* overwritten later */
        float *distances = job->out->distances + row * k;
        int64_t held = dgmi_neighbours_finish(&job->search, space, i, indices, distances);
        if (exact)
            *reached = distances[k - 1];
        for (int64_t j = 0; j < held; j++)
            job->hits[chunk] += distances[j] <= *reached;
    }
}

static double measure(cell_job *job) {
    int64_t sampled = smaller(SAMPLE_TILES, job->tile_count), hits = 0, wanted = 0;
    dgmi_parallel(job->ctx, sampled, measure_tile, job);
    for (int64_t i = 0; i < sampled; i++) {
        query_tile tile = sampled_tile(job, i);
        hits += job->hits[i];
        wanted += (tile.end - tile.begin) * job->search.k;
    }
    return (double)hits / (double)wanted;
}

/* Whether every point finds k others at all: its cells must hold them. */
static bool reaches_enough(const cell_job *job) {
    int64_t known = dgm_neighbours_k(job->nearby);
    for (int64_t c = 0; c < job->cells; c++) {
        int64_t met = job->offsets[c + 1] - job->offsets[c];
        if (met == 0)
            continue;
        for (int64_t i = 0; i < smaller(job->probes, known); i++) {
            uint32_t other = dgm_neighbours_indices(job->nearby)[c * known + i];
            met += job->offsets[other + 1] - job->offsets[other];
        }
        if (met <= job->search.k)
            return false;
    }
    return true;
}

/* More points than these are met in the time that the descent takes. Measured with normal numbers,
 * 200,000 x 50 and x 128, k = 15 and 90, recall 0.95. */
static int64_t meetings_worth(int64_t k) {
    return 600 * (k + 45);
}

static bool is_too_much(const cell_job *job, int64_t probes) {
    int64_t method = job->options->method;
    if (method == DGM_KNN_CELLS || method == DGM_KNN_DESCENT)
        return method == DGM_KNN_DESCENT;
    return (probes + 1) * (job->count / job->cells) > meetings_worth(job->search.k);
}

static dgm_status choose_probes(cell_job *job) {
    int64_t known = dgm_neighbours_k(job->nearby);
    dgm_status status = dgmi_progress(job->ctx, "nearest neighbours", -1);
    job->probes = -1;
    if (status == DGM_OK)
        measure(job); /* the truth */
    for (job->probes = FIRST_CELLS; status == DGM_OK; job->probes *= 2) {
        job->descends = is_too_much(job, job->probes);
        if (job->descends)
            break;
        status = dgmi_progress(job->ctx, "nearest neighbours", -1);
        job->out->recall = measure(job);
        bool enough = job->out->recall >= job->options->recall && reaches_enough(job);
        if (enough || job->probes >= known)
            break;
    }
    return status;
}

/* Fills `to`, of as many neighbours as it has room for. */
static dgm_status search_all(cell_job *job, dgm_neighbours *to) {
    dgm_status status = DGM_OK;
    job->search.k = to->k;
    job->found = to;
    for (job->first_tile = 0; status == DGM_OK && job->first_tile < job->tile_count;
         job->first_tile += TILES_AT_ONCE) {
        int64_t left = job->tile_count - job->first_tile;
        dgmi_parallel(job->ctx, smaller(left, TILES_AT_ONCE), search_tile, job);
        status = dgmi_progress(job->ctx, "nearest neighbours",
                               (double)job->first_tile / (double)job->tile_count);
    }
    return status;
}

/* The sampled queries, one by one. */
static dgmi_neighbours_sample list_sample(const cell_job *job, uint32_t *positions,
                                          float *reached) {
    int64_t count = 0;
    for (int64_t t = 0; t < smaller(SAMPLE_TILES, job->tile_count); t++) {
        query_tile tile = sampled_tile(job, t);
        for (int64_t i = tile.begin; i < tile.end; i++) {
            positions[count] = (uint32_t)i;
            reached[count++] = job->reached[t * SAMPLE_QUERIES + i - tile.begin];
        }
    }
    return (dgmi_neighbours_sample){count, positions, reached};
}

static dgm_status descend(cell_job *job) {
    uint32_t positions[SAMPLE_TILES * SAMPLE_QUERIES];
    float reached[SAMPLE_TILES * SAMPLE_QUERIES];
    dgmi_neighbours_sample sample = list_sample(job, positions, reached);
    dgm_neighbours *start = NULL;
    dgm_status status = dgmi_neighbours_create(
        job->ctx, job->count, dgmi_neighbours_descent_width(job->out->k, job->count), &start);
    if (status == DGM_OK) {
        job->search.k = start->k;
        job->probes = START_CELLS;
        while (!reaches_enough(job) && job->probes < dgm_neighbours_k(job->nearby))
            job->probes *= 2;
        status = search_all(job, start);
    }
    if (status == DGM_OK)
        status =
            dgmi_neighbours_descent(job->ctx, &job->set, job->options, &sample, &start, job->out);
    dgm_neighbours_free(start);
    return status;
}

static dgm_status take_space(cell_job *job) {
    dgm_context *ctx = job->ctx;
    int64_t most_tiles = job->cells + dgmi_chunks(job->count, DGMI_NEIGHBOURS_QUERIES);
    job->centres = dgmi_scratch(ctx, job->cells * job->dim, sizeof *job->centres);
    job->ids = dgmi_scratch(ctx, job->count, sizeof *job->ids);
    job->offsets = dgmi_scratch_zero(ctx, job->cells + 1, sizeof *job->offsets);
    job->tiles = dgmi_scratch(ctx, most_tiles, sizeof *job->tiles);
    job->reached = dgmi_scratch(ctx, SAMPLE_TILES * SAMPLE_QUERIES, sizeof *job->reached);
    job->hits = dgmi_scratch(ctx, SAMPLE_TILES, sizeof *job->hits);
    bool there =
        job->centres && job->ids && job->offsets && job->tiles && job->reached && job->hits;
    return there ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Everything that the search needs: cells, their order, points made ready. */
static dgm_status prepare(cell_job *job) {
    dgmi_neighbours_rescaling rescaling;
    dgm_knn_options order = DGM_KNN_OPTIONS_INIT;
    int metric = job->options->metric;
    order.k = smaller(job->cells > 1 ? job->cells - 1 : 1, 10000);
    order.metric = metric;
    order.method = DGM_KNN_EXACT;
    dgm_status status = take_space(job);
    if (status == DGM_OK)
        status = find_centres(job);
    if (status == DGM_OK)
        status = fill_cells(job);
    if (status == DGM_OK)
        status = dgm_knn(job->ctx, job->centres, job->cells, job->dim, &order, &job->nearby);
    if (status == DGM_OK)
        status = dgmi_neighbours_rescaling_find(job->ctx, metric, job->points, job->count, NULL, 0,
                                                job->dim, &rescaling);
    if (status == DGM_OK)
        status = dgmi_neighbours_points_make(job->ctx, metric, job->points, job->ids, job->count,
                                             job->dim, &rescaling, &job->set);
    if (status == DGM_OK)
        status = dgmi_neighbours_spaces(job->ctx, dgm_context_threads(job->ctx), job->set.width,
                                        dgmi_neighbours_descent_width(job->out->k, job->count),
                                        &job->spaces);
    job->search = (dgmi_neighbours_search){.points = &job->set,
                                           .queries = &job->set,
                                           .same = true,
                                           .k = job->out->k,
                                           .scatter = job->options->scatter,
                                           .seed = (uint64_t)job->options->seed};
    return status;
}

dgm_status dgmi_neighbours_cells(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                                 const dgm_knn_options *options, dgm_neighbours *out) {
    cell_job job = {.ctx = ctx,
                    .points = points,
                    .count = count,
                    .dim = dim,
                    .cells = (int64_t)ceil(sqrt((double)count)),
                    .options = options,
                    .out = out};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = prepare(&job);
    if (status == DGM_OK)
        status = choose_probes(&job);
    if (status == DGM_OK)
        status = job.descends ? descend(&job) : search_all(&job, out);
    if (status == DGM_OK)
        dgmi_note(ctx, "nearest neighbours: about %.1f%% of the true ones were found (of a sample)",
                  100 * out->recall);
    dgm_neighbours_free(job.nearby);
    dgmi_arena_release(ctx, hold);
    return status;
}
