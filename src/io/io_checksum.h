/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of a .gz (RFC 1952), which libarchive reads past.
 *
 * The last eight bytes of a gzip file hold the CRC-32 and the length of what was packed. Both
 * belong to the last of several members alone, so the check applies where the length agrees with
 * all that came out: then there was one member.
 */
#ifndef IO_CHECKSUM_H
#define IO_CHECKSUM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dgmi_gzip_check {
    unsigned char tail[8]; /* the last packed bytes */
    int64_t packed;        /* bytes seen */
    uint32_t crc, length;  /* of the unpacked bytes; length mod 2^32 */
} dgmi_gzip_check;

void dgmi_gzip_check_packed(dgmi_gzip_check *check, const char *data, int64_t size);
void dgmi_gzip_check_unpacked(dgmi_gzip_check *check, const char *data, int64_t size);
bool dgmi_gzip_check_passes(const dgmi_gzip_check *check);

/* CRC-32 of more bytes; start with 0. */
uint32_t dgmi_crc32(uint32_t crc, const void *data, int64_t size);

#endif
