/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown whose lines end before column 120. */
#ifndef REPRODUCE_WRAP_H
#define REPRODUCE_WRAP_H

#include "base_text.h"

/* Appends Markdown to `out`, with its long lines broken at blanks. A paragraph goes on in the next
 * line, an entry of a list below its text, and a command behind a backslash. Rows of tables and
 * pictures stay as they are. */
void dgmi_reproduce_wrap(dgmi_text *out, const char *markdown);

#endif
