/* SPDX-License-Identifier: Apache-2.0 */
/* The options of Mapper, each written once. */
#include "dgm/mapper.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "base_spec.h"
#include "mapper_stages.h"

static const char *const rules[] = {"gain", "dgm", "kepler", "giotto", "gudhi", "mog", NULL};
static const char *const clusterings[] = {"components", "none",   "labelprop", "louvain",
                                          "single",     "dbscan", NULL};
static const char *const spaces[] = {"lens", "features", NULL};
static const char *const edge_kinds[] = {"nerve", "structural", NULL};
static const char *const weight_kinds[] = {"none", "gaussian", "bump", NULL};
static const char *const piece_kinds[] = {"apart", "joined", NULL};
static const char *const metrics[] = {"l2", "cosine", NULL};
static const char *const strengths[] = {"links", "sas", NULL};

/* ---- clusterings with keys ---- */

/* "gap" alone keeps the number of bins. */
static dgm_status set_gap(dgm_context *ctx, const dgm_option *option, const char *value,
                          void *target) {
    dgm_option number = *option;
    number.set = NULL;
    number.kind = DGM_OPTION_INTEGER;
    return value ? dgmi_option_set_as(ctx, "the clustering 'single': gap", &number, value, target)
                 : DGM_OK;
}

#define SPACE_KEY                                                                                  \
    {                                                                                              \
        .name = "of", .kind = DGM_OPTION_CHOICE, .offset = offsetof(dgm_mapper_options, space),    \
        .choices = spaces, .default_text = "lens", .help = "whose distances are looked at"         \
    }

static const dgm_option single_keys[] = {
    {.name = "gap",
     .kind = DGM_OPTION_FLAG, /* it may stand without a value */
     .offset = offsetof(dgm_mapper_options, gap_bins),
     .set = set_gap,
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "10",
     .argument = "BINS",
     .help = "bins of the histogram in which the first gap is looked for"},
    SPACE_KEY,
};
static const dgm_option_table single_table = {"single", single_keys,
                                              sizeof single_keys / sizeof *single_keys};

static const dgm_option dbscan_keys[] = {
    {.name = "eps",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, reach),
     .minimum = 0,
     .maximum = INFINITY,
     .argument = "E",
     .help = "distance within which nodes are neighbours"},
    {.name = "min",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, min_points),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "5",
     .argument = "K",
     .help = "neighbours, with itself, that make a node the core of a cluster"},
    SPACE_KEY,
};
static const dgm_option_table dbscan_table = {"dbscan", dbscan_keys,
                                              sizeof dbscan_keys / sizeof *dbscan_keys};

static const dgm_option_table *cluster_keys(int cluster) {
    if (cluster == DGM_CLUSTER_SINGLE)
        return &single_table;
    return cluster == DGM_CLUSTER_DBSCAN ? &dbscan_table : NULL;
}

/* "louvain", "single:gap=20", "dbscan:eps=0.5,min=3,of=features" */
static dgm_status set_cluster(dgm_context *ctx, const dgm_option *option, const char *value,
                              void *target) {
    dgmi_spec spec;
    dgm_option plain = *option;
    plain.set = NULL;
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    size_t size = *(const size_t *)target; /* an older caller's struct may be shorter */
    size = size < sizeof use ? size : sizeof use;
    memcpy(&use, target, size);
    dgm_status status = dgmi_spec_split(ctx, "clustering", value, &spec);
    if (status == DGM_OK)
        status = dgm_option_set(ctx, &plain, spec.text, &use);
    if (status == DGM_OK)
        status = dgmi_spec_set(ctx, "clustering", &spec, cluster_keys(use.cluster), &use);
    if (status == DGM_OK)
        memcpy(target, &use, size);
    return status;
}

/* ---- the table ---- */

static const dgm_option options_list[] = {
    {.name = "intervals",
     .kind = DGM_OPTION_INTEGERS,
     .offset = offsetof(dgm_mapper_options, intervals),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "10",
     .argument = "N[,N...]",
     .help = "intervals on each axis of the lens"},
    {.name = "overlap",
     .kind = DGM_OPTION_REALS,
     .offset = offsetof(dgm_mapper_options, overlap),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0.2",
     .argument = "G[,G...]",
     .help = "gain on each axis: what neighbouring intervals share of their length, 0 <= G < 1"},
    {.name = "compat",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, rule),
     .choices = rules,
     .default_text = "gain",
     .help = "cover rule of another system"},
    {.name = "metric",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, metric),
     .choices = metrics,
     .default_text = "l2",
     .help = "distance between nodes, for a cover of balls or landmarks and for clusters by single "
             "or dbscan"},
    {.name = "cluster",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, cluster),
     .set = set_cluster,
     .choices = clusterings,
     .default_text = "components",
     .help = "how the nodes of a cell are split into clusters; single:gap=BINS and dbscan:eps=E,"
             "min=K look at distances, those of the lens or with of=features of the features"},
    {.name = "weights",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, weights),
     .choices = weight_kinds,
     .default_text = "none",
     .help = "how much a node belongs to each of its clusters, by its distance in the lens from "
             "their means"},
    {.name = "edges",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, edges),
     .choices = edge_kinds,
     .default_text = "nerve",
     .help = "join clusters that share nodes, or that graph edges run between"},
    {.name = "pieces",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, pieces),
     .choices = piece_kinds,
     .default_text = "apart",
     .help = "where cells cut a component of the graph into pieces: leave them apart, or join them "
             "by taking single nodes across edges into a neighbour's cell"},
    {.name = "strength",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_mapper_options, strength),
     .choices = strengths,
     .default_text = "links",
     .help = "strength of a structural edge: graph edges, each once, or the entry of S'AS"},
    {.name = "eps",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_mapper_options, eps),
     .minimum = 0,
     .maximum = 1,
     .default_text = "0",
     .argument = "E",
     .help = "drop structural edges of weight below E"},
    {.name = "min-size",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, min_size),
     .minimum = 1,
     .maximum = 9007199254740992.0,
     .default_text = "1",
     .argument = "K",
     .help = "drop clusters of fewer than K nodes"},
    {.name = "min-component",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_mapper_options, min_component),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "0",
     .argument = "K",
     .help = "drop components of the summary whose clusters have fewer than K nodes in all"},
    {.name = "attach",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_mapper_options, attach),
     .help =
         "give clusters below min-size to the neighbouring cluster with the most links, instead "
         "of dropping them"},
};
static const dgm_option_table table = {"Mapper", options_list,
                                       sizeof options_list / sizeof *options_list};

const dgm_option_table *dgm_mapper_option_table(void) {
    return &table;
}

/* The table keeps the overlap from 0 to 1; whether it may be 0 or 1 itself belongs to the rule. */
static dgm_status check_overlap(dgm_context *ctx, const dgm_mapper_options *options) {
    bool open_low = options->rule == DGM_RULE_GIOTTO;
    bool takes_one = options->rule == DGM_RULE_DGM || options->rule == DGM_RULE_KEPLER ||
                     options->rule == DGM_RULE_MOG;
    char under[64] = "";
    if (options->rule != DGM_RULE_GAIN)
        snprintf(under, sizeof under, " under " DGMI_NAMED("compat=%s"), rules[options->rule]);
    for (int64_t k = 0; k < DGM_MAX_AXES; k++) {
        double overlap = dgmi_mapper_axis_overlap(options, k);
        if ((open_low && overlap == 0) || (overlap == 1 && !takes_one))
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             DGMI_NAMED("overlap") " takes a number %s 0 to below 1%s, not %.17g",
                             open_low ? "above" : "from", under, overlap);
    }
    return DGM_OK;
}

static dgm_status check_given(dgm_context *ctx, const dgm_mapper_options *options) {
    if (options->given_count < 1 || !options->given)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a cover of given intervals needs at least one");
    for (int64_t k = 0; k < options->given_count; k++)
        if (!(options->given[k].low < options->given[k].high))
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "interval %lld of the cover does not start below its end",
                             (long long)k + 1);
    return DGM_OK;
}

/* What a cover must be told that finds its cells itself. */
static dgm_status check_found(dgm_context *ctx, const dgm_mapper_options *options) {
    if (options->rule != DGM_RULE_GAIN)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("compat=%s") " is a rule for equal intervals, which "
                                                 "this cover does not have",
                         rules[options->rule]);
    if (options->cover == DGM_COVER_ADAPTIVE && options->cell_size < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cover=adaptive:size=K") " needs the number of nodes above "
                                                             "which a cell is split");
    if (options->cover == DGM_COVER_BALLS && !(options->radius > 0 && isfinite(options->radius)))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cover=balls:radius=R") " needs a radius above 0");
    if (options->cover == DGM_COVER_LANDMARKS && options->landmarks < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cover=landmarks:k=K") " needs the number of landmarks");
    if (options->cover == DGM_COVER_GMEANS &&
        !(options->critical > 0 && options->most >= 1 && options->most <= 10000))
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            DGMI_NAMED("cover=gmeans:critical=A,most=K") " takes a critical value above "
                                                         "0 and 1 to 10000 intervals");
    if (options->cover == DGM_COVER_PARTS && !(options->share > 0 && options->share <= 1))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cover=parts:share=S") " takes a share above 0 and up to 1");
    if (options->cover == DGM_COVER_CMO && !(options->gain > 1 / 3.0 && options->gain < 0.5))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cover=cmo:gain=G") " takes a gain above 1/3 and below 1/2");
    if (options->cover == DGM_COVER_CMO &&
        !(options->beta >= 0 && options->beta <= 100 && options->subsamples >= 1 &&
          options->subsamples <= 100000 && options->near >= DGM_NEAR_EDGES &&
          options->near <= DGM_NEAR_FEATURES))
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            DGMI_NAMED("cover=cmo:of=features,beta=B,subsamples=N") " takes B from 0 "
                                                                    "to 100 and 1 to "
                                                                    "100000 subsamples");
    return DGM_OK;
}

static dgm_status check_cluster(dgm_context *ctx, const dgm_mapper_options *options) {
    if (options->cluster == DGM_CLUSTER_GIVEN && !options->clusterer)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a clustering by a function of the caller's needs the function");
    bool dense = options->cluster == DGM_CLUSTER_DBSCAN;
    if (dense && !(options->reach > 0 && isfinite(options->reach)))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cluster=dbscan:eps=E") " needs a distance above 0");
    if (dense && options->min_points < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cluster=dbscan:min=K") " takes at least 1");
    if (options->cluster == DGM_CLUSTER_SINGLE &&
        !(options->gap_bins >= 1 && options->gap_bins <= 1000000))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("cluster=single:gap=BINS") " takes 1 to 1000000 bins");
    if (options->space != DGM_SPACE_LENS && options->space != DGM_SPACE_FEATURES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "space %d is none of the known ones",
                         options->space);
    return DGM_OK;
}

static dgm_status check_options(dgm_context *ctx, const dgm_mapper_options *options) {
    dgm_mapper_options by_words = *options;
    if (options->cluster == DGM_CLUSTER_GIVEN) /* which the table has no word for */
        by_words.cluster = DGM_CLUSTER_NONE;
    dgm_status status = dgm_options_check(ctx, &table, &by_words);
    if (status == DGM_OK)
        status = check_overlap(ctx, options);
    if (status == DGM_OK &&
        (options->cover < DGM_COVER_UNIFORM || options->cover > DGM_COVER_PARTS))
        status =
            dgmi_fail(ctx, DGM_ERROR_USAGE, "cover %d is none of the known ones", options->cover);
    if (status == DGM_OK && options->cover == DGM_COVER_INTERVALS)
        status = check_given(ctx, options);
    if (status == DGM_OK && options->cover >= DGM_COVER_ADAPTIVE)
        status = check_found(ctx, options);
    if (status == DGM_OK)
        status = check_cluster(ctx, options);
    return status;
}

dgm_status dgm_mapper_check(dgm_context *ctx, const dgm_mapper_options *options) {
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_mapper_options, seed, options, &use);
    return status == DGM_OK ? check_options(ctx, &use) : status;
}
