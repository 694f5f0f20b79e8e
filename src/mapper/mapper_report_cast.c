/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out who lies in which clusters, and chooses the members that are named. If the summary was
 * read without its graph, members are known by their names, which get numbers here. */
#include "mapper_report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_text.h"

/* ---- numbers for names ---- */

typedef struct {
    const char *text;
    size_t length;
} name;

typedef struct {
    const dgm_summary *summary;
    uint32_t *table; /* open addressing: number + 1; 0 is empty */
    uint64_t mask;
    int64_t *name_at; /* of each number */
    uint32_t count;
} roster;

static name name_of(const dgm_summary *summary, int64_t member) {
    name found;
    found.text = dgm_summary_member_name(summary, member, &found.length);
    return found;
}

/* FNV-1a, of 64 bits. */
static uint64_t hash_name(name key) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < key.length; i++)
        hash = (hash ^ (unsigned char)key.text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/* The place of the name in the table, or the empty place where it would stand. */
static uint64_t find_place(const roster *x, name key) {
    uint64_t place = hash_name(key) & x->mask;
    for (; x->table[place]; place = (place + 1) & x->mask) {
        name other = name_of(x->summary, x->name_at[x->table[place] - 1]);
        if (other.length == key.length && memcmp(other.text, key.text, key.length) == 0)
            break;
    }
    return place;
}

static bool open_index(const dgmi_mapper_reporter *r, roster *x) {
    int64_t members = r->clusters.offsets[r->clusters.count], size = 64;
    while (size < 2 * members)
        size *= 2;
    *x = (roster){.summary = r->summary,
                  .table = dgmi_scratch_zero(r->ctx, size, sizeof *x->table),
                  .mask = (uint64_t)size - 1,
                  .name_at = dgmi_scratch(r->ctx, members, sizeof *x->name_at)};
    return x->table && x->name_at;
}

static uint32_t number_name(roster *x, int64_t member) {
    uint64_t place = find_place(x, name_of(x->summary, member));
    if (!x->table[place]) {
        x->name_at[x->count] = member;
        x->table[place] = ++x->count;
    }
    return x->table[place] - 1;
}

/* ---- without a graph ---- */

/* The hubs of each cluster, which the profile names, stand out by their ranks. A small cluster has all
 * its members as hubs, which says nothing. */
static void rank_hubs(dgmi_mapper_reporter *r, const roster *x) {
    for (int64_t c = 0; r->profile && c < r->clusters.count; c++)
        for (int64_t rank = 0; rank < DGM_PROFILE_TOPS; rank++) {
            if (r->clusters.offsets[c + 1] - r->clusters.offsets[c] <= DGM_PROFILE_TOPS)
                break;
            const char *hub = dgm_profile_hub(r->profile, c, rank);
            if (!hub)
                break;
            uint64_t place = find_place(x, (name){hub, strlen(hub)});
            uint32_t number = x->table[place] - 1;
            if (x->table[place] && r->standing[number] < DGM_PROFILE_TOPS - rank)
                r->standing[number] = DGM_PROFILE_TOPS - rank;
        }
}

static dgm_status cast_by_name(dgmi_mapper_reporter *r) {
    roster x;
    int64_t count = r->clusters.offsets[r->clusters.count];
    if (count == 0 || !name_of(r->summary, 0).text)
        return DGM_OK;
    uint32_t *members = dgmi_scratch(r->ctx, count, sizeof *members);
    if (!members || !open_index(r, &x))
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        members[i] = number_name(&x, i);
    r->members = members;
    r->nodes = x.count;
    r->name_at = x.name_at;
    r->cast = true;
    r->standing = dgmi_scratch_zero(r->ctx, r->nodes, sizeof *r->standing);
    if (!r->standing)
        return DGM_ERROR_MEMORY;
    rank_hubs(r, &x);
    return DGM_OK;
}

/* ---- with a graph ---- */

static dgm_status cast_by_number(dgmi_mapper_reporter *r) {
    dgm_graph_rows rows = dgm_graph_get_rows(r->graph);
    r->members = r->clusters.members;
    r->nodes = rows.nodes;
    r->cast = true;
    r->standing = dgmi_scratch(r->ctx, rows.nodes, sizeof *r->standing);
    if (!r->standing)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows.nodes; u++)
        r->standing[u] = rows.offsets[u + 1] - rows.offsets[u];
    return DGM_OK;
}

/* ---- the clusters of each node ---- */

/* Lists the clusters of each node, or only counts them if `listed` is false. A file may name a member
 * of a cluster twice. */
static void list_clusters(dgmi_mapper_reporter *r, bool listed) {
    memset(r->mark, 0, (size_t)r->nodes * sizeof *r->mark);
    for (int64_t c = 0; r->cast && c < r->clusters.count; c++)
        for (int64_t i = r->clusters.offsets[c]; i < r->clusters.offsets[c + 1]; i++) {
            uint32_t node = r->members[i];
            if (r->mark[node] == (uint32_t)c + 1)
                continue;
            r->mark[node] = (uint32_t)c + 1;
            if (listed)
                r->in[r->in_start[node + 1]++] = (uint32_t)c;
            else
                r->in_start[node + 2]++;
        }
}

static dgm_status turn_over(dgmi_mapper_reporter *r) {
    r->memberships = r->cast ? r->clusters.offsets[r->clusters.count] : 0;
    r->in_start = dgmi_scratch_zero(r->ctx, r->nodes + 2, sizeof *r->in_start);
    r->in = dgmi_scratch(r->ctx, r->memberships, sizeof *r->in);
    r->mark = dgmi_scratch(r->ctx, r->nodes, sizeof *r->mark);
    if (!r->in_start || !r->in || !r->mark)
        return DGM_ERROR_MEMORY;
    list_clusters(r, false);
    for (int64_t u = 0; u < r->nodes; u++)
        r->in_start[u + 2] += r->in_start[u + 1];
    list_clusters(r, true);
    r->last_mark = (uint32_t)r->clusters.count;
    return DGM_OK;
}

/* Mapper refuses more memberships and meetings than these; a file may have any. */
static dgm_status check_size(const dgmi_mapper_reporter *r) {
    double pairs = 0;
    for (int64_t u = 0; u < r->nodes; u++) {
        double k = (double)(r->in_start[u + 1] - r->in_start[u]);
        pairs += k * (k - 1) / 2;
    }
    if (r->memberships <= (int64_t)UINT32_MAX && pairs <= (double)DGMI_MAPPER_MOST_MEETINGS)
        return DGM_OK;
    return dgmi_fail(r->ctx, DGM_ERROR_DATA,
                     "%lld memberships, by which clusters meet in %.3g places, are too many for a "
                     "report",
                     (long long)r->memberships, pairs);
}

static dgm_status bundle(dgmi_mapper_reporter *r) {
    uint32_t *offsets = dgmi_scratch(r->ctx, r->nodes + 1, sizeof *offsets);
    if (!offsets)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u <= r->nodes; u++)
        offsets[u] = (uint32_t)r->in_start[u];
    const dgmi_mapper_pullback slots = {.nodes = r->nodes, .offsets = offsets};
    return dgmi_mapper_bundles_make(r->ctx, &slots, r->in, r->clusters.count, &r->bundles);
}

dgm_status dgmi_mapper_report_cast(dgmi_mapper_reporter *r) {
    dgm_status status = r->graph ? cast_by_number(r) : cast_by_name(r);
    if (status == DGM_OK)
        status = turn_over(r);
    if (status == DGM_OK)
        status = check_size(r);
    return status == DGM_OK ? bundle(r) : status;
}

/* ---- sets of members ---- */

const uint32_t *dgmi_mapper_report_set(const dgmi_mapper_reporter *r, int64_t cluster,
                                       int64_t *count) {
    int64_t begin = r->clusters.offsets[cluster];
    *count = r->cast ? r->clusters.offsets[cluster + 1] - begin : 0;
    return r->cast ? r->members + begin : NULL;
}

int64_t dgmi_mapper_report_union(dgmi_mapper_reporter *r, const uint32_t *clusters, int64_t count,
                                 uint32_t *out) {
    int64_t found = 0, members;
    r->last_mark++;
    for (int64_t k = 0; k < count; k++) {
        const uint32_t *nodes = dgmi_mapper_report_set(r, clusters[k], &members);
        for (int64_t i = 0; i < members; i++)
            if (r->mark[nodes[i]] != r->last_mark) {
                r->mark[nodes[i]] = r->last_mark;
                out[found++] = nodes[i];
            }
    }
    return found;
}

/* ---- names ---- */

dgm_status dgmi_mapper_report_name(const dgmi_mapper_reporter *r, uint32_t node,
                                   dgm_report_member *out) {
    char number[DGMI_NUMBER_SPACE];
    *out = (dgm_report_member){.node = r->graph ? (int64_t)node : -1,
                               .neighbours = r->graph ? r->standing[node] : -1,
                               .clusters = r->in_start[node + 1] - r->in_start[node]};
    if (!r->graph)
        out->name = dgm_summary_member_name(r->summary, r->name_at[node], &out->length);
    else if (!(out->name = dgm_graph_name_text(r->graph, node, &out->length))) {
        out->length = dgm_graph_name(r->graph, node, number, sizeof number);
        out->name = number;
    }
    out->name = dgmi_mapper_report_keep_text(r, out->name, out->length);
    return out->name ? DGM_OK : DGM_ERROR_MEMORY;
}

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A set of members from which some are chosen. */
typedef struct {
    const uint32_t *nodes;
    const double *weights; /* of each; NULL: there are none */
    int64_t count;
} crowd;

static bool comes_before(const dgmi_mapper_reporter *r, const crowd *all, int64_t i, int64_t j) {
    if (all->weights && all->weights[i] != all->weights[j])
        return all->weights[i] > all->weights[j];
    return dgmi_mapper_report_before(r, all->nodes[i], all->nodes[j]);
}

/* The places of those that come first, in room for `most`. */
static int64_t find_places(const dgmi_mapper_reporter *r, const crowd *all, uint32_t *top,
                           int64_t most) {
    int64_t found = 0;
    for (int64_t i = 0; i < all->count; i++) {
        int64_t at = found;
        while (at > 0 && comes_before(r, all, i, top[at - 1]))
            at--;
        if (at == most)
            continue;
        found += found < most;
        memmove(top + at + 1, top + at, (size_t)(found - 1 - at) * sizeof *top);
        top[at] = (uint32_t)i;
    }
    return found;
}

/* The nodes that come first; all of them in their order if they are no more than `most`. */
static int64_t find_tops(const dgmi_mapper_reporter *r, const crowd *all, uint32_t *top,
                         int64_t most) {
    if (all->count > most) {
        int64_t found = find_places(r, all, top, most);
        for (int64_t i = 0; i < found; i++)
            top[i] = all->nodes[top[i]];
        return found;
    }
    if (all->count)
        memcpy(top, all->nodes, (size_t)all->count * sizeof *top);
    if (all->count > 1)
        qsort(top, (size_t)all->count, sizeof *top, compare_numbers);
    return all->count;
}

dgm_status dgmi_mapper_report_choose(const dgmi_mapper_reporter *r, const uint32_t *nodes,
                                     const double *weights, int64_t count,
                                     dgm_report_members *out) {
    const crowd all = {nodes, weights, count};
    int64_t most = r->options.members < count ? r->options.members : count;
    *out = (dgm_report_members){.total = count};
    dgm_report_member *items = dgmi_mapper_report_keep(r, most, sizeof *items);
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    uint32_t *top = dgmi_scratch(r->ctx, most, sizeof *top);
    dgm_status status = items && top ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        out->count = find_tops(r, &all, top, most);
    for (int64_t i = 0; i < out->count && status == DGM_OK; i++)
        status = dgmi_mapper_report_name(r, top[i], &items[i]);
    out->items = items;
    dgmi_arena_release(r->ctx, hold);
    return status;
}

dgm_status dgmi_mapper_report_gather(dgmi_mapper_reporter *r, const uint32_t *clusters,
                                     int64_t count, dgm_report_members *out) {
    int64_t room = 0;
    for (int64_t k = 0; r->cast && k < count; k++)
        room += r->clusters.offsets[clusters[k] + 1] - r->clusters.offsets[clusters[k]];
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    uint32_t *nodes = dgmi_scratch(r->ctx, room, sizeof *nodes);
    dgm_status status = DGM_ERROR_MEMORY;
    if (nodes)
        status = dgmi_mapper_report_choose(
            r, nodes, NULL, dgmi_mapper_report_union(r, clusters, count, nodes), out);
    dgmi_arena_release(r->ctx, hold);
    return status;
}
