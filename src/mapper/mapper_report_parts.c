/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of a summary and its clusters: who is in them, and in what they differ from the rest of
 * the graph. */
#include "mapper_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "graph_union.h"

/* Smaller sets are not compared: their members are named, and chance explains whatever they are. */
enum { LEAST_COMPARED = 3 };

/* ---- pieces ---- */

/* A piece before the pieces are in order. */
typedef struct {
    uint32_t first; /* its smallest cluster */
    int64_t members, edges;
    int64_t cluster_count;
} draft;

/* The number of each cluster's piece, in the order of their smallest clusters. */
static dgm_status find_pieces(dgmi_mapper_reporter *r, draft **drafts, int64_t *count) {
    int64_t n = r->clusters.count;
    uint32_t *parent = dgmi_scratch(r->ctx, n, sizeof *parent);
    *drafts = dgmi_scratch(r->ctx, n, sizeof **drafts);
    *count = 0;
    if (!parent || !*drafts)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < n; c++)
        parent[c] = (uint32_t)c;
    for (int64_t e = 0; e < r->edge_count; e++)
        dgmi_graph_union_link(parent, r->edges[e].source, r->edges[e].target);
    for (int64_t c = 0; c < n; c++) {
        uint32_t root = dgmi_graph_union_find(parent, (uint32_t)c);
        r->piece_of[c] = root == c ? *count : r->piece_of[root];
        if (root == c)
            (*drafts)[(*count)++] = (draft){.first = root};
        (*drafts)[r->piece_of[c]].cluster_count++;
    }
    for (int64_t e = 0; e < r->edge_count; e++)
        (*drafts)[r->piece_of[r->edges[e].source]].edges++;
    return DGM_OK;
}

/* Lists of clusters by piece; the lists are kept, and `pieces` is in the order of the drafts. */
static dgm_status list_clusters(dgmi_mapper_reporter *r, const draft *drafts, int64_t count,
                                dgm_report_piece *pieces) {
    uint32_t *lists = dgmi_mapper_report_keep(r, r->clusters.count, sizeof *lists);
    int64_t used = 0;
    if (!lists)
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < count; p++) {
        pieces[p] = (dgm_report_piece){
            .clusters = lists + used,
            .cycle_rank = drafts[p].edges - drafts[p].cluster_count + 1,
            .loops = -1,
        };
        used += drafts[p].cluster_count;
    }
    for (int64_t c = 0; c < r->clusters.count; c++) {
        dgm_report_piece *piece = &pieces[r->piece_of[c]];
        lists[piece->clusters - lists + piece->cluster_count++] = (uint32_t)c;
    }
    return DGM_OK;
}

static int compare_drafts(const void *a, const void *b) {
    const draft *p = a, *q = b;
    if (p->members != q->members)
        return p->members > q->members ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

/* Brings the pieces into their order, the one with the most members first. */
static dgm_status order_pieces(dgmi_mapper_reporter *r, draft *drafts, int64_t count,
                               const dgm_report_piece *found) {
    int64_t *place = dgmi_scratch(r->ctx, count, sizeof *place);
    dgm_report_piece *pieces = dgmi_mapper_report_keep(r, count, sizeof *pieces);
    if (!place || !pieces)
        return DGM_ERROR_MEMORY;
    if (count > 1)
        qsort(drafts, (size_t)count, sizeof *drafts, compare_drafts);
    for (int64_t p = 0; p < count; p++) {
        int64_t before = r->piece_of[drafts[p].first];
        place[before] = p;
        pieces[p] = found[before];
    }
    for (int64_t c = 0; c < r->clusters.count; c++)
        r->piece_of[c] = place[r->piece_of[c]];
    r->out->pieces = pieces;
    r->out->totals.pieces = count;
    return DGM_OK;
}

/* The members of each piece. With structural edges a node may lie in several pieces. */
static dgm_status gather_pieces(dgmi_mapper_reporter *r) {
    int64_t count = r->out->totals.pieces, used = 0;
    int64_t *offsets = dgmi_scratch(r->ctx, count + 1, sizeof *offsets);
    uint32_t *nodes = dgmi_scratch(r->ctx, r->memberships, sizeof *nodes);
    if (!offsets || !nodes)
        return DGM_ERROR_MEMORY;
    offsets[0] = 0;
    for (int64_t p = 0; p < count; p++) {
        const dgm_report_piece *piece = &r->out->pieces[p];
        used += dgmi_mapper_report_union(r, piece->clusters, piece->cluster_count, nodes + used);
        offsets[p + 1] = used;
    }
    r->piece_members = (dgmi_mapper_members){count, offsets, nodes};
    return DGM_OK;
}

/* How many members each piece has, for their order. Where members are not known, their sum counts.
 */
static dgm_status measure_pieces(dgmi_mapper_reporter *r, const dgm_report_piece *pieces,
                                 int64_t count, draft *drafts) {
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    uint32_t *nodes = dgmi_scratch(r->ctx, r->memberships, sizeof *nodes);
    for (int64_t p = 0; nodes && p < count; p++) {
        for (int64_t k = 0; !r->cast && k < pieces[p].cluster_count; k++)
            drafts[p].members += r->clusters.offsets[pieces[p].clusters[k] + 1] -
                                 r->clusters.offsets[pieces[p].clusters[k]];
        if (r->cast)
            drafts[p].members =
                dgmi_mapper_report_union(r, pieces[p].clusters, pieces[p].cluster_count, nodes);
    }
    dgmi_arena_release(r->ctx, hold);
    return nodes ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status name_pieces(dgmi_mapper_reporter *r, const draft *drafts) {
    const dgmi_mapper_members *all = &r->piece_members;
    dgm_status status = DGM_OK;
    for (int64_t p = 0; p < all->clusters && status == DGM_OK; p++) {
        dgm_report_members *members = &r->out->pieces[p].members;
        status = dgmi_mapper_report_choose(r, all->nodes + all->offsets[p], NULL,
                                           all->offsets[p + 1] - all->offsets[p], members);
        members->total = drafts[p].members;
    }
    return status;
}

dgm_status dgmi_mapper_report_pieces(dgmi_mapper_reporter *r) {
    draft *drafts;
    int64_t count;
    r->piece_of = dgmi_scratch(r->ctx, r->clusters.count, sizeof *r->piece_of);
    dgm_status status = r->piece_of ? find_pieces(r, &drafts, &count) : DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    dgm_report_piece *found = dgmi_scratch(r->ctx, count, sizeof *found);
    status = found ? list_clusters(r, drafts, count, found) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = measure_pieces(r, found, count, drafts);
    if (status == DGM_OK)
        status = order_pieces(r, drafts, count, found);
    if (status == DGM_OK)
        status = gather_pieces(r);
    return status == DGM_OK ? name_pieces(r, drafts) : status;
}

/* ---- differences ---- */

static dgm_status keep_difference(const dgmi_mapper_reporter *r, dgm_difference *difference) {
    const char **const texts[] = {&difference->name, &difference->value};
    for (int i = 0; i < 2; i++)
        if (*texts[i] &&
            !(*texts[i] = dgmi_mapper_report_keep_text(r, *texts[i], strlen(*texts[i]))))
            return DGM_ERROR_MEMORY;
    return DGM_OK;
}

/* The differences of one set: those found up to the level, of which at most `most` are told. */
static dgm_status tell(const dgmi_mapper_reporter *r, const dgm_comparison *comparison,
                       const dgmi_mapper_finding *found, int64_t count, int64_t most,
                       dgm_report_differences *out) {
    dgm_status status = DGM_OK;
    *out = (dgm_report_differences){.total = count, .count = count < most ? count : most};
    dgm_difference *items = dgmi_mapper_report_keep(r, out->count, sizeof *items);
    out->items = items;
    if (!items)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < out->count && status == DGM_OK; i++) {
        items[i] = dgmi_mapper_difference(comparison, &found[i]);
        status = keep_difference(r, &items[i]);
    }
    return status;
}

static int compare_classes(const void *a, const void *b) {
    const dgmi_mapper_finding *x = a, *y = b;
    if (x->yes != y->yes)
        return x->yes > y->yes ? -1 : 1;
    return (x->question > y->question) - (x->question < y->question);
}

/* Of one set's differences those that are told come first: up to the level, and if `above`, only
 * classes that are more frequent than chance, in the order of their members. */
static int64_t sift(const dgmi_mapper_reporter *r, dgmi_mapper_finding *found, int64_t count,
                    bool above) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (found[i].q <= r->options.level && (!above || found[i].delta > 0))
            found[kept++] = found[i];
    if (above && kept > 1)
        qsort(found, (size_t)kept, sizeof *found, compare_classes);
    return kept;
}

/* Compares all sets of `sets`, and tells the differences of set i to where[i]. */
static dgm_status survey_sets(dgmi_mapper_reporter *r, const dgm_comparison *comparison,
                              dgmi_mapper_members sets, int columns, dgm_report_differences **where,
                              int64_t *tests) {
    dgmi_mapper_survey survey = {.comparison = comparison,
                                 .sets = sets,
                                 .columns = columns,
                                 .least = LEAST_COMPARED,
                                 .level = r->options.level};
    dgm_status status = dgmi_mapper_survey_run(r->ctx, &survey);
    bool above = columns == DGMI_MAPPER_CLASSES;
    int64_t most = above ? survey.count : r->options.differences;
    for (int64_t begin = 0, end; begin < survey.count && status == DGM_OK; begin = end) {
        uint32_t set = survey.found[begin].set;
        for (end = begin + 1; end < survey.count && survey.found[end].set == set;)
            end++;
        int64_t kept = sift(r, survey.found + begin, end - begin, above);
        status = tell(r, comparison, survey.found + begin, kept, most, where[set]);
    }
    if (tests)
        *tests = survey.tests;
    dgmi_free(r->ctx, survey.found);
    return status;
}

/* ---- classes without a graph ---- */

/* What the profile counts of one class in one cluster, against all memberships. */
static dgm_difference class_by_counts(const char *class_name, int32_t class_index, int64_t yes,
                                      int64_t inside, int64_t total, int64_t all) {
    double share = (double)yes / (double)inside;
    double outside = (double)(total - yes) / (double)(all - inside);
    return (dgm_difference){.kind = DGM_COLUMN_CLASS,
                            .value = class_name,
                            .column = class_index,
                            .inside = inside,
                            .outside = all - inside,
                            .yes = yes,
                            .yes_outside = total - yes,
                            .mean = share,
                            .mean_outside = outside,
                            .delta = share - outside,
                            .log_odds = NAN,
                            .lift = share * (double)all / (double)total,
                            .p = NAN,
                            .q = NAN};
}

static int compare_told(const void *a, const void *b) {
    const dgm_difference *x = a, *y = b;
    if (x->yes != y->yes)
        return x->yes > y->yes ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static dgm_status count_classes(dgmi_mapper_reporter *r, dgm_report_cluster *cluster,
                                const int64_t *totals, int64_t all) {
    const dgmi_mapper_counts *labels = &r->profile->labels;
    int64_t begin = labels->offsets[cluster->cluster], end = labels->offsets[cluster->cluster + 1];
    dgm_report_differences *out = &cluster->classes;
    dgm_difference *items = dgmi_mapper_report_keep(r, end - begin, sizeof *items);
    if (!items)
        return DGM_ERROR_MEMORY;
    for (int64_t i = begin; i < end && cluster->main_class.inside < all; i++) {
        int32_t value = labels->values[i];
        dgm_difference found = class_by_counts(r->out->class_names[value], value, labels->counts[i],
                                               cluster->main_class.inside, totals[value], all);
        if (found.delta > 0)
            items[out->count++] = found;
    }
    if (out->count > 1)
        qsort(items, (size_t)out->count, sizeof *items, compare_told);
    out->total = out->count;
    out->items = items;
    return DGM_OK;
}

static dgm_status classes_by_counts(dgmi_mapper_reporter *r) {
    if (!r->profile || !r->profile->labels.offsets)
        return DGM_OK;
    int64_t all = 0, *totals = dgmi_scratch(r->ctx, r->out->classes, sizeof *totals);
    dgm_status status = totals ? DGM_OK : DGM_ERROR_MEMORY;
    if (totals)
        dgmi_mapper_counts_totals(&r->profile->labels, r->clusters.count, r->out->classes, totals);
    for (int32_t k = 0; totals && k < r->out->classes; k++)
        all += totals[k];
    for (int64_t i = 0; i < r->clusters.count && status == DGM_OK; i++)
        if (r->out->clusters[i].main_class.inside)
            status = count_classes(r, &r->out->clusters[i], totals, all);
    return status;
}

/* ---- clusters ---- */

static int compare_clusters(const void *a, const void *b) {
    const dgm_report_cluster *p = a, *q = b;
    if (p->members.total != q->members.total)
        return p->members.total > q->members.total ? -1 : 1;
    return (p->cluster > q->cluster) - (p->cluster < q->cluster);
}

/* The most frequent class of the cluster, as far as the profile knows it. */
static void find_class(dgmi_mapper_reporter *r, dgm_report_cluster *cluster) {
    const dgmi_mapper_counts *labels = r->profile ? &r->profile->labels : NULL;
    int64_t c = cluster->cluster, labelled = 0;
    int32_t most = labels ? dgmi_mapper_counts_majority(labels, c, NULL) : -1;
    cluster->class_index = r->main_class[c] = most;
    if (most < 0)
        return;
    for (int64_t i = labels->offsets[c]; i < labels->offsets[c + 1]; i++)
        labelled += labels->counts[i];
    int64_t yes = dgmi_mapper_counts_find(labels, c, most);
    cluster->main_class = (dgm_difference){.kind = DGM_COLUMN_CLASS,
                                           .value = r->out->class_names[most],
                                           .column = most,
                                           .inside = labelled,
                                           .yes = yes,
                                           .mean = (double)yes / (double)labelled,
                                           .mean_outside = NAN,
                                           .delta = NAN,
                                           .log_odds = NAN,
                                           .lift = NAN,
                                           .p = NAN,
                                           .q = NAN};
}

static dgm_status name_clusters(dgmi_mapper_reporter *r) {
    dgm_report_cluster *clusters = r->out->clusters;
    const double *weights = dgm_summary_weights(r->summary);
    dgm_status status = DGM_OK;
    int64_t count;
    for (int64_t c = 0; c < r->clusters.count && status == DGM_OK; c++) {
        const uint32_t *nodes = dgmi_mapper_report_set(r, c, &count);
        const double *own = weights ? weights + r->clusters.offsets[c] : NULL;
        clusters[c] = (dgm_report_cluster){.cluster = (uint32_t)c, .piece = r->piece_of[c]};
        status = dgmi_mapper_report_choose(r, nodes, own, count, &clusters[c].members);
        clusters[c].members.total = r->clusters.offsets[c + 1] - r->clusters.offsets[c];
        find_class(r, &clusters[c]);
        if (status == DGM_OK && c % 1024 == 0)
            status = dgmi_progress(r->ctx, "naming members", (double)c / (double)r->clusters.count);
    }
    if (status == DGM_OK && r->clusters.count > 1)
        qsort(clusters, (size_t)r->clusters.count, sizeof *clusters, compare_clusters);
    return status;
}

/* Where the differences of each cluster and of each piece go, by their numbers in the sets. */
static dgm_status compare_all(dgmi_mapper_reporter *r, const dgm_comparison *comparison) {
    int64_t n = r->clusters.count, pieces = r->out->totals.pieces;
    dgm_report_differences **classes = dgmi_scratch(r->ctx, n, sizeof *classes);
    dgm_report_differences **others = dgmi_scratch(r->ctx, n, sizeof *others);
    dgm_report_differences **of_pieces = dgmi_scratch(r->ctx, pieces, sizeof *of_pieces);
    if (!classes || !others || !of_pieces)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        classes[r->out->clusters[i].cluster] = &r->out->clusters[i].classes;
        others[r->out->clusters[i].cluster] = &r->out->clusters[i].differences;
    }
    for (int64_t p = 0; p < pieces; p++)
        of_pieces[p] = &r->out->pieces[p].classes;
    const dgmi_mapper_members sets = {n, r->clusters.offsets, r->members};
    dgm_status status = survey_sets(r, comparison, sets, DGMI_MAPPER_CLASSES, classes, NULL);
    if (status == DGM_OK)
        status =
            survey_sets(r, comparison, sets, DGMI_MAPPER_OTHERS, others, &r->out->totals.tests);
    if (status == DGM_OK)
        status = survey_sets(r, comparison, r->piece_members, DGMI_MAPPER_CLASSES, of_pieces, NULL);
    return status;
}

/* Completes the most frequent class of each cluster: it is told whether chance explains it or not.
 */
static void judge_main_classes(dgmi_mapper_reporter *r, const dgm_comparison *comparison) {
    for (int64_t i = 0; i < r->clusters.count; i++) {
        dgm_report_cluster *cluster = &r->out->clusters[i];
        const dgm_difference *main_class = &cluster->main_class;
        if (cluster->class_index < 0)
            continue;
        const char *name = main_class->value;
        cluster->main_class = dgmi_mapper_difference_of_class(comparison, cluster->class_index,
                                                              main_class->inside, main_class->yes);
        cluster->main_class.value = name; /* the report's own */
        cluster->main_class.q = NAN;
        if (cluster->members.total < LEAST_COMPARED)
            cluster->main_class.p = NAN;
        for (int64_t k = 0; k < cluster->classes.count; k++)
            if (cluster->classes.items[k].column == cluster->class_index)
                cluster->main_class.q = cluster->classes.items[k].q;
    }
}

static dgm_status compare_with_graph(dgmi_mapper_reporter *r) {
    dgm_comparison *comparison;
    const char *lens = dgm_summary_get_provenance(r->summary).lens;
    dgm_status status = dgm_comparison_create(r->ctx, r->graph, lens, &comparison);
    if (status != DGM_OK)
        return status;
    r->out->totals.columns = dgm_comparison_columns(comparison);
    r->out->totals.left_out = dgm_comparison_left_out(comparison);
    for (int64_t g = 0; g < comparison->question_count; g++)
        if (comparison->questions[g].kind == DGM_COLUMN_CLASS)
            r->out->totals.columns -= comparison->questions[g].compared;
    status = compare_all(r, comparison);
    if (status == DGM_OK)
        judge_main_classes(r, comparison);
    dgm_comparison_free(comparison);
    return status;
}

dgm_status dgmi_mapper_report_clusters(dgmi_mapper_reporter *r) {
    int64_t n = r->clusters.count;
    r->out->clusters = dgmi_mapper_report_keep(r, n, sizeof *r->out->clusters);
    r->main_class = dgmi_scratch(r->ctx, n, sizeof *r->main_class);
    if (!r->out->clusters || !r->main_class)
        return DGM_ERROR_MEMORY;
    r->out->totals.clusters = n;
    dgm_status status = name_clusters(r);
    if (status != DGM_OK)
        return status;
    return r->graph ? compare_with_graph(r) : classes_by_counts(r);
}
