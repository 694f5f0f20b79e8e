/* SPDX-License-Identifier: Apache-2.0 */
/* What lenses give: their axes, and the predictions and the report of a network among them. */
#include "lens_result.h"

#include "base_context.h"
#include "base_memory.h"

void dgm_lens_result_free(dgm_lens_result *result) {
    if (!result)
        return;
    dgm_allocator allocator = result->allocator;
    dgm_matrix_free(result->axes);
    dgm_predictions_free(result->predictions);
    dgm_training_report_free(&result->report);
    dgmi_allocator_free(&allocator, result->name);
    dgmi_allocator_free(&allocator, result);
}

const dgm_matrix *dgm_lens_result_axes(const dgm_lens_result *result) {
    return result->axes;
}

const dgm_predictions *dgm_lens_result_predictions(const dgm_lens_result *result) {
    return result->predictions;
}

const dgm_training_report *dgm_lens_result_report(const dgm_lens_result *result) {
    return result->trained ? &result->report : NULL;
}

dgm_matrix *dgm_lens_result_take_axes(dgm_lens_result *result) {
    dgm_matrix *axes = result->axes;
    result->axes = NULL;
    return axes;
}

dgm_predictions *dgm_lens_result_take_predictions(dgm_lens_result *result) {
    dgm_predictions *predictions = result->predictions;
    result->predictions = NULL;
    return predictions;
}

void dgmi_lens_result_set_axes(dgm_lens_result *result, dgm_matrix *axes) {
    dgm_matrix_free(result->axes);
    result->axes = axes;
}

dgm_status dgmi_lens_result_create(dgm_context *ctx, dgm_lens_result **out) {
    *out = dgmi_alloc_zero(ctx, 1, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    (*out)->allocator = ctx->allocator;
    return DGM_OK;
}

dgm_status dgmi_lens_result_of(dgm_context *ctx, dgm_matrix *axes, dgm_lens_result **out) {
    dgm_status status = dgmi_lens_result_create(ctx, out);
    if (status == DGM_OK)
        (*out)->axes = axes;
    else
        dgm_matrix_free(axes);
    return status;
}

dgm_status dgmi_lens_result_finish(dgm_status status, dgm_lens_result **out) {
    if (status == DGM_OK)
        return DGM_OK;
    dgm_lens_result_free(*out);
    *out = NULL;
    return status;
}

/* ---- several side by side ---- */

/* What comes with the axes of a part goes over to the whole; a later part replaces an earlier one.
 */
static void take_extras(dgm_lens_result *part, dgm_lens_result *whole) {
    if (part->predictions) {
        dgm_predictions_free(whole->predictions);
        whole->predictions = dgm_lens_result_take_predictions(part);
    }
    if (part->trained) {
        dgm_training_report_free(&whole->report);
        whole->report = part->report;
        whole->trained = true;
        part->report = (dgm_training_report){0};
        part->trained = false;
    }
}

static dgm_status join(dgm_context *ctx, dgm_lens_result **parts, int count,
                       dgm_lens_result **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const dgm_matrix **axes = dgmi_scratch(ctx, count, sizeof *axes);
    dgm_status status = axes ? dgmi_lens_result_create(ctx, out) : DGM_ERROR_MEMORY;
    for (int i = 0; status == DGM_OK && i < count; i++) {
        axes[i] = parts[i]->axes;
        take_extras(parts[i], *out);
    }
    if (status == DGM_OK)
        status = dgm_matrix_join(ctx, axes, count, &(*out)->axes);
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_result_finish(status, out);
}

dgm_status dgmi_lens_result_join(dgm_context *ctx, dgm_lens_result **parts, int count,
                                 dgm_lens_result **out) {
    *out = NULL;
    if (count != 1)
        return join(ctx, parts, count, out);
    *out = parts[0];
    parts[0] = NULL;
    return DGM_OK;
}
