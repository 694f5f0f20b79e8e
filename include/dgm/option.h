/* SPDX-License-Identifier: Apache-2.0 */
/* Option tables. Each stage describes its options in one table: name, type, bounds, default and
 * help. Checks of values, `--help`, the man pages and the shell completions are all made from it.
 */
#ifndef DGM_OPTION_H
#define DGM_OPTION_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

typedef enum dgm_option_kind {
    DGM_OPTION_FLAG,     /* a bool, which takes no value on the command line */
    DGM_OPTION_INTEGER,  /* an int64_t */
    DGM_OPTION_REAL,     /* a double */
    DGM_OPTION_CHOICE,   /* a value of an enum, stored as int */
    DGM_OPTION_TEXT,     /* a const char *, which stays the caller's and must outlive the struct */
    DGM_OPTION_INTEGERS, /* an int64_t[DGM_MAX_AXES]: one value per axis of the lens */
    DGM_OPTION_REALS,    /* a double[DGM_MAX_AXES]: one value per axis of the lens */
} dgm_option_kind;

/* A list with one value per axis may be shorter than the number of axes. The entries that are left
 * out are DGM_SAME, which means the value of the axis before. */
#define DGM_MAX_AXES 16
#define DGM_SAME     (-1)

typedef struct dgm_option dgm_option;
struct dgm_option {
    const char *name;           /* the name without dashes: "min-size" */
    dgm_option_kind kind;       /* the type of the value */
    size_t offset;              /* where the field lies in the option struct of the stage */
    double minimum, maximum;    /* the bounds of a number, both of them allowed */
    bool open_maximum;          /* the maximum itself is not allowed */
    const char *const *choices; /* CHOICE: the names in the order of the enum, then NULL */
    const char *default_text;   /* the default as help shows it; NULL: help shows none */
    const char *argument;       /* the word that stands for the value in help ("N", "FILE") */
    const char *help;           /* one line of help */
    /* Stores a value if the kind alone does not say how, such as in a list that grows with each
     * call. NULL: the kind says it. */
    dgm_status (*set)(dgm_context *ctx, const dgm_option *option, const char *value, void *target);
};

typedef struct dgm_option_table {
    const char *title; /* the heading in help */
    const dgm_option *options;
    size_t count; /* the number of options */
} dgm_option_table;

/* Returns the option of that name, or NULL if the table has none. */
DGM_API const dgm_option *dgm_option_find(const dgm_option_table *table, const char *name);

/* Reads `value` as the option's kind asks and stores it in the option struct at `target`. A FLAG
 * takes NULL (true), "true" or "false". The error is DGM_ERROR_USAGE, and its message names the
 * option, the value, and the bounds or choices. */
DGM_API dgm_status dgm_option_set(dgm_context *ctx, const dgm_option *option, const char *value,
                                  void *target);

/* Checks a struct that was filled by hand: DGM_ERROR_USAGE if one of its numbers is outside the
 * bounds that the table gives. */
DGM_API dgm_status dgm_options_check(dgm_context *ctx, const dgm_option_table *table,
                                     const void *target);

/* Returns the one of `names` (NULL-terminated) that is nearest to `word` in edit distance, or NULL
 * if none is near. Messages suggest it when a name is unknown. */
DGM_API const char *dgm_name_nearest(const char *word, const char *const *names);

#endif
