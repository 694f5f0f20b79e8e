/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what stands out in each cluster: members that it can be named by (hubs and peaks), and its
 * most frequent kinds of mistakes. */
#include "mapper_profile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

/* ---- which class was taken for which ---- */

static int compare_mixups(const void *a, const void *b) {
    const dgm_profile_mixup *p = a, *q = b;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    return (p->prediction > q->prediction) - (p->prediction < q->prediction);
}

/* Most frequent first, of equals the first class. */
static int compare_frequent(const void *a, const void *b) {
    const dgm_profile_mixup *p = a, *q = b;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return compare_mixups(a, b);
}

/* Mistakes of one cluster, each by itself, become those that differ, most frequent first. */
static int64_t gather_mixups(dgm_profile_mixup *found, int64_t count) {
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

dgm_status dgmi_mapper_profile_mix_up(dgm_context *ctx, dgm_profile *profile,
                                      dgmi_mapper_members members, const int32_t *labels,
                                      const int32_t *predictions) {
    int64_t most = 0, room = 0, used = 0;
    for (int64_t c = 0; c < profile->clusters; c++) {
        most = profile->mistakes[c] > most ? profile->mistakes[c] : most;
        room += profile->mistakes[c] < DGM_PROFILE_TOPS ? profile->mistakes[c] : DGM_PROFILE_TOPS;
    }
    dgmi_hold before = dgmi_arena_hold(ctx);
    dgm_profile_mixup *found = dgmi_scratch(ctx, most + 1, sizeof *found);
    profile->mixups = dgmi_alloc_zero(ctx, room, sizeof *profile->mixups);
    profile->mixup_offsets = dgmi_alloc_zero(ctx, profile->clusters + 1, sizeof(int64_t));
    bool whole = found && profile->mixups && profile->mixup_offsets;
    for (int64_t c = 0; c < profile->clusters && whole; c++) {
        int64_t count = 0, last = dgmi_mapper_members_begin(members, c + 1);
        for (int64_t i = dgmi_mapper_members_begin(members, c); i < last; i++) {
            int64_t node = dgmi_mapper_members_node(members, i);
            if (dgmi_mapper_is_mistake(labels[node], predictions[node]))
                found[count++] = (dgm_profile_mixup){labels[node], predictions[node], 1};
        }
        count = gather_mixups(found, count);
        for (int64_t i = 0; i < count && i < DGM_PROFILE_TOPS; i++)
            profile->mixups[used++] = found[i];
        profile->mixup_offsets[c + 1] = used;
    }
    dgmi_arena_release(ctx, before);
    return whole ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- members ---- */

dgm_status dgmi_mapper_tops_open(dgm_context *ctx, int64_t clusters, dgmi_mapper_tops *tops) {
    tops->offsets = dgmi_alloc_zero(ctx, clusters + 1, sizeof *tops->offsets);
    return tops->offsets ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_mapper_tops_add(dgm_context *ctx, dgmi_mapper_tops *tops, int64_t cluster,
                                const char *name, size_t length) {
    int64_t index = tops->offsets[cluster + 1];
    int64_t end = tops->used + (int64_t)length + 1;
    dgm_status status = dgmi_reserve(ctx, (void **)&tops->starts, &tops->starts_capacity, index + 1,
                                     sizeof *tops->starts);
    if (status == DGM_OK)
        status = dgmi_reserve(ctx, (void **)&tops->text, &tops->capacity, end, 1);
    if (status != DGM_OK)
        return status;
    memcpy(tops->text + tops->used, name, length);
    tops->text[end - 1] = '\0';
    tops->starts[index] = tops->used;
    tops->used = end;
    tops->offsets[cluster + 1]++;
    return DGM_OK;
}

static int64_t neighbours(const dgm_graph_rows *rows, int64_t node) {
    return rows->offsets[node + 1] - rows->offsets[node];
}

/* The members with the most neighbours, of equals the first; of few members all, in their order. */
static int find_hubs(const dgm_graph_rows *rows, const uint32_t *nodes, int64_t count,
                     int64_t top[DGM_PROFILE_TOPS]) {
    int found = 0;
    for (int64_t i = 0; i < count; i++) {
        int at = found;
        while (count > DGM_PROFILE_TOPS && at > 0 &&
               neighbours(rows, nodes[i]) > neighbours(rows, top[at - 1]))
            at--;
        if (at == DGM_PROFILE_TOPS)
            continue;
        found += found < DGM_PROFILE_TOPS;
        for (int k = found - 1; k > at; k--)
            top[k] = top[k - 1];
        top[at] = nodes[i];
    }
    return found;
}

/* Where the lens is highest, in clusters that have more members than all hubs. */
static int find_peaks(const uint32_t *peaks, int64_t cluster, int64_t size,
                      int64_t top[DGM_PROFILE_TOPS]) {
    int found = 0;
    static_assert((int)DGM_PROFILE_TOPS <= (int)DGM_SUMMARY_PEAKS,
                  "a cluster has as many peaks as a profile names");
    for (; size > DGM_PROFILE_TOPS && found < DGM_PROFILE_TOPS; found++)
        top[found] = peaks[cluster * DGM_SUMMARY_PEAKS + found];
    return found;
}

static dgm_status add_nodes(dgm_context *ctx, const dgm_graph *graph, const int64_t *top, int found,
                            dgmi_mapper_members members, int64_t cluster, dgmi_mapper_tops *tops) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < found && status == DGM_OK; i++) {
        size_t length;
        char number[DGMI_NUMBER_SPACE];
        const char *name = dgm_graph_name_text(graph, top[i], &length);
        if (!name) {
            length = dgm_graph_name(graph, top[i], number, sizeof number);
            name = number;
        }
        status = dgmi_mapper_tops_add(ctx, tops, cluster, name, length);
    }
    dgmi_mapper_tops_end(tops, members.clusters, cluster);
    return status;
}

dgm_status dgmi_mapper_profile_stand_out(dgm_context *ctx, dgm_profile *profile,
                                         const dgm_graph *graph, dgmi_mapper_members members,
                                         const uint32_t *peaks) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_status status = dgmi_mapper_tops_open(ctx, profile->clusters, &profile->hubs);
    if (status == DGM_OK && peaks)
        status = dgmi_mapper_tops_open(ctx, profile->clusters, &profile->peaks);
    for (int64_t c = 0; c < profile->clusters && status == DGM_OK; c++) {
        int64_t top[DGM_PROFILE_TOPS], begin = members.offsets[c];
        int64_t size = members.offsets[c + 1] - begin;
        int found = find_hubs(&rows, members.nodes + begin, size, top);
        status = add_nodes(ctx, graph, top, found, members, c, &profile->hubs);
        if (status == DGM_OK && peaks)
            status = add_nodes(ctx, graph, top, find_peaks(peaks, c, size, top), members, c,
                               &profile->peaks);
    }
    return status;
}
