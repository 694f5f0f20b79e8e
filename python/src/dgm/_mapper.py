# SPDX-License-Identifier: Apache-2.0
"""The mapper in the shape of scikit-learn's estimators."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _call, _dgm
from ._estimator import Estimator
from ._graph import Parts
from ._graph import graph as make_graph
from ._map import map as map_graph
from ._options import MapperParameters
from ._summary import Summary

Cell = Tuple[int, ...]


class DeepGraphMapper(Estimator, MapperParameters):
    """Maps graphs with settings that are kept.

    >>> import dgm
    >>> mapper = dgm.DeepGraphMapper(lens="degree", intervals=3, overlap=0.3)
    >>> mapper
    DeepGraphMapper(lens='degree', intervals=3, overlap=0.3)
    >>> mapper.fit("karate").summary_
    <dgm.Summary of 'karate': 17 clusters, 3 links>
    >>> mapper.get_params()["intervals"]
    3

    ``lens`` and ``clusterer`` are as in :func:`dgm.map`. After ``fit``: ``graph_``, ``summary_``, and ``axes_``, the lens that was
    cut. Keyword arguments, which are the options of ``dgm map``:

    """

    _kept_as = {"transform": "_transform"}

    def fit(self, graph: Any, y: Any = None, *, predictions: Any = None, points: Any = None,
            progress: _call.Progress = None) -> DeepGraphMapper:
        """Maps a graph: ``summary_``, and the lens that was cut, ``axes_``."""
        made = make_graph(graph)
        options = self.get_params(deep=False)
        lens = options.pop("lens")
        lens = lens(graph) if callable(lens) and not hasattr(lens, "__array__") else lens
        self.summary_: Summary = map_graph(made, lens, predictions=predictions, points=points, progress=progress, **options)
        self.graph_ = made
        self.axes_ = self.summary_.axes
        return self

    def fit_transform(self, graph: Any, y: Any = None, **options: Any) -> Any:
        """The membership of nodes in clusters, a SciPy matrix."""
        return self.fit(graph, y, **options).summary_.membership

    def transform(self, axes: Any, neighbours: Optional[Sequence[Any]] = None) -> Any:
        """Places new nodes on the map: the clusters of each, as a SciPy matrix with a row for each new node.

        ``axes`` are their values of the lens, as the cover sees it, a row for each: they say the cells that a node lies in. (Of
        covers that find cells around nodes, ``adaptive``, ``balls`` and ``landmarks``, a cell is the box of its nodes.) In a cell
        it joins the cluster with most of its ``neighbours``, lists of nodes of the fitted graph by their numbers, and none if no
        neighbour is there. Without ``neighbours`` it joins the largest cluster of the cell.

        >>> import dgm
        >>> ring = [(i, (i + 1) % 12) for i in range(12)]
        >>> height = [min(i, 12 - i) for i in range(12)]
        >>> mapper = dgm.DeepGraphMapper(lens=height, intervals=3, overlap=0.3).fit(ring)
        >>> [mapper.summary_.members(c) for c in mapper.transform([2.9], [[3]]).indices]
        [[2, 3, 4]]
        """
        import scipy.sparse

        self._need_fit("summary_")
        axes = _call.flat(axes, np.float64, "axes")
        axes = axes[:, None] if axes.ndim == 1 else axes
        if axes.ndim != 2 or axes.shape[1] != self.axes_.shape[1]:
            raise ValueError(f"the lens has {self.axes_.shape[1]} axes, not the shape {axes.shape}")
        if neighbours is not None and len(neighbours) != len(axes):
            raise ValueError(f"neighbours of {len(neighbours)} nodes for {len(axes)} new ones")
        if not np.isfinite(axes).all():
            raise ValueError("axes: a value of the lens is not a finite number")
        membership, sizes, cells = self.summary_.membership.astype(bool).astype(float), self.summary_.sizes, self._cells()
        rows: List[int] = []
        columns: List[int] = []
        for node, found in enumerate(self._locate(axes, cells)):
            links = None if neighbours is None else np.asarray(membership[self._nodes(neighbours[node])].sum(axis=0)).ravel()
            for cell in found:
                clusters = cells[cell]
                strength = sizes[clusters] if links is None else links[clusters]
                best = int(np.argmax(strength))
                if strength[best] > 0:
                    rows.append(node)
                    columns.append(clusters[best])
        return scipy.sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), (len(axes), len(self.summary_)))

    def _nodes(self, listed: Any) -> _call.Array:
        """Numbers of nodes of the fitted graph."""
        nodes = _call.whole(listed, "neighbours").reshape(-1)
        if nodes.size and (nodes.min() < 0 or nodes.max() >= len(self.graph_)):
            raise ValueError(f"neighbours: a node is not one of the {len(self.graph_):,} of the fitted graph")
        return nodes.astype(np.int64)

    def _cells(self) -> Dict[Cell, List[int]]:
        """The clusters of each cell that has some."""
        found: Dict[Cell, List[int]] = {}
        for cluster, cell in enumerate(coordinates(self.summary_)):
            found.setdefault(cell, []).append(cluster)
        return found

    def _locate(self, axes: _call.Array, cells: Dict[Cell, List[int]]) -> List[List[Cell]]:
        """The cells with clusters that each value lies in."""
        cover = self.summary_.to_dict()["cover"]
        if cover["kind"] in ("adaptive", "balls", "landmarks"):
            return self._locate_in_boxes(axes, cells)
        old = self.axes_
        if cover["kind"] == "quantile":
            old, axes = ranks(old, old), ranks(old, axes)
        inside = np.ones(len(axes), bool)
        if cover["kind"] not in ("intervals", "gmeans", "simplex"):
            inside = np.all((axes >= old.min(axis=0)) & (axes <= old.max(axis=0)), axis=1)
        found: List[List[Cell]] = [[] for _ in axes]
        for place, located in zip(np.flatnonzero(inside), locate(cover, old, axes[inside])):
            found[place] = [cell for cell in located if cell in cells]
        return found

    def _locate_in_boxes(self, axes: _call.Array, cells: Dict[Cell, List[int]]) -> List[List[Cell]]:
        offsets, members = self.summary_._array("offsets"), self.summary_._array("members")
        found: List[List[Cell]] = [[] for _ in axes]
        for cell, clusters in cells.items():
            values = self.axes_[np.concatenate([members[offsets[c]:offsets[c + 1]] for c in clusters])]
            for node in np.flatnonzero(np.all((axes >= values.min(axis=0)) & (axes <= values.max(axis=0)), axis=1)):
                found[node].append(cell)
        return found


# ---- cells ----


def coordinates(summary: Summary) -> List[Cell]:
    """The cell of each cluster."""
    cells = summary._array("cells", (len(summary), summary._info["axes"]))
    return [tuple(cell) for cell in cells.tolist()]


def ranks(old: _call.Array, values: _call.Array) -> _call.Array:
    """The mean rank of each value among those of the old nodes, axis by axis; in between, in proportion."""
    made = np.empty(values.shape)
    for axis in range(old.shape[1]):
        line = np.sort(old[:, axis])
        known, first, count = np.unique(line, return_index=True, return_counts=True)
        beyond = (values[:, axis] < known[0]) | (values[:, axis] > known[-1])
        made[:, axis] = np.interp(values[:, axis], known, first + (count - 1) / 2)
        made[beyond, axis] = np.where(values[beyond, axis] < known[0], -1, len(line))
    return made


def locate(cover: Dict[str, Any], old: _call.Array, new: _call.Array) -> List[List[Cell]]:
    """The cells of new values, which the library finds itself: a graph without edges whose nodes have the old values and the new
    ones, each cell a cluster. The cells are the same, as no new value lies beyond the old ones."""
    options: Dict[str, Any] = {"cluster": "none", "layout": "grid"}
    if cover["kind"] in ("intervals", "gmeans"):
        ends = [("-inf" if low is None else repr(low), "inf" if high is None else repr(high)) for low, high in cover["cells"]]
        options["cover"] = "intervals:" + ",".join(f"{low}..{high}" for low, high in ends)
    elif cover["kind"] == "simplex":
        options["cover"] = "simplex"
    else:
        options.update(intervals=cover["intervals"], overlap=cover["overlap"], compat=cover["rule"])
    parts = Parts(len(old) + len(new))
    summary = map_graph(parts.build(), np.concatenate([old, new]), auto=False, **options)
    offsets, members = summary._array("offsets"), summary._array("members")
    found: List[List[Cell]] = [[] for _ in new]
    for cluster, cell in enumerate(coordinates(summary)):
        for node in members[offsets[cluster]:offsets[cluster + 1]]:
            if node >= len(old):
                found[node - len(old)].append(cell)
    return found


_OPTIONS = [option for option in _dgm.options() if option["group"] != "Reading the graph"]
DeepGraphMapper.__doc__ = (f"{(DeepGraphMapper.__doc__ or '').rstrip()}\n\n"
                           f"{_call.document(_OPTIONS, ('output', 'lens', 'predictions'))}\n    ")
