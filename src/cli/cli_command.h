/* SPDX-License-Identifier: Apache-2.0 */
/* What a sub-command is: its words, its option groups and the function that runs it. Help, man
 * pages, completion and the pages in docs/ are all written from these.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "dgm/dgm.h"

#include "cli_terminal.h"

/* Values of an option that may be repeated, in the order given. */
typedef struct cli_list {
    const char **items; /* borrowed from the command line */
    int count;
} cli_list;

/* Options that every command takes. */
typedef struct cli_common {
    int64_t threads;      /* 0: all cores */
    int64_t unpack_limit; /* 0: none */
    bool quiet, json, help, version;
} cli_common;

/* What reduce takes beside its table. */
typedef struct cli_reducing {
    const char *reduce; /* or NULL */
    int64_t dim;        /* 0: not given */
    const char *start;  /* file of a map to go on from, or NULL */
    const char *into;   /* file of a map that rows are placed into, or NULL */
    const char *points; /* file of what that map shows, or NULL */
} cli_reducing;

typedef struct cli_outputs {
    cli_list files;
    int format;                          /* dgm_format, of commands that write a graph */
    const char *embedding, *predictions; /* files that train writes beside the weights, or NULL */
} cli_outputs;

/* What draw draws beside its operand. */
typedef struct cli_drawing {
    const char *scatter;    /* a table of points, or NULL */
    const char *label_file; /* classes of its rows, or NULL */
    const char *compare;    /* colourings or summaries, with commas between, or NULL */
} cli_drawing;

/* Values of a sweep: up to the first that is negative, or all. */
typedef struct cli_sweeps {
    int64_t intervals[DGM_MAX_AXES];
    double overlap[DGM_MAX_AXES];
} cli_sweeps;

/* What classify takes beside its table. */
typedef struct cli_classifying {
    const char *against; /* file of another result, or NULL */
} cli_classifying;

/* Everything that a command line can say. A command reads the parts that its groups fill. */
typedef struct cli_request {
    const char *variant; /* of commands that have several; NULL otherwise */
    const char *operand; /* the graph, or the kind to generate */
    char *command;       /* the command line for provenance, owned */
    cli_common common;
    dgm_job job; /* of the commands that read, map or draw a graph; layout -1: not given */
    cli_reducing reducing;
    cli_outputs output;
    dgm_generate_options generate;
    dgm_gcn_options gcn;
    dgm_dgi_options dgi;
    dgm_checkpoint_options checkpoint;
    dgm_knn_options knn; /* k 0: the operand is a graph */
    bool knn_distances;
    cli_drawing draw;
    cli_sweeps sweep;
    dgm_classify_options classify;
    cli_classifying classifying;
} cli_request;

/* A table of options and where in the request its struct lies. An option that several groups of a
 * command name is set in all of them and shown with the first. */
typedef struct cli_group {
    const dgm_option_table *(*table)(void);
    size_t offset;
    bool continues;   /* shown under the heading of the group before */
    const char *only; /* for this variant alone; NULL: for all */
} cli_group;

/* What an option's value is made of, for completion. */
typedef enum cli_values {
    CLI_VALUES_OTHER,
    CLI_VALUES_FILE,
    CLI_VALUES_LENS,
    CLI_VALUES_COVER,
    CLI_VALUES_REDUCTION,
} cli_values;

/* What a shell sees of an option beyond its table. */
typedef struct cli_trait {
    const char *name;
    const char *alias; /* another spelling, or NULL */
    char letter;       /* 0: none */
    bool repeats;      /* the field is a cli_list */
    bool off_record;   /* changes no result, so provenance leaves it out */
    cli_values values;
} cli_trait;

typedef struct cli_example {
    const char *command, *meaning;
} cli_example;

typedef struct cli_command {
    const char *name;
    const char *summary;                  /* one line, no full stop */
    const char *usage;                    /* what follows "dgm NAME" */
    const char *const *(*variants)(void); /* words of which one comes first, or NULL */
    const char *variant_help;
    const char *operand;            /* "GRAPH", "KIND" */
    const char *operand_help;       /* what it may be */
    bool operand_optional;          /* options may say all that is needed */
    const char *const *description; /* paragraphs, NULL-terminated */
    const cli_group *groups;        /* ends with table NULL */
    bool lists_lenses;              /* help lists the lenses and their keys */
    bool lists_reductions;          /* likewise */
    bool operand_is_generator;      /* completion offers generators, not files */
    const char *output_extensions;  /* for completion and help: ".json .csv" */
    const cli_example *examples;    /* ends with command NULL */
    int (*run)(cli_session *session, const cli_request *request);
} cli_command;

/* The commands in the order of help, NULL-terminated, and the one of that name or NULL. */
extern const cli_command *const cli_commands[];
const cli_command *cli_command_find(const char *name);
/* The command nearest to a misspelt name, or NULL. */
const char *cli_command_nearest(const char *name);

extern const cli_command cli_map_command, cli_info_command, cli_convert_command,
    cli_generate_command, cli_lens_command, cli_train_command, cli_reduce_command, cli_draw_command,
    cli_sweep_command, cli_classify_command;

/* The program's own option tables (cli_options.c). */
const dgm_option_table *cli_common_table(void);
const dgm_option_table *cli_axes_table(void);
const dgm_option_table *cli_reduce_table(void);
const dgm_option_table *cli_distances_table(void);
const dgm_option_table *cli_outputs_table(void);
const dgm_option_table *cli_drawing_table(void);
const dgm_option_table *cli_drawn_table(void);
const dgm_option_table *cli_output_table(void);
const dgm_option_table *cli_graph_output_table(void);
/* Never NULL. */
const cli_trait *cli_trait_of(const char *option_name);

/* Walks over the options of a command, each name once: start with {0}; returns NULL at the end. */
typedef struct cli_cursor {
    const char *variant; /* options of this variant; NULL: of all */
    bool by_variant;     /* what several variants have comes once for each */
    size_t group, index; /* of the option that comes next */
    const cli_group *at; /* group of the option last returned */
} cli_cursor;
const dgm_option *cli_next_option(const cli_group *groups, cli_cursor *cursor);
/* Whether the group belongs to that variant; NULL: to any. */
bool cli_group_applies(const cli_group *group, const char *variant);

/* Whether the name is that of a built-in graph, and no file is called so. */
bool cli_is_built_in(const char *name);

/* What a GRAPH may be, in words. */
#define cli_graph_help                                                                             \
    "a file, a dataset folder, '-' (an edge list on stdin) or a built-in graph (spam, karate, "    \
    "papers)"

/* The job of the request for map and sweep, with its graph, its command and its layout. */
dgm_job cli_make_job(const cli_request *request);
/* The graph that the request names. Prints on failure and returns the exit code. */
int cli_open_graph(cli_session *session, const cli_request *request, dgm_graph **out);
/* The one output of a command that takes one: "-" where none is given. Checks that its folder
 * exists and that --json does not want standard output as well. */
int cli_single_output(cli_session *session, const cli_request *request, const char **path);
int cli_check_outputs(cli_session *session, const cli_request *request);
/* That the folder of an output exists. */
int cli_check_output(cli_session *session, const char *path);
/* That a table, or a network, is not to be written under the ending of something else. */
int cli_check_table_name(cli_session *session, const char *path);
int cli_check_network_name(cli_session *session, const char *path);

/* Pages written from the tables (cli_help.c, cli_manual.c, cli_complete.c); command NULL: the
 * program itself. */
void cli_help_print(const cli_command *command);
int cli_generate_files(cli_session *session, const char *what, const char *folder);
int cli_generate_completions(cli_session *session, const char *folder);
int cli_generate_manuals(cli_session *session, const char *folder);
int cli_generate_docs(cli_session *session, const char *folder);

#endif
