# SPDX-License-Identifier: Apache-2.0
"""Reductions of many columns to few, in the shapes of scikit-learn: TSNE, UMAP, PCA, Isomap.

>>> import numpy as np
>>> from dgm import reduce
>>> points = np.random.default_rng(1).random((100, 8))
>>> reduce.PCA().fit_transform(points).shape
(100, 2)
"""
import numpy as np

from . import _call, _dgm

_KEYS = _dgm.reductions()


def _points(values):
    values = values.detach().cpu().numpy() if hasattr(values, "detach") else np.asarray(values)
    if values.ndim != 2:
        raise ValueError(f"Expected 2D array, got an array of the shape {values.shape}. Reshape your data: a row for each point.")
    values = _call.flat(values, np.float64, "X")
    if values.shape[0] == 0 or values.shape[1] == 0:
        raise ValueError(f"Found array of the shape {values.shape}: there is nothing to reduce")
    return _dgm.matrix_borrow(_call.context(), values.ctypes.data, *values.shape, None), values


class _Reduction:
    """What all reductions share. Every option of the program is a keyword argument of the same name."""

    _name = None

    def __init__(self, n_components=2, *, seed=1, progress=None, **options):
        known = {key["name"].replace("-", "_") for key in _KEYS[self._name]}
        for name in options:
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no option '{name}': it has {', '.join(sorted(known))}")
        self.n_components, self.seed, self.progress = n_components, seed, progress
        self._options = dict(options)

    def get_params(self, deep=True):
        """The parameters by name, as scikit-learn asks for them."""
        return {"n_components": self.n_components, "seed": self.seed, "progress": self.progress, **self._options}

    def set_params(self, **params):
        made = type(self)(**{**self.get_params(), **params})
        self.__dict__.update({name: value for name, value in made.__dict__.items()})
        return self

    def __repr__(self):
        shown = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not None]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _specification(self):
        keys = [f"{name.replace('_', '-')}={_call.text(value).decode()}" for name, value in self._options.items() if value is not None]
        return (self._name + (":" + ",".join(keys) if keys else "")).encode()

    def fit(self, X, y=None):
        """Finds places for the rows of X: ``embedding_``, with ``report_`` of how well it went."""
        table, values = _points(X)
        context = _call.context(self.progress)
        handle, self.report_ = _dgm.reduce(context, self._specification(), int(self.n_components), int(self.seed), table)
        self.embedding_ = _call.table(handle, _dgm.matrix_table(handle))[0]
        self.n_features_in_ = values.shape[1]
        self.notes_ = context[2]
        self._fitted = (table, values, handle)
        return self

    def fit_transform(self, X, y=None):
        """The same, and returns the places."""
        return self.fit(X).embedding_


class PCA(_Reduction):
    """Principal components."""

    _name = "pca"

    def fit(self, X, y=None):
        super().fit(X)
        values = self._fitted[1]
        self.mean_ = values.mean(axis=0)
        # The places are (X - mean) C': the components are what gives them back.
        self.components_ = np.linalg.lstsq(self.embedding_, values - self.mean_, rcond=None)[0]
        return self

    def transform(self, X):
        """Places of other points on the same components."""
        values = _points(X)[1]
        if values.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {values.shape[1]} features, but PCA is expecting {self.n_features_in_} features as input")
        return (values - self.mean_) @ np.linalg.pinv(self.components_)


class TSNE(_Reduction):
    """t-distributed stochastic neighbour embedding."""

    _name = "tsne"

    def transform(self, X):
        """Places for new points in the map, which stays as it is."""
        table, values = _points(X)
        if values.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {values.shape[1]} features, but TSNE is expecting {self.n_features_in_} features as input")
        handle = _dgm.reduce_place(_call.context(self.progress), self._specification(), int(self.seed), self._fitted[0],
                                   self._fitted[2], table)
        return _call.table(handle, _dgm.matrix_table(handle))[0]


class UMAP(_Reduction):
    """Uniform manifold approximation and projection."""

    _name = "umap"


class Isomap(_Reduction):
    """Distances along a graph of neighbours, kept in few axes."""

    _name = "isomap"


def _document(kind):
    lines = [kind.__doc__, "", "Keyword arguments:", ""]
    for key in _KEYS[kind._name]:
        default = f" (default {key['default']})" if key["default"] else ""
        lines.append(f"    {key['name'].replace('-', '_')}: {key['help']}{default}")
    kind.__doc__ = "\n".join(lines)


for _kind in (PCA, TSNE, UMAP, Isomap):
    _document(_kind)
