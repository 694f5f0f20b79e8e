#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/oracle/reduce_pca.txt: principal components by scikit-learn.

    python3 tools/oracle/reduce_pca.py > tests/data/oracle/reduce_pca.txt

Each case is a small table of round numbers, so that it is exact in text, its shares of variance and its coordinates,
from the full singular value decomposition. Signs are scikit-learn's own.
"""
import numpy as np
import sklearn
from sklearn.decomposition import PCA


def tables():
    random = np.random.default_rng(5)
    mixed = random.normal(size=(40, 6)) @ np.diag([5, 3, 2, 1, 0.5, 0.1]) @ random.normal(size=(6, 6))
    yield "tall", mixed + 100, 3
    yield "wide", random.normal(size=(7, 30)) * np.arange(1, 31), 3
    constant = random.normal(size=(20, 4)) * [1, 2, 4, 8]
    constant[:, 2] = 3
    yield "constant", constant, 2
    pairs = random.normal(size=(10, 5)) * [1, 2, 3, 4, 5]
    yield "duplicates", np.vstack([pairs, pairs, pairs[:1]]), 2
    yield "two", np.array([[1.0, 2, 3], [4, 6, 3]]), 1
    # more columns than are solved whole at once: Krylov spaces
    basis = random.normal(size=(8, 168)) * (0.6 ** np.arange(8))[:, None]
    yield "large", random.normal(size=(164, 8)) @ basis * 10 + 0.05 * random.normal(size=(164, 168)), 3


def main():
    print(f"# numpy {np.__version__} scikit-learn {sklearn.__version__}")
    for name, table, dim in tables():
        table = np.round(table, 2)
        pca = PCA(n_components=dim, svd_solver="full")
        axes = pca.fit_transform(table)
        print("case", name, *table.shape, dim)
        for row in table:
            print(" ".join(f"{x:.10g}" for x in row))
        print(" ".join(repr(float(x)) for x in pca.explained_variance_ratio_))
        for row in axes:
            print(" ".join(f"{x:.12g}" for x in row))


if __name__ == "__main__":
    main()
