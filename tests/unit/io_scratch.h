/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for one test program, files in it, notes and failures on demand. Included once a
 * program, after cmocka.h. */
#ifndef IO_SCRATCH_H
#define IO_SCRATCH_H

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

#include "unit_balance.h"

static char scratch_root[64];
static char scratch_notes[4096]; /* all notes since the last scratch_read, one per line */

/* Every allocation counts down; at zero it fails. -1: none fails. */
static long scratch_countdown = -1;

static void *scratch_resize(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (scratch_countdown >= 0 && scratch_countdown-- == 0)
        return NULL;
    return realloc(block, size);
}

static void scratch_note(void *user, const char *note) {
    size_t used = strlen(scratch_notes);
    (void)user;
    snprintf(scratch_notes + used, sizeof scratch_notes - used, "%s\n", note);
}

static int scratch_begin(void **state) {
    const dgm_allocator allocator = {scratch_resize, NULL};
    (void)state;
    strcpy(scratch_root, "/tmp/dgm-test-XXXXXX");
    if (!mkdtemp(scratch_root) || dgm_context_create(&allocator, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_notes(ctx, scratch_note, NULL);
    return 0;
}

static int scratch_remove(const char *path, const struct stat *facts, int kind, struct FTW *place) {
    (void)facts;
    (void)kind;
    (void)place;
    return remove(path);
}

static int scratch_end(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return nftw(scratch_root, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A path in the scratch folder; eight of them live at once. Folders on the way are made. */
static const char *scratch_path(const char *name) {
    static char paths[8][512];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_root, name);
    for (char *slash = path + strlen(scratch_root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return path;
}

/* A path in the scratch folder that repeats a slash until it has that length; good until the next
 * call. */
static inline const char *scratch_far_path(const char *name, size_t length) {
    static char path[8192];
    size_t root = strlen(scratch_root), last = strlen(name);
    assert_true(root + last < length && length < sizeof path);
    memset(path, '/', length);
    memcpy(path, scratch_root, root);
    memcpy(path + length - last, name, last + 1);
    return path;
}

static const char *scratch_bytes(const char *name, const void *data, size_t size) {
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *scratch_text(const char *name, const char *text) {
    return scratch_bytes(name, text, strlen(text));
}

/* All of a file, terminated; freed by the caller. */
static inline char *scratch_content(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *data = calloc(1, 1 << 20);
    size_t got = fread(data, 1, (1 << 20) - 1, file);
    fclose(file);
    if (size)
        *size = got;
    return data;
}

static inline dgm_graph *scratch_read_with(const char *path, const dgm_graph_options *options,
                                           const char *table) {
    dgm_graph *graph;
    scratch_notes[0] = '\0';
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options,
                                       &(dgm_graph_tables){.nodes = table}, &graph);
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

static inline dgm_graph *scratch_read(const char *path) {
    return scratch_read_with(path, NULL, NULL);
}

/* The last error's line must hold the words, and be about the file. */
static inline void scratch_check_error(const char *words) {
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("\"%s\" is not in \"%s\"", words, dgm_context_error(ctx));
    assert_null(strchr(dgm_context_error(ctx), '\n'));
}

static inline void scratch_refuses_with(const char *path, const dgm_graph_options *options,
                                        const char *table, dgm_status expected, const char *words) {
    dgm_graph *graph;
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options,
                                       &(dgm_graph_tables){.nodes = table}, &graph);
    assert_null(graph);
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
    if (!strstr(path, ".graphml") && !strstr(path, ".gexf") && !strstr(path, ".json"))
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1); /* others count lines alone */
}

static inline void scratch_refuses(const char *path, dgm_status expected, const char *words) {
    scratch_refuses_with(path, NULL, NULL, expected, words);
}

/* Lets the k-th allocation of `work` fail for every k, until it succeeds. ASan watches for leaks.
 */
static inline void scratch_fail_each(dgm_status (*work)(void *argument), void *argument) {
    for (long k = 0;; k++) {
        assert_true(k < 20000);
        scratch_countdown = k;
        dgm_status status = work(argument);
        bool failed = scratch_countdown < 0;
        scratch_countdown = -1;
        if (!failed) {
            assert_int_equal(status, DGM_OK);
            return;
        }
        /* A block that could not be made smaller stays as it is: that is no failure. */
        if (status != DGM_OK && status != DGM_ERROR_MEMORY)
            fail_msg("allocation %ld: %s", k, dgm_context_error(ctx));
    }
}

static inline dgm_status scratch_read_and_free(void *path) {
    dgm_graph *graph;
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

#endif
