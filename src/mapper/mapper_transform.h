/* SPDX-License-Identifier: Apache-2.0 */
/* What the option tables of jobs and workspaces say of transforms. */
#ifndef MAPPER_TRANSFORM_H
#define MAPPER_TRANSFORM_H

#include "dgm/transform.h"

/* The names of the transforms, as dgm_transform_names returns them. */
extern const char *const dgmi_mapper_transform_names[];

/* The option "transform". `at` is the offset of its field, and `setter` stores its value. */
#define DGMI_MAPPER_TRANSFORM_OPTION(at, setter)                                                   \
    {                                                                                              \
        .name = "transform", .kind = DGM_OPTION_CHOICE, .offset = (at), .set = (setter),           \
        .choices = dgmi_mapper_transform_names, .default_text = "none", .argument = "T",           \
        .help = "what to do to an axis: the logarithm (of 1 + x/m where there are zeros, m the "   \
                "smallest positive value; a negative value is an error), ranks from 0 to 1, or "   \
                "mean 0 and deviation 1; may be repeated (or a list T,T), the first is for the "   \
                "first axis, the last goes on for all further ones"                                \
    }

#endif
