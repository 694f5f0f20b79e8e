/* SPDX-License-Identifier: Apache-2.0 */
/* A build without the page: its calls are there and say so. */
#include "dgm/page.h"

#include "base_context.h"

dgm_status dgm_page_make(dgm_context *ctx, const dgm_page_input *input, dgm_answer *out) {
    (void)input;
    *out = (dgm_answer){NULL, 0};
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "this dgm was built without its page: build it with esbuild installed");
}

dgm_status dgm_page_write(dgm_context *ctx, const dgm_page_input *input, const char *path) {
    dgm_answer html;
    (void)path;
    return dgm_page_make(ctx, input, &html);
}
