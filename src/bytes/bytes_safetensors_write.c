/* SPDX-License-Identifier: Apache-2.0 */
/* Writing: the caller's tensors are checked first, so that whatever is written can be read. */
#include "bytes_safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "base_utf8.h"
#include "bytes_output.h"

enum { WIDEST = 8 };

typedef struct {
    dgm_context *ctx;
    const char *path;
    const dgmi_bytes_named_tensor *tensors;
    int64_t count;
    const char *const *metadata;
    int64_t *order; /* of the tensors in the file */
} tensor_writer;

/* ---- checking ---- */

static dgm_status fail_tensor(const tensor_writer *writer, const char *name, const char *words) {
    char shown[DGMI_BYTES_SHOWN_NAME];
    return dgmi_fail_in(writer->ctx, DGM_ERROR_USAGE, writer->path, "tensor '%s' %s",
                        dgmi_bytes_tensor_shown(name, shown), words);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A text that stands there twice, or NULL; `texts` is sorted on the way. */
static const char *find_twice(const char **texts, int64_t count) {
    if (count > 1)
        qsort(texts, (size_t)count, sizeof *texts, compare_texts);
    for (int64_t i = 1; i < count; i++)
        if (strcmp(texts[i - 1], texts[i]) == 0)
            return texts[i];
    return NULL;
}

static dgm_status check_tensor(const tensor_writer *writer, const dgmi_bytes_named_tensor *tensor) {
    const char *name = tensor->name;
    if (!dgmi_bytes_tensor_name_is_clean(name) || strcmp(name, "__metadata__") == 0)
        return fail_tensor(writer, name, "cannot have that name in a safetensors file");
    if ((unsigned)tensor->dtype >= DGMI_BYTES_DTYPES)
        return fail_tensor(writer, name, "has an unknown type");
    if (tensor->rank < 0 || tensor->rank > DGMI_BYTES_TENSOR_RANK)
        return fail_tensor(writer, name, "has more than 8 dimensions");
    int64_t bytes = dgmi_bytes_tensor_bytes(tensor);
    if (bytes < 0 || (bytes > 0 && !tensor->data))
        return fail_tensor(writer, name, bytes < 0 ? "has an impossible shape" : "has no data");
    return DGM_OK;
}

static dgm_status check_names(const tensor_writer *writer) {
    const char **names = dgmi_scratch(writer->ctx, writer->count, sizeof *names);
    if (!names)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < writer->count; i++)
        names[i] = writer->tensors[i].name;
    const char *twice = find_twice(names, writer->count);
    return twice ? fail_tensor(writer, twice, "is there twice") : DGM_OK;
}

static dgm_status fail_metadata(const tensor_writer *writer, const char *key, const char *words) {
    char shown[DGMI_BYTES_SHOWN_NAME];
    return dgmi_fail_in(writer->ctx, DGM_ERROR_USAGE, writer->path, "the metadata's key '%s' %s",
                        dgmi_bytes_tensor_shown(key, shown), words);
}

static bool is_utf8(const char *text) {
    return dgmi_utf8_check(text, strlen(text)) == strlen(text);
}

static int64_t count_metadata(const tensor_writer *writer) {
    int64_t count = 0;
    while (writer->metadata && writer->metadata[2 * count])
        count++;
    return count;
}

static dgm_status check_metadata(const tensor_writer *writer) {
    int64_t count = count_metadata(writer);
    const char **keys = dgmi_scratch(writer->ctx, count, sizeof *keys);
    if (!keys)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        keys[i] = writer->metadata[2 * i];
        if (!is_utf8(keys[i]) || !is_utf8(writer->metadata[2 * i + 1]))
            return fail_metadata(writer, keys[i], "or its value is not UTF-8");
    }
    const char *twice = find_twice(keys, count);
    return twice ? fail_metadata(writer, twice, "is there twice") : DGM_OK;
}

/* Whether the reader would take as many values: it counts commas and what opens a list or an
 * object, at most seven a tensor and one a dimension. */
static bool are_few_values(const tensor_writer *writer) {
    int64_t values = 2 + count_metadata(writer);
    for (int64_t i = 0; i < writer->count && values <= DGMI_BYTES_SAFETENSORS_VALUES; i++)
        values += 7 + writer->tensors[i].rank;
    return values <= DGMI_BYTES_SAFETENSORS_VALUES;
}

static dgm_status check_all(const tensor_writer *writer) {
    static const char *const packed[] = {".gz", ".xz", ".zst"};
    dgm_status status = DGM_OK;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (dgmi_bytes_ends_with(writer->path, packed[i]))
            return dgmi_fail_in(writer->ctx, DGM_ERROR_USAGE, writer->path,
                                "safetensors files are not compressed; leave %s out of the name",
                                packed[i]);
    for (int64_t i = 0; status == DGM_OK && i < writer->count; i++)
        status = check_tensor(writer, &writer->tensors[i]);
    if (status == DGM_OK)
        status = check_names(writer);
    return status == DGM_OK ? check_metadata(writer) : status;
}

/* ---- the header ---- */

/* Wide elements first: without holes, that is what keeps every tensor at a multiple of its
 * element's width. */
static void choose_order(tensor_writer *writer) {
    int64_t used = 0;
    for (int width = WIDEST; width > 0; width /= 2)
        for (int64_t i = 0; i < writer->count; i++)
            if (dgmi_bytes_dtype_width(writer->tensors[i].dtype) == width)
                writer->order[used++] = i;
}

static void append_text(dgmi_text *text, const char *string) {
    dgmi_text_string(text, "\"");
    dgmi_escape_json(text, string, strlen(string));
    dgmi_text_string(text, "\"");
}

static void append_metadata(dgmi_text *text, const char *const *metadata) {
    dgmi_text_string(text, "\"__metadata__\":{");
    for (const char *const *pair = metadata; *pair; pair += 2) {
        dgmi_text_string(text, pair == metadata ? "" : ",");
        append_text(text, pair[0]);
        dgmi_text_string(text, ":");
        append_text(text, pair[1]);
    }
    dgmi_text_string(text, "}");
}

/* False where the offsets do not fit. */
static bool append_tensor(dgmi_text *text, const dgmi_bytes_named_tensor *tensor, int64_t *offset) {
    append_text(text, tensor->name);
    dgmi_text_format(text, ":{\"dtype\":\"%s\",\"shape\":[", dgmi_bytes_dtype_name(tensor->dtype));
    for (int i = 0; i < tensor->rank; i++) {
        dgmi_text_string(text, i ? "," : "");
        dgmi_text_integer(text, tensor->shape[i]);
    }
    dgmi_text_string(text, "],\"data_offsets\":[");
    dgmi_text_integer(text, *offset);
    dgmi_text_string(text, ",");
    bool fits = !__builtin_add_overflow(*offset, dgmi_bytes_tensor_bytes(tensor), offset);
    dgmi_text_integer(text, *offset);
    dgmi_text_string(text, "]}");
    return fits;
}

static dgm_status make_header(const tensor_writer *writer, dgmi_text *text) {
    bool some = writer->metadata && writer->metadata[0], fits = are_few_values(writer);
    int64_t offset = 0;
    dgmi_text_string(text, "{");
    if (some)
        append_metadata(text, writer->metadata);
    for (int64_t i = 0; i < writer->count; i++) {
        dgmi_text_string(text, i || some ? "," : "");
        fits &= append_tensor(text, &writer->tensors[writer->order[i]], &offset);
    }
    dgmi_text_string(text, "}");
    while (text->status == DGM_OK && text->length % WIDEST)
        dgmi_text_string(text, " ");
    if (text->status == DGM_OK && (text->length > DGMI_BYTES_SAFETENSORS_HEADER || !fits))
        return dgmi_fail_in(writer->ctx, DGM_ERROR_USAGE, writer->path,
                            "more than a safetensors file can hold");
    return text->status;
}

/* ---- the whole ---- */

static dgm_status write_parts(const tensor_writer *writer, const dgmi_text *header,
                              dgmi_bytes_output *output) {
    uint64_t length = (uint64_t)header->length;
    dgm_status status = dgmi_bytes_output_write(output, &length, sizeof length);
    if (status == DGM_OK)
        status = dgmi_bytes_output_write(output, header->data, (size_t)header->length);
    for (int64_t i = 0; status == DGM_OK && i < writer->count; i++) {
        const dgmi_bytes_named_tensor *tensor = &writer->tensors[writer->order[i]];
        status =
            dgmi_bytes_output_write(output, tensor->data, (size_t)dgmi_bytes_tensor_bytes(tensor));
    }
    return status;
}

static dgm_status write_file(const tensor_writer *writer, const dgmi_text *header) {
    dgmi_bytes_output *output;
    dgm_status status = dgmi_bytes_output_open(writer->ctx, writer->path, &output);
    if (status != DGM_OK)
        return status;
    dgmi_bytes_output_make_durable(output); /* hours of training may stand behind it */
    status = write_parts(writer, header, output);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}

dgm_status dgmi_bytes_safetensors_write(dgm_context *ctx, const char *path,
                                        const dgmi_bytes_named_tensor *tensors, int64_t count,
                                        const char *const *metadata) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    tensor_writer writer = {ctx, path, tensors, count, metadata, NULL};
    dgmi_text header;
    dgmi_text_init(&header, ctx);
    dgm_status status = check_all(&writer);
    if (status == DGM_OK) {
        writer.order = dgmi_scratch(ctx, count, sizeof *writer.order);
        status = writer.order ? DGM_OK : DGM_ERROR_MEMORY;
    }
    if (status == DGM_OK) {
        choose_order(&writer);
        status = make_header(&writer, &header);
    }
    if (status == DGM_OK)
        status = write_file(&writer, &header);
    dgmi_text_free(&header);
    dgmi_arena_release(ctx, hold);
    return status;
}
