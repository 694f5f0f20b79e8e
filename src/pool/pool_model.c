/* SPDX-License-Identifier: Apache-2.0 */
/* Trained networks: made by a training, and shown other graphs. */
#include "pool_model.h"

#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "kernels_kernels.h"
#include "pool_train.h"
#include "table_matrix.h"

/* ---- making ---- */

/* What AUTO means for the nodes of this set. */
static int settle_features(const dgmi_pool_origin *origin) {
    if (origin->features != DGM_POOL_FEATURES_AUTO)
        return origin->features;
    return dgm_graph_labels(dgm_graph_set_union(origin->set)) ? DGM_POOL_FEATURES_LABELS
                                                              : DGM_POOL_FEATURES_DEGREE;
}

static dgm_status number_labels(dgm_context *ctx, const dgm_graph *united, dgm_classifier *model) {
    if (model->features != DGM_POOL_FEATURES_LABELS && model->features != DGM_POOL_FEATURES_ALL)
        return DGM_OK;
    model->label_count = dgm_graph_classes(united);
    model->label_numbers = dgmi_alloc(ctx, model->label_count, sizeof *model->label_numbers);
    for (int32_t c = 0; model->label_numbers && c < model->label_count; c++)
        model->label_numbers[c] = dgm_graph_class_number(united, c);
    return model->label_numbers ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status number_classes(dgm_context *ctx, const dgm_graph_set *set, int64_t classes,
                                 dgm_classifier *model) {
    model->class_numbers = dgmi_alloc(ctx, classes, sizeof *model->class_numbers);
    for (int32_t c = 0; model->class_numbers && c < classes; c++)
        model->class_numbers[c] = dgm_graph_set_class_number(set, c);
    return model->class_numbers ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_pool_model_make(dgm_context *ctx, const dgmi_pool_origin *origin,
                                const dgmi_pool_network *network, dgm_classifier **out) {
    dgm_classifier *model = dgmi_alloc_zero(ctx, 1, sizeof *model);
    *out = NULL;
    if (!model)
        return DGM_ERROR_MEMORY;
    model->allocator = ctx->allocator;
    model->features = settle_features(origin);
    model->clamp = origin->clamp;
    model->seed = network->design.seed;
    snprintf(model->set, sizeof model->set, "%s", origin->name);
    snprintf(model->pool, sizeof model->pool, "%s", origin->pool);
    dgm_status status = dgmi_pool_parse(ctx, model->pool, &model->request);
    if (status == DGM_OK)
        status = number_labels(ctx, dgm_graph_set_union(origin->set), model);
    if (status == DGM_OK)
        status = number_classes(ctx, origin->set, network->design.classes, model);
    if (status != DGM_OK) {
        dgm_classifier_free(model);
        return status;
    }
    model->network = *network;
    model->network.design.request = &model->request;
    *out = model;
    return DGM_OK;
}

void dgm_classifier_free(dgm_classifier *model) {
    if (!model)
        return;
    dgm_allocator allocator = model->allocator;
    dgmi_pool_network_free(&model->network);
    dgmi_allocator_free(&allocator, model->label_numbers);
    dgmi_allocator_free(&allocator, model->class_numbers);
    dgmi_allocator_free(&allocator, model);
}

/* ---- asking ---- */

const char *dgm_classifier_pool(const dgm_classifier *model) {
    return model->pool;
}

int64_t dgm_classifier_steps(const dgm_classifier *model) {
    return model->network.design.steps;
}

const char *dgm_classifier_set(const dgm_classifier *model) {
    return model->set;
}

int32_t dgm_classifier_classes(const dgm_classifier *model) {
    return (int32_t)model->network.design.classes;
}

int32_t dgm_classifier_class_number(const dgm_classifier *model, int32_t class_index) {
    return model->class_numbers[class_index];
}

/* ---- running ---- */

dgm_status dgmi_pool_model_bank(dgm_context *ctx, const dgm_classifier *model,
                                const dgm_graph_set *set, int64_t first, dgmi_pool_bank *bank) {
    const dgmi_pool_design *design = &model->network.design;
    const dgmi_pool_plan plan = {.set = set,
                                 .request = &model->request,
                                 .net = design->net,
                                 .features = model->features,
                                 .clamp = model->clamp,
                                 .steps = design->steps,
                                 .seed = model->seed,
                                 .first = first,
                                 .label_numbers = model->label_numbers,
                                 .label_count = model->label_count};
    dgm_status status = dgmi_pool_bank_make(ctx, &plan, bank);
    if (status == DGM_OK && bank->width != design->features) {
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "the network takes %lld features of a node, and these nodes have %lld",
                           (long long)design->features, (long long)bank->width);
        dgmi_pool_bank_free(bank);
    }
    return status;
}

dgm_status dgmi_pool_model_table(dgm_context *ctx, const dgm_classifier *model, int64_t rows,
                                 const float *scores, dgm_matrix **out) {
    int32_t classes = dgm_classifier_classes(model);
    dgm_status status = dgm_matrix_create(ctx, rows, classes, out);
    for (int64_t i = 0; status == DGM_OK && i < rows * classes; i++)
        dgm_matrix_values_mutable(*out)[i] = (double)scores[i];
    for (int32_t c = 0; status == DGM_OK && c < classes; c++) {
        char name[16];
        snprintf(name, sizeof name, "%d", (int)model->class_numbers[c]);
        dgmi_table_matrix_set_column_class(*out, c, model->class_numbers[c]);
        status = dgm_matrix_set_column_name(ctx, *out, c, name);
    }
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_classifier_run(dgm_context *ctx, const dgm_classifier *model,
                              const dgm_graph_set *set, dgm_matrix **out) {
    int64_t graphs = dgm_graph_set_count(set);
    dgmi_pool_bank bank;
    *out = NULL;
    dgm_status status = dgmi_pool_model_bank(ctx, model, set, 0, &bank);
    if (status != DGM_OK)
        return status;
    int64_t *list = dgmi_alloc(ctx, graphs, sizeof *list);
    float *scores = dgmi_alloc(ctx, graphs * dgm_classifier_classes(model), sizeof *scores);
    status = list && scores ? dgmi_kernels_blas_open(ctx) : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < graphs; i++)
        list[i] = i;
    if (status == DGM_OK)
        status = dgmi_pool_answer(ctx, &bank, &model->network, list, graphs, scores);
    if (status == DGM_OK)
        status = dgmi_pool_model_table(ctx, model, graphs, scores, out);
    dgmi_free(ctx, list);
    dgmi_free(ctx, scores);
    dgmi_pool_bank_free(&bank);
    return status;
}
