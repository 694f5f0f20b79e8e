/* SPDX-License-Identifier: Apache-2.0 */
/* From the words of a command line to a request. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "cli_command.h"

/* Defaults everywhere; `words` bounds how often an option can be repeated. False: out of memory. */
bool cli_request_init(cli_request *request, int words);
void cli_request_free(cli_request *request);

/* Reads argv[first..argc). --opt value, --opt=value, -o value, `--` ends options. Prints what is
 * wrong and returns the exit code. After --help the rest is not looked at. */
int cli_arguments_parse(cli_session *session, const cli_command *command, int argc, char **argv,
                        int first, cli_request *request);

#endif
