/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_lanes.h"

#include "kernels_embed.h"
#include "kernels_gaps.h"

#define TEXT(word)  #word
#define NAMED(word) TEXT(word)

extern const dgmi_kernels_embed_table KERNEL(embed_table);
extern const dgmi_kernels_gap_table KERNEL(gap_table);

const dgmi_kernels KERNEL(table) = {
    .name = NAMED(KERNEL_VARIANT),
    .embed = &KERNEL(embed_table),
    .gap = &KERNEL(gap_table),
    .product = KERNEL(product),
    .csr_product = KERNEL(csr_product),
    .column_sums = KERNEL(column_sums),
    .add_bias = KERNEL(add_bias),
    .apply = KERNEL(apply),
    .apply_backward = KERNEL(apply_backward),
    .prelu = KERNEL(prelu),
    .prelu_backward = KERNEL(prelu_backward),
    .dropout = KERNEL(dropout),
    .dropout_at = KERNEL(dropout_at),
    .axpy = KERNEL(axpy),
    .dot = KERNEL(dot),
    .adam = KERNEL(adam),
    .csr_rows = KERNEL(csr_rows),
    .slab_scores = KERNEL(slab_scores),
    .slab_sums = KERNEL(slab_sums),
    .slab_backward = KERNEL(slab_backward),
    .tile_product = KERNEL(tile_product),
    .block_elu = KERNEL(block_elu),
    .block_elu_backward = KERNEL(block_elu_backward),
};
