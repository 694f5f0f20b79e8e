/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary as GraphML: an undirected graph of clusters with typed attributes. The ids of
 * nodes are the numbers of clusters.
 *
 *   nodes   label, size, cell ("3 7"), the columns of export_facts.h, and members, one name a line
 *   edges   weight, shared, links
 */
#include "export_formats.h"

static void put(dgmi_export *job, const char *text) {
    dgmi_text_string(&job->text, text);
}

static void put_keys(dgmi_export *job) {
    put(job, "  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"
             "  <key id=\"size\" for=\"node\" attr.name=\"size\" attr.type=\"long\"/>\n"
             "  <key id=\"cell\" for=\"node\" attr.name=\"cell\" attr.type=\"string\"/>\n");
    for (int64_t f = 0; f < job->facts.count; f++) {
        const dgmi_export_fact *fact = &job->facts.list[f];
        put(job, "  <key id=\"");
        put(job, fact->key);
        put(job, "\" for=\"node\" attr.name=\"");
        dgmi_export_xml_text(job, fact->name);
        put(job, "\" attr.type=\"");
        put(job, dgmi_export_xml_types[fact->type]);
        put(job, "\"/>\n");
    }
    if (dgmi_export_has_members(job))
        put(job, "  <key id=\"members\" for=\"node\" attr.name=\"members\" "
                 "attr.type=\"string\"/>\n");
    put(job, "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
             "  <key id=\"shared\" for=\"edge\" attr.name=\"shared\" attr.type=\"long\"/>\n"
             "  <key id=\"links\" for=\"edge\" attr.name=\"links\" attr.type=\"long\"/>\n");
}

static void put_description(dgmi_export *job) {
    put(job, "    <desc>dgm ");
    put(job, dgm_version());
    if (*job->provenance.command) {
        put(job, ": ");
        dgmi_export_xml_text(job, job->provenance.command);
    }
    put(job, "</desc>\n");
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    dgmi_export_fact_value value;
    put(job, "    <node id=\"");
    dgmi_text_integer(&job->text, cluster);
    put(job, "\"><data key=\"label\">");
    dgmi_export_xml_text(job, dgmi_export_called(job, cluster));
    put(job, "</data><data key=\"size\">");
    dgmi_text_integer(&job->text, dgmi_export_size(job, cluster));
    put(job, "</data><data key=\"cell\">");
    dgmi_export_cell(job, cluster);
    put(job, "</data>");
    for (int64_t f = 0; f < job->facts.count; f++) {
        if (!dgmi_export_facts_find(&job->facts, f, cluster, &value))
            continue;
        put(job, "<data key=\"");
        put(job, job->facts.list[f].key);
        put(job, "\">");
        dgmi_export_xml_fact(job, job->facts.list[f].type, &value);
        put(job, "</data>");
    }
    if (dgmi_export_has_members(job)) {
        put(job, "<data key=\"members\">");
        dgmi_export_xml_members(job, cluster);
        put(job, "</data>");
    }
    put(job, "</node>\n");
}

static void put_edge(dgmi_export *job, const dgm_summary_edge *edge) {
    put(job, "    <edge source=\"");
    dgmi_text_integer(&job->text, edge->source);
    put(job, "\" target=\"");
    dgmi_text_integer(&job->text, edge->target);
    put(job, "\"><data key=\"weight\">");
    dgmi_text_real(&job->text, edge->weight);
    put(job, "</data><data key=\"shared\">");
    dgmi_text_integer(&job->text, edge->shared);
    put(job, "</data><data key=\"links\">");
    dgmi_text_integer(&job->text, edge->links);
    put(job, "</data></edge>\n");
}

void dgmi_export_graphml(dgmi_export *job) {
    if (!dgmi_export_call(job))
        return;
    put(job, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\""
             " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
             " xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns"
             " http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n");
    put_keys(job);
    put(job, "  <graph id=\"summary\" edgedefault=\"undirected\">\n");
    put_description(job);
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++)
        put_edge(job, &job->edges[e]);
    put(job, "  </graph>\n</graphml>\n");
}
