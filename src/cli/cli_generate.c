/* SPDX-License-Identifier: Apache-2.0 */
/* dgm generate: graphs made from a seed. */
#include <stddef.h>
#include <string.h>

#include "cli_command.h"
#include "cli_graph.h"
#include "cli_text.h"

static const cli_group groups[] = {
    {dgm_generate_option_table, offsetof(cli_request, generate), false, NULL},
    {cli_graph_output_table, offsetof(cli_request, output), false, NULL},
    {cli_common_table, offsetof(cli_request, common), false, NULL},
    {dgm_job_seed_option_table, offsetof(cli_request, job), true, NULL}, /* shown above */
    {NULL, 0, false, NULL},
};

static const char *const description[] = {
    "Makes a graph. The same kind, options and seed give the same bytes on every machine.",
    "spam is the synthetic graph of spammers of the Deep Graph Mapper paper; karate is Zachary's "
    "karate club; sbm a stochastic block model; rmat a recursive matrix graph with heavy tails; ba "
    "grows by preferential attachment; ws is a small world; grid a square lattice; papers a "
    "made-up "
    "citation network of six fields, with words as features, fields as labels, years and a split.",
    NULL,
};

static const cli_example examples[] = {
    {"dgm generate karate", "an edge list on stdout"},
    {"dgm generate spam --seed 7 -o spam/", "a dataset folder with features, labels and a split"},
    {"dgm generate papers --nodes 2700 --edges 5400 -o papers/",
     "a citation network of the size of Cora, as a dataset folder"},
    {"dgm generate sbm --nodes 3000 --edges 20000 --blocks 5 -o blocks.graphml",
     "five blocks, with the block of each node as its label"},
    {"dgm generate rmat --nodes 1000000 --edges 16000000 | dgm map - --lens degree -o big.json",
     "a large graph straight into the mapper"},
    {NULL, NULL},
};

static int find_kind(cli_session *session, const char *name, int *kind) {
    const char *const *names = dgm_generator_names();
    char list[256] = "";
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            *kind = i;
            return CLI_DONE;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", names[i]);
    }
    const char *near = dgm_name_nearest(name, names);
    if (near)
        return cli_fail(session, CLI_WRONG_USAGE,
                        "generate does not know '%.200s'; did you mean '%s'? (one of %s)", name,
                        near, list);
    return cli_fail(session, CLI_WRONG_USAGE, "generate does not know '%.200s'; it makes one of %s",
                    name, list);
}

static int run(cli_session *session, const cli_request *request) {
    const char *path;
    dgm_generate_options options = request->generate;
    dgm_graph *graph = NULL;
    int code = find_kind(session, request->operand, &options.kind);
    if (code == CLI_DONE)
        code = cli_single_output(session, request, &path);
    if (code == CLI_DONE)
        code = cli_fail_status(session, dgm_graph_generate(session->ctx, &options, NULL, &graph));
    if (code == CLI_DONE)
        code = cli_write_graph(session, request, graph, path);
    if (code == CLI_DONE && strcmp(path, "-") != 0 && !request->common.json)
        cli_say(session, "seed", "%lld", (long long)options.seed);
    dgm_graph_free(graph);
    return code;
}

const cli_command cli_generate_command = {
    .name = "generate",
    .summary = "make a graph from a seed",
    .usage = "KIND [OPTIONS] [-o FILE]",
    .operand = "KIND",
    .operand_help = "spam, karate, sbm, rmat, ba, ws, grid or papers",
    .description = description,
    .groups = groups,
    .operand_is_generator = true,
    .examples = examples,
    .run = run,
};
