#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/lens_eigen.txt: eigenvectors of graph Laplacians by dense solvers.

    python3 tools/oracle/lens_eigen.py > tests/data/oracle/lens_eigen.txt

Graphs come from NetworkX with fixed seeds, Laplacians too; eigenpairs 2 .. K+1 of the largest component come from
scipy.linalg.eigh, those of the random walk from the pencil (L, D). Vectors have unit length and a sign of their own.
A line "pair VALUE SIMPLE" says by SIMPLE = 1 that no other eigenvalue is near, so that the vector can be compared.
"""
import networkx as nx
import numpy as np
import scipy
import scipy.linalg


def weighted(graph, seed):
    random = np.random.default_rng(seed)
    for u, v in sorted(graph.edges):
        graph.edges[u, v]["weight"] = float(np.round(random.uniform(0.1, 5), 3))
    return graph


def graphs():
    yield "karate", nx.Graph(nx.karate_club_graph().edges()), 4
    yield "weighted", weighted(nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=3), 4), 3
    yield "disconnected", nx.disjoint_union_all([nx.barbell_graph(4, 3), nx.gnm_random_graph(40, 70, seed=5), nx.path_graph(6),
                                                 nx.empty_graph(3)]), 3
    yield "geometric", weighted(nx.random_geometric_graph(230, 0.13, seed=8), 9), 2
    yield "tree", nx.random_labeled_tree(200, seed=2), 2


def pencil(graph, nodes, kind, weight):
    size = len(nodes)
    plain = nx.laplacian_matrix(graph, nodelist=nodes, weight=weight).toarray().astype(float)
    if kind == "plain":
        return plain, np.eye(size)
    if kind == "sym":
        return nx.normalized_laplacian_matrix(graph, nodelist=nodes, weight=weight).toarray(), np.eye(size)
    return plain, np.diag(nx.to_numpy_array(graph, nodelist=nodes, weight=weight).sum(axis=1))


def write_case(graph, kind, weight, count):
    nodes = sorted(max(sorted(nx.connected_components(graph), key=min), key=len))
    values, vectors = scipy.linalg.eigh(*pencil(graph, nodes, kind, weight))
    print("case", kind, "weighted" if weight else "ones", count)
    for i in range(1, count + 1):
        gap = min(values[i] - values[i - 1], values[i + 1] - values[i]) if i + 1 < len(nodes) else 1
        x = np.zeros(graph.number_of_nodes())
        x[nodes] = vectors[:, i] / np.linalg.norm(vectors[:, i])
        print("pair", repr(float(values[i])), int(gap > 1e-2 * values[i]))
        print(" ".join(f"{v:.15g}" for v in x))


def main():
    print(f"# numpy {np.__version__} scipy {scipy.__version__} networkx {nx.__version__}")
    for name, graph, count in graphs():
        has_weights = bool(nx.get_edge_attributes(graph, "weight"))
        print("graph", name, graph.number_of_nodes(), graph.number_of_edges())
        for u, v in sorted(graph.edges):
            print(u, v, graph.edges[u, v].get("weight", 1))
        for kind in "sym", "rw", "plain":
            write_case(graph, kind, None, count)
            if has_weights:
                write_case(graph, kind, "weight", count)
    print("end")


main()
