/* SPDX-License-Identifier: Apache-2.0 */
/* Where bytes go, piece by piece: a file, memory, a page. Who writes need not know which. */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include <stddef.h>

#include "dgm/status.h"

typedef struct dgmi_sink {
    /* Takes all of the bytes; what failed was recorded in the context. */
    dgm_status (*write)(void *user, const void *bytes, size_t length);
    void *user;
} dgmi_sink;

#endif
