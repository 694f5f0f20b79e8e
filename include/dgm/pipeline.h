/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: from a graph through a lens, a reduction and Mapper to files. The program runs it
 * for `dgm map`; a caller of the library may begin with what he has and keep what he wants. */
#ifndef DGM_PIPELINE_H
#define DGM_PIPELINE_H

#include "dgm/draw.h"
#include "dgm/export.h"
#include "dgm/io.h"
#include "dgm/lens.h"
#include "dgm/mapper.h"
#include "dgm/reduce.h"
#include "dgm/transform.h"
#include "dgm/workspace.h"

#include <string.h>

/* A graph by what people call it: a file, a folder, "-", or a built-in name (spam, karate, papers).
 * A file or folder of that name wins. `tables` may be NULL; a built-in graph takes labels only.
 * `seed` makes built-in graphs. */
DGM_API dgm_status dgm_graph_open(dgm_context *ctx, const char *name, dgm_format format,
                                  const dgm_graph_options *options, const dgm_graph_tables *tables,
                                  int64_t seed, dgm_graph **out);

/* The names of built-in graphs, NULL-terminated. Each is a generator with its defaults. */
DGM_API const char *const *dgm_built_in_graphs(void);

#define DGM_MAX_LENSES  16
#define DGM_MAX_OUTPUTS 64

/* The option structs of stages lie inside a job. Each has this many bytes, of which it uses the
 * first: when a later version gives it more fields, nothing behind it moves, and a caller who was
 * compiled before still fits. New fields of the job itself come last. */
#define DGM_JOB_ROOM 1024

typedef struct dgm_job {
    size_t size;             /* the size of this struct, filled in by dgm_job_init */
    const char *graph;       /* the name of the graph, as dgm_graph_open takes it */
    int format;              /* a dgm_format: how the graph's file is read */
    const char *nodes_table; /* the file of dgm_graph_tables.nodes, or NULL */
    const char *labels;      /* the file of dgm_graph_tables.labels, or NULL */
    union {
        dgm_graph_options graph_options;
        char graph_room[DGM_JOB_ROOM];
    };
    /* Specifications of lenses. Their axes stand side by side. Without any lens, by name or from a
     * file, it is "pagerank". */
    const char *lenses[DGM_MAX_LENSES];
    int lens_count;        /* the number of lenses by name */
    const char *lens_file; /* a file whose columns come after these axes, or NULL */
    const char *model;     /* the file of a trained network, which gcn and dgi use; NULL: they train
                              one on the graph */
    /* A dgm_transform for each axis; the last one given is used for the rest. */
    int transforms[DGM_MAX_AXES];
    int transform_count; /* the number of transforms given; 0: the axes stay as they are */
    const char *reduce;  /* what becomes of the lens's columns: "pca", "none", ...; NULL: up to 3
                           columns are left alone, more are reduced by t-SNE, and two scores of
                           classes become a probability */
    int64_t dim;         /* the number of axes after the reduction; 0: the reduction's own number,
                           which is mostly 2 */
    const char *cover;   /* a text for dgm_cover_parse; NULL: the cover is the one in `mapper` */
    union {
        dgm_mapper_options mapper;
        char mapper_room[DGM_JOB_ROOM];
    };
    union {
        dgm_layout_options layout; /* where clusters stand, in figures, and in data if the layout
                                      costs no more than the summary did */
        char layout_room[DGM_JOB_ROOM];
    };
    union {
        dgm_figure_options figure;
        char figure_room[DGM_JOB_ROOM];
    };
    const char *outputs[DGM_MAX_OUTPUTS]; /* paths of files to write; "-" is standard output */
    int output_count;                     /* the number of outputs */
    const char *command;                  /* the command for provenance; NULL: "" */
    int64_t seed;                         /* the seed of all stages; by default 1 */
    const char *predictions; /* a file for dgm_predictions_read, whose predictions stand in place of
                                those that a lens gives; NULL: none */
} dgm_job;

static inline void dgm_job_init(dgm_job *job) {
    memset(job, 0, sizeof *job);
    job->size = sizeof *job;
    dgm_graph_options_init(&job->graph_options);
    dgm_mapper_options_init(&job->mapper);
    dgm_layout_options_init(&job->layout);
    dgm_figure_options_init(&job->figure);
    job->seed = 1;
}

/* ---- the options of a job, by name ---- */

/* Tables of what is not an option of one stage alone. Their offsets count from the job. */
DGM_API const dgm_option_table *dgm_job_lens_option_table(void); /* lens, transform, ..., dim */
DGM_API const dgm_option_table *dgm_job_cover_option_table(void);
DGM_API const dgm_option_table *dgm_job_reading_option_table(void); /* format, nodes-table, ... */
DGM_API const dgm_option_table *dgm_job_output_option_table(void);
DGM_API const dgm_option_table *dgm_job_seed_option_table(void);

/* A table, and where in the job the struct lies that its offsets count from. */
typedef struct dgm_job_stage {
    const dgm_option_table *table;
    size_t offset;
} dgm_job_stage;
/* Everything that can be set by name, in the order of help, from 0: `table` is NULL after the last.
 * These tables are all that a program, a page or Python needs to offer the options of a job. */
DGM_API dgm_job_stage dgm_job_stage_at(size_t index);

/* Sets the option of that name, "intervals" or "colour", from its text, which is borrowed until the
 * job has run. "lens", "transform" and "output" add to what is there. A flag takes NULL, "true" or
 * "false". DGM_ERROR_USAGE if there is no such option, or if it does not take the value. */
DGM_API dgm_status dgm_job_set(dgm_context *ctx, dgm_job *job, const char *name, const char *value);

/* Whether the job can be run, as far as that can be said before the first file is read. */
DGM_API dgm_status dgm_job_check(dgm_context *ctx, const dgm_job *job);

/* ---- running it ---- */

/* What the caller has already. All of it is borrowed while the job runs, and each may be NULL. */
typedef struct dgm_job_input {
    size_t size;                        /* of the struct, filled in by its initialiser */
    const dgm_graph *graph;             /* in place of the job's graph by name */
    const dgm_matrix *lens;             /* columns behind those of the lenses by name and of the
                                           file; one row per node */
    const char *lens_name;              /* what the outputs call these columns; NULL: "lens" */
    const dgm_predictions *predictions; /* in place of those that a lens gives */
    const dgm_summary *summary;         /* in place of lens and Mapper: the job only writes it */
    const dgm_lens_result *made;        /* what dgm_job_lens made of the same job: the lens is not
                                           computed again */
    const dgm_bits *chance;             /* what the same settings give in rewired graphs
                                           (dgm_study_chance), for the summary to carry; NULL: it is
                                           not known */
} dgm_job_input;
#define DGM_JOB_INPUT_INIT                                                                         \
    { sizeof(dgm_job_input), NULL, NULL, NULL, NULL, NULL, NULL, NULL }
static inline void dgm_job_input_init(dgm_job_input *input) {
    const dgm_job_input defaults = DGM_JOB_INPUT_INIT;
    *input = defaults;
}

/* Tells whether the lens of the job, reduced, is a partition: the number of each node's part. If the
 * job names no cover, its cells are then those of DGM_COVER_PARTS. */
DGM_API bool dgm_job_has_parts(const dgm_job *job);

/* Makes the lens of the job alone, reduced and transformed, for a graph that the caller has. Give it
 * back to the job as `made`, with other covers as often as you like. */
DGM_API dgm_status dgm_job_lens(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                                dgm_lens_result **out);
/* The same where the caller has more than the graph: columns of a lens, or predictions. */
DGM_API dgm_status dgm_job_lens_with(dgm_context *ctx, const dgm_job *job,
                                     const dgm_job_input *input, dgm_lens_result **out);

/* What a job gives back. NULL: it was not asked for, or it is the caller's own. */
typedef struct dgm_job_result {
    dgm_graph *graph;
    dgm_lens_result *lens; /* its axes are those that were mapped: reduced and transformed */
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_view *view;  /* with places; it borrows the summary and the profile */
    void *later[11]; /* room for what later versions give back: a caller who was compiled before
                        still fits; NULL */
} dgm_job_result;
/* Which of them, added up. */
typedef enum dgm_job_keep {
    DGM_KEEP_GRAPH = 1,
    DGM_KEEP_LENS = 2,
    DGM_KEEP_SUMMARY = 4,
    DGM_KEEP_PROFILE = 8,
    DGM_KEEP_VIEW = 16 | 4 | 8, /* and what it borrows */
} dgm_job_keep;
/* Frees all that is in it, and empties it. */
DGM_API void dgm_job_result_free(dgm_job_result *result);

/* Runs the job and writes its outputs. input NULL: the caller has nothing. `keep` says what goes
 * into *result; what it does not name is freed as soon as nothing needs it. On failure the result
 * is empty. result may be NULL if keep is 0. */
DGM_API dgm_status dgm_job_run(dgm_context *ctx, const dgm_job *job, const dgm_job_input *input,
                               unsigned keep, dgm_job_result *result);

/* ---- a sweep: one graph, one lens, many covers ---- */

#define DGM_SWEEP_MOST 100 /* panels */

/* Every number of intervals with every overlap, each on all axes. */
typedef struct dgm_sweep_grid {
    const int64_t *intervals;
    int64_t interval_count;
    const double *overlaps;
    int64_t overlap_count;
} dgm_sweep_grid;

/* Panels stand in rows of equal overlap, both numbers ascending. */
typedef struct dgm_sweep_panel {
    int64_t intervals;
    double overlap;
    const dgm_summary *summary;
} dgm_sweep_panel;

/* From a panel to the next coarser one of its row (fewer intervals) or column (more overlap). */
typedef struct dgm_sweep_step {
    int64_t from, to; /* panels */
    dgm_step map;
} dgm_sweep_step;

/* Refinements in a row. Births and deaths are places in `panels`. */
typedef struct dgm_sweep_tower {
    int64_t count;
    const int64_t *panels;
    bool loops_known; /* as in dgm_tower_run */
    int64_t bar_count;
    const dgm_bar *bars;
} dgm_sweep_tower;

/* Edges of the summaries between clusters of two classes; a cluster is of its most frequent one. */
typedef struct dgm_sweep_pair {
    int32_t low, high;
    const int64_t *edges; /* by panel */
    int64_t joined;       /* panels that have any */
} dgm_sweep_pair;

typedef struct dgm_sweep dgm_sweep;
/* Reads the graph and computes the lens once, maps every cover and writes the job's outputs: .json
 * (the object of dgm_sweep_json) and .svg .pdf .png, small multiples in one layout with the bars of
 * the longest towers and the pairs of classes. The job's own intervals and overlap do not count.
 * DGM_ERROR_USAGE if the grid is empty, has more than DGM_SWEEP_MOST panels or a number twice. */
DGM_API dgm_status dgm_sweep_run(dgm_context *ctx, const dgm_job *job, const dgm_sweep_grid *grid,
                                 dgm_sweep **out);
/* What can be said without the graph. */
DGM_API dgm_status dgm_sweep_check(dgm_context *ctx, const dgm_job *job,
                                   const dgm_sweep_grid *grid);
DGM_API void dgm_sweep_free(dgm_sweep *sweep); /* NULL is fine */
DGM_API const dgm_graph *dgm_sweep_graph(const dgm_sweep *sweep);
/* What a classifier among the lenses says of the nodes; NULL: there is none. */
DGM_API const dgm_predictions *dgm_sweep_predictions(const dgm_sweep *sweep);
DGM_API const dgm_sweep_panel *dgm_sweep_panels(const dgm_sweep *sweep, int64_t *count);
/* Steps of rows, then of columns. */
DGM_API const dgm_sweep_step *dgm_sweep_steps(const dgm_sweep *sweep, int64_t *count);
DGM_API const dgm_sweep_tower *dgm_sweep_towers(const dgm_sweep *sweep, int64_t *count);
/* The most lasting first; none where the graph has no labels. */
DGM_API const dgm_sweep_pair *dgm_sweep_pairs(const dgm_sweep *sweep, int64_t *count);
/* All of it as one JSON object, freed with dgm_export_text_free. */
DGM_API dgm_status dgm_sweep_json(dgm_context *ctx, const dgm_sweep *sweep, char **text,
                                  size_t *length);

#endif
