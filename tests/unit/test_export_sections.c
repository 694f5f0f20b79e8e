/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of JSON and of reports with nothing, one and more to say. */
#include "unit_fixture.h"

#include <math.h>

#include "report_sample.h"

#include "export_report.h"
#include "mapper_profile.h"
#include "mapper_summary.h"

/* ---- one line of a file ---- */

/* The text from `begin` to the end of its line, of the sample in that format. */
static const char *line_of(const sample *made, dgm_export_format format, const dgm_places *places,
                           const char *begin) {
    static char line[2000];
    dgm_export_subject subject = sample_subject(made);
    char *text;
    subject.places = places;
    assert_int_equal(dgm_export_text(ctx, &subject, format, 0, &text, NULL), DGM_OK);
    const char *at = strstr(text, begin);
    snprintf(line, sizeof line, "%.*s", at ? (int)strcspn(at, "\n") : 0, at ? at : "");
    dgm_export_text_free(ctx, text);
    return line;
}

static void assert_coverage(const sample *made, const char *json, const char *words) {
    assert_string_equal(line_of(made, DGM_EXPORT_JSON, NULL, "\"coverage\""), json);
    assert_string_equal(line_of(made, DGM_EXPORT_MD, NULL, "- **Coverage**"), words);
}

/* Nothing is said of edges where there are none, and where nobody counted them. */
static void coverage_speaks_of_edges_where_there_are_some(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_summary_coverage *coverage = &made.summary->coverage;
    *coverage = (dgm_summary_coverage){.nodes = 6, .covered = 6, .edges = 0, .edges_inside = 0};
    assert_coverage(&made,
                    "\"coverage\": {\"nodes\": 6, \"covered\": 6, \"filtered\": 0, "
                    "\"filtered_by\": {}, \"lost\": 0, \"edges\": 0, \"edges_inside\": 0},",
                    "- **Coverage**: 6 of 6 nodes lie in a cluster");
    coverage->edges = 1;
    coverage->edges_inside = -1;
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Coverage**"),
                        "- **Coverage**: 6 of 6 nodes lie in a cluster");
    sample_free(&made);
}

static void coverage_names_the_reasons_that_there_are(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_summary_coverage *coverage = &made.summary->coverage;
    *coverage = (dgm_summary_coverage){.nodes = 6, .covered = 0, .edges = 1, .edges_inside = 0};
    assert_coverage(&made,
                    "\"coverage\": {\"nodes\": 6, \"covered\": 0, \"filtered\": 0, "
                    "\"filtered_by\": {}, \"lost\": 0, \"edges\": 1, \"edges_inside\": 0},",
                    "- **Coverage**: 0 of 6 nodes lie in a cluster, and 0 of 1 edge inside one");
    *coverage = (dgm_summary_coverage){.nodes = 6,
                                       .covered = 1,
                                       .filtered = 4,
                                       .filtered_cover = 1,
                                       .filtered_noise = 1,
                                       .filtered_min_size = 1,
                                       .filtered_min_component = 1,
                                       .edges = -1,
                                       .edges_inside = -1,
                                       .taken = 1,
                                       .attached_clusters = 1,
                                       .attached_nodes = 1,
                                       .dust_size = 1,
                                       .dust_clusters = 1,
                                       .dust_nodes = 1};
    assert_coverage(
        &made,
        "\"coverage\": {\"nodes\": 6, \"covered\": 1, \"filtered\": 4, \"filtered_by\": "
        "{\"cover\": 1, \"noise\": 1, \"min-size\": 1, \"min-component\": 1}, \"lost\": 0, "
        "\"edges\": -1, \"edges_inside\": -1, \"taken\": 1, \"attached\": {\"clusters\": 1, "
        "\"nodes\": 1}, \"dust\": {\"size\": 1, \"clusters\": 1, \"nodes\": 1}},",
        "- **Coverage**: 1 of 6 nodes lie in a cluster; 1 node left out, outside the cover; 1 node "
        "left out as noise; 1 node left out in clusters below the least size; 1 node left out in "
        "pieces below the least size; 1 node given to a neighbouring cluster; 1 node taken into a "
        "neighbour's cell, where cells cut the graph; 1 node in dust, clusters that figures fold");
    coverage->covered = -1;
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Coverage**"), "");
    coverage->covered = 6;
    coverage->edges_inside = 0;
    assert_null(strstr(line_of(&made, DGM_EXPORT_MD, NULL, "- **Coverage**"), "inside one"));
    coverage->edges_inside = -1;
    coverage->edges = 0;
    assert_null(strstr(line_of(&made, DGM_EXPORT_MD, NULL, "- **Coverage**"), "inside one"));
    sample_free(&made);
}

static void topology_is_told_as_far_as_it_is_known(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    made.summary->topology = (dgm_summary_topology){0, 1, -1, 2, 3};
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, "\"topology\""),
                        "\"topology\": {\"b0\": 0, \"b1\": 1, \"skeleton_loops\": 2, "
                        "\"triangles\": null, \"cycle_rank\": 3},");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Summary**"),
                        "- **Summary**: 2 clusters, 1 edge, 1 piece, 1 loop");
    made.summary->topology = (dgm_summary_topology){0, 0, 0, 0, 0};
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, "\"topology\""),
                        "\"topology\": {\"b0\": 0, \"b1\": 0, \"skeleton_loops\": 0, "
                        "\"triangles\": 0, \"cycle_rank\": 0},");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Summary**"),
                        "- **Summary**: 2 clusters, 1 edge, 1 piece, no loop at this resolution");
    made.summary->topology = (dgm_summary_topology){2, -1, -1, -1, -1}; /* of another program */
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, "\"topology\""),
                        "\"topology\": {\"b0\": 2, \"triangles\": null},");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Summary**"),
                        "- **Summary**: 2 clusters, 1 edge, 1 piece");
    made.summary->topology = (dgm_summary_topology){-1, -1, -1, -1, -1};
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, "\"topology\""), "");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Summary**"),
                        "- **Summary**: 2 clusters, 1 edge, 1 piece");
    sample_free(&made);
}

/* Parts of the split in which nothing is judged are not named. */
static void mistakes_are_told_by_the_parts_of_the_split(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    dgm_summary_mistakes *ledger = &made.profile->ledger;
    const char *begin = ", \"judged\"";
    ledger->known = true;
    ledger->covered[DGM_SPLIT_TEST] = (dgm_judged){4, 3};
    ledger->left_out[DGM_SPLIT_TRAIN] = (dgm_judged){1, 0};
    ledger->left_out[DGM_SPLIT_TEST] = (dgm_judged){2, 1};
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, begin),
                        ", \"judged\": 4, \"judged_left_out\": 3, \"mistakes\": 3, "
                        "\"mistakes_left_out\": 1},");
    ledger->split = true;
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, begin),
                        ", \"judged\": 4, \"judged_left_out\": 3, \"mistakes\": 3, "
                        "\"mistakes_left_out\": 1, \"by_split\": {"
                        "\"train\": {\"judged\": 0, \"judged_left_out\": 1, \"mistakes\": 0, "
                        "\"mistakes_left_out\": 0}, "
                        "\"test\": {\"judged\": 4, \"judged_left_out\": 2, \"mistakes\": 3, "
                        "\"mistakes_left_out\": 1}}},");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Predictions**"),
                        "- **Predictions**: 3 of 4 nodes with a label and a prediction are "
                        "predicted wrongly");
    ledger->known = false;
    assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, begin), "");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Predictions**"), "");
    sample_free(&made);
}

static void the_layout_says_how_places_were_found(void **state) {
    (void)state;
    static const double x[] = {1.5, -0.0}, y[] = {2, INFINITY}, radius[] = {1, 0.5};
    static const struct {
        dgm_places places;
        const char *line;
    } cases[] = {
        {{.x = x, .y = y, .radius = radius, .layout = 0, .seed = 7},
         "\"layout\": {\"kind\": \"stress\", \"seed\": 7},"},
        {{.x = x, .y = y, .radius = radius, .layout = 3, .seed = 1, .dust = 1},
         "\"layout\": {\"kind\": \"grid\", \"seed\": 1, \"dust\": 1},"},
        {{.x = x, .y = y, .radius = radius, .layout = -1, .seed = 1}, ""},
        {{.layout = 0, .operations = 1, .budget = 0.5},
         "\"layout\": {\"kind\": \"none\", \"operations\": 1, \"budget\": 0.5},"},
        {{.layout = 0, .operations = 0, .budget = 0.5}, ""},
    };
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(line_of(&made, DGM_EXPORT_JSON, &cases[i].places, "\"layout\""),
                            cases[i].line);
    ASSERT_HAS(line_of(&made, DGM_EXPORT_JSON, &cases[0].places, "  {\"id\": 0"),
               "\"lens\": [1.5], \"x\": 1.5, \"y\": 2, \"radius\": 1, ");
    ASSERT_HAS(line_of(&made, DGM_EXPORT_JSON, &cases[0].places, "  {\"id\": 1"),
               "\"x\": 0, \"y\": null, \"radius\": 0.5, ");
    assert_null(strstr(line_of(&made, DGM_EXPORT_JSON, &cases[3].places, "  {\"id\": 0"), "\"x\""));
    sample_free(&made);
}

static void edges_say_what_is_counted(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    static const struct {
        int64_t shared, links;
        const char *line;
    } cases[] = {
        {0, 0, "{\"source\": 0, \"target\": 1, \"shared\": 0, \"links\": 0, \"weight\": 1}],"},
        {-1, 2, "{\"source\": 0, \"target\": 1, \"links\": 2, \"weight\": 1}],"},
        {3, -1, "{\"source\": 0, \"target\": 1, \"shared\": 3, \"weight\": 1}],"},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        made.summary->edges[0].shared = cases[i].shared;
        made.summary->edges[0].links = cases[i].links;
        assert_string_equal(line_of(&made, DGM_EXPORT_JSON, NULL, "{\"source\""), cases[i].line);
    }
    sample_free(&made);
}

/* Dust has the place of its mark, and not its size: that of its members, by the largest cluster. */
static void dust_is_as_large_as_its_members_in_gexf(void **state) {
    (void)state;
    static const double x[] = {0, 1, 2}, radius[] = {2, 4, 4};
    static const double lens[] = {0, 0, 0, 0, 1, 1, 1, 2, 2};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.overlap[0] = 0;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 9, .lens = lens}, &options);
    for (int64_t dust = 0; dust <= 3; dust += 3) {
        const dgm_places places = {.x = x, .y = x, .radius = radius, .layout = 0, .dust = dust};
        static const char *const sizes[] = {"20", "40", "40"};
        for (int c = 0; c < 3; c++) {
            char begin[32], end[64], small[32];
            snprintf(begin, sizeof begin, "<node id=\"%d\"", c);
            snprintf(small, sizeof small, "%.3f", 40 * sqrt(0.5)); /* two nodes of four */
            snprintf(end, sizeof end, "<viz:size value=\"%s\"/></node>",
                     c == 2 && dust ? small : sizes[c]);
            ASSERT_HAS(line_of(&made, DGM_EXPORT_GEXF, &places, begin), end);
        }
        ASSERT_HAS(line_of(&made, DGM_EXPORT_GEXF, &places, "<node id=\"2\""),
                   "<viz:position x=\"20\" y=\"20\" z=\"0\"/>");
    }
    sample_free(&made);
}

/* ---- sections of a report ---- */

/* What a section writes where a report has these totals, and tells nothing of it all. */
static void assert_section(const sample *made, const dgm_report_totals *totals, int section,
                           const char *expected) {
    dgm_report *report = report_of(made, NULL);
    dgmi_export job = {.ctx = ctx, .summary = made->summary, .profile = made->profile};
    dgmi_export_page page = {
        .job = &job, .to = &job.text, .markdown = true, .report = report, .totals = *totals};
    dgmi_text_init(&job.text, ctx);
    dgmi_text_init(&page.grid.text, ctx);
    if (section == 0)
        dgmi_export_loops(&page, NULL);
    else if (section == 1)
        dgmi_export_branches(&page, NULL);
    else if (section == 2)
        dgmi_export_bridges(&page, NULL);
    else
        dgmi_export_clusters(&page);
    assert_string_equal(job.text.length ? job.text.data : "", expected);
    dgmi_export_grid_free(&page);
    dgmi_text_free(&job.text);
    dgm_report_free(report);
}

static void loops_and_branches_say_how_many_they_leave_out(void **state) {
    (void)state;
    static const char *const ways =
        "## Loops\n\nWays around something that no triangles of clusters fill: clusters in order "
        "around the loop, each with its most frequent class and its best connected members.";
    char expected[1000];
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    assert_section(&made, &(dgm_report_totals){.loops = 1}, 0, "");
    assert_section(&made, &(dgm_report_totals){.branches = 1}, 1, "");
    assert_section(&made, &(dgm_report_totals){.bridges = 1}, 2, "");
    assert_section(&made, &(dgm_report_totals){.clusters = 1, .loops = -1}, 0,
                   "## Loops\n\nThe file does not name the members, so its loops cannot be "
                   "followed.\n\n");
    assert_section(&made, &(dgm_report_totals){.clusters = 1}, 0,
                   "## Loops\n\nThere is no loop that triangles of clusters do not fill.\n\n");
    snprintf(expected, sizeof expected, "%s\n\n1 more loop is not listed here.\n\n", ways);
    assert_section(&made, &(dgm_report_totals){.clusters = 1, .loops = 1, .loops_short = true}, 0,
                   expected);
    snprintf(expected, sizeof expected,
             "%s They are too many to look for the shortest.\n\n2 more loops are not listed "
             "here.\n\n",
             ways);
    assert_section(&made, &(dgm_report_totals){.clusters = 1, .loops = 2}, 0, expected);
    assert_section(&made, &(dgm_report_totals){.clusters = 1}, 1,
                   "## Branches\n\nNothing hangs on the rest of the summary by one cluster "
                   "alone.\n\n");
    assert_section(&made, &(dgm_report_totals){.clusters = 1, .branches = 1}, 1,
                   "## Branches\n\nParts of the summary without any loop that hang on the rest by "
                   "one cluster, the nearest cluster first.\n\n1 more branch is not listed "
                   "here.\n\n");
    sample_free(&made);
}

static void bridges_say_what_is_not_known(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    assert_section(&made, &(dgm_report_totals){.clusters = 2, .pieces = 1, .bridges = -1}, 2,
                   "## Bridges\n\n### Nodes in several clusters\n\nThe file does not name the "
                   "members.\n\n");
    assert_section(
        &made,
        &(dgm_report_totals){.clusters = 2, .pieces = 1, .bridges = 1, .bridges_shared = true}, 2,
        "## Bridges\n\n### Nodes in several clusters\n\n1 node lies in more than one "
        "cluster. The score is how much hangs on a node: for every two of its clusters, "
        "the nodes of the smaller one that are not in the other, divided by the number "
        "of nodes in both. Alone: pairs of clusters that no other node joins.\n\n"
        "| node | score | alone | neighbours | clusters |\n"
        "| --- | ---: | ---: | ---: | --- |\n\n"
        "1 more node is not listed here; -o FILE.csv writes the clusters of every "
        "node.\n\n");
    assert_section(&made, &(dgm_report_totals){.clusters = 2, .pieces = 2, .crossings = -1}, 2,
                   "## Bridges\n\n### Nodes in several clusters\n\nNo node lies in more than one "
                   "cluster.\n\n### Edges between pieces\n\nThe file does not hold the edges of "
                   "the graph.\n\n");
    assert_section(
        &made,
        &(dgm_report_totals){.clusters = 2, .pieces = 2, .crossings = 1, .crossing_edges = 2}, 2,
        "## Bridges\n\n### Nodes in several clusters\n\nNo node lies in more than one "
        "cluster.\n\n### Edges between pieces\n\n2 edges of the graph "
        "lead between 1 "
        "pair of "
        "pieces. Pairs are ranked by the nodes of the smaller piece for each edge: the first hold "
        "the most by the fewest edges.\n\n"
        "| pieces | edges | nodes per edge | edges |\n| --- | ---: | ---: | --- |\n\n"
        "1 more pair of pieces is not listed here.\n\n");
    sample_free(&made);
}

static void columns_that_are_too_many_are_told(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, NULL);
    const char *const cluster = "### Cluster 0: 4 nodes\n\n- **Who**: 0, 1, 2, 3\n\n";
    char expected[500];
    assert_section(&made, &(dgm_report_totals){.left_out = 1}, 3, "");
    for (int64_t count = 1; count < 3; count++) {
        snprintf(expected, sizeof expected,
                 "## Clusters\n\n%s of dense features are too many to compare, and are left "
                 "out.\n\n%s",
                 count == 1 ? "1 column" : "2 columns", cluster);
        assert_section(&made, &(dgm_report_totals){.clusters = 1, .left_out = count}, 3, expected);
    }
    sample_free(&made);
}

/* All nodes of the second cluster lie in the first one, too. */
static void nothing_hangs_on_nodes_of_a_cluster_inside_another(void **state) {
    (void)state;
    sample made = cast_sample(3, 2, "xxxxx.", 0, NULL, NULL, DGM_EDGES_NERVE);
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "2 nodes lie"),
                        "2 nodes lie in more than one cluster, but always in one inside the other: "
                        "nothing hangs on them.");
    sample_free(&made);
}

/* A square 0 1 2 3; on 0 hangs 4, which forks into 5 and 6; on 2 hangs 7. */
static void a_branch_that_forks_is_no_way_in_order(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}, {4, 6}, {2, 7}};
    sample made = nerve_sample(8, 8, 8, ends);
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- Branch 1"),
                        "- Branch 1, 3 clusters with 6 nodes, from cluster 0: 4 (4, 5); 5 (5, 13); "
                        "6 (6, 14); its ends are clusters 5, 6");
    assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- Branch 2"),
                        "- Branch 2, 1 cluster with 2 nodes, from cluster 2: 7 (7, 15); its end is "
                        "cluster 7");
    sample_free(&made);
}

/* ---- clusters of a report ---- */

/* Nothing is said where nothing was judged, and where all of it is right. */
static void clusters_without_mistakes_do_not_speak_of_them(void **state) {
    (void)state;
    static const struct {
        int64_t judged, mistakes;
        const char *line;
    } cases[] = {
        {0, 0, ""},
        {3, 0, ""},
        {3, 1, "- **Wrong**: 1 of 3 predictions; low taken for high 1, high taken for low 1"},
    };
    sample made = rich_sample(ctx);
    made.profile->judged[1] = made.profile->mistakes[1] = 0;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        made.profile->judged[0] = cases[i].judged;
        made.profile->mistakes[0] = cases[i].mistakes;
        assert_string_equal(line_of(&made, DGM_EXPORT_MD, NULL, "- **Wrong**"), cases[i].line);
    }
    sample_free(&made);
}

/* Forty nodes of two towns and ages and without a class, a cluster for each town. */
static sample sample_of_towns(void) {
    enum { NODES = 40 };
    const char *towns[NODES];
    double ages[NODES];
    dgm_graph_builder *builder;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0;
    options.cluster = DGM_CLUSTER_NONE;
    sample made = {.lens = sample_lens(ctx, &(sample_parts){.nodes = NODES})};
    for (int u = 0; u < NODES; u++) {
        towns[u] = u < NODES / 2 ? "Rome" : "Bern";
        ages[u] = u < NODES / 2 ? 20 : 30;
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", NODES, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", NODES, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    sample_map(ctx, &made, &options);
    return made;
}

/* A text is named beside its attribute, and comparisons are explained without classes as well. */
static void differences_name_texts_and_numbers(void **state) {
    (void)state;
    sample made = sample_of_towns();
    const char *line = line_of(&made, DGM_EXPORT_MD, NULL, "- **Differs**");
    ASSERT_HAS(line, "town = Rome: 100% against 0% (delta +1.00, q ");
    ASSERT_HAS(line, "; age: 20 against 30 (delta -1.00, q ");
    ASSERT_HAS(line_of(&made, DGM_EXPORT_MD, NULL, "Members are named"),
               " Comparisons are with all other nodes of the graph, and they describe: ");
    sample_free(&made);
}

/* ---- long lists at their ends ---- */

/* Each cell a cluster and a piece by itself: `large` of three nodes, `small` of two, `single`. */
static sample row_of_clusters(int large, int small, int single) {
    static double lens[1000];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    int64_t nodes = 0;
    int cells = large + small + single;
    for (int cell = 0; cell < cells; cell++)
        for (int i = 0; i < (cell < large ? 3 : cell < large + small ? 2 : 1); i++)
            lens[nodes++] = cell + 0.5;
    assert_true(nodes <= 1000);
    options.intervals[0] = cells;
    options.overlap[0] = 0;
    return sample_make(ctx, &(sample_parts){.nodes = nodes, .lens = lens}, &options);
}

static int64_t lines_with(const char *text, const char *with) {
    int64_t count = 0;
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        count += strncmp(at, with, strlen(with)) == 0;
    return count;
}

static void lists_of_clusters_and_pieces_end(void **state) {
    (void)state;
    static const struct {
        int large, small, single;
        int64_t full;
        const char *clusters, *pieces; /* what is said of the rest, or NULL */
    } cases[] = {
        {30, 0, 0, 30, NULL, NULL},
        {31, 0, 0, 30, NULL, "\n1 more piece of at most 3 nodes is not listed here.\n"},
        {2, 28, 3, 2, NULL, "\n3 more pieces of at most 1 node are not listed here.\n"},
        {2, 1, 1, 2, NULL, "\n1 more piece of at most 1 node is not listed here.\n"},
        {0, 0, 3, 0, NULL, "\n2 more pieces of at most 1 node are not listed here.\n"},
        {30, 200, 0, 30, NULL, "\n200 more pieces of at most 2 nodes are not listed here.\n"},
        {30, 201, 0, 30,
         "\n1 more cluster of at most 2 nodes is not listed here; -o FILE.csv writes all clusters "
         "with all of their members.\n",
         "\n201 more pieces of at most 2 nodes are not listed here.\n"},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        sample made = row_of_clusters(cases[i].large, cases[i].small, cases[i].single);
        char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
        assert_int_equal(lines_with(text, "### Cluster "), cases[i].full);
        if (cases[i].clusters)
            ASSERT_HAS(text, cases[i].clusters);
        else
            assert_null(strstr(text, " more cluster"));
        if (cases[i].pieces)
            ASSERT_HAS(text, cases[i].pieces);
        else
            assert_null(strstr(text, " more piece"));
        assert_int_equal(lines_with(text, "### Smaller clusters"),
                         cases[i].full < cases[i].large + cases[i].small + cases[i].single);
        if (cases[i].large > 1)
            ASSERT_HAS(text, "\n### Cluster 1: 3 nodes, in piece 2\n");
        dgm_export_text_free(ctx, text);
        sample_free(&made);
    }
}

/* A chain of clusters of ten nodes each, a class to each; each names two of its members. */
static void a_way_names_24_clusters_and_a_list_30_borders(void **state) {
    (void)state;
    enum { EACH = 10, MOST = 32 };
    static int32_t class_of[MOST * EACH];
    for (int i = 0; i < MOST * EACH; i++)
        class_of[i] = i / EACH;
    for (int clusters = 24; clusters <= MOST; clusters++) {
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = clusters;
        options.overlap[0] = 0.2;
        sample made = sample_make(
            ctx, &(sample_parts){.nodes = clusters * EACH, .labels = class_of}, &options);
        char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0), words[64];
        const char *last = strstr(text, ") - 23 (class 23: ");
        assert_non_null(last);
        assert_int_equal(strcspn(last + 4, ",") < strcspn(last + 4, ")"), 1);
        const char *comma = strchr(last + 4, ',');
        assert_true(strcspn(comma + 1, ",") > strcspn(comma + 1, ")")); /* two, and no third */
        snprintf(words, sizeof words, ") and %d more; its end", clusters - 24);
        if (clusters > 24)
            ASSERT_HAS(text, words);
        else
            ASSERT_HAS(text, "); its ends are clusters 0, 23\n");
        if (clusters > 31)
            ASSERT_HAS(text, "\n1 more pair of classes is not listed here.\n");
        else
            assert_null(strstr(text, "of classes is not listed"));
        dgm_export_text_free(ctx, text);
        sample_free(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_speaks_of_edges_where_there_are_some),
        cmocka_unit_test(coverage_names_the_reasons_that_there_are),
        cmocka_unit_test(topology_is_told_as_far_as_it_is_known),
        cmocka_unit_test(mistakes_are_told_by_the_parts_of_the_split),
        cmocka_unit_test(the_layout_says_how_places_were_found),
        cmocka_unit_test(edges_say_what_is_counted),
        cmocka_unit_test(dust_is_as_large_as_its_members_in_gexf),
        cmocka_unit_test(loops_and_branches_say_how_many_they_leave_out),
        cmocka_unit_test(bridges_say_what_is_not_known),
        cmocka_unit_test(columns_that_are_too_many_are_told),
        cmocka_unit_test(nothing_hangs_on_nodes_of_a_cluster_inside_another),
        cmocka_unit_test(a_branch_that_forks_is_no_way_in_order),
        cmocka_unit_test(clusters_without_mistakes_do_not_speak_of_them),
        cmocka_unit_test(differences_name_texts_and_numbers),
        cmocka_unit_test(lists_of_clusters_and_pieces_end),
        cmocka_unit_test(a_way_names_24_clusters_and_a_list_30_borders),
    };
    return RUN_WITH_CONTEXT(tests);
}
