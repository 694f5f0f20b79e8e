/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says on standard error: errors, notes, the bar and how long it will take; and
 * what it does with signals and with streams that are closed. Clocks are set by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_context.h"
#include "cli_terminal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ERASED       "\r\033[K"

static cli_session session;

static int open_session(void **state) {
    (void)state;
    return cli_session_open(&session);
}

static int close_session(void **state) {
    (void)state;
    return cli_session_close(&session, CLI_DONE);
}

/* ---- what is said ---- */

static int kept_error, scratch;

static void listen_to_errors(void) {
    char path[] = "/tmp/dgm-terminal-XXXXXX";
    fflush(stderr);
    scratch = mkstemp(path);
    assert_true(scratch >= 0);
    unlink(path);
    kept_error = dup(STDERR_FILENO);
    dup2(scratch, STDERR_FILENO);
}

/* All that was said since. */
static const char *said(void) {
    static char text[8192];
    fflush(stderr);
    dup2(kept_error, STDERR_FILENO);
    close(kept_error);
    ssize_t length = pread(scratch, text, sizeof text - 1, 0);
    assert_true(length >= 0);
    text[length] = '\0';
    close(scratch);
    return text;
}

static void an_error_is_one_printable_line(void **state) {
    (void)state;
    listen_to_errors();
    int code = cli_fail(&session, 7, "a\tb\nc%sd\x1f~ %d", "\x7f", 5);
    assert_string_equal(said(), "dgm: a?b?c?d?~ 5\n");
    assert_int_equal(code, 7);
    session.colour = true;
    listen_to_errors();
    code = cli_fail_memory(&session);
    assert_string_equal(said(), "\033[1;31mdgm:\033[0m out of memory\n");
    assert_int_equal(code, CLI_FAILED);
}

static void a_long_error_is_cut(void **state) {
    (void)state;
    enum { LONG = 3000, ROOM = 2400 };
    char text[LONG + 1] = "";
    memset(text, 'x', LONG);
    listen_to_errors();
    cli_fail(&session, 1, "%s", text);
    assert_int_equal(strlen(said()), strlen("dgm: \n") + ROOM - 1);
}

static void an_error_of_the_library_has_its_exit_code(void **state) {
    (void)state;
    static const struct {
        dgm_status status;
        int code;
        const char *words;
    } cases[] = {
        {DGM_ERROR_USAGE, 2, "dgm: that went wrong\n"},
        {DGM_ERROR_CANCELLED, 130, "dgm: that went wrong; nothing was written\n"},
        {DGM_ERROR_FILE, 1, "dgm: that went wrong\n"},
        {DGM_ERROR_MEMORY, 1, "dgm: that went wrong\n"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        dgmi_fail(session.ctx, cases[i].status, "that went wrong");
        listen_to_errors();
        int code = cli_fail_status(&session, cases[i].status);
        assert_string_equal(said(), cases[i].words);
        assert_int_equal(code, cases[i].code);
    }
    listen_to_errors();
    assert_int_equal(cli_fail_status(&session, DGM_OK), CLI_DONE);
    assert_string_equal(said(), "");
}

static void closing_words_stand_in_columns_unless_all_is_quiet(void **state) {
    (void)state;
    listen_to_errors();
    cli_say(&session, "wrote", "%d files", 3);
    session.colour = true;
    cli_say(&session, "seed", "1");
    session.quiet = true;
    cli_say(&session, "graph", "karate");
    cli_print(&session, "as it is");
    assert_string_equal(said(), "  wrote      3 files\n  \033[36mseed      \033[0m 1\nas it is");
}

/* ---- notes ---- */

static void notes_are_said_once_and_the_rest_are_counted(void **state) {
    (void)state;
    static const int counts[] = {CLI_NOTES_KEPT, CLI_NOTES_KEPT + 2};
    for (int i = 0; i < 2; i++) {
        char expected[1024] = "";
        cli_session other;
        assert_int_equal(cli_session_open(&other), CLI_DONE);
        dgmi_note(other.ctx, "of before");
        cli_forget_notes(&other);
        for (int n = 0; n < counts[i]; n++) {
            dgmi_note(other.ctx, "number %d", n);
            dgmi_note(other.ctx, "number %d", n < CLI_NOTES_KEPT ? n : 0);
            if (n < CLI_NOTES_KEPT)
                snprintf(expected + strlen(expected), 64, "dgm: note: number %d\n", n);
        }
        strcat(expected, i ? "dgm: note: and 2 more notes\n" : "");
        listen_to_errors();
        int code = cli_session_close(&other, CLI_DONE);
        assert_string_equal(said(), expected);
        assert_int_equal(code, CLI_DONE);
    }
}

static void notes_are_kept_back_where_a_run_fails_or_is_quiet(void **state) {
    (void)state;
    for (int quiet = 0; quiet < 2; quiet++) {
        cli_session other;
        assert_int_equal(cli_session_open(&other), CLI_DONE);
        dgmi_note(other.ctx, "something");
        other.quiet = quiet;
        listen_to_errors();
        int code = cli_session_close(&other, quiet ? CLI_DONE : CLI_FAILED);
        assert_string_equal(said(), "");
        assert_int_equal(code, quiet ? CLI_DONE : CLI_FAILED);
    }
}

static void an_option_that_an_error_names_has_two_dashes(void **state) {
    (void)state;
    dgmi_fail(session.ctx, DGM_ERROR_USAGE,
              "use " DGMI_NAMED("reduce=pca") " with " DGMI_NAMED("dim"));
    assert_string_equal(dgm_context_error(session.ctx), "use --reduce pca with --dim");
}

/* ---- the bar ---- */

/* The bar of a stage of which the fraction `from` was done `spent` seconds ago. Standard error is
 * a file, which is taken to be 80 columns wide. */
static const char *bar_of(const char *stage, double from, double fraction, double spent) {
    session.bar = true;
    session.stage[0] = '\0';
    session.redrawn = 0;
    listen_to_errors();
    session.started += 10000;
    assert_int_equal(dgmi_progress(session.ctx, stage, from), DGM_OK);
    session.started -= 10000;
    session.stage_started -= spent;
    assert_int_equal(dgmi_progress(session.ctx, stage, fraction), DGM_OK);
    return said();
}

/* "stage  ####---- 50%" with so many cells of which so many are full. */
static const char *drawn(const char *stage, int cells, int full, const char *rest) {
    static char text[512];
    char *out = text + snprintf(text, sizeof text, ERASED "%s  ", stage);
    for (int i = 0; i < cells; i++)
        *out++ = i < full ? '#' : '-';
    strcpy(out, rest);
    return text;
}

/* A name of so many letters. */
static const char *name_of(int letters) {
    static char name[128];
    memset(name, 's', (size_t)letters);
    name[letters] = '\0';
    return name;
}

static void make_old(void) {
    session.started -= 1000;
}

static void a_bar_shows_how_much_is_done(void **state) {
    (void)state;
    make_old();
    assert_string_equal(bar_of("count", 0, 0.5, 0), drawn("count", 40, 20, "  50%"));
    assert_string_equal(bar_of("count", 0, 0, 0), drawn("count", 40, 0, "   0%"));
    assert_string_equal(bar_of("count", 0, 1, 0), drawn("count", 40, 40, " 100%"));
    assert_string_equal(bar_of("count", 0, 0.3125, 0), drawn("count", 40, 13, "  31%"));
    assert_string_equal(bar_of("count", 0, 0.3, 0), drawn("count", 40, 12, "  30%"));
    assert_true(session.drawn);
    listen_to_errors();
    session.ctx->progress(session.ctx->progress_user, "count", 1.5);
    assert_string_equal(said(), ""); /* a moment ago it was drawn */
    session.redrawn = 0;
    listen_to_errors();
    session.ctx->progress(session.ctx->progress_user, "count", 1.5);
    assert_string_equal(said(), drawn("count", 40, 40, " 100%"));
    listen_to_errors();
    cli_print(&session, "done");
    cli_print(&session, "done");
    assert_string_equal(said(), ERASED "donedone");
}

static void a_bar_takes_the_room_that_the_stage_leaves(void **state) {
    (void)state;
    make_old();
    assert_string_equal(bar_of(name_of(32), 0, 0.5, 0), drawn(name_of(32), 40, 20, "  50%"));
    assert_string_equal(bar_of(name_of(33), 0, 0.5, 0), drawn(name_of(33), 39, 20, "  50%"));
    assert_string_equal(bar_of(name_of(62), 0, 0.5, 0), drawn(name_of(62), 10, 5, "  50%"));
    assert_int_equal(strlen(bar_of(name_of(63), 0, 0.5, 0)), strlen(ERASED) + 63);
    assert_int_equal(strlen(bar_of(name_of(79), 0, 0.5, 0)), strlen(ERASED) + 79);
    assert_int_equal(strlen(bar_of(name_of(80), 0, 0.5, 0)), strlen(ERASED) + 79);
    session.blocks = true;
    assert_int_equal(strlen(bar_of("count", 0, 0.5, 0)),
                     strlen(ERASED "count    50%") + 40 * strlen("\xe2\x94\x81"));
    session.colour = true;
    const char *text = bar_of("count", 0, 0.025, 0);
    assert_non_null(strstr(text, "\033[36m\xe2\x94\x81\033[2m\xe2\x94\x80\xe2\x94\x80"));
    assert_non_null(strstr(text, "\xe2\x94\x80\033[0m   2%"));
}

/* What does not know how much there is to do says how long it has been at it. */
static void a_stage_without_an_end_shows_seconds(void **state) {
    (void)state;
    make_old();
    session.started = session.started + 1000 - 20.2;
    assert_string_equal(bar_of("wait", -1, -1, 0), ERASED "wait  20 s");
    assert_non_null(strstr(bar_of(name_of(71), -1, -1, 0), "s  20 s"));
    assert_null(strstr(bar_of(name_of(72), -1, -1, 0), "20 s"));
}

static void what_is_left_is_told_once_it_can_be(void **state) {
    (void)state;
    static const struct {
        double from, fraction, spent;
        const char *words; /* NULL: nothing */
    } cases[] = {
        {0, 0.5, 20.2, " 20 s left"},
        {0.2, 0.6, 10.2, " 10 s left"},
        {0, 0.1, 0.3, NULL},
        {0, 0.5, 1.6, " 2 s left"},
        {0, 0.007, 3, NULL},
        {0, 0.014, 3.6, " 4 min left"},
        {0, 0.8, 1.4, NULL},
        {0, 0.8, 3, " 1 s left"},
        {0.5, 0.5, 9, NULL},
        {0, 0.5, 98.8, " 99 s left"},
        {0, 0.5, 100.6, " 2 min left"},
        {0, 0.5, 6000, " 100 min left"},
        {0, 1, 10, NULL},
    };
    make_old();
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = bar_of("count", cases[i].from, cases[i].fraction, cases[i].spent);
        const char *left = strstr(text, "%");
        assert_non_null(left);
        assert_string_equal(left + 1, cases[i].words ? cases[i].words : "");
    }
    /* words at the end take room from the bar: 80 - 40 - 10 - 8 */
    assert_string_equal(bar_of(name_of(40), 0, 0.5, 20.2),
                        drawn(name_of(40), 22, 11, "  50% 20 s left"));
    /* a stage is the same though its name is longer than what is kept of it */
    assert_non_null(strstr(bar_of(name_of(50), 0, 0.5, 20.2), " 20 s left"));
}

static void no_bar_is_drawn_at_first_nor_where_nobody_looks(void **state) {
    (void)state;
    assert_string_equal(bar_of("count", 0, 0.5, 0), ""); /* half a second is not over */
    make_old();
    session.quiet = true;
    assert_string_equal(bar_of("count", 0, 0.5, 0), "");
    session.quiet = false;
    bar_of("count", 0, 0.5, 0);
    session.bar = false;
    session.redrawn = 0;
    listen_to_errors();
    assert_int_equal(dgmi_progress(session.ctx, "count", 0.5), DGM_OK);
    assert_string_equal(said(), "");
}

/* ---- terminals ---- */

static FILE *open_terminal(int columns) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    int opened = open(ptsname(master), O_WRONLY | O_NOCTTY); /* not that of this process */
    FILE *slave = opened >= 0 ? fdopen(opened, "w") : NULL;
    assert_non_null(slave);
    assert_int_equal(ioctl(fileno(slave), TIOCSWINSZ, &size), 0);
    return slave; /* the master stays open until the process ends */
}

static void a_terminal_says_how_wide_it_is(void **state) {
    (void)state;
    static const int columns[][2] = {{0, 77}, {1, 1}, {132, 132}};
    for (size_t i = 0; i < COUNT(columns); i++) {
        FILE *terminal = open_terminal(columns[i][0]);
        assert_int_equal(cli_columns(terminal, 77), columns[i][1]);
        fclose(terminal);
    }
    FILE *file = fopen("/dev/null", "w");
    assert_int_equal(cli_columns(file, 77), 77);
    fclose(file);
}

static void colours_are_for_terminals_that_have_them(void **state) {
    (void)state;
    static const struct {
        const char *term, *refused;
        bool colour;
    } cases[] = {{"xterm", NULL, true}, {"xterm", "", true}, {"xterm", "1", false},
                 {"dumb", NULL, false}, {"", NULL, false},   {NULL, NULL, false}};
    FILE *terminal = open_terminal(80), *file = fopen("/dev/null", "w");
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (cases[i].term)
            setenv("TERM", cases[i].term, 1);
        else
            unsetenv("TERM");
        if (cases[i].refused)
            setenv("NO_COLOR", cases[i].refused, 1);
        else
            unsetenv("NO_COLOR");
        assert_int_equal(cli_wants_colour(terminal), cases[i].colour);
        assert_false(cli_wants_colour(file));
    }
    fclose(terminal);
    fclose(file);
}

/* ---- signals and streams, in a process of their own ---- */

/* How the child ended: its exit status, or 1000 and the signal. */
static int end_of(void (*life)(void)) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        life();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Two signals at once are one wish. In the background of a shell signals are ignored at first. */
static void interrupt_twice(void) {
    cli_session own;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (cli_session_open(&own) != CLI_DONE || dgmi_cancelled(own.ctx))
        _exit(1);
    raise(SIGTERM);
    if (!dgmi_cancelled(own.ctx))
        _exit(2);
    raise(SIGINT);
    dgm_context_resume(own.ctx);
    raise(SIGINT);
    if (dgmi_cancelled(own.ctx))
        _exit(3);
    usleep(350000);
    raise(SIGINT);
    _exit(4);
}

static void interrupt_what_ignores(void) {
    cli_session own;
    signal(SIGINT, SIG_IGN);
    if (cli_session_open(&own) != CLI_DONE)
        _exit(1);
    raise(SIGINT);
    if (dgmi_cancelled(own.ctx))
        _exit(2);
    raise(SIGPIPE);
    raise(SIGXFSZ);
}

static void a_first_signal_asks_and_a_later_one_ends(void **state) {
    (void)state;
    assert_int_equal(end_of(interrupt_twice), 1000 + SIGINT);
    assert_int_equal(end_of(interrupt_what_ignores), 0);
}

/* Whatever is opened next is none of the three, and using those fails as it did. */
static void live_without_streams(void) {
    char byte = 'x';
    for (int i = 0; i < 3; i++)
        close(i);
    cli_guard_streams();
    int next = open("/dev/null", O_RDWR);
    if (next != 3 && fcntl(3, F_GETFD) == -1)
        _exit(1);
    if (read(0, &byte, 1) >= 0 || write(1, &byte, 1) >= 0 || write(2, &byte, 1) >= 0)
        _exit(2);
}

static void streams_that_were_closed_stay_unusable(void **state) {
    (void)state;
    assert_int_equal(end_of(live_without_streams), 0);
}

/* A reader that left is no news; a disk that is full is. */
static void lose_output(void) {
    int ends[2];
    cli_session own;
    if (pipe(ends) != 0 || cli_session_open(&own) != CLI_DONE)
        _exit(10);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    fputs("lost", stdout);
    _exit(cli_session_close(&own, CLI_DONE));
}

static void fill_disk(void) {
    cli_session own;
    int full = open("/dev/full", O_WRONLY);
    if (cli_session_open(&own) != CLI_DONE)
        _exit(10);
    dup2(full, STDOUT_FILENO);
    fputs("lost", stdout);
    _exit(cli_session_close(&own, CLI_DONE));
}

static void lost_output_is_an_error_and_a_reader_that_left_a_quiet_one(void **state) {
    (void)state;
    listen_to_errors();
    int code = end_of(lose_output);
    assert_string_equal(said(), "");
    assert_int_equal(code, CLI_FAILED);
    if (access("/dev/full", W_OK) != 0)
        skip();
    listen_to_errors();
    code = end_of(fill_disk);
    assert_string_equal(said(), "dgm: standard output: No space left on device\n");
    assert_int_equal(code, CLI_FAILED);
}

#define WITH_SESSION(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SESSION(an_error_is_one_printable_line),
        WITH_SESSION(a_long_error_is_cut),
        WITH_SESSION(an_error_of_the_library_has_its_exit_code),
        WITH_SESSION(closing_words_stand_in_columns_unless_all_is_quiet),
        cmocka_unit_test(notes_are_said_once_and_the_rest_are_counted),
        cmocka_unit_test(notes_are_kept_back_where_a_run_fails_or_is_quiet),
        WITH_SESSION(an_option_that_an_error_names_has_two_dashes),
        WITH_SESSION(a_bar_shows_how_much_is_done),
        WITH_SESSION(a_bar_takes_the_room_that_the_stage_leaves),
        WITH_SESSION(a_stage_without_an_end_shows_seconds),
        WITH_SESSION(what_is_left_is_told_once_it_can_be),
        WITH_SESSION(no_bar_is_drawn_at_first_nor_where_nobody_looks),
        cmocka_unit_test(a_terminal_says_how_wide_it_is),
        cmocka_unit_test(colours_are_for_terminals_that_have_them),
        cmocka_unit_test(a_first_signal_asks_and_a_later_one_ends),
        cmocka_unit_test(streams_that_were_closed_stay_unusable),
        cmocka_unit_test(lost_output_is_an_error_and_a_reader_that_left_a_quiet_one),
    };
    setenv("LC_ALL", "C", 1);
    setenv("TERM", "dumb", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
