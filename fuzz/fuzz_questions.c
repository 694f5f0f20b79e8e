/* SPDX-License-Identifier: Apache-2.0 */
/* Any lines as questions to an explorer, "picture intervals=7&overlap=0.3" and so on: an answer whose
 * parts lie inside it, or an error, and the explorer still answers afterwards. */
#include "fuzz_common.h"

#include <string.h>

enum { NODES = 12, FEW_QUESTIONS = 2, MOST_QUESTIONS = 12, MOST_EVERY = 16, MOST_LINE = 512 };

/* A ring with chords, in two classes, with predictions and attributes of both kinds. */
static dgm_graph *make_graph(dgm_context *ctx) {
    uint32_t edges[4 * NODES];
    int32_t labels[NODES];
    double ages[NODES];
    const char *towns[NODES];
    static const char *const names[] = {"left", "right"};
    dgm_graph_builder *builder;
    dgm_graph *graph = NULL;
    for (uint32_t i = 0; i < NODES; i++) {
        edges[4 * i] = edges[4 * i + 2] = i;
        edges[4 * i + 1] = (i + 1) % NODES;
        edges[4 * i + 3] = i * i % NODES;
        labels[i] = (int32_t)(i % 5 == 0) - (i == 7);
        ages[i] = i;
        towns[i] = i % 3 ? names[i % 2] : NULL;
    }
    if (dgm_graph_builder_create(ctx, NULL, &builder) != DGM_OK)
        return NULL;
    if (dgm_graph_builder_add(builder, 2 * NODES, edges, NULL) == DGM_OK &&
        dgm_graph_builder_set_labels(builder, NODES, labels) == DGM_OK &&
        dgm_graph_builder_set_class_names(builder, 2, names) == DGM_OK &&
        dgm_graph_builder_add_numbers(builder, "age", NODES, ages) == DGM_OK &&
        dgm_graph_builder_add_texts(builder, "town", NODES, towns) == DGM_OK) {
        dgm_graph_builder_finish(builder, &graph);
        return graph;
    }
    dgm_graph_builder_free(builder);
    return NULL;
}

static dgm_status give_lens(dgm_context *ctx, dgm_explorer *explorer, dgm_matrix **axes) {
    dgm_explorer_lens lens;
    dgm_status status = dgm_matrix_create(ctx, NODES, 2, axes);
    if (status != DGM_OK)
        return status;
    for (int i = 0; i < NODES; i++) {
        dgm_matrix_values_mutable(*axes)[2 * i] = i < NODES / 2 ? i : NODES - i;
        dgm_matrix_values_mutable(*axes)[2 * i + 1] = i % 7;
    }
    dgm_explorer_lens_init(&lens);
    lens.axes = *axes;
    return dgm_explorer_set_lens(ctx, explorer, &lens);
}

static const char *check_answer(const dgm_answer *answer) {
    uint32_t length = 0;
    if (answer->length < 8 || memcmp(answer->bytes, "DGM1", 4) != 0)
        return "an answer has no head";
    memcpy(&length, answer->bytes + 4, sizeof length);
    if (length % 8 || length > answer->length - 8 || answer->bytes[8] != '{')
        return "the text of an answer lies outside of it";
    return NULL;
}

static void ask(dgm_context *ctx, dgm_explorer *explorer, char *line) {
    char *settings = strchr(line, ' ');
    dgm_answer answer;
    if (settings)
        *settings++ = '\0';
    dgm_status status = dgm_explorer_ask(ctx, explorer, line, settings ? settings : "", &answer);
    fuzz_check_failure(status, answer.bytes);
    if (status == DGM_OK)
        fuzz_refuse("answer", check_answer(&answer));
    dgm_answer_free(ctx, &answer);
}

static void ask_all(dgm_context *ctx, dgm_explorer *explorer, const uint8_t *data, size_t size,
                    int most) {
    for (int i = 0; i < most && size > 0; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        char line[MOST_LINE + 1];
        size_t kept = length < MOST_LINE ? length : MOST_LINE;
        memcpy(line, data, kept);
        line[kept] = '\0';
        ask(ctx, explorer, line);
        size -= length + (end != NULL);
        data += length + (end != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    bool many = fuzz_whole || fuzz_bits(data, size) % MOST_EVERY == 0;
    fuzz_allow(1 << 16); /* a graph is there whatever the input is */
    dgm_graph *graph = make_graph(ctx);
    dgm_explorer *explorer = NULL;
    dgm_matrix *axes = NULL;
    if (graph && dgm_explorer_create(ctx, graph, &explorer) == DGM_OK &&
        give_lens(ctx, explorer, &axes) == DGM_OK) {
        char last[] = "picture intervals=4&overlap=0.3&cover=uniform&cluster=components&min-size=1";
        char quick[] = "search text=2";
        ask_all(ctx, explorer, data, size, many ? MOST_QUESTIONS : FEW_QUESTIONS);
        ask(ctx, explorer, many ? last : quick);
    }
    dgm_explorer_free(explorer);
    dgm_matrix_free(axes);
    dgm_graph_free(graph);
    return 0;
}
