/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share: a context whose allocator runs out early and knows a flood, and ways
 * to say that a theorem fails. Without libFuzzer (the normal test run) fuzz_replay.c calls the same
 * targets on every file of a corpus.
 */
#ifndef FUZZ_COMMON_H
#define FUZZ_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/dgm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether an input is tried with all that there is to try. libFuzzer tries a part that the input itself chooses, so that
 * it can try more inputs; files of a corpus are replayed with a part and then whole. */
extern bool fuzz_whole;

/* The one context, for this input: one thread, at most 160 KB in one block, and 6 MB for every
 * sixteenth input and a whole one. To ask for far more than an input of that size may need ends the
 * process; `fuzz_allow` says that it is as good as one of `size` bytes. */
dgm_context *fuzz_context(const uint8_t *data, size_t size);
void fuzz_allow(size_t size);
/* The notes since the last call, one a line; they last until the next. */
const char *fuzz_notes(void);

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
