/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as one JSON object. */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "mapper_words.h"
#include "pipeline_sweep.h"

static void put_string(dgmi_text *text, const char *key, const char *value) {
    dgmi_text_string(text, key);
    dgmi_text_string(text, "\"");
    dgmi_escape_json(text, value, strlen(value));
    dgmi_text_string(text, "\"");
}

static void put_integer(dgmi_text *text, const char *key, int64_t value) {
    dgmi_text_string(text, key);
    dgmi_text_integer(text, value);
}

static void put_real(dgmi_text *text, const char *key, double value) {
    dgmi_text_string(text, key);
    dgmi_text_real(text, value);
}

static const char *comma(int64_t index) {
    return index ? ", " : "";
}

/* Clusters and their nodes as "coverage" of a summary has them, if there are any. */
static void put_counted(dgmi_text *text, const char *key, int64_t size, int64_t clusters,
                        int64_t nodes) {
    if (clusters == 0)
        return;
    dgmi_text_string(text, key);
    if (size > 0)
        put_integer(text, "{\"size\": ", size);
    put_integer(text, size > 0 ? ", \"clusters\": " : "{\"clusters\": ", clusters);
    put_integer(text, ", \"nodes\": ", nodes);
    dgmi_text_string(text, "}");
}

/* As "coverage" of a summary has them, all parts of the split together. */
static void put_mistakes(dgmi_text *text, const dgm_summary *summary, const dgm_sweep *sweep) {
    dgm_summary_mistakes mistakes;
    dgm_status status =
        dgm_summary_count_mistakes(text->ctx, summary, sweep->graph, sweep->predictions, &mistakes);
    if (status != DGM_OK)
        text->status = status;
    if (status != DGM_OK || !mistakes.known)
        return;
    dgm_judged covered = dgm_judged_sum(mistakes.covered);
    dgm_judged left_out = dgm_judged_sum(mistakes.left_out);
    put_integer(text, ", \"judged\": ", covered.judged);
    put_integer(text, ", \"judged_left_out\": ", left_out.judged);
    put_integer(text, ", \"mistakes\": ", covered.mistakes);
    put_integer(text, ", \"mistakes_left_out\": ", left_out.mistakes);
}

static void put_panel(dgmi_text *text, const dgm_sweep *sweep, int64_t index) {
    const dgm_sweep_panel *panel = &sweep->panels[index];
    dgm_summary_topology topology = dgm_summary_get_topology(panel->summary);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(panel->summary);
    int64_t edges;
    dgm_summary_edges(panel->summary, &edges);
    put_integer(text, index ? ",\n  {\"id\": " : "\n  {\"id\": ", index);
    put_integer(text, ", \"intervals\": ", panel->intervals);
    put_real(text, ", \"overlap\": ", panel->overlap);
    put_integer(text, ", \"clusters\": ", dgm_summary_get_clusters(panel->summary).count);
    put_integer(text, ", \"edges\": ", edges);
    put_integer(text, ", \"b0\": ", topology.b0);
    put_integer(text, ", \"b1\": ", topology.b1);
    put_integer(text, ", \"cycle_rank\": ", topology.cycle_rank);
    put_integer(text, ", \"coverage\": {\"nodes\": ", coverage.nodes);
    put_integer(text, ", \"covered\": ", coverage.covered);
    put_integer(text, ", \"filtered\": ", coverage.filtered);
    put_integer(text, ", \"edges\": ", coverage.edges);
    put_integer(text, ", \"edges_inside\": ", coverage.edges_inside);
    if (coverage.taken > 0)
        put_integer(text, ", \"taken\": ", coverage.taken);
    put_counted(text, ", \"attached\": ", 0, coverage.attached_clusters, coverage.attached_nodes);
    put_counted(text, ", \"dust\": ", coverage.dust_size, coverage.dust_clusters,
                coverage.dust_nodes);
    put_mistakes(text, panel->summary, sweep);
    dgmi_text_string(text, "}}");
}

/* Cluster -> parent, and parent -> children. */
static void put_step(dgmi_text *text, const dgm_sweep_step *step, bool first) {
    const dgm_step *map = &step->map;
    bool matching = map->kind == DGM_STEP_MATCHING;
    put_integer(text, first ? "\n  {\"from\": " : ",\n  {\"from\": ", step->from);
    put_integer(text, ", \"to\": ", step->to);
    put_string(text, ", \"kind\": ", matching ? "matching" : "refinement");
    dgmi_text_string(text, ",\n   \"map\": [");
    for (int64_t c = 0; c < map->fine; c++) {
        if (map->parent[c] == DGM_NO_PARENT) {
            dgmi_text_string(text, comma(c));
            dgmi_text_string(text, "null");
        } else {
            put_integer(text, comma(c), map->parent[c]);
        }
    }
    dgmi_text_string(text, "],\n   \"children\": [");
    for (int64_t k = 0; k < map->coarse; k++) {
        dgmi_text_string(text, k ? ", [" : "[");
        for (int64_t i = map->offsets[k]; i < map->offsets[k + 1]; i++)
            put_integer(text, comma(i - map->offsets[k]), map->children[i]);
        dgmi_text_string(text, "]");
    }
    if (matching) /* of a refinement all are 1 */
        dgmi_text_string(text, "],\n   \"share\": [");
    for (int64_t c = 0; matching && c < map->fine; c++)
        put_real(text, comma(c), map->share[c]);
    dgmi_text_string(text, "]}");
}

static void put_tower(dgmi_text *text, const dgm_sweep_tower *tower, bool first) {
    dgmi_text_string(text, first ? "\n  {\"panels\": [" : ",\n  {\"panels\": [");
    for (int64_t i = 0; i < tower->count; i++)
        put_integer(text, comma(i), tower->panels[i]);
    dgmi_text_string(text, tower->loops_known ? "], \"loops_known\": true, \"bars\": ["
                                              : "], \"loops_known\": false, \"bars\": [");
    for (int64_t b = 0; b < tower->bar_count; b++) {
        const dgm_bar *bar = &tower->bars[b];
        put_integer(text, b ? ",\n   {\"dimension\": " : "\n   {\"dimension\": ", bar->dimension);
        put_integer(text, ", \"birth\": ", tower->panels[bar->birth]);
        if (bar->death < 0)
            dgmi_text_string(text, ", \"death\": null}");
        else {
            put_integer(text, ", \"death\": ", tower->panels[bar->death]);
            dgmi_text_string(text, "}");
        }
    }
    dgmi_text_string(text, "]}");
}

static void put_pair(dgmi_text *text, const dgm_sweep *sweep, int64_t index) {
    const dgm_sweep_pair *pair = &sweep->pairs[index];
    char buffer[32];
    put_string(text, index ? ",\n  {\"classes\": [" : "\n  {\"classes\": [",
               dgmi_pipeline_sweep_class(sweep, pair->low, buffer));
    put_string(text, ", ", dgmi_pipeline_sweep_class(sweep, pair->high, buffer));
    dgmi_text_string(text, "], \"edges\": [");
    for (int64_t i = 0; i < sweep->panel_count; i++)
        put_integer(text, comma(i), pair->edges[i]);
    put_integer(text, "], \"joined\": ", pair->joined);
    dgmi_text_string(text, "}");
}

static void put_lens(dgmi_text *text, const dgm_sweep *sweep) {
    const dgm_summary *summary = sweep->summaries[0]; /* all panels have the same lens */
    int64_t axes = dgm_summary_get_clusters(summary).dimension;
    put_string(text, "},\n \"lens\": {\"name\": ", sweep->lens_name);
    dgmi_text_string(text, ", \"axes\": [");
    for (int64_t a = 0; a < axes; a++)
        put_string(text, comma(a), dgm_summary_axis_name(summary, a));
    dgmi_text_string(text, "], \"transforms\": [");
    for (int64_t a = 0; a < axes; a++)
        put_string(text, comma(a), dgm_summary_axis_transform(summary, a));
    dgmi_text_string(text, "]}");
}

/* What panels have in common: all but intervals and overlap. */
static void put_mapper(dgmi_text *text, const dgm_sweep *sweep) {
    const dgm_mapper_options *options = dgm_summary_options(sweep->summaries[0]);
    dgmi_mapper_words words;
    dgmi_mapper_words_of(options, 1, &words);
    put_string(text, ",\n \"cover\": {\"kind\": ", words.cover);
    put_string(text, ", \"rule\": ", words.rule);
    put_string(text, "},\n \"mapper\": {\"cluster\": ", words.cluster);
    put_string(text, ", \"edges\": ", words.edges);
    put_string(text, ", \"strength\": ", words.strength);
    put_real(text, ", \"eps\": ", options->eps);
    put_integer(text, ", \"min_size\": ", options->min_size);
    put_integer(text, ", \"min_component\": ", options->min_component);
    dgmi_text_string(text, options->attach ? ", \"attach\": true" : "");
    if (options->pieces != DGM_PIECES_APART)
        put_string(text, ", \"pieces\": ", dgmi_mapper_piece_words()[options->pieces]);
    dgmi_text_string(text, "}");
}

static void put_sweep(dgmi_text *text, const dgm_sweep *sweep) {
    put_integer(text, "{\"format\": \"dgm-sweep\", \"version\": 1,\n \"graph\": {\"nodes\": ",
                dgm_graph_nodes(sweep->graph));
    put_integer(text, ", \"edges\": ", dgm_graph_edges(sweep->graph));
    put_string(text, ", \"source\": ", dgm_graph_source(sweep->graph));
    put_lens(text, sweep);
    put_mapper(text, sweep);
    dgmi_text_string(text, ",\n \"panels\": [");
    for (int64_t i = 0; i < sweep->panel_count; i++)
        put_panel(text, sweep, i);
    dgmi_text_string(text, "],\n \"steps\": [");
    for (int64_t i = 0; i < sweep->step_count; i++)
        put_step(text, &sweep->steps[i], i == 0);
    dgmi_text_string(text, "],\n \"towers\": [");
    for (int64_t i = 0; i < sweep->tower_count; i++)
        put_tower(text, &sweep->towers[i], i == 0);
    dgmi_text_string(text, "],\n \"class_pairs\": [");
    for (int64_t i = 0; i < sweep->pair_count; i++)
        put_pair(text, sweep, i);
    put_string(text, "],\n \"provenance\": {\"version\": ", dgm_version());
    put_integer(text, ", \"seed\": ", sweep->seed);
    put_string(text, ", \"command\": ", sweep->command);
    dgmi_text_string(text, "}}\n");
}

dgm_status dgm_sweep_json(dgm_context *ctx, const dgm_sweep *sweep, char **out, size_t *length) {
    dgmi_text text;
    *out = NULL;
    if (length)
        *length = 0;
    dgmi_text_init(&text, ctx);
    put_sweep(&text, sweep);
    if (text.status != DGM_OK) {
        dgm_status status = text.status;
        dgmi_text_free(&text);
        return status;
    }
    *out = text.data;
    if (length)
        *length = (size_t)text.length;
    return DGM_OK;
}
