/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that split while they hold too many nodes: DGM_COVER_ADAPTIVE.
 *
 * The first box is that of all values, from 0 to 1 on each axis in units of its range. A box holds
 * the nodes that lie in it after each side of length s was widened by h s at both ends, where
 * h = g / (2 (1 - g)) for the gain g of that axis. A box that holds more than `cell_size` nodes is
 * cut in the middle of its longest side; of equal sides the first is cut, and a side along which
 * all its nodes agree is never cut. If the nodes that lie in the box before it is widened agree on
 * all axes, no cut parts them, and only the other ones are counted. The boxes that are left are the
 * cells, except those in which no node lies before they are widened: other cells have all of their
 * nodes.
 *
 * Why boxes are widened by their own length: two boxes with sides a and b that have a face in
 * common then overlap across it by h (a + b), which is the gain times their mean length after they
 * were widened, a / (1 - g) and b / (1 - g). So neighbours of equal length overlap as the gain rule
 * says, and whatever nodes lie that near the face are in both cells. Why the count is that of the
 * widened box: a long box beside many short ones reaches over all of them, and is cut on until it
 * does not.
 *
 * Why the middle, not the median: a cut depends on the box alone, and a box that is cut for a
 * larger size is cut for a smaller one. So the boxes of a smaller size lie inside those of a larger
 * one, and since a shorter side is widened by less, so do the cells: they are a refinement.
 *
 * A box lies inside the box that it was cut from, widened or not. Its nodes are found among those
 * of that box, and the work is that of the memberships on each level of the cuts:
 * O((n + memberships) log cells) unless values crowd, and never the number of cells of a grid.
 */
#include "mapper_cover.h"

#include <assert.h>

#include "base_context.h"
#include "base_memory.h"

/* Positions are multiples of 2^-40, so that a box with such a side holds one of them. */
enum { MOST_HALVINGS = 40, ITEMS_A_LOOK = 1 << 20 };

/* A node that a box holds. */
typedef struct {
    uint32_t node;
    bool inside; /* it lies in the box before that is widened */
} item;

/* Boxes that are still to be looked at form a stack, the one with the lowest values on top. The
 * items of a box reach up to those of the box above it. */
typedef struct {
    int64_t begin;  /* its first item */
    int64_t inside; /* how many of its items are inside */
} box;

typedef struct {
    dgm_context *ctx;
    const dgmi_mapper_cover *cover;
    int64_t most;            /* nodes that a cell may hold */
    dgmi_mapper_span *span;  /* of each axis */
    double *reach;           /* of each axis: h */
    item *items, *low_items; /* of the boxes; of a lower half while a box is cut */
    int64_t item_count, item_room, low_room;
    box *boxes;
    double *corners;   /* of each box: its lower end on each axis */
    uint8_t *halvings; /* of each box: how often each side was halved */
    int64_t box_count, box_room, corner_room, halving_room;
    uint32_t *members; /* the nodes of the cells that are done, cell after cell */
    int64_t *starts;   /* where those of each cell begin */
    int64_t member_count, member_room, cell_count, cell_room;
    int64_t settled, looked; /* nodes inside cells that are done; items looked at */
} partition;

static void free_partition(partition *p) {
    void *const blocks[] = {p->items,    p->low_items, p->boxes, p->corners,
                            p->halvings, p->members,   p->starts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_free(p->ctx, blocks[i]);
}

static double position_of(const partition *p, uint32_t node, int64_t axis) {
    return dgmi_mapper_span_position(&p->span[axis],
                                     p->cover->values[node * p->cover->columns + axis]);
}

/* ---- boxes ---- */

/* Puts a box of no items on the stack, with the corner and the sides of the one below it; the
 * first has the corner 0 and the sides 1. */
static dgm_status push_box(partition *p) {
    int64_t axes = p->cover->columns, count = p->box_count + 1;
    dgm_status status =
        dgmi_reserve(p->ctx, (void **)&p->boxes, &p->box_room, count, sizeof *p->boxes);
    if (status == DGM_OK)
        status = dgmi_reserve(p->ctx, (void **)&p->corners, &p->corner_room, count * axes,
                              sizeof *p->corners);
    if (status == DGM_OK)
        status = dgmi_reserve(p->ctx, (void **)&p->halvings, &p->halving_room, count * axes,
                              sizeof *p->halvings);
    if (status != DGM_OK)
        return status;
    for (int64_t i = (count - 1) * axes; i < count * axes; i++) {
        p->corners[i] = count > 1 ? p->corners[i - axes] : 0;
        p->halvings[i] = count > 1 ? p->halvings[i - axes] : 0;
    }
    p->boxes[p->box_count++] = (box){.begin = p->item_count};
    return DGM_OK;
}

static void pop_box(partition *p) {
    p->item_count = p->boxes[--p->box_count].begin;
}

/* Takes the box below the uppermost away, which has no items any more. */
static void drop_below(partition *p) {
    int64_t axes = p->cover->columns, top = --p->box_count;
    p->boxes[top - 1] = p->boxes[top];
    for (int64_t i = top * axes; i < (top + 1) * axes; i++) {
        p->corners[i - axes] = p->corners[i];
        p->halvings[i - axes] = p->halvings[i];
    }
}

static bool differ_along(const partition *p, const item *items, int64_t count, int64_t axis) {
    double first = position_of(p, items[0].node, axis);
    for (int64_t i = 1; i < count; i++)
        if (position_of(p, items[i].node, axis) != first)
            return true;
    return false;
}

static bool agree(const partition *p, uint32_t u, uint32_t v) {
    for (int64_t k = 0; k < p->cover->columns; k++)
        if (position_of(p, u, k) != position_of(p, v, k))
            return false;
    return true;
}

/* How many of the items a cut could part from the others. */
static int64_t count_apart(const partition *p, const item *items, int64_t count, int64_t inside) {
    int64_t first = 0;
    while (!items[first].inside)
        first++;
    for (int64_t i = first + 1; i < count; i++)
        if (items[i].inside && !agree(p, items[first].node, items[i].node))
            return count;
    return count - inside;
}

/* The axis to cut the uppermost box along, or -1: it is a cell. */
static int64_t find_cut(const partition *p) {
    const box *top = &p->boxes[p->box_count - 1];
    const item *items = p->items + top->begin;
    int64_t axes = p->cover->columns, count = p->item_count - top->begin, best = -1;
    const uint8_t *halvings = p->halvings + (p->box_count - 1) * axes;
    if (count <= p->most || count_apart(p, items, count, top->inside) <= p->most)
        return -1;
    for (int64_t k = 0; k < axes; k++)
        if (halvings[k] < (best < 0 ? MOST_HALVINGS : halvings[best]) &&
            differ_along(p, items, count, k))
            best = k;
    return best;
}

/* ---- cuts ---- */

/* The halves of a box, widened, along the axis of the cut. Their ends are rounded as positions are,
 * so that a value on an end counts as lying on it. */
typedef struct {
    int64_t axis;
    double middle;
    double low_begin, low_end, high_begin, high_end;
} cut;

static cut make_cut(const partition *p, int64_t axis) {
    int64_t at = (p->box_count - 1) * p->cover->columns + axis;
    double corner = p->corners[at], side = ldexp(1, -p->halvings[at] - 1);
    double middle = corner + side, margin = p->reach[axis] * side;
    return (cut){.axis = axis,
                 .middle = middle,
                 .low_begin = dgmi_mapper_snap(corner - margin),
                 .low_end = dgmi_mapper_snap(middle + margin),
                 .high_begin = dgmi_mapper_snap(middle - margin),
                 .high_end = dgmi_mapper_snap(middle + side + margin)};
}

/* The last interval has its upper end, too. */
static bool holds(double begin, double end, double position) {
    return position >= begin && (position < end || end >= 1);
}

/* Deals the items of `high`, which are the last ones. Those of the upper half move together, and
 * those of the lower half go to `low_items`. Returns the number of the latter. */
static int64_t deal_items(partition *p, const cut *c, box *high, box *low) {
    int64_t kept = high->begin, low_count = 0;
    high->inside = 0;
    for (int64_t i = high->begin; i < p->item_count; i++) {
        item it = p->items[i];
        double position = position_of(p, it.node, c->axis);
        bool below = it.inside && position < c->middle, above = it.inside && !below;
        if (holds(c->low_begin, c->low_end, position))
            p->low_items[low_count++] = (item){it.node, below};
        if (holds(c->high_begin, c->high_end, position))
            p->items[kept++] = (item){it.node, above};
        low->inside += below;
        high->inside += above;
    }
    p->item_count = high->inside ? kept : high->begin;
    low->begin = p->item_count;
    return low_count;
}

/* Cuts the uppermost box. Its lower half lies on top afterwards; a half without a node inside goes.
 */
static dgm_status halve(partition *p, int64_t axis) {
    int64_t axes = p->cover->columns, count = p->item_count - p->boxes[p->box_count - 1].begin;
    cut c = make_cut(p, axis);
    p->looked += count;
    dgm_status status =
        dgmi_reserve(p->ctx, (void **)&p->low_items, &p->low_room, count, sizeof *p->low_items);
    if (status == DGM_OK)
        status = dgmi_reserve(p->ctx, (void **)&p->items, &p->item_room, p->item_count + count,
                              sizeof *p->items);
    p->halvings[(p->box_count - 1) * axes + axis]++;
    if (status == DGM_OK)
        status = push_box(p);
    if (status != DGM_OK)
        return status;
    box *high = &p->boxes[p->box_count - 2], *low = high + 1;
    p->corners[(p->box_count - 2) * axes + axis] = c.middle;
    int64_t low_count = deal_items(p, &c, high, low);
    for (int64_t i = 0; low->inside && i < low_count; i++)
        p->items[p->item_count++] = p->low_items[i];
    if (!low->inside)
        pop_box(p);
    else if (!high->inside)
        drop_below(p);
    return DGM_OK;
}

/* ---- cells ---- */

/* The uppermost box becomes a cell. */
static dgm_status close_cell(partition *p) {
    const box *done = &p->boxes[p->box_count - 1];
    int64_t count = p->item_count - done->begin;
    if (p->member_count + count > DGMI_MAPPER_MOST_SLOTS)
        return dgmi_mapper_fail_slots(p->ctx, p->cover);
    dgm_status status = dgmi_reserve(p->ctx, (void **)&p->members, &p->member_room,
                                     p->member_count + count, sizeof *p->members);
    if (status == DGM_OK)
        status = dgmi_reserve(p->ctx, (void **)&p->starts, &p->cell_room, p->cell_count + 2,
                              sizeof *p->starts);
    if (status != DGM_OK)
        return status;
    p->starts[p->cell_count++] = p->member_count;
    for (int64_t i = done->begin; i < p->item_count; i++)
        p->members[p->member_count++] = p->items[i].node;
    p->starts[p->cell_count] = p->member_count;
    p->settled += done->inside;
    p->looked += count;
    pop_box(p);
    return DGM_OK;
}

static dgm_status report(partition *p) {
    if (p->looked < ITEMS_A_LOOK)
        return DGM_OK;
    p->looked = 0;
    return dgmi_progress(p->ctx, "splitting cells", (double)p->settled / (double)p->cover->nodes);
}

/* The first box, with all nodes inside. */
static dgm_status open_partition(partition *p, const dgm_mapper_options *options) {
    const dgmi_mapper_cover *cover = p->cover;
    p->span = dgmi_scratch(p->ctx, cover->columns, sizeof *p->span);
    p->reach = dgmi_scratch(p->ctx, cover->columns, sizeof *p->reach);
    if (!p->span || !p->reach)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < cover->columns; k++) {
        double gain = dgmi_mapper_axis_overlap(options, k);
        p->span[k] = dgmi_mapper_span_make(cover->values + k, cover->nodes, cover->columns);
        p->reach[k] = gain / (2 * (1 - gain));
    }
    dgm_status status =
        dgmi_reserve(p->ctx, (void **)&p->items, &p->item_room, cover->nodes, sizeof *p->items);
    if (status == DGM_OK && cover->nodes)
        status = push_box(p);
    for (int64_t u = 0; status == DGM_OK && u < cover->nodes; u++)
        p->items[p->item_count++] = (item){(uint32_t)u, true};
    if (status == DGM_OK && cover->nodes)
        p->boxes[0].inside = cover->nodes;
    return status;
}

dgm_status dgmi_mapper_adaptive_make(dgm_context *ctx, const dgm_mapper_options *options,
                                     dgmi_mapper_cover *cover) {
    partition p = {.ctx = ctx, .cover = cover, .most = options->cell_size};
    dgm_status status = open_partition(&p, options);
    while (status == DGM_OK && p.box_count) {
        int64_t axis = find_cut(&p);
        status = axis < 0 ? close_cell(&p) : halve(&p, axis);
        if (status == DGM_OK)
            status = report(&p);
    }
    if (status == DGM_OK)
        status = dgmi_mapper_lists_make(ctx, cover->nodes, p.cell_count, p.starts, p.members,
                                        &cover->lists);
    free_partition(&p);
    return status;
}
