/* SPDX-License-Identifier: Apache-2.0 */
/* The words of Mapper's options, which the option table, files and figures share. */
#include "mapper_words.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mapper_stages.h"

static const char *const covers[] = {"uniform",  "quantile", "intervals", "simplex",
                                     "adaptive", "balls",    "landmarks", "gmeans",
                                     "cmo",      "parts",    NULL};
static_assert(sizeof covers / sizeof *covers == DGM_COVER_PARTS + 2, "a word for every cover");

const char *const *dgmi_mapper_cover_words(void) {
    return covers;
}

static const char *const *choices_of(const char *option) {
    return dgm_option_find(dgm_mapper_option_table(), option)->choices;
}

const char *const *dgmi_mapper_rule_words(void) {
    return choices_of("compat");
}

/* What a caller's own function made cannot be asked for by a word, and has one all the same. */
static const char *const clusterings[] = {"components", "none",   "labelprop", "louvain",
                                          "single",     "dbscan", "given",     NULL};
static_assert(sizeof clusterings / sizeof *clusterings == DGM_CLUSTER_GIVEN + 2,
              "a word for every clustering");

const char *const *dgmi_mapper_cluster_words(void) {
    return clusterings;
}

const char *const *dgmi_mapper_edge_words(void) {
    return choices_of("edges");
}

const char *const *dgmi_mapper_metric_words(void) {
    return choices_of("metric");
}

const char *const *dgmi_mapper_space_words(void) {
    static const char *const words[] = {"lens", "features", NULL};
    return words;
}

const char *const *dgmi_mapper_weight_words(void) {
    return choices_of("weights");
}

const char *const *dgmi_mapper_piece_words(void) {
    return choices_of("pieces");
}

const char *const *dgmi_mapper_strength_words(void) {
    return choices_of("strength");
}

int dgmi_mapper_word_find(const char *const *words, const char *word) {
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static int64_t at_most_all(int64_t dimension) {
    return dimension < DGM_MAX_AXES ? dimension : DGM_MAX_AXES;
}

/* How many cells a cover has on its one axis. */
static int64_t count_cells(const dgm_mapper_options *options, int64_t dimension) {
    switch (options->cover) {
    case DGM_COVER_INTERVALS:
        return options->given_count;
    case DGM_COVER_SIMPLEX:
        return dimension;
    default: /* it found them */
        return options->intervals[0];
    }
}

/* The number of axes on which an overlap is set. */
static int64_t count_overlaps(const dgm_mapper_options *options, int64_t dimension) {
    bool none = options->cover == DGM_COVER_INTERVALS || options->cover == DGM_COVER_SIMPLEX ||
                options->cover == DGM_COVER_BALLS || options->cover == DGM_COVER_PARTS;
    bool one = options->cover == DGM_COVER_LANDMARKS;
    return none || options->overlap[0] < 0 ? 0 : one ? 1 : at_most_all(dimension);
}

void dgmi_mapper_words_of(const dgm_mapper_options *options, int64_t dimension,
                          dgmi_mapper_words *out) {
    *out = (dgmi_mapper_words){.cover = dgmi_mapper_cover_words()[options->cover],
                               .rule = dgmi_mapper_rule_words()[options->rule],
                               .cluster = dgmi_mapper_cluster_words()[options->cluster],
                               .edges = dgmi_mapper_edge_words()[options->edges],
                               .strength = dgmi_mapper_strength_words()[options->strength]};
    out->overlaps = count_overlaps(options, dimension);
    if (dgmi_mapper_cover_is_grid(options->cover)) {
        out->axes = options->intervals[0] > 0 ? at_most_all(dimension) : 0;
        for (int64_t a = 0; a < out->axes; a++)
            out->intervals[a] = dgmi_mapper_axis_intervals(options, a);
    } else {
        out->intervals[0] = count_cells(options, dimension);
        out->axes = out->intervals[0] > 0;
    }
    for (int64_t a = 0; a < out->overlaps; a++)
        out->overlap[a] = dgmi_mapper_axis_overlap(options, a);
}

void dgmi_mapper_pooled_words(const char *method, int64_t step, int64_t steps, bool trained,
                              char *words, size_t size) {
    char which[64] = "";
    if (steps > 1)
        snprintf(which, sizeof which, " \xc2\xb7 step %lld of %lld", (long long)step,
                 (long long)steps);
    snprintf(words, size, "pooled by %s%s%s", method, which, trained ? " \xc2\xb7 trained" : "");
}
