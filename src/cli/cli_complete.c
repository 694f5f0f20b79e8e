/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for bash, zsh and fish: commands, options, choices, lenses, built-in graphs and files.
 */
#include <string.h>

#include "cli_files.h"
#include "cli_page.h"

static const char *const cover_words[] = {"uniform",
                                          "quantile",
                                          "intervals:",
                                          "simplex",
                                          "adaptive:size=",
                                          "balls:radius=",
                                          "landmarks:k=",
                                          "gmeans",
                                          "cmo",
                                          "parts",
                                          NULL};

static void write_words(FILE *stream, const char *const *words) {
    for (int i = 0; words[i]; i++)
        fprintf(stream, "%s%s", i ? " " : "", words[i]);
}

static void write_lens_words(FILE *stream) {
    const dgm_lens_kind *kind;
    for (size_t i = 0; (kind = dgm_lens_kind_at(i)); i++)
        fprintf(stream, "%s%s%s", i ? " " : "", kind->name,
                kind->flags & DGM_LENS_NEEDS_NAME ? ":" : "");
}

static void write_reduction_words(FILE *stream) {
    const dgm_reduce_kind *kind;
    for (size_t i = 0; (kind = dgm_reduce_kind_at(i)); i++)
        fprintf(stream, "%s%s", i ? " " : "", kind->name);
}

static void write_pooling_words(FILE *stream) {
    const dgm_pool_kind *kind;
    for (size_t i = 0; (kind = dgm_pool_kind_at(i)); i++)
        fprintf(stream, "%s%s", i ? " " : "", kind->name);
}

static void write_command_words(FILE *stream) {
    for (int i = 0; cli_commands[i]; i++)
        fprintf(stream, "%s ", cli_commands[i]->name);
    fputs("help", stream);
}

/* A method is a pooling or a reduction, as the command has it. */
static cli_values values_of(const cli_command *command, const dgm_option *option) {
    cli_values values = cli_trait_of(option->name)->values;
    return values == CLI_VALUES_REDUCTION && command->lists_poolings ? CLI_VALUES_POOLING : values;
}

/* The words that an option's value may be; false if it is free or a file. */
static bool write_value_words(FILE *stream, const cli_command *command, const dgm_option *option) {
    cli_values values = values_of(command, option);
    if (option->choices)
        write_words(stream, option->choices);
    else if (values == CLI_VALUES_LENS)
        write_lens_words(stream);
    else if (values == CLI_VALUES_COVER)
        write_words(stream, cover_words);
    else if (values == CLI_VALUES_REDUCTION)
        write_reduction_words(stream);
    else if (values == CLI_VALUES_POOLING)
        write_pooling_words(stream);
    else
        return false;
    return true;
}

static bool has_value_words(const cli_command *command, const dgm_option *option) {
    cli_values values = values_of(command, option);
    return option->choices || (values != CLI_VALUES_OTHER && values != CLI_VALUES_FILE);
}

/* ---- bash ---- */

static void write_bash_option(FILE *stream, const dgm_option *option) {
    char letter = cli_trait_of(option->name)->letter;
    fprintf(stream, "--%s ", option->name);
    if (letter)
        fprintf(stream, "-%c ", letter);
}

static void write_bash_options(FILE *stream, const cli_command *command) {
    cli_cursor cursor = {0};
    const dgm_option *option;
    fprintf(stream, "    %s) options='", command->name);
    while ((option = cli_next_option(command->groups, &cursor)))
        write_bash_option(stream, option);
    fputs("' ;;\n", stream);
}

static void write_bash_value(FILE *stream, const cli_command *command, const dgm_option *option) {
    char letter = cli_trait_of(option->name)->letter;
    fprintf(stream, "    '%s --%s'", command->name, option->name);
    if (letter)
        fprintf(stream, " | '%s -%c'", command->name, letter);
    fputs(") ", stream);
    if (has_value_words(command, option)) {
        fputs("words='", stream);
        write_value_words(stream, command, option);
        fputs("' ;;\n", stream);
    } else {
        bool file = cli_trait_of(option->name)->values == CLI_VALUES_FILE;
        fputs(file ? "files=yes ;;\n" : "return ;;\n", stream);
    }
}

static void write_bash_values(FILE *stream, const cli_command *command) {
    cli_cursor cursor = {0};
    const dgm_option *option;
    while ((option = cli_next_option(command->groups, &cursor)))
        if (option->kind != DGM_OPTION_FLAG)
            write_bash_value(stream, command, option);
}

static void write_bash_operand(FILE *stream, const cli_command *command) {
    if (!command->operand) {
        fprintf(stream, "    %s) words='' ;;\n", command->name);
    } else if (command->operand_is_generator) {
        fprintf(stream, "    %s) words='", command->name);
        write_words(stream, dgm_generator_names());
        fputs("' ;;\n", stream);
    } else {
        fprintf(stream, "    %s) files=yes words='", command->name);
        if (command->variants) {
            write_words(stream, command->variants());
            putc(' ', stream);
        }
        write_words(stream, dgm_built_in_graphs());
        fputs("' ;;\n", stream);
    }
}

static void write_bash(FILE *stream, const cli_command *unused) {
    (void)unused;
    fputs("# SPDX-License-Identifier: Apache-2.0\n"
          "# bash completion for dgm, made from its option tables\n\n"
          "_dgm() {\n"
          "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  local command=${COMP_WORDS[1]} options='' words='' files=''\n"
          "  COMPREPLY=()\n"
          "  # Bash splits words at '=': in --opt=value the option is one word further back.\n"
          "  [[ $current == '=' ]] && current=''\n"
          "  [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  if ((COMP_CWORD == 1)); then\n"
          "    words='",
          stream);
    write_command_words(stream);
    fputs(" --help --version'\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    return\n"
          "  fi\n"
          "  case $command in\n",
          stream);
    for (int i = 0; cli_commands[i]; i++)
        write_bash_options(stream, cli_commands[i]);
    fputs("    help) COMPREPLY=($(compgen -W '", stream);
    write_command_words(stream);
    fputs("' -- \"$current\")); return ;;\n"
          "    *) return ;;\n"
          "  esac\n"
          "  case \"$command $before\" in\n",
          stream);
    for (int i = 0; cli_commands[i]; i++)
        write_bash_values(stream, cli_commands[i]);
    fputs("    *)\n"
          "    if [[ $current == -* ]]; then\n"
          "      COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
          "      return\n"
          "    fi\n"
          "    case $command in\n",
          stream);
    for (int i = 0; cli_commands[i]; i++)
        write_bash_operand(stream, cli_commands[i]);
    fputs("    esac ;;\n"
          "  esac\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "  if [[ $files ]]; then\n"
          "    compopt -o filenames 2>/dev/null\n"
          "    local IFS=$'\\n'\n"
          "    COMPREPLY+=($(compgen -f -- \"$current\"))\n"
          "  fi\n"
          "  [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null\n"
          "  return 0\n"
          "}\n\n"
          "complete -F _dgm dgm\n",
          stream);
}

/* ---- zsh ---- */

/* Text inside '...[here]...' of _arguments. */
static void zsh_text(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '[' || *text == ']' || *text == ':' || *text == '\\')
            putc('\\', stream);
        if (*text == '\'')
            fputs("'\\'", stream);
        putc(*text, stream);
    }
}

static void write_zsh_value(FILE *stream, const cli_command *command, const dgm_option *option) {
    if (option->kind == DGM_OPTION_FLAG)
        return;
    putc(':', stream);
    zsh_text(stream, option->argument ? option->argument : option->name);
    putc(':', stream);
    switch (values_of(command, option)) {
    case CLI_VALUES_FILE:
        fputs("_files", stream);
        break;
    case CLI_VALUES_LENS:
        fputs("_dgm_lenses", stream);
        break;
    case CLI_VALUES_COVER:
        fputs("_dgm_covers", stream);
        break;
    case CLI_VALUES_REDUCTION:
        fputs("_dgm_reductions", stream);
        break;
    case CLI_VALUES_POOLING:
        fputs("_dgm_poolings", stream);
        break;
    case CLI_VALUES_OTHER:
        if (option->choices) {
            putc('(', stream);
            write_words(stream, option->choices);
            putc(')', stream);
        }
    }
}

static void write_zsh_option(FILE *stream, const cli_command *command, const dgm_option *option) {
    const cli_trait *trait = cli_trait_of(option->name);
    const char *equals = option->kind == DGM_OPTION_FLAG ? "" : "=";
    if (trait->letter) {
        fprintf(stream, "        '%s-%c[", trait->repeats ? "*" : "", trait->letter);
        zsh_text(stream, option->help);
        putc(']', stream);
        write_zsh_value(stream, command, option);
        fputs("' \\\n", stream);
    }
    fprintf(stream, "        '%s--%s%s[", trait->repeats ? "*" : "", option->name, equals);
    zsh_text(stream, option->help);
    putc(']', stream);
    write_zsh_value(stream, command, option);
    fputs("' \\\n", stream);
}

static void write_zsh_command(FILE *stream, const cli_command *command) {
    cli_cursor cursor = {0};
    const dgm_option *option;
    fprintf(stream, "    (%s)\n      _arguments \\\n", command->name);
    while ((option = cli_next_option(command->groups, &cursor)))
        write_zsh_option(stream, command, option);
    if (!command->operand) {
        fputs("        '1: :' ;;\n", stream);
    } else if (command->operand_is_generator) {
        fputs("        '1:kind:(", stream);
        write_words(stream, dgm_generator_names());
        fputs(")' ;;\n", stream);
    } else {
        if (command->variants) {
            fputs("        '1:model:(", stream);
            write_words(stream, command->variants());
            fputs(")' \\\n", stream);
        }
        fprintf(stream, "        '%d:graph:_dgm_graphs' ;;\n", command->variants ? 2 : 1);
    }
}

/* Values that may go on after a word ("attr:age") get no blank behind them. */
static void write_zsh_values(FILE *stream) {
    fputs("_dgm_graphs() {\n  _alternative 'graphs:built-in graph:(", stream);
    write_words(stream, dgm_built_in_graphs());
    fputs(")' 'files:file:_files'\n}\n\n_dgm_lenses() {\n  compadd -S '' -- ", stream);
    write_lens_words(stream);
    fputs("\n}\n\n_dgm_covers() {\n  compadd -S '' -- ", stream);
    write_words(stream, cover_words);
    fputs("\n}\n\n_dgm_reductions() {\n  compadd -S '' -- ", stream);
    write_reduction_words(stream);
    fputs("\n}\n\n_dgm_poolings() {\n  compadd -S '' -- ", stream);
    write_pooling_words(stream);
    fputs("\n}\n\n", stream);
}

static void write_zsh(FILE *stream, const cli_command *unused) {
    (void)unused;
    fputs("#compdef dgm\n"
          "# SPDX-License-Identifier: Apache-2.0\n"
          "# zsh completion for dgm, made from its option tables\n\n",
          stream);
    write_zsh_values(stream);
    fputs("_dgm() {\n"
          "  local -a commands\n"
          "  commands=(\n",
          stream);
    for (int i = 0; cli_commands[i]; i++) {
        fprintf(stream, "    '%s:", cli_commands[i]->name);
        zsh_text(stream, cli_commands[i]->summary);
        fputs("'\n", stream);
    }
    fputs("    'help:show the help of a command'\n"
          "  )\n"
          "  if ((CURRENT == 2)); then\n"
          "    _describe command commands\n"
          "    compadd -- --help --version\n"
          "    return\n"
          "  fi\n"
          "  shift words\n"
          "  ((CURRENT--))\n"
          "  case $words[1] in\n",
          stream);
    for (int i = 0; cli_commands[i]; i++)
        write_zsh_command(stream, cli_commands[i]);
    fputs("    (help) _describe command commands ;;\n"
          "  esac\n"
          "}\n\n"
          "if [[ $funcstack[1] == _dgm ]]; then\n"
          "  _dgm \"$@\"\n"
          "else\n"
          "  compdef _dgm dgm\n"
          "fi\n",
          stream);
}

/* ---- fish ---- */

/* Text inside single quotes. */
static void fish_text(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', stream);
        putc(*text, stream);
    }
}

static void write_fish_option(FILE *stream, const cli_command *command, const dgm_option *option) {
    const cli_trait *trait = cli_trait_of(option->name);
    fprintf(stream, "complete -c dgm -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            option->name);
    if (trait->letter)
        fprintf(stream, " -s %c", trait->letter);
    if (has_value_words(command, option)) {
        fputs(" -x -a '", stream);
        write_value_words(stream, command, option);
        putc('\'', stream);
    } else if (option->kind != DGM_OPTION_FLAG) {
        fputs(trait->values == CLI_VALUES_FILE ? " -r -F" : " -x", stream);
    }
    fputs(" -d '", stream);
    fish_text(stream, option->help);
    fputs("'\n", stream);
}

static void write_fish_command(FILE *stream, const cli_command *command) {
    cli_cursor cursor = {0};
    const dgm_option *option;
    fprintf(stream, "\ncomplete -c dgm -n __fish_use_subcommand -f -a %s -d '", command->name);
    fish_text(stream, command->summary);
    fprintf(stream, "'\ncomplete -c dgm -n '__fish_seen_subcommand_from %s' %s-a '", command->name,
            command->operand_is_generator || !command->operand ? "-f " : "");
    if (command->variants) {
        write_words(stream, command->variants());
        putc(' ', stream);
    }
    if (command->operand)
        write_words(stream,
                    command->operand_is_generator ? dgm_generator_names() : dgm_built_in_graphs());
    fputs("'\n", stream);
    while ((option = cli_next_option(command->groups, &cursor)))
        write_fish_option(stream, command, option);
}

static void write_fish(FILE *stream, const cli_command *unused) {
    (void)unused;
    fputs("# SPDX-License-Identifier: Apache-2.0\n"
          "# fish completion for dgm, made from its option tables\n\n"
          "complete -c dgm -n __fish_use_subcommand -f -a help -d 'show the help of a command'\n"
          "complete -c dgm -n __fish_use_subcommand -f -l help -s h -d 'show help'\n"
          "complete -c dgm -n __fish_use_subcommand -f -l version -d 'show the version'\n"
          "complete -c dgm -n '__fish_seen_subcommand_from help' -f -a '",
          stream);
    write_command_words(stream);
    fputs("'\n", stream);
    for (int i = 0; cli_commands[i]; i++)
        write_fish_command(stream, cli_commands[i]);
}

int cli_generate_completions(cli_session *session, const char *folder) {
    int code = cli_write_file(session, folder, "dgm", write_bash, NULL);
    if (code == CLI_DONE)
        code = cli_write_file(session, folder, "_dgm", write_zsh, NULL);
    if (code == CLI_DONE)
        code = cli_write_file(session, folder, "dgm.fish", write_fish, NULL);
    return code;
}
