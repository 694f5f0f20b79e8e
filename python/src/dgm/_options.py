# SPDX-License-Identifier: Apache-2.0
# Written by tools/python-options from the option tables of the library: change these and run it again.
"""Keyword arguments and their types."""
from __future__ import annotations

import os
from typing import Any, Literal, Sequence, TypedDict, Union

from ._call import Progress

#: What is written as a text: words, numbers, names of files.
Text = Union[str, int, float, "os.PathLike[str]"]


class ReadOptions(TypedDict, total=False):
    """Options of reading a graph from a file."""

    directed: Union[bool, None]
    keep_loops: Union[bool, None]
    nodes: Union[int, None]
    ids: Union[Literal["number", "name"], None]
    graph: Union[Text, None]
    format: Union[Literal["auto", "edges", "mtx", "metis", "graphml", "gexf", "gml", "json", "npz", "npy", "pajek", "lgl", "folder",
        "tu"], None]
    nodes_table: Union[Text, None]
    labels: Union[Text, None]


class FigureOptions(TypedDict, total=False):
    """Options of figures."""

    colour: Union[Text, None]
    colormap: Union[Text, None]
    threshold: Union[float, None]
    mixture: Union[Literal["majority", "pie", "auto"], None]
    style: Union[Literal["default", "paper"], None]
    theme: Union[Literal["light", "dark"], None]
    transparent: Union[bool, None]
    width: Union[Text, None]
    height: Union[Text, None]
    dpi: Union[int, None]
    names: Union[Text, None]
    layout: Union[Literal["stress", "lens", "circular", "grid"], None]
    dust: Union[Literal["auto", "fold", "show", "drop"], None]
    dust_size: Union[int, None]


class MapOptions(TypedDict, total=False):
    """Options of ``dgm map``."""

    transform: Union[Literal["none", "log", "rank", "zscore"], Sequence[Literal["none", "log", "rank", "zscore"]], None]
    model: Union[Text, None]
    lens_file: Union[Text, None]
    reduce: Union[Text, None]
    dim: Union[int, None]
    cover: Union[Text, None]
    intervals: Union[int, Sequence[int], None]
    overlap: Union[float, Sequence[float], None]
    compat: Union[Literal["gain", "dgm", "kepler", "giotto", "gudhi", "mog"], None]
    metric: Union[Literal["l2", "cosine"], None]
    cluster: Union[str, None]
    weights: Union[Literal["none", "gaussian", "bump"], None]
    edges: Union[Literal["nerve", "structural"], None]
    pieces: Union[Literal["apart", "joined"], None]
    strength: Union[Literal["links", "sas"], None]
    eps: Union[float, None]
    min_size: Union[int, None]
    min_component: Union[int, None]
    attach: Union[bool, None]
    colour: Union[Text, None]
    colormap: Union[Text, None]
    threshold: Union[float, None]
    mixture: Union[Literal["majority", "pie", "auto"], None]
    style: Union[Literal["default", "paper"], None]
    theme: Union[Literal["light", "dark"], None]
    transparent: Union[bool, None]
    width: Union[Text, None]
    height: Union[Text, None]
    dpi: Union[int, None]
    names: Union[Text, None]
    layout: Union[Literal["stress", "lens", "circular", "grid"], None]
    dust: Union[Literal["auto", "fold", "show", "drop"], None]
    dust_size: Union[int, None]
    directed: Union[bool, None]
    keep_loops: Union[bool, None]
    nodes: Union[int, None]
    ids: Union[Literal["number", "name"], None]
    graph: Union[Text, None]
    format: Union[Literal["auto", "edges", "mtx", "metis", "graphml", "gexf", "gml", "json", "npz", "npy", "pajek", "lgl", "folder",
        "tu"], None]
    nodes_table: Union[Text, None]
    labels: Union[Text, None]
    seed: Union[int, None]


class MapperParameters:
    """The parameters of a mapper."""

    def __init__(
        self,
        lens: Any = None,
        *,
        transform: Union[Literal["none", "log", "rank", "zscore"], Sequence[Literal["none", "log", "rank", "zscore"]], None] = None,
        model: Union[Text, None] = None,
        lens_file: Union[Text, None] = None,
        reduce: Union[Text, None] = None,
        dim: Union[int, None] = None,
        cover: Union[Text, None] = None,
        intervals: Union[int, Sequence[int], None] = None,
        overlap: Union[float, Sequence[float], None] = None,
        compat: Union[Literal["gain", "dgm", "kepler", "giotto", "gudhi", "mog"], None] = None,
        metric: Union[Literal["l2", "cosine"], None] = None,
        cluster: Union[str, None] = None,
        weights: Union[Literal["none", "gaussian", "bump"], None] = None,
        edges: Union[Literal["nerve", "structural"], None] = None,
        pieces: Union[Literal["apart", "joined"], None] = None,
        strength: Union[Literal["links", "sas"], None] = None,
        eps: Union[float, None] = None,
        min_size: Union[int, None] = None,
        min_component: Union[int, None] = None,
        attach: Union[bool, None] = None,
        colour: Union[Text, None] = None,
        colormap: Union[Text, None] = None,
        threshold: Union[float, None] = None,
        mixture: Union[Literal["majority", "pie", "auto"], None] = None,
        style: Union[Literal["default", "paper"], None] = None,
        theme: Union[Literal["light", "dark"], None] = None,
        transparent: Union[bool, None] = None,
        width: Union[Text, None] = None,
        height: Union[Text, None] = None,
        dpi: Union[int, None] = None,
        names: Union[Text, None] = None,
        layout: Union[Literal["stress", "lens", "circular", "grid"], None] = None,
        dust: Union[Literal["auto", "fold", "show", "drop"], None] = None,
        dust_size: Union[int, None] = None,
        seed: Union[int, None] = None,
        clusterer: Any = None,
    ) -> None:
        self.lens = lens
        self._transform = transform
        self.model = model
        self.lens_file = lens_file
        self.reduce = reduce
        self.dim = dim
        self.cover = cover
        self.intervals = intervals
        self.overlap = overlap
        self.compat = compat
        self.metric = metric
        self.cluster = cluster
        self.weights = weights
        self.edges = edges
        self.pieces = pieces
        self.strength = strength
        self.eps = eps
        self.min_size = min_size
        self.min_component = min_component
        self.attach = attach
        self.colour = colour
        self.colormap = colormap
        self.threshold = threshold
        self.mixture = mixture
        self.style = style
        self.theme = theme
        self.transparent = transparent
        self.width = width
        self.height = height
        self.dpi = dpi
        self.names = names
        self.layout = layout
        self.dust = dust
        self.dust_size = dust_size
        self.seed = seed
        self.clusterer = clusterer


class TrainOptions(TypedDict, total=False):
    """Options of ``dgm train``, of both networks."""

    preset: Union[Literal["kipf", "reference", "auto", "dgi"], None]
    hidden: Union[Text, None]
    dropout: Union[float, None]
    rate: Union[float, None]
    decay: Union[float, None]
    epochs: Union[int, None]
    patience: Union[int, None]
    class_weights: Union[Text, None]
    target: Union[Text, None]
    features: Union[Literal["auto", "one-hot", "degree", "structure"], None]
    normalise: Union[Literal["auto", "none", "rows", "columns"], None]
    split: Union[Text, None]
    seed: Union[int, None]
    probe: Union[bool, None]
    checkpoint: Union[Text, None]
    checkpoint_every: Union[Text, None]
    directed: Union[bool, None]
    keep_loops: Union[bool, None]
    nodes: Union[int, None]
    ids: Union[Literal["number", "name"], None]
    graph: Union[Text, None]
    format: Union[Literal["auto", "edges", "mtx", "metis", "graphml", "gexf", "gml", "json", "npz", "npy", "pajek", "lgl", "folder",
        "tu"], None]
    nodes_table: Union[Text, None]
    labels: Union[Text, None]


class ClassifyOptions(TypedDict, total=False):
    """Options of ``dgm classify``."""

    preset: Union[Literal["paper", "equal"], None]
    net: Union[Literal["gcn", "gin", "mlp"], None]
    width: Union[int, None]
    layers: Union[int, None]
    steps: Union[int, None]
    dropout: Union[float, None]
    rate: Union[float, None]
    decay: Union[float, None]
    epochs: Union[int, None]
    batch: Union[int, None]
    features: Union[Literal["auto", "labels", "degree", "attributes", "all"], None]
    clamp: Union[int, None]
    folds: Union[Text, None]
    first: Union[int, None]
    seeds: Union[int, None]
    search: Union[Text, None]
    checkpoint: Union[Text, None]
    against: Union[Text, None]
    seed: Union[int, None]


class PCAParameters:
    """The parameters of PCA."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        tolerance: Union[float, None] = None,
        passes: Union[int, None] = None,
        seed: int = 1,
        progress: Progress = None,
    ) -> None:
        self.n_components = n_components
        self.tolerance = tolerance
        self.passes = passes
        self.seed = seed
        self.progress = progress


class TSNEParameters:
    """The parameters of TSNE."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        perplexity: Union[float, None] = None,
        iterations: Union[int, None] = None,
        exaggeration: Union[float, None] = None,
        early: Union[int, None] = None,
        keep: Union[bool, None] = None,
        rate: Union[float, None] = None,
        init: Union[Literal["pca", "random"], None] = None,
        neighbours: Union[Literal["auto", "exact", "approximate"], None] = None,
        repulsion: Union[Literal["auto", "exact", "tree", "fft"], None] = None,
        seed: int = 1,
        progress: Progress = None,
    ) -> None:
        self.n_components = n_components
        self.perplexity = perplexity
        self.iterations = iterations
        self.exaggeration = exaggeration
        self.early = early
        self.keep = keep
        self.rate = rate
        self.init = init
        self.neighbours = neighbours
        self.repulsion = repulsion
        self.seed = seed
        self.progress = progress


class UMAPParameters:
    """The parameters of UMAP."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        neighbours: Union[int, None] = None,
        min_dist: Union[float, None] = None,
        spread: Union[float, None] = None,
        epochs: Union[int, None] = None,
        negatives: Union[int, None] = None,
        init: Union[Literal["spectral", "pca", "random"], None] = None,
        metric: Union[Literal["l2", "cosine"], None] = None,
        seed: int = 1,
        progress: Progress = None,
    ) -> None:
        self.n_components = n_components
        self.neighbours = neighbours
        self.min_dist = min_dist
        self.spread = spread
        self.epochs = epochs
        self.negatives = negatives
        self.init = init
        self.metric = metric
        self.seed = seed
        self.progress = progress


class IsomapParameters:
    """The parameters of Isomap."""

    def __init__(
        self,
        n_components: int = 2,
        *,
        neighbours: Union[int, None] = None,
        landmarks: Union[int, None] = None,
        metric: Union[Literal["l2", "cosine"], None] = None,
        seed: int = 1,
        progress: Progress = None,
    ) -> None:
        self.n_components = n_components
        self.neighbours = neighbours
        self.landmarks = landmarks
        self.metric = metric
        self.seed = seed
        self.progress = progress
