/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of zip files and of checkpoints. */
#ifndef BYTES_CHECKSUM_H
#define BYTES_CHECKSUM_H

#include <stdint.h>

/* Returns the CRC-32 of all bytes so far, given that of those before these. The first call gives 0.
 */
uint32_t dgmi_bytes_crc32(uint32_t crc, const void *data, int64_t size);

#endif
