/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_folds.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "nn_train.h"

static dgm_status alloc_folds(dgm_context *ctx, const dgm_graph_set *set, dgmi_pool_folds *out) {
    *out = (dgmi_pool_folds){.graphs = dgm_graph_set_count(set)};
    out->of_graph = dgmi_alloc(ctx, out->graphs, sizeof *out->of_graph);
    return out->of_graph ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Puts the graphs of a class into `members` in random order and returns how many there are. */
static int64_t shuffle_class(const int32_t *classes, int64_t graphs, int32_t class, int64_t seed,
                             int64_t *members) {
    int64_t count = 0;
    dgmi_random random = {(uint64_t)seed, UINT64_C(0xf01d) << 32 | (uint32_t)class, 0};
    for (int64_t g = 0; g < graphs; g++)
        if (classes[g] == class)
            members[count++] = g;
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(&random, (uint64_t)i + 1);
        int64_t other = members[i];
        members[i] = members[j];
        members[j] = other;
    }
    return count;
}

dgm_status dgmi_pool_folds_draw(dgm_context *ctx, const dgm_graph_set *set, int32_t count,
                                int64_t seed, dgmi_pool_folds *out) {
    int32_t class_count;
    const int32_t *classes = dgm_graph_set_classes(set, &class_count);
    dgm_status status = alloc_folds(ctx, set, out);
    if (status == DGM_OK && count > out->graphs)
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "%d folds for %lld graphs; ask for fewer, as " DGMI_NAMED("folds=%lld"),
                           count, (long long)out->graphs, (long long)out->graphs);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *members = dgmi_scratch(ctx, out->graphs, sizeof *members), dealt = 0;
    if (!members)
        status = DGM_ERROR_MEMORY;
    out->count = count;
    for (int32_t c = 0; status == DGM_OK && c < class_count; c++) {
        int64_t size = shuffle_class(classes, out->graphs, c, seed, members);
        if (size < count)
            dgmi_note(ctx, "class %d has %lld graphs for %d folds: some test folds have none of it",
                      dgm_graph_set_class_number(set, c), (long long)size, count);
        for (int64_t i = 0; i < size; i++)
            out->of_graph[members[i]] = (int32_t)(dealt++ % count);
    }
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK)
        dgmi_pool_folds_free(ctx, out);
    return status;
}

dgm_status dgmi_pool_folds_take(dgm_context *ctx, const dgm_graph_set *set, dgmi_pool_folds *out) {
    int32_t count;
    const int32_t *folds = dgm_graph_set_folds(set, &count);
    if (!folds)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the data set has no files of folds (10fold_idx/test_idx-1.txt ...); "
                         "give a number, as " DGMI_NAMED("folds=10"));
    dgm_status status = alloc_folds(ctx, set, out);
    if (status != DGM_OK)
        return status;
    out->count = count;
    memcpy(out->of_graph, folds, (size_t)out->graphs * sizeof *folds);
    return DGM_OK;
}

void dgmi_pool_folds_free(dgm_context *ctx, dgmi_pool_folds *folds) {
    dgmi_free(ctx, folds->of_graph);
    folds->of_graph = NULL;
}

uint64_t dgmi_pool_folds_hash(const dgmi_pool_folds *folds) {
    return dgmi_nn_fingerprint((uint64_t)folds->count, folds->of_graph,
                               (size_t)folds->graphs * sizeof *folds->of_graph);
}

dgm_status dgmi_pool_split_make(dgm_context *ctx, const dgmi_pool_folds *folds, int32_t test,
                                dgmi_pool_split *out) {
    int32_t validation = (test + 1) % folds->count;
    int64_t at = 0, *counts[] = {&out->train_count, &out->validation_count, &out->test_count};
    assert(test >= 0 && test < folds->count && folds->count > 1);
    *out = (dgmi_pool_split){.list = dgmi_alloc(ctx, folds->graphs, sizeof *out->list)};
    if (!out->list)
        return DGM_ERROR_MEMORY;
    for (int part = 0; part < 3; part++)
        for (int64_t g = 0; g < folds->graphs; g++) {
            int32_t fold = folds->of_graph[g];
            int of_graph = fold == test ? 2 : fold == validation ? 1 : 0;
            if (of_graph != part)
                continue;
            out->list[at++] = g;
            ++*counts[part];
        }
    out->train = out->list;
    out->validation = out->train + out->train_count;
    out->test = out->validation + out->validation_count;
    return DGM_OK;
}

void dgmi_pool_split_free(dgm_context *ctx, dgmi_pool_split *split) {
    dgmi_free(ctx, split->list);
    *split = (dgmi_pool_split){0};
}
