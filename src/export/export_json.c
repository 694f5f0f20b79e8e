/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary as JSON, with one cluster and one edge per line. Numbers have the shortest form
 * that reads back exactly.
 *
 * These keys are written only if there is something to say:
 *   "classes"             the names of the classes of labels and predictions, in their order
 *   "layout"              {"kind": "stress", "seed": 1} says how the clusters were placed; with
 *                         "dust": 5, that dust of fewer than 5 nodes was folded: the clusters of
 *                         one mark have one place and radius;
 *                         {"kind": "none", "operations": 4e8, "budget": 2e8} says that they were
 *                         not, since it would have cost more than the summary did
 *   lens                  "transforms" and "errors" of each axis
 *   cover                 "cells" of given intervals
 *   "mapper"              how clusters and edges were made
 *   nodes "x" "y" "radius"     the place in a drawing, y upwards
 *         "labels"             the number of members of each class
 *         "taken"              the members that were taken across an edge to join pieces
 *         "weights"            how much each of the members belongs to the cluster, if weights were
 *                              asked for
 *         "predictions"        the number of members of each predicted class
 *         "judged" "mistakes"  the number of members with a label and a prediction, and of those
 *                              whose label and prediction differ
 *         "confused"           the most frequent kinds of mistakes:
 *                              [{"label", "prediction", "nodes"}, ...]
 *         "top"                members that stand out, if there are more than three: those with the
 *                              highest values of a lens of one axis, those with the most neighbours
 *         "outward"            the share of the edges of the members that lead out of the cluster
 *         "entropy"            the mean entropy of the predicted probabilities, from 0 to 1
 *         "attributes"         the mean of each numeric attribute, and how many members have each
 *                              text (of attributes with at most 64 different texts)
 *   coverage              "edges"; "taken", how often a node was taken across an edge to join
 *                         pieces; "attached" and "dust" with "clusters" and "nodes", the latter also
 *                         with the "size" below which clusters may be dust. With labels and
 *                         predictions also "judged" and "mistakes" (nodes in clusters, each once), "judged_left_out" and "mistakes_left_out" (nodes
 *                         in none), and the same four "by_split" for "train", "val", "test", "rest"
 *   topology              "triangles" and "cycle_rank"
 *   "bits"                what the summary explains of the graph, in bits for each of its "edges", of
 *                         which so many are "inside" one cluster, each node in its largest: "whole"
 *                         of the edge, "gained" by the "blocks", their "cost" (of this "told": who is
 *                         in which block), and what is "saved"; with "chance", what the same settings
 *                         save in "runs" graphs rewired at random (the mean, the "most" and the
 *                         "spread"; "bare": without what is "told"), and the "verdict"; "features",
 *                         the share of the variance of features between blocks, and
 *                         "features_chance", with shuffled ones
 *   "pooling"             in place of "cover" and "mapper", if the clusters are those of a pooling
 *                         (pool_summary.c): its operator, its losses, and the row of S of each node
 *   provenance            "machine": {"kernels": "avx512", "blas": "OpenBLAS 0.3.21 SkylakeX"}, if
 *                         a network, eigenvectors or a reduction used them
 */
#include "export_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "mapper_summary.h"
#include "mapper_words.h"

#define NAMES(table) (sizeof(table) / sizeof *(table))

const char *const dgmi_export_layouts[4] = {"stress", "lens", "circular", "grid"};

/* ---- pieces ---- */

static void put(dgmi_export *job, const char *text) {
    dgmi_text_string(&job->text, text);
}

static void put_string(dgmi_export *job, const char *key, const char *value) {
    put(job, key);
    dgmi_export_json_text(job, value, strlen(value));
}

static void put_integer(dgmi_export *job, const char *key, int64_t value) {
    put(job, key);
    dgmi_text_integer(&job->text, value);
}

/* JSON has no infinities, and readers take "-0" for the whole number 0: adding 0 makes it one. */
static void put_real(dgmi_export *job, const char *key, double value) {
    put(job, key);
    if (isfinite(value))
        dgmi_text_real(&job->text, value + 0.0);
    else
        put(job, "null");
}

static const char *comma(int64_t index) {
    return index ? ", " : "";
}

/* ---- sections ---- */

static void put_graph(dgmi_export *job) {
    dgm_summary_graph graph = dgm_summary_get_graph(job->summary);
    put_integer(job, "\n \"graph\": {\"nodes\": ", graph.nodes);
    put_integer(job, ", \"edges\": ", graph.edges);
    put_string(job, ", \"source\": ", graph.source);
    put(job, "}");
}

/* Only where some axis is transformed. */
static void put_transforms(dgmi_export *job) {
    bool any = false;
    for (int64_t c = 0; c < job->clusters.dimension; c++)
        any = any || strcmp(dgm_summary_axis_transform(job->summary, c), "none") != 0;
    if (!any)
        return;
    put(job, ", \"transforms\": [");
    for (int64_t c = 0; c < job->clusters.dimension; c++)
        put_string(job, comma(c), dgm_summary_axis_transform(job->summary, c));
    put(job, "]");
}

/* Only where some axis is estimated; null: this axis is exact. */
static void put_errors(dgmi_export *job) {
    bool any = false;
    for (int64_t c = 0; c < job->clusters.dimension; c++)
        any = any || !isnan(dgm_summary_axis_error(job->summary, c));
    if (!any)
        return;
    put(job, ", \"errors\": [");
    for (int64_t c = 0; c < job->clusters.dimension; c++)
        put_real(job, comma(c), dgm_summary_axis_error(job->summary, c));
    put(job, "]");
}

static void put_lens(dgmi_export *job) {
    int64_t dimension = job->clusters.dimension;
    put_string(job, ",\n \"lens\": {\"name\": ", job->provenance.lens);
    put_integer(job, ", \"dim\": ", dimension);
    put(job, ", \"axes\": [");
    for (int64_t c = 0; c < dimension; c++)
        put_string(job, comma(c), dgm_summary_axis_name(job->summary, c));
    for (int end = 0; end < 2; end++) {
        put(job, end ? "], \"max\": [" : "], \"min\": [");
        for (int64_t c = 0; c < dimension; c++) {
            double range[2];
            dgm_summary_lens_range(job->summary, c, &range[0], &range[1]);
            put_real(job, comma(c), range[end]);
        }
    }
    put(job, "]");
    put_transforms(job);
    put_errors(job);
    put(job, "}");
}

static void put_axes(dgmi_export *job, const dgmi_mapper_words *words) {
    put(job, ", \"intervals\": [");
    for (int64_t a = 0; a < words->axes; a++)
        put_integer(job, comma(a), words->intervals[a]);
    put(job, "], \"overlap\": [");
    for (int64_t a = 0; a < words->overlaps; a++)
        put_real(job, comma(a), words->overlap[a]);
    put(job, "]");
}

static void put_cells(dgmi_export *job, const dgm_mapper_options *options) {
    put(job, ", \"cells\": [");
    for (int64_t i = 0; i < options->given_count && dgmi_export_step(job); i++) {
        put_real(job, i ? ", [" : "[", options->given[i].low);
        put_real(job, ", ", options->given[i].high);
        put(job, "]");
    }
    put(job, "]");
}

/* What a cover was told that finds its cells itself. */
static void put_keys(dgmi_export *job, const dgm_mapper_options *options) {
    if (options->cover == DGM_COVER_ADAPTIVE)
        put_integer(job, ", \"size\": ", options->cell_size);
    if (options->cover == DGM_COVER_GMEANS) {
        put_real(job, ", \"critical\": ", options->critical);
        put_integer(job, ", \"most\": ", options->most);
    }
    if (options->cover == DGM_COVER_CMO && options->near != DGM_NEAR_EDGES) {
        put_string(job, ", \"of\": ", dgmi_mapper_near_words()[options->near]);
        put_real(job, ", \"beta\": ", options->beta);
        put_integer(job, ", \"subsamples\": ", options->subsamples);
        put_string(job, ", \"metric\": ", dgmi_mapper_metric_words()[options->metric]);
    }
    if (options->cover == DGM_COVER_PARTS)
        put_real(job, ", \"share\": ", options->share);
    if (options->cover == DGM_COVER_BALLS)
        put_real(job, ", \"radius\": ", options->radius);
    if (options->cover == DGM_COVER_LANDMARKS)
        put_integer(job, ", \"k\": ", options->landmarks);
    if (dgmi_mapper_cover_has_metric(options->cover))
        put_string(job, ", \"metric\": ", dgmi_mapper_metric_words()[options->metric]);
}

static void put_cover(dgmi_export *job, const dgmi_mapper_words *words) {
    const dgm_mapper_options *options = dgm_summary_options(job->summary);
    put_string(job, ",\n \"cover\": {\"kind\": ", words->cover);
    put_axes(job, words);
    put_string(job, ", \"rule\": ", words->rule);
    if (options->cover == DGM_COVER_INTERVALS || options->cover == DGM_COVER_GMEANS)
        put_cells(job, options);
    put_keys(job, options);
    put(job, "}");
}

/* What clusters of points were told. */
static void put_cluster_keys(dgmi_export *job, const dgm_mapper_options *options) {
    if (options->cluster == DGM_CLUSTER_SINGLE)
        put_integer(job, ", \"gap\": ", options->gap_bins);
    if (options->cluster == DGM_CLUSTER_DBSCAN) {
        put_real(job, ", \"reach\": ", options->reach);
        put_integer(job, ", \"min_points\": ", options->min_points);
    }
    if (!dgmi_mapper_cluster_has_metric(options->cluster))
        return;
    put_string(job, ", \"of\": ", dgmi_mapper_space_words()[options->space]);
    put_string(job, ", \"metric\": ", dgmi_mapper_metric_words()[options->metric]);
}

static void put_mapper(dgmi_export *job, const dgmi_mapper_words *words) {
    const dgm_mapper_options *options = dgm_summary_options(job->summary);
    put_string(job, ",\n \"mapper\": {\"cluster\": ", words->cluster);
    put_string(job, ", \"edges\": ", words->edges);
    put_string(job, ", \"strength\": ", words->strength);
    put_real(job, ", \"eps\": ", options->eps);
    put_integer(job, ", \"min_size\": ", options->min_size);
    put_integer(job, ", \"min_component\": ", options->min_component);
    if (options->attach)
        put(job, ", \"attach\": true");
    if (options->pieces != DGM_PIECES_APART)
        put_string(job, ", \"pieces\": ", dgmi_mapper_piece_words()[options->pieces]);
    put_cluster_keys(job, options);
    if (options->weights != DGM_WEIGHTS_NONE)
        put_string(job, ", \"weights\": ", dgmi_mapper_weight_words()[options->weights]);
    put(job, "}");
}

static void put_class_names(dgmi_export *job) {
    if (job->profile->classes == 0)
        return;
    put(job, ",\n \"classes\": [");
    for (int32_t c = 0; c < job->profile->classes && dgmi_export_step(job); c++)
        put_string(job, comma(c), job->profile->class_names[c]);
    put(job, "]");
}

static void put_layout(dgmi_export *job) {
    const dgm_places *places = &job->places;
    if (!places->x && places->operations > 0) {
        put_real(job, ",\n \"layout\": {\"kind\": \"none\", \"operations\": ", places->operations);
        put_real(job, ", \"budget\": ", places->budget);
        put(job, "}");
    }
    if (!places->x || places->layout < 0)
        return;
    put_string(job, ",\n \"layout\": {\"kind\": ", dgmi_export_layouts[places->layout]);
    put_integer(job, ", \"seed\": ", places->seed);
    if (places->dust > 0)
        put_integer(job, ", \"dust\": ", places->dust);
    put(job, "}");
}

static void put_place(dgmi_export *job, int64_t cluster) {
    if (!job->places.x)
        return;
    put_real(job, ", \"x\": ", job->places.x[cluster]);
    put_real(job, ", \"y\": ", job->places.y[cluster]);
    put_real(job, ", \"radius\": ", job->places.radius[cluster]);
}

/* `key` is the text up to the bracket. */
static void put_counts(dgmi_export *job, const char *key, const dgmi_mapper_counts *counts,
                       char *const *names, int64_t cluster) {
    if (!counts->offsets)
        return;
    put(job, key);
    for (int64_t i = counts->offsets[cluster]; i < counts->offsets[cluster + 1]; i++) {
        put_string(job, comma(i - counts->offsets[cluster]), names[counts->values[i]]);
        put_integer(job, ": ", counts->counts[i]);
    }
    put(job, "}");
}

static void put_classes(dgmi_export *job, int64_t cluster) {
    const dgm_profile *profile = job->profile;
    put_counts(job, ", \"labels\": {", &profile->labels, profile->class_names, cluster);
    put_counts(job, ", \"predictions\": {", &profile->predictions, profile->class_names, cluster);
    if (profile->judged)
        put_integer(job, ", \"judged\": ", profile->judged[cluster]);
    if (profile->mistakes)
        put_integer(job, ", \"mistakes\": ", profile->mistakes[cluster]);
    if (profile->outward)
        put_real(job, ", \"outward\": ", profile->outward[cluster]);
    if (profile->entropy && !profile->entropy_of_labels)
        put_real(job, ", \"entropy\": ", profile->entropy[cluster]);
}

static void put_mixups(dgmi_export *job, int64_t cluster) {
    const dgm_profile *profile = job->profile;
    if (!profile->mixup_offsets || profile->mistakes[cluster] == 0)
        return;
    put(job, ", \"confused\": [");
    for (int64_t i = profile->mixup_offsets[cluster]; i < profile->mixup_offsets[cluster + 1];
         i++) {
        put(job, comma(i - profile->mixup_offsets[cluster]));
        put_string(job, "{\"label\": ", profile->class_names[profile->mixups[i].label]);
        put_string(job, ", \"prediction\": ", profile->class_names[profile->mixups[i].prediction]);
        put_integer(job, ", \"nodes\": ", profile->mixups[i].count);
        put(job, "}");
    }
    put(job, "]");
}

/* `key` is the text up to the bracket. */
static void put_tops(dgmi_export *job, const char *key, const dgmi_mapper_tops *tops,
                     int64_t cluster) {
    put(job, key);
    for (int64_t i = tops->offsets[cluster]; i < tops->offsets[cluster + 1]; i++)
        put_string(job, comma(i - tops->offsets[cluster]), dgmi_mapper_tops_name(tops, i));
    put(job, "]");
}

static void put_standing_out(dgmi_export *job, int64_t cluster) {
    const dgm_profile *profile = job->profile;
    if (!profile->hubs.offsets || dgmi_export_size(job, cluster) <= DGM_PROFILE_TOPS)
        return;
    put(job, ", \"top\": {");
    if (profile->peaks.offsets)
        put_tops(job, "\"lens\": [", &profile->peaks, cluster);
    put_tops(job, profile->peaks.offsets ? ", \"neighbours\": [" : "\"neighbours\": [",
             &profile->hubs, cluster);
    put(job, "}");
}

static void put_attributes(dgmi_export *job, int64_t cluster) {
    if (job->profile->attribute_count == 0)
        return;
    put(job, ", \"attributes\": {");
    for (int64_t a = 0; a < job->profile->attribute_count && dgmi_export_step(job); a++) {
        const dgmi_mapper_profile_attribute *attribute = &job->profile->attributes[a];
        put_string(job, comma(a), attribute->name);
        if (attribute->kind == DGM_ATTRIBUTE_NUMBER)
            put_real(job, ": ", attribute->means[cluster]);
        else
            put_counts(job, ": {", &attribute->counts, attribute->texts, cluster);
    }
    put(job, "}");
}

static void put_member(dgmi_export *job, int64_t index) {
    size_t length;
    const char *name = dgm_summary_member_name(job->summary, index, &length);
    if (!name)
        name = dgm_graph_name_text(job->graph, job->clusters.members[index], &length);
    if (name) {
        dgmi_export_json_text(job, name, length);
        return;
    }
    put_integer(job, "\"", job->clusters.members[index] + dgm_graph_name_base(job->graph));
    put(job, "\"");
}

static void put_members(dgmi_export *job, int64_t cluster) {
    const int64_t *offsets = job->clusters.offsets;
    size_t length;
    if (!job->clusters.members && !dgm_summary_member_name(job->summary, 0, &length))
        return;
    put(job, ", \"members\": [");
    for (int64_t i = offsets[cluster]; i < offsets[cluster + 1] && dgmi_export_step(job); i++) {
        put(job, comma(i - offsets[cluster]));
        put_member(job, i);
    }
    put(job, "]");
}

/* The members that were taken across an edge to join pieces. Clusters are written in their order. */
static void put_taken(dgmi_export *job, int64_t cluster) {
    const dgm_summary *summary = job->summary;
    int64_t first = job->taken, end = job->clusters.offsets[cluster + 1];
    for (; job->taken < summary->taken_count && summary->taken[job->taken] < end; job->taken++) {
        put(job, job->taken == first ? ", \"taken\": [" : ", ");
        put_member(job, summary->taken[job->taken]);
    }
    put(job, job->taken > first ? "]" : "");
}

/* How much each of the members belongs to the cluster. */
static void put_weights(dgmi_export *job, int64_t cluster) {
    const int64_t *offsets = job->clusters.offsets;
    const double *weights = dgm_summary_weights(job->summary);
    if (!weights)
        return;
    put(job, ", \"weights\": [");
    for (int64_t i = offsets[cluster]; i < offsets[cluster + 1] && dgmi_export_step(job); i++)
        put_real(job, comma(i - offsets[cluster]), weights[i]);
    put(job, "]");
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    const dgm_summary_clusters *clusters = &job->clusters;
    put_integer(job, cluster ? ",\n  {\"id\": " : "\n  {\"id\": ", cluster);
    put(job, ", \"cell\": [");
    for (int64_t a = 0; a < clusters->axes; a++)
        put_integer(job, comma(a), clusters->cells[cluster * clusters->axes + a]);
    put_integer(job, "], \"size\": ", dgmi_export_size(job, cluster));
    put_string(job, ", \"name\": ", dgmi_export_called(job, cluster));
    put(job, ", \"lens\": [");
    for (int64_t c = 0; c < clusters->dimension; c++)
        put_real(job, comma(c), clusters->lens[cluster * clusters->dimension + c]);
    put(job, "]");
    put_place(job, cluster);
    put_classes(job, cluster);
    put_mixups(job, cluster);
    put_attributes(job, cluster);
    put_standing_out(job, cluster);
    put_members(job, cluster);
    put_taken(job, cluster);
    put_weights(job, cluster);
    put(job, "}");
}

static void put_edge(dgmi_export *job, int64_t index) {
    const dgm_summary_edge *edge = &job->edges[index];
    put_integer(job, index ? ",\n  {\"source\": " : "\n  {\"source\": ", edge->source);
    put_integer(job, ", \"target\": ", edge->target);
    if (edge->shared >= 0)
        put_integer(job, ", \"shared\": ", edge->shared);
    if (edge->links >= 0)
        put_integer(job, ", \"links\": ", edge->links);
    put_real(job, ", \"weight\": ", edge->weight);
    put(job, "}");
}

/* Only the rules that filtered something are named. */
static void put_filtered_by(dgmi_export *job, const dgm_summary_coverage *coverage) {
    const struct {
        const char *key;
        int64_t count;
    } rules[] = {{"\"cover\": ", coverage->filtered_cover},
                 {"\"noise\": ", coverage->filtered_noise},
                 {"\"min-size\": ", coverage->filtered_min_size},
                 {"\"min-component\": ", coverage->filtered_min_component}};
    int64_t named = 0;
    put(job, ", \"filtered_by\": {");
    for (size_t r = 0; r < NAMES(rules); r++) {
        if (rules[r].count == 0)
            continue;
        put(job, comma(named++));
        put_integer(job, rules[r].key, rules[r].count);
    }
    put(job, "}");
}

/* Nodes with a label and a prediction, and mistakes among them: of covered nodes and of others. */
static void put_judged(dgmi_export *job, const char *before, dgm_judged covered,
                       dgm_judged left_out) {
    put(job, before);
    put_integer(job, "\"judged\": ", covered.judged);
    put_integer(job, ", \"judged_left_out\": ", left_out.judged);
    put_integer(job, ", \"mistakes\": ", covered.mistakes);
    put_integer(job, ", \"mistakes_left_out\": ", left_out.mistakes);
}

static void put_mistakes(dgmi_export *job, const dgm_summary_mistakes *ledger) {
    static const dgm_split order[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_VALIDATION, DGM_SPLIT_TEST,
                                      DGM_SPLIT_NONE};
    int64_t named = 0;
    if (!ledger->known)
        return;
    put_judged(job, ", ", dgm_judged_sum(ledger->covered), dgm_judged_sum(ledger->left_out));
    if (!ledger->split)
        return;
    put(job, ", \"by_split\": {");
    for (size_t i = 0; i < NAMES(order); i++) {
        dgm_judged covered = ledger->covered[order[i]], left_out = ledger->left_out[order[i]];
        if (covered.judged + left_out.judged == 0)
            continue;
        put(job, comma(named++));
        put_string(job, "", dgm_split_names()[order[i]]);
        put_judged(job, ": {", covered, left_out);
        put(job, "}");
    }
    put(job, "}");
}

/* Clusters and their nodes, and below which size they are (0: not said), if there are any. */
static void put_counted(dgmi_export *job, const char *before, int64_t size, int64_t clusters,
                        int64_t nodes) {
    if (clusters == 0)
        return;
    put(job, before);
    if (size > 0)
        put_integer(job, "\"size\": ", size);
    put_integer(job, size > 0 ? ", \"clusters\": " : "\"clusters\": ", clusters);
    put_integer(job, ", \"nodes\": ", nodes);
    put(job, "}");
}

static void put_coverage(dgmi_export *job) {
    dgm_summary_coverage coverage = dgm_summary_get_coverage(job->summary);
    put_integer(job, ",\n \"coverage\": {\"nodes\": ", coverage.nodes);
    put_integer(job, ", \"covered\": ", coverage.covered);
    put_integer(job, ", \"filtered\": ", coverage.filtered);
    put_filtered_by(job, &coverage);
    put_integer(job, ", \"lost\": ", coverage.lost);
    put_integer(job, ", \"edges\": ", coverage.edges);
    put_integer(job, ", \"edges_inside\": ", coverage.edges_inside);
    if (coverage.taken > 0)
        put_integer(job, ", \"taken\": ", coverage.taken);
    put_counted(job, ", \"attached\": {", 0, coverage.attached_clusters, coverage.attached_nodes);
    put_counted(job, ", \"dust\": {", coverage.dust_size, coverage.dust_clusters,
                coverage.dust_nodes);
    put_mistakes(job, &job->profile->ledger);
    put(job, "}");
}

/* A file of another program may have some counts and not others. */
static void put_known(dgmi_export *job, const char *key, int64_t count) {
    if (count >= 0)
        put_integer(job, key, count);
}

static void put_topology(dgmi_export *job) {
    dgm_summary_topology topology = dgm_summary_get_topology(job->summary);
    if (topology.b0 < 0)
        return;
    put_integer(job, ",\n \"topology\": {\"b0\": ", topology.b0);
    put_known(job, ", \"b1\": ", topology.b1);
    put_known(job, ", \"skeleton_loops\": ", topology.skeleton_loops);
    if (topology.triangles < 0)
        put(job, ", \"triangles\": null");
    else
        put_integer(job, ", \"triangles\": ", topology.triangles);
    put_known(job, ", \"cycle_rank\": ", topology.cycle_rank);
    put(job, "}");
}

static void put_bits(dgmi_export *job) {
    dgm_bits bits = dgm_summary_get_bits(job->summary);
    if (!bits.known)
        return;
    put_integer(job, ",\n \"bits\": {\"blocks\": ", bits.blocks);
    put_integer(job, ", \"edges\": ", bits.edges);
    put_integer(job, ", \"inside\": ", bits.inside);
    put_real(job, ", \"whole\": ", bits.whole);
    put_real(job, ", \"gained\": ", bits.gained);
    put_real(job, ", \"cost\": ", bits.cost);
    put_real(job, ", \"told\": ", bits.told);
    put_real(job, ", \"saved\": ", bits.gained - bits.cost);
    if (bits.features >= 0)
        put_real(job, ", \"features\": ", bits.features);
    if (bits.features_chance >= 0)
        put_real(job, ", \"features_chance\": ", bits.features_chance);
    if (bits.runs > 0) {
        put_integer(job, ", \"chance\": {\"runs\": ", bits.runs);
        put_real(job, ", \"saved\": ", bits.chance);
        put_real(job, ", \"most\": ", bits.chance_most);
        put_real(job, ", \"spread\": ", bits.spread);
        put_real(job, ", \"bare\": ", bits.bare);
        put_real(job, ", \"bare_most\": ", bits.bare_most);
        put_real(job, ", \"bare_spread\": ", bits.bare_spread);
        put_string(job, "}, \"verdict\": ", dgm_finding_names()[dgm_bits_finding(&bits)]);
    }
    put(job, "}");
}

static void put_provenance(dgmi_export *job) {
    const char *version = job->provenance.version;
    put_string(job, ",\n \"provenance\": {\"version\": ", version ? version : dgm_version());
    put_integer(job, ", \"seed\": ", job->provenance.seed);
    put_string(job, ", \"command\": ", job->provenance.command);
    if (job->provenance.kernels && job->provenance.blas) {
        put_string(job, ", \"machine\": {\"kernels\": ", job->provenance.kernels);
        put_string(job, ", \"blas\": ", job->provenance.blas);
        put(job, "}");
    }
    put(job, "}");
}

void dgmi_export_json(dgmi_export *job) {
    dgmi_mapper_words words;
    if (!dgmi_export_knows_names(job) || !dgmi_export_call(job))
        return;
    dgmi_mapper_words_of(dgm_summary_options(job->summary), job->clusters.dimension, &words);
    put(job, "{\"format\": \"dgm-summary\", \"version\": 1,");
    put_graph(job);
    put_lens(job);
    if (!dgm_summary_pooling(job->summary)) {
        put_cover(job, &words);
        put_mapper(job, &words);
    }
    put_class_names(job);
    put_layout(job);
    put(job, ",\n \"nodes\": [");
    job->taken = 0;
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
    put(job, "],\n \"edges\": [");
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++)
        put_edge(job, e);
    put(job, "]");
    put_coverage(job);
    put_topology(job);
    put_bits(job);
    if (dgm_summary_pooling(job->summary)) {
        put(job, ",\n \"pooling\": ");
        put(job, dgm_summary_pooling(job->summary));
    }
    put_provenance(job);
    put(job, "}\n");
}
