/* SPDX-License-Identifier: Apache-2.0 */
/* Options of networks: values of presets are filled in, and texts are read. */
#ifndef NN_OPTIONS_H
#define NN_OPTIONS_H

#include "nn_data.h"

extern const dgm_option_table dgmi_nn_gcn_table, dgmi_nn_dgi_table;

/* These check options and fill in the values that were left to the preset. Where AUTO looks at the
 * graph first, `hidden` stays NULL, and rate and decay negative. */
dgm_status dgmi_nn_gcn_resolve(dgm_context *ctx, const dgm_gcn_options *options,
                               dgm_gcn_options *out);
dgm_status dgmi_nn_dgi_resolve(dgm_context *ctx, const dgm_dgi_options *options,
                               dgm_dgi_options *out);
/* Returns how features are scaled by a dgm_normalise; `automatic`: the preset is AUTO. */
dgmi_nn_scaling dgmi_nn_scaling_of(int normalise, bool automatic);
/* Reads two fractions, "0.8,0.1" or "0.8;0.1". NULL gives 0 and 0. */
dgm_status dgmi_nn_split_parse(dgm_context *ctx, const char *text, double *train,
                               double *validation);
/* Reads "100" (epochs) or "30s" (seconds). NULL gives 60 seconds. */
dgm_status dgmi_nn_checkpoint_every(dgm_context *ctx, const char *text, int64_t *epochs,
                                    double *seconds);
/* Copies the options over the defaults and checks that `every` can be read. They may be NULL. */
dgm_status dgmi_nn_checkpoint_resolve(dgm_context *ctx, const dgm_checkpoint_options *options,
                                      dgm_checkpoint_options *out);

#endif
