/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of keys that the list of lenses points to. */
#ifndef LENS_LENS_H
#define LENS_LENS_H

#include "dgm/lens.h"

extern const dgm_option_table dgmi_pagerank_table;

#endif
