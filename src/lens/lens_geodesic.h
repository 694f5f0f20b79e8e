/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the distances of every node, exact or from sources that were drawn. Density and the
 * distance lenses share this.
 */
#ifndef LENS_GEODESIC_H
#define LENS_GEODESIC_H

#include "dgm/lens.h"

#include "graph_bfs.h"

typedef struct dgmi_lens_geodesic {
    /* What is asked for. */
    const char *lens; /* the name of the lens, for messages */
    double (*kernel)(const void *argument, double distance); /* what a distance counts */
    const void *argument;                                    /* its first argument */
    /* The kernel has a scale of its own and takes distances in the unit of the graph; otherwise
     * they are in units of 2^patches.exponent. */
    bool absolute;
    int power;                     /* the lens is measured in this power of the unit of lengths */
    double cutoff;                 /* nodes that are farther away do not count */
    int direction;                 /* a dgm_direction other than USUAL */
    bool weighted;                 /* weights are lengths of edges */
    bool counts;                   /* `reached` is asked for */
    bool ranges;                   /* `farthest` is asked for */
    int64_t budget, samples, seed; /* the same as in dgm_distance_options */

    /* What is found. Arrays are in scratch memory and have one number per place. */
    dgmi_graph_patches patches; /* the places of nodes, component after component */
    bool directed;              /* distances depend on the direction */
    double *sums;      /* the sum of kernel(d) over the sources other than the place itself */
    double *squares;   /* the sum of kernel(d)^2 over them; NULL: all is exact */
    int64_t *reached;  /* how many sources are within the cutoff; NULL: not asked for */
    double *farthest;  /* the largest of their distances; NULL: not asked for */
    uint8_t *drawn;    /* whether the place is a source */
    int64_t draws;     /* the number of sources in each component that has more nodes; in a smaller
                          one, all nodes are sources */
    int64_t estimated; /* the number of nodes in components that have more; 0: all is exact */
} dgmi_lens_geodesic;

/* Computes the sums. Components of at most `samples` nodes are exact also in a graph beyond the
 * budget. */
dgm_status dgmi_lens_geodesic_run(dgm_context *ctx, const dgm_graph *graph, dgmi_lens_geodesic *g);
/* The two halves of it: the first finds places and memory, the second goes over the sources. */
dgm_status dgmi_lens_geodesic_prepare(dgm_context *ctx, const dgm_graph *graph,
                                      dgmi_lens_geodesic *g);
dgm_status dgmi_lens_geodesic_sweep(dgm_context *ctx, dgmi_lens_geodesic *g);
/* Goes over other sources, and overwrites sums, reached and farthest. */
dgm_status dgmi_lens_geodesic_again(dgm_context *ctx, dgmi_lens_geodesic *g,
                                    const uint32_t *sources, int64_t count);

/* The first returns how many other nodes the component of a place has, the second how many of those
 * are sources. */
int64_t dgmi_lens_geodesic_others(const dgmi_lens_geodesic *g, int64_t place);
int64_t dgmi_lens_geodesic_draws(const dgmi_lens_geodesic *g, int64_t place);

/* Returns the standard error of a total over the other nodes, estimated from draws that have this
 * sum and sum of squares: others * sqrt((1 - draws / others) * variance / draws). */
double dgmi_lens_geodesic_error(const dgmi_lens_geodesic *g, int64_t place, double sum,
                                double squares);

/* Keeps the largest standard error with the lens, and sends a note that tells it. */
void dgmi_lens_geodesic_tell(dgm_context *ctx, const dgmi_lens_geodesic *g, double error,
                             dgm_matrix *lens);

/* Fails if there are too few samples for a standard error. */
dgm_status dgmi_lens_geodesic_check(dgm_context *ctx, const char *lens, int64_t samples);

/* The names of dgm_direction, for option tables. */
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
