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
    dgmi_random random = {(uint64_t)seed, UINT64_C(0xf01d) << 32 | (uint32_t) class, 0};
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

static dgm_status fail_count(dgm_context *ctx, int32_t count, int64_t graphs) {
    if (graphs < 3)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "a set of %lld graphs cannot be cross-validated: one fold tests, one "
                         "validates, the others train",
                         (long long)graphs);
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "%d folds for %lld graphs; ask for fewer, as " DGMI_NAMED("folds=%lld"), count,
                     (long long)graphs, (long long)graphs);
}

dgm_status dgmi_pool_folds_draw(dgm_context *ctx, const dgm_graph_set *set, int32_t count,
                                int64_t seed, dgmi_pool_folds *out) {
    int32_t class_count;
    const int32_t *classes = dgm_graph_set_classes(set, &class_count);
    if (count > dgm_graph_set_count(set))
        return fail_count(ctx, count, dgm_graph_set_count(set));
    dgm_status status = alloc_folds(ctx, set, out);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *members = dgmi_scratch(ctx, out->graphs, sizeof *members), dealt = 0;
    if (!members)
        status = DGM_ERROR_MEMORY;
    out->count = count;
    for (int32_t c = 0; status == DGM_OK && c < class_count; c++) {
        int64_t size = shuffle_class(classes, out->graphs, c, seed, members);
        for (int64_t i = 0; i < size; i++)
            out->of_graph[members[i]] = (int32_t)(dealt++ % count);
    }
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK)
        dgmi_pool_folds_free(ctx, out);
    return status;
}

/* A fold that tests nothing has no accuracy, and two folds leave nothing to train on. */
static dgm_status check_files(dgm_context *ctx, const dgmi_pool_folds *folds) {
    if (folds->count < 3)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the data set has files of %d folds, but at least 3 are needed: one "
                         "tests, one validates, the others train",
                         folds->count);
    for (int32_t f = 0; f < folds->count; f++) {
        int64_t g = 0;
        while (g < folds->graphs && folds->of_graph[g] != f)
            g++;
        if (g == folds->graphs)
            return dgmi_fail(ctx, DGM_ERROR_DATA, "fold %d of the data set's files has no graph",
                             f + 1);
    }
    return DGM_OK;
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
    status = check_files(ctx, out);
    if (status != DGM_OK)
        dgmi_pool_folds_free(ctx, out);
    return status;
}

/* How many folds test a graph of the class. */
static int32_t count_folds_of(const dgmi_pool_folds *folds, const int32_t *classes, int32_t class) {
    int32_t with = 0;
    for (int32_t f = 0; f < folds->count; f++) {
        int64_t g = 0;
        while (g < folds->graphs && (folds->of_graph[g] != f || classes[g] != class))
            g++;
        with += g < folds->graphs;
    }
    return with;
}

void dgmi_pool_folds_tell(dgm_context *ctx, const dgm_graph_set *set,
                          const dgmi_pool_folds *folds) {
    int32_t class_count;
    const int32_t *classes = dgm_graph_set_classes(set, &class_count);
    for (int32_t c = 0; c < class_count; c++) {
        int32_t with = count_folds_of(folds, classes, c);
        if (with < folds->count)
            dgmi_note(ctx, "only %d of %d folds test graphs of class %d: there are too few", with,
                      folds->count, dgm_graph_set_class_number(set, c));
    }
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
