/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_parts.h"

static const char *const no_data[] = {NULL};
static const char *const cora[] = {"cora", NULL};
static const char *const citeseer[] = {"citeseer", NULL};
static const char *const citations[] = {"cora", "citeseer", NULL};
static const char *const small_sets[] = {"cora", "PROTEINS", NULL};
static const char *const pubmed[] = {"pubmed", NULL};
static const char *const large_sets[] = {"lastfm-asia",   "pubmed",        "facebook-pages",
                                         "soc-epinions1", "web-notredame", NULL};
static const char *const dd[] = {"DD", NULL};
static const char *const proteins[] = {"PROTEINS", NULL};
static const char *const collab[] = {"COLLAB", NULL};
static const char *const reddit[] = {"REDDIT-BINARY", NULL};

/* What the paper says of all rows of its table. */
#define TABLE                                                                                      \
    "Ten-fold cross-validation of networks that pool. MPR is the best of four methods on D&D, "    \
    "Proteins and Collab, and closely follows minCUT on Reddit-B, which shows the use of Mapper "  \
    "for designing better pooling operators."

/* What is not in the paper, or takes longer. */
#define BEYOND(name, title)                                                                        \
    { name, title, false, true }
#define LEARNED                                                                                    \
    "The paper leaves it to future work to learn a lens and a cover. Does a lens that learns "     \
    "pool "                                                                                        \
    "better than PageRank?"

#define FIGURE(name, title)                                                                        \
    { name, title, true, false }

static const dgmi_reproduce_plan plans[] = {
    {FIGURE("fig1", "Figure 1: spammers through a network"),
     "A GCN that tells spammers from others is the lens, on one axis. Spammers are highly "
     "connected "
     "with each other and fall into a few large clusters; the others form many small ones.",
     no_data, dgmi_reproduce_fig1},
    {FIGURE("fig2", "Figure 2: the steps of Mapper"),
     "A lens gives each node a height, intervals cover the heights, the nodes of an interval fall "
     "into connected components, and those that share nodes are joined: the nerve is a summary of "
     "the graph.",
     no_data, dgmi_reproduce_fig2},
    {FIGURE("fig3", "Figure 3: Cora through a network, on two axes"),
     "The scores of a GCN, reduced to two axes by t-SNE, with 9 cells an axis and 10% overlap. Two "
     "axes show more complex relations than one, such as cliques of more than two clusters.",
     cora, dgmi_reproduce_fig3},
    {FIGURE("fig4", "Figure 4: where the network errs"),
     "The summary of figure 1 by prediction and by truth. There are many small clusters which the "
     "network tends to call spam although most of their nodes are not.",
     no_data, dgmi_reproduce_fig4},
    {FIGURE("fig5", "Figure 5: CiteSeer at six resolutions"),
     "More intervals make more clusters, and more overlap makes more edges. Some connections of "
     "classes are there at all resolutions, and others are not.",
     citeseer, dgmi_reproduce_fig5},
    {FIGURE("fig6", "Figure 6: Cora on three axes"),
     "Three axes can show more complex relations; classes are coloured by the true labels.", cora,
     dgmi_reproduce_fig6},
    {FIGURE("fig7", "Figure 7: which lens keeps the classes apart"),
     "Cora and CiteSeer through Deep Graph Infomax (DGI) and t-SNE, through a density function, as "
     "a t-SNE plot, and whole. Through DGI all classes appear clearly separated, which does not "
     "happen through the density function.",
     citations, dgmi_reproduce_fig7},
    {FIGURE("fig8", "Figure 8: the proof of proposition 4.2"),
     "Joining clusters between which there is an edge (a) is the same as expanding the graph and "
     "its clusters (b), adding the neighbours of each cluster (c), and taking the nerve (d).",
     no_data, dgmi_reproduce_fig8},
    {FIGURE("fig9", "Figure 9: the spam graph by its own edges"),
     "Clusters that edges of the graph join (SDGM), without overlap, with eps = 0.01. Spammers are "
     "densely connected to the other nodes, others form smaller groups, and edges between spammers "
     "and others are seen.",
     no_data, dgmi_reproduce_fig9},
    {FIGURE("fig10", "Figure 10: Cora by its own edges, for three values of eps"),
     "SDGM through Deep Graph Infomax. Lower values of eps join more clusters.", cora,
     dgmi_reproduce_fig10},
    {FIGURE("claim-tsne", "Claim: t-SNE of a wide embedding beats a narrow one"),
     "Applying t-SNE to an embedding of many columns by DGI works better than learning a few "
     "columns with DGI directly.",
     citations, dgmi_reproduce_claim_tsne},
    {FIGURE("claim-axes", "Claim: two axes for more than two classes"),
     "Where there are more than two classes, a space of two axes better captures the relationships "
     "between them.",
     citations, dgmi_reproduce_claim_axes},
    {FIGURE("claim-trees", "Claim: one axis gives trees"),
     "Intervals over the real numbers often produce a hierarchical, tree-like view of the graph, "
     "as in figure 1.",
     citations, dgmi_reproduce_claim_trees},
    {FIGURE("claim-cells", "Claim: cells empty as axes are added"),
     "The sets of the cover are likely to contain fewer and fewer nodes as the number of axes "
     "grows.",
     citations, dgmi_reproduce_claim_cells},
    {FIGURE("claim-overlap", "Claim: g trades structural for semantic edges"),
     "In SDGM the overlap g sets a trade-off between the number of structural and of semantic "
     "connections. For g = 0 only structural ones exist.",
     cora, dgmi_reproduce_claim_overlap},
    {FIGURE("claim-hubs", "Claim: MPR merges hubs, and dangling nodes"),
     "MPR intuitively merges the (usually few) highly connected nodes, and at the same time "
     "clusters the (typically many) dangling nodes, whose scaled PageRank is closer to zero.",
     small_sets, dgmi_reproduce_claim_hubs},
    {FIGURE("claim-alpha", "Claim: alpha near 0 merges all nodes"),
     "With alpha closer to 0 the nodes would receive a more uniform ranking and tend to be "
     "clustered in a single node.",
     cora, dgmi_reproduce_claim_alpha},
    {FIGURE("prop41", "Proposition 4.1: Mapper and spectral clustering"),
     "Mapper through the Fiedler vector, with two half-lines that overlap little around 0 as the "
     "cover, is a spectral bipartition of the graph.",
     citations, dgmi_reproduce_prop41},
    {FIGURE("prop42", "Proposition 4.2: Mapper and soft assignments"),
     "The graph that pooling by a soft assignment makes is the nerve of a pull-back cover: of the "
     "1-hop expansion of the assignment on the expanded graph.",
     citations, dgmi_reproduce_prop42},
    {FIGURE("prop43", "Proposition 4.3: pooling and the order of nodes"),
     "Pooling by PageRank is invariant under permutations of the nodes.", small_sets,
     dgmi_reproduce_prop43},
    {{"table1-dd", "Table 1: D&D", false, false}, TABLE, dd, dgmi_reproduce_table_dd},
    {{"table1-proteins", "Table 1: Proteins", true, false},
     TABLE,
     proteins,
     dgmi_reproduce_table_proteins},
    {{"table1-collab", "Table 1: Collab", false, false},
     TABLE,
     collab,
     dgmi_reproduce_table_collab},
    {{"table1-reddit", "Table 1: Reddit-Binary", false, false},
     TABLE,
     reddit,
     dgmi_reproduce_table_reddit},
    {{"table1-dd-learned", "Table 1: D&D, with a lens that learns", false, true},
     LEARNED,
     dd,
     dgmi_reproduce_learned_dd},
    {{"table1-proteins-learned", "Table 1: Proteins, with a lens that learns", false, true},
     LEARNED,
     proteins,
     dgmi_reproduce_learned_proteins},
    {{"table1-collab-learned", "Table 1: Collab, with a lens that learns", false, true},
     LEARNED,
     collab,
     dgmi_reproduce_learned_collab},
    {{"table1-reddit-learned", "Table 1: Reddit-Binary, with a lens that learns", false, true},
     LEARNED,
     reddit,
     dgmi_reproduce_learned_reddit},
    {BEYOND("large", "Beyond: graph-theoretic functions on large graphs"),
     "The paper says that with the exception of PageRank all graph-theoretic functions are "
     "difficult to compute on large graphs: average distance and density need all distances, and "
     "eigenfunctions do not scale beyond a few thousand nodes. GCNs are said to scale. Is it so?",
     large_sets, dgmi_reproduce_large},
    {BEYOND("pubmed", "Beyond: PubMed"),
     "Do figures 3 and 7 come out alike for PubMed, a third citation network, which the authors' "
     "code has settings for?",
     pubmed, dgmi_reproduce_pubmed},
    {BEYOND("sensitivity", "Beyond: what covers and seeds do to Cora"),
     "The paper shows one summary for each cover. How do the purity of clusters and the number of "
     "loops move with the cover, and with what is drawn at random?",
     cora, dgmi_reproduce_sensitivity},
};

const dgmi_reproduce_plan *dgmi_reproduce_plan_at(size_t index) {
    return index < sizeof plans / sizeof *plans ? &plans[index] : NULL;
}

const dgm_reproduce_part *dgm_reproduce_part_at(size_t index) {
    const dgmi_reproduce_plan *plan = dgmi_reproduce_plan_at(index);
    return plan ? &plan->part : NULL;
}
