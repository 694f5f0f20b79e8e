/* SPDX-License-Identifier: Apache-2.0 */
/* Turns any bytes into valid text of XML, JSON, GML, DOT, CSV or Markdown. */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base_text.h"
#include "base_utf8.h"

void dgmi_utf8_append(dgmi_text *out, uint32_t code);

/* Append `text` as it stands between quotes (or in an XML element). Bytes that are not UTF-8, and
 * characters that the format cannot hold, become U+FFFD; their number is returned. */
typedef int64_t (*dgmi_escape)(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_xml(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_json(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_gml(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_dot(dgmi_text *out, const char *text, size_t length);
/* A whole CSV field, with its quotes where it needs them. */
int64_t dgmi_escape_csv(dgmi_text *out, const char *text, size_t length);

/* Text for people, on one line: blanks stand for line ends and tabs, and U+FFFD stands for other
 * control characters and for those that turn the direction of writing. In Markdown nothing of it is
 * markup, HTML, a link or a formula, also inside a table. */
int64_t dgmi_escape_plain(dgmi_text *out, const char *text, size_t length);
int64_t dgmi_escape_markdown(dgmi_text *out, const char *text, size_t length);

#endif
