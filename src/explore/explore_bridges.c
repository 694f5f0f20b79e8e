/* SPDX-License-Identifier: Apache-2.0 */
/* The question `bridges`: the nodes that join clusters, and the graph edges between pieces of the
 * summary, those first on which most hangs. */
#include "explore_explorer.h"

enum { MOST_BRIDGES = 100 };

static void say_bridge(const dgm_report_bridge *bridge, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_bytes(answer, "name", bridge->member.name, bridge->member.length);
    dgmi_explore_integer(answer, "node", bridge->member.node);
    dgmi_explore_integer(answer, "degree", bridge->member.neighbours);
    dgmi_explore_real(answer, "score", bridge->score);
    dgmi_explore_integer(answer, "across", bridge->across);
    dgmi_explore_open(answer, "clusters", '[');
    if (bridge->across >= 0) {
        dgmi_explore_integer(answer, NULL, bridge->home);
        dgmi_explore_integer(answer, NULL, bridge->other);
    }
    for (int64_t i = 0; bridge->across < 0 && i < bridge->member.clusters; i++)
        dgmi_explore_integer(answer, NULL, bridge->clusters[i]);
    dgmi_explore_close(answer, '[');
    dgmi_explore_close(answer, '{');
}

/* A piece is called by its first cluster. */
static void say_crossing(const dgm_report *report, const dgm_report_crossing *crossing,
                         dgmi_explore_answer *answer) {
    const dgm_report_piece *pieces = dgm_report_pieces(report);
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_integer(answer, "a", pieces[crossing->low].clusters[0]);
    dgmi_explore_integer(answer, "b", pieces[crossing->high].clusters[0]);
    dgmi_explore_integer(answer, "edges", crossing->edges);
    dgmi_explore_open(answer, "ends", '[');
    for (int64_t i = 0; i < crossing->count; i++) {
        dgmi_explore_open(answer, NULL, '[');
        for (int end = 0; end < 2; end++)
            dgmi_explore_bytes(answer, NULL, crossing->ends[i][end].name,
                               crossing->ends[i][end].length);
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_close(answer, '[');
    dgmi_explore_close(answer, '{');
}

static void say_report(const dgm_report *report, dgmi_explore_answer *answer) {
    const dgm_report_totals totals = dgm_report_get_totals(report);
    dgmi_explore_integer(answer, "total", totals.bridges);
    dgmi_explore_open(answer, "nodes", '[');
    for (int64_t i = 0; i < totals.bridges_told; i++)
        say_bridge(&dgm_report_bridges(report)[i], answer);
    dgmi_explore_close(answer, '[');
    dgmi_explore_open(answer, "pieces", '[');
    for (int64_t i = 0; i < totals.crossings_told; i++)
        say_crossing(report, &dgm_report_crossings(report)[i], answer);
    dgmi_explore_close(answer, '[');
}

dgm_status dgmi_explore_bridges(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    dgmi_explore_shown shown;
    dgm_report *report = NULL;
    options.members = 1; /* a report names at least one */
    options.differences = 0;
    options.loops = 0;
    options.bridges = MOST_BRIDGES;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgm_report_create(ctx, shown.summary, explorer->graph, shown.profile, &options,
                                   &report);
    if (status == DGM_OK) {
        dgmi_explore_integer(answer, "serial", explorer->serial);
        say_report(report, answer);
    }
    dgm_report_free(report);
    return status;
}
