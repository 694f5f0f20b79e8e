/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the line of parameters under a figure, which says in words how the summary was made. */
#include "draw_view.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mapper_summary.h"

#define NAMES(table) (sizeof(table) / sizeof *(table))

/* ---- axes ---- */

bool dgmi_draw_view_transformed(const dgm_view *view, int64_t axis) {
    assert(axis >= 0 && axis < view->dimension);
    return view->transforms && strcmp(view->transforms[axis], "none") != 0;
}

/* What stands before a name for each transform, and behind it. */
static const struct {
    const char *transform, *before, *after;
} transform_words[] = {
    {"none", "", ""},         {"log", "log ", ""},           {"log1p", "log(1 + ", ")"},
    {"rank", "rank of ", ""}, {"zscore", "z-score of ", ""},
};

/* The last transform was done to what the ones before it made, and so stands around them. */
static void put_axis(dgmi_text *text, const char *transforms, size_t length, const char *name) {
    size_t start = length;
    while (start > 0 && transforms[start - 1] != ',')
        start--;
    size_t inner = start ? start - 1 : 0;
    start += strspn(transforms + start, " ");
    const char *before = NULL, *after = "";
    for (size_t w = 0; w < NAMES(transform_words); w++)
        if (strlen(transform_words[w].transform) == length - start &&
            memcmp(transform_words[w].transform, transforms + start, length - start) == 0) {
            before = transform_words[w].before;
            after = transform_words[w].after;
        }
    if (before)
        dgmi_text_string(text, before);
    else
        dgmi_text_format(text, "%.*s of ", (int)(length - start), transforms + start);
    if (inner)
        put_axis(text, transforms, inner, name);
    else
        dgmi_text_string(text, name);
    dgmi_text_string(text, after);
}

const char *dgmi_draw_view_axis(dgm_context *ctx, const dgm_view *view, int64_t axis) {
    dgmi_text text;
    if (!dgmi_draw_view_transformed(view, axis))
        return view->axes[axis];
    dgmi_text_init(&text, ctx);
    put_axis(&text, view->transforms[axis], strlen(view->transforms[axis]), view->axes[axis]);
    char *copy =
        text.status == DGM_OK ? dgmi_scratch(ctx, (int64_t)text.length + 1, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, text.data, (size_t)text.length + 1);
    dgmi_text_free(&text);
    return copy;
}

/* ---- the line ---- */

#define DOT " \xc2\xb7 "

const char *dgmi_draw_view_count(int64_t count, char buffer[DGMI_NUMBER_SPACE]) {
    char digits[DGMI_NUMBER_SPACE];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)count), at = 0;
    for (int i = 0; i < length; i++) {
        buffer[at++] = digits[i];
        if ((length - 1 - i) % 3 == 0 && i + 1 < length && digits[i] != '-')
            buffer[at++] = ',';
    }
    buffer[at] = '\0';
    return buffer;
}

static void put_count(dgmi_text *line, int64_t count) {
    char buffer[DGMI_NUMBER_SPACE];
    dgmi_text_string(line, dgmi_draw_view_count(count, buffer));
}

/* Axes that are transformed alike are said once. */
static void put_transforms(dgmi_text *line, const dgm_view *view) {
    int64_t said = view->transforms ? view->dimension : 0;
    bool any = false;
    for (int64_t a = 0; a < said; a++)
        any = any || dgmi_draw_view_transformed(view, a);
    while (said > 1 && strcmp(view->transforms[said - 1], view->transforms[said - 2]) == 0)
        said--;
    for (int64_t a = 0; any && a < said; a++)
        dgmi_text_format(line, "%s%.200s", a ? "; " : DOT "transform ", view->transforms[a]);
}

static void put_intervals(dgmi_text *line, const dgmi_mapper_words *words) {
    if (words->axes == 0)
        return;
    if (strcmp(words->cover, "uniform") != 0)
        dgmi_text_format(line, DOT "%.40s", words->cover);
    dgmi_text_string(line, DOT "n = ");
    for (int64_t a = 0; a < words->axes; a++) {
        dgmi_text_string(line, a ? ", " : "");
        put_count(line, words->intervals[a]);
    }
}

/* What a cover was told that finds its cells itself. */
static void put_keys(dgmi_text *line, const dgm_mapper_options *options) {
    if (options->cover == DGM_COVER_ADAPTIVE && options->cell_size > 0) {
        dgmi_text_string(line, DOT "size \xe2\x89\xa4 ");
        put_count(line, options->cell_size);
    }
    if (options->cover == DGM_COVER_GMEANS) {
        dgmi_text_string(line, DOT "A\xc2\xb2 \xe2\x89\xa4 ");
        dgmi_text_real(line, options->critical);
    }
    if (options->cover == DGM_COVER_PARTS) {
        dgmi_text_string(line, DOT "share \xe2\x89\xa5 ");
        dgmi_text_real(line, options->share);
    }
    if (options->cover == DGM_COVER_CMO && options->near == DGM_NEAR_FEATURES)
        dgmi_text_string(line, DOT "near features");
    if (options->cover == DGM_COVER_BALLS && options->radius > 0) {
        dgmi_text_string(line, DOT "radius ");
        dgmi_text_real(line, options->radius);
    }
    if (dgmi_mapper_cover_has_metric(options->cover) && options->metric != DGM_METRIC_L2)
        dgmi_text_format(line, DOT "%.40s", dgmi_mapper_metric_words()[options->metric]);
}

/* Axes that overlap alike are said once. */
static void put_overlaps(dgmi_text *line, const dgmi_mapper_words *words) {
    int64_t said = words->overlaps;
    while (said > 1 && words->overlap[said - 1] == words->overlap[said - 2])
        said--;
    for (int64_t a = 0; a < said; a++) {
        dgmi_text_string(line, a ? ", " : DOT "g = ");
        dgmi_text_real(line, words->overlap[a]);
    }
}

static void put_cluster(dgmi_text *line, const dgm_mapper_options *options,
                        const dgmi_mapper_words *words) {
    dgmi_text_format(line, DOT "cluster %.40s", words->cluster);
    if (options->cluster == DGM_CLUSTER_SINGLE)
        dgmi_text_format(line, ", gap in %lld", (long long)options->gap_bins);
    if (options->cluster == DGM_CLUSTER_DBSCAN) {
        dgmi_text_string(line, ", \xce\xb5 = ");
        dgmi_text_real(line, options->reach);
        dgmi_text_format(line, ", min %lld", (long long)options->min_points);
    }
    if (dgmi_mapper_cluster_has_metric(options->cluster) && options->space == DGM_SPACE_FEATURES)
        dgmi_text_string(line, ", of features");
}

static void put_edges(dgmi_text *line, const dgm_mapper_options *options,
                      const dgmi_mapper_words *words) {
    dgmi_text_format(line, DOT "%.40s", words->edges);
    if (options->pieces != DGM_PIECES_APART)
        dgmi_text_format(line, ", pieces %.40s", dgmi_mapper_piece_words()[options->pieces]);
    if (strcmp(words->edges, "structural") == 0 && strcmp(words->strength, "sas") == 0)
        dgmi_text_string(line, " (S\xe2\x80\xb2"
                               "AS)");
    if (options->eps > 0) {
        dgmi_text_string(line, DOT "\xce\xb5 = ");
        dgmi_text_real(line, options->eps);
    }
}

static void put_filters(dgmi_text *line, const dgm_mapper_options *options) {
    if (options->min_size > 1) {
        dgmi_text_string(line, DOT "min-size ");
        put_count(line, options->min_size);
        dgmi_text_string(line, options->attach ? ", attached" : "");
    }
    if (options->min_component > 0) {
        dgmi_text_string(line, DOT "min-component ");
        put_count(line, options->min_component);
    }
}

static void put_covered(dgmi_text *line, const dgm_view *view) {
    if (view->covered >= view->nodes)
        return;
    dgmi_text_string(line, DOT);
    put_count(line, view->covered);
    dgmi_text_string(line, " of ");
    put_count(line, view->nodes);
    dgmi_text_string(line, " nodes covered");
}

/* "93% of edges", "all edges", "no edge"; what is rounded never says all or none. */
static void put_part(dgmi_text *line, int64_t part, int64_t whole, const char *what) {
    double percent = 100 * (double)part / (double)whole;
    if (part == 0)
        dgmi_text_format(line, "no %s", what);
    else if (part == whole)
        dgmi_text_format(line, "all %ss", what);
    else if (percent < 0.5)
        dgmi_text_format(line, "under 1%% of %ss", what);
    else if (percent >= 99.5)
        dgmi_text_format(line, "over 99%% of %ss", what);
    else
        dgmi_text_format(line, "%.0f%% of %ss", floor(percent + 0.5), what);
}

/* What came of the settings, which is why they are chosen: no cluster holds most of the graph, and
 * neighbours lie in one cluster. */
static void put_outcome(dgmi_text *line, const dgm_view *view) {
    dgm_bits bits = dgm_summary_get_bits(view->summary);
    int64_t largest = 0;
    for (int64_t m = 0; m < view->marks; m++)
        largest = view->size[m] > largest ? view->size[m] : largest;
    if (largest == 0)
        return;
    if (view->nodes > 0) {
        dgmi_text_string(line, DOT "largest cluster ");
        put_part(line, largest, view->nodes, "node");
    }
    if (bits.edges > 0) {
        dgmi_text_string(line, DOT);
        put_part(line, bits.inside, bits.edges, "edge");
        dgmi_text_string(line, " inside a cluster, each node in its largest");
    }
}

static void put_mapping(dgmi_text *line, const dgm_view *view, const dgm_mapper_options *options,
                        const dgmi_mapper_words *words) {
    dgmi_text_string(line, *view->lens_name ? view->lens_name : "lens");
    put_transforms(line, view);
    put_intervals(line, words);
    put_keys(line, options);
    put_overlaps(line, words);
    if (strcmp(words->rule, "gain") != 0)
        dgmi_text_format(line, DOT "rule %.40s", words->rule);
    if (strcmp(words->cluster, "components") != 0)
        put_cluster(line, options, words);
    if (options->weights != DGM_WEIGHTS_NONE)
        dgmi_text_format(line, DOT "weights %.40s", dgmi_mapper_weight_words()[options->weights]);
    put_edges(line, options, words);
    put_filters(line, options);
    dgmi_text_format(line, DOT "seed %lld", (long long)view->seed);
    put_covered(line, view);
    if (view->summary)
        put_outcome(line, view);
}

/* "pooled by mpr:clusters=8-2 Â· step 1 of 2 Â· seed 1" */
static void put_pooling(dgmi_text *line, const dgm_view *view) {
    dgmi_text_string(line, view->summary->pooled);
    dgmi_text_format(line, DOT "seed %lld", (long long)view->seed);
    put_covered(line, view);
}

dgm_status dgmi_draw_view_describe(dgm_context *ctx, dgm_view *view,
                                   const dgm_mapper_options *options) {
    dgmi_text line;
    dgmi_mapper_words words;
    dgmi_mapper_words_of(options, view->dimension, &words);
    dgmi_text_init(&line, ctx);
    if (view->summary && view->summary->pooled)
        put_pooling(&line, view);
    else
        put_mapping(&line, view, options, &words);
    dgm_status status = line.status;
    if (status == DGM_OK)
        status = dgmi_draw_view_set_text(ctx, view, &view->parameters, line.data);
    dgmi_text_free(&line);
    return status;
}

/* ---- in plain words ---- */

/* What a mark, a link and the picture are, for who has never heard of Mapper. */
void dgmi_draw_view_say_plainly(const dgm_view *view, dgmi_text *text) {
    char words[DGM_BITS_WORDS];
    dgm_bits bits = dgm_summary_get_bits(view->summary);
    bool edges = view->structural;
    if (dgm_bits_finding(&bits) == DGM_FINDING_NONE)
        dgmi_text_string(text, "Chance draws the same: ");
    if (bits.known)
        dgmi_text_format(text, "%s. ", dgm_bits_words(&bits, words, sizeof words));
    dgmi_text_string(text, "Each disc is a group of nodes that hang together, the larger the more "
                           "nodes.");
    if (view->link_count > 0)
        dgmi_text_string(text, edges ? " A line joins two groups with edges between them."
                                     : " A line joins two groups that have nodes in common.");
}

/* ---- mistakes ---- */

/* "74 of 920 nodes in clusters (8.0%)" */
static void put_share(dgmi_text *text, dgm_judged judged, const char *where) {
    put_count(text, judged.mistakes);
    dgmi_text_string(text, " of ");
    put_count(text, judged.judged);
    dgmi_text_string(text, where);
    if (judged.judged > 0) {
        double percent = 100 * (double)judged.mistakes / (double)judged.judged;
        dgmi_text_format(text, " (%.*f%%)", percent < 9.95 ? 1 : 0, percent);
    }
}

static void put_judged(dgmi_text *text, dgm_judged covered, dgm_judged left_out,
                       const char *where) {
    put_share(text, covered, where);
    dgmi_text_string(text, ", ");
    put_share(text, left_out, " left out");
    dgmi_text_string(text, ".");
}

/* Test nodes first: the others helped to make the network. */
void dgmi_draw_view_say_mistakes(const dgm_view *view, dgmi_text *text) {
    static const struct {
        dgm_split part;
        const char *words;
    } parts[] = {{DGM_SPLIT_TEST, " Test nodes: "},
                 {DGM_SPLIT_VALIDATION, " Validation nodes: "},
                 {DGM_SPLIT_TRAIN, " Training nodes: "},
                 {DGM_SPLIT_NONE, " Nodes outside the split: "}};
    const dgm_summary_mistakes *ledger = &view->profile->ledger;
    if (!ledger->known)
        return;
    dgmi_text_string(text, "Mistakes: ");
    put_judged(text, dgm_judged_sum(ledger->covered), dgm_judged_sum(ledger->left_out),
               " nodes in clusters");
    for (size_t i = 0; ledger->split && i < NAMES(parts); i++) {
        dgm_judged covered = ledger->covered[parts[i].part];
        dgm_judged left_out = ledger->left_out[parts[i].part];
        if (covered.judged + left_out.judged == 0)
            continue;
        dgmi_text_string(text, parts[i].words);
        put_judged(text, covered, left_out, "");
    }
}
