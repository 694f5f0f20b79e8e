/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_common.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of a few bytes may ask for a million nodes: that fails here, quickly, as it would on a
 * full machine. The work for a promise that is kept grows with it, so most inputs get small blocks
 * alone, and every sixteenth may have large ones. */
enum { SMALL_BLOCK = 160 << 10, LARGE_BLOCK = 6 << 20, LARGE_EVERY = 16 };
/* A reader makes up to a million nodes without being asked, and 64 more for each record of the
 * file; a node has a few tables of eight bytes. A small file that asks for more than this is a
 * flood. */
enum { FREE_BYTES = 64 << 20, BYTES_A_BYTE = 1 << 12 };

bool fuzz_whole;
static size_t input_size, largest_block;

static void *resize(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (size > FREE_BYTES + input_size * BYTES_A_BYTE)
        fuzz_refuse("memory", "a small input asks for a flood");
    return size > largest_block ? NULL : realloc(block, size);
}

static char notes[2][1 << 14]; /* those since the last call of fuzz_notes, and those before it */

static void keep_note(void *user, const char *note) {
    (void)user;
    if (strchr(note, '\n'))
        fuzz_refuse("note", "a note of several lines");
    size_t used = strlen(notes[0]);
    if (used + strlen(note) + 2 <= sizeof notes[0]) /* later ones are of kinds that were heard */
        snprintf(notes[0] + used, sizeof notes[0] - used, "%s\n", note);
}

static dgm_context *context;

static void free_context(void) {
    dgm_context_free(context);
}

dgm_context *fuzz_context(const uint8_t *data, size_t size) {
    static const dgm_allocator allocator = {resize, NULL};
    input_size = size;
    bool large = fuzz_whole || fuzz_bits(data, size) / 256 % LARGE_EVERY == 0;
    largest_block = large ? LARGE_BLOCK : SMALL_BLOCK;
    notes[0][0] = 0;
    if (!context) {
        if (dgm_context_create(&allocator, &context) != DGM_OK)
            abort();
        dgm_context_set_threads(context, 1);
        dgm_context_set_notes(context, keep_note, NULL);
        atexit(free_context);
    }
    return context;
}

void fuzz_allow(size_t size) {
    input_size = size;
}

const char *fuzz_notes(void) {
    memcpy(notes[1], notes[0], sizeof notes[0]);
    notes[0][0] = 0;
    return notes[1];
}

unsigned fuzz_bits(const uint8_t *data, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash >> 8;
}

void fuzz_refuse(const char *where, const char *wrong) {
    if (!wrong)
        return;
    fprintf(stderr, "%s: %s (last error: %s)\n", where, wrong,
            context ? dgm_context_error(context) : "");
    abort();
}

void fuzz_check_failure(dgm_status status, const void *result) {
    const char *error = dgm_context_error(context);
    if (status == DGM_OK)
        return;
    if (result)
        fuzz_refuse("failure", "a result was left behind");
    if (!error[0] || strchr(error, '\n'))
        fuzz_refuse("failure", "no error of one line");
    if (dgm_context_error_parts(context).status != status)
        fuzz_refuse("failure", "the error is another one than the call returned");
}

/* ---- files ---- */

static char folder[64];

static void remove_folder(void) {
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (directory)
        closedir(directory);
    rmdir(folder);
}

const char *fuzz_folder(void) {
    static const char *made;
    if (!made) {
        /* Memory where there is such a folder: files are most of the work of some targets. */
        const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(folder, sizeof folder, "%s/dgm-fuzz-XXXXXX", place);
        made = mkdtemp(folder);
        if (!made)
            abort();
        atexit(remove_folder);
    }
    return made;
}

const char *fuzz_save(const char *name, const void *data, size_t size) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    if (!file || (size && fwrite(data, 1, size, file) != size) || fclose(file) != 0)
        abort();
    return path;
}
