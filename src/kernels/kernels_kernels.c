/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_kernels.h"

#include <string.h>

#include "base_cpu.h"

extern const dgmi_kernels dgmi_kernels_table_plain;

#ifdef DGM_KERNELS_X86 /* the build has compiled the variants for x86-64 too */
extern const dgmi_kernels dgmi_kernels_table_avx2, dgmi_kernels_table_avx512;
#endif

/* Best first. */
static const struct {
    const dgmi_kernels *kernels;
    dgmi_cpu needs;
} variants[] = {
#ifdef DGM_KERNELS_X86
    {&dgmi_kernels_table_avx512, DGMI_CPU_AVX512},
    {&dgmi_kernels_table_avx2, DGMI_CPU_AVX2},
#endif
    {&dgmi_kernels_table_plain, DGMI_CPU_PLAIN},
};

const dgmi_kernels *dgmi_kernels_find(const char *name) {
    dgmi_cpu best = dgmi_cpu_best();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if ((!name || strcmp(name, variants[i].kernels->name) == 0) && variants[i].needs <= best)
            return variants[i].kernels;
    return NULL;
}
