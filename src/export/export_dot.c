/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a summary for Graphviz. Clusters are circles with the colours of the figure, whose areas
 * are proportional to the numbers of members; lines are as wide as the weights of edges. */
#include "export_formats.h"

#include <stdio.h>

/* Diameters in inches, fonts in points. Six digits of a font of SMALLEST * LETTER points still fit
 * their circle. */
static const double SMALLEST = 0.22, LARGEST = 1.2, LETTER = 22;
static const double THINNEST = 0.6, THICKEST = 5;
enum { FEW = 200 }; /* clusters that neato still lays out well and fast */

static void put(dgmi_export *job, const char *text) {
    dgmi_text_string(&job->text, text);
}

static void put_header(dgmi_export *job) {
    put(job, "graph \"");
    dgmi_export_dot_text(job, dgm_summary_get_graph(job->summary).source);
    put(job, "\" {\n  graph [layout=");
    put(job, job->clusters.count <= FEW ? "neato" : "sfdp");
    put(job, ", overlap=prism, outputorder=edgesfirst, comment=\"dgm ");
    put(job, dgm_version());
    if (*job->provenance.command) {
        put(job, ": ");
        dgmi_export_dot_text(job, job->provenance.command);
    }
    put(job, "\"];\n"
             "  node [shape=circle, fixedsize=true, style=filled, penwidth=0.5, color=\"#333333\","
             " fontname=\"Helvetica\"];\n"
             "  edge [color=\"#555555aa\"];\n");
}

/* Dark letters on light colours: the eye's weights of red, green and blue (ITU-R BT.601). */
static const char *letters_on(dgmi_draw_colour colour) {
    return 299 * colour.red + 587 * colour.green + 114 * colour.blue > 128000 ? "black" : "white";
}

static void put_tooltip(dgmi_export *job, int64_t cluster) {
    int64_t dimension = job->clusters.dimension;
    dgmi_export_fact_value weighed;
    put(job, ", tooltip=\"cluster ");
    dgmi_text_integer(&job->text, cluster);
    put(job, ", size ");
    dgmi_text_integer(&job->text, dgmi_export_size(job, cluster));
    if (dgm_summary_weights(job->summary)) { /* then the first fact is the size by weights */
        dgmi_export_facts_find(&job->facts, 0, cluster, &weighed);
        put(job, ", by weights ");
        dgmi_text_real(&job->text, weighed.real);
    }
    put(job, ", cell ");
    dgmi_export_cell(job, cluster);
    for (int64_t c = 0; c < dimension; c++) {
        put(job, "\\n");
        dgmi_export_dot_text(job, dgm_summary_axis_name(job->summary, c));
        put(job, " ");
        dgmi_text_real(&job->text, job->clusters.lens[cluster * dimension + c]);
    }
    put(job, "\"");
}

static void put_cluster(dgmi_export *job, int64_t cluster) {
    double width = SMALLEST + (LARGEST - SMALLEST) * dgmi_export_scale(job, cluster);
    dgmi_draw_colour colour = job->fill[cluster];
    put(job, "  ");
    dgmi_text_integer(&job->text, cluster);
    put(job, " [width=");
    dgmi_export_rough(job, width);
    put(job, ", fontsize=");
    dgmi_export_rough(job, width * LETTER);
    dgmi_text_format(&job->text, ", fillcolor=\"#%02x%02x%02x\", fontcolor=%s", colour.red,
                     colour.green, colour.blue, letters_on(colour));
    put_tooltip(job, cluster);
    put(job, "];\n");
}

static void put_edge(dgmi_export *job, const dgm_summary_edge *edge) {
    put(job, "  ");
    dgmi_text_integer(&job->text, edge->source);
    put(job, " -- ");
    dgmi_text_integer(&job->text, edge->target);
    put(job, " [penwidth=");
    dgmi_export_rough(job, THINNEST + (THICKEST - THINNEST) * edge->weight);
    put(job, ", tooltip=\"shared ");
    dgmi_text_integer(&job->text, edge->shared);
    put(job, ", links ");
    dgmi_text_integer(&job->text, edge->links);
    put(job, ", weight ");
    dgmi_text_real(&job->text, edge->weight);
    put(job, "\"];\n");
}

void dgmi_export_dot(dgmi_export *job) {
    if (!dgmi_export_paint(job))
        return;
    put_header(job);
    for (int64_t c = 0; c < job->clusters.count && dgmi_export_step(job); c++)
        put_cluster(job, c);
    for (int64_t e = 0; e < job->edge_count && dgmi_export_step(job); e++)
        put_edge(job, &job->edges[e]);
    put(job, "}\n");
}
