/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a command: one walk over its words and tables, drawn by a pen for the terminal, for
 * man or for Markdown. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli_command.h"

/* An option, a key of a lens, or a word with its meaning. */
typedef struct cli_entry {
    char letter;        /* 0: none */
    const char *dashes; /* "--", or "" for what is no option */
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *help;
    const char *default_text;   /* NULL: nothing to say */
    const char *const *choices; /* NULL: free */
    bool inner;                 /* a key that belongs to the entry above */
} cli_entry;

typedef struct cli_pen {
    FILE *stream;
    void *extra; /* the pen's own */
    void (*title)(const struct cli_pen *pen, const char *name, const char *summary);
    void (*usage)(const struct cli_pen *pen, const char *name, const char *usage);
    void (*heading)(const struct cli_pen *pen, const char *text);
    void (*paragraph)(const struct cli_pen *pen, const char *text);
    void (*begin_entries)(const struct cli_pen *pen); /* may be NULL, as its end */
    void (*entry)(const struct cli_pen *pen, const cli_entry *entry);
    void (*end_entries)(const struct cli_pen *pen);
    void (*example)(const struct cli_pen *pen, const cli_example *example);
} cli_pen;

/* command NULL: the program. */
void cli_page_write(const cli_pen *pen, const cli_command *command);

/* The help of an entry with its choices and default behind it: "how cells cluster [default:
 * components; or none]". Owned by the caller; NULL: out of memory. */
char *cli_entry_text(const cli_entry *entry);

#endif
