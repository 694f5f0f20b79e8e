/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_cpu.h"
#include "kernels_kernels.h"

static void a_name_in_the_environment_asks_for_less(void **state) {
    (void)state;
    unsetenv("DGM_CPU");
    dgmi_cpu best = dgmi_cpu_best();
    for (dgmi_cpu cpu = DGMI_CPU_PLAIN; cpu <= DGMI_CPU_AVX512; cpu++) {
        setenv("DGM_CPU", dgmi_cpu_name(cpu), 1);
        assert_int_equal(dgmi_cpu_best(), cpu < best ? cpu : best);
    }
    unsetenv("DGM_CPU");
}

static void an_unknown_name_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"", "AVX2", "avx1024", "plain "};
    unsetenv("DGM_CPU");
    dgmi_cpu best = dgmi_cpu_best();
    for (int i = 0; i < COUNT(names); i++) {
        setenv("DGM_CPU", names[i], 1);
        assert_int_equal(dgmi_cpu_best(), best);
    }
    unsetenv("DGM_CPU");
}

static void kernels_are_those_of_the_instructions(void **state) {
    (void)state;
    unsetenv("DGM_CPU");
    for (dgmi_cpu cpu = dgmi_cpu_best();; cpu--) {
        setenv("DGM_CPU", dgmi_cpu_name(cpu), 1);
        assert_string_equal(dgmi_kernels_find(NULL)->name, dgmi_cpu_name(cpu));
        if (cpu == DGMI_CPU_PLAIN)
            break;
        assert_non_null(dgmi_kernels_find("plain"));
    }
    assert_null(dgmi_kernels_find("avx512"));
    unsetenv("DGM_CPU");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_in_the_environment_asks_for_less),
        cmocka_unit_test(an_unknown_name_changes_nothing),
        cmocka_unit_test(kernels_are_those_of_the_instructions),
    };
    return RUN_WITH_CONTEXT(tests);
}
