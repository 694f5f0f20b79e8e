/* SPDX-License-Identifier: Apache-2.0 */
/* What a part is made with. A part is a function that runs commands, measures what they wrote, and
 * puts sentences, pictures, tables and checks into its record. */
#ifndef REPRODUCE_MAKING_H
#define REPRODUCE_MAKING_H

#include "dgm/export.h"
#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/profile.h"

#include "reproduce_record.h"

typedef struct dgmi_reproduce_making {
    dgm_context *ctx;
    const dgm_reproduce_options *options;
    const char *name;              /* that of the part, which is that of its folder, too */
    dgmi_reproduce_record *record; /* what it has to say */
} dgmi_reproduce_making;

/* Makes a part. An error means that it could not be made. */
typedef dgm_status (*dgmi_reproduce_make_fn)(dgmi_reproduce_making *making);

/* ---- commands ---- */

/* Runs "dgm ..." as the format writes it, words separated by blanks, and records it. "--quiet", the
 * seed and the number of threads are added where the command runs. */
dgm_status dgmi_reproduce_do(dgmi_reproduce_making *making, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for a command that writes `file`, which several parts share: it is not run
 * again if this command has made the file before, and recorded either way. */
dgm_status dgmi_reproduce_need(dgmi_reproduce_making *making, const char *file, const char *format,
                               ...) __attribute__((format(printf, 3, 4)));

/* ---- what came out ---- */

/* Opens a data set by its name, "data/cora" or "spam". The caller frees it. */
dgm_status dgmi_reproduce_open(dgmi_reproduce_making *making, const char *name, dgm_graph **out);
/* Reads a summary and its profile, which the caller frees; both or none. */
dgm_status dgmi_reproduce_read(dgmi_reproduce_making *making, const char *file,
                               const dgm_graph *graph, dgm_summary **summary,
                               dgm_profile **profile);

/* ---- what is said of it ---- */

void dgmi_reproduce_say(dgmi_reproduce_making *making, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A picture that a command wrote, with its caption. */
void dgmi_reproduce_show(dgmi_reproduce_making *making, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The titles of a table's columns, and then its rows, with tabs between the entries. */
void dgmi_reproduce_head(dgmi_reproduce_making *making, const char *titles);
void dgmi_reproduce_row(dgmi_reproduce_making *making, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A claim, whether the numbers bear it out, and these numbers. */
void dgmi_reproduce_judge(dgmi_reproduce_making *making, bool holds, const char *claim,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
