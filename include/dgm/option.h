/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables: every option of every stage is written once, here described, and the table feeds
 * validation,
 * `--help`, man pages, shell completion, the explorer's controls and Python's keyword arguments.
 */
#ifndef DGM_OPTION_H
#define DGM_OPTION_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

typedef enum dgm_option_kind {
    DGM_OPTION_FLAG,     /* bool; takes no value on the command line */
    DGM_OPTION_INTEGER,  /* int64_t */
    DGM_OPTION_REAL,     /* double */
    DGM_OPTION_CHOICE,   /* an enum, stored as int */
    DGM_OPTION_TEXT,     /* const char *, borrowed from whoever sets it */
    DGM_OPTION_INTEGERS, /* int64_t[DGM_MAX_AXES], a list per axis */
    DGM_OPTION_REALS,    /* double[DGM_MAX_AXES], a list per axis */
} dgm_option_kind;

/* Lists per axis: entries left out repeat the one before them, on as many axes as the lens has. */
#define DGM_MAX_AXES 16
#define DGM_SAME     (-1) /* "as the axis before", in a list per axis */

typedef struct dgm_option dgm_option;
struct dgm_option {
    const char *name; /* without dashes: "min-size" */
    dgm_option_kind kind;
    size_t offset;              /* of the field in the stage's option struct */
    double minimum, maximum;    /* bounds of numbers, inclusive unless open_maximum */
    bool open_maximum;          /* value < maximum */
    const char *const *choices; /* CHOICE: NULL-terminated names, in the order of the enum */
    const char *default_text;   /* as shown in help; NULL: nothing to show */
    const char *argument;       /* the word for the value in help ("N", "G", "FILE") */
    const char *help;           /* one line */
    /* Stores a value where the kind alone does not say how (a list that grows); NULL: by kind. */
    dgm_status (*set)(dgm_context *ctx, const dgm_option *option, const char *value, void *target);
};

typedef struct dgm_option_table {
    const char *title; /* heading in help */
    const dgm_option *options;
    size_t count;
} dgm_option_table;

/* The option of that name, or NULL. */
DGM_API const dgm_option *dgm_option_find(const dgm_option_table *table, const char *name);

/* Reads `value` as the option asks and stores it in the struct at `target`. DGM_ERROR_USAGE names
 * the option, the value and the bounds or choices. A FLAG takes NULL, "true" or "false". */
DGM_API dgm_status dgm_option_set(dgm_context *ctx, const dgm_option *option, const char *value,
                                  void *target);

/* Checks numbers already in the struct against the table's bounds, for callers that fill structs by
 * hand. */
DGM_API dgm_status dgm_options_check(dgm_context *ctx, const dgm_option_table *table,
                                     const void *target);

/* The name among `names` (NULL-terminated) nearest to `word` in edit distance, or NULL if none is
 * near. */
DGM_API const char *dgm_name_nearest(const char *word, const char *const *names);

#endif
