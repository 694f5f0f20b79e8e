/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "../check_memory.h"
#include "export_sample.h"
#include "mapper_profile.h"
#include "mapper_summary.h"

static dgm_context *ctx;

#include "unit_balance.h"
static char path[] = "/tmp/dgm-read-XXXXXX";

static int open_all(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file) != 0 ? -1 : (int)dgm_context_create(NULL, &ctx);
}

static int close_all(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return unlink(path);
}

static void save(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What a sample may have beside its clusters. */
enum { LABELS = 1, PREDICTIONS = 2, ATTRIBUTES = 4, NAMES = 8, SPLITS = 16, EVERYTHING = 31 };

static void name_nodes(dgm_graph_builder *builder, int64_t nodes) {
    for (int64_t u = 0; u < nodes; u++) {
        char name[64];
        uint32_t node;
        snprintf(name, sizeof name, "%s%lld", hard_texts[u % HARD_TEXTS], (long long)u);
        assert_int_equal(dgm_graph_builder_node(builder, name, strlen(name), &node), DGM_OK);
    }
}

/* A generated graph with labels, predictions, numbers, texts and so on. options NULL: structural
 * edges and filters. */
static sample rich_sample(int64_t nodes, int parts, const dgm_mapper_options *given) {
    dgm_generate_options generate = {
        sizeof(dgm_generate_options), DGM_GENERATE_SBM, nodes, 4 * nodes, 3, 0.9, 0.1, 3};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    sample made = {0};
    dgm_graph *plain;
    dgm_graph_builder *builder;
    static const char *const towns[] = {"\"Q\" & <x>", "b\\c", NULL, "\xC3\xA9"};
    assert_int_equal(dgm_graph_generate(ctx, &generate, NULL, &plain), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(plain);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    if (parts & NAMES)
        name_nodes(builder, nodes);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    for (uint32_t u = 0; u < nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            uint32_t ends[] = {u, rows.targets[i]};
            if (ends[0] < ends[1])
                assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
        }
    int32_t *labels = calloc((size_t)nodes, sizeof *labels);
    double *ages = calloc((size_t)nodes, sizeof *ages);
    const char **texts = calloc((size_t)nodes, sizeof *texts);
    double *says = calloc((size_t)nodes * 3, sizeof *says);
    for (int64_t u = 0; u < nodes; u++) {
        labels[u] = u % 7 == 0 ? -1 : (int32_t)(u % 3);
        ages[u] = u % 5 == 0 ? NAN : 1.0 / (double)(u + 1);
        texts[u] = towns[u % 4];
        says[3 * u + (u * u) % 3] = 0.75;
        says[3 * u + (u * u + 1) % 3] = 0.25;
    }
    if (parts & LABELS)
        assert_int_equal(dgm_graph_builder_set_labels(builder, nodes, labels), DGM_OK);
    if (parts & ATTRIBUTES) {
        assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", nodes, ages), DGM_OK);
        assert_int_equal(dgm_graph_builder_add_texts(builder, "town", nodes, texts), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_set_source(builder, "blocks"), DGM_OK);
    uint8_t *splits = calloc((size_t)nodes, sizeof *splits);
    for (int64_t u = 0; u < nodes; u++)
        splits[u] = (uint8_t)(u % 5 % DGM_SPLITS);
    if (parts & SPLITS)
        assert_int_equal(dgm_graph_builder_set_splits(builder, nodes, splits), DGM_OK);
    free(splits);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    if (parts & PREDICTIONS)
        assert_int_equal(
            dgm_predictions_from_probabilities(ctx, made.graph, says, 3, NULL, &made.predictions),
            DGM_OK);
    const char *const lenses[] = {"pagerank", "degree"};
    dgm_lens_result *result;
    assert_int_equal(dgm_lens_run(ctx, made.graph, lenses, 2, NULL, &result), DGM_OK);
    made.lens = dgm_lens_result_take_axes(result);
    dgm_lens_result_free(result);
    options.intervals[0] = 6;
    options.edges = DGM_EDGES_STRUCTURAL;
    options.min_component = 4;
    sample_map(ctx, &made, given ? given : &options);
    dgm_graph_free(plain);
    free(labels);
    free(ages);
    free(texts);
    free(says);
    return made;
}

/* ---- what was read ---- */

typedef struct {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_places *places;
} read_back;

static dgm_status try_to_read(dgm_context *with, const dgm_graph *graph, read_back *out) {
    return dgm_summary_read(with, path, graph, &out->summary, &out->profile, &out->places);
}

static read_back read_file(const dgm_graph *graph) {
    read_back back;
    if (try_to_read(ctx, graph, &back) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return back;
}

static void free_back(dgm_context *with, read_back *back) {
    dgm_places_free(with, back->places);
    dgm_profile_free(back->profile);
    dgm_summary_free(back->summary);
}

static char *text_of(const dgm_export_subject *subject, dgm_export_format format) {
    char *text;
    if (dgm_export_text(ctx, subject, format, 0, &text, NULL) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return text;
}

static bool same_bits(const double *a, const double *b, int64_t count) {
    if (!a || !b)
        return a == b;
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void check_counts(const dgmi_mapper_counts *a, const dgmi_mapper_counts *b,
                         int64_t clusters) {
    assert_int_equal(!a->offsets, !b->offsets);
    if (!a->offsets)
        return;
    assert_memory_equal(a->offsets, b->offsets, (size_t)(clusters + 1) * sizeof *a->offsets);
    if (a->offsets[clusters] == 0)
        return;
    assert_memory_equal(a->values, b->values, (size_t)a->offsets[clusters] * sizeof *a->values);
    assert_memory_equal(a->counts, b->counts, (size_t)a->offsets[clusters] * sizeof *a->counts);
}

static void check_integers(const int64_t *a, const int64_t *b, int64_t count) {
    assert_int_equal(!a, !b);
    for (int64_t i = 0; a && i < count; i++)
        assert_int_equal(a[i], b[i]);
}

static void check_tops(const dgmi_mapper_tops *a, const dgmi_mapper_tops *b, int64_t clusters) {
    check_integers(a->offsets, b->offsets, clusters + 1);
    for (int64_t i = 0; a->offsets && i < a->offsets[clusters]; i++)
        assert_string_equal(dgmi_mapper_tops_name(a, i), dgmi_mapper_tops_name(b, i));
}

/* Field by field, numbers to the bit. */
static void check_profiles(const dgm_profile *a, const dgm_profile *b) {
    int64_t clusters = a->clusters;
    assert_int_equal(clusters, b->clusters);
    assert_int_equal(a->classes, b->classes);
    for (int32_t c = 0; c < a->classes; c++)
        assert_string_equal(a->class_names[c], b->class_names[c]);
    check_counts(&a->labels, &b->labels, clusters);
    check_counts(&a->predictions, &b->predictions, clusters);
    check_integers(a->judged, b->judged, clusters);
    check_integers(a->mistakes, b->mistakes, clusters);
    check_integers(a->mixup_offsets, b->mixup_offsets, clusters + 1);
    assert_int_equal(a->ledger.known, b->ledger.known);
    if (a->ledger.known)
        assert_int_equal(a->ledger.split, b->ledger.split);
    assert_memory_equal(a->ledger.covered, b->ledger.covered, sizeof a->ledger.covered);
    assert_memory_equal(a->ledger.left_out, b->ledger.left_out, sizeof a->ledger.left_out);
    assert_true(same_bits(a->entropy, b->entropy, clusters));
    assert_int_equal(a->entropy_of_labels, b->entropy_of_labels);
    check_tops(&a->hubs, &b->hubs, clusters);
    check_tops(&a->peaks, &b->peaks, clusters);
    assert_int_equal(a->attribute_count, b->attribute_count);
    for (int64_t i = 0; i < a->attribute_count; i++) {
        const dgmi_mapper_profile_attribute *x = &a->attributes[i], *y = &b->attributes[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        assert_true(same_bits(x->means, y->means, clusters));
        assert_int_equal(x->text_count, y->text_count);
        for (int64_t t = 0; t < x->text_count; t++)
            assert_string_equal(x->texts[t], y->texts[t]);
        check_counts(&x->counts, &y->counts, clusters);
    }
}

static void check_options(const dgm_summary *a, const dgm_summary *b) {
    const dgm_mapper_options *x = dgm_summary_options(a), *y = dgm_summary_options(b);
    assert_true(x->cover == y->cover && x->rule == y->rule && x->cluster == y->cluster &&
                x->edges == y->edges && x->strength == y->strength && x->eps == y->eps &&
                x->min_size == y->min_size && x->min_component == y->min_component &&
                x->seed == y->seed);
    assert_int_equal(x->given_count, y->given_count);
    for (int64_t i = 0; i < x->given_count; i++)
        assert_true(x->given[i].low == y->given[i].low && x->given[i].high == y->given[i].high);
}

/* All that a file holds. */
static void check_summaries(const dgm_summary *a, const dgm_summary *b) {
    dgm_summary_clusters x = dgm_summary_get_clusters(a), y = dgm_summary_get_clusters(b);
    int64_t edges, edges_back;
    const dgm_summary_edge *p = dgm_summary_edges(a, &edges);
    const dgm_summary_edge *q = dgm_summary_edges(b, &edges_back);
    assert_true(x.count == y.count && x.dimension == y.dimension);
    check_integers(x.offsets, y.offsets, x.count + 1);
    assert_true(same_bits(x.lens, y.lens, x.count * x.dimension));
    for (int64_t i = 0; i < x.count * x.axes; i++)
        assert_int_equal(x.cells[i], y.cells[i]);
    assert_int_equal(edges, edges_back);
    for (int64_t e = 0; e < edges; e++)
        assert_true(p[e].source == q[e].source && p[e].target == q[e].target &&
                    p[e].weight == q[e].weight && p[e].shared == q[e].shared &&
                    p[e].links == q[e].links && q[e].inner == -1);
    for (int64_t c = 0; c < x.dimension; c++) {
        double range[4];
        dgm_summary_lens_range(a, c, &range[0], &range[1]);
        dgm_summary_lens_range(b, c, &range[2], &range[3]);
        assert_true(range[0] == range[2] && range[1] == range[3]);
        assert_string_equal(dgm_summary_axis_name(a, c), dgm_summary_axis_name(b, c));
        assert_string_equal(dgm_summary_axis_transform(a, c), dgm_summary_axis_transform(b, c));
    }
    check_options(a, b);
    dgm_summary_coverage here = dgm_summary_get_coverage(a), there = dgm_summary_get_coverage(b);
    assert_memory_equal(&here, &there, sizeof here);
    dgm_summary_topology loops = dgm_summary_get_topology(a), back = dgm_summary_get_topology(b);
    assert_memory_equal(&loops, &back, sizeof loops);
    assert_string_equal(dgm_summary_get_graph(a).source, dgm_summary_get_graph(b).source);
    assert_int_equal(dgm_summary_get_graph(a).edges, dgm_summary_get_graph(b).edges);
    assert_string_equal(dgm_summary_get_provenance(a).command,
                        dgm_summary_get_provenance(b).command);
    assert_int_equal(dgm_summary_get_provenance(a).seed, dgm_summary_get_provenance(b).seed);
    assert_null(dgm_summary_get_peaks(b));
}

/* ---- there and back ---- */

/* The file of the sample, laid out or not. */
static void write_sample(const sample *made, bool laid_out) {
    dgm_view *view = sample_view(ctx, made, laid_out);
    const dgm_places places = dgm_view_get_places(view);
    dgm_export_subject subject = sample_subject(made);
    subject.places = &places;
    char *text = text_of(&subject, DGM_EXPORT_JSON);
    save(text);
    dgm_export_text_free(ctx, text);
    dgm_view_free(view);
}

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

static void every_kind_of_summary_comes_back(void **state) {
    (void)state;
    static const dgm_interval given[] = {{-INFINITY, 0.02}, {0.01, 0.03}, {0.02, INFINITY}};
    dgm_mapper_options cases[8];
    for (int i = 0; i < 8; i++)
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
    for (int i = 0; i < 8; i++) {
        sample made = rich_sample(80, EVERYTHING - NAMES, &cases[i]);
        write_sample(&made, i % 2);
        check_round_trip(&made, false);
        check_round_trip(&made, true);
        sample_free(&made);
    }
    sample_parts parts = {.nodes = 9, .lens = (double[]){0, .01, .015, .02, .021, .025, .03, 1, 2}};
    dgm_mapper_options intervals = DGM_MAPPER_OPTIONS_INIT;
    intervals.cover = DGM_COVER_INTERVALS;
    intervals.given = given;
    intervals.given_count = 3;
    sample made = sample_make(ctx, &parts, &intervals);
    write_sample(&made, true);
    check_round_trip(&made, false);
    check_round_trip(&made, true);
    sample_free(&made);
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

#define HEAD "{\"format\": \"dgm-summary\", \"version\": 1, \"graph\": {\"nodes\": 9}, "

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

/* A file of another hand: what it leaves out is unknown. */
static void what_a_summary_leaves_out_is_unknown(void **state) {
    (void)state;
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"], \"transforms\": [\"rank\"]}, "
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

static void a_summary_is_told_by_its_beginning(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool summary;
    } cases[] = {
        {"{\"format\": \"dgm-summary\"}", true},
        {" \t\r\n{\"format\": \"dgm-summary\"}", true},
        {"\xEF\xBB\xBF{\"format\": \"dgm-summary\"}", true},
        {"[\"dgm-summary\"]", false},
        {"{\"format\": \"dgm\"}", false},
        {"{", false},
        {" \n ", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save(cases[i].text);
        assert_int_equal(dgm_summary_is_file(ctx, path), cases[i].summary);
    }
    assert_true(dgm_summary_is_file(ctx, "-")); /* nothing else is read from there */
    assert_false(dgm_summary_is_file(ctx, "/nowhere/at.all"));
}

static void what_is_no_summary_is_an_error_of_one_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "not JSON"},
        {"0 1\n1 2\n", "not JSON"},
        {"[]", "no summary"},
        {"{\"nodes\": [], \"edges\": []}", "no summary"},
        {"{\"format\": 3}", "no summary"},
        {"{\"format\": \"dgm-summary\", \"version\": 2}", "newer"},
        {"{\"format\": \"dgm-summary\", \"version\": \"1\"}", "whole number"},
        {HEAD "\"edges\": []}", "are missing"},
        {HEAD "\"nodes\": {}, \"edges\": []}", "are missing"},
        {HEAD "\"nodes\": [3], \"edges\": []}", "nodes[0] is no object"},
        {HEAD "\"nodes\": [{}], \"edges\": []}", "nodes[0] has no \"id\""},
        {HEAD "\"nodes\": [{\"id\": 1}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"nodes\": [{\"id\": \"0\"}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"nodes\": [{\"id\": 0}, {\"id\": 0}], \"edges\": []}", "id of another"},
        {HEAD "\"nodes\": [{\"id\": 0}], \"edges\": []}", "has no \"size\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1000000000000000000}], \"edges\": []}",
         "\"size\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"lens\": 3}], \"edges\": [1]}",
         "is no object"},
        {HEAD
         "\"lens\": {\"axes\": [\"a\"]}, \"nodes\": [{\"id\": 0, \"size\": 1}], \"edges\": []}",
         "\"lens\" of 1"},
        {HEAD "\"lens\": {\"axes\": [7]}, \"nodes\": [], \"edges\": []}", "lens.axes[0]"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 10}}",
         "\"judged\" that is no whole number from 0 to 9"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 2, \"mistakes\": 3}}",
         "\"mistakes\" that is no whole number from 0 to 2"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 2, \"by_split\": {\"test\": {\"judged\": 1}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1}], \"edges\": []}", "has no \"y\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": null, \"y\": 0, \"radius\": 1}], "
              "\"edges\": []}",
         "has no \"x\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1e300, \"y\": 0, \"radius\": 1}], "
              "\"edges\": []}",
         "\"x\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1e999}], \"edges\": []}", "not JSON"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 2}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": []}], \"edges\": []}",
         "has no \"labels\""},
        {HEAD
         "\"classes\": [\"b\"], \"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}}], "
         "\"edges\": []}",
         "not among"},
        {HEAD "\"classes\": [\"b\", \"b\"], \"nodes\": [], \"edges\": []}", "classes[1]"},
        {HEAD "\"classes\": 3, \"nodes\": [], \"edges\": []}", "no list of names"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"entropy\": 2}], \"edges\": []}", "entropy"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": {\"a\": \"b\"}}], "
              "\"edges\": []}",
         "\"a\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 2}]}",
         "edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 1, \"target\": 1}]}",
         "edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 0}]}",
         "same clusters as edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1, \"weight\": -1}]}",
         "weight"},
        {"{\"format\": \"another\"}", "no summary"},
        {HEAD "\"nodes\": [], \"edges\": {}}", "are missing"},
        {HEAD "\"nodes\": [{\"id\": -1}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"lens\": {\"axes\": [\"a\"], \"transforms\": []}, \"nodes\": [], \"edges\": []}",
         "\"transforms\" is no list of one text for each axis"},
        {HEAD "\"lens\": {\"axes\": [\"a\"], \"transforms\": [3]}, \"nodes\": [], \"edges\": []}",
         "lens.transforms[0] is no text"},
        {HEAD "\"lens\": {\"axes\": [\"a\"]}, \"nodes\": [{\"id\": 0, \"size\": 1, \"lens\": "
              "[\"x\"]}], \"edges\": []}",
         "nodes[0] has a lens value that is no number"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": 2, \"mistakes\": 1, "
              "\"by_split\": {\"test\": {\"judged\": 2}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": 2, \"judged_left_out\": 1, "
              "\"by_split\": {\"test\": {\"judged\": 2}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": -1, \"by_split\": {}}}",
         "\"judged\" that is no whole number from 0 to 9"},
        {HEAD "\"classes\": [3], \"nodes\": [], \"edges\": []}", "classes[0] is no text"},
        {HEAD "\"classes\": [], \"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}}], "
              "\"edges\": []}",
         "of a class 'a' that is not among \"classes\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": \"1\"}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 0}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {}}, {\"id\": 1, \"size\": 1}], "
              "\"edges\": []}",
         "nodes[1] has no \"labels\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": []}], \"edges\": []}",
         "has \"attributes\" that are no object"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": {\"a\": {\"x\": 1}}}, {\"id\": "
              "1, \"size\": 1, \"attributes\": {\"a\": 3}}], \"edges\": []}",
         "nodes[1] has no \"a\" {\"NAME\": COUNT, ...}"},
        {HEAD
         "\"nodes\": [{\"id\": 0, \"size\": 4, \"top\": {\"neighbours\": [3]}}], \"edges\": []}",
         "nodes[0] has a member that is no text"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD
         "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": {\"b\": "
         "1}, \"mistakes\": 1, \"confused\": [{\"prediction\": \"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"z\", \"prediction\": "
              "\"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"a\", \"prediction\": "
              "\"z\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [3]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 2}], \"edges\": []}",
         "\"mistakes\" that is no whole number from 0 to 1"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"target\": 1}]}",
         "does not join two clusters"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 1}]}",
         "does not join two clusters"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"intervals\": [1, 2, 3, 4, 5, 6, 7, 8, "
              "9, 10, 11, 12, 13, 14, 15, 16, 17]}}",
         "the cover has more than"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [0, 0, 0, 0, 0, 0, 0, 0, 0, "
              "0, 0, 0, 0, 0, 0, 0, 0]}}",
         "the cover has more than"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"kind\": \"round\"}}",
         "\"cover\" has \"kind\": 'round', which this program does not know"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"edges\": \"x\"}}", "'x'"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"eps\": 2}}", "from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"min_size\": -1}}", "min_size"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"intervals\": [0]}}",
         "cover.intervals[0] is no number of intervals"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [\"a\"]}}",
         "cover.overlap[0] is no number from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"kind\": \"intervals\", \"cells\": "
              "[[1]]}}",
         "cover.cells[0] is no pair of numbers"},
        {HEAD "\"nodes\": [], \"edges\": [], \"lens\": {\"axes\": [\"a\"], \"min\": []}}",
         "\"min\" is no list of one number for each axis"},
        {HEAD "\"nodes\": [], \"edges\": [], \"lens\": {\"axes\": [\"a\"], \"errors\": "
              "[\"b\"]}}",
         "errors[0] is no number"},
        {HEAD "\"nodes\": [], \"edges\": [], \"topology\": {\"b0\": -2}}", "b0"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"filtered_by\": {\"cover\": "
              "\"a\"}}}",
         "\"cover\" that is no whole number"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [1]}, {\"id\": 1, \"size\": 1, "
              "\"cell\": []}], \"edges\": []}",
         "nodes[1] has no \"cell\" of 1 numbers"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [1.5]}], \"edges\": []}",
         "has a \"cell\" that is no list of whole numbers"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 2, \"members\": [\"a\"]}], \"edges\": []}",
         "nodes[0] has no \"members\", as many as \"size\" says"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 4, \"members\": [\"a\", \"b\", \"c\", 4]}], "
              "\"edges\": []}",
         "nodes[0] has a member that is no text"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"members\": [\"a\"]}, {\"id\": 1, \"size\": "
              "1}], \"edges\": []}",
         "nodes[1] has no \"members\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        read_back back;
        save(wrong[i].text);
        assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
        assert_true(!back.summary && !back.profile && !back.places);
        const char *error = dgm_context_error(ctx);
        if (!strstr(error, wrong[i].words) || strchr(error, '\n') || !strstr(error, path))
            fail_msg("'%s' is not in '%s'", wrong[i].words, error);
    }
}

static void deep_nesting_is_an_error(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    char *text = calloc(1, DEEP + 64);
    read_back back;
    dgm_summary *summary;
    strcpy(text, "{\"format\": \"dgm-summary\", \"x\": ");
    memset(text + strlen(text), '[', DEEP);
    save(text);
    assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
    free(text);
    assert_int_equal(dgm_summary_read(ctx, "/none/such.json", NULL, &summary, NULL, NULL),
                     DGM_ERROR_FILE);
    assert_null(summary);
    assert_false(dgm_summary_is_file(ctx, "/none/such.json"));
    save("[{\"dgm-summary\": 1}]");
    assert_false(dgm_summary_is_file(ctx, path));
}

/* ---- memory ---- */

static void every_failing_allocation_is_an_error(void **state) {
    (void)state;
    sample made = rich_sample(40, EVERYTHING - NAMES, NULL);
    write_sample(&made, true);
    for (int with_graph = 0; with_graph < 2; with_graph++) {
        dgm_status status = DGM_ERROR_MEMORY;
        for (int64_t failing = 1; status != DGM_OK; failing++) {
            check_memory memory = {0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_context *poor;
            read_back back;
            assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
            memory.fail_at = memory.calls + failing;
            status = try_to_read(poor, with_graph ? made.graph : NULL, &back);
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_int_equal(status == DGM_OK, back.summary && back.profile && back.places);
            free_back(poor, &back);
            dgm_context_free(poor);
            assert_int_equal(memory.blocks, 0);
        }
    }
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_comes_back_as_it_was),
        cmocka_unit_test(what_was_read_is_written_byte_for_byte),
        cmocka_unit_test(every_kind_of_summary_comes_back),
        cmocka_unit_test(the_rest_of_a_file_comes_back),
        cmocka_unit_test(a_negative_zero_comes_back_as_zero),
        cmocka_unit_test(members_are_numbers_with_the_graph_and_names_without),
        cmocka_unit_test(members_ascend_whatever_the_order_of_names),
        cmocka_unit_test(only_what_is_wanted_is_read),
        cmocka_unit_test(places_of_another_layout_are_written_into_a_summary_that_was_read),
        cmocka_unit_test(files_of_older_versions_are_read),
        cmocka_unit_test(classes_of_which_one_is_a_word_are_in_the_order_of_words),
        cmocka_unit_test(what_a_summary_leaves_out_is_unknown),
        cmocka_unit_test(a_summary_is_told_by_its_beginning),
        cmocka_unit_test(what_is_no_summary_is_an_error_of_one_line),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return RUN_GROUP(tests, open_all, close_all);
}
