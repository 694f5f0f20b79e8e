# SPDX-License-Identifier: Apache-2.0
"""peer_networkx.py EDGES LENS [N [OVERLAP]]: Mapper on a graph in Python over NetworkX, as such code is usually written.

Written for this benchmark after the description of the paper authors' own program: closed intervals over the scaled lens,
connected components of each induced subgraph, then for every graph edge every pair of clusters of its ends. Loading and the
lens are not timed. Prints one JSON object.
"""
import json
import sys
import time
from collections import Counter, defaultdict
from itertools import combinations

import networkx as nx
import numpy as np


def mapper(graph, lens, intervals, overlap):
    low, high = lens.min(), lens.max()
    scaled = (lens - low) / (high - low)
    clusters, of_node = [], defaultdict(list)
    for k in range(intervals):
        start = k / intervals - overlap / (intervals + 1)
        end = (k + 1) / intervals + overlap / (intervals + 1)
        preimage = np.nonzero((scaled >= start) & (scaled <= end))[0]
        for component in nx.connected_components(graph.subgraph(preimage.tolist())):
            for node in component:
                of_node[node].append(len(clusters))
            clusters.append(component)
    return clusters, of_node


def structural(graph, of_node):
    weights = Counter()
    for u, v in graph.edges():
        for a in of_node[u]:
            for b in of_node[v]:
                if a != b:
                    weights[min(a, b), max(a, b)] += 1
    return weights


def nerve(of_node):
    weights = Counter()
    for clusters in of_node.values():
        for pair in combinations(sorted(clusters), 2):
            weights[pair] += 1
    return weights


def main():
    edges, lens_file = sys.argv[1], sys.argv[2]
    intervals = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    overlap = float(sys.argv[4]) if len(sys.argv) > 4 else 0.2
    lens = np.load(lens_file).reshape(-1)
    graph = nx.Graph()
    graph.add_nodes_from(range(len(lens)))
    pairs = np.loadtxt(edges, dtype=np.int64, comments="#")
    graph.add_edges_from(map(tuple, pairs[:, :2].tolist()))
    start = time.perf_counter()
    clusters, of_node = mapper(graph, lens, intervals, overlap)
    mapped = time.perf_counter()
    by_edges = structural(graph, of_node)
    linked = time.perf_counter()
    by_nodes = nerve(of_node)
    joined = time.perf_counter()
    print(json.dumps({
        "peer": f"networkx {nx.__version__}",
        "nodes": graph.number_of_nodes(), "edges": graph.number_of_edges(), "clusters": len(clusters),
        "structural_s": linked - start, "nerve_s": mapped - start + joined - linked, "both_s": joined - start,
        "structural_edges": len(by_edges), "nerve_edges": len(by_nodes)}))


if __name__ == "__main__":
    main()
