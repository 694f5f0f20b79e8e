/* SPDX-License-Identifier: Apache-2.0 */
#include "dgm/serve.h"

const dgm_option_table *dgm_server_option_table(void) {
    static const dgm_option options[] = {
        {.name = "host",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_server_options, host),
         .default_text = "127.0.0.1",
         .argument = "ADDRESS",
         .help = "the address to listen on; with any but 127.0.0.1 others on the network can reach "
                 "the page, unencrypted, if they have its token"},
        {.name = "port",
         .kind = DGM_OPTION_INTEGER,
         .offset = offsetof(dgm_server_options, port),
         .minimum = 0,
         .maximum = 65535,
         .default_text = "0",
         .argument = "P",
         .help = "the port to listen on; 0 takes a free one"},
    };
    static const dgm_option_table table = {"Page", options, sizeof options / sizeof *options};
    return &table;
}
