/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg_kernels.h"

#include <string.h>

extern const dgmi_kernels dgmi_kernels_plain;

#ifdef DGM_KERNELS_X86 /* the build has compiled the variants for x86-64 too */
extern const dgmi_kernels dgmi_kernels_avx2, dgmi_kernels_avx512;

static bool runs_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool runs_avx512(void) {
    return runs_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}
#endif

static bool runs_anything(void) {
    return true;
}

/* Best first. */
static const struct {
    const dgmi_kernels *kernels;
    bool (*runs)(void);
} variants[] = {
#ifdef DGM_KERNELS_X86
    {&dgmi_kernels_avx512, runs_avx512},
    {&dgmi_kernels_avx2, runs_avx2},
#endif
    {&dgmi_kernels_plain, runs_anything},
};

const dgmi_kernels *dgmi_kernels_find(const char *name) {
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if ((!name || strcmp(name, variants[i].kernels->name) == 0) && variants[i].runs())
            return variants[i].kernels;
    return NULL;
}
