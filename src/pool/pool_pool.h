/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this room share: an operator as it was asked for, and the sizes that it has for
 * a set of graphs. */
#ifndef POOL_POOL_H
#define POOL_POOL_H

#include "base_spec.h"
#include "dgm/pool.h"

/* How many times a network may pool. */
enum { DGMI_POOL_MOST_STEPS = 8 };

/* What decides the nodes of a pooled graph, which tells how a method is run. */
typedef enum dgmi_pool_family {
    DGMI_POOL_FIXED,  /* the graph alone: all levels are made once, before the training */
    DGMI_POOL_SELECT, /* scores of nodes, of which the highest stay */
    DGMI_POOL_DENSE,  /* a learned matrix S, in which every node belongs to every cluster */
} dgmi_pool_family;

/* An operator that a specification asks for. Texts among the options point into `spec`. */
typedef struct dgmi_pool_request {
    dgm_pool_options options;
    dgmi_pool_family family;
    int64_t clusters[DGMI_POOL_MOST_STEPS]; /* those that were given, level by level */
    int given;                              /* how many were given; 0: the ratio decides */
    char lens[DGMI_SPEC_LONGEST];           /* the lens, its keys separated by commas */
    dgmi_spec spec;
} dgmi_pool_request;

/* Reads a specification such as "mpr:clusters=8-2,overlap=0.25". */
dgm_status dgmi_pool_parse(dgm_context *ctx, const char *specification, dgmi_pool_request *out);
/* Does the same from options that a caller has filled. */
dgm_status dgmi_pool_take(dgm_context *ctx, const dgm_pool_options *options,
                          dgmi_pool_request *out);
const char *dgmi_pool_name(const dgmi_pool_request *request);
bool dgmi_pool_learns_lens(const dgmi_pool_request *request);

/* The number of clusters of the given level, counted from 0, in graphs that have `nodes` nodes by
 * the base of the ratio. */
int64_t dgmi_pool_clusters(const dgmi_pool_request *request, int level, double nodes);
/* A share of nodes as a whole number that is at least as large, of which binary digits make no more:
 * 0.55 of 20 nodes are 11. */
int64_t dgmi_pool_round_up(double share);

#endif
