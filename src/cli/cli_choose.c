/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_choose.h"

#include <stdlib.h>
#include <string.h>

#include "cli_text.h"

void cli_choice_free(cli_choice *choice) {
    dgm_study_free(choice->study);
    dgm_predictions_free(choice->predictions);
    dgm_graph_free(choice->graph);
    free(choice->command);
    *choice = (cli_choice){.graph = NULL};
}

/* Partitions have a cover of their own. Covers of fixed cells have no intervals and no overlap, cmo has a rule for both, and the rule of
 * another system is asked for by those who know what they want. */
static bool is_settled(const cli_request *request) {
    static const char *const covers[] = {"intervals", "simplex", "cmo", "parts"};
    const char *cover = request->job.cover;
    for (size_t i = 0; cover && i < sizeof covers / sizeof *covers; i++)
        if (strncmp(cover, covers[i], strlen(covers[i])) == 0)
            return true;
    return cli_is_given(request, "compat") || (!cover && dgm_job_has_parts(&request->job));
}

static bool has_grid(const char *cover) {
    return !cover || strcmp(cover, "uniform") == 0 || strcmp(cover, "quantile") == 0;
}

/* Balls overlap by themselves. */
static bool has_overlap(const char *cover) {
    return !cover || strncmp(cover, "balls", strlen("balls")) != 0;
}

unsigned cli_open_settings(const cli_request *request) {
    const dgm_job *job = &request->job;
    unsigned open = 0;
    if (is_settled(request))
        return 0;
    if (!job->lens_count && !job->lens_file)
        open |= DGM_OPEN_LENS | (job->cover ? 0 : DGM_OPEN_COVER);
    if (!cli_is_given(request, "intervals") && has_grid(job->cover))
        open |= DGM_OPEN_INTERVALS;
    if (!cli_is_given(request, "overlap") && has_overlap(job->cover))
        open |= DGM_OPEN_OVERLAP;
    if ((open & DGM_OPEN_LENS) && !cli_is_given(request, "pieces"))
        open |= DGM_OPEN_PIECES;
    if (open && !cli_is_given(request, "dust-size"))
        open |= DGM_OPEN_DUST;
    return open;
}

static void write_settings(FILE *line, const dgm_study_candidate *candidate) {
    const char *name;
    char value[DGM_STUDY_VALUE];
    for (int i = 0; dgm_study_setting(candidate, i, &name, value); i++) {
        fprintf(line, " --%s ", name);
        cli_shell_quote(line, value);
    }
}

char *cli_command_with(const cli_request *request, const char *command,
                       const dgm_study_candidate *candidate) {
    char *text = NULL;
    size_t length,
        rest = request->command_end - strlen("dgm ") - strcspn(request->command + 4, " ");
    FILE *line = open_memstream(&text, &length);
    if (!line)
        return NULL;
    fprintf(line, "dgm %s%.*s", command, (int)rest, request->command + request->command_end - rest);
    write_settings(line, candidate);
    if (candidate->measures.bits.runs > 0 && !cli_is_given(request, "chance"))
        fprintf(line, " --chance %lld", (long long)candidate->measures.bits.runs);
    fputs(request->command + request->command_end, line);
    if (cli_close_text(line, &text))
        return text;
    free(text);
    return NULL;
}

static char *settings_of(const dgm_study_candidate *candidate) {
    char *text = NULL;
    size_t length;
    FILE *line = open_memstream(&text, &length);
    if (!line)
        return NULL;
    write_settings(line, candidate);
    if (cli_close_text(line, &text))
        return text;
    free(text);
    return NULL;
}

/* The next finer picture that can be read: it may have loops that the chosen one is too coarse for. */
static const dgm_study_candidate *find_finer(const dgm_study *study) {
    int64_t count;
    const dgm_study_candidate *all = dgm_study_candidates(study, &count), *finer = NULL;
    for (int64_t i = 1; i < count; i++)
        if (all[i].misfit == 0 && all[i].measures.marks > all[0].measures.marks &&
            (!finer || all[i].measures.marks < finer->measures.marks))
            finer = &all[i];
    return finer;
}

void cli_say_choice(cli_session *session, const cli_choice *choice) {
    int64_t count;
    if (!choice->study)
        return;
    const dgm_study_candidate *finer = find_finer(choice->study);
    char *chosen = settings_of(dgm_study_candidates(choice->study, &count));
    char *other = finer ? settings_of(finer) : NULL;
    if (chosen)
        cli_say(session, "chosen", "%s", chosen + 1);
    if (other)
        cli_say(session, "finer", "%s: %lld marks, %lld loops", other + 1,
                (long long)finer->measures.marks, (long long)finer->measures.loops);
    free(chosen);
    free(other);
}

static int apply(cli_session *session, const cli_request *request, dgm_job *job,
                 cli_choice *choice) {
    int64_t count;
    const dgm_study_candidate *best = dgm_study_candidates(choice->study, &count);
    int code = cli_fail_status(session, dgm_study_apply(session->ctx, choice->study, 0, job));
    if (code != CLI_DONE)
        return code;
    choice->command = cli_command_with(request, "map", best);
    if (!choice->command)
        return cli_fail_memory(session);
    job->command = choice->command;
    return CLI_DONE;
}

/* Whatever can be wrong with a file is found before the graph is looked at. */
static int open_files(cli_session *session, const cli_request *request, cli_choice *out) {
    const char *path = request->job.predictions;
    int code = cli_open_graph(session, request, &out->graph);
    if (code == CLI_DONE && path)
        code = cli_fail_status(
            session, dgm_predictions_read(session->ctx, out->graph, path, &out->predictions));
    return code;
}

int cli_study(cli_session *session, const cli_request *request, const dgm_job *job,
              const dgm_study_options *options, cli_choice *out) {
    *out = (cli_choice){.graph = NULL};
    int code = cli_fail_status(session, dgm_job_check(session->ctx, job));
    if (code == CLI_DONE)
        code = open_files(session, request, out);
    if (code == CLI_DONE)
        code = cli_fail_status(
            session, dgm_study_create(session->ctx, out->graph, job, options, &out->study));
    return code;
}

/* What rewired graphs give with settings that were given. */
static int ask_chance(cli_session *session, const cli_request *request, const dgm_job *job,
                      cli_choice *out) {
    int code = cli_fail_status(session, dgm_job_check(session->ctx, job));
    if (code == CLI_DONE)
        code = open_files(session, request, out);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_study_chance(session->ctx, out->graph, job, NULL,
                                                         request->choosing.chance, &out->chance));
    return code;
}

int cli_choose(cli_session *session, const cli_request *request, dgm_job *job, cli_choice *out) {
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    bool asked = cli_is_given(request, "chance");
    options.open = cli_open_settings(request);
    options.chance = asked ? request->choosing.chance : -1;
    *out = (cli_choice){.graph = NULL};
    if (request->choosing.automatic != 0 || !options.open)
        return asked && request->choosing.chance > 0 ? ask_chance(session, request, job, out)
                                                     : CLI_DONE;
    int code = cli_study(session, request, job, &options, out);
    return code == CLI_DONE ? apply(session, request, job, out) : code;
}
