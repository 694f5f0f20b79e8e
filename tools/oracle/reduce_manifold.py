#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/reduce_umap.txt and reduce_isomap.txt: what umap-learn and scikit-learn find.

    python3 tools/oracle/reduce_manifold.py tests/data/oracle

Tables are of round numbers, so that they are exact in text. Of UMAP: curves, memberships of the graph, and the
trustworthiness of its maps, as maps themselves depend on the draws. Of Isomap: the residual variance, the
reconstruction error and the axes.
"""
import sys
import warnings

import numpy as np
import sklearn
import umap
from sklearn.manifold import Isomap, trustworthiness
from sklearn.neighbors import NearestNeighbors
from umap.umap_ import find_ab_params, fuzzy_simplicial_set, smooth_knn_dist

warnings.filterwarnings("ignore")
TRUST = 12  # neighbours that trustworthiness looks at


def roll(random, count):
    t = 1.5 * np.pi * (1 + 2 * random.random(count))
    return np.round(np.c_[t * np.cos(t), 21 * random.random(count), t * np.sin(t)], 2)


def mixture(random, count, columns, clusters, apart):
    middles = apart * random.normal(size=(clusters, columns))
    return np.round(middles[np.arange(count) % clusters] + random.normal(size=(count, columns)), 2)


def write_table(file, table):
    for row in table:
        print(" ".join(f"{x:.10g}" for x in row), file=file)


def write_graph(file, table, neighbours):
    distances, indices = NearestNeighbors(n_neighbors=neighbours).fit(table).kneighbors()
    # the point itself comes first
    indices = np.c_[np.arange(len(table)), indices[:, : neighbours - 1]]
    distances = np.c_[np.zeros(len(table)), distances[:, : neighbours - 1]].astype(np.float32)
    sigmas, rhos = smooth_knn_dist(distances, float(neighbours))
    graph, _, _ = fuzzy_simplicial_set(table, neighbours, np.random.RandomState(0), "euclidean", knn_indices=indices,
                                       knn_dists=distances)
    graph = graph.tocoo()
    print("graph", *table.shape, neighbours, graph.nnz, file=file)
    write_table(file, table)
    for rho, sigma in zip(rhos, sigmas):
        print(f"{rho:.9g} {sigma:.9g}", file=file)
    for i, j, w in sorted(zip(graph.row, graph.col, graph.data)):
        print(i, j, f"{w:.9g}", file=file)


def trust_of(table, init, seeds):
    """Means over seeds: near in the map are near in the table, and the other way round; of the random start their deviations."""
    maps = [umap.UMAP(init=init, random_state=seed, n_jobs=1).fit_transform(table) for seed in range(1, seeds + 1)]
    trust = [trustworthiness(table, y, n_neighbors=TRUST) for y in maps]
    kept = [trustworthiness(y, table, n_neighbors=TRUST) for y in maps]
    means = [np.mean(trust), np.mean(kept)]
    return means + [np.std(trust, ddof=1), np.std(kept, ddof=1)] if init == "random" else means


def write_umap(file):
    random = np.random.default_rng(7)
    print(f"# numpy {np.__version__} umap-learn {umap.__version__}", file=file)
    curves = [(0.1, 1), (0, 1), (0.5, 1), (0.99, 1), (0.1, 2), (0.25, 0.5)]
    print("curves", len(curves), file=file)
    for min_dist, spread in curves:
        print(min_dist, spread, *(f"{x:.10g}" for x in find_ab_params(spread, min_dist)), file=file)
    write_graph(file, mixture(random, 40, 4, 2, 1), 7)
    tables = (("roll", roll(random, 500)), ("mixture", mixture(random, 400, 6, 5, 3)), ("blob", mixture(random, 300, 8, 1, 1)))
    for name, table in tables:
        found = trust_of(table, "spectral", 3) + trust_of(table, "random", 10)
        print("trust", name, *table.shape, TRUST, *(f"{x:.5f}" for x in found), file=file)
        write_table(file, table)


def write_isomap(file):
    random = np.random.default_rng(8)
    print(f"# numpy {np.__version__} scikit-learn {sklearn.__version__}", file=file)
    pairs = np.round(random.normal(size=(20, 3)), 2)
    tables = (("roll", roll(random, 300), 5, 2), ("large", roll(random, 400), 8, 3), ("parts", mixture(random, 60, 3, 4, 20), 5, 2),
              ("few", np.round(random.normal(size=(7, 2)), 2), 5, 2), ("twins", np.vstack([pairs, pairs + [[5, 0, 0]]]), 6, 2))
    for name, table, neighbours, dim in tables:
        model = Isomap(n_neighbors=neighbours, n_components=dim)
        axes = model.fit_transform(table)
        apart = np.sqrt(((axes[:, None] - axes[None]) ** 2).sum(-1))
        residual = 1 - np.corrcoef(model.dist_matrix_.ravel(), apart.ravel())[0, 1] ** 2
        print("case", name, *table.shape, neighbours, dim, f"{residual:.10g} {model.reconstruction_error():.10g}", file=file)
        write_table(file, table)
        for row in axes:
            print(" ".join(f"{x:.9g}" for x in row), file=file)


def main():
    for name, write in (("umap", write_umap), ("isomap", write_isomap)):
        with open(f"{sys.argv[1]}/reduce_{name}.txt", "w") as file:
            write(file)


if __name__ == "__main__":
    main()
