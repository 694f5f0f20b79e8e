#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/reduce_tsne.txt: the joint probabilities of t-SNE by scikit-learn.

    python3 tools/oracle/reduce_tsne.py > tests/data/oracle/reduce_tsne.txt

Each case is a small table of round numbers, so that it is exact in text, a perplexity, and the probabilities of pairs
i < j from the 3 x perplexity + 1 nearest neighbours, as scikit-learn's Barnes-Hut method has them.
"""
import numpy as np
import sklearn
from sklearn.manifold._t_sne import _joint_probabilities_nn
from sklearn.neighbors import NearestNeighbors


def tables():
    random = np.random.default_rng(7)
    yield "cloud", random.normal(size=(60, 4)) * [3, 2, 1, 0.5], 5
    middles = random.normal(size=(3, 6)) * 10
    yield "clusters", middles[np.arange(45) % 3] + random.normal(size=(45, 6)), 4.5
    yield "few", random.normal(size=(10, 3)), 3
    constant = random.normal(size=(30, 3))
    constant[:, 1] = 7
    yield "constant", constant, 6
    pairs = random.normal(size=(20, 3))
    # 15 neighbours: the twin, and seven other pairs whole
    yield "duplicates", np.vstack([pairs, pairs]), 4.7
    yield "scales", 10.0 ** random.uniform(-2, 3, size=(40, 2)), 8


def main():
    print(f"# numpy {np.__version__} scikit-learn {sklearn.__version__}")
    for name, table, perplexity in tables():
        table = np.round(table, 2)
        rows = len(table)
        k = min(rows - 1, int(3 * perplexity + 1))
        graph = NearestNeighbors(n_neighbors=k).fit(table).kneighbors_graph(mode="distance")
        graph.data **= 2
        p = np.triu(_joint_probabilities_nn(graph, perplexity, 0).toarray())
        pairs = np.argwhere(p > 0)
        print("case", name, *table.shape, perplexity, len(pairs))
        for row in table:
            print(" ".join(f"{x:.10g}" for x in row))
        for i, j in pairs:
            print(i, j, f"{p[i, j]:.9g}")


main()
