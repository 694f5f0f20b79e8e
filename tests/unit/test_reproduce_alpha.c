/* SPDX-License-Identifier: Apache-2.0 */
/* The claim that alpha near 0 merges all nodes as a part of a report, over ranks and cells that are
 * given by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

enum { ALPHAS = 5 };
static const char *const alphas[ALPHAS] = {"0.85", "0.5", "0.1", "0.01", "0.001"};

/* What PageRank gives with each alpha. */
typedef struct ranked {
    double low, high;
    const char *cells;
} ranked;
static ranked of_cora[ALPHAS], of_spam[ALPHAS];

/* The largest rank is 50, 20, 5, 2 and 1.5 times the smallest; cells of 2, 4, 6, 8 and 10 nodes. */
static void rank_all(void) {
    static const ranked usual[ALPHAS] = {{0.01, 0.5, "0 1,2,3 4,5,6,7,8,9"},
                                         {0.02, 0.4, "0,1 2 3 4,5,6,7,8,9"},
                                         {0.05, 0.25, "0 1 2 3 4 5,6,7 8 9"},
                                         {0.1, 0.2, "0 1,2 3 4 5 6 7 8 9"},
                                         {0.1, 0.15, "0 1 2 3 4 5 6 7 8 9"}};
    memcpy(of_cora, usual, sizeof usual);
    memcpy(of_spam, usual, sizeof usual);
}

static dgm_status map(void *user, int count, const char *const *words) {
    const char *lens = word_after(count, words, "--lens");
    const ranked *are = strcmp(words[1], "spam") == 0 ? of_spam : of_cora;
    char alpha[64];
    (void)user;
    assert_string_equal(words[0], "map");
    for (int i = 0; i < ALPHAS; i++) {
        snprintf(alpha, sizeof alpha, "pagerank:alpha=%s,tolerance=1e-14", alphas[i]);
        if (strcmp(lens, alpha) == 0)
            stage_sketch(
                words[1], output_of(count, words),
                &(sketch){.clusters = are[i].cells, .low = are[i].low, .high = are[i].high});
    }
    return DGM_OK;
}

static bool is_said(const char *words) {
    for (int64_t i = 0; i < stage_record.count; i++)
        if (stage_record.items[i].kind == DGMI_REPRODUCE_SAYS &&
            strstr(stage_record.items[i].text, words))
            return true;
    return false;
}

static void ranks_even_out_and_nodes_merge(void **state) {
    (void)state;
    rank_all();
    stage_data("cora", 10, NULL);
    stage_needs_every_command("claim-alpha", map);
    stage_makes("claim-alpha", map);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 6);
    stage_claims("Cora: the smaller alpha is, the more uniform are the ranks.", true,
                 "the largest is 50 times the smallest at 0.85, and 1.5 times at 0.001.");
    stage_claims("Cora: the smaller alpha is, the more nodes does one cluster hold.", true,
                 "20.0%, 40.0%, 60.0%, 80.0% and 100.0%.");
    stage_claims("Cora: with alpha near 0, all nodes are in one cluster.", true,
                 "at 0.001 there are 1 clusters, and the largest holds 100.0%.");
    stage_has_row("Cora\t0.85\t0.5\t50\t8\t20.0%");
    stage_has_row("Cora\t0.1\t0.25\t5\t3\t60.0%");
    stage_has_row("Cora\t0.001\t0.15\t1.5\t1\t100.0%");
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2 * ALPHAS);
    stage_says("20 intervals with an overlap of 0.1");
    stage_ran("dgm map data/cora --lens pagerank:alpha=0.01,tolerance=1e-14 --cluster none "
              "--intervals 20 --overlap 0.1 -o claim-alpha/cora-0.01.json");
    stage_ran("dgm map spam --lens pagerank:alpha=0.85,tolerance=1e-14 --cluster none "
              "--intervals 20 --overlap 0.1 -o claim-alpha/spam-0.85.json");
    assert_false(is_said("Without scaling"));
}

/* The graph of spammers has more than ten nodes: shares are of all of its nodes. */
static void shares_are_of_the_nodes_of_the_graph(void **state) {
    dgm_graph *graph;
    char found[128];
    (void)state;
    rank_all();
    stage_makes("claim-alpha", map);
    assert_int_equal(dgmi_reproduce_open(&stage, "spam", &graph), DGM_OK);
    double nodes = (double)dgm_graph_nodes(graph);
    dgm_graph_free(graph);
    assert_true(nodes > 100);
    snprintf(found, sizeof found, "%.1f%%, %.1f%%, %.1f%%, %.1f%% and %.1f%%.", 200 / nodes,
             400 / nodes, 600 / nodes, 800 / nodes, 1000 / nodes);
    stage_claims("spam: the smaller alpha is, the more nodes", true, found);
}

/* Each claim is spoilt by itself, in one graph. */
static void every_step_of_alpha_counts(void **state) {
    (void)state;
    rank_all();
    of_cora[2].low = 0.0125; /* 20 times, as one step before */
    of_spam[3].cells = "0 1 2 3 4 5";
    stage_makes("claim-alpha", map);
    stage_claims("Cora: the smaller alpha is, the more uniform", false,
                 "the largest is 50 times the smallest at 0.85, and 1.5 times at 0.001.");
    stage_claims("Cora: the smaller alpha is, the more nodes", true,
                 "20.0%, 40.0%, 60.0%, 80.0% and 100.0%.");
    stage_claims("spam: the smaller alpha is, the more uniform", true,
                 "the largest is 50 times the smallest at 0.85, and 1.5 times at 0.001.");
    assert_false(
        stage_find(DGMI_REPRODUCE_CLAIM, "spam: the smaller alpha is, the more nodes")->holds);
    rank_all();
    of_cora[4].cells = "0 1 2 3 4 5 6 7 8,9";
    stage_makes("claim-alpha", map);
    stage_claims("Cora: with alpha near 0, all nodes", false,
                 "at 0.001 there are 2 clusters, and the largest holds 90.0%.");
    stage_claims("spam: with alpha near 0, all nodes", true,
                 stage_find(DGMI_REPRODUCE_CLAIM, "spam: with alpha near 0")->more);
}

/* The first of 20 intervals of [0, 1] ends at 1/20. */
static void ranks_below_the_first_interval_are_said(void **state) {
    (void)state;
    rank_all();
    of_cora[0].low = 0.001;
    of_cora[0].high = 0.0499;
    of_spam[0].low = 0.001;
    of_spam[0].high = 0.05;
    stage_makes("claim-alpha", map);
    stage_says("Cora: the largest rank is 0.0499. Without scaling, all nodes would lie in the "
               "first of 20 intervals of [0, 1], with alpha = 0.85 as well.");
    assert_false(is_said("spam: the largest rank"));
}

static dgm_status write_other(void *user, int count, const char *const *words) {
    (void)user;
    stage_write(output_of(count, words), "{\"format\": \"other\"}");
    return DGM_OK;
}

static dgm_status refuse(void *user, int count, const char *const *words) {
    (void)user;
    (void)count;
    (void)words;
    return dgmi_fail(ctx, DGM_ERROR_DATA, "not today");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    stage_fails("claim-alpha", refuse, "not today");
    stage_fails("claim-alpha", write_other, "claim-alpha/cora-0.85.json");
    unlink("data/cora/edges.tsv");
    stage_fails("claim-alpha", map, "data/cora");
    stage_data("cora", 9, NULL); /* the cells name a node that is not there */
    stage_fails("claim-alpha", map, "claim-alpha/cora-0.85.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_even_out_and_nodes_merge),
        cmocka_unit_test(shares_are_of_the_nodes_of_the_graph),
        cmocka_unit_test(every_step_of_alpha_counts),
        cmocka_unit_test(ranks_below_the_first_interval_are_said),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
