/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of summaries, and files that leave parts out. */
#include "archive_sample.h"

/* With its graph a summary that was read does all that one does that was mapped. */
static void members_are_numbers_with_the_graph_and_names_without(void **state) {
    (void)state;
    static const char *const names[] = {"n0", "n1", "", "n3", "n4", "n5"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6, .names = names}, NULL);
    sample other = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(made.summary);
    size_t length;
    write_sample(&made, false);
    read_back back = read_file(made.graph);
    assert_memory_equal(dgm_summary_get_clusters(back.summary).members, clusters.members,
                        (size_t)clusters.offsets[clusters.count] * sizeof *clusters.members);
    assert_null(dgm_summary_member_name(back.summary, 0, &length));
    dgm_profile *profile;
    assert_int_equal(dgm_profile_create(ctx, back.summary, made.graph, NULL, &profile), DGM_OK);
    dgm_profile_free(profile);
    free_back(ctx, &back);
    back = read_file(NULL);
    assert_null(dgm_summary_get_clusters(back.summary).members);
    for (int64_t i = 0; i < clusters.offsets[clusters.count]; i++) {
        const char *name = dgm_summary_member_name(back.summary, i, &length);
        assert_int_equal(length, strlen(names[clusters.members[i]]));
        assert_memory_equal(name, names[clusters.members[i]], length);
    }
    assert_null(dgm_summary_member_name(back.summary, -1, &length));
    assert_null(dgm_summary_member_name(back.summary, clusters.offsets[clusters.count], &length));
    dgm_membership *membership;
    dgm_tower *tower;
    const dgm_summary *const both[] = {back.summary, back.summary};
    const char *const words = "read it together with its graph";
    assert_int_equal(
        dgm_membership_from_summary(ctx, back.summary, DGM_MEMBERSHIP_ONES, &membership),
        DGM_ERROR_USAGE);
    assert_non_null(strstr(dgm_context_error(ctx), words));
    assert_int_equal(dgm_tower_create(ctx, both, 2, &tower), DGM_ERROR_USAGE);
    assert_int_equal(dgm_profile_create(ctx, back.summary, made.graph, NULL, &profile),
                     DGM_ERROR_USAGE);
    assert_null(profile);
    free_back(ctx, &back);
    assert_int_equal(try_to_read(ctx, other.graph, &back), DGM_ERROR_DATA);
    assert_non_null(strstr(dgm_context_error(ctx), "'n0', which is no node of the graph"));
    assert_true(!back.summary && !back.profile && !back.places);
    dgm_graph *five = sample_graph(ctx, &(sample_parts){.nodes = 5});
    assert_int_equal(try_to_read(ctx, five, &back), DGM_ERROR_DATA);
    dgm_graph_free(five);
    sample_free(&other);
    sample_free(&made);
}

/* Names alone tell the same pieces, loops and branches as the graph's own nodes do. Bridges are those of
 * shared nodes there, since the file does not have the edges of the graph. */
static void a_report_by_names_is_that_by_numbers(void **state) {
    (void)state;
    sample made = rich_sample(300, EVERYTHING, NULL);
    dgm_report *by_number, *by_name;
    write_sample(&made, false);
    read_back back = read_file(NULL);
    assert_int_equal(
        dgm_report_create(ctx, made.summary, made.graph, made.profile, NULL, &by_number), DGM_OK);
    assert_int_equal(dgm_report_create(ctx, back.summary, NULL, back.profile, NULL, &by_name),
                     DGM_OK);
    dgm_report_totals a = dgm_report_get_totals(by_number), b = dgm_report_get_totals(by_name);
    assert_true(a.bridges > 0 && b.bridges > 0 && a.loops == b.loops);
    assert_true(a.pieces == b.pieces && a.branches == b.branches);
    assert_true(b.crossings == -1 && b.tests == 0);
    for (int64_t i = 0; i < a.bridges_told; i++)
        assert_true(dgm_report_bridges(by_number)[i].across > 0);
    for (int64_t i = 0; i < b.bridges_told; i++)
        assert_true(dgm_report_bridges(by_name)[i].across == -1 &&
                    dgm_report_bridges(by_name)[i].member.clusters > 1);
    for (int64_t i = 0; i < a.clusters; i++) {
        const dgm_report_cluster *x = &dgm_report_clusters(by_number)[i];
        const dgm_report_cluster *y = &dgm_report_clusters(by_name)[i];
        assert_true(x->cluster == y->cluster && x->members.total == y->members.total);
        assert_true(x->class_index == y->class_index && y->members.items[0].node == -1);
    }
    dgm_report_free(by_number);
    dgm_report_free(by_name);
    free_back(ctx, &back);
    sample_free(&made);
}

/* Other programs may name a member twice, or none of many. */
static void a_report_is_made_of_whatever_was_read(void **state) {
    (void)state;
    static const char *const files[] = {
        "{\"format\": \"dgm-summary\", \"version\": 1, \"nodes\": [{\"id\": 0, \"size\": 2, "
        "\"members\": [\"a\", \"a\"]}, {\"id\": 1, \"size\": 1, \"members\": [\"a\"]}], "
        "\"edges\": []}",
        "{\"format\": \"dgm-summary\", \"version\": 1, \"nodes\": [{\"id\": 0, \"size\": "
        "2000000000}, {\"id\": 1, \"size\": 2000000000}], \"edges\": [{\"source\": 0, "
        "\"target\": 1}]}"};
    for (int i = 0; i < 2; i++) {
        dgm_report *report;
        save(files[i]);
        read_back back = read_file(NULL);
        assert_int_equal(dgm_report_create(ctx, back.summary, NULL, back.profile, NULL, &report),
                         DGM_OK);
        assert_int_equal(dgm_report_get_totals(report).bridges, i ? -1 : 1);
        assert_int_equal(dgm_report_get_totals(report).pieces, i ? 1 : 2);
        dgm_report_free(report);
        free_back(ctx, &back);
    }
}

/* A file that has no names of members and no graph beside it: sizes, and classes of some. */
static void a_summary_without_members_is_written_as_far_as_it_is_known(void **state) {
    (void)state;
    save(HEAD "\"nodes\": [{\"id\": 0, \"size\": 7, \"labels\": {\"red\": 5}}, "
              "{\"id\": 1, \"size\": 8, \"labels\": {}}, "
              "{\"id\": 2, \"size\": 9, \"labels\": {}}], "
              "\"edges\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}]}");
    read_back back = read_file(NULL);
    dgm_export_subject subject = {.summary = back.summary, .profile = back.profile};
    char *text = text_of(&subject, DGM_EXPORT_MD);
    assert_non_null(
        strstr(text, "a piece of its own: 0 (red) - 1 - 2; its ends are clusters 0, 2\n"));
    dgm_export_text_free(ctx, text);
    subject.profile = NULL;
    text = text_of(&subject, DGM_EXPORT_DOT);
    assert_non_null(strstr(text, "tooltip=\"cluster 0, size 7, cell \"];\n"));
    dgm_export_text_free(ctx, text);
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_CSV, 0, &text, NULL),
                     DGM_ERROR_USAGE);
    assert_null(text);
    assert_non_null(strstr(dgm_context_error(ctx), "read it together with its graph"));
    free_back(ctx, &back);
}

/* Nodes may stand in another order than they did. */
static void members_ascend_whatever_the_order_of_names(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"}, *const turned[] = {"d", "c", "b", "a"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 4, .names = names}, NULL);
    dgm_graph *graph = sample_graph(ctx, &(sample_parts){.nodes = 4, .names = turned});
    write_sample(&made, false);
    read_back back = read_file(graph);
    dgm_summary_clusters before = dgm_summary_get_clusters(made.summary);
    dgm_summary_clusters after = dgm_summary_get_clusters(back.summary);
    for (int64_t c = 0; c < before.count; c++)
        for (int64_t i = before.offsets[c]; i < before.offsets[c + 1]; i++)
            assert_int_equal(after.members[before.offsets[c] + before.offsets[c + 1] - 1 - i],
                             3 - before.members[i]);
    free_back(ctx, &back);
    dgm_graph_free(graph);
    sample_free(&made);
}

static void only_what_is_wanted_is_read(void **state) {
    (void)state;
    sample made = rich_sample(60, EVERYTHING, NULL);
    dgm_summary *summary;
    write_sample(&made, true);
    assert_int_equal(dgm_summary_read(ctx, path, NULL, &summary, NULL, NULL), DGM_OK);
    check_summaries(made.summary, summary);
    dgm_summary_free(summary);
    sample_free(&made);
}

static void places_of_another_layout_are_written_into_a_summary_that_was_read(void **state) {
    (void)state;
    sample made = rich_sample(100, EVERYTHING - NAMES, NULL);
    dgm_layout_options grid = DGM_LAYOUT_OPTIONS_INIT;
    grid.layout = DGM_LAYOUT_GRID;
    write_sample(&made, true);
    read_back back = read_file(NULL);
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, back.summary, back.profile, back.places, &view),
                     DGM_OK);
    assert_int_equal(dgm_view_get_places(view).layout, DGM_LAYOUT_STRESS);
    assert_int_equal(dgm_view_lay_out(ctx, view, &grid), DGM_OK);
    const dgm_places places = dgm_view_get_places(view);
    const dgm_export_subject subject = {
        .summary = back.summary, .profile = back.profile, .places = &places};
    char *text = text_of(&subject, DGM_EXPORT_JSON);
    save(text);
    dgm_export_text_free(ctx, text);
    read_back again = read_file(NULL);
    int64_t clusters = again.profile->clusters;
    assert_int_equal(again.places->layout, DGM_LAYOUT_GRID);
    assert_true(same_bits(places.x, again.places->x, clusters) &&
                same_bits(places.y, again.places->y, clusters) &&
                same_bits(places.radius, again.places->radius, clusters));
    check_profiles(made.profile, again.profile);
    free_back(ctx, &again);
    dgm_view_free(view);
    free_back(ctx, &back);
    sample_free(&made);
}

static void files_of_older_versions_are_read(void **state) {
    (void)state;
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"]}, \"nodes\": ["
              "{\"id\": 1, \"size\": 3, \"lens\": [2], \"labels\": {\"10\": 1, \"9\": 2}, "
              "\"predictions\": {\"9\": 3}, \"mistakes\": 1},"
              "{\"id\": 0, \"size\": 2, \"lens\": [null], \"labels\": {}, "
              "\"predictions\": {\"11\": 2}, \"mistakes\": 0}], "
              "\"edges\": [{\"source\": 1, \"target\": 0}]}");
    read_back back = read_file(NULL);
    const dgm_profile *profile = back.profile;
    int64_t edges;
    assert_null(back.places);
    assert_int_equal(dgm_summary_get_clusters(back.summary).offsets[2], 5);
    assert_true(isnan(dgm_summary_get_clusters(back.summary).lens[0]));
    assert_int_equal(profile->classes, 3);
    assert_string_equal(profile->class_names[0], "9");
    assert_string_equal(profile->class_names[2], "11");
    assert_int_equal(profile->judged[1], 3);
    assert_int_equal(profile->labels.values[0], 0);
    const dgm_summary_edge *edge = dgm_summary_edges(back.summary, &edges);
    assert_true(edge->source == 0 && edge->weight == 1 && edge->shared == -1);
    free_back(ctx, &back);
}

/* Classes are in the order of their numbers only where all of them are numbers. */
static void classes_of_which_one_is_a_word_are_in_the_order_of_words(void **state) {
    (void)state;
    static const char *const classes[] = {"10", "9", "x"};
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"]}, \"nodes\": ["
              "{\"id\": 0, \"size\": 3, \"lens\": [2], "
              "\"labels\": {\"9\": 1, \"x\": 1, \"10\": 1}}], \"edges\": []}");
    read_back back = read_file(NULL);
    assert_int_equal(back.profile->classes, 3);
    for (int c = 0; c < 3; c++)
        assert_string_equal(back.profile->class_names[c], classes[c]);
    free_back(ctx, &back);
}

/* Only with its graph is it known that two names are one node. */
static void a_member_that_stands_twice_is_an_error(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    dgm_graph *graph = sample_graph(ctx, &(sample_parts){.nodes = 9, .names = names});
    read_back back;
    save(HEAD "\"nodes\": [{\"id\": 0, \"size\": 3, \"members\": "
              "[\"a\", \"b\", \"a\"]}], \"edges\": []}");
    assert_int_equal(try_to_read(ctx, graph, &back), DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "nodes[0] has a member twice"));
    assert_null(back.summary);
    dgm_graph_free(graph);
}

/* A file of another hand: what it leaves out is unknown. */
static void what_a_summary_leaves_out_is_unknown(void **state) {
    (void)state;
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"], \"transforms\": [\"rank\"]}, "
              "\"mapper\": {\"eps\": null}, "
              "\"coverage\": {\"judged\": 3, \"mistakes\": 1, \"by_split\": null}, \"nodes\": ["
              "{\"id\": 0, \"size\": 3, \"lens\": [2], \"labels\": {\"01\": 1, \"1\": 1}, "
              "\"attributes\": {\"year\": null, \"town\": {\"x\": 2}, \"none\": null}},"
              "{\"id\": 1, \"size\": 2, \"lens\": [1], \"labels\": {\"0\": 2}, "
              "\"attributes\": {\"year\": 1999, \"town\": null}},"
              "{\"id\": 2, \"size\": 2, \"lens\": [1], \"labels\": {}}], "
              "\"edges\": [{\"source\": 1, \"target\": 0, \"weight\": null}]}");
    read_back back = read_file(NULL);
    const dgm_profile *profile = back.profile;
    int64_t edges;
    assert_string_equal(dgm_summary_axis_transform(back.summary, 0), "rank");
    assert_true(profile->ledger.known && !profile->ledger.split);
    assert_int_equal(profile->ledger.covered[DGM_SPLIT_NONE].mistakes, 1);
    static const char *const classes[] = {"0", "01", "1"}; /* numbers; of equals by their text */
    assert_int_equal(profile->classes, 3);
    for (int c = 0; c < 3; c++)
        assert_string_equal(profile->class_names[c], classes[c]);
    assert_true(dgm_summary_edges(back.summary, &edges)->weight == 1);
    assert_int_equal(profile->attribute_count, 3);
    assert_int_equal(profile->attributes[0].kind, DGM_ATTRIBUTE_NUMBER);
    assert_true(isnan(profile->attributes[0].means[0]) && profile->attributes[0].means[1] == 1999);
    assert_int_equal(profile->attributes[1].kind, DGM_ATTRIBUTE_TEXT);
    assert_int_equal(profile->attributes[1].counts.offsets[1], 1);
    assert_int_equal(profile->attributes[1].counts.offsets[3], 1); /* neither null nor left out */
    assert_int_equal(profile->attributes[2].kind, DGM_ATTRIBUTE_NUMBER);
    assert_true(isnan(profile->attributes[2].means[1]));
    size_t length;
    assert_null(dgm_summary_member_name(back.summary, 0, &length));
    assert_int_equal(dgm_summary_get_topology(back.summary).b0, -1);
    assert_int_equal(dgm_summary_options(back.summary)->intervals[0], 0);
    assert_true(dgm_summary_options(back.summary)->eps == 0);
    double low, high;
    dgm_summary_lens_range(back.summary, 0, &low, &high);
    assert_true(isnan(low) && isnan(high));
    const dgm_export_subject subject = {.summary = back.summary, .profile = back.profile};
    char *text = text_of(&subject, DGM_EXPORT_JSON); /* what is unknown stays so */
    assert_null(strstr(text, "-1"));
    assert_null(strstr(text, "topology"));
    assert_null(strstr(text, "members"));
    save(text);
    read_back again = read_file(NULL);
    const dgm_export_subject once_more = {.summary = again.summary, .profile = again.profile};
    char *same = text_of(&once_more, DGM_EXPORT_JSON);
    assert_string_equal(text, same);
    dgm_export_text_free(ctx, same);
    dgm_export_text_free(ctx, text);
    free_back(ctx, &again);
    free_back(ctx, &back);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_numbers_with_the_graph_and_names_without),
        cmocka_unit_test(a_member_that_stands_twice_is_an_error),
        cmocka_unit_test(a_report_by_names_is_that_by_numbers),
        cmocka_unit_test(a_report_is_made_of_whatever_was_read),
        cmocka_unit_test(a_summary_without_members_is_written_as_far_as_it_is_known),
        cmocka_unit_test(members_ascend_whatever_the_order_of_names),
        cmocka_unit_test(only_what_is_wanted_is_read),
        cmocka_unit_test(places_of_another_layout_are_written_into_a_summary_that_was_read),
        cmocka_unit_test(files_of_older_versions_are_read),
        cmocka_unit_test(classes_of_which_one_is_a_word_are_in_the_order_of_words),
        cmocka_unit_test(what_a_summary_leaves_out_is_unknown),
    };
    return RUN_GROUP(tests, open_all, close_all);
}
