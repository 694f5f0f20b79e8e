/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the dust of a summary (mapper_dust.h says what that is). */
#include "mapper_dust.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

enum { BRANCH = 2 }; /* a crumb of as many times `least` nodes is shape and not dust */
#define NO_CRUMB UINT32_MAX
#define NO_GROUP UINT32_MAX

/* A larger cluster that a crumb is joined with. */
typedef struct {
    uint32_t crumb, host;
    double weight; /* of all edges between them */
    int64_t edge;  /* the first of these: it orders those of one pair, so that every machine adds
                      them up alike */
} holding;

typedef struct {
    dgm_context *ctx;
    const dgm_summary *summary;
    int64_t least;
    uint32_t *crumb;     /* the crumb of each cluster; NO_CRUMB: it is large */
    int64_t crumb_count; /* crumbs are numbered by their first clusters */
    int64_t *start;      /* crumb_count + 1 positions in `clusters` */
    uint32_t *clusters;  /* those of each crumb, ascending */
    uint32_t *ids;       /* a number for each member, equal where nodes are; NULL: members are not
                            known */
    uint32_t *seen;      /* for each such number, when it was last counted */
    uint32_t turn;
    int64_t *nodes;      /* the number of different nodes of each crumb */
    int64_t *host_start; /* crumb_count + 1 positions in `holdings` */
    holding *holdings;   /* sorted by crumb and host */
    int64_t *row_start;  /* the large clusters that each large cluster is joined with */
    uint32_t *row;
    uint32_t *group; /* for each host of the crumb that is looked at, another of its group;
                            NO_GROUP: it is none */
} dust_job;

static int64_t size_of(const dgm_summary *summary, int64_t cluster) {
    return summary->offsets[cluster + 1] - summary->offsets[cluster];
}

/* ---- crumbs ---- */

static void join_small(const dust_job *job, uint32_t *parent) {
    const dgm_summary *summary = job->summary;
    for (int64_t c = 0; c < summary->clusters; c++)
        parent[c] = (uint32_t)c;
    for (int64_t e = 0; e < summary->edge_count; e++) {
        uint32_t a = summary->edges[e].source, b = summary->edges[e].target;
        if (size_of(summary, a) < job->least && size_of(summary, b) < job->least)
            dgmi_graph_union_link(parent, a, b);
    }
}

/* The root of a set is its first cluster, so it has its number before the others look for it. */
static void number_crumbs(dust_job *job, uint32_t *parent) {
    const dgm_summary *summary = job->summary;
    for (int64_t c = 0; c < summary->clusters; c++) {
        uint32_t root = dgmi_graph_union_find(parent, (uint32_t)c);
        if (size_of(summary, c) >= job->least)
            job->crumb[c] = NO_CRUMB;
        else
            job->crumb[c] = root == c ? (uint32_t)job->crumb_count++ : job->crumb[root];
    }
}

/* While clusters are put in their places, the end of a crumb is where its next one goes. */
static void group_crumbs(dust_job *job) {
    int64_t *next = job->start + 1;
    for (int64_t c = 0; c < job->summary->clusters; c++)
        if (job->crumb[c] != NO_CRUMB)
            next[job->crumb[c] + 1]++;
    for (int64_t k = 0; k < job->crumb_count; k++)
        next[k + 1] += next[k];
    for (int64_t c = 0; c < job->summary->clusters; c++)
        if (job->crumb[c] != NO_CRUMB)
            job->clusters[next[job->crumb[c]]++] = (uint32_t)c;
}

static dgm_status find_crumbs(dust_job *job) {
    int64_t count = job->summary->clusters;
    uint32_t *parent = dgmi_scratch(job->ctx, count, sizeof *parent);
    job->crumb = dgmi_scratch(job->ctx, count, sizeof *job->crumb);
    job->start = dgmi_scratch_zero(job->ctx, count + 2, sizeof *job->start);
    job->clusters = dgmi_scratch(job->ctx, count, sizeof *job->clusters);
    if (!parent || !job->crumb || !job->start || !job->clusters)
        return DGM_ERROR_MEMORY;
    join_small(job, parent);
    number_crumbs(job, parent);
    group_crumbs(job);
    return DGM_OK;
}

/* ---- different nodes ---- */

typedef struct {
    const char *text;
    size_t length;
    int64_t at; /* the position among all members */
} named;

static int compare_names(const void *a, const void *b) {
    const named *p = a, *q = b;
    int order = memcmp(p->text, q->text, p->length < q->length ? p->length : q->length);
    return order ? order : (p->length > q->length) - (p->length < q->length);
}

/* Numbers the members by their names; *count: how many names there are. */
static dgm_status number_names(dust_job *job, int64_t *count) {
    const dgm_summary *summary = job->summary;
    int64_t members = summary->offsets[summary->clusters];
    named *names = dgmi_scratch(job->ctx, members, sizeof *names);
    job->ids = dgmi_scratch(job->ctx, members, sizeof *job->ids);
    if (!names || !job->ids)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < members; m++)
        names[m] = (named){summary->name_text + summary->name_starts[m],
                           (size_t)(summary->name_starts[m + 1] - summary->name_starts[m]), m};
    qsort(names, (size_t)members, sizeof *names, compare_names);
    for (int64_t i = 0; i < members; i++) {
        *count += i == 0 || compare_names(&names[i - 1], &names[i]) != 0;
        job->ids[names[i].at] = (uint32_t)(*count - 1);
    }
    return DGM_OK;
}

static dgm_status number_nodes(dust_job *job) {
    int64_t count = 0;
    dgm_status status = DGM_OK;
    if (job->summary->members) {
        job->ids = job->summary->members;
        count = job->summary->nodes;
    } else if (job->summary->name_text) {
        status = number_names(job, &count);
    }
    job->seen = status == DGM_OK ? dgmi_scratch_zero(job->ctx, count, sizeof *job->seen) : NULL;
    return job->seen ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Adds the members of a crumb that were not seen in this turn. */
static int64_t count_new(dust_job *job, int64_t crumb) {
    const int64_t *offsets = job->summary->offsets;
    int64_t count = 0;
    for (int64_t i = job->start[crumb]; i < job->start[crumb + 1]; i++) {
        uint32_t c = job->clusters[i];
        if (!job->ids)
            count += offsets[c + 1] - offsets[c];
        for (int64_t m = offsets[c]; job->ids && m < offsets[c + 1]; m++) {
            count += job->seen[job->ids[m]] != job->turn;
            job->seen[job->ids[m]] = job->turn;
        }
    }
    return count;
}

static dgm_status count_nodes(dust_job *job) {
    job->nodes = dgmi_scratch(job->ctx, job->crumb_count, sizeof *job->nodes);
    if (!job->nodes)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < job->crumb_count; k++) {
        job->turn++;
        job->nodes[k] = count_new(job, k);
    }
    return DGM_OK;
}

/* ---- the larger clusters around a crumb ---- */

static int compare_holdings(const void *a, const void *b) {
    const holding *p = a, *q = b;
    if (p->crumb != q->crumb)
        return p->crumb < q->crumb ? -1 : 1;
    if (p->host != q->host)
        return p->host < q->host ? -1 : 1;
    return (p->edge > q->edge) - (p->edge < q->edge);
}

/* An edge of the summary as one between a crumb and a large cluster; false: it is none. */
static bool take_holding(const dust_job *job, int64_t index, holding *out) {
    const dgm_summary_edge *edge = &job->summary->edges[index];
    uint32_t a = job->crumb[edge->source], b = job->crumb[edge->target];
    if ((a == NO_CRUMB) == (b == NO_CRUMB))
        return false;
    *out = a == NO_CRUMB ? (holding){b, edge->source, edge->weight, index}
                         : (holding){a, edge->target, edge->weight, index};
    return true;
}

/* Sorted, with the weights of equal pairs added up. */
static dgm_status find_holdings(dust_job *job) {
    const dgm_summary *summary = job->summary;
    int64_t count = 0, kept = 0;
    job->holdings = dgmi_scratch(job->ctx, summary->edge_count, sizeof *job->holdings);
    job->host_start = dgmi_scratch_zero(job->ctx, job->crumb_count + 1, sizeof *job->host_start);
    if (!job->holdings || !job->host_start)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < summary->edge_count; e++)
        count += take_holding(job, e, &job->holdings[count]);
    qsort(job->holdings, (size_t)count, sizeof *job->holdings, compare_holdings);
    for (int64_t i = 0; i < count; i++) {
        holding own = job->holdings[i], *last = kept ? &job->holdings[kept - 1] : NULL;
        if (last && last->crumb == own.crumb && last->host == own.host) {
            last->weight += own.weight;
            continue;
        }
        job->holdings[kept++] = own;
        job->host_start[own.crumb + 1]++;
    }
    for (int64_t k = 0; k < job->crumb_count; k++)
        job->host_start[k + 1] += job->host_start[k];
    return DGM_OK;
}

static bool joins_large(const dust_job *job, const dgm_summary_edge *edge) {
    return job->crumb[edge->source] == NO_CRUMB && job->crumb[edge->target] == NO_CRUMB;
}

/* Edges between large clusters as rows, which are filled as crumbs are. */
static dgm_status find_rows(dust_job *job) {
    const dgm_summary *summary = job->summary;
    int64_t count = summary->clusters;
    job->row_start = dgmi_scratch_zero(job->ctx, count + 2, sizeof *job->row_start);
    job->row = dgmi_scratch(job->ctx, 2 * summary->edge_count, sizeof *job->row);
    job->group = dgmi_scratch(job->ctx, count, sizeof *job->group);
    if (!job->row_start || !job->row || !job->group)
        return DGM_ERROR_MEMORY;
    int64_t *next = job->row_start + 1;
    for (int64_t e = 0; e < summary->edge_count; e++)
        if (joins_large(job, &summary->edges[e])) {
            next[summary->edges[e].source + 1]++;
            next[summary->edges[e].target + 1]++;
        }
    for (int64_t c = 0; c < count; c++)
        next[c + 1] += next[c];
    for (int64_t e = 0; e < summary->edge_count; e++)
        if (joins_large(job, &summary->edges[e])) {
            job->row[next[summary->edges[e].source]++] = summary->edges[e].target;
            job->row[next[summary->edges[e].target]++] = summary->edges[e].source;
        }
    for (int64_t c = 0; c < count; c++)
        job->group[c] = NO_GROUP;
    return DGM_OK;
}

static int64_t row_length(const dust_job *job, uint32_t cluster) {
    return job->row_start[cluster + 1] - job->row_start[cluster];
}

static int64_t join_along_row(const dust_job *job, uint32_t host) {
    int64_t joined = 0;
    for (int64_t i = job->row_start[host]; i < job->row_start[host + 1]; i++) {
        uint32_t other = job->row[i];
        if (job->group[other] == NO_GROUP)
            continue;
        uint32_t a = dgmi_graph_union_find(job->group, host);
        uint32_t b = dgmi_graph_union_find(job->group, other);
        joined += a != b;
        dgmi_graph_union_link(job->group, a, b);
    }
    return joined;
}

/* Whether the larger clusters around a crumb hang together without it. An edge is in the rows of
 * both its ends, so the longest row need not be walked: it is often that of a hub. */
static bool hosts_hang_together(const dust_job *job, int64_t crumb) {
    const holding *begin = job->holdings + job->host_start[crumb],
                  *end = job->holdings + job->host_start[crumb + 1], *longest = begin;
    int64_t groups = end - begin;
    for (const holding *h = begin; h < end; h++) {
        job->group[h->host] = h->host;
        if (row_length(job, h->host) > row_length(job, longest->host))
            longest = h;
    }
    for (const holding *h = begin; h < end && groups > 1; h++)
        if (h != longest)
            groups -= join_along_row(job, h->host);
    for (const holding *h = begin; h < end; h++)
        job->group[h->host] = NO_GROUP;
    return groups <= 1;
}

/* The first of those with the most weight. */
static uint32_t best_host(const dust_job *job, int64_t crumb) {
    const holding *best = job->holdings + job->host_start[crumb];
    for (const holding *h = best; h < job->holdings + job->host_start[crumb + 1]; h++)
        if (h->weight > best->weight)
            best = h;
    return best->host;
}

/* ---- piles ---- */

/* Where a crumb goes: to the single nodes, to the small pieces, to a host, or nowhere. */
static bool place_crumb(const dust_job *job, int64_t crumb, dgmi_mapper_pile *out) {
    int64_t hosts = job->host_start[crumb + 1] - job->host_start[crumb];
    int64_t clusters = job->start[crumb + 1] - job->start[crumb], nodes = job->nodes[crumb];
    *out = (dgmi_mapper_pile){.first = job->clusters[job->start[crumb]], .singles = true};
    if (nodes < job->least && hosts == 0) {
        out->kind = nodes == 1 ? DGMI_MAPPER_PILE_NODES : DGMI_MAPPER_PILE_PIECES;
    } else if (nodes < job->least && hosts_hang_together(job, crumb)) {
        out->kind = DGMI_MAPPER_PILE_HANGING;
        out->host = best_host(job, crumb);
    } else {
        out->kind = DGMI_MAPPER_PILE_CRUMB;
        return clusters > 1 && nodes < BRANCH * job->least;
    }
    return true;
}

/* The pile that takes such a crumb, a new one if there is none yet. */
static uint32_t find_pile(dgmi_mapper_dust *dust, const dgmi_mapper_pile *like, uint32_t *kinds,
                          uint32_t *of_host) {
    uint32_t *known = like->kind == DGMI_MAPPER_PILE_HANGING ? &of_host[like->host]
                      : like->kind == DGMI_MAPPER_PILE_CRUMB ? NULL
                                                             : &kinds[like->kind];
    if (known && *known != DGMI_MAPPER_NO_PILE)
        return *known;
    uint32_t pile = (uint32_t)dust->pile_count++;
    dust->piles[pile] = *like;
    if (known)
        *known = pile;
    return pile;
}

static void add_crumb(const dust_job *job, dgmi_mapper_dust *dust, uint32_t pile, int64_t crumb) {
    dgmi_mapper_pile *into = &dust->piles[pile];
    into->clusters += job->start[crumb + 1] - job->start[crumb];
    into->crumbs++;
    into->singles = into->singles && job->nodes[crumb] == 1;
    for (int64_t i = job->start[crumb]; i < job->start[crumb + 1]; i++)
        dust->pile[job->clusters[i]] = pile;
}

static dgm_status pile_up(dust_job *job, dgmi_mapper_dust *dust) {
    uint32_t kinds[] = {DGMI_MAPPER_NO_PILE, DGMI_MAPPER_NO_PILE};
    int64_t count = job->summary->clusters;
    uint32_t *of_host = dgmi_scratch(job->ctx, count, sizeof *of_host);
    if (!of_host)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++)
        of_host[c] = dust->pile[c] = DGMI_MAPPER_NO_PILE;
    for (int64_t k = 0; k < job->crumb_count; k++) {
        dgmi_mapper_pile like;
        if (!place_crumb(job, k, &like))
            continue;
        add_crumb(job, dust, find_pile(dust, &like, kinds, of_host), k);
        dust->clusters += job->start[k + 1] - job->start[k];
    }
    return DGM_OK;
}

/* Nodes that lie in a cluster with a mark of its own as well are not lost in dust. */
static void see_shown(dust_job *job, const dgmi_mapper_dust *dust) {
    const int64_t *offsets = job->summary->offsets;
    for (int64_t c = 0; job->ids && c < job->summary->clusters; c++)
        for (int64_t m = offsets[c]; dust->pile[c] == DGMI_MAPPER_NO_PILE && m < offsets[c + 1];
             m++)
            job->seen[job->ids[m]] = job->turn;
}

/* Counts the different nodes of each pile, and of all. Crumbs are put together by pile first, so
 * that a pile is looked at in one turn. */
static dgm_status count_piles(dust_job *job, dgmi_mapper_dust *dust) {
    int64_t *start = dgmi_scratch_zero(job->ctx, dust->pile_count + 2, sizeof *start);
    int64_t *order = dgmi_scratch(job->ctx, job->crumb_count, sizeof *order), *next = start + 1;
    if (!start || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < dust->pile_count; p++)
        next[p + 1] = next[p] + dust->piles[p].crumbs;
    for (int64_t k = 0; k < job->crumb_count; k++) {
        uint32_t pile = dust->pile[job->clusters[job->start[k]]];
        if (pile != DGMI_MAPPER_NO_PILE)
            order[next[pile]++] = k;
    }
    for (int64_t p = 0; p < dust->pile_count; p++) {
        job->turn++;
        for (int64_t i = start[p]; i < start[p + 1]; i++)
            dust->piles[p].nodes += count_new(job, order[i]);
    }
    job->turn++;
    see_shown(job, dust);
    for (int64_t i = 0; i < start[dust->pile_count]; i++)
        dust->nodes += count_new(job, order[i]);
    return DGM_OK;
}

/* ---- dust ---- */

static dgm_status look_around(dust_job *job) {
    dgm_status status = find_crumbs(job);
    if (status == DGM_OK)
        status = number_nodes(job);
    if (status == DGM_OK)
        status = count_nodes(job);
    if (status == DGM_OK)
        status = find_holdings(job);
    return status == DGM_OK ? find_rows(job) : status;
}

static dgm_status create_dust(const dust_job *job, dgmi_mapper_dust **out) {
    dgmi_mapper_dust *dust = dgmi_alloc_zero(job->ctx, 1, sizeof *dust);
    if (!dust)
        return DGM_ERROR_MEMORY;
    dust->allocator = job->ctx->allocator;
    dust->least = job->least;
    dust->pile = dgmi_alloc(job->ctx, job->summary->clusters, sizeof *dust->pile);
    dust->piles = dgmi_alloc(job->ctx, job->crumb_count, sizeof *dust->piles);
    *out = dust;
    return dust->pile && dust->piles ? DGM_OK : DGM_ERROR_MEMORY;
}

void dgmi_mapper_dust_free(dgmi_mapper_dust *dust) {
    if (!dust)
        return;
    dgm_allocator allocator = dust->allocator;
    dgmi_allocator_free(&allocator, dust->pile);
    dgmi_allocator_free(&allocator, dust->piles);
    dgmi_allocator_free(&allocator, dust);
}

/* A summary that is all dust is shown as it is, unless it has too many clusters to be seen. */
static bool is_worth_it(const dgm_summary *summary, const dgmi_mapper_dust *dust) {
    enum { SEEN = 1000 };
    return dust->clusters > 0 && (dust->clusters < summary->clusters || summary->clusters > SEEN);
}

dgm_status dgmi_mapper_dust_find(dgm_context *ctx, const dgm_summary *summary, int64_t least,
                                 dgmi_mapper_dust **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dust_job job = {.ctx = ctx, .summary = summary, .least = least};
    dgmi_mapper_dust *dust = NULL;
    *out = NULL;
    dgm_status status = look_around(&job);
    if (status == DGM_OK && job.crumb_count > 0) {
        status = create_dust(&job, &dust);
        if (status == DGM_OK)
            status = pile_up(&job, dust);
        if (status == DGM_OK)
            status = count_piles(&job, dust);
    }
    if (status == DGM_OK && dust && is_worth_it(summary, dust))
        *out = dust;
    else
        dgmi_mapper_dust_free(dust);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_mapper_dust_count(dgm_context *ctx, dgm_summary *summary, int64_t least) {
    dgmi_mapper_dust *dust;
    if (summary->coverage.dust_size == least)
        return DGM_OK;
    dgm_status status = dgmi_mapper_dust_find(ctx, summary, least, &dust);
    if (status != DGM_OK)
        return status;
    summary->coverage.dust_size = dust ? least : 0;
    summary->coverage.dust_clusters = dust ? dust->clusters : 0;
    summary->coverage.dust_nodes = dust ? dust->nodes : 0;
    dgmi_mapper_dust_free(dust);
    return DGM_OK;
}
