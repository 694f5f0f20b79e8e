/* SPDX-License-Identifier: Apache-2.0 */
/* A network's answer as a lens: trained on the graph, or read from a file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "lens_lens.h"

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

static dgm_status finish(dgm_context *ctx, const dgm_graph *graph, dgm_status status,
                         dgm_model *model, dgm_matrix **out) {
    if (status == DGM_OK)
        status = dgm_model_run(ctx, model, graph, out);
    dgm_model_free(model);
    return status;
}

dgm_status dgm_lens_gcn(dgm_context *ctx, const dgm_graph *graph, const dgm_gcn_options *options,
                        dgm_matrix **out) {
    dgm_model *model = NULL;
    dgm_training_report report;
    *out = NULL;
    ctx->lens = "gcn"; /* advice is then on keys of the lens */
    dgm_status status = dgm_gcn_train(ctx, graph, options, NULL, &model, &report);
    ctx->lens = NULL;
    if (status == DGM_OK)
        note_quality(ctx, "gcn", &report, options && options->target);
    dgm_training_report_free(&report);
    return finish(ctx, graph, status, model, out);
}

dgm_status dgm_lens_dgi(dgm_context *ctx, const dgm_graph *graph, const dgm_dgi_options *options,
                        dgm_matrix **out) {
    dgm_model *model = NULL;
    dgm_training_report report;
    *out = NULL;
    ctx->lens = "dgi"; /* advice is then on keys of the lens */
    dgm_status status = dgm_dgi_train(ctx, graph, options, NULL, &model, &report);
    ctx->lens = NULL;
    if (status == DGM_OK)
        note_quality(ctx, "dgi", &report, false);
    dgm_training_report_free(&report);
    return finish(ctx, graph, status, model, out);
}

dgm_status dgm_lens_model(dgm_context *ctx, const dgm_graph *graph, const char *path,
                          dgm_model_kind kind, dgm_matrix **out) {
    static const char *const names[] = {"gcn", "dgi"};
    dgm_model *model = NULL;
    *out = NULL;
    dgm_status status = dgm_model_read(ctx, path, &model);
    if (status == DGM_OK && dgm_model_get_kind(model) != kind)
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "the network is a '%s', but the lens is '%s'",
                              names[dgm_model_get_kind(model)], names[kind]);
    return finish(ctx, graph, status, model, out);
}

/* ---- by name ---- */

/* The network of a lens "gcn:..." or "dgi:...". */
static bool find_network(const char *specification, dgm_model_kind *kind) {
    static const char *const names[] = {[DGM_MODEL_GCN] = "gcn", [DGM_MODEL_DGI] = "dgi"};
    size_t length = strcspn(specification, ":");
    for (int k = 0; k < 2; k++)
        if (strlen(names[k]) == length && strncmp(specification, names[k], length) == 0) {
            *kind = (dgm_model_kind)k;
            return true;
        }
    return false;
}

dgm_status dgm_lens_run_model(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                              const char *model, int64_t seed, dgm_matrix **out) {
    dgm_model_kind kind;
    if (model && find_network(specification, &kind)) {
        dgm_status status = dgm_lens_model(ctx, graph, model, kind, out);
        return dgmi_lens_check_finite(ctx, graph, status, out);
    }
    return dgm_lens_run(ctx, graph, specification, seed, out);
}

dgm_status dgm_lens_check_model(dgm_context *ctx, const char *const *specifications, int count,
                                const char *model) {
    dgm_model_kind kind;
    for (int i = 0; i < count; i++)
        if (find_network(specifications[i], &kind))
            return DGM_OK;
    return model ? dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "--model is for the lenses gcn and dgi: add --lens gcn or --lens dgi")
                 : DGM_OK;
}
