/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how much memory a large job takes before it starts, and refuses a job that cannot fit.
 * Otherwise it would fail in the middle, or the system would end the program. */
#ifndef BASE_NEED_H
#define BASE_NEED_H

#include <stdbool.h>

#include "dgm/context.h"

/* What a job will take beside what is held already, estimated in bytes. */
typedef struct dgmi_need {
    const char *what;   /* "the lens 'eigen'" */
    double least, most; /* in any case, and where everything is needed that may be */
    const char *advice; /* what to do instead, without a full stop */
} dgmi_need;

/* Bytes that can be had without harm to others: what the system says (MemAvailable), or the
 * context's `memory` where that is above 0; -1 if unknown. */
double dgmi_memory_available(const dgm_context *ctx);
/* MemAvailable in the text of Linux' /proc/meminfo, in bytes; -1 if it is not there. */
double dgmi_memory_parse(const char *meminfo);

/* Whether so many bytes could be had in one piece now. For libraries that end the process, or never
 * come back, where they cannot have them. */
bool dgmi_room_for(int64_t bytes);

/* DGM_ERROR_MEMORY if the least does not fit. */
dgm_status dgmi_need_check(dgm_context *ctx, const dgmi_need *need);
/* The same, and a note of the figure if it is a gibibyte or more. */
dgm_status dgmi_need_tell(dgm_context *ctx, const dgmi_need *need);

#endif
