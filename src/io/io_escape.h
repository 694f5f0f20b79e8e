/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, and text written so that a format reads it back. */
#ifndef IO_ESCAPE_H
#define IO_ESCAPE_H

#include "base_text.h"

/* The first character of text[0 .. length), length > 0, and how many bytes it takes; -1 if they are
 * not UTF-8 (then *size bytes are to be skipped). */
int32_t dgmi_utf8_next(const char *text, size_t length, size_t *size);
void dgmi_utf8_append(dgmi_text *out, uint32_t code);
/* Where text stops being UTF-8; `length` if it never does. */
size_t dgmi_utf8_check(const char *text, size_t length);

/* Append `text` as it stands between quotes (or in an XML element). What the format cannot hold
 * becomes U+FFFD; the number of such characters is returned. */
typedef int64_t (*dgmi_escape)(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_xml(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_json(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_gml(dgmi_text *out, const char *text, size_t length);

#endif
