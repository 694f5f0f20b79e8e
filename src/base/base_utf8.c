/* SPDX-License-Identifier: Apache-2.0 */
#include "base_utf8.h"

#include <assert.h>

/* Table 3-7 of the Unicode standard: the second byte's range depends on the first. */
int32_t dgmi_utf8_next(const char *text, size_t length, size_t *size) {
    assert(length > 0);
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0];
    *size = 1;
    if (lead < 0x80)
        return lead;
    if (lead < 0xC2 || lead > 0xF4)
        return -1;
    size_t need = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    int32_t code = lead & (0x7F >> need);
    for (; *size < need; ++*size, low = 0x80, high = 0xBF) {
        if (*size == length || bytes[*size] < low || bytes[*size] > high)
            return -1;
        code = code << 6 | (bytes[*size] & 0x3F);
    }
    return code;
}

size_t dgmi_utf8_check(const char *text, size_t length) {
    size_t at = 0, size;
    while (at < length && dgmi_utf8_next(text + at, length - at, &size) >= 0)
        at += size;
    return at;
}

size_t dgmi_utf8_encode(uint32_t code, char bytes[4]) {
    assert(code <= 0x10FFFF);
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(leads[size] | code);
    return size;
}
