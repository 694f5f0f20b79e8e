# SPDX-License-Identifier: Apache-2.0
"""What estimators of scikit-learn have, without scikit-learn: parameters by name, features by name, and errors before fitting."""
from __future__ import annotations

import inspect
import warnings
from typing import Any, Dict, List, Optional

import numpy as np

from . import _call


class Estimator:
    """Keeps the parameters of ``__init__`` under their names, as ``sklearn.base.BaseEstimator`` does."""

    #: A parameter that is kept under another name, because a method has its own.
    _kept_as: Dict[str, str] = {}

    @classmethod
    def _get_param_names(cls) -> List[str]:
        return sorted(name for name in inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name. With ``deep``, those of an estimator among them are there as well, as ``name__parameter``."""
        params: Dict[str, Any] = {}
        for name in self._get_param_names():
            value = params[name] = getattr(self, self._kept_as.get(name, name))
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                params.update({f"{name}__{key}": inner for key, inner in value.get_params().items()})
        return params

    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name, those of an estimator among them as ``name__parameter``."""
        known = self._get_param_names()
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {known!r}.")
            if inner:
                getattr(self, self._kept_as.get(name, name)).set_params(**{inner: value})
            else:
                setattr(self, self._kept_as.get(name, name), value)
        return self

    def __repr__(self) -> str:
        shown = []
        for name, parameter in inspect.signature(type(self)).parameters.items():
            value = getattr(self, self._kept_as.get(name, name))
            if value is not parameter.default and not (isinstance(value, (str, int, float)) and value == parameter.default):
                text = repr(value)
                shown.append(f"{name}={text if len(text) < 80 else type(value).__name__ + '(...)'}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def _need_fit(self, attribute: str) -> None:
        if hasattr(self, attribute):
            return
        message = (f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before using this "
                   "estimator.")
        try:
            from sklearn.exceptions import NotFittedError
        except ImportError:
            raise NotFitted(message) from None
        raise NotFittedError(message)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks; only it ever calls this."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags(),
                    transformer_tags=TransformerTags(preserves_dtype=[]))


class NotFitted(ValueError, AttributeError):
    """An estimator was asked before it was fitted, and there is no scikit-learn whose error it could be."""


# ---- tables of points ----


def feature_names(values: Any) -> Optional[_call.Array]:
    """The names of the columns of a frame, if all are texts."""
    columns = getattr(values, "columns", None)
    if columns is None or callable(columns):
        return None
    names = list(columns)
    texts = sum(isinstance(name, str) for name in names)
    if 0 < texts < len(names):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{sorted({type(name).__name__ for name in names})} as feature name / column name types.")
    return _call.objects(names) if texts else None


def check_feature_names(estimator: Any, values: Any) -> None:
    """New points must have the columns of those that the estimator was fitted to."""
    fitted, given = getattr(estimator, "feature_names_in_", None), feature_names(values)
    name = type(estimator).__name__
    if fitted is None and given is None:
        return
    if fitted is None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names", stacklevel=4)
        return
    if given is None:
        warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", stacklevel=4)
        return
    if list(fitted) == list(given):
        return
    lines = ["The feature names should match those that were passed during fit."]
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    if unseen:
        lines += ["Feature names unseen at fit time:"] + [f"- {one}" for one in unseen]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:"] + [f"- {one}" for one in missing]
    if not unseen and not missing:
        lines.append("Feature names must be in the same order as they were in fit.")
    raise ValueError("\n".join(lines) + "\n")


def points(values: Any) -> _call.Array:
    """A table of finite numbers in double precision, a row for each point; errors are worded as in scikit-learn."""
    if hasattr(values, "tocsr"):
        raise TypeError("Sparse data was passed, but dense data is required. Use '.toarray()' to convert to a dense numpy array.")
    taken = _call.take(values, "X")
    if taken.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{taken}\n")
    if taken.ndim != 2:
        raise ValueError(f"Expected 2D array, got an array of the shape {taken.shape} instead. Reshape your data: a row for each point.")
    if taken.dtype.kind == "O":
        try:
            taken = taken.astype(np.float64)
        except TypeError as error:  # an object that is no number
            raise TypeError(f"{error}: argument must be a string or a number") from None
    table = _call.flat(taken, np.float64, "X")
    rows, columns = table.shape
    if rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={table.shape}) while a minimum of 1 is required.")
    if columns == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={table.shape}) while a minimum of 1 is required.")
    if not np.isfinite(table).all():
        raise ValueError("Input X contains NaN." if np.isnan(table).any() else "Input X contains infinity.")
    return table
