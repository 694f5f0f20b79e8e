/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_panels.h"

#include "base_context.h"
#include "bytes_jansson.h"

/* Takes one panel over; false if one of its numbers is missing. */
static bool take_panel(const json_t *panel, dgmi_reproduce_panel *out) {
    static const char *const keys[] = {"intervals", "clusters", "edges", "b0", "b1", "cycle_rank"};
    int64_t *const fields[] = {&out->intervals, &out->clusters, &out->edges,
                               &out->b0,        &out->b1,       &out->cycle_rank};
    const json_t *overlap = json_object_get(panel, "overlap");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(panel, keys[i]);
        if (!json_is_integer(value))
            return false;
        *fields[i] = (int64_t)json_integer_value(value);
    }
    out->overlap = json_number_value(overlap);
    return json_is_number(overlap);
}

static dgm_status take_panels(dgmi_reproduce_making *making, const char *file, const json_t *panels,
                              int64_t least, int64_t most, dgmi_reproduce_panel *out,
                              int64_t *count) {
    int64_t all = (int64_t)json_array_size(panels);
    if (all < least)
        return dgmi_fail_at(making->ctx, DGM_ERROR_DATA, file, 0, -1,
                            "it has %lld panels, and at least %lld are needed", (long long)all,
                            (long long)least);
    for (int64_t i = 0; i < all && i < most; i++) {
        if (!take_panel(json_array_get(panels, (size_t)i), &out[i]))
            return dgmi_fail_at(making->ctx, DGM_ERROR_DATA, file, 0, -1,
                                "panels[%lld] lacks one of its numbers", (long long)i);
        *count = i + 1;
    }
    return DGM_OK;
}

dgm_status dgmi_reproduce_panels_read(dgmi_reproduce_making *making, const char *file,
                                      int64_t least, int64_t most, dgmi_reproduce_panel *out,
                                      int64_t *count) {
    dgmi_bytes_stream *stream = NULL;
    json_t *root = NULL;
    *count = 0;
    dgm_status status = dgmi_bytes_stream_open(making->ctx, file, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(making->ctx, stream, "reading the sweep", &root);
    dgmi_bytes_stream_close(stream);
    if (status == DGM_OK)
        status =
            take_panels(making, file, json_object_get(root, "panels"), least, most, out, count);
    json_decref(root);
    return status;
}
