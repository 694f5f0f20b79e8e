/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: graph -> lens -> reduce -> mapper -> files, as the program, the page and Python run
 * it. */
#ifndef DGM_PIPELINE_H
#define DGM_PIPELINE_H

#include "dgm/draw.h"
#include "dgm/export.h"
#include "dgm/io.h"
#include "dgm/lens.h"
#include "dgm/mapper.h"
#include "dgm/reduce.h"

/* A graph by what people call it: a file, a folder, "-", or a built-in name (spam, karate). A file
 * or folder of that name wins. `seed` makes built-in graphs. */
DGM_API dgm_status dgm_graph_open(dgm_context *ctx, const char *name, dgm_format format,
                                  const dgm_graph_options *options, const char *nodes_table,
                                  int64_t seed, dgm_graph **out);

#define DGM_MAX_LENSES 16

typedef struct dgm_job {
    const char *graph; /* name for dgm_graph_open */
    dgm_format format;
    const char *nodes_table; /* or NULL */
    dgm_graph_options graph_options;
    const char *lenses[DGM_MAX_LENSES]; /* specifications; axes stand side by side */
    int lens_count;                     /* 0 and no lens_file: "pagerank" */
    const char *lens_file;              /* or NULL; its axes come last */
    const char *model;                  /* a trained network for gcn and dgi, or NULL: train */
    int transforms[DGM_MAX_AXES];       /* dgm_transform by axis; the last goes on for the rest */
    int transform_count;                /* 0: none */
    const char *reduce; /* what becomes of the lens's columns: "pca", "none", ...; NULL: up to 3
                           columns are left alone, more are an error */
    int64_t dim;        /* axes after the reduction; 0: its own number, mostly 2 */
    dgm_mapper_options mapper;
    dgm_layout_options layout; /* of figures, and of JSON up to 20,000 clusters; the job's seed */
    dgm_figure_options figure;
    const char *const *outputs; /* paths; "-" is stdout */
    int output_count;
    const char *command; /* for provenance */
    int64_t seed;
} dgm_job;

DGM_API void dgm_job_init(dgm_job *job);

/* Runs the job and writes its outputs. `summary` and `graph` may be NULL if the caller does not
 * want them. */
DGM_API dgm_status dgm_job_run(dgm_context *ctx, const dgm_job *job, dgm_graph **graph,
                               dgm_summary **summary);

#endif
