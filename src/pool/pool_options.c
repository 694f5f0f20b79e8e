/* SPDX-License-Identifier: Apache-2.0 */
/* The operators by name, each one row of a table: "mpr:lens=degree", "mincut:ratio=0.1", "sum". */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "base_text.h"
#include "dgm/lens.h"
#include "pool_pool.h"

/* ---- options ---- */

static const char *const variants[] = {"paper", "feb2020", "newest", NULL};
static const char *const covers[] = {"uniform", "quantile", NULL};
static const char *const learnt[] = {"both", "lens", "cover", "nothing", NULL};
static const char *const bases[] = {"mean", "largest", NULL};
static const char *const gates[] = {"sigmoid", "tanh", NULL};

static const dgm_option mpr_options[] = {
    {.name = "variant",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_pool_options, variant),
     .choices = variants,
     .default_text = "paper",
     .help = "which of its authors' versions"},
    {.name = "lens",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_pool_options, lens),
     .default_text = "pagerank",
     .argument = "LENS",
     .help = "any lens (keys after ':', with ';' between), random, or learned"},
    {.name = "clusters",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_pool_options, clusters),
     .default_text = "20-5",
     .argument = "N-N",
     .help = "intervals of the cover, level by level"},
    {.name = "overlap",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_pool_options, overlap),
     .minimum = 0,
     .maximum = 1,
     .open_maximum = true,
     .default_text = "0.25",
     .argument = "G",
     .help = "what neighbouring intervals share of their length"},
    {.name = "cover",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_pool_options, cover),
     .choices = covers,
     .default_text = "uniform",
     .help = "intervals of equal length, or with equally many nodes"},
    {.name = "learn",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_pool_options, learn),
     .choices = learnt,
     .default_text = "both",
     .help = "with lens=learned: what is trained; the rest stays as it starts"},
    {.name = "axes",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_pool_options, axes),
     .minimum = 1,
     .maximum = 2,
     .default_text = "1",
     .argument = "N",
     .help = "with lens=learned: 2 adds an axis that starts at 1/2 for every node"},
};
static const dgm_option_table mpr_table = {"mpr", mpr_options,
                                           sizeof mpr_options / sizeof *mpr_options};

/* Methods of one kind differ in what they have by themselves. */
#define RATIO_OPTION(usual)                                                                        \
    {                                                                                              \
        .name = "ratio", .kind = DGM_OPTION_REAL, .offset = offsetof(dgm_pool_options, ratio),     \
        .minimum = 0.001, .maximum = 1, .default_text = (usual), .argument = "R",                  \
        .help = "share of the nodes that are left by each step"                                    \
    }
#define BASE_OPTION                                                                                \
    {                                                                                              \
        .name = "base", .kind = DGM_OPTION_CHOICE, .offset = offsetof(dgm_pool_options, base),     \
        .choices = bases, .default_text = "mean",                                                  \
        .help = "what it is a share of: the mean graph of the set, or the largest"                 \
    }
#define CLUSTERS_OPTION                                                                            \
    {                                                                                              \
        .name = "clusters", .kind = DGM_OPTION_TEXT,                                               \
        .offset = offsetof(dgm_pool_options, clusters), .argument = "N-N",                         \
        .help = "clusters, level by level, in place of a ratio"                                    \
    }
#define GATE_OPTION(usual)                                                                         \
    {                                                                                              \
        .name = "gate", .kind = DGM_OPTION_CHOICE, .offset = offsetof(dgm_pool_options, gate),     \
        .choices = gates, .default_text = (usual),                                                 \
        .help = "what the score of a node that stays multiplies it by"                             \
    }

static const dgm_option mincut_options[] = {RATIO_OPTION("0.25"), BASE_OPTION, CLUSTERS_OPTION};
static const dgm_option_table mincut_table = {"mincut", mincut_options, 3};
static const dgm_option diffpool_options[] = {RATIO_OPTION("0.1"), BASE_OPTION, CLUSTERS_OPTION};
static const dgm_option_table diffpool_table = {"diffpool", diffpool_options, 3};

static const dgm_option topk_options[] = {RATIO_OPTION("0.5"), GATE_OPTION("sigmoid")};
static const dgm_option_table topk_table = {"topk", topk_options, 2};
static const dgm_option sagpool_options[] = {RATIO_OPTION("0.5"), GATE_OPTION("tanh")};
static const dgm_option_table sagpool_table = {"sagpool", sagpool_options, 2};

/* ---- methods ---- */

typedef struct pool_row {
    dgm_pool_kind kind;
    dgmi_pool_family family;
    double ratio; /* the one it has by itself */
    int gate;
} pool_row;

static const pool_row methods[] = {
    [DGM_POOL_MPR] =
        {{.name = "mpr", .help = "Mapper: cells of a lens", .options = &mpr_table, .learns = false},
         DGMI_POOL_FIXED,
         0.25,
         0},
    [DGM_POOL_TOPK] = {{.name = "topk",
                        .help = "the nodes of highest score, gated (Graph U-Net)",
                        .options = &topk_table,
                        .learns = true},
                       DGMI_POOL_SELECT,
                       0.5,
                       DGM_GATE_SIGMOID},
    [DGM_POOL_SAGPOOL] = {{.name = "sagpool",
                           .help = "the same, with scores by a convolution",
                           .options = &sagpool_table,
                           .learns = true},
                          DGMI_POOL_SELECT,
                          0.5,
                          DGM_GATE_TANH},
    [DGM_POOL_MINCUT] = {{.name = "mincut",
                          .help = "a learned partition that cuts few edges",
                          .options = &mincut_table,
                          .learns = true},
                         DGMI_POOL_DENSE,
                         0.25,
                         0},
    [DGM_POOL_DIFFPOOL] = {{.name = "diffpool",
                            .help = "a learned partition by a network of its own",
                            .options = &diffpool_table,
                            .learns = true},
                           DGMI_POOL_DENSE,
                           0.1,
                           0},
    [DGM_POOL_GRACLUS] = {{.name = "graclus", .help = "pairs of nodes, matched along heavy edges"},
                          DGMI_POOL_FIXED,
                          0.5,
                          0},
    [DGM_POOL_SUM] = {{.name = "sum", .help = "one node: the sum of all nodes"},
                      DGMI_POOL_FIXED,
                      0,
                      0},
    [DGM_POOL_MEAN] = {{.name = "mean", .help = "one node: the mean of all nodes"},
                       DGMI_POOL_FIXED,
                       0,
                       0},
    [DGM_POOL_MAX] = {{.name = "max", .help = "one node: the maximum of all nodes"},
                      DGMI_POOL_FIXED,
                      0,
                      0},
    [DGM_POOL_NONE] = {{.name = "none", .help = "the graph stays as it is"}, DGMI_POOL_FIXED, 1, 0},
};
enum { METHODS = sizeof methods / sizeof *methods };
static_assert(METHODS == DGM_POOL_NONE + 1, "every method has its row");

const dgm_pool_kind *dgm_pool_kind_at(size_t index) {
    return index < METHODS ? &methods[index].kind : NULL;
}

const char *dgmi_pool_name(const dgmi_pool_request *request) {
    return methods[request->options.method].kind.name;
}

bool dgmi_pool_learns_lens(const dgmi_pool_request *request) {
    return request->options.method == DGM_POOL_MPR && strcmp(request->lens, "learned") == 0;
}

static int find_method(const char *name) {
    for (int i = 0; i < METHODS; i++)
        if (strcmp(methods[i].kind.name, name) == 0)
            return i;
    return -1;
}

static dgm_status fail_method(dgm_context *ctx, const char *name) {
    const char *names[METHODS + 1] = {NULL};
    for (int i = 0; i < METHODS; i++)
        names[i] = methods[i].kind.name;
    return dgmi_spec_fail_name(ctx, "pooling", "poolings", name, names);
}

/* ---- reading ---- */

/* "8-2" */
static dgm_status read_clusters(dgm_context *ctx, const char *text, dgmi_pool_request *out) {
    out->given = 0;
    for (const char *at = text; at;) {
        size_t length = strcspn(at, "-");
        int64_t count;
        if (out->given == DGMI_POOL_MOST_STEPS)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "clusters '%.100s': at most %d levels", text,
                             DGMI_POOL_MOST_STEPS);
        if (!dgmi_parse_integer(at, length, &count) || count < 1 || count > 100000)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "clusters '%.100s' must be whole numbers from 1 to 100000 with '-' "
                             "between them, such as 20-5",
                             text);
        out->clusters[out->given++] = count;
        at = at[length] ? at + length + 1 : NULL;
    }
    return DGM_OK;
}

/* PageRank follows the weights of pooled graphs, and is exact enough that nodes which are alike
 * stay so; the degrees of pooled graphs are sums of weights. */
static int write_lens(const char *given, char *lens, size_t size) {
    size_t name = strcspn(given, ":");
    if (strcmp(given, "degree") == 0)
        return snprintf(lens, size, "strength");
    if (name == strlen("pagerank") && strncmp(given, "pagerank", name) == 0)
        return snprintf(lens, size, "pagerank:weighted=true,tolerance=1e-13%s%s",
                        given[name] ? "," : "", given[name] ? given + name + 1 : "");
    return snprintf(lens, size, "%s", given);
}

static dgm_status read_lens(dgm_context *ctx, dgmi_pool_request *out) {
    const char *given = out->options.lens ? out->options.lens : "pagerank";
    if (write_lens(given, out->lens, sizeof out->lens) >= (int)sizeof out->lens)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a lens is given in at most %d characters",
                         DGMI_SPEC_LONGEST - 1);
    for (char *at = out->lens; *at; at++)
        *at = *at == ';' ? ',' : *at;
    if (!dgmi_pool_learns_lens(out))
        return dgm_lens_check(ctx, out->lens);
    if (out->options.variant != DGM_MPR_PAPER)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the lens 'learned' pools as variant=paper does, and not otherwise");
    out->family = DGMI_POOL_DENSE;
    return DGM_OK;
}

static dgm_status finish(dgm_context *ctx, dgmi_pool_request *out) {
    const pool_row *row = &methods[out->options.method];
    out->family = row->family;
    if (out->options.method == DGM_POOL_MPR && !out->options.clusters)
        out->options.clusters = "20-5";
    dgm_status status = read_clusters(ctx, out->options.clusters, out);
    if (status == DGM_OK && out->options.method == DGM_POOL_MPR)
        status = read_lens(ctx, out);
    return status;
}

dgm_status dgmi_pool_take(dgm_context *ctx, const dgm_pool_options *options,
                          dgmi_pool_request *out) {
    *out = (dgmi_pool_request){.options = DGM_POOL_OPTIONS_INIT};
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_pool_options, gate, options, &out->options);
    if (status == DGM_OK && (out->options.method < 0 || out->options.method >= METHODS))
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no pooling with number %d",
                           out->options.method);
    const dgm_option_table *table =
        status == DGM_OK ? methods[out->options.method].kind.options : NULL;
    if (table)
        status = dgm_options_check(ctx, table, &out->options);
    return status == DGM_OK ? finish(ctx, out) : status;
}

dgm_status dgmi_pool_parse(dgm_context *ctx, const char *specification, dgmi_pool_request *out) {
    *out = (dgmi_pool_request){.options = DGM_POOL_OPTIONS_INIT};
    dgm_status status = dgmi_spec_split(ctx, "pooling", specification, &out->spec);
    if (status != DGM_OK)
        return status;
    int method = find_method(out->spec.text);
    if (method < 0)
        return fail_method(ctx, out->spec.text);
    out->options.method = method;
    out->options.ratio = methods[method].ratio;
    out->options.gate = methods[method].gate;
    status = dgmi_spec_set(ctx, "pooling", &out->spec, methods[method].kind.options, &out->options);
    return status == DGM_OK ? finish(ctx, out) : status;
}

dgm_status dgm_pool_check(dgm_context *ctx, const char *specification) {
    dgmi_pool_request request;
    return dgmi_pool_parse(ctx, specification, &request);
}

/* Beyond the levels that were given, the last number holds. */
int64_t dgmi_pool_clusters(const dgmi_pool_request *request, int level, double nodes) {
    if (request->given)
        return request->clusters[level < request->given ? level : request->given - 1];
    int64_t count = dgmi_pool_round_up(nodes * pow(request->options.ratio, level + 1));
    return count < 1 ? 1 : count;
}

int64_t dgmi_pool_round_up(double share) {
    return (int64_t)ceil(share * (1 - 1e-12));
}
