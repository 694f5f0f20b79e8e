/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_page.h"

#include <stdlib.h>
#include <string.h>

#include "cli_text.h"

static const cli_example program_examples[] = {
    {"dgm map karate", "a summary of a built-in graph, as JSON"},
    {"dgm map graph.mtx.gz --lens degree --intervals 20 -o graph.graphml",
     "a graph file into a summary that Gephi, yEd and others open"},
    {"dgm info library/", "what is in a dataset folder"},
    {NULL, NULL},
};

static const char *const program_description[] = {
    "Deep Graph Mapper shows the shape of a graph that is a hairball in other tools: nodes are "
    "seen "
    "through a lens, cut into overlapping cells, and the pieces that fall out are joined where "
    "they "
    "overlap.",
    NULL,
};

static const cli_entry exit_codes[] = {
    {.dashes = "", .name = "0", .help = "done"},
    {.dashes = "",
     .name = "1",
     .help = "a file is missing, unreadable or wrong, or the work failed"},
    {.dashes = "", .name = "2", .help = "wrong usage: unknown name, value out of its bounds"},
    {.dashes = "", .name = "130", .help = "interrupted; nothing was written"},
    {.name = NULL},
};

static const cli_entry environment[] = {
    {.dashes = "", .name = "NO_COLOR", .help = "if set and not empty, no colours"},
    {.name = NULL},
};

static void begin_entries(const cli_pen *pen) {
    if (pen->begin_entries)
        pen->begin_entries(pen);
}

static void end_entries(const cli_pen *pen) {
    if (pen->end_entries)
        pen->end_entries(pen);
}

static void write_entries(const cli_pen *pen, const char *heading, const cli_entry *entries) {
    pen->heading(pen, heading);
    begin_entries(pen);
    for (; entries->name; entries++)
        pen->entry(pen, entries);
    end_entries(pen);
}

static cli_entry entry_of(const dgm_option *option) {
    bool flag = option->kind == DGM_OPTION_FLAG;
    return (cli_entry){.letter = cli_trait_of(option->name)->letter,
                       .dashes = "--",
                       .name = option->name,
                       .argument = flag               ? NULL
                                   : option->argument ? option->argument
                                                      : "NAME",
                       .help = option->help,
                       .default_text = option->default_text,
                       .choices = option->choices};
}

/* What the command does where the option is not given. */
static const char *default_of(const cli_command *command, const dgm_option *option) {
    for (const cli_default *own = command->defaults; own && own->option; own++)
        if (strcmp(own->option, option->name) == 0)
            return own->text;
    return option->default_text;
}

static void write_options(const cli_pen *pen, const cli_command *command) {
    cli_cursor cursor = {.by_variant = true};
    const cli_group *shown = NULL;
    const dgm_option *option;
    while ((option = cli_next_option(command->groups, &cursor))) {
        if (cursor.at != shown && !cursor.at->continues) {
            if (shown)
                end_entries(pen);
            pen->heading(pen, cursor.at->table()->title);
            begin_entries(pen);
        }
        shown = cursor.at;
        cli_entry entry = entry_of(option);
        entry.default_text = default_of(command, option);
        pen->entry(pen, &entry);
    }
    end_entries(pen);
}

/* Something picked by name, and its keys. */
static void write_kind(const cli_pen *pen, const char *name, const char *help,
                       const dgm_option_table *keys) {
    cli_entry kind = {.dashes = "", .name = name, .help = help};
    pen->entry(pen, &kind);
    for (size_t k = 0; keys && k < keys->count; k++) {
        cli_entry key = entry_of(&keys->options[k]);
        key.dashes = "";
        key.letter = 0;
        key.inner = true;
        pen->entry(pen, &key);
    }
}

static void write_lenses(const cli_pen *pen) {
    const dgm_lens_kind *kind;
    pen->heading(pen, "Lenses");
    begin_entries(pen);
    for (size_t i = 0; (kind = dgm_lens_kind_at(i)); i++)
        write_kind(pen, kind->name, kind->help, kind->options);
    end_entries(pen);
}

static void write_reductions(const cli_pen *pen) {
    const dgm_reduce_kind *kind;
    pen->heading(pen, "Reductions");
    begin_entries(pen);
    for (size_t i = 0; (kind = dgm_reduce_kind_at(i)); i++)
        write_kind(pen, kind->name, kind->help, kind->options);
    end_entries(pen);
}

static void write_poolings(const cli_pen *pen) {
    const dgm_pool_kind *kind;
    pen->heading(pen, "Poolings");
    begin_entries(pen);
    for (size_t i = 0; (kind = dgm_pool_kind_at(i)); i++)
        write_kind(pen, kind->name, kind->help, kind->options);
    end_entries(pen);
}

static void write_examples(const cli_pen *pen, const cli_example *examples) {
    pen->heading(pen, "Examples");
    for (; examples->command; examples++)
        pen->example(pen, examples);
}

static void write_paragraphs(const cli_pen *pen, const char *const *paragraphs) {
    for (; *paragraphs; paragraphs++)
        pen->paragraph(pen, *paragraphs);
}

static void write_program(const cli_pen *pen) {
    static const cli_entry options[] = {
        {.letter = 'h', .dashes = "--", .name = "help", .help = "show this help, or a command's"},
        {.dashes = "--", .name = "version", .help = "show the version"},
        {.name = NULL},
    };
    pen->title(pen, "dgm", "see the shape of a graph");
    pen->usage(pen, "dgm", "COMMAND [OPTIONS]");
    write_paragraphs(pen, program_description);
    pen->heading(pen, "Commands");
    begin_entries(pen);
    for (int i = 0; cli_commands[i]; i++) {
        cli_entry entry = {
            .dashes = "", .name = cli_commands[i]->name, .help = cli_commands[i]->summary};
        pen->entry(pen, &entry);
    }
    end_entries(pen);
    write_entries(pen, "Options", options);
    pen->paragraph(pen, "'dgm COMMAND --help' shows the options of a command.");
    write_examples(pen, program_examples);
    write_entries(pen, "Environment", environment);
    write_entries(pen, "Exit status", exit_codes);
}

void cli_page_write(const cli_pen *pen, const cli_command *command) {
    if (!command) {
        write_program(pen);
        return;
    }
    char name[64];
    cli_entry operands[] = {
        {.dashes = "", .name = "MODEL", .help = command->variant_help},
        {.dashes = "", .name = command->operand, .help = command->operand_help},
        {.name = NULL},
    };
    snprintf(name, sizeof name, "dgm %s", command->name);
    pen->title(pen, name, command->summary);
    pen->usage(pen, name, command->usage);
    write_paragraphs(pen, command->description);
    if (command->operand)
        write_entries(pen, command->variants ? "Arguments" : "Argument",
                      operands + (command->variants ? 0 : 1));
    write_options(pen, command);
    if (command->lists_lenses)
        write_lenses(pen);
    if (command->lists_reductions)
        write_reductions(pen);
    if (command->lists_poolings)
        write_poolings(pen);
    write_examples(pen, command->examples);
    write_entries(pen, "Exit status", exit_codes);
}

/* "default: components; or none, labelprop, louvain" */
static void write_values(FILE *stream, const cli_entry *entry) {
    bool first = true;
    if (entry->default_text)
        fprintf(stream, "default: %s", entry->default_text);
    for (const char *const *choice = entry->choices; choice && *choice; choice++) {
        if (entry->default_text && strcmp(*choice, entry->default_text) == 0)
            continue;
        const char *joint = !first ? ", " : entry->default_text ? "; or " : "one of: ";
        fprintf(stream, "%s%s", joint, *choice);
        first = false;
    }
}

char *cli_entry_text(const cli_entry *entry) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fputs(entry->help, stream);
    if (entry->default_text || (entry->choices && entry->choices[0] && entry->choices[1])) {
        fputs(" [", stream);
        write_values(stream, entry);
        fputs("]", stream);
    }
    if (cli_close_text(stream, &text))
        return text;
    free(text);
    return NULL;
}
