/* SPDX-License-Identifier: Apache-2.0 */
/* Deep Graph Mapper: one header a stage, in the order in which data passes through them.
 *
 * Threads are the library's own. OpenBLAS is told to use one thread a call
 * (openblas_set_num_threads(1)), and that holds for the whole process from the first product on: a
 * program that calls OpenBLAS itself and wants more sets its number again.
 */
#ifndef DGM_DGM_H
#define DGM_DGM_H

#include "dgm/status.h"

#include "dgm/context.h"
#include "dgm/option.h"

#include "dgm/matrix.h"

#include "dgm/graph.h"

#include "dgm/predictions.h"

#include "dgm/knn.h"

#include "dgm/io.h"

#include "dgm/neural.h"

#include "dgm/lens.h"

#include "dgm/reduce.h"

#include "dgm/mapper.h"

#include "dgm/profile.h"

#include "dgm/draw.h"

#include "dgm/export.h"

#include "dgm/workspace.h"

#include "dgm/pipeline.h"

#endif
