/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 3, 5, 6 and 10: citation networks. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_jansson.h"
#include "reproduce_measure.h"
#include "reproduce_panels.h"
#include "reproduce_parts.h"

/* What most figures show of a summary in numbers. */
typedef struct shape {
    int64_t clusters, edges;
    int64_t deepest; /* the most clusters that share one node */
    dgm_summary_topology topology;
} shape;

static dgm_status look_at(dgmi_reproduce_making *making, const char *file, const dgm_graph *graph,
                          shape *out) {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_status status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status != DGM_OK)
        return status;
    out->clusters = dgm_summary_get_clusters(summary).count;
    dgm_summary_edges(summary, &out->edges);
    out->topology = dgm_summary_get_topology(summary);
    status = dgmi_reproduce_count_deepest(making->ctx, summary, &out->deepest);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    return status;
}

#define SHAPE_TITLES "set\tclusters\tedges\tpieces\tloops\ttriangles\tclusters at one node"
static void tabulate(dgmi_reproduce_making *making, const char *set, const shape *is) {
    dgmi_reproduce_row(making, "%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", set,
                       (long long)is->clusters, (long long)is->edges, (long long)is->topology.b0,
                       (long long)is->topology.b1, (long long)is->topology.triangles,
                       (long long)is->deepest);
}

/* ---- figure 3 ---- */

static dgm_status compare_axes(dgmi_reproduce_making *making) {
    static const char *const files[3] = {"fig3/dgm.json", "fig3/authors.json", "fig3/one.json"};
    static const char *const sets[3] = {"two axes", "two axes, authors' settings", "one axis"};
    dgm_graph *graph;
    shape seen[3];
    dgm_status status = dgmi_reproduce_open(making, "data/cora", &graph);
    for (int i = 0; status == DGM_OK && i < 3; i++)
        status = look_at(making, files[i], graph, &seen[i]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, SHAPE_TITLES);
    for (int i = 0; i < 3; i++)
        tabulate(making, sets[i], &seen[i]);
    dgmi_reproduce_judge(making, seen[0].deepest > 2,
                         "Two axes show cliques of more than two clusters.",
                         "up to %lld clusters share a node, and there are %lld triangles.",
                         (long long)seen[0].deepest, (long long)seen[0].topology.triangles);
    dgmi_reproduce_judge(making, seen[0].deepest > seen[2].deepest,
                         "One axis with the same cells shows only smaller cliques.",
                         "up to %lld clusters share a node.", (long long)seen[2].deepest);
    return DGM_OK;
}

#define GCN "--lens gcn:preset=reference --reduce tsne"

dgm_status dgmi_reproduce_fig3(dgmi_reproduce_making *making) {
    dgm_status status = dgmi_reproduce_do(
        making, "map data/cora " GCN " --dim 2 --intervals 9 --overlap 0.1 --colour lens "
                "--style paper -o fig3/dgm.json -o fig3/dgm.svg");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map data/cora " GCN
                                           " --dim 2 --intervals 8 --overlap 0.2 --compat dgm "
                                           "--min-component 15 --colour lens --style paper -o "
                                           "fig3/authors.json "
                                           "-o fig3/authors.svg");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map data/cora " GCN
                                           " --dim 1 --intervals 9 --overlap 0.1 -o fig3/one.json");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig3/dgm.svg",
                        "9 cells an axis and 10%% overlap, coloured by place in the lens.");
    dgmi_reproduce_show(making, "fig3/authors.svg", "The same with the authors' settings.");
    return compare_axes(making);
}

/* ---- figure 5 ---- */

#define SWEEP "fig5/sweep.json"
enum { PANELS = 6, COLUMNS = 3 };

static double edges_a_cluster(const dgmi_reproduce_panel *panel) {
    return (double)panel->edges / (double)panel->clusters;
}

/* Rows have one overlap, and columns one number of intervals. */
static void check_panels(dgmi_reproduce_making *making, const dgmi_reproduce_panel are[PANELS]) {
    bool grows = true, denser = true;
    for (int i = 0; i < PANELS; i++) {
        grows &= i % COLUMNS == 0 || are[i].clusters > are[i - 1].clusters;
        denser &= i < COLUMNS || edges_a_cluster(&are[i]) > edges_a_cluster(&are[i - COLUMNS]);
    }
    dgmi_reproduce_judge(making, grows, "More intervals make more clusters, for both overlaps.",
                         "%lld, %lld, %lld clusters at g = 0.2, and %lld, %lld, %lld at 0.4.",
                         (long long)are[0].clusters, (long long)are[1].clusters,
                         (long long)are[2].clusters, (long long)are[3].clusters,
                         (long long)are[4].clusters, (long long)are[5].clusters);
    dgmi_reproduce_judge(
        making, denser, "More overlap makes more edges a cluster, for all numbers of intervals.",
        "%.1f, %.1f, %.1f edges a cluster at g = 0.2, and %.1f, %.1f, %.1f at "
        "0.4.",
        edges_a_cluster(&are[0]), edges_a_cluster(&are[1]), edges_a_cluster(&are[2]),
        edges_a_cluster(&are[3]), edges_a_cluster(&are[4]), edges_a_cluster(&are[5]));
}

/* A whole number under a key; -1 if there is none. */
static int64_t number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (int64_t)json_integer_value(value) : -1;
}

/* How many bars of a dimension a tower has, and how many of them last from its finest to its
 * coarsest cover. */
static void count_bars(const json_t *tower, int dimension, int64_t *all, int64_t *lasting) {
    const json_t *bars = json_object_get(tower, "bars");
    int64_t finest =
        (int64_t)json_integer_value(json_array_get(json_object_get(tower, "panels"), 0));
    *all = *lasting = 0;
    for (size_t i = 0; i < json_array_size(bars); i++) {
        const json_t *bar = json_array_get(bars, i);
        if (number_of(bar, "dimension") != dimension)
            continue;
        *all += 1;
        *lasting += number_of(bar, "birth") == finest && number_of(bar, "death") < 0;
    }
}

/* One end of a tower: the panel whose number its list has at a place; NULL: there is none. */
static const dgmi_reproduce_panel *find_end(const json_t *list, size_t place,
                                            const dgmi_reproduce_panel are[PANELS]) {
    const json_t *number = json_array_get(list, place);
    json_int_t panel = json_integer_value(number);
    return json_is_integer(number) && panel >= 0 && panel < PANELS ? &are[panel] : NULL;
}

/* What persists along each series of covers that refine each other. */
static dgm_status put_towers(dgmi_reproduce_making *making, const json_t *towers,
                             const dgmi_reproduce_panel are[PANELS]) {
    dgmi_reproduce_head(making, "from\tto\tpieces\tthat last\tloops\tthat last");
    for (size_t i = 0; i < json_array_size(towers); i++) {
        const json_t *tower = json_array_get(towers, i), *list = json_object_get(tower, "panels");
        const dgmi_reproduce_panel *from = find_end(list, 0, are);
        const dgmi_reproduce_panel *to = find_end(list, json_array_size(list) - 1, are);
        int64_t pieces, loops, lasting_pieces, lasting_loops;
        if (!from || !to)
            return dgmi_fail_at(making->ctx, DGM_ERROR_DATA, SWEEP, 0, -1,
                                "towers[%zu] does not lead from panel to panel", i);
        count_bars(tower, 0, &pieces, &lasting_pieces);
        count_bars(tower, 1, &loops, &lasting_loops);
        dgmi_reproduce_row(making, "n = %lld, g = %g\tn = %lld, g = %g\t%lld\t%lld\t%lld\t%lld",
                           (long long)from->intervals, from->overlap, (long long)to->intervals,
                           to->overlap, (long long)pieces, (long long)lasting_pieces,
                           (long long)loops, (long long)lasting_loops);
    }
    return DGM_OK;
}

/* Edges between clusters of two classes, panel by panel: the first two columns are their names. */
static void put_pair(dgmi_reproduce_making *making, const json_t *pair) {
    const json_t *classes = json_object_get(pair, "classes");
    const json_t *edges = json_object_get(pair, "edges");
    const char *one = json_string_value(json_array_get(classes, 0));
    const char *other = json_string_value(json_array_get(classes, 1));
    long long at[PANELS];
    for (int i = 0; i < PANELS; i++)
        at[i] = (long long)json_integer_value(json_array_get(edges, (size_t)i));
    dgmi_reproduce_row(making, "%s and %s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", one ? one : "?",
                       other ? other : "?", at[0], at[1], at[2], at[3], at[4], at[5]);
}

static void check_pairs(dgmi_reproduce_making *making, const json_t *pairs) {
    int64_t always = 0, sometimes = 0, number = (int64_t)json_array_size(pairs);
    dgmi_reproduce_head(making,
                        "edges between\t5, 0.2\t10, 0.2\t20, 0.2\t5, 0.4\t10, 0.4\t20, 0.4");
    for (int64_t i = 0; i < number; i++) {
        const json_t *pair = json_array_get(pairs, (size_t)i);
        int64_t joined = number_of(pair, "joined");
        put_pair(making, pair);
        always += joined == PANELS;
        sometimes += joined > 0 && joined < PANELS;
    }
    dgmi_reproduce_judge(making, always > 0, "Some classes are joined at all six resolutions.",
                         "%lld of %lld pairs of classes.", (long long)always, (long long)number);
    dgmi_reproduce_judge(making, sometimes > 0,
                         "Some connections of classes do not survive at all resolutions.",
                         "at some resolutions only are joined: %lld.", (long long)sometimes);
}

static dgm_status check_persistence(dgmi_reproduce_making *making, const json_t *root,
                                    const dgmi_reproduce_panel are[PANELS]) {
    dgmi_reproduce_say(making, "What lasts from a fine cover to a coarse one, along each series of "
                               "covers that refine each other:");
    dgm_status status = put_towers(making, json_object_get(root, "towers"), are);
    if (status != DGM_OK)
        return status;
    check_panels(making, are);
    dgmi_reproduce_say(making, "Which classes are joined, by n and g:");
    check_pairs(making, json_object_get(root, "class_pairs"));
    return DGM_OK;
}

static dgm_status check_sweep(dgmi_reproduce_making *making) {
    dgmi_bytes_stream *stream = NULL;
    json_t *root = NULL;
    dgmi_reproduce_panel are[PANELS];
    int64_t count;
    dgm_status status = dgmi_reproduce_panels_read(making, SWEEP, PANELS, PANELS, are, &count);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_open(making->ctx, SWEEP, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(making->ctx, stream, "reading the sweep", &root);
    dgmi_bytes_stream_close(stream);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "intervals\toverlap\tclusters\tedges\tpieces\tloops");
    for (int i = 0; i < PANELS; i++)
        dgmi_reproduce_row(making, "%lld\t%g\t%lld\t%lld\t%lld\t%lld", (long long)are[i].intervals,
                           are[i].overlap, (long long)are[i].clusters, (long long)are[i].edges,
                           (long long)are[i].b0, (long long)are[i].b1);
    status = check_persistence(making, root, are);
    json_decref(root);
    return status;
}

dgm_status dgmi_reproduce_fig5(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(making, "The paper does not name the lens of this figure. Ours is that of "
                               "its other figures of classes: the scores of a GCN, by t-SNE.");
    dgm_status status = dgmi_reproduce_do(
        making, "sweep data/citeseer " GCN " --dim 2 --intervals 5,10,20 --overlap 0.2,0.4 "
                "--colour labels --style paper --width 180mm -o fig5/sweep.json -o fig5/sweep.svg");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map data/citeseer " GCN
                                           " --dim 2 --intervals 6 --overlap 0.2 --compat dgm "
                                           "--min-component 20 --colour labels --style paper "
                                           "-o fig5/authors.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig5/sweep.svg",
                        "Six covers in one layout, with the bars of what persists.");
    dgmi_reproduce_show(making, "fig5/authors.svg",
                        "The authors' settings: 6 intervals, an overlap of 0.2, and no pieces of "
                        "fewer than 20 nodes.");
    return check_sweep(making);
}

/* ---- figure 6 ---- */

/* Counts the classes of the graph that are the most frequent one of some cluster. */
static dgm_status count_shown(dgmi_reproduce_making *making, const char *file,
                              const dgm_profile *profile, int64_t clusters, int32_t classes,
                              int32_t *shown) {
    dgmi_hold hold = dgmi_arena_hold(making->ctx);
    int32_t *majority = dgmi_scratch(making->ctx, clusters, sizeof *majority);
    bool *has = dgmi_scratch_zero(making->ctx, classes, sizeof *has);
    dgm_status status = majority && has ? DGM_OK : DGM_ERROR_MEMORY;
    *shown = 0;
    if (status == DGM_OK)
        dgmi_reproduce_majorities(dgm_profile_labels(profile), clusters, majority);
    for (int64_t c = 0; status == DGM_OK && c < clusters; c++) {
        if (majority[c] >= classes)
            status =
                dgmi_fail_at(making->ctx, DGM_ERROR_DATA, file, 0, -1,
                             "nodes[%lld] has a class that the graph does not have", (long long)c);
        else if (majority[c] >= 0 && !has[majority[c]]) {
            has[majority[c]] = true;
            *shown += 1;
        }
    }
    dgmi_arena_release(making->ctx, hold);
    return status;
}

static dgm_status check_classes(dgmi_reproduce_making *making) {
    static const char file[] = "fig6/dgm.json";
    dgm_graph *graph = NULL;
    dgm_summary *summary = NULL;
    dgm_profile *profile = NULL;
    dgm_status status = dgmi_reproduce_open(making, "data/cora", &graph);
    if (status == DGM_OK)
        status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status == DGM_OK) {
        int64_t clusters = dgm_summary_get_clusters(summary).count;
        int32_t classes = dgm_graph_classes(graph), shown;
        status = count_shown(making, file, profile, clusters, classes, &shown);
        if (status == DGM_OK)
            dgmi_reproduce_judge(
                making, shown == classes, "Every class is the most frequent one of some cluster.",
                "%d of %d classes, in %lld clusters.", shown, classes, (long long)clusters);
    }
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return status;
}

dgm_status dgmi_reproduce_fig6(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(making, "The paper names no cover for this figure. Ours has 6 intervals an "
                               "axis and 20%% overlap.");
    dgm_status status = dgmi_reproduce_do(
        making, "map data/cora " GCN " --dim 3 --intervals 6 --overlap 0.2 --colour labels --style "
                "paper -o fig6/dgm.json -o fig6/dgm.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig6/dgm.svg", "Cora on three axes, by its true classes.");
    return check_classes(making);
}

/* ---- figure 10 ---- */

static dgm_status compare_eps(dgmi_reproduce_making *making, const char *const files[],
                              const char *const sets[], int count) {
    dgm_graph *graph;
    shape seen[4];
    dgm_status status = dgmi_reproduce_open(making, "data/cora", &graph);
    for (int i = 0; status == DGM_OK && i < count; i++)
        status = look_at(making, files[i], graph, &seen[i]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "set\tclusters\tedges\tloops of these edges");
    for (int i = 0; i < count; i++)
        dgmi_reproduce_row(making, "%s\t%lld\t%lld\t%lld", sets[i], (long long)seen[i].clusters,
                           (long long)seen[i].edges, (long long)seen[i].topology.cycle_rank);
    dgmi_reproduce_judge(making, seen[0].edges > seen[1].edges && seen[1].edges > seen[2].edges,
                         "Lower values of eps join more clusters.",
                         "%lld, %lld and %lld edges at eps = 0.01, 0.05 and 0.10.",
                         (long long)seen[0].edges, (long long)seen[1].edges,
                         (long long)seen[2].edges);
    return DGM_OK;
}

dgm_status dgmi_reproduce_fig10(dgmi_reproduce_making *making) {
    static const char *const eps[3] = {"0.01", "0.05", "0.10"};
    static const char *const files[4] = {"fig10/eps1.json", "fig10/eps2.json", "fig10/eps3.json",
                                         "fig10/authors.json"};
    static const char *const sets[4] = {"eps = 0.01", "eps = 0.05", "eps = 0.10",
                                        "authors' settings, eps = 0.05"};
    dgmi_reproduce_say(making, "The paper names no cover for this figure. Ours has 20 intervals an "
                               "axis, as the authors' code, and no overlap.");
    dgm_status status = dgmi_reproduce_need(making, "tables/cora-dgi.npy",
                                            "lens data/cora --lens dgi -o tables/cora-dgi.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(
            making, "tables/cora-dgi-tsne.npy",
            "reduce tables/cora-dgi.npy --method tsne --dim 2 -o tables/cora-dgi-tsne.npy");
    for (int i = 0; status == DGM_OK && i < 3; i++)
        status = dgmi_reproduce_do(making,
                                   "map data/cora --lens-file tables/cora-dgi-tsne.npy --intervals "
                                   "20 --overlap 0 --edges structural --eps %s --colour labels "
                                   "--style paper -o %s -o fig10/eps%d.svg",
                                   eps[i], files[i], i + 1);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map data/cora --lens-file tables/cora-dgi-tsne.npy "
                                           "--intervals 20 --overlap 0 --edges structural --eps "
                                           "0.05 --compat dgm --min-component 8 --colour labels "
                                           "--style paper -o fig10/authors.json "
                                           "-o fig10/authors.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig10/eps1.svg", "eps = 0.01");
    dgmi_reproduce_show(making, "fig10/eps2.svg", "eps = 0.05");
    dgmi_reproduce_show(making, "fig10/eps3.svg", "eps = 0.10");
    dgmi_reproduce_show(making, "fig10/authors.svg", "The authors' settings, with eps = 0.05.");
    return compare_eps(making, files, sets, 4);
}
