/* SPDX-License-Identifier: Apache-2.0 */
/* GML out. Ids are whole numbers, as the format asks. Nodes with names of their own are numbered
 * from 0, the name stands in `label` (or `name`, where an attribute has that key), and `names` in
 * the graph says so: other programs find the name where they look for it, and ours reads it back.
 * Class labels are `class`. Text is ASCII with entities.
 */
#include "io_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "io_emit.h"

/* The key that holds the names: one that no column has. NULL only if all are taken. */
static const char *find_name_key(const dgmi_io_emit *emit) {
    static const char *const keys[] = {"label", "name", "node_name", "dgm_name", NULL};
    for (const char *const *key = keys; *key; key++) {
        bool taken = false;
        for (int64_t k = 0; k < emit->column_count; k++)
            taken |= strcmp(emit->columns[k].name, *key) == 0;
        if (!taken)
            return *key;
    }
    return NULL;
}

/* A real has a point, also before an exponent; whole numbers beyond 32 bits are reals. An infinite
 * one takes a sign, so that it does not look like a key. */
static void write_number(dgmi_io_emit *emit, double value) {
    char digits[DGMI_NUMBER_SPACE];
    if (isinf(value)) {
        dgmi_io_emit_string(emit, value > 0 ? "+INF" : "-INF");
        return;
    }
    size_t length = (size_t)dgmi_format_real(value, digits), mantissa = strcspn(digits, "e");
    bool integer = mantissa == length && fabs(value) < 0x1p31;
    dgmi_text_append(&emit->text, digits, mantissa);
    if (!integer && !memchr(digits, '.', mantissa))
        dgmi_io_emit_string(emit, ".0");
    dgmi_text_append(&emit->text, digits + mantissa, length - mantissa);
}

static void write_id(dgmi_io_emit *emit, int64_t node) {
    int64_t base = dgm_graph_name_base(emit->graph);
    dgmi_text_integer(&emit->text, node + (base > 0 ? base : 0));
}

static void write_node(dgmi_io_emit *emit, int64_t node, const char *name_key) {
    dgmi_io_emit_string(emit, "  node [\n    id ");
    write_id(emit, node);
    if (name_key) {
        dgmi_text_format(&emit->text, "\n    %s \"", name_key);
        dgmi_io_emit_name(emit, node);
        dgmi_io_emit_string(emit, "\"");
    }
    for (int64_t k = 0; k < emit->column_count; k++) {
        double value = 0;
        const char *text;
        if (!dgmi_io_emit_entry(&emit->columns[k], node, &value, &text))
            continue;
        dgmi_text_format(&emit->text, "\n    %s ", emit->columns[k].name);
        if (text) {
            dgmi_io_emit_string(emit, "\"");
            dgmi_io_emit_text(emit, text);
            dgmi_io_emit_string(emit, "\"");
        } else {
            write_number(emit, value);
        }
    }
    dgmi_io_emit_string(emit, "\n  ]\n");
}

static void write_edge(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                       const double *weight) {
    (void)edge;
    dgmi_io_emit_string(emit, "  edge [\n    source ");
    write_id(emit, u);
    dgmi_io_emit_string(emit, "\n    target ");
    write_id(emit, v);
    if (weight) {
        dgmi_io_emit_string(emit, "\n    weight ");
        write_number(emit, *weight);
    }
    dgmi_io_emit_string(emit, "\n  ]\n");
}

dgm_status dgmi_io_write_gml(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    static const char *const label_names[] = {"class", "y", NULL};
    static const dgmi_io_emit_style style = {"GML", dgmi_escape_gml, label_names, "id", true};
    dgmi_io_emit emit;
    dgmi_io_emit_open(&emit, ctx, graph, output, &style);
    bool named = dgm_graph_name_base(graph) < 0;
    const char *name_key = find_name_key(&emit);
    if (!named && name_key && strcmp(name_key, "label") != 0)
        name_key = NULL; /* numbers are repeated for readers of labels alone */
    dgmi_text_format(&emit.text, "graph [\n  directed %d\n",
                     dgm_graph_get_rows(graph).directed ? 1 : 0);
    if (named && !name_key && emit.text.status == DGM_OK)
        emit.text.status = dgmi_fail(ctx, DGM_ERROR_DATA,
                                     "GML has no key left for the names: rename the attribute "
                                     "'dgm_name'");
    bool other_label = !named && dgm_graph_attribute_find(graph, "label") >= 0;
    if (other_label) /* or its texts would be taken for names */
        dgmi_io_emit_string(&emit, "  names \"id\"\n");
    if (named && name_key)
        dgmi_text_format(&emit.text, "  names \"%s\"\n", name_key);
    for (int64_t u = 0; u < dgm_graph_nodes(graph) && dgmi_io_emit_step(&emit); u++)
        write_node(&emit, u, name_key);
    dgmi_io_emit_edges(&emit, write_edge);
    dgmi_io_emit_string(&emit, "]\n");
    return dgmi_io_emit_close(&emit);
}
