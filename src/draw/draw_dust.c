/* SPDX-License-Identifier: Apache-2.0 */
/* Folds the dust of a summary (mapper_dust.h) in its view: which clusters have marks, which links
 * are left between them, what a layout sees of them, and what a figure says about it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_option.h"
#include "draw_view.h"
#include "mapper_summary.h"

/* ---- links ---- */

/* The cluster whose mark stands for this one. */
static uint32_t stand_in(const dgmi_mapper_dust *dust, uint32_t cluster) {
    uint32_t pile = dust->pile[cluster];
    return pile == DGMI_MAPPER_NO_PILE ? cluster : dust->piles[pile].first;
}

/* Whether a pile hangs on another cluster than this one. */
static bool hangs_elsewhere(const dgmi_mapper_dust *dust, uint32_t dusty, uint32_t other) {
    uint32_t pile = dust->pile[dusty];
    return pile != DGMI_MAPPER_NO_PILE && dust->piles[pile].kind == DGMI_MAPPER_PILE_HANGING &&
           dust->piles[pile].host != other;
}

/* An edge of the summary as a link between marks; false: it has none. A link of a pile says that
 * the pile is joined, and not how strongly. */
static bool take_link(const dgmi_mapper_dust *dust, const dgm_summary_edge *edge,
                      dgm_summary_edge *out) {
    uint32_t a = stand_in(dust, edge->source), b = stand_in(dust, edge->target);
    bool plain = dust->pile[a] == DGMI_MAPPER_NO_PILE && dust->pile[b] == DGMI_MAPPER_NO_PILE;
    if (a == b || hangs_elsewhere(dust, edge->source, b) || hangs_elsewhere(dust, edge->target, a))
        return false;
    *out = plain ? *edge : (dgm_summary_edge){.weight = 0};
    out->source = a < b ? a : b;
    out->target = a < b ? b : a;
    return true;
}

/* By their ends. */
static int compare_links(const void *a, const void *b) {
    const dgm_summary_edge *p = a, *q = b;
    if (p->source != q->source)
        return p->source < q->source ? -1 : 1;
    return (p->target > q->target) - (p->target < q->target);
}

/* Takes the links with or without an end in a pile; returns how many there are then. */
static int64_t add_links(const dgm_view *view, bool dusty, dgm_summary_edge *links, int64_t count) {
    const dgm_summary *summary = view->summary;
    const uint32_t *pile = view->dust->pile;
    for (int64_t e = 0; e < summary->edge_count; e++) {
        const dgm_summary_edge *edge = &summary->edges[e];
        if ((pile[edge->source] != DGMI_MAPPER_NO_PILE ||
             pile[edge->target] != DGMI_MAPPER_NO_PILE) == dusty)
            count += take_link(view->dust, edge, &links[count]);
    }
    return count;
}

/* The links between marks: first those between clusters, in the order of the summary, then those of
 * piles, each once. */
static dgm_status fold_links(dgm_context *ctx, dgm_view *view) {
    dgm_status status = dgmi_draw_view_own_links(ctx, view, view->summary->edge_count);
    if (status != DGM_OK)
        return status;
    dgm_summary_edge *links = view->own.links;
    int64_t plain = add_links(view, false, links, 0), count = add_links(view, true, links, plain);
    int64_t kept = plain;
    qsort(links + plain, (size_t)(count - plain), sizeof *links, compare_links);
    for (int64_t i = plain; i < count; i++)
        if (kept == plain || compare_links(&links[kept - 1], &links[i]) != 0)
            links[kept++] = links[i];
    view->link_count = kept;
    view->dust_links = kept - plain;
    return DGM_OK;
}

/* ---- folding ---- */

/* The largest area of a cluster that has its own mark. */
static int64_t find_largest(const dgm_view *view) {
    int64_t largest = 0;
    for (int64_t c = 0; c < view->marks; c++)
        if (dgmi_draw_view_is_plain(view, c) && dgmi_draw_view_cluster_area(view, c) > largest)
            largest = dgmi_draw_view_cluster_area(view, c);
    return largest;
}

static dgm_status weigh_piles(dgm_context *ctx, dgm_view *view) {
    if (!view->weighed)
        return DGM_OK;
    view->pile_weight =
        dgmi_draw_view_alloc(ctx, view, view->dust->pile_count, sizeof *view->pile_weight);
    for (int64_t c = 0; view->pile_weight && c < view->marks; c++)
        if (!dgmi_draw_view_is_plain(view, c))
            view->pile_weight[view->dust->pile[c]] += view->weighed[c];
    return view->pile_weight ? DGM_OK : DGM_ERROR_MEMORY;
}

static void unfold(dgm_view *view) {
    dgmi_mapper_dust_free(view->dust);
    view->dust = NULL;
    view->dust_asked = 0;
    dgmi_allocator_free(&view->allocator, view->pile_weight);
    view->pile_weight = NULL;
    dgmi_allocator_free(&view->allocator, view->own.links);
    view->own.links = NULL;
    view->links = view->summary->edges;
    view->link_count = view->summary->edge_count;
    view->dust_links = 0;
}

static dgm_status fold(dgm_context *ctx, dgm_view *view, int64_t least) {
    unfold(view);
    dgm_status status =
        least > 0 ? dgmi_mapper_dust_find(ctx, view->summary, least, &view->dust) : DGM_OK;
    if (status == DGM_OK && view->dust) {
        view->largest = find_largest(view);
        status = weigh_piles(ctx, view);
        if (status == DGM_OK)
            status = fold_links(ctx, view);
    }
    if (status != DGM_OK)
        unfold(view);
    return status;
}

static int64_t least_of(const dgm_view *view) {
    return view->dust ? view->dust->least : 0;
}

/* Clusters of fewer nodes are to be folded. */
static int64_t find_wanted(const dgm_view *view, const dgm_layout_options *options, bool stays) {
    bool foreign = stays && view->x && view->layout < 0;
    if (options->dust == DGM_DUST_SHOW ||
        (options->dust == DGM_DUST_AUTO && (foreign || dgm_summary_pooling(view->summary))))
        return 0;
    return options->dust_size;
}

static void forget_places(dgm_view *view) {
    double **const places[] = {&view->x, &view->y, &view->radius};
    for (int i = 0; i < 3; i++) {
        dgmi_allocator_free(&view->allocator, *places[i]);
        *places[i] = NULL;
    }
    view->layout = -1;
    view->placed_dust = 0;
}

dgm_status dgmi_draw_dust_fold(dgm_context *ctx, dgm_view *view, int64_t least) {
    dgm_status status = least == view->dust_asked ? DGM_OK : fold(ctx, view, least);
    if (status == DGM_OK)
        view->dust_asked = least;
    if (status == DGM_OK && view->x && view->placed_dust != least_of(view))
        forget_places(view);
    return status;
}

dgm_status dgmi_draw_dust_obey(dgm_context *ctx, dgm_view *view, const dgm_layout_options *options,
                               bool stays) {
    if (options->dust < DGM_DUST_AUTO || options->dust > DGM_DUST_DROP)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d says nothing of dust", options->dust);
    if (options->dust_size < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("dust-size") " is %lld; it must be 1 or more",
                         (long long)options->dust_size);
    if (!view->summary)
        return DGM_OK;
    view->dust_dropped = options->dust == DGM_DUST_DROP;
    return dgmi_draw_dust_fold(ctx, view, find_wanted(view, options, stays));
}

dgm_status dgm_view_fold_dust(dgm_context *ctx, dgm_view *view, const dgm_layout_options *given) {
    dgm_layout_options use = DGM_LAYOUT_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_layout_options, anchor, given, &use);
    return status == DGM_OK ? dgmi_draw_dust_obey(ctx, view, &use, true) : status;
}

dgm_view_dust dgm_view_get_dust(const dgm_view *view) {
    const dgmi_mapper_dust *dust = view->dust;
    if (!dust)
        return (dgm_view_dust){0};
    return (dgm_view_dust){.size = dust->least,
                           .clusters = dust->clusters,
                           .nodes = dust->nodes,
                           .marks = view->dust_dropped ? 0 : dust->pile_count,
                           .dropped = view->dust_dropped};
}

/* ---- what a layout sees ---- */

/* The order of marks in a shell. */
typedef enum { CORE, HANGING, APART } mark_kind;

static mark_kind kind_of(const dgm_view *view, int64_t cluster) {
    uint32_t pile = view->dust->pile[cluster];
    if (pile == DGMI_MAPPER_NO_PILE || view->dust->piles[pile].kind == DGMI_MAPPER_PILE_CRUMB)
        return CORE;
    return view->dust->piles[pile].kind == DGMI_MAPPER_PILE_HANGING ? HANGING : APART;
}

/* Numbers the marks of a kind from `first` on, and returns the number after the last. */
static int64_t number_marks(const dgm_view *view, mark_kind kind, int64_t first,
                            uint32_t *mark_of) {
    for (int64_t c = 0; c < view->marks; c++) {
        uint32_t shown = stand_in(view->dust, (uint32_t)c);
        if (kind_of(view, c) == kind)
            mark_of[c] = shown == c ? (uint32_t)first++ : mark_of[shown];
    }
    return first;
}

static void find_hosts(const dgm_view *view, dgmi_draw_shell *shell) {
    for (int64_t p = 0; p < view->dust->pile_count; p++) {
        const dgmi_mapper_pile *pile = &view->dust->piles[p];
        if (pile->kind == DGMI_MAPPER_PILE_HANGING)
            shell->host[shell->mark_of[pile->first] - shell->core] = shell->mark_of[pile->host];
    }
}

/* Places at the start that are known, and the lens: the means over the clusters of a mark. */
static void average(const dgm_view *view, const dgmi_draw_shell *shell, int64_t columns,
                    const double *from, double *into, int64_t *known) {
    memset(into, 0, (size_t)(shell->marks * columns) * sizeof *into);
    for (int64_t k = 0; k < columns; k++) {
        memset(known, 0, (size_t)shell->marks * sizeof *known);
        for (int64_t c = 0; c < view->marks; c++)
            if (isfinite(from[c * columns + k])) {
                known[shell->mark_of[c]]++;
                into[shell->mark_of[c] * columns + k] += from[c * columns + k];
            }
        for (int64_t m = 0; m < shell->marks; m++)
            into[m * columns + k] = known[m] ? into[m * columns + k] / (double)known[m] : NAN;
    }
}

static void copy_links(const dgm_view *view, dgmi_draw_shell *shell, dgm_summary_edge *links) {
    int64_t count = 0;
    for (int hanging = 0; hanging < 2; hanging++) {
        shell->core_links = count;
        for (int64_t l = 0; l < view->link_count; l++) {
            uint32_t a = shell->mark_of[view->links[l].source];
            uint32_t b = shell->mark_of[view->links[l].target];
            if ((a >= shell->core || b >= shell->core) != hanging)
                continue;
            links[count] = view->links[l];
            links[count].source = a < b ? a : b;
            links[count++].target = a < b ? b : a;
        }
    }
}

dgm_status dgmi_draw_dust_shell(dgm_context *ctx, const dgm_view *view, const double *start,
                                dgmi_draw_shell *out) {
    *out = (dgmi_draw_shell){.view = *view};
    out->mark_of = dgmi_scratch(ctx, view->marks, sizeof *out->mark_of);
    if (!out->mark_of)
        return DGM_ERROR_MEMORY;
    out->core = number_marks(view, CORE, 0, out->mark_of);
    out->view.marks = number_marks(view, HANGING, out->core, out->mark_of);
    int64_t marks = out->marks = number_marks(view, APART, out->view.marks, out->mark_of);
    int64_t *size = dgmi_scratch(ctx, marks, sizeof *size);
    int64_t *known = dgmi_scratch(ctx, marks, sizeof *known);
    double *lens = dgmi_scratch(ctx, marks * view->dimension, sizeof *lens);
    dgm_summary_edge *links = dgmi_scratch(ctx, view->link_count, sizeof *links);
    out->start = start ? dgmi_scratch(ctx, 2 * marks, sizeof *out->start) : NULL;
    out->host = dgmi_scratch(ctx, marks - out->core, sizeof *out->host);
    if (!size || !known || !lens || !links || !out->host || (start && !out->start))
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < view->marks; c++)
        if (stand_in(view->dust, (uint32_t)c) == c)
            size[out->mark_of[c]] = dgmi_draw_view_area(view, c);
    average(view, out, view->dimension, view->lens, lens, known);
    if (start)
        average(view, out, 2, start, out->start, known);
    copy_links(view, out, links);
    find_hosts(view, out);
    out->view.size = size;
    out->view.weighed = NULL;
    out->view.lens = lens;
    out->view.links = links;
    return DGM_OK;
}

/* ---- words ---- */

static void say_count(dgmi_text *text, int64_t count, const char *what) {
    char number[DGMI_NUMBER_SPACE];
    dgmi_text_format(text, "%s %s%s", dgmi_draw_view_count(count, number), what,
                     count == 1 ? "" : "s");
}

void dgmi_draw_dust_say(const dgmi_mapper_pile *pile, dgmi_text *text) {
    bool pieces = pile->kind == DGMI_MAPPER_PILE_PIECES;
    if (pile->singles) {
        say_count(text, pile->nodes, "single node");
        return;
    }
    say_count(text, pieces ? pile->crumbs : pile->clusters,
              pieces ? "small piece" : "small cluster");
    dgmi_text_string(text, ", ");
    say_count(text, pile->nodes, "node");
}

static void say_fewer(dgmi_text *text, const dgmi_mapper_dust *dust) {
    char least[DGMI_NUMBER_SPACE];
    say_count(text, dust->clusters, "cluster");
    dgmi_text_format(text, " of fewer than %s nodes", dgmi_draw_view_count(dust->least, least));
}

void dgmi_draw_dust_say_range(const dgm_view *least, const dgm_view *most, int64_t views,
                              dgmi_text *text) {
    char count[DGMI_NUMBER_SPACE];
    dgmi_text_format(text, "dust %s in %s panels: ", most->dust_dropped ? "not drawn" : "folded",
                     dgmi_draw_view_count(views, count));
    if (least->dust->clusters < most->dust->clusters)
        dgmi_text_format(text, "%s to ", dgmi_draw_view_count(least->dust->clusters, count));
    say_fewer(text, most->dust);
}

void dgmi_draw_dust_say_all(const dgm_view *view, dgmi_text *text) {
    const dgmi_mapper_dust *dust = view->dust;
    dgmi_text_string(text, view->dust_dropped ? "dust not drawn: " : "dust folded: ");
    say_fewer(text, dust);
    dgmi_text_string(text, ", ");
    say_count(text, dust->nodes, "node");
    if (!view->dust_dropped) {
        dgmi_text_string(text, ", in ");
        say_count(text, dust->pile_count, "mark");
    }
    for (int64_t p = 0, said = 0; p < dust->pile_count; p++)
        if (dgmi_draw_dust_is_apart(&dust->piles[p])) {
            dgmi_text_string(text, said++ ? "; " : "; apart from the rest: ");
            dgmi_draw_dust_say(&dust->piles[p], text);
        }
}
