/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary as GEXF 1.2, which Gephi and NetworkX both read (NetworkX reads no later
 * version). Its labels are the names of clusters. It has the same attributes as GraphML, and the
 * colours of the figure. If clusters have
 * places, the places and sizes are those of the figure too, in one unit. Otherwise areas are
 * proportional to the numbers of members, and the program that opens the file finds places.
 */
#include "export_formats.h"

enum { SMALLEST = 4, LARGEST = 40 }; /* in Gephi's units, radii */

/* Attributes of nodes: size 0, cell 1, then the facts, and last the members. */
enum { ATTRIBUTE_SIZE, ATTRIBUTE_CELL, ATTRIBUTE_FACTS };

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
    put(job, "    <attributes class=\"node\">\n");
    declare(job, ATTRIBUTE_SIZE, "size", "long");
    declare(job, ATTRIBUTE_CELL, "cell", "string");
    for (int64_t f = 0; f < job->facts.count; f++)
        declare(job, ATTRIBUTE_FACTS + f, job->facts.list[f].name,
                dgmi_export_xml_types[job->facts.list[f].type]);
    if (dgmi_export_has_members(job))
        declare(job, ATTRIBUTE_FACTS + job->facts.count, "members", "string");
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

/* Units of a place in one of the figure's: the largest mark has the largest size. */
static double unit_of(const dgmi_export *job) {
    double largest = 0;
    for (int64_t c = 0; job->places.x && c < job->clusters.count; c++)
        largest = job->places.radius[c] > largest ? job->places.radius[c] : largest;
    return largest > 0 ? LARGEST / largest : 1;
}

static void put_color(dgmi_export *job, dgmi_draw_colour colour) {
    put(job, "<viz:color r=\"");
    dgmi_text_integer(&job->text, colour.red);
    put(job, "\" g=\"");
    dgmi_text_integer(&job->text, colour.green);
    put(job, "\" b=\"");
    dgmi_text_integer(&job->text, colour.blue);
    put(job, "\"/>");
}

/* In the order of the schema: colour, position, size. */
static void put_looks(dgmi_export *job, int64_t cluster, double unit) {
    const dgm_places *places = &job->places;
    double size = SMALLEST + (LARGEST - SMALLEST) * dgmi_export_scale(job, cluster);
    put_color(job, job->fill[cluster]);
    if (places->x) {
        put(job, "<viz:position x=\"");
        dgmi_export_rough(job, places->x[cluster] * unit);
        put(job, "\" y=\"");
        dgmi_export_rough(job, places->y[cluster] * unit);
        put(job, "\" z=\"0\"/>");
        /* dust has the place of its mark, and not its size */
        size = dgmi_export_size(job, cluster) < places->dust
                   ? LARGEST * dgmi_export_scale(job, cluster)
                   : places->radius[cluster] * unit;
    }
    put(job, "<viz:size value=\"");
    dgmi_export_rough(job, size);
    put(job, "\"/>");
}

static void put_cluster(dgmi_export *job, int64_t cluster, double unit) {
    dgmi_export_fact_value value;
    put(job, "      <node id=\"");
    dgmi_text_integer(&job->text, cluster);
    put(job, "\" label=\"");
    dgmi_export_xml_text(job, dgmi_export_called(job, cluster));
    put(job, "\"><attvalues>");
    put_integer(job, ATTRIBUTE_SIZE, dgmi_export_size(job, cluster));
    open_value(job, ATTRIBUTE_CELL);
    dgmi_export_cell(job, cluster);
    put(job, "\"/>");
    for (int64_t f = 0; f < job->facts.count; f++)
        if (dgmi_export_facts_find(&job->facts, f, cluster, &value)) {
            open_value(job, ATTRIBUTE_FACTS + f);
            dgmi_export_xml_fact(job, job->facts.list[f].type, &value);
            put(job, "\"/>");
        }
    if (dgmi_export_has_members(job)) {
        open_value(job, ATTRIBUTE_FACTS + job->facts.count);
        dgmi_export_xml_members(job, cluster);
        put(job, "\"/>");
    }
    put(job, "</attvalues>");
    put_looks(job, cluster, unit);
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
    double unit = unit_of(job);
    if (!dgmi_export_paint(job) || !dgmi_export_call(job))
        return;
    put(job, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<gexf xmlns=\"http://www.gexf.net/1.2draft\""
             " xmlns:viz=\"http://www.gexf.net/1.2draft/viz\" version=\"1.2\">\n  <meta>\n    "
             "<creator>dgm ");
    put(job, dgm_version());
    put(job, "</creator>\n    <description>");
    dgmi_export_xml_text(job, job->provenance.command);
    put(job,
        "</description>\n  </meta>\n  <graph mode=\"static\" defaultedgetype=\"undirected\">\n");
    put_attributes(job);
    put(job, "    <nodes>\n");
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c, unit);
    put(job, "    </nodes>\n    <edges>\n");
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++)
        put_edge(job, e);
    put(job, "    </edges>\n  </graph>\n</gexf>\n");
}
