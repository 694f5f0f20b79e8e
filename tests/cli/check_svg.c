/* SPDX-License-Identifier: Apache-2.0 */
/* check_svg FILE...: each is well-formed XML whose root is svg, has every id once, and draws
 * nothing at a place that is no number. Says what is wrong and exits 1 otherwise. */
#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char **ids;
    size_t count;
    bool root, numbers; /* the root was svg; every place is a number */
} document;

static void XMLCALL start_element(void *user, const char *name, const char **attributes) {
    document *seen = user;
    if (!seen->root && strcmp(name, "svg") != 0)
        seen->numbers = false;
    seen->root = true;
    for (; *attributes; attributes += 2) {
        if (strcmp(attributes[0], "id") == 0) {
            seen->ids = realloc(seen->ids, (seen->count + 1) * sizeof *seen->ids);
            if (!seen->ids || !(seen->ids[seen->count++] = strdup(attributes[1])))
                exit(1);
        } else if (strstr("x y cx cy r d width height", attributes[0]) &&
                   (strstr(attributes[1], "nan") || strstr(attributes[1], "inf"))) {
            seen->numbers = false;
        }
    }
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int complain(const char *path, const char *what) {
    printf("%s: %s\n", path, what);
    return 1;
}

static int check_ids(const char *path, document *seen) {
    int wrong = 0;
    if (seen->count)
        qsort(seen->ids, seen->count, sizeof *seen->ids, compare_ids);
    for (size_t i = 0; i < seen->count; i++) {
        if (i && strcmp(seen->ids[i], seen->ids[i - 1]) == 0)
            wrong = complain(path, seen->ids[i]);
    }
    for (size_t i = 0; i < seen->count; i++)
        free(seen->ids[i]);
    free(seen->ids);
    return wrong;
}

static int check_file(const char *path) {
    document seen = {.numbers = true};
    char buffer[65536];
    int wrong = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return complain(path, "cannot be opened");
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &seen);
    XML_SetStartElementHandler(parser, start_element);
    for (bool more = true; more && !wrong;) {
        size_t length = fread(buffer, 1, sizeof buffer, file);
        more = length == sizeof buffer;
        if (XML_Parse(parser, buffer, (int)length, !more) != XML_STATUS_OK)
            wrong = complain(path, XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    fclose(file);
    if (!seen.numbers)
        wrong = complain(path, "no svg, or a place that is no number");
    return check_ids(path, &seen) || wrong;
}

int main(int argc, char **argv) {
    int wrong = argc < 2;
    for (int i = 1; i < argc; i++)
        wrong |= check_file(argv[i]);
    return wrong;
}
