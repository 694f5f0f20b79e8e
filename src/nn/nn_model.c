/* SPDX-License-Identifier: Apache-2.0 */
/* Applies trained networks to a graph, writes them to files and reads them back.
 *
 * A file of our own has metadata that says what the network is. One without them, as PyTorch
 * Geometric saves it, is read as a GCN: conv1, conv2, ... (or convs.0, convs.1, ...) with ReLU
 * between them, and lin as a linear layer at the end; features are used as the graph has them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_text.h"
#include "bytes_safetensors.h"
#include "graph_labels.h"
#include "nn_network.h"
#include "table_matrix.h"

static const char *const model_names[] = {
    [DGM_MODEL_GCN] = "gcn", [DGM_MODEL_DGI] = "dgi", [DGM_MODEL_DGI + 1] = NULL};

const char *const *dgm_model_names(void) {
    return model_names;
}

dgm_model_kind dgm_model_get_kind(const dgm_model *model) {
    return model->kind;
}

int64_t dgm_model_width(const dgm_model *model) {
    return model->layers[model->layer_count - 1].out;
}

bool dgm_model_classifies(const dgm_model *model) {
    return model->kind == DGM_MODEL_GCN && !model->regression;
}

/* ---- running ---- */

static dgm_status check_width(dgm_context *ctx, const dgm_model *model,
                              const dgmi_nn_sight *sight) {
    if (sight->features.width == model->layers[0].in)
        return DGM_OK;
    return dgmi_fail(
        ctx, DGM_ERROR_DATA, "the network takes %lld features a node and the graph has %lld%s",
        (long long)model->layers[0].in, (long long)sight->features.width,
        sight->features.one_hot ? " (one a node: one-hot networks fit only the graph they learned)"
                                : "");
}

/* The number of the class that output j of a classifier scores; -1 of other networks. */
static int32_t class_number(const dgm_model *model, const dgm_graph *graph, int64_t j) {
    if (!dgm_model_classifies(model))
        return -1;
    return model->class_numbers
               ? model->class_numbers[j]
               : dgmi_graph_column_number(graph, (int32_t)dgm_model_width(model), (int32_t)j);
}

static dgm_status name_columns(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                               dgm_matrix *matrix) {
    for (int64_t j = 0; j < dgm_matrix_columns(matrix); j++) {
        char name[32];
        int32_t number = class_number(model, graph, j);
        const char *class_name = dgmi_graph_number_name(graph, number);
        if (model->regression)
            snprintf(name, sizeof name, "prediction");
        else if (model->kind == DGM_MODEL_GCN)
            snprintf(name, sizeof name, "logit%d", (int)number);
        else
            snprintf(name, sizeof name, "dgi%lld", (long long)j + 1);
        if (model->class_numbers)
            dgmi_table_matrix_set_column_class(matrix, j, number);
        dgm_status status =
            dgm_matrix_set_column_name(ctx, matrix, j, class_name ? class_name : name);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

dgm_status dgmi_nn_model_table(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                               const dgmi_table_tensor *answer, dgm_matrix **out) {
    dgm_status status = dgm_matrix_create(ctx, answer->rows, answer->columns, out);
    if (status != DGM_OK)
        return status;
    double *values = dgm_matrix_values_mutable(*out);
    for (int64_t i = 0; i < dgmi_table_tensor_count(answer); i++)
        values[i] = model->scale * (double)answer->values[i] + model->shift;
    status = name_columns(ctx, model, graph, *out);
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_model_run(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                         dgm_matrix **out) {
    dgmi_nn_sight sight = {0};
    dgmi_nn_tape *tape = NULL;
    *out = NULL;
    const dgmi_nn_reading reading = dgmi_nn_model_reading(model);
    dgm_status status = dgmi_nn_sight_read(ctx, graph, &reading, &sight);
    if (status == DGM_OK)
        status = check_width(ctx, model, &sight);
    if (status == DGM_OK)
        status = dgmi_nn_tape_create(ctx, &tape);
    if (status == DGM_OK) {
        const dgmi_nn_pass pass = {.tape = tape, .model = model, .sight = &sight};
        dgmi_nn_node *answer = dgmi_nn_pass_run(&pass);
        status = dgmi_nn_tape_status(tape);
        if (status == DGM_OK)
            status = dgmi_nn_model_table(ctx, model, graph, &answer->value, out);
    }
    dgmi_nn_tape_free(tape);
    dgmi_nn_sight_free(ctx, &sight);
    return status;
}

/* ---- writing ---- */

static const char *const activation_names[] = {"none", "relu", "elu", "prelu"};
static const char *const feature_names[] = {"auto", "one-hot", "degree", "structure"};
static const char *const scaling_names[] = {[DGMI_NN_SCALE_NONE] = "false",
                                            [DGMI_NN_SCALE_ROWS] = "true",
                                            [DGMI_NN_SCALE_COLUMNS] = "columns"};

/* PyTorch's linear layers keep out x in. */
static void transpose(const float *from, int64_t rows, int64_t columns, float *to) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
}

static dgmi_bytes_named_tensor describe_weight(const dgmi_nn_weight *weight, const float *values) {
    dgmi_bytes_named_tensor tensor = {
        .name = weight->name, .dtype = DGMI_BYTES_F32, .data = values};
    tensor.rank = weight->vector ? 1 : 2;
    tensor.shape[0] = weight->transpose || weight->vector ? weight->columns : weight->rows;
    tensor.shape[1] = weight->transpose ? weight->rows : weight->columns;
    return tensor;
}

/* The numbers of the outputs' classes as text, "3,7,8"; scratch memory. "" where they are 0, 1, 2,
 * ... or not known. NULL on failure. */
static const char *list_class_numbers(dgm_context *ctx, const dgm_model *model) {
    enum { DIGITS = 12 };
    int64_t width = dgm_model_width(model), used = 0;
    bool plain = true;
    for (int64_t j = 0; model->class_numbers && j < width; j++)
        plain &= model->class_numbers[j] == j;
    if (plain)
        return "";
    char *text = dgmi_scratch(ctx, width * DIGITS, 1);
    for (int64_t j = 0; text && j < width; j++)
        used += snprintf(text + used, DIGITS, "%s%d", j ? "," : "", (int)model->class_numbers[j]);
    return text;
}

dgm_status dgm_model_write(dgm_context *ctx, const dgm_model *model, const char *path) {
    const dgmi_nn_weights *weights = &model->weights;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    dgmi_bytes_named_tensor *tensors = dgmi_scratch(ctx, weights->count, sizeof *tensors);
    float *turned = dgmi_scratch(ctx, weights->total, sizeof *turned);
    const char *numbers = list_class_numbers(ctx, model);
    if (!tensors || !turned || !numbers)
        goto done;
    for (int k = 0; k < weights->count; k++) {
        const dgmi_nn_weight *weight = &weights->list[k];
        const float *values = dgmi_nn_weights_at(weights, k);
        if (weight->transpose) {
            transpose(values, weight->rows, weight->columns, turned + weight->at);
            values = turned + weight->at;
        }
        tensors[k] = describe_weight(weight, values);
    }
    const dgmi_nn_layer *last = &model->layers[model->layer_count - 1];
    char scale[40], shift[40];
    snprintf(scale, sizeof scale, "%.17g", model->scale);
    snprintf(shift, sizeof shift, "%.17g", model->shift);
    const char *const metadata[] = {"format",
                                    "dgm-model",
                                    "version",
                                    "1",
                                    "model",
                                    model_names[model->kind],
                                    "activation",
                                    activation_names[model->layers[0].activation],
                                    "last",
                                    activation_names[last->activation],
                                    "features",
                                    feature_names[model->features],
                                    "normalise",
                                    scaling_names[model->normalise],
                                    "task",
                                    model->regression ? "regression" : "classes",
                                    "scale",
                                    scale,
                                    "shift",
                                    shift,
                                    *numbers ? "class_numbers" : NULL,
                                    numbers,
                                    NULL};
    status = dgmi_bytes_safetensors_write(ctx, path, tensors, weights->count, metadata);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- reading ---- */

typedef struct model_file {
    dgmi_bytes_safetensors *file;
    const char *path;
    const char *prefix; /* of a convolution's name: "conv" or "convs." */
    int first;          /* its first number */
} model_file;

static int find_name(const char *const *names, int count, const char *name, int otherwise) {
    for (int i = 0; name && i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return otherwise;
}

static const dgmi_bytes_named_tensor *find_convolution(const model_file *from, int l) {
    char name[64];
    snprintf(name, sizeof name, "%s%d.lin.weight", from->prefix, l + from->first);
    return dgmi_bytes_safetensors_find(from->file, name);
}

static dgm_status check_layer(dgm_context *ctx, const model_file *from,
                              const dgmi_bytes_named_tensor *weight, int64_t in, int layers) {
    if (weight->rank != 2 || weight->shape[0] < 1 || weight->shape[1] < 1)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                            "%s is not a matrix of at least one weight", weight->name);
    if (in > 0 && weight->shape[1] != in)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                            "%s takes %lld numbers, but the layer before it gives %lld",
                            weight->name, (long long)weight->shape[1], (long long)in);
    if (layers >= DGMI_NN_MOST_LAYERS)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1, "more than %d layers",
                            DGMI_NN_MOST_LAYERS);
    return DGM_OK;
}

/* Before any memory is taken for it: only what the file holds is believed. */
static dgm_status check_discriminator(dgm_context *ctx, const model_file *from, int64_t width) {
    const dgmi_bytes_named_tensor *weight =
        dgmi_bytes_safetensors_find(from->file, "discriminator.weight");
    if (weight && weight->rank == 2 && weight->shape[0] == width && weight->shape[1] == width)
        return DGM_OK;
    return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                        "%s tensor discriminator.weight of %lld x %lld numbers",
                        weight ? "not a" : "no", (long long)width, (long long)width);
}

/* Layers as the tensors' shapes say. `ending`: the activation of the last convolution. */
static dgm_status read_layers(dgm_context *ctx, const model_file *from,
                              dgmi_nn_activation activation, dgmi_nn_activation ending,
                              dgm_model *model) {
    const dgmi_bytes_named_tensor *last = dgmi_bytes_safetensors_find(from->file, "lin.weight"),
                                  *weight;
    int64_t in = 0;
    dgm_status status = DGM_OK;
    for (int l = 0; status == DGM_OK && (weight = find_convolution(from, l)); l++) {
        bool inner = find_convolution(from, l + 1) || last;
        status = check_layer(ctx, from, weight, in, model->layer_count);
        const dgmi_nn_layer layer = {.convolution = true,
                                     .in = weight->shape[1],
                                     .out = weight->shape[0],
                                     .activation = inner ? activation : ending};
        if (status == DGM_OK)
            status = dgmi_nn_model_add_layer(ctx, model, layer, false);
        in = weight->shape[0];
    }
    if (status == DGM_OK && model->layer_count == 0)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                            "no graph network: it has no tensor conv1.lin.weight (nor "
                            "convs.0.lin.weight)");
    if (status == DGM_OK && last) {
        status = check_layer(ctx, from, last, in, model->layer_count);
        if (status == DGM_OK)
            status = dgmi_nn_model_add_layer(
                ctx, model, (dgmi_nn_layer){.in = last->shape[1], .out = last->shape[0]}, false);
    }
    if (status == DGM_OK && model->kind == DGM_MODEL_DGI)
        status = check_discriminator(ctx, from, in);
    if (status == DGM_OK && model->kind == DGM_MODEL_DGI)
        status = dgmi_nn_model_add_discriminator(ctx, model);
    if (status == DGM_OK && model->normalise == DGMI_NN_SCALE_COLUMNS)
        status = dgmi_nn_model_add_columns(ctx, model);
    return status == DGM_OK ? dgmi_nn_model_finish(ctx, model, 0) : status;
}

/* The name in the file of a weight that we call convK...: its names may begin otherwise. */
static void name_in_file(const model_file *from, const char *name, char *out, size_t size) {
    char *rest;
    if (strncmp(name, "conv", 4) != 0) {
        snprintf(out, size, "%s", name);
        return;
    }
    long number = strtol(name + 4, &rest, 10);
    snprintf(out, size, "%s%ld%s", from->prefix, number - 1 + from->first, rest);
}

/* What the network would leave aside makes another network of it: attention, normalisation. */
static dgm_status check_leftovers(dgm_context *ctx, const model_file *from,
                                  const dgm_model *model) {
    for (int64_t i = 0; i < dgmi_bytes_safetensors_count(from->file); i++) {
        const char *found = dgmi_bytes_safetensors_get(from->file, i)->name;
        char name[96], shown[DGMI_BYTES_SHOWN_NAME];
        bool known = false;
        for (int k = 0; !known && k < model->weights.count; k++) {
            name_in_file(from, model->weights.list[k].name, name, sizeof name);
            known = strcmp(name, found) == 0;
        }
        if (!known)
            return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                                "the tensor %s belongs to no layer of a %s: only convolutions and "
                                "a last linear layer are understood",
                                dgmi_bytes_tensor_shown(found, shown), model_names[model->kind]);
    }
    return DGM_OK;
}

static dgm_status read_weights(dgm_context *ctx, const model_file *from, dgm_model *model) {
    dgmi_nn_weights *weights = &model->weights;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *turned = dgmi_scratch(ctx, weights->total, sizeof *turned);
    dgm_status status = turned ? DGM_OK : DGM_ERROR_MEMORY;
    for (int k = 0; status == DGM_OK && k < weights->count; k++) {
        const dgmi_nn_weight *weight = &weights->list[k];
        float *values = dgmi_nn_weights_at(weights, k);
        dgmi_bytes_named_tensor expected = describe_weight(weight, values);
        char name[96];
        name_in_file(from, weight->name, name, sizeof name);
        if (weight->vector && strstr(name, ".bias") &&
            !dgmi_bytes_safetensors_find(from->file, name))
            continue; /* a layer made without a bias: it stays 0 */
        status = dgmi_bytes_safetensors_floats(ctx, from->file, name, expected.rank, expected.shape,
                                               weight->transpose ? turned : values);
        if (status == DGM_OK && weight->transpose)
            transpose(turned, weight->columns, weight->rows, values);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static double read_number(const dgmi_bytes_safetensors *file, const char *key, double otherwise) {
    const char *text = dgmi_bytes_safetensors_metadata(file, key);
    double value;
    return text && dgmi_parse_real(text, strlen(text), &value) && isfinite(value) ? value
                                                                                  : otherwise;
}

/* "3,7,8" of the file, ascending, one for each output. Our own files that do not say have 0, 1, 2,
 * ...; of others nobody knows. */
static dgm_status read_class_numbers(dgm_context *ctx, const model_file *from, dgm_model *model) {
    const char *at = dgmi_bytes_safetensors_metadata(from->file, "class_numbers");
    const char *format = dgmi_bytes_safetensors_metadata(from->file, "format");
    int64_t width = dgm_model_width(model), number = -1, before;
    if (!dgm_model_classifies(model) || (!at && !(format && strcmp(format, "dgm-model") == 0)))
        return DGM_OK;
    dgm_status status = dgmi_nn_model_number_classes(ctx, model);
    for (int64_t j = 0; status == DGM_OK && j < width; j++) {
        size_t length = at ? strcspn(at, ",") : 0;
        before = number;
        number = j;
        if (at && (!dgmi_parse_integer(at, length, &number) || number <= before ||
                   number > INT32_MAX || (at[length] == ',') != (j < width - 1)))
            return dgmi_fail_at(ctx, DGM_ERROR_DATA, from->path, 0, -1,
                                "class_numbers are not %lld ascending numbers from 0, one for each "
                                "output",
                                (long long)width);
        model->class_numbers[j] = (int32_t)number;
        at = at && at[length] ? at + length + 1 : at;
    }
    return status;
}

static dgm_status build(dgm_context *ctx, const model_file *from, dgm_model **out) {
    dgmi_bytes_safetensors *file = from->file;
    const char *kind = dgmi_bytes_safetensors_metadata(file, "model");
    const char *normalise = dgmi_bytes_safetensors_metadata(file, "normalise");
    const char *task = dgmi_bytes_safetensors_metadata(file, "task");
    bool dgi = find_name(model_names, 2, kind, DGM_MODEL_GCN) == DGM_MODEL_DGI;
    int activation =
        find_name(activation_names, 4, dgmi_bytes_safetensors_metadata(file, "activation"),
                  DGMI_NN_ACTIVATION_RELU);
    int ending = DGMI_NN_ACTIVATION_NONE; /* of DGI before files said so, as of its other layers */
    if (dgi)
        ending = find_name(activation_names, 4, dgmi_bytes_safetensors_metadata(file, "last"),
                           activation);
    dgm_status status = dgmi_nn_model_create(ctx, dgi ? DGM_MODEL_DGI : DGM_MODEL_GCN, out);
    if (status != DGM_OK)
        return status;
    dgm_model *model = *out;
    model->features = find_name(feature_names, 4, dgmi_bytes_safetensors_metadata(file, "features"),
                                DGM_FEATURES_AUTO);
    model->normalise = find_name(scaling_names, 3, normalise, DGMI_NN_SCALE_NONE);
    model->regression = !dgi && task && strcmp(task, "regression") == 0;
    model->scale = model->regression ? read_number(file, "scale", 1) : 1;
    model->shift = model->regression ? read_number(file, "shift", 0) : 0;
    status =
        read_layers(ctx, from, (dgmi_nn_activation)activation, (dgmi_nn_activation)ending, model);
    if (status == DGM_OK)
        status = read_class_numbers(ctx, from, model);
    if (status == DGM_OK)
        status = check_leftovers(ctx, from, model);
    if (status == DGM_OK)
        status = read_weights(ctx, from, model);
    if (status == DGM_OK && !normalise)
        dgmi_note(ctx,
                  "%s does not say whether features are normalised: they are used as the "
                  "graph has them",
                  from->path);
    return status;
}

dgm_status dgm_model_read(dgm_context *ctx, const char *path, dgm_model **out) {
    model_file from = {.path = path, .prefix = "conv", .first = 1};
    *out = NULL;
    dgm_status status = dgmi_bytes_safetensors_open(ctx, path, &from.file);
    if (status != DGM_OK)
        return status;
    const char *format = dgmi_bytes_safetensors_metadata(from.file, "format");
    if (dgmi_bytes_safetensors_find(from.file, "convs.0.lin.weight"))
        from = (model_file){from.file, path, "convs.", 0};
    if (format && strcmp(format, "dgm-checkpoint") == 0)
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "a checkpoint of a training run, not a trained network; finish it "
                              "with dgm train and -o");
    else if (format && strcmp(format, "dgm-classifier") == 0)
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "a classifier of whole graphs, not a network that looks at nodes; "
                              "dgm pool takes it");
    else
        status = build(ctx, &from, out);
    if (status != DGM_OK) {
        dgm_model_free(*out);
        *out = NULL;
    }
    dgmi_bytes_safetensors_free(from.file);
    return status;
}
