/* SPDX-License-Identifier: Apache-2.0 */
/* What the same settings save in graphs that have the same degrees and edges at random. */
#include <math.h>

#include "dgm/study.h"

#include "base_context.h"
#include "study_notes.h"

int64_t dgm_study_chance_runs(int64_t edges) {
    return edges <= 5000 ? 20 : edges <= 20000 ? 5 : edges <= 200000 ? 2 : 1;
}

/* Maps a graph as the job says; what is asked of the summary is the bits alone. */
static dgm_status map_graph(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                            const dgm_job_input *given, dgm_bits *out) {
    dgm_job plain = *job;
    dgm_job_input input = given ? *given : (dgm_job_input)DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    input.graph = graph;
    input.made = NULL; /* the lens of this graph is another */
    input.summary = NULL;
    plain.output_count = 0;
    dgm_status status = dgm_job_run(ctx, &plain, &input, DGM_KEEP_SUMMARY, &made);
    if (status == DGM_OK)
        *out = dgm_summary_get_bits(made.summary);
    dgm_job_result_free(&made);
    return status;
}

static dgm_status run_once(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                           const dgm_job_input *input, int64_t run, dgm_bits *bits) {
    dgm_graph *rewired;
    dgm_status status = dgm_graph_rewire(ctx, graph, job->seed + run, &rewired);
    if (status == DGM_OK)
        status = map_graph(ctx, rewired, job, input, bits);
    dgm_graph_free(rewired);
    return status;
}

/* The same where features have been dealt out to the nodes at random, before a lens looks at them:
 * features that are mixed over neighbours explain themselves to some extent. */
static dgm_status ask_features(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                               const dgm_job_input *input, dgm_bits *bits) {
    dgm_graph *shuffled;
    dgm_bits found = {.features = -1};
    dgm_status status = dgm_graph_shuffle_features(ctx, graph, job->seed, &shuffled);
    if (status == DGM_OK)
        status = map_graph(ctx, shuffled, job, input, &found);
    dgm_graph_free(shuffled);
    bits->features_chance = found.features;
    return status;
}

/* Values as they come. */
typedef struct tally {
    double count, mean, squares,
        most; /* squares: of the differences from the mean (Welford 1962) */
} tally;

static void tally_add(tally *t, double value) {
    double before = value - t->mean;
    t->most = t->count > 0 ? fmax(t->most, value) : value;
    t->count += 1;
    t->mean += before / t->count;
    t->squares += before * (value - t->mean);
}

static double tally_spread(const tally *t) {
    return t->count > 1 ? sqrt(t->squares / (t->count - 1)) : 0;
}

dgm_status dgm_study_chance(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                            const dgm_job_input *input, int64_t runs, dgm_bits *bits) {
    tally saved = {0}, bare = {0};
    dgm_status status = DGM_OK;
    dgmi_study_notes notes;
    if (runs < 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "chance takes 0 runs or more");
    dgmi_study_notes_hold(ctx, &notes);
    notes.listens = false; /* lenses of random graphs have nothing to say */
    for (int64_t run = 0; status == DGM_OK && run < runs; run++) {
        dgm_bits found = {.known = false};
        status = dgmi_progress(ctx, "asking chance", (double)run / (double)runs);
        if (status == DGM_OK)
            status = run_once(ctx, graph, job, input, run, &found);
        tally_add(&saved, found.gained - found.cost);
        tally_add(&bare, found.gained - found.cost + found.told);
    }
    if (status == DGM_OK && runs > 0 && dgm_graph_get_features(graph).width > 0)
        status = ask_features(ctx, graph, job, input, bits);
    dgmi_study_notes_return(ctx, &notes);
    dgmi_study_notes_free(&notes);
    if (status != DGM_OK)
        return status;
    if (runs == 0 || dgm_graph_get_features(graph).width == 0)
        bits->features_chance = -1;
    bits->runs = runs;
    bits->chance = saved.mean;
    bits->chance_most = saved.most;
    bits->spread = tally_spread(&saved);
    bits->bare = bare.mean;
    bits->bare_most = bare.most;
    bits->bare_spread = tally_spread(&bare);
    return DGM_OK;
}
