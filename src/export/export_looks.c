/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the colours and sizes of clusters, for the formats that can hold them. */
#include "export_formats.h"

#include <math.h>

#include "draw_paint.h"

void dgmi_export_looks_open(dgmi_export *job) {
    for (int64_t c = 0; c < job->clusters.count; c++)
        if (dgmi_export_size(job, c) > job->largest)
            job->largest = dgmi_export_size(job, c);
}

dgm_status dgmi_export_view(dgmi_export *job) {
    if (job->view)
        return DGM_OK;
    dgm_status status =
        dgm_view_from_summary(job->ctx, job->summary, job->profile, &job->places, &job->own_view);
    if (status == DGM_OK && job->graph && job->clusters.members)
        status = dgm_view_set_graph(job->ctx, job->own_view, job->graph);
    job->view = job->own_view;
    return status;
}

bool dgmi_export_paint(dgmi_export *job) {
    const dgm_figure_options *options = &job->figure_options;
    dgmi_draw_paint paint;
    if (job->fill)
        return true;
    dgm_status status = dgmi_export_view(job);
    if (status == DGM_OK)
        status = dgmi_draw_paint_make(job->ctx, job->view, options->colour, options, NULL, &paint);
    if (status == DGM_OK)
        job->fill = paint.fill;
    else
        job->text.status = status;
    return status == DGM_OK;
}

double dgmi_export_scale(const dgmi_export *job, int64_t cluster) {
    return sqrt((double)dgmi_export_size(job, cluster) / (double)job->largest);
}
