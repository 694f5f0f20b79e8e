# SPDX-License-Identifier: Apache-2.0
"""The mapper in the shape of scikit-learn's estimators."""
import numpy as np

from . import _dgm
from ._graph import graph as make_graph
from ._map import map as map_graph

_OPTIONS = {option["name"].replace("-", "_"): option for option in _dgm.options()}
_NOT_OURS = {"output", "lens", "format", "nodes_table", "labels", "predictions"}


class DeepGraphMapper:
    """Maps graphs with settings that are kept.

    >>> import dgm
    >>> mapper = dgm.DeepGraphMapper(lens="degree", intervals=3, overlap=0.3)
    >>> mapper.fit("karate").summary_
    <dgm.Summary of 'karate': 17 clusters, 3 links>
    >>> mapper.get_params()["intervals"]
    3
    """

    def __init__(self, lens=None, **options):
        self.lens = lens
        for name in options:
            if name not in _OPTIONS or name in _NOT_OURS:
                from difflib import get_close_matches

                near = get_close_matches(name, _OPTIONS, 1)
                raise ValueError(f"a mapper has no option '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
        self._options = dict(options)

    def __repr__(self):
        shown = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not None]
        return f"DeepGraphMapper({', '.join(shown)})"

    def get_params(self, deep=True):
        """The parameters by name."""
        return {"lens": self.lens, **self._options}

    def set_params(self, **params):
        made = type(self)(**{**self.get_params(), **params})
        self.lens, self._options = made.lens, made._options
        return self

    def fit(self, graph, y=None, *, predictions=None, progress=None):
        """Maps a graph: ``summary_``, and the lens that was cut, ``axes_``."""
        self.graph_ = make_graph(graph)
        lens = self.lens(graph) if callable(self.lens) and not hasattr(self.lens, "__array__") else self.lens
        self.summary_ = map_graph(self.graph_, lens, predictions=predictions, progress=progress, **self._options)
        self.axes_ = self.summary_.axes
        return self

    def fit_transform(self, graph, y=None, **options):
        """The membership of nodes in clusters, a SciPy matrix."""
        return self.fit(graph, y, **options).summary_.membership

    def transform(self, axes, neighbours=None):
        """Places new nodes on the map: the clusters of each, as a SciPy matrix with a row for each new node.

        ``axes`` are their values of the lens, as the cover sees it, a row for each. A node is in a cell if its value lies between
        the values of the nodes there; in the cell it joins the cluster with most of its ``neighbours``, lists of nodes of the
        fitted graph by their numbers, and none if there is none. Without neighbours it joins the largest cluster of the cell.
        """
        import scipy.sparse

        axes = np.asarray(axes, float)
        axes = axes[:, None] if axes.ndim == 1 else axes
        if axes.ndim != 2 or axes.shape[1] != self.axes_.shape[1]:
            raise ValueError(f"the lens has {self.axes_.shape[1]} axes, not the shape {axes.shape}")
        if neighbours is not None and len(neighbours) != len(axes):
            raise ValueError(f"neighbours of {len(neighbours)} nodes for {len(axes)} new ones")
        membership = self.summary_.membership
        cells = list(self._cells())
        rows, columns = [], []
        for node, value in enumerate(axes):
            links = None if neighbours is None else np.asarray(membership[np.asarray(neighbours[node], int)].sum(axis=0)).ravel()
            for low, high, clusters in cells:
                if np.all(value >= low) and np.all(value <= high):
                    strength = self.summary_.sizes[clusters] if links is None else links[clusters]
                    best = int(np.argmax(strength))
                    if strength[best] > 0:
                        rows.append(node)
                        columns.append(clusters[best])
        return scipy.sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), (len(axes), len(self.summary_)))

    def _cells(self):
        """The cells: the values of the nodes that lie in each, from the lowest to the highest, and its clusters."""
        info, summary = self.summary_._info, self.summary_
        cells = summary._array("cells", (len(summary), info["axes"]))
        offsets, members = summary._array("offsets"), summary._array("members")
        found = {}
        for cluster, cell in enumerate(map_tuple(cells)):
            found.setdefault(cell, []).append(cluster)
        for clusters in found.values():
            values = self.axes_[np.concatenate([members[offsets[c]:offsets[c + 1]] for c in clusters])]
            yield values.min(axis=0), values.max(axis=0), np.array(clusters)


def map_tuple(rows):
    return [tuple(row) for row in rows.tolist()]


def _document():
    lines = [DeepGraphMapper.__doc__.rstrip(), "", "    Keyword arguments, which are the options of ``dgm map``:", ""]
    for name, option in _OPTIONS.items():
        if name not in _NOT_OURS:
            default = f" (default {option['default']})" if option["default"] else ""
            lines.append(f"    {name}: {option['help']}{default}")
    DeepGraphMapper.__doc__ = "\n".join(lines)


_document()
