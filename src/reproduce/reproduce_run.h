/* SPDX-License-Identifier: Apache-2.0 */
/* run.json: what differs from one run to the next, and from one machine to another. */
#ifndef REPRODUCE_RUN_H
#define REPRODUCE_RUN_H

#include "reproduce_report.h"

/* Writes run.json into the current folder: version, seed, machine, and the seconds that each part
 * took, in this run or in the earlier one that made it. */
dgm_status dgmi_reproduce_run_write(dgm_context *ctx, const dgm_reproduce_options *options,
                                    const dgmi_reproduce_chapter *chapters, int64_t count);

#endif
