#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/lens_local.txt: strengths, cores, triangles and betweenness as NetworkX computes them.

    python3 tools/oracle/lens_local.py > tests/data/oracle/lens_local.txt

Needs networkx and igraph, which has to agree wherever it knows the lens. The file is lines of words: `graph NAME
NODES EDGES DIRECTED WEIGHTED`, one line an edge, then `lens SPECIFICATION` with one value a node on the next line.
"""
import math
import random

import igraph
import networkx as nx


def with_weights(graph, draw):
    for _, _, data in graph.edges(data=True):
        data["weight"] = draw()
    return graph


def apart(*parts):
    return nx.disjoint_union_all(parts)


def graphs():
    some = random.Random(11)
    real = lambda: round(some.uniform(0.1, 3), 3)
    small = lambda: float(some.randint(1, 3))
    sparse = nx.gnm_random_graph(40, 70, seed=3)
    looped = nx.gnm_random_graph(25, 60, seed=12)
    looped.add_edges_from([(0, 0), (7, 7), (24, 24)])
    yield "star", nx.star_graph(9)
    yield "path", nx.path_graph(12)
    yield "cycle", nx.cycle_graph(11)
    yield "complete", nx.complete_graph(8)
    yield "bipartite", nx.complete_bipartite_graph(3, 5)
    yield "tree", nx.balanced_tree(2, 4)
    yield "lattice", nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 7))
    yield "karate", nx.Graph(nx.karate_club_graph().edges())
    yield "connected", nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
    yield "attached", nx.barabasi_albert_graph(80, 4, seed=5)
    yield "disconnected", apart(sparse, nx.complete_graph(5), nx.empty_graph(3), nx.cycle_graph(6))
    yield "no-edges", nx.empty_graph(4)
    yield "one-edge", nx.path_graph(2)
    yield "looped", with_weights(looped, real)
    yield "weighted", with_weights(nx.connected_watts_strogatz_graph(50, 4, 0.3, seed=2), real)
    yield "weighted-ties", with_weights(nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 6)), small)
    yield "weighted-disconnected", with_weights(apart(sparse, nx.star_graph(4), nx.empty_graph(2)), real)
    yield "directed", nx.gnm_random_graph(45, 140, seed=4, directed=True)
    yield "directed-cycle", nx.cycle_graph(9, create_using=nx.DiGraph)
    yield "directed-weighted", with_weights(nx.gnm_random_graph(40, 120, seed=7, directed=True), real)


def plain(graph):
    """Undirected, no loops, pairs once."""
    simple = nx.Graph(graph.to_undirected())
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    return simple


def agree(graph, name, values):
    """igraph's opinion, where it has one."""
    simple = plain(graph)
    own = igraph.Graph(n=len(graph), edges=list(simple.edges()))
    arcs = igraph.Graph(n=len(graph), edges=list(graph.edges()), directed=graph.is_directed())
    lengths = [d.get("weight", 1) for _, _, d in graph.edges(data=True)]
    other = {
        "strength": lambda: arcs.strength(weights=lengths),
        "core": own.coreness,
        "clustering": lambda: own.transitivity_local_undirected(mode="zero"),
        "betweenness:normalised=false": arcs.betweenness,
        "betweenness:normalised=false,weighted": lambda: arcs.betweenness(weights=lengths),
    }.get(name)
    if other and len(graph) and arcs.ecount():
        assert all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(values, other())), name


def lenses(graph, weighted):
    simple = plain(graph)
    weight = "weight" if weighted else None
    yield "strength", graph.degree(weight=weight)
    yield "core", nx.core_number(simple)
    yield "triangles", nx.triangles(simple)
    yield "clustering", nx.clustering(simple)
    yield "betweenness", nx.betweenness_centrality(graph)
    yield "betweenness:normalised=false", nx.betweenness_centrality(graph, normalized=False)
    if weighted:
        yield "betweenness:weighted", nx.betweenness_centrality(graph, weight=weight)
        yield "betweenness:normalised=false,weighted", nx.betweenness_centrality(
            graph, normalized=False, weight=weight
        )


def main():
    print(f"made with networkx {nx.__version__}, igraph {igraph.__version__}")
    for name, graph in graphs():
        weighted = any("weight" in data for _, _, data in graph.edges(data=True))
        print("graph", name, len(graph), graph.number_of_edges(), int(graph.is_directed()), int(weighted))
        for u, v, data in graph.edges(data=True):
            print(u, v, data.get("weight", 1))
        for specification, found in lenses(graph, weighted):
            values = [found[u] for u in range(len(graph))]
            agree(graph, specification, values)
            print("lens", specification)
            print(*(f"{value:.12g}" for value in values))


main()
