/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg_gaps.h"

#include <string.h>

#include "linalg_kernels.h"

extern const dgmi_gap_kernels dgmi_gap_kernels_plain;
#ifdef DGM_KERNELS_X86
extern const dgmi_gap_kernels dgmi_gap_kernels_avx2, dgmi_gap_kernels_avx512;
#endif

static const dgmi_gap_kernels *const variants[] = {
#ifdef DGM_KERNELS_X86
    &dgmi_gap_kernels_avx512,
    &dgmi_gap_kernels_avx2,
#endif
    &dgmi_gap_kernels_plain,
};

/* Whether a variant runs is known to the other table of kernels. */
const dgmi_gap_kernels *dgmi_gap_kernels_find(const char *name) {
    const dgmi_kernels *runs = dgmi_kernels_find(name);
    for (size_t i = 0; runs && i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i]->name, runs->name) == 0)
            return variants[i];
    return NULL;
}
