# SPDX-License-Identifier: Apache-2.0
"""Mapping: the lens, the cover, and what is chosen where nothing is given."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Tuple

import numpy as np

from . import _call, _dgm
from ._graph import Graph
from ._graph import graph as make_graph
from ._summary import Summary
from ._train import Model

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import MapOptions

_TABLES = _dgm.options()
# What a study chooses, as the library numbers it.
OPEN_LENS, OPEN_COVER, OPEN_INTERVALS, OPEN_OVERLAP, OPEN_DUST, OPEN_PIECES = 1, 2, 4, 8, 16, 32
SETTLED = ("intervals:", "simplex", "cmo", "parts")
READING = tuple(option["name"].replace("-", "_") for option in _TABLES if option["group"] == "Reading the graph")


def open_settings(lens: Any, options: Dict[str, Any]) -> int:
    """What is left to choose: all that is not given, unless the cover has cells of its own."""
    cover = options.get("cover")
    if options.get("compat") is not None or (cover and str(cover).startswith(SETTLED)):
        return 0
    is_open = 0
    if lens is None and options.get("lens_file") is None:
        is_open |= OPEN_LENS | (0 if cover else OPEN_COVER) | (0 if options.get("pieces") else OPEN_PIECES)
    if options.get("intervals") is None and cover in (None, "uniform", "quantile"):
        is_open |= OPEN_INTERVALS
    if options.get("overlap") is None and not str(cover).startswith("balls"):
        is_open |= OPEN_OVERLAP
    if is_open and options.get("dust_size") is None:
        is_open |= OPEN_DUST
    return is_open


def keeps_parts(context: _dgm.Context, pairs: _dgm.Settings, options: Dict[str, Any]) -> bool:
    """Whether the lens is a partition, whose cells nothing is to be chosen of, unless a cover is given."""
    return options.get("cover") is None and _dgm.has_parts(context, pairs)


def lens_table(graph: Graph, lens: Any) -> Tuple[_dgm.Handle, _call.Array]:
    """A lens that is an array: one row for each node. Returns a handle and what it borrows."""
    values = _call.take(lens, "lens")
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or len(values) != len(graph):
        raise ValueError(f"a lens has one row for each of {len(graph):,} nodes, not the shape {values.shape}")
    values = _call.flat(values, np.float64, "lens")
    rows, columns = values.shape
    return _dgm.matrix_borrow(_call.context(), values.ctypes.data, rows, columns, None), values


def is_named(lens: Any) -> bool:
    return isinstance(lens, (str, bytes)) or (isinstance(lens, (list, tuple)) and len(lens) > 0 and all(isinstance(one, str) for one in lens))


def take_predictions(graph: Graph, predictions: Any) -> _dgm.Handle:
    """Classes, probabilities or logits of a network trained anywhere."""
    values = _call.take(predictions, "predictions")
    if values.ndim not in (1, 2) or len(values) != len(graph):
        raise ValueError(f"predictions of the shape {values.shape} for a graph of {len(graph):,} nodes")
    if values.ndim == 1:
        classes = _call.whole(values, "predictions")
        if classes.size and (classes.min() < -1 or classes.max() > 2**31 - 1):
            raise ValueError("predictions are numbers of classes from 0, or -1 for none")
        classes = _call.flat(classes, np.int32, "predictions")
        return _dgm.predictions_make(_call.context(), graph._handle, "classes", classes.ctypes.data, 0)
    values = _call.flat(values, np.float64, "predictions")
    sums = values.sum(axis=1)
    kind = "probabilities" if np.all(values >= 0) and np.allclose(sums, 1, atol=0.01) else "logits"
    return _dgm.predictions_make(_call.context(), graph._handle, kind, values.ctypes.data, values.shape[1])


# ---- clusters by an object of the caller's ----


class CellClusterer:
    """Asks a clusterer of scikit-learn's kind for the clusters of a cell, a clone of it for each."""

    #: Parameters without which a cell is too small to be asked about, and whether its nodes are then noise.
    FEWEST = (("n_clusters", False), ("min_cluster_size", True), ("min_samples", True))

    def __init__(self, clusterer: Any, rows: Any):
        if isinstance(clusterer, type) or not (hasattr(clusterer, "fit_predict") or hasattr(clusterer, "fit")):
            raise TypeError(f"a clusterer is an object with fit_predict, or fit and labels_, not {clusterer!r}")
        self.clusterer, self.rows = clusterer, rows
        self.fewest, self.is_noise = 2, False  # one node is one cluster, unless the clusterer says otherwise
        params = clusterer.get_params() if hasattr(clusterer, "get_params") else {}
        for name, is_noise in self.FEWEST:
            if isinstance(params.get(name), (int, np.integer)):
                self.fewest, self.is_noise = max(int(params[name]), 1 if is_noise else 2), is_noise
                break

    def __call__(self, count: int, nodes: int, labels: int) -> None:
        members = np.asarray(_call.View(None, nodes, (count,), np.uint32))
        out = np.asarray(_call.View(None, labels, (count,), np.int64, writable=True))
        if count < self.fewest:
            out[:] = -1 if self.is_noise else 0
            return
        rows = self.rows[members]
        said = _call.whole(self._ask(rows.toarray() if hasattr(rows, "toarray") else rows), "labels of the clusterer")
        if said.shape != (count,):
            raise ValueError(f"the clusterer gave labels of the shape {said.shape} for {count} rows")
        out[:] = said

    def _ask(self, rows: _call.Array) -> Any:
        fresh = self._clone()
        if hasattr(fresh, "fit_predict"):
            return fresh.fit_predict(rows)
        fresh.fit(rows)
        return fresh.labels_

    def _clone(self) -> Any:
        if hasattr(self.clusterer, "get_params"):
            try:
                from sklearn.base import clone
            except ImportError:
                pass
            else:
                return clone(self.clusterer)
        import copy

        return copy.deepcopy(self.clusterer)


def rows_of(graph: Graph, points: Any) -> Any:
    """What is clustered: the points that are given, or the features; None: the lens."""
    if points is None:
        return graph.features
    rows = points.tocsr() if hasattr(points, "tocsr") else _call.take(points, "points")
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or rows.shape[0] != len(graph):
        raise ValueError(f"points have one row for each of {len(graph):,} nodes, not the shape {rows.shape}")
    return rows


# ---- the calls ----


def read(graph: Any, options: Mapping[str, Any]) -> Tuple[Graph, Dict[str, Any]]:
    """The graph, and the options without those that reading it took."""
    given = dict(options)
    is_file = isinstance(graph, (str, bytes, os.PathLike))
    reading = {name: given.pop(name) for name in READING if name in given and is_file}
    return make_graph(graph, **reading), given


def map(graph: Any, /, lens: Any = None, *, predictions: Any = None, clusterer: Any = None, points: Any = None,
        progress: _call.Progress = None, auto: bool = True, **options: Unpack[MapOptions]) -> Summary:
    """Maps a graph and returns its :class:`Summary`.

    ``lens`` is the name of a lens of the program (``"pagerank"``, ``"dgi"``, several in a list), an array with a row for each
    node (an embedding, logits), a :class:`Model`, or a function that makes such an array of the graph. Without it the lens is chosen by
    looking at the graph, and so are the cover's settings that are not given; ``auto=False`` takes the plain defaults.

    ``predictions`` are classes, probabilities or logits of a network trained anywhere: the summary then knows its mistakes.

    ``clusterer`` is an object as scikit-learn has them, with ``fit_predict`` or ``fit`` and ``labels_``. It is cloned for each
    cell of the cover and splits the nodes there by their rows in ``points``, or in the features of the graph, or in the lens.
    Nodes that it labels -1 are noise: they are left out of the cell, and ``coverage["filtered_noise"]`` counts those that no
    cell has. Cells with fewer nodes than its ``n_clusters`` are one cluster, and with fewer than its ``min_cluster_size`` or
    ``min_samples`` they are noise. Nothing is chosen by looking at the graph then.

    ``progress`` is called with a stage and a fraction (or None), and ends the work by returning False; ``True`` shows a bar.

    >>> import dgm
    >>> dgm.map("karate", lens="degree", intervals=3, overlap=0.3)
    <dgm.Summary of 'karate': 17 clusters, 3 links>

    All other options are those of ``dgm map``, with underscores:

    """
    source, made, given = graph, *read(graph, options)
    borrowed = table = lens_made = asked = None
    if isinstance(lens, Model):
        lens = lens.embed(made)
    elif callable(lens) and not hasattr(lens, "__array__"):
        lens = lens(source)
    if lens is not None and not is_named(lens):
        table, borrowed = lens_table(made, lens)
    said = None if predictions is None else take_predictions(made, predictions)
    pairs = _call.settings(dict(given, lens=lens if table is None else None))
    context = _call.context(progress)
    if clusterer is not None:
        if given.get("cluster") is not None:
            raise ValueError("a clusterer makes the clusters: cluster= says it a second time")
        rows = rows_of(made, points)
        if rows is None:
            lens_made = _dgm.lens(context, made._handle, pairs, table)
            rows = _call.table(lens_made, _dgm.lens_table(lens_made))[0]
        asked = CellClusterer(clusterer, rows)
    elif points is not None:
        raise ValueError("points are for a clusterer, which is not given")
    is_open = open_settings(lens, given) if auto and asked is None and not keeps_parts(context, pairs, given) else 0
    study = _dgm.study(context, made._handle, pairs, is_open, False, table) if is_open else None
    result = _dgm.map(context, made._handle, pairs, table, None, said, study, lens_made, asked)
    return Summary(made, result, pairs, study, said, table, borrowed, context[2], asked, lens_made)


def suggest(graph: Any, /, *, lens: Any = None, trained: bool = False, progress: _call.Progress = None,
            **options: Unpack[MapOptions]) -> Any:
    """The settings that were tried for a graph, best first: a pandas frame, or a structured array where there is no pandas.

    >>> import dgm
    >>> tried = dgm.suggest("karate")
    >>> len(tried) > 3
    True
    >>> tried["lens"][0], tried["cover"][0]
    ('communities', 'parts:share=0.3')
    """
    source, made, given = graph, *read(graph, options)
    table = borrowed = None
    if callable(lens) and not hasattr(lens, "__array__"):
        lens = lens(source)
    if lens is not None and not is_named(lens):
        table, borrowed = lens_table(made, lens)
    pairs = _call.settings(dict(given, lens=lens if table is None else None))
    context = _call.context(progress)
    is_open = 0 if keeps_parts(context, pairs, given) else open_settings(lens, given) or OPEN_INTERVALS | OPEN_OVERLAP
    study = _dgm.study(context, made._handle, pairs, is_open, trained, table)
    del borrowed  # which the study needed until here
    rows: List[Dict[str, Any]] = []
    for candidate in _dgm.study_candidates(study):
        settings = {name.replace("-", "_"): value for name, value in candidate.pop("settings")}
        rows.append({**settings, **candidate})
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _call.frame({name: column_of([row.get(name) for row in rows]) for name in names})


def column_of(values: List[Any]) -> Any:
    """Values of one type as they are; texts, and where some are missing, as objects."""
    return _call.objects(values) if any(value is None or isinstance(value, str) for value in values) else np.array(values)


def lens(graph: Any, name: Any, /, *, progress: _call.Progress = None, **options: Unpack[MapOptions]) -> _call.Array:
    """The values of a lens, an array with a row for each node, before it is cut into cells.

    >>> import dgm
    >>> dgm.lens("karate", "degree").shape
    (34, 1)
    """
    made, given = read(graph, options)
    handle = _dgm.lens(_call.context(progress), made._handle, _call.settings(dict(given, lens=name)), None)
    return _call.table(handle, _dgm.lens_table(handle))[0]


def _document() -> None:
    kept = [option for option in _TABLES if option["name"] not in ("output", "lens", "predictions")]
    map.__doc__ = f"{(map.__doc__ or '').rstrip()}\n\n{_call.document(kept)}\n    "
    make_graph.__doc__ = f"{(make_graph.__doc__ or '').rstrip()}\n\n{_call.document([o for o in kept if o['group'] == 'Reading the graph'])}\n    "


_document()
