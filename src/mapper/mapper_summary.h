/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a summary; all of it owned. */
#ifndef MAPPER_SUMMARY_H
#define MAPPER_SUMMARY_H

#include "dgm/mapper.h"

struct dgm_summary {
    dgm_allocator allocator;
    dgm_mapper_options options;
    dgm_interval *given;
    int64_t nodes; /* of the graph */

    int64_t clusters, axes, dimension;
    int32_t *cells;    /* clusters * axes */
    int64_t *offsets;  /* clusters + 1 */
    uint32_t *members; /* offsets[clusters] */
    double *lens;      /* clusters * dimension */
    uint32_t *peaks;   /* clusters * DGM_SUMMARY_PEAKS, DGM_NO_PEAK behind the last; of one axis */

    dgm_summary_edge *edges;
    int64_t edge_count;

    dgm_summary_coverage coverage;
    dgm_summary_topology topology;

    double *low, *high; /* of the lens, by column */
    char **axis_names;  /* by column */
    char **transforms;  /* by column */
    double *errors;     /* by column; NaN: exact */
};

#endif
