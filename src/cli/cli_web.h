/* SPDX-License-Identifier: Apache-2.0 */
/* What a page begins with: the settings that were given and those that were chosen. */
#ifndef CLI_WEB_H
#define CLI_WEB_H

#include "cli_choose.h"

typedef struct cli_web {
    dgm_page_input input;    /* of graph, study and predictions of a choice; its lens may be set */
    const char *(*pairs)[2]; /* the settings of the input */
    char (*values)[DGM_STUDY_VALUE]; /* the values of those that were chosen */
} cli_web;

/* On failure it prints the error. Returns the exit code; the caller frees it in any case. */
int cli_web_open(cli_session *session, const cli_request *request, const cli_choice *choice,
                 cli_web *out);
void cli_web_free(cli_web *web);
/* Whether an output is a page, by its name. */
bool cli_web_is_page(const char *path);

#endif
