# SPDX-License-Identifier: Apache-2.0
"""What a map of a graph is: clusters, links, and pictures of them."""
from __future__ import annotations

import json as _json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _call, _dgm
from ._graph import Graph

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import FigureOptions

FIGURE = frozenset(option["name"].encode() for option in _dgm.options() if option["group"] == "Figures")
SPLITS = ("rest", "train", "val", "test")


class Summary:
    """A summary of a graph. In a notebook it shows itself as a picture.

    >>> import dgm
    >>> summary = dgm.map("karate", lens="degree", intervals=3, overlap=0.3)
    >>> summary.nodes["size"][:3]
    array([4, 5, 2])
    >>> summary.edges[["source", "target", "shared"]][0].item()
    (0, 14, 1)
    >>> summary.members(1)
    [4, 5, 6, 10, 16]
    >>> summary.coverage["covered"], summary.topology["b1"]
    (34, 0)
    """

    def __init__(self, graph: Graph, result: _dgm.Handle, settings: _dgm.Settings, study: Optional[_dgm.Handle],
                 predictions: Optional[_dgm.Handle], table: Optional[_dgm.Handle], borrowed: Optional[_call.Array], notes: List[str],
                 clusterer: Any = None, made: Optional[_dgm.Handle] = None):
        self.graph = graph
        #: What the library had to say while it worked.
        self.notes = list(dict.fromkeys(notes))
        self._result = result
        self._settings = settings
        self._study = study
        self._kept = (predictions, table, borrowed)
        self._clusterer, self._made = clusterer, made
        self._owners = (result, study, made)  # of arrays
        self._info = _dgm.result_info(result, study, made)
        if study is not None:
            best = _dgm.study_candidates(study)[0]
            #: Why these settings were chosen, in one line; None where nothing was.
            self.reason: Optional[str] = best["reason"]
            #: The settings that were chosen.
            self.chosen: Dict[str, str] = {name.replace("-", "_"): value for name, value in best["settings"]}
        else:
            self.reason, self.chosen = None, {}

    def __len__(self) -> int:
        return int(self._info["clusters"])

    def __repr__(self) -> str:
        name = self.graph.source
        return f"<dgm.Summary{' of ' + repr(name) if name else ''}: {len(self):,} clusters, {len(self.edges):,} links>"

    # ---- numbers ----

    def _array(self, name: str, shape: Optional[Tuple[int, ...]] = None) -> Any:
        return _call.array(self._result, self._info[name], shape)

    @property
    def coverage(self) -> Dict[str, int]:
        """What became of every node and edge of the graph; ``lost`` is always 0."""
        return dict(self._info["coverage"])

    @property
    def topology(self) -> Dict[str, int]:
        """Pieces (``b0``), loops that nothing fills (``b1``), and other numbers of the shape."""
        return dict(self._info["topology"])

    @property
    def axes(self) -> _call.Array:
        """The lens as it was cut into cells: an array with a row for each node of the graph."""
        return _call.table(self._owners, self._info["axes_table"])[0]

    @property
    def sizes(self) -> _call.Array:
        """The number of members of each cluster."""
        return np.diff(self._array("offsets"))

    @property
    def edges(self) -> _call.Array:
        """The links as a structured array: source, target, shared, links, inner, weight."""
        address, count, size, offsets = self._info["edges"]
        kind = np.dtype({"names": ["source", "target", "shared", "links", "inner", "weight"],
                         "formats": ["<u4", "<u4", "<i8", "<i8", "<i8", "<f8"], "offsets": list(offsets), "itemsize": size})
        made: _call.Array = _call.array(self._result, (address, count, ""), dtype=kind) if count else np.zeros(0, kind)
        return made

    @property
    def nodes(self) -> _call.Array:
        """The clusters as a structured array: cluster, size, x, y, radius, and what is known of their members."""
        sizes = self.sizes
        columns = [("cluster", np.arange(len(self), dtype=np.uint32)), ("size", sizes),
                   ("x", self._array("x")), ("y", self._array("y")), ("radius", self._array("radius"))]
        for axis in range(self._info["dimension"]):
            columns.append((f"lens{axis}", self._array("lens", (len(self), self._info["dimension"]))[:, axis]))
        for name in ("judged", "mistakes"):
            if self._info[name] is not None:
                columns.append((name, self._array(name)))
        made = np.zeros(len(self), [(name, values.dtype) for name, values in columns])
        for name, values in columns:
            made[name] = values
        return made

    def frames(self) -> Tuple[Any, Any]:
        """Clusters and links as two pandas frames, with the columns of ``nodes`` and ``edges``; where there is no pandas, as these."""
        nodes, edges = self.nodes, self.edges
        return (_call.frame({name: nodes[name] for name in nodes.dtype.names or ()}),
                _call.frame({name: edges[name] for name in edges.dtype.names or ()}))

    def mistakes(self) -> Any:
        """The nodes that are predicted wrongly, a row for each: a pandas frame, or a structured array where there is no pandas.

        Its columns are ``node``, the object that the graph was made of; ``truth`` and ``prediction``, names of classes;
        ``confidence``, the probability of the predicted class (NaN where classes alone are known), the most confident first;
        ``split``, the part that the node belongs to (train, val, test or rest), where there are such; and ``clusters``, a tuple:
        those that the node lies in. ``mistakes().explode("clusters")`` has a row for each of them.

        >>> import dgm, numpy as np
        >>> summary = dgm.map("karate", lens="degree", predictions=np.zeros(34, int))
        >>> wrong = summary.mistakes()
        >>> len(wrong), wrong["truth"][0], wrong["prediction"][0]
        (17, 'Officer', 'Mr. Hi')
        """
        said = _dgm.result_predictions(self._result, self._kept[0], self._study, self._made, self.graph._handle)
        labels = self.graph.labels
        if said is None or labels is None:
            raise ValueError("there are no predictions: map with predictions=, or a lens that classifies (gcn)" if said is None else
                             "the nodes of the graph have no classes that predictions could be compared with")
        classes = _call.array(self._result, said["classes"])
        wrong = np.flatnonzero((labels >= 0) & (classes >= 0) & (labels != classes))
        confidence = self._confidence(said, classes)[wrong]
        order = np.argsort(-confidence, kind="stable")
        wrong, confidence, nodes = wrong[order], confidence[order], self.graph.nodes
        columns: Dict[str, Any] = {
            "node": _call.objects([nodes[int(node)] for node in wrong]),
            "truth": _call.objects([said["names"][label] for label in labels[wrong]]),
            "prediction": _call.objects([said["names"][label] for label in classes[wrong]]),
            "confidence": confidence,
        }
        splits = _call.array(self.graph, said["splits"])
        if splits is not None:
            columns["split"] = _call.objects([SPLITS[split] for split in splits[wrong]])
        columns["clusters"] = _call.objects([tuple(clusters) for clusters in self._clusters_of(wrong)])
        return _call.frame(columns)

    def _confidence(self, said: Dict[str, Any], classes: _call.Array) -> _call.Array:
        """The probability of the class that is predicted for each node; NaN where it is not known."""
        count = len(said["columns"])
        if count == 0 or said["probabilities"] is None:
            return np.full(len(classes), np.nan)
        column = np.full(max(len(said["names"]), 1), -1)
        column[said["columns"]] = np.arange(count)
        table = _call.array(self._result, said["probabilities"], (len(classes), count))
        places = np.where(classes >= 0, column[classes], -1)
        made = np.take_along_axis(table, np.maximum(places, 0)[:, None], axis=1)[:, 0].astype(float)
        return np.where(places >= 0, made, np.nan)

    def _clusters_of(self, nodes: _call.Array) -> List[List[int]]:
        """The clusters of some nodes."""
        offsets, members = self._array("offsets"), self._array("members")
        place = np.full(len(self.graph), -1)
        place[nodes] = np.arange(len(nodes))
        found: List[List[int]] = [[] for _ in nodes]
        hits = np.flatnonzero(place[members] >= 0)
        for hit, cluster in zip(place[members[hits]], np.searchsorted(offsets, hits, side="right") - 1):
            found[hit].append(int(cluster))
        return found

    def members(self, cluster: int) -> List[Any]:
        """The members of a cluster: the objects that the graph was made of."""
        if not 0 <= cluster < len(self):
            raise IndexError(f"there is no cluster {cluster}")
        offsets, nodes = self._array("offsets"), self.graph.nodes
        return [nodes[int(node)] for node in self._array("members")[offsets[cluster]:offsets[cluster + 1]]]

    @property
    def membership(self) -> Any:
        """The membership of nodes in clusters, a SciPy matrix with a row for each node and a column for each cluster."""
        import scipy.sparse

        weights = self._array("weights")
        members = self._array("members")
        values = np.ones(len(members)) if weights is None else weights
        made = scipy.sparse.csc_matrix((values, members.astype(np.int64), self._array("offsets")), (len(self.graph), len(self)))
        return made.tocsr()

    def classes(self, cluster: int, of: str = "labels") -> Dict[str, int]:
        """How often each class occurs in a cluster, among its labels or its predictions."""
        if of not in ("labels", "predictions"):
            raise ValueError(f"classes of labels or of predictions, not of {of!r}")
        if not 0 <= cluster < len(self):
            raise IndexError(f"there is no cluster {cluster}")
        counts = self._info[of]
        if counts is None:
            return {}
        offsets, values, numbers = (_call.array(self._result, part) for part in counts)
        span = slice(offsets[cluster], offsets[cluster + 1])
        return {self._info["classes"][value]: int(number) for value, number in zip(values[span], numbers[span])}

    # ---- other shapes ----

    def to_networkx(self) -> Any:
        """A networkx graph of the clusters, with their sizes, members, places and classes."""
        import networkx

        made = networkx.Graph(name=self.graph.source)
        nodes = self.nodes
        for row in nodes:
            cluster = int(row["cluster"])
            facts = {name: row[name].item() for name in nodes.dtype.names or () if name != "cluster"}
            facts["members"] = self.members(cluster)
            for of in ("labels", "predictions"):
                if self._info[of] is not None:
                    facts[of] = self.classes(cluster, of)
            made.add_node(cluster, **facts)
        for edge in self.edges:
            made.add_edge(int(edge["source"]), int(edge["target"]), shared=int(edge["shared"]), links=int(edge["links"]),
                          weight=float(edge["weight"]))
        return made

    def text(self, name: str, part: int = 0, **options: Unpack[FigureOptions]) -> bytes:
        """The bytes of a file of that name, as ``dgm map -o NAME`` writes it."""
        pairs = self._figure(options)
        return _dgm.result_text(_call.context(), self._result, self.graph._handle, pairs, name, part)

    def _figure(self, options: Any) -> _dgm.Settings:
        given = {name: value for name, value in self._settings if name in FIGURE}
        for name, value in _call.settings(options):
            if name not in FIGURE:
                known = ", ".join(sorted(one.decode().replace("-", "_") for one in FIGURE))
                raise ValueError(f"a figure has no option '{name.decode().replace('-', '_')}': it has {known}")
            given[name] = value
        return list(given.items())

    def to_json(self) -> str:
        """The summary as JSON, which the program reads back."""
        return self.text("summary.json").decode()

    def to_dict(self) -> Dict[str, Any]:
        """The same as Python objects."""
        made: Dict[str, Any] = _json.loads(self.to_json())
        return made

    def report(self) -> str:
        """The clusters in words, as Markdown."""
        return self.text("report.md").decode()

    def save(self, path: Union[str, os.PathLike[str]], **options: Unpack[FigureOptions]) -> None:
        """Writes a file in the format of its extension: svg, pdf, png, json, csv, graphml, gexf, dot, md, html."""
        name = os.path.basename(os.fspath(path))
        _call.write(path, self.html().encode() if name.endswith(".html") else self.text(name, **options))

    # ---- pictures ----

    def draw(self, **options: Unpack[FigureOptions]) -> Picture:
        """A picture; notebooks show it.

        >>> import dgm
        >>> "</svg>" in dgm.map("karate", lens="degree").draw(colour="labels", theme="dark").svg
        True

        Options are those of figures:

        """
        return Picture(self.text("summary.svg", **options).decode())

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def _page(self) -> _dgm.Settings:
        if self._clusterer is not None:
            raise ValueError("a page makes its clusters itself and cannot ask a clusterer of Python: save the summary as JSON or as a "
                             "picture, or map without one")
        chosen: _dgm.Settings = [(name.encode(), value.encode()) for name, value in
                  (_dgm.study_candidates(self._study)[0]["settings"] if self._study is not None else [])]
        return self._settings + chosen

    def html(self) -> str:
        """The live page of this summary as one file: sliders recompute inside it, without a program or a network."""
        return _dgm.page(_call.context(), self.graph._handle, self.graph.source or None, self._page(), self._study, self._kept[0],
                         self._lens()).decode()

    def explore(self, port: int = 0) -> Server:
        """Serves the live page to this machine and returns a :class:`Server`; its ``address`` opens it."""
        return Server(self, self._page(), port)

    def show(self, height: int = 640) -> Any:
        """The live page inside a notebook: everything is in it, so that it works in a saved notebook and offline.

        Where anywidget is installed, this is a widget: its ``selection`` is what is selected in the page, as nodes and clusters.
        """
        frame = Frame(self.html(), height)
        try:
            from ._widget import Page
        except ImportError:
            return frame
        return Page(self.graph, frame.page, frame.height, frame._repr_html_())

    def _lens(self) -> Optional[_dgm.Handle]:
        """The lens for a page where it is an array and no study has it."""
        if self._kept[1] is None or self._study is not None:
            return None
        return _dgm.lens(_call.context(), self.graph._handle, self._settings, self._kept[1])


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        _call.write(path, self.svg.encode())


class Frame:
    """A page inside a notebook."""

    def __init__(self, html: str, height: int):
        self.page, self.height = html, int(height)

    def _repr_html_(self) -> str:
        from html import escape

        return (f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads" loading="lazy" '
                f'style="width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 4px"></iframe>')


class Server:
    """The live page, served until it is closed."""

    def __init__(self, summary: Summary, settings: _dgm.Settings, port: int):
        lens = summary._lens()
        self._kept = (summary, settings, lens)
        self._handle: Optional[_dgm.Handle] = _dgm.serve(_call.context(), summary.graph._handle, summary.graph.source or None, settings, summary._study,
                                  summary._kept[0], lens, port)

    @property
    def address(self) -> str:
        """The address with its token."""
        if self._handle is None:
            raise ValueError("the server is closed")
        return _dgm.server_address(self._handle)

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return f'<a href="{self.address}" target="_blank" rel="noopener">Open the explorer</a>'


Summary.draw.__doc__ = f"{(Summary.draw.__doc__ or '').rstrip()}\n\n" + _call.document(
    [option for option in _dgm.options() if option["group"] == "Figures"]) + "\n    "
