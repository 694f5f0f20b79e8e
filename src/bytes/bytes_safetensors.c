/* SPDX-License-Identifier: Apache-2.0 */
/* Reading: the length, the header's bytes, its JSON, each tensor, the tensors together. Writing is
 * in bytes_safetensors_write.c, what a tensor is in bytes_safetensors_tensor.c.
 *
 * Jansson parses, with its own memory (its hooks are global). A header of 100 MB could blow up
 * thirtyfold there, so its nesting and its number of values are checked first.
 */
#include "bytes_safetensors.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_sort.h"
#include "base_utf8.h"
#include "bytes_jansson.h"

enum { PREFIX = 8, DEEPEST = 3 };
static const char METADATA[] = "__metadata__";

struct dgmi_bytes_safetensors {
    dgm_allocator allocator;
    char *name;                       /* of the file */
    char *bytes;                      /* all of it */
    int64_t size, begin;              /* of the bytes; where the data begin */
    json_t *root;                     /* owns names and metadata */
    dgmi_bytes_named_tensor *tensors; /* in the order of the header */
    int64_t count;
    const char **metadata; /* key, value, ..., NULL */
};

typedef struct {
    dgm_context *ctx;
    dgmi_bytes_safetensors *file;
    uint64_t *begins, *ends; /* of each tensor, in the data */
} header_reader;

/* ---- errors ---- */

static dgm_status fail_file(const header_reader *reader, int64_t byte, const char *words) {
    return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file->name, 0, byte, "%s", words);
}

static dgm_status fail_tensor(const header_reader *reader, const char *name, const char *words) {
    char shown[DGMI_BYTES_SHOWN_NAME];
    return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file->name,
                        "damaged safetensors header: tensor '%s' %s",
                        dgmi_bytes_tensor_shown(name, shown), words);
}

/* ---- the length ---- */

static dgm_status fail_start(const header_reader *reader, const char *bytes, int64_t size) {
    if (size == 0)
        return fail_file(reader, 0, "the file is empty, and a safetensors file is needed here");
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        return fail_file(reader, 0,
                         "not a safetensors file but a zip, as torch.save writes them: write it "
                         "with safetensors.torch.save_file instead");
    if (size >= 2 && (unsigned char)bytes[0] == 0x80)
        return fail_file(reader, 0,
                         "not a safetensors file but a pickle, which is never opened here: write "
                         "it with safetensors.torch.save_file instead");
    return fail_file(reader, 0,
                     "not a safetensors file (or cut off): it does not begin with a "
                     "length and a header in JSON");
}

/* The beginning of the file says how long the header is; `total` bytes are there in all, -1 where
 * that is not known. */
static dgm_status check_start(const header_reader *reader, const char *bytes, int64_t size,
                              int64_t total) {
    uint64_t length;
    if (size <= PREFIX || bytes[PREFIX] != '{')
        return fail_start(reader, bytes, size);
    memcpy(&length, bytes, sizeof length);
    if (length > DGMI_BYTES_SAFETENSORS_HEADER)
        return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file->name, 0, 0,
                            "not a safetensors file: its header would have %llu bytes, and the "
                            "format allows %d",
                            (unsigned long long)length, DGMI_BYTES_SAFETENSORS_HEADER);
    if (total >= 0 && (int64_t)length > total - PREFIX)
        return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, reader->file->name, 0, 0,
                            "the safetensors header should have %llu bytes, but only %lld are "
                            "there: the file is cut off",
                            (unsigned long long)length, (long long)(total - PREFIX));
    return DGM_OK;
}

static dgm_status load_bytes(const header_reader *reader, dgmi_bytes_stream *stream) {
    dgmi_bytes_safetensors *file = reader->file;
    const char *start;
    uint64_t length;
    int64_t size, done, total;
    dgm_status status = dgmi_bytes_stream_peek(stream, &start, &size);
    dgmi_bytes_stream_position(stream, &done, &total);
    if (status == DGM_OK)
        status = check_start(reader, start, size, total);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_read_all(stream, &file->bytes, &file->size);
    if (status == DGM_OK)
        status = check_start(reader, file->bytes, file->size, file->size);
    if (status == DGM_OK) {
        memcpy(&length, file->bytes, sizeof length);
        file->begin = PREFIX + (int64_t)length;
    }
    return status;
}

/* ---- the header's text ---- */

/* Nesting and values, before anything is made of them. */
static dgm_status check_extent(const header_reader *reader, const char *text, int64_t length) {
    int64_t values = 0;
    int depth = 0;
    bool quoted = false;
    for (int64_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        values += c == ',' || c == '{' || c == '[';
        if (depth > DEEPEST)
            return fail_file(reader, PREFIX + i,
                             "damaged safetensors header: more nested than a header can be");
        if (values > DGMI_BYTES_SAFETENSORS_VALUES)
            return fail_file(reader, PREFIX + i,
                             "the safetensors header holds more than a million values");
    }
    return DGM_OK;
}

static dgm_status parse_header(const header_reader *reader) {
    dgmi_bytes_safetensors *file = reader->file;
    const char *text = file->bytes + PREFIX;
    size_t length = (size_t)(file->begin - PREFIX);
    json_error_t error;
    size_t clean = dgmi_utf8_check(text, length);
    if (clean < length)
        return fail_file(reader, PREFIX + (int64_t)clean,
                         "damaged safetensors header: it is not UTF-8");
    dgm_status status = check_extent(reader, text, (int64_t)length);
    if (status != DGM_OK)
        return status;
    file->root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (file->root)
        return DGM_OK;
    if (dgmi_bytes_json_lacks_memory(&error))
        return dgmi_fail(reader->ctx, DGM_ERROR_MEMORY, "out of memory while reading JSON");
    return dgmi_fail_at(reader->ctx, DGM_ERROR_FORMAT, file->name, 0, PREFIX + error.position,
                        "damaged safetensors header: %s", error.text);
}

/* ---- its tensors ---- */

static bool is_natural(const json_t *value) {
    return json_typeof(value) == JSON_INTEGER && json_integer_value(value) >= 0;
}

static dgm_status read_dtype(const header_reader *reader, const json_t *value,
                             dgmi_bytes_named_tensor *tensor) {
    char words[96], shown[DGMI_BYTES_SHOWN_NAME];
    const char *name = json_string_value(value);
    if (!name)
        return fail_tensor(reader, tensor->name, "has no \"dtype\" text");
    if (dgmi_bytes_dtype_find(name, &tensor->dtype))
        return DGM_OK;
    snprintf(words, sizeof words, "has the unknown dtype '%.40s'",
             dgmi_bytes_tensor_shown(name, shown));
    return fail_tensor(reader, tensor->name, words);
}

static dgm_status read_shape(const header_reader *reader, const json_t *value,
                             dgmi_bytes_named_tensor *tensor) {
    if (!json_is_array(value))
        return fail_tensor(reader, tensor->name, "has no \"shape\" list");
    if (json_array_size(value) > DGMI_BYTES_TENSOR_RANK)
        return fail_tensor(reader, tensor->name, "has more than 8 dimensions");
    tensor->rank = (int)json_array_size(value);
    for (int i = 0; i < tensor->rank; i++) {
        const json_t *length = json_array_get(value, (size_t)i);
        if (!is_natural(length))
            return fail_tensor(reader, tensor->name,
                               "has a shape that is not of whole numbers from 0");
        tensor->shape[i] = json_integer_value(length);
    }
    return DGM_OK;
}

static dgm_status read_offsets(const header_reader *reader, const json_t *value, int64_t index) {
    const dgmi_bytes_safetensors *file = reader->file;
    const char *name = file->tensors[index].name;
    const json_t *begin = json_array_get(value, 0), *end = json_array_get(value, 1);
    if (json_array_size(value) != 2 || !is_natural(begin) || !is_natural(end))
        return fail_tensor(reader, name, "has no \"data_offsets\" of two whole numbers from 0");
    reader->begins[index] = (uint64_t)json_integer_value(begin);
    reader->ends[index] = (uint64_t)json_integer_value(end);
    if (reader->ends[index] < reader->begins[index])
        return fail_tensor(reader, name, "has data that end before they begin");
    if (reader->ends[index] > (uint64_t)(file->size - file->begin)) {
        char words[128];
        snprintf(words, sizeof words, "has data up to byte %lld, but only %lld bytes are there",
                 (long long)reader->ends[index], (long long)(file->size - file->begin));
        return fail_tensor(reader, name, words);
    }
    return DGM_OK;
}

static dgm_status check_bytes(const header_reader *reader, int64_t index) {
    const dgmi_bytes_named_tensor *tensor = &reader->file->tensors[index];
    uint64_t there = reader->ends[index] - reader->begins[index];
    int64_t bytes = dgmi_bytes_tensor_bytes(tensor);
    char words[DGMI_BYTES_SHAPE_SPACE + 96], shape[DGMI_BYTES_SHAPE_SPACE];
    if (bytes >= 0 && (uint64_t)bytes == there)
        return DGM_OK;
    snprintf(words, sizeof words, "of type %s and shape %s has %llu bytes of data",
             dgmi_bytes_dtype_name(tensor->dtype),
             dgmi_bytes_shape_text(tensor->rank, tensor->shape, shape), (unsigned long long)there);
    return fail_tensor(reader, tensor->name, words);
}

static dgm_status read_tensor(const header_reader *reader, const char *name, const json_t *value,
                              int64_t index) {
    dgmi_bytes_safetensors *file = reader->file;
    dgmi_bytes_named_tensor *tensor = &file->tensors[index];
    tensor->name = name;
    if (!dgmi_bytes_tensor_name_is_clean(name))
        return fail_tensor(reader, name, "has control characters in its name");
    if (json_typeof(value) != JSON_OBJECT)
        return fail_tensor(reader, name, "is not described by an object");
    dgm_status status = read_dtype(reader, json_object_get(value, "dtype"), tensor);
    if (status == DGM_OK)
        status = read_shape(reader, json_object_get(value, "shape"), tensor);
    if (status == DGM_OK)
        status = read_offsets(reader, json_object_get(value, "data_offsets"), index);
    if (status == DGM_OK && json_object_size(value) > 3)
        status = fail_tensor(reader, name, "has more than dtype, shape and data_offsets");
    if (status == DGM_OK)
        status = check_bytes(reader, index);
    if (status == DGM_OK)
        tensor->data = file->bytes + file->begin + reader->begins[index];
    return status;
}

/* Sorted by where they begin (those without elements first), each begins where the last one ends.
 */
static dgm_status check_cover(const header_reader *reader) {
    const dgmi_bytes_safetensors *file = reader->file;
    uint64_t *keys = dgmi_scratch(reader->ctx, file->count, sizeof *keys), last = 0;
    uint32_t *order = dgmi_scratch(reader->ctx, file->count, sizeof *order);
    if (!keys || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < file->count; i++) {
        keys[i] = reader->ends[i];
        order[i] = (uint32_t)i;
    }
    dgm_status status = dgmi_sort_pairs(reader->ctx, keys, order, file->count);
    for (int64_t i = 0; i < file->count; i++)
        keys[i] = reader->begins[order[i]];
    if (status == DGM_OK)
        status = dgmi_sort_pairs(reader->ctx, keys, order, file->count);
    for (int64_t i = 0; status == DGM_OK && i < file->count; i++) {
        if (keys[i] != last)
            status = fail_tensor(reader, file->tensors[order[i]].name,
                                 keys[i] < last ? "overlaps another one"
                                                : "leaves a hole between it and the one before");
        last = reader->ends[order[i]];
    }
    if (status == DGM_OK && last != (uint64_t)(file->size - file->begin))
        status = fail_file(reader, file->begin + (int64_t)last,
                           "data go on behind the last tensor of the safetensors file");
    return status;
}

static dgm_status read_tensors(header_reader *reader) {
    dgmi_bytes_safetensors *file = reader->file;
    const char *name;
    json_t *value;
    int64_t count = (int64_t)json_object_size(file->root), index = 0;
    count -= json_object_get(file->root, METADATA) != NULL;
    file->tensors = dgmi_alloc_zero(reader->ctx, count + 1, sizeof *file->tensors);
    reader->begins = dgmi_scratch(reader->ctx, count, sizeof *reader->begins);
    reader->ends = dgmi_scratch(reader->ctx, count, sizeof *reader->ends);
    if (!file->tensors || !reader->begins || !reader->ends)
        return DGM_ERROR_MEMORY;
    json_object_foreach(file->root, name, value) {
        if (strcmp(name, METADATA) == 0)
            continue;
        dgm_status status = read_tensor(reader, name, value, index++);
        if (status != DGM_OK)
            return status;
    }
    file->count = count;
    return check_cover(reader);
}

/* ---- its metadata ---- */

static dgm_status read_metadata(const header_reader *reader) {
    dgmi_bytes_safetensors *file = reader->file;
    json_t *metadata = json_object_get(file->root, METADATA), *value;
    const char *key;
    int64_t used = 0;
    if (metadata && !json_is_object(metadata))
        return fail_file(reader, -1, "damaged safetensors header: __metadata__ is no object");
    file->metadata = dgmi_alloc_zero(reader->ctx, 2 * (int64_t)json_object_size(metadata) + 1,
                                     sizeof *file->metadata);
    if (!file->metadata)
        return DGM_ERROR_MEMORY;
    json_object_foreach(metadata, key, value) {
        if (!json_is_string(value))
            return fail_file(reader, -1,
                             "damaged safetensors header: __metadata__ holds what is no text");
        file->metadata[used++] = key;
        file->metadata[used++] = json_string_value(value);
    }
    return DGM_OK;
}

/* ---- the whole ---- */

dgm_status dgmi_bytes_safetensors_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                                       dgmi_bytes_safetensors **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_bytes_safetensors *file = dgmi_alloc_zero(ctx, 1, sizeof *file);
    *out = NULL;
    if (!file)
        return DGM_ERROR_MEMORY;
    header_reader reader = {.ctx = ctx, .file = file};
    file->allocator = ctx->allocator;
    file->name = dgmi_strdup(ctx, dgmi_bytes_stream_name(stream));
    dgm_status status = file->name ? load_bytes(&reader, stream) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = parse_header(&reader);
    if (status == DGM_OK)
        status = read_tensors(&reader);
    if (status == DGM_OK)
        status = read_metadata(&reader);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        *out = file;
    else
        dgmi_bytes_safetensors_free(file);
    return status;
}

dgm_status dgmi_bytes_safetensors_open(dgm_context *ctx, const char *path,
                                       dgmi_bytes_safetensors **out) {
    dgmi_bytes_stream *stream;
    *out = NULL;
    dgm_status status = dgmi_bytes_stream_open_raw(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_safetensors_read(ctx, stream, out);
    dgmi_bytes_stream_close(stream);
    return status;
}

void dgmi_bytes_safetensors_free(dgmi_bytes_safetensors *file) {
    if (!file)
        return;
    dgm_allocator allocator = file->allocator;
    json_decref(file->root);
    void *blocks[] = {file->name, file->bytes, file->tensors, (void *)file->metadata, file};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

int64_t dgmi_bytes_safetensors_count(const dgmi_bytes_safetensors *file) {
    return file->count;
}

const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_get(const dgmi_bytes_safetensors *file,
                                                          int64_t index) {
    return &file->tensors[index];
}

const dgmi_bytes_named_tensor *dgmi_bytes_safetensors_find(const dgmi_bytes_safetensors *file,
                                                           const char *name) {
    for (int64_t i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

const char *dgmi_bytes_safetensors_metadata(const dgmi_bytes_safetensors *file, const char *key) {
    for (const char *const *pair = file->metadata; *pair; pair += 2)
        if (strcmp(pair[0], key) == 0)
            return pair[1];
    return NULL;
}

const char *const *dgmi_bytes_safetensors_metadata_list(const dgmi_bytes_safetensors *file) {
    return file->metadata;
}

const char *dgmi_bytes_safetensors_name(const dgmi_bytes_safetensors *file) {
    return file->name;
}
