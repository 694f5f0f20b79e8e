/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of some work made to fail in turn. Included after unit_fixture.h. */
#ifndef UNIT_FAULTS_H
#define UNIT_FAULTS_H

#include "../check_memory.h"

/* `work` frees what it made; it may succeed where a failure does no harm. Nothing may be left. Of long
 * work only every stride-th allocation fails. */
static inline void fail_some_allocations(dgm_status (*work)(dgm_context *own, void *argument),
                                         void *argument, long long stride) {
    for (long long k = 1;; k += stride) {
        check_memory memory = {.fail_at = 0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *own;
        assert_true(k / stride < 20000);
        assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
        long long before = atomic_load(&memory.calls);
        memory.fail_at = before + k;
        dgm_status status = work(own, argument);
        bool reached = atomic_load(&memory.calls) >= before + k;
        if (status != DGM_OK && status != DGM_ERROR_MEMORY)
            fail_msg("allocation %lld: %s", k, dgm_context_error(own));
        memory.fail_at = 0;
        dgm_context_free(own);
        assert_int_equal(atomic_load(&memory.blocks), 0);
        if (!reached) {
            assert_int_equal(status, DGM_OK);
            assert_true(k > 1); /* there was something to fail */
            return;
        }
    }
}

static inline void fail_each_allocation(dgm_status (*work)(dgm_context *own, void *argument),
                                        void *argument) {
    fail_some_allocations(work, argument, 1);
}

#endif
