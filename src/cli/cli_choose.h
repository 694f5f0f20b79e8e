/* SPDX-License-Identifier: Apache-2.0 */
/* What map chooses by itself: settings that nobody gave. */
#ifndef CLI_CHOOSE_H
#define CLI_CHOOSE_H

#include "cli_command.h"

/* A choice, and what it was made for. */
typedef struct cli_choice {
    dgm_graph *graph; /* the graph, which was opened for it; NULL: nothing is to be chosen */
    dgm_predictions *predictions; /* of the file that the job names; NULL: likewise, or none */
    dgm_study *study;             /* NULL: nothing is to be chosen */
    char *command;                /* the command with the chosen options; NULL: likewise */
    dgm_bits chance; /* of settings that were given: what rewired graphs give; no runs: not asked */
} cli_choice;

/* Tells what the command line leaves open, as the sum of dgm_study_open; 0: nothing. */
unsigned cli_open_settings(const cli_request *request);
/* Opens the graph and the predictions and studies them for the job. On failure it prints the error.
 * Returns the exit code; the caller frees the choice in any case. */
int cli_study(cli_session *session, const cli_request *request, const dgm_job *job,
              const dgm_study_options *options, cli_choice *out);
/* Does the same for what is open, if anything is, and writes the best settings into the job. */
int cli_choose(cli_session *session, const cli_request *request, dgm_job *job, cli_choice *out);
/* Says what was chosen, if anything was. */
void cli_say_choice(cli_session *session, const cli_choice *choice);
void cli_choice_free(cli_choice *choice);
/* Writes the command of the request with the options of a candidate, for provenance and for people.
 * The caller frees it; NULL: there is not enough memory. */
char *cli_command_with(const cli_request *request, const char *command,
                       const dgm_study_candidate *candidate);

#endif
