/* SPDX-License-Identifier: Apache-2.0 */
/* Where the cells of a cover lie, for every rule of overlap.
 *
 * The cells of a node are found by integer index from its position in steps, never by comparing
 * rounded end points. So at gain 0 every node lies in exactly one cell per axis, and no node falls
 * into a gap. Positions are rounded to 2^-40 of a step, so that a value which differs from an end
 * of a cell by rounding alone counts as lying on it. Only the rule of GUDHI keeps the rounding of
 * the other program: see mapper_gudhi.c.
 */
#include "mapper_cover.h"

#include <assert.h>
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_sort.h"
#include "table_matrix.h"

int64_t dgmi_mapper_axis_intervals(const dgm_mapper_options *options, int64_t axis) {
    int64_t k = axis < DGM_MAX_AXES ? axis : DGM_MAX_AXES - 1;
    while (k > 0 && options->intervals[k] <= 0)
        k--;
    return options->intervals[k];
}

double dgmi_mapper_axis_overlap(const dgm_mapper_options *options, int64_t axis) {
    int64_t k = axis < DGM_MAX_AXES ? axis : DGM_MAX_AXES - 1;
    while (k > 0 && options->overlap[k] < 0)
        k--;
    return options->overlap[k];
}

/* floor and ceil of numbers far below 2^63, without the library call. */
static int64_t floor_of(double x) {
    int64_t whole = (int64_t)x;
    return whole - ((double)whole > x);
}

static int64_t ceil_of(double x) {
    int64_t whole = (int64_t)x;
    return whole + ((double)whole < x);
}

static int64_t clamp(int64_t cell, int64_t cells) {
    assert(cells > 0);
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

void dgmi_mapper_axis_locate(const dgmi_mapper_axis *axis, double value, int64_t *first,
                             int64_t *last) {
    assert(axis->cells > 0 && !isnan(value));
    *first = 0;
    *last = axis->cells - 1;
    if (axis->cells == 1 || axis->whole)
        return;
    if (axis->gudhi.used) {
        dgmi_mapper_gudhi_locate(&axis->gudhi, axis->cells, value, first, last);
        return;
    }
    /* The product first: where the step divides the range exactly, ends stay exact. */
    double position = dgmi_mapper_snap(
        (value * axis->shrink - axis->low) * axis->scale / axis->range + axis->start);
    double behind = dgmi_mapper_snap(position - axis->length);
    *last = clamp(axis->owns_low ? floor_of(position) : ceil_of(position) - 1, axis->cells);
    *first = clamp(axis->owns_high ? ceil_of(behind) : floor_of(behind) + 1, axis->cells);
    if (*first > *last) /* an overlap too small for the grid of positions */
        *first = *last = clamp(floor_of(position), axis->cells);
}

/* REFERENCE: gain g = overlap of neighbours / length. */
static void set_rule(dgmi_mapper_axis *axis, int rule, double overlap) {
    double n = (double)axis->cells, length = 1 / (1 - overlap);
    axis->owns_low = rule != DGM_RULE_GIOTTO;
    axis->owns_high = rule == DGM_RULE_DGM || rule == DGM_RULE_KEPLER || rule == DGM_RULE_MOG;
    axis->scale = n;
    switch (rule) {
    case DGM_RULE_GAIN: /* the first interval starts at the minimum, the last ends at the maximum */
    case DGM_RULE_GIOTTO:
        axis->scale = n - 1 + length;
        axis->start = 0;
        axis->length = length;
        break;
    case DGM_RULE_KEPLER: /* centred on n equal pieces, outer ends stick out */
    case DGM_RULE_GUDHI:
        axis->start = length / 2 - 0.5;
        axis->length = length;
        axis->whole = overlap >= 1;
        break;
    case DGM_RULE_DGM: /* [k/n - p/(n+1), (k+1)/n + p/(n+1)] of the unit interval */
        axis->start = overlap * n / (n + 1);
        axis->length = 1 + 2 * axis->start;
        break;
    default: /* DGM_RULE_MOG: each side grows by p of a piece */
        axis->start = overlap;
        axis->length = 1 + 2 * overlap;
        break;
    }
}

double dgmi_mapper_shrink(double range, double scale) {
    if (range > 0 && range < 0x1p-900)
        return 0x1p600;
    return isfinite(range * scale) ? 1 : 0x1p-64;
}

static void find_ends(const double *values, int64_t count, int64_t stride, double *low,
                      double *high) {
    *low = *high = count ? values[0] : 0;
    for (int64_t i = 0; i < count; i++) {
        double value = values[i * stride];
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

dgmi_mapper_span dgmi_mapper_span_make(const double *values, int64_t count, int64_t stride) {
    double low, high;
    find_ends(values, count, stride, &low, &high);
    double shrink = dgmi_mapper_shrink(high - low, 1);
    return (dgmi_mapper_span){.low = low * shrink,
                              .range = high * shrink - low * shrink,
                              .shrink = shrink,
                              .constant = dgmi_table_is_constant(low, high)};
}

static dgmi_mapper_axis make_axis(const double *values, int64_t count, int64_t stride,
                                  const dgm_mapper_options *options, int64_t k) {
    double low, high;
    find_ends(values, count, stride, &low, &high);
    dgmi_mapper_axis axis = {.cells = dgmi_mapper_axis_intervals(options, k)};
    set_rule(&axis, options->rule, dgmi_mapper_axis_overlap(options, k));
    axis.shrink = dgmi_mapper_shrink(high - low, axis.scale);
    axis.low = low * axis.shrink;
    axis.range = high * axis.shrink - low * axis.shrink;
    if (dgmi_table_is_constant(low, high))
        axis.cells = 1;
    if (options->rule == DGM_RULE_GUDHI)
        axis.gudhi =
            dgmi_mapper_gudhi_make(low, high, axis.cells, dgmi_mapper_axis_overlap(options, k));
    return axis;
}

/* Replaces a column by mid-ranks: the mean rank of the values equal to it, so ties stay together.
 */
static dgm_status rank_column(dgm_context *ctx, const double *values, int64_t count, int64_t stride,
                              double *ranks) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint64_t *keys = dgmi_scratch(ctx, count, sizeof *keys);
    uint32_t *nodes = dgmi_scratch(ctx, count, sizeof *nodes);
    dgm_status status = keys && nodes ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        keys[i] = dgmi_sort_key(values[i * stride]);
        nodes[i] = (uint32_t)i;
    }
    if (status == DGM_OK)
        status = dgmi_sort_pairs(ctx, keys, nodes, count);
    for (int64_t begin = 0, end; status == DGM_OK && begin < count; begin = end) {
        for (end = begin + 1; end < count && keys[end] == keys[begin];)
            end++;
        for (int64_t i = begin; i < end; i++)
            ranks[(int64_t)nodes[i] * stride] = (double)(begin + end - 1) / 2;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status check_simplex(dgm_context *ctx, const dgm_matrix *lens) {
    const double *values = dgm_matrix_values(lens);
    int64_t columns = dgm_matrix_columns(lens);
    for (int64_t i = 0; i < dgm_matrix_rows(lens) * columns; i++)
        if (values[i] < 0)
            return dgmi_fail(
                ctx, DGM_ERROR_DATA,
                "the simplex cover needs a soft assignment, no entry below 0; row %lld, "
                "column %lld is %.6g",
                (long long)(i / columns + 1), (long long)(i % columns + 1), values[i]);
    return DGM_OK;
}

static dgm_status make_axes(dgm_context *ctx, const dgm_matrix *lens,
                            const dgm_mapper_options *options, dgmi_mapper_cover *cover) {
    cover->axis = dgmi_scratch(ctx, cover->axes, sizeof *cover->axis);
    if (!cover->axis)
        return DGM_ERROR_MEMORY;
    if (cover->kind == DGM_COVER_QUANTILE) {
        double *ranks = dgmi_scratch(ctx, cover->nodes * cover->columns, sizeof *ranks);
        if (!ranks)
            return DGM_ERROR_MEMORY;
        for (int64_t k = 0; k < cover->columns; k++)
            if (rank_column(ctx, dgm_matrix_values(lens) + k, cover->nodes, cover->columns,
                            ranks + k) != DGM_OK)
                return DGM_ERROR_MEMORY;
        cover->values = ranks;
    }
    for (int64_t k = 0; k < cover->axes; k++) {
        cover->axis[k] = make_axis(cover->values + k, cover->nodes, cover->columns, options, k);
        /* Ranks of a constant lens are ranks of its rounding errors. */
        const double *column = dgm_matrix_values(lens) + k;
        if (cover->values != dgm_matrix_values(lens) &&
            make_axis(column, cover->nodes, cover->columns, options, k).cells == 1)
            cover->axis[k].cells = 1;
    }
    bool closed = false;
    for (int64_t k = 0; k < cover->axes; k++)
        closed = closed || dgmi_mapper_axis_overlap(options, k) >= 0.5;
    for (int64_t k = 0; k < cover->axes; k++)
        cover->axis[k].gudhi.closed = closed;
    return DGM_OK;
}

/* Counting sort by node; cells are met in ascending order. Placing shifts starts by one node. */
dgm_status dgmi_mapper_lists_make(dgm_context *ctx, int64_t nodes, int64_t cells,
                                  const int64_t *starts, const uint32_t *members,
                                  dgmi_mapper_lists *lists) {
    int64_t slots = cells ? starts[cells] : 0;
    uint32_t *offsets = dgmi_scratch_zero(ctx, nodes + 2, sizeof *offsets);
    uint32_t *cell = dgmi_scratch(ctx, slots, sizeof *cell);
    if (!offsets || !cell)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < slots; i++)
        offsets[members[i] + 2]++;
    for (int64_t u = 0; u < nodes; u++)
        offsets[u + 2] += offsets[u + 1];
    for (int64_t c = 0; c < cells; c++)
        for (int64_t i = starts[c]; i < starts[c + 1]; i++)
            cell[offsets[members[i] + 1]++] = (uint32_t)c;
    *lists = (dgmi_mapper_lists){cells, offsets, cell};
    return DGM_OK;
}

dgm_status dgmi_mapper_cover_make(dgm_context *ctx, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgmi_mapper_cover *cover) {
    *cover = (dgmi_mapper_cover){.kind = options->cover,
                                 .nodes = dgm_matrix_rows(lens),
                                 .axes = 1,
                                 .columns = dgm_matrix_columns(lens),
                                 .values = dgm_matrix_values(lens),
                                 .given = options->given,
                                 .given_count = options->given_count,
                                 .given_top = -INFINITY};
    switch (options->cover) {
    case DGM_COVER_SIMPLEX:
        return check_simplex(ctx, lens);
    case DGM_COVER_INTERVALS:
        if (cover->columns != 1)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "given intervals cover one axis, and this lens has %lld",
                             (long long)cover->columns);
        for (int64_t k = 0; k < cover->given_count; k++)
            cover->given_top = fmax(cover->given_top, cover->given[k].high);
        return DGM_OK;
    case DGM_COVER_ADAPTIVE:
        return dgmi_mapper_adaptive_make(ctx, options, cover);
    case DGM_COVER_GMEANS:
        return dgmi_mapper_gmeans_make(ctx, options, cover);
    case DGM_COVER_CMO: /* whoever has a graph has resolved it */
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the cover cmo needs the edges of a graph");
    case DGM_COVER_PARTS: /* dgmi_mapper_parts_make */
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the cover of parts needs the edges of a graph");
    case DGM_COVER_BALLS:
        return dgmi_mapper_balls_make(ctx, options, cover);
    case DGM_COVER_LANDMARKS:
        return dgmi_mapper_landmarks_make(ctx, options, cover);
    default:
        cover->axes = cover->columns;
        return make_axes(ctx, lens, options, cover);
    }
}

/* ---- cells that share nothing ---- */

/* Whether nodes lie in several cells of the axis, and none of them in two at once. */
static bool is_apart(const dgmi_mapper_cover *cover, int64_t axis) {
    int64_t lowest = INT64_MAX, highest = -1, first, last;
    for (int64_t u = 0; u < cover->nodes; u++) {
        dgmi_mapper_axis_locate(&cover->axis[axis], cover->values[u * cover->columns + axis],
                                &first, &last);
        if (first < last)
            return false;
        lowest = first < lowest ? first : lowest;
        highest = first > highest ? first : highest;
    }
    return lowest < highest;
}

dgm_status dgmi_mapper_cover_note_apart(dgm_context *ctx, const dgm_matrix *lens,
                                        const dgm_mapper_options *options) {
    bool product = options->cover == DGM_COVER_UNIFORM || options->cover == DGM_COVER_QUANTILE;
    if (!product || options->edges != DGM_EDGES_NERVE)
        return DGM_OK;
    dgmi_mapper_cover cover;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_mapper_cover_make(ctx, lens, options, &cover);
    for (int64_t k = 0; status == DGM_OK && k < cover.axes; k++)
        if (dgmi_mapper_axis_overlap(options, k) > 0 && is_apart(&cover, k))
            dgmi_note(ctx,
                      "no node lies where cells of '%s' overlap, as with whole numbers: clusters "
                      "of different cells share nothing and are not joined along it; " DGMI_NAMED(
                          "edges=structural") " "
                                              "joins them by edges of the graph, or try "
                                              "fewer " DGMI_NAMED("intervals") " or "
                                                                               "more " DGMI_NAMED(
                                                                                   "overlap"),
                      dgm_matrix_column_name(lens, k));
    dgmi_arena_release(ctx, hold);
    return status;
}
