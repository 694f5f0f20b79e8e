/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a summary explains of its graph, for people and as JSON. */
#ifndef CLI_BITS_H
#define CLI_BITS_H

#include "cli_command.h"
#include "cli_text.h"

/* Says it, unless it is not known. */
void cli_say_bits(cli_session *session, const dgm_bits *bits);
/* Adds "bits" to the object that is open, as the JSON of a summary has it. */
void cli_json_bits(cli_json *json, const dgm_bits *bits);

#endif
