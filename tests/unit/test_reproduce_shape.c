/* SPDX-License-Identifier: Apache-2.0 */
/* The claims about trees and about overlap as parts of a report, over sweeps and summaries whose
 * edges were counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_panels.h"

/* ---- trees ---- */

enum { LENSES = 12, COVERS = 9, LINE = 10, PLANE = 11 };
static dgmi_reproduce_panel panels[LENSES][COVERS];
static int written; /* panels in a file */

/* Of 100 edges 4 close a loop, and 10 on two axes. */
static void plant_trees(void) {
    static const int64_t intervals[] = {10, 20, 40};
    static const double overlaps[] = {0.1, 0.2, 0.4};
    written = COVERS;
    for (int lens = 0; lens < LENSES; lens++)
        for (int i = 0; i < COVERS; i++)
            panels[lens][i] = (dgmi_reproduce_panel){.intervals = intervals[i % 3],
                                                     .overlap = overlaps[i / 3],
                                                     .clusters = 60,
                                                     .edges = 100,
                                                     .b0 = 3,
                                                     .b1 = 2,
                                                     .cycle_rank = lens == PLANE ? 10 : 4};
}

static void set_loops(int lens, int from, int to, int64_t loops) {
    for (int i = from; i < to; i++)
        panels[lens][i].cycle_rank = loops;
}

static dgm_status sweep(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    int lens;
    (void)user;
    assert_string_equal(words[0], "sweep");
    assert_int_equal(sscanf(file, "claim-trees/lens%d.json", &lens), 1);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"panels\": [");
    for (int i = 0; i < written; i++) {
        const dgmi_reproduce_panel *is = &panels[lens - 1][i];
        fprintf(out,
                "%s{\"intervals\": %d, \"overlap\": %g, \"clusters\": %d, \"edges\": %d, \"b0\": "
                "%d, \"b1\": %d, \"cycle_rank\": %d}",
                i ? ",\n" : "", (int)is->intervals, is->overlap, (int)is->clusters, (int)is->edges,
                (int)is->b0, (int)is->b1, (int)is->cycle_rank);
    }
    fprintf(out, "]}\n");
    assert_int_equal(fclose(out), 0);
    return DGM_OK;
}

static void few_loops_are_trees(void **state) {
    (void)state;
    plant_trees();
    panels[0][1].edges = 200;
    panels[0][1].cycle_rank = 9;
    stage_needs_every_command("claim-trees", sweep);
    stage_makes("claim-trees", sweep);
    stage_claims("The summary of figure 1 is tree-like.", true, "9 of its 200 edges close a loop.");
    stage_claims("Through the network of figure 1, most covers", true, "9 of 9 covers.");
    stage_claims("Through other lenses of one axis, too,", true, "90 of 90 summaries.");
    stage_claims("On two axes a larger share of edges", true, "with 9 of 9 covers.");
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 4);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), LENSES);
    stage_says("Each lens is mapped with 9 covers");
    stage_says("fewer than 5% of its edges close a loop");
    stage_ran("dgm sweep spam --lens gcn:preset=reference --intervals 10,20,40 --overlap "
              "0.1,0.2,0.4 -o claim-trees/lens1.json");
    stage_ran("dgm sweep data/citeseer --lens eigen --intervals 10,20,40 --overlap 0.1,0.2,0.4 -o "
              "claim-trees/lens10.json");
    stage_ran("dgm sweep data/cora --lens gcn:preset=reference --reduce tsne --dim 1 --intervals "
              "10,20,40 --overlap 0.1,0.2,0.4 -o claim-trees/lens11.json");
    stage_ran("dgm sweep data/cora --lens gcn:preset=reference --reduce tsne --dim 2 --intervals "
              "10,20,40 --overlap 0.1,0.2,0.4 -o claim-trees/lens12.json");
}

/* One in twenty is not fewer than one in twenty. */
static void one_edge_in_twenty_is_too_many(void **state) {
    (void)state;
    plant_trees();
    panels[0][1].cycle_rank = 5;
    stage_makes("claim-trees", sweep);
    stage_claims("The summary of figure 1 is tree-like.", false,
                 "5 of its 100 edges close a loop.");
    stage_claims("Through the network of figure 1, most covers", true, "8 of 9 covers.");
}

static void most_means_more_than_half(void **state) {
    (void)state;
    plant_trees();
    set_loops(0, 2, 6, 30);
    for (int lens = 1; lens <= 5; lens++)
        set_loops(lens, 0, COVERS, 30);
    stage_makes("claim-trees", sweep);
    stage_claims("Through the network of figure 1, most covers", true, "5 of 9 covers.");
    stage_claims("Through other lenses of one axis, too,", false, "45 of 90 summaries.");
    set_loops(0, 6, 7, 30);
    set_loops(1, 3, 4, 0);
    stage_makes("claim-trees", sweep);
    stage_claims("Through the network of figure 1, most covers", false, "4 of 9 covers.");
    stage_claims("Through other lenses of one axis, too,", true, "46 of 90 summaries.");
}

/* The plane does not count among the lenses of one axis, and the network of figure 1 not among the
 * others. The line must have the smaller share of loops with every cover, and not the smaller
 * number. */
static void every_cover_of_the_plane_has_more_loops(void **state) {
    (void)state;
    plant_trees();
    set_loops(0, 2, COVERS, 90);
    set_loops(PLANE, 0, COVERS, 90);
    set_loops(PLANE, 4, 5, 4);
    stage_makes("claim-trees", sweep);
    stage_claims("Through other lenses of one axis, too,", true, "90 of 90 summaries.");
    stage_claims("On two axes a larger share of edges", false, "with 8 of 9 covers.");
    panels[PLANE][4].edges = 50;
    stage_makes("claim-trees", sweep);
    stage_claims("On two axes a larger share of edges", true, "with 9 of 9 covers.");
}

/* The row has the cover with the largest share of loops, the first of several. */
static void a_row_has_the_worst_cover(void **state) {
    (void)state;
    plant_trees();
    set_loops(3, 0, COVERS, 0);
    panels[3][0].edges = 0; /* no edge closes a loop where there is none */
    panels[3][4] = (dgmi_reproduce_panel){20, 0.2, 41, 80, 7, 5, 10};
    panels[3][7] = (dgmi_reproduce_panel){20, 0.4, 42, 160, 8, 6, 20};
    panels[3][8].cycle_rank = 11;
    stage_makes("claim-trees", sweep);
    stage_has_row("Cora, PageRank\t6\t6\t20, 0.2\t41\t80\t7\t10\t5\t12.5%");
    stage_has_row("Cora, GCN, t-SNE onto two axes\t0\t0\t10, 0.1\t60\t100\t3\t10\t2\t10.0%");
    stage_has_row("spam, PageRank\t0\t9\t10, 0.1\t60\t100\t3\t4\t2\t4.0%");
}

static dgm_status write_nothing(void *user, int count, const char *const *words) {
    (void)user;
    (void)count;
    (void)words;
    return DGM_OK;
}

static dgm_status write_half(void *user, int count, const char *const *words) {
    (void)user;
    stage_write(output_of(count, words), "{\"panels\": [{\"intervals\": 10,");
    return DGM_OK;
}

/* The last panel has no number of edges. */
static dgm_status write_hole(void *user, int count, const char *const *words) {
    size_t size;
    assert_int_equal(sweep(user, count, words), DGM_OK);
    char *text = scratch_content(output_of(count, words), &size), *at = text, *last = NULL;
    while ((at = strstr(at, "\"edges\"")))
        last = at++;
    assert_non_null(last);
    memcpy(last, "\"sedge\"", 7);
    stage_write(output_of(count, words), text);
    free(text);
    return DGM_OK;
}

static dgm_status refuse(void *user, int count, const char *const *words) {
    (void)user;
    (void)count;
    return dgmi_fail(ctx, DGM_ERROR_DATA, "no %s today", words[0]);
}

static void sweeps_that_are_not_whole_are_named(void **state) {
    (void)state;
    plant_trees();
    unlink("claim-trees/lens1.json");
    stage_fails("claim-trees", write_nothing, "claim-trees/lens1.json: no such file");
    stage_fails("claim-trees", write_half, "claim-trees/lens1.json");
    written = COVERS - 1;
    stage_fails("claim-trees", sweep,
                "claim-trees/lens1.json: it has 8 panels, and at least 9 are needed");
    written = COVERS;
    stage_fails("claim-trees", write_hole,
                "claim-trees/lens1.json: panels[8] lacks one of its numbers");
    stage_fails("claim-trees", refuse, "no sweep today");
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 0);
}

/* ---- overlap ---- */

enum { STEPS = 5 };

/* Edges by graph (spam, Cora), eps (0, 0.01) and overlap. */
typedef struct edges {
    int semantic, structural;
} edges;
static edges are[2][2][STEPS];

static void trade_edges(void) {
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < STEPS; i++)
            are[k / 2][k % 2][i] = (edges){2 * i, 10 - 2 * i};
}

/* Eight clusters of one node each; of their pairs the first ones share nodes. */
static void write_edges(const char *data, const char *file, edges is) {
    char list[512] = "";
    int k = 0;
    for (int a = 0; a < 8; a++)
        for (int b = a + 1; b < 8 && k < is.semantic + is.structural; b++, k++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d %d %d", k ? "," : "", a,
                     b, k < is.semantic ? 1 : 0);
    stage_sketch(data, file, &(sketch){.clusters = "0,1,2,3,4,5,6,7", .edges = list});
}

static dgm_status map_edges(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    if (strcmp(words[0], "map") != 0) {
        stage_write(file, "a table");
        return DGM_OK;
    }
    bool cora = strcmp(words[1], "data/cora") == 0;
    bool above = strcmp(word_after(count, words, "--eps"), "0.01") == 0;
    int step = (int)(10 * atof(word_after(count, words, "--overlap")) + 0.5);
    write_edges(words[1], file, are[cora][above][step]);
    return DGM_OK;
}

static void g_trades_edges_of_the_graph_for_shared_nodes(void **state) {
    (void)state;
    trade_edges();
    stage_data("cora", 8, NULL);
    stage_needs_every_command("claim-overlap", map_edges);
    stage_makes("claim-overlap", map_edges);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 12);
    for (int k = 0; k < 4; k++) {
        char claim[96];
        snprintf(claim, sizeof claim, "%s, eps = %s: without overlap all edges are structural.",
                 k < 2 ? "spam, GCN" : "Cora, DGI", k % 2 ? "0.01" : "0");
        stage_claims(claim, true, "0 of 10 edges join clusters that share nodes.");
        snprintf(claim, sizeof claim, "%s, eps = %s: with each step of g the share",
                 k < 2 ? "spam, GCN" : "Cora, DGI", k % 2 ? "0.01" : "0");
        stage_claims(claim, true, "0.0%, 20.0%, 40.0%, 60.0% and 80.0%.");
        snprintf(claim, sizeof claim, "%s, eps = %s: with each step of g there are fewer",
                 k < 2 ? "spam, GCN" : "Cora, DGI", k % 2 ? "0.01" : "0");
        stage_claims(claim, true, "10, 8, 6, 4 and 2.");
    }
    stage_has_row("Cora, DGI\t0.01\t0.3\t8\t10\t6\t4");
    stage_ran("dgm map spam --lens-file tables/spam-gcn-prob.npy --intervals 20 --overlap 0.4 "
              "--edges structural --strength sas --eps 0 -o claim-overlap/spam-0-0.4.json");
    stage_ran("dgm map data/cora --lens-file tables/cora-dgi-tsne.npy --intervals 20 --overlap 0 "
              "--edges structural --strength sas --eps 0.01 -o claim-overlap/cora-0.01-0.json");
    stage_ran("dgm reduce tables/spam-gcn.npy --method prob -o tables/spam-gcn-prob.npy");
    stage_ran("dgm reduce tables/cora-dgi.npy --method tsne --dim 2 -o tables/cora-dgi-tsne.npy");
}

/* Each change is to one graph and one eps, and spoils the claims of these alone. */
static void each_step_counts(void **state) {
    (void)state;
    trade_edges();
    are[0][0][0] = (edges){1, 9};
    are[0][1][0] = (edges){0, 0};
    are[1][0][4] = (edges){3, 2};
    are[1][1][1] = (edges){1, 10};
    stage_makes("claim-overlap", map_edges);
    stage_claims("spam, GCN, eps = 0: without overlap", false,
                 "1 of 10 edges join clusters that share nodes.");
    stage_claims("spam, GCN, eps = 0: with each step of g the share", true,
                 "10.0%, 20.0%, 40.0%, 60.0% and 80.0%.");
    stage_claims("spam, GCN, eps = 0: with each step of g there are fewer", true,
                 "9, 8, 6, 4 and 2.");
    stage_claims("spam, GCN, eps = 0.01: without overlap", false,
                 "0 of 0 edges join clusters that share nodes.");
    stage_claims("spam, GCN, eps = 0.01: with each step of g there are fewer", false,
                 "0, 8, 6, 4 and 2.");
    stage_claims("Cora, DGI, eps = 0: with each step of g the share", false,
                 "0.0%, 20.0%, 40.0%, 60.0% and 60.0%.");
    stage_claims("Cora, DGI, eps = 0: with each step of g there are fewer", true,
                 "10, 8, 6, 4 and 2.");
    stage_claims("Cora, DGI, eps = 0.01: with each step of g the share", true,
                 "0.0%, 9.1%, 40.0%, 60.0% and 80.0%.");
    stage_claims("Cora, DGI, eps = 0.01: with each step of g there are fewer", false,
                 "10, 10, 6, 4 and 2.");
    are[0][1][0] = (edges){0, 1}; /* one edge is enough to be structural */
    stage_makes("claim-overlap", map_edges);
    stage_claims("spam, GCN, eps = 0.01: without overlap", true,
                 "0 of 1 edges join clusters that share nodes.");
}

static dgm_status map_half(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "map") != 0)
        return map_edges(user, count, words);
    return write_half(user, count, words);
}

static dgm_status refuse_to_map(void *user, int count, const char *const *words) {
    return strcmp(words[0], "map") == 0 ? refuse(user, count, words)
                                        : map_edges(user, count, words);
}

static void what_overlap_lacks_is_named(void **state) {
    (void)state;
    stage_fails("claim-overlap", refuse, "no lens today");
    stage_fails("claim-overlap", refuse_to_map, "no map today");
    stage_fails("claim-overlap", map_half, "claim-overlap/spam-0-0.json");
    trade_edges();
    stage_write("data/cora/edges.tsv", "0\t1\n1\n");
    stage_fails("claim-overlap", map_edges, "data/cora/edges.tsv:2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_loops_are_trees),
        cmocka_unit_test(one_edge_in_twenty_is_too_many),
        cmocka_unit_test(most_means_more_than_half),
        cmocka_unit_test(every_cover_of_the_plane_has_more_loops),
        cmocka_unit_test(a_row_has_the_worst_cover),
        cmocka_unit_test(sweeps_that_are_not_whole_are_named),
        cmocka_unit_test(g_trades_edges_of_the_graph_for_shared_nodes),
        cmocka_unit_test(each_step_counts),
        cmocka_unit_test(what_overlap_lacks_is_named),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
