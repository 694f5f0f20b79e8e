/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_panels.h"

#include "bytes_jansson.h"

static int64_t number(const json_t *panel, const char *key) {
    return (int64_t)json_integer_value(json_object_get(panel, key));
}

dgm_status dgmi_reproduce_panels_read(dgmi_reproduce_making *making, const char *file, int64_t most,
                                      dgmi_reproduce_panel *out, int64_t *count) {
    dgmi_bytes_stream *stream = NULL;
    json_t *root = NULL, *panel;
    size_t i;
    *count = 0;
    dgm_status status = dgmi_bytes_stream_open(making->ctx, file, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(making->ctx, stream, "reading the sweep", &root);
    dgmi_bytes_stream_close(stream);
    if (status != DGM_OK)
        return status;
    json_array_foreach(json_object_get(root, "panels"), i, panel) {
        if (*count == most)
            break;
        out[(*count)++] = (dgmi_reproduce_panel){
            number(panel, "intervals"), json_number_value(json_object_get(panel, "overlap")),
            number(panel, "clusters"),  number(panel, "edges"),
            number(panel, "b0"),        number(panel, "b1"),
            number(panel, "cycle_rank")};
    }
    json_decref(root);
    return DGM_OK;
}
