/* SPDX-License-Identifier: Apache-2.0 */
/* The bridges of a report: who joins classes, who joins clusters, and which edges of the graph lead
 * from piece to piece. */
#include "export_report.h"

enum { LISTED_BORDERS = 30 };

static void put(dgmi_export_page *page, const char *words) {
    dgmi_export_words(page, words);
}

/* "2, 8, 30 and 3 more", with their edges "2 (5), 8 (4), 30 (4) and 3 more" */
static void put_border_members(dgmi_export_page *page, const dgm_report_border *border) {
    for (int64_t i = 0; i < border->count; i++) {
        put(page, i ? ", " : "");
        dgmi_export_member(page, &border->bridges[i].member);
        if (border->bridges[i].across >= 0)
            dgmi_text_format(page->to, " (%lld)", (long long)border->bridges[i].across);
    }
    if (border->count < border->total) {
        put(page, " and ");
        dgmi_export_count(page, border->total - border->count);
        put(page, " more");
    }
}

static void put_border(dgmi_export_page *page, const dgm_report_border *border) {
    dgmi_export_count(page, border->total);
    dgmi_export_cell_end(page);
    dgmi_export_class(page, border->low_name);
    put(page, " and ");
    dgmi_export_class(page, border->high_name);
    dgmi_export_cell_end(page);
    dgmi_export_known(page, border->edges);
    dgmi_export_cell_end(page);
    put_border_members(page, border);
    dgmi_export_cell_end(page);
}

static void put_borders(dgmi_export_page *page) {
    int64_t count = page->totals.borders, listed = count < LISTED_BORDERS ? count : LISTED_BORDERS;
    if (count == 0)
        return;
    dgmi_export_heading(page, 3, "Between classes");
    put(page,
        !page->totals.bridges_shared
            ? "Nodes at home in clusters mostly of one class, with their edges that cross to "
              "clusters of the other."
            : "Nodes that lie both in a cluster mostly of one class and in a cluster mostly of "
              "the other.");
    dgmi_export_paragraph_end(page);
    dgmi_export_grid_begin(page, ">nodes|classes|>edges of the graph|who");
    for (int64_t b = 0; b < listed; b++)
        put_border(page, &dgm_report_borders(page->report)[b]);
    dgmi_export_grid_end(page);
    if (listed < count)
        dgmi_export_rest(page, count - listed, "pair of classes", 0, ".");
}

static void put_bridge(dgmi_export_page *page, const dgm_report_bridge *bridge,
                       const dgm_report_cluster *const *by_number) {
    const uint32_t joined[] = {bridge->home, bridge->other};
    dgmi_export_member(page, &bridge->member);
    dgmi_export_cell_end(page);
    dgmi_export_decimals(page, bridge->score);
    dgmi_export_cell_end(page);
    dgmi_export_count(page, page->totals.bridges_shared ? bridge->alone : bridge->across);
    dgmi_export_cell_end(page);
    dgmi_export_known(page, bridge->member.neighbours);
    dgmi_export_cell_end(page);
    if (!page->totals.bridges_shared)
        dgmi_export_cluster_list(page, joined, 2, by_number);
    else
        dgmi_export_cluster_list(page, bridge->clusters, bridge->member.clusters, by_number);
    dgmi_export_cell_end(page);
}

static void put_ranked(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    const dgm_report_totals *totals = &page->totals;
    const dgm_report_bridge *bridges = dgm_report_bridges(page->report);
    int64_t listed = 0;
    dgmi_export_grid_begin(page, totals->bridges_shared ? "node|>score|>alone|>neighbours|clusters"
                                                        : "node|>score|>across|>neighbours|joins");
    for (; listed < totals->bridges_told && bridges[listed].score > 0; listed++)
        put_bridge(page, &bridges[listed], by_number);
    dgmi_export_grid_end(page);
    if (listed < totals->bridges)
        dgmi_export_rest(page, totals->bridges - listed, "node", 0,
                         "; -o FILE.csv writes the clusters of every node.");
}

static void put_shared_nodes(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    const dgm_report_totals *totals = &page->totals;
    const dgm_report_bridge *bridges = dgm_report_bridges(page->report);
    dgmi_export_heading(page, 3, "Nodes in several clusters");
    if (totals->bridges <= 0) {
        put(page, totals->bridges < 0 ? "The file does not name the members."
                                      : "No node lies in more than one cluster.");
        dgmi_export_paragraph_end(page);
        return;
    }
    dgmi_export_count_of(page, totals->bridges, "node");
    put(page,
        totals->bridges == 1 ? " lies in more than one cluster" : " lie in more than one cluster");
    if (totals->bridges_told && bridges[0].score == 0) {
        put(page, ", but always in one inside the other: nothing hangs on them.");
        dgmi_export_paragraph_end(page);
        return;
    }
    put(page,
        ". The score is how much hangs on a node: for every two of its clusters, the nodes of "
        "the smaller one that are not in the other, divided by the number of nodes in both. "
        "Alone: pairs of clusters that no other node joins.");
    dgmi_export_paragraph_end(page);
    put_ranked(page, by_number);
}

static void put_joining_nodes(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    const dgm_report_totals *totals = &page->totals;
    dgmi_export_heading(page, 3, "Nodes that join clusters");
    dgmi_export_count_of(page, totals->bridges, "node");
    put(page, totals->bridges == 1 ? " has" : " have");
    put(page, " neighbours outside of home. The home of a node is that one of its clusters in "
              "which it has "
              "the most neighbours. The score is large for nodes with many neighbours, many of "
              "them outside, where few edges join two large clusters. Across: edges that leave the "
              "home. Joins: the home, and the cluster that adds most to the score.");
    dgmi_export_paragraph_end(page);
    put_ranked(page, by_number);
}

static void put_crossing(dgmi_export_page *page, const dgm_report_crossing *crossing) {
    dgmi_text_format(page->to, "%lld and %lld", (long long)crossing->low + 1,
                     (long long)crossing->high + 1);
    dgmi_export_cell_end(page);
    dgmi_export_count(page, crossing->edges);
    dgmi_export_cell_end(page);
    dgmi_export_decimals(page, crossing->score);
    dgmi_export_cell_end(page);
    for (int64_t i = 0; i < crossing->count; i++) {
        put(page, i ? "; " : "");
        dgmi_export_member(page, &crossing->ends[i][0]);
        put(page, " - ");
        dgmi_export_member(page, &crossing->ends[i][1]);
    }
    if (crossing->count < crossing->edges) {
        put(page, "; and ");
        dgmi_export_count(page, crossing->edges - crossing->count);
        put(page, " more");
    }
    dgmi_export_cell_end(page);
}

static void put_crossings(dgmi_export_page *page) {
    const dgm_report_totals *totals = &page->totals;
    if (totals->pieces < 2)
        return;
    dgmi_export_heading(page, 3, "Edges between pieces");
    if (totals->crossings <= 0) {
        put(page, totals->crossings < 0 ? "The file does not hold the edges of the graph."
                                        : "No edge of the graph leads from one piece to another.");
        dgmi_export_paragraph_end(page);
        return;
    }
    dgmi_export_count_of(page, totals->crossing_edges, "edge");
    put(page, totals->crossing_edges == 1 ? " of the graph leads between "
                                          : " of the graph lead between ");
    dgmi_export_count_of(page, totals->crossings, "pair of pieces");
    put(page, ". Pairs are ranked by the nodes of the smaller piece for each edge: the "
              "first hold the most by the fewest edges.");
    dgmi_export_paragraph_end(page);
    dgmi_export_grid_begin(page, "pieces|>edges|>nodes per edge|edges");
    for (int64_t i = 0; i < totals->crossings_told; i++)
        put_crossing(page, &dgm_report_crossings(page->report)[i]);
    dgmi_export_grid_end(page);
    if (totals->crossings_told < totals->crossings) {
        dgmi_export_rest(page, totals->crossings - totals->crossings_told, "pair of pieces", 0,
                         ".");
    }
}

void dgmi_export_bridges(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    if (page->totals.clusters == 0)
        return;
    dgmi_export_heading(page, 2, "Bridges");
    put_borders(page);
    if (page->totals.bridges_shared || page->totals.bridges <= 0)
        put_shared_nodes(page, by_number);
    else
        put_joining_nodes(page, by_number);
    put_crossings(page);
}
