/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary as three tables (RFC 4180, but lines end in a line feed).
 *
 *   F.csv           node,cluster   one row for every membership, in the order of the nodes, then of
 *                                  the clusters; a node in no cluster of the summary has no row.
 *                                  If the summary has weights, they are a third column, weight
 *   F.clusters.csv  id,cell,size,... one row for every cluster: the coordinates of its cell with
 *                                  blanks between them, and the columns of export_facts.h; a value
 *                                  that is not known is empty
 *   F.edges.csv     source,target,shared,links,weight   one row for every edge
 */
#include "export_formats.h"

#include <string.h>

#include "base_context.h"

/* weight NULL: there are none. */
static void put_row(dgmi_export *job, int64_t node, uint32_t cluster, const double *weight) {
    size_t length;
    const char *name = dgm_graph_name_text(job->graph, node, &length);
    if (name)
        dgmi_export_csv_text(job, name, length);
    else
        dgmi_text_integer(&job->text, node + dgm_graph_name_base(job->graph));
    dgmi_text_append(&job->text, ",", 1);
    dgmi_text_integer(&job->text, cluster);
    if (weight) {
        dgmi_text_append(&job->text, ",", 1);
        dgmi_text_real(&job->text, *weight);
    }
    dgmi_text_append(&job->text, "\n", 1);
}

void dgmi_export_csv_memberships(dgmi_export *job) {
    dgm_membership *membership = NULL;
    dgm_status status = DGM_OK;
    if (!job->graph && job->clusters.members)
        status = dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                           "the names of the nodes are those of the graph: give it, too");
    bool weighed = dgm_summary_weights(job->summary) != NULL;
    if (status == DGM_OK)
        status = dgm_membership_from_summary(job->ctx, job->summary,
                                             weighed ? DGM_MEMBERSHIP_WEIGHTS : DGM_MEMBERSHIP_ONES,
                                             &membership);
    if (status != DGM_OK) {
        job->text.status = status;
        return;
    }
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    dgmi_text_string(&job->text, weighed ? "node,cluster,weight\n" : "node,cluster\n");
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1] && dgmi_export_step(job); i++)
            put_row(job, u, rows.columns[i], weighed ? &rows.values[i] : NULL);
    dgm_membership_free(membership);
}

static void put_comma(dgmi_export *job) {
    dgmi_text_append(&job->text, ",", 1);
}

static void put_fact(dgmi_export *job, int64_t fact, int64_t cluster) {
    dgmi_export_fact_value value;
    put_comma(job);
    if (!dgmi_export_facts_find(&job->facts, fact, cluster, &value))
        return;
    switch (job->facts.list[fact].type) {
    case DGMI_EXPORT_FACT_INTEGER:
        dgmi_text_integer(&job->text, value.integer);
        break;
    case DGMI_EXPORT_FACT_REAL:
        dgmi_text_real(&job->text, value.real);
        break;
    case DGMI_EXPORT_FACT_TEXT:
        dgmi_export_csv_text(job, value.text, strlen(value.text));
        break;
    }
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    dgmi_text_integer(&job->text, cluster);
    put_comma(job);
    dgmi_export_cell(job, cluster);
    put_comma(job);
    dgmi_text_integer(&job->text, dgmi_export_size(job, cluster));
    for (int64_t f = 0; f < job->facts.count; f++)
        put_fact(job, f, cluster);
    dgmi_text_append(&job->text, "\n", 1);
}

void dgmi_export_csv_clusters(dgmi_export *job) {
    dgmi_text_string(&job->text, "id,cell,size");
    for (int64_t f = 0; f < job->facts.count; f++) {
        const char *name = job->facts.list[f].name;
        put_comma(job);
        dgmi_export_csv_text(job, name, strlen(name));
    }
    dgmi_text_append(&job->text, "\n", 1);
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
}

void dgmi_export_csv_edges(dgmi_export *job) {
    dgmi_text_string(&job->text, "source,target,shared,links,weight\n");
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++) {
        const dgm_summary_edge *edge = &job->edges[e];
        const int64_t numbers[] = {edge->source, edge->target, edge->shared, edge->links};
        for (int i = 0; i < 4; i++) {
            dgmi_text_integer(&job->text, numbers[i]);
            put_comma(job);
        }
        dgmi_text_real(&job->text, edge->weight);
        dgmi_text_append(&job->text, "\n", 1);
    }
}
