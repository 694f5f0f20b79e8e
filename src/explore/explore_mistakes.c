/* SPDX-License-Identifier: Apache-2.0 */
/* The question `mistakes`: how often each class is taken for each other, in the whole graph. */
#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "mapper_profile.h"

enum { MOST_CLASSES = 1000 };

dgm_status dgmi_explore_mistakes(dgm_context *ctx, dgm_explorer *explorer,
                                 const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    const dgm_predictions *predictions = explorer->lens.predictions;
    const int32_t *labels = dgm_graph_labels(explorer->graph);
    dgmi_explore_shown shown;
    int64_t judged = 0, wrong = 0;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status != DGM_OK)
        return status;
    if (!predictions || !labels)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "there are no classes and predictions");
    const int32_t *said = dgm_predictions_classes(predictions);
    int64_t classes = dgm_profile_classes(shown.profile);
    if (classes > MOST_CLASSES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "a table of %lld classes cannot be shown",
                         (long long)classes);
    uint32_t *matrix = dgmi_scratch_zero(ctx, classes * classes, sizeof *matrix);
    if (!matrix)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < dgm_graph_nodes(explorer->graph); u++)
        if (labels[u] >= 0 && said[u] >= 0) {
            matrix[labels[u] * classes + said[u]]++;
            judged++;
            wrong += dgmi_mapper_is_mistake(labels[u], said[u]);
        }
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_open(answer, "classes", '[');
    for (int32_t c = 0; c < classes; c++)
        dgmi_explore_text(answer, NULL, dgm_profile_class_name(shown.profile, c));
    dgmi_explore_close(answer, '[');
    dgmi_explore_integer(answer, "judged", judged);
    dgmi_explore_integer(answer, "wrong", wrong);
    dgmi_explore_numbers(answer, "matrix", matrix, classes * classes);
    return DGM_OK;
}
