/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a report (dgm/report.h) for people, as Markdown or as plain text:
 *
 *   what was made and how; pieces; clusters, the largest in full and the others as a table; bridges;
 *   loops; branches
 *
 * Wherever something is left out it is said how much, and where it can be seen.
 */
#include "export_report.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { LISTED_PIECES = 30 };

static void put(dgmi_export_page *page, const char *words) {
    dgmi_export_words(page, words);
}

/* ---- the overview ---- */

static void put_title(dgmi_export_page *page) {
    const char *source = dgm_summary_get_graph(page->job->summary).source;
    dgmi_text *to = page->to;
    dgmi_text title = {.ctx = page->job->ctx};
    page->to = &title;
    if (*source)
        dgmi_export_name(page, source);
    else
        put(page, "A graph");
    put(page, " in ");
    dgmi_export_count_of(page, page->totals.clusters, "cluster");
    page->to = to;
    if (title.status == DGM_OK)
        dgmi_export_heading(page, 1, title.data);
    else
        to->status = title.status;
    dgmi_text_free(&title);
}

static void put_found(dgmi_export_page *page) {
    char words[DGM_BITS_WORDS];
    dgm_bits bits = dgm_summary_get_bits(page->job->summary);
    if (!bits.known)
        return;
    dgmi_export_label(page, "**Found**");
    put(page, dgm_bits_words(&bits, words, sizeof words));
    dgmi_export_item_end(page);
}

static void put_shape(dgmi_export_page *page) {
    const dgm_summary *summary = page->job->summary;
    dgm_summary_graph graph = dgm_summary_get_graph(summary);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    dgmi_export_label(page, "**Graph**");
    dgmi_export_count_of(page, graph.nodes, "node");
    put(page, ", ");
    dgmi_export_count_of(page, graph.edges, "edge");
    dgmi_export_item_end(page);
    dgmi_export_label(page, "**Summary**");
    dgmi_export_count_of(page, page->totals.clusters, "cluster");
    put(page, ", ");
    dgmi_export_count_of(page, page->job->edge_count, "edge");
    put(page, ", ");
    dgmi_export_count_of(page, page->totals.pieces, "piece");
    if (topology.b1 >= 0) {
        put(page, ", ");
        if (topology.b1 == 0)
            put(page, "no loop at this resolution");
        else
            dgmi_export_count_of(page, topology.b1, "loop");
    }
    dgmi_export_item_end(page);
}

static void put_reason(dgmi_export_page *page, int64_t count, const char *reason) {
    if (count <= 0)
        return;
    put(page, "; ");
    dgmi_export_count_of(page, count, "node");
    put(page, " ");
    put(page, reason);
}

static void put_coverage(dgmi_export_page *page) {
    dgm_summary_coverage coverage = dgm_summary_get_coverage(page->job->summary);
    if (coverage.covered < 0)
        return;
    dgmi_export_label(page, "**Coverage**");
    dgmi_export_count(page, coverage.covered);
    put(page, " of ");
    dgmi_export_count_of(page, coverage.nodes, "node");
    put(page, " lie in a cluster");
    dgm_bits bits = dgm_summary_get_bits(page->job->summary);
    if (bits.edges > 0) {
        put(page, ", and ");
        dgmi_export_count(page, bits.inside);
        put(page, " of ");
        dgmi_export_count_of(page, bits.edges, "edge");
        put(page, " inside one, each node in its largest");
    } else if (coverage.edges_inside >= 0 && coverage.edges > 0) { /* a graph may have none */
        put(page, ", and ");
        dgmi_export_count(page, coverage.edges_inside);
        put(page, " of ");
        dgmi_export_count_of(page, coverage.edges, "edge");
        put(page, " inside one");
    }
    put_reason(page, coverage.filtered_cover, "left out, outside the cover");
    put_reason(page, coverage.filtered_noise, "left out as noise");
    put_reason(page, coverage.filtered_min_size, "left out in clusters below the least size");
    put_reason(page, coverage.filtered_min_component, "left out in pieces below the least size");
    put_reason(page, coverage.attached_nodes, "given to a neighbouring cluster");
    put_reason(page, coverage.taken, "taken into a neighbour's cell, where cells cut the graph");
    put_reason(page, coverage.dust_nodes, "in dust, clusters that figures fold");
    dgmi_export_item_end(page);
}

static void put_mistakes(dgmi_export_page *page) {
    dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(page->job->profile);
    if (!mistakes.known)
        return;
    dgm_judged covered = dgm_judged_sum(mistakes.covered);
    dgmi_export_label(page, "**Predictions**");
    dgmi_export_count(page, covered.mistakes);
    put(page, " of ");
    dgmi_export_count_of(page, covered.judged, "node");
    put(page, " with a label and a prediction are predicted wrongly");
    dgmi_export_item_end(page);
}

static void put_origin(dgmi_export_page *page) {
    const dgm_provenance *from = &page->job->provenance;
    if (*from->lens) {
        dgmi_export_label(page, "**Lens**");
        dgmi_export_name(page, from->lens);
        dgmi_export_item_end(page);
    }
    dgmi_export_label(page, "**Made by**");
    if (*from->command) {
        dgmi_export_code(page, from->command);
        put(page, ", ");
    }
    dgmi_text_format(page->to, "seed %lld, dgm ", (long long)from->seed);
    dgmi_export_name(page, from->version ? from->version : dgm_version());
    dgmi_export_item_end(page);
}

static void put_overview(dgmi_export_page *page) {
    put_title(page);
    put_found(page);
    put_shape(page);
    put_coverage(page);
    put_mistakes(page);
    put_origin(page);
    dgmi_text_string(page->to, "\n");
    if (!page->job->graph)
        put(page, "This summary was read without its graph: neighbours, attributes and edges "
                  "between pieces are not known here, and 'dgm map -o FILE.md' tells them.");
    else
        put(page, "Members are named by how many neighbours they have, the most first.");
    if (dgm_summary_weights(page->job->summary))
        put(page, " Members of a cluster that belong to it most, by their weights, come before "
                  "others.");
    if (!page->job->graph && dgmi_export_has_classes(page))
        put(page, " Chance is the share of a class among all memberships.");
    if (page->job->graph && (dgmi_export_has_classes(page) || page->totals.columns))
        put(page, " Comparisons are with all other nodes of the graph, and they describe: the "
                  "clusters were found in the same data. q is the rate of false discoveries over "
                  "all clusters together (Benjamini and Yekutieli).");
    dgmi_export_paragraph_end(page);
}

/* ---- pieces ---- */

static void put_piece(dgmi_export_page *page, int64_t index) {
    const dgm_report_piece *piece = &dgm_report_pieces(page->report)[index];
    const int64_t numbers[] = {index + 1, piece->members.total, piece->cluster_count, piece->loops};
    for (int i = 0; i < 4; i++) {
        dgmi_export_known(page, numbers[i]);
        dgmi_export_cell_end(page);
    }
    if (dgmi_export_has_classes(page)) {
        dgmi_export_class_cell(page, &piece->classes);
        dgmi_export_cell_end(page);
    }
    dgmi_export_members(page, &piece->members);
    dgmi_export_cell_end(page);
}

/* How many pieces are listed: those of one node are clusters, too, and are listed there. */
static int64_t count_listed(const dgmi_export_page *page) {
    const dgm_report_piece *pieces = dgm_report_pieces(page->report);
    int64_t listed = 0;
    while (listed < page->totals.pieces && listed < LISTED_PIECES &&
           (listed == 0 || pieces[listed].members.total > 1))
        listed++;
    return listed;
}

static void put_pieces(dgmi_export_page *page) {
    int64_t count = page->totals.pieces, listed = count_listed(page);
    dgmi_export_heading(page, 2, "Pieces");
    if (count == 0) {
        put(page, "The summary has no clusters.");
        dgmi_export_paragraph_end(page);
        return;
    }
    put(page, "A piece is a part of the summary that hangs together.");
    dgmi_export_paragraph_end(page);
    dgmi_export_grid_begin(page, dgmi_export_has_classes(page)
                                     ? ">piece|>nodes|>clusters|>loops|classes above chance|who"
                                     : ">piece|>nodes|>clusters|>loops|who");
    for (int64_t p = 0; p < listed; p++)
        put_piece(page, p);
    dgmi_export_grid_end(page);
    if (listed < count)
        dgmi_export_rest(page, count - listed, "piece",
                         dgm_report_pieces(page->report)[listed].members.total, ".");
}

/* ---- the whole ---- */

/* The clusters by their numbers; scratch memory. */
static const dgm_report_cluster **list_clusters(const dgmi_export_page *page) {
    const dgm_report_cluster *clusters = dgm_report_clusters(page->report);
    const dgm_report_cluster **by_number =
        dgmi_scratch(page->job->ctx, page->totals.clusters, sizeof *by_number);
    for (int64_t i = 0; by_number && i < page->totals.clusters; i++)
        by_number[clusters[i].cluster] = &clusters[i];
    return by_number;
}

static void put_report(dgmi_export_page *page) {
    dgmi_hold hold = dgmi_arena_hold(page->job->ctx);
    const dgm_report_cluster **by_number = list_clusters(page);
    if (by_number) {
        put_overview(page);
        put_pieces(page);
        dgmi_export_clusters(page);
        dgmi_export_bridges(page, by_number);
        dgmi_export_loops(page, by_number);
        dgmi_export_branches(page, by_number);
    } else {
        page->job->text.status = DGM_ERROR_MEMORY;
    }
    dgmi_arena_release(page->job->ctx, hold);
}

static void write_report(dgmi_export *job, bool markdown) {
    dgm_report *report = NULL;
    if (!dgmi_export_knows_names(job))
        return;
    job->text.status =
        dgm_report_create(job->ctx, job->summary, job->graph, job->profile, NULL, &report);
    if (job->text.status != DGM_OK)
        return;
    dgmi_export_page page = {.job = job,
                             .to = &job->text,
                             .markdown = markdown,
                             .report = report,
                             .totals = dgm_report_get_totals(report)};
    dgmi_text_init(&page.grid.text, job->ctx);
    put_report(&page);
    dgmi_export_grid_free(&page);
    dgm_report_free(report);
}

void dgmi_export_report(dgmi_export *job) {
    write_report(job, true);
}

void dgmi_export_report_plain(dgmi_export *job) {
    write_report(job, false);
}
