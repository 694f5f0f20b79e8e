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
    const char **items; /* the values, which are words of the command line */
    int count;          /* their number */
} cli_list;

/* Options that every command takes. */
typedef struct cli_common {
    int64_t threads;      /* the number of threads; 0: as many as there are cores */
    int64_t unpack_limit; /* how many times its size a file may be unpacked to; 0: no limit */
    bool quiet;           /* say nothing but errors */
    bool json;            /* print the closing words as JSON on standard output */
    bool help, version;   /* print the help, or the version, and nothing else */
} cli_common;

/* What `dgm reduce` takes besides its operand. */
typedef struct cli_reducing {
    const char *reduce; /* the reduction, or NULL if it is not given */
    int64_t dim;        /* the number of axes; 0: it is not given */
    const char *start;  /* the file of a map to go on from, or NULL */
    const char *into;   /* the file of a map that rows are placed into, or NULL */
    const char *points; /* the file with the points that this map shows, or NULL */
} cli_reducing;

typedef struct cli_outputs {
    cli_list files;          /* the files to write */
    int format;              /* a dgm_format, for commands that write a graph */
    const char *embedding;   /* the file for what a trained network gives, or NULL */
    const char *predictions; /* the file for what it says of the nodes, or NULL */
    bool report;             /* say in words who is where */
} cli_outputs;

/* What `dgm draw` draws besides its operand. */
typedef struct cli_drawing {
    const char *scatter;    /* a table of points, or NULL */
    const char *label_file; /* the file with the classes of its rows, or NULL */
    const char *compare;    /* colourings or summaries with commas between them, or NULL */
} cli_drawing;

/* What convert draws anew. */
typedef struct cli_chance {
    bool rewire;   /* the edges, at equal degrees */
    bool features; /* which node has which features */
} cli_chance;

/* The values of a sweep. A list ends before its first negative value, or is full. */
typedef struct cli_sweeps {
    int64_t intervals[DGM_MAX_AXES];
    double overlap[DGM_MAX_AXES];
} cli_sweeps;

/* What pool takes. */
typedef struct cli_pooling {
    const char *method; /* or NULL */
    int64_t steps;      /* 0: not given */
    const char *model;  /* file of a classifier, or NULL */
} cli_pooling;

/* How map fills in what it is not told. */
typedef struct cli_choosing {
    int automatic;      /* 0: by looking at the graph; 1: by fixed defaults */
    int64_t chance;     /* how many rewired graphs are mapped as well, if it is given */
    const char *recipe; /* the name of a recipe, or NULL */
} cli_choosing;

/* What suggest takes besides the options of map. */
typedef struct cli_suggesting {
    int64_t most; /* the number of candidates to show */
    bool train;   /* a network is a candidate too */
} cli_suggesting;

/* Everything that a command line can say. A command reads the parts that its groups fill. */
typedef struct cli_request {
    const char *variant; /* which of its variants a command is, or NULL if it has none */
    const char *operand; /* the graph, or the kind of graph to generate; NULL: not given */
    char *command;       /* the command line for provenance, which the request owns */
    size_t command_end;  /* where more options can stand in it */
    cli_list given;      /* the names of the options that are on the command line */
    cli_list values;     /* and their values, NULL for a flag */
    cli_common common;
    dgm_job job; /* for commands that read, map or draw a graph; a layout of -1 is not given */
    cli_reducing reducing;
    cli_outputs output;
    dgm_generate_options generate;
    dgm_gcn_options gcn;
    dgm_dgi_options dgi;
    dgm_checkpoint_options checkpoint;
    dgm_knn_options knn; /* for points; if k is 0, the operand is a graph */
    bool knn_distances;  /* the edges between neighbours keep their distances */
    bool knn_points;     /* nodes keep the points as features; it stands behind the field above */
    cli_chance chance;
    cli_drawing draw;
    cli_sweeps sweep;
    dgm_classify_options classify;
    cli_pooling pooling;
    cli_choosing choosing;
    cli_suggesting suggesting;
    dgm_server_options server;
    dgm_reproduce_options reproduce;
    const char *data; /* the folder of data sets for reproduce, or NULL */
    bool no_browser;  /* explore prints the address of its page, and opens none */
} cli_request;

/* Tells whether an option is on the command line. */
bool cli_is_given(const cli_request *request, const char *name);

/* A table of options and where in the request its struct lies. An option that several groups of a
 * command name is set in all of them and shown with the first. */
typedef struct cli_group {
    const dgm_option_table *(*table)(void);
    size_t offset;    /* where the struct lies in a cli_request */
    bool continues;   /* help shows it under the heading of the group before */
    const char *only; /* the one variant that has these options; NULL: all have them */
} cli_group;

/* The groups of a command that draws a graph, and of one that maps it first. */
#define CLI_FIGURE_GROUPS                                                                          \
    {dgm_figure_option_table, offsetof(cli_request, job.figure), false, NULL},                     \
        {dgm_layout_option_table, offsetof(cli_request, job.layout), true, NULL},                  \
        {dgm_graph_option_table, offsetof(cli_request, job.graph_options), false, NULL}, {         \
        dgm_job_reading_option_table, offsetof(cli_request, job), true, NULL                       \
    }
#define CLI_MAPPING_GROUPS                                                                         \
    {dgm_job_lens_option_table, offsetof(cli_request, job), false, NULL},                          \
        {dgm_job_cover_option_table, offsetof(cli_request, job), false, NULL},                     \
        {dgm_mapper_option_table, offsetof(cli_request, job.mapper), true, NULL},                  \
        CLI_FIGURE_GROUPS
/* The last groups of a command with a seed, and the end of the list. */
#define CLI_GENERAL_GROUPS                                                                         \
    {dgm_job_seed_option_table, offsetof(cli_request, job), false, NULL},                          \
        {cli_common_table, offsetof(cli_request, common), true, NULL}, {                           \
        NULL, 0, false, NULL                                                                       \
    }

/* What an option's value is made of, for completion. */
typedef enum cli_values {
    CLI_VALUES_OTHER,
    CLI_VALUES_FILE,
    CLI_VALUES_LENS,
    CLI_VALUES_COVER,
    CLI_VALUES_REDUCTION,
    CLI_VALUES_POOLING,
} cli_values;

/* What a shell sees of an option beyond its table. */
typedef struct cli_trait {
    const char *name;
    const char *alias; /* another spelling, or NULL */
    char letter;       /* its letter, as the o of -o; 0: it has none */
    bool repeats;      /* it may be repeated, and its field is a cli_list */
    bool off_record;   /* it changes no result, so that provenance leaves it out */
    cli_values values; /* what completion offers for its value */
} cli_trait;

/* What a command does where an option is not given, if that is not the default of its table. */
typedef struct cli_default {
    const char *option, *text;
} cli_default;

typedef struct cli_example {
    const char *command, *meaning;
} cli_example;

typedef struct cli_command {
    const char *name;
    const char *summary;                  /* one line of help, without a full stop */
    const char *usage;                    /* what follows "dgm NAME" in help */
    const char *const *(*variants)(void); /* the words of which one comes first, or NULL */
    const char *variant_help;             /* what these words are */
    const char *operand;                  /* the operand in help: "GRAPH", "KIND"; NULL: none */
    const char *operand_help;             /* what the operand may be */
    bool operand_optional;          /* it may be left out, if options say all that is needed */
    const char *const *description; /* paragraphs of help, then NULL */
    const cli_group *groups;        /* its options; the last group has table NULL */
    const cli_default *defaults;    /* its own defaults, the last has option NULL; or NULL */
    bool lists_lenses;              /* help lists the lenses and their keys */
    bool lists_reductions;          /* help lists the reductions and their keys */
    bool lists_poolings;            /* help lists the poolings and their keys */
    bool operand_is_generator;      /* completion offers generators, and no files */
    const char *output_extensions;  /* the endings of what it writes, for cli_check_format */
    const cli_example *examples;    /* examples in help; the last has command NULL */
    /* Runs the command and returns the exit code of the program. */
    int (*run)(cli_session *session, const cli_request *request);
} cli_command;

/* The commands in the order of help, then NULL. */
extern const cli_command *const cli_commands[];
/* Returns the command of that name, or NULL if there is none. */
const cli_command *cli_command_find(const char *name);
/* Returns the name of the command that is nearest to a misspelt one, or NULL if none is near. */
const char *cli_command_nearest(const char *name);

extern const cli_command cli_map_command, cli_info_command, cli_convert_command,
    cli_generate_command, cli_lens_command, cli_train_command, cli_reduce_command, cli_draw_command,
    cli_sweep_command, cli_classify_command, cli_pool_command, cli_suggest_command,
    cli_explore_command, cli_reproduce_command;

/* The program's own option tables (cli_options.c). */
const dgm_option_table *cli_common_table(void);
const dgm_option_table *cli_axes_table(void);
const dgm_option_table *cli_reduce_table(void);
const dgm_option_table *cli_distances_table(void);
const dgm_option_table *cli_chance_table(void);
const dgm_option_table *cli_choosing_table(void);
const dgm_option_table *cli_outputs_table(void);
const dgm_option_table *cli_report_table(void);
const dgm_option_table *cli_drawing_table(void);
const dgm_option_table *cli_drawn_table(void);
const dgm_option_table *cli_output_table(void);
const dgm_option_table *cli_graph_output_table(void);
/* Returns the trait of an option; one without anything special if it has none. */
const cli_trait *cli_trait_of(const char *option_name);

/* Where a walk over the options of a command has come to. It begins with {0}. */
typedef struct cli_cursor {
    const char *variant; /* the variant whose options are wanted; NULL: those of all */
    bool by_variant;     /* an option that several variants have comes once for each */
    size_t group, index; /* where the next option is */
    const cli_group *at; /* the group of the option that was returned last */
} cli_cursor;
/* Returns the next option, or NULL after the last. A name that several groups have comes once. */
const dgm_option *cli_next_option(const cli_group *groups, cli_cursor *cursor);
/* Tells whether the group belongs to that variant, or to any variant if that is NULL. */
bool cli_group_applies(const cli_group *group, const char *variant);

/* Reads the words from argv[2] on and runs the command. Returns the exit code. */
int cli_run_command(cli_session *session, const cli_command *command, int argc, char **argv);

/* Tells whether this is the name of a built-in graph, and no file has it. */
bool cli_is_built_in(const char *name);

/* What help says of an operand GRAPH. */
#define cli_graph_help                                                                             \
    "a file, a dataset folder, '-' (an edge list on stdin) or a built-in graph (spam, karate, "    \
    "papers)"

/* Returns the job of a request for map and sweep, with its graph, its command and its layout. */
dgm_job cli_make_job(const cli_request *request);
/* Opens the graph that the request names. On failure it prints the error. Returns the exit code. */
int cli_open_graph(cli_session *session, const cli_request *request, dgm_graph **out);
/* These six print what is wrong and return the exit code. */

/* Gives the output of a command that takes one, or "-" if none is given. Checks that its folder
 * exists, and that --json does not need standard output as well. */
int cli_single_output(cli_session *session, const cli_request *request, const char **path);
/* Checks the same of all outputs of a command that takes several. */
int cli_check_outputs(cli_session *session, const cli_request *request);
/* Checks that the folder of an output exists. */
int cli_check_output(cli_session *session, const char *path);
/* Checks that the ending of an output is one of those that the command writes; `what` is it that it
 * writes, such as "figures". */
int cli_check_format(cli_session *session, const cli_command *command, const char *what,
                     const char *path);
/* Check that a table, or a network, does not get the ending of some other kind of file. */
int cli_check_table_name(cli_session *session, const char *path);
int cli_check_network_name(cli_session *session, const char *path);

/* Prints the help of a command, or of the program if that is NULL. */
void cli_help_print(const cli_command *command);
/* These write files into a folder: completions, manual pages, or the pages of docs/commands. The
 * first does what the word `what` asks for. They print what is wrong and return the exit code. */
int cli_generate_files(cli_session *session, const char *what, const char *folder);
int cli_generate_completions(cli_session *session, const char *folder);
int cli_generate_manuals(cli_session *session, const char *folder);
int cli_generate_docs(cli_session *session, const char *folder);

#endif
