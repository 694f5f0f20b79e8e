/* SPDX-License-Identifier: Apache-2.0 */
/* Appendix A as tests: lemmas A.1 to A.3, proposition 4.2 with its controls, and proposition 4.1.
 *
 * Everything expected is worked out with booleans. Assignments hold entries from 1e150 down to the
 * smallest double, whose products leave the range of doubles: a pattern that came from products of
 * floats would differ.
 */
#include "property_fixture.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_COLUMNS = 24, MAX_NODES = 20, CASES = 600 };

/* A graph and a soft assignment S of its nodes, every column used. */
typedef struct soft_case {
    property_graph graph;
    dgm_graph *built;
    int columns;
    double s[MAX_NODES][MAX_COLUMNS];
    double a[MAX_NODES][MAX_NODES]; /* the adjacency with a unit diagonal */
    dgm_membership *membership;
} soft_case;

typedef bool pair_table[MAX_COLUMNS][MAX_COLUMNS];

/* ---- drawing ---- */

static double draw_entry(check_random *random, bool extreme) {
    static const double odd[] = {1e-30, 1e-200, 1e150, DBL_TRUE_MIN, DBL_MIN, 1};
    return extreme && check_random_chance(random, 0.5) ? odd[check_random_below(random, 6)]
                                                       : 0.01 + check_random_unit(random);
}

static dgm_membership *build_membership(const soft_case *drawn) {
    int64_t offsets[MAX_NODES + 1] = {0};
    uint32_t columns[MAX_NODES * MAX_COLUMNS];
    double values[MAX_NODES * MAX_COLUMNS];
    int64_t count = 0;
    for (int u = 0; u < drawn->graph.nodes; u++) {
        for (int k = 0; k < drawn->columns; k++)
            if (drawn->s[u][k] > 0) {
                columns[count] = (uint32_t)k;
                values[count++] = drawn->s[u][k];
            }
        offsets[u + 1] = count;
    }
    dgm_membership_rows rows = {drawn->graph.nodes, drawn->columns, offsets, columns, values};
    dgm_membership *membership = NULL;
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    return membership;
}

/* Builds the graph, with weights or without; a loop that was kept is the unit of the diagonal. */
static void draw_weights(check_random *random, soft_case *drawn, bool weighted) {
    const property_graph *graph = &drawn->graph;
    for (int u = 0; u < graph->nodes; u++)
        for (int v = 0; v < graph->nodes; v++)
            drawn->a[u][v] = u == v || graph->linked[u][v];
    drawn->built = property_build_graph(ctx, graph);
    if (!weighted)
        return;
    dgm_graph_free(drawn->built);
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    options.nodes = graph->nodes;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (int e = 0; e < graph->count; e++) {
        const uint32_t *ends = graph->edges[e];
        double weight = 0.125 + check_random_unit(random);
        drawn->a[ends[0]][ends[1]] = drawn->a[ends[1]][ends[0]] = weight;
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, &weight), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &drawn->built), DGM_OK);
}

static void draw_soft_case(int number, bool extreme, soft_case *drawn) {
    check_random random = check_random_case(seed, 40, number);
    memset(drawn, 0, sizeof *drawn);
    do
        property_draw_graph(&random, MAX_NODES, false, &drawn->graph);
    while (drawn->graph.nodes == 0);
    drawn->columns = check_random_between(&random, 2, number % 10 ? 8 : MAX_COLUMNS);
    double density = (1 + check_random_below(&random, 3)) / (double)drawn->columns * 0.5;
    for (int u = 0; u < drawn->graph.nodes; u++)
        for (int k = 0; k < drawn->columns; k++)
            if (check_random_chance(&random, density))
                drawn->s[u][k] = draw_entry(&random, extreme);
    for (int k = 0; k < drawn->columns; k++) /* no empty column */
        drawn->s[check_random_below(&random, drawn->graph.nodes)][k] = draw_entry(&random, extreme);
    draw_weights(&random, drawn, number % 4 == 0 && !drawn->graph.keep_loops);
    drawn->membership = build_membership(drawn);
}

static void free_soft_case(soft_case *drawn) {
    dgm_membership_free(drawn->membership);
    dgm_graph_free(drawn->built);
}

static bool adjacent(const soft_case *drawn, int u, int v) {
    return u == v || drawn->graph.linked[u][v];
}

/* ---- what the appendix says ---- */

/* x < y with some i, j: A_ij > 0, i in x, j in y. */
static void expected_pairs(const soft_case *drawn, pair_table pairs) {
    memset(pairs, 0, sizeof(pair_table));
    for (int i = 0; i < drawn->graph.nodes; i++)
        for (int j = 0; j < drawn->graph.nodes; j++)
            for (int x = 0; adjacent(drawn, i, j) && x < drawn->columns; x++)
                for (int y = 0; y < drawn->columns; y++)
                    pairs[x][y] |= drawn->s[i][x] > 0 && drawn->s[j][y] > 0;
}

/* Pairs of columns that meet in a row, x != y. */
static void meeting_pairs(const dgm_membership *membership, pair_table pairs) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    memset(pairs, 0, sizeof(pair_table));
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t a = rows.offsets[u]; a < rows.offsets[u + 1]; a++)
            for (int64_t b = rows.offsets[u]; b < rows.offsets[u + 1]; b++)
                pairs[rows.columns[a]][rows.columns[b]] = true;
}

static bool same_off_diagonal(pair_table a, pair_table b, int columns) {
    for (int x = 0; x < columns; x++)
        for (int y = x + 1; y < columns; y++)
            if (a[x][y] != b[x][y])
                return false;
    return true;
}

/* ---- lemma A.1 and its corollary ---- */

static void the_one_hop_expansion_adds_the_neighbourhood(void **state) {
    (void)state;
    static soft_case drawn;
    for (int number = 0; number < CASES; number++) {
        draw_soft_case(number, number % 2, &drawn);
        dgm_membership *hop = NULL;
        assert_int_equal(dgm_membership_expand(ctx, drawn.built, drawn.membership, &hop), DGM_OK);
        dgm_membership_rows rows = dgm_membership_get_rows(hop);
        assert_int_equal(rows.nodes, drawn.graph.nodes);
        assert_int_equal(rows.clusters, drawn.columns);
        for (int i = 0; i < drawn.graph.nodes; i++) {
            int64_t at = rows.offsets[i];
            double sum = 0;
            for (int k = 0; k < drawn.columns; k++) {
                bool reached = false; /* a node j next to i, possibly i, is in k */
                for (int j = 0; j < drawn.graph.nodes; j++)
                    reached |= adjacent(&drawn, i, j) && drawn.s[j][k] > 0;
                bool listed = at < rows.offsets[i + 1] && rows.columns[at] == (uint32_t)k;
                assert_int_equal(listed, reached);
                assert_true(!(drawn.s[i][k] > 0) || listed); /* corollary */
                if (listed) {
                    assert_true(rows.values[at] > 0 && isfinite(rows.values[at]));
                    sum += rows.values[at++];
                }
            }
            assert_int_equal(at, rows.offsets[i + 1]);
            if (at > rows.offsets[i])
                assert_true(fabs(sum - 1) < 1e-12); /* a point of the simplex */
        }
        dgm_membership_free(hop);
        free_soft_case(&drawn);
    }
}

/* ---- lemma A.2 ---- */

static void soft_clusters_are_adjacent_iff_they_have_a_common_edge(void **state) {
    (void)state;
    static soft_case drawn;
    for (int number = 0; number < CASES; number++) {
        draw_soft_case(number, number % 2, &drawn);
        pair_table expected, found = {{false}};
        dgm_graph *pooled = NULL;
        expected_pairs(&drawn, expected);
        assert_int_equal(
            dgm_membership_adjacency(ctx, drawn.built, drawn.membership, true, &pooled), DGM_OK);
        dgm_graph_rows rows = dgm_graph_get_rows(pooled);
        assert_int_equal(rows.nodes, drawn.columns);
        for (int64_t x = 0; x < rows.nodes; x++)
            for (int64_t e = rows.offsets[x]; e < rows.offsets[x + 1]; e++) {
                uint32_t y = rows.targets[e];
                found[x][y] = true;
                if (number % 2)
                    continue;
                double sum = 0; /* (S'AS)_xy */
                for (int i = 0; i < drawn.graph.nodes; i++)
                    for (int j = 0; j < drawn.graph.nodes; j++)
                        if (adjacent(&drawn, i, j))
                            sum += drawn.s[i][x] * drawn.a[i][j] * drawn.s[j][y];
                assert_true(fabs(rows.weights[e] - sum) < 1e-12 * sum);
            }
        assert_memory_equal(expected, found, sizeof found);
        dgm_graph_free(pooled);
        free_soft_case(&drawn);
    }
}

/* ---- the expanded graph ---- */

static int degree(const soft_case *drawn, int u) {
    int count = 0;
    for (int v = 0; v < drawn->graph.nodes; v++)
        count += u != v && drawn->graph.linked[u][v];
    return count;
}

static void check_copies(const soft_case *drawn, int64_t count, const uint32_t *origin) {
    int copies[MAX_NODES] = {0};
    for (int64_t c = 0; c < count; c++) {
        assert_true(origin[c] < (uint32_t)drawn->graph.nodes);
        copies[origin[c]]++;
    }
    for (int u = 0; u < drawn->graph.nodes; u++)
        assert_int_equal(copies[u], degree(drawn, u) ? degree(drawn, u) : 2);
}

static void the_expanded_graph_has_a_copy_for_every_external_edge(void **state) {
    (void)state;
    static soft_case drawn;
    for (int number = 0; number < CASES; number++) {
        draw_soft_case(number, false, &drawn);
        dgm_graph *expanded = NULL;
        uint32_t *origin = NULL;
        int crossings[MAX_NODES][MAX_NODES] = {{0}};
        assert_int_equal(dgm_graph_expand(ctx, drawn.built, &expanded, &origin), DGM_OK);
        dgm_graph_rows rows = dgm_graph_get_rows(expanded);
        check_copies(&drawn, rows.nodes, origin);
        for (int64_t c = 0; c < rows.nodes; c++) {
            int own = 0, external = 0, loops = 0, siblings = 0;
            for (int64_t e = rows.offsets[c]; e < rows.offsets[c + 1]; e++) {
                loops += rows.targets[e] == c;
                own += rows.targets[e] != c && origin[rows.targets[e]] == origin[c];
                external += origin[rows.targets[e]] != origin[c];
                crossings[origin[c]][origin[rows.targets[e]]] +=
                    origin[rows.targets[e]] != origin[c];
            }
            for (int64_t other = 0; other < rows.nodes; other++)
                siblings += other != c && origin[other] == origin[c];
            assert_int_equal(loops, 1);
            assert_int_equal(own, siblings);
            assert_int_equal(external, degree(&drawn, (int)origin[c]) > 0);
        }
        for (int u = 0; u < drawn.graph.nodes; u++)
            for (int v = 0; v < drawn.graph.nodes; v++)
                assert_int_equal(crossings[u][v], u != v && drawn.graph.linked[u][v]);
        dgm_expansion_origin_free(ctx, origin);
        dgm_graph_free(expanded);
        free_soft_case(&drawn);
    }
}

/* ---- lemma A.3 and proposition 4.2 ---- */

/* Q: copies of the rows, expanded by one hop on the expanded graph. */
static dgm_membership *expand_on_copies(const soft_case *drawn, dgm_graph **expanded) {
    uint32_t *origin = NULL;
    dgm_membership *copied = NULL, *hop = NULL;
    assert_int_equal(dgm_graph_expand(ctx, drawn->built, expanded, &origin), DGM_OK);
    int64_t count = dgm_graph_nodes(*expanded);
    assert_int_equal(dgm_membership_copy_rows(ctx, drawn->membership, count, origin, &copied),
                     DGM_OK);
    dgm_membership_rows rows = dgm_membership_get_rows(copied);
    dgm_membership_rows first = dgm_membership_get_rows(drawn->membership);
    assert_int_equal(rows.nodes, count);
    for (int64_t c = 0; c < count; c++) { /* s*(v_i) = s(v) */
        int64_t length = rows.offsets[c + 1] - rows.offsets[c], from = first.offsets[origin[c]];
        assert_int_equal(length, first.offsets[origin[c] + 1] - from);
        if (length == 0)
            continue;
        assert_memory_equal(rows.columns + rows.offsets[c], first.columns + from,
                            sizeof *rows.columns * (size_t)length);
        assert_memory_equal(rows.values + rows.offsets[c], first.values + from,
                            sizeof *rows.values * (size_t)length);
    }
    assert_int_equal(dgm_membership_expand(ctx, *expanded, copied, &hop), DGM_OK);
    dgm_membership_free(copied);
    dgm_expansion_origin_free(ctx, origin);
    return hop;
}

/* The nerve as Mapper finds it: lens s', cover of the simplex, no clustering. */
static void nerve_by_mapper(const dgm_graph *expanded, const dgm_membership *hop,
                            pair_table pairs) {
    dgm_membership_rows rows = dgm_membership_get_rows(hop);
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    assert_int_equal(dgm_matrix_create(ctx, rows.nodes, rows.clusters, &lens), DGM_OK);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            dgm_matrix_values_mutable(lens)[u * rows.clusters + rows.columns[e]] = rows.values[e];
    assert_int_equal(dgm_mapper_run(ctx, expanded, lens, &options, &summary), DGM_OK);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_int_equal(clusters.count, rows.clusters); /* no column is empty */
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    memset(pairs, 0, sizeof(pair_table));
    for (int64_t e = 0; e < count; e++)
        pairs[clusters.cells[edges[e].source]][clusters.cells[edges[e].target]] = true;
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
}

static void the_nerve_on_the_expanded_graph_is_the_pooled_graph(void **state) {
    (void)state;
    static soft_case drawn;
    int edges = 0, gaps = 0;
    for (int number = 0; number < CASES; number++) {
        draw_soft_case(number, number % 2, &drawn);
        pair_table expected, meeting, mapped;
        dgm_graph *expanded = NULL;
        dgm_membership *hop = expand_on_copies(&drawn, &expanded);
        expected_pairs(&drawn, expected);
        meeting_pairs(hop, meeting);
        nerve_by_mapper(expanded, hop, mapped);
        if (!same_off_diagonal(expected, meeting, drawn.columns) ||
            !same_off_diagonal(expected, mapped, drawn.columns))
            fail_msg("seed %llu, case %d: the nerve is not the pooled graph",
                     (unsigned long long)seed, number);
        for (int x = 0; x < drawn.columns; x++)
            for (int y = x + 1; y < drawn.columns; y++)
                *(expected[x][y] ? &edges : &gaps) += 1;
        dgm_membership_free(hop);
        dgm_graph_free(expanded);
        free_soft_case(&drawn);
    }
    assert_true(edges > CASES && gaps > CASES); /* the statement is not empty */
}

/* Expansion on G itself joins too much, no expansion too little; both must show on some seeds. */
static void the_controls_differ(void **state) {
    (void)state;
    static soft_case drawn;
    int on_itself = 0, none = 0;
    for (int number = 0; number < CASES; number++) {
        draw_soft_case(number, false, &drawn);
        pair_table expected, control;
        dgm_membership *hop = NULL;
        expected_pairs(&drawn, expected);
        assert_int_equal(dgm_membership_expand(ctx, drawn.built, drawn.membership, &hop), DGM_OK);
        meeting_pairs(hop, control);
        on_itself += !same_off_diagonal(expected, control, drawn.columns);
        for (int x = 0; x < drawn.columns; x++) /* never too little */
            for (int y = 0; y < drawn.columns; y++)
                assert_true(!expected[x][y] || control[x][y]);
        meeting_pairs(drawn.membership, control);
        none += !same_off_diagonal(expected, control, drawn.columns);
        for (int x = 0; x < drawn.columns; x++) /* never too much */
            for (int y = 0; y < drawn.columns; y++)
                assert_true(!control[x][y] || expected[x][y]);
        dgm_membership_free(hop);
        free_soft_case(&drawn);
    }
    print_message("# of %d cases, %d differ on G itself and %d without expansion\n", CASES,
                  on_itself, none);
    assert_true(on_itself > 0);
    assert_true(none > 0);
}

/* A learned assignment has no zeros: both graphs are complete and the statement is empty. */
static void a_softmax_assignment_makes_the_statement_empty(void **state) {
    (void)state;
    static soft_case drawn;
    draw_soft_case(3, false, &drawn);
    dgm_membership_free(drawn.membership);
    for (int u = 0; u < drawn.graph.nodes; u++)
        for (int k = 0; k < drawn.columns; k++)
            drawn.s[u][k] = 1.0 / drawn.columns;
    drawn.membership = build_membership(&drawn);
    pair_table expected, found;
    dgm_graph *expanded = NULL;
    dgm_membership *hop = expand_on_copies(&drawn, &expanded);
    expected_pairs(&drawn, expected);
    nerve_by_mapper(expanded, hop, found);
    for (int x = 0; x < drawn.columns; x++)
        for (int y = x + 1; y < drawn.columns; y++)
            assert_true(expected[x][y] && found[x][y]);
    dgm_membership_free(hop);
    dgm_graph_free(expanded);
    free_soft_case(&drawn);
}

/* Memberships of a summary as S: ones, or split over the clusters that hold the node. */
static void a_summary_gives_its_memberships(void **state) {
    (void)state;
    static property_case drawn;
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 41, number);
        property_draw(&random, &drawn);
        dgm_summary *summary = property_run(ctx, &drawn);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        dgm_membership *membership = NULL;
        dgm_membership_kind kind = number % 2 ? DGM_MEMBERSHIP_SPLIT : DGM_MEMBERSHIP_ONES;
        assert_int_equal(dgm_membership_from_summary(ctx, summary, kind, &membership), DGM_OK);
        dgm_membership_rows rows = dgm_membership_get_rows(membership);
        assert_int_equal(rows.nodes, drawn.graph.nodes);
        assert_int_equal(rows.clusters, clusters.count);
        int64_t next[CHECK_MAX_NODES] = {0};
        for (int u = 0; u < drawn.graph.nodes; u++)
            next[u] = rows.offsets[u];
        for (int64_t i = 0; i < clusters.count; i++)
            for (int64_t m = clusters.offsets[i]; m < clusters.offsets[i + 1]; m++) {
                uint32_t u = clusters.members[m];
                double holds = (double)(rows.offsets[u + 1] - rows.offsets[u]);
                assert_true(next[u] < rows.offsets[u + 1]);
                assert_int_equal(rows.columns[next[u]], i);
                assert_true(rows.values[next[u]++] == (number % 2 ? 1 / holds : 1));
            }
        for (int u = 0; u < drawn.graph.nodes; u++)
            assert_int_equal(next[u], rows.offsets[u + 1]);
        dgm_membership_free(membership);
        dgm_summary_free(summary);
    }
}

/* ---- proposition 4.1 ---- */

static void add_link(property_graph *graph, int u, int v) {
    graph->edges[graph->count][0] = (uint32_t)u;
    graph->edges[graph->count++][1] = (uint32_t)v;
}

static void expect_bipartition(property_case *problem, int half, double eps) {
    char text[100];
    dgm_interval given[4];
    dgm_mapper_options_init(&problem->options);
    snprintf(text, sizeof text, "intervals:-inf..%.17g,%.17g..inf", eps, -eps);
    assert_int_equal(dgm_cover_parse(ctx, text, &problem->options, given, 4), DGM_OK);
    dgm_summary *summary = property_run(ctx, problem);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t edges;
    dgm_summary_edges(summary, &edges);
    assert_int_equal(clusters.count, 2);
    assert_int_equal(edges, 0);
    assert_int_equal(clusters.offsets[1], half);
    assert_int_equal(clusters.offsets[2], problem->graph.nodes);
    for (int u = 0; u < problem->graph.nodes; u++)
        assert_int_equal(clusters.members[u], u);
    assert_int_equal(dgm_summary_get_topology(summary).b0, 2);
    assert_int_equal(dgm_summary_get_coverage(summary).lost, 0);
    dgm_summary_free(summary);
}

/* The Fiedler vector of a path of n is cos(pi (u + 1/2) / n): no zeros for even n, and both halves
 * are connected. */
static void the_signs_of_a_paths_fiedler_vector_bisect_it(void **state) {
    (void)state;
    static property_case path;
    for (int n = 2; n <= 40; n += 2) {
        memset(&path, 0, sizeof path);
        path.graph.nodes = n;
        path.columns = 1;
        double least = INFINITY;
        for (int u = 0; u < n; u++) {
            path.lens[u] = -cos(acos(-1) * (u + 0.5) / n);
            least = fmin(least, fabs(path.lens[u]));
            if (u)
                add_link(&path.graph, u - 1, u);
        }
        expect_bipartition(&path, n / 2, least / 2);
    }
}

/* Two cliques of m joined by an edge. L x = c x with -1 on the far nodes and -t on the near one,
 * mirrored: the far rows give t = 1 - c and the near rows (m + 1) t - (m - 1) = c t, that is c^2 -
 * (m + 2) c + 2 = 0. */
static void the_signs_of_two_cliques_fiedler_vector_part_them(void **state) {
    (void)state;
    static property_case cliques;
    for (int m = 3; m <= 12; m++) {
        memset(&cliques, 0, sizeof cliques);
        cliques.graph.nodes = 2 * m;
        cliques.columns = 1;
        for (int side = 0; side < 2; side++)
            for (int u = 0; u < m; u++)
                for (int v = u + 1; v < m; v++)
                    add_link(&cliques.graph, side * m + u, side * m + v);
        add_link(&cliques.graph, m - 1, m);
        double c = ((m + 2) - sqrt((m + 2.0) * (m + 2) - 8)) / 2, near = 1 - c;
        for (int u = 0; u < m; u++) {
            cliques.lens[u] = u == m - 1 ? -near : -1;
            cliques.lens[m + u] = u == 0 ? near : 1;
        }
        for (int u = 0; u < 2 * m; u++) { /* it is an eigenvector */
            double product = 0;
            for (int e = 0; e < cliques.graph.count; e++)
                for (int end = 0; end < 2; end++)
                    if ((int)cliques.graph.edges[e][end] == u)
                        product += cliques.lens[u] - cliques.lens[cliques.graph.edges[e][1 - end]];
            assert_true(fabs(product - c * cliques.lens[u]) < 1e-12);
        }
        expect_bipartition(&cliques, m, near / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_hop_expansion_adds_the_neighbourhood),
        cmocka_unit_test(soft_clusters_are_adjacent_iff_they_have_a_common_edge),
        cmocka_unit_test(the_expanded_graph_has_a_copy_for_every_external_edge),
        cmocka_unit_test(the_nerve_on_the_expanded_graph_is_the_pooled_graph),
        cmocka_unit_test(the_controls_differ),
        cmocka_unit_test(a_softmax_assignment_makes_the_statement_empty),
        cmocka_unit_test(a_summary_gives_its_memberships),
        cmocka_unit_test(the_signs_of_a_paths_fiedler_vector_bisect_it),
        cmocka_unit_test(the_signs_of_two_cliques_fiedler_vector_part_them),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
