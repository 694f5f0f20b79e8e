/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 1, 4 and 9 as parts of a report, over summaries of the graph of spammers that are given by
 * hand. Class 1 is spam. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#define CLASSES "\"0\", \"1\""
#define OTHERS  "\"labels\": {\"0\": 1}"
#define SPAM    "\"labels\": {\"1\": 1}"

/* What commands write, by the name of the file. */
static struct {
    const char *file;
    sketch is;
} written[3];

static dgm_status map(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    for (int i = 0; i < 3; i++)
        if (written[i].file && strcmp(file, written[i].file) == 0)
            stage_sketch(words[1], file, &written[i].is);
    return DGM_OK;
}

/* ---- figure 1 ---- */

/* Two clusters of spammers, of 4 and 6 nodes, and three of others, of 1, 2 and 3; with the authors'
 * settings two clusters of 3 nodes each. */
static void set_sizes(void) {
    memset(written, 0, sizeof written);
    written[0].file = "fig1/dgm.json";
    written[0].is = (sketch){.clusters = "0 1 2 3,4 5 6 7 8 9,10,11 12,13 14 15",
                             .classes = CLASSES,
                             .more = {SPAM, SPAM, OTHERS, OTHERS, OTHERS}};
    written[1].file = "fig1/authors.json";
    written[1].is = (sketch){.clusters = "0 1 2,3 4 5", .classes = CLASSES, .more = {SPAM, OTHERS}};
}

static void spammers_form_few_large_clusters(void **state) {
    (void)state;
    set_sizes();
    stage_needs_every_command("fig1", map);
    stage_makes("fig1", map);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 4);
    stage_claims("gain rule: fewer clusters are mostly spammers than mostly others.", true,
                 "2 against 3.");
    stage_claims("gain rule: the clusters of spammers are larger on average.", true,
                 "a mean of 5.0 nodes against 2.0, and a largest of 6 against 3.");
    stage_claims("authors' settings: fewer clusters are mostly spammers", false, "1 against 1.");
    stage_claims("authors' settings: the clusters of spammers are larger", false,
                 "a mean of 3.0 nodes against 3.0, and a largest of 3 against 3.");
    stage_has_row("gain rule\tspammers\t2\t5.0\t5.0\t6");
    stage_has_row("gain rule\tothers\t3\t2.0\t2.0\t3");
    stage_has_row("authors' settings\tspammers\t1\t3.0\t3.0\t3");
    stage_ran(
        "dgm map spam --lens gcn:preset=reference --intervals 20 --overlap 0.1 --compat dgm "
        "--min-component 4 --colour lens --style paper -o fig1/authors.json -o fig1/authors.svg");
    stage_shows("The whole graph.", "fig1/graph.png");
}

static dgm_status write_half(void *user, int count, const char *const *words) {
    (void)user;
    stage_write(output_of(count, words), "{\"format\": ");
    return DGM_OK;
}

static dgm_status write_first(void *user, int count, const char *const *words) {
    return strstr(output_of(count, words), "authors") ? write_half(user, count, words)
                                                      : map(user, count, words);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    set_sizes();
    stage_fails("fig1", write_half, "fig1/dgm.json");
    stage_fails("fig1", write_first, "fig1/authors.json");
    stage_fails("fig4", write_half, "fig4/dgm.json");
    stage_fails("fig9", write_half, "fig9/dgm.json");
}

/* ---- figure 4 ---- */

#define JUDGED(truth, said, judged, mistakes)                                                      \
    "\"labels\": {\"" truth "\": 1}, \"predictions\": {\"" said "\": 1}, \"judged\": " judged      \
    ", \"mistakes\": " mistakes

/* Clusters of 1, 1, 2, 4 and 8 nodes, whose median is 2. The network takes the first and the third
 * for spam, and the last for others. */
static void set_mistakes(void) {
    memset(written, 0, sizeof written);
    written[0].file = "fig4/dgm.json";
    written[0].is = (sketch){.clusters = "0,1,2 3,4 5 6 7,8 9 10 11 12 13 14 15",
                             .classes = CLASSES,
                             .coverage = "\"judged\": 12, \"mistakes\": 7",
                             .more = {JUDGED("0", "1", "1", "1"), JUDGED("0", "0", "1", "0"),
                                      JUDGED("0", "1", "2", "2"), JUDGED("1", "1", "4", "1"),
                                      JUDGED("1", "0", "8", "6")}};
}

#define WRONG "The two pictures show clusters that the network mostly gets wrong."
#define SMALL "Most of these are small: at most as large as the median cluster."
#define SEES  "In most of these the network sees spam where there is none."

static void clusters_that_are_misjudged_are_counted(void **state) {
    (void)state;
    set_mistakes();
    stage_needs_every_command("fig4", map);
    stage_makes("fig4", map);
    stage_claims(WRONG, true, "3 of 5 clusters.");
    stage_claims(SMALL, true, "2 of 3 have at most 2.0 nodes.");
    stage_claims(SEES, true, "2 of 3; in the others it misses spammers.");
    stage_says("The network errs at 7 of 12 nodes.");
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 4); /* the clusters with a mistake */
    stage_has_row_of("#2\t2\t2\t");
    stage_has_row_of("#3\t4\t1\t");
    stage_shows("By prediction and by truth", "fig4/compare.svg");
}

/* One of two is not most of them. */
static void half_of_them_are_not_most(void **state) {
    (void)state;
    set_mistakes();
    written[0].is.more[0] = JUDGED("0", "0", "1", "0");
    stage_makes("fig4", map);
    stage_claims(WRONG, true, "2 of 5 clusters.");
    stage_claims(SMALL, false, "1 of 2 have at most 2.0 nodes.");
    stage_claims(SEES, false, "1 of 2; in the others it misses spammers.");
    written[0].is.more[2] = JUDGED("0", "0", "2", "1");
    written[0].is.more[4] = JUDGED("1", "1", "8", "1");
    stage_makes("fig4", map);
    stage_claims(WRONG, false, "0 of 5 clusters.");
    stage_claims(SMALL, false, "0 of 0 have at most 2.0 nodes.");
    stage_claims(SEES, false, "0 of 0; in the others it misses spammers.");
}

static void a_summary_without_clusters_shows_no_mistake(void **state) {
    (void)state;
    set_mistakes();
    written[0].is = (sketch){.clusters = "", .classes = CLASSES};
    stage_makes("fig4", map);
    stage_claims(WRONG, false, "0 of 0 clusters.");
}

/* ---- figure 9 ---- */

/* In the nerve one edge joins a spammer with another. By edges of the graph there are two clusters of
 * spammers, which two edges join with others and one with each other: (2 + 2) / 2 = 2 edges a
 * cluster; and three of others, (2 * 1 + 2) / 3 = 1.3 edges each. */
static void set_edges(void) {
    memset(written, 0, sizeof written);
    written[0].file = "fig9/dgm.json";
    written[0].is = (sketch){.clusters = "0,1,2",
                             .classes = CLASSES,
                             .edges = "0 1 1,0 2 1",
                             .more = {SPAM, SPAM, OTHERS}};
    written[1].file = "fig9/sdgm.json";
    written[1].is = (sketch){.clusters = "0 1 2,3 4,5,6,7 8",
                             .classes = CLASSES,
                             .edges = "0 1 0,0 2 0,1 3 0,3 4 0",
                             .more = {SPAM, SPAM, OTHERS, OTHERS, OTHERS}};
    written[2].file = "fig9/authors.json";
    written[2].is = written[1].is;
}

static void edges_of_the_graph_join_spammers_with_others(void **state) {
    (void)state;
    set_edges();
    stage_needs_every_command("fig9", map);
    stage_makes("fig9", map);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 8);
    stage_claims("gain rule: clusters of spammers have more edges than", true,
                 "2.0 edges a cluster against 1.3.");
    stage_claims("gain rule: the others form smaller groups.", true,
                 "a mean of 1.3 nodes against 2.5.");
    stage_claims("gain rule: more edges join spammers with others", true, "2 edges against 1.");
    stage_claims("gain rule: without overlap all edges are structural.", true,
                 "no two clusters share a node.");
    stage_has_row("gain rule\tspammers\t2\t2.5\t2.5\t3");
    stage_has_row("authors' settings\tothers\t3\t1.3\t1.0\t2");
    stage_ran("dgm map spam --lens gcn:preset=reference --intervals 20 --overlap 0 --edges "
              "structural --eps 0.01 --compat dgm --min-component 4 --colour lens --style paper -o "
              "fig9/authors.json -o fig9/authors.svg");
}

/* Each claim fails by itself, and with the settings that are wrong alone. */
static void each_claim_can_fail(void **state) {
    (void)state;
    set_edges();
    written[2].is.edges = "0 1 0,3 4 0,2 3 0,2 4 0"; /* 2 / 2 edges, against 6 / 3 */
    stage_makes("fig9", map);
    stage_claims("authors' settings: clusters of spammers have more edges than", false,
                 "1.0 edges a cluster against 2.0.");
    stage_claims("authors' settings: more edges join spammers with others", false,
                 "0 edges against 1.");
    stage_claims("gain rule: clusters of spammers have more edges than", true,
                 "2.0 edges a cluster against 1.3.");
    set_edges();
    written[0].is.edges = "0 2 1,1 2 1";
    written[1].is.clusters = "0 1,2 3,4,5 6,7 8 9";
    written[1].is.edges = "0 1 0,0 2 0,1 3 0,3 4 1";
    stage_makes("fig9", map);
    stage_claims("gain rule: the others form smaller groups.", false,
                 "a mean of 2.0 nodes against 2.0.");
    stage_claims("gain rule: more edges join spammers with others", false, "2 edges against 2.");
    stage_claims("gain rule: without overlap all edges are structural.", false,
                 "some clusters share nodes.");
    stage_claims("authors' settings: without overlap all edges are structural.", true,
                 "no two clusters share a node.");
}

/* As many edges at each cluster of either kind is not more; and where there is no such cluster there
 * is no edge at it. */
static void clusters_of_one_kind_have_no_lead(void **state) {
    (void)state;
    set_edges();
    written[1].is =
        (sketch){.clusters = "0,1", .classes = CLASSES, .edges = "0 1 0", .more = {SPAM, OTHERS}};
    written[2].is =
        (sketch){.clusters = "0,1", .classes = CLASSES, .edges = "0 1 0", .more = {OTHERS, OTHERS}};
    stage_makes("fig9", map);
    stage_claims("gain rule: clusters of spammers have more edges than", false,
                 "1.0 edges a cluster against 1.0.");
    stage_claims("authors' settings: clusters of spammers have more edges than", false,
                 "0.0 edges a cluster against 1.0.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spammers_form_few_large_clusters),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(clusters_that_are_misjudged_are_counted),
        cmocka_unit_test(half_of_them_are_not_most),
        cmocka_unit_test(a_summary_without_clusters_shows_no_mistake),
        cmocka_unit_test(edges_of_the_graph_join_spammers_with_others),
        cmocka_unit_test(each_claim_can_fail),
        cmocka_unit_test(clusters_of_one_kind_have_no_lead),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
