/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *cli_count(int64_t number, char buffer[CLI_COUNT_SPACE]) {
    char digits[CLI_COUNT_SPACE];
    int length = snprintf(digits, sizeof digits, "%" PRId64, number);
    int start = digits[0] == '-';
    char *out = buffer;
    for (int i = 0; i < length; i++) {
        if (i > start && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}

const char *cli_count_of(int64_t number, const char *noun, char buffer[CLI_NOUN_SPACE]) {
    char count[CLI_COUNT_SPACE];
    snprintf(buffer, CLI_NOUN_SPACE, "%s %s%s", cli_count(number, count), noun,
             number == 1 ? "" : "s");
    return buffer;
}

void cli_json_begin(cli_json *json, FILE *stream) {
    *json = (cli_json){stream, 0, true};
    cli_json_open(json, NULL, '{');
}

void cli_json_end(cli_json *json) {
    cli_json_close(json, '}');
    putc('\n', json->stream);
}

/* The length of the well-formed UTF-8 character at `text`, or 0. */
static int character_length(const unsigned char *text) {
    if (text[0] < 0x80)
        return 1;
    int length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4)
        return 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool beyond = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return overlong || beyond ? 0 : length;
}

/* Bytes that are no UTF-8 (a file name may hold any) become U+FFFD: the output is always JSON. */
static void write_string(FILE *stream, const char *text) {
    putc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int length = character_length(c);
        if (length == 0)
            fputs("\\ufffd", stream);
        else if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(stream, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)length, stream);
        c += length ? length : 1;
    }
    putc('"', stream);
}

static void start_value(cli_json *json, const char *key) {
    if (json->depth > 0)
        fprintf(json->stream, "%s\n%*s", json->empty ? "" : ",", 2 * json->depth, "");
    json->empty = false;
    if (key) {
        write_string(json->stream, key);
        fputs(": ", json->stream);
    }
}

void cli_json_open(cli_json *json, const char *key, char bracket) {
    start_value(json, key);
    putc(bracket, json->stream);
    json->depth++;
    json->empty = true;
}

void cli_json_close(cli_json *json, char bracket) {
    json->depth--;
    if (!json->empty)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    putc(bracket, json->stream);
    json->empty = false;
}

void cli_json_integer(cli_json *json, const char *key, int64_t value) {
    start_value(json, key);
    fprintf(json->stream, "%" PRId64, value);
}

/* The shortest decimal that reads back as the same double. */
void cli_json_real(cli_json *json, const char *key, double value) {
    char text[32] = "null";
    if (isfinite(value))
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, value);
            if (strtod(text, NULL) == value)
                break;
        }
    start_value(json, key);
    fputs(text, json->stream);
}

void cli_json_bool(cli_json *json, const char *key, bool value) {
    start_value(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void cli_json_text(cli_json *json, const char *key, const char *value) {
    start_value(json, key);
    if (value)
        write_string(json->stream, value);
    else
        fputs("null", json->stream);
}

void cli_shell_quote(FILE *stream, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,@%+-";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stream);
        return;
    }
    putc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            putc(*word, stream);
    }
    putc('\'', stream);
}

/* fclose says nothing of what went wrong before, nor of a text that it had no memory to hand over.
 */
bool cli_close_text(FILE *stream, char *const *text) {
    bool failed = ferror(stream);
    return fclose(stream) == 0 && !failed && *text;
}
