/* SPDX-License-Identifier: Apache-2.0 */
/* Words for people: errors, notes, colours, the progress bar, and the signals that stop a run. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "dgm/context.h"

/* The exit codes of the program. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_WRONG_USAGE = 2,
    CLI_INTERRUPTED = 130,
};

enum { CLI_NOTES_KEPT = 16 }; /* the most notes that are shown; the others are counted */

/* One run of the program. */
typedef struct cli_session {
    dgm_context *ctx;
    bool quiet;                  /* no notes, no progress bar and no closing words are shown */
    bool colour;                 /* standard error shows colours */
    bool bar;                    /* standard error is a terminal that can erase a line */
    bool blocks;                 /* it also shows UTF-8, so that the bar is made of blocks */
    bool drawn;                  /* the bar is on the screen */
    double started;              /* when the run began, in seconds */
    double redrawn;              /* when the bar was drawn last, in seconds */
    char stage[48];              /* the stage that the bar shows */
    double stage_started;        /* when this stage began, in seconds */
    double stage_from;           /* what fraction of it was done then */
    char *notes[CLI_NOTES_KEPT]; /* the notes, which are shown if the run goes well */
    int note_count;              /* how many there were, which may be more than are kept */
} cli_session;

/* Makes the context, which then reports progress and notes to the session, and catches signals. On
 * failure it prints the error. Returns the exit code. */
int cli_session_open(cli_session *session);
/* Flushes standard output and frees everything. Returns `code`, or CLI_FAILED if output was lost.
 */
int cli_session_close(cli_session *session, int code);

/* Forgets the notes so far: they were those of a command that ran inside another. */
void cli_forget_notes(cli_session *session);

/* Prints "dgm: ..." as one line on stderr and returns the exit code. */
int cli_fail(cli_session *session, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Does the same for an error of the library, or for a lack of memory. If there is no error, the
 * first prints nothing and returns CLI_DONE. */
int cli_fail_status(cli_session *session, dgm_status status);
int cli_fail_memory(cli_session *session);

/* Prints a line of the closing words on standard error, "  name  text", unless the session is
 * quiet. */
void cli_say(cli_session *session, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a text on standard error as it is, also if the session is quiet. */
void cli_print(cli_session *session, const char *text);

/* Makes sure that descriptors 0 to 2 are open, so that no output file becomes "standard output" by
 * accident. */
void cli_guard_streams(void);
/* Tells whether a stream is a terminal on which colours are welcome; NO_COLOR and TERM=dumb say
 * that they are not. */
bool cli_wants_colour(FILE *stream);
/* Returns how many columns the terminal behind a stream has, or `otherwise` if it is no terminal.
 */
int cli_columns(FILE *stream, int otherwise);
/* Tells whether the locale shows UTF-8. */
bool cli_shows_utf8(void);

#endif
