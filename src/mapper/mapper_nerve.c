/* SPDX-License-Identifier: Apache-2.0 */
/* What clusters have in common: nodes (the nerve) and graph edges (structural edges).
 *
 * shared = |A and B|; links = edges {u, v} with one end in A and the other in B, each once; inner =
 * edges inside A and B. Then links + inner is the paper authors' count and shared + links + inner
 * the entry of S'AS with self-loops.
 *
 * The pairs of classes that meet are unfolded into pairs of clusters, which two counting sorts
 * bring together.
 */
#include "mapper_stages.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { SHARED, LINKS, INNER, KINDS };

/* `count` nodes or edges that two clusters have in common. */
typedef struct {
    uint32_t low, high;
    uint64_t count_and_kind;
} contact;

typedef struct {
    dgm_context *ctx;
    contact *list;
    int64_t count, capacity;
    dgm_status status;
} contact_list;

static void add_contact(contact_list *contacts, uint32_t a, uint32_t b, int kind, int64_t count) {
    if (contacts->count == contacts->capacity) {
        void *list = contacts->list;
        contacts->status = dgmi_reserve(contacts->ctx, &list, &contacts->capacity,
                                        contacts->count + 1, sizeof *contacts->list);
        contacts->list = list;
        if (contacts->status != DGM_OK)
            return;
    }
    contacts->list[contacts->count++] =
        (contact){a < b ? a : b, a < b ? b : a, (uint64_t)count * KINDS + (uint64_t)kind};
}

/* Every pair inside one list. */
static void add_inside(contact_list *contacts, const uint32_t *list, int64_t length, int kind,
                       int64_t count) {
    for (int64_t i = 0; i < length; i++)
        for (int64_t j = i + 1; j < length && contacts->status == DGM_OK; j++)
            add_contact(contacts, list[i], list[j], kind, count);
}

/* Every pair between two lists that have nothing in common. */
static void add_between(contact_list *contacts, const uint32_t *x, int64_t x_count,
                        const uint32_t *y, int64_t y_count, int64_t edges) {
    for (int64_t i = 0; i < x_count; i++)
        for (int64_t j = 0; j < y_count && contacts->status == DGM_OK; j++)
            add_contact(contacts, x[i], y[j], LINKS, edges);
}

/* The clusters of two classes, taken apart. */
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
static void unfold_crossing(const dgmi_classes *classes, const dgmi_crossing *crossing,
                            split_lists *lists, contact_list *contacts) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_class_list(classes, crossing->low, &one, &x), edges = crossing->edges;
    int64_t y_count = dgmi_class_list(classes, crossing->high, &other, &y);
    if (x_count == 1 && y_count == 1) {
        add_contact(contacts, *x, *y, LINKS, edges);
        return;
    }
    split(lists, x, x_count, y, y_count);
    add_between(contacts, lists->left, lists->left_count, lists->right, lists->right_count, edges);
    add_between(contacts, lists->left, lists->left_count, lists->both, lists->both_count, edges);
    add_between(contacts, lists->both, lists->both_count, lists->right, lists->right_count, edges);
    add_inside(contacts, lists->both, lists->both_count, INNER, edges);
}

/* Most pairs of classes unfold into one pair of clusters. */
static dgm_status expect_contacts(dgm_context *ctx, const dgmi_crossings *crossings,
                                  contact_list *contacts) {
    int64_t expected = 0;
    for (int t = 0; t < crossings->threads; t++)
        for (const dgmi_crossing_block *block = crossings->blocks[t]; block; block = block->older)
            expected += block->count;
    void *list = contacts->list;
    contacts->status = dgmi_reserve(ctx, &list, &contacts->capacity, expected + expected / 4,
                                    sizeof *contacts->list);
    contacts->list = list;
    return contacts->status;
}

static dgm_status unfold(dgm_context *ctx, const dgmi_classes *classes,
                         const dgmi_crossings *crossings, contact_list *contacts) {
    int64_t longest = 1, lists = classes->count - classes->clusters;
    for (int64_t k = 0; k < lists; k++) {
        const int64_t *start = &classes->list_start[k];
        longest = start[1] - start[0] > longest ? start[1] - start[0] : longest;
        int64_t id = classes->clusters + k, edges = crossings->same[id];
        add_inside(contacts, classes->lists + start[0], start[1] - start[0], SHARED,
                   classes->members[id]);
        if (edges)
            add_inside(contacts, classes->lists + start[0], start[1] - start[0], INNER, edges);
    }
    split_lists parts = {.left = dgmi_scratch(ctx, longest, sizeof(uint32_t)),
                         .right = dgmi_scratch(ctx, longest, sizeof(uint32_t)),
                         .both = dgmi_scratch(ctx, longest, sizeof(uint32_t))};
    if (!parts.left || !parts.right || !parts.both)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < crossings->threads; t++)
        for (const dgmi_crossing_block *block = crossings->blocks[t]; block; block = block->older)
            for (int64_t i = 0; i < block->count && contacts->status == DGM_OK; i++)
                unfold_crossing(classes, &block->items[i], &parts, contacts);
    return contacts->status;
}

/* One pass of counting sort, by the higher or the lower cluster. */
static void sort_contacts(const contact *from, contact *to, int64_t count, int64_t *start,
                          int64_t clusters, bool by_high) {
    memset(start, 0, (size_t)(clusters + 1) * sizeof *start);
    for (int64_t i = 0; i < count; i++)
        start[(by_high ? from[i].high : from[i].low) + 1]++;
    for (int64_t c = 0; c < clusters; c++)
        start[c + 1] += start[c];
    for (int64_t i = 0; i < count; i++)
        to[start[by_high ? from[i].high : from[i].low]++] = from[i];
}

/* Sorted contacts of the same pair become one meeting. */
static int64_t merge_contacts(const contact *contacts, int64_t count, dgmi_meeting *meetings) {
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        const contact *c = &contacts[i];
        if (i == 0 || c->low != c[-1].low || c->high != c[-1].high)
            meetings[used++] = (dgmi_meeting){c->low, c->high, 0, 0, 0};
        dgmi_meeting *meeting = &meetings[used - 1];
        int64_t amount = (int64_t)(c->count_and_kind / KINDS);
        int kind = (int)(c->count_and_kind % KINDS);
        meeting->shared += kind == SHARED ? amount : 0;
        meeting->links += kind != SHARED ? amount : 0;
        meeting->inner += kind == INNER ? amount : 0;
    }
    return used;
}

static dgm_status gather(dgm_context *ctx, contact_list *contacts, int64_t clusters,
                         dgmi_meeting **meetings, int64_t *count) {
    int64_t *start = dgmi_alloc(ctx, clusters + 1, sizeof *start);
    contact *other = dgmi_alloc(ctx, contacts->count, sizeof *other);
    dgm_status status = start && other ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        sort_contacts(contacts->list, other, contacts->count, start, clusters, true);
        sort_contacts(other, contacts->list, contacts->count, start, clusters, false);
    }
    dgmi_free(ctx, start);
    dgmi_free(ctx, other);
    if (status != DGM_OK)
        return status;
    *meetings = dgmi_scratch(ctx, contacts->count, sizeof **meetings);
    if (!*meetings)
        return DGM_ERROR_MEMORY;
    *count = merge_contacts(contacts->list, contacts->count, *meetings);
    return DGM_OK;
}

dgm_status dgmi_meetings_make(dgm_context *ctx, const dgmi_classes *classes,
                              const dgmi_crossings *crossings, dgmi_meeting **meetings,
                              int64_t *count) {
    contact_list contacts = {.ctx = ctx};
    *meetings = NULL;
    *count = 0;
    dgm_status status = expect_contacts(ctx, crossings, &contacts);
    if (status == DGM_OK)
        status = unfold(ctx, classes, crossings, &contacts);
    if (status == DGM_OK)
        status = gather(ctx, &contacts, classes->clusters, meetings, count);
    dgmi_free(ctx, contacts.list);
    return status;
}

/* Whether two classes have a kept cluster in common; lists ascend. */
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

int64_t dgmi_edges_inside(const dgmi_classes *classes, const dgmi_crossings *crossings,
                          const bool *kept) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t inside = 0;
    for (int64_t c = 0; c < classes->count; c++) {
        int64_t count = dgmi_class_list(classes, (uint32_t)c, &one, &x);
        if (crossings->same[c] && share_kept(x, count, x, count, kept))
            inside += crossings->same[c];
    }
    for (int t = 0; t < crossings->threads; t++)
        for (const dgmi_crossing_block *block = crossings->blocks[t]; block; block = block->older)
            for (int64_t i = 0; i < block->count; i++) {
                const dgmi_crossing *crossing = &block->items[i];
                if (crossing->low < classes->clusters && crossing->high < classes->clusters)
                    continue; /* two clusters alone */
                int64_t x_count = dgmi_class_list(classes, crossing->low, &one, &x);
                int64_t y_count = dgmi_class_list(classes, crossing->high, &other, &y);
                if (share_kept(x, x_count, y, y_count, kept))
                    inside += crossing->edges;
            }
    return inside;
}
