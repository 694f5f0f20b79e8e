/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: a context with an allocator that runs out early, and ways to say
 * that a theorem fails. Without libFuzzer (the normal test run) fuzz_replay.c calls the same
 * targets on every file of a corpus.
 */
#ifndef FUZZ_COMMON_H
#define FUZZ_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/dgm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The one context: one thread, at most 6 MB in one block. */
dgm_context *fuzz_context(void);
/* Notes since the last call. */
int fuzz_notes(void);

/* Bits that depend on the data alone, to choose options by. */
unsigned fuzz_bits(const uint8_t *data, size_t size);

/* Ends the process with the words, where `wrong` is not NULL. */
void fuzz_refuse(const char *where, const char *wrong);
/* A failed call must leave a one-line error and no result. */
void fuzz_check_failure(dgm_status status, const void *result);

/* A folder of this process, removed at its end, and files in it. */
const char *fuzz_folder(void);
const char *fuzz_save(const char *name, const void *data,
                      size_t size); /* the path, until the next call */

#endif
