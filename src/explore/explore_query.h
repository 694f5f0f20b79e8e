/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a question: "intervals=12&colour=labels", as forms write them. */
#ifndef EXPLORE_QUERY_H
#define EXPLORE_QUERY_H

#include "dgm/context.h"

#include <stdint.h>

enum { DGMI_EXPLORE_MOST_SETTINGS = 128 };

typedef struct dgmi_explore_query {
    int count;
    const char *names[DGMI_EXPLORE_MOST_SETTINGS];
    const char *values[DGMI_EXPLORE_MOST_SETTINGS];
} dgmi_explore_query;

/* Takes the text apart; names and values are scratch memory. DGM_ERROR_USAGE if it is malformed. */
dgm_status dgmi_explore_query_parse(dgm_context *ctx, const char *text, dgmi_explore_query *out);
/* Returns the value of a setting, or NULL if it is not given. */
const char *dgmi_explore_query_find(const dgmi_explore_query *query, const char *name);
/* Reads a whole number from `low` to `high`. If the setting is not given, *out becomes `missing`, or,
 * if that is out of these bounds, it is an error. */
dgm_status dgmi_explore_query_integer(dgm_context *ctx, const dgmi_explore_query *query,
                                      const char *name, int64_t low, int64_t high, int64_t missing,
                                      int64_t *out);

#endif
