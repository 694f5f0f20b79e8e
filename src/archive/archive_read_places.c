/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the places of the clusters. */
#include "archive_read.h"

#include <math.h>
#include <string.h>

#include "dgm/export.h"

#include "base_memory.h"
#include "export_formats.h"

#define FARTHEST 1e9 /* places beyond are no drawing */

/* The places and their three arrays in one block. */
typedef struct {
    dgm_places places;
    double values[];
} places_block;

void dgm_places_free(dgm_context *ctx, dgm_places *places) {
    if (places) /* without any, there may be no context either */
        dgmi_free(ctx, places);
}

static dgm_status read_place(const dgmi_archive_saved *saved, int64_t cluster,
                             double *const into[3]) {
    static const char *const keys[] = {"x", "y", "radius"};
    for (int i = 0; i < 3; i++) {
        double *value = &into[i][cluster];
        dgm_status status =
            dgmi_archive_saved_real(saved, "nodes", cluster, saved->clusters[cluster], keys[i],
                                    i < 2 ? -FARTHEST : 0, FARTHEST, NAN, value);
        if (status != DGM_OK)
            return status;
        if (isnan(*value))
            return dgmi_archive_saved_fail(saved, "nodes", cluster,
                                           "has no \"%s\": all clusters have places or none has",
                                           keys[i]);
    }
    return DGM_OK;
}

/* The dgm_layout that the file names, or -1. */
static int find_layout(const dgmi_archive_saved *saved) {
    const char *kind = dgmi_archive_saved_text(saved, "layout", "kind");
    for (int i = 0; i < 4; i++)
        if (strcmp(kind, dgmi_export_layouts[i]) == 0)
            return i;
    return -1;
}

/* Some cluster has a place, so that all must have one; a layout of no clusters has none to show. */
static bool is_placed(const dgmi_archive_saved *saved, int layout) {
    bool placed = saved->summary->clusters == 0 && layout >= 0;
    for (int64_t c = 0; c < saved->summary->clusters && !placed; c++)
        placed = json_object_get(saved->clusters[c], "x") != NULL;
    return placed;
}

/* Why there are none: a layout would have cost too much. */
static dgm_status read_costs(const dgmi_archive_saved *saved, dgm_places *places) {
    const json_t *layout = json_object_get(saved->root, "layout");
    dgm_status status = dgmi_archive_saved_real(saved, NULL, 0, layout, "operations", 0, INFINITY,
                                                0, &places->operations);
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, NULL, 0, layout, "budget", 0, INFINITY, 0,
                                         &places->budget);
    if (isnan(places->operations) || isnan(places->budget))
        places->operations = places->budget = 0;
    return status;
}

static dgm_status read_all(const dgmi_archive_saved *saved, places_block *block) {
    int64_t count = saved->summary->clusters;
    double *const into[] = {block->values, block->values + count, block->values + 2 * count};
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < count && status == DGM_OK; c++)
        status = read_place(saved, c, into);
    block->places.x = into[0];
    block->places.y = into[1];
    block->places.radius = into[2];
    return status;
}

dgm_status dgmi_archive_saved_places(const dgmi_archive_saved *saved, dgm_places **out) {
    const json_t *layout = json_object_get(saved->root, "layout");
    int kind = find_layout(saved);
    bool placed = is_placed(saved, kind);
    int64_t values = placed ? 3 * saved->summary->clusters : 0, seed, dust;
    dgm_status status =
        dgmi_archive_saved_integer(saved, NULL, 0, layout, "seed", 0, INT64_MAX, 0, &seed);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, layout, "dust", 0, INT64_MAX, 0, &dust);
    *out = NULL;
    if (status != DGM_OK || (!placed && !layout))
        return status;
    places_block *block = dgmi_alloc_zero(
        saved->ctx, (int64_t)sizeof *block + values * (int64_t)sizeof *block->values, 1);
    if (!block)
        return DGM_ERROR_MEMORY;
    *out = &block->places;
    block->places.layout = placed ? kind : -1;
    block->places.seed = seed;
    block->places.dust = placed ? dust : 0;
    return placed ? read_all(saved, block) : read_costs(saved, &block->places);
}
