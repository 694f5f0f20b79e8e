/* SPDX-License-Identifier: Apache-2.0 */
/* The page of the explorer: what it begins with, and the page as one file.
 *
 * Such a file needs neither the program nor a network: the graph, the lens and the explorer itself, as
 * WebAssembly, are inside it. Cover, edges, filters, colours and layout are live; lenses are not, for
 * they need the program (serve.h).
 */
#ifndef DGM_PAGE_H
#define DGM_PAGE_H

#include "dgm/explore.h"
#include "dgm/pipeline.h"
#include "dgm/study.h"

/* What the page begins with. All of it is borrowed as long as the page is used. */
typedef struct dgm_page_input {
    size_t size;            /* of the struct, filled in by its initialiser */
    const dgm_graph *graph; /* the graph to explore */
    const char *name; /* what the program calls the graph, "cora" or a path; NULL: its source */
    /* Options by name and value, as dgm_job_set takes them: those that a user gave and those that a
     * study chose. Their count may be 0. */
    const char *const (*settings)[2];
    int setting_count;
    const dgm_lens_result *lens; /* the lens that these options make (dgm_job_lens), if it was made
                                    already, or, if none of them names a lens, one that is made of
                                    the caller's own numbers; NULL: it is made first */
    const dgm_study *study;      /* the study that chose them, for its reason and its other
                                    candidates; NULL: there was none */
    const dgm_predictions *predictions; /* in place of those that a lens gives; NULL: none */
} dgm_page_input;
static inline void dgm_page_input_init(dgm_page_input *input) {
    memset(input, 0, sizeof *input);
    input->size = sizeof *input;
}

/* Writes the page as one HTML file into memory, which is freed with dgm_answer_free. DGM_ERROR_USAGE if
 * this build has no page. */
DGM_API dgm_status dgm_page_make(dgm_context *ctx, const dgm_page_input *input, dgm_answer *out);
/* Does the same into a file, which appears whole or not at all. */
DGM_API dgm_status dgm_page_write(dgm_context *ctx, const dgm_page_input *input, const char *path);

#endif
