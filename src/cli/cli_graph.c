/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_graph.h"

#include <string.h>

#include "cli_text.h"

static dgm_format output_format(const cli_request *request, const char *path) {
    dgm_format format = (dgm_format)request->output.format;
    size_t length = strlen(path);
    if (format == DGM_FORMAT_AUTO && strcmp(path, "-") == 0)
        return DGM_FORMAT_EDGES;
    if (format == DGM_FORMAT_AUTO && path[length - 1] == '/')
        return DGM_FORMAT_FOLDER;
    return format;
}

/* `graphs` is the number of graphs in a set, or -1 for a single graph. */
static void print_json(const cli_request *request, const dgm_graph *graph, int64_t graphs,
                       const char *path) {
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "source", dgm_graph_source(graph));
    cli_json_integer(&json, "nodes", dgm_graph_nodes(graph));
    cli_json_integer(&json, "edges", dgm_graph_edges(graph));
    if (graphs >= 0)
        cli_json_integer(&json, "graphs", graphs);
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_text(&json, "output", path);
    cli_json_end(&json);
}

int cli_write_graph(cli_session *session, const cli_request *request, const dgm_graph *graph,
                    const char *path) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    dgm_status status = dgm_graph_write(session->ctx, graph, path, output_format(request, path));
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    if (request->common.json) {
        print_json(request, graph, -1, path);
    } else if (strcmp(path, "-") != 0) {
        cli_say(session, "graph", "%s: %s, %s", dgm_graph_source(graph),
                cli_count_of(dgm_graph_nodes(graph), "node", a),
                cli_count_of(dgm_graph_edges(graph), "edge", b));
        cli_say(session, "wrote", "%s", path);
    }
    return CLI_DONE;
}

int cli_write_set(cli_session *session, const cli_request *request, const dgm_graph_set *set,
                  const char *path) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE], c[CLI_NOUN_SPACE];
    const dgm_graph *united = dgm_graph_set_union(set);
    dgm_status status = dgm_graph_set_write(session->ctx, set, path);
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    if (request->common.json) {
        print_json(request, united, dgm_graph_set_count(set), path);
    } else {
        cli_say(session, "set", "%s: %s, %s, %s", dgm_graph_source(united),
                cli_count_of(dgm_graph_set_count(set), "graph", a),
                cli_count_of(dgm_graph_nodes(united), "node", b),
                cli_count_of(dgm_graph_edges(united), "edge", c));
        cli_say(session, "wrote", "%s", path);
    }
    return CLI_DONE;
}
