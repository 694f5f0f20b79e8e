/* SPDX-License-Identifier: Apache-2.0 */
/* Whether compiler, linker, C library and runtime for WebAssembly are all there. */
#include <math.h>
#include <stdlib.h>

__attribute__((export_name("probe"))) int probe(int n) {
    void *room = malloc((size_t)n);
    free(room);
    return room ? (int)((__int128)n * n / 3) + (int)pow(n, 3) : 0;
}
