/* SPDX-License-Identifier: Apache-2.0 */
/* The looker of a server, while others ask it to end. */
#include "unit_fixture.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "serve_visitor.h"

/* Asks for the end of a lens, as a guest may, as soon as the looker has taken the question. */
static void end_at_once(void) {
    bool ended = false;
    while (!ended) {
        if (pthread_mutex_trylock(&server->lock) != 0)
            continue;
        ended = server->looking;
        if (ended)
            dgm_context_cancel(server->look_context);
        pthread_mutex_unlock(&server->lock);
    }
}

/* The lens would take hours. It ends even if it is asked to before it has done anything, however often
 * that is tried. */
static void a_lens_that_has_just_been_taken_can_be_ended(void **state) {
    (void)state;
    static const char endless[] = "lens=dgi:hidden=4,epochs=100000000,patience=100000000";
    char length[64];
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(endless));
    start(roomy);
    for (int i = 0; i < 1000; i++) {
        char heard[4096] = "";
        int page = visit();
        request(page, "POST /api/lens", length);
        say(page, endless, strlen(endless));
        end_at_once();
        hear_words(page, heard, sizeof heard, "{\"stale\": true");
        close(page);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_lens_that_has_just_been_taken_can_be_ended, open_graph,
                                        close_all),
    };
    return RUN_WITH_CONTEXT(tests);
}
