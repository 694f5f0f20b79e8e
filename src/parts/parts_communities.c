/* SPDX-License-Identifier: Apache-2.0 */
/* Communities by the Leiden method. */
#include "dgm/parts.h"
