# SPDX-License-Identifier: Apache-2.0
"""Networks over the nodes of a graph: training, files, answers."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _call, _dgm
from ._graph import Graph
from ._graph import graph as make_graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TrainOptions

_EPOCH = np.dtype([("epoch", "<i8"), ("loss", "<f8"), ("accuracy", "<f8"), ("val_loss", "<f8"), ("val_accuracy", "<f8")])


class Predictions(NamedTuple):
    """What a classifier says of each node."""

    classes: _call.Array  #: the class of each node as its place in ``names``
    probabilities: _call.Array  #: a row for each node, a column for each of ``names``
    names: List[str]  #: the names of the classes


class Model:
    """A trained network, made by :func:`train` or :func:`load`.

    It is a lens: ``dgm.map(graph, lens=model)``, and it can be called: ``model(graph)`` is its answer for every node.
    """

    def __init__(self, handle: _dgm.Handle, graph: Optional[Graph] = None, answer: Optional[Tuple[_dgm.Handle, _dgm.Table]] = None,
                 report: Optional[Dict[str, Any]] = None, notes: Optional[List[str]] = None):
        self._handle = handle
        self._info = _dgm.model_info(handle)
        self._answer = answer
        #: The graph that it was trained on; None where it was read from a file.
        self.graph = graph
        #: How good it is: loss, accuracies, confusion, epochs, seconds; empty where it was read from a file.
        self.report: Dict[str, Any] = {name: value for name, value in (report or {}).items() if name != "splits"}
        if "confusion" in self.report:
            self.report["confusion"] = np.array(self.report["confusion"], np.int64)
        #: What the library had to say while it was trained.
        self.notes: List[str] = list(dict.fromkeys(notes or []))
        self._splits = (report or {}).get("splits")

    def __repr__(self) -> str:
        accuracy = self.report.get("test_accuracy", np.nan)
        told = "" if np.isnan(accuracy) else f", {accuracy:.3f} of the test nodes right" if self.classifies else f", R² {accuracy:.3f}"
        return f"<dgm.Model {self.kind}: {self.width} columns{told}>"

    @property
    def kind(self) -> str:
        """``"gcn"`` or ``"dgi"``."""
        return str(self._info["kind"])

    @property
    def width(self) -> int:
        """The number of columns of its answer."""
        return int(self._info["width"])

    @property
    def classifies(self) -> bool:
        """Whether these columns are scores of classes."""
        return bool(self._info["classifies"])

    @property
    def weights(self) -> Dict[str, _call.Array]:
        """The weights by name, in the shapes and with the names that PyTorch Geometric has."""
        made = {}
        for name, rows, columns, is_vector, is_turned, part in self._info["weights"]:
            values = _call.array(self._handle, part, (rows, columns))
            made[name] = values[0] if is_vector else values.T if is_turned else values
        return made

    @property
    def history(self) -> _call.Array:
        """The epochs of the training as a structured array: epoch, loss, accuracy, val_loss, val_accuracy.

        The accuracy is that of the training nodes, under dropout. The training looks at the validation nodes only as often as
        it needs to; elsewhere, and for networks that do not classify, there is NaN.
        """
        part = self._info["history"]
        made: _call.Array = np.zeros(0, _EPOCH) if part is None else _call.array(self._handle, part, dtype=_EPOCH)
        return made

    @property
    def splits(self) -> Optional[_call.Array]:
        """Which nodes it was trained (1), validated (2) and tested (3) with; 0: none. None where that is not known."""
        return None if self._splits is None else np.frombuffer(self._splits, np.uint8)

    @property
    def embedding(self) -> _call.Array:
        """What it makes of each node of the graph that it was trained on: logits, a number, or the embedding of dgi."""
        if self._answer is None:
            raise ValueError("the network was read from a file: embed(graph) makes an embedding of a graph")
        return _call.table(*self._answer)[0]

    def embed(self, graph: Any, *, progress: _call.Progress = None) -> _call.Array:
        """The same for any graph with such features: an array with a row for each node.

        >>> import dgm
        >>> model = dgm.train("karate", "dgi", hidden=8, epochs=5)
        >>> model.embed("karate").shape
        (34, 8)
        """
        made = make_graph(graph)
        if self._answer is not None and made is self.graph:
            return self.embedding
        return _call.table(*_dgm.model_run(_call.context(progress), self._handle, made._handle))[0]

    __call__ = embed

    def predict(self, graph: Any = None, *, progress: _call.Progress = None) -> Predictions:
        """The class that it gives to each node, and the probabilities; without a graph, of the one that it was trained on.

        >>> import dgm
        >>> says = dgm.train("karate", split="0.6,0.2", epochs=20).predict()
        >>> len(says.classes), says.probabilities.shape == (34, len(says.names))
        (34, True)
        """
        if not self.classifies:
            raise ValueError(f"this {self.kind} does not classify; embed() gives what it says of each node")
        if graph is None and self.graph is None:
            raise ValueError("the network was read from a file: name the graph whose nodes it is to classify")
        made = self.graph if graph is None and self.graph is not None else make_graph(graph)
        context = _call.context(progress)
        known = self._answer is not None and made is self.graph
        answer = self._answer if known and self._answer else _dgm.model_run(context, self._handle, made._handle)
        owner, classes, probabilities, names = _dgm.predictions_of(context, made._handle, answer[0], self._splits if known else None)
        values = _call.array(owner, probabilities)
        return Predictions(_call.array(owner, classes), values.reshape(len(made), -1), names)

    @property
    def predictions(self) -> Predictions:
        """What it says of the graph that it was trained on."""
        return self.predict()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the weights as safetensors, the file that ``dgm train -o`` writes and ``dgm map --model`` reads."""
        _dgm.model_write(_call.context(), self._handle, os.fsencode(path))


def train(graph: Any, /, model: str = "gcn", *, progress: _call.Progress = None, **options: Unpack[TrainOptions]) -> Model:
    """Trains a network on a graph, as ``dgm train`` does: ``"gcn"`` learns classes or a number, ``"dgi"`` needs no labels.

    ``progress`` is told how far it is, and ends the training by returning False.

    >>> import dgm
    >>> model = dgm.train("karate", split="0.6,0.2", epochs=20)
    >>> model.kind, model.history["loss"].shape
    ('gcn', (20,))

    All other options are those of ``dgm train``, with underscores, and of reading a graph. Some are of one network alone:

    """
    from ._map import read

    if model not in ("gcn", "dgi"):
        raise ValueError(f"a network is 'gcn' or 'dgi', not {model!r}")
    made, given = read(graph, options)
    context = _call.context(progress)
    handle, answer, report = _dgm.train(context, made._handle, model, _call.settings(given))
    return Model(handle, made, answer, report, context[2])


def load(path: Union[str, "os.PathLike[str]"]) -> Model:
    """Reads a network that :meth:`Model.save`, ``dgm train`` or PyTorch Geometric wrote as safetensors."""
    return Model(_dgm.model_read(_call.context(), os.fsencode(path)))


def _document() -> None:
    tables = {option["name"]: option for of in ("gcn", "dgi", "checkpoint") for option in _dgm.options(of)}
    train.__doc__ = f"{(train.__doc__ or '').rstrip()}\n\n{_call.document(list(tables.values()))}\n    "


_document()
