/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a part: what was done, what came out, and which claims hold, in the order in which
 * a report tells it. A record is kept in a file, so that a report can be written without making the
 * part again. */
#ifndef REPRODUCE_RECORD_H
#define REPRODUCE_RECORD_H

#include "dgm/reproduce.h"

#include "base_text.h"

typedef enum dgmi_reproduce_kind {
    DGMI_REPRODUCE_SAYS,    /* text: a sentence about settings or results */
    DGMI_REPRODUCE_COMMAND, /* text: a command of the program */
    DGMI_REPRODUCE_PICTURE, /* text: a caption; more: the file */
    DGMI_REPRODUCE_HEAD,    /* text: the titles of the columns of a table, with tabs between them */
    DGMI_REPRODUCE_ROW,     /* text: a row of this table, with tabs between its entries */
    DGMI_REPRODUCE_CLAIM,   /* text: a claim; more: what was found; holds: whether it is true */
} dgmi_reproduce_kind;

typedef struct dgmi_reproduce_item {
    dgmi_reproduce_kind kind;
    char *text, *more; /* owned by the record; more is NULL where the kind has no use for it */
    bool holds;
} dgmi_reproduce_item;

/* After a failed addition it stays failed, so that a part looks once, at its end. */
typedef struct dgmi_reproduce_record {
    dgm_context *ctx;
    dgmi_reproduce_item *items;
    int64_t count, capacity;
    double seconds; /* how long the part took; never in the report */
    dgm_status status;
} dgmi_reproduce_record;

void dgmi_reproduce_record_init(dgmi_reproduce_record *record, dgm_context *ctx);
void dgmi_reproduce_record_free(dgmi_reproduce_record *record);
/* Adds an item with copies of the texts; `more` may be NULL. */
void dgmi_reproduce_record_add(dgmi_reproduce_record *record, dgmi_reproduce_kind kind,
                               const char *text, const char *more, bool holds);
/* Counts the checks and those that hold, and gives the verdict. */
dgm_verdict dgmi_reproduce_record_judge(const dgmi_reproduce_record *record, int64_t *checks,
                                        int64_t *holding);

/* Writes the record to a file, with a key that says how it was made. */
dgm_status dgmi_reproduce_record_save(const dgmi_reproduce_record *record, const char *path,
                                      const char *key);
/* Reads it back. *found is false, and there is no error, where there is no such file, where it is
 * damaged, where its key is another, or where one of its pictures is missing. */
dgm_status dgmi_reproduce_record_load(dgmi_reproduce_record *record, const char *path,
                                      const char *key, bool *found);

#endif
