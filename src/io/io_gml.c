/* SPDX-License-Identifier: Apache-2.0 */
/* GML (Himsolt): keys with numbers, strings or bracketed lists of keys.
 *
 *   graph [ directed 0
 *     node [ id 0 label "x" ]
 *     node [ id 1 ]
 *     edge [ source 0 target 1 weight 2 ] ]
 *
 * Read: ids name the nodes, other scalars of a node are its attributes, lists inside it
 * ("graphics") are left out. An edge's weight is `weight`, or `value` where that is a number.
 * Strings are UTF-8 with entities (&quot; &#233; &#xE9;). `names "KEY"` in the graph, which our
 * writer adds, says that KEY holds the nodes' names.
 */
#include "io_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "io_collect.h"

enum { DEEPEST = 256 };

typedef enum {
    TOKEN_KEY,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_END
} token_kind;

typedef struct {
    token_kind kind;
    const char *text; /* into the file; of a string without its quotes */
    size_t length;
    int64_t line; /* where it begins */
} token;

typedef enum { IN_FILE, IN_GRAPH, IN_NODE, IN_EDGE, IN_OTHER } place;

typedef struct {
    place place;
    int64_t line; /* of its '[' */
} list;

/* A key and its value inside a node or an edge. */
typedef struct {
    token key, value;
} pair;

typedef struct {
    dgm_context *ctx;
    const char *file;
    const char *at, *end;
    int64_t line;
    dgmi_io_collector graph;
    list lists[DEEPEST];
    int depth;
    pair *pairs; /* of the node or edge under way */
    int64_t pair_count, pair_capacity;
    dgmi_text id, target, text; /* decoded */
    bool had_graph, directed;
} gml_reader;

static dgm_status fail_at(const gml_reader *reader, int64_t line, const char *what,
                          const char *detail, size_t length) {
    return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file, line, -1, "%s%.*s%s", what,
                        (int)(length < 60 ? length : 60), detail, length ? "'" : "");
}

/* ---- tokens ---- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void skip_blanks(gml_reader *reader) {
    for (; reader->at < reader->end; reader->at++) {
        char c = *reader->at;
        if (c == '#') {
            while (reader->at < reader->end && *reader->at != '\n')
                reader->at++;
            if (reader->at == reader->end)
                return;
            c = '\n';
        }
        if (c == '\n')
            reader->line++;
        else if (c != ' ' && c != '\t' && c != '\r')
            return;
    }
}

static dgm_status read_string(gml_reader *reader, token *out) {
    out->kind = TOKEN_STRING;
    out->text = ++reader->at;
    const char *quote = memchr(reader->at, '"', (size_t)(reader->end - reader->at));
    if (!quote)
        return fail_at(reader, out->line, "the file ends inside a string that begins here", "", 0);
    out->length = (size_t)(quote - out->text);
    size_t good = dgmi_utf8_check(out->text, out->length);
    for (const char *c = out->text; c < out->text + good; c++)
        reader->line += *c == '\n';
    if (good < out->length)
        return fail_at(reader, reader->line,
                       "a string is not UTF-8: convert the file, for instance with "
                       "iconv -f latin1 -t utf-8",
                       "", 0);
    if (memchr(out->text, '\0', out->length))
        return fail_at(reader, out->line, "a string holds a zero byte", "", 0);
    reader->at = quote + 1;
    return DGM_OK;
}

/* Keys and numbers are ASCII and run up to the next blank, bracket or quote. */
static void read_word(gml_reader *reader, token *out) {
    out->kind = is_letter(*reader->at) ? TOKEN_KEY : TOKEN_NUMBER;
    while (reader->at<reader->end && * reader->at> ' ' && *reader->at < 0x7F &&
           !strchr("[]\"#", *reader->at))
        reader->at++;
    out->length = (size_t)(reader->at - out->text);
}

static dgm_status next_token(gml_reader *reader, token *out) {
    skip_blanks(reader);
    *out = (token){TOKEN_END, reader->at, 0, reader->line};
    if (reader->at == reader->end)
        return DGM_OK;
    char c = *reader->at;
    if (c == '"')
        return read_string(reader, out);
    if (c == '[' || c == ']') {
        out->kind = c == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
        reader->at++;
        return DGM_OK;
    }
    if (is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.') {
        read_word(reader, out);
        return DGM_OK;
    }
    return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file, reader->line, -1,
                        "unexpected byte 0x%02X: expected a key, a number, a string, [ or ]",
                        (unsigned char)c);
}

/* ---- values ---- */

/* The code point of an entity's inside ("quot", "#233", "#xE9"); 0 if it is none that we know. */
static uint32_t entity_code(const char *text, size_t length) {
    static const struct {
        const char *name;
        uint32_t code;
    } named[] = {{"quot", '"'}, {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"apos", '\''}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strlen(named[i].name) == length && memcmp(named[i].name, text, length) == 0)
            return named[i].code;
    if (length < 2 || text[0] != '#')
        return 0;
    bool hex = text[1] == 'x' || text[1] == 'X';
    uint32_t code = 0;
    for (size_t i = hex ? 2 : 1; i < length; i++) {
        char c = text[i], low = (char)(c | 0x20);
        uint32_t digit = is_digit(c)                       ? (uint32_t)(c - '0')
                         : hex && low >= 'a' && low <= 'f' ? (uint32_t)(low - 'a' + 10)
                                                           : 16;
        code = digit == 16 || code > 0x10FFFF ? 0x110000 : code * (hex ? 16 : 10) + digit;
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code > 0x10FFFF || surrogate ? 0 : code;
}

/* The value as text: a string without its entities, a number as it is written. Unknown entities
 * stay as they are. */
static dgm_status decode(dgmi_text *out, const token *value) {
    const char *at = value->text, *end = at + value->length;
    out->length = 0;
    while (at < end && value->kind == TOKEN_STRING) {
        const char *mark = memchr(at, '&', (size_t)(end - at));
        if (!mark)
            break;
        const char *close = memchr(mark, ';', (size_t)(end - mark < 12 ? end - mark : 12));
        uint32_t code = close ? entity_code(mark + 1, (size_t)(close - mark - 1)) : 0;
        dgmi_text_append(out, at, (size_t)(mark - at) + (code == 0));
        if (code)
            dgmi_utf8_append(out, code);
        at = code ? close + 1 : mark + 1;
    }
    dgmi_text_append(out, at, (size_t)(end - at));
    return out->status;
}

static bool is_key(const token *key, const char *name) {
    return key->length == strlen(name) && memcmp(key->text, name, key->length) == 0;
}

static const pair *find_pair(const gml_reader *reader, const char *name) {
    for (int64_t i = 0; i < reader->pair_count; i++)
        if (is_key(&reader->pairs[i].key, name))
            return &reader->pairs[i];
    return NULL;
}

/* ---- nodes and edges ---- */

static dgm_status add_attribute(gml_reader *reader, uint32_t node, const pair *given) {
    uint32_t column;
    double number = 0;
    const token *value = &given->value;
    if (value->kind == TOKEN_NUMBER)
        dgmi_io_collect_parse(&reader->graph, value->text, value->length, &number);
    if (isnan(number))
        return DGM_OK;
    dgm_status status =
        dgmi_io_collect_column(&reader->graph, given->key.text, given->key.length, &column);
    if (status == DGM_OK)
        status = decode(&reader->text, value);
    if (status != DGM_OK)
        return status;
    if (value->kind == TOKEN_STRING)
        return dgmi_io_collect_text(&reader->graph, column, node, reader->text.data,
                                    (size_t)reader->text.length);
    return dgmi_io_collect_number(&reader->graph, column, node, number);
}

static dgm_status end_node(gml_reader *reader, int64_t line) {
    const pair *id = find_pair(reader, "id");
    uint32_t node;
    if (!id)
        return fail_at(reader, line, "the node has no id", "", 0);
    dgm_status status = decode(&reader->id, &id->value);
    if (status == DGM_OK)
        status = dgmi_io_collect_node(&reader->graph, reader->id.data, (size_t)reader->id.length,
                                      line, &node);
    for (int64_t i = 0; status == DGM_OK && i < reader->pair_count; i++) {
        const pair *given = &reader->pairs[i];
        if (!is_key(&given->key, "id"))
            status = add_attribute(reader, node, given);
        else if (given != id)
            status = fail_at(reader, given->key.line, "the node has a second id", "", 0);
    }
    return status;
}

/* The edge's weight, if it has one. */
static dgm_status find_weight(gml_reader *reader, double *weight, bool *found) {
    const pair *given = find_pair(reader, "weight");
    const pair *value = find_pair(reader, "value");
    *found = false;
    if (!given && value && value->value.kind == TOKEN_NUMBER)
        given = value;
    for (int64_t i = 0; i < reader->pair_count; i++) {
        const token *key = &reader->pairs[i].key;
        if (&reader->pairs[i] != given && !is_key(key, "source") && !is_key(key, "target") &&
            !is_key(key, "id") && !is_key(key, "key"))
            dgmi_io_collect_leave_edge_attribute(&reader->graph, key->text, key->length);
    }
    if (!given)
        return DGM_OK;
    *found = dgmi_io_collect_parse(&reader->graph, given->value.text, given->value.length, weight);
    return *found ? DGM_OK
                  : fail_at(reader, given->value.line, "the weight of an edge is no number: '",
                            given->value.text, given->value.length);
}

static dgm_status end_edge(gml_reader *reader, int64_t line) {
    const pair *source = find_pair(reader, "source"), *target = find_pair(reader, "target");
    double weight;
    bool weighted;
    if (!source || !target)
        return fail_at(reader, line, "the edge has no source or no target", "", 0);
    dgm_status status = decode(&reader->id, &source->value);
    if (status == DGM_OK)
        status = decode(&reader->target, &target->value);
    if (status == DGM_OK)
        status = find_weight(reader, &weight, &weighted);
    if (status == DGM_OK)
        status = dgmi_io_collect_edge(&reader->graph, reader->id.data, reader->target.data, line,
                                      DGMI_IO_EDGE_UNDIRECTED, weighted ? &weight : NULL);
    return status;
}

/* ---- lists ---- */

static place place_of(const gml_reader *reader) {
    return reader->depth ? reader->lists[reader->depth - 1].place : IN_FILE;
}

static dgm_status open_list(gml_reader *reader, const token *key) {
    place here = place_of(reader), inside = IN_OTHER;
    if (reader->depth == DEEPEST)
        return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file, key->line, -1,
                            "lists are nested more than %d deep", DEEPEST);
    if (here == IN_FILE && is_key(key, "graph")) {
        if (reader->had_graph)
            return fail_at(reader, key->line, "a second graph: only files of one are read", "", 0);
        reader->had_graph = true;
        inside = IN_GRAPH;
    } else if (here == IN_GRAPH && is_key(key, "node")) {
        inside = IN_NODE;
    } else if (here == IN_GRAPH && is_key(key, "edge")) {
        inside = IN_EDGE;
    } else if (here == IN_NODE && !is_key(key, "graphics") && !is_key(key, "LabelGraphics")) {
        dgmi_io_collect_leave_nested(&reader->graph, key->text, key->length);
    }
    if (inside != IN_OTHER)
        reader->pair_count = 0;
    reader->lists[reader->depth++] = (list){inside, key->line};
    return DGM_OK;
}

static dgm_status close_list(gml_reader *reader, int64_t line) {
    if (reader->depth == 0)
        return fail_at(reader, line, "a ] without its [", "", 0);
    list closed = reader->lists[--reader->depth];
    if (closed.place == IN_NODE)
        return end_node(reader, closed.line);
    return closed.place == IN_EDGE ? end_edge(reader, closed.line) : DGM_OK;
}

static dgm_status keep_pair(gml_reader *reader, const token *key, const token *value) {
    void *pairs = reader->pairs;
    dgm_status status = dgmi_reserve(reader->ctx, &pairs, &reader->pair_capacity,
                                     reader->pair_count + 1, sizeof *reader->pairs);
    reader->pairs = pairs;
    if (status == DGM_OK)
        reader->pairs[reader->pair_count++] = (pair){*key, *value};
    return status;
}

static dgm_status take_scalar(gml_reader *reader, const token *key, const token *value) {
    place here = place_of(reader);
    double number = 0;
    uint32_t column;
    if (value->kind == TOKEN_NUMBER && !dgmi_parse_real(value->text, value->length, &number))
        return fail_at(reader, value->line, "no number: '", value->text, value->length);
    if (here == IN_NODE || here == IN_EDGE)
        return keep_pair(reader, key, value);
    if (here != IN_GRAPH)
        return DGM_OK;
    if (is_key(key, "directed"))
        reader->directed = value->kind == TOKEN_NUMBER && number != 0;
    if (is_key(key, "names") && value->kind == TOKEN_STRING && value->length == 2 &&
        memcmp(value->text, "id", 2) == 0) {
        reader->graph.label_is_name = false;
        return DGM_OK;
    }
    if (is_key(key, "names") && value->kind == TOKEN_STRING) {
        dgm_status status =
            dgmi_io_collect_column(&reader->graph, value->text, value->length, &column);
        reader->graph.name_column = status == DGM_OK ? (int64_t)column : -1;
        return status;
    }
    return DGM_OK;
}

/* "NAN" and "INF" look like keys. */
static bool is_numeric_word(const token *word) {
    double number;
    return word->kind == TOKEN_KEY && dgmi_parse_real(word->text, word->length, &number);
}

static dgm_status read_pair(gml_reader *reader, const token *key) {
    token value;
    dgm_status status = next_token(reader, &value);
    if (status != DGM_OK)
        return status;
    if (is_numeric_word(&value))
        value.kind = TOKEN_NUMBER;
    if (value.kind == TOKEN_OPEN)
        return open_list(reader, key);
    if (value.kind == TOKEN_NUMBER || value.kind == TOKEN_STRING)
        return take_scalar(reader, key, &value);
    return fail_at(reader, key->line, "no number, string or list follows the key '", key->text,
                   key->length);
}

static dgm_status read_file(gml_reader *reader) {
    const char *start = reader->at;
    int64_t steps = 0;
    for (;;) {
        token next;
        dgm_status status = next_token(reader, &next);
        if (status == DGM_OK && next.kind == TOKEN_END)
            break;
        if (status == DGM_OK && next.kind == TOKEN_KEY)
            status = read_pair(reader, &next);
        else if (status == DGM_OK && next.kind == TOKEN_CLOSE)
            status = close_list(reader, next.line);
        else if (status == DGM_OK)
            status = fail_at(reader, next.line, "expected a key or ]", "", 0);
        if (status == DGM_OK && (++steps & 0xFFFF) == 0)
            status = dgmi_progress(reader->ctx, "reading the graph",
                                   (double)(reader->at - start) / (double)(reader->end - start));
        if (status != DGM_OK)
            return status;
    }
    if (reader->depth)
        return fail_at(reader, reader->lists[reader->depth - 1].line,
                       "the file ends inside the list that begins here", "", 0);
    if (!reader->had_graph)
        return fail_at(reader, 0, "the file holds no graph [ ... ]", "", 0);
    return DGM_OK;
}

/* ---- the whole ---- */

static dgm_status finish(gml_reader *reader) {
    reader->graph.arcs = reader->directed ? reader->graph.edges : 0;
    reader->graph.links = reader->directed ? 0 : reader->graph.edges;
    return dgmi_io_collect_finish(&reader->graph);
}

static void free_reader(gml_reader *reader) {
    dgmi_free(reader->ctx, reader->pairs);
    dgmi_text_free(&reader->id);
    dgmi_text_free(&reader->target);
    dgmi_text_free(&reader->text);
    dgmi_io_collect_free(&reader->graph);
}

dgm_status dgmi_io_read_gml(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    char *data;
    int64_t size;
    dgm_status status = dgmi_bytes_stream_read_all(stream, &data, &size);
    if (status != DGM_OK)
        return status;
    gml_reader reader = {.ctx = ctx, .file = dgmi_bytes_stream_name(stream), .line = 1};
    bool marked = size >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0;
    reader.at = data + (marked ? 3 : 0);
    reader.end = data + size;
    dgmi_text_init(&reader.id, ctx);
    dgmi_text_init(&reader.target, ctx);
    dgmi_text_init(&reader.text, ctx);
    dgmi_io_collect_open(&reader.graph, ctx, reader.file, options, builder);
    reader.graph.label_may_be_name = reader.graph.label_is_name = true;
    status = read_file(&reader);
    if (status == DGM_OK)
        status = finish(&reader);
    free_reader(&reader);
    dgmi_free(ctx, data);
    return status;
}
