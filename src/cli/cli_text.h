/* SPDX-License-Identifier: Apache-2.0 */
/* Small texts: numbers for people, JSON for programs. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* "1,090,108"; `buffer` holds CLI_COUNT_SPACE. */
enum { CLI_COUNT_SPACE = 32 };
const char *cli_count(int64_t number, char buffer[CLI_COUNT_SPACE]);
/* "1 node", "3 nodes": count and noun, an s where it is not one. */
enum { CLI_NOUN_SPACE = 64 };
const char *cli_count_of(int64_t number, const char *noun, char buffer[CLI_NOUN_SPACE]);

/* Closes the stream that open_memstream made of `text`; false if memory ended on the way, whenever
 * that was. The text is the caller's either way, and may be NULL. */
bool cli_close_text(FILE *stream, char *const *text);

/* A JSON object on a stream, indented by two. Keys keep their order; NaN and infinities become
 * null. */
typedef struct cli_json {
    FILE *stream;
    int depth;
    bool empty; /* nothing written yet at this depth */
} cli_json;

void cli_json_begin(cli_json *json, FILE *stream);
void cli_json_end(cli_json *json);
/* Between open and close; key NULL inside a list. */
void cli_json_open(cli_json *json, const char *key, char bracket);
void cli_json_close(cli_json *json, char bracket);
void cli_json_integer(cli_json *json, const char *key, int64_t value);
void cli_json_real(cli_json *json, const char *key, double value);
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_text(cli_json *json, const char *key, const char *value); /* NULL: null */

/* The word as a POSIX shell reads it back, with quotes only where they are needed. */
void cli_shell_quote(FILE *stream, const char *word);

#endif
