/* SPDX-License-Identifier: Apache-2.0 */
/* Reads specifications, "NAME" or "NAME:key=value,...": separates the name from its keys, sets the
 * keys by an option table, and makes errors that list the known names and suggest the nearest. */
#ifndef BASE_SPEC_H
#define BASE_SPEC_H

#include "dgm/option.h"

enum { DGMI_SPEC_LONGEST = 4096 };

typedef struct dgmi_spec {
    char text[DGMI_SPEC_LONGEST]; /* the name, ended where the ':' was */
    char *keys;                   /* into `text`; NULL: none given */
} dgmi_spec;

/* `noun` is what is picked, for messages: "reduction". */
dgm_status dgmi_spec_split(dgm_context *ctx, const char *noun, const char *specification,
                           dgmi_spec *spec);
/* DGM_ERROR_USAGE; `nouns` are several: "reductions"; `names` ends with NULL, and one that needs
 * more than a name says so: "attr:NAME". */
dgm_status dgmi_spec_fail_name(dgm_context *ctx, const char *noun, const char *nouns,
                               const char *name, const char *const *names);
/* Sets the keys in `target`; table NULL: there are none to set. Texts stay in `spec`. A number
 * after a comma continues the value before it: "split=0.8,0.1,epochs=5" sets two keys. */
dgm_status dgmi_spec_set(dgm_context *ctx, const char *noun, dgmi_spec *spec,
                         const dgm_option_table *table, void *target);

#endif
