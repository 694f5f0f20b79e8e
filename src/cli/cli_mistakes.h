/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the counts of a classifier's mistakes, for people and as JSON. */
#ifndef CLI_MISTAKES_H
#define CLI_MISTAKES_H

#include "cli_command.h"
#include "cli_text.h"

/* Says how many mistakes there are, and nothing if that is not known. */
void cli_say_mistakes(cli_session *session, const dgm_summary_mistakes *mistakes);
/* Adds to the object that is open the keys that "coverage" has in the JSON of a summary. */
void cli_json_mistakes(cli_json *json, const dgm_summary_mistakes *mistakes);

#endif
