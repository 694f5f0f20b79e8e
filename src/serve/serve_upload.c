/* SPDX-License-Identifier: Apache-2.0 */
/* A graph that is dropped on the page: it goes into a folder of its own among temporary files, so that
 * it is read as any other file, and is deleted when it has been read. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve_server.h"

enum { MOST_NAME = 100, MOST_PATH = 512 };

struct dgmi_serve_upload {
    dgm_server *server;
    FILE *file;
    char folder[MOST_PATH], path[MOST_PATH + MOST_NAME + 2];
    size_t size;
};

/* Keeps the end of a name, which says its format, and of that only what no file system and no shell
 * takes for anything else. */
static void clean_name(const char *name, char clean[MOST_NAME + 1]) {
    const char *slash = name ? strrchr(name, '/') : NULL;
    const char *from = slash ? slash + 1 : name ? name : "";
    size_t length = strlen(from), at = 0;
    from += length > MOST_NAME ? length - MOST_NAME : 0;
    for (; *from && at < MOST_NAME; from++)
        clean[at++] = isalnum((unsigned char)*from) || strchr("._-", *from) ? *from : '_';
    clean[at] = '\0';
    if (at == 0)
        snprintf(clean, MOST_NAME + 1, "graph.txt");
    if (clean[0] == '.' || clean[0] == '-')
        clean[0] = '_';
}

/* One file at a time: nobody drops two. */
static bool take_turn(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    bool mine = !server->uploading;
    server->uploading = true;
    pthread_mutex_unlock(&server->lock);
    return mine;
}

static void give_turn(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->uploading = false;
    pthread_mutex_unlock(&server->lock);
}

static bool open_upload(struct dgmi_serve_upload *upload, const char *name) {
    const char *place = getenv("TMPDIR");
    char clean[MOST_NAME + 1];
    clean_name(name, clean);
    if (!place || !*place || strlen(place) > MOST_PATH - 32)
        place = "/tmp";
    snprintf(upload->folder, sizeof upload->folder, "%s/dgm-open-XXXXXX", place);
    if (!mkdtemp(upload->folder)) {
        upload->folder[0] = '\0';
        return false;
    }
    snprintf(upload->path, sizeof upload->path, "%s/%s", upload->folder, clean);
    upload->file = fopen(upload->path, "wbxe");
    return upload->file;
}

struct dgmi_serve_upload *dgmi_serve_upload_begin(dgm_server *server, const char *name) {
    if (!take_turn(server))
        return NULL;
    struct dgmi_serve_upload *upload = calloc(1, sizeof *upload);
    if (!upload) {
        give_turn(server);
        return NULL;
    }
    upload->server = server;
    if (open_upload(upload, name))
        return upload;
    dgmi_serve_upload_free(upload);
    return NULL;
}

bool dgmi_serve_upload_take(struct dgmi_serve_upload *upload, const char *data, size_t size) {
    upload->size += size;
    return upload->size <= upload->server->limits.file &&
           fwrite(data, 1, size, upload->file) == size;
}

const char *dgmi_serve_upload_end(struct dgmi_serve_upload *upload) {
    int failed = fclose(upload->file);
    upload->file = NULL;
    return failed || upload->size == 0 ? NULL : upload->path;
}

void dgmi_serve_upload_free(struct dgmi_serve_upload *upload) {
    if (!upload)
        return;
    if (upload->file)
        fclose(upload->file);
    if (upload->path[0])
        unlink(upload->path);
    if (upload->folder[0])
        rmdir(upload->folder);
    give_turn(upload->server);
    free(upload);
}
