/* SPDX-License-Identifier: Apache-2.0 */
#include "io_foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base_context.h"
#include "bytes_stream.h"

enum { FIRST_BYTES = 128 }; /* the header of a MATLAB file: its zeros stand at the end of it */

typedef enum { ADVISE_SAVING, ADVISE_NOTHING, ADVISE_MODEL, ADVISE_DRAW } advice;

typedef struct {
    const char *magic;
    size_t length;
    const char *what;
    advice advice;
    bool letters; /* a text may begin like this, too; the file has a byte 0 among its first */
} signature;

static const signature signatures[] = {
    {"\x89PNG", 4, "a picture", ADVISE_NOTHING, false},
    {"\xff\xd8\xff", 3, "a picture", ADVISE_NOTHING, false},
    {"GIF8", 4, "a picture", ADVISE_NOTHING, true},
    {"%PDF", 4, "a PDF", ADVISE_NOTHING, false},
    {"\x89HDF", 4, "an HDF5 file", ADVISE_SAVING, false},
    {"PAR1", 4, "a Parquet file", ADVISE_SAVING, true},
    {"SQLite format 3", 15, "a database", ADVISE_SAVING, true},
    {"MATLAB ", 7, "a MATLAB file", ADVISE_SAVING, true},
    {"{\"format\": \"dgm-summary\"", 24, "a summary that dgm wrote", ADVISE_DRAW, false},
};

static bool ends_with_any(const char *path, const char *const *endings) {
    for (; *endings; endings++)
        if (dgmi_bytes_ends_with(path, *endings))
            return true;
    return false;
}

/* Zips are told apart by their names: a zip as such is opened on the way. */
static const signature *find_zip(const char *path, dgmi_io_wanted wanted) {
    static const signature torch = {NULL, 0, "a file of torch.save, which is never unpickled here",
                                    ADVISE_SAVING, false};
    static const signature workbook = {NULL, 0, "a workbook", ADVISE_SAVING, false};
    static const signature arrays = {NULL, 0, "an archive of several arrays", ADVISE_SAVING, false};
    static const char *const torch_names[] = {".pt", ".pth", ".ckpt", ".bin", NULL};
    static const char *const workbook_names[] = {".xlsx", ".ods", NULL};
    if (ends_with_any(path, torch_names))
        return &torch;
    if (ends_with_any(path, workbook_names))
        return &workbook;
    return wanted != DGMI_IO_WANTED_GRAPH && dgmi_bytes_ends_with(path, ".npz") ? &arrays : NULL;
}

static const signature *find_signature(const char *bytes, size_t size, const char *path,
                                       dgmi_io_wanted wanted) {
    static const signature pickle = {NULL, 0, "a pickle, which is never opened here", ADVISE_SAVING,
                                     false};
    static const signature weights = {NULL, 0, "a file of weights (safetensors)", ADVISE_MODEL,
                                      false};
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (size >= signatures[i].length &&
            memcmp(bytes, signatures[i].magic, signatures[i].length) == 0 &&
            (!signatures[i].letters || memchr(bytes, 0, size)))
            return &signatures[i];
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0)
        return find_zip(path, wanted);
    if (size >= 2 && (unsigned char)bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5)
        return &pickle;
    /* A length of eight bytes, the highest of them 0, and a header in JSON. */
    return size >= 10 && bytes[6] == 0 && bytes[7] == 0 && bytes[8] == '{' ? &weights : NULL;
}

static dgm_status refuse(dgm_context *ctx, const char *path, const signature *found,
                         dgmi_io_wanted wanted) {
    static const char *const nouns[] = {"a graph", "a table of numbers", "a table of nodes",
                                        "a file of classes"};
    static const char *const saving[] = {
        ("; save the graph by numpy.savez(\"graph.npz\", edge_index=edge_index, x=x, y=y), or as "
         "an edge list"),
        "; save the numbers by numpy.save(\"lens.npy\", z.detach().cpu().numpy()), or as text",
        "; save the table as CSV with an id column",
        "; save the classes by numpy.save(\"labels.npy\", y.cpu().numpy()), or as text"};
    const char *words =
        found->advice == ADVISE_SAVING ? saving[wanted]
        : found->advice == ADVISE_MODEL
            ? "; a network is a lens by " DGMI_NAMED("lens=gcn") " " DGMI_NAMED("model=FILE")
        : found->advice == ADVISE_DRAW ? "; 'dgm draw' shows it"
                                       : "";
    return dgmi_fail_in(ctx, DGM_ERROR_FORMAT, path, "this is %s, not %s%s", found->what,
                        nouns[wanted], words);
}

dgm_status dgmi_io_foreign_check(dgm_context *ctx, const char *path, dgmi_io_wanted wanted) {
    char bytes[FIRST_BYTES];
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) /* a pipe can be read only once */
        return DGM_OK;
    FILE *file = fopen(path, "rb");
    if (!file)
        return DGM_OK;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const signature *found = find_signature(bytes, size, path, wanted);
    /* The reader of graphs has a word of its own on summaries. */
    if (!found || (found->advice == ADVISE_DRAW && wanted == DGMI_IO_WANTED_GRAPH))
        return DGM_OK;
    return refuse(ctx, path, found, wanted);
}
