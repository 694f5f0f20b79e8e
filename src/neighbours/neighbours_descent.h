/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the approximate search: it improves lists that lack some neighbours. Points send each
 * other letters for this. */
#ifndef NEIGHBOURS_DESCENT_H
#define NEIGHBOURS_DESCENT_H

#include "neighbours_neighbours.h"

#include <assert.h>

/* Points whose true neighbours are known. */
typedef struct dgmi_neighbours_sample {
    int64_t count;
    const uint32_t *positions;
    const float *reached; /* the distance of the k-th true neighbour */
} dgmi_neighbours_sample;

/* Returns how many neighbours of each point it should start from if k are asked for. */
int64_t dgmi_neighbours_descent_width(int64_t k, int64_t count);
/* Improves `*start` (by rows of the points as given), which is freed on the way, until the sample's
 * recall is what the options want or nothing is found any more; fills `out` and its recall. Points
 * that are near each other should have near positions in `set`. */
dgm_status dgmi_neighbours_descent(dgm_context *ctx, const dgmi_neighbours_points *set,
                                   const dgm_knn_options *options,
                                   const dgmi_neighbours_sample *sample, dgm_neighbours **start,
                                   dgm_neighbours *out);

/* ---- letters ---- */

/* Points send letters to other points. A chunk of points writes letters until its bag is full. Then
 * all bags are emptied, each range of receivers by one thread, and every chunk goes on where it
 * stopped. So memory is bounded, no two threads change the same point, and the order in which
 * letters are read does not depend on threads. */
typedef struct dgmi_neighbours_letter {
    uint32_t to, from;
    union {
        float square;
        uint32_t kind;
    };
} dgmi_neighbours_letter;

enum {
    DGMI_NEIGHBOURS_BAGS = 64,
    DGMI_NEIGHBOURS_BAG_SENDERS = 1024,
    DGMI_NEIGHBOURS_RANGES = 64,
    DGMI_NEIGHBOURS_BAG_ROOM = 16384
};

typedef struct dgmi_neighbours_bag {
    dgmi_neighbours_letter *letters, *sorted; /* DGMI_NEIGHBOURS_BAG_ROOM each */
    int64_t count;
    int64_t next, end; /* the senders that have not written yet */
    int32_t begins[DGMI_NEIGHBOURS_RANGES + 1];
} dgmi_neighbours_bag;

typedef struct dgmi_neighbours_post {
    dgm_context *ctx;
    int64_t count; /* points */
    int shift;     /* range = to >> shift */
    dgmi_neighbours_bag bags[DGMI_NEIGHBOURS_BAGS];
    int64_t most; /* letters that one sender may write */
    void (*write)(void *user, int64_t sender, dgmi_neighbours_bag *bag, int thread);
    void (*read)(void *user, int64_t range, const dgmi_neighbours_letter *letter);
    void *user;
} dgmi_neighbours_post;

/* Its bags, scratch. */
dgm_status dgmi_neighbours_post_open(dgm_context *ctx, int64_t count, dgmi_neighbours_post **out);
/* All points write; `most` <= DGMI_NEIGHBOURS_BAG_ROOM. */
dgm_status dgmi_neighbours_post_round(dgmi_neighbours_post *post);

static inline void dgmi_neighbours_post_write(dgmi_neighbours_bag *bag,
                                              dgmi_neighbours_letter letter) {
    assert(bag->count < DGMI_NEIGHBOURS_BAG_ROOM);
    bag->letters[bag->count++] = letter;
}

#endif
