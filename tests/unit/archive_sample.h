/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of reading summaries share: a rich summary, and comparisons. */
#ifndef ARCHIVE_SAMPLE_H
#define ARCHIVE_SAMPLE_H

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

static inline int open_all(void **state) {
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file) != 0 ? -1 : (int)dgm_context_create(NULL, &ctx);
}

static inline int close_all(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return unlink(path);
}

static inline void save(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What a sample may have beside its clusters. */
enum { LABELS = 1, PREDICTIONS = 2, ATTRIBUTES = 4, NAMES = 8, SPLITS = 16, EVERYTHING = 31 };

static inline void name_nodes(dgm_graph_builder *builder, int64_t nodes) {
    for (int64_t u = 0; u < nodes; u++) {
        char name[64];
        uint32_t node;
        snprintf(name, sizeof name, "%s%lld", hard_texts[u % HARD_TEXTS], (long long)u);
        assert_int_equal(dgm_graph_builder_node(builder, name, strlen(name), &node), DGM_OK);
    }
}

/* A generated graph with labels, predictions, numbers, texts and so on. options NULL: structural
 * edges and filters. */
static inline sample rich_sample(int64_t nodes, int parts, const dgm_mapper_options *given) {
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

typedef struct {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_places *places;
} read_back;

static inline dgm_status try_to_read(dgm_context *with, const dgm_graph *graph, read_back *out) {
    return dgm_summary_read(with, path, graph, &out->summary, &out->profile, &out->places);
}

static inline read_back read_file(const dgm_graph *graph) {
    read_back back;
    if (try_to_read(ctx, graph, &back) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return back;
}

static inline void free_back(dgm_context *with, read_back *back) {
    dgm_places_free(with, back->places);
    dgm_profile_free(back->profile);
    dgm_summary_free(back->summary);
}

static inline char *text_of(const dgm_export_subject *subject, dgm_export_format format) {
    char *text;
    if (dgm_export_text(ctx, subject, format, 0, &text, NULL) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return text;
}

static inline bool same_bits(const double *a, const double *b, int64_t count) {
    if (!a || !b)
        return a == b;
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static inline void check_counts(const dgmi_mapper_counts *a, const dgmi_mapper_counts *b,
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

static inline void check_integers(const int64_t *a, const int64_t *b, int64_t count) {
    assert_int_equal(!a, !b);
    for (int64_t i = 0; a && i < count; i++)
        assert_int_equal(a[i], b[i]);
}

static inline void check_tops(const dgmi_mapper_tops *a, const dgmi_mapper_tops *b,
                              int64_t clusters) {
    check_integers(a->offsets, b->offsets, clusters + 1);
    for (int64_t i = 0; a->offsets && i < a->offsets[clusters]; i++)
        assert_string_equal(dgmi_mapper_tops_name(a, i), dgmi_mapper_tops_name(b, i));
}

/* Field by field, numbers to the bit. */
static inline void check_profiles(const dgm_profile *a, const dgm_profile *b) {
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

static inline void check_options(const dgm_summary *a, const dgm_summary *b) {
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
static inline void check_summaries(const dgm_summary *a, const dgm_summary *b) {
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

/* The file of the sample, laid out or not. */
static inline void write_sample(const sample *made, bool laid_out) {
    dgm_view *view = sample_view(ctx, made, laid_out);
    const dgm_places places = dgm_view_get_places(view);
    dgm_export_subject subject = sample_subject(made);
    subject.places = &places;
    char *text = text_of(&subject, DGM_EXPORT_JSON);
    save(text);
    dgm_export_text_free(ctx, text);
    dgm_view_free(view);
}

#define HEAD "{\"format\": \"dgm-summary\", \"version\": 1, \"graph\": {\"nodes\": 9}, "

#endif
