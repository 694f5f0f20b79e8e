/* SPDX-License-Identifier: Apache-2.0 */
#include "base_need.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef __wasm__
#include <sys/mman.h>
#endif

#include "base_context.h"

#define GIBIBYTE 0x1p30

double dgmi_memory_parse(const char *meminfo) {
    static const char key[] = "MemAvailable:";
    const char *line = strstr(meminfo, key);
    char *end;
    if (!line)
        return -1;
    double kibibytes = strtod(line + sizeof key - 1, &end);
    return strncmp(end, " kB", 3) == 0 ? 1024 * kibibytes : -1;
}

#ifdef __wasm__

/* Inside a page nobody says how much there is, and asking for memory is the only way to find out. */
double dgmi_memory_available(const dgm_context *ctx) {
    return ctx->memory > 0 ? ctx->memory : -1;
}

bool dgmi_room_for(int64_t bytes) {
    void *room = bytes <= PTRDIFF_MAX ? malloc((size_t)bytes) : NULL;
    free(room);
    return room != NULL;
}

#else

double dgmi_memory_available(const dgm_context *ctx) {
    char text[4096];
    if (ctx->memory > 0)
        return ctx->memory;
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file)
        return -1;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return dgmi_memory_parse(text);
}

/* Addresses, not pages: what is never written costs nothing, as in the libraries that ask. */
bool dgmi_room_for(int64_t bytes) {
    assert(bytes > 0);
    void *room = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, (size_t)bytes);
    return true;
}

#endif

dgm_status dgmi_need_check(dgm_context *ctx, const dgmi_need *need) {
    assert(0 <= need->least && need->what && need->advice);
    double available = dgmi_memory_available(ctx);
    if (available < 0 || need->least <= available)
        return DGM_OK;
    return dgmi_fail(
        ctx, DGM_ERROR_MEMORY,
        "%s needs about %.3g GB of memory beside the graph, and %.3g GB are available; "
        "%s",
        need->what, need->least / 1e9, available / 1e9, need->advice);
}

dgm_status dgmi_need_tell(dgm_context *ctx, const dgmi_need *need) {
    assert(need->least <= need->most);
    dgm_status status = dgmi_need_check(ctx, need);
    if (status != DGM_OK || need->most < GIBIBYTE)
        return status;
    if (need->most <= 1.1 * need->least)
        dgmi_note(ctx, "%s needs about %.3g GB of memory beside the graph", need->what,
                  need->most / 1e9);
    else
        dgmi_note(ctx, "%s needs %.3g to %.3g GB of memory beside the graph", need->what,
                  need->least / 1e9, need->most / 1e9);
    return DGM_OK;
}
