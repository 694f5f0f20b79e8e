/* SPDX-License-Identifier: Apache-2.0 */
/* A graph never changes: two threads, each with a context of its own, train, compute lenses, map
 * and export one graph at the same time and get the bytes that one thread gets alone. Under
 * ThreadSanitizer (make tsan) a write into the graph would be seen. */
#include "property_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 240, THREADS = 2 };

/* What one thread makes of the graph. */
typedef struct {
    const dgm_graph *graph;
    pthread_barrier_t *start; /* NULL: nobody else runs */
    dgm_status status;
    dgm_lens_result *lens;
    dgm_matrix *embedding;
    dgm_predictions *relabelled; /* of a copy with other labels */
    dgm_summary *summary;
    char *text; /* the summary as JSON */
    size_t length;
    dgm_context *own;
} work;

static dgm_status train_dgi(work *w) {
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    dgm_model *model = NULL;
    options.hidden = "8";
    options.epochs = 4;
    dgm_status status =
        dgm_dgi_train(w->own, w->graph, &options, NULL, &model, NULL, &w->embedding);
    dgm_model_free(model);
    return status;
}

/* Who wants other labels has a graph of its own, made while the other thread reads this one. */
static dgm_status relabel(work *w) {
    int32_t labels[NODES];
    dgm_graph *other = NULL;
    for (int u = 0; u < NODES; u++)
        labels[u] = u % 3;
    dgm_status status = dgm_graph_with_labels(w->own, w->graph, labels, 0, NULL, &other);
    if (status == DGM_OK)
        status = dgm_predictions_from_classes(w->own, other, labels, NULL, &w->relabelled);
    dgm_graph_free(other);
    return status;
}

static dgm_status map(work *w) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 4;
    options.intervals[1] = 2;
    options.intervals[2] = 1;
    dgm_status status =
        dgm_mapper_run(w->own, w->graph, dgm_lens_result_axes(w->lens), &options, &w->summary);
    dgm_profile *profile = NULL;
    if (status == DGM_OK)
        status = dgm_profile_create(w->own, w->summary, w->graph,
                                    dgm_lens_result_predictions(w->lens), &profile);
    const dgm_export_subject subject = {
        .summary = w->summary, .graph = w->graph, .profile = profile};
    if (status == DGM_OK)
        status = dgm_export_text(w->own, &subject, DGM_EXPORT_JSON, 0, &w->text, &w->length);
    dgm_profile_free(profile);
    return status;
}

static void *run(void *argument) {
    work *w = argument;
    static const char *const lenses[] = {"pagerank", "closeness", "gcn:epochs=6"};
    w->status = dgm_context_create(NULL, &w->own);
    if (w->start)
        pthread_barrier_wait(w->start);
    if (w->status != DGM_OK)
        return NULL;
    dgm_context_set_threads(w->own, 2);
    w->status = dgm_lens_run(w->own, w->graph, lenses, 3, NULL, &w->lens);
    if (w->status == DGM_OK)
        w->status = train_dgi(w);
    if (w->status == DGM_OK)
        w->status = relabel(w);
    if (w->status == DGM_OK)
        w->status = map(w);
    return NULL;
}

static void assert_same_table(const dgm_matrix *a, const dgm_matrix *b) {
    assert_int_equal(dgm_matrix_columns(a), dgm_matrix_columns(b));
    assert_memory_equal(dgm_matrix_values(a), dgm_matrix_values(b),
                        (size_t)(dgm_matrix_rows(a) * dgm_matrix_columns(a)) * sizeof(double));
}

static void assert_same_predictions(const dgm_predictions *a, const dgm_predictions *b) {
    int32_t columns;
    const float *p = dgm_predictions_probabilities(a, &columns);
    assert_memory_equal(dgm_predictions_classes(a), dgm_predictions_classes(b),
                        NODES * sizeof(int32_t));
    if (p)
        assert_memory_equal(p, dgm_predictions_probabilities(b, NULL),
                            (size_t)(NODES * columns) * sizeof *p);
}

static void assert_same(const work *a, const work *b) {
    if (b->status != DGM_OK)
        fail_msg("%s", b->own ? dgm_context_error(b->own) : dgm_status_name(b->status));
    assert_same_table(dgm_lens_result_axes(a->lens), dgm_lens_result_axes(b->lens));
    assert_same_table(a->embedding, b->embedding);
    assert_same_predictions(dgm_lens_result_predictions(a->lens),
                            dgm_lens_result_predictions(b->lens));
    assert_same_predictions(a->relabelled, b->relabelled);
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->text, b->text, a->length);
}

static void free_work(work *w) {
    dgm_export_text_free(w->own, w->text);
    dgm_summary_free(w->summary);
    dgm_predictions_free(w->relabelled);
    dgm_matrix_free(w->embedding);
    dgm_lens_result_free(w->lens);
    dgm_context_free(w->own);
}

static dgm_graph *papers(void) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_PAPERS;
    options.nodes = NODES;
    options.seed = (int64_t)(seed % 1000);
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static void two_threads_work_on_one_graph(void **state) {
    (void)state;
    dgm_graph *graph = papers();
    pthread_barrier_t start;
    pthread_t threads[THREADS];
    work alone = {.graph = graph}, beside[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        beside[i] = (work){.graph = graph, .start = &start};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &beside[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    run(&alone);
    assert_int_equal(alone.status, DGM_OK);
    assert_non_null(dgm_lens_result_predictions(alone.lens));
    assert_non_null(strstr(alone.text, "\"mistakes\""));
    for (int i = 0; i < THREADS; i++) {
        assert_same(&alone, &beside[i]);
        free_work(&beside[i]);
    }
    free_work(&alone);
    pthread_barrier_destroy(&start);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_work_on_one_graph),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
