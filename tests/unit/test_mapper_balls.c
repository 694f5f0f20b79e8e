/* SPDX-License-Identifier: Apache-2.0 */
/* Balls and landmarks, worked out by hand and compared with their definitions on points with whole
 * coordinates, whose squared distances are exact. */
#include "mapper_sample.h"

#include <math.h>

#include "base_memory.h"
#include "mapper_stages.h"

#include "../check_memory.h"
#include "../check_random.h"

static dgm_mapper_options metric_cover(int cover) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = cover;
    options.cluster = DGM_CLUSTER_NONE;
    return options;
}

static dgm_mapper_options balls(double radius) {
    dgm_mapper_options options = metric_cover(DGM_COVER_BALLS);
    options.radius = radius;
    return options;
}

static dgm_mapper_options landmarks(int64_t count, double overlap) {
    dgm_mapper_options options = metric_cover(DGM_COVER_LANDMARKS);
    options.landmarks = count;
    options.overlap[0] = overlap;
    return options;
}

static dgm_summary *map_points(int64_t nodes, int64_t columns, const double *values,
                               const dgm_mapper_options *options) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, columns, values, options);
    dgm_graph_free(graph);
    return summary;
}

static void assert_cells(int64_t nodes, int64_t columns, const double *values,
                         dgm_mapper_options options, const char *expected) {
    dgm_summary *summary = map_points(nodes, columns, values, &options);
    assert_clusters(summary, expected);
    dgm_summary_free(summary);
}

static const double to_ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static void balls_stand_around_farthest_points(void **state) {
    (void)state;
    /* 0, then 10, then 5: all are within 3 of them. */
    assert_cells(11, 1, to_ten, balls(3), "0 1 2 3|7 8 9 10|2 3 4 5 6 7 8");
    assert_cells(11, 1, to_ten, balls(5), "0 1 2 3 4 5|5 6 7 8 9 10");
    assert_cells(11, 1, to_ten, balls(10), "0 1 2 3 4 5 6 7 8 9 10");
    assert_cells(4, 1, to_ten, balls(0.5), "0|3|1|2");
}

static void landmarks_share_the_nodes_between_them(void **state) {
    (void)state;
    /* Of 0 and 10 the nearest; 5 belongs to the first of equals. */
    assert_cells(11, 1, to_ten, landmarks(2, 0), "0 1 2 3 4 5|6 7 8 9 10");
    /* A gain of 1/5 takes in what is at most 10 / 4 farther away than from its own landmark. */
    assert_cells(11, 1, to_ten, landmarks(2, 0.2), "0 1 2 3 4 5 6|4 5 6 7 8 9 10");
    /* Of strangers as near as these, a cell of three takes one. */
    static const double crowd[] = {0, 1, 2, 10, 5, 5, 5, 5, 5};
    assert_cells(9, 1, crowd, landmarks(2, 0.2), "0 1 2 4 5 6 7 8|3 4");
    /* 0, 10, 5: the middle has 3 to 7. */
    assert_cells(11, 1, to_ten, landmarks(3, 0), "0 1 2|8 9 10|3 4 5 6 7");
}

static void nothing_is_shared_across_a_gap(void **state) {
    (void)state;
    static const double gap[] = {0, 1, 2, 3, 100, 101, 102, 103};
    assert_cells(8, 1, gap, landmarks(2, 0.4), "0 1 2 3|4 5 6 7");
    assert_cells(8, 1, gap, landmarks(8, 0), "0|7|3|4|1|2|5|6");
}

static void fewer_places_than_landmarks_are_a_note(void **state) {
    (void)state;
    static const double tied[] = {2, 2, 7, 7, 7};
    assert_cells(5, 1, tied, landmarks(4, 0), "0 1|2 3 4");
    assert_cells(3, 1, to_ten, landmarks(9, 0), "0|2|1");
}

static void few_nodes_and_constant_lenses_are_one_cell(void **state) {
    (void)state;
    static const double same[] = {3, 3, 3, 3};
    assert_cells(0, 1, same, balls(1), "");
    assert_cells(0, 1, same, landmarks(5, 0.2), "");
    assert_cells(1, 1, same, balls(1), "0");
    assert_cells(1, 1, same, landmarks(5, 0.2), "0");
    assert_cells(4, 1, same, balls(1e-9), "0 1 2 3");
    assert_cells(2, 2, same, landmarks(5, 0.9), "0 1");
}

static void the_cosine_looks_at_directions(void **state) {
    (void)state;
    /* Right, right, up, left, nowhere, nowhere: 1 - cos is 0, 1, 2, and 1 to the zero vector. */
    static const double arrows[] = {1, 0, 500, 0, 0, 1e-9, -3, 0, 0, 0, 0, 0};
    dgm_mapper_options options = balls(0.5);
    options.metric = DGM_METRIC_COSINE;
    assert_cells(6, 2, arrows, options, "0 1|3|2|4 5");
    options.radius = 1; /* left is 2 away from right */
    assert_cells(6, 2, arrows, options, "0 1 2 4 5|2 3 4 5");
    options.radius = 2;
    assert_cells(6, 2, arrows, options, "0 1 2 3 4 5");
}

static void huge_and_tiny_values_have_distances(void **state) {
    (void)state;
    static const double huge[] = {-1e308, 1e308, 0, 1e307}, tiny[] = {0, 4e-300, 1e-300, 9e-300};
    assert_cells(4, 1, huge, landmarks(3, 0), "0|1|2 3");
    assert_cells(4, 1, huge, balls(1e308), "0 2|1 2 3");
    assert_cells(4, 1, tiny, landmarks(3, 0), "0 2|3|1");
}

/* ---- definitions ---- */

enum { NODES = 60, MOST_COLUMNS = 12 };

typedef struct {
    int nodes, columns;
    double values[NODES * MOST_COLUMNS];
    int centres[NODES], count;
    int own[NODES]; /* the place among the centres of the one that is nearest to each node */
} points;

static double distance(const points *p, int a, int b) {
    double sum = 0;
    for (int k = 0; k < p->columns; k++) {
        double d = p->values[a * p->columns + k] - p->values[b * p->columns + k];
        sum += d * d;
    }
    return sqrt(sum);
}

/* Of equals the first. */
static int nearest(const points *p, int node) {
    int best = 0;
    for (int c = 1; c < p->count; c++)
        if (distance(p, node, p->centres[c]) < distance(p, node, p->centres[best]))
            best = c;
    return best;
}

static void add_centres(points *p, int limit, double radius) {
    p->centres[0] = 0;
    for (p->count = 1; p->count < limit; p->count++) {
        int farthest = 0;
        double most = -1;
        for (int u = 0; u < p->nodes; u++) {
            double here = distance(p, u, p->centres[nearest(p, u)]);
            if (here > most) {
                most = here;
                farthest = u;
            }
        }
        if (most <= radius)
            return;
        p->centres[p->count] = farthest;
    }
}

static void choose_centres(points *p, int limit, double radius) {
    add_centres(p, limit, radius);
    for (int u = 0; u < p->nodes; u++)
        p->own[u] = nearest(p, u);
}

static double excess(const points *p, int node, int centre) {
    return distance(p, node, p->centres[centre]) - distance(p, node, p->centres[p->own[node]]);
}

static bool is_stranger(const points *p, int node, int centre, double gain) {
    int own = p->own[node];
    return own != centre &&
           excess(p, node, centre) <=
               gain / (1 - gain) * distance(p, p->centres[own], p->centres[centre]);
}

/* Whether a stranger is among those that the cell has room for. */
static bool is_taken(const points *p, int node, int centre, double gain) {
    int own = 0, before = 0;
    if (!is_stranger(p, node, centre, gain))
        return false;
    for (int u = 0; u < p->nodes; u++) {
        own += p->own[u] == centre;
        double e = excess(p, u, centre), mine = excess(p, node, centre);
        before += is_stranger(p, u, centre, gain) && (e < mine || (e == mine && u < node));
    }
    return before < ceil(gain / (1 - gain) * own - 1e-9);
}

static bool is_member(const points *p, int node, int centre, const dgm_mapper_options *options) {
    if (options->cover == DGM_COVER_BALLS)
        return distance(p, node, p->centres[centre]) <= options->radius;
    return p->own[node] == centre || is_taken(p, node, centre, options->overlap[0]);
}

static void assert_defined(const points *p, const dgm_mapper_options *options) {
    char expected[20000] = "";
    size_t used = 0;
    for (int c = 0; c < p->count; c++) {
        bool first = true;
        for (int u = 0; u < p->nodes; u++)
            if (is_member(p, u, c, options)) {
                used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%d",
                                         !first ? " "
                                         : c    ? "|"
                                                : "",
                                         u);
                first = false;
            }
    }
    dgm_summary *summary = map_points(p->nodes, p->columns, p->values, options);
    assert_clusters(summary, expected);
    dgm_summary_free(summary);
}

static void both_are_what_their_definitions_say(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 1, number);
        points p = {.nodes = check_random_between(&random, 1, number % 10 ? 20 : NODES),
                    .columns = check_random_between(&random, 1, MOST_COLUMNS)};
        int reach = check_random_between(&random, 1, 40);
        for (int i = 0; i < p.nodes * p.columns; i++)
            p.values[i] = check_random_between(&random, -reach, reach);
        int count = check_random_between(&random, 1, p.nodes);
        dgm_mapper_options near = landmarks(count, 0.1 * check_random_below(&random, 8));
        choose_centres(&p, count, 0);
        assert_defined(&p, &near);
        dgm_mapper_options round = balls(0.5 + check_random_below(&random, 3 * reach));
        choose_centres(&p, NODES, round.radius);
        assert_defined(&p, &round);
    }
}

/* ---- the rest ---- */

static void threads_change_nothing(void **state) {
    (void)state;
    enum { MANY = 5000, COLUMNS = 9 };
    static double values[MANY * COLUMNS];
    check_random random = check_random_case(1, 2, 3);
    for (int i = 0; i < MANY * COLUMNS; i++)
        values[i] = check_random_unit(&random);
    for (int kind = 0; kind < 2; kind++) {
        dgm_mapper_options options = kind ? landmarks(40, 0.3) : balls(0.9);
        dgm_context_set_threads(ctx, 1);
        dgm_summary *one = map_points(MANY, COLUMNS, values, &options);
        dgm_context_set_threads(ctx, 4);
        dgm_summary *four = map_points(MANY, COLUMNS, values, &options);
        dgm_summary_clusters a = dgm_summary_get_clusters(one), b = dgm_summary_get_clusters(four);
        assert_true(a.count == b.count && a.count > 3);
        assert_int_equal(dgm_summary_options(one)->intervals[0], a.count);
        assert_memory_equal(a.offsets, b.offsets, (size_t)(a.count + 1) * sizeof *a.offsets);
        assert_memory_equal(a.members, b.members, (size_t)a.offsets[a.count] * sizeof *a.members);
        dgm_summary_free(one);
        dgm_summary_free(four);
    }
}

/* Nodes in `own`, and in `own` and `other`; edges from the one to the other, and inside both. */
static dgm_summary_edge measure(const bool *own, const bool *other, int nodes, const uint32_t *ends,
                                int edges) {
    dgm_summary_edge pair = {0};
    for (int u = 0; u < nodes; u++)
        pair.shared += own[u] && other[u];
    for (int e = 0; e < edges; e++) {
        uint32_t u = ends[2 * e], v = ends[2 * e + 1];
        pair.links += (own[u] && other[v]) || (own[v] && other[u]);
        pair.inner += own[u] && other[u] && own[v] && other[v];
    }
    return pair;
}

/* In a space of many columns every node lies in balls of its own choice. Then far more pairs of
 * balls meet in a node or an edge than there are pairs, and they take no memory each. */
static void noise_is_added_up_pair_by_pair(void **state) {
    (void)state;
    enum { MANY = 3000, COLUMNS = 24, EDGES = 20000, MOST = 100 };
    static double values[MANY * COLUMNS];
    static uint32_t ends[2 * EDGES];
    static bool in[MOST][MANY];
    check_random random = check_random_case(1, 2, 4);
    for (int i = 0; i < MANY * COLUMNS; i++)
        values[i] = check_random_unit(&random) + check_random_unit(&random);
    for (int e = 0; e < EDGES; e++) { /* each once */
        ends[2 * e] = (uint32_t)(e % MANY);
        ends[2 * e + 1] = (uint32_t)((e % MANY + 1 + e / MANY * 97) % MANY);
    }
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *own, *usual = ctx;
    assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
    ctx = own;
    dgm_graph *graph = build_graph(NULL, MANY, EDGES, ends, NULL);
    dgm_mapper_options options = balls(2.8);
    dgm_summary *summary = map_graph(graph, COLUMNS, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_in_range(clusters.count, 20, MOST);
    int64_t count, slots = clusters.offsets[clusters.count];
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            in[c][clusters.members[i]] = true;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t e = 0; e < count; e += 7) {
        dgm_summary_edge pair =
            measure(in[edges[e].source], in[edges[e].target], MANY, ends, EDGES);
        assert_int_equal(edges[e].shared, pair.shared);
        assert_int_equal(edges[e].links, pair.links);
        assert_int_equal(edges[e].inner, pair.inner);
    }
    /* Each edge joins all balls of one end with all of the other. */
    double each = (double)slots / MANY, met = EDGES * each * each / 2;
    assert_true((double)memory.peak < met * 16 / 2);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    dgm_context_free(own);
    ctx = usual;
}

static void what_is_missing_is_refused(void **state) {
    (void)state;
    dgm_mapper_options options = balls(0);
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover=balls:radius=R needs a radius above 0");
    options = balls(INFINITY);
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options = landmarks(0, 0.2);
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover=landmarks:k=K needs the number of landmarks");
    options = landmarks(5, 0.2);
    options.rule = DGM_RULE_GUDHI;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options = landmarks(5, 0.2);
    options.metric = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void too_many_balls_are_refused(void **state) {
    (void)state;
    enum { MANY = 4001 };
    static double values[MANY];
    for (int i = 0; i < MANY; i++)
        values[i] = i;
    dgm_mapper_options options = balls(0.5);
    dgm_graph *graph = build_graph(NULL, MANY, 0, NULL, NULL);
    dgm_matrix *lens = build_matrix(MANY, 1, values);
    dgm_summary *summary;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_USAGE,
                 "more than 4000 balls of radius 0.5 would be needed to hold every node; raise "
                 "the radius: cover=balls:radius=R");
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* A word of the Golay code of 24 bits: words differ in 8 bits at least. */
static uint32_t code_word(uint32_t number) {
    uint32_t word = 0;
    for (int bit = 0; bit < 12; bit++)
        word ^= number >> bit & 1 ? UINT32_C(0xC75) << bit : 0;
    return word | (uint32_t)__builtin_parity(word) << 23;
}

/* Corners of a cube of 24 dimensions that are too far apart for one ball, and many nodes in its
 * middle, which lie in all of them. Each pair of balls counts once for each node in both: 1000
 * balls in half a million pairs, and 2147 such nodes are just not too many. */
static dgm_status cover_middle(int64_t middle) {
    enum { BALLS = 1000, BITS = 24 };
    dgm_matrix *lens = build_matrix(BALLS + middle, BITS, NULL);
    for (uint32_t i = 0; i < BALLS * BITS; i++)
        dgm_matrix_values_mutable(lens)[i] = code_word(i / BITS) >> i % BITS & 1 ? 1 : -1;
    dgm_mapper_options options = balls(5.2); /* above sqrt(24), below sqrt(4 * 8) */
    dgmi_mapper_cover cover;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_mapper_cover_make(ctx, lens, &options, &cover);
    if (status == DGM_OK) {
        assert_int_equal(cover.lists.cells, BALLS);
        assert_int_equal(cover.lists.offsets[BALLS + middle], BALLS + BALLS * middle);
    }
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
    return status;
}

static void balls_that_cannot_be_told_apart_are_refused(void **state) {
    (void)state;
    assert_int_equal(cover_middle(2147), DGM_OK);
    ASSERT_FAILS(cover_middle(2148), DGM_ERROR_USAGE,
                 "a node lies in 683 of 1000 balls on average, too many to be told apart; lower "
                 "the radius, or use cover=landmarks:k=K");
}

/* 5,000 nodes are looked at in three chunks. Of two nodes that are equally far the first is taken,
 * though another chunk has it. */
static void the_farthest_node_is_found_in_every_chunk(void **state) {
    (void)state;
    enum { MANY = 5000 };
    static double values[MANY];
    for (int i = 0; i < MANY; i++)
        values[i] = i % 3;
    values[1000] = values[4000] = 90;
    values[2500] = -90;
    values[4999] = 40;
    values[10] = 41; /* nearer to the last one than to any other */
    dgm_mapper_options options = landmarks(4, 0);
    dgm_summary *summary = map_points(MANY, 1, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_int_equal(clusters.count, 4);
    assert_int_equal(clusters.offsets[1], MANY - 5);
    const uint32_t rest[] = {1000, 4000, 2500, 10, 4999};
    assert_memory_equal(clusters.members + clusters.offsets[1], rest, sizeof rest);
    assert_int_equal(clusters.offsets[2] - clusters.offsets[1], 2);
    assert_int_equal(clusters.offsets[3] - clusters.offsets[2], 1);
    dgm_summary_free(summary);
}

static void the_text_of_a_cover_has_its_keys(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_cover_parse(ctx, "balls:radius=0.25", &options, NULL, 0), DGM_OK);
    assert_true(options.cover == DGM_COVER_BALLS && options.radius == 0.25);
    assert_int_equal(dgm_cover_parse(ctx, "landmarks:k=70", &options, NULL, 0), DGM_OK);
    assert_true(options.cover == DGM_COVER_LANDMARKS && options.landmarks == 70);
    ASSERT_FAILS(dgm_cover_parse(ctx, "balls:k=3", &options, NULL, 0), DGM_ERROR_USAGE,
                 "the cover 'balls' has no key 'k' (it takes radius)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_stand_around_farthest_points),
        cmocka_unit_test(landmarks_share_the_nodes_between_them),
        cmocka_unit_test(nothing_is_shared_across_a_gap),
        cmocka_unit_test(fewer_places_than_landmarks_are_a_note),
        cmocka_unit_test(few_nodes_and_constant_lenses_are_one_cell),
        cmocka_unit_test(the_cosine_looks_at_directions),
        cmocka_unit_test(huge_and_tiny_values_have_distances),
        cmocka_unit_test(both_are_what_their_definitions_say),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(noise_is_added_up_pair_by_pair),
        cmocka_unit_test(what_is_missing_is_refused),
        cmocka_unit_test(too_many_balls_are_refused),
        cmocka_unit_test(balls_that_cannot_be_told_apart_are_refused),
        cmocka_unit_test(the_farthest_node_is_found_in_every_chunk),
        cmocka_unit_test(the_text_of_a_cover_has_its_keys),
    };
    return RUN_WITH_CONTEXT(tests);
}
