/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"
int main(void){return 0;}
