/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out a view: finds a start, lowers the stress, moves overlapping discs apart, and packs the
 * connected pieces side by side. */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "draw_view.h"
#include "layout_layout.h"

typedef struct {
    dgm_context *ctx;
    const dgm_view *view;
    const dgm_layout_options *options;
    double *places; /* x y */
    double *radius;
    double gap;                   /* between discs */
    const dgmi_draw_shell *shell; /* the view, where dust is folded; NULL: it is not */
} view_job;

enum { MOST_SHRINKS = 3 };
#define SHRINK   0.8
#define FARTHEST 1e9 /* places beyond are no drawing */
#define ALONE    6   /* radii from one such pile to the next where there is nothing else */
#define BESIDE   3   /* and at least, below what is narrower */
#define APART    1.5 /* radii between the middle of a pile that stands apart and everything else */

/* A layout knows nothing of a link but its ends. */
dgm_status dgmi_draw_view_take_apart(dgm_context *ctx, const dgm_view *view,
                                     dgmi_layout_parts *out) {
    dgmi_layout_link *links = dgmi_scratch(ctx, view->link_count, sizeof *links);
    if (!links)
        return DGM_ERROR_MEMORY;
    for (int64_t l = 0; l < view->link_count; l++)
        links[l] = (dgmi_layout_link){view->links[l].source, view->links[l].target};
    return dgmi_layout_take_apart(ctx, view->marks, links, view->link_count, out);
}

/* ---- stress ---- */

/* The lens, axes as long as each other; one axis on x. Graphs have none: then nothing is known. */
static void start_from_lens(const view_job *job) {
    const dgm_view *view = job->view;
    for (int64_t a = 0; a < 2; a++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t m = 0; a < view->dimension && m < view->marks; m++) {
            double value = view->lens[m * view->dimension + a];
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
        for (int64_t m = 0; m < view->marks; m++) {
            double value = a < view->dimension ? view->lens[m * view->dimension + a] : 0;
            if (view->dimension == 0)
                job->places[2 * m + a] = NAN;
            else if (high / 2 - low / 2 > 0)
                job->places[2 * m + a] = (value / 2 - low / 2) / (high / 2 - low / 2);
            else
                job->places[2 * m + a] = 0;
        }
    }
}

static void take_start(const view_job *job) {
    if (!job->options->start) {
        start_from_lens(job);
        return;
    }
    for (int64_t i = 0; i < 2 * job->view->marks; i++)
        job->places[i] = job->options->start[i];
}

/* A piece by itself: others may lie over it. */
typedef struct {
    dgm_context *ctx;
    int64_t count;
    double *places, *radius;
    double gap;
} piece_copy;

static dgm_status count_overlaps(const piece_copy *piece, int64_t *found) {
    double worst;
    return dgmi_layout_crowding(piece->ctx, piece->count, piece->radius, piece->gap, piece->places,
                                found, &worst);
}

static dgm_status separate(const piece_copy *piece, int64_t *found) {
    (void)found;
    return dgmi_layout_separate(piece->ctx, piece->count, piece->radius, piece->gap, piece->places,
                                NULL);
}

static dgm_status work_on_piece(const view_job *job, const dgmi_layout_sets *sets, int64_t p,
                                dgm_status (*work)(const piece_copy *piece, int64_t *found),
                                int64_t *found) {
    const uint32_t *members = sets->members + sets->offsets[p];
    piece_copy piece = {job->ctx, sets->offsets[p + 1] - sets->offsets[p], NULL, NULL, job->gap};
    if (piece.count < 2)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    piece.places = dgmi_scratch(job->ctx, 2 * piece.count, sizeof *piece.places);
    piece.radius = dgmi_scratch(job->ctx, piece.count, sizeof *piece.radius);
    dgm_status status = piece.places && piece.radius ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < piece.count; i++) {
        piece.places[2 * i] = job->places[2 * (int64_t)members[i]];
        piece.places[2 * i + 1] = job->places[2 * (int64_t)members[i] + 1];
        piece.radius[i] = job->radius[members[i]];
    }
    if (status == DGM_OK)
        status = work(&piece, found);
    for (int64_t i = 0; status == DGM_OK && i < piece.count; i++) {
        job->places[2 * (int64_t)members[i]] = piece.places[2 * i];
        job->places[2 * (int64_t)members[i] + 1] = piece.places[2 * i + 1];
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* The marks of the view, with piles that stand apart. */
static int64_t count_all(const view_job *job) {
    return job->shell ? job->shell->marks : job->view->marks;
}

static void scale_radii(view_job *job, double factor) {
    for (int64_t m = 0; m < count_all(job); m++)
        job->radius[m] *= factor;
    job->gap = DGMI_LAYOUT_GAP * dgmi_layout_usual(job->view->marks, job->radius);
}

/* Radii to the place that there is, and smaller where marks crowd in parts of it (hairballs): the
 * places are what matters, not to be torn apart for the sake of discs. */
static dgm_status fit_radii(view_job *job, const dgmi_layout_sets *sets) {
    dgm_status status = DGM_OK;
    scale_radii(job, dgmi_layout_radii_factor(sets, job->places));
    for (int turn = 0; status == DGM_OK && turn < MOST_SHRINKS; turn++) {
        int64_t overlaps = 0;
        for (int64_t p = 0; status == DGM_OK && p < sets->pieces; p++) {
            int64_t found = 0;
            status = work_on_piece(job, sets, p, count_overlaps, &found);
            overlaps += found;
        }
        if (overlaps <= job->view->marks / 2)
            break;
        scale_radii(job, SHRINK);
    }
    return status;
}

static bool is_held(const view_job *job) {
    return job->options->layout == DGM_LAYOUT_STRESS && job->options->start &&
           job->options->anchor > 0;
}

/* Where marks hold on to their start, so do pieces that have one; scratch memory. */
static dgm_status find_held(const view_job *job, const uint32_t *piece, int64_t pieces,
                            const bool **out) {
    *out = NULL;
    if (!is_held(job))
        return DGM_OK;
    bool *held = dgmi_scratch_zero(job->ctx, pieces, sizeof *held);
    const double *start = job->options->start;
    for (int64_t m = 0; held && m < job->view->marks; m++)
        held[piece[m]] |= isfinite(start[2 * m]) && isfinite(start[2 * m + 1]);
    *out = held;
    return held ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- piles beside their clusters ---- */

/* The largest cosine between a way out of a mark and its links to others that are laid out. */
static double nearest_link(const view_job *job, const dgmi_layout_graph *graph, uint32_t mark,
                           const double way[2]) {
    double nearest = -1;
    for (int64_t i = graph->offsets[mark]; i < graph->offsets[mark + 1]; i++) {
        uint32_t other = graph->targets[i];
        double dx = job->places[2 * other] - job->places[2 * mark];
        double dy = job->places[2 * other + 1] - job->places[2 * mark + 1];
        double length = sqrt(dx * dx + dy * dy);
        if (other < job->shell->core && length > 0)
            nearest = fmax(nearest, (dx * way[0] + dy * way[1]) / length);
    }
    return nearest;
}

/* Piles stand close to their clusters, on the side where these have the fewest links. Sixteen ways
 * are tried, given as numbers, since sines differ from machine to machine. */
static void place_piles(const view_job *job, const dgmi_layout_graph *graph) {
    static const double steps[] = {1, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898,
                                   0};
    for (int64_t m = job->shell ? job->shell->core : job->view->marks; m < job->view->marks; m++) {
        uint32_t host = job->shell->host[m - job->shell->core];
        double best[2] = {1, 0}, least = INFINITY;
        double away = job->radius[m] + job->radius[host] + 2 * job->gap;
        for (int i = 0; i < 16; i++) {
            double along = steps[i % 4], across = steps[4 - i % 4];
            const double way[][2] = {
                {along, across}, {-across, along}, {-along, -across}, {across, -along}};
            double nearest = nearest_link(job, graph, host, way[i / 4]);
            if (nearest < least - 1e-9) {
                least = nearest;
                best[0] = way[i / 4][0];
                best[1] = way[i / 4][1];
            }
        }
        job->places[2 * m] = job->places[2 * host] + away * best[0];
        job->places[2 * m + 1] = job->places[2 * host + 1] + away * best[1];
    }
}

/* Pieces in themselves, then all of them. */
static dgm_status part_and_pack(view_job *job, const dgmi_layout_parts *parts) {
    const dgmi_layout_sets *sets = &parts->sets;
    const bool *held = NULL;
    place_piles(job, &parts->graph);
    dgm_status status = fit_radii(job, sets);
    place_piles(job, &parts->graph);
    for (int64_t p = 0; status == DGM_OK && p < sets->pieces; p++)
        status = work_on_piece(job, sets, p, separate, NULL);
    if (status == DGM_OK)
        status = find_held(job, parts->piece, sets->pieces, &held);
    if (status != DGM_OK)
        return status;
    return dgmi_layout_pack(job->ctx, job->view->marks, parts->piece, sets->pieces, held,
                            job->radius, 4 * job->gap, job->places);
}

/* Dust has no say in where its clusters stand. */
static dgm_status lay_out_core(const view_job *job) {
    dgmi_layout_parts parts;
    dgm_view core = job->shell->view;
    core.marks = job->shell->core;
    core.link_count = job->shell->core_links;
    dgm_status status = dgmi_draw_view_take_apart(job->ctx, &core, &parts);
    return status == DGM_OK ? dgmi_layout_stress(job->ctx, &parts.graph, job->options, job->places)
                            : status;
}

static dgm_status lay_out_stress(view_job *job) {
    const dgm_view *view = job->view;
    dgmi_layout_parts parts;
    dgm_status status = dgmi_draw_view_take_apart(job->ctx, view, &parts);
    take_start(job);
    if (status == DGM_OK && job->shell)
        status = lay_out_core(job);
    else if (status == DGM_OK)
        status = dgmi_layout_stress(job->ctx, &parts.graph, job->options, job->places);
    return status == DGM_OK ? part_and_pack(job, &parts) : status;
}

/* ---- all layouts ---- */

static dgm_status lay_out(view_job *job) {
    const dgm_view *view = job->view;
    bool points = view->kind == DGM_VIEW_POINTS;
    const int64_t *areas; /* a shell has the areas of all its marks as sizes */
    dgm_status status = dgmi_draw_view_areas(job->ctx, view, &areas);
    if (status != DGM_OK)
        return status;
    dgmi_layout_radii(count_all(job), areas, 1, job->radius);
    if (view->marks == 0) /* nothing, or piles that stand apart and nothing else */
        return DGM_OK;
    if ((points || job->options->layout == DGM_LAYOUT_LENS) && view->dimension > 0)
        return dgmi_layout_lens(job->ctx, view->marks, view->dimension, view->lens, points,
                                job->radius, job->places);
    switch (job->options->layout) {
    case DGM_LAYOUT_LENS:
        return dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                         "there is no lens to lay out by; use stress, circular or grid");
    case DGM_LAYOUT_CIRCULAR:
        return dgmi_layout_circular(job->ctx, view->marks, job->radius, job->places);
    case DGM_LAYOUT_GRID:
        dgmi_layout_grid(view->marks, job->radius, job->places);
        return DGM_OK;
    default:
        return lay_out_stress(job);
    }
}

/* The box of the first marks with their discs. */
static void measure(const view_job *job, int64_t marks, double low[2], double high[2]) {
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int64_t m = 0; m < marks; m++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], job->places[2 * m + a] - job->radius[m]);
            high[a] = fmax(high[a], job->places[2 * m + a] + job->radius[m]);
        }
}

/* Piles that stand apart have a row below all others, with room for words on their right. */
static void place_apart(const view_job *job) {
    double low[2], high[2], largest = 0;
    int64_t marks = job->view->marks, apart = count_all(job) - marks;
    measure(job, marks, low, high);
    for (int64_t m = marks; m < marks + apart; m++)
        largest = fmax(largest, job->radius[m]);
    if (marks == 0) {
        low[0] = low[1] = high[1] = 0;
        high[0] = ALONE * largest * (double)apart;
    }
    double lacks = BESIDE * largest * (double)apart - (high[0] - low[0]);
    if (apart > 1 && lacks > 0) { /* on both sides, and the last pile ends with its disc */
        low[0] -= lacks / 2 - (BESIDE - 2) * largest / 2;
        high[0] = low[0] + BESIDE * largest * (double)apart;
    }
    for (int64_t m = marks; m < marks + apart; m++) {
        double share = (double)(m - marks) / (double)apart;
        job->places[2 * m] = low[0] + share * (high[0] - low[0]) + job->radius[m];
        job->places[2 * m + 1] = low[1] - APART * largest;
    }
}

/* The middle of all discs goes to 0. */
static void centre(const view_job *job) {
    double low[2], high[2];
    measure(job, count_all(job), low, high);
    for (int64_t i = 0; i < 2 * count_all(job); i++)
        job->places[i] -= (low[i % 2] + high[i % 2]) / 2;
}

/* A power of ten below a ten-millionth of the drawing: places are kept to so many digits and no
 * more, so that files say 0 and not 6.4e-11. */
static double finest_step(const view_job *job) {
    double extent = 0, step = 1;
    for (int64_t i = 0; i < 2 * count_all(job); i++)
        extent = fmax(extent, fabs(job->places[i]));
    for (int64_t m = 0; m < count_all(job); m++)
        extent = fmax(extent, job->radius[m]);
    while (extent > 0 && step > extent * 1e-7)
        step /= 10;
    while (step * 10 <= extent * 1e-7)
        step *= 10;
    return step;
}

/* Steps below 1 are the inverse of a whole number, which gives the nearest decimal. */
static double round_to(double value, double step) {
    double steps = round(1 / step);
    return (step < 1 ? round(value * steps) / steps : round(value / step) * step) + 0.0;
}

/* A place that no picture can show is never kept: all are finite, within what the reader of a
 * saved summary takes, and no disc rounds to nothing. */
static bool can_be_drawn(const view_job *job) {
    for (int64_t m = 0; m < count_all(job); m++)
        if (!(fabs(job->places[2 * m]) < FARTHEST && fabs(job->places[2 * m + 1]) < FARTHEST))
            return false;
    return true;
}

/* All three arrays or none. */
static dgm_status keep(const view_job *job, dgm_view *view) {
    int64_t marks = view->marks;
    double *kept[3], step = finest_step(job);
    for (int k = 0; k < 3; k++)
        kept[k] =
            dgmi_allocator_resize(&view->allocator, NULL, marks > 0 ? marks : 1, sizeof **kept);
    if (!kept[0] || !kept[1] || !kept[2]) {
        for (int k = 0; k < 3; k++)
            dgmi_allocator_free(&view->allocator, kept[k]);
        return dgmi_fail_memory(job->ctx, marks, sizeof **kept);
    }
    for (int64_t c = 0; c < marks; c++) {
        int64_t m = job->shell ? job->shell->mark_of[c] : c;
        kept[0][c] = round_to(job->places[2 * m], step);
        kept[1][c] = round_to(job->places[2 * m + 1], step);
        kept[2][c] = fmax(round_to(job->radius[m], step), step);
    }
    dgmi_allocator_free(&view->allocator, view->x);
    dgmi_allocator_free(&view->allocator, view->y);
    dgmi_allocator_free(&view->allocator, view->radius);
    view->x = kept[0];
    view->y = kept[1];
    view->radius = kept[2];
    view->layout = view->kind == DGM_VIEW_POINTS ? DGM_LAYOUT_LENS : job->options->layout;
    view->layout_seed = job->options->seed;
    view->placed_dust = view->dust ? view->dust->least : 0;
    return DGM_OK;
}

static dgm_status check_options(dgm_context *ctx, const dgm_layout_options *options) {
    if (options->layout < DGM_LAYOUT_STRESS || options->layout > DGM_LAYOUT_GRID)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d is no layout", options->layout);
    if (!(options->anchor >= 0))
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the anchor is %g; it must be 0 or more",
                         options->anchor);
    return DGM_OK;
}

/* Where dust is folded, a layout sees the marks that are left, and starts where these do. */
static dgm_status look_at_marks(view_job *job, dgm_layout_options *use, dgmi_draw_shell *shell) {
    if (!job->view->dust)
        return DGM_OK;
    dgm_status status = dgmi_draw_dust_shell(job->ctx, job->view, use->start, shell);
    use->start = shell->start;
    job->view = &shell->view;
    job->shell = shell;
    return status;
}

static dgm_status find_places(view_job *job) {
    job->places = dgmi_scratch(job->ctx, 2 * count_all(job), sizeof *job->places);
    job->radius = dgmi_scratch(job->ctx, count_all(job), sizeof *job->radius);
    if (!job->places || !job->radius)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_progress(job->ctx, "laying out", 0);
    if (status == DGM_OK)
        status = lay_out(job);
    if (status == DGM_OK)
        place_apart(job);
    return status;
}

dgm_status dgm_view_lay_out(dgm_context *ctx, dgm_view *view, const dgm_layout_options *options) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_layout_options use = DGM_LAYOUT_OPTIONS_INIT;
    dgmi_draw_shell shell;
    view_job job = {ctx, view, &use, NULL, NULL, 0, NULL};
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_layout_options, anchor, options, &use);
    if (status == DGM_OK)
        status = check_options(ctx, &use);
    if (status == DGM_OK)
        status = dgmi_draw_dust_obey(ctx, view, &use, false);
    if (status == DGM_OK)
        status = look_at_marks(&job, &use, &shell);
    if (status == DGM_OK)
        status = find_places(&job);
    if (status == DGM_OK) {
        if (!is_held(&job)) /* or all would move with the rim */
            centre(&job);
        status = can_be_drawn(&job) ? keep(&job, view)
                                    : dgmi_fail(ctx, DGM_ERROR_DATA,
                                                "the layout has places that no picture can show; "
                                                "use another one: " DGMI_NAMED("layout=grid"));
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
