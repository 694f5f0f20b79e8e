/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and runs reductions by name: "pca", "prob:class=2". Each reduction is one row of the table
 * here. */
#include "reduce_reduce.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_spec.h"

enum { DEFAULT_DIM = 2 };

typedef struct reduce_row reduce_row;

/* Texts among the options point into `spec`. */
typedef struct dgmi_reduce_request {
    const reduce_row *row;
    int64_t dim;
    const dgm_matrix *start; /* or NULL */
    dgmi_reduce_options options;
    dgmi_spec spec;
} reduce_request;

static void init_none(dgmi_reduce_options *options, int64_t seed) {
    (void)options;
    (void)seed;
}

static dgm_status run_none(dgm_context *ctx, const dgm_points *points,
                           const reduce_request *request, dgm_reduce_report *report,
                           dgm_matrix **out) {
    (void)request;
    return dgmi_reduce_none(ctx, points, report, out);
}

static void init_prob(dgmi_reduce_options *options, int64_t seed) {
    (void)seed;
    dgm_prob_options_init(&options->prob);
}

static dgm_status run_prob(dgm_context *ctx, const dgm_points *points,
                           const reduce_request *request, dgm_reduce_report *report,
                           dgm_matrix **out) {
    return dgm_reduce_prob(ctx, points, &request->options.prob, report, out);
}

static void init_pca(dgmi_reduce_options *options, int64_t seed) {
    dgm_pca_options_init(&options->pca);
    options->pca.seed = seed;
}

static dgm_status run_pca(dgm_context *ctx, const dgm_points *points, const reduce_request *request,
                          dgm_reduce_report *report, dgm_matrix **out) {
    return dgm_reduce_pca(ctx, points, request->dim, &request->options.pca, report, out);
}

static void init_tsne(dgmi_reduce_options *options, int64_t seed) {
    dgm_tsne_options_init(&options->tsne);
    options->tsne.seed = seed;
}

static dgm_status run_tsne(dgm_context *ctx, const dgm_points *points,
                           const reduce_request *request, dgm_reduce_report *report,
                           dgm_matrix **out) {
    dgm_tsne_options options = request->options.tsne;
    options.start = request->start;
    return dgm_reduce_tsne(ctx, points, request->dim, &options, report, out);
}

static void init_umap(dgmi_reduce_options *options, int64_t seed) {
    dgm_umap_options_init(&options->umap);
    options->umap.seed = seed;
}

static dgm_status run_umap(dgm_context *ctx, const dgm_points *points,
                           const reduce_request *request, dgm_reduce_report *report,
                           dgm_matrix **out) {
    return dgm_reduce_umap(ctx, points, request->dim, &request->options.umap, report, out);
}

static void init_isomap(dgmi_reduce_options *options, int64_t seed) {
    dgm_isomap_options_init(&options->isomap);
    options->isomap.seed = seed;
}

static dgm_status run_isomap(dgm_context *ctx, const dgm_points *points,
                             const reduce_request *request, dgm_reduce_report *report,
                             dgm_matrix **out) {
    return dgm_reduce_isomap(ctx, points, request->dim, &request->options.isomap, report, out);
}

static void init_centres(dgmi_reduce_options *options, int64_t seed) {
    dgm_centres_options_init(&options->centres);
    options->centres.seed = seed;
}

static dgm_status run_centres(dgm_context *ctx, const dgm_points *points,
                              const reduce_request *request, dgm_reduce_report *report,
                              dgm_matrix **out) {
    return dgm_reduce_centres(ctx, points, &request->options.centres, report, out);
}

/* All that is known of a reduction: what people see of it, and what runs it. */
struct reduce_row {
    dgm_reduce_kind kind;
    void (*init)(dgmi_reduce_options *options, int64_t seed);
    dgm_status (*run)(dgm_context *ctx, const dgm_points *points, const reduce_request *request,
                      dgm_reduce_report *report, dgm_matrix **out);
};

static const reduce_row reductions[] = {
    {{.name = "none", .help = "every column as it is", .flags = DGM_REDUCE_KEEPS},
     init_none,
     run_none},
    {{.name = "prob",
      .help = "columns are logits: the probability of a class",
      .options = &dgmi_reduce_prob_table,
      .axes = 1},
     init_prob,
     run_prob},
    {{.name = "pca",
      .help = "principal components: directions of largest variance",
      .options = &dgmi_reduce_pca_table,
      .flags = DGM_REDUCE_VARIES},
     init_pca,
     run_pca},
    {{.name = "tsne",
      .help = "t-SNE: a map in which near points stay near",
      .options = &dgmi_reduce_tsne_table,
      .flags = DGM_REDUCE_STEPS | DGM_REDUCE_VARIES},
     init_tsne,
     run_tsne},
    {{.name = "umap",
      .help = "UMAP: the graph of neighbours, drawn",
      .options = &dgmi_reduce_umap_table,
      .flags = DGM_REDUCE_VARIES},
     init_umap,
     run_umap},
    {{.name = "isomap",
      .help = "Isomap: distances along the graph of neighbours, made straight",
      .options = &dgmi_reduce_isomap_table,
      .flags = DGM_REDUCE_VARIES},
     init_isomap,
     run_isomap},
    {{.name = "centres",
      .help = "the number of the nearest of K centres: a partition, for the cover parts",
      .options = &dgmi_reduce_centres_table,
      .flags = DGM_REDUCE_VARIES | DGM_REDUCE_PARTS,
      .axes = 1},
     init_centres,
     run_centres},
};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

const dgm_reduce_kind *dgm_reduce_kind_at(size_t index) {
    return index < REDUCTIONS ? &reductions[index].kind : NULL;
}

const dgm_reduce_kind *dgm_reduce_find(const char *specification) {
    size_t length = strcspn(specification, ":");
    for (size_t i = 0; i < REDUCTIONS; i++)
        if (strlen(reductions[i].kind.name) == length &&
            strncmp(reductions[i].kind.name, specification, length) == 0)
            return &reductions[i].kind;
    return NULL;
}

static dgm_status find_kind(dgm_context *ctx, reduce_request *request) {
    const char *names[REDUCTIONS + 1] = {NULL};
    for (size_t i = 0; i < REDUCTIONS; i++) {
        request->row = &reductions[i];
        names[i] = reductions[i].kind.name;
        if (strcmp(names[i], request->spec.text) == 0)
            return DGM_OK;
    }
    return dgmi_spec_fail_name(ctx, "reduction", "reductions", request->spec.text, names);
}

/* dim 0: not given. */
static dgm_status set_dim(dgm_context *ctx, reduce_request *request, int64_t dim) {
    const dgm_reduce_kind *kind = &request->row->kind;
    const char *name = kind->name;
    if (dim < 0 || dim > DGM_REDUCE_MOST)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("dim") " takes a whole number from 1 to %d, not %lld",
                         DGM_REDUCE_MOST, (long long)dim);
    if (dim > 0 && kind->axes > 0 && dim != kind->axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the reduction '%s' has one axis, not %lld", name,
                         (long long)dim);
    if (dim > 0 && (kind->flags & DGM_REDUCE_KEEPS))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the reduction '%s' keeps every column, so it takes no " DGMI_NAMED("dim"),
                         name);
    request->dim = dim > 0 ? dim : DEFAULT_DIM;
    return DGM_OK;
}

static dgm_status parse(dgm_context *ctx, const char *specification, int64_t dim, int64_t seed,
                        reduce_request *request) {
    dgm_status status = dgmi_spec_split(ctx, "reduction", specification, &request->spec);
    if (status == DGM_OK)
        status = find_kind(ctx, request);
    if (status == DGM_OK)
        status = set_dim(ctx, request, dim);
    if (status != DGM_OK)
        return status;
    request->row->init(&request->options, seed);
    return dgmi_spec_set(ctx, "reduction", &request->spec, request->row->kind.options,
                         &request->options);
}

dgm_status dgmi_reduce_parse(dgm_context *ctx, const char *specification, int64_t dim, int64_t seed,
                             const reduce_request **out) {
    reduce_request *request = dgmi_scratch(ctx, 1, sizeof *request);
    *out = request;
    if (!request)
        return DGM_ERROR_MEMORY;
    request->start = NULL;
    return parse(ctx, specification, dim, seed, request);
}

dgm_status dgmi_reduce_run_parsed(dgm_context *ctx, const dgm_points *points,
                                  const reduce_request *request, dgm_reduce_report *report,
                                  dgm_matrix **out) {
    *out = NULL;
    return request->row->run(ctx, points, request, report, out);
}

dgm_status dgm_reduce_check(dgm_context *ctx, const char *specification, int64_t dim) {
    reduce_request request;
    return parse(ctx, specification, dim, 1, &request);
}

/* Only maps that are found step by step can be gone on with or added to. */
static dgm_status check_steps(dgm_context *ctx, const reduce_request *request, const char *what) {
    const char *name = request->row->kind.name;
    if (request->row->kind.flags & DGM_REDUCE_STEPS)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "the reduction '%s' %s; tsne does", name, what);
}

dgm_status dgm_reduce_run_from(dgm_context *ctx, const dgm_points *points,
                               const char *specification, int64_t dim, int64_t seed,
                               const dgm_matrix *start, dgm_reduce_report *report,
                               dgm_matrix **out) {
    *out = NULL;
    reduce_request request;
    dgm_status status = parse(ctx, specification, dim, seed, &request);
    if (status == DGM_OK && start)
        status = check_steps(ctx, &request, "takes no start");
    if (status != DGM_OK)
        return status;
    request.start = start;
    return request.row->run(ctx, points, &request, report, out);
}

dgm_status dgm_reduce_run(dgm_context *ctx, const dgm_points *points, const char *specification,
                          int64_t dim, int64_t seed, dgm_reduce_report *report, dgm_matrix **out) {
    return dgm_reduce_run_from(ctx, points, specification, dim, seed, NULL, report, out);
}

dgm_status dgm_reduce_place(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                            const dgm_points *added, const char *specification, int64_t seed,
                            dgm_reduce_report *report, dgm_matrix **out) {
    *out = NULL;
    reduce_request request;
    dgm_status status = parse(ctx, specification, 0, seed, &request);
    if (status == DGM_OK)
        status = check_steps(ctx, &request, "places no points into a map");
    if (status != DGM_OK)
        return status;
    return dgm_tsne_place(ctx, points, map, added, &request.options.tsne, report, out);
}
