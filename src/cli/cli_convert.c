/* SPDX-License-Identifier: Apache-2.0 */
/* dgm convert: from one graph format to another. */
#include <stddef.h>
#include <string.h>

#include "cli_command.h"
#include "cli_graph.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {cli_graph_output_table, offsetof(cli_request, output), false, NULL},
    {dgm_knn_option_table, offsetof(cli_request, knn), false, NULL},
    {cli_distances_table, offsetof(cli_request, knn_distances), true, NULL},
    {cli_chance_table, offsetof(cli_request, chance), false, NULL},
    {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL},
    {dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Reads a graph in any format that dgm knows and writes it in another. Names, weights, labels, "
    "features, attributes and splits go along as far as the format holds them; what it cannot hold "
    "is said on stderr.",
    "With --knn the argument is a table of points, text or .npy, one row per point: the graph "
    "joins "
    "each point with its K nearest, whichever of the two counts the other among its nearest. An id "
    "column names the nodes.",
    "With --rewire the graph is what chance gives at equal degrees, which a picture of the graph "
    "itself is to be compared with. --seed draws another one.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm convert karate -o karate.graphml", "a built-in graph for other tools"},
    {"dgm convert graph.gml -o graph.mtx.gz", "GML to compressed Matrix Market"},
    {"dgm convert library/ -o papers.npz", "a dataset folder to NumPy arrays"},
    {"dgm convert edges.csv --nodes-table people.csv -o people.gexf",
     "edges and a table of node attributes into one file"},
    {"dgm convert PROTEINS/ --graph 7 -o protein.graphml", "one graph of a set, counted from 0"},
    {"dgm convert REDDIT-BINARY/ --to tu -o clean/", "a set of graphs as a set"},
    {"dgm convert points.npy --knn 15 -o graph.tsv", "a point cloud to its nearest neighbours"},
    {"dgm convert karate --rewire --seed 2 -o chance.graphml",
     "the same degrees with edges drawn at random"},
    {NULL, NULL},
};

/* The name of a file without its folders. */
static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int join_points(cli_session *session, const cli_request *request, dgm_graph **graph) {
    dgm_context *ctx = session->ctx;
    dgm_matrix *points = NULL;
    dgm_graph *names = NULL;
    dgm_neighbours *neighbours = NULL;
    dgm_knn_options knn = request->knn;
    knn.seed = request->job.seed;
    if (request->job.graph_options.directed)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "the graph of nearest neighbours is undirected; leave out --directed");
    if (request->job.graph_options.graph)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "a table of points is no set of graphs; leave out --graph");
    dgm_status status = dgm_matrix_read_ids(ctx, request->operand, &names, &points);
    if (status == DGM_OK)
        status = dgm_knn_matrix(ctx, points, &knn, &neighbours);
    const dgm_knn_graph_options options = {sizeof(dgm_knn_graph_options), request->knn_distances,
                                           names, last_part(request->operand),
                                           request->knn_points ? points : NULL};
    if (status == DGM_OK)
        status = dgm_knn_graph(ctx, neighbours, &options, graph);
    dgm_neighbours_free(neighbours);
    dgm_matrix_free(points);
    dgm_graph_free(names);
    return cli_fail_status(session, status);
}

static int check_set_request(cli_session *session, const cli_request *request, const char *path) {
    const dgm_job *job = &request->job;
    if (strcmp(path, "-") == 0)
        return cli_fail(session, CLI_WRONG_USAGE, "--to tu writes a folder: -o FOLDER/");
    if (job->graph_options.graph || request->knn.k > 0)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--to tu writes a set of graphs, and this is a single graph");
    if (job->nodes_table || job->labels)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--to tu takes neither --nodes-table nor --labels");
    if (request->chance.rewire || request->chance.features)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--to tu takes neither --rewire nor --shuffle-features");
    return CLI_DONE;
}

/* A set stays a set. */
static int convert_set(cli_session *session, const cli_request *request, const char *path) {
    dgm_graph_set *set = NULL;
    int code = check_set_request(session, request, path);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_graph_set_open(session->ctx, request->operand,
                                                           &request->job.graph_options, &set));
    if (code == CLI_DONE)
        code = cli_write_set(session, request, set, path);
    dgm_graph_set_free(set);
    return code;
}

typedef dgm_status (*drawing)(dgm_context *ctx, const dgm_graph *graph, int64_t seed,
                              dgm_graph **out);

/* The graph that is drawn takes the place of *graph. */
static int draw_anew(cli_session *session, const cli_request *request, drawing draw,
                     dgm_graph **graph) {
    dgm_graph *drawn = NULL;
    dgm_status status = draw(session->ctx, *graph, request->job.seed, &drawn);
    dgm_graph_free(*graph);
    *graph = drawn;
    return cli_fail_status(session, status);
}

static int run(cli_session *session, const cli_request *request) {
    const char *path;
    dgm_graph *graph = NULL;
    int code = cli_single_output(session, request, &path);
    if (code == CLI_DONE && request->output.format == DGM_FORMAT_TU)
        return convert_set(session, request, path);
    if (code == CLI_DONE)
        code = request->knn.k > 0 ? join_points(session, request, &graph)
                                  : cli_open_graph(session, request, &graph);
    if (code == CLI_DONE && request->chance.rewire)
        code = draw_anew(session, request, dgm_graph_rewire, &graph);
    if (code == CLI_DONE && request->chance.features)
        code = draw_anew(session, request, dgm_graph_shuffle_features, &graph);
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
    .examples = examples,
    .run = run,
};
