/* SPDX-License-Identifier: Apache-2.0 */
/* A page that is open: its explorer, and the lens that it looks through. The files of the page are
 * made by the build. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "dgm/page.h"

#include "explore_query.h"

typedef struct dgmi_page {
    dgm_page_input input;
    dgm_explorer *explorer;
    dgm_lens_result *lens; /* the lens of the explorer, if it is the page's own */
} dgmi_page;

/* Makes the explorer of a page, with its settings and its first lens. `live`: the program is there and
 * computes lenses. The caller closes the page, whatever this returns. */
dgm_status dgmi_page_open(dgm_context *ctx, const dgm_page_input *input, bool live,
                          dgmi_page *page);
void dgmi_page_close(dgmi_page *page);

/* Computes the lens that the settings of a query ask for, which dgmi_page_show gives to the explorer.
 * The explorer may be asked meanwhile. */
dgm_status dgmi_page_compute(dgm_context *ctx, const dgmi_page *page,
                             const dgmi_explore_query *query, dgm_lens_result **out);
/* On success the page owns the lens. */
dgm_status dgmi_page_show(dgm_context *ctx, dgmi_page *page, const dgmi_explore_query *query,
                          dgm_lens_result *made);

/* ---- page_start.c ---- */
/* Adds to the answer of `start` what is not in the core: candidates, and if it is live lenses and
 * reductions. */
dgm_status dgmi_page_introduce(dgm_context *ctx, dgmi_page *page, bool live);

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
