#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/lens_distance.txt: lenses of distances as NetworkX and SciPy compute them.

    python3 tools/oracle/lens_distance.py > tests/data/oracle/lens_distance.txt

Needs networkx, numpy, scipy. The file is lines of words: `graph NAME NODES EDGES DIRECTED WEIGHTED`, one line
an edge, then `lens SPECIFICATION` with one value a node on the next line.
"""
import random

import networkx as nx
import numpy as np
import scipy
from scipy.sparse.csgraph import shortest_path


def with_weights(graph, seed):
    draw = random.Random(seed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = round(draw.uniform(0.1, 3), 3)
    return graph


def apart(*parts):
    return nx.disjoint_union_all(parts)


def graphs():
    random_part = nx.gnm_random_graph(40, 70, seed=3)
    yield "star", nx.star_graph(8)
    yield "path", nx.path_graph(10)
    yield "complete", nx.complete_graph(7)
    yield "lattice", nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 7))
    yield "connected", nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
    yield "disconnected", apart(random_part, nx.path_graph(5), nx.empty_graph(3), nx.cycle_graph(6))
    yield "no-edges", nx.empty_graph(4)
    yield "weighted", with_weights(nx.connected_watts_strogatz_graph(50, 4, 0.3, seed=2), 5)
    yield "weighted-disconnected", with_weights(apart(random_part, nx.star_graph(4), nx.empty_graph(2)), 6)
    yield "directed", nx.gnm_random_graph(45, 110, seed=4, directed=True)
    yield "directed-cycle", nx.cycle_graph(9, create_using=nx.DiGraph)
    yield "directed-weighted", with_weights(nx.gnm_random_graph(40, 100, seed=7, directed=True), 8)
    yield "two-batches", apart(nx.barabasi_albert_graph(600, 2, seed=9), nx.gnm_random_graph(90, 100, seed=10))


def density(distances, kernel, cutoff=np.inf):
    return np.where(distances <= cutoff, kernel(distances), 0).sum(axis=1)


def reach(distances):
    """Other nodes in reach of each, and the sum of their distances."""
    near = np.isfinite(distances)
    return near.sum(axis=1) - 1.0, np.where(near, distances, 0).sum(axis=1)


def agd(distances):
    others, total = reach(distances)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = total / others * (len(others) - 1) / others
    found = values[others > 0]
    return np.where(others > 0, values, found.max() if len(found) else 0)


def lenses(graph, weighted):
    nodes = range(len(graph))
    weight = "weight" if weighted else None
    matrix = nx.to_scipy_sparse_array(graph, nodelist=nodes, weight=weight, dtype=float)
    d = shortest_path(matrix, directed=graph.is_directed(), unweighted=not weighted)
    farthest = np.where(np.isfinite(d), d, 0).max(axis=1)
    connected = nx.is_strongly_connected if graph.is_directed() else nx.is_connected
    if connected(graph):
        named = nx.eccentricity(graph, weight=weight)
        assert np.allclose(farthest, [named[u] for u in nodes], rtol=1e-12)
    closeness = nx.closeness_centrality(graph, distance=weight)
    harmonic = nx.harmonic_centrality(graph, distance=weight)
    yield "density", density(d, lambda x: np.exp(-x))
    yield "density:delta=3", density(d, lambda x: np.exp(-x / 3))
    yield "density:epsilon=2.5", density(d, lambda x: np.exp(-x * x / 2.5))
    yield "density:delta=4,cutoff=2", density(d, lambda x: np.exp(-x / 4), 2)
    yield "agd", agd(d)
    yield "eccentricity", farthest
    yield "closeness", [closeness[u] for u in nodes]
    yield "harmonic", [harmonic[u] for u in nodes]


def main():
    print(f"made with networkx {nx.__version__}, scipy {scipy.__version__}, numpy {np.__version__}")
    for name, graph in graphs():
        weighted = nx.is_weighted(graph) and graph.number_of_edges() > 0
        print("graph", name, len(graph), graph.number_of_edges(), int(graph.is_directed()), int(weighted))
        for u, v, data in graph.edges(data=True):
            print(u, v, data["weight"] if weighted else 1)
        for lens, values in lenses(graph, weighted):
            if name == "two-batches" and lens not in ("density:delta=3", "agd", "eccentricity"):
                continue
            key = (",weighted" if ":" in lens else ":weighted") if weighted else ""
            print("lens", lens + key)
            print(*[f"{float(value):.10g}" for value in values])
    print("end")


main()
