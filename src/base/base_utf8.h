/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The first character of text[0 .. length), length > 0, and how many bytes it takes. -1 if they are
 * not UTF-8; *size is then the longest broken sequence, to be skipped as one (Unicode,
 * section 3.9).
 */
int32_t dgmi_utf8_next(const char *text, size_t length, size_t *size);

/* Where text stops being UTF-8; `length` if it never does. */
size_t dgmi_utf8_check(const char *text, size_t length);

/* Writes the character into bytes and returns how many it takes. */
size_t dgmi_utf8_encode(uint32_t code, char bytes[4]);

#endif
