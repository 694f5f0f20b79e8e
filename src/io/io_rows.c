/* SPDX-License-Identifier: Apache-2.0 */
#include "io_rows.h"

#include "base_context.h"

dgm_status dgmi_io_rows_match(const dgmi_bytes_lines *lines, int64_t id_column,
                              const dgm_graph_index *index, uint8_t *met, int64_t *node) {
    const dgmi_bytes_field *id = &lines->fields[id_column];
    *node = dgm_graph_index_find(index, id->text, id->length);
    if (*node < 0)
        return dgmi_lines_fail(lines, DGM_ERROR_DATA, "the graph has no node \"%.60s\"", id->text);
    if (met[*node])
        return dgmi_lines_fail(lines, DGM_ERROR_DATA,
                               "a second row for node \"%.60s\"; every node has one", id->text);
    met[*node] = 1;
    return DGM_OK;
}
