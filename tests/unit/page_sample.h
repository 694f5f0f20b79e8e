/* SPDX-License-Identifier: Apache-2.0 */
/* What pages are made of, and the command that they show. Included after unit_fixture.h. */
#ifndef PAGE_SAMPLE_H
#define PAGE_SAMPLE_H

#include <stdlib.h>

#include "explore_reply.h"
#include "page_page.h"

static inline dgm_page_input page_input(const dgm_graph *graph, const char *name,
                                        const char *const (*settings)[2], int count) {
    dgm_page_input input;
    dgm_page_input_init(&input);
    input.graph = graph;
    input.name = name;
    input.settings = settings;
    input.setting_count = count;
    return input;
}

/* The command of the picture, which the caller frees; NULL: there is none. */
static inline char *command_of(dgm_explorer *explorer) {
    reply picture = ask_of(explorer, "picture", "");
    const char *command = text(picture.json, "command");
    char *copy = command ? strdup(command) : NULL;
    drop(&picture);
    return copy;
}

static inline void assert_command(dgm_explorer *explorer, const char *expected) {
    char *command = command_of(explorer);
    assert_non_null(command);
    assert_string_equal(command, expected);
    free(command);
}

static inline void assert_command_begins(dgm_explorer *explorer, const char *words) {
    char *command = command_of(explorer);
    assert_non_null(command);
    if (strncmp(command, words, strlen(words)) != 0)
        fail_msg("the command is %s", command);
    free(command);
}

#endif
