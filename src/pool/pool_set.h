/* SPDX-License-Identifier: Apache-2.0 */
/* The graphs of a set, one by one. */
#ifndef POOL_SET_H
#define POOL_SET_H

#include "dgm/set.h"

/* Makes a graph of the nodes `begin` up to, and without, `end` of a union, with numbers of their own
 * and without names, labels and the like. No edge may lead out of them. */
dgm_status dgmi_pool_cut(dgm_context *ctx, const dgm_graph *united, int64_t begin, int64_t end,
                         dgm_graph **out);

/* Makes logit((mid-rank of PageRank + 1/2) / n) of each node of the union, where n and the rank are
 * those of its own graph: a learned lens starts there. The caller frees it with dgmi_free. */
dgm_status dgmi_pool_place(dgm_context *ctx, const dgm_graph_set *set, float **out);

#endif
