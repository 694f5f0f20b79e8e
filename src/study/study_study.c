/* SPDX-License-Identifier: Apache-2.0 */
/* A study: it looks at a graph through each lens, maps it with each cover, measures what comes out
 * and puts it in order. */
#include "dgm/study.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "study_measure.h"
#include "study_notes.h"
#include "study_sample.h"
#include "study_score.h"
#include "study_settings.h"

/* A candidate, with the text of the cover that it points to. */
typedef struct entry {
    dgm_study_candidate candidate;
    dgmi_study_cover cover;
    int place; /* in the order in which they were tried */
    int look;  /* which look it belongs to */
} entry;

struct dgm_study {
    dgm_allocator allocator;
    entry *entries;
    int64_t count;
    dgm_study_candidate *candidates; /* those of the entries */
    dgm_lens_result *lens;           /* of the best candidate */
};

void dgm_study_free(dgm_study *study) {
    if (!study)
        return;
    dgm_allocator allocator = study->allocator;
    dgm_lens_result_free(study->lens);
    dgmi_allocator_free(&allocator, study->entries);
    dgmi_allocator_free(&allocator, study->candidates);
    dgmi_allocator_free(&allocator, study);
}

const dgm_study_candidate *dgm_study_candidates(const dgm_study *study, int64_t *count) {
    *count = study->count;
    return study->candidates;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool dgm_study_leads(const dgm_study *study, int64_t candidate) {
    const dgm_study_candidate *list = study->candidates;
    for (int64_t i = 0; i < candidate; i++)
        if (same_text(list[i].lens, list[candidate].lens) &&
            same_text(list[i].reduce, list[candidate].reduce) &&
            same_text(list[i].transform, list[candidate].transform))
            return false;
    return true;
}

const dgm_lens_result *dgm_study_lens(const dgm_study *study) {
    return study->lens;
}

/* ---- one look ---- */

/* What a study works with. */
typedef struct study_work {
    dgm_context *ctx;
    const dgm_graph *graph;
    const dgm_job *job;
    dgm_study_options options;
    dgmi_study_sample sample; /* its graph is NULL where the whole graph is mapped */
    dgmi_study_graph about;   /* the graph that is mapped */
    dgm_study *study;
    bool is_long;                              /* the graph is (dgmi_study_is_long) */
    bool folds;                                /* candidates may choose the size of dust */
    int looks, look;                           /* their number, and which is at work */
    dgm_lens_result *lenses[DGMI_STUDY_LOOKS]; /* of each look */
    dgmi_text said[DGMI_STUDY_LOOKS];          /* what they had to say */
} study_work;

static const dgm_graph *mapped_graph(const study_work *work) {
    return work->sample.graph ? work->sample.graph : work->graph;
}

/* Clusters that are no connected components are cut by more than cells, and where edges of the graph
 * join clusters nothing is cut. */
static bool joins_pieces(const study_work *work) {
    const dgm_mapper_options *options = &work->job->mapper;
    return (work->options.open & DGM_OPEN_PIECES) && options->edges == DGM_EDGES_NERVE &&
           options->cluster == DGM_CLUSTER_COMPONENTS;
}

/* The options of Mapper with a cover of the list; the job's own where it says nothing. */
static dgm_status cover_options(const study_work *work, const dgmi_study_cover *cover,
                                dgm_mapper_options *out) {
    dgm_mapper_options options = work->job->mapper;
    const char *text = cover->text[0] ? cover->text : work->job->cover;
    dgm_status status = DGM_OK;
    options.seed = work->job->seed;
    if (cover->structural)
        options.edges = DGM_EDGES_STRUCTURAL;
    else if (joins_pieces(work))
        options.pieces = DGM_PIECES_JOINED;
    if (text)
        status = dgm_cover_parse(work->ctx, text, &options, NULL, 0);
    for (int k = 0; k < DGM_MAX_AXES; k++) {
        if (cover->intervals)
            options.intervals[k] = k ? DGM_SAME : cover->intervals;
        if (cover->overlap >= 0)
            options.overlap[k] = k ? DGM_SAME : cover->overlap;
    }
    *out = options;
    return status;
}

/* The smallest size of dust with which a figure has no more marks than can be read, if there is
 * one: 5, 10, 20, 50 and so on. */
static dgm_status choose_dust(study_work *work, const dgm_summary *summary) {
    static const double steps[] = {2, 2, 2.5};
    int64_t size = work->options.dust_size, marks, most = dgm_graph_nodes(mapped_graph(work)) / 20;
    dgm_status status = dgmi_study_count_marks(work->ctx, summary, size, &marks);
    for (int i = 0; status == DGM_OK && marks > DGMI_STUDY_MARKS && work->folds; i++) {
        int64_t next = (int64_t)((double)size * steps[i % 3]);
        if (next > most)
            break;
        size = next;
        status = dgmi_study_count_marks(work->ctx, summary, size, &marks);
    }
    dgmi_study_graph_dust(&work->about, size);
    return status;
}

/* Maps with one cover and measures what comes out. Pieces are joined where cells cut the graph; where
 * a sample was not cut, the whole graph may be. */
static dgm_status try_cover(study_work *work, dgm_mapper *mapper, entry *tried) {
    dgm_summary *summary = NULL;
    dgm_mapper_options options;
    dgm_study_candidate *candidate = &tried->candidate;
    dgm_status status = cover_options(work, &tried->cover, &options);
    if (status == DGM_OK)
        status = dgm_mapper_summarise(work->ctx, mapper, &options, &summary);
    if (status == DGM_OK)
        status = choose_dust(work, summary);
    if (status == DGM_OK)
        status = dgmi_study_measure_summary(work->ctx, &work->about, summary, &candidate->measures);
    if (status == DGM_OK) {
        bool says = work->options.open & DGM_OPEN_DUST;
        bool usual = work->about.dust_size == DGM_DUST_SIZE;
        candidate->dust_size = says && !usual ? work->about.dust_size : 0;
        bool cut = work->sample.graph || dgm_summary_get_coverage(summary).taken > 0;
        bool structural = tried->cover.structural;
        candidate->edges = structural ? DGM_EDGES_STRUCTURAL : -1;
        candidate->pieces = joins_pieces(work) && cut && !structural ? DGM_PIECES_JOINED : -1;
        candidate->misfit = dgmi_study_misfit(&work->about, work->is_long, &candidate->measures);
        candidate->misfit += structural ? dgmi_study_tangle(&work->about, summary) : 0;
        candidate->score = candidate->measures.bits.gained - candidate->measures.bits.cost;
    }
    dgm_summary_free(summary);
    return status;
}

/* Whether the cells of parts hang together: those of smaller shares are then not tried. */
static bool is_whole(const study_work *work, const dgmi_study_look *look, const entry *tried) {
    return look->parts && dgmi_study_cuts(work->is_long, &tried->candidate.measures) == 0;
}

/* Maps all covers of one lens. */
static dgm_status try_covers(study_work *work, const dgmi_study_look *look,
                             const dgm_matrix *axes) {
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    const dgm_graph *graph = mapped_graph(work);
    int count = look->parts
                    ? dgmi_study_list_parts(work->job, &work->options, work->is_long, covers)
                    : dgmi_study_list_covers(dgm_graph_nodes(graph), dgm_graph_edges(graph),
                                             dgm_matrix_columns(axes), &work->options, covers);
    if (!look->parts)
        dgmi_study_refine_covers(covers, count, dgm_graph_nodes(graph),
                                 dgmi_study_judged(&work->about));
    dgm_mapper *mapper = NULL;
    dgm_status status = dgm_mapper_create(work->ctx, graph, axes, &mapper);
    for (int i = 0; status == DGM_OK && i < count; i++) {
        int place = (int)work->study->count;
        entry *tried = &work->study->entries[place];
        *tried = (entry){.cover = covers[i], .place = place, .look = work->look};
        tried->candidate = (dgm_study_candidate){.lens = look->lens,
                                                 .reduce = look->reduce,
                                                 .transform = look->transform,
                                                 .intervals = covers[i].intervals,
                                                 .overlap = covers[i].overlap};
        status = try_cover(work, mapper, tried);
        work->study->count += status == DGM_OK;
        if (status == DGM_OK)
            status = dgmi_progress(work->ctx, "choosing",
                                   (work->look + (i + 1.0) / count) / work->looks);
        if (status == DGM_OK && is_whole(work, look, tried))
            break;
    }
    dgm_mapper_free(mapper);
    return status;
}

static dgm_status make_lens(study_work *work, const dgmi_study_look *look, dgm_lens_result **out) {
    dgm_job job = *work->job;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_status status = DGM_OK;
    if (work->options.input)
        input = *work->options.input;
    input.graph = work->graph;
    job.output_count = 0;
    if (look->lens)
        status = dgm_job_set(work->ctx, &job, "lens", look->lens);
    if (status == DGM_OK && look->reduce && !job.reduce)
        status = dgm_job_set(work->ctx, &job, "reduce", look->reduce);
    if (status == DGM_OK && look->transform && job.transform_count == 0)
        status = dgm_job_set(work->ctx, &job, "transform", look->transform);
    return status == DGM_OK ? dgm_job_lens_with(work->ctx, &job, &input, out) : status;
}

/* Keeps the lens and what it has to say until it is known whether it is chosen. */
static dgm_status look_through(study_work *work, const dgmi_study_look *look) {
    dgm_lens_result **lens = &work->lenses[work->look];
    dgm_matrix *part = NULL;
    dgmi_study_notes notes;
    dgmi_study_notes_hold(work->ctx, &notes);
    dgm_status status = make_lens(work, look, lens);
    notes.listens = false; /* Mapper will say it again */
    if (status == DGM_OK && work->sample.graph)
        status =
            dgmi_study_sample_rows(work->ctx, &work->sample, dgm_lens_result_axes(*lens), &part);
    if (status == DGM_OK)
        status = try_covers(work, look, part ? part : dgm_lens_result_axes(*lens));
    if (status == DGM_OK)
        status = notes.kept.status;
    dgmi_study_notes_return(work->ctx, &notes);
    work->said[work->look] = notes.kept;
    dgm_matrix_free(part);
    return status;
}

/* ---- all of them ---- */

/* Less misfit first, then the better score; of equals the one that was tried first. */
static int compare_entries(const void *x, const void *y) {
    const entry *a = x, *b = y;
    if (a->candidate.misfit != b->candidate.misfit)
        return a->candidate.misfit < b->candidate.misfit ? -1 : 1;
    if (a->candidate.score != b->candidate.score)
        return a->candidate.score > b->candidate.score ? -1 : 1;
    return a->place - b->place;
}

/* In a small graph, or one with hardly more edges than nodes, no marks may be worth telling which of
 * them each node belongs to. Candidates are then compared as if that were known, and two or three
 * marks, which cost the least, are too few to see anything by. */
static void score_entries(const dgm_study *study) {
    enum { FEW = 4 };
    bool saves = false;
    for (int64_t i = 0; i < study->count; i++)
        saves = saves ||
                (study->entries[i].candidate.misfit == 0 && study->entries[i].candidate.score > 0);
    for (int64_t i = 0; !saves && i < study->count; i++) {
        dgm_study_candidate *candidate = &study->entries[i].candidate;
        candidate->score += candidate->measures.bits.told;
        candidate->misfit += candidate->measures.marks < FEW ? 0.5 : 0;
    }
}

/* Whether an entry is as readable as the first and has nearly its score. */
static bool is_near(const entry *entries, int64_t i, double nearly) {
    return entries[i].candidate.misfit == entries[0].candidate.misfit &&
           entries[i].candidate.score >= nearly * entries[0].candidate.score;
}

/* Of settings that are nearly the best: in a long graph, whose way is what is to be seen, those with
 * the most marks; elsewhere those with the fewest, and where these are still a tangle, fewer at a
 * higher price. */
static int64_t find_readable(const study_work *work, double nearly) {
    const entry *entries = work->study->entries;
    int64_t chosen = 0;
    for (int64_t i = 1; i < work->study->count; i++) {
        int64_t marks = entries[i].candidate.measures.marks,
                best = entries[chosen].candidate.measures.marks;
        if (is_near(entries, i, nearly) && (work->is_long ? marks > best : marks < best))
            chosen = i;
    }
    return chosen;
}

static int64_t choose_entry(const study_work *work) {
    enum { TANGLE = 80 };
    if (!(work->options.open & DGM_OPEN_LENS))
        return 0;
    int64_t chosen = find_readable(work, work->is_long ? 0.75 : 0.9);
    bool tangled = work->study->entries[chosen].candidate.measures.marks > TANGLE;
    return tangled && !work->is_long ? find_readable(work, 0.8) : chosen;
}

static void prefer_readable(const study_work *work) {
    entry *entries = work->study->entries;
    int64_t chosen = choose_entry(work);
    entry first = entries[chosen];
    memmove(entries + 1, entries, (size_t)chosen * sizeof *entries);
    entries[0] = first;
}

static dgm_status sort_candidates(study_work *work) {
    dgm_study *study = work->study;
    study->candidates = dgmi_alloc(work->ctx, study->count, sizeof *study->candidates);
    if (!study->candidates)
        return DGM_ERROR_MEMORY;
    score_entries(study);
    qsort(study->entries, (size_t)study->count, sizeof *study->entries, compare_entries);
    prefer_readable(work);
    for (int64_t i = 0; i < study->count; i++) {
        entry *tried = &study->entries[i];
        tried->candidate.cover = tried->cover.text[0] ? tried->cover.text : NULL;
        study->candidates[i] = tried->candidate;
    }
    return DGM_OK;
}

/* The lens of the best candidate goes into the study, and says what it has to say. */
static dgm_status keep_lens(study_work *work) {
    int look = work->study->entries[0].look;
    const dgmi_study_notes said = {.kept = work->said[look]};
    work->study->lens = work->lenses[look];
    work->lenses[look] = NULL;
    return dgmi_study_notes_say(work->ctx, &said);
}

/* A candidate lens that this graph does not allow is no reason to end. */
static bool is_no_candidate(const study_work *work, dgm_status status) {
    return (work->options.open & DGM_OPEN_LENS) &&
           (status == DGM_ERROR_DATA || status == DGM_ERROR_USAGE);
}

static dgm_status look_through_all(study_work *work) {
    dgmi_study_look looks[DGMI_STUDY_LOOKS];
    dgm_status status = DGM_OK;
    work->looks = dgmi_study_list_looks(
        work->graph, work->job->transform_count > 0 || work->job->reduce, &work->options, looks);
    work->study->entries = dgmi_alloc_zero(work->ctx, (int64_t)work->looks * DGMI_STUDY_COVERS,
                                           sizeof *work->study->entries);
    if (!work->study->entries)
        return DGM_ERROR_MEMORY;
    for (; status == DGM_OK && work->look < work->looks; work->look++) {
        status = look_through(work, &looks[work->look]);
        bool last = work->look + 1 == work->looks && work->study->count == 0;
        if (is_no_candidate(work, status) && !last)
            status = DGM_OK;
    }
    return status;
}

/* The size of dust to begin with, and whether candidates may have another. */
static void open_dust(study_work *work) {
    work->folds = (work->options.open & DGM_OPEN_DUST) && work->options.dust_size == 0;
    if (work->options.dust_size == 0)
        work->options.dust_size = work->folds ? DGM_DUST_SIZE : work->job->layout.dust_size;
}

/* What the best settings give where chance has drawn the edges. */
static dgm_status ask_chance(study_work *work) {
    dgm_study_candidate *best = work->study->candidates;
    dgm_job job = *work->job;
    int64_t runs = work->options.chance;
    job.output_count = 0;
    job.command = NULL;
    if (runs < 0)
        runs = dgm_study_chance_runs(dgm_graph_edges(work->graph));
    dgm_status status = dgm_study_apply(work->ctx, work->study, 0, &job);
    return status == DGM_OK ? dgm_study_chance(work->ctx, work->graph, &job, work->options.input,
                                               runs, &best->measures.bits)
                            : status;
}

static dgm_status study_graph(study_work *work) {
    dgm_status status = DGM_OK;
    int64_t edges = dgm_graph_edges(work->graph);
    open_dust(work);
    if (edges > work->options.most) {
        status = dgmi_study_sample_draw(work->ctx, work->graph, work->options.most, work->job->seed,
                                        &work->sample);
        if (status == DGM_OK)
            dgmi_note(work->ctx, "choosing: settings are judged on a sample of %lld of %lld nodes",
                      (long long)dgm_graph_nodes(work->sample.graph),
                      (long long)dgm_graph_nodes(work->graph));
    }
    if (status == DGM_OK)
        status = dgmi_study_graph_make(work->ctx, mapped_graph(work), work->options.dust_size,
                                       &work->about);
    if (status == DGM_OK && (work->options.open & DGM_OPEN_LENS))
        status = dgmi_study_is_long(work->ctx, work->graph, &work->is_long);
    if (status == DGM_OK)
        status = look_through_all(work);
    if (status == DGM_OK)
        status = sort_candidates(work);
    if (status == DGM_OK)
        status = keep_lens(work);
    return status == DGM_OK ? ask_chance(work) : status;
}

static dgm_status check_options(dgm_context *ctx, const dgm_study_options *options) {
    if (options->dust_size < 0 || options->most < 1 || options->chance < -1 ||
        (options->open & ~(unsigned)DGM_OPEN_ALL))
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the options of a study are out of their bounds");
    return DGM_OK;
}

dgm_status dgm_study_create(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                            const dgm_study_options *options, dgm_study **out) {
    *out = NULL;
    study_work work = {.ctx = ctx, .graph = graph, .job = job, .options = DGM_STUDY_OPTIONS_INIT};
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_study_options, most, options, &work.options);
    if (status == DGM_OK)
        status = check_options(ctx, &work.options);
    if (status != DGM_OK)
        return status;
    work.study = dgmi_alloc_zero(ctx, 1, sizeof *work.study);
    if (!work.study)
        return DGM_ERROR_MEMORY;
    work.study->allocator = ctx->allocator;
    for (int i = 0; i < DGMI_STUDY_LOOKS; i++)
        dgmi_text_init(&work.said[i], ctx);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = study_graph(&work);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(work.sample.graph);
    for (int i = 0; i < DGMI_STUDY_LOOKS; i++) {
        dgm_lens_result_free(work.lenses[i]);
        dgmi_text_free(&work.said[i]);
    }
    if (status == DGM_OK)
        *out = work.study;
    else
        dgm_study_free(work.study);
    return status;
}
