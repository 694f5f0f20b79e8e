/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 7, and the same of PubMed: whether a lens keeps the classes of citation networks apart. */
#include <stdio.h>

#include "reproduce_lenses.h"
#include "reproduce_parts.h"

/* A data set. */
typedef struct citations {
    const char *name;    /* "cora" */
    const char *called;  /* "Cora" */
    const char *density; /* the density function */
    int pieces[2];       /* the authors' smallest piece, of DGI and of the density function */
} citations;
static const citations sets[2] = {{"cora", "Cora", "density:delta=3", {15, 10}},
                                  {"citeseer", "CiteSeer", "density:delta=4", {20, 10}}};
static const citations pubmed = {"pubmed", "PubMed", "density:delta=1,cutoff=4", {20, 10}};

/* Our settings, and those of the authors. */
enum { OURS, AUTHORS, SETTINGS };
static const char *const settings[SETTINGS] = {"gain rule", "authors' settings"};
static const char *const suffixes[SETTINGS] = {"", "-authors"};
static const char *const networks[SETTINGS] = {"dgi", "dgi:preset=reference"};
static const char *const covers[SETTINGS] = {"--overlap 0.2", "--overlap 0.2 --compat dgm"};

static const char *const lenses[DGMI_REPRODUCE_LENSES] = {"dgm", "density"};

/* ---- commands ---- */

static dgm_status embed(dgmi_reproduce_making *making, const citations *set, int setting) {
    char table[64], plane[64];
    snprintf(table, sizeof table, "tables/%s-dgi%s.npy", set->name, suffixes[setting]);
    snprintf(plane, sizeof plane, "tables/%s-dgi%s-tsne.npy", set->name, suffixes[setting]);
    dgm_status status = dgmi_reproduce_need(making, table, "lens data/%s --lens %s -o %s",
                                            set->name, networks[setting], table);
    if (status == DGM_OK)
        status = dgmi_reproduce_need(making, plane, "reduce %s --method tsne --dim 2 -o %s", table,
                                     plane);
    return status;
}

/* Maps a lens, and with the authors' settings once more without dropping small pieces, so that
 * clusters can be counted. */
static dgm_status map_lens(dgmi_reproduce_making *making, const citations *set, int setting,
                           int lens) {
    char looks[96], stem[80];
    if (lens == DGMI_REPRODUCE_DGI)
        snprintf(looks, sizeof looks, "--lens-file tables/%s-dgi%s-tsne.npy --intervals 8",
                 set->name, suffixes[setting]);
    else
        snprintf(looks, sizeof looks, "--lens %s --intervals 20", set->density);
    snprintf(stem, sizeof stem, "%s/%s-%s%s", making->name, set->name, lenses[lens],
             suffixes[setting]);
    if (setting == OURS)
        return dgmi_reproduce_do(making,
                                 "map data/%s %s %s --colour labels --style paper -o %s.json "
                                 "-o %s.svg",
                                 set->name, looks, covers[setting], stem, stem);
    dgm_status status = dgmi_reproduce_do(
        making,
        "map data/%s %s %s --min-component %d --colour labels --style paper -o %s.json -o %s.svg",
        set->name, looks, covers[setting], set->pieces[lens], stem, stem);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "map data/%s %s %s -o %s-all.json", set->name, looks,
                                   covers[setting], stem);
    return status;
}

static dgm_status draw_for_reference(dgmi_reproduce_making *making, const citations *set) {
    dgm_status status = dgmi_reproduce_do(
        making,
        "draw data/%s --scatter tables/%s-dgi-tsne.npy --colour labels --style paper -o "
        "%s/%s-tsne.svg",
        set->name, set->name, making->name, set->name);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making,
                                   "draw data/%s --colour labels --style paper -o %s/%s-graph.png",
                                   set->name, making->name, set->name);
    return status;
}

/* ---- what came out ---- */

static dgm_status look_at_lens(dgmi_reproduce_making *making, const citations *set, int setting,
                               int lens, const dgm_graph *graph, dgmi_reproduce_lenses *out) {
    char stem[80], file[96], data[32], table[64], filter[32] = "";
    dgmi_reproduce_look all;
    snprintf(stem, sizeof stem, "%s/%s-%s%s", making->name, set->name, lenses[lens],
             suffixes[setting]);
    snprintf(file, sizeof file, "%s.json", stem);
    dgm_status status = dgmi_reproduce_look_at(making, file, graph, &out->lens[lens]);
    all = out->lens[lens];
    if (status == DGM_OK && setting == AUTHORS) {
        snprintf(filter, sizeof filter, "--min-component %d", set->pieces[lens]);
        snprintf(file, sizeof file, "%s-all.json", stem);
        status = dgmi_reproduce_look_at(making, file, graph, &all);
    }
    if (status != DGM_OK)
        return status;
    snprintf(data, sizeof data, "data/%s", set->name);
    snprintf(table, sizeof table, "tables/%s-random%s.json", set->name, suffixes[setting]);
    snprintf(file, sizeof file, "%s-random.json", stem);
    dgmi_reproduce_random random = {data, table, covers[setting], filter};
    return dgmi_reproduce_look_randomly(making, &random, file, graph, all.clusters,
                                        &out->random[lens]);
}

static dgm_status make_set(dgmi_reproduce_making *making, const citations *set, int setting,
                           const dgm_graph *graph, dgmi_reproduce_lenses *out) {
    dgm_status status = embed(making, set, setting);
    for (int lens = 0; status == DGM_OK && lens < DGMI_REPRODUCE_LENSES; lens++)
        status = map_lens(making, set, setting, lens);
    if (status == DGM_OK && setting == OURS)
        status = draw_for_reference(making, set);
    for (int lens = 0; status == DGM_OK && lens < DGMI_REPRODUCE_LENSES; lens++)
        status = look_at_lens(making, set, setting, lens, graph, out);
    return status;
}

static void show(dgmi_reproduce_making *making, const citations *set) {
    static const char *const files[6] = {"dgm.svg",   "density.svg",     "tsne.svg",
                                         "graph.png", "dgm-authors.svg", "density-authors.svg"};
    static const char *const captions[6] = {
        "through DGI and t-SNE",
        "through the density function",
        "DGI by t-SNE",
        "the whole graph",
        "through DGI and t-SNE, with the authors' settings",
        "through the density function, with the authors' settings"};
    char file[64];
    for (int i = 0; i < 6; i++) {
        snprintf(file, sizeof file, "%s/%s-%s", making->name, set->name, files[i]);
        dgmi_reproduce_show(making, file, "%s: %s.", set->called, captions[i]);
    }
}

static dgm_status make_citations(dgmi_reproduce_making *making, const citations *set) {
    char data[32], called[64];
    dgm_graph *graph;
    dgmi_reproduce_lenses are[SETTINGS];
    snprintf(data, sizeof data, "data/%s", set->name);
    dgm_status status = dgmi_reproduce_open(making, data, &graph);
    if (status != DGM_OK)
        return status;
    int32_t classes = dgm_graph_classes(graph);
    for (int setting = 0; status == DGM_OK && setting < SETTINGS; setting++)
        status = make_set(making, set, setting, graph, &are[setting]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    show(making, set);
    dgmi_reproduce_head(making, DGMI_REPRODUCE_LOOK_TITLES);
    for (int setting = 0; setting < SETTINGS; setting++) {
        snprintf(called, sizeof called, "%s, %s", set->called, settings[setting]);
        dgmi_reproduce_lenses_rows(making, called, &are[setting]);
    }
    for (int setting = 0; setting < SETTINGS; setting++) {
        snprintf(called, sizeof called, "%s, %s", set->called, settings[setting]);
        dgmi_reproduce_lenses_judge(making, called, &are[setting], classes);
    }
    return DGM_OK;
}

dgm_status dgmi_reproduce_fig7(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(
        making,
        "The paper names no cover for this figure. Ours is that of the authors' code: 8 intervals "
        "an axis for DGI, 20 for the density function, an overlap of 0.2, and a scale delta of 3 "
        "on Cora and 4 on CiteSeer. The second set has the authors' network and cover rule, too, "
        "and drops the pieces that their code drops; it has no number for the density function on "
        "CiteSeer, for which that of Cora is taken.");
    dgmi_reproduce_look_words(making, true);
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < 2; i++)
        status = make_citations(making, &sets[i]);
    return status;
}

/* ---- PubMed ---- */

/* The scores of a GCN as in figure 3, and by edges of the graph as in the authors' code. */
static dgm_status map_scores(dgmi_reproduce_making *making) {
    dgm_status status = dgmi_reproduce_need(
        making, "tables/pubmed-gcn.npy",
        "lens data/pubmed --lens gcn:preset=reference -o tables/pubmed-gcn.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(
            making, "tables/pubmed-gcn-tsne2.npy",
            "reduce tables/pubmed-gcn.npy --method tsne --dim 2 -o tables/pubmed-gcn-tsne2.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(
            making, "map data/pubmed --lens-file tables/pubmed-gcn-tsne2.npy --intervals 9 "
                    "--overlap 0.1 --colour lens --style paper -o pubmed/gcn.json -o "
                    "pubmed/gcn.svg");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(
            making, "map data/pubmed --lens-file tables/pubmed-gcn-tsne2.npy --intervals 20 "
                    "--overlap 0 --edges structural --eps 0.01 --compat dgm --min-component 10 "
                    "--colour labels --style paper -o pubmed/sdgm.json -o pubmed/sdgm.svg");
    return status;
}

static dgm_status check_scores(dgmi_reproduce_making *making) {
    static const char *const files[2] = {"pubmed/gcn.json", "pubmed/sdgm.json"};
    static const char *const names[2] = {"GCN and t-SNE", "GCN and t-SNE, SDGM of the authors"};
    dgm_graph *graph;
    dgmi_reproduce_look looks[2];
    dgm_status status = dgmi_reproduce_open(making, "data/pubmed", &graph);
    for (int i = 0; status == DGM_OK && i < 2; i++)
        status = dgmi_reproduce_look_at(making, files[i], graph, &looks[i]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, DGMI_REPRODUCE_LOOK_TITLES);
    for (int i = 0; i < 2; i++)
        dgmi_reproduce_look_row(making, "PubMed", names[i], &looks[i]);
    dgmi_reproduce_judge(making, looks[0].topology.triangles != 0,
                         "Through the GCN there are cliques of more than two clusters, as in "
                         "figure 3.",
                         "%lld times three clusters share a node.",
                         (long long)looks[0].topology.triangles);
    return DGM_OK;
}

dgm_status dgmi_reproduce_pubmed(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(
        making, "The covers are those of figures 3 and 7, but for the authors' SDGM through the "
                "GCN: 20 intervals an axis, no overlap, eps = 0.01, and pieces of 10 nodes or "
                "more. Their density function has delta = 1 and counts no node farther away than "
                "4. Their code has no settings for DGI on PubMed; those of CiteSeer are taken.");
    dgmi_reproduce_look_words(making, true);
    dgm_status status = map_scores(making);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "pubmed/gcn.svg",
                        "PubMed through a GCN and t-SNE, coloured by place in the lens.");
    dgmi_reproduce_show(making, "pubmed/sdgm.svg",
                        "The same by edges of the graph, with the authors' settings.");
    status = check_scores(making);
    return status == DGM_OK ? make_citations(making, &pubmed) : status;
}
