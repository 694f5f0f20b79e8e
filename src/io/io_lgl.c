/* SPDX-License-Identifier: Apache-2.0 */
/* Large Graph Layout's edge lists (.lgl): a node behind a #, then its neighbours, one per line.
 *
 *   # ann
 *   bob 2.5
 *   cleo
 *
 * The number behind a neighbour is the weight. Every id is a name; those that are whole numbers
 * come first, ascending, the others as they appear.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "bytes_lines.h"
#include "graph_builder.h"
#include "io_formats.h"

typedef struct {
    dgm_graph_builder *builder;
    dgmi_bytes_lines lines;
    uint32_t source;
    bool begun;
} lgl_reader;

#define fail_line(reader, ...) dgmi_lines_fail(&(reader)->lines, DGM_ERROR_FORMAT, __VA_ARGS__)

static dgm_status take_node(lgl_reader *reader) {
    const dgmi_bytes_field *name = &reader->lines.fields[1];
    if (reader->lines.count != 2)
        return fail_line(reader, "one name follows a #");
    reader->begun = true;
    return dgm_graph_builder_node(reader->builder, name->text, name->length, &reader->source);
}

static dgm_status take_neighbour(lgl_reader *reader) {
    const dgmi_bytes_field *fields = reader->lines.fields;
    uint32_t ends[2] = {reader->source, 0};
    double weight = 1;
    if (!reader->begun)
        return fail_line(reader, "a file of this format begins with \"# NAME\"; if each line is an "
                                 "edge, say " DGMI_NAMED("format=edges"));
    if (reader->lines.count > 2)
        return fail_line(reader, "a neighbour and perhaps a weight stand on a line");
    if (reader->lines.count == 2 &&
        (!dgmi_parse_real(fields[1].text, fields[1].length, &weight) || !isfinite(weight)))
        return fail_line(reader, "weight \"%.40s\" is not a finite number", fields[1].text);
    dgm_status status =
        dgm_graph_builder_node(reader->builder, fields[0].text, fields[0].length, &ends[1]);
    return status == DGM_OK ? dgm_graph_builder_add(reader->builder, 1, ends,
                                                    reader->lines.count == 2 ? &weight : NULL)
                            : status;
}

dgm_status dgmi_io_read_lgl(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)options;
    lgl_reader reader = {.builder = builder};
    dgm_status status;
    dgmi_bytes_lines_init(&reader.lines, ctx, stream);
    reader.lines.separator = ' ';
    reader.lines.comments = false;
    while ((status = dgmi_bytes_lines_next(&reader.lines)) == DGM_OK && reader.lines.count > 0) {
        bool node = strcmp(reader.lines.fields[0].text, "#") == 0;
        status = node ? take_node(&reader) : take_neighbour(&reader);
        if (status != DGM_OK)
            break;
    }
    dgmi_bytes_lines_free(&reader.lines);
    if (status == DGM_OK && dgmi_graph_builder_has_names(builder))
        status = dgmi_graph_builder_sort_names(builder);
    return status;
}
