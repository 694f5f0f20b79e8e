/* SPDX-License-Identifier: Apache-2.0 */
/* The summary as two tables (RFC 4180, lines end in a line feed).
 *
 *   F.csv            node,cluster                one row a membership, in the order of the nodes,
 * then of the clusters; a node in no kept cluster has no row F.clusters.csv
 * id,cell,size,lens_AXIS,...  one row a cluster; the cell's coordinates with blanks between
 */
#include "export_formats.h"

#include <string.h>

static void put_row(dgmi_export *job, int64_t node, uint32_t cluster) {
    size_t length;
    const char *name = dgm_graph_name_text(job->graph, node, &length);
    if (name)
        dgmi_export_csv_text(job, name, length);
    else
        dgmi_text_integer(&job->text, node + dgm_graph_name_base(job->graph));
    dgmi_text_append(&job->text, ",", 1);
    dgmi_text_integer(&job->text, cluster);
    dgmi_text_append(&job->text, "\n", 1);
}

void dgmi_export_csv_memberships(dgmi_export *job) {
    dgm_membership *membership;
    dgm_status status =
        dgm_membership_from_summary(job->ctx, job->summary, DGM_MEMBERSHIP_ONES, &membership);
    if (status != DGM_OK) {
        job->text.status = status;
        return;
    }
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    dgmi_text_string(&job->text, "node,cluster\n");
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1] && dgmi_export_step(job); i++)
            put_row(job, u, rows.columns[i]);
    dgm_membership_free(membership);
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    const dgm_summary_clusters *clusters = &job->clusters;
    dgmi_text_integer(&job->text, cluster);
    dgmi_text_append(&job->text, ",", 1);
    dgmi_export_cell(job, cluster);
    dgmi_text_append(&job->text, ",", 1);
    dgmi_text_integer(&job->text, dgmi_export_size(job, cluster));
    for (int64_t c = 0; c < clusters->dimension; c++) {
        dgmi_text_append(&job->text, ",", 1);
        dgmi_text_real(&job->text, clusters->lens[cluster * clusters->dimension + c]);
    }
    dgmi_text_append(&job->text, "\n", 1);
}

void dgmi_export_csv_clusters(dgmi_export *job) {
    dgmi_text_string(&job->text, "id,cell,size");
    for (int64_t c = 0; c < job->clusters.dimension; c++) {
        dgmi_text_append(&job->text, ",", 1);
        dgmi_export_csv_text(job, job->axes[c], strlen(job->axes[c]));
    }
    dgmi_text_append(&job->text, "\n", 1);
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
}
