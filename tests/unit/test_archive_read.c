/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries come back from JSON as they were. */
#include "archive_sample.h"

static char *read_text(void) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 22);
    assert_non_null(file);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Read without its graph and with it, and written again. */
static void check_round_trip(const sample *made, bool with_graph) {
    char *before = read_text();
    read_back back = read_file(with_graph ? made->graph : NULL);
    check_summaries(made->summary, back.summary);
    const dgm_export_subject subject = {.summary = back.summary,
                                        .graph = with_graph ? made->graph : NULL,
                                        .profile = back.profile,
                                        .places = back.places};
    char *after = text_of(&subject, DGM_EXPORT_JSON);
    assert_string_equal(before, after);
    dgm_export_text_free(ctx, after);
    free_back(ctx, &back);
    free(before);
}

static void a_summary_comes_back_as_it_was(void **state) {
    (void)state;
    for (int laid_out = 0; laid_out < 2; laid_out++) {
        sample made =
            rich_sample(300, laid_out ? EVERYTHING - NAMES : EVERYTHING - SPLITS - NAMES, NULL);
        write_sample(&made, laid_out);
        assert_true(dgm_summary_is_file(ctx, path));
        read_back back = read_file(NULL);
        assert_true(back.profile->clusters > 10 && back.profile->attribute_count == 2);
        assert_true(back.profile->ledger.known && back.profile->ledger.split == laid_out);
        assert_true(dgm_judged_sum(back.profile->ledger.covered).mistakes > 0);
        check_summaries(made.summary, back.summary);
        check_profiles(made.profile, back.profile);
        assert_int_equal(laid_out, back.places != NULL);
        free_back(ctx, &back);
        sample_free(&made);
    }
}

static void what_was_read_is_written_byte_for_byte(void **state) {
    (void)state;
    for (int parts = 0; parts <= EVERYTHING; parts++) {
        sample made = rich_sample(60, parts, NULL);
        write_sample(&made, parts % 3 != 0);
        check_round_trip(&made, false);
        if (!(parts & NAMES)) /* names that are no UTF-8 were repaired, and are no nodes */
            check_round_trip(&made, true);
        sample_free(&made);
    }
}

/* Every third node is noise. */
static bool split_in_three(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    (void)user;
    for (int64_t i = 0; i < count; i++)
        labels[i] = (int64_t)(nodes[i] % 3) - 1;
    return true;
}

static void every_kind_of_summary_comes_back(void **state) {
    (void)state;
    static const dgm_interval given[] = {{-INFINITY, 0.02}, {0.01, 0.03}, {0.02, INFINITY}};
    dgm_mapper_options cases[17];
    for (int i = 0; i < 17; i++)
        dgm_mapper_options_init(&cases[i]);
    cases[1].cover = DGM_COVER_QUANTILE;
    cases[1].intervals[1] = 3;
    cases[1].overlap[1] = 0.4;
    cases[2].cover = DGM_COVER_SIMPLEX;
    cases[3].edges = DGM_EDGES_STRUCTURAL;
    cases[3].strength = DGM_STRENGTH_SAS;
    cases[3].eps = 0.1;
    cases[4].min_size = 4; /* nodes are left out by three rules */
    cases[4].min_component = 8;
    cases[5].min_size = 1000; /* no clusters at all */
    cases[6].rule = DGM_RULE_KEPLER;
    cases[6].cluster = DGM_CLUSTER_LOUVAIN;
    cases[7].cluster = DGM_CLUSTER_NONE;
    cases[8].cover = DGM_COVER_ADAPTIVE;
    cases[8].cell_size = 9;
    cases[9].cover = DGM_COVER_BALLS;
    cases[9].radius = 0.75;
    cases[10].cover = DGM_COVER_LANDMARKS;
    cases[10].landmarks = 7;
    cases[10].metric = DGM_METRIC_COSINE;
    cases[11].cluster = DGM_CLUSTER_SINGLE;
    cases[11].gap_bins = 30;
    cases[12].cluster = DGM_CLUSTER_DBSCAN;
    cases[12].reach = 0.25;
    cases[12].min_points = 2;
    cases[12].metric = DGM_METRIC_COSINE;
    cases[13].min_size = 3; /* clusters are attached, and some of the others are dust */
    cases[13].attach = true;
    cases[14].weights = DGM_WEIGHTS_BUMP;
    cases[15].cluster = DGM_CLUSTER_GIVEN;
    cases[15].clusterer = split_in_three;
    cases[16].pieces = DGM_PIECES_JOINED;
    cases[16].overlap[0] = 0;
    for (int i = 0; i < 17; i++) {
        sample made = rich_sample(80, EVERYTHING - NAMES, &cases[i]);
        assert_int_equal(made.summary->taken_count > 0, i == 16);
        write_sample(&made, i % 2);
        check_round_trip(&made, false);
        check_round_trip(&made, true);
        sample_free(&made);
    }
    double groups[] = {0, 0, 0, 2, 2, 5, 5, 5, 5};
    sample_parts parts = {.nodes = 9, .lens = (double[]){0, .01, .015, .02, .021, .025, .03, 1, 2}};
    dgm_mapper_options intervals = DGM_MAPPER_OPTIONS_INIT;
    intervals.cover = DGM_COVER_INTERVALS;
    intervals.given = given;
    intervals.given_count = 3;
    dgm_mapper_options found = DGM_MAPPER_OPTIONS_INIT;
    for (int i = 0; i < 4; i++) { /* covers of one axis */
        found.cover = i == 1 ? DGM_COVER_GMEANS : i == 2 ? DGM_COVER_CMO : DGM_COVER_PARTS;
        found.critical = 0.5;
        found.gain = 0.35;
        found.share = 0.125;
        if (i == 3)
            parts.lens = groups;
        sample made = sample_make(ctx, &parts, i == 0 ? &intervals : &found);
        write_sample(&made, true);
        check_round_trip(&made, false);
        check_round_trip(&made, true);
        sample_free(&made);
    }
}

/* What it explains, against chance or not. */
static void bits_come_back(void **state) {
    (void)state;
    const dgm_bits cases[] = {{.known = false, .features = -1, .features_chance = -1},
                              {.known = true,
                               .blocks = 7,
                               .edges = 90,
                               .inside = 40,
                               .whole = 8.5,
                               .gained = 2.25,
                               .cost = 0.125,
                               .told = 0.0625,
                               .features = -1,
                               .features_chance = -1},
                              {.known = true,
                               .blocks = 1,
                               .edges = 1,
                               .whole = 0.1,
                               .gained = 1e-300,
                               .cost = 1.0 / 3,
                               .runs = 20,
                               .chance = -0.1,
                               .chance_most = 0.7,
                               .spread = 1e-3,
                               .bare = -1.0 / 7,
                               .bare_most = 3,
                               .bare_spread = 0.25,
                               .features = 0.5,
                               .features_chance = 0.03125}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample made = rich_sample(60, 0, NULL);
        dgm_summary_set_bits(made.summary, &cases[i]);
        write_sample(&made, true);
        check_round_trip(&made, false);
        read_back back = read_file(NULL);
        const dgm_bits bits = dgm_summary_get_bits(back.summary);
        assert_int_equal(dgm_bits_finding(&bits), dgm_bits_finding(&cases[i]));
        assert_true(bits.known == cases[i].known && bits.blocks == cases[i].blocks);
        assert_true(bits.edges == cases[i].edges && bits.inside == cases[i].inside);
        assert_true(bits.whole == cases[i].whole && bits.gained == cases[i].gained);
        assert_true(bits.cost == cases[i].cost && bits.told == cases[i].told);
        assert_true(bits.runs == cases[i].runs && bits.chance == cases[i].chance);
        assert_true(bits.chance_most == cases[i].chance_most && bits.spread == cases[i].spread);
        assert_true(bits.bare == cases[i].bare && bits.bare_most == cases[i].bare_most);
        assert_true(bits.bare_spread == cases[i].bare_spread);
        assert_true(bits.features == cases[i].features);
        assert_true(bits.features_chance == cases[i].features_chance);
        free_back(ctx, &back);
        sample_free(&made);
    }
}

/* Transforms and errors of axes, a version and a machine, a layout that was left out. */
static void the_rest_of_a_file_comes_back(void **state) {
    (void)state;
    sample made = rich_sample(60, 0, NULL);
    const dgm_provenance provenance = {.lens = "a+b",
                                       .command = "dgm map \"x\" -o y",
                                       .seed = INT64_MIN,
                                       .kernels = "avx2",
                                       .blas = "OpenBLAS",
                                       .version = "0.0.1"};
    const dgm_places places = {.layout = -1, .operations = 4.5e9, .budget = 2e8};
    dgm_export_subject subject = sample_subject(&made);
    subject.places = &places;
    assert_int_equal(dgm_summary_set_provenance(ctx, made.summary, &provenance), DGM_OK);
    made.summary->options.seed = INT64_MIN; /* a file has one seed */
    made.summary->errors[0] = 0.25;
    made.summary->topology.triangles = -1;
    strcpy(made.summary->transforms[1], "rank");
    char *text = text_of(&subject, DGM_EXPORT_JSON);
    save(text);
    assert_non_null(strstr(text, "\"kind\": \"none\""));
    assert_non_null(strstr(text, "\"version\": \"0.0.1\""));
    dgm_export_text_free(ctx, text);
    check_round_trip(&made, false);
    read_back back = read_file(NULL);
    assert_true(dgm_summary_axis_error(back.summary, 0) == 0.25);
    assert_true(isnan(dgm_summary_axis_error(back.summary, 1)));
    assert_true(!back.places->x && back.places->operations == 4.5e9);
    assert_string_equal(dgm_summary_get_provenance(back.summary).blas, "OpenBLAS");
    free_back(ctx, &back);
    sample_free(&made);
}

/* A mean of -0 is written as what it is read as. */
static void a_negative_zero_comes_back_as_zero(void **state) {
    (void)state;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 3, .lens = (double[]){-0.0, -0.0, -0.0}}, NULL);
    write_sample(&made, false);
    char *text = read_text();
    assert_null(strstr(text, "-0"));
    free(text);
    read_back back = read_file(NULL);
    const dgm_export_subject subject = {
        .summary = back.summary, .profile = back.profile, .places = back.places};
    char *again = text_of(&subject, DGM_EXPORT_JSON), *before = read_text();
    assert_string_equal(before, again);
    free(before);
    dgm_export_text_free(ctx, again);
    free_back(ctx, &back);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_comes_back_as_it_was),
        cmocka_unit_test(what_was_read_is_written_byte_for_byte),
        cmocka_unit_test(every_kind_of_summary_comes_back),
        cmocka_unit_test(bits_come_back),
        cmocka_unit_test(the_rest_of_a_file_comes_back),
        cmocka_unit_test(a_negative_zero_comes_back_as_zero),
    };
    return RUN_GROUP(tests, open_all, close_all);
}
