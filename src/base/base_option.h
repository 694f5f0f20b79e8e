/* SPDX-License-Identifier: Apache-2.0 */
/* Options inside the library: messages with other names, and option structs of older callers. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stddef.h>

#include "dgm/option.h"

/* Does what dgm_option_set does, but messages call the option `called`, such as "the lens
 * 'pagerank': alpha". */
dgm_status dgmi_option_set_as(dgm_context *ctx, const char *called, const dgm_option *option,
                              const char *value, void *target);

/* Copies the options that a caller gave over the defaults that *out holds. A caller who was
 * compiled with an older version of the library has a shorter struct: the fields that it does not
 * know stay as they are. DGM_ERROR_USAGE where the size is below that of the first version, which
 * had `first` bytes, or above `size`, that of today. given NULL: nothing to copy. */
dgm_status dgmi_options_take(dgm_context *ctx, const char *type, const void *given, size_t first,
                             size_t size, void *out);
/* `last` is the last field of the first version. */
#define DGMI_OPTIONS_TAKE(ctx, type, last, given, out)                                             \
    dgmi_options_take(ctx, #type, given, offsetof(type, last) + sizeof(((type *)NULL)->last),      \
                      sizeof(type), out)

/* The seed of everything random, in the option tables of programs and stages. */
#define DGMI_SEED_OPTION(at)                                                                       \
    {                                                                                              \
        .name = "seed", .kind = DGM_OPTION_INTEGER, .offset = (at), .minimum = 0,                  \
        .maximum = 9007199254740992.0, .default_text = "1", .argument = "N",                       \
        .help = "seed of everything random; recorded in every output"                              \
    }

#endif
