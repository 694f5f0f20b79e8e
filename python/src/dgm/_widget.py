# SPDX-License-Identifier: Apache-2.0
"""The live page as a widget, which knows what is selected in it. It needs anywidget."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple

import anywidget
import traitlets

from ._graph import Graph

# The page is a document of its own, without rights to the notebook. It tells what is selected (web/PROTOCOL.md).
_ESM = """
function render({ model, el }) {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-downloads");
    frame.style.cssText = "width: 100%; border: 1px solid #8884; border-radius: 4px";
    const stretch = () => (frame.style.height = `${model.get("height")}px`);
    const hear = (event) => {
        if (event.source !== frame.contentWindow || event.data?.type !== "dgm-selection") return;
        const { clusters, nodes, settings } = event.data;
        model.set("told", { clusters, nodes, settings });
        model.save_changes();
    };
    window.addEventListener("message", hear);
    model.on("change:height", stretch);
    stretch();
    frame.srcdoc = model.get("page");
    el.appendChild(frame);
    return () => window.removeEventListener("message", hear);
}
export default { render };
"""


class Selection(NamedTuple):
    """What is selected in a page."""

    #: The clusters, by their numbers in the picture that the page shows; empty where nodes are selected by conditions.
    clusters: List[int]
    #: The nodes: the objects that the graph was made of.
    nodes: List[Any]


class Page(anywidget.AnyWidget):
    """The live page inside a notebook. ``selection`` follows what is selected in it, and can be observed:

        page = summary.show()
        page                      # in one cell: click a cluster, draw a lasso, filter a column
        page.selection.nodes      # in another
        page.observe(lambda change: print(len(change.new.nodes)), "selection")

    Once a slider was moved, the page shows other clusters than the summary that it came from: ``settings`` are those of the page.
    """

    _esm = _ESM
    page = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(640).tag(sync=True)
    told = traitlets.Dict().tag(sync=True)
    selection = traitlets.Instance(Selection, Selection([], []))
    settings = traitlets.Dict()

    def __init__(self, graph: Graph, html: str, height: int, fallback: str):
        self._graph, self._fallback = graph, fallback
        self._places: Dict[str, int] = {}
        super().__init__(page=html, height=height)

    @traitlets.observe("told")
    def _hear(self, change: Any) -> None:
        """A name that the graph does not have is left out: what a page says is no more than a message."""
        if not self._places:
            self._places = {name: place for place, name in enumerate(self._graph.names())}
        told, nodes = change["new"], self._graph.nodes
        places = [self._places.get(str(name)) for name in told.get("nodes", [])]
        self.settings = {str(name).replace("-", "_"): value for name, value in dict(told.get("settings", {})).items()}
        self.selection = Selection([int(cluster) for cluster in told.get("clusters", [])],
                                   [nodes[place] for place in places if place is not None])

    def _repr_html_(self) -> str:
        """Where there are no widgets, as in a notebook that was made a file, the page is there all the same."""
        return self._fallback

    def _repr_mimebundle_(self, **arguments: Any) -> Any:
        bundle = super()._repr_mimebundle_(**arguments)
        shown = bundle[0] if isinstance(bundle, tuple) else bundle
        if isinstance(shown, dict):
            shown["text/html"] = self._fallback
        return bundle
