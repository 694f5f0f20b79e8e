/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 3, 5, 6 and 10 as parts of a report, over summaries and sweeps that are given by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_panels.h"

static int begin(void **state) {
    if (stage_begin(state) != 0)
        return -1;
    stage_data("cora", 8, "0\n0\n0\n1\n1\n1\n2\n2\n");
    stage_data("citeseer", 8, NULL);
    return 0;
}

/* ---- figures 3 and 10: a sketch for each file ---- */

static const char *const names3[] = {"fig3/dgm.json", "fig3/authors.json", "fig3/one.json"};
static const char *const names10[] = {"fig10/eps1.json", "fig10/eps2.json", "fig10/eps3.json",
                                      "fig10/authors.json"};
static const char *const *names;
static sketch sketches[4];

static dgm_status map(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    if (strcmp(words[0], "map") != 0) {
        stage_write(file, words[0]);
        return DGM_OK;
    }
    for (int i = 0; i < (names == names3 ? 3 : 4); i++)
        if (strcmp(file, names[i]) == 0)
            stage_sketch(words[1], file, &sketches[i]);
    return DGM_OK;
}

/* Node 0 lies in three clusters on two axes, and in two on one. */
static void set_axes(void) {
    names = names3;
    sketches[0] = (sketch){.clusters = "0 1,0 2,0 3,4",
                           .edges = "0 1 1,0 2 1,1 2 1",
                           .b0 = 2,
                           .b1 = 6,
                           .triangles = 5};
    sketches[1] = (sketch){.clusters = "0,0 1,0 2,0 3,0 4", .edges = "0 1 1", .b0 = 4};
    sketches[2] = (sketch){.clusters = "0 1,0 2", .edges = "0 1 1", .b0 = 1};
}

static void two_axes_show_larger_cliques(void **state) {
    (void)state;
    set_axes();
    stage_needs_every_command("fig3", map);
    stage_makes("fig3", map);
    stage_claims("Two axes show cliques of more than two clusters.", true,
                 "up to 3 clusters share a node, and there are 5 triangles.");
    stage_claims("One axis with the same cells shows only smaller cliques.", true,
                 "up to 2 clusters share a node.");
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2);
    stage_has_row("two axes\t4\t3\t2\t6\t5\t3");
    stage_has_row("two axes, authors' settings\t5\t1\t4\t0\t0\t5");
    stage_has_row("one axis\t2\t1\t1\t0\t0\t2");
    stage_ran("dgm map data/cora --lens gcn:preset=reference --reduce tsne --dim 1 --intervals 9 "
              "--overlap 0.1 -o fig3/one.json");
    stage_shows("9 cells an axis and 10% overlap", "fig3/dgm.svg");
    stage_shows("The same with the authors' settings.", "fig3/authors.svg");
}

static void two_clusters_at_a_node_are_no_clique(void **state) {
    (void)state;
    set_axes();
    sketches[0].clusters = "0 1,0 2,1 3,4";
    stage_makes("fig3", map);
    stage_claims("Two axes show cliques of more than two clusters.", false,
                 "up to 2 clusters share a node, and there are 5 triangles.");
    stage_claims("One axis with the same cells shows only smaller cliques.", false,
                 "up to 2 clusters share a node.");
    set_axes();
    sketches[2].clusters = "0 1,0 2,0 3,0 4";
    stage_makes("fig3", map);
    stage_claims("Two axes show cliques of more than two clusters.", true,
                 "up to 3 clusters share a node, and there are 5 triangles.");
    stage_claims("One axis with the same cells shows only smaller cliques.", false,
                 "up to 4 clusters share a node.");
}

static void set_eps(void) {
    names = names10;
    sketches[0] = (sketch){.clusters = "0,1,2,3", .edges = "0 1 0,0 2 0,0 3 0", .cycle_rank = 7};
    sketches[1] = (sketch){.clusters = "0,1,2,3", .edges = "0 1 0,0 2 0"};
    sketches[2] = (sketch){.clusters = "0,1,2", .edges = "0 1 0"};
    sketches[3] = (sketch){.clusters = "0,1", .edges = "0 1 0", .cycle_rank = 1};
}

static void lower_eps_join_more(void **state) {
    (void)state;
    set_eps();
    stage_needs_every_command("fig10", map);
    stage_makes("fig10", map);
    stage_claims("Lower values of eps join more clusters.", true,
                 "3, 2 and 1 edges at eps = 0.01, 0.05 and 0.10.");
    stage_has_row("eps = 0.01\t4\t3\t7");
    stage_has_row("eps = 0.10\t3\t1\t0");
    stage_has_row("authors' settings, eps = 0.05\t2\t1\t1");
    stage_ran("dgm map data/cora --lens-file tables/cora-dgi-tsne.npy --intervals 20 --overlap 0 "
              "--edges structural --eps 0.05 --colour labels --style paper -o fig10/eps2.json -o "
              "fig10/eps2.svg");
    stage_shows("eps = 0.10", "fig10/eps3.svg");
    for (int i = 0; i < 2; i++) { /* each step counts */
        set_eps();
        sketches[i].edges = sketches[i + 1].edges;
        stage_makes("fig10", map);
        assert_false(stage_find(DGMI_REPRODUCE_CLAIM, "Lower values of eps")->holds);
    }
}

/* ---- figure 5: a sweep ---- */

enum { PANELS = 6 };
static dgmi_reproduce_panel panels[PANELS];
static int written;
static const char *towers, *pairs;

static void set_sweep(void) {
    static const dgmi_reproduce_panel usual[PANELS] = {
        {5, 0.2, 10, 10, 3, 1, 0},   {10, 0.2, 20, 20, 4, 2, 0},   {20, 0.2, 40, 60, 5, 3, 0},
        {5, 0.4, 11, 12, 30, 10, 0}, {10, 0.4, 22, 44, 40, 20, 0}, {20, 0.4, 44, 88, 50, 30, 0}};
    memcpy(panels, usual, sizeof usual);
    written = PANELS;
    /* Three pieces, of which one lasts from panel 2 to the end; two loops, of which none does, as one
     * was born later and one ends. */
    towers = "[{\"panels\": [2, 1, 3], \"bars\": ["
             "{\"dimension\": 0, \"birth\": 2, \"death\": null}, "
             "{\"dimension\": 0, \"birth\": 2, \"death\": 1}, "
             "{\"dimension\": 0, \"birth\": 1, \"death\": null}, "
             "{\"dimension\": 1, \"birth\": 1, \"death\": null}, "
             "{\"dimension\": 1, \"birth\": 2, \"death\": 0}]}]";
    pairs = "[{\"classes\": [\"A\", \"B\"], \"edges\": [1, 2, 3, 4, 5, 6], \"joined\": 6}, "
            "{\"classes\": [\"A\", \"C\"], \"edges\": [0, 0, 0, 0, 0, 9], \"joined\": 1}, "
            "{\"classes\": [\"B\", \"C\"], \"edges\": [0, 0, 0, 0, 0, 0], \"joined\": 0}]";
}

static dgm_status sweep(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"panels\": [");
    for (int i = 0; i < written; i++)
        fprintf(out,
                "%s{\"intervals\": %d, \"overlap\": %g, \"clusters\": %d, \"edges\": %d, \"b0\": "
                "%d, \"b1\": %d, \"cycle_rank\": %d}",
                i ? ",\n" : "", (int)panels[i].intervals, panels[i].overlap,
                (int)panels[i].clusters, (int)panels[i].edges, (int)panels[i].b0, (int)panels[i].b1,
                (int)panels[i].cycle_rank);
    fprintf(out, "], \"towers\": %s, \"class_pairs\": %s}\n", towers, pairs);
    assert_int_equal(fclose(out), 0);
    return DGM_OK;
}

#define GROWS     "More intervals make more clusters, for both overlaps."
#define DENSER    "More overlap makes more edges a cluster, for all numbers of intervals."
#define ALWAYS    "Some classes are joined at all six resolutions."
#define SOMETIMES "Some connections of classes do not survive at all resolutions."

static void six_covers_are_compared(void **state) {
    (void)state;
    set_sweep();
    stage_needs_every_command("fig5", sweep);
    stage_makes("fig5", sweep);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 4);
    stage_claims(GROWS, true, "10, 20, 40 clusters at g = 0.2, and 11, 22, 44 at 0.4.");
    stage_claims(DENSER, true,
                 "1.0, 1.0, 1.5 edges a cluster at g = 0.2, and 1.1, 2.0, 2.0 at 0.4.");
    stage_claims(ALWAYS, true, "1 of 3 pairs of classes.");
    stage_claims(SOMETIMES, true, "at some resolutions only are joined: 1.");
    stage_find(DGMI_REPRODUCE_HEAD, "intervals\toverlap");
    stage_find(DGMI_REPRODUCE_HEAD, "from\tto\tpieces");
    stage_find(DGMI_REPRODUCE_HEAD, "edges between\t");
    stage_has_row("20\t0.2\t40\t60\t5\t3");
    stage_has_row("5\t0.4\t11\t12\t30\t10");
    stage_has_row("n = 20, g = 0.2\tn = 5, g = 0.4\t3\t1\t2\t0");
    stage_has_row("A and B\t1\t2\t3\t4\t5\t6");
    stage_has_row("B and C\t0\t0\t0\t0\t0\t0");
    stage_shows("Six covers in one layout", "fig5/sweep.svg");
}

/* Clusters are compared along a row of panels, and edges along a column. */
static void each_panel_counts(void **state) {
    static const int row[] = {1, 2, 4, 5};
    (void)state;
    for (int k = 0; k < 4; k++) {
        set_sweep();
        panels[row[k]].clusters = panels[row[k] - 1].clusters;
        stage_makes("fig5", sweep);
        assert_false(stage_find(DGMI_REPRODUCE_CLAIM, GROWS)->holds);
    }
    for (int i = 3; i < PANELS; i++) {
        set_sweep();
        panels[i].clusters = 2 * panels[i - 3].clusters; /* as dense, and more */
        panels[i].edges = 2 * panels[i - 3].edges;
        stage_makes("fig5", sweep);
        assert_false(stage_find(DGMI_REPRODUCE_CLAIM, DENSER)->holds);
    }
    set_sweep(); /* a row begins anew */
    panels[3].clusters = 5;
    panels[2].clusters = 50;
    stage_makes("fig5", sweep);
    assert_true(stage_find(DGMI_REPRODUCE_CLAIM, GROWS)->holds);
}

static void pairs_are_joined_always_sometimes_or_never(void **state) {
    (void)state;
    set_sweep();
    pairs = "[{\"classes\": [\"A\", \"B\"], \"edges\": [0, 2, 3, 4, 5, 6], \"joined\": 5}, "
            "{\"classes\": [7, \"C\"], \"edges\": [1, 0, 0, 0, 0, 0], \"joined\": 1}]";
    stage_makes("fig5", sweep);
    stage_claims(ALWAYS, false, "0 of 2 pairs of classes.");
    stage_claims(SOMETIMES, true, "at some resolutions only are joined: 2.");
    stage_has_row("? and C\t1\t0\t0\t0\t0\t0");
    pairs = "[{\"classes\": [\"A\", \"B\"], \"edges\": [1, 2, 3, 4, 5, 6], \"joined\": 6}, "
            "{\"classes\": [\"A\", \"C\"], \"edges\": [0, 0, 0, 0, 0, 0], \"joined\": 0}]";
    stage_makes("fig5", sweep);
    stage_claims(ALWAYS, true, "1 of 2 pairs of classes.");
    stage_claims(SOMETIMES, false, "at some resolutions only are joined: 0.");
}

static dgm_status refuse_to_map(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "map") != 0)
        return sweep(user, count, words);
    return dgmi_fail(ctx, DGM_ERROR_DATA, "nobody maps");
}

static dgm_status write_half(void *user, int count, const char *const *words) {
    (void)user;
    stage_write(output_of(count, words), "{\"panels\": [");
    return DGM_OK;
}

static void sweeps_that_are_not_whole_are_named(void **state) {
    (void)state;
    set_sweep();
    written = 5;
    stage_fails("fig5", sweep, "fig5/sweep.json: it has 5 panels, and at least 6 are needed");
    set_sweep();
    towers = "[{\"panels\": [0, 6], \"bars\": []}]";
    stage_fails("fig5", sweep, "fig5/sweep.json: towers[0] does not lead from panel to panel");
    towers = "[{\"panels\": [-1, 5], \"bars\": []}]";
    stage_fails("fig5", sweep, "towers[0] does not lead from panel to panel");
    towers = "[{\"panels\": [0, 5], \"bars\": []}, {\"panels\": [], \"bars\": []}]";
    stage_fails("fig5", sweep, "towers[1] does not lead from panel to panel");
    stage_fails("fig5", write_half, "fig5/sweep.json");
    set_sweep();
    stage_fails("fig5", refuse_to_map, "nobody maps");
}

/* ---- figure 6: classes of clusters ---- */

static const char *labels[4];
static const char *classes;

static dgm_status map_classes(void *user, int count, const char *const *words) {
    sketch is = {.clusters = "0 1,2 3,4 5,6 7", .classes = classes};
    (void)user;
    memcpy(is.more, labels, sizeof labels);
    stage_sketch(words[1], output_of(count, words), &is);
    return DGM_OK;
}

static void every_class_must_be_the_most_frequent_one_somewhere(void **state) {
    (void)state;
    classes = "\"0\", \"1\", \"2\"";
    labels[0] = "\"labels\": {\"0\": 2}";
    labels[1] = "\"labels\": {\"0\": 1, \"1\": 1}"; /* the first of two */
    labels[2] = "\"labels\": {\"1\": 2}";
    labels[3] = "\"labels\": {\"2\": 2}";
    stage_needs_every_command("fig6", map_classes);
    stage_makes("fig6", map_classes);
    stage_claims("Every class is the most frequent one of some cluster.", true,
                 "3 of 3 classes, in 4 clusters.");
    labels[3] = "\"labels\": {}";
    stage_makes("fig6", map_classes);
    stage_claims("Every class is the most frequent one of some cluster.", false,
                 "2 of 3 classes, in 4 clusters.");
    stage_shows("Cora on three axes", "fig6/dgm.svg");
}

/* A summary whose classes are not those of the graph. */
static void a_class_that_the_graph_does_not_have_is_named(void **state) {
    (void)state;
    classes = "\"0\", \"1\", \"2\", \"3\", \"4\"";
    labels[3] = "\"labels\": {\"4\": 2}";
    stage_fails("fig6", map_classes,
                "fig6/dgm.json: nodes[3] has a class that the graph does not have");
    labels[3] = "\"labels\": {\"3\": 2}";
    stage_fails("fig6", map_classes, "nodes[3] has a class that the graph does not have");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    set_axes();
    stage_fails("fig3", write_half, "fig3/dgm.json");
    stage_fails("fig10", write_half, "fig10/eps1.json");
    stage_fails("fig6", write_half, "fig6/dgm.json");
    unlink("data/cora/edges.tsv");
    stage_fails("fig3", write_half, "data/cora");
    stage_fails("fig6", write_half, "data/cora");
    stage_fails("fig10", write_half, "data/cora");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_axes_show_larger_cliques),
        cmocka_unit_test(two_clusters_at_a_node_are_no_clique),
        cmocka_unit_test(lower_eps_join_more),
        cmocka_unit_test(six_covers_are_compared),
        cmocka_unit_test(each_panel_counts),
        cmocka_unit_test(pairs_are_joined_always_sometimes_or_never),
        cmocka_unit_test(sweeps_that_are_not_whole_are_named),
        cmocka_unit_test(every_class_must_be_the_most_frequent_one_somewhere),
        cmocka_unit_test(a_class_that_the_graph_does_not_have_is_named),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, begin, stage_end);
}
