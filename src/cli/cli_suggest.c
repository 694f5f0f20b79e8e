/* SPDX-License-Identifier: Apache-2.0 */
/* dgm suggest: the settings that map chooses among, in order, with their numbers and commands. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_bits.h"
#include "cli_choose.h"
#include "cli_text.h"

/* What suggest takes besides the options of map. */
static const dgm_option_table *suggesting_table(void) {
    static const dgm_option options[] = {
        {.name = "most",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(cli_suggesting, most),
         .minimum = 1,
         .maximum = 1000,
         .default_text = "8",
         .argument = "N",
         .help = "show at most N candidates, the best of each lens among them"},
        {.name = "train",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_suggesting, train),
         .help = "train a network as well: Deep Graph Infomax is then a candidate"},
    };
    static const dgm_option_table table = {"Suggesting", options, sizeof options / sizeof *options};
    return &table;
}

static const dgm_option_table *output_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .argument = "FILE",
         .help =
             "draw the candidates into FILE, a panel for each: .svg .pdf .png; may be repeated"},
    };
    static const dgm_option_table table = {"Output", options, sizeof options / sizeof *options};
    return &table;
}

static const cli_group groups[] = {
    {suggesting_table, offsetof(cli_request, suggesting), false, NULL},
    CLI_MAPPING_GROUPS,
    {output_table, offsetof(cli_request, output), false, NULL},
    CLI_GENERAL_GROUPS,
};

static const cli_default defaults[] = {
    {"lens", "several are tried"},
    {"transform", "tried with the lens, otherwise none"},
    {"cover", "several are tried with the lens, otherwise uniform"},
    {"intervals", "several are tried"},
    {"overlap", "several are tried"},
    {"pieces", "joined with the lens where cells cut a component, otherwise apart"},
    {"dust-size", "5, or more where there are too many marks"},
    {NULL, NULL},
};

static const char *const description[] = {
    "Looks for settings of 'dgm map' that show the shape of a graph. It maps the graph through "
    "several lenses with many covers, measures each summary and prints the best of them, each with "
    "the command that makes it. The first is what 'dgm map' chooses by itself. Options that are "
    "given hold for all candidates.",
    "Candidates are compared by the bits for each edge that their marks save over a graph of the "
    "same "
    "degrees whose edges are drawn at random, after the bits that it takes to write the marks "
    "down. "
    "More than 150 marks, or a cluster with most of the nodes, come last. Labels do not count.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm suggest karate", "settings for the karate club, best first"},
    {"dgm suggest papers --train -o grid.svg",
     "a network among the candidates, and the best ones as small multiples"},
    {"dgm suggest graph.mtx --lens-file embedding.npy",
     "intervals and overlap for a lens of your own"},
    {NULL, NULL},
};

/* ---- which of them ---- */

/* Those to show: the best of each lens first of all, then the others, in the order of scores. */
static int64_t choose_shown(const dgm_study *study, int64_t count, int64_t most, bool *shown) {
    int64_t selected = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < count && selected < most; i++)
            if (!shown[i] && (pass == 1 || dgm_study_leads(study, i))) {
                shown[i] = true;
                selected++;
            }
    return selected;
}

/* ---- their commands ---- */

static void free_commands(char **commands, int64_t count) {
    for (int64_t i = 0; commands && i < count; i++)
        free(commands[i]);
    free(commands);
}

/* One for each candidate that is shown, NULL for the others. Without enough memory there are none:
 * they are made before anything is printed. */
static char **make_commands(const cli_request *request, const dgm_study_candidate *candidates,
                            int64_t count, const bool *shown) {
    char **commands = calloc((size_t)count, sizeof *commands);
    bool whole = commands != NULL;
    for (int64_t i = 0; whole && i < count; i++)
        if (shown[i])
            whole = (commands[i] = cli_command_with(request, "map", &candidates[i])) != NULL;
    if (whole)
        return commands;
    free_commands(commands, count);
    return NULL;
}

/* ---- in words ---- */

static void print_candidate(const dgm_study_candidate *candidate, const char *command) {
    const dgm_study_measures *is = &candidate->measures;
    printf("%5.2f  %5lld  %7.0f%%  %6.0f%%  %6lld  %5lld  %s\n", is->bits.gained - is->bits.cost,
           (long long)is->marks, 100 * is->largest, 100 * is->inside, (long long)is->pieces,
           (long long)is->loops, command);
}

static void print_table(const dgm_study_candidate *candidates, int64_t count, char **commands) {
    printf("saved  marks   largest  inside  pieces  loops  command\n");
    for (int64_t i = 0; i < count; i++)
        if (commands[i])
            print_candidate(&candidates[i], commands[i]);
}

static void print_json(const cli_request *request, const dgm_graph *graph,
                       const dgm_study_candidate *candidates, int64_t count, char **commands) {
    cli_json json;
    cli_json_begin(&json, stdout);
    cli_json_text(&json, "graph", dgm_graph_source(graph));
    cli_json_integer(&json, "tried", count);
    cli_json_open(&json, "candidates", '[');
    for (int64_t i = 0; i < count; i++) {
        const dgm_study_measures *is = &candidates[i].measures;
        if (!commands[i])
            continue;
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "command", commands[i]);
        cli_json_integer(&json, "clusters", is->clusters);
        cli_json_integer(&json, "shown", is->shown);
        cli_json_integer(&json, "singles", is->singles);
        cli_json_real(&json, "largest", is->largest);
        cli_json_real(&json, "held", is->held);
        cli_json_real(&json, "inside", is->inside);
        cli_json_integer(&json, "pieces", is->pieces);
        cli_json_integer(&json, "loops", is->loops);
        cli_json_integer(&json, "marks", is->marks);
        cli_json_real(&json, "misfit", candidates[i].misfit);
        cli_json_bits(&json, &is->bits);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_integer(&json, "seed", request->job.seed);
    cli_json_end(&json);
}

/* ---- as small multiples ---- */

enum { TITLE = 320 };

/* "degree, rank, n = 10, g = 0.4", or of a cover without intervals "communities:resolution=2, parts" */
static void write_title(const dgm_study_candidate *candidate, const dgm_job *job, bool first,
                        char title[TITLE]) {
    const char *lens = candidate->lens ? candidate->lens : "lens",
               *chosen = first ? " (chosen)" : "";
    if (candidate->cover && candidate->intervals == 0)
        snprintf(title, TITLE, "%.100s%s%s, %.100s%s", lens, candidate->reduce ? ", " : "",
                 candidate->reduce ? candidate->reduce : "", candidate->cover, chosen);
    else
        snprintf(title, TITLE, "%.*s%s%s, n = %lld, g = %.4g%s", (int)strcspn(lens, ":"), lens,
                 candidate->transform ? ", " : "", candidate->transform ? candidate->transform : "",
                 (long long)job->mapper.intervals[0], job->mapper.overlap[0], chosen);
}

static dgm_status add_panel(cli_session *session, const cli_request *request,
                            const cli_choice *choice, int64_t index, bool first, dgm_figure *figure,
                            dgm_job_result *made) {
    int64_t count;
    const dgm_study_candidate *candidate = dgm_study_candidates(choice->study, &count) + index;
    dgm_job job = cli_make_job(request);
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    char title[TITLE];
    input.graph = choice->graph;
    input.predictions = choice->predictions;
    dgm_status status = dgm_study_apply(session->ctx, choice->study, index, &job);
    if (status == DGM_OK)
        status = dgm_job_run(session->ctx, &job, &input, DGM_KEEP_VIEW, made);
    write_title(candidate, &job, first, title);
    if (status == DGM_OK)
        status = dgm_figure_add_view(figure, made->view, NULL, title, NULL, 0);
    if (status == DGM_OK && first)
        dgm_figure_frame_panel(figure, 0);
    return status;
}

static int draw(cli_session *session, const cli_request *request, const cli_choice *choice,
                int64_t count, const bool *shown, int64_t selected) {
    dgm_job job = cli_make_job(request);
    assert(selected > 0); /* there is always a candidate */
    dgm_job_result *made = calloc((size_t)selected, sizeof *made);
    dgm_figure *figure = NULL;
    int64_t panels = 0;
    if (!made)
        return cli_fail_memory(session);
    dgm_status status = dgm_figure_create(session->ctx, &job.figure, &figure);
    for (int64_t i = 0; i < count && status == DGM_OK; i++)
        if (shown[i]) {
            status = add_panel(session, request, choice, i, i == 0, figure, &made[panels]);
            panels++;
        }
    if (status == DGM_OK)
        status = dgm_figure_write(session->ctx, figure, NULL, 0, request->output.files.items,
                                  request->output.files.count);
    dgm_figure_free(figure);
    for (int64_t i = 0; i < panels; i++)
        dgm_job_result_free(&made[i]);
    free(made);
    return cli_fail_status(session, status);
}

/* ---- the run ---- */

/* Draws and prints the candidates that are shown, of which there are `selected`. */
static int show_selected(cli_session *session, const cli_request *request, const cli_choice *choice,
                         const bool *shown, int64_t selected) {
    int64_t count;
    const dgm_study_candidate *candidates = dgm_study_candidates(choice->study, &count);
    char **commands = make_commands(request, candidates, count, shown);
    if (!commands)
        return cli_fail_memory(session);
    int code = request->output.files.count ? draw(session, request, choice, count, shown, selected)
                                           : CLI_DONE;
    if (code == CLI_DONE && request->common.json)
        print_json(request, choice->graph, candidates, count, commands);
    else if (code == CLI_DONE)
        print_table(candidates, count, commands);
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++)
        cli_say(session, "wrote", "%s", request->output.files.items[i]);
    free_commands(commands, count);
    return code;
}

static int show(cli_session *session, const cli_request *request, const cli_choice *choice) {
    int64_t count;
    dgm_study_candidates(choice->study, &count);
    bool *shown = calloc((size_t)count, sizeof *shown);
    if (!shown)
        return cli_fail_memory(session);
    int64_t selected = choose_shown(choice->study, count, request->suggesting.most, shown);
    int code = show_selected(session, request, choice, shown, selected);
    free(shown);
    return code;
}

static int run(cli_session *session, const cli_request *request) {
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    cli_choice choice = {.graph = NULL};
    dgm_job job = cli_make_job(request);
    options.open = cli_open_settings(request);
    options.trained = request->suggesting.train;
    int code = cli_check_outputs(session, request);
    for (int i = 0; code == CLI_DONE && i < request->output.files.count; i++)
        code = cli_check_format(session, &cli_suggest_command, "figures",
                                request->output.files.items[i]);
    if (code == CLI_DONE)
        code = cli_study(session, request, &job, &options, &choice);
    if (code == CLI_DONE)
        code = show(session, request, &choice);
    cli_choice_free(&choice);
    return code;
}

const cli_command cli_suggest_command = {
    .name = "suggest",
    .summary = "settings for map that show the shape of a graph, best first",
    .usage = "GRAPH [OPTIONS] [-o FILE]...",
    .operand = "GRAPH",
    .operand_help = cli_graph_help,
    .description = description,
    .groups = groups,
    .defaults = defaults,
    .lists_lenses = true,
    .lists_reductions = true,
    .output_extensions = "svg pdf png",
    .examples = examples,
    .run = run,
};
