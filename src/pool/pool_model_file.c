/* SPDX-License-Identifier: Apache-2.0 */
/* Writes trained classifiers to safetensors files and reads them back.
 *
 * The tensors are the weights, F32, by the names that the network gives them. The metadata are
 *
 *   format "dgm-classifier", version "1", checksum
 *   pool      the whole specification: "mpr:clusters=8-2,overlap=0.25"
 *   net       gcn, gin or mlp
 *   width, layers, steps, skip          the sizes of the network
 *   clusters  those of each step: "8-2"
 *   features, clamp, feature_width      what it sees of a node
 *   labels    the numbers of the labels that the first columns stand for: "0,1,2"
 *   classes   the numbers of the classes: "1,2"
 *   seed, set
 *
 * The checksum is over these texts, in this order, and over the weights. A network reads nothing of
 * a file whose checksum differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_checksum.h"
#include "bytes_safetensors.h"
#include "pool_model.h"

#define FORMAT  "dgm-classifier"
#define VERSION "1"

enum {
    POOL,
    NET,
    WIDTH,
    LAYERS,
    STEPS,
    SKIP,
    CLUSTERS,
    FEATURES,
    CLAMP,
    FEATURE_WIDTH,
    LABELS,
    CLASSES,
    SEED,
    SET,
    KEYS
};
static const char *const keys[KEYS] = {"pool",   "net",      "width",    "layers", "steps",
                                       "skip",   "clusters", "features", "clamp",  "feature_width",
                                       "labels", "classes",  "seed",     "set"};

static const char *const nets[] = {
    [DGM_NET_GCN] = "gcn", [DGM_NET_GIN] = "gin", [DGM_NET_MLP] = "mlp", NULL};
static const char *const kinds[] = {
    [DGM_POOL_FEATURES_AUTO] = "auto",     [DGM_POOL_FEATURES_LABELS] = "labels",
    [DGM_POOL_FEATURES_DEGREE] = "degree", [DGM_POOL_FEATURES_ATTRIBUTES] = "attributes",
    [DGM_POOL_FEATURES_ALL] = "all",       NULL};

static uint32_t sum_up(const char *const *values, const dgmi_nn_weights *weights) {
    uint32_t sum = 0;
    for (int i = 0; i < KEYS; i++)
        sum = dgmi_bytes_crc32(sum, values[i], (int64_t)strlen(values[i]) + 1);
    for (int i = 0; i < weights->count; i++)
        sum = dgmi_bytes_crc32(sum, dgmi_nn_weights_at(weights, i),
                               weights->list[i].rows * weights->list[i].columns *
                                   (int64_t)sizeof(float));
    return sum;
}

/* ---- writing ---- */

/* The texts of all keys, one behind the other, each with its final 0. */
typedef struct texts {
    dgmi_text all;
    int64_t starts[KEYS];
} texts;

static void end_text(texts *t, int key) {
    dgmi_text_append(&t->all, "", 1);
    if (key + 1 < KEYS)
        t->starts[key + 1] = t->all.length;
}

static void put_numbers(dgmi_text *text, const int32_t *numbers, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        dgmi_text_format(text, "%s%d", i ? "," : "", (int)numbers[i]);
}

static void put_value(const dgm_classifier *model, int key, dgmi_text *text) {
    const dgmi_pool_design *design = &model->network.design;
    const int64_t numbers[KEYS] = {
        [WIDTH] = design->width, [LAYERS] = design->layers, [STEPS] = design->steps,
        [SKIP] = design->skip,   [CLAMP] = model->clamp,    [FEATURE_WIDTH] = design->features,
        [SEED] = model->seed};
    switch (key) {
    case POOL:
        dgmi_text_string(text, model->pool);
        break;
    case NET:
        dgmi_text_string(text, nets[design->net]);
        break;
    case FEATURES:
        dgmi_text_string(text, kinds[model->features]);
        break;
    case SET:
        dgmi_text_string(text, model->set);
        break;
    case LABELS:
        put_numbers(text, model->label_numbers, model->label_count);
        break;
    case CLASSES:
        put_numbers(text, model->class_numbers, design->classes);
        break;
    case CLUSTERS:
        for (int l = 0; l < design->steps; l++)
            dgmi_text_format(text, "%s%lld", l ? "-" : "", (long long)design->clusters[l]);
        break;
    default:
        dgmi_text_integer(text, numbers[key]);
    }
}

static dgmi_bytes_named_tensor describe(const dgmi_nn_weights *weights, int index) {
    const dgmi_nn_weight *weight = &weights->list[index];
    return (dgmi_bytes_named_tensor){.name = weight->name,
                                     .dtype = DGMI_BYTES_F32,
                                     .rank = 2,
                                     .shape = {weight->rows, weight->columns},
                                     .data = dgmi_nn_weights_at(weights, index)};
}

static dgm_status write_file(dgm_context *ctx, const dgm_classifier *model, const texts *t,
                             const char *path) {
    const dgmi_nn_weights *weights = &model->network.weights;
    const char *values[KEYS], *metadata[2 * KEYS + 7];
    char checksum[16];
    int at = 0;
    dgmi_bytes_named_tensor *tensors = dgmi_scratch(ctx, weights->count, sizeof *tensors);
    if (!tensors)
        return DGM_ERROR_MEMORY;
    for (int i = 0; i < weights->count; i++)
        tensors[i] = describe(weights, i);
    metadata[at++] = "format";
    metadata[at++] = FORMAT;
    metadata[at++] = "version";
    metadata[at++] = VERSION;
    for (int i = 0; i < KEYS; i++) {
        values[i] = t->all.data + t->starts[i];
        metadata[at++] = keys[i];
        metadata[at++] = values[i];
    }
    snprintf(checksum, sizeof checksum, "%08" PRIx32, sum_up(values, weights));
    metadata[at++] = "checksum";
    metadata[at++] = checksum;
    metadata[at] = NULL;
    return dgmi_bytes_safetensors_write(ctx, path, tensors, weights->count, metadata);
}

dgm_status dgm_classifier_write(dgm_context *ctx, const dgm_classifier *model, const char *path) {
    texts t = {.starts = {0}};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_text_init(&t.all, ctx);
    for (int i = 0; i < KEYS; i++) {
        put_value(model, i, &t.all);
        end_text(&t, i);
    }
    dgm_status status = t.all.status;
    if (status == DGM_OK)
        status = write_file(ctx, model, &t, path);
    dgmi_text_free(&t.all);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- reading ---- */

typedef struct model_file {
    dgm_context *ctx;
    const char *path;
    dgmi_bytes_safetensors *file;
    const char *values[KEYS];
    dgm_classifier *model;
} model_file;

#define FAIL(from, ...) dgmi_fail_at((from)->ctx, DGM_ERROR_DATA, (from)->path, 0, -1, __VA_ARGS__)

static dgm_status check_format(const model_file *from) {
    const char *format = dgmi_bytes_safetensors_metadata(from->file, "format");
    const char *version = dgmi_bytes_safetensors_metadata(from->file, "version");
    if (!format || strcmp(format, FORMAT) != 0)
        return FAIL(from,
                    "%s, not a classifier of graphs as 'dgm classify -o FILE.safetensors' writes "
                    "it",
                    !format                                 ? "weights of another program"
                    : strcmp(format, "dgm-model") == 0      ? "a network that looks at nodes"
                    : strcmp(format, "dgm-checkpoint") == 0 ? "a checkpoint of a training run"
                                                            : "weights of another kind");
    if (!version || strcmp(version, VERSION) != 0)
        return FAIL(from, "a classifier of version %.20s, and this program reads version " VERSION,
                    version ? version : "none");
    return DGM_OK;
}

static dgm_status read_texts(model_file *from) {
    for (int i = 0; i < KEYS; i++) {
        from->values[i] = dgmi_bytes_safetensors_metadata(from->file, keys[i]);
        if (!from->values[i])
            return FAIL(from, "a damaged classifier: its metadata have no '%s'", keys[i]);
    }
    return DGM_OK;
}

static dgm_status fail_value(const model_file *from, int key) {
    return FAIL(from, "a damaged classifier: its metadata have the %s '%.60s'", keys[key],
                from->values[key]);
}

static dgm_status read_integer(const model_file *from, int key, int64_t low, int64_t high,
                               int64_t *out) {
    const char *text = from->values[key];
    if (!dgmi_parse_integer(text, strlen(text), out) || *out < low || *out > high)
        return fail_value(from, key);
    return DGM_OK;
}

static dgm_status read_word(const model_file *from, int key, const char *const *words, int *out) {
    for (*out = 0; words[*out]; (*out)++)
        if (strcmp(words[*out], from->values[key]) == 0)
            return DGM_OK;
    return fail_value(from, key);
}

/* "1,2": ascending numbers. They belong to the caller. */
static dgm_status read_numbers(const model_file *from, int key, int32_t **out, int64_t *count) {
    const char *text = from->values[key];
    *count = *text != '\0';
    for (const char *at = text; *at; at++)
        *count += *at == ',';
    *out = dgmi_alloc(from->ctx, *count, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < *count; i++) {
        size_t length = strcspn(text, ",");
        int64_t number;
        if (!dgmi_parse_integer(text, length, &number) || number < INT32_MIN ||
            number > INT32_MAX || (i && number <= (*out)[i - 1]))
            return fail_value(from, key);
        (*out)[i] = (int32_t)number;
        text += length + (text[length] == ',');
    }
    return DGM_OK;
}

/* "8-2": a number for each step. */
static dgm_status read_clusters(const model_file *from, dgmi_pool_design *design) {
    const char *at = from->values[CLUSTERS];
    for (int l = 0; l < design->steps; l++) {
        size_t length = strcspn(at, "-");
        if (!dgmi_parse_integer(at, length, &design->clusters[l]) || design->clusters[l] < 1 ||
            design->clusters[l] > DGM_MAX_NODES)
            return fail_value(from, CLUSTERS);
        at += length + (at[length] == '-');
    }
    return *at ? fail_value(from, CLUSTERS) : DGM_OK;
}

static dgm_status read_sizes(const model_file *from, dgmi_pool_design *design) {
    dgm_classifier *model = from->model;
    int64_t layers = 0, steps = 0, skip = 0;
    dgm_status status = read_word(from, NET, nets, &design->net);
    if (status == DGM_OK)
        status = read_word(from, FEATURES, kinds, &model->features);
    if (status == DGM_OK && model->features == DGM_POOL_FEATURES_AUTO)
        status = fail_value(from, FEATURES);
    if (status == DGM_OK)
        status = read_integer(from, WIDTH, 1, 1 << 20, &design->width);
    if (status == DGM_OK)
        status = read_integer(from, LAYERS, 1, DGMI_POOL_MOST_LAYERS, &layers);
    if (status == DGM_OK)
        status = read_integer(from, STEPS, 0, DGMI_POOL_MOST_STEPS, &steps);
    if (status == DGM_OK)
        status = read_integer(from, SKIP, 0, 1, &skip);
    if (status == DGM_OK)
        status = read_integer(from, CLAMP, 0, 1 << 20, &model->clamp);
    if (status == DGM_OK)
        status = read_integer(from, FEATURE_WIDTH, 0, DGM_MAX_NODES, &design->features);
    if (status == DGM_OK)
        status = read_integer(from, SEED, INT64_MIN, INT64_MAX, &model->seed);
    design->layers = (int)layers;
    design->steps = (int)steps;
    design->skip = skip;
    return status == DGM_OK ? read_clusters(from, design) : status;
}

/* Whether the file holds a tensor of that shape. */
static dgm_status check_tensor(const model_file *from, const char *name, int64_t rows,
                               int64_t columns) {
    const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_find(from->file, name);
    if (tensor && tensor->rank == 2 && tensor->shape[0] == rows && tensor->shape[1] == columns)
        return DGM_OK;
    return FAIL(from, "a damaged classifier: it has no tensor %s of %lld x %lld numbers", name,
                (long long)rows, (long long)columns);
}

/* Before any memory is taken: each weight of the network is at most as large as one of these, so
 * only what the file holds is believed. */
static dgm_status check_shapes(const model_file *from, const dgmi_pool_design *design) {
    dgm_status status = DGM_OK;
    char name[DGMI_NN_WEIGHT_NAME];
    bool lens = dgmi_pool_learns_lens(design->request);
    for (int l = 0; l <= design->steps; l++)
        for (int k = 0; status == DGM_OK && k < design->layers; k++) {
            snprintf(name, sizeof name, "level%d.layer%d.weight", l, k);
            status =
                check_tensor(from, name, l || k ? design->width : design->features, design->width);
        }
    for (int l = 0; l < design->steps && design->request->family == DGMI_POOL_DENSE; l++) {
        snprintf(name, sizeof name, lens ? "pool%d.cover.centres" : "pool%d.bias", l);
        if (status == DGM_OK)
            status = check_tensor(from, name, 1, design->clusters[l]);
        bool first = l == 0 && design->request->options.method == DGM_POOL_DIFFPOOL;
        snprintf(name, sizeof name, "pool%d.weight", l);
        if (status == DGM_OK && !lens)
            status = check_tensor(from, name, first ? design->features : design->width,
                                  design->clusters[l]);
    }
    return status == DGM_OK ? check_tensor(from, "linear.weight", design->width, design->classes)
                            : status;
}

static dgm_status read_weights(const model_file *from) {
    const dgmi_nn_weights *weights = &from->model->network.weights;
    const char *checksum = dgmi_bytes_safetensors_metadata(from->file, "checksum");
    dgm_status status = DGM_OK;
    if (dgmi_bytes_safetensors_count(from->file) != weights->count)
        return FAIL(from, "a damaged classifier: it has %lld tensors, not %d",
                    (long long)dgmi_bytes_safetensors_count(from->file), weights->count);
    for (int i = 0; status == DGM_OK && i < weights->count; i++) {
        const dgmi_nn_weight *weight = &weights->list[i];
        const int64_t shape[] = {weight->rows, weight->columns};
        status = dgmi_bytes_safetensors_copy(from->ctx, from->file, weight->name, DGMI_BYTES_F32, 2,
                                             shape, dgmi_nn_weights_at(weights, i));
    }
    if (status == DGM_OK &&
        (!checksum || strtoull(checksum, NULL, 16) != sum_up(from->values, weights)))
        status = FAIL(from, "a damaged classifier: its checksum differs");
    return status;
}

static dgm_status build(model_file *from) {
    dgm_classifier *model = from->model;
    dgmi_pool_design design = {.request = &model->request};
    if (strlen(from->values[POOL]) >= sizeof model->pool)
        return fail_value(from, POOL);
    snprintf(model->pool, sizeof model->pool, "%s", from->values[POOL]);
    snprintf(model->set, sizeof model->set, "%s", from->values[SET]);
    dgm_status status = dgmi_pool_parse(from->ctx, model->pool, &model->request);
    if (status == DGM_ERROR_USAGE)
        status = fail_value(from, POOL);
    if (status == DGM_OK)
        status = read_sizes(from, &design);
    if (status == DGM_OK)
        status = read_numbers(from, CLASSES, &model->class_numbers, &design.classes);
    if (status == DGM_OK && design.classes < 1)
        status = fail_value(from, CLASSES);
    if (status == DGM_OK &&
        (model->features == DGM_POOL_FEATURES_LABELS || model->features == DGM_POOL_FEATURES_ALL))
        status = read_numbers(from, LABELS, &model->label_numbers, &model->label_count);
    design.seed = model->seed;
    if (status == DGM_OK)
        status = check_shapes(from, &design);
    if (status == DGM_OK)
        status = dgmi_pool_network_make(from->ctx, &design, &model->network);
    return status == DGM_OK ? read_weights(from) : status;
}

dgm_status dgm_classifier_read(dgm_context *ctx, const char *path, dgm_classifier **out) {
    model_file from = {.ctx = ctx, .path = path};
    *out = NULL;
    dgm_status status = dgmi_bytes_safetensors_open(ctx, path, &from.file);
    if (status == DGM_OK)
        status = check_format(&from);
    if (status == DGM_OK)
        status = read_texts(&from);
    if (status == DGM_OK && !(from.model = dgmi_alloc_zero(ctx, 1, sizeof *from.model)))
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        from.model->allocator = ctx->allocator;
        status = build(&from);
    }
    dgmi_bytes_safetensors_free(from.file);
    if (status == DGM_OK)
        *out = from.model;
    else
        dgm_classifier_free(from.model);
    return status;
}
