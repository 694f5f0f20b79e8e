# SPDX-License-Identifier: Apache-2.0
"""Reductions of many columns to few, in the shapes of scikit-learn: TSNE, UMAP, PCA, Isomap.

>>> import numpy as np
>>> from dgm import reduce
>>> points = np.random.default_rng(1).random((100, 8))
>>> reduce.PCA().fit_transform(points).shape
(100, 2)
"""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _call, _dgm
from ._estimator import Estimator, check_feature_names, feature_names, points
from ._options import IsomapParameters, PCAParameters, TSNEParameters, UMAPParameters

_KEYS = _dgm.reductions()


def _borrow(values: _call.Array) -> _dgm.Handle:
    rows, columns = values.shape
    return _dgm.matrix_borrow(_call.context(), values.ctypes.data, rows, columns, None)


class _Reduction(Estimator):
    """What all reductions share."""

    _name = ""
    n_components: int
    seed: int
    progress: _call.Progress

    def _specification(self) -> bytes:
        keys = []
        for key in _KEYS[self._name]:
            value = getattr(self, key["name"].replace("-", "_")) if key["name"] != "seed" else None
            if value is not None:
                keys.append(f"{key['name']}={_call.text(value).decode()}")
        return (self._name + (":" + ",".join(keys) if keys else "")).encode()

    def fit(self, X: Any, y: Any = None) -> Any:
        """Finds places for the rows of X: ``embedding_``, with ``report_`` of how well it went."""
        values, names = points(X), feature_names(X)
        context = _call.context(self.progress)
        handle, self.report_ = _dgm.reduce(context, self._specification(), int(self.n_components), int(self.seed), _borrow(values))
        self.embedding_ = _call.table(handle, _dgm.matrix_table(handle))[0]
        self.n_features_in_ = values.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.notes_ = context[2]
        self._fitted(values)
        return self

    def _fitted(self, values: _call.Array) -> None:
        """What a reduction keeps of the points that it was fitted to."""

    def fit_transform(self, X: Any, y: Any = None) -> _call.Array:
        """The same, and returns the places."""
        self.fit(X)
        return self.embedding_

    def get_feature_names_out(self, input_features: Any = None) -> _call.Array:
        """The names of the axes: ``pca0``, ``pca1``, ..."""
        self._need_fit("embedding_")
        return _call.objects([f"{type(self).__name__.lower()}{i}" for i in range(self.embedding_.shape[1])])

    def _new(self, X: Any) -> _call.Array:
        """New points, as many columns as the old ones have."""
        self._need_fit("embedding_")
        check_feature_names(self, X)
        values = points(X)
        if values.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {values.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                             "as input")
        return values


class PCA(_Reduction, PCAParameters):
    """Principal components: ``components_`` are the directions, ``mean_`` the middle of the points.

    >>> from dgm import reduce
    >>> points = [[0, 0, 1], [2, 0, 1], [4, 1, 1]]
    >>> reduce.PCA(n_components=1).fit(points).transform(points).shape
    (3, 1)
    """

    _name = "pca"

    def _fitted(self, values: _call.Array) -> None:
        self.mean_ = values.mean(axis=0)
        # The places are (X - mean) C': the components are what gives them back.
        self.components_ = np.linalg.lstsq(self.embedding_, values - self.mean_, rcond=None)[0]
        self._inverse = np.linalg.pinv(self.components_)

    def transform(self, X: Any) -> _call.Array:
        """Places of other points on the same components."""
        values = self._new(X)
        made: _call.Array = (values - self.mean_) @ self._inverse
        return made


class TSNE(_Reduction, TSNEParameters):
    """t-distributed stochastic neighbour embedding. ``transform`` finds places for new points in a map that stays as it is.

    >>> import numpy as np
    >>> from dgm import reduce
    >>> points = np.random.default_rng(1).random((60, 5))
    >>> reduce.TSNE(perplexity=10, iterations=300).fit(points).transform(points[:3]).shape
    (3, 2)
    """

    _name = "tsne"

    def _fitted(self, values: _call.Array) -> None:
        self._points = values.copy()  # the caller may change his own

    def transform(self, X: Any) -> _call.Array:
        """Places for new points in the map, which stays as it is."""
        values = self._new(X)
        places = np.ascontiguousarray(self.embedding_)
        handle = _dgm.reduce_place(_call.context(self.progress), self._specification(), int(self.seed), _borrow(self._points),
                                   _borrow(places), _borrow(values))
        return _call.table(handle, _dgm.matrix_table(handle))[0]


class UMAP(_Reduction, UMAPParameters):
    """Uniform manifold approximation and projection.

    >>> import numpy as np
    >>> from dgm import reduce
    >>> reduce.UMAP(neighbours=5, epochs=50).fit_transform(np.random.default_rng(1).random((60, 5))).shape
    (60, 2)
    """

    _name = "umap"


class Isomap(_Reduction, IsomapParameters):
    """Distances along a graph of neighbours, kept in few axes.

    >>> import numpy as np
    >>> from dgm import reduce
    >>> circle = np.linspace(0, 3, 40)
    >>> reduce.Isomap(n_components=1).fit_transform(np.stack([np.cos(circle), np.sin(circle)], axis=1)).shape
    (40, 1)
    """

    _name = "isomap"


_SHARED = """
    Attributes after ``fit``: ``embedding_``, the places of the points; ``report_``, figures of how well it went; ``notes_``;
    ``n_features_in_``, and ``feature_names_in_`` where X was a frame.

    Keyword arguments:

    n_components: axes of the map (default 2)
    seed: seed of everything random (default 1)
    progress: a function of a stage and a fraction, or True for a bar"""


for _kind in (PCA, TSNE, UMAP, Isomap):
    _kind.__doc__ = f"{(_kind.__doc__ or '').rstrip()}\n{_SHARED}\n{_call.document(_KEYS[_kind._name], ('seed',))}\n    "
