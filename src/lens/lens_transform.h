/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LENS_TRANSFORM_H
#define LENS_TRANSFORM_H

/* What dgm_transform_names gives, for tables. */
extern const char *const dgmi_lens_transform_names[];

#endif
