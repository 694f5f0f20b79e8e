/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses: functions from the nodes to R^d. */
#ifndef DGM_LENS_H
#define DGM_LENS_H

#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef struct dgm_pagerank_options {
    double alpha;       /* chance of following an edge, 0.85 */
    double tolerance;   /* stop when the L1 change of a step is below this: 1e-10 */
    int64_t iterations; /* at most this many: 1000 */
    bool weighted;      /* follow edges in proportion to their weights */
    const char *seeds;  /* "a;b;c": walks restart at these nodes; NULL: anywhere */
} dgm_pagerank_options;
#define DGM_PAGERANK_OPTIONS_INIT                                                                  \
    { 0.85, 1e-10, 1000, false, NULL }
DGM_API void dgm_pagerank_options_init(dgm_pagerank_options *options);
DGM_API const dgm_option_table *dgm_pagerank_option_table(void);

/* PageRank, summing to 1; dangling nodes spread uniformly; follows directions of a directed graph.
 */
DGM_API dgm_status dgm_lens_pagerank(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_pagerank_options *options, dgm_matrix **out);
/* Number of neighbours (out-neighbours and in-neighbours of a directed graph), a kept loop counts
 * two. */
DGM_API dgm_status dgm_lens_degree(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The class of each node; an unlabelled node is an error that says so. */
DGM_API dgm_status dgm_lens_labels(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* A numeric node attribute. */
DGM_API dgm_status dgm_lens_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name,
                                      dgm_matrix **out);

/* A lens by its specification, "NAME" or "NAME:key=value,...", or "attr:NAME". `seed` is the
 * default of lenses that draw random numbers. Unknown names and keys are DGM_ERROR_USAGE with the
 * known ones and the nearest. */
DGM_API dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                                int64_t seed, dgm_matrix **out);
/* Several lenses, their columns side by side. */
DGM_API dgm_status dgm_lens_run_list(dgm_context *ctx, const dgm_graph *graph,
                                     const char *const *specifications, int count, int64_t seed,
                                     dgm_matrix **out);
/* Checks name, keys and values without a graph. */
DGM_API dgm_status dgm_lens_check(dgm_context *ctx, const char *specification);

/* The known lenses, for help and completion. */
typedef struct dgm_lens_kind {
    const char *name;
    const char *help;                /* one line */
    const dgm_option_table *options; /* keys, or NULL */
} dgm_lens_kind;
DGM_API const dgm_lens_kind *dgm_lens_kinds(size_t *count);

#endif
