# SPDX-License-Identifier: Apache-2.0
"""What a map of a graph is: clusters, links, and pictures of them."""
import json as _json

import numpy as np

from . import _call, _dgm

FIGURE = ("colour", "colormap", "theme", "width", "height", "labels", "style", "pie", "title", "transparent", "dpi")


class Summary:
    """A summary of a graph. In a notebook it shows itself as a picture."""

    def __init__(self, graph, result, settings, study, predictions, table, borrowed, notes):
        self.graph = graph
        #: What the library had to say while it worked.
        self.notes = list(dict.fromkeys(notes))
        self._result = result
        self._settings = settings
        self._study = study
        self._kept = (predictions, table, borrowed)
        self._info = _dgm.result_info(result)
        if study is not None:
            best = _dgm.study_candidates(study)[0]
            #: Why these settings were chosen, in one line; None where nothing was.
            self.reason = best["reason"]
            #: The settings that were chosen.
            self.chosen = {name.replace("-", "_"): value for name, value in best["settings"]}
        else:
            self.reason, self.chosen = None, {}

    def __len__(self):
        return self._info["clusters"]

    def __repr__(self):
        name = self.graph.source
        return f"<dgm.Summary{' of ' + repr(name) if name else ''}: {len(self):,} clusters, {len(self.edges):,} links>"

    # ---- numbers ----

    def _array(self, name, shape=None):
        return _call.array(self._result, self._info[name], shape)

    @property
    def coverage(self):
        """What became of every node and edge of the graph; ``lost`` is always 0."""
        return self._info["coverage"]

    @property
    def topology(self):
        """Pieces (``b0``), loops that nothing fills (``b1``), and other numbers of the shape."""
        return self._info["topology"]

    @property
    def axes(self):
        """The lens as it was cut into cells: an array with a row for each node of the graph."""
        return _call.table(self._result, self._info["axes_table"])[0]

    @property
    def sizes(self):
        """The number of members of each cluster."""
        return np.diff(self._array("offsets"))

    @property
    def edges(self):
        """The links as a structured array: source, target, shared, links, inner, weight."""
        address, count, size, offsets = self._info["edges"]
        kind = np.dtype({"names": ["source", "target", "shared", "links", "inner", "weight"],
                         "formats": ["<u4", "<u4", "<i8", "<i8", "<i8", "<f8"], "offsets": list(offsets), "itemsize": size})
        return _call.array(self._result, (address, count, None), dtype=kind) if count else np.zeros(0, kind)

    @property
    def nodes(self):
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

    def frames(self):
        """Clusters and links as two pandas frames."""
        import pandas

        return pandas.DataFrame(self.nodes), pandas.DataFrame({name: self.edges[name] for name in self.edges.dtype.names})

    def members(self, cluster):
        """The members of a cluster: the objects that the graph was made of."""
        if not 0 <= cluster < len(self):
            raise IndexError(f"there is no cluster {cluster}")
        offsets, nodes = self._array("offsets"), self.graph.nodes
        return [nodes[int(node)] for node in self._array("members")[offsets[cluster]:offsets[cluster + 1]]]

    @property
    def membership(self):
        """The membership of nodes in clusters, a SciPy matrix with a row for each node and a column for each cluster."""
        import scipy.sparse

        weights = self._array("weights")
        members = self._array("members")
        values = np.ones(len(members)) if weights is None else weights
        made = scipy.sparse.csc_matrix((values, members.astype(np.int64), self._array("offsets")), (len(self.graph), len(self)))
        return made.tocsr()

    def classes(self, cluster, of="labels"):
        """How often each class occurs in a cluster, among its labels or its predictions."""
        counts = self._info[of]
        if counts is None:
            return {}
        offsets, values, numbers = (_call.array(self._result, part) for part in counts)
        span = slice(offsets[cluster], offsets[cluster + 1])
        return {self._info["classes"][value]: int(number) for value, number in zip(values[span], numbers[span])}

    # ---- other shapes ----

    def to_networkx(self):
        """A networkx graph of the clusters, with their sizes, members, places and classes."""
        import networkx

        made = networkx.Graph(name=self.graph.source)
        nodes = self.nodes
        for row in nodes:
            cluster = int(row["cluster"])
            facts = {name: row[name].item() for name in nodes.dtype.names if name != "cluster"}
            facts["members"] = self.members(cluster)
            for of in ("labels", "predictions"):
                if self._info[of] is not None:
                    facts[of] = self.classes(cluster, of)
            made.add_node(cluster, **facts)
        for edge in self.edges:
            made.add_edge(int(edge["source"]), int(edge["target"]), shared=int(edge["shared"]), links=int(edge["links"]),
                          weight=float(edge["weight"]))
        return made

    def text(self, name, part=0, **options):
        """The bytes of a file of that name, as ``dgm map -o NAME`` writes it."""
        pairs = self._figure(options)
        return _dgm.result_text(_call.context(), self._result, self.graph._handle, pairs, name, part)

    def _figure(self, options):
        given = {name: value for name, value in self._settings if name.decode().replace("-", "_") in FIGURE}
        given.update({name: value for name, value in _call.settings(options)})
        return list(given.items())

    def to_json(self):
        """The summary as JSON, which the program reads back."""
        return self.text("summary.json").decode()

    def to_dict(self):
        """The same as Python objects."""
        return _json.loads(self.to_json())

    def report(self):
        """The clusters in words, as Markdown."""
        return self.text("report.md").decode()

    def save(self, path, **options):
        """Writes a file in the format of its extension: svg, pdf, png, json, csv, graphml, gexf, dot, md, html."""
        import pathlib

        path = pathlib.Path(path)
        data = self.html().encode() if path.suffix == ".html" else self.text(path.name, **options)
        path.write_bytes(data)

    # ---- pictures ----

    def draw(self, **options):
        """A picture; notebooks show it. Options are those of figures: colour, theme, labels, width, ..."""
        return Picture(self.text("summary.svg", **options).decode())

    def _repr_svg_(self):
        return self.draw().svg

    def _page(self):
        chosen = [(name.encode(), value.encode()) for name, value in
                  (_dgm.study_candidates(self._study)[0]["settings"] if self._study is not None else [])]
        return self._settings + chosen

    def html(self):
        """The live page of this summary as one file: sliders recompute inside it, without a program or a network."""
        return _dgm.page(_call.context(), self.graph._handle, self.graph.source or None, self._page(), self._study, self._kept[0],
                         self._lens()).decode()

    def explore(self, port=0):
        """Serves the live page to this machine and returns a :class:`Server`; its ``address`` opens it."""
        return Server(self, self._page(), port)

    def show(self, height=640):
        """The live page inside a notebook: everything is in it, so that it works in a saved notebook and offline.

        Where anywidget is installed, this is a widget: its ``selection`` is what is selected in the page, as nodes and clusters.
        """
        frame = Frame(self.html(), height)
        try:
            from ._widget import Page
        except ImportError:
            return frame
        return Page(self.graph, frame.page, frame.height, frame._repr_html_())

    def _lens(self):
        """The lens for a page where it is an array and no study has it."""
        if self._kept[1] is None or self._study is not None:
            return None
        return _dgm.lens(_call.context(), self.graph._handle, self._settings, self._kept[1])


class Picture:
    """An SVG that notebooks show."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Frame:
    """A page inside a notebook."""

    def __init__(self, html, height):
        self.page, self.height = html, int(height)

    def _repr_html_(self):
        from html import escape

        return (f'<iframe srcdoc="{escape(self.page)}" sandbox="allow-scripts allow-downloads" loading="lazy" '
                f'style="width: 100%; height: {self.height}px; border: 1px solid #8884; border-radius: 4px"></iframe>')


class Server:
    """The live page, served until it is closed."""

    def __init__(self, summary, settings, port):
        lens = summary._lens()
        self._kept = (summary, settings, lens)
        self._handle = _dgm.serve(_call.context(), summary.graph._handle, summary.graph.source or None, settings, summary._study,
                                  summary._kept[0], lens, port)

    @property
    def address(self):
        """The address with its token."""
        return _dgm.server_address(self._handle)

    def close(self):
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _repr_html_(self):
        return f'<a href="{self.address}" target="_blank" rel="noopener">Open the explorer</a>'
