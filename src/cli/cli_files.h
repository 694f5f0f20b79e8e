/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the build makes from the tables. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli_command.h"

typedef void (*cli_page_fn)(FILE *stream, const cli_command *command);

/* Writes FOLDER/NAME by calling `page` for a command, or for the program if that is NULL. On
 * failure it prints the error. Returns the exit code. */
int cli_write_file(cli_session *session, const char *folder, const char *name, cli_page_fn page,
                   const cli_command *command);

#endif
