/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the library that no job makes, each with its k-th allocation failing: appendix A,
 * memberships, writers, generators, names, nearest neighbours, exports into memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check_memory.h"
#include "dgm/dgm.h"

static char path[64] = "/tmp/dgm-calls-XXXXXX";

static int setup(void **state) {
    (void)state;
    return mkdtemp(path) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    return rmdir(path); /* fails if a file was left behind */
}

/* What the calls work on, made with the same context. */
typedef struct world {
    dgm_graph *graph;
    dgm_matrix *lens;
    dgm_summary *summary;
    dgm_membership *membership;
} world;

static dgm_status make_world(dgm_context *ctx, world *w) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.kind = DGM_GENERATE_KARATE;
    dgm_status status = dgm_graph_generate(ctx, &options, NULL, &w->graph);
    if (status == DGM_OK)
        status = dgm_lens_degree(ctx, w->graph, &w->lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, w->graph, w->lens, NULL, &w->summary);
    if (status == DGM_OK)
        status = dgm_membership_from_summary(ctx, w->summary, DGM_MEMBERSHIP_SPLIT, &w->membership);
    return status;
}

static void free_world(world *w) {
    dgm_membership_free(w->membership);
    dgm_summary_free(w->summary);
    dgm_matrix_free(w->lens);
    dgm_graph_free(w->graph);
}

/* ---- the calls ---- */

static dgm_status call_nothing(dgm_context *ctx, const world *w, int variant) {
    (void)ctx, (void)w, (void)variant;
    return DGM_OK;
}

static dgm_status call_appendix(dgm_context *ctx, const world *w, int variant) {
    dgm_graph *expanded = NULL;
    uint32_t *origin = NULL;
    dgm_membership *copied = NULL, *hop = NULL;
    (void)variant;
    dgm_status status = dgm_graph_expand(ctx, w->graph, &expanded, &origin);
    if (status == DGM_OK)
        status = dgm_membership_copy_rows(ctx, w->membership, dgm_graph_nodes(expanded), origin,
                                          &copied);
    if (status == DGM_OK)
        status = dgm_membership_expand(ctx, expanded, copied, &hop);
    dgm_membership_free(hop);
    dgm_membership_free(copied);
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
    return status;
}

static dgm_status call_adjacency(dgm_context *ctx, const world *w, int variant) {
    dgm_graph *pooled = NULL;
    dgm_status status =
        dgm_membership_adjacency(ctx, w->graph, w->membership, variant == 0, &pooled);
    assert_int_equal(status == DGM_OK, pooled != NULL);
    dgm_graph_free(pooled);
    return status;
}

static dgm_status call_names(dgm_context *ctx, const world *w, int variant) {
    dgm_graph_index *index = NULL;
    (void)variant;
    dgm_status status = dgm_graph_index_create(ctx, w->graph, &index);
    assert_int_equal(status == DGM_OK, index != NULL);
    dgm_graph_index_free(index);
    return status;
}

static dgm_status call_components(dgm_context *ctx, const world *w, int variant) {
    int64_t count;
    (void)variant;
    return dgm_graph_components(ctx, w->graph, NULL, &count);
}

/* Pictures need a view, which draws on the same memory. */
static dgm_status call_export(dgm_context *ctx, const world *w, int variant) {
    static const dgm_export_format formats[] = {
        DGM_EXPORT_JSON,    DGM_EXPORT_SVG,  DGM_EXPORT_CSV, DGM_EXPORT_CSV,
        DGM_EXPORT_GRAPHML, DGM_EXPORT_GEXF, DGM_EXPORT_DOT, DGM_EXPORT_MD};
    char *text = NULL;
    size_t length;
    dgm_profile *profile = NULL;
    dgm_view *view = NULL;
    dgm_places places = {.layout = -1};
    dgm_status status = dgm_profile_create(ctx, w->summary, w->graph, NULL, &profile);
    assert_int_equal(status == DGM_OK, profile != NULL);
    if (status == DGM_OK)
        status = dgm_view_from_summary(ctx, w->summary, profile, NULL, &view);
    assert_int_equal(status == DGM_OK, view != NULL);
    if (status == DGM_OK)
        status = dgm_view_lay_out(ctx, view, NULL);
    if (status == DGM_OK)
        places = dgm_view_get_places(view);
    const dgm_export_subject subject = {
        .summary = w->summary, .graph = w->graph, .profile = profile, .places = &places};
    if (status == DGM_OK)
        status = dgm_export_text(ctx, &subject, formats[variant], variant == 3, &text, &length);
    assert_int_equal(status == DGM_OK, text != NULL);
    dgm_export_text_free(ctx, text);
    dgm_view_free(view);
    dgm_profile_free(profile);
    return status;
}

static dgm_status call_generate(dgm_context *ctx, const world *w, int variant) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph = NULL;
    (void)w;
    options.kind = variant;
    options.nodes = 40;
    dgm_status status = dgm_graph_generate(ctx, &options, NULL, &graph);
    assert_int_equal(status == DGM_OK, graph != NULL);
    dgm_graph_free(graph);
    return status;
}

/* Writes a file; a failed write leaves none. */
static dgm_status written(dgm_status status, const char *file) {
    assert_int_equal(access(file, F_OK) == 0, status == DGM_OK);
    unlink(file);
    return status;
}

static dgm_status call_write(dgm_context *ctx, const world *w, int variant) {
    static const char *const names[] = {"g.txt",  "g.csv", "g.mtx", "g.graphml", "g.gexf",  "g.gml",
                                        "g.json", "g.npy", "g.npz", "g.metis",   "g.tsv.gz"};
    char file[128];
    snprintf(file, sizeof file, "%s/%s", path, names[variant]);
    return written(dgm_graph_write(ctx, w->graph, file, DGM_FORMAT_AUTO), file);
}

static dgm_status call_write_lens(dgm_context *ctx, const world *w, int variant) {
    char file[128];
    snprintf(file, sizeof file, "%s/%s", path, variant ? "l.npy" : "l.tsv");
    return written(dgm_matrix_write(ctx, w->lens, variant ? NULL : w->graph, file), file);
}

/* Points on a spiral, joined with their nearest by every method; names or numbers. */
static dgm_status call_knn(dgm_context *ctx, const world *w, int variant) {
    dgm_matrix *points = NULL;
    dgm_neighbours *neighbours = NULL;
    dgm_graph *graph = NULL;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    options.k = 3;
    options.method = DGM_KNN_EXACT + variant / 2;
    dgm_status status = dgm_matrix_create(ctx, dgm_graph_nodes(w->graph), 2, &points);
    for (int64_t i = 0; status == DGM_OK && i < 2 * dgm_matrix_rows(points); i++)
        dgm_matrix_values_mutable(points)[i] = (double)(i * (i % 2 ? 3 : i % 7));
    if (status == DGM_OK)
        status = dgm_knn_matrix(ctx, points, &options, &neighbours);
    if (status == DGM_OK)
        status =
            dgm_knn_graph(ctx, neighbours,
                          &(dgm_knn_graph_options){sizeof(dgm_knn_graph_options), variant % 2,
                                                   variant % 2 ? w->graph : NULL, "points", NULL},
                          &graph);
    assert_int_equal(status == DGM_OK, graph != NULL);
    dgm_graph_free(graph);
    dgm_neighbours_free(neighbours);
    dgm_matrix_free(points);
    return status;
}

/* ---- the loop ---- */

typedef dgm_status (*call_fn)(dgm_context *ctx, const world *w, int variant);

static dgm_status run_call(call_fn call, int variant, check_memory *memory) {
    dgm_allocator allocator = check_memory_allocator(memory);
    dgm_context *ctx = NULL;
    world w = {0};
    dgm_status status = dgm_context_create(&allocator, &ctx);
    if (status != DGM_OK)
        return status;
    dgm_context_set_threads(ctx, 1);
    status = make_world(ctx, &w);
    if (status == DGM_OK)
        status = call(ctx, &w, variant);
    if (status != DGM_OK && status != DGM_ERROR_MEMORY)
        fail_msg("allocation %lld: %s", memory->fail_at, dgm_context_error(ctx));
    free_world(&w);
    dgm_context_free(ctx);
    assert_int_equal(memory->blocks, 0);
    return status;
}

static void fail_every_allocation(call_fn call, int variant) {
    check_memory quiet = {0}, whole = {0};
    assert_int_equal(run_call(call_nothing, 0, &quiet), DGM_OK);
    assert_int_equal(run_call(call, variant, &whole), DGM_OK);
    long long first = call == call_nothing ? 1 : quiet.calls + 1, failed = 0;
    for (int fail_on = 0; fail_on < 2; fail_on++)
        for (long long k = first; k <= whole.calls; k++) {
            check_memory memory = {.fail_at = k, .fail_on = fail_on};
            failed += run_call(call, variant, &memory) == DGM_ERROR_MEMORY;
        }
    /* Only a block that would not shrink may go unnoticed. */
    assert_true(whole.calls < first || failed > 0);
}

#define FAULT_TEST(sentence, call, variants)                                                       \
    static void sentence(void **state) {                                                           \
        (void)state;                                                                               \
        for (int variant = 0; variant < (variants); variant++)                                     \
            fail_every_allocation(call, variant);                                                  \
    }

FAULT_TEST(a_run_of_mapper_fails_cleanly, call_nothing, 1)
FAULT_TEST(the_expanded_graph_fails_cleanly, call_appendix, 1)
FAULT_TEST(pooled_adjacency_fails_cleanly, call_adjacency, 2)
FAULT_TEST(an_index_of_names_fails_cleanly, call_names, 1)
FAULT_TEST(components_fail_cleanly, call_components, 1)
FAULT_TEST(exports_fail_cleanly, call_export, 7)
FAULT_TEST(generators_fail_cleanly, call_generate, 8)
FAULT_TEST(writers_of_graphs_fail_cleanly, call_write, 11)
FAULT_TEST(writers_of_lenses_fail_cleanly, call_write_lens, 2)
FAULT_TEST(graphs_of_neighbours_fail_cleanly, call_knn, 8)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_mapper_fails_cleanly),
        cmocka_unit_test(the_expanded_graph_fails_cleanly),
        cmocka_unit_test(pooled_adjacency_fails_cleanly),
        cmocka_unit_test(an_index_of_names_fails_cleanly),
        cmocka_unit_test(components_fail_cleanly),
        cmocka_unit_test(exports_fail_cleanly),
        cmocka_unit_test(generators_fail_cleanly),
        cmocka_unit_test(writers_of_graphs_fail_cleanly),
        cmocka_unit_test(writers_of_lenses_fail_cleanly),
        cmocka_unit_test(graphs_of_neighbours_fail_cleanly),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
