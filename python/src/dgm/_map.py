# SPDX-License-Identifier: Apache-2.0
"""Mapping: the lens, the cover, and what is chosen where nothing is given."""
import numpy as np

from . import _call, _dgm
from ._graph import graph as make_graph
from ._summary import Summary
from ._train import Model

# What a study chooses, as the library numbers it.
OPEN_LENS, OPEN_COVER, OPEN_INTERVALS, OPEN_OVERLAP, OPEN_DUST, OPEN_PIECES = 1, 2, 4, 8, 16, 32
SETTLED = ("intervals:", "simplex", "cmo")
READING = ("directed", "weighted", "format", "labels", "nodes_table")


def open_settings(lens, options):
    """What is left to choose: all that is not given, unless the cover has cells of its own."""
    cover = options.get("cover")
    if options.get("rule") is not None or (cover and str(cover).startswith(SETTLED)):
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


def lens_table(graph, lens):
    """A lens that is an array: one row for each node. Returns a handle and what it borrows."""
    values = lens.detach().cpu().numpy() if hasattr(lens, "detach") else np.asarray(lens)
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or len(values) != len(graph):
        raise ValueError(f"a lens has one row for each of {len(graph):,} nodes, not the shape {values.shape}")
    values = _call.flat(values, np.float64, "lens")
    return _dgm.matrix_borrow(_call.context(), values.ctypes.data, *values.shape, None), values


def is_named(lens):
    return isinstance(lens, (str, bytes)) or (isinstance(lens, (list, tuple)) and len(lens) > 0 and all(isinstance(one, str) for one in lens))


def take_predictions(graph, predictions):
    """Classes, probabilities or logits of a network trained anywhere."""
    values = predictions.detach().cpu().numpy() if hasattr(predictions, "detach") else np.asarray(predictions)
    if len(values) != len(graph):
        raise ValueError(f"predictions of {len(values):,} nodes for a graph of {len(graph):,}")
    if values.ndim == 1:
        values = _call.flat(values, np.int32, "predictions")
        return _dgm.predictions_make(_call.context(), graph._handle, "classes", values.ctypes.data, 0)
    values = _call.flat(values, np.float64, "predictions")
    sums = values.sum(axis=1)
    kind = "probabilities" if np.all(values >= 0) and np.allclose(sums, 1, atol=0.01) else "logits"
    return _dgm.predictions_make(_call.context(), graph._handle, kind, values.ctypes.data, values.shape[1])


def map(graph, lens=None, *, predictions=None, progress=None, auto=True, **options):
    """Maps a graph and returns its :class:`Summary`.

    ``lens`` is the name of a lens of the program (``"pagerank"``, ``"dgi"``, several in a list), an array with a row for each
    node (an embedding, logits), a :class:`Model`, or a function that makes such an array of the graph. Without it the lens is chosen by
    looking at the graph, and so are the cover's settings that are not given; ``auto=False`` takes the plain defaults.

    ``predictions`` are classes, probabilities or logits of a network trained anywhere: the summary then knows its mistakes.
    ``progress`` is called with a stage and a fraction (or None), and ends the work by returning False. All other options are
    those of ``dgm map``, with underscores: ``intervals=20, overlap=0.3, min_size=2, colour="labels"``.

    >>> import dgm
    >>> dgm.map("karate", lens="degree", intervals=3, overlap=0.3)
    <dgm.Summary of 'karate': 17 clusters, 3 links>
    """
    reading = {name: options.pop(name) for name in READING if name in options and isinstance(graph, (str, bytes))}
    source, made = graph, make_graph(graph, **reading)
    borrowed = table = None
    if isinstance(lens, Model):
        lens = lens.embed(made)
    elif callable(lens) and not hasattr(lens, "__array__"):
        lens = lens(source)
    if lens is not None and not is_named(lens):
        table, borrowed = lens_table(made, lens)
    said = None if predictions is None else take_predictions(made, predictions)
    pairs = _call.settings(dict(options, lens=lens if table is None else None))
    is_open = open_settings(lens, options) if auto else 0
    context = _call.context(progress)
    study = _dgm.study(context, made._handle, pairs, is_open, False, table) if is_open else None
    result = _dgm.map(context, made._handle, pairs, table, None, said, study)
    return Summary(made, result, pairs, study, said, table, borrowed, context[2])


def suggest(graph, *, lens=None, trained=False, progress=None, **options):
    """The settings that were tried for a graph, best first, as a frame where pandas is there and a list of dicts otherwise.

    >>> import dgm
    >>> rows = dgm.suggest("karate")
    >>> len(rows) > 3
    True
    """
    made = make_graph(graph)
    table = borrowed = None
    if lens is not None and not is_named(lens):
        table, borrowed = lens_table(made, lens)
    pairs = _call.settings(dict(options, lens=lens if table is None else None))
    study = _dgm.study(_call.context(progress), made._handle, pairs, open_settings(lens, options) or OPEN_INTERVALS | OPEN_OVERLAP, trained, table)
    rows = []
    for candidate in _dgm.study_candidates(study):
        settings = {name.replace("-", "_"): value for name, value in candidate.pop("settings")}
        rows.append({**settings, **candidate})
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def lens(graph, name, *, progress=None, **options):
    """The values of a lens, an array with a row for each node, before it is cut into cells.

    >>> import dgm
    >>> dgm.lens("karate", "degree").shape
    (34, 1)
    """
    made = make_graph(graph)
    handle = _dgm.lens(_call.context(progress), made._handle, _call.settings(dict(options, lens=name)), None)
    return _call.table(handle, _dgm.lens_table(handle))[0]
