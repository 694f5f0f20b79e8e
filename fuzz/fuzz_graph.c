/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a graph file of one format (FUZZ_FORMAT, called FUZZ_FILE): a graph comes out whole
 * or not at all, and written and read again it is the same graph.
 */
#include "fuzz_common.h"

#include <string.h>

#include "base_memory.h"
#include "check_graph.h"
#include "io_formats.h"

static dgmi_io_graph_writer *writer_of(dgm_format format) {
    static dgmi_io_graph_writer *const writers[] = {
        [DGM_FORMAT_EDGES] = dgmi_io_write_edges, [DGM_FORMAT_MTX] = dgmi_io_write_mtx,
        [DGM_FORMAT_METIS] = dgmi_io_write_metis, [DGM_FORMAT_GRAPHML] = dgmi_io_write_graphml,
        [DGM_FORMAT_GEXF] = dgmi_io_write_gexf,   [DGM_FORMAT_GML] = dgmi_io_write_gml,
        [DGM_FORMAT_JSON] = dgmi_io_write_json,   [DGM_FORMAT_NPZ] = dgmi_io_write_npz,
        [DGM_FORMAT_NPY] = dgmi_io_write_npy,
    };
    return writers[format];
}

static dgm_graph_options choose_options(const uint8_t *data, size_t size) {
    unsigned bits = fuzz_bits(data, size);
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = (bits & 1) && FUZZ_FORMAT != DGM_FORMAT_METIS;
    options.keep_loops = bits & 2;
    options.ids = (bits & 12) == 12 ? DGM_IDS_NAME : DGM_IDS_NUMBER;
    return options;
}

/* The parts of a graph that no note of the writer calls lost: they must come back. */
static int parts_kept(const char *notes) {
    static const struct {
        const char *words;
        int part;
    } losses[] = {
        {"names are not kept", CHECK_NAMES},
        {"not keep names", CHECK_NAMES},
        {"counts nodes from", CHECK_NAMES},
        {"labels", CHECK_LABELS},
        {"split", CHECK_SPLITS},
        {"features", CHECK_FEATURES},
        {"attribute", CHECK_ATTRIBUTES},
    };
    int kept = CHECK_NAMES | CHECK_TABLES;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (strstr(notes, losses[i].words))
            kept &= ~losses[i].part;
    return kept;
}

static void check_round_trip(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_graph_options *options) {
    dgmi_bytes_output *output;
    char *data;
    size_t size;
    dgm_graph *back;
    if (FUZZ_FORMAT == DGM_FORMAT_PAJEK || FUZZ_FORMAT == DGM_FORMAT_LGL) /* read, not written */
        return;
    fuzz_notes();
    if (dgmi_bytes_output_open_memory(ctx, FUZZ_FILE, &output) != DGM_OK)
        return;
    dgm_status status = writer_of(FUZZ_FORMAT)(ctx, graph, output);
    if (status == DGM_ERROR_MEMORY) {
        dgmi_bytes_output_discard(output);
        return;
    }
    fuzz_refuse("write", status == DGM_OK ? NULL : "a graph that was read cannot be written");
    int kept = parts_kept(fuzz_notes());
    if (dgmi_bytes_output_take(output, &data, &size) != DGM_OK)
        return;
    dgm_graph_options again = *options;
    if (FUZZ_FORMAT ==
        DGM_FORMAT_NPY) /* edges alone: isolated nodes at the end are not in the file */
        again.nodes = dgm_graph_nodes(graph);
    status = dgm_graph_read_memory(ctx, data, size, FUZZ_FILE, FUZZ_FORMAT, &again, &back);
    if (status != DGM_ERROR_MEMORY) {
        fuzz_refuse("read again", status == DGM_OK ? NULL : "what was written cannot be read");
        fuzz_refuse("round trip", check_same_graph(graph, back, kept));
    }
    dgm_graph_free(back);
    dgmi_free(ctx, data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    dgm_graph_options options = choose_options(data, size);
    dgm_graph *graph = NULL;
    dgm_status status =
        dgm_graph_read_memory(ctx, data, size, FUZZ_FILE, FUZZ_FORMAT, &options, &graph);
    fuzz_check_failure(status, graph);
    if (status != DGM_OK)
        return 0;
    fuzz_refuse("graph", check_graph(graph, &options));
    check_round_trip(ctx, graph, &options);
    dgm_graph_free(graph);
    return 0;
}
