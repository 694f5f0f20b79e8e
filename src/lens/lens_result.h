/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a dgm_lens_result, and how networks are run as lenses. */
#ifndef LENS_RESULT_H
#define LENS_RESULT_H

#include "dgm/lens.h"

struct dgm_lens_result {
    dgm_allocator allocator;
    dgm_matrix *axes;             /* the columns of the lenses; NULL: they were taken */
    dgm_predictions *predictions; /* what a classifier says of the nodes, or NULL */
    dgm_training_report report;   /* how the training went, if there was one */
    bool trained;                 /* there was one */
    char *name;                   /* what files call the lens, "gcn+prob", once a job has named it;
                                     otherwise NULL */
    bool varies;                  /* the job's last digits depend on the processor */
};

dgm_status dgmi_lens_result_create(dgm_context *ctx, dgm_lens_result **out);
/* Takes over the axes, which are freed if there is no memory for the result. */
dgm_status dgmi_lens_result_of(dgm_context *ctx, dgm_matrix *axes, dgm_lens_result **out);
/* Returns `status`. If it is a failure, the result is freed and *out becomes NULL. */
dgm_status dgmi_lens_result_finish(dgm_status status, dgm_lens_result **out);
/* Puts other axes in the place of those that are there, which are freed. The result owns them. */
void dgmi_lens_result_set_axes(dgm_lens_result *result, dgm_matrix *axes);

/* Makes one result of several, with their axes side by side, and moves their other contents into
 * it. The caller frees the parts. If there is a single part, it becomes the result, and parts[0]
 * becomes NULL. */
dgm_status dgmi_lens_result_join(dgm_context *ctx, dgm_lens_result **parts, int count,
                                 dgm_lens_result **out);

/* The first does what dgm_lens_gcn does, with predictions only if they are asked for. The second
 * runs a network from a file, which must be of that kind. */
dgm_status dgmi_lens_train_gcn(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_gcn_options *options, bool predict, dgm_lens_result **out);
dgm_status dgmi_lens_model(dgm_context *ctx, const dgm_graph *graph, const char *path,
                           dgm_model_kind kind, bool predict, dgm_lens_result **out);
/* Tells whether the specification names a network, such as "gcn:..." or "dgi:...", and which kind
 * it is. */
bool dgmi_lens_find_network(const char *specification, dgm_model_kind *kind);

#endif
