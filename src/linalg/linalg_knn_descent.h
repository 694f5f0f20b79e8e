/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the approximate search: trees to start from, letters between points. */
#ifndef LINALG_KNN_DESCENT_H
#define LINALG_KNN_DESCENT_H

#include "linalg_knn.h"

/* ---- trees of random projections ---- */

typedef struct dgmi_forest_entry {
    float along; /* the line that cut its node last */
    uint32_t position;
} dgmi_forest_entry;

typedef struct dgmi_forest {
    int64_t count, trees;
    int depth;                  /* 2^depth leaves a tree */
    dgmi_forest_entry *entries; /* trees x count, leaf by leaf; scratch */
} dgmi_forest;

/* Leaves of at most `leaf` points and at least half as many. Nothing but the points, the seed and
 * the stream says what trees come out. */
dgm_status dgmi_forest_grow(dgm_context *ctx, const dgmi_knn_points *set, int64_t trees,
                            int64_t leaf, uint64_t seed, uint64_t stream, dgmi_forest *out);
/* Where a node begins among the entries of its tree. */
int64_t dgmi_forest_begin(const dgmi_forest *forest, int level, int64_t node);

/* ---- letters ---- */

/* Chunks of points write to points anywhere. A chunk writes until its bag is full; then all bags
 * are emptied, each range of receivers by one thread, and every chunk goes on where it stopped. So
 * memory is bounded, no two threads write to one point, and who was read first is not a matter of
 * threads. */
typedef struct dgmi_letter {
    uint32_t to, from;
    union {
        float square;
        uint32_t kind;
    };
} dgmi_letter;

enum { DGMI_BAGS = 64, DGMI_BAG_SENDERS = 1024, DGMI_RANGES = 64, DGMI_BAG_ROOM = 16384 };

typedef struct dgmi_bag {
    dgmi_letter *letters, *sorted; /* DGMI_BAG_ROOM each */
    int64_t count;
    int64_t next, end; /* the senders that have not written yet */
    int32_t begins[DGMI_RANGES + 1];
} dgmi_bag;

typedef struct dgmi_post {
    dgm_context *ctx;
    int64_t count; /* points */
    int shift;     /* range = to >> shift */
    dgmi_bag bags[DGMI_BAGS];
    int64_t most; /* letters that one sender may write */
    void (*write)(void *user, int64_t sender, dgmi_bag *bag, int thread);
    void (*read)(void *user, int64_t range, const dgmi_letter *letter);
    void *user;
} dgmi_post;

/* Its bags, scratch. */
dgm_status dgmi_post_open(dgm_context *ctx, int64_t count, dgmi_post **out);
/* All points write; `most` <= DGMI_BAG_ROOM. Progress runs from `from` to `to`. */
dgm_status dgmi_post_round(dgmi_post *post, double from, double to);

static inline void dgmi_post_write(dgmi_bag *bag, dgmi_letter letter) {
    bag->letters[bag->count++] = letter;
}

#endif
