/* SPDX-License-Identifier: Apache-2.0 */
/* What the list of lenses needs of each lens: the table of its keys, and the options they set. */
#ifndef LENS_LENS_H
#define LENS_LENS_H

#include "dgm/lens.h"
#include "nn_options.h"

extern const dgm_option_table dgmi_lens_pagerank_table;
extern const dgm_option_table dgmi_lens_eigen_table;
extern const dgm_option_table dgmi_lens_betweenness_table;
extern const dgm_option_table dgmi_lens_random_table;
extern const dgm_option_table dgmi_lens_density_table;
extern const dgm_option_table dgmi_lens_distance_table;
extern const dgm_option_table dgmi_lens_features_table;

/* The options of any lens. */
typedef union dgmi_lens_settings {
    const char *attribute;
    dgm_pagerank_options pagerank;
    dgm_eigen_options eigen;
    dgm_betweenness_options betweenness;
    dgm_random_options random;
    dgm_density_options density;
    dgm_distance_options distance;
    dgm_communities_options communities;
    dgm_features_options features;
    dgm_gcn_options gcn;
    dgm_dgi_options dgi;
} dgmi_lens_settings;

/* The two halves of dgm_lens_run. The first reads specifications of lenses into scratch memory, and
 * the second runs them, as often as wanted. */
typedef struct dgmi_lens_request dgmi_lens_request;
dgm_status dgmi_lens_parse(dgm_context *ctx, const char *const *specifications, int count,
                           int64_t seed, const dgmi_lens_request **out);
dgm_status dgmi_lens_run_parsed(dgm_context *ctx, const dgm_graph *graph,
                                const dgmi_lens_request *requests, int count,
                                const dgm_lens_options *options, dgm_lens_result **out);

/* Fails with DGM_ERROR_DATA if the lens is not finite somewhere, and names the first such node.
 * Every lens by name passes through it. */
dgm_status dgmi_lens_check_finite(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *axes);

#endif
