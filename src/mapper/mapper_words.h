/* SPDX-License-Identifier: Apache-2.0 */
/* How a summary was made, in the words of files and figures. */
#ifndef MAPPER_WORDS_H
#define MAPPER_WORDS_H

#include "dgm/mapper.h"

/* The words for an option's values, in the order of its enum, NULL behind the last. */
const char *const *dgmi_mapper_cover_words(void);
const char *const *dgmi_mapper_rule_words(void);
const char *const *dgmi_mapper_cluster_words(void);
const char *const *dgmi_mapper_edge_words(void);
const char *const *dgmi_mapper_strength_words(void);
/* The place of the word, or -1. */
int dgmi_mapper_word_find(const char *const *words, const char *word);

typedef struct dgmi_mapper_words {
    const char *cover, *rule, *cluster, *edges, *strength;
    int64_t axes; /* entries of `intervals`, at most DGM_MAX_AXES; 0: not known */
    int64_t intervals[DGM_MAX_AXES];
    int64_t overlaps; /* entries of `overlap` */
    double overlap[DGM_MAX_AXES];
} dgmi_mapper_words;
/* dimension: columns of the lens. */
void dgmi_mapper_words_of(const dgm_mapper_options *options, int64_t dimension,
                          dgmi_mapper_words *out);

#endif
