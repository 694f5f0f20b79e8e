/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_control.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reproduce_panels.h"

dgm_status dgmi_reproduce_look_at(dgmi_reproduce_making *making, const char *file,
                                  const dgm_graph *graph, dgmi_reproduce_look *out) {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_status status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status != DGM_OK)
        return status;
    out->clusters = dgm_summary_get_clusters(summary).count;
    out->topology = dgm_summary_get_topology(summary);
    dgm_summary_edges(summary, &out->edges);
    status = dgmi_reproduce_measure_classes(making->ctx, summary, graph, DGMI_REPRODUCE_SHUFFLES,
                                            making->options->seed, &out->classes);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    return status;
}

/* ---- a random lens ---- */

#define INTERVALS "1,2,3,4,5,6,7,8,9,10,12,14,16,20,28,40"
enum { CHOICES = 16 };

/* The number of intervals in the table whose clusters are nearest to `clusters`. */
static dgm_status choose_intervals(dgmi_reproduce_making *making, const char *table,
                                   int64_t clusters, int64_t *out) {
    dgmi_reproduce_panel panels[CHOICES];
    int64_t count, nearest = INT64_MAX;
    dgm_status status = dgmi_reproduce_panels_read(making, table, 1, CHOICES, panels, &count);
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        int64_t away = llabs((long long)(panels[i].clusters - clusters));
        if (away < nearest) {
            nearest = away;
            *out = panels[i].intervals;
        }
    }
    return status;
}

dgm_status dgmi_reproduce_look_randomly(dgmi_reproduce_making *making,
                                        const dgmi_reproduce_random *random, const char *file,
                                        const dgm_graph *graph, int64_t clusters,
                                        dgmi_reproduce_look *out) {
    int64_t intervals = 1;
    dgm_status status = dgmi_reproduce_need(
        making, random->table, "sweep %s --lens random --intervals " INTERVALS " %s -o %s",
        random->data, random->cover, random->table);
    if (status == DGM_OK)
        status = choose_intervals(making, random->table, clusters, &intervals);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map %s --lens random --intervals %lld %s%s%s -o %s",
                                   random->data, (long long)intervals, random->cover,
                                   *random->filter ? " " : "", random->filter, file);
    return status == DGM_OK ? dgmi_reproduce_look_at(making, file, graph, out) : status;
}

/* ---- tables ---- */

/* Writes a share with three digits; "none" where it is not defined. */
static const char *write_share(double value, char text[16]) {
    if (isnan(value))
        return "none";
    snprintf(text, 16, "%.3f", value);
    return text;
}

void dgmi_reproduce_look_row(dgmi_reproduce_making *making, const char *set, const char *lens,
                             const dgmi_reproduce_look *look) {
    char text[6][16];
    const dgmi_reproduce_chance *pure = &look->classes.purity,
                                *sorted = &look->classes.assortativity;
    dgmi_reproduce_row(making, "%s\t%s\t%lld\t%lld\t%s\t%s\t%s\t%s\t%s\t%s", set, lens,
                       (long long)look->clusters, (long long)look->classes.nodes,
                       write_share(pure->found, text[0]), write_share(pure->expected, text[1]),
                       write_share(pure->above, text[2]), write_share(sorted->found, text[3]),
                       write_share(sorted->expected, text[4]), write_share(sorted->above, text[5]));
}

void dgmi_reproduce_look_words(dgmi_reproduce_making *making, bool random) {
    dgmi_reproduce_say(
        making,
        "Purity is the share of nodes that are of their cluster's most frequent class. Clusters of "
        "one node are left out, and a node of k clusters counts 1/k in each. Assortativity says "
        "whether edges of the summary join clusters of one class (1), of any (0), or of different "
        "ones (below 0). By chance means: with the labels dealt out anew to the nodes, the "
        "clusters being as they are, on average over %d times.%s",
        DGMI_REPRODUCE_SHUFFLES,
        random ? " Beside a lens stands a random lens with the same overlap, and with the number "
                 "of intervals that brings it nearest to as many clusters, before small pieces are "
                 "dropped."
               : "");
}
