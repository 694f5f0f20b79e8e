/* SPDX-License-Identifier: Apache-2.0 */
/* Deep Graph Mapper. This header includes all the others: there is one for each stage, in the order
 * in which data passes through them.
 *
 * The library runs its own threads. Before its first product of matrices it calls
 * openblas_set_num_threads(1), which holds for the whole process. A program that also calls
 * OpenBLAS itself, and wants more threads there, must set their number again.
 */
#ifndef DGM_DGM_H
#define DGM_DGM_H

#include "dgm/status.h"

#include "dgm/context.h"
#include "dgm/option.h"

#include "dgm/matrix.h"

#include "dgm/graph.h"

#include "dgm/set.h"

#include "dgm/parts.h"

#include "dgm/predictions.h"

#include "dgm/knn.h"

#include "dgm/io.h"

#include "dgm/neural.h"

#include "dgm/lens.h"

#include "dgm/reduce.h"

#include "dgm/transform.h"

#include "dgm/mapper.h"

#include "dgm/profile.h"

#include "dgm/report.h"

#include "dgm/draw.h"

#include "dgm/export.h"

#include "dgm/workspace.h"

#include "dgm/explore.h"

#include "dgm/pool.h"

#include "dgm/pipeline.h"

#include "dgm/study.h"

#include "dgm/page.h"

#include "dgm/serve.h"

#include "dgm/reproduce.h"

#endif
