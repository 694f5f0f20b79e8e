/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what clusters are called (mapper_name.h). Each cluster gets a list of parts. The first is its
 * name, and where names are equal the next that makes them differ is added.
 */
#include "mapper_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_text.h"
#include "mapper_comparison.h"
#include "mapper_summary.h"

enum { LEAST_MEMBERS = 5 }; /* of a cluster that is called by its class or by a difference */
#define PURE  0.8           /* the share of one class among the labelled members */
#define APART (1.0 / 3)     /* the delta of a difference; Romano (2006) calls it medium */
#define LEVEL 0.05          /* its q */

typedef enum { PART_CLASS, PART_DIFFERENCE, PART_MEMBER, PARTS } part;

/* What is said of a cluster. */
typedef struct {
    int64_t cluster, size;
    const char *parts[PARTS]; /* NULL: it has none */
    int next;                 /* the first part that was not in the name yet */
    const char *first, *name; /* the name begins with the first */
} subject;

/* All of it is scratch memory. */
typedef struct {
    dgm_context *ctx;
    const dgmi_mapper_name_source *from;
    const dgm_summary *summary;
    const dgm_graph *graph; /* NULL also if the summary does not know its members by number */
    int64_t count;
    subject *subjects; /* by number */
    subject **order;   /* as the step at work needs it */
} naming;

/* Several texts as one in scratch memory; NULL after an error. */
static const char *join(dgm_context *ctx, const char *a, const char *b, const char *c) {
    int64_t length = (int64_t)(strlen(a) + strlen(b) + strlen(c)) + 1;
    char *text = dgmi_scratch(ctx, length, 1);
    if (text)
        snprintf(text, (size_t)length, "%s%s%s", a, b, c);
    return text;
}

static const char *join_number(dgm_context *ctx, const char *before, int64_t number) {
    char digits[DGMI_NUMBER_SPACE];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    return join(ctx, before, digits, "");
}

/* ---- classes ---- */

/* A name that is a number says what of. */
static const char *say_of(dgm_context *ctx, const char *what, const char *name) {
    bool number = *name && name[strspn(name, "0123456789")] == '\0';
    return join(ctx, number ? what : "", name, "");
}

static dgm_status find_class(const naming *n, subject *s) {
    const dgm_profile *profile = n->from->profile;
    double share;
    int64_t labelled = 0;
    if (!profile || !profile->labels.offsets || s->size < LEAST_MEMBERS)
        return DGM_OK;
    for (int64_t i = profile->labels.offsets[s->cluster];
         i < profile->labels.offsets[s->cluster + 1]; i++)
        labelled += profile->labels.counts[i];
    int32_t most = dgmi_mapper_counts_majority(&profile->labels, s->cluster, &share);
    if (most < 0 || 2 * labelled <= s->size || share < PURE)
        return DGM_OK;
    s->parts[PART_CLASS] = say_of(n->ctx, "class ", profile->class_names[most]);
    return s->parts[PART_CLASS] ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- differences ---- */

/* "town = a", "feature 7", "high age". */
static dgm_status say_difference(const naming *n, const dgm_difference *d, const char **out) {
    const char *extent = d->delta > 0 ? "high " : "low ";
    if (d->kind == DGM_COLUMN_TEXT)
        *out = join(n->ctx, d->name, " = ", d->value);
    else if (d->kind == DGM_COLUMN_FEATURE)
        *out = join_number(n->ctx, "feature ", d->column);
    else if (d->kind == DGM_COLUMN_NUMBER)
        *out = join(n->ctx, extent, d->name, "");
    else
        *out = join_number(n->ctx, d->delta > 0 ? "high feature " : "low feature ", d->column);
    return *out ? DGM_OK : DGM_ERROR_MEMORY;
}

/* What members have seldom says nothing of what they are; of numbers both ends do. */
static bool sets_apart(const dgm_difference *d) {
    bool number = d->kind == DGM_COLUMN_NUMBER || d->kind == DGM_COLUMN_MEASURE;
    return d->q <= LEVEL && (number ? fabs(d->delta) : d->delta) >= APART;
}

/* Findings come by cluster, the largest |delta| first. */
static dgm_status take_differences(const naming *n, const dgm_comparison *comparison) {
    dgmi_mapper_survey survey = {
        .comparison = comparison,
        .sets = {n->summary->clusters, n->summary->offsets, n->summary->members},
        .columns = DGMI_MAPPER_OTHERS,
        .least = LEAST_MEMBERS,
        .level = LEVEL};
    dgm_status status = dgmi_mapper_survey_run(n->ctx, &survey);
    for (int64_t i = 0; i < survey.count && status == DGM_OK; i++) {
        subject *s = &n->subjects[survey.found[i].set];
        const dgm_difference d = dgmi_mapper_difference(comparison, &survey.found[i]);
        if (!s->parts[PART_DIFFERENCE] && sets_apart(&d))
            status = say_difference(n, &d, &s->parts[PART_DIFFERENCE]);
    }
    dgmi_free(n->ctx, survey.found);
    return status;
}

/* A comparison takes memory for each column that a file declares, also for columns without an entry:
 * names are not worth gigabytes. */
static bool is_comparable(const dgm_graph *graph) {
    const dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t entries = features.offsets ? features.offsets[dgm_graph_nodes(graph)] : INT64_MAX / 4;
    return (dgm_graph_attributes(graph) > 0 || features.width > 0) &&
           features.width <= 2 * entries + (1 << 20);
}

static dgm_status find_differences(const naming *n) {
    const dgm_comparison *comparison = n->from->comparison;
    dgm_comparison *own = NULL;
    if (!n->graph || (!comparison && !is_comparable(n->graph)))
        return DGM_OK;
    dgm_status status = DGM_OK;
    if (!comparison)
        status = dgm_comparison_create(n->ctx, n->graph, n->summary->lens_name, &own);
    if (status == DGM_OK)
        status = take_differences(n, comparison ? comparison : own);
    dgm_comparison_free(own);
    return status;
}

/* ---- members ---- */

static const char *say_node(const naming *n, int64_t node) {
    char number[DGMI_NUMBER_SPACE];
    size_t length;
    const char *name = dgm_graph_name_text(n->graph, node, &length);
    if (!name) {
        length = dgm_graph_name(n->graph, node, number, sizeof number);
        name = number;
    }
    char *text = dgmi_scratch(n->ctx, (int64_t)length + 1, 1);
    if (!text)
        return NULL;
    memcpy(text, name, length);
    text[length] = '\0';
    return say_of(n->ctx, "node ", text);
}

/* What the choice of members needs to know of each node. */
typedef struct {
    dgm_graph_rows rows;
    uint32_t *clusters; /* how many it lies in */
    uint32_t *here;     /* the cluster at work + 1, if it lies in it */
    bool *taken;        /* it is in a name */
} cast;

static int64_t count_neighbours(const cast *c, int64_t u, uint32_t mark) {
    int64_t found = 0;
    for (int64_t i = c->rows.offsets[u]; i < c->rows.offsets[u + 1]; i++)
        found += c->here[c->rows.targets[i]] == mark;
    return found;
}

/* The member of a cluster that is most its own and in no name yet, the smaller number of equals; -1:
 * all are in names. */
static int64_t find_own(const naming *n, const cast *c, int64_t cluster) {
    const int64_t *offsets = n->summary->offsets;
    const uint32_t *members = n->summary->members;
    uint32_t mark = (uint32_t)cluster + 1;
    int64_t best = -1;
    double most = -1;
    for (int64_t i = offsets[cluster]; i < offsets[cluster + 1]; i++)
        c->here[members[i]] = mark;
    for (int64_t i = offsets[cluster]; i < offsets[cluster + 1]; i++) {
        int64_t u = members[i];
        double own = c->taken[u] ? -1 : (double)count_neighbours(c, u, mark) / c->clusters[u];
        if (own > most || (own == most && own >= 0 && u < best)) {
            most = own;
            best = u;
        }
    }
    return best;
}

static dgm_status find_members(const naming *n) {
    cast c = {.rows = dgm_graph_get_rows(n->graph)};
    c.clusters = dgmi_scratch_zero(n->ctx, c.rows.nodes, sizeof *c.clusters);
    c.here = dgmi_scratch_zero(n->ctx, c.rows.nodes, sizeof *c.here);
    c.taken = dgmi_scratch_zero(n->ctx, c.rows.nodes, sizeof *c.taken);
    if (!c.clusters || !c.here || !c.taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n->summary->offsets[n->count]; i++)
        c.clusters[n->summary->members[i]]++;
    for (int64_t k = 0; k < n->count; k++) {
        subject *s = n->order[k];
        int64_t u = find_own(n, &c, s->cluster);
        if (u < 0)
            continue;
        c.taken[u] = true;
        if (!(s->parts[PART_MEMBER] = say_node(n, u)))
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Without a graph a member is one of those with the most neighbours, which the profile names. Those of
 * two clusters are the same member if their names are equal. */
static dgm_status find_hubs(const naming *n) {
    const dgmi_mapper_tops *hubs = n->from->profile ? &n->from->profile->hubs : NULL;
    if (!hubs || !hubs->offsets)
        return DGM_OK;
    int64_t total = hubs->offsets[n->count];
    const char **sorted = dgmi_scratch(n->ctx, total, sizeof *sorted);
    bool *taken = dgmi_scratch_zero(n->ctx, total, sizeof *taken);
    if (!sorted || !taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < total; i++)
        sorted[i] = dgmi_mapper_tops_name(hubs, i);
    if (total > 1)
        qsort(sorted, (size_t)total, sizeof *sorted, compare_texts);
    for (int64_t k = 0; k < n->count; k++) {
        subject *s = n->order[k];
        for (int64_t i = hubs->offsets[s->cluster];
             i < hubs->offsets[s->cluster + 1] && !s->parts[PART_MEMBER]; i++) {
            const char *name = dgmi_mapper_tops_name(hubs, i);
            const char **at = bsearch(&name, sorted, (size_t)total, sizeof *sorted, compare_texts);
            while (at > sorted && strcmp(at[-1], name) == 0)
                at--;
            if (taken[at - sorted])
                continue;
            taken[at - sorted] = true;
            if (!(s->parts[PART_MEMBER] = say_of(n->ctx, "node ", name)))
                return DGM_ERROR_MEMORY;
        }
    }
    return DGM_OK;
}

/* ---- names that differ ---- */

/* The largest cluster first, of equals the one with the smaller number. */
static int compare_sizes(const void *a, const void *b) {
    const subject *p = *(const subject *const *)a, *q = *(const subject *const *)b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return (p->cluster > q->cluster) - (p->cluster < q->cluster);
}

static int compare_names(const void *a, const void *b) {
    const subject *p = *(const subject *const *)a, *q = *(const subject *const *)b;
    int order = strcmp(p->name, q->name);
    return order ? order : (p->cluster > q->cluster) - (p->cluster < q->cluster);
}

static void sort(const naming *n, int (*compare)(const void *, const void *)) {
    if (n->count > 1)
        qsort(n->order, (size_t)n->count, sizeof *n->order, compare);
}

static void skip_missing(subject *s) {
    while (s->next < PARTS && !s->parts[s->next])
        s->next++;
}

static dgm_status begin_name(const naming *n, subject *s) {
    skip_missing(s);
    s->first = s->next < PARTS ? s->parts[s->next++] : join_number(n->ctx, "cluster ", s->cluster);
    s->name = s->first;
    return s->name ? DGM_OK : DGM_ERROR_MEMORY;
}

/* By the next part in place of the last one that was tried. Where there is none it is the number of the
 * cluster, behind all of the name. */
static dgm_status change_name(const naming *n, subject *s) {
    skip_missing(s);
    const char *number = s->next < PARTS ? "" : join_number(n->ctx, " #", s->cluster);
    if (s->next < PARTS)
        s->name = join(n->ctx, s->first, ", ", s->parts[s->next++]);
    else
        s->name = number ? join(n->ctx, s->name, number, "") : NULL;
    return s->name ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Changes equal names until there are none. What got its number can be equal to another name only if a
 * class or a member is called so; then it gets longer still. */
static dgm_status tell_apart(const naming *n) {
    dgm_status status = DGM_OK;
    bool equal = true;
    while (equal && status == DGM_OK) {
        equal = false;
        sort(n, compare_names);
        for (int64_t begin = 0, end; begin < n->count && status == DGM_OK; begin = end) {
            const char *name = n->order[begin]->name;
            for (end = begin + 1; end < n->count && strcmp(n->order[end]->name, name) == 0;)
                end++;
            equal = equal || end > begin + 1;
            for (int64_t i = begin; end > begin + 1 && i < end && status == DGM_OK; i++)
                status = change_name(n, n->order[i]);
        }
    }
    return status;
}

/* ---- all of it ---- */

static dgm_status name_all(const naming *n) {
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < n->count && status == DGM_OK; c++) {
        subject *s = &n->subjects[c];
        *s = (subject){.cluster = c, .size = n->summary->offsets[c + 1] - n->summary->offsets[c]};
        n->order[c] = s;
        status = find_class(n, s);
    }
    if (status == DGM_OK) {
        sort(n, compare_sizes);
        status = find_differences(n);
    }
    if (status == DGM_OK)
        status = n->graph ? find_members(n) : find_hubs(n);
    for (int64_t c = 0; c < n->count && status == DGM_OK; c++)
        status = begin_name(n, &n->subjects[c]);
    return status == DGM_OK ? tell_apart(n) : status;
}

/* Names that came from a file: the profile has one for each cluster. */
static dgm_status take_known(const naming *n, const dgmi_mapper_tops *known) {
    for (int64_t c = 0; c < n->count; c++)
        n->subjects[c] = (subject){.cluster = c, .name = dgmi_mapper_tops_name(known, c)};
    return DGM_OK;
}

static dgm_status keep_names(const naming *n, dgmi_mapper_names *out) {
    int64_t used = 0;
    for (int64_t c = 0; c < n->count; c++)
        used += (int64_t)strlen(n->subjects[c].name) + 1;
    *out = (dgmi_mapper_names){.allocator = n->ctx->allocator, .count = n->count};
    out->starts = dgmi_alloc(n->ctx, n->count, sizeof *out->starts);
    out->text = out->starts ? dgmi_alloc(n->ctx, used, 1) : NULL;
    if (!out->text) {
        dgmi_mapper_names_free(out);
        return DGM_ERROR_MEMORY;
    }
    used = 0;
    for (int64_t c = 0; c < n->count; c++) {
        size_t length = strlen(n->subjects[c].name) + 1;
        out->starts[c] = used;
        memcpy(out->text + used, n->subjects[c].name, length);
        used += (int64_t)length;
    }
    return DGM_OK;
}

dgm_status dgmi_mapper_names_make(dgm_context *ctx, const dgmi_mapper_name_source *from,
                                  dgmi_mapper_names *out) {
    naming n = {.ctx = ctx,
                .from = from,
                .summary = from->summary,
                .graph = from->summary->members ? from->graph : NULL,
                .count = from->summary->clusters};
    const dgmi_mapper_tops *known = from->profile ? &from->profile->names : NULL;
    *out = (dgmi_mapper_names){.allocator = ctx->allocator};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    n.subjects = dgmi_scratch(ctx, n.count, sizeof *n.subjects);
    n.order = dgmi_scratch(ctx, n.count, sizeof *n.order);
    dgm_status status = n.subjects && n.order ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = known && known->offsets ? take_known(&n, known) : name_all(&n);
    if (status == DGM_OK)
        status = keep_names(&n, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

void dgmi_mapper_names_free(dgmi_mapper_names *names) {
    dgmi_allocator_free(&names->allocator, names->starts);
    dgmi_allocator_free(&names->allocator, names->text);
    *names = (dgmi_mapper_names){.allocator = names->allocator};
}
