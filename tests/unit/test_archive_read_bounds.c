/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of what a summary's file may say: the least and the most that is taken, what lies just
 * beyond, and what stands for a value that is not there. */
#include "archive_sample.h"

/* Saves a file that is written with ' for ". */
static void save_quoted(const char *text) {
    char *copy = strdup(text);
    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    save(copy);
    free(copy);
}

#define START "{'format': 'dgm-summary', 'version': 1, 'graph': {'nodes': 9}, "
#define EMPTY "'nodes': [], 'edges': []}"

/* The file is wrong, and these are the whole words. */
static void check_refused(const char *text, const char *words) {
    char expected[600];
    read_back back;
    save_quoted(text);
    snprintf(expected, sizeof expected, "%s: %s", path, words);
    for (char *c = expected; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    if (try_to_read(ctx, NULL, &back) != DGM_ERROR_FORMAT)
        fail_msg("this may be read: %s", text);
    assert_string_equal(dgm_context_error(ctx), expected);
}

static read_back read_quoted(const char *text) {
    save_quoted(text);
    return read_file(NULL);
}

/* ---- sections ---- */

static void the_first_and_the_last_value_of_a_range_are_taken(void **state) {
    (void)state;
    read_back back = read_quoted(
        START "'cover': {'size': 0, 'k': 0, 'radius': 0, 'critical': 0, 'most': 1, 'beta': 100, "
              "'subsamples': 1, 'intervals': [1], 'overlap': [0, 1]}, "
              "'mapper': {'eps': 1, 'min_size': 0, 'min_component': 0, 'gap': 1, 'reach': 0, "
              "'min_points': 1}, "
              "'coverage': {'covered': 9, 'judged': 9, 'judged_left_out': 9, 'mistakes': 9, "
              "'mistakes_left_out': 9}, " EMPTY);
    const dgm_mapper_options *options = dgm_summary_options(back.summary);
    assert_true(options->cell_size == 0 && options->landmarks == 0 && options->radius == 0);
    assert_true(options->critical == 0 && options->most == 1 && options->beta == 100);
    assert_true(options->subsamples == 1 && options->intervals[0] == 1);
    assert_true(options->overlap[0] == 0 && options->overlap[1] == 1);
    assert_true(options->eps == 1 && options->min_size == 0 && options->min_component == 0);
    assert_true(options->gap_bins == 1 && options->reach == 0 && options->min_points == 1);
    assert_int_equal(back.profile->ledger.covered[DGM_SPLIT_NONE].mistakes, 9);
    assert_int_equal(back.profile->ledger.left_out[DGM_SPLIT_NONE].mistakes, 9);
    free_back(ctx, &back);
    back = read_quoted(START "'cover': {'size': 1, 'k': 1, 'radius': 0.5, 'critical': 0.5, "
                             "'beta': 0}, 'mapper': {'eps': 0, 'reach': 0.5, 'min_size': 1, "
                             "'min_component': 1}, 'layout': {'operations': 0.5}, " EMPTY);
    options = dgm_summary_options(back.summary);
    assert_true(options->cell_size == 1 && options->landmarks == 1 && options->radius == 0.5);
    assert_true(options->critical == 0.5 && options->beta == 0 && options->reach == 0.5);
    assert_true(back.places->operations == 0.5 && back.places->budget == 0);
    free_back(ctx, &back);
    back = read_quoted(START "'layout': {'budget': 0.5, 'dust': 7}, " EMPTY);
    assert_true(back.places->operations == 0 && back.places->budget == 0.5);
    assert_int_equal(back.places->dust, 0); /* no places, so nothing was folded */
    free_back(ctx, &back);
}

static void what_lies_just_beyond_a_range_is_refused(void **state) {
    (void)state;
    check_refused(START "'mapper': {'eps': 1.5}, " EMPTY,
                  "has 'eps' that is no number from 0 to 1");
    check_refused(START "'cover': {'beta': 100.5}, " EMPTY,
                  "has 'beta' that is no number from 0 to 100");
    check_refused(START "'coverage': {'judged': 0, 'judged_left_out': 10}, " EMPTY,
                  "has 'judged_left_out' that is no whole number from 0 to 9");
    check_refused(START
                  "'coverage': {'judged': 0, 'judged_left_out': 3, 'mistakes_left_out': 4}, " EMPTY,
                  "has 'mistakes_left_out' that is no whole number from 0 to 3");
    check_refused("{'format': 'dgm-summary', 'version': 0, " EMPTY,
                  "has 'version' that is no whole number from 1 to 9223372036854775807");
    check_refused("{'format': 'dgm-summary', 'version': 2, " EMPTY,
                  "version 2 of summaries is newer than this program; update it");
    check_refused(START "'cover': {'intervals': [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
                        "1]}, " EMPTY,
                  "the cover has more than 16 axes");
}

/* Two clusters of two nodes each, and what the file says of them beside that. */
#define PAIR(first, second)                                                                        \
    START "'nodes': [{'id': 0, 'size': 2, " first "}, {'id': 1, 'size': 2, " second "}], "

/* Reading ends at the first value that is wrong, whatever good ones stand behind it. */
static void a_wrong_value_is_found_in_front_of_good_ones(void **state) {
    (void)state;
    check_refused(PAIR("'cell': []", "'cell': []") "'edges': [{'source': 2, 'target': 1}]}",
                  "edges[0] has 'source' that is no whole number from 0 to 1");
    check_refused(START "'cover': {'kind': 'intervals', 'cells': [['a', 1], [0, 1]]}, " EMPTY,
                  "cover.cells[0] is no pair of numbers");
    check_refused(PAIR("'labels': {'a': 3}", "'labels': {'a': 2}") "'edges': []}",
                  "nodes[0] counts in 'labels' what is no part of its members");
    check_refused(PAIR("'labels': {'a': 2}, 'predictions': {'a': 2}, 'mistakes': 3",
                       "'labels': {'a': 2}, 'predictions': {'a': 2}, 'mistakes': 0") "'edges': []}",
                  "nodes[0] has 'mistakes' that is no whole number from 0 to 2");
    check_refused(PAIR("'labels': {'a': 2}, 'predictions': {'b': 2}, 'mistakes': 2, "
                       "'confused': [{}, {'label': 'a', 'prediction': 'b'}]",
                       "'labels': {'a': 2}, 'predictions': {'a': 2}, 'mistakes': 0") "'edges': []}",
                  "nodes[0] has 'confused' that is no list of {'label': CLASS, 'prediction': "
                  "CLASS, 'nodes': COUNT}");
    check_refused(PAIR("'entropy': 1.5", "'entropy': 1") "'edges': []}",
                  "nodes[0] has 'entropy' that is no number from 0 to 1");
    check_refused(PAIR("'attributes': {'age': 'old'}", "'attributes': {'age': 7}") "'edges': []}",
                  "nodes[0] has 'age' that is no number from -inf to inf");
}

/* Anything else that stands there means that none was attached. */
static void only_the_word_true_says_that_clusters_were_attached(void **state) {
    (void)state;
    static const char *const said[] = {"true", "false", "null", "1"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char text[200];
        snprintf(text, sizeof text, START "'mapper': {'attach': %s}, " EMPTY, said[i]);
        read_back back = read_quoted(text);
        assert_int_equal(dgm_summary_options(back.summary)->attach, i == 0);
        free_back(ctx, &back);
    }
}

/* Sixteen axes are as many as there may be. */
static void a_cover_may_have_as_many_axes_as_there_are(void **state) {
    (void)state;
    read_back back =
        read_quoted(START "'cover': {'intervals': [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5],"
                          "'overlap': [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5]}, " EMPTY);
    const dgm_mapper_options *options = dgm_summary_options(back.summary);
    assert_int_equal(options->intervals[DGM_MAX_AXES - 1], 5);
    assert_true(options->overlap[DGM_MAX_AXES - 1] == 0.5);
    free_back(ctx, &back);
}

/* A file that says nothing at all of how it was made. */
static void what_is_not_said_is_the_usual_value_or_unknown(void **state) {
    (void)state;
    read_back back = read_quoted("{'format': 'dgm-summary', " EMPTY);
    const dgm_mapper_options *options = dgm_summary_options(back.summary);
    assert_true(options->eps == 0 && options->min_size == 1 && options->min_component == 0);
    assert_true(options->gap_bins == 10 && options->reach == 0 && options->min_points == 5);
    assert_true(options->cell_size == 0 && options->landmarks == 0 && options->radius == 0);
    assert_true(options->critical == 10 && options->most == 20 && options->subsamples == 100);
    assert_true(options->beta == 0.001 && !options->attach && options->seed == 1);
    assert_true(options->intervals[0] == 0 && options->overlap[0] == DGM_SAME);
    const dgm_summary_coverage nothing = {.nodes = 0};
    dgm_summary_coverage coverage = dgm_summary_get_coverage(back.summary);
    assert_memory_equal(&coverage, &nothing, sizeof nothing);
    dgm_summary_topology topology = dgm_summary_get_topology(back.summary);
    assert_true(topology.b0 == -1 && topology.b1 == -1 && topology.skeleton_loops == -1);
    assert_true(topology.cycle_rank == -1 && topology.triangles == -1);
    assert_int_equal(dgm_summary_get_graph(back.summary).nodes, 0);
    assert_int_equal(dgm_summary_get_graph(back.summary).edges, 0);
    assert_int_equal(dgm_summary_get_provenance(back.summary).seed, 1);
    assert_false(back.profile->ledger.known);
    assert_null(back.places);
    free_back(ctx, &back);
    back = read_quoted(START "'topology': {'b0': 0, 'triangles': null}, 'coverage': {'judged': 2},"
                             "'cover': {'kind': 'cmo', 'overlap': [0.35, 0.1]}, " EMPTY);
    topology = dgm_summary_get_topology(back.summary);
    assert_true(topology.b0 == 0 && topology.b1 == -1 && topology.triangles == -1);
    assert_int_equal(dgm_summary_get_coverage(back.summary).covered, 9); /* all of them */
    assert_true(dgm_summary_options(back.summary)->gain == 0.35);
    const dgm_summary_mistakes *ledger = &back.profile->ledger;
    assert_true(ledger->known && !ledger->split);
    for (int s = 0; s < DGM_SPLITS; s++) {
        assert_int_equal(ledger->covered[s].judged, s == DGM_SPLIT_NONE ? 2 : 0);
        assert_true(ledger->covered[s].mistakes == 0 && ledger->left_out[s].judged == 0);
        assert_int_equal(ledger->left_out[s].mistakes, 0);
    }
    free_back(ctx, &back);
}

/* Parts that nobody names are empty. */
static void the_parts_of_a_split_that_are_named_add_up(void **state) {
    (void)state;
    read_back back = read_quoted(START "'coverage': {'judged': 3, 'mistakes': 1, "
                                       "'judged_left_out': 2, 'mistakes_left_out': 2, 'by_split': "
                                       "{'test': {'judged': 3, 'mistakes': 1}, 'train': "
                                       "{'judged_left_out': 2, 'mistakes_left_out': 2}}}, " EMPTY);
    const dgm_summary_mistakes *ledger = &back.profile->ledger;
    assert_true(ledger->known && ledger->split);
    assert_int_equal(ledger->covered[DGM_SPLIT_TEST].judged, 3);
    assert_int_equal(ledger->left_out[DGM_SPLIT_TRAIN].mistakes, 2);
    assert_int_equal(dgm_judged_sum(ledger->covered).mistakes, 1);
    free_back(ctx, &back);
    check_refused(START "'coverage': {'judged': 3, 'mistakes_left_out': 1, 'judged_left_out': 2, "
                        "'by_split': {'test': {'judged': 3, 'judged_left_out': 2}}}, " EMPTY,
                  "the parts of 'coverage'.'by_split' do not add up to the whole");
}

/* ---- clusters and edges ---- */

#define TWO "'nodes': [{'id': 0, 'size': 1}, {'id': 1, 'size': 1}], "

static void an_error_says_where_it_is_and_no_more(void **state) {
    (void)state;
    check_refused(START "'nodes': [{'id': 0, 'size': 0}], 'edges': []}",
                  "nodes[0] has 'size' that is no whole number from 1 to 2147483647");
    check_refused(START TWO "'edges': [{'source': 0, 'target': 1, 'weight': 1.5}]}",
                  "edges[0] has 'weight' that is no number from 0 to 1");
    check_refused(START "'nodes': [{'id': 0, 'size': 1}, {'id': 1, 'size': 1}, {'id': 2, 'size': "
                        "1}], 'edges': [{'source': 2, 'target': 0}, {'source': 0, 'target': 1}, "
                        "{'source': 0, 'target': 2}]}",
                  "edges[2] joins the same clusters as edges[0]");
    check_refused(START "'nodes': [{'id': 0, 'size': 1, 'radius': 1}, {'id': 1, 'size': 1, 'x': 0, "
                        "'y': 0, 'radius': 1}], 'edges': []}",
                  "nodes[0] has no 'x': all clusters have places or none has");
    check_refused(START "'nodes': [{'id': 0, 'size': 1, 'entropy': 1.5}], 'edges': []}",
                  "nodes[0] has 'entropy' that is no number from 0 to 1");
}

/* A key of any length does not make a message of any length. */
static void a_message_is_cut_where_its_room_ends(void **state) {
    (void)state;
    enum { LONG = 1000, ROOM = 400 };
    char text[LONG + 200], name[LONG + 1] = "";
    read_back back;
    memset(name, 'k', LONG);
    snprintf(text, sizeof text,
             START "'nodes': [{'id': 0, 'size': 1, 'attributes': {'%s': 'b'}}], 'edges': []}",
             name);
    save_quoted(text);
    assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
    const char *words = strstr(dgm_context_error(ctx), "has \"k");
    assert_non_null(words);
    assert_int_equal(strlen(words), ROOM - 1);
}

static void edges_and_cells_may_have_the_largest_and_the_least_numbers(void **state) {
    (void)state;
    read_back back =
        read_quoted(START "'nodes': [{'id': 0, 'size': 1, 'cell': [2147483647], 'entropy': 0}, "
                          "{'id': 1, 'size': 2147483647, 'cell': [0], 'entropy': 1}], 'edges': "
                          "[{'source': 0, 'target': 1, 'weight': 0, 'shared': 0, 'links': 0}]}");
    int64_t edges;
    const dgm_summary_edge *edge = dgm_summary_edges(back.summary, &edges);
    assert_true(edges == 1 && edge->weight == 0 && edge->shared == 0 && edge->links == 0);
    assert_int_equal(edge->inner, -1);
    assert_int_equal(dgm_summary_get_clusters(back.summary).cells[0], INT32_MAX);
    assert_int_equal(dgm_summary_get_clusters(back.summary).offsets[2], 1 + (int64_t)INT32_MAX);
    assert_true(back.profile->entropy[0] == 0 && back.profile->entropy[1] == 1);
    free_back(ctx, &back);
    back = read_quoted(START TWO "'edges': [{'source': 0, 'target': 1}]}");
    edge = dgm_summary_edges(back.summary, &edges);
    assert_true(edge->weight == 1 && edge->shared == -1 && edge->links == -1);
    free_back(ctx, &back);
}

/* ---- places ---- */

static void places_lie_within_a_far_frame(void **state) {
    (void)state;
    read_back back = read_quoted(
        START "'nodes': [{'id': 0, 'size': 1, 'x': -1000000000, 'y': 1e9, 'radius': 0}, {'id': 1, "
              "'size': 1, 'x': 1e9, 'y': -1e9, 'radius': 1e9}], 'edges': []}");
    assert_true(back.places->x[0] == -1e9 && back.places->y[0] == 1e9);
    assert_true(back.places->y[1] == -1e9 && back.places->radius[1] == 1e9);
    assert_true(back.places->layout == -1 && back.places->seed == 0 && back.places->dust == 0);
    free_back(ctx, &back);
    check_refused(START
                  "'nodes': [{'id': 0, 'size': 1, 'x': 0, 'y': 0, 'radius': -1}], 'edges': []}",
                  "nodes[0] has 'radius' that is no number from 0 to 1e+09");
    check_refused(START
                  "'nodes': [{'id': 0, 'size': 1, 'x': 0, 'y': -1.5e9, 'radius': 1}], 'edges': []}",
                  "nodes[0] has 'y' that is no number from -1e+09 to 1e+09");
}

static void every_layout_is_known_by_its_name(void **state) {
    (void)state;
    static const char *const names[] = {"stress", "lens", "circular", "grid", "other"};
    for (int i = 0; i < 5; i++)
        for (int clusters = 0; clusters < 2; clusters++) {
            char text[300];
            snprintf(text, sizeof text,
                     START "'layout': {'kind': '%s', 'seed': 5, 'dust': 3}, 'nodes': [%s], "
                           "'edges': []}",
                     names[i], clusters ? "{'id': 0, 'size': 1, 'x': 2, 'y': 3, 'radius': 4}" : "");
            read_back back = read_quoted(text);
            bool placed = clusters || i < 4; /* a layout of no clusters is one all the same */
            assert_int_equal(back.places->layout, i < 4 ? i : -1);
            assert_int_equal(back.places->x != NULL, placed);
            assert_int_equal(back.places->dust, placed ? 3 : 0);
            assert_int_equal(back.places->seed, 5);
            free_back(ctx, &back);
        }
}

/* ---- classes ---- */

/* A file may list what it counts in any order. */
static void counts_stand_in_the_order_of_classes(void **state) {
    (void)state;
    static const int64_t counts[] = {1, 2, 3, 4, 5, 6, 7};
    read_back back = read_quoted(
        START "'classes': ['g', 'a', 'f', 'b', 'e', 'c', 'd'], 'nodes': [{'id': 0, 'size': 28, "
              "'labels': {'d': 7, 'c': 6, 'e': 5, 'b': 4, 'f': 3, 'a': 2, 'g': 1}}, {'id': 1, "
              "'size': 28, 'labels': {'b': 4, 'd': 7, 'a': 2, 'c': 6, 'g': 1, 'f': 3, 'e': 5}}, "
              "{'id': 2, 'size': 3, 'labels': {'a': 2, 'g': 1}}], 'edges': []}");
    const dgmi_mapper_counts *labels = &back.profile->labels;
    assert_string_equal(back.profile->class_names[0], "g");
    assert_string_equal(back.profile->class_names[6], "d");
    for (int64_t c = 0; c < 3; c++) {
        int64_t first = labels->offsets[c];
        assert_int_equal(labels->offsets[c + 1] - first, c < 2 ? 7 : 2);
        for (int64_t i = 0; i < labels->offsets[c + 1] - first; i++) {
            assert_int_equal(labels->values[first + i], i);
            assert_int_equal(labels->counts[first + i], counts[i]);
        }
    }
    free_back(ctx, &back);
}

static void two_classes_are_enough_to_have_an_order(void **state) {
    (void)state;
    read_back back = read_quoted(
        START "'nodes': [{'id': 0, 'size': 3, 'labels': {'10': 1, '9': 2}}], 'edges': []}");
    assert_string_equal(back.profile->class_names[0], "9");
    assert_string_equal(back.profile->class_names[1], "10");
    assert_true(back.profile->labels.counts[0] == 2 && back.profile->labels.counts[1] == 1);
    free_back(ctx, &back);
    back = read_quoted(START "'classes': ['b', 'a'], 'nodes': [{'id': 0, 'size': 3, 'labels': "
                             "{'a': 1, 'b': 2}}], 'edges': []}");
    assert_string_equal(back.profile->class_names[0], "b");
    assert_true(back.profile->labels.counts[0] == 2 && back.profile->labels.counts[1] == 1);
    free_back(ctx, &back);
    back = read_quoted(START "'nodes': [{'id': 0, 'size': 3, 'labels': {'-2': 1}, 'predictions': "
                             "{'-10': 3}}], 'edges': []}");
    assert_string_equal(back.profile->class_names[0], "-10");
    assert_string_equal(back.profile->class_names[1], "-2");
    free_back(ctx, &back);
}

#define MIXED(nodes)                                                                               \
    START "'nodes': [{'id': 0, 'size': 5, 'labels': {'a': 3}, 'predictions': {'b': 5}, "           \
          "'judged': 5, 'mistakes': 3, 'confused': [{'label': 'a', 'prediction': 'b'" nodes        \
          "}]}], 'edges': []}"

static void mistakes_of_one_kind_are_from_one_to_all_of_them(void **state) {
    (void)state;
    static const char *const files[] = {MIXED(""), MIXED(", 'nodes': 1"), MIXED(", 'nodes': 3")};
    for (int i = 0; i < 3; i++) {
        read_back back = read_quoted(files[i]);
        const dgm_profile_mixup *mixup = back.profile->mixups;
        assert_true(mixup->label == 0 && mixup->prediction == 1);
        assert_int_equal(mixup->count, i < 2 ? 1 : 3);
        assert_int_equal(back.profile->mixup_offsets[1], 1);
        assert_true(back.profile->judged[0] == 5 && back.profile->mistakes[0] == 3);
        free_back(ctx, &back);
    }
    check_refused(MIXED(", 'nodes': 0"),
                  "nodes[0] has 'nodes' that is no whole number from 1 to 3");
    check_refused(MIXED(", 'nodes': 4"),
                  "nodes[0] has 'nodes' that is no whole number from 1 to 3");
}

/* ---- members ---- */

/* A cluster of three has all of its members as hubs; of four only those that are named. */
static void small_clusters_have_all_their_members_as_hubs(void **state) {
    (void)state;
    static const char *const hubs[] = {"a", "b", "c", "g", "f", "e"};
    read_back back = read_quoted(
        START
        "'lens': {'name': 'l', 'dim': 1, 'axes': ['l'], 'min': [0], 'max': [1]}, 'nodes': [{'id': "
        "0, 'size': 3, 'lens': [0], 'members': ['a', 'b', 'c'], 'top': {'neighbours': "
        "['c'], 'lens': ['b']}}, {'id': 1, 'size': 4, 'lens': [1], 'members': ['d', 'e', 'f', "
        "'g'], "
        "'top': {'neighbours': ['g', 'f', 'e', 'd'], 'lens': ['d', 'e', 'f', 'g']}}], "
        "'edges': []}");
    const dgmi_mapper_tops *tops = &back.profile->hubs, *peaks = &back.profile->peaks;
    assert_true(tops->offsets[1] == 3 && tops->offsets[2] == 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(dgmi_mapper_tops_name(tops, i), hubs[i]);
    assert_true(peaks->offsets[1] == 1 && peaks->offsets[2] == 4);
    assert_string_equal(dgmi_mapper_tops_name(peaks, 3), "f");
    free_back(ctx, &back);
}

/* What stands out on a lens without axes is nothing that can be drawn. */
static void a_lens_without_axes_has_no_peaks(void **state) {
    (void)state;
    read_back back = read_quoted(
        START "'lens': {'name': 'mincut', 'dim': 0, 'axes': [], 'min': [], 'max': []}, 'nodes': "
              "[{'id': 0, 'size': 4, 'top': {'neighbours': ['g'], 'lens': ['d']}, 'members': ['d', "
              "'e', 'f', 'g']}], 'edges': []}");
    assert_null(back.profile->peaks.offsets);
    assert_string_equal(dgmi_mapper_tops_name(&back.profile->hubs, 0), "g");
    free_back(ctx, &back);
}

/* Nodes may stand in another order than they did, and their weights go with them. */
static void weights_go_with_their_members(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    static const double weights[] = {0.125, 0.25, 0.5, 0.75, 1};
    static const uint32_t members[] = {1, 3, 0, 2, 8};
    dgm_graph *graph = sample_graph(ctx, &(sample_parts){.nodes = 9, .names = names});
    save_quoted(START "'nodes': [{'id': 0, 'size': 2, 'members': ['d', 'b'], 'weights': [0.25, "
                      "0.125]}, {'id': 1, 'size': 3, 'members': ['i', 'a', 'c'], 'weights': [1, "
                      "0.5, 0.75]}], 'edges': []}");
    read_back back = read_file(graph);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(back.summary->members[i], members[i]);
        assert_true(back.summary->weights[i] == weights[i]);
    }
    free_back(ctx, &back);
    save_quoted(START "'nodes': [{'id': 0, 'size': 1, 'members': ['a'], 'weights': [1]}, {'id': "
                      "1, 'size': 1, 'members': ['x']}], 'edges': []}");
    assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "nodes[1] has no \"weights\""));
    dgm_graph_free(graph);
}

static void a_graph_of_another_size_is_told_with_both_sizes(void **state) {
    (void)state;
    char expected[200];
    dgm_graph *five = sample_graph(ctx, &(sample_parts){.nodes = 5});
    read_back back;
    save_quoted(START "'nodes': [{'id': 0, 'size': 1, 'members': ['0']}], 'edges': []}");
    assert_int_equal(try_to_read(ctx, five, &back), DGM_ERROR_DATA);
    snprintf(expected, sizeof expected,
             "%s: the summary is of a graph of 9 nodes, and this one has 5", path);
    assert_string_equal(dgm_context_error(ctx), expected);
    dgm_graph_free(five);
    dgm_graph *nine = sample_graph(ctx, &(sample_parts){.nodes = 9});
    save_quoted(START "'nodes': [{'id': 0, 'size': 1, 'members': ['x']}], 'edges': []}");
    assert_int_equal(try_to_read(ctx, nine, &back), DGM_ERROR_DATA);
    snprintf(expected, sizeof expected,
             "%s: nodes[0] has the member 'x', which is no node of the graph", path);
    assert_string_equal(dgm_context_error(ctx), expected);
    dgm_graph_free(nine);
}

/* ---- poolings ---- */

/* The object of a pooling is text, and stays what it was. */
static void a_pooling_is_kept_in_the_form_of_its_file(void **state) {
    (void)state;
    static const struct {
        const char *file, *pooling, *words;
    } cases[] = {
        {"{'method': 'mpr', 'trained':true}", "{'method': 'mpr', 'trained': true}",
         "pooled by mpr \xc2\xb7 trained"},
        {"{'method':'x', 'step':2, 'steps':3, 'a':[1,-2,null], 'b':[], 'c':{}}",
         "{'method': 'x', 'step': 2, 'steps': 3, 'a': [1, -2, null], 'b': [], 'c': {}}",
         "pooled by x \xc2\xb7 step 2 of 3"},
        {"{'steps':2, 'r':[0.5, -0.0], 'o':[{'k':false},{'l':[true]}]}",
         "{'steps': 2, 'r': [0.5, 0], 'o': [\n  {'k': false},\n  {'l': [true]}]}",
         "pooled by  \xc2\xb7 step 1 of 2"},
        {"{'step':2147483647, 'steps':1}", "{'step': 2147483647, 'steps': 1}", "pooled by "},
        {"{'step':7}", "{'step': 7}", "pooled by "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, START "'pooling': %s, " EMPTY, cases[i].file);
        read_back back = read_quoted(text);
        char *said = strdup(back.summary->pooling);
        for (char *c = said; *c; c++)
            *c = *c == '"' ? '\'' : *c;
        assert_string_equal(said, cases[i].pooling);
        assert_string_equal(back.summary->pooled, cases[i].words);
        free(said);
        free_back(ctx, &back);
    }
}

/* ---- files ---- */

static void the_word_that_tells_a_summary_is_looked_for_to_the_end(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool summary;
    } cases[] = {
        {"{'dgm-summary'", true},       {"{'a':'dgm-summary'", true},
        {"{'dgm-summary", false},       {"{'format': 'dgm-summary-2'}", false},
        {"'dgm-summary'", false},       {"{'format': 'dgm-summar'}", false},
        {"  {  'dgm-summary' }", true}, {"{}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save_quoted(cases[i].text);
        if (dgm_summary_is_file(ctx, path) != cases[i].summary)
            fail_msg("%s is%s a summary", cases[i].text, cases[i].summary ? " not" : "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_and_the_last_value_of_a_range_are_taken),
        cmocka_unit_test(what_lies_just_beyond_a_range_is_refused),
        cmocka_unit_test(a_wrong_value_is_found_in_front_of_good_ones),
        cmocka_unit_test(only_the_word_true_says_that_clusters_were_attached),
        cmocka_unit_test(a_cover_may_have_as_many_axes_as_there_are),
        cmocka_unit_test(what_is_not_said_is_the_usual_value_or_unknown),
        cmocka_unit_test(the_parts_of_a_split_that_are_named_add_up),
        cmocka_unit_test(an_error_says_where_it_is_and_no_more),
        cmocka_unit_test(a_message_is_cut_where_its_room_ends),
        cmocka_unit_test(edges_and_cells_may_have_the_largest_and_the_least_numbers),
        cmocka_unit_test(places_lie_within_a_far_frame),
        cmocka_unit_test(every_layout_is_known_by_its_name),
        cmocka_unit_test(counts_stand_in_the_order_of_classes),
        cmocka_unit_test(two_classes_are_enough_to_have_an_order),
        cmocka_unit_test(mistakes_of_one_kind_are_from_one_to_all_of_them),
        cmocka_unit_test(small_clusters_have_all_their_members_as_hubs),
        cmocka_unit_test(a_lens_without_axes_has_no_peaks),
        cmocka_unit_test(weights_go_with_their_members),
        cmocka_unit_test(a_graph_of_another_size_is_told_with_both_sizes),
        cmocka_unit_test(a_pooling_is_kept_in_the_form_of_its_file),
        cmocka_unit_test(the_word_that_tells_a_summary_is_looked_for_to_the_end),
    };
    return RUN_GROUP(tests, open_all, close_all);
}
