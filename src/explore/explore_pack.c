/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_pack.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"

/* ---- parts ---- */

static void pad(dgmi_text *out) {
    while (out->length % 8 != 0 && out->status == DGM_OK)
        dgmi_text_append(out, "", 1);
}

static void put(dgmi_text *out, const char tag[4], size_t size, int64_t count, const void *items) {
    dgmi_explore_part part = {.size = (uint32_t)size, .count = (uint64_t)count};
    memcpy(part.tag, tag, sizeof part.tag);
    dgmi_text_append(out, (const char *)&part, sizeof part);
    if (count)
        dgmi_text_append(out, items, (size_t)count * size);
    pad(out);
}

static void put_text(dgmi_text *out, const char tag[4], const char *text) {
    put(out, tag, 1, text ? (int64_t)strlen(text) + 1 : 0, text);
}

/* Texts one after another, each with a byte before it: 1, or 0 if it is NULL. */
static void put_texts(dgmi_text *out, const char tag[4], int64_t count,
                      const char *(*text_at)(const void *of, int64_t index), const void *of) {
    dgmi_text all;
    dgmi_text_init(&all, out->ctx);
    for (int64_t i = 0; i < count; i++) {
        const char *text = text_at(of, i);
        dgmi_text_append(&all, text ? "\1" : "\0", 1);
        if (text)
            dgmi_text_append(&all, text, strlen(text) + 1);
    }
    if (all.status != DGM_OK)
        out->status = all.status;
    else
        put(out, tag, 1, all.length, all.data);
    dgmi_text_free(&all);
}

/* ---- the graph ---- */

static void put_names(dgmi_text *out, const dgm_graph *graph) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_text all;
    dgmi_text_init(&all, out->ctx);
    uint32_t *lengths = dgmi_alloc(out->ctx, nodes, sizeof *lengths);
    for (int64_t u = 0; lengths && u < nodes; u++) { /* names may hold any bytes */
        size_t length;
        const char *name = dgm_graph_name_text(graph, u, &length);
        lengths[u] = (uint32_t)length;
        dgmi_text_append(&all, name, length);
    }
    if (!lengths || all.status != DGM_OK) {
        out->status = DGM_ERROR_MEMORY;
    } else {
        put(out, "NLEN", sizeof *lengths, nodes, lengths);
        put(out, "NAME", 1, all.length, all.data);
    }
    dgmi_free(out->ctx, lengths);
    dgmi_text_free(&all);
}

static const char *class_at(const void *of, int64_t index) {
    return dgm_graph_class_name(of, (int32_t)index);
}

/* Classes as the data numbers them, so that the same ones have the same numbers again. */
static void put_labels(dgmi_text *out, const dgm_graph *graph) {
    int32_t classes = dgm_graph_classes(graph);
    int32_t *numbers = dgmi_alloc(out->ctx, classes, sizeof *numbers);
    if (!numbers) {
        out->status = DGM_ERROR_MEMORY;
        return;
    }
    for (int32_t c = 0; c < classes; c++)
        numbers[c] = dgm_graph_class_number(graph, c);
    put(out, "LABL", sizeof(int32_t), dgm_graph_nodes(graph), dgm_graph_labels(graph));
    put(out, "CNUM", sizeof *numbers, classes, numbers);
    put_texts(out, "CNAM", classes, class_at, graph);
    dgmi_free(out->ctx, numbers);
}

static const char *text_at(const void *of, int64_t index) {
    return ((const char *const *)of)[index];
}

static void put_attribute(dgmi_text *out, const dgm_graph *graph, int64_t index) {
    const dgm_attribute attribute = dgm_graph_attribute(graph, index);
    put_text(out, "ANAM", attribute.name);
    if (attribute.kind == DGM_ATTRIBUTE_NUMBER)
        put(out, "ANUM", sizeof(double), dgm_graph_nodes(graph), attribute.numbers);
    else
        put_texts(out, "ATXT", dgm_graph_nodes(graph), text_at, attribute.texts);
}

static void put_features(dgmi_text *out, const dgm_graph *graph) {
    const dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    int64_t entries = features.offsets ? features.offsets[nodes] : nodes * features.width;
    if (features.width == 0)
        return;
    if (features.offsets) {
        put(out, "FOFF", sizeof(int64_t), nodes + 1, features.offsets);
        put(out, "FCOL", sizeof(uint32_t), entries, features.columns);
    }
    if (features.values)
        put(out, "FVAL", sizeof(float), entries, features.values);
}

static void put_graph(dgmi_text *out, const dgm_graph *graph) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    put_text(out, "SRCE", dgm_graph_source(graph));
    put(out, "OFFS", sizeof(int64_t), rows.nodes + 1, rows.offsets);
    put(out, "TARG", sizeof(uint32_t), rows.entries, rows.targets);
    if (rows.weights)
        put(out, "WGHT", sizeof(double), rows.entries, rows.weights);
    if (dgm_graph_name_base(graph) < 0)
        put_names(out, graph);
    if (dgm_graph_labels(graph))
        put_labels(out, graph);
    if (dgm_graph_splits(graph))
        put(out, "SPLT", 1, rows.nodes, dgm_graph_splits(graph));
    for (int64_t i = 0; i < dgm_graph_attributes(graph); i++)
        put_attribute(out, graph, i);
    put_features(out, graph);
}

/* ---- the lens ---- */

static const char *column_at(const void *of, int64_t index) {
    return dgm_matrix_column_name(of, index);
}

static const char *transform_at(const void *of, int64_t index) {
    return dgm_matrix_column_transform(of, index);
}

static void put_lens(dgmi_text *out, const dgm_explorer_lens *lens, int64_t nodes) {
    const dgm_matrix *axes = lens->axes;
    int64_t columns = dgm_matrix_columns(axes);
    int32_t probabilities = 0;
    put(out, "AXES", sizeof(double), nodes * columns, dgm_matrix_values(axes));
    put_texts(out, "AXNM", columns, column_at, axes);
    put_texts(out, "AXTR", columns, transform_at, axes);
    put_text(out, "LNAM", lens->name);
    put_text(out, "LCMD", lens->command);
    put_text(out, "LWRD", lens->words);
    if (!lens->predictions)
        return;
    const float *values = dgm_predictions_probabilities(lens->predictions, &probabilities);
    put(out, "PRED", sizeof(int32_t), nodes, dgm_predictions_classes(lens->predictions));
    if (values)
        put(out, "PROB", sizeof(float), nodes * probabilities, values);
}

/* ---- all of it ---- */

static void put_settings(dgmi_text *out, const dgm_explorer *explorer) {
    for (int i = 0; i < explorer->setting_count; i++) {
        const char *pair[2] = {explorer->settings[i].option->name, explorer->settings[i].text};
        const char *usual = explorer->settings[i].option->default_text;
        if (*pair[1] && (!usual || strcmp(usual, pair[1]) != 0) && strcmp(pair[1], "false") != 0)
            put_texts(out, "SETT", 2, text_at, pair);
    }
}

static void put_head(dgmi_text *out, const dgm_explorer *explorer) {
    const dgm_explorer_lens *lens = &explorer->lens;
    int32_t probabilities = 0;
    if (lens->predictions)
        dgm_predictions_probabilities(lens->predictions, &probabilities);
    const int64_t head[DGMI_EXPLORE_HEAD] = {
        [DGMI_EXPLORE_NODES] = dgm_graph_nodes(explorer->graph),
        [DGMI_EXPLORE_DIRECTED] = dgm_graph_get_rows(explorer->graph).directed,
        [DGMI_EXPLORE_NAME_BASE] = dgm_graph_name_base(explorer->graph),
        [DGMI_EXPLORE_WIDTH] = dgm_graph_get_features(explorer->graph).width,
        [DGMI_EXPLORE_COLUMNS] = dgm_matrix_columns(lens->axes),
        [DGMI_EXPLORE_PROBABILITIES] = probabilities,
        [DGMI_EXPLORE_SEED] = lens->provenance.seed,
    };
    dgmi_text_append(out, DGMI_EXPLORE_MAGIC, sizeof DGMI_EXPLORE_MAGIC);
    pad(out);
    put(out, "HEAD", sizeof *head, DGMI_EXPLORE_HEAD, head);
}

dgm_status dgm_explorer_pack(dgm_context *ctx, const dgm_explorer *explorer, dgm_answer *out) {
    dgmi_text all;
    *out = (dgm_answer){NULL, 0};
    if (!explorer->lens.axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the explorer has no lens yet");
    dgmi_text_init(&all, ctx);
    put_head(&all, explorer);
    put_graph(&all, explorer->graph);
    put_lens(&all, &explorer->lens, dgm_graph_nodes(explorer->graph));
    put_settings(&all, explorer);
    put_text(&all, "STRT", explorer->start);
    put_text(&all, "CHOI", explorer->choice);
    if (all.status != DGM_OK) {
        dgmi_text_free(&all);
        return all.status;
    }
    *out = (dgm_answer){all.data, (size_t)all.length};
    return DGM_OK;
}
