/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a dgm_lens_result, and how networks are run as lenses. */
#ifndef LENS_RESULT_H
#define LENS_RESULT_H

#include "dgm/lens.h"

struct dgm_lens_result {
    dgm_allocator allocator;
    dgm_matrix *axes;
    dgm_predictions *predictions; /* or NULL */
    dgm_training_report report;
    bool trained; /* there is a report */
};

dgm_status dgmi_lens_result_create(dgm_context *ctx, dgm_lens_result **out);
/* Takes over the axes, which are freed if there is no memory for the result. */
dgm_status dgmi_lens_result_of(dgm_context *ctx, dgm_matrix *axes, dgm_lens_result **out);
/* Returns the status; a result that is not whole is freed and *out is NULL then. */
dgm_status dgmi_lens_result_finish(dgm_status status, dgm_lens_result **out);
/* Puts other axes in the place of those that are there, and owns them. */
void dgmi_lens_result_set_axes(dgm_lens_result *result, dgm_matrix *axes);

/* The parts with their axes side by side; their other contents go over to the result. The caller
 * frees the parts, of which a single one becomes the result and is NULL then. */
dgm_status dgmi_lens_result_join(dgm_context *ctx, dgm_lens_result **parts, int count,
                                 dgm_lens_result **out);

/* The networks as dgm_lens_gcn and dgm_lens_dgi run them, with predictions only if they are asked
 * for; and one from a file, which must be of that kind. */
dgm_status dgmi_lens_train_gcn(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_gcn_options *options, bool predict, dgm_lens_result **out);
dgm_status dgmi_lens_model(dgm_context *ctx, const dgm_graph *graph, const char *path,
                           dgm_model_kind kind, bool predict, dgm_lens_result **out);
/* Whether the specification is that of a network, "gcn:..." or "dgi:...", and of which. */
bool dgmi_lens_find_network(const char *specification, dgm_model_kind *kind);

#endif
