/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs by the names that people call them: files, folders, standard input, built-in graphs. */
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base_context.h"
#include "dgm/pipeline.h"
#include "io_formats.h"

static const char *const built_in[] = {"spam", "karate", "papers", NULL};

const char *const *dgm_built_in_graphs(void) {
    return built_in;
}

static int find_name(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* Data sets that people expect to be there, and that have to be had first. */
static bool is_data_set(const char *name) {
    static const char *const known[] = {"cora", "citeseer", "pubmed"};
    size_t length = strcspn(name, "/");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncasecmp(name, known[i], length) == 0)
            return true;
    return false;
}

static dgm_status fail_missing(dgm_context *ctx, const char *name) {
    if (is_data_set(name))
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                            "no such file or folder: the data set does not come with dgm, and "
                            "docs/formats.md says how to get it; 'papers' is a built-in graph like "
                            "it");
    const char *near = dgm_name_nearest(name, built_in);
    if (near)
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                            "no such file or folder; did you mean the built-in graph '%s'?", near);
    return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1,
                        "no such file or folder, nor a built-in graph (spam, karate, papers)");
}

dgm_status dgm_graph_open(dgm_context *ctx, const char *name, dgm_format format,
                          const dgm_graph_options *options, const dgm_graph_tables *tables,
                          int64_t seed, dgm_graph **out) {
    *out = NULL;
    struct stat status;
    if (strcmp(name, "-") == 0 || stat(name, &status) == 0)
        return dgm_graph_read(ctx, name, format, options, tables, out);
    dgm_generate_options generate = DGM_GENERATE_OPTIONS_INIT;
    generate.seed = seed;
    if (find_name(built_in, name) < 0)
        return fail_missing(ctx, name);
    generate.kind = find_name(dgm_generator_names(), name);
    if ((tables && tables->nodes) || format != DGM_FORMAT_AUTO)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the built-in graph '%s' takes neither a table of nodes nor a format",
                         name);
    if (options && options->size == sizeof *options && options->graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("graph") " takes one graph out of a set, and the built-in "
                                             "graph '%s' is a single graph",
                         name);
    dgm_status made = dgm_graph_generate(ctx, &generate, options, out);
    return made == DGM_OK && tables && tables->labels
               ? dgmi_io_graph_label(ctx, tables->labels, out)
               : made;
}
