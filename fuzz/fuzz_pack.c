/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the pack of an exported page: an explorer comes out that draws its picture and is
 * packed to bytes that give the same picture again, or an error. */
#include "fuzz_common.h"

#include <stdlib.h>
#include <string.h>

#include "explore_pack.h"

enum { AGAIN_EVERY = 4 };

/* The bytes of a picture without the times that it took, which are never the same: its arrays. */
static size_t arrays_of(const dgm_answer *answer, const char **from) {
    uint32_t length = 0;
    memcpy(&length, answer->bytes + 4, sizeof length);
    *from = answer->bytes + 8 + length;
    return answer->length - 8 - length;
}

static bool draw(dgm_context *ctx, dgm_explorer *explorer, dgm_answer *picture) {
    dgm_status status = dgm_explorer_ask(ctx, explorer, "picture", "", picture);
    fuzz_check_failure(status, picture->bytes);
    return status == DGM_OK;
}

/* All questions, or one. */
static void ask_more(dgm_context *ctx, dgm_explorer *explorer, unsigned bits) {
    static const char *const questions[][2] = {{"start", ""},
                                               {"cluster", "cluster=0"},
                                               {"members", "cluster=0"},
                                               {"columns", ""},
                                               {"bridges", ""},
                                               {"lens_view", ""},
                                               {"subgraph", "nodes=0&hops=1"},
                                               {"search", "text=a"},
                                               {"mistakes", ""},
                                               {"focus", "cluster=0"}};
    const size_t count = sizeof questions / sizeof *questions;
    const size_t begin = fuzz_whole ? 0 : bits % count, end = fuzz_whole ? count : begin + 1;
    for (size_t i = begin; i < end; i++) {
        dgm_answer answer;
        dgm_status status =
            dgm_explorer_ask(ctx, explorer, questions[i][0], questions[i][1], &answer);
        fuzz_check_failure(status, answer.bytes);
        dgm_answer_free(ctx, &answer);
    }
}

/* Packed and unpacked, an explorer draws the same places and colours. */
static void check_again(dgm_context *ctx, const dgm_explorer *explorer, const dgm_answer *picture) {
    dgm_answer pack, second = {NULL, 0};
    dgm_explorer *again = NULL;
    if (dgm_explorer_pack(ctx, explorer, &pack) != DGM_OK)
        return; /* memory ended */
    dgm_status status = dgm_explorer_unpack(ctx, pack.bytes, pack.length, &again);
    if (status != DGM_ERROR_MEMORY)
        fuzz_refuse("unpack", status == DGM_OK ? NULL : "what was packed cannot be unpacked");
    if (status == DGM_OK && draw(ctx, again, &second)) {
        const char *a, *b;
        size_t length = arrays_of(picture, &a), other = arrays_of(&second, &b);
        fuzz_refuse("picture",
                    length == other && memcmp(a, b, length) == 0 ? NULL : "a picture differs");
    }
    dgm_answer_free(ctx, &second);
    dgm_explorer_free(again);
    dgm_answer_free(ctx, &pack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    char *bytes = aligned_alloc(8, (size + 8) / 8 * 8);
    dgm_explorer *explorer = NULL;
    dgm_answer picture = {NULL, 0};
    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    if (size >= sizeof DGMI_EXPLORE_MAGIC) /* inputs stay good when the version changes */
        memcpy(bytes, DGMI_EXPLORE_MAGIC, sizeof DGMI_EXPLORE_MAGIC);
    dgm_status status = dgm_explorer_unpack(ctx, bytes, size, &explorer);
    fuzz_check_failure(status, explorer);
    free(bytes);
    unsigned bits = fuzz_bits(data, size);
    if (status == DGM_OK && draw(ctx, explorer, &picture)) {
        if (fuzz_whole || bits % AGAIN_EVERY == 0)
            check_again(ctx, explorer, &picture);
        ask_more(ctx, explorer, bits / AGAIN_EVERY);
    }
    dgm_answer_free(ctx, &picture);
    dgm_explorer_free(explorer);
    return 0;
}
