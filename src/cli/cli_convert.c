/* SPDX-License-Identifier: Apache-2.0 */
/* dgm convert: from one graph format to another. */
#include <stddef.h>
#include <string.h>

#include "cli_command.h"
#include "cli_graph.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {cli_graph_output_table, offsetof(cli_request, output), false},
    {dgm_graph_option_table, offsetof(cli_request, graph), false},
    {cli_reading_table, offsetof(cli_request, reading), true},
    {cli_common_table, offsetof(cli_request, common), false},
    {NULL, 0, false},
};

static const char *const description[] = {
    "Reads a graph in any format that dgm knows and writes it in another. Names, weights, labels, "
    "features, attributes and splits go along as far as the format holds them; what it cannot hold "
    "is said on stderr.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm convert karate -o karate.graphml", "a built-in graph for other tools"},
    {"dgm convert graph.gml -o graph.mtx.gz", "GML to compressed Matrix Market"},
    {"dgm convert cora/ -o cora.npz", "a dataset folder to NumPy arrays"},
    {"dgm convert edges.csv --nodes-table people.csv -o people.gexf",
     "edges and a table of node attributes into one file"},
    {NULL, NULL},
};

static int run(cli_session *session, const cli_request *request) {
    const char *path;
    dgm_graph *graph = NULL;
    int code = cli_single_output(session, request, &path);
    if (code == CLI_DONE)
        code = cli_open_graph(session, request, &graph);
    if (code == CLI_DONE)
        code = cli_write_graph(session, request, graph, path);
    dgm_graph_free(graph);
    return code;
}

const cli_command cli_convert_command = {
    .name = "convert",
    .summary = "translate a graph from one format to another",
    .usage = "GRAPH [OPTIONS] [-o FILE]",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .output_extensions = "tsv csv mtx graph graphml gexf gml json npz npy",
    .examples = examples,
    .run = run,
};
