/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction sets for which some code is compiled several times. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

/* Each set contains those before it. */
typedef enum dgmi_cpu {
    DGMI_CPU_PLAIN,
    DGMI_CPU_AVX2,  /* with FMA */
    DGMI_CPU_AVX512 /* with DQ, VL and BW */
} dgmi_cpu;

/* The best that this processor runs. The environment's DGM_CPU (plain, avx2, avx512) asks for less,
 * so that tests and comparisons reach code that was compiled for other machines; it never asks for
 * more. Safe from any thread. */
dgmi_cpu dgmi_cpu_best(void);

/* "plain", "avx2" or "avx512". */
const char *dgmi_cpu_name(dgmi_cpu cpu);

#endif
