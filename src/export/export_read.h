/* SPDX-License-Identifier: Apache-2.0 */
/* A saved summary on its way into a view. The tree is trusted in nothing. */
#ifndef EXPORT_READ_H
#define EXPORT_READ_H

#include "draw_view.h"
#include "io_jansson.h"

typedef struct dgmi_saved {
    dgm_context *ctx;
    const char *file;
    json_t *root;
    json_t **clusters; /* by id: the objects of "nodes"; scratch memory */
    dgm_view *view;
} dgmi_saved;

/* "nodes[3] ...": `list` NULL: the file as a whole. */
dgm_status dgmi_saved_fail(const dgmi_saved *saved, const char *list, int64_t index,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The key's whole number in low .. high; `missing` where there is no such key. */
dgm_status dgmi_saved_integer(const dgmi_saved *saved, const char *list, int64_t index,
                              const json_t *object, const char *key, int64_t low, int64_t high,
                              int64_t missing, int64_t *out);
/* Likewise a real one; null is NaN. */
dgm_status dgmi_saved_real(const dgmi_saved *saved, const char *list, int64_t index,
                           const json_t *object, const char *key, double low, double high,
                           double missing, double *out);
/* The file's tree, which must be a summary; the caller calls json_decref. */
dgm_status dgmi_saved_load(dgm_context *ctx, const char *path, json_t **root);
/* Lists the objects of "nodes" by their ids; takes scratch memory. */
dgm_status dgmi_saved_list(dgmi_saved *saved);

/* The ledger of mistakes in "coverage", where there is one (export_read_ledger.c). */
dgm_status dgmi_saved_ledger(const dgmi_saved *saved);

/* What the members are (export_read_members.c): classes, mistakes, entropy, attributes. */
dgm_status dgmi_saved_members(dgmi_saved *saved);

/* Names of layouts, in the order of dgm_layout. */
extern const char *const dgmi_export_layouts[4];

#endif
