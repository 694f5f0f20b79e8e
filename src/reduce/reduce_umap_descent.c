/* SPDX-License-Identifier: Apache-2.0 */
/* UMAP's descent. With w the membership of an edge and v = 1 / (1 + a d^2b) that of two points at
 * distance d in the map, an edge pulls both its ends and a point drawn at random pushes:
 *
 *   pull    -2 a b d^2(b-1) / (1 + a d^2b)        push    2 b / ((0.001 + d^2) (1 + a d^2b))
 *
 * each times the difference of the places and cut to [-4, 4]. An edge pulls in a share w / max w of
 * the epochs, once for each direction that it is stored in.
 *
 * Elsewhere points move one after the other, in whatever order threads come. Here a point takes all
 * its steps of an epoch one after the other, from its own newest place, but sees all others where
 * they were when the epoch began: points are then independent of each other, in threads and in
 * lanes of a vector alike, and the result does not depend on either.
 */
#include "reduce_umap.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_cpu.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    LANES = 16, /* points of a group, moved together */
    GROUPS = 8  /* of a chunk */
};
#define EPOCH_STREAM 0x65706f6368
#define FARTHEST     4.0F   /* of a step, before the rate */
#define NEAREST      0.001F /* keeps pushes finite */

typedef struct {
    dgm_context *ctx;
    int64_t rows, dim;
    int64_t negatives;
    float a, b;
    float rate;        /* of this epoch */
    uint32_t epoch;    /* its number */
    uint32_t key;      /* its random number */
    uint32_t *order;   /* points by the number of steps, most first; padded with the last */
    int64_t groups;    /* of LANES points of `order` */
    int64_t *offsets;  /* rows + 1: edges that pull at all */
    uint32_t *targets; /* their other ends */
    uint32_t *often;   /* in 2^-32 of the epochs */
    float *now, *next; /* rows x dim */
    uint32_t **pulls;  /* of each thread: LANES x twice the longest row */
} descent_job;

/* ---- one step of LANES points ---- */

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t lanes_int __attribute__((vector_size(4 * LANES)));

/* x = x^e for x > 0 to about 1e-5: log2 by its exponent and a polynomial around 1, and back. */
INLINE void raise(lanes *x, float e) {
    lanes_int bits = (lanes_int)*x;
    lanes_int exponent = (bits - 0x3f3504f3) >> 23; /* mantissa from sqrt(1/2) to sqrt(2) */
    lanes f = (lanes)(bits - (exponent << 23)) - 1;
    lanes p = 0.1761606F * f - 0.27097532F;
    p = p * f + 0.29510068F;
    p = p * f - 0.35918504F;
    p = p * f + 0.48064867F;
    p = p * f - 0.72136769F;
    p = p * f + 1.4426963F;
    lanes z = e * (p * f + __builtin_convertvector(exponent, lanes));
    lanes whole = (z + 12582912.0F) - 12582912.0F; /* rounds */
    lanes r = z - whole;
    lanes q = 0.001340999F * r + 0.0096760364F;
    q = q * r + 0.055502973F;
    q = q * r + 0.24022107F;
    q = q * r + 0.69314723F;
    q = q * r + 1.0F;
    *x = q * (lanes)((__builtin_convertvector(whole, lanes_int) + 127) << 23);
}

/* x = where ? yes : x, where = the result of a comparison. */
INLINE void replace(lanes *x, const lanes_int *where, float yes) {
    lanes all = yes - (lanes){0};
    *x = (lanes)((*where & (lanes_int)all) | (~*where & (lanes_int)*x));
}

/* Moves the places y towards the targets, or away from them, at `rate`. */
INLINE void step(const descent_job *job, int64_t dim, bool pull, const uint32_t *targets,
                 const lanes *rate, lanes *y) {
    lanes apart[DGM_REDUCE_MOST], square = {0}, force;
    const float a = job->a, b = job->b, *now = job->now;
    lanes_int where;
    for (int64_t d = 0; d < dim; d++) {
        float there[LANES];
        lanes from;
        for (int l = 0; l < LANES; l++)
            there[l] = now[(size_t)targets[l] * (size_t)dim + (size_t)d];
        memcpy(&from, there, sizeof from);
        apart[d] = y[d] - from;
        square += apart[d] * apart[d];
    }
    where = square < 1e-20F;
    replace(&square, &where, 1e-20F);
    lanes v = square;
    raise(&v, b);
    if (pull)
        force = -2 * a * b * v / (square * (1 + a * v));
    else
        force = 2 * b / ((NEAREST + square) * (1 + a * v));
    for (int64_t d = 0; d < dim; d++) {
        lanes move = force * apart[d];
        where = move > FARTHEST;
        replace(&move, &where, FARTHEST);
        where = move < -FARTHEST;
        replace(&move, &where, -FARTHEST);
        y[d] += *rate * move;
    }
}

/* Two rounds of multiplication spread every bit (Wellons' search found the factors). */
INLINE uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/* ---- a group ---- */

typedef struct {
    const uint32_t *nodes;   /* LANES */
    const uint32_t *pulls;   /* t-th pull of lane l: pulls[t * LANES + l] */
    uint32_t lengths[LANES]; /* pulls of a lane */
    uint32_t longest;
} group;

INLINE void move_group(const descent_job *job, int64_t dim, const group *g) {
    lanes y[DGM_REDUCE_MOST], rate = {0};
    uint32_t key[LANES], targets[LANES], draw = 0;
    for (int64_t d = 0; d < dim; d++)
        for (int l = 0; l < LANES; l++)
            y[d][l] = job->now[g->nodes[l] * dim + d];
    for (int l = 0; l < LANES; l++)
        key[l] = mix(g->nodes[l] * 0x9e3779b1U + job->key);
    for (uint32_t t = 0; t < g->longest; t++) {
        for (int l = 0; l < LANES; l++)
            rate[l] = t < g->lengths[l] ? job->rate : 0;
        step(job, dim, true, g->pulls + (size_t)t * LANES, &rate, y);
        /* pulls of both directions of an edge count, and one of them brings negatives: on average
         * half of them a pull */
        uint64_t pushes = (uint64_t)(t + 1) * (uint64_t)job->negatives / 2;
        for (; draw < pushes; draw++) {
            for (int l = 0; l < LANES; l++) {
                uint64_t bits = mix(key[l] + draw * 0x9e3779b9U);
                targets[l] = (uint32_t)(bits * (uint64_t)job->rows >> 32);
            }
            step(job, dim, false, targets, &rate, y);
        }
    }
    for (int64_t d = 0; d < dim; d++)
        for (int l = 0; l < LANES; l++)
            job->next[g->nodes[l] * dim + d] = y[d][l];
}

/* A near neighbour pulls a point beyond itself, so the last to pull has the most to say: pulls come
 * in another order in each epoch (Fisher and Yates). With a fixed one maps tear. */
static void shuffle_pulls(uint32_t count, uint32_t key, uint32_t *pulls) {
    for (uint32_t i = count; i > 1; i--) {
        uint64_t bits = mix(key + i * 0x9e3779b9U);
        uint32_t j = (uint32_t)(bits * i >> 32), swap = pulls[(size_t)j * LANES];
        pulls[(size_t)j * LANES] = pulls[(size_t)(i - 1) * LANES];
        pulls[(size_t)(i - 1) * LANES] = swap;
    }
}

/* The edges that pull in this epoch: `often` is a fraction of 2^32, added up once an epoch from a
 * phase of the edge's own, and an edge pulls where the sum overflows. */
static uint32_t list_pulls(const descent_job *job, uint32_t node, uint32_t *pulls) {
    uint32_t count = 0;
    for (uint32_t direction = 0; direction < 2; direction++)
        for (int64_t e = job->offsets[node]; e < job->offsets[node + 1]; e++) {
            uint32_t phase = ((uint32_t)e * 2 + direction) * 0x9e3779b9U;
            pulls[(size_t)count * LANES] = job->targets[e];
            count += job->epoch * job->often[e] + phase < job->often[e];
        }
    shuffle_pulls(count, mix(node * 0x85ebca6bU + job->key), pulls);
    return count;
}

static void list_group(const descent_job *job, int64_t index, uint32_t *pulls, group *g) {
    g->nodes = job->order + index * LANES;
    g->pulls = pulls;
    g->longest = 0;
    for (int l = 0; l < LANES; l++) {
        g->lengths[l] = list_pulls(job, g->nodes[l], pulls + l);
        g->longest = g->lengths[l] > g->longest ? g->lengths[l] : g->longest;
    }
}

/* ---- instruction sets ---- */

INLINE void move_any(const descent_job *job, const group *g) {
    if (job->dim == 2)
        move_group(job, 2, g);
    else if (job->dim == 1)
        move_group(job, 1, g);
    else if (job->dim == 3)
        move_group(job, 3, g);
    else
        move_group(job, job->dim, g);
}

static void move_plain(const descent_job *job, const group *g) {
    move_any(job, g);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void move_avx2(const descent_job *job, const group *g) {
    move_any(job, g);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))) static void
move_avx512(const descent_job *job, const group *g) {
    move_any(job, g);
}

static void (*choose_code(void))(const descent_job *job, const group *g) {
    static void (*const compiled[])(const descent_job *,
                                    const group *) = {[DGMI_CPU_PLAIN] = move_plain,
                                                      [DGMI_CPU_AVX2] = move_avx2,
                                                      [DGMI_CPU_AVX512] = move_avx512};
    return compiled[dgmi_cpu_best()];
}
#else
static void (*choose_code(void))(const descent_job *job, const group *g) {
    return move_plain;
}
#endif

static void move_chunk(void *argument, int64_t chunk, int thread) {
    const descent_job *job = argument;
    void (*move)(const descent_job *, const group *) = choose_code();
    int64_t begin, end;
    dgmi_chunk(job->groups, GROUPS, chunk, &begin, &end);
    for (int64_t index = begin; index < end; index++) {
        group g;
        list_group(job, index, job->pulls[thread], &g);
        move(job, &g);
    }
}

/* ---- the whole ---- */

/* Edges too weak to pull once in all epochs are left out. */
static dgm_status take_edges(descent_job *job, const dgmi_spectral_adjacency *graph, int64_t epochs,
                             int64_t *longest) {
    int64_t rows = job->rows, place = 0;
    double most = 0;
    job->offsets = dgmi_scratch(job->ctx, rows + 1, sizeof *job->offsets);
    job->targets = dgmi_scratch(job->ctx, graph->offsets[rows], sizeof *job->targets);
    job->often = dgmi_scratch(job->ctx, graph->offsets[rows], sizeof *job->often);
    if (!job->offsets || !job->targets || !job->often)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < graph->offsets[rows]; e++)
        most = fmax(most, graph->values[e]);
    *longest = 0;
    for (int64_t i = 0; i < rows; i++) {
        job->offsets[i] = place;
        for (int64_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++) {
            double share = graph->values[e] / most;
            if (share * (double)epochs < 1)
                continue;
            job->targets[place] = graph->columns[e];
            job->often[place++] = share < 1 ? (uint32_t)(share * 0x1p32) : UINT32_MAX;
        }
        *longest = place - job->offsets[i] > *longest ? place - job->offsets[i] : *longest;
    }
    job->offsets[rows] = place;
    return DGM_OK;
}

/* Points of a group should have about as many pulls: they are ordered by them, most first, by
 * counting. */
static dgm_status order_points(descent_job *job, int64_t longest) {
    int64_t rows = job->rows, place = 0;
    job->groups = dgmi_chunks(rows, LANES);
    job->order = dgmi_scratch(job->ctx, job->groups * LANES, sizeof *job->order);
    int64_t *starts = dgmi_scratch_zero(job->ctx, longest + 2, sizeof *starts);
    int64_t *pulls = dgmi_scratch_zero(job->ctx, rows, sizeof *pulls);
    if (!job->order || !starts || !pulls)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t e = job->offsets[i]; e < job->offsets[i + 1]; e++)
            pulls[i] += job->often[e];
        pulls[i] = longest - (pulls[i] >> 32);
        starts[pulls[i] + 1]++;
    }
    for (int64_t i = 0; i <= longest; i++)
        starts[i + 1] += starts[i];
    for (int64_t i = 0; i < rows; i++)
        job->order[starts[pulls[i]]++] = (uint32_t)i;
    for (place = rows; place < job->groups * LANES; place++)
        job->order[place] = job->order[rows - 1]; /* moves alike, to the same place */
    return DGM_OK;
}

static dgm_status take_space(descent_job *job, int64_t longest) {
    int threads = dgm_context_threads(job->ctx);
    job->next = dgmi_scratch(job->ctx, job->rows * job->dim, sizeof *job->next);
    job->pulls = dgmi_scratch(job->ctx, threads, sizeof(uint32_t *));
    if (!job->next || !job->pulls)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < threads; t++) {
        /* one more: a place is written before it is known whether the edge pulls */
        job->pulls[t] = dgmi_scratch_zero(job->ctx, LANES * (2 * longest + 1), sizeof(uint32_t));
        if (!job->pulls[t])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status run_epochs(descent_job *job, const dgm_umap_options *options, int64_t epochs) {
    dgm_status status = DGM_OK;
    for (int64_t epoch = 0; status == DGM_OK && epoch < epochs; epoch++) {
        job->epoch = (uint32_t)epoch + 1;
        job->key =
            (uint32_t)dgmi_random_bits((uint64_t)options->seed, EPOCH_STREAM, (uint64_t)epoch);
        job->rate = (float)(1 - (double)epoch / (double)epochs);
        dgmi_parallel(job->ctx, dgmi_chunks(job->groups, GROUPS), move_chunk, job);
        float *swap = job->now;
        job->now = job->next;
        job->next = swap;
        status = dgmi_progress(job->ctx, "umap", (double)(epoch + 1) / (double)epochs);
    }
    return status;
}

dgm_status dgmi_reduce_umap_descend(dgm_context *ctx, const dgmi_spectral_adjacency *graph,
                                    dgmi_reduce_umap_curve curve, const dgm_umap_options *options,
                                    int64_t epochs, int64_t dim, float *y) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    descent_job job = {.ctx = ctx,
                       .rows = graph->rows,
                       .dim = dim,
                       .negatives = options->negatives,
                       .a = (float)curve.a,
                       .b = (float)curve.b,
                       .now = y};
    int64_t longest;
    dgm_status status = take_edges(&job, graph, epochs, &longest);
    if (status == DGM_OK)
        status = order_points(&job, longest);
    if (status == DGM_OK)
        status = take_space(&job, longest);
    if (status == DGM_OK)
        status = run_epochs(&job, options, epochs);
    if (status == DGM_OK && job.now != y)
        memcpy(y, job.now, (size_t)(job.rows * dim) * sizeof *y);
    dgmi_arena_release(ctx, hold);
    return status;
}
