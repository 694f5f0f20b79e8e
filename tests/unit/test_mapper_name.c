/* SPDX-License-Identifier: Apache-2.0 */
/* What clusters are called, on graphs whose names can be told by hand. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "../check_random.h"
#include "mapper_name.h"
#include "mapper_profile.h"
#include "report_sample.h"
#include "unit_faults.h"

/* A graph and its clusters; what is zero is not there. Cluster c has the nodes u with
 * has[u * clusters + c]. */
typedef struct {
    int64_t nodes, clusters;
    const char *has;
    int64_t edges;
    const uint32_t *ends;
    const char *const *names;
    const int32_t *labels;
    int64_t classes;
    const char *const *class_names;
    const char *const *towns;
    const double *ages;
    int64_t words;    /* sparse features */
    const char *says; /* nodes * words: 'x' where a node has a word */
} land;

static dgm_graph *build_land(const land *from) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int64_t u = 0; from->names && u < from->nodes; u++) {
        uint32_t node;
        assert_int_equal(
            dgm_graph_builder_node(builder, from->names[u], strlen(from->names[u]), &node), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, from->nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, from->edges, from->ends, NULL), DGM_OK);
    if (from->labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, from->nodes, from->labels), DGM_OK);
    if (from->class_names)
        assert_int_equal(
            dgm_graph_builder_set_class_names(builder, from->classes, from->class_names), DGM_OK);
    if (from->towns)
        assert_int_equal(dgm_graph_builder_add_texts(builder, "town", from->nodes, from->towns),
                         DGM_OK);
    if (from->ages)
        assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", from->nodes, from->ages),
                         DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static sample settle(const land *from) {
    sample made = {.graph = build_land(from),
                   .lens = build_matrix(from->nodes, from->clusters, NULL)};
    for (int64_t i = 0; i < from->nodes * from->clusters; i++)
        dgm_matrix_values_mutable(made.lens)[i] = from->has[i] == 'x';
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    sample_map(ctx, &made, &options);
    return made;
}

/* The names of all clusters, "Theory|node 3". */
static void assert_names(const sample *made, const char *expected) {
    const dgmi_mapper_name_source from = {
        .summary = made->summary, .graph = made->graph, .profile = made->profile};
    dgmi_mapper_names names;
    char said[2000] = "";
    assert_int_equal(dgmi_mapper_names_make(ctx, &from, &names), DGM_OK);
    assert_int_equal(names.count, dgm_summary_get_clusters(made->summary).count);
    for (int64_t c = 0; c < names.count; c++)
        snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", c ? "|" : "",
                 dgmi_mapper_names_get(&names, c));
    assert_string_equal(said, expected);
    dgmi_mapper_names_free(&names);
}

/* `size` nodes in each cluster, in their order. */
static const char *side_by_side(int64_t clusters, int64_t size) {
    static char has[4096];
    assert_true(clusters * clusters * size < (int64_t)sizeof has);
    memset(has, '.', sizeof has);
    for (int64_t u = 0; u < clusters * size; u++)
        has[u * clusters + u / size] = 'x';
    has[clusters * clusters * size] = '\0';
    return has;
}

/* ---- classes ---- */

/* Of five members, all, four, three with one unlabelled (3 of 4), and two of two labelled: three of
 * four are below 80%, and two of five are not most. */
static void a_cluster_that_is_nearly_pure_has_the_name_of_its_class(void **state) {
    (void)state;
    static const int32_t kinds[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 2, -1, 0, 1, 1, -1, -1, -1};
    static const char *const words[] = {"Theory", "Agents", "3"};
    sample made = settle(&(land){.nodes = 20,
                                 .clusters = 4,
                                 .has = side_by_side(4, 5),
                                 .labels = kinds,
                                 .classes = 3,
                                 .class_names = words});
    assert_names(&made, "Theory|Agents|node 10|node 15");
    sample_free(&made);
}

/* Class 1 has the name 3, which alone would say nothing. Of four members a class is no news. */
static void a_class_that_is_a_number_says_so_and_few_members_have_none(void **state) {
    (void)state;
    static const int32_t kinds[] = {1, 1, 1, 1, 1, 0, 0, 0, 0};
    static const char *const words[] = {"Theory", "3"};
    static const char has[] = "x.x.x.x.x..x.x.x.x";
    sample made = settle(&(land){.nodes = 9,
                                 .clusters = 2,
                                 .has = has,
                                 .labels = kinds,
                                 .classes = 2,
                                 .class_names = words});
    assert_names(&made, "class 3|node 5");
    sample_free(&made);
}

/* ---- differences ---- */

static void a_cluster_without_a_class_has_what_sets_it_apart(void **state) {
    (void)state;
    enum { SIZE = 10 };
    const char *towns[3 * SIZE];
    double ages[3 * SIZE];
    for (int u = 0; u < 3 * SIZE; u++) {
        towns[u] = u < SIZE ? "Rome" : u % 2 ? "Oslo" : "Bonn"; /* the others live anywhere */
        ages[u] = u < SIZE ? 20 + u % 3 : u < 2 * SIZE ? 60 + u : u - 30;
    }
    sample made = settle(&(land){.nodes = 3 * SIZE,
                                 .clusters = 3,
                                 .has = side_by_side(3, SIZE),
                                 .towns = towns,
                                 .ages = ages});
    assert_names(&made, "town = Rome|high age|low age");
    sample_free(&made);
}

/* Five of ten from Rome here and five of twenty elsewhere: chance does as much. */
static void what_chance_does_too_is_no_name(void **state) {
    (void)state;
    enum { SIZE = 10 };
    const char *towns[3 * SIZE];
    for (int u = 0; u < 3 * SIZE; u++)
        towns[u] = u % SIZE < (u < SIZE ? 5 : 3) ? "Rome" : "Oslo";
    sample made = settle(
        &(land){.nodes = 3 * SIZE, .clusters = 3, .has = side_by_side(3, SIZE), .towns = towns});
    assert_names(&made, "node 0|node 10|node 20");
    sample_free(&made);
}

/* ---- members ---- */

/* Node 5 lies in both clusters and has four neighbours in each, so it counts as two; node 0 has three
 * neighbours in its own, and node 9 three in the other. */
static void a_member_is_most_its_own(void **state) {
    (void)state;
    static const char has[] = "x.x.x.x.x.xx.x.x.x.x.x";
    static const uint32_t ends[] = {5, 1,  5, 2, 5, 3, 5, 4, 5, 6, 5, 7, 5, 8,
                                    5, 10, 0, 1, 0, 2, 0, 3, 9, 6, 9, 7, 9, 8};
    sample made =
        settle(&(land){.nodes = 11, .clusters = 2, .has = has, .edges = 14, .ends = ends});
    assert_names(&made, "node 0|node 9");
    sample_free(&made);
}

/* Largest first: cid lies in one cluster alone, ann is the first of the two that are left, and then
 * there is bob. The last cluster has no member but ann. */
static void a_member_is_in_one_name_only(void **state) {
    (void)state;
    static const char *const people[] = {"ann", "bob", "cid"};
    static const uint32_t ends[] = {0, 1, 1, 2};
    sample made = settle(&(land){.nodes = 3,
                                 .clusters = 4,
                                 .has = "x.xx"
                                        "xxx."
                                        "x...",
                                 .edges = 2,
                                 .ends = ends,
                                 .names = people});
    assert_names(&made, "cid|bob|ann|cluster 3");
    sample_free(&made);
}

/* ---- names that differ ---- */

static void equal_names_have_a_second_part(void **state) {
    (void)state;
    enum { SIZE = 10 };
    int32_t kinds[4 * SIZE];
    const char *towns[4 * SIZE];
    static const char *const words[] = {"Theory", "Agents"};
    for (int u = 0; u < 4 * SIZE; u++) {
        kinds[u] = u < 3 * SIZE ? 0 : 1;
        towns[u] = u < SIZE ? "Rome" : "Oslo"; /* most live there, which sets none apart */
    }
    land from = {.nodes = 4 * SIZE,
                 .clusters = 4,
                 .has = side_by_side(4, SIZE),
                 .labels = kinds,
                 .classes = 2,
                 .class_names = words,
                 .towns = towns};
    sample made = settle(&from);
    assert_names(&made, "Theory, town = Rome|Theory, node 10|Theory, node 20|Agents");
    sample_free(&made);
    for (int u = SIZE; u < 4 * SIZE; u++)
        towns[u] = u < 2 * SIZE ? "Rome" : "Oslo"; /* of two clusters from Rome a member is told */
    made = settle(&from);
    assert_names(&made, "Theory, node 0|Theory, node 10|Theory, town = Oslo|Agents");
    sample_free(&made);
}

/* A class that is called like a member, and a member like a number in a name. */
static void names_that_others_chose_differ_too(void **state) {
    (void)state;
    static const int32_t kinds[] = {0, 0, 0, 0, 0, -1, -1, -1, -1, -1};
    static const char *const words[] = {"node 5"};
    sample made = settle(&(land){.nodes = 10,
                                 .clusters = 2,
                                 .has = side_by_side(2, 5),
                                 .labels = kinds,
                                 .classes = 1,
                                 .class_names = words});
    assert_names(&made, "node 5, node 0|node 5 #1");
    sample_free(&made);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void assert_all_differ(const sample *made) {
    const dgmi_mapper_name_source from = {
        .summary = made->summary, .graph = made->graph, .profile = made->profile};
    dgmi_mapper_names names;
    assert_int_equal(dgmi_mapper_names_make(ctx, &from, &names), DGM_OK);
    const char *sorted[64];
    assert_true(names.count <= 64);
    for (int64_t c = 0; c < names.count; c++)
        sorted[c] = dgmi_mapper_names_get(&names, c);
    qsort(sorted, (size_t)names.count, sizeof *sorted, compare_texts);
    for (int64_t c = 0; c < names.count; c++)
        assert_true(*sorted[c] && (c == 0 || strcmp(sorted[c - 1], sorted[c]) != 0));
    dgmi_mapper_names_free(&names);
}

static void no_two_names_of_a_summary_are_equal(void **state) {
    (void)state;
    enum { NODES = 60, CLUSTERS = 12, EDGES = 150 };
    uint64_t seed = check_random_seed();
    for (int round = 0; round < 40; round++) {
        check_random random = check_random_case(seed, 1, round);
        char has[NODES * CLUSTERS + 1] = "";
        uint32_t ends[2 * EDGES];
        int32_t kinds[NODES];
        const char *towns[NODES];
        static const char *const words[] = {"node 3", "cluster 1", "town = a"};
        for (int i = 0; i < NODES * CLUSTERS; i++)
            has[i] = check_random_below(&random, 2 + round % 5) == 0 ? 'x' : '.';
        for (int c = 0; c < CLUSTERS; c++)
            has[c * CLUSTERS + c] = 'x';
        for (int i = 0; i < 2 * EDGES; i++)
            ends[i] = (uint32_t)check_random_below(&random, NODES);
        for (int u = 0; u < NODES; u++) {
            kinds[u] = check_random_below(&random, 20) ? 0 : check_random_below(&random, 3);
            towns[u] = check_random_below(&random, 2) ? "a" : "b";
        }
        sample made = settle(&(land){.nodes = NODES,
                                     .clusters = CLUSTERS,
                                     .has = has,
                                     .edges = EDGES,
                                     .ends = ends,
                                     .labels = kinds,
                                     .classes = 3,
                                     .class_names = words,
                                     .towns = towns});
        assert_all_differ(&made);
        forget_graph(&made);
        assert_all_differ(&made);
        dgm_profile_free(made.profile);
        made.profile = NULL;
        assert_all_differ(&made);
        sample_free(&made);
    }
}

/* ---- what is not known ---- */

/* A file knows the members with the most neighbours, and no more of them. */
static void without_a_graph_a_member_is_one_that_the_file_names(void **state) {
    (void)state;
    static const char *const people[] = {"ann", "bob", "cid", "dan", "eve", "7"};
    static const uint32_t ends[] = {0, 1, 0, 2, 1, 2, 3, 5, 4, 5};
    sample made = settle(&(land){.nodes = 6,
                                 .clusters = 2,
                                 .has = side_by_side(2, 3),
                                 .edges = 5,
                                 .ends = ends,
                                 .names = people});
    assert_names(&made, "ann|node 7");
    forget_graph(&made);
    assert_names(&made, "ann|dan"); /* the hubs of three members are these, in their order */
    dgm_profile_free(made.profile);
    made.profile = NULL;
    assert_names(&made, "cluster 0|cluster 1");
    sample_free(&made);
}

static void names_of_a_file_stay(void **state) {
    (void)state;
    sample made = settle(&(land){.nodes = 6, .clusters = 2, .has = side_by_side(2, 3)});
    dgm_profile *profile = made.profile;
    assert_int_equal(dgmi_mapper_tops_open(ctx, 2, &profile->names), DGM_OK);
    for (int64_t c = 0; c < 2; c++) {
        assert_int_equal(
            dgmi_mapper_tops_add(ctx, &profile->names, c, c ? "" : "Old name", c ? 0 : 8), DGM_OK);
        dgmi_mapper_tops_end(&profile->names, 2, c);
    }
    assert_names(&made, "Old name|");
    sample_free(&made);
}

static void a_summary_without_clusters_has_no_names(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_component = 3;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 2}, &options);
    assert_names(&made, "");
    sample_free(&made);
    dgmi_mapper_names none = {0};
    dgmi_mapper_names_free(&none);
}

/* ---- memory ---- */

static dgm_status make_names(dgm_context *own, void *argument) {
    const sample *made = argument;
    const dgmi_mapper_name_source from = {
        .summary = made->summary, .graph = made->graph, .profile = made->profile};
    dgmi_mapper_names names;
    dgm_status status = dgmi_mapper_names_make(own, &from, &names);
    assert_true(status == DGM_OK || !names.starts);
    dgmi_mapper_names_free(&names);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    fail_each_allocation(make_names, &made);
    forget_graph(&made);
    fail_each_allocation(make_names, &made);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_that_is_nearly_pure_has_the_name_of_its_class),
        cmocka_unit_test(a_class_that_is_a_number_says_so_and_few_members_have_none),
        cmocka_unit_test(a_cluster_without_a_class_has_what_sets_it_apart),
        cmocka_unit_test(what_chance_does_too_is_no_name),
        cmocka_unit_test(a_member_is_most_its_own),
        cmocka_unit_test(a_member_is_in_one_name_only),
        cmocka_unit_test(equal_names_have_a_second_part),
        cmocka_unit_test(names_that_others_chose_differ_too),
        cmocka_unit_test(no_two_names_of_a_summary_are_equal),
        cmocka_unit_test(without_a_graph_a_member_is_one_that_the_file_names),
        cmocka_unit_test(names_of_a_file_stay),
        cmocka_unit_test(a_summary_without_clusters_has_no_names),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
