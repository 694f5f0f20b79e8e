/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the edges of a complex and as few triangles as are needed to span all boundaries.
 *
 * Edges are ordered by their smaller and then their larger end: in a triangle w < a < b the highest
 * edge is {a, b}. The vertices below a that form triangles with {a, b} are its lower link; two of
 * them, x and y, are joined there if {x, y, a, b} is in the complex. Then
 *
 *     d(xab) + d(yab) = d(xya) + d(xyb),
 *
 * and the highest edges of the triangles on the right, {y, a} and {y, b} with y > x, come before
 * {a, b}. So by induction one triangle for each piece of the lower link of each edge is enough to
 * span all boundaries. On nerves of covers nearly all lower links are in one piece, and the one
 * triangle an edge needs no reduction: it is the only one with that highest edge.
 */
#include "mapper_skeleton.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

/* Edges from one vertex to higher ones, each with the simplices around it. */
typedef struct {
    const dgmi_mapper_complex *complex;
    uint32_t *high; /* the larger ends, ascending */
    int64_t degree;
    uint32_t *seen;     /* by vertex: zero between uses */
    int64_t *start;     /* degree + 1, into which */
    int64_t *next;      /* by vertex */
    uint32_t *which;    /* simplices as places in `around` of the vertex */
    uint32_t *below;    /* by place: corners of the simplex below the vertex */
    uint32_t *parent;   /* by place: pieces of a lower link */
    uint32_t *stamp;    /* by vertex: the edge at which it was seen last, from 1 */
    uint32_t *stamp_at; /* and in which simplex */
} star;

static int compare_vertices(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static const uint32_t *simplex_at(const star *s, uint32_t vertex, int64_t place, int64_t *count) {
    const dgmi_mapper_complex *c = s->complex;
    assert(place >= 0 && place < c->vertex_start[vertex + 1] - c->vertex_start[vertex]);
    uint32_t simplex = c->around[c->vertex_start[vertex] + place];
    *count = c->simplex_start[simplex + 1] - c->simplex_start[simplex];
    return c->corners + c->simplex_start[simplex];
}

/* Larger ends; seen counts the simplices around each. */
static void find_ends(star *s, uint32_t vertex) {
    int64_t simplices = s->complex->vertex_start[vertex + 1] - s->complex->vertex_start[vertex];
    s->degree = 0;
    for (int64_t i = 0; i < simplices; i++) {
        int64_t count, at = 0;
        const uint32_t *corners = simplex_at(s, vertex, i, &count);
        while (corners[at] != vertex)
            at++;
        assert(at < count);
        s->below[i] = (uint32_t)at;
        while (++at < count)
            if (s->seen[corners[at]]++ == 0)
                s->high[s->degree++] = corners[at];
    }
}

static void deal_simplices(star *s, uint32_t vertex) {
    int64_t simplices = s->complex->vertex_start[vertex + 1] - s->complex->vertex_start[vertex];
    qsort(s->high, (size_t)s->degree, sizeof *s->high, compare_vertices);
    s->start[0] = 0;
    for (int64_t k = 0; k < s->degree; k++) {
        s->next[s->high[k]] = s->start[k];
        s->start[k + 1] = s->start[k] + s->seen[s->high[k]];
    }
    for (int64_t i = 0; i < simplices; i++) {
        int64_t count;
        const uint32_t *corners = simplex_at(s, vertex, i, &count);
        for (int64_t at = s->below[i] + 1; at < count; at++)
            s->which[s->next[corners[at]]++] = (uint32_t)i;
    }
}

static void clear_ends(star *s) {
    for (int64_t k = 0; k < s->degree; k++)
        s->seen[s->high[k]] = 0;
}

static dgm_status open_star(dgm_context *ctx, const dgmi_mapper_complex *complex, star *s) {
    int64_t n = complex->vertices, most_places = 0, most_ends = 0;
    for (int64_t v = 0; v < n; v++) {
        int64_t places = complex->vertex_start[v + 1] - complex->vertex_start[v], ends = 0;
        for (int64_t i = complex->vertex_start[v]; i < complex->vertex_start[v + 1]; i++)
            ends += complex->simplex_start[complex->around[i] + 1] -
                    complex->simplex_start[complex->around[i]];
        most_places = places > most_places ? places : most_places;
        most_ends = ends > most_ends ? ends : most_ends;
    }
    *s = (star){.complex = complex,
                .high = dgmi_scratch(ctx, n, sizeof *s->high),
                .seen = dgmi_scratch_zero(ctx, n, sizeof *s->seen),
                .start = dgmi_scratch(ctx, n + 1, sizeof *s->start),
                .next = dgmi_scratch(ctx, n, sizeof *s->next),
                .which = dgmi_scratch(ctx, most_ends, sizeof *s->which),
                .below = dgmi_scratch(ctx, most_places, sizeof *s->below),
                .parent = dgmi_scratch(ctx, most_places, sizeof *s->parent),
                .stamp = dgmi_scratch_zero(ctx, n, sizeof *s->stamp),
                .stamp_at = dgmi_scratch(ctx, n, sizeof *s->stamp_at)};
    bool all = s->high && s->seen && s->start && s->next && s->which && s->below && s->parent &&
               s->stamp && s->stamp_at;
    return all ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- lower links ---- */

static uint32_t root_of(uint32_t *parent, uint32_t place) {
    while (parent[place] != place)
        place = parent[place] = parent[parent[place]];
    return place;
}

/* Simplices of the k-th edge at the vertex that reach below it come first; returns how many, and
 * the smallest corner. */
static int64_t reach_below(star *s, uint32_t vertex, int64_t k, uint32_t *smallest, bool *cone) {
    int64_t count, reach = 0;
    uint32_t *which = s->which + s->start[k];
    *smallest = DGMI_MAPPER_NO_APEX;
    *cone = true; /* all have the same first corner */
    for (int64_t i = 0; i < s->start[k + 1] - s->start[k]; i++) {
        if (s->below[which[i]] == 0)
            continue;
        uint32_t first = *simplex_at(s, vertex, which[i], &count);
        *cone = *cone && (reach == 0 || first == *smallest);
        *smallest = first < *smallest ? first : *smallest;
        which[reach++] = which[i];
    }
    return reach;
}

/* Whether each simplex but the first shares a corner below the vertex with one before it. Then they
 * are one piece, which is nearly always so and found without a look at all corners. */
static bool follow_each_other(star *s, uint32_t vertex, const uint32_t *which, int64_t reach,
                              uint32_t stamp) {
    for (int64_t i = 0; i < reach; i++) {
        int64_t count;
        const uint32_t *corners = simplex_at(s, vertex, which[i], &count);
        uint32_t at = 0, below = s->below[which[i]];
        for (; at < below && (i == 0 || s->stamp[corners[at]] != stamp); at++)
            s->stamp[corners[at]] = stamp;
        if (i > 0 && at == below)
            return false;
    }
    return true;
}

/* Joins simplices that share a corner below the vertex; returns how many such corners there are. */
static int64_t join_pieces(star *s, uint32_t vertex, const uint32_t *which, int64_t reach,
                           uint32_t stamp) {
    int64_t corners_below = 0;
    for (int64_t i = 0; i < reach; i++) {
        int64_t count;
        const uint32_t *corners = simplex_at(s, vertex, which[i], &count);
        s->parent[which[i]] = which[i];
        for (uint32_t at = 0; at < s->below[which[i]]; at++) {
            uint32_t corner = corners[at];
            if (s->stamp[corner] == stamp) {
                uint32_t a = root_of(s->parent, s->stamp_at[corner]);
                s->parent[root_of(s->parent, which[i])] = a;
                continue;
            }
            s->stamp[corner] = stamp;
            s->stamp_at[corner] = which[i];
            corners_below++;
        }
    }
    return corners_below;
}

/* ---- the skeleton ---- */

typedef struct {
    dgm_context *ctx;
    star star;
    dgmi_mapper_skeleton *skeleton;
    dgmi_mapper_triangle *more; /* owned while it grows */
    int64_t more_room;
    bool count_triangles;
    uint32_t stamp;
} spanning;

/* A triangle for every piece but the one that has the apex. */
static dgm_status add_pieces(spanning *span, uint32_t a, uint32_t b, const uint32_t *which,
                             int64_t reach, uint32_t apex) {
    star *s = &span->star;
    dgmi_mapper_skeleton *skeleton = span->skeleton;
    uint32_t home = root_of(s->parent, s->stamp_at[apex]);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < reach; i++) {
        int64_t count;
        if (which[i] == home || s->parent[which[i]] != which[i])
            continue;
        void *room = span->more;
        status = dgmi_reserve(span->ctx, &room, &span->more_room, skeleton->more_count + 1,
                              sizeof *span->more);
        span->more = room;
        if (status == DGM_OK)
            span->more[skeleton->more_count++] =
                (dgmi_mapper_triangle){{*simplex_at(s, a, which[i], &count), a, b}};
    }
    return status;
}

static dgm_status take_edge(spanning *span, uint32_t a, int64_t k, int64_t edge) {
    star *s = &span->star;
    uint32_t smallest, b = s->high[k];
    bool cone;
    int64_t reach = reach_below(s, a, k, &smallest, &cone);
    uint32_t *which = s->which + s->start[k];
    span->skeleton->keys[edge] = (uint64_t)a << 32 | b; /* dgmi_mapper_pair: a < b */
    span->skeleton->apex[edge] = smallest;
    span->skeleton->apexes += smallest != DGMI_MAPPER_NO_APEX;
    if (reach <= 1 || (cone && !span->count_triangles)) {
        span->skeleton->triangles += reach == 1 ? s->below[which[0]] : 0;
        return DGM_OK;
    }
    if (!span->count_triangles && follow_each_other(s, a, which, reach, ++span->stamp))
        return DGM_OK;
    span->skeleton->triangles += join_pieces(s, a, which, reach, ++span->stamp);
    return cone ? DGM_OK : add_pieces(span, a, b, which, reach, smallest);
}

static dgm_status count_edges(spanning *span) {
    dgmi_mapper_skeleton *skeleton = span->skeleton;
    skeleton->row[0] = 0;
    for (int64_t v = 0; v < skeleton->vertices; v++) {
        find_ends(&span->star, (uint32_t)v);
        clear_ends(&span->star);
        skeleton->row[v + 1] = skeleton->row[v] + span->star.degree;
    }
    skeleton->edges = skeleton->row[skeleton->vertices];
    if (skeleton->edges >= UINT32_MAX)
        return dgmi_fail(span->ctx, DGM_ERROR_DATA, "the nerve has more than %u edges", UINT32_MAX);
    return DGM_OK;
}

static dgm_status take_edges(spanning *span) {
    dgm_status status = DGM_OK;
    for (int64_t v = 0; status == DGM_OK && v < span->skeleton->vertices; v++) {
        find_ends(&span->star, (uint32_t)v);
        deal_simplices(&span->star, (uint32_t)v);
        for (int64_t k = 0; status == DGM_OK && k < span->star.degree; k++)
            status = take_edge(span, (uint32_t)v, k, span->skeleton->row[v] + k);
        clear_ends(&span->star);
        if (status == DGM_OK && v % 4096 == 0)
            status = dgmi_progress(span->ctx, "listing triangles",
                                   (double)v / (double)span->skeleton->vertices);
    }
    return status;
}

static dgm_status keep_more(spanning *span) {
    dgmi_mapper_skeleton *skeleton = span->skeleton;
    skeleton->more = dgmi_scratch(span->ctx, skeleton->more_count, sizeof *skeleton->more);
    if (!skeleton->more)
        return DGM_ERROR_MEMORY;
    if (span->more)
        memcpy(skeleton->more, span->more, (size_t)skeleton->more_count * sizeof *skeleton->more);
    return DGM_OK;
}

dgm_status dgmi_mapper_skeleton_make(dgm_context *ctx, const dgmi_mapper_complex *complex,
                                     bool count_triangles, dgmi_mapper_skeleton *skeleton) {
    spanning span = {.ctx = ctx, .skeleton = skeleton, .count_triangles = count_triangles};
    *skeleton = (dgmi_mapper_skeleton){.vertices = complex->vertices};
    skeleton->row = dgmi_scratch(ctx, complex->vertices + 1, sizeof *skeleton->row);
    dgm_status status = skeleton->row ? open_star(ctx, complex, &span.star) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = count_edges(&span);
    if (status != DGM_OK)
        return status;
    skeleton->keys = dgmi_scratch(ctx, skeleton->edges, sizeof *skeleton->keys);
    skeleton->apex = dgmi_scratch(ctx, skeleton->edges, sizeof *skeleton->apex);
    if (!skeleton->keys || !skeleton->apex)
        return DGM_ERROR_MEMORY;
    status = take_edges(&span);
    if (status == DGM_OK)
        status = keep_more(&span);
    dgmi_free(ctx, span.more);
    return status;
}

int64_t dgmi_mapper_skeleton_edge(const dgmi_mapper_skeleton *skeleton, uint32_t a, uint32_t b) {
    uint64_t key = dgmi_mapper_pair(a, b);
    int64_t low = skeleton->row[key >> 32], high = skeleton->row[(key >> 32) + 1];
    while (low + 1 < high) {
        int64_t middle = (low + high) / 2;
        if (skeleton->keys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}
