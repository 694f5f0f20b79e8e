/* SPDX-License-Identifier: Apache-2.0 */
/* Balls around nodes, and cells of the nearest landmark, in a space of any dimension:
 * DGM_COVER_BALLS and DGM_COVER_LANDMARKS.
 *
 * The centres are farthest points: the first is node 0, and each next one is the node that is
 * farthest from all centres before it, of equals the first (Gonzalez, Clustering to minimize the
 * maximum intercluster distance, 1985). They end when every node lies within the radius of a
 * centre, so that the centres are a net: more than the radius apart, and their balls hold every
 * node (Dlotko, Ball Mapper, 2019); or when there are as many as were asked for.
 *
 * A ball holds the nodes within the radius of its centre. The cell of a landmark holds the nodes
 * that it is the nearest landmark of, which are its own, and strangers near its border. Let a node
 * have the distance d from its nearest landmark and d + e from another one, and let the two be s
 * apart. The node is a stranger of the other if e <= g s / (1 - g): on a line, where landmarks at
 * equal steps have cells of the length s, this is the margin of the gain rule. In a space of many
 * columns such a margin holds almost everything, so a cell takes only those strangers with the
 * smallest e, at most g / (1 - g) times as many as it has nodes of its own, rounded up. So about a
 * share of g of a cell is shared, in any dimension, and nothing across a gap.
 *
 * Time O(n k) distances at most. A node whose nearest centre is less than half as far away as that
 * one is from another centre is not compared with the other, because that cannot be nearer.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "mapper_cover.h"
#include "mapper_points.h"

enum { GRAIN = 1 << 11, MOST_BALLS = 4000, CENTRES_A_LOOK = 16 };
#define SLACK      1.000000001 /* more than rounding adds to a sum of squares */
#define MOST_PAIRS 0x1p30      /* of balls that share a node, over all nodes: half a minute */

typedef struct {
    dgm_context *ctx;
    dgmi_mapper_points points;
    uint32_t *centres; /* the node of each centre */
    int64_t count, room;
    uint32_t *owner; /* the nearest centre of each node, of equals the first */
    double *nearest; /* the square of its distance */
    double most;     /* the largest of these */
    double *apart;   /* the squares of the newest centre's distances from the others */
    int64_t apart_room;
    double *chunk_most; /* of each chunk of nodes: the largest of `nearest`, and its node */
    uint32_t *chunk_node;
    uint32_t *start, *grouped; /* the nodes of each centre, ascending, one group after another */
} point_net;

/* ---- centres ---- */

/* Compares the nodes of a chunk with the newest centre. */
static void visit_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const point_net *job = argument;
    int64_t newest = job->count - 1, begin, end;
    dgmi_chunk(job->points.count, GRAIN, chunk, &begin, &end);
    double most = -1;
    for (int64_t u = begin; u < end; u++) {
        if (!(newest && 4 * job->nearest[u] <= job->apart[job->owner[u]])) {
            double square = dgmi_mapper_points_square(&job->points, u, job->centres[newest]);
            if (square < job->nearest[u]) {
                job->nearest[u] = square;
                job->owner[u] = (uint32_t)newest;
            }
        }
        if (job->nearest[u] > most) {
            most = job->nearest[u];
            job->chunk_node[chunk] = (uint32_t)u;
        }
    }
    job->chunk_most[chunk] = most;
}

/* Adds a centre. Afterwards *farthest is the node that is farthest from its nearest centre. */
static dgm_status add_centre(point_net *job, uint32_t node, uint32_t *farthest) {
    dgm_status status = dgmi_reserve(job->ctx, (void **)&job->centres, &job->room, job->count + 1,
                                     sizeof *job->centres);
    if (status == DGM_OK)
        status = dgmi_reserve(job->ctx, (void **)&job->apart, &job->apart_room, job->count + 1,
                              sizeof *job->apart);
    if (status != DGM_OK)
        return status;
    for (int64_t c = 0; c < job->count; c++)
        job->apart[c] = dgmi_mapper_points_square(&job->points, node, job->centres[c]);
    job->centres[job->count++] = node;
    int64_t chunks = dgmi_chunks(job->points.count, GRAIN);
    dgmi_parallel(job->ctx, chunks, visit_chunk, job);
    job->most = -1;
    for (int64_t c = 0; c < chunks; c++)
        if (job->chunk_most[c] > job->most) {
            job->most = job->chunk_most[c];
            *farthest = job->chunk_node[c];
        }
    return DGM_OK;
}

/* Adds centres until there are `limit`, or until none is farther away than the square says. */
static dgm_status add_centres(point_net *job, int64_t limit, double square) {
    uint32_t farthest = 0;
    dgm_status status = DGM_OK;
    job->most = INFINITY;
    while (status == DGM_OK && job->most > square && job->count < limit) {
        status = add_centre(job, farthest, &farthest);
        if (status == DGM_OK && job->count % CENTRES_A_LOOK == 0)
            status =
                dgmi_progress(job->ctx, "choosing centres", (double)job->count / (double)limit);
    }
    return status;
}

/* Lists the nodes of each centre. */
static dgm_status group_nodes(point_net *job) {
    int64_t nodes = job->points.count;
    job->start = dgmi_scratch_zero(job->ctx, job->count + 2, sizeof *job->start);
    job->grouped = dgmi_scratch(job->ctx, nodes, sizeof *job->grouped);
    if (!job->start || !job->grouped)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        job->start[job->owner[u] + 2]++;
    for (int64_t c = 0; c < job->count; c++)
        job->start[c + 2] += job->start[c + 1];
    for (int64_t u = 0; u < nodes; u++)
        job->grouped[job->start[job->owner[u] + 1]++] = (uint32_t)u;
    return DGM_OK;
}

static dgm_status open_net(point_net *job, const dgmi_mapper_cover *cover, int metric) {
    int64_t nodes = cover->nodes, chunks = dgmi_chunks(nodes, GRAIN);
    dgm_status status = dgmi_mapper_points_make(job->ctx, cover->values, nodes, cover->columns,
                                                metric, &job->points);
    if (status != DGM_OK)
        return status;
    job->owner = dgmi_scratch_zero(job->ctx, nodes, sizeof *job->owner);
    job->nearest = dgmi_scratch(job->ctx, nodes, sizeof *job->nearest);
    job->chunk_most = dgmi_scratch(job->ctx, chunks, sizeof *job->chunk_most);
    job->chunk_node = dgmi_scratch(job->ctx, chunks, sizeof *job->chunk_node);
    if (!job->owner || !job->nearest || !job->chunk_most || !job->chunk_node)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        job->nearest[u] = INFINITY;
    return DGM_OK;
}

static void close_net(point_net *job) {
    dgmi_free(job->ctx, job->centres);
    dgmi_free(job->ctx, job->apart);
}

/* Makes the centres and their groups. */
static dgm_status make_net(point_net *job, const dgmi_mapper_cover *cover, int metric,
                           int64_t limit, double distance) {
    dgm_status status = open_net(job, cover, metric);
    if (status == DGM_OK && cover->nodes)
        status = add_centres(job, limit, dgmi_mapper_points_square_of(&job->points, distance));
    return status == DGM_OK ? group_nodes(job) : status;
}

/* ---- balls ---- */

/* The centres whose balls may hold nodes of a group. */
typedef struct {
    uint32_t *centre;
    double *distance; /* from the centre of the group */
    int64_t count;
} candidates;

typedef struct {
    const point_net *net;
    double radius, square; /* the Euclidean ones of the points */
    uint32_t *offsets;     /* first the number of cells of each node, at the place behind it */
    uint32_t *cell;        /* NULL: only count */
    candidates *of_thread;
} ball_job;

static void find_candidates(const ball_job *job, int64_t group, candidates *found) {
    const point_net *net = job->net;
    double reach = 0;
    for (uint32_t i = net->start[group]; i < net->start[group + 1]; i++)
        reach = fmax(reach, net->nearest[net->grouped[i]]);
    reach = sqrt(reach);
    found->count = 0;
    for (int64_t c = 0; c < net->count; c++) {
        double distance =
            sqrt(dgmi_mapper_points_square(&net->points, net->centres[group], net->centres[c]));
        if (distance <= (job->radius + reach) * SLACK) {
            found->distance[found->count] = distance;
            found->centre[found->count++] = (uint32_t)c;
        }
    }
}

static void fill_group(void *argument, int64_t group, int thread) {
    const ball_job *job = argument;
    const point_net *net = job->net;
    if (dgmi_cancelled(net->ctx))
        return;
    candidates *near = &job->of_thread[thread];
    find_candidates(job, group, near);
    for (uint32_t i = net->start[group]; i < net->start[group + 1]; i++) {
        uint32_t node = net->grouped[i], count = 0;
        double reach = (job->radius + sqrt(net->nearest[node])) * SLACK;
        for (int64_t k = 0; k < near->count; k++) {
            if (near->distance[k] > reach ||
                !(dgmi_mapper_points_square(&net->points, node, net->centres[near->centre[k]]) <=
                  job->square))
                continue;
            if (job->cell)
                job->cell[job->offsets[node] + count] = near->centre[k];
            count++;
        }
        if (!job->cell)
            job->offsets[node + 1] = count;
    }
}

static dgm_status open_candidates(dgm_context *ctx, ball_job *job) {
    int threads = dgm_context_threads(ctx);
    job->of_thread = dgmi_scratch_zero(ctx, threads, sizeof *job->of_thread);
    for (int t = 0; job->of_thread && t < threads; t++) {
        candidates *mine = &job->of_thread[t];
        mine->centre = dgmi_scratch(ctx, job->net->count, sizeof *mine->centre);
        mine->distance = dgmi_scratch(ctx, job->net->count, sizeof *mine->distance);
        if (!mine->centre || !mine->distance)
            return DGM_ERROR_MEMORY;
    }
    return job->of_thread ? DGM_OK : DGM_ERROR_MEMORY;
}

/* In a space of many columns a ball holds almost everything or almost nothing. Every two balls that
 * share a node are a pair that the nerve looks at, once for each node that they share. */
static dgm_status check_pairs(dgm_context *ctx, const point_net *net, const uint32_t *counts,
                              int64_t nodes) {
    double pairs = 0, slots = 0;
    for (int64_t u = 0; u < nodes; u++) {
        pairs += (double)counts[u] * (double)counts[u] / 2;
        slots += (double)counts[u];
    }
    if (pairs <= MOST_PAIRS)
        return DGM_OK;
    return dgmi_fail(
        ctx, DGM_ERROR_USAGE,
        "a node lies in %.0f of %lld balls on average, too many to be told apart; lower "
        "the radius, or use " DGMI_NAMED("cover=landmarks:k=K"),
        slots / (double)nodes, (long long)net->count);
}

static dgm_status sum_offsets(const point_net *net, const dgmi_mapper_cover *cover,
                              uint32_t *offsets) {
    int64_t sum = 0;
    for (int64_t u = 0; u < cover->nodes; u++) {
        sum += offsets[u + 1];
        if (sum > DGMI_MAPPER_MOST_SLOTS)
            return dgmi_mapper_fail_slots(net->ctx, cover);
        offsets[u + 1] = (uint32_t)sum;
    }
    return DGM_OK;
}

static dgm_status fail_balls(dgm_context *ctx, double radius) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "more than %d balls of radius %.6g would be needed to hold every node; raise "
                     "the radius: " DGMI_NAMED("cover=balls:radius=R"),
                     MOST_BALLS, radius);
}

static dgm_status fill_balls(const point_net *net, double distance, dgmi_mapper_cover *cover) {
    dgm_context *ctx = net->ctx;
    ball_job job = {.net = net, .square = dgmi_mapper_points_square_of(&net->points, distance)};
    job.radius = sqrt(job.square);
    if (cover->nodes && net->most > job.square)
        return fail_balls(ctx, distance);
    job.offsets = dgmi_scratch_zero(ctx, cover->nodes + 1, sizeof *job.offsets);
    if (!job.offsets || open_candidates(ctx, &job) != DGM_OK)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, net->count, fill_group, &job);
    dgm_status status = check_pairs(ctx, net, job.offsets + 1, cover->nodes);
    if (status == DGM_OK)
        status = sum_offsets(net, cover, job.offsets);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "filling balls", 0.5);
    if (status != DGM_OK)
        return status;
    job.cell = dgmi_scratch(ctx, job.offsets[cover->nodes], sizeof *job.cell);
    if (!job.cell)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, net->count, fill_group, &job);
    cover->lists = (dgmi_mapper_lists){net->count, job.offsets, job.cell};
    return dgmi_progress(ctx, "filling balls", 1);
}

dgm_status dgmi_mapper_balls_make(dgm_context *ctx, const dgm_mapper_options *options,
                                  dgmi_mapper_cover *cover) {
    point_net job = {.ctx = ctx};
    dgm_status status = make_net(&job, cover, options->metric, MOST_BALLS, options->radius);
    if (status == DGM_OK)
        status = fill_balls(&job, options->radius, cover);
    close_net(&job);
    return status;
}

/* ---- landmarks ---- */

/* A node of another landmark, and how much farther this one is. */
typedef struct {
    double excess;
    uint32_t node;
} stranger;

static int compare_strangers(const void *x, const void *y) {
    const stranger *a = x, *b = y;
    if (a->excess != b->excess)
        return a->excess < b->excess ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

typedef struct {
    const point_net *net;
    double margin;     /* g / (1 - g) */
    int64_t *starts;   /* of each cell: where its members begin */
    uint32_t *members; /* its own nodes, then strangers */
    int64_t *taken;    /* of each cell: how many members there are */
    struct landmark_space {
        double *distance; /* from this landmark to the others */
        stranger *nearest;
    } * of_thread;
} landmark_job;

/* Finds the `wanted` strangers of least excess, or all if they are fewer, and returns their number.
 * More than twice as many are never kept. */
static int64_t find_strangers(const landmark_job *job, int64_t cell, int64_t wanted,
                              struct landmark_space *space) {
    const point_net *net = job->net;
    int64_t kept = 0;
    stranger worst = {INFINITY, UINT32_MAX};
    for (int64_t u = 0; u < net->points.count; u++) {
        double own = sqrt(net->nearest[u]);
        double apart = space->distance[net->owner[u]], most = job->margin * apart;
        most = most < worst.excess ? most : worst.excess;
        if (net->owner[u] == cell || apart / SLACK - 2 * own > most) /* which is no more than e */
            continue;
        double square = dgmi_mapper_points_square(&net->points, u, net->centres[cell]);
        stranger new = {sqrt(square) - own, (uint32_t)u};
        if (new.excess > most || compare_strangers(&new, &worst) >= 0)
            continue;
        space->nearest[kept++] = new;
        if (kept < 2 * wanted)
            continue;
        qsort(space->nearest, (size_t)kept, sizeof *space->nearest, compare_strangers);
        kept = wanted;
        worst = space->nearest[wanted - 1];
    }
    qsort(space->nearest, (size_t)kept, sizeof *space->nearest, compare_strangers);
    return kept < wanted ? kept : wanted;
}

static void fill_landmark(void *argument, int64_t cell, int thread) {
    const landmark_job *job = argument;
    const point_net *net = job->net;
    struct landmark_space *space = &job->of_thread[thread];
    int64_t at = job->starts[cell];
    if (dgmi_cancelled(net->ctx))
        return;
    for (uint32_t i = net->start[cell]; i < net->start[cell + 1]; i++)
        job->members[at++] = net->grouped[i];
    int64_t wanted = job->starts[cell + 1] - at;
    for (int64_t c = 0; c < net->count; c++)
        space->distance[c] =
            sqrt(dgmi_mapper_points_square(&net->points, net->centres[cell], net->centres[c]));
    int64_t found = wanted ? find_strangers(job, cell, wanted, space) : 0;
    for (int64_t i = 0; i < found; i++)
        job->members[at++] = space->nearest[i].node;
    job->taken[cell] = at - job->starts[cell];
}

/* Closes the gaps that cells with fewer strangers than wanted have left. */
static void close_gaps(landmark_job *job) {
    int64_t at = 0;
    for (int64_t c = 0; c < job->net->count; c++) {
        int64_t from = job->starts[c];
        job->starts[c] = at;
        for (int64_t i = 0; i < job->taken[c]; i++)
            job->members[at++] = job->members[from + i];
    }
    job->starts[job->net->count] = at;
}

/* How many nodes of other landmarks a cell takes in at most. */
static int64_t count_strangers(const point_net *net, int64_t cell, double margin) {
    int64_t own = (int64_t)net->start[cell + 1] - net->start[cell];
    double wanted = ceil(margin * (double)own - 1e-9);
    int64_t others = net->points.count - own;
    return wanted < (double)others ? (int64_t)wanted : others;
}

static dgm_status open_spaces(dgm_context *ctx, landmark_job *job, int64_t most) {
    int threads = dgm_context_threads(ctx);
    job->of_thread = dgmi_scratch_zero(ctx, threads, sizeof *job->of_thread);
    for (int t = 0; job->of_thread && t < threads; t++) {
        struct landmark_space *mine = &job->of_thread[t];
        mine->distance = dgmi_scratch(ctx, job->net->count, sizeof *mine->distance);
        mine->nearest = dgmi_scratch(ctx, 2 * most, sizeof *mine->nearest);
        if (!mine->distance || !mine->nearest)
            return DGM_ERROR_MEMORY;
    }
    return job->of_thread ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Says where the members of each cell begin; *most is the largest number of strangers of one. */
static dgm_status place_landmarks(landmark_job *job, const dgmi_mapper_cover *cover,
                                  int64_t *most) {
    const point_net *net = job->net;
    job->starts = dgmi_scratch_zero(net->ctx, net->count + 1, sizeof *job->starts);
    job->taken = dgmi_scratch_zero(net->ctx, net->count, sizeof *job->taken);
    *most = 0;
    if (!job->starts || !job->taken)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < net->count; c++) {
        int64_t strangers = count_strangers(net, c, job->margin);
        *most = strangers > *most ? strangers : *most;
        job->starts[c + 1] = job->starts[c] + net->start[c + 1] - net->start[c] + strangers;
    }
    if (job->starts[net->count] > DGMI_MAPPER_MOST_SLOTS)
        return dgmi_mapper_fail_slots(net->ctx, cover);
    job->members = dgmi_scratch(net->ctx, job->starts[net->count], sizeof *job->members);
    return job->members ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status fill_landmarks(const point_net *net, double gain, dgmi_mapper_cover *cover) {
    landmark_job job = {.net = net, .margin = gain / (1 - gain)};
    int64_t most;
    dgm_status status = place_landmarks(&job, cover, &most);
    if (status == DGM_OK)
        status = open_spaces(net->ctx, &job, most);
    if (status == DGM_OK)
        status = dgmi_progress(net->ctx, "filling cells", 0);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(net->ctx, net->count, fill_landmark, &job);
    status = dgmi_progress(net->ctx, "filling cells", 1);
    if (status != DGM_OK)
        return status;
    close_gaps(&job);
    return dgmi_mapper_lists_make(net->ctx, cover->nodes, net->count, job.starts, job.members,
                                  &cover->lists);
}

dgm_status dgmi_mapper_landmarks_make(dgm_context *ctx, const dgm_mapper_options *options,
                                      dgmi_mapper_cover *cover) {
    point_net job = {.ctx = ctx};
    dgm_status status = make_net(&job, cover, options->metric, options->landmarks, 0);
    if (status == DGM_OK && job.count < options->landmarks)
        dgmi_note(ctx, "%lld landmarks were asked for, and the nodes have %lld different places",
                  (long long)options->landmarks, (long long)job.count);
    if (status == DGM_OK)
        status = fill_landmarks(&job, dgmi_mapper_axis_overlap(options, 0), cover);
    close_net(&job);
    return status;
}
