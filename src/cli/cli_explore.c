/* SPDX-License-Identifier: Apache-2.0 */
/* dgm explore: the summary, live, in a browser. */
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_choose.h"
#include "cli_text.h"
#include "cli_web.h"

extern char **environ;

static const dgm_option_table *browser_table(void) {
    static const dgm_option options[] = {
        {.name = "no-browser",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_request, no_browser),
         .help = "open no browser; the address of the page is the only line on stdout"},
    };
    static const dgm_option_table table = {"Page", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {dgm_server_option_table, offsetof(cli_request, server), false, NULL},
    {browser_table, 0, true, NULL},
    {cli_choosing_table, offsetof(cli_request, choosing), false, NULL},
    {dgm_job_lens_option_table, offsetof(cli_request, job), false, NULL},
    {dgm_job_cover_option_table, offsetof(cli_request, job), false, NULL},
    {dgm_mapper_option_table, offsetof(cli_request, job.mapper), true, NULL},
    {dgm_figure_option_table, offsetof(cli_request, job.figure), false, NULL},
    {dgm_layout_option_table, offsetof(cli_request, job.layout), true, NULL},
    {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL},
    {dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL},
    {dgm_job_seed_option_table, offsetof(cli_request, job), false, NULL},
    {cli_common_table, offsetof(cli_request, common), true, NULL},
    {NULL, 0, false, NULL},
};

static const char *const description[] = {
    "Opens a page in the browser that shows the summary of a graph and answers while a slider "
    "moves: intervals, overlap, edges, colours, lenses. A click on a cluster shows who is in it "
    "and "
    "what sets it apart. The page begins with the settings that 'dgm map' chooses; options that "
    "are "
    "given hold.",
    "The page is served to this machine alone. Its address holds a token, and who does not have it "
    "gets nothing. It ends with Ctrl-C, or from the page.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm explore papers", "a citation network, live"},
    {"dgm explore graph.gml --lens density --colour labels", "a file, through its density"},
    {"dgm explore web.txt.gz --no-browser --port 8000",
     "print the address, for a browser that you open yourself"},
    {NULL, NULL},
};

/* ---- the browser ---- */

/* The program that opens addresses goes on by itself. Returns whether it was there. */
static bool open_browser(const char *address) {
    char program[] = "xdg-open", *copy = strdup(address);
    char *const words[] = {program, copy, NULL};
    pid_t child = -1;
    bool opened = copy && posix_spawnp(&child, program, NULL, NULL, words, environ) == 0;
    free(copy);
    return opened;
}

static void say_address(cli_session *session, const cli_request *request, const char *address) {
    if (request->no_browser) {
        puts(address);
        fflush(stdout);
        return;
    }
    cli_say(session, "page", "%s", address);
    if (!open_browser(address))
        cli_say(session, "browser", "none was found: open the address above");
    cli_say(session, "stop", "Ctrl-C");
}

static void warn_of_host(cli_session *session, const cli_request *request) {
    const char *host = request->server.host;
    if (host && strncmp(host, "127.", 4) != 0 && strcmp(host, "::1") != 0)
        cli_say(session, "warning",
                "others on the network can reach this page, unencrypted, if they learn its token");
}

/* ---- the run ---- */

static int serve(cli_session *session, const cli_request *request, const cli_choice *choice) {
    dgm_server *server = NULL;
    cli_web web;
    int code = cli_web_open(session, request, choice, &web);
    if (code == CLI_DONE)
        code = cli_fail_status(
            session, dgm_server_start(session->ctx, &web.input, &request->server, &server));
    if (code == CLI_DONE) {
        cli_say_choice(session, choice);
        warn_of_host(session, request);
        say_address(session, request, dgm_server_address(server));
        code = cli_fail_status(session, dgm_server_wait(session->ctx, server));
    }
    dgm_server_free(server);
    cli_web_free(&web);
    return code;
}

/* Where nothing was chosen, nothing was read either. */
static int open_files(cli_session *session, const cli_request *request, cli_choice *choice) {
    const char *predictions = request->job.predictions;
    int code = cli_open_graph(session, request, &choice->graph);
    if (code == CLI_DONE && predictions)
        code = cli_fail_status(session, dgm_predictions_read(session->ctx, choice->graph,
                                                             predictions, &choice->predictions));
    return code;
}

static int run(cli_session *session, const cli_request *request) {
    dgm_job job = cli_make_job(request);
    cli_choice choice = {.graph = NULL};
    int code = cli_fail_status(session, dgm_job_check(session->ctx, &job));
    if (code == CLI_DONE)
        code = cli_choose(session, request, &job, &choice);
    if (code == CLI_DONE && !choice.graph)
        code = open_files(session, request, &choice);
    if (code == CLI_DONE)
        code = serve(session, request, &choice);
    cli_choice_free(&choice);
    return code;
}

const cli_command cli_explore_command = {
    .name = "explore",
    .summary = "the summary, live, in a browser",
    .usage = "GRAPH [OPTIONS]",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .lists_lenses = true,
    .lists_reductions = true,
    .examples = examples,
    .run = run,
};
