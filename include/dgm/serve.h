/* SPDX-License-Identifier: Apache-2.0 */
/* The server of the explorer: a page in the browser of the same machine, and behind it an explorer
 * (explore.h) that answers what the page asks.
 *
 * Nobody else can reach it. It listens on 127.0.0.1 unless another address is given, and every
 * request needs a cookie that only the address with its token sets. Nothing is read from the file
 * system for a request, and nothing is fetched from elsewhere.
 *
 *     dgm_server *server;
 *     dgm_server_start(ctx, &input, NULL, &server);
 *     puts(dgm_server_address(server));
 *     dgm_server_wait(ctx, server);
 *     dgm_server_free(server);
 */
#ifndef DGM_SERVE_H
#define DGM_SERVE_H

#include "dgm/page.h"

typedef struct dgm_server_options {
    size_t size;      /* the size of this struct, filled in by the initialiser */
    const char *host; /* the address to listen on; NULL, the default: 127.0.0.1 */
    int64_t port;     /* 0, the default: a free one */
} dgm_server_options;
#define DGM_SERVER_OPTIONS_INIT                                                                    \
    { sizeof(dgm_server_options), NULL, 0 }
static inline void dgm_server_options_init(dgm_server_options *options) {
    const dgm_server_options defaults = DGM_SERVER_OPTIONS_INIT;
    *options = defaults;
}
/* The options of a server by name: host and port. */
DGM_API const dgm_option_table *dgm_server_option_table(void);

typedef struct dgm_server dgm_server;
/* Starts a server, which the caller frees. It works in threads of its own until it is freed.
 * DGM_ERROR_USAGE if this build has no explorer, or if an option is wrong; DGM_ERROR_FILE if the
 * port is taken. */
DGM_API dgm_status dgm_server_start(dgm_context *ctx, const dgm_page_input *input,
                                    const dgm_server_options *options, dgm_server **out);
/* Returns the address with its token, "http://127.0.0.1:43210/?token=...". */
DGM_API const char *dgm_server_address(const dgm_server *server);
/* Waits until somebody stops the server from its page, or the context is cancelled. Both are
 * DGM_OK. */
DGM_API dgm_status dgm_server_wait(dgm_context *ctx, dgm_server *server);
DGM_API void dgm_server_free(dgm_server *server); /* NULL is fine */

#endif
