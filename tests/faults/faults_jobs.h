/* SPDX-License-Identifier: Apache-2.0 */
/* Whole jobs to be disturbed: one for every way in (formats, folders, built-in graphs), each with
 * its files. */
#ifndef FAULTS_JOBS_H
#define FAULTS_JOBS_H

#include <stdbool.h>

#include "dgm/dgm.h"

enum { FAULTS_MAX_OUTPUTS = 5 };

typedef struct faults_job {
    const char *name; /* for messages */
    dgm_job job;      /* outputs in the out folder */
    bool large;       /* too slow to try every allocation: try some */
    bool timed;       /* reports by the clock: their number differs from run to run */
} faults_job;

/* Makes the files of all jobs in a new folder, and the jobs. False if that failed. */
bool faults_setup(void);
void faults_teardown(void);
const faults_job *faults_jobs(int *count);

/* How many files lie in the out folder; remove them all. */
int faults_count_outputs(void);
void faults_clear_outputs(void);
/* One number for their names and bytes. */
uint64_t faults_hash_outputs(void);
/* How many files the job leaves when it succeeds. */
int faults_expected_outputs(const faults_job *job);

#endif
