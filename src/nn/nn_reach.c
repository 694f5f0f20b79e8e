/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the receptive field of some nodes: what each layer must compute for their answers. */
#include "nn_reach.h"

#include <string.h>

#include "base_assert.h"
#include "base_memory.h"

/* Nodes of one level of the reach. */
typedef struct level {
    uint32_t *nodes; /* ascending */
    int64_t count;
} level;

/* Finds the columns that some rows have entries in. `seen` holds a byte per column; all of them are
 * 0 before and after. */
static dgm_status find_columns(dgm_context *ctx, const dgmi_table_csr *from, const level *rows,
                               uint8_t *seen, level *out) {
    int64_t count = 0;
    for (int64_t i = 0; i < rows->count; i++)
        for (int64_t e = from->offsets[rows->nodes[i]]; e < from->offsets[rows->nodes[i] + 1];
             e++) {
            count += !seen[from->indices[e]];
            seen[from->indices[e]] = 1;
        }
    out->count = 0;
    out->nodes = dgmi_scratch(ctx, count, sizeof *out->nodes);
    for (int64_t j = 0; j < from->columns; j++) {
        if (seen[j] && out->nodes)
            out->nodes[out->count++] = (uint32_t)j;
        seen[j] = 0;
    }
    assert(!out->nodes || out->count == count);
    return out->nodes ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Rows of `from`, their columns renamed by `places` (NULL: as they are), with the transpose. */
static dgm_status take_rows(dgm_context *ctx, const dgmi_table_csr *from, const level *rows,
                            const uint32_t *places, int64_t columns, dgmi_nn_sparse *out) {
    int64_t entries = 0;
    for (int64_t i = 0; i < rows->count; i++)
        entries += from->offsets[rows->nodes[i] + 1] - from->offsets[rows->nodes[i]];
    int64_t *offsets = dgmi_alloc(ctx, rows->count + 1, sizeof *offsets);
    uint32_t *indices = dgmi_alloc(ctx, entries, sizeof *indices);
    float *values = dgmi_alloc(ctx, entries, sizeof *values);
    out->matrix = (dgmi_table_csr){rows->count, columns, offsets, indices, values};
    if (!offsets || !indices || !values)
        return DGM_ERROR_MEMORY;
    int64_t at = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        offsets[i] = at;
        for (int64_t e = from->offsets[rows->nodes[i]]; e < from->offsets[rows->nodes[i] + 1];
             e++, at++) {
            indices[at] = places ? places[from->indices[e]] : from->indices[e];
            values[at] = from->values[e];
        }
    }
    offsets[rows->count] = at;
    assert(at == entries);
    const dgmi_table_csr matrix = out->matrix;
    return dgmi_nn_sparse_make(ctx, &matrix, false, out);
}

static void free_rows(dgm_context *ctx, dgmi_nn_sparse *sparse) {
    dgmi_free(ctx, (void *)sparse->matrix.offsets);
    dgmi_free(ctx, (void *)sparse->matrix.indices);
    dgmi_free(ctx, (void *)sparse->matrix.values);
    dgmi_nn_sparse_free(ctx, sparse);
}

static dgm_status take_features(dgm_context *ctx, const dgmi_nn_features *from, const level *rows,
                                dgmi_nn_features *out) {
    *out = (dgmi_nn_features){.rows = rows->count, .width = from->width};
    if (!from->dense)
        return take_rows(ctx, &from->sparse.matrix, rows, NULL, from->width, &out->sparse);
    float *values = dgmi_alloc(ctx, rows->count * from->width, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < rows->count; i++)
        memcpy(values + i * from->width, from->dense + rows->nodes[i] * from->width,
               (size_t)from->width * sizeof *values);
    out->dense = values;
    return DGM_OK;
}

/* A reach of more nodes than this share is not worth a copy. */
static bool is_most(int64_t count, int64_t nodes) {
    return count > nodes - nodes / 4;
}

/* One convolution: *rows are the nodes that it answers for, and then those that it gathers from.
 * *whole: it gathers from all, because it must or because they are most. */
static dgm_status restrict_layer(dgm_context *ctx, const dgmi_table_csr *from, level *rows,
                                 uint8_t *seen, uint32_t *places, bool *whole,
                                 dgmi_nn_sparse *out) {
    level columns;
    dgm_status status = find_columns(ctx, from, rows, seen, &columns);
    if (status != DGM_OK)
        return status;
    *whole = *whole || is_most(columns.count, from->columns);
    DGMI_ASSERT_WALK(dgmi_ascends(columns.nodes, columns.count));
    for (int64_t j = 0; j < columns.count; j++)
        places[columns.nodes[j]] = (uint32_t)j;
    status = take_rows(ctx, from, rows, *whole ? NULL : places,
                       *whole ? from->columns : columns.count, out);
    *rows = columns;
    return status;
}

dgm_status dgmi_nn_reach_make(dgm_context *ctx, const dgm_model *model, const dgmi_nn_sight *sight,
                              const uint32_t *rows, int64_t count, dgmi_nn_reach *out) {
    const dgmi_table_csr *propagation = &sight->propagation.matrix;
    assert(model->layer_count > 0 && model->layer_count <= DGMI_NN_MOST_LAYERS);
    DGMI_ASSERT_WALK(dgmi_ascends(rows, count) && dgmi_all_below(rows, count, propagation->rows));
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_OK;
    bool whole = false;
    *out = (dgmi_nn_reach){0};
    level at = {dgmi_scratch(ctx, count, sizeof *at.nodes), count};
    uint8_t *seen = dgmi_scratch_zero(ctx, propagation->columns, 1);
    uint32_t *places = dgmi_scratch(ctx, propagation->columns, sizeof *places);
    if (!at.nodes || !seen || !places)
        status = DGM_ERROR_MEMORY;
    else
        memcpy(at.nodes, rows, (size_t)count * sizeof *rows);
    for (int l = model->layer_count - 1; status == DGM_OK && !whole && l >= 0; l--) {
        if (!model->layers[l].convolution)
            continue; /* it answers for the nodes that it is asked about */
        out->restricted[l] = true;
        whole = l == 0 && sight->features.one_hot; /* X W is W, all of it */
        status = restrict_layer(ctx, propagation, &at, seen, places, &whole, &out->propagation[l]);
    }
    out->restricts_features = status == DGM_OK && !whole;
    if (out->restricts_features)
        status = take_features(ctx, &sight->features, &at, &out->features);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK)
        dgmi_nn_reach_free(ctx, out);
    return status;
}

void dgmi_nn_reach_free(dgm_context *ctx, dgmi_nn_reach *reach) {
    for (int l = 0; l < DGMI_NN_MOST_LAYERS; l++)
        free_rows(ctx, &reach->propagation[l]);
    dgmi_free(ctx, (void *)reach->features.dense);
    free_rows(ctx, &reach->features.sparse);
    *reach = (dgmi_nn_reach){0};
}
