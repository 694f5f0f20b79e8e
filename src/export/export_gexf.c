/* SPDX-License-Identifier: Apache-2.0 */
/* The summary as GEXF 1.3, for Gephi and its relatives: attributes as in GraphML, and looks (area
 * by size, colour by the first axis of the lens). No positions: layout belongs to the program that
 * opens the file.
 */
#include "export_formats.h"

#include <math.h>

enum { SMALLEST = 4, LARGEST = 40 }; /* in Gephi's units */

/* Attributes of nodes: size 0, cell 1, then the lens, then class and class_share. */
enum { ATTRIBUTE_SIZE, ATTRIBUTE_CELL, ATTRIBUTE_LENS };

static void put(dgmi_export *job, const char *text) {
    dgmi_text_string(&job->text, text);
}

static void declare(dgmi_export *job, int64_t id, const char *title, const char *type) {
    put(job, "      <attribute id=\"");
    dgmi_text_integer(&job->text, id);
    put(job, "\" title=\"");
    dgmi_export_xml_text(job, title);
    put(job, "\" type=\"");
    put(job, type);
    put(job, "\"/>\n");
}

static void put_attributes(dgmi_export *job) {
    int64_t lens = job->clusters.dimension;
    put(job, "    <attributes class=\"node\">\n");
    declare(job, ATTRIBUTE_SIZE, "size", "long");
    declare(job, ATTRIBUTE_CELL, "cell", "string");
    for (int64_t c = 0; c < lens; c++)
        declare(job, ATTRIBUTE_LENS + c, job->axes[c], "double");
    if (job->view->labels.offsets) {
        declare(job, ATTRIBUTE_LENS + lens, "class", "string");
        declare(job, ATTRIBUTE_LENS + lens + 1, "class_share", "double");
    }
    put(job, "    </attributes>\n    <attributes class=\"edge\">\n");
    declare(job, 0, "shared", "long");
    declare(job, 1, "links", "long");
    put(job, "    </attributes>\n");
}

static void open_value(dgmi_export *job, int64_t id) {
    put(job, "<attvalue for=\"");
    dgmi_text_integer(&job->text, id);
    put(job, "\" value=\"");
}

static void put_integer(dgmi_export *job, int64_t id, int64_t value) {
    open_value(job, id);
    dgmi_text_integer(&job->text, value);
    put(job, "\"/>");
}

static void put_real(dgmi_export *job, int64_t id, double value) {
    if (!isfinite(value))
        return;
    open_value(job, id);
    dgmi_text_real(&job->text, value);
    put(job, "\"/>");
}

static void put_class(dgmi_export *job, int64_t cluster) {
    int64_t count;
    int64_t id = ATTRIBUTE_LENS + job->clusters.dimension;
    int32_t most = dgmi_export_majority(job, cluster, &count);
    if (most < 0)
        return;
    open_value(job, id);
    dgmi_export_xml_text(job, job->view->class_names[most]);
    put(job, "\"/>");
    put_real(job, id + 1, (double)count / (double)dgmi_export_size(job, cluster));
}

static void put_looks(dgmi_export *job, int64_t cluster) {
    dgmi_colour colour = dgmi_export_colour(job, cluster);
    put(job, "<viz:size value=\"");
    dgmi_export_rough(job, SMALLEST + (LARGEST - SMALLEST) * dgmi_export_scale(job, cluster));
    put(job, "\"/><viz:color r=\"");
    dgmi_text_integer(&job->text, colour.red);
    put(job, "\" g=\"");
    dgmi_text_integer(&job->text, colour.green);
    put(job, "\" b=\"");
    dgmi_text_integer(&job->text, colour.blue);
    put(job, "\"/>");
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    int64_t dimension = job->clusters.dimension;
    put(job, "      <node id=\"");
    dgmi_text_integer(&job->text, cluster);
    put(job, "\" label=\"");
    dgmi_text_integer(&job->text, cluster);
    put(job, "\"><attvalues>");
    put_integer(job, ATTRIBUTE_SIZE, dgmi_export_size(job, cluster));
    open_value(job, ATTRIBUTE_CELL);
    dgmi_export_cell(job, cluster);
    put(job, "\"/>");
    for (int64_t c = 0; c < dimension; c++)
        put_real(job, ATTRIBUTE_LENS + c, job->clusters.lens[cluster * dimension + c]);
    if (job->view->labels.offsets)
        put_class(job, cluster);
    put(job, "</attvalues>");
    put_looks(job, cluster);
    put(job, "</node>\n");
}

static void put_edge(dgmi_export *job, int64_t index) {
    const dgm_summary_edge *edge = &job->edges[index];
    put(job, "      <edge id=\"");
    dgmi_text_integer(&job->text, index);
    put(job, "\" source=\"");
    dgmi_text_integer(&job->text, edge->source);
    put(job, "\" target=\"");
    dgmi_text_integer(&job->text, edge->target);
    put(job, "\" weight=\"");
    dgmi_text_real(&job->text, edge->weight);
    put(job, "\"><attvalues>");
    put_integer(job, 0, edge->shared);
    put_integer(job, 1, edge->links);
    put(job, "</attvalues></edge>\n");
}

void dgmi_export_gexf(dgmi_export *job) {
    put(job, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<gexf xmlns=\"http://gexf.net/1.3\" xmlns:viz=\"http://gexf.net/1.3/viz\""
             " version=\"1.3\">\n  <meta>\n    <creator>dgm ");
    put(job, dgm_version());
    put(job, "</creator>\n    <description>");
    dgmi_export_xml_text(job, job->provenance.command);
    put(job, "</description>\n  </meta>\n  <graph defaultedgetype=\"undirected\">\n");
    put_attributes(job);
    put(job, "    <nodes>\n");
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
    put(job, "    </nodes>\n    <edges>\n");
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++)
        put_edge(job, e);
    put(job, "    </edges>\n  </graph>\n</gexf>\n");
}
