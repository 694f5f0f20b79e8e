/* SPDX-License-Identifier: Apache-2.0 */
/* What must not change (names of nodes, number of threads) and what must hold (covering,
 * refinement, memory). */
#include "property_fixture.h"

#include <string.h>

#include "../check_memory.h"

static void assert_same_arrays(const dgm_summary *one, const dgm_summary *two) {
    dgm_summary_clusters a = dgm_summary_get_clusters(one), b = dgm_summary_get_clusters(two);
    dgm_summary_coverage c = dgm_summary_get_coverage(one), d = dgm_summary_get_coverage(two);
    dgm_summary_topology t = dgm_summary_get_topology(one), s = dgm_summary_get_topology(two);
    int64_t edges, others;
    const dgm_summary_edge *x = dgm_summary_edges(one, &edges),
                           *y = dgm_summary_edges(two, &others);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.cells, b.cells, sizeof *a.cells * (size_t)(a.count * a.axes));
    assert_memory_equal(a.offsets, b.offsets, sizeof *a.offsets * (size_t)(a.count + 1));
    assert_memory_equal(a.members, b.members, sizeof *a.members * (size_t)a.offsets[a.count]);
    assert_memory_equal(a.lens, b.lens, sizeof *a.lens * (size_t)(a.count * a.dimension));
    assert_int_equal(edges, others);
    if (edges)
        assert_memory_equal(x, y, sizeof *x * (size_t)edges);
    assert_memory_equal(&c, &d, sizeof c);
    assert_memory_equal(&t, &s, sizeof t);
}

/* ---- relabelling ---- */

typedef struct renamed_cluster {
    int32_t cell[CHECK_MAX_AXES];
    uint64_t members; /* under the first names */
    int64_t index;    /* in its own summary */
} renamed_cluster;

static int by_cell_and_members(const void *left, const void *right) {
    const renamed_cluster *a = left, *b = right;
    int order = memcmp(a->cell, b->cell, sizeof a->cell);
    return order ? order : (a->members > b->members) - (a->members < b->members);
}

static int by_ends(const void *left, const void *right) {
    const dgm_summary_edge *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* A summary whose order does not depend on the names of the nodes. */
typedef struct canonical {
    int64_t count, edge_count;
    renamed_cluster *clusters;
    dgm_summary_edge *edges;
} canonical;

static canonical canonical_form(const dgm_summary *summary, const int *old_name) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    canonical form = {.count = clusters.count};
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &form.edge_count);
    form.clusters = calloc((size_t)form.count + 1, sizeof *form.clusters);
    form.edges = calloc((size_t)form.edge_count + 1, sizeof *form.edges);
    int64_t *place = calloc((size_t)form.count + 1, sizeof *place);
    for (int64_t i = 0; i < form.count; i++) {
        memcpy(form.clusters[i].cell, clusters.cells + i * clusters.axes,
               sizeof(int32_t) * (size_t)clusters.axes);
        for (int64_t m = clusters.offsets[i]; m < clusters.offsets[i + 1]; m++)
            form.clusters[i].members |= UINT64_C(1) << old_name[clusters.members[m]];
        form.clusters[i].index = i;
    }
    qsort(form.clusters, (size_t)form.count, sizeof *form.clusters, by_cell_and_members);
    for (int64_t i = 0; i < form.count; i++) {
        place[form.clusters[i].index] = i;
        form.clusters[i].index = 0;
    }
    for (int64_t e = 0; e < form.edge_count; e++) {
        uint32_t a = (uint32_t)place[edges[e].source], b = (uint32_t)place[edges[e].target];
        form.edges[e] = edges[e];
        form.edges[e].source = a < b ? a : b;
        form.edges[e].target = a < b ? b : a;
    }
    qsort(form.edges, (size_t)form.edge_count, sizeof *form.edges, by_ends);
    free(place);
    return form;
}

static void free_canonical(canonical form) {
    free(form.clusters);
    free(form.edges);
}

static void rename_case(check_random *random, const property_case *from, property_case *to,
                        int *old_name) {
    int new_name[CHECK_MAX_NODES];
    *to = *from;
    for (int u = 0; u < from->graph.nodes; u++)
        old_name[u] = u;
    for (int u = from->graph.nodes - 1; u > 0; u--) {
        int v = check_random_below(random, u + 1), swap = old_name[u];
        old_name[u] = old_name[v];
        old_name[v] = swap;
    }
    for (int u = 0; u < from->graph.nodes; u++) {
        new_name[old_name[u]] = u;
        memcpy(to->lens + u * from->columns, from->lens + old_name[u] * from->columns,
               sizeof(double) * (size_t)from->columns);
    }
    for (int e = 0; e < from->graph.count; e++)
        for (int side = 0; side < 2; side++)
            to->graph.edges[e][side] = (uint32_t)new_name[from->graph.edges[e][side]];
    if (from->options.given)
        to->options.given = to->given;
}

static void relabelling_changes_nothing_but_names(void **state) {
    (void)state;
    static property_case drawn, renamed;
    int identity[CHECK_MAX_NODES], old_name[CHECK_MAX_NODES];
    for (int u = 0; u < CHECK_MAX_NODES; u++)
        identity[u] = u;
    for (int number = 0; number < 400; number++) {
        check_random random = check_random_case(seed, 2, number);
        property_draw(&random, &drawn);
        rename_case(&random, &drawn, &renamed, old_name);
        dgm_summary *one = property_run(ctx, &drawn), *two = property_run(ctx, &renamed);
        canonical a = canonical_form(one, identity), b = canonical_form(two, old_name);
        dgm_summary_coverage c = dgm_summary_get_coverage(one), d = dgm_summary_get_coverage(two);
        dgm_summary_topology t = dgm_summary_get_topology(one), s = dgm_summary_get_topology(two);
        bool same = a.count == b.count && a.edge_count == b.edge_count &&
                    !memcmp(a.clusters, b.clusters, sizeof *a.clusters * (size_t)a.count) &&
                    !memcmp(a.edges, b.edges, sizeof *a.edges * (size_t)a.edge_count) &&
                    !memcmp(&c, &d, sizeof c) && !memcmp(&t, &s, sizeof t);
        free_canonical(a);
        free_canonical(b);
        dgm_summary_free(one);
        dgm_summary_free(two);
        if (!same) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: renaming changed the summary", (unsigned long long)seed,
                     number);
        }
    }
}

/* `links` counts edges, whatever they weigh; so does everything else but the communities. */
static void weights_of_edges_change_nothing(void **state) {
    (void)state;
    static property_case drawn;
    static double weights[PROPERTY_MAX_EDGES];
    for (int number = 0; number < 100; number++) {
        check_random random = check_random_case(seed, 9, number);
        property_draw(&random, &drawn);
        dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
        dgm_graph_builder *builder = NULL;
        dgm_graph *graph = NULL;
        dgm_summary *weighted = NULL;
        options.directed = drawn.graph.directed;
        options.keep_loops = drawn.graph.keep_loops;
        options.nodes = drawn.graph.nodes;
        for (int e = 0; e < drawn.graph.count; e++)
            weights[e] = check_random_unit(&random) * 10;
        assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
        assert_int_equal(
            dgm_graph_builder_add(builder, drawn.graph.count, &drawn.graph.edges[0][0], weights),
            DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        dgm_matrix *lens = property_build_matrix(ctx, drawn.graph.nodes, drawn.columns, drawn.lens);
        assert_int_equal(dgm_mapper_run(ctx, graph, lens, &drawn.options, &weighted), DGM_OK);
        dgm_summary *plain = property_run(ctx, &drawn);
        assert_same_arrays(plain, weighted);
        dgm_summary_free(plain);
        dgm_summary_free(weighted);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* ---- covering and counting, on graphs too large for masks ---- */

static dgm_graph *generate(int kind, int64_t nodes, int64_t edges, uint64_t graph_seed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph = NULL;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    options.seed = (int64_t)graph_seed;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

/* Smooth over the graph, so that preimages hold edges: the mean of random values over the
 * neighbours. */
static dgm_matrix *smooth_lens(check_random *random, const dgm_graph *graph, int columns) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_matrix *lens = NULL;
    assert_int_equal(dgm_matrix_create(ctx, rows.nodes, columns, &lens), DGM_OK);
    double *x = dgm_matrix_values_mutable(lens);
    double *raw = malloc(sizeof *raw * (size_t)(rows.nodes + 1));
    for (int k = 0; k < columns; k++) {
        for (int64_t u = 0; u < rows.nodes; u++)
            raw[u] = check_random_unit(random);
        for (int64_t u = 0; u < rows.nodes; u++) {
            double sum = raw[u];
            for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                sum += raw[rows.targets[e]];
            x[u * columns + k] = sum / (double)(1 + rows.offsets[u + 1] - rows.offsets[u]);
        }
    }
    free(raw);
    return lens;
}

/* in[i * nodes + u]: u is a member of cluster i */
static bool *membership_table(const dgm_summary *summary, int64_t nodes) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    bool *in = calloc((size_t)(clusters.count * nodes + 1), sizeof *in);
    for (int64_t i = 0; i < clusters.count; i++)
        for (int64_t m = clusters.offsets[i]; m < clusters.offsets[i + 1]; m++)
            in[i * nodes + clusters.members[m]] = true;
    return in;
}

static void check_every_node_is_covered(const dgm_summary *summary, const bool *in, int64_t nodes) {
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_int_equal(coverage.covered, nodes);
    assert_int_equal(coverage.filtered, 0);
    assert_int_equal(coverage.lost, 0);
    for (int64_t u = 0; u < nodes; u++) {
        bool found = false;
        for (int64_t i = 0; i < clusters.count; i++)
            found |= in[i * nodes + u];
        assert_true(found);
    }
}

static int64_t cut_size(const dgm_graph_rows *rows, const bool *a, const bool *b) {
    int64_t links = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            uint32_t v = rows->targets[e];
            links += u < v && ((a[u] && b[v]) || (a[v] && b[u]));
        }
    return links;
}

/* Goes through all pairs beside the edge list: an edge is there iff the pair has what its kind asks
 * for. */
static void check_all_pairs(const dgm_graph *graph, const dgm_summary *summary, const bool *in,
                            bool structural) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t count = dgm_summary_get_clusters(summary).count, edge_count, at = 0;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &edge_count);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a + 1; b < count; b++) {
            const bool *left = in + a * rows.nodes, *right = in + b * rows.nodes;
            int64_t shared = 0;
            for (int64_t u = 0; u < rows.nodes; u++)
                shared += left[u] && right[u];
            bool listed = at < edge_count && edges[at].source == a && edges[at].target == b;
            int64_t links = listed || structural ? cut_size(&rows, left, right) : 0;
            assert_int_equal(listed, structural ? links > 0 : shared > 0);
            if (!listed)
                continue;
            assert_int_equal(edges[at].shared, shared);
            assert_int_equal(edges[at].links, links);
            at++;
        }
    assert_int_equal(at, edge_count);
}

static void every_node_is_covered_and_edges_are_what_they_say(void **state) {
    (void)state;
    static const int kinds[] = {DGM_GENERATE_SBM, DGM_GENERATE_BA, DGM_GENERATE_WS,
                                DGM_GENERATE_RMAT, DGM_GENERATE_GRID};
    for (int number = 0; number < 30; number++) {
        check_random random = check_random_case(seed, 3, number);
        int columns = check_random_between(&random, 1, 3);
        dgm_graph *graph = generate(kinds[number % 5], 150, 400, seed + (uint64_t)number);
        dgm_matrix *lens = smooth_lens(&random, graph, columns);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = check_random_between(&random, 1, columns == 1 ? 40 : 4);
        options.overlap[0] = check_random_unit(&random) * (columns == 1 ? 0.8 : 0.4);
        options.cover = number % 3 == 2 ? DGM_COVER_QUANTILE : DGM_COVER_UNIFORM;
        options.edges = number % 2;
        dgm_summary *summary = NULL;
        assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
        bool *in = membership_table(summary, dgm_graph_nodes(graph));
        check_every_node_is_covered(summary, in, dgm_graph_nodes(graph));
        check_all_pairs(graph, summary, in, options.edges == DGM_EDGES_STRUCTURAL);
        free(in);
        dgm_summary_free(summary);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* `lost` counts nodes that no rule explains. A node is in a cell or filtered by the cover; a cell's
 * nodes are all in its clusters; clusters go by min-size or min-component. These are all the ways
 * out, so lost is 0 for every rule. */
static void no_rule_and_no_filter_loses_a_node(void **state) {
    (void)state;
    static property_case drawn;
    for (int number = 0; number < 600; number++) {
        check_random random = check_random_case(seed, 4, number);
        property_draw(&random, &drawn);
        /* lens values that rounding spoils: thirds, tenths, far from zero */
        if (drawn.options.cover <= DGM_COVER_QUANTILE && number % 2)
            for (int i = 0; i < drawn.graph.nodes * drawn.columns; i++)
                drawn.lens[i] =
                    check_random_between(&random, 0, 30) / 3.0 + (number % 4 == 1 ? 1e5 : 0);
        drawn.options.cluster = check_random_below(&random, 4);
        dgm_summary *summary = property_run(ctx, &drawn);
        dgm_summary_coverage c = dgm_summary_get_coverage(summary);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        uint64_t covered = 0;
        for (int64_t i = 0; i < clusters.count; i++)
            covered |= mask_of(&clusters, i);
        dgm_summary_free(summary);
        assert_int_equal(c.lost, 0);
        assert_int_equal(c.covered, __builtin_popcountll(covered));
        assert_int_equal(c.covered + c.filtered, drawn.graph.nodes);
        assert_int_equal(c.filtered,
                         c.filtered_cover + c.filtered_min_size + c.filtered_min_component);
        bool whole =
            drawn.options.cover <= DGM_COVER_QUANTILE || drawn.options.cover == DGM_COVER_ADAPTIVE;
        if (whole && c.filtered_cover) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: a cover lost a node", (unsigned long long)seed, number);
        }
    }
}

/* ---- refinement ---- */

/* Every cluster of `fine`, in cell i, lies in one cluster of `coarse`, in cell i / halves. */
static bool refines(const dgm_summary *fine, const dgm_summary *coarse, int halves) {
    dgm_summary_clusters f = dgm_summary_get_clusters(fine), c = dgm_summary_get_clusters(coarse);
    for (int64_t i = 0; i < f.count; i++) {
        uint64_t members = mask_of(&f, i);
        bool found = false;
        for (int64_t j = 0; j < c.count && !found; j++) {
            bool cell = true;
            for (int64_t k = 0; k < f.axes; k++)
                cell &= f.cells[i * f.axes + k] / halves == c.cells[j * c.axes + k];
            found = cell && (members & ~mask_of(&c, j)) == 0;
        }
        if (!found)
            return false;
    }
    return true;
}

static void plain_options(property_case *drawn) {
    drawn->options.rule = DGM_RULE_GAIN;
    drawn->options.min_size = 1;
    drawn->options.min_component = 0;
    for (int k = 0; k < DGM_MAX_AXES; k++)
        if (drawn->options.overlap[k] > 0.75)
            drawn->options.overlap[k] = 0.75;
}

static void doubling_the_intervals_refines(void **state) {
    (void)state;
    static property_case drawn, doubled;
    for (int number = 0; number < 300; number++) {
        check_random random = check_random_case(seed, 5, number);
        property_draw(&random, &drawn);
        if (drawn.options.cover > DGM_COVER_QUANTILE)
            continue;
        plain_options(&drawn);
        doubled = drawn;
        for (int k = 0; k < DGM_MAX_AXES; k++)
            if (doubled.options.intervals[k] > 0)
                doubled.options.intervals[k] *= 2;
        dgm_summary *coarse = property_run(ctx, &drawn), *fine = property_run(ctx, &doubled);
        bool good = refines(fine, coarse, 2);
        dgm_summary_free(coarse);
        dgm_summary_free(fine);
        if (!good) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: no refinement", (unsigned long long)seed, number);
        }
    }
}

/* Cells of a smaller size lie in those of a larger one, in any number of axes. */
static bool lies_inside(const dgm_summary *fine, const dgm_summary *coarse) {
    dgm_summary_clusters f = dgm_summary_get_clusters(fine), c = dgm_summary_get_clusters(coarse);
    for (int64_t i = 0; i < f.count; i++) {
        bool found = false;
        for (int64_t j = 0; j < c.count && !found; j++)
            found = (mask_of(&f, i) & ~mask_of(&c, j)) == 0;
        if (!found)
            return false;
    }
    return true;
}

static dgm_step_kind step_between(dgm_summary *fine, dgm_summary *coarse) {
    const dgm_summary *pair[] = {fine, coarse};
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, pair, 2, &tower), DGM_OK);
    dgm_step_kind kind = dgm_tower_get_step(tower, 0).kind;
    dgm_tower_free(tower);
    return kind;
}

static void a_smaller_size_of_cells_refines(void **state) {
    (void)state;
    static property_case drawn, smaller;
    int tried = 0;
    for (int number = 0; number < 1500; number++) {
        check_random random = check_random_case(seed, 15, number);
        property_draw(&random, &drawn);
        if (drawn.options.cover != DGM_COVER_ADAPTIVE)
            continue;
        tried++;
        plain_options(&drawn);
        smaller = drawn;
        smaller.options.cell_size = check_random_between(&random, 1, (int)drawn.options.cell_size);
        dgm_summary *coarse = property_run(ctx, &drawn), *fine = property_run(ctx, &smaller);
        bool good = lies_inside(fine, coarse) && step_between(fine, coarse) == DGM_STEP_REFINEMENT;
        dgm_summary_free(coarse);
        dgm_summary_free(fine);
        if (!good) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: no refinement", (unsigned long long)seed, number);
        }
    }
    assert_true(tried > 100);
}

static void a_larger_gain_coarsens(void **state) {
    (void)state;
    static property_case drawn, wider;
    for (int number = 0; number < 300; number++) {
        check_random random = check_random_case(seed, 6, number);
        property_draw(&random, &drawn);
        if (drawn.options.cover > DGM_COVER_QUANTILE)
            continue;
        plain_options(&drawn);
        wider = drawn;
        for (int k = 0; k < DGM_MAX_AXES; k++)
            if (wider.options.overlap[k] >= 0)
                wider.options.overlap[k] +=
                    check_random_unit(&random) * (0.8 - wider.options.overlap[k]);
        dgm_summary *fine = property_run(ctx, &drawn), *coarse = property_run(ctx, &wider);
        bool good = refines(fine, coarse, 1);
        dgm_summary_free(coarse);
        dgm_summary_free(fine);
        if (!good) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: no refinement", (unsigned long long)seed, number);
        }
    }
}

/* ---- threads ---- */

static void same_for_any_threads(const dgm_graph *graph, const dgm_matrix *lens,
                                 const dgm_mapper_options *options) {
    static const int threads[] = {1, 2, 4, 8};
    dgm_summary *first = NULL;
    for (int t = 0; t < 4; t++) {
        dgm_summary *summary = NULL;
        dgm_context_set_threads(ctx, threads[t]);
        assert_int_equal(dgm_mapper_run(ctx, graph, lens, options, &summary), DGM_OK);
        if (first)
            assert_same_arrays(first, summary);
        if (first)
            dgm_summary_free(summary);
        else
            first = summary;
    }
    dgm_context_set_threads(ctx, 1);
    dgm_summary_free(first);
}

static void any_number_of_threads_gives_the_same_arrays(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 20000, 100000, seed);
    dgm_matrix *rank = NULL;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &rank), DGM_OK);
    for (int number = 0; number < 8; number++) {
        check_random random = check_random_case(seed, 7, number);
        dgm_matrix *lens = smooth_lens(&random, graph, 1 + number % 3);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = number % 3 ? 8 : 30;
        options.overlap[0] = number % 3 ? 0.15 : 0.35;
        options.cover = number % 2 ? DGM_COVER_QUANTILE : DGM_COVER_UNIFORM;
        options.edges = number / 2 % 2;
        options.cluster = number;
        if (number > DGM_CLUSTER_LOUVAIN)
            options.cluster = DGM_CLUSTER_COMPONENTS;
        same_for_any_threads(graph, number == 4 ? rank : lens, &options);
        dgm_matrix_free(lens);
    }
    dgm_matrix_free(rank);
    dgm_graph_free(graph);
}

static void any_number_of_threads_gives_the_same_lens(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 20000, 100000, seed + 1);
    static const int threads[] = {1, 2, 4, 8};
    dgm_matrix *first = NULL;
    for (int t = 0; t < 4; t++) {
        dgm_matrix *rank = NULL;
        dgm_context_set_threads(ctx, threads[t]);
        assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &rank), DGM_OK);
        if (first)
            assert_memory_equal(dgm_matrix_values(first), dgm_matrix_values(rank),
                                sizeof(double) * (size_t)dgm_matrix_rows(rank));
        if (first)
            dgm_matrix_free(rank);
        else
            first = rank;
    }
    dgm_context_set_threads(ctx, 1);
    dgm_matrix_free(first);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

/* Peak bytes of one run of a 4-D cover, above what was there before it, and in *data the bytes that
 * go in and come out: lens, rows, members, edges, triangles. */
static long long peak_of_cover(check_memory *memory, int64_t intervals, long long *data) {
    check_random random = check_random_case(seed, 8, 0);
    dgm_graph *graph = generate(DGM_GENERATE_WS, 2000, 6000, seed);
    dgm_matrix *lens = smooth_lens(&random, graph, 4);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary = NULL;
    int64_t edges;
    options.intervals[0] = intervals;
    check_memory_reset_peak(memory);
    long long before = memory->bytes;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    long long extra = memory->peak - before;
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgm_summary_edges(summary, &edges);
    *data = 2000LL * 4 * 8 + dgm_graph_get_rows(graph).entries * 4 +
            clusters.count * (4 * 4 + 4 * 8 + 8) + clusters.offsets[clusters.count] * 4 +
            edges * (long long)sizeof(dgm_summary_edge) +
            dgm_summary_get_topology(summary).triangles * 12;
    assert_int_equal(clusters.axes, 4);
    assert_true(clusters.count > 1000);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return extra;
}

/* 50^4 cells are 6.25 million, 200^4 are 1.6 billion; the nodes and what they make of the cover
 * stay as many. */
static void a_cover_of_a_billion_cells_costs_what_its_nodes_cost(void **state) {
    (void)state;
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *outer = ctx;
    assert_int_equal(dgm_context_create(&allocator, &ctx), DGM_OK);
    dgm_context_set_threads(ctx, 2);
    for (int64_t intervals = 50; intervals <= 200; intervals += 150) {
        long long data, extra = peak_of_cover(&memory, intervals, &data);
        print_message("# %lld intervals: peak %lld bytes for %lld bytes of data\n",
                      (long long)intervals, extra, data);
        assert_true(extra < 20 * data);
    }
    dgm_context_free(ctx);
    ctx = outer;
    assert_int_equal(memory.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relabelling_changes_nothing_but_names),
        cmocka_unit_test(weights_of_edges_change_nothing),
        cmocka_unit_test(every_node_is_covered_and_edges_are_what_they_say),
        cmocka_unit_test(no_rule_and_no_filter_loses_a_node),
        cmocka_unit_test(doubling_the_intervals_refines),
        cmocka_unit_test(a_smaller_size_of_cells_refines),
        cmocka_unit_test(a_larger_gain_coarsens),
        cmocka_unit_test(any_number_of_threads_gives_the_same_arrays),
        cmocka_unit_test(any_number_of_threads_gives_the_same_lens),
        cmocka_unit_test(a_cover_of_a_billion_cells_costs_what_its_nodes_cost),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
