/* SPDX-License-Identifier: Apache-2.0 */
/* What stands out in a mark: the members to name it by, and the mistakes that are made most. */
#include "draw_view.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"

/* ---- which class was taken for which ---- */

static int compare_mixups(const void *a, const void *b) {
    const dgmi_mixup *p = a, *q = b;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    return (p->prediction > q->prediction) - (p->prediction < q->prediction);
}

/* Most frequent first, of equals the first class. */
static int compare_frequent(const void *a, const void *b) {
    const dgmi_mixup *p = a, *q = b;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return compare_mixups(a, b);
}

/* Mistakes of one mark, each by itself, become those that differ, most frequent first. */
static int64_t gather_mixups(dgmi_mixup *found, int64_t count) {
    int64_t different = 0;
    if (count > 1)
        qsort(found, (size_t)count, sizeof *found, compare_mixups);
    for (int64_t i = 0; i < count; i++)
        if (different && compare_mixups(&found[i], &found[different - 1]) == 0)
            found[different - 1].count++;
        else
            found[different++] = found[i];
    if (different > 1)
        qsort(found, (size_t)different, sizeof *found, compare_frequent);
    return different;
}

dgm_status dgmi_view_mix_up(dgm_context *ctx, dgm_view *view, dgmi_view_members members,
                            const int32_t *labels, const int32_t *predictions) {
    int64_t most = 0, room = 0, used = 0;
    for (int64_t m = 0; m < view->marks; m++) {
        most = view->mistakes[m] > most ? view->mistakes[m] : most;
        room += view->mistakes[m] < DGMI_VIEW_TOPS ? view->mistakes[m] : DGMI_VIEW_TOPS;
    }
    dgmi_mark before = dgmi_arena_mark(ctx);
    dgmi_mixup *found = dgmi_scratch(ctx, most + 1, sizeof *found);
    view->mixups = dgmi_view_alloc(ctx, view, room, sizeof *view->mixups);
    view->mixup_offsets = dgmi_view_alloc(ctx, view, view->marks + 1, sizeof(int64_t));
    bool whole = found && view->mixups && view->mixup_offsets;
    for (int64_t m = 0; m < view->marks && whole; m++) {
        int64_t count = 0, last = members.offsets ? members.offsets[m + 1] : m + 1;
        for (int64_t i = members.offsets ? members.offsets[m] : m; i < last; i++) {
            int64_t node = members.nodes ? members.nodes[i] : i;
            if (labels[node] >= 0 && predictions[node] >= 0 && labels[node] != predictions[node])
                found[count++] = (dgmi_mixup){labels[node], predictions[node], 1};
        }
        count = gather_mixups(found, count);
        for (int64_t i = 0; i < count && i < DGMI_VIEW_TOPS; i++)
            view->mixups[used++] = found[i];
        view->mixup_offsets[m + 1] = used;
    }
    dgmi_arena_release(ctx, before);
    return whole ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- members ---- */

static char *name_of(dgm_context *ctx, const dgm_view *view, const dgm_graph *graph, int64_t node) {
    size_t length;
    char number[DGMI_NUMBER_SPACE];
    const char *name = dgm_graph_name_text(graph, node, &length);
    if (!name) {
        snprintf(number, sizeof number, "%lld", (long long)(node + dgm_graph_name_base(graph)));
        return dgmi_view_strdup(ctx, view, number);
    }
    char *copy = dgmi_view_alloc(ctx, view, (int64_t)length + 1, 1);
    if (copy)
        memcpy(copy, name, length);
    return copy;
}

static int64_t neighbours(const dgm_graph_rows *rows, int64_t node) {
    return rows->offsets[node + 1] - rows->offsets[node];
}

/* The members with the most neighbours, of equals the first; of few members all, in their order. */
static int find_hubs(const dgm_graph_rows *rows, const uint32_t *nodes, int64_t count,
                     int64_t top[DGMI_VIEW_TOPS]) {
    int found = 0;
    for (int64_t i = 0; i < count; i++) {
        int at = found;
        while (count > DGMI_VIEW_TOPS && at > 0 &&
               neighbours(rows, nodes[i]) > neighbours(rows, top[at - 1]))
            at--;
        if (at == DGMI_VIEW_TOPS)
            continue;
        found += found < DGMI_VIEW_TOPS;
        for (int k = found - 1; k > at; k--)
            top[k] = top[k - 1];
        top[at] = nodes[i];
    }
    return found;
}

/* Where the lens is highest, in marks that have more members than all hubs. */
static int find_peaks(const uint32_t *peaks, int64_t mark, int64_t size,
                      int64_t top[DGMI_VIEW_TOPS]) {
    int found = 0;
    static_assert((int)DGMI_VIEW_TOPS <= (int)DGM_SUMMARY_PEAKS,
                  "a mark has as many peaks as it shows");
    for (; size > DGMI_VIEW_TOPS && found < DGMI_VIEW_TOPS; found++)
        top[found] = peaks[mark * DGM_SUMMARY_PEAKS + found];
    return found;
}

dgm_status dgmi_tops_open(dgm_context *ctx, const dgm_view *view, dgmi_tops *tops) {
    tops->names = dgmi_view_alloc(ctx, view, view->marks * DGMI_VIEW_TOPS, sizeof *tops->names);
    if (tops->names)
        tops->offsets = dgmi_view_alloc(ctx, view, view->marks + 1, sizeof *tops->offsets);
    return tops->offsets ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status put_tops(dgm_context *ctx, const dgm_view *view, const dgm_graph *graph,
                           const int64_t *top, int found, int64_t mark, dgmi_tops *tops) {
    int64_t used = tops->offsets[mark];
    for (int i = 0; i < found; i++)
        if (!(tops->names[used++] = name_of(ctx, view, graph, top[i])))
            return DGM_ERROR_MEMORY;
    tops->offsets[mark + 1] = used;
    return DGM_OK;
}

dgm_status dgmi_view_stand_out(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                               dgmi_view_members members, const uint32_t *peaks) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_status status = dgmi_tops_open(ctx, view, &view->hubs);
    if (status == DGM_OK && peaks)
        status = dgmi_tops_open(ctx, view, &view->peaks);
    for (int64_t m = 0; m < view->marks && status == DGM_OK; m++) {
        int64_t top[DGMI_VIEW_TOPS];
        int found = find_hubs(&rows, members.nodes + members.offsets[m], view->size[m], top);
        status = put_tops(ctx, view, graph, top, found, m, &view->hubs);
        if (status == DGM_OK && peaks)
            status = put_tops(ctx, view, graph, top, find_peaks(peaks, m, view->size[m], top), m,
                              &view->peaks);
    }
    return status;
}
