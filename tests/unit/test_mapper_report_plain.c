/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of random summaries against their definitions in dgm/report.h, by loops over all nodes
 * and clusters. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "report_sample.h"
#include "unit_progress.h"

enum { NODES = 26, CLUSTERS = 9, MOST_EDGES = 60, CLASSES = 3, ROUNDS = 60 };

static const int32_t class_numbers[CLASSES] = {4, 6, 9};

/* What a report is made of. */
typedef struct {
    char has[NODES * CLUSTERS + 1];
    uint32_t ends[MOST_EDGES][2];
    int edges;
    int32_t label[NODES];
    int degree[NODES];
    int piece[CLUSTERS]; /* the place in the list of pieces */
    bool joined[NODES][NODES];
    int home[NODES]; /* of each node (find_home) */
    const dgm_report *report;
    dgm_report_options options;
} plain;

static bool lies_in(const plain *p, int u, int c) {
    return p->has[u * CLUSTERS + c] == 'x';
}

static int size_of(const plain *p, int c) {
    int size = 0;
    for (int u = 0; u < NODES; u++)
        size += lies_in(p, u, c);
    return size;
}

/* Whether u stands out more than v. */
static bool stands_out(const plain *p, int u, int v) {
    return p->degree[u] != p->degree[v] ? p->degree[u] > p->degree[v] : u < v;
}

static bool has_edge(const plain *p, uint32_t u, uint32_t v) {
    for (int e = 0; e < p->edges; e++)
        if ((p->ends[e][0] == u && p->ends[e][1] == v) ||
            (p->ends[e][0] == v && p->ends[e][1] == u))
            return true;
    return false;
}

/* Few clusters a node, so that there are several pieces; one node is in none. */
static sample draw(check_random *random, int round, plain *p) {
    *p = (plain){.options = DGM_REPORT_OPTIONS_INIT};
    memset(p->has, '.', sizeof p->has - 1);
    for (int u = 1; u < NODES; u++) {
        int home = check_random_below(random, CLUSTERS);
        p->has[u * CLUSTERS + (u <= CLUSTERS ? u - 1 : home)] = 'x';
        if (check_random_chance(random, 0.1 + 0.01 * round))
            p->has[u * CLUSTERS + check_random_below(random, CLUSTERS)] = 'x';
    }
    for (int e = 0; e < MOST_EDGES; e++) {
        uint32_t u = (uint32_t)check_random_below(random, NODES);
        uint32_t v = (uint32_t)check_random_below(random, NODES);
        if (u == v || has_edge(p, u, v))
            continue;
        p->ends[p->edges][0] = u;
        p->ends[p->edges++][1] = v;
        p->degree[u]++;
        p->degree[v]++;
    }
    for (int u = 0; u < NODES; u++)
        p->label[u] = check_random_between(random, -1, CLASSES - 1);
    int32_t named[NODES]; /* classes are counted by their numbers, whichever node comes first */
    for (int u = 0; u < NODES; u++)
        named[u] = p->label[u] < 0 ? -1 : class_numbers[p->label[u]];
    return cast_sample(NODES, CLUSTERS, p->has, p->edges, p->ends[0], named,
                       round % 3 ? DGM_EDGES_NERVE : DGM_EDGES_STRUCTURAL);
}

/* ---- pieces and clusters ---- */

/* All in their order if they are few; otherwise those that stand out. */
static void assert_named(const plain *p, const bool *in, const dgm_report_members *members) {
    int total = 0, named = 0;
    for (int u = 0; u < NODES; u++)
        total += in[u];
    assert_int_equal(members->total, total);
    assert_int_equal(members->count, total < p->options.members ? total : p->options.members);
    for (int u = 0; u < NODES; u++) {
        int before = 0;
        for (int v = 0; v < NODES; v++)
            before += in[v] && (total <= p->options.members ? v < u : stands_out(p, v, u));
        if (!in[u] || before >= members->count)
            continue;
        char name[16];
        int clusters = 0;
        for (int c = 0; c < CLUSTERS; c++)
            clusters += lies_in(p, u, c);
        snprintf(name, sizeof name, "%d", u);
        assert_int_equal(members->items[before].node, u);
        assert_int_equal(members->items[before].neighbours, p->degree[u]);
        assert_int_equal(members->items[before].clusters, clusters);
        assert_string_equal(members->items[before].name, name);
        assert_int_equal(members->items[before].length, strlen(name));
        named++;
    }
    assert_int_equal(named, members->count);
}

static void assert_pieces(plain *p, const dgm_summary *summary) {
    int first[CLUSTERS], pieces = 0, seen = 0;
    int64_t edges;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    for (int c = 0; c < CLUSTERS; c++)
        first[c] = c;
    for (int turn = 0; turn < CLUSTERS; turn++)
        for (int64_t e = 0; e < edges; e++) {
            int *a = &first[edge[e].source], *b = &first[edge[e].target];
            *a = *b = *a < *b ? *a : *b;
        }
    for (int c = 0; c < CLUSTERS; c++)
        pieces += first[c] == c;
    assert_int_equal(dgm_report_get_totals(p->report).pieces, pieces);
    for (int i = 0; i < pieces; i++) {
        const dgm_report_piece *piece = &dgm_report_pieces(p->report)[i];
        int root = first[piece->clusters[0]], count = 0, inside = 0;
        bool in[NODES] = {false};
        for (int c = 0; c < CLUSTERS; c++) {
            if (first[c] != root)
                continue;
            assert_int_equal(piece->clusters[count++], c);
            p->piece[c] = i;
            for (int u = 0; u < NODES; u++)
                in[u] = in[u] || lies_in(p, u, c);
        }
        for (int64_t e = 0; e < edges; e++)
            inside += first[edge[e].source] == root;
        assert_int_equal(piece->cluster_count, count);
        assert_int_equal(piece->cycle_rank, inside - count + 1);
        assert_named(p, in, &piece->members);
        if (i) /* the one with the most members first, then the one with the smallest cluster */
            assert_true(piece[-1].members.total > piece->members.total ||
                        (piece[-1].members.total == piece->members.total &&
                         piece[-1].clusters[0] < piece->clusters[0]));
        seen += count;
    }
    assert_int_equal(seen, CLUSTERS);
}

/* The most frequent class among members with a label, the smallest of equals; -1: none has one. */
static int main_class(const plain *p, int c, int *yes, int *labelled) {
    int best = -1;
    *yes = *labelled = 0;
    for (int k = 0; k < CLASSES; k++) {
        int count = 0;
        for (int u = 0; u < NODES; u++)
            count += lies_in(p, u, c) && p->label[u] == k;
        *labelled += count;
        if (count > *yes) {
            *yes = count;
            best = k;
        }
    }
    return best;
}

static void assert_report_clusters(const plain *p) {
    assert_int_equal(dgm_report_get_totals(p->report).clusters, CLUSTERS);
    for (int i = 0; i < CLUSTERS; i++) {
        const dgm_report_cluster *cluster = &dgm_report_clusters(p->report)[i];
        int c = (int)cluster->cluster, yes, labelled,
            class_index = main_class(p, c, &yes, &labelled);
        bool in[NODES];
        for (int u = 0; u < NODES; u++)
            in[u] = lies_in(p, u, c);
        assert_named(p, in, &cluster->members);
        assert_int_equal(cluster->piece, p->piece[c]);
        assert_int_equal(cluster->class_index, class_index);
        if (class_index >= 0) {
            assert_int_equal(cluster->main_class.yes, yes);
            assert_int_equal(cluster->main_class.inside, labelled);
            assert_near(cluster->main_class.mean, (double)yes / labelled, 1e-15);
            assert_true(isnan(cluster->main_class.p) == (size_of(p, c) < 3));
            char name[8];
            snprintf(name, sizeof name, "%d", class_numbers[class_index]);
            assert_string_equal(cluster->main_class.value, name);
            assert_string_equal(dgm_report_class_name(p->report, class_index), name);
            bool told = false;
            for (int64_t k = 0; k < cluster->classes.count; k++)
                told = told || cluster->classes.items[k].column == class_index;
            assert_true(isnan(cluster->main_class.q) == !told);
        }
        if (i)
            assert_true(size_of(p, (int)cluster[-1].cluster) > size_of(p, c) ||
                        (size_of(p, (int)cluster[-1].cluster) == size_of(p, c) &&
                         (int)cluster[-1].cluster < c));
    }
}

/* ---- bridges and borders ---- */

static bool is_edge(const plain *p, int u, int v) {
    return p->joined[u][v];
}

/* The cluster of u with the most neighbours of u, of equals the larger one; -1: it is in none. */
static int find_home(const plain *p, int u) {
    int best = -1, most = -1;
    for (int c = 0; c < CLUSTERS; c++) {
        int met = 0;
        for (int v = 0; v < NODES; v++)
            met += is_edge(p, u, v) && lies_in(p, v, c);
        if (lies_in(p, u, c) && (met > most || (met == most && size_of(p, c) > size_of(p, best)))) {
            best = c;
            most = met;
        }
    }
    return best;
}

static int home_of(const plain *p, int u) {
    return p->home[u];
}

/* Edges and homes are asked for again and again. */
static void look_up(plain *p) {
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            p->joined[u][v] = has_edge(p, (uint32_t)u, (uint32_t)v);
    for (int u = 0; u < NODES; u++)
        p->home[u] = find_home(p, u);
}

/* What u joins: its home, mostly of one of these classes, with clusters mostly of the other; with any
 * cluster if both are -1. `joined` is how many edges lead there. */
static double score_of(const plain *p, int u, int low, int high, int *joined, int *other) {
    double score = 0, best = 0;
    int yes, labelled, a = p->home[u], x = a < 0 ? -1 : main_class(p, a, &yes, &labelled);
    *joined = 0;
    *other = -1;
    for (int b = 0; b < CLUSTERS && a >= 0; b++) {
        int y = main_class(p, b, &yes, &labelled), here = 0, there = 0, edges = 0, own = 0;
        if (b == a || (low >= 0 && !(x == low && y == high) && !(x == high && y == low)))
            continue;
        for (int v = 0; v < NODES; v++) {
            here += p->home[v] == a;
            there += p->home[v] == b;
            own += is_edge(p, u, v) && p->home[v] == b && !lies_in(p, v, a);
            for (int w = 0; w < NODES; w++)
                edges +=
                    is_edge(p, v, w) && p->home[v] == a && p->home[w] == b && !lies_in(p, w, a);
        }
        double term = own ? own * sqrt((double)here * there / edges) : 0;
        score += low < 0 ? p->degree[u] * term : term;
        *joined += own;
        if (term > best) {
            best = term;
            *other = b;
        }
    }
    return score;
}

/* The best of all bridges of a kind, ranked. */
static void assert_ranked(const plain *p, const dgm_report_bridge *bridges, int64_t count, int low,
                          int high) {
    bool told[NODES] = {false};
    int joined, other;
    for (int64_t i = 0; i < count; i++) {
        const dgm_report_bridge *bridge = &bridges[i];
        int u = (int)bridge->member.node, at = 0;
        assert_false(told[u]);
        told[u] = true;
        assert_near(bridge->score, score_of(p, u, low, high, &joined, &other), 1e-9);
        assert_true(joined > 0 && bridge->across == joined && bridge->alone == 0);
        assert_int_equal(bridge->home, p->home[u]);
        assert_int_equal(bridge->other, other);
        assert_int_equal(bridge->member.neighbours, p->degree[u]);
        for (int c = 0; c < CLUSTERS; c++)
            if (lies_in(p, u, c))
                assert_int_equal(bridge->clusters[at++], c);
        assert_int_equal(bridge->member.clusters, at);
        if (i)
            assert_true(bridge[-1].score > bridge->score ||
                        (bridge[-1].score == bridge->score &&
                         stands_out(p, (int)bridge[-1].member.node, u)));
    }
    for (int u = 0; u < NODES && count; u++) {
        double score = score_of(p, u, low, high, &joined, &other);
        assert_true(told[u] || !joined || score <= bridges[count - 1].score + 1e-9);
    }
}

static int count_bridges(const plain *p, int low, int high) {
    int count = 0, joined, other;
    for (int u = 0; u < NODES; u++) {
        score_of(p, u, low, high, &joined, &other);
        count += joined > 0;
    }
    return count;
}

static void assert_bridges(plain *p) {
    for (int u = 0; u < NODES; u++)
        p->home[u] = home_of(p, u);
    dgm_report_totals totals = dgm_report_get_totals(p->report);
    int all = count_bridges(p, -1, -1), borders = 0;
    assert_true(!totals.bridges_shared && all > 0);
    assert_int_equal(totals.bridges, all);
    assert_int_equal(totals.bridges_told, all < p->options.bridges ? all : p->options.bridges);
    assert_ranked(p, dgm_report_bridges(p->report), totals.bridges_told, -1, -1);
    for (int low = 0; low < CLASSES; low++)
        for (int high = low + 1; high < CLASSES; high++)
            borders += count_bridges(p, low, high) > 0;
    assert_int_equal(totals.borders, borders);
    for (int i = 0; i < borders; i++) {
        const dgm_report_border *border = &dgm_report_borders(p->report)[i];
        int total = count_bridges(p, border->low, border->high), edges = 0;
        assert_true(border->low < border->high);
        assert_string_equal(border->low_name, dgm_report_class_name(p->report, border->low));
        assert_string_equal(border->high_name, dgm_report_class_name(p->report, border->high));
        assert_int_equal(border->total, total);
        assert_int_equal(border->count, total < p->options.members ? total : p->options.members);
        for (int e = 0; e < p->edges; e++) {
            int32_t x = p->label[p->ends[e][0]], y = p->label[p->ends[e][1]];
            edges +=
                (x == border->low && y == border->high) || (y == border->low && x == border->high);
        }
        assert_int_equal(border->edges, edges);
        assert_ranked(p, border->bridges, border->count, border->low, border->high);
        if (i)
            assert_true(border[-1].total > total ||
                        (border[-1].total == total &&
                         (border[-1].low < border->low ||
                          (border[-1].low == border->low && border[-1].high < border->high))));
    }
}

/* ---- edges between pieces ---- */

static int first_piece(const plain *p, uint32_t u) {
    for (int c = 0; c < CLUSTERS; c++)
        if (lies_in(p, (int)u, c))
            return p->piece[c];
    return -1;
}

/* Whether an edge leads from one piece to another, which it is turned to go up to. */
static bool crosses(const plain *p, int edge, uint32_t ends[2]) {
    uint32_t u = p->ends[edge][0], v = p->ends[edge][1];
    int x = first_piece(p, u), y = first_piece(p, v);
    for (int a = 0; a < CLUSTERS; a++)
        for (int b = 0; b < CLUSTERS; b++)
            if (lies_in(p, (int)u, a) && lies_in(p, (int)v, b) && p->piece[a] == p->piece[b])
                return false;
    ends[0] = x < y ? u : v;
    ends[1] = x < y ? v : u;
    return x >= 0 && y >= 0;
}

/* Whether one edge is told before another. */
static bool told_before(const plain *p, const uint32_t a[2], const uint32_t b[2]) {
    int x = p->degree[a[0]] + p->degree[a[1]], y = p->degree[b[0]] + p->degree[b[1]];
    if (x != y)
        return x > y;
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static void assert_crossing(const plain *p, const dgm_report_crossing *crossing) {
    const dgm_report_piece *pieces = dgm_report_pieces(p->report);
    int64_t x = pieces[crossing->low].members.total, y = pieces[crossing->high].members.total;
    int count = 0;
    uint32_t mine[2], other[2];
    for (int e = 0; e < p->edges; e++) {
        if (!crosses(p, e, mine) || first_piece(p, mine[0]) != crossing->low ||
            first_piece(p, mine[1]) != crossing->high)
            continue;
        int before = 0;
        for (int f = 0; f < p->edges; f++)
            before += crosses(p, f, other) && first_piece(p, other[0]) == crossing->low &&
                      first_piece(p, other[1]) == crossing->high && told_before(p, other, mine);
        if (before < 3)
            assert_true(crossing->ends[before][0].node == mine[0] &&
                        crossing->ends[before][1].node == mine[1]);
        count++;
    }
    assert_int_equal(crossing->edges, count);
    assert_int_equal(crossing->count, count < 3 ? count : 3);
    assert_near(crossing->score, (double)(x < y ? x : y) / count, 1e-15);
}

static void assert_crossings(const plain *p) {
    dgm_report_totals totals = dgm_report_get_totals(p->report);
    bool seen[CLUSTERS][CLUSTERS] = {{false}};
    uint32_t ends[2];
    int edges = 0, pairs = 0;
    for (int e = 0; e < p->edges; e++)
        if (crosses(p, e, ends)) {
            bool *pair = &seen[first_piece(p, ends[0])][first_piece(p, ends[1])];
            pairs += !*pair;
            *pair = true;
            edges++;
        }
    assert_int_equal(totals.crossing_edges, edges);
    assert_int_equal(totals.crossings, pairs);
    assert_int_equal(totals.crossings_told,
                     pairs < p->options.bridges ? pairs : p->options.bridges);
    for (int64_t i = 0; i < totals.crossings_told; i++) {
        const dgm_report_crossing *crossing = &dgm_report_crossings(p->report)[i];
        assert_crossing(p, crossing);
        if (i)
            assert_true(
                crossing[-1].score > crossing->score ||
                (crossing[-1].score == crossing->score &&
                 (crossing[-1].low < crossing->low ||
                  (crossing[-1].low == crossing->low && crossing[-1].high < crossing->high))));
    }
}

static void reports_are_what_they_are_said_to_be(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    int borders = 0, crossings = 0;
    static plain p;
    for (int round = 0; round < ROUNDS; round++) {
        check_random random = check_random_case(seed, 1, round);
        sample made = draw(&random, round, &p);
        look_up(&p);
        p.options.members = 1 + round % 7;
        p.options.bridges = round % 4 ? 20 : round % 8 + 1;
        dgm_report *report = report_of(&made, &p.options);
        p.report = report;
        assert_pieces(&p, made.summary);
        assert_report_clusters(&p);
        assert_bridges(&p);
        assert_crossings(&p);
        borders += dgm_report_get_totals(report).borders > 1;
        crossings += dgm_report_get_totals(report).crossings > 2;
        dgm_report_free(report);
        sample_free(&made);
    }
    assert_true(borders > 5 && crossings > 5); /* the draw is not a dull one */
}

/* ---- limits, long work, and much text ---- */

static void limits_are_met_exactly(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_report_options good = DGM_REPORT_OPTIONS_INIT;
    good.members = 1;
    good.differences = good.bridges = good.loops = 0;
    good.level = 1;
    dgm_report *report = report_of(&made, &good);
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.bridges == 2 && totals.bridges_told == 0);
    dgm_report_free(report);
    for (int i = 0; i < 7; i++) {
        dgm_report_options bad = good;
        bad.members -= i == 0;
        bad.differences -= i == 1;
        bad.bridges -= i == 2;
        bad.loops -= i == 3;
        bad.level = i == 4 ? 1.0001 : i == 5 ? 0 : i == 6 ? NAN : 1;
        ASSERT_FAILS(
            dgm_report_create(ctx, made.summary, made.graph, made.profile, &bad, &report),
            DGM_ERROR_USAGE,
            "a report names at least one member, tells no negative number of anything, and has a "
            "level above 0 and up to 1");
        assert_null(report);
    }
    sample_free(&made);
}

/* A path in 1,500 cells of two neighbours each, whose names fill several blocks of text. */
static void long_work_is_told_and_every_name_is_kept(void **state) {
    (void)state;
    enum { LENGTH = 1500 };
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = LENGTH - 1;
    options.overlap[0] = 0.5;
    static char words[LENGTH][40];
    static const char *names[LENGTH];
    for (int u = 0; u < LENGTH; u++) {
        snprintf(words[u], sizeof words[u], "a node with the number %d", u);
        names[u] = words[u];
    }
    sample made = sample_make(ctx, &(sample_parts){.nodes = LENGTH, .names = names}, &options);
    int64_t clusters = dgm_summary_get_clusters(made.summary).count;
    assert_true(clusters > 1024);
    hear_progress();
    dgm_report *report = report_of(&made, NULL);
    hear_no_more();
    assert_int_equal(reports_of("writing the report"), 7);
    assert_int_equal(reports_of("naming members"), 2);
    assert_int_equal(reports_of("finding bridges"), 2);
    assert_int_equal(reports_of("finding edges between pieces"), 2);
    for (int64_t i = 0; i < heard_count; i++) {
        const char *stage = heard_reports[i].stage;
        bool counts = strcmp(stage, "naming members") == 0 || strcmp(stage, "finding bridges") == 0;
        if (counts && heard_reports[i].fraction > 0)
            assert_near(heard_reports[i].fraction, 1024 / (double)clusters, 1e-12);
        if (strcmp(stage, "writing the report") == 0 || strncmp(stage, "finding e", 9) == 0)
            assert_true(heard_reports[i].fraction == -1);
    }
    for (int64_t i = 0; i < clusters; i++) {
        const dgm_report_members *members = &dgm_report_clusters(report)[i].members;
        for (int64_t k = 0; k < members->count; k++)
            assert_string_equal(members->items[k].name, words[members->items[k].node]);
    }
    dgm_report_free(report);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_what_they_are_said_to_be),
        cmocka_unit_test(limits_are_met_exactly),
        cmocka_unit_test(long_work_is_told_and_every_name_is_kept),
    };
    return RUN_WITH_CONTEXT(tests);
}
