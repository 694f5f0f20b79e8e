/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a summary; all of it owned. Made by mapper_mapper.c, or read from a file. */
#ifndef MAPPER_SUMMARY_H
#define MAPPER_SUMMARY_H

#include "dgm/mapper.h"

struct dgm_summary {
    dgm_allocator allocator;
    dgm_mapper_options options;
    dgm_interval *given;
    int64_t nodes;       /* of the graph */
    int64_t graph_edges; /* of the graph, with its self-loops */
    char *source;        /* what the graph was called; never NULL */

    int64_t clusters, axes, dimension;
    int32_t *cells;       /* clusters * axes */
    int64_t *offsets;     /* clusters + 1 */
    uint32_t *members;    /* offsets[clusters]; NULL: only their names are known, or nothing */
    char *name_text;      /* where members is NULL: the names, one behind the other; or NULL */
    int64_t *name_starts; /* offsets[clusters] + 1, into name_text */
    double *lens;         /* clusters * dimension */
    uint32_t *peaks;      /* clusters * DGM_SUMMARY_PEAKS, DGM_NO_PEAK behind the last; of one axis;
                             or NULL */

    dgm_summary_edge *edges;
    int64_t edge_count;

    dgm_summary_coverage coverage;
    dgm_summary_topology topology;

    double *low, *high; /* of the lens, by column */
    char **axis_names;  /* by column */
    char **transforms;  /* by column */
    double *errors;     /* by column; NaN: exact */

    char *lens_name, *command;      /* provenance; never NULL */
    char *kernels, *blas, *version; /* likewise; or NULL */
    int64_t seed;
};

/* An empty summary that the caller fills: all texts that must be there are "". */
dgm_status dgmi_mapper_summary_create(dgm_context *ctx, dgm_summary **out);
/* Room for what is known of each column of the lens: unknown ranges, no names yet, no errors. */
dgm_status dgmi_mapper_summary_open_axes(dgm_context *ctx, dgm_summary *summary, int64_t dimension);
/* Puts a copy in the place of an owned text; NULL stays NULL. */
dgm_status dgmi_mapper_summary_set_text(dgm_context *ctx, const dgm_summary *summary, char **text,
                                        const char *with);
/* DGM_ERROR_USAGE unless the summary is one of a graph of that many nodes and knows its members by
 * number. */
dgm_status dgmi_mapper_summary_check_graph(dgm_context *ctx, const dgm_summary *summary,
                                           const dgm_graph *graph);
dgm_status dgmi_mapper_summary_check_members(dgm_context *ctx, const dgm_summary *summary);

#endif
