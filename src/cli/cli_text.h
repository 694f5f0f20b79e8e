/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people, and JSON for programs. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a number with commas: "1,090,108". */
enum { CLI_COUNT_SPACE = 32 };
const char *cli_count(int64_t number, char buffer[CLI_COUNT_SPACE]);
/* Writes a number and a noun, with an s unless the number is one: "1 node", "3 nodes". */
enum { CLI_NOUN_SPACE = 64 };
const char *cli_count_of(int64_t number, const char *noun, char buffer[CLI_NOUN_SPACE]);

/* Closes the stream that open_memstream made for `text`. Returns false if there was not enough
 * memory at any time. The caller owns the text in both cases; it may be NULL. */
bool cli_close_text(FILE *stream, char *const *text);

/* Writes a JSON object to a stream, indented by two. Keys keep their order. NaN and infinities
 * become null. */
typedef struct cli_json {
    FILE *stream; /* where it goes */
    int depth;    /* how many objects and lists are open */
    bool empty;   /* nothing was written yet at this depth */
} cli_json;

void cli_json_begin(cli_json *json, FILE *stream);
void cli_json_end(cli_json *json);
/* These are called between begin and end. The key is NULL inside a list. A bracket is '{' or '[' to
 * open, and '}' or ']' to close. */
void cli_json_open(cli_json *json, const char *key, char bracket);
void cli_json_close(cli_json *json, char bracket);
void cli_json_integer(cli_json *json, const char *key, int64_t value);
void cli_json_real(cli_json *json, const char *key, double value);
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_text(cli_json *json, const char *key, const char *value); /* NULL becomes null */

/* Writes a word so that a POSIX shell reads it back, with quotes only if they are needed. */
void cli_shell_quote(FILE *stream, const char *word);

#endif
