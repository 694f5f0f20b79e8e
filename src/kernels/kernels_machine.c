/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_machine.h"

#include <stdio.h>
#include <string.h>

#include "kernels_blas.h"
#include "kernels_kernels.h"

const char *dgmi_kernels_machine_name(void) {
    return dgmi_kernels_find(NULL)->name;
}

/* The configuration begins with name and version: "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY ...".
 */
const char *dgmi_kernels_machine_blas(char buffer[DGMI_KERNELS_MACHINE_SPACE]) {
    const char *words = openblas_get_config();
    size_t name = strcspn(words, " "), version = name + strspn(words + name, " ");
    size_t length = version + strcspn(words + version, " ");
    snprintf(buffer, DGMI_KERNELS_MACHINE_SPACE, "%.*s %s", (int)length, words,
             openblas_get_corename());
    return buffer;
}
