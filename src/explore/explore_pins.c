/* SPDX-License-Identifier: Apache-2.0 */
/* The question `pin`: marks that stay where a person put them. A pin remembers the members of its
 * cluster, and holds the cluster of a later picture that has most of them. */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "draw_view.h"
#include "explore_nodes.h"
#include "workspace_workspace.h"

enum { MOST_PINS = 256 };

struct dgmi_explore_pin {
    double x, y;
    int64_t count;
    uint32_t *nodes;
};

void dgmi_explore_pins_free(dgm_explorer *explorer) {
    for (int64_t i = 0; i < explorer->pin_count; i++)
        dgmi_allocator_free(&explorer->allocator, explorer->pins[i].nodes);
    dgmi_allocator_free(&explorer->allocator, explorer->pins);
    explorer->pins = NULL;
    explorer->pin_count = 0;
}

/* ---- which cluster a pin holds ---- */

/* Counts the nodes of each pin in a cluster and finds the pin that has most of them, if these are
 * most of the cluster or of the pin. Returns -1 if there is none. `counts` is zero before and after. */
static int64_t find_pin(const dgm_explorer *explorer, const uint16_t *pin_of, uint32_t *counts,
                        dgmi_explore_nodes of) {
    int64_t best = -1;
    for (int64_t i = 0; i < of.count; i++) {
        int64_t pin = (int64_t)pin_of[of.list[i]] - 1;
        if (pin < 0)
            continue;
        counts[pin]++;
        if (best < 0 || counts[pin] > counts[best] || (counts[pin] == counts[best] && pin < best))
            best = pin;
    }
    bool most = best >= 0 && (2 * (int64_t)counts[best] > of.count ||
                              2 * (int64_t)counts[best] > explorer->pins[best].count);
    for (int64_t i = 0; i < explorer->pin_count; i++)
        if (!most || i != best)
            counts[i] = 0;
    return most ? best : -1;
}

dgm_status dgmi_explore_pins_find(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_shown *shown, int64_t **out) {
    const int64_t clusters = shown->clusters.count;
    int64_t *held = dgmi_scratch(ctx, explorer->pin_count, sizeof *held);
    uint32_t *most = dgmi_scratch_zero(ctx, explorer->pin_count, sizeof *most);
    uint32_t *counts = dgmi_scratch_zero(ctx, explorer->pin_count, sizeof *counts);
    uint16_t *pin_of = dgmi_scratch_zero(ctx, dgm_graph_nodes(explorer->graph), sizeof *pin_of);
    *out = held;
    if (!held || !most || !counts || !pin_of)
        return DGM_ERROR_MEMORY;
    for (int64_t p = explorer->pin_count; p-- > 0;) { /* the first pin of a node counts */
        held[p] = -1;
        for (int64_t i = 0; i < explorer->pins[p].count; i++)
            pin_of[explorer->pins[p].nodes[i]] = (uint16_t)(p + 1);
    }
    for (int64_t c = 0; c < clusters; c++) {
        if (!dgmi_draw_view_is_plain(shown->view, c))
            continue;
        int64_t pin = find_pin(explorer, pin_of, counts, dgmi_explore_nodes_of(shown, c));
        if (pin >= 0 && counts[pin] > most[pin]) {
            most[pin] = counts[pin];
            held[pin] = c;
        }
        if (pin >= 0)
            counts[pin] = 0;
    }
    return DGM_OK;
}

dgm_status dgmi_explore_pins_hold(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_shown *shown) {
    dgm_view *view = explorer->workspace->view;
    int64_t *held;
    if (explorer->pin_count == 0)
        return DGM_OK;
    dgm_status status = dgmi_explore_pins_find(ctx, explorer, shown, &held);
    for (int64_t p = 0; status == DGM_OK && p < explorer->pin_count; p++)
        if (held[p] >= 0) {
            view->x[held[p]] = explorer->pins[p].x;
            view->y[held[p]] = explorer->pins[p].y;
        }
    return status;
}

dgm_status dgmi_explore_put_pinned(dgm_context *ctx, const dgm_explorer *explorer,
                                   const dgmi_explore_shown *shown, const dgmi_explore_marks *m,
                                   dgmi_explore_answer *answer) {
    uint8_t *pinned = dgmi_scratch_zero(ctx, m->count, sizeof *pinned);
    int64_t *held = NULL;
    if (!pinned)
        return DGM_ERROR_MEMORY;
    dgm_status status =
        explorer->pin_count ? dgmi_explore_pins_find(ctx, explorer, shown, &held) : DGM_OK;
    for (int64_t p = 0; status == DGM_OK && p < explorer->pin_count; p++)
        if (held[p] >= 0)
            pinned[m->mark[held[p]]] = 1;
    if (status == DGM_OK)
        dgmi_explore_octets(answer, "pinned", pinned, m->count);
    return status;
}

/* ---- the question ---- */

static void take_out(dgm_explorer *explorer, int64_t pin) {
    dgmi_allocator_free(&explorer->allocator, explorer->pins[pin].nodes);
    explorer->pin_count--;
    memmove(explorer->pins + pin, explorer->pins + pin + 1,
            (size_t)(explorer->pin_count - pin) * sizeof *explorer->pins);
}

/* Takes the pin out that holds a cluster. */
static dgm_status let_go(dgm_context *ctx, dgm_explorer *explorer, const dgmi_explore_shown *shown,
                         int64_t cluster) {
    int64_t *held;
    if (explorer->pin_count == 0)
        return DGM_OK;
    dgm_status status = dgmi_explore_pins_find(ctx, explorer, shown, &held);
    for (int64_t p = explorer->pin_count; status == DGM_OK && p-- > 0;)
        if (held[p] == cluster)
            take_out(explorer, p);
    return status;
}

static dgm_status add_pin(dgm_context *ctx, dgm_explorer *explorer, const dgmi_explore_shown *shown,
                          int64_t cluster, double x, double y) {
    dgmi_explore_nodes of = dgmi_explore_nodes_of(shown, cluster);
    if (explorer->pin_count == MOST_PINS)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d marks are pinned: let some of them go",
                         MOST_PINS);
    if (!explorer->pins)
        explorer->pins = dgmi_alloc(ctx, MOST_PINS, sizeof *explorer->pins);
    uint32_t *nodes = explorer->pins ? dgmi_alloc(ctx, of.count, sizeof *nodes) : NULL;
    if (!nodes)
        return DGM_ERROR_MEMORY;
    memcpy(nodes, of.list, (size_t)of.count * sizeof *nodes);
    explorer->pins[explorer->pin_count++] = (struct dgmi_explore_pin){x, y, of.count, nodes};
    return DGM_OK;
}

static dgm_status read_place(dgm_context *ctx, const dgmi_explore_query *query, const char *name,
                             double *out) {
    const char *text = dgmi_explore_query_find(query, name);
    if (!text || !dgmi_parse_real(text, strlen(text), out) || !(fabs(*out) < 1e6))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the question needs " DGMI_NAMED("%s") ", a place on the map", name);
    return DGM_OK;
}

/* Puts a mark to its place and keeps it there. */
static dgm_status put_pin(dgm_context *ctx, dgm_explorer *explorer, const dgmi_explore_shown *shown,
                          const dgmi_explore_query *query, int64_t cluster) {
    double x, y;
    dgm_status status = read_place(ctx, query, "x", &x);
    if (status == DGM_OK)
        status = read_place(ctx, query, "y", &y);
    if (status == DGM_OK && !dgmi_draw_view_is_plain(shown->view, cluster))
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "a mark of dust stays with its cluster");
    if (status == DGM_OK)
        status = let_go(ctx, explorer, shown, cluster);
    if (status == DGM_OK)
        status = add_pin(ctx, explorer, shown, cluster, x, y);
    return status == DGM_OK ? dgmi_explore_pins_hold(ctx, explorer, shown) : status;
}

dgm_status dgmi_explore_pin(dgm_context *ctx, dgm_explorer *explorer,
                            const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    const bool all = !dgmi_explore_query_find(query, "cluster");
    dgmi_explore_shown shown;
    int64_t cluster = -1, off;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_query_integer(ctx, query, "off", 0, 1, 0, &off);
    if (status == DGM_OK && !(all && off))
        status = dgmi_explore_cluster_of(ctx, &shown, query, "cluster", &cluster);
    if (status != DGM_OK)
        return status;
    if (all)
        dgmi_explore_pins_free(explorer);
    else
        status = off ? let_go(ctx, explorer, &shown, cluster)
                     : put_pin(ctx, explorer, &shown, query, cluster);
    if (status == DGM_OK)
        status = dgmi_explore_remember_places(ctx, explorer, &shown);
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "pins", explorer->pin_count);
    return status;
}
