# SPDX-License-Identifier: Apache-2.0
"""Pooling: a graph becomes a smaller one, with the features of its nodes gathered.

>>> import dgm
>>> pooled = dgm.pool.pool("karate", "mpr:clusters=5")
>>> pooled.assignment.shape[0]
34

Called as ``dgm.pool(x, adjacency)`` it takes features and a matrix and gives both back, pooled. ``dgm.pool.MPR`` is a module of
torch.
"""
from __future__ import annotations

import sys
import types
from typing import Any, Iterator, Optional

import numpy as np

from . import _call, _dgm
from ._graph import graph as make_graph


class Pooled:
    """A pooled graph: ``assignment`` S (a SciPy matrix, a row for each node), ``adjacency`` S'AS, ``features`` S'X or None."""

    def __init__(self, handle: _dgm.Handle):
        import scipy.sparse

        info = _dgm.pool_step(handle, _dgm.pool_step(handle, 0)["steps"] - 1)

        def part(name: str) -> Any:
            return _call.array(handle, info[name])

        self._handle = handle
        self.assignment = scipy.sparse.csr_matrix((part("values"), part("columns").astype(np.int64), part("offsets")),
                                                  (info["nodes"], info["clusters"]))
        weights = part("graph_weights")
        targets = part("graph_targets").astype(np.int64)
        self.adjacency = scipy.sparse.csr_matrix((np.ones(len(targets)) if weights is None else weights, targets, part("graph_offsets")),
                                                 (info["clusters"], info["clusters"]))
        self.features = None if info["features"] is None else _call.table(handle, info["features"])[0]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.features, self.adjacency))


def pool(graph: Any, /, method: str = "mpr", *, features: Any = None, steps: int = 1, seed: int = 1,
         progress: _call.Progress = None) -> Pooled:
    """Pools a graph by a method of ``dgm pool``: ``"mpr:lens=pagerank,clusters=8"``, ``"graclus"``, ``"topk"``, ...

    ``features`` has a row for each node. Of several steps the last is returned.
    """
    made = make_graph(graph)
    table = values = None
    if features is not None:
        values = _call.flat(features, np.float64, "features")
        if values.ndim != 2 or len(values) != len(made):
            raise ValueError(f"features of the shape {values.shape} for a graph of {len(made):,} nodes")
        rows, columns = values.shape
        table = _dgm.matrix_borrow(_call.context(), values.ctypes.data, rows, columns, None)
    return Pooled(_dgm.pool(_call.context(progress), made._handle, _call.text(method), int(steps), table, int(seed)))


def _matrix(adjacency: Any) -> Any:
    """An adjacency matrix as rows with numbers; anything else stays what it is."""
    if isinstance(adjacency, np.ndarray) and adjacency.ndim == 2 and adjacency.shape[0] == adjacency.shape[1]:
        import scipy.sparse

        return scipy.sparse.csr_matrix(adjacency)
    return adjacency


class _Pool(types.ModuleType):
    """The module, which can be called: ``dgm.pool(x, adjacency)``."""

    def __call__(self, x: Any, adjacency: Any, method: str = "mpr", *, steps: int = 1, seed: int = 1,
                 progress: _call.Progress = None) -> Pooled:
        """Pools features and an adjacency matrix, a SciPy or a square NumPy matrix, or anything that is a graph.

        >>> import dgm, numpy as np
        >>> ring = np.roll(np.eye(8), 1, axis=1) + np.roll(np.eye(8), -1, axis=1)
        >>> x, adjacency = dgm.pool(np.ones((8, 2)), ring, "graclus")
        >>> x.shape, adjacency.shape
        ((4, 2), (4, 4))
        """
        return pool(_matrix(adjacency), method, features=x, steps=steps, seed=seed, progress=progress)


def __getattr__(name: str) -> Any:
    """``MPR`` needs torch, and is loaded when it is asked for."""
    if name in ("MPR", "Assignment"):
        from . import _mpr

        return getattr(_mpr, name)
    raise AttributeError(f"module 'dgm.pool' has no attribute {name!r}")


sys.modules[__name__].__class__ = _Pool
