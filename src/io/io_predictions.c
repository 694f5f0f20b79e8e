/* SPDX-License-Identifier: Apache-2.0 */
/* A file of what a classifier says of the nodes: text or .npy, one class per node, or a row of
 * probabilities or logits per node. Rows stand in the order of the nodes, or are matched by a column
 * `id`. What `dgm train --predictions` writes is such a file.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dgm/io.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "graph_names.h"
#include "io_foreign.h"
#include "io_formats.h"
#include "io_rows.h"

/* A column is the class, belongs to nobody, or has the score of the class of that number. */
enum { ROLE_CLASS = -1, ROLE_NONE = -2, ROLE_UNKNOWN = -3, NO_CLASS = -1, MOST_COLUMNS = 1 << 20 };

typedef struct prediction_file {
    dgm_context *ctx;
    const char *path;
    const dgm_graph *graph;
    int64_t nodes, rows;
    dgm_graph_index *index; /* with an id column */
    int64_t id_column, class_column, fields;
    int32_t *roles; /* by field */
    int64_t width;  /* columns of scores; 0: there are classes */
    bool in_order; /* these are the classes of the graph in their order, or the numbers 0, 1, ... */
    dgmi_graph_names words; /* for classes that were met */
    int32_t *classes_of;    /* by word */
    int64_t word_capacity;
    int32_t *classes; /* by node */
    double *scores;   /* nodes x width */
    uint8_t *met;     /* by node, with an id column */
} prediction_file;

/* ---- classes by their texts ---- */

static int32_t find_number(const dgm_graph *graph, int64_t number) {
    int32_t classes = dgm_graph_classes(graph);
    if (classes == 0)
        return number < dgm_graph_nodes(graph) ? (int32_t)number : NO_CLASS;
    for (int32_t c = 0; c < classes; c++)
        if (dgm_graph_class_number(graph, c) == number)
            return c;
    return NO_CLASS;
}

static int32_t find_name(const dgm_graph *graph, const char *text) {
    for (int32_t c = 0; c < dgm_graph_classes(graph); c++) {
        const char *name = dgm_graph_class_name(graph, c);
        if (name && strcmp(name, text) == 0)
            return c;
    }
    return NO_CLASS;
}

/* Whether the text is a whole number that a class can have; "3.0" is one, too. */
static bool is_whole(const char *text, int64_t *number) {
    double value;
    if (!dgmi_parse_real(text, strlen(text), &value) || !(value >= 0) ||
        !(value < DGMI_BYTES_MAX_CLASSES) || value != floor(value))
        return false;
    *number = (int64_t)value;
    return true;
}

enum { SHOWN = 5, LONGEST = 40, LIST_SPACE = SHOWN * (LONGEST + 2) + sizeof "..." };

/* "Theory, Case_Based, Rules, ...": the first classes of the graph. */
static const char *list_classes(const dgm_graph *graph, char text[LIST_SPACE]) {
    int32_t classes = dgm_graph_classes(graph);
    size_t used = 0;
    text[0] = '\0';
    for (int32_t c = 0; c < classes && c < SHOWN; c++) {
        char number[16];
        used += (size_t)snprintf(text + used, LIST_SPACE - used, "%s%.*s", c ? ", " : "", LONGEST,
                                 dgm_graph_class_text(graph, c, number, sizeof number));
    }
    if (classes > SHOWN)
        snprintf(text + used, LIST_SPACE - used, ", ...");
    return text;
}

static dgm_status refuse_class(const prediction_file *file, const dgmi_bytes_lines *lines,
                               const char *text) {
    char known[LIST_SPACE];
    if (dgm_graph_classes(file->graph) == 0)
        return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                               "\"%.60s\" is no class: the graph has no labels, so that classes "
                               "are whole numbers below the number of its nodes",
                               text);
    return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                           "the graph has no class \"%.60s\"; its classes are %s", text,
                           list_classes(file->graph, known));
}

static dgm_status read_class(const prediction_file *file, const dgmi_bytes_lines *lines,
                             const char *text, int32_t *class) {
    int64_t number;
    *class = find_name(file->graph, text);
    if (*class != NO_CLASS || !*text || strcmp(text, "NA") == 0 || strcmp(text, "-1") == 0)
        return DGM_OK;
    if (is_whole(text, &number))
        *class = find_number(file->graph, number);
    return *class == NO_CLASS ? refuse_class(file, lines, text) : DGM_OK;
}

/* A word is looked up once, however many nodes have it. */
static dgm_status take_class(prediction_file *file, const dgmi_bytes_lines *lines, int64_t node) {
    const dgmi_bytes_field *field = &lines->fields[file->class_column];
    int64_t before = file->words.count;
    uint32_t word;
    dgm_status status =
        dgmi_graph_names_intern(file->ctx, &file->words, field->text, field->length, &word);
    if (status == DGM_OK && file->words.count > before) {
        void *grown = file->classes_of;
        status = dgmi_reserve(file->ctx, &grown, &file->word_capacity, file->words.count,
                              sizeof *file->classes_of);
        file->classes_of = grown;
        if (status == DGM_OK)
            status = read_class(file, lines, field->text, &file->classes_of[word]);
    }
    if (status == DGM_OK)
        file->classes[node] = file->classes_of[word];
    return status;
}

/* ---- the header ---- */

static bool is_word(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcasecmp(*words, word) == 0)
            return true;
    return false;
}

static const char *const class_words[] = {"prediction", "predictions", "predicted", "pred",
                                          "y_pred",     "class",       NULL};
static const char *const other_words[] = {"label", "labels", "target", "y", "split", "id", NULL};

/* "Theory", "3", "p3", "logit3", "prob_3", "class3": the number of the class whose score it is. */
static int32_t number_in(const dgm_graph *graph, const char *text) {
    static const char *const prefixes[] = {"p", "logit", "prob", "probability", "class", "score"};
    int32_t class = find_name(graph, text);
    int64_t number;
    if (class != NO_CLASS)
        return dgm_graph_class_number(graph, class);
    const char *digits = text;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncasecmp(text, prefixes[i], length) == 0 && text + length > digits)
            digits = text + length;
    }
    digits += digits > text && *digits == '_';
    bool plain = *digits >= '0' && *digits <= '9' && is_whole(digits, &number);
    return plain && number < MOST_COLUMNS ? (int32_t)number : ROLE_UNKNOWN;
}

/* Counts the columns of scores and those among them that name their class. */
static int64_t count_scores(const prediction_file *file, int64_t *named) {
    int64_t scores = 0;
    *named = 0;
    for (int64_t k = 0; k < file->fields; k++) {
        scores += file->roles[k] >= 0 || file->roles[k] == ROLE_UNKNOWN;
        *named += file->roles[k] >= 0;
    }
    return scores;
}

static dgm_status check_scores(prediction_file *file, const dgmi_bytes_lines *lines,
                               int64_t named) {
    char known[LIST_SPACE];
    for (int64_t k = 0; named > 0 && k < file->fields; k++) {
        if (file->roles[k] == ROLE_UNKNOWN)
            return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                                   "the column \"%.60s\" names no class of the graph; its classes "
                                   "are %s",
                                   lines->fields[k].text, list_classes(file->graph, known));
        for (int64_t j = 0; file->roles[k] >= 0 && j < k; j++)
            if (file->roles[j] == file->roles[k])
                return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                                       "the columns \"%.60s\" and \"%.60s\" are of one class",
                                       lines->fields[j].text, lines->fields[k].text);
    }
    file->in_order = named == 0;
    return DGM_OK;
}

/* Which column is what. A single column beside the id is the class, whatever it is called; several
 * that are neither class nor label are scores. */
static dgm_status take_header(prediction_file *file, const dgmi_bytes_lines *lines) {
    int64_t named;
    for (int64_t k = 0; k < file->fields; k++) {
        const char *text = lines->fields[k].text;
        bool class = is_word(text, class_words);
        file->roles[k] = class                        ? ROLE_CLASS
                         : is_word(text, other_words) ? ROLE_NONE
                                                      : number_in(file->graph, text);
        if (class && file->class_column < 0)
            file->class_column = k;
    }
    file->id_column = dgmi_bytes_lines_find(lines, "id");
    file->width = count_scores(file, &named);
    if (file->id_column >= 0 && file->fields == 2) {
        file->class_column = 1 - file->id_column;
        file->width = 0;
    }
    if (file->width < 2 && file->class_column < 0)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                               "no column is called \"prediction\", and there are no scores of two "
                               "classes or more");
    if (file->width < 2)
        file->width = 0;
    if (file->width > 0)
        return check_scores(file, lines, named);
    return DGM_OK;
}

/* A first line is a header if it names an id column or a class by the word, or if it has several
 * columns and nothing in it is a number. */
static bool is_header(const dgmi_bytes_lines *lines) {
    bool numbers = false;
    double value;
    if (dgmi_bytes_lines_find(lines, "id") >= 0)
        return true;
    for (int64_t k = 0; k < lines->count; k++)
        numbers |= dgmi_parse_real(lines->fields[k].text, lines->fields[k].length, &value);
    if (lines->count == 1)
        return is_word(lines->fields[0].text, class_words) ||
               is_word(lines->fields[0].text, other_words);
    return !numbers;
}

static dgm_status take_first(prediction_file *file, const dgmi_bytes_lines *lines, bool *header) {
    file->fields = lines->count;
    file->roles = dgmi_alloc(file->ctx, file->fields, sizeof *file->roles);
    if (!file->roles)
        return DGM_ERROR_MEMORY;
    *header = is_header(lines);
    if (file->fields == 1) {
        file->class_column = 0;
        return DGM_OK;
    }
    file->width = file->fields;
    file->in_order = true;
    for (int64_t k = 0; k < file->fields; k++)
        file->roles[k] = (int32_t)k;
    return *header ? take_header(file, lines) : DGM_OK;
}

/* ---- rows ---- */

static bool is_score(const prediction_file *file, int64_t field) {
    return file->roles[field] >= 0 || file->roles[field] == ROLE_UNKNOWN;
}

static dgm_status take_scores(const prediction_file *file, const dgmi_bytes_lines *lines,
                              int64_t node) {
    double *to = file->scores + node * file->width;
    for (int64_t k = 0; k < file->fields; k++) {
        const dgmi_bytes_field *field = &lines->fields[k];
        if (!is_score(file, k))
            continue;
        if (!dgmi_parse_real(field->text, field->length, to) || !isfinite(*to))
            return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                                   "\"%.40s\" in column %lld is no finite number%s", field->text,
                                   (long long)k + 1,
                                   file->id_column < 0 && k == 0
                                       ? "; a column of node names needs a header that calls it "
                                         "\"id\""
                                       : "");
        to++;
    }
    return DGM_OK;
}

static dgm_status take_row(prediction_file *file, const dgmi_bytes_lines *lines) {
    int64_t node = file->rows++;
    dgm_status status = DGM_OK;
    if (lines->count != file->fields)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "%lld columns, but the first line has %lld",
                               (long long)lines->count, (long long)file->fields);
    if (file->index)
        status = dgmi_io_rows_match(lines, file->id_column, file->index, file->met, &node);
    if (status != DGM_OK || node >= file->nodes)
        return status; /* too many are counted, and refused at the end */
    return file->width > 0 ? take_scores(file, lines, node) : take_class(file, lines, node);
}

static dgm_status make_room(prediction_file *file) {
    if (file->width > MOST_COLUMNS)
        return dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                            "%lld columns are more classes than fit", (long long)file->width);
    file->met = dgmi_alloc_zero(file->ctx, file->nodes, 1);
    file->classes = dgmi_alloc(file->ctx, file->nodes, sizeof *file->classes);
    if (!file->met || !file->classes)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < file->nodes; u++)
        file->classes[u] = NO_CLASS;
    file->scores = dgmi_alloc_zero(file->ctx, file->nodes * file->width, sizeof *file->scores);
    if (!file->scores)
        return DGM_ERROR_MEMORY;
    return file->id_column >= 0 ? dgm_graph_index_create(file->ctx, file->graph, &file->index)
                                : DGM_OK;
}

static dgm_status read_lines(prediction_file *file, dgmi_bytes_lines *lines) {
    bool header = false;
    dgm_status status = dgmi_bytes_lines_next(lines);
    if (status == DGM_OK && lines->count == 0)
        return dgmi_fail_in(file->ctx, DGM_ERROR_FORMAT, file->path,
                            "the file is empty; a row per node is needed");
    if (status == DGM_OK)
        status = take_first(file, lines, &header);
    if (status == DGM_OK)
        status = make_room(file);
    if (status == DGM_OK && header)
        status = dgmi_bytes_lines_next(lines);
    while (status == DGM_OK && lines->count > 0) {
        status = take_row(file, lines);
        if (status == DGM_OK)
            status = dgmi_bytes_lines_next(lines);
    }
    return status;
}

/* ---- counts ---- */

static dgm_status check_rows(const prediction_file *file) {
    int64_t missing = 0;
    if (!file->index && file->rows != file->nodes)
        return dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                            "the file has %lld rows, and the graph %lld nodes; a row per node is "
                            "needed, or a column id that says whose they are",
                            (long long)file->rows, (long long)file->nodes);
    while (missing < file->nodes && (!file->index || file->met[missing]))
        missing++;
    if (!file->index || missing == file->nodes)
        return DGM_OK;
    char name[64];
    dgm_graph_name(file->graph, missing, name, sizeof name);
    if (file->width > 0)
        return dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                            "node \"%s\" has no row; each of the %lld nodes needs its scores", name,
                            (long long)file->nodes);
    dgmi_note(file->ctx, "%s: %lld of %lld nodes have a prediction", file->path,
              (long long)file->rows, (long long)file->nodes);
    return DGM_OK;
}

/* Rows "0 1", "1 0", "2 1", ... without a header are nodes and classes rather than scores. */
static dgm_status check_numbered(const prediction_file *file) {
    if (file->index || file->width != 2 || file->nodes < 3)
        return DGM_OK;
    for (int64_t u = 0; u < file->nodes; u++)
        if (file->scores[2 * u] != (double)u)
            return DGM_OK;
    return dgmi_fail_in(file->ctx, DGM_ERROR_FORMAT, file->path,
                        "the first column counts the rows: a header \"id,prediction\" would make "
                        "it the nodes");
}

/* ---- scores to probabilities ---- */

/* What the rows are: each of them sums to 1, or to 100, or neither. */
typedef enum score_kind { PROBABILITIES, PERCENTAGES, LOGITS } score_kind;

static score_kind find_kind(const prediction_file *file) {
    bool ones = true, hundreds = true;
    for (int64_t u = 0; u < file->nodes; u++) {
        const double *row = file->scores + u * file->width;
        double sum = 0;
        bool negative = false;
        for (int64_t j = 0; j < file->width; j++) {
            sum += row[j];
            negative |= row[j] < 0;
        }
        ones &= !negative && fabs(sum - 1) <= DGM_PREDICTIONS_TOLERANCE;
        hundreds &= !negative && fabs(sum - 100) <= 100 * DGM_PREDICTIONS_TOLERANCE;
    }
    return ones ? PROBABILITIES : hundreds ? PERCENTAGES : LOGITS;
}

static void soften(const prediction_file *file) {
    for (int64_t u = 0; u < file->nodes; u++) {
        double *row = file->scores + u * file->width, most = row[0], sum = 0;
        for (int64_t j = 1; j < file->width; j++)
            most = fmax(most, row[j]);
        for (int64_t j = 0; j < file->width; j++)
            sum += row[j] = exp(row[j] - most);
        for (int64_t j = 0; j < file->width; j++)
            row[j] /= sum;
    }
}

static dgm_status make_probabilities(const prediction_file *file) {
    score_kind kind = find_kind(file);
    if (kind == PERCENTAGES)
        return dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                            "rows sum to 100: percentages are taken for neither probabilities nor "
                            "logits; divide them by 100");
    if (kind == LOGITS) {
        dgmi_note(file->ctx,
                  "%s: rows do not sum to 1, so they are logits: probabilities are their softmax",
                  file->path);
        soften(file);
    }
    return DGM_OK;
}

/* ---- columns to classes ---- */

/* Where each column of scores goes: among the graph's classes if all are, otherwise by number. */
static int32_t place_columns(const prediction_file *file, int32_t *places) {
    int32_t classes = dgm_graph_classes(file->graph), top = 0, at = 0;
    bool inside = classes > 0;
    for (int64_t k = 0; k < file->fields; k++)
        if (file->roles[k] >= 0) {
            inside &= find_number(file->graph, file->roles[k]) != NO_CLASS;
            top = file->roles[k] > top ? file->roles[k] : top;
        }
    for (int64_t k = 0; k < file->fields; k++)
        if (file->roles[k] >= 0)
            places[at++] = inside ? find_number(file->graph, file->roles[k]) : file->roles[k];
    return inside ? classes : top + 1;
}

/* A class without a column has the probability 0. */
static dgm_status apply_named(const prediction_file *file, dgm_predictions **out) {
    dgmi_hold hold = dgmi_arena_hold(file->ctx);
    int32_t *places = dgmi_scratch(file->ctx, file->width, sizeof *places);
    int32_t columns = places ? place_columns(file, places) : 0;
    double *moved = dgmi_alloc_zero(file->ctx, file->nodes * columns, sizeof *moved);
    dgm_status status = places && moved ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < file->nodes; u++)
        for (int64_t j = 0; j < file->width; j++)
            moved[u * columns + places[j]] = file->scores[u * file->width + j];
    if (status == DGM_OK)
        status =
            dgm_predictions_from_probabilities(file->ctx, file->graph, moved, columns, NULL, out);
    dgmi_free(file->ctx, moved);
    dgmi_arena_release(file->ctx, hold);
    return status;
}

static dgm_status apply(const prediction_file *file, dgm_predictions **out) {
    if (file->width == 0)
        return dgm_predictions_from_classes(file->ctx, file->graph, file->classes, NULL, out);
    dgm_status status = make_probabilities(file);
    if (status == DGM_OK && !file->in_order)
        return apply_named(file, out);
    return status == DGM_OK
               ? dgm_predictions_from_probabilities(file->ctx, file->graph, file->scores,
                                                    (int32_t)file->width, NULL, out)
               : status;
}

/* ---- files ---- */

static dgm_status read_text(prediction_file *file) {
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_lines_open(&lines, file->ctx, file->path);
    if (status != DGM_OK)
        return status;
    lines.comments = false;
    status = read_lines(file, &lines);
    dgmi_bytes_lines_close(&lines);
    if (status == DGM_OK)
        status = check_rows(file);
    return status == DGM_OK ? check_numbered(file) : status;
}

static dgm_status take_classes(prediction_file *file, const double *values) {
    char known[LIST_SPACE];
    for (int64_t u = 0; u < file->nodes; u++) {
        bool whole =
            values[u] >= -1 && values[u] == floor(values[u]) && values[u] < DGMI_BYTES_MAX_CLASSES;
        file->classes[u] =
            whole && values[u] >= 0 ? find_number(file->graph, (int64_t)values[u]) : NO_CLASS;
        if (values[u] != -1 && file->classes[u] == NO_CLASS)
            return dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                                "row %lld (from 0) is %g, which is no class of the graph; its "
                                "classes are %s",
                                (long long)u, values[u], list_classes(file->graph, known));
    }
    return DGM_OK;
}

static dgm_status read_array(prediction_file *file) {
    dgm_matrix *table;
    dgm_status status = dgm_matrix_read(file->ctx, file->path, file->graph, &table);
    if (status != DGM_OK)
        return status;
    int64_t columns = dgm_matrix_columns(table);
    file->width = columns > 1 ? columns : 0;
    file->in_order = true;
    status = make_room(file);
    if (status == DGM_OK && file->width == 0)
        status = take_classes(file, dgm_matrix_values(table));
    else if (status == DGM_OK)
        memcpy(file->scores, dgm_matrix_values(table),
               (size_t)(file->nodes * file->width) * sizeof *file->scores);
    dgm_matrix_free(table);
    return status;
}

dgm_status dgm_predictions_read(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                dgm_predictions **out) {
    prediction_file file = {.ctx = ctx,
                            .path = path,
                            .graph = graph,
                            .nodes = dgm_graph_nodes(graph),
                            .id_column = -1,
                            .class_column = -1};
    *out = NULL;
    dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_LABELS);
    if (status == DGM_OK)
        status = (dgmi_bytes_ends_with(path, ".npy") ? read_array : read_text)(&file);
    if (status == DGM_OK)
        status = apply(&file, out);
    dgm_graph_index_free(file.index);
    dgmi_graph_names_free(&ctx->allocator, &file.words);
    dgmi_free(ctx, file.roles);
    dgmi_free(ctx, file.classes_of);
    dgmi_free(ctx, file.classes);
    dgmi_free(ctx, file.scores);
    dgmi_free(ctx, file.met);
    return status;
}
