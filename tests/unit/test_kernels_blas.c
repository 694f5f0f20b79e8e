/* SPDX-License-Identifier: Apache-2.0 */
/* Where OpenBLAS cannot have its buffers it asks for them for ever, so that it is not asked to
 * multiply. */
#include "unit_fixture.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_context.h"
#include "kernels_blas.h"

enum { AS_MEANT = 42 };

/* AddressSanitizer itself asks for addresses, and ends the process where there are none. */
#ifndef __SANITIZE_ADDRESS__
/* Bytes of addresses that this process has. */
static rlim_t addresses(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%llu", &pages), 1);
    fclose(file);
    return (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE));
}

/* In a child with a limit that leaves 100 MB. */
static int open_without_room(rlim_t most) {
    const struct rlimit limit = {most, most};
    const char *words = "out of memory (products on 2 threads take 805 MB of addresses)";
    bool refused =
        setrlimit(RLIMIT_AS, &limit) == 0 && dgmi_kernels_blas_open(ctx) == DGM_ERROR_MEMORY &&
        strncmp(dgm_context_error(ctx), words, strlen(words)) == 0 && ctx->blas_threads == 0;
    return refused ? AS_MEANT : 1;
}

static void products_are_refused_where_there_is_no_room_for_them(void **state) {
    (void)state;
    int result;
    rlim_t most = addresses() + 100000000;
    dgm_context_set_threads(ctx, 2);
    pid_t child = fork();
    if (child == 0)
        _exit(open_without_room(most));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    assert_int_equal(WEXITSTATUS(result), AS_MEANT);
}
#endif

/* More threads take more. */
static void room_is_asked_for_once(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 2);
    assert_int_equal(dgmi_kernels_blas_open(ctx), DGM_OK);
    assert_int_equal(ctx->blas_threads, 2);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_kernels_blas_open(ctx), DGM_OK);
    assert_int_equal(ctx->blas_threads, 2);
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(dgmi_kernels_blas_open(ctx), DGM_OK);
    assert_int_equal(ctx->blas_threads, 3);
}

/* A second run of this program has OpenBLAS take the processor for a Prescott. */
static void old_processors_are_known_by_their_names(void **state) {
    (void)state;
    char between[64];
    snprintf(between, sizeof between, " %s ", openblas_get_corename());
    bool old = strstr(" Prescott Core2 Penryn Nehalem Generic ", between) != NULL;
    assert_int_equal(dgmi_kernels_blas_is_blind(), old);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(products_are_refused_where_there_is_no_room_for_them),
#endif
        cmocka_unit_test(room_is_asked_for_once),
        cmocka_unit_test(old_processors_are_known_by_their_names),
    };
    return RUN_WITH_CONTEXT(tests);
}
