/* SPDX-License-Identifier: Apache-2.0 */
/* dgm train: a graph neural network, into a file that `dgm map --model` takes. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_command.h"
#include "cli_text.h"

static const dgm_option training_options[] = {
    {.name = "output",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(cli_outputs, files),
     .default_text = "none",
     .argument = "FILE",
     .help = "write the weights to FILE (.safetensors)"},
    {.name = "embedding",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(cli_outputs, embedding),
     .argument = "FILE",
     .help = "write what the network makes of each node: logits, or dgi's embedding (.npy, .tsv)"},
    {.name = "predictions",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(cli_outputs, predictions),
     .argument = "FILE",
     .help = "write each node's class, predicted class and probabilities (.csv, .tsv, .npy)"},
};

static const dgm_option_table *training_table(void) {
    static const dgm_option_table table = {"Output", training_options,
                                           sizeof training_options / sizeof *training_options};
    return &table;
}

static const cli_group groups[] = {
    {dgm_gcn_option_table, offsetof(cli_request, gcn), false, "gcn"},
    {dgm_dgi_option_table, offsetof(cli_request, dgi), false, "dgi"},
    {training_table, offsetof(cli_request, output), false, NULL},
    {dgm_checkpoint_option_table, offsetof(cli_request, checkpoint), true, NULL},
    {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL},
    {dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL},
    {cli_common_table, offsetof(cli_request, common), false, NULL},
    {dgm_job_seed_option_table, offsetof(cli_request, job), true, NULL}, /* shown above */
    {NULL, 0, false, NULL},
};

static const char *const description[] = {
    "Trains a network on the graph, says how good it is, and writes its weights as safetensors, "
    "with the names that PyTorch Geometric uses. 'dgm map --lens gcn --model FILE' looks at the "
    "graph through it.",
    "gcn learns the classes of nodes (Kipf and Welling, 2017), or with --target a number. dgi "
    "embeds nodes without any labels (Deep Graph Infomax); --probe says how well a logistic "
    "regression reads the classes off the embedding. Graphs without features get one-hot ones.",
    "With --checkpoint a run that was interrupted goes on where it was, and ends in the same "
    "bytes.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm train gcn papers", "accuracy on the test nodes of the graph"},
    {"dgm train gcn spam -o spam.safetensors --predictions spam.csv",
     "weights and predictions into files"},
    {"dgm train dgi papers --probe -o dgi.safetensors --embedding dgi.npy",
     "an embedding of 512 columns"},
    {"dgm train gcn graph.graphml --split 0.6,0.2 --class-weights balanced --patience 20",
     "a split of our own, early stopping"},
    {NULL, NULL},
};

/* ---- telling ---- */

static void print_json(const cli_request *request, const dgm_training_report *report,
                       const dgm_model *model) {
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "model", request->variant);
    cli_json_real(&json, "loss", report->loss);
    cli_json_real(&json, "train_accuracy", report->train_accuracy);
    cli_json_real(&json, "val_accuracy", report->val_accuracy);
    cli_json_real(&json, "test_accuracy", report->test_accuracy);
    cli_json_real(&json, "macro_f1", report->macro_f1);
    cli_json_real(&json, "calibration_error", report->calibration_error);
    cli_json_open(&json, "confusion", '[');
    for (int32_t i = 0; report->confusion && i < report->classes; i++) {
        cli_json_open(&json, NULL, '[');
        for (int32_t j = 0; j < report->classes; j++)
            cli_json_integer(&json, NULL, report->confusion[i * report->classes + j]);
        cli_json_close(&json, ']');
    }
    cli_json_close(&json, ']');
    cli_json_integer(&json, "epochs", report->epochs);
    cli_json_real(&json, "seconds", report->seconds);
    cli_json_integer(&json, "width", dgm_model_width(model));
    cli_json_integer(&json, "tensor_bytes", report->bytes);
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_end(&json);
}

static void print_share(const char *name, double share) {
    if (!isnan(share))
        printf("%-17s %.4f\n", name, share);
}

static void print_confusion_row(const dgm_graph *graph, const dgm_training_report *report,
                                int32_t class) {
    char number[16];
    printf("  %-14.14s", dgm_graph_class_text(graph, class, number, sizeof number));
    for (int32_t j = 0; j < report->classes; j++)
        printf(" %6lld", (long long)report->confusion[class * report->classes + j]);
    putchar('\n');
}

static void print_confusion(const dgm_graph *graph, const dgm_training_report *report) {
    enum { MOST_SHOWN = 12 };
    if (!report->confusion || report->classes > MOST_SHOWN)
        return;
    puts("confusion         test nodes, a row per class, a column per prediction");
    for (int32_t i = 0; i < report->classes; i++)
        print_confusion_row(graph, report, i);
}

static void print_table(const cli_request *request, const dgm_graph *graph,
                        const dgm_training_report *report, const dgm_model *model) {
    bool regression = dgm_model_get_kind(model) == DGM_MODEL_GCN && !dgm_model_classifies(model);
    char a[CLI_COUNT_SPACE];
    printf("%-17s %s\n", "model", request->variant);
    printf("%-17s %s\n", "epochs", cli_count(report->epochs, a));
    printf("%-17s %.4f\n", "loss", report->loss);
    print_share(regression ? "train R^2" : "train accuracy", report->train_accuracy);
    print_share(regression ? "val R^2" : "val accuracy", report->val_accuracy);
    print_share(regression ? "test R^2" : "test accuracy", report->test_accuracy);
    print_share("macro F1", report->macro_f1);
    print_share("calibration error", report->calibration_error);
    printf("%-17s %.3g\n", "seconds", report->seconds);
    print_confusion(graph, report);
}

/* ---- writing ---- */

/* Columns of probabilities have the names of their classes, or their numbers: p0, p1, ... */
static dgm_status name_probabilities(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_predictions *says, dgm_matrix *table) {
    dgm_status status = DGM_OK;
    int32_t columns;
    dgm_predictions_probabilities(says, &columns);
    for (int32_t j = 0; status == DGM_OK && j < columns; j++) {
        char number[16];
        int32_t class = dgm_predictions_probability_class(says, j);
        const char *name = dgm_predictions_class_name(says, graph, class);
        snprintf(number, sizeof number, "p%d", (int)dgm_predictions_class_number(says, class));
        status = dgm_matrix_set_column_name(ctx, table, j + 2, name ? name : number);
    }
    return status;
}

static dgm_status name_columns(dgm_context *ctx, const char *first, dgm_matrix *table) {
    dgm_status status = dgm_matrix_set_column_name(ctx, table, 0, first);
    return status == DGM_OK ? dgm_matrix_set_column_name(ctx, table, 1, "prediction") : status;
}

/* label, prediction and probabilities of a classifier */
static dgm_status list_classes(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_predictions *says, dgm_matrix **out) {
    const int32_t *labels = dgm_graph_labels(graph), *classes = dgm_predictions_classes(says);
    int32_t count;
    const float *probabilities = dgm_predictions_probabilities(says, &count);
    int64_t nodes = dgm_graph_nodes(graph), columns = (int64_t)count + 2;
    dgm_status status = dgm_matrix_create(ctx, nodes, columns, out);
    if (status != DGM_OK)
        return status;
    double *row = dgm_matrix_values_mutable(*out);
    for (int64_t i = 0; i < nodes; i++, row += columns) {
        row[0] = labels ? dgm_graph_class_number(graph, labels[i]) : -1;
        row[1] = dgm_predictions_class_number(says, classes[i]);
        for (int32_t c = 0; c < count; c++)
            row[c + 2] = probabilities[i * count + c];
    }
    status = name_columns(ctx, "label", *out);
    return status == DGM_OK ? name_probabilities(ctx, graph, says, *out) : status;
}

/* target and prediction of a regression */
static dgm_status list_numbers(dgm_context *ctx, const dgm_graph *graph, const char *target,
                               const dgm_matrix *answer, dgm_matrix **out) {
    int64_t nodes = dgm_graph_nodes(graph), index = dgm_graph_attribute_find(graph, target);
    dgm_status status = dgm_matrix_create(ctx, nodes, 2, out);
    if (status != DGM_OK)
        return status;
    double *row = dgm_matrix_values_mutable(*out);
    for (int64_t i = 0; i < nodes; i++, row += 2) {
        row[0] = dgm_graph_attribute(graph, index).numbers[i];
        row[1] = dgm_matrix_values(answer)[i];
    }
    return name_columns(ctx, "target", *out);
}

static dgm_status list_predictions(dgm_context *ctx, const cli_request *request,
                                   const dgm_graph *graph, const dgm_model *model,
                                   const dgm_matrix *answer, dgm_matrix **out) {
    dgm_predictions *says = NULL;
    if (!dgm_model_classifies(model))
        return list_numbers(ctx, graph, request->gcn.target, answer, out);
    dgm_status status = dgm_predictions_from_logits(ctx, graph, answer, NULL, &says);
    if (status == DGM_OK)
        status = list_classes(ctx, graph, says, out);
    dgm_predictions_free(says);
    return status;
}

static int write_predictions(cli_session *session, const cli_request *request,
                             const dgm_graph *graph, const dgm_model *model,
                             const dgm_matrix *answer) {
    dgm_matrix *table = NULL;
    dgm_status status = list_predictions(session->ctx, request, graph, model, answer, &table);
    if (status == DGM_OK)
        status = dgm_matrix_write(session->ctx, table, graph, request->output.predictions);
    dgm_matrix_free(table);
    if (status == DGM_OK)
        cli_say(session, "wrote", "%s", request->output.predictions);
    return cli_fail_status(session, status);
}

static int write_answers(cli_session *session, const cli_request *request, const dgm_graph *graph,
                         const dgm_model *model, const dgm_matrix *answer) {
    const cli_outputs *outputs = &request->output;
    int code = CLI_DONE;
    if (outputs->embedding) {
        code = cli_fail_status(session,
                               dgm_matrix_write(session->ctx, answer, graph, outputs->embedding));
        if (code == CLI_DONE)
            cli_say(session, "wrote", "%s", outputs->embedding);
    }
    if (code == CLI_DONE && outputs->predictions)
        code = write_predictions(session, request, graph, model, answer);
    return code;
}

static int write_model(cli_session *session, const cli_request *request, const dgm_model *model) {
    for (int i = 0; i < request->output.files.count; i++) {
        const char *path = request->output.files.items[i];
        dgm_status status = dgm_model_write(session->ctx, model, path);
        if (status != DGM_OK)
            return cli_fail_status(session, status);
        cli_say(session, "wrote", "%s", path);
    }
    return CLI_DONE;
}

/* ---- running ---- */

static int check(cli_session *session, const cli_request *request) {
    bool predicts = dgm_lens_find(request->variant)->flags & DGM_LENS_CLASSIFIES;
    int code = cli_check_outputs(session, request);
    const char *const more[] = {request->output.embedding, request->output.predictions,
                                request->checkpoint.path};
    for (int i = 0; code == CLI_DONE && i < 3; i++)
        if (more[i])
            code = cli_check_output(session, more[i]);
    for (int i = 0; code == CLI_DONE && i < 2; i++)
        if (more[i])
            code = cli_check_table_name(session, more[i]);
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++)
        code = cli_check_network_name(session, request->output.files.items[i]);
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++)
        if (strcmp(request->output.files.items[i], "-") == 0)
            code = cli_fail(session, CLI_WRONG_USAGE,
                            "weights are not text: name a file, as -o model.safetensors");
    if (code == CLI_DONE && !predicts && request->output.predictions)
        code = cli_fail(session, CLI_WRONG_USAGE,
                        "%s predicts nothing; --embedding writes what it makes of the nodes",
                        request->variant);
    return code;
}

/* The answer is asked for where a file of it was: it comes from the graph as the training saw it.
 */
static dgm_status train(cli_session *session, const cli_request *request, const dgm_graph *graph,
                        dgm_model **model, dgm_training_report *report, dgm_matrix **answer) {
    dgm_matrix **wanted = request->output.embedding || request->output.predictions ? answer : NULL;
    if (dgm_lens_find(request->variant)->model == DGM_MODEL_DGI)
        return dgm_dgi_train(session->ctx, graph, &request->dgi, &request->checkpoint, model,
                             report, wanted);
    return dgm_gcn_train(session->ctx, graph, &request->gcn, &request->checkpoint, model, report,
                         wanted);
}

/* An interrupted run has left its state where it was told to. */
static int fail_training(cli_session *session, const cli_request *request, dgm_status status) {
    const char *path = request->checkpoint.path;
    if (status == DGM_ERROR_CANCELLED && path && access(path, F_OK) == 0)
        return cli_fail(session, CLI_INTERRUPTED, "%s; the same command goes on from %s",
                        dgm_context_error(session->ctx), path);
    return cli_fail_status(session, status);
}

static int run(cli_session *session, const cli_request *request) {
    dgm_graph *graph = NULL;
    dgm_model *model = NULL;
    dgm_matrix *answer = NULL;
    dgm_training_report report = {0};
    int code = check(session, request);
    if (code == CLI_DONE)
        code = cli_open_graph(session, request, &graph);
    if (code == CLI_DONE)
        code = fail_training(session, request,
                             train(session, request, graph, &model, &report, &answer));
    if (code == CLI_DONE)
        code = write_model(session, request, model);
    if (code == CLI_DONE)
        code = write_answers(session, request, graph, model, answer);
    if (code == CLI_DONE && request->common.json)
        print_json(request, &report, model);
    else if (code == CLI_DONE)
        print_table(request, graph, &report, model);
    dgm_training_report_free(&report);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_graph_free(graph);
    return code;
}

const cli_command cli_train_command = {
    .name = "train",
    .summary = "train a graph neural network",
    .usage = "gcn|dgi GRAPH [OPTIONS] [-o MODEL.safetensors]",
    .variants = dgm_model_names,
    .variant_help = "the network: gcn or dgi; comes first",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .examples = examples,
    .run = run,
};
