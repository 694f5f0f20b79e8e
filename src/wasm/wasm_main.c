/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer inside a page: the core as WebAssembly, asked as the server is. One page has one
 * explorer, so that all of it is static. The page calls _initialize first. */
#include <stdlib.h>
#include <string.h>

#include "dgm/explore.h"

#define EXPORT(name) __attribute__((export_name(name)))

static dgm_context *ctx;
static dgm_explorer *explorer;
static dgm_answer answer; /* to the last question */

/* Room for bytes that the page writes; freed with dgm_release. */
EXPORT("dgm_room") void *wasm_room(size_t size) {
    return malloc(size ? size : 1);
}

EXPORT("dgm_release") void wasm_release(void *block) {
    free(block);
}

EXPORT("dgm_bytes") const char *wasm_bytes(void) {
    return answer.bytes;
}

EXPORT("dgm_length") size_t wasm_length(void) {
    return answer.length;
}

/* The answer is the error as text. */
static int fail(dgm_status status) {
    const char *message = ctx ? dgm_context_error(ctx) : "there is not enough memory";
    answer.length = strlen(message);
    answer.bytes = malloc(answer.length + 1);
    if (answer.bytes)
        memcpy(answer.bytes, message, answer.length + 1);
    else
        answer.length = 0;
    return (int)status;
}

static void forget_answer(void) {
    if (ctx)
        dgm_answer_free(ctx, &answer);
}

/* Opens a pack. These three return a dgm_status. */
EXPORT("dgm_open") int wasm_open(const char *bytes, size_t length) {
    if (!ctx && dgm_context_create(NULL, &ctx) != DGM_OK)
        return fail(DGM_ERROR_MEMORY);
    forget_answer();
    dgm_explorer_free(explorer);
    dgm_status status = dgm_explorer_unpack(ctx, bytes, length, &explorer);
    return status == DGM_OK ? DGM_OK : fail(status);
}

EXPORT("dgm_ask") int wasm_ask(const char *question, const char *settings) {
    if (!explorer)
        return fail(DGM_ERROR_USAGE);
    forget_answer();
    dgm_status status = dgm_explorer_ask(ctx, explorer, question, settings, &answer);
    return status == DGM_OK ? DGM_OK : fail(status);
}

/* What the last picture shows, as a file with that name: "summary.svg". */
EXPORT("dgm_file") int wasm_file(const char *name, int part) {
    dgm_export_format format;
    char *text;
    size_t length;
    if (!explorer)
        return fail(DGM_ERROR_USAGE);
    forget_answer();
    dgm_status status = dgm_export_format_find(ctx, name, &format);
    if (status == DGM_OK)
        status =
            dgm_workspace_text(ctx, dgm_explorer_workspace(explorer), format, part, &text, &length);
    if (status != DGM_OK)
        return fail(status);
    answer = (dgm_answer){text, length};
    return DGM_OK;
}
