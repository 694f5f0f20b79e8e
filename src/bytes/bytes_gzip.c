/* SPDX-License-Identifier: Apache-2.0 */
#define ZLIB_CONST /* zlib then takes input that is constant */
#include "bytes_gzip.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "base_context.h"
#include "base_memory.h"

enum { LARGEST_WINDOW = 15, GZIP_ALONE = 16 };

struct dgmi_bytes_gzip {
    dgm_context *ctx;
    const char *name;
    dgmi_bytes_gzip_feed feed;
    void *user;
    const char *data; /* packed bytes that zlib has not been given */
    int64_t left;
    bool dry;   /* feed has no more */
    bool ended; /* the last member is whole */
    z_stream inflater;
};

static void *take_memory(void *user, unsigned count, unsigned size) {
    const dgmi_bytes_gzip *gzip = user;
    return dgmi_allocator_resize(&gzip->ctx->allocator, NULL, count, size);
}

static void give_memory(void *user, void *block) {
    const dgmi_bytes_gzip *gzip = user;
    dgmi_allocator_free(&gzip->ctx->allocator, block);
}

static dgm_status fail_damaged(const dgmi_bytes_gzip *gzip, const char *why) {
    return dgmi_fail_in(gzip->ctx, DGM_ERROR_FORMAT, gzip->name,
                        "damaged or truncated gzip data (%s); fetch or pack the file again", why);
}

static dgm_status fail_inflate(const dgmi_bytes_gzip *gzip, int result) {
    if (result == Z_MEM_ERROR)
        return dgmi_fail_memory(gzip->ctx, 1 << LARGEST_WINDOW, 1);
    return fail_damaged(gzip, gzip->inflater.msg ? gzip->inflater.msg : "zlib cannot read it");
}

dgm_status dgmi_bytes_gzip_open(dgm_context *ctx, const char *name, dgmi_bytes_gzip_feed feed,
                                void *user, dgmi_bytes_gzip **out) {
    dgmi_bytes_gzip *gzip = *out = dgmi_alloc_zero(ctx, 1, sizeof *gzip);
    if (!gzip)
        return DGM_ERROR_MEMORY;
    gzip->ctx = ctx;
    gzip->name = name;
    gzip->feed = feed;
    gzip->user = user;
    gzip->inflater = (z_stream){.zalloc = take_memory, .zfree = give_memory, .opaque = gzip};
    int result = inflateInit2(&gzip->inflater, LARGEST_WINDOW + GZIP_ALONE);
    if (result == Z_OK)
        return DGM_OK;
    dgm_status status = fail_inflate(gzip, result);
    dgmi_free(ctx, gzip);
    *out = NULL;
    return status;
}

void dgmi_bytes_gzip_close(dgmi_bytes_gzip *gzip) {
    if (!gzip)
        return;
    inflateEnd(&gzip->inflater);
    dgmi_free(gzip->ctx, gzip);
}

/* Sees to it that there is packed data, unless there is no more. zlib counts in unsigned. */
static dgm_status refill(dgmi_bytes_gzip *gzip) {
    if (gzip->inflater.avail_in > 0)
        return DGM_OK;
    dgm_status status = DGM_OK;
    if (gzip->left == 0 && !gzip->dry) {
        status = gzip->feed(gzip->user, &gzip->data, &gzip->left);
        gzip->dry = status == DGM_OK && gzip->left == 0;
    }
    int64_t take = gzip->left < INT_MAX ? gzip->left : INT_MAX;
    gzip->inflater.next_in = (const Bytef *)gzip->data;
    gzip->inflater.avail_in = (unsigned)take;
    gzip->data += take;
    gzip->left -= take;
    return status;
}

/* Tapes and block devices fill up with zeros. */
static dgm_status skip_padding(dgmi_bytes_gzip *gzip) {
    z_stream *z = &gzip->inflater;
    dgm_status status;
    while ((status = refill(gzip)) == DGM_OK && z->avail_in > 0)
        for (; z->avail_in > 0; z->avail_in--, z->next_in++)
            if (*z->next_in != 0)
                return fail_damaged(gzip, "something else follows its end");
    return status;
}

/* Behind a whole member: another one, zeros, or nothing. */
static dgm_status next_member(dgmi_bytes_gzip *gzip) {
    dgm_status status = refill(gzip);
    gzip->ended = status == DGM_OK && gzip->inflater.avail_in == 0;
    if (status != DGM_OK || gzip->ended)
        return status;
    if (*gzip->inflater.next_in == 0) {
        gzip->ended = true;
        return skip_padding(gzip);
    }
    return inflateReset(&gzip->inflater) == Z_OK ? DGM_OK : fail_damaged(gzip, "its members");
}

dgm_status dgmi_bytes_gzip_read(dgmi_bytes_gzip *gzip, char *buffer, int64_t size, int64_t *got) {
    z_stream *z = &gzip->inflater;
    dgm_status status = DGM_OK;
    *got = 0;
    while (*got < size && !gzip->ended && status == DGM_OK) {
        unsigned space = size - *got < INT_MAX ? (unsigned)(size - *got) : INT_MAX;
        if ((status = refill(gzip)) != DGM_OK)
            return status;
        z->next_out = (Bytef *)buffer + *got;
        z->avail_out = space;
        int result = inflate(z, Z_NO_FLUSH);
        *got += space - z->avail_out;
        if (result == Z_STREAM_END)
            status = next_member(gzip);
        else if (result == Z_BUF_ERROR) /* there is space, so it is data that is missing */
            status = fail_damaged(gzip, "it ends in the middle");
        else if (result != Z_OK)
            status = fail_inflate(gzip, result);
    }
    return status;
}
