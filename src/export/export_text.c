/* SPDX-License-Identifier: Apache-2.0 */
/* Appends texts that are valid in each format, and gives the text to the sink piece by piece. */
#include "export_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"

enum { BLOCK = 1 << 20 };

bool dgmi_export_flush(dgmi_export *job) {
    dgmi_text *text = &job->text;
    if (text->status == DGM_OK)
        text->status = dgmi_progress(job->ctx, "writing the summary", -1);
    if (text->status == DGM_OK && job->sink && text->length) {
        text->status = job->sink->write(job->sink->user, text->data, (size_t)text->length);
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

bool dgmi_export_knows_names(dgmi_export *job) {
    if (job->graph || !job->clusters.members || job->clusters.count == 0)
        return true;
    job->text.status = dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                                 "the names of the members are those of the graph: give it, too");
    return false;
}

bool dgmi_export_call(dgmi_export *job) {
    const dgmi_mapper_name_source from = {
        .summary = job->summary, .graph = job->graph, .profile = job->profile};
    if (!job->names.starts && job->text.status == DGM_OK)
        job->text.status = dgmi_mapper_names_make(job->ctx, &from, &job->names);
    return job->text.status == DGM_OK;
}

/* A line end inside a name would look like the end of it. */
static void put_member(dgmi_export *job, const char *name, size_t length) {
    for (size_t done = 0, part; done <= length; done += part + 1) {
        const char *end = memchr(name + done, '\n', length - done);
        part = end ? (size_t)(end - name) - done : length - done;
        job->replaced |= dgmi_escape_xml(&job->text, name + done, part) > 0 || end;
        if (end)
            dgmi_text_string(&job->text, "\xEF\xBF\xBD");
    }
}

void dgmi_export_xml_members(dgmi_export *job, int64_t cluster) {
    int64_t begin = job->clusters.offsets[cluster], end = job->clusters.offsets[cluster + 1];
    for (int64_t i = begin; i < end && dgmi_export_step(job); i++) {
        char number[DGMI_NUMBER_SPACE];
        size_t length;
        const char *name = job->clusters.members
                               ? dgm_graph_name_text(job->graph, job->clusters.members[i], &length)
                               : dgm_summary_member_name(job->summary, i, &length);
        if (!name) {
            length = dgm_graph_name(job->graph, job->clusters.members[i], number, sizeof number);
            name = number;
        }
        if (i > begin)
            dgmi_text_string(&job->text, "&#10;");
        put_member(job, name, length);
    }
}

void dgmi_export_cell(dgmi_export *job, int64_t cluster) {
    const int32_t *cell = job->clusters.cells + cluster * job->clusters.axes;
    for (int64_t a = 0; a < job->clusters.axes; a++) {
        if (a)
            dgmi_text_append(&job->text, " ", 1);
        dgmi_text_integer(&job->text, cell[a]);
    }
}

const char *const dgmi_export_xml_types[] = {[DGMI_EXPORT_FACT_INTEGER] = "long",
                                             [DGMI_EXPORT_FACT_REAL] = "double",
                                             [DGMI_EXPORT_FACT_TEXT] = "string"};

void dgmi_export_xml_fact(dgmi_export *job, dgmi_export_fact_type type,
                          const dgmi_export_fact_value *value) {
    switch (type) {
    case DGMI_EXPORT_FACT_INTEGER:
        dgmi_text_integer(&job->text, value->integer);
        break;
    case DGMI_EXPORT_FACT_REAL:
        dgmi_text_real(&job->text, value->real);
        break;
    case DGMI_EXPORT_FACT_TEXT:
        dgmi_export_xml_text(job, value->text);
        break;
    }
}

void dgmi_export_rough(dgmi_export *job, double value) {
    dgmi_text_real(&job->text, round(value * 1000) / 1000);
}
