/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer out of a pack. What does not fit together is an error and nothing else: a page may be
 * damaged on its way. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "explore_pack.h"

/* ---- parts ---- */

typedef struct {
    dgm_context *ctx;
    const char *bytes;
    size_t length, first; /* where the first part begins */
    int64_t head[DGMI_EXPLORE_HEAD];
} pack;

static size_t round_up(size_t size) {
    return (size + 7) / 8 * 8;
}

static dgm_status fail(const pack *p) {
    return dgmi_fail(p->ctx, DGM_ERROR_FORMAT,
                     "the graph inside the page is damaged, or of another version");
}

/* Reads the part at *at and moves on; NULL at the end or where the bytes end too soon. */
static const char *next_part(const pack *p, size_t *at, dgmi_explore_part *part) {
    if (p->length - *at < sizeof *part)
        return NULL;
    memcpy(part, p->bytes + *at, sizeof *part);
    size_t begin = *at + sizeof *part, room = p->length - begin;
    if (part->size == 0 || part->count > room / part->size)
        return NULL;
    size_t size = round_up((size_t)part->count * part->size);
    if (size > room)
        return NULL;
    *at = begin + size;
    return p->bytes + begin;
}

/* Finds the part of that tag, which comes `skip` times before; NULL: there is none. */
static const char *find(const pack *p, const char *tag, int64_t skip, dgmi_explore_part *part) {
    size_t at = p->first;
    const char *items;
    while ((items = next_part(p, &at, part)))
        if (memcmp(part->tag, tag, sizeof part->tag) == 0 && skip-- == 0)
            return items;
    return NULL;
}

/* Finds items that must be this many of this size. *items is NULL if there are none, which is no
 * error. */
static dgm_status find_items(const pack *p, const char *tag, size_t size, int64_t count,
                             const void **items) {
    dgmi_explore_part part;
    *items = find(p, tag, 0, &part);
    if (*items && (part.size != size || part.count != (uint64_t)count))
        return fail(p);
    return DGM_OK;
}

static const char *find_text(const pack *p, const char *tag) {
    dgmi_explore_part part;
    const char *text = find(p, tag, 0, &part);
    return text && part.size == 1 && part.count && text[part.count - 1] == '\0' ? text : NULL;
}

/* Takes texts apart, into scratch memory. */
static dgm_status split_texts(const pack *p, const char *items, const dgmi_explore_part *part,
                              int64_t count, const char ***out) {
    const char *end = items + part->count;
    *out = dgmi_scratch(p->ctx, count, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        if (items == end)
            return fail(p);
        (*out)[i] = *items == 1 ? items + 1 : NULL;
        const char *stop = *items == 1 ? memchr(items, '\0', (size_t)(end - items)) : items;
        if (!stop)
            return fail(p);
        items = stop + 1;
    }
    return items == end ? DGM_OK : fail(p);
}

static dgm_status find_texts(const pack *p, const char *tag, int64_t count, const char ***out) {
    dgmi_explore_part part;
    const char *items = find(p, tag, 0, &part);
    *out = NULL;
    return items && part.size == 1 ? split_texts(p, items, &part, count, out) : fail(p);
}

/* ---- the graph ---- */

static dgm_status take_names(const pack *p, dgm_graph_builder *builder) {
    const uint32_t *lengths;
    dgmi_explore_part part;
    const char *names = find(p, "NAME", 0, &part);
    int64_t nodes = p->head[DGMI_EXPLORE_NODES];
    uint64_t used = 0;
    dgm_status status = find_items(p, "NLEN", sizeof *lengths, nodes, (const void **)&lengths);
    if (status != DGM_OK || !lengths || !names)
        return status != DGM_OK ? status : fail(p);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        uint32_t node;
        if (lengths[u] > part.count - used)
            return fail(p);
        status = dgm_graph_builder_node(builder, names + used, lengths[u], &node);
        if (status == DGM_OK && node != u)
            return fail(p);
        used += lengths[u];
    }
    return status;
}

static dgm_status take_edges(const pack *p, dgm_graph_builder *builder) {
    dgm_graph_rows rows = {.nodes = p->head[DGMI_EXPLORE_NODES],
                           .directed = p->head[DGMI_EXPLORE_DIRECTED] != 0};
    dgm_status status =
        find_items(p, "OFFS", sizeof *rows.offsets, rows.nodes + 1, (const void **)&rows.offsets);
    if (status != DGM_OK || !rows.offsets)
        return status != DGM_OK ? status : fail(p);
    rows.entries = rows.offsets[rows.nodes];
    status =
        find_items(p, "TARG", sizeof *rows.targets, rows.entries, (const void **)&rows.targets);
    if (status == DGM_OK)
        status =
            find_items(p, "WGHT", sizeof *rows.weights, rows.entries, (const void **)&rows.weights);
    if (status != DGM_OK || !rows.targets)
        return status != DGM_OK ? status : fail(p);
    return dgm_graph_builder_add_rows(builder, &rows);
}

/* Classes with a name come before those without: the names of the data are of its first numbers. */
static dgm_status take_class_names(const pack *p, dgm_graph_builder *builder, int64_t classes,
                                   const int32_t *numbers) {
    const char **names;
    int32_t named = 0;
    dgm_status status = find_texts(p, "CNAM", classes, &names);
    while (status == DGM_OK && named < classes && names[named])
        named++;
    return status == DGM_OK && named
               ? dgm_graph_builder_name_classes(builder, named, numbers, names)
               : status;
}

/* Labels by the numbers of the data, and the name of each number. */
static dgm_status take_labels(const pack *p, dgm_graph_builder *builder) {
    const int32_t *labels, *numbers;
    dgmi_explore_part part;
    int64_t nodes = p->head[DGMI_EXPLORE_NODES];
    dgm_status status = find_items(p, "LABL", sizeof *labels, nodes, (const void **)&labels);
    if (status != DGM_OK || !labels)
        return status;
    numbers = (const void *)find(p, "CNUM", 0, &part);
    int64_t classes = (int64_t)part.count;
    if (!numbers || part.size != sizeof *numbers)
        return fail(p);
    for (int64_t c = 0; c < classes; c++)
        if (numbers[c] < 0 || (c > 0 && numbers[c] <= numbers[c - 1]))
            return fail(p);
    int32_t *by_node = dgmi_scratch(p->ctx, nodes, sizeof *by_node);
    if (!by_node)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        if (labels[u] >= classes)
            return fail(p);
        by_node[u] = labels[u] < 0 ? -1 : numbers[labels[u]];
    }
    status = dgm_graph_builder_set_labels(builder, nodes, by_node);
    return status == DGM_OK ? take_class_names(p, builder, classes, numbers) : status;
}

static dgm_status take_attributes(const pack *p, dgm_graph_builder *builder) {
    int64_t nodes = p->head[DGMI_EXPLORE_NODES];
    size_t at = p->first;
    dgmi_explore_part part;
    const char *items, *name = NULL;
    dgm_status status = DGM_OK;
    while (status == DGM_OK && (items = next_part(p, &at, &part))) {
        if (memcmp(part.tag, "ANAM", 4) == 0)
            name = part.count && items[part.count - 1] == '\0' ? items : NULL;
        bool numbers = memcmp(part.tag, "ANUM", 4) == 0, texts = memcmp(part.tag, "ATXT", 4) == 0;
        if (!numbers && !texts)
            continue;
        const char **list = NULL;
        if (!name || (numbers && (part.size != sizeof(double) || part.count != (uint64_t)nodes)))
            return fail(p);
        if (texts)
            status = split_texts(p, items, &part, nodes, &list);
        if (status == DGM_OK)
            status = numbers
                         ? dgm_graph_builder_add_numbers(builder, name, nodes, (const void *)items)
                         : dgm_graph_builder_add_texts(builder, name, nodes, list);
    }
    return status;
}

static dgm_status take_features(const pack *p, dgm_graph_builder *builder) {
    int64_t nodes = p->head[DGMI_EXPLORE_NODES];
    dgm_graph_features features = {.width = p->head[DGMI_EXPLORE_WIDTH]};
    if (features.width <= 0 || features.width > INT32_MAX)
        return features.width == 0 ? DGM_OK : fail(p);
    dgm_status status = find_items(p, "FOFF", sizeof *features.offsets, nodes + 1,
                                   (const void **)&features.offsets);
    if (status != DGM_OK)
        return status;
    int64_t entries = features.offsets ? features.offsets[nodes] : nodes * features.width;
    status =
        find_items(p, "FCOL", sizeof *features.columns, entries, (const void **)&features.columns);
    if (status == DGM_OK)
        status = find_items(p, "FVAL", sizeof *features.values, entries,
                            (const void **)&features.values);
    if (status != DGM_OK || !features.offsets != !features.columns ||
        (!features.offsets && !features.values))
        return status != DGM_OK ? status : fail(p);
    return dgm_graph_builder_set_features(builder, nodes, &features);
}

static dgm_status take_splits(const pack *p, dgm_graph_builder *builder) {
    const uint8_t *splits;
    int64_t nodes = p->head[DGMI_EXPLORE_NODES];
    dgm_status status = find_items(p, "SPLT", 1, nodes, (const void **)&splits);
    return status == DGM_OK && splits ? dgm_graph_builder_set_splits(builder, nodes, splits)
                                      : status;
}

static dgm_status build(const pack *p, dgm_graph_builder *builder) {
    const char *source = find_text(p, "SRCE");
    if (p->head[DGMI_EXPLORE_NAME_BASE] > INT64_MAX - DGM_MAX_NODES)
        return fail(p); /* the last node's number would have no room */
    dgm_status status = dgm_graph_builder_reserve_nodes(
        builder, p->head[DGMI_EXPLORE_NAME_BASE] < 0 ? 0 : p->head[DGMI_EXPLORE_NODES]);
    if (p->head[DGMI_EXPLORE_NAME_BASE] >= 0)
        dgm_graph_builder_set_name_base(builder, p->head[DGMI_EXPLORE_NAME_BASE]);
    else if (status == DGM_OK)
        status = take_names(p, builder);
    if (status == DGM_OK && source)
        status = dgm_graph_builder_set_source(builder, source);
    if (status == DGM_OK)
        status = take_edges(p, builder);
    if (status == DGM_OK)
        status = take_labels(p, builder);
    if (status == DGM_OK)
        status = take_splits(p, builder);
    if (status == DGM_OK)
        status = take_attributes(p, builder);
    return status == DGM_OK ? take_features(p, builder) : status;
}

static dgm_status unpack_graph(const pack *p, dgm_graph **out) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    options.directed = p->head[DGMI_EXPLORE_DIRECTED] != 0;
    options.keep_loops = true;
    dgm_status status = dgm_graph_builder_create(p->ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    status = build(p, builder);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

/* ---- the lens ---- */

static dgm_status unpack_axes(const pack *p, dgm_matrix **out) {
    int64_t nodes = p->head[DGMI_EXPLORE_NODES], columns = p->head[DGMI_EXPLORE_COLUMNS];
    const double *values;
    const char **names, **transforms;
    if (columns < 1 || columns > INT32_MAX)
        return fail(p);
    dgm_status status =
        find_items(p, "AXES", sizeof *values, nodes * columns, (const void **)&values);
    if (status == DGM_OK && !values)
        status = fail(p);
    if (status == DGM_OK)
        status = find_texts(p, "AXNM", columns, &names);
    if (status == DGM_OK)
        status = find_texts(p, "AXTR", columns, &transforms);
    if (status == DGM_OK)
        status = dgm_matrix_create(p->ctx, nodes, columns, out);
    if (status == DGM_OK)
        memcpy(dgm_matrix_values_mutable(*out), values, (size_t)(nodes * columns) * sizeof *values);
    for (int64_t c = 0; status == DGM_OK && c < columns; c++) {
        status = dgm_matrix_set_column_name(p->ctx, *out, c, names[c] ? names[c] : "");
        if (status == DGM_OK)
            status = dgm_matrix_set_column_transform(p->ctx, *out, c,
                                                     transforms[c] ? transforms[c] : "none");
    }
    return status;
}

static dgm_status unpack_predictions(const pack *p, const dgm_graph *graph, dgm_predictions **out) {
    int64_t nodes = p->head[DGMI_EXPLORE_NODES], columns = p->head[DGMI_EXPLORE_PROBABILITIES];
    const int32_t *classes;
    const float *values;
    if (columns < 0 || columns > INT32_MAX)
        return fail(p);
    dgm_status status = find_items(p, "PRED", sizeof *classes, nodes, (const void **)&classes);
    if (status == DGM_OK)
        status = find_items(p, "PROB", sizeof *values, nodes * columns, (const void **)&values);
    if (status != DGM_OK || !classes)
        return status;
    if (!values)
        return dgm_predictions_from_classes(p->ctx, graph, classes, NULL, out);
    double *doubles = dgmi_scratch(p->ctx, nodes * columns, sizeof *doubles);
    if (!doubles)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < nodes * columns; i++)
        doubles[i] = values[i];
    return dgm_predictions_from_probabilities(p->ctx, graph, doubles, (int32_t)columns, NULL, out);
}

static dgm_status give_lens(const pack *p, dgm_explorer *explorer) {
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = explorer->own.axes;
    lens.predictions = explorer->own.predictions;
    lens.name = find_text(p, "LNAM");
    lens.command = find_text(p, "LCMD");
    lens.words = find_text(p, "LWRD");
    lens.provenance.seed = p->head[DGMI_EXPLORE_SEED];
    return dgm_explorer_set_lens(p->ctx, explorer, &lens);
}

/* ---- all of it ---- */

static dgm_status take_settings(const pack *p, dgm_explorer *explorer) {
    dgmi_explore_part part;
    const char *items, **pair;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && (items = find(p, "SETT", i, &part)); i++) {
        status = split_texts(p, items, &part, 2, &pair);
        if (status == DGM_OK && (!pair[0] || !pair[1]))
            status = fail(p);
        if (status == DGM_OK)
            status = dgm_explorer_set(p->ctx, explorer, pair[0], pair[1]);
    }
    return status;
}

static dgm_status open_pack(dgm_context *ctx, const void *bytes, size_t length, pack *out) {
    const int64_t *head;
    *out = (pack){
        .ctx = ctx, .bytes = bytes, .length = length, .first = round_up(sizeof DGMI_EXPLORE_MAGIC)};
    if (length < out->first || memcmp(bytes, DGMI_EXPLORE_MAGIC, sizeof DGMI_EXPLORE_MAGIC) != 0)
        return fail(out);
    dgm_status status =
        find_items(out, "HEAD", sizeof *head, DGMI_EXPLORE_HEAD, (const void **)&head);
    if (status != DGM_OK || !head)
        return status != DGM_OK ? status : fail(out);
    memcpy(out->head, head, sizeof out->head);
    /* Nothing is as large as a damaged number says it is before there are as many bytes. */
    int64_t nodes = out->head[DGMI_EXPLORE_NODES];
    if (nodes < 0 || nodes > UINT32_MAX)
        return fail(out);
    status = find_items(out, "OFFS", sizeof(int64_t), nodes + 1, (const void **)&head);
    return status == DGM_OK && !head ? fail(out) : status;
}

static dgm_status unpack(const pack *p, dgm_explorer **out) {
    dgm_graph *graph = NULL;
    dgm_status status = unpack_graph(p, &graph);
    if (status == DGM_OK && dgm_graph_nodes(graph) != p->head[DGMI_EXPLORE_NODES])
        status = fail(p);
    if (status == DGM_OK)
        status = dgm_explorer_create(p->ctx, graph, out);
    if (!*out) {
        dgm_graph_free(graph);
        return status;
    }
    (*out)->own.graph = graph;
    status = unpack_axes(p, &(*out)->own.axes);
    if (status == DGM_OK)
        status = unpack_predictions(p, graph, &(*out)->own.predictions);
    if (status == DGM_OK)
        status = give_lens(p, *out);
    if (status == DGM_OK)
        status = take_settings(p, *out);
    if (status == DGM_OK)
        status = dgm_explorer_set_start(p->ctx, *out, find_text(p, "STRT"));
    return status == DGM_OK ? dgm_explorer_set_choice(p->ctx, *out, find_text(p, "CHOI")) : status;
}

dgm_status dgm_explorer_unpack(dgm_context *ctx, const void *bytes, size_t length,
                               dgm_explorer **out) {
    pack p;
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = open_pack(ctx, bytes, length, &p);
    if (status == DGM_OK)
        status = unpack(&p, out);
    if (status != DGM_OK) {
        dgm_explorer_free(*out);
        *out = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
