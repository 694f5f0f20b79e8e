/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

/* A run shorter than this shows no bar, and a bar is redrawn no faster. */
static const double bar_delay = 0.5, bar_period = 0.1;
/* Signals closer together than this are one. */
static const double patience = 0.3;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- streams ---- */

void cli_guard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            /* Opened the wrong way round, so that using a stream that was closed still fails. */
            int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)opened; /* the lowest free descriptor is this one */
        }
}

static bool capable_terminal(FILE *stream) {
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool cli_wants_colour(FILE *stream) {
    const char *refused = getenv("NO_COLOR");
    return capable_terminal(stream) && !(refused && *refused);
}

int cli_columns(FILE *stream, int otherwise) {
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return otherwise;
}

bool cli_shows_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* ---- signals ---- */

/* The context that a signal stops; the handler has no other way to know it. */
static dgm_context *volatile running;

/* When the first signal came, in seconds; 0: none yet. */
static volatile double stopped_at;

/* The first signal asks the library to stop, one that comes later ends the process. Some senders
 * (timeout) signal a process twice at once: that is one wish, not two. Only calls that are safe in
 * a handler. */
static void stop_running(int signal_number) {
    int saved = errno;
    double time = now();
    if (stopped_at == 0) {
        stopped_at = time;
        if (running)
            dgm_context_cancel(running);
    } else if (time - stopped_at > patience) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    errno = saved;
}

/* A signal that was ignored when we started stays ignored, as in a background job. System calls are
 * not restarted, so that a read that waits for the keyboard ends. */
static void catch_signal(int signal_number) {
    struct sigaction before, action = {.sa_handler = stop_running};
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

/* ---- the bar ---- */

static void erase_bar(cli_session *session) {
    if (session->drawn)
        fputs(ERASE_LINE, stderr);
    session->drawn = false;
}

static void draw_cells(const cli_session *session, double fraction, int cells) {
    const char *full = session->blocks ? "\xe2\x94\x81" : "#";
    const char *rest = session->blocks ? "\xe2\x94\x80" : "-";
    int done = (int)(fraction * cells + 0.5);
    fputs(session->colour ? "\033[36m" : "", stderr);
    for (int i = 0; i < cells; i++) {
        if (i == done && session->colour)
            fputs("\033[2m", stderr);
        fputs(i < done ? full : rest, stderr);
    }
    fputs(session->colour ? "\033[0m" : "", stderr);
}

/* " 12 s left", once enough of the stage is done to tell; "" before. */
static void format_left(const cli_session *session, double fraction, char *text, size_t size) {
    double done = fraction - session->stage_from, spent = now() - session->stage_started;
    double left = done > 0 ? spent / done * (1 - fraction) : 0;
    *text = '\0';
    if (spent < 1 || done < 0.01 || left < 0.5)
        return;
    if (left < 100)
        snprintf(text, size, " %.0f s left", left);
    else
        snprintf(text, size, " %.0f min left", left / 60);
}

static void draw_bar(const cli_session *session, const char *stage, double fraction) {
    int columns = cli_columns(stderr, 80);
    char time_left[32];
    format_left(session, fraction, time_left, sizeof time_left);
    fprintf(stderr, ERASE_LINE "%.*s", columns - 1, stage);
    /* two blanks, one blank, "100%", the last column */
    int left = columns - (int)strlen(stage) - (int)strlen(time_left) - 8;
    if (fraction < 0 && left > 0) {
        fprintf(stderr, "  %.0f s", now() - session->started);
    } else if (left >= 10) {
        fputs("  ", stderr);
        draw_cells(session, fraction, left > 40 ? 40 : left);
        fprintf(stderr, " %3.0f%%%s", 100 * fraction, time_left);
    }
    fflush(stderr);
}

static bool show_progress(void *user, const char *stage, double fraction) {
    cli_session *session = user;
    if (!session->bar || session->quiet)
        return true;
    double time = now();
    if (strncmp(session->stage, stage, sizeof session->stage - 1) != 0) {
        snprintf(session->stage, sizeof session->stage, "%s", stage);
        session->stage_started = time;
        session->stage_from = fraction;
    }
    if (time - session->started < bar_delay || time - session->redrawn < bar_period)
        return true;
    draw_bar(session, stage, fraction > 1 ? 1 : fraction);
    session->drawn = true;
    session->redrawn = time;
    return true;
}

/* ---- words ---- */

/* Kept until the run has gone well: an error stays the only line. */
/* What was said once (of another panel, of another file's figure) is not said again. */
static bool was_noted(const cli_session *session, const char *note) {
    for (int i = 0; i < session->note_count && i < CLI_NOTES_KEPT; i++)
        if (session->notes[i] && strcmp(session->notes[i], note) == 0)
            return true;
    return false;
}

static void keep_note(void *user, const char *note) {
    cli_session *session = user;
    if (was_noted(session, note))
        return;
    if (session->note_count < CLI_NOTES_KEPT)
        session->notes[session->note_count] = strdup(note);
    session->note_count++;
}

static void show_notes(cli_session *session) {
    int kept = session->note_count < CLI_NOTES_KEPT ? session->note_count : CLI_NOTES_KEPT;
    for (int i = 0; i < kept; i++)
        if (session->notes[i])
            fprintf(stderr, "dgm: note: %s\n", session->notes[i]);
    if (session->note_count > kept)
        fprintf(stderr, "dgm: note: and %d more notes\n", session->note_count - kept);
}

/* The library names options; how a command line gives them is the program's to say. */
static void write_dashed(void *user, const char *name, const char *value, char *words,
                         size_t size) {
    (void)user;
    snprintf(words, size, "--%s%s%s", name, value ? " " : "", value ? value : "");
}

/* Whatever a file name holds, an error is one line and cannot act on the terminal. */
static void print_printable(FILE *stream, char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f)
            *c = '?';
    fputs(text, stream);
}

static void print_error(cli_session *session, char *text) {
    erase_bar(session);
    fputs(session->colour ? "\033[1;31mdgm:\033[0m " : "dgm: ", stderr);
    print_printable(stderr, text);
    putc('\n', stderr);
}

int cli_fail(cli_session *session, int code, const char *format, ...) {
    char text[2400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error(session, text);
    return code;
}

int cli_fail_memory(cli_session *session) {
    return cli_fail(session, CLI_FAILED, "out of memory");
}

/* A reader that went away (`dgm map ... | head`) is no news to anyone. */
static bool reader_left(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

static bool output_failed(const dgm_context *ctx) {
    const char *file = dgm_context_error_parts(ctx).file;
    return file && strcmp(file, "standard output") == 0;
}

int cli_fail_status(cli_session *session, dgm_status status) {
    const char *message = dgm_context_error(session->ctx);
    if (status == DGM_ERROR_FILE && output_failed(session->ctx) && reader_left())
        return CLI_FAILED;
    switch (status) {
    case DGM_OK:
        return CLI_DONE;
    case DGM_ERROR_USAGE:
        return cli_fail(session, CLI_WRONG_USAGE, "%s", message);
    case DGM_ERROR_CANCELLED:
        return cli_fail(session, CLI_INTERRUPTED, "%s; nothing was written", message);
    default:
        return cli_fail(session, CLI_FAILED, "%s", *message ? message : dgm_status_name(status));
    }
}

void cli_say(cli_session *session, const char *name, const char *format, ...) {
    if (session->quiet)
        return;
    erase_bar(session);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "  %s%-10s%s ", session->colour ? "\033[36m" : "", name,
            session->colour ? "\033[0m" : "");
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
}

void cli_print(cli_session *session, const char *text) {
    erase_bar(session);
    fputs(text, stderr);
}

/* ---- a run ---- */

int cli_session_open(cli_session *session) {
    *session = (cli_session){.started = now(),
                             .colour = cli_wants_colour(stderr),
                             .bar = capable_terminal(stderr),
                             .blocks = cli_shows_utf8()};
    if (dgm_context_create(NULL, &session->ctx) != DGM_OK)
        return cli_fail_memory(session);
    dgm_context_set_progress(session->ctx, show_progress, session);
    dgm_context_set_notes(session->ctx, keep_note, session);
    dgm_context_set_option_words(session->ctx, write_dashed, NULL);
    running = session->ctx;
    signal(SIGPIPE, SIG_IGN); /* a write that fails says so instead */
    signal(SIGXFSZ, SIG_IGN); /* likewise where files have a largest size (ulimit -f) */
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    return CLI_DONE;
}

void cli_forget_notes(cli_session *session) {
    for (int i = 0; i < CLI_NOTES_KEPT; i++) {
        free(session->notes[i]);
        session->notes[i] = NULL;
    }
    session->note_count = 0;
}

int cli_session_close(cli_session *session, int code) {
    erase_bar(session);
    errno = 0;
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && code == CLI_DONE)
        code = reader_left() ? CLI_FAILED
                             : cli_fail(session, CLI_FAILED, "standard output: %s",
                                        errno ? strerror(errno) : "cannot be written");
    if (code == CLI_DONE && !session->quiet)
        show_notes(session);
    cli_forget_notes(session);
    running = NULL;
    dgm_context_free(session->ctx);
    return code;
}
