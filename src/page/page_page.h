/* SPDX-License-Identifier: Apache-2.0 */
/* A page that is open: its explorer, and the lens that it looks through. The files of the page are
 * made by the build. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "dgm/page.h"

#include "explore_answer.h"
#include "explore_query.h"

enum { DGMI_PAGE_LEVELS = 16 };

/* What a lens of the page belongs to: itself, or the study that chose it. */
typedef struct dgmi_page_lens {
    dgm_lens_result *made;
    dgm_study *study;
} dgmi_page_lens;

typedef struct dgmi_page {
    dgm_page_input input;
    bool live; /* the program is there and computes lenses */
    dgm_explorer *explorer;
    dgmi_page_lens lenses[DGMI_PAGE_LEVELS]; /* of each level, if they are the page's own */
    struct dgmi_page_visit *visit;           /* what an opened file left; NULL: the caller has it */
} dgmi_page;

/* Makes the explorer of a page, with its settings and its first lens. The caller closes the page,
 * whatever this returns. */
dgm_status dgmi_page_open(dgm_context *ctx, const dgm_page_input *input, bool live,
                          dgmi_page *page);
void dgmi_page_close(dgmi_page *page);
/* Lets go of what belongs to parts that are shown no more, after any question. */
void dgmi_page_tidy(dgmi_page *page);

/* Computes the lens that the settings of a query ask for, of the graph that is shown, which
 * dgmi_page_show gives to the explorer. The explorer may be asked meanwhile, but the graph must stay. */
dgm_status dgmi_page_compute(dgm_context *ctx, const dgmi_page *page,
                             const dgmi_explore_query *query, dgmi_page_lens *out);
/* On success the page owns the lens. */
dgm_status dgmi_page_show(dgm_context *ctx, dgmi_page *page, const dgmi_explore_query *query,
                          const dgmi_page_lens *made);
void dgmi_page_lens_free(dgmi_page_lens *lens);

/* ---- page_choose.c ---- */
/* Studies the graph that is shown; dgmi_page_adopt then shows the best of its candidates. */
dgm_status dgmi_page_choose(dgm_context *ctx, const dgmi_page *page, dgmi_page_lens *out);
dgm_status dgmi_page_adopt(dgm_context *ctx, dgmi_page *page, const dgmi_page_lens *made);
/* Opens another graph from a file, with settings that are chosen for it. The caller closes the page,
 * whatever this returns. */
dgm_status dgmi_page_visit_file(dgm_context *ctx, const char *path, dgmi_page *page);
void dgmi_page_visit_free(struct dgmi_page_visit *visit);

/* ---- page_start.c ---- */
/* Adds to the answer of `start` what is not in the core: whether it is live, and then lenses and
 * reductions. */
dgm_status dgmi_page_introduce(dgm_context *ctx, dgmi_page *page);
/* Adds to it why these settings were chosen, and which others there are. `study` may be NULL. */
dgm_status dgmi_page_explain(dgm_context *ctx, dgmi_page *page, const dgm_study *study);

/* ---- page_thumbnail.c ---- */
/* Appends the member `picture` of a candidate: a thumbnail, or null where the graph is so large that
 * people would wait for it. */
dgm_status dgmi_page_say_thumbnail(dgm_context *ctx, const dgmi_page *page, const dgm_study *study,
                                   int64_t candidate, dgmi_explore_answer *answer);

/* ---- the files of the page, made by tools/embed ---- */
typedef struct dgmi_page_file {
    const char *path, *type; /* "/page.js", "text/javascript; charset=utf-8" */
    const unsigned char *bytes;
    size_t length;
    const char *sha256; /* in base64, as a Content-Security-Policy has it */
} dgmi_page_file;
extern const dgmi_page_file dgmi_page_files[];
extern const size_t dgmi_page_file_count;
/* Returns the file of that path, or NULL. */
const dgmi_page_file *dgmi_page_file_find(const char *path);

#endif
