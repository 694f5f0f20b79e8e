/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer: questions about a graph and its summary, each answered by one block of bytes.
 *
 * A page asks, and does not care who answers: the program over HTTP (serve.h), or the same C code
 * inside the page as WebAssembly. A question has a name and settings, written as forms write them:
 * "picture" with "intervals=12&overlap=0.3&colour=labels". web/PROTOCOL.md lists the questions and
 * what the bytes of an answer are.
 *
 * An explorer holds a workspace (workspace.h), so a question costs only what its settings change.
 * It remembers where the nodes of the last picture stood, and the next picture starts from there.
 *
 *     dgm_explorer *explorer;
 *     dgm_explorer_create(ctx, graph, &explorer);
 *     dgm_explorer_set_lens(ctx, explorer, &lens);
 *     dgm_explorer_ask(ctx, explorer, "picture", "intervals=12", &answer);
 */
#ifndef DGM_EXPLORE_H
#define DGM_EXPLORE_H

#include "dgm/workspace.h"

#include <string.h>

typedef struct dgm_explorer dgm_explorer;

/* Makes an explorer, which the caller frees. The graph is borrowed until then. */
DGM_API dgm_status dgm_explorer_create(dgm_context *ctx, const dgm_graph *graph,
                                       dgm_explorer **out);
DGM_API void dgm_explorer_free(dgm_explorer *explorer); /* NULL is fine */

/* A lens as the explorer takes it. */
typedef struct dgm_explorer_lens {
    size_t size;                        /* of the struct, filled in by its initialiser */
    const dgm_matrix *axes;             /* one row per node; borrowed until another lens is set */
    const dgm_predictions *predictions; /* borrowed likewise; NULL: there are none */
    const char *name;                   /* what outputs call it: "dgi+tsne" */
    const char *command;                /* how the program makes it: "dgm map cora --lens dgi" */
    const char *words;                  /* a JSON object with the settings that made it; NULL: {} */
    dgm_provenance provenance; /* what summaries say of where they come from; its lens and command
                                  are those above. All texts are copied. */
} dgm_explorer_lens;
static inline void dgm_explorer_lens_init(dgm_explorer_lens *lens) {
    memset(lens, 0, sizeof *lens);
    lens->size = sizeof *lens;
}
DGM_API dgm_status dgm_explorer_set_lens(dgm_context *ctx, dgm_explorer *explorer,
                                         const dgm_explorer_lens *lens);

/* Sets an option of the workspace by its name and text, as a question does. */
DGM_API dgm_status dgm_explorer_set(dgm_context *ctx, dgm_explorer *explorer, const char *name,
                                    const char *value);
/* Sets what the caller adds to the answer of the question "start": members of a JSON object, such as
 * "\"live\": true, \"reason\": null". It is copied. */
DGM_API dgm_status dgm_explorer_set_start(dgm_context *ctx, dgm_explorer *explorer,
                                          const char *members);
/* Sets what the caller adds to it of the graph that is shown: why these settings, and which others
 * there are ("reason" and "candidates"). A part of the graph has none before it is called. */
DGM_API dgm_status dgm_explorer_set_choice(dgm_context *ctx, dgm_explorer *explorer,
                                           const char *members);
/* A page may map a part of the graph as its own graph (the question "focus"), and a part of that.
 * From then on lenses, settings and questions are about the part. These return how deep it is, 0 for
 * the whole graph, and the graph that is shown, which belongs to the explorer unless it is the whole
 * one. */
DGM_API int dgm_explorer_level(const dgm_explorer *explorer);
DGM_API const dgm_graph *dgm_explorer_graph(const dgm_explorer *explorer);
/* Returns the workspace, which belongs to the explorer: what the last picture showed, for files. */
DGM_API dgm_workspace *dgm_explorer_workspace(dgm_explorer *explorer);

typedef struct dgm_answer {
    char *bytes;
    size_t length;
} dgm_answer;

/* Answers a question; the caller frees the answer. DGM_ERROR_USAGE if there is no such question or
 * a setting is wrong: everything then stays as it was. DGM_ERROR_CANCELLED if the question is about
 * a picture that another one has replaced. */
DGM_API dgm_status dgm_explorer_ask(dgm_context *ctx, dgm_explorer *explorer, const char *question,
                                    const char *settings, dgm_answer *out);
DGM_API void dgm_answer_free(dgm_context *ctx, dgm_answer *answer);

/* ---- a page without the program ---- */

/* Writes the graph, the lens and the settings of an explorer into one block of bytes, freed with
 * dgm_answer_free, out of which the same version of the library makes the same explorer again. */
DGM_API dgm_status dgm_explorer_pack(dgm_context *ctx, const dgm_explorer *explorer,
                                     dgm_answer *out);
/* Makes an explorer out of such bytes, 8-byte aligned and not kept; the caller frees it. It has a
 * graph and a lens of its own. DGM_ERROR_FORMAT if the bytes are damaged or of another version. */
DGM_API dgm_status dgm_explorer_unpack(dgm_context *ctx, const void *bytes, size_t length,
                                       dgm_explorer **out);

#endif
