/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_checksum.h"

/* The reversed polynomial of IEEE 802.3. */
#define POLYNOMIAL 0xEDB88320u

/* table[k][b]: the remainder of byte b followed by k zero bytes. */
static void make_tables(uint32_t table[8][256]) {
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t rest = b;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? POLYNOMIAL : 0);
        table[0][b] = rest;
    }
    for (int k = 1; k < 8; k++)
        for (int b = 0; b < 256; b++)
            table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 255];
}

/* Eight bytes per step (Kounavis and Berry 2005). Making the tables costs as much as a few
 * kilobytes of data. */
uint32_t dgmi_bytes_crc32(uint32_t crc, const void *data, int64_t size) {
    uint32_t table[8][256];
    const unsigned char *bytes = data;
    make_tables(table);
    crc = ~crc;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint32_t low = crc ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                              (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
        crc = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
              table[4][low >> 24] ^ table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^
              table[0][bytes[7]];
    }
    for (; size > 0; size--)
        crc = crc >> 8 ^ table[0][(crc ^ *bytes++) & 255];
    return ~crc;
}
