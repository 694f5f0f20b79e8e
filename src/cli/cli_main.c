/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "dgm/dgm.h"

int main(void) {
    printf("dgm %s\n", dgm_version());
    return 0;
}
