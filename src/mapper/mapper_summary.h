/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a summary, which owns everything in it. mapper_write.c makes one from the stages of
 * Mapper, and the room archive from a file. */
#ifndef MAPPER_SUMMARY_H
#define MAPPER_SUMMARY_H

#include "dgm/mapper.h"

struct dgm_summary {
    dgm_allocator allocator;
    dgm_mapper_options options;
    dgm_interval *given;
    int64_t nodes;       /* the number of nodes of the graph */
    int64_t graph_edges; /* the number of its edges, with self-loops */
    char *source;        /* what the graph was called; never NULL */

    /* The clusters, as in dgm_summary_clusters. */
    int64_t clusters, axes, dimension;
    int32_t *cells;       /* `axes` coordinates for each cluster */
    int64_t *offsets;     /* clusters + 1 positions in `members` */
    uint32_t *members;    /* nodes; NULL: only their names are known, or nothing */
    char *name_text;      /* if `members` is NULL, the names one after another; or NULL */
    int64_t *name_starts; /* offsets[clusters] + 1 positions in `name_text` */
    double *lens;         /* `dimension` means for each cluster */
    double *weights;      /* for each member; NULL: there are none */
    int64_t
        *taken; /* the positions in `members` of nodes that were taken across an edge, ascending;
                       NULL: there are none, or they are not known */
    int64_t taken_count;
    uint32_t *peaks; /* as in dgm_summary_get_peaks; NULL: not known */

    dgm_summary_edge *edges;
    int64_t edge_count;

    dgm_summary_coverage coverage;
    dgm_summary_topology topology;
    dgm_bits bits;

    /* The columns of the lens. */
    double *low, *high; /* the smallest and the largest value */
    char **axis_names;
    char **transforms;
    double *errors; /* standard errors; NaN: the column is exact */

    /* The provenance, as in dgm_provenance. */
    char *lens_name, *command;      /* never NULL */
    char *kernels, *blas, *version; /* or NULL */
    int64_t seed;

    /* A summary that a pooling has made: how, in words, and all about it as a JSON object. NULL:
     * Mapper made it. */
    char *pooled, *pooling;
};

/* Makes an empty summary, which the caller fills. All texts that must be there are "". */
dgm_status dgmi_mapper_summary_create(dgm_context *ctx, dgm_summary **out);
/* Makes room for what is known about each column of the lens: the ranges are unknown, there are no
 * names, and no errors. */
dgm_status dgmi_mapper_summary_open_axes(dgm_context *ctx, dgm_summary *summary, int64_t dimension);
/* Replaces a text of the summary by a copy of `with`; NULL stays NULL. */
dgm_status dgmi_mapper_summary_set_text(dgm_context *ctx, const dgm_summary *summary, char **text,
                                        const char *with);
/* Sends a note if the cells of a cover that found them itself overlap, and none of them has a node
 * in common with another. */
void dgmi_mapper_summary_note_apart(dgm_context *ctx, const dgm_summary *summary);
/* Records that a pooling has made the summary. Both texts are copied. */
dgm_status dgmi_mapper_summary_set_pooling(dgm_context *ctx, dgm_summary *summary,
                                           const char *pooled, const char *pooling);
/* The first returns DGM_ERROR_USAGE if the summary is of a graph with another number of nodes or
 * does not know its members by number. The second looks at the members alone. */
dgm_status dgmi_mapper_summary_check_graph(dgm_context *ctx, const dgm_summary *summary,
                                           const dgm_graph *graph);
dgm_status dgmi_mapper_summary_check_members(dgm_context *ctx, const dgm_summary *summary);

#endif
