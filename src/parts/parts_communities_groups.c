/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over the nodes of a level: how they are cut, groups of nodes, sums over prefixes,
 * tallies. */
#include "parts_communities.h"

#include "base_memory.h"

int64_t dgmi_parts_grain(const dgmi_parts_level *level) {
    enum { ENTRIES = 1 << 13, FEWEST = 16, MOST = 1 << 12 };
    int64_t grain = ENTRIES * level->nodes / (level->entries + 1);
    return grain < FEWEST ? FEWEST : grain > MOST ? MOST : grain;
}

/* ---- sums over prefixes ---- */

enum { MOST_CHUNKS = 256, LEAST_GRAIN = 1 << 12 };

/* The grain of loops that keep something for each chunk. */
static int64_t coarse_grain(int64_t items) {
    int64_t grain = (items + MOST_CHUNKS - 1) / MOST_CHUNKS;
    return grain < LEAST_GRAIN ? LEAST_GRAIN : grain;
}

typedef struct {
    int64_t *counts, items;
    int64_t sums[MOST_CHUNKS];
} scan_job;

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    scan_job *job = argument;
    int64_t begin, end, sum = 0;
    dgmi_chunk(job->items, coarse_grain(job->items), chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        sum += job->counts[i];
    job->sums[chunk] = sum;
}

static void scan_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    scan_job *job = argument;
    int64_t begin, end, sum = job->sums[chunk];
    dgmi_chunk(job->items, coarse_grain(job->items), chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t count = job->counts[i];
        job->counts[i] = sum;
        sum += count;
    }
}

int64_t dgmi_parts_scan(dgm_context *ctx, int64_t *counts, int64_t items) {
    scan_job job = {.counts = counts, .items = items};
    int64_t chunks = dgmi_chunks(items, coarse_grain(items)), sum = 0;
    dgmi_parallel(ctx, chunks, sum_chunk, &job);
    for (int64_t c = 0; c < chunks; c++) {
        int64_t count = job.sums[c];
        job.sums[c] = sum;
        sum += count;
    }
    dgmi_parallel(ctx, chunks, scan_chunk, &job);
    return sum;
}

typedef struct {
    uint32_t *items;
    int64_t count;
} count_job;

static void count_up_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const count_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, LEAST_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->items[i] = (uint32_t)i;
}

void dgmi_parts_count_up(dgm_context *ctx, uint32_t *items, int64_t count) {
    count_job job = {items, count};
    dgmi_parallel(ctx, dgmi_chunks(count, LEAST_GRAIN), count_up_chunk, &job);
}

/* ---- sorting ---- */

static void swap(uint32_t *keys, int64_t *values, int64_t i, int64_t j) {
    uint32_t key = keys[i];
    keys[i] = keys[j];
    keys[j] = key;
    if (values) {
        int64_t value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}

/* The key at `top` goes down a heap with the largest key at its root. */
static void sift(uint32_t *keys, int64_t *values, int64_t top, int64_t count) {
    for (int64_t child; (child = 2 * top + 1) < count; top = child) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[top] >= keys[child])
            return;
        swap(keys, values, top, child);
    }
}

/* By insertion where there are few, as there mostly are; others by a heap, in place. */
void dgmi_parts_sort(uint32_t *keys, int64_t *values, int64_t count) {
    enum { FEW = 16 };
    if (count <= FEW) {
        for (int64_t i = 1; i < count; i++)
            for (int64_t j = i; j > 0 && keys[j - 1] > keys[j]; j--)
                swap(keys, values, j - 1, j);
        return;
    }
    for (int64_t top = count / 2 - 1; top >= 0; top--)
        sift(keys, values, top, count);
    for (int64_t last = count - 1; last > 0; last--) {
        swap(keys, values, 0, last);
        sift(keys, values, 0, last);
    }
}

/* ---- groups: a counting sort by group ---- */

dgm_status dgmi_parts_groups_make(dgm_context *ctx, int64_t nodes, dgmi_parts_groups *groups) {
    groups->nodes = dgmi_scratch(ctx, nodes, sizeof *groups->nodes);
    groups->counts =
        dgmi_scratch(ctx, MOST_CHUNKS * DGMI_PARTS_MOST_GROUPS, sizeof *groups->counts);
    return groups->nodes && groups->counts ? DGM_OK : DGM_ERROR_MEMORY;
}

typedef struct {
    int64_t nodes;
    const uint8_t *flags;
    dgmi_parts_groups *groups;
} group_job;

static void count_groups(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const group_job *job = argument;
    const dgmi_parts_groups *groups = job->groups;
    int64_t begin, end, *counts = groups->counts + chunk * groups->groups;
    dgmi_chunk(job->nodes, coarse_grain(job->nodes), chunk, &begin, &end);
    for (uint32_t g = 0; g < groups->groups; g++)
        counts[g] = 0;
    for (int64_t u = begin; u < end; u++)
        if (!job->flags || job->flags[u])
            counts[dgmi_parts_group(groups->salt, (uint64_t)u, groups->groups)]++;
}

static void place_groups(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const group_job *job = argument;
    const dgmi_parts_groups *groups = job->groups;
    int64_t begin, end, *places = groups->counts + chunk * groups->groups;
    dgmi_chunk(job->nodes, coarse_grain(job->nodes), chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        if (!job->flags || job->flags[u]) {
            uint32_t group = dgmi_parts_group(groups->salt, (uint64_t)u, groups->groups);
            groups->nodes[places[group]++] = (uint32_t)u;
        }
}

void dgmi_parts_groups_fill(dgm_context *ctx, int64_t nodes, const uint8_t *flags,
                            dgmi_parts_groups *groups) {
    group_job job = {nodes, flags, groups};
    int64_t chunks = dgmi_chunks(nodes, coarse_grain(nodes)), place = 0;
    assert(groups->groups > 0 && groups->groups <= DGMI_PARTS_MOST_GROUPS);
    dgmi_parallel(ctx, chunks, count_groups, &job);
    for (uint32_t g = 0; g < groups->groups; g++) {
        groups->start[g] = place;
        for (int64_t c = 0; c < chunks; c++) {
            int64_t count = groups->counts[c * groups->groups + g];
            groups->counts[c * groups->groups + g] = place;
            place += count;
        }
    }
    groups->start[groups->groups] = place;
    assert(place <= nodes);
    dgmi_parallel(ctx, chunks, place_groups, &job);
}

int64_t dgmi_parts_shuffle(int64_t nodes, const uint8_t *flags, uint64_t salt, uint32_t *order) {
    int64_t count = 0;
    for (int64_t u = 0; u < nodes; u++)
        if (!flags || flags[u])
            order[count++] = (uint32_t)u;
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)((dgmi_parts_mix(salt, (uint64_t)i) >> 32) * ((uint64_t)i + 1) >> 32);
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    return count;
}

/* ---- tallies ---- */

dgm_status dgmi_parts_tallies_make(dgm_context *ctx, int64_t longest, dgmi_parts_tally **tallies) {
    int threads = dgm_context_threads(ctx);
    *tallies = dgmi_scratch(ctx, threads, sizeof **tallies);
    for (int t = 0; *tallies && t < threads; t++) {
        dgmi_parts_tally *tally = &(*tallies)[t];
        tally->count = 0;
        dgmi_parts_tally_open(tally, longest);
        int64_t size = (int64_t)tally->mask + 1;
        tally->labels = dgmi_scratch(ctx, size, sizeof *tally->labels);
        tally->sums = dgmi_scratch(ctx, size, sizeof *tally->sums);
        tally->slots = dgmi_scratch(ctx, size, sizeof *tally->slots);
        if (!tally->labels || !tally->sums || !tally->slots)
            return DGM_ERROR_MEMORY;
        for (int64_t i = 0; i < size; i++)
            tally->labels[i] = DGMI_PARTS_NO_LABEL;
    }
    return *tallies ? DGM_OK : DGM_ERROR_MEMORY;
}
