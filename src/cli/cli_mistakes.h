/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the counts of a classifier's mistakes, for people and as JSON. */
#ifndef CLI_MISTAKES_H
#define CLI_MISTAKES_H

#include "cli_command.h"
#include "cli_text.h"

/* Nothing where they are not known. */
void cli_say_mistakes(cli_session *session, const dgm_summary_mistakes *mistakes);
/* The keys of "coverage" in the summary's own JSON, into the object that is open. */
void cli_json_mistakes(cli_json *json, const dgm_summary_mistakes *mistakes);

#endif
