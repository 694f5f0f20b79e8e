# SPDX-License-Identifier: Apache-2.0
"""Graphs of other libraries, and back: nodes keep their names, and members come back as the objects that they were."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import _call, _dgm

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import ReadOptions

MOST_NODES = 2**31 - 2


class Graph:
    """A graph as the library has it. ``nodes`` are the objects that it was made of, in their order."""

    def __init__(self, handle: _dgm.Handle, nodes: Optional[Sequence[Any]] = None):
        self._handle = handle
        self._info = _dgm.graph_info(handle)
        self._nodes = nodes

    def __len__(self) -> int:
        return int(self._info["nodes"])

    def __repr__(self) -> str:
        name = self.source
        return f"<dgm.Graph{' ' + repr(name) if name else ''}: {len(self):,} nodes, {self.edges:,} edges>"

    @property
    def edges(self) -> int:
        """The number of edges."""
        return int(self._info["edges"])

    @property
    def source(self) -> str:
        """What the graph is called."""
        return str(self._info["source"])

    @property
    def nodes(self) -> Sequence[Any]:
        """The nodes, in the order of rows of a lens."""
        if self._nodes is None:
            names = self._info["names"]
            self._nodes = names if isinstance(names, list) else range(names, names + len(self))
        return self._nodes

    @property
    def classes(self) -> List[str]:
        """The names of the classes."""
        return list(self._info["classes"])

    @property
    def labels(self) -> Optional[npt.NDArray[np.int32]]:
        """The class of each node as its place in ``classes``, -1 for none; None where nodes have no classes."""
        made: Optional[npt.NDArray[np.int32]] = _call.array(self._handle, self._info["labels"])
        return made

    @property
    def features(self) -> Any:
        """The features of the nodes, a row for each: an array, a SciPy matrix where they are sparse, None where there are none.

        >>> import dgm
        >>> dgm.graph("spam").features.shape
        (1000, 1)
        """
        part = _dgm.graph_features(self._handle)
        if part is None:
            return None
        width, offsets, columns, values = part
        shape = (len(self), width)
        if offsets is None:
            return _call.array(self._handle, values, shape)
        import scipy.sparse

        columns = _call.array(self._handle, columns).astype(np.int64)
        entries = np.ones(len(columns), np.float32) if values is None else _call.array(self._handle, values)
        return scipy.sparse.csr_matrix((entries, columns, _call.array(self._handle, offsets)), shape)

    def names(self) -> List[str]:
        """The name of each node, as a text."""
        names = self._info["names"]
        return names if isinstance(names, list) else [str(name) for name in range(names, names + len(self))]


# ---- what a graph is made of ----


class Parts:
    """What the library builds a graph from: addresses of arrays, which are kept here while it works."""

    def __init__(self, nodes: int, directed: bool = False, source: str = ""):
        if not 0 <= nodes <= MOST_NODES:
            raise ValueError(f"a graph has at most {MOST_NODES:,} nodes, not {nodes:,}")
        self.nodes = nodes
        self.spec: Dict[str, Any] = {"nodes": int(nodes), "directed": bool(directed), "source": os.fsencode(source)}
        self.arrays: List[_call.Array] = []

    def address(self, values: Any, dtype: npt.DTypeLike, name: str, shape: Optional[Tuple[int, ...]] = None) -> Optional[int]:
        made = _call.flat(values, dtype, name, shape)
        self.arrays.append(made)
        return made.ctypes.data if made.size else None

    def edges(self, sources: Any, targets: Any, weights: Any = None) -> None:
        sources, targets = _call.whole(sources, "sources"), _call.whole(targets, "targets")
        if sources.shape != targets.shape or sources.ndim != 1:
            raise ValueError(f"{sources.shape} sources for {targets.shape} targets")
        for name, ends in (("sources", sources), ("targets", targets)):
            if ends.size and (ends.min() < 0 or ends.max() >= self.nodes):
                raise ValueError(f"{name}: node {ends.min() if ends.min() < 0 else ends.max()} is not one of {self.nodes:,} nodes")
        ends = np.empty((len(sources), 2), np.uint32)
        ends[:, 0], ends[:, 1] = sources, targets
        self.spec["edges"] = (len(sources), self.address(ends, np.uint32, "edges"),
                              None if weights is None else self.address(weights, np.float64, "weights", (len(sources),)))

    def rows(self, matrix: Any, weighted: bool = True) -> None:
        """The entries of a SciPy matrix in compressed sparse rows. The caller's matrix stays as it is."""
        matrix = tidy_rows(matrix)
        weights = None
        if weighted and matrix.nnz and not np.all(matrix.data == 1):
            weights = self.address(matrix.data, np.float64, "weights")
        self.spec["rows"] = (self.nodes, int(matrix.nnz), self.address(matrix.indptr, np.int64, "offsets"),
                             self.address(matrix.indices, np.uint32, "targets"), weights)

    def names(self, names: Sequence[Any]) -> None:
        """Names as texts. Two nodes that would have one name are told apart by a number."""
        seen, told = set(), []  # type: set[str], List[bytes]
        for name in names:
            plain = name = str(name).replace("\0", "\N{REPLACEMENT CHARACTER}")
            count = 1
            while name in seen:
                count += 1
                name = f"{plain} ({count})"
            seen.add(name)
            told.append(name.encode("utf-8", "surrogateescape"))
        self.spec["names"] = told

    def labels(self, labels: Any) -> None:
        """Classes as numbers (-1 and NaN: none) or as words (None and NaN: none)."""
        labels = _call.take(labels, "labels")
        if labels.shape != (self.nodes,):
            raise ValueError(f"labels have the shape {labels.shape}, not ({self.nodes},)")
        if labels.dtype.kind == "f" and np.all(np.isnan(labels) | (labels == np.floor(labels))):
            labels = np.where(np.isnan(labels), -1, np.clip(labels, -2, 2.0**31)).astype(np.int64)
        if labels.dtype.kind in "iub":
            numbers = labels.astype(np.int64)
            if numbers.size and (numbers.max() > 2**31 - 1 or numbers.min() < -1):
                raise ValueError("labels are numbers of classes from 0, or -1 for none")
        else:
            numbers, words = enumerate_words(labels)
            self.spec["classes"] = [word.encode("utf-8", "surrogateescape") for word in words]
        self.spec["labels"] = self.address(numbers, np.int32, "labels")

    def features(self, features: Any) -> None:
        if hasattr(features, "tocsr"):
            features = tidy_rows(features)
            shape = features.shape
            self.spec["features"] = (shape[1], self.address(features.indptr, np.int64, "features"),
                                     self.address(features.indices, np.uint32, "features") or 0,
                                     self.address(features.data, np.float32, "features") or 0)
        else:
            features = _call.take(features, "features")
            shape = features.shape
            if features.ndim != 2:
                raise ValueError(f"features have the shape {shape}, not one row for each node")
            self.spec["features"] = (shape[1], None, None, self.address(features, np.float32, "features"))
        if shape[0] != self.nodes:
            raise ValueError(f"features of {shape[0]:,} nodes for a graph of {self.nodes:,}")
        if not shape[1] or not self.nodes:
            del self.spec["features"]

    def splits(self, train: Any, validation: Any, test: Any) -> None:
        """Which nodes are for training, validation and testing, as masks; each may be None."""
        splits = np.zeros(self.nodes, np.uint8)
        for number, mask in ((1, train), (2, validation), (3, test)):
            if mask is not None:
                splits[np.asarray(mask, bool)] = number
        if splits.any():
            self.spec["splits"] = self.address(splits, np.uint8, "splits")

    def attribute(self, title: Any, values: Sequence[Any]) -> None:
        """Numbers, or anything else as texts; None and NaN: missing."""
        listed = self.spec.setdefault("attributes", [])
        name = str(title).replace("\0", "").encode("utf-8", "surrogateescape")
        if all(value is None or isinstance(value, (int, float, np.number, np.bool_)) for value in values):
            numbers = np.array([np.nan if value is None else float(value) for value in values])
            listed.append((name, self.address(numbers, np.float64, "attributes")))
        else:
            listed.append((name, [None if is_missing(value) else
                                  str(value).replace("\0", "").encode("utf-8", "surrogateescape") for value in values]))

    def build(self, nodes: Optional[Sequence[Any]] = None) -> Graph:
        return Graph(_dgm.graph_build(_call.context(), self.spec), nodes)


def is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def is_plain(value: Any) -> bool:
    """Whether a value can be an attribute: a number, a text, or none."""
    return is_missing(value) or bool(np.isscalar(value))


def tidy_rows(matrix: Any) -> Any:
    """A SciPy matrix in compressed sparse rows, each entry once. The caller's own is not changed."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
    return rows


def enumerate_words(values: Any) -> Tuple[npt.NDArray[np.int64], List[str]]:
    words: Dict[str, int] = {}
    numbers = np.full(len(values), -1, np.int64)
    for i, value in enumerate(values):
        if not is_missing(value):
            numbers[i] = words.setdefault(str(value), len(words))
    order = sorted(words)
    place = {words[word]: i for i, word in enumerate(order)}
    numbers = np.array([place.get(int(number), -1) for number in numbers], np.int64)
    return numbers, order


# ---- who it comes from ----


def from_networkx(other: Any) -> Graph:
    nodes = list(other)
    place = {node: i for i, node in enumerate(nodes)}
    parts = Parts(len(nodes), other.is_directed(), other.graph.get("name") or "")
    ends = np.array([(place[u], place[v]) for u, v in other.edges()], np.int64).reshape(-1, 2)
    weights = [data.get("weight", 1) for _, _, data in other.edges(data=True)]
    parts.edges(ends[:, 0], ends[:, 1], None if all(weight == 1 for weight in weights) else weights)
    if nodes != list(range(len(nodes))):
        parts.names(nodes)
    attributes: Dict[Any, List[Any]] = {}
    for i, (_, data) in enumerate(other.nodes(data=True)):
        for name, value in data.items():
            attributes.setdefault(name, [None] * len(nodes))[i] = value
    for name, values in attributes.items():
        if name in ("label", "y") and "labels" not in parts.spec:
            parts.labels(np.array(values, object) if any(value is None or isinstance(value, str) for value in values) else values)
        if all(map(is_plain, values)):
            parts.attribute(name, values)
    return parts.build(nodes)


def from_scipy(matrix: Any) -> Graph:
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix is square, not {matrix.shape}")
    parts = Parts(matrix.shape[0], (matrix != matrix.T).nnz != 0)
    parts.rows(matrix)
    return parts.build()


def from_pyg(data: Any) -> Graph:
    def part(name: str) -> Any:
        value = getattr(data, name, None)
        return None if value is None else _call.take(value, f"data.{name}")

    parts = Parts(int(data.num_nodes), False)
    ends = part("edge_index")
    if ends is None or ends.ndim != 2 or len(ends) != 2:
        raise ValueError("data.edge_index has two rows, the ends of edges")
    parts.edges(ends[0], ends[1], part("edge_weight"))
    features = part("x")
    if features is not None:
        parts.features(features[:, None] if features.ndim == 1 else features)
    labels = part("y")
    if labels is not None and labels.squeeze().shape == (parts.nodes,) and labels.dtype.kind in "iu":
        parts.labels(labels.squeeze())
    parts.splits(part("train_mask"), part("val_mask"), part("test_mask"))
    return parts.build()


def from_igraph(other: Any) -> Graph:
    parts = Parts(other.vcount(), other.is_directed())
    ends = np.array(other.get_edgelist(), np.int64).reshape(-1, 2)
    parts.edges(ends[:, 0], ends[:, 1], other.es["weight"] if "weight" in other.es.attributes() else None)
    for name in other.vs.attributes():
        values = other.vs[name]
        if name == "name":
            parts.names(values)
        elif all(map(is_plain, values)):
            parts.attribute(name, values)
    return parts.build(other.vs["name"] if "name" in other.vs.attributes() else None)


def from_frame(frame: Any) -> Graph:
    """The first two columns are the ends of edges, nodes of any kind; a later one called weight is the weight."""
    if frame.shape[1] < 2:
        raise ValueError("a frame of edges has two columns, their ends")
    ends = frame.iloc[:, :2].to_numpy(dtype=object)
    place: Dict[Any, int] = {}
    for node in ends.ravel():
        if is_missing(node):
            raise ValueError("a frame of edges has an end that is missing")
        place.setdefault(node, len(place))
    nodes = list(place)
    numbers = np.array([place[node] for node in ends.ravel()], np.int64).reshape(-1, 2)
    parts = Parts(len(nodes))
    parts.edges(numbers[:, 0], numbers[:, 1], frame["weight"].to_numpy() if "weight" in frame.columns[2:] else None)
    parts.names(nodes)
    return parts.build(nodes)


def from_edges(edges: Any) -> Graph:
    edges = _call.take(edges, "edges")
    if edges.ndim != 2 or 2 not in edges.shape:
        raise ValueError(f"edges have the shape {edges.shape}, not (edges, 2) or (2, edges)")
    if edges.shape[1] != 2:
        edges = edges.T
    edges = _call.whole(edges, "edges")
    if edges.size and edges.min() < 0:
        raise ValueError(f"edges: there is no node {edges.min()}")
    parts = Parts(int(edges.max()) + 1 if edges.size else 0)
    parts.edges(edges[:, 0], edges[:, 1])
    return parts.build()


def graph(data: Any, /, **options: Unpack[ReadOptions]) -> Graph:
    """Makes a graph of anything that describes one.

    ``data`` is a networkx or igraph graph, a SciPy sparse matrix, a PyTorch Geometric ``Data``, a pandas frame of edges, an
    array of edges, or a path or name that the program takes. Its nodes are then numbers or names, unless they were objects of
    another kind, which come back as they were.

    >>> import dgm
    >>> dgm.graph([(0, 1), (1, 2)])
    <dgm.Graph: 3 nodes, 2 edges>
    >>> dgm.graph("karate").names()[:3]
    ['0', '1', '2']

    Options are those of reading a file:

    """
    if isinstance(data, Graph):
        return data
    if isinstance(data, (str, bytes, os.PathLike)):
        return Graph(_dgm.graph_open(_call.context(), os.fsencode(data), _call.settings(options)))
    if any(value is not None for value in options.values()):
        raise ValueError(f"{next(iter(options))} is an option of files alone")
    if hasattr(data, "tocsr"):
        return from_scipy(data)
    if hasattr(data, "edge_index"):
        return from_pyg(data)
    if hasattr(data, "is_directed") and hasattr(data, "adj"):
        return from_networkx(data)
    if hasattr(data, "get_edgelist"):
        return from_igraph(data)
    if hasattr(data, "iloc"):
        return from_frame(data)
    return from_edges(data)
