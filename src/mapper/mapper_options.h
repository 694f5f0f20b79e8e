/* SPDX-License-Identifier: Apache-2.0 */
/* What the option tables of jobs and workspaces say of the cover, which is no option of
 * dgm_mapper_option_table because its text needs memory for the intervals that it gives. */
#ifndef MAPPER_OPTIONS_H
#define MAPPER_OPTIONS_H

#include "dgm/mapper.h"

/* The option "cover", a text for dgm_cover_parse. `at` is the offset of its field. */
#define DGMI_MAPPER_COVER_OPTION(at)                                                               \
    {                                                                                              \
        .name = "cover", .kind = DGM_OPTION_TEXT, .offset = (at), .default_text = "uniform",       \
        .argument = "COVER",                                                                       \
        .help = "how the lens is cut into cells: uniform (equal lengths), quantile (equal "        \
                "counts), intervals:a..b,c..d (given, one axis; -inf and inf are fine), simplex "  \
                "(cell k where axis k is positive), adaptive:size=K (boxes that are cut while "    \
                "they hold more than K nodes, any number of axes), balls:radius=R and "            \
                "landmarks:k=K (balls, or cells of the nearest landmark, in the space of all "     \
                "axes), gmeans (one axis; intervals that are split while their values are not "    \
                "normal), cmo (one axis; as many intervals as the edges of points allow), parts "  \
                "(one axis, the number of each node's part; cells meet where nodes stand between " \
                "parts)"                                                                           \
    }

#endif
