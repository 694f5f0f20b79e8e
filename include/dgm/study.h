/* SPDX-License-Identifier: Apache-2.0 */
/* The study: which settings show the shape of a graph, and what is wrong with a summary.
 *
 * A study maps a graph with many settings, measures each summary and puts them in order. What it
 * chooses is written into a job as plain options before the job runs, so that everything after it
 * knows nothing of the choice. It depends on the graph and on the seed, and on nothing else: not on
 * labels, not on the number of threads, not on a clock.
 *
 *     dgm_study *study;
 *     dgm_study_create(ctx, graph, &job, NULL, &study);
 *     dgm_study_apply(ctx, study, 0, &job);
 *     input.made = dgm_study_lens(study);
 *     dgm_job_run(ctx, &job, &input, 0, NULL);
 *     dgm_study_free(study);
 */
#ifndef DGM_STUDY_H
#define DGM_STUDY_H

#include "dgm/pipeline.h"

/* What is to be chosen, added up. The rest stays as the job has it. */
typedef enum dgm_study_open {
    DGM_OPEN_LENS = 1,      /* lens and transform; the job has no lens by name or from a file */
    DGM_OPEN_COVER = 2,     /* the kind of the cover */
    DGM_OPEN_INTERVALS = 4, /* the number of intervals, the same on all axes */
    DGM_OPEN_OVERLAP = 8,   /* the overlap, the same on all axes */
    DGM_OPEN_DUST = 16,     /* the size below which figures fold clusters */
    DGM_OPEN_PIECES = 32,   /* whether pieces of one component of the graph are joined */
    DGM_OPEN_ALL = 63,
} dgm_study_open;

typedef struct dgm_study_options {
    size_t size;       /* the size of this struct, filled in by the initialiser */
    unsigned open;     /* the sum of dgm_study_open; by default DGM_OPEN_ALL */
    int64_t dust_size; /* clusters of fewer nodes are dust; 0, the default: 5, or more where a
                          figure would have too many marks */
    bool trained;      /* Deep Graph Infomax is a candidate too, which is trained first; by default
                          it is none */
    int64_t most;      /* graphs of more edges are judged by a sample of about so many; by default 3
                          million */
    const dgm_job_input *input; /* what the caller has besides the graph, such as columns of a lens;
                                   borrowed during the study; NULL: nothing */
    int64_t chance; /* on how many graphs rewired at random the best settings are tried; -1, the
                       default: dgm_study_chance_runs */
} dgm_study_options;
#define DGM_STUDY_OPTIONS_INIT                                                                     \
    { sizeof(dgm_study_options), DGM_OPEN_ALL, 0, false, 3000000, NULL, -1 }
static inline void dgm_study_options_init(dgm_study_options *options) {
    const dgm_study_options defaults = DGM_STUDY_OPTIONS_INIT;
    *options = defaults;
}

/* What a summary is like. Shares are of all nodes or edges of the graph, from 0 to 1. */
typedef struct dgm_study_measures {
    int64_t clusters; /* all clusters */
    int64_t shown;    /* those of at least `dust_size` nodes */
    int64_t singles;  /* those of one node */
    double largest;   /* the share of the nodes that the largest cluster has */
    double held;      /* the share of the nodes in shown clusters, among those whose component in
                         the graph has at least `dust_size` nodes */
    double inside;    /* the share of the edges with both ends in one cluster, each node in its
                         largest */
    int64_t pieces;   /* the pieces of the summary that have at least `dust_size` nodes */
    int64_t taken;    /* how often a node was taken across an edge to join pieces (dgm_pieces) */
    int64_t loops;    /* the loops of the nerve that no triangles fill (b1) */
    int64_t marks;    /* what a figure shows that folds dust: clusters and piles of them */
    dgm_bits bits;    /* what these marks explain of the graph */
} dgm_study_measures;

/* Measures a summary of the graph that was made with its members as numbers. */
DGM_API dgm_status dgm_study_measure(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_summary *summary, int64_t dust_size,
                                     dgm_study_measures *out);

/* Settings and what they show. */
typedef struct dgm_study_candidate {
    const char *lens;      /* a specification; NULL: the lens of the job */
    const char *reduce;    /* a specification of a reduction; NULL: that of the job */
    const char *transform; /* a name of dgm_transform_names; NULL: the transforms of the job */
    const char *cover;     /* a text for dgm_cover_parse; NULL: the cover of the job */
    int64_t intervals;     /* on each axis; 0: as in the job, or the cover has none */
    double overlap;        /* on each axis; DGM_SAME: as in the job */
    int64_t dust_size; /* figures fold clusters of fewer nodes; 0: as in the job, or the default */
    int edges;  /* a dgm_edges: STRUCTURAL where clusters hardly share nodes; -1: as in the job */
    int pieces; /* a dgm_pieces: JOINED where cells cut a component of the graph; -1: as in
                          the job */
    dgm_study_measures measures; /* of the best candidate also against chance */
    double misfit; /* 0: a figure of it can be read. Otherwise it has too many marks or too few, or
                      one cluster holds most of the nodes, or cells cut the graph in many places,
                      and this says how far */
    double score;  /* the bits for each edge that it saves; if no candidate saves any, those that it
                      would save if it were known who is where */
} dgm_study_candidate;

typedef struct dgm_study dgm_study;
/* Studies a graph for a job, whose options stand for all that is not open. If `options` is NULL,
 * they have their defaults. What lenses of the chosen settings have to say comes as notes. */
DGM_API dgm_status dgm_study_create(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                                    const dgm_study_options *options, dgm_study **out);
DGM_API void dgm_study_free(dgm_study *study); /* NULL is fine */
/* Returns the candidates, the best first: those of the least misfit, and of equals the one that saves
 * the most bits. There is always one. */
DGM_API const dgm_study_candidate *dgm_study_candidates(const dgm_study *study, int64_t *count);
/* Tells whether a candidate is the best one of its lens, reduction and transform. */
DGM_API bool dgm_study_leads(const dgm_study *study, int64_t candidate);
/* Writes the settings of a candidate into the job, which borrows texts of the study. */
DGM_API dgm_status dgm_study_apply(dgm_context *ctx, const dgm_study *study, int64_t candidate,
                                   dgm_job *job);
/* Returns the lens of the best candidate, for dgm_job_input.made. It belongs to the study. */
DGM_API const dgm_lens_result *dgm_study_lens(const dgm_study *study);
/* The options of a candidate, one after the other from 0: their names and values, as dgm_job_set
 * takes them. Returns false after the last. `value` has room for DGM_STUDY_VALUE bytes. */
#define DGM_STUDY_VALUE 128
DGM_API bool dgm_study_setting(const dgm_study_candidate *candidate, int index, const char **name,
                               char *value);
/* Returns in one line why a candidate is good or bad: "47 marks explain 1.91 of 8.70 bits for each
 * edge, the largest cluster has 19% of the nodes". It is cut to `size` bytes. */
DGM_API const char *dgm_study_reason(const dgm_study_candidate *candidate, char *buffer,
                                     size_t size);

/* ---- chance ---- */

/* Returns how many rewired graphs tell what chance gives, for a graph of that many edges: 20 for a
 * small one, whose rewired graphs differ, down to one. */
DGM_API int64_t dgm_study_chance_runs(int64_t edges);
/* Runs the lens and the Mapper of the job on graphs that have the degrees of `graph` and edges at
 * random (dgm_graph_rewire), and fills in what is said of chance in `bits`, which are those of the
 * job's summary of the graph itself. `input` is what dgm_job_run was given; NULL: the graph alone. */
DGM_API dgm_status dgm_study_chance(dgm_context *ctx, const dgm_graph *graph, const dgm_job *job,
                                    const dgm_job_input *input, int64_t runs, dgm_bits *bits);

/* ---- diagnosis ---- */

#define DGM_DIAGNOSIS_MOST 2
#define DGM_DIAGNOSIS_TEXT 512
/* What makes a summary hard to read, and what would mend it: at most two sentences, the worst
 * first. An option is written as errors write it (dgm_context_set_option_words). */
typedef struct dgm_diagnosis {
    int count;
    char lines[DGM_DIAGNOSIS_MOST][DGM_DIAGNOSIS_TEXT];
} dgm_diagnosis;
DGM_API dgm_status dgm_summary_diagnose(dgm_context *ctx, const dgm_graph *graph,
                                        const dgm_summary *summary, dgm_diagnosis *out);

/* ---- recipes: settings by the question that they answer ---- */

typedef struct dgm_recipe {
    const char *name;
    const char *help;                 /* what it shows */
    const char *const (*settings)[2]; /* names and values of options, up to a NULL */
} dgm_recipe;
/* Returns the recipe at an index from 0, or NULL after the last. */
DGM_API const dgm_recipe *dgm_recipe_at(size_t index);

#endif
