/* SPDX-License-Identifier: Apache-2.0 */
/* Reads how a summary was made: graph, options, coverage, topology, provenance. Values that a file
 * of an older version or of another program leaves out are unknown. */
#include "archive_read.h"

#include <math.h>

#include "base_memory.h"
#include "mapper_words.h"

/* ---- options ---- */

/* The place of the word at section.key among `words`; as it was where there is none. */
static dgm_status read_word(const dgmi_archive_saved *saved, const char *section, const char *key,
                            const char *const *words, int *out) {
    const char *word = dgmi_archive_saved_text(saved, section, key);
    if (!*word)
        return DGM_OK;
    int found = dgmi_mapper_word_find(words, word);
    if (found < 0)
        return dgmi_archive_saved_fail(
            saved, NULL, 0, "\"%s\" has \"%s\": '%.60s', which this program does not know", section,
            key, word);
    *out = found;
    return DGM_OK;
}

static dgm_status read_words(const dgmi_archive_saved *saved) {
    dgm_mapper_options *options = &saved->summary->options;
    dgm_status status =
        read_word(saved, "cover", "kind", dgmi_mapper_cover_words(), &options->cover);
    if (status == DGM_OK)
        status = read_word(saved, "cover", "rule", dgmi_mapper_rule_words(), &options->rule);
    if (status == DGM_OK)
        status =
            read_word(saved, "mapper", "cluster", dgmi_mapper_cluster_words(), &options->cluster);
    if (status == DGM_OK)
        status = read_word(saved, "mapper", "edges", dgmi_mapper_edge_words(), &options->edges);
    if (status == DGM_OK)
        status = read_word(saved, "mapper", "strength", dgmi_mapper_strength_words(),
                           &options->strength);
    return status;
}

/* What clusters of points were told. */
static dgm_status read_cluster_keys(const dgmi_archive_saved *saved, const json_t *mapper) {
    dgm_mapper_options *options = &saved->summary->options;
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, mapper, "gap", 1, INT64_MAX,
                                                   options->gap_bins, &options->gap_bins);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, mapper, "reach", 0, INFINITY, 0,
                                         &options->reach);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, mapper, "min_points", 1, INT64_MAX,
                                            options->min_points, &options->min_points);
    if (status == DGM_OK)
        status = read_word(saved, "mapper", "of", dgmi_mapper_space_words(), &options->space);
    if (status == DGM_OK)
        status = read_word(saved, "mapper", "metric", dgmi_mapper_metric_words(), &options->metric);
    if (status == DGM_OK)
        status =
            read_word(saved, "mapper", "weights", dgmi_mapper_weight_words(), &options->weights);
    if (status == DGM_OK)
        status = read_word(saved, "mapper", "pieces", dgmi_mapper_piece_words(), &options->pieces);
    if (isnan(options->reach))
        options->reach = 0;
    return status;
}

static dgm_status read_filters(const dgmi_archive_saved *saved) {
    dgm_mapper_options *options = &saved->summary->options;
    const json_t *mapper = json_object_get(saved->root, "mapper");
    dgm_status status =
        dgmi_archive_saved_real(saved, NULL, 0, mapper, "eps", 0, 1, 0, &options->eps);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, mapper, "min_size", 0, INT64_MAX, 1,
                                            &options->min_size);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, mapper, "min_component", 0, INT64_MAX,
                                            0, &options->min_component);
    if (isnan(options->eps))
        options->eps = 0;
    options->attach = json_is_true(json_object_get(mapper, "attach"));
    return status == DGM_OK ? read_cluster_keys(saved, mapper) : status;
}

/* What a cover was told that finds its cells itself. */
static dgm_status read_keys(const dgmi_archive_saved *saved) {
    dgm_mapper_options *options = &saved->summary->options;
    const json_t *cover = json_object_get(saved->root, "cover");
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, cover, "size", 0, INT64_MAX, 0,
                                                   &options->cell_size);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, cover, "k", 0, INT64_MAX, 0,
                                            &options->landmarks);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, cover, "radius", 0, INFINITY, 0,
                                         &options->radius);
    if (status == DGM_OK)
        status = read_word(saved, "cover", "metric", dgmi_mapper_metric_words(), &options->metric);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, cover, "critical", 0, INFINITY, 10,
                                         &options->critical);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, cover, "most", 1, INT64_MAX, 20,
                                            &options->most);
    if (status == DGM_OK)
        status = read_word(saved, "cover", "of", dgmi_mapper_near_words(), &options->near);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, cover, "beta", 0, 100, options->beta,
                                         &options->beta);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, cover, "subsamples", 1, INT64_MAX, 100,
                                            &options->subsamples);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, cover, "share", 0, 1, options->share,
                                         &options->share);
    if (!(options->share > 0))
        options->share = 0.3;
    if (isnan(options->beta))
        options->beta = 0;
    if (isnan(options->radius))
        options->radius = 0;
    if (isnan(options->critical))
        options->critical = 10;
    if (options->cover == DGM_COVER_CMO)
        options->gain = options->overlap[0];
    return status;
}

/* Lists by axis. Given intervals and the simplex have none to set. */
static dgm_status read_axes(const dgmi_archive_saved *saved) {
    dgm_mapper_options *options = &saved->summary->options;
    const json_t *cover = json_object_get(saved->root, "cover");
    const json_t *intervals = json_object_get(cover, "intervals");
    const json_t *overlap = json_object_get(cover, "overlap");
    size_t axes = json_array_size(intervals), overlaps = json_array_size(overlap);
    if (axes > DGM_MAX_AXES || overlaps > DGM_MAX_AXES)
        return dgmi_archive_saved_fail(saved, NULL, 0, "the cover has more than %d axes",
                                       DGM_MAX_AXES);
    if (options->cover == DGM_COVER_INTERVALS || options->cover == DGM_COVER_SIMPLEX)
        return DGM_OK;
    options->intervals[0] = 0;
    options->overlap[0] = DGM_SAME;
    for (size_t a = 0; a < axes; a++) {
        const json_t *value = json_array_get(intervals, a);
        if (!json_is_integer(value) || json_integer_value(value) < 1)
            return dgmi_archive_saved_fail(saved, "cover.intervals", (int64_t)a,
                                           "is no number of intervals");
        options->intervals[a] = json_integer_value(value);
    }
    for (size_t a = 0; a < overlaps; a++) {
        const json_t *value = json_array_get(overlap, a);
        double number = json_number_value(value);
        if (!json_is_number(value) || !(number >= 0 && number <= 1))
            return dgmi_archive_saved_fail(saved, "cover.overlap", (int64_t)a,
                                           "is no number from 0 to 1");
        options->overlap[a] = number;
    }
    return DGM_OK;
}

/* Null is infinite, since JSON has no infinities. */
static dgm_status read_end(const dgmi_archive_saved *saved, int64_t index, const json_t *value,
                           double infinite, double *out) {
    if (!json_is_number(value) && !json_is_null(value))
        return dgmi_archive_saved_fail(saved, "cover.cells", index, "is no pair of numbers");
    *out = json_is_null(value) ? infinite : json_number_value(value);
    return DGM_OK;
}

static dgm_status read_cells(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    const json_t *cells = json_object_get(json_object_get(saved->root, "cover"), "cells");
    int64_t count = (int64_t)json_array_size(cells);
    if (summary->options.cover != DGM_COVER_INTERVALS && summary->options.cover != DGM_COVER_GMEANS)
        return DGM_OK;
    summary->given = dgmi_alloc(saved->ctx, count, sizeof *summary->given);
    dgm_status status = summary->given ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count && status == DGM_OK; i++) {
        const json_t *cell = json_array_get(cells, (size_t)i);
        status = read_end(saved, i, json_array_get(cell, 0), -INFINITY, &summary->given[i].low);
        if (status == DGM_OK)
            status = read_end(saved, i, json_array_get(cell, 1), INFINITY, &summary->given[i].high);
    }
    summary->options.given = summary->given;
    summary->options.given_count = status == DGM_OK ? count : 0;
    return status;
}

/* ---- the rest ---- */

static dgm_status read_graph(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    const json_t *graph = json_object_get(saved->root, "graph");
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, graph, "nodes", 0, INT64_MAX, 0,
                                                   &summary->nodes);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, graph, "edges", 0, INT64_MAX, 0,
                                            &summary->graph_edges);
    if (status == DGM_OK)
        status = dgmi_mapper_summary_set_text(saved->ctx, summary, &summary->source,
                                              dgmi_archive_saved_text(saved, "graph", "source"));
    return status;
}

typedef struct {
    const char *key;
    int64_t *out;
} numbered;

/* Counts of an object; `missing` where there is none. */
static dgm_status read_numbers(const dgmi_archive_saved *saved, const json_t *object,
                               int64_t missing, const numbered *list, size_t count) {
    dgm_status status = DGM_OK;
    for (size_t i = 0; i < count && status == DGM_OK; i++)
        status = dgmi_archive_saved_integer(saved, NULL, 0, object, list[i].key, 0, INT64_MAX,
                                            missing, list[i].out);
    return status;
}

static dgm_status read_coverage(const dgmi_archive_saved *saved) {
    dgm_summary_coverage *out = &saved->summary->coverage;
    const json_t *coverage = json_object_get(saved->root, "coverage");
    const numbered counts[] = {{"filtered", &out->filtered},
                               {"lost", &out->lost},
                               {"edges", &out->edges},
                               {"edges_inside", &out->edges_inside}};
    const numbered rules[] = {{"cover", &out->filtered_cover},
                              {"noise", &out->filtered_noise},
                              {"min-size", &out->filtered_min_size},
                              {"min-component", &out->filtered_min_component}};
    const numbered attached[] = {{"clusters", &out->attached_clusters},
                                 {"nodes", &out->attached_nodes}};
    const numbered taken[] = {{"taken", &out->taken}};
    const numbered dust[] = {
        {"size", &out->dust_size}, {"clusters", &out->dust_clusters}, {"nodes", &out->dust_nodes}};
    out->nodes = saved->summary->nodes;
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, coverage, "covered", 0,
                                                   out->nodes, out->nodes, &out->covered);
    if (status == DGM_OK)
        status = read_numbers(saved, coverage, 0, counts, sizeof counts / sizeof *counts);
    if (status == DGM_OK)
        status = read_numbers(saved, json_object_get(coverage, "filtered_by"), 0, rules,
                              sizeof rules / sizeof *rules);
    if (status == DGM_OK)
        status = read_numbers(saved, json_object_get(coverage, "attached"), 0, attached,
                              sizeof attached / sizeof *attached);
    if (status == DGM_OK)
        status = read_numbers(saved, coverage, 0, taken, sizeof taken / sizeof *taken);
    if (status == DGM_OK)
        status = read_numbers(saved, json_object_get(coverage, "dust"), 0, dust,
                              sizeof dust / sizeof *dust);
    return status;
}

/* A file of before the bits has none. */
static dgm_status read_bits(const dgmi_archive_saved *saved) {
    dgm_bits *out = &saved->summary->bits;
    const json_t *bits = json_object_get(saved->root, "bits"),
                 *chance = json_object_get(bits, "chance");
    const struct {
        const json_t *object;
        const char *key;
        double *to;
    } numbers[] = {{bits, "whole", &out->whole},
                   {bits, "gained", &out->gained},
                   {bits, "cost", &out->cost},
                   {bits, "told", &out->told},
                   {chance, "saved", &out->chance},
                   {chance, "most", &out->chance_most},
                   {chance, "spread", &out->spread},
                   {chance, "bare", &out->bare},
                   {chance, "bare_most", &out->bare_most},
                   {chance, "bare_spread", &out->bare_spread}};
    dgm_status status =
        dgmi_archive_saved_integer(saved, NULL, 0, bits, "blocks", 0, INT64_MAX, 0, &out->blocks);
    if (status == DGM_OK)
        status =
            dgmi_archive_saved_integer(saved, NULL, 0, chance, "runs", 0, INT64_MAX, 0, &out->runs);
    if (status == DGM_OK)
        status =
            dgmi_archive_saved_integer(saved, NULL, 0, bits, "edges", 0, INT64_MAX, 0, &out->edges);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, bits, "inside", 0, out->edges, 0,
                                            &out->inside);
    if (status == DGM_OK)
        status =
            dgmi_archive_saved_real(saved, NULL, 0, bits, "features", 0, 1, -1, &out->features);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, bits, "features_chance", 0, 1, -1,
                                         &out->features_chance);
    for (size_t i = 0; status == DGM_OK && i < sizeof numbers / sizeof *numbers; i++) {
        status = dgmi_archive_saved_real(saved, NULL, 0, numbers[i].object, numbers[i].key,
                                         -INFINITY, INFINITY, 0, numbers[i].to);
        if (isnan(*numbers[i].to))
            *numbers[i].to = 0;
    }
    out->known = json_is_object(bits);
    return status;
}

static dgm_status read_topology(const dgmi_archive_saved *saved) {
    dgm_summary_topology *out = &saved->summary->topology;
    const json_t *topology = json_object_get(saved->root, "topology");
    const numbered counts[] = {{"b0", &out->b0},
                               {"b1", &out->b1},
                               {"skeleton_loops", &out->skeleton_loops},
                               {"cycle_rank", &out->cycle_rank}};
    out->triangles = -1;
    dgm_status status = read_numbers(saved, topology, -1, counts, sizeof counts / sizeof *counts);
    if (status == DGM_OK && !json_is_null(json_object_get(topology, "triangles")))
        status = dgmi_archive_saved_integer(saved, NULL, 0, topology, "triangles", 0, INT64_MAX, -1,
                                            &out->triangles);
    return status;
}

static dgm_status read_provenance(const dgmi_archive_saved *saved) {
    const json_t *from = json_object_get(saved->root, "provenance");
    const json_t *machine = json_object_get(from, "machine");
    dgm_provenance provenance = {.lens = dgmi_archive_saved_text(saved, "lens", "name"),
                                 .command = dgmi_archive_saved_text(saved, "provenance", "command"),
                                 .kernels = json_string_value(json_object_get(machine, "kernels")),
                                 .blas = json_string_value(json_object_get(machine, "blas")),
                                 .version = json_string_value(json_object_get(from, "version"))};
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, from, "seed", INT64_MIN,
                                                   INT64_MAX, 1, &provenance.seed);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(saved->ctx, saved->summary, &provenance);
    saved->summary->options.seed = provenance.seed;
    return status;
}

dgm_status dgmi_archive_saved_origin(const dgmi_archive_saved *saved) {
    dgm_status status = read_graph(saved);
    if (status == DGM_OK)
        status = read_coverage(saved);
    if (status == DGM_OK)
        status = read_provenance(saved);
    if (status == DGM_OK)
        status = read_words(saved);
    if (status == DGM_OK)
        status = read_axes(saved);
    if (status == DGM_OK)
        status = read_keys(saved);
    if (status == DGM_OK)
        status = read_filters(saved);
    if (status == DGM_OK)
        status = read_cells(saved);
    if (status == DGM_OK)
        status = read_topology(saved);
    return status == DGM_OK ? read_bits(saved) : status;
}
