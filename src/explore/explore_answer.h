/* SPDX-License-Identifier: Apache-2.0 */
/* An answer while it is written: a JSON object and arrays behind it (web/PROTOCOL.md). Writers check
 * nothing; a failure is kept and told at the end. */
#ifndef EXPLORE_ANSWER_H
#define EXPLORE_ANSWER_H

#include "dgm/explore.h"

#include "base_text.h"

enum { DGMI_EXPLORE_MOST_ARRAYS = 24 };

typedef struct dgmi_explore_array {
    const char *name, *type;
    int64_t offset, count;
} dgmi_explore_array;

typedef struct dgmi_explore_answer {
    dgm_context *ctx;
    dgmi_text json, data;
    bool comma; /* something stands before the next member */
    dgmi_explore_array arrays[DGMI_EXPLORE_MOST_ARRAYS];
    int array_count;
} dgmi_explore_answer;

void dgmi_explore_answer_init(dgmi_explore_answer *answer, dgm_context *ctx);
void dgmi_explore_answer_free(dgmi_explore_answer *answer);
/* Closes the object and gives its bytes to the caller. */
dgm_status dgmi_explore_answer_finish(dgmi_explore_answer *answer, dgm_answer *out);

/* These append a member of an object, or an item of a list if the key is NULL. A bracket is '{' or
 * '['. A number that is not finite is null, as is a text that is NULL. */
void dgmi_explore_open(dgmi_explore_answer *answer, const char *key, char bracket);
void dgmi_explore_close(dgmi_explore_answer *answer, char bracket);
void dgmi_explore_text(dgmi_explore_answer *answer, const char *key, const char *text);
void dgmi_explore_bytes(dgmi_explore_answer *answer, const char *key, const char *text,
                        size_t length);
void dgmi_explore_integer(dgmi_explore_answer *answer, const char *key, int64_t value);
void dgmi_explore_real(dgmi_explore_answer *answer, const char *key, double value);
void dgmi_explore_flag(dgmi_explore_answer *answer, const char *key, bool value);
/* Appends a value that is JSON already, or, without a key, several members or items. */
void dgmi_explore_raw(dgmi_explore_answer *answer, const char *key, const char *json);

/* These append an array. */
void dgmi_explore_floats(dgmi_explore_answer *answer, const char *name, const float *values,
                         int64_t count);
void dgmi_explore_numbers(dgmi_explore_answer *answer, const char *name, const uint32_t *values,
                          int64_t count);
void dgmi_explore_octets(dgmi_explore_answer *answer, const char *name, const uint8_t *values,
                         int64_t count);

#endif
