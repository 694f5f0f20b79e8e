/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the distances of every node, exact or from sampled sources: what density and the
 * distance lenses share.
 */
#ifndef LENS_GEODESIC_H
#define LENS_GEODESIC_H

#include "dgm/lens.h"

#include "graph_bfs.h"

typedef struct dgmi_lens_geodesic {
    /* What is asked. */
    const char *lens; /* its name, for words */
    double (*kernel)(const void *argument, double distance);
    const void *argument;
    bool absolute; /* the kernel has a scale of its own and takes distances in the graph's unit;
                      otherwise they are in units of 2^patches.exponent */
    int power;     /* of the unit of lengths that the lens has */
    double cutoff;
    int direction; /* dgm_direction, not the usual one */
    bool weighted;
    bool counts, ranges;           /* whether `reached` and `farthest` are asked for */
    int64_t budget, samples, seed; /* as in dgm_distance_options */

    /* What is found, by place, in scratch memory. */
    dgmi_graph_patches patches;
    bool directed;     /* distances depend on the direction */
    double *sums;      /* of kernel(d) over the sources other than the place itself */
    double *squares;   /* of kernel(d)^2; NULL if all is exact */
    int64_t *reached;  /* sources at a finite distance within the cutoff; NULL unless asked for */
    double *farthest;  /* NULL unless asked for */
    uint8_t *drawn;    /* whether the place is a source */
    int64_t draws;     /* sources of each component of more nodes; all of smaller ones */
    int64_t estimated; /* nodes in components that have more; 0: all is exact */
} dgmi_lens_geodesic;

/* Components of at most `samples` nodes are exact also beyond the budget. */
dgm_status dgmi_lens_geodesic_run(dgm_context *ctx, const dgm_graph *graph, dgmi_lens_geodesic *g);
/* Its two halves: places and memory, and the sweep over the sources. */
dgm_status dgmi_lens_geodesic_prepare(dgm_context *ctx, const dgm_graph *graph,
                                      dgmi_lens_geodesic *g);
dgm_status dgmi_lens_geodesic_sweep(dgm_context *ctx, dgmi_lens_geodesic *g);
/* Once more from other sources; adds to nothing: overwrites sums, reached and farthest. */
dgm_status dgmi_lens_geodesic_again(dgm_context *ctx, dgmi_lens_geodesic *g,
                                    const uint32_t *sources, int64_t count);

/* Nodes of the place's component but itself, and how many of them are sources. */
int64_t dgmi_lens_geodesic_others(const dgmi_lens_geodesic *g, int64_t place);
int64_t dgmi_lens_geodesic_draws(const dgmi_lens_geodesic *g, int64_t place);

/* Standard error of a total over the others that is estimated from draws with this sum and sum of
 * squares: others * sqrt((1 - draws / others) * variance / draws). */
double dgmi_lens_geodesic_error(const dgmi_lens_geodesic *g, int64_t place, double sum,
                                double squares);

/* Keeps the largest standard error with the lens, and says it. */
void dgmi_lens_geodesic_tell(dgm_context *ctx, const dgmi_lens_geodesic *g, double error,
                             dgm_matrix *lens);

/* Fails if samples is too small for a standard error. */
dgm_status dgmi_lens_geodesic_check(dgm_context *ctx, const char *lens, int64_t samples);

extern const char *const dgmi_lens_direction_names[];

/* The keys that these lenses have in common, for their tables. */
#define DGMI_LENS_GEODESIC_KEYS(type)                                                              \
    {.name = "weighted",                                                                           \
     .kind = DGM_OPTION_FLAG,                                                                      \
     .offset = offsetof(type, weighted),                                                           \
     .default_text = "false",                                                                      \
     .help = "weights, all above 0, are lengths of edges"},                                        \
        {.name = "budget",                                                                         \
         .kind = DGM_OPTION_INTEGER,                                                               \
         .offset = offsetof(type, budget),                                                         \
         .minimum = 0,                                                                             \
         .maximum = (double)DGM_MAX_NODES,                                                         \
         .default_text = "200000",                                                                 \
         .argument = "N",                                                                          \
         .help = "graphs of more nodes are sampled"},                                              \
        {.name = "samples",                                                                        \
         .kind = DGM_OPTION_INTEGER,                                                               \
         .offset = offsetof(type, samples),                                                        \
         .minimum = 0,                                                                             \
         .maximum = (double)DGM_MAX_NODES,                                                         \
         .default_text = "1024 beyond the budget",                                                 \
         .argument = "K",                                                                          \
         .help = "sources drawn in each component of more nodes, also below the budget"},          \
        {.name = "direction",                                                                      \
         .kind = DGM_OPTION_CHOICE,                                                                \
         .offset = offsetof(type, direction),                                                      \
         .choices = dgmi_lens_direction_names,                                                     \
         .default_text = "usual",                                                                  \
         .help = "of a directed graph: distances to the node, from it, or along edges taken as "   \
                 "undirected; usual is in for closeness and harmonic, out for the others"},        \
    {                                                                                              \
        .name = "seed", .kind = DGM_OPTION_INTEGER, .offset = offsetof(type, seed), .minimum = 0,  \
        .maximum = 9007199254740992.0, .default_text = "that of the run", .argument = "N",         \
        .help = "seed of the sample"                                                               \
    }

#endif
