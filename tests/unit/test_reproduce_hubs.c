/* SPDX-License-Identifier: Apache-2.0 */
/* The claim about hubs and dangling nodes as a part of a report, over ranks that are given by
 * hand: what lies exactly at the end of a cell, and sets in which there is nothing to compare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

/* ---- sets ---- */

static const char *const sets[] = {"DD", "PROTEINS", "COLLAB", "REDDIT-BINARY"};
enum { SETS = 4, MOST = 64 };

static FILE *open_file(const char *set, const char *end) {
    char path[128];
    snprintf(path, sizeof path, "data/%s/%s_%s.txt", set, set, end);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    return out;
}

/* Graphs of these sizes, one after the other, with edges between nodes that are counted from 1. */
static void write_set(const char *set, int graphs, const int *sizes, int count,
                      const int (*ends)[2]) {
    char folder[64];
    snprintf(folder, sizeof folder, "data/%s", set);
    mkdir(folder, 0777);
    FILE *edges = open_file(set, "A"), *owners = open_file(set, "graph_indicator");
    for (int i = 0; i < count; i++)
        fprintf(edges, "%d, %d\n%d, %d\n", ends[i][0], ends[i][1], ends[i][1], ends[i][0]);
    for (int g = 0; g < graphs; g++)
        for (int i = 0; i < sizes[g]; i++)
            fprintf(owners, "%d\n", g + 1);
    assert_int_equal(fclose(edges), 0);
    assert_int_equal(fclose(owners), 0);
}

/* ---- ranks ---- */

/* Of PROTEINS, whose cells are 0.16 long in [0, 1]; all others have ranks 1, 2, 3, ... */
static double ranks[MOST];
static int missing; /* rows that its file lacks */

static dgm_status run_command(void *user, int count, const char *const *words) {
    dgm_matrix *table;
    (void)user;
    if (strcmp(words[0], "lens") != 0)
        return DGM_OK;
    bool given = strcmp(words[1], "data/PROTEINS") == 0;
    int64_t rows = stage_nodes(words[1]) - (given ? missing : 0);
    assert_int_equal(dgm_matrix_create(ctx, rows, 1, &table), DGM_OK);
    for (int64_t i = 0; i < rows; i++)
        dgm_matrix_values_mutable(table)[i] = given ? ranks[i] : (double)(i + 1);
    assert_int_equal(dgm_matrix_write(ctx, table, NULL, output_of(count, words)), DGM_OK);
    dgm_matrix_free(table);
    return DGM_OK;
}

static int begin(void **state) {
    if (stage_begin(state) != 0)
        return -1;
    stage_data("cora", 5, NULL);
    stage_options.quick = true;
    return 0;
}

static void make(void) {
    stage_options.quick = true;
    stage_needs_every_command("claim-hubs", run_command);
    stage_makes("claim-hubs", run_command);
}

/* Eight nodes on a ring with two chords, 1 - 3 and 5 - 7. Ranks from 0 to 1 are as they are
 * scaled. */
static void write_ring(void) {
    static const int ends[][2] = {{1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 8}, {8, 1}, {1, 3}, {5, 7}};
    write_set("PROTEINS", 1, (const int[]){8}, 10, ends);
}

#define FEWER    "Proteins: the last cell, with the highest ranks, has fewer nodes"
#define DENSER   "Proteins: its nodes are better connected"
#define MANY     "Proteins: the first cell has many nodes"
#define DANGLING "Proteins: most dangling nodes"

/* The first cell is [0, 0.16): it has node 1, of degree 3, and not node 2 at its end. The last
 * one is [0.84, 1]: it has node 7 at its beginning and node 8, of degrees 3 and 2. */
static void cells_end_where_their_length_says(void **state) {
    static const double given[8] = {0, 0.16, 0.3, 0.4, 0.5, 0.6, 0.84, 1};
    (void)state;
    write_ring();
    memcpy(ranks, given, sizeof given);
    ranks[6] = 1 - 0.16;
    make();
    stage_has_row("Proteins\t8\t0.25\t1\t0\t12.5%\t25.0%\t3.00\t2.50\t0.0%\t0%");
    stage_claims(FEWER, false, "in 0 of 1.");
    stage_claims(DENSER, false, "their mean degree is larger in 0 of 1.");
    stage_claims(MANY, false, "in 0 of 1."); /* one node in eight is an even share */
    stage_claims(DANGLING, false, "0 of 0; 0.0% of all nodes are dangling.");
    ranks[1] = 0.1599;
    ranks[6] = 0.8399;
    make(); /* nodes 1 and 2 against node 8: degrees of 3 and 2, and of 2 */
    stage_has_row("Proteins\t8\t0.25\t1\t0\t25.0%\t12.5%\t2.50\t2.00\t0.0%\t0%");
    stage_claims(FEWER, true, "in 1 of 1.");
    stage_claims(MANY, true, "in 1 of 1.");
}

/* Nodes 2 and 4, of degree 2, against node 8. */
static void what_is_as_well_connected_is_not_better(void **state) {
    static const double given[8] = {0.5, 0, 0.5, 0.1, 0.5, 0.5, 0.5, 1};
    (void)state;
    write_ring();
    memcpy(ranks, given, sizeof given);
    make();
    stage_has_row("Proteins\t8\t0.25\t1\t0\t25.0%\t12.5%\t2.00\t2.00\t0.0%\t0%");
    stage_claims(DENSER, false, "their mean degree is larger in 0 of 1.");
    ranks[0] = 0.05; /* of degree 3 */
    ranks[7] = 0.5;
    ranks[2] = 1; /* of degree 3 as well, against 3, 2 and 2 */
    make();
    stage_claims(DENSER, true, "their mean degree is larger in 1 of 1.");
}

/* A path of three nodes: those with one neighbour are in the last cell, the other in the first. */
static void dangling_nodes_may_be_at_the_top(void **state) {
    static const int ends[][2] = {{1, 2}, {2, 3}};
    (void)state;
    write_set("PROTEINS", 1, (const int[]){3}, 2, ends);
    ranks[0] = ranks[2] = 5;
    ranks[1] = 1;
    make();
    stage_has_row("Proteins\t8\t0.25\t1\t0\t33.3%\t66.7%\t2.00\t1.00\t66.7%\t0%");
    stage_claims(DANGLING, false, "0 of 2; 66.7% of all nodes are dangling.");
    ranks[0] = 1; /* half of them is not most */
    make();
    stage_claims(DANGLING, false, "1 of 2; 66.7% of all nodes are dangling.");
    stage_has_row("Proteins\t8\t0.25\t1\t0\t66.7%\t33.3%\t1.50\t1.00\t66.7%\t50%");
}

/* Two pairs of nodes of one rank each. */
static void where_all_ranks_are_one_nothing_is_compared(void **state) {
    static const int ends[][2] = {{1, 2}, {3, 4}};
    (void)state;
    write_set("PROTEINS", 2, (const int[]){2, 2}, 2, ends);
    ranks[0] = ranks[1] = 3;
    ranks[2] = ranks[3] = 7;
    make();
    stage_has_row("Proteins\t8\t0.25\t2\t2\t0.0%\t0.0%\t0.00\t0.00\t0.0%\t0%");
    stage_claims(FEWER, false, "in 0 of 0.");
    stage_claims(DENSER, false, "their mean degree is larger in 0 of 0.");
    stage_claims(MANY, false, "in 0 of 0.");
    stage_claims(DANGLING, false, "0 of 0; 0.0% of all nodes are dangling.");
}

/* Of two graphs or more most must be so; a graph alone is all there is. */
static void most_graphs_are_asked_of_a_set_alone(void **state) {
    static const int ends[][2] = {{1, 2}, {3, 4}};
    (void)state;
    write_set("PROTEINS", 2, (const int[]){2, 2}, 2, ends);
    make();
    stage_find(DGMI_REPRODUCE_CLAIM, FEWER " than the first, in most graphs.");
    stage_find(DGMI_REPRODUCE_CLAIM, DENSER " than those of the first, in most graphs.");
    stage_find(DGMI_REPRODUCE_CLAIM,
               MANY ", more than one in 8, which is an even share, in most graphs.");
    stage_find(DGMI_REPRODUCE_CLAIM, "Cora: the last cell, with the highest ranks, has fewer nodes "
                                     "than the first.");
    stage_find(DGMI_REPRODUCE_CLAIM,
               "Cora: the first cell has many nodes, more than one in 20, which is an even share.");
}

static void a_quick_run_has_two_sets_and_any_other_all(void **state) {
    static const int ends[][2] = {{1, 2}, {2, 3}};
    (void)state;
    for (int i = 0; i < SETS; i++)
        write_set(sets[i], 1, (const int[]){3}, 2, ends);
    for (int i = 0; i < 3; i++)
        ranks[i] = i;
    make();
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2 * 4);
    stage_options.quick = false;
    stage_makes("claim-hubs", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), SETS + 1);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 4 * (SETS + 1));
    stage_has_row("D&D\t20\t0.1\t1\t0\t33.3%\t33.3%\t1.00\t1.00\t66.7%\t50%");
    stage_has_row_of("Collab\t20\t0.1\t1\t");
    stage_has_row_of("Reddit-Binary\t20\t0.25\t1\t");
    stage_has_row_of("Cora\t20\t0.1\t1\t");
    stage_ran("dgm lens data/COLLAB --lens pagerank:tolerance=1e-13 -o tables/COLLAB-pagerank.npy");
}

static void ranks_of_another_graph_are_refused(void **state) {
    static const int ends[][2] = {{1, 2}, {2, 3}};
    (void)state;
    write_set("PROTEINS", 1, (const int[]){3}, 2, ends);
    missing = 1;
    stage_options.quick = true;
    stage_fails("claim-hubs", run_command, "PROTEINS: the ranks are those of another graph");
    missing = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_end_where_their_length_says),
        cmocka_unit_test(what_is_as_well_connected_is_not_better),
        cmocka_unit_test(dangling_nodes_may_be_at_the_top),
        cmocka_unit_test(where_all_ranks_are_one_nothing_is_compared),
        cmocka_unit_test(most_graphs_are_asked_of_a_set_alone),
        cmocka_unit_test(a_quick_run_has_two_sets_and_any_other_all),
        cmocka_unit_test(ranks_of_another_graph_are_refused),
    };
    return RUN_GROUP(tests, begin, stage_end);
}
