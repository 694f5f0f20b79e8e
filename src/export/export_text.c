/* SPDX-License-Identifier: Apache-2.0 */
/* What every format writes: texts made valid, pieces of text handed on. */
#include "export_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "io_escape.h"

enum { BLOCK = 1 << 20 };

bool dgmi_export_flush(dgmi_export *job) {
    dgmi_text *text = &job->text;
    if (text->status == DGM_OK)
        text->status = dgmi_progress(job->ctx, "writing the summary", -1);
    if (text->status == DGM_OK && job->output && text->length) {
        text->status = dgmi_output_write(job->output, text->data, (size_t)text->length);
        text->length = 0;
    }
    job->pause = text->length + BLOCK;
    return text->status == DGM_OK;
}

/* ---- texts ---- */

void dgmi_export_json_text(dgmi_export *job, const char *string, size_t length) {
    dgmi_text_append(&job->text, "\"", 1);
    job->replaced |= dgmi_escape_json(&job->text, string, length) > 0;
    dgmi_text_append(&job->text, "\"", 1);
}

void dgmi_export_xml_text(dgmi_export *job, const char *string) {
    job->replaced |= dgmi_escape_xml(&job->text, string, strlen(string)) > 0;
}

void dgmi_export_dot_text(dgmi_export *job, const char *string) {
    job->replaced |= dgmi_escape_dot(&job->text, string, strlen(string)) > 0;
}

void dgmi_export_csv_text(dgmi_export *job, const char *string, size_t length) {
    job->replaced |= dgmi_escape_csv(&job->text, string, length) > 0;
}

/* ---- pieces ---- */

void dgmi_export_cell(dgmi_export *job, int64_t cluster) {
    const int32_t *cell = job->clusters.cells + cluster * job->clusters.axes;
    for (int64_t a = 0; a < job->clusters.axes; a++) {
        if (a)
            dgmi_text_append(&job->text, " ", 1);
        dgmi_text_integer(&job->text, cell[a]);
    }
}

int32_t dgmi_export_majority(const dgmi_export *job, int64_t cluster, int64_t *count) {
    const dgmi_counts *labels = &job->view->labels;
    int32_t most = dgmi_counts_majority(labels, cluster, NULL);
    *count = 0;
    for (int64_t i = labels->offsets[cluster]; i < labels->offsets[cluster + 1]; i++)
        if (labels->values[i] == most)
            *count = labels->counts[i];
    return most;
}

void dgmi_export_rough(dgmi_export *job, double value) {
    dgmi_text_real(&job->text, round(value * 1000) / 1000);
}
