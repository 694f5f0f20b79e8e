# SPDX-License-Identifier: Apache-2.0
"""Deep Graph Mapper: see a graph through a lens, as a small summary that can be looked at.

>>> import dgm
>>> summary = dgm.map("karate")
>>> summary.coverage["lost"]
0
>>> len(summary) == len(summary.nodes)
True

A graph may be a networkx graph, a SciPy matrix, a PyTorch Geometric ``Data``, an igraph graph, an edge array, a pandas
frame, or anything that the program ``dgm`` reads. Without a lens and a cover, both are chosen by looking at the graph.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._call import Error, threads, version
from ._classify import Classification, GraphSet, classify, graphs
from ._graph import Graph, graph
from ._map import lens, map, suggest
from ._mapper import DeepGraphMapper
from ._summary import Summary
from ._train import Model, Predictions, load, train

__version__ = version


if TYPE_CHECKING:
    from . import pool, reduce


def __getattr__(name: str) -> Any:
    """Modules that few need are loaded when they are asked for."""
    if name in ("pool", "reduce"):
        import importlib

        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module 'dgm' has no attribute {name!r}")


__all__ = ["Classification", "DeepGraphMapper", "Error", "Graph", "GraphSet", "Model", "Predictions", "Summary", "classify", "graph",
           "graphs", "lens", "load", "map", "pool", "reduce", "suggest", "threads", "train"]
