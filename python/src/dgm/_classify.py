# SPDX-License-Identifier: Apache-2.0
"""Networks that classify whole graphs, judged by cross-validation."""
from __future__ import annotations

import json as _json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _call, _dgm
from ._graph import Parts

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import ClassifyOptions

_FOLD = ("seed", "fold", "accuracy", "validation", "train", "loss", "epoch", "tested", "seconds", "setting", "parameters")


class GraphSet:
    """Many graphs, each with a class. ``len(graphs)`` is how many there are."""

    def __init__(self, handle: _dgm.Handle, features: Optional[str] = None):
        self._handle = handle
        self._info = _dgm.set_info(handle)
        self._features = features

    def __len__(self) -> int:
        return int(self._info["graphs"])

    def __repr__(self) -> str:
        return f"<dgm.GraphSet: {len(self):,} graphs of {len(self.classes)} classes, {self._info['nodes']:,} nodes>"

    @property
    def classes(self) -> List[int]:
        """The numbers that the data gives to the classes."""
        return list(self._info["classes"])

    @property
    def labels(self) -> Optional[_call.Array]:
        """The class of each graph as its place in ``classes``; None where there are none."""
        made: Optional[_call.Array] = _call.array(self._handle, self._info["labels"])
        return made


# ---- lists of graphs ----


class _United:
    """Graphs one after the other, as one."""

    def __init__(self) -> None:
        self.starts = [0]
        self.sources: List[_call.Array] = []
        self.targets: List[_call.Array] = []
        self.weights: List[Optional[_call.Array]] = []
        self.features: List[Optional[_call.Array]] = []
        self.words: List[Optional[_call.Array]] = []
        self.labels: List[Any] = []

    def add(self, nodes: int, ends: _call.Array, weights: Any, features: Any, words: Any, label: Any) -> None:
        first = self.starts[-1]
        self.starts.append(first + int(nodes))
        self.sources.append(np.asarray(ends[0], np.int64) + first)
        self.targets.append(np.asarray(ends[1], np.int64) + first)
        self.weights.append(None if weights is None else np.asarray(weights, np.float64))
        self.features.append(features)
        self.words.append(words)
        self.labels.append(label)

    def _column(self, parts: List[Optional[_call.Array]], what: str) -> Optional[_call.Array]:
        """One below the other; None where no graph has it. All or none of them do."""
        having = [part for part in parts if part is not None]
        if having and len(having) < len(parts):
            place = [part is None for part in parts].index(True)
            raise ValueError(f"some graphs have {what} and others do not: graph {place} has none")
        return np.concatenate(having) if having else None

    def build(self, labels: Any) -> GraphSet:
        parts = Parts(self.starts[-1])
        none = np.zeros(0, np.int64)
        parts.edges(np.concatenate([none, *self.sources]), np.concatenate([none, *self.targets]), self._column(self.weights, "weights"))
        features, words = self._column(self.features, "features"), self._column(self.words, "labels of nodes")
        if features is not None:
            parts.features(features)
        if words is not None:
            parts.labels(words)
        labels = np.asarray(self.labels if labels is None else labels)
        if labels.shape != (len(self.starts) - 1,) or any(label is None for label in labels.tolist()):
            raise ValueError(f"{len(self.starts) - 1} graphs need a class each, not labels of the shape {labels.shape}")
        numbers = np.unique(labels, return_inverse=True)[1] if labels.dtype.kind not in "iub" else labels
        numbers = _call.flat(numbers, np.int32, "labels")
        starts = np.array(self.starts, np.int64)
        handle = _dgm.set_build(_call.context(), parts.spec, len(starts) - 1, starts.ctypes.data, numbers.ctypes.data)
        return GraphSet(handle, "attributes" if features is not None and words is None else None)


def _numpy(value: Any) -> Any:
    return None if value is None else value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)


def _one_hot(x: Any) -> bool:
    """Whether rows have one 1 each: such features are labels of nodes."""
    return (x is not None and x.ndim == 2 and x.shape[1] > 1 and bool(np.all((x == 0) | (x == 1)))
            and bool(np.all(x.sum(axis=1) == 1)))


def _add_pyg(united: _United, data: Any) -> None:
    ends, x = _numpy(data.edge_index), _numpy(getattr(data, "x", None))
    label = _numpy(getattr(data, "y", None))
    united.add(data.num_nodes, ends, _numpy(getattr(data, "edge_weight", None)), x, None,
               None if label is None else label.reshape(-1)[0])


def _add_networkx(united: _United, graph: Any) -> None:
    nodes = list(graph)
    place = {node: i for i, node in enumerate(nodes)}
    ends = np.array([(place[u], place[v]) for u, v in graph.edges()], np.int64).reshape(-1, 2)
    weights = [data.get("weight", 1) for _, _, data in graph.edges(data=True)]
    facts = [data for _, data in graph.nodes(data=True)]
    rows = [data["x"] for data in facts if "x" in data]
    words = [data["label"] for data in facts if "label" in data]
    united.add(len(nodes), ends.T, weights, np.array(rows, np.float32) if nodes and len(rows) == len(nodes) else None,
               np.array(words) if nodes and len(words) == len(nodes) else None, graph.graph.get("label", graph.graph.get("y")))


def graphs(data: Any, labels: Union[Sequence[Any], _call.Array, None] = None) -> GraphSet:
    """A set of graphs: a folder in the form of TU Dortmund, or a list of PyTorch Geometric ``Data`` or networkx graphs.

    The class of a graph is its entry in ``labels``, or ``data.y``, or ``graph.graph["label"]``. Features of nodes are ``data.x`` or
    the attribute ``x``, and their labels the attribute ``label``; rows of ``data.x`` with a single 1 each are labels. Networks see the
    labels, or the features where there are no labels, or else the degrees, unless ``features`` says otherwise.

    >>> import dgm, networkx as nx
    >>> dgm.graphs([nx.cycle_graph(5), nx.star_graph(5)], labels=[0, 1])
    <dgm.GraphSet: 2 graphs of 2 classes, 11 nodes>
    """
    if isinstance(data, GraphSet):
        return data
    if isinstance(data, (str, os.PathLike)):
        return GraphSet(_dgm.set_open(_call.context(), os.fsencode(data)))
    united = _United()
    for one in data:
        (_add_pyg if hasattr(one, "edge_index") else _add_networkx)(united, one)
    if united.features and all(_one_hot(x) for x in united.features) and not any(words is not None for words in united.words):
        united.words = [None if x is None else x.argmax(axis=1) for x in united.features]
        united.features = [None] * len(united.features)
    if not any(weight is not None and np.any(weight != 1) for weight in united.weights):
        united.weights = [None] * len(united.weights)
    return united.build(labels)


# ---- cross-validation ----


class Classification:
    """The outcome of a cross-validation."""

    def __init__(self, handle: _dgm.Handle, set_: GraphSet, notes: List[str]):
        info = _dgm.report_info(_call.context(), handle)
        self._handle, self._set = handle, set_
        self._json = info["json"]
        #: The mean accuracy over folds, its standard deviation, and half the widths of two 95% intervals.
        self.mean: float = info["mean"]
        self.deviation: float = info["deviation"]
        self.ci95: float = info["ci95"]
        #: The second takes into account that the training graphs of folds overlap (Nadeau and Bengio, 2003).
        self.ci95_corrected: float = info["ci95_corrected"]
        #: The number of trained weights.
        self.parameters: int = info["parameters"]
        #: How long it took, in seconds.
        self.seconds: float = info["seconds"]
        counts, classes = info["confusion"]
        #: Counts of test graphs: a row for each class, a column for each prediction.
        self.confusion: _call.Array = np.array(_call.array(handle, counts, (classes, classes)))
        #: The comparison with ``against``, or None.
        self.paired: Optional[Dict[str, float]] = info["paired"]
        #: What the library had to say.
        self.notes = list(dict.fromkeys(notes))
        self._folds = info["folds"]

    def __repr__(self) -> str:
        spread = f" ± {self.deviation:.4f}" if np.isfinite(self.deviation) else ""
        return f"<dgm.Classification: accuracy {self.mean:.4f}{spread} over {len(self._folds)} folds>"

    @property
    def folds(self) -> _call.Array:
        """One row for each training, as a structured array: seed, fold, accuracy, validation, train, loss, epoch, ..."""
        whole = ("seed", "fold", "epoch", "tested", "setting", "parameters")
        made = np.zeros(len(self._folds), [(name, np.int64 if name in whole else np.float64) for name in _FOLD])
        for i, fold in enumerate(self._folds):
            for name in _FOLD:
                made[name][i] = fold[name]
        return made

    @property
    def accuracies(self) -> _call.Array:
        """The accuracy of each fold on its test graphs."""
        return np.array([fold["accuracy"] for fold in self._folds])

    def predict(self, data: Any) -> _call.Array:
        """The class of each graph by the network of the best fold, as the data numbers classes; needs ``keep_model=True``."""
        made = _unlabelled(data) if isinstance(data, (list, tuple)) else graphs(data)
        handle, table = _dgm.report_scores(_call.context(), self._handle, made._handle)
        said: _call.Array = np.array(self._set.classes)[_call.table(handle, table)[0].argmax(axis=1)]
        return said

    def to_json(self) -> str:
        """The result as ``dgm classify -o result.json`` writes it."""
        return str(self._json)

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python objects."""
        return dict(_json.loads(self._json))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the result (.json), or the network of the best fold (.safetensors), for ``dgm pool --model``."""
        _dgm.report_write(_call.context(), self._handle, os.fsencode(path), os.fspath(path).endswith(".safetensors"))


def _unlabelled(data: Sequence[Any]) -> GraphSet:
    """Graphs whose classes are asked for need none."""
    return graphs(data, np.zeros(len(data), np.int32))


def classify(dataset: Any, /, pooling: str = "mpr", *, labels: Union[Sequence[Any], _call.Array, None] = None, keep_model: bool = False,
             progress: _call.Progress = None, **options: Unpack[ClassifyOptions]) -> Classification:
    """Trains networks that pool graphs and classify them, and says how good they are, as ``dgm classify`` does.

    ``dataset`` is a folder in the form of TU Dortmund, or a list of PyTorch Geometric ``Data`` or networkx graphs (see
    :func:`graphs`). ``pooling`` names the operator: ``"mpr"``, ``"mpr:lens=learned"``, ``"mincut:ratio=0.1"``, ``"sum"``.
    ``keep_model`` keeps the network of the best fold, for ``predict`` and ``save``.

    >>> import dgm, networkx as nx
    >>> rings = [nx.cycle_graph(5 + i % 4) for i in range(12)]
    >>> stars = [nx.star_graph(5 + i % 4) for i in range(12)]
    >>> result = dgm.classify(rings + stars, "sum", labels=[0] * 12 + [1] * 12, folds=3, epochs=5, width=8)
    >>> len(result.accuracies)
    3

    All other options are those of ``dgm classify``, with underscores:

    """
    made = graphs(dataset, labels)
    context = _call.context(progress)
    given: Dict[str, Any] = {"features": made._features, **options, "pool": pooling}
    pairs = _call.settings(given)
    return Classification(_dgm.classify(context, made._handle, pairs, bool(keep_model)), made, context[2])


classify.__doc__ = f"{(classify.__doc__ or '').rstrip()}\n\n{_call.document(_dgm.options('classify'), ('pool',))}\n    "
