/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of random projections: the points of a node are cut into halves by the line through two of
 * them, until a node holds few. Halves differ by one point at most, so where a node begins follows
 * from its number alone; points in the same place are dealt out to both sides. All nodes of a level
 * of all trees are cut at once.
 */
#include "linalg_knn_descent.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"

enum { LANES = 16, SMALL = 24, STREAM = 11 };

typedef struct {
    const dgmi_knn_points *set;
    dgmi_forest *forest;
    uint64_t seed, stream;
    int level;
    float *normals; /* threads x dim */
} forest_job;

int64_t dgmi_forest_begin(const dgmi_forest *forest, int level, int64_t node) {
    return node * forest->count >> level;
}

static bool comes_before(dgmi_forest_entry a, dgmi_forest_entry b) {
    return a.along < b.along || (a.along == b.along && a.position < b.position);
}

static void swap_entries(dgmi_forest_entry *a, dgmi_forest_entry *b) {
    dgmi_forest_entry kept = *a;
    *a = *b;
    *b = kept;
}

static void sort_few(dgmi_forest_entry *entries, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        for (int64_t j = i; j > 0 && comes_before(entries[j], entries[j - 1]); j--)
            swap_entries(&entries[j], &entries[j - 1]);
}

static dgmi_forest_entry middle_of(dgmi_forest_entry a, dgmi_forest_entry b, dgmi_forest_entry c) {
    if (comes_before(b, a))
        swap_entries(&a, &b);
    if (comes_before(c, b))
        b = comes_before(c, a) ? a : c;
    return b;
}

/* The `wanted` first entries come before all others (Hoare's selection). */
static void select_first(dgmi_forest_entry *entries, int64_t count, int64_t wanted) {
    while (count > SMALL) {
        dgmi_forest_entry pivot = middle_of(entries[0], entries[count / 2], entries[count - 1]);
        int64_t i = -1, j = count;
        for (;;) {
            while (comes_before(entries[++i], pivot)) {
            }
            while (comes_before(pivot, entries[--j])) {
            }
            if (i >= j)
                break;
            swap_entries(&entries[i], &entries[j]);
        }
        if (wanted <= j + 1) {
            count = j + 1;
        } else {
            entries += j + 1;
            wanted -= j + 1;
            count -= j + 1;
        }
    }
    sort_few(entries, count);
}

static float product_of(const float *a, const float *b, int64_t dim) {
    float sums[LANES] = {0}, sum = 0;
    int64_t c = 0;
    for (; c + LANES <= dim; c += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += a[c + lane] * b[c + lane];
    for (; c < dim; c++)
        sum += a[c] * b[c];
    for (int lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* From one random point of the node to another. */
static void draw_normal(const forest_job *job, int64_t tree, int64_t node,
                        const dgmi_forest_entry *entries, int64_t count, float *normal) {
    const dgmi_knn_points *set = job->set;
    uint64_t stream = job->stream + (uint64_t)(tree * 64 + job->level);
    uint64_t from = dgmi_random_below(job->seed, stream, 2 * (uint64_t)node, (uint64_t)count);
    uint64_t to = dgmi_random_below(job->seed, stream, 2 * (uint64_t)node + 1, (uint64_t)count - 1);
    const float *a = set->rows + entries[from].position * set->width;
    const float *b = set->rows + entries[to < from ? to : to + 1].position * set->width;
    for (int64_t c = 0; c < set->dim; c++)
        normal[c] = a[c] - b[c];
}

static void cut_node(void *argument, int64_t chunk, int thread) {
    forest_job *job = argument;
    const dgmi_knn_points *set = job->set;
    int64_t tree = chunk >> job->level, node = chunk & (((int64_t)1 << job->level) - 1);
    int64_t begin = dgmi_forest_begin(job->forest, job->level, node);
    int64_t count = dgmi_forest_begin(job->forest, job->level, node + 1) - begin;
    int64_t middle = dgmi_forest_begin(job->forest, job->level + 1, 2 * node + 1) - begin;
    dgmi_forest_entry *entries = job->forest->entries + tree * set->count + begin;
    float *normal = job->normals + thread * set->dim;
    draw_normal(job, tree, node, entries, count, normal);
    for (int64_t i = 0; i < count; i++)
        entries[i].along =
            product_of(set->rows + entries[i].position * set->width, normal, set->dim);
    select_first(entries, count, middle);
}

/* Few points a leaf, but more than half of `leaf`. */
static int depth_of(int64_t count, int64_t leaf) {
    int depth = 0;
    while (((count - 1) >> depth) + 1 > leaf)
        depth++;
    return depth;
}

dgm_status dgmi_forest_grow(dgm_context *ctx, const dgmi_knn_points *set, int64_t trees,
                            int64_t leaf, uint64_t seed, uint64_t stream, dgmi_forest *out) {
    *out = (dgmi_forest){.count = set->count, .trees = trees, .depth = depth_of(set->count, leaf)};
    out->entries = dgmi_scratch(ctx, trees * set->count, sizeof *out->entries);
    float *normals = dgmi_scratch(ctx, dgm_context_threads(ctx) * set->dim, sizeof *normals);
    dgm_status status = out->entries && normals ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < trees * set->count; i++)
        out->entries[i] = (dgmi_forest_entry){0, (uint32_t)(i % set->count)};
    forest_job job = {set, out, seed, STREAM + stream * 4096, 0, normals};
    for (; status == DGM_OK && job.level < out->depth; job.level++) {
        dgmi_parallel(ctx, trees << job.level, cut_node, &job);
        status = dgmi_progress(ctx, "nearest neighbours", -1);
    }
    return status;
}
