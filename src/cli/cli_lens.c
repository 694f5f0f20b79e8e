/* SPDX-License-Identifier: Apache-2.0 */
/* dgm lens: the values of a lens, into a file that `dgm map --lens-file` takes back. */
#include <stddef.h>
#include <string.h>

#include "cli_command.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {cli_axes_table, offsetof(cli_request, job), false, NULL},
    {cli_output_table, offsetof(cli_request, output), false, NULL},
    {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL},
    {dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Computes a lens and writes its values, one row per node. Text has a header, the node's name "
    "in "
    "a "
    "column id and a column for each axis; 'dgm map --lens-file' takes the file back.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm lens karate --lens degree", "degrees as a table on stdout"},
    {"dgm lens papers --lens pagerank:alpha=0.9 -o rank.tsv", "PageRank into a text file"},
    {"dgm lens graph.mtx --lens pagerank --lens degree -o axes.npy", "two axes as a NumPy array"},
    {"dgm lens papers --lens betweenness --lens core --transform rank --transform none -o axes.tsv",
     "the first axis as ranks"},
    {"dgm lens papers --lens gcn --model gcn.safetensors -o logits.npy",
     "what a trained network answers for every node"},
    {NULL, NULL},
};

static int check_lenses(cli_session *session, const dgm_job *job) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < job->lens_count && status == DGM_OK; i++)
        status = dgm_lens_check(session->ctx, job->lenses[i]);
    if (status == DGM_OK)
        status = dgm_lens_check_model(session->ctx, job->lenses, job->lens_count, job->model);
    return cli_fail_status(session, status);
}

static void print_json(const cli_request *request, const dgm_graph *graph, const dgm_matrix *lens,
                       const char *path) {
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "source", dgm_graph_source(graph));
    cli_json_integer(&json, "nodes", dgm_graph_nodes(graph));
    cli_json_open(&json, "axes", '[');
    for (int64_t axis = 0; axis < dgm_matrix_columns(lens); axis++)
        cli_json_text(&json, NULL, dgm_matrix_column_name(lens, axis));
    cli_json_close(&json, ']');
    cli_json_open(&json, "transforms", '[');
    for (int64_t axis = 0; axis < dgm_matrix_columns(lens); axis++)
        cli_json_text(&json, NULL, dgm_matrix_column_transform(lens, axis));
    cli_json_close(&json, ']');
    cli_json_open(&json, "errors", '[');
    for (int64_t axis = 0; axis < dgm_matrix_columns(lens); axis++)
        cli_json_real(&json, NULL, dgm_matrix_column_error(lens, axis));
    cli_json_close(&json, ']');
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_text(&json, "output", path);
    cli_json_end(&json);
}

static int write_lens(cli_session *session, const cli_request *request, const dgm_graph *graph,
                      const dgm_matrix *lens, const char *path) {
    char a[CLI_NOUN_SPACE], b[CLI_COUNT_SPACE];
    dgm_status status = dgm_matrix_write(session->ctx, lens, graph, path);
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    if (request->common.json) {
        print_json(request, graph, lens, path);
    } else if (strcmp(path, "-") != 0) {
        int64_t axes = dgm_matrix_columns(lens);
        cli_say(session, "lens", "%s, %s %s", cli_count_of(dgm_matrix_rows(lens), "node", a),
                cli_count(axes, b), axes == 1 ? "axis" : "axes");
        cli_say(session, "wrote", "%s", path);
    }
    return CLI_DONE;
}

static int run(cli_session *session, const cli_request *request) {
    static const char *const fallback[] = {"pagerank"};
    const dgm_job *job = &request->job;
    const char *const *lenses = job->lens_count ? job->lenses : fallback;
    int count = job->lens_count ? job->lens_count : 1;
    const char *path;
    dgm_graph *graph = NULL;
    dgm_lens_result *result = NULL;
    dgm_matrix *lens = NULL;
    dgm_lens_options options = DGM_LENS_OPTIONS_INIT;
    options.model = job->model;
    options.seed = job->seed;
    options.predict = false;
    int code = check_lenses(session, job);
    if (code == CLI_DONE)
        code = cli_single_output(session, request, &path);
    if (code == CLI_DONE)
        code = cli_check_table_name(session, path);
    if (code == CLI_DONE)
        code = cli_open_graph(session, request, &graph);
    if (code == CLI_DONE)
        code = cli_fail_status(session,
                               dgm_lens_run(session->ctx, graph, lenses, count, &options, &result));
    lens = code == CLI_DONE ? dgm_lens_result_take_axes(result) : NULL;
    dgm_lens_result_free(result);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_transform_axes(session->ctx, graph, lens,
                                                           job->transforms, job->transform_count));
    if (code == CLI_DONE)
        code = write_lens(session, request, graph, lens, path);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return code;
}

const cli_command cli_lens_command = {
    .name = "lens",
    .summary = "compute a lens into a file that map takes back",
    .usage = "GRAPH [OPTIONS] [-o FILE]",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .lists_lenses = true,
    .examples = examples,
    .run = run,
};
