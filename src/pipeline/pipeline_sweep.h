/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a sweep. */
#ifndef PIPELINE_SWEEP_H
#define PIPELINE_SWEEP_H

#include "dgm/pipeline.h"

/* A row or a column of the grid, from fine to coarse. */
typedef struct dgmi_pipeline_chain {
    int64_t *panels;
    int64_t count;
    dgm_tower *tower;
} dgmi_pipeline_chain;

struct dgm_sweep {
    dgm_allocator allocator;
    dgm_graph *graph;
    dgm_predictions *predictions; /* by a classifier among the lenses, or NULL */
    char *lens_name;
    char *command;
    int64_t seed;

    int64_t columns, rows; /* of the grid */
    dgm_sweep_panel *panels;
    dgm_summary **summaries; /* of the panels */
    dgm_profile **profiles;  /* likewise; made for figures alone, else NULL */
    dgm_view **views;        /* likewise; laid out */
    int64_t panel_count;

    dgmi_pipeline_chain *chains; /* rows, then columns */
    int64_t chain_count;
    dgm_sweep_step *steps;
    int64_t step_count;
    dgm_sweep_tower *towers;
    int64_t tower_count;
    dgm_bar *bars; /* of all towers */

    dgm_sweep_pair *pairs;
    int64_t pair_count;
    int64_t *pair_edges; /* pairs * panels */
};

/* The class's name, or its number in `buffer`. */
const char *dgmi_pipeline_sweep_class(const dgm_sweep *sweep, int32_t label, char buffer[32]);
/* Pairs of classes that edges join (pipeline_pairs.c). */
dgm_status dgmi_pipeline_sweep_pair(dgm_context *ctx, dgm_sweep *sweep);
/* Views of all panels, each laid out from where its nodes stood before; and the figure of them
 * (pipeline_multiples.c). */
dgm_status dgmi_pipeline_sweep_lay_out(dgm_context *ctx, const dgm_job *job, dgm_sweep *sweep);
dgm_status dgmi_pipeline_sweep_draw(dgm_context *ctx, const dgm_job *job, const dgm_sweep *sweep,
                                    dgm_figure **out);

#endif
