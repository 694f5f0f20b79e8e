/* SPDX-License-Identifier: Apache-2.0 */
/* The questions `focus` and `back`: a part of the graph is mapped as its own graph, by an explorer
 * inside the explorer, and so on inwards. */
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_excerpt.h"
#include "explore_nodes.h"

enum { MOST_LEVELS = 16 };

dgm_explorer *dgmi_explore_innermost(dgm_explorer *explorer) {
    while (explorer->inner)
        explorer = explorer->inner;
    return explorer;
}

const dgm_explorer *dgmi_explore_outermost(const dgm_explorer *explorer) {
    while (explorer->outer)
        explorer = explorer->outer;
    return explorer;
}

void dgmi_explore_follow(dgm_explorer *next, dgm_explorer *before) {
    dgmi_explore_innermost(next)->serial = dgmi_explore_innermost(before)->serial + 1;
}

int dgm_explorer_level(const dgm_explorer *explorer) {
    int level = 0;
    for (explorer = dgmi_explore_outermost(explorer); explorer->inner; explorer = explorer->inner)
        level++;
    return level;
}

const dgm_graph *dgm_explorer_graph(const dgm_explorer *explorer) {
    while (explorer->inner)
        explorer = explorer->inner;
    return explorer->graph;
}

void dgmi_explore_say_levels(const dgm_explorer *explorer, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "levels", '[');
    for (explorer = dgmi_explore_outermost(explorer); explorer; explorer = explorer->inner) {
        char part[40];
        snprintf(part, sizeof part, "%lld nodes", (long long)dgm_graph_nodes(explorer->graph));
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "title",
                          explorer->outer ? part : dgm_graph_source(explorer->graph));
        dgmi_explore_integer(answer, "nodes", dgm_graph_nodes(explorer->graph));
        dgmi_explore_integer(answer, "edges", dgm_graph_edges(explorer->graph));
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

/* ---- inwards ---- */

/* The settings of a picture hold for its part, but not the size of what is dust, which goes by the
 * number of nodes. */
static dgm_status copy_settings(dgm_context *ctx, const dgm_explorer *from, dgm_explorer *to) {
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < from->setting_count; i++) {
        const dgmi_explore_setting *setting = &from->settings[i];
        if (*setting->text && strcmp(setting->option->name, "dust-size") != 0)
            status = dgm_explorer_set(ctx, to, setting->option->name, setting->text);
    }
    return status;
}

/* A part has the lens that its nodes have, and no command makes it. */
static dgm_status copy_lens(dgm_context *ctx, const dgm_explorer *from, dgm_explorer *to) {
    dgm_explorer_lens lens = from->lens;
    lens.axes = to->own.axes;
    lens.predictions = to->own.predictions;
    lens.command = "";
    return dgm_explorer_set_lens(ctx, to, &lens);
}

static dgm_status make_inner(dgm_context *ctx, const dgm_explorer *explorer,
                             const dgmi_explore_nodes *nodes, dgm_explorer **out) {
    dgmi_explore_excerpt excerpt;
    dgm_status status =
        dgmi_explore_excerpt_make(ctx, explorer, nodes->list, nodes->count, true, &excerpt);
    if (status == DGM_OK)
        status = dgm_explorer_create(ctx, excerpt.graph, out);
    if (status != DGM_OK) {
        dgmi_explore_excerpt_free(&excerpt);
        return status;
    }
    (*out)->own.graph = excerpt.graph;
    (*out)->own.axes = excerpt.axes;
    (*out)->own.predictions = excerpt.predictions;
    status = copy_lens(ctx, explorer, *out);
    return status == DGM_OK ? copy_settings(ctx, explorer, *out) : status;
}

dgm_status dgmi_explore_focus(dgm_context *ctx, dgm_explorer *explorer,
                              const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    dgmi_explore_nodes nodes;
    dgm_explorer *inner = NULL;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK && dgm_explorer_level(explorer) + 1 == MOST_LEVELS)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "this is the %dth part of a part: go back first",
                           MOST_LEVELS - 1);
    if (status == DGM_OK)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &nodes);
    if (status == DGM_OK && nodes.count == 0)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no such node");
    if (status == DGM_OK)
        status = make_inner(ctx, explorer, &nodes, &inner);
    if (status != DGM_OK) {
        dgm_explorer_free(inner);
        return status;
    }
    dgmi_explore_follow(inner, explorer);
    inner->outer = explorer;
    inner->untimed = explorer->untimed;
    explorer->inner = inner;
    return dgmi_explore_start(ctx, inner, query, answer);
}

/* ---- outwards ---- */

dgm_status dgmi_explore_back(dgm_context *ctx, dgm_explorer *explorer,
                             const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    int64_t level;
    dgm_explorer *to = explorer;
    dgm_status status = dgmi_explore_query_integer(ctx, query, "level", 0,
                                                   dgm_explorer_level(explorer), -1, &level);
    if (status != DGM_OK)
        return status;
    for (int64_t at = dgm_explorer_level(explorer); at > level; at--)
        to = to->outer;
    if (to != explorer) {
        const int64_t serial = explorer->serial;
        dgm_explorer_free(to->inner); /* and all inside it */
        to->inner = NULL;
        to->serial = serial + 1; /* no two pictures have one number */
    }
    return dgmi_explore_start(ctx, to, query, answer);
}
