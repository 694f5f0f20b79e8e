/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every option struct of the library. */
#include "unit_fixture.h"

#include <stddef.h>
#include <stdlib.h>

#include "dgm/dgm.h"
#include "pipeline_job.h"

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
            /* Networks by name are `auto`, and structs in C what they were (test_nn_auto.c). */
            if (strcmp(option->name, "preset") == 0)
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
    dgm_lens_result *result;
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
    REFUSES(dgm_lens_run(ctx, graph, (const char *const[]){"degree"}, 1, &(dgm_lens_options){0},
                         &result),
            dgm_lens_options);
    REFUSES(dgm_lens_eigen(ctx, graph, &(dgm_eigen_options){0}, &out), dgm_eigen_options);
    REFUSES(dgm_mapper_check(ctx, &(dgm_mapper_options){0}), dgm_mapper_options);
    REFUSES(dgm_mapper_run(ctx, graph, lens, &(dgm_mapper_options){0}, &summary),
            dgm_mapper_options);
    REFUSES(dgm_figure_check(ctx, &(dgm_figure_options){0}), dgm_figure_options);
    REFUSES(dgm_figure_create(ctx, &(dgm_figure_options){0}, &figure), dgm_figure_options);
    REFUSES(dgm_gcn_train(ctx, graph, &(dgm_gcn_options){0}, NULL, &model, NULL, NULL),
            dgm_gcn_options);
    REFUSES(dgm_dgi_train(ctx, graph, &(dgm_dgi_options){0}, NULL, &model, NULL, NULL),
            dgm_dgi_options);
    REFUSES(dgm_dgi_train(ctx, graph, NULL, &(dgm_checkpoint_options){0}, &model, NULL, NULL),
            dgm_checkpoint_options);
    REFUSES(dgm_reduce_pca(ctx, &points, 1, &(dgm_pca_options){0}, NULL, &out), dgm_pca_options);
    REFUSES(dgm_reduce_prob(ctx, &points, &(dgm_prob_options){0}, NULL, &out), dgm_prob_options);
    REFUSES(dgm_reduce_tsne(ctx, &points, 2, &(dgm_tsne_options){0}, NULL, &out), dgm_tsne_options);
    REFUSES(dgm_tsne_place(ctx, &points, lens, &points, &(dgm_tsne_options){0}, NULL, &out),
            dgm_tsne_options);
    REFUSES(dgm_reduce_umap(ctx, &points, 2, &(dgm_umap_options){0}, NULL, &out), dgm_umap_options);
    REFUSES(dgm_reduce_isomap(ctx, &points, 2, &(dgm_isomap_options){0}, NULL, &out),
            dgm_isomap_options);
    REFUSES(dgm_job_run(ctx, &(dgm_job){0}, NULL, 0, NULL), dgm_job);
    dgm_job job;
    dgm_job_init(&job);
    job.graph = "karate";
    REFUSES(dgm_job_run(ctx, &job, &(dgm_job_input){0}, 0, NULL), dgm_job_input);
    REFUSES(dgm_sweep_run(ctx, &(dgm_job){0}, &(dgm_sweep_grid){0}, &sweep), dgm_job);
    dgm_neighbours_free(lists);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* ---- callers of an older version ---- */

/* Parts of a job as a caller has them who was compiled when these structs ended earlier. */
typedef struct {
    size_t size;
    int cover;
    const dgm_interval *given;
    int64_t given_count;
    int64_t intervals[DGM_MAX_AXES];
    double overlap[DGM_MAX_AXES];
    int rule, cluster, edges, strength;
    double eps;
} old_mapper_options;

typedef struct {
    size_t size;
    int layout;
    int64_t seed, exact;
} old_layout_options;

typedef struct {
    size_t size;
    const char *colour, *colormap;
    double threshold;
    int mixture, style, theme;
} old_figure_options;

typedef union {
    dgm_job job;
    char bytes[sizeof(dgm_job)];
} old_job;

/* What lies behind an old struct is none of the caller's business, so it is filled with rubbish. */
static void put_old(old_job *old, size_t room, const void *options, size_t size) {
    memset(old->bytes + room, 0x5a, DGM_JOB_ROOM);
    memcpy(old->bytes + room, options, size);
}

static void make_old_job(old_job *old) {
    const old_mapper_options mapper = {sizeof mapper,
                                       DGM_COVER_UNIFORM,
                                       NULL,
                                       0,
                                       {4, DGM_SAME},
                                       {0.3, DGM_SAME},
                                       DGM_RULE_GAIN,
                                       DGM_CLUSTER_COMPONENTS,
                                       DGM_EDGES_NERVE,
                                       DGM_STRENGTH_LINKS,
                                       0};
    const old_layout_options layout = {sizeof layout, DGM_LAYOUT_GRID, 1, 3000};
    const old_figure_options figure = {sizeof figure, "labels", NULL, 0.5, 0, 0, DGM_THEME_DARK};
    dgm_job_init(&old->job);
    old->job.graph = "karate";
    put_old(old, offsetof(dgm_job, mapper), &mapper, sizeof mapper);
    put_old(old, offsetof(dgm_job, layout), &layout, sizeof layout);
    put_old(old, offsetof(dgm_job, figure), &figure, sizeof figure);
}

static char *json_of(const dgm_job *job) {
    dgm_job_result made;
    char *json;
    dgm_workspace *workspace;
    if (dgm_job_run(ctx, job, NULL, DGM_KEEP_GRAPH | DGM_KEEP_VIEW, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_places places = dgm_view_get_places(made.view);
    assert_int_equal(dgm_workspace_create(ctx, made.graph, &workspace), DGM_OK);
    assert_int_equal(dgm_workspace_set_summary(ctx, workspace, made.summary, made.profile, &places),
                     DGM_OK);
    assert_int_equal(dgm_workspace_text(ctx, workspace, DGM_EXPORT_JSON, 0, &json, NULL), DGM_OK);
    dgm_workspace_free(workspace);
    dgm_job_result_free(&made);
    return json;
}

static void a_job_of_an_older_caller_runs_as_todays(void **state) {
    (void)state;
    old_job old;
    dgm_job today;
    make_old_job(&old);
    dgm_job_init(&today);
    today.graph = "karate";
    today.mapper.intervals[0] = 4;
    today.mapper.overlap[0] = 0.3;
    today.layout.layout = DGM_LAYOUT_GRID;
    char *expected = json_of(&today), *made = json_of(&old.job);
    assert_string_equal(made, expected);
    dgm_export_text_free(ctx, made);
    dgm_export_text_free(ctx, expected);
    assert_int_equal(old.job.mapper.size, sizeof(old_mapper_options)); /* a job is only read */
}

/* The caller knows no predictions: what lies there in its memory, and in the plan's, is rubbish. */
static void a_job_that_ended_earlier_has_the_defaults_of_what_came_later(void **state) {
    (void)state;
    old_job old;
    dgmi_pipeline_plan plan;
    memset(&plan, 0x5a, sizeof plan);
    dgm_job_init(&old.job);
    old.job.size = offsetof(dgm_job, predictions);
    memset(old.bytes + old.job.size, 0x5a, sizeof old - old.job.size);
    old.job.graph = "karate";
    old.job.seed = 7;
    assert_int_equal(dgmi_pipeline_plan_take(ctx, &old.job, NULL, &plan), DGM_OK);
    assert_null(plan.job.predictions);
    assert_int_equal(plan.job.seed, 7);
    assert_string_equal(plan.job.graph, "karate");
}

static void options_that_are_newer_than_the_caller_are_set_by_name(void **state) {
    (void)state;
    old_job old;
    make_old_job(&old);
    assert_int_equal(dgm_job_set(ctx, &old.job, "names", "numbers"), DGM_OK);
    assert_string_equal(old.job.figure.names, "numbers");
    assert_string_equal(old.job.figure.colour, "labels");
    assert_int_equal(old.job.figure.theme, DGM_THEME_DARK);
    assert_int_equal(old.job.figure.dpi, 300);
    assert_int_equal(old.job.mapper.min_size, 1);
    assert_int_equal(old.job.mapper.intervals[0], 4);
    assert_int_equal(dgm_job_check(ctx, &old.job), DGM_OK);
}

static void structs_inside_a_job_are_refused_unless_they_were_initialised(void **state) {
    (void)state;
    dgm_job job;
    dgm_job_init(&job);
    job.graph = "karate";
    job.figure.size = 0;
    REFUSES(dgm_job_check(ctx, &job), dgm_figure_options);
    REFUSES(dgm_job_set(ctx, &job, "intervals", "3"), dgm_figure_options);
    job.figure.size = sizeof(dgm_figure_options) + 8;
    assert_int_equal(dgm_job_check(ctx, &job), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "or is of a newer version");
    memset(&job, 0, sizeof job);
    assert_int_equal(dgm_job_set(ctx, &job, "seed", "3"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "the job has 0 bytes, and its option 'seed' lies behind");
}

/* ---- a job by name ---- */

static void every_option_of_a_job_has_its_own_name_and_help(void **state) {
    (void)state;
    const char *names[128];
    size_t count = 0;
    dgm_job_stage stage;
    for (size_t i = 0; (stage = dgm_job_stage_at(i)).table; i++)
        for (size_t k = 0; k < stage.table->count; k++) {
            const dgm_option *option = &stage.table->options[k];
            for (size_t other = 0; other < count; other++)
                assert_string_not_equal(option->name, names[other]);
            assert_true(strlen(option->help) > 0);
            names[count++] = option->name;
        }
    assert_true(count > 30);
    assert_null(dgm_job_stage_at(1000).table);
}

static void a_job_is_filled_by_name(void **state) {
    (void)state;
    dgm_job job;
    dgm_job_init(&job);
    static const char *const settings[][2] = {
        {"lens", "degree"},    {"lens", "core"},   {"transform", "log,rank"}, {"cover", "quantile"},
        {"intervals", "4,5"},  {"edges", "nerve"}, {"colour", "lens"},        {"layout", "grid"},
        {"directed", NULL},    {"format", "mtx"},  {"labels", "l.txt"},       {"output", "a.json"},
        {"output", "b.svg"},   {"seed", "7"},      {"reduce", "pca"},         {"dim", "2"},
        {"lens-file", "x.npy"}};
    for (int64_t i = 0; i < COUNT(settings); i++)
        assert_int_equal(dgm_job_set(ctx, &job, settings[i][0], settings[i][1]), DGM_OK);
    assert_int_equal(job.lens_count, 2);
    assert_string_equal(job.lenses[1], "core");
    assert_int_equal(job.transform_count, 2);
    assert_int_equal(job.transforms[1], DGM_TRANSFORM_RANK);
    assert_string_equal(job.cover, "quantile");
    assert_int_equal(job.mapper.intervals[1], 5);
    assert_int_equal(job.layout.layout, DGM_LAYOUT_GRID);
    assert_true(job.graph_options.directed);
    assert_int_equal(job.format, DGM_FORMAT_MTX);
    assert_int_equal(job.output_count, 2);
    assert_string_equal(job.outputs[1], "b.svg");
    assert_int_equal(job.seed, 7);
    assert_int_equal(job.dim, 2);
}

static void what_a_job_does_not_take_is_refused_by_name(void **state) {
    (void)state;
    dgm_job job;
    dgm_job_init(&job);
    ASSERT_FAILS(dgm_job_set(ctx, &job, "intervls", "3"), DGM_ERROR_USAGE,
                 "a job has no option 'intervls'; did you mean 'intervals'?");
    ASSERT_FAILS(dgm_job_set(ctx, &job, "zzzzzz", "3"), DGM_ERROR_USAGE,
                 "a job has no option 'zzzzzz'");
    ASSERT_FAILS(dgm_job_set(ctx, &job, "dim", "0"), DGM_ERROR_USAGE,
                 "dim takes a whole number from 1 to 64, not '0'");
    assert_string_equal(dgm_context_error_parts(ctx).option, "dim");
    ASSERT_FAILS(dgm_job_set(ctx, &job, "lens", NULL), DGM_ERROR_USAGE, "lens needs a value");
    for (int i = 0; i < DGM_MAX_LENSES; i++)
        assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
    ASSERT_FAILS(dgm_job_set(ctx, &job, "lens", "degree"), DGM_ERROR_USAGE,
                 "lens may be given at most 16 times");
}

static void a_job_is_checked_before_it_runs(void **state) {
    (void)state;
    dgm_job job;
    dgm_job_init(&job);
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE, "no graph was given");
    job.graph = "karate";
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    job.cover = "intervals:0..1,0.5..2";
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    assert_int_equal(job.mapper.given_count, 0); /* the caller's job stays as it is */
    job.cover = "unifrom";
    assert_int_equal(dgm_job_check(ctx, &job), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "cover does not know 'unifrom'");
    assert_string_equal(dgm_context_error_parts(ctx).option, "cover");
    job.cover = NULL;
    job.dim = 2;
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE, "dim needs a reduction: reduce=pca");
    job.dim = 0;
    assert_int_equal(dgm_job_set(ctx, &job, "output", "a.xyz"), DGM_OK);
    assert_int_equal(dgm_job_check(ctx, &job), DGM_ERROR_USAGE);
    job.output_count = DGM_MAX_OUTPUTS + 1;
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE, "at most 64 outputs are written");
}

static void a_cover_in_words_is_that_of_the_mapper(void **state) {
    (void)state;
    dgm_job by_name, by_hand;
    dgm_job_result named, handed;
    const dgm_interval given[] = {{-INFINITY, 4}, {3, 100}};
    dgm_job_init(&by_name);
    by_name.graph = "karate";
    assert_int_equal(dgm_job_set(ctx, &by_name, "lens", "degree"), DGM_OK);
    by_hand = by_name;
    assert_int_equal(dgm_job_set(ctx, &by_name, "cover", "intervals:-inf..4,3..100"), DGM_OK);
    by_hand.mapper.cover = DGM_COVER_INTERVALS;
    by_hand.mapper.given = given;
    by_hand.mapper.given_count = 2;
    assert_int_equal(dgm_job_run(ctx, &by_name, NULL, DGM_KEEP_SUMMARY, &named), DGM_OK);
    assert_int_equal(dgm_job_run(ctx, &by_hand, NULL, DGM_KEEP_SUMMARY, &handed), DGM_OK);
    const dgm_summary *a = named.summary, *b = handed.summary;
    assert_int_equal(dgm_summary_get_clusters(a).count, dgm_summary_get_clusters(b).count);
    assert_int_equal(dgm_summary_options(a)->given_count, 2);
    assert_true(dgm_summary_options(a)->given[1].low == 3);
    dgm_job_result_free(&named);
    dgm_job_result_free(&handed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_initialiser_fills_in_the_size),
        cmocka_unit_test(every_default_that_a_table_shows_is_that_of_its_struct),
        cmocka_unit_test(calls_refuse_options_that_nobody_initialised),
        cmocka_unit_test(a_job_of_an_older_caller_runs_as_todays),
        cmocka_unit_test(a_job_that_ended_earlier_has_the_defaults_of_what_came_later),
        cmocka_unit_test(options_that_are_newer_than_the_caller_are_set_by_name),
        cmocka_unit_test(structs_inside_a_job_are_refused_unless_they_were_initialised),
        cmocka_unit_test(every_option_of_a_job_has_its_own_name_and_help),
        cmocka_unit_test(a_job_is_filled_by_name),
        cmocka_unit_test(what_a_job_does_not_take_is_refused_by_name),
        cmocka_unit_test(a_job_is_checked_before_it_runs),
        cmocka_unit_test(a_cover_in_words_is_that_of_the_mapper),
    };
    return RUN_WITH_CONTEXT(tests);
}
