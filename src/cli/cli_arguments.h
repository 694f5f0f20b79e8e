/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to a request. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "cli_command.h"

/* Sets everything to its default. No option can be repeated more often than `words` times. Returns
 * false if there is no memory left. */
bool cli_request_init(cli_request *request, int words);
void cli_request_free(cli_request *request);

/* Reads the words of argv from `first` on: --opt value, --opt=value, -o value; `--` ends the
 * options. Prints what is wrong and returns the exit code. What comes after --help is not looked
 * at. */
int cli_arguments_parse(cli_session *session, const cli_command *command, int argc, char **argv,
                        int first, cli_request *request);

#endif
