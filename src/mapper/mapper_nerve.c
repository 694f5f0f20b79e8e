/* SPDX-License-Identifier: Apache-2.0 */
/* What clusters have in common: nodes (the nerve) and graph edges (structural edges).
 *
 * shared = |A and B|; links = edges {u, v} with one end in A and the other in B, each once; inner =
 * edges inside A and B. Then links + inner is the paper authors' count and shared + links + inner
 * the entry of S'AS with self-loops.
 */
#include "mapper_stages.h"

#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_sort.h"

enum { GRAIN = 1 << 11, SHARED = 0, LINKS = 1, INNER = 2 };

/* ---- edges between classes ---- */

typedef struct {
    dgm_graph_rows rows;
    const uint32_t *class_of;
    dgmi_crossings *crossings;
} crossing_job;

static void add_crossing(dgmi_pairs *pairs, uint32_t a, uint32_t b, int64_t count) {
    int64_t *value = count ? dgmi_pairs_at(pairs, dgmi_pair(a, b)) : NULL;
    if (value)
        *value += count;
}

/* Edges of row u, from its end: rows are sorted, so an undirected edge is met once, at its smaller
 * end. Runs of the same class are counted before the table is asked. */
static void cross_row(const crossing_job *job, int64_t u, dgmi_pairs *pairs) {
    const uint32_t *targets = job->rows.targets, *class_of = job->class_of;
    uint32_t mine = class_of[u], run_class = mine;
    int64_t same = 0, run = 0, begin = job->rows.offsets[u];
    if (mine == DGMI_NO_CLUSTER)
        return;
    for (int64_t e = job->rows.offsets[u + 1] - 1; e >= begin; e--) {
        uint32_t v = targets[e];
        if (v <= u) {
            if (!job->rows.directed)
                break;
            if (v == u)
                continue;
        }
        uint32_t other = class_of[v];
        if (other == mine) {
            same++;
        } else if (other == run_class) {
            run++;
        } else if (other != DGMI_NO_CLUSTER) {
            add_crossing(pairs, mine, run_class, run);
            run_class = other;
            run = 1;
        }
    }
    add_crossing(pairs, mine, run_class, run);
    if (same)
        __atomic_fetch_add(&job->crossings->same[mine], same, __ATOMIC_RELAXED);
}

static void cross_chunk(void *argument, int64_t chunk, int thread) {
    const crossing_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        cross_row(job, u, &job->crossings->pairs[thread]);
}

void dgmi_crossings_free(dgmi_crossings *crossings) {
    for (int t = 0; t < crossings->threads; t++)
        dgmi_pairs_free(&crossings->pairs[t]);
    crossings->threads = 0;
}

dgm_status dgmi_crossings_make(dgm_context *ctx, dgm_graph_rows rows, const dgmi_classes *classes,
                               dgmi_crossings *crossings) {
    int threads = dgm_context_threads(ctx);
    *crossings = (dgmi_crossings){0};
    crossings->same = dgmi_scratch_zero(ctx, classes->count, sizeof *crossings->same);
    crossings->pairs = dgmi_scratch(ctx, threads, sizeof *crossings->pairs);
    if (!crossings->same || !crossings->pairs)
        return DGM_ERROR_MEMORY;
    for (; crossings->threads < threads; crossings->threads++)
        dgmi_pairs_init(&crossings->pairs[crossings->threads], &ctx->allocator, 1);
    crossing_job job = {rows, classes->of_node, crossings};
    dgmi_parallel(ctx, dgmi_chunks(rows.nodes, GRAIN), cross_chunk, &job);
    for (int t = 0; t < threads; t++)
        if (crossings->pairs[t].failed) {
            dgmi_fail_memory(ctx, 2 * crossings->pairs[t].size, 2 * sizeof(int64_t));
            dgmi_crossings_free(crossings);
            return DGM_ERROR_MEMORY;
        }
    return DGM_OK;
}

/* ---- from classes to clusters ---- */

/* The clusters of two classes, taken apart. */
typedef struct {
    uint32_t *left, *right, *both;
    int64_t left_count, right_count, both_count;
} split_lists;

static void split(split_lists *lists, const uint32_t *x, int64_t x_count, const uint32_t *y,
                  int64_t y_count) {
    int64_t i = 0, j = 0;
    lists->left_count = lists->right_count = lists->both_count = 0;
    while (i < x_count || j < y_count) {
        bool take_x = j == y_count || (i < x_count && x[i] <= y[j]);
        bool take_y = i == x_count || (j < y_count && y[j] <= x[i]);
        if (take_x && take_y)
            lists->both[lists->both_count++] = x[i];
        else if (take_x)
            lists->left[lists->left_count++] = x[i];
        else
            lists->right[lists->right_count++] = y[j];
        i += take_x;
        j += take_y;
    }
}

static void link_lists(dgmi_pairs *meetings, const uint32_t *x, int64_t x_count, const uint32_t *y,
                       int64_t y_count, int64_t edges) {
    for (int64_t i = 0; i < x_count; i++)
        for (int64_t j = 0; j < y_count; j++) {
            int64_t *value = dgmi_pairs_at(meetings, dgmi_pair(x[i], y[j]));
            if (!value)
                return;
            value[LINKS] += edges;
        }
}

/* `nodes` nodes and `edges` edges lie wholly in the clusters of one class. */
static void meet_inside(dgmi_pairs *meetings, const uint32_t *list, int64_t count, int64_t nodes,
                        int64_t edges) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = i + 1; j < count; j++) {
            int64_t *value = dgmi_pairs_at(meetings, dgmi_pair(list[i], list[j]));
            if (!value)
                return;
            value[SHARED] += nodes;
            value[LINKS] += edges;
            value[INNER] += edges;
        }
}

/* `edges` edges run between a node in the clusters left + both and one in right + both. */
static void meet_by_edges(dgmi_pairs *meetings, const split_lists *lists, int64_t edges) {
    link_lists(meetings, lists->left, lists->left_count, lists->right, lists->right_count, edges);
    link_lists(meetings, lists->left, lists->left_count, lists->both, lists->both_count, edges);
    link_lists(meetings, lists->both, lists->both_count, lists->right, lists->right_count, edges);
    meet_inside(meetings, lists->both, lists->both_count, 0, edges);
}

static void collect(const dgmi_classes *classes, const dgmi_crossings *crossings,
                    split_lists *lists, dgmi_pairs *meetings) {
    uint32_t one, other;
    const uint32_t *x, *y;
    for (int64_t c = classes->clusters; c < classes->count; c++) {
        int64_t count = dgmi_class_list(classes, (uint32_t)c, &one, &x);
        meet_inside(meetings, x, count, classes->members[c], crossings->same[c]);
    }
    for (int t = 0; t < crossings->threads; t++) {
        const dgmi_pairs *pairs = &crossings->pairs[t];
        for (int64_t i = 0; i < pairs->size && !meetings->failed; i++) {
            if (pairs->keys[i] == DGMI_NO_PAIR)
                continue;
            int64_t x_count = dgmi_class_list(classes, (uint32_t)(pairs->keys[i] >> 32), &one, &x);
            int64_t y_count = dgmi_class_list(classes, (uint32_t)pairs->keys[i], &other, &y);
            split(lists, x, x_count, y, y_count);
            meet_by_edges(meetings, lists, pairs->values[i]);
        }
    }
}

/* The table's entries in the order of their keys. */
static dgm_status sort_meetings(dgm_context *ctx, const dgmi_pairs *pairs, dgmi_meeting *meetings) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    uint64_t *keys = dgmi_scratch(ctx, pairs->used, sizeof *keys);
    uint32_t *places = dgmi_scratch(ctx, pairs->used, sizeof *places);
    dgm_status status = keys && places ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t place = 0, i = 0; status == DGM_OK && place < pairs->size; place++)
        if (pairs->keys[place] != DGMI_NO_PAIR) {
            keys[i] = pairs->keys[place];
            places[i++] = (uint32_t)place;
        }
    if (status == DGM_OK)
        status = dgmi_sort_pairs(ctx, keys, places, pairs->used);
    for (int64_t i = 0; status == DGM_OK && i < pairs->used; i++) {
        const int64_t *value = pairs->values + (int64_t)places[i] * pairs->width;
        meetings[i] = (dgmi_meeting){(uint32_t)(keys[i] >> 32), (uint32_t)keys[i], value[SHARED],
                                     value[LINKS], value[INNER]};
    }
    dgmi_arena_release(ctx, mark);
    return status;
}

dgm_status dgmi_meetings_make(dgm_context *ctx, const dgmi_classes *classes,
                              const dgmi_crossings *crossings, dgmi_meeting **meetings,
                              int64_t *count) {
    int64_t longest = 1;
    for (int64_t k = 0; k < classes->count - classes->clusters; k++) {
        int64_t length = classes->list_start[k + 1] - classes->list_start[k];
        longest = length > longest ? length : longest;
    }
    split_lists lists = {.left = dgmi_scratch(ctx, longest, sizeof(uint32_t)),
                         .right = dgmi_scratch(ctx, longest, sizeof(uint32_t)),
                         .both = dgmi_scratch(ctx, longest, sizeof(uint32_t))};
    if (!lists.left || !lists.right || !lists.both)
        return DGM_ERROR_MEMORY;
    dgmi_pairs pairs;
    dgmi_pairs_init(&pairs, &ctx->allocator, 3);
    collect(classes, crossings, &lists, &pairs);
    dgm_status status = DGM_OK;
    if (pairs.failed || pairs.used >= INT64_C(1) << 31)
        status = dgmi_fail_memory(ctx, 2 * pairs.size, 4 * sizeof(int64_t));
    *count = pairs.used;
    *meetings = status == DGM_OK ? dgmi_scratch(ctx, pairs.used, sizeof **meetings) : NULL;
    if (status == DGM_OK)
        status = *meetings ? sort_meetings(ctx, &pairs, *meetings) : DGM_ERROR_MEMORY;
    dgmi_pairs_free(&pairs);
    return status;
}

/* Whether two classes have a kept cluster in common; lists ascend. */
static bool share_kept(const uint32_t *x, int64_t x_count, const uint32_t *y, int64_t y_count,
                       const bool *kept) {
    int64_t i = 0, j = 0;
    while (i < x_count && j < y_count) {
        if (x[i] == y[j] && kept[x[i]])
            return true;
        bool step_x = x[i] <= y[j], step_y = y[j] <= x[i];
        i += step_x;
        j += step_y;
    }
    return false;
}

int64_t dgmi_edges_inside(const dgmi_classes *classes, const dgmi_crossings *crossings,
                          const bool *kept) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t inside = 0;
    for (int64_t c = 0; c < classes->count; c++) {
        int64_t count = dgmi_class_list(classes, (uint32_t)c, &one, &x);
        if (crossings->same[c] && share_kept(x, count, x, count, kept))
            inside += crossings->same[c];
    }
    for (int t = 0; t < crossings->threads; t++) {
        const dgmi_pairs *pairs = &crossings->pairs[t];
        for (int64_t i = 0; i < pairs->size; i++) {
            if (pairs->keys[i] == DGMI_NO_PAIR)
                continue;
            int64_t x_count = dgmi_class_list(classes, (uint32_t)(pairs->keys[i] >> 32), &one, &x);
            int64_t y_count = dgmi_class_list(classes, (uint32_t)pairs->keys[i], &other, &y);
            if (share_kept(x, x_count, y, y_count, kept))
                inside += pairs->values[i];
        }
    }
    return inside;
}
