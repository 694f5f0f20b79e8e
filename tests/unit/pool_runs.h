/* SPDX-License-Identifier: Apache-2.0 */
/* Whole classifications of rings and stars, small enough to be run many times, and their JSON
 * without what differs from run to run: times. Included after the fixture and pool_rings.h. */
#ifndef POOL_RUNS_H
#define POOL_RUNS_H

#include <stdlib.h>

static dgm_classify_options asked;

/* Four folds, three epochs, a narrow network. */
static inline void ask(const char *pool) {
    dgm_classify_options_init(&asked);
    asked.pool = pool;
    asked.folds = "4";
    asked.epochs = 3;
    asked.width = 8;
    asked.batch = 4;
    asked.clamp = 8;
    asked.rate = 0.01;
}

/* Puts a 0 in place of every number of seconds. */
static inline void blank_seconds(char *text) {
    static const char key[] = "\"seconds\": ";
    for (char *at = text; (at = strstr(at, key));) {
        at += strlen(key);
        char *end = at + strcspn(at, ",\n}");
        memmove(at + 1, end, strlen(end) + 1);
        *at = '0';
    }
}

static inline char *json_of(const dgm_classify_report *report) {
    char *made, *copy;
    assert_int_equal(dgm_classify_report_json(ctx, report, &made), DGM_OK);
    copy = strdup(made);
    assert_non_null(copy);
    dgm_export_text_free(ctx, made);
    blank_seconds(copy);
    return copy;
}

static inline dgm_classify_report *classify(const dgm_graph_set *set) {
    dgm_classify_report *report;
    if (dgm_classify(ctx, set, &asked, &report) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return report;
}

/* The JSON of a run; the caller frees it. */
static inline char *run_json(const dgm_graph_set *set) {
    dgm_classify_report *report = classify(set);
    char *json = json_of(report);
    dgm_classify_report_free(report);
    return json;
}

#endif
