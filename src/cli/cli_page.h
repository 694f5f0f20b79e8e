/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a command. One function walks over its words and tables and calls a pen, of which
 * there is one for the terminal, one for man and one for Markdown. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli_command.h"

/* An option, a key of a lens, or a word with its meaning. */
typedef struct cli_entry {
    char letter;                /* its letter, as the o of -o; 0: it has none */
    const char *dashes;         /* "--" for an option, "" for anything else */
    const char *name;           /* its name without dashes */
    const char *argument;       /* the word for its value; NULL: it takes none */
    const char *help;           /* one line of help */
    const char *default_text;   /* its default; NULL: there is nothing to say */
    const char *const *choices; /* the values that it takes, then NULL; or NULL: any */
    bool inner;                 /* it is a key that belongs to the entry above */
} cli_entry;

typedef struct cli_pen {
    FILE *stream; /* where the page goes */
    void *extra;  /* what the pen itself needs */
    void (*title)(const struct cli_pen *pen, const char *name, const char *summary);
    void (*usage)(const struct cli_pen *pen, const char *name, const char *usage);
    void (*heading)(const struct cli_pen *pen, const char *text);
    void (*paragraph)(const struct cli_pen *pen, const char *text);
    /* Called before and after the entries under a heading. Both may be NULL. */
    void (*begin_entries)(const struct cli_pen *pen);
    void (*entry)(const struct cli_pen *pen, const cli_entry *entry);
    void (*end_entries)(const struct cli_pen *pen);
    void (*example)(const struct cli_pen *pen, const cli_example *example);
} cli_pen;

/* Writes the page of a command, or of the program if that is NULL. */
void cli_page_write(const cli_pen *pen, const cli_command *command);

/* Returns the help of an entry with its default and choices behind it: "how cells cluster [default:
 * components; or none]". The caller owns it. Returns NULL if there is no memory left. */
char *cli_entry_text(const cli_entry *entry);

#endif
