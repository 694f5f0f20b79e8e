/* SPDX-License-Identifier: Apache-2.0 */
/* The options that belong to the program and not to a stage of the library, in the same form as the
 * library's. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cli_command.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const cli_trait traits[] = {
    {.name = "output",
     .letter = 'o',
     .repeats = true,
     .off_record = true,
     .values = CLI_VALUES_FILE},
    {.name = "lens", .values = CLI_VALUES_LENS},
    {.name = "lens-file", .values = CLI_VALUES_FILE},
    {.name = "nodes-table", .values = CLI_VALUES_FILE},
    {.name = "cover", .values = CLI_VALUES_COVER},
    {.name = "model", .values = CLI_VALUES_FILE},
    {.name = "embedding", .values = CLI_VALUES_FILE, .off_record = true},
    {.name = "predictions", .values = CLI_VALUES_FILE},
    {.name = "checkpoint", .values = CLI_VALUES_FILE, .off_record = true},
    {.name = "recipe", .off_record = true},
    {.name = "reduce", .values = CLI_VALUES_REDUCTION},
    {.name = "method", .values = CLI_VALUES_REDUCTION},
    {.name = "pool", .values = CLI_VALUES_POOLING},
    {.name = "start", .values = CLI_VALUES_FILE},
    {.name = "into", .values = CLI_VALUES_FILE},
    {.name = "points", .values = CLI_VALUES_FILE},
    {.name = "colour", .alias = "color"},
    {.name = "scatter", .values = CLI_VALUES_FILE},
    {.name = "labels", .values = CLI_VALUES_FILE},
    {.name = "against", .values = CLI_VALUES_FILE, .off_record = true},
    {.name = "data", .values = CLI_VALUES_FILE},
    {.name = "threads", .off_record = true},
    {.name = "unpack-limit", .off_record = true},
    {.name = "json", .off_record = true},
    {.name = "most", .off_record = true},
    {.name = "train", .off_record = true},
    {.name = "report", .off_record = true},
    {.name = "quiet", .letter = 'q', .off_record = true},
    {.name = "help", .letter = 'h'},
};

const cli_trait *cli_trait_of(const char *option_name) {
    static const cli_trait plain;
    for (size_t i = 0; i < COUNT(traits); i++)
        if (strcmp(traits[i].name, option_name) == 0)
            return &traits[i];
    return &plain;
}

static const dgm_option common_options[] = {
    {.name = "threads",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(cli_common, threads),
     .minimum = 1,
     .maximum = 1024,
     .default_text = "all cores",
     .argument = "N",
     .help = "threads to use; the result does not depend on it"},
    {.name = "unpack-limit",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(cli_common, unpack_limit),
     .minimum = 0,
     .maximum = 1e9,
     .default_text = "250",
     .argument = "TIMES",
     .help = "refuse a packed file that unfolds to more than 256 MB and to more than this many "
             "times its size; 0: no limit"},
    {.name = "quiet",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(cli_common, quiet),
     .help = "say nothing on stderr but errors"},
    {.name = "json",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(cli_common, json),
     .help = "print one JSON object on stdout, for programs"},
    {.name = "help",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(cli_common, help),
     .help = "show this help"},
    {.name = "version",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(cli_common, version),
     .help = "show the version"},
};

const dgm_option_table *cli_common_table(void) {
    static const dgm_option_table table = {"General", common_options, COUNT(common_options)};
    return &table;
}

/* `dgm lens` computes lenses, and has nothing to read or to reduce. */
const dgm_option_table *cli_axes_table(void) {
    enum { UP_TO_MODEL = 3 };
    static dgm_option_table table;
    table = *dgm_job_lens_option_table();
    table.count = UP_TO_MODEL;
    return &table;
}

const dgm_option_table *cli_reduce_table(void) {
    static const dgm_option options[] = {
        {.name = "method",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_reducing, reduce),
         .default_text = "pca",
         .argument = "METHOD[:KEY=VALUE,...]",
         .help = "how columns become axes, see Reductions below"},
        {.name = "dim",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(cli_reducing, dim),
         .minimum = 1,
         .maximum = DGM_REDUCE_MOST,
         .default_text = "2",
         .argument = "D",
         .help = "axes after the reduction"},
        {.name = "start",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_reducing, start),
         .argument = "MAP",
         .help = "go on from the axes in this file (tsne), a row for a row of TABLE"},
        {.name = "into",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_reducing, into),
         .argument = "MAP",
         .help = "place the rows of TABLE into this map (tsne), which stays as it is"},
        {.name = "points",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_reducing, points),
         .argument = "POINTS",
         .help = "with --into: the table that the map was made of"},
    };
    static const dgm_option_table table = {"Reduction", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_distances_table(void) {
    static const dgm_option options[] = {
        {.name = "distances",
         .kind = DGM_OPTION_FLAG,
         .offset = 0,
         .help = "distances become the weights of the edges, which otherwise have none"},
        {.name = "keep-points",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_request, knn_points) - offsetof(cli_request, knn_distances),
         .help = "the points become the features of the nodes, where the format has them"},
    };
    static const dgm_option_table table = {"Points", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_chance_table(void) {
    static const dgm_option options[] = {
        {.name = "rewire",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_chance, rewire),
         .help = "draw the edges at random; every node keeps as many as it has"},
        {.name = "shuffle-features",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_chance, features),
         .help = "deal the features out to the nodes at random"},
    };
    static const dgm_option_table table = {"Chance", options, COUNT(options)};
    return &table;
}

/* The library's option, whose values the program keeps in a list of its own. */
const dgm_option_table *cli_outputs_table(void) {
    static dgm_option options[1];
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    options[0] = dgm_job_output_option_table()->options[0];
    options[0].offset = offsetof(cli_outputs, files);
    options[0].set = NULL;
    return &table;
}

const dgm_option_table *cli_choosing_table(void) {
    static const char *const answers[] = {"on", "off", NULL};
    static const dgm_option options[] = {
        {.name = "auto",
         .kind = DGM_OPTION_CHOICE,
         .offset = offsetof(cli_choosing, automatic),
         .choices = answers,
         .default_text = "on",
         .help =
             "choose what is not given by looking at the graph: lens, transform, cover, "
             "intervals and overlap, or with a lens intervals and overlap alone; off, with "
             "--compat and with a cover of intervals, simplex, cmo or parts: pagerank, 10 and 0.2"},
        {.name = "chance",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(cli_choosing, chance),
         .minimum = 0,
         .maximum = 10000,
         .default_text = "1 to 20 where settings are chosen, otherwise 0",
         .argument = "N",
         .help = "map N graphs rewired at equal degrees with the same settings, and say what they "
                 "give"},
        {.name = "recipe",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_choosing, recipe),
         .argument = "NAME",
         .help = "settings by the question that they answer: communities, centre, spectral, "
                 "network or errors; list: show what they stand for"},
    };
    static const dgm_option_table table = {"Choosing", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_report_table(void) {
    static const dgm_option options[] = {
        {.name = "report",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(cli_outputs, report),
         .help = "say in words on stderr who is where: pieces, clusters, bridges, loops, branches "
                 "(-o FILE.md writes the same)"},
    };
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_drawing_table(void) {
    static const dgm_option options[] = {
        {.name = "compare",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_drawing, compare),
         .argument = "A,B",
         .help = "side by side: two colourings of what is drawn (prediction,labels marks the "
                 "clusters where they differ most), or two summaries (A.json,B.json)"},
        {.name = "scatter",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_drawing, scatter),
         .argument = "POINTS",
         .help = "points of two axes, text or .npy, one row per node of GRAPH where it is given"},
        {.name = "labels",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_drawing, label_file),
         .argument = "FILE",
         .help = "classes of the points or of GRAPH's nodes, numbers or words, text or .npy: one a "
                 "row, or with a header id,label"},
    };
    static const dgm_option_table table = {"What is drawn", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_drawn_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .argument = "FILE",
         .help = "write to FILE: .svg .pdf .png, .json (a summary with its layout) or .md (a "
                 "report of it in words); may be repeated"},
    };
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_output_table(void) {
    static const dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .default_text = "text on stdout",
         .argument = "FILE",
         .help = "write to FILE: .npy, or text with a header (.tsv, .csv)"},
    };
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    return &table;
}

const dgm_option_table *cli_graph_output_table(void) {
    static dgm_option options[] = {
        {.name = "output",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(cli_outputs, files),
         .default_text = "edge list on stdout",
         .argument = "FILE",
         .help = "write the graph to FILE, in the format of its extension (.gz .xz .zst behind it "
                 "compress), or to a dataset folder: FOLDER/"},
        {.name = "to",
         .kind = DGM_OPTION_CHOICE,
         .offset = offsetof(cli_outputs, format),
         .default_text = "auto",
         .argument = "FORMAT",
         .help = "format to write, where the extension does not tell"},
    };
    static const dgm_option_table table = {"Output", options, COUNT(options)};
    options[1].choices = dgm_format_names();
    return &table;
}

bool cli_group_applies(const cli_group *group, const char *variant) {
    return !group->only || !variant || strcmp(group->only, variant) == 0;
}

static bool named_before(const cli_group *groups, const cli_cursor *cursor, const char *name) {
    const char *variant = cursor->by_variant ? groups[cursor->group].only : cursor->variant;
    for (size_t group = 0; group < cursor->group; group++)
        if (cli_group_applies(&groups[group], variant) &&
            dgm_option_find(groups[group].table(), name))
            return true;
    return false;
}

const dgm_option *cli_next_option(const cli_group *groups, cli_cursor *cursor) {
    for (; groups[cursor->group].table; cursor->group++, cursor->index = 0) {
        const dgm_option_table *table = groups[cursor->group].table();
        while (cli_group_applies(&groups[cursor->group], cursor->variant) &&
               cursor->index < table->count) {
            const dgm_option *option = &table->options[cursor->index++];
            cursor->at = &groups[cursor->group];
            if (!named_before(groups, cursor, option->name))
                return option;
        }
    }
    return NULL;
}
