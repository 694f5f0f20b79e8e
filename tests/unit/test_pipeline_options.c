/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every option struct of the library. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "dgm/dgm.h"

#define STAGE(name)                                                                                \
    { #name, sizeof(dgm_##name##_options), name##_init, dgm_##name##_option_table }
#define INITIALISER(name)                                                                          \
    static void name##_init(void *options) {                                                       \
        dgm_##name##_options_init(options);                                                        \
    }

INITIALISER(graph)
INITIALISER(generate)
INITIALISER(knn)
INITIALISER(layout)
INITIALISER(figure)
INITIALISER(pagerank)
INITIALISER(betweenness)
INITIALISER(random)
INITIALISER(density)
INITIALISER(distance)
INITIALISER(eigen)
INITIALISER(mapper)
INITIALISER(gcn)
INITIALISER(dgi)
INITIALISER(checkpoint)
INITIALISER(pca)
INITIALISER(prob)
INITIALISER(tsne)
INITIALISER(umap)
INITIALISER(isomap)

static const struct {
    const char *name;
    size_t size;
    void (*init)(void *options);
    const dgm_option_table *(*table)(void);
} stages[] = {
    STAGE(graph),       STAGE(generate), STAGE(knn),     STAGE(layout),   STAGE(figure),
    STAGE(pagerank),    STAGE(random),   STAGE(density), STAGE(distance), STAGE(eigen),
    STAGE(betweenness), STAGE(mapper),   STAGE(gcn),     STAGE(dgi),      STAGE(checkpoint),
    STAGE(pca),         STAGE(prob),     STAGE(tsne),    STAGE(umap),     STAGE(isomap),
};

enum { MOST_BYTES = 1024 };
typedef union {
    size_t size;
    char bytes[MOST_BYTES];
    double real;
    void *pointer;
} any_options;

static void every_initialiser_fills_in_the_size(void **state) {
    (void)state;
    for (int64_t i = 0; i < COUNT(stages); i++) {
        any_options options = {0};
        assert_true(stages[i].size <= MOST_BYTES);
        stages[i].init(&options);
        assert_int_equal(options.size, stages[i].size);
    }
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(job.size, sizeof job);
}

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

/* Whether the default of the option is one that its table can show: texts and numbers that stand
 * for "not given" are described in words. */
static bool shows_a_value(const dgm_option *option, const any_options *defaults) {
    const void *field = defaults->bytes + option->offset;
    switch (option->kind) {
    case DGM_OPTION_CHOICE:
    case DGM_OPTION_INTEGERS:
    case DGM_OPTION_REALS:
        return true;
    case DGM_OPTION_INTEGER:
        return *(const int64_t *)field >= option->minimum && *(const int64_t *)field != 0 &&
               is_number(option->default_text);
    case DGM_OPTION_REAL:
        return *(const double *)field >= option->minimum && *(const double *)field != 0 &&
               is_number(option->default_text);
    default:
        return false;
    }
}

static void every_default_that_a_table_shows_is_that_of_its_struct(void **state) {
    (void)state;
    int compared = 0;
    for (int64_t i = 0; i < COUNT(stages); i++) {
        const dgm_option_table *table = stages[i].table();
        for (size_t k = 0; k < table->count; k++) {
            const dgm_option *option = &table->options[k];
            any_options defaults = {0}, set;
            stages[i].init(&defaults);
            memcpy(&set, &defaults, sizeof set);
            if (!option->default_text || !shows_a_value(option, &defaults))
                continue;
            if (dgm_option_set(ctx, option, option->default_text, &set) != DGM_OK)
                fail_msg("%s: %s", stages[i].name, dgm_context_error(ctx));
            if (memcmp(&set, &defaults, sizeof set) != 0)
                fail_msg("%s: the default of %s is not %s", stages[i].name, option->name,
                         option->default_text);
            compared++;
        }
    }
    assert_true(compared > 40);
}

#define REFUSES(call, type)                                                                        \
    do {                                                                                           \
        assert_int_equal(call, DGM_ERROR_USAGE);                                                   \
        ASSERT_HAS(dgm_context_error(ctx), #type " was not initialised: its size is 0");           \
    } while (0)

static void calls_refuse_options_that_nobody_initialised(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    const float line[] = {0, 1, 2};
    dgm_graph *graph = build_graph(NULL, 0, 2, ends, NULL), *other;
    dgm_matrix *lens = NULL, *out;
    dgm_graph_builder *builder;
    dgm_neighbours *lists, *none;
    dgm_summary *summary;
    dgm_figure *figure;
    dgm_model *model;
    dgm_sweep *sweep;
    assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK);
    assert_int_equal(dgm_knn(ctx, line, 3, 1, NULL, &lists), DGM_OK);
    dgm_points points = dgm_points_of_matrix(lens);
    REFUSES(dgm_graph_builder_create(ctx, &(dgm_graph_options){0}, &builder), dgm_graph_options);
    REFUSES(dgm_graph_read_memory(ctx, "0 1\n", 4, "x.tsv", DGM_FORMAT_AUTO,
                                  &(dgm_graph_options){0}, &other),
            dgm_graph_options);
    REFUSES(
        dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, &(dgm_graph_options){0}, NULL, 1, &other),
        dgm_graph_options);
    REFUSES(dgm_graph_generate(ctx, &(dgm_generate_options){0}, NULL, &other),
            dgm_generate_options);
    REFUSES(dgm_knn(ctx, line, 3, 1, &(dgm_knn_options){0}, &none), dgm_knn_options);
    REFUSES(dgm_knn_query(ctx, line, 3, line, 3, 1, &(dgm_knn_options){0}, &none), dgm_knn_options);
    REFUSES(dgm_knn_graph(ctx, lists, &(dgm_knn_graph_options){0}, &other), dgm_knn_graph_options);
    REFUSES(dgm_lens_pagerank(ctx, graph, &(dgm_pagerank_options){0}, &out), dgm_pagerank_options);
    REFUSES(dgm_lens_betweenness(ctx, graph, &(dgm_betweenness_options){0}, &out),
            dgm_betweenness_options);
    REFUSES(dgm_lens_random(ctx, graph, &(dgm_random_options){0}, &out), dgm_random_options);
    REFUSES(dgm_lens_density(ctx, graph, &(dgm_density_options){0}, &out), dgm_density_options);
    REFUSES(dgm_lens_agd(ctx, graph, &(dgm_distance_options){0}, &out), dgm_distance_options);
    REFUSES(dgm_lens_eccentricity(ctx, graph, &(dgm_distance_options){0}, &out),
            dgm_distance_options);
    REFUSES(dgm_lens_eigen(ctx, graph, &(dgm_eigen_options){0}, &out), dgm_eigen_options);
    REFUSES(dgm_mapper_check(ctx, &(dgm_mapper_options){0}), dgm_mapper_options);
    REFUSES(dgm_mapper_run(ctx, graph, lens, &(dgm_mapper_options){0}, &summary),
            dgm_mapper_options);
    REFUSES(dgm_figure_check(ctx, &(dgm_figure_options){0}), dgm_figure_options);
    REFUSES(dgm_figure_create(ctx, &(dgm_figure_options){0}, &figure), dgm_figure_options);
    REFUSES(dgm_gcn_train(ctx, graph, &(dgm_gcn_options){0}, NULL, &model, NULL), dgm_gcn_options);
    REFUSES(dgm_dgi_train(ctx, graph, &(dgm_dgi_options){0}, NULL, &model, NULL), dgm_dgi_options);
    REFUSES(dgm_dgi_train(ctx, graph, NULL, &(dgm_checkpoint_options){0}, &model, NULL),
            dgm_checkpoint_options);
    REFUSES(dgm_reduce_pca(ctx, &points, 1, &(dgm_pca_options){0}, NULL, &out), dgm_pca_options);
    REFUSES(dgm_reduce_prob(ctx, &points, &(dgm_prob_options){0}, NULL, &out), dgm_prob_options);
    REFUSES(dgm_reduce_tsne(ctx, &points, 2, &(dgm_tsne_options){0}, NULL, &out), dgm_tsne_options);
    REFUSES(dgm_tsne_place(ctx, &points, lens, &points, &(dgm_tsne_options){0}, NULL, &out),
            dgm_tsne_options);
    REFUSES(dgm_reduce_umap(ctx, &points, 2, &(dgm_umap_options){0}, NULL, &out), dgm_umap_options);
    REFUSES(dgm_reduce_isomap(ctx, &points, 2, &(dgm_isomap_options){0}, NULL, &out),
            dgm_isomap_options);
    REFUSES(dgm_job_run(ctx, &(dgm_job){0}, NULL, NULL), dgm_job);
    REFUSES(dgm_sweep_run(ctx, &(dgm_job){0}, &(dgm_sweep_grid){0}, &sweep), dgm_job);
    dgm_neighbours_free(lists);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_initialiser_fills_in_the_size),
        cmocka_unit_test(every_default_that_a_table_shows_is_that_of_its_struct),
        cmocka_unit_test(calls_refuse_options_that_nobody_initialised),
    };
    return RUN_WITH_CONTEXT(tests);
}
