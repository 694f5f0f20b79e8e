# SPDX-License-Identifier: Apache-2.0
"""peer_communities.py EDGES PEER [RUNS [THREADS]]: communities of an undirected graph by a peer.
peer_communities.py make cliques|hierarchy FILE: a ring of 5,000 cliques of 8 nodes, or 60,000 nodes in blocks of 10, 200
and 3,000.

EDGES is a text file of edges or a data set's folder; directions, loops, repeats and weights are dropped, as dgm does by
default. PEER is igraph (Leiden, two iterations, which is its default), igraph-long (until nothing changes), leidenalg,
networkit (ParallelLeiden) or networkit-louvain (PLM). Loading is not timed. Prints one JSON object with the best time, and
the modularity of the best and the mean run.
"""
import json
import os
import sys
import time

import numpy as np


def make(kind, name):
    rng = np.random.default_rng(1)
    if kind == "cliques":
        first = 8 * np.arange(5000)
        pairs = [np.stack([first + i, first + j], axis=1) for i in range(8) for j in range(i)]
        pairs.append(np.stack([first, (first + 8) % 40000 + 1], axis=1))
    else:
        nodes = np.arange(60000)
        pairs = []
        for block, mean in (10, 6), (200, 3), (3000, 1.5), (60000, 0.7):
            sources = np.repeat(nodes, rng.poisson(mean, len(nodes)))
            pairs.append(np.stack([sources, sources // block * block + rng.integers(0, block, len(sources))], axis=1))
    np.savetxt(name, np.concatenate(pairs), fmt="%d", delimiter="\t")


def read_edges(name):
    if os.path.isdir(name):
        name = os.path.join(name, "edges.tsv")
    with open(name) as file:
        first = next(line for line in file if not line.startswith(("#", "%")))
    header = 0 if first.split()[0].lstrip("-").isdigit() else 1
    pairs = np.loadtxt(name, dtype=np.int64, comments=["#", "%"], usecols=(0, 1), skiprows=header)
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    nodes = int(pairs.max()) + 1
    codes = np.unique(pairs[:, 0] * nodes + pairs[:, 1])
    return nodes, np.stack([codes // nodes, codes % nodes], axis=1)


def modularity(nodes, edges, parts):
    degrees = np.bincount(edges.reshape(-1), minlength=nodes)
    totals = np.bincount(parts, weights=degrees).astype(float)
    inside = np.count_nonzero(parts[edges[:, 0]] == parts[edges[:, 1]])
    return inside / len(edges) - float(np.sum((totals / (2 * len(edges))) ** 2))


def igraph_runner(nodes, edges, iterations):
    import random

    import igraph
    graph = igraph.Graph(n=nodes, edges=edges)

    def run(seed):
        random.seed(seed)
        return graph.community_leiden(objective_function="modularity", n_iterations=iterations).membership
    return f"igraph {igraph.__version__}", run


def leidenalg_runner(nodes, edges):
    import igraph
    import leidenalg
    graph = igraph.Graph(n=nodes, edges=edges)

    def run(seed):
        return leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=seed).membership
    return f"leidenalg {leidenalg.version}", run


def networkit_runner(nodes, edges, threads, louvain):
    import networkit
    networkit.setNumberOfThreads(threads)
    graph = networkit.GraphFromCoo((edges[:, 0].astype(np.uint64), edges[:, 1].astype(np.uint64)), n=nodes)

    def run(seed):
        networkit.setSeed(seed, True)
        method = networkit.community.PLM(graph, refine=True) if louvain else networkit.community.ParallelLeiden(graph)
        method.run()
        return method.getPartition().getVector()
    return f"networkit {networkit.__version__ if hasattr(networkit, '__version__') else ''}".strip(), run


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3])
        return
    name, peer = sys.argv[1], sys.argv[2]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else os.cpu_count()
    nodes, edges = read_edges(name)
    if peer.startswith("igraph"):
        words, run = igraph_runner(nodes, edges, -1 if peer.endswith("long") else 2)
    elif peer == "leidenalg":
        words, run = leidenalg_runner(nodes, edges)
    else:
        words, run = networkit_runner(nodes, edges, threads, peer.endswith("louvain"))
    times, found = [], []
    for seed in range(1, runs + 1):
        start = time.perf_counter()
        parts = run(seed)
        times.append(time.perf_counter() - start)
        found.append(modularity(nodes, edges, np.asarray(parts, dtype=np.int64)))
    print(json.dumps({"graph": name, "nodes": nodes, "edges": len(edges), "peer": words, "method": peer, "threads": threads,
                      "best_s": round(min(times), 4), "modularity": round(max(found), 5),
                      "mean_modularity": round(sum(found) / len(found), 5)}))


if __name__ == "__main__":
    main()
