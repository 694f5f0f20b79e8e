/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs against their definitions: the same random numbers, and plain tables in place of
 * the lists that the generators keep. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_graph.h"
#include "base_random.h"

/* Streams of the random numbers, one a purpose. */
enum { SPAM = 1, BLOCKS = 2, ATTACHMENT = 4, RING = 5, FIELDS = 101, CITING, WRITING, SPLITTING };

static dgm_graph *generate(dgm_generate_options options) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static dgm_generate_options of_kind(int kind, int64_t nodes, int64_t edges, int64_t seed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    options.seed = seed;
    return options;
}

static bool chance(dgmi_random *random, double share) {
    return dgmi_random_next(random) < share;
}

static uint32_t one_of(dgmi_random *random, uint64_t count) {
    return (uint32_t)dgmi_random_next_below(random, count);
}

static void assert_same_rows(const dgm_graph *made, const dgm_graph *wanted) {
    const char *differs = check_same_graph(made, wanted, 0);
    if (differs)
        fail_msg("%s", differs);
    assert_int_equal(dgm_graph_get_counts(made).records, dgm_graph_get_counts(wanted).records);
}

/* ---- papers ---- */

enum { MOST = 500, WORDS = 600, REFERENCES = 64 };

typedef struct {
    int nodes, field[MOST], cited[MOST];
    uint32_t references[MOST][REFERENCES];
} papers;

/* 28, 20, 17, 14, 12 and 9 of a hundred. */
static void draw_fields(papers *p, int64_t seed) {
    dgmi_random random = {(uint64_t)seed, FIELDS, 0};
    static const int hundredths[] = {28, 48, 65, 79, 91};
    for (int u = 0; u < p->nodes; u++) {
        double draw = 100 * dgmi_random_next(&random);
        p->field[u] = 0;
        for (int f = 0; f < 5; f++)
            p->field[u] += draw >= hundredths[f];
    }
}

/* The earlier paper number `k` of the field; -1: there are not so many. */
static int earlier(const papers *p, int paper, int field, int64_t k) {
    for (int u = 0; u < paper; u++)
        if (p->field[u] == field && k-- == 0)
            return u;
    return -1;
}

static int earlier_count(const papers *p, int paper, int field) {
    int count = 0;
    for (int u = 0; u < paper; u++)
        count += p->field[u] == field;
    return count;
}

static uint32_t reference_of(const papers *p, uint32_t paper, dgmi_random *random) {
    return p->cited[paper] ? p->references[paper][one_of(random, (uint64_t)p->cited[paper])]
                           : paper;
}

/* A reference is taken over from a paper that is cited already in two of five cases. Otherwise it
 * is a random earlier paper of the field, or of another, and in half the cases one of that paper's
 * own. */
static void cite(papers *p, int paper, double inside, dgmi_random *random) {
    if (p->cited[paper] > 0 && chance(random, 0.4)) {
        uint32_t through = p->references[paper][one_of(random, (uint64_t)p->cited[paper])];
        p->references[paper][p->cited[paper]++] = reference_of(p, through, random);
        return;
    }
    int field = p->field[paper];
    if (!chance(random, inside))
        field = (field + 1 + (int)one_of(random, 5)) % 6;
    int count = earlier_count(p, paper, field);
    if (count == 0)
        return;
    uint32_t found = (uint32_t)earlier(p, paper, field, one_of(random, (uint64_t)count));
    if (chance(random, 0.5))
        found = reference_of(p, found, random);
    p->references[paper][p->cited[paper]++] = found;
}

/* A geometric number of references, at least one try and at most 64. */
static void cite_all(papers *p, const dgm_generate_options *options) {
    dgmi_random random = {(uint64_t)options->seed, CITING, 0};
    double mean = options->edges ? (double)options->edges / p->nodes : 2;
    for (int u = 0; u < p->nodes; u++) {
        p->cited[u] = 0;
        do
            cite(p, u, options->inside, &random);
        while (chance(&random, 1 - 1 / fmax(mean, 1)) && p->cited[u] < REFERENCES);
    }
}

/* Eight to 24 words are drawn, of which a quarter is of a field and a fifth of those of any; the
 * vocabulary that all share has 300, that of a field 50, and words get rarer. */
static void write_paper(int field, dgmi_random *random, bool used[WORDS]) {
    uint32_t draws = 8 + one_of(random, 17);
    memset(used, 0, WORDS * sizeof *used);
    for (uint32_t i = 0; i < draws; i++) {
        double kind = dgmi_random_next(random), place = dgmi_random_next(random);
        uint32_t of = (uint32_t)field;
        if (kind < 0.05)
            of = one_of(random, 6);
        used[kind >= 0.25 ? (uint32_t)(place * place * 300)
                          : 300 + 50 * of + (uint32_t)(place * place * 50)] = true;
    }
}

/* In random order: of each field the first papers train, at most 20, at least 1, or so many that
 * six fields are a third of all; then a fifth of all validates, and two fifths test. */
static void split(const papers *p, int64_t seed, uint8_t *splits) {
    dgmi_random random = {(uint64_t)seed, SPLITTING, 0};
    int order[MOST], trained[6] = {0}, validated = 0, tested = 0;
    int most = p->nodes / 18 < 1 ? 1 : p->nodes / 18 > 20 ? 20 : p->nodes / 18;
    for (int i = 0; i < p->nodes; i++) {
        int j = (int)one_of(&random, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < p->nodes; i++) {
        int u = order[i];
        splits[u] = trained[p->field[u]] < most ? DGM_SPLIT_TRAIN
                    : validated < p->nodes / 5  ? DGM_SPLIT_VALIDATION
                    : tested < 2 * p->nodes / 5 ? DGM_SPLIT_TEST
                                                : 0;
        trained[p->field[u]] += splits[u] == DGM_SPLIT_TRAIN;
        validated += splits[u] == DGM_SPLIT_VALIDATION;
        tested += splits[u] == DGM_SPLIT_TEST;
    }
}

static void assert_papers(const dgm_generate_options *options) {
    static papers p;
    static uint32_t ends[2 * MOST * REFERENCES];
    uint8_t splits[MOST];
    int64_t count = 0;
    dgmi_random writing = {(uint64_t)options->seed, WRITING, 0};
    dgm_graph *graph = generate(*options);
    const dgm_graph_features words = dgm_graph_get_features(graph);
    p.nodes = (int)options->nodes;
    draw_fields(&p, options->seed);
    cite_all(&p, options);
    split(&p, options->seed, splits);
    for (uint32_t u = 0; u < options->nodes; u++)
        for (int i = 0; i < p.cited[u]; i++) {
            ends[2 * count] = u;
            ends[2 * count++ + 1] = p.references[u][i];
        }
    dgm_graph *wanted = build_graph(NULL, options->nodes, count, ends, NULL);
    assert_same_rows(graph, wanted);
    assert_int_equal(words.width, WORDS);
    for (int u = 0; u < p.nodes; u++) {
        bool used[WORDS];
        int64_t at = words.offsets[u];
        const double year = 1990 + floor(u * 30.0 / p.nodes);
        write_paper(p.field[u], &writing, used);
        for (uint32_t w = 0; w < WORDS; w++)
            if (used[w]) {
                assert_true(at < words.offsets[u + 1]);
                assert_int_equal(words.columns[at++], w);
            }
        assert_int_equal(words.offsets[u + 1], at);
        assert_int_equal(dgm_graph_class_number(graph, dgm_graph_labels(graph)[u]), p.field[u]);
        assert_int_equal(dgm_graph_splits(graph)[u], splits[u]);
        assert_near(dgm_graph_attribute(graph, 0).numbers[u], year, 0);
    }
    dgm_graph_free(wanted);
    dgm_graph_free(graph);
}

static void papers_are_written_as_they_are_defined(void **state) {
    (void)state;
    static const int64_t sizes[][2] = {{1, 0},     {5, 0},      {17, 40},     {36, 0},    {400, 0},
                                       {400, 100}, {500, 1500}, {500, 30000}, {470, 6000}};
    for (int64_t i = 0; i < COUNT(sizes); i++) {
        dgm_generate_options options =
            of_kind(DGM_GENERATE_PAPERS, sizes[i][0], sizes[i][1], 3 + i);
        options.inside = i % 2 ? 0.9 : 0.6;
        assert_papers(&options);
    }
}

/* ---- the others ---- */

typedef struct {
    uint32_t ends[200000];
    double weights[100000];
    int64_t count;
} list;

static void add(list *l, uint64_t u, uint64_t v, double weight) {
    assert_true(l->count < 100000);
    l->ends[2 * l->count] = (uint32_t)u;
    l->ends[2 * l->count + 1] = (uint32_t)v;
    l->weights[l->count++] = weight;
}

static void assert_made_of(const dgm_generate_options *options, const list *l, bool weighted) {
    dgm_graph *made = generate(*options);
    dgm_graph *wanted =
        build_graph(NULL, options->nodes, l->count, l->ends, weighted ? l->weights : NULL);
    assert_same_rows(made, wanted);
    dgm_graph_free(made);
    dgm_graph_free(wanted);
}

/* Block b has every node whose number leaves b when it is divided by the number of blocks. */
static void an_edge_of_blocks_stays_inside_or_not(void **state) {
    (void)state;
    static list l;
    static const int64_t blocks[] = {1, 4, 7, 100};
    for (int64_t k = 0; k < COUNT(blocks); k++) {
        dgm_generate_options options = of_kind(DGM_GENERATE_SBM, 100, k == 1 ? 0 : 700, 5 + k);
        dgmi_random random = {(uint64_t)options.seed, BLOCKS, 0};
        const uint64_t b = (uint64_t)blocks[k];
        options.blocks = blocks[k];
        options.inside = 0.7;
        l.count = 0;
        while (l.count < (k == 1 ? 500 : 700)) {
            uint64_t u = one_of(&random, 100), members = 0, block = u % b;
            if (b > 1 && !chance(&random, 0.7))
                block = (block + 1 + one_of(&random, b - 1)) % b;
            for (uint64_t v = block; v < 100; v += b)
                members++;
            add(&l, u, block + b * one_of(&random, members), 1);
        }
        assert_made_of(&options, &l, false);
    }
}

/* A new node draws from the ends of all edges before it, as many as there are nodes before it at
 * most; the first edge has nothing to draw from. */
static void a_new_node_attaches_to_ends_of_edges(void **state) {
    (void)state;
    static list l;
    for (int64_t links = 0; links <= 6; links++) {
        dgm_generate_options options =
            of_kind(DGM_GENERATE_BA, links == 6 ? 4 : 50, 50 * links, 1 + links);
        dgmi_random random = {(uint64_t)options.seed, ATTACHMENT, 0};
        int64_t each = links == 0 ? 5 : links == 6 ? 3 : links;
        l.count = 0;
        for (int64_t u = 1; u < options.nodes; u++) {
            uint64_t before = 2 * (uint64_t)l.count;
            for (int64_t k = 0; k < each && k < u; k++)
                add(&l, (uint64_t)u, before ? l.ends[one_of(&random, before)] : 0, 1);
        }
        assert_made_of(&options, &l, false);
    }
}

/* Each node meets those behind it, some of which are others. */
static void a_ring_is_rewired(void **state) {
    (void)state;
    static list l;
    static const struct {
        int64_t nodes, edges, reach;
    } sizes[] = {{40, 0, 5}, {40, 10, 1}, {40, 40, 1}, {40, 130, 3}, {9, 0, 4},
                 {8, 0, 3},  {3, 0, 1},   {2, 0, 1},   {1, 0, 0}};
    for (int64_t k = 0; k < COUNT(sizes); k++) {
        dgm_generate_options options =
            of_kind(DGM_GENERATE_WS, sizes[k].nodes, sizes[k].edges, 2 + k);
        dgmi_random random = {(uint64_t)options.seed, RING, 0};
        options.rewire = 0.3;
        l.count = 0;
        for (int64_t u = 0; u < sizes[k].nodes; u++)
            for (int64_t far = 1; far <= sizes[k].reach; far++) {
                bool moved = chance(&random, 0.3);
                add(&l, (uint64_t)u,
                    moved ? one_of(&random, (uint64_t)sizes[k].nodes)
                          : (uint64_t)((u + far) % sizes[k].nodes),
                    1);
            }
        assert_made_of(&options, &l, false);
    }
}

/* The rules of the paper: who is a spammer, links, feature and weight are drawn in this order. */
static void spam_is_drawn_as_the_paper_says(void **state) {
    (void)state;
    static list l;
    enum { NODES = 203 };
    dgm_generate_options options = of_kind(DGM_GENERATE_SPAM, NODES, 0, 4);
    dgmi_random random = {4, SPAM, 0};
    dgm_graph *graph = generate(options);
    l.count = 0;
    for (uint64_t u = 0; u < NODES; u++) {
        bool spammer = chance(&random, 0.5);
        double links = dgmi_random_next(&random), feature = dgmi_random_next(&random);
        double weight = dgmi_random_next(&random);
        int64_t count = (int64_t)floor(spammer ? links * NODES / 5 : 10 * links + 1);
        for (int64_t k = 0; k < count; k++)
            add(&l, u, one_of(&random, NODES), spammer ? (weight + 2) / 3 : weight);
        assert_int_equal(dgm_graph_labels(graph)[u], spammer);
        assert_near(dgm_graph_attribute(graph, 0).numbers[u], spammer ? (feature + 1) / 2 : feature,
                    1e-15);
        assert_int_equal(dgm_graph_splits(graph)[u], u < 162 ? DGM_SPLIT_TRAIN : DGM_SPLIT_TEST);
    }
    dgm_graph_free(graph);
    assert_made_of(&options, &l, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papers_are_written_as_they_are_defined),
        cmocka_unit_test(an_edge_of_blocks_stays_inside_or_not),
        cmocka_unit_test(a_new_node_attaches_to_ends_of_edges),
        cmocka_unit_test(a_ring_is_rewired),
        cmocka_unit_test(spam_is_drawn_as_the_paper_says),
    };
    return RUN_WITH_CONTEXT(tests);
}
