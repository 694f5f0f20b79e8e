/* SPDX-License-Identifier: Apache-2.0 */
/* The names of transforms. */
#ifndef LENS_TRANSFORM_H
#define LENS_TRANSFORM_H

/* The names of the transforms, as dgm_transform_names returns them, for option tables. */
extern const char *const dgmi_lens_transform_names[];

#endif
