/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 7: the judgement over numbers that are given by hand, and the part as a whole over summaries
 * that are; and the same of PubMed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "reproduce_lenses.h"

enum { DGI = DGMI_REPRODUCE_DGI, DENSITY = DGMI_REPRODUCE_DENSITY };

/* ---- the judgement ---- */

static dgmi_reproduce_lenses are;

static dgmi_reproduce_look look(int64_t clusters, double purity, double assortativity) {
    dgmi_reproduce_look is = {.clusters = clusters};
    is.classes.nodes = 10 * clusters;
    is.classes.shown = 3;
    is.classes.purity = (dgmi_reproduce_chance){purity + 0.25, 0.25, 0, purity};
    is.classes.assortativity = (dgmi_reproduce_chance){assortativity, 0, 0, assortativity};
    return is;
}

/* DGI leads its random lens by 0.4 and the density function its own by 0.1; edges by 0.5 and 0.2. */
static void set_all(void) {
    are.lens[DGI] = look(11, 0.5, 0.75);
    are.random[DGI] = look(12, 0.1, 0.25);
    are.lens[DENSITY] = look(13, 0.25, 0.375);
    are.random[DENSITY] = look(14, 0.15, 0.175);
}

static void judge(int32_t classes) {
    stage_set("fig7", NULL);
    dgmi_reproduce_lenses_judge(&stage, "Set", &are, classes);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 5);
}

#define APPEAR "Set: through DGI, all classes appear."
#define PURER  "Set: through DGI, clusters are purer above chance than through a random lens."
#define THAN   "Set: clusters are purer above chance than through the density function."
#define APART  "Set: the density function does not separate the classes."
#define EDGES  "Set: edges join clusters of one class more often"

static void what_the_figure_shows_holds(void **state) {
    (void)state;
    set_all();
    judge(3);
    stage_claims(APPEAR, true, "3 of 3 classes are the most frequent one of some cluster.");
    stage_claims(PURER, true, "0.500 against 0.100.");
    stage_claims(THAN, true, "0.500 against 0.250.");
    stage_claims(APART, true, "a lead of 0.100 against 0.400.");
    stage_claims(EDGES, true, "a lead of 0.500 against 0.200.");
}

/* Each claim fails by itself. */
static void each_claim_can_fail(void **state) {
    (void)state;
    set_all();
    judge(4);
    stage_claims(APPEAR, false, "3 of 4 classes are the most frequent one of some cluster.");
    set_all();
    are.random[DGI] = look(12, 0.5, 0.25); /* as pure as DGI */
    judge(3);
    stage_claims(PURER, false, "0.500 against 0.500.");
    stage_claims(APART, false, "a lead of 0.100 against 0.000.");
    stage_claims(THAN, true, "0.500 against 0.250.");
    set_all();
    are.lens[DENSITY] = look(13, 0.5, 0.375);
    judge(3);
    stage_claims(THAN, false, "0.500 against 0.500.");
    stage_claims(PURER, true, "0.500 against 0.100.");
    set_all();
    are.lens[DENSITY].classes.assortativity.above = 0.675; /* a lead of 0.5 as well */
    judge(3);
    stage_claims(EDGES, false, "a lead of 0.500 against 0.500.");
    stage_claims(APART, true, "a lead of 0.100 against 0.400.");
}

/* Leads of 0.125 and 0.25: half is not less than half. */
static void half_of_a_lead_separates_classes(void **state) {
    (void)state;
    set_all();
    are.lens[DGI].classes.purity.above = 0.5;
    are.random[DGI].classes.purity.above = 0.25;
    are.lens[DENSITY].classes.purity.above = 0.375;
    are.random[DENSITY].classes.purity.above = 0.25;
    judge(3);
    stage_claims(APART, false, "a lead of 0.125 against 0.250.");
    are.random[DENSITY].classes.purity.above = 0.26;
    judge(3);
    stage_claims(APART, true, "a lead of 0.115 against 0.250.");
}

/* Without edges nothing is said of edges. */
static void what_is_not_defined_does_not_hold(void **state) {
    (void)state;
    set_all();
    are.lens[DGI].classes.assortativity.above = NAN;
    are.random[DGI].classes.purity.above = NAN;
    judge(3);
    assert_false(stage_find(DGMI_REPRODUCE_CLAIM, EDGES)->holds);
    assert_false(stage_find(DGMI_REPRODUCE_CLAIM, PURER)->holds);
    assert_false(stage_find(DGMI_REPRODUCE_CLAIM, APART)->holds);
}

static void every_lens_has_its_row(void **state) {
    (void)state;
    set_all();
    stage_set("fig7", NULL);
    dgmi_reproduce_head(&stage, DGMI_REPRODUCE_LOOK_TITLES);
    dgmi_reproduce_lenses_rows(&stage, "Set", &are);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 4);
    stage_has_row("Set\tDGI and t-SNE\t11\t110\t0.750\t0.250\t0.500\t0.750\t0.000\t0.750");
    stage_has_row(
        "Set\trandom, beside DGI and t-SNE\t12\t120\t0.350\t0.250\t0.100\t0.250\t0.000\t0.250");
    stage_has_row("Set\tdensity\t13\t130\t0.500\t0.250\t0.250\t0.375\t0.000\t0.375");
    stage_has_row("Set\trandom, beside density\t14\t140\t0.400\t0.250\t0.150\t0.175\t0.000\t0.175");
}

/* ---- the parts ---- */

/* Two classes of four nodes, kept apart or mixed evenly, and some clusters of one node, which do not
 * count. */
static void write_clusters(const char *data, const char *file, bool pure, int singles,
                           int triangles) {
    char clusters[256];
    snprintf(clusters, sizeof clusters, "%s", pure ? "0 1 2 3,4 5 6 7" : "0 1 4 5,2 3 6 7");
    for (int i = 0; i < singles; i++)
        snprintf(clusters + strlen(clusters), sizeof clusters - strlen(clusters), ",%d", i % 8);
    stage_sketch(data, file, &(sketch){.clusters = clusters, .triangles = triangles});
}

/* How many clusters of one node a file has, by the end of its name. */
static const struct {
    const char *end;
    int singles;
} files[] = {{"-dgm.json", 1},     {"-dgm-authors.json", 2},     {"-dgm-authors-all.json", 6},
             {"-density.json", 4}, {"-density-authors.json", 3}, {"-density-authors-all.json", 10}};

static int triangles;    /* of a summary through the scores of a network */
static const char *pure; /* the word of files that keep the classes apart */

static bool ends_in(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void map(const char *data, const char *file) {
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (ends_in(file, files[i].end)) {
            write_clusters(data, file, strstr(file, pure) != NULL, files[i].singles, 0);
            return;
        }
    if (ends_in(file, "-random.json"))
        write_clusters(data, file, false, 0, 0);
    else
        write_clusters(data, file, true, ends_in(file, "gcn.json") ? 7 : 8,
                       ends_in(file, "gcn.json") ? triangles : 99);
}

/* Intervals of k give k clusters. */
static void sweep(const char *file) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fprintf(out, "{\"panels\": [");
    for (int k = 1; k <= 16; k++)
        fprintf(out,
                "%s{\"intervals\": %d, \"overlap\": 0.2, \"clusters\": %d, \"edges\": 0, \"b0\": "
                "0, \"b1\": 0, \"cycle_rank\": 0}",
                k > 1 ? ", " : "", k, k);
    fprintf(out, "]}\n");
    assert_int_equal(fclose(out), 0);
}

static dgm_status run_command(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    (void)user;
    if (strcmp(words[0], "map") == 0)
        map(words[1], file);
    else if (strcmp(words[0], "sweep") == 0)
        sweep(file);
    else
        stage_write(file, words[0]);
    return DGM_OK;
}

static int begin(void **state) {
    static const char labels[] = "0\n0\n0\n0\n1\n1\n1\n1\n";
    if (stage_begin(state) != 0)
        return -1;
    stage_data("cora", 8, labels);
    stage_data("citeseer", 8, labels);
    stage_data("pubmed", 8, labels);
    return 0;
}

/* The random lens beside a lens has the number of intervals that gives as many clusters as the lens
 * has before small pieces are dropped. */
static void every_summary_is_in_its_place(void **state) {
    (void)state;
    pure = "-dgm";
    stage_needs_every_command("fig7", run_command);
    stage_makes("fig7", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 2 * 2 * 5);
    assert_int_equal(stage_count(DGMI_REPRODUCE_ROW), 2 * 2 * 4);
    stage_has_row_of("Cora, gain rule\tDGI and t-SNE\t3\t8\t1.000\t");
    stage_has_row_of("Cora, authors' settings\tDGI and t-SNE\t4\t8\t1.000\t");
    stage_has_row_of("CiteSeer, gain rule\tdensity\t6\t8\t0.500\t");
    stage_has_row_of("CiteSeer, authors' settings\tdensity\t5\t8\t0.500\t");
    stage_has_row_of("Cora, gain rule\trandom, beside density\t2\t8\t0.500\t");
    stage_ran("dgm map data/cora --lens random --intervals 3 --overlap 0.2 -o "
              "fig7/cora-dgm-random.json");
    stage_ran("dgm map data/cora --lens random --intervals 6 --overlap 0.2 -o "
              "fig7/cora-density-random.json");
    stage_ran("dgm map data/cora --lens random --intervals 8 --overlap 0.2 --compat dgm "
              "--min-component 15 -o fig7/cora-dgm-authors-random.json");
    stage_ran("dgm map data/citeseer --lens random --intervals 12 --overlap 0.2 --compat dgm "
              "--min-component 10 -o fig7/citeseer-density-authors-random.json");
    stage_ran(
        "dgm map data/citeseer --lens-file tables/citeseer-dgi-authors-tsne.npy --intervals 8 "
        "--overlap 0.2 --compat dgm --min-component 20 --colour labels --style paper -o "
        "fig7/citeseer-dgm-authors.json -o fig7/citeseer-dgm-authors.svg");
    stage_ran("dgm map data/citeseer --lens density:delta=4 --intervals 20 --overlap 0.2 --colour "
              "labels --style paper -o fig7/citeseer-density.json -o fig7/citeseer-density.svg");
    stage_ran("dgm map data/cora --lens density:delta=3 --intervals 20 --overlap 0.2 --compat dgm "
              "-o fig7/cora-density-authors-all.json");
    stage_ran("dgm lens data/cora --lens dgi:preset=reference -o tables/cora-dgi-authors.npy");
    assert_int_equal(stage_count(DGMI_REPRODUCE_PICTURE), 12);
    stage_says("Beside a lens stands a random lens with the same overlap");
    stage_shows("Cora: through the density function, with the authors' settings.",
                "fig7/cora-density-authors.svg");
    stage_shows("CiteSeer: the whole graph.", "fig7/citeseer-graph.png");
}

static void check(const char *claim, bool holds) {
    bool found = stage_find(DGMI_REPRODUCE_CLAIM, claim)->holds;
    if (found != holds)
        fail_msg("\"%s\" %s", claim, found ? "holds" : "does not hold");
}

static void verdicts_follow_from_the_summaries(void **state) {
    (void)state;
    pure = "-dgm";
    stage_makes("fig7", run_command);
    stage_claims("Cora, gain rule: through DGI, all classes appear.", true,
                 "2 of 2 classes are the most frequent one of some cluster.");
    check("Cora, gain rule: through DGI, clusters are purer", true);
    check("CiteSeer, authors' settings: clusters are purer above chance than", true);
    check("CiteSeer, authors' settings: the density function does not separate", true);
    pure = "-density";
    stage_makes("fig7", run_command);
    check("Cora, gain rule: through DGI, clusters are purer", false);
    check("CiteSeer, authors' settings: clusters are purer above chance than", false);
    check("CiteSeer, authors' settings: the density function does not separate", false);
    pure = "cora-dgm.json";
    stage_makes("fig7", run_command);
    check("Cora, gain rule: clusters are purer above chance than", true);
    check("Cora, authors' settings: clusters are purer above chance than", false);
    check("CiteSeer, gain rule: clusters are purer above chance than", false);
}

static void pubmed_is_judged_alike(void **state) {
    (void)state;
    pure = "-dgm";
    triangles = 1;
    stage_needs_every_command("pubmed", run_command);
    stage_makes("pubmed", run_command);
    assert_int_equal(stage_count(DGMI_REPRODUCE_CLAIM), 1 + 2 * 5);
    stage_claims("Through the GCN there are cliques of more than two clusters", true,
                 "1 times three clusters share a node.");
    stage_has_row_of("PubMed\tGCN and t-SNE\t9\t8\t1.000\t");
    stage_has_row_of("PubMed\tGCN and t-SNE, SDGM of the authors\t10\t8\t1.000\t");
    stage_has_row_of("PubMed, gain rule\tDGI and t-SNE\t3\t8\t1.000\t");
    check("PubMed, authors' settings: clusters are purer above chance than", true);
    stage_ran("dgm map data/pubmed --lens density:delta=1,cutoff=4 --intervals 20 --overlap 0.2 "
              "--compat dgm --min-component 10 --colour labels --style paper -o "
              "pubmed/pubmed-density-authors.json -o pubmed/pubmed-density-authors.svg");
    stage_shows("PubMed through a GCN and t-SNE", "pubmed/gcn.svg");
    stage_says("Beside a lens stands a random lens with the same overlap");
    triangles = 0;
    stage_makes("pubmed", run_command);
    stage_claims("Through the GCN there are cliques of more than two clusters", false,
                 "0 times three clusters share a node.");
}

static dgm_status map_badly(void *user, int count, const char *const *words) {
    const char *file = output_of(count, words);
    if (!ends_in(file, "-all.json") && !ends_in(file, "sdgm.json"))
        return run_command(user, count, words);
    stage_write(file, "{}");
    return DGM_OK;
}

static dgm_status refuse_to_draw(void *user, int count, const char *const *words) {
    if (strcmp(words[0], "draw") != 0)
        return run_command(user, count, words);
    return dgmi_fail(ctx, DGM_ERROR_DATA, "nobody draws");
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    stage_fails("fig7", map_badly, "fig7/cora-dgm-authors-all.json");
    stage_fails("pubmed", map_badly, "pubmed/sdgm.json");
    stage_fails("fig7", refuse_to_draw, "nobody draws");
    unlink("data/citeseer/labels.txt");
    stage_fails("fig7", run_command, "label");
    unlink("data/cora/edges.tsv");
    stage_fails("fig7", run_command, "data/cora");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_figure_shows_holds),
        cmocka_unit_test(each_claim_can_fail),
        cmocka_unit_test(half_of_a_lead_separates_classes),
        cmocka_unit_test(what_is_not_defined_does_not_hold),
        cmocka_unit_test(every_lens_has_its_row),
        cmocka_unit_test(every_summary_is_in_its_place),
        cmocka_unit_test(verdicts_follow_from_the_summaries),
        cmocka_unit_test(pubmed_is_judged_alike),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return RUN_GROUP(tests, begin, stage_end);
}
