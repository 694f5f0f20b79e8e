/* SPDX-License-Identifier: Apache-2.0 */
/* dgm: the program. It finds the sub-command, reads its options and runs it. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_arguments.h"
#include "cli_command.h"

enum { COMMANDS = 14 };

const cli_command *const cli_commands[COMMANDS + 1] = {
    &cli_map_command,  &cli_suggest_command,   &cli_explore_command,
    &cli_info_command, &cli_convert_command,   &cli_generate_command,
    &cli_lens_command, &cli_reduce_command,    &cli_train_command,
    &cli_draw_command, &cli_sweep_command,     &cli_classify_command,
    &cli_pool_command, &cli_reproduce_command, NULL,
};

const cli_command *cli_command_find(const char *name) {
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

const char *cli_command_nearest(const char *name) {
    const char *names[COMMANDS + 2] = {"help"};
    for (int i = 0; cli_commands[i]; i++)
        names[i + 1] = cli_commands[i]->name;
    return dgm_name_nearest(name, names);
}

bool cli_is_built_in(const char *name) {
    struct stat found;
    const char *const *known = dgm_built_in_graphs();
    for (int i = 0; known[i]; i++)
        if (strcmp(known[i], name) == 0)
            return stat(name, &found) != 0;
    return false;
}

int cli_open_graph(cli_session *session, const cli_request *request, dgm_graph **out) {
    const dgm_job *job = &request->job;
    const dgm_graph_tables tables = {job->nodes_table, job->labels};
    dgm_status status = dgm_graph_open(session->ctx, request->operand, (dgm_format)job->format,
                                       &job->graph_options, &tables, job->seed, out);
    return cli_fail_status(session, status);
}

/* A long run should not end in "no such folder": said before the work, not after it. */
int cli_check_output(cli_session *session, const char *path) {
    char folder[4096];
    struct stat found;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') /* a folder is made inside an existing one */
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0 || length >= sizeof folder)
        return CLI_DONE;
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (stat(folder, &found) != 0)
        return cli_fail(session, CLI_FAILED, "%s: there is no folder '%s'; make it first", path,
                        folder);
    return CLI_DONE;
}

int cli_check_format(cli_session *session, const cli_command *command, const char *what,
                     const char *path) {
    enum { MOST = 16 };
    char list[128], *rest = NULL;
    const char *words[MOST + 1] = {NULL};
    dgm_export_format format;
    snprintf(list, sizeof list, "%s", command->output_extensions);
    words[0] = strtok_r(list, " ", &rest);
    for (int i = 1; i < MOST && words[i - 1]; i++)
        words[i] = strtok_r(NULL, " ", &rest);
    return cli_fail_status(session,
                           dgm_export_format_among(session->ctx, path, what, words, &format));
}

/* Endings that promise a format which neither tables nor networks are written in. */
static bool promises_other(const char *path) {
    static const char *const endings[] = {".json", ".npz",     ".svg",  ".pdf", ".png",
                                          ".html", ".xlsx",    ".pt",   ".pth", ".ckpt",
                                          ".pkl",  ".pickle",  ".h5",   ".bin", ".parquet",
                                          ".mat",  ".graphml", ".gexf", ".mtx", NULL};
    size_t length = strlen(path);
    for (int i = 0; endings[i]; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

int cli_check_table_name(cli_session *session, const char *path) {
    if (promises_other(path))
        return cli_fail(session, CLI_WRONG_USAGE,
                        "%.200s: tables are written as .npy, .tsv, .csv or .txt", path);
    return CLI_DONE;
}

int cli_check_network_name(cli_session *session, const char *path) {
    if (promises_other(path))
        return cli_fail(session, CLI_WRONG_USAGE,
                        "%.200s: networks are written as .safetensors, which PyTorch reads by "
                        "safetensors.torch.load_file",
                        path);
    return CLI_DONE;
}

int cli_check_outputs(cli_session *session, const cli_request *request) {
    const cli_list *files = &request->output.files;
    for (int i = 0; i < files->count; i++) {
        if (*files->items[i] == '\0')
            return cli_fail(session, CLI_WRONG_USAGE, "-o needs the name of a file");
        if (strcmp(files->items[i], "-") == 0 && request->common.json)
            return cli_fail(session, CLI_WRONG_USAGE,
                            "--json and -o - both want standard output; leave one out");
        for (int j = 0; j < i; j++)
            if (strcmp(files->items[i], files->items[j]) == 0)
                return cli_fail(session, CLI_WRONG_USAGE, "-o %s is given twice", files->items[i]);
        int code = cli_check_output(session, files->items[i]);
        if (code != CLI_DONE)
            return code;
    }
    return CLI_DONE;
}

int cli_single_output(cli_session *session, const cli_request *request, const char **path) {
    const cli_list *files = &request->output.files;
    if (files->count > 1)
        return cli_fail(session, CLI_WRONG_USAGE, "give one -o: '%.200s' is one too many",
                        files->items[1]);
    if (files->count == 0 && request->common.json)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "--json says what was written to a file, so it needs -o FILE");
    *path = files->count ? files->items[0] : "-";
    return cli_check_outputs(session, request);
}

static void print_version(void) {
    printf("dgm %s\n", dgm_version());
}

int cli_run_command(cli_session *session, const cli_command *command, int argc, char **argv) {
    cli_request request;
    if (!cli_request_init(&request, argc)) {
        cli_request_free(&request);
        return cli_fail_memory(session);
    }
    int code = cli_arguments_parse(session, command, argc, argv, 2, &request);
    session->quiet = request.common.quiet;
    if (code == CLI_DONE && request.common.help) {
        cli_help_print(command);
    } else if (code == CLI_DONE && request.common.version) {
        print_version();
    } else if (code == CLI_DONE) {
        dgm_context_set_threads(session->ctx, (int)request.common.threads);
        dgm_context_set_unpack_limit(session->ctx, request.common.unpack_limit);
        code = command->run(session, &request);
    }
    cli_request_free(&request);
    return code;
}

static int fail_unknown_command(cli_session *session, const char *name) {
    const char *near = cli_command_nearest(name);
    if (near)
        return cli_fail(session, CLI_WRONG_USAGE, "unknown command '%.200s'; did you mean '%s'?",
                        name, near);
    struct stat found;
    if (stat(name, &found) == 0 || cli_is_built_in(name))
        return cli_fail(session, CLI_WRONG_USAGE,
                        "'%.200s' is no command; to map it: 'dgm map %.200s'", name, name);
    return cli_fail(session, CLI_WRONG_USAGE, "unknown command '%.200s'; see 'dgm --help'", name);
}

static int run_help(cli_session *session, int argc, char **argv) {
    const cli_command *command = argc > 2 ? cli_command_find(argv[2]) : NULL;
    if (argc > 3)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "help takes one command: '%.200s' is one too many", argv[3]);
    if (argc > 2 && !command)
        return fail_unknown_command(session, argv[2]);
    cli_help_print(command);
    return CLI_DONE;
}

static int run_program_option(cli_session *session, int argc, char **argv) {
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_help_print(NULL);
        return CLI_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        print_version();
        return CLI_DONE;
    }
    if (strcmp(word, "--generate") == 0 &&
        argc == 4) /* for the build: man pages, completion, docs */
        return cli_generate_files(session, argv[2], argv[3]);
    static const char *const names[] = {"--help", "--version", NULL};
    const char *near = dgm_name_nearest(word, names);
    if (near)
        return cli_fail(session, CLI_WRONG_USAGE, "unknown option '%.200s'; did you mean '%s'?",
                        word, near);
    return cli_fail(session, CLI_WRONG_USAGE,
                    "unknown option '%.200s'; options follow the command: dgm COMMAND [OPTIONS]",
                    word);
}

static int run(cli_session *session, int argc, char **argv) {
    if (argc < 2)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "which command? Try 'dgm map karate', or 'dgm --help'");
    if (argv[1][0] == '-')
        return run_program_option(session, argc, argv);
    if (strcmp(argv[1], "help") == 0)
        return run_help(session, argc, argv);
    const cli_command *command = cli_command_find(argv[1]);
    if (!command)
        return fail_unknown_command(session, argv[1]);
    return cli_run_command(session, command, argc, argv);
}

/* Everything is written and freed by now. Where memory is short, a thread of OpenBLAS asks for it
 * for ever, and on the way out of the process OpenBLAS waits for that thread: nobody is asked but
 * the kernel. Sanitizers and coverage report on that way out, so that builds with them take it. */
static _Noreturn void leave(int code) {
#ifdef CLI_LEAVES_AT_ONCE
    _exit(code);
#else
    exit(code);
#endif
}

int main(int argc, char **argv) {
    cli_session session;
    cli_guard_streams();
    setlocale(LC_CTYPE, ""); /* for the bar; numbers stay in the C locale */
    int code = cli_session_open(&session);
    if (code == CLI_DONE)
        code = cli_session_close(&session, run(&session, argc, argv));
    leave(code);
}
