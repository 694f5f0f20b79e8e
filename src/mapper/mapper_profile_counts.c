/* SPDX-License-Identifier: Apache-2.0 */
/* Counts codes among the members of each cluster. A code is a class or a text of an attribute. */
#include "mapper_profile.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { STEP = 1 << 12 }; /* clusters between two looks at the clock */

static dgm_status step(dgm_context *ctx, int64_t cluster) {
    return cluster % STEP ? DGM_OK : dgmi_progress(ctx, "looking at the members", -1);
}

typedef struct {
    dgm_context *ctx;
    const int32_t *codes; /* one per node, -1: none */
    int64_t classes;
    int32_t *found;  /* codes of one cluster */
    int64_t *number; /* by code, all zero between clusters; NULL: more classes than members */
    int64_t capacity, used;
    dgmi_mapper_counts *out;
} tally;

static int compare_codes(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static dgm_status put_pair(tally *t, int32_t code, int64_t count) {
    int64_t room = t->capacity;
    dgm_status status =
        dgmi_reserve(t->ctx, (void **)&t->out->values, &room, t->used + 1, sizeof *t->out->values);
    if (status == DGM_OK)
        status = dgmi_reserve(t->ctx, (void **)&t->out->counts, &t->capacity, t->used + 1,
                              sizeof *t->out->counts);
    if (status == DGM_OK) {
        t->out->values[t->used] = code;
        t->out->counts[t->used++] = count;
    }
    return status;
}

/* For clusters with at least as many members as there are classes. */
static dgm_status put_by_counting(tally *t, int64_t found) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < found; i++)
        t->number[t->found[i]]++;
    for (int64_t c = 0; c < t->classes; c++) {
        if (t->number[c] && status == DGM_OK)
            status = put_pair(t, (int32_t)c, t->number[c]);
        t->number[c] = 0;
    }
    return status;
}

static dgm_status put_by_sorting(tally *t, int64_t found) {
    dgm_status status = DGM_OK;
    if (found > 1)
        qsort(t->found, (size_t)found, sizeof *t->found, compare_codes);
    for (int64_t i = 0, next; i < found && status == DGM_OK; i = next) {
        for (next = i + 1; next < found && t->found[next] == t->found[i];)
            next++;
        status = put_pair(t, t->found[i], next - i);
    }
    return status;
}

static dgm_status count_cluster(tally *t, dgmi_mapper_members members, int64_t cluster) {
    int64_t found = 0, first = dgmi_mapper_members_begin(members, cluster),
            last = dgmi_mapper_members_begin(members, cluster + 1);
    for (int64_t i = first; i < last; i++) {
        int32_t code = t->codes[dgmi_mapper_members_node(members, i)];
        if (code >= 0)
            t->found[found++] = code;
    }
    return t->number && found >= t->classes ? put_by_counting(t, found) : put_by_sorting(t, found);
}

dgm_status dgmi_mapper_counts_make(dgm_context *ctx, dgmi_mapper_members members,
                                   const int32_t *codes, int64_t classes, dgmi_mapper_counts *out) {
    int64_t largest = 1;
    for (int64_t c = 0; c < members.clusters; c++) {
        int64_t size =
            dgmi_mapper_members_begin(members, c + 1) - dgmi_mapper_members_begin(members, c);
        largest = size > largest ? size : largest;
    }
    dgmi_hold hold = dgmi_arena_hold(ctx);
    tally t = {.ctx = ctx, .codes = codes, .classes = classes, .out = out};
    dgm_status status = DGM_ERROR_MEMORY;
    t.found = dgmi_scratch(ctx, largest, sizeof *t.found);
    if (classes <= largest)
        t.number = dgmi_scratch_zero(ctx, classes, sizeof *t.number);
    out->offsets = dgmi_alloc_zero(ctx, members.clusters + 1, sizeof *out->offsets);
    if (t.found && out->offsets && (t.number || classes > largest))
        status = DGM_OK;
    for (int64_t c = 0; c < members.clusters && status == DGM_OK; c++) {
        status = step(ctx, c);
        if (status == DGM_OK)
            status = count_cluster(&t, members, c);
        out->offsets[c + 1] = t.used;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- asking ---- */

int64_t dgmi_mapper_counts_find(const dgmi_mapper_counts *counts, int64_t cluster, int32_t value) {
    int64_t low = counts->offsets[cluster], end = counts->offsets[cluster + 1], high = end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (counts->values[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && counts->values[low] == value ? counts->counts[low] : 0;
}

void dgmi_mapper_counts_totals(const dgmi_mapper_counts *counts, int64_t clusters, int64_t classes,
                               int64_t *totals) {
    memset(totals, 0, (size_t)classes * sizeof *totals);
    for (int64_t i = 0; counts->offsets && i < counts->offsets[clusters]; i++)
        totals[counts->values[i]] += counts->counts[i];
}

int32_t dgmi_mapper_counts_majority(const dgmi_mapper_counts *counts, int64_t cluster,
                                    double *share) {
    int32_t most = -1;
    int64_t highest = 0, sum = 0;
    if (share)
        *share = 0;
    if (!counts->offsets)
        return -1;
    for (int64_t i = counts->offsets[cluster]; i < counts->offsets[cluster + 1]; i++) {
        sum += counts->counts[i];
        if (counts->counts[i] > highest) {
            highest = counts->counts[i];
            most = counts->values[i];
        }
    }
    if (share && sum)
        *share = (double)highest / (double)sum;
    return most;
}
