/* SPDX-License-Identifier: Apache-2.0 */
/* A study: it looks at a graph through each lens, maps it with each cover, measures what comes out
 * and puts it in order. */
#include "dgm/study.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "mapper_summary.h"
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
    int64_t fold;    /* the size of dust that candidates have */
    int looks, look; /* their number, and which is at work */
    double best;     /* the best score so far */
    dgmi_text said;  /* the notes of the look that has it */
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

/* In a large graph pieces are joined only once settings are chosen: through a lens that cuts it into
 * crumbs, joining them costs more than the map. In a small one a node more in a cluster tells. */
static bool joins_at_once(const study_work *work) {
    return joins_pieces(work) && dgm_graph_nodes(mapped_graph(work)) < DGMI_STUDY_SMALL;
}

/* The options of Mapper with a cover of the list; the job's own where it says nothing. */
static dgm_status cover_options(const study_work *work, const dgmi_study_cover *cover,
                                dgm_mapper_options *out) {
    dgm_mapper_options options = work->job->mapper;
    const char *text = cover->text[0] ? cover->text : work->job->cover;
    dgm_status status = DGM_OK;
    options.seed = work->job->seed;
    if (work->options.open & DGM_OPEN_PIECES)
        options.pieces = joins_at_once(work) ? DGM_PIECES_JOINED : DGM_PIECES_APART;
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

/* What a sample does not cut the whole graph may. */
static void choose_pieces(const study_work *work, const dgm_summary *summary,
                          dgm_study_candidate *candidate) {
    bool cut = work->sample.graph || summary->taken_count > 0 ||
               dgm_summary_get_topology(summary).b0 > work->about.components;
    candidate->pieces = -1;
    if (!joins_pieces(work) || !cut)
        return;
    candidate->pieces = DGM_PIECES_JOINED;
    candidate->measures.pieces = work->about.large; /* and so it will be */
}

/* Where fewer nodes are in clusters that can be seen, nobody asks how well the others fold. */
#define SEEN 0.5

static dgm_status try_cover(study_work *work, dgm_mapper *mapper, entry *tried) {
    dgm_summary *summary = NULL;
    dgm_mapper_options options;
    dgm_study_candidate *candidate = &tried->candidate;
    dgm_status status = cover_options(work, &tried->cover, &options);
    if (status == DGM_OK)
        status = dgm_mapper_summarise(work->ctx, mapper, &options, &summary);
    if (status == DGM_OK)
        status = dgmi_study_measure_summary(work->ctx, &work->about, summary, &candidate->measures);
    if (status == DGM_OK && candidate->measures.held >= SEEN)
        status = dgmi_study_count_marks(work->ctx, &work->about, summary, &candidate->measures);
    if (status == DGM_OK) {
        dgmi_study_grade(&work->about, &candidate->measures, &candidate->grades);
        choose_pieces(work, summary, candidate);
    }
    dgm_summary_free(summary);
    return status;
}

static bool is_beside(const entry *a, const entry *b) {
    return a->cover.overlap == b->cover.overlap && a->cover.intervals && b->cover.intervals;
}

/* The mean over the next smaller and the next larger number of intervals. */
static double steadiness(const entry *entries, int count, int i) {
    double sum = 0;
    int beside = 0;
    for (int k = i - 1; k <= i + 1; k += 2)
        if (k >= 0 && k < count && is_beside(&entries[i], &entries[k])) {
            sum +=
                dgmi_study_likeness(&entries[i].candidate.measures, &entries[k].candidate.measures);
            beside++;
        }
    return beside ? sum / beside : 1;
}

/* Maps all covers of one lens; *best becomes the highest score. */
static dgm_status try_covers(study_work *work, const dgmi_study_look *look, const dgm_matrix *axes,
                             double *best) {
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    const dgm_graph *graph = mapped_graph(work);
    int count = dgmi_study_list_covers(dgm_graph_nodes(graph), dgm_graph_edges(graph),
                                       dgm_matrix_columns(axes), &work->options, covers);
    dgmi_study_refine_covers(covers, count, dgm_graph_nodes(graph),
                             dgmi_study_judged(&work->about));
    entry *entries = work->study->entries + work->study->count;
    dgm_mapper *mapper = NULL;
    dgm_status status = dgm_mapper_create(work->ctx, graph, axes, &mapper);
    for (int i = 0; status == DGM_OK && i < count; i++) {
        entries[i] = (entry){.cover = covers[i], .place = (int)work->study->count + i};
        entries[i].candidate = (dgm_study_candidate){.lens = look->lens,
                                                     .transform = look->transform,
                                                     .intervals = covers[i].intervals,
                                                     .overlap = covers[i].overlap,
                                                     .dust_size = work->fold};
        status = try_cover(work, mapper, &entries[i]);
        if (status == DGM_OK)
            status = dgmi_progress(work->ctx, "choosing",
                                   (work->look + (i + 1.0) / count) / work->looks);
    }
    dgm_mapper_free(mapper);
    for (int i = 0; status == DGM_OK && i < count; i++) {
        dgm_study_candidate *candidate = &entries[i].candidate;
        candidate->grades.steady = steadiness(entries, count, i);
        candidate->score = dgmi_study_score(&candidate->grades);
        *best = candidate->score > *best ? candidate->score : *best;
    }
    work->study->count += status == DGM_OK ? count : 0;
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
    if (status == DGM_OK && look->transform && job.transform_count == 0)
        status = dgm_job_set(work->ctx, &job, "transform", look->transform);
    return status == DGM_OK ? dgm_job_lens_with(work->ctx, &job, &input, out) : status;
}

/* Keeps the lens that has the best score so far, and what it has to say. */
static void keep_best(study_work *work, double best, dgm_lens_result **lens,
                      dgmi_study_notes *notes) {
    if (work->study->lens && best <= work->best)
        return;
    dgm_lens_result *loser = work->study->lens;
    dgmi_text silenced = work->said;
    work->best = best;
    work->study->lens = *lens;
    work->said = notes->kept;
    *lens = loser;
    notes->kept = silenced;
}

static dgm_status look_through(study_work *work, const dgmi_study_look *look) {
    dgm_lens_result *lens = NULL;
    dgm_matrix *part = NULL;
    dgmi_study_notes notes;
    double best = 0;
    dgmi_study_notes_hold(work->ctx, &notes);
    dgm_status status = make_lens(work, look, &lens);
    notes.listens = false; /* Mapper will say it again */
    if (status == DGM_OK && work->sample.graph)
        status =
            dgmi_study_sample_rows(work->ctx, &work->sample, dgm_lens_result_axes(lens), &part);
    if (status == DGM_OK)
        status = try_covers(work, look, part ? part : dgm_lens_result_axes(lens), &best);
    if (status == DGM_OK)
        status = notes.kept.status;
    dgmi_study_notes_return(work->ctx, &notes);
    if (status == DGM_OK)
        keep_best(work, best, &lens, &notes);
    dgm_matrix_free(part);
    dgm_lens_result_free(lens);
    dgmi_study_notes_free(&notes);
    return status;
}

/* ---- all of them ---- */

/* The better score first; of equals the one that was tried first. */
static int compare_entries(const void *x, const void *y) {
    const entry *a = x, *b = y;
    if (a->candidate.score != b->candidate.score)
        return a->candidate.score > b->candidate.score ? -1 : 1;
    return a->place - b->place;
}

static dgm_status sort_candidates(dgm_context *ctx, dgm_study *study) {
    study->candidates = dgmi_alloc(ctx, study->count, sizeof *study->candidates);
    if (!study->candidates)
        return DGM_ERROR_MEMORY;
    qsort(study->entries, (size_t)study->count, sizeof *study->entries, compare_entries);
    for (int64_t i = 0; i < study->count; i++) {
        entry *tried = &study->entries[i];
        tried->candidate.cover = tried->cover.text[0] ? tried->cover.text : NULL;
        study->candidates[i] = tried->candidate;
    }
    return DGM_OK;
}

/* A candidate lens that this graph does not allow is no reason to end. */
static bool is_no_candidate(const study_work *work, dgm_status status) {
    return (work->options.open & DGM_OPEN_LENS) && status == DGM_ERROR_DATA;
}

static dgm_status look_through_all(study_work *work) {
    dgmi_study_look looks[DGMI_STUDY_LOOKS];
    dgm_status status = DGM_OK;
    work->looks = dgmi_study_list_looks(dgm_graph_nodes(work->graph), dgm_graph_edges(work->graph),
                                        work->job->transform_count > 0, &work->options, looks);
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

/* The size of dust, and whether figures are to be told of it. */
static void choose_dust(study_work *work) {
    bool open = work->options.open & DGM_OPEN_DUST;
    int64_t usual = dgm_study_dust_size(0);
    if (work->options.dust_size == 0)
        work->options.dust_size =
            open ? dgm_study_dust_size(dgm_graph_nodes(work->graph)) : work->job->layout.dust_size;
    work->fold = open && work->options.dust_size != usual ? work->options.dust_size : 0;
}

static dgm_status study_graph(study_work *work) {
    dgm_status status = DGM_OK;
    int64_t edges = dgm_graph_edges(work->graph);
    choose_dust(work);
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
    if (status == DGM_OK)
        status = look_through_all(work);
    if (status == DGM_OK)
        status = sort_candidates(work->ctx, work->study);
    if (status == DGM_OK) {
        const dgmi_study_notes said = {.kept = work->said};
        status = dgmi_study_notes_say(work->ctx, &said);
    }
    return status;
}

static dgm_status check_options(dgm_context *ctx, const dgm_study_options *options) {
    if (options->dust_size < 0 || options->most < 1 || (options->open & ~(unsigned)DGM_OPEN_ALL))
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
    dgmi_text_init(&work.said, ctx);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = study_graph(&work);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(work.sample.graph);
    dgmi_text_free(&work.said);
    if (status == DGM_OK)
        *out = work.study;
    else
        dgm_study_free(work.study);
    return status;
}
