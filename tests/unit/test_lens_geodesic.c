/* SPDX-License-Identifier: Apache-2.0 */
/* What lenses say that they will take, against what an allocator that counts hands out. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_context.h"
#include "spectral_laplacian.h"

enum { HEADER = 64 };

static double held, peak;

static void *counting_resize(void *user, void *block, size_t size) {
    (void)user;
    char *whole = block ? (char *)block - HEADER : NULL;
    size_t before = whole ? *(size_t *)whole : 0;
    if (size == 0) {
        held -= (double)before;
        free(whole);
        return NULL;
    }
    whole = realloc(whole, size + HEADER);
    if (!whole)
        return NULL;
    *(size_t *)whole = size;
    held += (double)size - (double)before;
    peak = fmax(peak, held);
    return whole + HEADER;
}

static dgm_graph *generate(dgm_generator kind, int64_t nodes, int64_t edges) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

/* The most bytes that the lens held at once, its result among them. */
static double measure(const dgm_graph *graph, const char *lens) {
    const dgm_allocator allocator = {counting_resize, NULL};
    dgm_context *counting;
    dgm_matrix *out;
    assert_int_equal(dgm_context_create(&allocator, &counting), DGM_OK);
    dgm_context_set_threads(counting, 2);
    peak = held;
    double before = held;
    assert_int_equal(lens_axes(counting, graph, lens, 1, &out), DGM_OK);
    double taken = peak - before;
    dgm_matrix_free(out);
    dgm_context_free(counting);
    return taken;
}

/* What the lens says that it needs where `available` bytes are too few. */
static double ask(const dgm_graph *graph, const char *lens, double available) {
    double gigabytes;
    dgm_matrix *out;
    dgm_context_set_threads(ctx, 2);
    ctx->memory = available;
    assert_int_equal(lens_axes(ctx, graph, lens, 1, &out), DGM_ERROR_MEMORY);
    assert_null(out);
    ctx->memory = 0;
    const char *words = strstr(dgm_context_error(ctx), "needs about");
    assert_non_null(words);
    assert_int_equal(sscanf(words, "needs about %lf GB", &gigabytes), 1);
    return gigabytes * 1e9;
}

/* Few arcs beside the nodes, so that no graph is built and nothing else is held. */
static void betweenness_takes_what_it_says(void **state) {
    (void)state;
    static const char *const lenses[] = {"betweenness:budget=10,samples=4",
                                         "betweenness:budget=10,samples=4,weighted=true"};
    dgm_graph *graph = generate(DGM_GENERATE_GRID, 40000, 0);
    for (int64_t i = 0; i < COUNT(lenses); i++) {
        double taken = measure(graph, lenses[i]), said = ask(graph, lenses[i], 1);
        assert_near(said, taken, 0.2 * taken);
    }
    dgm_graph_free(graph);
}

/* First the places and sums, then, once these are held, a sweep. */
static void distances_take_what_they_say(void **state) {
    (void)state;
    static const char *const lenses[] = {"density:budget=10,samples=600",
                                         "agd:budget=10,samples=600",
                                         "closeness:budget=10,samples=600"};
    dgm_graph *graph = generate(DGM_GENERATE_BA, 20000, 100000);
    for (int64_t i = 0; i < COUNT(lenses); i++) {
        double taken = measure(graph, lenses[i]), places = ask(graph, lenses[i], 1);
        double sweep = ask(graph, lenses[i], places * 1.01);
        assert_true(places < taken && sweep > places);
        /* Least is a search by itself, 136 bytes a node; a batch, as here, takes 206. */
        assert_near(places + sweep / 136 * 206, taken, 0.1 * taken);
    }
    dgm_graph_free(graph);
}

static void eigenvectors_take_what_they_say(void **state) {
    (void)state;
    static const dgm_generator kinds[] = {DGM_GENERATE_BA, DGM_GENERATE_GRID};
    for (int64_t i = 0; i < COUNT(kinds); i++) {
        dgm_graph *graph = generate(kinds[i], 10000, 60000);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        const dgmi_spectral_adjacency matrix = {
            .rows = rows.nodes, .offsets = rows.offsets, .columns = rows.targets};
        for (int64_t k = 1; k <= 3; k += 2) {
            char lens[32];
            double least, most;
            snprintf(lens, sizeof lens, "eigen:k=%d", (int)k);
            dgmi_spectral_laplacian_eigen_bytes(&matrix, k, &least, &most);
            double taken = measure(graph, lens), said = ask(graph, lens, 1);
            double own = 8.0 * (double)((1 + k) * rows.nodes);
            assert_near(said, least + own, 0.01 * said);
            assert_true(said < taken);
            /* Beside it: the result, degrees and components. */
            assert_true(taken < most + own + (double)((8 * k + 40) * rows.nodes));
        }
        dgm_graph_free(graph);
    }
}

static void the_words_say_what_to_do(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_GRID, 10000, 0);
    dgm_matrix *lens;
    ctx->memory = 1e3;
    assert_int_equal(lens_axes(ctx, graph, "eigen", 1, &lens), DGM_ERROR_MEMORY);
    ASSERT_HAS(dgm_context_error(ctx), "the lens 'eigen' needs about 0.0");
    ASSERT_HAS(dgm_context_error(ctx), "1e-06 GB are available; ask for fewer eigenvectors (k=1)");
    assert_int_equal(lens_axes(ctx, graph, "density", 1, &lens), DGM_ERROR_MEMORY);
    ASSERT_HAS(dgm_context_error(ctx), "the lens 'density' needs about");
    ASSERT_HAS(dgm_context_error(ctx),
               "use another lens (pagerank, core and degree need far less)");
    ctx->memory = 0;
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(betweenness_takes_what_it_says),
        cmocka_unit_test(distances_take_what_they_say),
        cmocka_unit_test(eigenvectors_take_what_they_say),
        cmocka_unit_test(the_words_say_what_to_do),
    };
    return RUN_WITH_CONTEXT(tests);
}
