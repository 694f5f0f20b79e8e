/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "dgm/option.h"

/* dgm_option_set where messages do not call it an option: `called` stands in its place, "the lens
 * 'pagerank': alpha". */
dgm_status dgmi_option_set_as(dgm_context *ctx, const char *called, const dgm_option *option,
                              const char *value, void *target);

#endif
