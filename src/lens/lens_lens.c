/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses by name: "pagerank:alpha=0.9". One row of the table a lens. */
#include "lens_lens.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_spec.h"
#include "lens_result.h"
#include "parts_communities.h"

static void init_none(dgmi_lens_settings *options, int64_t seed) {
    (void)options;
    (void)seed;
}

static void init_pagerank(dgmi_lens_settings *options, int64_t seed) {
    (void)seed;
    dgm_pagerank_options_init(&options->pagerank);
}

static dgm_status run_pagerank(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_pagerank(ctx, graph, &options->pagerank, out);
}

static void init_eigen(dgmi_lens_settings *options, int64_t seed) {
    dgm_eigen_options_init(&options->eigen);
    options->eigen.seed = seed;
}

static dgm_status run_eigen(dgm_context *ctx, const dgm_graph *graph,
                            const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_eigen(ctx, graph, &options->eigen, out);
}

static dgm_status run_degree(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_degree(ctx, graph, out);
}

static void init_betweenness(dgmi_lens_settings *options, int64_t seed) {
    dgm_betweenness_options_init(&options->betweenness);
    options->betweenness.seed = seed;
}

static void init_random(dgmi_lens_settings *options, int64_t seed) {
    dgm_random_options_init(&options->random);
    options->random.seed = seed;
}

static dgm_status run_strength(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_strength(ctx, graph, out);
}

static dgm_status run_core(dgm_context *ctx, const dgm_graph *graph,
                           const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_core(ctx, graph, out);
}

static dgm_status run_triangles(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_triangles(ctx, graph, out);
}

static dgm_status run_clustering(dgm_context *ctx, const dgm_graph *graph,
                                 const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_clustering(ctx, graph, out);
}

static dgm_status run_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                  const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_betweenness(ctx, graph, &options->betweenness, out);
}

static dgm_status run_random(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_random(ctx, graph, &options->random, out);
}

static void init_density(dgmi_lens_settings *options, int64_t seed) {
    dgm_density_options_init(&options->density);
    options->density.seed = seed;
}

static dgm_status run_density(dgm_context *ctx, const dgm_graph *graph,
                              const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_density(ctx, graph, &options->density, out);
}

static void init_distance(dgmi_lens_settings *options, int64_t seed) {
    dgm_distance_options_init(&options->distance);
    options->distance.seed = seed;
}

static dgm_status run_agd(dgm_context *ctx, const dgm_graph *graph,
                          const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_agd(ctx, graph, &options->distance, out);
}

static dgm_status run_eccentricity(dgm_context *ctx, const dgm_graph *graph,
                                   const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_eccentricity(ctx, graph, &options->distance, out);
}

static dgm_status run_closeness(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_closeness(ctx, graph, &options->distance, out);
}

static dgm_status run_harmonic(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_harmonic(ctx, graph, &options->distance, out);
}

static dgm_status run_labels(dgm_context *ctx, const dgm_graph *graph,
                             const dgmi_lens_settings *options, dgm_matrix **out) {
    (void)options;
    return dgm_lens_labels(ctx, graph, out);
}

static dgm_status run_attribute(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_attribute(ctx, graph, options->attribute, out);
}

static void init_communities(dgmi_lens_settings *options, int64_t seed) {
    dgm_communities_options_init(&options->communities);
    options->communities.seed = seed;
}

static dgm_status run_communities(dgm_context *ctx, const dgm_graph *graph,
                                  const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_communities(ctx, graph, &options->communities, out);
}

static void init_features(dgmi_lens_settings *options, int64_t seed) {
    dgm_features_options_init(&options->features);
    options->features.seed = seed;
}

static dgm_status run_features(dgm_context *ctx, const dgm_graph *graph,
                               const dgmi_lens_settings *options, dgm_matrix **out) {
    return dgm_lens_features(ctx, graph, &options->features, out);
}

static void init_gcn(dgmi_lens_settings *options, int64_t seed) {
    dgm_gcn_options_init(&options->gcn);
    options->gcn.preset = DGM_GCN_AUTO;
    options->gcn.seed = seed;
}

static void init_dgi(dgmi_lens_settings *options, int64_t seed) {
    dgm_dgi_options_init(&options->dgi);
    options->dgi.preset = DGM_DGI_AUTO;
    options->dgi.seed = seed;
}

static dgm_status train_gcn(dgm_context *ctx, const dgm_graph *graph,
                            const dgmi_lens_settings *options, bool predict,
                            dgm_lens_result **out) {
    return dgmi_lens_train_gcn(ctx, graph, &options->gcn, predict, out);
}

static dgm_status train_dgi(dgm_context *ctx, const dgm_graph *graph,
                            const dgmi_lens_settings *options, bool predict,
                            dgm_lens_result **out) {
    (void)predict; /* an embedding says nothing of classes */
    return dgm_lens_dgi(ctx, graph, &options->dgi, out);
}

/* All that is known of a lens: what people see of it, and what runs it. */
typedef struct {
    dgm_lens_kind kind;
    void (*init)(dgmi_lens_settings *options, int64_t seed);
    dgm_status (*run)(dgm_context *ctx, const dgm_graph *graph, const dgmi_lens_settings *options,
                      dgm_matrix **out);
    /* Networks give more than a table. */
    dgm_status (*train)(dgm_context *ctx, const dgm_graph *graph, const dgmi_lens_settings *options,
                        bool predict, dgm_lens_result **out);
} lens_row;

static const lens_row lenses[] = {
    {{.name = "pagerank",
      .help = "how often a random walk visits the node",
      .options = &dgmi_lens_pagerank_table},
     .init = init_pagerank,
     .run = run_pagerank},
    {{.name = "degree", .help = "number of neighbours"}, .init = init_none, .run = run_degree},
    {{.name = "strength", .help = "sum of the weights of the node's edges"},
     .init = init_none,
     .run = run_strength},
    {{.name = "core", .help = "largest k such that the node is in the k-core"},
     .init = init_none,
     .run = run_core},
    {{.name = "triangles", .help = "triangles that the node is in"},
     .init = init_none,
     .run = run_triangles},
    {{.name = "clustering", .help = "share of pairs of neighbours that are neighbours"},
     .init = init_none,
     .run = run_clustering},
    {{.name = "betweenness",
      .help = "share of shortest paths that pass the node",
      .options = &dgmi_lens_betweenness_table},
     .init = init_betweenness,
     .run = run_betweenness},
    {{.name = "random",
      .help = "random numbers in [0, 1): the control",
      .options = &dgmi_lens_random_table},
     .init = init_random,
     .run = run_random},
    {{.name = "eigen",
      .help = "eigenvectors of the Laplacian, first the Fiedler vector",
      .options = &dgmi_lens_eigen_table,
      .flags = DGM_LENS_VARIES},
     .init = init_eigen,
     .run = run_eigen},
    {{.name = "density",
      .help = "how many nodes are near: sum of exp(-d/delta)",
      .options = &dgmi_lens_density_table},
     .init = init_density,
     .run = run_density},
    {{.name = "agd",
      .help = "average geodesic distance; components weighted by their size",
      .options = &dgmi_lens_distance_table},
     .init = init_distance,
     .run = run_agd},
    {{.name = "eccentricity",
      .help = "largest distance within the component",
      .options = &dgmi_lens_distance_table},
     .init = init_distance,
     .run = run_eccentricity},
    {{.name = "closeness",
      .help = "how near the nodes in reach are (Wasserman and Faust)",
      .options = &dgmi_lens_distance_table},
     .init = init_distance,
     .run = run_closeness},
    {{.name = "harmonic",
      .help = "sum of reciprocal distances",
      .options = &dgmi_lens_distance_table},
     .init = init_distance,
     .run = run_harmonic},
    {{.name = "communities",
      .help = "the number of the node's community, by modularity (Leiden)",
      .options = &dgmi_parts_communities_table,
      .flags = DGM_LENS_PARTS},
     .init = init_communities,
     .run = run_communities},
    {{.name = "features",
      .help = "the number of the centre that is nearest to the features of the node and of those "
              "around it",
      .options = &dgmi_lens_features_table,
      .flags = DGM_LENS_PARTS | DGM_LENS_VARIES},
     .init = init_features,
     .run = run_features},
    {{.name = "gcn",
      .help = "scores of the classes by a graph convolutional network",
      .options = &dgmi_nn_gcn_table,
      .flags = DGM_LENS_NETWORK | DGM_LENS_CLASSIFIES | DGM_LENS_NEEDS_LABELS | DGM_LENS_VARIES,
      .model = DGM_MODEL_GCN},
     .init = init_gcn,
     .train = train_gcn},
    {{.name = "dgi",
      .help = "embedding by Deep Graph Infomax, which needs no labels",
      .options = &dgmi_nn_dgi_table,
      .flags = DGM_LENS_NETWORK | DGM_LENS_VARIES,
      .model = DGM_MODEL_DGI},
     .init = init_dgi,
     .train = train_dgi},
    {{.name = "labels", .help = "the class of the node", .flags = DGM_LENS_NEEDS_LABELS},
     .init = init_none,
     .run = run_labels},
    {{.name = "attr", .help = "a numeric node attribute: attr:NAME", .flags = DGM_LENS_NEEDS_NAME},
     .init = init_none,
     .run = run_attribute},
};
enum { LENSES = sizeof lenses / sizeof *lenses };

const dgm_lens_kind *dgm_lens_kind_at(size_t index) {
    return index < LENSES ? &lenses[index].kind : NULL;
}

const dgm_lens_kind *dgm_lens_find(const char *specification) {
    size_t length = strcspn(specification, ":");
    for (size_t i = 0; i < LENSES; i++)
        if (strlen(lenses[i].kind.name) == length &&
            strncmp(lenses[i].kind.name, specification, length) == 0)
            return &lenses[i].kind;
    return NULL;
}

/* Texts among the options point into `spec`. */
typedef struct dgmi_lens_request {
    const lens_row *row;
    dgmi_lens_settings options;
    dgmi_spec spec;
} lens_request;

static dgm_status find_kind(dgm_context *ctx, lens_request *request) {
    const char *names[LENSES + 1] = {NULL};
    char named[64];
    for (size_t i = 0; i < LENSES; i++) {
        const dgm_lens_kind *kind = &lenses[i].kind;
        request->row = &lenses[i];
        if (strcmp(kind->name, request->spec.text) == 0)
            return DGM_OK;
        names[i] = kind->name;
        if (kind->flags & DGM_LENS_NEEDS_NAME) {
            snprintf(named, sizeof named, "%s:NAME", kind->name);
            names[i] = named;
        }
    }
    dgm_status status = dgmi_spec_fail_name(ctx, "lens", "lenses", request->spec.text, names);
    if (dgm_name_nearest(request->spec.text, names))
        return status;
    /* What is like no lens may be an attribute. */
    char said[sizeof ctx->message];
    snprintf(said, sizeof said, "%s", ctx->message);
    return dgmi_fail(ctx, status, "%s; a node attribute is attr:%.100s", said, request->spec.text);
}

static dgm_status parse(dgm_context *ctx, const char *specification, int64_t seed,
                        lens_request *request) {
    dgmi_spec *spec = &request->spec;
    dgm_status status = dgmi_spec_split(ctx, "lens", specification, spec);
    if (status == DGM_OK)
        status = find_kind(ctx, request);
    if (status != DGM_OK)
        return status;
    const dgm_lens_kind *kind = &request->row->kind;
    request->row->init(&request->options, seed);
    if (!(kind->flags & DGM_LENS_NEEDS_NAME))
        return dgmi_spec_set(ctx, "lens", spec, kind->options, &request->options);
    request->options.attribute = spec->keys;
    if (!spec->keys || !*spec->keys)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens '%s' needs the attribute's name: %s:NAME",
                         kind->name, kind->name);
    return DGM_OK;
}

dgm_status dgm_lens_check(dgm_context *ctx, const char *specification) {
    lens_request request;
    return parse(ctx, specification, 1, &request);
}

dgm_status dgmi_lens_check_finite(dgm_context *ctx, const dgm_graph *graph,
                                  const dgm_matrix *axes) {
    int64_t columns = dgm_matrix_columns(axes), count = columns * dgm_matrix_rows(axes);
    for (int64_t i = 0; i < count; i++) {
        double value = dgm_matrix_values(axes)[i];
        if (isfinite(value))
            continue;
        char node[64];
        dgm_graph_name(graph, i / columns, node, sizeof node);
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the lens '%.100s' is %s at node '%s': weights or features are too large "
                         "or too small for it; scale them",
                         dgm_matrix_column_name(axes, i % columns),
                         isnan(value) ? "no number" : "infinite", node);
    }
    return DGM_OK;
}

/* ---- running ---- */

static dgm_status run_request(dgm_context *ctx, const dgm_graph *graph, const lens_request *request,
                              const dgm_lens_options *options, dgm_lens_result **out) {
    dgm_matrix *axes = NULL;
    if (request->row->train)
        return request->row->train(ctx, graph, &request->options, options->predict, out);
    dgm_status status = request->row->run(ctx, graph, &request->options, &axes);
    if (status == DGM_OK)
        status = dgmi_lens_result_of(ctx, axes, out);
    if (status == DGM_OK)
        status = dgmi_lens_check_finite(ctx, graph, axes);
    return dgmi_lens_result_finish(status, out);
}

dgm_status dgmi_lens_parse(dgm_context *ctx, const char *const *specifications, int count,
                           int64_t seed, const lens_request **out) {
    lens_request *requests = dgmi_scratch(ctx, count, sizeof *requests);
    dgm_status status = requests ? DGM_OK : DGM_ERROR_MEMORY;
    for (int i = 0; status == DGM_OK && i < count; i++)
        status = parse(ctx, specifications[i], seed, &requests[i]);
    *out = requests;
    return status;
}

/* A network from a file answers for a lens that is one. */
static dgm_status run_one(dgm_context *ctx, const dgm_graph *graph, const lens_request *request,
                          const dgm_lens_options *options, dgm_lens_result **out) {
    const dgm_lens_kind *kind = &request->row->kind;
    if (options->model && (kind->flags & DGM_LENS_NETWORK))
        return dgmi_lens_model(ctx, graph, options->model, kind->model, options->predict, out);
    return run_request(ctx, graph, request, options, out);
}

dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph, const char *const *specifications,
                        int count, const dgm_lens_options *options, dgm_lens_result **out) {
    dgm_lens_options use = DGM_LENS_OPTIONS_INIT;
    const lens_request *requests;
    *out = NULL;
    if (count < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "no lens was given");
    if (DGMI_OPTIONS_TAKE(ctx, dgm_lens_options, predict, options, &use) != DGM_OK)
        return DGM_ERROR_USAGE;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_lens_parse(ctx, specifications, count, use.seed, &requests);
    if (status == DGM_OK)
        status = dgmi_lens_run_parsed(ctx, graph, requests, count, &use, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_lens_run_parsed(dgm_context *ctx, const dgm_graph *graph,
                                const lens_request *requests, int count,
                                const dgm_lens_options *options, dgm_lens_result **out) {
    dgm_lens_result **parts = dgmi_alloc_zero(ctx, count, sizeof(dgm_lens_result *));
    dgm_status status = parts ? DGM_OK : DGM_ERROR_MEMORY;
    for (int i = 0; status == DGM_OK && i < count; i++)
        status = run_one(ctx, graph, &requests[i], options, &parts[i]);
    if (status == DGM_OK)
        status = dgmi_lens_result_join(ctx, parts, count, out);
    for (int i = 0; parts && i < count; i++)
        dgm_lens_result_free(parts[i]);
    dgmi_free(ctx, parts);
    return status;
}
