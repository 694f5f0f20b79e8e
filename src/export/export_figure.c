/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary as a picture: a figure with one panel. */
#include "export_formats.h"

#include "base_context.h"

/* The figure of the summary alone, made for the first picture and kept for the next. */
static dgm_status make_figure(dgmi_export *job) {
    if (job->figure)
        return DGM_OK;
    if (!job->places.x)
        return dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                         "a picture needs places for the clusters: lay out the view first");
    dgm_status status = dgmi_export_view(job);
    if (status == DGM_OK)
        status = dgm_figure_create(job->ctx, &job->figure_options, &job->own_figure);
    if (status == DGM_OK)
        status = dgm_figure_add_view(job->own_figure, job->view, NULL, NULL, NULL, 0);
    if (status == DGM_OK)
        job->figure = job->own_figure;
    return status;
}

static void write_figure(dgmi_export *job, dgm_figure_format format) {
    char *bytes = NULL;
    size_t length = 0;
    dgm_status status = make_figure(job);
    if (status == DGM_OK)
        status = dgm_figure_render(job->ctx, job->figure, format, &bytes, &length);
    if (status == DGM_OK)
        dgmi_text_append(&job->text, bytes, length);
    else
        job->text.status = status;
    dgm_figure_bytes_free(job->ctx, bytes);
}

void dgmi_export_svg(dgmi_export *job) {
    write_figure(job, DGM_FIGURE_SVG);
}

void dgmi_export_pdf(dgmi_export *job) {
    write_figure(job, DGM_FIGURE_PDF);
}

void dgmi_export_png(dgmi_export *job) {
    write_figure(job, DGM_FIGURE_PNG);
}
