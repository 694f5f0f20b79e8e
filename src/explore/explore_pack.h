/* SPDX-License-Identifier: Apache-2.0 */
/* A pack: an explorer in one block of bytes, for a page that opens without the program. Only the
 * version of the library that wrote it reads it.
 *
 * It begins with "DGMP" and the version, and has parts: a tag of four letters, the size of an item,
 * the number of items, the items, and zeros up to a multiple of 8. A part may be empty; parts of an
 * attribute are repeated. */
#ifndef EXPLORE_PACK_H
#define EXPLORE_PACK_H

#include <stdint.h>

typedef struct dgmi_explore_part {
    char tag[4];
    uint32_t size;
    uint64_t count;
} dgmi_explore_part;

/* The numbers of the part HEAD. */
enum {
    DGMI_EXPLORE_NODES,
    DGMI_EXPLORE_DIRECTED,
    DGMI_EXPLORE_NAME_BASE,     /* -1: the graph has names */
    DGMI_EXPLORE_WIDTH,         /* of the features */
    DGMI_EXPLORE_COLUMNS,       /* of the lens */
    DGMI_EXPLORE_PROBABILITIES, /* columns of the probabilities of a classifier */
    DGMI_EXPLORE_SEED,
    DGMI_EXPLORE_HEAD,
};

#define DGMI_EXPLORE_MAGIC "DGMP" DGM_VERSION

#endif
