#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peer_reduce.py ROWS COLUMNS CLUSTERS WORK [RUNS], or POINTS.npy WORK [RUNS]: the same work by scikit-learn, one JSON object a line.

Points are a Gaussian mixture whose directions fall off, as bench_reduce makes them; WORK is pca, knn:K, isomap,
save FILE.npy (the points alone), tsne or opentsne (t-SNE by openTSNE; both run 1,000 iterations on two threads), or umap (by umap-learn, on two threads without a seed).
"""
import json
import sys
import time

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors


def tsne(points):
    from sklearn.manifold import TSNE

    model = TSNE(2, init="pca", n_jobs=2, random_state=1)
    model.fit_transform(points.astype(np.float32))
    return {"divergence": float(model.kl_divergence_)}


def open_tsne(points):
    import openTSNE

    result = openTSNE.TSNE(n_jobs=2, random_state=1, n_iter=750).fit(points)
    return {"peer": "openTSNE " + openTSNE.__version__, "divergence": float(result.kl_divergence)}


def umap(points):
    import umap as library

    library.UMAP(n_jobs=2).fit_transform(points.astype(np.float32))
    return {"peer": "umap-learn " + library.__version__}


def isomap(points):
    from sklearn.manifold import Isomap

    return {"reconstruction_error": Isomap(n_jobs=2).fit(points).reconstruction_error()}


PEERS = {"tsne": tsne, "opentsne": open_tsne, "umap": umap, "isomap": isomap}


def mixture(rows, columns, clusters):
    random = np.random.default_rng(1)
    scale = 1 / np.sqrt(np.arange(1, columns + 1))
    middles = 2 * random.normal(size=(clusters, columns)) * scale
    return middles[np.arange(rows) % clusters] + random.normal(size=(rows, columns)) * scale


def main():
    file = sys.argv[1].endswith(".npy")
    points = np.load(sys.argv[1]) if file else mixture(*map(int, sys.argv[1:4]))
    work, *runs = sys.argv[2 if file else 4:]
    if work == "save":  # the mixture itself, for others to work on
        np.save(runs[0], points)
        return
    (rows, columns), runs = points.shape, int(runs[0]) if runs else 3
    best, figures = float("inf"), {}
    for _ in range(runs):
        start = time.perf_counter()
        if work == "pca":
            PCA(n_components=2).fit_transform(points)
        elif work in PEERS:
            figures = PEERS[work](points)
        else:
            k = int(work.split(":")[1])
            NearestNeighbors(n_neighbors=k, algorithm="brute").fit(points.astype(np.float32)).kneighbors()
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"peer": "scikit-learn " + sklearn.__version__, "rows": rows, "columns": columns, "work": work,
                      "best_s": round(best, 4), **figures}))


if __name__ == "__main__":
    main()
