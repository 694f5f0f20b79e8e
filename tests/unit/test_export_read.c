/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "../check_memory.h"
#include "draw_view.h"
#include "export_sample.h"

static dgm_context *ctx;
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

/* A generated graph with everything: labels, predictions, probabilities, numbers and texts. */
static sample rich_sample(int64_t nodes) {
    dgm_generate_options generate = {
        sizeof(dgm_generate_options), DGM_GENERATE_SBM, nodes, 4 * nodes, 3, 0.9, 0.1, 3};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    sample made = {.graph = NULL};
    dgm_graph *plain;
    dgm_graph_builder *builder;
    static const char *const towns[] = {"\"Q\" & <x>", "b\\c", NULL, "\xC3\xA9"};
    assert_int_equal(dgm_graph_generate(ctx, &generate, NULL, &plain), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(plain);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
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
    assert_int_equal(dgm_graph_builder_set_labels(builder, nodes, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", nodes, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", nodes, texts), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "blocks"), DGM_OK);
    uint8_t *splits = calloc((size_t)nodes, sizeof *splits);
    for (int64_t u = 0; u < nodes; u++)
        splits[u] = (uint8_t)(u % 5 % DGM_SPLITS);
    if (nodes % 2 == 0) /* odd ones have no split */
        assert_int_equal(dgm_graph_builder_set_splits(builder, nodes, splits), DGM_OK);
    free(splits);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
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
    assert_int_equal(dgm_mapper_run(ctx, made.graph, made.lens, &options, &made.summary), DGM_OK);
    dgm_graph_free(plain);
    free(labels);
    free(ages);
    free(texts);
    free(says);
    return made;
}

static bool same_bits(const double *a, const double *b, int64_t count) {
    if (!a || !b)
        return a == b;
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
            return false;
    return true;
}

static void check_counts(const dgmi_counts *a, const dgmi_counts *b, int64_t marks) {
    assert_int_equal(!a->offsets, !b->offsets);
    if (!a->offsets)
        return;
    assert_memory_equal(a->offsets, b->offsets, (size_t)(marks + 1) * sizeof *a->offsets);
    if (a->offsets[marks] == 0)
        return;
    assert_memory_equal(a->values, b->values, (size_t)a->offsets[marks] * sizeof *a->values);
    assert_memory_equal(a->counts, b->counts, (size_t)a->offsets[marks] * sizeof *a->counts);
}

static void check_integers(const int64_t *a, const int64_t *b, int64_t count) {
    assert_int_equal(!a, !b);
    for (int64_t i = 0; a && i < count; i++)
        assert_int_equal(a[i], b[i]);
}

/* Field by field, numbers to the bit. */
static void check_same(const dgm_view *a, const dgm_view *b) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->marks, b->marks);
    check_integers(a->size, b->size, a->marks);
    assert_true(same_bits(a->x, b->x, a->marks) && same_bits(a->y, b->y, a->marks));
    assert_true(same_bits(a->radius, b->radius, a->marks));
    assert_int_equal(a->layout, b->layout);
    assert_int_equal(a->layout_seed, b->layout_seed);
    assert_int_equal(a->dimension, b->dimension);
    assert_true(same_bits(a->lens, b->lens, a->marks * a->dimension));
    for (int64_t c = 0; c < a->dimension; c++)
        assert_string_equal(a->axes[c], b->axes[c]);
    assert_int_equal(a->classes, b->classes);
    for (int32_t c = 0; c < a->classes; c++)
        assert_string_equal(a->class_names[c], b->class_names[c]);
    check_counts(&a->labels, &b->labels, a->marks);
    check_counts(&a->predictions, &b->predictions, a->marks);
    check_integers(a->judged, b->judged, a->marks);
    check_integers(a->mistakes, b->mistakes, a->marks);
    assert_int_equal(a->ledger.known, b->ledger.known);
    assert_int_equal(a->ledger.split, b->ledger.split);
    assert_memory_equal(a->ledger.covered, b->ledger.covered, sizeof a->ledger.covered);
    assert_memory_equal(a->ledger.left_out, b->ledger.left_out, sizeof a->ledger.left_out);
    assert_true(same_bits(a->entropy, b->entropy, a->marks));
    assert_int_equal(a->entropy_of_labels, b->entropy_of_labels);
    assert_int_equal(a->attribute_count, b->attribute_count);
    for (int64_t i = 0; i < a->attribute_count; i++) {
        const dgmi_view_attribute *x = &a->attributes[i], *y = &b->attributes[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        assert_true(same_bits(x->means, y->means, a->marks));
        assert_int_equal(x->text_count, y->text_count);
        for (int64_t t = 0; t < x->text_count; t++)
            assert_string_equal(x->texts[t], y->texts[t]);
        check_counts(&x->counts, &y->counts, a->marks);
    }
    assert_int_equal(a->link_count, b->link_count);
    for (int64_t e = 0; e < a->link_count; e++) {
        const dgmi_view_link *x = &a->links[e], *y = &b->links[e];
        assert_true(x->source == y->source && x->target == y->target && x->weight == y->weight &&
                    x->shared == y->shared && x->links == y->links);
    }
    assert_int_equal(a->structural, b->structural);
    assert_string_equal(a->source, b->source);
    assert_string_equal(a->lens_name, b->lens_name);
    assert_string_equal(a->parameters, b->parameters);
    assert_string_equal(a->command, b->command);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->edges, b->edges);
    assert_int_equal(a->covered, b->covered);
    assert_int_equal(a->seed, b->seed);
}

/* The view of the sample, laid out or not, and its JSON in the file. */
static dgm_view *write_view(const sample *made, bool laid_out) {
    dgm_view *view;
    char *text;
    size_t length;
    assert_int_equal(dgm_view_from_summary(ctx, made->summary, made->graph, made->predictions,
                                           &sample_provenance, &view),
                     DGM_OK);
    if (laid_out)
        assert_int_equal(dgm_view_lay_out(ctx, view, NULL), DGM_OK);
    const dgm_export_looks looks = {.view = view};
    assert_int_equal(dgm_export_text(ctx, made->summary, made->graph, &sample_provenance, &looks,
                                     DGM_EXPORT_JSON, 0, &text, &length),
                     DGM_OK);
    save(text);
    dgm_export_text_free(ctx, text);
    return view;
}

static void a_summary_comes_back_as_it_was(void **state) {
    (void)state;
    for (int laid_out = 0; laid_out < 2; laid_out++) {
        sample made = rich_sample(300 + laid_out);
        dgm_view *view = write_view(&made, laid_out), *back;
        assert_true(dgm_view_is_summary(ctx, path));
        if (dgm_view_read(ctx, path, &back) != DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
        assert_true(back->marks > 10 && back->attribute_count == 2 && back->mistakes);
        assert_true(back->ledger.known && back->ledger.split == (laid_out == 0));
        assert_true(dgm_judged_sum(back->ledger.covered).mistakes > 0);
        check_same(view, back);
        dgm_view_free(view);
        dgm_view_free(back);
        sample_free(&made);
    }
}

static void a_summary_without_clusters_comes_back(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_size = 100;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, &options);
    dgm_view *view = write_view(&made, true), *back;
    assert_int_equal(dgm_view_read(ctx, path, &back), DGM_OK);
    assert_int_equal(dgm_view_marks(back), 0);
    dgm_view_free(view);
    dgm_view_free(back);
    sample_free(&made);
}

static char *read_text(size_t *length) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 22);
    assert_non_null(file);
    *length = fread(text, 1, (1 << 22) - 1, file);
    fclose(file);
    return text;
}

static void a_rewritten_summary_differs_in_its_places_alone(void **state) {
    (void)state;
    sample made = rich_sample(200);
    dgm_view *view = write_view(&made, true), *back;
    size_t length, before;
    char *text, *old = read_text(&before);
    assert_int_equal(dgm_view_rewrite(ctx, path, view, &text, &length), DGM_OK);
    assert_int_equal(length, before);
    assert_memory_equal(text, old, length);
    dgm_export_text_free(ctx, text);
    dgm_layout_options grid = DGM_LAYOUT_OPTIONS_INIT;
    grid.layout = DGM_LAYOUT_GRID;
    assert_int_equal(dgm_view_lay_out(ctx, view, &grid), DGM_OK);
    assert_int_equal(dgm_view_rewrite(ctx, path, view, &text, &length), DGM_OK);
    save(text);
    dgm_export_text_free(ctx, text);
    assert_int_equal(dgm_view_read(ctx, path, &back), DGM_OK);
    check_same(view, back);
    dgm_view_free(back);
    save("{\"format\": \"dgm-summary\", \"version\": 1, \"nodes\": [], \"edges\": []}");
    assert_int_equal(dgm_view_rewrite(ctx, path, view, &text, &length), DGM_ERROR_FORMAT);
    assert_null(text);
    dgm_view_free(view);
    free(old);
    sample_free(&made);
}

#define HEAD "{\"format\": \"dgm-summary\", \"version\": 1, \"graph\": {\"nodes\": 9}, "

static void files_of_older_versions_are_read(void **state) {
    (void)state;
    dgm_view *view;
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"]}, \"nodes\": ["
              "{\"id\": 1, \"size\": 3, \"lens\": [2], \"labels\": {\"10\": 1, \"9\": 2}, "
              "\"predictions\": {\"9\": 3}, \"mistakes\": 1},"
              "{\"id\": 0, \"size\": 2, \"lens\": [null], \"labels\": {}, "
              "\"predictions\": {\"11\": 2}, \"mistakes\": 0}], "
              "\"edges\": [{\"source\": 1, \"target\": 0}]}");
    if (dgm_view_read(ctx, path, &view) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_null(view->x);
    assert_int_equal(view->size[1], 3);
    assert_true(isnan(view->lens[0]));
    assert_int_equal(view->classes, 3);
    assert_string_equal(view->class_names[0], "9");
    assert_string_equal(view->class_names[2], "11");
    assert_int_equal(view->judged[1], 3);
    assert_int_equal(view->labels.values[0], 0);
    assert_int_equal(view->links[0].source, 0);
    assert_true(view->links[0].weight == 1 && view->links[0].shared == -1);
    dgm_view_free(view);
}

/* A file of another hand: what it leaves out is unknown. */
static void what_a_summary_leaves_out_is_unknown(void **state) {
    (void)state;
    dgm_view *view;
    save(HEAD "\"lens\": {\"name\": \"l\", \"axes\": [\"a\"], \"transforms\": [\"rank\"]}, "
              "\"coverage\": {\"judged\": 3, \"mistakes\": 1, \"by_split\": null}, \"nodes\": ["
              "{\"id\": 0, \"size\": 3, \"lens\": [2], \"labels\": {\"01\": 1, \"1\": 1}, "
              "\"attributes\": {\"year\": null, \"town\": {\"x\": 2}, \"none\": null}},"
              "{\"id\": 1, \"size\": 2, \"lens\": [1], \"labels\": {\"0\": 2}, "
              "\"attributes\": {\"year\": 1999, \"town\": null}},"
              "{\"id\": 2, \"size\": 2, \"lens\": [1], \"labels\": {}}], "
              "\"edges\": [{\"source\": 1, \"target\": 0, \"weight\": null}]}");
    if (dgm_view_read(ctx, path, &view) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_string_equal(view->transforms[0], "rank");
    assert_true(view->ledger.known && !view->ledger.split);
    assert_int_equal(view->ledger.covered[DGM_SPLIT_NONE].mistakes, 1);
    static const char *const classes[] = {"0", "01", "1"}; /* numbers; of equals by their text */
    assert_int_equal(view->classes, 3);
    for (int c = 0; c < 3; c++)
        assert_string_equal(view->class_names[c], classes[c]);
    assert_true(view->links[0].weight == 1);
    assert_int_equal(view->attribute_count, 3);
    assert_int_equal(view->attributes[0].kind, DGM_ATTRIBUTE_NUMBER);
    assert_true(isnan(view->attributes[0].means[0]) && view->attributes[0].means[1] == 1999);
    assert_int_equal(view->attributes[1].kind, DGM_ATTRIBUTE_TEXT);
    assert_int_equal(view->attributes[1].counts.offsets[1], 1);
    assert_int_equal(view->attributes[1].counts.offsets[3], 1); /* neither null nor left out */
    assert_int_equal(view->attributes[2].kind, DGM_ATTRIBUTE_NUMBER);
    assert_true(isnan(view->attributes[2].means[1]));
    dgm_view_free(view);
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
        assert_int_equal(dgm_view_is_summary(ctx, path), cases[i].summary);
    }
    assert_true(dgm_view_is_summary(ctx, "-")); /* nothing else is read from there */
    assert_false(dgm_view_is_summary(ctx, "/nowhere/at.all"));
}

/* Whatever else stands in the file is written again, and places that came from elsewhere have no
 * layout. */
static void a_rewritten_summary_keeps_what_it_does_not_know(void **state) {
    (void)state;
    dgm_view *view;
    char *text;
    size_t length;
    double x[] = {1}, y[] = {2}, radius[] = {3};
    save(HEAD "\"yes\": true, \"no\": false, \"nothing\": null, \"real\": 0.5, \"layout\": "
              "{\"kind\": \"grid\", \"seed\": 4}, \"nodes\": [{\"id\": 0, \"size\": 1}], "
              "\"edges\": []}");
    assert_int_equal(dgm_view_read(ctx, path, &view), DGM_OK);
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_OK);
    assert_int_equal(dgm_view_rewrite(ctx, path, view, &text, &length), DGM_OK);
    assert_string_equal(text, "{\"format\": \"dgm-summary\", \"version\": 1,\n"
                              " \"graph\": {\"nodes\": 9},\n \"yes\": true,\n \"no\": false,\n"
                              " \"nothing\": null,\n \"real\": 0.5,\n \"nodes\": [\n"
                              "  {\"id\": 0, \"size\": 1, \"x\": 1, \"y\": 2, \"radius\": 3}],\n"
                              " \"edges\": []}\n");
    dgm_export_text_free(ctx, text);
    dgm_view_free(view);
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
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dgm_view *view = (dgm_view *)path;
        save(wrong[i].text);
        assert_int_equal(dgm_view_read(ctx, path, &view), DGM_ERROR_FORMAT);
        assert_null(view);
        const char *error = dgm_context_error(ctx);
        if (!strstr(error, wrong[i].words) || strchr(error, '\n') || !strstr(error, path))
            fail_msg("'%s' is not in '%s'", wrong[i].words, error);
    }
}

static void deep_nesting_is_an_error(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    char *text = calloc(1, DEEP + 64);
    dgm_view *view;
    strcpy(text, "{\"format\": \"dgm-summary\", \"x\": ");
    memset(text + strlen(text), '[', DEEP);
    save(text);
    assert_int_equal(dgm_view_read(ctx, path, &view), DGM_ERROR_FORMAT);
    free(text);
    assert_int_equal(dgm_view_read(ctx, "/none/such.json", &view), DGM_ERROR_FILE);
    assert_false(dgm_view_is_summary(ctx, "/none/such.json"));
    save("[{\"dgm-summary\": 1}]");
    assert_false(dgm_view_is_summary(ctx, path));
}

/* ---- memory ---- */

static void every_failing_allocation_is_an_error(void **state) {
    (void)state;
    sample made = rich_sample(40);
    dgm_view *kept = write_view(&made, true);
    for (int rewrite = 0; rewrite < 2; rewrite++) {
        dgm_status status = DGM_ERROR_MEMORY;
        for (int64_t failing = 1; status != DGM_OK; failing++) {
            check_memory memory = {0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_context *poor;
            dgm_view *view = NULL;
            char *text = NULL;
            size_t length;
            assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
            memory.fail_at = memory.calls + failing;
            status = rewrite ? dgm_view_rewrite(poor, path, kept, &text, &length)
                             : dgm_view_read(poor, path, &view);
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_int_equal(status == DGM_OK, view != NULL || text != NULL);
            dgm_view_free(view);
            dgm_export_text_free(poor, text);
            dgm_context_free(poor);
            assert_int_equal(memory.blocks, 0);
        }
    }
    dgm_view_free(kept);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_comes_back_as_it_was),
        cmocka_unit_test(a_summary_without_clusters_comes_back),
        cmocka_unit_test(a_rewritten_summary_differs_in_its_places_alone),
        cmocka_unit_test(files_of_older_versions_are_read),
        cmocka_unit_test(what_a_summary_leaves_out_is_unknown),
        cmocka_unit_test(a_summary_is_told_by_its_beginning),
        cmocka_unit_test(a_rewritten_summary_keeps_what_it_does_not_know),
        cmocka_unit_test(what_is_no_summary_is_an_error_of_one_line),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(every_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
