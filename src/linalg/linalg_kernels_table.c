/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg_kernels_lanes.h"

#include "linalg_embed.h"
#include "linalg_gaps.h"

#define TEXT(word)  #word
#define NAMED(word) TEXT(word)

extern const dgmi_embed_kernels KERNEL(embed_kernels);
extern const dgmi_gap_kernels KERNEL(gap_kernels);

const dgmi_kernels KERNEL(kernels) = {
    .name = NAMED(KERNEL_VARIANT),
    .embed = &KERNEL(embed_kernels),
    .gap = &KERNEL(gap_kernels),
    .product = KERNEL(product),
    .csr_product = KERNEL(csr_product),
    .column_sums = KERNEL(column_sums),
    .add_bias = KERNEL(add_bias),
    .map = KERNEL(map),
    .map_backward = KERNEL(map_backward),
    .prelu = KERNEL(prelu),
    .prelu_backward = KERNEL(prelu_backward),
    .dropout = KERNEL(dropout),
    .dropout_at = KERNEL(dropout_at),
    .axpy = KERNEL(axpy),
    .dot = KERNEL(dot),
    .adam = KERNEL(adam),
    .csr_rows = KERNEL(csr_rows),
    .panel_scores = KERNEL(panel_scores),
    .panel_sums = KERNEL(panel_sums),
    .panel_backward = KERNEL(panel_backward),
    .tile_product = KERNEL(tile_product),
    .block_elu = KERNEL(block_elu),
    .block_elu_backward = KERNEL(block_elu_backward),
};
