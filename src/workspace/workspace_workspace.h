/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a workspace: what was set, and what was made from it. */
#ifndef WORKSPACE_WORKSPACE_H
#define WORKSPACE_WORKSPACE_H

#include "dgm/workspace.h"

enum { DGMI_WORKSPACE_TEXTS = 5 }; /* texts among the options of a figure, or in a provenance */

struct dgm_workspace {
    dgm_allocator allocator;

    /* What the caller keeps. */
    const dgm_graph *graph; /* or NULL */
    const dgm_matrix *axes; /* or NULL */
    const dgm_predictions *predictions;
    const dgm_summary *given_summary; /* in place of axes, or NULL */
    const dgm_profile *given_profile;
    const dgm_places *given_places;

    /* Copies of what was set. */
    int transforms[DGM_MAX_AXES]; /* the first transform_count of them; the last goes on */
    int transform_count;
    dgm_mapper_options mapper_options; /* `given` is `intervals` */
    dgm_interval *intervals;
    dgm_layout_options layout_options;
    dgm_figure_options figure_options;
    char *texts[DGMI_WORKSPACE_TEXTS]; /* that the figure's options point to */
    dgm_provenance provenance;
    char *origin[DGMI_WORKSPACE_TEXTS]; /* that the provenance points to */

    /* What was made; NULL: not yet, or out of date. */
    dgm_matrix *transformed; /* a copy of the axes; NULL as well if there is no transform */
    dgm_mapper *mapper;
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_view *view;
};

/* These let go of what is out of date once something before it has changed: a layout, what is known
 * of the members, the summary, all that was made from the axes. */
void dgmi_workspace_drop_view(dgm_workspace *workspace);
void dgmi_workspace_drop_profile(dgm_workspace *workspace);
void dgmi_workspace_drop_summary(dgm_workspace *workspace);
void dgmi_workspace_drop_mapper(dgm_workspace *workspace);

/* As the public calls, for options that were checked before. */
dgm_status dgmi_workspace_take_mapper(dgm_context *ctx, dgm_workspace *workspace,
                                      const dgm_mapper_options *options);
dgm_status dgmi_workspace_take_figure(dgm_context *ctx, dgm_workspace *workspace,
                                      const dgm_figure_options *options);
/* Writes into the ledger of a summary that is there how much dust it has by the options. */
dgm_status dgmi_workspace_count_dust(dgm_context *ctx, dgm_workspace *workspace);
/* Measures the bits of a summary that is there. */
dgm_status dgmi_workspace_count_bits(dgm_context *ctx, dgm_workspace *workspace);
/* Writes into the bits of a summary that is there what is said of chance in `chance`. */
void dgmi_workspace_set_chance(dgm_workspace *workspace, const dgm_bits *chance);
/* Frees the copies. */
void dgmi_workspace_free_options(dgm_workspace *workspace);

#endif
