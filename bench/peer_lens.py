# SPDX-License-Identifier: Apache-2.0
"""peer_lens.py EDGES NAME...: lenses in NetworkX and igraph. Names: pagerank, betweenness, density, fiedler.

Loading is not timed. Prints one JSON object a peer and lens.
"""
import json
import math
import sys
import time

import networkx as nx
import numpy as np


def row(peer, lens, nodes, edges, work):
    start = time.perf_counter()
    try:
        work()
    except Exception as error:  # a peer that fails is reported, not hidden
        print(json.dumps({"peer": peer, "lens": lens, "error": f"{type(error).__name__}: {error}"[:200]}), flush=True)
        return
    print(json.dumps({"peer": peer, "lens": lens, "nodes": nodes, "edges": edges, "seconds": time.perf_counter() - start}),
          flush=True)


def density(graph):
    for _, distances in nx.all_pairs_shortest_path_length(graph):
        sum(math.exp(-d) for d in distances.values())


def main():
    pairs = np.loadtxt(sys.argv[1], dtype=np.int64, comments="#")[:, :2]
    wanted = sys.argv[2:] or ["pagerank"]
    nodes = int(pairs.max()) + 1
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(map(tuple, pairs.tolist()))
    edges, version = graph.number_of_edges(), f"networkx {nx.__version__}"
    work = {
        "pagerank": lambda: nx.pagerank(graph, tol=1e-10 / nodes, max_iter=1000),
        "betweenness": lambda: nx.betweenness_centrality(graph),
        "density": lambda: density(graph),
        "fiedler": lambda: nx.fiedler_vector(
            graph.subgraph(max(nx.connected_components(graph), key=len)), normalized=True, method="lobpcg"),
    }
    for name in wanted:
        row(version, name, nodes, edges, work[name])
    try:
        import igraph
    except ImportError:
        print(json.dumps({"peer": "igraph", "error": "not installed"}))
        return
    other = igraph.Graph(n=nodes, edges=pairs.tolist()).simplify()
    version = f"igraph {igraph.__version__}"
    work = {"pagerank": lambda: other.pagerank(), "betweenness": lambda: other.betweenness()}
    for name in wanted:
        if name in work:
            row(version, name, nodes, edges, work[name])


if __name__ == "__main__":
    main()
