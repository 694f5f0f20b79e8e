/* SPDX-License-Identifier: Apache-2.0 */
/* Repulsion by a tree (Barnes and Hut, 1986; van der Maaten, 2014): a box of points far away acts
 * like all of them in their middle. Points are sorted along Morton's curve, so that every box of
 * the tree is a stretch of them; boxes are stored in the order of a walk, each knowing where the
 * walk goes on if it need not be opened.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_sort.h"
#include "reduce_tsne.h"

enum {
    LEAF = 8,       /* points that are not divided any more */
    BITS = 20,      /* of a coordinate: so deep is the tree at most */
    GRAIN = 256,    /* points of a chunk */
    DIVIDED = 4096, /* points whose keys are found together */
};
/* A box is opened if it looks larger; on a line boxes are seen end on, and errors do not average.
 */
static const float ANGLE = 0.5F, ANGLE_ON_A_LINE = 0.25F;

typedef struct {
    float middle[DGMI_KERNELS_EMBED_MOST]; /* of its points */
    float count;
    float reach;         /* square of size / ANGLE: further away, it is one point */
    uint32_t next;       /* where the walk goes on */
    uint32_t begin, end; /* its points, in sorted order */
} tree_box;

struct dgmi_reduce_tree {
    dgmi_reduce_repulsion *job;
    float low[DGMI_KERNELS_EMBED_MOST], span;
    uint64_t *keys;
    uint32_t *order;                        /* sorted -> point */
    float *sorted[DGMI_KERNELS_EMBED_MOST]; /* coordinates in that order */
    tree_box *boxes;
    uint32_t box_count;
    int64_t box_space;
};

/* ---- order ---- */

static uint64_t spread_bits(uint32_t x, int dim) {
    uint64_t spread = 0;
    for (int bit = 0; bit < BITS; bit++)
        spread |= (uint64_t)(x >> bit & 1) << bit * dim;
    return spread;
}

static void key_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_tree *tree = argument;
    const dgmi_kernels_embedding *y = tree->job->y;
    float scale = tree->span > 0 ? (float)((1 << BITS) - 1) / tree->span : 0;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(y->count, DIVIDED, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        tree->keys[i] = 0;
        tree->order[i] = (uint32_t)i;
        for (int axis = 0; axis < y->dim; axis++) {
            float t = (y->axis[axis][i] - tree->low[axis]) * scale;
            uint32_t cell = t >= (float)((1 << BITS) - 1) ? (1 << BITS) - 1 : (uint32_t)t;
            tree->keys[i] |= spread_bits(cell, y->dim) << axis;
        }
    }
}

static dgm_status sort_points(struct dgmi_reduce_tree *tree) {
    const dgmi_kernels_embedding *y = tree->job->y;
    tree->span = 0;
    for (int axis = 0; axis < y->dim; axis++) {
        float low = y->axis[axis][0], high = low;
        for (int64_t i = 0; i < y->count; i++) {
            low = fminf(low, y->axis[axis][i]);
            high = fmaxf(high, y->axis[axis][i]);
        }
        tree->low[axis] = low;
        tree->span = fmaxf(tree->span, high - low);
    }
    if (!isfinite(tree->span))
        return dgmi_reduce_tsne_fail_bounds(tree->job->ctx);
    dgmi_parallel(tree->job->ctx, dgmi_chunks(y->count, DIVIDED), key_chunk, tree);
    dgm_status status = dgmi_sort_pairs(tree->job->ctx, tree->keys, tree->order, y->count);
    for (int axis = 0; status == DGM_OK && axis < y->dim; axis++)
        for (int64_t i = 0; i < y->count; i++)
            tree->sorted[axis][i] = y->axis[axis][tree->order[i]];
    return status;
}

/* ---- boxes ---- */

static void find_middle(const struct dgmi_reduce_tree *tree, tree_box *box) {
    assert(box->begin < box->end);
    box->count = (float)(box->end - box->begin);
    for (int axis = 0; axis < tree->job->y->dim; axis++) {
        double sum = 0;
        for (uint32_t i = box->begin; i < box->end; i++)
            sum += (double)tree->sorted[axis][i];
        box->middle[axis] = (float)(sum / (double)(box->end - box->begin));
    }
}

/* The end of the stretch from `begin` on whose keys agree above `shift`. */
static uint32_t find_end(const struct dgmi_reduce_tree *tree, uint32_t begin, uint32_t end,
                         int shift) {
    assert(begin < end && end <= tree->job->y->count && shift >= 0);
    uint64_t key = tree->keys[begin] >> shift;
    uint32_t low = begin, high = end;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->keys[middle] >> shift == key)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* `level` bits of every axis are still open. A box with one child is that child. */
static void build(struct dgmi_reduce_tree *tree, uint32_t begin, uint32_t end, int level) {
    int dim = tree->job->y->dim;
    while (level > 0 && end - begin > LEAF && find_end(tree, begin, end, dim * (level - 1)) == end)
        level--;
    uint32_t own = tree->box_count++;
    assert(own < tree->box_space && level >= 0 && level <= BITS);
    tree_box *box = &tree->boxes[own];
    float size = ldexpf(tree->span, level - BITS) / (dim == 1 ? ANGLE_ON_A_LINE : ANGLE);
    *box = (tree_box){.begin = begin, .end = end, .reach = size * size};
    find_middle(tree, box);
    if (end - begin > LEAF && level > 0)
        for (uint32_t from = begin; from < end;) {
            uint32_t to = find_end(tree, from, end, dim * (level - 1));
            build(tree, from, to, level - 1);
            from = to;
        }
    tree->boxes[own].next = tree->box_count;
}

/* ---- forces ---- */

static inline void add_force(int dim, const float *from, const float *at, float count, float *force,
                             float *sum) {
    float d[DGMI_KERNELS_EMBED_MOST], square = 1;
    for (int axis = 0; axis < dim; axis++) {
        d[axis] = at[axis] - from[axis];
        square += d[axis] * d[axis];
    }
    float w = 1 / square, scale = count * w * w;
    *sum += count * w;
    for (int axis = 0; axis < dim; axis++)
        force[axis] += scale * d[axis];
}

static inline void add_points(int dim, const struct dgmi_reduce_tree *tree, const tree_box *box,
                              const float *at, float *force, float *sum) {
    for (uint32_t i = box->begin; i < box->end; i++) {
        float from[DGMI_KERNELS_EMBED_MOST];
        for (int axis = 0; axis < dim; axis++)
            from[axis] = tree->sorted[axis][i];
        add_force(dim, from, at, 1, force, sum);
    }
}

static inline void walk(int dim, const struct dgmi_reduce_tree *tree, const float *at, float *force,
                        float *sum) {
    for (uint32_t b = 0; b < tree->box_count;) {
        const tree_box *box = &tree->boxes[b];
        assert(b < box->next && box->next <= tree->box_count); /* the walk moves on */
        float square = 0;
        for (int axis = 0; axis < dim; axis++)
            square += (at[axis] - box->middle[axis]) * (at[axis] - box->middle[axis]);
        if (square > box->reach) {
            add_force(dim, box->middle, at, box->count, force, sum);
            b = box->next;
        } else if (box->next == b + 1) {
            add_points(dim, tree, box, at, force, sum);
            b = box->next;
        } else {
            b++;
        }
    }
}

static void walk_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_tree *tree = argument;
    dgmi_reduce_repulsion *job = tree->job;
    int64_t begin, end;
    int dim = job->y->dim;
    (void)thread;
    dgmi_chunk(job->y->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) { /* in sorted order: neighbours walk alike */
        float at[DGMI_KERNELS_EMBED_MOST] = {0}, force[DGMI_KERNELS_EMBED_MOST] = {0}, sum = 0;
        for (int axis = 0; axis < dim; axis++)
            at[axis] = tree->sorted[axis][i];
        if (dim == 3)
            walk(3, tree, at, force, &sum);
        else if (dim == 2)
            walk(2, tree, at, force, &sum);
        else
            walk(1, tree, at, force, &sum);
        for (int axis = 0; axis < dim; axis++)
            job->force[axis][tree->order[i]] = force[axis];
        job->sums[tree->order[i]] = sum;
    }
}

/* ---- the method ---- */

dgm_status dgmi_reduce_tree_run(struct dgmi_reduce_tree *tree) {
    dgm_status status = sort_points(tree);
    if (status != DGM_OK)
        return status;
    tree->box_count = 0;
    build(tree, 0, (uint32_t)tree->job->y->count, BITS);
    dgmi_parallel(tree->job->ctx, dgmi_chunks(tree->job->y->count, GRAIN), walk_chunk, tree);
    return DGM_OK;
}

dgm_status dgmi_reduce_tree_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_tree **out) {
    int64_t count = job->y->count;
    struct dgmi_reduce_tree *tree = *out = dgmi_scratch_zero(job->ctx, 1, sizeof *tree);
    if (!tree)
        return DGM_ERROR_MEMORY;
    tree->job = job;
    tree->keys = dgmi_scratch(job->ctx, count, sizeof *tree->keys);
    tree->order = dgmi_scratch(job->ctx, count, sizeof *tree->order);
    tree->box_space = 2 * count + 1; /* every box has two children or none */
    tree->boxes = dgmi_scratch(job->ctx, tree->box_space, sizeof *tree->boxes);
    bool whole = tree->keys && tree->order && tree->boxes;
    for (int axis = 0; axis < job->y->dim; axis++) {
        tree->sorted[axis] = dgmi_scratch(job->ctx, count, sizeof(float));
        whole = whole && tree->sorted[axis];
    }
    return whole ? DGM_OK : DGM_ERROR_MEMORY;
}
