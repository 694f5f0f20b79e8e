/* SPDX-License-Identifier: Apache-2.0 */
/* mistakes: trains a network on a graph with labels, maps the graph through what the network says,
 * and lists the clusters where it is wrong most often.
 *
 *   cc mistakes.c -o mistakes $(pkg-config --cflags --libs dgm)
 */
#include <inttypes.h>
#include <stdio.h>

#include <dgm/dgm.h>

/* All that the program makes; main frees it. */
typedef struct {
    dgm_graph *graph;
    dgm_lens_result *answer; /* of the network */
    dgm_matrix *lens;
    dgm_summary *summary;
    dgm_profile *profile;
} work;

static dgm_status run(dgm_context *ctx, work *w) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 5; /* on every axis: those behind the first follow it */
    options.overlap[0] = 0.4;
    options.min_size = 5;

    /* A graph that the library makes: papers that cite each other, in six fields. */
    dgm_status status = dgm_graph_open(ctx, "papers", DGM_FORMAT_AUTO, NULL, NULL, 1, &w->graph);
    if (status == DGM_OK) /* trained on the part of the nodes that the graph sets aside for it */
        status = dgm_lens_gcn(ctx, w->graph, NULL, &w->answer);
    if (status != DGM_OK)
        return status;
    /* The answer has one column per class: two principal components of it are the lens. */
    dgm_points points = dgm_points_of_matrix(dgm_lens_result_axes(w->answer));
    status = dgm_reduce_pca(ctx, &points, 2, NULL, NULL, &w->lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, w->graph, w->lens, &options, &w->summary);
    if (status == DGM_OK) /* what the members of each cluster are, and what was predicted */
        status = dgm_profile_create(ctx, w->summary, w->graph,
                                    dgm_lens_result_predictions(w->answer), &w->profile);
    return status;
}

static void print(const work *w) {
    enum { MOST = 3 };
    dgm_profile_dispute worst[MOST];
    int64_t count = dgm_profile_disputes(w->profile, MOST, worst);
    printf("test accuracy %.2f\n", dgm_lens_result_report(w->answer)->test_accuracy);
    for (int64_t i = 0; i < count; i++)
        printf("cluster %" PRIu32 ": %" PRId64 " of %" PRId64 " wrong, %" PRId64
               " of %s taken for %s\n",
               worst[i].cluster, worst[i].mistakes, worst[i].judged, worst[i].confused,
               worst[i].label, worst[i].prediction);
}

int main(void) {
    dgm_context *ctx = NULL;
    work w = {0};
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status = run(ctx, &w);
    if (status == DGM_OK)
        print(&w);
    else
        fprintf(stderr, "mistakes: %s\n", ctx ? dgm_context_error(ctx) : dgm_status_name(status));
    dgm_profile_free(w.profile);
    dgm_summary_free(w.summary);
    dgm_matrix_free(w.lens);
    dgm_lens_result_free(w.answer);
    dgm_graph_free(w.graph);
    dgm_context_free(ctx);
    return status == DGM_OK ? 0 : 1;
}
