/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on Mapper: slow, literal, at most 64 nodes, sets are 64-bit masks.
 *
 * Written from the documents alone (cover rules, order of work, paper section 3 and appendix B) and
 * sharing no code with the library, so that an error must be made twice to go unseen. Intervals are
 * compared end by end in long double; a lens value that is neither on an end (to 1e-13 steps) nor
 * clearly off it (by 1e-9 steps) makes the whole case doubtful, and the caller draws another.
 */
#ifndef CHECK_MAPPER_H
#define CHECK_MAPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/dgm.h"

enum {
    CHECK_MAX_NODES = 64,
    CHECK_MAX_AXES = 32,
    CHECK_MAX_CLUSTERS = 400,    /* more: the case is called too large */
    CHECK_MAX_TRIANGLES = 20000, /* up to so many b1 is worked out, by dense elimination */
};

typedef struct check_problem {
    int nodes;
    int edge_count; /* each undirected edge or each arc once; loops may be among them */
    const uint32_t (*edges)[2];
    int columns;
    const double *lens; /* nodes * columns */
    const dgm_mapper_options *options;
} check_problem;

typedef struct check_cluster {
    int32_t cell[CHECK_MAX_AXES];
    uint64_t members;
} check_cluster;

typedef struct check_summary {
    bool doubtful;  /* a lens value too near to an end to say */
    bool too_large; /* more clusters than this checker likes; nothing else is set */
    int axes;       /* coordinates of a cell */
    int count;
    check_cluster clusters[CHECK_MAX_CLUSTERS];
    int edge_count;
    dgm_summary_edge *edges; /* by source, then target */
    dgm_summary_coverage coverage;
    dgm_summary_topology topology;
    bool has_b1; /* else topology.b1 is not set */
} check_summary;

/* Made with malloc; free with check_summary_free. Never NULL. */
check_summary *check_mapper(const check_problem *problem);
void check_summary_free(check_summary *summary);

/* Whether the library's summary is exactly that. On the first difference false, and `why` says what
 * differs. */
bool check_summary_equal(const check_problem *problem, const check_summary *expected,
                         const dgm_summary *actual, char why[200]);

#endif
