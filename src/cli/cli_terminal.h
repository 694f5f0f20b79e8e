/* SPDX-License-Identifier: Apache-2.0 */
/* Words for people: errors, notes, colours, the progress bar, and the signals that stop a run. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "dgm/context.h"

enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_WRONG_USAGE = 2,
    CLI_INTERRUPTED = 130,
};

enum { CLI_NOTES_KEPT = 16 };

/* One run of the program. */
typedef struct cli_session {
    dgm_context *ctx;
    bool quiet;                  /* no notes, no bar, no closing words */
    bool colour;                 /* stderr understands colours */
    bool bar;                    /* stderr is a terminal that can erase a line */
    bool blocks;                 /* and shows UTF-8 */
    bool drawn;                  /* the bar is on the screen */
    double started, redrawn;     /* seconds */
    char stage[48];              /* that the bar shows */
    double stage_started;        /* seconds */
    double stage_from;           /* its fraction then */
    char *notes[CLI_NOTES_KEPT]; /* shown when the run went well */
    int note_count;              /* may exceed what was kept */
} cli_session;

/* Makes the context and hooks up progress, notes and signals. Prints and returns an exit code on
 * failure. */
int cli_session_open(cli_session *session);
/* Flushes standard output and frees everything; returns `code`, or CLI_FAILED if output was lost.
 */
int cli_session_close(cli_session *session, int code);

/* Prints "dgm: ..." as one line on stderr and returns the exit code. */
int cli_fail(cli_session *session, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what the library said. */
int cli_fail_status(cli_session *session, dgm_status status);
int cli_fail_memory(cli_session *session);

/* A line of the closing summary on stderr, "  name  text"; nothing if quiet. */
void cli_say(cli_session *session, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes sure that descriptors 0 to 2 are open, so that no output file becomes "standard output" by
 * accident. */
void cli_guard_streams(void);
/* Whether a stream is a terminal on which colours are welcome (NO_COLOR, TERM=dumb). */
bool cli_wants_colour(FILE *stream);
/* Columns of the terminal behind a stream, or `otherwise`. */
int cli_columns(FILE *stream, int otherwise);
/* Whether the locale shows UTF-8. */
bool cli_shows_utf8(void);

#endif
