/* SPDX-License-Identifier: Apache-2.0 */
/* Finds for each cluster of a summary its parent in a coarser summary of the same graph and lens.
 *
 * This is why fine cell j lies in coarse cell i = floor(j / k). Take the gain rule, the range 1,
 * a = 1 - g, n coarse and kn fine intervals, and j = ki + r. Cell i is [i a L, i a L + L] with
 * L = 1 / (na + g).
 *   low ends:  (ki + r) a / (kna + g) - i a / (na + g)
 *              has the sign of (k - 1) i g + r (na + g) >= 0;
 *   high ends: the difference has, for the worst r = k - 1,
 *              the sign of (k - 1) a g (n - 1 - i) >= 0.
 * At equal n, the low end i a / (na + g) falls and the high end 1 - (n - 1 - i) a / (na + g)
 * rises with g. Under the centred rules the centres of k pieces lie inside their whole, and lengths
 * shrink by k. So k times the intervals with no larger overlap is a refinement. So is an adaptive
 * cover of a smaller size (mapper_adaptive.c says why). Filters, other
 * clusterings and rounding at the ends may break this for clusters, so their members are always
 * compared as well.
 */
#include "mapper_tower.h"
#include "mapper_summary.h"
#include "mapper_words.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

typedef struct {
    dgm_step_kind kind;
    int64_t fine, coarse;
    uint32_t *parent;
    double *share;
    int64_t *offsets;
    uint32_t *children;
} step;

struct dgm_tower {
    dgm_allocator allocator;
    int64_t step_count;
    step *steps;
    int64_t run_count;
    dgm_tower_run *runs;
};

void dgm_tower_free(dgm_tower *tower) {
    if (!tower)
        return;
    dgm_allocator allocator = tower->allocator;
    for (int64_t i = 0; tower->steps && i < tower->step_count; i++) {
        dgmi_allocator_free(&allocator, tower->steps[i].parent);
        dgmi_allocator_free(&allocator, tower->steps[i].share);
        dgmi_allocator_free(&allocator, tower->steps[i].offsets);
        dgmi_allocator_free(&allocator, tower->steps[i].children);
    }
    for (int64_t i = 0; tower->runs && i < tower->run_count; i++)
        dgmi_allocator_free(&allocator, (void *)tower->runs[i].bars);
    dgmi_allocator_free(&allocator, tower->steps);
    dgmi_allocator_free(&allocator, tower->runs);
    dgmi_allocator_free(&allocator, tower);
}

int64_t dgm_tower_steps(const dgm_tower *tower) {
    return tower->step_count;
}

dgm_step dgm_tower_get_step(const dgm_tower *tower, int64_t index) {
    assert(index >= 0 && index < tower->step_count);
    const step *s = &tower->steps[index];
    return (dgm_step){s->kind, s->fine, s->coarse, s->parent, s->share, s->offsets, s->children};
}

const dgm_tower_run *dgm_tower_runs(const dgm_tower *tower, int64_t *count) {
    *count = tower->run_count;
    return tower->runs;
}

/* ---- one step ---- */

typedef struct {
    dgm_context *ctx;
    const dgm_summary *fine, *coarse;
    dgm_summary_clusters from, to;
    dgm_membership_rows rows; /* of the coarse summary */
} pair;

/* How many fine cells of an axis lie in a coarse one; 0: the cells do not nest. */
static int64_t nesting(const pair *p, int64_t axis) {
    const dgm_mapper_options *fine = dgm_summary_options(p->fine);
    const dgm_mapper_options *coarse = dgm_summary_options(p->coarse);
    if (!dgmi_mapper_cover_is_grid(fine->cover) || fine->cover != coarse->cover ||
        fine->rule != coarse->rule)
        return 0;
    int64_t many = dgmi_mapper_axis_intervals(fine, axis),
            few = dgmi_mapper_axis_intervals(coarse, axis);
    bool nested = many % few == 0 &&
                  dgmi_mapper_axis_overlap(fine, axis) <= dgmi_mapper_axis_overlap(coarse, axis);
    return nested ? many / few : 0;
}

/* Whether the fine cells are adaptive ones that were cut further. They are numbered through, so
 * their numbers do not say which coarse cell is around them. The members do: where a coarse cluster
 * has them all, clusters that share a node have parents that share it, whichever parents are taken.
 */
static bool cut_further(const pair *p) {
    const dgm_mapper_options *fine = dgm_summary_options(p->fine);
    const dgm_mapper_options *coarse = dgm_summary_options(p->coarse);
    bool further = fine->cover == DGM_COVER_ADAPTIVE && coarse->cover == DGM_COVER_ADAPTIVE &&
                   fine->cell_size <= coarse->cell_size;
    for (int64_t k = 0; further && k < p->from.dimension && k < DGM_MAX_AXES; k++)
        further = dgmi_mapper_axis_overlap(fine, k) == dgmi_mapper_axis_overlap(coarse, k);
    return further;
}

/* factor NULL: the cells are not looked at. */
static bool cell_inside(const pair *p, const int64_t *factor, int64_t small, int64_t large) {
    int64_t axes = factor ? p->from.axes : 0;
    for (int64_t a = 0; a < axes; a++)
        if (p->from.cells[small * axes + a] / factor[a] != p->to.cells[large * axes + a])
            return false;
    return true;
}

static bool holds(const dgm_membership_rows *rows, uint32_t node, uint32_t cluster) {
    for (int64_t i = rows->offsets[node]; i < rows->offsets[node + 1]; i++)
        if (rows->columns[i] == cluster)
            return true;
    return false;
}

/* The coarse cluster of the cell around it that has all its members, or DGM_NO_PARENT. */
static uint32_t find_parent(const pair *p, const int64_t *factor, int64_t cluster) {
    const uint32_t *begin = p->from.members + p->from.offsets[cluster];
    const uint32_t *end = p->from.members + p->from.offsets[cluster + 1];
    assert(begin < end); /* no cluster is empty */
    for (int64_t i = p->rows.offsets[*begin]; i < p->rows.offsets[*begin + 1]; i++) {
        uint32_t parent = p->rows.columns[i];
        if (!cell_inside(p, factor, cluster, parent))
            continue;
        const uint32_t *member = begin;
        while (member < end && holds(&p->rows, *member, parent))
            member++;
        if (member == end)
            return parent;
    }
    return DGM_NO_PARENT;
}

/* True if every fine cluster has found its parent. */
static dgm_status refine(const pair *p, step *s, bool *refined) {
    dgmi_hold hold = dgmi_arena_hold(p->ctx);
    int64_t *factor = dgmi_scratch(p->ctx, p->from.axes, sizeof *factor);
    if (!factor)
        return DGM_ERROR_MEMORY;
    bool further = cut_further(p);
    *refined = p->from.axes == p->to.axes;
    for (int64_t a = 0; *refined && !further && a < p->from.axes; a++) {
        factor[a] = nesting(p, a);
        *refined = factor[a] > 0;
    }
    for (int64_t c = 0; *refined && c < p->from.count; c++) {
        s->parent[c] = find_parent(p, further ? NULL : factor, c);
        s->share[c] = 1;
        *refined = s->parent[c] != DGM_NO_PARENT;
    }
    dgmi_arena_release(p->ctx, hold);
    return DGM_OK;
}

/* The coarse cluster with most of the members, of equals the smaller number. count: zeros, by
 * coarse cluster, and zeros again at the end. */
static uint32_t most_shared(const pair *p, int64_t cluster, int64_t *count, int64_t *most) {
    uint32_t best = DGM_NO_PARENT;
    int64_t begin = p->from.offsets[cluster], end = p->from.offsets[cluster + 1];
    *most = 0;
    for (int64_t m = begin; m < end; m++) {
        uint32_t node = p->from.members[m];
        for (int64_t i = p->rows.offsets[node]; i < p->rows.offsets[node + 1]; i++) {
            uint32_t candidate = p->rows.columns[i];
            int64_t shared = ++count[candidate];
            if (shared > *most || (shared == *most && candidate < best)) {
                best = candidate;
                *most = shared;
            }
        }
    }
    for (int64_t m = begin; m < end; m++) {
        uint32_t node = p->from.members[m];
        for (int64_t i = p->rows.offsets[node]; i < p->rows.offsets[node + 1]; i++)
            count[p->rows.columns[i]] = 0;
    }
    return best;
}

static dgm_status match(const pair *p, step *s) {
    dgmi_hold hold = dgmi_arena_hold(p->ctx);
    int64_t *count = dgmi_scratch_zero(p->ctx, p->to.count, sizeof *count), most;
    if (!count)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < p->from.count; c++) {
        s->parent[c] = most_shared(p, c, count, &most);
        s->share[c] = (double)most / (double)(p->from.offsets[c + 1] - p->from.offsets[c]);
    }
    dgmi_arena_release(p->ctx, hold);
    return DGM_OK;
}

static void list_children(step *s) {
    for (int64_t c = 0; c < s->fine; c++)
        if (s->parent[c] != DGM_NO_PARENT)
            s->offsets[s->parent[c] + 1]++;
    for (int64_t k = 0; k < s->coarse; k++)
        s->offsets[k + 1] += s->offsets[k];
    for (int64_t c = 0; c < s->fine; c++) /* placing shifts starts by one parent */
        if (s->parent[c] != DGM_NO_PARENT)
            s->children[s->offsets[s->parent[c]]++] = (uint32_t)c;
    memmove(s->offsets + 1, s->offsets, (size_t)s->coarse * sizeof *s->offsets);
    s->offsets[0] = 0;
}

static dgm_status make_step(dgm_context *ctx, const dgm_summary *fine, const dgm_summary *coarse,
                            step *s) {
    pair p = {.ctx = ctx,
              .fine = fine,
              .coarse = coarse,
              .from = dgm_summary_get_clusters(fine),
              .to = dgm_summary_get_clusters(coarse)};
    dgm_membership *membership;
    bool refined = false;
    s->fine = p.from.count;
    s->coarse = p.to.count;
    s->parent = dgmi_alloc(ctx, s->fine, sizeof *s->parent);
    s->share = dgmi_alloc(ctx, s->fine, sizeof *s->share);
    s->offsets = dgmi_alloc_zero(ctx, s->coarse + 1, sizeof *s->offsets);
    s->children = dgmi_alloc(ctx, s->fine, sizeof *s->children);
    if (!s->parent || !s->share || !s->offsets || !s->children)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgm_membership_from_summary(ctx, coarse, DGM_MEMBERSHIP_ONES, &membership);
    if (status != DGM_OK)
        return status;
    p.rows = dgm_membership_get_rows(membership);
    status = refine(&p, s, &refined);
    s->kind = refined ? DGM_STEP_REFINEMENT : DGM_STEP_MATCHING;
    if (status == DGM_OK && !refined)
        status = match(&p, s);
    if (status == DGM_OK)
        list_children(s);
    dgm_membership_free(membership);
    return status;
}

/* ---- the tower ---- */

static dgm_status check_alike(dgm_context *ctx, const dgm_summary *a, const dgm_summary *b) {
    int64_t dimension = dgm_summary_get_clusters(a).dimension;
    bool alike = dgm_summary_get_coverage(a).nodes == dgm_summary_get_coverage(b).nodes &&
                 dimension == dgm_summary_get_clusters(b).dimension;
    for (int64_t k = 0; alike && k < dimension; k++) {
        double low[2], high[2];
        dgm_summary_lens_range(a, k, &low[0], &high[0]);
        dgm_summary_lens_range(b, k, &low[1], &high[1]);
        alike = low[0] == low[1] && high[0] == high[1];
    }
    return alike ? DGM_OK
                 : dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "a tower is of summaries of one graph through one lens");
}

/* Runs of refinements, and their persistence. */
static dgm_status make_runs(dgm_context *ctx, const dgm_summary *const *summaries, int64_t count,
                            dgm_tower *tower) {
    dgm_status status = DGM_OK;
    const uint32_t **maps = dgmi_alloc(ctx, count, sizeof *maps);
    tower->runs = dgmi_alloc_zero(ctx, count, sizeof *tower->runs);
    if (!maps || !tower->runs)
        status = DGM_ERROR_MEMORY;
    for (int64_t first = 0, last; status == DGM_OK && first < count; first = last + 1) {
        for (last = first; last + 1 < count && tower->steps[last].kind == DGM_STEP_REFINEMENT;
             last++)
            maps[last] = tower->steps[last].parent;
        if (last == first)
            continue;
        dgm_tower_run *run = &tower->runs[tower->run_count];
        dgmi_mapper_bars bars = {0};
        *run = (dgm_tower_run){.first = first, .last = last};
        status = dgmi_mapper_persistence(ctx, summaries + first, maps + first, last - first + 1,
                                         first, &bars, &run->loops_known);
        run->bars = bars.list;
        run->bar_count = bars.count;
        tower->run_count++;
    }
    dgmi_free(ctx, (void *)maps);
    return status;
}

dgm_status dgm_tower_create(dgm_context *ctx, const dgm_summary *const *summaries, int64_t count,
                            dgm_tower **out) {
    *out = NULL;
    if (count < 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a tower of %lld summaries is not possible",
                         (long long)count);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        status = dgmi_mapper_summary_check_members(ctx, summaries[i]);
    for (int64_t i = 1; status == DGM_OK && i < count; i++)
        status = check_alike(ctx, summaries[0], summaries[i]);
    if (status != DGM_OK)
        return status;
    dgm_tower *tower = dgmi_alloc_zero(ctx, 1, sizeof *tower);
    if (!tower)
        return DGM_ERROR_MEMORY;
    tower->allocator = ctx->allocator;
    tower->step_count = count > 0 ? count - 1 : 0;
    tower->steps = dgmi_alloc_zero(ctx, tower->step_count, sizeof *tower->steps);
    if (!tower->steps)
        status = DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < tower->step_count; i++)
        status = make_step(ctx, summaries[i], summaries[i + 1], &tower->steps[i]);
    if (status == DGM_OK)
        status = make_runs(ctx, summaries, count, tower);
    if (status != DGM_OK) {
        dgm_tower_free(tower);
        return status;
    }
    *out = tower;
    return DGM_OK;
}
