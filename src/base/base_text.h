/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text, numbers in the C locale whatever the program's locale is. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

/* Text that grows. After a failed append it stays failed, so that a writer checks once, at the end.
 */
typedef struct dgmi_text {
    dgm_context *ctx;
    char *data; /* terminated once anything was appended */
    int64_t length, capacity;
    dgm_status status;
} dgmi_text;

void dgmi_text_init(dgmi_text *text, dgm_context *ctx);
void dgmi_text_free(dgmi_text *text);
void dgmi_text_append(dgmi_text *text, const char *data, size_t length);
void dgmi_text_string(dgmi_text *text, const char *string);
void dgmi_text_format(dgmi_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull(2)));
void dgmi_text_integer(dgmi_text *text, int64_t value);
void dgmi_text_real(dgmi_text *text, double value); /* shortest form that reads back exactly */

enum { DGMI_NUMBER_SPACE = 32 };
/* The shortest decimal form that reads back as exactly `value` ("nan", "inf", "-inf" where it
 * must); its length. */
int dgmi_format_real(double value, char buffer[DGMI_NUMBER_SPACE]);

/* Parse the whole of text[0 .. length): true if it is a number. Reals take what strtod takes in the
 * C locale, save hexadecimal; "nan" and "inf" are numbers here, so that callers can refuse them by
 * name. */
bool dgmi_parse_real(const char *text, size_t length, double *value);
/* Optional sign and digits; false if it is no whole number or does not fit. */
bool dgmi_parse_integer(const char *text, size_t length, int64_t *value);

#endif
