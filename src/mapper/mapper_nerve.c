/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the clusters that have nodes in common (the nerve) or edges of the graph between them
 * (structural edges), and counts both.
 *
 * For two clusters A and B, `shared` is the number of nodes in both, `links` the number of edges
 * that lead from A to B, each once, and `inner` the number of edges whose two ends lie in both. The
 * code of the paper's authors counts links + inner; shared + links + inner is the entry of S'AS
 * with self-loops.
 *
 * Each pair of bundles with edges between them gives contacts of all their clusters. Contacts are
 * distributed by ranges of the lower cluster, each range is sorted digit by digit, and contacts of
 * the same pair of clusters become one meeting. Ranges are worked on in parallel: a meeting is a
 * sum, so the order of its contacts does not matter.
 *
 * Where there are far more contacts than pairs of clusters, as among balls in a space of many
 * dimensions, contacts are added up in a table with an entry for each pair, one for each thread.
 */
#include "mapper_stages.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_parallel.h"

enum {
    LISTS_A_CHUNK = 1 << 12,
    MOST_RANGES = 512,
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
};
#define WORTH_ASKING 0x1p26 /* bytes: less is there, or its allocation says so soon */

enum { SHARED, LINKS, INNER, KINDS, KIND_BITS = 2, KIND_MASK = 3 };
enum { TABLE_SHARE = 4 }; /* tables are taken where they need at most this part of the memory */

/* `count` nodes or edges that two clusters have in common. */
typedef struct {
    uint32_t low, high;
    uint64_t count_and_kind;
} contact;

/* What a pair of clusters has in common, by kind. */
typedef struct {
    int64_t of[KINDS];
} pair_counts;

/* Chunks to be unfolded are runs of bundles, then blocks of crossings. */
typedef struct {
    const dgm_context *ctx; /* to ask whether to go on, and nothing else */
    const dgmi_mapper_bundles *bundles;
    const dgmi_mapper_crossings *crossings;
    int64_t list_chunks, chunks;
    int64_t longest;      /* list of clusters */
    double most;          /* contacts there may be */
    bool exact;           /* or rather, that there are */
    uint32_t *parts;      /* by thread: room for three lists */
    int64_t ranges;       /* of lower clusters */
    int range_bits;       /* range of a contact: low >> range_bits */
    int64_t *cursor;      /* chunks * ranges: where the chunk's next contact of the range goes */
    int64_t *range_start; /* ranges + 1, into contacts */
    int64_t *pair_start;  /* ranges + 1, into meetings */
    contact *contacts;    /* NULL while they are only counted */
    contact *spare;       /* by thread: room for the largest range */
    int64_t largest;
    pair_counts *tables; /* by thread: all pairs of clusters; NULL: contacts are listed */
    dgmi_mapper_meeting *meetings;
    int64_t meeting_count;
} meeting_job;

static int64_t count_pairs(int64_t clusters) {
    return clusters * (clusters - 1) / 2;
}

/* ---- unfolding pairs of bundles into contacts ---- */

/* Where contacts of one chunk go: by range, or into a table. */
typedef struct {
    contact *contacts;
    int64_t *cursor;
    int range_bits;
    pair_counts *table;
    int64_t clusters;
} contact_sink;

/* The place of a pair in a table, in the order of (low, high). */
static int64_t place_of(int64_t clusters, int64_t low, int64_t high) {
    return low * (2 * clusters - low - 1) / 2 + high - low - 1;
}

static void add_contact(const contact_sink *sink, uint32_t a, uint32_t b, int kind, int64_t count) {
    assert(a != b && count > 0 && kind <= INNER);
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (sink->table) {
        sink->table[place_of(sink->clusters, low, high)].of[kind] += count;
        return;
    }
    int64_t place = sink->cursor[low >> sink->range_bits]++;
    if (sink->contacts)
        sink->contacts[place] = (contact){low, high, (uint64_t)count << KIND_BITS | (uint64_t)kind};
}

/* Every pair inside one list. */
static void add_inside(const contact_sink *sink, const uint32_t *list, int64_t length, int kind,
                       int64_t count) {
    for (int64_t i = 0; i < length; i++)
        for (int64_t j = i + 1; j < length; j++)
            add_contact(sink, list[i], list[j], kind, count);
}

/* Every pair between two lists that have nothing in common. */
static void add_between(const contact_sink *sink, const uint32_t *x, int64_t x_count,
                        const uint32_t *y, int64_t y_count, int64_t edges) {
    for (int64_t i = 0; i < x_count; i++)
        for (int64_t j = 0; j < y_count; j++)
            add_contact(sink, x[i], y[j], LINKS, edges);
}

/* One cluster and a list that may hold it: it links to all the others. */
static void add_one(const contact_sink *sink, uint32_t one, const uint32_t *list, int64_t length,
                    int64_t edges) {
    for (int64_t i = 0; i < length; i++)
        if (list[i] != one)
            add_contact(sink, one, list[i], LINKS, edges);
}

/* The clusters of two bundles, taken apart. */
typedef struct {
    uint32_t *left, *right, *both;
    int64_t left_count, right_count, both_count;
} split_lists;

static void split(split_lists *lists, const uint32_t *x, int64_t x_count, const uint32_t *y,
                  int64_t y_count) {
    int64_t i = 0, j = 0;
    lists->left_count = lists->right_count = lists->both_count = 0;
    while (i < x_count || j < y_count) {
        bool take_x = j == y_count || (i < x_count && x[i] <= y[j]);
        bool take_y = i == x_count || (j < y_count && y[j] <= x[i]);
        if (take_x && take_y)
            lists->both[lists->both_count++] = x[i];
        else if (take_x)
            lists->left[lists->left_count++] = x[i];
        else
            lists->right[lists->right_count++] = y[j];
        i += take_x;
        j += take_y;
    }
}

/* The edges of a crossing run between a node in the clusters left + both and one in right + both.
 */
static void unfold_crossing(const dgmi_mapper_bundles *bundles,
                            const dgmi_mapper_crossing *crossing, split_lists *lists,
                            const contact_sink *sink) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_mapper_bundle_list(bundles, crossing->low, &one, &x),
            edges = crossing->edges;
    int64_t y_count = dgmi_mapper_bundle_list(bundles, crossing->high, &other, &y);
    if (x_count == 1) {
        add_one(sink, *x, y, y_count, edges);
        return;
    }
    if (y_count == 1) {
        add_one(sink, *y, x, x_count, edges);
        return;
    }
    split(lists, x, x_count, y, y_count);
    add_between(sink, lists->left, lists->left_count, lists->right, lists->right_count, edges);
    add_between(sink, lists->left, lists->left_count, lists->both, lists->both_count, edges);
    add_between(sink, lists->both, lists->both_count, lists->right, lists->right_count, edges);
    add_inside(sink, lists->both, lists->both_count, INNER, edges);
}

/* Nodes of a bundle lie in all its clusters, and so do the edges inside it. */
static void unfold_lists(const meeting_job *job, int64_t chunk, const contact_sink *sink) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    int64_t begin, end;
    dgmi_chunk(bundles->count - bundles->clusters, LISTS_A_CHUNK, chunk, &begin, &end);
    for (int64_t k = begin; k < end && !dgmi_cancelled(job->ctx); k++) {
        int64_t id = bundles->clusters + k, start = bundles->list_start[k],
                length = bundles->list_start[k + 1] - start, edges = job->crossings->same[id];
        add_inside(sink, bundles->lists + start, length, SHARED, bundles->members[id]);
        if (edges)
            add_inside(sink, bundles->lists + start, length, INNER, edges);
    }
}

static void unfold_chunk(void *argument, int64_t chunk, int thread) {
    const meeting_job *job = argument;
    int64_t clusters = job->bundles->clusters;
    contact_sink sink = {
        .contacts = job->contacts, .range_bits = job->range_bits, .clusters = clusters};
    if (job->tables)
        sink.table = job->tables + count_pairs(clusters) * thread;
    else
        sink.cursor = job->cursor + chunk * job->ranges;
    if (chunk < job->list_chunks) {
        unfold_lists(job, chunk, &sink);
        return;
    }
    uint32_t *room = job->parts + 3 * job->longest * thread;
    split_lists lists = {
        .left = room, .right = room + job->longest, .both = room + 2 * job->longest};
    const dgmi_mapper_crossing_block *block = job->crossings->blocks[chunk - job->list_chunks];
    for (int64_t i = 0; i < block->count && !dgmi_cancelled(job->ctx); i++)
        unfold_crossing(job->bundles, &block->items[i], &lists, &sink);
}

/* Counts become places: range by range, inside a range chunk by chunk. */
static int64_t place_ranges(meeting_job *job) {
    int64_t sum = 0;
    for (int64_t r = 0; r < job->ranges; r++) {
        job->range_start[r] = sum;
        for (int64_t c = 0; c < job->chunks; c++) {
            int64_t here = job->cursor[c * job->ranges + r];
            job->cursor[c * job->ranges + r] = sum;
            sum += here;
        }
        int64_t size = sum - job->range_start[r];
        assert(size >= 0);
        job->largest = size > job->largest ? size : job->largest;
    }
    job->range_start[job->ranges] = sum;
    return sum;
}

/* ---- sorting and merging ---- */

static uint64_t key_of(const contact *c) {
    return (uint64_t)c->low << 32 | c->high;
}

/* One pass of counting sort, by the digit of the key at bit `shift`. */
static void sort_by_digit(const contact *from, contact *to, int64_t count, int shift) {
    int64_t start[DIGITS + 1] = {0};
    for (int64_t i = 0; i < count; i++)
        start[(key_of(&from[i]) >> shift) % DIGITS + 1]++;
    for (int d = 0; d < DIGITS; d++)
        start[d + 1] += start[d];
    for (int64_t i = 0; i < count; i++)
        to[start[(key_of(&from[i]) >> shift) % DIGITS]++] = from[i];
}

/* Sorts by (low, high), whose bits beyond those given are all the same. */
static void sort_contacts(contact *contacts, contact *spare, int64_t count, int low_bits,
                          int high_bits) {
    assert(low_bits <= 32 && high_bits <= 32);
    contact *from = contacts, *to = spare;
    for (int shift = 0; shift < 32 + low_bits; shift += DIGIT_BITS) {
        if (shift < 32 && shift >= high_bits)
            continue;
        sort_by_digit(from, to, count, shift);
        contact *swap = from;
        from = to;
        to = swap;
    }
    if (from != contacts)
        memcpy(contacts, from, (size_t)count * sizeof *contacts);
}

static int bits_of(int64_t most) {
    int bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* Sorts a range and counts its pairs. */
static void sort_range(void *argument, int64_t range, int thread) {
    meeting_job *job = argument;
    contact *contacts = job->contacts + job->range_start[range];
    int64_t count = job->range_start[range + 1] - job->range_start[range], pairs = count > 0;
    sort_contacts(contacts, job->spare + job->largest * thread, count, job->range_bits,
                  bits_of(job->bundles->clusters));
    for (int64_t i = 1; i < count; i++)
        pairs += key_of(&contacts[i]) != key_of(&contacts[i - 1]);
    job->pair_start[range + 1] = pairs;
    assert(pairs <= count);
}

/* Sorted contacts of the same pair become one meeting. */
static void merge_range(void *argument, int64_t range, int thread) {
    (void)thread;
    const meeting_job *job = argument;
    dgmi_mapper_meeting *meeting = job->meetings + job->pair_start[range] - 1;
    for (int64_t i = job->range_start[range]; i < job->range_start[range + 1]; i++) {
        const contact *c = &job->contacts[i];
        if (i == job->range_start[range] || key_of(c) != key_of(c - 1))
            *++meeting = (dgmi_mapper_meeting){c->low, c->high, 0, 0, 0};
        int64_t amount = (int64_t)(c->count_and_kind >> KIND_BITS);
        int kind = (int)(c->count_and_kind & KIND_MASK);
        assert(c->low < c->high && meeting >= job->meetings);
        meeting->shared += kind == SHARED ? amount : 0;
        meeting->links += kind != SHARED ? amount : 0;
        meeting->inner += kind == INNER ? amount : 0;
    }
}

/* ---- the whole ---- */

static void cut_ranges(meeting_job *job) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    int64_t lists = bundles->count - bundles->clusters;
    job->list_chunks = dgmi_chunks(lists, LISTS_A_CHUNK);
    job->chunks = job->list_chunks + job->crossings->block_count;
    while (bundles->clusters >> job->range_bits >= MOST_RANGES)
        job->range_bits++;
    job->ranges = (bundles->clusters >> job->range_bits) + 1;
    assert(job->ranges <= MOST_RANGES);
    for (int64_t k = 0; k < lists; k++) {
        int64_t length = bundles->list_start[k + 1] - bundles->list_start[k];
        job->longest = length > job->longest ? length : job->longest;
    }
}

/* How many clusters two bundles have in common; lists ascend. */
static int64_t count_common(const uint32_t *x, int64_t x_count, const uint32_t *y,
                            int64_t y_count) {
    int64_t i = 0, j = 0, common = 0;
    while (i < x_count && j < y_count) {
        bool step_x = x[i] <= y[j], step_y = y[j] <= x[i];
        common += step_x && step_y;
        i += step_x;
        j += step_y;
    }
    return common;
}

/* Contacts that unfold_crossing makes, or at least as many where `exact` is false. */
static double crossing_contacts(const dgmi_mapper_bundles *bundles,
                                const dgmi_mapper_crossing *crossing, bool exact) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_mapper_bundle_list(bundles, crossing->low, &one, &x);
    int64_t y_count = dgmi_mapper_bundle_list(bundles, crossing->high, &other, &y);
    double all = (double)x_count * (double)y_count;
    if (!exact)
        return all;
    double common = (double)count_common(x, x_count, y, y_count);
    return all - common * (common + 1) / 2;
}

/* How many contacts there will be, known without unfolding anything. */
static double count_contacts(const meeting_job *job, bool exact) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    double sum = 0;
    for (int64_t k = 0; k < bundles->count - bundles->clusters; k++) {
        double length = (double)(bundles->list_start[k + 1] - bundles->list_start[k]);
        sum += length * (length - 1) / 2 * (job->crossings->same[bundles->clusters + k] ? 2 : 1);
    }
    for (int64_t b = 0; b < job->crossings->block_count && !dgmi_cancelled(job->ctx); b++)
        for (int64_t i = 0; i < job->crossings->blocks[b]->count; i++)
            sum += crossing_contacts(bundles, &job->crossings->blocks[b]->items[i], exact);
    return sum;
}

/* The bytes of tables for all threads. */
static double table_bytes(const dgm_context *ctx, int64_t clusters) {
    double pairs = (double)clusters * ((double)clusters - 1) / 2;
    return pairs * (double)sizeof(pair_counts) * dgm_context_threads(ctx);
}

static bool wants_tables(const dgm_context *ctx, int64_t clusters, double meetings) {
    return meetings > 0 &&
           table_bytes(ctx, clusters) * TABLE_SHARE <= meetings * (double)sizeof(contact);
}

#define ADVICE                                                                                     \
    "lower " DGMI_NAMED("overlap") " or " DGMI_NAMED("intervals") ", or use " DGMI_NAMED(          \
        "cover=landmarks:k=K") " in place of balls"

static dgm_status check_memory(dgm_context *ctx, int64_t clusters, double meetings, double bytes) {
    char what[128];
    if (bytes < WORTH_ASKING)
        return DGM_OK;
    snprintf(what, sizeof what, "joining %lld clusters, which meet in %.3g places,",
             (long long)clusters, meetings);
    return dgmi_need_check(ctx, &(dgmi_need){what, bytes, bytes, ADVICE});
}

dgm_status dgmi_mapper_meetings_check(dgm_context *ctx, int64_t clusters, double meetings) {
    if (meetings > (double)DGMI_MAPPER_MOST_MEETINGS)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "with this cover %lld clusters meet in %.3g places, and %.3g are "
                         "allowed; " ADVICE,
                         (long long)clusters, meetings, (double)DGMI_MAPPER_MOST_MEETINGS);
    return check_memory(ctx, clusters, meetings,
                        wants_tables(ctx, clusters, meetings) ? table_bytes(ctx, clusters)
                                                              : meetings * (double)sizeof(contact));
}

static dgm_status check_contacts(dgm_context *ctx, meeting_job *job) {
    job->most = count_contacts(job, false);
    job->exact = job->most * (double)sizeof(contact) >= WORTH_ASKING;
    if (job->exact)
        job->most = count_contacts(job, true);
    return dgmi_mapper_meetings_check(ctx, job->bundles->clusters, job->most);
}

/* Unfolds twice: to know how much room each range needs, and to fill it. */
static dgm_status deal_contacts(dgm_context *ctx, meeting_job *job) {
    int threads = dgm_context_threads(ctx);
    job->cursor = dgmi_alloc_zero(ctx, job->chunks * job->ranges, sizeof *job->cursor);
    job->range_start = dgmi_alloc(ctx, job->ranges + 1, sizeof *job->range_start);
    job->pair_start = dgmi_alloc_zero(ctx, job->ranges + 1, sizeof *job->pair_start);
    if (!job->cursor || !job->range_start || !job->pair_start)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, job->chunks, unfold_chunk, job);
    dgm_status status = dgmi_progress(ctx, "joining clusters", 0.85);
    if (status != DGM_OK)
        return status;
    int64_t count = place_ranges(job);
    assert(job->exact ? (double)count == job->most : (double)count <= job->most);
    double entries = (double)count + (double)job->largest * threads;
    status =
        check_memory(ctx, job->bundles->clusters, (double)count, entries * (double)sizeof(contact));
    if (status != DGM_OK)
        return status;
    job->contacts = dgmi_alloc(ctx, count, sizeof *job->contacts);
    job->spare = dgmi_alloc(ctx, job->largest * threads, sizeof *job->spare);
    if (!job->contacts || !job->spare)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, job->chunks, unfold_chunk, job);
    return dgmi_progress(ctx, "joining clusters", 0.9);
}

static dgm_status merge_contacts(dgm_context *ctx, meeting_job *job) {
    dgmi_parallel(ctx, job->ranges, sort_range, job);
    for (int64_t r = 0; r < job->ranges; r++)
        job->pair_start[r + 1] += job->pair_start[r];
    job->meeting_count = job->pair_start[job->ranges];
    job->meetings = dgmi_scratch(ctx, job->meeting_count, sizeof *job->meetings);
    if (!job->meetings)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, job->ranges, merge_range, job);
    return dgmi_progress(ctx, "joining clusters", 0.95);
}

/* ---- tables ---- */

/* Adds the tables of the other threads to that of the first. */
static void add_tables(const meeting_job *job, int threads) {
    int64_t pairs = count_pairs(job->bundles->clusters);
    for (int t = 1; t < threads; t++)
        for (int64_t p = 0; p < pairs; p++)
            for (int kind = 0; kind < KINDS; kind++)
                job->tables[p].of[kind] += job->tables[pairs * t + p].of[kind];
}

static bool is_empty(const pair_counts *pair) {
    return !pair->of[SHARED] && !pair->of[LINKS] && !pair->of[INNER];
}

static dgm_status list_pairs(dgm_context *ctx, meeting_job *job) {
    int64_t clusters = job->bundles->clusters, pairs = count_pairs(clusters), at = 0;
    for (int64_t p = 0; p < pairs; p++)
        job->meeting_count += !is_empty(&job->tables[p]);
    job->meetings = dgmi_scratch(ctx, job->meeting_count, sizeof *job->meetings);
    if (!job->meetings)
        return DGM_ERROR_MEMORY;
    const pair_counts *pair = job->tables;
    for (uint32_t low = 0; low < clusters; low++)
        for (uint32_t high = low + 1; high < clusters; high++, pair++)
            if (!is_empty(pair))
                job->meetings[at++] =
                    (dgmi_mapper_meeting){low, high, pair->of[SHARED],
                                          pair->of[LINKS] + pair->of[INNER], pair->of[INNER]};
    return dgmi_progress(ctx, "joining clusters", 0.95);
}

static dgm_status fill_tables(dgm_context *ctx, meeting_job *job) {
    int threads = dgm_context_threads(ctx);
    job->tables = dgmi_alloc_zero(ctx, count_pairs(job->bundles->clusters) * threads + 1,
                                  sizeof *job->tables);
    if (!job->tables)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, job->chunks, unfold_chunk, job);
    dgm_status status = dgmi_progress(ctx, "joining clusters", 0.9);
    if (status != DGM_OK)
        return status;
    add_tables(job, threads);
    return list_pairs(ctx, job);
}

/* ---- all of it ---- */

static dgm_status list_contacts(dgm_context *ctx, meeting_job *job) {
    dgm_status status = deal_contacts(ctx, job);
    return status == DGM_OK ? merge_contacts(ctx, job) : status;
}

dgm_status dgmi_mapper_meetings_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const dgmi_mapper_crossings *crossings,
                                     dgmi_mapper_meeting **meetings, int64_t *count) {
    meeting_job job = {.ctx = ctx, .bundles = bundles, .crossings = crossings, .longest = 1};
    cut_ranges(&job);
    dgm_status status = check_contacts(ctx, &job);
    job.parts = dgmi_alloc(ctx, 3 * job.longest * dgm_context_threads(ctx), sizeof *job.parts);
    if (status == DGM_OK && !job.parts)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = wants_tables(ctx, bundles->clusters, job.most) ? fill_tables(ctx, &job)
                                                                : list_contacts(ctx, &job);
    *meetings = status == DGM_OK ? job.meetings : NULL;
    *count = status == DGM_OK ? job.meeting_count : 0;
    void *blocks[] = {job.cursor,   job.range_start, job.pair_start, job.tables,
                      job.contacts, job.spare,       job.parts};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_free(ctx, blocks[i]);
    return status;
}

/* ---- edges inside clusters ---- */

typedef struct {
    const dgmi_mapper_bundles *bundles;
    const dgmi_mapper_crossings *crossings;
    const bool *kept;
    int64_t *inside; /* by block */
} inside_job;

/* Whether two bundles have a kept cluster in common; lists ascend. */
static bool share_kept(const uint32_t *x, int64_t x_count, const uint32_t *y, int64_t y_count,
                       const bool *kept) {
    int64_t i = 0, j = 0;
    while (i < x_count && j < y_count) {
        if (x[i] == y[j] && kept[x[i]])
            return true;
        bool step_x = x[i] <= y[j], step_y = y[j] <= x[i];
        i += step_x;
        j += step_y;
    }
    return false;
}

static void count_inside(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const inside_job *job = argument;
    const dgmi_mapper_bundles *bundles = job->bundles;
    const dgmi_mapper_crossing_block *block = job->crossings->blocks[chunk];
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t inside = 0;
    for (int64_t i = 0; i < block->count; i++) {
        const dgmi_mapper_crossing *crossing = &block->items[i];
        if (crossing->low < bundles->clusters && crossing->high < bundles->clusters)
            continue; /* two clusters alone */
        int64_t x_count = dgmi_mapper_bundle_list(bundles, crossing->low, &one, &x);
        int64_t y_count = dgmi_mapper_bundle_list(bundles, crossing->high, &other, &y);
        if (share_kept(x, x_count, y, y_count, job->kept))
            inside += crossing->edges;
    }
    job->inside[chunk] = inside;
}

dgm_status dgmi_mapper_edges_inside(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const dgmi_mapper_crossings *crossings, const bool *kept,
                                    int64_t *inside) {
    inside_job job = {bundles, crossings, kept, NULL};
    job.inside = dgmi_scratch(ctx, crossings->block_count, sizeof *job.inside);
    if (!job.inside)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, crossings->block_count, count_inside, &job);
    *inside = 0;
    for (int64_t b = 0; b < crossings->block_count; b++)
        *inside += job.inside[b];
    for (int64_t c = 0; c < bundles->count; c++) {
        uint32_t one;
        const uint32_t *list;
        int64_t count = dgmi_mapper_bundle_list(bundles, (uint32_t)c, &one, &list);
        if (crossings->same[c] && share_kept(list, count, list, count, kept))
            *inside += crossings->same[c];
    }
    return DGM_OK;
}
