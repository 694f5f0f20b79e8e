/* SPDX-License-Identifier: Apache-2.0 */
/* dgm reduce: the columns of a table, or the features of a graph, into a few axes. */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_command.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {cli_reduce_table, offsetof(cli_request, reducing), false, NULL},
    {cli_output_table, offsetof(cli_request, output), false, NULL},
    CLI_GENERAL_GROUPS,
};

static const char *const description[] = {
    "Reduces a table of numbers (an embedding, logits, any points), one row per node, to a few "
    "axes "
    "that 'dgm map --lens-file' takes. Text may have an id column, which is kept; a dataset folder "
    "stands for the features of its nodes, which stay sparse where the method allows it.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm reduce embedding.npy -o axes.npy", "the first two principal components"},
    {"dgm reduce embedding.npy --method pca --dim 3 -o axes.tsv", "three, as text"},
    {"dgm reduce embedding.npy --method tsne -o map.npy", "a map in which near rows stay near"},
    {"dgm reduce embedding.npy --method tsne --start map.npy -o longer.npy",
     "1,000 more steps from there"},
    {"dgm reduce new.npy --method tsne --into map.npy --points embedding.npy -o placed.npy",
     "new rows into that map"},
    {"dgm reduce logits.npy --method prob:class=0", "the probability of a class, on stdout"},
    {"dgm reduce papers --dim 50 -o features.npy", "the features of a graph to 50 columns"},
    {NULL, NULL},
};

/* What is reduced: a table, or the features of a graph. */
typedef struct source {
    dgm_matrix *table; /* or NULL */
    dgm_graph *graph;  /* names of rows, or NULL */
    dgm_points points;
} source;

static bool is_folder(const char *path) {
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

static int open_source(cli_session *session, const cli_request *request, source *from) {
    const char *path = request->operand;
    dgm_context *ctx = session->ctx;
    if (!is_folder(path) && !cli_is_built_in(path)) {
        dgm_status status = dgm_matrix_read_ids(ctx, path, &from->graph, &from->table);
        if (status == DGM_OK)
            from->points = dgm_points_of_matrix(from->table);
        return cli_fail_status(session, status);
    }
    dgm_status status = dgm_graph_open(ctx, path, DGM_FORMAT_AUTO, &request->job.graph_options,
                                       NULL, request->job.seed, &from->graph);
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    from->points = dgm_points_of_features(from->graph);
    if (from->points.columns == 0)
        return cli_fail(session, CLI_FAILED, "%s: the graph has no features to reduce", path);
    return CLI_DONE;
}

static void print_figure(cli_json *json, const dgm_reduce_figure *figure) {
    double value = figure->values[0];
    if (!figure->list) {
        if (value == (double)(int64_t)value)
            cli_json_integer(json, figure->name, (int64_t)value);
        else
            cli_json_real(json, figure->name, value);
        return;
    }
    cli_json_open(json, figure->name, '[');
    for (int64_t i = 0; i < figure->count; i++)
        cli_json_real(json, NULL, figure->values[i]);
    cli_json_close(json, ']');
}

static void print_json(const cli_request *request, const dgm_reduce_report *report,
                       const char *path) {
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "source", request->operand);
    cli_json_text(&json, "method", report->method);
    cli_json_integer(&json, "rows", report->rows);
    cli_json_integer(&json, "columns", report->columns);
    cli_json_integer(&json, "dim", report->dim);
    for (int i = 0; i < report->figure_count; i++)
        print_figure(&json, &report->figures[i]);
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_text(&json, "output", path);
    cli_json_end(&json);
}

static int write_axes(cli_session *session, const cli_request *request, const source *from,
                      const dgm_matrix *axes, const dgm_reduce_report *report, const char *path) {
    char a[CLI_NOUN_SPACE], b[CLI_NOUN_SPACE];
    dgm_status status = dgm_matrix_write(session->ctx, axes, from->graph, path);
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    if (request->common.json) {
        print_json(request, report, path);
    } else if (strcmp(path, "-") != 0) {
        cli_say(session, "reduced", "%s of %s to %lld by %s", cli_count_of(report->rows, "row", a),
                cli_count_of(report->columns, "column", b), (long long)report->dim, report->method);
        cli_say(session, "wrote", "%s", path);
    }
    return CLI_DONE;
}

/* The options that name maps go together, or not at all. */
static int check_maps(cli_session *session, const cli_reducing *lens) {
    if (!lens->into != !lens->points)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--into MAP and --points POINTS go together: the map, "
                        "and the table it was made of");
    if (lens->into && lens->start)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--start goes on with a map, --into adds to one: give "
                        "one of them");
    if (lens->into && lens->dim)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--into takes as many axes as the map has: no --dim");
    return CLI_DONE;
}

/* New rows into a map; rows of the map are those of its points, by id where there are any. */
static dgm_status place(dgm_context *ctx, const cli_request *request, const source *from,
                        const char *method, dgm_reduce_report *report, dgm_matrix **axes) {
    source old = {0};
    dgm_matrix *map = NULL;
    dgm_status status = dgm_matrix_read_ids(ctx, request->reducing.points, &old.graph, &old.table);
    if (status == DGM_OK)
        status = dgm_matrix_read(ctx, request->reducing.into, old.graph, &map);
    if (status == DGM_OK) {
        old.points = dgm_points_of_matrix(old.table);
        status = dgm_reduce_place(ctx, &old.points, map, &from->points, method, request->job.seed,
                                  report, axes);
    }
    dgm_matrix_free(map);
    dgm_matrix_free(old.table);
    dgm_graph_free(old.graph);
    return status;
}

static dgm_status reduce(dgm_context *ctx, const cli_request *request, const source *from,
                         const char *method, dgm_reduce_report *report, dgm_matrix **axes) {
    const cli_reducing *lens = &request->reducing;
    dgm_matrix *start = NULL;
    dgm_status status = DGM_OK;
    if (lens->into)
        return place(ctx, request, from, method, report, axes);
    if (lens->start)
        status = dgm_matrix_read(ctx, lens->start, from->graph, &start);
    if (status == DGM_OK)
        status = dgm_reduce_run_from(ctx, &from->points, method, lens->dim, request->job.seed,
                                     start, report, axes);
    dgm_matrix_free(start);
    return status;
}

static int run(cli_session *session, const cli_request *request) {
    const char *method = request->reducing.reduce ? request->reducing.reduce : "pca", *path;
    source from = {0};
    dgm_matrix *axes = NULL;
    dgm_reduce_report report = {.method = method};
    int code =
        cli_fail_status(session, dgm_reduce_check(session->ctx, method, request->reducing.dim));
    if (code == CLI_DONE)
        code = check_maps(session, &request->reducing);
    if (code == CLI_DONE)
        code = cli_single_output(session, request, &path);
    if (code == CLI_DONE)
        code = cli_check_table_name(session, path);
    if (code == CLI_DONE)
        code = open_source(session, request, &from);
    if (code == CLI_DONE)
        code =
            cli_fail_status(session, reduce(session->ctx, request, &from, method, &report, &axes));
    if (code == CLI_DONE)
        dgm_matrix_note_constant(session->ctx, axes);
    if (code == CLI_DONE)
        code = write_axes(session, request, &from, axes, &report, path);
    dgm_matrix_free(axes);
    dgm_matrix_free(from.table);
    dgm_graph_free(from.graph);
    return code;
}

const cli_command cli_reduce_command = {
    .name = "reduce",
    .summary = "reduce many columns to a few axes",
    .usage = "TABLE [OPTIONS] [-o FILE]",
    .operand = "TABLE",
    .operand_help = "rows of numbers, text or .npy; or a dataset folder, for its features",
    .description = description,
    .groups = groups,
    .lists_reductions = true,
    .examples = examples,
    .run = run,
};
