/* SPDX-License-Identifier: Apache-2.0 */
/* Makes figure 8. The graph has what the proof needs: clusters that share a node, clusters that an
 * edge joins, clusters that would meet without the copies (the first and the third, at node e), and a
 * node without edges. */
#include "reproduce_proof.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "reproduce_places.h"

#define DOT   0.26 /* the radius of a node */
#define COPY  0.14 /* of a copy */
#define RING  0.5  /* how far the copies of a node stand from it */
#define NERVE 0.3  /* the radius of a cluster */
#define WIDTH "170mm"

static const dgmi_reproduce_place places[] = {{0.2, 0.3}, {0.4, 2.1}, {1.9, 1.2}, {3.9, 2.1},
                                              {3.7, 0.3}, {5.7, 0.3}, {6.2, 2.1}, {7.9, 1.2}};
static const char *const node_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
enum { NODES = sizeof places / sizeof *places };
static const uint32_t ends[] = {0, 1, 0, 2, 1, 2, 2, 3, 2, 4, 3, 4, 4, 5, 5, 6};

/* The cells of the first coordinate, and what their clusters are called. */
static const dgm_interval cells[] = {{0, 2}, {1.5, 4}, {5.5, 6.5}, {7.5, 8}};
static const char *const cluster_names[] = {"C1", "C2", "C3", "C4"};
enum { CELLS = sizeof cells / sizeof *cells, FIRST_COLOUR = 8 }; /* nodes have those before it */

/* ---- graph and clusters ---- */

static dgm_status make_graph(dgm_context *ctx, dgm_graph **out) {
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_reserve_nodes(builder, NODES);
    if (status == DGM_OK)
        status = dgm_graph_builder_add(builder, sizeof ends / sizeof *ends / 2, ends, NULL);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(builder, "Example");
    if (status == DGM_OK)
        status = dgm_graph_builder_add_texts(builder, "node", NODES, node_names);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

static dgm_status make_clusters(dgm_context *ctx, dgmi_reproduce_proof *proof) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_matrix *lens;
    dgm_status status = dgm_matrix_create(ctx, NODES, 1, &lens);
    if (status != DGM_OK)
        return status;
    for (int u = 0; u < NODES; u++)
        dgm_matrix_values_mutable(lens)[u] = places[u].x;
    options.cover = DGM_COVER_INTERVALS;
    options.given = cells;
    options.given_count = CELLS;
    status = dgm_mapper_run(ctx, proof->graph, lens, &options, &proof->clusters);
    if (status == DGM_OK)
        status = dgm_membership_from_summary(ctx, proof->clusters, DGM_MEMBERSHIP_SPLIT,
                                             &proof->assignment);
    dgm_matrix_free(lens);
    return status;
}

/* ---- the expanded graph ---- */

/* Gives the copies the names of their nodes, by which they are coloured, and the graph its own. */
static dgm_status name_copies(dgm_context *ctx, dgmi_reproduce_proof *proof) {
    const dgm_graph_options options = {.size = sizeof options, .keep_loops = true};
    dgm_graph_rows rows = dgm_graph_get_rows(proof->expanded);
    dgm_graph_builder *builder;
    dgm_graph *named;
    dgm_status status = dgm_graph_builder_create(ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const char **texts = dgmi_scratch(ctx, rows.nodes, sizeof *texts);
    status = texts ? dgm_graph_builder_add_rows(builder, &rows) : DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < rows.nodes && status == DGM_OK; c++)
        texts[c] = node_names[proof->origin[c]];
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(builder, "Its expanded graph");
    if (status == DGM_OK)
        status = dgm_graph_builder_add_texts(builder, "node", rows.nodes, texts);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgm_graph_builder_free(builder);
        return status;
    }
    status = dgm_graph_builder_finish(builder, &named);
    if (status == DGM_OK) {
        dgm_graph_free(proof->expanded);
        proof->expanded = named;
    }
    return status;
}

static dgm_status expand(dgm_context *ctx, dgmi_reproduce_proof *proof) {
    dgm_status status = dgm_graph_expand(ctx, proof->graph, &proof->expanded, &proof->origin);
    if (status == DGM_OK)
        status = name_copies(ctx, proof);
    if (status == DGM_OK)
        status = dgm_membership_copy_rows(ctx, proof->assignment, dgm_graph_nodes(proof->expanded),
                                          proof->origin, &proof->copied);
    if (status == DGM_OK)
        status = dgm_membership_expand(ctx, proof->expanded, proof->copied, &proof->grown);
    return status;
}

/* The pull-back of the sets x_k > 0 of the simplex, not split into clusters. */
static dgm_status take_nerve(dgm_context *ctx, dgmi_reproduce_proof *proof) {
    dgm_membership_rows grown = dgm_membership_get_rows(proof->grown);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_matrix *lens;
    dgm_status status = dgm_matrix_create(ctx, grown.nodes, grown.clusters, &lens);
    if (status != DGM_OK)
        return status;
    for (int64_t c = 0; c < grown.nodes; c++)
        for (int64_t i = grown.offsets[c]; i < grown.offsets[c + 1]; i++)
            dgm_matrix_values_mutable(lens)[c * grown.clusters + grown.columns[i]] =
                grown.values[i];
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    status = dgm_mapper_run(ctx, proof->expanded, lens, &options, &proof->nerve);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(
            ctx, proof->nerve, &(dgm_provenance){.lens = "1-hop expansion", .seed = options.seed});
    dgm_matrix_free(lens);
    return status;
}

/* ---- places ---- */

/* A copy stands on a ring around its node, on the side of the neighbour that it is there for. The two
 * copies of a node without neighbours stand side by side. */
static dgmi_reproduce_place place_copy(const dgmi_reproduce_proof *proof, dgm_graph_rows rows,
                                       int64_t copy) {
    uint32_t node = proof->origin[copy];
    dgmi_reproduce_place at = places[node];
    bool first = copy == 0 || proof->origin[copy - 1] != node;
    double dx = first ? -1 : 1, dy = 0;
    for (int64_t e = rows.offsets[copy]; e < rows.offsets[copy + 1]; e++) {
        uint32_t other = proof->origin[rows.targets[e]];
        if (other != node) {
            dx = places[other].x - at.x;
            dy = places[other].y - at.y;
        }
    }
    double length = hypot(dx, dy);
    return (dgmi_reproduce_place){at.x + RING * dx / length, at.y + RING * dy / length};
}

static dgm_status place_copies(dgm_context *ctx, const dgmi_reproduce_proof *proof) {
    dgm_graph_rows rows = dgm_graph_get_rows(proof->expanded);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *x = dgmi_scratch(ctx, 3 * rows.nodes, sizeof *x);
    dgm_status status = x ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < rows.nodes && status == DGM_OK; c++) {
        dgmi_reproduce_place at = place_copy(proof, rows, c);
        x[c] = at.x;
        x[rows.nodes + c] = at.y;
        x[2 * rows.nodes + c] = COPY;
    }
    if (status == DGM_OK)
        status =
            dgm_view_set_places(ctx, proof->expanded_view, x, x + rows.nodes, x + 2 * rows.nodes);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status make_views(dgm_context *ctx, dgmi_reproduce_proof *proof) {
    dgm_status status = dgm_view_from_graph(ctx, proof->graph, NULL, &proof->graph_view);
    if (status == DGM_OK)
        status = dgmi_reproduce_place_nodes(ctx, places, DOT, proof->graph_view);
    if (status == DGM_OK)
        status = dgm_view_from_graph(ctx, proof->expanded, NULL, &proof->expanded_view);
    if (status == DGM_OK)
        status = place_copies(ctx, proof);
    if (status == DGM_OK)
        status = dgm_view_from_summary(ctx, proof->nerve, NULL, NULL, &proof->nerve_view);
    if (status == DGM_OK)
        status = dgmi_reproduce_place_clusters(ctx, places, proof->clusters, NERVE, 0,
                                               proof->nerve_view);
    return status;
}

/* ---- the figure ---- */

enum { PANEL_GRAPH, PANEL_EXPANDED, PANEL_GROWN, PANEL_NERVE, PANELS };

/* A region around the rows of each column. */
static dgm_status add_regions(dgm_context *ctx, const dgmi_reproduce_proof *proof, int64_t panel,
                              const dgm_membership *membership) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *marks = dgmi_scratch(ctx, rows.nodes, sizeof *marks);
    dgm_status status = marks ? DGM_OK : DGM_ERROR_MEMORY;
    for (uint32_t k = 0; k < rows.clusters && status == DGM_OK; k++) {
        int64_t count = 0;
        for (int64_t u = 0; u < rows.nodes; u++)
            for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++)
                if (rows.columns[i] == k)
                    marks[count++] = (uint32_t)u;
        status = dgm_figure_add_region(proof->figure, panel, marks, count, FIRST_COLOUR + k,
                                       cluster_names[k]);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status add_panels(const dgmi_reproduce_proof *proof) {
    const dgm_view *const views[PANELS] = {
        [PANEL_GRAPH] = proof->graph_view,
        [PANEL_EXPANDED] = proof->expanded_view,
        [PANEL_GROWN] = proof->expanded_view,
        [PANEL_NERVE] = proof->nerve_view,
    };
    static const char *const titles[PANELS] = {
        [PANEL_GRAPH] = "a  graph and clusters",
        [PANEL_EXPANDED] = "b  expanded graph and copied clusters",
        [PANEL_GROWN] = "c  1-hop expansion of the clusters",
        [PANEL_NERVE] = "d  nerve",
    };
    dgm_status status = DGM_OK;
    for (int p = 0; p < PANELS && status == DGM_OK; p++)
        status = dgm_figure_add_view(proof->figure, views[p],
                                     p == PANEL_NERVE ? "none" : "attr:node", titles[p], NULL, 0);
    return status;
}

static dgm_status make_figure(dgm_context *ctx, const dgm_figure_options *given,
                              dgmi_reproduce_proof *proof) {
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    if (given)
        options = *given;
    if (!options.width)
        options.width = WIDTH;
    if (!options.names)
        options.names = "0"; /* regions have names */
    dgm_status status = dgm_figure_create(ctx, &options, &proof->figure);
    if (status != DGM_OK)
        return status;
    dgm_figure_set_columns(proof->figure, 2);
    dgm_figure_align_panels(proof->figure);
    status = add_panels(proof);
    if (status == DGM_OK)
        status = add_regions(ctx, proof, PANEL_GRAPH, proof->assignment);
    if (status == DGM_OK)
        status = add_regions(ctx, proof, PANEL_EXPANDED, proof->copied);
    if (status == DGM_OK)
        status = add_regions(ctx, proof, PANEL_GROWN, proof->grown);
    for (uint32_t k = 0; k < CELLS && status == DGM_OK; k++)
        status = dgm_figure_add_region(proof->figure, PANEL_NERVE, &k, 1, FIRST_COLOUR + k,
                                       cluster_names[k]);
    return status;
}

/* ---- all of it ---- */

dgm_status dgmi_reproduce_proof_make(dgm_context *ctx, const dgm_figure_options *options,
                                     dgmi_reproduce_proof *out) {
    *out = (dgmi_reproduce_proof){.ctx = ctx};
    dgm_status status = make_graph(ctx, &out->graph);
    if (status == DGM_OK)
        status = make_clusters(ctx, out);
    if (status == DGM_OK)
        status = expand(ctx, out);
    if (status == DGM_OK)
        status = take_nerve(ctx, out);
    if (status == DGM_OK)
        status = make_views(ctx, out);
    if (status == DGM_OK)
        status = make_figure(ctx, options, out);
    if (status == DGM_OK)
        status = dgmi_reproduce_expand_compare(ctx, out->graph, out->assignment, out->expanded,
                                               out->origin, &out->facts);
    if (status != DGM_OK)
        dgmi_reproduce_proof_free(out);
    return status;
}

void dgmi_reproduce_proof_free(dgmi_reproduce_proof *proof) {
    dgm_figure_free(proof->figure);
    dgm_view_free(proof->nerve_view);
    dgm_view_free(proof->expanded_view);
    dgm_view_free(proof->graph_view);
    dgm_summary_free(proof->nerve);
    dgm_membership_free(proof->grown);
    dgm_membership_free(proof->copied);
    if (proof->origin)
        dgm_expansion_origin_free(proof->ctx, proof->origin);
    dgm_graph_free(proof->expanded);
    dgm_membership_free(proof->assignment);
    dgm_summary_free(proof->clusters);
    dgm_graph_free(proof->graph);
    *proof = (dgmi_reproduce_proof){.ctx = NULL};
}
