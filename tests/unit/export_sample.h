/* SPDX-License-Identifier: Apache-2.0 */
/* Small summaries for the tests of the export room. Included once a program, after cmocka.h. */
#ifndef EXPORT_SAMPLE_H
#define EXPORT_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dgm/dgm.h"

typedef struct sample {
    dgm_graph *graph;
    dgm_matrix *lens;
    dgm_predictions *predictions; /* or NULL */
    dgm_summary *summary;
    dgm_profile *profile;
} sample;

/* What a sample is made of; zeros are fine. */
typedef struct sample_parts {
    int64_t nodes;
    const char *const *names;   /* nodes, or NULL: numbers */
    const int32_t *labels;      /* nodes, or NULL */
    const char *const *classes; /* NULL-terminated, or NULL */
    const char *source;         /* or NULL */
    int64_t columns;            /* of the lens; 0: one */
    const double *lens;         /* nodes * columns; NULL: the node's number on every axis */
    const char *const *axes;    /* columns, or NULL */
} sample_parts;

static dgm_graph *sample_graph(dgm_context *with, const sample_parts *parts) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(with, NULL, &builder), DGM_OK);
    for (int64_t u = 0; parts->names && u < parts->nodes; u++) {
        uint32_t node;
        assert_int_equal(
            dgm_graph_builder_node(builder, parts->names[u], strlen(parts->names[u]), &node),
            DGM_OK);
        assert_int_equal(node, u);
    }
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, parts->nodes), DGM_OK);
    for (uint32_t u = 1; u < parts->nodes; u++) {
        uint32_t ends[2] = {u - 1, u};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
    if (parts->source)
        assert_int_equal(dgm_graph_builder_set_source(builder, parts->source), DGM_OK);
    if (parts->labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, parts->nodes, parts->labels),
                         DGM_OK);
    int32_t classes = 0;
    while (parts->classes && parts->classes[classes])
        classes++;
    if (classes)
        assert_int_equal(dgm_graph_builder_set_class_names(builder, classes, parts->classes),
                         DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static dgm_matrix *sample_lens(dgm_context *with, const sample_parts *parts) {
    int64_t columns = parts->columns ? parts->columns : 1;
    dgm_matrix *lens;
    assert_int_equal(dgm_matrix_create(with, parts->nodes, columns, &lens), DGM_OK);
    double *values = dgm_matrix_values_mutable(lens);
    for (int64_t i = 0; i < parts->nodes * columns; i++)
        values[i] = parts->lens ? parts->lens[i] : (double)(i / columns);
    for (int64_t c = 0; parts->axes && c < columns; c++)
        assert_int_equal(dgm_matrix_set_column_name(with, lens, c, parts->axes[c]), DGM_OK);
    return lens;
}

static const dgm_provenance sample_provenance = {
    .lens = "height", .command = "dgm map path --intervals 2", .seed = 1};

/* Maps the sample's graph, says how, and looks at the members. */
static void sample_map(dgm_context *with, sample *made, const dgm_mapper_options *options) {
    dgm_status status = dgm_mapper_run(with, made->graph, made->lens, options, &made->summary);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(with, made->summary, &sample_provenance);
    if (status == DGM_OK)
        status =
            dgm_profile_create(with, made->summary, made->graph, made->predictions, &made->profile);
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(with));
}

/* A path through the nodes, mapped. options NULL: two intervals that overlap by half. */
static inline sample sample_make(dgm_context *with, const sample_parts *parts,
                                 const dgm_mapper_options *options) {
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    use.intervals[0] = 2;
    use.overlap[0] = 0.5;
    if (options)
        use = *options;
    sample made = {.graph = sample_graph(with, parts), .lens = sample_lens(with, parts)};
    sample_map(with, &made, &use);
    return made;
}

static inline void sample_free(sample *made) {
    dgm_profile_free(made->profile);
    dgm_summary_free(made->summary);
    dgm_predictions_free(made->predictions);
    dgm_matrix_free(made->lens);
    dgm_graph_free(made->graph);
}

/* All that there is to write of it; no places. */
__attribute__((unused)) static dgm_export_subject sample_subject(const sample *made) {
    return (dgm_export_subject){
        .summary = made->summary, .graph = made->graph, .profile = made->profile};
}

/* The view, laid out or not. */
__attribute__((unused)) static dgm_view *sample_view(dgm_context *with, const sample *made,
                                                     bool laid_out) {
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(with, made->summary, made->profile, NULL, &view),
                     DGM_OK);
    if (laid_out)
        assert_int_equal(dgm_view_lay_out(with, view, NULL), DGM_OK);
    return view;
}

/* The summary as text; freed with dgm_export_text_free. */
__attribute__((unused)) static char *sample_text(dgm_context *with, const sample *made,
                                                 dgm_export_format format, int part) {
    char *text;
    size_t length;
    const dgm_export_subject subject = sample_subject(made);
    assert_int_equal(dgm_export_text(with, &subject, format, part, &text, &length), DGM_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

/* Texts that have broken writers before: quotes, escapes, markup, control characters, emoji, broken
 * UTF-8. */
static const char *const hard_texts[] = {
    "plain",
    "a \"quoted\" name",
    "back\\slash \\n \\\"",
    "comma, semicolon; tab\t",
    "line\nfeed\r\n",
    "\x01\x02\b\f\x1f\x7f",
    "<b>&amp;</b> ]]> -- 'x'",
    "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC \xE2\x80\xA8 \xC3\xA9",
    "cut \xE2\x82",
    "\xFF\xFE latin \xE9",
    "\xC0\xAF overlong, \xED\xA0\x80 surrogate",
    "\xEF\xBF\xBE noncharacter",
    " blanks ",
    "=1+1",
};
enum { HARD_TEXTS = sizeof hard_texts / sizeof *hard_texts };
/* The same as every reader of JSON or CSV must get them back. */
static const char *const hard_texts_repaired[] = {
    "plain",
    "a \"quoted\" name",
    "back\\slash \\n \\\"",
    "comma, semicolon; tab\t",
    "line\nfeed\r\n",
    "\x01\x02\b\f\x1f\x7f",
    "<b>&amp;</b> ]]> -- 'x'",
    "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC \xE2\x80\xA8 \xC3\xA9",
    "cut \xEF\xBF\xBD",
    "\xEF\xBF\xBD\xEF\xBF\xBD latin \xEF\xBF\xBD",
    "\xEF\xBF\xBD\xEF\xBF\xBD overlong, \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD surrogate",
    "\xEF\xBF\xBE noncharacter",
    " blanks ",
    "=1+1",
};

#endif
