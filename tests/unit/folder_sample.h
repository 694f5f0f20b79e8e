/* SPDX-License-Identifier: Apache-2.0 */
/* A small summary, and a folder that it is written into. Included once a program. */
#ifndef FOLDER_SAMPLE_H
#define FOLDER_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "export_sample.h"

static dgm_context *ctx;

#include "unit_balance.h"
static sample made; /* a path of six nodes in two clusters */
static char folder[200];

static inline int make_all(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.150s/dgm-export-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder) || dgm_context_create(NULL, &ctx) != DGM_OK)
        return -1;
    static const int32_t labels[] = {0, 0, 1, 1, 1, 1};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    static const char *const classes[] = {"x", "y", NULL};
    made =
        sample_make(ctx, &(sample_parts){6, names, labels, classes, "path", 0, NULL, NULL}, NULL);
    return 0;
}

static inline int free_all(void **state) {
    (void)state;
    sample_free(&made);
    dgm_context_free(ctx);
    return rmdir(folder);
}

/* A path inside the folder; valid until called eight more times. */
static inline const char *inside(const char *name) {
    static char paths[8][400];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int files_in_folder(void) {
    DIR *open = opendir(folder);
    assert_non_null(open);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(open));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return count;
}

static inline char *read_whole(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    char *data = malloc(1 << 24);
    *length = fread(data, 1, (1 << 24) - 1, file);
    data[*length] = '\0';
    fclose(file);
    return data;
}

#endif
