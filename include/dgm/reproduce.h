/* SPDX-License-Identifier: Apache-2.0 */
/* The paper again: every figure, claim and table of "Deep Graph Mapper: Seeing Graphs through the
 * Neural Lens" (Bodnar, Cangea and Lio, 2020) that can be made from data.
 *
 * A part is one figure, one claim, one proposition or one table. It is made by commands of the
 * program, which anybody can type again, and by measures of what came out. Each claim becomes a
 * check that compares numbers, so that the verdict on a part is computed.
 *
 * Everything is written into the current folder, where the data sets are found below "data":
 * report.md and report.html, a folder with the files of each part, a folder "tables" with what
 * parts share, and run.json with times, versions and the machine. Apart from run.json, and from
 * parts that measure times, the same seed gives the same bytes.
 */
#ifndef DGM_REPRODUCE_H
#define DGM_REPRODUCE_H

#include "dgm/context.h"
#include "dgm/option.h"

typedef enum dgm_verdict {
    DGM_VERDICT_HOLDS,    /* all checks of the part hold */
    DGM_VERDICT_PARTLY,   /* some do */
    DGM_VERDICT_FAILS,    /* none does */
    DGM_VERDICT_NOT_MADE, /* the part could not be made */
} dgm_verdict;
/* Returns the verdict in words: "holds", "holds in part", "does not hold", "not made". */
DGM_API const char *dgm_verdict_words(dgm_verdict verdict);

/* A part, as lists and help show it. */
typedef struct dgm_reproduce_part {
    const char *name;  /* "fig5" */
    const char *title; /* one line */
    bool quick;        /* it is made in a quick run, too */
    bool beyond;       /* it goes beyond the paper: the question is ours */
} dgm_reproduce_part;
/* Returns the part at `index`, counted from 0 in the order of the report, or NULL after the last.
 */
DGM_API const dgm_reproduce_part *dgm_reproduce_part_at(size_t index);

/* Runs a command of the program: words[0] is "map", "draw", "sweep" and so on, and the paths among
 * the words are those of the current folder. The error of a command that fails is recorded in the
 * context. */
typedef dgm_status (*dgm_reproduce_command_fn)(void *user, int count, const char *const *words);

/* What became of a part. */
typedef struct dgm_reproduce_outcome {
    const dgm_reproduce_part *part;
    dgm_verdict verdict;
    int64_t checks, holding; /* the number of its checks, and of those that hold */
    bool kept;               /* it was made by an earlier run */
    double seconds;          /* how long it took now */
    const char *why;         /* why it was not made; NULL: it was */
} dgm_reproduce_outcome;
/* Is called after each part. */
typedef void (*dgm_reproduce_outcome_fn)(void *user, const dgm_reproduce_outcome *outcome);

typedef struct dgm_reproduce_options {
    size_t size;      /* the size of this struct, filled in by the initialiser */
    const char *only; /* words with commas between them; NULL: all parts. The name of a part stands
                       * for this part, and any other word for all whose names begin with it */
    bool quick;       /* only the parts that are quick, and those of them with less data */
    bool fresh;       /* parts that an earlier run has made are made again */
    int64_t seed;     /* the seed of everything random; by default 1 */
    dgm_reproduce_command_fn command; /* runs the commands; there is no default */
    dgm_reproduce_outcome_fn outcome; /* is told of each part; NULL: nobody */
    void *user;                       /* what both get back */
} dgm_reproduce_options;
#define DGM_REPRODUCE_OPTIONS_INIT                                                                 \
    { sizeof(dgm_reproduce_options), NULL, false, false, 1, NULL, NULL, NULL }
static inline void dgm_reproduce_options_init(dgm_reproduce_options *options) {
    const dgm_reproduce_options defaults = DGM_REPRODUCE_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_reproduce_option_table(void);

/* How many parts were made now, by an earlier run, or not at all. */
typedef struct dgm_reproduce_counts {
    int64_t made, kept, not_made;
} dgm_reproduce_counts;
/* Checks what can be checked before the first part: the names of parts. DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_reproduce_check(dgm_context *ctx, const dgm_reproduce_options *options);
/* Makes the parts and writes the report after each of them. A part that an earlier run has made
 * with the same version, seed and options is kept. A part that cannot be made, because its data
 * are missing or damaged, is counted and named in the report; that is no error of this call. */
DGM_API dgm_status dgm_reproduce_run(dgm_context *ctx, const dgm_reproduce_options *options,
                                     dgm_reproduce_counts *counts);

#endif
