/* SPDX-License-Identifier: Apache-2.0 */
/* Presets filled in, texts taken apart. */
#ifndef NN_OPTIONS_H
#define NN_OPTIONS_H

#include "dgm/neural.h"

extern const dgm_option_table dgmi_nn_gcn_table, dgmi_nn_dgi_table;

/* Options with what was left to the preset filled in, checked. */
dgm_status dgmi_nn_gcn_resolve(dgm_context *ctx, const dgm_gcn_options *options,
                               dgm_gcn_options *out);
dgm_status dgmi_nn_dgi_resolve(dgm_context *ctx, const dgm_dgi_options *options,
                               dgm_dgi_options *out);
/* "0.8,0.1" (or ';'): the fractions; text NULL: 0 and 0. */
dgm_status dgmi_nn_split_parse(dgm_context *ctx, const char *text, double *train,
                               double *validation);
/* "100" epochs or "30s"; text NULL: 60 seconds. */
dgm_status dgmi_nn_checkpoint_every(dgm_context *ctx, const char *text, int64_t *epochs,
                                    double *seconds);
/* That `every` can be read; NULL is fine. */
dgm_status dgmi_nn_checkpoint_resolve(dgm_context *ctx, const dgm_checkpoint_options *options,
                                      dgm_checkpoint_options *out);

#endif
