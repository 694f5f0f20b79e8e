/* SPDX-License-Identifier: Apache-2.0 */
/* A build without the page: everything is there and says so. */
#include "dgm/serve.h"

#include "base_context.h"

dgm_status dgm_server_start(dgm_context *ctx, const dgm_page_input *input,
                            const dgm_server_options *options, dgm_server **out) {
    (void)input, (void)options;
    *out = NULL;
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "this dgm was built without its page: build it with libmicrohttpd and esbuild "
                     "installed (libmicrohttpd-dev and esbuild in Debian)");
}

const char *dgm_server_address(const dgm_server *server) {
    (void)server;
    return "";
}

dgm_status dgm_server_wait(dgm_context *ctx, dgm_server *server) {
    (void)ctx, (void)server;
    return DGM_OK;
}

void dgm_server_free(dgm_server *server) {
    (void)server;
}
