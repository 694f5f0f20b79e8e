/* SPDX-License-Identifier: Apache-2.0 */
#include "base_cpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [DGMI_CPU_PLAIN] = "plain", [DGMI_CPU_AVX2] = "avx2", [DGMI_CPU_AVX512] = "avx512"};

const char *dgmi_cpu_name(dgmi_cpu cpu) {
    return names[cpu];
}

static dgmi_cpu processor(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return DGMI_CPU_PLAIN;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return DGMI_CPU_AVX512;
    return DGMI_CPU_AVX2;
#else
    return DGMI_CPU_PLAIN;
#endif
}

dgmi_cpu dgmi_cpu_best(void) {
    dgmi_cpu best = processor();
    const char *asked = getenv("DGM_CPU");
    for (dgmi_cpu cpu = DGMI_CPU_PLAIN; asked && cpu < best; cpu++)
        if (strcmp(asked, names[cpu]) == 0)
            return cpu;
    return best;
}
