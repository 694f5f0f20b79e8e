/* SPDX-License-Identifier: Apache-2.0 */
/* Sends letters between points in rounds, with the same result for any number of threads. */
#include "neighbours_descent.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

dgm_status dgmi_neighbours_post_open(dgm_context *ctx, int64_t count, dgmi_neighbours_post **out) {
    dgmi_neighbours_post *post = *out = dgmi_scratch_zero(ctx, 1, sizeof *post);
    dgmi_neighbours_letter *letters = dgmi_scratch(
        ctx, (int64_t)2 * DGMI_NEIGHBOURS_BAGS * DGMI_NEIGHBOURS_BAG_ROOM, sizeof *letters);
    if (!post || !letters)
        return DGM_ERROR_MEMORY;
    post->ctx = ctx;
    post->count = count;
    while ((count - 1) >> post->shift >= DGMI_NEIGHBOURS_RANGES)
        post->shift++;
    for (int64_t b = 0; b < DGMI_NEIGHBOURS_BAGS; b++) {
        post->bags[b].letters = letters + 2 * b * DGMI_NEIGHBOURS_BAG_ROOM;
        post->bags[b].sorted = post->bags[b].letters + DGMI_NEIGHBOURS_BAG_ROOM;
    }
    return DGM_OK;
}

/* By ranges of receivers, otherwise in the order in which they were written. */
static void sort_bag(const dgmi_neighbours_post *post, dgmi_neighbours_bag *bag) {
    assert(bag->count <= DGMI_NEIGHBOURS_BAG_ROOM);
    int32_t at[DGMI_NEIGHBOURS_RANGES + 1] = {0};
    for (int64_t i = 0; i < bag->count; i++)
        at[(bag->letters[i].to >> post->shift) + 1]++;
    for (int r = 0; r < DGMI_NEIGHBOURS_RANGES; r++)
        at[r + 1] += at[r];
    memcpy(bag->begins, at, sizeof at);
    assert(at[DGMI_NEIGHBOURS_RANGES] == bag->count);
    for (int64_t i = 0; i < bag->count; i++)
        bag->sorted[at[bag->letters[i].to >> post->shift]++] = bag->letters[i];
}

static void fill_bag(void *argument, int64_t chunk, int thread) {
    dgmi_neighbours_post *post = argument;
    dgmi_neighbours_bag *bag = &post->bags[chunk];
    bag->count = 0;
    if (dgmi_cancelled(post->ctx))
        return;
    while (bag->next < bag->end && bag->count + post->most <= DGMI_NEIGHBOURS_BAG_ROOM)
        post->write(post->user, bag->next++, bag, thread);
    sort_bag(post, bag);
}

static void empty_range(void *argument, int64_t range, int thread) {
    dgmi_neighbours_post *post = argument;
    (void)thread;
    if (dgmi_cancelled(post->ctx))
        return;
    for (int b = 0; b < DGMI_NEIGHBOURS_BAGS; b++) {
        const dgmi_neighbours_bag *bag = &post->bags[b];
        for (int32_t i = bag->begins[range]; i < bag->begins[range + 1]; i++)
            post->read(post->user, range, &bag->sorted[i]);
    }
}

/* Gives a bag without senders the next of them. */
static int64_t hand_out(dgmi_neighbours_post *post, int64_t next) {
    for (int b = 0; b < DGMI_NEIGHBOURS_BAGS && next < post->count; b++) {
        dgmi_neighbours_bag *bag = &post->bags[b];
        if (bag->next < bag->end)
            continue;
        bag->next = next;
        next += DGMI_NEIGHBOURS_BAG_SENDERS;
        bag->end = next < post->count ? next : post->count;
    }
    return next;
}

static bool all_wrote(const dgmi_neighbours_post *post) {
    for (int b = 0; b < DGMI_NEIGHBOURS_BAGS; b++)
        if (post->bags[b].next < post->bags[b].end)
            return false;
    return true;
}

dgm_status dgmi_neighbours_post_round(dgmi_neighbours_post *post) {
    dgm_status status = DGM_OK;
    int64_t next = 0;
    assert(post->most > 0 && post->most <= DGMI_NEIGHBOURS_BAG_ROOM);
    do {
        next = hand_out(post, next);
        dgmi_parallel(post->ctx, DGMI_NEIGHBOURS_BAGS, fill_bag, post);
        dgmi_parallel(post->ctx, DGMI_NEIGHBOURS_RANGES, empty_range, post);
        status = dgmi_progress(post->ctx, "nearest neighbours", -1);
    } while (status == DGM_OK && (next < post->count || !all_wrote(post)));
    return status;
}
