/* SPDX-License-Identifier: Apache-2.0 */
/* The options that a summary was made with, in the words that files and figures use. */
#ifndef MAPPER_WORDS_H
#define MAPPER_WORDS_H

#include "dgm/mapper.h"

#include <stdbool.h>

/* These return the words for the values of an option, in the order of its enum, then NULL. */
const char *const *dgmi_mapper_cover_words(void);
const char *const *dgmi_mapper_rule_words(void);
const char *const *dgmi_mapper_cluster_words(void);
const char *const *dgmi_mapper_edge_words(void);
const char *const *dgmi_mapper_strength_words(void);
const char *const *dgmi_mapper_metric_words(void);
const char *const *dgmi_mapper_space_words(void);
const char *const *dgmi_mapper_weight_words(void);
const char *const *dgmi_mapper_piece_words(void);
const char *const *dgmi_mapper_near_words(void);
/* Returns the place of the word, or -1. */
int dgmi_mapper_word_find(const char *const *words, const char *word);

/* Whether the cells are products of intervals, with a coordinate for each column of the lens; the
 * cells of other covers have one number. */
static inline bool dgmi_mapper_cover_is_grid(int cover) {
    return cover == DGM_COVER_UNIFORM || cover == DGM_COVER_QUANTILE;
}

/* Whether the cells lie in the lens's own space, however many columns that has. */
static inline bool dgmi_mapper_cover_has_metric(int cover) {
    return cover == DGM_COVER_BALLS || cover == DGM_COVER_LANDMARKS;
}

/* Whether clusters are made from distances between points. */
static inline bool dgmi_mapper_cluster_has_metric(int cluster) {
    return cluster == DGM_CLUSTER_SINGLE || cluster == DGM_CLUSTER_DBSCAN;
}

typedef struct dgmi_mapper_words {
    const char *cover, *rule, *cluster, *edges, *strength;
    int64_t axes; /* how many entries `intervals` has, at most DGM_MAX_AXES; 0: not known */
    int64_t intervals[DGM_MAX_AXES];
    int64_t overlaps; /* how many entries `overlap` has */
    double overlap[DGM_MAX_AXES];
} dgmi_mapper_words;
/* Puts options into words. `dimension` is the number of columns of the lens. */
void dgmi_mapper_words_of(const dgm_mapper_options *options, int64_t dimension,
                          dgmi_mapper_words *out);

/* Puts a pooling into words, "pooled by sum · step 1 of 2 · trained", at most `size` bytes with the
 * final 0. */
void dgmi_mapper_pooled_words(const char *method, int64_t step, int64_t steps, bool trained,
                              char *words, size_t size);

#endif
