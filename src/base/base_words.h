/* SPDX-License-Identifier: Apache-2.0 */
/* Options in messages. The library does not know how its caller's users write an option: a program
 * writes "--reduce pca", another language reduce="pca". A message therefore marks its options by
 * DGMI_NAMED (base_context.h), and here they become words: those of the caller
 * (dgm_context_set_option_words), or plainly "reduce=pca". */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base_context.h"

/* Writes `marked` with its options in words into `text`, cut to `size`. `first` gets the name of
 * the first option, "" if there is none; it has DGMI_OPTION_SPACE bytes, or is NULL. */
void dgmi_words_render(const dgm_context *ctx, const char *marked, char *text, size_t size,
                       char *first);

#endif
