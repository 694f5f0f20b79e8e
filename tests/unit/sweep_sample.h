/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of the karate club. Included once a program, after unit_fixture.h. */
#ifndef SWEEP_SAMPLE_H
#define SWEEP_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "pipeline_sweep.h"

static const int64_t intervals[] = {12, 3, 6};
static const double overlaps[] = {0.4, 0.2};
static const dgm_sweep_grid six = {intervals, 3, overlaps, 2};

static inline dgm_job karate(void) {
    dgm_job job;
    dgm_job_init(&job);
    job.graph = "karate";
    job.lenses[0] = "degree";
    job.lens_count = 1;
    return job;
}

static inline dgm_sweep *sweep_karate(const dgm_job *job, const dgm_sweep_grid *grid) {
    dgm_sweep *sweep;
    if (dgm_sweep_run(ctx, job, grid, &sweep) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return sweep;
}

/* A file of labels for the karate club, one per node; the caller removes it. */
static inline void write_labels(char path[], int (*label)(int node)) {
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int u = 0; u < 34; u++)
        fprintf(file, "%d\n", label(u));
    assert_int_equal(fclose(file), 0);
}

static inline char *json_of(const dgm_sweep *sweep) {
    char *text;
    size_t length;
    assert_int_equal(dgm_sweep_json(ctx, sweep, &text, &length), DGM_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

#endif
