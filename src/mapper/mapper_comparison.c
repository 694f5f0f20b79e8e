/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares the columns of a graph for comparisons: answers to questions are counted, and numbers
 * are ranked, once for all sets. */
#include "mapper_comparison.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_sort.h"
#include "mapper_chance.h"

/* What all steps of the making share. Scratch memory is that of the comparison meanwhile. */
typedef struct {
    dgm_context *ctx;
    const dgm_graph *graph;
    const char *lens;
    dgm_comparison *out;
} maker;

/* ---- what the lens has seen ---- */

/* Whether `part` stands among the names of lenses, which have '+' between them. */
static bool lens_has(const char *lens, const char *part, size_t length) {
    for (const char *at = lens; at && *at; at = strchr(at, '+') ? strchr(at, '+') + 1 : NULL)
        if (strncmp(at, part, length) == 0 && (at[length] == '\0' || at[length] == '+'))
            return true;
    return false;
}

static bool lens_saw_classes(const char *lens) {
    return lens_has(lens, "labels", 6) || lens_has(lens, "gcn", 3);
}

static bool lens_saw_features(const char *lens) {
    return lens_has(lens, "dgi", 3) || lens_has(lens, "gcn", 3);
}

static bool lens_saw_attribute(const char *lens, const char *name) {
    size_t length = strlen(name);
    for (const char *at = lens; at && (at = strstr(at, "attr:")); at += 5) {
        bool begins = at == lens || at[-1] == '+';
        if (begins && strncmp(at + 5, name, length) == 0 &&
            (at[5 + length] == '\0' || at[5 + length] == '+'))
            return true;
    }
    return false;
}

/* ---- questions ---- */

static bool says_yes(const dgmi_mapper_questions *q, int64_t entry) {
    return !q->values || q->values[entry] != 0;
}

static void count_answers(const maker *m, dgmi_mapper_questions *q) {
    int64_t nodes = m->out->nodes;
    q->known = q->codes ? 0 : nodes;
    for (int64_t u = 0; q->codes && u < nodes; u++)
        if (q->codes[u] >= 0) {
            q->known++;
            q->totals[q->codes[u]]++;
        }
    for (int64_t i = 0; q->offsets && i < q->offsets[nodes]; i++)
        q->totals[q->entries[i]] += says_yes(q, i);
}

/* Questions that can tell nodes apart, those with the most yes first, of equals in their order. */
static dgm_status order_questions(const maker *m, dgmi_mapper_questions *q) {
    int64_t least = q->kind == DGM_COLUMN_CLASS ? 1 : 2;
    dgmi_hold hold = dgmi_arena_hold(m->ctx);
    uint64_t *keys = dgmi_scratch(m->ctx, q->width, sizeof *keys);
    if (!keys)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < q->width; k++)
        if (q->totals[k] >= least && q->totals[k] < q->known) {
            keys[q->compared] = (uint64_t)(q->known - q->totals[k]);
            q->order[q->compared++] = (uint32_t)k;
        }
    dgm_status status = dgmi_sort_pairs(m->ctx, keys, q->order, q->compared);
    dgmi_arena_release(m->ctx, hold);
    return status;
}

static dgm_status add_questions(const maker *m, dgmi_mapper_questions q) {
    q.totals = dgmi_scratch_zero(m->ctx, q.width, sizeof *q.totals);
    q.order = dgmi_scratch(m->ctx, q.width, sizeof *q.order);
    if (!q.totals || !q.order)
        return DGM_ERROR_MEMORY;
    count_answers(m, &q);
    q.first = m->out->places;
    m->out->places += q.width;
    dgm_status status = order_questions(m, &q);
    m->out->questions[m->out->question_count++] = q;
    return status;
}

static dgm_status add_classes(const maker *m) {
    enum { NUMBER_SPACE = 16 };
    dgmi_mapper_questions q = {.kind = DGM_COLUMN_CLASS,
                               .codes = dgm_graph_labels(m->graph),
                               .width = dgm_graph_classes(m->graph),
                               .seen = lens_saw_classes(m->lens)};
    if (!q.codes)
        return DGM_OK;
    q.texts = dgmi_scratch(m->ctx, q.width, sizeof *q.texts);
    char *numbers = dgmi_scratch(m->ctx, q.width, NUMBER_SPACE);
    if (!q.texts || !numbers)
        return DGM_ERROR_MEMORY;
    for (int32_t k = 0; k < q.width; k++)
        q.texts[k] =
            dgm_graph_class_text(m->graph, k, numbers + (int64_t)k * NUMBER_SPACE, NUMBER_SPACE);
    return add_questions(m, q);
}

/* A text and the node that has it. */
typedef struct {
    const char *text;
    int64_t node;
} holder;

static int compare_holders(const void *a, const void *b) {
    const holder *p = a, *q = b;
    int order = strcmp(p->text, q->text);
    return order ? order : (p->node > q->node) - (p->node < q->node);
}

/* Fills in codes, and the different texts in ascending order; returns how many there are. */
static int64_t code_texts(holder *holders, int64_t count, int32_t *codes, const char **texts) {
    int64_t different = 0;
    if (count > 1)
        qsort(holders, (size_t)count, sizeof *holders, compare_holders);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(holders[i].text, holders[i - 1].text) != 0)
            texts[different++] = holders[i].text;
        codes[holders[i].node] = (int32_t)(different - 1);
    }
    return different;
}

static dgm_status add_texts(const maker *m, int64_t attribute) {
    dgm_attribute values = dgm_graph_attribute(m->graph, attribute);
    int64_t nodes = m->out->nodes, count = 0;
    int32_t *codes = dgmi_scratch(m->ctx, nodes, sizeof *codes);
    const char **texts = dgmi_scratch(m->ctx, nodes, sizeof *texts);
    dgmi_hold hold = dgmi_arena_hold(m->ctx);
    holder *holders = dgmi_scratch(m->ctx, nodes, sizeof *holders);
    if (!codes || !texts || !holders)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        codes[u] = -1;
        if (values.texts[u])
            holders[count++] = (holder){values.texts[u], u};
    }
    int64_t width = code_texts(holders, count, codes, texts);
    dgmi_arena_release(m->ctx, hold);
    return add_questions(m,
                         (dgmi_mapper_questions){.kind = DGM_COLUMN_TEXT,
                                                 .name = values.name,
                                                 .attribute = attribute,
                                                 .codes = codes,
                                                 .width = width,
                                                 .texts = texts,
                                                 .seen = lens_saw_attribute(m->lens, values.name)});
}

/* ---- numbers ---- */

/* Ranks of values that are sorted; equal ones share the middle of theirs. */
static void rank_sorted(const uint64_t *keys, const uint32_t *order, dgmi_mapper_numbers *numbers) {
    for (int64_t begin = 0, end; begin < numbers->known; begin = end) {
        for (end = begin + 1; end < numbers->known && keys[end] == keys[begin];)
            end++;
        double t = (double)(end - begin);
        numbers->ties += t * t * t - t;
        for (int64_t i = begin; i < end; i++)
            numbers->ranks[order[i]] = (uint32_t)(begin + end + 1);
    }
}

static dgm_status rank_numbers(const maker *m, dgmi_mapper_numbers *numbers) {
    int64_t nodes = m->out->nodes;
    dgmi_hold hold = dgmi_arena_hold(m->ctx);
    uint64_t *keys = dgmi_scratch(m->ctx, nodes, sizeof *keys);
    uint32_t *order = dgmi_scratch(m->ctx, nodes, sizeof *order);
    dgm_status status = keys && order ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        double value = dgmi_mapper_number(numbers, u);
        if (!isfinite(value))
            continue;
        keys[numbers->known] = dgmi_sort_key(value);
        order[numbers->known++] = (uint32_t)u;
        numbers->sum += value;
    }
    if (status == DGM_OK)
        status = dgmi_sort_pairs(m->ctx, keys, order, numbers->known);
    if (status == DGM_OK)
        rank_sorted(keys, order, numbers);
    dgmi_arena_release(m->ctx, hold);
    return status;
}

/* Whether all values are equal, so that the column tells nothing. */
static bool is_constant(const dgmi_mapper_numbers *numbers) {
    double n = (double)numbers->known;
    return numbers->known < 2 || numbers->ties >= n * n * n - n;
}

static dgm_status add_numbers(const maker *m, dgmi_mapper_numbers numbers) {
    numbers.ranks = dgmi_scratch_zero(m->ctx, m->out->nodes, sizeof *numbers.ranks);
    dgm_status status = numbers.ranks ? rank_numbers(m, &numbers) : DGM_ERROR_MEMORY;
    if (status == DGM_OK && !is_constant(&numbers))
        m->out->numbers[m->out->number_count++] = numbers;
    return status == DGM_OK ? dgmi_progress(m->ctx, "ranking attributes", -1) : status;
}

/* ---- all columns ---- */

static dgm_status add_attribute(const maker *m, int64_t attribute) {
    dgm_attribute values = dgm_graph_attribute(m->graph, attribute);
    if (values.kind == DGM_ATTRIBUTE_TEXT)
        return add_texts(m, attribute);
    return add_numbers(m, (dgmi_mapper_numbers){.kind = DGM_COLUMN_NUMBER,
                                                .name = values.name,
                                                .column = attribute,
                                                .doubles = values.numbers,
                                                .seen = lens_saw_attribute(m->lens, values.name)});
}

static bool is_too_wide(const dgm_graph_features *features, int64_t nodes) {
    return !features->offsets && nodes > 0 && features->width > DGM_COMPARISON_MOST / nodes;
}

static dgm_status add_features(const maker *m) {
    dgm_graph_features features = dgm_graph_get_features(m->graph);
    bool seen = lens_saw_features(m->lens);
    dgm_status status = DGM_OK;
    if (is_too_wide(&features, m->out->nodes)) {
        m->out->left_out = features.width;
        return DGM_OK;
    }
    if (features.offsets)
        return add_questions(m, (dgmi_mapper_questions){.kind = DGM_COLUMN_FEATURE,
                                                        .offsets = features.offsets,
                                                        .entries = features.columns,
                                                        .values = features.values,
                                                        .width = features.width,
                                                        .seen = seen});
    for (int64_t f = 0; f < features.width && status == DGM_OK; f++)
        status = add_numbers(m, (dgmi_mapper_numbers){.kind = DGM_COLUMN_MEASURE,
                                                      .column = f,
                                                      .floats = features.values + f,
                                                      .stride = features.width,
                                                      .seen = seen});
    return status;
}

static dgm_status add_columns(const maker *m) {
    int64_t attributes = dgm_graph_attributes(m->graph);
    dgm_graph_features features = dgm_graph_get_features(m->graph);
    int64_t measures = features.offsets ? 0 : features.width;
    m->out->questions = dgmi_scratch(m->ctx, attributes + 2, sizeof *m->out->questions);
    m->out->numbers = dgmi_scratch(m->ctx, attributes + measures, sizeof *m->out->numbers);
    m->out->log_factorials = dgmi_mapper_log_factorials(m->ctx, m->out->nodes);
    if (!m->out->questions || !m->out->numbers || !m->out->log_factorials)
        return DGM_ERROR_MEMORY;
    dgm_status status = add_classes(m);
    for (int64_t a = 0; a < attributes && status == DGM_OK; a++)
        status = add_attribute(m, a);
    return status == DGM_OK ? add_features(m) : status;
}

dgm_status dgm_comparison_create(dgm_context *ctx, const dgm_graph *graph, const char *lens,
                                 dgm_comparison **out) {
    *out = dgmi_alloc_zero(ctx, 1, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    (*out)->allocator = ctx->allocator;
    (*out)->nodes = dgm_graph_nodes(graph);
    const maker m = {ctx, graph, lens, *out};
    dgmi_arena_swap(ctx, &(*out)->arena);
    dgm_status status = add_columns(&m);
    dgmi_arena_swap(ctx, &(*out)->arena);
    if (status != DGM_OK) {
        dgm_comparison_free(*out);
        *out = NULL;
    }
    return status;
}

void dgm_comparison_free(dgm_comparison *comparison) {
    if (!comparison)
        return;
    dgm_allocator allocator = comparison->allocator;
    dgmi_arena_drop(&allocator, &comparison->arena);
    dgmi_allocator_free(&allocator, comparison);
}

int64_t dgm_comparison_columns(const dgm_comparison *comparison) {
    int64_t count = comparison->number_count;
    for (int64_t g = 0; g < comparison->question_count; g++)
        count += comparison->questions[g].compared;
    return count;
}

int64_t dgm_comparison_left_out(const dgm_comparison *comparison) {
    return comparison->left_out;
}
