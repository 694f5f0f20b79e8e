/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of points: each belongs to the nearest of some centres. */
#ifndef PARTS_CENTRES_H
#define PARTS_CENTRES_H

#include "dgm/context.h"

#include "table_tensor.h"

/* Finds `centres` centres (fewer, if there are fewer different points) and puts each point into the
 * part of its nearest one. parts[i] becomes the part of row i; parts are numbered from 0 by their
 * sizes, the largest first. */
dgm_status dgmi_parts_centres(dgm_context *ctx, const dgmi_table_tensor *points, int64_t centres,
                              int64_t seed, uint32_t *parts, int64_t *count);

#endif
