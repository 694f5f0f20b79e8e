#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peer_tsne.py [-h] WORK [--dgm PROGRAM] [--only NAME,...]: maps of 40 clouds without clusters, by dgm, openTSNE and scikit-learn.

Each cloud is laid out by all three with a perplexity of 30 and about 1,000 iterations, and one function below computes the exact divergence of
every map, from the same affinities. One JSON object a line, and a last one with the worst ratio. WORK keeps the peers' maps, which take long.
"""
import argparse
import json
import pathlib
import subprocess

import numpy as np

PERPLEXITY = 30
BLOCK = 500  # rows of distances at a time


# ---- clouds ----

def normal(random, rows, columns):
    return random.normal(size=(rows, columns))


def uniform(random, rows, columns):
    return random.uniform(size=(rows, columns))


def sphere(random, rows, columns):
    points = random.normal(size=(rows, columns))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def heavy(random, rows, columns):
    return random.standard_t(2, size=(rows, columns))


def counts(random, rows, columns):
    return random.poisson(5 / columns + 0.02, size=(rows, columns)).astype(float)


def onehot(random, rows, columns):
    return np.eye(columns)[random.integers(columns, size=rows)]


def repeated(random, rows, columns):  # every point ten times, on average
    return random.normal(size=(max(rows // 10, 2), columns))[random.integers(max(rows // 10, 2), size=rows)]


def steps(random, rows, columns):
    return random.integers(4, size=(rows, columns)).astype(float)


def falling(random, rows, columns):
    return random.normal(size=(rows, columns)) / np.arange(1, columns + 1)


def layer(random, rows, columns):  # what an untrained layer makes of sparse features
    features = random.uniform(size=(rows, 1000)) < 0.01
    return np.maximum(features @ random.normal(size=(1000, columns)) * 0.05, 0)


CLOUDS = [
    (normal, 100, 3), (normal, 300, 50), (normal, 1000, 10), (normal, 2708, 10), (normal, 2708, 20), (normal, 5000, 20), (normal, 2000, 500),
    (normal, 10000, 3), (normal, 10000, 50), (uniform, 100, 5), (uniform, 500, 3), (uniform, 1000, 100), (uniform, 2000, 16),
    (uniform, 4000, 8), (uniform, 10000, 20), (sphere, 200, 3), (sphere, 1000, 4), (sphere, 2000, 30), (sphere, 5000, 10), (heavy, 150, 10),
    (heavy, 1000, 20), (heavy, 2708, 50), (heavy, 5000, 5), (heavy, 2000, 200), (counts, 300, 100), (counts, 1000, 500), (counts, 2708, 300),
    (counts, 5000, 200), (onehot, 100, 10), (onehot, 1000, 50), (onehot, 3000, 200), (onehot, 2000, 500), (repeated, 200, 5),
    (repeated, 1000, 10), (repeated, 3000, 20), (repeated, 10000, 5), (steps, 1000, 4), (steps, 3000, 8), (falling, 3000, 20),
    (layer, 2708, 16),
]


def cloud(number):
    kind, rows, columns = CLOUDS[number]
    return kind(np.random.default_rng(0 if kind is normal else number), rows, columns)


def name_of(number):
    kind, rows, columns = CLOUDS[number]
    return f"{kind.__name__}-{rows}x{columns}"


# ---- the exact divergence ----

def row_of(squares, entropy):
    """Probabilities of neighbours whose entropy is the wanted one, or as near as points in one place let it come."""
    above, low, high, beta = squares - squares.min(), 0.0, np.inf, 1 / max(np.mean(squares - squares.min()), 1e-300)
    for _ in range(200):
        weights = np.exp(-beta * above)
        p = weights / weights.sum()
        excess = np.log(weights.sum()) + beta * (p @ above) - entropy
        if abs(excess) < 1e-10:
            break
        low, high = (beta, high) if excess > 0 else (low, beta)
        beta = beta * 2 if np.isinf(high) else (low + high) / 2
        if not 1e-290 < beta < 1e290:
            break
    return p


def affinities(points):
    """p_ij over the nearest 3 x perplexity + 1 neighbours, and all those as near as the last: no order of equals decides."""
    from scipy.sparse import csr_matrix

    rows = len(points)
    perplexity = min(PERPLEXITY, (rows - 1) / 3)
    k = min(rows - 1, int(3 * perplexity + 1))
    places, values, starts = [], [], [0]
    for i in range(rows):
        squares = ((points - points[i]) ** 2).sum(1)
        squares[i] = np.inf
        near = np.flatnonzero(squares <= np.partition(squares, k - 1)[k - 1] * (1 + 1e-9))
        places.append(near)
        values.append(row_of(squares[near], np.log(perplexity)))
        starts.append(starts[-1] + len(near))
    p = csr_matrix((np.concatenate(values), np.concatenate(places), starts), shape=(rows, rows))
    return (p + p.T) / (2 * rows)


def divergence(p, y):
    y = np.asarray(y, float)
    z = -float(len(y))
    for begin in range(0, len(y), BLOCK):
        z += (1 / (1 + ((y[begin:begin + BLOCK, None] - y[None]) ** 2).sum(2))).sum()
    p = p.tocoo()
    d = ((y[p.row] - y[p.col]) ** 2).sum(1)
    kept = p.data > 0
    return float((p.data[kept] * np.log(p.data[kept])).sum() + p.data @ np.log1p(d) + np.log(z))


# ---- programs ----

def by_opentsne(points):
    import openTSNE

    return np.asarray(openTSNE.TSNE(n_jobs=1, random_state=1, n_iter=750, perplexity=PERPLEXITY).fit(points))


def by_sklearn(points):
    from sklearn.manifold import TSNE

    return TSNE(2, init="pca", n_jobs=1, random_state=1, perplexity=min(PERPLEXITY, (len(points) - 1) / 3)).fit_transform(points)


PEERS = {"opentsne": by_opentsne, "sklearn": by_sklearn}


def once(path, make):
    if not path.exists():
        np.save(path, make())
    return np.load(path)


def by_dgm(program, work, name, points):
    np.save(work / f"{name}.npy", points)
    out = work / f"{name}.dgm.npy"
    subprocess.run([program, "reduce", work / f"{name}.npy", "--method", "tsne", "-q", "-o", out], check=True)
    return np.load(out)


def flatness(y):
    """Deviation of the narrowest direction of a map, as a share of the widest one."""
    spread = np.linalg.svd(y - y.mean(0), compute_uv=False)
    return float(spread[-1] / spread[0]) if spread[0] > 0 else 0.0


def versions():
    import openTSNE
    import sklearn

    return {"openTSNE": openTSNE.__version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("work", type=pathlib.Path)
    arguments.add_argument("--dgm")
    arguments.add_argument("--only", default="")
    asked = arguments.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    worst = 0
    for number in range(len(CLOUDS)):
        name = name_of(number)
        if asked.only and name not in asked.only.split(","):
            continue
        points = cloud(number)
        maps = {peer: once(asked.work / f"{name}.{peer}.npy", lambda make=make: make(points)) for peer, make in PEERS.items()}
        if asked.dgm:
            maps["dgm"] = by_dgm(asked.dgm, asked.work, name, points)
        p_file = asked.work / f"{name}.p.npz"
        if not p_file.exists():
            from scipy.sparse import save_npz

            save_npz(p_file, affinities(points))
        from scipy.sparse import load_npz

        p = load_npz(p_file)
        row = {"cloud": name, **{who: round(divergence(p, y), 4) for who, y in maps.items()}}
        if asked.dgm:
            row["ratio"] = round(row["dgm"] / min(row[peer] for peer in PEERS), 4)
            row["flatness"] = {who: round(flatness(y), 3) for who, y in maps.items()}
            worst = max(worst, row["ratio"])
        print(json.dumps(row), flush=True)
    print(json.dumps({**versions(), "worst_ratio": worst}))


if __name__ == "__main__":
    main()
