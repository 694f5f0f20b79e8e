/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of zip files and of checkpoints. */
#ifndef BYTES_CHECKSUM_H
#define BYTES_CHECKSUM_H

#include <stdint.h>

/* CRC-32 of more bytes; start with 0. */
uint32_t dgmi_bytes_crc32(uint32_t crc, const void *data, int64_t size);

#endif
