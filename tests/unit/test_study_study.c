/* SPDX-License-Identifier: Apache-2.0 */
/* A study finds shapes that were planted, and turns them into plain options. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgm/study.h"

#include "base_random.h"
#include "unit_faults.h"

/* ---- graphs with a shape ---- */

static dgm_graph *open_graph(const char *name) {
    dgm_graph *graph;
    if (dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* A strip of `wide` rows whose ends are joined. */
static dgm_graph *ring(int64_t length, int64_t wide) {
    static uint32_t ends[20000];
    int64_t count = 0;
    for (int64_t i = 0; i < length; i++)
        for (int64_t j = 0; j < wide; j++) {
            ends[2 * count] = (uint32_t)(i * wide + j);
            ends[2 * count++ + 1] = (uint32_t)((i + 1) % length * wide + j);
            if (j + 1 < wide) {
                ends[2 * count] = (uint32_t)(i * wide + j);
                ends[2 * count++ + 1] = (uint32_t)(i * wide + j + 1);
            }
        }
    return build_graph(NULL, length * wide, count, ends, NULL);
}

/* A lattice with square holes; nodes inside them are left over, each alone. */
static bool in_hole(int64_t x, int64_t y) {
    static const int64_t centres[][2] = {{8, 8}, {8, 24}, {24, 16}};
    for (int i = 0; i < 3; i++)
        if (llabs(x - centres[i][0]) <= 4 && llabs(y - centres[i][1]) <= 4)
            return true;
    return false;
}

static dgm_graph *holes(void) {
    enum { SIDE = 33 };
    static uint32_t ends[4 * SIDE * SIDE];
    int64_t count = 0;
    for (int64_t x = 0; x < SIDE; x++)
        for (int64_t y = 0; y < SIDE; y++) {
            if (in_hole(x, y))
                continue;
            if (x + 1 < SIDE && !in_hole(x + 1, y)) {
                ends[2 * count] = (uint32_t)(x * SIDE + y);
                ends[2 * count++ + 1] = (uint32_t)((x + 1) * SIDE + y);
            }
            if (y + 1 < SIDE && !in_hole(x, y + 1)) {
                ends[2 * count] = (uint32_t)(x * SIDE + y);
                ends[2 * count++ + 1] = (uint32_t)(x * SIDE + y + 1);
            }
        }
    return build_graph(NULL, SIDE * SIDE, count, ends, NULL);
}

/* `count` rings beside each other. */
static dgm_graph *rings(int64_t count, int64_t length) {
    static uint32_t ends[4000];
    for (int64_t i = 0; i < count * length; i++) {
        ends[2 * i] = (uint32_t)i;
        ends[2 * i + 1] = (uint32_t)(i / length * length + (i + 1) % length);
    }
    return build_graph(NULL, count * length, count * length, ends, NULL);
}

static dgm_study *study(const dgm_graph *graph, const dgm_job *job,
                        const dgm_study_options *options) {
    dgm_study *made;
    dgm_job plain;
    dgm_job_init(&plain);
    if (dgm_study_create(ctx, graph, job ? job : &plain, options, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return made;
}

static dgm_study_candidate best_of(const dgm_graph *graph) {
    int64_t count;
    dgm_study *made = study(graph, NULL, NULL);
    dgm_study_candidate best = dgm_study_candidates(made, &count)[0];
    dgm_study_free(made);
    return best;
}

static char said[2048];
static void listen(void *user, const char *note) {
    (void)user;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", note);
}

/* ---- what it finds ---- */

/* Of a lattice with holes the settings that save the most see no holes; finer ones do. */
static void loops_that_were_planted_are_found(void **state) {
    (void)state;
    int64_t count, seen = 0;
    dgm_graph *one = ring(200, 4), *three = holes();
    dgm_study_candidate best = best_of(one);
    assert_int_equal(best.measures.loops, 1);
    assert_int_equal(best.measures.pieces, 1);
    dgm_study *made = study(three, NULL, NULL);
    const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
    assert_int_equal(candidates->measures.pieces, 1);
    assert_int_equal(dgm_bits_finding(&candidates->measures.bits), DGM_FINDING_FOUND);
    for (int64_t i = 0; i < count; i++)
        seen += candidates[i].measures.loops == 3;
    assert_true(seen > 0);
    dgm_study_free(made);
    dgm_graph_free(one);
    dgm_graph_free(three);
}

static void pieces_that_were_planted_are_found(void **state) {
    (void)state;
    dgm_graph *graph = rings(3, 200);
    dgm_study_candidate best = best_of(graph);
    assert_int_equal(best.measures.pieces, 3);
    assert_int_equal(best.measures.loops, 3);
    dgm_graph_free(graph);
}

/* Nine of ten nodes are single ones, as where the numbers of nodes have gaps: the ring is seen all the
 * same. */
static void a_shape_is_seen_among_many_single_nodes(void **state) {
    (void)state;
    enum { NODES = 3000, ON_RING = 300 };
    uint32_t ends[2 * ON_RING];
    for (uint32_t i = 0; i < ON_RING; i++) {
        ends[2 * i] = 10 * i;
        ends[2 * i + 1] = (i + 1) % ON_RING * 10;
    }
    dgm_graph *graph = build_graph(NULL, NODES, ON_RING, ends, NULL);
    dgm_study_candidate best = best_of(graph);
    assert_int_equal(best.measures.loops, 1);
    assert_true(best.measures.largest < 0.3 * ON_RING / NODES);
    assert_true(best.measures.shown >= 10);
    dgm_graph_free(graph);
}

/* Every node hangs on an earlier one: on any of them, or on one of the last few. */
static dgm_graph *tree(int64_t nodes, int64_t reach) {
    static uint32_t ends[6000];
    for (int64_t i = 1; i < nodes; i++) {
        uint64_t back = (uint64_t)(reach < i ? reach : i);
        ends[2 * i - 2] = (uint32_t)i;
        ends[2 * i - 1] = (uint32_t)(i - 1 - (int64_t)dgmi_random_below(7, 1, (uint64_t)i, back));
    }
    return build_graph(NULL, nodes, nodes - 1, ends, NULL);
}

static dgm_summary *map_as_chosen(const dgm_graph *graph, const dgm_study *made) {
    dgm_job job;
    dgm_job_init(&job);
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result result;
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    input.graph = graph;
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_SUMMARY, &result), DGM_OK);
    return result.summary;
}

/* Each edge of a tree that leaps over the overlap would cut it in two. */
static void a_tree_is_one_piece_without_loops(void **state) {
    (void)state;
    const int64_t trees[][2] = {{3000, 3000}, {200, 200}, {1000, 20}, {40, 40}};
    for (int64_t i = 0; i < COUNT(trees); i++) {
        int64_t count;
        dgm_graph *graph = tree(trees[i][0], trees[i][1]);
        dgm_study *made = study(graph, NULL, NULL);
        const dgm_study_candidate *best = dgm_study_candidates(made, &count);
        dgm_summary *summary = map_as_chosen(graph, made);
        assert_int_equal(best->measures.pieces, 1);
        dgm_summary_topology topology = dgm_summary_get_topology(summary);
        if (best->edges < 0) { /* otherwise edges of the graph join clusters, and not the nerve */
            assert_int_equal(topology.b0, 1);
            assert_int_equal(topology.b1, 0);
        }
        assert_true(best->measures.largest < 0.5);
        dgm_summary_free(summary);
        dgm_study_free(made);
        dgm_graph_free(graph);
    }
}

/* Parts of a tree hang together by single edges. Settings whose cells take nodes across say so. */
static void candidates_say_whether_cells_cut(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = tree(600, 600);
    dgm_study *made = study(graph, NULL, NULL);
    const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
    bool any = false;
    for (int64_t i = 0; i < count; i++) {
        bool joined = candidates[i].pieces == DGM_PIECES_JOINED;
        any = any || joined;
        assert_int_equal(candidates[i].measures.pieces, 1);
        assert_int_equal(joined, candidates[i].measures.taken > 0);
    }
    assert_true(any);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

static void small_graphs_can_be_read(void **state) {
    (void)state;
    dgm_graph *graphs[] = {open_graph("karate"), tree(40, 40), rings(1, 40), tree(60, 5)};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        dgm_study_candidate best = best_of(graphs[i]);
        assert_true(best.measures.marks > 1);
        assert_near(best.misfit, 0, 0);
        dgm_graph_free(graphs[i]);
    }
}

/* Nothing is wrong with a picture of these, and chance does not draw it. */
static void graphs_with_a_shape_are_told_from_chance(void **state) {
    (void)state;
    static const char *const names[] = {"karate", "papers"};
    for (int64_t i = 0; i < COUNT(names); i++) {
        dgm_graph *graph = open_graph(names[i]);
        dgm_study_candidate best = best_of(graph);
        assert_near(best.misfit, 0, 0);
        assert_true(best.measures.largest < 0.6);
        assert_true(dgm_bits_finding(&best.measures.bits) >= DGM_FINDING_WEAK);
        dgm_graph_free(graph);
    }
}

/* Four equal blocks of a stochastic block model are four marks, each of nodes of one block. */
static void blocks_that_were_planted_are_found(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.kind = DGM_GENERATE_SBM;
    options.nodes = 400;
    options.edges = 3200;
    options.blocks = 4;
    for (options.seed = 1; options.seed < 4; options.seed++) {
        int64_t count, in_block = 0, members = 0;
        dgm_graph *graph;
        assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
        dgm_study *made = study(graph, NULL, NULL);
        const dgm_study_candidate *best = dgm_study_candidates(made, &count);
        dgm_summary *summary = map_as_chosen(graph, made);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        assert_int_equal(best->measures.marks, 4);
        assert_int_equal(dgm_bits_finding(&best->measures.bits), DGM_FINDING_FOUND);
        for (int64_t c = 0; c < clusters.count; c++) {
            int64_t of[4] = {0}, most = 0;
            for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
                of[dgm_graph_labels(graph)[clusters.members[i]]]++;
            for (int k = 0; k < 4; k++)
                most = of[k] > most ? of[k] : most;
            in_block += most;
            members += clusters.offsets[c + 1] - clusters.offsets[c];
        }
        assert_true((double)in_block > 0.95 * (double)members);
        dgm_summary_free(summary);
        dgm_study_free(made);
        dgm_graph_free(graph);
    }
}

/* Candidates stand in order: of the least misfit first, and of these those that save the most. */
static void candidates_are_in_order(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("papers");
    dgm_study *made = study(graph, NULL, NULL);
    const dgm_study_candidate *is = dgm_study_candidates(made, &count);
    assert_true(count > 3);
    for (int64_t i = 0; i < count; i++) {
        const dgm_bits *bits = &is[i].measures.bits;
        assert_near(is[i].score, bits->gained - bits->cost, 1e-12); /* as some save bits */
        assert_int_equal(bits->runs > 0, i == 0); /* the best alone is run against chance */
        if (i > 0)
            assert_true(is[i - 1].misfit < is[i].misfit ||
                        (is[i - 1].misfit == is[i].misfit && is[i - 1].score >= is[i].score));
    }
    assert_true(is[0].score > 0);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* Where no marks are worth writing down, they are compared as if it were known who is where. */
static void marks_that_save_nothing_are_compared_without_what_is_told(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("karate");
    dgm_study *made = study(graph, NULL, NULL);
    const dgm_study_candidate *is = dgm_study_candidates(made, &count);
    for (int64_t i = 0; i < count; i++) {
        const dgm_bits *bits = &is[i].measures.bits;
        assert_true(bits->gained < bits->cost);
        assert_near(is[i].score, bits->gained - bits->cost + bits->told, 1e-12);
    }
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* ---- what it turns into ---- */

/* The job has what the candidate says, and running it gives what was measured. */
static void the_choice_becomes_plain_options(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("papers");
    dgm_job job;
    dgm_job_init(&job);
    dgm_study *made = study(graph, &job, NULL);
    const dgm_study_candidate *best = dgm_study_candidates(made, &count);
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    assert_int_equal(job.lens_count, 1);
    assert_string_equal(job.lenses[0], best->lens);
    assert_string_equal(job.cover, best->cover);
    dgm_job_input with = DGM_JOB_INPUT_INIT, without = DGM_JOB_INPUT_INIT;
    dgm_job_result a, b;
    with.graph = without.graph = graph;
    with.made = dgm_study_lens(made);
    assert_int_equal(dgm_job_run(ctx, &job, &with, DGM_KEEP_SUMMARY, &a), DGM_OK);
    assert_int_equal(dgm_job_run(ctx, &job, &without, DGM_KEEP_SUMMARY, &b), DGM_OK);
    assert_int_equal(dgm_summary_get_clusters(a.summary).count, best->measures.clusters);
    assert_int_equal(dgm_summary_get_clusters(b.summary).count, best->measures.clusters);
    assert_string_equal(dgm_summary_get_provenance(a.summary).lens, "communities");
    dgm_job_result_free(&a);
    dgm_job_result_free(&b);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* The settings by name and value give the same job as dgm_study_apply. */
static void settings_by_name_are_the_same_choice(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("karate");
    dgm_study *made = study(graph, NULL, NULL);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job;
    const char *name;
    char values[8][DGM_STUDY_VALUE];
    dgm_job_init(&job);
    for (int i = 0; dgm_study_setting(dgm_study_candidates(made, &count), i, &name, values[i]); i++)
        assert_int_equal(dgm_job_set(ctx, &job, name, values[i]), DGM_OK);
    const dgm_study_candidate *best = dgm_study_candidates(made, &count);
    assert_string_equal(job.lenses[0], best->lens);
    assert_string_equal(job.cover, best->cover);
    dgm_study_free(made);
    options.open = DGM_OPEN_ALL & ~(unsigned)DGM_OPEN_COVER;
    made = study(graph, NULL, &options);
    dgm_job_init(&job);
    for (int i = 0; dgm_study_setting(dgm_study_candidates(made, &count), i, &name, values[i]); i++)
        assert_int_equal(dgm_job_set(ctx, &job, name, values[i]), DGM_OK);
    best = dgm_study_candidates(made, &count);
    assert_string_equal(job.lenses[0], best->lens);
    assert_int_equal(job.transforms[0], DGM_TRANSFORM_RANK);
    assert_int_equal(job.mapper.intervals[0], best->intervals);
    assert_near(job.mapper.overlap[0], best->overlap, 0);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* Whatever a candidate says, the job has it afterwards; what it leaves open the job keeps. */
static void every_candidate_becomes_plain_options(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = ring(40, 2);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    options.dust_size = 7;
    dgm_study *made = study(graph, NULL, &options);
    const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
    for (int64_t i = 0; i < count; i++) {
        const dgm_study_candidate *is = &candidates[i];
        dgm_job job;
        dgm_job_init(&job);
        assert_int_equal(dgm_study_apply(ctx, made, i, &job), DGM_OK);
        assert_string_equal(job.lenses[0], is->lens);
        assert_int_equal(job.transform_count, is->transform != NULL);
        assert_int_equal(job.cover != NULL, is->cover != NULL);
        assert_int_equal(job.layout.dust_size, 7);
        assert_near(job.mapper.overlap[0], 0.2, 0); /* which parts do not have */
        assert_int_equal(job.mapper.intervals[0], 10);
        assert_string_equal(job.cover, is->cover);
        assert_int_equal(job.mapper.pieces == DGM_PIECES_JOINED, is->pieces >= 0);
    }
    assert_true(count > 3);
    const char *name = NULL;
    char value[DGM_STUDY_VALUE];
    for (int i = 0; dgm_study_setting(candidates, i, &name, value) && strcmp(name, "dust-size");
         i++)
        continue;
    assert_string_equal(name, "dust-size");
    assert_string_equal(value, "7");
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "transform", "log"), DGM_OK);
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    assert_int_equal(job.transform_count, 1);
    assert_int_equal(job.transforms[0], DGM_TRANSFORM_LOG);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* Only clusters that are components of cells are joined by taking nodes across. */
static void pieces_are_joined_where_cells_have_cut_them(void **state) {
    (void)state;
    static const char *const others[][2] = {{"edges", "structural"}, {"cluster", "none"}};
    dgm_graph *graph = tree(60, 60);
    for (int64_t i = 0; i < COUNT(others); i++) {
        int64_t count;
        dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
        dgm_job job;
        dgm_job_init(&job);
        assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
        assert_int_equal(dgm_job_set(ctx, &job, others[i][0], others[i][1]), DGM_OK);
        options.open = DGM_OPEN_INTERVALS | DGM_OPEN_PIECES;
        dgm_study *made = study(graph, &job, &options);
        const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
        for (int64_t k = 0; k < count; k++)
            assert_int_equal(candidates[k].pieces, -1);
        dgm_study_free(made);
    }
    dgm_graph_free(graph);
}

/* A sample of a directed graph is one of its arcs; what is in no reach of a centre is drawn anew. */
static void samples_may_be_directed_and_of_many_components(void **state) {
    (void)state;
    enum { PAIRS = 200 };
    static uint32_t ends[2 * PAIRS];
    dgm_graph_options directed = DGM_GRAPH_OPTIONS_INIT;
    directed.directed = true;
    for (uint32_t i = 0; i < 2 * PAIRS; i++)
        ends[i] = i;
    for (int arcs = 0; arcs < 2; arcs++) {
        dgm_graph *graph = build_graph(arcs ? &directed : NULL, 2 * PAIRS, PAIRS, ends, NULL);
        dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
        dgm_job job;
        dgm_job_init(&job);
        assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
        options.open = 0;
        options.most = PAIRS / 4;
        said[0] = '\0';
        dgm_context_set_notes(ctx, listen, NULL);
        dgm_study_free(study(graph, &job, &options));
        dgm_context_set_notes(ctx, NULL, NULL);
        long long nodes = 0;
        const char *words = strstr(said, "judged on a sample of ");
        assert_non_null(words);
        assert_int_equal(sscanf(words, "judged on a sample of %lld of 400 nodes", &nodes), 1);
        assert_in_range(nodes, PAIRS / 4,
                        PAIRS); /* a pair for each edge, and arcs end in nothing */
        dgm_graph_free(graph);
    }
}

static void what_is_not_open_stays(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("karate");
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
    assert_int_equal(dgm_job_set(ctx, &job, "overlap", "0.25"), DGM_OK);
    options.open = DGM_OPEN_INTERVALS;
    dgm_study *made = study(graph, &job, &options);
    const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
    assert_true(count > 3);
    for (int64_t i = 0; i < count; i++) {
        assert_null(candidates[i].lens);
        assert_true(candidates[i].overlap < 0);
        assert_true(candidates[i].intervals > 0);
    }
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    assert_int_equal(job.lens_count, 1);
    assert_near(job.mapper.overlap[0], 0.25, 0);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* ---- what it does not depend on ---- */

static void assert_same_study(const dgm_study *a, const dgm_study *b) {
    int64_t count, other;
    const dgm_study_candidate *x = dgm_study_candidates(a, &count);
    const dgm_study_candidate *y = dgm_study_candidates(b, &other);
    assert_int_equal(count, other);
    for (int64_t i = 0; i < count; i++) {
        assert_string_equal(x[i].lens, y[i].lens);
        assert_true(x[i].score == y[i].score);
        assert_int_equal(x[i].intervals, y[i].intervals);
        assert_memory_equal(&x[i].measures, &y[i].measures, sizeof x[i].measures);
    }
}

static void threads_and_labels_do_not_matter(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("papers"), *plain;
    int32_t labels[1000];
    assert_true(dgm_graph_nodes(graph) <= COUNT(labels));
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        labels[u] = (int32_t)(u % 7);
    assert_int_equal(dgm_graph_with_labels(ctx, graph, labels, 0, NULL, &plain), DGM_OK);
    dgm_context_set_threads(ctx, 1);
    dgm_study *one = study(graph, NULL, NULL);
    dgm_context_set_threads(ctx, 4);
    dgm_study *four = study(graph, NULL, NULL), *bare = study(plain, NULL, NULL);
    assert_same_study(one, four);
    assert_same_study(one, bare);
    dgm_context_set_threads(ctx, 0);
    dgm_study_free(one);
    dgm_study_free(four);
    dgm_study_free(bare);
    dgm_graph_free(plain);
    dgm_graph_free(graph);
}

/* Lenses that were not chosen keep silent, and so do those of rewired graphs. */
static void only_the_chosen_lens_speaks(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("karate");
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    options.open =
        DGM_OPEN_ALL & ~(unsigned)DGM_OPEN_COVER; /* eigenvectors are the one candidate */
    dgm_study_free(study(graph, NULL, &options));
    const char *first = strstr(said, "eigen: eigenvalue");
    assert_non_null(first);
    assert_null(strstr(first + 1, "eigen: eigenvalue"));
    said[0] = '\0';
    options.open = DGM_OPEN_ALL;
    options.trained = true; /* a network, which says what it was trained with */
    int64_t count;
    dgm_study *made = study(graph, NULL, &options);
    dgm_context_set_notes(ctx, NULL, NULL);
    const char *trained = strstr(said, "dgi: "), *lens = dgm_study_candidates(made, &count)->lens;
    assert_int_equal(trained != NULL, strcmp(lens, "dgi") == 0);
    assert_null(trained ? strstr(trained + 1, "dgi: ") : NULL);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* ---- large graphs, and those that have hardly a shape ---- */

static void large_graphs_are_judged_by_a_sample(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = ring(600, 4);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    options.most = 1000;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_study *made = study(graph, NULL, &options);
    dgm_context_set_notes(ctx, NULL, NULL);
    const dgm_study_candidate *best = dgm_study_candidates(made, &count);
    assert_non_null(strstr(said, "judged on a sample of "));
    assert_true(best->measures.largest < 0.5);
    /* The lens is that of the whole graph. */
    assert_int_equal(dgm_matrix_rows(dgm_lens_result_axes(dgm_study_lens(made))), 2400);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

static void every_graph_gets_settings(void **state) {
    (void)state;
    const uint32_t pair[] = {0, 1}, star[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    dgm_graph *graphs[] = {build_graph(NULL, 0, 0, NULL, NULL), build_graph(NULL, 1, 0, NULL, NULL),
                           build_graph(NULL, 50, 0, NULL, NULL),
                           build_graph(NULL, 2, 1, pair, NULL),
                           build_graph(NULL, 7, 6, star, NULL)};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        int64_t count;
        dgm_study *made = study(graphs[i], NULL, NULL);
        dgm_study_candidates(made, &count);
        assert_true(count > 0);
        assert_non_null(dgm_study_lens(made));
        dgm_study_free(made);
        dgm_graph_free(graphs[i]);
    }
}

/* Numbers of the caller's own are a lens like any other: the cover is chosen for them. */
static void a_lens_of_the_callers_is_studied(void **state) {
    (void)state;
    enum { LENGTH = 400 };
    dgm_graph *graph = ring(LENGTH, 1);
    dgm_matrix *round = build_matrix(LENGTH, 1, NULL);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_study *made;
    dgm_job job;
    for (int64_t i = 0; i < LENGTH; i++)
        dgm_matrix_values_mutable(round)[i] = (double)(i < LENGTH / 2 ? i : LENGTH - i);
    dgm_job_init(&job);
    input.lens = round;
    options.input = &input;
    options.open = DGM_OPEN_INTERVALS | DGM_OPEN_OVERLAP;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_OK);
    int64_t count;
    const dgm_study_candidate *best = dgm_study_candidates(made, &count);
    assert_null(best->lens);
    assert_true(best->intervals > 1);
    assert_int_equal(best->measures.loops, 1);
    const dgm_matrix *axes = dgm_lens_result_axes(dgm_study_lens(made));
    assert_int_equal(dgm_matrix_columns(axes), 1);
    assert_memory_equal(dgm_matrix_values(axes), dgm_matrix_values(round), LENGTH * sizeof(double));
    dgm_study_free(made);
    dgm_lens_result *lens;
    ASSERT_FAILS(dgm_job_lens_with(ctx, &job, &input, &lens), DGM_ERROR_USAGE,
                 "a lens needs a graph");
    dgm_matrix_free(round);
    dgm_graph_free(graph);
}

/* ---- memory that ends ---- */

typedef struct {
    const dgm_graph *graph;
    unsigned open;
    int64_t most; /* edges */
} fragile;

static void hear(void *user, const char *note) {
    (void)user, (void)note;
}

static dgm_status study_once(dgm_context *own, void *argument) {
    const fragile *with = argument;
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_study *made;
    dgm_job job;
    dgm_job_init(&job);
    options.open = with->open;
    options.most = with->most;
    options.chance = 1;
    dgm_context_set_notes(own, hear, NULL);
    dgm_status status = dgm_study_create(own, with->graph, &job, &options, &made);
    if (status == DGM_OK)
        status = dgm_study_apply(own, made, 0, &job);
    dgm_study_free(made);
    return status;
}

/* One cover of one lens, of a sample too, and then one cover of each lens. */
static void every_failed_allocation_is_told(void **state) {
    (void)state;
    dgm_graph *star = tree(12, 2);
    fail_each_allocation(study_once, &(fragile){star, 0, 1000});
    fail_each_allocation(study_once, &(fragile){star, DGM_OPEN_PIECES, 8});
    fail_some_allocations(study_once, &(fragile){star, DGM_OPEN_LENS | DGM_OPEN_PIECES, 1000}, 11);
    dgm_graph_free(star);
}

static void bad_options_and_lenses_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("karate");
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_study *made;
    dgm_job job;
    dgm_job_init(&job);
    options.dust_size = -1;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_USAGE);
    assert_null(made);
    options.dust_size = 5;
    options.most = 0;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_USAGE);
    options.most = 1000;
    options.open = 64;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_USAGE);
    options.open = DGM_OPEN_INTERVALS;
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "attr:nothing"), DGM_OK);
    assert_int_not_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_OK);
    assert_null(made);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_were_planted_are_found),
        cmocka_unit_test(pieces_that_were_planted_are_found),
        cmocka_unit_test(a_shape_is_seen_among_many_single_nodes),
        cmocka_unit_test(a_tree_is_one_piece_without_loops),
        cmocka_unit_test(candidates_say_whether_cells_cut),
        cmocka_unit_test(small_graphs_can_be_read),
        cmocka_unit_test(graphs_with_a_shape_are_told_from_chance),
        cmocka_unit_test(blocks_that_were_planted_are_found),
        cmocka_unit_test(candidates_are_in_order),
        cmocka_unit_test(marks_that_save_nothing_are_compared_without_what_is_told),
        cmocka_unit_test(the_choice_becomes_plain_options),
        cmocka_unit_test(settings_by_name_are_the_same_choice),
        cmocka_unit_test(every_candidate_becomes_plain_options),
        cmocka_unit_test(pieces_are_joined_where_cells_have_cut_them),
        cmocka_unit_test(samples_may_be_directed_and_of_many_components),
        cmocka_unit_test(what_is_not_open_stays),
        cmocka_unit_test(threads_and_labels_do_not_matter),
        cmocka_unit_test(only_the_chosen_lens_speaks),
        cmocka_unit_test(large_graphs_are_judged_by_a_sample),
        cmocka_unit_test(every_graph_gets_settings),
        cmocka_unit_test(a_lens_of_the_callers_is_studied),
        cmocka_unit_test(bad_options_and_lenses_are_refused),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
