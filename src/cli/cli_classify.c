/* SPDX-License-Identifier: Apache-2.0 */
/* dgm classify: classes of whole graphs, by networks that pool, cross-validated. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli_command.h"
#include "cli_text.h"

static const dgm_option_table *output_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .default_text = "none",
         .argument = "FILE",
         .help =
             "write the result to FILE (.json), or the network of the best fold (.safetensors); "
             "may be repeated"},
    };
    static const dgm_option_table table = {"Output", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {dgm_classify_option_table, offsetof(cli_request, classify), false, NULL},
    {output_table, offsetof(cli_request, output), false, NULL},
    {cli_common_table, offsetof(cli_request, common), false, NULL},
    {NULL, 0, false, NULL},
};

static const char *const description[] = {
    "Trains networks that pool graphs and classify them, and says how good they are: by default "
    "ten folds with equal shares of every class. One fold tests, the next validates, the others "
    "train; the epoch that is best on the validation fold counts.",
    "Accuracies of folds are not independent, since their training graphs overlap. The second "
    "interval takes this into account (Nadeau and Bengio, 2003), and --against uses it to compare "
    "two methods on the same folds.",
    "The preset 'paper' has width 128, 2 layers, dropout 0.5, rate 5e-4, and batches of 32 "
    "(PROTEINS: "
    "128); minCUT and DiffPool have width 32 (DiffPool: 128 on COLLAB and REDDIT-BINARY), 1 layer "
    "with a linear map around it, no dropout and rate 1e-3. The preset 'equal' gives all methods "
    "the former.",
    "Look at sum and mean, and at mpr:lens=random, before believing any other method.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm classify PROTEINS/", "MPR as in the paper"},
    {"dgm classify PROTEINS/ --pool sum -o sum.json", "a control"},
    {"dgm classify PROTEINS/ --pool mincut:ratio=0.1 --against sum.json", "a rival, compared"},
    {"dgm classify PROTEINS/ --pool mpr:lens=learned --seeds 3 --checkpoint run.json",
     "a lens that learns; a run that may be interrupted"},
    {"dgm classify PROTEINS/ --net mlp --pool sum --search 'rate=1e-3;5e-4 width=64;128'",
     "without structure, the best of four settings in each fold"},
    {"dgm classify PROTEINS/ --pool mincut -o mincut.safetensors",
     "the network of the best fold, for 'dgm pool --model'"},
    {NULL, NULL},
};

/* ---- telling ---- */

static void print_folds(const dgm_classify_report *report) {
    int64_t count;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &count);
    printf("%6s %5s %9s %11s %6s %8s\n", "seed", "fold", "accuracy", "validation", "epoch",
           "seconds");
    for (int64_t i = 0; i < count; i++)
        printf("%6lld %5lld %9.4f %11.4f %6lld %8.2f\n", (long long)folds[i].seed,
               (long long)folds[i].fold, folds[i].accuracy, folds[i].validation,
               (long long)folds[i].epoch, folds[i].seconds);
}

static void print_confusion(const dgm_classify_report *report, const dgm_graph_set *set) {
    enum { MOST_SHOWN = 12 };
    int32_t classes;
    const int64_t *confusion = dgm_classify_report_confusion(report, &classes);
    if (classes > MOST_SHOWN)
        return;
    puts("confusion         test graphs: a row for each class, a column for each prediction");
    for (int32_t i = 0; i < classes; i++) {
        printf("  %-14d", dgm_graph_set_class_number(set, i));
        for (int32_t j = 0; j < classes; j++)
            printf(" %6lld", (long long)confusion[i * classes + j]);
        putchar('\n');
    }
}

static void print_half(const char *name, double mean, double half) {
    if (isnan(half))
        printf("%-17s not known from one fold\n", name);
    else
        printf("%-17s %.4f to %.4f (+-%.4f)\n", name, mean - half, mean + half, half);
}

static int print_table(cli_session *session, const dgm_classify_report *report,
                       const dgm_graph_set *set) {
    dgm_classify_summary summary;
    char a[CLI_COUNT_SPACE];
    dgm_status status = dgm_classify_report_summary(session->ctx, report, &summary);
    if (status != DGM_OK)
        return cli_fail_status(session, status);
    print_folds(report);
    printf("%-17s %.4f\n", "mean accuracy", summary.mean);
    print_half("95% interval", summary.mean, summary.ci95);
    print_half("corrected", summary.mean, summary.ci95_corrected);
    printf("%-17s %s\n", "parameters", cli_count(summary.parameters, a));
    printf("%-17s %.1f MB in one training\n", "tensors", (double)summary.bytes / 1e6);
    printf("%-17s %.3g\n", "seconds", summary.seconds);
    print_confusion(report, set);
    return CLI_DONE;
}

static int print_json(cli_session *session, const dgm_classify_report *report) {
    char *text = NULL;
    dgm_status status = dgm_classify_report_json(session->ctx, report, &text);
    if (status == DGM_OK)
        fputs(text, stdout);
    dgm_export_text_free(session->ctx, text);
    return cli_fail_status(session, status);
}

/* On stderr, where it disturbs neither table nor JSON. */
static void tell_paired(cli_session *session, const cli_request *request,
                        const dgm_classify_report *report) {
    const dgm_paired_test *test = dgm_classify_report_paired(report);
    if (test)
        cli_say(session, "against",
                "%s: %+.4f +-%.4f over %lld pairs of folds, t = %.2f, p = %.3f%s",
                request->classify.against, test->difference, test->ci95, (long long)test->folds,
                test->t, test->p, test->p < 0.05 ? "" : ": no difference is shown");
}

/* ---- running ---- */

static bool has_ending(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ending) == 0;
}

static int check(cli_session *session, const cli_request *request) {
    int code = cli_check_outputs(session, request);
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++) {
        const char *path = request->output.files.items[i];
        if (!has_ending(path, ".json") && !has_ending(path, ".safetensors"))
            code = cli_fail(session, CLI_WRONG_USAGE,
                            "%s: results are written as .json, networks as .safetensors", path);
        else if (request->classify.checkpoint && strcmp(path, request->classify.checkpoint) == 0)
            code = cli_fail(session, CLI_WRONG_USAGE,
                            "%s: the output and the checkpoint need a file each", path);
    }
    if (code == CLI_DONE && request->classify.checkpoint)
        code = cli_check_output(session, request->classify.checkpoint);
    if (code == CLI_DONE && request->classify.pool)
        code = cli_fail_status(session, dgm_pool_check(session->ctx, request->classify.pool));
    return code;
}

/* An interrupted run has left its finished folds where it was told to. */
static int fail_training(cli_session *session, const cli_request *request, dgm_status status) {
    const char *path = request->classify.checkpoint;
    if (status == DGM_ERROR_CANCELLED && path && access(path, F_OK) == 0)
        return cli_fail(session, CLI_INTERRUPTED, "%s; the same command goes on from %s",
                        dgm_context_error(session->ctx), path);
    return cli_fail_status(session, status);
}

static int write_files(cli_session *session, const cli_request *request,
                       const dgm_classify_report *report) {
    int code = CLI_DONE;
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++) {
        const char *path = request->output.files.items[i];
        dgm_status status =
            has_ending(path, ".json")
                ? dgm_classify_report_write(session->ctx, report, path)
                : dgm_classifier_write(session->ctx, dgm_classify_report_model(report), path);
        code = cli_fail_status(session, status);
        if (code == CLI_DONE)
            cli_say(session, "wrote", "%s", path);
    }
    return code;
}

static int run(cli_session *session, const cli_request *request) {
    dgm_graph_set *set = NULL;
    dgm_classify_report *report = NULL;
    dgm_classify_options options = request->classify;
    for (int i = 0; i < request->output.files.count; i++)
        options.keep_model |= has_ending(request->output.files.items[i], ".safetensors");
    int code = check(session, request);
    if (code == CLI_DONE)
        code = cli_fail_status(session,
                               dgm_graph_set_open(session->ctx, request->operand, NULL, &set));
    if (code == CLI_DONE)
        code = fail_training(session, request, dgm_classify(session->ctx, set, &options, &report));
    if (code == CLI_DONE)
        code = write_files(session, request, report);
    if (code == CLI_DONE)
        code =
            request->common.json ? print_json(session, report) : print_table(session, report, set);
    if (code == CLI_DONE)
        tell_paired(session, request, report);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
    return code;
}

const cli_command cli_classify_command = {
    .name = "classify",
    .summary = "classify whole graphs by networks that pool, cross-validated",
    .usage = "SET [OPTIONS] [-o FILE]...",
    .operand = "SET",
    .operand_help = "a folder with graphs in the form of TU Dortmund",
    .description = description,
    .groups = groups,
    .lists_poolings = true,
    .examples = examples,
    .run = run,
};
