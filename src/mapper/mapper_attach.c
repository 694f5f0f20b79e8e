/* SPDX-License-Identifier: Apache-2.0 */
/* Gives clusters of fewer than min_size nodes to neighbouring clusters instead of dropping them.
 *
 * In each round, a small cluster goes to the large one with which it has the most links: edges of
 * the graph from a member of one to a member of the other, each once. Of equals the first takes it.
 * All clusters of a round choose by the members that the large ones had before it, so that their
 * order does not matter. A small cluster whose neighbours are all small waits for one of them to
 * find a place, as long as any does; one without such neighbours is dropped.
 *
 * A cluster that waits is looked at again only after a neighbour has found a place, and then finds
 * one itself. So the time is that of going through the edges of small clusters twice.
 */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "mapper_stages.h"

#define NO_CLUSTER DGMI_MAPPER_NO_CLUSTER

typedef struct {
    dgm_context *ctx;
    const dgmi_mapper_pullback *pullback;
    const dgmi_mapper_clusters *clusters;
    const bool *large;
    /* The ends of all edges at a node, whatever their direction. */
    const int64_t *start;
    const uint32_t *around;
    /* The members of small clusters. */
    int64_t *member_start;
    uint32_t *members;
    uint32_t *into;  /* the large cluster that has the members of each cluster; itself, if it is
                        large; NO_CLUSTER: none has */
    int64_t *links;  /* of the small cluster that is looked at, with each large one */
    int64_t *seen;   /* for each large cluster, the last edge that was counted for it */
    int64_t edge;    /* the number of the edge that is looked at */
    uint32_t *found; /* the large clusters that it has links with */
    int64_t found_count;
    uint32_t *now, *next, *choice; /* small clusters of this round and of the next one; and where
                                      those of this round go */
    int64_t now_count, next_count;
    bool *waiting; /* for each cluster, whether it is small and not in `now` or `next` yet */
} attach_job;

/* ---- what it starts from ---- */

/* The rows of a directed graph have each edge at its source alone. */
static dgm_status find_around(attach_job *job, dgm_graph_rows rows) {
    job->start = rows.offsets;
    job->around = rows.targets;
    if (!rows.directed)
        return DGM_OK;
    int64_t *start = dgmi_scratch_zero(job->ctx, rows.nodes + 2, sizeof *start), *next = start + 1;
    uint32_t *around = dgmi_scratch(job->ctx, 2 * rows.offsets[rows.nodes], sizeof *around);
    if (!start || !around)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            next[u + 1]++;
            next[rows.targets[i] + 1]++;
        }
    for (int64_t u = 0; u < rows.nodes; u++)
        next[u + 1] += next[u];
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            around[next[u]++] = rows.targets[i];
            around[next[rows.targets[i]]++] = (uint32_t)u;
        }
    job->start = start;
    job->around = around;
    return DGM_OK;
}

static dgm_status find_members(attach_job *job) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    int64_t count = job->clusters->count, members = 0;
    for (int64_t c = 0; c < count; c++)
        members += job->large[c] ? 0 : job->clusters->size[c];
    job->member_start = dgmi_scratch_zero(job->ctx, count + 2, sizeof *job->member_start);
    job->members = dgmi_scratch(job->ctx, members, sizeof *job->members);
    if (!job->member_start || !job->members)
        return DGM_ERROR_MEMORY;
    int64_t *next = job->member_start + 1;
    for (int64_t c = 0; c < count; c++)
        next[c + 1] = next[c] + (job->large[c] ? 0 : job->clusters->size[c]);
    for (int64_t s = 0; s < pullback->slots; s++) {
        uint32_t c = job->clusters->of_slot[s];
        if (c != NO_CLUSTER && !job->large[c])
            job->members[next[c]++] = pullback->node[s];
    }
    return DGM_OK;
}

static dgm_status open_job(attach_job *job, dgm_graph_rows rows) {
    dgm_context *ctx = job->ctx;
    int64_t count = job->clusters->count;
    job->into = dgmi_scratch(ctx, count, sizeof *job->into);
    job->links = dgmi_scratch_zero(ctx, count, sizeof *job->links);
    job->seen = dgmi_scratch_zero(ctx, count, sizeof *job->seen);
    job->found = dgmi_scratch(ctx, count, sizeof *job->found);
    job->now = dgmi_scratch(ctx, count, sizeof *job->now);
    job->next = dgmi_scratch(ctx, count, sizeof *job->next);
    job->choice = dgmi_scratch(ctx, count, sizeof *job->choice);
    job->waiting = dgmi_scratch_zero(ctx, count, sizeof *job->waiting);
    if (!job->into || !job->links || !job->seen || !job->found || !job->now || !job->next ||
        !job->choice || !job->waiting)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        job->into[c] = job->large[c] ? (uint32_t)c : NO_CLUSTER;
        if (!job->large[c])
            job->now[job->now_count++] = (uint32_t)c;
    }
    dgm_status status = find_around(job, rows);
    return status == DGM_OK ? find_members(job) : status;
}

/* ---- links ---- */

static bool lies_in(const attach_job *job, uint32_t node, uint32_t cluster) {
    for (uint32_t s = job->pullback->offsets[node]; s < job->pullback->offsets[node + 1]; s++)
        if (job->clusters->of_slot[s] == cluster)
            return true;
    return false;
}

/* The large cluster that a slot belongs to, if it has found one; noise has none. */
static uint32_t into_of(const attach_job *job, uint32_t slot) {
    uint32_t c = job->clusters->of_slot[slot];
    return c == NO_CLUSTER ? NO_CLUSTER : job->into[c];
}

static bool belongs_to(const attach_job *job, uint32_t node, uint32_t large) {
    for (uint32_t s = job->pullback->offsets[node]; s < job->pullback->offsets[node + 1]; s++)
        if (into_of(job, s) == large)
            return true;
    return false;
}

/* Counts the edge from a member u of a small cluster to v for each large cluster of v. If both ends
 * lie in both clusters, the edge is met from both, and counts from the lower one. */
static void count_edge(attach_job *job, uint32_t small, uint32_t u, uint32_t v) {
    bool inside = u > v && lies_in(job, v, small);
    job->edge++;
    for (uint32_t s = job->pullback->offsets[v]; s < job->pullback->offsets[v + 1]; s++) {
        uint32_t large = into_of(job, s);
        if (large == NO_CLUSTER || job->seen[large] == job->edge)
            continue;
        job->seen[large] = job->edge;
        if (inside && belongs_to(job, u, large))
            continue;
        if (job->links[large]++ == 0)
            job->found[job->found_count++] = large;
    }
}

static uint32_t choose(attach_job *job, uint32_t small) {
    uint32_t best = NO_CLUSTER;
    for (int64_t m = job->member_start[small]; m < job->member_start[small + 1]; m++) {
        uint32_t u = job->members[m];
        for (int64_t i = job->start[u]; i < job->start[u + 1]; i++)
            if (job->around[i] != u)
                count_edge(job, small, u, job->around[i]);
    }
    for (int64_t i = 0; i < job->found_count; i++) {
        uint32_t large = job->found[i];
        if (best == NO_CLUSTER || job->links[large] > job->links[best] ||
            (job->links[large] == job->links[best] && large < best))
            best = large;
    }
    for (int64_t i = 0; i < job->found_count; i++)
        job->links[job->found[i]] = 0;
    job->found_count = 0;
    return best;
}

/* ---- rounds ---- */

/* The clusters that wait beside one that has found a place are looked at in the next round. */
static void wake_around(attach_job *job, uint32_t placed) {
    for (int64_t m = job->member_start[placed]; m < job->member_start[placed + 1]; m++) {
        uint32_t u = job->members[m];
        for (int64_t i = job->start[u]; i < job->start[u + 1]; i++) {
            uint32_t v = job->around[i];
            for (uint32_t s = job->pullback->offsets[v]; s < job->pullback->offsets[v + 1]; s++) {
                uint32_t c = job->clusters->of_slot[s];
                if (c == NO_CLUSTER || !job->waiting[c])
                    continue;
                job->next[job->next_count++] = c;
                job->waiting[c] = false;
            }
        }
    }
}

static void run_round(attach_job *job) {
    for (int64_t i = 0; i < job->now_count; i++)
        job->choice[i] = choose(job, job->now[i]);
    for (int64_t i = 0; i < job->now_count; i++) {
        job->into[job->now[i]] = job->choice[i];
        job->waiting[job->now[i]] = job->choice[i] == NO_CLUSTER;
    }
    job->next_count = 0;
    for (int64_t i = 0; i < job->now_count; i++)
        if (job->choice[i] != NO_CLUSTER)
            wake_around(job, job->now[i]);
    uint32_t *spent = job->now;
    job->now = job->next;
    job->next = spent;
    job->now_count = job->next_count;
}

/* ---- what comes of it ---- */

/* The clusters of a node, ascending and each once; other slots have none. Returns whether one of
 * the node's clusters was given away. */
static bool sort_slots(const attach_job *job, int64_t node, uint32_t *of_slot) {
    uint32_t begin = job->pullback->offsets[node], end = job->pullback->offsets[node + 1];
    uint32_t used = begin;
    bool given = false;
    for (uint32_t s = begin; s < end; s++) {
        uint32_t c = job->clusters->of_slot[s], into = into_of(job, s), at = used;
        given = given || (into != NO_CLUSTER && into != c);
        while (at > begin && of_slot[at - 1] > into)
            at--;
        if (into == NO_CLUSTER || (at > begin && of_slot[at - 1] == into))
            continue;
        memmove(of_slot + at + 1, of_slot + at, (used - at) * sizeof *of_slot);
        of_slot[at] = into;
        used++;
    }
    for (uint32_t s = used; s < end; s++)
        of_slot[s] = NO_CLUSTER;
    return given;
}

static dgm_status write_slots(const attach_job *job, dgmi_mapper_stages *stages) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    stages->of_slot = dgmi_scratch(job->ctx, pullback->slots, sizeof *stages->of_slot);
    int64_t *size = dgmi_scratch_zero(job->ctx, job->clusters->count, sizeof *size);
    if (!stages->of_slot || !size)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++)
        stages->attached_nodes += sort_slots(job, u, stages->of_slot);
    for (int64_t s = 0; s < pullback->slots; s++)
        if (stages->of_slot[s] != NO_CLUSTER)
            size[stages->of_slot[s]]++;
    for (int64_t c = 0; c < job->clusters->count; c++)
        stages->attached_clusters += !job->large[c] && job->into[c] != NO_CLUSTER;
    stages->size = size;
    return DGM_OK;
}

dgm_status dgmi_mapper_attach(dgm_context *ctx, dgm_graph_rows rows, dgmi_mapper_stages *stages) {
    attach_job job = {.ctx = ctx,
                      .pullback = &stages->pullback,
                      .clusters = &stages->clusters,
                      .large = stages->large};
    dgm_status status = open_job(&job, rows);
    while (status == DGM_OK && job.now_count > 0) {
        run_round(&job);
        status = dgmi_progress(ctx, "attaching small clusters", 0);
    }
    return status == DGM_OK ? write_slots(&job, stages) : status;
}
