/* SPDX-License-Identifier: Apache-2.0 */
/* The question `start`: what a page needs before it can ask for anything else. */
#include <stdio.h>

#include "explore_explorer.h"

static void say_classes(const dgm_graph *graph, dgmi_explore_answer *answer) {
    char buffer[16];
    dgmi_explore_open(answer, "classes", '[');
    for (int32_t c = 0; c < dgm_graph_classes(graph); c++)
        dgmi_explore_text(answer, NULL, dgm_graph_class_text(graph, c, buffer, sizeof buffer));
    dgmi_explore_close(answer, '[');
}

static void say_attributes(const dgm_graph *graph, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "attributes", '[');
    for (int64_t i = 0; i < dgm_graph_attributes(graph); i++) {
        dgm_attribute attribute = dgm_graph_attribute(graph, i);
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", attribute.name);
        dgmi_explore_text(answer, "kind",
                          attribute.kind == DGM_ATTRIBUTE_NUMBER ? "number" : "text");
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

static void say_colour(dgmi_explore_answer *answer, const char *value, const char *words) {
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_text(answer, "value", value);
    dgmi_explore_text(answer, "words", words);
    dgmi_explore_close(answer, '{');
}

/* The colourings that the graph has values for. */
static void say_colours(const dgm_explorer *explorer, dgmi_explore_answer *answer) {
    const dgm_graph *graph = explorer->graph;
    bool labels = dgm_graph_labels(graph), predictions = explorer->lens.predictions;
    dgmi_explore_open(answer, "colours", '[');
    say_colour(answer, "auto", "what is known");
    say_colour(answer, "lens", "lens");
    if (labels)
        say_colour(answer, "labels", "class");
    if (predictions)
        say_colour(answer, "prediction", "predicted class");
    if (predictions && labels)
        say_colour(answer, "error", "mistakes");
    if (predictions || labels)
        say_colour(answer, "entropy", "mixture (entropy)");
    say_colour(answer, "outward", "edges that leave the group");
    for (int64_t i = 0; i < dgm_graph_attributes(graph); i++) {
        char value[DGMI_EXPLORE_NAME];
        const char *name = dgm_graph_attribute(graph, i).name;
        int length = snprintf(value, sizeof value, "attr:%s", name);
        if (length < (int)sizeof value) /* what was cut would name nothing */
            say_colour(answer, value, name);
    }
    dgmi_explore_close(answer, '[');
}

static void say_lens(const dgm_explorer *explorer, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "lens", '{');
    dgmi_explore_text(answer, "name", explorer->lens.name);
    dgmi_explore_raw(answer, "settings", explorer->lens.words ? explorer->lens.words : "{}");
    dgmi_explore_say_axes(explorer, answer);
    dgmi_explore_close(answer, '{');
}

dgm_status dgmi_explore_start(dgm_context *ctx, dgm_explorer *explorer,
                              const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    (void)ctx, (void)query;
    dgmi_explore_text(answer, "version", dgm_version());
    dgmi_explore_text(answer, "title", dgm_graph_source(explorer->graph));
    dgmi_explore_integer(answer, "nodes", dgm_graph_nodes(explorer->graph));
    dgmi_explore_integer(answer, "edges", dgm_graph_edges(explorer->graph));
    say_classes(explorer->graph, answer);
    say_attributes(explorer->graph, answer);
    dgmi_explore_flag(answer, "predictions", explorer->lens.predictions);
    say_colours(explorer, answer);
    say_lens(explorer, answer);
    dgmi_explore_settings_say(explorer, true, answer);
    dgmi_explore_options_say(explorer, answer);
    dgmi_explore_say_levels(explorer, answer);
    dgmi_explore_raw(answer, NULL,
                     explorer->choice ? explorer->choice : "\"reason\":null,\"candidates\":[]");
    if (dgmi_explore_outermost(explorer)->start)
        dgmi_explore_raw(answer, NULL, dgmi_explore_outermost(explorer)->start);
    return DGM_OK;
}
