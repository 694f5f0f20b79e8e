/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses by name: "pagerank:alpha=0.9". One row of the table a lens. */
#include "lens_lens.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { LONGEST = 4096 };

/* A specification taken apart; texts among the options point into `text`. */
typedef struct {
    const dgm_lens_kind *kind;
    dgmi_lens_options options;
    char text[LONGEST];
} lens_request;

static void init_none(dgmi_lens_options *options, int64_t seed) {
    (void)options;
    (void)seed;
}

static void init_pagerank(dgmi_lens_options *options, int64_t seed) {
    (void)seed;
    dgm_pagerank_options_init(&options->pagerank);
}

static dgm_status run_pagerank(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_pagerank(ctx, graph, &options->pagerank, out);
}

static void init_eigen(dgmi_lens_options *options, int64_t seed) {
    dgm_eigen_options_init(&options->eigen);
    options->eigen.seed = seed;
}

static dgm_status run_eigen(dgm_context *ctx, const dgm_graph *graph,
                            const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_eigen(ctx, graph, &options->eigen, out);
}

static dgm_status run_degree(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_degree(ctx, graph, out);
}

static void init_betweenness(dgmi_lens_options *options, int64_t seed) {
    dgm_betweenness_options_init(&options->betweenness);
    options->betweenness.seed = seed;
}

static void init_random(dgmi_lens_options *options, int64_t seed) {
    options->random.seed = seed;
}

static dgm_status run_strength(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_strength(ctx, graph, out);
}

static dgm_status run_core(dgm_context *ctx, const dgm_graph *graph,
                           const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_core(ctx, graph, out);
}

static dgm_status run_triangles(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_triangles(ctx, graph, out);
}

static dgm_status run_clustering(dgm_context *ctx, const dgm_graph *graph,
                                 const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_clustering(ctx, graph, out);
}

static dgm_status run_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                  const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_betweenness(ctx, graph, &options->betweenness, out);
}

static dgm_status run_random(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_random(ctx, graph, &options->random, out);
}

static void init_density(dgmi_lens_options *options, int64_t seed) {
    dgm_density_options_init(&options->density);
    options->density.seed = seed;
}

static dgm_status run_density(dgm_context *ctx, const dgm_graph *graph,
                              const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_density(ctx, graph, &options->density, out);
}

static void init_distance(dgmi_lens_options *options, int64_t seed) {
    dgm_distance_options_init(&options->distance);
    options->distance.seed = seed;
}

static dgm_status run_agd(dgm_context *ctx, const dgm_graph *graph,
                          const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_agd(ctx, graph, &options->distance, out);
}

static dgm_status run_eccentricity(dgm_context *ctx, const dgm_graph *graph,
                                   const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_eccentricity(ctx, graph, &options->distance, out);
}

static dgm_status run_closeness(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_closeness(ctx, graph, &options->distance, out);
}

static dgm_status run_harmonic(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_harmonic(ctx, graph, &options->distance, out);
}

static dgm_status run_labels(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_options *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_labels(ctx, graph, out);
}

static dgm_status run_attribute(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_attribute(ctx, graph, options->attribute, out);
}

static void init_gcn(dgmi_lens_options *options, int64_t seed) {
    dgm_gcn_options_init(&options->gcn);
    options->gcn.seed = seed;
}

static dgm_status run_gcn(dgm_context *ctx, const dgm_graph *graph,
                          const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_gcn(ctx, graph, &options->gcn, out);
}

static void init_dgi(dgmi_lens_options *options, int64_t seed) {
    dgm_dgi_options_init(&options->dgi);
    options->dgi.seed = seed;
}

static dgm_status run_dgi(dgm_context *ctx, const dgm_graph *graph,
                          const dgmi_lens_options *options, dgm_matrix **out) {
    return dgm_lens_dgi(ctx, graph, &options->dgi, out);
}

/* What people see of the lenses, and beside it, in the same order, what runs them. */
static const dgm_lens_kind kinds[] = {
    {"pagerank", "how often a random walk visits the node", &dgmi_pagerank_table},
    {"degree", "number of neighbours", NULL},
    {"strength", "sum of the weights of the node's edges", NULL},
    {"core", "largest k such that the node is in the k-core", NULL},
    {"triangles", "triangles that the node is in", NULL},
    {"clustering", "share of pairs of neighbours that are neighbours", NULL},
    {"betweenness", "share of shortest paths that pass the node", &dgmi_betweenness_table},
    {"random", "random numbers in [0, 1): the control", &dgmi_random_table},
    {"eigen", "eigenvectors of the Laplacian, first the Fiedler vector", &dgmi_eigen_table},
    {"density", "how many nodes are near: sum of exp(-d/delta)", &dgmi_density_table},
    {"agd", "average geodesic distance; components weighted by their size", &dgmi_distance_table},
    {"eccentricity", "largest distance within the component", &dgmi_distance_table},
    {"closeness", "how near the nodes in reach are (Wasserman and Faust)", &dgmi_distance_table},
    {"harmonic", "sum of reciprocal distances", &dgmi_distance_table},
    {"gcn", "scores of the classes by a graph convolutional network", &dgmi_gcn_table},
    {"dgi", "embedding by Deep Graph Infomax, which needs no labels", &dgmi_dgi_table},
    {"labels", "the class of the node", NULL},
    {"attr", "a numeric node attribute: attr:NAME", NULL},
};
static const struct {
    void (*init)(dgmi_lens_options *options, int64_t seed);
    dgm_status (*run)(dgm_context *ctx, const dgm_graph *graph, const dgmi_lens_options *options,
                      dgm_matrix **out);
} runs[] = {
    {init_pagerank, run_pagerank},
    {init_none, run_degree},
    {init_none, run_strength},
    {init_none, run_core},
    {init_none, run_triangles},
    {init_none, run_clustering},
    {init_betweenness, run_betweenness},
    {init_random, run_random},
    {init_eigen, run_eigen},
    {init_density, run_density},
    {init_distance, run_agd},
    {init_distance, run_eccentricity},
    {init_distance, run_closeness},
    {init_distance, run_harmonic},
    {init_gcn, run_gcn},
    {init_dgi, run_dgi},
    {init_none, run_labels},
    {init_none, run_attribute},
};
enum { KINDS = sizeof kinds / sizeof *kinds };
static_assert(sizeof runs / sizeof *runs == KINDS, "one row a lens");

const dgm_lens_kind *dgm_lens_kinds(size_t *count) {
    *count = KINDS;
    return kinds;
}

static dgm_status fail_name(dgm_context *ctx, const char *name) {
    const char *names[KINDS + 1];
    char list[256] = "";
    for (size_t i = 0; i < KINDS; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s%s", used ? ", " : "", kinds[i].name,
                 strcmp(kinds[i].name, "attr") == 0 ? ":NAME" : "");
        names[i] = kinds[i].name;
    }
    names[KINDS] = NULL;
    const char *near = dgm_name_nearest(name, names);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no lens '%.100s'; did you mean '%s'? (known: %s)", name, near,
                         list);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no lens '%.100s'; known lenses: %s", name,
                     list);
}

static dgm_status fail_key(dgm_context *ctx, const lens_request *request, const char *key) {
    const dgm_option_table *table = request->kind->options;
    if (!table)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens '%s' takes no keys, not '%.100s'",
                         request->kind->name, key);
    const char *names[32];
    char list[256] = "";
    for (size_t i = 0; i < table->count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", table->options[i].name);
        names[i] = table->options[i].name;
    }
    names[table->count] = NULL;
    const char *near = dgm_name_nearest(key, names);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens '%s' has no key '%.100s' (it takes %s)%s%s%s",
                     request->kind->name, key, list, near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

/* One "key=value" (or a bare flag). */
static dgm_status set_key(dgm_context *ctx, lens_request *request, char *item) {
    char *value = strchr(item, '=');
    if (value)
        *value++ = '\0';
    const dgm_option *option =
        request->kind->options ? dgm_option_find(request->kind->options, item) : NULL;
    if (!option)
        return fail_key(ctx, request, item);
    dgm_status status = dgm_option_set(ctx, option, value, &request->options);
    if (status != DGM_ERROR_USAGE)
        return status;
    /* Said of an option, "--alpha takes ..."; this is the key of a lens. */
    char said[512];
    snprintf(said, sizeof said, "%s", dgm_context_error(ctx) + strlen("--"));
    return dgmi_fail(ctx, status, "the lens '%s': %s", request->kind->name, said);
}

static dgm_status set_keys(dgm_context *ctx, lens_request *request, char *keys) {
    while (keys && *keys) {
        char *next = strchr(keys, ',');
        if (next)
            *next++ = '\0';
        dgm_status status = set_key(ctx, request, keys);
        if (status != DGM_OK)
            return status;
        keys = next;
    }
    return DGM_OK;
}

static dgm_status parse(dgm_context *ctx, const char *specification, int64_t seed,
                        lens_request *request) {
    char *text = request->text;
    if ((size_t)snprintf(text, LONGEST, "%s", specification) >= LONGEST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a lens is given in at most %d characters",
                         LONGEST - 1);
    char *keys = strchr(text, ':');
    if (keys)
        *keys++ = '\0';
    request->kind = NULL;
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, text) == 0)
            request->kind = &kinds[i];
    if (!request->kind)
        return fail_name(ctx, text);
    runs[request->kind - kinds].init(&request->options, seed);
    if (strcmp(text, "attr") != 0)
        return set_keys(ctx, request, keys);
    request->options.attribute = keys;
    if (!keys || !*keys)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the lens 'attr' needs the attribute's name: attr:NAME");
    return DGM_OK;
}

dgm_status dgm_lens_check(dgm_context *ctx, const char *specification) {
    lens_request request;
    return parse(ctx, specification, 1, &request);
}

dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                        int64_t seed, dgm_matrix **out) {
    *out = NULL;
    lens_request request;
    dgm_status status = parse(ctx, specification, seed, &request);
    if (status != DGM_OK)
        return status;
    return runs[request.kind - kinds].run(ctx, graph, &request.options, out);
}

dgm_status dgm_lens_run_list(dgm_context *ctx, const dgm_graph *graph,
                             const char *const *specifications, int count, int64_t seed,
                             dgm_matrix **out) {
    *out = NULL;
    dgm_matrix **parts = dgmi_alloc_zero(ctx, count, sizeof(dgm_matrix *));
    dgm_status status = parts ? DGM_OK : DGM_ERROR_MEMORY;
    for (int i = 0; status == DGM_OK && i < count; i++)
        status = dgm_lens_run(ctx, graph, specifications[i], seed, &parts[i]);
    if (status == DGM_OK)
        status = dgm_matrix_join(ctx, (const dgm_matrix *const *)parts, count, out);
    for (int i = 0; parts && i < count; i++)
        dgm_matrix_free(parts[i]);
    dgmi_free(ctx, parts);
    return status;
}
