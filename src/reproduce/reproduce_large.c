/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the paper: how long graph-theoretic functions take on graphs of up to 326 thousand nodes.
 * This part alone holds times, so its bytes differ from run to run. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "reproduce_parts.h"
#include "reproduce_times.h"

/* The sets, from small to large. */
typedef struct large_set {
    const char *name;
    bool labels; /* a GCN can learn something there */
} large_set;
static const large_set sets[] = {{"lastfm-asia", true},
                                 {"pubmed", true},
                                 {"facebook-pages", true},
                                 {"soc-epinions1", false},
                                 {"web-notredame", false}};
enum { SETS = sizeof sets / sizeof *sets, LARGEST = SETS - 1 };

/* A budget above the number of nodes makes distances exact. */
static const char *const lenses[DGMI_REPRODUCE_FUNCTIONS] = {"degree",
                                                             "pagerank",
                                                             "density:budget=10000000",
                                                             "agd:budget=10000000",
                                                             "eigen",
                                                             "gcn:preset=reference,split=0.6,0.2",
                                                             "density",
                                                             "agd"};

/* The seconds that all threads of the program have worked: what else the machine does, does not
 * count. */
static double seconds_worked(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static bool is_run(int set, int function) {
    if (function == DGMI_REPRODUCE_NETWORK)
        return sets[set].labels;
    return function < DGMI_REPRODUCE_NETWORK || set == LARGEST;
}

static dgm_status measure(dgmi_reproduce_making *making, int set, dgmi_reproduce_times *out) {
    const char *name = sets[set].name;
    char data[48];
    dgm_graph *graph;
    snprintf(data, sizeof data, "data/%s", name);
    dgm_status status = dgmi_reproduce_open(making, data, &graph);
    if (status != DGM_OK)
        return status;
    *out = (dgmi_reproduce_times){
        name, sets[set].labels, dgm_graph_nodes(graph), dgm_graph_edges(graph), {0}};
    dgm_graph_free(graph);
    for (int i = 0; status == DGM_OK && i < DGMI_REPRODUCE_FUNCTIONS; i++) {
        out->seconds[i] = NAN;
        if (!is_run(set, i))
            continue;
        double began = seconds_worked();
        status = dgmi_reproduce_do(making, "lens data/%s --lens %s -o large/%s-%d.npy", name,
                                   lenses[i], name, i);
        out->seconds[i] = seconds_worked() - began;
    }
    return status;
}

static dgm_status compare_values(dgmi_reproduce_making *making, int exact, int sampled,
                                 double *out) {
    char right[64], near[64];
    snprintf(right, sizeof right, "large/%s-%d.npy", sets[LARGEST].name, exact);
    snprintf(near, sizeof near, "large/%s-%d.npy", sets[LARGEST].name, sampled);
    return dgmi_reproduce_times_compare(making->ctx, right, near, out);
}

dgm_status dgmi_reproduce_large(dgmi_reproduce_making *making) {
    dgmi_reproduce_times are[SETS];
    double density, distance;
    dgm_status status = DGM_OK;
    dgmi_reproduce_say(making,
                       "Times are those that processors work on whole commands: reading the graph, "
                       "the lens, and writing it, over all %d threads. All distances are exact, "
                       "from every node to every other; the Fiedler vector has a residual of 1e-8. "
                       "The GCN is the authors', with 81 epochs. We call difficult what takes "
                       "longer than a minute.",
                       dgm_context_threads(making->ctx));
    for (int i = 0; status == DGM_OK && i < SETS; i++)
        status = measure(making, i, &are[i]);
    if (status == DGM_OK)
        status = compare_values(making, DGMI_REPRODUCE_EXACT_DENSITY,
                                DGMI_REPRODUCE_SAMPLED_DENSITY, &density);
    if (status == DGM_OK)
        status =
            compare_values(making, DGMI_REPRODUCE_EXACT_AGD, DGMI_REPRODUCE_SAMPLED_AGD, &distance);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_times_tell(making, are, SETS, density, distance);
    return DGM_OK;
}
