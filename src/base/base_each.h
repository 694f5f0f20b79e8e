/* SPDX-License-Identifier: Apache-2.0 */
/* Many independent pieces of work on all threads, each of which may call everything in the library:
 * it has a context of its own, with one thread. Which thread does a piece changes no result. Use
 * dgmi_parallel for loops over numbers, and this for trainings and the like. */
#ifndef BASE_EACH_H
#define BASE_EACH_H

#include <stdint.h>

#include "dgm/context.h"

typedef dgm_status (*dgmi_each_fn)(dgm_context *ctx, void *argument, int64_t index);

/* Calls work(a context, argument, i) for each i below `count`. If there is one thread or one piece,
 * the context is `ctx` itself. A piece reports its progress with dgmi_progress, and the parts add up
 * to the progress of `stage`, which never falls. Pieces send no notes: there may be thousands.
 *
 * After piece i has failed, no piece above i begins, and those that run are stopped at their next
 * report. All below i are still run, so that the error, that of the lowest piece that fails, is the
 * same for any number of threads. */
dgm_status dgmi_each(dgm_context *ctx, const char *stage, int64_t count, dgmi_each_fn work,
                     void *argument);

#endif
