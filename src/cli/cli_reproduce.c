/* SPDX-License-Identifier: Apache-2.0 */
/* dgm reproduce: the paper, again. The library says which commands make a part, and they are run
 * here as if they had been typed. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_command.h"
#include "cli_text.h"

static const dgm_option_table *folders_table(void) {
    static const dgm_option options[] = {
        {.name = "data",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_request, data),
         .default_text = "none: the parts that need no data",
         .argument = "FOLDER",
         .help = "where the data sets are: cora, citeseer, pubmed, PROTEINS, ..."},
    };
    static const dgm_option_table table = {"Data", options, sizeof options / sizeof *options};
    return &table;
}

static const dgm_option_table *output_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .default_text = "none: it must be given",
         .argument = "FOLDER",
         .help = "write report.html, report.md and all files into FOLDER, which is made if it is "
                 "not there"},
    };
    static const dgm_option_table table = {"Output", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {folders_table, 0, false, NULL},
    {output_table, offsetof(cli_request, output), true, NULL},
    {dgm_reproduce_option_table, offsetof(cli_request, reproduce), false, NULL},
    {cli_common_table, offsetof(cli_request, common), false, NULL},
    {NULL, 0, false, NULL},
};

static const char *const description[] = {
    "Makes every figure, claim and table of the paper 'Deep Graph Mapper: Seeing Graphs through "
    "the Neural Lens' that can be made from data. The folder then holds a report as report.html "
    "and report.md: for each part what the paper says, the commands that made ours, the pictures "
    "and numbers, and a verdict that is computed from them.",
    "A run that was interrupted goes on where it was, with the same command. A part whose data are "
    "missing or damaged is named in the report; the others are made, and the exit status is 1.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm reproduce --data sets -o out", "all of it"},
    {"dgm reproduce --data sets -o out --quick", "in two minutes: without the long parts"},
    {"dgm reproduce --data sets -o out --only fig5,prop42", "two parts of it"},
    {"dgm reproduce -o out --only fig1,fig4", "parts that need no data"},
    {NULL, NULL},
};

/* ---- the folder ---- */

/* Everything happens in the output folder, in which "data" is a link to the data sets: so commands
 * read the same on every machine. */
static int enter_folder(cli_session *session, const cli_request *request) {
    const char *output = request->output.files.items[0];
    char *data = request->data ? realpath(request->data, NULL) : NULL;
    struct stat found;
    int code = CLI_DONE;
    if (request->data && !data)
        return cli_fail(session, CLI_FAILED, "%s: %s", request->data, strerror(errno));
    if ((mkdir(output, 0777) != 0 && errno != EEXIST) || chdir(output) != 0)
        code = cli_fail(session, CLI_FAILED, "%s: %s", output, strerror(errno));
    else if (lstat("data", &found) == 0 && !S_ISLNK(found.st_mode))
        code =
            cli_fail(session, CLI_FAILED,
                     "%s/data: it is no link to data sets; choose another folder for -o", output);
    if (code == CLI_DONE && data) {
        unlink("data");
        if (symlink(data, "data") != 0)
            code = cli_fail(session, CLI_FAILED, "%s/data: %s", output, strerror(errno));
    }
    free(data);
    return code;
}

/* ---- commands ---- */

/* What the library's calls back need. */
typedef struct reproducing {
    cli_session *session;
    bool quiet; /* as the user wants it; commands run quietly */
} reproducing;

/* What a command would print is in its files: standard output leads nowhere until listen_again. */
static int stop_listening(void) {
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

static void listen_again(int kept) {
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
}

static dgm_status run_words(void *user, int count, const char *const *words) {
    const reproducing *run = user;
    char **argv = calloc((size_t)count + 2, sizeof *argv);
    const cli_command *command = cli_command_find(words[0]);
    if (!argv)
        return DGM_ERROR_MEMORY;
    argv[0] = (char *)"dgm";
    for (int i = 0; i < count; i++)
        argv[i + 1] = (char *)words[i];
    int kept = stop_listening();
    int code = cli_run_command(run->session, command, count + 1, argv);
    listen_again(kept);
    cli_forget_notes(run->session);
    run->session->quiet = run->quiet;
    free(argv);
    return code == CLI_DONE          ? DGM_OK
           : code == CLI_INTERRUPTED ? DGM_ERROR_CANCELLED
                                     : DGM_ERROR_DATA;
}

/* ---- words ---- */

static void say_outcome(void *user, const dgm_reproduce_outcome *outcome) {
    const reproducing *run = user;
    const char *words = dgm_verdict_words(outcome->verdict);
    if (outcome->why)
        cli_say(run->session, outcome->part->name, "%s: %s", words, outcome->why);
    else if (outcome->kept)
        cli_say(run->session, outcome->part->name, "%s, %lld of %lld checks; made before", words,
                (long long)outcome->holding, (long long)outcome->checks);
    else
        cli_say(run->session, outcome->part->name, "%s, %lld of %lld checks; %.1f s", words,
                (long long)outcome->holding, (long long)outcome->checks, outcome->seconds);
}

static int run(cli_session *session, const cli_request *request) {
    reproducing user = {session, request->common.quiet};
    dgm_reproduce_options options = request->reproduce;
    dgm_reproduce_counts counts;
    options.command = run_words;
    options.outcome = say_outcome;
    options.user = &user;
    if (request->output.files.count != 1)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "reproduce writes into one folder; give it as -o FOLDER");
    int code = cli_fail_status(session, dgm_reproduce_check(session->ctx, &options));
    if (code == CLI_DONE)
        code = enter_folder(session, request);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_reproduce_run(session->ctx, &options, &counts));
    cli_forget_notes(session);
    if (code != CLI_DONE)
        return code;
    cli_say(session, "wrote", "%s/report.html and report.md", request->output.files.items[0]);
    if (counts.not_made > 0)
        return cli_fail(session, CLI_FAILED, "%lld of %lld parts could not be made",
                        (long long)counts.not_made,
                        (long long)(counts.made + counts.kept + counts.not_made));
    return CLI_DONE;
}

const cli_command cli_reproduce_command = {
    .name = "reproduce",
    .summary = "the figures, claims and tables of the paper, again",
    .usage = "--data FOLDER -o FOLDER [OPTIONS]",
    .operand_optional = true,
    .description = description,
    .groups = groups,
    .examples = examples,
    .run = run,
};
