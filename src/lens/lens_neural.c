/* SPDX-License-Identifier: Apache-2.0 */
/* A network's answer as a lens: trained on the graph, or read from a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "lens_lens.h"
#include "lens_result.h"

/* "gcn: 200 epochs, accuracy 0.99 on training, 0.79 on validation, 0.81 on test nodes" */
static void note_quality(dgm_context *ctx, const char *name, const dgm_training_report *report,
                         bool regression) {
    const double shares[] = {report->train_accuracy, report->val_accuracy, report->test_accuracy};
    static const char *const parts[] = {"training", "validation", "test"};
    char text[160] = "";
    int used = 0;
    for (int i = 0; i < 3; i++)
        if (!isnan(shares[i]))
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%.3f on %s",
                             used ? ", " : "", shares[i], parts[i]);
    dgmi_note(ctx, "%s: %lld epochs, loss %.4f%s%s%s", name, (long long)report->epochs,
              report->loss,
              used == 0    ? ""
              : regression ? ", R^2 "
                           : ", accuracy ",
              text, used ? " nodes" : "");
}

/* Checks the answer of a network, and keeps what a classifier says of the nodes. `splits` are those
 * that it drew for its training; NULL: it was trained on the graph's own split, or comes from a
 * file, which does not say. */
static dgm_status judge(dgm_context *ctx, const dgm_graph *graph, const dgm_model *model,
                        bool predict, const uint8_t *splits, dgm_lens_result *result) {
    dgm_status status = dgmi_lens_check_finite(ctx, graph, result->axes);
    if (status != DGM_OK || !predict || !dgm_model_classifies(model) || dgm_model_width(model) < 2)
        return status;
    return dgm_predictions_from_logits(ctx, graph, result->axes, splits, &result->predictions);
}

dgm_status dgmi_lens_train_gcn(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_gcn_options *options, bool predict,
                               dgm_lens_result **out) {
    dgm_model *model = NULL;
    dgm_status status = dgmi_lens_result_create(ctx, out);
    if (status != DGM_OK)
        return status;
    dgm_lens_result *result = *out;
    ctx->lens = dgm_model_names()[DGM_MODEL_GCN]; /* advice is then on keys of the lens */
    status = dgm_gcn_train(ctx, graph, options, NULL, &model, &result->report, &result->axes);
    ctx->lens = NULL;
    result->trained = status == DGM_OK;
    if (status == DGM_OK)
        note_quality(ctx, dgm_model_names()[DGM_MODEL_GCN], &result->report,
                     options && options->target);
    bool own = options && (options->split || options->preset == DGM_GCN_AUTO); /* may hold out */
    if (status == DGM_OK)
        status = judge(ctx, graph, model, predict, own ? result->report.splits : NULL, result);
    dgm_model_free(model);
    return dgmi_lens_result_finish(status, out);
}

dgm_status dgm_lens_gcn(dgm_context *ctx, const dgm_graph *graph, const dgm_gcn_options *options,
                        dgm_lens_result **out) {
    return dgmi_lens_train_gcn(ctx, graph, options, true, out);
}

dgm_status dgm_lens_dgi(dgm_context *ctx, const dgm_graph *graph, const dgm_dgi_options *options,
                        dgm_lens_result **out) {
    dgm_model *model = NULL;
    dgm_status status = dgmi_lens_result_create(ctx, out);
    if (status != DGM_OK)
        return status;
    dgm_lens_result *result = *out;
    ctx->lens = dgm_model_names()[DGM_MODEL_DGI]; /* advice is then on keys of the lens */
    status = dgm_dgi_train(ctx, graph, options, NULL, &model, &result->report, &result->axes);
    ctx->lens = NULL;
    result->trained = status == DGM_OK;
    if (status == DGM_OK)
        note_quality(ctx, dgm_model_names()[DGM_MODEL_DGI], &result->report, false);
    if (status == DGM_OK)
        status = judge(ctx, graph, model, false, NULL, result);
    dgm_model_free(model);
    return dgmi_lens_result_finish(status, out);
}

dgm_status dgmi_lens_model(dgm_context *ctx, const dgm_graph *graph, const char *path,
                           dgm_model_kind kind, bool predict, dgm_lens_result **out) {
    const char *const *names = dgm_model_names();
    dgm_model *model = NULL;
    dgm_status status = dgmi_lens_result_create(ctx, out);
    if (status == DGM_OK)
        status = dgm_model_read(ctx, path, &model);
    if (status == DGM_OK && dgm_model_get_kind(model) != kind)
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "the network is a '%s', but the lens is '%s'",
                              names[dgm_model_get_kind(model)], names[kind]);
    if (status == DGM_OK)
        status = dgm_model_run(ctx, model, graph, &(*out)->axes);
    if (status == DGM_OK)
        status = judge(ctx, graph, model, predict, NULL, *out);
    dgm_model_free(model);
    return dgmi_lens_result_finish(status, out);
}

/* ---- by name ---- */

/* The network of a lens that is one. */
bool dgmi_lens_find_network(const char *specification, dgm_model_kind *kind) {
    const dgm_lens_kind *lens = dgm_lens_find(specification);
    if (!lens || !(lens->flags & DGM_LENS_NETWORK))
        return false;
    *kind = lens->model;
    return true;
}

dgm_status dgm_lens_check_model(dgm_context *ctx, const char *const *specifications, int count,
                                const char *model) {
    dgm_model_kind kind;
    for (int i = 0; i < count; i++)
        if (dgmi_lens_find_network(specifications[i], &kind))
            return DGM_OK;
    return model ? dgmi_fail(ctx, DGM_ERROR_USAGE,
                             DGMI_NAMED("model") " is for the lenses gcn and dgi: add " DGMI_NAMED(
                                 "lens=gcn") " or " DGMI_NAMED("lens=dgi"))
                 : DGM_OK;
}
