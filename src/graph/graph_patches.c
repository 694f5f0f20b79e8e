/* SPDX-License-Identifier: Apache-2.0 */
/* Gives places to nodes, patch by patch. A patch grows breadth first over nodes that have no place
 * yet, and the next one starts beside those that have. So the sources of one patch reach a node at
 * nearly the same level, which makes a sweep over many sources fast (on a lattice it takes hundreds
 * of times less work).
 */
#include "graph_patches.h"

#include <math.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "graph_scale.h"
#include "graph_transpose.h"

/* The arcs of a node in both directions: the second half is empty unless the graph is directed. */
typedef struct {
    dgmi_graph_arcs ahead, back;
    int64_t nodes;
    bool directed;
    uint32_t *place; /* by node; NOWHERE */
    uint32_t *node;  /* by place */
    int64_t placed;
    int64_t scanned, scanned_arcs; /* places whose arcs were all looked at for the next start */
} layout;

#define NOWHERE UINT32_MAX

static int64_t degree(const layout *l, uint32_t u) {
    int64_t ahead = l->ahead.offsets[u + 1] - l->ahead.offsets[u];
    return l->directed ? ahead + l->back.offsets[u + 1] - l->back.offsets[u] : ahead;
}

static uint32_t neighbour(const layout *l, uint32_t u, int64_t i) {
    assert(i >= 0 && i < degree(l, u));
    int64_t ahead = l->ahead.offsets[u + 1] - l->ahead.offsets[u];
    return !l->directed || i < ahead ? l->ahead.targets[l->ahead.offsets[u] + i]
                                     : l->back.targets[l->back.offsets[u] + i - ahead];
}

static void put(layout *l, uint32_t u) {
    assert(l->place[u] == NOWHERE && l->placed < l->nodes);
    l->place[u] = (uint32_t)l->placed;
    l->node[l->placed++] = u;
}

/* Puts a node that lies beside those of the component so far; false: the component is whole. */
static bool put_beside(layout *l) {
    for (; l->scanned < l->placed; l->scanned++, l->scanned_arcs = 0) {
        uint32_t u = l->node[l->scanned];
        for (int64_t d = degree(l, u); l->scanned_arcs < d;) {
            uint32_t v = neighbour(l, u, l->scanned_arcs++);
            if (l->place[v] == NOWHERE) {
                put(l, v);
                return true;
            }
        }
    }
    return false;
}

/* Breadth first from the place `head` on, up to the place `end`. */
static void grow(layout *l, int64_t head, int64_t end) {
    for (; head < l->placed && l->placed < end; head++) {
        uint32_t u = l->node[head];
        for (int64_t i = 0, d = degree(l, u); i < d && l->placed < end; i++) {
            uint32_t v = neighbour(l, u, i);
            if (l->place[v] == NOWHERE)
                put(l, v);
        }
    }
}

static void place_component(layout *l, uint32_t first, int64_t patch) {
    assert(patch > 0);
    l->scanned = l->placed;
    l->scanned_arcs = 0;
    int64_t head = l->placed;
    put(l, first);
    do {
        grow(l, head, (head / patch + 1) * patch);
        head = l->placed;
    } while (put_beside(l));
}

static dgm_status place_all(dgm_context *ctx, layout *l, int64_t patch,
                            dgmi_graph_patches *patches) {
    int64_t *starts = dgmi_scratch(ctx, l->nodes + 1, sizeof *starts);
    uint32_t *component = dgmi_scratch(ctx, l->nodes, sizeof *component);
    if (!starts || !component)
        return DGM_ERROR_MEMORY;
    int64_t count = 0;
    for (int64_t u = 0; u < l->nodes; u++)
        l->place[u] = NOWHERE;
    for (int64_t u = 0; u < l->nodes; u++) {
        if (l->place[u] != NOWHERE)
            continue;
        starts[count] = l->placed;
        place_component(l, (uint32_t)u, patch);
        for (int64_t p = starts[count]; p < l->placed; p++)
            component[p] = (uint32_t)count;
        count++;
    }
    starts[count] = l->nodes;
    assert(l->placed == l->nodes); /* every node has its place */
    patches->starts = starts;
    patches->component = component;
    patches->components = count;
    return DGM_OK;
}

/* Arcs from their ends. */
static dgm_status turn(dgm_context *ctx, int64_t nodes, dgmi_graph_arcs arcs,
                       dgmi_graph_arcs *turned) {
    dgm_graph_rows back,
        rows = {nodes, arcs.offsets[nodes], arcs.offsets, arcs.targets, arcs.lengths, true};
    dgm_status status = dgmi_graph_rows_transpose(ctx, rows, &back);
    if (status == DGM_OK)
        *turned = (dgmi_graph_arcs){
            .offsets = back.offsets, .targets = back.targets, .lengths = back.weights};
    return status;
}

typedef struct {
    int64_t *offsets;
    uint32_t *targets;
    double *lengths;
    int64_t at;
} arc_space;

static void move_row(const layout *l, dgmi_graph_arcs from, uint32_t u, arc_space *to) {
    for (int64_t e = from.offsets[u]; e < from.offsets[u + 1]; e++, to->at++) {
        to->targets[to->at] = l->place[from.targets[e]];
        if (to->lengths)
            to->lengths[to->at] = from.lengths[e];
    }
}

/* The same arcs between places, and behind each row that of `more`, unless NULL. */
static dgm_status move(dgm_context *ctx, const layout *l, dgmi_graph_arcs from,
                       const dgmi_graph_arcs *more, dgmi_graph_arcs *to) {
    int64_t entries = from.offsets[l->nodes] + (more ? more->offsets[l->nodes] : 0);
    arc_space space = {.offsets = dgmi_scratch(ctx, l->nodes + 1, sizeof *space.offsets),
                       .targets = dgmi_scratch(ctx, entries, sizeof *space.targets),
                       .lengths =
                           from.lengths ? dgmi_scratch(ctx, entries, sizeof *space.lengths) : NULL};
    if (!space.offsets || !space.targets || (from.lengths && !space.lengths))
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < l->nodes; p++) {
        space.offsets[p] = space.at;
        move_row(l, from, l->node[p], &space);
        if (more)
            move_row(l, *more, l->node[p], &space);
    }
    space.offsets[l->nodes] = space.at;
    assert(space.at == entries);
    *to = (dgmi_graph_arcs){
        .offsets = space.offsets, .targets = space.targets, .lengths = space.lengths};
    return DGM_OK;
}

static dgmi_graph_arcs borrow(const layout *l, dgmi_graph_arcs from) {
    from.node = l->node;
    from.place = l->place;
    return from;
}

/* Arcs and their reverse as they are walked, when every node has its place. */
static dgm_status lay_arcs(dgm_context *ctx, const layout *l, dgmi_graph_walk walk, int64_t most,
                           dgmi_graph_patches *patches) {
    bool both = l->directed && walk == DGMI_GRAPH_WALK_BOTH, apart = l->directed && !both;
    bool against = apart && walk == DGMI_GRAPH_WALK_AGAINST;
    if (!both && l->ahead.offsets[l->nodes] > most) {
        patches->out = borrow(l, against ? l->back : l->ahead);
        patches->in = apart ? borrow(l, against ? l->ahead : l->back) : patches->out;
        return DGM_OK;
    }
    dgm_status status = move(ctx, l, l->ahead, both ? &l->back : NULL, &patches->out);
    patches->in = patches->out;
    if (status != DGM_OK || !apart)
        return status;
    return move(ctx, l, l->back, NULL, against ? &patches->out : &patches->in);
}

static dgm_status check_lengths(dgm_context *ctx, const dgm_graph *graph, dgm_graph_rows rows) {
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.weights[e] <= 0) {
                char from[64], to[64];
                dgm_graph_name(graph, u, from, sizeof from);
                dgm_graph_name(graph, rows.targets[e], to, sizeof to);
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "weights as lengths must be above 0; the edge from %s to %s "
                                 "weighs %.6g",
                                 from, to, rows.weights[e]);
            }
    return DGM_OK;
}

dgm_status dgmi_graph_patches_make_within(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                          dgmi_graph_walk walk, bool weighted, int64_t most,
                                          dgmi_graph_patches *patches) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    weighted = weighted && rows.weights;
    if (weighted && check_lengths(ctx, graph, rows) != DGM_OK)
        return DGM_ERROR_DATA;
    int exponent = 0;
    if (weighted && dgmi_graph_weights_scale(ctx, &rows, &exponent) != DGM_OK)
        return DGM_ERROR_MEMORY;
    layout l = {.nodes = rows.nodes, .directed = rows.directed};
    DGMI_ASSERT_WALK(dgmi_rows_fit(rows.offsets, rows.targets, rows.nodes, rows.nodes));
    l.ahead = (dgmi_graph_arcs){.offsets = rows.offsets,
                                .targets = rows.targets,
                                .lengths = weighted ? rows.weights : NULL};
    l.place = dgmi_scratch(ctx, rows.nodes, sizeof *l.place);
    l.node = dgmi_scratch(ctx, rows.nodes, sizeof *l.node);
    if (!l.place || !l.node || (rows.directed && turn(ctx, l.nodes, l.ahead, &l.back) != DGM_OK))
        return DGM_ERROR_MEMORY;
    *patches = (dgmi_graph_patches){.nodes = rows.nodes, .node = l.node, .exponent = exponent};
    if (place_all(ctx, &l, patch, patches) != DGM_OK)
        return DGM_ERROR_MEMORY;
    return lay_arcs(ctx, &l, walk, most, patches);
}

/* Places, nodes and components; the transpose of a directed graph; what is moved of both. */
double dgmi_graph_patches_bytes(dgm_graph_rows rows, dgmi_graph_walk walk, bool weighted,
                                int64_t most) {
    bool both = rows.directed && walk == DGMI_GRAPH_WALK_BOTH;
    bool moved = both || rows.entries <= most;
    int64_t copies = (rows.directed ? 1 : 0) + (moved ? (rows.directed ? 2 : 1) : 0);
    double arc = weighted && rows.weights ? 12 : 4;
    return 20 * (double)rows.nodes +
           (double)copies * (8 * (double)rows.nodes + arc * (double)rows.entries);
}

dgm_status dgmi_graph_patches_make(dgm_context *ctx, const dgm_graph *graph, int64_t patch,
                                   dgmi_graph_walk walk, bool weighted,
                                   dgmi_graph_patches *patches) {
    return dgmi_graph_patches_make_within(ctx, graph, patch, walk, weighted,
                                          DGMI_GRAPH_PATCHES_MOVED, patches);
}
