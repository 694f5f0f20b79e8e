/* SPDX-License-Identifier: Apache-2.0 */
/* Covers as text: "uniform", "intervals:-inf..0,0..inf", "adaptive:size=50". */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_spec.h"
#include "base_text.h"
#include "mapper_options.h"
#include "mapper_words.h"

/* ---- given intervals ---- */

static bool parse_end(const char *text, size_t length, double *value) {
    return dgmi_parse_real(text, length, value) && !isnan(*value);
}

static dgm_status parse_intervals(dgm_context *ctx, const char *list, dgm_interval *given,
                                  int64_t capacity, int64_t *count) {
    *count = 0;
    for (const char *item = list;; item++) {
        size_t length = strcspn(item, ",");
        const char *dots = strstr(item, "..");
        dgm_interval interval;
        if (!dots || dots >= item + length ||
            !parse_end(item, (size_t)(dots - item), &interval.low) ||
            !parse_end(dots + 2, (size_t)(item + length - dots - 2), &interval.high) ||
            interval.low >= interval.high)
            return dgmi_fail(
                ctx, DGM_ERROR_USAGE,
                DGMI_NAMED(
                    "cover=intervals:a..b,c..d") " takes numbers (or -inf, inf) with a < b, not "
                                                 "'%.*s'",
                (int)(length < 200 ? length : 200), item);
        if (*count == capacity)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             DGMI_NAMED("cover=intervals:") " takes at most %lld intervals",
                             (long long)capacity);
        given[(*count)++] = interval;
        item += length;
        if (!*item)
            return DGM_OK;
    }
}

/* ---- covers with keys ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const dgm_option adaptive_keys[] = {
    {.name = "size",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, cell_size),
     .minimum = 1,
     .maximum = 9007199254740992.0,
     .argument = "K",
     .help = "cells that hold more than K nodes are split"},
};
static const dgm_option_table adaptive_table = {"adaptive", adaptive_keys, COUNT(adaptive_keys)};

static const dgm_option ball_keys[] = {
    {.name = "radius",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, radius),
     .minimum = 0,
     .maximum = INFINITY,
     .argument = "R",
     .help = "radius of the balls, a distance of the metric"},
};
static const dgm_option_table ball_table = {"balls", ball_keys, COUNT(ball_keys)};

static const dgm_option landmark_keys[] = {
    {.name = "k",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, landmarks),
     .minimum = 1,
     .maximum = 100000,
     .argument = "K",
     .help = "number of landmarks"},
};
static const dgm_option_table landmark_table = {"landmarks", landmark_keys, COUNT(landmark_keys)};

static const dgm_option gmeans_keys[] = {
    {.name = "critical",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, critical),
     .minimum = 0,
     .maximum = INFINITY,
     .default_text = "10",
     .argument = "A",
     .help = "statistic of Anderson and Darling above which an interval is split"},
    {.name = "most",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, most),
     .minimum = 1,
     .maximum = 10000,
     .default_text = "20",
     .argument = "K",
     .help = "largest number of intervals"},
};
static const dgm_option_table gmeans_table = {"gmeans", gmeans_keys, COUNT(gmeans_keys)};

static const char *const nears[] = {"edges", "features", NULL};

const char *const *dgmi_mapper_near_words(void) {
    return nears;
}

static const dgm_option cmo_keys[] = {
    {.name = "gain",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, gain),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.4",
     .argument = "G",
     .help = "overlap of neighbouring intervals, above 1/3 and below 1/2"},
    {.name = "of",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, near),
     .choices = nears,
     .default_text = "edges",
     .help = "which nodes are neighbours: ends of edges, or points whose features are near"},
    {.name = "beta",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, beta),
     .minimum = 0,
     .maximum = 100,
     .default_text = "0.001",
     .argument = "B",
     .help = "with of=features: subsamples have n / (log n)^(1 + B) of n points"},
    {.name = "subsamples",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, subsamples),
     .minimum = 1,
     .maximum = 100000,
     .default_text = "100",
     .argument = "N",
     .help = "with of=features: their number"},
};
static const dgm_option_table cmo_table = {"cmo", cmo_keys, COUNT(cmo_keys)};

static const dgm_option part_keys[] = {
    {.name = "share",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, share),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.3",
     .argument = "S",
     .help = "share of its neighbours in a part that puts a node into the cell of the part"},
};
static const dgm_option_table part_table = {"parts", part_keys, COUNT(part_keys)};

static const dgm_option_table *keys_of(int cover) {
    switch (cover) {
    case DGM_COVER_GMEANS:
        return &gmeans_table;
    case DGM_COVER_CMO:
        return &cmo_table;
    case DGM_COVER_PARTS:
        return &part_table;
    case DGM_COVER_ADAPTIVE:
        return &adaptive_table;
    case DGM_COVER_BALLS:
        return &ball_table;
    case DGM_COVER_LANDMARKS:
        return &landmark_table;
    default:
        return NULL;
    }
}

static dgm_status fail_name(dgm_context *ctx, const char *text, const char *name) {
    bool known = dgmi_mapper_word_find(dgmi_mapper_cover_words(), name) >= 0;
    const char *near = known ? NULL : dgm_name_nearest(name, dgmi_mapper_cover_words());
    return dgmi_fail(
        ctx, DGM_ERROR_USAGE,
        DGMI_NAMED("cover") " does not know '%.100s' (it takes uniform, quantile, simplex, "
                            "intervals:a..b,c..d, adaptive:size=K, balls:radius=R, landmarks:k=K, "
                            "gmeans, cmo or parts)%s%s%s",
        text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

dgm_status dgm_cover_parse(dgm_context *ctx, const char *text, dgm_mapper_options *options,
                           dgm_interval *given, int64_t capacity) {
    if (strncmp(text, "intervals:", 10) == 0) {
        options->cover = DGM_COVER_INTERVALS;
        options->given = given;
        return parse_intervals(ctx, text + 10, given, capacity, &options->given_count);
    }
    dgmi_spec spec;
    dgm_status status = dgmi_spec_split(ctx, "cover", text, &spec);
    if (status != DGM_OK)
        return status;
    int cover = dgmi_mapper_word_find(dgmi_mapper_cover_words(), spec.text);
    if (cover < 0 || cover == DGM_COVER_INTERVALS) /* whose list is missing */
        return fail_name(ctx, text, spec.text);
    status = dgmi_spec_set(ctx, "cover", &spec, keys_of(cover), options);
    if (status == DGM_OK)
        options->cover = cover;
    return status;
}
